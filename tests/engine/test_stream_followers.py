"""Who follows a stream gets every frame that counts, once and in order, however it is woken, and costs little."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from itertools import pairwise
from typing import Any

import pytest

from flowfabric import (
    BlockingEngine,
    Engine,
    ExecutionPolicy,
    InvalidInput,
    Lease,
    ManualClock,
    NotFound,
    StoreUnavailable,
    StreamFrame,
    Transcript,
)
from flowfabric.domain.stream_pages import Part, StreamCursor, StreamPart
from flowfabric.engine import followers, poller, scope
from flowfabric.engine.followers import Followed
from flowfabric.stores.memory.store import MemoryStore
from tests.assembled import Assembled, AssembledAsync, assembled, assembled_async
from tests.engine.commands import WAIT_S_MAX
from tests.engine.test_polling import deaf

NEVER_S = 600.0


class Counting(MemoryStore):
    """Counts how often a stream is read, and lets something happen between two reads."""

    def __init__(self) -> None:
        super().__init__("memory-counting", ManualClock())
        self.reads = 0
        self.polls = 0
        self.may_poll = threading.Event()
        self.may_poll.set()
        self.after_read: Callable[[], None] | None = None

    def stream_part(self, *asked: Any) -> StreamPart | None:
        self.reads += 1
        found = super().stream_part(*asked)
        then, self.after_read = self.after_read, None
        if then is not None:
            then()
        return found

    def stream_ends(self, execution_ids: Any) -> Any:
        assert self.may_poll.wait(WAIT_S_MAX)
        self.polls += 1
        return super().stream_ends(execution_ids)


@pytest.fixture
def store() -> Counting:
    return Counting()


@pytest.fixture
def only_wake_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody polls, and what was read stays fresh until there are news."""
    monkeypatch.setattr(scope, "POLL_S", NEVER_S)
    monkeypatch.setattr(poller, "POLL_S", NEVER_S)
    monkeypatch.setattr(followers, "FRESH_S", NEVER_S)


@pytest.fixture
def only_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shared poll finds everything. Nobody looks by itself."""
    monkeypatch.setattr(scope, "POLL_S", NEVER_S)
    monkeypatch.setattr(poller, "POLL_S", 0.005)


def _start(engine: BlockingEngine, **what: Any) -> Lease:
    engine.create_execution("talk", **what)
    return _claim(engine, **({"namespace": what["namespace"]} if "namespace" in what else {}))


def _claim(engine: BlockingEngine, **what: Any) -> Lease:
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w1", **what)
    return claimed.lease


async def _start_async(engine: Engine) -> Lease:
    await engine.create_execution("talk")
    (claimed,) = await engine.claim(worker_id="w", worker_instance_id="w1")
    return claimed.lease


def _until(condition: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(int(WAIT_S_MAX / 0.002)):
        if condition():
            return
        pause.wait(0.002)
    raise AssertionError("it has not come to pass")


async def _until_async(condition: Callable[[], bool]) -> None:
    for _ in range(int(WAIT_S_MAX / 0.002)):
        if condition():
            return
        await asyncio.sleep(0.002)
    raise AssertionError("it has not come to pass")


def _texts(frames: Any) -> list[bytes]:
    return [frame.payload for frame in frames if frame.kind != "restart"]


class Following:
    """A follower in a thread, and what it has got so far."""

    def __init__(self, pool: ThreadPoolExecutor, engine: BlockingEngine, execution_id: str, **how: Any) -> None:
        self.frames: list[StreamFrame] = []
        self.follower = engine.follow_stream(execution_id, **how)
        self._end: Future[None] = pool.submit(self._follow)

    def _follow(self) -> None:
        for frame in self.follower:
            self.frames.append(frame)

    @property
    def is_over(self) -> bool:
        return self._end.done()

    def end(self) -> str | None:
        self._end.result(WAIT_S_MAX)
        return self.follower.closed_reason


@contextmanager
def _threads(store: Counting, count: int, **how: Any) -> Iterator[tuple[Assembled, ThreadPoolExecutor]]:
    with ThreadPoolExecutor(count) as pool, assembled(store, **how) as parts:
        yield parts, pool


@asynccontextmanager
async def _loop(store: Counting, **how: Any) -> AsyncIterator[AssembledAsync]:
    async with assembled_async(store, **how) as parts:
        yield parts


# ── what it costs ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("only_wake_ups")
def test_a_thousand_followers_of_one_stream_cost_one_read_for_each_flush(store: Counting) -> None:
    got = [0] * 1_000
    reads: list[int] = []

    async def follow(engine: Engine, execution_id: str, place: int) -> str | None:
        follower = engine.follow_stream(execution_id)
        async for frame in follower:
            assert frame.seq == got[place]
            got[place] += 1
        return follower.closed_reason

    async def main() -> set[str | None]:
        async with _loop(store) as parts:
            engine = parts.engine
            lease = await _start_async(engine)
            following = [asyncio.create_task(follow(engine, lease.execution_id, place)) for place in range(len(got))]
            for flush in range(10):
                await engine.append_frames(lease, [b"frame"])
                await _until_async(lambda flush=flush: set(got) == {flush + 1})
                # Everyone asks for more now, and nobody has to read for that.
                reads.append(store.reads)
            await engine.complete(lease)
            return set(await asyncio.gather(*following))

    assert asyncio.run(main()) == {"completed"}
    assert {after - before for before, after in pairwise(reads)} == {1}


@pytest.mark.usefixtures("only_wake_ups")
def test_followers_in_threads_share_their_reads_too(store: Counting) -> None:
    with _threads(store, 16) as (parts, pool):
        lease = _start(parts.engine)
        following = [Following(pool, parts.engine, lease.execution_id) for _ in range(16)]
        for flush in range(1, 6):
            parts.engine.append_frames(lease, [b"frame"])
            _until(lambda flush=flush: all(len(each.frames) == flush for each in following))
        parts.engine.complete(lease)
        assert {each.end() for each in following} == {"completed"}

    # One for each flush, and a few more of those that came back while nobody else was waiting.
    assert store.reads < 16 * 6 / 2


def test_what_was_read_is_not_kept_for_longer_than_it_is_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "FRESH_S", 0.0)
    followed = Followed()
    read: Any = Part([], StreamCursor("x"), is_at_end=False), object()

    for seq in range(1_000):
        under_way = followed.begin(cursor := StreamCursor("x", 1, seq), lambda: None)
        assert under_way is not None
        followed.end(cursor, under_way, read)

    assert len(followed._reads) <= 1


def test_a_follower_that_is_not_asked_any_more_costs_nothing(store: Counting) -> None:
    async def main() -> None:
        async with _loop(store) as parts:
            lease = await _start_async(parts.engine)
            await parts.engine.append_frames(lease, [b"a"])
            follower = parts.engine.follow_stream(lease.execution_id)
            assert (await anext(follower)).payload == b"a"
            assert parts.wakeups.waits().streams == []

    asyncio.run(main())


# ── wake-ups ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("only_wake_ups")
def test_a_follower_that_waits_is_woken_by_frames_and_by_the_end_at_once(store: Counting) -> None:
    with _threads(store, 1) as (parts, pool):
        lease = _start(parts.engine)
        following = Following(pool, parts.engine, lease.execution_id)
        parts.engine.append_frames(lease, [b"a", b"b"])
        _until(lambda: len(following.frames) == 2)
        assert not following.is_over
        parts.engine.complete(lease)

        assert following.end() == "completed"
        assert _texts(following.frames) == [b"a", b"b"]


@pytest.mark.usefixtures("only_wake_ups")
@pytest.mark.parametrize("end", ["failed", "cancelled", "expired"])
def test_whatever_ends_the_execution_ends_the_iteration_and_voids_nothing(store: Counting, end: str) -> None:
    with _threads(store, 1) as (parts, pool):
        engine = parts.engine
        lease = _start(engine, deadline_at_ms=store.now_ms + 1_000)
        following = Following(pool, engine, lease.execution_id)
        engine.append_frames(lease, [b"a"])
        _until(lambda: len(following.frames) == 1)
        if end == "failed":
            engine.fail(lease, code="boom", retryable=False)
        elif end == "cancelled":
            engine.cancel_execution(lease.execution_id, reason="enough")
        else:
            assert isinstance(store._clock, ManualClock)
            store._clock.advance(1_000)
            engine.reconcile()

        assert following.end() == end
        assert _texts(following.frames) == [b"a"]


@pytest.mark.usefixtures("only_polls")
def test_without_any_wake_up_everything_arrives_by_polls(store: Counting) -> None:
    with _threads(store, 4, on_commit=deaf) as (parts, pool):
        engine = parts.engine
        lease = _start(engine)
        following = [Following(pool, engine, lease.execution_id) for _ in range(4)]
        engine.append_frames(lease, [b"first"])
        _until(lambda: all(len(each.frames) == 1 for each in following))
        engine.release(lease)
        lease = _claim(engine)
        _until(lambda: all(len(each.frames) == 2 for each in following))
        for number in range(20):
            engine.append_frames(lease, [b"%d" % number])
        engine.complete(lease)

        assert {each.end() for each in following} == {"completed"}
        for each in following:
            assert [frame.kind for frame in each.frames[:2]] == ["text", "restart"]
            assert _texts(each.frames) == [b"first", *(b"%d" % number for number in range(20))]


def test_without_wake_ups_and_polls_each_looks_by_itself(store: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "POLL_S", 0.01)
    monkeypatch.setattr(poller, "POLL_S", NEVER_S)
    monkeypatch.setattr(followers, "FRESH_S", 0.0)
    with _threads(store, 1, on_commit=deaf) as (parts, pool):
        lease = _start(parts.engine)
        following = Following(pool, parts.engine, lease.execution_id)
        parts.engine.append_frames(lease, [b"a"])
        _until(lambda: len(following.frames) == 1)
        parts.engine.complete(lease)

        assert following.end() == "completed"


@pytest.mark.usefixtures("only_polls")
def test_a_claim_alone_is_shown_as_a_restart(store: Counting) -> None:
    with _threads(store, 1) as (parts, pool):
        engine = parts.engine
        lease = _start(engine)
        engine.append_frames(lease, [b"a"])
        following = Following(pool, engine, lease.execution_id)
        _until(lambda: len(following.frames) == 1)
        engine.release(lease)
        lease = _claim(engine)

        _until(lambda: len(following.frames) == 2)
        assert following.frames[1].kind == "restart"
        engine.complete(lease)
        following.end()


# ── readers who are slow, or come back ───────────────────────────────────────────────────────────


def test_a_slow_reader_misses_nothing_and_sees_nothing_twice(store: Counting) -> None:
    async def main() -> list[StreamFrame]:
        async with _loop(store) as parts:
            engine = parts.engine
            lease = await _start_async(engine)
            follower = engine.follow_stream(lease.execution_id)
            frames: list[StreamFrame] = []
            for number in range(50):
                await engine.append_frames(lease, [b"%d" % (number * 30 + place) for place in range(30)])
                frames.append(await anext(follower))
            await engine.complete(lease)
            return frames + [frame async for frame in follower]

    assert _texts(asyncio.run(main())) == [b"%d" % number for number in range(1_500)]


def test_a_reader_who_comes_back_with_its_cursor_after_every_frame_sees_what_one_that_stayed_sees(
    store: Counting,
) -> None:
    async def main() -> None:
        async with _loop(store) as parts:
            engine = parts.engine
            lease = await _start_async(engine)
            restless, cursor = Transcript(), None
            stayed, follower = Transcript(), engine.follow_stream(lease.execution_id)
            for run in range(4):
                await engine.append_frames(lease, [b"out %d" % run, b"more"])
                await engine.append_frames(lease, [b"in a step"], step=f"step {run}")
                await engine.record_step(lease, f"step {run}", b"", fingerprint=b"")
                await engine.append_frames(lease, [b"void", b"void", b"void"])
                for _ in range(3):  # each stops in the middle of a page
                    restless.add(await anext(each := engine.follow_stream(lease.execution_id, cursor=cursor)))
                    cursor = each.cursor
                    stayed.add(await anext(follower))
                if run < 3:
                    await engine.release(lease)
                    (claimed,) = await engine.claim(worker_id="w", worker_instance_id="w1")
                    lease = claimed.lease
            await engine.complete(lease)
            while True:
                each = engine.follow_stream(lease.execution_id, cursor=cursor)
                try:
                    restless.add(await anext(each))
                except StopAsyncIteration:
                    assert each.closed_reason == "completed"
                    break
                cursor = each.cursor
            async for frame in follower:
                stayed.add(frame)
            page = await engine.read_stream(lease.execution_id)
            assert restless.frames == stayed.frames == page.frames
            assert _texts(page.frames) == [*[b"in a step"] * 3, b"out 3", b"more", b"in a step", *[b"void"] * 3]

    asyncio.run(main())


def test_a_follower_knows_where_it_was_when_its_wait_is_given_up(store: Counting) -> None:
    async def main() -> list[bytes]:
        async with _loop(store) as parts:
            engine = parts.engine
            lease = await _start_async(engine)
            await engine.append_frames(lease, [b"a", b"b"])
            follower = engine.follow_stream(lease.execution_id)
            assert follower.cursor is None
            seen = [(await anext(follower)).payload for _ in range(2)]
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(follower), 0.01)
            cursor = follower.cursor
            await engine.append_frames(lease, [b"c"])
            await engine.complete(lease)
            again = engine.follow_stream(lease.execution_id, cursor=cursor)
            seen += [frame.payload async for frame in again]
            assert [frame.payload async for frame in follower] == [b"c"]
            assert follower.cursor == again.cursor
            over = engine.follow_stream(lease.execution_id, cursor=again.cursor)
            assert [frame async for frame in over] == []
            assert over.closed_reason == "completed"
            return seen

    assert asyncio.run(main()) == [b"a", b"b", b"c"]


def test_a_restart_that_comes_while_a_long_page_is_read_is_not_lost_if_the_reader_stops_before_it(
    store: Counting,
) -> None:
    """A page of more than a hundred chunks takes several reads, and the execution is claimed again between them."""
    with assembled(store) as parts:
        engine = parts.engine
        lease = _start(engine)
        for _ in range(150):
            engine.append_frames(lease, [b"void"])

        def disturb() -> None:
            engine.release(lease)
            engine.append_frames(_claim(engine), [b"good"])

        store.after_read = disturb
        follower = engine.follow_stream(lease.execution_id)
        transcript = Transcript()
        transcript.add(next(follower))

        again = engine.follow_stream(lease.execution_id, cursor=follower.cursor)
        for _ in range(2):
            transcript.add(next(again))

        assert _texts(transcript.frames) == [b"good"]


def test_a_page_of_several_reads_begins_with_its_restart(store: Counting) -> None:
    with assembled(store) as parts:
        engine = parts.engine
        lease = _start(engine)
        for _ in range(150):
            engine.append_frames(lease, [b"void"])

        def disturb() -> None:
            engine.release(lease)
            engine.append_frames(_claim(engine), [b"good"])

        store.after_read = disturb
        first = engine.read_stream(lease.execution_id)
        second = engine.read_stream(lease.execution_id, cursor=first.next_cursor)

        assert [len(first.frames), len(second.frames)] == [100, 2]
        assert [frame.kind for frame in second.frames] == ["restart", "text"]


# ── what ends while somebody follows ─────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("only_polls")
def test_an_execution_that_is_purged_while_somebody_waits_ends_the_iteration(store: Counting) -> None:
    """It ends and is purged elsewhere, between two polls, and no wake-up tells of it."""
    with _threads(store, 1, on_commit=deaf) as (parts, pool), assembled(store, on_commit=deaf) as elsewhere:
        lease = _start(elsewhere.engine)
        elsewhere.engine.append_frames(lease, [b"a"])
        store.may_poll.clear()
        following = Following(pool, parts.engine, lease.execution_id)
        _until(lambda: len(following.frames) == 1 and bool(parts.wakeups.waits().streams))
        read_by_then = store.reads
        _until(lambda: store.reads == read_by_then)
        elsewhere.engine.complete(lease)
        elsewhere.engine.purge(ended_before_ms=store.now_ms + 1)
        store.may_poll.set()

        assert following.end() is None
        assert _texts(following.frames) == [b"a"]


def test_an_execution_that_is_purged_behind_a_slow_reader_ends_the_iteration(store: Counting) -> None:
    with assembled(store) as parts:
        engine = parts.engine
        lease = _start(engine)
        engine.append_frames(lease, [b"a", b"b"])
        follower = engine.follow_stream(lease.execution_id)
        assert next(follower).payload == b"a"
        engine.append_frames(lease, [b"c"])
        engine.complete(lease)
        engine.purge(ended_before_ms=store.now_ms + 1)

        assert _texts(follower) == [b"b"]
        assert follower.closed_reason is None
        assert list(follower) == []
        with pytest.raises(NotFound):
            next(engine.follow_stream(lease.execution_id, cursor=follower.cursor))


def test_frames_that_were_trimmed_before_a_slow_reader_came_to_them_are_not_skipped_in_silence(
    store: Counting,
) -> None:
    with assembled(store) as parts:
        engine = parts.engine
        lease = _start(engine, policy=ExecutionPolicy(stream_max_frames=10))
        engine.append_frames(lease, [b"a"])
        follower = engine.follow_stream(lease.execution_id)
        assert next(follower).payload == b"a"
        for number in range(20):
            engine.append_frames(lease, [b"%d" % number])
        engine.reconcile()

        with pytest.raises(InvalidInput) as refusal:
            next(follower)
        assert refusal.value.code == "cursor_gone"
        page = engine.read_stream(lease.execution_id)
        assert (len(page.frames), page.truncated) == (10, True)


@pytest.mark.usefixtures("only_wake_ups")
def test_closing_the_engine_ends_those_who_follow_in_threads(store: Counting) -> None:
    with ThreadPoolExecutor(3) as pool:
        with assembled(store) as parts:
            lease = _start(parts.engine)
            following = [Following(pool, parts.engine, lease.execution_id) for _ in range(3)]
            _until(lambda: bool(parts.wakeups.waits().streams) and store.reads > 0)
        for each in following:
            with pytest.raises(StoreUnavailable):
                each.end()


@pytest.mark.usefixtures("only_wake_ups")
def test_closing_the_engine_ends_those_who_follow_on_a_loop(store: Counting) -> None:
    async def main() -> list[Any]:
        async with _loop(store) as parts:
            lease = await _start_async(parts.engine)
            following = [asyncio.ensure_future(anext(parts.engine.follow_stream(lease.execution_id))) for _ in "abc"]
            await _until_async(lambda: bool(parts.wakeups.waits().streams) and store.reads > 0)
        async with asyncio.timeout(WAIT_S_MAX):
            return await asyncio.gather(*following, return_exceptions=True)

    assert [type(each) for each in asyncio.run(main())] == [StoreUnavailable] * 3


# ── who may follow ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("only_wake_ups")
def test_the_stream_of_another_namespace_does_not_exist_even_if_somebody_else_follows_it(store: Counting) -> None:
    with _threads(store, 1) as (parts, pool):
        engine = parts.engine
        lease = _start(engine, namespace="ours")
        engine.append_frames(lease, [b"secret"])
        ours = Following(pool, engine.scoped("ours"), lease.execution_id)
        _until(lambda: len(ours.frames) == 1)
        theirs = engine.scoped("theirs")

        for cursor in (None, ours.follower.cursor):
            with pytest.raises(NotFound):
                next(theirs.follow_stream(lease.execution_id, cursor=cursor))
            with pytest.raises(NotFound):
                theirs.read_stream(lease.execution_id, cursor=cursor)
        with pytest.raises(NotFound):
            theirs.read_summary(lease.execution_id)
        engine.complete(lease)
        assert ours.end() == "completed"


def test_what_is_not_there_cannot_be_followed(store: Counting) -> None:
    with assembled(store) as parts, pytest.raises(NotFound):
        next(parts.engine.follow_stream("{fp:86}:00000000-0000-7000-8000-000000000000"))


def test_a_follower_that_was_refused_its_cursor_does_not_begin_at_the_start(store: Counting) -> None:
    with assembled(store) as parts:
        lease = _start(parts.engine)
        parts.engine.append_frames(lease, [b"a"])
        follower = parts.engine.follow_stream(lease.execution_id, cursor="garbage")

        for _ in range(2):
            with pytest.raises(InvalidInput, match="not a cursor of this list"):
                next(follower)


def test_who_comes_before_anything_is_said_or_even_claimed_gets_the_first_frame(store: Counting) -> None:
    with _threads(store, 1) as (parts, pool):
        engine = parts.engine
        execution_id = engine.create_execution("talk").execution_id
        following = Following(pool, engine, execution_id)
        _until(lambda: store.reads > 0)
        lease = _claim(engine)
        engine.append_frames(lease, [b"first"])
        engine.complete(lease)

        following.end()
        assert _texts(following.frames) == [b"first"]
