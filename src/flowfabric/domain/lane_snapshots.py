"""Snapshots of lanes, made from the counts of their executions, their switches and their workers."""

from collections import Counter
from collections.abc import Iterable

from flowfabric.domain.lanes import LaneCount, LaneState, Place, RecentEnds
from flowfabric.domain.snapshots import LaneSnapshot
from flowfabric.domain.workers import Worker


def lane_snapshots_of(
    counts: Iterable[LaneCount],
    ends: RecentEnds,
    switches: Iterable[LaneState],
    workers: Iterable[Worker],
    now_ms: int,
) -> list[LaneSnapshot]:
    """Every lane that has executions or recent ends, is paused, or is served by a worker; by namespace and name."""
    held: dict[tuple[str, str], Counter[Place]] = {}
    oldest: dict[tuple[str, str], int] = {}
    suspended: dict[tuple[str, str], LaneCount] = {}
    for row in counts:
        key = (row.namespace, row.lane)
        held.setdefault(key, Counter())[row.place] += row.count
        if row.lifecycle_phase == "suspended":
            suspended[key] = row  # one row has all of them, because they have one eligibility
        if row.place == "waiting" and row.oldest_ready_at_ms is not None:
            oldest[key] = min(row.oldest_ready_at_ms, oldest.get(key, row.oldest_ready_at_ms))
    paused = {(switch.namespace, switch.lane): switch for switch in switches if switch.is_paused}
    alive = [worker for worker in workers if worker.is_alive(now_ms)]
    served = Counter((worker.namespace, lane) for worker in alive for lane in worker.lanes)
    shown = sorted({*held, *paused, *served, *ends.ended})
    snapshots: list[LaneSnapshot] = []
    for namespace, lane in shown:
        key = namespace, lane
        counted, switch, waiting = held.get(key, Counter()), paused.get(key), suspended.get(key)
        snapshots.append(
            LaneSnapshot(
                namespace=namespace,
                lane=lane,
                paused_at_ms=None if switch is None else switch.paused_at_ms,
                pause_reason="" if switch is None else switch.reason,
                waiting=counted["waiting"],
                delayed=counted["delayed"],
                active=counted["active"],
                blocked=counted["blocked"],
                oldest_ready_at_ms=oldest.get(key),
                ended_last_minute=ends.in_last_minute(namespace, lane, now_ms),
                live_workers=served[key],
                parked=counted["parked"],
                suspended=0 if waiting is None else waiting.count,
                oldest_suspended_at_ms=None if waiting is None else waiting.oldest_ready_at_ms,
            )
        )
    return snapshots
