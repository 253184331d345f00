"""The schema: made when asked, once, by one process at a time, and never guessed at."""

import threading
from collections.abc import Iterator

import psycopg
import pytest

from flowfabric import Contention, InvalidInput, SchemaMismatch, StaleLease, StoreUnavailable, open_blocking_engine
from flowfabric.stores._shared.migrate import migrations_of
from flowfabric.stores.postgres import store as postgres
from flowfabric.stores.postgres.store import PostgresStore
from tests.postgres_server import connected, copy_of, empty_database, empty_store
from tests.stores.postgres.processes import report_of, running, tell, wait_until, wait_until_ready

TABLES = "select relname, relkind from pg_class where relname like 'ff\\_%' order by 1, 2"
VERSIONS = "select version, checksum from ff_schema_version order by 1"


@pytest.fixture
def bare() -> Iterator[str]:
    """The url of a database without tables."""
    with empty_database() as url:
        yield url


def test_an_empty_database_is_migrated_when_asked(bare: str) -> None:
    with open_blocking_engine(bare, migrate=True, reconcile=False) as engine:
        created = engine.create_execution("kind")

        assert engine.describe_execution(created.execution_id) is not None
    with connected(bare) as sql:
        known = migrations_of("flowfabric.stores.postgres")
        assert sql.execute(VERSIONS).fetchall() == [(each.version, each.checksum) for each in known]


@pytest.mark.parametrize("migrate", [None, False])
def test_without_being_asked_nothing_is_made_and_a_sentence_says_what_to_do(bare: str, migrate: bool | None) -> None:
    with (
        pytest.raises(SchemaMismatch, match=r"lacks the migrations from 0001_initial\.sql on\. .*migrate=True"),
        open_blocking_engine(bare, migrate=migrate),
    ):
        pass

    with connected(bare) as sql:
        assert sql.execute(TABLES).fetchall() == []


def test_migrating_twice_changes_nothing(bare: str) -> None:
    with open_blocking_engine(bare, migrate=True, reconcile=False) as engine:
        created = engine.create_execution("kind").execution_id
        (lease,) = engine.claim(worker_id="w", worker_instance_id="i")
    with connected(bare) as sql:
        before = [sql.execute(query).fetchall() for query in (TABLES, VERSIONS, "select * from ff_meta")]

    with open_blocking_engine(bare, migrate=True, reconcile=False) as engine:
        completed = engine.complete(lease.lease)

    assert completed.execution_id == created
    with connected(bare) as sql:
        assert [sql.execute(query).fetchall() for query in (TABLES, VERSIONS, "select * from ff_meta")] == before


def test_two_processes_migrate_at_once_and_both_go_on(bare: str) -> None:
    with running("migrate_and_create", bare) as a, running("migrate_and_create", bare) as b:
        wait_until_ready(a)
        wait_until_ready(b)
        tell(a, "go")
        tell(b, "go")
        reports = [report_of(a), report_of(b)]

    assert reports[0]["store"] == reports[1]["store"]
    with connected(bare) as sql:
        known = migrations_of("flowfabric.stores.postgres")
        assert sql.execute(VERSIONS).fetchall() == [(each.version, each.checksum) for each in known]
        assert sql.execute("select count(*) from ff_exec_core").fetchone() == (2,)


@pytest.mark.parametrize("migrate", [True, False])
def test_a_schema_newer_than_the_code_is_refused(url: str, sql: psycopg.Connection, migrate: bool) -> None:
    sql.execute("insert into ff_schema_version (version, checksum) values (99, 'from the future')")

    with pytest.raises(SchemaMismatch, match=r"schema version 99, .* knows \d+\. Upgrade flowfabric"):
        PostgresStore(url, migrate=migrate)


@pytest.mark.parametrize("migrate", [True, False])
def test_a_migration_that_was_changed_after_it_was_applied_is_refused(
    url: str, sql: psycopg.Connection, migrate: bool
) -> None:
    sql.execute("update ff_schema_version set checksum = 'another' where version = 1")

    with pytest.raises(SchemaMismatch, match=r"0001_initial\.sql that differs from this version's"):
        PostgresStore(url, migrate=migrate)


@pytest.mark.parametrize(
    "lock",
    [
        f"select pg_advisory_xact_lock({postgres.MIGRATION_LOCK})",
        # What any long transaction on a table does to a migration that is to alter it.
        "create table ff_schema_version (version integer primary key, checksum text not null)",
    ],
)
def test_a_migration_that_cannot_get_a_lock_gives_up_in_time_and_leaves_nothing_behind(
    bare: str, monkeypatch: pytest.MonkeyPatch, lock: str
) -> None:
    monkeypatch.setattr(postgres, "MIGRATION_LOCK_TIMEOUT_MS", 100)
    with connected(bare) as holder, holder.transaction(force_rollback=True):
        holder.execute(lock)

        with pytest.raises(Contention, match=r"migration met the lock timeout.* Nothing was changed.* again") as caught:
            PostgresStore(bare, migrate=True)

    assert caught.value.retryable
    PostgresStore(bare, migrate=True).close()


def test_a_migration_waits_for_one_that_is_under_way(bare: str) -> None:
    with connected(bare) as holder, connected(bare) as sql:
        with holder.transaction():
            holder.execute(f"select pg_advisory_xact_lock({postgres.MIGRATION_LOCK})")
            second = threading.Thread(target=lambda: PostgresStore(bare, migrate=True).close())
            second.start()
            waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
            wait_until(lambda: sql.execute(waiting).fetchone() == (1,))
            assert sql.execute(TABLES).fetchall() == []
        second.join()

        assert len(sql.execute(VERSIONS).fetchall()) > 0


# ── copies ───────────────────────────────────────────────────────────────────────────────────────


def test_a_copy_is_refused_until_it_is_made_a_store_of_its_own(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("kind")
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
        cursor = engine.read_events().next_cursor

    with copy_of(url) as copy:
        with pytest.raises(SchemaMismatch, match=r"copy of another one, or was restored.*migrate=True"):
            PostgresStore(copy)
        PostgresStore(copy, migrate=True).close()

        with open_blocking_engine(copy, reconcile=False) as engine:
            # Whoever holds it works for the other one.
            with pytest.raises(StaleLease):
                engine.complete(claimed.lease)
            engine.revoke_lease(claimed.execution_id)
            assert [event.event_type for event in engine.read_events().events] == ["acquired", "revoked"]
            with pytest.raises(InvalidInput, match="from another store, or from before this one was restored"):
                engine.read_events(cursor=cursor)
    with open_blocking_engine(url, reconcile=False) as engine:
        assert [event.event_type for event in engine.read_events().events] == ["acquired"]


def test_a_copy_from_a_server_with_higher_transaction_ids_is_read_once_and_in_order() -> None:
    with empty_store() as url:
        with open_blocking_engine(url, reconcile=False) as engine:
            engine.create_execution("kind")
            engine.create_execution("kind")
            first, second = engine.claim(worker_id="w", worker_instance_id="i", limit=2)
            engine.complete(second.lease)
        with connected(url) as sql:
            # As a dump brings them: ids that this server has not come to yet, and one that it has long passed.
            sql.execute("update ff_event set txid = '9000000000'")
            sql.execute("update ff_event set txid = '900' where event_type = 'completed'")
            sql.execute("insert into ff_meta values ('purged', '9000000001:9000000000:7')")
            sql.execute("update ff_meta set value = 'postgres-0123456789ab-abcdef' where name = 'store'")

        PostgresStore(url, migrate=True).close()
        with open_blocking_engine(url, reconcile=False) as engine:
            page = engine.read_events(limit=2)
            rest = engine.read_events(cursor=page.next_cursor)
            engine.revoke_lease(first.execution_id)
            after = engine.read_events(cursor=rest.next_cursor)

    assert [event.event_type for event in [*page.events, *rest.events]] == ["acquired", "acquired", "completed"]
    assert [(event.event_type, event.execution_id) for event in after.events] == [("revoked", first.execution_id)]


def test_an_engine_stops_when_another_database_comes_to_stand_at_its_address(url: str, sql: psycopg.Connection) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("kind")
        sql.execute("update ff_meta set value = 'postgres-0123456789ab-abcdef' where name = 'store'")
        PostgresStore(url, migrate=True).close()
        sql.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )

        with pytest.raises(StoreUnavailable, match="Another database answers"):
            engine.create_execution("kind")
