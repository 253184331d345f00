"""Waits: how a worker opens one, how it suspends, and how a wait ends."""

import pytest

from flowfabric.domain.commands import (
    OpenWait,
    RecordStep,
    RevokeLease,
    Suspend,
)
from flowfabric.domain.conditions import AtLeast, Either, Every, On, stored
from flowfabric.domain.errors import (
    Conflict,
    ExecutionNotActive,
    InvalidInput,
    StaleLease,
    WaitpointClosed,
)
from flowfabric.domain.outcomes import (
    LeaseGivenUp,
    Signalled,
    WaitBegun,
    WaitOver,
)
from flowfabric.domain.remembered_answers import unpack_wait_over
from flowfabric.domain.waiting import wait_fingerprint
from tests.domain.waiting_world import KID, WaitingWorld, a_signal, payloads

# ── opening ──────────────────────────────────────────────────────────────────────────────────────


def test_a_wait_without_signals_is_open_and_the_lease_is_kept():
    world = WaitingWorld()

    answer = world.open_wait(Every("editor", "lawyer"), "both")

    assert isinstance(answer, WaitBegun)
    assert [made.key for made in answer.waitpoints] == ["editor", "lawyer"]
    assert world.x.public_state == "active"
    assert [wait.name for wait in world.inbox.waits] == ["both"]


def test_a_wait_whose_signals_are_there_is_over_at_once():
    world = WaitingWorld()
    world.signal("editor", b"first")
    world.signal("editor", b"second")

    answer = world.open_wait()

    assert isinstance(answer, WaitOver)
    assert (payloads(answer), answer.cause) == ([b"first"], "signal")
    assert [signal.taken_by for signal in world.signals] == ["editor", None]
    assert world.event_names[-1] == "signal resumed"
    assert world.events[-1].details == {"name": "editor", "cause": "signal"}


def test_waits_of_one_batch_take_one_kept_signal_after_the_other():
    world = WaitingWorld()
    for payload in (b"first", b"second", b"third"):
        world.signal("editor", payload)
    waits = [
        OpenWait(world.fence, name, stored(On("editor")), None, None, "resume", "", KID)
        for name in ("a", "b", "c", "d")
    ]

    *over, left = world.decide(*waits)

    assert [payloads(answer) for answer in over] == [[b"first"], [b"second"], [b"third"]]
    assert isinstance(left, WaitBegun)


def test_a_wait_that_is_over_answers_the_same_in_every_attempt():
    world = WaitingWorld()
    world.signal()
    first = world.open_wait()
    world.fail()
    world.claim()

    assert world.open_wait() == world.suspend() == first


def test_the_end_of_a_wait_is_a_stored_step():
    world = WaitingWorld()
    world.signal()

    over = world.open_wait()

    _, (step,) = world.store.steps(world.x_id)
    assert (step.name, step.is_wait, step.number) == ("editor", True, 1)
    assert unpack_wait_over(step.result) == over


def test_an_open_wait_stays_open_for_the_next_attempt_and_no_timeout_moves():
    world = WaitingWorld()
    world.open_wait(timeout_ms=5_000)
    until_ms = world.now_ms + 5_000
    world.fail()
    world.claim()
    world.advance(1_000)

    world.open_wait(timeout_ms=9_000, on_timeout="cancel", reason="another")

    (wait,) = world.inbox.waits
    assert (wait.timeout_at_ms, wait.on_timeout, wait.reason) == (until_ms, "resume", "waiting_for_signal")


def test_signals_that_came_between_two_attempts_have_ended_the_wait():
    world = WaitingWorld()
    world.open_wait()
    world.fail()
    assert world.signal().effect == "resumed"
    world.claim()

    assert payloads(world.open_wait()) == [b"yes"]
    assert world.inbox.unanswered == ()


@pytest.mark.parametrize("command", ["open_wait", "suspend"])
def test_a_name_means_one_condition_for_ever(command: str):
    world = WaitingWorld()
    world.open_wait()
    with pytest.raises(Conflict):
        getattr(world, command)("lawyer", "editor")
    world.signal()
    with pytest.raises(Conflict):
        getattr(world, command)("lawyer", "editor")


def test_a_wait_and_a_step_cannot_share_a_name():
    world = WaitingWorld()
    world.one(RecordStep(world.fence, "mail", b"fingerprint", b"done"))
    with pytest.raises(Conflict):
        world.open_wait("mail", "mail")
    world.one(RecordStep(world.fence, "trick", wait_fingerprint(stored(On("trick"))), b"no end of a wait"))
    with pytest.raises(Conflict):
        world.open_wait("trick", "trick")
    world.open_wait()
    with pytest.raises(Conflict):
        world.one(RecordStep(world.fence, "editor", b"fingerprint", b"done"))
    world.signal()
    with pytest.raises(Conflict):
        world.one(RecordStep(world.fence, "editor", b"fingerprint", b"done"))


def test_waiting_at_a_waitpoint_that_an_operator_has_closed_is_refused():
    world = WaitingWorld()
    world.create_waitpoint("editor")
    world.close("editor")

    with pytest.raises(WaitpointClosed, match="spam"):
        world.open_wait(Either("lawyer", "editor"), "any")
    with pytest.raises(WaitpointClosed):
        world.suspend()

    assert world.inbox.waits == ()
    assert [waitpoint.key for waitpoint, _ in world.store.waitpoints(world.x_id)[1]] == ["editor"]


def test_an_execution_has_a_thousand_open_waits_at_most(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("flowfabric.domain.decide.waiting.WAITS_MAX", 2)
    world = WaitingWorld()
    world.open_wait("a", "a")
    world.open_wait("b", "b")

    with pytest.raises(InvalidInput, match="2 open waits"):
        world.open_wait("c", "c")
    world.signal("d")
    assert isinstance(world.open_wait("d", "d"), WaitOver)
    assert isinstance(world.suspend("a", "a"), LeaseGivenUp)


@pytest.mark.parametrize("command", ["create_waitpoint", "open_wait", "suspend"])
def test_a_worker_that_lost_its_lease_can_neither_wait_nor_make_a_waitpoint(command: str):
    world = WaitingWorld()
    stale = world.fence
    world.one(RevokeLease(world.x_id, "", "", ""))
    with pytest.raises(ExecutionNotActive):
        getattr(world, command)("editor")
    world.claim()
    world._fence = stale
    with pytest.raises(StaleLease):
        getattr(world, command)("editor")

    assert world.x.inbox is None


# ── several commands of one batch ────────────────────────────────────────────────────────────────


def test_commands_of_one_batch_see_each_other():
    world = WaitingWorld()
    condition = AtLeast(2, "vote", distinct="signals")

    answers = world.decide(
        a_signal(world.x_id, "vote", b"1"),
        OpenWait(world.fence, "votes", stored(condition), None, None, "resume", "", KID),
        a_signal(world.x_id, "vote", b"2"),
        OpenWait(world.fence, "votes", stored(condition), None, None, "resume", "", KID),
        a_signal(world.x_id, "vote", b"3"),
        Suspend(world.fence, "one more", stored(On("vote")), None, None, "resume", "", KID),
        Suspend(world.fence, "another", stored(On("vote")), None, None, "resume", "", KID),
        a_signal(world.x_id, "vote", b"4"),
    )

    first, begun, second, over, third, one_more, another, fourth = answers
    assert [each.effect for each in (first, second, third, fourth)] == ["buffered", "resumed", "buffered", "resumed"]
    assert isinstance(begun, WaitBegun)
    assert payloads(over) == [b"1", b"2"]
    assert payloads(one_more) == [b"3"]
    assert isinstance(another, LeaseGivenUp)
    assert world.x.public_state == "resumable"


def test_a_kept_answer_of_a_command_id_is_given_again():
    world = WaitingWorld()
    first = world.one(a_signal(world.x_id), command_id="c")

    assert isinstance(first, Signalled)
    assert world.one(a_signal(world.x_id), command_id="c") == first
    assert len(world.signals) == 1
