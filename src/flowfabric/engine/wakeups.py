"""Who waits in this process, and for what; and the wake-ups that ring for them.

A commit of this process rings for what it has brought, and so does one of another if the store tells of it. Otherwise:

| somebody waits for | and is rung by the poll of |
|---|---|
| work in a lane | the sweep; and of `Poller`, after the lane was reported to have some |
| an execution's end, or the last acknowledgement of a flow's cancel | `Poller` |
| any event | `Poller` |
| the loss of a lease that it holds | `Poller`, after a hint; or the next renewal finds out |

A wake-up is a hint: losing one costs the time until the next poll, never an event.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final

from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.lease import Lease
from flowfabric.domain.news import Committed, Waits
from flowfabric.engine.poller import Poller
from flowfabric.ports.waiting import Watches

log = logging.getLogger("flowfabric.engine")

ANY_EVENT: Final = ""
"""What subscribers listen for; others listen for an execution's id, a flow's, or a lane."""

Topic = str | Lane
HeldLeases = Callable[[], Sequence[Lease]]
OnLost = Callable[[Sequence[str]], None]


class Wakeups:
    """Rings for those who wait for an execution's end, for any event, or for work in a lane; reports lost leases."""

    def __init__(self, store: Watches) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._listening: dict[Topic, list[Callable[[], None]]] = {}
        self._keepers: dict[OnLost, HeldLeases] = {}
        self._watching = ExitStack()
        self._may_watch = True
        """Until someone does, or until the end."""
        self._polled_at = -math.inf
        self._on_delay: Callable[[int], None] | None = None
        self._standing_in: Callable[[], Collection[Lane]] = self.lanes
        self._has_waited_for_work = False
        self._may_be_passed_over = False
        """Whether somebody else may hold what this process has made ready: another committer, or another process."""
        self._poller = Poller(store, self)

    # ── listening ────────────────────────────────────────────────────────────────────────────────

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
            self._has_waited_for_work = True
            if self._may_watch:
                self._watch()
            yield

    @contextmanager
    def watching_leases(self, held: HeldLeases, on_lost: OnLost) -> Iterator[None]:
        """Have `on_lost` called, from any thread, with executions among those held whose lease may have been taken."""
        with self._lock:
            self._keepers[on_lost] = held
        if self._may_watch:
            self._watch()
        try:
            yield
        finally:
            with self._lock:
                del self._keepers[on_lost]

    def expect_others(self) -> None:
        """Somebody waits for an end or for events, so those of other processes are looked for from now on."""
        if self._may_watch:
            self._watch()
        self._poller.begin()

    def _watch(self) -> None:
        """Watch other processes, from the first time that anyone listens until the end."""
        with self._lock:
            if self._may_watch:
                self._may_watch = False
                self._watching.enter_context(self._store.watch(self.heard))

    def close(self) -> None:
        """Watch no longer, and ring for those who wait: they would hear nothing any more."""
        with self._lock:
            self._may_watch = False
            topics = list(self._listening)
        self._watching.close()  # without the lock, which the watching thread may be about to take
        self._poller.close()
        self._ring(topics)

    # ── what is waited for ───────────────────────────────────────────────────────────────────────

    def lanes(self) -> Sequence[Lane]:
        """Where somebody waits for work."""
        with self._lock:
            return [topic for topic in self._listening if isinstance(topic, tuple)]

    def waits(self, *, with_leases: bool = False) -> Waits:
        """What somebody waits for, other than work."""
        with self._lock:
            topics = [topic for topic in self._listening if isinstance(topic, str)]
            held = [lease for leases in self._keepers.values() for lease in leases()] if with_leases else []
        return Waits(
            [ExecutionId(topic) for topic in topics if topic.startswith("{")],
            [FlowId(topic) for topic in topics if topic and not topic.startswith("{")],
            ANY_EVENT in topics,
            [(ExecutionId(lease.execution_id), lease.lease_epoch) for lease in held],
        )

    def claims_stand_by_in(self, lanes: Callable[[], Collection[Lane]], *, several_commit: bool) -> None:
        """Say who knows in which lanes a claim has found nothing, and waits; and whether several commit at once."""
        self._standing_in = lanes
        self._may_be_passed_over |= several_commit

    def lanes_waited_for(self) -> Collection[Lane]:
        """The lanes in which a claim has found nothing, and waits."""
        return self._standing_in()

    def polled(self, ready: Collection[Lane]) -> None:
        """All lanes in which somebody waits were polled just now; ring for those that have work."""
        self._polled_at = time.monotonic()
        self._ring(ready)

    def tell_of_delays(self, on_delay: Callable[[int], None]) -> None:
        """Have `on_delay` called, from any thread, with the milliseconds until a delay that was written is over."""
        self._on_delay = on_delay

    def polled_within(self, seconds: float) -> bool:
        """Whether somebody who waits for work need not look, because everyone was polled for."""
        return time.monotonic() - self._polled_at < seconds

    def polled_for_news_within(self, seconds: float) -> bool:
        """The same for those who wait for ends and events."""
        return self._poller.polled_within(seconds)

    # ── ringing ──────────────────────────────────────────────────────────────────────────────────

    def committed(self, committed: Committed) -> None:
        """Ring for what this process has committed."""
        if committed.delay_over_in_ms is not None and self._on_delay is not None:
            self._on_delay(committed.delay_over_in_ms)
        self.others_committed(committed)
        if committed.ready and self._may_be_passed_over:
            self._check_again(committed.ready)

    def others_committed(self, committed: Committed) -> None:
        """Ring for what has ended, for what has happened, and for what may be claimed; tell of leases that are over."""
        if committed.lost:
            self._tell_keepers(committed.lost)
        if not self._listening:
            return
        topics: list[Topic] = [*committed.ended, *sorted(committed.ready)]
        if committed.has_events:
            topics.append(ANY_EVENT)
        self._ring(topics)

    def heard(self, committed: Committed | None) -> None:
        """Ring for what another process has committed. None: it may be anything, so it is looked for."""
        if committed is None:
            self._ring(self.lanes())
            self._poller.hint()
        else:
            self.others_committed(committed)
            if committed.ready:
                self._may_be_passed_over = True
                self._check_again(committed.ready)

    def _check_again(self, lanes: Collection[Lane]) -> None:
        """Check lanes that were reported to have work: somebody else may hold it just when our claims look."""
        if self._has_waited_for_work:
            self._poller.check_again(lanes)

    def _tell_keepers(self, lost: Collection[str]) -> None:
        with self._lock:
            keepers = list(self._keepers.items())
        among = set(lost)
        for on_lost, held in keepers:
            try:
                if concerned := [lease.execution_id for lease in held() if lease.execution_id in among]:
                    on_lost(concerned)
            except Exception:
                log.exception("a holder of leases was not told that some may be over; the next renewal tells it")

    def _ring(self, topics: Iterable[Topic]) -> None:
        with self._lock:
            rings = [ring for topic in topics for ring in self._listening.get(topic, ())]
        for ring in dict.fromkeys(rings):
            try:
                ring()
            except Exception:
                log.exception("a wake-up failed; who waits there looks again by itself")
