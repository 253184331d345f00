"""Timeouts of waits: time decides, and the sweep only carries it out."""

import pytest

from flowfabric import BlockingEngine, ManualClock, OperatorOnly, Signalled, WaitOpened, WaitOver
from flowfabric_conformance.stage import RETRIED, claim, claim_ids, look, outcomes, story, vector
from flowfabric_conformance.wait_stage import (
    ACTIVE,
    DAY_MS,
    HOUR_MS,
    RESUMABLE,
    SUSPENDED,
    events,
    opened,
    over,
    payloads,
    resumed,
    started,
    suspend,
    waiting,
)

EVERY_TIMEOUT = pytest.mark.parametrize("on_timeout", ["resume", "fail", "cancel", "expire", "escalate"])


def test_a_timeout_resumes_the_execution_without_signals(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS)
    clock.advance(HOUR_MS - 1)
    engine.reconcile()
    assert vector(engine, paused.execution_id) == SUSPENDED

    clock.advance(1)
    engine.reconcile()

    assert vector(engine, paused.execution_id) == RESUMABLE
    assert over(engine, paused.execution_id) == WaitOver((), "timeout")
    assert events(engine, paused.execution_id, "signal") == [("resumed", {"name": "wait", "cause": "timeout"})]
    assert look(engine, paused.execution_id).waits == ()


def test_a_timeout_at_an_instant_means_that_instant(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    at_ms = clock.now_ms + DAY_MS
    suspend(engine, lease, "editor", timeout_at_ms=at_ms)

    assert [wait.timeout_at_ms for wait in look(engine, lease.execution_id).waits] == [at_ms]
    clock.advance(DAY_MS)
    engine.reconcile()
    assert over(engine, lease.execution_id).cause == "timeout"


def test_a_sleep_ends_by_its_timeout_only(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, OperatorOnly(), "nap", timeout_ms=HOUR_MS)
    assert paused.waitpoints == ()
    engine.signal(paused.execution_id, "nap", b"wake up")
    assert vector(engine, paused.execution_id) == SUSPENDED

    clock.advance(HOUR_MS)
    engine.reconcile()

    assert over(engine, paused.execution_id, "nap") == WaitOver((), "timeout")
    resumed(engine, paused.execution_id)


def test_a_timeout_that_is_past_ends_the_wait_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)

    assert engine.suspend(lease, "wait", "editor", timeout_ms=0) == WaitOver((), "timeout")
    assert engine.open_wait(lease, "another", "editor", timeout_at_ms=1) == WaitOver((), "timeout")
    assert vector(engine, lease.execution_id) == ACTIVE


def test_a_timeout_of_fail_fails_the_attempt_and_retries_apply(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS, on_timeout="fail", policy=RETRIED)

    clock.advance(HOUR_MS)
    engine.reconcile()

    x = look(engine, paused.execution_id)
    assert (x.public_state, x.retry_count) == ("delayed", 1)
    assert x.failure is not None
    assert x.failure.code == "wait_timeout"
    assert outcomes(engine, paused.execution_id) == ["retry"]
    assert engine.get_wait(paused.execution_id, "wait") is None


def test_the_attempt_after_a_timeout_of_fail_waits_anew_with_a_timeout_of_its_own(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS, on_timeout="fail", policy=RETRIED)
    clock.advance(HOUR_MS)
    engine.reconcile()
    clock.advance(1_000)
    engine.reconcile()
    again = claim(engine)

    suspend(engine, again.lease, "editor", timeout_ms=HOUR_MS, on_timeout="fail")

    assert [wait.timeout_at_ms for wait in look(engine, paused.execution_id).waits] == [clock.now_ms + HOUR_MS]
    engine.signal(paused.execution_id, "editor", b"late")
    assert payloads(over(engine, paused.execution_id)) == [b"late"]


def test_a_timeout_of_fail_without_retries_fails_the_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS, on_timeout="fail")

    clock.advance(HOUR_MS)
    engine.reconcile()

    x = look(engine, paused.execution_id)
    assert x.public_state == "failed"
    assert x.failure is not None
    assert x.failure.code == "wait_timeout"


def test_a_timeout_of_cancel_cancels_the_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS, on_timeout="cancel")

    clock.advance(HOUR_MS)
    engine.reconcile()

    x = look(engine, paused.execution_id)
    assert (x.public_state, x.cancellation_reason, x.cancelled_by) == ("cancelled", "wait_timeout", "system_timeout")
    assert x.waits == ()


def test_a_timeout_of_expire_expires_the_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS, on_timeout="expire")

    clock.advance(HOUR_MS)
    engine.reconcile()

    assert look(engine, paused.execution_id).public_state == "expired"
    assert look(engine, paused.execution_id).waits == ()


def test_a_timeout_of_escalate_asks_an_operator_and_waits_on(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS, on_timeout="escalate")

    clock.advance(HOUR_MS)
    engine.reconcile()

    x = look(engine, paused.execution_id)
    assert vector(engine, paused.execution_id) == SUSPENDED
    assert x.blocking_reason == "paused_by_operator"
    assert [wait.timeout_at_ms for wait in x.waits] == [None]
    assert [event for event, _ in events(engine, paused.execution_id, "operator")] == ["escalated"]
    clock.advance(DAY_MS)
    engine.reconcile()
    assert vector(engine, paused.execution_id) == SUSPENDED
    engine.signal(paused.execution_id, "editor", b"at last")
    assert payloads(over(engine, paused.execution_id)) == [b"at last"]


@EVERY_TIMEOUT
def test_a_signal_at_the_timeout_comes_too_late_even_before_the_sweep(
    engine: BlockingEngine, clock: ManualClock, on_timeout: str
) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS, on_timeout=on_timeout, policy=RETRIED)
    clock.advance(HOUR_MS)

    refusal: Exception | None = None
    try:
        answer = engine.signal(paused.execution_id, "editor", b"late")
    except Exception as error:
        refusal = error

    x = look(engine, paused.execution_id)
    if on_timeout in ("cancel", "expire"):
        assert type(refusal).__name__ == "NotSignalable"
        return
    assert refusal is None
    assert isinstance(answer, Signalled)
    if on_timeout == "escalate":
        assert answer.effect == "resumed"
        assert payloads(over(engine, paused.execution_id)) == [b"late"]
    else:
        assert answer.effect == "buffered"
        assert x.public_state == {"resume": "resumable", "fail": "delayed"}[on_timeout]


@EVERY_TIMEOUT
def test_the_sweep_and_the_signal_come_to_the_same(engine: BlockingEngine, clock: ManualClock, on_timeout: str) -> None:
    swept = waiting(engine, timeout_ms=HOUR_MS, on_timeout=on_timeout, policy=RETRIED)
    signalled = waiting(engine, timeout_ms=HOUR_MS, on_timeout=on_timeout, policy=RETRIED)
    clock.advance(HOUR_MS)
    try:
        engine.signal(signalled.execution_id, "another")
    except Exception as error:
        assert type(error).__name__ == "NotSignalable"
    engine.reconcile()

    assert vector(engine, swept.execution_id) == vector(engine, signalled.execution_id)
    without = [event for event in story(engine, signalled.execution_id) if event != "signal.delivered"]
    assert story(engine, swept.execution_id) == without


def test_a_wait_under_a_lease_times_out_in_place(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "editor", timeout_ms=10_000)

    clock.advance(10_000)
    engine.reconcile()

    assert vector(engine, lease.execution_id) == ACTIVE
    assert engine.wait_for_wait(lease, "wait", timeout_ms=0) == WaitOver((), "timeout")
    assert engine.open_wait(lease, "wait", "editor") == WaitOver((), "timeout")


@pytest.mark.parametrize(("on_timeout", "state"), [("fail", "failed"), ("cancel", "cancelled"), ("expire", "expired")])
def test_a_timeout_that_ends_the_execution_ends_a_live_lease(
    engine: BlockingEngine, clock: ManualClock, on_timeout: str, state: str
) -> None:
    lease = started(engine)
    opened(engine, lease, "editor", timeout_ms=10_000, on_timeout=on_timeout)

    clock.advance(10_000)
    engine.reconcile()

    assert look(engine, lease.execution_id).public_state == state
    assert type(engine.renew_all([lease])[0]).__name__ == "LeaseLost"


def test_a_timeout_runs_while_the_execution_waits_for_a_retry(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine, policy=RETRIED)
    opened(engine, lease, "editor", timeout_ms=500)
    engine.fail(lease, code="boom")

    clock.advance(500)
    engine.reconcile()

    assert over(engine, lease.execution_id) == WaitOver((), "timeout")
    assert look(engine, lease.execution_id).public_state == "delayed"


def test_the_first_of_two_timeouts_resumes_and_the_other_wait_stays_open(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = started(engine)
    opened(engine, lease, "alice", "long", timeout_ms=2 * HOUR_MS)
    suspend(engine, lease, "bob", "short", timeout_ms=HOUR_MS)

    clock.advance(HOUR_MS)
    engine.reconcile()

    again = resumed(engine, lease.execution_id)
    assert isinstance(engine.open_wait(again.lease, "short", "bob"), WaitOver)
    assert isinstance(engine.open_wait(again.lease, "long", "alice"), WaitOpened)
    assert [wait.name for wait in look(engine, lease.execution_id).waits] == ["long"]


def test_a_wait_without_a_timeout_waits_for_years(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)

    clock.advance(3 * 365 * DAY_MS)
    engine.reconcile()

    assert vector(engine, paused.execution_id) == SUSPENDED
    assert claim_ids(engine) == []
