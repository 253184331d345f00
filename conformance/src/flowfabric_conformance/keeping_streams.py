"""Keeping streams: the oldest frames of one that is too long are removed, and all of it goes with its execution."""

from typing import Any

import pytest

from flowfabric import Appended, BlockingEngine, Conflict, ExecutionPolicy, InvalidInput, Lease, ManualClock, NotFound
from flowfabric_conformance.flow_stage import submit
from flowfabric_conformance.stage import RETRIED, claim, create, refused, refusing, start, unchanged
from flowfabric_conformance.stream_stage import Place, again, claimed_again, frames, heard, places, say, texts, words


def _speaking(engine: BlockingEngine, *sizes: int, **policy: Any) -> Lease:
    """The lease of an execution that has written numbers, in appends of these sizes."""
    lease = start(engine, policy=ExecutionPolicy(**policy))
    _count(engine, lease, 0, *sizes)
    return lease


def _count(engine: BlockingEngine, lease: Lease, first: int, *sizes: int) -> None:
    for size in sizes:
        say(engine, lease, *(str(number) for number in range(first, first + size)))
        first += size


def _numbers(first: int, end: int) -> list[str]:
    return [str(number) for number in range(first, end)]


# ── too many frames ──────────────────────────────────────────────────────────────────────────────


def test_a_stream_that_is_not_too_long_is_kept_whole(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = _speaking(engine, 4, 6, stream_max_frames=10)

    with unchanged(engine):
        assert engine.reconcile()["long_streams"] == 0

    assert heard(engine, lease.execution_id) == _numbers(0, 10)
    assert not engine.read_stream(lease.execution_id).truncated


@pytest.mark.parametrize("sizes", [(11,), (4, 7), (10, 1), (1,) * 11, (3, 3, 5), (1, 10), (5, 5, 1)])
def test_of_too_many_frames_the_oldest_go(engine: BlockingEngine, clock: ManualClock, sizes: tuple[int, ...]) -> None:
    lease = _speaking(engine, *sizes, stream_max_frames=10)
    before = engine.read_stream(lease.execution_id)

    done = engine.reconcile()

    after = engine.read_stream(lease.execution_id)
    assert (texts(before.frames), before.truncated) == (_numbers(0, 11), False)
    assert done["long_streams"] == 1
    assert (texts(after.frames), after.truncated) == (_numbers(1, 11), True)
    assert after.frames[0].seq == 1
    assert heard(engine, lease.execution_id, view="all") == _numbers(1, 11)
    assert engine.reconcile()["long_streams"] == 0


def test_a_stream_goes_on_after_it_was_trimmed(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = _speaking(engine, 8, 8, stream_max_frames=10)

    for first in range(16, 80, 4):
        engine.reconcile()
        assert heard(engine, lease.execution_id) == _numbers(first - 10, first)
        assert engine.append_frames(lease, [b"%d" % (first + more) for more in range(4)]) == Appended(first, first + 4)
        assert heard(engine, lease.execution_id) == _numbers(first - 10, first + 4)
    engine.complete(lease)
    engine.reconcile()

    page = engine.read_stream(lease.execution_id)
    assert texts(page.frames) == _numbers(70, 80)
    assert (page.truncated, page.closed_reason) == (True, "completed")


def test_a_stream_of_very_many_appends_is_trimmed_by_one_sweep(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=ExecutionPolicy(stream_max_frames=3))
    engine.append_all([(lease, [b"%d" % number], None, number) for number in range(450)])

    engine.reconcile()

    assert places(frames(engine, lease.execution_id)) == [Place(1, at, b"%d" % at) for at in (447, 448, 449)]


def test_only_the_streams_that_are_too_long_are_trimmed(engine: BlockingEngine, clock: ManualClock) -> None:
    leases = [_speaking(engine, 5, 5, stream_max_frames=10 - number) for number in range(4)]

    done = engine.reconcile()

    assert done["long_streams"] == 3
    assert [heard(engine, lease.execution_id) for lease in leases] == [_numbers(number, 10) for number in range(4)]


# ── too many bytes ───────────────────────────────────────────────────────────────────────────────


def test_of_too_many_bytes_the_oldest_appends_go(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=ExecutionPolicy(stream_max_bytes=65_536))
    for number in range(5):
        engine.append_frames(lease, [bytes([number]) * 10_000, bytes([number]) * 10_000])

    engine.reconcile()

    page = engine.read_stream(lease.execution_id)
    assert [frame.seq for frame in page.frames] == [4, 5, 6, 7, 8, 9]
    assert page.truncated


def test_the_last_append_stays_even_if_it_is_too_large(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=ExecutionPolicy(stream_max_bytes=65_536))
    say(engine, lease, "small")
    engine.append_frames(lease, [b"x" * 65_536, b"y"])

    engine.reconcile()
    assert [frame.seq for frame in frames(engine, lease.execution_id)] == [1, 2]
    say(engine, lease, "small again")
    engine.reconcile()

    assert heard(engine, lease.execution_id) == ["small again"]


# ── attempts ─────────────────────────────────────────────────────────────────────────────────────


def test_each_attempt_may_be_as_long_as_its_policy_allows(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=ExecutionPolicy(retry=RETRIED.retry, stream_max_frames=10))
    _count(engine, lease, 0, 10)
    second = again(engine, clock, lease, "retried")
    _count(engine, second, 10, 10)

    assert engine.reconcile()["long_streams"] == 0

    assert heard(engine, lease.execution_id, view="all") == _numbers(0, 20)


def test_an_attempt_that_was_suspended_is_still_the_same_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = _speaking(engine, 6, stream_max_frames=10)
    second = again(engine, clock, lease, "resumed")
    _count(engine, second, 6, 6)

    engine.reconcile()

    assert heard(engine, lease.execution_id, view="all") == _numbers(2, 12)


def test_earlier_attempts_go_before_the_last_one(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=ExecutionPolicy(retry=RETRIED.retry, stream_max_frames=10))
    engine.saying(words(lease, "0", "1", step="one")).record_step(lease, "one", b"")
    second = again(engine, clock, lease, "retried")
    _count(engine, second, 2, 4, 8)

    engine.reconcile()

    page = engine.read_stream(lease.execution_id)
    assert (texts(page.frames), page.truncated) == (_numbers(4, 14), True)
    assert heard(engine, lease.execution_id, view="all") == _numbers(4, 14)


# ── cursors ──────────────────────────────────────────────────────────────────────────────────────


def test_a_cursor_before_frames_that_were_removed_is_gone(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = _speaking(engine, 6, 6, stream_max_frames=10)
    cursors = [engine.read_stream(lease.execution_id, limit=limit).next_cursor for limit in (1, 2, 3)]
    start_of_it = engine.read_stream(create(engine)).next_cursor
    engine.reconcile()

    for view in ("effective", "all"):
        with pytest.raises(InvalidInput) as gone:
            engine.read_stream(lease.execution_id, cursor=cursors[0], view=view)
        assert (gone.value.code, gone.value.retryable) == ("cursor_gone", False)
        assert heard(engine, lease.execution_id, cursor=cursors[1], view=view) == _numbers(2, 12)
        assert heard(engine, lease.execution_id, cursor=cursors[2], view=view) == _numbers(3, 12)
    with pytest.raises(InvalidInput) as gone:
        next(engine.follow_stream(lease.execution_id, cursor=cursors[0]))
    assert gone.value.code == "cursor_gone"
    assert next(engine.follow_stream(lease.execution_id, cursor=cursors[1])).seq == 2
    assert start_of_it


def test_a_reader_who_had_read_nothing_begins_with_the_first_that_is_kept(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine, policy=ExecutionPolicy(stream_max_frames=10))
    nothing_read = engine.read_stream(lease.execution_id).next_cursor
    _count(engine, lease, 0, 6, 6)
    engine.reconcile()

    assert heard(engine, lease.execution_id, cursor=nothing_read) == _numbers(2, 12)
    assert next(engine.follow_stream(lease.execution_id)).seq == 2


def test_frames_that_were_removed_are_not_appended_again(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = _speaking(engine, 6, 6, 6, stream_max_frames=10)
    engine.reconcile()

    with unchanged(engine):
        assert engine.append_frames(lease, [b"%d" % number for number in range(6)], first_seq=0) == Appended(0, 6)
    with refused(engine, Conflict):
        engine.append_frames(lease, [b"x"], first_seq=12)
    with unchanged(engine):
        assert engine.append_frames(lease, [b"%d" % at for at in range(12, 18)], first_seq=12) == Appended(12, 18)


def test_the_summary_stays_when_frames_are_removed(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = _speaking(engine, 6, 6, stream_max_frames=10)
    summary = engine.patch_summary(lease, {"stage": "counting"})

    engine.reconcile()

    assert heard(engine, lease.execution_id) == _numbers(2, 12)
    assert engine.read_summary(lease.execution_id) == summary


def test_the_limits_of_a_policy_are_checked(engine: BlockingEngine, clock: ManualClock) -> None:
    def with_policy(limits: dict[str, Any]) -> object:
        return engine.create_execution("job", policy=ExecutionPolicy(**limits))

    wrong = [0, -1, 1.5, "10", True, None, 2**63]
    assert refusing(engine, with_policy, [{"stream_max_frames": value} for value in wrong]) == []
    assert refusing(engine, with_policy, [{"stream_max_bytes": value} for value in wrong]) == []


# ── with the execution ───────────────────────────────────────────────────────────────────────────


def _said_much(engine: BlockingEngine, clock: ManualClock, **creation: Any) -> str:
    """The id of an ended execution with a stream of two epochs, a trimmed start, retried steps and a summary."""
    lease = start(engine, **{"policy": ExecutionPolicy(retention_ms=1_000, stream_max_frames=10), **creation})
    _count(engine, lease, 0, 6, 6)
    engine.saying(words(lease, "x", step="s", step_try=2)).record_step(lease, "s", b"", tries=2)
    engine.patch_summary(lease, {"stage": "counting"})
    engine.reconcile()
    second = again(engine, clock, lease)
    engine.saying(words(second, "the end")).complete(second)
    return lease.execution_id


def _is_new(engine: BlockingEngine, execution_id: str) -> None:
    """Whether nothing was left under this id."""
    assert create(engine, execution_id=execution_id) == execution_id
    assert engine.read_stream(execution_id) == engine.read_stream(execution_id, view="all")
    page = engine.read_stream(execution_id)
    assert (page.frames, page.truncated, page.closed_reason) == ((), False, None)
    assert engine.read_summary(execution_id) is None
    lease = claim(engine).lease
    assert engine.append_frames(lease, [b"new"], first_seq=0) == Appended(0, 1)
    assert places(frames(engine, execution_id, view="all")) == [Place(1, 0, b"new")]
    assert engine.patch_summary(lease, {}).version == 1


@pytest.mark.parametrize("how", ["retention", "purge"])
def test_a_stream_goes_with_its_execution(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    kept = _said_much(engine, clock, policy=ExecutionPolicy(stream_max_frames=10))
    clock.advance(1)
    execution_id = _said_much(engine, clock)
    cursor = engine.read_stream(execution_id).next_cursor
    if how == "retention":
        clock.advance(1_000)
        engine.reconcile()
    else:
        engine.purge(ended_before_ms=clock.now_ms + 1)

    for read in (
        lambda: engine.read_stream(execution_id),
        lambda: engine.read_stream(execution_id, cursor=cursor),
        lambda: engine.read_summary(execution_id),
        lambda: next(engine.follow_stream(execution_id)),
    ):
        with refused(engine, NotFound):
            read()
    if how == "retention":
        assert heard(engine, kept)[-1] == "the end"
        assert engine.read_summary(kept) is not None
    _is_new(engine, execution_id)


@pytest.mark.parametrize("how", ["retention", "purge"])
def test_the_streams_of_a_flow_go_with_it(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    dag = submit(engine, "a>b", every={"policy": ExecutionPolicy(retention_ms=1_000)})
    for node in ("a", "b"):
        lease = dag.start(node)
        say(engine, lease, "hello", step="s", step_try=2)
        engine.patch_summary(lease, {"stage": node})
        engine.complete(lease)
    clock.advance(1_000)

    if how == "retention":
        engine.reconcile()
    else:
        engine.purge(ended_before_ms=clock.now_ms + 1)

    for node in ("a", "b"):
        with refused(engine, NotFound):
            engine.read_stream(dag[node])
        with refused(engine, NotFound):
            engine.read_summary(dag[node])


def test_a_replay_starts_where_the_stream_has_ended(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = _speaking(engine, 6, 6, stream_max_frames=10)
    engine.reconcile()
    engine.complete(lease)
    engine.replay_execution(lease.execution_id)
    second = claimed_again(engine, lease).lease
    _count(engine, second, 12, 3)

    assert heard(engine, lease.execution_id) == _numbers(12, 15)
    assert heard(engine, lease.execution_id, view="all") == _numbers(2, 15)
