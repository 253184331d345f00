"""A PostgreSQL database as a store: for many processes on many machines."""

import logging
import queue
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Final, TypeVar

import msgspec
import psycopg

from flowfabric.domain import expiring
from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.cursors import cursor_gone, cursor_of_lost_events
from flowfabric.domain.errors import Corruption, InvalidInput, SchemaMismatch, StoreUnavailable
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.execution import DUE_KINDS, Attempt, Due, DueKind, Execution, FailedAttempt, due_of, ready_of
from flowfabric.domain.expiring import Expiring
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.ids import (
    PARTITIONS,
    ExecutionId,
    FlowId,
    flow_partition,
    make_execution_id,
    partition_in,
    uuid_in,
)
from flowfabric.domain.lanes import RECENT_EVENTS, Lane, LaneCount, LaneSwitch, RecentEnds
from flowfabric.domain.listing import FIRST_UUID, NEWEST, EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.news import Committed, OnOthersCommit, Polled, Waits
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.steps import Step, in_stored_order
from flowfabric.domain.turns import Turn, turn_after
from flowfabric.domain.views import FlowView, GroupView, SideRows, SideRowsPage, Tally
from flowfabric.domain.workers import Worker
from flowfabric.ports.clock import Clock
from flowfabric.ports.writing import ConnectionLost, LockHeld, for_callers
from flowfabric.stores._shared.capability_sets import CapabilitySets
from flowfabric.stores._shared.counts import kept_of, lane_counts_of, recent_ends_of, tally_of
from flowfabric.stores._shared.encoding import CHANNEL_CODES, DUE_KIND_CODES, NO_PARTITION, PUBLIC_STATE_CODES
from flowfabric.stores._shared.flows import FLOW_STATE_CODES
from flowfabric.stores._shared.readers import taken_from
from flowfabric.stores._shared.schedules import schedule_of
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores._shared.workers import worker_of
from flowfabric.stores.postgres import flow_rows, rows
from flowfabric.stores.postgres.connection import (
    FOR_TRANSACTION,
    LOCK_WAIT_MS,
    Connection,
    Connector,
    check_alive,
    translating_errors,
)
from flowfabric.stores.postgres.event_position import (
    NOTHING_SEEN,
    EventPosition,
    event_cursor,
    event_cursor_within,
    position_in,
    position_now,
)
from flowfabric.stores.postgres.joining import CallersPostgres
from flowfabric.stores.postgres.listening import Listener
from flowfabric.stores.postgres.migrating import apply_migrations, given_name, name_here, pending_migrations
from flowfabric.stores.postgres.notes import News, Notes
from flowfabric.stores.postgres.queue_heads import QueueHeads
from flowfabric.stores.postgres.writer import PostgresWriter

K = TypeVar("K")

log = logging.getLogger("flowfabric.stores.postgres")

CLOSE_S_MAX: Final = 2.0
"""How long the end waits for reads that are under way."""


EXPIRED: Final[Mapping[Expiring[Any], tuple[str, Callable[[rows.Row], Any]]]] = {
    expiring.IDEMPOTENCY_KEYS: ("find_expired_idempotency_keys", tuple),
    expiring.ANSWERS: ("find_expired_answers", tuple),
    expiring.WORKERS: ("find_silent_workers", tuple),
    expiring.ACKS: ("find_overdue_acks", flow_rows.ack_key_in),
    expiring.FLOWS: ("find_flows_to_purge", lambda row: FlowId(row[0])),
    expiring.EVENTS: ("find_old_events", lambda row: row[0]),
}
"""The statement that finds records of a kind, and the key that a row is."""


class PostgresStore:
    """Records in one schema of one database, found through the connection's search path."""

    def __init__(
        self,
        url: str,
        *,
        migrate: bool = False,
        clock: Clock | None = None,
        notifies: bool = True,
        connections: Connections = DEFAULT_CONNECTIONS,
    ) -> None:
        self.sql = Statements(__package__)
        self.connector = Connector(url)
        self.capabilities = CapabilitySets(_CapabilityTable(self.sql))
        self.queue_heads = QueueHeads()
        self.meets_members = False
        """Whether the last batch that could end members of flows did: the next one then looks for flows at once."""
        self.notes = Notes(notifies=notifies)
        self.our_sessions: dict[object, int] = {}
        """The server's process ids of our write connections."""
        self._listener = Listener(self.connector, self.our_sessions, self.notes)
        self._clock = clock
        self._closed = False
        self._readers: queue.LifoQueue[Connection | None] = queue.LifoQueue()
        self.connections = connections
        self.committers = connections.write
        for _ in range(connections.read - 1):
            self._readers.put(None)
        connection = self.connector.first()
        try:
            with for_callers(), translating_errors():
                todo = pending_migrations(connection)
                if migrate and (todo or not self._is_at_home(connection)):
                    apply_migrations(connection, self.sql)
                elif todo:
                    raise SchemaMismatch(
                        f"The database lacks the migrations from {todo[0].name} on. "
                        "Run `ff migrate`, or open it once with migrate=True."
                    )
                self.name = self.read_name(connection)
        except BaseException:
            connection.close()
            raise
        self._readers.put(connection)

    def read_name(self, connection: Connection) -> str:
        """Which incarnation of which database this is: a copy and a restore elsewhere have another name."""
        name = given_name(connection, self.sql)
        if name is None or name != name_here(connection, name):
            raise SchemaMismatch(
                "This database is a copy of another one, or was restored from it, and leases of that one may still be "
                "held. Run `ff migrate`, or open it once with migrate=True, to make it a store of its own."
            )
        return name

    def connect(self, *, prepares: bool = False) -> Connection:
        """A new connection to the very database that was opened."""
        connection = self.connector.connect(prepares=prepares)
        try:
            with translating_errors(self.connector):
                name = self.read_name(connection)
        except BaseException:
            connection.close()
            raise
        if name != self.name:
            connection.close()
            raise StoreUnavailable(
                "Another database answers at the address of this one, or it was restored from a backup. Restart what "
                "uses it, so that no lease of before is taken for one of now.",
                is_final=True,
            )
        return connection

    def _is_at_home(self, connection: Connection) -> bool:
        name = given_name(connection, self.sql)
        return name is not None and name == name_here(connection, name)

    @property
    def now_ms(self) -> int:
        """The server's time."""
        if self._clock is not None:
            return self._clock.now_ms
        with self._reading() as connection:
            row = connection.execute(self.sql["clock"].encode()).fetchone()
            assert row is not None
            return int(row[0])

    @property
    def given_now_ms(self) -> int | None:
        """The time of a test's own clock; None where the server's counts."""
        return None if self._clock is None else self._clock.now_ms

    def clock_or(self, now_ms: int) -> int:
        """The given time of the server, unless a test has a clock of its own."""
        return now_ms if self._clock is None else self._clock.now_ms

    def writer(self) -> PostgresWriter:
        """A new write connection."""
        return PostgresWriter(self)

    def callers_connection(self, connection: object, *, is_async: bool) -> CallersPostgres:
        """A connection of the caller's own to this database."""
        return CallersPostgres(self, connection, is_async=is_async)

    def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be read."""
        with self._reading() as connection:
            connection.execute("select 1")

    def notification(self, news: News) -> list[tuple[str, Mapping[str, object]]]:
        """What tells other processes, once it is committed."""
        notes = self.notes.of(news)
        if not notes:
            return []
        channels, said = zip(*notes, strict=True)
        return [(self.sql["notify"], {"channel": rows.texts(channels), "note": rows.texts(said)})]

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        """Tell of what other processes have committed, as far as they notify."""

        def heard(committed: Committed | None) -> None:
            self.queue_heads.are_busy(committed.ready if committed is not None else ())
            on_commit(committed)

        return self._listener.listening(heard)

    def listen_for(self, *, ends: bool, events: bool) -> None:
        """Say whether anyone here waits for ends or for events."""
        self._listener.listen_for(ends=ends, events=events)

    def close(self) -> None:
        """Close every connection. A read that is still under way then closes its own when it has finished."""
        self._closed = True
        until = time.monotonic() + CLOSE_S_MAX
        connections: list[Connection | None] = []
        with suppress(queue.Empty):  # the database does not answer, or takes its time
            for _ in range(self.connections.read):
                connections.append(self._readers.get(timeout=max(0.0, until - time.monotonic())))
        for connection in connections:
            # A read that has begun and waits for its turn goes on, and finds that the store is closed.
            self._readers.put(None)
            if connection is not None:
                connection.close()

    # ── reads ────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A read connection, for one statement."""
        self._check_open()
        connection = taken_from(self._readers, self.connections)
        try:
            self._check_open()  # it may have been closed while this read waited
            connection = self._usable(connection)
            with translating_errors():
                yield connection
        except ConnectionLost:
            if connection is not None:
                connection.close()
            raise
        except Exception:
            raise
        except BaseException:
            # Ctrl-C can leave a query under way, and then nothing more can be sent, not even a rollback.
            if connection is not None:
                connection.close()
            raise
        finally:
            if self._closed and connection is not None:
                connection.close()
            self._readers.put(connection)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("This engine is closed. Open a new one.", is_final=True)

    @contextmanager
    def _snapshot(self) -> Iterator[Connection]:
        """A read connection, for several statements that see the same."""
        with self._reading() as connection:
            connection.execute("begin isolation level repeatable read read only")
            try:
                yield connection
            except Exception:
                _end(connection)
                raise
            _end(connection)

    def _usable(self, connection: Connection | None) -> Connection:
        """A connection that answers, as far as is known: one that lay idle may have been cut meanwhile."""
        if connection is not None and not connection.closed:
            try:
                check_alive(connection)
                return connection
            except psycopg.OperationalError:
                connection.close()
        return self.connect()

    def _executions(self, connection: Connection, execution_ids: list[ExecutionId]) -> list[Execution]:
        found = connection.execute(self.sql["read_executions"].encode(), rows.keys(execution_ids), binary=True)
        return [self._execution_in(row, connection) for row in found.fetchall()]

    def _execution_in(self, row: rows.Row, connection: Connection) -> Execution:
        return rows.execution_in(row, self.capabilities.tokens(row[6], connection))

    def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution."""
        with self._reading() as connection:
            found = self._executions(connection, [execution_id])
            return found[0] if found else None

    def executions_named(self, execution_ids: Iterable[ExecutionId]) -> list[Execution]:
        """Those of the named executions that there are."""
        with self._reading() as connection:
            return sorted(self._executions(connection, list(execution_ids)), key=lambda x: x.execution_id)

    def result(self, execution_id: ExecutionId) -> bytes | None:
        """Its result, if it has one."""
        with self._reading() as connection:
            found = connection.execute(self.sql["read_result"].encode(), _key(execution_id), binary=True).fetchone()
            return None if found is None else bytes(found[0])

    def payload(self, execution_id: ExecutionId) -> bytes | None:
        """Its payload."""
        with self._reading() as connection:
            keys = rows.keys([execution_id])
            found = connection.execute(self.sql["read_payloads"].encode(), keys, binary=True).fetchone()
            return None if found is None else bytes(found[2])

    def attempts(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Attempt], list[FailedAttempt]]:
        """The execution, its attempts written so far, and why they failed."""
        with self._snapshot() as connection:
            found = self._executions(connection, [execution_id])
            written = connection.execute(self.sql["read_attempts"].encode(), _key(execution_id)).fetchall()
            failures = connection.execute(self.sql["read_failures"].encode(), _key(execution_id)).fetchall()
            return (
                found[0] if found else None,
                [rows.attempt_in(execution_id, row) for row in written],
                [FailedAttempt(execution_id, *row) for row in failures],
            )

    def last_failure(self, execution_id: ExecutionId) -> FailedAttempt | None:
        """Why its last failed attempt failed."""
        with self._reading() as connection:
            row = connection.execute(self.sql["read_last_failure"].encode(), _key(execution_id)).fetchone()
            return None if row is None else FailedAttempt(execution_id, *row)

    def executions(self, where: ExecutionFilter, after: ListPosition | None, limit: int) -> list[Execution]:
        """Executions, newest first."""
        at = where.start(after)
        position = {"created_at_ms": at.created_at_ms, "execution_id": at.uuid, "partition_key": at.partition}
        values = {**_filter_values(where), **position, "most": limit}
        statement = "list_executions" if where.flow_id is None else "list_executions_of_flow"
        if where.tag is not None:
            statement = "list_tagged_executions"
        with self._reading() as connection:
            with _refusing_what_is_no_cursor():
                found = connection.execute(self.sql[statement].encode(), values, binary=True).fetchall()
            return [self._execution_in(row, connection) for row in found]

    def count_executions(self, where: ExecutionFilter) -> int:
        """How many there are."""
        values = {**_filter_values(where), "created_before_ms": where.start(None).created_at_ms}
        statement = "count_executions" if where.flow_id is None else "count_executions_of_flow"
        if where.tag is not None:
            statement = "count_tagged_executions"
        with self._reading() as connection:
            found = connection.execute(self.sql[statement].encode(), values).fetchone()
        assert found is not None
        return int(found[0])

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> EventPage:
        """The next events: what is visible now and was not visible at the last read."""
        at = position_in(cursor, self.name)
        with self._snapshot() as connection:
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            now = self._end_of_log(connection)
            if cursor is not None:
                self._check_not_gone(connection, at, now)
            events = self._events(connection, at, where, limit)
            if not events and at.upto is not None:
                # What an earlier page was cut from has been read to its end; go on with what came after it. A page
                # never holds some of both: across the two, event ids are in no order that a cursor could name.
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
        # On the same timeline nothing that was visible is ever lost. On another one the id of a purged event may have
        # been handed out again.
        values["newest" if at.timeline == now.timeline else "newest_purged"] = None
        with _refusing_what_is_no_cursor():
            row = connection.execute(self.sql["check_cursor"].encode(), values).fetchone()
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
            "channels": None if where.channels is None else [CHANNEL_CODES[channel] for channel in where.channels],
            "namespace": where.namespace,
            "flow_id": where.flow_id,
            "most": limit,
        }
        # By transaction where little is new, in the order of the log where there is much to read.
        statement = "read_events" if at.upto is None and at.after != NOTHING_SEEN else "read_rest_of_events"
        if where.execution_id is not None:
            statement = "read_events_of_execution"
            values |= _key(where.execution_id)
        found = connection.execute(self.sql[statement].encode(), values, binary=True).fetchall()
        return [rows.event_in(row) for row in found]

    def events_from_now(self) -> str:
        """The cursor of the end of the log."""
        with self._reading() as connection:
            return event_cursor(self._end_of_log(connection), self.name)

    def cursor_within(self, before: str | None, page: EventPage, event: Event) -> str:
        """The cursor after an event of a page."""
        return event_cursor_within(before, page.next_cursor, event.event_id, self.name)

    def steps(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Step]]:
        """The execution and its stored steps."""
        with self._snapshot() as connection:
            found = self._executions(connection, [execution_id])
            written = connection.execute(self.sql["read_steps"].encode(), _key(execution_id)).fetchall()
            return found[0] if found else None, in_stored_order(map(rows.step_in, written))

    def workers(self, namespace: str | None) -> list[Worker]:
        """What workers say of themselves."""
        with self._reading() as connection:
            found = connection.execute(self.sql["list_workers"].encode(), {"namespace": namespace}).fetchall()
        return [worker_of(row) for row in found]

    def schedules(self, namespace: str | None) -> list[Schedule]:
        """Schedules, by namespace and name."""
        with self._reading() as connection:
            found = connection.execute(self.sql["list_schedules"].encode(), {"namespace": namespace}).fetchall()
        return [schedule_of(row) for row in found]

    def lane_switches(self, namespace: str | None) -> list[LaneSwitch]:
        """What operators have set for lanes."""
        with self._reading() as connection:
            found = connection.execute(self.sql["list_lane_switches"].encode(), {"namespace": namespace}).fetchall()
        return [LaneSwitch(*row) for row in found]

    def lane_counts(self, namespace: str | None) -> list[LaneCount]:
        """What lanes hold that has not ended."""
        with self._reading() as connection:
            return lane_counts_of(self._counted(connection, "count_live_executions", namespace=namespace))

    def recent_ends(self, namespace: str | None, since_ms: int) -> RecentEnds:
        """How many executions of each lane have ended, as far as the newest events tell."""
        with self._snapshot() as connection:
            oldest = self._counted(connection, "find_nth_newest_event", newer=RECENT_EVENTS)
            values = {"namespace": namespace, "since_ms": since_ms, "most": RECENT_EVENTS}
            ended = self._counted(connection, "count_recent_ends", **values)
            return recent_ends_of(ended, oldest[0] if oldest else None, since_ms)

    def tally(self, namespace: str | None) -> Tally:
        """What there is, counted."""
        with self._snapshot() as connection:
            log = None if namespace is not None else self._counted(connection, "read_log_extent")
            return tally_of(
                states=self._counted(connection, "count_states", namespace=namespace),
                flows=self._counted(connection, "count_flow_states", namespace=namespace),
                pending_acks=self._counted(connection, "count_pending_acks", namespace=namespace)[0][0],
                log=log[0] if log else None,
                schema_version=self._counted(connection, "read_schema_version")[0][0],
                kept=kept_of(
                    self._counted(connection, "count_kept", namespace=namespace),
                    self._counted(connection, "count_kept_flows", namespace=namespace),
                ),
            )

    def _counted(self, connection: Connection, statement: str, **values: object) -> list[rows.Row]:
        return connection.execute(self.sql[statement].encode(), values).fetchall()

    def flow(self, flow_id: FlowId) -> Flow | None:
        """One flow."""
        with self._reading() as connection:
            return self._flow(connection, flow_id)

    def _flow(self, connection: Connection, flow_id: FlowId) -> Flow | None:
        found = connection.execute(self.sql["read_flow"].encode(), _flow_key(flow_id), binary=True).fetchone()
        return None if found is None else flow_rows.flow_in(found)

    def flow_view(self, flow_id: FlowId) -> FlowView | None:
        """One flow with its groups and pending acknowledgements, as of one moment."""
        key = _flow_key(flow_id)
        with self._snapshot() as connection:
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
        with self._snapshot() as connection:
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
        with self._reading() as connection, _refusing_what_is_no_cursor():
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
        with self._snapshot() as connection:
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            found = connection.execute(self.sql[statement].encode(), values, binary=True).fetchall()
        return [flow_rows.edge_in(row) for row in found]

    def group(self, downstream: ExecutionId) -> EdgeGroup | None:
        """The group of edges that lead to one execution."""
        with self._reading() as connection:
            keys = rows.keys([downstream])
            found = connection.execute(self.sql["read_groups"].encode(), keys, binary=True).fetchone()
        return None if found is None else flow_rows.group_in(found)

    # ── what a purge looks for ───────────────────────────────────────────────────────────────────

    def ended_executions(
        self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int
    ) -> list[ListPosition]:
        """Executions that ended before an instant and belong to no flow."""
        position = {"created_at_ms": after.created_at_ms, "execution_id": after.uuid, "partition_key": after.partition}
        values = {**position, "namespace": namespace, "ended_before_ms": ended_before_ms, "most": limit}
        with self._reading() as connection, _refusing_what_is_no_cursor():
            found = connection.execute(self.sql["find_ended_executions"].encode(), values).fetchall()
        return [ListPosition(*row) for row in found]

    def ended_flows(self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int) -> list[Flow]:
        """Flows that were over before an instant."""
        position = {"created_at_ms": after.created_at_ms, "flow_id": after.uuid, "partition_key": after.partition}
        values = {**position, "namespace": namespace, "ended_before_ms": ended_before_ms, "most": limit}
        with self._reading() as connection, _refusing_what_is_no_cursor():
            found = connection.execute(self.sql["find_ended_flows"].encode(), values, binary=True).fetchall()
        return [flow_rows.flow_in(row) for row in found]

    # ── what those who wait look for ─────────────────────────────────────────────────────────────

    def news(self, waits: Waits) -> Committed:
        """What of it has ended, was acknowledged, or is over."""
        ended, leases = rows.keys(waits.executions), rows.keys(key for key, _ in waits.leases)
        values = {
            "partition_key": ended["partition_key"],
            "execution_id": ended["execution_id"],
            "lease_partition": leases["partition_key"],
            "lease_execution": leases["execution_id"],
            "lease_epoch": rows.numbers(epoch for _, epoch in waits.leases),
            "flow_partition": rows.numbers(map(flow_partition, waits.flows)),
            "flow_id": rows.words(waits.flows),
        }
        with self._reading() as connection:
            found = connection.execute(self.sql["find_news"].encode(), values).fetchone()
        assert found is not None
        of_executions, of_leases, of_flows = found
        return Committed(
            [waits.executions[place - 1] for place in of_executions] + [waits.flows[place - 1] for place in of_flows],
            False,
            lost=[waits.leases[place - 1][0] for place in of_leases],
        )

    # ── what reconcilers look for ────────────────────────────────────────────────────────────────

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        """What there is to do now."""
        values = {
            "now_ms": self.given_now_ms,
            "due_kind": rows.numbers(DUE_KIND_CODES.values()),
            "delay": DUE_KIND_CODES["delay"],
            "namespace": rows.texts(namespace for namespace, _ in lanes),
            "lane_id": rows.texts(lane for _, lane in lanes),
        }
        with self._reading() as connection:
            found = connection.execute(self.sql["poll"].encode(), values).fetchone()
        assert found is not None
        due, has_overdue_acks, ordinals, delay_over_in_ms = found
        ready = [lanes[ordinal - 1] for ordinal in ordinals]
        self.queue_heads.are_busy(ready)
        return Polled([DUE_KINDS[code] for code in due], has_overdue_acks, ready, delay_over_in_ms)

    def due(self, kind: DueKind, until_ms: int, after: Due | None, limit: int) -> list[Due]:
        """Due moments of one kind, earliest first."""
        values = {
            "due_kind": DUE_KIND_CODES[kind],
            "until_ms": until_ms,
            "due_at_ms": -1 if after is None else after.due_at_ms,
            "partition_key": -1 if after is None else partition_in(after.execution_id),
            "execution_id": FIRST_UUID if after is None else uuid_in(after.execution_id),
            "most": limit,
        }
        with self._snapshot() as connection:
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            found = connection.execute(self.sql["find_due"].encode(), values).fetchall()
            return [Due(kind, at, make_execution_id(partition, uuid)) for at, partition, uuid in found]

    def expired(self, kind: Expiring[K], until_ms: int, limit: int) -> list[K]:
        """Records whose time is over, by their keys."""
        statement, key_in = EXPIRED[kind]
        values = {"partition_key": NO_PARTITION, "until_ms": until_ms, "most": limit}
        with self._reading() as connection:
            found = connection.execute(self.sql[statement].encode(), values).fetchall()
        return [key_in(row) for row in found]

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        """Whether the side rows of the next executions are right. Ended executions that call for none are left out."""
        with self._snapshot() as connection:
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            last = self._nth_after(connection, after, limit)
            page = self._with_ready_rows(connection, after, last)
            wanted = [due for x, _, _ in page if (due := due_of(x)) is not None]
            there = connection.execute(self.sql["find_due_rows"].encode(), rows.due_rows(wanted)).fetchall()
        right = {(kind, at, make_execution_id(partition, uuid)) for kind, at, partition, uuid in there}
        return SideRowsPage(
            [
                SideRows(
                    x,
                    has_ready == (ready_of(x) is not None),
                    (due := due_of(x)) is None or (DUE_KIND_CODES[due.kind], due.due_at_ms, due.execution_id) in right,
                    group,
                )
                for x, has_ready, group in page
            ],
            last,
        )

    def _nth_after(self, connection: Connection, after: ExecutionId | None, count: int) -> ExecutionId | None:
        """The id of the last execution of a page of so many; None: there are fewer."""
        values = {**_key_or_first(after), "most": count}
        found = connection.execute(self.sql["find_end_of_page"].encode(), values).fetchone()
        return None if found is None else make_execution_id(*found)

    def _with_ready_rows(
        self, connection: Connection, after: ExecutionId | None, last: ExecutionId | None
    ) -> list[tuple[Execution, bool, EdgeGroup | None]]:
        """Executions, whether the queue holds them where they belong, and what those that are blocked wait for.

        Damaged ones are passed over.
        """
        partition, uuid = (PARTITIONS, FIRST_UUID) if last is None else (partition_in(last), uuid_in(last))
        values = {**_key_or_first(after), "last_partition": partition, "last_execution": uuid}
        page: list[tuple[Execution, bool, EdgeGroup | None]] = []
        for row in connection.execute(self.sql["find_side_rows"].encode(), values, binary=True).fetchall():
            try:
                has_ready, *group = row[rows.EXECUTION_COLUMNS :]
                page.append((self._execution_in(row, connection), has_ready, flow_rows.group_in(tuple(group))))
            except Corruption as error:
                log.error("execution passed over: %s", error, extra={"cause": str(error)})
        return page

    def take_turn(self, holder: str, ttl_ms: int, after: ExecutionId | None) -> Turn:
        """Whose turn it is to walk through all executions. It is a row with an end, so no session has to be kept."""
        name = {"name": "turn"}
        try:
            with self._reading() as connection, connection.transaction():
                connection.execute(self.sql["pin_plans"].encode(), {**FOR_TRANSACTION, "lock_wait_ms": LOCK_WAIT_MS})
                connection.execute(self.sql["insert_turn"].encode(), name)
                values = {**name, "now_ms": self.given_now_ms}
                row = connection.execute(self.sql["lock_turn"].encode(), values).fetchone()
                assert row is not None
                kept, now_ms = row
                before = _turn_in(kept)
                turn = turn_after(before, Turn(holder, now_ms + ttl_ms, after), now_ms)
                if turn != before:
                    value = msgspec.json.encode(turn).decode()
                    connection.execute(self.sql["save_meta"].encode(), {**name, "value": value})
        except LockHeld:
            return Turn("", 0, None)  # another process asks at this moment, or stopped while it did
        return turn


def _end(connection: Connection) -> None:
    """End a read."""
    if not connection.closed:
        connection.rollback()


@contextmanager
def _refusing_what_is_no_cursor() -> Iterator[None]:
    """Whatever else is sent was checked before, so what the server cannot read comes from a cursor."""
    try:
        yield
    except psycopg.DataError:
        raise InvalidInput("That is not a cursor of this list. Pass the next_cursor of a page, or none.") from None


def _filter_values(where: ExecutionFilter) -> dict[str, object]:
    values: dict[str, object] = {
        "namespace": where.namespace,
        "public_state": None if where.public_state is None else PUBLIC_STATE_CODES[where.public_state],
        "lane_id": where.lane,
        "flow_id": where.flow_id,
        "kind": where.kind,
    }
    return values if where.tag is None else {**values, "tag_key": where.tag[0], "tag_value": where.tag[1]}


def _key(execution_id: ExecutionId) -> Mapping[str, object]:
    return {"partition_key": partition_in(execution_id), "execution_id": uuid_in(execution_id)}


def _key_or_first(after: ExecutionId | None) -> Mapping[str, object]:
    return {"partition_key": -1, "execution_id": FIRST_UUID} if after is None else _key(after)


def _turn_in(value: str) -> Turn | None:
    """The turn that was kept; None: nobody has had one yet, or what is there cannot be read."""
    try:
        return msgspec.json.decode(value, type=Turn)
    except msgspec.MsgspecError:
        return None


def _flow_key(flow_id: FlowId) -> Mapping[str, object]:
    return {"partition_key": flow_partition(flow_id), "flow_id": flow_id}


def _group_view_in(row: rows.Row) -> GroupView:
    group = flow_rows.group_in(row)
    assert group is not None
    downstream_has_ended, running_count = row[flow_rows.GROUP_COLUMNS :]
    return GroupView(group, bool(downstream_has_ended), running_count)


class _CapabilityTable:
    def __init__(self, sql: Statements) -> None:
        self._sql = sql

    def read_tokens(self, capability_set: int, connection: Connection) -> str | None:
        values = {"capability_set": capability_set}
        row = connection.execute(self._sql["read_capability_set"].encode(), values).fetchone()
        return None if row is None else str(row[0])

    def read_id(self, tokens: str, connection: Connection) -> int | None:
        row = connection.execute(self._sql["read_capability_set_id"].encode(), {"tokens": tokens}).fetchone()
        return None if row is None else int(row[0])

    def insert(self, tokens: str, connection: Connection) -> None:
        connection.execute(self._sql["insert_capability_set"].encode(), {"tokens": tokens})
