"""A batch that only creates flows with plain members: one statement, which is its own transaction.

The answers are known before it is sent. As with other single statements, it leaves the batch's marker itself, so that a
process that looks for the marker after a lost answer can prevent that the statement comes late.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from flowfabric.domain.commands import SubmitFlow
from flowfabric.domain.counting import Standing
from flowfabric.domain.ids import uuid_in
from flowfabric.domain.news import Committed, PlainStep
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores._shared.encoding import policy_text, tags_text
from flowfabric.stores._shared.fast_path import PlainFlow, is_bare, plain_flow_in
from flowfabric.stores._shared.flow_samples import FLOW_STANDINGS
from flowfabric.stores._shared.flows import join_columns
from flowfabric.stores._shared.samples import STANDINGS
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.fast_path import parts_entered
from flowfabric.stores.postgres.flow_rows import flow_keys

if TYPE_CHECKING:
    from flowfabric.stores.postgres.writer import PostgresWriter


class FlowCreation:
    """New flows, the batch's marker and the commit in one statement."""

    def __init__(self, writer: "PostgresWriter", flows: Sequence[PlainFlow]) -> None:
        self._writer = writer
        self._store = writer.store
        self._flows = flows
        self._entering = [each for flow in flows for each in flow.entering]
        self._lanes = {(each.namespace, each.lane) for each in self._entering}

    @classmethod
    def of(cls, writer: "PostgresWriter", batch: Batch) -> "FlowCreation | None":
        """The plan, if the batch is one for it; otherwise None."""
        if not writer.can_send_alone(batch) or not batch.envelopes:
            return None
        if not all(isinstance(each.command, SubmitFlow) and is_bare(each) for each in batch.envelopes):
            return None
        flows: list[PlainFlow] = []
        for envelope in batch.envelopes:
            if (flow := plain_flow_in(envelope)) is None:
                return None
            flows.append(flow)
        plan = cls(writer, flows)
        # If claims wait for these flows, they join the batch, and it is not one for this plan any more.
        return None if batch.take_along(plan._lanes, len(plan._entering)) else plan

    def run(self, batch: Batch) -> Answered:
        """Send the statement."""
        self._store.queue_heads.enter(parts_entered(self._entering))
        values = {
            **_values_of(self._flows),
            "batch_id": batch.batch_id,
            "now_ms": self._store.given_now_ms,
            "lease_era": self._writer.era,
            "note": rows.texts(self._store.notes.of_lanes(self._lanes)),
        }
        answered = self._answered(is_told=batch.is_told)
        self._writer.send_alone(batch, "create_flows", values, answered)
        return answered

    def _answered(self, *, is_told: bool) -> Answered:
        made = [each for flow in self._flows for _, each in flow.command.nodes] if is_told else ()
        told = [PlainStep("created", each.namespace, each.lane, each.kind) for each in made]
        committed = Committed((), has_events=False, ready=self._lanes, plain=told)
        return Answered([flow.answer for flow in self._flows], committed)


def _values_of(flows: Sequence[PlainFlow]) -> Mapping[str, object]:
    """The values of create_flows: the flows, their members, edges and groups, and how many of each kind there are."""
    commands = [flow.command for flow in flows]
    ids = [command.flow.flow_id for command in commands]
    nodes = [node for command in commands for node in command.nodes]
    members = [member for _, member in nodes]
    are_blocked = [is_blocked for flow in flows for is_blocked in flow.made.are_blocked]
    numbers = [(number, command) for number, command in enumerate(commands, 1)]
    edges = [(number, edge) for number, command in numbers for edge in command.edges]
    groups = [
        (number, flow.command.nodes[place][1].execution_id, group, join_columns(group.join))
        for number, flow in enumerate(flows, 1)
        for place, group in flow.made.groups
    ]
    moved = Counter[tuple[str, str, str, Standing]]()
    for member, is_blocked in zip(members, are_blocked, strict=True):
        standing = FLOW_STANDINGS["blocked"] if is_blocked else STANDINGS["created"]
        moved[member.namespace, member.lane, member.kind, standing] += 1
    for command in commands:
        moved[command.flow.namespace, "", "", FLOW_STANDINGS["flow_submitted"]] += 1
    return {
        **flow_keys(ids),
        "namespace": rows.texts(command.flow.namespace for command in commands),
        "flow_kind": rows.texts(command.flow.kind for command in commands),
        "flow_tags": rows.texts(tags_text(command.flow.tags) for command in commands),
        "node_count": rows.numbers(flow.made.node_count for flow in flows),
        "edge_count": rows.numbers(flow.made.edge_count for flow in flows),
        "live_count": rows.numbers(flow.made.live_count for flow in flows),
        "retention_ms": rows.numbers(flow.made.retention_ms for flow in flows),
        "created_by": rows.texts(flow.actor for flow in flows),
        "member_flow": rows.numbers(number for number, command in numbers for _ in command.nodes),
        "execution_id": rows.words(uuid_in(member.execution_id) for member in members),
        "lane_id": rows.texts(member.lane for member in members),
        "execution_kind": rows.texts(member.kind for member in members),
        "policy": rows.texts(policy_text(member.policy) for member in members),
        "priority": rows.numbers(member.priority for member in members),
        "payload": rows.blobs(member.payload for member in members),
        "node": rows.texts(name for name, _ in nodes),
        "is_blocked": rows.words("t" if is_blocked else "f" for is_blocked in are_blocked),
        "edge_flow": rows.numbers(number for number, _ in edges),
        "edge_id": rows.texts(edge.edge_id for _, edge in edges),
        "upstream": rows.words(uuid_in(edge.upstream) for _, edge in edges),
        "downstream": rows.words(uuid_in(edge.downstream) for _, edge in edges),
        "pass_result_as": rows.texts(edge.pass_result_as for _, edge in edges),
        "group_flow": rows.numbers(number for number, *_ in groups),
        "group_of": rows.words(uuid_in(execution_id) for _, execution_id, _, _ in groups),
        "policy_kind": rows.numbers(join[0] for *_, join in groups),
        "policy_k": rows.numbers(join[1] for *_, join in groups),
        "policy_on_satisfied": rows.numbers(join[2] for *_, join in groups),
        "total": rows.numbers(group.total for _, _, group, _ in groups),
        "passes_results": rows.numbers(int(group.passes_results) for _, _, group, _ in groups),
        "moved_number": rows.numbers(moved.values()),
        "moved_to": rows.numbers(standing for *_, standing in moved),
        "moved_namespace": rows.texts(namespace for namespace, *_ in moved),
        "moved_lane": rows.texts(lane for _, lane, *_ in moved),
        "moved_kind": rows.texts(kind for _, _, kind, _ in moved),
    }
