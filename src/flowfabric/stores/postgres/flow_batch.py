"""A batch of ends and claims of plain members of flows: statements do all of it, or the rules decide all of it.

The flows of the members that end are locked first, then these members and those that wait for them, each kind in the
order of their ids; then one statement ends them and lets the others run. Claims come after that: those of the batch,
and those that stand by for what may run now.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import Corruption
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores._shared.fast_path import PlainCompletion
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.connection import translating_errors
from flowfabric.stores.postgres.decided_batch import DecidedBatch
from flowfabric.stores.postgres.fast_path import (
    FastAnswers,
    FastPath,
    complete_values,
    completed,
    is_out_of_turn,
    only_claims,
    part_of,
    told_of,
)
from flowfabric.stores.postgres.queue_heads import VERY_BEGINNING, Part
from flowfabric.stores.postgres.transaction import PostgresTransaction

if TYPE_CHECKING:
    from flowfabric.domain.lanes import Lane
    from flowfabric.domain.outcomes import Outcome
    from flowfabric.stores.postgres.saving import Statement
    from flowfabric.stores.postgres.writer import PostgresWriter

PAUSE: Final = 16
"""How many batches are decided after one that was not plain, before it is tried again."""


class NotPlain(Exception):
    """The rules have to decide the batch. Nothing that was done counts."""


class FlowBatch:
    """One transaction: the ends of members, then claims."""

    def __init__(self, writer: "PostgresWriter", path: FastPath, scope: str | None) -> None:
        self._writer = writer
        self._store = writer.store
        self._path = path
        self._scope = scope
        self._children: dict[tuple[object, ...], Lane] = {}
        """Where members may run now, by the two columns of their ids."""

    @classmethod
    def of(cls, writer: "PostgresWriter", batch: Batch) -> "FlowBatch | None":
        """The plan, if the batches before were about members of flows and this one may be plain; otherwise None."""
        store, envelopes = writer.store, batch.envelopes
        if not store.meets_members or store.meets_inboxes:
            return None
        claims = only_claims(envelopes)
        if claims and store.queue_heads.are_idle({(each.namespace, lane) for each in claims for lane in each.lanes}):
            return None
        path = FastPath(envelopes, store.name)
        if path.is_empty or path.creations or not path.is_all_of(envelopes):
            return None
        if path.completions and not path.ends_come_first(envelopes):
            return None
        if store.members_pause > 0:
            store.members_pause -= 1
            return None
        return cls(writer, path, next(iter(path.completions), None))

    def run(self, batch: Batch) -> Answered:
        """Send the statements, let the rules decide the claims that are left, and commit.

        If an end is not plain, the rules decide the whole batch.
        """
        tx = self._writer.transaction(batch)
        try:
            fast = self._answers(tx, batch)
        except NotPlain:
            tx.rollback()
            self._store.members_pause = PAUSE
            return DecidedBatch(self._writer.transaction(batch)).run(batch)
        except BaseException:
            tx.rollback()
            raise
        if len(fast.answers) < len(batch.envelopes):
            return DecidedBatch(tx, fast).run(batch)
        answers = [fast.answers[place] for place in range(len(batch.envelopes))]
        if not tx.has_written:
            tx.rollback()
            return Answered(answers, None)
        answered = Answered(answers, fast.committed)
        try:
            batch.commits(answered)
        except BaseException:
            tx.rollback()
            raise
        tx.commit([], fast.news)
        return answered

    def _answers(self, tx: PostgresTransaction, batch: Batch) -> FastAnswers:
        era, path = tx.era, self._path
        answers: dict[int, Outcome] = {}
        completions = path.completions.get(self._scope, [])
        tx.has_written = True
        with translating_errors(self._store.connector):
            ended = self._ended(tx, completions, batch)
            if self._children:
                path.find_claims(batch.envelopes)
            claimed = self._claimed(tx, batch.envelopes, reads_clock=not path.is_all_of(batch.envelopes))
        if tx.era != era:
            raise NotPlain  # the statements wrote values of an era that is over
        answers.update(completed(completions, ended))
        try:
            answers.update(
                (place, path.claimed(command, claimed[place])) for place, command in path.claims if place in claimed
            )
        except Corruption as error:
            raise NotPlain from error  # a claimed row is damaged; a decision skips damaged rows
        taken = [row for head in claimed.values() for row in head]
        gone = {row[:2] for row in taken}
        ready = {lane for key, lane in self._children.items() if key not in gone}
        told = told_of((), [row[:5] for row in ended], taken) if batch.is_told else ()
        return FastAnswers(answers, ready, bool(ended or taken), told)

    def _ended(self, tx: PostgresTransaction, completions: list[PlainCompletion], batch: Batch) -> Sequence[rows.Row]:
        """End these members, and let those run that wait for them. NotPlain: one of them is not plain."""
        if not completions:
            return ()
        values = complete_values(self._scope, completions, self._store.given_now_ms, is_told=batch.is_told)
        keys = {name: values[name] for name in ("partition_key", "execution_id")}
        statements: list[Statement] = [
            (tx.sql["hold_flows_of"], keys),
            (tx.sql["hold_members"], keys),
            (tx.sql["complete_members"], values),
        ]
        *_, found = tx.run(statements)
        if len(found) < len(completions):
            raise NotPlain
        ranks: dict[Part, int] = {}
        for namespace, lane, capability_set, priority, *key in (row[5:] for row in found if row[5] is not None):
            part = (namespace, lane, capability_set)
            ranks[part] = min(ranks.get(part, 0), -priority)
            self._children[tuple(key)] = namespace, lane
        # Before it is asked where claims may start to read: claims must see what may run now.
        self._store.queue_heads.enter(ranks)
        if self._children:
            batch.take_along(set(self._children.values()), len(self._children))
        return found

    def _claimed(
        self, tx: PostgresTransaction, envelopes: Sequence[Envelope], *, reads_clock: bool
    ) -> dict[int, Sequence[rows.Row]]:
        """What claims have taken, by place in the batch. Those that are not there are left to the rules."""
        path, store = self._path, self._store
        starts = [store.queue_heads.start_of(part_of(command)) for _, command in path.claims]
        statements: list[Statement] = []
        for (_, command), start in zip(path.claims, starts, strict=True):
            values = path.claim_values(command, start, tx.era, store.given_now_ms)
            statements.append((tx.sql["claim_members"], {**values, **tx.marker[1]}))
        # A decision about the rest needs the store's time.
        found = tx.run(statements, reads_clock=reads_clock) if statements or reads_clock else []
        claimed: dict[int, Sequence[rows.Row]] = {}
        heads = [[row for row in rows_or_nulls if row[0] is not None] for rows_or_nulls in found]
        if is_out_of_turn(path.claims, heads):
            raise NotPlain
        for (place, command), start, rows_or_nulls, head in zip(path.claims, starts, found, heads, strict=True):
            first = path.first_place(head) if len(head) == command.limit else None
            store.queue_heads.found(part_of(command), start, first)
            if head or (rows_or_nulls and start == VERY_BEGINNING):
                claimed[place] = head
        tx.has_written = not only_claims(envelopes) or any(claimed.values())
        return claimed
