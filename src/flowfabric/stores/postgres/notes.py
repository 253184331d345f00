"""What a commit notifies other processes of, through NOTIFY: one statement, and only what somebody may wait for.

| channel | says | sent |
|---|---|---|
| flowfabric_ready | a lane in which something may be claimed | always, once per lane and commit |
| flowfabric_lost | executions whose lease was taken from its holder | always; this is rare |
| flowfabric_waits_over | leased executions one of whose waits has ended | always; only lingering workers cause this |
| flowfabric_resumed | where in the queue a resumed execution stands | always, once per part of the queue and commit |
| flowfabric_ended | executions that have ended, and flows whose cancel is acknowledged | if somebody waits for ends |
| flowfabric_events | that there are events | if somebody waits for events |
| flowfabric_freed | keys of limits of which a slot was given back | if somebody waits for a slot |
| flowfabric_said | executions that have said something, or start over | if somebody follows a stream |
| flowfabric_wanted | for which of the last four somebody waits | time and again, by those who wait |

PostgreSQL runs commits that notify one after the other, so ends and events are sent a few times per second at most.
Ends in between are sent with the next commit, or the waiting processes find them when they poll.
"""

import threading
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Final

import msgspec

from flowfabric.domain.lanes import Lane
from flowfabric.domain.limits import KeyAt
from flowfabric.stores.postgres.queue_heads import Part, Place

READY: Final = "flowfabric_ready"
LOST: Final = "flowfabric_lost"
WAITS_OVER: Final = "flowfabric_waits_over"
RESUMED: Final = "flowfabric_resumed"
ENDED: Final = "flowfabric_ended"
EVENTS: Final = "flowfabric_events"
FREED: Final = "flowfabric_freed"
SAID: Final = "flowfabric_said"
WANTED: Final = "flowfabric_wanted"

WANTED_S: Final = 30.0
"""For how long a message that ends or events are wanted counts."""
NOTIFY_INTERVAL_S: Final = 0.05
"""The least time between two commits that notify of ends or events."""
UNASKED_ENDS_MAX: Final = 16
"""A process that does not listen, such as a verb of `ff`, cannot know what is wanted. It sends at most so many ends."""
FREED_MAX: Final = 16
"""How many keys of limits one commit notifies of. Those who wait for others find them when they poll."""
IDS_PER_NOTE: Final = 150
"""The server takes notifications of less than 8,000 bytes."""
ANYTHING: Final = ""
"""Sent instead of the executions that have said something, if they do not fit into one notification."""
WAITING_MAX: Final = 1_500
"""How many ends may wait to be sent. Waiting processes find further ends when they poll."""

Note = tuple[str, str]
"""A channel, and the text that is sent there."""


class News(msgspec.Struct):
    """What other processes are to hear about a transaction once it is committed."""

    ready: set[Lane] = msgspec.field(default_factory=set)
    lost: list[str] = msgspec.field(default_factory=list)
    ended: list[str] = msgspec.field(default_factory=list)
    has_events: bool = False
    waits_over: list[str] = msgspec.field(default_factory=list)
    resumed: dict[Part, Place] = msgspec.field(default_factory=dict)
    """The first place in each part of the queue at which an execution has come back that keeps its old place."""
    freed: set[KeyAt] = msgspec.field(default_factory=set)
    streams: list[str] = msgspec.field(default_factory=list)

    def comes_back(self, part: Part, place: Place) -> None:
        """Note that an execution has come back to this place in the queue."""
        self.resumed[part] = min(place, self.resumed.get(part, place))

    def and_then(self, later: "News") -> "News":
        """This news together with later news of the same transaction."""
        both = News(
            self.ready | later.ready,
            [*self.lost, *later.lost],
            [*self.ended, *later.ended],
            self.has_events or later.has_events,
            [*self.waits_over, *later.waits_over],
            dict(self.resumed),
            self.freed | later.freed,
            [*self.streams, *later.streams],
        )
        for part, place in later.resumed.items():
            both.comes_back(part, place)
        return both


class Notes:
    """Turns news into notifications, and knows which are wanted. The committers of one store share it."""

    def __init__(self, *, notifies: bool) -> None:
        self._notifies = notifies
        self._lock = threading.Lock()
        self._wanted_until = {ENDED: 0.0, EVENTS: 0.0, FREED: 0.0, SAID: 0.0}
        self._waiting: list[str] = []
        """Ends that are still to be sent."""
        self._told_at = 0.0
        self.is_listening = False
        """Whether this process listens, and so hears what is wanted."""

    def are_wanted(self, channels: Iterable[str]) -> None:
        """Note that somebody in another process waits for these channels."""
        until = time.monotonic() + WANTED_S
        with self._lock:
            for channel in channels:
                if channel in self._wanted_until:
                    self._wanted_until[channel] = until

    def of_lanes(self, lanes: Collection[Lane]) -> list[str]:
        """The texts to send about lanes in which something may be claimed."""
        return [msgspec.json.encode(lane).decode() for lane in lanes] if self._notifies else []

    def of(self, news: News) -> list[Note]:
        """What to send with a commit."""
        if not self._notifies:
            return []
        # The places go first: a process that hears of the lane claims at once, and must know where to begin.
        notes = [(RESUMED, msgspec.json.encode(at).decode()) for at in news.resumed.items()]
        notes += [(READY, note) for note in self.of_lanes(sorted(news.ready))]
        notes += [(LOST, note) for note in _ids(news.lost)]
        notes += [(WAITS_OVER, note) for note in _ids(news.waits_over)]
        if news.freed and self._are_wanted(FREED, time.monotonic()):
            notes += [(FREED, msgspec.json.encode(at).decode()) for at in sorted(news.freed)[:FREED_MAX]]
        if news.streams and self._are_wanted(SAID, time.monotonic()):
            notes.append((SAID, _ids(news.streams)[0] if len(news.streams) <= IDS_PER_NOTE else ANYTHING))
        if news.ended or news.has_events or self._waiting:
            notes += self._ends_and_events(news)
        return notes

    def may_tell_ends(self, number: int) -> bool:
        """Whether a commit of so many ends may have to notify somebody."""
        now = time.monotonic()
        with self._lock:
            if not self._notifies or self._is_unasked(number):
                return self._notifies
            has_news = bool(self._waiting) or self._are_wanted(ENDED, now) or self._are_wanted(EVENTS, now)
            return has_news and now - self._told_at >= NOTIFY_INTERVAL_S

    def keep_ends(self, ended: Sequence[str]) -> None:
        """Note ends of a commit that did not notify. If they are wanted, they are sent with a later commit."""
        if self._notifies:
            with self._lock:
                self._keep_ends(ended, time.monotonic())

    def _keep_ends(self, ended: Sequence[str], now: float) -> None:
        if self._are_wanted(ENDED, now) or self._is_unasked(len(ended)):
            self._waiting += ended[: WAITING_MAX - len(self._waiting)]

    def _is_unasked(self, number: int) -> bool:
        """Whether so few ends are sent because this process cannot know whether anybody wants them."""
        return not self.is_listening and number <= UNASKED_ENDS_MAX

    def _ends_and_events(self, news: News) -> list[Note]:
        now = time.monotonic()
        with self._lock:
            self._keep_ends(news.ended, now)
            has_events = news.has_events and self._are_wanted(EVENTS, now)
            if not (self._waiting or has_events) or now - self._told_at < NOTIFY_INTERVAL_S:
                return []
            self._told_at = now
            ended, self._waiting = self._waiting, []
        return [*((ENDED, note) for note in _ids(ended)), *([(EVENTS, "")] if has_events else [])]

    def _are_wanted(self, channel: str, now: float) -> bool:
        return now < self._wanted_until[channel]


def _ids(ids: Sequence[str]) -> list[str]:
    """Join ids into texts that are short enough for a notification."""
    return [
        msgspec.json.encode(ids[start : start + IDS_PER_NOTE]).decode() for start in range(0, len(ids), IDS_PER_NOTE)
    ]
