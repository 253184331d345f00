"""Batches without commands: records that a test reads from a store, or writes to it, as any batch would."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

import pytest
from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.commands import AnyCommand, Envelope
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.news import Committed
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.streams import START, Chunk, Position
from flowfabric.engine.batch import Batch
from flowfabric.ports.reading import Reads
from flowfabric.ports.writing import Answered, Decided, LockBeforeClaims, Transaction, Writer


class _Seen(Exception):
    """All is read that was to be read, so the transaction can be rolled back."""


class RecordBatch:
    """Reads records, then changes others."""

    def __init__(self, reads: Sequence[Needs], changes: Changes | None) -> None:
        self.batch_id = os.urandom(16)
        self.lock_wait_ms: int | None = None
        self.envelopes: Sequence[Envelope] = ()
        self.loaded = Loaded()
        self._reads = reads
        self._changes = changes

    def begun(self) -> None:
        pass

    def decide(self, tx: Transaction, answered: Mapping[int, Outcome], lock: LockBeforeClaims | None = None) -> Decided:
        needs = Needs()
        for further in self._reads:
            needs.add(further)
            self.loaded = tx.load(needs)
        if self._changes is None:
            raise _Seen
        return Decided((), self._changes, (), Committed((), has_events=False))

    def commits(self, answered: Answered | None) -> None:
        pass


def chunks_of(store: Reads, execution_id: ExecutionId) -> list[Chunk]:
    """All chunks of a stream, in order. No batch reads so many at once."""
    found: list[Chunk] = []
    after = START
    while (part := store.stream_part(execution_id, after, 1_000)) is not None and part.chunks:
        found += part.chunks
        if not part.has_more:
            break
        end = found[-1].end
        after = Position(end.lease_epoch, end.seq - 1)
    return found


def loaded_by(writer: Writer, *needs: Needs) -> Loaded:
    """What one batch would read, if need be in several turns."""
    batch = RecordBatch(needs, None)
    try:
        writer.run(batch)
    except _Seen:
        return batch.loaded
    raise AssertionError("nothing was loaded")


def save_by(writer: Writer, changes: Changes, *needs: Needs) -> None:
    """Write changes as one batch, which has read what it needs."""
    # No batch is that old; but what belongs to other records counts as a change only beside something else.
    writer.run(RecordBatch(needs, replace(changes, forget_batches_before_ms=0)))


class _Stopped(Batch):
    """A batch that stops where it would be decided, or committed without a decision."""

    def __init__(self, commands: Sequence[AnyCommand | Envelope], store_name: str, look: Callable[[], None]) -> None:
        super().__init__([each if isinstance(each, Envelope) else Envelope(each) for each in commands], store_name)
        self.answers: Mapping[int, Outcome] = {}
        self._look = look

    def decide(
        self, tx: Transaction, answered: Mapping[int, Outcome], lock: LockBeforeClaims | None = None
    ) -> NoReturn:
        self.answers = answered
        self._look()
        raise _Seen

    def commits(self, answered: Answered | None) -> NoReturn:
        assert answered is not None
        self.answers = dict(enumerate(answered.answers))  # type: ignore[arg-type]
        self._look()
        raise _Seen


def answered_undecided(
    writer: Writer, store_name: str, *commands: AnyCommand | Envelope, look: Callable[[], None] = lambda: None
) -> Mapping[int, Outcome]:
    """What a store answers by itself, by place in the batch. It is taken back, after a look."""
    batch = _Stopped(commands, store_name, look)
    with pytest.raises(_Seen):
        writer.run(batch)
    return batch.answers
