"""The critical path of a flow: the chain of members that decides when the flow ends."""

from collections.abc import Mapping, Sequence
from typing import Final

from flowfabric.domain.flow_snapshots import EdgeGroupSnapshot
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.snapshots import ExecutionSnapshot

_NEVER_RUNS: Final = ("skipped", "cancelled", "expired")


def critical_path(
    members: Sequence[ExecutionSnapshot],
    above: Mapping[str, Sequence[str]],
    below: Mapping[str, Sequence[str]],
    joins: Mapping[str, EdgeGroupSnapshot],
    now_ms: int,
) -> list[str]:
    """The ids of the chain, from the first member to the last.

    A member that has ended counts with the time that it ran. One that has not ended is expected to take as long as
    others of its kind did, or as long as it has run already. A join waits by its rule: for the last of all, for the
    first of any, for the second if it needs two.
    """
    if not members:
        return []
    takes = _durations(members, now_ms)
    states = {x.execution_id: x.public_state for x in members}
    ends: dict[str, int] = {}
    waited_for: dict[str, str | None] = {}
    missing = {key: len(each) for key, each in above.items()}
    ready = [x.execution_id for x in members if not missing[x.execution_id]]
    for key in ready:  # which grows
        before = _decided_by(above[key], joins.get(key), ends, states)
        waited_for[key] = before
        ends[key] = takes[key] + (0 if before is None else ends[before])
        for each in below[key]:
            missing[each] -= 1
            if not missing[each]:
                ready.append(each)
    # The first of those that end last: the order of the members decides, not that of the walk.
    last: str | None = max((x.execution_id for x in members if not below[x.execution_id]), key=ends.__getitem__)
    path: list[str] = []
    while last is not None:
        path.append(last)
        last = waited_for[last]
    return path[::-1]


def _durations(members: Sequence[ExecutionSnapshot], now_ms: int) -> dict[str, int]:
    """How long each member takes, or is expected to take."""
    ran: dict[str, list[int]] = {}
    for x in members:
        if x.public_state == "completed" and x.started_at_ms is not None and x.terminal_at_ms is not None:
            ran.setdefault(x.kind, []).append(x.terminal_at_ms - x.started_at_ms)
    usual = {kind: sum(each) // len(each) for kind, each in ran.items()}
    elsewhere = max(1, sum(usual.values()) // len(usual)) if usual else 1
    found: dict[str, int] = {}
    for x in members:
        expected = usual.get(x.kind, elsewhere)
        if x.terminal_at_ms is not None:
            ended = 0 if x.public_state in _NEVER_RUNS else expected
            found[x.execution_id] = ended if x.started_at_ms is None else max(0, x.terminal_at_ms - x.started_at_ms)
        elif x.started_at_ms is not None:
            found[x.execution_id] = max(expected, now_ms - x.started_at_ms)
        else:
            found[x.execution_id] = expected
    return found


def _decided_by(
    upstreams: Sequence[str],
    join: EdgeGroupSnapshot | None,
    ends: Mapping[str, int],
    states: Mapping[str, str],
) -> str | None:
    """The upstream whose end lets a member run."""
    if len(upstreams) < 2:
        return upstreams[0] if upstreams else None
    policy = AllOf() if join is None else join.policy
    if isinstance(policy, AllOf):
        return max(upstreams, key=ends.__getitem__)
    lost = ("failed", *_NEVER_RUNS)
    counting = [key for key in upstreams if states[key] not in lost] or list(upstreams)
    in_order = sorted(counting, key=ends.__getitem__)
    needed = 1 if isinstance(policy, AnyOf) else policy.k
    assert isinstance(policy, AnyOf | Quorum)
    return in_order[min(needed, len(in_order)) - 1]
