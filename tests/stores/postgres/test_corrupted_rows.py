"""Garbage in a row: it is named, and whatever else is in the database goes on as if it were not there."""

import logging
import re
from collections.abc import Callable, Iterator

import pytest

from flowfabric import BlockingEngine, Corruption, EngineError, ExecutionPolicy, NewExecution, RetryPolicy
from flowfabric.domain.commands import CancelExecution, Envelope
from flowfabric.domain.ids import parse_execution_id
from flowfabric.testing import ManualClock
from tests.assembled import Assembled
from tests.postgres_server import own_store
from tests.stores.postgres.conftest import Open, Sql

# What a waiting execution's row can come to hold, and the column that is to be named.
DAMAGE = [
    ("tags = 'garbage'", "tags"),
    ("tags = '[1, 2]'", "tags"),
    ("policy = 'garbage'", "policy"),
    ("""policy = '{"retry": {"max_retries": -1}}'""", "policy"),
    ("lifecycle_phase = 99", "lifecycle_phase"),
    ("eligibility_state = -1", "eligibility_state"),
    ("attempt_state = 8", "attempt_state"),
    ("terminal_outcome = 6", "terminal_outcome"),
    # Each of these would parse, but not together with the rest of the row.
    ("terminal_outcome = 1", "terminal_outcome"),
    ("lifecycle_phase = 1", "eligibility_state"),
    ("attempt_state = 5", "attempt_state"),
    ("lifecycle_phase = 2", "eligibility_state"),
    ("lifecycle_phase = 2, eligibility_state = 8", "attempt_state"),
    ("lifecycle_phase = 2, eligibility_state = 8, attempt_state = 7", "inbox"),
    ("inbox = 'garbage'", "inbox"),
    ("""inbox = '{"waits": [{"name": "approval"}]}'""", "inbox"),
    ("eligibility_state = 1", "delay_until_ms"),
]
# Of these, what leaves the row where claims look.
DAMAGE_IN_THE_QUEUE = [each for each in DAMAGE if not each[0].startswith(("lifecycle", "eligibility"))]

Damage = Callable[[str, str], None]


def _drop_checks(sql: Sql) -> None:
    checks = sql.execute("select conrelid::regclass::text, conname from pg_constraint where contype = 'c'").fetchall()
    for table, check in checks:
        if table.startswith("ff_"):
            sql.execute(f"alter table {table} drop constraint {check}")


@pytest.fixture
def url() -> Iterator[str]:
    """A database that takes every garbage."""
    with own_store(_drop_checks) as url:
        yield url


@pytest.fixture
def damage(sql: Sql) -> Damage:
    """Write garbage into an execution's row."""

    def damage(execution_id: str, assignment: str) -> None:
        changed = sql.execute(f"update ff_exec_core set {assignment} where execution_id = %s", (execution_id[-36:],))
        assert changed.rowcount == 1

    return damage


@pytest.mark.parametrize(("assignment", "column"), DAMAGE)
def test_reads_and_commands_name_table_key_and_column(
    engine: BlockingEngine, damage: Damage, assignment: str, column: str
) -> None:
    damaged = engine.create_execution("kind").execution_id
    healthy = engine.create_execution("kind").execution_id
    damage(damaged, assignment)

    for use in (
        lambda: engine.describe_execution(damaged),
        lambda: engine.cancel_execution(damaged, reason="broken"),
        lambda: engine.change_priority(damaged, 5),
        lambda: engine.hold(damaged),
        lambda: engine.set_tag(damaged, "team.name", "billing"),
        lambda: engine.get_result(damaged),
        lambda: engine.list_attempts(damaged),
        lambda: engine.explain(damaged),
        lambda: engine.list_executions(),
    ):
        with pytest.raises(Corruption, match=f"ff_exec_core, key {re.escape(damaged)}: column {column} "):
            use()
    assert engine.describe_execution(healthy) is not None


@pytest.mark.parametrize("column", ["lease_expires_at_ms", "lease_ttl_ms", "attempt_started_at_ms"])
def test_a_lease_that_has_lost_a_part_is_named(engine: BlockingEngine, damage: Damage, column: str) -> None:
    damaged = engine.create_execution("kind", policy=ExecutionPolicy(max_replays=1)).execution_id
    lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
    damage(damaged, f"{column} = null")

    for use in (
        lambda: engine.describe_execution(damaged),
        lambda: engine.complete(lease),
        lambda: engine.renew(lease),
    ):
        with pytest.raises(Corruption, match=f"key {re.escape(damaged)}: column {column} is missing"):
            use()


@pytest.mark.parametrize(("assignment", "column"), DAMAGE_IN_THE_QUEUE)
@pytest.mark.parametrize("limit", [1, 10])
def test_a_claim_passes_over_it_and_takes_the_next(
    engine: BlockingEngine, damage: Damage, assignment: str, column: str, limit: int, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = engine.create_execution("kind", priority=9).execution_id
    also_damaged = engine.create_execution("kind", priority=8).execution_id
    healthy = [engine.create_execution("kind").execution_id for _ in range(3)]
    damage(damaged, assignment)
    damage(also_damaged, assignment)

    with caplog.at_level(logging.ERROR, "flowfabric"):
        claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=limit)

    assert [each.execution_id for each in claimed] == healthy[:limit]
    assert "skipped" in caplog.text


def test_what_has_lost_its_payload_cannot_be_told_from_what_is_created_again(engine: BlockingEngine, sql: Sql) -> None:
    damaged = engine.create_execution("kind", b"payload").execution_id
    sql.execute("delete from ff_payload")

    with pytest.raises(Corruption, match=f"ff_payload, key {re.escape(damaged)}: the row is gone"):
        engine.create_execution("kind", b"payload", execution_id=damaged)

    assert engine.create_execution("kind").public_state == "waiting"


@pytest.mark.parametrize("policy", [ExecutionPolicy(), ExecutionPolicy(max_replays=1)])
def test_a_claim_passes_over_an_execution_whose_payload_is_lost(
    engine: BlockingEngine, sql: Sql, policy: ExecutionPolicy, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = engine.create_execution("kind", priority=9, policy=policy).execution_id
    healthy = engine.create_execution("kind", policy=policy).execution_id
    sql.execute("delete from ff_payload where execution_id = %s", (damaged[-36:],))

    claimed = engine.claim(worker_id="w", worker_instance_id="i")

    assert [each.execution_id for each in claimed] == [healthy]
    assert "skipped" in caplog.text


@pytest.mark.parametrize(("assignment", "column"), DAMAGE)
def test_neighbours_in_the_same_batch_are_unaffected(
    parts: Assembled, damage: Damage, assignment: str, column: str
) -> None:
    engine = parts.engine
    ids = [engine.create_execution("kind").execution_id for _ in range(5)]
    damage(ids[2], assignment)

    answers = parts.commits.execute_all(
        [Envelope(CancelExecution(parse_execution_id(each), "all of them", "operator_override", None)) for each in ids]
    )

    assert isinstance(answers[2], Corruption)
    assert not any(isinstance(answer, EngineError) for answer in answers[:2] + answers[3:])
    for healthy in ids[:2] + ids[3:]:
        snapshot = engine.describe_execution(healthy)
        assert snapshot is not None
        assert snapshot.public_state == "cancelled"


@pytest.mark.parametrize("assignment", ["tags = 'garbage'", "policy = 'garbage'"])
def test_reconcilers_skip_it_and_go_on(
    engine: BlockingEngine, clock: ManualClock, sql: Sql, damage: Damage, assignment: str
) -> None:
    now = clock.now_ms
    policy = ExecutionPolicy(attempt_timeout_ms=20_000, retention_ms=1_000, retry=RetryPolicy(max_retries=1))
    for lane in ("lease", "timeout", "deadline", "delay", "retention", "repair"):
        item = NewExecution(
            kind="kind",
            lane=lane,
            policy=policy,
            deadline_at_ms=now + 15_000 if lane == "deadline" else None,
            delay_until_ms=now + 15_000 if lane == "delay" else None,
        )
        engine.create_executions([item] * 3)
    leases = {
        lane: engine.claim(worker_id="w", worker_instance_id="i", lanes=[lane], limit=3, lease_ttl_ms=ttl_ms)
        for lane, ttl_ms in (("lease", 10_000), ("timeout", 60_000), ("retention", 60_000))
    }
    for claimed in leases["retention"]:
        engine.complete(claimed.lease)
    first_of_lane = {item.lane: item.execution_id for item in engine.list_executions().items}
    for damaged in first_of_lane.values():
        damage(damaged, assignment)
    sql.execute("delete from ff_ready where lane_id = 'repair'")

    clock.advance(25_000)
    done = engine.reconcile()

    assert done == {
        "expired_leases": 2,
        "attempt_timeouts": 2,
        "deadlines": 2,
        "due_delays": 2,
        "wait_timeouts": 0,
        "unsettled_ends": 0,
        "silent_workers": 0,
        "old_events": 0,
        "retention": 2,
        "side_rows": 2,
        "stuck_joins": 0,
        "overdue_acks": 0,
        "flow_retention": 0,
        "idempotency_keys": 0,
        "command_ids": 0,
        "dead_tokens": 0,
        "gates": 0,
        "idle_keys": 0,
        "idle_turns": 0,
        "old_uses": 0,
        "long_streams": 0,
    }
    assert engine.reconcile()["expired_leases"] == 0
    for damaged in first_of_lane.values():
        with pytest.raises(Corruption):
            engine.describe_execution(damaged)


def test_a_repaired_row_is_served_again(engine: BlockingEngine, damage: Damage) -> None:
    damaged = engine.create_execution("kind").execution_id
    damage(damaged, "tags = 'garbage'")
    assert engine.claim(worker_id="w", worker_instance_id="i") == []

    damage(damaged, "tags = null")

    assert [each.execution_id for each in engine.claim(worker_id="w", worker_instance_id="i")] == [damaged]


@pytest.mark.parametrize(("assignment", "column"), [("channel = 9", "channel"), ("details = 'garbage'", "details")])
def test_a_damaged_event_is_named(engine: BlockingEngine, sql: Sql, assignment: str, column: str) -> None:
    engine.create_execution("kind")
    engine.claim(worker_id="w", worker_instance_id="i")
    sql.execute(f"update ff_event set {assignment}")

    with pytest.raises(Corruption, match=f"ff_event, key 1: column {column} does not parse"):
        engine.read_events()


def test_a_damaged_attempt_is_named(engine: BlockingEngine, sql: Sql) -> None:
    known = engine.create_execution("kind").execution_id
    engine.release(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)
    sql.execute("update ff_attempt set outcome = 8")

    with pytest.raises(Corruption, match=r"ff_attempt, key .*, attempt 0: column outcome does not parse"):
        engine.list_attempts(known)


@pytest.mark.parametrize("damage", ["delete from ff_capability_set", "update ff_capability_set set tokens = 'garbage'"])
def test_a_damaged_capability_set_stops_only_what_needs_it(
    engine: BlockingEngine, sql: Sql, open_another: Open, damage: str
) -> None:
    damaged = engine.create_execution("kind", required_capabilities=["gpu"], priority=9).execution_id
    healthy = engine.create_execution("kind").execution_id
    sql.execute(damage)
    fresh = open_another()  # the first engine still knows what the set meant

    claimed = fresh.claim(worker_id="w", worker_instance_id="i", capabilities=["gpu"])

    assert [each.execution_id for each in claimed] == [healthy]
    with pytest.raises(Corruption, match=r"ff_capability_set, key 1: column tokens does not parse"):
        fresh.describe_execution(damaged)
