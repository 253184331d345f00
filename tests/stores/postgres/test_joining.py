"""A submit in a transaction of the caller's own, on PostgreSQL: as good a guest as there is."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import asyncpg
import psycopg
import pytest
import sqlalchemy
from psycopg.rows import dict_row

from flowfabric import (
    BlockingEngine,
    Conflict,
    Contention,
    Context,
    Created,
    Duplicate,
    FlowFabric,
    InvalidInput,
    SchemaMismatch,
    StoreError,
    open_engine,
)
from tests.postgres_server import copy_of, empty_database, empty_store
from tests.stores.postgres.conftest import Open, Sql
from tests.stores.postgres.processes import wait_until

UUID = "{fp:86}:01a1de98-5e63-7000-8000-f1ac0874dc2f"


@pytest.fixture
def conn(url: str) -> Iterator[psycopg.Connection[Any]]:
    """The caller's own connection."""
    with psycopg.connect(url) as conn:
        yield conn


def submitted(engine: BlockingEngine) -> list[str]:
    return [x.execution_id for x in engine.list_executions().items]


# ── several at once ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("by", [{"idempotency_key": "order-7"}, {"execution_id": UUID}])
@pytest.mark.parametrize("commits", [True, False])
def test_a_key_or_an_id_that_an_open_transaction_has_taken_is_waited_for(
    open_another: Open, url: str, sql: Sql, by: dict[str, str], commits: bool
) -> None:
    engine = open_another()
    answers: list[Created | Duplicate] = []

    def submit_too() -> None:
        with psycopg.connect(url) as second:
            answers.append(engine.create_execution("mail", **by, conn=second))

    with psycopg.connect(url) as first:
        created = engine.create_execution("mail", **by, conn=first)
        second = threading.Thread(target=submit_too)
        second.start()
        wait_until(lambda: someone_waits_for_a_lock(sql))
        assert answers == []
        (first.commit if commits else first.rollback)()
        second.join()

    if commits:
        assert answers == [Duplicate(created.execution_id)]
    else:
        assert isinstance(answers[0], Created)
    assert submitted(engine) == [answers[0].execution_id]


def someone_waits_for_a_lock(sql: Sql) -> bool:
    waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    row = sql.execute(waiting).fetchone()
    return row != (0,)


def test_of_many_transactions_with_one_key_all_mean_one_execution(open_another: Open, url: str) -> None:
    engine = open_another()
    answers: list[str] = []

    def submit() -> None:
        with psycopg.connect(url) as conn:
            answers.append(engine.create_execution("mail", idempotency_key="order-7", conn=conn).execution_id)

    threads = [threading.Thread(target=submit) for _ in range(8)]
    for thread in threads:
        thread.start()
    by_itself = engine.create_execution("mail", idempotency_key="order-7").execution_id
    for thread in threads:
        thread.join()

    assert set(answers) == {by_itself}
    assert submitted(engine) == [by_itself]


def test_a_key_whose_time_is_over_is_taken_over_by_one(open_another: Open, url: str, sql: Sql) -> None:
    engine = open_another()
    old = engine.create_execution("mail", idempotency_key="order-7").execution_id
    sql.execute("update ff_idempotency set expires_at_ms = 1")
    answers: list[str] = []

    def submit() -> None:
        with psycopg.connect(url) as conn:
            answers.append(engine.create_execution("mail", idempotency_key="order-7", conn=conn).execution_id)

    threads = [threading.Thread(target=submit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(answers)) == 1
    assert sorted(submitted(engine)) == sorted({old, answers[0]})


@pytest.mark.parametrize("driver", [asyncpg.connect, psycopg.AsyncConnection.connect])
def test_half_of_a_submit_that_was_cancelled_is_never_committed(url: str, sql: Sql, driver: Any) -> None:
    async def story() -> None:
        async with open_engine(url, reconcile=False) as engine:
            first, second = await driver(url), await driver(url)
            await second.execute("create table orders (name text)")
            if driver is not asyncpg.connect:
                await second.commit()
            for conn in (first, second):
                await conn.execute("begin")
            kept = await engine.create_execution("mail", idempotency_key="order-7", conn=first)

            # Everything but its key is written when it has to wait.
            waiting = asyncio.create_task(engine.create_execution("mail", idempotency_key="order-7", conn=second))
            await asyncio.to_thread(wait_until, lambda: someone_waits_for_a_lock(sql))
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await second.execute("insert into orders values ('pen')")
            for conn in (second, first):
                await conn.execute("commit")
                await conn.close()

            assert [x.execution_id for x in (await engine.list_executions()).items] == [kept.execution_id]
            assert sql.execute("select name from orders").fetchall() == [("pen",)]

    asyncio.run(story())


def test_what_a_repeatable_read_cannot_see_is_contention_and_leaves_it_usable(
    engine: BlockingEngine, conn: psycopg.Connection[Any]
) -> None:
    conn.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    conn.execute("create table orders (name text)")
    conn.commit()
    conn.execute("select * from orders")
    engine.create_execution("mail", idempotency_key="order-7")

    with pytest.raises(Contention, match="run the whole transaction again"):
        engine.create_execution("mail", idempotency_key="order-7", conn=conn)
    conn.execute("insert into orders values ('pen')")
    conn.commit()

    assert isinstance(engine.create_execution("mail", idempotency_key="order-7", conn=conn), Duplicate)
    assert conn.execute("select name from orders").fetchall() == [("pen",)]


def test_an_execution_that_is_only_looked_at_is_not_locked(
    engine: BlockingEngine, conn: psycopg.Connection[Any]
) -> None:
    engine.create_execution("mail", execution_id=UUID)

    assert isinstance(engine.create_execution("mail", execution_id=UUID, conn=conn), Duplicate)

    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    assert engine.complete(claimed.lease).execution_id == UUID


def test_a_set_of_capabilities_that_was_rolled_back_is_not_remembered(
    open_another: Open, conn: psycopg.Connection[Any]
) -> None:
    engine = open_another()
    for _ in range(2):
        engine.create_execution("mail", required_capabilities=["ink"], conn=conn)
    conn.rollback()

    created = engine.create_execution("mail", required_capabilities=["ink"])

    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", capabilities=["ink"])
    assert claimed.execution_id == created.execution_id


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


def test_without_a_transaction_a_submit_is_refused(engine: BlockingEngine, url: str) -> None:
    with (
        psycopg.connect(url, autocommit=True) as conn,
        pytest.raises(InvalidInput, match="commits every statement at once"),
    ):
        engine.create_execution("mail", conn=conn)

    database = sqlalchemy.create_engine(url.replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
    with database.connect() as wrapped, pytest.raises(InvalidInput, match="commits every statement at once"):
        engine.create_execution("mail", conn=wrapped)
    database.dispose()

    async def story() -> None:
        async with open_engine(url, reconcile=False) as another:
            bare = await asyncpg.connect(url)
            with pytest.raises(InvalidInput, match="commits every statement at once"):
                await another.create_execution("mail", conn=bare)
            await bare.close()
            with pytest.raises(InvalidInput, match="conn is closed"):
                await another.create_execution("mail", conn=bare)

    asyncio.run(story())
    assert submitted(engine) == []


def test_in_autocommit_an_open_transaction_is_joined_and_a_block_opens_one(engine: BlockingEngine, url: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        with conn.transaction():
            engine.create_execution("mail", conn=conn)
        with conn.transaction(force_rollback=True):
            engine.create_execution("mail", conn=conn)
        with engine.transaction(conn):
            engine.create_execution("mail", conn=conn)
        with suppress(ZeroDivisionError), engine.transaction(conn):
            engine.create_execution("mail", conn=conn)
            raise ZeroDivisionError

    assert len(submitted(engine)) == 2


def test_a_closed_connection_a_failed_transaction_and_one_that_only_reads_are_refused(
    engine: BlockingEngine, url: str
) -> None:
    closed = psycopg.connect(url)
    closed.close()
    with pytest.raises(InvalidInput, match="conn is closed"):
        engine.create_execution("mail", conn=closed)

    with psycopg.connect(url) as conn:
        with pytest.raises(psycopg.errors.DivisionByZero):
            conn.execute("select 1 / 0")
        with pytest.raises(InvalidInput, match="has failed before"):
            engine.create_execution("mail", conn=conn)
        conn.rollback()
        conn.read_only = True
        with pytest.raises(InvalidInput, match="read-only"):
            engine.create_execution("mail", conn=conn)
        assert conn.execute("select 1").fetchone() == (1,)

    async def story() -> None:
        async with open_engine(url, reconcile=False) as another:
            conn = await asyncpg.connect(url)
            await conn.execute("begin")
            with pytest.raises(asyncpg.DivisionByZeroError):
                await conn.execute("select 1 / 0")
            with pytest.raises(InvalidInput, match="has failed before"):
                await another.create_execution("mail", conn=conn)
            await conn.execute("rollback")
            with pytest.raises(InvalidInput, match="read-only"):
                async with conn.transaction(readonly=True):
                    await another.create_execution("mail", conn=conn)
            await conn.close()

    asyncio.run(story())


def test_another_database_a_copy_of_ours_and_one_without_our_tables_are_refused(engine: BlockingEngine) -> None:
    with (
        empty_store() as other,
        psycopg.connect(other) as conn,
        pytest.raises(InvalidInput, match="another database than this engine"),
    ):
        engine.create_execution("mail", conn=conn)

    with empty_database() as bare, psycopg.connect(bare) as conn:
        with pytest.raises(SchemaMismatch, match="does not see the tables of flowfabric"):
            engine.create_execution("mail", conn=conn)
        assert conn.execute("select 1").fetchone() == (1,)


def test_a_copy_of_the_database_is_refused(open_another: Open, url: str) -> None:
    with copy_of(url) as copied, psycopg.connect(copied) as conn:
        engine = open_another()

        with pytest.raises(InvalidInput, match="another database than this engine"):
            engine.create_execution("mail", conn=conn)


def test_another_schema_of_the_same_database_is_refused(engine: BlockingEngine, conn: psycopg.Connection[Any]) -> None:
    conn.execute("create schema elsewhere")
    conn.execute("set local search_path = elsewhere")

    with pytest.raises(SchemaMismatch, match="same search_path"):
        engine.create_execution("mail", conn=conn)


def test_a_role_that_may_not_write_is_told_so_and_its_transaction_goes_on(
    engine: BlockingEngine, conn: psycopg.Connection[Any]
) -> None:
    conn.execute("create role guest_of_joining")
    conn.execute("grant select on all tables in schema public to guest_of_joining")
    conn.execute("set local role guest_of_joining")

    with pytest.raises(StoreError, match="may not do what flowfabric needs"):
        engine.create_execution("mail", conn=conn)

    assert conn.execute("select count(*) from ff_exec_core").fetchone() == (0,)
    conn.rollback()


def test_a_connection_that_waits_in_another_way_or_to_another_kind_of_database_is_refused(
    engine: BlockingEngine, url: str
) -> None:
    with (
        closing(sqlite3.connect(":memory:")) as file,
        pytest.raises(InvalidInput, match="this engine's database is PostgreSQL"),
    ):
        engine.create_execution("mail", conn=file)

    async def story() -> None:
        async with await psycopg.AsyncConnection.connect(url) as conn:
            with pytest.raises(InvalidInput, match=r"psycopg.AsyncConnection, which has to be awaited"):
                engine.create_execution("mail", conn=conn)

    asyncio.run(story())


def test_namespaces_hold_inside_a_joined_transaction(engine: BlockingEngine, conn: psycopg.Connection[Any]) -> None:
    tenant = engine.scoped("tenant-a")

    with pytest.raises(InvalidInput, match="namespace"):
        tenant.create_execution("mail", namespace="tenant-b", conn=conn)
    mine = tenant.create_execution("mail", idempotency_key="order-7", conn=conn)
    yours = engine.create_execution("mail", idempotency_key="order-7", conn=conn)
    with pytest.raises(Conflict):
        engine.create_execution("print", idempotency_key="order-7", conn=conn)
    conn.commit()

    assert [x.execution_id for x in tenant.list_executions().items] == [mine.execution_id]
    assert yours.execution_id != mine.execution_id


# ── the caller's session ─────────────────────────────────────────────────────────────────────────


def test_nothing_of_the_callers_session_is_changed(engine: BlockingEngine, url: str) -> None:
    with psycopg.connect(url, row_factory=dict_row, prepare_threshold=0) as conn:

        def session() -> list[object]:
            settings = conn.execute("select name, setting from pg_settings order by name", prepare=False).fetchall()
            prepared = conn.execute("select statement from pg_prepared_statements", prepare=False).fetchall()
            return [settings, prepared, conn.row_factory, conn.autocommit, conn.isolation_level]

        conn.execute("set local lock_timeout = '7s'")
        before = session()
        engine.create_execution("mail", idempotency_key="7", required_capabilities=["ink"], conn=conn)
        with pytest.raises(Conflict):
            engine.create_execution("print", idempotency_key="7", conn=conn)

        assert session() == before


def test_a_savepoint_of_the_callers_own_takes_a_submit_with_it(
    engine: BlockingEngine, conn: psycopg.Connection[Any]
) -> None:
    kept = engine.create_execution("mail", conn=conn)
    with conn.transaction(force_rollback=True):
        engine.create_execution("mail", conn=conn)
    conn.commit()

    assert submitted(engine) == [kept.execution_id]


# ── wake-ups and events ──────────────────────────────────────────────────────────────────────────


def test_a_worker_starts_what_was_committed_without_waiting_for_its_poll(url: str) -> None:
    async def story() -> None:
        ff = FlowFabric(url)

        @ff.task
        async def mail(ctx: Context, name: str) -> str:
            return name

        async with ff, await psycopg.AsyncConnection.connect(url) as conn:
            stop = asyncio.Event()
            worker = asyncio.create_task(ff.run_worker(stop=stop, poll="60s"))
            await (await mail.submit("first")).result(timeout=30)  # the worker is up, listens, and is idle again
            handle = await mail.options(conn=conn).submit("pen")
            await conn.commit()

            assert await handle.result(timeout=30) == "pen"
            stop.set()
            await worker

    asyncio.run(story())


def test_a_reader_of_events_misses_nothing_of_what_was_submitted_in_a_long_transaction(
    engine: BlockingEngine, conn: psycopg.Connection[Any]
) -> None:
    late = engine.create_execution("mail", conn=conn)
    engine.create_execution("mail")
    (first,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    page = engine.read_events()
    conn.commit()

    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    engine.complete(claimed.lease)

    events = engine.read_events(cursor=page.next_cursor).events
    assert claimed.execution_id == late.execution_id != first.execution_id
    assert [(event.execution_id, event.event_type) for event in events] == [
        (late.execution_id, "acquired"),
        (late.execution_id, "completed"),
    ]
