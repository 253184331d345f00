"""Limits, budgets, and the executions at their gates, in a memory store."""

from bisect import bisect_left, insort
from collections.abc import Collection, Mapping
from typing import TypeVar

from flowfabric.domain.batch_io import Age, Changes, Loaded, Needs
from flowfabric.domain.budgets import (
    WHOLE_LIFE,
    Amounts,
    Budget,
    BudgetAt,
    BudgetUse,
    LedgerLine,
    UseAt,
    day_text,
    plus,
)
from flowfabric.domain.execution import AtGate, Execution, Ready, queue_order
from flowfabric.domain.fairness import KeyTurn, KeyTurnAt
from flowfabric.domain.gate_snapshots import KeyView, Spending
from flowfabric.domain.gates import GateAt
from flowfabric.domain.ids import ExecutionId, FlowId, partition_in, uuid_in
from flowfabric.domain.limits import KeyAt, KeyUse, is_idle, unused
from flowfabric.domain.words import COUNTED_MAX
from flowfabric.ports.gates import SpentBy
from flowfabric.stores._shared.gates import first_of_each_room
from flowfabric.stores._shared.side_rows import SideRowChanges
from flowfabric.stores.memory.records import Records, holds

K = TypeVar("K")
V = TypeVar("V")


class MemoryGates(Records):
    """The part of a memory store that keeps limits and budgets."""

    def _load_gates(self, needs: Needs, loaded: Loaded) -> None:
        loaded.limits = _chosen(self._limits, needs.limits)
        loaded.key_uses = _chosen(self._key_uses, needs.key_uses)
        loaded.lane_turns = _chosen(self._lane_turns, needs.lane_turns)
        loaded.key_turns = _chosen(self._key_turns, needs.key_turns)
        loaded.budgets = _chosen(self._budgets, needs.budgets)
        loaded.budget_uses = _chosen(self._budget_uses, needs.budget_uses)
        loaded.ledger = _chosen(self._ledger, needs.ledger)
        loaded.spend_keys = _chosen(self._spend_keys, needs.spend_keys)
        for gate, most in needs.parked.items():
            loaded.parked[gate] = self._heads(gate, most)
            for place in loaded.parked[gate]:
                loaded.executions[place.execution_id] = self._executions[place.execution_id]
        for gate, most in needs.running.items():
            loaded.running[gate] = self._running(gate, most, loaded)
        for gate, lane, capabilities in needs.crowded:
            if any((each.lane, each.required_capabilities) == (lane, capabilities) for each in self._parked_at(gate)):
                loaded.crowded.add((gate, lane, capabilities))
        for gate, most in needs.in_the_way.items():
            loaded.in_the_way[gate] = (self._oldest(gate, most, "queued", "parked"), self._oldest(gate, most, "leased"))
        for namespace, name, after, most in needs.crowded_keys:
            keys = {
                gate[3]
                for (gate, state), places in self._at_gates.items()
                if state == "parked" and places and gate[:3] == (namespace, "limit", name)
            }
            found = sorted(key for key in keys if key > after or not after)
            loaded.crowded_keys[namespace, name, after, most] = found[:most]
        for at in needs.budgets_under:
            loaded.budgets_under[at] = sorted(
                budget.name for budget in self._budgets.values() if (budget.namespace, budget.parent) == at
            )

    def _running(self, gate: GateAt, most: int, loaded: Loaded) -> list[ExecutionId]:
        """The oldest that run under a gate and need not pause yet."""
        found: list[ExecutionId] = []
        for place in sorted(self._leased_at(gate), key=_age):
            x = self._executions[place.execution_id]
            if x.gates is not None and not x.gates.must_pause and len(found) < most:
                found.append(x.execution_id)
                loaded.executions[x.execution_id] = x
                if x.flow_id is not None:
                    loaded.flows[FlowId(x.flow_id)] = self._flows[FlowId(x.flow_id)]
        return found

    def _heads(self, gate: GateAt, most: int) -> list[Ready]:
        """The first parked executions of each lane and set of capabilities."""
        return first_of_each_room(self._parked_at(gate), most)

    def _leased_at(self, gate: GateAt) -> list[Ready]:
        return [place for _, place in self._at_gates.get((gate, "leased"), ())]

    def _parked_at(self, gate: GateAt) -> list[Ready]:
        return [place for _, place in self._at_gates.get((gate, "parked"), ())]

    def _oldest(self, gate: GateAt, most: int, *states: str) -> list[Age]:
        ages = [
            _age(place)
            for (at, state), entries in self._at_gates.items()
            if at == gate and state in states
            for _, place in entries
        ]
        return sorted(ages)[:most]

    def _apply_gates(self, changes: Changes, rows: SideRowChanges) -> None:
        _update(self._limits, changes.limits)
        _update(self._key_uses, changes.key_uses)
        self._lane_turns.update(changes.lane_turns)
        _update(self._key_turns, changes.key_turns)
        self._budgets.update(changes.budgets)
        _update(self._budget_uses, changes.budget_uses)
        self._ledger.update(changes.ledger)
        self._spend_keys.update(changes.spend_keys)
        for gate in changes.looked_at:
            self._openings.pop(gate, None)
        for gate, at_ms in changes.openings.items():
            if at_ms is not None:
                self._openings[gate] = min(at_ms, self._openings.get(gate, at_ms))
        cleared = set(rows.gates_cleared)
        for at, places in self._at_gates.items() if cleared else ():
            self._at_gates[at] = [entry for entry in places if entry[1].execution_id not in cleared]
        for row in (*rows.gates_left, *rows.gates_gone):
            places = self._at_gates.get((row.gate, row.state), [])
            entry = (queue_order(row.place), row.place)
            if holds(places, entry):
                del places[bisect_left(places, entry)]
        for row in rows.gates_new:
            insort(self._at_gates.setdefault((row.gate, row.state), []), (queue_order(row.place), row.place))

    def _rows_at_gates(self) -> dict[ExecutionId, list[AtGate]]:
        """Where executions stand, by execution."""
        rows: dict[ExecutionId, list[AtGate]] = {}
        for (gate, state), entries in self._at_gates.items():
            for _, place in entries:
                rows.setdefault(place.execution_id, []).append(AtGate(gate, state, place))
        return rows

    # ── reads ────────────────────────────────────────────────────────────────────────────────────

    def limit_key(self, at: KeyAt) -> KeyView | None:
        with self._reading():
            namespace, name, key = at
            numbers = self._limits.get((namespace, name, None))
            if numbers is None:
                return None
            own = self._limits.get((namespace, name, key), numbers)
            parked = self._count_parked((namespace, "limit", name, key))
            return KeyView(own, self._key_uses.get(at, unused(at)), parked)

    def limit_keys(self, namespace: str | None, after: KeyAt | None, limit: int) -> list[KeyView]:
        with self._reading():
            known = {(at[0], at[1]) for at in self._limits if at[2] is None}
            keys = {(at[0], at[1], at[2] or "") for at in self._limits} | self._key_uses.keys()
            keys |= {
                (gate[0], gate[2], gate[3])
                for (gate, state), places in self._at_gates.items()
                if state == "parked" and places and gate[1] == "limit"
            }
            shown = sorted(at for at in keys if at[:2] in known and namespace in (None, at[0]))
            views = [self.limit_key(at) for at in shown if after is None or at > after]
            return [view for view in views if view is not None][:limit]

    def at_gate(self, gate: GateAt, before: ExecutionId | None, limit: int) -> tuple[list[ExecutionId], int]:
        with self._reading():
            running = sorted(self._leased_at(gate), key=_age)
            parked = self._at_gates.get((gate, "parked"), ())
            orders = [order for order, place in parked if place.execution_id == before]
            in_front = sum(order < orders[0] for order, _ in parked) if orders else len(parked)
            return [place.execution_id for place in running[:limit]], min(in_front, COUNTED_MAX)

    def budgets(self, namespace: str | None, after: BudgetAt | None, limit: int) -> list[tuple[Budget, int]]:
        with self._reading():
            shown = sorted(at for at in self._budgets if namespace in (None, at[0]) and (after is None or at > after))
            return [(self._budgets[at], self._count_parked((at[0], "budget", at[1], ""))) for at in shown[:limit]]

    def budget(self, at: BudgetAt) -> tuple[Budget, int] | None:
        with self._reading():
            parked = self._count_parked((at[0], "budget", at[1], ""))
            return (self._budgets[at], parked) if at in self._budgets else None

    def _count_parked(self, gate: GateAt) -> int:
        return min(len(self._parked_at(gate)), COUNTED_MAX)

    def budget_uses(self, at: Collection[UseAt]) -> list[BudgetUse]:
        with self._reading():
            return [self._budget_uses[each] for each in at if each in self._budget_uses]

    def spending(self, at: BudgetAt, by: SpentBy, after: str | None, limit: int) -> list[Spending]:
        with self._reading():
            sums: dict[str, Amounts] = {}
            for line in self._ledger.values():
                if (line.namespace, line.budget) == at:
                    of = self._spent_by(line, by)
                    if of is not None and (after is None or _place(of, by) > _place(after, by)):
                        sums[of] = plus(sums.get(of, {}), line.amounts)
            for (namespace, budget, day, kind), amounts in self._daily_sums.items():
                of = {"day": day, "kind": kind}.get(by)
                if (namespace, budget) == at and of is not None and (after is None or of > after):
                    sums[of] = plus(sums.get(of, {}), amounts)
            return [Spending(of, sums[of]) for of in sorted(sums, key=lambda of: _place(of, by))[:limit]]

    def _spent_by(self, line: LedgerLine, by: SpentBy) -> str | None:
        x = self._executions[line.execution_id]
        match by:
            case "execution":
                return x.execution_id
            case "flow":
                return x.flow_id
            case "kind":
                return x.kind
            case "day":
                return day_text(line.day_ms)

    def openings(self, until_ms: int, limit: int) -> list[GateAt]:
        with self._reading():
            due = sorted((at_ms, gate) for gate, at_ms in self._openings.items() if at_ms <= until_ms)
            return [gate for _, gate in due[:limit]]

    def idle_keys(self, until_ms: int, limit: int) -> list[KeyAt]:
        with self._reading():
            return [at for at, use in sorted(self._key_uses.items(), key=_at) if is_idle(use, until_ms)][:limit]

    def old_uses(self, until_ms: int, after: UseAt | None, limit: int) -> list[UseAt]:
        with self._reading():
            old = (at for at in self._budget_uses if WHOLE_LIFE < at[2] <= until_ms)
            found = sorted(old, key=_by_period)
            return [at for at in found if after is None or _by_period(at) > _by_period(after)][:limit]

    def turns_of_keys(self, after: KeyTurnAt | None, limit: int) -> list[tuple[KeyTurn, int]]:
        with self._reading():
            found = sorted(at for at in self._key_turns if after is None or at > after)[:limit]
            claimed = [self._lane_turns.get(at[:3]) for at in found]
            turns = [0 if turn is None else turn.turn for turn in claimed]
            return [(self._key_turns[at], turn) for at, turn in zip(found, turns, strict=True)]

    def _forget_spending(self, x: Execution) -> None:
        """Keep what a removed execution has spent in the sums of days only."""
        for at in [at for at in self._ledger if at[0] == x.execution_id]:
            line = self._ledger.pop(at)
            day = (line.namespace, line.budget, day_text(line.day_ms), x.kind)
            self._daily_sums[day] = plus(self._daily_sums.get(day, {}), line.amounts)
        for key in [key for key in self._spend_keys if key[0] == x.execution_id]:
            del self._spend_keys[key]


def _age(place: Ready) -> Age:
    return place.ready_at_ms, uuid_in(place.execution_id), partition_in(place.execution_id)


def _place(of: str, by: SpentBy) -> tuple[int, str]:
    """The place of a line of `spending`: executions are in the order of their partitions."""
    return (partition_in(ExecutionId(of)), of) if by == "execution" else (0, of)


def _by_period(at: UseAt) -> tuple[int, str, str]:
    namespace, name, period_ms = at
    return period_ms, namespace, name


def _at(item: tuple[KeyAt, KeyUse]) -> KeyAt:
    return item[0]


def _chosen(table: Mapping[K, V], keys: Collection[K]) -> dict[K, V]:
    return {key: table[key] for key in keys if key in table} if keys else {}


def _update(table: dict[K, V], changes: Mapping[K, V | None]) -> None:
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
