"""kill -9 of workers and of the server, while many executions are suspended and wake up."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flowfabric import BlockingEngine, Event, StoreUnavailable, open_blocking_engine
from tests.chaos.books import assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.processes import FINISH_S_MAX, wait_until
from tests.chaos.sizes import IS_LONG, SIZES
from tests.chaos.test_task_workers import FfWorker, call

pytestmark = in_group("servers")

KILLS = 4 if IS_LONG else 2
PART = 500
NAP_S = 3.0 if IS_LONG else 2.0
OPTIONS = ("--concurrency", "32", "--lease", "2s", "--poll", "200ms")


def test_all_that_is_suspended_wakes_once_while_workers_are_killed(url: str, tmp_path: Path, figures: Figures) -> None:
    with open_blocking_engine(url) as engine, crew(url, tmp_path) as workers:
        keys = suspend_all(engine, workers)

        for number, part in enumerate(parts_of(keys)):
            for key in part:
                engine.signal(key, "editor", b'"yes"', idempotency_key="once")
            if number < KILLS:
                workers.replace_one()
        workers.finish(engine, keys)

    check_the_books(url, keys, figures)


def test_all_that_is_suspended_wakes_once_while_the_server_is_killed(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    url = server.url(database)
    with open_blocking_engine(url) as engine, crew(url, tmp_path) as workers:
        keys = suspend_all(engine, workers)

        for number, part in enumerate(parts_of(keys)):
            if number < KILLS // 2:
                server.kill()
                server.start()
            for key in part:
                signal_through_outages(engine, key)
        workers.finish(engine, keys)

    check_the_books(url, keys, figures)


def suspend_all(engine: BlockingEngine, workers: "Crew") -> list[str]:
    """Executions that wait for a signal. As many others sleep, and wake up by themselves meanwhile."""
    made = [call(kind, **more) for kind, more in (("approve", {}), ("nap", {"for_s": NAP_S}))]
    keys = [each.execution_id for _ in range(SIZES.suspended // 2) for each in engine.create_executions(made)]
    workers.start()
    workers.start()
    wait_until(lambda: engine.count_executions(public_state="suspended") > 0)
    wait_until(lambda: engine.count_executions(public_state="waiting") == 0, FINISH_S_MAX)
    return keys


def parts_of(keys: list[str]) -> list[list[str]]:
    """Those that wait for a signal, in some parts."""
    waiting = keys[0::2]
    size = max(1, min(PART, len(waiting) // (2 * KILLS)))
    return [waiting[begin : begin + size] for begin in range(0, len(waiting), size)]


def signal_through_outages(engine: BlockingEngine, key: str) -> None:
    """Send a signal as a careful sender does: again and again, with the same idempotency key."""

    def is_sent() -> bool:
        try:
            engine.signal(key, "editor", b'"yes"', idempotency_key="once")
        except StoreUnavailable:
            return False
        return True

    wait_until(is_sent, FINISH_S_MAX)


class Crew:
    """Two workers, each of which is killed and replaced at times."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self._chance = random.Random(7)
        self._working: list[FfWorker] = []

    def start(self) -> None:
        self._working.append(FfWorker(self._url, self._folder, *OPTIONS))

    def replace_one(self) -> None:
        self._working.pop(self._chance.randrange(len(self._working))).kill()
        self.start()

    def finish(self, engine: BlockingEngine, keys: list[str]) -> None:
        wait_until(lambda: engine.count_executions(public_state="completed") == len(keys), FINISH_S_MAX)

    def kill(self) -> None:
        for each in self._working:
            each.end()


@contextmanager
def crew(url: str, folder: Path) -> Iterator[Crew]:
    workers = Crew(url, folder)
    try:
        yield workers
    finally:
        workers.kill()


def check_the_books(url: str, keys: list[str], figures: Figures) -> None:
    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
    assert happened.keys() == set(keys)
    for key in keys:
        counted = Counter((event.channel, event.event_type) for event in happened[key])
        assert counted["completion", "completed"] == 1
        assert counted["signal", "resumed"] == 1
        assert counted["signal", "delivered"] == (happened_by_signal(happened[key]))
    claims = sum(event.event_type == "acquired" for events in happened.values() for event in events)
    figures(suspended=len(keys), lost=0, woken_twice=0, claims=claims)


def happened_by_signal(events: list[Event]) -> int:
    """1 if a signal ended the wait, 0 if its time was over."""
    return sum(event.details.get("cause") == "signal" for event in events if event.event_type == "resumed")
