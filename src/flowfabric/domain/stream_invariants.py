"""What must hold for streams and summaries after every batch, and for a store at rest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

import msgspec

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.steps import Step
from flowfabric.domain.streams import Chunk, Position, Stream, last_tries, unpack
from flowfabric.domain.summaries import SUMMARY_BYTES_MAX, SUMMARY_DEPTH_MAX, StoredSummary, depth_of

# ── one record ───────────────────────────────────────────────────────────────────────────────────


def chunk_violations(chunk: Chunk) -> Iterator[str]:
    """What is wrong with one chunk by itself."""
    frames = unpack(chunk.data)
    where = _words(chunk)
    if chunk.count < 1 or chunk.first_seq < 0 or chunk.lease_epoch < 1:
        yield f"{where} cannot be: its frames are numbered from 0 on, and it has {chunk.count}"
    if len(frames) != chunk.count or sum(len(frame.payload) for frame in frames) != chunk.size:
        yield f"{where} says that it has {chunk.count} frames and {chunk.size} bytes, and has other ones"
    if last_tries(frame.spoken_in for frame in frames) != chunk.retried:
        yield f"{where} says that steps were tried again: {chunk.retried}; its frames say something else"


def _words(chunk: Chunk) -> str:
    return f"{chunk.execution_id}: chunk {chunk.lease_epoch}/{chunk.first_seq}"


def summary_violations(summary: StoredSummary) -> Iterator[str]:
    """What is wrong with one summary."""
    document = msgspec.json.decode(summary.document)
    is_legal = isinstance(document, dict) and depth_of(document) <= SUMMARY_DEPTH_MAX
    if not is_legal or len(summary.document.encode()) > SUMMARY_BYTES_MAX:
        yield f"{summary.execution_id} has a summary that nobody may write"
    if summary.version < 1:
        yield f"{summary.execution_id} has version {summary.version} of its summary"


# ── one batch ────────────────────────────────────────────────────────────────────────────────────


def stream_violations(changes: Changes) -> Iterator[str]:
    """What one batch broke."""
    new = [chunk for chunk in changes.chunks.values() if chunk is not None]
    for chunk in new:
        yield from chunk_violations(chunk)
        stream = changes.streams.get(chunk.execution_id)
        if stream is None or chunk.end > stream.end:
            yield f"{_words(chunk)} was appended, and the record of the stream does not know it"
    for execution_id, *at in [key for key, chunk in changes.chunks.items() if chunk is None]:
        stream = changes.streams.get(execution_id)
        if stream is None or Position(*at) >= stream.first:
            yield f"{execution_id}: chunk {at[0]}/{at[1]} was removed, and the record of the stream does not know it"
    for summary in changes.summaries.values():
        yield from summary_violations(summary)


# ── a store at rest ──────────────────────────────────────────────────────────────────────────────


def stream_violations_at_rest(
    executions: Mapping[ExecutionId, Execution],
    events: Mapping[str, Sequence[Event]],
    steps: Iterable[Step],
    streams: Iterable[Stream],
    chunks: Iterable[Chunk],
    summaries: Iterable[StoredSummary],
) -> Iterator[str]:
    """What is broken between executions, their logs, steps, streams, chunks and summaries."""
    claimed = {key: _claims_in(events.get(key, ())) for key in executions}
    for step in steps:
        if step.lease_epoch is not None and claimed.get(step.execution_id, {}).get(step.lease_epoch) is None:
            yield f"{step.execution_id}: step {step.name!r} was stored under epoch {step.lease_epoch}, never claimed"
    known = {stream.execution_id: stream for stream in streams}
    rows: dict[ExecutionId, list[Chunk]] = {}
    for chunk in chunks:
        rows.setdefault(chunk.execution_id, []).append(chunk)
    for key in rows.keys() - known.keys():
        yield f"{key} has chunks and no stream"
    for key, stream in known.items():
        x = executions.get(key)
        if x is None:
            yield f"{key} has a stream and no record"
            continue
        yield from _stream_is_a_recount(x, stream, rows.get(key, []))
        yield from _only_claimed_epochs_speak(stream, rows.get(key, []), claimed[key])
    for summary in summaries:
        yield from summary_violations(summary)
        if summary.execution_id not in executions:
            yield f"{summary.execution_id} has a summary and no record"


def _claims_in(events: Iterable[Event]) -> dict[object, object]:
    """The epochs under which an execution was claimed, each with its attempt."""
    return {
        event.details.get("lease_epoch"): event.details.get("attempt_index")
        for event in events
        if event.event_type == "acquired"
    }


def _stream_is_a_recount(x: Execution, stream: Stream, chunks: list[Chunk]) -> Iterator[str]:
    """The chunks have no gaps after the first frame that is kept, and the record says what they add up to."""
    key = stream.execution_id
    ends = [Position(chunk.lease_epoch, chunk.first_seq) for chunk in chunks]
    if ends != sorted(set(ends)):
        yield f"{key}: its chunks are not in order: {ends}"
    if not chunks or chunks[-1].end != stream.end:
        yield f"{key}: its stream ends at {tuple(stream.end)}, and its chunks do not"
        return
    for epoch, of_epoch in groupby(chunks, key=lambda chunk: chunk.lease_epoch):
        in_order = list(of_epoch)
        first = in_order[0]
        begins_at = first.first_seq if epoch == stream.first_epoch else 0
        if first.first_seq != begins_at or (begins_at and stream.first < Position(epoch, begins_at)):
            yield f"{_words(first)} is the first of its epoch, and frames before it are missing"
        for before, after in pairwise(in_order):
            if before.end != Position(epoch, after.first_seq):
                yield f"{_words(after)} follows one that ends at {before.end.seq}"
    yield from (
        f"{_words(chunk)} should be gone: the stream begins at {tuple(stream.first)}"
        for chunk in chunks
        if chunk.end <= stream.first
    )
    yield from _what_is_kept_is_counted(
        x, stream, [each for each in chunks if each.attempt_index == stream.attempt_index]
    )


def _what_is_kept_is_counted(x: Execution, stream: Stream, chunks: Sequence[Chunk]) -> Iterator[str]:
    hidden = sum(
        max(0, stream.first_seq - chunk.first_seq) for chunk in chunks if chunk.lease_epoch == stream.first_epoch
    )
    kept = (sum(chunk.count for chunk in chunks) - hidden, sum(chunk.size for chunk in chunks))
    if kept != (stream.kept_frames, stream.kept_bytes):
        yield f"{x.execution_id} keeps {kept} frames and bytes, by its record {stream.kept_frames, stream.kept_bytes}"
    has_too_many = stream.kept_frames > x.policy.stream_max_frames
    is_too_large = stream.kept_bytes > x.policy.stream_max_bytes
    if stream.is_too_long and not has_too_many and not is_too_large:
        yield f"{x.execution_id} has a stream that is to be trimmed, and it is not too long"
    if not stream.is_too_long and (has_too_many or (is_too_large and len(chunks) > 1)):
        yield f"{x.execution_id} has a stream that is too long, and nobody will trim it"


def _only_claimed_epochs_speak(
    stream: Stream, chunks: Iterable[Chunk], claimed: Mapping[object, object]
) -> Iterator[str]:
    for chunk in chunks:
        yield from chunk_violations(chunk)
        if claimed.get(chunk.lease_epoch) != chunk.attempt_index:
            yield f"{_words(chunk)} is of attempt {chunk.attempt_index}, which never ran under this epoch"
    if claimed.get(stream.lease_epoch) != stream.attempt_index:
        yield f"{stream.execution_id} has last spoken in epoch {stream.lease_epoch}, attempt {stream.attempt_index}"
