"""Threads for plain functions: made when they are needed, kept for the next function, and never waited for at the end.

The standard library's pool waits for its threads when the interpreter ends; a worker that stops does not.
"""

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class Threads:
    """Runs functions in daemon threads, without a limit on their number."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._idle = 0
        self._made = 0

    def submit(self, function: Callable[[], T]) -> Future[T]:
        """Run the function in a thread, at once."""
        future: Future[T] = Future()
        context = contextvars.copy_context()

        def job() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = context.run(function)
            except StopIteration as error:
                # A future on an event loop cannot carry StopIteration, so it becomes a RuntimeError, as in generators.
                future.set_exception(RuntimeError(f"the function raised StopIteration: {error}"))
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        with self._lock:
            if self._idle:
                self._idle -= 1
            else:
                name = f"{self._name}-{self._made + 1}"
                threading.Thread(target=self._run, args=(self._jobs,), name=name, daemon=True).start()
                self._made += 1
            self._jobs.put(job)
        return future

    def close(self) -> None:
        """End idle threads now, and busy ones when they have finished. Later submits get new threads."""
        with self._lock:
            for _ in range(self._made):
                self._jobs.put(None)
            self._jobs, self._idle, self._made = SimpleQueue(), 0, 0

    def _run(self, jobs: "SimpleQueue[Callable[[], None] | None]") -> None:
        while (job := jobs.get()) is not None:
            job()
            del job
            with self._lock:
                if jobs is self._jobs:  # otherwise `close` was called meanwhile
                    self._idle += 1
