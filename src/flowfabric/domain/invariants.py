"""What must hold after every batch, and for a store at rest: one small function each, which names what is broken.

Tests, stories and the simulator use them; no rule depends on them. `life` compares executions with their events.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from flowfabric.domain.access_invariants import access_violations
from flowfabric.domain.batch_io import Changes
from flowfabric.domain.child_invariants import family_violations, family_violations_at_rest
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Execution, IdempotencyKey, due_of
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, Flow, PendingAck
from flowfabric.domain.flow_invariants import flow_violations
from flowfabric.domain.flows_at_rest import flow_violations_at_rest
from flowfabric.domain.gate_invariants import gate_violations
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.inputs import PRIORITY_MAX
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.life import (
    Life,
    lease_epochs_ascend,
    life_of,
    log_leads_to_the_record,
    one_ending_per_generation,
)
from flowfabric.domain.states import STATE_VECTORS, AttemptState, TerminalOutcome
from flowfabric.domain.steps import Step
from flowfabric.domain.stream_invariants import stream_violations, stream_violations_at_rest
from flowfabric.domain.streams import Chunk, Stream
from flowfabric.domain.summaries import StoredSummary
from flowfabric.domain.wait_invariants import inbox_violations, wait_violations, wait_violations_at_rest
from flowfabric.domain.waiting import StoredSignal, StoredWaitpoint


class Contents(msgspec.Struct, frozen=True):
    """Everything a store holds at one moment, as values."""

    executions: Sequence[Execution]
    attempts: Sequence[Attempt]
    events: Sequence[Event]
    """In log order."""
    with_result: Collection[str]
    """The ids of the executions that have a result."""
    idempotency_keys: Sequence[IdempotencyKey] = ()
    flows: Sequence[Flow] = ()
    edges: Sequence[Edge] = ()
    groups: Sequence[EdgeGroup] = ()
    backlogs: Sequence[CancelBacklog] = ()
    acks: Sequence[PendingAck] = ()
    switches: Sequence[LaneState] = ()
    steps: Sequence[Step] = ()
    waitpoints: Sequence[StoredWaitpoint] = ()
    signals: Sequence[StoredSignal] = ()
    streams: Sequence[Stream] = ()
    chunks: Sequence[Chunk] = ()
    """In the order of their positions."""
    summaries: Sequence[StoredSummary] = ()


def violations(changes: Changes, now_ms: int, *, may_purge: bool = False) -> list[str]:
    """What one batch broke. Empty: nothing. Without `may_purge`, ended executions may be removed by retention only."""
    return list(_violations(changes, now_ms, may_purge))


def violations_at_rest(contents: Contents, now_ms: int) -> list[str]:
    """What is broken in a store that nobody is writing to. Empty: nothing."""
    return list(_violations_at_rest(contents, now_ms))


def _violations(changes: Changes, now_ms: int, may_purge: bool) -> Iterator[str]:
    events = _by_execution(changes.events)
    kept = {after.execution_id for _, after in changes.executions if after is not None}
    yield from _events_have_a_record(events, kept)
    for before, after in changes.executions:
        if after is None:
            yield from _only_what_has_ended_goes(before, now_ms, may_purge)
            continue
        happened = events.get(after.execution_id, [])
        yield from record_violations(after)
        if before is None:
            yield from log_leads_to_the_record(Life(), happened, after)
        else:
            yield from _identity_is_kept(before, after)
            yield from _epoch_only_grows(before, after)
            yield from _what_ended_is_frozen(before, after, changes)
            yield from _renewal_neither_revives_nor_shortens(before, after, now_ms)
            yield from _no_early_take_over(before, happened, now_ms)
            yield from log_leads_to_the_record(life_of(before), happened, after)
    yield from _results_belong_to_success(changes)
    yield from _attempts_have_a_record(changes.attempts.values(), kept)
    yield from flow_violations(changes, now_ms, may_purge)
    yield from wait_violations(changes)
    yield from stream_violations(changes)
    yield from access_violations(changes, now_ms)


def _violations_at_rest(contents: Contents, now_ms: int) -> Iterator[str]:
    executions = {x.execution_id: x for x in contents.executions}
    events = _by_execution(contents.events)
    attempts: dict[ExecutionId, list[Attempt]] = {}
    for attempt in contents.attempts:
        attempts.setdefault(attempt.execution_id, []).append(attempt)
    yield from _one_record_per_id(contents.executions)
    yield from _event_ids_ascend(contents.events)
    yield from _events_have_a_record(events, executions)
    yield from _attempts_have_a_record(contents.attempts, executions)
    for x in contents.executions:
        happened = events.get(x.execution_id, [])
        yield from record_violations(x)
        yield from log_leads_to_the_record(Life(), happened, x)
        yield from lease_epochs_ascend(happened)
        yield from one_ending_per_generation(happened)
        yield from _attempts_match_the_runs(attempts.get(x.execution_id, []), x)
        if x.execution_id in contents.with_result and x.terminal_outcome != "success":
            yield f"{x.execution_id} is {x.public_state} and has a result"
    yield from _keys_mean_their_executions(contents.idempotency_keys, executions, now_ms)
    yield from flow_violations_at_rest(contents)
    yield from wait_violations_at_rest(executions, contents.steps, contents.waitpoints, contents.signals)
    yield from stream_violations_at_rest(
        executions, events, contents.steps, contents.streams, contents.chunks, contents.summaries
    )
    yield from family_violations_at_rest(executions)
    yield from _log_leads_to_lane_states(contents.events, contents.switches)


# ── one record ───────────────────────────────────────────────────────────────────────────────────


def record_violations(x: Execution) -> Iterator[str]:
    """What is wrong with one record by itself."""
    yield from _state_vector_is_legal(x)
    yield from _leased_exactly_while_active(x)
    yield from _a_delay_has_its_instant(x)
    yield from _an_end_is_complete(x)
    yield from _budgets_hold(x)
    yield from _counters_fit(x)
    yield from inbox_violations(x)
    yield from family_violations(x)
    yield from gate_violations(x)


def _state_vector_is_legal(x: Execution) -> Iterator[str]:
    vector = (x.lifecycle_phase, x.eligibility_state, x.attempt_state, x.terminal_outcome)
    if vector not in STATE_VECTORS:
        yield f"{x.execution_id} is in no legal state: {' / '.join(vector)}"


def _leased_exactly_while_active(x: Execution) -> Iterator[str]:
    lease = (x.worker_id, x.worker_instance_id, x.lease_ttl_ms, x.lease_expires_at_ms, x.attempt_started_at_ms)
    if x.lifecycle_phase == "active" and None in lease:
        yield f"{x.execution_id} is active without a whole lease: {lease}"
    if x.lifecycle_phase != "active" and lease != (None,) * len(lease):
        yield f"{x.execution_id} is {x.public_state} and still leased: {lease}"


def _a_delay_has_its_instant(x: Execution) -> Iterator[str]:
    if x.eligibility_state == "not_eligible_until_time" and x.delay_until_ms is None:
        yield f"{x.execution_id} is delayed until no instant"
    waits = x.eligibility_state in ("not_eligible_until_time", "blocked_by_operator", "blocked_by_dependencies")
    if x.delay_until_ms is not None and not waits:
        yield f"{x.execution_id} is {x.public_state} and keeps the delay of another state"


def _an_end_is_complete(x: Execution) -> Iterator[str]:
    if x.has_ended != (x.terminal_at_ms is not None):
        yield f"{x.execution_id} is {x.public_state} and terminal_at_ms is {x.terminal_at_ms}"
    cancelled = x.terminal_outcome == "cancelled"
    if (x.cancelled_by is not None, x.cancellation_reason is not None) != (cancelled, cancelled):
        yield f"{x.execution_id} is {x.public_state}, cancelled by {x.cancelled_by!r}: {x.cancellation_reason!r}"
    if x.terminal_outcome == "failed" and x.failure_code is None:
        yield f"{x.execution_id} failed without a cause"
    if x.terminal_outcome == "success" and (x.failure_code, x.failure_message) != (None, None):
        yield f"{x.execution_id} completed and still shows a failure: {x.failure_code}"
    has_kin = x.flow_id is not None or x.parent_id is not None or x.has_children
    if x.unsettled and not (has_kin and x.has_ended):
        yield f"{x.execution_id} is {x.public_state} and has an end to pass on"
    if x.coming_back is not None and (x.flow_id is None or not x.has_ended):
        yield f"{x.execution_id} is {x.public_state} and is coming back"


def _budgets_hold(x: Execution) -> Iterator[str]:
    if x.retry_count > x.policy.retry.max_retries:
        yield f"{x.execution_id} was retried {x.retry_count} times of {x.policy.retry.max_retries}"
    lost = x.interruption_count > x.policy.max_interruptions
    if lost and x.terminal_outcome == "none":
        yield f"{x.execution_id} lives on after {x.interruption_count} interruptions"
    if x.policy.max_replays is not None and x.replay_count > x.policy.max_replays:
        yield f"{x.execution_id} was replayed {x.replay_count} times of {x.policy.max_replays}"


def _counters_fit(x: Execution) -> Iterator[str]:
    if not 0 <= x.priority <= PRIORITY_MAX:
        yield f"{x.execution_id} has priority {x.priority}"
    claims = 0 if x.started_at_ms is None else x.attempt_index + 1
    if x.lease_epoch < claims + x.replay_count:
        yield f"{x.execution_id} had {claims} attempts and {x.replay_count} replays by epoch {x.lease_epoch}"
    if x.started_at_ms is None and x.attempt_index != 0:
        yield f"{x.execution_id} never ran and is at attempt {x.attempt_index}"


# ── one record before and after a batch ──────────────────────────────────────────────────────────


def _identity_is_kept(before: Execution, after: Execution) -> Iterator[str]:
    for field in (
        "execution_id",
        "namespace",
        "lane",
        "flow_id",
        "kind",
        "required_capabilities",
        "policy",
        "idempotency_key",
        "created_at_ms",
        "node",
        "parent_id",
        "child_place",
        "created_by",
    ):
        if getattr(before, field) != getattr(after, field):
            yield f"{before.execution_id} changed its {field}"


def _epoch_only_grows(before: Execution, after: Execution) -> Iterator[str]:
    if after.lease_epoch < before.lease_epoch:
        yield f"{after.execution_id} went back from epoch {before.lease_epoch} to {after.lease_epoch}"
    took = after.lifecycle_phase == "active" and (
        before.lifecycle_phase != "active" or before.worker_instance_id != after.worker_instance_id
    )
    if took and after.lease_epoch == before.lease_epoch:
        yield f"{after.execution_id} was leased again under epoch {after.lease_epoch}"


def _what_ended_is_frozen(before: Execution, after: Execution, changes: Changes) -> Iterator[str]:
    if not before.has_ended or after.replay_count != before.replay_count:
        return
    marks = {"tags": before.tags, "unsettled": before.unsettled, "coming_back": before.coming_back}
    if msgspec.structs.replace(after, **marks) != before:
        yield f"{after.execution_id} changed after it had ended"
    if (after.execution_id, after.replay_count) in changes.results:
        yield f"{after.execution_id} got another result after it had ended"


def _renewal_neither_revives_nor_shortens(before: Execution, after: Execution, now_ms: int) -> Iterator[str]:
    if before.lease_expires_at_ms is None or after.lease_expires_at_ms is None:
        return
    if before.lease_epoch != after.lease_epoch:
        return
    if after.lease_expires_at_ms < before.lease_expires_at_ms:
        yield f"{after.execution_id}: renewing shortened the lease"
    if after.lease_expires_at_ms > before.lease_expires_at_ms and before.lease_expires_at_ms <= now_ms:
        yield f"{after.execution_id}: renewing revived a lease that was over"


def _no_early_take_over(before: Execution, happened: Sequence[Event], now_ms: int) -> Iterator[str]:
    if before.lease_expires_at_ms is None or before.lease_expires_at_ms <= now_ms:
        return
    first_of_lease = next((event for event in happened if event.channel == "lease"), None)
    if first_of_lease is not None and first_of_lease.event_type == "expired":
        yield f"{before.execution_id}: a live lease was taken for expired"


def _only_what_has_ended_goes(before: Execution | None, now_ms: int, may_purge: bool) -> Iterator[str]:
    if before is None:
        return  # it was made and removed within the batch
    if not before.has_ended:
        yield f"{before.execution_id} is gone while it was {before.public_state}"
    if may_purge:
        return
    if before.policy.retention_ms is None:
        yield f"{before.execution_id} is gone, and its policy keeps it for good"
    due = due_of(before)
    if before.has_ended and due is not None and due.due_at_ms > now_ms:
        yield f"{before.execution_id} is gone {due.due_at_ms - now_ms} ms too early"


def _by_execution(events: Iterable[Event]) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for event in events:
        if event.execution_id is not None:
            found.setdefault(event.execution_id, []).append(event)
    return found


# ── what the events of lanes show ────────────────────────────────────────────────────────────────


def _log_leads_to_lane_states(events: Iterable[Event], switches: Iterable[LaneState]) -> Iterator[str]:
    """A lane is paused and resumed in turns, with one event each, and its record is what the last event says."""
    by_log: dict[tuple[str, object], LaneState] = {}
    for event in events:
        if event.event_type not in ("lane_paused", "lane_resumed"):
            continue
        key = (event.namespace, event.details["lane"])
        switch = by_log.get(key, LaneState(event.namespace, str(event.details["lane"])))
        pauses = event.event_type == "lane_paused"
        if event.seq != switch.event_seq + 1 or pauses == switch.is_paused:
            yield f"{event} does not follow {switch}"
        by_log[key] = LaneState(
            switch.namespace,
            switch.lane,
            event.occurred_at_ms if pauses else None,
            str(event.details["reason"]) if pauses else "",
            event.seq,
        )
    by_record = {(switch.namespace, switch.lane): switch for switch in switches}
    if by_log != by_record:
        yield f"by their events lanes are {by_log}, by their records {by_record}"


# ── what belongs to a record ─────────────────────────────────────────────────────────────────────


def _one_record_per_id(executions: Sequence[Execution]) -> Iterator[str]:
    if len({x.execution_id for x in executions}) != len(executions):
        yield "two records share an execution id"


def _event_ids_ascend(events: Sequence[Event]) -> Iterator[str]:
    for earlier, later in pairwise(events):
        if later.event_id <= earlier.event_id:
            yield f"event {later.event_id} comes after event {earlier.event_id} in the log"


def _events_have_a_record(events: Iterable[str], known: Collection[str]) -> Iterator[str]:
    for execution_id in events:
        if execution_id not in known:
            yield f"{execution_id} has events and no record"


def _attempts_have_a_record(attempts: Iterable[Attempt], known: Collection[str]) -> Iterator[str]:
    for attempt in attempts:
        if attempt.execution_id not in known:
            yield f"{attempt.execution_id} has an attempt {attempt.attempt_index} and no record"


def _results_belong_to_success(changes: Changes) -> Iterator[str]:
    kept = {after.execution_id: after for _, after in changes.executions if after is not None}
    for (execution_id, generation), result in changes.results.items():
        x = kept.get(execution_id)
        # The result of an earlier life may stay for the executions that have received it.
        completed = x is not None and (x.terminal_outcome == "success" or x.replay_count > generation)
        if result is not None and not completed:
            yield f"{execution_id} got a result and did not complete"


def _attempts_match_the_runs(attempts: Sequence[Attempt], x: Execution) -> Iterator[str]:
    """There is one row per ended attempt, each with its own epoch, and the last row fits the execution's end."""
    rows = {attempt.attempt_index: attempt for attempt in attempts}
    for index in range(x.attempt_index):
        if index not in rows or rows[index].outcome is None:
            yield f"{x.execution_id}: attempt {index} is over and has no outcome"
    if any(index > x.attempt_index for index in rows):
        yield f"{x.execution_id} is at attempt {x.attempt_index} and has rows for {max(rows)}"
    epochs = [rows[index].lease_epoch for index in sorted(rows)]
    if sorted(set(epochs)) != epochs or any(epoch > x.lease_epoch for epoch in epochs):
        yield f"{x.execution_id}: its attempts ran under epochs {epochs}, and it is at {x.lease_epoch}"
    last = rows.get(x.attempt_index)
    if x.lifecycle_phase == "active":
        if last is not None and last.outcome is not None:
            yield f"{x.execution_id}: attempt {x.attempt_index} is running and has ended as {last.outcome}"
    elif x.attempt_state == "attempt_suspended":
        if last is None or last.outcome is not None:
            yield f"{x.execution_id}: attempt {x.attempt_index} is suspended, and its row is {last}"
    elif x.failure_code == "wait_timeout":
        pass  # the time of a wait may be over between two attempts, after any end of the last attempt
    elif x.attempt_state in ("attempt_interrupted", "pending_retry_attempt") or x.terminal_outcome in (
        "success",
        "failed",
    ):
        yield from _last_attempt_fits(last, x)


_LAST_OUTCOMES: Final[dict[tuple[AttemptState, TerminalOutcome], tuple[str, ...]]] = {
    ("attempt_interrupted", "none"): ("interrupted", "released"),
    ("pending_retry_attempt", "none"): ("retry",),
    ("attempt_terminal", "success"): ("success",),
    ("attempt_terminal", "failed"): ("failed", "interrupted"),
}


def _last_attempt_fits(last: Attempt | None, x: Execution) -> Iterator[str]:
    fitting = _LAST_OUTCOMES.get((x.attempt_state, x.terminal_outcome), ())
    outcome = None if last is None else last.outcome
    if outcome not in fitting:
        yield f"{x.execution_id} is {x.public_state}, {x.attempt_state}, and its last attempt ended as {outcome}"


def _keys_mean_their_executions(
    keys: Iterable[IdempotencyKey], executions: dict[ExecutionId, Execution], now_ms: int
) -> Iterator[str]:
    for row in keys:
        if row.expires_at_ms <= now_ms:
            continue
        x = executions.get(row.execution_id)
        if x is None:
            yield f"key {row.key!r} in {row.namespace!r} means {row.execution_id}, which is gone"
        elif (x.namespace, x.idempotency_key) != (row.namespace, row.key):
            yield f"key {row.key!r} in {row.namespace!r} means {row.execution_id}, which was made under another key"
