"""Limits, budgets and parked executions as a batch sees them: what was loaded, and what the batch has changed."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from flowfabric.domain.budgets import Budget, BudgetAt, BudgetUse
from flowfabric.domain.execution import Execution, QueueOrder, Ready, gate_rows_of, place_of, queue_order
from flowfabric.domain.fairness import LaneTurn, TurnsAt
from flowfabric.domain.gates import Gate, GateAt, Gates
from flowfabric.domain.ids import ExecutionId, make_execution_id, partition_in, uuid_in
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, unused
from flowfabric.domain.tables import Journal, MoreNeeded, note

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Age, Loaded, Needs, SubRoom
    from flowfabric.domain.working_set import WorkingSet

Place = tuple[QueueOrder, ExecutionId]
Room = tuple[str, tuple[str, ...]]
"""A lane and a set of capabilities: those that are parked at a gate wait for each other only within one room."""
ADMITTED_MAX: Final = 500
"""How many parked executions of one gate one transaction admits at most."""


class Turnstiles:
    """The gates of a batch."""

    def __init__(
        self, ws: "WorkingSet", loaded: "Loaded", needs: "Needs", puts: Sequence[Execution], journal: Journal
    ) -> None:
        """`puts`: all executions that the batch changes, in the order of the changes."""
        self._ws = ws
        self._loaded = loaded
        self._needs = needs
        self._parked_now: dict[GateAt, dict[Room, list[Place]]] = {}
        """Executions that this batch has parked or changed while they were, by room, in queue order. What was undone
        stays here, and the records show it."""
        self._puts = puts
        self._puts_read = 0
        self._journal = journal
        self._rooms: dict[GateAt, dict[Room, list[Ready]]] = {}
        """The loaded parked executions, by room, in the order of the queue."""
        self._next: dict[tuple[GateAt, Room], int] = {}
        """How many of these the batch has changed, from the first one on."""
        self._next_now: dict[tuple[GateAt, Room], int] = {}
        """How many of those that this batch has parked are not parked any more, from the first one on."""
        self._looked_at: set[ExecutionId | tuple[str, tuple[tuple[str, str], ...]]] = set()
        """What claims have asked for already: executions by their ids, and limits by namespace, names and keys."""

    # ── limits ───────────────────────────────────────────────────────────────────────────────────

    def limit(self, at: KeyAt) -> Limit | None:
        """The numbers that hold for a key. None: there are none, and the key is open to all."""
        limits, common_at = self._ws.limits, (at[0], at[1], None)
        try:
            own = limits.get(at)
        except MoreNeeded:
            limits.get(common_at)  # so that both are loaded together
            raise
        common = limits.get(common_at)
        return common if own is None or common is None else own

    def use(self, at: KeyAt) -> KeyUse:
        """What is used of a key."""
        return self._ws.key_uses.get(at) or unused(at)

    # ── budgets ──────────────────────────────────────────────────────────────────────────────────

    def chain(self, namespace: str, name: str) -> list[Budget]:
        """A budget and its ancestors, the nearest first. An empty list: there is no such budget."""
        found: dict[str, Budget] = {}
        next_name: str | None = name
        # Two operators who set parents at the same moment may close a ring. It counts once.
        while next_name is not None and next_name not in found:
            budget = self._ws.budgets.get((namespace, next_name))
            if budget is None:
                break
            found[next_name] = budget
            next_name = budget.parent
        return list(found.values())

    def under(self, namespace: str, names: Iterable[str]) -> dict[str, str]:
        """The budgets that have one of these as their parent, each with the name of that parent."""
        asked = [(namespace, name) for name in names]
        missing = {at for at in asked if at not in self._needs.budgets_under}
        if missing:
            self._ws.missing.budgets_under |= missing
            raise MoreNeeded
        changed = self._ws.budgets.changed
        found = {
            child: name
            for _, name in asked
            for child in self._loaded.budgets_under.get((namespace, name), ())
            if (namespace, child) not in changed
        }
        for budget in changed.values():
            if budget is not None and budget.parent is not None and (budget.namespace, budget.parent) in asked:
                found[budget.name] = budget.parent
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
            gates = x.gates
            if gates is None:
                continue
            only_limits = not gates.budgets and gates.fair_key is None
            at = (x.namespace, gates.slots_to_take) if only_limits else x.execution_id
            if at not in self._looked_at:
                if self._knows_gates(x, gates):
                    self._looked_at.add(at)
                else:
                    missing = True
        if missing:
            raise MoreNeeded

    def _knows_gates(self, x: Execution, gates: Gates) -> bool:
        """Whether all that a claim of the execution looks at is known. What is missing is noted."""
        looks: list[Callable[[], object]] = []
        for name, key in gates.slots_to_take:
            at = (x.namespace, name, key)
            looks += [partial(self.limit, at), partial(self.use, at)]
        if gates.fair_key is not None:
            looks.append(partial(self.lane_turn, x))
        for name, _ in gates.budgets:
            looks.append(partial(self._chain_uses_now, x.namespace, name))
        lacking = [look for look in looks if not _finds(look)]
        return not lacking

    def _chain_uses_now(self, namespace: str, name: str) -> object:
        return self.chain_uses(self.chain(namespace, name), self._ws.now_ms)

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

    def _note_parked(self) -> None:
        """Note which executions this batch has parked, or has changed while they were."""
        if self._puts_read == len(self._puts):
            return
        for x in self._puts[self._puts_read :]:
            if x.gates is not None and x.gates.parked is not None:
                gate, room = (x.namespace, *x.gates.parked), (x.lane, x.required_capabilities)
                there = self._parked_now.setdefault(gate, {}).setdefault(room, [])
                place = (_place_in_queue(x), x.execution_id)
                at = bisect_left(there, place)
                if there[at : at + 1] != [place]:
                    there.insert(at, place)
                if at < self._next_now.get((gate, room), 0):
                    note(self._journal, self._next_now, (gate, room), at)
        self._puts_read = len(self._puts)

    def is_crowded(self, x: Execution, gate: Gate) -> bool:
        """Whether others of its lane and capabilities are parked at a gate."""
        gate_at = (x.namespace, *gate)
        self._note_parked()
        for other in self._first_parked_now(gate_at, (x.lane, x.required_capabilities), 2):
            if other.execution_id != x.execution_id:
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
        self._note_parked()
        chosen: list[Execution] = []
        loaded, now = self._loaded_rooms(gate), self._parked_now.get(gate)
        for room in dict.fromkeys((*now, *loaded)) if now else loaded:
            there = self._first_parked_now(gate, room, most) if now else []
            if room in loaded:
                there += self._unchanged(gate, room, loaded[room], most)
                if len(loaded[room]) >= asked and len(there) < most and asked < ADMITTED_MAX:
                    # This batch has admitted so many that the loaded ones of a room ran out.
                    self._ws.missing.parked[gate] = min(asked * 2, ADMITTED_MAX)
                    raise MoreNeeded
            chosen += sorted(there, key=_place_in_queue)[:most] if len(there) > most else there
        return sorted(chosen, key=_place_in_queue) if len(chosen) > 1 else chosen

    def _first_parked_now(self, gate: GateAt, room: Room, most: int) -> list[Execution]:
        """The first `most` of a room that this batch has parked there, or has changed there, and that are there now."""
        places = self._parked_now.get(gate, {}).get(room, ())
        changed = self._ws.executions.changed
        begin = self._next_now.get((gate, room), 0)
        found: list[Execution] = []
        for at in range(begin, len(places)):
            order, key = places[at]
            x = changed.get(key)
            if x is not None and _is_parked_at(x, gate) and _place_in_queue(x) == order:
                found.append(x)
                if len(found) == most:
                    break
            elif not found and at == begin:
                begin = at + 1
        if begin > self._next_now.get((gate, room), 0):
            note(self._journal, self._next_now, (gate, room), begin)
        return found

    def _loaded_rooms(self, gate: GateAt) -> dict[Room, list[Ready]]:
        rooms = self._rooms.get(gate)
        if rooms is None:
            rooms = self._rooms[gate] = {}
            for place in self._loaded.parked.get(gate, ()):
                rooms.setdefault((place.lane, place.required_capabilities), []).append(place)
        return rooms

    def _unchanged(self, gate: GateAt, room: Room, places: list[Ready], most: int) -> list[Execution]:
        """The first `most` of a room that this batch has not changed. Those that it has changed are noted elsewhere."""
        executions = self._ws.executions
        begin = at = self._next.get((gate, room), 0)
        while at < len(places) and places[at].execution_id in executions.changed:
            at += 1
        if at > begin:
            note(self._journal, self._next, (gate, room), at)
        found: list[Execution] = []
        while at < len(places) and len(found) < most:
            key = places[at].execution_id
            x = None if key in executions.changed else executions.loaded.get(key)
            if x is not None and _is_parked_at(x, gate):
                found.append(x)
            at += 1
        return found

    def in_the_way(self, gate: GateAt) -> tuple[ExecutionId | None, ExecutionId | None]:
        """The oldest execution that waits at a gate, and the oldest that runs."""
        asked = self._needs.in_the_way.get(gate, 0)
        changed = self._ws.executions.changed
        found: list[ExecutionId | None] = []
        for stored, ours in zip(self._loaded.in_the_way.get(gate, ([], [])), self._touched_at(gate), strict=True):
            untouched = [age for age in stored if make_execution_id(age[2], age[1]) not in changed]
            if len(stored) >= asked and not untouched:
                # This batch has touched all that are known: others may be older than those that it has put there.
                self._ws.missing.in_the_way[gate] = 2 * asked or 1
                raise MoreNeeded
            oldest = min([*untouched, *ours], default=None)
            found.append(None if oldest is None else make_execution_id(oldest[2], oldest[1]))
        waiting, running = found
        return waiting, running

    def _touched_at(self, gate: GateAt) -> "tuple[list[Age], list[Age]]":
        """The executions that this batch has changed, and that wait at a gate now, or run."""
        waiting: list[Age] = []
        running: list[Age] = []
        for x in self._ws.executions.changed.values():
            if x is None or x.gates is None:
                continue
            for row in gate_rows_of(x):
                if row.gate == gate:
                    of_state = running if row.state == "leased" else waiting
                    of_state.append((row.place.ready_at_ms, uuid_in(x.execution_id), partition_in(x.execution_id)))
        return waiting, running

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


def _finds(look: Callable[[], object]) -> bool:
    try:
        look()
    except MoreNeeded:
        return False
    return True


def _is_parked_at(x: Execution, gate: GateAt) -> bool:
    if x.eligibility_state not in ("blocked_by_quota", "blocked_by_budget"):
        return False  # its gates may still say so: what the same command has ended is not settled yet
    return x.gates is not None and x.gates.parked == gate[1:] and x.namespace == gate[0]


def _place_in_queue(x: Execution) -> QueueOrder:
    return queue_order(place_of(x))
