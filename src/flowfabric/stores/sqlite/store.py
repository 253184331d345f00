"""A SQLite file as a store: embedded, the default, and safe for several processes on one machine."""

import logging
import os
import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from typing import Any, Final

from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.errors import SchemaMismatch, StoreUnavailable
from flowfabric.domain.lease import era_of
from flowfabric.domain.news import OnOthersCommit
from flowfabric.ports.clock import Clock
from flowfabric.ports.errors import for_callers
from flowfabric.stores._shared.capability_sets import CapabilitySets
from flowfabric.stores._shared.migrate import Plan, plan_of
from flowfabric.stores._shared.statements import Statements, statements_of
from flowfabric.stores.sqlite.access import SqliteAccessReads
from flowfabric.stores.sqlite.callers_transaction import CallersSqlite
from flowfabric.stores.sqlite.connection import (
    check_is_file,
    connect,
    create_if_missing,
    file_id,
    translating_errors,
)
from flowfabric.stores.sqlite.families import SqliteFamilyReads
from flowfabric.stores.sqlite.finding import SqliteFinds
from flowfabric.stores.sqlite.forking import close_at_forks, refuse_inherited, using
from flowfabric.stores.sqlite.gate_reading import SqliteGateReads
from flowfabric.stores.sqlite.migrating import VERSIONS_TABLE, apply_migrations, pending_migrations
from flowfabric.stores.sqlite.readers import Reader, Readers
from flowfabric.stores.sqlite.reading import SqliteReads
from flowfabric.stores.sqlite.store_time import KEPT, StoreTime, as_kept, kept_in
from flowfabric.stores.sqlite.stream_reading import SqliteStreamReads
from flowfabric.stores.sqlite.wait_reading import SqliteWaitReads
from flowfabric.stores.sqlite.watching import LogWatch
from flowfabric.stores.sqlite.write_lock import WriteLock
from flowfabric.stores.sqlite.writer import SqliteWriter

log = logging.getLogger("flowfabric.stores.sqlite")

OLDEST_SQLITE: Final = (3, 38, 0)


@for_callers()
def plan(path: str) -> Plan:
    """The migrations that a file still lacks; it need not exist yet. Nothing is changed."""
    path = os.path.realpath(path)
    if not os.path.exists(path):
        todo = pending_migrations(None, path)
    else:
        check_is_file(path)
        refuse_inherited(path)
        # Under the lock, as every close of a file: the last close checkpoints it.
        with (
            using(),
            translating_errors(path),
            closing(WriteLock(path)) as lock,
            lock.held(),
            closing(connect(path, synchronous="full", reading=True)) as connection,
        ):
            todo = pending_migrations(connection, path)
    return plan_of(todo, versions_table=VERSIONS_TABLE, applied_at_ms="unixepoch() * 1000")


class SqliteStore(
    SqliteReads,
    SqliteWaitReads,
    SqliteFamilyReads,
    SqliteGateReads,
    SqliteStreamReads,
    SqliteAccessReads,
    SqliteFinds,
):
    """Records in one database file."""

    committers = 1
    batches_stay_in_one_partition = False

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
        # No fork during any of this: a child that is forked while a thread imports a module waits for ever for that
        # import.
        with using():
            # The real path: under another name the file would have another lock.
            self.path = os.path.realpath(path)
            self.synchronous = synchronous
            self.sql = statements_of(__package__)
            self.capabilities = CapabilitySets(_CapabilityTable(self.sql))
            self.blocks: set[int] = set()
            """The ids of callers' connections and sessions that hold the write lock now."""
            self.clock: Clock = StoreTime() if clock is None else clock
            self.connections = connections
            self.readers = Readers(self.path, lambda: self.connected(reading=True), connections)
            self._writers: list[SqliteWriter] = []
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
        """Bring the schema up to date, and return the name of the store."""
        self.write_lock.acquire()
        try:
            with translating_errors(self.path):
                connection = connect(self.path, synchronous=self.synchronous, reading=False)
                try:
                    self._migrate(connection, migrate)
                    # Only now, so that a refused file of another program stays as it was.
                    connection.execute("pragma journal_mode = wal")
                    name = self._name_in(connection)
                    assert name is not None
                    self.learn_time(connection)
                    _ = self.now_ms  # read once: from now on a clock that is set back is noticed
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

    def learn_time(self, connection: sqlite3.Connection) -> None:
        """Read the highest time that any process has written to the file."""
        self.time_was(connection.execute(self.sql["load_meta"], (KEPT,)).fetchall())

    def time_was(self, found: Sequence[Sequence[Any]]) -> None:
        """The same, from a row that was read already."""
        if isinstance(self.clock, StoreTime):
            self.clock.learn(kept_in(found))

    def time_to_keep(self, now_ms: int) -> tuple[str, str] | None:
        """The row that a commit at this time must write, so that time never goes back; None for most commits."""
        kept = self.clock.to_keep(now_ms) if isinstance(self.clock, StoreTime) else None
        return None if kept is None else as_kept(kept)

    @for_callers()
    def accept_clock(self) -> int:
        """Use the machine's clock as the time of the file again. Returns by how many milliseconds time goes back."""
        assert isinstance(self.clock, StoreTime), "only a machine's clock can be accepted"
        with (
            using(),
            translating_errors(self.path),
            self.write_lock.held(),
            closing(connect(self.path, synchronous=self.synchronous, reading=False)) as connection,
        ):
            self.learn_time(connection)
            before_ms = self.now_ms
            connection.execute(self.sql["save_meta"], as_kept(self.clock.accepted()))
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
        with self.readers.reading() as connection:
            connection.execute("select 1 from ff_meta").fetchone()

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        """Call `on_commit` when another process has committed to the file."""
        return self.log_watch.watching(on_commit)

    def listen_for(self, *, ends: bool, events: bool, slots: bool, streams: bool) -> None:
        """Nothing to do: `watch` reports every commit."""

    def close(self) -> None:
        """Close every connection. Reads still under way finish first."""
        with using():
            for connection in self.readers.close():
                self.close_connection(connection)
        self.write_lock.close()

    @property
    def has_connections(self) -> bool:
        """Whether any connection is open. Call it only while nobody uses one."""
        return self.readers.has_connections or any(writer.connection is not None for writer in self._writers)

    def close_connections(self) -> None:
        """Close all connections for now; the next use opens new ones. Call it only while nobody uses one."""
        open_ones = self.readers.without_connections()
        open_ones += [connection for writer in self._writers if (connection := writer.without_connection()) is not None]
        if open_ones:
            self.close_connection(*open_ones)

    def connected(self, *, reading: bool) -> Reader:
        """A new connection to our database, and the identity of the file.

        Another database at the same path is refused.
        """
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
