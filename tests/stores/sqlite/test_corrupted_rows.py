"""Garbage in a row: it is named, and whatever else is in the file goes on as if it were not there."""

import logging
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from flowfabric import (
    BlockingEngine,
    Corruption,
    EngineError,
    ExecutionPolicy,
    NewExecution,
    RetryPolicy,
    open_blocking_engine,
)
from flowfabric.domain.commands import CancelExecution, Envelope
from flowfabric.domain.ids import parse_execution_id
from flowfabric.testing import ManualClock
from tests.assembled import Assembled
from tests.stores.sqlite.conftest import Open

NOT_UTF8 = "cast(x'6bff64' as text)"
# What a waiting execution's row can come to hold, and the column that is to be named.
DAMAGE = [
    ("tags = 'garbage'", "tags"),
    ("tags = '[1, 2]'", "tags"),
    ("policy = 'garbage'", "policy"),
    ("""policy = '{"retry": {"max_retries": -1}}'""", "policy"),
    ("""policy = '{"unheard_of": 1}'""", "policy"),
    ("lifecycle_phase = 99", "lifecycle_phase"),
    ("lifecycle_phase = -1", "lifecycle_phase"),
    ("eligibility_state = 9", "eligibility_state"),
    ("eligibility_state = -1", "eligibility_state"),
    ("attempt_state = 8", "attempt_state"),
    ("attempt_state = -1", "attempt_state"),
    ("terminal_outcome = 6", "terminal_outcome"),
    ("terminal_outcome = -1", "terminal_outcome"),
    # Each of these would parse, but not together with the rest of the row.
    ("terminal_outcome = 1", "terminal_outcome"),
    ("lifecycle_phase = 3", "terminal_outcome"),
    ("lifecycle_phase = 1", "eligibility_state"),
    ("attempt_state = 1", "attempt_state"),
    ("attempt_state = 5", "attempt_state"),
    ("eligibility_state = 1", "delay_until_ms"),
    ("eligibility_state = 8", "eligibility_state"),
    ("lifecycle_phase = 2", "eligibility_state"),
    ("lifecycle_phase = 2, eligibility_state = 8", "attempt_state"),
    ("lifecycle_phase = 2, eligibility_state = 8, attempt_state = 7", "inbox"),
    ("inbox = 'garbage'", "inbox"),
    ("inbox = '[1, 2]'", "inbox"),
    ("""inbox = '{"waits": [{"name": "approval"}]}'""", "inbox"),
    (f"inbox = {NOT_UTF8}", "inbox"),
    ("flow_id = x'0102'", "flow_id"),
    (f"execution_kind = {NOT_UTF8}", "execution_kind"),
    (f"worker_id = {NOT_UTF8}", "worker_id"),
]
# Of these, what leaves the row where claims look.
DAMAGE_IN_THE_QUEUE = [each for each in DAMAGE if not each[0].startswith(("lifecycle", "eligibility"))]


Damage = Callable[[str, str], None]


@pytest.fixture
def damage(sql: sqlite3.Connection) -> Damage:
    """Write garbage into an execution's row, past every check."""
    sql.execute("pragma ignore_check_constraints = on")

    def damage(execution_id: str, assignment: str) -> None:
        uuid = bytes.fromhex(execution_id[-36:].replace("-", ""))
        changed = sql.execute(f"update ff_exec_core set {assignment} where execution_id = ?", (uuid,))
        assert changed.rowcount == 1

    return damage


@pytest.mark.parametrize(("assignment", "column"), DAMAGE)
def test_describe_names_table_key_and_column(
    engine: BlockingEngine, damage: Damage, assignment: str, column: str
) -> None:
    damaged = engine.create_execution("kind").execution_id
    healthy = engine.create_execution("kind").execution_id
    damage(damaged, assignment)

    with pytest.raises(Corruption) as found:
        engine.describe_execution(damaged)

    assert "ff_exec_core" in str(found.value)
    assert f"key {damaged}" in str(found.value)
    assert f"column {column} " in str(found.value)
    assert engine.describe_execution(healthy) is not None


@pytest.mark.parametrize("column", ["lease_expires_at_ms", "lease_ttl_ms", "attempt_started_at_ms"])
def test_a_lease_that_has_lost_a_part_is_named_too(engine: BlockingEngine, damage: Damage, column: str) -> None:
    damaged = engine.create_execution("kind").execution_id
    lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
    damage(damaged, f"{column} = null")

    for use in (
        lambda: engine.describe_execution(damaged),
        lambda: engine.complete(lease),
        lambda: engine.renew(lease),
    ):
        with pytest.raises(Corruption, match=f"key {re.escape(damaged)}: column {column} is missing"):
            use()


@pytest.mark.parametrize(("assignment", "column"), DAMAGE)
def test_every_other_command_on_it_is_refused_alike(
    engine: BlockingEngine, damage: Damage, assignment: str, column: str
) -> None:
    damaged = engine.create_execution("kind").execution_id
    damage(damaged, assignment)

    for use in (
        lambda: engine.cancel_execution(damaged, reason="broken"),
        lambda: engine.change_priority(damaged, 5),
        lambda: engine.hold(damaged),
        lambda: engine.set_tag(damaged, "team.name", "billing"),
        lambda: engine.get_result(damaged),
        lambda: engine.list_attempts(damaged),
        lambda: engine.explain(damaged),
        lambda: engine.list_executions(),
    ):
        with pytest.raises(Corruption, match=f"column {column} "):
            use()


@pytest.mark.parametrize(("assignment", "column"), DAMAGE_IN_THE_QUEUE)
@pytest.mark.parametrize("limit", [1, 2, 10])
def test_a_claim_passes_over_it(
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


def test_what_has_lost_its_payload_cannot_be_told_from_what_is_created_again(
    engine: BlockingEngine, sql: sqlite3.Connection
) -> None:
    damaged = engine.create_execution("kind", b"payload").execution_id
    sql.execute("delete from ff_payload")

    with pytest.raises(Corruption, match=f"ff_payload, key {re.escape(damaged)}: the row is gone"):
        engine.create_execution("kind", b"payload", execution_id=damaged)

    assert engine.create_execution("kind").public_state == "waiting"


def test_a_claim_passes_over_an_execution_whose_payload_is_lost(
    engine: BlockingEngine, sql: sqlite3.Connection
) -> None:
    damaged = engine.create_execution("kind", priority=9).execution_id
    healthy = engine.create_execution("kind").execution_id
    sql.execute("delete from ff_payload where execution_id = ?", (bytes.fromhex(damaged[-36:].replace("-", "")),))

    claimed = engine.claim(worker_id="w", worker_instance_id="i")

    assert [each.execution_id for each in claimed] == [healthy]


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


@pytest.mark.parametrize(("assignment", "column"), [("tags = 'garbage'", "tags"), ("policy = 'garbage'", "policy")])
def test_reconcilers_skip_it_and_go_on(
    engine: BlockingEngine, clock: ManualClock, damage: Damage, assignment: str, column: str
) -> None:
    now = clock.now_ms
    policy = ExecutionPolicy(attempt_timeout_ms=20_000, retention_ms=1_000, retry=RetryPolicy(max_retries=1))
    lanes = ("lease", "timeout", "deadline", "delay", "retention")
    for lane in lanes:
        engine.create_executions(
            [
                NewExecution(
                    kind="kind",
                    lane=lane,
                    policy=policy,
                    deadline_at_ms=now + 15_000 if lane == "deadline" else None,
                    delay_until_ms=now + 15_000 if lane == "delay" else None,
                )
            ]
            * 3
        )
    leases = {
        lane: engine.claim(worker_id="w", worker_instance_id="i", lanes=[lane], limit=3, lease_ttl_ms=ttl_ms)
        for lane, ttl_ms in (("lease", 10_000), ("timeout", 60_000), ("retention", 60_000))
    }
    for claimed in leases["retention"]:
        engine.complete(claimed.lease)
    first_of_lane = {item.lane: item.execution_id for item in engine.list_executions().items}
    for damaged in first_of_lane.values():
        damage(damaged, assignment)

    clock.advance(25_000)
    done = engine.reconcile()

    assert {
        duty: done[duty] for duty in ("expired_leases", "attempt_timeouts", "deadlines", "due_delays", "retention")
    } == {
        "expired_leases": 2,
        "attempt_timeouts": 2,
        "deadlines": 2,
        "due_delays": 2,
        "retention": 2,
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


@pytest.mark.parametrize("column", ["partition_key = 256", "execution_id = x'0102'"])
def test_a_row_whose_key_no_id_can_spell_is_never_handed_out(
    engine: BlockingEngine, damage: Damage, column: str
) -> None:
    damaged = engine.create_execution("kind", priority=9).execution_id
    healthy = engine.create_execution("kind").execution_id
    damage(damaged, column)

    claimed = engine.claim(worker_id="w", worker_instance_id="i")

    assert [each.execution_id for each in claimed] == [healthy]


@pytest.mark.parametrize(
    ("assignment", "column"),
    [("channel = 9", "channel"), ("channel = -1", "channel"), ("details = 'garbage'", "details")],
)
def test_a_damaged_event_is_named(
    engine: BlockingEngine, sql: sqlite3.Connection, assignment: str, column: str
) -> None:
    engine.create_execution("kind")
    engine.claim(worker_id="w", worker_instance_id="i")
    sql.execute("pragma ignore_check_constraints = on")
    sql.execute(f"update ff_event set {assignment}")

    with pytest.raises(Corruption, match=f"ff_event, key 1: column {column} does not parse"):
        engine.read_events()


@pytest.mark.parametrize("outcome", [8, -1])
def test_a_damaged_attempt_is_named(engine: BlockingEngine, sql: sqlite3.Connection, outcome: int) -> None:
    known = engine.create_execution("kind").execution_id
    engine.release(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)
    sql.execute("pragma ignore_check_constraints = on")
    sql.execute("update ff_attempt set outcome = ?", (outcome,))

    with pytest.raises(Corruption, match=r"ff_attempt, key .*, attempt 0: column outcome does not parse"):
        engine.list_attempts(known)


@pytest.mark.parametrize("tokens", [None, "garbage"])
def test_a_damaged_capability_set_stops_only_what_needs_it(
    engine: BlockingEngine, sql: sqlite3.Connection, open_another: Open, tokens: str | None
) -> None:
    damaged = engine.create_execution("kind", required_capabilities=["gpu"], priority=9).execution_id
    healthy = engine.create_execution("kind").execution_id
    if tokens is None:
        sql.execute("delete from ff_capability_set")
    else:
        sql.execute("update ff_capability_set set tokens = ?", (tokens,))
    fresh = open_another()  # the first engine still knows what the set meant

    claimed = fresh.claim(worker_id="w", worker_instance_id="i", capabilities=["gpu"])

    assert [each.execution_id for each in claimed] == [healthy]
    with pytest.raises(Corruption, match=r"ff_capability_set, key 1: column tokens does not parse"):
        fresh.describe_execution(damaged)


def test_a_file_whose_pages_are_garbage_is_named_and_nothing_hangs(url: str, path: Path) -> None:
    with open_blocking_engine(url, reconcile=False):
        pass
    schema = path.stat().st_size
    with open_blocking_engine(url, reconcile=False) as engine:
        ids = [answer.execution_id for answer in engine.create_executions([NewExecution(kind="kind")] * 500)]
    pages = bytearray(path.read_bytes())
    # The schema stays whole, so that the file can be opened; of what it describes nothing is left.
    pages[schema:] = b"\xff" * (len(pages) - schema)
    path.write_bytes(pages)

    with open_blocking_engine(url, reconcile=False) as engine:
        for use in (
            lambda: [engine.describe_execution(each) for each in ids],
            lambda: engine.claim(worker_id="w", worker_instance_id="i", limit=500),
            lambda: engine.list_executions(limit=1000),
        ):
            with pytest.raises(
                Corruption, match=r"shop\.db is not a healthy SQLite database .* Restore it from a backup"
            ):
                use()
        engine.ping()
