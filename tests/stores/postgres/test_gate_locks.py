"""The order in which rows of limits, budgets, turns and openings are locked, also if they are not there yet."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest

from flowfabric import BlockingEngine, NewExecution
from flowfabric.domain.batch_io import Changes, Needs
from flowfabric.domain.gates import GateAt
from flowfabric.stores.postgres.decided_batch import DecidedBatch, OutOfTurn
from flowfabric.stores.postgres.gate_saving import gate_writes
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.stores.postgres.transaction import PostgresTransaction
from tests.assembled import Assembled
from tests.postgres_server import connected
from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.processes import wait_until

PATIENCE_S = 60.0
WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

TABLES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...], str, str]] = {
    "key_turns": (
        ("default", "lane", 0, "a"),
        ("default", "lane", 0, "b"),
        "ff_key_turn",
        "insert into ff_key_turn values (%s, %s, %s, %s, 0, 0)",
    ),
    "key_uses": (
        ("default", "api", "a"),
        ("default", "api", "b"),
        "ff_limit_key",
        "insert into ff_limit_key values (%s, %s, %s, 1, 0, 0)",
    ),
    "budget_uses": (
        ("default", "company", 0),
        ("default", "team", 0),
        "ff_budget_use",
        "insert into ff_budget_use values (%s, %s, %s, '{}', '{}', '{}', '[]', '[]')",
    ),
}
"""Of each kind of row: two keys in the order of locks, the table, and how a row is made."""


@contextmanager
def transaction(parts: Assembled) -> Iterator[PostgresTransaction]:
    """A transaction that waits for locks as long as the test takes."""
    assert isinstance(parts.store, PostgresStore)
    with closing(parts.store.writer()) as writer:
        tx = PostgresTransaction(writer, os.urandom(16), lock_wait_ms=int(1000 * PATIENCE_S))
        yield tx
        tx.rollback()


@contextmanager
def waiting(act: Callable[[], object], sql: Sql) -> Iterator[None]:
    """Something that waits for a lock now, and is done at the end."""
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    wait_until(lambda: sql.execute(WAITING).fetchall() == [(1,)])
    yield
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


def do_at_once(url: str, statement: str, values: tuple[Any, ...] = ()) -> None:
    """Write a row and undo that. It must not wait for anybody."""
    with connected(url) as other:
        other.execute("set lock_timeout = '50ms'")
        with other.transaction(force_rollback=True):
            other.execute(statement.encode(), values)


# ── what a batch loads ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", TABLES)
def test_a_row_that_is_not_there_yet_is_made_only_when_its_turn_has_come(
    parts: Assembled, sql: Sql, url: str, kind: str
) -> None:
    """Its maker would hold it while it waits for an earlier row, whose holder may wait for this one."""
    earlier, later, table, making = TABLES[kind]
    sql.execute(making.encode(), earlier)
    needs = Needs()
    getattr(needs, kind).update((earlier, later))
    with transaction(parts) as tx, connected(url) as holder:
        batch = DecidedBatch(tx)
        holder.execute("begin")
        holder.execute(f"select from {table} for update".encode())
        with waiting(lambda: batch.load(needs), sql):
            do_at_once(url, making, later)
            holder.execute("rollback")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            do_at_once(url, making, later)


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("kind", TABLES)
def test_a_lock_out_of_order_makes_the_batch_start_over(
    parts: Assembled, sql: Sql, url: str, kind: str, is_there: bool
) -> None:
    """The holder of that lock may wait for this batch, so this batch does not wait for it."""
    earlier, later, table, making = TABLES[kind]
    needs, more = Needs(), Needs()
    getattr(needs, kind).add(later)
    getattr(more, kind).update((earlier, later))
    with transaction(parts) as tx, connected(url) as holder:
        batch = DecidedBatch(tx)
        batch.load(needs)
        if is_there:
            sql.execute(making.encode(), earlier)
        holder.execute("begin")
        if is_there:
            holder.execute(f"select from {table} for update".encode())
        else:
            holder.execute(making.encode(), earlier)
        with pytest.raises(OutOfTurn) as late:
            batch.load(more)
        tx.rollback()
        holder.execute("rollback")
    with transaction(parts) as tx:
        DecidedBatch(tx, locks_first=late.value.locks).load(Needs())
        with pytest.raises(psycopg.errors.LockNotAvailable):
            do_at_once(url, making, later)
        with pytest.raises(psycopg.errors.LockNotAvailable):
            do_at_once(url, *((f"select from {table} for update",) if is_there else (making, earlier)))


def test_a_late_lock_that_is_free_is_taken(parts: Assembled, sql: Sql, url: str) -> None:
    earlier, later, _, making = TABLES["key_uses"]
    sql.execute(making.encode(), earlier)
    needs = Needs(key_uses={later})
    with transaction(parts) as tx:
        batch = DecidedBatch(tx)
        batch.load(needs)
        needs.key_uses.add(earlier)
        assert batch.load(needs).key_uses[earlier].in_use == 1
        sql.execute("set lock_timeout = '50ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            sql.execute("update ff_limit_key set in_use = 2")


def test_what_is_locked_before_gates_is_not_waited_for_after_them(parts: Assembled) -> None:
    needs, more = Needs(key_uses={("default", "api", "a")}), Needs(workers={("default", "w-1")})
    with transaction(parts) as tx:
        batch = DecidedBatch(tx)
        batch.load(needs)
        with pytest.raises(OutOfTurn) as late:
            batch.load(more)

    assert late.value.locks == Needs(key_uses=needs.key_uses, workers=more.workers)


# ── what a batch writes ──────────────────────────────────────────────────────────────────────────

FIRST: GateAt = ("default", "limit", "api", "a")
SECOND: GateAt = ("default", "limit", "api", "b")
OPENING = "insert into ff_opening values ('default', 0, 'api', %s, 7)"
OPENINGS = "select gate_key, at_ms from ff_opening order by gate_key"


def test_openings_that_are_noted_and_removed_are_locked_in_one_order(parts: Assembled, sql: Sql, url: str) -> None:
    """The first one is not there yet, and somebody else is about to note it."""
    sql.execute(OPENING, ("b",))
    ((version,),) = sql.execute("select xmin::text from ff_opening").fetchall()
    changes = Changes(looked_at=[SECOND], openings={FIRST: 5})
    with transaction(parts) as tx, connected(url) as holder:
        writes = [(tx.sql[name], values) for name, values in gate_writes(changes, {SECOND: version})]
        holder.execute("begin")
        holder.execute(OPENING, ("a",))
        with waiting(lambda: tx.run([*writes, ("commit", None)]), sql):
            do_at_once(url, "update ff_opening set at_ms = 8 where gate_key = 'b'")
            holder.execute("commit")

    assert sql.execute(OPENINGS).fetchall() == [("a", 5)]


def test_an_opening_that_somebody_else_has_removed_meanwhile_is_not_noted_again(parts: Assembled, sql: Sql) -> None:
    changes = Changes(looked_at=[FIRST], openings={SECOND: 5})
    with transaction(parts) as tx:
        tx.run([(tx.sql[name], values) for name, values in gate_writes(changes, {FIRST: "7"})])
        tx.run([("commit", None)])

    assert sql.execute(OPENINGS).fetchall() == [("b", 5)]


def test_an_opening_that_somebody_has_noted_again_meanwhile_stays(parts: Assembled, sql: Sql) -> None:
    sql.execute(OPENING, ("a",))
    changes = Changes(looked_at=[FIRST], openings={SECOND: 5})
    with transaction(parts) as tx:
        tx.run([(tx.sql[name], values) for name, values in gate_writes(changes, {FIRST: "1"})])
        tx.run([("commit", None)])

    assert sql.execute(OPENINGS).fetchall() == [("a", 7), ("b", 5)]


def test_new_sets_of_capabilities_are_stored_in_one_order(engine: BlockingEngine, sql: Sql, url: str) -> None:
    """Two batches may have the same new sets."""
    making = "insert into ff_capability_set (tokens) values (%s)"
    items = [NewExecution(kind="job", required_capabilities=[name]) for name in "ba"]
    with connected(url) as holder:
        holder.execute("begin")
        holder.execute(making.encode(), ('["a"]',))
        with waiting(lambda: engine.create_executions(items), sql):
            do_at_once(url, making, ('["b"]',))
            holder.execute("rollback")

    assert sql.execute("select count(*) from ff_exec_core").fetchall() == [(2,)]
