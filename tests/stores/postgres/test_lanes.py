"""Lanes and several processes: a pause by one holds for all, on every path of a claim, and a resume is heard by all."""

import threading
from typing import TYPE_CHECKING

import pytest

from flowfabric import BlockingEngine
from flowfabric.domain.news import Committed
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres.store import PostgresStore
from tests.assembled import Assembled
from tests.stores.postgres.conftest import Open, Sql

if TYPE_CHECKING:
    from flowfabric.domain.lanes import Lane

HEARD_S_MAX = 60.0
STATEMENTS = Statements("flowfabric.stores.postgres")


def claimed_by(engine: BlockingEngine, *lanes: str) -> int:
    return len(engine.claim(worker_id="w", worker_instance_id="w-1", lanes=lanes, limit=10))


@pytest.mark.parametrize("lanes", [("mail",), ("mail", "print")], ids=["the short way", "the long way"])
def test_a_pause_by_one_process_holds_for_the_claims_of_another(open_another: Open, lanes: tuple[str, ...]) -> None:
    operator, worker = open_another(), open_another()
    for _ in range(2):
        worker.create_execution("letter", lane="mail")
    assert len(worker.claim(worker_id="w", worker_instance_id="w-1", lanes=lanes)) == 1

    operator.pause_lane("mail")
    while_paused = claimed_by(worker, *lanes)
    operator.resume_lane("mail")

    assert (while_paused, claimed_by(worker, *lanes)) == (0, 1)


def test_a_pause_after_the_switch_was_read_still_keeps_the_queue_shut(engine: BlockingEngine, sql: Sql) -> None:
    engine.create_execution("letter", lane="mail")
    part = {"namespace": "default", "lane_id": "mail", "capability_set": 0, "most": 10}

    engine.pause_lane("mail")
    while_paused = sql.execute(STATEMENTS["lock_ready"].encode(), part).fetchall()
    engine.resume_lane("mail")

    assert while_paused == []
    assert len(sql.execute(STATEMENTS["lock_ready"].encode(), part).fetchall()) == 1


def test_a_resume_is_heard_by_other_processes_and_a_pause_is_not(open_another: Open, parts: Assembled) -> None:
    operator, store = open_another(), parts.store
    heard: list[Lane] = []
    listens, rung = threading.Event(), threading.Event()

    def on_commit(committed: Committed | None) -> None:
        heard.extend(() if committed is None else committed.ready)
        (listens if committed is None else rung).set()

    assert isinstance(store, PostgresStore)
    with store.watch(on_commit):
        assert listens.wait(HEARD_S_MAX)
        operator.pause_lane("print")
        operator.pause_lane("mail", namespace="tenant")
        operator.resume_lane("mail", namespace="tenant")
        assert rung.wait(HEARD_S_MAX)

    assert heard == [("tenant", "mail")]


def test_two_processes_that_pause_a_new_lane_at_once_pause_it_once(open_another: Open, sql: Sql) -> None:
    engines = [open_another(), open_another()]
    threads = [
        threading.Thread(target=engine.pause_lane, args=(f"lane-{number}",))
        for number in range(20)
        for engine in engines
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    told = engines[0].read_events(limit=1000).events
    assert sorted(event.subject for event in told) == sorted(f"lane lane-{number} of default" for number in range(20))
    assert sql.execute("select count(*), sum(event_seq) from ff_lane").fetchone() == (20, 20)
