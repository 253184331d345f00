"""What must hold for limits and budgets after every batch: each sentence is a check with its name.

- L1 `runs_beyond_a_limit`: a batch never raises the number of leases of a key above its concurrency.
- L2 `parked_for_nothing`: whoever is parked waits at a gate that is closed, or the gate will be looked at.
- L3 `slots_miscounted`: what is in use is a recount of live leases.
- L4 `starts_beyond_a_rate`: every start is counted, and none comes before the rate allows it.
- L5 `spending_miscounted`: what is used is the sum of the ledger, and counts in every ancestor.
- L6 `reserved_without_a_lease`: what is reserved is a recount of the reservations of live leases.
- L7 `claimed_on_an_exceeded_budget`: no claim passes a budget that is exceeded.
- L8 `shared_turns`: a fair key has one turn for each execution that waits, so it never gets two in one round.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from flowfabric.domain.budgets import (
    Amounts,
    Budget,
    BudgetAt,
    BudgetUse,
    LedgerLine,
    UseAt,
    exceeded_in,
    lacking,
    minus,
    named_in,
    plus,
)
from flowfabric.domain.decide.admitting import SOON_MS, is_resume, room_of
from flowfabric.domain.execution import Execution
from flowfabric.domain.gates import GateAt, GateKind
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, by_present_numbers, opens_at_ms, unused, why_closed


class Books(msgspec.Struct, frozen=True):
    """Everything that a store keeps about limits and budgets, after a batch."""

    executions: Mapping[str, Execution]
    limits: Mapping[tuple[str, str, str | None], Limit]
    key_uses: Mapping[KeyAt, KeyUse]
    budgets: Mapping[BudgetAt, Budget]
    budget_uses: Mapping[UseAt, BudgetUse]
    openings: Mapping[GateAt, int]
    ledger: Sequence[LedgerLine]
    now_ms: int

    @property
    def alive(self) -> list[Execution]:
        """The executions with gates that have not ended."""
        return [x for x in self.executions.values() if x.gates is not None and not x.has_ended]

    def key(self, at: KeyAt) -> tuple[Limit | None, KeyUse]:
        """The numbers of a key, and what is used of it under these numbers."""
        namespace, name, key = at
        common = self.limits.get((namespace, name, None))
        limit = common and self.limits.get((namespace, name, key), common)
        return limit, by_present_numbers(limit, self.key_uses.get(at, unused(at)), self.now_ms)

    def chain(self, namespace: str, name: str) -> list[Budget]:
        """A budget and its ancestors."""
        found: list[Budget] = []
        budget = self.budgets.get((namespace, name))
        while budget is not None:
            found.append(budget)
            budget = None if budget.parent is None else self.budgets[namespace, budget.parent]
        return found

    def use(self, budget: Budget) -> BudgetUse:
        """What is used of a budget in the present period."""
        at = (budget.namespace, budget.name, budget.period_at(self.now_ms))
        return self.budget_uses.get(at, BudgetUse(*at))


class Lease(msgspec.Struct, frozen=True):
    """A lease that a batch has begun."""

    execution: Execution
    starts: bool
    """Whether an attempt starts. A resume starts none."""


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


# ── after a batch ────────────────────────────────────────────────────────────────────────────────


def gate_violations_at_rest(books: Books) -> Iterator[str]:
    """What is wrong with limits and budgets, as they are after a batch."""
    for check in (slots_miscounted, reserved_without_a_lease, parked_for_nothing, shared_turns):
        yield from check(books)


def limit_violations_at_rest(
    executions: Iterable[Execution],
    limits: Iterable[Limit],
    uses: Iterable[KeyUse],
    openings: Mapping[GateAt, int],
    now_ms: int,
) -> Iterator[str]:
    """What is wrong with limits alone, as they are after a batch."""
    numbers = {(each.namespace, each.name, each.key): each for each in limits}
    by_id: dict[str, Execution] = {x.execution_id: x for x in executions}
    books = Books(by_id, numbers, {use.at: use for use in uses}, {}, {}, openings, (), now_ms)
    yield from slots_miscounted(books)
    yield from parked_for_nothing(books, "limit")


def budget_violations_at_rest(
    executions: Iterable[Execution],
    budgets: Iterable[Budget],
    uses: Iterable[BudgetUse],
    openings: Mapping[GateAt, int],
    now_ms: int,
) -> Iterator[str]:
    """What is wrong with budgets alone, as they are after a batch."""
    known = {(each.namespace, each.name): each for each in budgets}
    by_id: dict[str, Execution] = {x.execution_id: x for x in executions}
    books = Books(by_id, {}, {}, known, {use.at: use for use in uses}, openings, (), now_ms)
    yield from reserved_without_a_lease(books)
    yield from parked_for_nothing(books, "budget")


def gate_violations_between(
    before: Books, after: Books, begun: Sequence[Lease], with_blocks: Collection[KeyAt] = ()
) -> Iterator[str]:
    """What a batch has done wrong. Definitions that it has changed are not looked at.

    `with_blocks`: keys on which blocks of code may have started as well.
    """
    yield from runs_beyond_a_limit(before, after)
    yield from starts_beyond_a_rate(before, after, begun, with_blocks)
    yield from claimed_on_an_exceeded_budget(before, after, begun)


def runs_beyond_a_limit(before: Books, after: Books) -> Iterator[str]:
    """L1. Limits that were lowered stop nobody, so what ran before may still run."""
    for at, use in after.key_uses.items():
        limit, was = before.key(at)
        if limit is None or limit.concurrency is None or after.key(at)[0] != limit:
            continue
        if use.in_use > max(limit.concurrency, was.in_use):
            yield f"{use.in_use} run under {at}, which allows {limit.concurrency}; before the batch it was {was.in_use}"


def parked_for_nothing(books: Books, *kinds: GateKind) -> Iterator[str]:
    """L2. A gate that time will open is looked at by then, and a gate that is open is looked at soon.

    `kinds`: only gates of these kinds are looked at. None: all are.
    """
    heads: dict[tuple[object, ...], Execution] = {}
    for x in books.alive:
        assert x.gates is not None
        if x.eligibility_state == "eligible_now":
            for gate in _gates_of(books, x):
                heads[(gate, *room_of(x))] = x
    for x in books.alive:
        assert x.gates is not None
        if x.gates.parked is None or ((x.namespace, *x.gates.parked), *room_of(x)) in heads:
            continue  # if another one of its room is in the queue, whatever becomes of that one admits the next
        gate = (x.namespace, *x.gates.parked)
        if kinds and gate[1] not in kinds:
            continue
        is_open, by_ms = _limit_opens(books, x, gate) if gate[1] == "limit" else _budget_opens(books, x, gate)
        noted = books.now_ms if _is_looked_through(books, gate) else books.openings.get(gate)
        if is_open and (noted is None or noted > books.now_ms + SOON_MS):
            yield f"{x.execution_id} is parked at {gate}, which is open, and nobody looks soon: {noted}"
        elif by_ms is not None and (noted is None or noted > max(by_ms, books.now_ms + SOON_MS)):
            yield f"{x.execution_id} is parked at {gate}, which opens at {by_ms}, and nobody looks then: {noted}"


def _gates_of(books: Books, x: Execution) -> Iterator[GateAt]:
    assert x.gates is not None
    for name, key in x.gates.slots_to_take:
        yield (x.namespace, "limit", name, key)
    for name, _ in x.gates.budgets:
        for budget in books.chain(x.namespace, name):
            yield (x.namespace, "budget", budget.name, "")


def _is_looked_through(books: Books, gate: GateAt) -> bool:
    """Whether all keys of its limit are about to be looked at."""
    return any(each[:3] == (gate[0], "limits", gate[2]) for each in books.openings)


def _limit_opens(books: Books, x: Execution, gate: GateAt) -> tuple[bool, int | None]:
    """Whether a key is open for an execution, and when time opens it."""
    namespace, _, name, key = gate
    limit, use = books.key((namespace, name, key))
    opens_ms = opens_at_ms(limit, use, books.now_ms)
    # A resume needs no start. If another execution of its room is before it, it waits for that one nevertheless.
    starts = any(
        other.gates is not None and other.gates.parked == gate[1:] and _needs_a_start(other, gate)
        for other in (x, *books.alive)
    )
    return why_closed(limit, use, books.now_ms, starts=starts) is None, opens_ms


def _needs_a_start(x: Execution, gate: GateAt) -> bool:
    return not is_resume(x) or (x.gates is not None and x.gates.waits_at == gate[2:])


def _budget_opens(books: Books, x: Execution, gate: GateAt) -> tuple[bool, int | None]:
    """Whether an execution fits into what is left of a budget, and when its next period begins."""
    assert x.gates is not None
    budget = books.budgets[gate[0], gate[2]]
    needed: Amounts = {}
    for name, amounts in x.gates.budgets:
        if budget in books.chain(x.namespace, name):
            needed = plus(needed, amounts)
    use = books.use(budget)
    fits = not exceeded_in(budget, use) and lacking(budget, use, needed) is None
    return fits, budget.next_reset_ms(books.now_ms)


def slots_miscounted(books: Books) -> Iterator[str]:
    """L3."""
    recount: Counter[KeyAt] = Counter()
    for x in books.alive:
        assert x.gates is not None
        recount.update((x.namespace, name, key) for name, key in x.gates.slots)
    counted = {use.at: use.in_use for use in books.key_uses.values() if use.in_use}
    if counted != recount:
        yield f"in use are {dict(recount)}, and the records say {counted}"


def starts_beyond_a_rate(
    before: Books, after: Books, begun: Sequence[Lease], with_blocks: Collection[KeyAt] = ()
) -> Iterator[str]:
    """L4. Each start keeps its key busy for one pace more, and no key is busy for longer than a burst takes."""
    started: Counter[KeyAt] = Counter()
    for lease in begun:
        assert lease.execution.gates is not None
        if lease.starts:
            started.update((lease.execution.namespace, name, key) for name, key in lease.execution.gates.limits)
    for at, number in started.items():
        limit, _ = before.key(at)
        if limit is None or limit.rate is None or after.key(at)[0] != limit:
            continue
        now_us = after.now_ms * 1000
        was = by_present_numbers(limit, before.key_uses.get(at, unused(at)), after.now_ms)
        busy_us = max(was.busy_until_us, now_us) + number * limit.pace_us
        found_us = after.key_uses.get(at, unused(at)).busy_until_us
        if found_us < busy_us or (found_us > busy_us and at not in with_blocks):
            yield f"{number} have started under {at}, which is busy until {found_us} us, not {busy_us}"
        if found_us > now_us + limit.starts_at_once * limit.pace_us:
            yield f"{number} have started under {at}, more than its rate allows: it is busy until {found_us} us"


def spending_miscounted(
    books: Books, corrections: Mapping[UseAt, tuple[Amounts, Amounts]], *, has_all_lines: bool = True
) -> Iterator[str]:
    """L5. `corrections`: what operators have added to each use, and taken from it.

    `has_all_lines`: nothing of the ledger has been summed up and removed.
    """
    sums: dict[UseAt, Amounts] = {}
    by_execution: dict[tuple[str, str, str], Amounts] = {}
    for line in books.ledger:
        at = (line.namespace, line.budget, line.period_ms)
        sums[at] = plus(sums.get(at, {}), line.amounts)
        spender: tuple[str, str, str] = (line.namespace, line.budget, line.execution_id)
        by_execution[spender] = plus(by_execution.get(spender, {}), line.amounts)
    for at, (more, less) in corrections.items():
        sums[at] = minus(plus(sums.get(at, {}), more), less)
    used = {use.at: use.used for use in books.budget_uses.values() if use.used}
    if has_all_lines and used != {at: amounts for at, amounts in sums.items() if amounts}:
        yield f"the ledger adds up to {sums}, and the records say {used}"
    under: dict[tuple[str, str, str], Amounts] = {}
    for (namespace, name, execution_id), amounts in by_execution.items():
        for parent in books.chain(namespace, name)[1:2]:
            of = (namespace, parent.name, execution_id)
            under[of] = plus(under.get(of, {}), named_in(amounts, parent))
    for of, amounts in under.items():
        if minus(amounts, by_execution.get(of, {})):
            yield f"{of} has spent {by_execution.get(of, {})}, and the budgets under it {amounts}"


def reserved_without_a_lease(books: Books) -> Iterator[str]:
    """L6."""
    recount: dict[UseAt, Amounts] = {}
    for x in books.alive:
        assert x.gates is not None
        for reservation in x.gates.reservations:
            if x.lifecycle_phase != "active":
                yield f"{x.execution_id} is {x.public_state} and has reserved {reservation}"
            for name, period_ms in reservation.chain:
                at = (x.namespace, name, period_ms)
                recount[at] = plus(recount.get(at, {}), reservation.amounts)
    reserved = {use.at: use.reserved for use in books.budget_uses.values() if use.reserved}
    if reserved != recount:
        yield f"reserved are {recount}, and the records say {reserved}"


def claimed_on_an_exceeded_budget(before: Books, after: Books, begun: Sequence[Lease]) -> Iterator[str]:
    """L7. A budget that was exceeded before the batch and still is, and was not changed, lets no claim pass."""
    for lease in begun:
        x = lease.execution
        assert x.gates is not None
        for name, _ in x.gates.budgets:
            for budget in after.chain(x.namespace, name):
                at = (budget.namespace, budget.name, budget.period_at(after.now_ms))
                uses = [books.budget_uses.get(at, BudgetUse(*at)) for books in (before, after)]
                is_same = before.budgets.get(at[:2]) == budget
                if is_same and all(exceeded_in(budget, use) for use in uses):
                    yield f"{x.execution_id} was claimed, and budget {budget.name!r} is exceeded: {uses[0].used}"


def shared_turns(books: Books) -> Iterator[str]:
    """L8."""
    turns: Counter[tuple[object, ...]] = Counter()
    for x in books.alive:
        assert x.gates is not None
        waits = x.eligibility_state in ("eligible_now", "blocked_by_quota", "blocked_by_budget")
        if x.gates.fair_key is not None and waits:
            turns[x.namespace, x.lane, x.priority, x.gates.fair_key, x.gates.turn] += 1
    for of, number in turns.items():
        if number > 1 or not of[-1]:
            yield f"{number} executions of one fair key have the turn {of}"
