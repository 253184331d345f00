"""How a batch reads flows and their graphs: which statements it sends, and where the rows go."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeKey, PendingAck
from flowfabric.domain.ids import ExecutionId, FlowId, make_execution_id, uuid_in
from flowfabric.stores._shared.flows import members_of
from flowfabric.stores.postgres import flow_rows, rows

log = logging.getLogger("flowfabric.stores.postgres")


class Ask(NamedTuple):
    """A statement by its name, its values, and the function that takes its rows."""

    statement: str
    values: Mapping[str, object] | None
    take: Callable[[Sequence[rows.Row]], None]


class FlowReads:
    """Asks for flows and graphs on behalf of one batch, and adds the rows to what the batch has loaded."""

    def __init__(self, loaded: Loaded, execution_in: Callable[[rows.Row], Execution]) -> None:
        self._loaded = loaded
        self._execution_in = execution_in
        self._reached: set[ExecutionId] = set()
        self.surveyed: dict[ExecutionId, rows.Row] = {}
        """The rows of the members that were read without locks, as far as they were not known before."""

    # ── flows and members ────────────────────────────────────────────────────────────────────────

    def lock_flows(self, flow_ids: Iterable[FlowId], flows_of: Iterable[ExecutionId]) -> Ask:
        """Lock these flows, and the flows of these executions, in the order of their ids."""
        members = rows.keys(flows_of)
        values = {"member_partition": members["partition_key"], "member_id": members["execution_id"]}
        return Ask("lock_flows", {**flow_rows.flow_keys(flow_ids), **values}, self._take_flows)

    def lock_open_flows(self, flow_ids: Iterable[FlowId]) -> Ask:
        """Lock those of these flows that no other batch holds. A damaged flow is skipped."""
        return Ask("lock_open_flows", flow_rows.flow_keys(flow_ids), self._take_healthy_flows)

    def _take_flows(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            flow = flow_rows.flow_in(row)
            self._loaded.flows[flow.flow_id] = flow

    def _take_healthy_flows(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            try:
                self._take_flows([row])
            except Corruption as error:
                log.error("a damaged flow is skipped: %s", error, extra={"cause": str(error)})

    def survey(self, execution_ids: Iterable[ExecutionId]) -> Ask:
        """Read those of these executions that are members of flows, without locks."""
        return Ask("read_members", rows.keys(execution_ids), self._take_members)

    def _take_members(self, found: Sequence[rows.Row]) -> None:
        known = self._loaded.executions
        for row in found:
            key = make_execution_id(row[0], row[1])
            # A member that the batch has locked before cannot have changed since.
            if key not in known:
                known[key] = self._execution_in(row)
                self.surveyed[key] = row[: rows.EXECUTION_COLUMNS]
            self._take_groups([row[rows.EXECUTION_COLUMNS :]])

    def _take_groups(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            group = flow_rows.group_in(row)
            if group is not None:
                self._loaded.groups[group.downstream] = group

    # ── the graph ────────────────────────────────────────────────────────────────────────────────

    def graph(self, needs: Needs) -> list[Ask]:
        """Ask for all needed records of graphs and cancels, but not for executions that are known to have no flow."""
        return [
            *self._outgoing(needs.outgoing),
            *self._reach(needs.reach),
            *self._incoming(needs.incoming),
            *self._groups(needs.groups),
            *self._edges(needs.edges),
            *self._whole_flows(needs.whole_flows),
            *self.inputs(needs.inputs),
            *self._cancels(needs),
        ]

    def further(self) -> list[Ask]:
        """Ask for the executions at the far ends of the edges that were read."""
        reached, self._reached = self._reached.difference(self._loaded.executions), set()
        return [self.survey(reached)] if reached else []

    def _in_flows(self, execution_ids: Iterable[ExecutionId]) -> list[ExecutionId]:
        known = self._loaded.executions
        return [key for key in execution_ids if (x := known.get(key)) is None or x.flow_id is not None]

    def _outgoing(self, execution_ids: set[ExecutionId]) -> list[Ask]:
        self._loaded.outgoing.update((key, []) for key in execution_ids)
        asked = self._in_flows(execution_ids)
        if not asked:
            return []
        keys = rows.keys(asked)
        return [
            Ask("read_outgoing", keys, self._take_outgoing),
            Ask("read_downstreams", keys, self._take_members),
        ]

    def _take_outgoing(self, found: Sequence[rows.Row]) -> None:
        _note(self._loaded.outgoing, ((edge.upstream, edge.key) for edge in self._take_edges(found)))

    def _reach(self, execution_ids: set[ExecutionId]) -> list[Ask]:
        self._loaded.outgoing.update((key, []) for key in execution_ids)
        asked = self._in_flows(execution_ids)
        return [Ask("read_reach", rows.keys(asked), self._take_reach)] if asked else []

    def _take_reach(self, found: Sequence[rows.Row]) -> None:
        edges = self._take_edges(found)
        self._reached.update(edge.downstream for edge in edges)
        self._loaded.outgoing.update((edge.downstream, []) for edge in edges)
        _note(self._loaded.outgoing, ((edge.upstream, edge.key) for edge in edges))

    def _incoming(self, execution_ids: set[ExecutionId]) -> list[Ask]:
        self._loaded.incoming.update((key, []) for key in execution_ids)
        asked = self._in_flows(execution_ids)
        if not asked:
            return []
        keys = rows.keys(asked)
        return [
            Ask("read_incoming", keys, self._take_incoming),
            Ask("read_groups", keys, self._take_groups),
            Ask("read_upstreams", keys, self._take_members),
        ]

    def _take_incoming(self, found: Sequence[rows.Row]) -> None:
        _note(self._loaded.incoming, ((edge.downstream, edge.key) for edge in self._take_edges(found)))

    def _groups(self, execution_ids: set[ExecutionId]) -> list[Ask]:
        asked = self._in_flows(execution_ids)
        return [Ask("read_groups", rows.keys(asked), self._take_groups)] if asked else []

    def _edges(self, keys: set[EdgeKey]) -> list[Ask]:
        return [Ask("read_edges", flow_rows.edge_keys(keys), self._take_named_edges)] if keys else []

    def _take_named_edges(self, found: Sequence[rows.Row]) -> None:
        self._take_edges(found)

    def _take_edges(self, found: Sequence[rows.Row]) -> list[Edge]:
        edges = [flow_rows.edge_in(row) for row in found]
        self._loaded.edges.update((edge.key, edge) for edge in edges)
        return edges

    def _whole_flows(self, flow_ids: set[FlowId]) -> list[Ask]:
        if not flow_ids:
            return []
        self._loaded.members.update((flow_id, []) for flow_id in flow_ids)
        keys = flow_rows.flow_keys(flow_ids)
        return [
            Ask("read_members_of_flows", keys, self._take_all_members),
            Ask("read_edges_of_flows", keys, self._take_all_edges),
        ]

    def _take_all_members(self, found: Sequence[rows.Row]) -> None:
        self._take_members(found)
        for row in found:
            key = make_execution_id(row[0], row[1])
            self._loaded.members[FlowId(row[4])].append(key)
            self._loaded.outgoing[key] = []
            self._loaded.incoming[key] = []
        for members in self._loaded.members.values():
            members.sort(key=uuid_in)

    def _take_all_edges(self, found: Sequence[rows.Row]) -> None:
        edges = self._take_edges(found)
        _note(self._loaded.outgoing, ((edge.upstream, edge.key) for edge in edges))
        _note(self._loaded.incoming, ((edge.downstream, edge.key) for edge in edges))

    def inputs(self, execution_ids: Iterable[ExecutionId], damaged: set[ExecutionId] | None = None) -> list[Ask]:
        """Ask for the results that are passed to these executions. Those with damaged edges are added to `damaged`."""
        asked = self._in_flows(execution_ids)

        self._loaded.passing.update((key, []) for key in asked)
        return [Ask("read_passing", rows.keys(asked), partial(self._take_passing, damaged=damaged))] if asked else []

    def _take_passing(self, found: Sequence[rows.Row], damaged: set[ExecutionId] | None) -> None:
        edges: list[Edge] = []
        for row in found:
            try:
                edges += self._take_edges([row])
            except Corruption as error:
                if damaged is None:
                    raise
                log.error("a damaged execution is skipped: %s", error, extra={"cause": str(error)})
                damaged.add(make_execution_id(row[0], row[4]))
                continue
            result = row[flow_rows.EDGE_COLUMNS]
            if result is not None:
                self._loaded.results[edges[-1].upstream, edges[-1].generation] = result
        _note(self._loaded.passing, ((edge.downstream, edge.key) for edge in edges))

    # ── cancels ──────────────────────────────────────────────────────────────────────────────────

    def _cancels(self, needs: Needs) -> list[Ask]:
        asks: list[Ask] = []
        if needs.cancelled_members:
            keys = flow_rows.flow_keys(needs.cancelled_members)
            asks.append(Ask("read_cancelled_members", keys, self._take_cancelled_members))
        if needs.backlogs:
            asks.append(Ask("read_backlogs", flow_rows.flow_keys(needs.backlogs), self._take_backlogs))
        if needs.acks:
            asks.append(Ask("read_acks", flow_rows.ack_keys(needs.acks), self._take_acks))
        return asks

    def _take_cancelled_members(self, found: Sequence[rows.Row]) -> None:
        for flow_id, members in found:
            self._loaded.cancelled_members[flow_id] = members_of(flow_id, members)

    def _take_backlogs(self, found: Sequence[rows.Row]) -> None:
        for flow_id, requested_at_ms, pending_count in found:
            self._loaded.backlogs[flow_id] = CancelBacklog(flow_id, requested_at_ms, pending_count)

    def _take_acks(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            key = flow_rows.ack_key_in(row)
            self._loaded.acks[key] = PendingAck(*key, row[3])


def _note(known: dict[ExecutionId, list[EdgeKey]], ends: Iterable[tuple[ExecutionId, EdgeKey]]) -> None:
    """Add edges to the lists of the executions at their ends. A list holds each edge once, in the order of edge ids."""
    more: dict[ExecutionId, set[EdgeKey]] = {}
    for end, key in ends:
        more.setdefault(end, set()).add(key)
    for end, keys in more.items():
        known[end] = sorted(keys.union(known.get(end, ())))
