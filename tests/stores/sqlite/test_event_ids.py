"""The ids of events are the order of commits, and none is ever given twice."""

import sqlite3

import pytest

from flowfabric import (
    BlockingEngine,
    ExecutionPolicy,
    InvalidInput,
    NewExecution,
    StoreUnavailable,
    open_blocking_engine,
)
from flowfabric.testing import ManualClock
from tests.assembled import Assembled
from tests.stores.sqlite.conftest import writer_of

SHORT_LIVED = ExecutionPolicy(retention_ms=1_000)


def run_one(engine: BlockingEngine) -> str:
    created = engine.create_execution("kind", policy=SHORT_LIVED).execution_id
    engine.complete(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)
    return created


def test_an_id_is_not_used_again_after_the_last_events_were_purged(
    url: str, engine: BlockingEngine, clock: ManualClock
) -> None:
    run_one(engine)
    highest = max(event.event_id for event in engine.read_events().events)
    clock.advance(1_000)
    assert engine.reconcile()["retention"] == 1
    assert engine.read_events().events == []

    run_one(engine)

    assert min(event.event_id for event in engine.read_events().events) > highest


def test_an_id_is_not_used_again_after_a_purge_and_a_restart(url: str, clock: ManualClock) -> None:
    with open_blocking_engine(url, clock=clock, reconcile=False) as engine:
        run_one(engine)
        page = engine.read_events()
        clock.advance(1_000)
        engine.reconcile()

    with open_blocking_engine(url, clock=clock, reconcile=False) as engine:
        run_one(engine)

        # The cursor stands behind everything that was purged, so it goes on where it was.
        assert [event.event_type for event in engine.read_events(cursor=page.next_cursor).events] == [
            "acquired",
            "completed",
        ]


def test_a_cursor_from_before_a_purge_is_told_that_it_missed_something(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    run_one(engine)
    early = engine.read_events(limit=1).next_cursor
    clock.advance(1_000)
    engine.reconcile()

    with pytest.raises(InvalidInput) as refused:
        engine.read_events(cursor=early)

    assert refused.value.code == "cursor_gone"


def test_a_commit_that_failed_leaves_no_event_and_no_gap_in_a_life(parts: Assembled, sql: sqlite3.Connection) -> None:
    engine, connection = parts.engine, writer_of(parts).connection
    engine.create_executions([NewExecution(kind="kind")] * 200)
    assert connection is not None
    pages = connection.execute("pragma page_count").fetchone()[0]
    connection.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(StoreUnavailable):
        engine.claim(worker_id="w", worker_instance_id="i" * 200, limit=200)
    before = sql.execute("select count(*), max(event_id) from ff_event").fetchone()
    connection.execute("pragma max_page_count = 1073741823")

    engine.claim(worker_id="w", worker_instance_id="i", limit=50)

    after = sql.execute("select count(*), max(event_id) from ff_event").fetchone()
    assert after[0] - before[0] == 50
    assert {event.seq for event in engine.read_events(limit=1000).events} == {1}
