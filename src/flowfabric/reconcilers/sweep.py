"""The loop that runs all duties. A sweep is bounded, the pauses have jitter, and an error never ends the loop.

It sweeps at regular intervals, and also when a delay ends or the time of a wait is over. This process knows the delays
that it has written itself, and each poll shows the next delay of the store. In what follows, the time of a wait is a
delay, too.
"""

import logging
import math
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from flowfabric.domain.connections import ReadersBusy
from flowfabric.domain.errors import EngineError, StoreUnavailable
from flowfabric.domain.execution import DUE_KINDS, TIMERS, DueKind
from flowfabric.domain.news import Polled
from flowfabric.ports.finding import Finds
from flowfabric.ports.telemetry import Telemetry
from flowfabric.ports.upkeep import Gateway, OutageLog, WaitingClaims
from flowfabric.reconcilers.duties import DUE_DUTIES, Duties
from flowfabric.reconcilers.repairs import Repairs

if TYPE_CHECKING:
    from flowfabric.domain.ids import ExecutionId

log = logging.getLogger("flowfabric.reconcilers")

SWEEP_S: Final = 0.8
"""The pause between two sweeps. With it, the work of a crashed worker is back within its lease and one second."""
JITTER: Final = 0.1
SWEEP_S_MIN: Final = 0.01
"""The shortest pause between two sweeps, even if delays end close together."""
LAG_MS_MAX: Final = 60
"""How late a process comes at most for the end of a delay, if other processes have always been faster."""
TIDY_S: Final = 60.0
"""How often expired records are removed."""
TRIM_S: Final = 5.0
"""How often streams that are too long are trimmed, and what commits have left for the counts is added up."""
TURN_PAGES: Final = 5
"""How many pages of fair keys are looked through each time."""
SWEEP: Final = "sweep"
"""The name of this use of the store in the log of outages."""
CLOSE_S_MAX: Final = 2.0
"""How long the end of `running` waits for a sweep that is under way. A database that does not answer would delay it."""
ROUNDS_MAX: Final = 1000
"""How many rounds one sweep has at most. An execution can be due several times in a row, but not for ever."""


TIMER_DUTIES: Final = tuple(name for name, kind in DUE_DUTIES.items() if kind in TIMERS)


class Sweeper:
    """Runs the duties: all of them on demand, or a part at a time in the background."""

    def __init__(
        self,
        store: Finds,
        gateway: Gateway,
        waiting: WaitingClaims | None = None,
        outages: OutageLog | None = None,
        telemetry: Telemetry | None = None,
    ) -> None:
        self._duties = Duties(store, gateway, telemetry)
        self._repairs = Repairs(store, self._duties)
        self._outages = outages
        self._waiting = waiting
        self._stopping = threading.Event()
        self._one_at_a_time = threading.Lock()
        self._alarm = Alarm()
        self._lag = Lag()
        self._expected_at = math.inf
        """When the delay ends that the last poll has shown."""
        if waiting is not None:
            waiting.report_delays_to(self._delay_written)

    def run_once(self) -> Mapping[str, int]:
        """Run every due duty until nothing is due. Returns how much each duty did."""
        with self._one_at_a_time:
            done = dict.fromkeys(DUE_DUTIES, 0)
            self._handle_all_due(done)
            done["idempotency_keys"] = self._duties.forget_idempotency_keys()
            done["command_ids"] = self._duties.forget_answers()
            done["overdue_acks"] = self._duties.forget_overdue_acks()
            done["silent_workers"] = self._duties.forget_silent_workers()
            done["dead_tokens"] = self._duties.forget_dead_tokens()
            done["flow_retention"] = self._duties.purge_flows()
            done["idle_keys"] = self._duties.forget_idle_keys()
            done["idle_turns"] = self._duties.forget_idle_turns()
            done["old_uses"] = self._duties.forget_old_uses()
            done["long_streams"] = self._duties.trim_streams()
            done["old_events"] = self._duties.forget_events()
            self._duties.fold_counts()
            self._duties.forget_batches()
            done["side_rows"] = done["stuck_joins"] = 0
            after: ExecutionId | None = None
            while True:
                repaired = self._duties.repair_page(after)
                done["side_rows"] += repaired.side_rows
                done["stuck_joins"] += repaired.stuck
                after = repaired.next_after
                if after is None:
                    break
            if done["side_rows"] or done["stuck_joins"]:
                # A repaired due moment may be due now, and an execution that was skipped has an end to pass on.
                self._handle_all_due(done)
            return done

    def _poll(self) -> Polled:
        """What is due. The same read is the poll for callers that wait for work."""
        lanes = [] if self._waiting is None else self._waiting.lanes()
        polled = self._duties.poll(lanes)
        if self._waiting is not None:
            self._waiting.polled(polled.ready)
        now = time.monotonic()
        if now >= self._expected_at and not _has_timers(polled):
            self._lag.was_late()
        self._expected_at = math.inf
        if polled.delay_over_in_ms is not None:
            self._expected_at = now + polled.delay_over_in_ms / 1000
            self._alarm.set_in(polled.delay_over_in_ms + self._lag.ms)
        return polled

    def _delay_written(self, in_ms: int) -> None:
        """This process has written a delay. Other processes may not know it before their next poll."""
        if in_ms < SWEEP_S * 1000:
            self._alarm.remember_in(in_ms)
        else:
            self._alarm.set_in(in_ms + self._lag.ms)

    def _handle_all_due(self, done: dict[str, int]) -> None:
        for _ in range(ROUNDS_MAX):
            opened = self._duties.open_gates()
            done["gates"] = done.get("gates", 0) + opened
            if not self._handle_due(done, DUE_KINDS) and not opened:
                return

    def _handle_due(self, done: dict[str, int], kinds: Collection[DueKind]) -> bool:
        did = 0
        for name, kind in DUE_DUTIES.items():
            if kind in kinds:
                count = self._duties.handle_due(kind, self._stopping.is_set)
                done[name] += count
                did += count
        return did > 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the duties in a thread of their own while the block lasts."""
        thread = threading.Thread(target=self._run, name="flowfabric-sweeper", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            self._alarm.stop()
            thread.join(CLOSE_S_MAX)

    def _run(self) -> None:
        tidy_at = trim_at = time.monotonic()
        regular_at = 0.0
        while self._alarm.wait(SWEEP_S * SystemRandom().uniform(1 - JITTER, 1 + JITTER)):
            try:
                with self._one_at_a_time:
                    polled = self._poll()
                    done = dict.fromkeys(DUE_DUTIES, 0)
                    self._handle_due(done, polled.due)
                    if _has_timers(polled):
                        self._lag.was_first() if any(done[duty] for duty in TIMER_DUTIES) else self._lag.was_late()
                    if polled.has_overdue_acks:
                        self._duties.forget_overdue_acks()
                    if polled.has_openings:
                        self._duties.open_gates()
                    if time.monotonic() < regular_at:
                        continue  # it woke only for a delay
                    regular_at = time.monotonic() + SWEEP_S * (1 - JITTER) / 2
                    if time.monotonic() >= trim_at:
                        trim_at = time.monotonic() + TRIM_S
                        self._duties.trim_streams()
                        self._duties.fold_counts()
                    if time.monotonic() >= tidy_at:
                        tidy_at = time.monotonic() + TIDY_S
                        self._duties.forget_idempotency_keys()
                        self._duties.forget_answers()
                        self._duties.forget_batches()
                        self._duties.forget_events()
                        self._duties.purge_flows()
                        self._duties.forget_silent_workers()
                        self._duties.forget_dead_tokens()
                        self._duties.forget_idle_keys()
                        self._duties.forget_idle_turns(pages=TURN_PAGES)
                        self._duties.forget_old_uses()
                    self._repairs.step()
                if self._outages is not None:
                    self._outages.over(SWEEP)
            except EngineError as error:
                is_away = isinstance(error, StoreUnavailable) and not isinstance(error, ReadersBusy)
                if self._outages is not None and is_away:
                    self._outages.noticed(SWEEP, error)
                else:
                    log.warning("sweep failed; the next one tries again: %s", error, extra={"cause": str(error)})
            except Exception:
                log.exception("sweep failed; the next one tries again")
        self._repairs.stop()


def _has_timers(polled: Polled) -> bool:
    """Whether the end of a delay or of a wait's time has come."""
    return any(kind in polled.due for kind in TIMERS)


class Lag:
    """How long a process waits after the end of a delay before it handles the delay.

    Several processes that come at once would delay each other. The process that was first comes early the next time.
    Those that found nothing to do come later, so that they only take over if the first one has died.
    """

    def __init__(self) -> None:
        self.ms = SystemRandom().randrange(10)

    def was_first(self) -> None:
        """This process has handled a delay."""
        self.ms //= 2

    def was_late(self) -> None:
        """Another process had handled it."""
        self.ms = min(LAG_MS_MAX, 2 * self.ms + SystemRandom().randint(5, 15))


class Alarm:
    """Lets a thread sleep for a time, or until an earlier moment that another thread has set."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._at = math.inf
        self._remembered: set[int] = set()
        """Moments that wake the thread even if it wakes before, in milliseconds of the monotonic clock."""
        self._is_stopped = False

    def set_in(self, in_ms: int) -> None:
        """Wake the thread in `in_ms` milliseconds. If it wakes earlier, this is forgotten. Callable from any thread."""
        at = _in(in_ms)
        with self._changed:
            if at < self._next_at():
                self._changed.notify()
            self._at = min(self._at, at)

    def remember_in(self, in_ms: int) -> None:
        """The same, but it is not forgotten. Callable from any thread."""
        at = _in(in_ms)
        with self._changed:
            if at < self._next_at():
                self._changed.notify()
            self._remembered.add(math.ceil(at * 1000))

    def wait(self, timeout_s: float) -> bool:
        """Sleep, then forget the moments of `set_in`. False: the alarm was stopped."""
        now = time.monotonic()
        enough_at, soonest = now + timeout_s, now + SWEEP_S_MIN
        with self._changed:
            while (
                not self._is_stopped
                and (left_s := max(soonest, min(enough_at, self._next_at())) - time.monotonic()) > 0
            ):
                self._changed.wait(left_s)
            self._at = math.inf
            self._remembered = {at_ms for at_ms in self._remembered if at_ms > time.monotonic() * 1000}
            return not self._is_stopped

    def _next_at(self) -> float:
        return min(self._at, min(self._remembered, default=math.inf) / 1000)

    def stop(self) -> None:
        """End the sleep for good."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify()


def _in(in_ms: int) -> float:
    return time.monotonic() + (in_ms + 1) / 1000  # one more: a store that counts whole milliseconds is a little behind
