"""Wake-ups: hints that something was committed, by this process or another. Losing one costs a poll, never an event."""

import math
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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
        self._watching = ExitStack()
        self._may_watch = True
        """Until someone does, or until the end."""
        self._looked_at = -math.inf
        self._on_delay: Callable[[int], None] | None = None

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
            if self._may_watch:
                self._watch()
            yield

    def _watch(self) -> None:
        """Watch other processes, from the first time that anyone listens for work until the end."""
        with self._lock:
            if self._may_watch:
                self._may_watch = False
                self._watching.enter_context(self._store.watch(self.ready))

    def close(self) -> None:
        """Watch no longer, whoever asks for it from now on."""
        with self._lock:
            self._may_watch = False
        self._watching.close()  # without the lock: whoever watches may be about to ring

    def lanes(self) -> Sequence[Lane]:
        """Where somebody waits for work."""
        with self._lock:
            return [topic for topic in self._listening if isinstance(topic, tuple)]

    def looked(self, ready: Collection[Lane]) -> None:
        """All lanes in which somebody waits were looked at just now; ring for those that have work."""
        self._looked_at = time.monotonic()
        self._ring(ready)

    def tell_of_delays(self, on_delay: Callable[[int], None]) -> None:
        """Have `on_delay` called, from any thread, with the milliseconds until a delay that was written is over."""
        self._on_delay = on_delay

    def has_looked_within(self, seconds: float) -> bool:
        """Whether somebody who waits need not look, because it was done for all of them."""
        return time.monotonic() - self._looked_at < seconds

    def committed(self, committed: Committed) -> None:
        """Ring for what has ended, for what has happened, and for what may be claimed."""
        if committed.delay_over_in_ms is not None and self._on_delay is not None:
            self._on_delay(committed.delay_over_in_ms)
        if not self._listening:
            return
        topics: list[Topic] = [*committed.ended, *committed.ready]
        if committed.has_events:
            topics.append(ANY_EVENT)
        self._ring(topics)

    def ready(self, lanes: Collection[Lane] | None) -> None:
        """Ring for what another process has made ready."""
        self._ring(self.lanes() if lanes is None else lanes)

    def _ring(self, topics: Iterable[Topic]) -> None:
        with self._lock:
            rings = [ring for topic in topics for ring in self._listening.get(topic, ())]
        for ring in dict.fromkeys(rings):
            ring()
