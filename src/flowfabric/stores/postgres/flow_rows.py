"""Flows and their graphs as arrays for PostgreSQL, and rows as records."""

from collections.abc import Iterable, Sequence
from typing import Final

from flowfabric.domain.batch_io import AckKey
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, EdgeKey, Flow, PendingAck, purge_at_ms
from flowfabric.domain.ids import FlowId, flow_partition, make_execution_id, uuid_in
from flowfabric.stores._shared.encoding import OUTCOME_CODES, tags_text
from flowfabric.stores._shared.flows import (
    CANCELLATION_POLICY_CODES,
    FLOW_STATE_CODES,
    GROUP_STATE_CODES,
    StoredEdge,
    StoredFlow,
    StoredGroup,
    edge_of,
    flow_of,
    group_of,
    join_columns,
)
from flowfabric.stores.postgres.rows import Arrays, Row, numbers, texts, words

EDGE_COLUMNS: Final = 10
GROUP_COLUMNS: Final = 12


def flow_keys(flow_ids: Iterable[FlowId]) -> Arrays:
    """The two key columns of flows."""
    ids = list(flow_ids)
    return {"partition_key": numbers(map(flow_partition, ids)), "flow_id": words(ids)}


def lock_order(flow_id: FlowId) -> tuple[int, str]:
    """Where a flow stands in the order in which rows are locked."""
    return flow_partition(flow_id), flow_id


def flows(records: Sequence[Flow]) -> Arrays:
    """Every column of ff_flow_core."""
    return {
        **flow_keys(flow.flow_id for flow in records),
        "namespace": texts(flow.namespace for flow in records),
        "flow_kind": texts(flow.kind for flow in records),
        "created_at_ms": numbers(flow.created_at_ms for flow in records),
        "created_by": texts(flow.created_by for flow in records),
        **changing_columns(records),
    }


def changing_columns(records: Sequence[Flow]) -> Arrays:
    """The columns of ff_flow_core that change in a flow's life."""
    return {
        "tags": texts(tags_text(flow.tags) for flow in records),
        "state": numbers(FLOW_STATE_CODES[flow.state] for flow in records),
        "graph_revision": numbers(flow.graph_revision for flow in records),
        "node_count": numbers(flow.node_count for flow in records),
        "edge_count": numbers(flow.edge_count for flow in records),
        "live_count": numbers(flow.live_count for flow in records),
        "lost_sinks": numbers(flow.lost_sinks for flow in records),
        "event_seq": numbers(flow.event_seq for flow in records),
        "retention_ms": numbers(flow.retention_ms for flow in records),
        "started_at_ms": numbers(flow.started_at_ms for flow in records),
        "terminal_at_ms": numbers(flow.terminal_at_ms for flow in records),
        "at_rest_since_ms": numbers(flow.at_rest_since_ms for flow in records),
        "cancel_reason": texts(flow.cancel_reason for flow in records),
        "cancellation_policy": numbers(
            None if flow.cancellation_policy is None else CANCELLATION_POLICY_CODES[flow.cancellation_policy]
            for flow in records
        ),
        "purge_at_ms": numbers(purge_at_ms(flow) for flow in records),
    }


def flow_in(row: Row) -> Flow:
    """The flow that a row spells."""
    return flow_of(StoredFlow(*row), FlowId(row[1]))


def edge_keys(keys: Iterable[EdgeKey]) -> Arrays:
    """The three key columns of edges."""
    ids = list(keys)
    return {**flow_keys(flow_id for flow_id, _ in ids), "edge_id": texts(edge_id for _, edge_id in ids)}


def edges(records: Sequence[Edge]) -> Arrays:
    """Every column of ff_edge."""
    return {
        "upstream": words(uuid_in(edge.upstream) for edge in records),
        "downstream": words(uuid_in(edge.downstream) for edge in records),
        "pass_result_as": texts(edge.pass_result_as for edge in records),
        "created_at_ms": numbers(edge.created_at_ms for edge in records),
        **resolved_edges(records),
    }


def resolved_edges(records: Sequence[Edge]) -> Arrays:
    """The key of ff_edge, and the columns that can change."""
    return {
        **edge_keys(edge.key for edge in records),
        "outcome": numbers(OUTCOME_CODES[edge.outcome] for edge in records),
        "generation": numbers(edge.generation for edge in records),
        "resolved_at_ms": numbers(edge.resolved_at_ms for edge in records),
    }


def edge_in(row: Row) -> Edge:
    """The edge that the first columns of a row spell."""
    upstream, downstream = make_execution_id(row[0], row[3]), make_execution_id(row[0], row[4])
    return edge_of(StoredEdge(*row[:EDGE_COLUMNS]), FlowId(row[1]), upstream, downstream)


def groups(records: Sequence[EdgeGroup]) -> Arrays:
    """Every column of ff_edge_group."""
    joins = [join_columns(group.join) for group in records]
    return {
        **flow_keys(group.flow_id for group in records),
        "downstream": words(uuid_in(group.downstream) for group in records),
        "policy_kind": numbers(kind for kind, _, _ in joins),
        "policy_k": numbers(k for _, k, _ in joins),
        "policy_on_satisfied": numbers(on_satisfied for _, _, on_satisfied in joins),
        "total": numbers(group.total for group in records),
        "success_count": numbers(group.success_count for group in records),
        "fail_count": numbers(group.fail_count for group in records),
        "skip_count": numbers(group.skip_count for group in records),
        "state": numbers(GROUP_STATE_CODES[group.state] for group in records),
        "passes_results": numbers(int(group.passes_results) for group in records),
    }


def group_in(row: Row) -> EdgeGroup | None:
    """The group that the first columns of a row spell; None if they are null, because there is no group."""
    if row[0] is None:
        return None
    return group_of(StoredGroup(*row[:GROUP_COLUMNS]), FlowId(row[2]), make_execution_id(row[0], row[1]))


def backlogs(records: Sequence[CancelBacklog]) -> Arrays:
    """Every column of ff_cancel_backlog: what the cancels of flows still wait for."""
    return {
        **flow_keys(backlog.flow_id for backlog in records),
        "requested_at_ms": numbers(backlog.requested_at_ms for backlog in records),
        "pending_count": numbers(backlog.pending_count for backlog in records),
    }


def ack_keys(keys: Iterable[AckKey]) -> Arrays:
    """The three key columns of ff_cancel_backlog_member."""
    ids = list(keys)
    return {
        **flow_keys(flow_id for flow_id, _ in ids),
        "execution_id": words(uuid_in(execution_id) for _, execution_id in ids),
    }


def acks(records: Sequence[PendingAck]) -> Arrays:
    """Every column of ff_cancel_backlog_member."""
    return {
        **ack_keys((ack.flow_id, ack.execution_id) for ack in records),
        "overdue_at_ms": numbers(ack.overdue_at_ms for ack in records),
    }


def ack_key_in(row: Row) -> AckKey:
    """The key of an acknowledgement in the first columns of a row."""
    return FlowId(row[1]), make_execution_id(row[0], row[2])
