"""What must hold for budgets: after every batch, by what the batch has changed, and at the end."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flowfabric.domain.budgets import Amounts, exceeded_in, named_in, plus
from flowfabric.domain.execution import Execution
from flowfabric.domain.invariants import Contents
from tests.simulation import work
from tests.simulation.checks import at_the_end
from tests.simulation.gate_watch import LOST, NS, Batch, reserved_by

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import UseAt
    from tests.simulation.world import World


def _a_reset_begins_a_period(batch: Batch) -> Iterator[str]:
    for event in batch.changes.events:
        if event.event_type == "budget_reset":
            at = (event.namespace, str(event.details["budget"]))
            was_ms = batch.before.books.budgets[at].period_at(batch.now_ms)
            if batch.after.books.budgets[at].period_at(batch.now_ms + 1) == was_ms:
                yield f"budget {at} was reset, and its period began at {was_ms} as before"


def _only_an_exceeded_budget_pauses(batch: Batch) -> Iterator[str]:
    """Who is told to pause names, or has spent on, a budget that is exceeded and lets others pause."""
    if batch.is_about_budgets:
        return
    budgets = batch.after.books.budgets
    uses = batch.after.books.budget_uses
    exceeded = [budgets[at[:2]] for at, use in uses.items() if exceeded_in(budgets[at[:2]], use)]
    if any(budget.on_exceeded == "pause" for budget in exceeded):
        return
    for before, x in batch.changed.values():
        was_told = before is not None and before.gates is not None and before.gates.must_pause
        if x is not None and x.gates is not None and x.gates.must_pause and not was_told:
            yield f"{x.execution_id} is to pause, and of what is exceeded nothing lets it pause: {exceeded}"


def _reservations_fit(batch: Batch) -> Iterator[str]:
    """Who reserves finds room. What is spent counts in any case, so it may fill a budget over its limit."""
    for at, use in batch.changes.budget_uses.items():
        if at[:2] in batch.changes.budgets:
            continue
        known = batch.before.budget_use(at)
        for name, limit in batch.after.books.budgets[at[:2]].limits.items():
            reserves = use.reserved.get(name, 0) > known.reserved.get(name, 0)
            spends = use.used.get(name, 0) != known.used.get(name, 0)
            if reserves and not spends and use.used.get(name, 0) + use.reserved.get(name, 0) > limit:
                yield f"more of {name} is reserved than budget {at} has: {use}, and its limit is {limit}"
    for x, _ in batch.starts:
        if x.lifecycle_phase == "active" and x.gates is not None and not batch.is_about_budgets:
            yield from _estimates_are_reserved(batch, x)


def _estimates_are_reserved(batch: Batch, x: Execution) -> Iterator[str]:
    """What an execution has reserved, spent, or given back with a step, is at least its estimate."""
    assert x.gates is not None
    if any(key == x.execution_id for key, _ in batch.changes.steps):
        return
    reserved = reserved_by(x, batch.after)
    spent = batch.spent()
    for name, amounts in x.gates.budgets:
        for budget in batch.after.chain(name):
            period_ms = budget.period_at(batch.now_ms)
            held = plus(
                reserved.get((budget.name, period_ms), {}), spent.get((x.execution_id, budget.name, period_ms), {})
            )
            for dimension, amount in named_in(amounts, budget).items():
                if held.get(dimension, 0) < amount:
                    yield f"{x.execution_id} was leased, and only {held} of {amount} is reserved of {budget.name!r}"


def _what_is_spent_was_reserved_first(batch: Batch) -> Iterator[str]:
    """What an attempt spends on a budget is taken out of what it has reserved of it. Parents are not looked at."""
    spent = batch.spent()
    parents = {budget.parent for budget in batch.after.books.budgets.values()}
    for before, x in batch.changed.values():
        if before is None or x is None or before.lease_epoch != x.lease_epoch or x.lifecycle_phase != "active":
            continue
        was, now = reserved_by(before, batch.before), reserved_by(x, batch.after)
        for (name, period_ms), amounts in was.items():
            used = spent.get((x.execution_id, name, period_ms), {})
            if (
                name not in parents
                and any(used.get(each) for each in amounts)
                and now.get((name, period_ms)) == amounts
            ):
                yield f"{x.execution_id} has spent {used} of {name!r}, and {amounts} is reserved as before"


def _what_was_lost_is_charged(batch: Batch) -> Iterator[str]:
    spent = batch.spent()
    allowed: dict[UseAt, Amounts] = {}
    for x, reserved, is_certain in batch.lost():
        may_be_less = not is_certain or any(key == x.execution_id for key, _ in batch.changes.steps)
        for (name, period_ms), amounts in reserved.items():
            at = (x.namespace, name, period_ms)
            allowed[at] = plus(allowed.get(at, {}), amounts)
            batch.watch.lost[x.execution_id, name] += amounts.get("usd", 0)
            charged = spent.get((x.execution_id, name, period_ms), {})
            if not may_be_less and any(charged.get(dimension, 0) < amount for dimension, amount in amounts.items()):
                yield f"{x.execution_id} was lost with {amounts} of {name!r} reserved, and only {charged} was charged"
    for x, _ in batch.starts:  # it may have been lost in the same batch
        assert x.gates is not None
        if any(event.event_type in LOST for event in batch.events[x.execution_id]):
            for name, amounts in x.gates.budgets:
                for budget in batch.after.chain(name):
                    at = (x.namespace, budget.name, budget.period_at(batch.now_ms))
                    allowed[at] = plus(allowed.get(at, {}), amounts)
                    batch.watch.lost[x.execution_id, budget.name] += amounts.get("usd", 0)
    for at, use in batch.changes.budget_uses.items():
        known = batch.before.budget_use(at)
        for name, amount in use.assumed.items():
            if amount - known.assumed.get(name, 0) > allowed.get(at, {}).get(name, 0):
                yield f"{amount - known.assumed.get(name, 0)} of {at} is assumed to be spent, and nobody has lost it"


def _the_ledger_adds_up(batch: Batch) -> Iterator[str]:
    """What is used grows by what the ledger says, and by what officers correct, which never goes below 0."""
    least: dict[UseAt, Amounts] = {}
    for (_, name, period_ms), amounts in batch.spent().items():
        least[NS, name, period_ms] = plus(least.get((NS, name, period_ms), {}), amounts)
    most = dict(least)
    for event in batch.changes.events:
        if event.event_type != "budget_charged":
            continue
        if batch.is_about_budgets:
            return
        amounts = event.details["amounts"]
        assert isinstance(amounts, dict)
        for budget in batch.after.chain(str(event.details["budget"])):
            at = (event.namespace, budget.name, budget.period_at(batch.now_ms))
            least[at] = plus(least.get(at, {}), amounts)
            most[at] = plus(most.get(at, {}), {name: max(amount, 0) for name, amount in amounts.items()})
    for at in {**least, **batch.changes.budget_uses}:
        known = batch.before.budget_use(at).used
        now = batch.after.budget_use(at).used
        for name in {**known, **now, **least.get(at, {})}:
            change = now.get(name, 0) - known.get(name, 0)
            if not least.get(at, {}).get(name, 0) <= change <= most.get(at, {}).get(name, 0):
                yield f"{change:+d} of {at} is used, and the ledger says {least.get(at, {})} to {most.get(at, {})}"


def _parents_are_charged(batch: Batch) -> Iterator[str]:
    """What is spent on a budget counts in its parent, too."""
    if batch.is_about_budgets:
        return
    sums: dict[tuple[str, str], Amounts] = {}
    for (execution_id, name, _), amounts in batch.spent().items():
        sums[execution_id, name] = plus(sums.get((execution_id, name), {}), amounts)
    below: dict[tuple[str, str], Amounts] = {}
    for (execution_id, name), amounts in sums.items():
        parent = batch.after.books.budgets[NS, name].parent
        before, _ = batch.changed.get(execution_id, (None, None))
        if parent is None or (before is not None and _has_reserved_under_another_parent(batch, before)):
            continue
        counted = named_in(amounts, batch.after.books.budgets[NS, parent])
        below[execution_id, parent] = plus(below.get((execution_id, parent), {}), counted)
    for (execution_id, parent), amounts in below.items():
        charged = sums.get((execution_id, parent), {})
        if any(charged.get(name, 0) < amount for name, amount in amounts.items()):
            yield f"{execution_id} has spent {amounts} below budget {parent!r}, which was charged {charged}"


def _has_reserved_under_another_parent(batch: Batch, x: Execution) -> bool:
    for reservation in () if x.gates is None else x.gates.reservations:
        now = [budget.name for budget in batch.after.chain(reservation.budget)]
        if [name for name, _ in reservation.chain] != now:
            return True
    return False


def _what_runs_on_an_exceeded_budget_will_stop(batch: Batch) -> Iterator[str]:
    books = batch.after.books
    exceeded = {budget.name for budget in books.budgets.values() if exceeded_in(budget, books.use(budget))}
    for x in books.alive if exceeded else ():
        if x.lifecycle_phase != "active" or x.gates is None or x.gates.must_pause:
            continue
        for name, _ in x.gates.budgets:
            if name in exceeded and (x.namespace, "budget", name, "") not in books.openings:
                yield f"{x.execution_id} runs on budget {name!r}, which is exceeded, and nobody will stop it"


BUDGET_CHECKS = (
    _a_reset_begins_a_period,
    _only_an_exceeded_budget_pauses,
    _what_runs_on_an_exceeded_budget_will_stop,
    _reservations_fit,
    _what_is_spent_was_reserved_first,
    _what_was_lost_is_charged,
    _the_ledger_adds_up,
    _parents_are_charged,
)
"""What is asked after every batch."""


# ── what user code knows ─────────────────────────────────────────────────────────────────────────


@at_the_end
def _what_was_spent_is_charged_once(world: "World", contents: Contents) -> Iterator[str]:
    """At least what user code was answered, and at most what it has asked for, with what was lost."""
    below = {
        name: [each for each in work.PARENTS if each == name or work.PARENTS[each] == name] for name in work.PARENTS
    }
    lines: Counter[tuple[str, str]] = Counter()
    for line in world.store._ledger.values():
        lines[line.execution_id, line.budget] += line.amounts.get("usd", 0)
    asked, charged = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for (execution_id, budget, _), amount in world.ledger.asked.items():
        asked[execution_id, budget] += amount
    for (execution_id, budget, _), amount in world.ledger.charged.items():
        charged[execution_id, budget] += amount
    for execution_id, budget in sorted({*lines, *charged}):
        if execution_id in world.purged:
            continue
        of_ledger = lines[execution_id, budget]
        least = charged[execution_id, budget]
        most = sum(asked[execution_id, each] + world.gates.lost[execution_id, each] for each in below[budget])
        if not least <= of_ledger <= most:
            yield f"{execution_id} has {of_ledger} of {budget!r} in the ledger, not {least} to {most}"


@at_the_end
def _a_limit_of_a_budget_is_passed_once_in_a_period(world: "World", contents: Contents) -> Iterator[str]:
    told = Counter(
        (event.event_type, str(event.details["budget"]), str(event.details["dimension"]))
        for event in contents.events
        if event.event_type in ("soft_limit_passed", "budget_exceeded")
    )
    periods = Counter(name for _, name, _ in world.store._budget_uses)
    for (event_type, name, dimension), number in told.items():
        if number > periods[name]:
            yield f"{event_type} of {dimension} was told {number} times of budget {name!r}, in {periods[name]} periods"
