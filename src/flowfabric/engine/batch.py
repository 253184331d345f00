"""The unit of work: load, decide each in order, save. One transaction, one commit."""

from collections.abc import Sequence

from flowfabric.domain.commands import Envelope
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.errors import EngineError
from flowfabric.domain.outcomes import Completed, Outcome
from flowfabric.domain.working_set import WorkingSet
from flowfabric.ports import Committed, Transaction


def decide_in(
    tx: Transaction, batch: Sequence[Envelope], store_name: str
) -> tuple[list[Outcome | EngineError], Committed | None]:
    """Decide a batch inside an open transaction; what it changes is written, and still to be committed.

    None instead of what to commit: nothing was changed.
    """
    easy = tx.answer_easy(batch)
    rest = [envelope for index, envelope in enumerate(batch) if index not in easy] if easy else batch
    ws, answers = _decided(tx, rest, store_name)
    decided = iter(answers)
    outcomes = [easy[index] if index in easy else next(decided) for index in range(len(batch))]
    changes = ws.changes()
    if changes.is_empty and not easy:
        return outcomes, None
    tx.save(changes)
    ended: list[str] = [x.execution_id for _, x in changes.executions if x is not None and x.has_ended]
    ended += [outcome.execution_id for outcome in easy.values() if isinstance(outcome, Completed)]
    ended += [flow_id for flow_id, backlog in changes.backlogs.items() if backlog is None]
    ready = {
        (x.namespace, x.lane)
        for before, x in changes.executions
        if x is not None
        and x.eligibility_state == "eligible_now"
        and (before is None or before.eligibility_state != "eligible_now")
    }
    ready.update(key for key, switch in changes.lanes.items() if not switch.is_paused)
    return outcomes, Committed(ended, bool(changes.events or easy), ready)


def _decided(
    tx: Transaction, batch: Sequence[Envelope], store_name: str
) -> tuple[WorkingSet, list[Outcome | EngineError]]:
    """Decide, load what that turned out to lack, and decide again, until nothing is lacking and all of it is ours."""
    wanted = needs(batch)
    while True:
        ws = WorkingSet(tx.load(wanted), wanted, now_ms=tx.now_ms, store=store_name)
        answers = apply_batch(ws, batch)
        if not ws.missing.is_empty:
            wanted.add(ws.missing)
        elif not tx.keep(ws.touched):
            return ws, answers
