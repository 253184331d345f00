"""Which limit or budget does an execution wait for? What is used of it, by whom, and when it has room again."""

from collections.abc import Sequence
from typing import Final

import msgspec

from flowfabric.domain.budgets import Amounts, Budget, BudgetUse, exceeded_in, lacking
from flowfabric.domain.execution import Execution
from flowfabric.domain.gate_snapshots import KeyView, named
from flowfabric.domain.limits import opens_at_ms, why_closed
from flowfabric.domain.words import COUNTED_MAX, counted, span, span_ahead

RUNNING_NAMED: Final = 3
"""How many executions that run under a limit are named."""


class FullLimit(msgspec.Struct, frozen=True):
    """The limit at which an execution is parked."""

    view: KeyView | None
    """None: the limit was removed."""
    running: Sequence[str]
    """Some executions that run under its key, oldest first."""
    in_front: int
    """How many are parked there in front of this one, up to `COUNTED_MAX`."""


class FullBudget(msgspec.Struct, frozen=True):
    """The budget at which an execution is parked."""

    budget: Budget
    use: BudgetUse
    """What is used in the present period."""
    needs: Amounts
    """What the execution would reserve of it."""
    in_front: int


def what_limits_it(x: Execution, at_gate: FullLimit | FullBudget | None, now_ms: int) -> str:
    """Why a parked execution does not run."""
    assert x.gates is not None
    assert x.gates.parked is not None
    waits = f"It waits for {named(x.gates.parked)}"
    if isinstance(at_gate, FullBudget):
        return f"{waits}{_budget(at_gate, now_ms)}{_queue(at_gate.in_front)}."
    if at_gate is None:
        return f"{waits}."
    if at_gate.view is None:
        return f"{waits}, which was removed; it goes to the queue at the next sweep."
    return f"{waits}{_limit(at_gate.view, at_gate.running, now_ms)}{_queue(at_gate.in_front)}."


def _limit(view: KeyView, running: Sequence[str], now_ms: int) -> str:
    numbers, use = view.numbers, view.use
    why = why_closed(numbers, use, now_ms)
    opens_ms = opens_at_ms(numbers, use, now_ms)
    if why == "paused":
        return f", which is paused for another {span_ahead(use.paused_until_ms - now_ms)}"
    if why == "rate":
        assert numbers.rate is not None
        assert opens_ms is not None
        allowed = f"{counted(numbers.rate, 'start')} in {span(numbers.per_ms)}"
        return f": it allows {allowed}; the next start is possible in {span_ahead(opens_ms - now_ms)}"
    if why == "concurrency":
        by = f" by {_some(running, use.in_use)}" if running else ""
        return f": {use.in_use} of {numbers.concurrency} in use{by}"
    in_use = "" if numbers.concurrency is None else f" ({use.in_use} of {numbers.concurrency} in use)"
    return f", which has room again{in_use}; it goes to the queue at the next sweep"


def _some(running: Sequence[str], number: int) -> str:
    shown = list(running[:RUNNING_NAMED])
    more = number - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _budget(at: FullBudget, now_ms: int) -> str:
    budget, use = at.budget, at.use
    exceeded = exceeded_in(budget, use)
    dimension = exceeded[0] if exceeded else lacking(budget, use, at.needs)
    if dimension is None:
        return ", which has room again; it goes to the queue at the next sweep"
    used, limit = use.used.get(dimension, 0), budget.limits[dimension]
    reserved, needs = use.reserved.get(dimension, 0), at.needs.get(dimension, 0)
    said = f": {used:,} of {limit:,} {dimension} {'is' if used == 1 else 'are'} used"
    if reserved:
        said += f" and {reserved:,} reserved"
    if exceeded:
        return f"{said}; {_next_period(budget, now_ms)}"
    if needs > limit:
        return f"{said}, and it needs {needs:,}, so it never starts unless the limit is raised"
    return f"{said}, and it needs {needs:,}; {_next_period(budget, now_ms)}"


def _next_period(budget: Budget, now_ms: int) -> str:
    next_ms = budget.next_reset_ms(now_ms)
    if next_ms is None:
        return "it has no periods, so only an operator makes room" if budget.period is None else "no period follows"
    return f"the next period begins in {span_ahead(next_ms - now_ms)}"


def _queue(in_front: int) -> str:
    if not in_front:
        return ""
    more = " or more" if in_front >= COUNTED_MAX else ""
    return f"; {in_front:,}{more} {'is' if in_front == 1 else 'are'} in front of it"
