"""Who may write to a database file: one process at a time, in turn.

SQLite before 3.51.3 can corrupt a write-ahead log when two processes write and checkpoint at once, and its own busy
handler lets a busy process starve the others. So every write transaction, every checkpoint and every close holds
`flock` on a sidecar file. A second sidecar is the turnstile: a waiting process holds it, so a process that has just
written cannot take the lock again before the waiting one.

`flock` belongs to an open file, and the threads of an engine share the open file, so they also take turns by a lock in
memory.
"""

import errno
import fcntl
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

from flowfabric.domain.errors import StoreUnavailable

WAIT_S_MAX: Final = 10.0
POLL_S: Final = (0.0001, 0.005)


class WriteLock:
    """The right to write, held by one open database of one process at a time."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._turnstile = _open(f"{database}-turn")
        try:
            self._lock = _open(f"{database}-lock")
        except BaseException:
            os.close(self._turnstile)
            raise
        self._one_thread = threading.Lock()
        _open_locks.add(self)

    def acquire(self, wait_s: float | None = None) -> None:
        """Take the lock. Waits in turn, for a bounded time."""
        for pause_s in self.acquiring(wait_s):
            time.sleep(pause_s)

    def acquiring(self, wait_s: float | None = None) -> Iterator[float]:
        """Take the lock without blocking: yields how long the caller should pause, until the lock is taken."""
        wait_s = WAIT_S_MAX if wait_s is None else wait_s
        give_up_at = time.monotonic() + wait_s
        if not self._one_thread.acquire(blocking=False):
            yield from self._until(partial(self._one_thread.acquire, blocking=False), give_up_at, wait_s)
        try:
            if not _took(self._turnstile):
                yield from self._until(partial(_took, self._turnstile), give_up_at, wait_s)
            try:
                if not _took(self._lock):
                    yield from self._until(partial(_took, self._lock), give_up_at, wait_s)
            finally:
                fcntl.flock(self._turnstile, fcntl.LOCK_UN)
        except BaseException:
            self._one_thread.release()
            raise
        self._leave_our_name()

    def _leave_our_name(self) -> None:
        """Store our process id, for error messages of others, unless it is there already."""
        ours = b"%-20d" % os.getpid()
        with suppress(OSError):  # a full disk refuses to store it, and must not keep us from the lock
            if os.pread(self._lock, len(ours), 0) != ours:
                os.pwrite(self._lock, ours, 0)

    def release(self) -> None:
        """Let the next process or thread write."""
        if self._lock >= 0:  # in a forked child the lock is not ours
            fcntl.flock(self._lock, fcntl.LOCK_UN)
        self._one_thread.release()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock while the block lasts."""
        self.acquire()
        try:
            yield
        finally:
            self.release()

    def close(self) -> None:
        """Close the lock files."""
        _open_locks.discard(self)
        self.forget()

    def forget(self) -> None:
        """Close the lock files in a forked child, so that the child does not share its parent's lock."""
        for file in (self._lock, self._turnstile):
            if file >= 0:
                os.close(file)
        self._lock = self._turnstile = -1

    @property
    def holder(self) -> str:
        """The id of the process that has taken the lock last, if it could be stored."""
        return os.pread(self._lock, 20, 0).decode("ascii", "replace").strip() or "unknown"

    def _until(self, took: Callable[[], bool], give_up_at: float, wait_s: float) -> Iterator[float]:
        pause, pause_max = POLL_S
        while not took():
            if time.monotonic() >= give_up_at:
                raise StoreUnavailable(self._who_holds_it(wait_s))
            yield pause
            pause = min(pause * 1.5, pause_max)

    def _who_holds_it(self, wait_s: float) -> str:
        holder = self.holder
        advice = "send it again, or look at what that process does."
        if holder == str(os.getpid()):
            advice = (
                "that is this process. Inside a block of `transaction(conn)`, submit with conn=; or submit after "
                "the block."
            )
        return (
            f"{self._database} has been locked for writing for {wait_s:.0f} s by the process with pid {holder}. "
            f"Nothing was changed; {advice}"
        )


def _took(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _open(path: str) -> int:
    try:
        # A link could lead to another program's file, and we would write our process id into it.
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise StoreUnavailable(f"The lock file {path} is a symbolic link. Remove it; a new one is made.") from error
        raise StoreUnavailable(
            f"The lock file {path} cannot be opened: {error.strerror}. Check that you may write to it and its folder."
        ) from error


_open_locks: "weakref.WeakSet[WriteLock]" = weakref.WeakSet()


def _after_fork() -> None:
    for lock in list(_open_locks):
        lock.forget()
    _open_locks.clear()


os.register_at_fork(after_in_child=_after_fork)
