"""Garbage in a row of a flow: it is named, and every other flow goes on as if it were not there."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, Claimed, Corruption, FlowGraph, Quorum
from flowfabric.domain.batch_io import ClaimNeed, Needs
from flowfabric.domain.listing import FlowFilter
from tests.stores.flow_records import (
    Books,
    a_flow,
    a_group,
    a_member,
    an_edge,
    blocked,
    flow_id,
    member_id,
    opened,
)

NOT_UTF8 = "cast(x'6bff64' as text)"
ANY_WORK = ClaimNeed("default", ("default",), frozenset())
FLOW_DAMAGE = [
    ("tags = 'garbage'", "tags"),
    ("tags = '[1, 2]'", "tags"),
    ("state = 5", "state"),
    ("state = -1", "state"),
    ("cancellation_policy = 3", "cancellation_policy"),
    ("cancellation_policy = -1", "cancellation_policy"),
    # Each of these would parse, but not together with the rest of the row.
    ("state = 2", "terminal_at_ms"),
    ("terminal_at_ms = 1", "terminal_at_ms"),
    ("cancellation_policy = 1", "cancellation_policy"),
    (f"flow_kind = {NOT_UTF8}", "flow_kind"),
    (f"cancel_reason = {NOT_UTF8}", "cancel_reason"),
]
EDGE_DAMAGE = [
    ("outcome = 6", "outcome"),
    ("outcome = -1", "outcome"),
    ("upstream = x'0102'", "upstream"),
    ("downstream = x'0102'", "downstream"),
    (f"pass_result_as = {NOT_UTF8}", "pass_result_as"),
]
GROUP_DAMAGE = [
    ("policy_kind = 3", "policy_kind"),
    ("policy_kind = -1", "policy_kind"),
    ("policy_kind = 1", "policy_on_satisfied"),
    ("policy_kind = 2, policy_on_satisfied = 2, policy_k = 1", "policy_on_satisfied"),
    ("policy_kind = 2, policy_on_satisfied = 0", "policy_k"),
    ("policy_kind = 2, policy_on_satisfied = 0, policy_k = 0", "policy_k"),
    ("state = 3", "state"),
    ("state = -1", "state"),
    ("flow_id = x'0102'", "flow_id"),
]


@pytest.fixture
def books(path: Path) -> Iterator[Books]:
    """Two flows of two members each."""
    with opened(f"sqlite:///{path}") as books:
        for flow in (1, 2):
            first = 10 * flow
            books.save(
                a_flow(flow),
                a_member(first, flow),
                blocked(first + 1, flow),
                an_edge(first, first + 1, "edge", flow, pass_result_as="total"),
                a_group(first + 1, flow, total=1, passes_results=True),
            )
        yield books


@pytest.fixture
def damage(books: Books, path: Path) -> Iterator[sqlite3.Connection]:
    """A hand that writes past every check."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma ignore_check_constraints = on")
    yield connection
    connection.close()


def uuid_of(flow: int) -> bytes:
    return bytes.fromhex(flow_id(flow).replace("-", ""))


@pytest.mark.parametrize(("assignment", "column"), FLOW_DAMAGE)
def test_a_damaged_flow_is_named_and_no_other_is_affected(
    books: Books, damage: sqlite3.Connection, assignment: str, column: str
) -> None:
    damage.execute(f"update ff_flow_core set {assignment} where flow_id = ?", (uuid_of(1),))

    for use in (
        lambda: books.store.flow(flow_id(1)),
        lambda: books.store.flow_view(flow_id(1)),
        lambda: books.store.flows(FlowFilter(), None, 10),
        lambda: books.load(Needs(flows={flow_id(1)})),
    ):
        with pytest.raises(Corruption, match=f"ff_flow_core, key {flow_id(1)}: column {column} "):
            use()
    assert books.store.flow(flow_id(2)) == a_flow(2)


@pytest.mark.parametrize(("assignment", "column"), EDGE_DAMAGE)
def test_a_damaged_edge_is_named_and_no_other_is_affected(
    books: Books, damage: sqlite3.Connection, assignment: str, column: str
) -> None:
    damage.execute(f"update ff_edge set {assignment} where flow_id = ?", (uuid_of(1),))

    for use in (
        lambda: books.store.edge(flow_id(1), "edge"),
        lambda: books.store.edges(flow_id(1), None, None),
        lambda: books.load(Needs(whole_flows={flow_id(1)})),
    ):
        with pytest.raises(Corruption, match=f"ff_edge, key {flow_id(1)}, 'edge': column {column} "):
            use()
    assert books.store.edge(flow_id(2), "edge") is not None


@pytest.mark.parametrize(("assignment", "column"), GROUP_DAMAGE)
def test_a_damaged_group_is_named_and_no_other_is_affected(
    books: Books, damage: sqlite3.Connection, assignment: str, column: str
) -> None:
    damage.execute(f"update ff_edge_group set {assignment} where flow_id = ?", (uuid_of(1),))

    for use in (
        lambda: books.store.group(member_id(11, 1)),
        lambda: books.load(Needs(groups={member_id(11, 1)})),
        lambda: books.load(Needs(outgoing={member_id(10, 1)})),
    ):
        with pytest.raises(Corruption, match=f"ff_edge_group, key .*: column {column} "):
            use()
    assert books.store.group(member_id(21, 2)) is not None


@pytest.mark.parametrize("members", ["garbage", "[1]", '["not a uuid"]'])
def test_what_a_cancel_cancelled_is_named_if_it_does_not_parse(
    books: Books, damage: sqlite3.Connection, members: str
) -> None:
    books.save(cancelled_members={flow_id(1): (member_id(10, 1),)})
    damage.execute("update ff_flow_cancel set members = ?", (members,))

    with pytest.raises(Corruption, match=f"ff_flow_cancel, key {flow_id(1)}: column members does not parse"):
        books.load(Needs(cancelled_members={flow_id(1)}))


@pytest.mark.parametrize(
    "statement", ["update ff_flow_core set tags = 'garbage'", "update ff_edge set outcome = 9, downstream = upstream"]
)
def test_a_claim_passes_over_the_members_of_a_damaged_flow(
    books: Books, damage: sqlite3.Connection, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage.execute(f"{statement} where flow_id = ?", (uuid_of(1),))

    with caplog.at_level(logging.ERROR, "flowfabric"):
        loaded = books.load(Needs(claims={ANY_WORK: 1}))

    assert [ready.execution_id for ready in loaded.candidates[ANY_WORK]] == [member_id(20, 2)]
    assert [record.message.partition(":")[0] for record in caplog.records] == ["a damaged execution is skipped"] * 2


def test_a_blocked_execution_that_is_damaged_does_not_hide_those_after_it(
    books: Books, damage: sqlite3.Connection, caplog: pytest.LogCaptureFixture
) -> None:
    books.save(*[blocked(n, 1) for n in (12, 13, 14)])
    uuids = [bytes.fromhex(f"{number:032x}") for number in (12, 13)]
    damage.executemany("update ff_exec_core set tags = 'garbage' where execution_id = ?", [(uuid,) for uuid in uuids])

    with caplog.at_level(logging.ERROR, "flowfabric"):
        page = books.store.side_rows(None, 5)

    assert {row.execution.execution_id for row in page.rows} == {member_id(11, 1), member_id(14, 1), member_id(21, 2)}


@pytest.mark.parametrize(
    ("table", "assignment"),
    [
        ("ff_flow_core", "namespace = null"),
        ("ff_flow_core", "state = 5"),
        ("ff_flow_core", "cancellation_policy = 3"),
        ("ff_flow_core", "flow_id = x'00'"),
        ("ff_edge", "outcome = 6"),
        ("ff_edge", "upstream = null"),
        ("ff_edge_group", "policy_kind = 3"),
        ("ff_edge_group", "policy_on_satisfied = 2"),
        ("ff_edge_group", "state = 3"),
        ("ff_edge_group", "passes_results = 2"),
        ("ff_exec_core", "unsettled = 2"),
    ],
)
def test_the_schema_refuses_what_no_record_can_hold(books: Books, path: Path, table: str, assignment: str) -> None:
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(f"update {table} set {assignment}")


def test_a_worker_goes_on_with_healthy_flows_beside_a_damaged_one(
    engine: BlockingEngine, sql: sqlite3.Connection
) -> None:
    def submitted() -> str:
        graph = FlowGraph("order")
        for name in ("a", "b", "join"):
            graph.node(name, "mail")
        graph.edge("a", "join", pass_result_as="total")
        graph.edge("b", "join")
        graph.join("join", Quorum(1, "let_run"))
        return engine.submit_flow(graph).flow_id

    def claimed() -> list[Claimed]:
        return engine.claim(worker_id="w", worker_instance_id="i", limit=10)

    damaged, healthy = submitted(), submitted()
    leases = {each.execution_id: each for each in claimed()}
    sql.execute("pragma ignore_check_constraints = on")
    sql.execute("update ff_edge_group set state = 9 where flow_id = ?", (bytes.fromhex(damaged.replace("-", "")),))

    for each in leases.values():
        if each.flow_id == damaged:
            with pytest.raises(Corruption, match="ff_edge_group"):
                engine.complete(each.lease, b"42")
        else:
            engine.complete(each.lease, b"42")

    (join,) = claimed()
    assert join.flow_id == healthy
    assert join.inputs == {"total": b"42"}
    engine.complete(join.lease)
    snapshot = engine.describe_flow(healthy)
    assert snapshot is not None
    assert snapshot.state == "completed"
