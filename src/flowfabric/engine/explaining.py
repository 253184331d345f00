"""The engine's answer to why an execution does not run, and to what it waits for."""

from functools import partial
from typing import TYPE_CHECKING, Final

from flowfabric.domain.conditions import number_of
from flowfabric.domain.execution import Execution
from flowfabric.domain.explaining import Culprit, WaitsFor, explain, to_blame
from flowfabric.domain.explaining_waits import keys_waited_for, waits_for_children
from flowfabric.domain.ids import FlowId
from flowfabric.domain.inboxes import mark_of
from flowfabric.domain.wait_snapshots import why_closed
from flowfabric.domain.waiting import SignalMark
from flowfabric.engine.scope import Scoped

if TYPE_CHECKING:
    from flowfabric.domain.flow import Edge

UPSTREAMS_MAX: Final = 200
"""How many upstreams are read at most to find the execution that caused a skip. Each is one read."""
CHILDREN_SEEN: Final = 100
"""How many children `explain` looks at."""
SIGNALS_PAGE: Final = 100
"""How many signals are read at once: up to 6.4 MB of payloads."""


class Explaining(Scoped):
    """The part of an engine that explains."""

    async def explain(self, execution_id: str) -> str:
        """One sentence: why the execution is not running, or what it waits for."""
        key = await self._id_of(execution_id)
        x = await self._known(key)
        waits_for: WaitsFor | None = None
        if x.flow_id is not None and x.eligibility_state == "blocked_by_dependencies":
            flow_id = FlowId(x.flow_id)
            group = await self._shell.read(lambda: self._store.group(key))
            edges = await self._shell.read(lambda: self._store.edges(flow_id, None, key))
            if group is not None:
                waits_for = WaitsFor(group, edges)
        now_ms = await self._shell.read(lambda: self._store.now_ms)
        if x.terminal_outcome == "skipped":
            return explain(x, now_ms, culprit=await self._to_blame_for(x))
        if x.has_ended:
            return explain(x, now_ms, unread=await self._unread_signals(x))
        if x.eligibility_state == "eligible_now":
            switches = await self._shell.read(lambda: self._store.lane_switches(x.namespace))
            workers = await self._shell.read(lambda: self._store.workers(x.namespace))
            return explain(x, now_ms, workers=workers, switches=switches)
        kept, closed = await self._at_waitpoints(x, now_ms)
        children: list[Execution] = []
        if waits_for_children(x):
            children = await self._shell.read(lambda: self._store.children(key, None, CHILDREN_SEEN, only_live=True))
        if x.lifecycle_phase == "suspended":
            switches = await self._shell.read(lambda: self._store.lane_switches(x.namespace))
            return explain(x, now_ms, switches=switches, kept=kept, children=children, closed=closed)
        if x.lifecycle_phase == "active":
            workers = await self._shell.read(lambda: self._store.workers(x.namespace))
            flow = None
            if x.flow_id is not None:
                flow = await self._shell.read(partial(self._store.flow, FlowId(x.flow_id)))
            return explain(x, now_ms, workers=workers, flow=flow, kept=kept, children=children, closed=closed)
        return explain(x, now_ms, waits_for)

    async def _unread_signals(self, x: Execution) -> dict[str, int]:
        """How many signals of an execution no wait has taken, by waitpoint."""
        if x.inbox is None or not x.inbox.signals:
            return {}
        _, waitpoints = await self._shell.read(partial(self._store.waitpoints, x.execution_id))
        return {waitpoint.key: count for waitpoint, count in waitpoints if count}

    async def _at_waitpoints(self, x: Execution, now_ms: int) -> tuple[list[SignalMark], dict[str, str]]:
        """The kept signals at the waitpoints of the open waits, in order, and why some of these are closed, by key."""
        keys = keys_waited_for(x)
        kept: list[SignalMark] = []
        closed: dict[str, str] = {}
        _, waitpoints = await self._shell.read(partial(self._store.waitpoints, x.execution_id)) if keys else (x, [])
        for waitpoint, count in waitpoints:
            if waitpoint.key not in keys:
                continue
            if (why := why_closed(waitpoint, x, now_ms)) is not None:
                closed[waitpoint.key] = why
            after = 0
            while count:
                ask = partial(self._store.signals, x.execution_id, waitpoint.key, after, SIGNALS_PAGE)
                _, page = await self._shell.read(ask)
                kept += map(mark_of, (signal for signal in page if signal.taken_by is None))
                if len(page) < SIGNALS_PAGE:
                    break
                after = page[-1].number
        return sorted(kept, key=number_of), closed

    async def _to_blame_for(self, x: Execution) -> Culprit | None:
        """The execution that caused a skip: the nearest upstream that was not skipped itself."""
        if x.flow_id is None:
            return None
        key, flow_id = x.execution_id, FlowId(x.flow_id)
        blamed: Edge | None = None
        for _ in range(UPSTREAMS_MAX):
            edges = await self._shell.read(partial(self._store.edges, flow_id, None, key))
            edge = to_blame(edges)
            if edge is None:
                break
            blamed, key = edge, edge.upstream
            if edge.outcome != "skipped":
                break
        if blamed is None:
            return None
        culprit = await self._shell.read(partial(self._store.execution, blamed.upstream))
        return None if culprit is None else Culprit(culprit, blamed.outcome)
