"""The callers of this process that follow streams. What one of them has read serves all that have read as far."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Final

from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.stream_pages import Part, StreamCursor, StreamPart

Ring = Callable[[], None]
Listening = Callable[[ExecutionId, Ring], AbstractContextManager[None]]
"""A block during which the function is called when the execution may have said something."""
Read = tuple[Part, StreamPart]
"""The next frames after a cursor, and what the store has returned for them."""

FRESH_S: Final = 0.2
"""For how long a read serves others. Wake-ups may be lost, so it does not serve them for ever."""


class UnderWay:
    """A read that one follower does, also for others."""

    def __init__(self, news: int) -> None:
        self.news = news
        """How often there had been news when it began."""
        self.began_at = time.monotonic()
        self.waiting: list[Ring] = []
        """The followers that wait for it."""


class Followed:
    """One stream that is followed."""

    def __init__(self) -> None:
        self.rings: list[Ring] = []
        """The followers."""
        self.listening = ExitStack()
        self._lock = threading.Lock()
        self._news = 0
        """How often there were news."""
        self._reads: dict[StreamCursor, tuple[float, Read]] = {}
        """What was read from each cursor since the last news, and when."""
        self._under_way: dict[StreamCursor, UnderWay] = {}

    def has_news(self) -> None:
        """Forget what was read, and ring for all followers."""
        with self._lock:
            self._news += 1
            self._reads.clear()
            rings = list(self.rings)
        for ring in rings:
            ring()

    def kept(self, cursor: StreamCursor) -> Read | None:
        """What comes after the cursor, if somebody has just read it."""
        with self._lock:
            at, read = self._reads.get(cursor, (0.0, None))
        return read if time.monotonic() - at < FRESH_S else None

    def begin(self, cursor: StreamCursor, ring: Ring) -> UnderWay | None:
        """Begin to read what comes after the cursor. None: another follower does; `ring` is called when it is done."""
        with self._lock:
            under_way = self._under_way.get(cursor)
            if under_way is not None:
                under_way.waiting.append(ring)
                return None
            begun = self._under_way[cursor] = UnderWay(self._news)
            return begun

    def end(self, cursor: StreamCursor, under_way: UnderWay, read: Read | None) -> None:
        """The read is done, and serves others if there were no news meanwhile. None: it has failed."""
        with self._lock:
            del self._under_way[cursor]
            if read is not None and under_way.news == self._news:
                self._keep(under_way.began_at, cursor, read)
        for ring in under_way.waiting:
            ring()

    def _keep(self, at: float, cursor: StreamCursor, read: Read) -> None:
        """Keep a read for others, and forget those that are no longer fresh."""
        self._reads = {cursor: kept for cursor, kept in self._reads.items() if at - kept[0] < FRESH_S}
        self._reads[cursor] = at, read
        part, of_store = read
        if part.is_at_end:  # a read of what comes after it, at the same moment, would show nothing
            self._reads[part.cursor] = at, (Part([], part.cursor, is_at_end=True), of_store)


class Followers:
    """All streams that are followed in this process."""

    def __init__(self, listening: Listening) -> None:
        self._listening = listening
        self._lock = threading.Lock()
        self._followed: dict[ExecutionId, Followed] = {}

    @contextmanager
    def following(self, execution_id: ExecutionId, ring: Ring) -> Iterator[Followed]:
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
