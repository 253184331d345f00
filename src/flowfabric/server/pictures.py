"""Flows as pictures: read, laid out once for each revision of the graph, and shown with the states of the moment."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.inputs import LIMIT_MAX
from flowfabric.drawing.picture import FlowLayout, Plan, Records, draw, plan
from flowfabric.wire.engine import GraphSnapshot, WireEngine, node_of

if TYPE_CHECKING:
    from flowfabric.domain.snapshots import ExecutionSnapshot

EXPANDED_MAX: Final = 50
KEPT_NODES_MAX: Final = 50_000
"""How many nodes the plans have together that are kept."""
LARGE: Final = 200
"""From this number of members and edges on, the work is done on a thread, so that nobody else waits for it."""

_Key = tuple[object, ...]


class Pictures:
    """Draws flows, and keeps the plans of those that were drawn last."""

    def __init__(self) -> None:
        self._plans: dict[_Key, Plan] = {}
        self._planning = asyncio.Lock()

    async def layout(
        self, view: WireEngine, flow_id: str, expand: Sequence[str] = (), members: bool = False
    ) -> FlowLayout | None:
        """The flow as a picture. None: there is no such flow."""
        if len(expand) > EXPANDED_MAX:
            raise InvalidInput(f"expand names {len(expand)} nodes; the limit is {EXPANDED_MAX}. Close some of them.")
        records = await _read(view, flow_id)
        if records is None:
            return None
        now_ms = await view.server_time_ms()
        planned = await self._plan(records, frozenset(expand))
        if _is_large(records):
            return await asyncio.to_thread(draw, planned, records, now_ms, with_members=members)
        return draw(planned, records, now_ms, with_members=members)

    async def _plan(self, records: Records, expand: frozenset[str]) -> Plan:
        flow = records.flow
        # Members and edges may be newer than the flow. They are only ever added, so their numbers tell. A flow that was
        # removed and made again under its id was made at another time.
        size = (len(records.members), len(records.edges))
        key = (flow.flow_id, flow.created_at_ms, flow.graph_revision, *size, expand)
        async with self._planning:  # one after the other: many pages that open the same flow have it laid out once
            planned = self._plans.pop(key, None)
            if planned is None:
                large = _is_large(records)
                planned = await asyncio.to_thread(plan, records, expand) if large else plan(records, expand)
            self._plans[key] = planned  # the last one: those at the front are given up first
            while sum(len(each.above) for each in self._plans.values()) > KEPT_NODES_MAX and len(self._plans) > 1:
                del self._plans[next(iter(self._plans))]
            return planned


def _is_large(records: Records) -> bool:
    return len(records.members) + len(records.edges) >= LARGE


async def graph_of(view: WireEngine, flow_id: str) -> GraphSnapshot | None:
    """A flow with its members and its edges."""
    records = await _read(view, flow_id)
    return None if records is None else GraphSnapshot(records.flow, [*map(node_of, records.members)], records.edges)


async def _read(view: WireEngine, flow_id: str) -> Records | None:
    """A flow, its members and its edges, as of one moment, or nearly so."""
    flow = await view.describe_flow(flow_id)
    if flow is None:
        return None
    members: list[ExecutionSnapshot] = []
    cursor: str | None = None
    while True:
        page = await view.list_executions(flow_id=flow_id, cursor=cursor, limit=LIMIT_MAX)
        members += cast("Sequence[ExecutionSnapshot]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return Records(flow, members[::-1], await view.list_edges(flow_id))
