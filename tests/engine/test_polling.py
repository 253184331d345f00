"""Who waits for work looks by itself, unless upkeep has just looked for everyone."""

import pytest

from flowfabric import ExecutionPolicy, ManualClock, RetryPolicy
from flowfabric.reconcilers import sweep
from flowfabric.reconcilers.sweep import Sweeper
from tests.assembled import assembled
from tests.engine.commands import an_id, answers, creation, sent
from tests.engine.test_standing_claims import ids_of, standing_by
from tests.faulty_store import FaultyStore


def deaf(committed: object) -> None:
    """Every wake-up is lost."""


def test_a_look_of_upkeep_finds_work_for_those_who_wait(store: FaultyStore):
    with (
        assembled(store, on_commit=deaf) as parts,
        assembled(store, on_commit=deaf) as elsewhere,
        standing_by(parts, store) as waiting,
    ):
        answers(sent(elsewhere.commits, creation(1)))
        with Sweeper(store, parts.commits, parts.wakeups).running():
            claimed = waiting.answer()

    assert ids_of(claimed) == [an_id(1)]


def test_whoever_was_looked_for_does_not_look(store: FaultyStore):
    with assembled(store) as parts:
        parts.wakeups.polled([])

        seen = [parts.wakeups.polled_within(seconds) for seconds in (60.0, 0.0)]

    assert seen == [True, False]


def test_a_lane_nobody_waits_for_is_not_looked_at(store: FaultyStore):
    with assembled(store) as parts:
        before = parts.wakeups.lanes()
        with standing_by(parts, store, lanes=["mail"]) as waiting:
            during = parts.wakeups.lanes()
            parts.engine.create_execution("job", lane="mail")
            waiting.answer()

    assert (list(before), list(during)) == ([], [("default", "mail")])


def test_a_delay_is_over_for_those_who_wait_although_no_sweep_is_near(
    store: FaultyStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sweep, "SWEEP_S", 600.0)
    with (
        assembled(store) as parts,
        Sweeper(store, parts.commits, parts.wakeups).running(),
        standing_by(parts, store) as waiting,
    ):
        delayed = parts.engine.create_execution("job", delay_until_ms=clock.now_ms + 1).execution_id
        clock.advance(1)
        claimed = waiting.answer()

    assert ids_of(claimed) == [delayed]


def test_a_retry_starts_when_it_is_due_although_no_sweep_is_near(
    store: FaultyStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sweep, "SWEEP_S", 600.0)
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=1))
    with assembled(store) as parts, Sweeper(store, parts.commits, parts.wakeups).running():
        parts.engine.create_execution("job", policy=policy)
        (claimed,) = parts.engine.claim(worker_id="w", worker_instance_id="w-1")
        with standing_by(parts, store) as waiting:
            parts.engine.fail(claimed.lease, code="boom", retry_after_ms=1)
            clock.advance(1)
            again = waiting.answer()

    assert ids_of(again) == [claimed.execution_id]


def test_a_look_tells_of_the_next_delay_that_others_have_written(store: FaultyStore, clock: ManualClock):
    with assembled(store) as parts:
        for in_ms in (7_000, 5_000, 60_000):
            parts.engine.create_execution("job", delay_until_ms=clock.now_ms + in_ms)
        clock.advance(5_000)
        look = store.look([])

    assert (list(look.due), look.delay_over_in_ms) == (["delay"], 2_000)
