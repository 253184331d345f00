"""What a replay keeps of the former life: steps, and with them waitpoints, tokens and signals."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from flowfabric.domain.children import CHILDREN_MAX
from flowfabric.domain.decide.ending import cancel_children
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.execution import Execution
from flowfabric.domain.steps import StepsRule, rule_after
from flowfabric.domain.waiting import Inbox
from flowfabric.domain.working_set import WorkingSet

PARENT_REPLAYED: Final = "parent_replayed"
"""The reason of the cancel of children of a former life."""
_NAMES_SHOWN: Final = 50


class FateOfSteps(msgspec.Struct, frozen=True):
    """What happens to the stored steps."""

    what: Literal["kept", "cleared"]
    kept: int = 0
    dropped: Sequence[str] = ()
    from_step: str | None = None
    kept_until_ms: int = -1
    """When the last of the kept steps was stored, if some are dropped."""


def fate_of_steps(ws: WorkingSet, x: Execution, steps: StepsRule | None, from_step: str | None = None) -> FateOfSteps:
    """What a replay does with the steps of an execution."""
    if from_step is None and rule_after(x.terminal_outcome, steps) == "clear":
        return FateOfSteps("cleared")
    places = ws.step_places(x.execution_id)
    names = [place.name for place in places]
    if from_step is None:
        return FateOfSteps("kept", len(names))
    if from_step not in names:
        raise InvalidInput(f"{x.execution_id} has no stored step {from_step!r}. {_what_there_is(names)}")
    first = names.index(from_step)
    kept_until_ms = max((place.recorded_at_ms for place in places[:first]), default=-1)
    return FateOfSteps("kept", first, names[first:], from_step, kept_until_ms)


def _what_there_is(names: Sequence[str]) -> str:
    if not names:
        return "It has none at all: leave from_step out."
    shown = ", ".join(map(repr, names[:_NAMES_SHOWN]))
    more = f", and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return f"Its steps are, first to last: {shown}{more}."


def keep_steps(ws: WorkingSet, x: Execution, steps: FateOfSteps) -> Execution:
    """Keep or forget steps, and what belongs to them. The caller has to put the returned execution."""
    if steps.what == "cleared":
        ws.clear_steps(x.execution_id)
    else:
        ws.drop_steps(x.execution_id, steps.dropped)
    if x.inbox is None:
        return x
    if x.has_children and (steps.what == "cleared" or steps.from_step is not None):
        # The new life makes its own children.
        cancel_children(ws, x, PARENT_REPLAYED, CHILDREN_MAX)
    if steps.what == "cleared":
        ws.inboxes.clear(x.execution_id)
        return replace(x, inbox=Inbox(life=x.inbox.life + 1))
    return x if steps.from_step is None else _keep_what_was_used(ws, x, x.inbox, steps)


def _keep_what_was_used(ws: WorkingSet, x: Execution, inbox: Inbox, steps: FateOfSteps) -> Execution:
    """Keep the waitpoints that a kept step may have used: those that were there when the last one was stored.

    Signals that dropped waits had taken are kept for the next waits.
    """
    waitpoints, signals = ws.inboxes.all_of(x.execution_id)
    gone = {waitpoint.key: waitpoint for waitpoint in waitpoints if waitpoint.created_at_ms > steps.kept_until_ms}
    for waitpoint in gone.values():
        ws.inboxes.drop(x, waitpoint)
    for signal in signals:
        at = (x.execution_id, signal.number)
        if signal.taken_by in steps.dropped:
            ws.inboxes.give_back(x.execution_id, signal.number)
        if signal.key in gone or (signal.taken_by in steps.dropped and not signal.key):
            ws.signals.remove(at)
    if not gone and not x.has_children:
        return x
    return replace(x, inbox=replace(inbox, life=inbox.life + 1, children=0))
