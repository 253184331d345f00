"""Flows, edges and groups as column values, the same in every SQL store, and back.

States are small integers; tags and the members of a cancel are JSON text. A value that does not parse raises
Corruption, which names table, key and column.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, get_args

import msgspec

from flowfabric.domain.errors import Corruption, InvalidInput
from flowfabric.domain.flow import CANCELLATION_POLICIES, FLOW_STATES, GROUP_STATES, Edge, EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, make_execution_id, parse_uuid, uuid_in
from flowfabric.domain.joins import ALL_OF, AllOf, AnyOf, Join, OnSatisfied, Quorum
from flowfabric.domain.states import TERMINAL_OUTCOMES
from flowfabric.stores._shared.encoding import tags_of

JoinColumns = tuple[int, int | None, int | None]
"""A join as three columns: its kind, how many upstream members it needs, and what happens to the others."""

FLOW_STATE_CODES: Final = {state: code for code, state in enumerate(FLOW_STATES)}
CANCELLATION_POLICY_CODES: Final = {policy: code for code, policy in enumerate(CANCELLATION_POLICIES)}
GROUP_STATE_CODES: Final = {state: code for code, state in enumerate(GROUP_STATES)}
JOINS: Final = (AllOf, AnyOf, Quorum)
"""On disk a kind of join is its position here: append, never reorder or remove."""
ON_SATISFIED: Final[tuple[OnSatisfied, ...]] = get_args(OnSatisfied)

_OVER: Final = tuple(FLOW_STATE_CODES[state] for state in FLOW_STATES if state not in ("open", "running"))
_CANCELLED: Final = FLOW_STATE_CODES["cancelled"]
_QUORUM: Final = JOINS.index(Quorum)
_UUIDS: Final = msgspec.json.Decoder(list[str])


class StoredFlow(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_flow_core as the statements spell it."""

    partition_key: int
    flow_id: str
    namespace: str
    flow_kind: str
    created_at_ms: int
    tags: str | None
    state: int
    graph_revision: int
    node_count: int
    edge_count: int
    live_count: int
    lost_sinks: int
    event_seq: int
    retention_ms: int | None
    started_at_ms: int | None
    terminal_at_ms: int | None
    at_rest_since_ms: int | None
    cancel_reason: str | None
    cancellation_policy: int | None
    created_by: str | None
    damaged: str | None = None
    """A column that the store could not even read."""


class StoredEdge(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_edge as the statements spell it."""

    partition_key: int
    flow_id: str
    edge_id: str
    upstream: str
    downstream: str
    pass_result_as: str | None
    created_at_ms: int
    outcome: int
    generation: int
    resolved_at_ms: int | None
    result_bytes: int | None = None
    """The length of the result that the edge passes on; None: there is no result, or the statement does not read it."""
    result: str | None = None
    """The result in hexadecimal; None if it is large."""
    damaged: str | None = None
    """A column that the store could not even read."""


class StoredGroup(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_edge_group as the statements spell it."""

    partition_key: int
    downstream: str
    flow_id: str
    policy_kind: int
    policy_k: int | None
    policy_on_satisfied: int | None
    total: int
    success_count: int
    fail_count: int
    skip_count: int
    state: int
    passes_results: int
    downstream_has_ended: int | None = None
    """None if it was not asked for."""
    running_count: int = 0
    """Pending edges whose upstream has not ended."""
    damaged: str | None = None
    """A column that the store could not even read."""


def flow_of(row: StoredFlow, flow_id: FlowId) -> Flow:
    """The flow that a row spells."""
    wrong = _wrong_in_flow(row)
    if wrong is not None:
        raise _damaged_flow(flow_id, *wrong)
    try:
        tags = tags_of(row.tags)
    except msgspec.MsgspecError as error:
        raise _damaged_flow(flow_id, "tags", f"does not parse ({error})") from error
    return Flow(
        flow_id,
        row.namespace,
        row.flow_kind,
        row.created_at_ms,
        tags,
        FLOW_STATES[row.state],
        row.graph_revision,
        row.node_count,
        row.edge_count,
        row.live_count,
        row.lost_sinks,
        row.event_seq,
        row.retention_ms,
        row.started_at_ms,
        row.terminal_at_ms,
        row.at_rest_since_ms,
        row.cancel_reason,
        None if row.cancellation_policy is None else CANCELLATION_POLICIES[row.cancellation_policy],
        row.created_by,
    )


def _wrong_in_flow(row: StoredFlow) -> tuple[str, str] | None:
    """The column whose value no flow can have, and why; None: all are possible."""
    if row.damaged is not None:
        return row.damaged, "cannot be read"
    if not 0 <= row.state < len(FLOW_STATES):
        return "state", f"does not parse ({row.state})"
    if row.cancellation_policy is not None and not 0 <= row.cancellation_policy < len(CANCELLATION_POLICIES):
        return "cancellation_policy", f"does not parse ({row.cancellation_policy})"
    if (row.terminal_at_ms is not None) != (row.state in _OVER):
        return "terminal_at_ms", f"does not fit a flow that is {FLOW_STATES[row.state]}"
    if (row.cancellation_policy is not None) != (row.state == _CANCELLED):
        return "cancellation_policy", f"does not fit a flow that is {FLOW_STATES[row.state]}"
    return None


def _damaged_flow(flow_id: FlowId, column: str, finding: str) -> Corruption:
    return Corruption(
        f"ff_flow_core, key {flow_id}: column {column} {finding}. Repair the row; no other flow is affected."
    )


def edge_of(row: StoredEdge, flow_id: FlowId, upstream: ExecutionId, downstream: ExecutionId) -> Edge:
    """The edge that a row spells."""
    if row.damaged is not None:
        raise damaged_edge(flow_id, row.edge_id, row.damaged, "cannot be read")
    if not 0 <= row.outcome < len(TERMINAL_OUTCOMES):
        raise damaged_edge(flow_id, row.edge_id, "outcome", f"does not parse ({row.outcome})")
    return Edge(
        flow_id,
        row.edge_id,
        upstream,
        downstream,
        row.pass_result_as,
        row.created_at_ms,
        TERMINAL_OUTCOMES[row.outcome],
        row.generation,
        row.resolved_at_ms,
    )


def damaged_edge(flow_id: FlowId, edge_id: str, column: str, finding: str) -> Corruption:
    """The error for an edge that does not parse."""
    return Corruption(
        f"ff_edge, key {flow_id}, {edge_id!r}: column {column} {finding}. Repair the row; no other flow is affected."
    )


def group_of(row: StoredGroup, flow_id: FlowId, downstream: ExecutionId) -> EdgeGroup:
    """The group that a row spells."""
    if row.damaged is not None:
        raise damaged_group(downstream, row.damaged, "cannot be read")
    if not 0 <= row.state < len(GROUP_STATES):
        raise damaged_group(downstream, "state", f"does not parse ({row.state})")
    return EdgeGroup(
        flow_id,
        downstream,
        _join_of(row, downstream),
        row.total,
        row.success_count,
        row.fail_count,
        row.skip_count,
        GROUP_STATES[row.state],
        bool(row.passes_results),
    )


def damaged_group(downstream: ExecutionId, column: str, finding: str) -> Corruption:
    """The error for a group that does not parse."""
    return Corruption(
        f"ff_edge_group, key {downstream}: column {column} {finding}. Repair the row; no other flow is affected."
    )


@lru_cache(maxsize=1024)
def join_columns(join: Join) -> JoinColumns:
    """A join as it is stored."""
    match join:
        case AllOf():
            return JOINS.index(AllOf), None, None
        case AnyOf():
            return JOINS.index(AnyOf), None, ON_SATISFIED.index(join.on_satisfied)
        case Quorum():
            return JOINS.index(Quorum), join.k, ON_SATISFIED.index(join.on_satisfied)


def _join_of(row: StoredGroup, downstream: ExecutionId) -> Join:
    if not 0 <= row.policy_kind < len(JOINS):
        raise damaged_group(downstream, "policy_kind", f"does not parse ({row.policy_kind})")
    if row.policy_kind == 0:
        return ALL_OF
    if row.policy_on_satisfied is None or not 0 <= row.policy_on_satisfied < len(ON_SATISFIED):
        raise damaged_group(downstream, "policy_on_satisfied", f"does not parse ({row.policy_on_satisfied})")
    if row.policy_kind == _QUORUM and (row.policy_k is None or row.policy_k < 1):
        raise damaged_group(downstream, "policy_k", f"does not parse ({row.policy_k})")
    return _any_or_quorum(row.policy_kind, row.policy_k, row.policy_on_satisfied)


@lru_cache(maxsize=1024)
def _any_or_quorum(kind: int, k: int | None, on_satisfied: int) -> Join:
    if kind != _QUORUM or k is None:
        return AnyOf(ON_SATISFIED[on_satisfied])
    return Quorum(k, ON_SATISFIED[on_satisfied])


def members_text(members: Sequence[ExecutionId]) -> str:
    """The members that the cancel of a flow cancelled, as stored: uuids, because all are on the flow's partition."""
    return msgspec.json.encode([uuid_in(member) for member in members]).decode()


def members_of(flow_id: FlowId, text: str) -> tuple[ExecutionId, ...]:
    """The members that the cancel of a flow cancelled, in the order in which they were cancelled."""
    try:
        return tuple(make_execution_id(flow_partition(flow_id), parse_uuid(uuid)) for uuid in _UUIDS.decode(text))
    except (msgspec.MsgspecError, InvalidInput) as error:
        raise Corruption(
            f"ff_flow_cancel, key {flow_id}: column members does not parse ({error}). "
            "Repair the row; no other flow is affected."
        ) from error
