"""A reader's position in a log whose ids are in commit order, and whether a purge has removed unread events."""

from functools import lru_cache
from typing import Annotated, Final

import msgspec

from flowfabric.domain.cursors import cursor_gone, cursor_of_lost_events, pack_cursor, unpack_cursor
from flowfabric.domain.known_types import known

_COUNT: Final = msgspec.Meta(ge=0, le=2**63 - 1)


@known
class LogPosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The last event that the reader has read, and how many purges of the log there had been by then."""

    event_id: Annotated[int, _COUNT]
    purges: Annotated[int, _COUNT]


@known
class Purged(msgspec.Struct, frozen=True):
    """What purges have removed from a log: up to which event, and how many purges there were."""

    event_id: int = 0
    purges: int = 0


def event_cursor(store: str, event_id: int, purged: Purged) -> str:
    """The cursor of a reader that has read up to an event, with the purges that the log has had."""
    return pack_cursor("events", store, LogPosition(event_id, purged.purges))


@lru_cache(1_000)  # many readers of one page ask for the same
def event_cursor_within(store: str, page_end: str, event_id: int) -> str:
    """The cursor that goes on after an event of the page that ends with the given cursor."""
    end = unpack_cursor(page_end, "events", store, LogPosition)
    return pack_cursor("events", store, LogPosition(event_id, end.purges))


@lru_cache(1_000)  # who waits for news asks again and again from where the log ended
def _position_at(cursor: str, store: str) -> LogPosition:
    return unpack_cursor(cursor, "events", store, LogPosition)


def event_id_at(cursor: str | None, store: str, last_event_id: int, purged: Purged) -> int:
    """The last event that the reader of a cursor has read. A cursor that would skip purged events silently is refused.

    Events that were purged before the cursor was made do not matter: its reader could never have read them.
    """
    if cursor is None:
        return 0
    at = _position_at(cursor, store)
    if at.event_id > last_event_id:
        raise cursor_of_lost_events()
    if at.event_id < purged.event_id and at.purges < purged.purges:
        raise cursor_gone()
    return at.event_id
