"""A claim starts where the queue begins as far as the process knows, and still takes the right ones first."""

import psycopg
import pytest

from flowfabric import BlockingEngine, Claimed, NewExecution, open_blocking_engine
from flowfabric.stores.postgres import queue_heads
from flowfabric.stores.postgres.queue_heads import VERY_BEGINNING, QueueHeads
from flowfabric.stores.postgres.store import PostgresStore
from tests.assembled import assembled_at
from tests.stores.postgres.processes import wait_until

PART = ("default", "default", 0)


def submit(engine: BlockingEngine, count: int, *, priority: int = 0) -> list[str]:
    items = [NewExecution(kind="noop", priority=priority) for _ in range(count)]
    return [answer.execution_id for answer in engine.create_executions(items)]


def claim(engine: BlockingEngine, limit: int) -> list[Claimed]:
    return engine.claim(worker_id="w", worker_instance_id="w-1", limit=limit)


def test_nothing_known_means_the_very_beginning() -> None:
    assert QueueHeads().start_of(PART) == VERY_BEGINNING


def test_a_claim_starts_where_the_one_before_it_found_its_first() -> None:
    heads = QueueHeads()

    heads.found(PART, VERY_BEGINNING, (0, 50))

    assert heads.start_of(PART) == (0, 50)


def test_what_this_process_puts_before_the_start_moves_it_back() -> None:
    heads = QueueHeads()
    heads.found(PART, VERY_BEGINNING, (0, 50))

    heads.entered(PART, (-9, 70))

    assert heads.start_of(PART) == (-9, 70)


def test_a_claim_under_way_does_not_move_the_start_past_what_entered_meanwhile() -> None:
    heads = QueueHeads()
    heads.found(PART, VERY_BEGINNING, (0, 50))
    start = heads.start_of(PART)
    heads.entered(PART, (-9, 70))

    heads.found(PART, start, (0, 60))

    assert heads.start_of(PART) == (-9, 70)


def test_finding_less_than_asked_for_forgets_the_start() -> None:
    heads = QueueHeads()
    heads.found(PART, VERY_BEGINNING, (0, 50))

    heads.found(PART, (0, 50), None)

    assert heads.start_of(PART) == VERY_BEGINNING


def test_a_memory_that_is_too_old_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = QueueHeads()
    heads.found(PART, VERY_BEGINNING, (0, 50))

    monkeypatch.setattr(queue_heads, "KNOWN_FOR_S", 0.0)

    assert heads.start_of(PART) == VERY_BEGINNING


def test_an_urgent_execution_of_the_same_process_is_claimed_next(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_heads, "KNOWN_FOR_S", 3600.0)
    with open_blocking_engine(url, reconcile=False) as engine:
        submit(engine, 10)
        claim(engine, 2)
        [urgent] = submit(engine, 1, priority=9)

        [claimed] = claim(engine, 1)

    assert claimed.execution_id == urgent


def test_an_urgent_execution_of_another_process_is_claimed_once_the_memory_is_old(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_heads, "KNOWN_FOR_S", 3600.0)
    with (
        open_blocking_engine(url, reconcile=False) as engine,
        open_blocking_engine(url, reconcile=False) as other,
    ):
        submit(engine, 10)
        claim(engine, 2)
        [urgent] = submit(other, 1, priority=9)
        claim(engine, 1)

        monkeypatch.setattr(queue_heads, "KNOWN_FOR_S", 0.0)
        [claimed] = claim(engine, 1)

    assert claimed.execution_id == urgent


def test_a_rolled_back_claim_leaves_its_executions_to_the_next_one(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine, psycopg.connect(url) as other:
        ids = submit(engine, 4)
        claim(engine, 1)
        other.execute("select from ff_exec_core where execution_id = %s for update", (ids[1][-36:],))
        passed_over = claim(engine, 2)
        other.rollback()

        left = claim(engine, 4)

    assert sorted(one.execution_id for one in [*passed_over, *left]) == sorted(ids[1:])


def test_an_execution_that_another_process_resumes_is_claimed_next(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_heads, "KNOWN_FOR_S", 3600.0)
    with assembled_at(url) as here, open_blocking_engine(url, reconcile=False) as other:
        engine, store = here.engine, here.store
        assert isinstance(store, PostgresStore)
        submit(engine, 1)
        [begun] = claim(engine, 1)
        engine.suspend(begun.lease, "wait", "editor")
        submit(engine, 10)
        claim(engine, 2)
        remembered = store.queue_heads.start_of(PART)

        with store.watch(lambda _: None):
            wait_until(lambda: store.notes.is_listening)
            other.signal(begun.execution_id, "editor", b"yes")
            wait_until(lambda: store.queue_heads.start_of(PART) < remembered)
        [claimed] = claim(engine, 1)

    assert remembered > VERY_BEGINNING
    assert (claimed.execution_id, claimed.claim_type) == (begun.execution_id, "resume")
