"""The engine's methods that wait for more than one end: for the events of an execution, and for a whole flow."""

import math
import time
from functools import partial
from typing import Final

from flowfabric.domain import inputs
from flowfabric.domain.errors import NotFound
from flowfabric.domain.events import EventPage
from flowfabric.domain.flow_snapshots import FlowSnapshot
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.listing import ExecutionFilter, ListPosition
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.engine.flows import Flows
from flowfabric.engine.reading import EVENTS_AT_ONCE, Reading
from flowfabric.engine.scope import position_of
from flowfabric.engine.wakeups import ANY_EVENT

FOLLOW_S: Final = 0.2
"""The shortest time between two reads for a caller that follows one execution."""
MEMBERS_S: Final = 0.2
"""How often a flow without live members is read: no wake-up says that a member was added."""
MEMBERS_AT_ONCE: Final = 1000


class Following(Flows, Reading):
    """The engine's methods that follow executions and flows. Commits and the process's poll wake their callers."""

    async def follow_events(self, execution_id: str, *, cursor: str | None = None) -> EventPage:
        """Wait for the next events of one execution. An empty page: it has ended, and there are no more events."""
        key = await self._id_of(execution_id)
        where = self._event_filter(None, None, key, None)
        bell = self._shell.bell()
        with self._services.wakeups.listening(ANY_EVENT, bell.ring):
            while True:
                began_at = time.monotonic()
                # The state is read before the events: if the execution had ended by then, its last event is written.
                x = await self._find(key)
                if cursor is None:
                    self._check_known(key, x)
                page = await self._shell.read(partial(self._store.events, cursor, where, EVENTS_AT_ONCE))
                if page.events or x is None or x.has_ended:
                    return page
                cursor = page.next_cursor
                await self._wait_for_news(bell, math.inf)
                # Every event of the store rings. If there are many, one follower need not read after each of them.
                await self._shell.pause(max(0.0, began_at + FOLLOW_S - time.monotonic()))

    async def wait_for_flow(self, flow_id: str, *, timeout_ms: int | None = None) -> FlowSnapshot:
        """Wait until all members have ended, and return the flow. Raises TimeoutError after `timeout_ms`.

        A flow without members is not over: a member may still be added.
        """
        key = await self._known_flow(flow_id)
        if timeout_ms is not None:
            inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX)
        give_up_at = math.inf if timeout_ms is None else time.monotonic() + timeout_ms / 1000
        while True:
            live = await self._live_members(key)
            for execution_id in live:
                left_ms = None if timeout_ms is None else int(max(0.0, give_up_at - time.monotonic()) * 1000)
                await self.wait_for_result(execution_id, timeout_ms=left_ms)
            flow = await self.describe_flow(key)
            if flow is None:
                raise NotFound("flow", f"There is no flow {key} any more. Check its retention.")
            if flow.state not in ("open", "running"):
                return flow
            left_s = give_up_at - time.monotonic()
            if left_s <= 0:
                raise TimeoutError(f"Flow {key} is still {flow.state} after {timeout_ms} ms. Wait longer.")
            if not live:
                await self._shell.pause(min(left_s, MEMBERS_S))

    async def _live_members(self, flow_id: FlowId) -> list[ExecutionId]:
        """The members that have not ended yet, oldest first."""
        where = ExecutionFilter(flow_id=flow_id)
        live: list[ExecutionId] = []
        after: ListPosition | None = None
        while True:
            page = await self._shell.read(partial(self._store.executions, where, after, MEMBERS_AT_ONCE))
            live += [x.execution_id for x in page if x.counts_as_live]
            if len(page) < MEMBERS_AT_ONCE:
                return live[::-1]
            after = position_of(page[-1])
