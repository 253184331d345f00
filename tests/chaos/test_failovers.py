"""The server crashes, or a standby takes over: what readers and workers of before may rely on."""

from collections.abc import Iterator

import psycopg
import pytest

from flowfabric import BlockingEngine, InvalidInput, open_blocking_engine
from tests.chaos.conftest import CHAOS
from tests.chaos.killable_postgres import KillablePostgres

pytestmark = CHAOS

ROLLBACKS = 20


@pytest.fixture
def engine(server: KillablePostgres, database: str) -> Iterator[BlockingEngine]:
    with open_blocking_engine(server.url(database), reconcile=False) as engine:
        yield engine


def cancelled(engine: BlockingEngine) -> str:
    """The id of an execution that has left one event in the log."""
    execution_id = engine.create_execution("kind").execution_id
    engine.cancel_execution(execution_id, reason="")
    return execution_id


def roll_back(server: KillablePostgres, times: int = ROLLBACKS) -> None:
    """Another application in the same cluster changes its mind, again and again."""
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        for _ in range(times):
            with connection.transaction(force_rollback=True):
                connection.execute("select pg_current_xact_id()")


def told(engine: BlockingEngine, cursor: str | None) -> list[str | None]:
    return [event.execution_id for event in engine.read_events(cursor=cursor).events]


# ── readers ──────────────────────────────────────────────────────────────────────────────────────


def test_a_reader_misses_nothing_after_a_crash_though_transaction_ids_come_again(
    server: KillablePostgres, engine: BlockingEngine
) -> None:
    seen = cancelled(engine)
    page = engine.read_events()
    assert [event.execution_id for event in page.events] == [seen]
    roll_back(server)
    cursor = engine.read_events(cursor=page.next_cursor).next_cursor
    subscription = engine.subscribe(from_now=True)

    server.kill()
    server.start()

    at_once = engine.read_events(cursor=cursor)
    later = [cancelled(engine), cancelled(engine)]
    assert at_once.events == []
    assert told(engine, cursor) == told(engine, at_once.next_cursor) == later
    assert [next(subscription).execution_id for _ in later] == later


def test_a_reader_misses_nothing_after_a_synchronous_failover(
    server: KillablePostgres, database: str, engine: BlockingEngine
) -> None:
    with server.standby(is_synchronous=True) as standby:
        seen = cancelled(engine)
        roll_back(server)
        cursor = engine.read_events().next_cursor

        server.kill()
        standby.promote()

        with open_blocking_engine(standby.url(database), reconcile=False) as successor:
            assert told(successor, cursor) == []
            later = [cancelled(successor), cancelled(successor)]
            assert told(successor, cursor) == later
            assert told(successor, None) == [seen, *later]


def test_the_cursor_of_one_that_has_read_what_an_asynchronous_failover_lost_is_refused(
    server: KillablePostgres, database: str, engine: BlockingEngine
) -> None:
    with server.standby(is_synchronous=False) as standby:
        kept = cancelled(engine)
        roll_back(server)
        of_what_is_kept = engine.read_events().next_cursor
        standby.wait_until_it_has_all_of(server)
        standby.stop_following()
        cancelled(engine)
        of_what_is_lost = engine.read_events().next_cursor

        server.kill()
        standby.promote()

        later: list[str] = []
        with open_blocking_engine(standby.url(database), reconcile=False) as successor:
            for more in (0, 1, ROLLBACKS):
                later += [cancelled(successor) for _ in range(more)]
                with pytest.raises(InvalidInput, match="no longer in the log") as refusal:
                    successor.read_events(cursor=of_what_is_lost)
                assert refusal.value.code == "cursor_gone"
                assert told(successor, of_what_is_kept) == later
            assert told(successor, None) == [kept, *later]
