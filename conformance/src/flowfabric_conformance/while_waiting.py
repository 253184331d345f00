"""While an execution is suspended: cancels, deadlines, holds, priorities, lanes, flows and retention."""

import pytest

from flowfabric import (
    AlreadySatisfied,
    BlockingEngine,
    ExecutionNotTerminal,
    ExecutionPolicy,
    FlowCancelled,
    ManualClock,
)
from flowfabric_conformance.flow_stage import submit
from flowfabric_conformance.stage import claim, claim_ids, create, look, outcomes, refused, story, vector
from flowfabric_conformance.wait_stage import (
    HOUR_MS,
    RESUMABLE,
    SUSPENDED,
    events,
    opened,
    over,
    resumed,
    started,
    suspend,
    waiting,
    waitpoint,
)

HELD = "runnable/unowned/blocked_by_operator/attempt_suspended/none/waiting"


def test_a_suspended_execution_is_cancelled_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS)

    engine.cancel_execution(paused.execution_id, reason="no longer wanted")

    x = look(engine, paused.execution_id)
    assert (x.public_state, x.waits) == ("cancelled", ())
    assert waitpoint(engine, paused.execution_id, "editor").state == "closed"
    assert [event for event in story(engine, paused.execution_id) if event.startswith("completion.")] == [
        "completion.cancelled"
    ]
    assert outcomes(engine, paused.execution_id) == ["cancelled"]
    clock.advance(HOUR_MS)
    engine.reconcile()
    assert look(engine, paused.execution_id).public_state == "cancelled"


def test_the_deadline_of_a_suspended_execution_goes_on(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, deadline_at_ms=clock.now_ms + HOUR_MS)

    clock.advance(HOUR_MS)
    engine.reconcile()

    assert look(engine, paused.execution_id).public_state == "expired"
    assert look(engine, paused.execution_id).waits == ()


def test_the_attempt_timeout_counts_leased_time_and_starts_anew(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, policy=ExecutionPolicy(attempt_timeout_ms=10_000))
    clock.advance(HOUR_MS)
    engine.reconcile()
    assert vector(engine, paused.execution_id) == SUSPENDED

    engine.signal(paused.execution_id, "editor")
    resumed(engine, paused.execution_id)

    clock.advance(9_999)
    engine.reconcile()
    assert look(engine, paused.execution_id).public_state == "active"
    clock.advance(1)
    engine.reconcile()
    assert look(engine, paused.execution_id).public_state != "active"


def test_a_held_execution_does_not_run_when_its_wait_is_over(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)

    assert engine.hold(paused.execution_id, reason="careful").execution_id == paused.execution_id
    assert look(engine, paused.execution_id).blocking_reason == "paused_by_operator"
    assert "It is held by an operator; `ff unhold" in engine.explain(paused.execution_id)
    assert vector(engine, paused.execution_id) == SUSPENDED
    engine.signal(paused.execution_id, "editor")

    assert vector(engine, paused.execution_id) == HELD
    assert claim_ids(engine) == []
    engine.unhold(paused.execution_id)
    resumed(engine, paused.execution_id)


def test_a_hold_that_ends_before_the_wait_leaves_no_trace(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    engine.hold(paused.execution_id)
    engine.unhold(paused.execution_id)

    engine.signal(paused.execution_id, "editor")

    assert vector(engine, paused.execution_id) == RESUMABLE
    assert [event for event, _ in events(engine, paused.execution_id, "operator")] == ["held", "unheld"]


def test_a_new_priority_counts_when_the_wait_is_over(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, priority=1)
    other = create(engine, priority=5)

    changed = engine.change_priority(paused.execution_id, 9)
    engine.signal(paused.execution_id, "editor")

    assert (changed.old_priority, changed.new_priority) == (1, 9)
    assert claim_ids(engine) == [paused.execution_id, other]


def test_there_is_no_lease_to_revoke(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)

    assert engine.revoke_lease(paused.execution_id) == AlreadySatisfied("no_active_lease")
    with refused(engine, ExecutionNotTerminal):
        engine.replay_execution(paused.execution_id)


def test_a_paused_lane_keeps_what_is_resumed(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    engine.pause_lane("default")

    engine.signal(paused.execution_id, "editor")

    assert vector(engine, paused.execution_id) == RESUMABLE
    assert claim_ids(engine) == []
    engine.resume_lane("default")
    resumed(engine, paused.execution_id)


def test_a_resumed_execution_that_is_interrupted_is_reclaimed(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    engine.signal(paused.execution_id, "editor")
    resumed(engine, paused.execution_id)
    clock.advance(31_000)
    engine.reconcile()

    again = claim(engine)

    assert again.claim_type == "reclaim"
    assert over(engine, paused.execution_id).cause == "signal"


def test_it_may_wait_again_and_again(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    for turn in range(5):
        suspend(engine, lease, "chat", f"turn-{turn}")
        engine.signal(lease.execution_id, "chat", b"%d" % turn)
        lease = resumed(engine, lease.execution_id).lease

    x = look(engine, lease.execution_id)
    assert (x.attempt_index, x.lease_epoch, x.retry_count, x.interruption_count) == (0, 6, 0, 0)
    engine.complete(lease)
    assert outcomes(engine, lease.execution_id) == ["success"]


# ── flows ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending"])
def test_the_cancel_of_a_flow_cancels_a_suspended_member_at_once(
    engine: BlockingEngine, clock: ManualClock, policy: str
) -> None:
    flow = submit(engine, "a")
    lease = flow.start("a")
    suspend(engine, lease, "editor")

    answer = engine.cancel_flow(flow.flow_id, reason="no longer wanted", policy=policy)  # type: ignore[arg-type]

    assert isinstance(answer, FlowCancelled)
    assert list(answer.member_execution_ids) == [lease.execution_id]
    x = look(engine, lease.execution_id)
    assert (x.public_state, x.waits) == ("cancelled", ())
    found = engine.describe_flow(flow.flow_id)
    assert found is not None
    assert found.pending_cancel_acks == []


def test_a_downstream_waits_for_a_suspended_upstream(engine: BlockingEngine, clock: ManualClock) -> None:
    flow = submit(engine, "a>b")
    lease = flow.start("a")
    suspend(engine, lease, "editor")
    assert look(engine, flow["b"]).public_state == "waiting_children"

    engine.signal(lease.execution_id, "editor")
    flow.complete("a")

    assert look(engine, flow["b"]).public_state == "waiting"


# ── retention ────────────────────────────────────────────────────────────────────────────────────


def test_retention_removes_waitpoints_and_signals_with_the_execution(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = started(engine, policy=ExecutionPolicy(retention_ms=HOUR_MS))
    engine.create_waitpoint(lease, "editor", alias="order-7")
    engine.signal(lease.execution_id, "editor", idempotency_key="once")
    opened(engine, lease, "author")
    engine.complete(lease)
    clock.advance(HOUR_MS)

    engine.reconcile()

    assert engine.describe_execution(lease.execution_id) is None
    again = started(engine, execution_id=lease.execution_id)
    assert engine.list_waitpoints(again.execution_id) == []
    assert engine.list_signals(again.execution_id) == []
    assert engine.get_wait(again.execution_id, "author") is None
    engine.create_waitpoint(again, "editor", alias="order-7")
    assert type(engine.signal(again.execution_id, "editor", idempotency_key="once")).__name__ == "Signalled"


def test_a_suspended_execution_is_never_purged(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, policy=ExecutionPolicy(retention_ms=0))
    clock.advance(HOUR_MS)

    engine.reconcile()
    engine.purge(ended_before_ms=clock.now_ms)

    assert vector(engine, paused.execution_id) == SUSPENDED
