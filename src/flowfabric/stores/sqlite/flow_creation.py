"""New plain flows: a few statements write all flows of a batch, without records of their members."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from flowfabric.domain.counting import Move
from flowfabric.domain.plain_members import SUBMITTED
from flowfabric.stores._shared.encoding import OUTCOME_CODES, policy_text
from flowfabric.stores._shared.fast_path import PlainFlow
from flowfabric.stores._shared.flow_samples import FLOW_STANDINGS
from flowfabric.stores._shared.samples import STANDINGS
from flowfabric.stores.sqlite.fast_statements import FastStatements
from flowfabric.stores.sqlite.rows import flow_key_of, flow_row_of, group_row_of, key_of

if TYPE_CHECKING:
    from flowfabric.stores.sqlite.json_rows import Row

_OF_EDGES: Final = OUTCOME_CODES[SUBMITTED.edge.outcome], SUBMITTED.edge.generation, SUBMITTED.edge.resolved_at_ms


class FlowCreation:
    """The rows of the new flows of one batch."""

    def __init__(self, now_ms: int, era: int) -> None:
        self._now_ms = now_ms
        self._era = era
        self._flows: list[Row] = []
        self._members: list[Row] = []
        self._payloads: list[Row] = []
        self._edges: list[Row] = []
        self._groups: list[Row] = []
        self.moves: Counter[Move] = Counter()
        """How the counts of flows and executions change."""
        self.payload_bytes = 0

    def add(self, flows: Sequence[PlainFlow]) -> None:
        """Add the rows of these flows."""
        for flow in flows:
            self._add(flow)

    def _add(self, flow: PlainFlow) -> None:
        command, made, actor = flow.command, flow.made, flow.actor
        flow_id, namespace = command.flow.flow_id, command.flow.namespace
        key = flow_key_of(flow_id)
        record = replace(
            SUBMITTED.flow,
            flow_id=flow_id,
            namespace=namespace,
            kind=command.flow.kind,
            created_at_ms=self._now_ms,
            tags=command.flow.tags,
            node_count=made.node_count,
            edge_count=made.edge_count,
            live_count=made.live_count,
            retention_ms=made.retention_ms,
            created_by=actor,
        )
        self._flows.append(flow_row_of(record))
        self.moves[Move(namespace, "", "", None, FLOW_STANDINGS["flow_submitted"])] += 1
        keys = [key_of(creation.execution_id) for _, creation in command.nodes]
        uuids = {creation.execution_id: its[1] for (_, creation), its in zip(command.nodes, keys, strict=True)}
        moved: dict[tuple[str, str, bool], int] = {}
        for (name, each), its, is_blocked in zip(command.nodes, keys, made.are_blocked, strict=True):
            policy = policy_text(each.policy)
            of = (namespace, each.lane, key[1], each.kind, policy, each.priority, actor, name, is_blocked)
            self._members.append((*its, *of))
            self._payloads.append((*its, each.payload))
            self.payload_bytes += len(each.payload)
            at = (each.lane, each.kind, is_blocked)
            moved[at] = moved.get(at, 0) + 1
        for (lane, kind, is_blocked), number in moved.items():
            standing = FLOW_STANDINGS["blocked"] if is_blocked else STANDINGS["created"]
            self.moves[Move(namespace, lane, kind, None, standing)] += number
        self._edges += [
            (
                *key,
                edge.edge_id,
                uuids[edge.upstream],
                uuids[edge.downstream],
                edge.pass_result_as,
                self._now_ms,
                *_OF_EDGES,
            )
            for edge in command.edges
        ]
        for place, group in made.groups:
            self._groups.append((*keys[place], key[1], *group_row_of(group)[3:]))

    def write(self, statements: FastStatements) -> None:
        """Write all rows."""
        statements.insert("save_flows", self._flows)
        statements.insert("insert_plain_members", self._members, (self._now_ms, self._now_ms, self._era))
        statements.insert("insert_payloads", self._payloads)
        statements.insert("save_edges", self._edges)
        statements.insert("save_groups", self._groups)
