"""How a caller waits for the line: on its event loop, or in its own thread."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol, TypeVar

from flowfabric.client.gathering import Waiter
from flowfabric.client.http1 import Answer
from flowfabric.client.own_sockets import OwnSockets

T = TypeVar("T")


class Caller(Protocol):
    """A way to wait."""

    @property
    def sockets(self) -> OwnSockets | None:
        """The sockets on which the caller may send by itself, instead of handing its request to the line."""

    async def answer_by(self, send: Callable[[Waiter], None]) -> Answer:
        """Send something that is answered to the waiter, and wait for it."""

    async def shared_result_of(self, work: Future[T]) -> T:
        """Wait for work that others wait for, too. If the wait is given up, the work goes on."""

    async def result_of(self, work: Future[T], unwanted: Callable[[T], None] | None = None) -> T:
        """Wait for work of the line. If the wait is given up, so is the work.

        `unwanted` gets a result that was there before the wait was given up.
        """


class AsyncCaller:
    """Waits on the running event loop; several loops may share one engine."""

    sockets = None

    async def answer_by(self, send: Callable[[Waiter], None]) -> Answer:
        """Wait on the loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        send(Waiter(loop, future))
        return await future

    async def shared_result_of(self, work: Future[T]) -> T:
        """Wait on the loop."""
        return await asyncio.shield(asyncio.wrap_future(work))

    async def result_of(self, work: Future[T], unwanted: Callable[[T], None] | None = None) -> T:
        """Wait on the loop."""
        try:
            return await asyncio.wrap_future(work)
        except asyncio.CancelledError:
            _hand_back(work, unwanted)
            raise


class BlockingCaller:
    """Waits in the caller's thread. Its coroutine never suspends."""

    def __init__(self, sockets: OwnSockets | None = None) -> None:
        self.sockets = sockets

    async def answer_by(self, send: Callable[[Waiter], None]) -> Answer:
        """Wait in the thread."""
        future: Future[Answer] = Future()
        send(Waiter(None, future))
        try:
            return future.result()
        except BaseException:
            future.cancel()  # the wait was interrupted, as by Ctrl-C; otherwise this does nothing
            raise

    async def shared_result_of(self, work: Future[T]) -> T:
        """Wait in the thread."""
        return work.result()

    async def result_of(self, work: Future[T], unwanted: Callable[[T], None] | None = None) -> T:
        """Wait in the thread."""
        try:
            return work.result()
        except BaseException:
            if not work.cancel():  # the wait was interrupted, as by Ctrl-C, or this is the error of the work
                _hand_back(work, unwanted)
            raise


def _hand_back(work: Future[T], unwanted: Callable[[T], None] | None) -> None:
    if unwanted is not None and work.done() and not work.cancelled() and work.exception() is None:
        unwanted(work.result())
