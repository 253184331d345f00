"""Streaming: a worker appends what its execution says, in order and once, for as long as it holds the lease."""

from typing import Any

from msgspec.structs import replace

from flowfabric import (
    Appended,
    BlockingEngine,
    Conflict,
    ExecutionNotActive,
    Frame,
    InvalidInput,
    Lease,
    LeaseExpired,
    LeaseLost,
    ManualClock,
    NotFound,
    StaleLease,
    StreamFrame,
    Suspended,
    WaitOpened,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    ENDED,
    RETRIED,
    UNKNOWN,
    an_execution,
    claim,
    create,
    look,
    refused,
    refusing,
    start,
    unchanged,
)
from flowfabric_conformance.stream_stage import Place, again, end_lease, frames, heard, places, say, words

KINDS: tuple[Any, ...] = ("text", "json", "stdout", "stderr", "log", "blob")


# ── appending ────────────────────────────────────────────────────────────────────────────────────


def test_frames_are_numbered_from_zero_without_a_gap(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    first = engine.append_frames(lease, [b"a", b"b"])
    second = engine.append_frames(lease, [b"c"])

    assert (first, second) == (Appended(0, 2), Appended(2, 3))
    assert places(frames(engine, lease.execution_id)) == [Place(1, 0, b"a"), Place(1, 1, b"b"), Place(1, 2, b"c")]


def test_each_epoch_is_numbered_by_itself(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a", "b")
    second = again(engine, clock, lease)

    answer = engine.append_frames(second, [b"c"])

    assert answer == Appended(0, 1)
    assert second.lease_epoch > lease.lease_epoch
    assert places(frames(engine, lease.execution_id, view="all")) == [
        Place(lease.lease_epoch, 0, b"a"),
        Place(lease.lease_epoch, 1, b"b"),
        Place(second.lease_epoch, 0, b"c"),
    ]


def test_a_frame_says_who_has_written_it_and_when(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    second = again(engine, clock, lease, "retried")
    clock.advance(7)
    at_ms = clock.now_ms

    engine.append_frames(second, [Frame(b"{}", "json")], step="charge")
    clock.advance(1)
    engine.append_frames(second, [b"x"])

    assert frames(engine, lease.execution_id) == [
        StreamFrame(2, 0, "json", b"{}", 1, "charge", at_ms),
        StreamFrame(2, 1, "text", b"x", 1, None, at_ms + 1),
    ]


def test_the_kind_of_a_frame_is_a_label_and_its_payload_is_not_checked(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    engine.append_frames(lease, [Frame(b"\xff no JSON, no text", kind) for kind in KINDS])

    found = frames(engine, lease.execution_id)

    assert [frame.kind for frame in found] == list(KINDS)
    assert {frame.payload for frame in found} == {b"\xff no JSON, no text"}


def test_payloads_come_back_byte_for_byte(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    every_byte = bytes(range(256)) * 256
    payloads = [every_byte[:size] for size in (0, 1, 2, 255, 256, 257, 4095, 4096, 4097, 32_768, 65_535, 65_536)]
    payloads += [b"\x00" * 9, "ÿ€😀".encode(), b"\r\n", b"\xff\xfe"]

    engine.append_frames(lease, payloads)
    for payload in payloads:
        engine.append_frames(lease, [payload], step="of its own")

    assert [frame.payload for frame in frames(engine, lease.execution_id)] == payloads * 2


def test_an_append_has_a_largest_number_of_frames_and_of_bytes(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    assert engine.append_frames(lease, [b""] * 10_000) == Appended(0, 10_000)
    assert engine.append_frames(lease, [b"x" * 65_536] * 16) == Appended(10_000, 10_016)
    too_much = ([b""] * 10_001, [b"x" * 65_537], [b"x" * 65_536] * 16 + [b"y"])
    assert refusing(engine, lambda value: engine.append_frames(lease, value), too_much) == []
    assert engine.append_frames(lease, [b"z"]) == Appended(10_016, 10_017)


def test_bad_input_of_an_append_is_refused_and_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "before")
    no_frames: list[Any] = [[], (), "text", b"bytes", None, 7, {}, [None], ["text"], [b"a", 7], [Frame("text")]]  # type: ignore[arg-type]
    no_frames += [[Frame(b"", kind)] for kind in ("restart", "", "TEXT", None)]  # type: ignore[arg-type]

    assert refusing(engine, lambda value: engine.append_frames(lease, value), no_frames) == []
    assert refusing(engine, lambda value: engine.append_all([(lease, value, None, None)]), no_frames) == []
    no_steps = ["", "s" * 129, "a\nb", 1, b"step"]
    assert refusing(engine, lambda value: engine.append_frames(lease, [b"x"], step=value), no_steps) == []
    no_numbers = [-1, 1.5, "1", True, 2**63]
    assert refusing(engine, lambda value: engine.append_frames(lease, [b"x"], first_seq=value), no_numbers) == []
    assert refusing(engine, lambda value: engine.append_frames(value, [b"x"]), [None, lease.execution_id, {}]) == []
    no_appends: list[Any] = ["text", None, {}, 7, [lease], [(lease, [b"x"])], [(lease, [b"x"], None, None)] * 1001]
    assert refusing(engine, lambda value: engine.append_all(value), no_appends) == []
    assert heard(engine, lease.execution_id) == ["before"]


def test_frames_name_a_step_of_up_to_128_characters(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    engine.append_frames(lease, [b"x"], step="s" * 128)

    assert [frame.step for frame in frames(engine, lease.execution_id)] == ["s" * 128]


# ── once ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_frames_at_the_same_place_count_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    first = engine.append_frames(lease, [b"a", b"b"], step="s", first_seq=0)
    second = engine.append_frames(lease, [b"c"], first_seq=2)
    clock.advance(1)

    with unchanged(engine):
        assert engine.append_frames(lease, [b"c"], first_seq=2) == second
        assert engine.append_frames(lease, [b"a", b"b"], step="s", first_seq=0) == first

    assert engine.append_frames(lease, [b"d"], first_seq=3) == Appended(3, 4)
    assert heard(engine, lease.execution_id) == ["a", "b", "c", "d"]


def test_other_frames_at_the_same_place_are_a_conflict(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.append_frames(lease, [b"a", b"b"], step="s")
    engine.append_frames(lease, [b"c"])

    for others, step, first_seq in (
        ([b"a", b"B"], "s", 0),
        ([b"a"], "s", 0),
        ([b"a", b"b", b"c"], "s", 0),
        ([b"b"], "s", 1),
        ([b"a", b"b"], None, 0),
        ([b"a", b"b"], "t", 0),
        ([Frame(b"a", "log"), Frame(b"b", "log")], "s", 0),
        ([b"C"], None, 2),
    ):
        with refused(engine, Conflict):
            engine.append_frames(lease, others, step=step, first_seq=first_seq)


def test_a_gap_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    with refused(engine, InvalidInput):
        engine.append_frames(lease, [b"a"], first_seq=1)
    say(engine, lease, "a", "b")

    with refused(engine, InvalidInput) as refusal:
        engine.append_frames(lease, [b"d"], first_seq=3)

    assert "the next frame" in str(refusal.value)
    assert engine.append_frames(lease, [b"c"], first_seq=2) == Appended(2, 3)


def test_without_a_number_the_same_frames_are_appended_again(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    answers = [engine.append_frames(lease, [b"tick"]) for _ in range(3)]

    assert answers == [Appended(0, 1), Appended(1, 2), Appended(2, 3)]
    assert heard(engine, lease.execution_id) == ["tick"] * 3


def test_a_repeated_command_id_appends_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    zombie = start(engine)
    engine.revoke_lease(zombie.execution_id)

    for _ in range(2):
        assert engine.append_frames(lease, [b"a"], command_id="one") == Appended(0, 1)
        assert engine.append_all([(lease, [b"b"], None, None), (zombie, [b"x"], None, None)], command_id="all") == [
            Appended(1, 2),
            LeaseLost(zombie.execution_id, "execution_not_active"),
        ]
        assert engine.append_all([(zombie, [b"x"], None, None)], command_id="lost") == [
            LeaseLost(zombie.execution_id, "execution_not_active")
        ]

    assert heard(engine, lease.execution_id) == ["a", "b"]
    with refused(engine, Conflict):
        engine.append_frames(lease, [b"something else"], command_id="one")


# ── only the live lease ──────────────────────────────────────────────────────────────────────────


def test_a_lease_that_another_worker_has_taken_over_appends_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    zombie = start(engine)
    say(engine, zombie, "a")
    again(engine, clock, zombie)

    with refused(engine, StaleLease):
        engine.append_frames(zombie, [b"x"])
    with refused(engine, StaleLease):
        engine.append_frames(zombie, [b"a"], first_seq=0)
    with refused(engine, StaleLease):
        engine.patch_summary(zombie, {"stage": "x"})


def test_a_lease_whose_time_is_over_appends_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    clock.advance(30_000)

    with refused(engine, LeaseExpired):
        engine.append_frames(lease, [b"x"])
    with refused(engine, LeaseExpired):
        engine.patch_summary(lease, {"stage": "x"})


@rule_cases("how", ["released", "revoked", "lost", "suspended", "retried"])
def test_nothing_is_appended_while_nobody_holds_the_lease(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    lease = start(engine, policy=RETRIED)
    if how == "suspended":
        engine.suspend(lease, "wait", "editor")
    else:
        end_lease(engine, clock, lease, how)

    with refused(engine, ExecutionNotActive):
        engine.append_frames(lease, [b"x"])
    with refused(engine, ExecutionNotActive):
        engine.patch_summary(lease, {"stage": "x"})


@rule_cases("state", [state for state in ENDED if state != "skipped"])
def test_nothing_is_appended_after_the_end(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    lease = _ended(engine, clock, state)

    with refused(engine, ExecutionNotActive) as refusal:
        engine.append_frames(lease, [b"x"])
    with refused(engine, ExecutionNotActive):
        engine.patch_summary(lease, {"stage": "x"})

    assert refusal.value.public_state == state


def _ended(engine: BlockingEngine, clock: ManualClock, state: str) -> Lease:
    """The last lease of an execution that has ended like this."""
    create(engine, deadline_at_ms=clock.now_ms + 1_000 if state == "expired" else None)
    lease = claim(engine).lease
    if state == "completed":
        engine.complete(lease)
    elif state == "failed":
        engine.fail(lease, code="boom", retryable=False)
    elif state == "cancelled":
        engine.cancel_execution(lease.execution_id, reason="stop")
    else:
        clock.advance(1_000)
        engine.reconcile()
    assert look(engine, lease.execution_id).public_state == state
    return lease


def test_a_lease_of_an_unknown_execution_appends_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = replace(start(engine), execution_id=UNKNOWN)

    with refused(engine, NotFound):
        engine.append_frames(lease, [b"x"])
    with refused(engine, NotFound):
        engine.patch_summary(lease, {"stage": "x"})


# ── many at once ─────────────────────────────────────────────────────────────────────────────────


def test_frames_of_many_executions_are_appended_by_one_command(engine: BlockingEngine, clock: ManualClock) -> None:
    leases = [start(engine) for _ in range(20)]
    engine.append_all([(lease, [b"%d" % number], None, None) for number, lease in enumerate(leases)])

    answers = engine.append_all(
        [(lease, [Frame(b"%d" % -number, "log")] * number, "count", 1) for number, lease in enumerate(leases) if number]
    )

    assert answers == [Appended(1, 1 + number) for number in range(1, 20)]
    for number, lease in enumerate(leases):
        assert heard(engine, lease.execution_id) == [str(number), *[str(-number)] * number]


def test_a_zombie_does_not_disturb_the_others(engine: BlockingEngine, clock: ManualClock) -> None:
    alive, zombie, ended, expired, other = (start(engine) for _ in range(5))
    again(engine, clock, zombie)
    engine.complete(ended)
    clock.advance(29_000)
    for lease in (alive, other):
        engine.renew(lease)
    clock.advance(1_000)
    unknown = replace(alive, execution_id=UNKNOWN)
    say(engine, other, "before")

    answers = engine.append_all(
        [
            (alive, [b"a"], None, None),
            (zombie, [b"x"], None, None),
            (ended, [b"x"], None, None),
            (expired, [b"x"], None, None),
            (unknown, [b"x"], None, None),
            (other, [b"x"], None, 0),
            (other, [b"x"], None, 7),
            (other, [b"b"], None, 1),
        ]
    )

    assert answers == [
        Appended(0, 1),
        LeaseLost(zombie.execution_id, "stale_lease"),
        LeaseLost(ended.execution_id, "execution_not_active"),
        LeaseLost(expired.execution_id, "lease_expired"),
        LeaseLost(UNKNOWN, "not_found"),
        LeaseLost(other.execution_id, "conflict"),
        LeaseLost(other.execution_id, "invalid_input"),
        Appended(1, 2),
    ]
    assert heard(engine, alive.execution_id) == ["a"]
    assert heard(engine, other.execution_id) == ["before", "b"]
    for lease in (zombie, ended, expired):
        assert frames(engine, lease.execution_id, view="all") == []


def test_one_call_may_append_to_the_same_stream_several_times(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    answers = engine.append_all([(lease, [b"a"], "s", None), (lease, [b"b", b"c"], None, 1), (lease, [b"d"], "s", 3)])

    assert answers == [Appended(0, 1), Appended(1, 3), Appended(3, 4)]
    assert heard(engine, lease.execution_id) == ["a", "b", "c", "d"]
    assert engine.append_all([]) == []


# ── together with another command ────────────────────────────────────────────────────────────────


def test_frames_come_with_the_step_that_follows_them(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    engine.saying(words(lease, "a", "b", step="charge")).record_step(lease, "charge", b"paid")
    engine.saying(words(lease, "c")).record_step(lease, "ship", b"sent")

    assert [step.name for step in engine.list_steps(lease.execution_id)] == ["charge", "ship"]
    assert places(frames(engine, lease.execution_id)) == [Place(1, 0, b"a"), Place(1, 1, b"b"), Place(1, 2, b"c")]


def test_frames_come_with_the_wait_that_follows_them(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    assert isinstance(engine.saying(words(lease, "a")).open_wait(lease, "first", "alice"), WaitOpened)
    assert isinstance(engine.saying(words(lease, "b")).suspend(lease, "second", "bob"), Suspended)

    assert heard(engine, lease.execution_id) == ["a", "b"]
    assert look(engine, lease.execution_id).public_state == "suspended"


@rule_cases("how", ["complete", "fail", "retry", "release", "delay"])
def test_frames_come_with_the_end_of_the_attempt(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    lease = start(engine, policy=RETRIED)
    speaking = engine.saying(words(lease, "last words"))

    if how == "complete":
        speaking.complete(lease, b"done")
    elif how == "release":
        speaking.release(lease)
    elif how == "delay":
        speaking.delay(lease, until_ms=clock.now_ms + 1)
    else:
        speaking.fail(lease, code="boom", retryable=how == "retry")

    page = engine.read_stream(lease.execution_id)
    assert places(page.frames) == [Place(1, 0, b"last words")]
    assert page.closed_reason == {"complete": "completed", "fail": "failed"}.get(how)


def test_frames_that_come_with_a_command_of_a_lost_lease_are_dropped(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    zombie = start(engine)
    speaking = engine.saying(words(zombie, "x"))
    second = again(engine, clock, zombie)
    calls: list[Any] = [
        lambda: speaking.record_step(zombie, "charge", b"paid"),
        lambda: speaking.suspend(zombie, "wait", "editor"),
        lambda: speaking.fail(zombie, code="boom"),
        lambda: speaking.complete(zombie),
    ]

    for call in calls:
        with refused(engine, StaleLease):
            call()
    engine.complete(second)
    for call in calls:
        with refused(engine, ExecutionNotActive):
            call()
    assert frames(engine, zombie.execution_id, view="all") == []


def test_frames_that_come_with_a_refused_command_are_not_stored(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.record_step(lease, "charge", b"paid", fingerprint=b"order 7")

    with refused(engine, Conflict):
        engine.saying(words(lease, "x")).record_step(lease, "charge", b"paid", fingerprint=b"order 8")
    with refused(engine, InvalidInput):  # a gap
        engine.saying(words(lease, "x", first_seq=1)).record_step(lease, "ship", b"sent")
    say(engine, lease, "a")
    with refused(engine, Conflict):
        engine.saying(words(lease, "x", first_seq=0)).complete(lease)

    assert look(engine, lease.execution_id).public_state == "active"


def test_frames_that_come_again_with_their_command_count_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    for _ in range(2):
        engine.saying(words(lease, "a", first_seq=0)).record_step(lease, "charge", b"paid")
    for _ in range(2):
        engine.saying(words(lease, "b")).record_step(lease, "ship", b"sent", command_id="once")
    for _ in range(2):
        engine.saying(words(lease, "c", first_seq=2)).complete(lease, b"done", command_id="end")

    assert heard(engine, lease.execution_id) == ["a", "b", "c"]


def test_a_worker_says_different_things_with_each_command_of_its_own(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    leases = [start(engine) for _ in range(3)]

    for number, lease in enumerate(leases):
        engine.saying(words(lease, f"{number}")).complete(lease)

    assert [heard(engine, lease.execution_id) for lease in leases] == [["0"], ["1"], ["2"]]


# ── nothing said ─────────────────────────────────────────────────────────────────────────────────


@rule_cases("state", ["waiting", "active", "suspended", *ENDED], sample=3)
def test_an_execution_that_says_nothing_has_an_empty_stream(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    page = engine.read_stream(execution_id)

    assert (list(page.frames), page.truncated) == ([], False)
    assert page.closed_reason == (state if state in ENDED else None)
    assert engine.read_stream(execution_id, cursor=page.next_cursor).frames == ()
    assert list(engine.read_stream(execution_id, view="all").frames) == []
    assert engine.read_summary(execution_id) is None
