"""What a batch must see of limits, budgets, turns, and the executions at their gates: which statements it sends.

Turns, uses of keys and uses of budgets are locked in one order. Which of them a batch needs shows only when its
executions are known, so these locks come after those of executions. While a batch holds them, it does not wait for a
lock that comes earlier in the order, because the other batch may be waiting for this one. Such a lock is taken only if
it is free. If it is not, the batch starts over, and takes all of these locks in order.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from flowfabric.domain.batch_io import Age, KeysAfter, Loaded, Needs, SubRoom
from flowfabric.domain.budgets import BudgetAt
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import Execution, Ready, place_of
from flowfabric.domain.fairness import KeyTurn, LaneTurn
from flowfabric.domain.gates import GATE_STATES, GateAt, Gates, GateState
from flowfabric.domain.ids import ExecutionId, FlowId, make_execution_id
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, unused
from flowfabric.domain.turnstiles import ADMITTED_MAX
from flowfabric.stores._shared.capability_sets import MARKS, tokens_text
from flowfabric.stores._shared.gates import (
    GATE_STATE_CODES,
    budget_of,
    budget_use_of,
    first_of_each_room,
)
from flowfabric.stores.postgres import gate_rows, rows
from flowfabric.stores.postgres.flow_reads import Ask, FlowReads
from flowfabric.stores.postgres.gate_line import BRIEFLY_S, LONGEST_S, GateLine
from flowfabric.stores.postgres.given_turns import GivenTurns

log = logging.getLogger("flowfabric.stores.postgres")


class GateTable(msgspec.Struct, frozen=True):
    """How one kind of record is read."""

    kind: str
    """Its name in `Needs`, in `Loaded` and in the statements."""
    keys_of: Callable[[Any], rows.Arrays]
    record_of: Callable[[rows.Row], tuple[Any, Any]]
    """The key and the record of a row."""

    def reading(self, needs: Needs, loaded: Loaded) -> list[Ask]:
        """Ask for the records without a lock."""
        asked = getattr(needs, self.kind)
        take = partial(self.take, loaded)
        return [Ask(f"read_{self.kind}", self.keys_of(sorted(asked)), take)] if asked else []

    def take(self, loaded: Loaded, found: Sequence[rows.Row]) -> None:
        """Note the records that were found."""
        getattr(loaded, self.kind).update(map(self.record_of, found))


LANE_TURNS: Final = GateTable("lane_turns", gate_rows.lane_turn_keys, lambda row: (row[:3], LaneTurn(*row)))
KEY_TURNS: Final = GateTable("key_turns", gate_rows.key_turn_keys, lambda row: (row[:4], KeyTurn(*row)))
KEY_USES: Final = GateTable("key_uses", gate_rows.key_keys, lambda row: (row[:3], KeyUse(*row)))
BUDGET_USES: Final = GateTable("budget_uses", gate_rows.use_keys, lambda row: (row[:3], budget_use_of(row)))
BUDGETS: Final = GateTable("budgets", gate_rows.limit_keys, lambda row: (row[:2], budget_of(row)))

LockAt = tuple[int, Any]
"""A lock by its place in the order: the place of its table in `LOCKED`, and its key."""

LOCKED: Final = (KEY_TURNS, KEY_USES, BUDGET_USES)
"""In the order of locks. The turn of a lane is no more than the highest turn that was claimed, so it is read without a
lock, and written by the last statements of a batch, if it is still lower then."""


def definitions(needs: Needs, loaded: Loaded) -> list[Ask]:
    """Ask for limits and budgets. Nothing is locked."""
    asks: list[Ask] = []
    if needs.limits:
        common = sorted({(namespace, name) for namespace, name, key in needs.limits if key is None})
        overrides = sorted((namespace, name, key) for namespace, name, key in needs.limits if key is not None)
        take = partial(_take_limits, loaded)
        if common:
            asks.append(Ask("read_limits", gate_rows.limit_keys(common), take))
        if overrides:
            asks.append(Ask("read_limit_overrides", gate_rows.key_keys(overrides), take))
    if needs.budgets_under:
        asked = sorted(needs.budgets_under)
        asks.append(Ask("find_budgets_under", gate_rows.limit_keys(asked), partial(_take_under, loaded, asked)))
    return asks + BUDGETS.reading(needs, loaded)


def _take_limits(loaded: Loaded, found: Sequence[rows.Row]) -> None:
    loaded.limits.update((row[:3], Limit(*row)) for row in found)


def _take_under(loaded: Loaded, asked: Sequence[BudgetAt], found: Sequence[rows.Row]) -> None:
    under: dict[BudgetAt, list[str]] = {at: [] for at in asked}
    for place, name in found:
        under[asked[place - 1]].append(name)
    loaded.budgets_under.update((at, sorted(names)) for at, names in under.items())


class GateLoading:
    """Asks on behalf of one batch, and adds what was found to what the batch has loaded."""

    def __init__(
        self,
        loaded: Loaded,
        ours: set[ExecutionId],
        flows: FlowReads,
        given_turns: GivenTurns,
        line: GateLine,
        execution_in: Callable[[rows.Row], Execution],
    ) -> None:
        """`ours`: the members of flows that the batch has locked. Members that are locked here are added to it."""
        self._loaded = loaded
        self._ours = ours
        self._flows = flows
        self._given_turns = given_turns
        self._line = line
        self._stands_in_line = False
        self._execution_in = execution_in
        self._last: LockAt | None = None
        """The last lock that is held, in the order of locks."""
        self.was_kept_out = False
        """Whether a lock that comes before the last one was not free."""
        self.made: set[KeyAt] = set()
        """Keys of limits that had no row, and got one to be locked."""
        self.to_look_at: Sequence[GateAt] = ()
        """The gates that the batch is to look at."""
        self.noted_looks: dict[GateAt, str] = {}
        """Of those, the ones that were noted to be looked at when the batch began, with the version of the note."""
        self.passed_over: set[GateAt] = set()
        """Gates with executions that were left out because another transaction holds them. They are looked at again."""

    def note_held(self, keys: Iterable[KeyAt]) -> None:
        """Note that the batch holds the locks of these keys already."""
        self._last = max(key_places(keys), default=None)

    @property
    def holds_locks(self) -> bool:
        """Whether the batch holds a lock of this kind."""
        return self._last is not None

    def come_after(self, needs: Needs) -> bool:
        """Whether the batch asks for a lock of another kind that comes before one of these, and holds one of these."""
        keys = needs.idempotency_keys or needs.aliases or needs.key_rings or needs.answers
        others = needs.flows or needs.workers or needs.access_tokens or needs.schedules or needs.lanes
        return self._last is not None and bool(keys or others)

    def wait_in_line(self, batch: object, needs: Needs) -> None:
        """Let the batches of this process go first that need the same locks and came before. `leave_line` ends it."""
        if places := _in_lock_order(needs):
            is_late = any(map(self._comes_late, places))
            self._stands_in_line = True
            self._line.wait(batch, places, BRIEFLY_S if is_late else LONGEST_S)

    def _comes_late(self, at: LockAt) -> bool:
        """Whether a lock comes before one that the batch holds, in the order of locks."""
        return self._last is not None and at < self._last

    def leave_line(self, batch: object) -> None:
        """Let the next batches of this process go on."""
        if self._stands_in_line:
            self._line.leave(batch)

    def widens(self, needs: Needs, named: int) -> bool:
        """Add what the decision will ask for next, as far as the loaded executions show that. False: nothing was added.

        Locks that are asked for together are taken in order, and it saves round trips. `named`: how many executions
        the batch names.
        """
        if not (needs.key_uses or needs.budget_uses):
            return False
        asked = Needs()
        asked.key_uses, asked.budget_uses = set(needs.key_uses), set(needs.budget_uses)
        most = min(max(named, 1), ADMITTED_MAX)
        for x in self._loaded.executions.values():
            if x.gates is not None:
                _widen_for(x, x.gates, asked, needs, most)
        for namespace, name, key in needs.key_uses:
            needs.limits |= {(namespace, name, key), (namespace, name, None)}
        return True

    # ── asks ─────────────────────────────────────────────────────────────────────────────────────

    def asks(self, needs: Needs, asked_so_far: Needs) -> list[Ask]:
        """Ask for everything of this kind that is needed: first what is locked, then what the locks keep as it is."""
        asks: list[Ask] = []
        if self.to_look_at:
            # Before definitions are read: a look that is noted later may be about a definition that was not yet there.
            asks.append(Ask("read_openings", gate_rows.gate_keys(self.to_look_at), self._take_noted_looks))
        locked = [table for table in LOCKED if getattr(needs, table.kind)]
        if locked and (self._loaded.limits or self._loaded.budgets):
            # Whoever opens a gate counts on it that the next one who locks it reads the new definition.
            needs, self._loaded.limits, self._loaded.budgets = _with_definitions(needs, asked_so_far), {}, {}
        for table in locked:
            asks += self._locking(table, getattr(needs, table.kind))
        self._last = max([*([] if self._last is None else [self._last]), *_in_lock_order(needs)], default=None)
        asks += [*LANE_TURNS.reading(needs, self._loaded), *definitions(needs, self._loaded)]
        if needs.parked:
            values = gate_rows.gates_with_numbers("most", needs.parked)
            asks.append(Ask("lock_parked", values, partial(self._take_parked, needs.parked)))
        if needs.running:
            values = gate_rows.gates_with_numbers("most", needs.running)
            asks.append(Ask("lock_running", values, partial(self._take_running, list(needs.running))))
        return asks + self._questions(needs)

    def _locking(self, table: GateTable, asked: Collection[Any]) -> list[Ask]:
        """Lock rows of one table, and read them. Rows that do not exist are made, unless these locks come late."""
        keys = table.keys_of(sorted(asked))
        place = LOCKED.index(table)
        if any(self._comes_late((place, at)) for at in asked):
            return [Ask(f"lock_late_{table.kind}", keys, partial(self._take_late, table, len(asked)))]
        return [
            Ask(f"lock_{table.kind}", keys, self._take_made),
            Ask(f"read_{table.kind}", keys, partial(self._take_locked, table)),
        ]

    def _questions(self, needs: Needs) -> list[Ask]:
        """Ask what is answered without a lock."""
        asks: list[Ask] = []
        if needs.crowded:
            rooms = [(room, mark) for room in needs.crowded for mark in (MARKS["gated"], MARKS["fair"])]
            values = {
                **gate_rows.gate_keys(gate for (gate, _, _), _ in rooms),
                "lane_id": rows.texts(lane for (_, lane, _), _ in rooms),
                "tokens": rows.texts(tokens_text((*mark, *tokens)) for (_, _, tokens), mark in rooms),
            }
            asks.append(Ask("find_crowded", values, partial(self._take_crowded, [room for room, _ in rooms])))
        if needs.in_the_way:
            states = [(gate, state) for gate in needs.in_the_way for state in GATE_STATES]
            codes = rows.numbers(GATE_STATE_CODES[state] for _, state in states)
            most = max(needs.in_the_way.values())
            some_of_each = {**gate_rows.gate_keys(gate for gate, _ in states), "gate_state": codes, "most": most}
            asks.append(Ask("find_oldest_at_gates", some_of_each, partial(self._take_in_the_way, states, most)))
        for asked in needs.crowded_keys:
            namespace, name, after, most = asked
            place = {"namespace": namespace, "name": name, "after": after, "with_it": not after, "most": most}
            asks.append(Ask("find_crowded_keys", place, partial(self._take_crowded_keys, asked)))
        return asks

    def flows_of_running(self) -> list[Ask]:
        """Lock the flows of the members that were found to run. A flow that another batch holds is left out."""
        found = (self._loaded.executions.get(key) for keys in self._loaded.running.values() for key in keys)
        flow_ids = {FlowId(x.flow_id) for x in found if x is not None and x.flow_id is not None}
        not_ours = flow_ids.difference(self._loaded.flows)
        return [self._flows.lock_open_flows(not_ours)] if not_ours else []

    def leave_out_held_flows(self) -> bool:
        """Leave out members that run in flows that another batch holds. Whether members are left."""
        has_members = False
        for gate, keys in self._loaded.running.items():
            for key in list(keys):
                flow_id = self._loaded.executions[key].flow_id
                if flow_id is not None and FlowId(flow_id) not in self._loaded.flows:
                    keys.remove(key)
                    self.passed_over.add(gate)
                has_members = has_members or (flow_id is not None and key in keys)
        return has_members

    # ── rows ─────────────────────────────────────────────────────────────────────────────────────

    def _take_noted_looks(self, found: Sequence[rows.Row]) -> None:
        gates, self.to_look_at = self.to_look_at, ()
        self.noted_looks = {gates[place - 1]: version for place, version in found}

    def _take_made(self, found: Sequence[rows.Row]) -> None:
        self.made.update(row[:3] for row in found)  # only the statement for keys of limits returns rows

    def _take_late(self, table: GateTable, asked: int, found: Sequence[rows.Row]) -> None:
        self.was_kept_out = self.was_kept_out or len(found) < asked
        self._take_locked(table, found)

    def _take_locked(self, table: GateTable, found: Sequence[rows.Row]) -> None:
        table.take(self._loaded, found)
        if table is KEY_USES:
            # A row that was made to be locked says nothing.
            for at in [at for at in map(_key_at, found) if self._loaded.key_uses[at] == unused(at)]:
                del self._loaded.key_uses[at]
        elif table is KEY_TURNS:
            self._given_turns.add_to(self._loaded, [KEY_TURNS.record_of(row)[0] for row in found])

    def _take_parked(self, asked: Mapping[GateAt, int], found: Sequence[rows.Row]) -> None:
        gates = list(asked)
        places: dict[GateAt, list[Ready]] = {gate: [] for gate in gates}
        there: dict[tuple[GateAt, str, int], int] = {}
        for row in found:
            place, lane, capability_set, count = row[rows.EXECUTION_COLUMNS :]
            gate = gates[place - 1]
            room = (gate, lane, capability_set)
            there.setdefault(room, count)
            if row[0] is not None:
                there[room] -= 1
                x = self._healthy(row)
                if x is None:
                    places[gate].append(_place_in(row, gate))  # so that it shows that there may be more behind it
                elif x.gates is not None and x.gates.parked == gate[1:]:
                    places[gate].append(place_of(x))
                else:
                    self.passed_over.add(gate)  # it was moved since the statement began
        self.passed_over.update(gate for (gate, _, _), left in there.items() if left > 0)
        for gate in gates:
            # Executions with and without a fair key share a room, but not a number of their set.
            self._loaded.parked[gate] = first_of_each_room(places[gate], asked[gate])

    def _take_running(self, gates: Sequence[GateAt], found: Sequence[rows.Row]) -> None:
        running: dict[GateAt, list[ExecutionId]] = {gate: [] for gate in gates}
        for row in found:
            place, count = row[rows.EXECUTION_COLUMNS :]
            gate = gates[place - 1]
            if row[0] is not None and (x := self._healthy(row)) is not None:
                running[gate].append(x.execution_id)
            if len(running[gate]) < count:
                self.passed_over.add(gate)
            else:
                self.passed_over.discard(gate)
        self._loaded.running.update(running)

    def _healthy(self, row: rows.Row) -> Execution | None:
        """A locked execution. A damaged one must not keep the others waiting: it is skipped."""
        try:
            x = self._execution_in(row)
        except Corruption as error:
            log.error("a damaged execution is skipped: %s", error, extra={"cause": str(error)})
            return None
        if x.flow_id is not None:
            self._ours.add(x.execution_id)
        # An unchanged execution stays the same object that the decision saw.
        if x != self._loaded.executions.get(x.execution_id):
            self._loaded.executions[x.execution_id] = x
        return self._loaded.executions[x.execution_id]

    def _take_crowded(self, rooms: Sequence[SubRoom], found: Sequence[rows.Row]) -> None:
        self._loaded.crowded.update(rooms[place - 1] for (place,) in found)

    def _take_in_the_way(
        self, states: Sequence[tuple[GateAt, GateState]], most: int, found: Sequence[rows.Row]
    ) -> None:
        ages: dict[GateAt, tuple[list[Age], list[Age]]] = {gate: ([], []) for gate, _ in states}
        for place, ready_at_ms, uuid, partition in found:
            gate, state = states[place - 1]
            ages[gate][state == "leased"].append((ready_at_ms, uuid, partition))
        for gate, (waiting, running) in ages.items():
            # Those that are queued and those that are parked were found apart: only the first ones of both are known.
            self._loaded.in_the_way[gate] = (sorted(waiting)[:most], sorted(running)[:most])

    def _take_crowded_keys(self, asked: KeysAfter, found: Sequence[rows.Row]) -> None:
        self._loaded.crowded_keys[asked] = [key for (key,) in found]


def _with_definitions(needs: Needs, asked: Needs) -> Needs:
    """The same needs, with all definitions that were asked for."""
    return replace(needs, limits=asked.limits, budgets=asked.budgets, budgets_under=asked.budgets_under)


def _widen_for(x: Execution, gates: Gates, asked: Needs, needs: Needs, most: int) -> None:
    """An end of a lease gives everything back, and lets others in. If one part of it is asked for, ask for all."""
    is_leased = x.lifecycle_phase == "active"
    keys = {(x.namespace, name, key) for name, key in (gates.slots if is_leased else gates.slots_to_take)}
    if not keys.isdisjoint(asked.key_uses):
        needs.key_uses |= keys
        if is_leased:
            for namespace, name, key in keys:
                needs.parked.setdefault((namespace, "limit", name, key), most)
    uses = {(x.namespace, name, period_ms) for each in gates.reservations for name, period_ms in each.chain}
    if not uses.isdisjoint(asked.budget_uses):
        needs.budget_uses |= uses


def key_places(keys: Iterable[KeyAt]) -> list[LockAt]:
    """Where keys of limits stand in the order of locks."""
    return [(LOCKED.index(KEY_USES), at) for at in keys]


def _in_lock_order(needs: Needs) -> Collection[LockAt]:
    return [(place, at) for place, table in enumerate(LOCKED) for at in getattr(needs, table.kind)]


def _place_in(row: rows.Row, gate: GateAt) -> Ready:
    """The place of a damaged execution, as far as it can be read."""
    namespace, *_ = gate
    return Ready(namespace, row[3], (), row[15], row[22], make_execution_id(row[0], row[1]), True)


def _key_at(row: rows.Row) -> KeyAt:
    return row[0], row[1], row[2]
