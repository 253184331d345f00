"""Records as column values, the same in every SQL store, and back.

States are small integers, policies and tags JSON text that is null when there is nothing to say.
A value that does not parse raises Corruption, which names table, key and column.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.errors import Corruption, InvalidInput
from flowfabric.domain.execution import DUE_KINDS, Execution
from flowfabric.domain.ids import ExecutionId, make_execution_id, partition_of
from flowfabric.domain.inputs import NO_TAGS
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy
from flowfabric.domain.states import (
    ATTEMPT_OUTCOMES,
    ATTEMPT_STATES,
    CHANNELS,
    ELIGIBILITY_STATES,
    LIFECYCLE_PHASES,
    PUBLIC_STATES,
    STATE_VECTORS,
    TERMINAL_OUTCOMES,
)
from flowfabric.domain.steps import STEPS_RULES
from flowfabric.stores._shared.gates import gates_are_equal, gates_of
from flowfabric.stores._shared.waiting import child_place_of, inbox_of

PHASE_CODES: Final = {state: code for code, state in enumerate(LIFECYCLE_PHASES)}
ELIGIBILITY_CODES: Final = {state: code for code, state in enumerate(ELIGIBILITY_STATES)}
ATTEMPT_STATE_CODES: Final = {state: code for code, state in enumerate(ATTEMPT_STATES)}
OUTCOME_CODES: Final = {state: code for code, state in enumerate(TERMINAL_OUTCOMES)}
ATTEMPT_OUTCOME_CODES: Final = {state: code for code, state in enumerate(ATTEMPT_OUTCOMES)}
PUBLIC_STATE_CODES: Final = {state: code for code, state in enumerate(PUBLIC_STATES)}
STEPS_RULE_CODES: Final = {rule: code for code, rule in enumerate(STEPS_RULES)}
CHANNEL_CODES: Final = {channel: code for code, channel in enumerate(CHANNELS)}
DUE_KIND_CODES: Final = {kind: code for code, kind in enumerate(DUE_KINDS)}

_ACTIVE: Final = PHASE_CODES["active"]
_SUSPENDED: Final = PHASE_CODES["suspended"]
_TERMINAL: Final = PHASE_CODES["terminal"]
_ENDED: Final = (PHASE_CODES["terminal"], PHASE_CODES["cancelled"])
_DELAYED: Final = ELIGIBILITY_CODES["not_eligible_until_time"]
_NOT_APPLICABLE: Final = ELIGIBILITY_CODES["not_applicable"]
_PARKED: Final = (ELIGIBILITY_CODES["blocked_by_quota"], ELIGIBILITY_CODES["blocked_by_budget"])
_QUEUED_OR_PARKED: Final = ("eligible_now", "blocked_by_quota", "blocked_by_budget")
_POSSIBLE_STATES: Final = frozenset(
    (PHASE_CODES[phase], ELIGIBILITY_CODES[eligibility], ATTEMPT_STATE_CODES[attempt], OUTCOME_CODES[outcome])
    for phase, eligibility, attempt, outcome in STATE_VECTORS
)
"""The combinations of states that a row may have."""

_TAGS: Final = msgspec.json.Decoder(dict[str, str])
_DETAILS: Final = msgspec.json.Decoder(dict[str, object])


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
    unsettled: int
    lease_mark: str | None
    lease_era: int | None
    node: str | None
    coming_back: int | None
    inbox: str | None
    parent_id: str | None
    """Its uuid: parents and children share a partition."""
    child_place: str | None
    gates: str | None = None
    created_by: str | None = None
    payload: str | None = None
    """The payload in hexadecimal; None if the statement does not read it, or if it is large."""
    damaged: str | None = None
    """A column that the store could not even read."""


def execution_of(
    row: StoredExecution, execution_id: ExecutionId, flow_id: str | None, capabilities: tuple[str, ...]
) -> Execution:
    """The execution that a row spells."""
    _check_states(row, execution_id)
    # What is left of the last lease belongs to the last attempt, which is read with the attempts.
    is_over = row.lifecycle_phase == _TERMINAL
    try:
        return Execution(
            execution_id,
            row.namespace,
            row.lane_id,
            flow_id,
            row.execution_kind,
            capabilities,
            policy_of(row.policy),
            tags_of(row.tags),
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
            None if is_over else row.worker_id,
            None if is_over else row.worker_instance_id,
            row.lease_ttl_ms,
            row.lease_expires_at_ms,
            None if is_over else row.attempt_started_at_ms,
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
            bool(row.unsettled),
            row.lease_mark,
            row.lease_era,
            row.node,
            None if row.coming_back is None else STEPS_RULES[row.coming_back],
            None if row.inbox is None else inbox_of(row.inbox),
            make_execution_id(row.partition_key, row.parent_id) if row.parent_id else None,
            None if row.child_place is None else child_place_of(row.child_place),
            None if row.gates is None else gates_of(row.gates, is_leased=row.lifecycle_phase == _ACTIVE),
            row.created_by,
        )
    except (msgspec.MsgspecError, InvalidInput) as error:
        raise _corruption(execution_id, _unparsable_column(row), f"does not parse ({error})") from error


def ended_before(changes: Changes) -> list[ExecutionId]:
    """The executions that had ended, and change. Their records may hold the last attempt, which then gets its row."""
    changed = (before for before, after in changes.executions if before is not None and after is not None)
    return [x.execution_id for x in changed if x.lifecycle_phase == "terminal"]


def _check_states(row: StoredExecution, execution_id: ExecutionId) -> None:
    """Refuse states that no execution can be in, so that the code after this check meets known states only."""
    if row.damaged is not None:
        raise _corruption(execution_id, row.damaged, "cannot be read")
    states = (row.lifecycle_phase, row.eligibility_state, row.attempt_state, row.terminal_outcome)
    if states not in _POSSIBLE_STATES:
        raise _corruption(
            execution_id, _wrong_state(row), f"does not fit (phase, eligibility, attempt, outcome: {states})"
        )
    missing = None
    if row.lifecycle_phase == _ACTIVE:
        if row.lease_expires_at_ms is None:
            missing = "lease_expires_at_ms"
        elif row.lease_ttl_ms is None:
            missing = "lease_ttl_ms"
        elif row.attempt_started_at_ms is None:
            missing = "attempt_started_at_ms"
    elif row.eligibility_state == _DELAYED and row.delay_until_ms is None:
        missing = "delay_until_ms"
    elif row.lifecycle_phase == _SUSPENDED and row.inbox is None:
        missing = "inbox"
    elif row.eligibility_state in _PARKED and row.gates is None:
        missing = "gates"
    if row.parent_id and row.child_place is None:
        missing = "child_place"
    if missing is not None:
        raise _corruption(execution_id, missing, "is missing")
    if row.coming_back is not None and not 0 <= row.coming_back < len(STEPS_RULES):
        raise _corruption(execution_id, "coming_back", f"does not parse ({row.coming_back})")


def _wrong_state(row: StoredExecution) -> str:
    for column, alphabet in (
        ("lifecycle_phase", LIFECYCLE_PHASES),
        ("eligibility_state", ELIGIBILITY_STATES),
        ("attempt_state", ATTEMPT_STATES),
        ("terminal_outcome", TERMINAL_OUTCOMES),
    ):
        if not 0 <= getattr(row, column) < len(alphabet):
            return column
    if (row.terminal_outcome == OUTCOME_CODES["none"]) == (row.lifecycle_phase in _ENDED):
        return "terminal_outcome"
    if (row.eligibility_state == _NOT_APPLICABLE) == (row.lifecycle_phase == PHASE_CODES["runnable"]):
        return "eligibility_state"
    return "attempt_state"


def _unparsable_column(row: StoredExecution) -> str:
    parsers = (("tags", tags_of), ("inbox", inbox_of), ("child_place", child_place_of), ("gates", gates_of))
    for column, parse in parsers:
        try:
            parse(getattr(row, column))
        except msgspec.MsgspecError:
            return column
    return "policy"


def _corruption(execution_id: ExecutionId, column: str, finding: str) -> Corruption:
    return Corruption(
        f"ff_exec_core, key {execution_id}: column {column} {finding}. "
        "Repair or delete the row; no other execution is affected."
    )


def tags_text(tags: Mapping[str, str]) -> str | None:
    """Tags as they are stored."""
    return msgspec.json.encode(tags).decode() if tags else None


def tags_of(text: str | None) -> Mapping[str, str]:
    """The tags that were stored."""
    return NO_TAGS if text is None else _TAGS.decode(text)


def details_text(details: Mapping[str, object]) -> str | None:
    """An event's details as they are stored."""
    return msgspec.json.encode(details).decode() if details else None


def details_of(text: str | None) -> dict[str, object]:
    """The details that were stored."""
    return {} if text is None else _DETAILS.decode(text)


NO_PARTITION: Final = partition_of(b"")
"""Where the log keeps events that belong to no execution and no flow."""


def key_partition(namespace: str, key: str) -> int:
    """The partition of an idempotency key. It does not depend on the execution that the key stands for."""
    return partition_of(f"{namespace}\0{key}".encode())


@lru_cache(maxsize=1024)
def policy_text(policy: ExecutionPolicy) -> str | None:
    """A policy as it is stored."""
    return None if policy == DEFAULT_POLICY else msgspec.json.encode(policy).decode()


@lru_cache(maxsize=1024)
def policy_of(text: str | None) -> ExecutionPolicy:
    """The policy that was stored."""
    return DEFAULT_POLICY if text is None else msgspec.json.decode(text, type=ExecutionPolicy)


def cold_columns_are_equal(before: Execution, x: Execution) -> bool:
    """Whether an update of the hot columns is enough, and of what the execution waits for."""
    return (
        before.tags is x.tags
        and before.priority == x.priority
        and before.retry_count == x.retry_count
        and before.interruption_count == x.interruption_count
        and before.replay_count == x.replay_count
        and before.delay_until_ms == x.delay_until_ms
        and before.deadline_at_ms == x.deadline_at_ms
        and before.cancellation_reason == x.cancellation_reason
        and before.cancelled_by == x.cancelled_by
        and before.failure_code == x.failure_code
        and before.failure_message == x.failure_message
        and before.progress_percent == x.progress_percent
        and before.progress_message == x.progress_message
        and before.unsettled == x.unsettled
        and before.coming_back == x.coming_back
    )


def waits_are_equal(before: Execution, x: Execution) -> bool:
    """Whether the columns about waiting need not be written. `waiting_since_ms` follows from inbox and phase."""
    return before.inbox is x.inbox and (x.inbox is None or before.lifecycle_phase == x.lifecycle_phase)


def is_as_born(x: Execution) -> bool:
    """Whether a new execution has not changed since its creation within the same batch."""
    is_untouched = x.lifecycle_phase == "runnable" and x.attempt_state == "pending_first_attempt" and x.event_seq == 0
    return is_untouched and x.inbox is None  # a token that is issued at once writes no event


def _untouched(x: Execution) -> Execution:
    """The execution with first values in all columns that an insert does not set."""
    return msgspec.structs.replace(
        x,
        retry_count=0,
        interruption_count=0,
        replay_count=0,
        cancellation_reason=None,
        cancelled_by=None,
        failure_code=None,
        failure_message=None,
        progress_percent=None,
        progress_message=None,
        unsettled=False,
        coming_back=None,
        inbox=None,
    )


class Writes(msgspec.Struct):
    """Changed executions by the statement that writes them.

    Statements of their own write the column of the gates, so that executions without gates cost nothing more.
    """

    born: list[Execution] = msgspec.field(default_factory=list)
    """New ones, with the gates that they have now."""
    narrow: list[Execution] = msgspec.field(default_factory=list)
    waiting: list[Execution] = msgspec.field(default_factory=list)
    """Like the narrow ones, and what they wait for has changed, too."""
    wide: list[Execution] = msgspec.field(default_factory=list)
    moved: list[Execution] = msgspec.field(default_factory=list)
    """Those that were parked or admitted, and nothing else: their gates and their eligibility have changed."""
    narrow_gated: list[Execution] = msgspec.field(default_factory=list)
    """Like the narrow ones, and their gates have changed, too."""
    gated: list[Execution] = msgspec.field(default_factory=list)
    """Those of the waiting and of the wide ones whose gates have changed, too."""


def writes_of(changes: Changes) -> Writes:
    """Which executions are inserted, and which are updated in a few columns or in all."""
    writes = Writes()
    for before, x in changes.executions:
        if x is None:
            continue
        if before is None:
            writes.born.append(x)
            if is_as_born(x):
                continue
            before = _untouched(x)
        gates_differ = x.gates is not before.gates and not gates_are_equal(before.gates, x.gates)
        if gates_differ and _is_only_moved(before, x):
            writes.moved.append(x)
            continue
        if cold_columns_are_equal(before, x) and waits_are_equal(before, x):
            (writes.narrow_gated if gates_differ else writes.narrow).append(x)
            continue
        (writes.waiting if cold_columns_are_equal(before, x) else writes.wide).append(x)
        if gates_differ:
            writes.gated.append(x)
    return writes


def _is_only_moved(before: Execution, x: Execution) -> bool:
    """Whether an execution has changed no more than its gates, and whether it is queued or parked."""
    if before.eligibility_state not in _QUEUED_OR_PARKED or x.eligibility_state not in _QUEUED_OR_PARKED:
        return False
    return msgspec.structs.replace(x, eligibility_state=before.eligibility_state, gates=before.gates) == before
