"""A worker that lingers: it keeps its lease, and hears at once that its wait is over."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, InvalidInput, Lease, ManualClock, WaitOpened, WaitOver, open_engine
from flowfabric.domain.news import Committed
from flowfabric.engine.wakeups import Wakeups, waits_of
from flowfabric.stores.memory.store import MemoryStore
from tests.assembled import Assembled, assembled
from tests.faulty_store import FaultyStore

WAIT_S_MAX = 60.0
FOR_LONG = 600_000
AN_ID = "{fp:1}:0198"


@pytest.fixture
def parts(store: FaultyStore) -> Iterator[Assembled]:
    with assembled(store) as parts:
        yield parts


def lingering(engine: BlockingEngine, name: str = "wait", key: str = "editor") -> Lease:
    engine.create_execution("job")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    assert isinstance(engine.open_wait(claimed.lease, name, key), WaitOpened)
    return claimed.lease


def waiting_in_a_thread(
    pool: ThreadPoolExecutor, parts: Assembled, lease: Lease, name: str = "wait"
) -> Callable[[], WaitOver | None]:
    """A wait that has begun, and how to get its answer."""
    waiting = pool.submit(parts.engine.wait_for_wait, lease, name, timeout_ms=FOR_LONG)
    while lease.execution_id not in parts.wakeups.waits().lingering:
        assert not waiting.done() or waiting.result() is not None
    return lambda: waiting.result(WAIT_S_MAX)


def test_a_signal_rings_for_the_worker_that_lingers(parts: Assembled) -> None:
    lease, other = lingering(parts.engine), lingering(parts.engine)
    rung: list[str] = []

    with (
        parts.wakeups.listening(waits_of(lease.execution_id), lambda: rung.append("it")),
        parts.wakeups.listening(waits_of(other.execution_id), lambda: rung.append("the other")),
    ):
        parts.engine.signal(lease.execution_id, "author")
        assert rung == []
        parts.engine.signal(lease.execution_id, "editor")
        assert rung == ["it"]
        parts.engine.signal(lease.execution_id, "editor")

    assert rung == ["it"]


def test_the_time_of_a_wait_rings_for_the_worker_that_lingers(parts: Assembled, clock: ManualClock) -> None:
    parts.engine.create_execution("job")
    (claimed,) = parts.engine.claim(worker_id="w", worker_instance_id="w-1")
    parts.engine.open_wait(claimed.lease, "nap", "nobody", timeout_ms=5_000)
    rung = threading.Event()

    with parts.wakeups.listening(waits_of(claimed.execution_id), rung.set):
        clock.advance(5_000)
        parts.engine.reconcile()

    assert rung.is_set()
    assert parts.engine.wait_for_wait(claimed.lease, "nap", timeout_ms=0) == WaitOver((), "timeout")


def test_a_commit_says_when_the_time_of_a_wait_is_over(store: FaultyStore) -> None:
    said: list[int | None] = []
    with assembled(store, on_commit=lambda committed: said.append(committed.delay_over_in_ms)) as parts:
        parts.engine.create_execution("job")
        (claimed,) = parts.engine.claim(worker_id="w", worker_instance_id="w-1")
        parts.engine.open_wait(claimed.lease, "forever", "nobody")
        assert set(said) == {None}
        parts.engine.open_wait(claimed.lease, "nap", "nobody", timeout_ms=5_000)

    assert said[-1] is not None
    assert 4_000 <= said[-1] <= 5_000


def test_a_worker_that_lingers_gets_the_end_of_its_wait(parts: Assembled) -> None:
    lease = lingering(parts.engine)
    with ThreadPoolExecutor(1) as pool:
        answer = waiting_in_a_thread(pool, parts, lease)
        parts.engine.signal(lease.execution_id, "editor", b"yes")
        over = answer()

    assert over is not None
    assert [signal.payload for signal in over.signals] == [b"yes"]


def test_each_of_two_waits_of_an_attempt_gets_its_own_end(parts: Assembled) -> None:
    lease = lingering(parts.engine, "first", "alice")
    parts.engine.open_wait(lease, "second", "bob")
    with ThreadPoolExecutor(2) as pool:
        first = waiting_in_a_thread(pool, parts, lease, "first")
        second = waiting_in_a_thread(pool, parts, lease, "second")
        parts.engine.signal(lease.execution_id, "bob", b"2")
        over = second()
        parts.engine.signal(lease.execution_id, "alice", b"1")

        assert [signal.payload for signal in (over or WaitOver((), "timeout")).signals] == [b"2"]
        assert first() is not None


def test_a_worker_that_loses_its_lease_lingers_no_longer(parts: Assembled) -> None:
    lease = lingering(parts.engine)
    with ThreadPoolExecutor(1) as pool:
        answer = waiting_in_a_thread(pool, parts, lease)
        parts.engine.revoke_lease(lease.execution_id)

        assert answer() is None


def test_a_worker_lingers_no_longer_than_it_wants(parts: Assembled) -> None:
    lease = lingering(parts.engine)

    assert parts.engine.wait_for_wait(lease, "wait", timeout_ms=20) is None
    with pytest.raises(InvalidInput):
        parts.engine.wait_for_wait(lease, "wait", timeout_ms=-1)
    with pytest.raises(InvalidInput):
        parts.engine.wait_for_wait(lease, "", timeout_ms=1)


def test_without_a_ring_the_shared_poll_finds_the_end(store: FaultyStore) -> None:
    with assembled(store, on_commit=lambda committed: None) as parts:
        lease = lingering(parts.engine)
        with ThreadPoolExecutor(1) as pool:
            answer = waiting_in_a_thread(pool, parts, lease)
            parts.engine.signal(lease.execution_id, "editor", b"yes")

            assert answer() is not None


def test_a_report_of_another_process_rings_for_the_worker_that_lingers() -> None:
    rung: list[str] = []
    with (
        closing(Wakeups(MemoryStore("memory-lingering"))) as wakeups,
        wakeups.listening(waits_of(AN_ID), lambda: rung.append("rung")),
    ):
        wakeups.heard(Committed((), False, waits_over=["{fp:2}:0198"]))
        assert rung == []
        wakeups.heard(Committed((), False, waits_over=[AN_ID]))
        wakeups.heard(Committed((), False, lost=[AN_ID]))

        assert list(wakeups.waits().lingering) == [AN_ID]
        assert list(wakeups.waits().executions) == list(wakeups.waits().flows) == []
        assert wakeups.waits().need_polls
        assert not wakeups.waits().has_ends

    assert rung == ["rung", "rung"]


def test_an_async_worker_lingers_without_blocking_its_loop(tmp_path: Path) -> None:
    async def story() -> WaitOver | None:
        async with open_engine(f"sqlite:///{tmp_path}/jobs.db") as engine:
            await engine.create_execution("job")
            (claimed,) = await engine.claim(worker_id="w", worker_instance_id="w-1")
            await engine.open_wait(claimed.lease, "wait", "editor")
            waiting = asyncio.create_task(engine.wait_for_wait(claimed.lease, "wait", timeout_ms=FOR_LONG))
            await engine.signal(claimed.execution_id, "editor", b"yes")
            return await asyncio.wait_for(waiting, WAIT_S_MAX)

    over = asyncio.run(story())

    assert over is not None
    assert [signal.payload for signal in over.signals] == [b"yes"]
