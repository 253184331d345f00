"""Limits and budgets as a program declares them: `openai = ff.limit("openai", concurrency=10)`.

A program writes them only where there is none, so that the numbers of an operator stay: when a worker starts, and when
a submit finds that one is missing.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, Protocol, TypeVar

import msgspec

from flowfabric.domain import gate_inputs
from flowfabric.domain.errors import InvalidInput, NotFound, shown
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.limits import PER_MS_DEFAULT, PER_MS_MAX
from flowfabric.domain.outcomes import BudgetSet, LimitSet
from flowfabric.runtime.durations import Duration, milliseconds

T = TypeVar("T")


class KeyedLimit(msgspec.Struct, frozen=True):
    """A limit with a key, or with a function of the task's arguments that returns the key."""

    limit: str
    key: str | Callable[..., str] = ""


class Limit(msgspec.Struct, frozen=True):
    """How many executions may run at a time, and how many attempts may start. `FlowFabric.limit` makes it.

    In the options of a task, the limit itself holds for everyone together. `limit("eu")` has a key of its own, and
    `limit(lambda order: order.tenant)` gets its key from the arguments of the task; each key counts by itself.
    """

    name: str
    concurrency: int | None
    rate: int | None
    per_ms: int
    burst: int | None

    def __call__(self, key: str | Callable[..., str], /) -> KeyedLimit:
        """The limit with this key, or with the key that this function makes of the task's arguments."""
        if not callable(key):
            gate_inputs.limit_key(key)
        return KeyedLimit(self.name, key)


class Budget(msgspec.Struct, frozen=True):
    """How much may be spent in all. `FlowFabric.budget` makes it."""

    name: str
    limits: Mapping[str, int]
    soft_limits: Mapping[str, int]
    period: str | None
    timezone: str
    parent: str | None
    on_exceeded: Literal["pause", "cancel"]

    def __hash__(self) -> int:
        return hash(self.name)


class GateEngine(Protocol):
    """The part of the engine that states limits and budgets."""

    async def set_limit(
        self,
        name: str,
        /,
        *,
        concurrency: int | None,
        rate: int | None,
        per_ms: int,
        burst: int | None,
        namespace: str,
        if_new: bool,
    ) -> LimitSet:
        """State a limit, if there is none."""

    async def set_budget(
        self,
        name: str,
        /,
        *,
        limits: Mapping[str, int],
        soft_limits: Mapping[str, int],
        period: str | None,
        timezone: str,
        parent: str | None,
        on_exceeded: Literal["pause", "cancel"],
        namespace: str,
        if_new: bool,
    ) -> BudgetSet:
        """State a budget, if there is none."""


class DeclaredGates:
    """The limits and budgets of one program."""

    def __init__(self, namespace: str) -> None:
        self._namespace = namespace
        self._limits: dict[str, Limit] = {}
        self._budgets: dict[str, Budget] = {}

    def add_limit(self, limit: Limit) -> Limit:
        """Register a limit. An equal one may be registered again."""
        if self._limits.setdefault(limit.name, limit) != limit:
            raise InvalidInput(
                f"There is a limit {limit.name!r} already, with other numbers. Declare it once, and import it."
            )
        return limit

    def add_budget(self, budget: Budget) -> Budget:
        """Register a budget. An equal one may be registered again. Rings of parents are refused here already."""
        self._check_no_ring(budget)
        if self._budgets.setdefault(budget.name, budget) != budget:
            raise InvalidInput(
                f"There is a budget {budget.name!r} already, and it is another one. Declare it once, and import it."
            )
        return budget

    def _check_no_ring(self, budget: Budget) -> None:
        chain, parent = [budget.name], budget.parent
        while parent is not None:
            chain.append(parent)
            if parent == budget.name:
                raise InvalidInput(
                    f"parent is {budget.parent!r}, but {' → '.join(chain)} is a ring: a budget cannot be its own "
                    "ancestor."
                )
            above = self._budgets.get(parent)
            parent = None if above is None else above.parent

    async def state(self, engine: GateEngine) -> None:
        """Write those that do not exist. Parents come before their children."""
        for limit in self._limits.values():
            await engine.set_limit(
                limit.name,
                concurrency=limit.concurrency,
                rate=limit.rate,
                per_ms=limit.per_ms,
                burst=limit.burst,
                namespace=self._namespace,
                if_new=True,
            )
        written: set[str] = set()
        for budget in self._budgets.values():
            await self._state_budget(engine, budget, written)

    async def _state_budget(self, engine: GateEngine, budget: Budget, written: set[str]) -> None:
        if budget.name in written:
            return
        written.add(budget.name)
        if budget.parent is not None and (parent := self._budgets.get(budget.parent)) is not None:
            await self._state_budget(engine, parent, written)
        await engine.set_budget(
            budget.name,
            limits=budget.limits,
            soft_limits=budget.soft_limits,
            period=budget.period,
            timezone=budget.timezone,
            parent=budget.parent,
            on_exceeded=budget.on_exceeded,
            namespace=self._namespace,
            if_new=True,
        )

    async def stated(self, engine: GateEngine, submit: Callable[[], Awaitable[T]], *, may_write: bool = True) -> T:
        """Submit. If a limit or a budget is missing there, write those of this program, and submit again.

        Nothing is written beside a transaction of the caller's own: on SQLite it would wait for that transaction.
        """
        try:
            return await submit()
        except NotFound as error:
            declared: Mapping[str, object] = {"limit": self._limits, "budget": self._budgets}
            if not may_write or not declared.get(error.entity):
                raise
        await self.state(engine)
        return await submit()


class GateDeclarations:
    """The part of a fabric that declares limits and budgets."""

    gates: DeclaredGates
    """The limits and budgets of this program."""

    def limit(
        self,
        name: str,
        *,
        concurrency: int | None = None,
        rate: int | None = None,
        per: Duration = "1m",
        burst: int | None = None,
    ) -> Limit:
        """Declare how many executions may run at a time, or may start: `ff.limit("openai", concurrency=10, rate=60)`.

        `rate` attempts may start in each `per`, and `burst` of them at once after a pause; without it, as many as the
        rate. The program writes the limit only where there is none, so an operator may change its numbers later.
        """
        per_ms = PER_MS_DEFAULT if per == "1m" else milliseconds("per", per)
        if not 1 <= per_ms <= PER_MS_MAX:
            raise InvalidInput(f"per is {shown(per)}; it must be from 1 ms to 366 days: '1ms' to '366d'.")
        gate_inputs.limit(DEFAULT_NAMESPACE, name, None, concurrency, rate, per_ms, burst)
        return self.gates.add_limit(Limit(name, concurrency, rate, per_ms, burst))

    def budget(
        self,
        name: str,
        *,
        period: str | None = None,
        timezone: str = "UTC",
        parent: Budget | str | None = None,
        on_exceeded: Literal["pause", "cancel"] = "pause",
        soft: Mapping[str, int] | None = None,
        **dimensions: int,
    ) -> Budget:
        """Declare how much may be spent in all: `ff.budget("team-a", tokens=2_000_000, period="day")`.

        `period` is `"day"`, `"week"`, `"month"`, a span such as `"7d"`, or a cron pattern. What is spent counts in the
        parent, too. `soft` holds lower limits of which an event tells. When a limit is reached, what runs on the
        budget pauses and goes on later by itself, or is cancelled. The program writes the budget only where there is
        none, so an operator may change it later.
        """
        hard, softer = gate_inputs.limits_of_budget(dimensions, {} if soft is None else soft, "soft")
        gate_inputs.period(period, timezone)
        above = None if parent is None else budget_name(parent, "parent")
        return self.gates.add_budget(
            Budget(
                gate_inputs.budget_name(name),
                hard,
                softer,
                period,
                timezone,
                above,
                gate_inputs.on_exceeded(on_exceeded),
            )
        )


def budget_name(budget: object, field: str = "budget") -> str:
    """The name of a budget that a caller gives by its name, or as it was declared."""
    if isinstance(budget, Budget):
        return budget.name
    if not isinstance(budget, str):
        raise InvalidInput(
            f"{field} is {shown(budget)}, which is not a budget. Give what ff.budget(...) returns, or its name."
        )
    return gate_inputs.budget_name(budget, field)
