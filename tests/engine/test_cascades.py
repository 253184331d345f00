"""How a cascade is loaded: together, not step by step, for whatever is lacking means that all is decided again."""

from itertools import pairwise

import pytest

from flowfabric import AllOf, AnyOf, FlowGraph, Quorum
from tests.assembled import assembled
from tests.faulty_store import FaultyStore

LOADS_MAX = 12


@pytest.mark.parametrize(
    "join", [AllOf(), AnyOf("let_run"), Quorum(2, "let_run"), Quorum(2, "cancel_remaining")], ids=str
)
@pytest.mark.parametrize("length", [20, 80])
def test_a_failure_runs_down_a_chain_in_a_handful_of_loads_whoever_else_is_waited_for(
    store: FaultyStore, length: int, join: AllOf | AnyOf | Quorum
) -> None:
    graph = FlowGraph("chain")
    graph.node("0", "kind", priority=9)
    for number in range(1, length):
        graph.node(f"{number}", "kind")
        graph.node(f"beside {number}", "kind")
        graph.edge(f"{number - 1}", f"{number}")
        graph.edge(f"beside {number}", f"{number}")
        graph.join(f"{number}", join)

    loads = loads_of_a_failure(store, graph)

    assert loads <= LOADS_MAX


@pytest.mark.parametrize("length", [5, 20])
def test_a_failure_runs_down_layers_in_a_handful_of_loads(store: FaultyStore, length: int) -> None:
    graph = FlowGraph("layers")
    graph.node("0", "kind", priority=9)
    layers = [["0"], *([f"{number}.{place}" for place in range(5)] for number in range(length))]
    for before, layer in pairwise(layers):
        for place, name in enumerate(layer):
            graph.node(name, "kind")
            for upstream in {before[place % len(before)], before[(place + 1) % len(before)]}:
                graph.edge(upstream, name)
            graph.join(name, (AllOf(), AnyOf("cancel_remaining"))[place % 2])

    loads = loads_of_a_failure(store, graph)

    assert loads <= LOADS_MAX


def loads_of_a_failure(store: FaultyStore, graph: FlowGraph) -> int:
    """How often something is loaded when the first member of the flow fails."""
    with assembled(store) as world:
        world.engine.submit_flow(graph)
        (claimed,) = world.engine.claim(worker_id="w", worker_instance_id="i")
        before = store.loads
        world.engine.fail(claimed.lease, code="broken", retryable=False)
        return store.loads - before


@pytest.mark.parametrize("length", [20, 200])
def test_a_flow_is_replayed_in_a_handful_of_loads(store: FaultyStore, length: int) -> None:
    graph = FlowGraph("chain")
    for number in range(length):
        graph.node(f"{number}", "kind")
        if number:
            graph.edge(f"{number - 1}", f"{number}")
    with assembled(store) as world:
        flow_id = world.engine.submit_flow(graph).flow_id
        (claimed,) = world.engine.claim(worker_id="w", worker_instance_id="i")
        world.engine.record_step(claimed.lease, "charge", b"paid")
        world.engine.fail(claimed.lease, code="broken", retryable=False)
        before = store.loads

        answer = world.engine.replay_flow(flow_id)

        assert len(answer.execution_ids) == length
        assert store.loads - before <= LOADS_MAX
