"""The unit of work: load, decide each in order, save. One transaction, one commit."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from flowfabric.domain.commands import Envelope, creations_in, lanes_filled_by
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.errors import EngineError
from flowfabric.domain.outcomes import Claimed, Completed, Outcome
from flowfabric.domain.working_set import WorkingSet
from flowfabric.ports import Committed, Lane, Transaction

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
    easy = tx.answer_easy(batch)
    rest = [envelope for index, envelope in enumerate(batch) if index not in easy] if easy else batch
    ws, answers = _decided(tx, rest, store_name, take_along)
    decided = iter(answers)
    outcomes = [easy[index] if index in easy else next(decided) for index in range(len(batch))]
    outcomes.extend(decided)
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
    easily_made = {index: made for index in easy if (made := creations_in(batch[index].command))}
    if easily_made:
        leased = {each.execution_id for each in _claimed_in(outcomes)}
        left = (each for made in easily_made.values() for each in made if each.execution_id not in leased)
        ready.update((each.namespace, each.lane) for each in left)
    # To make something is no event.
    return outcomes, Committed(ended, bool(changes.events) or len(easy) > len(easily_made), ready)


def _claimed_in(outcomes: Iterable[Outcome | EngineError]) -> Iterator[Claimed]:
    for outcome in outcomes:
        if isinstance(outcome, list):
            yield from (each for each in outcome if isinstance(each, Claimed))


def _decided(
    tx: Transaction, batch: Sequence[Envelope], store_name: str, take_along: TakeAlong | None
) -> tuple[WorkingSet, list[Outcome | EngineError]]:
    """Decide, load what that turned out to lack, and decide again, until nothing is lacking and all of it is ours."""
    wanted = needs(batch)
    while True:
        ws = WorkingSet(tx.load(wanted), wanted, now_ms=tx.now_ms, store=store_name)
        answers = apply_batch(ws, batch)
        if not ws.missing.is_empty:
            wanted.add(ws.missing)
        elif take_along is not None and (claims := take_along(ws.lanes_with_news())):
            batch = [*batch, *claims]
            wanted.add(needs(batch))
        elif not tx.keep(ws.touched):
            return ws, answers
