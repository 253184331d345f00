"""A flow as a picture: nodes with places and states, edges with their ways, joins, the critical path and progress.

`plan` finds the places. They depend on the graph alone, so a plan may be kept for as long as the graph does not change.
`draw` puts the states of the moment into a plan.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

import msgspec

from flowfabric.domain.flow import EdgeState, FlowState
from flowfabric.domain.flow_snapshots import EdgeGroupSnapshot, EdgeSnapshot, FlowSnapshot
from flowfabric.domain.joins import AllOf, AnyOf, Join, Quorum
from flowfabric.domain.snapshots import ExecutionSnapshot, Failure
from flowfabric.domain.states import PublicState
from flowfabric.drawing.causes import causes
from flowfabric.drawing.collapsing import collapsed, neighbours
from flowfabric.drawing.critical import critical_path
from flowfabric.drawing.placing import Box, place

NODE_HEIGHT: Final = 44.0
NODE_WIDTH_MIN: Final = 148.0
CHAR_WIDTH: Final = 7.4
"""How wide a character of a label is, about: the font of the reader is not known."""
LABEL_CHARS_MAX: Final = 28
FAILURE_CHARS_MAX: Final = 300

MOST_TELLING: Final[tuple[PublicState, ...]] = (
    "failed", "expired", "active", "suspended", "resumable", "rate_limited", "waiting", "delayed", "waiting_children",
    "cancelled", "skipped", "completed",
)  # fmt: skip
"""Which state stands for a group: the first of these that one of its members has."""
ENDED: Final[frozenset[PublicState]] = frozenset({"completed", "failed", "cancelled", "expired", "skipped"})


class DrawnJoin(msgspec.Struct, frozen=True):
    """When a node with several upstreams may run."""

    rule: Literal["all", "any", "quorum"]
    needed: int
    """How many upstreams must complete."""
    total: int
    completed: int
    """How many have completed. In a group: of the first member."""
    state: Literal["pending", "satisfied", "impossible", "cancelled"]
    label: str
    """The rule in words: all 3, any of 3, 2 of 5."""


class Cause(msgspec.Struct, frozen=True):
    """The member whose end caused another one to be skipped."""

    execution_id: str
    name: str
    """Its name in the flow, or its kind."""
    state: PublicState
    """Its state now: it may have been replayed since."""


class DrawnNode(msgspec.Struct, frozen=True):
    """One member of the flow, or a group of members that are alike."""

    id: str
    """The id of the execution, or of the first one in the group."""
    label: str
    kind: str
    x: float
    y: float
    width: float
    height: float
    state: PublicState
    """Of a group: the most telling state that one of its members has."""
    count: int
    """How many members it stands for."""
    states: Mapping[str, int]
    """How many of them are in each state."""
    members: Sequence[str] | None
    """The ids of all members of a group. None: it is no group, or the caller did not ask for them."""
    join: DrawnJoin | None
    """None: it has at most one upstream."""
    on_critical_path: bool
    started_at_ms: int | None
    """When the first of its members started."""
    ended_at_ms: int | None
    """When the last of its members ended. None: not all have ended."""
    failure: str | None
    """Why it failed: code and message. Of a group: of the first member that failed."""
    cause: Cause | None = None
    """Why it was skipped. Of a group: why the first skipped member was. None: it was not skipped."""
    was_replayed: bool = False
    """Whether a member was replayed. Then much time may have passed between its first start and its end."""


class DrawnEdge(msgspec.Struct, frozen=True):
    """What leads from one node to another."""

    source: str
    target: str
    path: str
    """Its way, as the path of an SVG. It begins at the right of the source and ends at the join of the target."""
    count: int
    """How many edges between members it stands for."""
    state: EdgeState
    """Pending while one of them is, else impossible if one of them is, else satisfied."""
    on_critical_path: bool


class Progress(msgspec.Struct, frozen=True):
    """How far the flow is."""

    total: int
    ended: int
    states: Mapping[str, int]


class FlowLayout(msgspec.Struct, frozen=True):
    """A flow as a picture. Nodes are in the order of their first members, oldest first."""

    flow_id: str
    kind: str
    state: FlowState
    revision: int
    """The revision of the graph. Places change only with it."""
    width: float
    height: float
    nodes: Sequence[DrawnNode]
    edges: Sequence[DrawnEdge]
    progress: Progress
    created_at_ms: int
    created_by: str | None
    terminal_at_ms: int | None
    cancel_reason: str | None
    cancellation_policy: str | None
    unacknowledged: int
    """How many members have not acknowledged the cancel yet."""


class Records(NamedTuple):
    """What was read of a flow. Members and edges may be newer than the flow."""

    flow: FlowSnapshot
    members: Sequence[ExecutionSnapshot]
    edges: Sequence[EdgeSnapshot]


class Plan(NamedTuple):
    """Where everything is. It holds ids and places, and no states."""

    width: float
    height: float
    nodes: list["PlannedNode"]
    edges: list["PlannedEdge"]
    above: dict[str, list[str]]
    below: dict[str, list[str]]


class PlannedNode(NamedTuple):
    """A node and its place."""

    members: list[str]
    label: str
    x: float
    y: float
    width: float


class PlannedEdge(NamedTuple):
    """An edge and its way."""

    source: int
    target: int
    path: str
    stands_for: int


def plan(records: Records, expand: Collection[str] | None = ()) -> Plan:
    """Find a place for every node. `expand` names members whose groups are shown one by one. None: all of them."""
    above, below = neighbours(records.members, records.edges)
    joins = {group.downstream: group for group in records.flow.groups}
    groups = collapsed(records.members, above, below, joins, None if expand is None else frozenset(expand))
    node_of = {x.execution_id: number for number, group in enumerate(groups) for x in group}
    counts: Counter[tuple[int, int]] = Counter(
        (node_of[upstream], node_of[key]) for key, upstreams in above.items() for upstream in upstreams
    )
    labels = [_label(group) for group in groups]
    boxes = [
        Box(_width(label), NODE_HEIGHT, join_width(_join(joins.get(group[0].execution_id))))
        for label, group in zip(labels, groups, strict=True)
    ]
    placed = place(boxes, list(counts))
    return Plan(
        placed.width,
        placed.height,
        [
            PlannedNode([x.execution_id for x in group], label, *corner, box.width)
            for group, label, corner, box in zip(groups, labels, placed.corners, boxes, strict=True)
        ],
        [
            PlannedEdge(source, target, path, count)
            for ((source, target), count), path in zip(counts.items(), placed.paths, strict=True)
        ],
        above,
        below,
    )


def draw(planned: Plan, records: Records, now_ms: int, *, with_members: bool = False) -> FlowLayout:
    """Put the states of the moment into a plan of the same graph."""
    by_id = {x.execution_id: x for x in records.members}
    joins = {group.downstream: group for group in records.flow.groups}
    members = [by_id[key] for node in planned.nodes for key in node.members]
    path = critical_path(members, planned.above, planned.below, joins, now_ms)
    on_path = set(path)
    blamed = causes(members, records.edges)
    steps_on_path = set(pairwise(path))
    nodes = [
        _node(node, [by_id[key] for key in node.members], joins, on_path, blamed, with_members=with_members)
        for node in planned.nodes
    ]
    node_of = {key: number for number, node in enumerate(planned.nodes) for key in node.members}
    critical = {(node_of[source], node_of[target]) for source, target in steps_on_path}
    states: dict[tuple[int, int], set[EdgeState]] = {}
    for edge in records.edges:
        if edge.upstream in node_of and edge.downstream in node_of:
            states.setdefault((node_of[edge.upstream], node_of[edge.downstream]), set()).add(edge.state)
    edges = [
        DrawnEdge(
            nodes[edge.source].id,
            nodes[edge.target].id,
            edge.path,
            edge.stands_for,
            _edge_state(states[edge.source, edge.target]),
            (edge.source, edge.target) in critical,
        )
        for edge in planned.edges
    ]
    counted = Counter(x.public_state for x in members)
    return FlowLayout(
        records.flow.flow_id,
        records.flow.kind,
        records.flow.state,
        records.flow.graph_revision,
        planned.width,
        planned.height,
        nodes,
        edges,
        Progress(len(members), sum(counted[state] for state in ENDED), _in_order(counted)),
        records.flow.created_at_ms,
        records.flow.created_by,
        records.flow.terminal_at_ms,
        records.flow.cancel_reason,
        records.flow.cancellation_policy,
        len(records.flow.pending_cancel_acks),
    )


def layout_of(records: Records, now_ms: int, expand: Collection[str] | None = ()) -> FlowLayout:
    """The picture of a flow, with the members of each group."""
    return draw(plan(records, expand), records, now_ms, with_members=True)


def shortened(text: str, limit: int) -> str:
    """The text, or its beginning and three dots."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def join_width(join: DrawnJoin | None) -> float:
    """How wide the mark of a join is, with the space between it and the node."""
    return 0.0 if join is None else 22.0 + 6.4 * len(join.label)


# ── parts ────────────────────────────────────────────────────────────────────────────────────────


def _label(group: Sequence[ExecutionSnapshot]) -> str:
    first = group[0]
    if len(group) > 1:
        return f"{shortened(first.kind, LABEL_CHARS_MAX - 8)} × {len(group)}"
    return shortened(first.node or first.kind, LABEL_CHARS_MAX)


def _width(label: str) -> float:
    wide = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in label)
    return round(max(NODE_WIDTH_MIN, 46 + CHAR_WIDTH * wide), 1)


def _node(
    planned: PlannedNode,
    group: Sequence[ExecutionSnapshot],
    joins: Mapping[str, EdgeGroupSnapshot],
    on_path: Collection[str],
    blamed: Mapping[str, ExecutionSnapshot],
    *,
    with_members: bool,
) -> DrawnNode:
    first = group[0]
    states = Counter(x.public_state for x in group)
    started = [x.started_at_ms for x in group if x.started_at_ms is not None]
    ended = [x.terminal_at_ms for x in group if x.terminal_at_ms is not None]
    cause = next((blamed[x.execution_id] for x in group if x.execution_id in blamed), None)
    return DrawnNode(
        id=first.execution_id,
        label=planned.label,
        kind=first.kind,
        x=planned.x,
        y=planned.y,
        width=planned.width,
        height=NODE_HEIGHT,
        state=next(state for state in MOST_TELLING if states[state]),
        count=len(group),
        states=_in_order(states),
        members=planned.members if with_members and len(group) > 1 else None,
        join=_join(joins.get(first.execution_id)),
        on_critical_path=any(x.execution_id in on_path for x in group),
        started_at_ms=min(started, default=None),
        ended_at_ms=max(ended) if len(ended) == len(group) else None,
        failure=next((_words(x.failure) for x in group if x.failure is not None), None),
        cause=None if cause is None else Cause(cause.execution_id, cause.node or cause.kind, cause.public_state),
        was_replayed=any(x.replay_count for x in group),
    )


def _words(failure: Failure) -> str:
    return shortened(f"{failure.code}: {failure.message}" if failure.message else failure.code, FAILURE_CHARS_MAX)


def _in_order(states: Mapping[PublicState, int]) -> dict[str, int]:
    """How many are in each state, those that one should see first at the front."""
    return {state: states[state] for state in MOST_TELLING if states.get(state)}


def _edge_state(states: Collection[EdgeState]) -> EdgeState:
    if "pending" in states:
        return "pending"
    return "impossible" if "impossible" in states else "satisfied"


def _join(group: EdgeGroupSnapshot | None) -> DrawnJoin | None:
    if group is None or group.total < 2:
        return None
    rule, needed, label = rule_of(group.policy, group.total)
    return DrawnJoin(rule, needed, group.total, group.success_count, group.state, label)


def rule_of(policy: Join, total: int) -> tuple[Literal["all", "any", "quorum"], int, str]:
    """The rule of a join, how many upstreams it needs, and both in words: all 3, any of 3, 2 of 5."""
    match policy:
        case AllOf():
            return "all", total, f"all {total}"
        case AnyOf():
            return "any", 1, f"any of {total}"
        case Quorum(k=k):
            return "quorum", k, f"{k} of {total}"
