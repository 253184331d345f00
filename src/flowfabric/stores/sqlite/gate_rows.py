"""Limits, budgets and the executions at their gates as rows: each read takes a set of keys, and makes few calls."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from flowfabric.domain.batch_io import Age, Loaded, Needs, SubRoom
from flowfabric.domain.budgets import BudgetAt
from flowfabric.domain.execution import AtGate, Execution, Ready
from flowfabric.domain.fairness import KeyTurn, LaneTurn
from flowfabric.domain.gates import GATE_STATES, GateAt, GateState
from flowfabric.domain.ids import ExecutionId, make_execution_id, partition_in, uuid_in
from flowfabric.domain.limits import KeyUse, Limit
from flowfabric.domain.words import COUNTED_MAX
from flowfabric.stores._shared.capability_sets import MARKS
from flowfabric.stores._shared.gates import (
    GATE_STATE_CODES,
    budget_of,
    budget_use_of,
    first_of_each_room,
    gate_of,
    gate_row_of,
    gates_text,
    line_of,
    spend_key_of,
    turn_of,
)
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.sqlite.json_rows import Row, calls
from flowfabric.stores.sqlite.rows import id_of, key_of

if TYPE_CHECKING:
    from flowfabric.stores.sqlite.readers import ReadSide

_ROWS: Final = msgspec.json.Decoder(list[list[Any]])
_NUMBERS: Final = msgspec.json.Decoder(list[int])


class GateTable(msgspec.Struct, frozen=True):
    """How one kind of record is read."""

    kind: str
    """Its name in `Needs` and in `Loaded`."""
    statement: str
    key_row_of: Callable[[Any], Row | None]
    """The values of the statement for a key. None: the record is not in this table."""
    record_of: Callable[[Sequence[Any]], tuple[Any, Any]]
    """The key and the record of a row."""

    def calls_for(self, sql: Statements, needs: Needs) -> Iterator[tuple[str, list[object]]]:
        """The statements that read what is asked for, with their values."""
        asked = getattr(needs, self.kind)
        if asked:
            keys = [row for at in sorted(asked, key=str) if (row := self.key_row_of(at)) is not None]
            yield from calls(sql, self.statement, keys)

    def take(self, answer: str, loaded: Loaded) -> None:
        """Note what a statement has found."""
        getattr(loaded, self.kind).update(self.record_of(row) for row in _ROWS.decode(answer))


def _limit(row: Sequence[Any]) -> tuple[Any, Limit]:
    return tuple(row[:3]), Limit(*row)


def _spend_key(row: Sequence[Any]) -> tuple[Any, Any]:
    execution_id = _id_in(*row[:2])
    key = spend_key_of(execution_id, (*row[2:5], bytes.fromhex(row[5])))
    return (execution_id, key.budget, key.idempotency_key), key


def _line(row: Sequence[Any]) -> tuple[Any, Any]:
    line = line_of(_id_in(*row[:2]), row[2:])
    return (line.execution_id, line.budget, line.period_ms, line.day_ms), line


def _id_in(partition: int, uuid: str) -> ExecutionId:
    return id_of(partition, bytes.fromhex(uuid))


DEFINITIONS: Final = (
    GateTable("limits", "load_limits", lambda at: at[:2] if at[2] is None else None, _limit),
    GateTable("limits", "load_limit_overrides", lambda at: None if at[2] is None else at, _limit),
    GateTable("budgets", "load_budgets", tuple, lambda row: ((row[0], row[1]), budget_of(row))),
    GateTable("lane_turns", "load_lane_turns", tuple, lambda row: (tuple(row[:3]), LaneTurn(*row))),
    GateTable("key_turns", "load_key_turns", tuple, lambda row: (tuple(row[:4]), KeyTurn(*row))),
)
"""What a creation looks at."""
USES: Final = (
    GateTable("key_uses", "load_key_uses", tuple, lambda row: (tuple(row[:3]), KeyUse(*row))),
    GateTable("budget_uses", "load_budget_uses", tuple, lambda row: (tuple(row[:3]), budget_use_of(row))),
    GateTable("ledger", "load_ledger", lambda at: (*key_of(at[0]), *at[1:]), _line),
    GateTable("spend_keys", "load_spend_keys", lambda at: (*key_of(at[0]), *at[1:]), _spend_key),
)


class GateRows:
    """Reads on one connection, inside one transaction."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        store: "ReadSide",
        new_sets: dict[tuple[str, ...], int] | None = None,
    ) -> None:
        """`new_sets`: the capability sets that the transaction itself has stored."""
        self._connection = connection
        self._sql = store.sql
        self._capabilities = store.capabilities
        self._new_sets = {} if new_sets is None else new_sets

    def load(self, tables: Iterable[GateTable], needs: Needs, loaded: Loaded) -> None:
        """Read the records of these tables that a batch asks for."""
        for table in tables:
            for sql, values in table.calls_for(self._sql, needs):
                table.take(self._connection.execute(sql, values).fetchone()[0], loaded)

    def parked(self, gate: GateAt, most: int) -> list[Ready]:
        """The first executions of each lane and set of capabilities that are parked at a gate, in queue order."""
        at = gate_row_of(gate)
        rooms = _ROWS.decode(self._connection.execute(self._sql["load_rooms"], at).fetchone()[0])
        places: list[Ready] = []
        for lane, capability_set in rooms:
            tokens = self._capabilities.tokens(capability_set, self._connection)
            values = (*at, lane, capability_set, most)
            found = _ROWS.decode(self._connection.execute(self._sql["load_parked"], values).fetchone()[0])
            places += [
                Ready(gate[0], lane, tokens, priority, ready_at_ms, _id_in(partition, uuid), True, turn)
                for partition, uuid, priority, turn, ready_at_ms in found
            ]
        # Executions with and without a fair key share a room, but not a number of their set.
        return first_of_each_room(places, most)

    def crowded_gates(self, gates: Iterable[GateAt]) -> set[GateAt]:
        """Those of the gates at which an execution is parked."""
        asked = list(gates)
        rows = [(number, *gate_row_of(gate)) for number, gate in enumerate(asked)]
        return {asked[number] for number in self._numbers("find_crowded_gates", rows)}

    def crowded(self, rooms: Iterable[SubRoom]) -> set[SubRoom]:
        """Those of the rooms in which an execution is parked."""
        asked = list(rooms)
        sets = {capabilities: self._sets_of(capabilities) for capabilities in {room[2] for room in asked}}
        rows = [
            (number, *gate_row_of(gate), lane, its_set)
            for number, (gate, lane, capabilities) in enumerate(asked)
            for its_set in sets[capabilities]
        ]
        return {asked[number] for number in self._numbers("find_crowded", rows)}

    def _sets_of(self, capabilities: tuple[str, ...]) -> list[int]:
        """The numbers under which executions with gates and these capabilities are stored."""
        marks = (MARKS["gated"], MARKS["fair"])
        tokens = [(*mark, *capabilities) for mark in marks]
        found = [self._capabilities.find_id(each, self._connection, self._new_sets) for each in tokens]
        return [its_set for its_set in found if its_set is not None]

    def _numbers(self, statement: str, rows: Sequence[Row]) -> list[int]:
        found: list[int] = []
        for sql, values in calls(self._sql, statement, rows):
            found += _NUMBERS.decode(self._connection.execute(sql, values).fetchone()[0])
        return found

    def oldest(self, gate: GateAt, limit: int, *states: GateState) -> list[ExecutionId]:
        """The executions that have stood at a gate longest."""
        return [make_execution_id(partition, uuid) for _, uuid, partition in self.ages(gate, limit, *states)]

    def ages(self, gate: GateAt, limit: int, *states: GateState) -> list[Age]:
        """The same, with the instants since when they wait."""
        found: list[Row] = []
        for state in states:
            values = (*gate_row_of(gate), GATE_STATE_CODES[state], limit)
            found += self._connection.execute(self._sql["find_oldest_at_gate"], values).fetchall()
        ids = [(ready_at_ms, id_of(partition, uuid)) for ready_at_ms, uuid, partition in sorted(found)[:limit]]
        return [(ready_at_ms, uuid_in(key), partition_in(key)) for ready_at_ms, key in ids]

    def running(self, gate: GateAt, most: int) -> list[ExecutionId]:
        """The oldest executions that run under a gate and need not pause yet."""
        values = (*gate_row_of(gate), most)
        return [id_of(*row) for row in self._connection.execute(self._sql["find_running_at_gate"], values).fetchall()]

    def crowded_keys(self, namespace: str, name: str, after: str, most: int) -> list[str]:
        """The next keys of a limit at which executions are parked. After the key "", the key "" is the first."""
        found = [""] if not after and self.crowded_gates([(namespace, "limit", name, "")]) else []
        values = (namespace, name, after, most)
        return [*found, *self._texts("find_crowded_keys", values)][:most]

    def budgets_under(self, budgets: Sequence[BudgetAt]) -> dict[BudgetAt, list[str]]:
        """The names of the budgets that have one of these as their parent."""
        found: dict[BudgetAt, list[str]] = {at: [] for at in budgets}
        rows = [(number, *at) for number, at in enumerate(budgets)]
        for sql, values in calls(self._sql, "find_budgets_under", rows):
            for number, name in _ROWS.decode(self._connection.execute(sql, values).fetchone()[0]):
                found[budgets[number]].append(name)
        return {at: sorted(names) for at, names in found.items()}

    def keys_of_limit(self, namespace: str, name: str, after: str, most: int) -> list[str]:
        """The next keys of a limit that have numbers of their own, are used, or at which executions are parked."""
        values = (namespace, name, after, most)
        statements = ("list_override_keys", "list_used_keys", "find_crowded_keys")
        return sorted({key for statement in statements for key in self._texts(statement, values)})[:most]

    def _texts(self, statement: str, values: Row) -> list[str]:
        return [text for (text,) in self._connection.execute(self._sql[statement], values).fetchall()]

    def count_parked(self, gate: GateAt) -> int:
        """How many executions are parked at a gate."""
        values = (*gate_row_of(gate), COUNTED_MAX)
        return int(self._connection.execute(self._sql["count_parked"], values).fetchone()[0])

    def count_parked_before(self, gate: GateAt, execution_id: ExecutionId) -> int:
        """How many executions are parked at a gate in front of another. If it is not parked there: how many there are.

        In each room, those in front of it are the first ones. So those behind it are not read.
        """
        at = gate_row_of(gate)
        place = self._connection.execute(self._sql["find_place_at_gate"], (*key_of(execution_id), *at[1:])).fetchone()
        if place is None:
            return self.count_parked(gate)
        count = 0
        for lane, its_set in _ROWS.decode(self._connection.execute(self._sql["load_rooms"], at).fetchone()[0]):
            values = (*at, lane, its_set, *place, COUNTED_MAX - count)
            count += int(self._connection.execute(self._sql["count_parked_before"], values).fetchone()[0])
        return count

    def rows_of(self, execution_ids: Collection[ExecutionId]) -> dict[ExecutionId, list[AtGate]]:
        """Where executions stand."""
        rows: dict[ExecutionId, list[AtGate]] = {}
        for sql, values in calls(self._sql, "load_gate_rows", [key_of(key) for key in execution_ids]):
            for row in _ROWS.decode(self._connection.execute(sql, values).fetchone()[0]):
                partition, uuid, namespace, kind, name, key, state, lane, its_set, priority, turn, ready_at_ms = row
                execution_id = _id_in(partition, uuid)
                tokens = self._capabilities.tokens(its_set, self._connection)
                place = Ready(namespace, lane, tokens, priority, ready_at_ms, execution_id, True, turn)
                at_gate = AtGate(gate_of(namespace, kind, name, key), GATE_STATES[state], place)
                rows.setdefault(execution_id, []).append(at_gate)
        return rows


def gates_row_of(x: Execution) -> Row:
    """The gates of an execution as a row for update_gates."""
    return (*key_of(x.execution_id), gates_text(x.gates), turn_of(x.gates))


def gate_key_of(row: AtGate) -> Row:
    """The columns that name a row of ff_at_gate."""
    _, *gate = gate_row_of(row.gate)
    return (*key_of(row.place.execution_id), *gate)


def at_gate_row_of(row: AtGate, capability_set: int) -> Row:
    """Every column of ff_at_gate."""
    place = row.place
    return (
        *key_of(place.execution_id),
        *gate_row_of(row.gate),
        GATE_STATE_CODES[row.state],
        place.lane,
        capability_set,
        -place.priority,
        place.turn,
        place.ready_at_ms,
    )
