"""Submitting a whole flow: all of it or nothing, and what is wrong with it is told before anything is written."""

from collections.abc import Callable
from typing import Any

import pytest

from flowfabric import (
    AllOf,
    AnyOf,
    BlockingEngine,
    Conflict,
    CycleDetected,
    EngineError,
    FlowGraph,
    FlowSubmitted,
    InvalidInput,
    ManualClock,
    Quorum,
    SelfEdge,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import graph_of, look_at_flow, submit
from flowfabric_conformance.stage import claim, claim_ids, create, listed, listed_flows, log, look, refused

UUID = "550e8400-e29b-41d4-a716-446655440000"


def test_a_whole_flow_is_made_in_one_step(engine: BlockingEngine, clock: ManualClock) -> None:
    graph = FlowGraph("order", namespace="tenant-a", flow_id=UUID.upper(), tags={"team.name": "shop"})
    paid = graph.node("charge", "charge-card", b"990", lane="money", priority=3, tags={"order.id": "7"})
    sent = graph.node("receipt", "send-mail")
    graph.edge(paid, sent, pass_result_as="charge_id")

    answer = engine.submit_flow(graph)

    assert isinstance(answer, FlowSubmitted)
    assert answer.flow_id == UUID
    assert list(answer.execution_ids) == [paid, sent] == ["charge", "receipt"]
    flow = look_at_flow(engine, UUID)
    assert (flow.kind, flow.namespace, flow.tags, flow.state) == ("order", "tenant-a", {"team.name": "shop"}, "open")
    assert (flow.graph_revision, flow.node_count, flow.edge_count) == (1, 2, 1)
    charge = look(engine, answer.execution_ids["charge"])
    assert (charge.kind, charge.lane, charge.priority, charge.tags) == ("charge-card", "money", 3, {"order.id": "7"})
    assert (charge.namespace, charge.flow_id, charge.public_state) == ("tenant-a", UUID, "waiting")
    receipt = look(engine, answer.execution_ids["receipt"])
    assert (receipt.lane, receipt.public_state) == ("default", "waiting_children")
    (edge,) = engine.list_edges(UUID)
    assert (edge.upstream, edge.downstream, edge.pass_result_as, edge.state) == (
        charge.execution_id,
        receipt.execution_id,
        "charge_id",
        "pending",
    )
    assert claim(engine, lanes=["money"], namespace="tenant-a").payload == b"990"
    assert [event.event_type for event in log(engine)] == ["acquired"]


def test_a_member_keeps_the_name_of_its_node(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    dag.add("c", "a")
    dag.complete("a")
    dag.fail("b")
    engine.replay_flow(dag.flow_id)

    assert [look(engine, dag[name]).node for name in "abc"] == ["a", "b", None]
    assert {x.node for x in listed(engine, flow_id=dag.flow_id)} == {"a", "b", None}
    assert look(engine, create(engine)).node is None


def test_only_the_roots_of_a_submitted_flow_may_run(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(
        engine,
        "a>c b>c c>d a>e f",
        joins={"c": AnyOf("let_run"), "d": AllOf()},
        every={"lane": "default"},
    )

    claimed = claim_ids(engine)

    assert set(claimed) == {dag["a"], dag["b"], dag["f"]}
    assert dag.states("c", "d", "e") == ["waiting_children"] * 3
    assert [dag.group(name).policy for name in "cde"] == [AnyOf("let_run"), AllOf(), AllOf()]


def test_nodes_are_queued_in_the_order_in_which_they_were_drawn(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"n{number}" for number in range(20)]
    dag = submit(engine, " ".join(names), every={"lane": "default"})

    assert claim_ids(engine) == [dag[name] for name in names]


def test_a_flow_of_one_node_is_a_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")

    dag.complete("a", b"done")

    assert (dag.flow().state, dag.flow().groups) == ("completed", [])


def test_a_flow_without_nodes_is_open_and_waits_for_some(engine: BlockingEngine, clock: ManualClock) -> None:
    answer = engine.submit_flow(FlowGraph("empty"))

    assert answer.execution_ids == {}
    flow = look_at_flow(engine, answer.flow_id)
    assert (flow.state, flow.node_count, flow.graph_revision) == ("open", 0, 1)


def test_a_graph_may_be_submitted_as_often_as_anyone_likes(engine: BlockingEngine, clock: ManualClock) -> None:
    graph = graph_of("a>b")

    first, second = engine.submit_flow(graph), engine.submit_flow(graph)

    assert first.flow_id != second.flow_id
    assert not set(first.execution_ids.values()) & set(second.execution_ids.values())
    assert len(listed(engine)) == 4


def test_a_given_flow_id_is_submitted_once(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.submit_flow(graph_of("a>b", flow_id=UUID))

    with refused(engine, Conflict):
        engine.submit_flow(graph_of("a>b", flow_id=UUID))


def test_a_flow_that_was_created_empty_cannot_be_submitted_again(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.create_flow("pipeline", flow_id=UUID)

    with refused(engine, Conflict):
        engine.submit_flow(graph_of("a", flow_id=UUID))


@pytest.mark.parametrize("join", [Quorum(2, "let_run"), Quorum(2, "cancel_remaining"), AnyOf("let_run")])
def test_a_submitted_join_is_kept(engine: BlockingEngine, clock: ManualClock, join: Any) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join})

    assert dag.group("c").policy == join
    assert dag.counts("c") == (2, 0, 0, 0, 2)


def test_a_join_may_be_drawn_before_its_edges_and_the_last_word_counts(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    graph = FlowGraph("pipeline")
    for name in "abc":
        graph.node(name, name)
    graph.join("c", AllOf())
    graph.join("c", Quorum(2, "let_run"))
    graph.edge("a", "c")
    graph.edge("b", "c")

    answer = engine.submit_flow(graph)

    (group,) = look_at_flow(engine, answer.flow_id).groups
    assert group.policy == Quorum(2, "let_run")


# ── what cannot be submitted ─────────────────────────────────────────────────────────────────────


def _cycle(*names: str) -> FlowGraph:
    graph = graph_of("root>" + ">".join(names))
    graph.edge(names[-1], names[0])
    return graph


def _self_edge() -> FlowGraph:
    graph = graph_of("a b")
    graph.edge("b", "b")
    return graph


def _unknown_upstream() -> FlowGraph:
    graph = graph_of("a")
    graph.edge("nobody", "a")
    return graph


def _unknown_downstream() -> FlowGraph:
    graph = graph_of("a")
    graph.edge("a", "nobody")
    return graph


def _unknown_join() -> FlowGraph:
    graph = graph_of("a")
    graph.join("nobody", AllOf())
    return graph


def _bad_node() -> FlowGraph:
    graph = graph_of("a>b")
    graph.node("c", "c", lane="größe")
    return graph


BAD_GRAPHS: dict[str, tuple[type[EngineError], Callable[[], FlowGraph]]] = {
    "a cycle of two": (CycleDetected, lambda: _cycle("a", "b")),
    "a cycle of four": (CycleDetected, lambda: _cycle("a", "b", "c", "d")),
    "a self edge": (SelfEdge, _self_edge),
    "an unknown upstream": (InvalidInput, _unknown_upstream),
    "an unknown downstream": (InvalidInput, _unknown_downstream),
    "a join of an unknown node": (InvalidInput, _unknown_join),
    "a quorum above its edges": (InvalidInput, lambda: graph_of("a>c b>c", joins={"c": Quorum(3, "let_run")})),
    "a quorum without edges": (InvalidInput, lambda: graph_of("a", joins={"a": Quorum(1, "let_run")})),
    "a bad node": (InvalidInput, _bad_node),
    "a bad kind": (InvalidInput, lambda: FlowGraph("")),
    "a bad namespace": (InvalidInput, lambda: FlowGraph("pipeline", namespace="line\n")),
    "a bad flow id": (InvalidInput, lambda: FlowGraph("pipeline", flow_id="not a uuid")),
    "bad tags": (InvalidInput, lambda: FlowGraph("pipeline", tags={"Team": "x"})),
    "an id on another partition": (
        InvalidInput,
        lambda: graph_of("a>b", flow_id=UUID, nodes={"b": {"execution_id": f"{{fp:0}}:{UUID}"}}),
    ),
    "an id given twice": (
        Conflict,
        lambda: graph_of(
            "a>b",
            flow_id="00000000-0000-0000-0000-000000000000",
            every={"execution_id": f"{{fp:0}}:{UUID}"},
        ),
    ),
    "a key given twice": (Conflict, lambda: graph_of("a>b", every={"idempotency_key": "once"})),
}


@rule_cases("what", BAD_GRAPHS)
def test_a_graph_that_is_wrong_is_refused_whole(engine: BlockingEngine, clock: ManualClock, what: str) -> None:
    refusal, drawn = BAD_GRAPHS[what]

    with refused(engine, refusal):
        engine.submit_flow(drawn())

    assert (listed(engine), listed_flows(engine)) == ([], [])


def test_a_cycle_is_named_by_its_nodes(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, CycleDetected) as caught:
        engine.submit_flow(_cycle("left", "right"))

    assert "'left'" in str(caught.value)
    assert "'right'" in str(caught.value)


def test_a_node_that_is_wrong_is_named(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, InvalidInput) as caught:
        engine.submit_flow(graph_of("a>b", nodes={"b": {"deadline_at_ms": -1}}))

    assert "'b'" in str(caught.value)
    assert "deadline_at_ms" in str(caught.value)


def test_a_node_whose_key_is_taken_refuses_the_whole_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, "b", idempotency_key="order-7")

    with refused(engine, Conflict) as caught:
        engine.submit_flow(graph_of("a>b", nodes={"b": {"idempotency_key": "order-7"}}))

    assert "'b'" in str(caught.value)
    assert listed_flows(engine) == []


def test_a_name_stands_for_one_node(engine: BlockingEngine, clock: ManualClock) -> None:
    graph = graph_of("a")

    with refused(engine, InvalidInput):
        graph.node("a", "another")

    assert list(engine.submit_flow(graph).execution_ids) == ["a"]


def test_a_node_has_no_namespace_of_its_own(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, InvalidInput):
        FlowGraph("pipeline").node("a", "a", namespace="tenant-a")


def test_a_node_takes_only_what_an_execution_takes(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, InvalidInput) as caught:
        FlowGraph("pipeline").node("a", "a", colour="blue")

    assert "colour" in str(caught.value)


@rule_cases("k", [0, -1, True, 1.0, "1", None, 10**30])
def test_a_quorum_is_a_whole_number_from_one_on(engine: BlockingEngine, clock: ManualClock, k: Any) -> None:
    with refused(engine, InvalidInput):
        graph_of("a>b").join("b", Quorum(k, "let_run"))


def test_a_graph_of_more_nodes_than_the_limit_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    graph = FlowGraph("pipeline")
    for number in range(10_001):
        graph.node(f"n{number}", "job")

    with refused(engine, InvalidInput):
        engine.submit_flow(graph)


def test_a_graph_of_more_bytes_than_the_limit_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    graph = FlowGraph("pipeline")
    for number in range(65):
        graph.node(f"n{number}", "job", bytes(1024 * 1024))

    with refused(engine, InvalidInput) as caught:
        engine.submit_flow(graph)

    assert "one call" in str(caught.value)


def test_a_graph_of_more_edges_than_the_limit_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    graph = graph_of("a b")
    for _ in range(50_001):
        graph.edge("a", "b")

    with refused(engine, InvalidInput):
        engine.submit_flow(graph)


def test_a_graph_of_a_thousand_nodes_and_five_thousand_edges_is_made_whole(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    graph = FlowGraph("pipeline")
    for number in range(1_000):
        graph.node(f"n{number}", "job")
        for step in (1, 2, 3, 5, 8)[: min(number, 5)]:
            graph.edge(f"n{max(0, number - step)}", f"n{number}")

    answer = engine.submit_flow(graph)

    flow = look_at_flow(engine, answer.flow_id)
    assert (flow.node_count, flow.edge_count) == (1_000, len(graph.edges))
    assert len(engine.list_edges(answer.flow_id)) == len(graph.edges) > 4_900
    assert claim_ids(engine) == [answer.execution_ids["n0"]]
