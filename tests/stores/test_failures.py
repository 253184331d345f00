"""What stores keep of failed attempts, and for how long."""

import sqlite3
from contextlib import closing

import psycopg
import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, ManualClock, RetryPolicy
from flowfabric.domain.ids import ExecutionId
from flowfabric.ports.store import Store
from flowfabric.testing.conformance.stage import claim, start
from tests.stores_under_test import SHARED_STORES

BRIEFLY = ExecutionPolicy(retry=RetryPolicy(max_retries=5), retention_ms=1_000)


def _store_of(engine: BlockingEngine) -> Store:
    return engine._engine._services.store


@pytest.mark.parametrize("way", ["retention", "purge"])
def test_failures_go_with_their_execution(engine: BlockingEngine, clock: ManualClock, way: str) -> None:
    lease = start(engine, policy=BRIEFLY)
    key = ExecutionId(lease.execution_id)
    engine.fail(lease, code="boom", traceback="line 1", retry_after_ms=0)
    engine.fail(claim(engine).lease, code="boom", traceback="line 2", retryable=False)
    kept = _store_of(engine).attempts(key)[2]
    clock.advance(1_001)

    if way == "retention":
        engine.reconcile()
    else:
        engine.purge(ended_before_ms=clock.now_ms)

    assert [failure.traceback for failure in kept] == ["line 1", "line 2"]
    assert _store_of(engine).attempts(key) == (None, [], [])
    assert _store_of(engine).last_failure(key) is None


@pytest.mark.parametrize("store_url", SHARED_STORES, indirect=True)
def test_only_a_failure_writes_a_row_of_failures(engine: BlockingEngine, store_url: str) -> None:
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=5))
    engine.release(start(engine, policy=policy))
    engine.complete(claim(engine).lease, b"result")
    well = _rows_of_failures(store_url)

    engine.fail(start(engine, policy=policy), code="boom")

    assert (well, _rows_of_failures(store_url)) == (0, 1)


def _rows_of_failures(url: str) -> int:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            return int(file.execute("select count(*) from ff_failure").fetchone()[0])
    with psycopg.connect(url) as server:
        row = server.execute("select count(*) from ff_failure").fetchone()
        assert row is not None
        return int(row[0])
