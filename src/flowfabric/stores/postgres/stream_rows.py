"""Streams, chunks and summaries as arrays for PostgreSQL, and rows as records."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from flowfabric.domain.batch_io import ChunkKey
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.streams import Chunk, Stream
from flowfabric.domain.summaries import StoredSummary
from flowfabric.stores._shared.streams import (
    CHUNK_COLUMNS,
    STREAM_COLUMNS,
    chunk_columns,
    chunk_of,
    stream_columns,
    stream_of,
    summary_of,
)
from flowfabric.stores.postgres.rows import Arrays, Row, keys, numbers, texts


def streams(rows: Sequence[Stream]) -> Arrays:
    """Every column of ff_stream."""
    columns = zip(*map(stream_columns, rows), strict=True)
    return {
        **keys(row.execution_id for row in rows),
        **{name: numbers(map(int, values)) for name, values in zip(STREAM_COLUMNS, columns, strict=True)},
    }


def stream_in(row: Row) -> Stream:
    """The stream that a row spells."""
    return stream_of(make_execution_id(row[0], row[1]), row[2:])


def chunk_keys(of: Iterable[ChunkKey]) -> Arrays:
    """The key columns of ff_stream_chunk."""
    wanted = list(of)
    return {
        **keys(key for key, _, _ in wanted),
        "lease_epoch": numbers(epoch for _, epoch, _ in wanted),
        "first_seq": numbers(first_seq for *_, first_seq in wanted),
    }


def oldest_keys(of: Mapping[ExecutionId, int]) -> Arrays:
    """The executions whose oldest chunks are read, and how many of each at most."""
    return {**keys(of), "most": numbers(of.values())}


def chunks(rows: Sequence[Chunk]) -> Mapping[str, object]:
    """Every column of ff_stream_chunk. The frames of all chunks are one value, because bytes go over as they are."""
    *columns, data = zip(*map(chunk_columns, rows), strict=True)
    arrays = dict(zip(CHUNK_COLUMNS, columns, strict=False))
    retried = arrays.pop("retried")
    ends = list(accumulate(map(len, data), initial=1))
    return {
        **keys(row.execution_id for row in rows),
        **{name: numbers(values) for name, values in arrays.items()},
        "retried": texts(retried),
        "data_from": numbers(ends[:-1]),
        "data_bytes": numbers(map(len, data)),
        "data": b"".join(data),
    }


def chunk_in(row: Row) -> Chunk:
    """The chunk that a row spells."""
    return chunk_of(make_execution_id(row[0], row[1]), row[2:])


def chunk_without_frames_in(row: Row) -> Chunk:
    """The chunk that a row without the data spells."""
    return chunk_of(make_execution_id(row[0], row[1]), row[2:], b"")


def summaries(rows: Sequence[StoredSummary]) -> Arrays:
    """Every column of ff_summary."""
    return {
        **keys(row.execution_id for row in rows),
        "version": numbers(row.version for row in rows),
        "document": texts(row.document for row in rows),
    }


def summary_in(row: Row) -> StoredSummary:
    """The summary that a row spells."""
    return summary_of(make_execution_id(row[0], row[1]), row[2:])
