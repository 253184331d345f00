"""Limits, budgets, and the executions at their gates, in a memory store."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping
from typing import TypeVar

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.execution import AtGate, Ready, queue_order
from flowfabric.domain.gates import GateAt
from flowfabric.domain.ids import ExecutionId
from flowfabric.stores.memory.records import Records, holds

K = TypeVar("K")
V = TypeVar("V")


class MemoryGates(Records):
    """The part of a memory store that keeps limits and budgets."""

    def _load_gates(self, needs: Needs, loaded: Loaded) -> None:
        loaded.limits = _chosen(self._limits, needs.limits)
        loaded.key_uses = _chosen(self._key_uses, needs.key_uses)
        loaded.budgets = _chosen(self._budgets, needs.budgets)
        loaded.budget_uses = _chosen(self._budget_uses, needs.budget_uses)
        loaded.spendings = _chosen(self._spendings, needs.spendings)
        loaded.spend_keys = _chosen(self._spend_keys, needs.spend_keys)
        for gate, most in needs.parked.items():
            loaded.parked[gate] = self._heads(gate, most)
            for place in loaded.parked[gate]:
                loaded.executions[place.execution_id] = self._executions[place.execution_id]
        for gate, lane, capabilities in needs.crowded:
            if any((each.lane, each.required_capabilities) == (lane, capabilities) for each in self._parked_at(gate)):
                loaded.crowded.add((gate, lane, capabilities))
        for gate in needs.in_the_way:
            loaded.in_the_way[gate] = (self._oldest(gate, "queued", "parked"), self._oldest(gate, "leased"))
        for namespace, name, after, most in needs.crowded_keys:
            keys = {
                gate[3]
                for (gate, state), places in self._at_gates.items()
                if state == "parked" and places and gate[:3] == (namespace, "limit", name)
            }
            found = sorted(key for key in keys if key > after or not after)
            loaded.crowded_keys[namespace, name, after, most] = found[:most]

    def _heads(self, gate: GateAt, most: int) -> list[Ready]:
        """The first parked executions of each lane and set of capabilities."""
        counts: dict[tuple[str, tuple[str, ...]], int] = {}
        heads: list[Ready] = []
        for place in self._parked_at(gate):
            room = (place.lane, place.required_capabilities)
            counts[room] = counts.get(room, 0) + 1
            if counts[room] <= most:
                heads.append(place)
        return heads

    def _parked_at(self, gate: GateAt) -> list[Ready]:
        return [place for _, place in self._at_gates.get((gate, "parked"), ())]

    def _oldest(self, gate: GateAt, *states: str) -> ExecutionId | None:
        places = [
            place
            for (at, state), entries in self._at_gates.items()
            if at == gate and state in states
            for _, place in entries
        ]
        oldest = min(places, key=lambda place: (place.ready_at_ms, place.execution_id), default=None)
        return None if oldest is None else oldest.execution_id

    def _apply_gates(self, changes: Changes, gone: Iterable[AtGate], new: Iterable[AtGate]) -> None:
        _update(self._limits, changes.limits)
        _update(self._key_uses, changes.key_uses)
        self._budgets.update(changes.budgets)
        self._budget_uses.update(changes.budget_uses)
        self._spendings.update(changes.spendings)
        self._spend_keys.update(changes.spend_keys)
        for gate, at_ms in changes.openings.items():
            if at_ms is None:
                self._openings.pop(gate, None)
            else:
                self._openings[gate] = min(at_ms, self._openings.get(gate, at_ms))
        for row in gone:
            places = self._at_gates.get((row.gate, row.state), [])
            entry = (queue_order(row.place), row.place)
            if holds(places, entry):
                del places[bisect_left(places, entry)]
        for row in new:
            insort(self._at_gates.setdefault((row.gate, row.state), []), (queue_order(row.place), row.place))


def _chosen(table: Mapping[K, V], keys: Iterable[K]) -> dict[K, V]:
    return {key: table[key] for key in keys if key in table}


def _update(table: dict[K, V], changes: Mapping[K, V | None]) -> None:
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
