"""Which members of a flow are alike, so that a picture shows them as one node."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # `ff` starts without them
    from flowfabric.domain.flow_snapshots import EdgeGroupSnapshot, EdgeSnapshot
    from flowfabric.domain.snapshots import ExecutionSnapshot

ALIKE_MIN: Final = 4
"""From this number on, members that are alike are shown as one."""


def neighbours(
    members: "Sequence[ExecutionSnapshot]", edges: "Sequence[EdgeSnapshot]"
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The upstreams and the downstreams of each member, each once, in the order of the edges.

    Flow, members and edges may have been read one after the other. An edge of a member that was added in between is
    left out; the next picture shows it.
    """
    above: dict[str, dict[str, None]] = {x.execution_id: {} for x in members}
    below: dict[str, dict[str, None]] = {x.execution_id: {} for x in members}
    for edge in edges:
        if edge.upstream in above and edge.downstream in above:
            above[edge.downstream][edge.upstream] = None
            below[edge.upstream][edge.downstream] = None
    return {key: list(each) for key, each in above.items()}, {key: list(each) for key, each in below.items()}


def collapsed(
    members: "Sequence[ExecutionSnapshot]",
    above: Mapping[str, Sequence[str]],
    below: Mapping[str, Sequence[str]],
    joins: "Mapping[str, EdgeGroupSnapshot]",
    expand: Collection[str] | None = (),
) -> "list[list[ExecutionSnapshot]]":
    """The members in their order, in groups. Each member is in exactly one group; most groups have one.

    Members are alike if they have the same kind, the same upstreams with the same join, and the same downstreams. Many
    of them are one group in the place of the first, unless `expand` names one of them. None: no group is made.
    """
    alike: dict[object, list[ExecutionSnapshot]] = {}
    for x in members:
        key = x.execution_id
        join = joins.get(key)
        look = (x.kind, frozenset(above[key]), frozenset(below[key]), None if join is None else join.policy)
        alike.setdefault(look, []).append(x)
    groups: list[list[ExecutionSnapshot]] = []
    for group in alike.values():
        is_open = expand is None or len(group) < ALIKE_MIN or any(x.execution_id in expand for x in group)
        groups += [[x] for x in group] if is_open else [group]
    return groups
