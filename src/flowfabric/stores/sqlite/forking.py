"""No connection of ours is open while the process forks.

SQLite notes in memory which locks its process holds on a file. A forked child inherits the notes without the locks: if
it opens a file that was open at the fork, the file is not locked, and when the parent closes its last connection, it
removes the log that the child uses. So a fork waits until no thread uses a connection, then closes all of them, and
both processes open new ones when they need them. Files that could not be closed, and files that other code has open,
are found by the child among its descriptors, and it refuses to use them.
"""

import logging
import os
import stat
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from flowfabric.domain.errors import StoreError
from flowfabric.stores.sqlite.connection import FileId, file_id

if TYPE_CHECKING:
    from flowfabric.stores.sqlite.store import SqliteStore

log = logging.getLogger("flowfabric.stores.sqlite")

FORK_WAIT_S: Final = 10.0
"""How long a fork waits for threads that use a connection."""


class Uses:
    """Which threads use SQLite now, and whether the process is about to fork."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._threads: list[int] = []
        """The threads that use a connection of ours, each as often as it has called `begin`."""
        self._blocks = 0
        """How many transactions are open on connections of callers, which we cannot close."""
        self._is_forking = False

    def begin(self) -> None:
        """Wait until no fork is under way. The next fork waits for `end`, which the same thread must call."""
        me = threading.get_ident()
        with self._changed:
            while self._is_forking and me not in self._threads:
                self._changed.wait()
            self._threads.append(me)

    def end(self) -> None:
        """Let the process fork."""
        me = threading.get_ident()
        with self._changed:
            # A child lacks the entry if the thread that forked was itself using a connection.
            if me in self._threads:
                self._threads.remove(me)
                self._changed.notify_all()

    def begin_block(self) -> None:
        """Note that a transaction on a caller's own connection begins. No fork waits for its end."""
        with self._changed:
            while self._is_forking:
                self._changed.wait()
            self._blocks += 1

    def end_block(self) -> None:
        """Note that such a transaction has ended."""
        with self._changed:
            self._blocks = max(0, self._blocks - 1)

    @property
    def is_busy(self) -> bool:
        """Whether a thread uses a connection of ours."""
        return bool(self._threads)

    def stop(self) -> bool:
        """Let no thread begin, and wait for a bounded time until all have ended. Returns whether all have ended."""
        with self._changed:
            self._is_forking = True
            # A thread that uses a connection may wait for the block's lock, and a thread cannot wait for itself.
            if self._blocks or threading.get_ident() in self._threads:
                return False
            return self._changed.wait_for(lambda: not self._threads, FORK_WAIT_S)

    def go_on(self) -> None:
        """Let waiting threads begin."""
        with self._changed:
            self._is_forking = False
            self._changed.notify_all()


_one_fork = threading.RLock()
_uses = Uses()
_stores: "weakref.WeakValueDictionary[int, SqliteStore]" = weakref.WeakValueDictionary()
_pid = os.getpid()
_was_busy = False
"""Whether another thread of the parent was inside SQLite at the fork. Its locks in memory may stay locked for ever."""
_inherited: frozenset[FileId] = frozenset()
"""The files that were open at the fork."""


def begin_use() -> None:
    """Keep the process from forking until the same thread calls `end_use`."""
    _uses.begin()


def end_use() -> None:
    """Note that this thread does not use its connections any more."""
    _uses.end()


@contextmanager
def using() -> Iterator[None]:
    """Keep the process from forking while the block uses a connection of ours."""
    begin_use()
    try:
        yield
    finally:
        end_use()


@contextmanager
def callers_block() -> Iterator[None]:
    """Around a transaction on a caller's own connection. A child that is forked meanwhile cannot use the file."""
    _uses.begin_block()
    try:
        yield
    finally:
        _uses.end_block()


def close_at_forks(store: "SqliteStore") -> None:
    """Let each fork close the store's connections first."""
    _stores[id(store)] = store


def refuse_inherited(path: str) -> None:
    """Raise if the file was open when this process was forked, or if SQLite itself may be locked here for ever."""
    if os.getpid() != _pid:
        _after_in_child()  # code outside Python has forked, so Python's hook did not run
    if file_id(path) in _inherited:
        raise StoreError(
            f"{path} cannot be used in process {os.getpid()}: it was in use in the parent process at the moment of the "
            "fork, and SQLite would work here without its locks. Close your own connections to the file before the "
            "fork, or start the process in another way, for example with multiprocessing's 'spawn'."
        )
    if _was_busy:
        raise StoreError(
            f"{path} cannot be used in process {os.getpid()}: a thread of the parent process was inside SQLite at the "
            "moment of the fork, so that no SQLite file can be used in this process. Fork while nothing uses SQLite, "
            "or start the process in another way, for example with multiprocessing's 'spawn'."
        )


def _all_stores() -> "list[SqliteStore]":
    return [store for found in _stores.valuerefs() if (store := found()) is not None]


def _before() -> None:
    _one_fork.acquire()
    if not _uses.stop():
        log.warning("the process forks while SQLite is in use, so that the child cannot use the same file")
        return
    for store in _all_stores():
        store.close_connections()


def _after_in_parent() -> None:
    _uses.go_on()
    _one_fork.release()


def _after_in_child() -> None:
    global _one_fork, _uses, _pid, _was_busy, _inherited
    # First release the waiting threads, so that none waits for ever if the rest fails.
    _was_busy = _was_busy or _uses.is_busy
    _one_fork = threading.RLock()
    _uses = Uses()
    _pid = os.getpid()
    _inherited = frozenset(_open_files())
    for store in _all_stores():
        if store.has_connections:
            _keep_for_ever(store)
    _stores.clear()


def _open_files() -> Iterator[FileId]:
    try:
        descriptors = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        descriptors = list(range(4096))
    for descriptor in descriptors:
        try:
            found = os.fstat(descriptor)
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode):
            yield found.st_dev, found.st_ino


def _keep_for_ever(what: object) -> None:
    """Keep an object for ever.

    A copy of the parent's connection must never be closed: closing it writes to the file.
    """
    import ctypes

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(what))


os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
