"""Counts, made from rows that look the same in every SQL store."""

from collections.abc import Iterable, Mapping
from typing import Any

from flowfabric.domain.flow import FLOW_STATES
from flowfabric.domain.lanes import LaneCount, RecentEnds
from flowfabric.domain.snapshots import Kept, LogExtent, all_kept
from flowfabric.domain.states import ELIGIBILITY_STATES, LIFECYCLE_PHASES, PUBLIC_STATES
from flowfabric.domain.views import Tally

Row = tuple[Any, ...]


def lane_counts_of(rows: Iterable[Row]) -> list[LaneCount]:
    """How many executions each lane holds, by state."""
    return [
        LaneCount(namespace, lane, LIFECYCLE_PHASES[phase], ELIGIBILITY_STATES[eligibility], count, oldest)
        for namespace, lane, phase, eligibility, count, oldest in rows
    ]


def recent_ends_of(ended: Iterable[Row], first_unread: Row | None, since_ms: int) -> RecentEnds:
    """Ends by lane, from the newest events only. Ends before the first unread event are not counted."""
    counts = {(namespace, lane): count for namespace, lane, count in ended}
    return RecentEnds(counts, since_ms if first_unread is None else max(since_ms, first_unread[0]))


def kept_of(executions: Iterable[Row], flows: Iterable[Row]) -> dict[str, Kept]:
    """Ended records by namespace.

    A row: namespace, how many have ended, how many will be removed, and when the next.
    """
    parts: dict[str, list[Kept]] = {}
    for namespace, ended, to_go, next_at_ms in executions:
        kept = Kept(executions_to_go=to_go, next_at_ms=next_at_ms, executions_for_ever=ended - to_go)
        parts.setdefault(namespace, []).append(kept)
    for namespace, ended, to_go, next_at_ms in flows:
        kept = Kept(flows_to_go=to_go, next_at_ms=next_at_ms, flows_for_ever=ended - to_go)
        parts.setdefault(namespace, []).append(kept)
    return {namespace: all_kept(of) for namespace, of in parts.items()}


def tally_of(
    *,
    states: Iterable[Row],
    flows: Iterable[Row],
    pending_acks: int,
    log: Row | None,
    schema_version: int,
    kept: Mapping[str, Kept],
) -> Tally:
    """All counts together."""
    counted = list(states)
    return Tally(
        {PUBLIC_STATES[state]: count for state, count, *_ in counted},
        min((oldest for _, _, oldest, _ in counted if oldest is not None), default=None),
        {FLOW_STATES[state]: count for state, count in flows},
        pending_acks,
        None if log is None else LogExtent(*log),
        schema_version,
        all_kept(kept.values()),
        sum(parked for *_, parked in counted),
    )
