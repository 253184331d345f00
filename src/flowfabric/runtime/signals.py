"""Stops a worker at a signal, or at an event of the program around it."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flowfabric.domain.errors import InvalidInput
from flowfabric.runtime.child import is_child
from flowfabric.runtime.worker import Worker

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)

_is_handling_signals = False
"""Whether signals to this process stop its worker."""

_before = threading.local()
"""The signals that were blocked in this thread before it began to fork; None: there is nothing to undo."""


@contextmanager
def stopping(worker: Worker, stop: asyncio.Event | None, *, signals: bool) -> Iterator[None]:
    """While the block lasts, stop the worker when the event is set and, with `signals`, at each signal."""
    global _is_handling_signals
    loop = asyncio.get_running_loop()
    waiting = None if stop is None else asyncio.ensure_future(_stop_when_set(worker, stop))
    if signals:
        for number in SIGNALS:
            loop.add_signal_handler(number, worker.stop)
        _is_handling_signals = True
    try:
        yield
    finally:
        if signals:
            _is_handling_signals = False
            for number in SIGNALS:
                loop.remove_signal_handler(number)
        if waiting is not None:
            waiting.cancel()


# A process that a task forks inherits the signal handlers of the worker: a signal to that process would stop the
# worker. The signals are blocked during the fork, because one may come before the new process has its own handlers.


def _before_fork() -> None:
    _before.mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS) if _is_handling_signals else None


def _after_fork_in_child() -> None:
    if _before.mask is not None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    _after_fork()


def _after_fork() -> None:
    if _before.mask is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, _before.mask)


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)


async def _stop_when_set(worker: Worker, stop: asyncio.Event) -> None:
    await stop.wait()
    worker.stop()


def refuse_in_child() -> None:
    """Raise in a child process, which imports the program only for its tasks."""
    if is_child():
        raise InvalidInput(
            "A child process has imported this program for its tasks, and the program starts a worker when it is "
            "imported. Put what starts it under `if __name__ == '__main__':`."
        )
