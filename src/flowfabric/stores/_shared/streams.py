"""Streams, chunks and summaries as column values: the same in every SQL store, and back.

The steps of a chunk that were tried more than once are JSON text. A value that does not parse raises Corruption, which
names table, key and column.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.stream_pages import RetriedIn
from flowfabric.domain.streams import Chunk, SpokenIn, Stream
from flowfabric.domain.summaries import StoredSummary
from flowfabric.stores._shared.waiting import damaged

_RETRIED: Final = msgspec.json.Decoder(tuple[SpokenIn, ...])

STREAM_COLUMNS: Final = (
    *("lease_epoch", "next_seq", "attempt_index", "kept_frames", "kept_bytes", "is_too_long", "first_epoch"),
    "first_seq",
)
"""The columns of ff_stream after those that name the execution, in the order of the row."""
CHUNK_COLUMNS: Final = (
    *("lease_epoch", "first_seq", "attempt_index", "frame_count", "byte_count", "at_ms", "retried", "data"),
)
"""The columns of ff_stream_chunk after those that name the execution, in the order of the row. The data is the last."""
SUMMARY_COLUMNS: Final = ("version", "document")
"""The columns of ff_summary after those that name the execution, in the order of the row."""


def stream_columns(stream: Stream) -> tuple[Any, ...]:
    """The values of `STREAM_COLUMNS`."""
    return (
        stream.lease_epoch,
        stream.next_seq,
        stream.attempt_index,
        stream.kept_frames,
        stream.kept_bytes,
        stream.is_too_long,
        stream.first_epoch,
        stream.first_seq,
    )


def stream_of(execution_id: ExecutionId, columns: Sequence[Any]) -> Stream:
    """The stream that the values of `STREAM_COLUMNS` spell."""
    lease_epoch, next_seq, attempt_index, frames, size, is_too_long, first_epoch, first_seq = columns
    return Stream(
        execution_id, lease_epoch, next_seq, attempt_index, frames, size, bool(is_too_long), first_epoch, first_seq
    )


def chunk_columns(chunk: Chunk) -> tuple[Any, ...]:
    """The values of `CHUNK_COLUMNS`."""
    return (
        chunk.lease_epoch,
        chunk.first_seq,
        chunk.attempt_index,
        chunk.count,
        chunk.size,
        chunk.at_ms,
        msgspec.json.encode(chunk.retried).decode() if chunk.retried else None,
        chunk.data,
    )


def chunk_of(execution_id: ExecutionId, columns: Sequence[Any], data: bytes | None = None) -> Chunk:
    """The chunk that the values of `CHUNK_COLUMNS` spell. With `data`, they are the values without the last."""
    if data is None:
        *columns, data = columns
    lease_epoch, first_seq, attempt_index, count, size, at_ms, retried = columns
    steps = _retried(execution_id, lease_epoch, first_seq, retried)
    return Chunk(execution_id, lease_epoch, first_seq, attempt_index, count, size, at_ms, steps, data)


def retried_in(execution_id: ExecutionId, lease_epoch: int, first_seq: int, retried: str) -> RetriedIn:
    """The steps of a chunk that were tried more than once, from its columns."""
    return RetriedIn(lease_epoch, first_seq, _retried(execution_id, lease_epoch, first_seq, retried))


def _retried(execution_id: ExecutionId, lease_epoch: int, first_seq: int, text: str | None) -> tuple[SpokenIn, ...]:
    if text is None:
        return ()
    try:
        return _RETRIED.decode(text)
    except msgspec.MsgspecError as error:
        key = f"{execution_id}, {lease_epoch}, {first_seq}"
        raise damaged("ff_stream_chunk", key, "retried", f"does not parse ({error})") from error


def summary_columns(summary: StoredSummary) -> tuple[Any, ...]:
    """The values of `SUMMARY_COLUMNS`."""
    return summary.version, summary.document


def summary_of(execution_id: ExecutionId, columns: Sequence[Any]) -> StoredSummary:
    """The summary that the values of `SUMMARY_COLUMNS` spell."""
    version, document = columns
    return StoredSummary(execution_id, version, document)
