"""The alphabets on disk are the alphabets of the code, and the migrations make the schema that the code expects."""

import sqlite3
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import psycopg
import pytest

from flowfabric.app import open_store
from flowfabric.domain.execution import Execution
from flowfabric.domain.states import (
    ATTEMPT_OUTCOMES,
    ATTEMPT_STATES,
    CHANNELS,
    ELIGIBILITY_STATES,
    LIFECYCLE_PHASES,
    OWNERSHIP_STATES,
    PUBLIC_STATES,
    TERMINAL_OUTCOMES,
)
from flowfabric.stores._shared.migrate import SAYS_SINCE, migrations_of
from flowfabric.stores.sqlite.migrating import VERSIONS_TABLE
from tests.architecture.databases import DATABASES, Database

ALPHABETS = {
    "lifecycle_phase": LIFECYCLE_PHASES,
    "eligibility_state": ELIGIBILITY_STATES,
    "attempt_state": ATTEMPT_STATES,
    "terminal_outcome": TERMINAL_OUTCOMES,
    "public_state": PUBLIC_STATES,
}
BROKEN = (sqlite3.IntegrityError, psycopg.errors.CheckViolation)
TABLES = {
    "ff_exec_core",
    "ff_payload",
    "ff_result",
    "ff_tag",
    "ff_capability_set",
    "ff_attempt",
    "ff_failure",
    "ff_event",
    "ff_idempotency",
    "ff_command",
    "ff_batch",
    "ff_meta",
    "ff_flow_core",
    "ff_edge",
    "ff_edge_group",
    "ff_cancel_backlog",
    "ff_cancel_backlog_member",
    "ff_flow_cancel",
    "ff_lane",
    "ff_waitpoint",
    "ff_signal",
    "ff_signal_key",
    "ff_alias",
    "ff_key_ring",
    "ff_limit",
    "ff_limit_override",
    "ff_limit_key",
    "ff_lane_turn",
    "ff_key_turn",
    "ff_budget",
    "ff_budget_use",
    "ff_ledger",
    "ff_budget_day",
    "ff_spend_key",
    "ff_opening",
    "ff_at_gate",
    "ff_stream",
    "ff_stream_chunk",
    "ff_summary",
    "ff_access_token",
}
VIEWS = {
    "ff_execution",
    "ff_flow",
    "ff_lease_event",
    "ff_completion_event",
    "ff_operator_event",
    "ff_signal_event",
    "ff_limit_status",
    "ff_slot_holder",
    "ff_parked_execution",
    "ff_budget_status",
}

REQUIRED: dict[str, Any] = {
    "partition_key": 86,
    "namespace": "default",
    "lane_id": "default",
    "execution_kind": "mail",
    "capability_set": 0,
    "created_at_ms": 1,
    **dict.fromkeys(ALPHABETS, 0),
    "priority": 0,
    "attempt_index": 0,
    "lease_epoch": 0,
    "retry_count": 0,
    "interruption_count": 0,
    "replay_count": 0,
    "event_seq": 0,
    "ready_at_ms": 1,
}


def _insert(database: Database, number: int, **columns: object) -> None:
    row = {**REQUIRED, "execution_id": database.uuid(number), **columns}
    marks = ", ".join("?" * len(row))
    database.run(f"insert into ff_exec_core ({', '.join(row)}) values ({marks})", list(row.values()))


@pytest.mark.parametrize("store", DATABASES)
@pytest.mark.parametrize("column", ALPHABETS)
def test_a_view_spells_every_state_as_the_code_does(store: str, column: str, tmp_path: Path):
    alphabet = ALPHABETS[column]
    with DATABASES[store](tmp_path) as database:
        for code in range(len(alphabet)):
            _insert(database, code, **{column: code, "priority": code})
        spelled = [row[0] for row in database.run(f"select {column} from ff_execution order by priority", ())]

    assert spelled == list(alphabet)


@pytest.mark.parametrize("store", DATABASES)
@pytest.mark.parametrize("column", ALPHABETS)
def test_a_code_outside_the_alphabet_cannot_be_stored(store: str, column: str, tmp_path: Path):
    with DATABASES[store](tmp_path) as database:
        for code in (-1, len(ALPHABETS[column])):
            with pytest.raises(BROKEN):
                _insert(database, 1, **{column: code})


@pytest.mark.parametrize("store", DATABASES)
def test_ownership_follows_from_the_phase(store: str, tmp_path: Path):
    with DATABASES[store](tmp_path) as database:
        for code in range(len(LIFECYCLE_PHASES)):
            _insert(database, code, lifecycle_phase=code)
        spelled = dict(database.run("select lifecycle_phase, ownership_state from ff_execution", ()))

    expected = {phase: OWNERSHIP_STATES[phase == "active"] for phase in LIFECYCLE_PHASES}
    assert spelled == expected


@pytest.mark.parametrize("store", DATABASES)
def test_a_view_spells_ids_as_the_code_does(store: str, tmp_path: Path):
    with DATABASES[store](tmp_path) as database:
        _insert(database, 0xABCDEF)
        spelled = database.run("select execution_id from ff_execution", ())

    assert spelled == [("{fp:86}:00000000-0000-0000-0000-000000abcdef",)]


@pytest.mark.parametrize("store", DATABASES)
def test_the_last_outcome_of_an_attempt_can_be_stored_and_no_further_one(store: str, tmp_path: Path):
    insert = (
        "insert into ff_attempt (partition_key, execution_id, attempt_index, lease_epoch, outcome)"
        " values (1, ?, 0, 1, ?)"
    )
    with DATABASES[store](tmp_path) as database:
        database.run(insert, (database.uuid(1), len(ATTEMPT_OUTCOMES) - 1))
        with pytest.raises(BROKEN):
            database.run(insert, (database.uuid(2), len(ATTEMPT_OUTCOMES)))


@pytest.mark.parametrize("store", DATABASES)
def test_every_channel_can_be_stored_and_no_further_one(store: str, tmp_path: Path):
    insert = (
        "insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, occurred_at_ms)"
        " values (?, 'held', 'default', 1, ?, 1, 1)"
    )
    with DATABASES[store](tmp_path) as database:
        for code in range(len(CHANNELS)):
            database.run(insert, (code, database.uuid(code)))
        with pytest.raises(BROKEN):
            database.run(insert, (len(CHANNELS), database.uuid(99)))


@pytest.mark.parametrize("store", DATABASES)
def test_a_fresh_schema_has_every_table_and_every_view(store: str, tmp_path: Path):
    with DATABASES[store](tmp_path) as database:
        for name in TABLES | VIEWS:
            assert database.run(f"select count(*) from {name}", ()) is not None


@pytest.mark.parametrize("store", DATABASES)
def test_the_view_of_executions_shows_what_an_operator_may_ask_for(store: str, tmp_path: Path):
    not_shown = {
        "required_capabilities",
        "policy",
        "idempotency_key",
        "event_seq",
        "ready_at_ms",
        "lease_ttl_ms",
        "attempt_started_at_ms",
        "unsettled",
        "lease_mark",
        "lease_era",
        "coming_back",
        "inbox",
        "child_place",
        "gates",
    }
    expected = {field for field in Execution.__struct_fields__ if field not in not_shown}
    earlier_names = {"lane_id", "execution_kind"}

    with DATABASES[store](tmp_path) as database:
        columns = set(database.columns("ff_execution"))

    derived = {"ownership_state", "public_state", "waiting_since_ms"}
    assert columns - expected == {"partition_key", *derived, *earlier_names}
    assert expected <= columns


def test_a_view_has_the_same_columns_in_the_same_order_on_every_store(tmp_path: Path):
    shown: dict[str, dict[str, list[str]]] = {}
    for store, opened in DATABASES.items():
        with opened(tmp_path) as database:
            shown[store] = {view: database.columns(view) for view in VIEWS}

    assert shown["sqlite"] == shown["postgres"]


@pytest.mark.parametrize("store", DATABASES)
def test_migrations_are_numbered_without_a_gap_and_named_for_what_they_do(store: str):
    migrations = migrations_of(f"flowfabric.stores.{store}")

    assert [migration.version for migration in migrations] == list(range(1, len(migrations) + 1))
    assert all(
        migration.name == f"{migration.version:04}_{migration.name.split('_', 1)[1]}" for migration in migrations
    )


@pytest.mark.parametrize("store", DATABASES)
def test_migrations_say_in_their_first_line_from_which_schema_on_older_code_may_go_on(store: str):
    later = [each for each in migrations_of(f"flowfabric.stores.{store}") if each.version >= SAYS_SINCE]

    assert later
    assert [each.name for each in later if not each.sql.startswith("-- compatible_from: ")] == []
    assert [each.name for each in later if not SAYS_SINCE <= each.compatible_from <= each.version] == []


def test_the_migrations_alone_make_the_schema_of_sqlite(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "by_hand.db")) as by_hand:
        by_hand.execute(VERSIONS_TABLE)
        for migration in migrations_of("flowfabric.stores.sqlite"):
            by_hand.executescript(migration.sql)
        open_store(f"sqlite:///{tmp_path}/opened.db").close()
        with closing(sqlite3.connect(tmp_path / "opened.db")) as opened:
            query = "select type, name, sql from sqlite_master where name <> 'ff_schema_version' order by type, name"
            by_hand_schema, opened_schema = by_hand.execute(query).fetchall(), opened.execute(query).fetchall()

    assert opened_schema == by_hand_schema


def test_opening_again_migrates_nothing(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/jobs.db"
    first = open_store(url)
    first.close()
    with closing(sqlite3.connect(tmp_path / "jobs.db")) as connection:
        before = connection.execute("select * from ff_schema_version").fetchall()
        again = open_store(url)
        again.close()
        after = connection.execute("select * from ff_schema_version").fetchall()

    assert after == before
    assert again.name == first.name


@pytest.mark.parametrize("store", DATABASES)
def test_what_the_store_needs_ships_with_the_package(store: str):
    package = files(f"flowfabric.stores.{store}")

    for folder in ("statements", "migrations"):
        assert any(file.name.endswith(".sql") for file in package.joinpath(folder).iterdir())
