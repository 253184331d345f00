"""Limits, budgets, turns and places at gates as arrays for PostgreSQL, and rows as records."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from flowfabric.domain.batch_io import LineAt, SpendKeyAt
from flowfabric.domain.budgets import Budget, BudgetAt, BudgetUse, LedgerLine, SpendKey, UseAt
from flowfabric.domain.execution import AtGate, Execution, Ready
from flowfabric.domain.fairness import KeyTurn, KeyTurnAt, LaneTurn, TurnsAt
from flowfabric.domain.gates import GATE_STATES, GateAt
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, LimitAt
from flowfabric.stores._shared.capability_sets import tokens_of_place
from flowfabric.stores._shared.gates import (
    GATE_KIND_CODES,
    GATE_STATE_CODES,
    amounts_text,
    budget_row_of,
    budget_use_row_of,
    gate_of,
    gate_row_of,
    gates_text,
    key_use_row_of,
    limit_row_of,
    line_of,
    spend_key_of,
    turn_of,
)
from flowfabric.stores.postgres.rows import Arrays, Row, blobs, keys, numbers, texts

Column = tuple[str, Callable[[Iterable[Any]], str]]
"""The name of a column, and the function that makes an array of its values."""

_NAME: Final[list[Column]] = [("namespace", texts), ("name", texts)]
_NUMBERS: Final[list[Column]] = [("concurrency", numbers), ("rate", numbers), ("per_ms", numbers), ("burst", numbers)]
_TURNS: Final[list[Column]] = [("namespace", texts), ("lane_id", texts), ("priority", numbers)]
_GATE: Final[list[Column]] = [("namespace", texts), ("gate_kind", numbers), ("name", texts), ("gate_key", texts)]


def _arrays(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> Arrays:
    """One array for each column."""
    by_column = list(zip(*rows, strict=True)) or [()] * len(columns)
    return {name: array_of(values) for (name, array_of), values in zip(columns, by_column, strict=True)}


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def limit_keys(at: Iterable[LimitAt]) -> Arrays:
    """The key columns of ff_limit, and of ff_budget."""
    return _arrays(_NAME, at)


def key_keys(at: Iterable[KeyAt]) -> Arrays:
    """The key columns of ff_limit_override and ff_limit_key."""
    return _arrays([*_NAME, ("key", texts)], at)


def limits(rows: Iterable[Limit]) -> Arrays:
    """Every column of ff_limit."""
    return _arrays([*_NAME, *_NUMBERS], map(limit_row_of, rows))


def limit_overrides(rows: Iterable[Limit]) -> Arrays:
    """Every column of ff_limit_override."""
    return _arrays([*_NAME, ("key", texts), *_NUMBERS], map(limit_row_of, rows))


def key_uses(rows: Iterable[KeyUse]) -> Arrays:
    """Every column of ff_limit_key."""
    counts: list[Column] = [
        ("in_use", numbers),
        ("busy_until_us", numbers),
        ("paused_until_ms", numbers),
        ("idle_at_ms", numbers),
    ]
    return _arrays([*_NAME, ("key", texts), *counts], map(key_use_row_of, rows))


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


def lane_turn_keys(at: Iterable[TurnsAt]) -> Arrays:
    """The key columns of ff_lane_turn."""
    return _arrays(_TURNS, at)


def lane_turns(rows: Iterable[LaneTurn]) -> Arrays:
    """Every column of ff_lane_turn."""
    values = [(row.namespace, row.lane, row.priority, row.turn) for row in rows]
    return _arrays([*_TURNS, ("turn", numbers)], values)


def key_turn_keys(at: Iterable[KeyTurnAt]) -> Arrays:
    """The key columns of ff_key_turn."""
    return _arrays([*_TURNS, ("fair_key", texts)], at)


def key_turns(rows: Iterable[KeyTurn]) -> Arrays:
    """Every column of ff_key_turn."""
    values = [(row.namespace, row.lane, row.priority, row.fair_key, row.turn, row.given_at_ms) for row in rows]
    return _arrays([*_TURNS, ("fair_key", texts), ("turn", numbers), ("given_at_ms", numbers)], values)


# ── budgets ──────────────────────────────────────────────────────────────────────────────────────


def budgets(rows: Iterable[Budget]) -> Arrays:
    """Every column of ff_budget."""
    words = ("limits", "soft_limits", "period", "parent", "on_exceeded")
    columns: list[Column] = [*_NAME, *((name, texts) for name in words), ("reset_at_ms", numbers)]
    return _arrays(columns, map(budget_row_of, rows))


def use_keys(at: Iterable[UseAt]) -> Arrays:
    """The key columns of ff_budget_use."""
    return _arrays([*_NAME, ("period_ms", numbers)], at)


def budget_uses(rows: Iterable[BudgetUse]) -> Arrays:
    """Every column of ff_budget_use."""
    words = ("used", "reserved", "assumed", "passed", "exceeded")
    columns: list[Column] = [*_NAME, ("period_ms", numbers), *((name, texts) for name in words)]
    return _arrays(columns, map(budget_use_row_of, rows))


def line_keys(at: Iterable[LineAt]) -> Arrays:
    """The key columns of ff_ledger."""
    wanted = list(at)
    columns: list[Column] = [("budget", texts), ("period_ms", numbers), ("day_ms", numbers)]
    return {**keys(each[0] for each in wanted), **_arrays(columns, (each[1:] for each in wanted))}


def ledger(lines: Sequence[LedgerLine]) -> Arrays:
    """Every column of ff_ledger."""
    return {
        **line_keys((line.execution_id, line.budget, line.period_ms, line.day_ms) for line in lines),
        "namespace": texts(line.namespace for line in lines),
        "amounts": texts(amounts_text(line.amounts) for line in lines),
    }


def line_in(row: Row) -> LedgerLine:
    """The line that a row of ff_ledger spells."""
    return line_of(make_execution_id(row[0], row[1]), row[2:])


def spend_key_keys(at: Iterable[SpendKeyAt]) -> Arrays:
    """The key columns of ff_spend_key."""
    wanted = list(at)
    columns: list[Column] = [("budget", texts), ("idempotency_key", texts)]
    return {**keys(each[0] for each in wanted), **_arrays(columns, (each[1:] for each in wanted))}


def spend_keys(rows: Sequence[SpendKey]) -> Arrays:
    """Every column of ff_spend_key."""
    return {
        **spend_key_keys((row.execution_id, row.budget, row.idempotency_key) for row in rows),
        "amounts": texts(amounts_text(row.amounts) for row in rows),
        "answer": blobs(row.answer for row in rows),
    }


def spend_key_in(row: Row) -> SpendKey:
    """The key that a row of ff_spend_key spells."""
    return spend_key_of(make_execution_id(row[0], row[1]), row[2:])


def budget_gate(at: BudgetAt) -> GateAt:
    """The gate at which executions wait for a budget."""
    return at[0], "budget", at[1], ""


# ── executions at gates ──────────────────────────────────────────────────────────────────────────


def gates_columns(xs: Sequence[Execution]) -> Arrays:
    """The gates of executions, with the turns that follow from them."""
    return {"gates": texts(gates_text(x.gates) for x in xs), "turn": numbers(turn_of(x.gates) for x in xs)}


def gate_keys(gates: Iterable[GateAt]) -> Arrays:
    """The columns that name a gate."""
    return _arrays(_GATE, map(gate_row_of, gates))


def one_gate(gate: GateAt) -> Mapping[str, object]:
    """The same as single values."""
    return dict(zip((name for name, _ in _GATE), gate_row_of(gate), strict=True))


def gates_with_numbers(column: str, of: Mapping[GateAt, int]) -> Arrays:
    """Gates, each with a number."""
    return {**gate_keys(of), column: numbers(of.values())}


def gates_with_versions(of: Mapping[GateAt, str]) -> Arrays:
    """Gates, each with the version of a row."""
    return {**gate_keys(of), "version": texts(of.values())}


def at_gate_keys(rows: Sequence[AtGate]) -> Arrays:
    """The key columns of ff_at_gate."""
    named = gate_keys(row.gate for row in rows)
    del named["namespace"]
    return {**keys(row.place.execution_id for row in rows), **named}


def at_gate_rows(rows: Sequence[AtGate], capability_set: Callable[[tuple[str, ...]], int]) -> Arrays:
    """Every column of ff_at_gate."""
    places = [row.place for row in rows]
    gates = [row.gate for row in rows]
    # Not by `gate_keys`: there are as many rows as executions.
    return {
        **keys([place.execution_id for place in places]),
        "namespace": texts([gate[0] for gate in gates]),
        "gate_kind": numbers([GATE_KIND_CODES[gate[1]] for gate in gates]),
        "name": texts([gate[2] for gate in gates]),
        "gate_key": texts([gate[3] for gate in gates]),
        "gate_state": numbers([GATE_STATE_CODES[row.state] for row in rows]),
        "lane_id": texts([place.lane for place in places]),
        "capability_set": numbers([capability_set(tokens_of_place(place)) for place in places]),
        "rank": numbers([-place.priority for place in places]),
        "turn": numbers([place.turn for place in places]),
        "ready_at_ms": numbers([place.ready_at_ms for place in places]),
    }


def at_gate_in(row: Row, capabilities: tuple[str, ...]) -> tuple[ExecutionId, AtGate]:
    """Where an execution stands, as a row of read_gate_rows spells it."""
    partition, uuid, namespace, kind, name, key, state, lane, _, priority, turn, ready_at_ms = row
    execution_id = make_execution_id(partition, uuid)
    place = Ready(namespace, lane, capabilities, priority, ready_at_ms, execution_id, True, turn)
    return execution_id, AtGate(gate_of(namespace, kind, name, key), GATE_STATES[state], place)
