"""One poll per process for all callers that wait.

Commits of this process ring by themselves. Commits of other processes ring if the store reports what was committed. The
poll finds everything else:

- ends, events, waits of leased executions, and room in limits: it polls at once after a hint that does not say what
  has happened, and otherwise at intervals while a caller waits for them;
- held leases: it polls after such a hint; otherwise the next renewal finds out that a lease is over;
- work: the sweep polls for work, in the same read as for what is due (`reconcilers/sweep.py`). The poller only checks a
  lane again after it was reported to have work, because a claim may have skipped that work.
"""

import logging
import math
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Protocol

from flowfabric.domain.errors import EngineError
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.limits import KeyAt
from flowfabric.domain.listing import EventFilter
from flowfabric.domain.news import Committed, StreamEnd, Waits
from flowfabric.ports.waiting import Watches

log = logging.getLogger("flowfabric.engine")

POLL_S: Final = 0.2
"""How often it polls without a hint. A lost wake-up costs this time at most."""
APART_S: Final = 0.003
"""The shortest time between two polls, even if many hints come."""
AFTER_HINT_S: Final = (0.0, 0.02, 0.06, 0.2)
"""When it polls after a hint. A file shows that a process writes to it a little before it shows what was written."""
CHECKS_S: Final = (0.025, 0.025, 0.05, 0.1, 0.2, 0.4)
"""The pauses before a lane that was reported to have work is checked again. After the last one, the sweep polls it."""
CLOSE_S_MAX: Final = 2.0
"""How long `close` waits for a poll that is under way. A database that does not answer would delay it."""

ANYTHING: Final = EventFilter()


class Waiters(Protocol):
    """All callers that wait in this process."""

    def waits(self, *, with_leases: bool = False) -> Waits:
        """What callers wait for now, other than work. `with_leases`: also the leases that are held."""

    def lanes_waited_for(self) -> Collection[Lane]:
        """The lanes in which a claim has found nothing and waits."""

    def others_committed(self, committed: Committed) -> None:
        """Ring for the news that was found."""


class LaneChecks:
    """Lanes that were reported to have work, and when each is checked again.

    A claim skips an execution that another transaction has locked at that moment, such as the transaction of a second
    sweep which came too late to change anything. No wake-up follows when such a transaction ends. So a lane in which a
    claim still waits is checked after growing pauses, until it has no work any more. In this way, a claim is late by at
    most twice the time for which the execution was locked.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._checks: dict[Lane, tuple[float, int]] = {}
        """When each lane is checked next, and how many checks it has had."""

    def begin(self, lanes: Collection[Lane], now: float) -> bool:
        """Note that these lanes have work. True: the next check is now earlier than before."""
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
        """Forget lanes that have no work any more. A lane that was reported again since `take_due` stays."""
        with self._lock:
            for lane in lanes:
                if self._checks.get(lane, (0.0, 0))[1]:
                    del self._checks[lane]


class Poller:
    """A thread that polls. It starts when it is first needed, and runs until `close`."""

    def __init__(self, store: Watches, waiters: Waiters) -> None:
        self._store = store
        self._waiters = waiters
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._signal = threading.Event()
        self._closing = threading.Event()
        self._hinted_at = -math.inf
        self._checks = LaneChecks()
        self.is_resting = True
        """Whether no caller waited for anything but work at the last poll."""
        self._polled_at = -math.inf
        self._cursor: str | None = None
        """The end of the event log at the last poll. None: it was not polled."""
        self._stream_ends: Mapping[ExecutionId, StreamEnd] = {}
        """Where the followed streams ended at the last poll."""

    # ── from any thread ──────────────────────────────────────────────────────────────────────────

    def begin(self) -> None:
        """A caller waits for an end or for events."""
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
        """Check these lanes again, and ring as long as there is work that the waiting claims did not get."""
        if self._thread is None:
            self._start()
        if self._checks.begin(lanes, time.monotonic()):
            self._signal.set()

    def polled_within(self, seconds: float) -> bool:
        """Whether there was a poll for all callers within this time, so that a caller need not poll by itself."""
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
        seen_hint = -math.inf
        poll_at = time.monotonic() + POLL_S
        while not self._closing.is_set():
            try:
                self.is_resting = True  # before it asks: one who comes after that gives the signal
                waits = self._waiters.waits()
                self._store.listen_for(
                    ends=waits.has_ends, events=waits.events, slots=bool(waits.slots), streams=bool(waits.streams)
                )
                self.is_resting = not waits.need_polls
                regular_at = math.inf if self.is_resting else poll_at
                self._sleep_until(min([*after_hint, self._checks.next_at(), regular_at]))
                if (hinted_at := self._hinted_at) > seen_hint:  # it is not reset: a hint that comes now would be lost
                    seen_hint = hinted_at
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
                log.debug("the shared poll failed; each caller polls by itself: %s", error)
                self._closing.wait(POLL_S)
            except Exception:
                log.exception("the shared poll failed; each caller polls by itself")
                self._closing.wait(POLL_S)

    def _sleep_until(self, moment: float) -> None:
        self._signal.wait(None if moment == math.inf else max(0.0, moment - time.monotonic()))
        self._signal.clear()

    def _check(self, due: Sequence[Lane]) -> None:
        """Ring for lanes in which a claim waits and there is work. Stop checking lanes without work."""
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
        if waits.has_ends or waits.leases or waits.lingering:
            self._waiters.others_committed(self._store.news(waits))
        if freed := [at for at in waits.slots if self._has_room(at)]:
            self._waiters.others_committed(Committed((), False, freed=freed))
        if waits.events and self._has_events():
            self._waiters.others_committed(Committed((), True))
        if waits.streams and (longer := self._longer_streams(waits.streams)):
            self._waiters.others_committed(Committed((), False, streams=longer))
        self._polled_at = began_at

    def _longer_streams(self, followed: Sequence[ExecutionId]) -> list[ExecutionId]:
        """The followed executions whose stream or state is different from the last poll, or was not polled then.

        An execution that is gone is always among them: its followers have not noticed it yet.
        """
        before, self._stream_ends = self._stream_ends, {}  # if the read fails, the next poll begins anew
        self._stream_ends = now = self._store.stream_ends(followed)
        return [key for key in followed if key not in now or now[key] != before.get(key)]

    def _has_room(self, at: KeyAt) -> bool:
        """Whether a key of a limit has room now, or there is no such limit any more."""
        view = self._store.limit_key(at)
        return view is None or view.is_open(self._store.now_ms)

    def _has_events(self) -> bool:
        """Whether anything was written to the log since the last call."""
        cursor, self._cursor = self._cursor, None  # if the read fails, the next poll begins anew
        if cursor is not None:
            page = self._store.events(cursor, ANYTHING, 1)
            if not page.events:
                self._cursor = page.next_cursor
                return False
        self._cursor = self._store.events_from_now()
        return True
