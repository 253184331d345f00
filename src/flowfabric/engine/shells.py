"""How a caller waits: on an event loop, or in its own thread. The engine above is written once, for both.

The blocking shell's coroutines never suspend, so `run_now` can drive any coroutine made of them without a loop.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Any, Final, Protocol, TypeVar

from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import EngineError
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine.group_commit import GroupCommit, Ticket
from flowfabric.ports import Bell

T = TypeVar("T")

READERS: Final = 4
"""How many reads of one engine run at the same time; further ones queue."""


class Shell(Protocol):
    """What the engine needs of its surroundings."""

    @property
    def is_async(self) -> bool:
        """Whether callers await, or block."""

    async def execute(self, envelope: Envelope) -> Outcome:
        """Send a command and wait for its answer, or raise its refusal."""

    async def read(self, function: Callable[[], T]) -> T:
        """Run something that blocks on the store."""

    def bell(self) -> Bell:
        """A new bell."""

    def close(self) -> None:
        """Give threads back."""


class AsyncShell:
    """Waits on the running event loop; several loops may share one engine."""

    is_async = True

    def __init__(self, commits: GroupCommit) -> None:
        self._commits = commits
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="flowfabric-reader")

    async def execute(self, envelope: Envelope) -> Outcome:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        ticket = Ticket(envelope, future, loop)
        if not self._commits.submit(ticket):
            bell = AsyncBell(loop)
            while not self._commits.submit(ticket, when_room=bell.ring):
                await bell.wait(1.0)
        try:
            return await future
        except asyncio.CancelledError:
            # The answer may have come between the commit and this task's turn to run.
            if future.done() and not future.cancelled() and future.exception() is None:
                self._commits.give_back(future.result())
            raise

    async def read(self, function: Callable[[], T]) -> T:
        self._commits.check_usable()
        return await asyncio.get_running_loop().run_in_executor(self._readers, function)

    def bell(self) -> "AsyncBell":
        return AsyncBell(asyncio.get_running_loop())

    def close(self) -> None:
        self._readers.shutdown(wait=True)


class AsyncBell:
    """Wakes a task."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._rung = asyncio.Event()

    def ring(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._rung.set)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    async def wait(self, timeout_s: float) -> None:
        try:
            # Not `wait_for`: in Python 3.11 it swallows a cancellation that comes together with the ring.
            async with asyncio.timeout(timeout_s):
                await self._rung.wait()
        except TimeoutError:
            return
        finally:
            self._rung.clear()


class BlockingShell:
    """Waits in the caller's thread."""

    is_async = False

    def __init__(self, commits: GroupCommit) -> None:
        self._commits = commits

    async def execute(self, envelope: Envelope) -> Outcome:
        future: Future[Outcome] = Future()
        try:
            self._commits.submit_blocking(Ticket(envelope, future))
            return future.result()
        except (EngineError, FutureCancelled):
            raise
        except BaseException:
            # Interrupted while waiting, as by Ctrl-C: whatever is claimed for us goes back.
            future.add_done_callback(self._give_back)
            raise

    def _give_back(self, future: "Future[Outcome]") -> None:
        if future.exception() is None:
            self._commits.give_back(future.result())

    async def read(self, function: Callable[[], T]) -> T:
        self._commits.check_usable()
        return function()

    def bell(self) -> "BlockingBell":
        return BlockingBell()

    def close(self) -> None:
        pass


class BlockingBell:
    """Wakes a thread."""

    def __init__(self) -> None:
        self._rung = threading.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, timeout_s: float) -> None:
        self._rung.wait(timeout_s)
        self._rung.clear()


def run_now(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends to its end."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise AssertionError("a coroutine of the blocking engine tried to suspend")


@contextmanager
def blocking_block(block: AbstractAsyncContextManager[None]) -> Iterator[None]:
    """A block whose coroutines never suspend, for `with`."""
    run_now(block.__aenter__())
    try:
        yield
    except BaseException as error:
        if not run_now(block.__aexit__(type(error), error, error.__traceback__)):
            raise
    else:
        run_now(block.__aexit__(None, None, None))
