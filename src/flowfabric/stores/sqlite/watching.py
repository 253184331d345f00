"""Noticing the commits of other processes to a SQLite file: its write-ahead log changes while we do not write."""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from flowfabric.domain.news import OnOthersCommit
from flowfabric.stores.sqlite.file_changes import FileChanges, file_changes

log = logging.getLogger("flowfabric.stores.sqlite")

RETRY_S: Final = 2.0
"""How long the watcher rests after an unexpected error."""

LogState = tuple[int, int, int]


class LogWatch:
    """Knows the state of the log after our own commits, so that only commits of others are reported."""

    def __init__(self, path: str) -> None:
        self._log = f"{path}-wal"
        self._is_watched = False
        self._stopping = threading.Event()
        self._we_write = False
        self._seen: LogState | None = None
        self._left_by_us: LogState | None = None
        self._is_overwritten = False
        """Whether others have committed, and we have written after them before the watcher saw it."""

    def we_begin(self) -> None:
        """We hold the write lock: changes until `we_end` are ours, and changes before are those of others."""
        if self._is_watched and self._state() not in (self._seen, self._left_by_us):
            self._is_overwritten = True
        self._we_write = True

    def we_committed(self) -> None:
        """Set the log's time of change, so that other processes look once more.

        They saw that we write, but could not read yet what we wrote. On a slow disk that may be long ago. Our time also
        differs from theirs, even on systems that give the same time to all changes within some milliseconds.
        """
        with suppress(OSError):  # the log is not there, or belongs to another user
            now_ns = time.time_ns()
            os.utime(self._log, ns=(now_ns, now_ns))

    def we_end(self) -> None:
        """Note the state of the log after our own commit, while we still hold the write lock."""
        if self._is_watched:
            self._left_by_us = self._state()
        self._we_write = False

    @contextmanager
    def watching(self, on_commit: OnOthersCommit) -> Iterator[None]:
        """Call `on_commit` soon after each commit of others, while the block lasts. What was committed is unknown.

        Now and then `on_commit` is also called for a commit of our own.
        """
        changes = file_changes(self._log)
        self._stopping.clear()
        thread = threading.Thread(target=self._watch, args=(on_commit, changes), name="flowfabric-watcher", daemon=True)
        self._seen = self._state()
        self._is_watched = True
        thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            changes.stop()
            thread.join()
            changes.close()

    def _watch(self, on_commit: OnOthersCommit, changes: FileChanges) -> None:
        while not self._stopping.is_set():
            try:
                while changes.wait():
                    self._look(on_commit)
            except Exception as error:
                log.exception("the watcher failed; everyone polls until it watches again", extra={"cause": str(error)})
                self._stopping.wait(RETRY_S)

    def _look(self, on_commit: OnOthersCommit) -> None:
        if self._is_overwritten:
            self._is_overwritten = False
            on_commit(None)
        if self._we_write:
            return  # we are writing: nobody else can, and our own change is not complete yet
        state = self._state()
        if state != self._seen:
            self._seen = state
            if state != self._left_by_us:
                on_commit(None)

    def _state(self) -> LogState | None:
        try:
            found = os.stat(self._log)
        except OSError:
            return None  # the log was removed after a checkpoint, or does not exist yet
        return found.st_ino, found.st_size, found.st_mtime_ns
