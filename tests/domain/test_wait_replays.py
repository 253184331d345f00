"""Waitpoints, tokens and signals live and die with the steps of a replayed execution."""

from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric.domain.commands import RecordStep, ReplayExecution, Suspend
from flowfabric.domain.conditions import On, OperatorOnly, stored
from flowfabric.domain.errors import NotSignalable, WaitpointClosed
from flowfabric.domain.lease import lease_id
from flowfabric.domain.outcomes import DuplicateSignal, LeaseGivenUp, Replayed, WaitOver
from tests.domain.records import STORE, a_claim
from tests.domain.waiting_world import KID, WaitingWorld, a_signal, payloads


def _step(world: WaitingWorld, name: str) -> None:
    world.one(RecordStep(world.fence, name, b"fingerprint", b"done"))


def _keys(world: WaitingWorld) -> list[str]:
    return [waitpoint.key for waitpoint, _ in world.store.waitpoints(world.x_id)[1]]


def test_a_replay_that_keeps_the_steps_opens_the_waitpoints_again():
    world = WaitingWorld()
    made = world.create_waitpoint("editor")
    world.signal("editor", b"kept", idempotency_key="k")
    world.suspend("lawyer", "lawyer")
    world.cancel()
    with pytest.raises(NotSignalable):
        world.signal("editor")

    world.replay(steps="keep")

    assert world.signal("editor", waitpoint_id=made.waitpoint_id, life=made.life).effect == "buffered"
    assert isinstance(world.signal("editor", b"kept", idempotency_key="k"), DuplicateSignal)
    world.claim()
    assert world.create_waitpoint("editor") == made
    assert payloads(world.open_wait()) == [b"kept"]
    assert isinstance(world.suspend("lawyer", "lawyer"), LeaseGivenUp)


def test_a_wait_that_was_over_in_a_life_that_is_kept_is_over():
    world = WaitingWorld()
    world.signal()
    over = world.open_wait()
    world.cancel()
    world.replay(steps="keep")
    world.claim()

    assert world.open_wait() == over


def test_a_replay_that_clears_the_steps_begins_with_an_empty_inbox():
    world = WaitingWorld()
    made = world.create_waitpoint("editor", alias="order:42")
    first = world.signal("editor", b"of the former life", idempotency_key="k")
    world.open_wait()
    world.signal("editor", b"untaken")
    world.complete()

    world.replay(steps="clear")

    assert (_keys(world), world.signals) == ([], [])
    assert world.store.alias("default", "order:42") is None
    with pytest.raises(WaitpointClosed, match="former life"):
        world.signal("editor", waitpoint_id=made.waitpoint_id, life=made.life)
    again = world.signal("editor", b"of this life", idempotency_key="k")
    assert again.signal_id != first.signal_id
    world.claim()
    anew = world.create_waitpoint("editor")
    assert (anew.life, anew.waitpoint_id != made.waitpoint_id) == (1, True)
    with pytest.raises(WaitpointClosed):
        world.signal("editor", waitpoint_id=made.waitpoint_id, life=made.life)
    assert payloads(world.open_wait()) == [b"of this life"]


def test_a_completed_execution_is_replayed_with_an_empty_inbox_by_default():
    world = WaitingWorld()
    world.signal()
    world.complete()
    world.replay()

    assert world.signals == []


def test_a_token_of_a_former_life_does_not_learn_what_was_sent_in_this_one():
    world = WaitingWorld()
    made = world.create_waitpoint("editor")
    world.complete()
    world.replay(steps="clear")
    world.signal("editor", idempotency_key="k")

    with pytest.raises(WaitpointClosed):
        world.signal("editor", idempotency_key="k", waitpoint_id=made.waitpoint_id, life=made.life)


def test_each_cleared_life_has_tokens_of_its_own():
    world = WaitingWorld()
    ids = set()
    for _ in range(4):
        ids.add(world.create_waitpoint("editor").waitpoint_id)
        world.complete()
        world.replay(steps="clear")
        world.claim()

    assert len(ids) == 4


def test_an_execution_that_never_waited_is_replayed_without_an_inbox():
    world = WaitingWorld()
    world.complete()
    world.replay(steps="clear")

    assert world.x.inbox is None


def test_a_waitpoint_that_a_kept_step_may_have_used_stays():
    world = WaitingWorld()
    made = world.create_waitpoint("editor")
    world.advance(1)
    _step(world, "mail")  # it may have sent the token
    world.advance(1)
    world.suspend("editor", "editor")
    world.signal("editor", b"verdict")
    world.claim()
    over = world.open_wait()
    world.suspend("votes", "votes")
    world.signal("votes")
    world.cancel()

    replayed = world.replay(from_step="editor")

    assert isinstance(replayed, Replayed)
    assert replayed.steps_kept == 1
    assert _keys(world) == ["editor"]
    assert [(each.payload, each.taken_by) for each in world.signals] == [(b"verdict", None)]
    assert world.signal("editor", b"later", waitpoint_id=made.waitpoint_id, life=made.life).effect == "buffered"
    world.claim()
    assert world.open_wait() == over
    assert world.open_wait("votes", "votes").waitpoints[0].life == 1


def test_a_waitpoint_that_no_kept_step_can_have_used_is_gone_with_its_signals():
    world = WaitingWorld()
    _step(world, "draft")
    world.advance(1)
    made = world.create_waitpoint("editor", alias="order:42")
    world.signal("editor", b"taken", idempotency_key="k")
    world.open_wait()
    world.signal("editor", b"untaken")
    world.cancel()

    world.replay(from_step="editor")

    assert (_keys(world), world.signals) == ([], [])
    assert world.store.alias("default", "order:42") is None
    with pytest.raises(WaitpointClosed):
        world.signal("editor", waitpoint_id=made.waitpoint_id, life=made.life)
    assert world.signal("editor", b"taken", idempotency_key="k").effect == "buffered"


@pytest.mark.parametrize("how", [{"from_step": "editor"}, {"steps": "clear"}])
def test_a_signal_in_the_batch_of_the_replay_is_of_the_new_life(how: dict[str, Any]):
    world = WaitingWorld()
    _step(world, "draft")
    world.advance(1)
    first = world.signal("editor", idempotency_key="k")
    world.open_wait()
    world.cancel()

    _, again = world.decide(ReplayExecution(world.x_id, **how), a_signal(world.x_id, idempotency_key="k"))

    assert again.signal_id != first.signal_id
    assert world.signal(idempotency_key="k") == DuplicateSignal(again.signal_id)


def _replayed_and_suspended(world: WaitingWorld) -> Any:
    """Replay the cancelled execution, claim it and suspend it, all in one batch."""
    fence = replace(world.fence, lease_epoch=4, lease_id=lease_id(STORE, world.x_id, 0, 4))
    wait = ("editor", stored(On("editor")), None, None, "resume", "", KID)
    *_, answer = world.decide(ReplayExecution(world.x_id, from_step="editor"), a_claim(), Suspend(fence, *wait))
    return answer


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_wait_in_the_batch_of_the_replay_takes_what_the_replay_keeps(is_kept: bool):
    world = WaitingWorld()
    if is_kept:
        world.create_waitpoint("editor")
    _step(world, "draft")
    world.advance(1)
    world.signal("editor", b"verdict")
    world.signal("editor", b"another")
    world.open_wait()
    world.cancel()

    answer = _replayed_and_suspended(world)

    if is_kept:
        assert payloads(answer) == [b"verdict"]
    else:
        assert isinstance(answer, LeaseGivenUp)


def test_a_sleep_that_an_operator_had_ended_is_slept_again():
    world = WaitingWorld()
    _step(world, "draft")
    world.suspend(OperatorOnly(), "sleep", timeout_ms=1_000)
    world.resume()
    world.cancel()

    world.replay(from_step="sleep")

    assert world.signals == []
    world.claim()
    assert isinstance(world.suspend(OperatorOnly(), "sleep", timeout_ms=1_000), LeaseGivenUp)


def test_waits_before_the_first_dropped_step_are_not_waited_for_again():
    world = WaitingWorld()
    world.signal("first", b"1")
    first = world.open_wait("first", "first")
    world.advance(1)
    world.signal("second", b"2")
    world.open_wait("second", "second")
    world.cancel()
    world.replay(from_step="second")
    world.claim()

    assert isinstance(first, WaitOver)
    assert world.open_wait("first", "first") == first
    assert isinstance(world.suspend("second", "second"), LeaseGivenUp)


def test_a_replay_resets_what_was_suspended():
    world = WaitingWorld()
    world.suspend()
    world.cancel()
    world.replay(steps="keep")

    claimed = world.claim()

    assert (claimed.claim_type, claimed.attempt_index, claimed.lease.lease_epoch) == ("replay", 0, 3)
    world.complete()
    assert [(row.attempt_index, row.outcome) for row in world.attempts] == [(0, "success")]
