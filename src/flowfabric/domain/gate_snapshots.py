"""What reads return about limits and budgets, as it was at one moment."""

from collections.abc import Mapping

import msgspec

from flowfabric.domain.budgets import Budget, BudgetUse, OnExceeded
from flowfabric.domain.limits import KeyUse, Limit


class LimitSnapshot(msgspec.Struct, frozen=True):
    """One key of a limit as it was when it was read."""

    name: str
    key: str
    concurrency: int | None
    rate: int | None
    per_ms: int
    burst: int | None
    in_use: int
    """How many leases hold a slot of it."""
    parked: int
    """How many executions wait for it."""
    paused_until_ms: int | None = None
    namespace: str = "default"


class BudgetSnapshot(msgspec.Struct, frozen=True):
    """One budget as it was when it was read."""

    name: str
    limits: Mapping[str, int]
    soft_limits: Mapping[str, int]
    used: Mapping[str, int]
    reserved: Mapping[str, int]
    assumed: Mapping[str, int]
    """The part of `used` that was charged because a lease was lost."""
    parent: str | None
    on_exceeded: OnExceeded
    next_reset_at_ms: int | None
    parked: int
    """How many executions wait for it."""
    namespace: str = "default"


class Spending(msgspec.Struct, frozen=True):
    """One line of `list_spending`: what was spent by an execution, a flow, a kind, or on a day."""

    by: str
    amounts: Mapping[str, int]


class KeyView(msgspec.Struct, frozen=True):
    """A key of a limit as a store reads it."""

    numbers: Limit
    """The numbers that hold for the key."""
    use: KeyUse
    parked: int


class BudgetView(msgspec.Struct, frozen=True):
    """A budget as a store reads it."""

    budget: Budget
    use: BudgetUse
    """What is used in the period that was asked for."""
    parked: int


def limit_snapshot_of(view: KeyView, now_ms: int) -> LimitSnapshot:
    """A key of a limit as callers see it."""
    numbers, use = view.numbers, view.use
    return LimitSnapshot(
        numbers.name,
        use.key,
        numbers.concurrency,
        numbers.rate,
        numbers.per_ms,
        numbers.burst,
        use.in_use,
        view.parked,
        use.paused_until_ms if use.paused_until_ms > now_ms else None,
        numbers.namespace,
    )


def budget_snapshot_of(view: BudgetView, now_ms: int) -> BudgetSnapshot:
    """A budget as callers see it. Every dimension of its limits is shown, also with 0."""
    budget, use = view.budget, view.use
    return BudgetSnapshot(
        budget.name,
        dict(budget.limits),
        dict(budget.soft_limits),
        {name: use.used.get(name, 0) for name in budget.limits},
        {name: use.reserved.get(name, 0) for name in budget.limits},
        {name: use.assumed.get(name, 0) for name in budget.limits},
        budget.parent,
        budget.on_exceeded,
        budget.next_reset_ms(now_ms),
        view.parked,
        budget.namespace,
    )
