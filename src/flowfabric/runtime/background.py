"""Tasks that nobody waits for. They belong to their worker: it keeps them while they run, and ends them."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger("flowfabric.worker")


class Background:
    """The tasks of one worker beside its attempts."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Run it on this loop. It must answer for its own errors; one that it does not foresee is logged."""
        task = asyncio.ensure_future(coroutine)
        self._running.add(task)
        task.add_done_callback(self._ended)

    async def close(self, patience_s: float) -> None:
        """Wait for what runs, for so long; then cancel it."""
        if self._running:
            _, late = await asyncio.wait(set(self._running), timeout=patience_s)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=patience_s)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task in the background failed, which is a bug in flowfabric", exc_info=error)
