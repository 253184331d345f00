"""Waiting until a file is written to: through inotify on Linux, by polling elsewhere."""

import ctypes
import os
import select
import sys
import threading
from contextlib import suppress
from typing import Any, Final, Protocol

FILE_POLL_S: Final = 0.002
"""The least time between two checks of the file, and the time between two checks where the system sends no events."""
EVENT_WAIT_S: Final = 0.25
"""The longest wait for an event of the system. Some file systems send none, so a wait must end by itself."""

_WRITTEN_TO_OR_MARKED: Final = 0x2 | 0x4
_MADE_OR_MOVED_THERE: Final = 0x100 | 0x80
_EVENTS_BYTES: Final = 65_536


class FileChanges(Protocol):
    """Waits for changes of a file. One thread waits, and another one stops it."""

    def wait(self) -> bool:
        """Wait until the file may have changed, and at least a moment since the last call. False: it was stopped."""

    def stop(self) -> None:
        """End the wait, and let no other begin."""

    def close(self) -> None:
        """Close all file descriptors."""


def file_changes(path: str) -> FileChanges:
    """The best way to wait for changes of a file on this system. The file need not exist yet."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        descriptor: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if descriptor >= 0:  # otherwise too many descriptors are in use already
            return _Listening(path, libc, descriptor)
    return _Polling()


class _Polling:
    """Polling, where the system sends no events."""

    def __init__(self) -> None:
        self._stopping = threading.Event()

    def wait(self) -> bool:
        return not self._stopping.wait(FILE_POLL_S)

    def stop(self) -> None:
        self._stopping.set()

    def close(self) -> None:
        pass


class _Listening:
    """Linux's inotify, which writes events to a descriptor."""

    def __init__(self, path: str, libc: Any, events_at: int) -> None:
        self._path = os.fsencode(path)
        self._libc = libc
        self._events_at = events_at
        self._stopping = threading.Event()
        self._stopped_at, self._stop_at = os.pipe()
        self._poll = select.poll()
        self._poll.register(events_at, select.POLLIN)
        self._poll.register(self._stopped_at, select.POLLIN)
        libc.inotify_add_watch(events_at, os.path.dirname(self._path), _MADE_OR_MOVED_THERE)
        self._watch_file()

    def _watch_file(self) -> None:
        """Watch the file that is at the path now, if there is one. If it is watched already, nothing changes."""
        self._libc.inotify_add_watch(self._events_at, self._path, _WRITTEN_TO_OR_MARKED)

    def wait(self) -> bool:
        # Many changes in a row count as one, because each check of the file delays its writers.
        if self._stopping.wait(FILE_POLL_S):
            return False
        self._poll.poll(EVENT_WAIT_S * 1000)
        with suppress(BlockingIOError):  # the wait ended without an event
            os.read(self._events_at, _EVENTS_BYTES)
        self._watch_file()
        return not self._stopping.is_set()

    def stop(self) -> None:
        self._stopping.set()
        os.write(self._stop_at, b"!")

    def close(self) -> None:
        for descriptor in (self._events_at, self._stopped_at, self._stop_at):
            os.close(descriptor)
