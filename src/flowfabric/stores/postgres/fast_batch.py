"""A batch of creates, claims and completes: fast statements do the plain ones, and the rest is decided after them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flowfabric.domain.errors import Corruption
from flowfabric.domain.outcomes import Outcome
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores._shared.fast_path import answers_to
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.connection import translating_errors
from flowfabric.stores.postgres.decided_batch import DecidedBatch
from flowfabric.stores.postgres.fast_path import (
    FastAnswers,
    FastPath,
    complete_values,
    completed,
    create_values,
    is_out_of_turn,
    only_claims,
    part_of,
    parts_entered,
    told_of,
)
from flowfabric.stores.postgres.queue_heads import Place
from flowfabric.stores.postgres.saving import Statement
from flowfabric.stores.postgres.transaction import PostgresTransaction

if TYPE_CHECKING:
    from flowfabric.stores.postgres.writer import PostgresWriter


class FastBatch:
    """One transaction: fast statements first, then the decision about all commands that they have not answered."""

    def __init__(self, writer: "PostgresWriter", path: FastPath) -> None:
        self._writer = writer
        self._store = writer.store
        self.path = path

    @classmethod
    def of(cls, writer: "PostgresWriter", batch: Batch) -> "FastBatch | None":
        """The plan, if fast statements may answer a command of the batch; otherwise None."""
        store, envelopes = writer.store, batch.envelopes
        # If the batches before were about members of flows or what waits, this batch hardly has anything plain.
        if store.meets_members or store.meets_inboxes:
            return None
        # If the last claims found nothing in these lanes, and no news of work has come since, these find nothing
        # either.
        claims = only_claims(envelopes)
        if claims and store.queue_heads.are_idle({(each.namespace, lane) for each in claims for lane in each.lanes}):
            return None
        path = FastPath(envelopes, store.name)
        return None if path.is_empty else cls(writer, path)

    def run(self, batch: Batch) -> Answered:
        """Send the fast statements, decide the commands that they have not answered, if any, and commit."""
        tx = self._writer.transaction(batch)
        try:
            fast = self._answers(tx, batch)
        except BaseException:
            tx.rollback()
            raise
        if fast is None:
            tx.rollback()
            return DecidedBatch(self._writer.transaction(batch)).run(batch)
        if len(fast.answers) < len(batch.envelopes):
            return DecidedBatch(tx, fast).run(batch)
        answered = Answered([fast.answers[place] for place in range(len(batch.envelopes))], fast.committed)
        try:
            batch.commits(answered)
        except BaseException:
            tx.rollback()
            raise
        tx.commit([], fast.news)
        return answered

    def _answers(self, tx: PostgresTransaction, batch: Batch) -> FastAnswers | None:
        """What the statements have answered.

        None: their work must be rolled back, and the whole batch must be decided.
        """
        path, era, envelopes = self.path, tx.era, batch.envelopes
        locking: list[Statement] = []
        if path.to_lock_first:
            locking.append((tx.sql["lock_solo_executions"], rows.keys(path.to_lock_first)))
        # Before `start_of` says where claims may start to read: claims must see the executions that this batch creates.
        self._store.queue_heads.enter(parts_entered(path.made))
        starts = [self._store.queue_heads.start_of(part_of(command)) for _, command in path.claims]
        tx.has_written = True
        with translating_errors(self._store.connector):
            # A decision about the rest needs the store's time.
            statements = [*locking, *self._statements(tx, starts, is_told=batch.is_told)]
            found = tx.run(statements, reads_clock=not path.is_all_of(envelopes))
        if tx.era != era:
            return None  # the statements wrote values of an era that is over
        del found[: len(locking)]
        tx.has_written = not only_claims(envelopes) or any(found)
        answers: dict[int, Outcome] = {}
        rows_of_ended: list[rows.Row] = []
        for plain in path.completions.values():
            ended = found.pop(0)
            answers |= completed(plain, ended)
            rows_of_ended += ended
        if path.creations:
            answers |= answers_to(path.creations, envelopes)
            found.pop(0)
        if is_out_of_turn(path.claims, found):
            return None
        try:
            self._take_claims(answers, starts, found)
        except Corruption:
            return None  # a claimed row is damaged; a decision skips damaged rows
        told = told_of(path.made, rows_of_ended, [row for head in found for row in head]) if batch.is_told else ()
        # A creation writes no event.
        return FastAnswers(answers, path.lanes_left_filled(answers), len(answers) > len(path.creations), told)

    def _statements(self, tx: PostgresTransaction, starts: Sequence[Place], *, is_told: bool) -> list[Statement]:
        path, now_ms = self.path, self._store.given_now_ms
        statements: list[Statement] = [
            (tx.sql["fast_complete"], complete_values(scope, plain, now_ms, is_told=is_told))
            for scope, plain in path.completions.items()
        ]
        if path.creations:
            in_a_batch = {"now_ms": now_ms, "batch_id": None, "note": "{}", "lease_era": tx.era}
            statements.append((tx.sql["fast_create"], {**create_values(path.made, path.actors), **in_a_batch}))
        for (_, command), start in zip(path.claims, starts, strict=True):
            values = path.claim_values(command, start, tx.era, now_ms)
            statements.append((tx.sql["fast_claim"], {**values, **tx.marker[1]}))
        return statements

    def _take_claims(
        self, answers: dict[int, Outcome], starts: Sequence[Place], heads: Sequence[Sequence[rows.Row]]
    ) -> None:
        for (place, command), start, head in zip(self.path.claims, starts, heads, strict=True):
            first = self.path.first_place(head) if len(head) == command.limit else None
            self._store.queue_heads.found(part_of(command), start, first)
            if head:
                answers[place] = self.path.claimed(command, head)
