"""What time does to an execution by itself, and that a stale find is harmless."""

import pytest
from msgspec.structs import replace

from flowfabric.domain.commands import (
    ForgetAnswer,
    ForgetBatches,
    ForgetEvents,
    ForgetIdempotencyKey,
    HandleDue,
    RepairSideRows,
)
from flowfabric.domain.decide.upkeep import BATCH_TTL_MS
from flowfabric.domain.events import LANE_EVENTS_KEPT_MS
from flowfabric.domain.execution import Due, Execution, IdempotencyKey, due_of
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from flowfabric.domain.remembered_answers import RememberedAnswer
from tests.domain.records import NOW, an_execution, an_id, decided
from tests.domain.states_reached import STATES

WAITING, DELAYED, ACTIVE, COMPLETED = (STATES[name] for name in ("waiting", "delayed", "active", "completed"))
TIMED = ExecutionPolicy(attempt_timeout_ms=5000)


def _due(x: Execution) -> Due:
    due = due_of(x)
    assert due is not None
    return due


@pytest.mark.parametrize(
    ("x", "kind", "after_ms"),
    [
        (ACTIVE, "lease", 20_000),
        (DELAYED, "delay", 5000),
        (replace(WAITING, deadline_at_ms=NOW + 7), "deadline", 7),
        (replace(DELAYED, deadline_at_ms=NOW + 5001), "delay", 5000),
        (replace(DELAYED, deadline_at_ms=NOW + 4999), "deadline", 4999),
        # Where two fall on one instant, the one that leaves less to do comes first.
        (replace(DELAYED, deadline_at_ms=NOW + 5000), "deadline", 5000),
        (replace(ACTIVE, policy=TIMED), "attempt_timeout", -5000),
        (replace(ACTIVE, policy=ExecutionPolicy(attempt_timeout_ms=30_000)), "attempt_timeout", 20_000),
        (replace(ACTIVE, policy=ExecutionPolicy(attempt_timeout_ms=30_001)), "lease", 20_000),
        (replace(COMPLETED, policy=ExecutionPolicy(retention_ms=50)), "retention", -10_000 + 50),
    ],
)
def test_the_earliest_moment_is_the_one_that_is_due(x: Execution, kind: str, after_ms: int):
    assert _due(x) == Due(kind, NOW + after_ms, x.execution_id)


@pytest.mark.parametrize("state", ["waiting", "held", "held while delayed", "completed", "cancelled", "replayed"])
def test_nothing_is_due_for_what_only_waits_for_others_or_is_kept_for_good(state: str):
    assert due_of(STATES[state]) is None


@pytest.mark.parametrize(
    "x", [ACTIVE, DELAYED, replace(WAITING, deadline_at_ms=NOW + 7)], ids=["lease", "delay", "end"]
)
def test_at_the_instant_itself_it_has_come_and_not_a_moment_before(x: Execution):
    due = _due(x)

    early = decided(HandleDue(due), executions=[x], now_ms=due.due_at_ms - 1)
    on_time = decided(HandleDue(due), executions=[x], now_ms=due.due_at_ms)

    assert early.answers == [False]
    assert early.changes.is_empty
    assert on_time.answers == [True]


def test_a_delay_that_is_over_queues_by_when_it_ended_and_writes_no_event():
    done = decided(HandleDue(_due(DELAYED)), executions=[DELAYED], now_ms=NOW + 60_000)

    after = done.after(DELAYED.execution_id)
    assert (after.public_state, after.ready_at_ms, after.delay_until_ms) == ("waiting", NOW + 5000, None)
    assert done.events == []


def test_an_expired_lease_goes_back_to_the_queue_as_an_interruption():
    x = STATES["active, lease over"]

    done = decided(HandleDue(_due(x)), executions=[x])

    after = done.after(x.execution_id)
    assert (after.public_state, after.attempt_state, after.interruption_count) == ("waiting", "attempt_interrupted", 1)
    assert (after.lease_epoch, after.ready_at_ms) == (x.lease_epoch + 1, NOW)
    assert done.events == [("lease", "expired")]


def test_one_interruption_too_many_ends_it_as_worker_lost():
    x = replace(STATES["active, lease over"], interruption_count=1)

    done = decided(HandleDue(_due(x)), executions=[x])

    after = done.after(x.execution_id)
    assert (after.public_state, after.failure_code, after.interruption_count) == ("failed", "worker_lost", 2)
    assert done.events == [("lease", "expired"), ("completion", "failed")]


def test_a_missed_deadline_takes_the_lease_with_it():
    x = replace(ACTIVE, deadline_at_ms=NOW)

    done = decided(HandleDue(_due(x)), executions=[x])

    after = done.after(x.execution_id)
    assert (after.public_state, after.lease_epoch, after.terminal_at_ms) == ("expired", x.lease_epoch + 1, NOW)
    assert next(iter(done.changes.attempts.values())).outcome == "expired"
    assert done.events == [("completion", "expired")]


@pytest.mark.parametrize(("retries", "state", "event"), [(1, "delayed", "retry_scheduled"), (0, "failed", "failed")])
def test_an_attempt_that_runs_too_long_fails_by_policy_and_loses_its_lease(retries: int, state: str, event: str):
    policy = ExecutionPolicy(attempt_timeout_ms=5000, retry=RetryPolicy(max_retries=retries))
    x = replace(ACTIVE, policy=policy)

    done = decided(HandleDue(_due(x)), executions=[x])

    after = done.after(x.execution_id)
    assert (after.public_state, after.failure_code) == (state, "attempt_timeout")
    assert after.lease_epoch == x.lease_epoch + 1
    assert [kind for _, kind in done.events] == [event]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", ["lease", "delay", "attempt_timeout", "deadline"])
def test_a_stale_find_changes_no_record_and_is_dropped(state: str, kind: str):
    x = STATES[state]
    stale = Due(kind, NOW - 777_777, x.execution_id)

    done = decided(HandleDue(stale), executions=[x])

    assert done.answers == [False]
    assert not done.changes.executions
    assert done.changes.stale_due == [stale]


@pytest.mark.parametrize("kind", ["lease", "retention"])
def test_a_find_of_what_is_gone_is_dropped(kind: str):
    due = Due(kind, NOW, an_id(7))

    done = decided(HandleDue(due))

    assert done.answers == [False]
    assert done.changes.stale_due == [due]


def test_repairing_writes_the_side_rows_of_what_is_there():
    x = an_execution(1)

    done = decided(RepairSideRows(an_id(1)), RepairSideRows(an_id(2)), executions=[x])

    assert done.answers == [True, False]
    assert done.changes.repaired == [x]


@pytest.mark.parametrize(("ttl_ms", "forgotten"), [(0, True), (1, False)])
def test_a_key_is_forgotten_at_the_instant_its_time_is_over(ttl_ms: int, forgotten: bool):
    row = IdempotencyKey("default", "order-7", an_id(1), b"f", NOW + ttl_ms)

    done = decided(ForgetIdempotencyKey("default", "order-7"), keys=[row])

    assert done.answers == [forgotten]
    assert done.changes.idempotency_keys == ({("default", "order-7"): None} if forgotten else {})


@pytest.mark.parametrize(("ttl_ms", "forgotten"), [(0, True), (1, False)])
def test_an_answer_is_forgotten_at_the_instant_its_time_is_over(ttl_ms: int, forgotten: bool):
    row = RememberedAnswer("", "c-1", b"f", b"a", NOW + ttl_ms)

    done = decided(ForgetAnswer("", "c-1"), answers=[row])

    assert done.answers == [forgotten]
    assert done.changes.answers == ({("", "c-1"): None} if forgotten else {})


def test_markers_of_batches_are_kept_for_an_hour():
    done = decided(ForgetBatches())

    assert done.changes.forget_batches_before_ms == NOW - BATCH_TTL_MS


@pytest.mark.parametrize(("found_ms", "cut_ms"), [(-1, -1), (0, 0), (1, 0)])
def test_events_of_lanes_and_schedules_are_kept_for_thirty_days_whatever_was_found(found_ms: int, cut_ms: int):
    over_ms = NOW - LANE_EVENTS_KEPT_MS

    done = decided(ForgetEvents(over_ms + found_ms))

    assert done.answers == [True]
    assert done.changes.forget_events_until_ms == over_ms + cut_ms
