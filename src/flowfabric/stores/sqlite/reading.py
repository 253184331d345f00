"""The reads of a SQLite file, for callers."""

from collections.abc import Collection, Iterable
from operator import itemgetter
from typing import Final

from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.execution import Attempt, Execution, FailedAttempt
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import MINUTE_MS, RECENT_EVENTS, RECENT_FAILURES, LaneCount, LaneState, RecentEnds
from flowfabric.domain.listing import NEWEST, EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.snapshots import EndsInMinute, FailureGroup
from flowfabric.domain.steps import Step, in_stored_order
from flowfabric.domain.views import FlowView, GroupView, Tally
from flowfabric.domain.workers import Worker
from flowfabric.stores._shared.counts import (
    ends_of,
    has_listing,
    is_kept_count,
    lane_counts_of,
    listing_of,
    recent_ends_of,
    tally_of,
)
from flowfabric.stores._shared.encoding import CHANNEL_CODES, PUBLIC_STATE_CODES
from flowfabric.stores._shared.flows import FLOW_STATE_CODES
from flowfabric.stores._shared.log_position import event_cursor, event_cursor_within, event_id_at
from flowfabric.stores._shared.schedules import schedule_of
from flowfabric.stores._shared.workers import worker_of
from flowfabric.stores.sqlite.graph import Graph
from flowfabric.stores.sqlite.json_rows import FLOWS, Row
from flowfabric.stores.sqlite.readers import ReadSide
from flowfabric.stores.sqlite.rows import attempt_of, event_of, flow_of, group_of, id_of, key_of, step_of, uuid_bytes
from flowfabric.stores.sqlite.transaction import load_purged

LISTS: Final = {
    "all": "list_executions",
    "queued": "list_queued_executions",
    "failed": "list_failed_executions",
    "tagged": "list_tagged_executions",
}
"""The statements that list executions, by what they search."""


class SqliteReads(ReadSide):
    """The reads of a store."""

    def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            return found[0] if found else None

    def executions_named(self, execution_ids: Iterable[ExecutionId]) -> list[Execution]:
        """Those of the named executions that there are."""
        with self.readers.reading() as connection:
            return sorted(Graph(connection, self).executions(execution_ids), key=lambda x: x.execution_id)

    def result(self, execution_id: ExecutionId) -> bytes | None:
        """The result of an execution, if it has one."""
        with self.readers.reading() as connection:
            row = connection.execute(self.sql["load_result"], key_of(execution_id)).fetchone()
            return None if row is None else row[0]

    def payload(self, execution_id: ExecutionId) -> bytes | None:
        """The payload of an execution."""
        with self.readers.reading() as connection:
            row = connection.execute(self.sql["load_payload"], key_of(execution_id)).fetchone()
            return None if row is None else row[0]

    def attempts(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Attempt], list[FailedAttempt]]:
        """The execution, its attempts written so far, and why they failed."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            rows = connection.execute(self.sql["load_attempts"], key_of(execution_id)).fetchall()
            failures = connection.execute(self.sql["load_failures"], key_of(execution_id)).fetchall()
            return (
                found[0] if found else None,
                [attempt_of(execution_id, row) for row in sorted(rows, key=itemgetter(0))],
                [FailedAttempt(execution_id, *row) for row in failures],
            )

    def last_failure(self, execution_id: ExecutionId) -> FailedAttempt | None:
        """The last failed attempt of an execution, with its error."""
        with self.readers.reading() as connection:
            row = connection.execute(self.sql["load_last_failure"], key_of(execution_id)).fetchone()
            return None if row is None else FailedAttempt(execution_id, *row)

    def executions(self, where: ExecutionFilter, after: ListPosition | None, limit: int) -> list[Execution]:
        """Executions, newest first."""
        statement = "list_executions" if where.flow_id is None else "list_members"
        if where.tag is not None:
            statement = "list_tagged_executions"
        with self.readers.reading() as connection:
            if has_listing(where):
                counted = connection.execute(self.sql["count_for_list"], _count_values(where)).fetchone()
                among, limit = listing_of(where, limit, counted)
                statement = LISTS[among]
            values = (*list_position(where.start(after)), *_filter_values(where), limit)
            if statement in ("list_tagged_executions", "list_queued_executions"):
                values = (*values, *(where.tag or (None, None)))
            rows = connection.execute(self.sql[statement], values).fetchall() if limit else []
            keys = [id_of(*row) for row in rows]
            found = {x.execution_id: x for x in Graph(connection, self).executions(keys)}
            return [found[key] for key in keys]

    def count_executions(self, where: ExecutionFilter) -> int:
        """How many executions pass the filter."""
        values = (where.start(None).created_at_ms, *_filter_values(where))
        statement = "count_executions" if where.flow_id is None else "count_members"
        if where.tag is not None:
            statement, values = "count_tagged_executions", (*values, *where.tag)
        elif is_kept_count(where):
            statement, values = "count_kept_executions", _count_values(where)
        with self.readers.reading() as connection:
            return int(connection.execute(self.sql[statement], values).fetchone()[0])

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> EventPage:
        """The next events."""
        with self.readers.reading() as connection:
            last = connection.execute(self.sql["last_event_id"]).fetchone()[0]
            purged = load_purged(connection, self.sql)
            position = event_id_at(cursor, self.name, last, purged)
            values = (position, _channels(where), where.namespace, uuid_bytes(where.flow_id), limit)
            if where.execution_id is None:
                rows = connection.execute(self.sql["read_events"], values).fetchall()
            else:
                of_execution = (*values, *key_of(where.execution_id))
                rows = connection.execute(self.sql["read_events_of_execution"], of_execution).fetchall()
            events = [event_of(row) for row in rows]
            end = events[-1].event_id if len(events) == limit else last
            return EventPage(events, event_cursor(self.name, end, purged))

    def newest_events(self, where: EventFilter, among: int, limit: int) -> EventPage:
        """The newest events, oldest first."""
        with self.readers.reading() as connection:
            last = connection.execute(self.sql["last_event_id"]).fetchone()[0]
            values = (last - among, _channels(where), where.namespace, limit)
            rows = connection.execute(self.sql["read_newest_events"], values).fetchall()
            cursor = event_cursor(self.name, last, load_purged(connection, self.sql))
            return EventPage([event_of(row) for row in reversed(rows)], cursor)

    def events_from_now(self) -> str:
        """The cursor of the end of the log."""
        with self.readers.reading() as connection:
            last = connection.execute(self.sql["last_event_id"]).fetchone()[0]
            return event_cursor(self.name, last, load_purged(connection, self.sql))

    def cursor_within(self, before: str | None, page: EventPage, event: Event) -> str:
        """The cursor after an event of a page. Ids are in commit order, so an id is a position."""
        return event_cursor_within(self.name, page.next_cursor, event.event_id)

    def steps(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Step]]:
        """The execution and its stored steps."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            rows = connection.execute(self.sql["load_steps"], key_of(execution_id)).fetchall()
            return found[0] if found else None, in_stored_order(step_of(execution_id, name, row) for name, *row in rows)

    def workers(self, namespace: str | None) -> list[Worker]:
        """The workers, as they have reported themselves."""
        with self.readers.reading() as connection:
            return [worker_of(row) for row in connection.execute(self.sql["list_workers"], (namespace,)).fetchall()]

    def schedules(self, namespace: str | None) -> list[Schedule]:
        """Schedules, by namespace and name."""
        with self.readers.reading() as connection:
            return [schedule_of(row) for row in connection.execute(self.sql["list_schedules"], (namespace,)).fetchall()]

    def lane_switches(self, namespace: str | None) -> list[LaneState]:
        """The states of lanes that operators have set."""
        with self.readers.reading() as connection:
            rows = connection.execute(self.sql["list_lane_switches"], (namespace,)).fetchall()
            return [LaneState(*row) for row in rows]

    def lane_counts(self, namespace: str | None) -> list[LaneCount]:
        """How many executions each lane holds that have not ended, by state."""
        with self.readers.reading() as connection:
            return lane_counts_of(
                connection.execute(self.sql["count_live_executions"], (namespace,)).fetchall(),
                connection.execute(self.sql["find_oldest_ready"], (namespace,)).fetchall(),
                lambda: connection.execute(self.sql["find_oldest_suspended"], (namespace,)).fetchall(),
            )

    def recent_ends(self, namespace: str | None, since_ms: int) -> RecentEnds:
        """How many executions of each lane have ended, counted from the newest events."""
        with self.readers.reading() as connection:
            oldest = connection.execute(self.sql["find_nth_newest_event"], (RECENT_EVENTS,)).fetchone()
            values = (namespace, since_ms, RECENT_EVENTS)
            return recent_ends_of(
                connection.execute(self.sql["count_recent_ends"], values).fetchall(), oldest, since_ms
            )

    def tally(self, namespace: str | None) -> Tally:
        """Counts of all records."""
        with self.readers.reading() as connection:
            return tally_of(
                standings=connection.execute(self.sql["count_standings"], (namespace,)).fetchall(),
                oldest_ready=connection.execute(self.sql["find_oldest_ready"], (namespace,)).fetchall(),
                pending_acks=connection.execute(self.sql["count_pending_acks"], (namespace,)).fetchone()[0],
                log=None if namespace is not None else connection.execute(self.sql["read_log_extent"]).fetchone(),
                schema_version=connection.execute(self.sql["read_schema_version"]).fetchone()[0],
                next_at_ms=[
                    row[0]
                    for name in ("find_next_retention", "find_next_retention_of_flows")
                    for row in connection.execute(self.sql[name], (namespace,)).fetchall()
                ],
            )

    def ends_per_minute(self, namespace: str | None, since_ms: int, until_ms: int) -> list[EndsInMinute]:
        """How many executions have ended in each minute."""
        values = (namespace, since_ms // MINUTE_MS, until_ms // MINUTE_MS)
        with self.readers.reading() as connection:
            return ends_of(connection.execute(self.sql["count_ends"], values).fetchall())

    def recent_failures(self, namespace: str | None, since_ms: int, limit: int) -> list[FailureGroup]:
        """What has failed after an instant, by kind, code and message."""
        values = (namespace, since_ms, RECENT_FAILURES, limit)
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["count_recent_failures"], values).fetchall()
        return [FailureGroup(*row) for row in found]

    def flow(self, flow_id: FlowId) -> Flow | None:
        """One flow."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).flows([flow_id])
            return found[0] if found else None

    def flow_view(self, flow_id: FlowId) -> FlowView | None:
        """One flow with its groups and pending acknowledgements."""
        with self.readers.reading() as connection:
            graph = Graph(connection, self)
            found = graph.flows([flow_id])
            if not found:
                return None
            groups = [
                GroupView(group_of(row), bool(row.downstream_has_ended), row.running_count)
                for row in graph.viewed_groups(flow_id)
            ]
            acks = graph.acks_of([flow_id])
        groups.sort(key=lambda view: view.group.downstream)
        return FlowView(found[0], groups, sorted(ack.execution_id for ack in acks))

    def pending_acks(self, flow_ids: Collection[FlowId]) -> dict[FlowId, list[ExecutionId]]:
        """The members that the cancels of these flows still wait for."""
        owed: dict[FlowId, list[ExecutionId]] = {flow_id: [] for flow_id in flow_ids}
        with self.readers.reading() as connection:
            for ack in Graph(connection, self).acks_of(flow_ids):
                owed[ack.flow_id].append(ack.execution_id)
        return {flow_id: sorted(keys) for flow_id, keys in owed.items()}

    def flows(self, where: FlowFilter, after: ListPosition | None, limit: int) -> list[Flow]:
        """Flows, newest first."""
        state = None if where.state is None else FLOW_STATE_CODES[where.state]
        with self.readers.reading() as connection:
            values = (*list_position(after or NEWEST), where.namespace, state, limit)
            return [flow_of(row) for row in FLOWS.read(connection, self.sql["list_flows"], values)]

    def edge(self, flow_id: FlowId, edge_id: str) -> Edge | None:
        """One edge."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).edges([(flow_id, edge_id)])
            return found[0] if found else None

    def edges(self, flow_id: FlowId, upstream: ExecutionId | None, downstream: ExecutionId | None) -> list[Edge]:
        """The flow's edges, by edge id."""
        with self.readers.reading() as connection:
            graph = Graph(connection, self)
            if upstream is not None:
                found = graph.edges_from([upstream])
            elif downstream is not None:
                found = graph.edges_to([downstream])
            else:
                found = graph.edges_of([flow_id])
        chosen = [
            edge for edge in found if edge.flow_id == flow_id and (downstream is None or edge.downstream == downstream)
        ]
        return sorted(chosen, key=lambda edge: edge.edge_id)

    def group(self, downstream: ExecutionId) -> EdgeGroup | None:
        """The group of edges that lead to one execution."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).groups([downstream])
            return found[0] if found else None


def list_position(after: ListPosition) -> Row:
    """A place in a list, as parameters of a statement."""
    return after.created_at_ms, uuid_bytes(after.uuid), after.partition


def _count_values(where: ExecutionFilter) -> Row:
    state = None if where.public_state is None else PUBLIC_STATE_CODES[where.public_state]
    return where.namespace, state, where.lane, where.kind


def _channels(where: EventFilter) -> int | None:
    return None if where.channels is None else sum(1 << CHANNEL_CODES[each] for each in where.channels)


def _filter_values(where: ExecutionFilter) -> Row:
    state = None if where.public_state is None else PUBLIC_STATE_CODES[where.public_state]
    return where.namespace, state, where.lane, uuid_bytes(where.flow_id), where.kind
