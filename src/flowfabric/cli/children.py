"""The children of an execution for people: a table, in which those that failed come first if there are many."""

from collections import Counter
from typing import TYPE_CHECKING, Final, cast

from flowfabric.cli.output import Column, say, table, when

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.engine.blocking import BlockingEngine

SHOWN_MAX: Final = 50
"""How many children are shown."""
PAGE: Final = 1_000


def children_of(engine: "BlockingEngine", execution_id: str) -> "list[ExecutionSnapshot]":
    """All children of an execution, oldest first. An execution has few enough to read them all."""
    found: list[ExecutionSnapshot] = []
    cursor: str | None = None
    while True:
        page = engine.list_children(execution_id, cursor=cursor, limit=PAGE)
        found += cast("Sequence[ExecutionSnapshot]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return found


def show_children(children: "Sequence[ExecutionSnapshot]", now_ms: int) -> None:
    """Print a line for each child. If there are many, those that have completed come last, and some are left out."""
    found = children if len(children) <= SHOWN_MAX else sorted(children, key=_rank)[:SHOWN_MAX]
    columns: list[tuple[Column, Sequence[str]]] = [
        (Column("CHILD", is_whole=True), [x.execution_id for x in found]),
        (Column("STATE", is_state=True), [x.public_state for x in found]),
        (Column("CODE"), ["" if x.failure is None else x.failure.code for x in found]),
        (Column("KIND"), [x.kind for x in found]),
        (Column("LANE"), [x.lane for x in found]),
        (Column("ENDED"), [when(x.terminal_at_ms, now_ms) for x in found]),
    ]
    shown = [(column, cells) for column, cells in columns if any(cells)]
    table([column for column, _ in shown], list(zip(*(cells for _, cells in shown), strict=True)))
    if len(children) > len(found):
        counts = Counter(x.public_state for x in children).most_common()
        states = ", ".join(f"{number:,} {state}" for state, number in counts)
        say(f"It has {len(children):,} children: {states}. {len(found)} are shown; those that failed come first.")


def _rank(x: "ExecutionSnapshot") -> int:
    """Where a child stands: those that did not succeed, then those that have not ended, then the others."""
    return 1 if x.terminal_at_ms is None else 2 if x.terminal_outcome == "success" else 0
