"""New plain flows: a few statements write all flows of a batch, without records of their members."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from flowfabric.domain.counting import Move
from flowfabric.domain.flow import Flow
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


def create_flows(statements: FastStatements, flows: Sequence[PlainFlow], now_ms: int, era: int) -> Counter[Move]:
    """Write all rows of these flows. Returns how the counts of flows and executions change."""
    moves = Counter[Move]()
    records: list[Row] = []
    members: list[Row] = []
    payloads: list[Row] = []
    edges: list[Row] = []
    groups: list[Row] = []
    for flow in flows:
        command, namespace = flow.command, flow.command.flow.namespace
        key = flow_key_of(command.flow.flow_id)
        records.append(flow_row_of(_record_of(flow, now_ms)))
        moves[Move(namespace, "", "", None, FLOW_STANDINGS["flow_submitted"])] += 1
        keys = [key_of(creation.execution_id) for _, creation in command.nodes]
        uuids = {creation.execution_id: its[1] for (_, creation), its in zip(command.nodes, keys, strict=True)}
        moved: dict[tuple[str, str, bool], int] = {}
        for (name, each), its, is_blocked in zip(command.nodes, keys, flow.made.are_blocked, strict=True):
            policy = policy_text(each.policy)
            of = (namespace, each.lane, key[1], each.kind, policy, each.priority, flow.actor, name, is_blocked)
            members.append((*its, *of))
            payloads.append((*its, each.payload))
            at = (each.lane, each.kind, is_blocked)
            moved[at] = moved.get(at, 0) + 1
        for (lane, kind, is_blocked), number in moved.items():
            standing = FLOW_STANDINGS["blocked"] if is_blocked else STANDINGS["created"]
            moves[Move(namespace, lane, kind, None, standing)] += number
        edges += [
            (*key, edge.edge_id, uuids[edge.upstream], uuids[edge.downstream], edge.pass_result_as, now_ms, *_OF_EDGES)
            for edge in command.edges
        ]
        groups += [(*keys[place], key[1], *group_row_of(group)[3:]) for place, group in flow.made.groups]
    statements.insert("save_flows", records)
    statements.insert("insert_plain_members", members, (now_ms, now_ms, era))
    statements.insert("insert_payloads", payloads)
    statements.insert("save_edges", edges)
    statements.insert("save_groups", groups)
    return moves


def _record_of(flow: PlainFlow, now_ms: int) -> Flow:
    command, made = flow.command.flow, flow.made
    return replace(
        SUBMITTED.flow,
        flow_id=command.flow_id,
        namespace=command.namespace,
        kind=command.kind,
        created_at_ms=now_ms,
        tags=command.tags,
        node_count=made.node_count,
        edge_count=made.edge_count,
        live_count=made.live_count,
        retention_ms=made.retention_ms,
        created_by=flow.actor,
    )
