"""An execution that never waits costs no statement more than it would without waits."""

from collections.abc import Mapping
from typing import Any

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy
from flowfabric.stores.postgres import transaction, writer
from flowfabric.stores.postgres.connection import Connection
from flowfabric.testing import ManualClock
from tests.stores.postgres.conftest import Sql

WAIT_TABLES = ("ff_waitpoint", "ff_signal", "ff_signal_key", "ff_alias", "ff_key_ring")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that writers send."""
    statements: list[str] = []
    send = transaction.send

    def noting(connection: Connection, sql: str, values: Mapping[str, object] | None) -> Any:
        statements.append(sql)
        return send(connection, sql, values)

    for module in (transaction, writer):
        monkeypatch.setattr(module, "send", noting)
    return statements


def test_a_life_without_waits_touches_no_table_of_waits(
    engine: BlockingEngine, clock: ManualClock, sent: list[str], sql: Sql
):
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


INDEXED = """
    select distinct a.attname
      from pg_index i
      join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refobjid = i.indrelid
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
     where i.indrelid = 'ff_exec_core'::regclass
     order by a.attname
"""
"""The columns of executions that are in an index, or in the condition of one."""


def indexed(sql: Sql) -> list[tuple[object, ...]]:
    """What indexes of executions are made of. While it stays the same, an update touches none of them."""
    columns = ", ".join(str(name) for (name,) in sql.execute(INDEXED).fetchall())
    return sql.execute(f"select {columns} from ff_exec_core").fetchall()


def test_an_update_of_an_execution_that_is_not_suspended_touches_no_index(engine: BlockingEngine, sql: Sql):
    execution_id = engine.create_execution("kind").execution_id
    new = indexed(sql)
    engine.signal(execution_id, "early", b"yes")
    assert indexed(sql) == new
    lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
    assert indexed(sql) == new
    engine.open_wait(lease, "wait", "editor")
    assert indexed(sql) == new
    engine.signal(execution_id, "editor", b"yes")
    assert indexed(sql) == new
    engine.complete(lease)
    assert indexed(sql) == new


def test_an_execution_that_is_suspended_is_found_by_an_index(engine: BlockingEngine, sql: Sql):
    engine.create_execution("kind")
    lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
    running = indexed(sql)

    engine.suspend(lease, "wait", "editor")

    assert indexed(sql) != running
