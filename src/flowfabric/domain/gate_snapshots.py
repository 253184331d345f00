"""What reads return about limits and budgets, as it was at one moment."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from flowfabric.domain.budgets import PERIODS, Budget, BudgetUse, OnExceeded, plus
from flowfabric.domain.cron import Cron
from flowfabric.domain.gates import Gate, Gates
from flowfabric.domain.intervals import Every
from flowfabric.domain.limits import KeyUse, Limit, by_present_numbers, opens_at_ms, why_closed

_SPANS: Final = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000))


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
    """How many executions wait for it, up to 10,000: more are not counted."""
    paused_until_ms: int | None = None
    namespace: str = "default"
    opens_at_ms: int | None = None
    """When the next attempt may start, if a pause or the rate holds it back now."""
    running: tuple[str, ...] = ()
    """In `describe_limit`: the ids of the oldest executions that hold a slot of it, up to 20."""


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
    """How many executions wait for it, up to 10,000: more are not counted."""
    namespace: str = "default"
    period: str | None = None
    """As it was set: `"day"`, a span such as `"7d"`, or a cron pattern. None: it has no periods."""
    timezone: str = "UTC"


class GatesSnapshot(msgspec.Struct, frozen=True):
    """The limits and budgets of an execution, and what its lease holds of them."""

    limits: Mapping[str, str]
    """The names of its limits, with its key of each."""
    budgets: Mapping[str, Mapping[str, int]]
    """The names of its budgets, with what each of its attempts reserves first."""
    fair_key: str | None
    parked_at_limit: str | None
    """The limit that it waits for."""
    parked_at_key: str | None
    """The key of that limit."""
    parked_at_budget: str | None
    """The budget that it waits for: one of its own, or an ancestor of one."""
    slots: Mapping[str, str]
    """The limits that it names of which its lease holds a slot, with the keys."""
    reserved: Mapping[str, Mapping[str, int]]
    """What its lease has reserved, by budget."""
    must_pause: bool
    """A budget that it names is exceeded: its worker stops it at the next step."""
    blocks: tuple[tuple[str, str], ...] = ()
    """The limits, with keys, that blocks of its code take part in: they run with a slot, or one of them waits."""


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

    def is_open(self, now_ms: int) -> bool:
        """Whether one more may start under the key, and nobody waits in front."""
        return not self.parked and why_closed(self.numbers, self.use, now_ms) is None


class BudgetView(msgspec.Struct, frozen=True):
    """A budget as a store reads it."""

    budget: Budget
    use: BudgetUse
    """What is used in the period that was asked for."""
    parked: int


def limit_snapshot_of(view: KeyView, now_ms: int, running: Sequence[str] = ()) -> LimitSnapshot:
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
        opens_at_ms(numbers, by_present_numbers(numbers, use, now_ms), now_ms),
        tuple(running),
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
        None if budget.period is None else period_text(budget.period),
        budget.period.timezone if isinstance(budget.period, Cron) else "UTC",
    )


def period_text(period: Cron | Every) -> str:
    """A period as somebody writes it."""
    if isinstance(period, Cron):
        return next((name for name, text in PERIODS.items() if text == period.text), period.text)
    return next(f"{period.interval_ms // ms}{unit}" for unit, ms in _SPANS if period.interval_ms % ms == 0)


def gates_snapshot_of(gates: Gates) -> GatesSnapshot:
    """The gates of an execution as callers see them."""
    kind, name, key = gates.parked or (None, None, None)
    reserved: dict[str, Mapping[str, int]] = {}
    for reservation in gates.reservations:
        reserved[reservation.budget] = plus(reserved.get(reservation.budget, {}), reservation.amounts)
    return GatesSnapshot(
        dict(gates.limits),
        {budget: dict(amounts) for budget, amounts in gates.budgets},
        gates.fair_key,
        name if kind == "limit" else None,
        key if kind == "limit" else None,
        name if kind == "budget" else None,
        {name: key for name, key in gates.slots if (name, key) in gates.limits},
        reserved,
        gates.must_pause,
        tuple((name, key) for name, key, _ in gates.blocks),
    )


def named(gate: Gate) -> str:
    """A gate as sentences name it: `limit openai`, `limit tenant[t-7]`, `budget team-a`."""
    kind, name, key = gate
    return f"{'budget' if kind == 'budget' else 'limit'} {name}{f'[{key}]' if key else ''}"
