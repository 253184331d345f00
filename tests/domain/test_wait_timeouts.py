"""The time of a wait: what happens when it is over, in every phase, and that time decides and not upkeep."""

from collections.abc import Callable

import pytest

from flowfabric.domain.commands import ChangePriority, Delay, Fail, HandleDue, Hold, Release, Renew, Unhold
from flowfabric.domain.conditions import OperatorOnly
from flowfabric.domain.errors import ExecutionNotActive, NotSignalable
from flowfabric.domain.execution import Due, due_of
from flowfabric.domain.outcomes import AlreadySatisfied, LeaseGivenUp, WaitBegun, WaitOver
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.waiting import ON_TIMEOUT, OnTimeout
from tests.domain.waiting_world import WaitingWorld, payloads

ONCE = ExecutionPolicy()


def _suspended(on_timeout: OnTimeout = "resume", **created_with: object) -> WaitingWorld:
    world = WaitingWorld(**created_with)
    world.suspend(timeout_ms=1_000, on_timeout=on_timeout)
    return world


# ── what happens ─────────────────────────────────────────────────────────────────────────────────


def test_a_wait_that_is_not_over_in_time_resumes_without_signals():
    world = _suspended()
    world.advance(1_000)

    assert world.sweep() == 1

    assert world.x.public_state == "resumable"
    assert world.events[-1].details == {"name": "editor", "cause": "timeout"}
    world.claim()
    assert world.open_wait() == WaitOver((), "timeout")
    assert (world.x.attempt_index, world.x.retry_count) == (0, 0)


def test_a_wait_that_ended_in_time_is_never_timed_out():
    world = _suspended("cancel")
    world.advance(999)
    world.signal()
    world.claim()
    world.complete()
    world.advance(10_000)

    assert world.sweep() == 0
    assert world.x.public_state == "completed"


def test_a_timeout_may_fail_the_attempt_and_the_next_one_waits_anew():
    world = _suspended("fail")
    world.advance(1_000)
    world.sweep()

    assert (world.x.public_state, world.x.failure_code, world.x.retry_count) == ("delayed", "wait_timeout", 1)
    assert [(row.attempt_index, row.outcome) for row in world.attempts] == [(0, "retry")]
    assert world.store.steps(world.x_id)[1] == []
    world.advance(1_000)
    world.sweep()
    claimed = world.claim()
    assert (claimed.attempt_index, claimed.claim_type) == (1, "retry")
    world.suspend(timeout_ms=1_000, on_timeout="fail")
    assert world.inbox.waits[0].timeout_at_ms == world.now_ms + 1_000


def test_a_timeout_fails_the_execution_when_no_retry_is_left():
    world = _suspended("fail", policy=ONCE)
    world.advance(1_000)
    world.sweep()

    assert (world.x.public_state, world.x.failure_code) == ("failed", "wait_timeout")
    assert [row.outcome for row in world.attempts] == ["failed"]
    failure = world.store.last_failure(world.x_id)
    assert failure is not None
    assert (failure.code, "editor" in failure.message) == ("wait_timeout", True)
    assert world.event_names.count("completion failed") == 1


def test_a_timeout_may_cancel():
    world = _suspended("cancel")
    world.advance(1_000)
    world.sweep()

    x = world.x
    assert (x.public_state, x.cancellation_reason, x.cancelled_by) == ("cancelled", "wait_timeout", "system_timeout")
    assert world.event_names[-1] == "completion cancelled"


def test_a_timeout_may_expire():
    world = _suspended("expire")
    world.advance(1_000)
    world.sweep()

    assert (world.x.public_state, world.x.failure_code) == ("expired", "wait_timeout")
    assert [row.outcome for row in world.attempts] == ["expired"]


def test_a_timeout_may_ask_an_operator_and_the_wait_goes_on():
    world = _suspended("escalate")
    world.advance(1_000)
    world.sweep()

    assert (world.x.public_state, world.x.blocking_reason) == ("suspended", "paused_by_operator")
    assert due_of(world.x) is None
    assert (world.event_names[-1], world.events[-1].details) == ("operator escalated", {"name": "editor"})
    assert world.signal().effect == "resumed"
    assert world.x.blocking_reason == "waiting_for_worker"


def test_a_sleep_is_a_wait_that_only_its_timeout_ends():
    world = WaitingWorld()
    world.suspend(OperatorOnly(), "cool-down", timeout_ms=7_200_000)
    world.advance(7_200_000)
    world.sweep()

    assert world.x.public_state == "resumable"


def test_the_earliest_of_several_timeouts_is_due():
    world = WaitingWorld()
    world.open_wait("a", "late", timeout_ms=3_000)
    world.open_wait("b", "early", timeout_ms=1_000)
    world.open_wait("c", "never")
    world.suspend("d", "middle", timeout_ms=2_000, on_timeout="cancel")
    assert due_of(world.x) == Due("wait", world.now_ms + 1_000, world.x_id)
    world.advance(1_000)
    world.sweep()

    assert [wait.name for wait in world.inbox.waits] == ["late", "never", "middle"]
    assert world.x.public_state == "resumable"
    world.advance(1_000)
    world.sweep()
    assert world.x.public_state == "cancelled"


def test_timeouts_that_are_over_together_are_performed_in_their_order():
    world = WaitingWorld()
    world.open_wait("a", "second", timeout_ms=2_000, on_timeout="cancel")
    world.suspend("b", "first", timeout_ms=1_000, on_timeout="expire")
    world.advance(5_000)

    assert world.sweep() == 1

    assert world.x.public_state == "expired"


def test_both_ways_to_give_a_timeout_may_be_used():
    world = WaitingWorld()
    world.open_wait("a", "a", timeout_ms=1_000, timeout_at_ms=world.now_ms + 500)
    world.open_wait("b", "b", timeout_at_ms=world.now_ms + 700)

    assert [wait.timeout_at_ms for wait in world.inbox.waits] == [world.now_ms + 500, world.now_ms + 700]


# ── time decides ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("late_by_ms", [0, 1, 60_000])
def test_a_signal_at_or_after_the_timeout_performs_it_and_is_kept(late_by_ms: int):
    world = _suspended()
    world.advance(1_000 + late_by_ms)

    assert world.signal(payload=b"late").effect == "buffered"

    assert world.x.public_state == "resumable"
    assert world.sweep() == 0
    world.claim()
    assert world.open_wait() == WaitOver((), "timeout")
    assert payloads(world.open_wait("editor", "second chance")) == [b"late"]


def test_a_signal_one_millisecond_before_the_timeout_ends_the_wait():
    world = _suspended()
    world.advance(999)

    assert world.signal().effect == "resumed"


@pytest.mark.parametrize("on_timeout", ["cancel", "expire"])
def test_a_late_signal_is_refused_by_an_execution_that_its_timeout_has_ended(on_timeout: OnTimeout):
    world = _suspended(on_timeout)
    world.advance(1_000)

    with pytest.raises(NotSignalable):
        world.signal()

    assert world.x.has_ended, "the signal has performed the timeout"
    assert world.signals == []


def test_a_late_signal_to_a_failed_attempt_is_kept_for_the_next_one():
    world = _suspended("fail")
    world.advance(1_000)

    assert world.signal().effect == "buffered"

    assert world.x.public_state == "delayed"


def test_a_late_signal_still_ends_a_wait_that_an_operator_was_asked_about():
    world = _suspended("escalate")
    world.advance(1_000)

    assert world.signal().effect == "resumed"

    assert world.event_names[-3:] == ["operator escalated", "signal delivered", "signal resumed"]


def test_an_operator_who_resumes_too_late_finds_that_the_timeout_has_done_it():
    world = _suspended()
    world.advance(1_000)

    assert world.resume() == AlreadySatisfied("not_suspended")
    assert world.events[-1].details == {"name": "editor", "cause": "timeout"}


@pytest.mark.parametrize("command", ["open_wait", "suspend"])
def test_a_timeout_that_is_past_is_decided_at_once(command: str):
    world = WaitingWorld()
    wait = getattr(world, command)

    assert wait("a", "now", timeout_ms=0) == WaitOver((), "timeout")
    assert wait("b", "past", timeout_at_ms=1) == WaitOver((), "timeout")
    assert wait("b", "past") == WaitOver((), "timeout")
    assert world.inbox.unanswered == ()
    assert world.x.public_state == "active"


def test_kept_signals_count_more_than_a_timeout_that_is_past_when_the_wait_is_opened():
    world = WaitingWorld()
    world.signal()

    assert payloads(world.open_wait(timeout_ms=0)) == [b"yes"]


@pytest.mark.parametrize("command", ["open_wait", "suspend"])
@pytest.mark.parametrize("on_timeout", ["fail", "cancel", "expire"])
def test_a_past_timeout_may_end_the_lease_of_the_worker_that_waits(command: str, on_timeout: OnTimeout):
    world = WaitingWorld()

    with pytest.raises(ExecutionNotActive):
        getattr(world, command)(timeout_ms=0, on_timeout=on_timeout)

    ended_as = {"fail": "delayed", "cancel": "cancelled", "expire": "expired"}[on_timeout]
    assert world.x.public_state == ended_as
    with pytest.raises(ExecutionNotActive):
        world.one(Renew(world.fence, None))


def test_a_past_timeout_may_ask_an_operator_at_once():
    world = WaitingWorld()

    assert isinstance(world.suspend(timeout_ms=0, on_timeout="escalate"), LeaseGivenUp)
    assert world.x.blocking_reason == "paused_by_operator"


# ── in every live phase ──────────────────────────────────────────────────────────────────────────


def _active(world: WaitingWorld) -> None:
    pass


def _resumed(world: WaitingWorld) -> None:
    world.suspend("other", "other")
    world.signal("other")
    world.claim()


def _suspend(world: WaitingWorld) -> None:
    world.suspend("other", "other")


def _resumable(world: WaitingWorld) -> None:
    world.suspend("other", "other")
    world.signal("other")


def _released(world: WaitingWorld) -> None:
    world.one(Release(world.fence))


def _retry_later(world: WaitingWorld) -> None:
    world.one(Fail(world.fence, "boom", "", True, 100_000))


def _delayed(world: WaitingWorld) -> None:
    world.one(Delay(world.fence, world.now_ms + 100_000))


def _held(world: WaitingWorld) -> None:
    world.one(Release(world.fence))
    world.one(Hold(world.x_id, ""))


def _suspended_and_held(world: WaitingWorld) -> None:
    world.suspend("other", "other")
    world.one(Hold(world.x_id, ""))


def _resumable_and_held(world: WaitingWorld) -> None:
    _suspended_and_held(world)
    world.signal("other")


PHASES: dict[str, Callable[[WaitingWorld], None]] = {
    "active": _active,
    "active again": _resumed,
    "suspended": _suspend,
    "resumable": _resumable,
    "released": _released,
    "retry later": _retry_later,
    "delayed": _delayed,
    "held": _held,
    "suspended and held": _suspended_and_held,
    "resumable and held": _resumable_and_held,
}
HELD = ("held", "suspended and held", "resumable and held")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("on_timeout", ON_TIMEOUT)
def test_the_time_of_a_wait_runs_in_every_live_phase(phase: str, on_timeout: OnTimeout):
    world = WaitingWorld()
    world.open_wait(timeout_ms=1_000, on_timeout=on_timeout)
    PHASES[phase](world)
    before = world.x
    world.advance(1_000)

    assert world.one(HandleDue(Due("wait", world.now_ms, world.x_id))) is True

    x = world.x
    endings = {"cancel": "cancelled", "expire": "expired"}
    if on_timeout in endings:
        assert x.public_state == endings[on_timeout]
    elif on_timeout == "fail":
        assert (x.failure_code, x.retry_count) == ("wait_timeout", before.retry_count + 1)
        assert x.lifecycle_phase == "runnable"
        assert (x.eligibility_state == "blocked_by_operator") == (phase in HELD)
        assert x.delay_until_ms is not None
        assert x.delay_until_ms >= max(world.now_ms, before.delay_until_ms or 0)
    elif on_timeout == "escalate":
        assert (x.public_state, x.lifecycle_phase) == (before.public_state, before.lifecycle_phase)
        assert world.inbox.waits[0].is_escalated
    else:
        (over,) = [step for step in world.store.steps(world.x_id)[1] if step.name == "editor"]
        assert over.is_wait
        assert world.inbox.unanswered == (("editor",) if phase == "active" else ())
        woken = "runnable" if before.lifecycle_phase == "suspended" else before.lifecycle_phase
        assert x.lifecycle_phase == woken
    is_taken = before.lifecycle_phase == "active" and on_timeout in ("fail", "cancel", "expire")
    assert x.lease_epoch == before.lease_epoch + is_taken
    assert x.interruption_count == before.interruption_count
    assert world.event_names.count("completion failed") == 0
    assert sum(name.startswith("completion") for name in world.event_names) == x.has_ended


@pytest.mark.parametrize("phase", PHASES)
def test_a_wait_that_fails_without_a_retry_left_ends_the_execution_in_every_phase(phase: str):
    policy = ExecutionPolicy(retry=ONCE.retry) if phase != "retry later" else WaitingWorld().x.policy
    world = WaitingWorld(policy=policy)
    for _ in range(policy.retry.max_retries - 1):
        world.fail()
        world.claim()
    world.open_wait(timeout_ms=1_000, on_timeout="fail")
    PHASES[phase](world)
    world.advance(1_000)

    world.one(HandleDue(Due("wait", world.now_ms, world.x_id)))

    if phase == "retry later":
        assert world.x.retry_count == policy.retry.max_retries == 3
    assert world.x.public_state == "failed"
    assert world.x.failure_code == "wait_timeout"
    assert world.event_names.count("completion failed") == 1


def test_a_timeout_that_fails_an_attempt_takes_the_lease_and_the_old_holder_is_stale():
    world = WaitingWorld()
    world.open_wait(timeout_ms=1_000, on_timeout="fail")
    world.advance(1_000)
    world.sweep()

    with pytest.raises(ExecutionNotActive):
        world.complete()
    assert [(row.outcome, row.attempt_index) for row in world.attempts] == [("retry", 0)]


def test_a_hold_survives_a_timeout_that_fails():
    world = WaitingWorld()
    world.suspend(timeout_ms=1_000, on_timeout="fail")
    world.one(Hold(world.x_id, ""))
    world.advance(1_000)
    world.sweep()
    assert world.x.eligibility_state == "blocked_by_operator"

    world.one(Unhold(world.x_id))

    assert world.x.public_state == "delayed"


def test_a_stale_find_of_a_timeout_does_nothing():
    world = _suspended()
    due = due_of(world.x)
    assert due is not None
    assert world.one(HandleDue(due)) is False
    world.signal()
    world.advance(1_000)

    assert world.one(HandleDue(due)) is False

    assert world.event_names.count("signal resumed") == 1


def test_a_priority_that_was_changed_while_it_slept_is_that_of_the_resumed_one():
    world = _suspended()
    world.one(ChangePriority(world.x_id, 9))
    world.advance(1_000)
    world.sweep()

    assert (world.x.priority, world.x.public_state) == (9, "resumable")


def test_a_worker_that_lingers_goes_on_after_a_timeout():
    world = WaitingWorld()
    assert isinstance(world.open_wait(timeout_ms=1_000), WaitBegun)
    world.advance(1_000)
    world.sweep()

    assert world.inbox.unanswered == ("editor",)
    assert world.suspend() == WaitOver((), "timeout")
