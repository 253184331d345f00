"""A file made by an earlier version is brought up to date, and nothing that it held is lost."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, SchemaMismatch, StoreError, open_blocking_engine
from flowfabric.domain.ids import lane_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.states import ATTEMPT_STATES
from flowfabric.stores._shared.migrate import migrations_of, noting, pending
from flowfabric.stores.sqlite.migrating import VERSIONS_TABLE, applied_migrations
from flowfabric.stores.sqlite.store import SqliteStore
from flowfabric.testing import ManualClock

COMPLETED, REPLAYED, WAITING, RUNNING = range(1, 5)
SCHEMA = "select type, name, tbl_name from sqlite_master where name not like 'sqlite_%' order by name"
INSERT = (
    "insert into ff_exec_core (partition_key, execution_id, namespace, lane_id, execution_kind, capability_set,"
    " created_at_ms, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome, public_state, priority,"
    " attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq, ready_at_ms,"
    " terminal_at_ms, worker_id, worker_instance_id, lease_ttl_ms, lease_expires_at_ms, attempt_started_at_ms)"
    " values (?, ?, 'default', 'default', 'mail', 0, 1, ?, ?, ?, ?, ?, 0, 0, ?, 0, 0, ?, 0, 1, ?, ?, ?, ?, ?, ?)"
)


def key(number: int) -> tuple[int, bytes]:
    return lane_partition("default"), number.to_bytes(16, "big")


def id_of(number: int) -> str:
    return make_execution_id(lane_partition("default"), uuid_from_hex(f"{number:032x}"))


@pytest.fixture
def first_version(path: Path) -> Path:
    """A file as the first version left it: two results, one of them of a third life, and work that goes on."""
    first = migrations_of("flowfabric.stores.sqlite")[0]
    nobody = (None,) * 5
    somebody = ("w", "i", 60_000, ManualClock().now_ms + 60_000, ManualClock().now_ms)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.executescript(first.sql)
        connection.execute(
            "create table ff_schema_version"
            " (version integer primary key, checksum text not null, applied_at_ms integer not null) strict"
        )
        connection.execute("insert into ff_schema_version values (1, ?, 1)", (first.checksum,))
        connection.execute("insert into ff_meta values ('incarnation', 'abcdef012345')")
        connection.execute(INSERT, (*key(COMPLETED), 3, 8, 5, 1, 7, 1, 0, 5, *nobody))
        connection.execute(INSERT, (*key(REPLAYED), 3, 8, 5, 1, 7, 3, 2, 5, *nobody))
        connection.execute(INSERT, (*key(WAITING), 0, 0, 0, 0, 0, 0, 0, None, *nobody))
        connection.execute(INSERT, (*key(RUNNING), 1, 8, 1, 0, 4, 1, 0, None, *somebody))
        connection.executemany(
            "insert into ff_result values (?, ?, ?)", [(*key(COMPLETED), b"one"), (*key(REPLAYED), b"two")]
        )
        connection.executemany("insert into ff_payload values (?, ?, x'01')", [key(n) for n in range(1, 5)])
    return path


@pytest.fixture
def migrated(first_version: Path) -> Iterator[BlockingEngine]:
    with open_blocking_engine(f"sqlite:///{first_version}", clock=ManualClock(), reconcile=False) as engine:
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

    assert [(each.execution_id, each.payload) for each in claimed] == [(id_of(WAITING), b"\x01")]
    assert running is not None
    assert running.public_state == "active"
    assert migrated.complete(claimed[0].lease, b"done").execution_id == id_of(WAITING)


def test_a_migrated_file_has_the_schema_of_a_new_one(
    migrated: BlockingEngine, first_version: Path, tmp_path: Path
) -> None:
    SqliteStore(str(tmp_path / "new.db")).close()

    with closing(sqlite3.connect(first_version)) as old, closing(sqlite3.connect(tmp_path / "new.db")) as new:
        assert old.execute(SCHEMA).fetchall() == new.execute(SCHEMA).fetchall()
        assert new.execute("select name from sqlite_master where name like 'ff_result%'").fetchall() == [("ff_result",)]


def test_a_store_that_may_not_migrate_says_what_is_missing_and_leaves_the_file_alone(first_version: Path) -> None:
    with pytest.raises(SchemaMismatch, match=r"lacks the migrations from 0002_flows\.sql on"):
        SqliteStore(str(first_version), migrate=False)

    with closing(sqlite3.connect(first_version)) as connection:
        assert connection.execute("select version from ff_schema_version").fetchall() == [(1,)]
        assert connection.execute("select count(*) from ff_result").fetchone() == (2,)


def test_a_migration_that_fails_leaves_the_file_as_it_was(first_version: Path) -> None:
    with closing(sqlite3.connect(first_version, isolation_level=None)) as connection:
        connection.execute("create table ff_flow_core (in_the_way)")

    with pytest.raises(StoreError, match="ff_flow_core already exists"):
        SqliteStore(str(first_version))

    with closing(sqlite3.connect(first_version)) as connection:
        assert connection.execute("select version from ff_schema_version").fetchall() == [(1,)]
        assert connection.execute("select result from ff_result order by execution_id").fetchall() == [
            (b"one",),
            (b"two",),
        ]


EIGHTH = 8
"""The last version without waits."""
STATES = [(0, 0, attempt_state, 0, 0) for attempt_state in (0, 2, 3, 4)] + [
    (1, 8, 1, 0, 4),
    (3, 8, 5, 1, 7),
    (4, 8, 6, 3, 9),
]
"""Every attempt state that the eighth version knows, with phase, eligibility, outcome and public state."""


@pytest.fixture
def eighth_version(path: Path) -> Path:
    """A file as the eighth version left it: one execution in each attempt state, and two steps."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute(VERSIONS_TABLE)
        for migration in migrations_of("flowfabric.stores.sqlite")[:EIGHTH]:
            connection.executescript(f"begin; {migration.sql} {noting(migration, applied_at_ms=1)}; commit;")
        connection.execute("insert into ff_meta values ('incarnation', 'abcdef012345')")
        for number, (phase, eligibility, attempt_state, outcome, public_state) in enumerate(STATES):
            ended = 5 if outcome else None
            lease = (
                ("w", "i", 60_000, ManualClock().now_ms + 60_000, ManualClock().now_ms) if phase == 1 else (None,) * 5
            )
            states = (phase, eligibility, attempt_state, outcome, public_state)
            connection.execute(INSERT, (*key(number), *states, 1, 0, ended, *lease))
            connection.execute("insert into ff_payload values (?, ?, x'01')", key(number))
        connection.executemany(
            "insert into ff_step values (?, ?, ?, x'01', x'02', 0, 1, ?)",
            [(*key(0), "draft", 1), (*key(0), "mail", 2)],
        )
    return path


def test_executions_keep_their_attempt_states_when_one_more_state_is_allowed(eighth_version: Path) -> None:
    with open_blocking_engine(f"sqlite:///{eighth_version}", clock=ManualClock(), reconcile=False) as engine:
        found = [engine.describe_execution(id_of(number)) for number in range(len(STATES))]
        steps = engine.list_steps(id_of(0))

    assert [x is not None and x.attempt_state for x in found] == [ATTEMPT_STATES[state[2]] for state in STATES]
    assert [step.name for step in steps] == ["draft", "mail"]


def test_work_of_the_eighth_version_goes_on(eighth_version: Path) -> None:
    with open_blocking_engine(f"sqlite:///{eighth_version}", clock=ManualClock(), reconcile=False) as engine:
        claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=10)
        done = [engine.complete(each.lease).execution_id for each in claimed]

    assert sorted(done) == [id_of(number) for number in range(4)]
    with closing(sqlite3.connect(eighth_version)) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert connection.execute("select distinct inbox, waiting_since_ms from ff_exec_core").fetchall() == [
            (None, None)
        ]
        assert connection.execute("select distinct is_wait from ff_step").fetchall() == [(0,)]


@pytest.mark.parametrize("known", [8, 9])
def test_an_older_program_does_not_use_a_file_with_waits_or_with_limits(path: Path, known: int) -> None:
    SqliteStore(str(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        applied = {version: each for version, each in applied_migrations(connection).items() if version <= known + 1}

    with pytest.raises(SchemaMismatch, match=f"only programs that know version {known + 1} or newer may use"):
        pending(migrations_of("flowfabric.stores.sqlite")[:known], applied, "the file")
