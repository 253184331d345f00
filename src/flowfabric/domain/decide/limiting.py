"""SetLimit, RemoveLimit, PauseLimit, OpenGate: what operators and the clock do to limits."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.budgets import Budget, exceeded_in
from flowfabric.domain.commands import ForgetKeyTurn, ForgetKeyUse, OpenGate, PauseLimit, RemoveLimit, SetLimit
from flowfabric.domain.decide.admitting import (
    SOON_MS,
    admit_at_budget,
    admit_at_key,
    key_now,
    look_again,
    note_look,
)
from flowfabric.domain.decide.ending import ENGINE, end_cancelled
from flowfabric.domain.decide.gating import no_limit
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.errors import NotFound
from flowfabric.domain.fairness import is_idle_turn
from flowfabric.domain.gates import GateAt
from flowfabric.domain.limits import KeyAt, is_idle, opens_at_ms
from flowfabric.domain.outcomes import LimitSet
from flowfabric.domain.turnstiles import ADMITTED_MAX
from flowfabric.domain.working_set import WorkingSet

KEYS_PAGE: Final = ADMITTED_MAX
"""How many keys of a limit are looked at in one transaction after the limit has changed."""

STOPPED_MAX: Final = 100
"""How many executions that run on an exceeded budget are stopped in one transaction."""
BUDGET_EXCEEDED: Final = "budget_exceeded"
"""The reason of the cancel of an execution whose budget is exceeded."""


def _its_numbers(command: SetLimit, wanted: Needs) -> None:
    limit = command.limit
    wanted.limits |= {(limit.namespace, limit.name, None), (limit.namespace, limit.name, limit.key)}


@rule(SetLimit, sees=_its_numbers)
def set_limit(ws: WorkingSet, command: SetLimit) -> LimitSet:
    """Store the numbers. They hold at once; what is parked is looked at again."""
    limit = command.limit
    if limit.key is not None and ws.limits.get((limit.namespace, limit.name, None)) is None:
        raise no_limit(limit.namespace, limit.name)
    known = ws.limits.get((limit.namespace, limit.name, limit.key))
    if known == limit or (known is not None and command.if_new):
        return LimitSet(limit.name)
    ws.limits.put(limit)
    numbers = {"concurrency": limit.concurrency, "rate": limit.rate, "per_ms": limit.per_ms, "burst": limit.burst}
    _announce(ws, "limit_set", limit.namespace, limit.name, limit.key, numbers)
    if known is not None or limit.key is not None:
        _look_at(ws, limit.namespace, limit.name, limit.key)  # nobody is parked at a limit that is new
    return LimitSet(limit.name)


def _its_limit(command: RemoveLimit, wanted: Needs) -> None:
    wanted.limits |= {(command.namespace, command.name, None), (command.namespace, command.name, command.key)}


@rule(RemoveLimit, sees=_its_limit)
def remove_limit(ws: WorkingSet, command: RemoveLimit) -> None:
    """Forget the numbers. What is in use goes on being counted."""
    at = (command.namespace, command.name, command.key)
    if ws.limits.get(at) is None:
        common = (command.namespace, command.name, None)
        if ws.limits.get(common) is not None:
            raise NotFound(
                "limit",
                f"Key {command.key!r} has no numbers of its own; it has those of limit {command.name!r} already.",
            )
        raise no_limit(command.namespace, command.name)
    ws.limits.remove(at)
    _announce(ws, "limit_removed", command.namespace, command.name, command.key, {})
    _look_at(ws, command.namespace, command.name, command.key)


def _announce(
    ws: WorkingSet, event_type: str, namespace: str, name: str, key: str | None, details: Mapping[str, object]
) -> None:
    of_key = {} if key is None else {"key": key}
    ws.announce(namespace, event_type, {"limit": name, **of_key, **details})


def _look_at(ws: WorkingSet, namespace: str, name: str, key: str | None) -> None:
    """Have parked executions looked at: those of one key, or of all keys of a limit."""
    gate: GateAt = (namespace, "limits", name, "") if key is None else (namespace, "limit", name, key)
    look_again(ws, gate, ws.now_ms)


def _its_key(command: PauseLimit, wanted: Needs) -> None:
    wanted.limits.add((command.namespace, command.name, None))
    wanted.key_uses.add((command.namespace, command.name, command.key))


@rule(PauseLimit, sees=_its_key)
def pause_limit(ws: WorkingSet, command: PauseLimit) -> None:
    """Let nothing start under the key until the time is over. A shorter pause does not shorten a longer one."""
    at: KeyAt = (command.namespace, command.name, command.key)
    if ws.limits.get((command.namespace, command.name, None)) is None:
        raise no_limit(command.namespace, command.name)
    use = ws.turnstiles.use(at)
    until_ms = max(use.paused_until_ms, ws.now_ms + command.for_ms)
    ws.key_uses.put(replace(use, paused_until_ms=until_ms))
    _announce(ws, "limit_paused", command.namespace, command.name, command.key, {"until_ms": until_ms})
    look_again(ws, (command.namespace, "limit", command.name, command.key), until_ms)


@rule(OpenGate, enters_queue=True, comes_again=True)
def look_at_gate(ws: WorkingSet, command: OpenGate) -> bool:
    """Look at a gate, or at the next keys of a limit that has changed."""
    namespace, kind, name, key = command.gate
    if kind == "limits":
        keys = ws.turnstiles.crowded_keys(namespace, name, key, KEYS_PAGE)
        note_look(ws, command.gate)
        for each in keys:
            look_again(ws, (namespace, "limit", name, each), ws.now_ms)
        if len(keys) == KEYS_PAGE:
            look_again(ws, (namespace, "limits", name, keys[-1]), ws.now_ms)
        return bool(keys)
    return open_gate(ws, command.gate)


def _its_use(command: ForgetKeyUse, wanted: Needs) -> None:
    wanted.key_uses.add((command.namespace, command.name, command.key))


@rule(ForgetKeyUse, sees=_its_use, comes_again=True)
def forget_key_use(ws: WorkingSet, command: ForgetKeyUse) -> bool:
    """Remove the record of a key that is idle. It behaves as if it had never been used."""
    at = (command.namespace, command.name, command.key)
    use = ws.key_uses.get(at)
    if use is None or not is_idle(use, ws.now_ms):
        return False
    ws.key_uses.remove(at)
    return True


def _its_turn(command: ForgetKeyTurn, wanted: Needs) -> None:
    at = (command.namespace, command.lane, command.priority)
    wanted.lane_turns.add(at)
    wanted.key_turns.add((*at, command.fair_key))


@rule(ForgetKeyTurn, sees=_its_turn, comes_again=True)
def forget_key_turn(ws: WorkingSet, command: ForgetKeyTurn) -> bool:
    """Remove the record of the last turn of a fair key that is idle."""
    at = (command.namespace, command.lane, command.priority)
    given, claimed = ws.key_turns.get((*at, command.fair_key)), ws.lane_turns.get(at)
    if given is None or not is_idle_turn(given, 0 if claimed is None else claimed.turn, ws.now_ms):
        return False
    ws.key_turns.remove((*at, command.fair_key))
    return True


# ── gates ────────────────────────────────────────────────────────────────────────────────────────


def open_gate(ws: WorkingSet, gate: GateAt) -> bool:
    """Look at a gate, and admit as many as it has room for. If more are parked, note when to look again.

    At a limit with numbers that is a moment later. Those who were admitted take no slot before they are claimed, so a
    look at once would find the same room again, and in the end admit all who are parked there.
    """
    namespace, kind, name, key = gate
    at = (namespace, name, key)
    again_ms = ws.now_ms
    if kind == "limit":
        admitted = admit_at_key(ws, at, ADMITTED_MAX)
        is_unfinished = admitted >= ADMITTED_MAX
        limit, use = key_now(ws, at)
        opens_ms = opens_at_ms(limit, use, ws.now_ms)
        if limit is not None:
            again_ms += SOON_MS
    else:
        admitted, is_unfinished, opens_ms = _open_budget(ws, namespace, name)
    note_look(ws, gate)
    if is_unfinished:
        look_again(ws, gate, again_ms)
    elif opens_ms is not None and ws.turnstiles.heads(gate, 1):
        look_again(ws, gate, opens_ms)
    return admitted > 0 or is_unfinished


def _open_budget(ws: WorkingSet, namespace: str, name: str) -> tuple[int, bool, int | None]:
    """Admit those who fit into what is left of a budget. If it is exceeded, stop what runs on it instead.

    Returns how many were admitted, whether there is more to do at once, and when the next period begins.
    """
    ((budget, use),) = ws.turnstiles.chain_uses(ws.turnstiles.chain(namespace, name)[:1], ws.now_ms)
    opens_ms = budget.next_reset_ms(ws.now_ms)
    if exceeded_in(budget, use):
        return 0, _stop_what_runs(ws, budget), opens_ms
    admitted, seen = admit_at_budget(ws, namespace, name, ADMITTED_MAX)
    return admitted, admitted > 0 and seen >= ADMITTED_MAX, opens_ms


def _stop_what_runs(ws: WorkingSet, budget: Budget) -> bool:
    """Let what runs on an exceeded budget pause, or cancel it. True: there may be more of it."""
    running = ws.turnstiles.running((budget.namespace, "budget", budget.name, ""), STOPPED_MAX)
    for x in running:
        assert x.gates is not None
        if budget.on_exceeded == "cancel":
            end_cancelled(ws, x, BUDGET_EXCEEDED, ENGINE)
        else:
            ws.executions.put(replace(x, gates=replace(x.gates, must_pause=True)))
    return len(running) == STOPPED_MAX
