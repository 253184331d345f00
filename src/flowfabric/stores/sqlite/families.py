"""The reads of parents and children, for callers."""

from collections.abc import Iterable

from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.listing import ListPosition
from flowfabric.stores.sqlite.graph import Graph
from flowfabric.stores.sqlite.readers import ReadSide
from flowfabric.stores.sqlite.reading import list_position
from flowfabric.stores.sqlite.rows import id_of, key_of


class SqliteFamilyReads(ReadSide):
    """The children of executions."""

    def children(
        self, parent_id: ExecutionId, after: ListPosition | None, limit: int, *, only_live: bool = False
    ) -> list[Execution]:
        """The children of an execution, oldest first."""
        position = (-1, b"") if after is None else list_position(after)[:2]
        with self.readers.reading() as connection:
            values = (*key_of(parent_id), *position, only_live, limit)
            rows = connection.execute(self.sql["list_children"], values).fetchall()
            keys = [id_of(*row) for row in rows]
            found = {x.execution_id: x for x in Graph(connection, self).executions(keys)}
            return [found[each] for each in keys]

    def with_results(self, execution_ids: Iterable[ExecutionId]) -> list[tuple[Execution, bytes | None]]:
        """Those of the named executions that exist, each with its result, by id."""
        with self.readers.reading() as connection:
            found = sorted(Graph(connection, self).executions(execution_ids), key=lambda x: x.execution_id)
            rows = [connection.execute(self.sql["load_result"], key_of(x.execution_id)).fetchone() for x in found]
            return [(x, None if row is None else row[0]) for x, row in zip(found, rows, strict=True)]
