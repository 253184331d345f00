"""What callers and reconcilers ask a store about limits and budgets."""

from collections.abc import Collection
from typing import Literal, Protocol

from flowfabric.domain.budgets import Budget, BudgetAt, BudgetUse, UseAt
from flowfabric.domain.fairness import KeyTurn, KeyTurnAt
from flowfabric.domain.gate_snapshots import KeyView, Spending
from flowfabric.domain.gates import GateAt
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.limits import KeyAt

SpentBy = Literal["execution", "flow", "kind", "day"]


class GateReads(Protocol):
    """Limits and budgets. None for a namespace means all namespaces.

    Where parked executions are counted, no more than `COUNTED_MAX` of them are counted, and read.
    """

    def limit_key(self, at: KeyAt) -> KeyView | None:
        """One key of a limit, with what is used. None: there is no such limit."""

    def limit_keys(self, namespace: str | None, after: KeyAt | None, limit: int) -> list[KeyView]:
        """The keys of all limits by namespace, name and key, after the given one.

        They are the key "" of every limit, keys with numbers of their own, and keys that are used or at which
        executions are parked.
        """

    def at_gate(self, gate: GateAt, before: ExecutionId | None, limit: int) -> tuple[list[ExecutionId], int]:
        """Some executions that run under a gate, oldest first, and how many are parked there in front of another."""

    def budgets(self, namespace: str | None, after: BudgetAt | None, limit: int) -> list[tuple[Budget, int]]:
        """Budgets by namespace and name, after the given one, each with the number of executions parked there."""

    def budget(self, at: BudgetAt) -> tuple[Budget, int] | None:
        """One budget, with the number of executions parked there."""

    def budget_uses(self, at: Collection[UseAt]) -> list[BudgetUse]:
        """What is used of budgets in the named periods. Those without a record are missing."""

    def spending(self, at: BudgetAt, by: SpentBy, after: str | None, limit: int) -> list[Spending]:
        """What was spent of a budget, summed up by execution, flow, kind or day, in that order, after the given one."""


class GateFinds(Protocol):
    """What reconcilers search."""

    def openings(self, until_ms: int, limit: int) -> list[GateAt]:
        """Gates that are to be looked at by an instant, earliest first."""

    def idle_keys(self, until_ms: int, limit: int) -> list[KeyAt]:
        """Keys of limits whose record says nothing any more at an instant."""

    def turns_of_keys(self, after: KeyTurnAt | None, limit: int) -> list[tuple[KeyTurn, int]]:
        """The next turns of fair keys by namespace, lane, priority and key, each with the turn claimed last there."""

    def old_uses(self, until_ms: int, after: UseAt | None, limit: int) -> list[UseAt]:
        """The next uses of budgets whose periods began by an instant, the earliest first, without those of whole lives.

        They may be in use still: periods can be long.
        """
