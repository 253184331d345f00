"""The schema: made when asked, once, by one process at a time, and never guessed at."""

import threading
from collections.abc import Iterator

import psycopg
import pytest

from flowfabric import (
    BlockingEngine,
    Contention,
    InvalidInput,
    SchemaMismatch,
    StaleLease,
    StoreUnavailable,
    open_blocking_engine,
)
from flowfabric.domain.ids import lane_partition, make_execution_id
from flowfabric.domain.states import ATTEMPT_STATES
from flowfabric.stores._shared.migrate import migrations_of, noting, pending
from flowfabric.stores.postgres import migrating as postgres
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.testing import ManualClock
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


# ── from an earlier version ──────────────────────────────────────────────────────────────────────

COMPLETED, REPLAYED, WAITING, RUNNING = (f"00000000-0000-0000-0000-{number:012}" for number in range(1, 5))
INSERT = (
    "insert into ff_exec_core (partition_key, execution_id, namespace, lane_id, execution_kind, capability_set,"
    " created_at_ms, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome, public_state, priority,"
    " attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq, ready_at_ms,"
    " terminal_at_ms, worker_id, worker_instance_id, lease_ttl_ms, lease_expires_at_ms, attempt_started_at_ms)"
    " values (86, %s, 'default', 'default', 'mail', 0, 1, %s, %s, %s, %s, %s, 0, 0, %s, 0, 0, %s, %s, 1, %s, %s, %s,"
    " %s, %s, %s)"
)
"""Every execution is on the partition of its lane."""


def id_of(uuid: str) -> str:
    return make_execution_id(lane_partition("default"), uuid)


@pytest.fixture
def first_version(bare: str) -> str:
    """A database as the first version left it: two results, one of them of a third life, and work that goes on."""
    assert lane_partition("default") == 86
    first = migrations_of("flowfabric.stores.postgres")[0]
    nobody = (None,) * 5
    somebody = ("w", "i", 60_000, ManualClock().now_ms + 60_000, ManualClock().now_ms)
    with connected(bare) as sql:
        sql.execute(
            "create table ff_schema_version"
            " (version integer primary key, checksum text not null, applied_at timestamptz not null default now())"
        )
        sql.execute(first.sql.encode(), prepare=False)
        sql.execute("insert into ff_schema_version values (1, %s)", (first.checksum,))
        sql.execute(INSERT, (COMPLETED, 3, 8, 5, 1, 7, 1, 0, 1, 5, *nobody))
        sql.execute(INSERT, (REPLAYED, 3, 8, 5, 1, 7, 3, 2, 1, 5, *nobody))
        sql.execute(INSERT, (WAITING, 0, 0, 0, 0, 0, 0, 0, 0, None, *nobody))
        sql.execute(INSERT, (RUNNING, 1, 8, 1, 0, 4, 1, 0, 0, None, *somebody))
        sql.execute("insert into ff_ready values ('default', 'default', 0, 0, 1, %s, 86)", (WAITING,))
        sql.execute("insert into ff_due values (2, %s, 86, %s)", (somebody[3], RUNNING))
        sql.execute("insert into ff_result values (86, %s, 'one'), (86, %s, 'two')", (COMPLETED, REPLAYED))
        sql.execute("insert into ff_payload select partition_key, execution_id, 'payload' from ff_exec_core")
        sql.execute(
            "insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, occurred_at_ms)"
            " select 1, 'completed', namespace, partition_key, execution_id, 1, 5 from ff_exec_core where event_seq = 1"
        )
    return bare


@pytest.fixture
def migrated(first_version: str) -> Iterator[BlockingEngine]:
    with open_blocking_engine(first_version, migrate=True, clock=ManualClock(), reconcile=False) as engine:
        yield engine


def test_results_are_kept_also_those_of_later_lives(migrated: BlockingEngine) -> None:
    assert migrated.get_result(id_of(COMPLETED)) == b"one"
    assert migrated.get_result(id_of(REPLAYED)) == b"two"
    assert migrated.get_result(id_of(WAITING)) is None


def test_a_result_from_before_is_cleared_by_a_replay_like_any_other(migrated: BlockingEngine) -> None:
    migrated.replay_execution(id_of(REPLAYED))

    assert migrated.get_result(id_of(REPLAYED)) is None


def test_work_goes_on_where_it_was(migrated: BlockingEngine) -> None:
    claimed = migrated.claim(worker_id="w", worker_instance_id="i", limit=10)
    running = migrated.describe_execution(id_of(RUNNING))

    assert [(each.execution_id, each.payload) for each in claimed] == [(id_of(WAITING), b"payload")]
    assert running is not None
    assert running.public_state == "active"
    assert migrated.complete(claimed[0].lease, b"done").execution_id == id_of(WAITING)
    assert migrated.get_result(id_of(WAITING)) == b"done"


def test_events_from_before_are_read_with_those_that_came_after(migrated: BlockingEngine) -> None:
    migrated.revoke_lease(id_of(RUNNING))

    told = migrated.read_events(execution_id=id_of(RUNNING)).events
    before = migrated.read_events(execution_id=id_of(COMPLETED)).events

    assert [(event.event_type, event.seq) for event in told] == [("revoked", 1)]
    assert [(event.event_type, event.seq) for event in before] == [("completed", 1)]


SCHEMA = (
    "select 'index', indexname, indexdef from pg_indexes where indexname like 'ff\\_%'"
    " union all select 'view', viewname, definition from pg_views where viewname like 'ff\\_%'"
    " union all select 'column', attrelid::regclass || '.' || attname, format_type(atttypid, atttypmod)"
    "  from pg_attribute where attrelid::regclass::text like 'ff\\_%' and attnum > 0 and not attisdropped"
    " union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)"
    "  from pg_constraint where conrelid::regclass::text like 'ff\\_%'"
    " order by 1, 2"
)


def test_a_migrated_database_has_the_schema_of_a_new_one(
    migrated: BlockingEngine, first_version: str, url: str
) -> None:
    with connected(first_version) as old, connected(url) as new:
        schema = old.execute(SCHEMA).fetchall()

        assert schema == new.execute(SCHEMA).fetchall()
        assert len(schema) > 100


def test_without_being_asked_an_earlier_version_is_left_alone(first_version: str) -> None:
    with pytest.raises(SchemaMismatch, match=r"lacks the migrations from 0002_flows\.sql on"):
        PostgresStore(first_version)

    with connected(first_version) as sql:
        assert sql.execute("select version from ff_schema_version").fetchall() == [(1,)]


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


def test_a_restored_backup_hands_out_higher_epochs_than_the_store_did_after_the_backup(url: str) -> None:
    def next_epoch(engine: BlockingEngine) -> int:
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
        engine.release(claimed.lease)
        return claimed.lease.lease_epoch

    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("kind")
        before = next_epoch(engine)
    with copy_of(url) as restored:
        with open_blocking_engine(url, reconcile=False) as engine:
            lost = [next_epoch(engine) for _ in range(5)]
        with open_blocking_engine(restored, migrate=True, reconcile=False) as engine:
            first, second = next_epoch(engine), next_epoch(engine)

    assert [before, *lost] == [1, 2, 3, 4, 5, 6]
    assert first > lost[-1]
    assert second == first + 1


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
            "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )

        with pytest.raises(StoreUnavailable, match="Another database answers"):
            engine.create_execution("kind")


EIGHTH = 8
"""The last version without waits."""
STATES = [(0, 0, attempt_state, 0, 0) for attempt_state in (0, 2, 3, 4)] + [
    (1, 8, 1, 0, 4),
    (3, 8, 5, 1, 7),
    (4, 8, 6, 3, 9),
]
"""Every attempt state that the eighth version knows, with phase, eligibility, outcome and public state."""


def old_id(number: int) -> str:
    return make_execution_id(lane_partition("default"), f"00000000-0000-7000-8000-{number:012}")


@pytest.fixture
def eighth_version(bare: str) -> str:
    """A database as the eighth version left it: one execution in each attempt state, and two steps."""
    now = ManualClock().now_ms
    with connected(bare) as sql:
        sql.execute(postgres.VERSIONS_TABLE)
        for migration in migrations_of("flowfabric.stores.postgres")[:EIGHTH]:
            sql.execute(migration.sql.encode(), prepare=False)
            sql.execute(noting(migration).encode())
        for number, (phase, eligibility, attempt_state, outcome, public_state) in enumerate(STATES):
            key = (lane_partition("default"), old_id(number)[-36:])
            lease = ("w", "i", 60_000, now + 60_000, now) if phase == 1 else (None,) * 5
            sql.execute(
                "insert into ff_exec_core (partition_key, execution_id, namespace, lane_id, execution_kind,"
                " capability_set, created_at_ms, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome,"
                " public_state, priority, attempt_index, lease_epoch, retry_count, interruption_count, replay_count,"
                " event_seq, ready_at_ms, terminal_at_ms, worker_id, worker_instance_id, lease_ttl_ms,"
                " lease_expires_at_ms, attempt_started_at_ms)"
                " values (%s, %s, 'default', 'default', 'mail', 0, 1, %s, %s, %s, %s, %s, 0, 0, 1, 0, 0, 0, 0, 1, %s,"
                " %s, %s, %s, %s, %s)",
                (*key, phase, eligibility, attempt_state, outcome, public_state, 5 if outcome else None, *lease),
            )
            sql.execute("insert into ff_payload values (%s, %s, 'x')", key)
            if phase == 0:
                sql.execute("insert into ff_ready values ('default', 'default', 0, 0, 1, %s, %s)", key[::-1])
        for number, name in enumerate(("draft", "mail"), 1):
            step = (lane_partition("default"), old_id(0)[-36:], name, number)
            sql.execute("insert into ff_step values (%s, %s, %s, 'f', 'r', 0, 1, %s)", step)
    return bare


def test_executions_and_steps_of_the_eighth_version_go_on(eighth_version: str) -> None:
    with open_blocking_engine(eighth_version, clock=ManualClock(), migrate=True, reconcile=False) as engine:
        found = [engine.describe_execution(old_id(number)) for number in range(len(STATES))]
        steps = engine.list_steps(old_id(0))
        claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=10)
        engine.suspend(claimed[0].lease, "wait", "editor")
        engine.signal(claimed[0].execution_id, "editor", b"yes")
        claimed = [*engine.claim(worker_id="w", worker_instance_id="i"), *claimed[1:]]
        done = [engine.complete(each.lease).execution_id for each in claimed]

    assert [x is not None and x.attempt_state for x in found] == [ATTEMPT_STATES[state[2]] for state in STATES]
    assert [step.name for step in steps] == ["draft", "mail"]
    assert sorted(done) == [old_id(number) for number in range(4)]
    with connected(eighth_version) as sql:
        untouched = sql.execute("select count(*) from ff_exec_core where inbox is null and waiting_since_ms is null")
        assert untouched.fetchone() == (len(STATES) - 1,)
        assert sql.execute("select name from ff_step where is_wait = 1").fetchall() == [("wait",)]


def test_a_program_of_the_eighth_version_does_not_use_a_database_with_waits(url: str) -> None:
    with connected(url) as sql:
        applied = postgres.applied_migrations(sql)

    with pytest.raises(SchemaMismatch, match="only programs that know version 15 or newer may use"):
        pending(migrations_of("flowfabric.stores.postgres")[:EIGHTH], applied, "The database")


NINTH = 9


def test_what_waits_since_the_ninth_version_is_claimed_in_the_old_order(bare: str) -> None:
    with connected(bare) as sql:
        sql.execute(postgres.VERSIONS_TABLE)
        for migration in migrations_of("flowfabric.stores.postgres")[:NINTH]:
            sql.execute(migration.sql.encode(), prepare=False)
            sql.execute(noting(migration).encode())
        for number, priority in enumerate((0, 7, 0)):
            key = (lane_partition("default"), old_id(number)[-36:])
            sql.execute(
                "insert into ff_exec_core (partition_key, execution_id, namespace, lane_id, execution_kind,"
                " capability_set, created_at_ms, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome,"
                " public_state, priority, attempt_index, lease_epoch, retry_count, interruption_count, replay_count,"
                " event_seq, ready_at_ms)"
                " values (%s, %s, 'default', 'default', 'mail', 0, 1, 0, 0, 0, 0, 0, %s, 0, 0, 0, 0, 0, 0, %s)",
                (*key, priority, 9 - number),
            )
            sql.execute("insert into ff_payload values (%s, %s, 'x')", key)
            waiting = (-priority, 9 - number, *key[::-1])
            sql.execute("insert into ff_ready values ('default', 'default', 0, %s, %s, %s, %s)", waiting)

    with open_blocking_engine(bare, clock=ManualClock(), migrate=True, reconcile=False) as engine:
        engine.set_limit("api", concurrency=1)
        engine.create_execution("mail", limits={"api": ""}, execution_id=old_id(5))
        claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=10)
        for each in claimed:
            engine.complete(each.lease)

        assert [each.execution_id for each in claimed] == [old_id(number) for number in (1, 2, 0, 5)]
        assert engine.reconcile()["side_rows"] == 0
