"""Every ending is told once, closes what was open, and nothing happens to it afterwards but a replay."""

from collections.abc import Callable

import pytest

from flowfabric import BlockingEngine, ExecutionNotActive, ExecutionPolicy, ManualClock, RetryPolicy
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    LIVE,
    RETRIED,
    an_execution,
    claim,
    claim_ids,
    create,
    events_of,
    look,
    outcomes,
    start,
    unchanged,
    vector,
)

Ending = Callable[[BlockingEngine, ManualClock], str]


def _completed(engine: BlockingEngine, clock: ManualClock) -> str:
    return engine.complete(start(engine)).execution_id


def _completed_after_a_replay(engine: BlockingEngine, clock: ManualClock) -> str:
    execution_id = engine.cancel_execution(create(engine), reason="stop").execution_id
    engine.replay_execution(execution_id)
    return engine.complete(claim(engine).lease).execution_id


def _failed(engine: BlockingEngine, clock: ManualClock) -> str:
    return engine.fail(start(engine), code="boom").execution_id


def _timed_out(engine: BlockingEngine, clock: ManualClock) -> str:
    lease = start(engine, policy=ExecutionPolicy(attempt_timeout_ms=10))
    clock.advance(10)
    engine.reconcile()
    return lease.execution_id


def _revoked_too_often(engine: BlockingEngine, clock: ManualClock) -> str:
    lease = start(engine, policy=ExecutionPolicy(max_interruptions=0))
    engine.revoke_lease(lease.execution_id)
    return lease.execution_id


def _lost_too_often(engine: BlockingEngine, clock: ManualClock) -> str:
    lease = start(engine, policy=ExecutionPolicy(max_interruptions=0))
    clock.advance(30_000)
    engine.reconcile()
    return lease.execution_id


def _expired_while_waiting(engine: BlockingEngine, clock: ManualClock) -> str:
    return an_execution("expired", engine, clock)


def _expired_while_running(engine: BlockingEngine, clock: ManualClock) -> str:
    lease = start(engine, deadline_at_ms=clock.now_ms + 10)
    clock.advance(10)
    engine.reconcile()
    return lease.execution_id


def _cancelled(state: str) -> Ending:
    def cancel(engine: BlockingEngine, clock: ManualClock) -> str:
        execution_id = an_execution(state, engine, clock)
        return engine.cancel_execution(execution_id, reason="stop").execution_id

    return cancel


ENDINGS: dict[str, tuple[Ending, str]] = {
    "completed": (_completed, "completed"),
    "completed after a replay": (_completed_after_a_replay, "completed"),
    "failed": (_failed, "failed"),
    "timed out": (_timed_out, "failed"),
    "revoked too often": (_revoked_too_often, "failed"),
    "lost too often": (_lost_too_often, "failed"),
    "expired while waiting": (_expired_while_waiting, "expired"),
    "expired while running": (_expired_while_running, "expired"),
    **{f"cancelled while {state}": (_cancelled(state), "cancelled") for state in LIVE},
}
every_ending = rule_cases("ending", ENDINGS, sample=5)


@every_ending
def test_every_ending_is_told_by_one_completion_event_of_its_name(
    engine: BlockingEngine, clock: ManualClock, ending: str
) -> None:
    end, public_state = ENDINGS[ending]

    execution_id = end(engine, clock)

    events = events_of(engine, execution_id)
    generations = look(engine, execution_id).replay_count + 1
    assert look(engine, execution_id).public_state == public_state
    assert events[-1].channel == "completion"
    assert events[-1].event_type == public_state
    assert sum(event.channel == "completion" for event in events) == generations


@every_ending
def test_no_ending_leaves_an_attempt_open(engine: BlockingEngine, clock: ManualClock, ending: str) -> None:
    execution_id = ENDINGS[ending][0](engine, clock)

    attempts = engine.list_attempts(execution_id)

    assert None not in outcomes(engine, execution_id)
    assert all(attempt.terminal_at_ms is not None for attempt in attempts)
    assert {attempt.worker_instance_id for attempt in attempts} <= {None}


@every_ending
def test_time_does_nothing_to_what_has_ended(engine: BlockingEngine, clock: ManualClock, ending: str) -> None:
    ENDINGS[ending][0](engine, clock)

    for step_ms in (1, 1_000, 30_000, 60_000, 86_400_000):
        clock.advance(step_ms)
        with unchanged(engine):
            engine.reconcile()
            assert claim_ids(engine) == []


@every_ending
def test_every_ending_can_be_replayed_and_then_runs_to_a_new_end(
    engine: BlockingEngine, clock: ManualClock, ending: str
) -> None:
    execution_id = ENDINGS[ending][0](engine, clock)

    engine.replay_execution(execution_id)
    for upstream in engine.claim(worker_id="w", worker_instance_id="w1", lanes=["upstream"]):
        engine.complete(upstream.lease)
    lease = claim(engine).lease
    clock.advance(5)
    engine.renew(lease)
    engine.complete(lease, b"second life")

    assert vector(engine, execution_id) == "terminal/unowned/not_applicable/attempt_terminal/success/completed"
    assert engine.get_result(execution_id) == b"second life"
    assert outcomes(engine, execution_id)[-1] == "success"


@every_ending
def test_what_has_ended_is_purged_by_its_own_policy(engine: BlockingEngine, clock: ManualClock, ending: str) -> None:
    kept = ENDINGS[ending][0](engine, clock)
    purged = an_execution("cancelled", engine, clock, ExecutionPolicy(retention_ms=50))
    clock.advance(50)

    engine.reconcile()

    assert engine.describe_execution(kept) is not None
    assert engine.describe_execution(purged) is None


def test_failures_never_retry_beyond_their_policy_however_they_are_reported(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    policy = ExecutionPolicy(
        retry=RetryPolicy(max_retries=2, backoff="fixed", initial_delay_ms=0, jitter=0.0), attempt_timeout_ms=10
    )
    execution_id = create(engine, policy=policy)
    engine.fail(claim(engine).lease, code="boom")
    claim(engine)
    clock.advance(10)
    engine.reconcile()

    engine.fail(claim(engine).lease, code="boom", retry_after_ms=0)

    assert look(engine, execution_id).public_state == "failed"
    assert outcomes(engine, execution_id) == ["retry", "retry", "failed"]


def test_a_cancelled_retry_does_not_come_back_when_its_pause_ends(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    engine.fail(lease, code="boom")
    engine.cancel_execution(lease.execution_id, reason="stop")
    clock.advance(1_000)

    done = engine.reconcile()

    assert done["due_delays"] == 0
    assert look(engine, lease.execution_id).public_state == "cancelled"


def test_a_lease_that_ended_with_a_retry_is_not_told_that_it_failed_for_good_what_was_cancelled_since(
    engine: BlockingEngine,
) -> None:
    lease = start(engine, policy=RETRIED)
    engine.fail(lease, code="boom")
    engine.cancel_execution(lease.execution_id, reason="stop")

    with pytest.raises(ExecutionNotActive) as refused:
        engine.fail(lease, code="boom", retryable=False)

    assert refused.value.public_state == "cancelled"
