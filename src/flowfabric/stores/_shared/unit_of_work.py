"""A batch in five steps, for stores that have no fast path: begin, load, decide, save, commit."""

from typing import Protocol

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.errors import Contention
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from flowfabric.ports.writing import Answered, Batch, Transaction


class UnitOfWork(Transaction, Protocol):
    """A transaction that locks all records that it loads."""

    def save(self, changes: Changes) -> None:
        """Write whole records and append events, as sets, with the side rows that follow from them."""

    def commit(self) -> None:
        """Commit, and leave the batch's marker. Only Contention says for certain that nothing was committed."""

    def rollback(self) -> None:
        """Leave everything as it was. Never raises."""


def run_in(tx: UnitOfWork, batch: Batch) -> Answered:
    """Take a batch through a transaction that has begun."""
    try:
        batch.begun()
        decided = batch.decide(tx, {})
        answered = Answered(decided.answers, None if decided.changes.is_empty else decided.committed)
        if answered.committed is not None:
            tx.save(decided.changes)
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
