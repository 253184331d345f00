"""The reads and finds of limits and budgets."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.budgets import Budget, BudgetAt, BudgetUse, UseAt, day_text
from flowfabric.domain.fairness import KeyTurn, KeyTurnAt
from flowfabric.domain.gate_snapshots import KeyView, Spending
from flowfabric.domain.gates import GateAt
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.limits import KeyAt, Limit, unused
from flowfabric.domain.words import COUNTED_MAX
from flowfabric.ports.gates import SpentBy
from flowfabric.stores._shared.gates import FIRST_KEY_TURN, FIRST_USE, GATE_STATE_CODES, budget_of, gate_of
from flowfabric.stores.postgres import gate_rows, rows
from flowfabric.stores.postgres.connection import Connection
from flowfabric.stores.postgres.flow_reads import Ask
from flowfabric.stores.postgres.gate_loading import BUDGET_USES, KEY_USES, definitions
from flowfabric.stores.postgres.readers import ReadSide, key_of, key_or_first, refusing_bad_cursors


class PostgresGateReads(ReadSide):
    """Limits and budgets, for callers and for upkeep."""

    def limit_key(self, at: KeyAt) -> KeyView | None:
        """One key of a limit."""
        with self.readers.snapshot() as connection:
            found = self._views([at], connection)
            return found[0] if found else None

    def limit_keys(self, namespace: str | None, after: KeyAt | None, limit: int) -> list[KeyView]:
        """The next keys of all limits."""
        start = ("", "") if after is None else after[:2]
        values = {"of_namespace": start[0], "name": start[1], "namespace": namespace, "most": limit}
        with self.readers.snapshot() as connection:
            keys: list[KeyAt] = []
            for row in self._found(connection, "list_limits", values):
                numbers = Limit(*row)
                is_begun = after is not None and after[:2] == (numbers.namespace, numbers.name)
                last_key = after[2] if after is not None and is_begun else ""
                found = self._keys_of_limit(numbers.namespace, numbers.name, last_key, limit, connection)
                keys += [(numbers.namespace, numbers.name, key) for key in ([] if is_begun else [""]) + found]
                if len(keys) >= limit:
                    break
            return self._views(keys[:limit], connection)

    def _keys_of_limit(self, namespace: str, name: str, after: str, most: int, connection: Connection) -> list[str]:
        """The next keys of a limit that have numbers of their own, are used, or at which executions are parked."""
        values = {"namespace": namespace, "name": name, "after": after, "most": most}
        keys = {key for (key,) in self._found(connection, "list_keys_of_limit", values)}
        keys |= {key for (key,) in self._found(connection, "find_crowded_keys", {**values, "with_it": False})}
        return sorted(keys)[:most]

    def _views(self, keys: Collection[KeyAt], connection: Connection) -> list[KeyView]:
        """Those of the keys whose limit exists, with their numbers and what is used."""
        needs, loaded = Needs(), Loaded()
        needs.key_uses = set(keys)
        needs.limits = {(namespace, name, numbers_of) for namespace, name, key in keys for numbers_of in (key, None)}
        self._ask(connection, [*definitions(needs, loaded), *KEY_USES.reading(needs, loaded)])
        known = [at for at in keys if (*at[:2], None) in loaded.limits]
        parked = self._parked(connection, [(at[0], "limit", at[1], at[2]) for at in known])
        return [
            KeyView(loaded.limits.get(at, loaded.limits[*at[:2], None]), loaded.key_uses.get(at, unused(at)), count)
            for at, count in zip(known, parked, strict=True)
        ]

    def at_gate(self, gate: GateAt, before: ExecutionId | None, limit: int) -> tuple[list[ExecutionId], int]:
        """Some executions that run under a gate, and how many are parked there in front of another."""
        state = {"gate_state": rows.numbers([GATE_STATE_CODES["leased"]]), "most": limit}
        with self.readers.snapshot() as connection:
            found = self._found(connection, "find_oldest_at_gates", {**gate_rows.gate_keys([gate]), **state})
            running = [make_execution_id(partition, uuid) for _, _, uuid, partition in found]
            if before is not None:
                values = {**gate_rows.one_gate(gate), **key_of(before), "most": COUNTED_MAX}
                for (count,) in self._found(connection, "count_parked_before", values):
                    return running, min(count, COUNTED_MAX)
            return running, self._parked(connection, [gate])[0]

    def budgets(self, namespace: str | None, after: BudgetAt | None, limit: int) -> list[tuple[Budget, int]]:
        """The next budgets, each with the number of executions parked there."""
        start = ("", "") if after is None else after
        values = {"of_namespace": start[0], "name": start[1], "namespace": namespace, "most": limit}
        with self.readers.snapshot() as connection:
            found = [budget_of(row) for row in self._found(connection, "list_budgets", values)]
            gates = [gate_rows.budget_gate((budget.namespace, budget.name)) for budget in found]
            return list(zip(found, self._parked(connection, gates), strict=True))

    def budget(self, at: BudgetAt) -> tuple[Budget, int] | None:
        """One budget."""
        needs, loaded = Needs(), Loaded()
        needs.budgets = {at}
        with self.readers.snapshot() as connection:
            self._ask(connection, definitions(needs, loaded))
            if at not in loaded.budgets:
                return None
            return loaded.budgets[at], self._parked(connection, [gate_rows.budget_gate(at)])[0]

    def budget_uses(self, at: Collection[UseAt]) -> list[BudgetUse]:
        """What is used of budgets in the named periods."""
        needs, loaded = Needs(), Loaded()
        needs.budget_uses = set(at)
        with self.readers.reading() as connection:
            self._ask(connection, BUDGET_USES.reading(needs, loaded))
        return [loaded.budget_uses[each] for each in at if each in loaded.budget_uses]

    def spending(self, at: BudgetAt, by: SpentBy, after: str | None, limit: int) -> list[Spending]:
        """What was spent of a budget, by execution, flow, kind or day."""
        sums: dict[str, dict[str, int]] = {}
        for of, dimension, amount in self._sums(at, by, after, limit):
            if after is None or by == "execution" or of > after:
                sums.setdefault(of, {})[dimension] = amount
        return [Spending(of, amounts) for of, amounts in sums.items()][:limit]

    def _sums(self, at: BudgetAt, by: SpentBy, after: str | None, limit: int) -> Iterable[tuple[str, str, int]]:
        """The sums in their order, with the dimensions in theirs."""
        values: dict[str, object] = {"namespace": at[0], "budget": at[1]}
        if by == "execution":
            values |= {**key_or_first(None if after is None else ExecutionId(after)), "most": limit}
        with self.readers.reading() as connection, refusing_bad_cursors():
            found = self._found(connection, f"sum_spending_by_{by}", values)
        for *of, dimension, amount in found:
            match by:
                case "execution":
                    yield make_execution_id(*of), dimension, amount
                case "flow" | "kind":
                    yield of[0], dimension, amount
                case "day":
                    yield day_text(of[0]), dimension, amount

    def openings(self, until_ms: int, limit: int) -> list[GateAt]:
        """Gates that are to be looked at by an instant."""
        with self.readers.reading() as connection:
            found = self._found(connection, "find_openings", {"until_ms": until_ms, "most": limit})
        return [gate_of(*row) for row in found]

    def idle_keys(self, until_ms: int, limit: int) -> list[KeyAt]:
        """Keys whose record says nothing any more at an instant."""
        with self.readers.reading() as connection:
            found = self._found(connection, "find_idle_keys", {"until_ms": until_ms, "most": limit})
        return [(namespace, name, key) for namespace, name, key in found]

    def old_uses(self, until_ms: int, after: UseAt | None, limit: int) -> list[UseAt]:
        """The next uses of budgets whose periods began by an instant."""
        namespace, name, period_ms = after or FIRST_USE
        place = {"namespace": namespace, "name": name, "period_ms": period_ms, "until_ms": until_ms, "most": limit}
        with self.readers.reading() as connection:
            found = self._found(connection, "find_old_uses", place)
        return [(namespace, name, period_ms) for namespace, name, period_ms in found]

    def turns_of_keys(self, after: KeyTurnAt | None, limit: int) -> list[tuple[KeyTurn, int]]:
        """The next turns of fair keys, each with the turn claimed last there."""
        namespace, lane, priority, fair_key = after or FIRST_KEY_TURN
        place = {"namespace": namespace, "lane_id": lane, "priority": priority, "fair_key": fair_key, "most": limit}
        with self.readers.reading() as connection:
            found = self._found(connection, "find_turns_of_keys", place)
        return [(KeyTurn(*row[:-1]), row[-1]) for row in found]

    def _parked(self, connection: Connection, gates: Sequence[GateAt]) -> list[int]:
        """How many executions are parked at each gate."""
        if not gates:
            return []
        found = self._found(connection, "count_parked", {**gate_rows.gate_keys(gates), "most": COUNTED_MAX})
        counts = {place - 1: count for place, count in found}
        return [counts[place] for place in range(len(gates))]

    def _ask(self, connection: Connection, asks: Iterable[Ask]) -> None:
        for ask in asks:
            ask.take(self._found(connection, ask.statement, ask.values or {}))

    def _found(self, connection: Connection, statement: str, values: Mapping[str, object]) -> list[rows.Row]:
        return connection.execute(self.sql[statement].encode(), values, binary=True).fetchall()
