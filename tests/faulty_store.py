"""A real store behind a door that can jam: every fault a store can have, at every point where it can have it.

It changes nothing of what the store does. Where nothing is broken it only watches what is committed.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

import msgspec

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.commands import Envelope
from flowfabric.ports.store import Store
from flowfabric.ports.writing import Easily, Transaction, Writer

Point = Literal["begin", "load", "save", "before commit", "after commit", "reconnect", "was_committed", "read"]

READS = frozenset(
    {"execution", "result", "steps", "attempts", "events", "events_from_now", "flow", "flow_view", "ping"}
)
"""Reads that can be held up, or fail."""

HELD_S_MAX = 30.0


class Fault(msgspec.Struct):
    """What goes wrong, where, how often, and for which needs."""

    point: Point
    error: Exception
    left: int
    when: Callable[[Needs], bool]


class FaultyStore:
    """A store that does what the one inside it does, unless it was told to break."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner
        self.committed: list[Changes] = []
        """What every batch has written, in order."""
        self.begun = 0
        """How many transactions were opened."""
        self.lock_waits_ms: list[int | None] = []
        """How long each of them was to wait for locks."""
        self.loads = 0
        """How often a transaction was asked to load something."""
        self.easy: Counter[str] = Counter()
        """How often commands were answered undecided, by kind, and whole batches so, by statement."""
        self.struck = 0
        """How many faults happened."""
        self.reached = threading.Event()
        """Set once a transaction was asked for, also one that is held up."""
        self._faults: list[Fault] = []
        self._open = threading.Event()
        self._open.set()
        self._readable = threading.Event()
        self._readable.set()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        return partial(self._read, found) if name in READS else found

    def _read(self, read: Callable[..., Any], *args: object) -> Any:
        assert self._readable.wait(HELD_S_MAX), "a read was held up for too long"
        self.strike("read", Needs())
        return read(*args)

    def breaks(
        self, point: Point, error: Exception, *, times: int = 1, when: Callable[[Needs], bool] = lambda needs: True
    ) -> None:
        """Let the next so many passages of the point fail."""
        self._faults.append(Fault(point, error, times, when))

    def heals(self) -> None:
        """Let nothing fail any more."""
        self._faults.clear()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let no transaction begin while the block lasts."""
        self.reached.clear()
        self._open.clear()
        try:
            yield
        finally:
            self._open.set()

    @contextmanager
    def reads_held(self) -> Iterator[None]:
        """Let no read be answered while the block lasts."""
        self._readable.clear()
        try:
            yield
        finally:
            self._readable.set()

    def strike(self, point: Point, needs: Needs) -> None:
        """Fail here if it was said so."""
        for fault in list(self._faults):
            if fault.point == point and fault.left > 0 and fault.when(needs):
                fault.left -= 1
                self.struck += 1
                raise type(fault.error)(*fault.error.args)

    def pass_the_door(self) -> None:
        """Wait while transactions are held up."""
        self.reached.set()
        assert self._open.wait(HELD_S_MAX), "a transaction was held up for too long"

    def writer(self) -> "FaultyWriter":
        return FaultyWriter(self, self.inner.writer())


class FaultyWriter:
    """The writer inside, with faults."""

    def __init__(self, store: FaultyStore, inner: Writer) -> None:
        self._store = store
        self._inner = inner

    def begin(self, batch_id: bytes, lock_wait_ms: int | None = None) -> "FaultyTransaction":
        self._store.pass_the_door()
        self._store.begun += 1
        self._store.lock_waits_ms.append(lock_wait_ms)
        self._store.strike("begin", Needs())
        return FaultyTransaction(self._store, self._inner.begin(batch_id, lock_wait_ms))

    def was_committed(self, batch_id: bytes) -> bool:
        self._store.strike("was_committed", Needs())
        return self._inner.was_committed(batch_id)

    def reconnect(self) -> None:
        self._store.strike("reconnect", Needs())
        self._inner.reconnect()

    def close(self) -> None:
        self._inner.close()


class FaultyTransaction:
    """The transaction inside, with faults."""

    def __init__(self, store: FaultyStore, inner: Transaction) -> None:
        self._store = store
        self._inner = inner
        self._needs = Needs()
        self._changes: Changes | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def answer_easy(self, batch: Sequence[Envelope]) -> Easily:
        easily = self._inner.answer_easy(batch)
        self._store.easy.update(type(batch[place].command).__name__ for place in easily.answers)
        if (at_once := getattr(self._inner, "_at_once", None)) is not None:
            self._store.easy[at_once.statement] += 1
        return easily

    def load(self, needs: Needs) -> Loaded:
        self._needs = needs
        self._store.loads += 1
        self._store.strike("load", needs)
        return self._inner.load(needs)

    def save(self, changes: Changes) -> None:
        self._store.strike("save", self._needs)
        self._inner.save(changes)
        self._changes = changes

    def commit(self) -> None:
        try:
            self._store.strike("before commit", self._needs)
        except Exception:
            self._inner.rollback()
            raise
        self._inner.commit()
        if self._changes is not None:
            self._store.committed.append(self._changes)
        self._store.strike("after commit", self._needs)

    def rollback(self) -> None:
        self._inner.rollback()
