"""Garbage in a row of a flow: it is named, and every other flow goes on as if it were not there."""

import logging

import psycopg
import pytest

from flowfabric import BlockingEngine, Claimed, Corruption, FlowGraph, Quorum
from flowfabric.testing import ManualClock
from tests.stores.postgres.conftest import Sql

FLOW_DAMAGE = [
    ("tags = 'garbage'", "tags"),
    ("tags = '[1, 2]'", "tags"),
    # Each of these parses, but not together with the rest of the row.
    ("state = 2", "terminal_at_ms"),
    ("terminal_at_ms = 1", "terminal_at_ms"),
    ("cancellation_policy = 1", "cancellation_policy"),
]
GROUP_DAMAGE = [
    ("policy_k = null", "policy_k"),
    ("policy_k = 0", "policy_k"),
    ("policy_on_satisfied = null", "policy_on_satisfied"),
]


def submitted(engine: BlockingEngine) -> str:
    """A flow of two and of one that waits for either of them."""
    graph = FlowGraph("order")
    for name in ("a", "b", "join"):
        graph.node(name, "mail")
    graph.edge("a", "join", pass_result_as="total")
    graph.edge("b", "join")
    graph.join("join", Quorum(1, "let_run"))
    return engine.submit_flow(graph).flow_id


def claimed(engine: BlockingEngine) -> list[Claimed]:
    return engine.claim(worker_id="w", worker_instance_id="i", limit=10)


@pytest.mark.parametrize(("assignment", "column"), FLOW_DAMAGE)
def test_a_damaged_flow_is_named_and_no_other_is_affected(
    engine: BlockingEngine, sql: Sql, assignment: str, column: str
) -> None:
    damaged, healthy = submitted(engine), submitted(engine)
    sql.execute(f"update ff_flow_core set {assignment} where flow_id = %s", (damaged,))

    for use in (
        lambda: engine.describe_flow(damaged),
        lambda: engine.list_flows(),
        lambda: engine.add_execution(damaged, "mail"),
        lambda: engine.cancel_flow(damaged, reason="enough"),
    ):
        with pytest.raises(Corruption, match=f"ff_flow_core, key {damaged}: column {column} "):
            use()
    assert engine.describe_flow(healthy) is not None
    assert engine.add_execution(healthy, "mail").public_state == "waiting"


@pytest.mark.parametrize(("assignment", "column"), GROUP_DAMAGE)
def test_a_worker_goes_on_with_healthy_flows_beside_one_with_a_damaged_group(
    engine: BlockingEngine, sql: Sql, assignment: str, column: str
) -> None:
    damaged, healthy = submitted(engine), submitted(engine)
    sql.execute(f"update ff_edge_group set {assignment} where flow_id = %s", (damaged,))

    for each in claimed(engine):
        if each.flow_id == damaged:
            with pytest.raises(Corruption, match=f"ff_edge_group, key .*: column {column} "):
                engine.complete(each.lease, b"42")
        else:
            engine.complete(each.lease, b"42")

    (join,) = claimed(engine)
    assert (join.flow_id, join.inputs) == (healthy, {"total": b"42"})


def test_a_claim_passes_over_the_members_of_a_damaged_flow(
    engine: BlockingEngine, sql: Sql, caplog: pytest.LogCaptureFixture
) -> None:
    damaged, healthy = submitted(engine), submitted(engine)
    sql.execute("update ff_flow_core set tags = 'garbage' where flow_id = %s", (damaged,))

    with caplog.at_level(logging.ERROR, "flowfabric"):
        found = claimed(engine)

    assert [each.flow_id for each in found] == [healthy] * 2
    (told,) = [record.message for record in caplog.records]
    assert told.startswith("a damaged flow is skipped: ff_flow_core, key ")


@pytest.mark.parametrize("members", ["garbage", "[1]", '["not a uuid"]'])
def test_what_a_cancel_cancelled_is_named_if_it_does_not_parse(engine: BlockingEngine, sql: Sql, members: str) -> None:
    flow_id = submitted(engine)
    engine.cancel_flow(flow_id, reason="enough")
    sql.execute("update ff_flow_cancel set members = %s", (members,))

    with pytest.raises(Corruption, match=f"ff_flow_cancel, key {flow_id}: column members does not parse"):
        engine.cancel_flow(flow_id, reason="enough")


def test_reconcilers_pass_over_a_damaged_group_and_go_on(
    engine: BlockingEngine, sql: Sql, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = submitted(engine)
    delayed = engine.create_execution("mail", delay_until_ms=clock.now_ms + 1_000).execution_id
    sql.execute("update ff_edge_group set policy_k = null where flow_id = %s", (damaged,))
    sql.execute("delete from ff_due where execution_id = %s", (delayed[-36:],))

    with caplog.at_level(logging.ERROR, "flowfabric"):
        done = engine.reconcile()

    assert done["side_rows"] == 1
    assert any(record.message.startswith("a damaged execution is skipped: ") for record in caplog.records)


@pytest.mark.parametrize(
    ("table", "assignment"),
    [
        ("ff_flow_core", "namespace = null"),
        ("ff_flow_core", "state = 5"),
        ("ff_flow_core", "cancellation_policy = 3"),
        ("ff_flow_core", "partition_key = 256"),
        ("ff_edge", "outcome = 6"),
        ("ff_edge", "upstream = null"),
        ("ff_edge_group", "policy_kind = 3"),
        ("ff_edge_group", "policy_on_satisfied = 2"),
        ("ff_edge_group", "state = 3"),
        ("ff_edge_group", "passes_results = 2"),
        ("ff_exec_core", "unsettled = 2"),
    ],
)
def test_the_schema_refuses_what_no_record_can_hold(
    engine: BlockingEngine, sql: Sql, table: str, assignment: str
) -> None:
    submitted(engine)

    with pytest.raises(psycopg.errors.IntegrityError):
        sql.execute(f"update {table} set {assignment}")
