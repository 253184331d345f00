"""The reads of a PostgreSQL database about streams and summaries, for callers and upkeep."""

from collections.abc import Collection

from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.news import StreamEnd
from flowfabric.domain.states import PUBLIC_STATES
from flowfabric.domain.stream_pages import PAGE_BYTES_MAX, StepMark, StreamPart
from flowfabric.domain.streams import Position
from flowfabric.domain.summaries import StoredSummary
from flowfabric.stores._shared.streams import retried_in
from flowfabric.stores.postgres import rows, stream_rows
from flowfabric.stores.postgres.readers import ReadSide, key_of


class PostgresStreamReads(ReadSide):
    """What executions say."""

    def stream_part(self, execution_id: ExecutionId, after: Position, most: int) -> StreamPart | None:
        """The next chunks of a stream, and what says which of their frames count, all as of one moment."""
        one, key = rows.keys([execution_id]), key_of(execution_id)
        after_it = {"lease_epoch": after.lease_epoch, "next_seq": after.seq + 1}
        at_most = {"most": most, "bytes_max": PAGE_BYTES_MAX}
        x, (streams, steps, retried, chunks) = self._execution_and(
            execution_id,
            ("read_streams", one),
            ("read_step_marks", key),
            ("read_retried", key),
            ("read_stream_part", {**key, **after_it, **at_most}),
        )
        if x is None:
            return None
        fitting = [stream_rows.chunk_in(row) for row in chunks if row[-1] is not None]
        return StreamPart(
            x,
            stream_rows.stream_in(streams[0]) if streams else None,
            [StepMark(*row) for row in steps],
            [retried_in(execution_id, *row) for row in retried],
            fitting,
            len(fitting) < len(chunks),
        )

    def summary(self, execution_id: ExecutionId) -> tuple[Execution | None, StoredSummary | None]:
        """The execution and its summary, as of one moment."""
        x, (found,) = self._execution_and(execution_id, ("read_summaries", rows.keys([execution_id])))
        return x, stream_rows.summary_in(found[0]) if found else None

    def stream_ends(self, execution_ids: Collection[ExecutionId]) -> dict[ExecutionId, StreamEnd]:
        """Where the streams of these executions end now."""
        with self.readers.reading() as connection:
            (found,) = self._by_key(connection, ("read_stream_ends", rows.keys(execution_ids)))
        return {
            make_execution_id(partition, uuid): (stream_epoch, next_seq, epoch, PUBLIC_STATES[state])
            for partition, uuid, stream_epoch, next_seq, epoch, state in found
        }

    def long_streams(self, limit: int) -> list[ExecutionId]:
        """Some executions whose streams are too long."""
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["find_long_streams"].encode(), {"most": limit}).fetchall()
        return [make_execution_id(*row) for row in found]
