"""A reader beside many writers: every committed event once, in order per execution, across reconnects."""

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from flowfabric import BlockingEngine, Event, ExecutionNotEligible, NewExecution, open_blocking_engine
from tests.postgres_server import connected
from tests.stores.postgres.conftest import Sql

EVENTS = int(os.environ.get("FF_TEST_EVENTS", "4000"))
"""How many are to be read; `make chaos` asks for many more."""
WRITERS = 8
PAGE = 7
PAGES_PER_CONNECTION = 150
TENANT = "tenant-a"
CHANNELS = ("lease", "completion")


class Writing:
    """Eight threads on two engines that write until it is enough."""

    def __init__(self, url: str, events: int | None = None) -> None:
        self._url = url
        self._events = events
        self._lock = threading.Lock()
        self._committed = 0
        self.enough = threading.Event()
        self.failures: list[BaseException] = []

    @contextmanager
    def going_on(self) -> Iterator[list[threading.Thread]]:
        with ExitStack() as stack:
            engines = [stack.enter_context(open_blocking_engine(self._url, reconcile=False)) for _ in range(2)]
            threads = [
                threading.Thread(target=self._write, args=(engines[number % 2], number)) for number in range(WRITERS)
            ]
            for thread in threads:
                thread.start()
            yield threads
            for thread in threads:
                thread.join()

    def _write(self, engine: BlockingEngine, number: int) -> None:
        chance = random.Random(number)
        try:
            while not self.enough.is_set():
                self._some_lives(engine, chance, f"lane-{number % 3}", f"{number}")
        except BaseException as error:
            self.failures.append(error)
            self.enough.set()

    def _some_lives(self, engine: BlockingEngine, chance: random.Random, lane: str, worker: str) -> None:
        """Batches over several executions, of which some events pass the reader's filters and others do not."""
        for namespace in (TENANT, "tenant-b"):
            item = NewExecution(kind="kind", lane=lane, namespace=namespace)
            engine.create_executions([item] * chance.randint(5, 20))
            claimed = engine.claim(
                worker_id="w", worker_instance_id=worker, lanes=[lane], namespace=namespace, limit=chance.randint(5, 40)
            )
            happened = len(claimed)
            for each in claimed:
                end = chance.random()
                if end < 0.8:
                    engine.complete(each.lease)
                    happened += 1
                elif end < 0.9:
                    engine.cancel_execution(each.execution_id, reason="enough")
                    happened += 2
                else:
                    engine.release(each.lease)
                    happened += 1
                    with suppress(ExecutionNotEligible):  # it may have been claimed already
                        engine.change_priority(each.execution_id, chance.randrange(9000))
            if namespace == TENANT:
                self._count(happened)

    def _count(self, happened: int) -> None:
        with self._lock:
            self._committed += happened
            if self._events is not None and self._committed >= self._events:
                self.enough.set()


def read_everything(url: str, writers: list[threading.Thread]) -> list[Event]:
    """All that passes the filters, in pages of seven, with a new engine every now and then."""
    told: list[Event] = []
    cursor: str | None = None
    while True:
        with open_blocking_engine(url, reconcile=False) as engine:
            for _ in range(PAGES_PER_CONNECTION):
                is_last = not any(thread.is_alive() for thread in writers)
                page = engine.read_events(cursor=cursor, channels=CHANNELS, namespace=TENANT, limit=PAGE)
                told += page.events
                cursor = page.next_cursor
                if is_last and not page.events:
                    return told


def assert_each_once_and_in_order(told: list[Event], url: str) -> None:
    with connected(url) as sql:
        log = sql.execute(
            "select '{fp:' || partition_key || '}:' || execution_id, seq from ff_event"
            " where namespace = %s and channel in (0, 1) order by event_id",
            (TENANT,),
        ).fetchall()
    assert len(told) == len(log)
    assert {(event.execution_id, event.seq) for event in told} == set(log)
    last: dict[str | None, int] = {}
    out_of_order = [event for event in told if not last.get(event.execution_id, 0) < _note(last, event)]
    assert out_of_order == []


def _note(last: dict[str | None, int], event: Event) -> int:
    last[event.execution_id] = event.seq
    return event.seq


@pytest.mark.xdist_group("postgres: subscribers")
@pytest.mark.timeout(300 if EVENTS <= 10_000 else 1800)
def test_a_reader_in_small_pages_meets_every_event_once_while_eight_writers_commit(
    url: str, sql: Sql, record_property: Callable[[str, object], None]
) -> None:
    writing = Writing(url, EVENTS)
    with sql.transaction(force_rollback=True):
        sql.execute("create table held_open (by_someone_else int)")
        with writing.going_on() as writers:
            told = read_everything(url, writers)

    assert writing.failures == []
    assert len(told) >= EVENTS
    assert_each_once_and_in_order(told, url)
    record_property("figures", f"events={len(told)} lost=0 twice=0 out_of_order=0")


@pytest.mark.xdist_group("postgres: subscribers")
def test_a_subscription_left_in_the_middle_of_a_page_goes_on_there_in_another_engine(url: str) -> None:
    chance = random.Random(0)
    told: list[Event] = []
    cursor: str | None = None
    writing = Writing(url)

    with writing.going_on():
        while len(told) < 1_500 and not writing.enough.is_set():
            with open_blocking_engine(url, reconcile=False) as engine:
                subscription = engine.subscribe(cursor=cursor, channels=CHANNELS, namespace=TENANT)
                told += [next(subscription) for _ in range(chance.randint(1, 60))]
                cursor = subscription.cursor
        writing.enough.set()
    with open_blocking_engine(url, reconcile=False) as engine:
        while (page := engine.read_events(cursor=cursor, channels=CHANNELS, namespace=TENANT)).events:
            told += page.events
            cursor = page.next_cursor

    assert writing.failures == []
    assert len(told) >= 1_500
    assert_each_once_and_in_order(told, url)
