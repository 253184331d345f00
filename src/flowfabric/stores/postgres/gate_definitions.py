"""Limits and budgets as a batch has read them, and whether they are still the same when it commits.

They are read without locks, because every claim needs them and they hardly ever change. Two kinds of batches depend on
them until their commit:

- A batch that parks an execution. Whoever opens the gate meanwhile does not see the execution, and would not let it in.
- A batch that changes a definition. What another batch has changed meanwhile would be lost.

Such a batch takes a lock after it was decided, the first kind together with others, the second kind alone. Then it
reads the definitions again, and is decided anew if they have changed. After this lock it waits only for what a batch
writes last: new sets of capabilities, turns of lanes and openings of gates.
"""

from typing import Final, Literal

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.ports.errors import Overtaken
from flowfabric.stores.postgres.flow_reads import Ask
from flowfabric.stores.postgres.gate_loading import definitions
from flowfabric.stores.postgres.transaction import PostgresTransaction

LockOfDefinitions = Literal["share_definitions", "lock_definitions"]

DEFINITIONS_LOCK: Final = 0x666C6F77_64656673
"""The advisory lock of all definitions."""


def check_definitions(tx: PostgresTransaction, asked: Needs, loaded: Loaded, changes: Changes) -> None:
    """Make sure that the definitions by which the batch was decided hold until it commits, if it depends on that."""
    lock = _lock_for(changes, tx.now_ms)
    if lock is None:
        return
    now = Loaded()
    locking = Ask(lock, {"lock": DEFINITIONS_LOCK}, lambda found: None)
    tx.ask([locking, *definitions(asked, now)])
    if any(getattr(now, kind) != getattr(loaded, kind) for kind in ("limits", "budgets", "budgets_under")):
        raise Overtaken("A limit or a budget was changed meanwhile; the batch is decided anew.")


def _lock_for(changes: Changes, now_ms: int) -> LockOfDefinitions | None:
    if changes.limits or changes.budgets:
        return "lock_definitions"
    return "share_definitions" if _parks_somebody(changes, now_ms) else None


def _parks_somebody(changes: Changes, now_ms: int) -> bool:
    """Whether the batch parks an execution at a gate at which it does not have somebody look at once."""
    for before, x in changes.executions:
        if x is None or x.gates is None or x.gates.parked is None:
            continue
        if before is not None and before.gates is not None and before.gates.parked == x.gates.parked:
            continue
        looked_at_ms = changes.openings.get((x.namespace, *x.gates.parked))
        if looked_at_ms is None or looked_at_ms > now_ms:
            return True
    return False
