"""One poll per process for everyone who waits, however many they are.

Commits of this process ring by themselves, and so do those of others if the store tells what was committed. The poll is
for the rest:

- ends and events: at once after a hint that does not say what has happened, and otherwise time and again while anyone
  waits for them;
- leases that are held: after such a hint; otherwise their renewal finds out;
- work: the sweep polls for it, in the same read as for what is due (`reconcilers/sweep.py`). Here a lane is checked
  again after it was reported to have work, because a claim may have passed over it.
"""

import logging
import math
import threading
import time
from collections.abc import Collection, Sequence
from typing import Final, Protocol

from flowfabric.domain.errors import EngineError
from flowfabric.domain.lanes import Lane
from flowfabric.domain.listing import EventFilter
from flowfabric.domain.news import Committed, Waits
from flowfabric.ports.waiting import Watches

log = logging.getLogger("flowfabric.engine")

POLL_S: Final = 0.2
"""How often it polls without a hint: what a lost wake-up costs at most."""
APART_S: Final = 0.01
"""How far apart two polls are at least, however many hints come."""
AFTER_HINT_S: Final = (0.0, 0.02, 0.06, 0.2)
"""When it polls after a hint. A file shows that somebody writes to it a little before it shows what was written."""
CHECKS_S: Final = (0.025, 0.025, 0.05, 0.1, 0.2, 0.4)
"""The pauses before a lane that was reported to have work is checked again. After the last one the sweep has polled."""
CLOSE_S_MAX: Final = 2.0
"""How long the end waits for a poll that is under way. A database that does not answer holds it up."""

ANYTHING: Final = EventFilter()


class Waiters(Protocol):
    """Everyone who waits in this process."""

    def waits(self, *, with_leases: bool = False) -> Waits:
        """What somebody waits for now, other than work. `with_leases`: and which leases are held."""

    def lanes_waited_for(self) -> Collection[Lane]:
        """The lanes in which a claim has found nothing, and waits."""

    def others_committed(self, committed: Committed) -> None:
        """Ring for what was found."""


class LaneChecks:
    """Lanes that were reported to have work, and when each is checked again.

    A claim passes over an execution that another transaction holds at that moment, such as that of a second sweep which
    came too late to change anything. Nobody is rung when such a transaction lets go. So a lane in which a claim still
    waits is checked after growing pauses, until it holds no work any more. By that, a claim is late by no more than
    twice the time for which the execution was held.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._checks: dict[Lane, tuple[float, int]] = {}
        """When each lane is checked next, and how many checks there were before."""

    def begin(self, lanes: Collection[Lane], now: float) -> bool:
        """These lanes have work. True: the next check comes earlier by that than it would have."""
        first_at = now + CHECKS_S[0]
        with self._lock:
            is_earlier = first_at < self._next_at()
            for lane in lanes:
                at, count = self._checks.get(lane, (math.inf, 1))
                if count:
                    self._checks[lane] = min(at, first_at), 0
            return is_earlier

    def next_at(self) -> float:
        """When the next check is due."""
        with self._lock:
            return self._next_at()

    def _next_at(self) -> float:
        return min((at for at, _ in self._checks.values()), default=math.inf)

    def take_due(self, now: float) -> list[Lane]:
        """The lanes to be checked now. Each is checked again after the next pause, unless it is dropped."""
        with self._lock:
            due = [lane for lane, (at, _) in self._checks.items() if at <= now]
            for lane in due:
                count = self._checks[lane][1] + 1
                if count < len(CHECKS_S):
                    self._checks[lane] = now + CHECKS_S[count], count
                else:
                    del self._checks[lane]
            return due

    def drop(self, lanes: Collection[Lane]) -> None:
        """These have no work any more. What was reported since they were taken is checked all the same."""
        with self._lock:
            for lane in lanes:
                if self._checks.get(lane, (0.0, 0))[1]:
                    del self._checks[lane]


class Poller:
    """A thread that polls, from the first time that it is needed until the end."""

    def __init__(self, store: Watches, waiters: Waiters) -> None:
        self._store = store
        self._waiters = waiters
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._signal = threading.Event()
        self._closing = threading.Event()
        self._hinted_at: float | None = None
        self._checks = LaneChecks()
        self.is_resting = True
        """Whether nobody waited for ends or events when it last asked."""
        self._polled_at = -math.inf
        self._cursor: str | None = None
        """Where the log of events ended when it was last polled; None: it was not."""

    # ── from any thread ──────────────────────────────────────────────────────────────────────────

    def begin(self) -> None:
        """Somebody waits for an end or for events."""
        if self._thread is None:
            self._start()
        if self.is_resting:
            self._signal.set()

    def hint(self) -> None:
        """Something may have happened."""
        if self._thread is None:
            self._start()
        self._hinted_at = time.monotonic()
        self._signal.set()

    def check_again(self, lanes: Collection[Lane]) -> None:
        """Ring again for those who wait for work in these lanes, as long as there is some that they did not get."""
        if self._thread is None:
            self._start()
        if self._checks.begin(lanes, time.monotonic()):
            self._signal.set()

    def polled_within(self, seconds: float) -> bool:
        """Whether somebody who waits need not look, because everyone was polled for."""
        return time.monotonic() - self._polled_at < seconds

    def close(self) -> None:
        """Poll no more."""
        with self._lock:
            self._closing.set()
            self._signal.set()
            thread = self._thread
        if thread is not None:
            thread.join(CLOSE_S_MAX)

    def _start(self) -> None:
        with self._lock:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name="flowfabric-poller", daemon=True)
                self._thread.start()

    # ── in its thread ────────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        after_hint: list[float] = []
        poll_at = time.monotonic() + POLL_S
        while not self._closing.is_set():
            try:
                self.is_resting = True  # before it asks: one who comes after that gives the signal
                waits = self._waiters.waits()
                self._store.listen_for(ends=waits.has_ends, events=waits.events)
                self.is_resting = not (waits.has_ends or waits.events)
                regular_at = math.inf if self.is_resting else poll_at
                self._sleep_until(min([*after_hint, self._checks.next_at(), regular_at]))
                hinted_at, self._hinted_at = self._hinted_at, None
                if hinted_at is not None:
                    after_hint = [hinted_at + pause_s for pause_s in AFTER_HINT_S]
                now = time.monotonic()
                if due := self._checks.take_due(now):
                    self._check(due)
                is_after_hint = any(at <= now for at in after_hint)
                if is_after_hint or (not self.is_resting and now >= poll_at):
                    after_hint = [at for at in after_hint if at > now]
                    poll_at = now + POLL_S
                    self._poll(with_leases=is_after_hint)
                    self._closing.wait(APART_S)
            except EngineError as error:
                log.debug("cannot poll for those who wait; each looks for itself: %s", error)
                self._closing.wait(POLL_S)
            except Exception:
                log.exception("cannot poll for those who wait; each looks for itself")
                self._closing.wait(POLL_S)

    def _sleep_until(self, moment: float) -> None:
        self._signal.wait(None if moment == math.inf else max(0.0, moment - time.monotonic()))
        self._signal.clear()

    def _check(self, due: Sequence[Lane]) -> None:
        """Ring where a claim waits and there is work; ring no more where there is none."""
        waited_for = self._waiters.lanes_waited_for()
        if not (asked := [lane for lane in due if lane in waited_for]):
            return
        ready = self._store.poll(asked).ready
        self._checks.drop([lane for lane in asked if lane not in ready])
        if ready:
            self._waiters.others_committed(Committed((), False, ready))

    def _poll(self, *, with_leases: bool) -> None:
        began_at = time.monotonic()
        waits = self._waiters.waits(with_leases=with_leases)
        if waits.has_ends or waits.leases:
            self._waiters.others_committed(self._store.news(waits))
        if waits.events and self._has_events():
            self._waiters.others_committed(Committed((), True))
        self._polled_at = began_at

    def _has_events(self) -> bool:
        """Whether anything was written to the log since this was last asked."""
        cursor, self._cursor = self._cursor, None  # whatever fails, the next poll begins anew
        if cursor is not None:
            page = self._store.events(cursor, ANYTHING, 1)
            if not page.events:
                self._cursor = page.next_cursor
                return False
        self._cursor = self._store.events_from_now()
        return True
