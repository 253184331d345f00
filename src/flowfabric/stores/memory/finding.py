"""The finds of a memory store: what upkeep, purges and waiting callers look for."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, TypeVar, cast

from flowfabric.domain import expiring
from flowfabric.domain.counting import ENDS_KEPT_MINUTES, Miscount
from flowfabric.domain.execution import (
    TIMERS,
    AtGate,
    Due,
    DueKind,
    Execution,
    due_of,
    gate_rows_of,
    queue_order,
    ready_of,
)
from flowfabric.domain.expiring import Expiring
from flowfabric.domain.flow import Flow, over_since_ms, purge_at_ms
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import MINUTE_MS, Lane
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.news import Committed, Polled, Waits
from flowfabric.domain.turns import Turn
from flowfabric.domain.views import SideRows, SideRowsPage
from flowfabric.stores._shared.side_rows import same_rows
from flowfabric.stores.memory.gates import MemoryGates
from flowfabric.stores.memory.records import holds, moment_of, part_of

K = TypeVar("K")


class MemoryFinds(MemoryGates):
    """The finds of a store."""

    def expired(self, kind: Expiring[K], until_ms: int, limit: int) -> list[K]:
        with self._reading():
            return cast("list[K]", list(islice(self._expired(kind, until_ms), limit)))

    def _expired(self, kind: Expiring[Any], until_ms: int) -> Iterable[Any]:
        if kind is expiring.EVENTS:
            return sorted(event.occurred_at_ms for event in self._old_events(until_ms))
        ends: Iterable[tuple[Any, int | None]]
        if kind is expiring.IDEMPOTENCY_KEYS:
            ends = ((key, row.expires_at_ms) for key, row in self._idempotency_keys.items())
        elif kind is expiring.ANSWERS:
            ends = ((key, row.expires_at_ms) for key, row in self._answers.items())
        elif kind is expiring.WORKERS:
            ends = ((key, worker.alive_until_ms) for key, worker in self._workers.items())
        elif kind is expiring.ACKS:
            ends = ((key, ack.overdue_at_ms) for key, ack in self._acks.items())
        elif kind is expiring.ACCESS_TOKENS:
            ends = ((key, token.ends_at_ms) for key, token in self._access_tokens.items())
        else:
            assert kind is expiring.FLOWS
            ends = ((key, purge_at_ms(flow)) for key, flow in self._flows.items())
        return (key for key, end_ms in ends if end_ms is not None and end_ms <= until_ms)

    def ended_executions(
        self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int
    ) -> list[ListPosition]:
        with self._reading():
            newest_first = reversed(self._newest[: bisect_left(self._newest, after)])
            found = ((position, self._at(position)) for position in newest_first)
            ended = (
                position
                for position, x in found
                if x.terminal_at_ms is not None and x.terminal_at_ms < ended_before_ms
                if x.flow_id is None and namespace in (None, x.namespace)
            )
            return list(islice(ended, limit))

    def ended_flows(self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int) -> list[Flow]:
        with self._reading():
            newest_first = reversed(self._newest_flows[: bisect_left(self._newest_flows, after)])
            found = (self._flows[FlowId(position.uuid)] for position in newest_first)
            ended = (
                flow
                for flow in found
                if (since_ms := over_since_ms(flow)) is not None and since_ms < ended_before_ms
                if namespace in (None, flow.namespace)
            )
            return list(islice(ended, limit))

    def news(self, waits: Waits) -> Committed:
        with self._reading():
            found = [(key, self._executions.get(key)) for key in waits.executions]
            held = [(key, epoch, self._executions.get(key)) for key, epoch in waits.leases]
            owing = {flow_id for flow_id, _ in self._acks}
            return Committed(
                [key for key, x in found if x is None or x.has_ended]
                + [flow_id for flow_id in waits.flows if flow_id not in owing],
                False,
                lost=[
                    key
                    for key, epoch, x in held
                    if x is None or x.lease_epoch != epoch or x.lifecycle_phase != "active"
                ],
                waits_over=[
                    key
                    for key, x in ((key, self._executions.get(key)) for key in waits.lingering)
                    if x is not None and x.inbox is not None and x.inbox.unanswered
                ],
            )

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        now_ms = self.now_ms
        with self._reading():
            due = [kind for kind, rows in self._due.items() if rows and rows[0][0] <= now_ms]
            has_overdue_acks = any(ack.overdue_at_ms <= now_ms for ack in self._acks.values())
            delayed = [
                next((at - now_ms for at, *_ in self._due.get(kind, []) if at > now_ms), None) for kind in TIMERS
            ]
            delayed += [at_ms - now_ms for at_ms in self._openings.values() if at_ms > now_ms]
            has_openings = any(at_ms <= now_ms for at_ms in self._openings.values())
            paused = {key for key, lane in self._lanes.items() if lane.is_paused}
            filled = {(namespace, lane) for (namespace, lane, *_), rows in self._ready.items() if rows}
            ready = [lane for lane in lanes if lane in filled and lane not in paused]
            next_in_ms = min((in_ms for in_ms in delayed if in_ms is not None), default=None)
            return Polled(due, has_overdue_acks, ready, next_in_ms, has_openings)

    def ready_needs(self, lane: Lane) -> list[tuple[str, ...]]:
        with self._reading():
            parts = [part for part, rows in self._ready.items() if rows]
            return [needed for namespace, lane_id, needed, *_ in parts if (namespace, lane_id) == lane]

    def due(self, kind: DueKind, until_ms: int, after: Due | None, limit: int) -> list[Due]:
        with self._reading():
            rows = self._due.get(kind, [])
            start = 0 if after is None else bisect_right(rows, moment_of(after))
            return [Due(kind, at, key) for at, _, key in rows[start : start + limit] if at <= until_ms]

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        with self._reading():
            keys = sorted(key for key in self._executions if after is None or key > after)[:limit]
            at_gates = self._rows_at_gates()
            rows = [self._side_rows_of(self._executions[key], at_gates.get(key, [])) for key in keys]
            return SideRowsPage(rows, keys[-1] if len(keys) == limit else None)

    def has_counts_to_tend(self) -> bool:
        before = self.now_ms // MINUTE_MS - ENDS_KEPT_MINUTES
        with self._reading():
            return any(minute < before for minute, _, _ in self._ends)

    def miscounts(self) -> list[Miscount]:
        return []  # it counts when it is asked

    def take_turn(self, holder: str, ttl_ms: int, after: ExecutionId | None) -> Turn:
        return Turn(holder, self.now_ms + ttl_ms, after)

    def _side_rows_of(self, x: Execution, at_gates: list[AtGate]) -> SideRows:
        ready, due = ready_of(x), due_of(x)
        return SideRows(
            x,
            ready is None or holds(self._ready.get(part_of(ready), []), (queue_order(ready), ready)),
            due is None or holds(self._due.get(due.kind, []), moment_of(due)),
            self._groups.get(x.execution_id) if x.eligibility_state == "blocked_by_dependencies" else None,
            same_rows(at_gates, gate_rows_of(x)),
        )
