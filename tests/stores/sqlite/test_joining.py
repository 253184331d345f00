"""A submit in a transaction of the caller's own, on SQLite: the file's lock is held around all of it."""

import asyncio
import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
import sqlalchemy
from sqlalchemy.orm import Session

from flowfabric import BlockingEngine, Context, FlowFabric, InvalidInput, StoreUnavailable, open_engine
from flowfabric.stores.sqlite import write_lock
from flowfabric.stores.sqlite.write_lock import WriteLock
from tests.stores.sqlite.books import connected, violations
from tests.stores.sqlite.conftest import Open
from tests.stores.sqlite.processes import wait_until


@pytest.fixture
def conn(engine: BlockingEngine, path: Path) -> Iterator[sqlite3.Connection]:
    """The caller's own connection, with a table of its own."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("create table orders (name text)")
        yield conn


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_lock, "WAIT_S_MAX", 0.05)


def is_locked(path: Path) -> bool:
    """Whether anyone may write now."""
    with closing(WriteLock(str(path))) as lock:
        try:
            lock.acquire(0.0)
        except StoreUnavailable:
            return True
        lock.release()
        return False


# ── the lock ─────────────────────────────────────────────────────────────────────────────────────


def test_the_lock_is_held_from_before_the_first_write_until_after_the_commit(
    engine: BlockingEngine, conn: sqlite3.Connection, path: Path
) -> None:
    with engine.transaction(conn):
        assert is_locked(path)
        engine.create_execution("mail", conn=conn)
        conn.commit()
        assert is_locked(path)  # what follows in the block is a transaction, too
        conn.execute("insert into orders values ('pen')")

    assert not is_locked(path)
    assert not conn.in_transaction


def test_the_lock_is_released_after_a_rollback_and_after_a_commit_that_fails(
    engine: BlockingEngine, conn: sqlite3.Connection, path: Path
) -> None:
    conn.execute("pragma foreign_keys = on")
    conn.execute("create table parents (name text primary key)")
    conn.execute("create table children (parent text references parents deferrable initially deferred)")

    with pytest.raises(KeyboardInterrupt), engine.transaction(conn):
        raise KeyboardInterrupt
    assert not is_locked(path)

    def submit_and_break() -> None:
        engine.create_execution("mail", conn=conn)
        conn.execute("insert into children values ('nobody')")

    with pytest.raises(sqlite3.IntegrityError), engine.transaction(conn):
        submit_and_break()

    assert not is_locked(path)
    assert not conn.in_transaction
    assert engine.list_executions().items == []


def test_the_engine_of_the_same_process_waits_for_the_block(
    engine: BlockingEngine, conn: sqlite3.Connection, path: Path
) -> None:
    created: list[str] = []
    other = threading.Thread(target=lambda: created.append(engine.create_execution("mail").execution_id))

    with engine.transaction(conn):
        other.start()
        wait_until(lambda: turnstile_is_taken(path))
        conn.execute("insert into orders values ('pen')")
        assert created == []

    other.join()
    assert len(created) == 1


def turnstile_is_taken(path: Path) -> bool:
    file = os.open(f"{path}-turn", os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


@pytest.mark.usefixtures("short_waits")
def test_a_submit_without_the_connection_inside_the_block_is_told_that_this_process_holds_the_lock(
    engine: BlockingEngine, conn: sqlite3.Connection
) -> None:
    with engine.transaction(conn), pytest.raises(StoreUnavailable, match=f"pid {os.getpid()}.*submit with conn="):
        engine.create_execution("mail")


@pytest.mark.usefixtures("short_waits")
def test_the_wait_for_the_lock_is_bounded_and_names_the_holder(
    engine: BlockingEngine, conn: sqlite3.Connection, path: Path
) -> None:
    with closing(WriteLock(str(path))) as lock:
        lock.acquire()

        with pytest.raises(StoreUnavailable, match=f"by the process with pid {os.getpid()}"), engine.transaction(conn):
            raise AssertionError("it began")

        lock.release()
    with engine.transaction(conn):
        engine.create_execution("mail", conn=conn)


def test_who_is_cancelled_while_waiting_for_the_lock_leaves_the_queue(url: str, path: Path) -> None:
    async def story() -> None:
        async with open_engine(url, reconcile=False) as engine, aiosqlite.connect(path) as conn:

            async def join() -> None:
                async with engine.transaction(conn):
                    raise AssertionError("it began")

            with closing(WriteLock(str(path))) as lock:
                lock.acquire()
                waiting = asyncio.create_task(join())
                await asyncio.to_thread(wait_until, lambda: turnstile_is_taken(path))
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                assert not turnstile_is_taken(path)
                lock.release()

            async with engine.transaction(conn):
                await engine.create_execution("mail", conn=conn)

    asyncio.run(story())


@pytest.mark.parametrize("at", range(1, 20, 2))
def test_half_of_a_submit_or_of_a_block_that_was_cancelled_is_never_committed(url: str, path: Path, at: int) -> None:
    async def story() -> None:
        async with open_engine(url, reconcile=False) as engine, aiosqlite.connect(path) as conn:

            async def join() -> None:
                async with engine.transaction(conn):
                    # What is cancelled in here is swallowed, as by a caller who goes on without the mail.
                    with suppress(asyncio.CancelledError):
                        await engine.create_execution("mail", idempotency_key="7", tags={"a.b": "c"}, conn=conn)

            joining = asyncio.create_task(join())
            loop, statements = asyncio.get_running_loop(), count(1)

            def cancel_there(statement: str) -> None:
                if next(statements) == at:
                    loop.call_soon_threadsafe(joining.cancel)

            await conn.set_trace_callback(cancel_there)
            with suppress(asyncio.CancelledError):
                await joining
            await conn.set_trace_callback(None)

            assert not is_locked(path)
            assert not conn.in_transaction
            with closing(connected(path)) as books:
                assert violations(books) == []
                counts = [
                    books.execute(f"select count(*) from {table}").fetchone()[0]
                    for table in ("ff_exec_core", "ff_payload", "ff_tag", "ff_idempotency")
                ]
            assert counts in ([0, 0, 0, 0], [1, 1, 1, 1])

    asyncio.run(story())


def test_many_threads_write_in_turn_and_the_file_stays_whole(url: str, path: Path, open_another: Open) -> None:
    engine = open_another()
    with closing(connected(path)) as books:
        books.execute("create table orders (name text)")

    def order(number: int) -> None:
        with closing(sqlite3.connect(path)) as conn:
            for at in range(10):
                if number % 2:
                    conn.execute("begin")  # as some programs always have: nothing is read before the lock is held
                with engine.transaction(conn):
                    conn.execute("insert into orders values (?)", (f"{number}-{at}",))
                    engine.create_execution("mail", idempotency_key=f"{at}", conn=conn)
                engine.create_execution("by itself")

    threads = [threading.Thread(target=order, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with closing(connected(path)) as books:
        assert violations(books) == []
        assert books.execute("select count(*) from orders").fetchone() == (40,)
        kinds = books.execute("select execution_kind, count(*) from ff_exec_core group by 1 order by 1").fetchall()
        assert kinds == [("by itself", 40), ("mail", 10)]


def test_the_log_does_not_grow_without_end_where_all_writing_is_joined(
    engine: BlockingEngine, conn: sqlite3.Connection, path: Path
) -> None:
    for _ in range(12):
        with engine.transaction(conn):
            engine.create_execution("mail", bytes(1_000_000), conn=conn)

    assert os.path.getsize(f"{path}-wal") < 9_000_000


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


def test_outside_of_a_block_a_submit_is_refused_and_told_where_it_belongs(
    engine: BlockingEngine, conn: sqlite3.Connection
) -> None:
    conn.execute("insert into orders values ('pen')")

    with pytest.raises(InvalidInput, match=r"inside `with ff.transaction\(conn\):`"):
        engine.create_execution("mail", conn=conn)

    assert conn.in_transaction
    conn.commit()


def test_a_transaction_that_has_written_without_the_lock_is_refused_and_one_that_has_read_is_not(
    engine: BlockingEngine, conn: sqlite3.Connection, path: Path
) -> None:
    conn.execute("insert into orders values ('pen')")
    with pytest.raises(InvalidInput, match="has written already, without the lock"), engine.transaction(conn):
        raise AssertionError("it began")
    assert not is_locked(path)
    conn.rollback()

    conn.execute("begin")
    conn.execute("select * from orders").fetchall()
    with engine.transaction(conn):
        engine.create_execution("mail", conn=conn)

    assert len(engine.list_executions().items) == 1


def test_a_transaction_that_has_read_what_is_old_by_now_is_refused(
    engine: BlockingEngine, conn: sqlite3.Connection
) -> None:
    conn.execute("begin")
    conn.execute("select * from orders").fetchall()
    engine.create_execution("mail")

    with pytest.raises(InvalidInput, match="has read before others wrote"), engine.transaction(conn):
        raise AssertionError("it began")

    conn.rollback()
    with engine.transaction(conn):
        engine.create_execution("mail", conn=conn)


def test_a_block_within_a_block_is_refused(engine: BlockingEngine, conn: sqlite3.Connection) -> None:
    with (
        engine.transaction(conn),
        pytest.raises(InvalidInput, match="in a block of `transaction\\(conn\\)` already"),
        engine.transaction(conn),
    ):
        raise AssertionError("it began")

    with engine.transaction(conn):
        engine.create_execution("mail", conn=conn)


@contextmanager
def a_copy(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as source:
        source.execute("vacuum into ?", (f"{path}-copy",))
    with closing(sqlite3.connect(f"{path}-copy")) as conn:
        yield conn


@contextmanager
def in_memory(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as conn:
        yield conn


@contextmanager
def an_empty_file(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{path}-empty")) as conn:
        yield conn


@pytest.mark.parametrize("another", [a_copy, in_memory, an_empty_file])
def test_another_database_is_refused(engine: BlockingEngine, path: Path, another: Callable[[Path], Any]) -> None:
    with (
        another(path) as conn,
        pytest.raises(InvalidInput, match="and this engine's file is"),
        engine.transaction(conn),
    ):
        raise AssertionError("it began")


def test_a_database_of_another_incarnation_in_the_place_of_ours_is_refused(
    engine: BlockingEngine, conn: sqlite3.Connection, path: Path
) -> None:
    conn.execute("update ff_meta set value = 'another' where name = 'incarnation'")
    conn.commit()

    with pytest.raises(InvalidInput, match="another database that stands"), engine.transaction(conn):
        raise AssertionError("it began")

    assert not conn.in_transaction
    assert not is_locked(path)


def test_a_symbolic_link_to_the_file_is_the_file(engine: BlockingEngine, path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    with closing(sqlite3.connect(link)) as conn, engine.transaction(conn):
        engine.create_execution("mail", conn=conn)

    assert len(engine.list_executions().items) == 1


def test_a_closed_connection_one_of_another_thread_and_one_that_only_reads_are_refused(
    engine: BlockingEngine, path: Path
) -> None:
    closed = sqlite3.connect(path)
    closed.close()
    with pytest.raises(InvalidInput, match="closed"), engine.transaction(closed):
        raise AssertionError("it began")

    with (
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reader,
        pytest.raises(InvalidInput, match="may only read"),
        engine.transaction(reader),
    ):
        engine.create_execution("mail", conn=reader)

    with closing(sqlite3.connect(path)) as conn:
        refusals: list[InvalidInput] = []

        def use_elsewhere() -> None:
            with pytest.raises(InvalidInput, match="thread") as refusal, engine.transaction(conn):
                raise AssertionError("it began")
            refusals.append(refusal.value)

        thread = threading.Thread(target=use_elsewhere)
        thread.start()
        thread.join()
        assert len(refusals) == 1
    assert not is_locked(path)


def test_a_connection_that_waits_in_another_way_is_refused(engine: BlockingEngine, url: str, path: Path) -> None:
    async def story() -> None:
        async with aiosqlite.connect(path) as conn:
            with pytest.raises(InvalidInput, match=r"aiosqlite.Connection, which has to be awaited"):
                engine.create_execution("mail", conn=conn)
        async with open_engine(url, reconcile=False) as another:
            with closing(sqlite3.connect(path)) as conn, pytest.raises(InvalidInput, match="block the event loop"):
                await another.create_execution("mail", conn=conn)

    asyncio.run(story())


@pytest.mark.parametrize("conn", [object(), "shop.db", 7, sqlalchemy.create_engine("sqlite://")])
def test_what_is_no_connection_is_refused(engine: BlockingEngine, conn: object) -> None:
    with pytest.raises(InvalidInput, match="Hand in a connection of psycopg"):
        engine.create_execution("mail", conn=conn)


# ── the caller's session ─────────────────────────────────────────────────────────────────────────


PRAGMAS = (
    "busy_timeout",
    "cache_size",
    "foreign_keys",
    "query_only",
    "synchronous",
    "temp_store",
    "wal_autocheckpoint",
)


def as_dict(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}


def test_nothing_of_the_callers_session_is_changed(engine: BlockingEngine, path: Path) -> None:
    conn = sqlite3.connect(path, isolation_level="EXCLUSIVE", cached_statements=7)
    conn.row_factory = as_dict
    conn.text_factory = bytes

    def session() -> list[object]:
        pragmas = [conn.execute(f"pragma {name}").fetchone() for name in PRAGMAS]
        return [conn.row_factory, conn.text_factory, conn.isolation_level, conn.in_transaction, *pragmas]

    before = session()
    with engine.transaction(conn):
        first = engine.create_execution("mail", b"pen", idempotency_key="7", required_capabilities=["ink"], conn=conn)
        again = engine.create_execution("mail", b"pen", execution_id=first.execution_id, conn=conn)

    assert session() == before
    assert again.execution_id == first.execution_id
    conn.close()


def test_a_session_that_commits_in_the_block_may_go_on(engine: BlockingEngine, path: Path) -> None:
    database = sqlalchemy.create_engine(f"sqlite:///{path}")
    with Session(database) as session, engine.transaction(session):
        engine.create_execution("mail", conn=session)
        session.commit()
        engine.create_execution("mail", conn=session)
        engine.create_execution("mail", conn=session.connection())
        session.rollback()
    database.dispose()

    assert len(engine.list_executions().items) == 1


# ── wake-ups ─────────────────────────────────────────────────────────────────────────────────────


def test_a_worker_starts_what_was_committed_without_waiting_for_its_poll(url: str, path: Path) -> None:
    async def story() -> None:
        ff = FlowFabric(url)

        @ff.task
        async def mail(ctx: Context, name: str) -> str:
            return name

        async with ff, aiosqlite.connect(path) as conn:
            stop = asyncio.Event()
            worker = asyncio.create_task(ff.run_worker(stop=stop, poll="60s"))
            await (await mail.submit("first")).result(timeout=30)  # the worker is up, and idle again
            async with ff.transaction(conn):
                handle = await mail.options(conn=conn).submit("pen")

            assert await handle.result(timeout=30) == "pen"
            stop.set()
            await worker

    asyncio.run(story())
