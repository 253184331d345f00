"""A batch in five steps, for stores that lock all that they load: begin, load, decide, save, commit.

A store may do something between the first two steps: it may answer commands by statements of its own. The commands that
are left are decided then.
"""

from collections.abc import Callable
from typing import Protocol

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.errors import Contention
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from flowfabric.ports.writing import Answered, Batch, Transaction
from flowfabric.stores._shared.fast_path import NO_FAST_ANSWERS, FastAnswers


class UnitOfWork(Transaction, Protocol):
    """A transaction that locks all records that it loads."""

    def save(self, changes: Changes | None) -> None:
        """Write whole records and append events, as sets, with the side rows that follow from them.

        None: the store has answered all commands by itself, and there is nothing else to write.
        """

    def commit(self) -> None:
        """Commit, and leave the batch's marker. Only Contention says for certain that nothing was committed."""

    def rollback(self) -> None:
        """Leave everything as it was. Never raises."""


def run_in(tx: UnitOfWork, batch: Batch, answer_some: Callable[[Batch], FastAnswers] | None = None) -> Answered:
    """Take a batch through a transaction that has begun. `answer_some`: what the store does before the decision."""
    try:
        batch.begun()
        changes, answered = _answered(tx, batch, NO_FAST_ANSWERS if answer_some is None else answer_some(batch))
        if answered.committed is not None:
            tx.save(changes)
            batch.commits(answered)
    except BaseException:
        tx.rollback()
        raise
    if answered.committed is None:
        tx.rollback()
        return answered
    try:
        tx.commit()
    except (Contention, CommitUnknown):
        raise
    except Exception as error:
        raise CommitUnknown(str(error), None if isinstance(error, ConnectionLost) else error) from error
    return answered


def _answered(tx: UnitOfWork, batch: Batch, fast: FastAnswers) -> tuple[Changes | None, Answered]:
    """What the batch is answered, and what has to be written."""
    if fast.answers and len(fast.answers) == len(batch.envelopes):
        return None, Answered([fast.answers[place] for place in range(len(fast.answers))], fast.committed)
    decided = batch.decide(tx, fast.answers)
    has_written = bool(fast.answers) or not decided.changes.is_empty
    return decided.changes, Answered(decided.answers, fast.then(decided.committed) if has_written else None)
