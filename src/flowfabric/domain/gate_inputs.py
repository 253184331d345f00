"""The checks of all arguments about limits and budgets. They become commands only after these checks."""

import re
from collections.abc import Mapping
from typing import Final, get_args

from flowfabric.domain import inputs
from flowfabric.domain.budgets import (
    AMOUNT_MAX,
    BUDGETS_MAX,
    DIMENSIONS_MAX,
    ON_EXCEEDED,
    PERIODS,
    Amounts,
    OnExceeded,
    StepCharge,
)
from flowfabric.domain.cron import Cron, cron
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.gates import Gates
from flowfabric.domain.limits import BUILT_IN, LIMIT_NUMBER_MAX, LIMITS_MAX, PAUSE_MS_MAX, PER_MS_MAX, Limit, WhenFull

_SPAN: Final = re.compile(r"(\d{1,9})([mhd])")
_SPAN_MS: Final = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
BURST_YEARS_MAX: Final = 100
BURST_US_MAX: Final = BURST_YEARS_MAX * 366 * 86_400_000_000
"""How far ahead the starts of a key may reach. More than this would not fit into the columns of a store."""
WHEN_FULL: Final[tuple[WhenFull, ...]] = get_args(WhenFull)


def limit_name(value: object, field: str = "name") -> str:
    """The name of a limit."""
    return inputs.name(field, value, inputs.KEY_CHARS_MAX)


def limit_key(value: object, field: str = "key") -> str:
    """A key of a limit. The empty key is the one for everyone together."""
    return "" if value == "" else inputs.name(field, value, inputs.KEY_CHARS_MAX)


def limit(
    namespace: str, name: object, key: object, concurrency: object, rate: object, per_ms: object, burst: object
) -> Limit:
    """The numbers of a limit, or of one key of it."""
    if concurrency is None and rate is None:
        raise InvalidInput("A limit needs concurrency or rate, or both. To have no limit, remove it.")
    if burst is not None and rate is None:
        raise InvalidInput("burst says how many may start at once under a rate. Give a rate, or leave burst out.")
    if limit_name(name).startswith(BUILT_IN):
        raise InvalidInput(f"name is {shown(name)}; names that begin with {BUILT_IN!r} belong to built-in limits.")
    checked = Limit(
        namespace,
        limit_name(name),
        None if key is None else limit_key(key),
        None if concurrency is None else inputs.integer("concurrency", concurrency, 1, LIMIT_NUMBER_MAX),
        None if rate is None else inputs.integer("rate", rate, 1, LIMIT_NUMBER_MAX),
        inputs.integer("per_ms", per_ms, 1, PER_MS_MAX),
        None if burst is None else inputs.integer("burst", burst, 1, LIMIT_NUMBER_MAX),
    )
    if checked.rate is not None and checked.rate > checked.per_ms * 1000:
        raise InvalidInput(
            f"rate is {checked.rate} in {checked.per_ms} ms; more than one start in each microsecond cannot be "
            "counted. Leave the rate out."
        )
    if checked.rate is not None and checked.starts_at_once * checked.pace_us > BURST_US_MAX:
        raise InvalidInput(
            f"burst is {checked.burst}; at this rate it would take more than {BURST_YEARS_MAX} years until so many may "
            "start again. Give a smaller burst, or a higher rate."
        )
    return checked


def pause_ms(value: object) -> int:
    """For how long a key is paused."""
    return inputs.integer("for_ms", value, 1, PAUSE_MS_MAX)


def gates(limits: object, budgets: object, fair_key: object) -> Gates | None:
    """The gates of a new execution. None: it has none."""
    # Most have none, and each submit pays for the check: `dict` stands before the abstract class for that reason.
    checked_limits = _limits(limits)
    checked_budgets = _budgets(budgets)
    key = None if fair_key is None else inputs.name("fair_key", fair_key, inputs.KEY_CHARS_MAX)
    if not checked_limits and not checked_budgets and key is None:
        return None
    return Gates(checked_limits, checked_budgets, key)


def _limits(values: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(values, (dict, Mapping)):
        raise InvalidInput(
            f"limits is a mapping of names to keys, such as {{'openai': ''}}, not {type(values).__name__}."
        )
    if not values:
        return ()
    if len(values) > LIMITS_MAX:
        raise too_many_limits(len(values))
    named = [
        (limit_name(name, "A name in limits"), limit_key(key, f"limits[{name!r}]")) for name, key in values.items()
    ]
    return tuple(sorted(named))


def too_many_limits(number: int) -> InvalidInput:
    """The refusal of an execution with too many limits."""
    return InvalidInput(f"limits names {number} limits; an execution has at most {LIMITS_MAX}.")


def _budgets(values: object) -> tuple[tuple[str, Amounts], ...]:
    if not isinstance(values, (dict, Mapping)):
        raise InvalidInput(
            f"budgets is a mapping of names to estimates, such as {{'team-a': {{'tokens': 1000}}}}, "
            f"not {type(values).__name__}."
        )
    if not values:
        return ()
    if len(values) > BUDGETS_MAX:
        raise InvalidInput(f"budgets names {len(values)} budgets; an execution has at most {BUDGETS_MAX}.")
    checked = [
        (budget_name(name, "A name in budgets"), amounts(f"budgets[{name!r}]", estimate, may_be_empty=True))
        for name, estimate in values.items()
    ]
    return tuple(sorted(checked, key=lambda item: item[0]))


def when_full(value: object, limits: tuple[tuple[str, str], ...]) -> WhenFull:
    """What happens if a limit of a new execution is full."""
    for choice in WHEN_FULL:
        if choice == value:
            if choice != "wait" and not limits:
                raise InvalidInput(f"when_full is {choice!r}, but the execution names no limit. Name one in limits.")
            return choice
    raise InvalidInput(f"when_full is {shown(value)}; it must be one of {', '.join(WHEN_FULL)}.")


# ── budgets ──────────────────────────────────────────────────────────────────────────────────────


def budget_name(value: object, field: str = "name") -> str:
    """The name of a budget."""
    return inputs.name(field, value, inputs.KEY_CHARS_MAX)


def amounts(field: str, values: object, *, may_be_empty: bool = False, may_be_negative: bool = False) -> Amounts:
    """Whole numbers by dimension, in the order of the dimensions. Dimensions with 0 are left out."""
    if not isinstance(values, Mapping):
        raise InvalidInput(
            f"{field} is a mapping of dimensions to whole numbers, such as {{'tokens': 1000}}, "
            f"not {type(values).__name__}."
        )
    if len(values) > DIMENSIONS_MAX:
        raise InvalidInput(f"{field} has {len(values)} dimensions; the limit is {DIMENSIONS_MAX}.")
    low = -AMOUNT_MAX if may_be_negative else 0
    checked = {
        dimension(name): inputs.integer(f"{field}[{name!r}]", amount, low, AMOUNT_MAX)
        for name, amount in values.items()
    }
    if not may_be_empty and not any(checked.values()):
        raise InvalidInput(f"{field} holds nothing but 0. Give at least one amount, such as {{'tokens': 1000}}.")
    return {name: checked[name] for name in sorted(checked) if checked[name]}


def step_charge(budget: object, spent: object, reserved: object) -> StepCharge:
    """What a step has spent of a budget, and what was reserved for it."""
    return StepCharge(
        budget_name(budget),
        amounts("cost", spent, may_be_empty=True),
        amounts("reserve", reserved, may_be_empty=True),
    )


def budget_limits(field: str, values: object) -> Amounts:
    """The limits of a budget by dimension; 0 is a limit, too."""
    if not isinstance(values, Mapping):
        raise InvalidInput(
            f"{field} is a mapping of dimensions to whole numbers, such as {{'tokens': 1_000_000}}, "
            f"not {type(values).__name__}."
        )
    if len(values) > DIMENSIONS_MAX:
        raise InvalidInput(f"{field} has {len(values)} dimensions; the limit is {DIMENSIONS_MAX}.")
    checked = {
        dimension(name): inputs.integer(f"{field}[{name!r}]", amount, 0, AMOUNT_MAX) for name, amount in values.items()
    }
    return dict(sorted(checked.items()))


def dimension(value: object) -> str:
    """The name of a dimension."""
    name = inputs.name("dimension", value)
    if ":" in name:
        raise InvalidInput(f"dimension is {shown(name)}; it must not hold a colon.")
    return name


def limits_of_budget(limits: object, soft_limits: object, soft_field: str = "soft_limits") -> tuple[Amounts, Amounts]:
    """The hard and the soft limits of a budget."""
    hard, soft = budget_limits("limits", limits), budget_limits(soft_field, soft_limits)
    if not hard:
        raise InvalidInput("A budget has at least one dimension with a limit, such as 1,000,000 tokens. Name one.")
    unknown = sorted(soft.keys() - hard.keys())
    if unknown:
        raise InvalidInput(f"{soft_field} names {unknown[0]!r}, which has no limit. Give it a limit, too.")
    above = [name for name in soft if soft[name] > hard[name]]
    if above:
        raise InvalidInput(
            f"{soft_field}[{above[0]!r}] is {soft[above[0]]}, and the limit is {hard[above[0]]}; it would never be "
            "passed first. Give a smaller one."
        )
    return hard, soft


def period(value: object, timezone: object) -> Cron | int | None:
    """When new periods begin: at the slots of a pattern, or after each span of so many milliseconds."""
    cron(PERIODS["day"], timezone)  # whoever has misspelt a time zone learns it, whether it matters here or not
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(f"period is a text such as 'day', '7d' or a cron pattern, not {type(value).__name__}.")
    if value in PERIODS:
        return cron(PERIODS[value], timezone)
    span = _SPAN.fullmatch(value)
    if span is None:
        if len(value.split()) != 5 and not value.startswith("@"):
            raise InvalidInput(
                f"period is {shown(value)}; it must be {', '.join(map(repr, PERIODS))}, a span such as '7d' or '12h', "
                "or a cron pattern."
            )
        try:
            return cron(value, timezone)
        except InvalidInput as error:
            raise InvalidInput(f"period is not a cron pattern: {error}") from error
    span_ms = int(span[1]) * _SPAN_MS[span[2]]
    if not 60_000 <= span_ms <= PER_MS_MAX:
        raise InvalidInput(f"period is {shown(value)}; a span must be from 1 minute to 366 days: '1m' to '366d'.")
    return span_ms


def on_exceeded(value: object) -> OnExceeded:
    """What happens when a budget is exceeded."""
    for choice in ON_EXCEEDED:
        if choice == value:
            return choice
    raise InvalidInput(f"on_exceeded is {shown(value)}; it must be one of {', '.join(ON_EXCEEDED)}.")
