"""What must hold for parents and children after every batch, and for a store at rest."""

from collections.abc import Iterator, Mapping

from flowfabric.domain.children import DEPTH_MAX, Children, are_over, child_id
from flowfabric.domain.conditions import from_stored
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.waiting import EMPTY_INBOX


def family_violations(x: Execution) -> Iterator[str]:
    """What is wrong with one execution as a parent or as a child."""
    inbox = x.inbox or EMPTY_INBOX
    names = [group.name for group in inbox.groups]
    if len(set(names)) != len(names):
        yield f"{x.execution_id} has two groups of children of one name: {names}"
    if x.has_ended and names:
        yield f"{x.execution_id} is {x.public_state} and still counts children: {names}"
    for group in inbox.groups:
        if min(group.succeeded, group.failed) < 0 or group.succeeded + group.failed > group.total:
            yield f"{x.execution_id} has counted {group.succeeded} and {group.failed} of {group.total} children"
    if inbox.children < sum(group.total for group in inbox.groups):
        yield f"{x.execution_id} has {inbox.children} children, and more in its groups"
    for wait in inbox.waits:
        condition = from_stored(wait.condition)
        if not isinstance(condition, Children):
            continue
        if are_over(condition.names, inbox.groups, all_ended=condition.all_ended):
            yield f"{x.execution_id} waits for {wait.name!r}, and these children have ended"
    place = x.child_place
    if (x.parent_id is None) != (place is None):
        yield f"{x.execution_id} has the parent {x.parent_id} and the place {place}"
    elif x.parent_id is not None and place is not None:
        if x.execution_id != child_id(x.parent_id, place.life, place.group, place.index):
            yield f"{x.execution_id} has the id of another child"
        if not 1 <= place.depth <= DEPTH_MAX:
            yield f"{x.execution_id} has {place.depth} ancestors"


def family_violations_at_rest(executions: Mapping[ExecutionId, Execution]) -> Iterator[str]:
    """What is broken between parents and children."""
    settled: dict[tuple[ExecutionId, int, str], list[bool]] = {}
    for x in executions.values():
        parent, place = executions.get(x.parent_id) if x.parent_id is not None else None, x.child_place
        if parent is None or place is None:
            continue
        if x.depth != parent.depth + 1:
            yield f"{x.execution_id} has {x.depth} ancestors, and its parent has {parent.depth}"
        has_failed = parent.has_ended and parent.terminal_outcome != "success"
        # Everybody may replay a child alone, also after the end of its parent.
        if has_failed and not parent.unsettled and not x.has_ended and not x.replay_count:
            yield f"{x.execution_id} is {x.public_state}, and its parent is {parent.public_state}"
        if x.has_ended and not x.unsettled:
            at = (parent.execution_id, place.life, place.group)
            settled.setdefault(at, []).append(x.terminal_outcome == "success")
    for x in executions.values():
        for group in (x.inbox or EMPTY_INBOX).groups:
            ends = settled.get((x.execution_id, (x.inbox or EMPTY_INBOX).life, group.name), [])
            # A child that was removed is still counted.
            if sum(ends) > group.succeeded or len(ends) - sum(ends) > group.failed:
                yield f"{x.execution_id} has counted {group} and should have counted {ends}"
