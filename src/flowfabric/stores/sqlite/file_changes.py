"""Waiting until a file is written to: told by the system where it can, otherwise by looking time and again."""

import ctypes
import os
import select
import sys
import threading
from contextlib import suppress
from typing import Any, Final, Protocol

LOOK_S: Final = 0.005
"""How often one looks at most, and how often if the system does not tell."""
TRUST_S: Final = 0.25
"""How long one waits for the system to tell. Nothing may depend on it: some file systems change without a word."""

_WRITTEN_TO: Final = 0x2
_MADE_OR_MOVED_THERE: Final = 0x100 | 0x80
_EVENTS_BYTES: Final = 65_536


class FileChanges(Protocol):
    """Used by one thread, and stopped by another."""

    def wait(self) -> bool:
        """Wait until the file may have changed, and for a moment after the last time. False: it was stopped."""

    def stop(self) -> None:
        """Let nobody wait any longer."""

    def close(self) -> None:
        """Give back what the system lent."""


def file_changes(path: str) -> FileChanges:
    """What tells of changes to a file, which need not be there yet."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        descriptor: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if descriptor >= 0:  # otherwise too many are in use already
            return _Listening(path, libc, descriptor)
    return _Looking()


class _Looking:
    """Where nobody tells."""

    def __init__(self) -> None:
        self._stopping = threading.Event()

    def wait(self) -> bool:
        return not self._stopping.wait(LOOK_S)

    def stop(self) -> None:
        self._stopping.set()

    def close(self) -> None:
        pass


class _Listening:
    """Where Linux writes to a descriptor what has changed."""

    def __init__(self, path: str, libc: Any, told_at: int) -> None:
        self._path = os.fsencode(path)
        self._libc = libc
        self._told_at = told_at
        self._stopping = threading.Event()
        self._stopped_at, self._stop_at = os.pipe()
        self._poll = select.poll()
        self._poll.register(told_at, select.POLLIN)
        self._poll.register(self._stopped_at, select.POLLIN)
        libc.inotify_add_watch(told_at, os.path.dirname(self._path), _MADE_OR_MOVED_THERE)
        self._watch_file()

    def _watch_file(self) -> None:
        """Have the file watched that is there now, if there is one; for one that is watched already nothing changes."""
        self._libc.inotify_add_watch(self._told_at, self._path, _WRITTEN_TO)

    def wait(self) -> bool:
        # Many changes in a row are one: whoever writes all the time would otherwise be kept from it.
        if self._stopping.wait(LOOK_S):
            return False
        self._poll.poll(TRUST_S * 1000)
        with suppress(BlockingIOError):  # the time was over, and nothing had happened
            os.read(self._told_at, _EVENTS_BYTES)
        self._watch_file()
        return not self._stopping.is_set()

    def stop(self) -> None:
        self._stopping.set()
        os.write(self._stop_at, b"!")

    def close(self) -> None:
        for descriptor in (self._told_at, self._stopped_at, self._stop_at):
            os.close(descriptor)
