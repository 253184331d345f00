"""The engine of a process: opened when it is first needed, shared by everyone in the process, closed at its end."""

import asyncio
import atexit
import gc
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from flowfabric.app import EnginePair
from flowfabric.engine.engine import Engine
from flowfabric.engine.shells import run_now
from flowfabric.runtime.engines import CallerEngine

T = TypeVar("T")

COLLECT_AFTER: Final = 10_000
"""After how many new objects a worker or a server collects garbage. Python's default of 700 would be far too often."""


class ProcessEngine:
    """One engine per process, opened when it is first needed. Tasks and handles get the engine from here."""

    def __init__(self, open_: Callable[[ExitStack], EnginePair], *, is_shared: bool) -> None:
        self._open = open_
        self._is_shared = is_shared
        self._by_process: dict[int, _Opened] = {}
        self._stays_open = False

    async def engine(self) -> Engine:
        """The engine for the running event loop, opened if need be."""
        engines = self._of_this_process().engines
        if engines is None:
            engines = await asyncio.to_thread(self.opened)
        return engines.engine

    def run(self, work: Callable[[CallerEngine], Coroutine[Any, Any, T]]) -> T:
        """Run the work in the caller's thread, without an event loop."""
        return run_now(work(self.opened().blocking))

    def opened(self) -> EnginePair:
        """The engine, for async and for synchronous callers."""
        opened = self._of_this_process()
        with opened.lock:
            return self._open_engines(opened)

    def _open_engines(self, opened: "_Opened") -> EnginePair:
        if opened.engines is None:
            stack = ExitStack()
            try:
                opened.engines = self._open(stack)
            except BaseException:
                stack.close()
                raise
            opened.closing = atexit.register(partial(_close, stack, os.getpid()))
        return opened.engines

    def enter(self) -> EnginePair:
        """The same; the engine stays open until `leave`."""
        opened = self._of_this_process()
        with opened.lock:
            engines = self._open_engines(opened)
            opened.uses += 1
            return engines

    def leave(self, *, closes: bool) -> None:
        """End a use of the engine. The last `leave` closes the engine, if any use wanted it closed."""
        opened = self._of_this_process()
        if not opened.is_ours:
            return
        with opened.lock:
            opened.uses = max(0, opened.uses - 1)
            opened.is_to_close |= closes
            self._close_if_unused(opened)

    @property
    def is_used(self) -> bool:
        """Whether a use of this process has called `enter`, but not yet `leave`."""
        opened = self._of_this_process()
        return opened.is_ours and opened.uses > 0

    @contextmanager
    def rebound(self, open_: Callable[[ExitStack], EnginePair]) -> Iterator[EnginePair]:
        """Provide another engine while the block lasts. The engine that was open before stays open."""
        before = self._open, self._is_shared, self._by_process, self._stays_open
        self._open, self._is_shared, self._by_process, self._stays_open = open_, False, {}, True
        try:
            yield self.opened()
        finally:
            opened = self._of_this_process()
            with opened.lock:
                opened.close()
            self._open, self._is_shared, self._by_process, self._stays_open = before

    def close(self) -> None:
        """Close the engine of this process, now or at the last `leave`."""
        opened = self._of_this_process()
        if not opened.is_ours:
            return
        with opened.lock:
            opened.is_to_close = True
            self._close_if_unused(opened)

    def _close_if_unused(self, opened: "_Opened") -> None:
        # The engine of a `rebound` block stays open, even if the tested program closes its fabric.
        if opened.is_to_close and not opened.uses and not self._stays_open:
            opened.close()

    def _of_this_process(self) -> "_Opened":
        """What this process has opened. A forked child starts anew, and does not touch what its parent has opened.

        A store in memory cannot be opened anew: there the child gets its parent's engine, which refuses to be used.
        """
        pid = os.getpid()
        if not self._is_shared:
            pid = next(iter(self._by_process), pid)
        return self._by_process.setdefault(pid, _Opened())


class _Opened:
    """The engine that one process has opened, and who uses it."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self.lock = threading.Lock()
        self.engines: EnginePair | None = None
        self.closing: Callable[[], None] | None = None
        self.uses = 0
        """How many blocks and workers use the engine now."""
        self.is_to_close = False
        """Whether one of them wants the engine closed; the last one closes it."""

    @property
    def is_ours(self) -> bool:
        """Whether this process has opened the engine. A forked child has not, and must not close it."""
        return self._pid == os.getpid()

    def close(self) -> None:
        """Close the engine if it is open. The caller holds the lock."""
        self.is_to_close = False
        if self.engines is not None and self.closing is not None:
            self.engines = None
            atexit.unregister(self.closing)
            self.closing()


def _close(stack: ExitStack, pid: int) -> None:
    # A forked child comes here at its end, too; but the engine belongs to its parent.
    if os.getpid() == pid:
        stack.close()


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """For a process that is only a worker or a server: collections are rare, and skip all imported objects."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
