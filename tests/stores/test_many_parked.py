"""A limit changes while very many executions are parked at it: they are admitted in bounded parts, and all start."""

from typing import Any

import pytest

from flowfabric import BlockingEngine, ManualClock, NewExecution
from flowfabric.domain.decide.admitting import SOON_MS
from flowfabric.domain.turnstiles import ADMITTED_MAX
from tests.assembled import Assembled
from tests.sizes import IS_FULL
from tests.stores.crowds import TEST_S_MAX, claim, look_at

pytestmark = pytest.mark.timeout(TEST_S_MAX)

PARKED = 20_000 if IS_FULL else 2_000
AT_ONCE = 1_000
"""How many are created, or claimed, in one call."""


def _park_many(engine: BlockingEngine, *, running: int) -> list[Any]:
    """Let some run, and park very many behind them. Returns those that run."""
    engine.set_limit("api", concurrency=running)
    for begin in range(0, PARKED + running, AT_ONCE):
        number = min(AT_ONCE, PARKED + running - begin)
        engine.create_executions([NewExecution(kind="job", limits={"api": ""}) for _ in range(number)])
    leased = claim(engine, "default", AT_ONCE)
    while engine.count_executions(public_state="waiting"):
        leased += claim(engine, "default", AT_ONCE)
    assert (len(leased), _count(engine, "rate_limited")) == (running, PARKED)
    return leased


def _count(engine: BlockingEngine, state: Any) -> int:
    return engine.count_executions(public_state=state)


def _admit(parts: Assembled) -> list[int]:
    """Look at the gates until nothing is to be looked at. Returns how many each look has admitted."""
    admitted: list[int] = []
    while gates := parts.store.openings(parts.store.now_ms, 10):
        for gate in gates:
            before = _count(parts.engine, "rate_limited")
            look_at(parts, gate)
            admitted.append(before - _count(parts.engine, "rate_limited"))
    return [number for number in admitted if number]


def _run_all(parts: Assembled, clock: ManualClock) -> int:
    """Claim and complete until nothing is left. Returns how many that were."""
    done = 0
    while True:
        while claimed := claim(parts.engine, "default", AT_ONCE):
            parts.engine.complete_all([(each.lease, b"") for each in claimed])
            done += len(claimed)
        clock.advance(SOON_MS)
        if not _admit(parts):
            return done


def test_a_limit_that_is_raised_admits_bounded_parts_until_it_is_full(parts: Assembled, clock: ManualClock) -> None:
    engine = parts.engine
    leased = _park_many(engine, running=1)
    engine.set_limit("api", concurrency=1_200)

    admitted: list[int] = []
    for _ in range(4):
        admitted += _admit(parts)
        leased += claim(engine, "default", AT_ONCE)
        clock.advance(SOON_MS)

    assert admitted == [500, 500, 199]
    assert (len(leased), _count(engine, "active"), _count(engine, "rate_limited")) == (1_200, 1_200, PARKED - 1_199)


def test_without_workers_a_look_at_a_raised_limit_does_not_admit_all(parts: Assembled, clock: ManualClock) -> None:
    _park_many(parts.engine, running=1)
    parts.engine.set_limit("api", concurrency=1_200)

    assert _admit(parts) == [ADMITTED_MAX]


def test_a_limit_that_is_lowered_lets_nobody_in_before_enough_have_ended(parts: Assembled) -> None:
    engine = parts.engine
    leased = _park_many(engine, running=5)
    engine.set_limit("api", concurrency=2)
    started: list[int] = []
    for each in leased:
        engine.complete(each.lease)
        _admit(parts)
        started.append(len(claim(engine, "default", AT_ONCE)))

    assert started == [0, 0, 0, 1, 1]
    assert _count(engine, "rate_limited") == PARKED - 2


def test_a_limit_that_is_removed_lets_all_in_and_all_of_them_run(parts: Assembled, clock: ManualClock) -> None:
    engine = parts.engine
    leased = _park_many(engine, running=3)
    engine.remove_limit("api")

    admitted = _admit(parts)

    assert (max(admitted), sum(admitted)) == (ADMITTED_MAX, PARKED)
    engine.complete_all([(each.lease, b"") for each in leased])
    assert _run_all(parts, clock) == PARKED
    assert _count(engine, "completed") == PARKED + 3


def test_all_start_in_the_end_under_a_limit_that_goes_up_and_down(parts: Assembled, clock: ManualClock) -> None:
    engine = parts.engine
    leased = _park_many(engine, running=3)
    done = 0
    for concurrency in (400, 1, 700, 50):
        engine.set_limit("api", concurrency=concurrency)
        _admit(parts)
        claimed = claim(engine, "default", AT_ONCE)
        assert len(claimed) <= concurrency
        engine.complete_all([(each.lease, b"") for each in [*leased, *claimed]])
        done += len(claimed) + len(leased)
        leased = []

    done += _run_all(parts, clock)

    assert (done, _count(engine, "completed")) == (PARKED + 3, PARKED + 3)
    found = engine.describe_limit("api")
    assert found is not None
    assert (found.in_use, found.parked) == (0, 0)
