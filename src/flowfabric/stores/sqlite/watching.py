"""Noticing what other processes commit to a SQLite file: its write-ahead log changes."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flowfabric.ports import OnReady

LOOK_S: Final = 0.005
"""How long a commit of another process goes unnoticed at most. Looking costs microseconds."""


@contextmanager
def watching_log(path: str, on_ready: OnReady) -> Iterator[None]:
    """Call `on_ready` soon after each commit to the file, while the block lasts. Which lanes it concerns is unknown."""
    stopping = threading.Event()
    thread = threading.Thread(
        target=_watch, args=(f"{path}-wal", on_ready, stopping), name="flowfabric-watcher", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def _watch(log: str, on_ready: OnReady, stopping: threading.Event) -> None:
    seen = _state_of(log)
    while not stopping.wait(LOOK_S):
        state = _state_of(log)
        if state != seen:
            seen = state
            on_ready(None)


def _state_of(log: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(log)
    except OSError:
        return None  # checkpointed and removed, or not there yet
    return found.st_ino, found.st_size, found.st_mtime_ns
