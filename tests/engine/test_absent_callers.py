"""A claim whose caller has gone away is given back at once, not when its lease runs out."""

import asyncio
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

import pytest

from flowfabric import Claimed, Engine
from flowfabric.domain.commands import Envelope, Release
from flowfabric.domain.execution import Execution
from flowfabric.domain.inputs import fence
from flowfabric.engine.tickets import Ticket
from tests.assembled import AssembledAsync, assembled, assembled_async
from tests.engine.commands import (
    WAIT_S_MAX,
    a_claim,
    an_id,
    answers,
    creation,
    one_batch_under_way,
    sent,
)
from tests.faulty_store import FaultyStore

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import Outcome


def _record(store: FaultyStore) -> Execution:
    x = store.execution(an_id(1))
    assert isinstance(x, Execution)
    return x


def _claim(engine: Engine) -> Awaitable[list[Claimed]]:
    return engine.claim(worker_id="worker-1", worker_instance_id="worker-1/a")


async def _settled(parts: AssembledAsync) -> None:
    """Until everything that was queued is committed."""
    await asyncio.wait_for(parts.engine.change_priority(an_id(2), 1), WAIT_S_MAX)


def _while_a_claim_is_committed(
    store: FaultyStore, leave: "Callable[[asyncio.Task[list[Claimed]]], Awaitable[None]]"
) -> Execution:
    """What becomes of an execution whose claimer leaves while the claim is on its way."""

    async def main() -> None:
        async with assembled_async(store) as parts:
            await asyncio.to_thread(lambda: answers(sent(parts.commits, creation(1), creation(2))))
            with store.held():
                task: asyncio.Task[list[Claimed]] = asyncio.ensure_future(_claim(parts.engine))  # type: ignore[arg-type]
                await asyncio.to_thread(store.reached.wait, WAIT_S_MAX)
                await leave(task)
            await _settled(parts)
            await _settled(parts)

    asyncio.run(main())
    return _record(store)


def _was_given_back(x: Execution) -> bool:
    return x.public_state == "waiting" and x.attempt_state == "attempt_interrupted" and x.interruption_count == 0


def test_a_cancelled_task_gives_its_claim_back(store: FaultyStore):
    async def leave(task: "asyncio.Task[list[Claimed]]") -> None:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    x = _while_a_claim_is_committed(store, leave)

    assert _was_given_back(x)
    assert x.lease_epoch == 1


def test_a_cancelled_claim_is_given_back_although_the_engine_is_closed_meanwhile(store: FaultyStore):
    async def main() -> None:
        async with assembled_async(store) as parts:
            await asyncio.to_thread(lambda: answers(sent(parts.commits, creation(1))))
            with store.held():
                task = asyncio.ensure_future(_claim(parts.engine))
                await asyncio.to_thread(store.reached.wait, WAIT_S_MAX)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                closing = threading.Thread(target=parts.commits.close)
                closing.start()
            await asyncio.to_thread(closing.join, WAIT_S_MAX)

    asyncio.run(main())

    assert _was_given_back(_record(store))


def test_a_claim_that_timed_out_is_given_back(store: FaultyStore):
    async def leave(task: "asyncio.Task[list[Claimed]]") -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(task, 0.01)

    assert _was_given_back(_while_a_claim_is_committed(store, leave))


def test_a_claim_that_was_cancelled_before_its_batch_began_never_happens(store: FaultyStore):
    async def main() -> None:
        async with assembled_async(store) as parts:
            await asyncio.to_thread(lambda: answers(sent(parts.commits, creation(1), creation(2))))
            with store.held():
                first = asyncio.ensure_future(parts.engine.ping())
                blocker = asyncio.ensure_future(parts.engine.change_priority(an_id(2), 3))
                await asyncio.to_thread(store.reached.wait, WAIT_S_MAX)
                task = asyncio.ensure_future(_claim(parts.engine))
                await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            await asyncio.gather(first, blocker)
            await _settled(parts)

    asyncio.run(main())

    x = _record(store)
    assert (x.public_state, x.lease_epoch) == ("waiting", 0)


def test_a_task_cancelled_between_its_answer_and_its_turn_gives_back_what_it_was_given(store: FaultyStore):
    async def main() -> None:
        async with assembled_async(store) as parts:
            await asyncio.to_thread(lambda: answers(sent(parts.commits, creation(1), creation(2))))
            loop = asyncio.get_running_loop()
            task = asyncio.ensure_future(_claim(parts.engine))
            await asyncio.sleep(0)
            # The loop stands still while the claim commits, so its answer and the cancel are met in the same turn.
            answers(sent(parts.commits, creation(3)))
            loop.call_soon(task.cancel)
            with pytest.raises(asyncio.CancelledError):
                await task
            await _settled(parts)
            await _settled(parts)

    asyncio.run(main())

    assert _was_given_back(_record(store))


def test_what_is_claimed_for_an_event_loop_that_is_closed_is_given_back(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1), creation(2)))
        loop = asyncio.new_event_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        with one_batch_under_way(parts.commits, store):
            assert parts.commits.submit(Ticket(Envelope(a_claim()), future, loop))
            loop.close()
        for _ in range(2):
            parts.engine.change_priority(an_id(2), 1)

    assert _was_given_back(_record(store))


def test_a_cancelled_future_of_a_thread_gives_its_claim_back(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1), creation(2)))
        with store.held():
            (claim,) = sent(parts.commits, a_claim())
            assert store.reached.wait(WAIT_S_MAX)
            assert claim.cancel()
        for _ in range(2):
            parts.engine.change_priority(an_id(2), 1)

    assert _was_given_back(_record(store))


def test_a_thread_interrupted_while_it_waits_gives_its_claim_back(store: FaultyStore):
    interrupted = threading.Event()

    def interrupt(*_: object) -> None:
        if not interrupted.is_set():
            interrupted.set()
            raise KeyboardInterrupt

    def poke(thread: int) -> None:
        # A signal that comes just before the thread falls asleep does not wake it, so one may not be enough.
        for _ in range(1000):
            if _waits_for_an_answer(thread):
                signal.pthread_kill(thread, signal.SIGUSR1)
            if interrupted.wait(0.01):
                return

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with assembled(store) as parts:
            answers(sent(parts.commits, creation(1), creation(2)))
            with store.held():
                poker = threading.Thread(target=poke, args=(threading.get_ident(),))
                poker.start()
                with pytest.raises(KeyboardInterrupt):
                    parts.engine.claim(worker_id="worker-1", worker_instance_id="worker-1/a")
                poker.join(WAIT_S_MAX)
            for _ in range(2):
                parts.engine.change_priority(an_id(2), 1)
    finally:
        signal.signal(signal.SIGUSR1, before)

    assert _was_given_back(_record(store))


def test_a_thread_interrupted_as_soon_as_it_has_asked_for_work_gives_its_claim_back(
    store: FaultyStore, monkeypatch: pytest.MonkeyPatch
):
    def submit_and_interrupt(ticket: Ticket) -> None:
        assert parts.commits.submit(ticket)
        raise KeyboardInterrupt

    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1), creation(2)))
        with store.held(), monkeypatch.context() as patch:
            patch.setattr(parts.commits, "submit_blocking", submit_and_interrupt)
            with pytest.raises(KeyboardInterrupt):
                parts.engine.wait_for_work(worker_id="worker-1", worker_instance_id="worker-1/a")
        for _ in range(2):
            parts.engine.change_priority(an_id(2), -1)

    assert _was_given_back(_record(store))


def _waits_for_an_answer(thread: int) -> bool:
    frame = sys._current_frames()[thread]
    return frame.f_code.co_name == "wait" and frame.f_back is not None and frame.f_back.f_code.co_name == "result"


def test_what_else_was_asked_for_stays_done_when_its_caller_leaves(store: FaultyStore):
    async def main() -> None:
        async with assembled_async(store) as parts:
            with store.held():
                task = asyncio.ensure_future(parts.engine.create_execution("mail", execution_id=an_id(1)))
                await asyncio.to_thread(store.reached.wait, WAIT_S_MAX)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            await parts.engine.create_execution("mail", execution_id=an_id(2))

    asyncio.run(main())

    assert _record(store).public_state == "waiting"


def test_how_an_attempt_ended_is_committed_although_its_worker_has_gone_away(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))
        (claimed,) = parts.engine.claim(worker_id="worker-1", worker_instance_id="worker-1/a")
        release = Ticket(Envelope(Release(fence(claimed.lease))), Future())
        with one_batch_under_way(parts.commits, store):
            parts.commits.submit_blocking(release)
            assert release.future is not None
            release.future.cancel()

    assert _record(store).public_state == "waiting"
