"""Records as rows of SQLite, and back. What does not parse is Corruption, naming table, key and column."""

import codecs
import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from flowfabric.domain.errors import Corruption
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Due, Execution, due_of
from flowfabric.domain.ids import (
    PARTITIONS,
    ExecutionId,
    make_execution_id,
    partition_in,
    partition_of,
    uuid_from_hex,
    uuid_in,
)
from flowfabric.domain.states import ATTEMPT_OUTCOMES, CHANNELS
from flowfabric.stores._shared.encoding import (
    ATTEMPT_OUTCOME_CODES,
    ATTEMPT_STATE_CODES,
    CHANNEL_CODES,
    DUE_KIND_CODES,
    ELIGIBILITY_CODES,
    OUTCOME_CODES,
    PHASE_CODES,
    PUBLIC_STATE_CODES,
    StoredExecution,
    details_of,
    details_text,
    policy_text,
    tags_text,
)
from flowfabric.stores._shared.encoding import execution_of as _execution_of
from flowfabric.stores.sqlite.connection import is_undecodable

Key = tuple[int, bytes]
Row = tuple[Any, ...]

_STORED: Final = msgspec.json.Decoder(list[StoredExecution])


def stored_executions(
    connection: sqlite3.Connection, statement: str, values: Sequence[object]
) -> list[StoredExecution]:
    """The rows of a statement that answers with one JSON array of them."""
    try:
        return _STORED.decode(connection.execute(statement, values).fetchone()[0])
    except sqlite3.OperationalError as error:
        if not is_undecodable(error):
            raise
    # One text that is not UTF-8 spoils the whole array: read it again with the damage marked by what no text may hold.
    connection.text_factory = _marking_damage
    try:
        rows = _STORED.decode(connection.execute(statement, values).fetchone()[0])
    finally:
        connection.text_factory = str
    for row in rows:
        row.damaged = next((column for column in _TEXTS if "\0" in (getattr(row, column) or "")), None)
    return rows


def _marking_damage(data: bytes) -> str:
    return data.decode("utf-8", "flowfabric_damage")


def _mark(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "\\u0000", error.end


codecs.register_error("flowfabric_damage", _mark)
_TEXTS: Final = [field.name for field in msgspec.structs.fields(StoredExecution) if field.type in (str, str | None)]


@lru_cache(maxsize=16_384)
def key_of(execution_id: ExecutionId) -> Key:
    """An id as the two columns it is stored in."""
    return partition_in(execution_id), bytes.fromhex(uuid_in(execution_id).replace("-", ""))


def id_of(partition: int, uuid: bytes) -> ExecutionId:
    """The id that two columns spell."""
    return make_execution_id(partition, uuid_from_hex(uuid.hex()))


def uuid_bytes(uuid: str | None) -> bytes | None:
    """A flow id as it is stored."""
    return None if uuid is None else bytes.fromhex(uuid.replace("-", ""))


def born_row_of(x: Execution, capability_set: int) -> Row:
    """A new execution as a row for insert_executions."""
    due = due_of(x)
    return (
        *key_of(x.execution_id),
        x.namespace,
        x.lane,
        uuid_bytes(x.flow_id),
        x.kind,
        capability_set,
        policy_text(x.policy),
        x.idempotency_key,
        x.created_at_ms,
        tags_text(x.tags),
        ELIGIBILITY_CODES[x.eligibility_state],
        PUBLIC_STATE_CODES[x.public_state],
        x.priority,
        x.ready_at_ms,
        None if due is None else DUE_KIND_CODES[due.kind],
        None if due is None else due.due_at_ms,
        x.delay_until_ms,
        x.deadline_at_ms,
    )


def hot_row_of(x: Execution) -> Row:
    """An execution as a row for update_hot_columns."""
    due = due_of(x)
    return (
        *key_of(x.execution_id),
        PHASE_CODES[x.lifecycle_phase],
        ELIGIBILITY_CODES[x.eligibility_state],
        ATTEMPT_STATE_CODES[x.attempt_state],
        OUTCOME_CODES[x.terminal_outcome],
        PUBLIC_STATE_CODES[x.public_state],
        x.attempt_index,
        x.lease_epoch,
        x.event_seq,
        None if due is None else DUE_KIND_CODES[due.kind],
        None if due is None else due.due_at_ms,
        x.worker_id,
        x.worker_instance_id,
        x.lease_ttl_ms,
        x.lease_expires_at_ms,
        x.attempt_started_at_ms,
        x.started_at_ms,
        x.terminal_at_ms,
    )


def row_of(x: Execution) -> Row:
    """An execution as a row for update_executions."""
    return (
        *hot_row_of(x),
        tags_text(x.tags),
        x.priority,
        x.retry_count,
        x.interruption_count,
        x.replay_count,
        x.ready_at_ms,
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
    if len(row.execution_id) != 32 or not 0 <= row.partition_key < PARTITIONS:
        raise Corruption(
            f"ff_exec_core, key {row.partition_key}, x'{row.execution_id}': column execution_id or partition_key is "
            "no part of an id. Repair or delete the row; no other execution is affected."
        )
    if len(row.flow_id) not in (0, 32):
        row.damaged = "flow_id"
    return _execution_of(
        row,
        make_execution_id(row.partition_key, uuid_from_hex(row.execution_id.lower())),
        uuid_from_hex(row.flow_id.lower()) if row.flow_id else None,
        capabilities,
    )


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
        None if attempt.outcome is None else ATTEMPT_OUTCOME_CODES[attempt.outcome],
    )


def attempt_of(execution_id: ExecutionId, row: Row) -> Attempt:
    """The attempt that a row of load_attempts spells."""
    index, epoch, worker, instance, started_at_ms, terminal_at_ms, outcome = row
    if outcome is not None and not 0 <= outcome < len(ATTEMPT_OUTCOMES):
        raise Corruption(
            f"ff_attempt, key {execution_id}, attempt {index}: column outcome does not parse ({outcome}). "
            "Repair or delete the row."
        )
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
        details_text(event.details),
        event.occurred_at_ms,
    )


def event_of(row: Row) -> Event:
    """The event that a row of read_events spells."""
    event_id, channel, event_type, namespace, partition, uuid, flow, seq, details, at = row
    if not 0 <= channel < len(CHANNELS):
        raise _damaged_event(event_id, "channel", str(channel))
    try:
        known_details = details_of(details)
    except msgspec.MsgspecError as error:
        raise _damaged_event(event_id, "details", str(error)) from error
    return Event(
        event_id,
        CHANNELS[channel],
        event_type,
        namespace,
        None if uuid is None else id_of(partition, uuid),
        None if flow is None else uuid_from_hex(flow.hex()),
        seq,
        known_details,
        at,
    )


def _damaged_event(event_id: int, column: str, finding: str) -> Corruption:
    return Corruption(
        f"ff_event, key {event_id}: column {column} does not parse ({finding}). Repair or delete the row."
    )


def due_position(due: Due | None) -> Row:
    """Where find_due goes on."""
    return (-1, -1, b"") if due is None else (due.due_at_ms, *key_of(due.execution_id))
