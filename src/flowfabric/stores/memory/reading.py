"""The reads of a memory store, for callers."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from flowfabric.domain.access import AccessToken, TokenKind
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.execution import (
    Attempt,
    Execution,
    FailedAttempt,
    due_of,
    ready_of,
)
from flowfabric.domain.flow import Edge, EdgeGroup, Flow, over_since_ms, purge_at_ms
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import MINUTE_MS, RECENT_EVENTS, RECENT_FAILURES, LaneCount, LaneState, RecentEnds
from flowfabric.domain.listing import EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.snapshots import EndsInMinute, FailureGroup, Kept, LogExtent, all_kept
from flowfabric.domain.steps import Step, in_stored_order
from flowfabric.domain.views import FlowView, GroupView, Tally
from flowfabric.domain.workers import Worker
from flowfabric.stores._shared.counts import ends_of
from flowfabric.stores._shared.log_position import event_cursor, event_cursor_within, event_id_at
from flowfabric.stores.memory.records import Records

if TYPE_CHECKING:
    from flowfabric.domain.states import EligibilityState, LifecyclePhase


class MemoryReads(Records):
    """The reads of a store."""

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

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> EventPage:
        with self._reading():
            position = event_id_at(cursor, self.name, self._last_event_id, self._purged)
            later = (
                (event_id for event_id in self._events_of.get(where.execution_id, ()) if event_id > position)
                if where.execution_id is not None
                else range(position + 1, self._last_event_id + 1)
            )
            found = (self._events[event_id] for event_id in later if event_id in self._events)
            # Copies, so that a reader that changes its events does not change the log.
            events = [
                replace(event, details=dict(event.details))
                for event in islice((event for event in found if _passes(where, event)), limit)
            ]
            end = events[-1].event_id if len(events) == limit else self._last_event_id
            return EventPage(events, event_cursor(self.name, end, self._purged))

    def newest_events(self, where: EventFilter, among: int, limit: int) -> EventPage:
        with self._reading():
            last_ids = range(self._last_event_id, self._last_event_id - among, -1)
            newest = (self._events[event_id] for event_id in last_ids if event_id in self._events)
            found = [*islice((event for event in newest if _passes(where, event)), limit)]
            events = [replace(event, details=dict(event.details)) for event in reversed(found)]
            return EventPage(events, event_cursor(self.name, self._last_event_id, self._purged))

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

    def access_token(self, token_id: str) -> AccessToken | None:
        with self._reading():
            return self._access_tokens.get(token_id)

    def access_tokens(
        self, namespace: str | None, kind: TokenKind | None, after: tuple[int, str] | None, limit: int
    ) -> list[AccessToken]:
        with self._reading():
            newest = sorted(((each.created_at_ms, key) for key, each in self._access_tokens.items()), reverse=True)
            found = (self._access_tokens[key] for at_ms, key in newest if after is None or (at_ms, key) < after)
            wanted = (each for each in found if namespace in (None, each.namespace) and kind in (None, each.kind))
            return list(islice(wanted, limit))

    def surplus_sessions(self, token_id: str, now_ms: int, kept: int) -> list[str]:
        with self._reading():
            known = self._access_tokens.items()
            mine = [
                (each.created_at_ms, key) for key, each in known if each.parent_id == token_id and each.is_alive(now_ms)
            ]
            return [key for _, key in sorted(mine, reverse=True)[kept : kept + 100]]

    def schedules(self, namespace: str | None) -> list[Schedule]:
        with self._reading():
            return [self._schedules[key] for key in sorted(self._schedules) if namespace in (None, key[0])]

    def lane_switches(self, namespace: str | None) -> list[LaneState]:
        with self._reading():
            known = (self._lanes[key] for key in sorted(self._lanes))
            return [switch for switch in known if namespace in (None, switch.namespace)]

    def lane_counts(self, namespace: str | None) -> list[LaneCount]:
        with self._reading():
            alike: dict[tuple[str, str, LifecyclePhase, EligibilityState], list[int]] = {}
            for x in self._executions.values():
                if not x.has_ended and namespace in (None, x.namespace):
                    at = (x.namespace, x.lane, x.lifecycle_phase, x.eligibility_state)
                    alike.setdefault(at, []).append(x.ready_at_ms)
            return [LaneCount(*at, len(ready_at_ms), min(ready_at_ms)) for at, ready_at_ms in alike.items()]

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
                sum(x.eligibility_state == "blocked_by_budget" for x in executions),
            )

    def ends_per_minute(self, namespace: str | None, since_ms: int, until_ms: int) -> list[EndsInMinute]:
        minutes = range(since_ms // MINUTE_MS, until_ms // MINUTE_MS + 1)
        with self._reading():
            counted: Counter[tuple[int, int]] = Counter()
            for (minute, of, state), number in self._ends.items():
                if minute in minutes and namespace in (None, of):
                    counted[minute, state] += number
        return ends_of((*at, number) for at, number in sorted(counted.items()))

    def recent_failures(self, namespace: str | None, since_ms: int, limit: int) -> list[FailureGroup]:
        with self._reading():
            newest = (self._at(position) for position in reversed(self._newest))
            with_failure = islice((x for x in newest if x.failure_code is not None), RECENT_FAILURES)
            ended_at_ms: dict[tuple[str, str, str], list[int]] = {}
            for x in with_failure:
                is_recent = x.terminal_outcome == "failed" and (x.terminal_at_ms or 0) > since_ms
                if is_recent and namespace in (None, x.namespace):
                    alike = (x.kind, x.failure_code or "", x.failure_message or "")
                    ended_at_ms.setdefault(alike, []).append(x.terminal_at_ms or 0)
        found = [FailureGroup(*alike, len(ends), max(ends)) for alike, ends in ended_at_ms.items()]
        return sorted(found, key=lambda each: (-each.count, -each.last_at_ms, each.kind, each.code))[:limit]

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


def _shows_flow(where: FlowFilter, flow: Flow) -> bool:
    return where.namespace in (None, flow.namespace) and where.state in (None, flow.state)


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
    if x.policy.retention_ms is None:
        return Kept(executions_for_ever=1)
    due = due_of(x)
    is_settled = due is not None and due.kind == "retention"
    return Kept(executions_to_go=1, next_at_ms=due.due_at_ms if due is not None and is_settled else None)


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
