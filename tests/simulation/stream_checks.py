"""What must hold for streams: after every batch, and at the end."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from flowfabric import StreamFrame
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.invariants import Contents
from flowfabric.domain.stream_invariants import stream_violations_at_rest
from flowfabric.domain.stream_pages import StreamCursor
from flowfabric.domain.streams import START, Chunk, Position, SpokenIn, StoredFrame, Stream, unpack
from tests.simulation.checks import after_each_batch, at_the_end
from tests.simulation.listeners import frames_after
from tests.simulation.talk import NARRATORS, script_in
from tests.simulation.work import Result
from tests.talks import Spoken, by_place, spoken_by

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Changes
    from flowfabric.domain.execution import Execution
    from flowfabric.stores.memory.store import MemoryStore
    from tests.simulation.world import World


def _text_of(frame: StoredFrame | StreamFrame) -> str:
    return str(msgspec.json.decode(frame.payload)) if frame.kind == "json" else frame.payload.decode()


def _stored(store: "MemoryStore", key: ExecutionId) -> tuple[Stream | None, Sequence[Chunk]]:
    found = store.stream_part(key, START, 1_000_000)
    return (None, ()) if found is None else (found.stream, found.chunks)


# ── after every batch ────────────────────────────────────────────────────────────────────────────


@after_each_batch
def _streams_are_whole(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    """The invariants of streams, for all that the batch has touched."""
    store = world.store
    for key in changes.streams:
        x, (stream, chunks) = store.execution(key), _stored(store, key)
        if x is not None and stream is not None:
            events = {key: world.log.of(key)}
            yield from stream_violations_at_rest({key: x}, events, store.steps(key)[1], [stream], chunks, ())


@after_each_batch
def _only_the_live_lease_speaks(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    held: dict[str, set[object]] = {}
    """By execution: the epochs of its leases while the batch was decided, if the batch has changed it."""
    for before, after in changes.executions:
        for x in (before, after):
            if x is not None:
                held.setdefault(x.execution_id, set()).update({x.lease_epoch} if x.lifecycle_phase == "active" else ())
    for event in changes.events:
        if event.event_type == "acquired":
            held.setdefault(event.execution_id or "", set()).add(event.details["lease_epoch"])
    for chunk in changes.chunks.values():
        if chunk is None:
            continue
        x = world.store.execution(chunk.execution_id)
        now = {x.lease_epoch} if x is not None and x.lifecycle_phase == "active" else set()
        if chunk.lease_epoch not in held.get(chunk.execution_id, now):
            yield f"{chunk.execution_id} has spoken in epoch {chunk.lease_epoch}, and nobody held its lease then"


@after_each_batch
def _frames_are_what_code_has_said_once_and_in_order(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    touched = {key[0] for key, chunk in changes.chunks.items() if chunk is not None}
    for key in sorted(touched):
        said = world.ledger.said_by(key)
        stream, chunks = _stored(world.store, key)
        for at, found in _by_place(chunks).items():
            code = said.get(at, [])
            is_trimmed = stream is not None and stream.first > (0, 0)
            fits = code[: len(found)] == found or (is_trimmed and _has_in_a_row(code, found))
            if not fits:
                yield f"{key}: {at} is stored as {found}, and the code has said {code}"


def _by_place(chunks: Iterable[Chunk]) -> dict[tuple[int, SpokenIn | None], list[str]]:
    """What is stored, by epoch and by the try of a step."""
    found: dict[tuple[int, SpokenIn | None], list[str]] = {}
    for chunk in chunks:
        for frame in unpack(chunk.data):
            found.setdefault((chunk.lease_epoch, frame.spoken_in), []).append(_text_of(frame))
    return found


def _has_in_a_row(texts: list[str], some: list[str]) -> bool:
    return any(texts[at : at + len(some)] == some for at in range(len(texts) - len(some) + 1))


@after_each_batch
def _a_stored_step_has_all_its_frames(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    for (key, name), step in changes.steps.items():
        said = world.ledger.said_by(key).get((step.lease_epoch or 0, SpokenIn(name, step.tries)), [])
        stream, chunks = _stored(world.store, key)
        found = _by_place(chunks).get((step.lease_epoch or 0, SpokenIn(name, step.tries)), [])
        is_trimmed = stream is not None and stream.first > (0, 0)
        if found != (said[len(said) - len(found) :] if is_trimmed else said):
            yield f"{key}: step {name} is stored with {found}, and it has said {said}"


# ── at the end ───────────────────────────────────────────────────────────────────────────────────


@at_the_end
def _every_reader_sees_what_counts(world: "World", contents: Contents) -> Iterator[str]:
    store = world.store
    for number, reader in enumerate(world.ledger.readers):
        key = ExecutionId(reader.execution_id)
        if not reader.read_on(store):
            continue
        stream, _ = _stored(store, key)
        found = reader.kept(Position(0, 0) if stream is None else stream.first)
        expected = list(frames_after(store, key, StreamCursor(key)))
        if found != expected:
            yield f"{key}: reader {number} has {_words(found)}, and what counts is {_words(expected)}"


def _words(frames: Sequence[StreamFrame]) -> list[str]:
    return [f"{frame.lease_epoch}/{frame.seq} {frame.step} {_text_of(frame)}" for frame in frames]


@at_the_end
def _what_counts_is_what_one_undisturbed_run_says(world: "World", contents: Contents) -> Iterator[str]:
    store = world.store
    for x in contents.executions:
        payload = store.payload(x.execution_id) if x.kind in NARRATORS else None
        if payload is None:
            continue
        undisturbed = spoken_by(script_in(payload))
        frames = frames_after(store, x.execution_id, StreamCursor(x.execution_id))
        found = by_place((frame.step, _text_of(frame)) for frame in frames)
        stream, _ = _stored(store, x.execution_id)
        if stream is not None and stream.first > (0, 0):
            fits = _is_the_end_of(found, undisturbed)
        elif _was_run_to_its_end(world, x):
            fits = found == undisturbed
            yield from _its_summary_is_complete(world, x, len(script_in(payload)))
        else:
            fits = _is_the_beginning_of(found, undisturbed)
        if not fits:
            yield f"{x.execution_id} is {x.public_state} and says {found}; undisturbed it says {undisturbed}"


def _was_run_to_its_end(world: "World", x: "Execution") -> bool:
    """Whether the function has returned. Somebody who completes it by hand returns 0."""
    result = world.store.result(x.execution_id)
    return result is not None and msgspec.json.decode(result, type=Result).value != 0


def _its_summary_is_complete(world: "World", x: "Execution", lines: int) -> Iterator[str]:
    summary = world.store.summary(x.execution_id)[1]
    document = {} if summary is None else msgspec.json.decode(summary.document)
    if document != {"line": lines - 1, "of": {"attempt": x.attempt_index, "is_done": True}}:
        yield f"{x.execution_id} is completed in attempt {x.attempt_index}, and its summary is {document}"


def _is_the_beginning_of(found: Spoken, whole: Spoken) -> bool:
    """A run that did not come to its end has said a part, in each place from the beginning on."""
    return whole.outside[: len(found.outside)] == found.outside and all(
        whole.steps[name][: len(texts)] == texts for name, texts in found.steps.items()
    )


def _is_the_end_of(found: Spoken, whole: Spoken) -> bool:
    """Of a stream that was trimmed the end is left. A run that did not come to its end may have said less."""
    return _has_in_a_row(whole.outside, found.outside) and all(
        _has_in_a_row(whole.steps[name], texts) for name, texts in found.steps.items()
    )
