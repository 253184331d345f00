"""A reader's position in the log: a snapshot, and facts that show after a crash or failover if it is still valid."""

from functools import lru_cache

import msgspec

from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.known_types import known

NOTHING_SEEN = "1:1:"
"""The snapshot before all others."""


@known
class EventPosition(msgspec.Struct, frozen=True, array_like=True):
    """The reader has read all of the snapshot `after`, and of the later snapshot `upto` the events up to an id."""

    after: str
    upto: str | None = None
    after_id: int = 0
    timeline: str | None = None
    """The timeline of the server; a standby that takes over begins another one."""
    purge: str | None = None
    """The transaction of the last purge."""
    newest: str | None = None
    """The visible event with the highest transaction id. While it is in the log, no lower id is handed out again."""
    newest_purged: str | None = None
    """The highest transaction id of a purged event, if no transaction below it was open, so that all below are read."""

    @property
    def seen(self) -> str:
        """The later snapshot."""
        return self.upto or self.after

    def at_its_end(self) -> "EventPosition":
        """The position of a reader that has read all of both snapshots."""
        return msgspec.structs.replace(self, after=self.seen, upto=None, after_id=0)

    def since(self, earlier: "EventPosition", after_id: int) -> "EventPosition":
        """A position within the page between an earlier position and this one: after one of the page's events."""
        return msgspec.structs.replace(self, after=earlier.seen, upto=self.seen, after_id=after_id)


def position_now(snapshot: str, timeline: str | None, purged: str | None, newest: str | None) -> EventPosition:
    """The position of a reader that has read all of a log in this state.

    PostgreSQL does not log that it hands out a transaction id. After a crash or a failover it hands out again the ids
    of transactions that left nothing in its log. A snapshot that counts such an id as ended would hide the events of
    the next transaction with that id. So the position ends with the newest event: its id is never handed out again. No
    transaction between this id and the end of the original snapshot has an event, so no event is read twice.
    """
    end = 1 if newest is None else int(newest.partition(":")[0]) + 1
    all_under_way = [id for id in snapshot.rpartition(":")[2].split(",") if id]
    under_way = [id for id in all_under_way if int(id) < end]
    start = under_way[0] if under_way else end
    purge, newest_purged = (None, None) if purged is None else purged.split(":")[:2]
    if newest_purged is not None and any(int(id) < int(newest_purged) for id in all_under_way):
        newest_purged = None
    return EventPosition(
        f"{start}:{end}:{','.join(under_way)}",
        timeline=timeline,
        purge=purge,
        newest=newest,
        newest_purged=newest_purged,
    )


def position_in(cursor: str | None, store: str) -> EventPosition:
    """The position that a cursor stands for; without one, the beginning of the log."""
    return EventPosition(NOTHING_SEEN) if cursor is None else unpack_cursor(cursor, "events", store, EventPosition)


def event_cursor(position: EventPosition, store: str) -> str:
    """The cursor that stands for a position."""
    return pack_cursor("events", store, position)


@lru_cache(100)  # many readers of one page ask for the same; a cursor may be long
def event_cursor_within(before: str | None, page_end: str, event_id: int, store: str) -> str:
    """The cursor after an event of the page between two cursors.

    Within a page the order is that of the event ids, so the page's snapshots and an id say where.
    """
    at, end = position_in(before, store), position_in(page_end, store)
    if at.upto is not None and (end.after == at.after or (end.after, end.upto) == (at.upto, None)):
        # The page continues an earlier page, which its limit had cut.
        position = msgspec.structs.replace(at, after_id=event_id)
    else:
        position = end.since(at, event_id)
    return event_cursor(position, store)
