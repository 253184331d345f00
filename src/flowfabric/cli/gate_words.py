"""Limits and budgets in words: those of an execution, and what events say about them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from flowfabric.cli.output import clock_time
from flowfabric.domain.words import counted, span

if TYPE_CHECKING:
    from flowfabric.domain.gate_snapshots import GatesSnapshot

Details = Mapping[str, object]


def gates_in_words(gates: "GatesSnapshot") -> dict[str, str | None]:
    """The facts about the limits and budgets of an execution, by their titles."""
    reserves = [_with(name, amounts) for name, amounts in gates.budgets.items()]
    in_blocks = [_named(name, key) for name, key in gates.blocks]
    is_waiting = bool(gates.parked_at_limit or gates.parked_at_budget)
    held = [_named(name, key) for name, key in gates.slots.items()] + ([] if is_waiting else in_blocks)
    holds = [f"a slot of {', '.join(held)}"] if held else []
    holds += [f"{_amounts(amounts)} of {name}" for name, amounts in gates.reserved.items()]
    return {
        "limits": ", ".join(_named(name, key) for name, key in gates.limits.items()) or None,
        "budgets": ", ".join(reserves) or None,
        "fair key": gates.fair_key,
        "holds": "; ".join(holds) or None,
    }


def _named(name: object, key: object) -> str:
    return f"{name}[{key}]" if key else str(name)


def _with(name: str, amounts: Mapping[str, int]) -> str:
    return f"{name} (reserves {_amounts(amounts)})" if amounts else name


def _amounts(amounts: Mapping[str, int]) -> str:
    return ", ".join(f"{amount:,} {dimension}" for dimension, amount in amounts.items())


# ── events ───────────────────────────────────────────────────────────────────────────────────────


def _limit(details: Details) -> str:
    return f"limit {_named(details.get('limit'), details.get('key'))}"


def _limit_set(details: Details) -> str:
    """The numbers of a limit: 'limit openai allows 10 at once, 60 starts in 60 s'."""
    concurrency, rate, per_ms, burst = (details.get(key) for key in ("concurrency", "rate", "per_ms", "burst"))
    allowed = [f"{concurrency} at once"] if isinstance(concurrency, int) else []
    if isinstance(rate, int) and isinstance(per_ms, int):
        allowed.append(f"{counted(rate, 'start')} in {span(per_ms)}")
    if isinstance(burst, int):
        allowed.append(f"at most {burst} of them together")
    return f"{_limit(details)} allows {', '.join(allowed)}"


def _limit_removed(details: Details) -> str:
    if "key" in details:
        return f"{_limit(details)} has the numbers of limit {details.get('limit')} again"
    return f"{_limit(details)} holds nothing back any more"


def _limit_paused(details: Details) -> str:
    until_ms = details.get("until_ms")
    until = f" until {clock_time(until_ms)}" if isinstance(until_ms, int) else ""
    return f"{_limit(details)} lets nothing start{until}"


def _soft_limit_passed(details: Details) -> str:
    return f"{_use(details)}; the soft limit is {_number(details.get('limit'))}"


def _budget_exceeded(details: Details) -> str:
    return f"{_use(details)}; the limit is {_number(details.get('limit'))}"


def _use(details: Details) -> str:
    return f"budget {details.get('budget')}: {_number(details.get('used'))} {details.get('dimension')} are used"


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _budget_set(details: Details) -> str:
    """The definition of a budget: 'budget team-a allows 2,000 tokens, 10 usd in each period (day), within company'."""
    limits, period, parent = (details.get(key) for key in ("limits", "period", "parent"))
    allowed = _amounts(limits) if isinstance(limits, Mapping) else ""
    in_period = f" in each period ({period})" if period else ""
    return f"budget {details.get('budget')} allows {allowed}{in_period}{f', within {parent}' if parent else ''}"


def _budget_reset(details: Details) -> str:
    return f"a new period of budget {details.get('budget')} has begun"


def _budget_charged(details: Details) -> str:
    amounts, reason = details.get("amounts"), details.get("reason")
    by_name = amounts if isinstance(amounts, Mapping) else {}
    more = {name: amount for name, amount in by_name.items() if amount > 0}
    less = {name: -amount for name, amount in by_name.items() if amount < 0}
    said = [f"was charged with {_amounts(more)}"] if more else []
    said += [f"got {_amounts(less)} back"] if less else []
    return f"budget {details.get('budget')} {' and '.join(said)}{f': {reason}' if reason else ''}"


_SENTENCES: Final[Mapping[str, Callable[[Details], str]]] = {
    "limit_set": _limit_set,
    "limit_removed": _limit_removed,
    "limit_paused": _limit_paused,
    "budget_set": _budget_set,
    "soft_limit_passed": _soft_limit_passed,
    "budget_exceeded": _budget_exceeded,
    "budget_reset": _budget_reset,
    "budget_charged": _budget_charged,
}


def gate_event_in_words(event_type: str, details: Details) -> str | None:
    """What an operator event says about a limit or a budget. None: it is about something else."""
    sentence = _SENTENCES.get(event_type)
    if sentence is None:
        return None
    actor = details.get("actor")
    return f"{sentence(details)}, by {actor}" if actor else sentence(details)
