"""The server crashes, or a standby takes over: what readers and workers of before may rely on."""

from collections.abc import Iterator

import psycopg
import pytest

from flowfabric import BlockingEngine, InvalidInput, Lease, Refused, open_blocking_engine
from flowfabric.app import examine
from flowfabric.domain.health.judging import unknowns
from tests.chaos.conftest import in_group
from tests.chaos.killable_postgres import KillablePostgres

pytestmark = in_group("servers")

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


# ── workers ──────────────────────────────────────────────────────────────────────────────────────


def claim(engine: BlockingEngine, worker: str) -> Lease:
    (claimed,) = engine.claim(worker_id=worker, worker_instance_id=worker)
    return claimed.lease


def assert_refused(engine: BlockingEngine, lease: Lease) -> None:
    """Whatever the holder of a lost lease tries, it gets no answer of another."""
    for attempt in (
        lambda: engine.complete(lease, b'"of the old one"'),
        lambda: engine.fail(lease, code="oops", message=""),
        lambda: engine.renew(lease),
    ):
        with pytest.raises(Refused):
            attempt()


@pytest.mark.parametrize("made", ["and never leased", "and leased before", "by an older release"])
def test_after_an_asynchronous_failover_the_holder_of_a_lost_claim_is_refused_and_the_next_one_completes(
    server: KillablePostgres, database: str, engine: BlockingEngine, made: str
) -> None:
    with server.standby(is_synchronous=False) as standby:
        execution_id = engine.create_execution("kind").execution_id
        if made == "and leased before":
            engine.release(claim(engine, "first"))
        if made == "by an older release":
            with psycopg.connect(server.url(database), autocommit=True) as connection:
                connection.execute("update ff_exec_core set lease_era = null")
        standby.wait_until_it_has_all_of(server)
        standby.stop_following()
        lost = claim(engine, "same name")
        server.kill()
        standby.promote()

        with open_blocking_engine(standby.url(database), reconcile=False) as successor:
            rightful = claim(successor, "same name")
            assert rightful.execution_id == lost.execution_id == execution_id
            if made != "by an older release":
                assert rightful.lease_epoch > lost.lease_epoch
            assert rightful.lease_id != lost.lease_id
            assert_refused(successor, lost)
            successor.complete(rightful, b'"of the rightful one"')

            assert successor.get_result(execution_id) == b'"of the rightful one"'
            assert_refused(successor, lost)
            successor.complete(rightful, b'"of the rightful one"')  # as often as it likes
            # From here on epochs grow by one again.
            successor.replay_execution(execution_id)
            assert claim(successor, "next").lease_epoch == rightful.lease_epoch + 2


def test_an_engine_that_lives_through_an_asynchronous_failover_forgets_numbers_that_were_lost(
    server: KillablePostgres, database: str
) -> None:
    with server.standby(is_synchronous=False) as standby:
        both = f"postgresql:///{database}?host={server.folder},{standby.folder}&user=postgres"
        with open_blocking_engine(f"{both}&target_session_attrs=read-write", reconcile=False) as engine:
            engine.ping()
            standby.wait_until_it_has_all_of(server)
            standby.stop_following()
            engine.create_execution("kind", required_capabilities=["gpu"])
            server.kill()
            standby.promote()
            with open_blocking_engine(standby.url(database), reconcile=False) as another:
                another.create_execution("kind", required_capabilities=["printer"])

            created = engine.create_execution("kind", required_capabilities=["gpu"]).execution_id

            (claimed,) = engine.claim(worker_id="w", worker_instance_id="w", capabilities=["gpu"], limit=5)
            assert claimed.execution_id == created


def test_the_doctor_tells_of_a_standby_that_no_commit_waits_for(server: KillablePostgres, database: str) -> None:
    with server.standby(is_synchronous=False):
        (told,) = unknowns(examine(server.url(database)))
        assert told.startswith("A standby follows this server and no commit waits for it")
        server.set("synchronous_standby_names", "*")
        assert unknowns(examine(server.url(database))) == []
        server.set("synchronous_standby_names", "")


def test_leases_outlast_a_synchronous_failover(server: KillablePostgres, database: str, engine: BlockingEngine) -> None:
    with server.standby(is_synchronous=True) as standby:
        execution_id = engine.create_execution("kind").execution_id
        held = claim(engine, "worker")
        server.kill()
        standby.promote()

        with open_blocking_engine(standby.url(database), reconcile=False) as successor:
            successor.renew(held)
            successor.complete(held, b'"done"')

            assert successor.get_result(execution_id) == b'"done"'
