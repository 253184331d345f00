"""Waiting until something changes in a folder: told by the system where it can, otherwise by looking time and again."""

import ctypes
import os
import select
import sys
import threading
from contextlib import suppress
from typing import Final, Protocol

LOOK_S: Final = 0.005
"""How often one looks at most, and how often if the system does not tell."""
TRUST_S: Final = 0.25
"""How long one waits for the system to tell. Nothing may depend on it: some file systems change without a word."""

_WRITTEN_MADE_OR_GONE: Final = 0x2 | 0x100 | 0x200 | 0x40 | 0x80
_EVENTS_BYTES: Final = 65_536


class FolderChanges(Protocol):
    """Used by one thread, and stopped by another."""

    def wait(self) -> bool:
        """Wait until something may have changed, and for a moment after the last time. False: it was stopped."""

    def stop(self) -> None:
        """Let nobody wait any longer."""

    def close(self) -> None:
        """Give back what the system lent."""


def folder_changes(folder: str) -> FolderChanges:
    """What tells of changes here."""
    told_at = _told_by_linux(folder) if sys.platform == "linux" else None
    return _Looking() if told_at is None else _Listening(told_at)


def _told_by_linux(folder: str) -> int | None:
    """A descriptor from which changes can be read; None where there are too many of them already, or none at all."""
    libc = ctypes.CDLL(None)
    try:
        descriptor: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    except AttributeError:
        return None
    if descriptor < 0:
        return None
    if libc.inotify_add_watch(descriptor, os.fsencode(folder), _WRITTEN_MADE_OR_GONE) < 0:
        os.close(descriptor)
        return None
    return descriptor


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
    """Where the system writes to a descriptor what has changed."""

    def __init__(self, told_at: int) -> None:
        self._told_at = told_at
        self._stopping = threading.Event()
        self._stopped_at, self._stop_at = os.pipe()
        self._poll = select.poll()
        self._poll.register(told_at, select.POLLIN)
        self._poll.register(self._stopped_at, select.POLLIN)

    def wait(self) -> bool:
        # Many changes in a row are one: whoever writes all the time would otherwise be kept from it.
        if self._stopping.wait(LOOK_S):
            return False
        self._poll.poll(TRUST_S * 1000)
        with suppress(BlockingIOError):  # the time was over, and nothing had happened
            os.read(self._told_at, _EVENTS_BYTES)
        return not self._stopping.is_set()

    def stop(self) -> None:
        self._stopping.set()
        os.write(self._stop_at, b"!")

    def close(self) -> None:
        for descriptor in (self._told_at, self._stopped_at, self._stop_at):
            os.close(descriptor)
