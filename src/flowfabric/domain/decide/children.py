"""CreateChildren, PassOnEnd: an attempt makes children of its execution, and ends pass between parents and children.

The end of a child does not lock its parent, and the end of a parent does not lock its children: it leaves the execution
`unsettled`. A command that follows the commit, or upkeep, passes the end on: first to the children, up to CASCADE_MAX
in one transaction, then to the parent.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.children import (
    CHILDREN_MAX,
    DEPTH_MAX,
    ChildGroup,
    ChildPlace,
    child_ids,
    kinds_of,
    with_group,
)
from flowfabric.domain.commands import ChildCreation, CreateChildren, CreateExecution, PassOnEnd
from flowfabric.domain.decide import ending
from flowfabric.domain.decide.child_counts import count_end, group_named
from flowfabric.domain.decide.creating import check_gates, new_execution
from flowfabric.domain.decide.ending import cancel_children, resume_cascade
from flowfabric.domain.decide.keeping import fate_of_steps
from flowfabric.domain.decide.leasing import held_under
from flowfabric.domain.decide.replaying import bring_back, has_replays_left
from flowfabric.domain.decide.rule import rule, weight_of_data
from flowfabric.domain.decide.seeing import its_executions, its_executions_and_their_flows
from flowfabric.domain.decide.wait_ends import inbox_of
from flowfabric.domain.decide.waiting import with_inbox
from flowfabric.domain.errors import Conflict, InvalidInput
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.outcomes import Created, Duplicate
from flowfabric.domain.steps import NO_STEP
from flowfabric.domain.traces import traced
from flowfabric.domain.working_set import MoreNeeded, WorkingSet

# ── making ───────────────────────────────────────────────────────────────────────────────────────


def _what_children_see(command: CreateChildren, wanted: Needs) -> None:
    parent_id = command.fence.execution_id
    its_executions(command, wanted)
    wanted.steps.add((parent_id, NO_STEP))
    # Most parents are in their first life. Their children are loaded together with them, because some may exist:
    # of an earlier attempt, or of an execution that was removed and had the same id.
    wanted.executions.update(child_ids(parent_id, 0, command.name, len(command.items)))


@rule(
    CreateChildren,
    sees=_what_children_see,
    weight=lambda command: sum(weight_of_data(item.payload) for item in command.items),
)
def create_children(ws: WorkingSet, command: CreateChildren, scope: str | None) -> list[Created | Duplicate]:
    """Make a group of children, once in each life of the parent.

    After a replay that keeps steps, the group is counted afresh: children that have succeeded stay as they are, and
    the others are replayed.
    """
    parent = with_inbox(held_under(ws, command.fence, scope))
    inbox = inbox_of(parent)
    kinds = kinds_of([item.kind for item in command.items])
    ids = child_ids(parent.execution_id, inbox.life, command.name, len(command.items))
    known = group_named(inbox, command.name)
    if known is not None:
        if (known.total, known.kinds) != (len(ids), kinds):
            raise _another_group(parent, command)
        return [Duplicate(key) for key in ids]
    if parent.depth >= DEPTH_MAX:
        raise InvalidInput(
            f"{parent.execution_id} has {parent.depth} ancestors, and {DEPTH_MAX} is the limit, so it can make no "
            "children. Let an execution that is nearer to the root make them."
        )
    existing = _existing(ws, ids)
    counted = sum(each.total for each in inbox.groups) + len(ids)
    number = max(inbox.children + len(ids) - len(existing), counted)
    if number > CHILDREN_MAX:
        raise InvalidInput(
            f"{parent.execution_id} would have {number} children; the limit of one execution is {CHILDREN_MAX}. "
            "Give each child a part of the work, and let it make children of its own."
        )
    group = ChildGroup(command.name, len(ids), kinds, after_step=ws.next_step_number(parent.execution_id, NO_STEP) - 1)
    back = _to_bring_back(ws, existing.values())
    answers: list[Created | Duplicate] = []
    for index, (key, item) in enumerate(zip(ids, command.items, strict=True)):
        child = existing.get(key)
        if child is None:
            child = _new(ws, parent, key, ChildPlace(command.name, index, inbox.life, parent.depth + 1), item)
            answers.append(Created(key, child.public_state))
            continue
        if (child.kind, child.parent_id, child.namespace) != (item.kind, parent.execution_id, parent.namespace):
            raise _another_group(parent, command)
        if key in back:
            bring_back(ws, child, fate_of_steps(ws, child, None), is_late=False)
        elif child.has_ended and not child.unsettled:
            has_succeeded = child.terminal_outcome == "success"
            group = replace(group, succeeded=group.succeeded + has_succeeded, failed=group.failed + (not has_succeeded))
        answers.append(Duplicate(key))
    ws.executions.put(replace(parent, inbox=replace(inbox, children=number, groups=with_group(inbox.groups, group))))
    return answers


def _another_group(parent: Execution, command: CreateChildren) -> Conflict:
    return Conflict(
        f"{parent.execution_id} has made other children {command.name!r} before: another number of them, or of other "
        "kinds. Give other children another name, and let every attempt make the same ones."
    )


def _existing(ws: WorkingSet, ids: Sequence[ExecutionId]) -> dict[ExecutionId, Execution]:
    """Those of the children that exist. All that are missing are loaded together."""
    found: dict[ExecutionId, Execution] = {}
    is_lacking = False
    for key in ids:
        try:
            x = ws.executions.get(key)
        except MoreNeeded:
            is_lacking = True
            continue
        if x is not None:
            found[key] = x
    if is_lacking:
        raise MoreNeeded
    return found


def _to_bring_back(ws: WorkingSet, children: Iterable[Execution]) -> set[ExecutionId]:
    """The children that are replayed: they have ended without success. What is needed for that is loaded together."""
    back = {x.execution_id for x in children if x.has_ended and x.terminal_outcome != "success" and has_replays_left(x)}
    ws.need_step_places(sorted(back))
    return back


def _new(ws: WorkingSet, parent: Execution, key: ExecutionId, place: ChildPlace, item: ChildCreation) -> Execution:
    """Make one child."""
    creation = CreateExecution(
        key,
        True,
        item.kind,
        item.payload,
        item.lane,
        parent.namespace,
        item.priority,
        item.delay_until_ms,
        item.deadline_at_ms,
        None,
        0,
        item.required_capabilities,
        item.policy,
        item.tags,
        gates=item.gates,
    )
    if item.gates is not None:
        check_gates(ws, parent.namespace, item.gates)
    made = new_execution(creation, parent.created_by, None, None, ws.now_ms, ws.era)
    child = replace(traced(made, "submit", ws.trace), parent_id=parent.execution_id, child_place=place)
    ws.executions.put(child)
    ws.payloads.put_at(key, item.payload)
    return child


# ── passing on ───────────────────────────────────────────────────────────────────────────────────


@rule(PassOnEnd, sees=its_executions_and_their_flows, leaves_queue=True)
def pass_on(ws: WorkingSet, command: PassOnEnd) -> bool:
    """Pass an end on to the children and to the parent. False: this has been done already."""
    x = ws.executions.get(command.execution_id)
    if x is None or not x.has_ended or not x.unsettled or x.coming_back is not None:
        return False
    pass_on_end(ws, x)
    return True


def pass_on_end(ws: WorkingSet, x: Execution) -> None:
    """Pass an end on to everyone that it concerns: children that are cancelled, the parent, and waiting members."""
    cancels = x.has_children and x.terminal_outcome != "success"
    if cancels and not cancel_children(ws, x, f"parent_{x.public_state}", ending.CASCADE_MAX):
        return  # it stays unsettled, and upkeep resumes here
    if x.parent_id is not None:
        count_end(ws, x)
    if x.flow_id is None:
        ws.executions.put(replace(x, unsettled=False))
    else:
        resume_cascade(ws, x)
