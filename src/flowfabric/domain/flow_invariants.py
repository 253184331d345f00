"""What must hold for flows after every batch: one small function each.

Counters are compared with a recount of what the batch has changed; `flows_at_rest` recounts everything that is stored.
The history of a flow is folded from its events, like the life of an execution.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.events import Event
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, Flow, over_since_ms, purge_at_ms, verdict
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.joins import AllOf

Course = Literal["live", "being cancelled", "completed", "failed", "cancelled"]
"""The state of a flow as its events show it. Live means open or running: no event says that a flow starts."""

FLOW_STEPS: Final[dict[str, tuple[tuple[Course, ...], Course]]] = {
    "flow_completed": (("live",), "completed"),
    "flow_failed": (("live",), "failed"),
    "flow_reopened": (("completed", "failed", "cancelled"), "live"),
    "flow_cancel_requested": (("live",), "being cancelled"),
    "flow_cancelled": (("being cancelled",), "cancelled"),
}
"""The closed state machine of a flow: which event may happen in which state, and to which state it leads."""


def flow_violations(changes: Changes, now_ms: int, may_purge: bool) -> Iterator[str]:
    """What one batch broke in flows."""
    replayed = _replayed(changes)
    events = events_by_flow(changes.events)
    removed = {before.flow_id for before, after in changes.flows if before is not None and after is None}
    yield from _flows_count_what_changed(changes)
    yield from _groups_count_what_changed(changes)
    yield from _members_go_with_their_flow(changes, removed)
    for flow_before, flow in changes.flows:
        if flow is None:
            yield from _only_flows_at_rest_go(flow_before, now_ms, may_purge)
            continue
        yield from flow_record_violations(flow)
        happened = events.pop(flow.flow_id, [])
        reopened = any(event.event_type == "flow_reopened" for event in happened)
        yield from flow_log_violations(flow_before, happened, flow)
        if flow_before is not None:
            yield from _flow_identity_is_kept(flow_before, flow)
            yield from _a_cancel_stands(flow_before, flow, reopened)
        yield from backlog_violations(flow, changes.backlogs.get(flow.flow_id))
    for flow_id in events:
        yield f"flow {flow_id} has events and no record"
    for edge_before, edge in changes.edges:
        yield from edge_violations(edge)
        if edge_before is not None:
            yield from _edge_identity_is_kept(edge_before, edge)
            yield from _an_edge_resolves_once(edge_before, edge, replayed)
    for group_before, group in changes.groups:
        yield from group_violations(group)
        if group_before is not None:
            yield from _a_join_stands(group_before, group)
            yield from _a_decided_group_never_flips(group_before, group, changes, replayed)


# ── one record ───────────────────────────────────────────────────────────────────────────────────


def flow_record_violations(flow: Flow) -> Iterator[str]:
    """What is wrong with one flow by itself."""
    name = f"flow {flow.flow_id}"
    over = flow.state in ("completed", "failed", "cancelled")
    if over != (flow.terminal_at_ms is not None):
        yield f"{name} is {flow.state} and terminal_at_ms is {flow.terminal_at_ms}"
    cancelled = flow.state == "cancelled"
    if (flow.cancel_reason is not None, flow.cancellation_policy is not None) != (cancelled, cancelled):
        yield f"{name} is {flow.state}, cancelled by {flow.cancellation_policy}: {flow.cancel_reason!r}"
    if flow.state in ("completed", "failed") and flow.live_count:
        yield f"{name} is {flow.state} and {flow.live_count} members live"
    if flow.state in ("open", "running") and flow.node_count and not flow.live_count:
        yield f"{name} is {flow.state} and no member lives"
    if flow.state == "completed" and flow.lost_sinks:
        yield f"{name} is completed and {flow.lost_sinks} sinks did not complete"
    if flow.state == "failed" and not flow.lost_sinks:
        yield f"{name} is failed and every sink completed"
    if (flow.state == "running" and flow.started_at_ms is None) or (flow.state == "open" and flow.started_at_ms):
        yield f"{name} is {flow.state} and started_at_ms is {flow.started_at_ms}"
    at_rest = flow.node_count > 0 and flow.live_count == 0
    if at_rest != (flow.at_rest_since_ms is not None):
        yield f"{name} has {flow.live_count} live members and is at rest since {flow.at_rest_since_ms}"
    if not 0 <= flow.live_count <= flow.node_count or not 0 <= flow.lost_sinks <= flow.node_count - flow.live_count:
        yield f"{name} counts {flow.live_count} live and {flow.lost_sinks} lost of {flow.node_count}"
    # A submitted flow begins at 1, also an empty one.
    if flow.graph_revision > 1 + flow.node_count + flow.edge_count:
        yield f"{name} is at revision {flow.graph_revision}, with {flow.node_count} nodes and {flow.edge_count} edges"


def edge_violations(edge: Edge) -> Iterator[str]:
    """What is wrong with one edge by itself."""
    if (edge.outcome == "none") != (edge.resolved_at_ms is None):
        yield f"edge {edge.edge_id} is {edge.state} and was resolved at {edge.resolved_at_ms}"
    if edge.upstream == edge.downstream:
        yield f"edge {edge.edge_id} leads from {edge.upstream} to itself"


def group_violations(group: EdgeGroup) -> Iterator[str]:
    """What is wrong with one group by itself."""
    counts = (group.success_count, group.fail_count, group.skip_count)
    if min(counts) < 0 or sum(counts) > group.total:
        yield f"the group of {group.downstream} counts {counts} of {group.total}"
    if group.state != "pending" and group.state != verdict(group):
        yield f"the group of {group.downstream} is {group.state}, and {group.join} of {counts} is {verdict(group)}"


# ── one record before and after a batch ──────────────────────────────────────────────────────────


def _flow_identity_is_kept(before: Flow, after: Flow) -> Iterator[str]:
    for field in ("flow_id", "namespace", "kind", "created_at_ms", "created_by"):
        if getattr(before, field) != getattr(after, field):
            yield f"flow {before.flow_id} changed its {field}"
    if before.started_at_ms is not None and after.started_at_ms != before.started_at_ms:
        yield f"flow {before.flow_id} started again"
    grown = (after.node_count, after.edge_count) != (before.node_count, before.edge_count)
    if (after.graph_revision > before.graph_revision) != grown or after.graph_revision < before.graph_revision:
        yield f"flow {before.flow_id} went from revision {before.graph_revision} to {after.graph_revision}"


def _a_cancel_stands(before: Flow, after: Flow, reopened: bool) -> Iterator[str]:
    if before.state != "cancelled" or reopened:
        return
    for field in ("state", "terminal_at_ms", "cancel_reason", "cancellation_policy", "node_count", "edge_count"):
        if getattr(before, field) != getattr(after, field):
            yield f"flow {before.flow_id} was cancelled, and its {field} changed since"


def backlog_violations(flow: Flow, backlog: CancelBacklog | None) -> Iterator[str]:
    """Only a cancel of all members ends leases, so only such a cancel has acknowledgements to wait for."""
    if backlog is not None and flow.cancellation_policy != "cancel_all":
        yield f"flow {flow.flow_id}, cancelled by {flow.cancellation_policy}, waits for acknowledgements"


def _edge_identity_is_kept(before: Edge, after: Edge) -> Iterator[str]:
    for field in ("flow_id", "edge_id", "upstream", "downstream", "pass_result_as", "created_at_ms"):
        if getattr(before, field) != getattr(after, field):
            yield f"edge {before.edge_id} changed its {field}"
    if after.generation < before.generation:
        yield f"edge {before.edge_id} went back from generation {before.generation} to {after.generation}"


def _an_edge_resolves_once(before: Edge, after: Edge, replayed: set[ExecutionId]) -> Iterator[str]:
    if before.outcome == "none" or (before.outcome, before.generation) == (after.outcome, after.generation):
        return
    if before.upstream not in replayed and before.downstream not in replayed:
        yield f"edge {before.edge_id} was {before.outcome} and became {after.outcome} without a replay"


def _a_join_stands(before: EdgeGroup, after: EdgeGroup) -> Iterator[str]:
    if before.total and before.join != after.join:
        yield f"the group of {before.downstream} changed its join from {before.join} to {after.join}"


def _a_decided_group_never_flips(
    before: EdgeGroup, after: EdgeGroup, changes: Changes, replayed: set[ExecutionId]
) -> Iterator[str]:
    if before.state in ("pending", after.state):
        return
    taken_back = any(
        known is not None and known.outcome == "success" and edge.upstream in replayed
        for known, edge in changes.edges
        if edge.downstream == before.downstream
    )
    reopened = isinstance(before.join, AllOf) and after.total > before.total
    anew = before.state == "satisfied" and (reopened or taken_back)
    if not anew and before.downstream not in replayed:
        yield f"the group of {before.downstream} was {before.state} and became {after.state} within a generation"


def _only_flows_at_rest_go(before: Flow | None, now_ms: int, may_purge: bool) -> Iterator[str]:
    if before is None:
        return  # it was made and removed within the batch
    if over_since_ms(before) is None:
        yield f"flow {before.flow_id} is gone while it was {before.state}"
    if may_purge:
        return
    at_ms = purge_at_ms(before)
    if at_ms is None or at_ms > now_ms:
        yield f"flow {before.flow_id} is gone, and it is kept until {at_ms}"


def _members_go_with_their_flow(changes: Changes, removed: set[FlowId]) -> Iterator[str]:
    gone: dict[FlowId, int] = {}
    for before, after in changes.executions:
        if before is None or after is not None or before.flow_id is None:
            continue
        gone[FlowId(before.flow_id)] = gone.get(FlowId(before.flow_id), 0) + 1
        if before.flow_id not in removed:
            yield f"{before.execution_id} is gone without its flow {before.flow_id}"
    for flow, after_flow in changes.flows:
        if flow is not None and after_flow is None and gone.get(flow.flow_id, 0) != flow.node_count:
            yield f"flow {flow.flow_id} is gone with {gone.get(flow.flow_id, 0)} of its {flow.node_count} members"


# ── counters, by what a batch has changed ────────────────────────────────────────────────────────


def _flows_count_what_changed(changes: Changes) -> Iterator[str]:
    nodes: dict[str, int] = {}
    live: dict[str, int] = {}
    for before, after in changes.executions:
        if after is None or after.flow_id is None:
            continue
        key = after.flow_id
        nodes[key] = nodes.get(key, 0) + (before is None)
        live[key] = live.get(key, 0) + after.counts_as_live - (before is not None and before.counts_as_live)
    if not nodes and not changes.edges and not changes.flows:
        return  # as in most batches
    edges: Counter[str] = Counter(edge.flow_id for before_edge, edge in changes.edges if before_edge is None)
    for flow_before, flow in changes.flows:
        if flow is None:
            continue
        for field, delta in (("node_count", nodes), ("live_count", live), ("edge_count", edges)):
            counted = getattr(flow, field) - (0 if flow_before is None else getattr(flow_before, field))
            if counted != delta.pop(flow.flow_id, 0):
                yield f"flow {flow.flow_id}: {field} moved by {counted}, which is not what happened"
    for field, delta in (("node_count", nodes), ("live_count", live), ("edge_count", edges)):
        for flow_id, missed in delta.items():
            if missed:
                yield f"flow {flow_id}: {field} should have moved by {missed}"


def _groups_count_what_changed(changes: Changes) -> Iterator[str]:
    moved: dict[ExecutionId, Counter[str]] = {}
    for before, edge in changes.edges:
        delta = moved.setdefault(edge.downstream, Counter())
        delta["total"] += before is None
        delta[counter_of(edge)] += 1
        if before is not None:
            delta[counter_of(before)] -= 1
    for group_before, group in changes.groups:
        delta = moved.pop(group.downstream, Counter())
        for field in GROUP_COUNTERS:
            counted = getattr(group, field) - (0 if group_before is None else getattr(group_before, field))
            if counted != delta[field]:
                yield f"the group of {group.downstream}: {field} moved by {counted}, its edges by {delta[field]}"
    for downstream, delta in moved.items():
        if any(delta[field] for field in GROUP_COUNTERS):
            yield f"edges to {downstream} changed, and its group did not count them"


GROUP_COUNTERS: Final = ("total", "success_count", "fail_count", "skip_count")


def counter_of(edge: Edge) -> str:
    """The name of the counter in its group that counts this edge."""
    if edge.outcome == "none":
        return "pending"
    return {"success": "success_count", "skipped": "skip_count"}.get(edge.outcome, "fail_count")


# ── what the events of a flow show ───────────────────────────────────────────────────────────────


def flow_log_violations(before: Flow | None, happened: Sequence[Event], after: Flow) -> Iterator[str]:
    """The numbers of the events have no gap, each event is legal where it happens, and they lead to the stored flow."""
    course: Course = "live" if before is None else _course_of(before)
    seq = 0 if before is None else before.event_seq
    ended_at_ms = None if before is None else before.terminal_at_ms
    for event in happened:
        where = f"flow {after.flow_id}, event {event.seq} ({event.event_type})"
        if event.seq != seq + 1:
            yield f"{where} follows event {seq}"
        seq = event.seq
        step = FLOW_STEPS.get(event.event_type)
        if step is None:
            yield f"{where} is not in the state machine"
            continue
        if course not in step[0]:
            yield f"{where} happened while {course}"
        course = step[1]
        ended_at_ms = event.occurred_at_ms if course in ("completed", "failed", "cancelled") else None
    compared: list[tuple[str, object, object]] = [
        ("event_seq", seq, after.event_seq),
        ("state", course, _course_of(after)),
        ("terminal_at_ms", ended_at_ms, after.terminal_at_ms),
    ]
    for field, by_log, by_record in compared:
        if by_log != by_record:
            yield f"flow {after.flow_id}: by its events {field} is {by_log}, by its record {by_record}"


def _course_of(flow: Flow) -> Course:
    if flow.state == "open" or flow.state == "running":
        return "live"
    return flow.state


# ── sorting ──────────────────────────────────────────────────────────────────────────────────────


def _replayed(changes: Changes) -> set[ExecutionId]:
    return {
        after.execution_id
        for before, after in changes.executions
        if before is not None and after is not None and after.replay_count > before.replay_count
    }


def events_by_flow(events: Iterable[Event]) -> dict[str, list[Event]]:
    """The events of flows, by flow."""
    found: dict[str, list[Event]] = {}
    for event in events:
        if event.execution_id is None and event.flow_id is not None:
            found.setdefault(event.flow_id, []).append(event)
    return found
