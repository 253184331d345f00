"""Edges and the groups that they form: edges link members of a flow, so that one waits for the other."""

from msgspec.structs import replace

from flowfabric.domain.commands import NewEdge
from flowfabric.domain.decide.ending import decide_group, resolve
from flowfabric.domain.flow import Edge, EdgeGroup, Flow, verdict
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.joins import ALL_OF, AllOf
from flowfabric.domain.working_set import WorkingSet


def link(ws: WorkingSet, flow: Flow, new: NewEdge) -> Flow:
    """Add an edge. An upstream that has ended already is counted. The caller has to put the returned flow.

    `apply_new_edges` then does what the edge means for its downstream.
    """
    upstream = ws.executions[new.upstream]
    has_ended = not upstream.counts_as_live
    was_lost_sink = has_ended and upstream.terminal_outcome != "success" and not ws.graph.outgoing(new.upstream)
    edge = Edge(flow.flow_id, new.edge_id, new.upstream, new.downstream, new.pass_result_as, ws.now_ms)
    ws.graph.add_edge(edge)
    group = ws.graph.group(new.downstream) or EdgeGroup(flow.flow_id, new.downstream, ALL_OF)
    group = replace(group, total=group.total + 1, passes_results=group.passes_results or new.pass_result_as is not None)
    ws.groups.put(group)
    if has_ended:
        ws.groups.put(resolve(ws, edge, upstream))
    return replace(flow, edge_count=flow.edge_count + 1, lost_sinks=flow.lost_sinks - was_lost_sink)


def apply_new_edges(ws: WorkingSet, downstream: ExecutionId) -> None:
    """Do what new edges mean for their downstream: block it, let it run, or skip it."""
    group = ws.graph.group(downstream)
    assert group is not None
    if group.state == "satisfied" and isinstance(group.join, AllOf) and verdict(group) != "satisfied":
        group = replace(group, state="pending")
    if group.state != "pending":
        return
    block(ws, downstream)
    decide_group(ws, group)


def block(ws: WorkingSet, downstream: ExecutionId) -> None:
    """Keep a runnable execution from running until its group is decided. A held one stays held."""
    child = ws.executions[downstream]
    if child.lifecycle_phase == "runnable" and child.eligibility_state != "blocked_by_operator":
        ws.executions.put(replace(child, eligibility_state="blocked_by_dependencies"))
