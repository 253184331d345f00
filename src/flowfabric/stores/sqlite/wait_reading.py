"""The reads of waits and signals, for callers."""

from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.steps import Step
from flowfabric.domain.waiting import SIGNALS_MAX, Alias, KeyRing, StoredSignal, StoredWaitpoint
from flowfabric.stores.sqlite.graph import Graph
from flowfabric.stores.sqlite.readers import ReadSide
from flowfabric.stores.sqlite.reading import list_position
from flowfabric.stores.sqlite.rows import id_of, key_of, step_of
from flowfabric.stores.sqlite.wait_rows import WaitRows


class SqliteWaitReads(ReadSide):
    """What executions wait for, and what was sent to them."""

    def step(self, execution_id: ExecutionId, name: str) -> tuple[Execution | None, Step | None]:
        """The execution and one of its stored steps."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            row = connection.execute(self.sql["load_step"], (*key_of(execution_id), name)).fetchone()
            return found[0] if found else None, None if row is None else step_of(execution_id, name, row)

    def waitpoints(self, execution_id: ExecutionId) -> tuple[Execution | None, list[tuple[StoredWaitpoint, int]]]:
        """The execution, its waitpoints by age and key, and how many kept signals each has."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            waitpoints = WaitRows(connection, self.sql).waitpoints_of([execution_id])
        return found[0] if found else None, sorted(waitpoints, key=lambda each: (each[0].created_at_ms, each[0].key))

    def waitpoint(
        self, execution_id: ExecutionId, waitpoint_id: str
    ) -> tuple[Execution | None, StoredWaitpoint | None]:
        """The execution and its waitpoint of this id."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            waitpoint = WaitRows(connection, self.sql).waitpoint_of_id(execution_id, waitpoint_id)
            return found[0] if found else None, waitpoint

    def signals(
        self, execution_id: ExecutionId, key: str | None, after: int = 0, limit: int = SIGNALS_MAX
    ) -> tuple[Execution | None, list[StoredSignal]]:
        """The execution and its signals in the order of their arrival: all, or those of one waitpoint."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            signals = WaitRows(connection, self.sql).signals_at(execution_id, key, after, limit)
            return found[0] if found else None, signals

    def suspended(
        self, namespace: str | None, key: str | None, after: ListPosition | None, limit: int
    ) -> list[Execution]:
        """Suspended executions, oldest wait first."""
        position = (-1, b"", -1) if after is None else list_position(after)
        with self.readers.reading() as connection:
            rows = connection.execute(self.sql["list_suspended"], (*position, namespace, key, limit)).fetchall()
            keys = [id_of(*row) for row in rows]
            found = {x.execution_id: x for x in Graph(connection, self).executions(keys)}
            return [found[each] for each in keys]

    def alias(self, namespace: str, alias: str) -> Alias | None:
        """The waitpoint that has this alias, and whether its execution has ended."""
        with self.readers.reading() as connection:
            found = WaitRows(connection, self.sql).aliases([(namespace, alias)])
            return found[0] if found else None

    def key_ring(self, name: str) -> KeyRing | None:
        """The keys that sign tokens, if the store keeps some."""
        with self.readers.reading() as connection:
            return WaitRows(connection, self.sql).key_ring(name)
