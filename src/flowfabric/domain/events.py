"""Everything that can have happened, as one append-only log."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.states import Channel


class Event(msgspec.Struct, frozen=True):
    """One thing that happened. `seq` counts without a gap from 1, per execution or per flow."""

    event_id: int
    """Given by the store; 0 until then."""
    channel: Channel
    event_type: str
    namespace: str
    execution_id: str | None
    flow_id: str | None
    seq: int
    details: Mapping[str, object]
    occurred_at_ms: int


class EventPage(msgspec.Struct, frozen=True):
    """Some events in order, and where to read on. An empty page means caught up."""

    events: Sequence[Event]
    next_cursor: str
