"""One look per process for everyone who waits for an end or for events, however many they are.

Commits of this process ring by themselves. Those of other processes are looked for: at once after a hint that does not
say what has happened, and otherwise time and again while anyone waits.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Collection
from typing import Final, Protocol

from flowfabric.domain.errors import EngineError
from flowfabric.domain.lanes import Lane
from flowfabric.domain.listing import EventFilter
from flowfabric.domain.news import Committed, Waits
from flowfabric.ports.waiting import Watches

log = logging.getLogger("flowfabric.engine")

POLL_S: Final = 0.2
"""How often one looks without a hint: what a lost wake-up costs at most."""
APART_S: Final = 0.01
"""How far apart two looks are at least, however many hints come."""
AFTER_HINT_S: Final = (0.0, 0.02, 0.06, 0.2)
"""When one looks after a hint. A file shows that somebody writes to it a little before it shows what was written."""
AGAIN_S: Final = 0.025
"""After how long those who wait for work are rung once more. A claim passes over what others hold at that moment."""
CLOSE_S_MAX: Final = 2.0
"""How long the end waits for a look that is under way. A database that does not answer holds it up."""

ANYTHING: Final = EventFilter()


class WhoWaits(Protocol):
    """Tells what somebody waits for."""

    def __call__(self, *, with_leases: bool = False) -> Waits:
        """What somebody waits for now. `with_leases`: and which leases are held."""


class Lookout:
    """A thread that looks, from the first time that it is needed until the end."""

    def __init__(self, store: Watches, waits: WhoWaits, tell: Callable[[Committed], None]) -> None:
        self._store = store
        self._waits = waits
        self._tell = tell
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._signal = threading.Event()
        self._closing = threading.Event()
        self._hinted_at: float | None = None
        self._filled: set[Lane] = set()
        """Lanes that are to be rung for once more."""
        self._is_resting = True
        """Whether nobody waited when it last asked."""
        self._looked_at = -math.inf
        self._cursor: str | None = None
        """Where the log of events ended when it was last looked at; None: it was not."""

    def begin(self) -> None:
        """Somebody waits."""
        if self._thread is None:
            self._start()
        if self._is_resting:
            self._signal.set()

    def hint(self) -> None:
        """Something may have happened. From any thread."""
        if self._thread is None:
            self._start()
        self._hinted_at = time.monotonic()
        self._signal.set()

    def ring_again(self, lanes: Collection[Lane]) -> None:
        """Ring once more, a little later, for those who wait for work there. From any thread."""
        if self._thread is None:
            self._start()
        with self._lock:
            is_first = not self._filled
            self._filled.update(lanes)
        if is_first:
            self._signal.set()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name="flowfabric-lookout", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Look no more."""
        with self._lock:
            self._closing.set()
            self._signal.set()
            thread = self._thread
        if thread is not None:
            thread.join(CLOSE_S_MAX)

    def polled_within(self, seconds: float) -> bool:
        """Whether somebody who waits need not look, because it was done for everyone."""
        return time.monotonic() - self._looked_at < seconds

    def _run(self) -> None:
        after_hint: list[float] = []
        again_at: list[float] = []
        poll_at = time.monotonic() + POLL_S
        while not self._closing.is_set():
            try:
                waits = self._waits()
                self._store.listen_for(ends=waits.has_ends, events=waits.events)
                self._is_resting = not (waits.has_ends or waits.events)
                next_at = min([*after_hint, *again_at, *([] if self._is_resting else [poll_at])], default=None)
                self._signal.wait(None if next_at is None else max(0.0, next_at - time.monotonic()))
                self._signal.clear()
                hinted_at, self._hinted_at = self._hinted_at, None
                if hinted_at is not None:
                    after_hint = [hinted_at + pause_s for pause_s in AFTER_HINT_S]
                now = time.monotonic()
                if again_at and again_at[0] <= now:
                    again_at = []
                    self._ring_for_work()
                elif self._filled and not again_at:
                    again_at = [now + AGAIN_S]
                is_after_hint = any(at <= now for at in after_hint)
                if is_after_hint or (not self._is_resting and now >= poll_at):
                    after_hint = [at for at in after_hint if at > now]
                    poll_at = now + POLL_S
                    self._look(with_leases=is_after_hint)
                    self._closing.wait(APART_S)
            except EngineError as error:
                log.debug("cannot look for those who wait; each looks for itself: %s", error)
                self._closing.wait(POLL_S)
            except Exception:
                log.exception("cannot look for those who wait; each looks for itself")
                self._closing.wait(POLL_S)

    def _ring_for_work(self) -> None:
        with self._lock:
            filled, self._filled = self._filled, set()
        self._tell(Committed((), False, filled))

    def _look(self, *, with_leases: bool) -> None:
        began_at = time.monotonic()
        waits = self._waits(with_leases=with_leases)
        if waits.has_ends or waits.leases:
            self._tell(self._store.news(waits))
        if waits.events and self._has_events():
            self._tell(Committed((), True))
        self._looked_at = began_at

    def _has_events(self) -> bool:
        """Whether anything was written to the log since this was last asked."""
        cursor, self._cursor = self._cursor, None  # whatever fails, the next look begins anew
        if cursor is not None:
            page = self._store.events(cursor, ANYTHING, 1)
            if not page.events:
                self._cursor = page.next_cursor
                return False
        self._cursor = self._store.events_from_now()
        return True
