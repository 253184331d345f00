"""How a parent counts the ends of its children, and how these end its waits."""

from msgspec.structs import replace

from flowfabric.domain.children import ChildGroup, Children, are_over, with_group
from flowfabric.domain.conditions import from_stored
from flowfabric.domain.decide.wait_ends import end_open_wait, inbox_of, perform_timeouts
from flowfabric.domain.execution import Execution
from flowfabric.domain.waiting import Inbox, OpenWait
from flowfabric.domain.working_set import WorkingSet


def group_named(inbox: Inbox | None, name: str) -> ChildGroup | None:
    """The group of this name, if the parent knows one."""
    return None if inbox is None else next((group for group in inbox.groups if group.name == name), None)


def is_over(wait: OpenWait, inbox: Inbox) -> bool:
    """Whether this wait is for children, and they have ended."""
    condition = from_stored(wait.condition)
    if not isinstance(condition, Children):
        return False
    return are_over(condition.names, inbox.groups, all_ended=condition.all_ended)


def count_end(ws: WorkingSet, child: Execution) -> None:
    """Count the end of a child in its group. The waits that are over then end."""
    found = _living_parent(ws, child)
    if found is None:
        return
    parent = perform_timeouts(ws, found)
    if parent.has_ended:
        return
    group = _group_of(parent, child)
    if group is None:
        return
    if child.terminal_outcome == "success":
        group = replace(group, succeeded=group.succeeded + 1)
    else:
        group = replace(group, failed=group.failed + 1)
    inbox = inbox_of(parent)
    inbox = replace(inbox, groups=with_group(inbox.groups, group))
    parent = replace(parent, inbox=inbox)
    for wait in inbox.waits:
        if is_over(wait, inbox):
            parent = end_open_wait(ws, parent, wait, [], "children")
    ws.executions.put(parent)


def take_back_end(ws: WorkingSet, child: Execution) -> None:
    """Do not count the end of a child any more, because the child is replayed and will end again."""
    if child.unsettled:
        return  # it was not counted
    parent = _living_parent(ws, child)
    group = None if parent is None else _group_of(parent, child)
    if parent is None or group is None:
        return
    if child.terminal_outcome == "success":
        group = replace(group, succeeded=group.succeeded - 1)
    else:
        group = replace(group, failed=group.failed - 1)
    inbox = inbox_of(parent)
    ws.executions.put(replace(parent, inbox=replace(inbox, groups=with_group(inbox.groups, group))))


def _living_parent(ws: WorkingSet, child: Execution) -> Execution | None:
    parent = ws.parent_of(child)
    return None if parent is None or parent.has_ended else parent


def _group_of(parent: Execution, child: Execution) -> ChildGroup | None:
    """The group in which the parent counts the child. None: a replay has begun another life since."""
    place = child.child_place
    if parent.inbox is None or place is None or parent.inbox.life != place.life:
        return None
    return group_named(parent.inbox, place.group)
