"""The asyncio tasks of one worker: its services, its attempts, and everything that these start."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Final, Self, TypeVar

T = TypeVar("T")

log = logging.getLogger("flowfabric.worker")

OnEnd = Callable[["asyncio.Task[Any]"], None]

END_S: Final = 0.4
"""How long tasks have to end by themselves when the block ends, and again after they are cancelled."""


class WorkerEnded(Exception):
    """The worker has ended, so nothing can be started there."""


class WorkerTasks:
    """Owns every task that a worker starts: after its block, none of them runs any more.

    `asyncio.TaskGroup` promises the same, but differs in two ways. There, a task that fails cancels all others; here,
    an attempt must not end its neighbours. And there, code that swallows its cancellation holds up the end for ever;
    here such a task is left behind, and the log names it.
    """

    def __init__(self) -> None:
        self._running: dict[asyncio.Task[Any], OnEnd | None] = {}
        self._is_over = False

    def start(
        self,
        coroutine: Coroutine[Any, Any, T],
        *,
        name: str | None = None,
        on_end: OnEnd | None = None,
    ) -> "asyncio.Task[T]":
        """Run the coroutine on this loop.

        Its error goes to `on_end`; without `on_end`, the error is logged as a bug.
        """
        task = asyncio.create_task(coroutine, name=name)
        self._running[task] = on_end
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        on_end = self._running.pop(task)
        if on_end is not None:
            on_end(task)
        elif not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the worker failed, which is a bug in flowfabric", exc_info=error)

    def start_from_thread(self, coroutine: Coroutine[Any, Any, T], loop: asyncio.AbstractEventLoop) -> Future[T]:
        """The same, called from another thread. After the end of the worker the future raises WorkerEnded."""
        outcome: Future[T] = Future()

        def tell(task: "asyncio.Task[T]") -> None:
            if task.cancelled():
                outcome.cancel()
            elif (error := task.exception()) is not None:
                outcome.set_exception(error)
            else:
                outcome.set_result(task.result())

        def begin() -> None:
            if self._is_over:
                coroutine.close()
                outcome.set_exception(WorkerEnded())
            else:
                self.start(coroutine, on_end=tell)

        try:
            loop.call_soon_threadsafe(begin)
        except RuntimeError:  # the loop is closed
            coroutine.close()
            raise WorkerEnded from None
        return outcome

    async def __aenter__(self) -> Self:
        self._is_over = False
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait a moment for running tasks, then cancel them."""
        self._is_over = True
        # Tasks that were cancelled before have had their time.
        if going_on := [task for task in self._running if not task.cancelling()]:
            await asyncio.wait(going_on, timeout=END_S)
            late = [task for task in going_on if not task.done()]
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=END_S)
        for task in self._running:
            log.warning("%s goes on although it was cancelled; the worker ends without it", task.get_name())
