"""Reading streams: which frames count, what a reader hears when some no longer do, and how a stream ends."""

from collections.abc import Callable, Iterator
from queue import Queue
from typing import Any

import pytest

from flowfabric import (
    BlockingEngine,
    ExecutionPolicy,
    InvalidInput,
    Lease,
    ManualClock,
    NotFound,
    StreamFrame,
    Transcript,
    open_blocking_engine,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    ANSWER_S_MAX,
    RETRIED,
    UNKNOWN,
    Started,
    an_execution,
    claim,
    create,
    look,
    refused,
    refusing,
    start,
)
from flowfabric_conformance.stream_stage import (
    again,
    claimed_again,
    end_lease,
    frames,
    heard,
    places,
    restart,
    say,
    texts,
    words,
)

ENDS_OF_LEASES = ("released", "revoked", "lost", "retried", "resumed", "replayed")
WHY = {
    "released": "released",
    "revoked": "worker_lost",
    "lost": "worker_lost",
    "retried": "retried",
    "resumed": "resumed",
    "replayed": "replayed",
}


def _after(engine: BlockingEngine, execution_id: str) -> str:
    """The cursor behind everything that there is."""
    return engine.read_stream(execution_id, limit=1000).next_cursor


def _step(engine: BlockingEngine, lease: Lease, name: str, *texts: str, tries: int = 1) -> None:
    """Store a step in which these texts were written."""
    said = words(lease, *texts, step=name, step_try=tries)
    engine.saying(said).record_step(lease, name, b"result", tries=tries)


# ── what counts ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ENDS_OF_LEASES)
def test_of_earlier_leases_only_the_frames_of_stored_steps_count(
    engine: BlockingEngine, clock: ManualClock, how: str
) -> None:
    lease = start(engine, policy=RETRIED)
    say(engine, lease, "hello")
    _step(engine, lease, "one", "1a", "1b")
    say(engine, lease, "2a", step="two")
    end_lease(engine, clock, lease, how)
    before = heard(engine, lease.execution_id)

    second = claimed_again(engine, lease).lease
    claimed = heard(engine, lease.execution_id)
    say(engine, second, "hello again")
    _step(engine, second, "two", "2a again")

    kept = [] if how == "replayed" else ["1a", "1b"]  # what has completed starts from scratch
    assert before == ["hello", "1a", "1b", "2a"]
    assert claimed == kept
    assert heard(engine, lease.execution_id) == [*kept, "hello again", "2a again"]
    assert heard(engine, lease.execution_id, view="all") == ["hello", "1a", "1b", "2a", "hello again", "2a again"]


def test_what_a_disturbed_run_has_said_in_its_steps_is_what_an_undisturbed_one_says(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    calm, disturbed = (start(engine, policy=RETRIED, priority=number) for number in (1, 2))
    for name in ("one", "two", "three"):
        _step(engine, calm, name, f"{name} begins", f"{name} ends")
    engine.complete(calm)

    lease = disturbed
    for how, name in (("lost", "one"), ("retried", "two"), ("revoked", "three")):
        say(engine, lease, "half of a step", step=name)
        lease = again(engine, clock, lease, how)
        _step(engine, lease, name, f"{name} begins", f"{name} ends")
    engine.complete(lease)

    assert heard(engine, disturbed.execution_id) == heard(engine, calm.execution_id)


def test_only_the_last_try_of_a_step_counts(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "first", step="s")
    say(engine, lease, "beside")
    say(engine, lease, "other", step="t")
    assert heard(engine, lease.execution_id) == ["first", "beside", "other"]

    say(engine, lease, "second", step="s", step_try=2)
    assert heard(engine, lease.execution_id) == ["beside", "other", "second"]
    say(engine, lease, "third", step="s", step_try=3)
    _step(engine, lease, "s", "end of the third", tries=3)

    assert heard(engine, lease.execution_id) == ["beside", "other", "third", "end of the third"]
    again(engine, clock, lease)
    assert heard(engine, lease.execution_id) == ["third", "end of the third"]


def test_a_last_try_that_says_nothing_is_known_by_its_stored_step(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "in vain", step="s")

    engine.record_step(lease, "s", b"result", tries=2)

    assert heard(engine, lease.execution_id) == []
    again(engine, clock, lease)
    assert heard(engine, lease.execution_id) == []


def test_a_step_that_is_stored_counts_under_the_lease_that_has_stored_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    say(engine, lease, "first run", step="s")
    second = again(engine, clock, lease)
    _step(engine, second, "s", "second run")
    third = again(engine, clock, second)
    _step(engine, third, "t", "the next step")

    assert heard(engine, lease.execution_id) == ["second run", "the next step"]


@rule_cases("how", ["keep", "clear", "from_step"], sample=3)
def test_a_replay_keeps_the_frames_of_the_steps_that_it_keeps(
    engine: BlockingEngine, clock: ManualClock, how: str
) -> None:
    lease = start(engine)
    for name in ("one", "two", "three"):
        _step(engine, lease, name, name)
    say(engine, lease, "done")
    engine.complete(lease)

    if how == "from_step":
        engine.replay_execution(lease.execution_id, from_step="two")
    else:
        engine.replay_execution(lease.execution_id, steps="keep" if how == "keep" else "clear")
    second = claimed_again(engine, lease).lease
    say(engine, second, "again")

    kept = {"keep": ["one", "two", "three"], "clear": [], "from_step": ["one"]}[how]
    assert heard(engine, lease.execution_id) == [*kept, "again"]


@rule_cases("end", ["cancelled", "expired", "failed", "lost"])
def test_an_end_makes_nothing_void(engine: BlockingEngine, clock: ManualClock, end: str) -> None:
    policy = ExecutionPolicy(max_interruptions=0)
    lease = start(engine, policy=policy, deadline_at_ms=clock.now_ms + 1_000 if end == "expired" else None)
    say(engine, lease, "a")
    say(engine, lease, "b", step="not stored")

    if end == "cancelled":
        engine.cancel_execution(lease.execution_id, reason="stop")
    elif end == "failed":
        engine.fail(lease, code="boom", retryable=False)
    else:
        clock.advance(31_000)
        engine.reconcile()

    assert heard(engine, lease.execution_id) == ["a", "b"]
    assert look(engine, lease.execution_id).public_state == ("failed" if end == "lost" else end)


# ── restart frames ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ENDS_OF_LEASES)
def test_a_reader_of_an_earlier_lease_hears_first_what_still_counts(
    engine: BlockingEngine, clock: ManualClock, how: str
) -> None:
    lease = start(engine, policy=RETRIED)
    _step(engine, lease, "one", "1")
    say(engine, lease, "lost words")
    cursors = [_after(engine, lease.execution_id)]
    end_lease(engine, clock, lease, how)
    meanwhile = engine.read_stream(lease.execution_id, cursor=cursors[0])
    cursors += [meanwhile.next_cursor, _after(engine, lease.execution_id)]
    second = claimed_again(engine, lease).lease
    say(engine, second, "hello", "again")

    pages = [engine.read_stream(lease.execution_id, cursor=cursor) for cursor in cursors]

    assert meanwhile.frames == ()
    for page in pages:
        first, *rest = page.frames
        assert first.lease_epoch == second.lease_epoch
        assert restart(first) == {
            "why": WHY[how],
            "kept": [] if how == "replayed" else [{"step": "one", "lease_epoch": lease.lease_epoch, "try": 1}],
            "tries": {},
        }
        assert texts(rest) == ["hello", "again"]
        assert engine.read_stream(lease.execution_id, cursor=page.next_cursor).frames == ()


def test_a_restart_frame_names_the_kept_steps_in_the_order_in_which_they_were_stored(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    for name in ("zeta", "beta", "alpha"):
        _step(engine, lease, name, name)
    cursor = _after(engine, lease.execution_id)
    second = again(engine, clock, lease)
    _step(engine, second, "gamma", "of the second lease")

    first = engine.read_stream(lease.execution_id, cursor=cursor).frames[0]

    assert [each["step"] for each in restart(first)["kept"]] == ["zeta", "beta", "alpha"]


def test_a_restart_frame_comes_before_the_new_attempt_has_said_anything(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    say(engine, lease, "a")
    cursor = _after(engine, lease.execution_id)
    second = again(engine, clock, lease)

    page = engine.read_stream(lease.execution_id, cursor=cursor)
    say(engine, second, "b")

    assert texts(page.frames) == ["restart: worker_lost"]
    assert heard(engine, lease.execution_id, cursor=page.next_cursor) == ["b"]


def test_a_reader_from_the_start_gets_no_restart_frame(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    nothing_read = engine.read_stream(lease.execution_id).next_cursor
    say(engine, lease, "a")
    second = again(engine, clock, lease)
    say(engine, second, "b")

    assert heard(engine, lease.execution_id) == ["b"]
    assert heard(engine, lease.execution_id, cursor=nothing_read) == ["b"]


def test_a_reader_of_everything_gets_no_restart_frame(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a", "b")
    page = engine.read_stream(lease.execution_id, limit=1, view="all")
    second = again(engine, clock, lease)
    say(engine, second, "c")
    say(engine, second, "d", step="s", step_try=2)

    assert heard(engine, lease.execution_id, cursor=page.next_cursor, view="all") == ["b", "c", "d"]


def test_a_restart_frame_is_not_counted_for_the_limit(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    _step(engine, lease, "one", "1", "2")
    page = engine.read_stream(lease.execution_id, limit=1)
    second = again(engine, clock, lease)
    say(engine, second, "a", "b")

    second_page = engine.read_stream(lease.execution_id, cursor=page.next_cursor, limit=1)
    third_page = engine.read_stream(lease.execution_id, cursor=second_page.next_cursor, limit=1)

    assert texts(page.frames) == ["1"]
    assert texts(second_page.frames) == ["restart: worker_lost", "2"]
    assert texts(third_page.frames) == ["a"]


def test_a_reader_hears_once_that_a_step_is_tried_again(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "first", step="s")
    page = engine.read_stream(lease.execution_id)
    say(engine, lease, "second", step="s", step_try=2)

    page = engine.read_stream(lease.execution_id, cursor=page.next_cursor)
    assert texts(page.frames) == ["restart: step_retried", "second"]
    assert restart(page.frames[0])["tries"] == {"s": 2}
    say(engine, lease, "more", step="s", step_try=2)
    _step(engine, lease, "s", "the end", tries=2)
    page = engine.read_stream(lease.execution_id, cursor=page.next_cursor)
    assert texts(page.frames) == ["more", "the end"]
    say(engine, lease, "first", step="t")
    engine.record_step(lease, "t", b"result", tries=2)
    page = engine.read_stream(lease.execution_id, cursor=page.next_cursor)
    assert texts(page.frames) == ["restart: step_retried"]
    assert restart(page.frames[0])["tries"] == {"s": 2, "t": 2}


def _life(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> Iterator[None]:
    """A life with all that can happen to a stream. It stops after each part, so that readers may read."""
    say(engine, lease, "hello")
    yield
    _step(engine, lease, "one", "1a", "1b")
    yield
    say(engine, lease, "2a", "2b", step="two")
    yield
    lease = again(engine, clock, lease, "retried")
    yield
    say(engine, lease, "hello again")
    say(engine, lease, "2a in vain", step="two")
    yield
    say(engine, lease, "2a", step="two", step_try=2)
    yield
    _step(engine, lease, "two", "2b", tries=2)
    say(engine, lease, "wait")
    yield
    lease = again(engine, clock, lease, "resumed")
    say(engine, lease, "hello for the third time")
    yield
    lease = again(engine, clock, lease, "lost")
    yield
    lease = again(engine, clock, lease, "released")
    _step(engine, lease, "three", "3")
    say(engine, lease, "x", step="four")
    engine.record_step(lease, "four", b"", tries=2)
    yield
    engine.saying(words(lease, "the end")).fail(lease, code="boom", retryable=False)
    yield
    engine.replay_execution(lease.execution_id, from_step="three")
    yield
    lease = claimed_again(engine, lease).lease
    _step(engine, lease, "three", "3 after the replay")
    yield
    engine.saying(words(lease, "goodbye")).complete(lease)


@rule_cases("limit", [1, 2, 3, 1000], sample=2)
def test_a_reader_who_drops_what_is_void_has_read_what_one_reads_from_the_start(
    engine: BlockingEngine, clock: ManualClock, limit: int
) -> None:
    lease = start(engine, policy=RETRIED)
    readers: list[tuple[Transcript, list[str | None]]] = []

    for _ in _life(engine, clock, lease):
        readers.append((Transcript(), [None]))  # one more begins here
        for transcript, cursor in readers:
            page = engine.read_stream(lease.execution_id, cursor=cursor[-1], limit=limit)
            for frame in page.frames:
                transcript.add(frame)
            cursor.append(page.next_cursor)
    fresh = frames(engine, lease.execution_id)

    for transcript, cursor in readers:
        for frame in frames(engine, lease.execution_id, limit=limit, cursor=cursor[-1]):
            transcript.add(frame)
        assert list(transcript.frames) == fresh
    assert texts(fresh) == ["1a", "1b", "2a", "2b", "3 after the replay", "goodbye"]


# ── pages ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("view", ["effective", "all"])
def test_pages_of_any_size_are_the_same_frames(engine: BlockingEngine, clock: ManualClock, view: str) -> None:
    lease = start(engine, policy=RETRIED)
    for _ in _life(engine, clock, lease):
        pass

    whole = frames(engine, lease.execution_id, view=view)

    assert len(whole) == {"effective": 6, "all": 16}[view]
    assert places(whole) == sorted(places(whole))
    for limit in (1, 2, 3, 5, len(whole), len(whole) + 1):
        assert frames(engine, lease.execution_id, view=view, limit=limit) == whole


def test_a_long_stream_is_read_in_pages(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    for first in range(0, 600, 3):
        engine.append_frames(lease, [b"%d" % number for number in range(first, first + 3)])
    engine.append_frames(lease, [b"%d" % number for number in range(600, 3000)])

    for limit in (1000, 77):
        found = frames(engine, lease.execution_id, limit=limit)
        assert texts(found) == [str(number) for number in range(3000)]


def test_large_frames_come_in_several_pages(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    for number in range(6):
        engine.append_frames(lease, [bytes([number]) * 65_536] * 16)
    engine.complete(lease)

    pages = [engine.read_stream(lease.execution_id)]
    while pages[-1].closed_reason is None:
        pages.append(engine.read_stream(lease.execution_id, cursor=pages[-1].next_cursor))

    found = [frame.payload for page in pages for frame in page.frames]
    assert found == [bytes([number]) * 65_536 for number in range(6) for _ in range(16)]
    assert len(pages) > 1


def test_a_page_is_read_again_from_the_same_cursor(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a", "b", "c")
    cursor = engine.read_stream(lease.execution_id, limit=1).next_cursor

    pages = [engine.read_stream(lease.execution_id, cursor=cursor, limit=1) for _ in range(2)]

    assert pages[0] == pages[1]
    assert texts(pages[0].frames) == ["b"]


def test_bad_arguments_of_a_reader_are_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a")
    its_id = lease.execution_id

    no_views: list[Any] = ["", "both", None, 1, "EFFECTIVE"]
    assert refusing(engine, lambda value: engine.read_stream(its_id, view=value), no_views) == []
    assert refusing(engine, lambda value: engine.read_stream(its_id, limit=value), [0, -1, 1001, "1", True, None]) == []
    assert refusing(engine, lambda value: engine.read_stream(value), ["", "x", None, 7]) == []
    assert refusing(engine, lambda value: engine.read_summary(value), ["", "x", None, 7]) == []


# ── cursors ──────────────────────────────────────────────────────────────────────────────────────


def test_a_cursor_belongs_to_one_stream_of_one_store(engine: BlockingEngine, clock: ManualClock) -> None:
    lease, other = start(engine), start(engine)
    say(engine, lease, "a")
    say(engine, other, "b")
    cursor = _after(engine, lease.execution_id)
    with open_blocking_engine("memory://", clock=clock, reconcile=False) as elsewhere:
        create(elsewhere, execution_id=lease.execution_id)
        foreign = _after(elsewhere, lease.execution_id)
    events = engine.read_events().next_cursor
    garbage: list[object] = ["", "x", cursor[:-1], cursor + "x", cursor[::-1], events, foreign, 7, b"x"]

    assert refusing(engine, lambda value: engine.read_stream(lease.execution_id, cursor=value), garbage) == []
    assert refusing(engine, lambda value: next(engine.follow_stream(lease.execution_id, cursor=value)), garbage) == []
    with refused(engine, InvalidInput):
        engine.read_stream(other.execution_id, cursor=cursor)
    with refused(engine, InvalidInput):
        next(engine.follow_stream(other.execution_id, cursor=cursor))


# ── the end ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", ["completed", "failed", "cancelled", "expired", "skipped"])
def test_the_page_that_reaches_the_end_says_how_the_execution_has_ended(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    page = engine.read_stream(execution_id)

    assert (page.frames, page.closed_reason) == ((), state)
    assert engine.read_stream(execution_id, view="all").closed_reason == state
    assert engine.read_stream(execution_id, cursor=page.next_cursor).closed_reason == state


def test_only_the_last_page_is_closed(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a", "b")
    say(engine, lease, "c")
    reader = engine.read_stream(lease.execution_id, limit=3)
    engine.complete(lease)

    first = engine.read_stream(lease.execution_id, limit=1)
    second = engine.read_stream(lease.execution_id, limit=2, cursor=first.next_cursor)

    assert (first.closed_reason, second.closed_reason) == (None, "completed")
    assert engine.read_stream(lease.execution_id, limit=3).closed_reason == "completed"
    assert engine.read_stream(lease.execution_id, cursor=reader.next_cursor).closed_reason == "completed"


def test_a_stream_whose_last_frames_are_void_is_closed_all_the_same(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    _step(engine, lease, "one", "1")
    say(engine, lease, "void", "void")
    second = again(engine, clock, lease)
    engine.complete(second)

    pages = [engine.read_stream(lease.execution_id, limit=1)]
    pages.append(engine.read_stream(lease.execution_id, limit=1, cursor=pages[0].next_cursor))

    assert [texts(page.frames) for page in pages] == [["1"], []]
    assert pages[-1].closed_reason == "completed"


@rule_cases("state", ["waiting", "delayed", "blocked", "held", "active", "retrying", "suspended", "resumable"])
def test_a_stream_is_open_while_its_execution_lives(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    assert engine.read_stream(execution_id).closed_reason is None


def test_a_replay_opens_the_stream_again(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a")
    engine.complete(lease)
    closed = engine.read_stream(lease.execution_id)

    engine.replay_execution(lease.execution_id)
    opened = engine.read_stream(lease.execution_id, cursor=closed.next_cursor)
    second = claimed_again(engine, lease).lease
    engine.saying(words(second, "b")).complete(second)
    closed_again = engine.read_stream(lease.execution_id, cursor=opened.next_cursor)

    assert (closed.closed_reason, opened.closed_reason) == ("completed", None)
    assert texts(closed_again.frames) == ["restart: replayed", "b"]
    assert closed_again.closed_reason == "completed"


# ── strangers ────────────────────────────────────────────────────────────────────────────────────


def test_the_stream_of_an_unknown_execution_is_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    reads: list[Callable[[], object]] = [
        lambda: engine.read_stream(UNKNOWN),
        lambda: engine.read_summary(UNKNOWN),
        lambda: next(engine.follow_stream(UNKNOWN)),
    ]

    for read in reads:
        with refused(engine, NotFound):
            read()


def test_the_stream_of_another_namespace_might_as_well_not_exist(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, namespace="tenant-a")
    lease = claim(engine, namespace="tenant-a").lease
    say(engine, lease, "secret")
    engine.patch_summary(lease, {"stage": "secret"})
    cursor = _after(engine, lease.execution_id)
    stranger, owner = engine.scoped("tenant-b"), engine.scoped("tenant-a")
    answers = stranger.append_all([(lease, [b"x"], None, None)])

    assert [answer.code for answer in answers if not hasattr(answer, "next_seq")] == ["not_found"]
    for read in (
        lambda: stranger.read_stream(lease.execution_id),
        lambda: stranger.read_stream(lease.execution_id, cursor=cursor),
        lambda: stranger.read_summary(lease.execution_id),
        lambda: next(stranger.follow_stream(lease.execution_id)),
        lambda: stranger.append_frames(lease, [b"x"]),
        lambda: stranger.patch_summary(lease, {"stage": "x"}),
        lambda: stranger.saying(words(lease, "x")).complete(lease),
    ):
        with refused(engine, NotFound):
            read()
    mine = start(stranger)
    stranger.saying(words(lease, "x")).complete(mine)
    assert heard(owner, lease.execution_id) == ["secret"]
    assert next(owner.follow_stream(lease.execution_id)).payload == b"secret"


# ── following ────────────────────────────────────────────────────────────────────────────────────


def test_who_follows_an_ended_execution_gets_all_that_counts(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    for _ in _life(engine, clock, lease):
        pass

    follower = engine.follow_stream(lease.execution_id)

    assert list(follower) == frames(engine, lease.execution_id)
    assert follower.closed_reason == "completed"
    assert list(follower) == []


def test_who_follows_gets_each_frame_as_it_is_written_and_stops_at_the_end(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    follower = engine.follow_stream(lease.execution_id)
    got: Queue[StreamFrame] = Queue()

    def follow() -> None:
        for frame in follower:
            got.put(frame)

    following = Started(follow)
    for text in ("a", "b"):
        say(engine, lease, text)
        assert texts([got.get(timeout=ANSWER_S_MAX)]) == [text]
    second = again(engine, clock, lease)
    assert texts([got.get(timeout=ANSWER_S_MAX)]) == ["restart: worker_lost"]
    say(engine, second, "c", "d")
    assert texts([got.get(timeout=ANSWER_S_MAX) for _ in range(2)]) == ["c", "d"]
    assert not following.has_answered
    engine.saying(words(second, "e")).complete(second)

    following.answer()
    assert texts([got.get_nowait()]) == ["e"]
    assert follower.closed_reason == "completed"


def test_several_followers_of_one_stream_get_the_same(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a")
    following = [Started(lambda: list(engine.follow_stream(lease.execution_id))) for _ in range(5)]

    for text in ("b", "c"):
        say(engine, lease, text)
    engine.cancel_execution(lease.execution_id, reason="stop")

    assert [texts(each.answer()) for each in following] == [["a", "b", "c"]] * 5


def test_who_follows_goes_on_from_a_cursor(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a", "b", "c")
    first = engine.follow_stream(lease.execution_id)
    assert (texts([next(first)]), first.closed_reason) == (["a"], None)
    second = engine.follow_stream(lease.execution_id, cursor=first.cursor)
    assert texts([next(second), next(second)]) == ["b", "c"]
    say(engine, lease, "d")
    engine.complete(lease)

    assert texts(list(engine.follow_stream(lease.execution_id, cursor=second.cursor))) == ["d"]
    assert heard(engine, lease.execution_id, cursor=first.cursor) == ["b", "c", "d"]
    assert texts(list(first)) == ["b", "c", "d"]


def test_a_cursor_of_a_follower_knows_a_restart_that_was_delivered(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    say(engine, lease, "a")
    follower = engine.follow_stream(lease.execution_id)
    next(follower)
    second = again(engine, clock, lease)
    say(engine, second, "b", "c")

    before = follower.cursor
    assert texts([next(follower)]) == ["restart: worker_lost"]

    assert heard(engine, lease.execution_id, cursor=before) == ["restart: worker_lost", "b", "c"]
    assert heard(engine, lease.execution_id, cursor=follower.cursor) == ["b", "c"]


def test_the_iteration_of_a_follower_ends_when_its_execution_is_removed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine, policy=ExecutionPolicy(retention_ms=1_000))
    say(engine, lease, "a")
    follower = engine.follow_stream(lease.execution_id)
    next(follower)
    engine.complete(lease)
    clock.advance(1_000)
    engine.reconcile()

    assert list(follower) == []
    assert follower.closed_reason is None
