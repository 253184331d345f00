"""Records as rows of SQLite, and back. What does not parse is Corruption, naming table, key and column."""

from functools import lru_cache
from typing import Any, Final

import msgspec

from flowfabric.domain.errors import Corruption, InvalidInput
from flowfabric.domain.events import Event
from flowfabric.domain.execution import DUE_KINDS, Attempt, Due, Execution, due_of
from flowfabric.domain.ids import ExecutionId, make_execution_id, partition_in, partition_of, uuid_from_hex, uuid_in
from flowfabric.domain.inputs import NO_TAGS
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy
from flowfabric.domain.states import (
    ATTEMPT_OUTCOMES,
    ATTEMPT_STATES,
    CHANNELS,
    ELIGIBILITY_STATES,
    LIFECYCLE_PHASES,
    PUBLIC_STATES,
    TERMINAL_OUTCOMES,
)

Key = tuple[int, bytes]
Row = tuple[Any, ...]

_PHASE: Final = {state: code for code, state in enumerate(LIFECYCLE_PHASES)}
_ELIGIBILITY: Final = {state: code for code, state in enumerate(ELIGIBILITY_STATES)}
_ATTEMPT: Final = {state: code for code, state in enumerate(ATTEMPT_STATES)}
_OUTCOME: Final = {state: code for code, state in enumerate(TERMINAL_OUTCOMES)}
_ATTEMPT_OUTCOME: Final = {state: code for code, state in enumerate(ATTEMPT_OUTCOMES)}
PUBLIC_STATE_CODES: Final = {state: code for code, state in enumerate(PUBLIC_STATES)}
CHANNEL_CODES: Final = {channel: code for code, channel in enumerate(CHANNELS)}
DUE_KIND_CODES: Final = {kind: code for code, kind in enumerate(DUE_KINDS)}


class StoredExecution(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_exec_core as the statements spell it in JSON."""

    partition_key: int
    execution_id: str
    namespace: str
    lane_id: str
    flow_id: str
    execution_kind: str
    capability_set: int
    policy: str | None
    idempotency_key: str | None
    created_at_ms: int
    tags: str | None
    lifecycle_phase: int
    eligibility_state: int
    attempt_state: int
    terminal_outcome: int
    priority: int
    attempt_index: int
    lease_epoch: int
    retry_count: int
    interruption_count: int
    replay_count: int
    event_seq: int
    ready_at_ms: int
    worker_id: str | None
    worker_instance_id: str | None
    lease_ttl_ms: int | None
    lease_expires_at_ms: int | None
    attempt_started_at_ms: int | None
    started_at_ms: int | None
    terminal_at_ms: int | None
    delay_until_ms: int | None
    deadline_at_ms: int | None
    cancellation_reason: str | None
    cancelled_by: str | None
    failure_code: str | None
    failure_message: str | None
    progress_percent: int | None
    progress_message: str | None
    payload: str | None
    """In hexadecimal; None if it was not asked for or is large."""


_STORED: Final = msgspec.json.Decoder(list[StoredExecution])
_TAGS: Final = msgspec.json.Decoder(dict[str, str])
_DETAILS: Final = msgspec.json.Decoder(dict[str, object])


def stored_executions(data: str) -> list[StoredExecution]:
    """The rows of one JSON array."""
    return _STORED.decode(data)


def key_of(execution_id: ExecutionId) -> Key:
    """An id as the two columns it is stored in."""
    return partition_in(execution_id), bytes.fromhex(uuid_in(execution_id).replace("-", ""))


def id_of(partition: int, uuid: bytes) -> ExecutionId:
    """The id that two columns spell."""
    return make_execution_id(partition, uuid_from_hex(uuid.hex()))


def uuid_bytes(uuid: str | None) -> bytes | None:
    """A flow id as it is stored."""
    return None if uuid is None else bytes.fromhex(uuid.replace("-", ""))


def row_of(x: Execution, capability_set: int) -> Row:
    """An execution as a row for save_executions."""
    due = due_of(x)
    return (
        *key_of(x.execution_id),
        x.namespace,
        x.lane,
        uuid_bytes(x.flow_id),
        x.kind,
        capability_set,
        _policy_text(x.policy),
        x.idempotency_key,
        x.created_at_ms,
        msgspec.json.encode(x.tags).decode() if x.tags else None,
        _PHASE[x.lifecycle_phase],
        _ELIGIBILITY[x.eligibility_state],
        _ATTEMPT[x.attempt_state],
        _OUTCOME[x.terminal_outcome],
        PUBLIC_STATE_CODES[x.public_state],
        x.priority,
        x.attempt_index,
        x.lease_epoch,
        x.retry_count,
        x.interruption_count,
        x.replay_count,
        x.event_seq,
        x.ready_at_ms,
        None if due is None else DUE_KIND_CODES[due.kind],
        None if due is None else due.due_at_ms,
        x.worker_id,
        x.worker_instance_id,
        x.lease_ttl_ms,
        x.lease_expires_at_ms,
        x.attempt_started_at_ms,
        x.started_at_ms,
        x.terminal_at_ms,
        x.delay_until_ms,
        x.deadline_at_ms,
        x.cancellation_reason,
        x.cancelled_by,
        x.failure_code,
        x.failure_message,
        x.progress_percent,
        x.progress_message,
    )


def execution_of(row: StoredExecution, capabilities: tuple[str, ...]) -> Execution:
    """The execution that a row spells."""
    execution_id = make_execution_id(row.partition_key, uuid_from_hex(row.execution_id.lower()))
    try:
        return Execution(
            execution_id,
            row.namespace,
            row.lane_id,
            uuid_from_hex(row.flow_id.lower()) if row.flow_id else None,
            row.execution_kind,
            capabilities,
            DEFAULT_POLICY if row.policy is None else _policy(row.policy),
            NO_TAGS if row.tags is None else _TAGS.decode(row.tags),
            row.idempotency_key,
            row.created_at_ms,
            LIFECYCLE_PHASES[row.lifecycle_phase],
            ELIGIBILITY_STATES[row.eligibility_state],
            ATTEMPT_STATES[row.attempt_state],
            TERMINAL_OUTCOMES[row.terminal_outcome],
            row.priority,
            row.attempt_index,
            row.lease_epoch,
            row.retry_count,
            row.interruption_count,
            row.replay_count,
            row.event_seq,
            row.ready_at_ms,
            row.worker_id,
            row.worker_instance_id,
            row.lease_ttl_ms,
            row.lease_expires_at_ms,
            row.attempt_started_at_ms,
            row.started_at_ms,
            row.terminal_at_ms,
            row.delay_until_ms,
            row.deadline_at_ms,
            row.cancellation_reason,
            row.cancelled_by,
            row.failure_code,
            row.failure_message,
            row.progress_percent,
            row.progress_message,
        )
    except (IndexError, msgspec.MsgspecError, InvalidInput) as error:
        raise Corruption(
            f"ff_exec_core, key {execution_id}: {_wrong_column(row)} does not parse ({error}). "
            "Repair or delete the row; nothing else is affected."
        ) from error


def _wrong_column(row: StoredExecution) -> str:
    for column, alphabet in (
        ("lifecycle_phase", LIFECYCLE_PHASES),
        ("eligibility_state", ELIGIBILITY_STATES),
        ("attempt_state", ATTEMPT_STATES),
        ("terminal_outcome", TERMINAL_OUTCOMES),
    ):
        if not 0 <= getattr(row, column) < len(alphabet):
            return f"column {column}"
    return "column policy or tags"


def attempt_row_of(attempt: Attempt) -> Row:
    """An attempt as a row for save_attempts."""
    return (
        *key_of(attempt.execution_id),
        attempt.attempt_index,
        attempt.lease_epoch,
        attempt.worker_id,
        attempt.worker_instance_id,
        attempt.started_at_ms,
        attempt.terminal_at_ms,
        None if attempt.outcome is None else _ATTEMPT_OUTCOME[attempt.outcome],
    )


def attempt_of(execution_id: ExecutionId, row: Row) -> Attempt:
    """The attempt that a row of load_attempts spells."""
    index, epoch, worker, instance, started_at_ms, terminal_at_ms, outcome = row
    ended = None if outcome is None else ATTEMPT_OUTCOMES[outcome]
    return Attempt(execution_id, index, epoch, worker, instance, started_at_ms, terminal_at_ms, ended)


def event_row_of(event: Event) -> Row:
    """An event as a row for insert_events."""
    if event.execution_id is None:
        flow = uuid_bytes(event.flow_id)
        assert flow is not None
        partition, uuid = partition_of(flow), None
    else:
        partition, uuid = key_of(ExecutionId(event.execution_id))
    return (
        CHANNEL_CODES[event.channel],
        event.event_type,
        event.namespace,
        partition,
        uuid,
        uuid_bytes(event.flow_id),
        event.seq,
        msgspec.json.encode(event.details).decode() if event.details else None,
        event.occurred_at_ms,
    )


def event_of(row: Row) -> Event:
    """The event that a row of read_events spells."""
    event_id, channel, event_type, namespace, partition, uuid, flow, seq, details, at = row
    return Event(
        event_id,
        CHANNELS[channel],
        event_type,
        namespace,
        None if uuid is None else id_of(partition, uuid),
        None if flow is None else uuid_from_hex(flow.hex()),
        seq,
        {} if details is None else _DETAILS.decode(details),
        at,
    )


def due_position(due: Due | None) -> Row:
    """Where find_due goes on."""
    return (-1, -1, b"") if due is None else (due.due_at_ms, *key_of(due.execution_id))


@lru_cache(maxsize=1024)
def _policy_text(policy: ExecutionPolicy) -> str | None:
    return None if policy == DEFAULT_POLICY else msgspec.json.encode(policy).decode()


@lru_cache(maxsize=1024)
def _policy(text: str) -> ExecutionPolicy:
    return msgspec.json.decode(text, type=ExecutionPolicy)
