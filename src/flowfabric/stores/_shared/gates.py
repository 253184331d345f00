"""Limits, budgets and gates as column values, the same in every SQL store, and back.

Amounts, periods and the gates of an execution are JSON text. A value that does not parse raises Corruption, which names
table, key and column.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from flowfabric.domain.budgets import (
    WHOLE_LIFE,
    Amounts,
    Budget,
    BudgetUse,
    LedgerLine,
    OnExceeded,
    SpendKey,
    UseAt,
)
from flowfabric.domain.cron import Cron
from flowfabric.domain.execution import Ready, queue_order
from flowfabric.domain.fairness import KeyTurnAt
from flowfabric.domain.gates import GATE_KINDS, GATE_STATES, GateAt, Gates
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.intervals import Every
from flowfabric.domain.limits import KeyUse, Limit
from flowfabric.stores._shared.waiting import damaged

T = TypeVar("T")

FIRST_KEY_TURN: Final[KeyTurnAt] = ("", "", -1, "")
"""A place before that of every fair key."""
FIRST_USE: Final[UseAt] = ("", "", WHOLE_LIFE + 1)
"""A place before that of every use of a budget that has periods."""
GATE_KIND_CODES: Final = {kind: code for code, kind in enumerate(GATE_KINDS)}
GATE_STATE_CODES: Final = {state: code for code, state in enumerate(GATE_STATES)}

_GATES: Final = msgspec.json.Decoder(Gates)
_AMOUNTS: Final = msgspec.json.Decoder(dict[str, int])
_NAMES: Final = msgspec.json.Decoder(tuple[str, ...])
_PERIOD: Final = msgspec.json.Decoder(Cron | Every)
_ON_EXCEEDED: Final = msgspec.json.Decoder(OnExceeded)


# ── gates of executions ──────────────────────────────────────────────────────────────────────────


def gates_text(gates: Gates | None) -> str | None:
    """The gates of an execution as they are stored.

    A lease holds a slot of each of its limits and blocks, so slots are not stored: claims and completions need not
    write gates.
    """
    if gates is None:
        return None
    return msgspec.json.encode(replace(gates, slots=()) if gates.slots else gates).decode()


def gates_of(text: str | None, *, is_leased: bool = False) -> Gates | None:
    """The gates that were stored. Raises what msgspec raises: the caller knows whose gates they are."""
    gates = None if text is None else _GATES.decode(text)
    return replace(gates, slots=gates.slots_to_take) if is_leased and gates is not None else gates


def gates_are_equal(one: Gates | None, other: Gates | None) -> bool:
    """Whether they are stored in the same way."""
    if one is other or one is None or other is None or one.slots == other.slots:
        return one == other
    return replace(one, slots=other.slots) == other


def turn_of(gates: Gates | None) -> int:
    """The turn of an execution. It is stored beside the gates, so that the queue can be in the order of turns."""
    return 0 if gates is None else gates.turn


def gate_row_of(gate: GateAt) -> tuple[str, int, str, str]:
    """A gate as the columns namespace, gate_kind, name and gate_key."""
    namespace, kind, name, key = gate
    return namespace, GATE_KIND_CODES[kind], name, key


def gate_of(namespace: str, kind: int, name: str, key: str) -> GateAt:
    """The gate that these columns spell."""
    if not 0 <= kind < len(GATE_KINDS):
        raise damaged("ff_opening", f"{namespace}, {name}, {key}", "gate_kind", f"does not parse ({kind})")
    return namespace, GATE_KINDS[kind], name, key


def first_of_each_room(places: Iterable[Ready], most: int) -> list[Ready]:
    """The first parked executions of each lane and set of capabilities, in the order of the queue."""
    counts: dict[tuple[str, tuple[str, ...]], int] = {}
    first: list[Ready] = []
    for place in sorted(places, key=queue_order):
        room = (place.lane, place.required_capabilities)
        counts[room] = counts.get(room, 0) + 1
        if counts[room] <= most:
            first.append(place)
    return first


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def limit_row_of(limit: Limit) -> tuple[Any, ...]:
    """Every column of ff_limit, or of ff_limit_override for the numbers of one key."""
    at = (limit.namespace, limit.name) if limit.key is None else (limit.namespace, limit.name, limit.key)
    return (*at, limit.concurrency, limit.rate, limit.per_ms, limit.burst)


def idle_at_ms(use: KeyUse) -> int | None:
    """From when on the record of a key says nothing any more. It is stored beside the record. None: it is in use."""
    return None if use.in_use else max(-(-use.busy_until_us // 1000), use.paused_until_ms)


def key_use_row_of(use: KeyUse) -> tuple[Any, ...]:
    """Every column of ff_limit_key."""
    return (
        use.namespace,
        use.name,
        use.key,
        use.in_use,
        use.busy_until_us,
        use.paused_until_ms,
        idle_at_ms(use),
    )


# ── budgets ──────────────────────────────────────────────────────────────────────────────────────


def budget_row_of(budget: Budget) -> tuple[Any, ...]:
    """Every column of ff_budget."""
    return (
        budget.namespace,
        budget.name,
        amounts_text(budget.limits),
        amounts_text(budget.soft_limits),
        None if budget.period is None else msgspec.json.encode(budget.period).decode(),
        budget.parent,
        budget.on_exceeded,
        budget.reset_at_ms,
    )


def budget_of(row: Sequence[Any]) -> Budget:
    """The budget that a row of ff_budget spells."""
    namespace, name, limits, soft_limits, period, parent, on_exceeded, reset_at_ms = row
    at = f"{namespace}, {name}"
    return Budget(
        namespace,
        name,
        _amounts_in(limits, "ff_budget", at, "limits"),
        _amounts_in(soft_limits, "ff_budget", at, "soft_limits"),
        None if period is None else _parsed(_PERIOD, period, "ff_budget", at, "period"),
        parent,
        _parsed(_ON_EXCEEDED, f'"{on_exceeded}"', "ff_budget", at, "on_exceeded"),
        reset_at_ms,
    )


def budget_use_row_of(use: BudgetUse) -> tuple[Any, ...]:
    """Every column of ff_budget_use."""
    return (
        use.namespace,
        use.name,
        use.period_ms,
        amounts_text(use.used),
        amounts_text(use.reserved),
        amounts_text(use.assumed),
        _names_text(use.passed),
        _names_text(use.exceeded),
    )


def budget_use_of(row: Sequence[Any]) -> BudgetUse:
    """The use that a row of ff_budget_use spells."""
    namespace, name, period_ms, used, reserved, assumed, passed, exceeded = row
    at = f"{namespace}, {name}, {period_ms}"
    return BudgetUse(
        namespace,
        name,
        period_ms,
        _amounts_in(used, "ff_budget_use", at, "used"),
        _amounts_in(reserved, "ff_budget_use", at, "reserved"),
        _amounts_in(assumed, "ff_budget_use", at, "assumed"),
        _parsed(_NAMES, passed, "ff_budget_use", at, "passed"),
        _parsed(_NAMES, exceeded, "ff_budget_use", at, "exceeded"),
    )


def line_row_of(line: LedgerLine) -> tuple[Any, ...]:
    """The columns of ff_ledger after those that name the execution."""
    return line.namespace, line.budget, line.period_ms, line.day_ms, amounts_text(line.amounts)


def line_of(execution_id: ExecutionId, row: Sequence[Any]) -> LedgerLine:
    """The line that these columns of ff_ledger spell."""
    namespace, budget, period_ms, day_ms, amounts = row
    at = f"{execution_id}, {budget}, {period_ms}, {day_ms}"
    spent = _amounts_in(amounts, "ff_ledger", at, "amounts")
    return LedgerLine(namespace, budget, execution_id, period_ms, day_ms, spent)


def spend_key_row_of(key: SpendKey) -> tuple[Any, ...]:
    """The columns of ff_spend_key after those that name the execution."""
    return key.budget, key.idempotency_key, amounts_text(key.amounts), key.answer


def spend_key_of(execution_id: ExecutionId, row: Sequence[Any]) -> SpendKey:
    """The key that these columns of ff_spend_key spell."""
    budget, idempotency_key, amounts, answer = row
    at = f"{execution_id}, {budget}, {idempotency_key}"
    return SpendKey(execution_id, budget, idempotency_key, _amounts_in(amounts, "ff_spend_key", at, "amounts"), answer)


def amounts_text(amounts: Amounts) -> str:
    """Amounts as they are stored."""
    return msgspec.json.encode(amounts).decode()


def _names_text(names: tuple[str, ...]) -> str:
    return msgspec.json.encode(names).decode()


def _amounts_in(text: str, table: str, key: str, column: str) -> Amounts:
    amounts: dict[str, int] = _parsed(_AMOUNTS, text, table, key, column)
    return amounts


def _parsed(decoder: msgspec.json.Decoder[T], text: str, table: str, key: str, column: str) -> T:
    try:
        return decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise damaged(table, key, column, f"does not parse ({error})") from error
