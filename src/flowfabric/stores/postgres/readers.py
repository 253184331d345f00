"""The read connections of a store: a pool of a fixed size, which replaces lost connections."""

import queue
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

import psycopg

from flowfabric.domain.connections import Connections
from flowfabric.domain.errors import InvalidInput, StoreUnavailable
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId, partition_in, uuid_in
from flowfabric.domain.listing import FIRST_UUID
from flowfabric.ports.clock import Clock
from flowfabric.ports.errors import AnswerUnclear, ConnectionLost
from flowfabric.stores._shared.capability_sets import CapabilitySets
from flowfabric.stores._shared.readers import taken_from
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.connection import Connection, Connector, Cursor, check_alive, translating_errors

BEGIN_SNAPSHOT: Final = "begin isolation level repeatable read read only"
CLOSE_S_MAX: Final = 2.0
"""How long a close waits for reads that are under way."""


class Readers:
    """The read connections of a store. The connection that was used last is handed out first."""

    def __init__(
        self, connector: Connector, connect: Callable[[], Connection], connections: Connections, first: Connection
    ) -> None:
        self.connector = connector
        self._connect = connect
        self._connections = connections
        self._is_closed = False
        self.free: queue.LifoQueue[Connection | None] = queue.LifoQueue()
        """The free connections; None stands for a connection that is opened when it is needed."""
        for _ in range(connections.read - 1):
            self.free.put(None)
        self.free.put(first)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A read connection, for one statement."""
        self._check_open()
        connection = taken_from(self.free, self._connections)
        try:
            self._check_open()  # the store may have been closed while this read waited
            connection = self._usable(connection)
            with translating_errors(self.connector):
                yield connection
        except (ConnectionLost, AnswerUnclear):
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
            if self._is_closed and connection is not None:
                connection.close()
            self.free.put(connection)

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("This engine is closed. Open a new one.", is_final=True)

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A read connection, for several statements that see the same snapshot."""
        with self.reading() as connection:
            connection.execute(BEGIN_SNAPSHOT)
            try:
                yield connection
            except Exception:
                give_up_read(connection)
                raise
            connection.commit()

    def _usable(self, connection: Connection | None) -> Connection:
        """A connection that works, as far as is known. An idle one may have been cut meanwhile, and is replaced."""
        if connection is not None and not connection.closed:
            try:
                check_alive(connection)
                return connection
            except psycopg.OperationalError:
                connection.close()
        return self._connect()

    def close(self) -> None:
        """Close every connection. A read that is still under way closes its own connection when it ends."""
        self._is_closed = True
        until = time.monotonic() + CLOSE_S_MAX
        taken: list[Connection | None] = []
        with suppress(queue.Empty):  # the database does not answer, or takes its time
            for _ in range(self._connections.read):
                taken.append(self.free.get(timeout=max(0.0, until - time.monotonic())))
        for connection in taken:
            # A read that has begun and waits for its turn goes on, and finds that the store is closed.
            self.free.put(None)
            if connection is not None:
                connection.close()


class ReadSide:
    """The base of a store's reads and finds."""

    name: str
    sql: Statements
    readers: Readers
    capabilities: CapabilitySets[Connection]
    clock: Clock | None
    """The clock of a test; None: the server's clock counts."""

    @property
    def now_ms(self) -> int:
        """The server's time."""
        if self.clock is not None:
            return self.clock.now_ms
        with self.readers.reading() as connection:
            row = connection.execute(self.sql["clock"].encode()).fetchone()
            assert row is not None
            return int(row[0])

    @property
    def given_now_ms(self) -> int | None:
        """The time of the test's clock; None if the server's clock counts."""
        return None if self.clock is None else self.clock.now_ms

    def clock_or(self, now_ms: int) -> int:
        """The given time of the server, or the time of the test's clock if there is one."""
        return now_ms if self.clock is None else self.clock.now_ms

    def _executions(self, connection: Connection, execution_ids: list[ExecutionId]) -> list[Execution]:
        (found,) = self._by_key(connection, ("read_executions", rows.keys(execution_ids)))
        return [self._execution_in(row, connection) for row in found]

    def _execution_and(
        self, execution_id: ExecutionId, *asked: tuple[str, Mapping[str, object]]
    ) -> tuple[Execution | None, list[list[rows.Row]]]:
        """The execution, and the rows that statements find at the same moment."""
        with self.readers.reading() as connection:
            found, *others = self._by_key(connection, ("read_executions", rows.keys([execution_id])), *asked)
            return self._execution_in(found[0], connection) if found else None, others

    def _by_key(self, connection: Connection, *asked: tuple[str, Mapping[str, object]]) -> list[list[rows.Row]]:
        """The rows that statements find by the keys of executions, all as of one moment and in one round trip.

        To plan such a statement takes longer than to run it, and one plan fits all values. So they are prepared.
        """
        # What a pipeline sends behind the end of a transaction would keep a pooler's server connection.
        is_pooled = self.readers.connector.is_pooled
        begins = is_pooled or len(asked) > 1
        try:
            with connection.pipeline():
                if begins:
                    connection.execute(BEGIN_SNAPSHOT)
                connection.execute(self.sql["pin_plans_by_key"].encode(), prepare=True)
                found = [self._prepared(connection, statement, values) for statement, values in asked]
                if begins and not is_pooled:
                    connection.execute("commit")
        except Exception:
            give_up_read(connection)
            raise
        if is_pooled:
            connection.commit()
        return [each.fetchall() for each in found]

    def _prepared(self, connection: Connection, statement: str, values: Mapping[str, object] | None = None) -> Cursor:
        """Send a statement while plans are pinned, and let the server keep its plan."""
        return connection.execute(self.sql[statement].encode(), values, binary=True, prepare=True)

    def _execution_in(self, row: rows.Row, connection: Connection) -> Execution:
        return rows.execution_in(row, self.capabilities.tokens(row[6], connection))


def give_up_read(connection: Connection) -> None:
    """End a read in which something has failed. The driver then also drops the prepared statements."""
    if not connection.closed:
        connection.rollback()


@contextmanager
def refusing_bad_cursors() -> Iterator[None]:
    """All other values were checked before, so a value that the server cannot read comes from a cursor."""
    try:
        yield
    except psycopg.DataError:
        raise InvalidInput("That is not a cursor of this list. Pass the next_cursor of a page, or none.") from None


def key_of(execution_id: ExecutionId) -> Mapping[str, object]:
    """An execution's key, as parameters of a statement."""
    return {"partition_key": partition_in(execution_id), "execution_id": uuid_in(execution_id)}


def key_or_first(after: ExecutionId | None) -> Mapping[str, object]:
    """The same; without an id, a key that comes before every key."""
    return {"partition_key": -1, "execution_id": FIRST_UUID} if after is None else key_of(after)
