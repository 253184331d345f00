"""Parked executions go back into the queue when their gate has room for them.

Whoever makes room admits: the end of a lease, an operator, or the clock, for which an opening is noted. To admit too
many is harmless, since the claim decides. To admit too few is not: whoever stays parked must be looked at again.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from flowfabric.domain.budgets import Amounts, exceeded_in, plus, remaining
from flowfabric.domain.execution import Execution
from flowfabric.domain.gates import GateAt
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, by_present_numbers, room_in
from flowfabric.domain.tables import MoreNeeded
from flowfabric.domain.working_set import WorkingSet

Room = tuple[str, tuple[str, ...]]
"""A lane and a set of capabilities. Those who are parked at a gate wait in rooms, and no room holds up another."""

SOON_MS: Final = 1_000
"""A gate that was looked at without a lock is looked at again after this time, and so at most once within it."""
FITTED_MAX: Final = 10
"""How many parked executions of each room are looked at to find those that fit into what a lease has given back."""


# ── openings ─────────────────────────────────────────────────────────────────────────────────────


def look_again(ws: WorkingSet, gate: GateAt, at_ms: int) -> None:
    """Note that a gate shall be looked at at an instant, if nothing is noted for an earlier one."""
    noted = ws.openings.changed.get(gate)
    ws.openings.put_at(gate, at_ms if noted is None else min(noted, at_ms))


def look_soon(ws: WorkingSet, gate: GateAt) -> None:
    """Note that a gate shall be looked at for safety's sake. However many ask for this, it is done once."""
    look_again(ws, gate, ws.now_ms + SOON_MS)


def note_look(ws: WorkingSet, gate: GateAt) -> None:
    """Forget when a gate was to be looked at: this has happened now."""
    ws.looked_at.put_at(gate, True)
    ws.openings.remove(gate)


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def limit_gate(at: KeyAt) -> GateAt:
    """The gate of a key."""
    namespace, name, key = at
    return (namespace, "limit", name, key)


def key_now(ws: WorkingSet, at: KeyAt) -> tuple[Limit | None, KeyUse]:
    """The numbers of a key, and what is used of it under these numbers."""
    limit, stored = ws.turnstiles.limit(at), ws.turnstiles.use(at)
    use = by_present_numbers(limit, stored, ws.now_ms)
    if use is not stored:
        ws.key_uses.put(use)  # it is kept, or else it would be counted from the present again and again
    return limit, use


def admit_at_key(ws: WorkingSet, at: KeyAt, most: int) -> int:
    """Admit as many of each room at a key as the key has room for. Returns how many left the fullest room.

    A resume takes a slot and no start, unless a block of it begins here. So if only the rate is spent, those heads are
    admitted that need no start.
    """
    limit, use = key_now(ws, at)
    room = room_in(limit, use, ws.now_ms, most)
    if room:
        return _admit(ws, ws.turnstiles.heads(limit_gate(at), room))
    slots = room_in(limit, use, ws.now_ms, min(most, FITTED_MAX), starts=False)
    if not slots:
        return 0
    heads = ws.turnstiles.heads(limit_gate(at), slots)
    return _admit(ws, (x for x in heads if is_resume(x) and x.gates is not None and x.gates.waits_at != at[1:]))


def is_resume(x: Execution) -> bool:
    """Whether its next lease goes on with an attempt that has started before."""
    return x.attempt_state == "attempt_suspended"


# ── budgets ──────────────────────────────────────────────────────────────────────────────────────


def admit_at_budget(ws: WorkingSet, namespace: str, name: str, most: int) -> tuple[int, int]:
    """Admit those whose estimates fit into what is left of a budget, of the first `most` of each room.

    One that needs too much does not hold up those behind it: what it waits for may never come in this period. Returns
    how many left the fullest room, and how many were looked at in it.
    """
    gate: GateAt = (namespace, "budget", name, "")
    _need(ws, gate, most)
    ((budget, use),) = ws.turnstiles.chain_uses(ws.turnstiles.chain(namespace, name)[:1], ws.now_ms)
    heads = ws.turnstiles.heads(gate, most)
    if not heads or exceeded_in(budget, use):
        return 0, 0
    left_of: dict[Room, Amounts] = {}
    seen: dict[Room, int] = {}
    fitting: list[Execution] = []
    for x in heads:
        room = room_of(x)
        seen[room] = seen.get(room, 0) + 1
        left = left_of.get(room) or remaining(budget, use)
        needed = {each: amount for each, amount in needed_of(ws, x, name).items() if each in left}
        if all(amount <= left[each] for each, amount in needed.items()):
            fitting.append(x)
            left_of[room] = {each: amount - needed.get(each, 0) for each, amount in left.items()}
    return _admit(ws, fitting), max(seen.values())


def _need(ws: WorkingSet, gate: GateAt, most: int) -> None:
    """Ask for the use of a budget and for those who wait there together, so that they are loaded in one step."""
    namespace, _, name, _ = gate
    lacks = False
    for look in (
        lambda: ws.turnstiles.chain_uses(ws.turnstiles.chain(namespace, name)[:1], ws.now_ms),
        lambda: ws.turnstiles.heads(gate, most),
    ):
        try:
            look()
        except MoreNeeded:
            lacks = True
    if lacks:
        raise MoreNeeded


def needed_of(ws: WorkingSet, x: Execution, name: str) -> Amounts:
    """What a claim of an execution reserves of one budget: estimates of this budget, and of those under it."""
    assert x.gates is not None
    total: Amounts = {}
    for named, amounts in x.gates.budgets:
        if amounts and any(budget.name == name for budget in ws.turnstiles.chain(x.namespace, named)):
            total = plus(total, amounts)
    return total


def budget_has_room(ws: WorkingSet, namespace: str, names: Iterable[str]) -> None:
    """Admit those who now fit into budgets of which something was given back, or for which a place in line is free."""
    for name in names:
        _, seen = admit_at_budget(ws, namespace, name, FITTED_MAX)
        if seen >= FITTED_MAX:
            look_soon(ws, (namespace, "budget", name, ""))


# ── executions ───────────────────────────────────────────────────────────────────────────────────


def room_of(x: Execution) -> Room:
    """The room in which an execution waits, whatever the gate."""
    return x.lane, x.required_capabilities


def _admit(ws: WorkingSet, chosen: Iterable[Execution]) -> int:
    """Let executions back into the queue. Returns how many left the fullest room."""
    admitted: dict[Room, int] = {}
    for x in chosen:
        assert x.gates is not None
        gates = replace(x.gates, parked=None, admitted=True)
        ws.executions.put(replace(x, eligibility_state="eligible_now", gates=gates))
        admitted[room_of(x)] = admitted.get(room_of(x), 0) + 1
    return max(admitted.values(), default=0)
