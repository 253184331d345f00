"""Tasks that nobody waits for, kept from being collected while they run."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger("flowfabric.worker")

_running: set[asyncio.Task[Any]] = set()


def in_background(coroutine: Coroutine[Any, Any, Any]) -> None:
    """Run it on this loop. It must answer for its own errors; one that it does not foresee is logged."""
    task = asyncio.ensure_future(coroutine)
    _running.add(task)
    task.add_done_callback(_ended)


def _ended(task: asyncio.Task[Any]) -> None:
    _running.discard(task)
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a task in the background failed, which is a bug in flowfabric", exc_info=error)
