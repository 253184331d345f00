"""The reads and finds of limits and budgets."""

from collections.abc import Collection, Iterable
from typing import Any

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.budgets import Budget, BudgetAt, BudgetUse, UseAt, day_text
from flowfabric.domain.fairness import KeyTurn, KeyTurnAt
from flowfabric.domain.gate_snapshots import KeyView, Spending
from flowfabric.domain.gates import GateAt
from flowfabric.domain.ids import ExecutionId, uuid_from_hex
from flowfabric.domain.limits import KeyAt, Limit, unused
from flowfabric.ports.gates import SpentBy
from flowfabric.stores._shared.gates import FIRST_KEY_TURN, FIRST_USE, budget_of, gate_of
from flowfabric.stores.sqlite.gate_rows import DEFINITIONS, USES, GateRows
from flowfabric.stores.sqlite.readers import ReadSide
from flowfabric.stores.sqlite.rows import id_of, key_of


class SqliteGateReads(ReadSide):
    """Limits and budgets, for callers and for upkeep."""

    def limit_key(self, at: KeyAt) -> KeyView | None:
        """One key of a limit."""
        with self.readers.reading() as connection:
            found = self._views([at], GateRows(connection, self))
            return found[0] if found else None

    def limit_keys(self, namespace: str | None, after: KeyAt | None, limit: int) -> list[KeyView]:
        """The next keys of all limits."""
        start = ("", "") if after is None else after[:2]
        with self.readers.reading() as connection:
            rows = GateRows(connection, self)
            keys: list[KeyAt] = []
            for row in connection.execute(self.sql["list_limits"], (*start, namespace, limit)).fetchall():
                numbers = Limit(*row)
                is_begun = after is not None and after[:2] == (numbers.namespace, numbers.name)
                last_key = after[2] if after is not None and is_begun else ""
                found = rows.keys_of_limit(numbers.namespace, numbers.name, last_key, limit)
                keys += [(numbers.namespace, numbers.name, key) for key in ([] if is_begun else [""]) + found]
                if len(keys) >= limit:
                    break
            return self._views(keys[:limit], rows)

    def _views(self, keys: Collection[KeyAt], rows: GateRows) -> list[KeyView]:
        """Those of the keys whose limit exists, with their numbers and what is used."""
        needs, loaded = Needs(), Loaded()
        needs.key_uses |= set(keys)
        needs.limits |= {(namespace, name, numbers_of) for namespace, name, key in keys for numbers_of in (key, None)}
        rows.load((*DEFINITIONS, *USES), needs, loaded)
        views: list[KeyView] = []
        for at in keys:
            namespace, name, key = at
            common = loaded.limits.get((namespace, name, None))
            if common is not None:
                numbers = loaded.limits.get(at, common)
                parked = rows.count_parked((namespace, "limit", name, key))
                views.append(KeyView(numbers, loaded.key_uses.get(at, unused(at)), parked))
        return views

    def at_gate(self, gate: GateAt, before: ExecutionId | None, limit: int) -> tuple[list[ExecutionId], int]:
        """Some executions that run under a gate, and how many are parked there in front of another."""
        with self.readers.reading() as connection:
            rows = GateRows(connection, self)
            in_front = rows.count_parked(gate) if before is None else rows.count_parked_before(gate, before)
            return rows.oldest(gate, limit, "leased"), in_front

    def budgets(self, namespace: str | None, after: BudgetAt | None, limit: int) -> list[tuple[Budget, int]]:
        """The next budgets, each with the number of executions parked there."""
        values = (*(("", "") if after is None else after), namespace, limit)
        with self.readers.reading() as connection:
            rows = GateRows(connection, self)
            found = [budget_of(row) for row in connection.execute(self.sql["list_budgets"], values).fetchall()]
            return [(each, rows.count_parked((each.namespace, "budget", each.name, ""))) for each in found]

    def budget(self, at: BudgetAt) -> tuple[Budget, int] | None:
        """One budget."""
        with self.readers.reading() as connection:
            rows, needs, loaded = GateRows(connection, self), Needs(), Loaded()
            needs.budgets.add(at)
            rows.load(DEFINITIONS, needs, loaded)
            if at not in loaded.budgets:
                return None
            return loaded.budgets[at], rows.count_parked((at[0], "budget", at[1], ""))

    def budget_uses(self, at: Collection[UseAt]) -> list[BudgetUse]:
        """What is used of budgets in the named periods."""
        with self.readers.reading() as connection:
            needs, loaded = Needs(), Loaded()
            needs.budget_uses |= set(at)
            GateRows(connection, self).load(USES, needs, loaded)
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
        values: tuple[Any, ...] = at
        if by == "execution":
            values = (*at, *((-1, b"") if after is None else key_of(ExecutionId(after))), limit)
        with self.readers.reading() as connection:
            rows = connection.execute(self.sql[f"sum_spending_by_{by}"], values).fetchall()
        for *of, dimension, amount in rows:
            match by:
                case "execution":
                    yield id_of(*of), dimension, amount
                case "flow":
                    yield uuid_from_hex(of[0].hex()), dimension, amount
                case "kind":
                    yield of[0], dimension, amount
                case "day":
                    yield day_text(of[0]), dimension, amount

    def openings(self, until_ms: int, limit: int) -> list[GateAt]:
        """Gates that are to be looked at by an instant."""
        with self.readers.reading() as connection:
            rows = connection.execute(self.sql["find_openings"], (until_ms, limit)).fetchall()
        return [gate_of(*row) for row in rows]

    def idle_keys(self, until_ms: int, limit: int) -> list[KeyAt]:
        """Keys whose record says nothing any more at an instant."""
        with self.readers.reading() as connection:
            rows: list[KeyAt] = connection.execute(self.sql["find_idle_keys"], (until_ms, limit)).fetchall()
        return rows

    def old_uses(self, until_ms: int, after: UseAt | None, limit: int) -> list[UseAt]:
        """The next uses of budgets whose periods began by an instant."""
        namespace, name, period_ms = after or FIRST_USE
        with self.readers.reading() as connection:
            values = (period_ms, namespace, name, until_ms, limit)
            rows: list[UseAt] = connection.execute(self.sql["find_old_uses"], values).fetchall()
        return rows

    def turns_of_keys(self, after: KeyTurnAt | None, limit: int) -> list[tuple[KeyTurn, int]]:
        """The next turns of fair keys, each with the turn claimed last there."""
        with self.readers.reading() as connection:
            values = (*(after or FIRST_KEY_TURN), limit)
            rows = connection.execute(self.sql["find_turns_of_keys"], values).fetchall()
        return [(KeyTurn(*row[:-1]), row[-1]) for row in rows]
