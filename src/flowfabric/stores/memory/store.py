"""Records in dictionaries: the reference store, for tests and for work that may be forgotten.

One lock guards everything. A transaction holds it from `begin` to its end and writes only in `commit`, so a rolled
back batch has changed nothing.
"""

import threading
import time
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from flowfabric.domain.connections import DEFAULT_CONNECTIONS
from flowfabric.domain.errors import InvalidInput, StoreUnavailable
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.exchange import AckKey, Changes, ClaimNeed, Generation, KeyInNamespace, Loaded, Needs
from flowfabric.domain.execution import (
    Attempt,
    Due,
    DueKind,
    Execution,
    FailedAttempt,
    IdempotencyKey,
    Ready,
    due_of,
    queue_order,
    ready_of,
)
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, EdgeKey, Flow, PendingAck, over_since_ms, purge_at_ms
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, make_execution_id, partition_in, uuid_in
from flowfabric.domain.lanes import RECENT_EVENTS, LaneCount, LaneSwitch, RecentEnds
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.snapshots import Kept, LogExtent, all_kept
from flowfabric.domain.steps import Step, StepPlace, in_stored_order
from flowfabric.domain.turns import Turn
from flowfabric.domain.workers import Worker
from flowfabric.ports import (
    Answered,
    CallersConnection,
    Clock,
    Committed,
    EventFilter,
    ExecutionFilter,
    FlowFilter,
    FlowView,
    GroupView,
    Lane,
    ListPosition,
    Look,
    OnOthersCommit,
    SideRows,
    SideRowsPage,
    Tally,
    Waits,
)
from flowfabric.stores._shared.log_position import Purged, event_cursor, event_cursor_within, event_id_at
from flowfabric.stores._shared.side_rows import side_row_changes
from flowfabric.stores._shared.unit_of_work import run_in

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import RememberedAnswer
    from flowfabric.ports import Batch

K = TypeVar("K")
V = TypeVar("V")

QueuePart = tuple[str, str, tuple[str, ...]]
Moment = tuple[int, int, ExecutionId]
"""A due moment in the order in which SQL stores find them: instant, partition number, id."""


class MemoryStore:
    """A store that lasts as long as the process."""

    committers = 1
    connections = DEFAULT_CONNECTIONS

    def __init__(self, name: str, clock: Clock | None = None) -> None:
        self.name = name
        self._clock = clock
        self._lock = threading.RLock()
        self._closed = False
        self._executions: dict[ExecutionId, Execution] = {}
        self._newest: list[ListPosition] = []
        self._payloads: dict[ExecutionId, bytes] = {}
        self._results: dict[Generation, bytes] = {}
        self._attempts: dict[ExecutionId, dict[int, Attempt]] = {}
        self._failures: dict[ExecutionId, dict[int, FailedAttempt]] = {}
        self._ready: dict[QueuePart, list[tuple[tuple[int, int, str, int], Ready]]] = {}
        self._due: dict[DueKind, list[Moment]] = {}
        self._events: dict[int, Event] = {}
        self._events_of: dict[ExecutionId, list[int]] = {}
        self._last_event_id = 0
        self._purged = Purged()
        self._idempotency_keys: dict[KeyInNamespace, IdempotencyKey] = {}
        self._answers: dict[KeyInNamespace, RememberedAnswer] = {}
        self._batches: dict[bytes, int] = {}
        self._flows: dict[FlowId, Flow] = {}
        self._newest_flows: list[ListPosition] = []
        self._members: dict[FlowId, list[ExecutionId]] = {}
        self._edges: dict[FlowId, dict[str, Edge]] = {}
        self._outgoing: dict[ExecutionId, list[EdgeKey]] = {}
        self._incoming: dict[ExecutionId, list[EdgeKey]] = {}
        self._groups: dict[ExecutionId, EdgeGroup] = {}
        self._cancelled_members: dict[FlowId, tuple[ExecutionId, ...]] = {}
        self._backlogs: dict[FlowId, CancelBacklog] = {}
        self._acks: dict[AckKey, PendingAck] = {}
        self._steps: dict[ExecutionId, dict[str, Step]] = {}
        self._workers: dict[KeyInNamespace, Worker] = {}
        self._schedules: dict[KeyInNamespace, Schedule] = {}
        self._lanes: dict[KeyInNamespace, LaneSwitch] = {}
        self._events_of_flow: dict[FlowId, list[int]] = {}

    @property
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 if self._clock is None else self._clock.now_ms

    def writer(self) -> "MemoryWriter":
        return MemoryWriter(self)

    def ping(self) -> None:
        if self._closed:
            raise StoreUnavailable("This memory store was closed, and what it held is gone. Open a new engine.")

    def callers_connection(self, connection: object, *, is_async: bool) -> CallersConnection:
        raise InvalidInput(
            "This engine keeps its records in memory, and there is no connection whose transaction it could join. "
            "Submit without conn=, or use a SQLite file in tests, too."
        )

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        return nullcontext()  # no other process can reach it

    def listen_for(self, *, ends: bool, events: bool) -> None:
        pass

    def close(self) -> None:
        self._closed = True

    # ── reads ────────────────────────────────────────────────────────────────────────────────────

    def _reading(self) -> AbstractContextManager[bool]:
        self.ping()
        return self._lock

    def execution(self, execution_id: ExecutionId) -> Execution | None:
        with self._reading():
            return self._executions.get(execution_id)

    def executions_named(self, execution_ids: Iterable[ExecutionId]) -> list[Execution]:
        with self._reading():
            return [self._executions[key] for key in sorted(execution_ids) if key in self._executions]

    def result(self, execution_id: ExecutionId) -> bytes | None:
        with self._reading():
            x = self._executions.get(execution_id)
            return None if x is None else self._results.get((execution_id, x.replay_count))

    def payload(self, execution_id: ExecutionId) -> bytes | None:
        with self._reading():
            return self._payloads.get(execution_id)

    def attempts(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Attempt], list[FailedAttempt]]:
        with self._reading():
            rows, failures = self._attempts.get(execution_id, {}), self._failures.get(execution_id, {})
            return (
                self._executions.get(execution_id),
                [rows[index] for index in sorted(rows)],
                [failures[index] for index in sorted(failures)],
            )

    def last_failure(self, execution_id: ExecutionId) -> FailedAttempt | None:
        with self._reading():
            failures = self._failures.get(execution_id)
            return failures[max(failures)] if failures else None

    def executions(self, where: ExecutionFilter, after: ListPosition | None, limit: int) -> list[Execution]:
        with self._reading():
            end = bisect_left(self._newest, where.start(after))
            newest_first = (self._at(self._newest[i]) for i in range(end - 1, -1, -1))
            return list(islice((x for x in newest_first if _shows(where, x)), limit))

    def count_executions(self, where: ExecutionFilter) -> int:
        with self._reading():
            end = bisect_left(self._newest, where.start(None))
            return sum(_shows(where, self._at(position)) for position in self._newest[:end])

    def _at(self, position: ListPosition) -> Execution:
        return self._executions[make_execution_id(position.partition, position.uuid)]

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> EventPage:
        with self._reading():
            position = event_id_at(cursor, self.name, self._last_event_id, self._purged)
            later = (
                (event_id for event_id in self._events_of.get(where.execution_id, ()) if event_id > position)
                if where.execution_id is not None
                else range(position + 1, self._last_event_id + 1)
            )
            found = (self._events[event_id] for event_id in later if event_id in self._events)
            # Copies, so that the log stays as it is whatever a reader does with what it read.
            events = [
                replace(event, details=dict(event.details))
                for event in islice((event for event in found if _passes(where, event)), limit)
            ]
            end = events[-1].event_id if len(events) == limit else self._last_event_id
            return EventPage(events, event_cursor(self.name, end, self._purged))

    def events_from_now(self) -> str:
        with self._reading():
            return event_cursor(self.name, self._last_event_id, self._purged)

    def cursor_within(self, before: str | None, page: EventPage, event: Event) -> str:
        return event_cursor_within(self.name, page.next_cursor, event.event_id)

    def steps(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Step]]:
        with self._reading():
            return self._executions.get(execution_id), in_stored_order(self._steps.get(execution_id, {}).values())

    def workers(self, namespace: str | None) -> list[Worker]:
        with self._reading():
            known = (self._workers[key] for key in sorted(self._workers))
            return [worker for worker in known if namespace in (None, worker.namespace)]

    def old_events(self, until_ms: int, limit: int) -> list[int]:
        with self._reading():
            return sorted(event.occurred_at_ms for event in self._old_events(until_ms))[:limit]

    def _old_events(self, until_ms: int) -> list[Event]:
        return [
            event
            for event in self._events.values()
            if event.execution_id is None and event.flow_id is None and event.occurred_at_ms <= until_ms
        ]

    def silent_workers(self, until_ms: int, limit: int) -> list[KeyInNamespace]:
        with self._reading():
            silent = (key for key, worker in self._workers.items() if worker.alive_until_ms <= until_ms)
            return list(islice(silent, limit))

    def schedules(self, namespace: str | None) -> list[Schedule]:
        with self._reading():
            return [self._schedules[key] for key in sorted(self._schedules) if namespace in (None, key[0])]

    def lane_switches(self, namespace: str | None) -> list[LaneSwitch]:
        with self._reading():
            known = (self._lanes[key] for key in sorted(self._lanes))
            return [switch for switch in known if namespace in (None, switch.namespace)]

    def lane_counts(self, namespace: str | None) -> list[LaneCount]:
        with self._reading():
            live = (x for x in self._executions.values() if not x.has_ended and namespace in (None, x.namespace))
            return [
                LaneCount(x.namespace, x.lane, x.lifecycle_phase, x.eligibility_state, 1, x.ready_at_ms) for x in live
            ]

    def recent_ends(self, namespace: str | None, since_ms: int) -> RecentEnds:
        with self._reading():
            newest = [self._events[event_id] for event_id in islice(reversed(self._events), RECENT_EVENTS + 1)]
            if len(newest) > RECENT_EVENTS:
                since_ms = max(since_ms, newest.pop().occurred_at_ms)
            ids = (event.execution_id for event in newest if _is_end(event, since_ms))
            ended = [self._executions[ExecutionId(key)] for key in ids if key is not None]
            return RecentEnds(
                Counter((x.namespace, x.lane) for x in ended if namespace in (None, x.namespace)), since_ms
            )

    def tally(self, namespace: str | None) -> Tally:
        with self._reading():
            executions = [x for x in self._executions.values() if namespace in (None, x.namespace)]
            flows = [flow for flow in self._flows.values() if namespace in (None, flow.namespace)]
            of_flows = {flow.flow_id for flow in flows}
            log = None
            if self._events and namespace is None:
                first, last = (self._events[event_id] for event_id in (min(self._events), max(self._events)))
                log = LogExtent(first.event_id, first.occurred_at_ms, last.event_id, last.occurred_at_ms)
            return Tally(
                Counter(x.public_state for x in executions),
                min((x.ready_at_ms for x in executions if ready_of(x) is not None), default=None),
                Counter(flow.state for flow in flows),
                sum(flow_id in of_flows for flow_id, _ in self._acks),
                log,
                None,
                all_kept([*map(_kept, executions), *map(_flow_kept, flows)]),
            )

    def flow(self, flow_id: FlowId) -> Flow | None:
        with self._reading():
            return self._flows.get(flow_id)

    def flow_view(self, flow_id: FlowId) -> FlowView | None:
        with self._reading():
            flow = self._flows.get(flow_id)
            if flow is None:
                return None
            waited_for = [key for key in self._members.get(flow_id, ()) if key in self._groups]
            owed = sorted(key for of, key in self._acks if of == flow_id)
            return FlowView(flow, [self._group_view(key) for key in sorted(waited_for)], owed)

    def pending_acks(self, flow_ids: Collection[FlowId]) -> dict[FlowId, list[ExecutionId]]:
        with self._reading():
            owed: dict[FlowId, list[ExecutionId]] = {flow_id: [] for flow_id in flow_ids}
            for flow_id, key in sorted(self._acks):
                if flow_id in owed:
                    owed[flow_id].append(key)
            return owed

    def _group_view(self, downstream: ExecutionId) -> GroupView:
        pending = [edge for edge in map(self._edge_at, self._incoming.get(downstream, ())) if edge.state == "pending"]
        running = sum(not self._executions[edge.upstream].has_ended for edge in pending)
        return GroupView(self._groups[downstream], self._executions[downstream].has_ended, running)

    def _edge_at(self, key: EdgeKey) -> Edge:
        return self._edges[key[0]][key[1]]

    def flows(self, where: FlowFilter, after: ListPosition | None, limit: int) -> list[Flow]:
        with self._reading():
            end = len(self._newest_flows) if after is None else bisect_left(self._newest_flows, after)
            newest_first = (self._flows[FlowId(self._newest_flows[i].uuid)] for i in range(end - 1, -1, -1))
            return list(islice((flow for flow in newest_first if _shows_flow(where, flow)), limit))

    def edge(self, flow_id: FlowId, edge_id: str) -> Edge | None:
        with self._reading():
            return self._edges.get(flow_id, {}).get(edge_id)

    def edges(self, flow_id: FlowId, upstream: ExecutionId | None, downstream: ExecutionId | None) -> list[Edge]:
        with self._reading():
            edges = self._edges.get(flow_id, {})
            return [
                edges[edge_id]
                for edge_id in sorted(edges)
                if upstream in (None, edges[edge_id].upstream) and downstream in (None, edges[edge_id].downstream)
            ]

    def group(self, downstream: ExecutionId) -> EdgeGroup | None:
        with self._reading():
            return self._groups.get(downstream)

    def flows_to_purge(self, until_ms: int, limit: int) -> list[FlowId]:
        with self._reading():
            over = (
                key for key, flow in self._flows.items() if (at := purge_at_ms(flow)) is not None and at <= until_ms
            )
            return list(islice(over, limit))

    def overdue_acks(self, until_ms: int, limit: int) -> list[AckKey]:
        with self._reading():
            return list(islice((key for key, ack in self._acks.items() if ack.overdue_at_ms <= until_ms), limit))

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
            )

    def look(self, lanes: Sequence[Lane]) -> Look:
        now_ms = self.now_ms
        with self._reading():
            due = [kind for kind, rows in self._due.items() if rows and rows[0][0] <= now_ms]
            has_overdue_acks = any(ack.overdue_at_ms <= now_ms for ack in self._acks.values())
            delayed = (at - now_ms for at, *_ in self._due.get("delay", []) if at > now_ms)
            paused = {key for key, lane in self._lanes.items() if lane.is_paused}
            filled = {(namespace, lane) for (namespace, lane, _), rows in self._ready.items() if rows}
            ready = [lane for lane in lanes if lane in filled and lane not in paused]
            return Look(due, has_overdue_acks, ready, next(delayed, None))

    def due(self, kind: DueKind, until_ms: int, after: Due | None, limit: int) -> list[Due]:
        with self._reading():
            rows = self._due.get(kind, [])
            start = 0 if after is None else bisect_right(rows, _moment_of(after))
            return [Due(kind, at, key) for at, _, key in rows[start : start + limit] if at <= until_ms]

    def expired_idempotency_keys(self, until_ms: int, limit: int) -> list[KeyInNamespace]:
        with self._reading():
            over = (key for key, row in self._idempotency_keys.items() if row.expires_at_ms <= until_ms)
            return list(islice(over, limit))

    def expired_answers(self, until_ms: int, limit: int) -> list[KeyInNamespace]:
        with self._reading():
            over = (key for key, row in self._answers.items() if row.expires_at_ms <= until_ms)
            return list(islice(over, limit))

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        with self._reading():
            keys = sorted(key for key in self._executions if after is None or key > after)[:limit]
            rows = [self._side_rows_of(self._executions[key]) for key in keys]
            return SideRowsPage(rows, keys[-1] if len(keys) == limit else None)

    def take_turn(self, holder: str, ttl_ms: int, after: ExecutionId | None) -> Turn:
        return Turn(holder, self.now_ms + ttl_ms, after)

    def _side_rows_of(self, x: Execution) -> SideRows:
        ready, due = ready_of(x), due_of(x)
        return SideRows(
            x,
            ready is None or _holds(self._ready.get(_part_of(ready), []), (queue_order(ready), ready)),
            due is None or _holds(self._due.get(due.kind, []), _moment_of(due)),
            self._groups.get(x.execution_id) if x.eligibility_state == "blocked_by_dependencies" else None,
        )

    # ── writes, by a transaction that holds the lock ─────────────────────────────────────────────

    def _load(self, needs: Needs) -> Loaded:
        loaded = Loaded(
            executions=_chosen(self._executions, needs.executions),
            payloads=_chosen(self._payloads, needs.payloads),
            idempotency_keys=_chosen(self._idempotency_keys, needs.idempotency_keys),
            answers=_chosen(self._answers, needs.answers),
        )
        loaded.executions |= _chosen(self._executions, needs.holders_in(loaded))
        read_by_claims = {(need.namespace, lane) for need in needs.claims for lane in need.lanes}
        loaded.lanes |= _chosen(self._lanes, needs.lanes | read_by_claims)
        for need, most in needs.claims.items():
            loaded.candidates[need] = candidates = self._candidates(need, need.open_lanes(loaded.lanes), most)
            for ready in candidates:
                key = ready.execution_id
                if key in self._executions:
                    loaded.executions[key] = x = self._executions[key]
                    loaded.payloads[key] = self._payloads[key]
                    if x.flow_id is not None:
                        loaded.flows[FlowId(x.flow_id)] = self._flows[FlowId(x.flow_id)]
                        self._load_inputs(key, loaded)
        if needs.concerns_flows:
            self._load_flows(needs, loaded)
        for key in needs.inputs:
            self._load_inputs(key, loaded)
        for key, name in needs.steps:
            if name in self._steps.get(key, {}):
                loaded.steps[key, name] = self._steps[key][name]
            numbers = (step.number or 0 for step in self._steps.get(key, {}).values())
            loaded.last_step_numbers[key] = max(numbers, default=0)
        for key in needs.step_places:
            steps = in_stored_order(self._steps.get(key, {}).values())
            loaded.step_places[key] = [StepPlace(step.name, step.recorded_at_ms, step.number) for step in steps]
        loaded.workers |= _chosen(self._workers, needs.workers)
        loaded.schedules |= _chosen(self._schedules, needs.schedules)
        return loaded

    def _load_flows(self, needs: Needs, loaded: Loaded) -> None:
        members = [x for x in map(self._executions.get, needs.flows_of) if x is not None and x.flow_id is not None]
        loaded.flows |= _chosen(self._flows, {*needs.flows, *(FlowId(x.flow_id or "") for x in members)})
        loaded.groups |= _chosen(self._groups, needs.groups)
        loaded.edges |= {key: self._edge_at(key) for key in needs.edges if key[1] in self._edges.get(key[0], {})}
        loaded.cancelled_members |= _chosen(self._cancelled_members, needs.cancelled_members)
        loaded.backlogs |= _chosen(self._backlogs, needs.backlogs)
        loaded.acks |= _chosen(self._acks, needs.acks)
        for key in needs.outgoing:
            self._load_outgoing(key, loaded)
        frontier = list(needs.reach)
        while frontier:
            key = frontier.pop()
            if key not in loaded.outgoing:
                self._load_outgoing(key, loaded)
                frontier += [edge.downstream for edge in map(self._edge_at, loaded.outgoing[key])]
        for key in needs.incoming:
            self._load_incoming(key, loaded)
        for flow_id in needs.whole_flows:
            loaded.members[flow_id] = sorted(self._members.get(flow_id, ()), key=uuid_in)
            for key in loaded.members[flow_id]:
                loaded.executions[key] = self._executions[key]
                self._load_outgoing(key, loaded)
                self._load_incoming(key, loaded)

    def _load_outgoing(self, key: ExecutionId, loaded: Loaded) -> None:
        for edge in self._load_edges(self._outgoing, key, loaded.outgoing, loaded):
            loaded.executions[edge.downstream] = self._executions[edge.downstream]
            loaded.groups[edge.downstream] = self._groups[edge.downstream]

    def _load_incoming(self, key: ExecutionId, loaded: Loaded) -> None:
        for edge in self._load_edges(self._incoming, key, loaded.incoming, loaded):
            loaded.executions[edge.upstream] = self._executions[edge.upstream]
        if key in self._groups:
            loaded.groups[key] = self._groups[key]

    def _load_inputs(self, key: ExecutionId, loaded: Loaded) -> None:
        passing = [at for at in self._incoming.get(key, ()) if self._edge_at(at).pass_result_as is not None]
        for edge in self._load_edges({key: passing}, key, loaded.passing, loaded):
            at = (edge.upstream, edge.generation)
            if edge.state == "satisfied" and at in self._results:
                loaded.results[at] = self._results[at]

    def _load_edges(
        self,
        stored: Mapping[ExecutionId, list[EdgeKey]],
        key: ExecutionId,
        known: dict[ExecutionId, list[EdgeKey]],
        loaded: Loaded,
    ) -> list[Edge]:
        known[key] = list(stored.get(key, ()))
        edges = [self._edge_at(at) for at in known[key]]
        loaded.edges.update((edge.key, edge) for edge in edges)
        return edges

    def _candidates(self, need: ClaimNeed, lanes: Collection[str], most: int) -> list[Ready]:
        heads = [
            entry
            for (namespace, lane, required), queue in self._ready.items()
            if namespace == need.namespace and lane in lanes and need.capabilities.issuperset(required)
            for entry in queue[:most]
        ]
        return [ready for _, ready in sorted(heads, key=_order)[:most]]

    def _apply(self, changes: Changes, batch_id: bytes, now_ms: int) -> None:
        self._batches[batch_id] = now_ms
        for before, after in changes.executions:
            if after is None:
                assert before is not None
                self._remove(before)
            else:
                if before is None:
                    insort(self._newest, _position_of(after))
                    if after.flow_id is not None:
                        self._members.setdefault(FlowId(after.flow_id), []).append(after.execution_id)
                self._executions[after.execution_id] = after
        self._payloads.update(changes.payloads)
        _update(self._results, changes.results)
        for (key, index), attempt in changes.attempts.items():
            self._attempts.setdefault(key, {})[index] = attempt
        for (key, index), failure in changes.failures.items():
            self._failures.setdefault(key, {})[index] = failure
        for event in changes.events:
            self._append(event)
        self._apply_flows(changes)
        for key in changes.cleared_steps:
            self._steps.pop(key, None)
        for key, name in changes.dropped_steps:
            self._steps.get(key, {}).pop(name, None)
        for (key, name), step in changes.steps.items():
            self._steps.setdefault(key, {})[name] = step
        _update(self._workers, changes.workers)
        _update(self._schedules, changes.schedules)
        self._lanes.update(changes.lanes)
        _update(self._idempotency_keys, changes.idempotency_keys)
        _update(self._answers, changes.answers)
        if changes.forget_batches_before_ms is not None:
            self._batches = {k: at for k, at in self._batches.items() if at >= changes.forget_batches_before_ms}
        if changes.forget_events_until_ms is not None:
            self._purge_events([each.event_id for each in self._old_events(changes.forget_events_until_ms)])
        self._apply_side_rows(changes)

    def _apply_side_rows(self, changes: Changes) -> None:
        rows = side_row_changes(changes)
        for ready in rows.ready_gone:
            _discard(self._ready.get(_part_of(ready), []), (queue_order(ready), ready))
        for ready in rows.ready_new:
            insort(self._ready.setdefault(_part_of(ready), []), (queue_order(ready), ready))
        for due in rows.due_gone:
            _discard(self._due.get(due.kind, []), _moment_of(due))
        for due in rows.due_new:
            insort(self._due.setdefault(due.kind, []), _moment_of(due))

    def _apply_flows(self, changes: Changes) -> None:
        for before, flow in changes.flows:
            if flow is None:
                assert before is not None
                self._remove_flow(before)
            else:
                if before is None:
                    insort(self._newest_flows, _position_of_flow(flow))
                self._flows[flow.flow_id] = flow
        for known, edge in changes.edges:
            self._edges.setdefault(edge.flow_id, {})[edge.edge_id] = edge
            if known is None:
                insort(self._outgoing.setdefault(edge.upstream, []), edge.key)
                insort(self._incoming.setdefault(edge.downstream, []), edge.key)
        for _, group in changes.groups:
            self._groups[group.downstream] = group
        for flow_id in changes.dropped_cancels:
            self._drop_cancel(flow_id)
        self._cancelled_members.update(changes.cancelled_members)
        _update(self._backlogs, changes.backlogs)
        _update(self._acks, changes.acks)

    def _remove_flow(self, flow: Flow) -> None:
        key = flow.flow_id
        del self._flows[key]
        _discard(self._newest_flows, _position_of_flow(flow))
        for member in self._members.pop(key, ()):
            for graph in (self._outgoing, self._incoming, self._groups):
                graph.pop(member, None)
        self._edges.pop(key, None)
        self._drop_cancel(key)
        self._purge_events(self._events_of_flow.pop(key, []))

    def _drop_cancel(self, key: FlowId) -> None:
        self._cancelled_members.pop(key, None)
        self._backlogs.pop(key, None)
        self._acks = {at: ack for at, ack in self._acks.items() if at[0] != key}

    def _append(self, event: Event) -> None:
        self._last_event_id += 1
        self._events[self._last_event_id] = Event(
            self._last_event_id,
            event.channel,
            event.event_type,
            event.namespace,
            event.execution_id,
            event.flow_id,
            event.seq,
            event.details,
            event.occurred_at_ms,
        )
        if event.execution_id is not None:
            self._events_of.setdefault(ExecutionId(event.execution_id), []).append(self._last_event_id)
        elif event.flow_id is not None:
            self._events_of_flow.setdefault(FlowId(event.flow_id), []).append(self._last_event_id)

    def _remove(self, x: Execution) -> None:
        key = x.execution_id
        del self._executions[key]
        _discard(self._newest, _position_of(x))
        self._payloads.pop(key, None)
        for generation in range(x.replay_count + 1):
            self._results.pop((key, generation), None)
        self._attempts.pop(key, None)
        self._failures.pop(key, None)
        self._steps.pop(key, None)
        self._purge_events(self._events_of.pop(key, []))
        if x.idempotency_key is not None:
            promised = self._idempotency_keys.get((x.namespace, x.idempotency_key))
            if promised is not None and promised.execution_id == key:
                del self._idempotency_keys[x.namespace, x.idempotency_key]

    def _purge_events(self, event_ids: list[int]) -> None:
        for event_id in event_ids:
            del self._events[event_id]
        self._purged = Purged(max([self._purged.event_id, *event_ids]), self._purged.purges + 1)


class MemoryWriter:
    """The write side of a memory store."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def run(self, batch: "Batch") -> Answered:
        return run_in(self.begin(batch.batch_id), batch)

    def begin(self, batch_id: bytes) -> "MemoryTransaction":
        self._store.ping()
        self._store._lock.acquire()
        return MemoryTransaction(self._store, batch_id)

    def was_committed(self, batch_id: bytes) -> bool:
        with self._store._lock:
            return batch_id in self._store._batches

    def reconnect(self) -> None:
        self._store.ping()

    def close(self) -> None:
        pass


class MemoryTransaction:
    """One atomic batch; holds the store's lock until it ends."""

    def __init__(self, store: MemoryStore, batch_id: bytes) -> None:
        self._store = store
        self._batch_id = batch_id
        self._changes: Changes | None = None
        self._now_ms = store.now_ms
        self.era = 0  # it never falls back: what it forgets, it forgets as a whole

    @property
    def now_ms(self) -> int:
        return self._now_ms

    def load(self, needs: Needs) -> Loaded:
        return self._store._load(needs)

    def save(self, changes: Changes) -> None:
        self._changes = changes

    def commit(self) -> None:
        try:
            if self._changes is not None:
                self._store._apply(self._changes, self._batch_id, self._now_ms)
        finally:
            self._store._lock.release()

    def rollback(self) -> None:
        self._store._lock.release()


def _order(entry: tuple[tuple[int, int, str, int], Ready]) -> tuple[int, int, str, int]:
    return entry[0]


def _holds(ordered: list[Any], entry: Any) -> bool:
    index = bisect_left(ordered, entry)
    return index < len(ordered) and ordered[index] == entry


def _discard(ordered: list[Any], entry: Any) -> None:
    if _holds(ordered, entry):
        del ordered[bisect_left(ordered, entry)]


def _part_of(ready: Ready) -> QueuePart:
    return (ready.namespace, ready.lane, ready.required_capabilities)


def _moment_of(due: Due) -> Moment:
    return due.due_at_ms, partition_in(due.execution_id), due.execution_id


def _position_of(x: Execution) -> ListPosition:
    return ListPosition(x.created_at_ms, uuid_in(x.execution_id), partition_in(x.execution_id))


def _position_of_flow(flow: Flow) -> ListPosition:
    return ListPosition(flow.created_at_ms, flow.flow_id, flow_partition(flow.flow_id))


def _shows_flow(where: FlowFilter, flow: Flow) -> bool:
    return where.namespace in (None, flow.namespace) and where.state in (None, flow.state)


def _chosen(table: dict[K, V], keys: Iterable[K]) -> dict[K, V]:
    return {key: table[key] for key in keys if key in table}


def _update(table: dict[K, V], changes: Mapping[K, V | None]) -> None:
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value


def _shows(where: ExecutionFilter, x: Execution) -> bool:
    return (
        (where.namespace is None or x.namespace == where.namespace)
        and (where.public_state is None or x.public_state == where.public_state)
        and (where.lane is None or x.lane == where.lane)
        and (where.flow_id is None or x.flow_id == where.flow_id)
        and (where.kind is None or x.kind == where.kind)
        and (where.tag is None or x.tags.get(where.tag[0]) == where.tag[1])
    )


def _kept(x: Execution) -> Kept:
    if not x.has_ended or x.flow_id is not None:
        return Kept()
    due = due_of(x)
    return Kept(executions_for_ever=1) if due is None else Kept(executions_to_go=1, next_at_ms=due.due_at_ms)


def _flow_kept(flow: Flow) -> Kept:
    if over_since_ms(flow) is None:
        return Kept()
    at_ms = purge_at_ms(flow)
    return Kept(flows_for_ever=1) if at_ms is None else Kept(flows_to_go=1, next_at_ms=at_ms)


def _is_end(event: Event, since_ms: int) -> bool:
    return event.channel == "completion" and event.occurred_at_ms > since_ms


def _passes(where: EventFilter, event: Event) -> bool:
    return (
        (where.channels is None or event.channel in where.channels)
        and (where.namespace is None or event.namespace == where.namespace)
        and (where.execution_id is None or event.execution_id == where.execution_id)
        and (where.flow_id is None or event.flow_id == where.flow_id)
    )
