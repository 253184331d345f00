"""A real store behind a door that can jam: every fault a store can have, at every point where it can have it.

It changes nothing of what the store does. Where nothing is broken it only watches what is committed.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.errors import Contention
from flowfabric.domain.outcomes import Outcome
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from flowfabric.ports.store import Store
from flowfabric.ports.writing import Answered, Batch, Decided, LockBeforeClaims, Transaction, Writer
from flowfabric.stores.postgres.complete_at_once import CompleteAtOnce
from flowfabric.stores.postgres.single_statement import SingleStatement

Point = Literal[
    "begin", "load", "decided", "save", "before commit", "after commit", "reconnect", "was_committed", "read"
]

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
        self.undecided: Counter[str] = Counter()
        """How often commands were answered undecided, by kind, and whole batches so, by statement."""
        self.struck = 0
        """How many faults happened."""
        self.reached = threading.Event()
        """Set once a transaction was asked for, also one that is held up."""
        self.loses_ends = False
        """Whether the engine does not hear of ends that concern parents or children, and so does not pass them on."""
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

    def run(self, batch: Batch) -> Answered:
        store = self._store
        store.pass_the_door()
        store.begun += 1
        store.lock_waits_ms.append(batch.lock_wait_ms)
        store.strike("begin", Needs())
        watched = WatchedBatch(store, batch)
        try:
            answered = self._inner.run(watched)
            if answered.committed is not None:
                if watched.changes is not None:
                    store.committed.append(watched.changes)
                batch.commits(answered)
                with watched.at_commit():
                    store.strike("after commit", watched.needs)
            return answered
        except Exception as error:
            if watched.failed_at_commit and not isinstance(error, (Contention, CommitUnknown)):
                # As every store does it: only contention says for certain that there was no commit.
                raise CommitUnknown(str(error), None if isinstance(error, ConnectionLost) else error) from error
            raise
        finally:
            plan = getattr(self._inner, "plan", None)
            if isinstance(plan, SingleStatement | CompleteAtOnce) and watched.was_about_to_commit:
                store.undecided[plan.statement] += 1

    def was_committed(self, batch_id: bytes) -> bool:
        self._store.strike("was_committed", Needs())
        return self._inner.was_committed(batch_id)

    def reconnect(self) -> None:
        self._store.strike("reconnect", Needs())
        self._inner.reconnect()

    def close(self) -> None:
        self._inner.close()


class WatchedBatch:
    """A batch that fails where the store was told to."""

    def __init__(self, store: FaultyStore, inner: Batch) -> None:
        self._store = store
        self._inner = inner
        self.needs = Needs()
        self.changes: Changes | None = None
        self.was_about_to_commit = False
        self.failed_at_commit = False
        self._answered: Mapping[int, Outcome] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def decide(self, tx: Transaction, answered: Mapping[int, Outcome], lock: LockBeforeClaims | None = None) -> Decided:
        self._answered = answered
        decided = self._inner.decide(WatchedTransaction(self, tx), answered, lock)
        self.changes = decided.changes
        self._store.strike("decided", self.needs)
        if self._store.loses_ends:
            decided = replace(decided, committed=replace(decided.committed, unsettled=()))
        return decided

    def load(self, tx: Transaction, needs: Needs) -> Loaded:
        self.needs = needs
        self._store.loads += 1
        self._store.strike("load", needs)
        return tx.load(needs)

    @contextmanager
    def at_commit(self) -> Iterator[None]:
        """What fails within the block fails like a commit."""
        try:
            yield
        except Exception:
            self.failed_at_commit = True
            raise

    def commits(self, answered: Answered | None) -> None:
        if not self.was_about_to_commit:
            self.was_about_to_commit = True
            undecided = range(len(self._inner.envelopes)) if self._answered is None else self._answered
            self._store.undecided.update(type(self._inner.envelopes[place].command).__name__ for place in undecided)
            self._store.strike("save", self.needs)
            with self.at_commit():
                self._store.strike("before commit", self.needs)
        self._inner.commits(answered)


class WatchedTransaction:
    """The transaction inside, with what it loads watched."""

    def __init__(self, batch: WatchedBatch, inner: Transaction) -> None:
        self._batch = batch
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def load(self, needs: Needs) -> Loaded:
        return self._batch.load(self._inner, needs)
