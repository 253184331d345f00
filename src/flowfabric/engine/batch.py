"""The unit of work: load, decide each in order, save. One transaction, one commit."""

from collections.abc import Sequence

from flowfabric.domain.commands import Envelope
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.errors import EngineError
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.working_set import Changes, WorkingSet
from flowfabric.ports import Transaction


def decide_in(
    tx: Transaction, batch: Sequence[Envelope], store_name: str
) -> tuple[list[Outcome | EngineError], Changes]:
    """Decide a batch inside an open transaction; what it changes is written, and still to be committed."""
    wanted = needs(batch)
    loaded = tx.load(wanted)
    ws = WorkingSet(loaded, wanted, now_ms=tx.now_ms, store=store_name)
    outcomes = apply_batch(ws, batch)
    changes = ws.changes()
    if not changes.is_empty:
        tx.save(changes)
    return outcomes, changes
