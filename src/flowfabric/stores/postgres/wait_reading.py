"""The reads of a PostgreSQL database about waiting, for callers."""

from collections.abc import Mapping

from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.listing import FIRST_UUID, ListPosition
from flowfabric.domain.steps import Step
from flowfabric.domain.waiting import SIGNALS_MAX, Alias, KeyRing, StoredSignal, StoredWaitpoint
from flowfabric.stores.postgres import rows, wait_rows
from flowfabric.stores.postgres.readers import ReadSide, key_of, refusing_bad_cursors


class PostgresWaitReads(ReadSide):
    """What executions wait for, and what was sent to them."""

    def step(self, execution_id: ExecutionId, name: str) -> tuple[Execution | None, Step | None]:
        """The execution and one of its stored steps."""
        at = rows.step_keys([(execution_id, name)])
        x, (found,) = self._execution_and(execution_id, ("read_named_steps", at))
        return x, rows.step_in(found[0]) if found else None

    def waitpoints(self, execution_id: ExecutionId) -> tuple[Execution | None, list[tuple[StoredWaitpoint, int]]]:
        """The execution, its waitpoints, and how many kept signals each has."""
        x, (found,) = self._execution_and(execution_id, ("read_waitpoints", key_of(execution_id)))
        return x, [(wait_rows.waitpoint_in(row[:-1]), row[-1]) for row in found]

    def waitpoint(
        self, execution_id: ExecutionId, waitpoint_id: str
    ) -> tuple[Execution | None, StoredWaitpoint | None]:
        """The execution and its waitpoint of this id."""
        values = {**key_of(execution_id), "waitpoint_id": waitpoint_id}
        x, (found,) = self._execution_and(execution_id, ("read_waitpoint_of_id", values))
        return x, wait_rows.waitpoint_in(found[0]) if found else None

    def signals(
        self, execution_id: ExecutionId, key: str | None, after: int = 0, limit: int = SIGNALS_MAX
    ) -> tuple[Execution | None, list[StoredSignal]]:
        """The execution and its signals."""
        values = {**key_of(execution_id), "key": key, "after": after, "most": limit}
        x, (found,) = self._execution_and(execution_id, ("read_signals", values))
        return x, [wait_rows.signal_in(row) for row in found]

    def suspended(
        self, namespace: str | None, key: str | None, after: ListPosition | None, limit: int
    ) -> list[Execution]:
        """Suspended executions, oldest wait first."""
        values = {
            "waiting_since_ms": -1 if after is None else after.created_at_ms,
            "execution_id": FIRST_UUID if after is None else after.uuid,
            "partition_key": -1 if after is None else after.partition,
            "namespace": namespace,
            "key": key,
            "most": limit,
        }
        with self.readers.reading() as connection:
            with refusing_bad_cursors():
                found = connection.execute(self.sql["list_suspended"].encode(), values, binary=True).fetchall()
            return [self._execution_in(row, connection) for row in found]

    def alias(self, namespace: str, alias: str) -> Alias | None:
        """The waitpoint that has this alias, and whether its execution has ended."""
        found = self._one("read_alias", {"namespace": namespace, "alias": alias})
        return None if found is None else wait_rows.alias_in(found)

    def key_ring(self, name: str) -> KeyRing | None:
        """The keys that sign tokens."""
        found = self._one("read_key_ring", {"name": name})
        return None if found is None else wait_rows.key_ring_in(found)

    def _one(self, statement: str, values: Mapping[str, object]) -> rows.Row | None:
        with self.readers.reading() as connection:
            return connection.execute(self.sql[statement].encode(), values, binary=True).fetchone()
