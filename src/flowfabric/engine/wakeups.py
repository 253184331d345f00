"""The callers that wait in this process, and the wake-ups that ring for them.

A commit of this process rings for its news, and so does a commit of another process if the store reports it. Otherwise:

| a caller waits for | and is rung by the poll of |
|---|---|
| work in a lane | the sweep; and of `Poller`, after the lane was reported to have some |
| an execution's end, or the last acknowledgement of a flow's cancel | `Poller` |
| any event | `Poller` |
| the end of a wait of an execution that it has leased | `Poller` |
| room in a limit, for a block of code | `Poller` |
| what an execution says | `Poller` |
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
from flowfabric.domain.limits import KeyAt
from flowfabric.domain.news import Committed, WaitEnd, Waits
from flowfabric.engine.followers import Followers
from flowfabric.engine.poller import Poller
from flowfabric.engine.wait_ends import WaitEnds
from flowfabric.ports.waiting import Watches

log = logging.getLogger("flowfabric.engine")

ANY_EVENT: Final = ""
"""The topic of subscribers. Other topics are the id of an execution or of a flow, a lane, or one of those below."""
_WAITS_OF: Final = "waits of "
_SLOTS_OF: Final = "slots of "
_STREAM_OF: Final = "stream of "

Topic = str | Lane
HeldLeases = Callable[[], Sequence[Lease]]
OnLost = Callable[[Sequence[str]], None]


def waits_of(execution_id: str) -> Topic:
    """The topic of a worker that waits until a wait of an execution that it has leased is over."""
    return f"{_WAITS_OF}{execution_id}"


def stream_of(execution_id: str) -> Topic:
    """The topic of a caller that follows the stream of an execution."""
    return f"{_STREAM_OF}{execution_id}"


def slots_of(at: KeyAt) -> Topic:
    """The topic of a worker that waits for room in a limit."""
    return _SLOTS_OF + "\0".join(at)


def _key_in(topic: str) -> KeyAt:
    namespace, name, key = topic.removeprefix(_SLOTS_OF).split("\0")
    return namespace, name, key


class Wakeups:
    """Rings for callers that wait for an execution's end, for any event, or for work in a lane; reports lost leases."""

    def __init__(self, store: Watches) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._listening: dict[Topic, list[Callable[[], None]]] = {}
        self._keepers: dict[OnLost, HeldLeases] = {}
        self._watching = ExitStack()
        self._may_watch = True
        """Whether `_watch` may still begin: it has not begun before, and this is not closed."""
        self._polled_at = -math.inf
        self._on_delay: Callable[[int], None] | None = None
        self._standing_in: Callable[[], Collection[Lane]] = self.lanes
        self._has_waited_for_work = False
        self._may_be_passed_over = False
        """Whether another committer or another process may have locked an execution that this process made ready."""
        self._poller = Poller(store, self)
        self.wait_ends = WaitEnds()
        self.followers = Followers(lambda execution_id, ring: self.listening(stream_of(execution_id), ring))

    # ── listening ────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def listening(self, topic: Topic, ring: Callable[[], None]) -> Iterator[None]:
        """While the block lasts, call `ring`, from any thread, after each commit that concerns the topic."""
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
        """While the block lasts, call `ring` when there may be work in one of the lanes, made by any process."""
        with ExitStack() as stack:
            for lane in lanes:
                stack.enter_context(self.listening(lane, ring))
            self._has_waited_for_work = True
            if self._may_watch:
                self._watch()
            yield

    @contextmanager
    def watching_leases(self, held: HeldLeases, on_lost: OnLost) -> Iterator[None]:
        """While the block lasts, call `on_lost`, from any thread, with held executions whose lease may be over."""
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
        """Begin to poll for ends and events of other processes, because a caller waits for some."""
        if self._may_watch:
            self._watch()
        self._poller.begin()

    def _watch(self) -> None:
        """Begin to watch other processes, when the first caller listens. The watch lasts until `close`."""
        with self._lock:
            if self._may_watch:
                self._may_watch = False
                self._watching.enter_context(self._store.watch(self.heard))

    def close(self) -> None:
        """Stop watching, and ring for all callers that wait: they would get no wake-up any more."""
        with self._lock:
            self._may_watch = False
            topics = list(self._listening)
        self._watching.close()  # without the lock, which the watching thread may be about to take
        self._poller.close()
        self._ring(topics)

    # ── what is waited for ───────────────────────────────────────────────────────────────────────

    def lanes(self) -> Sequence[Lane]:
        """The lanes in which a caller waits for work."""
        with self._lock:
            return [topic for topic in self._listening if isinstance(topic, tuple)]

    def waits(self, *, with_leases: bool = False) -> Waits:
        """What callers wait for, other than work."""
        with self._lock:
            topics = [topic for topic in self._listening if isinstance(topic, str)]
            held = [lease for leases in self._keepers.values() for lease in leases()] if with_leases else []
        ends: list[ExecutionId] = []
        cancels: list[FlowId] = []
        lingering: list[ExecutionId] = []
        slots: list[KeyAt] = []
        streams: list[ExecutionId] = []
        for topic in topics:
            if topic.startswith("{"):
                ends.append(ExecutionId(topic))
            elif topic.startswith(_WAITS_OF):
                lingering.append(ExecutionId(topic.removeprefix(_WAITS_OF)))
            elif topic.startswith(_SLOTS_OF):
                slots.append(_key_in(topic))
            elif topic.startswith(_STREAM_OF):
                streams.append(ExecutionId(topic.removeprefix(_STREAM_OF)))
            elif topic != ANY_EVENT:
                cancels.append(FlowId(topic))
        leases = [(ExecutionId(lease.execution_id), lease.lease_epoch) for lease in held]
        return Waits(ends, cancels, ANY_EVENT in topics, leases, lingering, slots, streams)

    def claims_stand_by_in(self, lanes: Callable[[], Collection[Lane]], *, several_commit: bool) -> None:
        """Set the function that names the lanes in which claims stand by, and whether there are several committers."""
        self._standing_in = lanes
        self._may_be_passed_over |= several_commit

    def lanes_waited_for(self) -> Collection[Lane]:
        """The lanes in which a claim has found nothing and waits."""
        return self._standing_in()

    def polled(self, ready: Collection[Lane]) -> None:
        """Note that all lanes in which callers wait were polled just now, and ring for those that have work."""
        self._polled_at = time.monotonic()
        self._ring(ready)

    def report_delays_to(self, on_delay: Callable[[int], None]) -> None:
        """From now on, call `on_delay`, from any thread, with the milliseconds until a delay that was written ends."""
        self._on_delay = on_delay

    def polled_within(self, seconds: float) -> bool:
        """Whether there was a shared poll for work within this time, so that a caller need not poll by itself."""
        return time.monotonic() - self._polled_at < seconds

    def polled_for_news_within(self, seconds: float) -> bool:
        """The same for callers that wait for ends and events."""
        return self._poller.polled_within(seconds)

    # ── ringing ──────────────────────────────────────────────────────────────────────────────────

    def committed(self, committed: Committed) -> None:
        """Ring for the news of a commit of this process."""
        if committed.delay_over_in_ms is not None and self._on_delay is not None:
            self._on_delay(committed.delay_over_in_ms)
        if committed.wait_ends:
            self._learn(committed.wait_ends)
        self.others_committed(committed)
        if committed.ready and self._may_be_passed_over:
            self._check_again(committed.ready)

    def _learn(self, ends: Iterable[WaitEnd]) -> None:
        """Keep the ends for which a worker of this process will ask: it lingers, or has just got the lease."""
        with self._lock:
            asked_for = [end for end in ends if not end.is_unanswered or waits_of(end.execution_id) in self._listening]
        self.wait_ends.learn(asked_for)

    def others_committed(self, committed: Committed) -> None:
        """Ring for ends, waits, events and work that may be claimed, and report leases that are over."""
        if committed.lost:
            self.wait_ends.forget(committed.lost)
            self._report_lost_leases(committed.lost)
        if not self._listening:
            return
        topics: list[Topic] = [*committed.ended, *sorted(committed.ready)]
        topics += map(waits_of, (*committed.waits_over, *committed.lost))
        topics += map(slots_of, committed.freed)
        topics += map(stream_of, (*committed.streams, *committed.ended))
        if committed.has_events:
            topics.append(ANY_EVENT)
        self._ring(topics)

    def heard(self, committed: Committed | None) -> None:
        """Ring for the news of another process's commit. None: the news is not known, so the poller looks for it."""
        if committed is None:
            self._ring(self.lanes())
            self._poller.hint()
        else:
            self.others_committed(committed)
            if committed.ready:
                self._may_be_passed_over = True
                self._check_again(committed.ready)

    def _check_again(self, lanes: Collection[Lane]) -> None:
        """Check lanes again that have work: another transaction may have locked it when our claims read the queue."""
        if self._has_waited_for_work:
            self._poller.check_again(lanes)

    def _report_lost_leases(self, lost: Collection[str]) -> None:
        with self._lock:
            keepers = list(self._keepers.items())
        among = set(lost)
        for on_lost, held in keepers:
            try:
                if concerned := [lease.execution_id for lease in held() if lease.execution_id in among]:
                    on_lost(concerned)
            except Exception:
                log.exception("the report that leases may be over failed; the next renewal finds out")

    def _ring(self, topics: Iterable[Topic]) -> None:
        with self._lock:
            rings = [ring for topic in topics for ring in self._listening.get(topic, ())]
        for ring in dict.fromkeys(rings):
            try:
                ring()
            except Exception:
                log.exception("a wake-up failed; the caller that waits will poll by itself")
