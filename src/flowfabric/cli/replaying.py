"""What a replay keeps and what it does again, in words for whoever is asked."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.domain.steps import StepsRule
    from flowfabric.engine.blocking import BlockingEngine

NAMES_SHOWN: Final = 8


def words_for(engine: "BlockingEngine", execution_id: str, steps: "StepsRule | None", from_step: str | None) -> str:
    """What becomes of one execution, and of its stored steps."""
    from flowfabric.domain.steps import rule_after

    x = engine.describe_execution(execution_id)
    if x is None or x.terminal_at_ms is None:
        return f"{execution_id} has not ended, so it cannot be replayed"
    names = [step.name for step in engine.list_steps(execution_id)]
    head = f"{execution_id} ({x.public_state}) will be replayed"
    if not names:
        return f"{head}: it has no stored steps, so all of it is done again"
    if from_step in names:
        first = names.index(from_step)
        before = f"{_shown(names[:first])} kept" if first else "no step is kept"
        return f"{head}: {before}, and done again from {from_step} on ({_names(names[first:])})"
    if rule_after(x.terminal_outcome, steps) == "clear":
        return f"{head} from scratch: {_shown(names)} cleared and done again"
    return f"{head}: {_shown(names)} kept, and only what comes after is done"


def words_for_all(steps: "StepsRule | None") -> str:
    """The same for executions of which nobody has looked at each."""
    if steps == "clear":
        return ", from scratch: all their stored steps are cleared and done again"
    return ": what completed starts from scratch, and everything else keeps its stored steps"


def _shown(names: Sequence[str]) -> str:
    verb = "is" if len(names) == 1 else "are"
    return f"{counted(len(names), 'stored step')} ({_names(names)}) {verb}"


def _names(names: Sequence[str]) -> str:
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
