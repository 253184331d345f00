"""Reads of flows and their graphs: each read takes a set of keys, and makes as few calls as possible."""

import sqlite3
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from flowfabric.domain.batch_io import AckKey, Generation
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, EdgeKey, Flow, PendingAck
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.stores._shared.flows import StoredEdge, StoredFlow, StoredGroup, members_of
from flowfabric.stores.sqlite.json_rows import ACKS, BACKLOGS, EDGES, EXECUTIONS, FLOWS, GROUPS, Row
from flowfabric.stores.sqlite.rows import (
    ack_of,
    backlog_of,
    edge_of,
    execution_of,
    flow_key_of,
    flow_of,
    group_of,
    id_of,
    key_of,
)

if TYPE_CHECKING:
    from flowfabric.stores.sqlite.readers import ReadSide


class Graph:
    """Reads on one connection, inside one transaction. The results are in no order."""

    def __init__(self, connection: sqlite3.Connection, store: "ReadSide") -> None:
        self._connection = connection
        self._store = store
        self._sql = store.sql

    def executions(self, execution_ids: Iterable[ExecutionId]) -> list[Execution]:
        """Those of the executions that exist."""
        return self._executions("load_executions", [key_of(key) for key in execution_ids])

    def live_children(self, parent_id: ExecutionId, most: int) -> list[Execution]:
        """The first children by id that have not ended."""
        rows = self._connection.execute(self._sql["list_live_children"], (*key_of(parent_id), most)).fetchall()
        return self.executions([id_of(*row) for row in rows])

    def members(self, flow_ids: Iterable[FlowId]) -> list[Execution]:
        """All executions of the flows."""
        return self._executions("load_members", [flow_key_of(key) for key in flow_ids])

    def _executions(self, statement: str, keys: list[Row]) -> list[Execution]:
        capabilities = self._store.capabilities
        return [
            execution_of(row, capabilities.tokens(row.capability_set, self._connection))
            for row in EXECUTIONS.read_all(self._connection, self._sql, statement, keys)
        ]

    def flows(self, flow_ids: Iterable[FlowId]) -> list[Flow]:
        """Those of the flows that exist."""
        return [flow_of(row) for row in self._flows("load_flows", flow_ids)]

    def open_flows(self, flow_ids: Iterable[FlowId]) -> list[Flow]:
        """Those of the flows that have not been started."""
        return [flow_of(row) for row in self._flows("load_open_flows", flow_ids)]

    def _flows(self, statement: str, flow_ids: Iterable[FlowId]) -> list[StoredFlow]:
        return FLOWS.read_all(self._connection, self._sql, statement, [flow_key_of(key) for key in flow_ids])

    def edges(self, keys: Iterable[EdgeKey]) -> list[Edge]:
        """Those of the edges that exist."""
        return self._edges("load_edges", [(*flow_key_of(flow_id), edge_id) for flow_id, edge_id in keys])

    def edges_of(self, flow_ids: Iterable[FlowId]) -> list[Edge]:
        """All edges of the flows."""
        return self._edges("load_edges_of_flows", [flow_key_of(key) for key in flow_ids])

    def edges_from(self, execution_ids: Iterable[ExecutionId]) -> list[Edge]:
        """The edges that leave the executions."""
        return self._edges("load_edges_from", [key_of(key) for key in execution_ids])

    def edges_beyond(self, execution_ids: Iterable[ExecutionId]) -> list[Edge]:
        """The edges that leave the executions, and all executions that they reach. Some edges may be returned twice."""
        return self._edges("load_edges_beyond", [key_of(key) for key in execution_ids])

    def edges_to(self, execution_ids: Iterable[ExecutionId]) -> list[Edge]:
        """The edges that lead to the executions."""
        return self._edges("load_edges_to", [key_of(key) for key in execution_ids])

    def _edges(self, statement: str, keys: list[Row]) -> list[Edge]:
        return [edge_of(row) for row in EDGES.read_all(self._connection, self._sql, statement, keys)]

    def passing(self, execution_ids: Iterable[ExecutionId]) -> tuple[list[Edge], dict[Generation, bytes]]:
        """The edges that pass a result to the executions, and the results that there are."""
        keys = [key_of(key) for key in execution_ids]
        edges: list[Edge] = []
        results: dict[Generation, bytes] = {}
        for row in EDGES.read_all(self._connection, self._sql, "load_inputs", keys):
            edge = edge_of(row)
            edges.append(edge)
            if row.result_bytes is not None:
                results[edge.upstream, edge.generation] = self._result(row, edge)
        return edges, results

    def _result(self, row: StoredEdge, edge: Edge) -> bytes:
        if row.result is not None:
            return bytes.fromhex(row.result)
        at = (*key_of(edge.upstream), edge.generation)
        result: bytes = self._connection.execute(self._sql["load_result_of_life"], at).fetchone()[0]
        return result

    def groups(self, downstreams: Iterable[ExecutionId]) -> list[EdgeGroup]:
        """The groups of edges that lead to the executions."""
        return self._groups("load_groups", [key_of(key) for key in downstreams])

    def groups_of(self, flow_ids: Iterable[FlowId]) -> list[EdgeGroup]:
        """All groups of the flows."""
        return self._groups("load_groups_of_flows", [flow_key_of(key) for key in flow_ids])

    def _groups(self, statement: str, keys: list[Row]) -> list[EdgeGroup]:
        return [group_of(row) for row in GROUPS.read_all(self._connection, self._sql, statement, keys)]

    def viewed_groups(self, flow_id: FlowId) -> list[StoredGroup]:
        """The groups of a flow, with the columns of the executions at both ends that callers see."""
        return GROUPS.read(self._connection, self._sql["view_groups"], flow_key_of(flow_id))

    def cancelled_members(self, flow_id: FlowId) -> tuple[ExecutionId, ...] | None:
        """The members that the cancel of a flow cancelled; None if the flow was not cancelled."""
        row = self._connection.execute(self._sql["load_cancelled_members"], flow_key_of(flow_id)).fetchone()
        return None if row is None else members_of(flow_id, row[0])

    def backlogs(self, flow_ids: Collection[FlowId]) -> list[CancelBacklog]:
        """How many acknowledgements the cancels of the flows wait for."""
        keys = [flow_key_of(key) for key in flow_ids]
        return [backlog_of(row) for row in BACKLOGS.read_all(self._connection, self._sql, "load_backlogs", keys)]

    def acks(self, keys: Collection[AckKey]) -> list[PendingAck]:
        """The acknowledgements among these keys that are still pending."""
        at = [(*flow_key_of(flow_id), key_of(execution_id)[1]) for flow_id, execution_id in keys]
        return [ack_of(row) for row in ACKS.read_all(self._connection, self._sql, "load_acks", at)]

    def acks_of(self, flow_ids: Collection[FlowId]) -> list[PendingAck]:
        """All pending acknowledgements of these flows."""
        keys = [flow_key_of(key) for key in flow_ids]
        return [ack_of(row) for row in ACKS.read_all(self._connection, self._sql, "load_acks_of_flows", keys)]
