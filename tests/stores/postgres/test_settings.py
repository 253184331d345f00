"""A role or a database may be set for other programs: an engine sets what it needs, directly and through a pooler."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from flowfabric import (
    BlockingEngine,
    ExecutionPolicy,
    InvalidInput,
    NewExecution,
    SchemaMismatch,
    StoreUnavailable,
    open_blocking_engine,
)
from flowfabric.stores.postgres.migrating import plan
from tests.chaos.processes import wait_until
from tests.postgres_server import connected, empty_database
from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.test_poolers import pooled
from tests.stores.postgres.test_roles import a_whole_life

Opened = Callable[[], BlockingEngine]
WORDS = "ünï €\\'\""
BYTES = b"\\x00'\\" + bytes(range(256))

SETTINGS = {
    "array_nulls": "off",
    "backslash_quote": "off",
    "bytea_output": "escape",
    "DateStyle": "'German, DMY'",
    "default_transaction_deferrable": "on",
    "default_transaction_isolation": "serializable",
    "extra_float_digits": "0",
    "IntervalStyle": "sql_standard",
    "lock_timeout": "1",
    "quote_all_identifiers": "on",
    "standard_conforming_strings": "off",
    "TimeZone": "'Asia/Kolkata'",
    "transform_null_equals": "on",
}
"""All of them at once."""


@pytest.fixture(params=["directly", "through a pooler"])
def opened(request: pytest.FixtureRequest, url: str) -> Iterator[Opened]:
    """Opens an engine, once the database is set as the test wants it."""
    with ExitStack() as stack:

        def open_it() -> BlockingEngine:
            to = url if request.param == "directly" else stack.enter_context(pooled(url)).url
            return stack.enter_context(open_blocking_engine(to, reconcile=False))

        yield open_it


def set_for_new_sessions(sql: Sql, **settings: str) -> None:
    for name, value in settings.items():
        sql.execute(f"alter database {sql.info.dbname} set {name} = {value}")


def assert_what_is_written_is_read(engine: BlockingEngine) -> None:
    made = engine.create_execution(
        WORDS, BYTES, lane="read", tags={"a.b": WORDS}, policy=ExecutionPolicy(max_replays=1), deadline_at_ms=10**14
    )
    seen = engine.describe_execution(made.execution_id)
    assert seen is not None
    assert (seen.kind, seen.tags, seen.deadline_at_ms) == (WORDS, {"a.b": WORDS}, 10**14)
    (claimed,) = engine.claim(worker_id=WORDS, worker_instance_id="i", lanes=["read"])
    assert claimed.payload == BYTES
    engine.complete(claimed.lease, BYTES)
    assert engine.get_result(made.execution_id) == BYTES


@contextmanager
def waiting_for_a_lock(sql: Sql, locking: str, work: Callable[[], object]) -> Iterator[None]:
    """While the block lasts, a batch waits for a lock; then it must end well."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    waits = "select exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)))"
    thread = threading.Thread(target=run)
    with sql.transaction():
        sql.execute(locking)
        thread.start()
        wait_until(lambda: sql.execute(waits).fetchone() == (True,))
        yield
    thread.join()
    assert failures == []


def test_an_engine_works_the_same_whatever_a_database_is_set_to(sql: Sql, opened: Opened) -> None:
    set_for_new_sessions(sql, **SETTINGS)

    engine = opened()

    a_whole_life(engine)
    assert_what_is_written_is_read(engine)


@pytest.mark.parametrize("encoding", ["latin1", "win1252", "sql_ascii"])
def test_an_engine_speaks_utf_8_whatever_its_role_speaks(encoding: str) -> None:
    with empty_database() as url, connected(url) as sql:
        set_for_new_sessions(sql, client_encoding=encoding)

        with open_blocking_engine(url, migrate=True, reconcile=False) as engine:
            assert_what_is_written_is_read(engine)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII", "EUC_JP"])
def test_a_database_that_is_not_utf_8_is_refused_before_anything_is_made(encoding: str) -> None:
    with empty_database(encoding) as url:
        with (
            pytest.raises(SchemaMismatch, match=rf"encoding is {encoding}.* needs UTF8"),
            open_blocking_engine(url, migrate=True),
        ):
            pass
        with pytest.raises(SchemaMismatch, match=rf"encoding is {encoding}.* needs UTF8"):
            plan(url)
        with connected(url) as sql:
            assert sql.execute("select count(*) from pg_class where relname like 'ff\\_%'").fetchone() == (0,)


def test_a_batch_is_read_committed_also_where_serializable_is_the_rule(sql: Sql, opened: Opened) -> None:
    set_for_new_sessions(sql, default_transaction_isolation="serializable")
    engine = opened()
    key = engine.create_execution("kind").execution_id

    with waiting_for_a_lock(sql, "select from ff_exec_core for update", lambda: engine.change_priority(key, 1)):
        # Only what is serializable takes locks of this kind.
        assert sql.execute("select count(*) from pg_locks where mode = 'SIReadLock'").fetchone() == (0,)


def test_a_batch_may_take_longer_than_other_programs_may(
    sql: Sql, opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    set_for_new_sessions(sql, statement_timeout="500")
    if sql.info.server_version >= 170_000:
        set_for_new_sessions(sql, transaction_timeout="500")
    engine = opened()
    key = engine.create_execution("kind").execution_id

    with waiting_for_a_lock(sql, "select from ff_exec_core for update", lambda: engine.change_priority(key, 1)):
        sql.execute("select pg_sleep(0.7)")
    with waiting_for_a_lock(sql, "lock ff_exec_core", lambda: engine.create_execution("kind")):
        sql.execute("select pg_sleep(0.7)")

    assert caplog.records == []


def test_a_batch_may_think_for_longer_than_other_programs_may(
    sql: Sql, opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    set_for_new_sessions(sql, idle_in_transaction_session_timeout="1")
    engine = opened()

    made = engine.create_executions([NewExecution(kind="kind", idempotency_key=f"{n}") for n in range(1_000)])

    assert len(made) == 1_000
    assert caplog.records == []


def test_a_database_set_to_read_only_takes_nothing_until_it_is_set_back(sql: Sql, url: str) -> None:
    set_for_new_sessions(sql, default_transaction_read_only="on")
    with open_blocking_engine(url, reconcile=False) as engine:
        with pytest.raises(StoreUnavailable, match="read-only"):
            engine.create_execution("kind")
        with pytest.raises(StoreUnavailable, match="read-only"):
            engine.create_execution("kind", tags={"a.b": "c"})

        set_for_new_sessions(sql, default_transaction_read_only="off")

        engine.create_execution("kind")
        engine.create_execution("kind", tags={"a.b": "c"})


def test_a_search_path_that_leads_nowhere_is_named() -> None:
    with empty_database() as url, connected(url) as sql:
        set_for_new_sessions(sql, search_path="nowhere")

        with pytest.raises(SchemaMismatch, match="search_path"), open_blocking_engine(url, migrate=True):
            pass


def test_a_connection_of_the_callers_that_knows_no_nulls_in_arrays_is_refused(sql: Sql, url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine, connected(url) as conn, conn.transaction():
        conn.execute("set array_nulls = off")
        with pytest.raises(InvalidInput, match="array_nulls"):
            engine.create_execution("kind", conn=conn)
