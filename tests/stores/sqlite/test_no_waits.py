"""An execution that never waits costs no statement and no row more than it would without waits."""

import sqlite3

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy
from flowfabric.testing import ManualClock
from tests.assembled import Assembled
from tests.stores.sqlite.conftest import writer_of

WAIT_TABLES = ("ff_waitpoint", "ff_signal", "ff_signal_key", "ff_alias", "ff_key_ring")


@pytest.fixture
def sent(parts: Assembled) -> list[str]:
    """The statements that the engine's writer runs."""
    statements: list[str] = []
    connection = writer_of(parts).connection
    assert connection is not None
    connection.set_trace_callback(statements.append)
    return statements


def test_a_life_without_waits_touches_no_table_of_waits(
    engine: BlockingEngine, clock: ManualClock, sent: list[str], sql: sqlite3.Connection
) -> None:
    known = engine.create_execution("kind", policy=ExecutionPolicy(retention_ms=1)).execution_id
    lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
    engine.record_step(lease, "draft", b"")
    engine.complete(lease)
    engine.replay_execution(known, steps="clear")
    engine.complete(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)
    clock.advance(10)
    engine.reconcile()

    assert engine.describe_execution(known) is None
    assert any("delete from ff_exec_core" in statement for statement in sent)
    assert [statement for statement in sent if any(table in statement for table in WAIT_TABLES)] == []
    assert [sql.execute(f"select count(*) from {table}").fetchone() for table in WAIT_TABLES] == [(0,)] * 5
