"""What reads of flows, edges and groups return."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from flowfabric.domain.flow import Edge, EdgeGroup, EdgeState, Flow, FlowState
from flowfabric.domain.joins import Join

SUCCESS_ONLY: Final = "success_only"
"""The one condition an edge can have: its upstream completed."""


class EdgeSnapshot(msgspec.Struct, frozen=True, gc=False):
    """One edge as it was when it was read."""

    edge_id: str
    flow_id: str
    upstream: str
    downstream: str
    condition: str
    pass_result_as: str | None
    state: EdgeState
    created_at_ms: int


class EdgeGroupSnapshot(msgspec.Struct, frozen=True, gc=False):
    """What one execution waits for, counted. Cancelled: the execution ended before its group was decided."""

    downstream: str
    policy: Join
    total: int
    success_count: int
    fail_count: int
    skip_count: int
    running_count: int
    """Upstreams that have not ended."""
    state: Literal["pending", "satisfied", "impossible", "cancelled"]


class FlowSnapshot(msgspec.Struct, frozen=True):
    """One flow as it was when it was read."""

    flow_id: str
    kind: str
    namespace: str
    state: FlowState
    graph_revision: int
    node_count: int
    edge_count: int
    created_at_ms: int
    terminal_at_ms: int | None
    cancel_reason: str | None
    cancellation_policy: str | None
    pending_cancel_acks: Sequence[str]
    """Members that have not acknowledged the cancel yet."""
    tags: Mapping[str, str]
    groups: Sequence[EdgeGroupSnapshot]
    created_by: str | None = None
    """The person on whose behalf it was made: the actor of the engine. None: not known."""


def edge_snapshot_of(edge: Edge) -> EdgeSnapshot:
    """The public face of an edge."""
    return EdgeSnapshot(
        edge_id=edge.edge_id,
        flow_id=edge.flow_id,
        upstream=edge.upstream,
        downstream=edge.downstream,
        condition=SUCCESS_ONLY,
        pass_result_as=edge.pass_result_as,
        state=edge.state,
        created_at_ms=edge.created_at_ms,
    )


def group_snapshot_of(group: EdgeGroup, running_count: int, downstream_has_ended: bool) -> EdgeGroupSnapshot:
    """The public face of a group."""
    return EdgeGroupSnapshot(
        downstream=group.downstream,
        policy=group.join,
        total=group.total,
        success_count=group.success_count,
        fail_count=group.fail_count,
        skip_count=group.skip_count,
        running_count=running_count,
        state="cancelled" if group.state == "pending" and downstream_has_ended else group.state,
    )


def flow_snapshot_of(
    flow: Flow, groups: Sequence[EdgeGroupSnapshot] = (), pending_acks: Sequence[str] = ()
) -> FlowSnapshot:
    """The public face of a flow."""
    return FlowSnapshot(
        flow_id=flow.flow_id,
        kind=flow.kind,
        namespace=flow.namespace,
        state=flow.state,
        graph_revision=flow.graph_revision,
        node_count=flow.node_count,
        edge_count=flow.edge_count,
        created_at_ms=flow.created_at_ms,
        terminal_at_ms=flow.terminal_at_ms,
        cancel_reason=flow.cancel_reason,
        cancellation_policy=flow.cancellation_policy,
        pending_cancel_acks=list(pending_acks),
        tags=dict(flow.tags),
        groups=list(groups),
        created_by=flow.created_by,
    )
