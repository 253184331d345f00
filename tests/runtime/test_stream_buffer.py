"""The buffer of an attempt: in order, bounded, and never in doubt about what was said."""

import random
import threading
from typing import Any

import pytest

from flowfabric.domain.streams import SpokenIn, StoredFrame
from flowfabric.domain.summaries import merged
from flowfabric.runtime.stream_buffer import FRAME_BYTES, FULL_BYTES, HURRY_BYTES, LIMIT_BYTES, StreamBuffer
from tests.runtime.working import WAIT_S_MAX


def text(payload: bytes = b"x", spoken_in: SpokenIn | None = None) -> StoredFrame:
    return StoredFrame("text", payload, spoken_in)


def out(payload: bytes, spoken_in: SpokenIn | None = None) -> StoredFrame:
    return StoredFrame("stdout", payload, spoken_in)


@pytest.fixture
def reports() -> list[bool]:
    return []


@pytest.fixture
def buffer(reports: list[bool]) -> StreamBuffer:
    return StreamBuffer(reports.append)


def test_the_first_frame_is_reported_and_then_only_that_there_is_much(
    buffer: StreamBuffer, reports: list[bool]
) -> None:
    for _ in range(HURRY_BYTES // (FRAME_BYTES + 1) - 1):
        buffer.add(text(), may_wait=False)
    assert reports == [False]

    for _ in range(10):
        buffer.add(text(), may_wait=False)
    assert reports == [False, True]

    taken = buffer.take()
    buffer.add(text(), may_wait=False)
    assert len(taken) == HURRY_BYTES // (FRAME_BYTES + 1) - 1 + 10
    assert reports == [False, True, False]


def test_frames_are_taken_in_order_and_as_many_as_fit(buffer: StreamBuffer) -> None:
    frames = [text(bytes([number]) * size) for number, size in enumerate([10, 20, 5, 40, 1, 1])]
    for frame in frames:
        buffer.add(frame, may_wait=False)

    parts = [buffer.take(3, 30) for _ in range(5)]

    assert parts == [frames[:2], frames[2:3], frames[3:4], frames[4:], []]
    assert buffer.is_empty


def test_room_is_only_free_when_frames_are_stored(buffer: StreamBuffer) -> None:
    payload = b"x" * (65_536 - FRAME_BYTES)
    while not buffer.is_full:
        buffer.add(text(payload), may_wait=False)
    frames = buffer.take()

    assert len(frames) == FULL_BYTES // 65_536
    assert buffer.is_full, "they are taken, but not stored"
    buffer.stored(len(frames), sum(len(frame.payload) for frame in frames))
    assert not buffer.is_full


def test_without_waiting_a_frame_is_refused_at_the_limit(buffer: StreamBuffer) -> None:
    payload = b"x" * (65_536 - FRAME_BYTES)

    added = 0
    while buffer.add(text(payload), may_wait=False):
        added += 1

    assert added == LIMIT_BYTES // 65_536
    assert buffer.dropped == 0
    buffer.add_output(out(b"print does not raise"), may_wait=False)
    assert buffer.dropped == 1


def test_threads_that_wait_for_room_go_on_when_the_buffer_is_closed(buffer: StreamBuffer) -> None:
    while not buffer.is_full:
        buffer.add(text(b"x" * 65_536), may_wait=False)
    full = buffer.mark().frames
    adds = [threading.Thread(target=buffer.add, args=[text()], kwargs={"may_wait": True}) for _ in range(3)]
    adds.append(threading.Thread(target=buffer.wait_until_stored, args=[buffer.mark()]))
    for thread in adds:
        thread.start()

    dropped = buffer.close(under_way=2)
    for thread in adds:
        thread.join(WAIT_S_MAX)

    assert not any(thread.is_alive() for thread in adds)
    assert dropped >= full + 2
    assert buffer.dropped == full + 2 + 3
    assert buffer.close() == buffer.dropped
    assert buffer.take() == []


def test_a_line_that_is_printed_in_parts_is_one_frame(buffer: StreamBuffer) -> None:
    step = SpokenIn("s", 1)
    for part in (out(b"a"), out(b" b"), out(b"\n"), out(b"c"), out(b"d", step), out(b"e", step)):
        buffer.add_output(part, may_wait=False)
    buffer.add(text(b"said"), may_wait=False)
    buffer.add_output(out(b"f"), may_wait=False)
    buffer.add_output(StoredFrame("stderr", b"g", None), may_wait=False)

    assert [frame.payload for frame in buffer.take()] == [b"a b\n", b"c", b"de", b"said", b"f", b"g"]


def test_a_line_without_an_end_is_left_once_for_its_rest_and_then_taken(buffer: StreamBuffer) -> None:
    buffer.add_output(out(b"done\n"), may_wait=False)
    buffer.add_output(out(b"begun"), may_wait=False)

    first = buffer.take(leaves_open_line=True)
    buffer.add_output(out(b" and on"), may_wait=False)
    second = buffer.take(leaves_open_line=True)
    buffer.add_output(out(b"next"), may_wait=False)
    third = buffer.take(leaves_open_line=True)
    buffer.add_output(out(b"\n"), may_wait=False)

    assert [frame.payload for frame in first] == [b"done\n"]
    assert [frame.payload for frame in second] == [b"begun and on"]
    assert third == []
    assert [frame.payload for frame in buffer.take(leaves_open_line=True)] == [b"next\n"]
    buffer.add_output(out(b"last"), may_wait=False)
    assert [frame.payload for frame in buffer.take()] == [b"last"]


def test_what_is_left_of_an_open_line_does_not_exceed_a_frame(buffer: StreamBuffer) -> None:
    buffer.add_output(out(b"x" * 65_000), may_wait=False)
    buffer.add_output(out(b"y" * 1_000), may_wait=False)

    assert [len(frame.payload) for frame in buffer.take()] == [65_000, 1_000]


def test_a_mark_is_stored_when_all_before_it_is_and_not_earlier(buffer: StreamBuffer) -> None:
    buffer.add(text(), may_wait=False)
    buffer.patch({"a": 1}, 7)
    mark = buffer.mark()
    buffer.add(text(), may_wait=False)

    assert not buffer.has_stored(mark)
    buffer.stored(1, 1)
    assert not buffer.has_stored(mark)
    patch = buffer.first_patch()
    assert patch is not None
    buffer.patched(patch)
    assert buffer.has_stored(mark)
    assert not buffer.has_stored(buffer.mark())


def test_nothing_is_added_to_a_patch_that_is_under_way(buffer: StreamBuffer) -> None:
    buffer.patch({"a": 1}, 7)
    first = buffer.first_patch()
    buffer.patch({"a": 2}, 7)
    buffer.patch({"b": 3}, 7)

    assert first is not None
    assert first.document == {"a": 1}
    assert buffer.first_patch() is first
    buffer.patched(first)
    second = buffer.first_patch()
    assert second is not None
    assert second.document == {"a": 2, "b": 3}
    buffer.patched(second)
    assert not buffer.has_patches


def test_patches_together_never_become_larger_than_one_may_be(buffer: StreamBuffer) -> None:
    for number in range(4):
        buffer.patch({f"long {number}": "x" * 30_000}, 30_012)

    documents: list[dict[str, Any]] = []
    while (patch := buffer.first_patch()) is not None:
        documents.append(patch.document)
        buffer.patched(patch)

    assert [len(document) for document in documents] == [2, 2]


def test_the_same_members_again_and_again_stay_one_patch(buffer: StreamBuffer) -> None:
    for number in range(20_000):
        buffer.patch({"done": number}, 15)

    patch = buffer.first_patch()

    assert patch is not None
    assert patch.document == {"done": 19_999}
    buffer.patched(patch)
    assert not buffer.has_patches


@pytest.mark.parametrize("seed", range(20))
def test_patches_that_are_gathered_do_what_each_of_them_does(buffer: StreamBuffer, seed: int) -> None:
    chance = random.Random(seed)

    def a_patch(depth: int = 0) -> dict[str, Any]:
        return {
            chance.choice("abc"): chance.choice(
                [None, chance.randrange(9), [1], {} if depth > 1 else a_patch(depth + 1)]
            )
            for _ in range(chance.randrange(3))
        }

    before = a_patch()
    patches = [a_patch() for _ in range(10)]
    expected: dict[str, Any] = merged({}, before)
    found = merged({}, before)
    for patch in patches:
        expected = merged(expected, patch)
        buffer.patch(patch, 10)
    while (sent := buffer.first_patch()) is not None:
        found = merged(found, sent.document)
        buffer.patched(sent)

    assert found == expected


def test_a_collection_of_garbage_in_the_middle_may_print(buffer: StreamBuffer) -> None:
    class Printing(list[StoredFrame]):
        def append(self, frame: StoredFrame) -> None:
            super().append(frame)
            if frame.kind == "text":
                buffer.add_output(out(b"from __del__\n"), may_wait=True)

    buffer._frames = Printing()

    buffer.add(text(b"a"), may_wait=True)

    assert [frame.payload for frame in buffer.take()] == [b"a", b"from __del__\n"]
