"""Wake-ups: hints that something was committed, by this process or another. Losing one costs a poll, never an event."""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from flowfabric.ports import Committed, Lane, Store

ANY_EVENT: Final = ""
"""What subscribers listen for; others listen for an execution's id, a flow's, or a lane."""

Topic = str | Lane


class Wakeups:
    """Rings whoever listens for an execution's end, for any event, or for work in a lane."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._listening: dict[Topic, list[Callable[[], None]]] = {}
        self._for_work = 0
        self._watching = ExitStack()

    @contextmanager
    def listening(self, topic: Topic, ring: Callable[[], None]) -> Iterator[None]:
        """Have `ring` called, from any thread, after each commit that concerns the topic."""
        with self._lock:
            self._listening.setdefault(topic, []).append(ring)
        try:
            yield
        finally:
            with self._lock:
                rings = self._listening[topic]
                rings.remove(ring)
                if not rings:
                    del self._listening[topic]

    @contextmanager
    def listening_for_work(self, lanes: Iterable[Lane], ring: Callable[[], None]) -> Iterator[None]:
        """Have `ring` called when something may be claimed in one of the lanes, whichever process made it ready."""
        with ExitStack() as stack:
            for lane in lanes:
                stack.enter_context(self.listening(lane, ring))
            with self._watched():
                yield

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Watch other processes for as long as anyone listens for work."""
        with self._lock:
            self._for_work += 1
            if self._for_work == 1:
                self._watching.enter_context(self._store.watch(self.ready))
        try:
            yield
        finally:
            with self._lock:
                self._for_work -= 1
                watching = self._watching.pop_all() if self._for_work == 0 else None
            if watching is not None:
                watching.close()

    def committed(self, committed: Committed) -> None:
        """Ring for what has ended, for what has happened, and for what may be claimed."""
        if not self._listening:
            return
        topics: list[Topic] = [*committed.ended, *committed.ready]
        if committed.has_events:
            topics.append(ANY_EVENT)
        self._ring(topics)

    def ready(self, lanes: Collection[Lane] | None) -> None:
        """Ring for what another process has made ready."""
        if lanes is None:
            with self._lock:
                lanes = [topic for topic in self._listening if isinstance(topic, tuple)]
        self._ring(lanes)

    def _ring(self, topics: Iterable[Topic]) -> None:
        with self._lock:
            rings = [ring for topic in topics for ring in self._listening.get(topic, ())]
        for ring in dict.fromkeys(rings):
            ring()
