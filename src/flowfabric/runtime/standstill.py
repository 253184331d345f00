"""Whether an attempt may be suspended, and whether it was: its steps and a suspension exclude each other.

An attempt is suspended only while none of its steps runs. While the command that suspends it is under way, no step
begins, because its result could not be stored afterwards.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager

from flowfabric.runtime.tries import is_in_step


class AttemptSuspended(BaseException):
    """The execution waits, and this attempt unwinds: `finally` blocks run, and the function runs again later.

    It waits in `ctx.wait` or for a limit in `ctx.limited`, or a budget that its task names is exceeded.

    Do not catch it: no result of this attempt would count. It is no Exception, so that `except Exception` in a task
    does not swallow it.
    """


def is_suspension(error: BaseException) -> bool:
    """Whether the error is a suspension, alone or in a group, as a TaskGroup raises it."""
    if isinstance(error, BaseExceptionGroup):
        return any(map(is_suspension, error.exceptions))
    return isinstance(error, AttemptSuspended)


class Standstill:
    """Counts what runs in one attempt, and closes the attempt for its suspension. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._decision: Future[None] | None = None
        """Done when the command that suspends the attempt is answered. None: there is no such command."""
        self._on_rest: list[Callable[[], None]] = []
        self.is_suspended = False
        self.must_pause = False
        """The attempt is to stop before it begins anything else, because a budget is exceeded."""

    @property
    def is_at_rest(self) -> bool:
        """Whether no step runs."""
        return self._running == 0

    def begin(self) -> Future[None] | None:
        """Count something that runs. If it must not begin yet, the future is done when the caller may try again."""
        with self._lock:
            if self.is_suspended:
                raise AttemptSuspended("the attempt is suspended, so nothing that it does would count")
            if self._decision is None:
                if self.must_pause and not is_in_step():
                    self.is_suspended = True
                    raise AttemptSuspended("a budget is exceeded, so the attempt stops here, and goes on later")
                self._running += 1
            return self._decision

    def end(self) -> None:
        """Count the end of something that ran."""
        with self._lock:
            self._running -= 1
            called, self._on_rest = (self._on_rest, []) if not self._running else ([], self._on_rest)
        for each in called:
            each()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the block while the attempt cannot be suspended. Raises AttemptSuspended if it was."""
        while (decision := self.begin()) is not None:
            await asyncio.shield(asyncio.wrap_future(decision))
        try:
            yield
        finally:
            self.end()

    @contextmanager
    def running_sync(self) -> Iterator[None]:
        """`running` for a thread that runs no event loop."""
        while (decision := self.begin()) is not None:
            decision.result()
        try:
            yield
        finally:
            self.end()

    def call_at_rest(self, function: Callable[[], None]) -> None:
        """Call the function as soon as nothing runs, in the thread in which that happens."""
        with self._lock:
            if self._running or self._decision is not None:
                self._on_rest.append(function)
                return
        function()

    def close(self) -> bool:
        """Let nothing begin from now on, because a suspension is under way. False: something runs."""
        with self._lock:
            if self._running or self._decision is not None or self.is_suspended:
                return False
            self._decision = Future()
            return True

    def decide(self, *, is_suspended: bool) -> None:
        """The attempt is suspended, or it goes on."""
        with self._lock:
            self.is_suspended = is_suspended
            decision, self._decision = self._decision, None
            called, self._on_rest = self._on_rest, []
        assert decision is not None
        decision.set_result(None)
        for each in called:
            each()
