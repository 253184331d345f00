"""Sentences about what a replay keeps and what it does again: before it happens, and after."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from flowfabric.cli.filters import members_of
from flowfabric.cli.hints import for_waiting
from flowfabric.cli.plans import Plan
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import Replayed
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.domain.steps import StepsRule
    from flowfabric.engine.blocking import BlockingEngine

NAMES_SHOWN: Final = 8


# ── one execution ────────────────────────────────────────────────────────────────────────────────


def plan_for(
    engine: "BlockingEngine", x: "ExecutionSnapshot", steps: "StepsRule | None", from_step: str | None
) -> Plan:
    """What a replay would do to one execution and its stored steps."""
    from flowfabric.domain.steps import rule_after

    execution_id = x.execution_id
    if x.terminal_at_ms is None:
        waits = f"; {for_waiting(execution_id)}" if x.lifecycle_phase == "suspended" else ""
        return Plan(f"{execution_id} has not ended, so it cannot be replayed{waits}", is_possible=False)
    flow = None if x.flow_id is None else engine.describe_flow(x.flow_id)
    if flow is not None and flow.state == "cancelled" and flow.cancellation_policy != "flow_only":
        repair = f"`ff flow replay {flow.flow_id}` brings it back"
        words = f"{execution_id} belongs to a cancelled flow, so it cannot be replayed by itself; {repair}"
        return Plan(words, is_possible=False)
    names = [step.name for step in engine.list_steps(execution_id)]
    if from_step is not None and from_step not in names:
        there = f"only these: {_names(names)}" if names else "and no other one"
        return Plan(f"{execution_id} has no stored step {from_step!r}, {there}", is_possible=False)
    is_cleared = from_step is None and rule_after(x.terminal_outcome, steps) == "clear"
    words = f"{execution_id} ({x.public_state}) will be replayed{_fate(names, from_step, is_cleared)}"
    return Plan(words, is_possible=True, repeats_a_success=is_cleared and x.terminal_outcome == "success")


def _fate(names: Sequence[str], from_step: str | None, is_cleared: bool) -> str:
    """What a replay does with the stored steps."""
    if not names:
        return ": it has no stored steps, so all of it is done again"
    if from_step is not None:
        first = names.index(from_step)
        before = f"{_shown(names[:first])} kept" if first else "no step is kept"
        return f": {before}, and done again from {from_step} on ({_names(names[first:])})"
    if is_cleared:
        return f" from scratch: {_shown(names)} cleared and done again"
    return f": {_shown(names)} kept, and only what comes after is done"


def answer_in_words(answer: "Replayed", steps_stored: int) -> str:
    """What a replay has done, in words that follow the id."""
    kept, cleared = answer.steps_kept, steps_stored - answer.steps_kept
    if not steps_stored:
        steps = "from scratch: it had no stored steps"
    elif not kept:
        steps = f"from scratch: {counted(cleared, 'stored step')} {'was' if cleared == 1 else 'were'} cleared"
    else:
        steps = f"with {counted(kept, 'stored step')} kept" + (f" and {cleared} cleared" if cleared else "")
    return f"is {answer.public_state} again, {steps}"


def left_skipped(engine: "BlockingEngine", x: "ExecutionSnapshot", also: Collection[str] = ()) -> str:
    """Which members stay skipped because of this member, and the verb that brings them back; empty: there are none."""
    if x.flow_id is None:
        return ""
    skipped = {each.execution_id for each in members_of(engine, x.flow_id, "skipped")} - {x.execution_id, *also}
    below = defaultdict(list)
    for edge in engine.list_edges(x.flow_id) if skipped else ():
        if edge.state == "impossible":
            below[edge.upstream].append(edge.downstream)
    found: set[str] = set()
    frontier = [x.execution_id]
    while frontier:
        beyond = skipped.intersection(below[frontier.pop()]) - found
        found |= beyond
        frontier += beyond
    if not found:
        return ""
    was, stay, them = ("was", "stays", "it") if len(found) == 1 else ("were", "stay", "them")
    return (
        f"{counted(len(found), 'member')} {was} skipped because of it and {stay} skipped; "
        f"`ff flow replay {x.flow_id}` brings {them} back, too"
    )


def _shown(names: Sequence[str]) -> str:
    verb = "is" if len(names) == 1 else "are"
    return f"{counted(len(names), 'stored step')} ({_names(names)}) {verb}"


def _names(names: Sequence[str]) -> str:
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


# ── many ─────────────────────────────────────────────────────────────────────────────────────────


def words_for_all(steps: "StepsRule | None") -> str:
    """What a replay does with the steps of executions that filters have found. They are not read one by one."""
    if steps == "clear":
        return ", from scratch: all their stored steps are cleared and done again"
    return ": what completed starts from scratch, and everything else keeps its stored steps"


_Way = Literal["keep", "repeat", "clear", "first"]
_WAYS: Final[Mapping[_Way, tuple[str, str]]] = {
    "keep": ("goes on after its stored steps", "go on after their stored steps"),
    "repeat": ("has completed and starts from scratch", "have completed and start from scratch"),
    "clear": ("starts from scratch", "start from scratch"),
    "first": ("runs for the first time", "run for the first time"),
}
"""How members come back: the words for one member, and for several."""


def words_for_members(
    members: "Mapping[str, ExecutionSnapshot]", chosen: Collection[str], steps: "StepsRule | None", will: str
) -> str:
    """Which members of a flow are left alone, and how the chosen ones come back."""
    left = Counter(x.public_state for key, x in members.items() if key not in chosen)
    alone = ""
    if set(left) == {"completed"}:
        number = left["completed"]
        alone = f"{number} that {'has completed is' if number == 1 else 'have completed are'} left alone; "
    elif left:
        states = ", ".join(f"{number} {state}" for state, number in left.most_common())
        alone = f"{left.total()} {'is' if left.total() == 1 else 'are'} left alone ({states}); "
    ways = Counter(_way(members[key], steps) for key in chosen)
    parts = ", ".join(f"{ways[way]} {words[ways[way] > 1]}" for way, words in _WAYS.items() if ways[way])
    return f"{alone}{counted(len(chosen), 'member')} of {len(members)} {will} run: {parts}"


def _way(x: "ExecutionSnapshot", steps: "StepsRule | None") -> _Way:
    from flowfabric.domain.steps import rule_after

    if x.started_at_ms is None:
        return "first"
    if rule_after(x.terminal_outcome, steps) == "keep":
        return "keep"
    return "repeat" if x.terminal_outcome == "success" else "clear"


def no_such_node(flow_id: str, name: str, members: "Collection[ExecutionSnapshot]") -> str:
    """The sentence for an unknown node, with the names that there are."""
    nodes = [x.node for x in members if x.node is not None]
    there = f"Its nodes are: {_names(nodes)}." if nodes else "None of its members has a name."
    return f"Flow {flow_id} has no node {name!r}. {there} An id does as well."
