"""The engine's methods for limits and budgets."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from flowfabric.domain import gate_inputs, inputs
from flowfabric.domain.budgets import Budget, BudgetAt, BudgetUse
from flowfabric.domain.commands import (
    ChargeBudget,
    PauseLimit,
    RemoveLimit,
    Reserve,
    ResetBudget,
    SetBudget,
    SetLimit,
    Spend,
)
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.errors import InvalidInput, NotFound, shown
from flowfabric.domain.gate_snapshots import (
    BudgetSnapshot,
    BudgetView,
    LimitSnapshot,
    budget_snapshot_of,
    limit_snapshot_of,
)
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.lease import Lease
from flowfabric.domain.limits import PER_MS_DEFAULT
from flowfabric.domain.outcomes import BudgetSet, LimitSet, Reserved, Spent
from flowfabric.domain.snapshots import Page
from flowfabric.engine.scope import Scoped
from flowfabric.ports.gates import SpentBy

if TYPE_CHECKING:
    from flowfabric.domain.gates import GateAt

_NO_AMOUNTS: Final[Mapping[str, int]] = {}
RUNNING_SHOWN: Final = 20
"""How many executions that run under a limit are shown."""


class GateMethods(Scoped):
    """The engine's methods for limits and budgets."""

    # ── limits ───────────────────────────────────────────────────────────────────────────────────

    async def set_limit(
        self,
        name: str,
        *,
        key: str | None = None,
        concurrency: int | None = None,
        rate: int | None = None,
        per_ms: int = PER_MS_DEFAULT,
        burst: int | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        if_new: bool = False,
        command_id: str | None = None,
    ) -> LimitSet:
        """State how many executions may run at once and how many attempts may start, for each key by itself.

        The whole definition is stated: what is left out is unlimited. It holds at once. With `key`, these numbers hold
        for that key alone. With `if_new`, nothing changes if there are numbers already.
        """
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        limit = gate_inputs.limit(of_namespace, name, key, concurrency, rate, per_ms, burst)
        return await self._execute(SetLimit(limit, inputs.flag("if_new", if_new)), command_id)

    async def remove_limit(
        self, name: str, *, key: str | None = None, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> None:
        """Make a limit unlimited at once; what was parked at it goes on. With `key`, remove that key's own numbers."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        own = None if key is None else gate_inputs.limit_key(key)
        await self._execute(RemoveLimit(of_namespace, gate_inputs.limit_name(name), own), command_id)

    async def pause_limit(
        self,
        name: str,
        key: str = "",
        *,
        for_ms: int,
        namespace: str = DEFAULT_NAMESPACE,
        command_id: str | None = None,
    ) -> None:
        """Let nothing start under a key for some time. What runs goes on. A longer pause is not shortened."""
        command = PauseLimit(
            inputs.namespace_in_scope(namespace, self._scope),
            gate_inputs.limit_name(name),
            gate_inputs.limit_key(key),
            gate_inputs.pause_ms(for_ms),
        )
        await self._execute(command, command_id)

    async def describe_limit(
        self, name: str, key: str = "", *, namespace: str = DEFAULT_NAMESPACE
    ) -> LimitSnapshot | None:
        """One key of a limit: its numbers, what is used and by which executions, and how many wait.

        None: there is no such limit.
        """
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        at = (of_namespace, gate_inputs.limit_name(name), gate_inputs.limit_key(key))
        view = await self._shell.read(lambda: self._store.limit_key(at))
        if view is None:
            return None
        gate: GateAt = (at[0], "limit", at[1], at[2])
        running, _ = await self._shell.read(lambda: self._store.at_gate(gate, None, RUNNING_SHOWN))
        return limit_snapshot_of(view, await self._now_ms(), running)

    async def list_limits(self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100) -> Page:
        """All limits by namespace, name and key, page by page: each with the key "", and with every key in use."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        limit = inputs.limit(limit)
        after = None if cursor is None else unpack_cursor(cursor, "limits", self._store.name, tuple[str, str, str])
        found = await self._shell.read(lambda: self._store.limit_keys(of_namespace, after, limit + 1))
        now_ms = await self._now_ms()
        next_cursor = None
        if len(found) > limit:
            next_cursor = pack_cursor("limits", self._store.name, found[limit - 1].use.at)
        return Page([limit_snapshot_of(view, now_ms) for view in found[:limit]], next_cursor)

    # ── budgets ──────────────────────────────────────────────────────────────────────────────────

    async def set_budget(
        self,
        name: str,
        *,
        limits: Mapping[str, int],
        soft_limits: Mapping[str, int] = _NO_AMOUNTS,
        period: str | None = None,
        timezone: str = "UTC",
        parent: str | None = None,
        on_exceeded: Literal["pause", "cancel"] = "pause",
        namespace: str = DEFAULT_NAMESPACE,
        if_new: bool = False,
        command_id: str | None = None,
    ) -> BudgetSet:
        """State how much may be spent in each dimension, within a period. It holds at once.

        `period`: `"day"`, `"week"`, `"month"`, a span such as `"7d"`, or a cron pattern. What is spent counts in the
        parent and its ancestors, too. With `if_new`, nothing changes if the budget exists.
        """
        hard, soft = gate_inputs.limits_of_budget(limits, soft_limits)
        command = SetBudget(
            inputs.namespace_in_scope(namespace, self._scope),
            gate_inputs.budget_name(name),
            hard,
            soft,
            gate_inputs.period(period, timezone),
            None if parent is None else gate_inputs.budget_name(parent, "parent"),
            gate_inputs.on_exceeded(on_exceeded),
            inputs.flag("if_new", if_new),
        )
        return await self._execute(command, command_id)

    async def reset_budget(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> None:
        """Begin a new period of a budget now, so that nothing of it is used."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        await self._execute(ResetBudget(of_namespace, gate_inputs.budget_name(name)), command_id)

    async def charge_budget(
        self,
        name: str,
        amounts: Mapping[str, int],
        *,
        reason: str,
        namespace: str = DEFAULT_NAMESPACE,
        command_id: str | None = None,
    ) -> Spent:
        """Correct what is used of a budget and of its ancestors. Amounts may be negative; nothing goes below 0."""
        command = ChargeBudget(
            inputs.namespace_in_scope(namespace, self._scope),
            gate_inputs.budget_name(name),
            gate_inputs.amounts("amounts", amounts, may_be_negative=True),
            inputs.text("reason", reason),
        )
        return await self._execute(command, command_id)

    async def describe_budget(self, name: str, *, namespace: str = DEFAULT_NAMESPACE) -> BudgetSnapshot | None:
        """One budget: its limits, what is used and reserved in this period, and how many wait. None: there is none."""
        at = (inputs.namespace_in_scope(namespace, self._scope), gate_inputs.budget_name(name))
        found = await self._shell.read(lambda: self._store.budget(at))
        return None if found is None else (await self._budget_snapshots([found]))[0]

    async def list_budgets(self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100) -> Page:
        """All budgets by namespace and name, page by page."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        limit = inputs.limit(limit)
        after = None if cursor is None else unpack_cursor(cursor, "budgets", self._store.name, tuple[str, str])
        found = await self._shell.read(lambda: self._store.budgets(of_namespace, after, limit + 1))
        next_cursor = None
        if len(found) > limit:
            last, _ = found[limit - 1]
            next_cursor = pack_cursor("budgets", self._store.name, (last.namespace, last.name))
        return Page(await self._budget_snapshots(found[:limit]), next_cursor)

    async def _budget_snapshots(self, found: list[tuple[Budget, int]]) -> list[BudgetSnapshot]:
        now_ms = await self._now_ms()
        periods = {(budget.namespace, budget.name): budget.period_at(now_ms) for budget, _ in found}
        asked = [(*at, period_ms) for at, period_ms in periods.items()]
        uses = {use.at: use for use in await self._shell.read(lambda: self._store.budget_uses(asked))}
        views = []
        for budget, parked in found:
            at = (budget.namespace, budget.name, periods[budget.namespace, budget.name])
            views.append(BudgetView(budget, uses.get(at, BudgetUse(*at)), parked))
        return [budget_snapshot_of(view, now_ms) for view in views]

    async def list_spending(
        self,
        name: str,
        *,
        by: Literal["execution", "flow", "kind", "day"],
        namespace: str = DEFAULT_NAMESPACE,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """What was spent of a budget, summed up by execution, flow, kind or day, page by page."""
        at: BudgetAt = (inputs.namespace_in_scope(namespace, self._scope), gate_inputs.budget_name(name))
        limit = inputs.limit(limit)
        spent_by = _spent_by(by)
        after = None
        if cursor is not None:
            after, summed_by = unpack_cursor(cursor, "spending", self._store.name, tuple[str, str])
            if summed_by != by:
                raise InvalidInput(
                    f"cursor is one of a list by {shown(summed_by)}, and by is {by!r}. Begin without a cursor."
                )
        if await self._shell.read(lambda: self._store.budget(at)) is None:
            raise NotFound(
                "budget",
                f"There is no budget {name!r} in namespace {at[0]!r}. `ff budgets` lists those that there are.",
            )
        found = await self._shell.read(lambda: self._store.spending(at, spent_by, after, limit + 1))
        next_cursor = None
        if len(found) > limit:
            next_cursor = pack_cursor("spending", self._store.name, (found[limit - 1].by, by))
        return Page(found[:limit], next_cursor)

    # ── for workers ──────────────────────────────────────────────────────────────────────────────

    async def reserve(
        self, lease: Lease, budget: str, amounts: Mapping[str, int], *, command_id: str | None = None
    ) -> Reserved:
        """Reserve a part of a budget for the running attempt, or raise BudgetExceeded. It ends with the lease."""
        fence = inputs.fence(lease)
        checked = gate_inputs.amounts("amounts", amounts)
        return await self._execute(Reserve(fence, gate_inputs.budget_name(budget, "budget"), checked), command_id)

    async def spend(
        self,
        lease: Lease,
        budget: str,
        amounts: Mapping[str, int],
        *,
        idempotency_key: str | None = None,
        command_id: str | None = None,
    ) -> Spent:
        """Charge a budget with what the attempt has spent. It always counts; what was reserved pays first.

        The same idempotency key again, within the execution and the budget, gets the first answer.
        """
        command = Spend(
            inputs.fence(lease),
            gate_inputs.budget_name(budget, "budget"),
            gate_inputs.amounts("amounts", amounts),
            inputs.key("idempotency_key", idempotency_key),
        )
        return await self._execute(command, command_id)

    async def _now_ms(self) -> int:
        return await self._shell.read(lambda: self._store.now_ms)


def _spent_by(value: object) -> SpentBy:
    for choice in get_args(SpentBy):
        if choice == value:
            return cast("SpentBy", choice)
    raise InvalidInput(f"by is {shown(value)}; it must be one of {', '.join(get_args(SpentBy))}.")
