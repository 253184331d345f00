"""Tasks that nobody waits for, kept from being collected while they run."""

import asyncio
from collections.abc import Coroutine
from typing import Any

_running: set[asyncio.Task[Any]] = set()


def in_background(coroutine: Coroutine[Any, Any, Any]) -> None:
    """Run it on this loop. It must answer for its own errors."""
    task = asyncio.ensure_future(coroutine)
    _running.add(task)
    task.add_done_callback(_running.discard)
