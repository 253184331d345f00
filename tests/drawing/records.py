"""Flows as they are read, made by hand: `a_flow(("fetch", "encode1"), ...)`."""

from collections.abc import Iterable, Mapping

from flowfabric.domain.flow_snapshots import EdgeGroupSnapshot, EdgeSnapshot, FlowSnapshot
from flowfabric.domain.joins import AllOf, Join, state_of
from flowfabric.domain.snapshots import ExecutionSnapshot, Failure
from flowfabric.drawing.picture import Records

LOST = ("failed", "expired", "cancelled", "skipped")


def a_member(
    name: str,
    kind: str,
    state: str = "waiting",
    ran_ms: tuple[int, int | None] | None = None,
    failure: Failure | None = None,
) -> ExecutionSnapshot:
    """A member whose id is its name."""
    started, ended = (None, None) if ran_ms is None else ran_ms
    return ExecutionSnapshot(
        execution_id=name,
        kind=kind,
        namespace="default",
        lane="default",
        flow_id="flow-1",
        lifecycle_phase="runnable",
        ownership_state="unowned",
        eligibility_state="eligible_now",
        attempt_state="pending_first_attempt",
        terminal_outcome="none",
        public_state=state,
        blocking_reason=None,
        priority=0,
        attempt_index=0,
        lease_epoch=0,
        retry_count=0,
        interruption_count=0,
        replay_count=0,
        created_at_ms=0,
        started_at_ms=started,
        terminal_at_ms=ended,
        delay_until_ms=None,
        deadline_at_ms=None,
        cancellation_reason=None,
        cancelled_by=None,
        failure=failure,
        progress_percent=None,
        progress_message=None,
        required_capabilities=(),
        tags={},
        node=name,
    )


def a_flow(
    members: Iterable[ExecutionSnapshot],
    edges: Iterable[tuple[str, str]],
    joins: Mapping[str, Join] | None = None,
    kind: str = "film",
) -> Records:
    """A flow of these members. The states of edges and joins follow from those of the members."""
    listed, pairs = list(members), list(edges)
    states = {x.execution_id: x.public_state for x in listed}
    groups = []
    for downstream in dict.fromkeys(target for _, target in pairs):
        upstreams = [source for source, target in pairs if target == downstream]
        join = (joins or {}).get(downstream, AllOf())
        successes = sum(states.get(each) == "completed" for each in upstreams)
        losses = sum(states.get(each) in LOST for each in upstreams)
        total = len(upstreams)
        state = state_of(join, total, successes, losses)
        groups.append(
            EdgeGroupSnapshot(downstream, join, total, successes, losses, 0, total - successes - losses, state)
        )
    flow = FlowSnapshot(
        flow_id="flow-1",
        kind=kind,
        namespace="default",
        state="running",
        graph_revision=1,
        node_count=len(listed),
        edge_count=len(pairs),
        created_at_ms=0,
        terminal_at_ms=None,
        cancel_reason=None,
        cancellation_policy=None,
        pending_cancel_acks=(),
        tags={},
        groups=groups,
    )
    return Records(flow, listed, [_edge(source, target, states.get(source, "")) for source, target in pairs])


def _edge(source: str, target: str, state: str) -> EdgeSnapshot:
    resolved = "satisfied" if state == "completed" else "impossible" if state in LOST else "pending"
    return EdgeSnapshot(f"{source}-{target}", "flow-1", source, target, "success_only", None, resolved, 0)
