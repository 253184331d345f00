"""What people see who open the file with their own tools: states by name, and the original system's four outboxes."""

import json
import sqlite3
from collections.abc import Iterator

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, FlowGraph, RetryPolicy
from flowfabric.domain.flow import CANCELLATION_POLICIES, FLOW_STATES
from flowfabric.domain.states import (
    ATTEMPT_STATES,
    ELIGIBILITY_STATES,
    LIFECYCLE_PHASES,
    PUBLIC_STATES,
    TERMINAL_OUTCOMES,
)
from flowfabric.testing import ManualClock

COLUMNS = {
    "ff_lease_event": [
        "event_id",
        "execution_id",
        "lease_id",
        "event_type",
        "occurred_at_ms",
        "partition_key",
        "namespace",
        "instance_tag",
    ],
    "ff_completion_event": [
        "partition_key",
        "event_id",
        "execution_id",
        "flow_id",
        "outcome",
        "namespace",
        "instance_tag",
        "occurred_at_ms",
        "committed_at_ms",
        "dispatched_at_ms",
    ],
    "ff_signal_event": [
        "event_id",
        "execution_id",
        "signal_id",
        "waitpoint_id",
        "source_identity",
        "delivered_at_ms",
        "partition_key",
        "namespace",
        "instance_tag",
        "event_type",
        "key",
        "name",
        "effect",
        "cause",
    ],
    "ff_operator_event": [
        "event_id",
        "execution_id",
        "event_type",
        "details",
        "occurred_at_ms",
        "partition_key",
        "namespace",
        "instance_tag",
    ],
}


@pytest.fixture(autouse=True)
def by_name(sql: sqlite3.Connection) -> Iterator[None]:
    sql.row_factory = sqlite3.Row
    yield
    sql.row_factory = None


def rows(sql: sqlite3.Connection, view: str, *columns: str) -> list[tuple[object, ...]]:
    return [tuple(row[column] for column in columns) for row in sql.execute(f"select * from {view} order by event_id")]


@pytest.mark.parametrize("view", COLUMNS)
def test_each_outbox_has_the_original_columns(sql: sqlite3.Connection, view: str) -> None:
    found = sql.execute(f"select * from {view}")

    assert [column[0] for column in found.description] == COLUMNS[view]


@pytest.mark.parametrize("view", [*COLUMNS, "ff_execution", "ff_flow"])
def test_a_view_cannot_be_written(sql: sqlite3.Connection, view: str) -> None:
    with pytest.raises(sqlite3.OperationalError, match="cannot modify"):
        sql.execute(f"delete from {view}")


def test_the_lease_outbox_tells_the_life_of_every_lease(
    engine: BlockingEngine, clock: ManualClock, sql: sqlite3.Connection
) -> None:
    def claim() -> object:
        return engine.claim(worker_id="w", worker_instance_id="i", lease_ttl_ms=10_000)[0].lease

    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=1, jitter=0))
    known = engine.create_execution("kind", policy=policy, namespace="default").execution_id
    leases = [claim()]
    engine.release(leases[-1])
    leases.append(claim())
    engine.revoke_lease(known, reason="drain")
    leases.append(claim())
    clock.advance(10_000)
    engine.reconcile()
    leases.append(claim())
    engine.fail(leases[-1], code="boom", retry_after_ms=0)
    leases.append(claim())
    engine.complete(leases[-1])

    # The mark of a claim is kept with the execution, so only the last one is known.
    ids = [*(lease.lease_id.rpartition(":")[0] for lease in leases[:-1]), leases[-1].lease_id]
    assert rows(sql, "ff_lease_event", "event_type", "lease_id") == [
        ("acquired", ids[0]),
        ("released", None),
        ("acquired", ids[1]),
        ("revoked", None),
        ("acquired", ids[2]),
        ("expired", None),
        ("acquired", ids[3]),
        ("retry_scheduled", None),
        ("acquired", ids[4]),
        ("released", None),  # the holder completed: one row in the log, and an ended lease all the same
    ]


def test_a_lease_that_its_holder_ends_by_failing_for_good_is_released_too(
    engine: BlockingEngine, sql: sqlite3.Connection
) -> None:
    engine.create_execution("kind")
    lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease

    engine.fail(lease, code="boom", retryable=False)

    assert rows(sql, "ff_lease_event", "event_type") == [("acquired",), ("released",)]
    assert rows(sql, "ff_completion_event", "outcome") == [("failed",)]


def test_a_lost_worker_and_a_cancel_show_no_release(engine: BlockingEngine, sql: sqlite3.Connection) -> None:
    lost = engine.create_execution("kind", policy=ExecutionPolicy(max_interruptions=0)).execution_id
    engine.claim(worker_id="w", worker_instance_id="i")
    engine.revoke_lease(lost)
    cancelled = engine.create_execution("kind").execution_id
    engine.claim(worker_id="w", worker_instance_id="i")
    engine.cancel_execution(cancelled, reason="enough")

    assert rows(sql, "ff_lease_event", "execution_id", "event_type") == [
        (lost[-36:], "acquired"),
        (lost[-36:], "revoked"),
        (cancelled[-36:], "acquired"),
        (cancelled[-36:], "revoked"),
    ]
    assert rows(sql, "ff_completion_event", "execution_id", "outcome") == [
        (lost[-36:], "failed"),
        (cancelled[-36:], "cancelled"),
    ]


def test_the_completion_outbox_has_one_row_per_ending_under_the_original_names(
    engine: BlockingEngine, clock: ManualClock, sql: sqlite3.Connection
) -> None:
    succeeded = engine.create_execution("kind", tags={"cairn.instance_id": "blue"}).execution_id
    engine.complete(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)
    expired = engine.create_execution("kind", deadline_at_ms=clock.now_ms + 1, lane="never").execution_id
    clock.advance(5)
    engine.reconcile()

    assert rows(sql, "ff_completion_event", *COLUMNS["ff_completion_event"]) == [
        (86, 2, succeeded[-36:], None, "success", "default", "blue", clock.now_ms - 5, *[clock.now_ms - 5] * 2),
        (partition_in(expired), 3, expired[-36:], None, "expired", "default", None, *[clock.now_ms] * 3),
    ]


def test_the_operator_outbox_has_every_hand_that_was_laid_on_an_execution(
    engine: BlockingEngine, clock: ManualClock, sql: sqlite3.Connection
) -> None:
    known = engine.create_execution("kind", namespace="tenant", tags={"cairn.instance_id": "blue"}).execution_id
    engine.change_priority(known, 7)
    engine.hold(known, reason="wait")
    engine.unhold(known)
    engine.cancel_execution(known, reason="enough")
    engine.replay_execution(known)

    found = rows(sql, "ff_operator_event", "execution_id", "event_type", "namespace", "instance_tag", "partition_key")
    assert found == [
        (known[-36:], event_type, "tenant", "blue", 86)
        for event_type in ("priority_changed", "held", "unheld", "replayed")
    ]
    details = [json.loads(text or "{}") for (text,) in rows(sql, "ff_operator_event", "details")]
    assert details == [
        {"old_priority": 0, "new_priority": 7},
        {"reason": "wait"},
        {},
        {
            "branch": "normal",
            "groups_reset": 0,
            "previous_outcome": "cancelled",
            "previous_attempt": 0,
            "steps": "kept",
            "steps_kept": 0,
            "from_step": None,
        },
    ]


def test_the_operator_outbox_tells_of_lanes_without_an_id(engine: BlockingEngine, sql: sqlite3.Connection) -> None:
    engine.pause_lane("mail", namespace="tenant")
    engine.resume_lane("mail", namespace="tenant")

    found = rows(sql, "ff_operator_event", "execution_id", "event_type", "namespace", "instance_tag")
    assert found == [(None, event_type, "tenant", None) for event_type in ("lane_paused", "lane_resumed")]


def test_the_signal_outbox_takes_its_columns_from_the_details(sql: sqlite3.Connection) -> None:
    delivered = {"signal_id": "s-1", "waitpoint_id": "w-1", "source_identity": "ops"}
    delivered |= {"key": "approval", "name": "yes", "effect": "resumed"}
    sql.executemany(
        "insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, details,"
        " occurred_at_ms) values (3, ?, 'tenant', 86, ?, ?, ?, 1234)",
        [
            ("delivered", bytes(range(16)), 1, json.dumps(delivered)),
            ("resumed", bytes(range(16)), 2, json.dumps({"name": "editor", "cause": "signal"})),
        ],
    )

    known = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    assert rows(sql, "ff_signal_event", *COLUMNS["ff_signal_event"]) == [
        (1, known, "s-1", "w-1", "ops", 1234, 86, "tenant", None, "delivered", "approval", "yes", "resumed", None),
        (2, known, None, None, None, 1234, 86, "tenant", None, "resumed", None, "editor", None, "signal"),
    ]


def test_an_event_is_in_the_outbox_of_its_channel_only(engine: BlockingEngine, sql: sqlite3.Connection) -> None:
    known = engine.create_execution("kind").execution_id
    engine.change_priority(known, 3)
    engine.claim(worker_id="w", worker_instance_id="i")
    engine.cancel_execution(known, reason="enough")

    counts = {view: len(rows(sql, view, "event_id")) for view in COLUMNS}

    assert counts == {"ff_lease_event": 2, "ff_completion_event": 1, "ff_signal_event": 0, "ff_operator_event": 1}


def test_the_execution_view_says_what_describe_says(engine: BlockingEngine, sql: sqlite3.Connection) -> None:
    ids = [engine.create_execution("kind", tags={"team.name": "billing"}).execution_id for _ in range(6)]
    leases = {each.execution_id: each.lease for each in engine.claim(worker_id="w", worker_instance_id="i", limit=4)}
    engine.complete(leases[ids[0]], b"done")
    engine.fail(leases[ids[1]], code="boom", message="it broke", retryable=False)
    engine.cancel_execution(ids[2], reason="enough")
    engine.progress(leases[ids[3]], percent=40, message="half way, nearly")
    engine.hold(ids[4])

    for row in sql.execute("select * from ff_execution"):
        snapshot = engine.describe_execution(row["execution_id"])
        assert snapshot is not None
        for column in set(row.keys()) & set(snapshot.__struct_fields__) - {"tags"}:
            assert row[column] == getattr(snapshot, column), column
        assert json.loads(row["tags"]) == snapshot.tags
        assert (row["lane"], row["kind"]) == (row["lane_id"], row["execution_kind"]) == (snapshot.lane, snapshot.kind)
        if snapshot.failure is not None:
            assert (row["failure_code"], row["failure_message"]) == (snapshot.failure.code, snapshot.failure.message)


@pytest.mark.parametrize(
    ("column", "alphabet"),
    [
        ("lifecycle_phase", LIFECYCLE_PHASES),
        ("eligibility_state", ELIGIBILITY_STATES),
        ("attempt_state", ATTEMPT_STATES),
        ("terminal_outcome", TERMINAL_OUTCOMES),
        ("public_state", PUBLIC_STATES),
    ],
)
def test_the_execution_view_spells_every_state_as_the_one_alphabet_does(
    engine: BlockingEngine, sql: sqlite3.Connection, column: str, alphabet: tuple[str, ...]
) -> None:
    engine.create_execution("kind")
    spelled = []
    for code in range(len(alphabet)):
        sql.execute(f"update ff_exec_core set {column} = ?", (code,))
        spelled.append(sql.execute(f"select {column} from ff_execution").fetchone()[0])

    assert tuple(spelled) == alphabet
    with pytest.raises(sqlite3.IntegrityError):
        sql.execute(f"update ff_exec_core set {column} = ?", (len(alphabet),))


def test_the_flow_view_says_what_describe_says(engine: BlockingEngine, sql: sqlite3.Connection) -> None:
    graph = FlowGraph("order", tags={"team.name": "billing"})
    graph.node("pack", "pack")
    graph.node("ship", "ship")
    graph.edge("pack", "ship")
    ids = [engine.submit_flow(graph).flow_id for _ in range(2)]
    engine.complete(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)
    engine.cancel_flow(ids[1], reason="enough", policy="cancel_pending")

    found = {row["flow_id"]: row for row in sql.execute("select * from ff_flow")}

    assert set(found) == set(ids)
    for flow_id, row in found.items():
        snapshot = engine.describe_flow(flow_id)
        assert snapshot is not None
        for column in set(row.keys()) & set(snapshot.__struct_fields__) - {"tags"}:
            assert row[column] == getattr(snapshot, column), column
        assert (row["flow_kind"], row["kind"], json.loads(row["tags"])) == (snapshot.kind, snapshot.kind, snapshot.tags)


@pytest.mark.parametrize(
    ("column", "alphabet"), [("state", FLOW_STATES), ("cancellation_policy", CANCELLATION_POLICIES)]
)
def test_the_flow_view_spells_every_state_as_the_one_alphabet_does(
    engine: BlockingEngine, sql: sqlite3.Connection, column: str, alphabet: tuple[str, ...]
) -> None:
    engine.create_flow("order")
    spelled = []
    for code in range(len(alphabet)):
        sql.execute(f"update ff_flow_core set {column} = ?", (code,))
        spelled.append(sql.execute(f"select {column} from ff_flow").fetchone()[0])

    assert tuple(spelled) == alphabet
    with pytest.raises(sqlite3.IntegrityError):
        sql.execute(f"update ff_flow_core set {column} = ?", (len(alphabet),))


def test_the_execution_view_names_the_flow_of_a_member(engine: BlockingEngine, sql: sqlite3.Connection) -> None:
    flow_id = engine.create_flow("order").flow_id
    member = engine.add_execution(flow_id, "pack").execution_id
    solo = engine.create_execution("pack").execution_id

    found = dict(sql.execute("select execution_id, flow_id from ff_execution").fetchall())

    assert found == {member: flow_id, solo: None}


def partition_in(execution_id: str) -> int:
    return int(execution_id[4 : execution_id.index("}")])
