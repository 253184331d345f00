"""The reads of streams and summaries, for callers, and what upkeep and followers look for."""

from collections.abc import Collection

from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.news import StreamEnd
from flowfabric.domain.states import PUBLIC_STATES
from flowfabric.domain.stream_pages import PAGE_BYTES_MAX, StreamPart, claimed_epoch
from flowfabric.domain.streams import Chunk, Position
from flowfabric.domain.summaries import StoredSummary
from flowfabric.stores.sqlite.graph import Graph
from flowfabric.stores.sqlite.json_rows import calls
from flowfabric.stores.sqlite.readers import ReadSide
from flowfabric.stores.sqlite.rows import id_of, key_of
from flowfabric.stores.sqlite.stream_rows import StreamRows


class SqliteStreamReads(ReadSide):
    """What executions say."""

    def stream_part(self, execution_id: ExecutionId, after: Position, most: int) -> StreamPart | None:
        """The next chunks of a stream, and what says which of their frames count."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            if not found:
                return None
            rows = StreamRows(connection, self.sql)
            stream = next(iter(rows.streams([execution_id])), None)
            chunks, size, has_more = list[Chunk](), 0, False
            for chunk in rows.chunks_after(execution_id, after):
                has_more = len(chunks) == most or size >= PAGE_BYTES_MAX
                if has_more:
                    break
                chunks.append(chunk)
                size += chunk.size
            retried = rows.retried(execution_id, claimed_epoch(found[0], stream))
            return StreamPart(found[0], stream, rows.step_marks(execution_id), retried, chunks, has_more)

    def summary(self, execution_id: ExecutionId) -> tuple[Execution | None, StoredSummary | None]:
        """The execution and its summary."""
        with self.readers.reading() as connection:
            found = Graph(connection, self).executions([execution_id])
            return found[0] if found else None, StreamRows(connection, self.sql).summary(execution_id)

    def long_streams(self, limit: int) -> list[ExecutionId]:
        """Some executions whose streams are too long."""
        with self.readers.reading() as connection:
            return [id_of(*row) for row in connection.execute(self.sql["find_long_streams"], (limit,)).fetchall()]

    def stream_ends(self, execution_ids: Collection[ExecutionId]) -> dict[ExecutionId, StreamEnd]:
        """Where the streams of these executions end now."""
        keys = [key_of(key) for key in execution_ids]
        with self.readers.reading() as connection:
            return {
                id_of(partition, uuid): (lease_epoch, next_seq, epoch_now, PUBLIC_STATES[state])
                for sql, values in calls(self.sql, "read_stream_ends", keys)
                for partition, uuid, lease_epoch, next_seq, epoch_now, state in connection.execute(sql, values)
            }
