"""SetBudget, ResetBudget, ChargeBudget, Reserve, Spend, ForgetBudgetUse: what is stated about budgets, and spent.

What happens at the end of a lease is in `gating`.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.budgets import (
    DEPTH_MAX,
    Amounts,
    Budget,
    BudgetUse,
    Reservation,
    SpendKey,
    StepCharge,
    common,
    exceeded_in,
    is_old_use,
    lacking_in_any,
    minus,
    named_in,
    plus,
    remaining,
    soft_exceeded_in,
    with_charge,
)
from flowfabric.domain.commands import ChargeBudget, ForgetBudgetUse, Reserve, ResetBudget, SetBudget, Spend
from flowfabric.domain.cron import Cron
from flowfabric.domain.decide.admitting import admit_at_budget, budget_has_room, look_again
from flowfabric.domain.decide.gating import (
    check_dimensions,
    enter_into_ledger,
    no_budget,
    note_thresholds,
    reserve,
    unreserve,
)
from flowfabric.domain.decide.leasing import held_under
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.decide.seeing import its_executions
from flowfabric.domain.errors import BudgetExceeded, Conflict, InvalidInput, shown
from flowfabric.domain.execution import Execution
from flowfabric.domain.gate_snapshots import period_text
from flowfabric.domain.gates import Gates
from flowfabric.domain.intervals import Every
from flowfabric.domain.outcomes import BudgetSet, Reserved, Spent
from flowfabric.domain.turnstiles import ADMITTED_MAX
from flowfabric.domain.working_set import WorkingSet

_SPENT = msgspec.msgpack.Decoder(Spent)


# ── what operators and programs state ────────────────────────────────────────────────────────────


def _its_budget(command: SetBudget | ResetBudget | ChargeBudget, wanted: Needs) -> None:
    wanted.budgets.add((command.namespace, command.name))


@rule(SetBudget, sees=_its_budget)
def set_budget(ws: WorkingSet, command: SetBudget) -> BudgetSet:
    """Store the budget as it is stated. It holds at once; what is parked at it is looked at again."""
    known = ws.budgets.get((command.namespace, command.name))
    if known is not None and command.if_new:
        return BudgetSet(command.name)
    _check_chain(ws, command, known)
    budget = Budget(
        command.namespace,
        command.name,
        command.limits,
        command.soft_limits,
        _period(ws, command, known),
        command.parent,
        command.on_exceeded,
        None if known is None else known.reset_at_ms,
    )
    if budget != known:
        ws.budgets.put(budget)
        _announce_definition(ws, budget)
        if known is not None:
            _begin_to_hold(ws, budget)
    return BudgetSet(command.name)


def _announce_definition(ws: WorkingSet, budget: Budget) -> None:
    details = {
        "budget": budget.name,
        "limits": dict(budget.limits),
        "soft_limits": dict(budget.soft_limits),
        "period": None if budget.period is None else period_text(budget.period),
        "timezone": budget.period.timezone if isinstance(budget.period, Cron) else None,
        "parent": budget.parent,
        "on_exceeded": budget.on_exceeded,
    }
    ws.announce(budget.namespace, "budget_set", details)


def _begin_to_hold(ws: WorkingSet, budget: Budget) -> None:
    """Act on what is used under new limits: they may be reached already, or let the parked in."""
    ((_, use),) = ws.turnstiles.chain_uses([budget], ws.now_ms)
    if use.used:
        noted = note_thresholds(ws, budget, use, use)
        if noted != use:
            ws.budget_uses.put(noted)
    _make_room(ws, budget)


def _make_room(ws: WorkingSet, budget: Budget) -> None:
    """Let parked executions in. The rest, and what runs on a budget that is exceeded, is left to a look at the gate."""
    admit_at_budget(ws, budget.namespace, budget.name, ADMITTED_MAX)
    look_again(ws, (budget.namespace, "budget", budget.name, ""), ws.now_ms)


def _period(ws: WorkingSet, command: SetBudget, known: Budget | None) -> Cron | Every | None:
    if not isinstance(command.period, int):
        return command.period
    before = None if known is None else known.period
    if isinstance(before, Every) and before.interval_ms == command.period:
        return before  # the same span, stated again: it goes on
    began_ms = -1 if known is None else known.period_at(ws.now_ms)
    return Every(command.period, ws.turnstiles.asked_period((command.namespace, command.name), began_ms) or ws.now_ms)


def _check_chain(ws: WorkingSet, command: SetBudget, known: Budget | None) -> None:
    """Raise the refusal if the parent is not there, or if a chain through the budget would be a ring, or too long."""
    above = _with_ancestors(ws, command)
    if known is None or command.parent in (None, known.parent):
        return  # a new budget has none under it, and where it stays or is taken out, no chain becomes longer
    chains = {command.name: above}
    while chains:
        under = ws.turnstiles.under(command.namespace, chains)
        # Two operators may have closed a ring at the same moment. To set the budget anew opens it.
        chains = {child: [child, *chains[under[child]]] for child in sorted(under) if child != command.name}
        for chain in chains.values():
            _check_depth(command, chain)


def _with_ancestors(ws: WorkingSet, command: SetBudget) -> list[str]:
    """The name of the budget, and of those above it."""
    chain = [command.name]
    parent = command.parent
    while parent is not None:
        if parent in chain:
            raise InvalidInput(
                f"parent is {shown(command.parent)}, but {' → '.join([*chain, parent])} is a ring: a budget cannot be "
                "its own ancestor."
            )
        chain.append(parent)
        _check_depth(command, chain)
        above = ws.budgets.get((command.namespace, parent))
        if above is None:
            raise no_budget(command.namespace, parent)
        parent = above.parent
    return chain


def _check_depth(command: SetBudget, chain: Sequence[str]) -> None:
    if len(chain) > DEPTH_MAX:
        raise InvalidInput(
            f"parent is {shown(command.parent)}: {' → '.join(chain)} would be {len(chain)} budgets deep, and the "
            f"limit is {DEPTH_MAX}."
        )


@rule(ResetBudget, sees=_its_budget)
def reset_budget(ws: WorkingSet, command: ResetBudget) -> None:
    """Begin a new period now. What was used before stays in the old one."""
    budget = _known(ws, command.namespace, command.name)
    began_ms = budget.period_at(ws.now_ms)
    asked_ms = ws.turnstiles.asked_period((command.namespace, command.name), began_ms)
    # At least one millisecond after the period began, so that the new period has a start of its own.
    at_ms = asked_ms or max(ws.now_ms, began_ms + 1)
    budget = replace(budget, reset_at_ms=at_ms)
    ws.budgets.put(budget)
    ws.announce(command.namespace, "budget_reset", {"budget": command.name})
    if at_ms > ws.now_ms:
        look_again(ws, (command.namespace, "budget", command.name, ""), at_ms)
    else:
        _make_room(ws, budget)


@rule(ChargeBudget, sees=_its_budget)
def charge_budget(ws: WorkingSet, command: ChargeBudget) -> Spent:
    """Add amounts to what is used of a budget and of its ancestors. Nothing goes below 0.

    Ancestors get back what the budget itself gets back. So none of them has used less than what is under it.
    """
    budget = _known(ws, command.namespace, command.name)
    check_dimensions(budget, command.amounts)
    chain = _chain(ws, command.namespace, command.name, ws.now_ms)
    more = {name: amount for name, amount in command.amounts.items() if amount > 0}
    asked_back = {name: -amount for name, amount in command.amounts.items() if amount < 0}
    less = common(asked_back, chain[0][1].used)
    charged: list[tuple[Budget, BudgetUse]] = []
    for each, before in chain:
        use = with_charge(each, before, more)
        use = replace(use, used=minus(use.used, named_in(less, each)), assumed=minus(use.assumed, named_in(less, each)))
        charged.append((each, note_thresholds(ws, each, before, use)))
    _put(ws, charged)
    if less:
        for each, _ in chain:
            _make_room(ws, each)
    details = {"budget": command.name, "amounts": dict(command.amounts), "reason": command.reason}
    ws.announce(command.namespace, "budget_charged", details)
    return _answer(charged)


# ── what is old ──────────────────────────────────────────────────────────────────────────────────


def _its_period(command: ForgetBudgetUse, wanted: Needs) -> None:
    wanted.budgets.add((command.namespace, command.name))
    wanted.budget_uses.add((command.namespace, command.name, command.period_ms))


@rule(ForgetBudgetUse, sees=_its_period, comes_again=True)
def forget_budget_use(ws: WorkingSet, command: ForgetBudgetUse) -> bool:
    """Remove what was used of a budget in a period that has long been over. The sums of days stay."""
    use = ws.budget_uses.get((command.namespace, command.name, command.period_ms))
    budget = ws.budgets.get((command.namespace, command.name))
    if use is None or budget is None or not is_old_use(budget, use, ws.now_ms):
        return False
    ws.budget_uses.remove(use.at)
    return True


# ── what attempts spend ──────────────────────────────────────────────────────────────────────────


@rule(Reserve, sees=its_executions)
def reserve_for_attempt(ws: WorkingSet, command: Reserve, scope: str | None) -> Reserved:
    """Reserve amounts for the running attempt, if they fit into what is left of the budget and of its ancestors."""
    x = held_under(ws, command.fence, scope)
    check_dimensions(_known(ws, x.namespace, command.budget), command.amounts)
    began_at_ms = _began_at_ms(x)
    lacking = lacking_in_any(_chain(ws, x.namespace, command.budget, began_at_ms), command.amounts)
    if lacking is not None:
        name, dimension, left = lacking
        raise BudgetExceeded(
            dimension,
            left,
            f"Budget {name!r} has {left} of {dimension} left, and {command.amounts[dimension]} was asked for. "
            "Wait for its next period, or let an operator raise it.",
        )
    reservation = reserve(ws, x.namespace, command.budget, command.amounts, began_at_ms)
    gates = x.gates or Gates()
    others = [each for each in gates.reservations if each.chain != reservation.chain]
    same = [each for each in gates.reservations if each.chain == reservation.chain]
    for each in same:
        reservation = replace(reservation, amounts=plus(reservation.amounts, each.amounts))
    ws.executions.put(replace(x, gates=replace(gates, reservations=(*others, reservation))))
    chain = _chain(ws, x.namespace, command.budget, began_at_ms)
    return Reserved(remaining(*chain[0]))


def _what_a_spend_sees(command: Spend, wanted: Needs) -> None:
    its_executions(command, wanted)
    if command.idempotency_key is not None:
        wanted.spend_keys.add((command.fence.execution_id, command.budget, command.idempotency_key))


@rule(Spend, sees=_what_a_spend_sees)
def spend(ws: WorkingSet, command: Spend, scope: str | None) -> Spent:
    """Charge what the attempt has spent. It has happened, so it always counts; the reservation pays first."""
    x = held_under(ws, command.fence, scope)
    return charge(ws, x, command.budget, command.amounts, command.idempotency_key)


def charge(ws: WorkingSet, x: Execution, name: str, amounts: Amounts, idempotency_key: str | None) -> Spent:
    """Charge what an attempt has spent, once for each idempotency key."""
    check_dimensions(_known(ws, x.namespace, name), amounts)
    if idempotency_key is not None:
        kept = ws.spend_keys.get((x.execution_id, name, idempotency_key))
        if kept is not None:
            if kept.amounts != amounts:
                raise Conflict(
                    f"idempotency_key {idempotency_key!r} was used for another spend of {x.execution_id} on {name!r}. "
                    "Use a new key for a new spend."
                )
            return _SPENT.decode(kept.answer)
    _, gates = _take_from_reservations(ws, x, name, amounts)
    charged: list[tuple[Budget, BudgetUse]] = []
    for budget, before in _chain(ws, x.namespace, name, _began_at_ms(x)):
        use = with_charge(budget, before, amounts)
        charged.append((budget, note_thresholds(ws, budget, before, use)))
        enter_into_ledger(ws, x, budget, use.period_ms, amounts)
    _put(ws, charged)
    gates = replace(gates or Gates(), has_spent=True)
    if _must_pause(gates, charged):
        gates = replace(gates, must_pause=True)
    if gates != x.gates:
        ws.executions.put(replace(x, gates=gates))
    answer = _answer(charged)
    if idempotency_key is not None:
        packed = msgspec.msgpack.encode(answer)
        ws.spend_keys.put(SpendKey(x.execution_id, name, idempotency_key, amounts, packed))
    return answer


def _must_pause(gates: Gates, chain: Sequence[tuple[Budget, BudgetUse]]) -> bool:
    """Whether the execution names a budget that is exceeded, and is to pause because of that."""
    named = {name for name, _ in gates.budgets}
    exceeded = [budget for budget, use in chain if exceeded_in(budget, use) and budget.on_exceeded == "pause"]
    return bool(exceeded) and any(budget.name in named for budget, _ in chain)


def charge_step(ws: WorkingSet, x: Execution, step: StepCharge) -> None:
    """Charge what a step has spent, and end the rest of its reservation. The step itself is stored only once."""
    _known(ws, x.namespace, step.budget)
    if step.amounts:
        charge(ws, x, step.budget, step.amounts, None)
    left = minus(step.reserved, step.amounts)
    now = ws.executions.get(x.execution_id)
    assert now is not None
    ended, gates = _take_from_reservations(ws, now, step.budget, left)
    if ended:
        ws.executions.put(replace(now, gates=gates))
        budget_has_room(ws, x.namespace, dict.fromkeys(name for each in ended for name, _ in each.chain))


def _take_from_reservations(
    ws: WorkingSet, x: Execution, name: str, amounts: Amounts
) -> tuple[list[Reservation], Gates | None]:
    """End the part of the amounts that the attempt has reserved of a budget.

    What was reserved in the period that is charged comes first: the budget may have had other periods or ancestors
    before. Returns the reservations that have changed, as they were, and the gates of the execution after it.
    """
    if x.gates is None:
        return [], None
    touched: list[Reservation] = []
    kept: list[Reservation] = []
    chain = tuple((each.name, each.period_at(_began_at_ms(x))) for each in ws.turnstiles.chain(x.namespace, name))
    for each in sorted(x.gates.reservations, key=lambda each: each.chain != chain):
        part = common(each.amounts, amounts) if each.budget == name else {}
        if part:
            unreserve(ws, x.namespace, each, part)
            amounts = minus(amounts, part)
            touched.append(each)
            each = replace(each, amounts=minus(each.amounts, part))
        if each.amounts:
            kept.append(each)
    return touched, replace(x.gates, reservations=tuple(kept))


def _began_at_ms(x: Execution) -> int:
    """When its lease began: what it spends belongs to the period of that instant."""
    assert x.attempt_started_at_ms is not None
    return x.attempt_started_at_ms


def _chain(ws: WorkingSet, namespace: str, name: str, at_ms: int) -> list[tuple[Budget, BudgetUse]]:
    return ws.turnstiles.chain_uses(ws.turnstiles.chain(namespace, name), at_ms)


def _put(ws: WorkingSet, chain: Iterable[tuple[Budget, BudgetUse]]) -> None:
    for _, use in chain:
        ws.budget_uses.put(use)


def _answer(chain: Sequence[tuple[Budget, BudgetUse]]) -> Spent:
    (first, _), *_ = chain
    exceeded = [_named(first, budget, name) for budget, use in chain for name in exceeded_in(budget, use)]
    soft = [_named(first, budget, name) for budget, use in chain for name in soft_exceeded_in(budget, use)]
    return Spent(remaining(*chain[0]), tuple(exceeded), tuple(soft))


def _named(first: Budget, budget: Budget, dimension: str) -> str:
    return dimension if budget is first else f"{budget.name}:{dimension}"


def _known(ws: WorkingSet, namespace: str, name: str) -> Budget:
    budget = ws.budgets.get((namespace, name))
    if budget is None:
        raise no_budget(namespace, name)
    return budget
