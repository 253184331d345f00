"""Parents and children in a PostgreSQL database: what batches load, and what callers read."""

from collections.abc import Callable, Iterable, Sequence

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId, make_execution_id, partition_in, uuid_in
from flowfabric.domain.listing import FIRST_UUID, ListPosition
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.flow_reads import Ask
from flowfabric.stores.postgres.readers import ReadSide, refusing_bad_cursors


class Families:
    """Asks for live children on behalf of one batch, and adds them to what the batch has loaded.

    Only a parent's lock leads to its children, so they are locked after other executions. The batch does not wait for
    them there. Children that another transaction holds are noted in `held`.
    """

    def __init__(self, loaded: Loaded, execution_in: Callable[[rows.Row], Execution]) -> None:
        self._loaded = loaded
        self._execution_in = execution_in
        self.held: set[ExecutionId] = set()
        """Children that could not be locked."""

    def asks(self, needs: Needs) -> list[Ask]:
        """Ask for everything of this kind that is needed."""
        if not needs.live_children:
            return []
        limits: dict[ExecutionId, int] = {}
        for key, most in needs.live_children:
            limits[key] = max(most, limits.get(key, 0))
            self._loaded.live_children[key] = []
        keys = sorted(limits, key=rows.lock_order)
        values = {**rows.keys(keys), "most": rows.numbers([limits[key] for key in keys])}
        return [Ask("lock_live_children", values, self._take)]

    def _take(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            if row[0] is None:
                self.held.add(make_execution_id(*row[rows.EXECUTION_COLUMNS :]))
                continue
            x = self._execution_in(row)
            assert x.parent_id is not None
            self._loaded.executions[x.execution_id] = x
            self._loaded.live_children[x.parent_id].append(x.execution_id)


class PostgresFamilyReads(ReadSide):
    """The children of executions."""

    def children(
        self, parent_id: ExecutionId, after: ListPosition | None, limit: int, *, only_live: bool = False
    ) -> list[Execution]:
        """The children of an execution, oldest first."""
        values = {
            "parent_id": uuid_in(parent_id),
            "partition_key": partition_in(parent_id),
            "created_at_ms": -1 if after is None else after.created_at_ms,
            "execution_id": FIRST_UUID if after is None else after.uuid,
            "only_live": only_live,
            "most": limit,
        }
        with self.readers.reading() as connection:
            with refusing_bad_cursors():
                found = connection.execute(self.sql["list_children"].encode(), values, binary=True).fetchall()
            return [self._execution_in(row, connection) for row in found]

    def with_results(self, execution_ids: Iterable[ExecutionId]) -> list[tuple[Execution, bytes | None]]:
        """Those of the named executions that exist, each with its result, by id."""
        keys = sorted(set(execution_ids))
        with self.readers.snapshot() as connection:
            found = self._executions(connection, keys)
            rows_found = connection.execute(self.sql["read_results"].encode(), rows.keys(keys), binary=True).fetchall()
        results = {make_execution_id(partition, uuid): result for partition, uuid, result in rows_found}
        return [(x, results.get(x.execution_id)) for x in sorted(found, key=lambda x: x.execution_id)]
