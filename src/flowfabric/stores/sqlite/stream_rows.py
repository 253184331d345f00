"""Streams, chunks and summaries as rows of SQLite, and the reads of them."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from flowfabric.domain.batch_io import ChunkKey, Loaded, Needs
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.stream_pages import RetriedIn, StepMark
from flowfabric.domain.streams import Chunk, Position, Stream
from flowfabric.domain.summaries import StoredSummary
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores._shared.streams import (
    chunk_columns,
    chunk_of,
    retried_in,
    stream_columns,
    stream_of,
    summary_columns,
    summary_of,
)
from flowfabric.stores.sqlite.json_rows import Key, Row, calls
from flowfabric.stores.sqlite.rows import id_of, key_of

StreamRow = tuple[int, str, int, int, int, int, int, int, int, int]
"""A row of ff_stream as its statement spells it."""


class StreamRows:
    """Reads on one connection, inside one transaction."""

    def __init__(self, connection: sqlite3.Connection, sql: Statements) -> None:
        self._connection = connection
        self._sql = sql

    def streams(self, execution_ids: Iterable[ExecutionId]) -> list[Stream]:
        """The streams of those executions that have said something, in no order."""
        found: list[StreamRow] = []
        for sql, values in calls(self._sql, "load_streams", [key_of(key) for key in execution_ids]):
            found += msgspec.json.decode(self._connection.execute(sql, values).fetchone()[0], type=list[StreamRow])
        return [stream_of(id_of(partition, bytes.fromhex(uuid)), row) for partition, uuid, *row in found]

    def chunk(self, key: ChunkKey) -> Chunk | None:
        """One chunk."""
        execution_id, *at = key
        row = self._connection.execute(self._sql["load_chunk"], (*key_of(execution_id), *at)).fetchone()
        return None if row is None else chunk_of(execution_id, row)

    def oldest_chunks(self, execution_id: ExecutionId, most: int) -> list[Chunk]:
        """The oldest chunks of a stream, in order, without their frames."""
        rows = self._connection.execute(self._sql["load_oldest_chunks"], (*key_of(execution_id), most)).fetchall()
        return [chunk_of(execution_id, row, data=b"") for row in rows]

    def chunks_after(self, execution_id: ExecutionId, after: Position) -> Iterator[Chunk]:
        """The chunks that end after a position, in order. Each is read when it is asked for."""
        values = (*key_of(execution_id), after.lease_epoch, after.seq + 1)
        for row in self._connection.execute(self._sql["read_chunks"], values):
            yield chunk_of(execution_id, row)

    def retried(self, execution_id: ExecutionId, lease_epoch: int) -> list[RetriedIn]:
        """Which steps of an epoch were tried more than once, and the first chunk that says so."""
        rows = self._connection.execute(self._sql["read_retried"], (*key_of(execution_id), lease_epoch)).fetchall()
        return [retried_in(execution_id, lease_epoch, first_seq, text) for first_seq, text in rows]

    def step_marks(self, execution_id: ExecutionId) -> list[StepMark]:
        """The stored steps of an execution, without their results, except those without an epoch."""
        rows = self._connection.execute(self._sql["read_step_marks"], key_of(execution_id)).fetchall()
        return [StepMark(*row) for row in rows]

    def summary(self, execution_id: ExecutionId) -> StoredSummary | None:
        """The summary of an execution."""
        row = self._connection.execute(self._sql["load_summary"], key_of(execution_id)).fetchone()
        return None if row is None else summary_of(execution_id, row)

    def speakers(self, keys: Sequence[Key]) -> list[Key]:
        """Those of the executions that have said something."""
        return [
            row
            for sql, values in calls(self._sql, "find_speakers", keys)
            for row in self._connection.execute(sql, values).fetchall()
        ]


def load_streams(needs: Needs, loaded: Loaded, rows: StreamRows) -> None:
    """Read what a batch with frames and patches must see. Most batches have none."""
    if needs.streams:
        loaded.streams |= {stream.execution_id: stream for stream in rows.streams(needs.streams)}
    for key in needs.chunks:
        if (chunk := rows.chunk(key)) is not None:
            loaded.chunks[key] = chunk
    for execution_id in needs.summaries:
        if (summary := rows.summary(execution_id)) is not None:
            loaded.summaries[execution_id] = summary
    for execution_id, most in needs.oldest_chunks:
        loaded.oldest_chunks[execution_id] = rows.oldest_chunks(execution_id, most)


def stream_row_of(stream: Stream) -> Row:
    """Every column of ff_stream."""
    return (*key_of(stream.execution_id), *stream_columns(stream))


def chunk_row_of(chunk: Chunk) -> Row:
    """Every column of ff_stream_chunk."""
    return (*key_of(chunk.execution_id), *chunk_columns(chunk))


def summary_row_of(summary: StoredSummary) -> Row:
    """Every column of ff_summary."""
    return (*key_of(summary.execution_id), *summary_columns(summary))
