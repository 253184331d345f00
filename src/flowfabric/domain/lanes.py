"""What an operator has set for a lane: whether its executions may be claimed."""

import msgspec


class LaneSwitch(msgspec.Struct, frozen=True):
    """One lane that was paused at least once. Of a lane without one nothing was ever set."""

    namespace: str
    lane: str
    paused_at_ms: int | None = None
    """None: it is not paused."""
    reason: str = ""
    event_seq: int = 0

    @property
    def is_paused(self) -> bool:
        """Whether nothing may be claimed from the lane."""
        return self.paused_at_ms is not None
