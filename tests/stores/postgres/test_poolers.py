"""Behind a pooler in transaction mode, where each transaction may run on another server connection."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest
from psycopg.errors import InvalidSqlStatementName

from flowfabric import BlockingEngine, ExecutionPolicy, NewExecution, open_blocking_engine
from flowfabric.ports.errors import ConnectionLost
from flowfabric.stores.postgres import listening
from flowfabric.stores.postgres.store import PostgresStore
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.postgres_server import connected, empty_database
from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.pooler import Farewell, Pooler

WAIT_S_MAX = 30.0


@contextmanager
def pooled(url: str, *, connections: int = 2, passes_for_server: bool = False) -> Iterator[Pooler]:
    with Pooler(url, connections, passes_for_server=passes_for_server).running() as pooler:
        yield pooler


def at_once(*work: Callable[[], None]) -> None:
    """Run everything in threads of its own, and fail if any of it does."""
    failures: list[BaseException] = []

    def run(one: Callable[[], None]) -> None:
        try:
            one()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def lives(engine: BlockingEngine, name: str, count: int) -> Callable[[], None]:
    """Every kind of command and read, over and over."""
    policy = ExecutionPolicy(max_replays=1)

    def live() -> None:
        for number in range(count):
            lane = f"lane-{name}"
            created = engine.create_executions(
                [
                    NewExecution(kind="kind", payload=b"p", lane=lane, idempotency_key=f"{name}-{number}"),
                    NewExecution(kind="kind", lane=lane, tags={"team.name": name}, policy=policy),
                ]
            )
            engine.hold(created[1].execution_id)
            engine.change_priority(created[0].execution_id, 7)
            (claimed,) = engine.claim(worker_id="w", worker_instance_id=name, lanes=[lane], limit=5)
            assert claimed.execution_id == created[0].execution_id
            engine.renew(claimed.lease)
            engine.complete(claimed.lease, name.encode())
            assert engine.get_result(claimed.execution_id) == name.encode()
            assert engine.claim(worker_id="w", worker_instance_id=name, lanes=[lane]) == []
            engine.cancel_execution(created[1].execution_id, reason="enough")
            engine.replay_execution(created[1].execution_id)
            engine.release(engine.claim(worker_id="w", worker_instance_id=name, lanes=[lane])[0].lease)
            engine.cancel_execution(created[1].execution_id, reason="enough")
            assert len(engine.list_executions(lane=lane, limit=1000).items) == 2 * (number + 1)
            events = engine.read_events(execution_id=created[1].execution_id).events
            assert [event.seq for event in events] == list(range(1, len(events) + 1))

    return live


def test_two_engines_live_through_two_connections_that_change_with_every_transaction(
    url: str, sql: Sql, caplog: pytest.LogCaptureFixture
) -> None:
    with pooled(url) as pooler, ExitStack() as stack:
        engines = [stack.enter_context(open_blocking_engine(pooler.url, reconcile=False)) for _ in range(2)]

        with caplog.at_level(logging.WARNING):
            at_once(*(lives(engine, f"{index}", 8) for index, engine in enumerate(engines)))

        assert pooler.transactions > 250
        assert pooler.switches > pooler.transactions // 10
        assert pooler.errors == {}
    assert caplog.records == []
    assert sql.execute("select count(*), count(distinct idempotency_key) from ff_exec_core").fetchone() == (32, 16)
    with opened(url) as store:
        assert_nothing_is_broken(store)


def test_nothing_is_prepared_under_a_name_that_may_mean_something_else_on_the_next_connection(url: str) -> None:
    with pooled(url) as pooler:
        with open_blocking_engine(pooler.url, reconcile=False) as engine:
            lives(engine, "only", 3)()

        assert pooler.named == 0


def test_nothing_follows_a_transaction_that_would_keep_its_server_connection(url: str) -> None:
    with pooled(url) as pooler:
        with open_blocking_engine(pooler.url, reconcile=False) as engine:
            lives(engine, "only", 8)()

        assert pooler.stray_flushes == 0


def test_one_server_connection_is_enough_for_several_engines_at_once(url: str) -> None:
    with pooled(url, connections=1) as pooler, ExitStack() as stack:
        engines = [stack.enter_context(open_blocking_engine(pooler.url, reconcile=False)) for _ in range(3)]

        at_once(*(lives(engine, f"{index}", 3) for index, engine in enumerate(engines)))

        assert pooler.errors == {}


def test_a_database_can_be_migrated_through_it() -> None:
    with empty_database() as bare, pooled(bare) as pooler:
        for name in ("fresh", "again"):
            with open_blocking_engine(pooler.url, migrate=True, reconcile=False) as engine:
                lives(engine, name, 2)()

        assert pooler.errors == {}


def test_reconcilers_and_a_subscriber_run_beside_it_all(url: str) -> None:
    with pooled(url) as pooler, open_blocking_engine(pooler.url) as engine:
        subscription = engine.subscribe(channels=["completion"])
        ended: list[str | None] = []

        at_once(lives(engine, "one", 5), lambda: ended.extend(next(subscription).execution_id for _ in range(15)))

    assert len(ended) == 15


def test_a_claim_in_several_lanes_keeps_the_era_of_the_store(url: str, sql: Sql) -> None:
    with pooled(url) as pooler, open_blocking_engine(pooler.url, reconcile=False) as engine:
        engine.create_executions([NewExecution(kind="kind") for _ in range(3)])
        eras = sql.execute("select distinct lease_era from ff_exec_core").fetchall()

        several = engine.claim(worker_id="w", worker_instance_id="i", lanes=["default", "other"])
        alone = engine.claim(worker_id="w", worker_instance_id="i", lanes=["default"])

        assert [claimed.lease.lease_epoch for claimed in (*several, *alone)] == [1, 1]
    assert sql.execute("select distinct lease_era from ff_exec_core").fetchall() == eras
    assert len(eras) == 1


def test_a_claim_in_several_lanes_passes_over_what_another_session_holds(url: str, sql: Sql) -> None:
    with pooled(url) as pooler, open_blocking_engine(pooler.url, reconcile=False) as engine:
        engine.create_execution("kind")
        with sql.transaction(force_rollback=True):
            sql.execute("select from ff_exec_core for update")

            assert engine.claim(worker_id="w", worker_instance_id="i", lanes=["default", "other"]) == []

        (claimed,) = engine.claim(worker_id="w", worker_instance_id="i", lanes=["default", "other"])
        assert claimed.lease.lease_epoch == 1


def test_a_session_of_a_pooler_that_passed_for_the_server_is_not_ended(url: str) -> None:
    with (
        pooled(url, connections=1, passes_for_server=True) as pooler,
        connected(pooler.url) as another,
        closing(PostgresStore(pooler.url)) as store,
        closing(store.writer()) as writer,
    ):
        session = another.execute("select pg_backend_pid()").fetchone()
        assert not writer.was_committed(bytes(16))
        assert not store.connector.is_pooled
        another.execute("deallocate all")
        with pytest.raises(ConnectionLost, match="lost a prepared statement"):
            writer.was_committed(bytes(16))

        writer.reconnect()
        writer.make_ready()

        assert another.execute("select pg_backend_pid()").fetchone() == session


def listeners() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "flowfabric-listener"]


def test_nobody_listens_through_it_also_if_nothing_was_written_yet(url: str) -> None:
    with (
        pooled(url, connections=1) as pooler,
        connected(pooler.url) as another,
        closing(PostgresStore(pooler.url)) as store,
        store.watch(lambda _: None),
    ):
        for thread in listeners():
            thread.join(WAIT_S_MAX)

        assert listeners() == []
        assert store.connector.is_pooled
        assert another.execute("select pg_listening_channels()").fetchall() == []


def test_nobody_listens_any_longer_once_a_pooler_shows_that_had_passed_for_the_server(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "ANNOUNCE_S", 0.05)
    monkeypatch.setattr(listening, "RETRY_S", 0.05)
    listens = threading.Event()
    with (
        pooled(url, connections=1, passes_for_server=True) as pooler,
        closing(PostgresStore(pooler.url)) as store,
        store.watch(lambda _: listens.set()),
    ):
        assert listens.wait(WAIT_S_MAX)
        (thread,) = listeners()
        store.connector.meaning_of(InvalidSqlStatementName())

        thread.join(WAIT_S_MAX)

        assert not thread.is_alive()
        assert not store.notes.is_listening


FAREWELLS = [
    Farewell("FATAL", "08P01", "server conn crashed?"),
    Farewell("ERROR", "08P01", "query_wait_timeout"),
    Farewell("FATAL", "57P01", "terminating connection due to administrator command"),
    Farewell("FATAL", "57P02", "terminating connection because of crash of another server process"),
    Farewell("FATAL", "57P03", "the database system is starting up"),
    Farewell("FATAL", "25P03", "terminating connection due to idle-in-transaction timeout"),
    Farewell("FATAL", "25P04", "terminating connection due to transaction timeout"),
    Farewell("FATAL", "40001", "terminating connection due to conflict with recovery"),
    Farewell("FATAL", "53300", "sorry, too many clients already"),
    Farewell("FATAL", "XX000", "pgbouncer cannot connect to server"),
    Farewell("PANIC", "XX001", "could not write to the log"),
]


@pytest.mark.parametrize("moment", ["begin", "commit", "committed"])
def test_whatever_it_says_when_it_closes_a_connection_every_submit_happens_once(
    url: str, sql: Sql, moment: str
) -> None:
    with pooled(url) as pooler, open_blocking_engine(pooler.url, reconcile=False) as engine:
        for number, farewell in enumerate(FAREWELLS):
            pooler.bid_farewell(moment, farewell)

            engine.create_execution("kind", lane=f"{number}")

            assert pooler.has_bidden_farewell

    lanes = sql.execute("select lane_id, count(*) from ff_exec_core group by lane_id order by lane_id::int").fetchall()
    assert lanes == [(f"{number}", 1) for number in range(len(FAREWELLS))]
