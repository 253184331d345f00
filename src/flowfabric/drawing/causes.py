"""Why members of a flow were skipped: the member that did not succeed, however far upstream it is."""

from collections import defaultdict
from collections.abc import Sequence

from flowfabric.domain.flow_snapshots import EdgeSnapshot
from flowfabric.domain.snapshots import ExecutionSnapshot


def causes(members: Sequence[ExecutionSnapshot], edges: Sequence[EdgeSnapshot]) -> dict[str, ExecutionSnapshot]:
    """The cause of each skipped member: the nearest member above it that did not succeed and was not skipped itself.

    Of several, the one that ended first. It may have been replayed since, and have any state now.
    """
    by_id = {x.execution_id: x for x in members}
    blamed: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        if edge.state == "impossible" and edge.upstream in by_id:
            blamed[edge.downstream].append(edge.upstream)
    found: dict[str, ExecutionSnapshot] = {}
    for x in members:
        path: list[str] = []
        at = x
        while at.public_state == "skipped" and at.execution_id not in found and blamed[at.execution_id]:
            path.append(at.execution_id)
            at = min((by_id[key] for key in blamed[at.execution_id]), key=_when_it_was_lost)
        found.update(dict.fromkeys(path, found.get(at.execution_id, at)))
    return found


def _when_it_was_lost(x: ExecutionSnapshot) -> tuple[bool, int, str]:
    return x.public_state == "skipped", x.terminal_at_ms or 0, x.execution_id
