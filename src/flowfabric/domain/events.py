"""Events: the lines of one append-only log."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from flowfabric.domain.states import Channel

LANE_EVENTS_KEPT_MS: Final = 30 * 86_400_000
"""How long events of lanes and schedules are kept. Events of an execution or a flow are kept as long as it is kept."""

_OTHER_SUBJECTS: Final = ("schedule", "lane", "budget", "limit", "token")


class Event(msgspec.Struct, frozen=True):
    """One thing that happened. `seq` counts without a gap from 1 for each subject."""

    event_id: int
    """The store gives the number. It is 0 before that."""
    channel: Channel
    event_type: str
    namespace: str
    execution_id: str | None
    flow_id: str | None
    seq: int
    details: Mapping[str, object]
    occurred_at_ms: int

    @property
    def subject(self) -> str:
        """The thing it happened to: an execution, a flow, or what the details name, such as a lane or a token."""
        if self.execution_id is not None:
            return f"execution {self.execution_id}"
        if self.flow_id is not None:
            return f"flow {self.flow_id}"
        kind = next(each for each in _OTHER_SUBJECTS if each in self.details)
        return f"{kind} {self.details[kind]} of {self.namespace or 'all namespaces'}"


class EventPage(msgspec.Struct, frozen=True):
    """Some events in order, and the cursor of the next page. An empty page: the reader has seen all events."""

    events: Sequence[Event]
    next_cursor: str
