"""The reads of a PostgreSQL database, for callers."""

from collections.abc import Collection, Iterable, Mapping
from operator import itemgetter
from typing import Final

import msgspec

from flowfabric.domain.cursors import cursor_gone, cursor_of_lost_events
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.execution import Attempt, Execution, FailedAttempt
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, uuid_in
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
from flowfabric.stores._shared.schedules import schedule_of
from flowfabric.stores._shared.workers import worker_of
from flowfabric.stores.postgres import flow_rows, rows
from flowfabric.stores.postgres.connection import FOR_TRANSACTION, Connection
from flowfabric.stores.postgres.event_position import (
    NOTHING_SEEN,
    EventPosition,
    event_cursor,
    event_cursor_within,
    position_in,
    position_now,
)
from flowfabric.stores.postgres.readers import ReadSide, key_of, refusing_bad_cursors

LISTS: Final = {
    "all": "list_executions",
    "queued": "list_queued_executions",
    "failed": "list_failed_executions",
    "tagged": "list_tagged_executions",
}
"""The statements that list executions, by what they search."""


class PostgresReads(ReadSide):
    """The reads of a store."""

    def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution."""
        with self.readers.reading() as connection:
            found = self._executions(connection, [execution_id])
            return found[0] if found else None

    def executions_named(self, execution_ids: Iterable[ExecutionId]) -> list[Execution]:
        """Those of the named executions that there are."""
        with self.readers.reading() as connection:
            return sorted(self._executions(connection, list(execution_ids)), key=lambda x: x.execution_id)

    def result(self, execution_id: ExecutionId) -> bytes | None:
        """The result of an execution, if it has one."""
        with self.readers.reading() as connection:
            (found,) = self._by_key(connection, ("read_result", key_of(execution_id)))
            return bytes(found[0][0]) if found else None

    def payload(self, execution_id: ExecutionId) -> bytes | None:
        """The payload of an execution."""
        with self.readers.reading() as connection:
            (found,) = self._by_key(connection, ("read_payloads", rows.keys([execution_id])))
            return bytes(found[0][2]) if found else None

    def attempts(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Attempt], list[FailedAttempt]]:
        """The execution, its attempts written so far, and why they failed."""
        key = key_of(execution_id)
        x, (written, failures) = self._execution_and(execution_id, ("read_attempts", key), ("read_failures", key))
        return (
            x,
            [rows.attempt_in(execution_id, row) for row in sorted(written, key=itemgetter(0))],
            [FailedAttempt(execution_id, *row) for row in failures],
        )

    def last_failure(self, execution_id: ExecutionId) -> FailedAttempt | None:
        """The last failed attempt of an execution, with its error."""
        with self.readers.reading() as connection:
            (found,) = self._by_key(connection, ("read_last_failure", key_of(execution_id)))
            return FailedAttempt(execution_id, *found[0]) if found else None

    def executions(self, where: ExecutionFilter, after: ListPosition | None, limit: int) -> list[Execution]:
        """Executions, newest first."""
        at = where.start(after)
        position = {"created_at_ms": at.created_at_ms, "execution_id": at.uuid, "partition_key": at.partition}
        values = {**_filter_values(where), **position, "most": limit}
        statement = "list_executions" if where.flow_id is None else "list_executions_of_flow"
        if where.tag is not None:
            statement = "list_tagged_executions"
        with self.readers.snapshot() if has_listing(where) else self.readers.reading() as connection:
            if has_listing(where):
                (counted,) = self._counted(connection, "count_for_list", **_filter_values(where))
                among, values["most"] = listing_of(where, limit, counted)
                statement = LISTS[among]
                if not values["most"]:
                    return []
            with refusing_bad_cursors():
                found = connection.execute(self.sql[statement].encode(), values, binary=True).fetchall()
            return [self._execution_in(row, connection) for row in found]

    def count_executions(self, where: ExecutionFilter) -> int:
        """How many executions pass the filter."""
        values = {**_filter_values(where), "created_before_ms": where.start(None).created_at_ms}
        statement = "count_executions" if where.flow_id is None else "count_executions_of_flow"
        if is_kept_count(where):
            statement = "count_kept_executions"
        if where.tag is not None:
            statement = "count_tagged_executions"
        with self.readers.reading() as connection:
            found = connection.execute(self.sql[statement].encode(), values).fetchone()
        assert found is not None
        return int(found[0])

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> EventPage:
        """The next events: what is visible now and was not visible at the last read."""
        at = position_in(cursor, self.name)
        with self.readers.snapshot() as connection:
            self._prepared(connection, "pin_plans", FOR_TRANSACTION)
            now = self._end_of_log(connection)
            if cursor is not None:
                self._check_not_gone(connection, at, now)
            events = self._events(connection, at, where, limit)
            if not events and at.upto is not None:
                # The reader has read the rest of the snapshot that an earlier page was cut from, and goes on with later
                # events. A page never mixes both: their event ids have no common order that a cursor could name.
                at = at.at_its_end()
                events = self._events(connection, at, where, limit)
            end = now if at.upto is None else at.at_its_end()
            if len(events) == limit:
                after_id = events[-1].event_id
                end = now.since(at, after_id) if at.upto is None else msgspec.structs.replace(at, after_id=after_id)
            return EventPage(events, event_cursor(end, self.name))

    def _end_of_log(self, connection: Connection) -> EventPosition:
        row = connection.execute(self.sql["end_of_log"].encode()).fetchone()
        assert row is not None
        return position_now(*row)

    def _check_not_gone(self, connection: Connection, at: EventPosition, now: EventPosition) -> None:
        values = msgspec.structs.asdict(at)
        # On the same timeline a visible event is never lost. On another timeline the id of a purged event may have been
        # handed out again.
        values["newest" if at.timeline == now.timeline else "newest_purged"] = None
        with refusing_bad_cursors():
            row = self._prepared(connection, "check_cursor", values).fetchone()
        assert row is not None
        is_lost, is_gone = row
        if is_lost:
            raise cursor_of_lost_events()
        if is_gone:
            raise cursor_gone()

    def _events(self, connection: Connection, at: EventPosition, where: EventFilter, limit: int) -> list[Event]:
        values: dict[str, object] = {
            "after": at.after,
            "upto": at.upto,
            "after_id": at.after_id,
            "channels": _channels(where),
            "namespace": where.namespace,
            "flow_id": where.flow_id,
            "most": limit,
        }
        # If little is new, read by transaction; if there is much to read, in the order of the log.
        statement = "read_events" if at.upto is None and at.after != NOTHING_SEEN else "read_rest_of_events"
        if where.execution_id is not None:
            statement = "read_events_of_execution"
            values |= key_of(where.execution_id)
        return [rows.event_in(row) for row in self._prepared(connection, statement, values).fetchall()]

    def newest_events(self, where: EventFilter, among: int, limit: int) -> EventPage:
        """The newest events, oldest first."""
        values = {"channels": _channels(where), "namespace": where.namespace, "among": among, "most": limit}
        with self.readers.snapshot() as connection:
            self._prepared(connection, "pin_plans", FOR_TRANSACTION)
            end = self._end_of_log(connection)
            found = self._prepared(connection, "read_newest_events", values).fetchall()
        return EventPage([rows.event_in(row) for row in reversed(found)], event_cursor(end, self.name))

    def events_from_now(self) -> str:
        """The cursor of the end of the log."""
        with self.readers.reading() as connection:
            return event_cursor(self._end_of_log(connection), self.name)

    def cursor_within(self, before: str | None, page: EventPage, event: Event) -> str:
        """The cursor after an event of a page."""
        return event_cursor_within(before, page.next_cursor, event.event_id, self.name)

    def steps(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Step]]:
        """The execution and its stored steps."""
        x, (written,) = self._execution_and(execution_id, ("read_steps", key_of(execution_id)))
        return x, in_stored_order(map(rows.step_in, written))

    def workers(self, namespace: str | None) -> list[Worker]:
        """The workers, as they have reported themselves."""
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["list_workers"].encode(), {"namespace": namespace}).fetchall()
        return [worker_of(row) for row in found]

    def schedules(self, namespace: str | None) -> list[Schedule]:
        """Schedules, by namespace and name."""
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["list_schedules"].encode(), {"namespace": namespace}).fetchall()
        return [schedule_of(row) for row in found]

    def lane_switches(self, namespace: str | None) -> list[LaneState]:
        """The states of lanes that operators have set."""
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["list_lane_switches"].encode(), {"namespace": namespace}).fetchall()
        return [LaneState(*row) for row in found]

    def lane_counts(self, namespace: str | None) -> list[LaneCount]:
        """How many executions each lane holds that have not ended, by state."""
        with self.readers.snapshot() as connection:
            return lane_counts_of(
                self._counted(connection, "count_live_executions", namespace=namespace),
                self._counted(connection, "find_oldest_ready", namespace=namespace),
                lambda: self._counted(connection, "find_oldest_suspended", namespace=namespace),
            )

    def recent_ends(self, namespace: str | None, since_ms: int) -> RecentEnds:
        """How many executions of each lane have ended, counted from the newest events."""
        with self.readers.snapshot() as connection:
            oldest = self._counted(connection, "find_nth_newest_event", newer=RECENT_EVENTS)
            values = {"namespace": namespace, "since_ms": since_ms, "most": RECENT_EVENTS}
            ended = self._counted(connection, "count_recent_ends", **values)
            return recent_ends_of(ended, oldest[0] if oldest else None, since_ms)

    def tally(self, namespace: str | None) -> Tally:
        """Counts of all records."""
        with self.readers.snapshot() as connection:
            log = None if namespace is not None else self._counted(connection, "read_log_extent")
            return tally_of(
                standings=self._counted(connection, "count_standings", namespace=namespace),
                oldest_ready=self._counted(connection, "find_oldest_ready", namespace=namespace),
                pending_acks=self._counted(connection, "count_pending_acks", namespace=namespace)[0][0],
                log=log[0] if log else None,
                schema_version=self._counted(connection, "read_schema_version")[0][0],
                next_at_ms=[
                    row[0]
                    for name in ("find_next_retention", "find_next_retention_of_flows")
                    for row in self._counted(connection, name, namespace=namespace)
                ],
            )

    def ends_per_minute(self, namespace: str | None, since_ms: int, until_ms: int) -> list[EndsInMinute]:
        """How many executions have ended in each minute."""
        between = {"since": since_ms // MINUTE_MS, "until": until_ms // MINUTE_MS}
        with self.readers.reading() as connection:
            return ends_of(self._counted(connection, "count_ends", namespace=namespace, **between))

    def recent_failures(self, namespace: str | None, since_ms: int, limit: int) -> list[FailureGroup]:
        """What has failed after an instant, by kind, code and message."""
        values = {"namespace": namespace, "since_ms": since_ms, "newest": RECENT_FAILURES, "most": limit}
        with self.readers.reading() as connection:
            return [FailureGroup(*row) for row in self._counted(connection, "count_recent_failures", **values)]

    def _counted(self, connection: Connection, statement: str, **values: object) -> list[rows.Row]:
        return connection.execute(self.sql[statement].encode(), values).fetchall()

    def flow(self, flow_id: FlowId) -> Flow | None:
        """One flow."""
        with self.readers.reading() as connection:
            return self._flow(connection, flow_id)

    def _flow(self, connection: Connection, flow_id: FlowId) -> Flow | None:
        found = connection.execute(self.sql["read_flow"].encode(), _flow_key(flow_id), binary=True).fetchone()
        return None if found is None else flow_rows.flow_in(found)

    def flow_view(self, flow_id: FlowId) -> FlowView | None:
        """One flow with its groups and pending acknowledgements, as of one moment."""
        key = _flow_key(flow_id)
        with self.readers.snapshot() as connection:
            flow = self._flow(connection, flow_id)
            if flow is None:
                return None
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            groups = connection.execute(self.sql["read_groups_of_flow"].encode(), key, binary=True).fetchall()
            pending = self._pending_acks(connection, [flow_id])
        return FlowView(
            flow,
            sorted((_group_view_in(row) for row in groups), key=lambda view: uuid_in(view.group.downstream)),
            pending[flow_id],
        )

    def pending_acks(self, flow_ids: Collection[FlowId]) -> dict[FlowId, list[ExecutionId]]:
        """The members that the cancels of these flows still wait for."""
        with self.readers.snapshot() as connection:
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            return self._pending_acks(connection, flow_ids)

    def _pending_acks(self, connection: Connection, flow_ids: Collection[FlowId]) -> dict[FlowId, list[ExecutionId]]:
        owed: dict[FlowId, list[ExecutionId]] = {flow_id: [] for flow_id in flow_ids}
        keys = flow_rows.flow_keys(flow_ids)
        for row in connection.execute(self.sql["read_acks_of_flows"].encode(), keys).fetchall():
            flow_id, execution_id = flow_rows.ack_key_in(row)
            owed[flow_id].append(execution_id)
        return {flow_id: sorted(members) for flow_id, members in owed.items()}

    def flows(self, where: FlowFilter, after: ListPosition | None, limit: int) -> list[Flow]:
        """Flows, newest first."""
        at = after or NEWEST
        values = {
            "created_at_ms": at.created_at_ms,
            "flow_id": at.uuid,
            "partition_key": at.partition,
            "namespace": where.namespace,
            "state": None if where.state is None else FLOW_STATE_CODES[where.state],
            "most": limit,
        }
        with self.readers.reading() as connection, refusing_bad_cursors():
            found = connection.execute(self.sql["list_flows"].encode(), values, binary=True).fetchall()
        return [flow_rows.flow_in(row) for row in found]

    def edge(self, flow_id: FlowId, edge_id: str) -> Edge | None:
        """One edge."""
        found = self._edges("read_edges", flow_rows.edge_keys([(flow_id, edge_id)]))
        return found[0] if found else None

    def edges(self, flow_id: FlowId, upstream: ExecutionId | None, downstream: ExecutionId | None) -> list[Edge]:
        """The flow's edges, by edge id: all, or those from one execution or to one."""
        if upstream is not None:
            found = self._edges("read_outgoing", rows.keys([upstream]))
        elif downstream is not None:
            found = self._edges("read_incoming", rows.keys([downstream]))
        else:
            found = self._edges("read_edges_of_flows", flow_rows.flow_keys([flow_id]))
        wanted = [
            edge for edge in found if edge.flow_id == flow_id and (downstream is None or edge.downstream == downstream)
        ]
        return sorted(wanted, key=lambda edge: edge.edge_id)

    def _edges(self, statement: str, values: rows.Arrays) -> list[Edge]:
        with self.readers.snapshot() as connection:
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            found = connection.execute(self.sql[statement].encode(), values, binary=True).fetchall()
        return [flow_rows.edge_in(row) for row in found]

    def group(self, downstream: ExecutionId) -> EdgeGroup | None:
        """The group of edges that lead to one execution."""
        with self.readers.reading() as connection:
            keys = rows.keys([downstream])
            found = connection.execute(self.sql["read_groups"].encode(), keys, binary=True).fetchone()
        return None if found is None else flow_rows.group_in(found)


def _channels(where: EventFilter) -> list[int] | None:
    return None if where.channels is None else [CHANNEL_CODES[each] for each in where.channels]


def _filter_values(where: ExecutionFilter) -> dict[str, object]:
    values: dict[str, object] = {
        "namespace": where.namespace,
        "public_state": None if where.public_state is None else PUBLIC_STATE_CODES[where.public_state],
        "lane_id": where.lane,
        "flow_id": where.flow_id,
        "kind": where.kind,
    }
    tag_key, tag_value = where.tag or (None, None)
    return {**values, "tag_key": tag_key, "tag_value": tag_value}


def _flow_key(flow_id: FlowId) -> Mapping[str, object]:
    return {"partition_key": flow_partition(flow_id), "flow_id": flow_id}


def _group_view_in(row: rows.Row) -> GroupView:
    group = flow_rows.group_in(row)
    assert group is not None
    downstream_has_ended, running_count = row[flow_rows.GROUP_COLUMNS :]
    return GroupView(group, bool(downstream_has_ended), running_count)
