"""What must hold for the flows of a store at rest: counters equal a recount of everything that is stored."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, Flow, PendingAck, verdict
from flowfabric.domain.flow_invariants import (
    GROUP_COUNTERS,
    backlog_violations,
    counter_of,
    edge_violations,
    events_by_flow,
    flow_log_violations,
    flow_record_violations,
    group_violations,
)
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, partition_in

if TYPE_CHECKING:
    from flowfabric.domain.invariants import Contents


def flow_violations_at_rest(contents: "Contents") -> Iterator[str]:
    """What is broken in the flows of a store that nobody is writing to."""
    executions = {x.execution_id: x for x in contents.executions}
    flows = {flow.flow_id: flow for flow in contents.flows}
    groups = {group.downstream: group for group in contents.groups}
    members = _members(contents.executions)
    events = events_by_flow(contents.events)
    edges_of: dict[FlowId, list[Edge]] = {}
    for edge in contents.edges:
        edges_of.setdefault(edge.flow_id, []).append(edge)
    if len(flows) != len(contents.flows):
        yield "two flows share an id"
    yield from _everything_has_its_flow(contents, flows, executions)
    for flow in contents.flows:
        yield from flow_record_violations(flow)
        yield from flow_log_violations(None, events.pop(flow.flow_id, []), flow)
        yield from _flow_counts_are_right(flow, members.get(flow.flow_id, []), edges_of.get(flow.flow_id, []))
        yield from _flow_state_fits(flow, members.get(flow.flow_id, []))
        yield from _no_member_waits_for_itself(flow, edges_of.get(flow.flow_id, []))
    for flow_id in events:
        yield f"flow {flow_id} has events and no record"
    leading_to: dict[ExecutionId, list[Edge]] = {}
    for edge in contents.edges:
        leading_to.setdefault(edge.downstream, []).append(edge)
        yield from edge_violations(edge)
        if edge.upstream in executions and edge.downstream in executions:
            yield from _edge_matches_its_upstream(edge, executions[edge.upstream], executions[edge.downstream])
    for downstream in leading_to.keys() - groups.keys():
        yield f"edges lead to {downstream}, and it has no group"
    for group in contents.groups:
        yield from group_violations(group)
        yield from _group_counts_are_right(group, leading_to.get(group.downstream, []))
    for x in contents.executions:
        yield from _blocked_for_a_reason(x, groups.get(x.execution_id))
    yield from _acks_are_counted(contents.backlogs, contents.acks, flows, executions)


def _everything_has_its_flow(
    contents: "Contents", flows: Mapping[FlowId, Flow], executions: Mapping[ExecutionId, Execution]
) -> Iterator[str]:
    for x in contents.executions:
        if x.flow_id is None:
            continue
        flow = flows.get(FlowId(x.flow_id))
        if flow is None:
            yield f"{x.execution_id} belongs to flow {x.flow_id}, which is gone"
        elif (x.namespace, partition_in(x.execution_id)) != (flow.namespace, flow_partition(flow.flow_id)):
            yield f"{x.execution_id} is not where its flow {x.flow_id} is"
    for edge in contents.edges:
        for end in (edge.upstream, edge.downstream):
            x_at_end = executions.get(end)
            if x_at_end is None or x_at_end.flow_id != edge.flow_id:
                yield f"edge {edge.edge_id} of flow {edge.flow_id} touches {end}, which is no member"
    for group in contents.groups:
        downstream = executions.get(group.downstream)
        if downstream is None or downstream.flow_id != group.flow_id:
            yield f"flow {group.flow_id} has a group of {group.downstream}, which is no member"


def _flow_counts_are_right(flow: Flow, members: Sequence[Execution], edges: Sequence[Edge]) -> Iterator[str]:
    lead_on = {edge.upstream for edge in edges}
    ended = [x for x in members if not x.counts_as_live]
    lost = [x for x in ended if x.terminal_outcome != "success" and x.execution_id not in lead_on]
    recounted = {
        "node_count": len(members),
        "edge_count": len(edges),
        "live_count": len(members) - len(ended),
        "lost_sinks": len(lost),
        "retention_ms": _longest_retention(members),
    }
    for field, count in recounted.items():
        if getattr(flow, field) != count:
            yield f"flow {flow.flow_id}: {field} is {getattr(flow, field)}, recounted {count}"


def _longest_retention(members: Sequence[Execution]) -> int | None:
    spans = [x.policy.retention_ms for x in members]
    return max((span for span in spans if span is not None), default=None) if None not in spans else None


def _flow_state_fits(flow: Flow, members: Sequence[Execution]) -> Iterator[str]:
    if flow.state == "open" and any(x.started_at_ms is not None for x in members):
        yield f"flow {flow.flow_id} is open, and a member has started"
    if flow.state == "running" and all(x.started_at_ms is None for x in members):
        yield f"flow {flow.flow_id} is running, and no member has started"
    if flow.is_cancelled_for_members:
        spared = flow.cancellation_policy == "cancel_pending"
        for x in members:
            if x.counts_as_live and not (spared and x.lifecycle_phase == "active"):
                yield f"{x.execution_id} is {x.public_state} in a flow cancelled by {flow.cancellation_policy}"


def _no_member_waits_for_itself(flow: Flow, edges: Sequence[Edge]) -> Iterator[str]:
    leads_to: dict[ExecutionId, list[ExecutionId]] = {}
    waits_for: Counter[ExecutionId] = Counter()
    for edge in edges:
        leads_to.setdefault(edge.upstream, []).append(edge.downstream)
        waits_for[edge.downstream] += 1
    free = [upstream for upstream in leads_to if not waits_for[upstream]]
    while free:
        for downstream in leads_to.pop(free.pop(), ()):
            waits_for[downstream] -= 1
            if not waits_for[downstream]:
                free.append(downstream)
    if leads_to:
        yield f"flow {flow.flow_id} has a cycle through {min(leads_to)}"


def _edge_matches_its_upstream(edge: Edge, upstream: Execution, downstream: Execution) -> Iterator[str]:
    where = f"edge {edge.edge_id} from {upstream.execution_id} ({upstream.public_state}) to {downstream.execution_id}"
    if edge.generation > upstream.replay_count:
        yield f"{where} knows life {edge.generation} of an upstream that is in life {upstream.replay_count}"
    if edge.outcome == "none":
        if upstream.counts_as_live or upstream.unsettled or downstream.has_ended:
            return
        # An edge that a replay of the downstream has reset waits for the next end, unless the last end was a success.
        if downstream.replay_count == 0 or upstream.terminal_outcome == "success":
            yield f"{where} is pending, and its upstream has passed its end on"
        return
    if edge.generation == upstream.replay_count and edge.outcome != upstream.terminal_outcome:
        yield f"{where} is {edge.outcome}, and the upstream of this life is {upstream.terminal_outcome}"
    never_ran = downstream.attempt_state == "pending_first_attempt"
    if never_ran and edge.generation != upstream.replay_count:
        yield f"{where} has counted life {edge.generation} for a downstream that never ran, and the upstream lives anew"


def _group_counts_are_right(group: EdgeGroup, edges: Sequence[Edge]) -> Iterator[str]:
    counts = Counter(counter_of(edge) for edge in edges)
    counts["total"] = len(edges)
    for field in GROUP_COUNTERS:
        if getattr(group, field) != counts[field]:
            yield f"the group of {group.downstream}: {field} is {getattr(group, field)}, recounted {counts[field]}"
    if group.passes_results != any(edge.pass_result_as is not None for edge in edges):
        yield f"the group of {group.downstream}: passes_results is {group.passes_results}"


def _blocked_for_a_reason(x: Execution, group: EdgeGroup | None) -> Iterator[str]:
    state = "satisfied" if group is None or group.total == 0 else group.state
    where = f"{x.execution_id} is {x.public_state} ({x.eligibility_state}), and its group is {state}"
    blocked, held = x.eligibility_state == "blocked_by_dependencies", x.eligibility_state == "blocked_by_operator"
    if (state == "impossible") != (x.terminal_outcome == "skipped"):
        yield where
    if not x.has_ended and group is not None and group.state == "pending" and verdict(group) != "pending":
        yield f"{where}, though its counts say {verdict(group)}"
    may_wait = blocked or held or x.terminal_outcome in ("cancelled", "expired")
    if (state == "pending" and not may_wait) or (state == "satisfied" and blocked):
        yield where


def _acks_are_counted(
    backlogs: Iterable[CancelBacklog],
    acks: Iterable[PendingAck],
    flows: Mapping[FlowId, Flow],
    executions: Mapping[ExecutionId, Execution],
) -> Iterator[str]:
    owed: Counter[FlowId] = Counter()
    for ack in acks:
        owed[ack.flow_id] += 1
        x = executions.get(ack.execution_id)
        if x is None or x.flow_id != ack.flow_id or x.terminal_outcome != "cancelled":
            yield f"flow {ack.flow_id} waits for {ack.execution_id}, which its cancel did not take from a worker"
    for backlog in backlogs:
        flow = flows.get(backlog.flow_id)
        if flow is None or flow.state != "cancelled" or flow.terminal_at_ms != backlog.requested_at_ms:
            yield f"flow {backlog.flow_id} has a backlog without a cancel"
        else:
            yield from backlog_violations(flow, backlog)
        if backlog.pending_count != owed.pop(backlog.flow_id, 0) or backlog.pending_count < 1:
            yield f"flow {backlog.flow_id} waits for {backlog.pending_count} acknowledgements, which is no recount"
    for flow_id, count in owed.items():
        yield f"flow {flow_id} waits for {count} acknowledgements and has no backlog"


def _members(executions: Iterable[Execution]) -> dict[str, list[Execution]]:
    found: dict[str, list[Execution]] = {}
    for x in executions:
        if x.flow_id is not None:
            found.setdefault(x.flow_id, []).append(x)
    return found
