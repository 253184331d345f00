"""Several engines on one store fire the same schedules at the same moment: each slot becomes one execution."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, ManualClock, NewSchedule, open_blocking_engine
from tests.stores_under_test import SHARED_STORES, STORES

ENGINES = 3
ROUNDS = 10
HOUR_MS = 3_600_000
NAMES = ("billing", "mail", "report")


@pytest.fixture(params=SHARED_STORES)
def engines(request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock) -> Iterator[list[BlockingEngine]]:
    with STORES[request.param].empty(tmp_path) as url, ExitStack() as stack:
        yield [
            stack.enter_context(open_blocking_engine(url, clock=clock, reconcile=False, migrate=True))
            for _ in range(ENGINES)
        ]


def fire_at_once(engines: list[BlockingEngine], **fields: object) -> list[str]:
    """All engines fire all schedules at the same moment; the executions that they say they have made."""
    barrier = threading.Barrier(len(engines))
    made: list[str] = []
    errors: list[Exception] = []

    def fire(engine: BlockingEngine, names: tuple[str, ...]) -> None:
        barrier.wait(timeout=60)
        try:
            for name in names:
                schedule = NewSchedule(name=name, kind="tick", every_ms=HOUR_MS, **fields)  # type: ignore[arg-type]
                made.extend(engine.fire_schedule(schedule).execution_ids)
        except Exception as error:
            errors.append(error)

    # Each in another order, so that two that lock several rows could meet crosswise.
    orders = [NAMES, NAMES[::-1], NAMES[1:] + NAMES[:1]]
    threads = [threading.Thread(target=fire, args=pair) for pair in zip(engines, orders, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    return made


def test_a_slot_that_all_ask_for_is_taken_once(engines: list[BlockingEngine], clock: ManualClock) -> None:
    fire_at_once(engines)

    for _ in range(ROUNDS):
        clock.advance(HOUR_MS - clock.now_ms % HOUR_MS)
        made = fire_at_once(engines)

        assert len(made) == len(set(made)) == len(NAMES)
    assert engines[0].count_executions() == ROUNDS * len(NAMES)


def test_all_missed_slots_are_taken_once(engines: list[BlockingEngine], clock: ManualClock) -> None:
    fire_at_once(engines, catch_up="all")
    clock.advance(150 * HOUR_MS)

    made = fire_at_once(engines, catch_up="all") + fire_at_once(engines, catch_up="all")

    assert len(made) == len(set(made)) == 150 * len(NAMES)
    assert engines[0].count_executions() == 150 * len(NAMES)


def test_a_schedule_that_all_make_known_at_once_is_one(engines: list[BlockingEngine], clock: ManualClock) -> None:
    fire_at_once(engines)

    assert [schedule.name for schedule in engines[0].list_schedules()] == list(NAMES)
    assert engines[0].count_executions() == 0
