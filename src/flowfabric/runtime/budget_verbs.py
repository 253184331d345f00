"""The verbs of a context about budgets: `spend`, `reserve` and `metered`, and the twins of plain code."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from flowfabric.domain import gate_inputs, inputs
from flowfabric.domain.budgets import StepCharge, minus, plus
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.outcomes import Reserved, Spent
from flowfabric.runtime.budget_desk import BudgetDesk, Reservation, Spend
from flowfabric.runtime.declared_gates import Budget, budget_name
from flowfabric.runtime.step_options import check_may_block
from flowfabric.runtime.steps import Steps
from flowfabric.runtime.tries import Try

P = ParamSpec("P")
T = TypeVar("T")


class _Spending(Protocol):
    """The parts of a context that are needed here."""

    steps: Steps
    idle_reservations: dict[str, Mapping[str, int]]

    @property
    def budget_desk(self) -> BudgetDesk:
        """Sends to the engine what the attempt spends."""

    def raise_if_cancelled(self) -> None:
        """Raise AttemptCancelled if the attempt must stop."""


class BudgetVerbs:
    """The part of a context that spends."""

    async def spend(
        self: _Spending, budget: Budget | str, /, *, idempotency_key: str | None = None, **amounts: int
    ) -> Spent:
        """Charge a budget with what has been spent: `await ctx.spend("team-a", tokens=1_904)`.

        It has happened, so it always counts; what the attempt has reserved pays first. A later attempt that comes here
        spends again. With an `idempotency_key`, all attempts of this execution spend it once. The answer says what is
        left, and which limits are reached. If the task names the budget, it pauses then at its next step, and goes on
        later by itself.
        """
        spend = _spend(budget, amounts, idempotency_key)
        async with self.steps.standstill.running():
            spent = await self.budget_desk.spend(spend)
        _note_spent(self, spend)
        return spent

    def spend_sync(
        self: _Spending, budget: Budget | str, /, *, idempotency_key: str | None = None, **amounts: int
    ) -> Spent:
        """`spend` for plain functions, in a thread or in a child process."""
        spend = _spend(budget, amounts, idempotency_key)
        _check_no_loop("spend")
        self.raise_if_cancelled()
        with self.steps.standstill.running_sync():
            spent = self.budget_desk.spend_sync(spend)
        _note_spent(self, spend)
        return spent

    async def reserve(self: _Spending, budget: Budget | str, /, **amounts: int) -> Reserved:
        """Reserve a part of a budget for this attempt: `await ctx.reserve("team-a", usd_micros=40_000)`.

        If it does not fit into what is left of the budget and of its ancestors, this raises BudgetExceeded, which the
        task may catch. What is spent later is taken out of the reservation first. The rest is free again when the
        attempt ends.
        """
        reservation = _reservation(budget, amounts)
        async with self.steps.standstill.running():
            return await self.budget_desk.reserve(reservation)

    def reserve_sync(self: _Spending, budget: Budget | str, /, **amounts: int) -> Reserved:
        """`reserve` for plain functions, in a thread or in a child process."""
        reservation = _reservation(budget, amounts)
        _check_no_loop("reserve")
        self.raise_if_cancelled()
        with self.steps.standstill.running_sync():
            return self.budget_desk.reserve_sync(reservation)

    def metered(
        self: _Spending,
        budget: Budget | str,
        /,
        *,
        cost: Callable[[Any], Mapping[str, int]],
        reserve: Mapping[str, int] | None = None,
    ) -> "MeteredSteps":
        """Steps that spend: `ctx.metered(team, reserve={"tokens": 4_000}, cost=lambda a: a.usage).step("ask", ask)`.

        `reserve` is reserved before the function runs; if it does not fit, BudgetExceeded is raised. `cost` gets the
        result of the function and says what was spent. Result and charge are stored together, so a step that is stored
        never spends again.
        """
        return MeteredSteps(self, budget, reserve or {}, cost)


class MeteredSteps:
    """Steps whose result and cost are stored together."""

    def __init__(
        self,
        ctx: _Spending,
        budget: Budget | str,
        reserve: Mapping[str, int],
        cost: Callable[[Any], Mapping[str, int]],
    ) -> None:
        if not callable(cost):
            raise InvalidInput("cost is a function of the step's result that returns what it has spent.")
        self._ctx = ctx
        self._budget = budget_name(budget)
        self._reserve = gate_inputs.amounts("reserve", reserve, may_be_empty=True)
        self._cost = cost

    @overload
    async def step(self, name: str, function: Callable[P, Awaitable[T]], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    @overload
    async def step(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    async def step(self, name: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """`Context.step` for a function that spends."""
        inputs.name("name", name)
        steps = self._ctx.steps
        this = Try(name, charge_of=self._charge_of)
        if await steps.load(name) is not None:
            return await steps.run(name, function, args, kwargs, this)
        if lacking := self._lacking():
            async with steps.standstill.running():
                await self._ctx.budget_desk.reserve(Reservation(self._budget, lacking))
        with self._reserved(this):
            return await steps.run(name, function, args, kwargs, this)

    def step_sync(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """`Context.step_sync` for a function that spends."""
        check_may_block(name)
        self._ctx.raise_if_cancelled()
        steps = self._ctx.steps
        this = Try(name, charge_of=self._charge_of)
        if steps.load_sync(name) is not None:
            stored: T = steps.run_sync(name, function, args, kwargs, this)
            return stored
        if lacking := self._lacking():
            with steps.standstill.running_sync():
                self._ctx.budget_desk.reserve_sync(Reservation(self._budget, lacking))
        with self._reserved(this):
            value: T = steps.run_sync(name, function, args, kwargs, this)
            return value

    def _lacking(self) -> Mapping[str, int]:
        """What is still to be reserved: a step that failed may have left its reservation."""
        return minus(self._reserve, self._ctx.idle_reservations.get(self._budget, {}))

    @contextmanager
    def _reserved(self, this: Try) -> Iterator[None]:
        """The block has the reservation. If it stores nothing, the reservation is left for the next step."""
        idle = self._ctx.idle_reservations
        idle[self._budget] = minus(idle.get(self._budget, {}), self._reserve)
        try:
            yield
        finally:
            if not this.is_charged:
                idle[self._budget] = plus(idle[self._budget], self._reserve)

    def _charge_of(self, value: Any) -> StepCharge:
        try:
            spent = self._cost(value)
        except Exception as error:
            raise InvalidInput(f"The cost of the step could not be told from its result: {error!r}.") from error
        return gate_inputs.step_charge(self._budget, spent, self._reserve)


def _spend(budget: Budget | str, amounts: Mapping[str, int], idempotency_key: str | None) -> Spend:
    return Spend(
        budget_name(budget),
        gate_inputs.amounts("amounts", amounts),
        inputs.key("idempotency_key", idempotency_key),
    )


def _reservation(budget: Budget | str, amounts: Mapping[str, int]) -> Reservation:
    return Reservation(budget_name(budget), gate_inputs.amounts("amounts", amounts))


def _note_spent(ctx: _Spending, spend: Spend) -> None:
    """What is spent is taken out of reservations first, also out of those that a failed step has left."""
    if (idle := ctx.idle_reservations.get(spend.budget)) is not None:
        ctx.idle_reservations[spend.budget] = minus(idle, spend.amounts)


def _check_no_loop(verb: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InvalidInput(
        f"{verb}_sync would block the event loop that it runs on. Use `await ctx.{verb}(...)` in async functions."
    )
