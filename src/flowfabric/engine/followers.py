"""The callers of this process that follow streams. What one of them has read serves all that have read as far."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Final

from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.stream_pages import Part, StreamCursor, StreamPart

Listening = Callable[[ExecutionId, Callable[[], None]], AbstractContextManager[None]]
"""A block during which the function is called when the execution may have said something."""
Read = tuple[Part, StreamPart]
"""The next frames after a cursor, and what the store has returned for them."""

FRESH_S: Final = 0.2
"""For how long a read serves others. Wake-ups may be lost, so it does not serve them for ever."""


class Followed:
    """One stream that is followed."""

    def __init__(self) -> None:
        self.rings: list[Callable[[], None]] = []
        """The followers."""
        self.listening = ExitStack()
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._news = 0
        """How often there were news."""
        self._reads: dict[StreamCursor, tuple[float, Read]] = {}
        """What was read from each cursor since the last news, and when."""

    def has_news(self) -> None:
        """Forget what was read, and ring for all followers."""
        with self._lock:
            self._news += 1
            self._reads.clear()
            rings = list(self.rings)
        for ring in rings:
            ring()

    def read(self, cursor: StreamCursor, read: Callable[[], Read]) -> Read:
        """What comes after the cursor. However many ask, it is read once until there are news."""
        with self._reading:
            now = time.monotonic()
            with self._lock:
                news = self._news
                at, kept = self._reads.get(cursor, (0.0, None))
            if kept is not None and now - at < FRESH_S:
                return kept
            found = read()
            with self._lock:
                if news == self._news:
                    self._keep(now, cursor, found)
            return found

    def _keep(self, now: float, cursor: StreamCursor, found: Read) -> None:
        """Keep a read for others, and forget those that are no longer fresh."""
        self._reads = {at: read for at, read in self._reads.items() if now - read[0] < FRESH_S}
        self._reads[cursor] = now, found
        part, of_store = found
        if part.is_at_end:  # a read of what comes after it, at the same moment, would show nothing
            self._reads[part.cursor] = now, (Part([], part.cursor, is_at_end=True), of_store)


class Followers:
    """All streams that are followed in this process."""

    def __init__(self, listening: Listening) -> None:
        self._listening = listening
        self._lock = threading.Lock()
        self._followed: dict[ExecutionId, Followed] = {}

    @contextmanager
    def following(self, execution_id: ExecutionId, ring: Callable[[], None]) -> Iterator[Followed]:
        """While the block lasts, call `ring`, from any thread, when the execution may have said something."""
        with self._lock:
            followed = self._followed.get(execution_id)
            if followed is None:
                followed = self._followed[execution_id] = Followed()
                followed.listening.enter_context(self._listening(execution_id, followed.has_news))
            followed.rings.append(ring)
        try:
            yield followed
        finally:
            with self._lock:
                followed.rings.remove(ring)
                if not followed.rings:
                    del self._followed[execution_id]
                    followed.listening.close()
