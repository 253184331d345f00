"""A SQLite file as a store: embedded, the default, and safe for several processes on one machine."""

import logging
import os
import queue
import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any, Final, TypeVar

import msgspec

from flowfabric.domain import expiring
from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.errors import Corruption, SchemaMismatch, StoreUnavailable
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.execution import DUE_KINDS, Attempt, Due, DueKind, Execution, FailedAttempt
from flowfabric.domain.expiring import Expiring
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId, uuid_from_hex
from flowfabric.domain.lanes import RECENT_EVENTS, Lane, LaneCount, LaneSwitch, RecentEnds
from flowfabric.domain.lease import era_of
from flowfabric.domain.listing import NEWEST, EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.news import Committed, OnOthersCommit, Polled, Waits
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.steps import Step, in_stored_order
from flowfabric.domain.turns import Turn
from flowfabric.domain.views import FlowView, GroupView, SideRows, SideRowsPage, Tally
from flowfabric.domain.workers import Worker
from flowfabric.ports.clock import Clock
from flowfabric.ports.writing import for_callers
from flowfabric.stores._shared.capability_sets import CapabilitySets
from flowfabric.stores._shared.counts import kept_of, lane_counts_of, recent_ends_of, tally_of
from flowfabric.stores._shared.encoding import CHANNEL_CODES, DUE_KIND_CODES, NO_PARTITION, PUBLIC_STATE_CODES
from flowfabric.stores._shared.flows import FLOW_STATE_CODES
from flowfabric.stores._shared.log_position import event_cursor, event_cursor_within, event_id_at
from flowfabric.stores._shared.migrate import Plan, plan_of
from flowfabric.stores._shared.readers import taken_from
from flowfabric.stores._shared.schedules import schedule_of
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores._shared.workers import worker_of
from flowfabric.stores.sqlite.connection import (
    FileId,
    check_is_file,
    connect,
    create_if_missing,
    file_id,
    translating_errors,
)
from flowfabric.stores.sqlite.forking import close_at_forks, refuse_inherited, using
from flowfabric.stores.sqlite.graph import Graph
from flowfabric.stores.sqlite.joining import CallersSqlite
from flowfabric.stores.sqlite.migrating import VERSIONS_TABLE, apply_migrations, pending_migrations
from flowfabric.stores.sqlite.rows import (
    FLOWS,
    Row,
    attempt_of,
    calls,
    due_position,
    event_of,
    flow_key_of,
    flow_of,
    group_of,
    id_of,
    key_of,
    uuid_bytes,
)
from flowfabric.stores.sqlite.store_time import KEPT, StoreTime, as_kept, kept_in
from flowfabric.stores.sqlite.watching import LogWatch
from flowfabric.stores.sqlite.write_lock import WriteLock
from flowfabric.stores.sqlite.writer import SqliteWriter, load_purged

K = TypeVar("K")
T = TypeVar("T")

log = logging.getLogger("flowfabric.stores.sqlite")

OLDEST_SQLITE: Final = (3, 38, 0)
Reader = tuple[sqlite3.Connection, FileId | None]


@for_callers()
def plan(path: str) -> Plan:
    """What is still to be applied to a file, or to one that does not exist yet; nothing is changed."""
    path = os.path.realpath(path)
    if not os.path.exists(path):
        todo = pending_migrations(None, path)
    else:
        check_is_file(path)
        refuse_inherited(path)
        # In turn, like everything that closes a file: the last close checkpoints it.
        with (
            using(),
            translating_errors(path),
            closing(WriteLock(path)) as lock,
            lock.held(),
            closing(connect(path, synchronous="full", reading=True)) as connection,
        ):
            todo = pending_migrations(connection, path)
    return plan_of(todo, versions_table=VERSIONS_TABLE, applied_at_ms="unixepoch() * 1000")


EXPIRED: Final[Mapping[Expiring[Any], tuple[str, Row, Callable[[Row], Any]]]] = {
    expiring.IDEMPOTENCY_KEYS: ("find_expired_idempotency_keys", (), tuple),
    expiring.ANSWERS: ("find_expired_answers", (), tuple),
    expiring.WORKERS: ("find_silent_workers", (), tuple),
    expiring.ACKS: ("find_overdue_acks", (), lambda row: (_flow_id_of(row[1]), id_of(row[0], row[2]))),
    expiring.FLOWS: ("find_flows_to_purge", (), lambda row: _flow_id_of(row[1])),
    expiring.EVENTS: ("find_old_events", (NO_PARTITION,), lambda row: row[0]),
}
"""The statement that finds records of a kind, the values before its instant, and the key that a row is."""


class SqliteStore:
    """Records in one database file."""

    committers = 1

    def __init__(
        self,
        path: str,
        *,
        synchronous: str = "full",
        migrate: bool = True,
        clock: Clock | None = None,
        connections: Connections = DEFAULT_CONNECTIONS,
    ) -> None:
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise SchemaMismatch(
                f"Python links SQLite {sqlite3.sqlite_version}; flowfabric needs {'.'.join(map(str, OLDEST_SQLITE))} "
                "or newer. Use a newer Python, or PostgreSQL."
            )
        # All of it: a child that is forked while a thread imports something here waits for that thread in vain.
        with using():
            # The file's one true name: under another name it would have another lock.
            self.path = os.path.realpath(path)
            self.synchronous = synchronous
            self.sql = Statements(__package__)
            self.capabilities = CapabilitySets(_CapabilityTable(self.sql))
            self.blocks: set[int] = set()
            """The identities of callers' connections and sessions that hold the write lock now."""
            self._clock: Clock = StoreTime() if clock is None else clock
            self._readers: queue.LifoQueue[Reader | None] = queue.LifoQueue()
            self.connections = connections
            for _ in range(connections.read):
                self._readers.put(None)
            self._writers: list[SqliteWriter] = []
            self._closed = False
            refuse_inherited(self.path)
            create_if_missing(self.path)
            self.log_watch = LogWatch(self.path)
            self.write_lock = WriteLock(self.path)
            try:
                self.name = self._prepare(migrate)
                self.era = era_of(self.name)
            except BaseException:
                self.write_lock.close()
                raise
            close_at_forks(self)

    @for_callers()
    def _prepare(self, migrate: bool) -> str:
        """Bring the schema up to date and learn which incarnation of which database this is."""
        self.write_lock.acquire()
        try:
            with translating_errors(self.path):
                connection = connect(self.path, synchronous=self.synchronous, reading=False)
                try:
                    self._migrate(connection, migrate)
                    # Only now: a file that is refused, because it is somebody else's, stays as it was.
                    connection.execute("pragma journal_mode = wal")
                    name = self._name_in(connection)
                    assert name is not None
                    self.learn_time(connection)
                    _ = self.now_ms  # told once, so that from now on a clock that is set back is noticed
                    return name
                finally:
                    connection.close()
        finally:
            self.write_lock.release()

    def _migrate(self, connection: sqlite3.Connection, migrate: bool) -> None:
        connection.execute("begin immediate")
        try:
            apply_migrations(connection, self.path, self.now_ms, migrate=migrate)
            if self._name_in(connection) is None:
                connection.execute(self.sql["save_meta"], ("incarnation", secrets.token_hex(6)))
            connection.execute("commit")
        except BaseException:
            connection.rollback()
            raise

    @property
    def now_ms(self) -> int:
        """The time of the file, which everyone shares who can open it."""
        return self._clock.now_ms

    def learn_time(self, connection: sqlite3.Connection) -> None:
        """Read how far the time of the file has come, by those who wrote to it."""
        self.time_was(connection.execute(self.sql["load_meta"], (KEPT,)).fetchall())

    def time_was(self, found: Sequence[Sequence[Any]]) -> None:
        """The same, of the row that was read."""
        if isinstance(self._clock, StoreTime):
            self._clock.learn(kept_in(found))

    def time_to_keep(self, now_ms: int) -> tuple[str, str] | None:
        """The row that a commit at this time writes, so that time never goes back behind it; most need not."""
        kept = self._clock.to_keep(now_ms) if isinstance(self._clock, StoreTime) else None
        return None if kept is None else as_kept(kept)

    @for_callers()
    def accept_clock(self) -> int:
        """Take the machine's clock for right again; by how many milliseconds time goes back with that."""
        assert isinstance(self._clock, StoreTime), "only a machine's clock can be accepted"
        with (
            using(),
            translating_errors(self.path),
            self.write_lock.held(),
            closing(connect(self.path, synchronous=self.synchronous, reading=False)) as connection,
        ):
            self.learn_time(connection)
            before_ms = self.now_ms
            connection.execute(self.sql["save_meta"], as_kept(self._clock.accepted()))
            self.learn_time(connection)
            return max(0, before_ms - self.now_ms)

    def writer(self) -> SqliteWriter:
        """A new write connection."""
        with using():
            writer = SqliteWriter(self)
            self._writers.append(writer)
        return writer

    def callers_connection(self, connection: object, *, is_async: bool) -> CallersSqlite:
        """A connection of the caller's own to this file."""
        return CallersSqlite(self, connection, is_async=is_async)

    def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be read."""
        with self._reading() as connection:
            connection.execute("select 1 from ff_meta").fetchone()

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        """Tell that other processes have committed something to the file."""
        return self.log_watch.watching(on_commit)

    def listen_for(self, *, ends: bool, events: bool) -> None:
        """Every commit is told, whatever it is."""

    def close(self) -> None:
        """Close every connection. Reads still under way finish first."""
        self._closed = True
        with using():
            readers = [self._readers.get() for _ in range(self.connections.read)]
            for reader in readers:
                # A read that has begun and waits for its turn goes on, and finds that the store is closed.
                self._readers.put(None)
                if reader is not None:
                    self.close_connection(reader[0])
        self.write_lock.close()

    @property
    def has_connections(self) -> bool:
        """Whether any is open. For a time when nobody uses one."""
        return any(self._readers.queue) or any(writer.connection is not None for writer in self._writers)

    def close_connections(self) -> None:
        """Close every connection for now; the next use opens another. For a time when nobody uses one."""
        open_ones = [reader[0] for reader in self._readers.queue if reader is not None]
        open_ones += [connection for writer in self._writers if (connection := writer.without_connection()) is not None]
        self._readers.queue[:] = [None] * len(self._readers.queue)
        if open_ones:
            self.close_connection(*open_ones)

    def connected(self, *, reading: bool) -> Reader:
        """A new connection to our database, and which file it is; refuses what else may stand at its path by now."""
        with translating_errors(self.path):
            connection = connect(self.path, synchronous=self.synchronous, reading=reading)
            found = file_id(self.path)
            try:
                is_ours = self._name_in(connection) == self.name
            except BaseException:
                self.close_connection(connection)
                raise
        if not is_ours:
            self.close_connection(connection)
            raise StoreUnavailable(
                f"Another database was put in the place of {self.path}. Restart what uses it, so that no lease "
                "of the old one is taken for one of the new.",
                is_final=True,
            )
        return connection, found

    def _name_in(self, connection: sqlite3.Connection) -> str | None:
        if connection.execute("select 1 from sqlite_schema where name = 'ff_meta'").fetchone() is None:
            return None
        row = connection.execute(self.sql["load_meta"], ("incarnation",)).fetchone()
        return None if row is None else f"sqlite-{row[0]}"

    def close_connection(self, *connections: sqlite3.Connection) -> None:
        """Close under the write lock, because the last close of a database checkpoints it."""
        has_lock = False
        try:
            self.write_lock.acquire()
            has_lock = True
        except StoreUnavailable:
            log.warning("closing %s without the write lock", self.path)
        try:
            for connection in connections:
                connection.close()
        finally:
            if has_lock:
                self.write_lock.release()

    # ── reads ────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A read connection, inside one snapshot."""
        self._check_open()
        with using():
            reader = taken_from(self._readers, self.connections)
            try:
                self._check_open()  # it may have been closed while this read waited
                with translating_errors(self.path):
                    reader = self._current(reader)
                    connection = reader[0]
                    connection.execute("begin")
                    try:
                        yield connection
                    finally:
                        connection.execute("rollback")
            finally:
                self._readers.put(reader)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(f"The engine on {self.path} is closed. Open a new one.", is_final=True)

    def _current(self, reader: Reader | None) -> Reader:
        """A connection to the file that stands at our path; while none does, the one that stood there can be read."""
        if reader is not None and file_id(self.path) in (reader[1], None):
            return reader
        fresh = self.connected(reading=True)
        if reader is not None:
            # Nothing is brought into a file that has moved, so this close needs no lock.
            reader[0].close()
        return fresh

    def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution."""
        with self._reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            return found[0] if found else None

    def executions_named(self, execution_ids: Iterable[ExecutionId]) -> list[Execution]:
        """Those of the named executions that there are."""
        with self._reading() as connection:
            return sorted(Graph(connection, self).executions(execution_ids), key=lambda x: x.execution_id)

    def result(self, execution_id: ExecutionId) -> bytes | None:
        """Its result, if it has one."""
        with self._reading() as connection:
            row = connection.execute(self.sql["load_result"], key_of(execution_id)).fetchone()
            return None if row is None else row[0]

    def payload(self, execution_id: ExecutionId) -> bytes | None:
        """Its payload."""
        with self._reading() as connection:
            row = connection.execute(self.sql["load_payload"], key_of(execution_id)).fetchone()
            return None if row is None else row[0]

    def attempts(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Attempt], list[FailedAttempt]]:
        """The execution, its attempts written so far, and why they failed."""
        with self._reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            rows = connection.execute(self.sql["load_attempts"], key_of(execution_id)).fetchall()
            failures = connection.execute(self.sql["load_failures"], key_of(execution_id)).fetchall()
            return (
                found[0] if found else None,
                [attempt_of(execution_id, row) for row in rows],
                [FailedAttempt(execution_id, *row) for row in failures],
            )

    def last_failure(self, execution_id: ExecutionId) -> FailedAttempt | None:
        """Why its last failed attempt failed."""
        with self._reading() as connection:
            row = connection.execute(self.sql["load_last_failure"], key_of(execution_id)).fetchone()
            return None if row is None else FailedAttempt(execution_id, *row)

    def executions(self, where: ExecutionFilter, after: ListPosition | None, limit: int) -> list[Execution]:
        """Executions, newest first."""
        values = (*_list_position(where.start(after)), *_filter_values(where), limit)
        with self._reading() as connection:
            if where.tag is not None:
                rows = connection.execute(self.sql["list_tagged_executions"], (*values, *where.tag)).fetchall()
            elif where.flow_id is not None:
                rows = connection.execute(self.sql["list_members"], values).fetchall()
            else:
                rows = connection.execute(self.sql["list_executions"], values).fetchall()
            keys = [id_of(*row) for row in rows]
            found = {x.execution_id: x for x in Graph(connection, self).executions(keys)}
            return [found[key] for key in keys]

    def count_executions(self, where: ExecutionFilter) -> int:
        """How many there are."""
        values = (where.start(None).created_at_ms, *_filter_values(where))
        statement = "count_executions" if where.flow_id is None else "count_members"
        if where.tag is not None:
            statement, values = "count_tagged_executions", (*values, *where.tag)
        with self._reading() as connection:
            return int(connection.execute(self.sql[statement], values).fetchone()[0])

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> EventPage:
        """The next events."""
        with self._reading() as connection:
            last = connection.execute(self.sql["last_event_id"]).fetchone()[0]
            purged = load_purged(connection, self.sql)
            position = event_id_at(cursor, self.name, last, purged)
            channels = None
            if where.channels is not None:
                channels = sum(1 << CHANNEL_CODES[channel] for channel in where.channels)
            values = (position, channels, where.namespace, uuid_bytes(where.flow_id), limit)
            if where.execution_id is None:
                rows = connection.execute(self.sql["read_events"], values).fetchall()
            else:
                of_execution = (*values, *key_of(where.execution_id))
                rows = connection.execute(self.sql["read_events_of_execution"], of_execution).fetchall()
            events = [event_of(row) for row in rows]
            end = events[-1].event_id if len(events) == limit else last
            return EventPage(events, event_cursor(self.name, end, purged))

    def events_from_now(self) -> str:
        """The cursor of the end of the log."""
        with self._reading() as connection:
            last = connection.execute(self.sql["last_event_id"]).fetchone()[0]
            return event_cursor(self.name, last, load_purged(connection, self.sql))

    def cursor_within(self, before: str | None, page: EventPage, event: Event) -> str:
        """Ids are in commit order, so the id of an event is its position."""
        return event_cursor_within(self.name, page.next_cursor, event.event_id)

    def steps(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Step]]:
        """The execution and its stored steps."""
        with self._reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            rows = connection.execute(self.sql["load_steps"], key_of(execution_id)).fetchall()
            return found[0] if found else None, in_stored_order(Step(execution_id, *row) for row in rows)

    def workers(self, namespace: str | None) -> list[Worker]:
        """What workers say of themselves."""
        with self._reading() as connection:
            return [worker_of(row) for row in connection.execute(self.sql["list_workers"], (namespace,)).fetchall()]

    def schedules(self, namespace: str | None) -> list[Schedule]:
        """Schedules, by namespace and name."""
        with self._reading() as connection:
            return [schedule_of(row) for row in connection.execute(self.sql["list_schedules"], (namespace,)).fetchall()]

    def lane_switches(self, namespace: str | None) -> list[LaneSwitch]:
        """What operators have set for lanes."""
        with self._reading() as connection:
            rows = connection.execute(self.sql["list_lane_switches"], (namespace,)).fetchall()
            return [LaneSwitch(*row) for row in rows]

    def lane_counts(self, namespace: str | None) -> list[LaneCount]:
        """What lanes hold that has not ended."""
        with self._reading() as connection:
            return lane_counts_of(connection.execute(self.sql["count_live_executions"], (namespace,)).fetchall())

    def recent_ends(self, namespace: str | None, since_ms: int) -> RecentEnds:
        """How many executions of each lane have ended, as far as the newest events tell."""
        with self._reading() as connection:
            oldest = connection.execute(self.sql["find_nth_newest_event"], (RECENT_EVENTS,)).fetchone()
            values = (namespace, since_ms, RECENT_EVENTS)
            return recent_ends_of(
                connection.execute(self.sql["count_recent_ends"], values).fetchall(), oldest, since_ms
            )

    def tally(self, namespace: str | None) -> Tally:
        """What there is, counted."""
        with self._reading() as connection:
            return tally_of(
                states=connection.execute(self.sql["count_states"], (namespace,)).fetchall(),
                flows=connection.execute(self.sql["count_flow_states"], (namespace,)).fetchall(),
                pending_acks=connection.execute(self.sql["count_pending_acks"], (namespace,)).fetchone()[0],
                log=None if namespace is not None else connection.execute(self.sql["read_log_extent"]).fetchone(),
                schema_version=connection.execute(self.sql["read_schema_version"]).fetchone()[0],
                kept=kept_of(
                    connection.execute(self.sql["count_kept"], (namespace,)),
                    connection.execute(self.sql["count_kept_flows"], (namespace,)),
                ),
            )

    def flow(self, flow_id: FlowId) -> Flow | None:
        """One flow."""
        with self._reading() as connection:
            found = Graph(connection, self).flows([flow_id])
            return found[0] if found else None

    def flow_view(self, flow_id: FlowId) -> FlowView | None:
        """One flow with its groups and pending acknowledgements."""
        with self._reading() as connection:
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
        with self._reading() as connection:
            for ack in Graph(connection, self).acks_of(flow_ids):
                owed[ack.flow_id].append(ack.execution_id)
        return {flow_id: sorted(keys) for flow_id, keys in owed.items()}

    def flows(self, where: FlowFilter, after: ListPosition | None, limit: int) -> list[Flow]:
        """Flows, newest first."""
        state = None if where.state is None else FLOW_STATE_CODES[where.state]
        with self._reading() as connection:
            values = (*_list_position(after or NEWEST), where.namespace, state, limit)
            return [flow_of(row) for row in FLOWS.read(connection, self.sql["list_flows"], values)]

    def edge(self, flow_id: FlowId, edge_id: str) -> Edge | None:
        """One edge."""
        with self._reading() as connection:
            found = Graph(connection, self).edges([(flow_id, edge_id)])
            return found[0] if found else None

    def edges(self, flow_id: FlowId, upstream: ExecutionId | None, downstream: ExecutionId | None) -> list[Edge]:
        """The flow's edges, by edge id."""
        with self._reading() as connection:
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
        with self._reading() as connection:
            found = Graph(connection, self).groups([downstream])
            return found[0] if found else None

    # ── what a purge looks for ───────────────────────────────────────────────────────────────────

    def ended_executions(
        self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int
    ) -> list[ListPosition]:
        """Executions that ended before an instant and belong to no flow."""
        values = (*_list_position(after), namespace, ended_before_ms, limit)
        with self._reading() as connection:
            rows = connection.execute(self.sql["find_ended_executions"], values).fetchall()
        return [ListPosition(at, uuid_from_hex(uuid.hex()), partition) for at, uuid, partition in rows]

    def ended_flows(self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int) -> list[Flow]:
        """Flows that were over before an instant."""
        values = (*_list_position(after), namespace, ended_before_ms, limit)
        with self._reading() as connection:
            return [flow_of(row) for row in FLOWS.read(connection, self.sql["find_ended_flows"], values)]

    # ── what reconcilers look for ────────────────────────────────────────────────────────────────

    def news(self, waits: Waits) -> Committed:
        """What of it has ended, was acknowledged, or is over."""
        ended = {key_of(key): key for key in waits.executions}
        leases = {(*key_of(key), epoch): key for key, epoch in waits.leases}
        flows = {flow_key_of(key): key for key in waits.flows}
        with self._reading() as connection:
            return Committed(
                [
                    *self._found(connection, "find_ended_among", ended),
                    *self._found(connection, "find_acknowledged_among", flows),
                ],
                False,
                lost=self._found(connection, "find_leases_over_among", leases),
            )

    def _found(self, connection: sqlite3.Connection, statement: str, named: Mapping[Row, T]) -> list[T]:
        """Which of the keys a repeated statement gives back, as what they stand for."""
        found = (
            row
            for text, values in calls(self.sql, statement, list(named))
            for row in connection.execute(text, values).fetchall()
        )
        return [named[row] for row in found]

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        """What there is to do now."""
        kinds, asked = (msgspec.json.encode(each).decode() for each in (list(DUE_KIND_CODES.values()), lanes))
        now_ms = self.now_ms
        with self._reading() as connection:
            values = (now_ms, kinds, asked, DUE_KIND_CODES["delay"])
            due, has_overdue_acks, ready, delay_at_ms = connection.execute(self.sql["poll"], values).fetchone()
        return Polled(
            [DUE_KINDS[code] for code in msgspec.json.decode(due, type=list[int])],
            bool(has_overdue_acks),
            [lanes[index] for index in msgspec.json.decode(ready, type=list[int])],
            None if delay_at_ms is None else delay_at_ms - now_ms,
        )

    def due(self, kind: DueKind, until_ms: int, after: Due | None, limit: int) -> list[Due]:
        """Due moments of one kind, earliest first."""
        values = (DUE_KIND_CODES[kind], until_ms, *due_position(after), limit)
        with self._reading() as connection:
            rows = connection.execute(self.sql["find_due"], values).fetchall()
            return [Due(kind, at, id_of(partition, uuid)) for at, partition, uuid in rows]

    def expired(self, kind: Expiring[K], until_ms: int, limit: int) -> list[K]:
        """Records whose time is over, by their keys."""
        statement, before, key_in = EXPIRED[kind]
        with self._reading() as connection:
            found = connection.execute(self.sql[statement], (*before, until_ms, limit)).fetchall()
        return [key_in(row) for row in found]

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        """What is blocked, with what it waits for. Damaged records are passed over.

        Nothing else can need mending: queue and due moments are indexes of the record here, and SQLite keeps those
        right.
        """
        position: Row = (-1, b"") if after is None else key_of(after)
        with self._reading() as connection:
            keys = connection.execute(self.sql["find_blocked"], (*position, limit)).fetchall()
            rows = _blocked([id_of(*key) for key in keys], Graph(connection, self))
        return SideRowsPage(rows, id_of(*keys[-1]) if len(keys) == limit else None)

    def take_turn(self, holder: str, ttl_ms: int, after: ExecutionId | None) -> Turn:
        """Everyone may walk: what is blocked has an index of its own, and nothing else is looked at."""
        return Turn(holder, self.now_ms + ttl_ms, after)


def _list_position(after: ListPosition) -> Row:
    return after.created_at_ms, uuid_bytes(after.uuid), after.partition


def _filter_values(where: ExecutionFilter) -> Row:
    state = None if where.public_state is None else PUBLIC_STATE_CODES[where.public_state]
    return where.namespace, state, where.lane, uuid_bytes(where.flow_id), where.kind


def _flow_id_of(uuid: bytes) -> FlowId:
    return FlowId(uuid_from_hex(uuid.hex()))


def _blocked(execution_ids: Sequence[ExecutionId], graph: Graph) -> list[SideRows]:
    """Blocked executions and what they wait for, in the given order."""
    try:
        executions = {x.execution_id: x for x in graph.executions(execution_ids)}
        groups = {group.downstream: group for group in graph.groups(execution_ids)}
    except Corruption as error:
        if len(execution_ids) == 1:
            log.error("execution passed over: %s", error, extra={"cause": str(error)})
            return []
        return [row for key in execution_ids for row in _blocked([key], graph)]
    return [SideRows(executions[key], True, True, groups.get(key)) for key in execution_ids if key in executions]


class _CapabilityTable:
    def __init__(self, sql: Statements) -> None:
        self._sql = sql

    def read_tokens(self, capability_set: int, connection: sqlite3.Connection) -> str | None:
        row = connection.execute(self._sql["load_capability_set"], (capability_set,)).fetchone()
        return None if row is None else str(row[0])

    def read_id(self, tokens: str, connection: sqlite3.Connection) -> int | None:
        row = connection.execute(self._sql["load_capability_set_id"], (tokens,)).fetchone()
        return None if row is None else int(row[0])

    def insert(self, tokens: str, connection: sqlite3.Connection) -> None:
        connection.execute(self._sql["insert_capability_set"], (tokens,))
