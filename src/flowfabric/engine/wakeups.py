"""Wake-ups inside one process: hints that something was committed. Losing one costs a poll interval, never an event."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from flowfabric.domain.working_set import Changes

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

    def committed(self, changes: Changes) -> None:
        """Ring for what has ended, and for what has happened."""
        if not self._listening:
            return
        topics: list[str] = [x.execution_id for _, x in changes.executions if x is not None and x.has_ended]
        if changes.events:
            topics.append(ANY_EVENT)
        with self._lock:
            rings = [ring for topic in topics for ring in self._listening.get(topic, ())]
        for ring in rings:
            ring()
