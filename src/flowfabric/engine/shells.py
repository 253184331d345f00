"""How a caller waits: on an event loop, or in its own thread. The engine is written once, for both.

The coroutines of the blocking shell never suspend, so `run_now` can run a coroutine that awaits only these, without an
event loop.
"""

import asyncio
import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from functools import partial
from random import SystemRandom
from typing import Any, NamedTuple, Protocol, TypeVar

from flowfabric.domain.commands import Envelope
from flowfabric.domain.connections import ReadersBusy, no_free_reader
from flowfabric.domain.errors import EngineError, StoreError, StoreUnavailable
from flowfabric.domain.lanes import Lane
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine import limits
from flowfabric.engine.group_commit import GroupCommit, closed
from flowfabric.engine.outages import READ
from flowfabric.engine.tickets import Group, Reply, Ticket
from flowfabric.ports.errors import AnswerUnclear, ConnectionLost

T = TypeVar("T")

log = logging.getLogger("flowfabric.engine")


class Waiting(NamedTuple):
    """How a claim waits."""

    lanes: Collection[Lane]
    listen: Callable[[Callable[[], None]], AbstractContextManager[None]]
    """While the block lasts, each wake-up calls the function, from any thread."""
    polled_within: Callable[[float], bool]
    """Whether there was a shared poll within this time, so that this claim need not poll."""
    poll_s: float
    timeout_s: float | None

    def needs_a_poll(self) -> bool:
        """Whether this claim has to poll by itself, one poll interval after its last poll."""
        return not self.polled_within(self.poll_s)


class Bell(Protocol):
    """A bell that other threads can ring to end a wait."""

    def ring(self) -> None:
        """End the wait, from any thread."""

    async def wait(self, timeout_s: float) -> bool:
        """Wait until the bell rings or the time is over. Then the bell is silent again. True: it has rung."""


class Shell(Protocol):
    """How an engine sends commands, reads, and waits."""

    @property
    def is_async(self) -> bool:
        """Whether callers await. False: they block."""

    async def execute(self, envelope: Envelope) -> Outcome:
        """Send a command and wait for its answer, or raise its refusal."""

    async def execute_all(self, envelopes: Sequence[Envelope]) -> Sequence[Reply]:
        """Send commands together, and wait for all answers. A refusal is one of the answers."""

    async def wait_for_work(self, envelope: Envelope, waiting: Waiting) -> Outcome:
        """Send a claim and wait until it finds something, or the time is over."""

    async def read(self, function: Callable[[], T], *, until: float | None = None) -> T:
        """Run a function that reads the store, again and again while the store is away.

        It is tried for as long as a write would be. A caller that waits for something passes `until`, an instant of the
        monotonic clock, and the read is tried until then.
        """

    async def pause(self, pause_s: float) -> None:
        """Wait for so long, or until the engine is closed."""

    def read_ahead(self, function: Callable[[], T]) -> Future[T]:
        """Begin to read at once. Commands that are sent from now on wait until the read is done or has failed.

        Renewals do not wait: they write no event.
        """

    async def answer_of(self, read: Future[T]) -> T:
        """Wait for a read that was begun by `read_ahead`."""

    def bell(self) -> Bell:
        """A new bell."""

    def close(self) -> None:
        """End the threads."""


class _Reading(ABC):
    """How both shells read."""

    def __init__(self, commits: GroupCommit) -> None:
        self._commits = commits
        self._is_closed = False

    async def read(self, function: Callable[[], T], *, until: float | None = None) -> T:
        began_at = time.monotonic()
        give_up_at = began_at + limits.RECONNECT_S_MAX if until is None else until
        pause_s, pause_s_max = limits.RECONNECT_PAUSE_S
        outages = self._commits.outages
        times_unclear = 0
        while True:
            self._check_usable()
            try:
                found = await self._read_once(function)
                outages.over(READ)
                return found
            except AnswerUnclear as error:
                if times_unclear == limits.UNCLEAR_MAX:
                    raise StoreError(str(error)) from error
                times_unclear += 1
                log.warning("the answer of the store was unclear; reading again: %s", error)
                continue
            except StoreUnavailable as error:
                if error.is_final:
                    raise
                if not isinstance(error, ReadersBusy):
                    outages.noticed(READ, error)
                self._check_usable()
                if until is None and not isinstance(error, ConnectionLost):
                    raise  # a write would raise it at once, too
                left_s = give_up_at - time.monotonic()
                if left_s <= 0:
                    why = str(error).rstrip(".")
                    raise StoreUnavailable(
                        f"The store could not be read for {time.monotonic() - began_at:.1f} s: {why}. Read again later."
                    ) from error
                log.debug("the store cannot be read; trying again: %s", error, extra={"cause": str(error)})
            await self.pause(min(left_s, pause_s * SystemRandom().uniform(0.5, 1.5)))
            pause_s = min(pause_s * 2, pause_s_max)

    def _check_usable(self) -> None:
        self._commits.check_usable()
        if self._is_closed:
            raise closed()

    @abstractmethod
    async def _read_once(self, function: Callable[[], T]) -> T:
        """Run the function where it may block."""

    @abstractmethod
    async def pause(self, pause_s: float) -> None:
        """Wait for so long, or until the engine is closed."""


class AsyncShell(_Reading):
    """Waits on the running event loop; several loops may share one engine."""

    is_async = True

    def __init__(self, commits: GroupCommit) -> None:
        super().__init__(commits)
        self._in_thread = BlockingShell(commits)
        self._pausing: dict[AsyncBell, None] = {}
        """Those who pause, in order, so that they wake in order."""
        self._connections = commits.store.connections
        self._readers = ThreadPoolExecutor(self._connections.read, thread_name_prefix="flowfabric-reader")
        # Reads ahead have their own thread, so that long reads do not delay commands.
        self._reader_ahead = ThreadPoolExecutor(1, thread_name_prefix="flowfabric-reader-ahead")
        self._ahead: set[Future[Any]] = set()
        """Reads that new commands have to wait for."""

    async def execute(self, envelope: Envelope) -> Outcome:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        return await self._answer_of(Ticket(envelope, future, loop), future)

    async def _answer_of(self, ticket: Ticket, future: asyncio.Future[Outcome]) -> Outcome:
        if self._ahead and not ticket.is_renewal:
            await self._wait_for_reads_ahead()
        if not self._commits.submit(ticket):
            bell = self.bell()
            while not self._commits.submit(ticket, when_room=bell.ring):
                await bell.wait(1.0)
        try:
            return await future
        except asyncio.CancelledError:
            # The answer may have come after the commit, before this task could run.
            if future.done() and not future.cancelled() and future.exception() is None:
                self._commits.give_back(future.result())
            raise

    async def execute_all(self, envelopes: Sequence[Envelope]) -> Sequence[Reply]:
        if not envelopes:
            return []
        if self._ahead:
            await self._wait_for_reads_ahead()
        group = Group(len(envelopes), asyncio.get_running_loop())
        tickets = [Ticket(envelope, group=group, place=place) for place, envelope in enumerate(envelopes)]
        if not self._commits.submit_all(tickets):
            bell = self.bell()
            while not self._commits.submit_all(tickets, when_room=bell.ring):
                await bell.wait(1.0)
        return await group.all_answers

    async def wait_for_work(self, envelope: Envelope, waiting: Waiting) -> Outcome:
        loop, commits = asyncio.get_running_loop(), self._commits
        future: asyncio.Future[Outcome] = loop.create_future()
        ticket = Ticket(envelope, future, loop, waiting.lanes)
        next_poll: asyncio.TimerHandle

        def poll() -> None:
            nonlocal next_poll
            if waiting.needs_a_poll():
                commits.poll_again(ticket)
            next_poll = loop.call_later(waiting.poll_s, poll)

        with commits.waiting(ticket), waiting.listen(partial(commits.poll_again, ticket)):
            next_poll = loop.call_later(waiting.poll_s, poll)
            enough = (
                None
                if waiting.timeout_s is None
                else loop.call_later(waiting.timeout_s, commits.poll_once_more, ticket)
            )
            try:
                return await self._answer_of(ticket, future)
            finally:
                next_poll.cancel()
                if enough is not None:
                    enough.cancel()

    async def _read_once(self, function: Callable[[], T]) -> T:
        """Run the function in one of the reader threads. If it cannot begin in time, it is given up."""
        cancellations_before = _pending_cancellations()
        waiting = self._readers.submit(function)
        has_given_up = False

        def give_up() -> None:
            nonlocal has_given_up
            has_given_up = not waiting.cancelled() and waiting.cancel()

        enough = asyncio.get_running_loop().call_later(self._connections.wait_ms / 1000, give_up)
        try:
            return await asyncio.wrap_future(waiting)
        except asyncio.CancelledError:
            # If the task itself was cancelled in the same turn of the loop, it must end as cancelled.
            if has_given_up and _pending_cancellations() == cancellations_before:
                raise no_free_reader(self._connections) from None
            raise
        finally:
            enough.cancel()

    async def pause(self, pause_s: float) -> None:
        bell = self.bell()
        self._pausing[bell] = None
        try:
            await bell.wait(pause_s)
        finally:
            self._pausing.pop(bell, None)

    def read_ahead(self, function: Callable[[], T]) -> Future[T]:
        self._check_usable()
        read = self._reader_ahead.submit(lambda: run_now(self._in_thread.read(function)))
        self._ahead.add(read)
        read.add_done_callback(self._ahead.discard)
        return read

    async def answer_of(self, read: Future[T]) -> T:
        return await asyncio.shield(asyncio.wrap_future(read))

    async def _wait_for_reads_ahead(self) -> None:
        """Wait for the reads that have begun, but not for reads that begin later."""
        bell, ahead = self.bell(), list(self._ahead)
        for read in ahead:
            read.add_done_callback(lambda _: bell.ring())
        while not all(read.done() for read in ahead):
            await bell.wait(1.0)

    def bell(self) -> "AsyncBell":
        return AsyncBell(asyncio.get_running_loop())

    def close(self) -> None:
        self._is_closed = True
        self._in_thread.close()
        for bell in list(self._pausing):
            bell.ring()
        self._reader_ahead.shutdown(wait=True)
        self._readers.shutdown(wait=True)


def _pending_cancellations() -> int:
    """How many cancellations of the running task are pending."""
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()


class AsyncBell:
    """Wakes a task."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._rung = asyncio.Event()

    def ring(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._rung.set)
        except RuntimeError:  # the loop is closed: no task waits any more
            return

    async def wait(self, timeout_s: float) -> bool:
        try:
            # `wait_for` is not used: in Python 3.11 it loses a cancellation that comes together with the ring.
            async with asyncio.timeout(timeout_s):
                await self._rung.wait()
        except TimeoutError:
            return self._rung.is_set()
        finally:
            self._rung.clear()
        return True


class BlockingShell(_Reading):
    """Waits in the caller's thread."""

    is_async = False

    def __init__(self, commits: GroupCommit) -> None:
        super().__init__(commits)
        self._closing = threading.Event()

    async def execute(self, envelope: Envelope) -> Outcome:
        future: Future[Outcome] = Future()
        try:
            self._commits.submit_blocking(Ticket(envelope, future))
            return future.result()
        except (EngineError, FutureCancelled):
            raise
        except BaseException:
            # The wait was interrupted, as by Ctrl-C: executions that are claimed for this caller are given back.
            future.add_done_callback(self._give_back)
            raise

    def _give_back(self, future: "Future[Outcome]") -> None:
        if future.exception() is None:
            self._commits.give_back(future.result())

    async def execute_all(self, envelopes: Sequence[Envelope]) -> Sequence[Reply]:
        return self._commits.execute_all(envelopes)

    async def wait_for_work(self, envelope: Envelope, waiting: Waiting) -> Outcome:
        commits = self._commits
        future: Future[Outcome] = Future()
        ticket = Ticket(envelope, future, lanes=waiting.lanes)
        give_up_at = math.inf if waiting.timeout_s is None else time.monotonic() + waiting.timeout_s
        with commits.waiting(ticket), waiting.listen(partial(commits.poll_again, ticket)):
            try:
                commits.submit_blocking(ticket)
                while (left_s := give_up_at - time.monotonic()) > 0:
                    try:
                        return future.result(min(left_s, waiting.poll_s))
                    except TimeoutError:
                        if waiting.needs_a_poll():
                            commits.poll_again(ticket)
                commits.poll_once_more(ticket)
                return future.result()
            except (EngineError, FutureCancelled):
                raise
            except BaseException:
                future.add_done_callback(self._give_back)
                raise

    async def _read_once(self, function: Callable[[], T]) -> T:
        return function()

    async def pause(self, pause_s: float) -> None:
        self._closing.wait(pause_s)

    def read_ahead(self, function: Callable[[], T]) -> Future[T]:
        read: Future[T] = Future()
        read.set_result(run_now(self.read(function)))
        return read

    async def answer_of(self, read: Future[T]) -> T:
        return read.result()

    def bell(self) -> "BlockingBell":
        return BlockingBell()

    def close(self) -> None:
        self._is_closed = True
        self._closing.set()


class BlockingBell:
    """Wakes a thread."""

    def __init__(self) -> None:
        self._rung = threading.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, timeout_s: float) -> bool:
        has_rung = self._rung.wait(timeout_s)
        self._rung.clear()
        return has_rung


def run_now(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end. It must never suspend."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise AssertionError("a coroutine of the blocking engine tried to suspend")


@contextmanager
def blocking_block(block: AbstractAsyncContextManager[None]) -> Iterator[None]:
    """An async block as a plain `with` block. Its coroutines must never suspend."""
    run_now(block.__aenter__())
    try:
        yield
    except BaseException as error:
        if not run_now(block.__aexit__(type(error), error, error.__traceback__)):
            raise
    else:
        run_now(block.__aexit__(None, None, None))
