"""One transaction on a write connection: READ COMMITTED, opened together with its first statements.

A batch is three round trips: open and lock, look at the queue, write and commit. Rows are locked in one order, so that
no two batches wait for each other:

1. executions that belong to no flow, by id;
2. flows, by id;
3. idempotency keys, kept answers, workers, then schedules;
4. members of flows, by id;
5. what a claim finds: executions, then the flows that it starts. A claim passes over what others hold, and after it
   the batch waits for nobody.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.pq import TransactionStatus

from flowfabric.domain.errors import EngineError
from flowfabric.ports.writing import CommitUnknown, ConnectionLost
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.connection import (
    FOR_TRANSACTION,
    LOCK_WAIT_MS,
    Connection,
    Connector,
    is_refusal,
)
from flowfabric.stores.postgres.flow_reads import Ask
from flowfabric.stores.postgres.notes import News
from flowfabric.stores.postgres.saving import Statement

if TYPE_CHECKING:
    from flowfabric.stores.postgres.writer import PostgresWriter

log = logging.getLogger("flowfabric.stores.postgres")

Cursor = psycopg.Cursor[tuple[Any, ...]]


class PostgresTransaction:
    """What is sent between the beginning and the end of one batch."""

    def __init__(
        self,
        writer: "PostgresWriter",
        batch_id: bytes,
        lock_wait_ms: int | None = None,
        *,
        marks_at_once: bool = True,
    ) -> None:
        """`marks_at_once`: the batch's marker is written when the transaction is opened, and not only by `mark`."""
        self.store = writer.store
        self.sql = writer.store.sql
        self.connection = writer.connection
        self._writer = writer
        self._batch_id = batch_id
        self._lock_wait_ms = lock_wait_ms
        self._is_marked = marks_at_once
        self.is_open = False
        self.has_written = False
        """Whether a rollback has something to take back."""
        self.now_ms = 0
        """The store's time after the last locks."""

    @property
    def era(self) -> int:
        """The era of the store, as far as the connection tells."""
        return self._writer.era

    @property
    def marker(self) -> tuple[str, Mapping[str, object]]:
        """The statement that leaves the batch's marker, with its values.

        It is sent before the commit is, so that whoever asks for it waits for a commit that is still on its way.
        """
        return self.sql["insert_batch"], {"batch_id": self._batch_id, "now_ms": self.store.given_now_ms}

    def mark(self) -> list[Statement]:
        """What leaves the marker, if it is not there yet."""
        if self._is_marked:
            return []
        self._is_marked = self.has_written = True
        return [self.marker]

    # ── statements ───────────────────────────────────────────────────────────────────────────────

    def ask(self, asks: Sequence[Ask], before: Sequence[Statement] = (), *, reads_clock: bool = False) -> None:
        """Send statements in one go, and hand their rows to those who want them."""
        statements = [*before, *((self.sql[ask.statement], ask.values) for ask in asks)]
        found = self.run(statements, reads_clock=reads_clock)
        for ask, answer in zip(asks, found[len(before) :], strict=True):
            ask.take(answer)

    def run(self, statements: Sequence[Statement], *, reads_clock: bool = False) -> list[list[rows.Row]]:
        """Send statements in one go, the first time after those that open the transaction; all their rows."""
        opening = self._opening()
        clock = [(self.sql["clock"], None)] if reads_clock else []
        sent = [*opening, *statements, *clock]
        with self._writer.noticing_what_lasts(), self.connection.pipeline():
            cursors = [send(self.connection, sql, values) for sql, values in sent]
        found = [cursor.fetchall() if cursor.description is not None else [] for cursor in cursors]
        if not self._writer.has_pinned_plans:
            # A pooler may lead to another server than the last time. What pins the plans also tells the timeline.
            for (sql, _), answer in zip(sent, found, strict=True):
                if sql == self.sql["pin_plans"]:
                    self._writer.take_timeline(answer[0][-1])
        if reads_clock:
            self.now_ms = self.store.clock_or(found.pop()[0][0])
        return found[len(opening) :]

    def _opening(self) -> list[Statement]:
        """What opens the transaction, the first time."""
        if self.is_open:
            return []
        self.is_open = True
        self.has_written |= self._is_marked
        opening: list[Statement] = [("begin isolation level read committed", None)]
        wait = {"lock_wait_ms": LOCK_WAIT_MS if self._lock_wait_ms is None else self._lock_wait_ms}
        if not self._writer.has_pinned_plans:
            opening.append((self.sql["pin_plans"], {**FOR_TRANSACTION, **wait}))
        elif self._lock_wait_ms is not None:
            opening.append((self.sql["set_lock_wait"], wait))
        if self._is_marked:
            opening.append(self.marker)
        return opening

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    def commit(self, writes: Sequence[Statement], news: News) -> None:
        """Write everything and make it so, in one round trip if there is no pooler."""
        try:
            last = [*writes, *self.store.notification(news)]
            if self.store.connector.is_pooled:
                # The driver sends a Flush behind the end of a pipeline. If the transaction has ended by then, a pooler
                # takes the Flush for the beginning of the next one, and keeps a server connection for it.
                if last:
                    self.run(last)
                self.connection.commit()
            else:
                self.run([*last, ("commit", None)])
        except Exception as error:
            meaning = meaning_at_commit(self.store.connector, self.connection, error)
            if not isinstance(meaning, CommitUnknown):
                self.rollback()
            raise meaning from error

    def rollback(self) -> None:
        """Leave everything as it was."""
        try:
            if self.has_written or self.connection.info.transaction_status is not TransactionStatus.INTRANS:
                self.connection.rollback()
            else:
                # It comes to the same; but after a rollback the driver has the server forget all that was prepared, and
                # claims that find nothing are what an idle worker sends all the time.
                self.connection.commit()
        except psycopg.Error as error:
            cause = type(error).__name__
            log.warning("rollback failed; the connection is dropped: %s", cause, extra={"cause": cause})
            self.connection.close()


def send(connection: Connection, sql: str, values: Mapping[str, object] | None) -> Cursor:
    """Send one statement."""
    cursor = connection.cursor(binary=True)
    cursor.execute(sql.encode(), values)
    return cursor


def meaning_at_commit(connector: Connector, connection: Connection, error: Exception) -> EngineError:
    """What an error at the commit means: CommitUnknown, unless the server itself says that there was no commit."""
    if not isinstance(error, psycopg.Error):
        return CommitUnknown(str(error), error)
    meaning = connector.meaning_of(error)
    # In error: a statement before the commit was refused, and the transaction is still to be rolled back.
    if connection.info.transaction_status is TransactionStatus.INERROR or is_refusal(error):
        return meaning
    return CommitUnknown(str(meaning), None if isinstance(meaning, ConnectionLost) else meaning)
