"""Edges and the groups they form: linking members, and what a replay starts anew.

A generation is one life of an execution. Within it each edge resolves once and a decided group never flips; a replay
starts a new generation of exactly what it resets.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from flowfabric.domain.commands import NewEdge
from flowfabric.domain.decide.ending import count_life, counted, decide_group, flow_of, resolve
from flowfabric.domain.errors import FlowTerminal
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Edge, EdgeGroup, Flow, holds_back, verdict
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.joins import ALL_OF, AllOf
from flowfabric.domain.states import AttemptState
from flowfabric.domain.working_set import WorkingSet

_NOT_STARTED: Final[tuple[AttemptState, ...]] = ("pending_first_attempt", "pending_replay_attempt")


class Rejoined(msgspec.Struct, frozen=True):
    """What a replay found at the edges of its execution."""

    is_blocked: bool = False
    groups_reset: int = 0
    keeps_result: bool = False
    """Whether someone was handed the result of the life that ended."""


# ── linking ──────────────────────────────────────────────────────────────────────────────────────


def link(ws: WorkingSet, flow: Flow, new: NewEdge) -> Flow:
    """Add an edge, counting an upstream that has ended already. The flow that has counted it is still to be put.

    What the edge does to its downstream is said by `take_effect`.
    """
    upstream = ws.find(new.upstream)
    assert upstream is not None
    was_lost_sink = upstream.has_ended and upstream.terminal_outcome != "success" and not ws.outgoing(new.upstream)
    edge = Edge(flow.flow_id, new.edge_id, new.upstream, new.downstream, new.pass_result_as, ws.now_ms)
    ws.add_edge(edge)
    group = ws.group(new.downstream) or EdgeGroup(flow.flow_id, new.downstream, ALL_OF)
    group = replace(group, total=group.total + 1, passes_results=group.passes_results or new.pass_result_as is not None)
    ws.put_group(group)
    if upstream.has_ended:
        ws.put_group(resolve(ws, edge, upstream))
    return replace(flow, edge_count=flow.edge_count + 1, lost_sinks=flow.lost_sinks - was_lost_sink)


def take_effect(ws: WorkingSet, downstream: ExecutionId) -> None:
    """Let new edges do to their downstream what they mean: block it, let it run, or skip it."""
    group = ws.group(downstream)
    assert group is not None
    if group.state == "satisfied" and isinstance(group.join, AllOf) and verdict(group) != "satisfied":
        group = replace(group, state="pending")
    if group.state != "pending":
        return
    block(ws, downstream)
    decide_group(ws, group)


def block(ws: WorkingSet, downstream: ExecutionId) -> None:
    """Keep a runnable execution from running until its group is decided. A held one stays held."""
    child = ws.find(downstream)
    assert child is not None
    if child.lifecycle_phase == "runnable" and child.eligibility_state != "blocked_by_operator":
        ws.put(replace(child, eligibility_state="blocked_by_dependencies"))


# ── replaying ────────────────────────────────────────────────────────────────────────────────────


def rejoin(ws: WorkingSet, x: Execution) -> Rejoined:
    """Bring an ended member back into its flow: the flow lives, and the edges around the member start anew."""
    flow = flow_of(ws, x)
    if flow.queues_no_more:
        raise FlowTerminal(
            f"{x.execution_id} belongs to flow {flow.flow_id}, which is cancelled: nothing of it comes back to life. "
            "Submit the work again in a new flow."
        )
    outgoing = ws.outgoing(x.execution_id)
    was_lost_sink = x.terminal_outcome != "success" and not outgoing
    ws.put_flow(replace(count_life(ws, flow), lost_sinks=flow.lost_sinks - was_lost_sink))
    keeps_result = False
    for edge in outgoing:
        if not _take_back(ws, edge):
            keeps_result = keeps_result or (edge.state == "satisfied" and edge.pass_result_as is not None)
    return _wait_again(ws, x, keeps_result)


def _take_back(ws: WorkingSet, edge: Edge) -> bool:
    """Make an edge pending again, if its downstream can still wait for the new end. False: it is left alone."""
    child = ws.find(edge.downstream)
    assert child is not None
    if edge.state == "pending" or child.lifecycle_phase != "runnable" or child.attempt_state not in _NOT_STARTED:
        return False
    group = ws.group(edge.downstream)
    assert group is not None
    ws.put_edge(replace(edge, outcome="none", resolved_at_ms=None))
    group = counted(group, edge.outcome, -1)
    if group.state == "satisfied" and verdict(group) != "satisfied":
        group = replace(group, state="pending")
        block(ws, edge.downstream)
    ws.put_group(group)
    return True


def _wait_again(ws: WorkingSet, x: Execution, keeps_result: bool) -> Rejoined:
    """What a replayed member waits for.

    Edges that were not satisfied wait for their upstream's next end, unless it has completed since.
    """
    group = ws.group(x.execution_id)
    if group is None or not holds_back(group):
        return Rejoined(keeps_result=keeps_result)
    reset = replace(group, state="pending", fail_count=0, skip_count=0)
    for edge in ws.incoming(x.execution_id):
        upstream = ws.find(edge.upstream)
        assert upstream is not None
        completed_since = upstream.terminal_outcome == "success" and edge.generation != upstream.replay_count
        if edge.state == "impossible":
            ws.put_edge(replace(edge, outcome="none", resolved_at_ms=None))
            if completed_since:
                ws.put_group(reset)
                reset = resolve(ws, edge, upstream)
    reset = replace(reset, state="satisfied" if verdict(reset) == "satisfied" else "pending")
    ws.put_group(reset)
    return Rejoined(reset.state == "pending", 1, keeps_result)
