"""What limits and budgets do to executions: a claim passes their gates or parks, and an end of a lease gives back.

`settle` runs after every command. It looks at each execution with gates that the command has changed:

- A lease has ended, in whatever way: its slots and reservations are given back, and heads of rooms are admitted.
- It has become ready while others are parked where it would wait: it joins them.
- It has left the queue unclaimed while a key of it has room: the next one is admitted.

So no other rule has to know of gates, and none can forget them.
"""

from typing import Final

from msgspec.structs import replace

from flowfabric.domain.budgets import (
    DAY_MS,
    Amounts,
    Budget,
    BudgetUse,
    LedgerLine,
    Reservation,
    exceeded_in,
    lacking,
    named_in,
    plus,
    soft_exceeded_in,
    with_charge,
    with_reservation,
    without_reservation,
)
from flowfabric.domain.decide.admitting import (
    admit_at_key,
    budget_has_room,
    key_now,
    limit_gate,
    look_again,
    look_soon,
)
from flowfabric.domain.errors import InvalidInput, NotFound
from flowfabric.domain.execution import Execution
from flowfabric.domain.fairness import KeyTurn, LaneTurn, next_turn
from flowfabric.domain.gates import Gate, Gates
from flowfabric.domain.limits import KeyAt, is_idle, opens_at_ms, why_closed, with_slot, without_slot
from flowfabric.domain.working_set import MoreNeeded, WorkingSet

_NO_GATES: Final = Gates()


# ── claims ───────────────────────────────────────────────────────────────────────────────────────


def pass_gates(ws: WorkingSet, x: Execution) -> Execution | None:
    """Take a slot, a start and the reservations of every gate, or park the execution at one that is closed."""
    assert x.gates is not None
    closed = _closed_gate(ws, x)
    if closed is not None:
        park(ws, x, closed)
        return None
    slots = x.gates.slots_to_take
    for name, key in slots:
        take_slot_at(ws, (x.namespace, name, key), starts=_starts(x, name, key))
    if x.gates.fair_key is not None and x.gates.turn > ws.turnstiles.lane_turn(x):
        ws.lane_turns.put(LaneTurn(x.namespace, x.lane, x.priority, x.gates.turn))
    reservations = [reserve(ws, x.namespace, name, amounts, ws.now_ms) for name, amounts in x.gates.budgets if amounts]
    return replace(x, gates=replace(x.gates, slots=slots, waits_at=None, reservations=tuple(reservations)))


def _starts(x: Execution, name: str, key: str) -> bool:
    """Whether the rate of a limit counts the claim. A resume starts no attempt, but a block of it that waits begins."""
    assert x.gates is not None
    if (name, key) in x.gates.limits:
        return x.attempt_state != "attempt_suspended"
    return (name, key) == x.gates.waits_at


def _closed_gate(ws: WorkingSet, x: Execution) -> Gate | None:
    """The first gate that is closed: budgets, then rates and pauses, then concurrency. None: all are open."""
    assert x.gates is not None
    closed = _closed_budget(ws, x) if x.gates.budgets else None
    if closed is not None:
        return ("budget", closed, "")
    full: Gate | None = None
    for name, key in x.gates.slots_to_take:
        starts = _starts(x, name, key)
        why = why_closed(*key_now(ws, (x.namespace, name, key)), ws.now_ms, starts=starts)
        if why == "concurrency":
            full = full or ("limit", name, key)
        elif why is not None:
            return ("limit", name, key)
    return full


def _closed_budget(ws: WorkingSet, x: Execution) -> str | None:
    """The first budget that is exceeded, or else the first into which the estimates do not fit.

    Two budgets of an execution may have an ancestor in common. Both estimates together must fit into that one.
    """
    assert x.gates is not None
    used: dict[str, tuple[Budget, BudgetUse]] = {}
    needed: dict[str, Amounts] = {}
    for name, amounts in x.gates.budgets:
        for budget, use in ws.turnstiles.chain_uses(ws.turnstiles.chain(x.namespace, name), ws.now_ms):
            used[budget.name] = (budget, use)
            needed[budget.name] = plus(needed.get(budget.name, {}), amounts)
    exceeded = (name for name, each in used.items() if exceeded_in(*each))
    too_small = (name for name, each in used.items() if lacking(*each, needed[name]) is not None)
    return next(exceeded, None) or next(too_small, None)


def take_slot_at(ws: WorkingSet, at: KeyAt, *, starts: bool) -> None:
    """Count a slot of a key. `starts`: the rate counts a start as well."""
    limit, use = key_now(ws, at)
    use = with_slot(limit, use, ws.now_ms, starts=starts)
    ws.key_uses.put(use)
    opens_ms = opens_at_ms(limit, use, ws.now_ms)
    if opens_ms is not None:
        # It was the last start for now. Those that are parked here are looked at when the next one is possible.
        look_again(ws, limit_gate(at), opens_ms)


def reserve(ws: WorkingSet, namespace: str, name: str, amounts: Amounts, at_ms: int) -> Reservation:
    """Reserve amounts of a budget and of its ancestors, in the periods that an instant belongs to."""
    chain = ws.turnstiles.chain_uses(ws.turnstiles.chain(namespace, name), at_ms)
    for _, use in chain:
        ws.budget_uses.put(with_reservation(use, amounts))
    return Reservation(name, tuple((budget.name, use.period_ms) for budget, use in chain), amounts)


# ── rooms ────────────────────────────────────────────────────────────────────────────────────────


def park(ws: WorkingSet, x: Execution, gate: Gate) -> None:
    """Take an execution out of the queue, to wait at a gate. If time will open the gate, that instant is noted."""
    assert x.gates is not None
    kind, name, key = gate
    x = replace(
        x,
        eligibility_state="blocked_by_budget" if kind == "budget" else "blocked_by_quota",
        gates=replace(x.gates, parked=gate),
    )
    ws.executions.put(x)
    if kind == "limit":
        opens_ms = opens_at_ms(*key_now(ws, (x.namespace, name, key)), ws.now_ms)
    else:
        (budget, *_) = ws.turnstiles.chain(x.namespace, name)
        opens_ms = budget.next_reset_ms(ws.now_ms)
    if opens_ms is not None:
        look_again(ws, (x.namespace, *gate), opens_ms)


# ── after each command ───────────────────────────────────────────────────────────────────────────


def settle(ws: WorkingSet) -> None:
    """Do for limits and budgets what follows from the changes since the last call."""
    lacks_something = False
    for before, x in ws.gated_changes():
        try:
            _settle_one(ws, before, x)
        except MoreNeeded:
            lacks_something = True  # the others still show what they lack, so that all of it is loaded together
    if lacks_something:
        raise MoreNeeded


def _settle_one(ws: WorkingSet, before: Execution | None, x: Execution | None) -> None:
    if before is not None and _lease_ended(before, x):
        x = _give_back(ws, before, x)
    gates = None if x is None else x.gates
    if x is None or gates is None:
        return
    was_parked = before is not None and before.gates is not None and before.gates.parked is not None
    is_parked = x.eligibility_state in ("blocked_by_quota", "blocked_by_budget")
    if (gates.parked is not None and not is_parked) or (gates.admitted and not _was_ready(x)):
        x = replace(x, gates=replace(gates, parked=gates.parked if is_parked else None, admitted=False))
        ws.executions.put(x)
        if gates.admitted and x.lifecycle_phase == "active":
            _let_those_behind_in(ws, x)
    if gates.fair_key is not None and (is_parked or _was_ready(x)):
        x = _with_turn(ws, before, x)
    if x.eligibility_state == "eligible_now":
        if not was_parked and not _was_ready(before):
            _join_those_parked(ws, x)
    elif x.lifecycle_phase != "active" and _was_ready(before):
        _let_the_next_in(ws, x)
    if x.has_ended and gates.blocks:
        assert x.gates is not None
        ws.executions.put(replace(x, gates=gates_or_none(replace(x.gates, blocks=(), waits_at=None))))


def _with_turn(ws: WorkingSet, before: Execution | None, x: Execution) -> Execution:
    """Give an execution its turn when it becomes ready, or when its priority changes. A resume keeps its turn."""
    assert x.gates is not None
    assert x.gates.fair_key is not None
    had_one = before is not None and before.gates is not None and before.gates.turn
    same_queue = before is not None and before.priority == x.priority
    stays = x.attempt_state == "attempt_suspended" or (before is not None and _waits_in_order(before))
    if had_one and same_queue and stays:
        return x
    at = (x.namespace, x.lane, x.priority, x.gates.fair_key)
    turn = next_turn(ws.key_turns.get(at), ws.turnstiles.lane_turn(x))
    ws.key_turns.put(KeyTurn(*at, turn, ws.now_ms))
    x = replace(x, gates=replace(x.gates, turn=turn))
    ws.executions.put(x)
    return x


def _waits_in_order(x: Execution) -> bool:
    return x.eligibility_state in ("eligible_now", "blocked_by_quota", "blocked_by_budget")


def _was_ready(x: Execution | None) -> bool:
    return x is not None and x.eligibility_state == "eligible_now"


def _lease_ended(before: Execution, x: Execution | None) -> bool:
    """Whether a lease that had taken something is over."""
    if before.lifecycle_phase != "active" or before.gates is None or not before.gates.holds_something:
        return False
    return x is None or x.lifecycle_phase != "active" or x.lease_epoch != before.lease_epoch


def _give_back(ws: WorkingSet, before: Execution, x: Execution | None) -> Execution | None:
    """Give back what the lease has taken. What it had reserved is charged if the lease was lost."""
    assert before.gates is not None
    for name, key in before.gates.slots:
        give_slot_back(ws, (before.namespace, name, key))
    is_lost = bool(before.gates.reservations) and _was_lost(ws, before)
    for reservation in before.gates.reservations:
        _end_reservation(ws, before, reservation, is_charged=is_lost)
    if x is None or x.gates is None:
        return x
    has_spent = x.gates.has_spent or is_lost
    blocks = () if x.gates.waits_at is None else x.gates.blocks
    gates = replace(x.gates, slots=(), reservations=(), must_pause=False, has_spent=has_spent, blocks=blocks)
    x = replace(x, gates=gates_or_none(gates))
    ws.executions.put(x)
    return x


def give_slot_back(ws: WorkingSet, at: KeyAt) -> None:
    """Count a slot of a key less, and let the next one in if there is room."""
    use = without_slot(ws.turnstiles.use(at))
    if is_idle(use, ws.now_ms):
        ws.key_uses.remove(at)
    else:
        ws.key_uses.put(use)
    ws.freed.add(at)
    admit_at_key(ws, at, 1)


def gates_or_none(gates: Gates) -> Gates | None:
    """The gates. None: they say nothing, as those of an execution that has none."""
    return None if gates == _NO_GATES else gates


def _was_lost(ws: WorkingSet, before: Execution) -> bool:
    """Whether the lease ended without its holder: nobody can say then what the attempt has spent."""
    assert before.lease_expires_at_ms is not None
    attempt = ws.attempts.known((before.execution_id, before.attempt_index))
    was_interrupted = attempt is not None and attempt.outcome == "interrupted"
    return was_interrupted or before.lease_expires_at_ms <= ws.now_ms


def _end_reservation(ws: WorkingSet, x: Execution, reservation: Reservation, *, is_charged: bool) -> None:
    unreserve(ws, x.namespace, reservation, reservation.amounts)
    if not is_charged:
        budget_has_room(ws, x.namespace, (name for name, _ in reservation.chain))
        return
    for name, period_ms in reservation.chain:
        budget = ws.budgets.get((x.namespace, name))
        assert budget is not None
        before = ws.turnstiles.budget_use(budget, period_ms)
        use = with_charge(budget, before, reservation.amounts, is_assumed=True)
        ws.budget_uses.put(note_thresholds(ws, budget, before, use))
        enter_into_ledger(ws, x, budget, period_ms, reservation.amounts)


def unreserve(ws: WorkingSet, namespace: str, reservation: Reservation, amounts: Amounts) -> None:
    """End a part of a reservation, where it was made: the budget may have got other ancestors or periods since."""
    for name, period_ms in reservation.chain:
        use = ws.budget_uses.get((namespace, name, period_ms))
        assert use is not None
        ws.budget_uses.put(without_reservation(use, amounts))


def note_thresholds(ws: WorkingSet, budget: Budget, before: BudgetUse, use: BudgetUse) -> BudgetUse:
    """Say in the log which limits of a budget were reached, once for each dimension in a period.

    What runs on a budget is stopped each time that it is exceeded anew.
    """
    passed, exceeded = soft_exceeded_in(budget, use), exceeded_in(budget, use)
    for event_type, now, noted in (
        ("soft_limit_passed", passed, use.passed),
        ("budget_exceeded", exceeded, use.exceeded),
    ):
        for dimension in now:
            if dimension not in noted:
                used = use.used.get(dimension, 0)
                limits = budget.soft_limits if event_type == "soft_limit_passed" else budget.limits
                details = {"budget": budget.name, "dimension": dimension, "used": used, "limit": limits[dimension]}
                ws.announce(budget.namespace, event_type, details)
    if not set(exceeded) <= set(exceeded_in(budget, before)):
        look_again(ws, (budget.namespace, "budget", budget.name, ""), ws.now_ms)
    return replace(
        use, passed=tuple(sorted({*use.passed, *passed})), exceeded=tuple(sorted({*use.exceeded, *exceeded}))
    )


def enter_into_ledger(ws: WorkingSet, x: Execution, budget: Budget, period_ms: int, amounts: Amounts) -> None:
    """Note what an execution has spent, so that what is used can be explained."""
    counted = named_in(amounts, budget)
    if counted:
        at = (x.execution_id, budget.name, period_ms, ws.now_ms // DAY_MS * DAY_MS)
        known = ws.ledger.get(at) or LedgerLine(x.namespace, budget.name, x.execution_id, at[2], at[3], {})
        ws.ledger.put(replace(known, amounts=plus(known.amounts, counted)))


def _join_those_parked(ws: WorkingSet, x: Execution) -> None:
    """Park an execution that has become ready, if others of its kind are parked at one of its gates."""
    assert x.gates is not None
    gates: list[Gate] = [("budget", name, "") for name, _ in x.gates.budgets]
    gates += [("limit", name, key) for name, key in x.gates.slots_to_take]
    for gate in gates:
        if ws.turnstiles.is_crowded(x, gate):
            x = replace(
                x,
                eligibility_state="blocked_by_budget" if gate[0] == "budget" else "blocked_by_quota",
                gates=replace(x.gates, parked=gate),
            )
            ws.executions.put(x)
            # The others may have left meanwhile: nothing was locked to look at them. And it may need less than they do.
            look_soon(ws, (x.namespace, *gate))
            return


def _let_those_behind_in(ws: WorkingSet, x: Execution) -> None:
    """Admit the next after one that has come from a waiting room and is leased now.

    Starts may have become possible since it was admitted. If none is left, a look at the key is noted already.
    """
    assert x.gates is not None
    for name, key in x.gates.slots:
        limit = ws.turnstiles.limit((x.namespace, name, key))
        if limit is not None and limit.rate is not None:
            admit_at_key(ws, (x.namespace, name, key), 1)


def _let_the_next_in(ws: WorkingSet, x: Execution) -> None:
    """Admit others in place of an execution that has left the queue without a lease.

    Those at the gate where it is parked itself stay: that gate is closed.
    """
    assert x.gates is not None
    for name, key in x.gates.slots_to_take:
        if x.gates.parked != ("limit", name, key):
            admit_at_key(ws, (x.namespace, name, key), 1)
    if not x.gates.budgets:
        return
    chains = (ws.turnstiles.chain(x.namespace, name) for name, _ in x.gates.budgets)
    budgets = dict.fromkeys(budget.name for chain in chains for budget in chain)
    budget_has_room(ws, x.namespace, (name for name in budgets if x.gates.parked != ("budget", name, "")))


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────


def no_limit(namespace: str, name: str) -> NotFound:
    """The refusal for a limit that is not set."""
    return NotFound(
        "limit",
        f"There is no limit {name!r} in namespace {namespace!r}. Set it first: "
        f"`ff limits set {name} --concurrency 10`.",
    )


def no_budget(namespace: str, name: str) -> NotFound:
    """The refusal for a budget that is not set."""
    return NotFound(
        "budget", f"There is no budget {name!r} in namespace {namespace!r}. Set it first: `ff budgets set {name} …`."
    )


def check_dimensions(budget: Budget, amounts: Amounts) -> None:
    """Raise the refusal if a budget does not have one of the dimensions."""
    unknown = sorted(amounts.keys() - budget.limits.keys())
    if unknown:
        raise InvalidInput(
            f"Budget {budget.name!r} has no dimension {unknown[0]!r}. It has {', '.join(sorted(budget.limits))}."
        )
