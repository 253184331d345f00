"""Which side rows a batch adds and removes: a function of the records before and after it."""

from collections.abc import Collection

import msgspec

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.execution import (
    AtGate,
    Due,
    Execution,
    Ready,
    due_of,
    gate_rows_of,
    place_of,
    ready_of,
)
from flowfabric.domain.ids import ExecutionId


class SideRowChanges(msgspec.Struct):
    """Rows to delete, then rows to insert."""

    ready_gone: list[Ready] = msgspec.field(default_factory=list)
    ready_new: list[Ready] = msgspec.field(default_factory=list)
    due_gone: list[Due] = msgspec.field(default_factory=list)
    due_new: list[Due] = msgspec.field(default_factory=list)
    gates_cleared: list[ExecutionId] = msgspec.field(default_factory=list)
    """Executions that lose all their rows at gates, whatever these are, before they get new ones."""
    gates_left: list[AtGate] = msgspec.field(default_factory=list)
    """All rows of executions that leave their gates."""
    gates_gone: list[AtGate] = msgspec.field(default_factory=list)
    """Rows of others."""
    gates_new: list[AtGate] = msgspec.field(default_factory=list)


def side_row_changes(changes: Changes) -> SideRowChanges:
    """The difference between the side rows that the records needed before the batch and those they need after it."""
    rows = SideRowChanges(ready_gone=list(changes.stale_ready), due_gone=list(changes.stale_due))
    for before, after in changes.executions:
        ready_before = None if before is None else ready_of(before)
        ready_after = None if after is None else ready_of(after)
        if ready_before != ready_after:
            if ready_before is not None:
                rows.ready_gone.append(ready_before)
            if ready_after is not None:
                rows.ready_new.append(ready_after)
        due_before = None if before is None else due_of(before)
        due_after = None if after is None else due_of(after)
        if due_before != due_after:
            if due_before is not None:
                rows.due_gone.append(due_before)
            if due_after is not None:
                rows.due_new.append(due_after)
    for x in changes.repaired:
        # The row in the queue is deleted even if the execution should have none: such a row is left over.
        rows.ready_gone.append(place_of(x))
        if (ready := ready_of(x)) is not None:
            rows.ready_new.append(ready)
        if (due := due_of(x)) is not None:
            rows.due_gone.append(due)
            rows.due_new.append(due)
    add_gate_rows(rows, changes)
    return rows


def cleared_of_gates(rows: SideRowChanges) -> list[ExecutionId]:
    """The executions that lose all their rows at gates."""
    return [*rows.gates_cleared, *dict.fromkeys(row.place.execution_id for row in rows.gates_left)]


def add_gate_rows(rows: SideRowChanges, changes: Changes) -> None:
    """The same for the rows at gates alone. A store whose other side rows are indexes needs no more."""
    for before, after in changes.executions:
        if (before is not None and before.gates is not None) or (after is not None and after.gates is not None):
            _compare_gates(rows, before, after)
    for x in changes.repaired:
        rows.gates_cleared.append(x.execution_id)
        rows.gates_new += [row for row in gate_rows_of(x) if row not in rows.gates_new]


def _compare_gates(rows: SideRowChanges, before: Execution | None, after: Execution | None) -> None:
    at_before = [] if before is None else gate_rows_of(before)
    at_after = [] if after is None else gate_rows_of(after)
    if not at_after:
        rows.gates_left += at_before
        return
    rows.gates_gone += [row for row in at_before if row not in at_after]
    rows.gates_new += [row for row in at_after if row not in at_before]


def same_rows(stored: Collection[AtGate], wanted: Collection[AtGate]) -> bool:
    """Whether the stored rows at gates are those that a record calls for, in any order."""
    return len(stored) == len(wanted) and all(row in wanted for row in stored)
