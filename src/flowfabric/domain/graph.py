"""A flow to be submitted in one transaction: nodes by name, edges between them, and how they join."""

from collections import deque
from collections.abc import Mapping
from typing import Any

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.creation import NewExecution
from flowfabric.domain.errors import CycleDetected, InvalidInput, SelfEdge
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.joins import AllOf, AnyOf, Join, Quorum


class GraphEdge(msgspec.Struct, frozen=True):
    """One edge between two nodes, by their names."""

    upstream: str
    downstream: str
    pass_result_as: str | None


class FlowGraph:
    """A DAG to submit in one transaction. `submit_flow` at the latest raises what is wrong with it."""

    def __init__(
        self,
        kind: str,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        flow_id: str | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = kind
        self.namespace = namespace
        self.flow_id = flow_id
        self.tags: Mapping[str, str] = {} if tags is None else tags
        self.nodes: dict[str, NewExecution] = {}
        self.edges: list[GraphEdge] = []
        self.joins: dict[str, Join] = {}

    def node(self, name: str, kind: str, payload: bytes = b"", **as_create_execution: Any) -> str:
        """Add a node; the keywords are those of `create_execution`. Returns its name, for use in edges."""
        inputs.name("node name", name)
        if name in self.nodes:
            raise InvalidInput(f"The graph has a node {name!r} already. Give each node a name of its own.")
        if "namespace" in as_create_execution:
            raise InvalidInput(f"node {name!r}: members take the flow's namespace. Leave it out.")
        try:
            self.nodes[name] = NewExecution(kind=kind, payload=payload, **as_create_execution)
        except TypeError as error:
            raise InvalidInput(f"node {name!r}: {error}. The keywords are those of create_execution.") from None
        return name

    def edge(self, upstream: str, downstream: str, *, pass_result_as: str | None = None) -> None:
        """Let one node wait for another. If `pass_result_as` is given, the result of the other is passed on."""
        self.edges.append(
            GraphEdge(
                inputs.name("upstream", upstream),
                inputs.name("downstream", downstream),
                inputs.input_name(pass_result_as),
            )
        )

    def join(self, downstream: str, policy: AllOf | AnyOf | Quorum) -> None:
        """Set how the edges that lead to a node are joined. Without this, all upstreams must complete."""
        self.joins[inputs.name("downstream", downstream)] = inputs.join(policy)

    def check(self) -> None:
        """Raise what is wrong with the graph as a whole."""
        if len(self.nodes) > inputs.ITEMS_MAX:
            raise InvalidInput(f"The graph has {len(self.nodes)} nodes; the limit is {inputs.ITEMS_MAX}.")
        if len(self.edges) > inputs.EDGES_MAX:
            raise InvalidInput(f"The graph has {len(self.edges)} edges; the limit is {inputs.EDGES_MAX}.")
        named = [*self.joins, *(name for edge in self.edges for name in (edge.upstream, edge.downstream))]
        for name in named:
            if name not in self.nodes:
                raise InvalidInput(f"The graph has no node {name!r}, and an edge or a join names it. Add the node.")
        waits_for = dict.fromkeys(self.nodes, 0)
        leads_to: dict[str, list[str]] = {name: [] for name in self.nodes}
        for edge in self.edges:
            if edge.upstream == edge.downstream:
                raise SelfEdge(f"node {edge.upstream!r} cannot wait for itself. Remove that edge.")
            waits_for[edge.downstream] += 1
            leads_to[edge.upstream].append(edge.downstream)
        for name, join in self.joins.items():
            if isinstance(join, Quorum) and join.k > waits_for[name]:
                raise InvalidInput(
                    f"node {name!r} waits for a quorum of {join.k}, and {waits_for[name]} edges lead to it: it could "
                    "never run. Add edges, or lower k."
                )
        _check_acyclic(waits_for, leads_to)


def _check_acyclic(waits_for: dict[str, int], leads_to: Mapping[str, list[str]]) -> None:
    free = deque(name for name, count in waits_for.items() if count == 0)
    left = dict(waits_for)
    while free:
        name = free.popleft()
        del left[name]
        for downstream in leads_to[name]:
            left[downstream] -= 1
            if left[downstream] == 0:
                free.append(downstream)
    if left:
        raise CycleDetected(
            f"The graph has a cycle through {', '.join(repr(name) for name in list(left)[:5])}: none of these could "
            "ever run. Remove an edge of it."
        )
