"""Rules about limits and budgets: whether what is counted agrees with the leases, and which budgets are exceeded."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

import msgspec

from flowfabric.domain.budgets import Budget, BudgetUse, UseAt, exceeded_in, named_in, plus
from flowfabric.domain.gate_snapshots import named
from flowfabric.domain.gates import Gates
from flowfabric.domain.health.finding import Finding
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.limits import KeyAt, KeyUse
from flowfabric.domain.words import counted, span_ahead


class GateFacts(msgspec.Struct, frozen=True):
    """What is stored about limits and budgets, as of one moment."""

    leased: Sequence[tuple[str, Gates]] = ()
    """The gates of every execution that is leased and has some, each with its namespace."""
    key_uses: Sequence[KeyUse] = ()
    """Those with slots in use."""
    budgets: Sequence[Budget] = ()
    budget_uses: Sequence[BudgetUse] = ()
    """Those with something reserved, or with a limit that was reached."""


def facts_in(facts: GateFacts, namespace: str) -> GateFacts:
    """The part of the facts that belongs to a namespace."""
    return GateFacts(
        [each for each in facts.leased if each[0] == namespace],
        [each for each in facts.key_uses if each.namespace == namespace],
        [each for each in facts.budgets if each.namespace == namespace],
        [each for each in facts.budget_uses if each.namespace == namespace],
    )


def of_gates(facts: GateFacts, now_ms: int) -> Iterator[Finding]:
    """Counters that leases do not explain, and budgets that hold work back."""
    yield from _slots(facts)
    yield from _reservations(facts)
    uses = {use.at: use for use in facts.budget_uses}
    for budget in facts.budgets:
        at = (budget.namespace, budget.name, budget.period_at(now_ms))
        exceeded = exceeded_in(budget, uses.get(at, BudgetUse(*at)))
        if exceeded:
            yield _exceeded(budget, uses.get(at, BudgetUse(*at)), exceeded[0], now_ms)


def _slots(facts: GateFacts) -> Iterator[Finding]:
    held: Counter[KeyAt] = Counter()
    for namespace, gates in facts.leased:
        held.update((namespace, name, key) for name, key in gates.slots)
    noted = Counter({use.at: use.in_use for use in facts.key_uses})
    for at in sorted({*held, *noted}):
        if held[at] == noted[at]:
            continue
        namespace, name, key = at
        is_high = noted[at] > held[at]
        shown = f" {quote(key)}" if key else ""
        own = f" --key {quote(key)}" if key else ""
        yield Finding(
            "limit_miscounted",
            f"{_capital(named(('limit', name, key)))} of namespace {namespace!r} counts {noted[at]} in use, and "
            f"{counted(held[at], 'lease')} {'holds' if held[at] == 1 else 'hold'} a slot of it",
            f"it lets {'fewer' if is_high else 'more'} run than its numbers say",
            f"report it, with `ff limits show {quote(name)}{shown}{_in(namespace)}`; until it is mended, "
            f"`ff limits set {quote(name)}{own} --concurrency N{_in(namespace)}` can make up for it",
        )


def _reservations(facts: GateFacts) -> Iterator[Finding]:
    known = {(budget.namespace, budget.name): budget for budget in facts.budgets}
    held: dict[UseAt, Mapping[str, int]] = {}
    for namespace, gates in facts.leased:
        for reservation in gates.reservations:
            for name, period_ms in reservation.chain:
                at = (namespace, name, period_ms)
                budget = known.get((namespace, name))
                counts = {} if budget is None else named_in(reservation.amounts, budget)
                held[at] = plus(held.get(at, {}), counts)
    noted = {use.at: use.reserved for use in facts.budget_uses}
    for at in sorted({*held, *noted}):
        namespace, name, _ = at
        for dimension in known[namespace, name].limits if (namespace, name) in known else ():
            is_noted, is_held = noted.get(at, {}).get(dimension, 0), held.get(at, {}).get(dimension, 0)
            if is_noted != is_held:
                yield Finding(
                    "budget_miscounted",
                    f"Budget {name} of namespace {namespace!r} counts {is_noted:,} {dimension} as reserved, and leases "
                    f"have reserved {is_held:,}",
                    f"it lets {'less' if is_noted > is_held else 'more'} start than its limit says",
                    f"report it, with `ff budgets show {quote(name)}{_in(namespace)}`; "
                    f"`ff budgets reset {quote(name)}{_in(namespace)}` begins a period without it",
                )


def _exceeded(budget: Budget, use: BudgetUse, dimension: str, now_ms: int) -> Finding:
    where = _in(budget.namespace)
    next_ms = budget.next_reset_ms(now_ms)
    runs = "is cancelled" if budget.on_exceeded == "cancel" else "stops at its next step and waits, too"
    wait = "" if next_ms is None else f"wait for the next period, which begins in {span_ahead(next_ms - now_ms)}, or "
    return Finding(
        "budget_exceeded",
        f"Budget {budget.name} of namespace {budget.namespace!r} is exceeded: {use.used.get(dimension, 0):,} of "
        f"{budget.limits[dimension]:,} {dimension} are used",
        f"nothing starts that names it, and what runs on it {runs}",
        f"{wait}raise it with `ff budgets set`, or begin a new period with "
        f"`ff budgets reset {quote(budget.name)}{where}`",
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _in(namespace: str) -> str:
    """The option that names the namespace, empty for the default namespace."""
    return "" if namespace == DEFAULT_NAMESPACE else f" --namespace {quote(namespace)}"
