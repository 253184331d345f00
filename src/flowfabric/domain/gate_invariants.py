"""What must hold for limits and budgets after every batch, and for a store at rest."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from flowfabric.domain.budgets import Budget, BudgetUse, LedgerLine, exceeded_in, lacking_in_any, named_in, plus
from flowfabric.domain.execution import Execution
from flowfabric.domain.gates import GateAt
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, unused, why_closed

# ── one record ───────────────────────────────────────────────────────────────────────────────────


def gate_violations(x: Execution) -> Iterator[str]:
    """What is wrong with the gates of one execution."""
    is_parked = x.eligibility_state in ("blocked_by_quota", "blocked_by_budget")
    gates = x.gates
    if gates is None:
        if is_parked:
            yield f"{x.execution_id} is {x.eligibility_state} without gates"
        return
    if is_parked != (gates.parked is not None):
        yield f"{x.execution_id} is {x.eligibility_state} and parked at {gates.parked}"
    if gates.parked is not None and (gates.parked[0] == "budget") != (x.eligibility_state == "blocked_by_budget"):
        yield f"{x.execution_id} is {x.eligibility_state} and parked at {gates.parked}"
    if x.lifecycle_phase != "active" and gates.holds_something:
        yield f"{x.execution_id} is {x.public_state} and still holds {gates}"
    if x.lifecycle_phase == "active" and gates.slots != gates.slots_to_take:
        yield f"{x.execution_id} runs with slots of {gates.slots}; it takes part in {gates.slots_to_take}"
    if gates.waits_at is not None and (x.lifecycle_phase != "runnable" or not gates.blocks):
        yield f"{x.execution_id} is {x.public_state}, and a block of it waits at {gates.waits_at}"
    if gates.blocks and gates.waits_at is None and x.lifecycle_phase != "active":
        yield f"{x.execution_id} is {x.public_state} and still in {gates.blocks}"
    if not {(name, key) for name, key, _ in gates.blocks}.isdisjoint(gates.limits):
        yield f"{x.execution_id} names {gates.limits}, and takes part again in {gates.blocks}"
    if x.lifecycle_phase != "active" and gates.must_pause:
        yield f"{x.execution_id} is {x.public_state} and is to pause"


# ── a store at rest ──────────────────────────────────────────────────────────────────────────────


def limit_violations_at_rest(
    executions: Iterable[Execution],
    limits: Sequence[Limit],
    uses: Sequence[KeyUse],
    openings: Mapping[GateAt, int],
    now_ms: int,
) -> Iterator[str]:
    """Counters equal a recount, nobody runs beyond a limit that was never lowered, and nobody is parked for nothing."""
    alive = [x for x in executions if x.gates is not None and not x.has_ended]
    recount: Counter[KeyAt] = Counter()
    for x in alive:
        assert x.gates is not None
        recount.update((x.namespace, name, key) for name, key in x.gates.slots)
    counted = {use.at: use.in_use for use in uses if use.in_use}
    if counted != recount:
        yield f"in use are {dict(recount)}, and the records say {counted}"
    numbers = {(limit.namespace, limit.name, limit.key): limit for limit in limits}
    by_key = {use.at: use for use in uses}
    ready_at = {at for x in alive if x.eligibility_state == "eligible_now" for at in _keys(x)}
    for x in alive:
        assert x.gates is not None
        if x.gates.parked is None or x.gates.parked[0] != "limit":
            continue
        _, name, key = x.gates.parked
        at = (x.namespace, name, key)
        limit = numbers.get(at) or numbers.get((x.namespace, name, None))
        is_closed = why_closed(limit, by_key.get(at, unused(at)), now_ms) is not None
        is_looked_at = (x.namespace, "limit", name, key) in openings or any(
            gate[:3] == (x.namespace, "limits", name) for gate in openings
        )
        if not is_closed and not is_looked_at and at not in ready_at:
            yield f"{x.execution_id} is parked at {at}, which is open, and nobody will look"


def _keys(x: Execution) -> list[KeyAt]:
    return [] if x.gates is None else [(x.namespace, name, key) for name, key in x.gates.slots_to_take]


def budget_violations_at_rest(
    executions: Iterable[Execution],
    budgets: Sequence[Budget],
    uses: Sequence[BudgetUse],
    openings: Mapping[GateAt, int],
    now_ms: int,
) -> Iterator[str]:
    """No reservation without a live lease, and nobody is parked for nothing."""
    alive = [x for x in executions if x.gates is not None and not x.has_ended]
    known = {(budget.namespace, budget.name): budget for budget in budgets}
    recount: dict[tuple[str, str, int], Mapping[str, int]] = {}
    for x in alive:
        assert x.gates is not None
        for reservation in x.gates.reservations:
            for name, period_ms in reservation.chain:
                at = (x.namespace, name, period_ms)
                counted = named_in(reservation.amounts, known[x.namespace, name])
                recount[at] = plus(recount.get(at, {}), counted)
    reserved = {use.at: use.reserved for use in uses if use.reserved}
    recount = {at: amounts for at, amounts in recount.items() if amounts}
    if reserved != recount:
        yield f"reserved are {recount}, and the records say {reserved}"
    by_period = {use.at: use for use in uses}
    for x in alive:
        assert x.gates is not None
        if x.gates.parked is None or x.gates.parked[0] != "budget":
            continue
        gate: GateAt = (x.namespace, *x.gates.parked)
        chain = [_use_now(known[x.namespace, x.gates.parked[1]], by_period, now_ms)]
        estimates = [amounts for name, amounts in x.gates.budgets]
        is_closed = any(exceeded_in(*each) for each in chain) or any(
            lacking_in_any(chain, amounts) is not None for amounts in estimates
        )
        if not is_closed and gate not in openings:
            yield f"{x.execution_id} is parked at budget {x.gates.parked[1]!r}, which has room, and nobody will look"


def _use_now(budget: Budget, uses: Mapping[tuple[str, str, int], BudgetUse], now_ms: int) -> tuple[Budget, BudgetUse]:
    at = (budget.namespace, budget.name, budget.period_at(now_ms))
    return budget, uses.get(at, BudgetUse(*at))


def ledger_violations(
    uses: Sequence[BudgetUse],
    lines: Iterable[LedgerLine],
    corrections: Mapping[tuple[str, str, int], Mapping[str, int]],
) -> Iterator[str]:
    """What is used is the sum of the ledger, with what operators have corrected."""
    sums = dict(corrections)
    for line in lines:
        at = (line.namespace, line.budget, line.period_ms)
        sums[at] = plus(sums.get(at, {}), line.amounts)
    used = {use.at: use.used for use in uses if use.used}
    sums = {at: amounts for at, amounts in sums.items() if amounts}
    if used != sums:
        yield f"the ledger adds up to {sums}, and the records say {used}"
