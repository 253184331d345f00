"""Pages of the event log for the subscribers of this process. What one of them reads serves all that ask for the same.

A page is used until there are news, and for a fifth of a second at most, because a wake-up may be lost.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final, NamedTuple

from flowfabric.domain.events import EventPage
from flowfabric.domain.listing import EventFilter
from flowfabric.engine.wakeups import ANY_EVENT, Wakeups

FRESH_S: Final = 0.2
"""How long a page serves others."""
KEPT_MAX: Final = 64
"""How many pages are kept at most."""

Ring = Callable[[], None]
Read = Callable[[], Coroutine[Any, Any, EventPage]]


class Wanted(NamedTuple):
    """A page: the events after a cursor that pass a filter."""

    cursor: str | None
    where: EventFilter


class _UnderWay(NamedTuple):
    """A read that one subscriber has begun, also for others."""

    news: int
    """How often there had been news when it began."""
    task: "asyncio.Task[EventPage]"


class SharedPages:
    """The pages that were read just now, and those that are being read. Subscribers may be on several event loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rings: set[Ring] = set()
        """The subscribers that wait."""
        self._listening = ExitStack()
        self._news = 0
        """How often there were news."""
        self._kept: dict[Wanted, tuple[float, EventPage]] = {}
        self._under_way: dict[tuple[int, Wanted], _UnderWay] = {}
        """By the event loop that reads, too: a loop cannot wait for the task of another one."""

    @contextmanager
    def waiting(self, wakeups: Wakeups, ring: Ring) -> Iterator[None]:
        """While the block lasts, call `ring`, from any thread, after each commit that has made events."""
        with self._lock:
            if not self._rings:
                self._listening.enter_context(wakeups.listening(ANY_EVENT, self._has_news))
            self._rings.add(ring)
        try:
            yield
        finally:
            with self._lock:
                self._rings.remove(ring)
                if not self._rings:  # from now on nobody hears of news
                    self._listening.close()
                    self._news += 1
                    self._kept.clear()

    def _has_news(self) -> None:
        with self._lock:
            self._news += 1
            self._kept.clear()
            rings = list(self._rings)
        for ring in rings:
            ring()

    async def page(self, wanted: Wanted, read: Read) -> EventPage:
        """The page, read now, or shared if nothing has happened since it was read. The caller is `waiting`."""
        kept = self._kept.get(wanted)
        if kept is not None and time.monotonic() < kept[0] + FRESH_S:
            return kept[1]
        key = (id(asyncio.get_running_loop()), wanted)
        found = self._under_way.get(key)
        if found is None or found.news != self._news:
            task = asyncio.create_task(self._read(key, read))
            task.add_done_callback(lambda task: task.cancelled() or task.exception())  # everybody may have gone away
            found = self._under_way[key] = _UnderWay(self._news, task)
        return await asyncio.shield(found.task)

    async def _read(self, key: tuple[int, Wanted], read: Read) -> EventPage:
        began_at, news = time.monotonic(), self._news
        try:
            page = await read()
        finally:
            found = self._under_way.get(key)
            if found is not None and found.task is asyncio.current_task():
                del self._under_way[key]
        with self._lock:
            if news == self._news:
                if len(self._kept) >= KEPT_MAX:
                    self._kept.clear()
                self._kept[key[1]] = began_at, page
        return page
