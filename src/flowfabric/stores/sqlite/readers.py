"""The read connections of a store: a pool of a fixed size, which follows the file at its path."""

import queue
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flowfabric.domain.connections import Connections
from flowfabric.domain.errors import StoreUnavailable
from flowfabric.ports.clock import Clock
from flowfabric.stores._shared.capability_sets import CapabilitySets
from flowfabric.stores._shared.readers import taken_from
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.sqlite.connection import FileId, file_id, translating_errors
from flowfabric.stores.sqlite.forking import using

Reader = tuple[sqlite3.Connection, FileId | None]
"""A connection, and the identity of its file."""


class Readers:
    """The read connections of a store. The connection that was used last is handed out first."""

    def __init__(self, path: str, connect: Callable[[], Reader], connections: Connections) -> None:
        self._path = path
        self._connect = connect
        self._connections = connections
        self._is_closed = False
        self.free: queue.LifoQueue[Reader | None] = queue.LifoQueue()
        """The free connections; None stands for a connection that is opened when it is needed."""
        for _ in range(connections.read):
            self.free.put(None)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read connection, inside one snapshot."""
        self._check_open()
        with using():
            reader = taken_from(self.free, self._connections)
            try:
                self._check_open()  # the store may have been closed while this read waited
                with translating_errors(self._path):
                    reader = self._current(reader)
                    connection = reader[0]
                    connection.execute("begin")
                    try:
                        yield connection
                    finally:
                        connection.execute("rollback")
            finally:
                self.free.put(reader)

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable(f"The engine on {self._path} is closed. Open a new one.", is_final=True)

    def _current(self, reader: Reader | None) -> Reader:
        """A connection to the file at our path.

        While there is none, the file that was there before can still be read.
        """
        if reader is not None and file_id(self._path) in (reader[1], None):
            return reader
        fresh = self._connect()
        if reader is not None:
            # SQLite does not checkpoint into a file that was moved, so this close needs no lock.
            reader[0].close()
        return fresh

    def close(self) -> list[sqlite3.Connection]:
        """Wait for the reads under way, and refuse later ones. Returns the connections, which the caller closes."""
        self._is_closed = True
        taken = [self.free.get() for _ in range(self._connections.read)]
        for _ in taken:
            # A read that has begun and waits for its turn goes on, and finds that the store is closed.
            self.free.put(None)
        return [reader[0] for reader in taken if reader is not None]

    @property
    def has_connections(self) -> bool:
        """Whether any connection is open. Call it only while nobody uses one."""
        return any(self.free.queue)

    def without_connections(self) -> list[sqlite3.Connection]:
        """Forget all connections, and return them to be closed. Call it only while nobody uses one."""
        open_ones = [reader[0] for reader in self.free.queue if reader is not None]
        self.free.queue[:] = [None] * len(self.free.queue)
        return open_ones


class ReadSide:
    """The base of a store's reads and finds."""

    name: str
    sql: Statements
    readers: Readers
    capabilities: CapabilitySets[sqlite3.Connection]
    clock: Clock
    meets_members = False
    """Whether the last completions have ended members of flows: the next ones probably do so, too."""

    @property
    def now_ms(self) -> int:
        """The time of the file. All processes that use the file share it."""
        return self.clock.now_ms
