"""Limits, budgets and parked executions as a batch sees them: what was loaded, and what the batch has changed."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from flowfabric.domain.budgets import Budget, BudgetAt, BudgetUse
from flowfabric.domain.execution import Execution, place_of, queue_order
from flowfabric.domain.fairness import LaneTurn, TurnsAt
from flowfabric.domain.gates import Gate, GateAt
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, unused
from flowfabric.domain.tables import MoreNeeded

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Loaded, Needs, SubRoom
    from flowfabric.domain.working_set import WorkingSet

ADMITTED_MAX: Final = 500
"""How many parked executions of one gate one transaction admits at most."""


class Turnstiles:
    """The gates of a batch."""

    def __init__(self, ws: "WorkingSet", loaded: "Loaded", needs: "Needs") -> None:
        self._ws = ws
        self._loaded = loaded
        self._needs = needs
        self._parked_now: dict[GateAt, dict[ExecutionId, None]] = {}
        """Executions that this batch has parked. What was undone stays here, and the records show it."""

    # ── limits ───────────────────────────────────────────────────────────────────────────────────

    def limit(self, at: KeyAt) -> Limit | None:
        """The numbers that hold for a key. None: there are none, and the key is open to all."""
        namespace, name, key = at
        missing = False
        found: list[Limit | None] = []
        for numbers_of in (key, None):
            try:
                found.append(self._ws.limits.get((namespace, name, numbers_of)))
            except MoreNeeded:
                missing = True
        if missing:
            raise MoreNeeded
        own, common = found
        return common if own is None or common is None else own

    def use(self, at: KeyAt) -> KeyUse:
        """What is used of a key."""
        return self._ws.key_uses.get(at) or unused(at)

    # ── budgets ──────────────────────────────────────────────────────────────────────────────────

    def chain(self, namespace: str, name: str) -> list[Budget]:
        """A budget and its ancestors, the nearest first. An empty list: there is no such budget."""
        found: list[Budget] = []
        next_name: str | None = name
        while next_name is not None:
            budget = self._ws.budgets.get((namespace, next_name))
            if budget is None:
                break
            found.append(budget)
            next_name = budget.parent
        return found

    def budget_use(self, budget: Budget, period_ms: int) -> BudgetUse:
        """What is used of a budget in a period."""
        at = (budget.namespace, budget.name, period_ms)
        return self._ws.budget_uses.get(at) or BudgetUse(*at)

    def asked_period(self, budget: BudgetAt, after_ms: int) -> int | None:
        """The first period of a budget after an instant, among those that this batch has asked for.

        The time may go on while something is loaded for a batch. A period that begins now begins at the same instant
        when the batch is decided again, or what is used in it would be asked for over and over.
        """
        asked = (period_ms for *at, period_ms in self._needs.budget_uses if tuple(at) == budget)
        return min((period_ms for period_ms in asked if after_ms < period_ms <= self._ws.now_ms), default=None)

    def chain_uses(self, chain: Iterable[Budget], at_ms: int) -> list[tuple[Budget, BudgetUse]]:
        """Each budget of a chain with what is used of it in the period that an instant belongs to."""
        found: list[tuple[Budget, BudgetUse]] = []
        missing = False
        for budget in chain:
            try:
                found.append((budget, self.budget_use(budget, budget.period_at(at_ms))))
            except MoreNeeded:
                missing = True
        if missing:
            raise MoreNeeded
        return found

    # ── gates of executions ──────────────────────────────────────────────────────────────────────

    def need(self, executions: Iterable[Execution]) -> None:
        """Make sure that all that claims of these executions look at is known. What is missing is loaded together."""
        missing = False
        for x in executions:
            if x.gates is None:
                continue
            for name, key in x.gates.limits:
                missing |= self._lacks(lambda at=(x.namespace, name, key): (self.limit(at), self.use(at)))
            if x.gates.fair_key is not None:
                missing |= self._lacks(lambda x=x: self.lane_turn(x))
            for name, _ in x.gates.budgets:
                missing |= self._lacks(lambda at=(x.namespace, name): self.chain_uses(self.chain(*at), self._ws.now_ms))
        if missing:
            raise MoreNeeded

    # ── turns ────────────────────────────────────────────────────────────────────────────────────

    def lane_turn(self, x: Execution) -> int:
        """The turn that was claimed last in its lane and priority."""
        known = self._ws.lane_turns.get((x.namespace, x.lane, x.priority))
        return 0 if known is None else known.turn

    def lane_turns(self, gated: Iterable[Execution]) -> Mapping[TurnsAt, LaneTurn]:
        """The turns that were claimed last in the lanes and priorities of executions with fair keys."""
        found: dict[TurnsAt, LaneTurn] = {}
        for x in gated:
            if x.gates is not None and x.gates.fair_key is not None:
                at = (x.namespace, x.lane, x.priority)
                found[at] = LaneTurn(*at, self.lane_turn(x))
        return found

    # ── rooms ────────────────────────────────────────────────────────────────────────────────────

    def note_parked(self, x: Execution) -> None:
        """Note that this batch has parked an execution."""
        assert x.gates is not None
        assert x.gates.parked is not None
        self._parked_now.setdefault((x.namespace, *x.gates.parked), {})[x.execution_id] = None

    def is_crowded(self, x: Execution, gate: Gate) -> bool:
        """Whether others of its lane and capabilities are parked at a gate."""
        gate_at = (x.namespace, *gate)
        for key in self._parked_now.get(gate_at, ()):
            other = self._ws.executions.changed.get(key)
            if other is not None and key != x.execution_id and _shares_room(other, x, gate_at):
                return True
        room: SubRoom = (gate_at, x.lane, x.required_capabilities)
        if room not in self._needs.crowded:
            self._ws.missing.crowded.add(room)
            raise MoreNeeded
        return room in self._loaded.crowded

    def heads(self, gate: GateAt, most: int) -> list[Execution]:
        """The first `most` parked executions of each lane and set of capabilities at a gate, in queue order."""
        asked = self._needs.parked.get(gate, 0)
        if asked < most:
            self._ws.missing.parked[gate] = min(max(most, len(self._needs.executions)), ADMITTED_MAX)
            raise MoreNeeded
        stored = [place.execution_id for place in self._loaded.parked.get(gate, ())]
        ids = dict.fromkeys([*stored, *self._parked_now.get(gate, ())])
        waiting = [x for x in map(self._ws.executions.known, ids) if x is not None and _is_parked_at(x, gate)]
        waiting.sort(key=lambda x: queue_order(place_of(x)))
        chosen: list[Execution] = []
        counts: dict[tuple[str, tuple[str, ...]], int] = {}
        for x in waiting:
            room = (x.lane, x.required_capabilities)
            counts[room] = counts.get(room, 0) + 1
            if counts[room] <= most:
                chosen.append(x)
        self._ask_for_more(gate, asked, most, counts)
        return chosen

    def _ask_for_more(
        self, gate: GateAt, asked: int, most: int, counts: dict[tuple[str, tuple[str, ...]], int]
    ) -> None:
        """Ask for more, if this batch has admitted so many that the loaded ones of a room ran out."""
        loaded: dict[tuple[str, tuple[str, ...]], int] = {}
        for place in self._loaded.parked.get(gate, ()):
            room = (place.lane, place.required_capabilities)
            loaded[room] = loaded.get(room, 0) + 1
        ran_out = any(number >= asked and counts.get(room, 0) < most for room, number in loaded.items())
        if ran_out and asked < ADMITTED_MAX:
            self._ws.missing.parked[gate] = min(asked * 2, ADMITTED_MAX)
            raise MoreNeeded

    def in_the_way(self, gate: GateAt) -> tuple[ExecutionId | None, ExecutionId | None]:
        """The oldest execution that waits at a gate, and the oldest that runs, before this batch."""
        if gate not in self._needs.in_the_way:
            self._ws.missing.in_the_way.add(gate)
            raise MoreNeeded
        return self._loaded.in_the_way.get(gate, (None, None))

    def running(self, gate: GateAt, most: int) -> list[Execution]:
        """The oldest executions that run under a gate and need not pause yet, at most so many."""
        if self._needs.running.get(gate, 0) < most:
            self._ws.missing.running[gate] = most
            raise MoreNeeded
        found = map(self._ws.executions.known, self._loaded.running.get(gate, ()))
        return [x for x in found if x is not None and x.lifecycle_phase == "active"]

    def crowded_keys(self, namespace: str, name: str, after: str, most: int) -> list[str]:
        """The next keys of a limit at which executions are parked, in order. "" is the first."""
        asked = (namespace, name, after, most)
        if asked not in self._needs.crowded_keys:
            self._ws.missing.crowded_keys.add(asked)
            raise MoreNeeded
        return self._loaded.crowded_keys.get(asked, [])

    @staticmethod
    def _lacks(look: object) -> bool:
        assert callable(look)
        try:
            look()
        except MoreNeeded:
            return True
        return False


def _is_parked_at(x: Execution, gate: GateAt) -> bool:
    if x.eligibility_state not in ("blocked_by_quota", "blocked_by_budget"):
        return False  # its gates may still say so: what the same command has ended is not settled yet
    return x.gates is not None and x.gates.parked is not None and (x.namespace, *x.gates.parked) == gate


def _shares_room(x: Execution, other: Execution, gate: GateAt) -> bool:
    same_room = (x.lane, x.required_capabilities) == (other.lane, other.required_capabilities)
    return same_room and _is_parked_at(x, gate)
