"""Each invariant of streams finds what it is there to find. That sound stores pass is seen in all other tests."""

from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.commands import AnyCommand, AppendFrames, Envelope, PatchSummary, TrimStream
from flowfabric.domain.invariants import Contents, violations, violations_at_rest
from flowfabric.domain.streams import SpokenIn, StoredFrame, pack
from flowfabric.domain.summaries import StoredSummary
from flowfabric.engine.batch import Deciding
from tests.domain.records import STORE, an_id
from tests.domain.streaming_world import StreamingWorld
from tests.domain.waiting_world import PATIENT


def _spoken() -> StreamingWorld:
    """Two attempts, the second too long and trimmed within a chunk, and a summary."""
    world = StreamingWorld(policy=replace(PATIENT, stream_max_frames=4))
    world.say(b"old", b"old")
    world.fail()
    world.claim()
    for chunk in (b"a", b"b"), (b"c", b"d"), (b"e",):
        world.say(*chunk)
    world.record_step("s")
    assert world.trim()
    world.say(b"f", step="s", step_try=2)
    world.patch({"a": 1})
    return world


WORLD = _spoken()
SOUND = WORLD.contents()


# ── a store at rest ──────────────────────────────────────────────────────────────────────────────


def _with_stream(**difference: Any) -> Contents:
    (stream,) = SOUND.streams
    return replace(SOUND, streams=[replace(stream, **difference)])


def _with_chunk(at: int, **difference: Any) -> Contents:
    chunks = list(SOUND.chunks)
    chunks[at] = replace(chunks[at], **difference)
    return replace(SOUND, chunks=chunks)


def _with_summary(**difference: Any) -> Contents:
    (summary,) = SOUND.summaries
    return replace(SOUND, summaries=[replace(summary, **difference)])


def _with_step(**difference: Any) -> Contents:
    (step,) = SOUND.steps
    return replace(SOUND, steps=[replace(step, **difference)])


def _with_policy(**difference: Any) -> Contents:
    (x,) = SOUND.executions
    return replace(SOUND, executions=[replace(x, policy=replace(x.policy, **difference))])


TWO = pack([StoredFrame("text", b"a", None), StoredFrame("text", b"b", None)])

AT_REST: list[tuple[str, Contents, str]] = [
    ("no stream", replace(SOUND, streams=[]), "has chunks and no stream"),
    ("no execution", replace(SOUND, executions=[], steps=[]), "has a stream and no record"),
    ("a chunk in the middle", replace(SOUND, chunks=[SOUND.chunks[0], *SOUND.chunks[2:]]), "follows one that ends"),
    ("the last chunk", replace(SOUND, chunks=SOUND.chunks[:-1]), "its chunks do not"),
    ("all chunks", replace(SOUND, chunks=[]), "its chunks do not"),
    ("their order", replace(SOUND, chunks=[SOUND.chunks[1], SOUND.chunks[0], *SOUND.chunks[2:]]), "not in order"),
    ("a chunk twice", replace(SOUND, chunks=[SOUND.chunks[0], *SOUND.chunks]), "not in order"),
    ("the first kept chunk", replace(SOUND, chunks=SOUND.chunks[1:]), "frames before it are missing"),
    ("the beginning", _with_stream(first_seq=0), "by its record"),
    ("a beginning too late", _with_stream(first_seq=2, kept_frames=4), "should be gone"),
    ("the end", _with_stream(next_seq=7), "its chunks do not"),
    ("the count of frames", _with_stream(kept_frames=4), "by its record"),
    ("the count of bytes", _with_stream(kept_bytes=4), "by its record"),
    ("the mark of a long one", _with_stream(is_too_long=False), "nobody will trim it"),
    ("the mark of a short one", _with_policy(stream_max_frames=100), "it is not too long"),
    ("the attempt", _with_stream(attempt_index=0, kept_frames=0, kept_bytes=0), "has last spoken in epoch"),
    ("the count in a chunk", _with_chunk(1, count=1), "and has other ones"),
    ("the size of a chunk", _with_chunk(1, size=1), "and has other ones"),
    ("tries in a chunk", _with_chunk(1, retried=(SpokenIn("s", 2),)), "its frames say something else"),
    ("no tries in a chunk", _with_chunk(-1, retried=()), "its frames say something else"),
    ("the epoch of a chunk", _with_chunk(0, lease_epoch=1), "never ran under this epoch"),
    ("the attempt of a chunk", _with_chunk(0, attempt_index=2), "never ran under this epoch"),
    ("an empty chunk", _with_chunk(-1, count=0, size=0, data=pack([]), retried=()), "cannot be"),
    ("the epoch of a step", _with_step(lease_epoch=7), "was stored under epoch 7, never claimed"),
    ("a stranger's summary", _with_summary(execution_id=an_id(9)), "has a summary and no record"),
    ("a list as a summary", _with_summary(document="[]"), "nobody may write"),
    ("a large summary", _with_summary(document='{"a":"' + "x" * 65_536 + '"}'), "nobody may write"),
    ("a deep summary", _with_summary(document='{"a":' * 17 + "1" + "}" * 17), "nobody may write"),
    ("a version", _with_summary(version=0), "has version 0"),
]


@pytest.mark.parametrize(("contents", "found"), [each[1:] for each in AT_REST], ids=[each[0] for each in AT_REST])
def test_what_is_broken_in_a_store_is_found(contents: Contents, found: str):
    assert any(found in message for message in violations_at_rest(contents, WORLD.now_ms))


def test_a_sound_store_passes():
    assert violations_at_rest(SOUND, WORLD.now_ms) == []
    assert (len(SOUND.chunks), len(SOUND.streams), len(SOUND.summaries)) == (4, 1, 1)


# ── one batch ────────────────────────────────────────────────────────────────────────────────────


def _changes(*commands: AnyCommand) -> Changes:
    """What the commands would change."""
    tx = WORLD.store.writer().begin(b"id")
    try:
        deciding = Deciding([Envelope(command) for command in commands], STORE)
        while (ws := deciding.on(tx.load(deciding.wanted), tx.now_ms, tx.era)) is None:
            pass
        return ws.changes()
    finally:
        tx.rollback()


def _broken(changes: Changes, **difference: Any) -> list[str]:
    return violations(replace(changes, **difference), WORLD.now_ms)


def test_a_chunk_that_the_record_of_its_stream_does_not_know_is_found():
    changes = _changes(AppendFrames(WORLD.said(b"g")))
    (stream,) = changes.streams.values()
    shorter = replace(stream, next_seq=stream.next_seq - 1)

    assert _broken(changes) == []
    assert "does not know it" in _broken(changes, streams={})[0]
    assert "does not know it" in _broken(changes, streams={WORLD.x_id: shorter})[0]


def test_a_new_chunk_that_counts_its_frames_wrongly_is_found():
    changes = _changes(AppendFrames(WORLD.said(b"g")))
    ((key, chunk),) = changes.chunks.items()
    assert chunk is not None

    assert "has other ones" in _broken(changes, chunks={key: replace(chunk, data=TWO)})[0]


def test_a_chunk_that_was_removed_without_the_knowledge_of_its_stream_is_found():
    changes = _changes(TrimStream(WORLD.x_id))
    (stream,) = changes.streams.values()
    from_its_beginning = replace(stream, first_seq=0)

    assert _broken(changes) == []
    assert "was removed" in _broken(changes, streams={})[0]
    assert "was removed" in _broken(changes, streams={WORLD.x_id: from_its_beginning})[0]


def test_a_summary_that_nobody_may_write_is_found():
    changes = _changes(PatchSummary(WORLD.fence, {}))

    assert _broken(changes) == []
    assert "nobody may write" in _broken(changes, summaries={WORLD.x_id: StoredSummary(WORLD.x_id, 1, "[]")})[0]
