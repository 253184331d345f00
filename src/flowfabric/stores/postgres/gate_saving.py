"""The changes of limits, budgets, turns and places at gates as statements: names of statements with their values."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.execution import Execution
from flowfabric.domain.gates import GateAt
from flowfabric.domain.limits import KeyAt
from flowfabric.stores._shared.gates import gate_row_of
from flowfabric.stores._shared.side_rows import SideRowChanges, cleared_of_gates
from flowfabric.stores.postgres import gate_rows, rows

Write = tuple[str, Mapping[str, object] | Callable[[], Mapping[str, object]]]

LOOK_AGAIN_MS: Final = 100
"""When a gate is looked at again whose executions were held by another transaction."""


def gate_writes(changes: Changes, noted_looks: Mapping[GateAt, str]) -> Iterator[Write]:
    """Write what has changed, each table in the order of its keys.

    `noted_looks`: the versions of the notes about gates that the batch has looked at. A note that somebody has renewed
    meanwhile stays.
    """
    common = {(namespace, name): limit for (namespace, name, key), limit in changes.limits.items() if key is None}
    yield from _kept("save_limits", common, gate_rows.limits)
    yield from _removed("delete_limits", common, gate_rows.limit_keys)
    overrides = {
        (namespace, name, key): limit for (namespace, name, key), limit in changes.limits.items() if key is not None
    }
    yield from _kept("save_limit_overrides", overrides, gate_rows.limit_overrides)
    yield from _removed("delete_limit_overrides", overrides, gate_rows.key_keys)
    yield from _kept("save_lane_turns", changes.lane_turns, gate_rows.lane_turns)
    yield from _kept("save_key_turns", changes.key_turns, gate_rows.key_turns)
    yield from _removed("delete_key_turns", changes.key_turns, gate_rows.key_turn_keys)
    yield from _kept("save_key_uses", changes.key_uses, gate_rows.key_uses)
    yield from _removed("delete_key_uses", changes.key_uses, gate_rows.key_keys)
    yield from _kept("save_budgets", changes.budgets, gate_rows.budgets)
    yield from _kept("save_budget_uses", changes.budget_uses, gate_rows.budget_uses)
    yield from _removed("delete_budget_uses", changes.budget_uses, gate_rows.use_keys)
    yield from _kept("save_ledger", changes.ledger, gate_rows.ledger)
    yield from _kept("insert_spend_keys", changes.spend_keys, gate_rows.spend_keys)
    openings = {gate: at_ms for gate, at_ms in changes.openings.items() if at_ms is not None}
    looked_at = {gate: noted_looks[gate] for gate in changes.looked_at if gate in noted_looks}
    if looked_at and openings:
        # What is removed and what is noted, in one order: two batches may do so crosswise. A row that is not there yet
        # is locked, too, because an insert waits for another one.
        yield "lock_openings", gate_rows.gate_keys(sorted({*looked_at, *openings}, key=gate_row_of))
    if looked_at:
        yield "delete_openings", gate_rows.gates_with_versions(dict(sorted(looked_at.items(), key=_by_gate)))
    if openings:
        in_order = {gate: openings[gate] for gate in sorted(openings, key=gate_row_of)}
        yield "save_openings", gate_rows.gates_with_numbers("at_ms", in_order)


def _by_gate(item: tuple[GateAt, object]) -> tuple[object, ...]:
    return gate_row_of(item[0])


def made_in_vain(made: Collection[KeyAt], changes: Changes) -> Iterator[Write]:
    """Remove the rows of keys that were made to be locked, and of which nothing is used."""
    if unused := sorted(set(made).difference(changes.key_uses)):
        yield "delete_key_uses", gate_rows.key_keys(unused)


def with_looks(changes: Changes, passed_over: Collection[GateAt], now_ms: int) -> Changes:
    """The changes, with another look at gates whose executions were held by another transaction.

    All openings are written together, because their rows are locked in the order of their keys.
    """
    if not passed_over:
        return changes
    openings = dict(changes.openings)
    for gate in passed_over:
        noted = openings.get(gate)
        openings[gate] = now_ms + LOOK_AGAIN_MS if noted is None else min(noted, now_ms + LOOK_AGAIN_MS)
    return replace(changes, openings=openings)


def rows_at_gates(side: SideRowChanges, capability_set: Callable[[tuple[str, ...]], int]) -> Iterator[Write]:
    """Write where executions stand. Their locks guard these rows."""
    if cleared := cleared_of_gates(side):
        yield "delete_gates", rows.keys(cleared)
    new = {(row.place.execution_id, row.gate): row for row in side.gates_new}
    gone = [row for row in side.gates_gone if (row.place.execution_id, row.gate) not in new]
    if gone:
        yield "delete_at_gate", gate_rows.at_gate_keys(gone)
    if new:
        yield "save_at_gate", lambda: gate_rows.at_gate_rows(list(new.values()), capability_set)


def spending_removed(gone: Iterable[Execution]) -> Iterator[Write]:
    """Keep what removed executions have spent in the sums of days only."""
    if gated := [x for x in gone if x.gates is not None]:
        keys = rows.keys(x.execution_id for x in gated)
        yield "keep_daily_sums", {**keys, "execution_kind": rows.texts(x.kind for x in gated)}
        for table in ("ledger", "spend_keys", "gates"):
            yield f"delete_{table}", keys


def _kept(
    statement: str, changed: Mapping[Any, Any], arrays_of: Callable[[Sequence[Any]], rows.Arrays]
) -> Iterator[Write]:
    if kept := [changed[key] for key in sorted(changed) if changed[key] is not None]:
        yield statement, arrays_of(kept)


def _removed(
    statement: str, changed: Mapping[Any, Any], arrays_of: Callable[[Sequence[Any]], rows.Arrays]
) -> Iterator[Write]:
    if removed := [key for key in sorted(changed) if changed[key] is None]:
        yield statement, arrays_of(removed)
