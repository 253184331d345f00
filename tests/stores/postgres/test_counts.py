"""Kept counts are exact at any moment, and nobody waits for another process to count."""

import threading

import psycopg

from flowfabric import BlockingEngine
from flowfabric.domain.commands import Envelope, TendCounts
from flowfabric_conformance.stage import create, start
from tests.assembled import Assembled
from tests.stores.postgres.conftest import Open, Sql

ROUNDS = 15


def _works(engine: BlockingEngine, lane: str) -> None:
    for _ in range(ROUNDS):
        create(engine, lane="shared")
        for claimed in engine.claim(worker_id="w", worker_instance_id=lane, lanes=["shared"], limit=2):
            engine.complete(claimed.lease, None)
        engine.cancel_execution(create(engine, lane=lane), reason="enough")


def test_counts_are_exact_at_any_moment_while_engines_commit_and_add_up(parts: Assembled, open_another: Open):
    threads = [
        threading.Thread(target=_works, args=(engine, f"lane-{index}"))
        for index, engine in enumerate([parts.engine, open_another()])
    ]
    for thread in threads:
        thread.start()

    while any(thread.is_alive() for thread in threads):
        assert parts.store.miscounts() == []
        parts.commits.execute_all([Envelope(TendCounts("fold"))])
    for thread in threads:
        thread.join()

    assert parts.store.miscounts() == []
    executions = parts.engine.stats().executions
    assert executions["cancelled"] == 2 * ROUNDS
    assert sum(executions.values()) == 4 * ROUNDS


def test_an_open_transaction_that_has_counted_keeps_nobody_waiting(parts: Assembled, sql: Sql):
    engine = parts.engine
    with sql.transaction():
        engine.create_execution("job", b"", conn=sql)

        engine.complete(start(engine), None)  # the same lane, the same kind
        parts.commits.execute_all([Envelope(TendCounts("fold"))])
        assert engine.stats().executions["waiting"] == 0

    assert engine.stats().executions["waiting"] == 1
    assert parts.store.miscounts() == []


def test_a_transaction_that_is_rolled_back_has_counted_nothing(parts: Assembled, sql: Sql):
    engine = parts.engine
    with sql.transaction():
        engine.create_execution("job", b"", conn=sql)
        raise psycopg.Rollback

    assert engine.stats().executions["waiting"] == 0


def test_a_recount_is_exact_while_others_commit(parts: Assembled, sql: Sql, open_another: Open):
    engine, other = parts.engine, open_another()
    for _ in range(20):
        create(engine)
    sql.execute("update ff_count_move set number = 7")
    worker = threading.Thread(target=_works, args=(other, "other"))
    worker.start()

    while worker.is_alive():
        engine.recount()
        assert parts.store.miscounts() == []
    worker.join()

    assert parts.store.miscounts() == []
