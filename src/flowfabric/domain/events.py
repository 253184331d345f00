"""Everything that can have happened, as one append-only log."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from flowfabric.domain.states import Channel

LANE_EVENTS_KEPT_MS: Final = 30 * 86_400_000
"""How long events of lanes and schedules are kept. Those of executions and flows are kept as long as these."""


class Event(msgspec.Struct, frozen=True):
    """One thing that happened. `seq` counts without a gap from 1 for each subject."""

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

    @property
    def subject(self) -> str:
        """What it happened to: an execution, a flow, or else the schedule or the lane that its details name."""
        if self.execution_id is not None:
            return f"execution {self.execution_id}"
        if self.flow_id is not None:
            return f"flow {self.flow_id}"
        kind = "schedule" if "schedule" in self.details else "lane"
        return f"{kind} {self.details[kind]} of {self.namespace}"


class EventPage(msgspec.Struct, frozen=True):
    """Some events in order, and where to read on. An empty page means caught up."""

    events: Sequence[Event]
    next_cursor: str
