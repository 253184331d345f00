"""Blocks of code under a limit: a running attempt takes a slot, or waits for one with its lease or without it."""

from contextlib import suppress
from typing import Any, cast

import pytest

from flowfabric import (
    AlreadySatisfied,
    BlockingEngine,
    Claimed,
    EngineError,
    ExecutionNotActive,
    InvalidInput,
    LimitFull,
    LimitSnapshot,
    ManualClock,
    NotFound,
    Parked,
    SlotTaken,
    StaleLease,
)
from flowfabric_conformance.gate_stage import ENDS, PARKED, RETRIED, claims, gated, limit_at, states
from flowfabric_conformance.stage import claim_ids, create, log, look, refused


def _leased(engine: BlockingEngine, number: int, **arguments: Any) -> list[Claimed]:
    """So many running executions without limits of their own."""
    for _ in range(number):
        create(engine, **arguments)
    return claims(engine)


def _in_use(engine: BlockingEngine, *names: str) -> list[int]:
    return [limit_at(engine, name).in_use for name in names]


def test_a_block_takes_a_slot_and_gives_it_back(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    first, second = _leased(engine, 2)

    taken = engine.take_slot(first.lease, "api")
    full = engine.take_slot(second.lease, "api")
    of_another_key = engine.take_slot(second.lease, "api", "t-7")
    held = limit_at(engine)
    engine.give_slot(first.lease, "api")

    assert taken == SlotTaken("api", "", 1)
    assert full == LimitFull("api", "", None)
    assert of_another_key == SlotTaken("api", "t-7", 1)
    assert (held.in_use, held.running) == (1, (first.execution_id,))
    assert limit_at(engine).in_use == 0
    assert engine.take_slot(second.lease, "api") == SlotTaken("api", "", 1)
    assert states(engine, first.execution_id, second.execution_id) == ["active", "active"]


def test_a_block_that_ends_leaves_the_execution_as_if_it_had_never_been(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", concurrency=1)
    (claimed,) = _leased(engine, 1)
    before = look(engine, claimed.execution_id)
    engine.take_slot(claimed.lease, "api")
    inside = look(engine, claimed.execution_id).gates
    engine.give_slot(claimed.lease, "api")
    engine.give_slot(claimed.lease, "api")

    assert inside is not None
    assert (inside.limits, inside.slots, inside.blocks) == ({}, {}, (("api", ""),))
    assert look(engine, claimed.execution_id) == before


@pytest.mark.parametrize("end", ["complete", "retry", "suspend", "revoke", "expiry"])
def test_a_slot_of_a_block_comes_back_however_the_lease_ends(
    engine: BlockingEngine, clock: ManualClock, end: str
) -> None:
    engine.set_limit("api", concurrency=1)
    (claimed,) = _leased(engine, 1, policy=RETRIED)
    engine.take_slot(claimed.lease, "api")
    taken = limit_at(engine).in_use
    ENDS[end](engine, clock, claimed.lease)
    given_back = limit_at(engine).in_use
    with suppress(EngineError):
        engine.give_slot(claimed.lease, "api")

    assert (taken, given_back) == (1, 0)
    assert limit_at(engine).in_use == 0
    gates = look(engine, claimed.execution_id).gates
    assert gates is None


def test_a_block_counts_a_start_of_the_rate(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", rate=2, per_ms=1_000, burst=1)
    first, second = _leased(engine, 2)
    engine.take_slot(first.lease, "api")

    assert engine.take_slot(second.lease, "api") == LimitFull("api", "", clock.now_ms + 500)
    clock.advance(500)
    assert engine.take_slot(second.lease, "api") == SlotTaken("api", "", 1)


def test_a_key_that_the_execution_names_needs_no_second_slot(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (claimed,) = claims(engine)

    taken = engine.take_slot(claimed.lease, "api", block=3)
    again = engine.take_slot(claimed.lease, "api", park=True)
    engine.give_slot(claimed.lease, "api")

    assert (taken, again) == (SlotTaken("api", "", 3, is_named=True), SlotTaken("api", "", 1, is_named=True))
    assert limit_at(engine).in_use == 1
    engine.complete(claimed.lease)
    assert limit_at(engine).in_use == 0


def test_a_block_that_waits_is_parked_and_goes_on_as_the_same_attempt(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", concurrency=1)
    first, second = _leased(engine, 2, policy=RETRIED)
    engine.record_step(second.lease, "before", b"1")
    engine.take_slot(first.lease, "api")

    answers = [engine.take_slot(second.lease, "api", block=2, park=True) for _ in range(2)]
    parked = look(engine, second.execution_id)
    nothing = claims(engine)
    clock.advance(10)
    engine.give_slot(first.lease, "api")
    (resumed,) = claims(engine)
    held = engine.take_slot(resumed.lease, "api")

    assert answers == [Parked(second.execution_id, "api", "")] * 2
    assert (parked.public_state, parked.blocking_reason) == (PARKED, "waiting_for_quota")
    assert parked.gates is not None
    assert (parked.gates.parked_at_limit, parked.gates.blocks) == ("api", (("api", ""),))
    assert nothing == []
    assert (resumed.execution_id, resumed.claim_type, resumed.attempt_index) == (second.execution_id, "resume", 0)
    assert held == SlotTaken("api", "", 2)  # for the block that waited
    x = look(engine, second.execution_id)
    assert (x.retry_count, x.interruption_count, x.attempt_index) == (0, 0, 0)
    assert _in_use(engine, "api") == [1]
    released = [event.details for event in log(engine) if event.event_type == "released"]
    assert released == [{"limit": "api", "key": ""}]
    assert "waits for limit api: 1 of 1 in use" not in engine.explain(second.execution_id)


def test_a_block_that_finds_room_when_it_would_be_parked_goes_on(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    (claimed,) = _leased(engine, 1)

    assert engine.take_slot(claimed.lease, "api", park=True) == SlotTaken("api", "", 1)
    assert states(engine, claimed.execution_id) == ["active"]


def test_a_parked_block_holds_nothing_and_its_next_claim_takes_all_or_none(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    for name in ("a", "b"):
        engine.set_limit(name, concurrency=1)
    one, other = _leased(engine, 2)
    engine.take_slot(one.lease, "a")
    engine.take_slot(other.lease, "b")

    engine.take_slot(one.lease, "b", park=True)
    while_one_waits = _in_use(engine, "a", "b")
    went_on = engine.take_slot(other.lease, "a")
    still_waits = claims(engine)
    engine.give_slot(other.lease, "b")
    without_a = claims(engine)
    engine.complete(other.lease)
    (resumed,) = claims(engine)

    assert while_one_waits == [0, 1]
    assert went_on == SlotTaken("a", "", 1)
    assert (still_waits, without_a) == ([], [])
    assert resumed.execution_id == one.execution_id
    assert _in_use(engine, "a", "b") == [1, 1]
    engine.complete(resumed.lease)
    assert _in_use(engine, "a", "b") == [0, 0]


def test_a_resumed_block_counts_one_start_and_the_blocks_around_it_none(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("around", rate=2, per_ms=60_000)
    engine.set_limit("api", concurrency=1, rate=2, per_ms=60_000)
    holder, waiter, late = _leased(engine, 3)
    engine.take_slot(holder.lease, "api")
    engine.take_slot(waiter.lease, "around")
    engine.take_slot(waiter.lease, "api", park=True)
    engine.give_slot(holder.lease, "api")
    (resumed,) = claims(engine)
    engine.complete(resumed.lease)

    assert engine.take_slot(late.lease, "around") == SlotTaken("around", "", 1)
    assert isinstance(engine.take_slot(late.lease, "api"), LimitFull)


def test_a_block_at_a_spent_rate_goes_on_when_the_next_start_is_possible(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", rate=1, per_ms=1_000)
    first, second = _leased(engine, 2)
    engine.take_slot(first.lease, "api")
    engine.take_slot(second.lease, "api", park=True)
    engine.reconcile()
    too_early = claim_ids(engine)
    clock.advance(1_000)
    engine.reconcile()

    assert too_early == []
    assert claim_ids(engine) == [second.execution_id]


def test_those_that_are_parked_come_before_a_block_that_asks_later(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    holder, early, late, latest = _leased(engine, 4)
    engine.take_slot(holder.lease, "api")
    engine.take_slot(early.lease, "api", park=True)
    clock.advance(1)
    engine.take_slot(late.lease, "api", park=True)

    engine.give_slot(holder.lease, "api")
    pushes_in = engine.take_slot(latest.lease, "api")

    assert isinstance(pushes_in, LimitFull)
    assert claim_ids(engine) == [early.execution_id]


def test_a_parked_block_and_what_names_the_limit_wait_in_one_order(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    (waiter,) = _leased(engine, 1)
    clock.advance(5)
    gated(engine)
    (holder,) = claims(engine)
    named = gated(engine)
    claims(engine)
    engine.take_slot(waiter.lease, "api", park=True)

    engine.complete(holder.lease)
    (first,) = claims(engine)
    engine.complete(first.lease)

    assert first.execution_id == waiter.execution_id  # what has begun goes before what has not
    assert claim_ids(engine) == [named]


@pytest.mark.parametrize("leave", ["cancel", "hold", "deadline"])
def test_a_parked_block_can_be_cancelled_held_and_too_late(
    engine: BlockingEngine, clock: ManualClock, leave: str
) -> None:
    engine.set_limit("api", concurrency=1)
    holder, waiter = _leased(engine, 2, deadline_at_ms=clock.now_ms + 20_000 if leave == "deadline" else None)
    engine.take_slot(holder.lease, "api")
    engine.take_slot(waiter.lease, "api", park=True)
    if leave == "cancel":
        engine.cancel_execution(waiter.execution_id, reason="no longer wanted")
    elif leave == "hold":
        engine.hold(waiter.execution_id)
    else:
        engine.complete(holder.lease)
        clock.advance(20_000)
        engine.reconcile()
    away = (limit_at(engine).parked, claim_ids(engine))
    if leave == "hold":
        engine.complete(holder.lease)
        engine.unhold(waiter.execution_id)
        assert claim_ids(engine) == [waiter.execution_id]
        assert limit_at(engine).in_use == 1

    assert away == (0, [])
    gates = look(engine, waiter.execution_id).gates
    assert gates is None or leave == "hold"


def test_a_replay_does_not_remember_the_block(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    holder, waiter = _leased(engine, 2)
    engine.take_slot(holder.lease, "api")
    engine.take_slot(waiter.lease, "api", park=True)
    engine.cancel_execution(waiter.execution_id, reason="no longer wanted")
    engine.replay_execution(waiter.execution_id)

    assert claim_ids(engine) == [waiter.execution_id]
    assert limit_at(engine).in_use == 1


def test_a_wait_that_is_over_keeps_a_block_from_being_parked(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    holder, waiter = _leased(engine, 2)
    engine.take_slot(holder.lease, "api")
    engine.open_wait(waiter.lease, "approval", "editor")
    engine.signal(waiter.execution_id, "editor")

    kept = engine.take_slot(waiter.lease, "api", park=True)
    engine.open_wait(waiter.lease, "approval", "editor")

    assert kept == AlreadySatisfied("another_wait_is_over")
    assert engine.take_slot(waiter.lease, "api", park=True) == Parked(waiter.execution_id, "api", "")


def test_a_signal_to_a_parked_block_is_kept_for_it(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    holder, waiter = _leased(engine, 2)
    engine.take_slot(holder.lease, "api")
    engine.open_wait(waiter.lease, "approval", "editor")
    engine.take_slot(waiter.lease, "api", park=True)

    engine.signal(waiter.execution_id, "editor", b"fine")
    still = states(engine, waiter.execution_id)
    engine.complete(holder.lease)
    (resumed,) = claims(engine)

    assert still == [PARKED]
    over = engine.get_wait(resumed.execution_id, "approval")
    assert over is not None
    assert [signal.payload for signal in over.signals] == [b"fine"]


def test_a_paused_or_removed_limit_concerns_blocks_as_it_does_executions(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", concurrency=1)
    first, second = _leased(engine, 2)
    engine.pause_limit("api", for_ms=100)
    paused = engine.take_slot(first.lease, "api")
    clock.advance(100)
    engine.take_slot(first.lease, "api")
    engine.take_slot(second.lease, "api", park=True)
    engine.remove_limit("api")
    engine.reconcile()
    (resumed,) = claims(engine)

    assert paused == LimitFull("api", "", clock.now_ms)
    assert engine.take_slot(resumed.lease, "api") == SlotTaken("api", "", 1)
    with refused(engine, NotFound):
        engine.take_slot(resumed.lease, "api", "another")


def test_only_the_lease_that_runs_takes_slots(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    (claimed,) = _leased(engine, 1)
    engine.release(claimed.lease)
    with refused(engine, ExecutionNotActive):
        engine.take_slot(claimed.lease, "api")
    (again,) = claims(engine)
    for park in (False, True):
        with refused(engine, StaleLease):
            engine.take_slot(claimed.lease, "api", park=park)
    with refused(engine, StaleLease):
        engine.give_slot(claimed.lease, "api")
    assert engine.take_slot(again.lease, "api") == SlotTaken("api", "", 1)


def test_blocks_are_checked_and_bounded(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    (claimed,) = _leased(engine, 1)
    with refused(engine, NotFound) as found:
        engine.take_slot(claimed.lease, "nobody")
    assert found.value.entity == "limit"
    for wrong in ({"limit": ""}, {"limit": "api", "key": "x" * 257}, {"limit": "api", "block": 0}):
        with refused(engine, InvalidInput):
            engine.take_slot(claimed.lease, **wrong)
    for number in range(8):
        engine.take_slot(claimed.lease, "api", f"k-{number}")
    with refused(engine, InvalidInput):
        engine.take_slot(claimed.lease, "api", "one too many")
    engine.complete(claimed.lease)
    limits = cast("list[LimitSnapshot]", engine.list_limits().items)
    assert [each.in_use for each in limits] == [0]


def test_a_lease_that_is_over_waits_for_no_slot(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    first, second = _leased(engine, 2)
    with_room = engine.wait_for_slot(second.lease, "api", timeout_ms=60_000)
    engine.take_slot(first.lease, "api")
    full = engine.wait_for_slot(second.lease, "api", timeout_ms=0)
    engine.release(second.lease)

    assert (with_room, full) == (True, False)
    assert engine.wait_for_slot(second.lease, "api", timeout_ms=60_000) is False
