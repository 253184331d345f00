"""How a batch loads flows: which sets of records it reads, and what it knows after that."""

from collections.abc import Iterable, Sequence
from typing import Literal

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.flow import Edge, EdgeKey
from flowfabric.domain.ids import ExecutionId, FlowId, uuid_in
from flowfabric.stores.sqlite.graph import Graph

Ends = dict[ExecutionId, list[EdgeKey]]
End = Literal["upstream", "downstream"]


def load_flows(needs: Needs, loaded: Loaded, graph: Graph) -> None:
    """Load the records of flows that the batch needs. The executions that it names have been read before.

    Executions that belong to no flow are known to have no edges, and the graph is never asked about them.
    """
    _load_headers(needs, loaded, graph)
    if needs.whole_flows:
        _load_whole(needs, loaded, graph)
    beside = _Beside()
    if needs.outgoing or needs.reach:
        _load_outgoing(needs, loaded, graph, beside)
    if needs.incoming:
        _load_incoming(needs, loaded, graph, beside)
    beside.groups.update(_members(needs.groups, loaded))
    for group in graph.groups(key for key in beside.groups if key not in loaded.groups):
        loaded.groups[group.downstream] = group
    for x in graph.executions(key for key in beside.executions if key not in loaded.executions):
        loaded.executions[x.execution_id] = x
    for edge in graph.edges(key for key in needs.edges if key not in loaded.edges):
        loaded.edges[edge.key] = edge
    load_inputs(needs.inputs, loaded, graph)
    _load_cancels(needs, loaded, graph)


class _Beside:
    """Records that must be read beside the edges."""

    def __init__(self) -> None:
        self.groups: set[ExecutionId] = set()
        self.executions: set[ExecutionId] = set()


def _load_headers(needs: Needs, loaded: Loaded, graph: Graph) -> None:
    wanted = {*needs.flows, *needs.whole_flows}
    for key in needs.flows_of:
        x = loaded.executions.get(key)
        if x is not None and x.flow_id is not None:
            wanted.add(FlowId(x.flow_id))
    for flow in graph.flows(key for key in wanted if key not in loaded.flows):
        loaded.flows[flow.flow_id] = flow


def _load_whole(needs: Needs, loaded: Loaded, graph: Graph) -> None:
    wanted = [key for key in needs.whole_flows if key not in loaded.members]
    members: dict[FlowId, list[ExecutionId]] = {key: [] for key in wanted}
    for x in graph.members(wanted):
        assert x.flow_id is not None
        loaded.executions.setdefault(x.execution_id, x)
        members[FlowId(x.flow_id)].append(x.execution_id)
    edges = graph.edges_of(wanted)
    everyone = [key for keys in members.values() for key in keys]
    _know(loaded.outgoing, everyone, edges, loaded, "upstream")
    _know(loaded.incoming, everyone, edges, loaded, "downstream")
    for group in graph.groups_of(wanted):
        loaded.groups[group.downstream] = group
    for flow_id, keys in members.items():
        loaded.members[flow_id] = sorted(keys, key=uuid_in)


def _load_outgoing(needs: Needs, loaded: Loaded, graph: Graph, beside: _Beside) -> None:
    near = [key for key in needs.outgoing if key not in loaded.outgoing]
    edges = graph.edges_from(_members(near, loaded))
    _know(loaded.outgoing, near, edges, loaded, "upstream")
    # The first edges may be known already, but the edges beyond them may not, so all are read.
    beyond = graph.edges_beyond(_members(needs.reach, loaded))
    reached = {*needs.reach, *(edge.downstream for edge in beyond)}
    _know(loaded.outgoing, reached.difference(loaded.outgoing), beyond, loaded, "upstream")
    for edge in (*edges, *beyond):
        beside.groups.add(edge.downstream)
        beside.executions.add(edge.downstream)


def _load_incoming(needs: Needs, loaded: Loaded, graph: Graph, beside: _Beside) -> None:
    wanted = [key for key in needs.incoming if key not in loaded.incoming]
    members = _members(wanted, loaded)
    edges = graph.edges_to(members)
    _know(loaded.incoming, wanted, edges, loaded, "downstream")
    beside.groups.update(members)
    beside.executions.update(edge.upstream for edge in edges)


def load_inputs(execution_ids: Iterable[ExecutionId], loaded: Loaded, graph: Graph) -> None:
    """Load the results that are passed to executions that a claim may take."""
    wanted = [key for key in execution_ids if key not in loaded.passing]
    edges, results = graph.passing(_members(wanted, loaded))
    _know(loaded.passing, wanted, edges, loaded, "downstream")
    loaded.results.update(results)


def load_for_claims(candidates: Sequence[ExecutionId], loaded: Loaded, graph: Graph) -> None:
    """Load what a claim of a flow's member must see: its flow, if no member was claimed yet, and its inputs."""
    flow_ids = {FlowId(flow_id) for key in candidates if (flow_id := loaded.executions[key].flow_id) is not None}
    unknown = flow_ids.difference(loaded.flows, loaded.started_flows)
    for flow in graph.open_flows(unknown):
        loaded.flows[flow.flow_id] = flow
    loaded.started_flows.update(unknown.difference(loaded.flows))
    load_inputs(candidates, loaded, graph)


def _load_cancels(needs: Needs, loaded: Loaded, graph: Graph) -> None:
    for flow_id in needs.cancelled_members:
        members = graph.cancelled_members(flow_id)
        if members is not None:
            loaded.cancelled_members[flow_id] = members
    for backlog in graph.backlogs(needs.backlogs):
        loaded.backlogs[backlog.flow_id] = backlog
    for ack in graph.acks(needs.acks):
        loaded.acks[ack.flow_id, ack.execution_id] = ack


def _members(execution_ids: Iterable[ExecutionId], loaded: Loaded) -> list[ExecutionId]:
    """The executions that belong to a flow."""
    return [key for key in execution_ids if (x := loaded.executions.get(key)) is not None and x.flow_id is not None]


def _know(ends: Ends, executions: Iterable[ExecutionId], edges: Iterable[Edge], loaded: Loaded, end: End) -> None:
    """Add the edges to what is loaded, and for each execution the list of all its edges at this end, by edge id."""
    known: Ends = {key: [] for key in executions}
    for key, edge in {edge.key: edge for edge in edges}.items():
        loaded.edges.setdefault(key, edge)
        at = known.get(edge.upstream if end == "upstream" else edge.downstream)
        if at is not None:
            at.append(key)
    for keys in known.values():
        keys.sort()
    ends.update(known)
