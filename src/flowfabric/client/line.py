"""The line to a server: one thread with an event loop, which owns the connections, for all callers of an engine.

Callers on event loops and callers that block hand their work over and wait for its answer, each in its own way.
"""

import asyncio
import logging
import os
import ssl
import threading
import weakref
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import Future
from contextlib import aclosing, suppress
from typing import Any, Final, TypeVar

from flowfabric.client.address import Address
from flowfabric.client.connection import Connection
from flowfabric.client.http1 import Answer, Cut
from flowfabric.domain.errors import StoreUnavailable

T = TypeVar("T")

log = logging.getLogger("flowfabric.client")

CONNECTIONS_MAX: Final = 32
"""How many connections requests share that are answered soon."""
WAITING_MAX: Final = 200
"""How many further connections may be used by requests that wait: for work, for ends, for events."""
IDLE_MAX: Final = 8
"""How many connections stay open that nobody uses."""
CLOSING_S_MAX: Final = 10.0
"""How long `close` waits for requests that are under way."""

BRIEF: Final = "brief"
"""The name of tasks that are soon done."""


def closed() -> StoreUnavailable:
    """The error for every use of a closed engine."""
    return StoreUnavailable("This engine is closed. Open a new one.", is_final=True)


class Line:
    """All connections of an engine to its server. Starts with the first request; a forked child starts its own."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.tls = ssl.create_default_context() if address.is_encrypted else None
        self._is_closed = False
        self._begin()
        _lines.add(self)

    def _begin(self) -> None:
        """Start from nothing. In a forked child, what the parent has opened is left alone."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handed_over: deque[Callable[[], None]] = deque()
        self._is_awake = False
        """Whether the thread is about to take what was handed over."""
        self._idle: list[Connection] = []
        self._room = asyncio.Semaphore(CONNECTIONS_MAX)
        self._room_to_wait = asyncio.Semaphore(WAITING_MAX)
        self._tasks: set[asyncio.Task[Any]] = set()

    # ── callers, on any thread ───────────────────────────────────────────────────────────────────

    def run(self, work: Callable[[], None]) -> None:
        """Run the function soon, on the line's thread."""
        with self._lock:
            if self._is_closed:
                raise closed()
            loop = self._loop or self._start()
            self._handed_over.append(work)
            if self._is_awake:
                return
            self._is_awake = True
        loop.call_soon_threadsafe(self._take_over)

    def begin(
        self,
        work: Coroutine[Any, Any, T],
        *,
        is_brief: bool = False,
        unwanted: Callable[[T], None] | None = None,
    ) -> Future[T]:
        """Run a coroutine on the line's thread. If its future is cancelled, so is the coroutine.

        One that is brief is let come to its end when the line is closed. `unwanted` gets a result that came too late.
        """
        answer: Future[T] = Future()

        def start() -> None:
            if answer.cancelled():
                work.close()
                return
            task = self.spawn(work, is_brief=is_brief)
            task.add_done_callback(lambda _: _pass_on(task, answer, unwanted))
            answer.add_done_callback(lambda _: self._cancel(task) if answer.cancelled() else None)

        try:
            self.run(start)
        except StoreUnavailable:
            work.close()
            raise
        return answer

    def close(self) -> None:
        """Let what is brief come to its end, give up what waits, and end the thread."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            _lines.discard(self)
            thread, loop = self._thread, self._loop
        if thread is not None and loop is not None:
            loop.call_soon_threadsafe(self._begin_to_finish)
            if thread is not threading.current_thread():
                thread.join()

    # ── on the line's own thread ─────────────────────────────────────────────────────────────────

    def spawn(self, work: Coroutine[Any, Any, T], *, is_brief: bool = False) -> "asyncio.Task[T]":
        """Start a task of the line."""
        task = asyncio.get_running_loop().create_task(work, name=BRIEF if is_brief else None)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def ask(self, request: bytes, *, within_s: float, waits: bool = False) -> Answer:
        """Send a request and wait for its answer. Raises OSError, Cut or Malformed.

        If the server has closed a kept connection meanwhile, the request is sent once more, on a new one. `waits`: the
        answer may take long, because it waits for something to happen.
        """
        room = self._room_to_wait if waits else self._room
        async with asyncio.timeout(within_s), room:
            while True:
                connection = await self._connection()
                try:
                    answer = await connection.ask(request)
                except (OSError, Cut):
                    if connection.is_used:
                        continue
                    raise
                if connection.is_open and len(self._idle) < IDLE_MAX:
                    self._idle.append(connection)
                else:
                    connection.close()
                return answer

    async def pause(self, pause_s: float) -> None:
        """Wait for so long."""
        await asyncio.sleep(pause_s)

    async def listen(self, request: bytes) -> AsyncGenerator[Answer]:
        """Send a request whose answer does not end soon, and yield it piece by piece."""
        async with self._room_to_wait:
            connection = await Connection.open(self.address, self.tls)
            async with aclosing(connection.listen(request)) as pieces:
                async for piece in pieces:
                    yield piece

    async def _connection(self) -> Connection:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_open:
                return connection
        return await Connection.open(self.address, self.tls)

    def _start(self) -> asyncio.AbstractEventLoop:
        """Start the thread. The caller holds the lock."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=[self._loop], name="flowfabric-http", daemon=True)
        self._thread.start()
        return self._loop

    def _take_over(self) -> None:
        """Run what has been handed over."""
        while True:
            with self._lock:
                if not self._handed_over:
                    self._is_awake = False
                    return
                taken, self._handed_over = self._handed_over, deque()
            for work in taken:
                work()

    def _cancel(self, task: "asyncio.Task[Any]") -> None:
        with suppress(RuntimeError):  # the line is closed
            task.get_loop().call_soon_threadsafe(task.cancel)

    def _begin_to_finish(self) -> None:
        self._take_over()
        tasks = set(self._tasks)
        finishing = self.spawn(self._finish(tasks))
        finishing.add_done_callback(lambda _: finishing.get_loop().stop())

    async def _finish(self, tasks: "set[asyncio.Task[Any]]") -> None:
        for task in tasks:
            if task.get_name() != BRIEF:
                task.cancel()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=CLOSING_S_MAX)
            for task in late:
                task.cancel()
            await asyncio.wait(tasks)
        for connection in self._idle:
            connection.close()
        await asyncio.sleep(0)  # the transports close their sockets in the next turn


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _pass_on(task: "asyncio.Task[T]", answer: Future[T], unwanted: Callable[[T], None] | None) -> None:
    """Give the outcome of a task to the caller that waits for it."""
    if not answer.set_running_or_notify_cancel():
        if unwanted is not None and not task.cancelled() and task.exception() is None:
            unwanted(task.result())
        return
    if task.cancelled():
        answer.set_exception(closed())
    elif (error := task.exception()) is not None:
        answer.set_exception(error)
    else:
        answer.set_result(task.result())


_lines: "weakref.WeakSet[Line]" = weakref.WeakSet()
_left_to_parents: Final[list[object]] = []
"""What belongs to a parent process. It is kept, so that nothing here ever closes it."""


def _start_anew() -> None:
    for line in list(_lines):
        _left_to_parents.append((line._loop, line._idle, line._tasks, line._handed_over))
        line._begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
