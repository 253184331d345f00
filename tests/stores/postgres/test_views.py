"""What people see who look at the database with their own tools: states by name, and the original's four outboxes."""

import json

import psycopg
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
from tests.stores.postgres.conftest import Sql

COLUMNS = {
    "ff_lease_event": {
        "event_id": "bigint",
        "execution_id": "text",
        "lease_id": "text",
        "event_type": "text",
        "occurred_at_ms": "bigint",
        "partition_key": "integer",
        "namespace": "text",
        "instance_tag": "text",
    },
    "ff_completion_event": {
        "partition_key": "smallint",
        "event_id": "bigint",
        "execution_id": "uuid",
        "flow_id": "uuid",
        "outcome": "text",
        "namespace": "text",
        "instance_tag": "text",
        "occurred_at_ms": "bigint",
        "committed_at_ms": "bigint",
        "dispatched_at_ms": "bigint",
    },
    "ff_signal_event": {
        "event_id": "bigint",
        "execution_id": "text",
        "signal_id": "text",
        "waitpoint_id": "text",
        "source_identity": "text",
        "delivered_at_ms": "bigint",
        "partition_key": "integer",
        "namespace": "text",
        "instance_tag": "text",
        "event_type": "text",
        "key": "text",
        "name": "text",
        "effect": "text",
        "cause": "text",
    },
    "ff_operator_event": {
        "event_id": "bigint",
        "execution_id": "text",
        "event_type": "text",
        "details": "jsonb",
        "occurred_at_ms": "bigint",
        "partition_key": "integer",
        "namespace": "text",
        "instance_tag": "text",
    },
}


def rows(sql: Sql, view: str, *columns: str) -> list[tuple[object, ...]]:
    return sql.execute(f"select {', '.join(columns)} from {view} order by event_id").fetchall()


@pytest.mark.parametrize("view", COLUMNS)
def test_each_outbox_has_the_original_columns_and_types(sql: Sql, view: str) -> None:
    found = sql.execute(
        "select attname, format_type(atttypid, null) from pg_attribute"
        " where attrelid = %s::regclass and attnum > 0 order by attnum",
        (view,),
    ).fetchall()

    assert found == list(COLUMNS[view].items())


GATE_VIEWS = ("ff_limit_status", "ff_slot_holder", "ff_parked_execution", "ff_budget_status")


@pytest.mark.parametrize("view", [*COLUMNS, "ff_execution", "ff_flow", *GATE_VIEWS])
def test_a_view_cannot_be_written_through(engine: BlockingEngine, sql: Sql, view: str) -> None:
    engine.create_execution("kind")
    engine.claim(worker_id="w", worker_instance_id="i")

    for statement in (
        f"delete from {view}",
        f"update {view} set namespace = 'x'",
        f"insert into {view} default values",
    ):
        with pytest.raises(psycopg.Error):
            sql.execute(statement)

    assert len(engine.read_events().events) == 1


def test_the_lease_outbox_tells_the_life_of_every_lease(engine: BlockingEngine, clock: ManualClock, sql: Sql) -> None:
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=1, jitter=0))
    known = engine.create_execution("kind", policy=policy).execution_id
    leases = []

    def claim() -> None:
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="i", lease_ttl_ms=10_000)
        leases.append(claimed.lease)

    claim()
    engine.release(leases[-1])
    claim()
    engine.revoke_lease(known, reason="drain")
    claim()
    clock.advance(10_000)
    engine.reconcile()
    claim()
    engine.fail(leases[-1], code="boom", retry_after_ms=0)
    claim()
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


def test_a_lost_worker_and_a_cancel_show_no_release_and_a_failure_does(engine: BlockingEngine, sql: Sql) -> None:
    lost = engine.create_execution("kind", policy=ExecutionPolicy(max_interruptions=0)).execution_id
    engine.claim(worker_id="w", worker_instance_id="i")
    engine.revoke_lease(lost)
    cancelled = engine.create_execution("kind").execution_id
    engine.claim(worker_id="w", worker_instance_id="i")
    engine.cancel_execution(cancelled, reason="enough")
    failed = engine.create_execution("kind").execution_id
    engine.fail(engine.claim(worker_id="w", worker_instance_id="i")[0].lease, code="boom", retryable=False)

    assert rows(sql, "ff_lease_event", "execution_id", "event_type") == [
        (lost[-36:], "acquired"),
        (lost[-36:], "revoked"),
        (cancelled[-36:], "acquired"),
        (cancelled[-36:], "revoked"),
        (failed[-36:], "acquired"),
        (failed[-36:], "released"),
    ]
    assert rows(sql, "ff_completion_event", "execution_id::text", "outcome") == [
        (lost[-36:], "failed"),
        (cancelled[-36:], "cancelled"),
        (failed[-36:], "failed"),
    ]


def test_the_completion_outbox_has_one_row_per_ending_under_the_original_names(
    engine: BlockingEngine, clock: ManualClock, sql: Sql
) -> None:
    succeeded = engine.create_execution("kind", tags={"cairn.instance_id": "blue"}).execution_id
    engine.complete(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)
    expired = engine.create_execution("kind", deadline_at_ms=clock.now_ms + 1, lane="never").execution_id
    clock.advance(5)
    engine.reconcile()

    columns = [column for column in COLUMNS["ff_completion_event"] if column not in ("execution_id", "event_id")]
    assert rows(sql, "ff_completion_event", "execution_id::text", *columns) == [
        (succeeded[-36:], 86, None, "success", "default", "blue", *[clock.now_ms - 5] * 3),
        (expired[-36:], int(expired[4:].split("}")[0]), None, "expired", "default", None, *[clock.now_ms] * 3),
    ]


def test_the_operator_outbox_has_every_hand_that_was_laid_on_an_execution(engine: BlockingEngine, sql: Sql) -> None:
    known = engine.create_execution("kind", namespace="tenant", tags={"cairn.instance_id": "blue"}).execution_id
    engine.change_priority(known, 7)
    engine.hold(known, reason='say "wait", \\ and ☂')
    engine.unhold(known)
    engine.cancel_execution(known, reason="enough")
    engine.replay_execution(known)

    columns = ("execution_id", "event_type", "namespace", "instance_tag", "partition_key", "details")
    replayed = {
        "branch": "normal",
        "groups_reset": 0,
        "previous_outcome": "cancelled",
        "previous_attempt": 0,
        "steps": "kept",
        "steps_kept": 0,
        "from_step": None,
    }
    assert rows(sql, "ff_operator_event", *columns) == [
        (known[-36:], "priority_changed", "tenant", "blue", 86, {"old_priority": 0, "new_priority": 7}),
        (known[-36:], "held", "tenant", "blue", 86, {"reason": 'say "wait", \\ and ☂'}),
        (known[-36:], "unheld", "tenant", "blue", 86, None),
        (known[-36:], "replayed", "tenant", "blue", 86, replayed),
    ]


def test_the_operator_outbox_tells_of_lanes_without_an_id(engine: BlockingEngine, sql: Sql) -> None:
    engine.pause_lane("mail", namespace="tenant")
    engine.resume_lane("mail", namespace="tenant")

    found = rows(sql, "ff_operator_event", "execution_id", "event_type", "namespace", "instance_tag")
    assert found == [(None, event_type, "tenant", None) for event_type in ("lane_paused", "lane_resumed")]


def test_the_signal_outbox_takes_its_columns_from_the_details(sql: Sql) -> None:
    delivered = {"signal_id": "s-1", "waitpoint_id": "w-1", "source_identity": "ops"}
    delivered |= {"key": "approval", "name": "yes", "effect": "resumed"}
    uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    for seq, kind, details in ((1, "delivered", delivered), (2, "resumed", {"name": "editor", "cause": "signal"})):
        sql.execute(
            "insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, details,"
            " occurred_at_ms) values (3, %s, 'tenant', 86, %s, %s, %s, 1234)",
            (kind, uuid, seq, json.dumps(details)),
        )

    columns = list(COLUMNS["ff_signal_event"])[1:]
    assert rows(sql, "ff_signal_event", *columns) == [
        (uuid, "s-1", "w-1", "ops", 1234, 86, "tenant", None, "delivered", "approval", "yes", "resumed", None),
        (uuid, None, None, None, 1234, 86, "tenant", None, "resumed", None, "editor", None, "signal"),
    ]


def test_the_execution_view_says_what_describe_says(engine: BlockingEngine, sql: Sql) -> None:
    ids = [engine.create_execution("kind", tags={"team.name": "billing"}).execution_id for _ in range(6)]
    leases = {each.execution_id: each.lease for each in engine.claim(worker_id="w", worker_instance_id="i", limit=4)}
    engine.complete(leases[ids[0]], b"done")
    engine.fail(leases[ids[1]], code="boom", message="it broke", retryable=False)
    engine.cancel_execution(ids[2], reason="enough")
    engine.progress(leases[ids[3]], percent=40, message="half way, nearly")
    engine.hold(ids[4])

    found = sql.execute("select * from ff_execution")
    assert found.description is not None
    names = [column.name for column in found.description]
    for values in found:
        row = dict(zip(names, values, strict=True))
        snapshot = engine.describe_execution(row["execution_id"])
        assert snapshot is not None
        for column in set(row) & set(snapshot.__struct_fields__) - {"tags"}:
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
    engine: BlockingEngine, sql: Sql, column: str, alphabet: tuple[str, ...]
) -> None:
    engine.create_execution("kind")
    spelled = []
    for code in range(len(alphabet)):
        sql.execute(f"update ff_exec_core set {column} = %s", (code,))
        spelled += sql.execute(f"select {column} from ff_execution").fetchone() or []

    assert tuple(spelled) == alphabet
    with pytest.raises(psycopg.errors.CheckViolation):
        sql.execute(f"update ff_exec_core set {column} = %s", (len(alphabet),))


def test_the_flow_view_says_what_describe_says(engine: BlockingEngine, sql: Sql) -> None:
    graph = FlowGraph("order", tags={"team.name": "billing"})
    graph.node("pack", "pack")
    graph.node("ship", "ship")
    graph.edge("pack", "ship")
    ids = [engine.submit_flow(graph).flow_id for _ in range(2)]
    engine.complete(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)
    engine.cancel_flow(ids[1], reason="enough", policy="cancel_pending")

    found = sql.execute("select * from ff_flow")

    assert found.description is not None
    names = [column.name for column in found.description]
    told = {row["flow_id"]: row for row in (dict(zip(names, values, strict=True)) for values in found)}
    assert set(told) == set(ids)
    for flow_id, row in told.items():
        snapshot = engine.describe_flow(flow_id)
        assert snapshot is not None
        for column in set(row) & set(snapshot.__struct_fields__) - {"tags"}:
            assert row[column] == getattr(snapshot, column), column
        assert (row["flow_kind"], row["kind"], json.loads(row["tags"])) == (snapshot.kind, snapshot.kind, snapshot.tags)


@pytest.mark.parametrize(
    ("column", "alphabet"), [("state", FLOW_STATES), ("cancellation_policy", CANCELLATION_POLICIES)]
)
def test_the_flow_view_spells_every_state_as_the_one_alphabet_does(
    engine: BlockingEngine, sql: Sql, column: str, alphabet: tuple[str, ...]
) -> None:
    engine.create_flow("order")
    spelled = []
    for code in range(len(alphabet)):
        sql.execute(f"update ff_flow_core set {column} = %s", (code,))
        spelled += sql.execute(f"select {column} from ff_flow").fetchone() or []

    assert tuple(spelled) == alphabet
    with pytest.raises(psycopg.errors.CheckViolation):
        sql.execute(f"update ff_flow_core set {column} = %s", (len(alphabet),))


def test_the_execution_view_names_the_flow_of_a_member(engine: BlockingEngine, sql: Sql) -> None:
    flow_id = engine.create_flow("order").flow_id
    member = engine.add_execution(flow_id, "pack").execution_id
    solo = engine.create_execution("pack").execution_id

    found = dict(sql.execute("select execution_id, flow_id from ff_execution").fetchall())

    assert found == {member: flow_id, solo: None}
