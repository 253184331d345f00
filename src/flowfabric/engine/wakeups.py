"""Wake-ups inside one process: hints that something was committed. Losing one costs a poll interval, never an event."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from flowfabric.ports import Committed

ANY_EVENT: Final = ""
"""What subscribers listen for; everyone else listens for an execution's id."""


class Wakeups:
    """Rings whoever listens for an execution's end, or for any event."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listening: dict[str, list[Callable[[], None]]] = {}

    @contextmanager
    def listening(self, topic: str, ring: Callable[[], None]) -> Iterator[None]:
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

    def committed(self, committed: Committed) -> None:
        """Ring for what has ended, and for what has happened."""
        if not self._listening:
            return
        topics = [*committed.ended, ANY_EVENT] if committed.has_events else committed.ended
        with self._lock:
            rings = [ring for topic in topics for ring in self._listening.get(topic, ())]
        for ring in rings:
            ring()
