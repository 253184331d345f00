"""What readers of a stream get: pages, cursors, restart frames, and transcripts."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from flowfabric import Transcript
from flowfabric.domain.cursors import pack_cursor
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.stream_pages import (
    PAGE_BYTES_MAX,
    StreamCursor,
    StreamFrame,
    claimed_epoch,
    cursor_in,
    packed,
    page_of,
    read_on,
)
from tests.domain.records import STORE, an_id
from tests.domain.streaming_world import StreamingWorld


def _payloads(frames: list[StreamFrame]) -> list[bytes]:
    return [frame.payload for frame in frames if frame.kind != "restart"]


def _restart(frames: list[StreamFrame]) -> dict[str, Any]:
    (restart,) = [frame for frame in frames if frame.kind == "restart"]
    assert restart is frames[0]
    found: dict[str, Any] = msgspec.json.decode(restart.payload)
    return found


# ── pages ────────────────────────────────────────────────────────────────────────────────────────


def test_a_frame_says_all_about_itself():
    world = StreamingWorld()
    world.say(b"outside")
    world.advance(5)
    world.say(b"inside", step="a", step_try=2)

    first, second = world.read_all()

    assert first == StreamFrame(1, 0, "text", b"outside", 0, None, world.now_ms - 5, 1)
    assert second == StreamFrame(1, 1, "text", b"inside", 0, "a", world.now_ms, 2)


def test_a_page_is_full_although_frames_between_do_not_count():
    """Otherwise a page could be empty although frames follow, and a follower would be woken for nothing."""
    world = StreamingWorld()
    for number in range(10):
        world.say(b"void %d" % number)
        world.say(b"%d" % number, step=f"step {number}")
        world.record_step(f"step {number}")
    world.lose()
    world.claim()

    for chunks_at_once in (1, 2, 3, 100):
        first = world.read(None, 4, chunks_at_once=chunks_at_once)
        assert _payloads(first.frames) == [b"0", b"1", b"2", b"3"]
        rest = world.read(first.cursor, 100, chunks_at_once=chunks_at_once)
        assert _payloads(rest.frames) == [b"4", b"5", b"6", b"7", b"8", b"9"]
        assert (first.is_at_end, rest.is_at_end) == (False, True)


def test_a_page_that_ends_exactly_with_the_last_frame_reaches_the_end():
    world = StreamingWorld()
    world.say(b"a", b"b")
    world.say(b"c")

    assert [world.read(None, limit).is_at_end for limit in (1, 2, 3, 4)] == [False, False, True, True]


def test_a_page_ends_after_the_frame_that_fills_it():
    world = StreamingWorld()
    frame = bytes(65_536)
    for _ in range(5):
        world.say(*[frame] * 16)

    pages = [len(page) for page in _pages_as_the_engine_reads_them(world)]

    assert PAGE_BYTES_MAX // len(frame) == 64
    assert pages == [64, 16]


def _pages_as_the_engine_reads_them(world: StreamingWorld) -> list[list[StreamFrame]]:
    pages: list[list[StreamFrame]] = []
    cursor = world.start
    while True:
        found = world.store.stream_part(world.x_id, cursor.position, 100)
        assert found is not None
        part = read_on(found, cursor, 1_000, "effective")
        pages.append(part.frames)
        cursor = part.cursor
        if part.is_at_end:
            return pages


def test_the_last_page_says_how_the_execution_has_ended_and_no_page_before_it_does():
    world = StreamingWorld()
    world.say(b"a", b"b")

    def closed(limit: int) -> object:
        return page_of(world.read(None, limit), world.x, world.stream, STORE).closed_reason

    assert (closed(1), closed(2)) == (None, None)
    world.complete()
    assert (closed(1), closed(2)) == (None, "completed")
    world.replay()
    assert (closed(1), closed(2)) == (None, None)


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (lambda world: world.fail(retryable=False), "failed"),
        (lambda world: world.cancel(), "cancelled"),
        (lambda world: world.fail(), None),
        (lambda world: world.release(), None),
        (lambda world: world.lose(), None),
        (lambda world: world.suspend(), None),
    ],
)
def test_a_stream_is_open_while_another_attempt_may_follow(end: Any, reason: str | None):
    world = StreamingWorld()
    world.say(b"a")
    end(world)

    assert page_of(world.read(), world.x, world.stream, STORE).closed_reason == reason
    assert world.effective == [b"a"], "nothing is void before somebody claims it again"


def test_a_member_that_its_flow_will_bring_back_has_an_open_stream():
    world = StreamingWorld()
    world.say(b"a")
    world.complete()
    coming = replace(world.x, coming_back="keep")

    assert page_of(world.read(), coming, world.stream, STORE).closed_reason is None


# ── what counts ──────────────────────────────────────────────────────────────────────────────────


def test_the_text_of_a_failed_attempt_is_not_glued_to_the_good_one():
    world = StreamingWorld()
    world.say(b"The answer ")
    world.say(b"is 4")
    world.fail()
    world.claim()
    world.say(b"The answer ")
    world.say(b"is 42")
    world.complete()

    assert b"".join(world.effective) == b"The answer is 42"


def test_a_retried_step_does_not_say_its_text_twice():
    world = StreamingWorld()
    world.say(b"Hel", step="model")
    world.say(b"Hello", step="model", step_try=2)
    world.record_step("model", tries=2)

    assert world.effective == [b"Hello"]


def test_a_stored_step_keeps_its_frames_in_later_attempts_and_everything_else_is_said_again():
    world = StreamingWorld()
    world.say(b"before, ")
    world.say(b"in a, ", step="a")
    world.record_step("a")
    world.say(b"in b, ", step="b")
    world.lose()
    world.claim()
    world.say(b"before, ")
    world.say(b"in b, ", step="b")
    world.record_step("b")
    world.complete()

    assert sorted(world.effective) == [b"before, ", b"in a, ", b"in b, "]


def test_frames_of_a_step_that_was_stored_by_a_later_attempt_do_not_count():
    world = StreamingWorld()
    world.say(b"first", step="a")
    world.lose()
    world.claim()
    world.say(b"second", step="a")
    world.record_step("a")
    world.lose()
    world.claim()

    assert world.effective == [b"second"]


def test_steps_of_an_older_release_have_no_frames_that_count_in_later_attempts():
    world = StreamingWorld()
    world.say(b"in a", step="a")
    world.record_step("a")
    steps = world.store._steps[world.x_id]
    steps["a"] = replace(steps["a"], lease_epoch=None)
    assert world.effective == [b"in a"]
    world.lose()
    world.claim()

    assert world.effective == []


def test_a_claim_without_a_mark_is_known_by_what_it_has_said():
    world = StreamingWorld()
    world.say(b"a")
    world.release()
    world.claim()
    unmarked = replace(world.x, lease_mark=None)

    assert claimed_epoch(world.x, world.stream) == 2
    assert claimed_epoch(unmarked, world.stream) == 1
    world.say(b"b")
    assert claimed_epoch(unmarked, world.stream) == 2
    assert claimed_epoch(replace(world.x, lease_mark="1.old"), world.stream) == 2
    assert claimed_epoch(unmarked, None) == 0


def test_the_loss_of_a_lease_voids_nothing_until_the_next_claim():
    world = StreamingWorld()
    world.say(b"a")
    cursor = world.read().cursor
    world.lose()

    assert world.x.lease_epoch == 2
    assert world.effective == [b"a"]
    assert world.read(cursor).frames == []


# ── restarts ─────────────────────────────────────────────────────────────────────────────────────


def test_a_reader_from_the_start_gets_no_restart():
    world = StreamingWorld()
    nothing_yet = world.read().cursor
    world.say(b"a")
    world.lose()
    world.claim()
    world.say(b"b")

    assert _payloads(world.read_all()) == [frame.payload for frame in world.read_all()] == [b"b"]
    assert [frame.payload for frame in world.read(nothing_yet).frames] == [b"b"]
    assert [frame.kind for frame in world.read_all(view="all")] == ["text", "text"]


def test_a_restart_says_which_steps_are_kept_and_does_not_count_for_the_limit():
    world = StreamingWorld()
    world.say(b"a", step="a")
    world.record_step("a")
    world.say(b"b", step="b")
    cursor = world.read().cursor
    world.lose()
    world.claim()
    world.say(b"b again", step="b")

    page = world.read(cursor, 1)

    assert _restart(page.frames) == {
        "why": "worker_lost",
        "kept": [{"step": "a", "lease_epoch": 1, "try": 1}],
        "tries": {},
    }
    restart, frame = page.frames
    assert (restart.lease_epoch, restart.seq, restart.attempt_index, restart.step) == (3, -1, 1, None)
    assert restart.at_ms == world.x.attempt_started_at_ms
    assert frame.payload == b"b again"


def test_a_restart_comes_as_soon_as_the_execution_is_claimed_again_and_once():
    world = StreamingWorld()
    world.say(b"a")
    cursor = world.read().cursor
    world.lose()
    world.claim()

    page = world.read(cursor)

    assert [frame.kind for frame in page.frames] == ["restart"]
    assert page.is_at_end
    assert world.read(page.cursor).frames == []


@pytest.mark.parametrize("reads_in_between", [True, False])
@pytest.mark.parametrize(
    ("ends", "why"),
    [
        (lambda world: world.fail(), "retried"),
        (lambda world: world.lose(), "worker_lost"),
        (lambda world: world.release(), "released"),
        (lambda world: (world.suspend(), world.signal()), "resumed"),
        (lambda world: (world.complete(), world.replay()), "replayed"),
    ],
)
def test_a_restart_says_why_whenever_the_reader_has_read_last(ends: Any, why: str, reads_in_between: bool):
    world = StreamingWorld()
    world.say(b"a")
    cursor = world.read().cursor
    ends(world)
    if reads_in_between:
        cursor = world.read(cursor).cursor
    assert world.read(world.start).frames
    latecomer = world.read().cursor
    world.claim()

    assert _restart(world.read(cursor).frames)["why"] == why
    assert _restart(world.read(latecomer).frames)["why"] == why


def test_a_replay_that_drops_steps_is_a_restart_even_if_nobody_claims_it():
    world = StreamingWorld()
    world.say(b"in a", step="a")
    world.record_step("a")
    world.lose()
    world.claim()
    world.say(b"b")
    world.complete()
    reader, cursor = Transcript(), world.read().cursor
    for frame in world.read_all():
        reader.add(frame)
    world.replay(steps="clear")
    world.cancel()

    for frame in world.read(cursor).frames:
        reader.add(frame)

    assert _payloads(list(reader.frames)) == world.effective == [b"b"]


def test_a_new_try_of_a_step_is_a_restart_once():
    world = StreamingWorld()
    world.say(b"out")
    world.say(b"Hel", step="a")
    cursor = world.read().cursor
    world.say(b"Hello", step="a", step_try=2)

    page = world.read(cursor)
    assert _restart(page.frames) == {"why": "step_retried", "kept": [], "tries": {"a": 2}}
    assert _payloads(page.frames) == [b"Hello"]

    world.say(b" world", step="a", step_try=2)
    world.record_step("a", tries=2)
    assert _payloads(world.read(page.cursor).frames) == [b" world"]
    assert [frame.kind for frame in world.read(page.cursor).frames] == ["text"]


def test_a_last_try_that_has_said_nothing_voids_the_tries_before_it():
    world = StreamingWorld()
    world.say(b"calling", step="a")
    cursor = world.read().cursor
    world.record_step("a", tries=2)

    assert world.effective == []
    assert _restart(world.read(cursor).frames)["tries"] == {"a": 2}
    assert world.read(world.read(cursor).cursor).frames == []


def test_a_try_that_began_before_the_reader_came_is_no_news():
    world = StreamingWorld()
    world.say(b"Hel", step="a")
    world.say(b"Hello", step="a", step_try=2)
    world.say(b"more")
    first = world.read(None, 1)

    assert _payloads(first.frames) == [b"Hello"]
    assert [frame.payload for frame in world.read(first.cursor).frames] == [b"more"]


def test_a_transcript_of_a_reader_in_the_middle_of_a_page_drops_what_is_void():
    world = StreamingWorld()
    world.say(b"a", b"b", b"c")
    world.say(b"kept", step="s")
    world.record_step("s")
    first = world.read(None, 2)
    transcript = Transcript()
    for frame in first.frames:
        transcript.add(frame)
    world.lose()
    world.claim()
    world.say(b"A", b"B", b"C")

    for frame in world.read_all(1, first.cursor):
        transcript.add(frame)

    assert [frame.payload for frame in transcript.frames] == world.effective == [b"kept", b"A", b"B", b"C"]


# ── cursors ──────────────────────────────────────────────────────────────────────────────────────


def test_a_cursor_is_a_short_text_that_comes_back_the_same():
    world = StreamingWorld()
    world.say(b"a")
    cursor = world.read().cursor

    assert cursor_in(packed(cursor, STORE), world.x_id, STORE) == cursor
    assert len(packed(cursor, STORE)) < 200
    assert cursor_in(None, world.x_id, STORE).position == (0, -1)


def test_the_cursor_of_another_execution_another_list_or_another_store_is_refused():
    world = StreamingWorld()
    text = packed(world.start, STORE)

    with pytest.raises(InvalidInput, match="belongs to the stream of"):
        cursor_in(text, an_id(2), STORE)
    with pytest.raises(InvalidInput, match="comes from another store"):
        cursor_in(text, world.x_id, "elsewhere")
    with pytest.raises(InvalidInput, match="not a cursor of this list"):
        cursor_in(pack_cursor("events", STORE, world.start), world.x_id, STORE)


@pytest.mark.parametrize("field", ["lease_epoch", "seq", "known_epoch", "known_seq", "known_step", "known_replays"])
@pytest.mark.parametrize("value", [-2, 2**53, 2**63, 2**64 - 1, 1.5, "1", None])
def test_a_cursor_with_a_number_that_no_store_can_keep_is_refused(field: str, value: object):
    forged = pack_cursor("stream", STORE, replace(StreamCursor(an_id()), **{field: value}))

    with pytest.raises(InvalidInput, match="not a cursor of this list"):
        cursor_in(forged, an_id(), STORE)


def test_a_cursor_beyond_the_end_is_of_frames_that_the_store_has_lost():
    """A standby without the last commits took over: what comes next would stand before the cursor, and be skipped."""
    world = StreamingWorld()
    world.say(b"a")
    fallen_back = world.copy()
    world.say(b"b", b"c")
    cursors = [world.read(None, limit).cursor for limit in (1, 2, 3)]

    assert fallen_back.read(cursors[0]).frames == []
    for cursor in cursors[1:]:
        with pytest.raises(InvalidInput, match=r"no longer in the stream.*start again without a cursor") as refusal:
            fallen_back.read(cursor)
        assert refusal.value.code == "cursor_gone"


def test_a_cursor_into_a_stream_that_is_not_there_at_all_is_gone():
    world = StreamingWorld()

    with pytest.raises(InvalidInput) as refusal:
        world.read(replace(world.start, lease_epoch=1, seq=0))

    assert refusal.value.code == "cursor_gone"
