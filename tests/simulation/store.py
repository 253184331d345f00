"""A process's connection to the one store that all processes share, with everything that can go wrong on the way."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from flowfabric.domain.errors import Contention
from flowfabric.ports.errors import ConnectionLost, LockHeld
from flowfabric.stores.memory.store import MemoryStore, MemoryTransaction, MemoryWriter
from tests.simulation.strands import Process

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Changes, Loaded, Needs
    from flowfabric.domain.news import Committed
    from tests.simulation.world import World

NEVER_READ = frozenset({"name", "connections", "now_ms", "callers_connection", "listen_for"})
"""What a store says without asking its database."""


class Line:
    """What is wrong with the connection of one process."""

    def __init__(self) -> None:
        self.away_until = 0.0
        """Until when nothing reaches the store."""
        self.slow_until = 0.0
        self.slow_s = 0.0
        self.answers_to_lose = 0
        """How many of the next commits happen without an answer."""
        self.commits_to_lose = 0
        """How many of the next commits never arrive."""
        self.contentions = 0
        """How many of the next batches meet contention."""
        self.held: dict[str, float] = {}
        """Executions that a foreign transaction holds, and until when."""

    def heal(self) -> None:
        """Nothing is wrong any more."""
        self.__init__()  # type: ignore[misc]


class Connected:
    """The store as one process sees it."""

    def __init__(self, world: "World", process: Process, line: Line, inner: MemoryStore, committers: int) -> None:
        self._world = world
        self._process = process
        self._line = line
        self._inner = inner
        self.committers = committers

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found):
            return found
        asked = found if name in NEVER_READ else partial(self._read, found)
        self.__dict__[name] = asked  # it is asked for again and again
        return asked

    def _read(self, read: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.check_reachable()
        return read(*args, **kwargs)

    def check_reachable(self) -> None:
        """Raise if the store is away."""
        if self._line.away_until > self._world.now:
            raise ConnectionLost("the store is away")

    def writer(self) -> "ConnectedWriter":
        return ConnectedWriter(self)

    @contextmanager
    def watch(self, on_commit: "Callable[[Committed | None], None]") -> Iterator[None]:
        watchers = self._world.watchers
        entry = (self._process, on_commit)
        watchers.append(entry)
        try:
            yield
        finally:
            watchers.remove(entry)

    def close(self) -> None:
        """The store outlives every process."""


class ConnectedWriter(MemoryWriter):
    """A connection on which batches are written."""

    def __init__(self, connected: Connected) -> None:
        super().__init__(connected._inner)
        self._connected = connected

    def begin(self, *args: Any) -> "ConnectedTransaction":  # type: ignore[override]
        store, line = self._connected, self._connected._line
        world = store._world
        pause_s = line.slow_s if line.slow_until > world.now else world.commit_s()
        if pause_s:
            world.scheduler.wait(pause_s)
        store.check_reachable()
        return ConnectedTransaction(store, super().begin(*args))

    def was_committed(self, batch_id: bytes) -> bool:
        self._connected.check_reachable()
        return super().was_committed(batch_id)

    def reconnect(self) -> None:
        self._connected.check_reachable()
        super().reconnect()


class ConnectedTransaction:
    """One batch. Nobody else has a turn while it is open, as no other process sees into a transaction."""

    def __init__(self, store: Connected, inner: MemoryTransaction) -> None:
        self._store = store
        self._inner = inner
        self.now_ms, self.era = inner.now_ms, inner.era
        self._changes: Changes | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def load(self, needs: "Needs") -> "Loaded":
        line, now = self._store._line, self._store._world.now
        if line.contentions:
            line.contentions -= 1
            raise Contention("somebody else has written it meanwhile")
        if any(line.held.get(str(key), 0.0) > now for key in needs.executions):
            raise LockHeld("a foreign transaction holds an execution")
        return self._inner.load(needs)

    def save(self, changes: "Changes") -> None:
        self._changes = changes
        self._inner.save(changes)

    def commit(self) -> None:
        line, world = self._store._line, self._store._world
        if line.commits_to_lose:
            line.commits_to_lose -= 1
            self._inner.rollback()
            raise ConnectionLost("the commit never arrived")
        self._inner.commit()
        if self._changes is not None:
            world.committed(self._store._process, self._changes, self.now_ms)
        if line.answers_to_lose:
            line.answers_to_lose -= 1
            world.scheduler.wait(0.01)
            raise ConnectionLost("the answer to a commit was lost")
