"""Budgets: how much may be spent in all, in named dimensions, within a period.

What is used is kept for each period by itself (`BudgetUse`). So a new period begins without a write, and a late charge
goes to the period in which its lease began. What is spent on a budget counts in each of its ancestors, too.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, get_args

import msgspec
from msgspec.structs import replace

from flowfabric.domain.cron import Cron
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.intervals import Every

BudgetAt = tuple[str, str]
"""A namespace and the name of a budget."""
UseAt = tuple[str, str, int]
"""A namespace, the name of a budget, and the start of a period."""
Amounts = Mapping[str, int]
"""Whole numbers by dimension."""

OnExceeded = Literal["pause", "cancel"]
"""What happens to what runs on a budget once it is exceeded."""
ON_EXCEEDED: Final[tuple[OnExceeded, ...]] = get_args(OnExceeded)

PERIODS: Final = {"day": "0 0 * * *", "week": "0 0 * * 1", "month": "0 0 1 * *"}
"""The periods that have names, as cron patterns. A week begins on Monday."""
BUDGETS_MAX: Final = 4
"""How many budgets one execution may name."""
DEPTH_MAX: Final = 4
"""How many budgets a chain of parents has at most, the first one included."""
DIMENSIONS_MAX: Final = 16
AMOUNT_MAX: Final = 2**53 - 1
_LONG_MS: Final = 60 * 366 * 86_400_000
"""Longer than any period."""
WHOLE_LIFE: Final = 0
"""The start of the period of a budget that has no periods."""
USES_KEPT_MS: Final = 90 * 86_400_000
"""How long after the end of a period it is kept what was used in it. A lease that has begun in the period may spend for
as long: that counts there. What was spent on each day is kept for good."""


class Budget(msgspec.Struct, frozen=True):
    """A budget as it was set."""

    namespace: str
    name: str
    limits: Amounts
    """More than this is never started. Every dimension of the budget is in it."""
    soft_limits: Amounts
    """When this is passed, an event says so, once in each period."""
    period: Cron | Every | None
    """When a new period begins. None: never."""
    parent: str | None
    on_exceeded: OnExceeded
    reset_at_ms: int | None = None
    """When an operator last reset it. The period that was running then began anew at this instant."""

    def period_at(self, at_ms: int) -> int:
        """The start of the period that an instant belongs to."""
        start_ms = WHOLE_LIFE
        if self.period is not None:
            found = self.period.latest(at_ms - _LONG_MS, at_ms)
            start_ms = WHOLE_LIFE if found is None else found
        if self.reset_at_ms is not None and start_ms < self.reset_at_ms <= at_ms:
            return self.reset_at_ms
        return start_ms

    def next_reset_ms(self, now_ms: int) -> int | None:
        """When the next period begins. None: never."""
        next_ms = None if self.period is None else self.period.next_after(now_ms)
        if self.reset_at_ms is not None and self.reset_at_ms > now_ms:
            return self.reset_at_ms if next_ms is None else min(self.reset_at_ms, next_ms)
        return next_ms


class BudgetUse(msgspec.Struct, frozen=True):
    """What is used of a budget in one period. There is no record before the first use."""

    namespace: str
    name: str
    period_ms: int
    """The start of the period."""
    used: Amounts = msgspec.field(default_factory=dict)
    reserved: Amounts = msgspec.field(default_factory=dict)
    """What leases have reserved, in every dimension that they name. A dimension that the budget does not have holds
    nobody back; it is kept, so that the dimensions may change while something is reserved."""
    assumed: Amounts = msgspec.field(default_factory=dict)
    """The part of `used` that was charged because a lease was lost, and nobody could say what was spent."""
    passed: tuple[str, ...] = ()
    """The dimensions whose soft limit was passed, so that the event is not repeated."""
    exceeded: tuple[str, ...] = ()
    """The dimensions whose hard limit was reached, so that the event is not repeated."""

    @property
    def at(self) -> UseAt:
        """Where the record is kept."""
        return (self.namespace, self.name, self.period_ms)


class Reservation(msgspec.Struct, frozen=True, gc=False):
    """What the running attempt has reserved of one budget, and so of its ancestors."""

    budget: str
    chain: tuple[tuple[str, int], ...]
    """The budget and its ancestors as they were then, each with the period in which the amounts are reserved."""
    amounts: Amounts


class SpendKey(msgspec.Struct, frozen=True):
    """The promise that an idempotency key means one spend of an execution on a budget."""

    execution_id: ExecutionId
    budget: str
    idempotency_key: str
    amounts: Amounts
    answer: bytes


class StepCharge(msgspec.Struct, frozen=True):
    """What a step has spent of a budget. It is charged together with the result of the step."""

    budget: str
    amounts: Amounts
    """What was spent. It may be empty."""
    reserved: Amounts = msgspec.field(default_factory=dict)
    """What was reserved for the step. The part that was not spent is reserved no longer."""


class LedgerLine(msgspec.Struct, frozen=True):
    """What one execution has spent of one budget, in one period and on one day."""

    namespace: str
    budget: str
    execution_id: ExecutionId
    period_ms: int
    """The start of the period in which it counts."""
    day_ms: int
    """The start of the day, in universal time, on which it was spent."""
    amounts: Amounts


DAY_MS: Final = 86_400_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def day_text(day_ms: int) -> str:
    """A day as lists show it: `2026-11-15`."""
    return (_EPOCH + timedelta(milliseconds=day_ms)).date().isoformat()


# ── amounts ──────────────────────────────────────────────────────────────────────────────────────


def plus(amounts: Amounts, more: Amounts) -> Amounts:
    """The sum by dimension. A dimension with 0 is left out."""
    total = {name: amounts.get(name, 0) + more.get(name, 0) for name in {**amounts, **more}}
    return {name: total[name] for name in sorted(total) if total[name]}


def minus(amounts: Amounts, less: Amounts) -> Amounts:
    """The difference by dimension, never below 0."""
    return plus({name: max(amount - less.get(name, 0), 0) for name, amount in amounts.items()}, {})


def common(amounts: Amounts, others: Amounts) -> Amounts:
    """The smaller amount of each dimension."""
    return plus({name: min(amount, others.get(name, 0)) for name, amount in amounts.items()}, {})


def named_in(amounts: Amounts, budget: Budget) -> Amounts:
    """The part of the amounts that a budget counts: an ancestor need not name every dimension."""
    return {name: amount for name, amount in amounts.items() if name in budget.limits}


# ── what is left ─────────────────────────────────────────────────────────────────────────────────


def remaining(budget: Budget, use: BudgetUse) -> Amounts:
    """What is left of each dimension: the limit without what is used and reserved. It may be negative."""
    return {
        name: limit - use.used.get(name, 0) - use.reserved.get(name, 0) for name, limit in sorted(budget.limits.items())
    }


def exceeded_in(budget: Budget, use: BudgetUse) -> tuple[str, ...]:
    """The dimensions in which as much is used as the limit allows, or more."""
    return tuple(name for name, limit in sorted(budget.limits.items()) if use.used.get(name, 0) >= limit)


def soft_exceeded_in(budget: Budget, use: BudgetUse) -> tuple[str, ...]:
    """The dimensions in which as much is used as the soft limit says, or more."""
    return tuple(name for name, limit in sorted(budget.soft_limits.items()) if use.used.get(name, 0) >= limit)


def lacking(budget: Budget, use: BudgetUse, amounts: Amounts) -> str | None:
    """The first dimension in which these amounts do not fit into what is left. None: they fit."""
    left = remaining(budget, use)
    return next((name for name in sorted(amounts) if name in left and amounts[name] > left[name]), None)


def lacking_in_any(chain: Iterable[tuple[Budget, BudgetUse]], amounts: Amounts) -> tuple[str, str, int] | None:
    """The first budget of a chain in which the amounts do not fit: its name, the dimension, and what is left of it."""
    for budget, use in chain:
        dimension = lacking(budget, use, amounts)
        if dimension is not None:
            return budget.name, dimension, remaining(budget, use)[dimension]
    return None


def is_old_use(budget: Budget, use: BudgetUse, now_ms: int) -> bool:
    """Whether the period of a use has been over for so long that nobody asks for it, and nothing is reserved in it.

    A budget has only one use of its whole life. It stays, so that the budget may be given periods and lose them again.
    """
    since_ms = now_ms - USES_KEPT_MS
    if use.reserved or use.period_ms == WHOLE_LIFE or use.period_ms >= since_ms:
        return False
    return use.period_ms not in (budget.period_at(since_ms), budget.period_at(now_ms))


# ── what happens to it ───────────────────────────────────────────────────────────────────────────


def with_reservation(use: BudgetUse, amounts: Amounts) -> BudgetUse:
    """The use of a budget with these amounts reserved."""
    return replace(use, reserved=plus(use.reserved, amounts))


def without_reservation(use: BudgetUse, amounts: Amounts) -> BudgetUse:
    """The use of a budget with these amounts no longer reserved."""
    return replace(use, reserved=minus(use.reserved, amounts))


def with_charge(budget: Budget, use: BudgetUse, amounts: Amounts, *, is_assumed: bool = False) -> BudgetUse:
    """The use of a budget with these amounts spent."""
    counted = named_in(amounts, budget)
    assumed = plus(use.assumed, counted) if is_assumed else use.assumed
    return replace(use, used=plus(use.used, counted), assumed=assumed)
