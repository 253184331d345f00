"""Suspending: how a worker gives up its lease, and what others can do to an execution that is suspended."""

import pytest

from flowfabric.domain.commands import (
    ChangePriority,
    Hold,
    Release,
    RevokeLease,
    Unhold,
)
from flowfabric.domain.conditions import AtLeast, Every, OperatorOnly
from flowfabric.domain.errors import (
    ExecutionNotActive,
    ExecutionNotTerminal,
    StaleLease,
)
from flowfabric.domain.execution import due_of
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    Held,
    LeaseGivenUp,
    WaitOver,
)
from flowfabric.domain.plain import is_plain
from flowfabric.domain.policies import ExecutionPolicy
from tests.domain.waiting_world import WaitingWorld

# ── suspending ───────────────────────────────────────────────────────────────────────────────────


def test_a_suspended_execution_holds_no_lease_and_its_attempt_is_open():
    world = WaitingWorld()

    answer = world.suspend(Every("editor", "lawyer"), "both", timeout_ms=1_000)

    x = world.x
    assert isinstance(answer, LeaseGivenUp)
    assert (x.lifecycle_phase, x.ownership_state, x.eligibility_state, x.attempt_state) == (
        "suspended",
        "unowned",
        "not_applicable",
        "attempt_suspended",
    )
    assert (x.public_state, x.blocking_reason) == ("suspended", "waiting_for_signal")
    (attempt,) = world.attempts
    assert (attempt.outcome, attempt.terminal_at_ms, attempt.worker_id) == (None, None, "worker-1")
    assert world.events[-1].details == {
        "names": ["both"],
        "keys": ["editor", "lawyer"],
        "timeout_at_ms": world.now_ms + 1_000,
    }
    assert world.event_names == ["lease acquired", "lease suspended"]


def test_suspending_is_told_as_such_and_not_as_a_revocation():
    world = WaitingWorld()
    world.suspend()

    assert "lease revoked" not in world.event_names
    assert (world.x.interruption_count, world.x.retry_count, world.x.lease_epoch) == (0, 0, 1)


def test_a_resumed_attempt_is_the_same_attempt_under_the_next_epoch():
    world = WaitingWorld()
    world.advance(50)
    world.suspend()
    world.advance(100)
    world.signal()
    assert (world.x.public_state, world.x.attempt_state) == ("resumable", "attempt_suspended")

    claimed = world.claim(instance="worker-1/b")

    assert (claimed.claim_type, claimed.attempt_index, claimed.lease.lease_epoch) == ("resume", 0, 2)
    assert (world.x.retry_count, world.x.interruption_count) == (0, 0)
    world.advance(7)
    world.complete()
    (attempt,) = world.attempts
    assert attempt.started_at_ms == world.now_ms - 157
    assert (attempt.outcome, attempt.lease_epoch, attempt.worker_instance_id) == ("success", 2, "worker-1/b")


def test_the_timeout_of_the_attempt_begins_anew_with_each_resume():
    world = WaitingWorld(policy=ExecutionPolicy(attempt_timeout_ms=1_000))
    world.advance(900)
    world.suspend()
    assert due_of(world.x) is None
    world.advance(50_000)
    world.signal()

    claimed = world.claim()

    assert claimed.attempt_ends_at_ms == world.now_ms + 1_000


def test_what_has_begun_goes_before_what_has_not():
    world = WaitingWorld()
    place = world.x.ready_at_ms
    world.suspend()
    world.advance(10)
    world.create_another()
    world.advance(10)
    world.signal()

    assert world.x.ready_at_ms == place
    assert world.claim().execution_id == world.x_id


def test_a_suspend_that_is_sent_again_gets_the_same_answer():
    world = WaitingWorld()
    command = world.suspend_command()
    first = world.one(command)

    assert world.one(command) == first
    world.signal()
    assert world.one(command) == first
    with pytest.raises(ExecutionNotActive):
        world.suspend("lawyer", "lawyer")
    world.claim()
    with pytest.raises(StaleLease):
        world.one(command)
    assert world.event_names.count("lease suspended") == 1


def test_a_suspend_of_an_earlier_lease_is_refused_even_if_the_execution_is_suspended_again():
    world = WaitingWorld()
    late = world.suspend_command("lawyer", "lawyer")
    world.suspend()
    world.signal()
    world.claim()
    world.suspend("lawyer", "lawyer")

    with pytest.raises(ExecutionNotActive):
        world.one(late)


def test_signals_of_before_satisfy_a_nested_condition_at_once():
    world = WaitingWorld()
    for key in ("a", "b", "c"):
        world.signal(key)

    over = world.suspend(Every("a", AtLeast(2, "b", "c", "d")), "nested")

    assert isinstance(over, WaitOver)
    assert [signal.key for signal in over.signals] == ["a", "b", "c"]


def test_the_end_of_a_wait_is_not_told_as_a_completion():
    world = WaitingWorld()
    world.suspend()
    world.signal()
    world.claim()

    assert not [event for event in world.events if event.channel == "completion"]


def test_a_suspend_whose_wait_is_over_keeps_the_lease():
    world = WaitingWorld()
    world.open_wait()
    world.signal()

    assert isinstance(world.suspend(), WaitOver)
    assert world.x.public_state == "active"


def test_a_worker_does_not_fall_asleep_while_another_of_its_waits_is_over():
    world = WaitingWorld()
    world.open_wait("lawyer", "lawyer")
    world.signal("lawyer")

    assert world.suspend() == AlreadySatisfied("another_wait_is_over")

    assert world.x.public_state == "active"
    assert isinstance(world.open_wait("lawyer", "lawyer"), WaitOver)
    assert isinstance(world.suspend(), LeaseGivenUp)


def test_a_worker_that_has_not_heard_the_answer_may_ask_again_without_falling_asleep():
    world = WaitingWorld()
    world.open_wait("lawyer", "lawyer")
    world.signal("lawyer")

    assert [world.suspend(), world.suspend()] == [AlreadySatisfied("another_wait_is_over")] * 2
    assert isinstance(world.open_wait("lawyer", "lawyer"), WaitOver)
    assert isinstance(world.suspend(), LeaseGivenUp)


def test_a_wait_that_only_an_earlier_attempt_has_asked_for_does_not_keep_a_worker_awake():
    world = WaitingWorld()
    world.open_wait("lawyer", "lawyer")
    world.fail()
    world.claim()
    world.signal("lawyer")

    assert isinstance(world.suspend(), LeaseGivenUp)


def test_a_worker_that_asks_for_the_wait_of_an_earlier_attempt_hears_of_its_end():
    world = WaitingWorld()
    world.open_wait("lawyer", "lawyer")
    world.open_wait("author", "author")
    world.fail()
    world.claim()
    world.open_wait("lawyer", "lawyer")
    world.signal("lawyer")

    assert world.inbox.unanswered == ("lawyer",)
    assert world.suspend() == AlreadySatisfied("another_wait_is_over")
    assert [wait.name for wait in world.inbox.waits] == ["author", "editor"]


def test_an_answered_wait_is_told_once():
    world = WaitingWorld()
    world.open_wait()
    world.signal()
    assert world.inbox.unanswered == ("editor",)

    world.open_wait()

    assert world.inbox.unanswered == ()
    assert isinstance(world.suspend("lawyer", "lawyer"), LeaseGivenUp)


def test_the_next_attempt_is_told_of_nothing_that_it_has_not_asked_for():
    world = WaitingWorld()
    world.open_wait()
    world.signal()
    world.one(Release(world.fence))
    world.claim()

    assert world.inbox.unanswered == ()
    assert isinstance(world.suspend("lawyer", "lawyer"), LeaseGivenUp)


def test_an_execution_resumes_when_any_of_its_waits_is_over():
    world = WaitingWorld()
    world.open_wait("lawyer", "lawyer")
    world.suspend()

    world.signal("lawyer")

    assert world.x.public_state == "resumable"
    assert [wait.name for wait in world.inbox.waits] == ["editor"]
    assert world.signal("editor").effect == "resumed"
    assert world.event_names.count("signal resumed") == 2


def test_a_wait_of_an_operator_is_not_satisfied_by_a_signal_of_any_name():
    world = WaitingWorld()
    world.suspend(OperatorOnly(), "pause")

    for name in ("resumed", "operator", "__operator_only__", "__timeout_only__"):
        assert world.signal("pause", name=name).effect == "buffered"

    assert world.x.public_state == "suspended"


# ── while suspended ──────────────────────────────────────────────────────────────────────────────


def test_a_hold_of_a_suspended_execution_takes_effect_when_it_is_resumed():
    world = WaitingWorld()
    world.suspend()
    assert world.one(Hold(world.x_id, "look first")) == Held(world.x_id)
    assert world.one(Hold(world.x_id, "again")) == Held(world.x_id)
    assert (world.x.public_state, world.x.blocking_reason) == ("suspended", "paused_by_operator")

    world.signal()

    assert (world.x.eligibility_state, world.x.blocking_reason) == ("blocked_by_operator", "paused_by_operator")
    assert world.event_names.count("operator held") == 1
    world.one(Unhold(world.x_id))
    assert world.x.public_state == "resumable"
    assert world.claim().claim_type == "resume"


def test_a_hold_of_a_suspended_execution_can_be_taken_back():
    world = WaitingWorld()
    world.suspend()
    world.one(Hold(world.x_id, ""))
    world.one(Unhold(world.x_id))
    world.one(Unhold(world.x_id))
    assert world.x.blocking_reason == "waiting_for_signal"

    world.signal()

    assert world.x.public_state == "resumable"
    assert world.event_names.count("operator unheld") == 1


def test_the_priority_of_a_suspended_execution_is_kept_for_its_resume():
    world = WaitingWorld()
    world.suspend()

    world.one(ChangePriority(world.x_id, 7))
    world.create_another(priority=5)
    world.signal()

    assert world.claim().execution_id == world.x_id


def test_a_suspended_execution_has_no_lease_to_revoke_and_cannot_be_replayed():
    world = WaitingWorld()
    world.suspend()

    assert world.one(RevokeLease(world.x_id, "", "", "")) == AlreadySatisfied("no_active_lease")
    with pytest.raises(ExecutionNotTerminal):
        world.replay()


def test_a_cancel_of_a_suspended_execution_needs_no_worker():
    world = WaitingWorld()
    world.suspend()

    world.cancel()

    assert world.x.public_state == "cancelled"
    assert world.event_names == ["lease acquired", "lease suspended", "completion cancelled"]
    assert [attempt.outcome for attempt in world.attempts] == ["cancelled"]
    assert world.inbox.waits == ()
    assert due_of(world.x) is None


def test_the_deadline_goes_on_while_an_execution_is_suspended():
    world = WaitingWorld(deadline_at_ms=WaitingWorld().now_ms + 1_000)
    world.suspend(timeout_ms=5_000)
    world.advance(1_000)

    assert world.sweep() == 1

    assert world.x.public_state == "expired"
    assert [attempt.outcome for attempt in world.attempts] == ["expired"]
    assert due_of(world.x) is None


@pytest.mark.parametrize("how", ["complete", "cancel", "fail"])
def test_every_end_drops_the_open_waits(how: str):
    world = WaitingWorld()
    world.open_wait(timeout_ms=1_000)
    world.open_wait("lawyer", "lawyer")
    world.signal("lawyer")

    world.fail(retryable=False) if how == "fail" else getattr(world, how)()

    assert (world.inbox.waits, world.inbox.unanswered) == ((), ())
    world.advance(10_000)
    assert world.sweep() == 0


def test_an_execution_that_never_waited_has_no_inbox_and_stays_plain():
    world = WaitingWorld()
    assert world.x.inbox is None
    assert is_plain(world.x, "completed")
    world.create_waitpoint("editor")
    assert not is_plain(world.x, "completed")
    world.complete()
    assert world.x.inbox is not None
