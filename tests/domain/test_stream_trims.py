"""Trimming: the oldest frames go, as many as are too many, and no position ever moves."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric.domain.commands import AppendFrames, TrimStream
from flowfabric.domain.decide.streaming import CHUNKS_AT_ONCE
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.domain.streams import Position
from tests.domain.streaming_world import StreamingWorld
from tests.sizes import IS_FULL


def _world(frames: int = 10_000, size: int = 8 * 1024 * 1024) -> StreamingWorld:
    retry = RetryPolicy(max_retries=1_000, initial_delay_ms=0, jitter=0.0)
    policy = ExecutionPolicy(
        retry=retry, max_interruptions=1_000, max_replays=None, stream_max_frames=frames, stream_max_bytes=size
    )
    return StreamingWorld(policy=policy)


def _trim_all(world: StreamingWorld) -> int:
    """Trim until nothing is too long, as upkeep does. Returns how often it took."""
    times = 0
    while list(world.store.long_streams(10)):
        assert world.trim() is True
        times += 1
        assert times < 1_000, "it never ends"
    return times


def _kept(world: StreamingWorld) -> list[bytes]:
    return [frame.payload for frame in world.read_all(view="all")]


# ── how much stays ───────────────────────────────────────────────────────────────────────────────


def test_a_stream_within_its_bounds_is_not_trimmed():
    world = _world(frames=4, size=10)
    world.say(b"12345", b"12345")
    world.say(b"", b"")

    assert list(world.store.long_streams(10)) == []
    assert world.trim() is False
    assert world.stream.first == Position(0, 0)


@pytest.mark.parametrize("chunk", [1, 2, 3, 4, 5, 7, 12])
def test_exactly_as_many_frames_stay_as_the_policy_allows_however_they_came(chunk: int):
    world = _world(frames=5)
    texts = [b"%d" % number for number in range(12)]
    for at in range(0, 12, chunk):
        world.say(*texts[at : at + chunk])

    _trim_all(world)

    assert _kept(world) == texts[-5:]
    assert world.stream.first == Position(1, 7)
    assert world.stream.kept_frames == 5


@pytest.mark.parametrize(
    ("sizes", "kept"),
    [
        ([4, 4, 4], 2),
        ([10], 1),
        ([11], 1),  # the last chunk always stays
        ([4, 11], 1),
        ([11, 4], 1),
        ([5, 5, 1], 2),
        ([0, 10, 0], 3),
        ([10, 0, 1], 2),
    ],
)
def test_whole_chunks_go_until_what_is_left_is_not_too_large(sizes: list[int], kept: int):
    world = _world(size=10)
    for size in sizes:
        world.say(b"x" * size)

    _trim_all(world)

    assert [len(chunk.data) > 0 for chunk in world.chunks] == [True] * kept
    assert [len(payload) for payload in _kept(world)] == sizes[-kept:]


def test_trimming_is_not_done_by_appends():
    world = _world(frames=1)

    for _ in range(5):
        world.say(b"x")

    assert len(_kept(world)) == 5
    assert world.stream.is_too_long


def test_many_chunks_take_several_commands():
    world = _world(frames=10)
    for _ in range(2 * CHUNKS_AT_ONCE + 20):
        world.decide(AppendFrames(world.said(b"x")), is_checked=False)

    assert _trim_all(world) == 3
    assert len(_kept(world)) == 10


def test_two_trims_in_one_batch_remove_as_much_as_two_in_two():
    one, two = _world(frames=10), _world(frames=10)
    for world in (one, two):
        for _ in range(50):
            world.say(b"x")

    answers = one.decide(TrimStream(one.x_id), TrimStream(one.x_id))
    _trim_all(two)

    assert answers == [True, False]
    assert (one.stream, one.chunks) == (two.stream, two.chunks)


def test_a_trim_in_the_batch_of_the_append_that_it_is_for_leaves_the_rest_to_the_next():
    world = _world(frames=1)

    answers = world.decide(*[AppendFrames(world.said(b"%d" % n)) for n in range(3)], TrimStream(world.x_id))

    assert answers[-1] is False  # nothing was stored yet, so it must not be asked again at once
    assert _trim_all(world) == 1
    assert _kept(world) == [b"2"]


def test_the_stream_of_an_execution_that_has_ended_is_trimmed_too():
    world = _world(frames=1)
    world.say(b"a", b"b")
    world.complete()

    _trim_all(world)

    assert world.effective == [b"b"]


def test_what_is_purged_is_not_trimmed():
    world = _world(frames=1)
    world.say(b"a", b"b")

    assert world.one(TrimStream(world.x_id.replace("1", "2"))) is False


# ── attempts ─────────────────────────────────────────────────────────────────────────────────────


def test_bounds_are_for_each_attempt_by_itself():
    world = _world(frames=3)
    world.say(b"a", b"b", b"c")
    world.fail()
    world.claim()
    world.say(b"d", b"e", b"f")

    assert list(world.store.long_streams(10)) == []
    assert _kept(world) == [b"a", b"b", b"c", b"d", b"e", b"f"]


def test_what_is_older_than_the_attempt_that_is_too_long_goes_first():
    world = _world(frames=3)
    world.say(b"a", b"b", b"c")
    world.fail()
    world.claim()
    world.say(b"d", b"e")
    world.say(b"f", b"g")

    _trim_all(world)

    assert _kept(world) == [b"e", b"f", b"g"]
    assert world.stream.first == Position(2, 1)


def test_an_attempt_that_was_suspended_and_resumed_has_one_bound():
    world = _world(frames=3)
    world.say(b"a", b"b")
    world.suspend()
    world.signal()
    world.claim()
    world.say(b"c", b"d")

    _trim_all(world)

    assert [(frame.lease_epoch, frame.seq) for frame in world.read_all(view="all")] == [(1, 1), (2, 0), (2, 1)]


def test_the_summary_stays_when_frames_go():
    world = _world(frames=1)
    world.patch({"stage": 1})
    world.say(b"a", b"b")
    _trim_all(world)

    assert world.store.summary(world.x_id)[1].document == '{"stage":1}'


# ── readers ──────────────────────────────────────────────────────────────────────────────────────


def test_a_reader_from_the_start_begins_with_the_first_frame_that_is_kept():
    world = _world(frames=2)
    world.say(b"a", b"b", b"c")
    _trim_all(world)

    assert world.effective == [b"b", b"c"]
    assert [frame.seq for frame in world.read_all()] == [1, 2]


def test_a_cursor_at_the_last_frame_that_was_removed_still_fits_and_one_before_it_is_gone():
    world = _world(frames=2)
    world.say(b"a", b"b", b"c", b"d")
    cursors = [world.read(None, limit).cursor for limit in (1, 2, 3, 4)]
    _trim_all(world)

    with pytest.raises(InvalidInput, match=r"Frames after this cursor were removed.*Start again") as refusal:
        world.read(cursors[0])
    assert refusal.value.code == "cursor_gone"
    assert [[frame.payload for frame in world.read(cursor).frames] for cursor in cursors[1:]] == [
        [b"c", b"d"],
        [b"d"],
        [],
    ]


def test_a_cursor_of_an_earlier_epoch_fits_as_long_as_nothing_after_it_was_removed():
    world = _world(frames=2)
    world.say(b"a", b"b")
    at_b = world.read().cursor
    world.fail()
    world.claim()
    world.say(b"c", b"d")
    assert [frame.payload for frame in world.read(at_b).frames[1:]] == [b"c", b"d"]

    world.say(b"e")
    _trim_all(world)

    with pytest.raises(InvalidInput) as refusal:
        world.read(at_b)
    assert refusal.value.code == "cursor_gone"


# ── at random ────────────────────────────────────────────────────────────────────────────────────


def _positions(frames: list[StreamFrame]) -> list[tuple[Any, ...]]:
    return [(frame.lease_epoch, frame.seq, frame.payload) for frame in frames]


@pytest.mark.parametrize("seed", range(300 if IS_FULL else 15))
def test_what_is_kept_is_the_end_of_what_was_written_and_within_the_bounds(seed: int):
    chance = random.Random(seed)
    world = _world(frames=chance.randint(1, 12), size=chance.randint(1, 60))
    written: list[tuple[Any, ...]] = []
    for moment in range(60):
        if world.x.lifecycle_phase != "active":
            world.claim()
        what = chance.random()
        if what < 0.7 or not written:
            payloads = [b"x" * chance.randint(0, 9) for _ in range(chance.randint(1, 6))]
            at = world.say(*payloads)
            epoch = world.fence.lease_epoch
            written += [(epoch, at.first_seq + place, payload) for place, payload in enumerate(payloads)]
        elif what < 0.8:
            chance.choice((world.fail, world.release, world.lose))()
        elif chance.random() < 0.5:
            world.trim()
        else:
            _trim_all(world)
            kept = [chunk for chunk in world.chunks if chunk.attempt_index == world.stream.attempt_index]
            assert world.stream.kept_frames <= world.x.policy.stream_max_frames
            assert sum(chunk.size for chunk in kept) <= world.x.policy.stream_max_bytes or len(kept) == 1
        found = _positions(world.read_all(view="all"))
        assert found == written[len(written) - len(found) :], moment
        assert found[-1:] == written[-1:], "the last frames always stay"
        first = world.stream.first
        assert all(frame[:2] >= first for frame in found)
        assert not [frame for frame in written if frame[:2] >= first and frame not in found]


def test_a_stream_that_is_said_to_be_too_long_and_has_no_chunks_does_not_keep_upkeep_busy():
    world = _world(frames=1)
    world.say(b"a", b"b")
    world.store._chunks.clear()
    before = replace(world.stream)

    assert world.decide(TrimStream(world.x_id), is_checked=False) == [False]
    assert world.stream == before
