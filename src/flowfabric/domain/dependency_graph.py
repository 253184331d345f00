"""The members of flows and the edges between them, as a batch sees them: those stored, and those the batch has added.

How much of a graph a command must see depends on what it finds there. A missing part is asked for together with the
parts that the same command would miss next, so that a batch is decided again as seldom as possible.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Edge, EdgeGroup, EdgeKey, Passed, inputs_from
from flowfabric.domain.ids import ExecutionId, FlowId, uuid_in
from flowfabric.domain.tables import Journal, MoreNeeded, note

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Loaded, Needs
    from flowfabric.domain.working_set import WorkingSet


class DependencyGraph:
    """Which member waits for which other member."""

    def __init__(self, ws: "WorkingSet", loaded: "Loaded", needs: "Needs", journal: Journal) -> None:
        self._executions = ws.executions
        self._flows = ws.flows
        self._edges = ws.edges
        self._groups = ws.groups
        self._results = ws.results
        self._loaded = loaded
        self._needs = needs
        self._missing = ws.missing
        self._journal = journal
        self._new_outgoing: dict[ExecutionId, dict[EdgeKey, None]] = {}
        self._new_incoming: dict[ExecutionId, dict[EdgeKey, None]] = {}
        self._new_members: dict[FlowId, dict[ExecutionId, None]] = {}
        self._resolved: dict[ExecutionId, EdgeKey] = {}
        """An edge that this batch has resolved, by the execution to which it leads."""

    # ── members ──────────────────────────────────────────────────────────────────────────────────

    def members(self, flow_id: FlowId) -> list[ExecutionId]:
        """All members of the flow, by uuid."""
        stored = self._loaded.members.get(flow_id)
        if stored is None:
            if not self._flows.is_new(flow_id):
                self._missing.flows.add(flow_id)
                self._missing.whole_flows.add(flow_id)
                raise MoreNeeded
            stored = []
        return sorted([*stored, *self._new_members.get(flow_id, ())], key=uuid_in)

    def add_member(self, x: Execution) -> None:
        """Note a new member of its flow."""
        assert x.flow_id is not None
        note(self._journal, self._new_members.setdefault(FlowId(x.flow_id), {}), x.execution_id, None)

    # ── edges that leave an execution ────────────────────────────────────────────────────────────

    def outgoing(self, execution_id: ExecutionId) -> list[Edge]:
        """The edges that leave an execution, by edge id."""
        if execution_id not in self._loaded.outgoing:
            self.need_outgoing((execution_id,))
        return self._edges_at(self._loaded.outgoing, self._new_outgoing, execution_id)

    def knows_outgoing(self, execution_id: ExecutionId) -> bool:
        """Whether the edges leaving an execution are known."""
        return execution_id in self._loaded.outgoing or self._executions.is_new(execution_id)

    def need_outgoing(self, execution_ids: Iterable[ExecutionId], *, all_beyond: bool = False) -> None:
        """Make sure that the edges leaving these executions are known. All that are missing are loaded together."""
        unknown = [key for key in execution_ids if not self.knows_outgoing(key)]
        if unknown:
            (self._missing.reach if all_beyond else self._missing.outgoing).update(unknown)
            raise MoreNeeded

    def need_outgoing_of_upstreams(self, execution_ids: Collection[ExecutionId]) -> None:
        """Make sure that the edges leaving upstreams are known that may have become needless.

        If some are missing, those of all known live upstreams are loaded as well: a cascade would miss them next.
        """
        if all(map(self.knows_outgoing, execution_ids)):
            return
        upstreams = {self._loaded.edges[key].upstream for keys in self._loaded.incoming.values() for key in keys}
        live = (key for key in upstreams if (x := self._loaded.executions.get(key)) is not None and not x.has_ended)
        self.need_outgoing({*execution_ids, *live})

    # ── edges that lead to an execution ──────────────────────────────────────────────────────────

    def incoming(self, execution_id: ExecutionId) -> list[Edge]:
        """The edges that lead to an execution, by edge id."""
        if execution_id not in self._loaded.incoming:
            self.need_incoming((execution_id,))
        return self._edges_at(self._loaded.incoming, self._new_incoming, execution_id)

    def need_incoming(self, execution_ids: Iterable[ExecutionId], *, all_beyond: bool = False) -> None:
        """Make sure that the edges leading to these executions are known.

        `all_beyond`: if some are missing, those of all executions that are known to wait for these, directly or not,
        are loaded as well: a cascade that goes on there would miss them next.
        """
        loaded, is_new = self._loaded.incoming, self._executions.is_new
        unknown = {key for key in execution_ids if key not in loaded and not is_new(key)}
        if unknown:
            self._missing.incoming |= unknown
            if all_beyond:
                self._missing.incoming |= self._joined_beyond(unknown)
            raise MoreNeeded

    def _joined_beyond(self, execution_ids: Iterable[ExecutionId]) -> set[ExecutionId]:
        """Executions that loaded edges reach from these, that have several upstreams, and whose edges are unknown."""
        seen: set[ExecutionId] = set()
        frontier = list(execution_ids)
        while frontier:
            for key in self._loaded.outgoing.get(frontier.pop(), ()):
                downstream = self._loaded.edges[key].downstream
                if downstream not in seen:
                    seen.add(downstream)
                    frontier.append(downstream)
        joined = (key for key in seen if (group := self._loaded.groups.get(key)) is not None and group.total > 1)
        return {key for key in joined if key not in self._loaded.incoming}

    # ── edges and groups ─────────────────────────────────────────────────────────────────────────

    def has_edge(self, key: EdgeKey) -> bool:
        """Whether the flow has an edge with this id."""
        if self._edges.known(key) is not None:
            return True
        return not self._flows.is_new(key[0]) and self._edges.get(key) is not None

    def add_edge(self, edge: Edge) -> None:
        """Put a new edge into the graph."""
        self._edges.put(edge)
        for new, end in ((self._new_outgoing, edge.upstream), (self._new_incoming, edge.downstream)):
            note(self._journal, new.setdefault(end, {}), edge.key, None)

    def put_resolved(self, edge: Edge) -> None:
        """Store how the upstream of an edge has ended."""
        self._edges.put(edge)
        self._resolved[edge.downstream] = edge.key

    def group(self, downstream: ExecutionId) -> EdgeGroup | None:
        """The group of edges that lead to an execution, if there is one."""
        groups = self._groups
        group = groups.changed.get(downstream) or groups.loaded.get(downstream)
        if group is None and not self._executions.is_new(downstream):
            return groups.get(downstream)
        return group

    def _edges_at(
        self,
        stored: Mapping[ExecutionId, list[EdgeKey]],
        new: Mapping[ExecutionId, Iterable[EdgeKey]],
        execution_id: ExecutionId,
    ) -> list[Edge]:
        keys = stored.get(execution_id, [])
        fresh = new.get(execution_id)
        changed, loaded = self._edges.changed, self._edges.loaded
        return [changed.get(key) or loaded[key] for key in (sorted([*keys, *fresh]) if fresh else keys)]

    # ── results that are passed on ───────────────────────────────────────────────────────────────

    def knows_inputs(self, execution_id: ExecutionId) -> bool:
        """Whether `inputs_of` needs nothing that would still have to be loaded."""
        if self._knows_passing(execution_id):
            return True
        group = self._groups.known(execution_id)
        return group is not None and self._passed_by(group) is not None

    def _knows_passing(self, execution_id: ExecutionId) -> bool:
        return execution_id in self._loaded.passing or self._executions.is_new(execution_id)

    def _edges_to(self, execution_id: ExecutionId) -> list[Edge] | None:
        """All edges that may pass results to a member. None: they have to be loaded."""
        if self._knows_passing(execution_id):
            return self._edges_at(self._loaded.passing, self._new_incoming, execution_id)
        group = self.group(execution_id)
        return [] if group is None else self._passed_by(group)

    def _passed_by(self, group: EdgeGroup) -> list[Edge] | None:
        """The same for the edges of a group, if no edges were loaded for the sake of what they pass."""
        if not group.passes_results:
            return []
        resolved = self._resolved.get(group.downstream)
        if resolved is None or group.total != 1:
            return None
        edge = self._edges[resolved]
        return [edge] if (edge.upstream, edge.generation) in self._results.changed else None

    def inputs_of(self, x: Execution) -> dict[str, bytes]:
        """The results that are passed to a member, by name. Of two with the same name, the first that was resolved."""
        edges = self._edges_to(x.execution_id)
        if edges is None:
            self._missing.inputs.add(x.execution_id)
            raise MoreNeeded
        satisfied = [edge for edge in edges if edge.state == "satisfied"]
        return inputs_from(
            Passed(edge.resolved_at_ms or 0, edge.edge_id, edge.pass_result_as, self._result(edge, x.execution_id))
            for edge in satisfied
            if edge.pass_result_as is not None
        )

    def _result(self, edge: Edge, child: ExecutionId) -> bytes | None:
        life = (edge.upstream, edge.generation)
        result = self._results.known(life)
        is_known = life in self._results.changed or child in self._needs.inputs or child in self._loaded.passing
        if result is None and not is_known:
            self._missing.inputs.add(child)
            raise MoreNeeded
        return result
