"""A batch that only completes plain executions: one statement, which is its own transaction.

The statement completes all of them or none, and leaves the batch's marker. If one of them is not plain, or a lease is
over, it writes nothing, and the batch is run as any other fast batch. What it answers does not depend on what it finds,
so the answers are known even if its own answer is lost.
"""

from typing import TYPE_CHECKING, Final

from flowfabric.domain.news import Committed
from flowfabric.domain.outcomes import Completed
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores.postgres.fast_batch import FastBatch
from flowfabric.stores.postgres.fast_path import FastPath, complete_values

if TYPE_CHECKING:
    from flowfabric.stores.postgres.writer import PostgresWriter


class CompleteAtOnce:
    """Everything in one statement, the batch's marker and the commit included."""

    statement: Final = "complete_at_once"

    def __init__(self, writer: "PostgresWriter", otherwise: FastBatch) -> None:
        self._writer = writer
        self._store = writer.store
        self._otherwise = otherwise
        """What is done if the statement writes nothing."""

    @classmethod
    def of(cls, writer: "PostgresWriter", batch: Batch) -> "CompleteAtOnce | FastBatch | None":
        """The plan, if one statement may do it all; otherwise that of other fast batches, or None."""
        fast = FastBatch.of(writer, batch)
        return cls(writer, fast) if fast is not None and _may_be_one(writer, fast.path, batch) else fast

    def run(self, batch: Batch) -> Answered:
        """Send the statement; if it writes nothing, do what is done otherwise."""
        ((scope, plain),) = self._otherwise.path.completions.items()
        ended = [one.command.fence.execution_id for one in plain]  # before they are sorted into the order of locks
        values = complete_values(scope, plain, self._store.given_now_ms, is_told=False)
        answered = Answered([Completed(execution_id) for execution_id in ended], Committed(ended, has_events=True))
        found = self._writer.send_alone(batch, self.statement, {**values, "batch_id": batch.batch_id}, answered)
        if found.rowcount == 0:
            self._writer.plan = self._otherwise
            return self._otherwise.run(batch)
        self._store.notes.keep_ends(ended)
        return answered


def _may_be_one(writer: "PostgresWriter", path: FastPath, batch: Batch) -> bool:
    if path.claims or path.creations or path.to_lock_first or not path.is_all_of(batch.envelopes):
        return False
    if not writer.can_send_alone(batch):
        return False
    # Metrics need the answer of the statement, and that may be lost. And the statement notifies no other process.
    return not (batch.is_told or writer.store.notes.may_tell_ends(path.number_of_completions))
