"""Counts, made from rows that look the same in every SQL store."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from flowfabric.domain.counting import ExecutionStanding, FlowStanding, Keeping, Move, is_end, standing_in
from flowfabric.domain.lanes import MINUTE_MS, LaneCount, RecentEnds
from flowfabric.domain.listing import ExecutionFilter
from flowfabric.domain.snapshots import EndsInMinute, Kept, LogExtent, all_kept
from flowfabric.domain.states import PUBLIC_STATES, PublicState
from flowfabric.domain.views import Tally

if TYPE_CHECKING:
    from flowfabric.domain.flow import FlowState

Row = tuple[Any, ...]

FEW_MOVES: Final = 500
"""So many moves of counts cost a reader nothing, and are not added up yet."""
QUEUED_MAX: Final = 1_000
"""A queue up to this length is read and sorted, to list what waits."""


def lane_counts_of(
    counted: Iterable[Row], oldest_ready: Iterable[Row], oldest_suspended: Callable[[], Iterable[Row]]
) -> list[LaneCount]:
    """How many executions each lane holds, by standing, and since when the first of those that are ready or suspended.

    `oldest_suspended` is asked only if some are suspended.
    """
    ready_since = {(namespace, lane): at_ms for namespace, lane, at_ms in oldest_ready}
    suspended_since: dict[tuple[str, str], int] | None = None
    found = []
    for namespace, lane, code, count in counted:
        standing = standing_in(code)
        assert isinstance(standing, ExecutionStanding)
        since = None
        if standing.eligibility == "eligible_now":
            since = ready_since.get((namespace, lane))
        elif standing.phase == "suspended":
            if suspended_since is None:
                suspended_since = {(of, in_lane): at_ms for of, in_lane, at_ms in oldest_suspended()}
            since = suspended_since.get((namespace, lane))
        found.append(LaneCount(namespace, lane, standing.phase, standing.eligibility, count, since))
    return found


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
    standings: Iterable[Row],
    oldest_ready: Iterable[Row],
    pending_acks: int,
    log: Row | None,
    schema_version: int,
    next_at_ms: Iterable[int | None],
) -> Tally:
    """All counts together. `next_at_ms`: when the next retention of an execution, and that of a flow, is over."""
    executions: Counter[PublicState] = Counter()
    flows: Counter[FlowState] = Counter()
    kept: Counter[tuple[str, Keeping]] = Counter()
    parked_at_budgets = 0
    for code, number in standings:
        standing = standing_in(code)
        if isinstance(standing, FlowStanding):
            flows[standing.state] += number
            kept["flows", standing.keeping] += number
        else:
            executions[standing.public_state] += number
            kept["executions", standing.keeping] += number
            if standing.eligibility == "blocked_by_budget":
                parked_at_budgets += number
    return Tally(
        executions,
        min((at_ms for _, _, at_ms in oldest_ready), default=None),
        flows,
        pending_acks,
        None if log is None else LogExtent(*log),
        schema_version,
        Kept(
            kept["executions", "to_go"],
            kept["flows", "to_go"],
            min((at_ms for at_ms in next_at_ms if at_ms is not None), default=None),
            kept["executions", "for_ever"],
            kept["flows", "for_ever"],
        ),
        parked_at_budgets,
    )


class Listing(NamedTuple):
    """How a list is read: what is searched, and how many executions there are at most."""

    among: Literal["all", "queued", "failed", "tagged"]
    most: int


def listing_of(where: ExecutionFilter, limit: int, counted: Row) -> Listing:
    """The shortest way to what a filter shows: a list that has shown all that there is does not search on.

    `counted`: how many pass the filter, apart from its tag and its instant; how many of these are in the queue, and how
    many have failed; and how long the queue is that would have to be read.
    """
    matching, in_queue, failed, queue_length = counted
    most = max(0, min(limit, matching))  # counts that somebody has spoilt by hand may be below zero
    if in_queue == matching and queue_length <= QUEUED_MAX:
        return Listing("queued", most)
    if where.tag is not None:
        return Listing("tagged", most)
    return Listing("failed" if failed == matching else "all", most)


def has_listing(where: ExecutionFilter) -> bool:
    """Whether the kept counts say something about a list. The members of a flow are found by the flow."""
    return where.flow_id is None and any((where.public_state, where.lane, where.kind))


def is_kept_count(where: ExecutionFilter) -> bool:
    """Whether the kept counts tell how many executions pass this filter."""
    return where.flow_id is None and where.tag is None and where.created_before_ms is None


def ends_of(rows: Iterable[Row]) -> list[EndsInMinute]:
    """How many executions have ended in each minute, by public state."""
    by_minute: dict[int, dict[PublicState, int]] = {}
    for minute, state, number in rows:
        by_minute.setdefault(minute, {})[PUBLIC_STATES[state]] = number
    return [EndsInMinute(minute * MINUTE_MS, ended) for minute, ended in by_minute.items()]


def count_move_row_of(move: Move, number: int, minute: int) -> Row:
    """A row of ff_count_move. `minute`: the one in which the batch is decided."""
    return (
        number,
        minute if is_end(move) else None,
        move.before,
        move.after,
        move.namespace,
        move.lane,
        move.kind,
    )


def ended_in_minute(moves: Mapping[Move, int], now_ms: int) -> list[Row]:
    """The ends among the moves of a batch, each as a row: minute, namespace, public state, number."""
    ended: dict[tuple[int, str, int], int] = {}
    for move, number in moves.items():
        if move.after is not None and is_end(move):
            at = (now_ms // MINUTE_MS, move.namespace, move.after // 64)
            ended[at] = ended.get(at, 0) + number
    return [(*at, number) for at, number in ended.items()]
