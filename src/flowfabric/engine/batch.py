"""The unit of work: load, decide each in order, save. One transaction, one commit."""

from collections.abc import Callable, Collection, Sequence

from flowfabric.domain.batch_io import ends_in, leases_taken
from flowfabric.domain.commands import Envelope, lanes_filled_by
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.errors import EngineError
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed
from flowfabric.domain.outcomes import Completed, Outcome
from flowfabric.domain.working_set import WorkingSet
from flowfabric.ports.writing import Transaction

TakeAlong = Callable[[Collection[Lane]], Sequence[Envelope]]
"""Called with lanes that have work now: the claims that have waited for it, to be decided in the same batch."""


def decide_in(
    tx: Transaction, batch: Sequence[Envelope], store_name: str, take_along: TakeAlong | None = None
) -> tuple[list[Outcome | EngineError], Committed | None]:
    """Decide a batch inside an open transaction; what it changes is written, and still to be committed.

    The answers of claims that were taken along come last. None instead of what to commit: nothing was changed.
    """
    if take_along is not None:
        # What is about to be created needs no look at the store first: its lanes are known.
        batch = [*batch, *take_along({lane for envelope in batch for lane in lanes_filled_by(envelope.command)})]
    easily = tx.answer_easy(batch)
    easy = easily.answers
    ended: list[str] = [outcome.execution_id for outcome in easy.values() if isinstance(outcome, Completed)]
    if len(easy) == len(batch):
        return [easy[index] for index in range(len(batch))], Committed(ended, easily.has_events, easily.ready)
    rest = [envelope for index, envelope in enumerate(batch) if index not in easy] if easy else batch
    ws, answers = _decided(tx, rest, store_name, take_along)
    decided = iter(answers)
    outcomes = [easy[index] if index in easy else next(decided) for index in range(len(batch))]
    outcomes.extend(decided)
    changes = ws.changes()
    if changes.is_empty and not easy:
        return outcomes, None
    tx.save(changes)
    ended += ends_in(changes)
    ready = {
        (x.namespace, x.lane)
        for before, x in changes.executions
        if x is not None
        and x.eligibility_state == "eligible_now"
        and (before is None or before.eligibility_state != "eligible_now")
    }
    ready.update(key for key, switch in changes.lanes.items() if not switch.is_paused)
    ready.update(easily.ready)
    delays = [x.delay_until_ms for _, x in changes.executions if x is not None and x.delay_until_ms is not None]
    delay_over_in_ms = max(0, min(delays) - tx.now_ms) if delays else None
    has_events = bool(changes.events) or easily.has_events
    return outcomes, Committed(ended, has_events, ready, delay_over_in_ms, leases_taken(changes))


def _decided(
    tx: Transaction, batch: Sequence[Envelope], store_name: str, take_along: TakeAlong | None
) -> tuple[WorkingSet, list[Outcome | EngineError]]:
    """Decide, load what that turned out to lack, and decide again, until nothing is lacking and all of it is ours."""
    wanted = needs(batch)
    while True:
        ws = WorkingSet(tx.load(wanted), wanted, now_ms=tx.now_ms, store=store_name, era=tx.era)
        answers = apply_batch(ws, batch)
        if not ws.missing.is_empty:
            wanted.add(ws.missing)
        elif take_along is not None and (claims := take_along(ws.lanes_with_news())):
            batch = [*batch, *claims]
            wanted.add(needs(batch))
        elif not tx.keep(ws.touched):
            return ws, answers
