"""Records as arrays for PostgreSQL, and rows as records.

Arrays go over as text literals: one string per column and batch costs a tenth of what a driver needs for a list.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from flowfabric.domain.batch_io import Generation, KeyInNamespace, StepKey
from flowfabric.domain.counting import Move
from flowfabric.domain.errors import Corruption
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Due, Execution, FailedAttempt, IdempotencyKey, Ready
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, make_execution_id, partition_in, uuid_in
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.remembered_answers import RememberedAnswer
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.states import ATTEMPT_OUTCOMES, CHANNELS
from flowfabric.domain.steps import Step
from flowfabric.domain.workers import Worker
from flowfabric.stores._shared.capability_sets import tokens_of_place
from flowfabric.stores._shared.counts import count_move_row_of
from flowfabric.stores._shared.encoding import (
    ATTEMPT_OUTCOME_CODES,
    ATTEMPT_STATE_CODES,
    CHANNEL_CODES,
    DUE_KIND_CODES,
    ELIGIBILITY_CODES,
    OUTCOME_CODES,
    PHASE_CODES,
    PUBLIC_STATE_CODES,
    STEPS_RULE_CODES,
    StoredExecution,
    details_of,
    details_text,
    execution_of,
    key_partition,
    policy_text,
    tags_text,
)
from flowfabric.stores._shared.schedules import SCHEDULE_COLUMNS, schedule_row_of
from flowfabric.stores._shared.waiting import child_place_text, inbox_text, waiting_since_ms
from flowfabric.stores._shared.workers import worker_row_of

Row = tuple[Any, ...]
Arrays = dict[str, str]

EXECUTION_COLUMNS: Final = 48


def numbers(values: Iterable[int | None]) -> str:
    """An array of integers; also of uuids, which need no quotes either."""
    return "{" + ",".join(["NULL" if value is None else str(value) for value in values]) + "}"


def words(values: Iterable[str | None]) -> str:
    """An array of ids that hold nothing to quote."""
    return "{" + ",".join(["NULL" if value is None else value for value in values]) + "}"


def texts(values: Iterable[str | None]) -> str:
    """An array of any texts."""
    return "{" + ",".join(["NULL" if value is None else _quoted(value) for value in values]) + "}"


def blobs(values: Iterable[bytes | None]) -> str:
    """An array of bytes."""
    return "{" + ",".join(["NULL" if value is None else '"\\\\x' + value.hex() + '"' for value in values]) + "}"


ARRAY_OF: Final[dict[type, Callable[[Iterable[Any]], str]]] = {str: texts, int: numbers, bytes: blobs}
"""How an array of values of a type is written."""


def _quoted(text: str) -> str:
    if "\\" in text or '"' in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def keys(execution_ids: Iterable[ExecutionId]) -> Arrays:
    """The two key columns."""
    ids = list(execution_ids)
    return {"partition_key": numbers(map(partition_in, ids)), "execution_id": words(map(uuid_in, ids))}


def lives(of: Iterable[Generation]) -> Arrays:
    """The three key columns of results."""
    all_of_them = list(of)
    return {**keys(key for key, _ in all_of_them), "generation": numbers(count for _, count in all_of_them)}


def lock_order(execution_id: ExecutionId) -> tuple[int, str]:
    """Where an execution stands in the order in which rows are locked."""
    return partition_in(execution_id), uuid_in(execution_id)


def born(xs: Sequence[Execution], capability_set: Callable[[Execution], int]) -> Arrays:
    """The columns of new executions."""
    return {
        **keys(x.execution_id for x in xs),
        "namespace": texts([x.namespace for x in xs]),
        "lane_id": texts([x.lane for x in xs]),
        "flow_id": words([x.flow_id for x in xs]),
        "execution_kind": texts([x.kind for x in xs]),
        "capability_set": numbers([capability_set(x) for x in xs]),
        "policy": texts([policy_text(x.policy) for x in xs]),
        "idempotency_key": texts([x.idempotency_key for x in xs]),
        "created_at_ms": numbers([x.created_at_ms for x in xs]),
        "tags": texts([tags_text(x.tags) for x in xs]),
        "eligibility_state": numbers([ELIGIBILITY_CODES[x.eligibility_state] for x in xs]),
        "public_state": numbers([PUBLIC_STATE_CODES[x.public_state] for x in xs]),
        "priority": numbers([x.priority for x in xs]),
        "ready_at_ms": numbers([x.ready_at_ms for x in xs]),
        "delay_until_ms": numbers([x.delay_until_ms for x in xs]),
        "deadline_at_ms": numbers([x.deadline_at_ms for x in xs]),
        "lease_era": numbers([x.lease_era for x in xs]),
        "node": texts([x.node for x in xs]),
        "parent_id": words([None if x.parent_id is None else uuid_in(x.parent_id) for x in xs]),
        "child_place": texts([child_place_text(x.child_place) for x in xs]),
        "created_by": texts([x.created_by for x in xs]),
    }


def eligibility_columns(xs: Sequence[Execution]) -> Arrays:
    """Whether executions may be claimed, as callers see it, too."""
    return {
        "eligibility_state": numbers([ELIGIBILITY_CODES[x.eligibility_state] for x in xs]),
        "public_state": numbers([PUBLIC_STATE_CODES[x.public_state] for x in xs]),
    }


def hot_columns(xs: Sequence[Execution]) -> Arrays:
    """The columns that a claim, a renewal, a completion and a satisfied join change."""
    return {
        **eligibility_columns(xs),
        "lifecycle_phase": numbers([PHASE_CODES[x.lifecycle_phase] for x in xs]),
        "attempt_state": numbers([ATTEMPT_STATE_CODES[x.attempt_state] for x in xs]),
        "terminal_outcome": numbers([OUTCOME_CODES[x.terminal_outcome] for x in xs]),
        "attempt_index": numbers([x.attempt_index for x in xs]),
        "lease_epoch": numbers([x.lease_epoch for x in xs]),
        "event_seq": numbers([x.event_seq for x in xs]),
        "worker_id": texts([x.worker_id for x in xs]),
        "worker_instance_id": texts([x.worker_instance_id for x in xs]),
        "lease_ttl_ms": numbers([x.lease_ttl_ms for x in xs]),
        "lease_expires_at_ms": numbers([x.lease_expires_at_ms for x in xs]),
        "attempt_started_at_ms": numbers([x.attempt_started_at_ms for x in xs]),
        "started_at_ms": numbers([x.started_at_ms for x in xs]),
        "terminal_at_ms": numbers([x.terminal_at_ms for x in xs]),
        "ready_at_ms": numbers([x.ready_at_ms for x in xs]),
        "lease_mark": texts([x.lease_mark for x in xs]),
        "lease_era": numbers([x.lease_era for x in xs]),
    }


def cold_columns(xs: Sequence[Execution]) -> Arrays:
    """The columns that change rarely."""
    return {
        "tags": texts([tags_text(x.tags) for x in xs]),
        "priority": numbers([x.priority for x in xs]),
        "retry_count": numbers([x.retry_count for x in xs]),
        "interruption_count": numbers([x.interruption_count for x in xs]),
        "replay_count": numbers([x.replay_count for x in xs]),
        "delay_until_ms": numbers([x.delay_until_ms for x in xs]),
        "deadline_at_ms": numbers([x.deadline_at_ms for x in xs]),
        "cancellation_reason": texts([x.cancellation_reason for x in xs]),
        "cancelled_by": texts([x.cancelled_by for x in xs]),
        "failure_code": texts([x.failure_code for x in xs]),
        "failure_message": texts([x.failure_message for x in xs]),
        "progress_percent": numbers([x.progress_percent for x in xs]),
        "progress_message": texts([x.progress_message for x in xs]),
        "unsettled": numbers([int(x.unsettled) for x in xs]),
        "coming_back": numbers([None if x.coming_back is None else STEPS_RULE_CODES[x.coming_back] for x in xs]),
    }


def waiting_columns(xs: Sequence[Execution]) -> Arrays:
    """The columns that say what executions wait for."""
    return {
        "inbox": texts([inbox_text(x.inbox) for x in xs]),
        "waiting_since_ms": numbers([waiting_since_ms(x) for x in xs]),
    }


def execution_in(row: Row, capabilities: tuple[str, ...]) -> Execution:
    """The execution that the first columns of a row spell."""
    stored = StoredExecution(*row[:EXECUTION_COLUMNS])
    return execution_of(stored, make_execution_id(row[0], row[1]), row[4], capabilities)


def attempts(rows: Sequence[Attempt]) -> Arrays:
    """Every column of ff_attempt."""
    return {
        **keys(attempt.execution_id for attempt in rows),
        "attempt_index": numbers([attempt.attempt_index for attempt in rows]),
        "lease_epoch": numbers([attempt.lease_epoch for attempt in rows]),
        "worker_id": texts([attempt.worker_id for attempt in rows]),
        "worker_instance_id": texts([attempt.worker_instance_id for attempt in rows]),
        "started_at_ms": numbers([attempt.started_at_ms for attempt in rows]),
        "terminal_at_ms": numbers([attempt.terminal_at_ms for attempt in rows]),
        "outcome": numbers(
            [None if attempt.outcome is None else ATTEMPT_OUTCOME_CODES[attempt.outcome] for attempt in rows]
        ),
    }


def attempt_in(execution_id: ExecutionId, row: Row) -> Attempt:
    """The attempt that a row of read_attempts spells."""
    index, epoch, worker, instance, started_at_ms, terminal_at_ms, outcome = row
    if outcome is not None and not 0 <= outcome < len(ATTEMPT_OUTCOMES):
        raise Corruption(
            f"ff_attempt, key {execution_id}, attempt {index}: column outcome does not parse ({outcome}). "
            "Repair or delete the row."
        )
    ended = None if outcome is None else ATTEMPT_OUTCOMES[outcome]
    return Attempt(execution_id, index, epoch, worker, instance, started_at_ms, terminal_at_ms, ended)


def failures(rows: Sequence[FailedAttempt]) -> Arrays:
    """Every column of ff_failure."""
    return {
        **keys(failure.execution_id for failure in rows),
        "attempt_index": numbers([failure.attempt_index for failure in rows]),
        "lease_epoch": numbers([failure.lease_epoch for failure in rows]),
        "failure_code": texts([failure.code for failure in rows]),
        "message": texts([failure.message for failure in rows]),
        "traceback": texts([failure.traceback for failure in rows]),
    }


def events(rows: Sequence[Event]) -> Arrays:
    """Every column of ff_event, except those that the database fills in."""
    of = [None if event.execution_id is None else ExecutionId(event.execution_id) for event in rows]
    return {
        "channel": numbers([CHANNEL_CODES[event.channel] for event in rows]),
        "event_type": words([event.event_type for event in rows]),
        "namespace": texts([event.namespace for event in rows]),
        "partition_key": numbers(
            [
                flow_partition(FlowId(event.flow_id or "")) if key is None else partition_in(key)
                for event, key in zip(rows, of, strict=True)
            ]
        ),
        "execution_id": words([None if key is None else uuid_in(key) for key in of]),
        "flow_id": words([event.flow_id for event in rows]),
        "seq": numbers([event.seq for event in rows]),
        "details": texts([details_text(event.details) for event in rows]),
        "occurred_at_ms": numbers([event.occurred_at_ms for event in rows]),
    }


def event_in(row: Row) -> Event:
    """The event that a row of read_events spells."""
    event_id, channel, event_type, namespace, partition, uuid, flow_id, seq, details, at = row
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
        None if uuid is None else make_execution_id(partition, uuid),
        flow_id,
        seq,
        known_details,
        at,
    )


def _damaged_event(event_id: int, column: str, finding: str) -> Corruption:
    return Corruption(
        f"ff_event, key {event_id}: column {column} does not parse ({finding}). "
        "Repair the row; readers of the log wait there until then."
    )


def ready_rows(rows: Sequence[Ready], capability_set: Callable[[tuple[str, ...]], int]) -> Arrays:
    """Every column of ff_ready."""
    return {
        **keys(ready.execution_id for ready in rows),
        "namespace": texts([ready.namespace for ready in rows]),
        "lane_id": texts([ready.lane for ready in rows]),
        "capability_set": numbers([capability_set(tokens_of_place(ready)) for ready in rows]),
        "rank": numbers([-ready.priority for ready in rows]),
        "turn": numbers([ready.turn for ready in rows]),
        "ready_at_ms": numbers([ready.ready_at_ms for ready in rows]),
    }


def due_rows(rows: Sequence[Due]) -> Arrays:
    """Every column of ff_due."""
    return {**ends_of_leases(rows), "due_kind": numbers([DUE_KIND_CODES[due.kind] for due in rows])}


def ends_of_leases(rows: Sequence[Due]) -> Arrays:
    """What a sheet in ff_lease_sheet holds."""
    return {**keys(due.execution_id for due in rows), "due_at_ms": numbers([due.due_at_ms for due in rows])}


def step_keys(keys_of_steps: Iterable[StepKey]) -> Arrays:
    """The key columns of ff_step."""
    wanted = list(keys_of_steps)
    return {**keys(key for key, _ in wanted), "name": texts(name for _, name in wanted)}


def steps(rows: Sequence[Step]) -> Arrays:
    """Every column of ff_step."""
    return {
        **step_keys((step.execution_id, step.name) for step in rows),
        "fingerprint": blobs(step.fingerprint for step in rows),
        "result": blobs(step.result for step in rows),
        "attempt_index": numbers(step.attempt_index for step in rows),
        "recorded_at_ms": numbers(step.recorded_at_ms for step in rows),
        "number": numbers(step.number for step in rows),
        "is_wait": numbers(int(step.is_wait) for step in rows),
        "tries": numbers(step.tries for step in rows),
        "lease_epoch": numbers(step.lease_epoch for step in rows),
    }


def step_in(row: Row) -> Step:
    """The step that a row of ff_step spells."""
    partition, uuid, name, fingerprint, result, attempt_index, recorded_at_ms, number, is_wait, tries, lease_epoch = row
    return Step(
        make_execution_id(partition, uuid),
        name,
        fingerprint,
        result,
        attempt_index,
        recorded_at_ms,
        number,
        bool(is_wait),
        tries,
        lease_epoch,
    )


def workers(rows: Sequence[Worker]) -> Arrays:
    """Every column of ff_worker."""
    columns = list(zip(*map(worker_row_of, rows), strict=True))
    texts_of = ("namespace", "worker_instance_id", "worker_id", "host")
    return {
        **{name: texts(columns[at]) for at, name in enumerate(texts_of)},
        "pid": numbers(columns[4]),
        "lanes": texts(columns[5]),
        "capabilities": texts(columns[6]),
        "version": texts(columns[7]),
        "started_at_ms": numbers(columns[8]),
        "seen_at_ms": numbers(columns[9]),
        "alive_until_ms": numbers(columns[10]),
    }


def idempotency_keys(keys: Sequence[KeyInNamespace]) -> Arrays:
    """The key columns of ff_idempotency."""
    return {
        "partition_key": numbers(key_partition(*key) for key in keys),
        "namespace": texts(namespace for namespace, _ in keys),
        "idempotency_key": texts(key for _, key in keys),
    }


def promises(promised: Sequence[IdempotencyKey]) -> Arrays:
    """Every column of ff_idempotency."""
    return {
        **idempotency_keys([(row.namespace, row.key) for row in promised]),
        "execution_partition": numbers(partition_in(row.execution_id) for row in promised),
        "execution_id": words(uuid_in(row.execution_id) for row in promised),
        "fingerprint": blobs(row.fingerprint for row in promised),
        "expires_at_ms": numbers(row.expires_at_ms for row in promised),
    }


def lanes(switches: Sequence[LaneState]) -> Arrays:
    """Every column of ff_lane."""
    return {
        **lane_keys([(switch.namespace, switch.lane) for switch in switches]),
        "paused_at_ms": numbers(switch.paused_at_ms for switch in switches),
        "reason": texts(switch.reason for switch in switches),
        "event_seq": numbers(switch.event_seq for switch in switches),
    }


def lane_keys(keys: Sequence[KeyInNamespace]) -> Arrays:
    """The key columns of ff_lane."""
    return {"namespace": texts(namespace for namespace, _ in keys), "lane_id": texts(lane for _, lane in keys)}


def worker_keys(keys: Sequence[KeyInNamespace]) -> Arrays:
    """The key columns of ff_worker."""
    return {
        "namespace": texts(namespace for namespace, _ in keys),
        "worker_instance_id": texts(name for _, name in keys),
    }


def answer_keys(keys: Sequence[KeyInNamespace]) -> Arrays:
    """The key columns of ff_command."""
    return {"scope": texts(scope for scope, _ in keys), "command_id": texts(name for _, name in keys)}


def answers(kept: Sequence[RememberedAnswer]) -> Arrays:
    """Every column of ff_command."""
    return {
        **answer_keys([(row.scope, row.command_id) for row in kept]),
        "fingerprint": blobs(row.fingerprint for row in kept),
        "answer": blobs(row.answer for row in kept),
        "expires_at_ms": numbers(row.expires_at_ms for row in kept),
    }


def schedule_keys(names: Sequence[KeyInNamespace]) -> Arrays:
    """The key columns of ff_schedule."""
    return {"namespace": texts(namespace for namespace, _ in names), "name": texts(name for _, name in names)}


def schedules(rows: Sequence[Schedule]) -> Arrays:
    """Every column of ff_schedule."""
    columns = zip(*map(schedule_row_of, rows), strict=True)
    return {name: ARRAY_OF[kind](values) for (name, kind), values in zip(SCHEDULE_COLUMNS, columns, strict=True)}


def count_moves(moved: Sequence[tuple[Move, int]], *, minute: int) -> Arrays:
    """Every column of ff_count_move. `minute`: the one in which the batch is decided."""
    columns = zip(*(count_move_row_of(*each, minute) for each in moved), strict=True)
    number, ended, stood, stands, namespace, lane_id, kind = columns
    return {
        "number": numbers(number),
        "minute": numbers(ended),
        "stood": numbers(stood),
        "stands": numbers(stands),
        "namespace": texts(namespace),
        "lane_id": texts(lane_id),
        "kind": texts(kind),
    }
