"""The Flow record and its graph: edges, groups of edges that lead to one execution, and acknowledgements of cancels."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, get_args

import msgspec

from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.joins import GroupState, Join, state_of
from flowfabric.domain.states import TerminalOutcome

FlowState = Literal["open", "running", "completed", "failed", "cancelled"]
CancellationPolicy = Literal["cancel_all", "cancel_pending", "flow_only"]
EdgeState = Literal["pending", "satisfied", "impossible"]

FLOW_STATES: Final[tuple[FlowState, ...]] = get_args(FlowState)
CANCELLATION_POLICIES: Final[tuple[CancellationPolicy, ...]] = get_args(CancellationPolicy)
GROUP_STATES: Final[tuple[GroupState, ...]] = get_args(GroupState)

EdgeKey = tuple[FlowId, str]


class Flow(msgspec.Struct, frozen=True, gc=False):
    """Executions that belong together. The transactions that change its members also update its state."""

    flow_id: FlowId
    namespace: str
    kind: str
    created_at_ms: int
    tags: Mapping[str, str]
    state: FlowState
    graph_revision: int = 0
    node_count: int = 0
    edge_count: int = 0
    live_count: int = 0
    """Members that have not ended."""
    lost_sinks: int = 0
    """Members without a downstream that ended without success: one is enough to fail the flow."""
    event_seq: int = 0
    retention_ms: int | None = None
    """How long it is kept after all members have ended: as long as the member with the longest retention. None: for
    ever."""
    started_at_ms: int | None = None
    terminal_at_ms: int | None = None
    at_rest_since_ms: int | None = None
    """Since when all its members have ended."""
    cancel_reason: str | None = None
    cancellation_policy: CancellationPolicy | None = None
    created_by: str | None = None
    """The person on whose behalf it was made. Others may have added members since."""

    @property
    def is_over(self) -> bool:
        """True once it is completed, failed or cancelled."""
        return self.terminal_at_ms is not None

    @property
    def is_cancelled_for_members(self) -> bool:
        """True once it is cancelled with a policy that lets no member go back into the queue."""
        return self.state == "cancelled" and self.cancellation_policy != "flow_only"


class Edge(msgspec.Struct, frozen=True, gc=False):
    """One execution waits for another. The edge is resolved once per generation of the upstream."""

    flow_id: FlowId
    edge_id: str
    upstream: ExecutionId
    downstream: ExecutionId
    pass_result_as: str | None
    created_at_ms: int
    outcome: TerminalOutcome = "none"
    """How the upstream ended; none while the edge is pending."""
    generation: int = -1
    """The last life of the upstream whose end the edge has counted, as its replay count; -1: none yet."""
    resolved_at_ms: int | None = None

    @property
    def key(self) -> EdgeKey:
        """The key that distinguishes it from every other edge."""
        return self.flow_id, self.edge_id

    @property
    def state(self) -> EdgeState:
        """Whether the upstream has completed, has ended otherwise, or has not ended."""
        if self.outcome == "none":
            return "pending"
        return "satisfied" if self.outcome == "success" else "impossible"

    def awaits_life(self, replay_count: int) -> bool:
        """True if the edge still waits for the end of this life of the upstream.

        A pending edge may already have counted that end: if a replay of the downstream has reset the edge since, it
        waits for the end of the upstream's next life.
        """
        return self.outcome == "none" and self.generation < replay_count


class EdgeGroup(msgspec.Struct, frozen=True, gc=False):
    """All edges that lead to one execution, counted. A decision stays until a replay resets the group."""

    flow_id: FlowId
    downstream: ExecutionId
    join: Join
    total: int = 0
    success_count: int = 0
    fail_count: int = 0
    skip_count: int = 0
    state: GroupState = "pending"
    passes_results: bool = False
    """Whether one of its edges passes a result on."""


class Passed(NamedTuple):
    """A result that an edge passes on."""

    resolved_at_ms: int
    edge_id: str
    name: str
    result: bytes | None
    """None: the upstream has completed without a result."""


class CancelBacklog(msgspec.Struct, frozen=True, gc=False):
    """A cancelled flow whose workers have not all acknowledged that their code has stopped."""

    flow_id: FlowId
    requested_at_ms: int
    pending_count: int


class PendingAck(msgspec.Struct, frozen=True, gc=False):
    """One member whose worker has not acknowledged the cancel. The wait ends when its old lease would have ended."""

    flow_id: FlowId
    execution_id: ExecutionId
    overdue_at_ms: int


def over_since_ms(flow: Flow) -> int | None:
    """Since when the flow is over and has no live member. None: it is not over, or a member lives."""
    if not flow.is_over:
        return None
    return flow.at_rest_since_ms if flow.node_count else flow.terminal_at_ms


def purge_at_ms(flow: Flow) -> int | None:
    """When the flow is removed, with all that belongs to it. None: it still lives, or a member is kept for ever."""
    if not flow.is_over or flow.at_rest_since_ms is None or flow.retention_ms is None:
        return None
    return flow.at_rest_since_ms + flow.retention_ms


def holds_back(group: EdgeGroup | None) -> bool:
    """Whether the downstream execution may not run yet. A group without edges holds nothing back."""
    return group is not None and group.total > 0 and group.state != "satisfied"


def is_open(group: EdgeGroup | None) -> bool:
    """Whether a blocked execution still has to wait: it has edges, and its group is not decided."""
    return holds_back(group) and group is not None and group.state == "pending" and verdict(group) == "pending"


def verdict(group: EdgeGroup) -> GroupState:
    """The state that follows from the counts of a group. The stored state is ignored."""
    return state_of(group.join, group.total, group.success_count, group.fail_count + group.skip_count)


def inputs_from(passed: Iterable[Passed]) -> dict[str, bytes]:
    """The results that are passed to a member, by name. Of two with the same name, the first that was resolved."""
    inputs: dict[str, bytes] = {}
    for each in sorted(passed, key=_resolved_at):
        if each.result is not None:
            inputs.setdefault(each.name, each.result)
    return inputs


def _resolved_at(passed: Passed) -> tuple[int, str]:
    return passed.resolved_at_ms, passed.edge_id
