"""Appending frames: who may, where they come to stand, and what a repeated append does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from flowfabric.domain.commands import (
    AppendAll,
    AppendFrames,
    Complete,
    Envelope,
    RecordStep,
    Renew,
    executions_named_by,
)
from flowfabric.domain.errors import Conflict, EngineError, InvalidInput
from flowfabric.domain.lease import ERA_STRIDE
from flowfabric.domain.outcomes import Appended, Completed, LeaseLost, StepRecorded
from flowfabric.domain.streams import FRAME_KINDS, Position, Said, SpokenIn, StoredFrame, last_tries, pack, said, unpack
from tests.domain.records import NOW, an_id, decided, fence_of
from tests.domain.states_reached import STATES
from tests.domain.streaming_world import StreamingWorld, text
from tests.domain.waiting_world import PATIENT

# ── packing ──────────────────────────────────────────────────────────────────────────────────────

SPOKEN = st.none() | st.builds(SpokenIn, st.text(min_size=1, max_size=8), st.integers(1, 2**31))
FRAMES = st.lists(st.builds(StoredFrame, st.sampled_from(FRAME_KINDS), st.binary(max_size=50), SPOKEN), max_size=20)


@given(FRAMES)
def test_what_was_packed_is_unpacked_the_same(frames: list[StoredFrame]):
    assert unpack(pack(frames)) == frames


def test_chunks_that_an_earlier_release_has_packed_can_be_unpacked():
    """The names of kinds are kept as numbers. Their order must never change."""
    packed = bytes.fromhex("929192a56d6f64656c0296930000c40161930101c4027b7d930200c400930300c400930400c400930500c401ff")

    assert unpack(packed) == [
        StoredFrame("text", b"a", None),
        StoredFrame("json", b"{}", SpokenIn("model", 2)),
        StoredFrame("stdout", b"", None),
        StoredFrame("stderr", b"", None),
        StoredFrame("log", b"", None),
        StoredFrame("blob", b"\xff", None),
    ]
    assert pack(unpack(packed)) == packed


@given(FRAMES.filter(bool))
def test_what_is_sent_says_how_much_it_is_and_which_steps_were_tried_again(frames: list[StoredFrame]):
    sent = said(StreamingWorld().fence, frames)

    assert (sent.count, sent.size) == (len(frames), sum(len(frame.payload) for frame in frames))
    tries: dict[str, int] = {}
    for frame in frames:
        if frame.spoken_in is not None:
            step, step_try = frame.spoken_in
            tries[step] = max(step_try, tries.get(step, 0))
    assert dict(sent.retried) == {step: last for step, last in tries.items() if last > 1}
    assert list(sent.retried) == sorted(sent.retried)


def test_a_step_that_was_tried_once_is_not_mentioned():
    assert last_tries([None, SpokenIn("a", 1), SpokenIn("b", 2), SpokenIn("b", 1)]) == (SpokenIn("b", 2),)


# ── who may ──────────────────────────────────────────────────────────────────────────────────────

REFUSALS = {
    "active": ["", "", "stale_lease", "stale_lease"],
    "overdue": ["lease_expired", "lease_expired", "stale_lease", "stale_lease"],
}
"""What the lease itself is answered, a second time, one epoch later, and one attempt later."""


@pytest.mark.parametrize("name", STATES)
def test_only_the_live_lease_appends(name: str):
    x = STATES[name]
    fences = [fence_of(x), fence_of(x), fence_of(x, epoch=-1), fence_of(x, attempt=1)]
    appends = [AppendFrames(said(fence, [text(b"frame")])) for fence in fences]

    result = decided(*appends, executions=[x])

    codes = [answer.code if isinstance(answer, EngineError) else "" for answer in result.answers]
    if x.lifecycle_phase != "active":
        assert codes == ["execution_not_active"] * 4
    else:
        is_over = x.lease_expires_at_ms is not None and x.lease_expires_at_ms <= NOW
        assert codes == REFUSALS["overdue" if is_over else "active"]
    assert len(result.changes.chunks) == codes.count("")


def test_a_lease_with_the_right_epoch_and_a_wrong_mark_is_refused():
    world = StreamingWorld()
    forged = replace(world.fence, lease_id=world.fence.lease_id[:-1] + "x")

    with pytest.raises(EngineError) as refusal:
        world.one(AppendFrames(said(forged, [text(b"frame")])))

    assert refusal.value.code == "stale_lease"


def test_what_another_namespace_holds_does_not_exist():
    world = StreamingWorld()

    (answer,) = world.decide(Envelope(AppendFrames(world.said(b"frame")), "elsewhere"))

    assert isinstance(answer, EngineError)
    assert answer.code == "not_found"
    assert world.effective == []


# ── where frames come to stand ───────────────────────────────────────────────────────────────────


def test_numbers_count_from_0_without_a_gap_in_each_epoch():
    world = StreamingWorld()
    first = [world.say(b"a", b"b"), world.say(b"c")]
    world.lose()
    world.claim()
    second = [world.say(b"d"), world.say(b"e", b"f")]

    assert first == [Appended(0, 2), Appended(2, 3)]
    assert second == [Appended(0, 1), Appended(1, 3)]
    positions = [(frame.lease_epoch, frame.seq) for frame in world.read_all(view="all")]
    assert positions == [(1, 0), (1, 1), (1, 2), (3, 0), (3, 1), (3, 2)]


def test_epochs_that_jump_by_an_era_keep_their_order():
    world = StreamingWorld()
    world.say(b"before")
    world.release()
    world.store._executions[world.x_id] = replace(world.x, lease_era=7)
    world.claim()
    world.say(b"after")

    assert world.x.lease_epoch > ERA_STRIDE
    assert [frame.payload for frame in world.read_all(view="all")] == [b"before", b"after"]
    assert world.effective == [b"after"]


@pytest.mark.parametrize("has_number", [True, False])
def test_frames_of_one_batch_stand_in_the_order_of_their_commands(has_number: bool):
    world = StreamingWorld()
    appends = [
        AppendFrames(world.said(b"%d" % number, first_seq=number if has_number else None)) for number in range(5)
    ]

    assert world.decide(*appends) == [Appended(number, number + 1) for number in range(5)]
    assert world.effective == [b"0", b"1", b"2", b"3", b"4"]


# ── repeats ──────────────────────────────────────────────────────────────────────────────────────

SAME, SHORTER, LONGER, OTHER = (b"a", b"b"), (b"a",), (b"a", b"b", b"c"), (b"x", b"y")

REPEATS: list[tuple[int | None, tuple[bytes, ...], object]] = [
    (0, SAME, Appended(0, 2)),
    (0, SHORTER, Conflict),
    (0, LONGER, Conflict),
    (0, OTHER, Conflict),
    (1, (b"b",), Conflict),
    (1, (b"b", b"c"), Conflict),
    (2, (b"c",), Appended(2, 3)),
    (2, SAME, Appended(2, 4)),
    (3, (b"d",), InvalidInput),
    (1_000, (b"d",), InvalidInput),
    (None, SAME, Appended(2, 4)),
]


@pytest.mark.parametrize(("first_seq", "payloads", "expected"), REPEATS)
@pytest.mark.parametrize("in_one_batch", [True, False])
def test_the_same_frames_at_the_same_place_count_once_and_others_are_refused(
    first_seq: int | None, payloads: tuple[bytes, ...], expected: object, in_one_batch: bool
):
    world = StreamingWorld()
    commands = [AppendFrames(world.said(*SAME)), AppendFrames(world.said(*payloads, first_seq=first_seq))]

    answers = world.decide(*commands) if in_one_batch else [world.decide(each)[0] for each in commands]

    assert answers[0] == Appended(0, 2)
    assert answers[1] == expected or (isinstance(expected, type) and type(answers[1]) is expected)
    is_new = isinstance(expected, Appended) and expected.first_seq == 2
    assert world.effective == [*SAME, *(payloads if is_new else ())]


def test_the_same_bytes_of_another_step_are_other_frames():
    world = StreamingWorld()
    world.say(b"a", step="one")

    for other in ({"step": "two"}, {"step": None}, {"step": "one", "step_try": 2}):
        with pytest.raises(Conflict):
            world.say(b"a", first_seq=0, **other)
    assert world.say(b"a", step="one", first_seq=0) == Appended(0, 1)


def test_a_repeat_in_a_later_epoch_is_a_zombies_and_is_refused():
    world = StreamingWorld()
    sent = world.said(b"a", first_seq=0)
    world.one(AppendFrames(sent))
    world.lose()
    world.claim()

    with pytest.raises(EngineError) as refusal:
        world.one(AppendFrames(sent))

    assert refusal.value.code == "stale_lease"


SHORT = replace(PATIENT, stream_max_frames=3)


def test_a_repeat_of_frames_that_were_trimmed_since_is_believed():
    world = StreamingWorld(policy=SHORT)
    for number in range(3):
        world.say(b"%d" % number, b"and more")
    assert world.trim()
    assert world.stream.first == Position(1, 3)

    assert world.say(b"0", b"and more", first_seq=0) == Appended(0, 2)
    assert world.stream.end == Position(1, 6)


def test_frames_that_reach_beyond_what_was_trimmed_are_no_repeat():
    world = StreamingWorld(policy=SHORT)
    for number in range(3):
        world.say(b"%d" % number, b"and more")
    assert world.trim()

    with pytest.raises(Conflict):
        world.say(*[b"new"] * 20, first_seq=0)
    with pytest.raises(Conflict):
        world.say(b"new", b"new", b"new", b"new", first_seq=0)


def test_a_chunk_of_which_some_frames_were_trimmed_is_still_compared():
    world = StreamingWorld(policy=SHORT)
    world.say(b"a", b"b", b"c")
    world.say(b"d")
    assert world.trim()
    assert (world.stream.first, len(world.chunks)) == (Position(1, 1), 2)

    assert world.say(b"a", b"b", b"c", first_seq=0) == Appended(0, 3)
    with pytest.raises(Conflict):
        world.say(b"a", b"b", b"x", first_seq=0)


def test_a_command_id_makes_any_append_safe_to_repeat_also_when_the_lease_is_over():
    world = StreamingWorld()
    append, all_appends = AppendFrames(world.said(b"a")), AppendAll((world.said(b"b"), world.said(b"c")))

    def both() -> list[object]:
        return [world.send(append, command_id="one"), world.send(all_appends, command_id="two")]

    first = both()
    assert both() == first == [Appended(0, 1), [Appended(1, 2), Appended(2, 3)]]
    world.lose()
    assert both() == first
    with pytest.raises(Conflict):
        world.send(AppendFrames(world.said(b"z")), command_id="one")
    assert world.effective == [b"a", b"b", b"c"]


def test_answers_that_only_say_that_leases_are_lost_are_remembered_too():
    world = StreamingWorld()
    appends = AppendAll((world.said(b"a"), world.said(b"b")))
    world.lose()

    first = world.send(appends, command_id="one")

    assert [answer.code for answer in first] == ["execution_not_active"] * 2
    assert world.send(appends, command_id="one") == first


# ── many streams ─────────────────────────────────────────────────────────────────────────────────


def test_a_lease_that_is_over_does_not_affect_the_streams_of_others():
    world = StreamingWorld()
    stranger = replace(world.fence, execution_id=an_id(9))
    items = (
        world.said(b"a"),
        said(replace(world.fence, lease_epoch=7), [text(b"x")]),
        said(stranger, [text(b"x")]),
        world.said(b"x", first_seq=5),
        world.said(b"x", first_seq=0),
        world.said(b"a", first_seq=0),
        world.said(b"b"),
    )

    answers = world.one(AppendAll(items))

    codes = [answer.code if isinstance(answer, LeaseLost) else answer for answer in answers]
    lost = ["stale_lease", "not_found", "invalid_input", "conflict"]
    assert codes == [Appended(0, 1), *lost, Appended(0, 1), Appended(1, 2)]
    assert world.effective == [b"a", b"b"]


# ── together with another command ────────────────────────────────────────────────────────────────


def test_frames_are_stored_in_the_commit_of_the_step_that_follows_them():
    world = StreamingWorld()

    world.record_step("a", said=world.said(b"in a", step="a"))
    world.lose()
    world.claim()

    assert world.effective == [b"in a"]


def test_if_the_command_is_refused_its_frames_are_not_stored_either():
    world = StreamingWorld()
    world.record_step("a")

    with pytest.raises(Conflict):
        world.send(RecordStep(world.fence, "a", b"other arguments", b""), world.said(b"lost"))

    assert world.effective == []


def test_if_the_frames_leave_a_gap_the_command_is_refused_with_them():
    world = StreamingWorld()

    with pytest.raises(InvalidInput, match="Frames have no gaps"):
        world.complete(world.said(b"x", first_seq=1))

    assert world.x.public_state == "active"


def test_frames_of_a_lease_that_is_over_are_dropped_and_the_command_says_why():
    world = StreamingWorld()
    old = world.said(b"too late")
    fence = world.fence
    world.lose()
    world.claim()

    with pytest.raises(EngineError) as refusal:
        world.send(Renew(fence, None), old)

    assert refusal.value.code == "stale_lease"
    assert world.effective == []


def test_a_repeated_completion_gets_its_answer_and_its_frames_count_once():
    world = StreamingWorld()
    last_words = world.said(b"bye", first_seq=0)
    command = Complete(world.fence, b"result")

    assert [world.send(command, last_words) for _ in range(2)] == [Completed(world.x_id)] * 2
    assert world.effective == [b"bye"]


def test_a_repeated_step_gets_its_answer_and_its_frames_count_once():
    world = StreamingWorld()
    words = world.said(b"in a", step="a", first_seq=0)

    answers = [world.record_step("a", said=words) for _ in range(2)]

    assert answers == [StepRecorded(world.x_id, "a", False)] * 2
    assert world.effective == [b"in a"]


def test_a_command_id_covers_the_frames_that_come_with_the_command():
    world = StreamingWorld()
    command, words = RecordStep(world.fence, "a", b"", b""), world.said(b"in a", step="a")

    for _ in range(2):
        world.send(command, words, command_id="one")

    assert world.effective == [b"in a"]


@pytest.mark.parametrize("end", ["complete", "fail", "release"])
def test_the_last_words_of_an_attempt_are_stored_with_its_end(end: str):
    world = StreamingWorld()

    getattr(world, end)(said=world.said(b"bye"))

    assert world.effective == [b"bye"]
    with pytest.raises(EngineError) as refusal:
        world.say(b"after the end")
    assert refusal.value.code == "execution_not_active"


def test_an_append_keeps_no_lease_alive_and_writes_no_event():
    world = StreamingWorld()
    before = world.x, world.event_names

    world.advance(1_000)
    world.say(b"a")

    assert (world.x, world.event_names) == before


def test_what_is_sent_names_its_execution_so_that_commands_stay_in_order():
    world = StreamingWorld()
    sent: Said = world.said(b"a")

    assert list(executions_named_by(AppendFrames(sent))) == [world.x_id]
    assert list(executions_named_by(AppendAll((sent, sent)))) == [world.x_id] * 2
