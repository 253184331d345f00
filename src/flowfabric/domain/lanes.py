"""The state of a lane as operators have set it, and the counts of its executions."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from flowfabric.domain.states import EligibilityState, LifecyclePhase

MINUTE_MS: Final = 60_000
RECENT_EVENTS: Final = 20_000
"""How many of the newest events are counted to find out how many executions end in a minute."""

RECENT_FAILURES: Final = 10_000
"""How many of the newest executions with a failure are read to find out what has failed lately."""

Lane = tuple[str, str]
"""A lane of a namespace."""

CountsDuty = Literal["fold", "recount"]
"""What a store is to do with its kept counts. Fold: add up what commits have left. Recount: put right what differs."""

Place = Literal["waiting", "delayed", "active", "blocked", "parked"]


class LaneState(msgspec.Struct, frozen=True):
    """One lane that was paused at least once. A lane that was never paused has no record."""

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


class LaneCount(msgspec.Struct, frozen=True):
    """How many executions of a lane have not ended and are in the same state."""

    namespace: str
    lane: str
    lifecycle_phase: LifecyclePhase
    eligibility_state: EligibilityState
    count: int
    oldest_ready_at_ms: int | None
    """When the first of them became ready. None: they are not those that wait for a worker, and not suspended."""

    @property
    def place(self) -> Place:
        """Their place in the lane. Waiting: they could be claimed now. Blocked: time alone will not make them ready.

        Parked: they wait for a limit or a budget.
        """
        if self.lifecycle_phase == "active":
            return "active"
        if self.eligibility_state == "eligible_now":
            return "waiting"
        if self.eligibility_state in ("blocked_by_quota", "blocked_by_budget"):
            return "parked"
        return "delayed" if self.eligibility_state == "not_eligible_until_time" else "blocked"


class RecentEnds(msgspec.Struct, frozen=True):
    """How many executions have ended since an instant, by namespace and lane."""

    ended: Mapping[tuple[str, str], int]
    since_ms: int

    def in_last_minute(self, namespace: str, lane: str, now_ms: int) -> int:
        """How many have ended within the last minute; extrapolated if the count covers less than a minute."""
        seen_for_ms = max(now_ms - self.since_ms, 1)
        return round(self.ended.get((namespace, lane), 0) * max(1.0, MINUTE_MS / seen_for_ms))
