"""Limits and budgets in a SQLite file: what ungated work sends, what is repaired, and what damage does."""

import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from flowfabric import BlockingEngine, Corruption, ManualClock, NewExecution, open_blocking_engine
from flowfabric.stores._shared.statements import Statements
from flowfabric_conformance.gate_stage import claims, gated, limit_at, states
from flowfabric_conformance.stage import claim_ids, create
from tests.assembled import assembled_at
from tests.stores.joining.test_equal_rows import rows_of
from tests.stores.lives import lives_without_gates
from tests.stores.sqlite.conftest import writer_of
from tests.stores.sqlite.test_plans import counting

OF_GATES = (
    *("ff_limit", "ff_limit_override", "ff_limit_key", "ff_lane_turn", "ff_key_turn", "ff_budget", "ff_budget_use"),
    *("ff_ledger", "ff_spend_key", "ff_budget_day", "ff_opening", "ff_at_gate"),
)


@pytest.fixture
def engine(path: Path) -> Iterator[BlockingEngine]:
    with open_blocking_engine(f"sqlite:///{path}", clock=ManualClock(), reconcile=False) as engine:
        yield engine


@contextmanager
def changing(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma wal_autocheckpoint = 0")
        yield connection


def rows_at_gates(path: Path) -> list[tuple[Any, ...]]:
    with changing(path) as connection:
        return sorted(connection.execute("select * from ff_at_gate").fetchall())


# ── work without gates ───────────────────────────────────────────────────────────────────────────


def test_work_without_gates_sends_no_statement_about_gates(path: Path) -> None:
    sent: list[str] = []
    with assembled_at(f"sqlite:///{path}") as parts:
        engine, connection = parts.engine, writer_of(parts).connection
        assert connection is not None
        engine.set_limit("api", concurrency=1)
        engine.create_execution("job", limits={"api": ""}, lane="elsewhere", fair_key="a")
        connection.set_trace_callback(sent.append)
        engine.create_executions([NewExecution(kind="job", priority=number) for number in range(9)])
        leases = [claimed.lease for claimed in engine.claim(worker_id="w", worker_instance_id="i", limit=9)]
        engine.renew_all(leases)
        engine.record_step(leases[0], "step", b"result")
        engine.complete_all([(leases[0], b""), (leases[1], b"")])
        engine.fail(leases[2], code="boom")
        engine.release(leases[3])
        engine.suspend(leases[4], "approval", "editor")
        engine.signal(leases[4].execution_id, "editor")
        engine.cancel_execution(leases[5].execution_id, reason="no longer wanted")
        engine.revoke_lease(leases[6].execution_id)
        engine.hold(leases[3].execution_id)
        engine.purge(ended_before_ms=2**50)
        connection.set_trace_callback(None)

    assert len(sent) > 50
    assert [text for text in sent if any(table in text for table in OF_GATES)] == []
    assert [text for text in sent if "update" in text and "gates" in text] == []
    assert not any("insert into ff_exec_core" in text and "gates" in text for text in sent)


CLAIMS = [
    "with ff_exec_core ff_exec_core_ready ff_lane",
    "select ff_payload ff_exec_core ff_exec_core_ready",
    "update ff_exec_core",
    "insert ff_event",
]
COUNTS = "insert ff_count_move"
HEAD = "select ff_exec_core ff_exec_core_ready ff_payload ff_edge ff_edge_passing ff_result ff_lane ff_flow_core"
FAST_CLAIMS = [HEAD, "update ff_exec_core", "insert ff_event ff_exec_core", COUNTS]
FAST_ENDS = [
    *("select ff_exec_core", "insert ff_result", "insert ff_event ff_exec_core", "update ff_exec_core", COUNTS),
]
ENDS = ["select ff_exec_core", "update ff_exec_core", "insert ff_attempt"]
SENT_WITHOUT_GATES = [
    ["insert ff_exec_core", "insert ff_payload", COUNTS],
    FAST_CLAIMS,
    ["select ff_exec_core", "update ff_exec_core"],
    FAST_ENDS,
    ["insert ff_exec_core", "insert ff_tag", "insert ff_payload", COUNTS],
    FAST_CLAIMS,
    [*ENDS, "insert ff_failure", "insert ff_event", COUNTS],
    [*ENDS, "insert ff_event", COUNTS],
    [HEAD, *CLAIMS, COUNTS],
]
"""What each call of `lives_without_gates` sends, beside what every batch sends: nothing of gates."""
ROWS_WITHOUT_GATES = 44


def test_work_without_gates_sends_only_what_it_needs(path: Path) -> None:
    traced: list[str] = []
    sent: list[list[str]] = []
    clock = ManualClock()
    with assembled_at(f"sqlite:///{path}", clock=clock) as parts:
        connection = writer_of(parts).connection
        assert connection is not None
        create(parts.engine, lane="elsewhere")
        lives = lives_without_gates(parts.engine, clock)
        next(lives)
        changes_before = connection.total_changes
        connection.set_trace_callback(traced.append)
        for _ in lives:
            sent.append([shape for text in traced if (shape := _shape(text)) not in OF_EVERY_BATCH])
            traced.clear()
        connection.set_trace_callback(None)

        assert sent == SENT_WITHOUT_GATES
        assert connection.total_changes - changes_before == ROWS_WITHOUT_GATES


OF_EVERY_BATCH = ("begin", "commit", "select ff_meta", "insert ff_meta", "insert ff_batch")


def _shape(statement: str) -> str:
    """What a statement does with which tables and indexes."""
    verb, _ = statement.split(maxsplit=1) if " " in statement else (statement, "")
    return " ".join([verb, *dict.fromkeys(re.findall(r"\bff_\w+", statement))])


def test_the_tables_of_gates_are_all_tables_of_their_statements(path: Path) -> None:
    text = " ".join(
        Statements("flowfabric.stores.sqlite")[name] for name in Statements("flowfabric.stores.sqlite").names
    )

    assert [table for table in OF_GATES if table not in text] == []


# ── depth ────────────────────────────────────────────────────────────────────────────────────────


def steps_beside(parked: int, path: Path) -> dict[str, int]:
    """How many steps of SQLite each command takes while so many executions are parked at one key."""
    with assembled_at(f"sqlite:///{path}") as parts:
        engine, connection = parts.engine, writer_of(parts).connection
        assert connection is not None
        engine.set_limit("api", concurrency=2)
        engine.create_executions([NewExecution(kind="job", limits={"api": ""}) for _ in range(3)])
        first, second = engine.claim(worker_id="w", worker_instance_id="i", limit=3, lease_ttl_ms=3_600_000)
        item = NewExecution(kind="job", limits={"api": ""})
        for _ in range(parked // 1000):
            engine.create_executions([item] * 1000)
        assert limit_at(engine).parked == parked + 1
        commands = {
            "complete": lambda: engine.complete(first.lease),
            "claim": lambda: engine.claim(worker_id="w", worker_instance_id="i", limit=5),
            "create": lambda: engine.create_executions([item]),
            "release": lambda: engine.release(second.lease),
            "raise": lambda: engine.set_limit("api", concurrency=3),
        }
        took = {}
        for name, command in commands.items():
            with counting(connection) as steps:
                command()
            took[name] = steps[0]
        return took


def test_a_deep_room_costs_as_much_as_a_shallow_one(tmp_path: Path) -> None:
    few, many = steps_beside(1000, tmp_path / "few.db"), steps_beside(6000, tmp_path / "many.db")

    for name, steps in many.items():
        assert 0 < steps < few[name] * 1.5, (name, few[name], steps)


# ── repair ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "damage",
    [
        "delete from ff_at_gate where gate_state = 1",
        "delete from ff_at_gate",
        "update ff_at_gate set gate_state = 0",
        "update ff_at_gate set rank = rank - 1 where gate_state = 1",
        "update ff_at_gate set name = 'another'",
        "insert into ff_at_gate select partition_key, execution_id, namespace, gate_kind, 'left over', gate_key, "
        "gate_state, lane_id, capability_set, rank, turn, ready_at_ms from ff_at_gate",
    ],
)
def test_wrong_rows_at_gates_are_repaired(engine: BlockingEngine, path: Path, damage: str) -> None:
    engine.set_limit("api", concurrency=1)
    for number in range(3):
        gated(engine, priority=number, fair_key="a" if number else None)
    claims(engine)
    right = rows_at_gates(path)
    with changing(path) as connection:
        changed = connection.execute(damage).rowcount

    done = engine.reconcile()

    assert changed > 0
    assert done["side_rows"] > 0
    assert rows_at_gates(path) == right
    assert engine.reconcile()["side_rows"] == 0


def test_rows_that_an_ended_execution_has_left_are_removed(engine: BlockingEngine, path: Path) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (running,) = claims(engine)
    left_over = rows_at_gates(path)
    engine.complete(running.lease)
    with changing(path) as connection:
        connection.executemany(f"insert into ff_at_gate values ({', '.join('?' * 12)})", left_over)

    engine.reconcile()

    assert len(left_over) == 1
    assert rows_at_gates(path) == []


# ── removal ──────────────────────────────────────────────────────────────────────────────────────


def test_a_removed_execution_leaves_only_daily_sums(engine: BlockingEngine, path: Path) -> None:
    engine.set_limit("api", concurrency=1)
    engine.set_budget("team", limits={"usd": 10**6}, period="1h")
    gated(engine, budgets={"team": {"usd": 3}})
    (running,) = claims(engine)
    engine.spend(running.lease, "team", {"usd": 2}, idempotency_key="call")
    engine.complete(running.lease)
    engine.purge(ended_before_ms=2**50)

    with changing(path) as connection:
        counts = {table: connection.execute(f"select count(*) from {table}").fetchone()[0] for table in OF_GATES}
        sums = connection.execute("select budget, dimension, amount from ff_budget_day").fetchall()

    left = ("ff_ledger", "ff_spend_key", "ff_at_gate", "ff_limit_key")
    assert {table: counts[table] for table in left} == dict.fromkeys(left, 0)
    assert sums == [("team", "usd", 2)]


# ── damage ───────────────────────────────────────────────────────────────────────────────────────


def test_damaged_gates_are_named_and_hold_up_nobody(engine: BlockingEngine, path: Path) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (running,) = claims(engine)
    damaged, healthy = gated(engine), gated(engine)
    claims(engine)
    with changing(path) as connection:
        key = bytes.fromhex(damaged[-36:].replace("-", ""))
        connection.execute("update ff_exec_core set gates = '{\"limits\":7}' where execution_id = ?", (key,))

    with pytest.raises(Corruption, match=r"ff_exec_core, key .*: column gates does not parse"):
        engine.describe_execution(damaged)
    engine.complete(running.lease)

    assert claim_ids(engine) == [healthy]


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("ff_budget", "limits", "garbage"),
        ("ff_budget", "period", '{"type":"Moon"}'),
        ("ff_budget", "on_exceeded", "shout"),
        ("ff_budget_use", "used", '{"usd":"much"}'),
        ("ff_budget_use", "exceeded", "{}"),
    ],
)
def test_a_damaged_budget_is_named(engine: BlockingEngine, path: Path, table: str, column: str, value: str) -> None:
    engine.set_budget("team", limits={"usd": 5})
    create(engine, budgets={"team": {"usd": 1}})
    claims(engine)
    with changing(path) as connection:
        connection.execute(f"update {table} set {column} = ?", (value,))

    with pytest.raises(Corruption, match=rf"{table}, key default, team.*: column {column} does not parse"):
        engine.describe_budget("team")


# ── the caller's own transaction ─────────────────────────────────────────────────────────────────


def test_joined_or_not_gated_executions_leave_the_same_rows(tmp_path: Path) -> None:
    chance = random.Random(7)
    paths = [tmp_path / "alone.db", tmp_path / "joined.db"]
    urls = [f"sqlite:///{path}" for path in paths]
    clock = ManualClock()
    with (
        open_blocking_engine(urls[0], clock=clock, reconcile=False) as alone,
        open_blocking_engine(urls[1], clock=clock, reconcile=False) as joined,
        closing(sqlite3.connect(paths[1])) as conn,
    ):
        for engine in (alone, joined):
            engine.set_limit("api", concurrency=1)
            engine.set_budget("team", limits={"usd": 5})
        for number in range(30):
            item = NewExecution(
                kind="job",
                execution_id=f"{{fp:86}}:01a1de98-5e63-7000-8000-{number:012x}",
                limits={"api": chance.choice("ab")} if chance.random() < 0.5 else {},
                budgets={"team": {"usd": 1}} if chance.random() < 0.5 else {},
                fair_key=chance.choice((None, "x", "y")),
                required_capabilities=chance.choice(((), ("gpu",))),
            )
            alone.create_executions([item])
            with joined.transaction(conn):
                joined.create_executions([item], conn=conn)

    assert rows_of(urls[1]) == rows_of(urls[0])


def test_what_is_made_in_the_callers_transaction_joins_the_queue_and_is_parked_by_its_claim(
    engine: BlockingEngine, path: Path
) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    claims(engine)
    gated(engine)
    claims(engine)
    with closing(sqlite3.connect(path)) as conn, engine.transaction(conn):
        made = gated(engine, conn=conn)
    before = states(engine, made)

    assert before == ["waiting"]
    assert claim_ids(engine) == []
    assert states(engine, made) == ["rate_limited"]
    assert limit_at(engine).parked == 2
