"""Whether a store has come to rest: everybody has ended, or waits for something that can be named."""

from collections.abc import Iterator

from flowfabric.domain.invariants import Contents
from flowfabric.domain.joins import Quorum


def restless(contents: Contents) -> Iterator[str]:
    """Executions that are neither at their end nor kept from it by anything.

    A held one waits for the operator. A blocked one waits for an upstream that is itself kept back, for the replay of
    one that did not complete before it was replayed itself, or for edges that its quorum still lacks.
    """
    executions = {x.execution_id: x for x in contents.executions}
    groups = {group.downstream: group for group in contents.groups}
    for x in contents.executions:
        if x.unsettled and (x.parent_id is not None or x.has_children):
            yield f"{x.execution_id} has ended, and its parent or its children have not heard of it"
        if x.has_ended or x.eligibility_state == "blocked_by_operator":
            continue
        group = groups.get(x.execution_id)
        if x.eligibility_state != "blocked_by_dependencies" or group is None:
            yield f"{x.execution_id} is still {x.public_state}"
            continue
        if isinstance(group.join, Quorum) and group.total < group.join.k:
            continue
        upstreams = [
            executions[edge.upstream]
            for edge in contents.edges
            if edge.downstream == x.execution_id and edge.state == "pending"
        ]
        kept_back = any(not upstream.has_ended for upstream in upstreams)
        waits_for_a_replay = x.replay_count > 0 and any(upstream.has_ended for upstream in upstreams)
        if not kept_back and not waits_for_a_replay:
            yield f"{x.execution_id} is blocked, and nobody keeps it so"
