"""One transaction on a write connection: READ COMMITTED, opened together with its first statements.

A batch takes three round trips: begin and lock, read the queue, write and commit. Rows are locked in one order, so that
no two batches wait for each other:

1. executions that belong to no flow, by id;
2. flows, by id;
3. idempotency keys, aliases, key rings, kept answers, workers, then schedules;
4. turns of fair keys, uses of keys of limits, then uses of budgets;
5. members of flows, by id;
6. the executions that a claim finds or that are parked at a gate, then the flows that a claim starts. Rows that others
   hold are skipped, and after this the batch waits for nobody;
7. if it parks an execution or changes a limit or a budget, the lock of all definitions (`gate_definitions`);
8. while it commits, new sets of capabilities, turns of lanes, then openings of gates.

Often a batch learns only from an execution that it has locked which rows of 4 it needs. So it may lock these after 5
and 6. While it holds them, it waits for members of flows only briefly (`wait_briefly`), and is decided anew if it does
not get them.

A batch may come to need further locks of 1 to 4 after later ones. It does not wait for them: if another transaction
holds one, the batch starts over and takes all of them in the first place.
"""

import logging
import re
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg.pq import ExecStatus, TransactionStatus

from flowfabric.domain.errors import EngineError
from flowfabric.ports.errors import CommitUnknown, ConnectionLost, Overtaken
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.connection import (
    FOR_TRANSACTION,
    LOCK_WAIT_MS,
    Connection,
    Connector,
    Cursor,
    is_refusal,
)
from flowfabric.stores.postgres.flow_reads import Ask
from flowfabric.stores.postgres.notes import News
from flowfabric.stores.postgres.saving import Statement, values_of

if TYPE_CHECKING:
    from flowfabric.stores.postgres.writer import PostgresWriter

log = logging.getLogger("flowfabric.stores.postgres")


_VALUE: Final = re.compile(r"%\((\w+)\)s|%%")
BRIEFLY_MS: Final = 30
"""How long a batch waits for a lock if the holder of that lock may wait for this batch."""


class PostgresTransaction:
    """Sends the statements of one batch, from begin to commit or rollback."""

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
        """Whether there are writes that a rollback must undo."""
        self.now_ms = 0
        """The store's time after the last locks."""
        self._now_read_at = 0.0
        self._waits_briefly = False
        self._next: list[Statement] = []
        """Statements to send before the next ones."""

    @property
    def era(self) -> int:
        """The era of the store, as far as the connection tells."""
        return self._writer.era

    @property
    def marker(self) -> tuple[str, Mapping[str, object]]:
        """The statement that leaves the batch's marker, with its values.

        It is sent before the commit, so that a process that looks for the marker waits for a commit that is on its way.
        """
        return self.sql["insert_batch"], {"batch_id": self._batch_id, "now_ms": self.store.given_now_ms}

    @property
    def since_now_ms(self) -> float:
        """How long ago the store's time was read."""
        return (time.monotonic() - self._now_read_at) * 1000

    def mark(self) -> list[Statement]:
        """The statement that leaves the marker, if it was not sent yet."""
        if self._is_marked:
            return []
        self._is_marked = self.has_written = True
        return [self.marker]

    def wait_briefly(self) -> None:
        """From now on wait for locks only for a moment. A lock that is not free by then raises Overtaken."""
        if not self._waits_briefly:
            self._waits_briefly = True
            wait_ms = BRIEFLY_MS if self._lock_wait_ms is None else min(BRIEFLY_MS, self._lock_wait_ms)
            self._next.append((self.sql["set_lock_wait"], {"lock_wait_ms": wait_ms}))

    def send_first(self, statements: Sequence[Statement]) -> None:
        """Send these before the next statements."""
        self._next += statements

    # ── statements ───────────────────────────────────────────────────────────────────────────────

    def ask(self, asks: Sequence[Ask], before: Sequence[Statement] = (), *, reads_clock: bool = False) -> None:
        """Send statements in one round trip, and hand their rows to the functions that take them."""
        statements = [*before, *((self.sql[ask.statement], ask.values) for ask in asks)]
        found = self.run(statements, reads_clock=reads_clock)
        for ask, answer in zip(asks, found[len(before) :], strict=True):
            ask.take(answer)

    def run(self, statements: Sequence[Statement], *, reads_clock: bool = False) -> list[list[rows.Row]]:
        """Send statements in one round trip, and return all their rows. The first call also opens the transaction."""
        opening = [*self._opening(), *self._next]
        self._next = []
        clock = [(self.sql["clock"], None)] if reads_clock else []
        sent = [*opening, *statements, *clock]
        try:
            with self._writer.noting_lasting_errors(), self.connection.pipeline():
                cursors = [send(self.connection, statement[0], values_of(statement)) for statement in sent]
        except psycopg.errors.LockNotAvailable as error:
            if self._waits_briefly:
                raise Overtaken("Another batch holds a lock and may wait for this one; it is decided anew.") from error
            raise
        found = [cursor.fetchall() if _has_rows(cursor) else [] for cursor in cursors]
        if not self._writer.has_pinned_plans:
            # A pooler may lead to another server than the last time. The answer of pin_plans also holds the timeline.
            for (sql, _), answer in zip(sent, found, strict=True):
                if sql == self.sql["pin_plans"]:
                    self._writer.take_timeline(answer[0][-1])
        if reads_clock:
            self.now_ms = self.store.clock_or(found.pop()[0][0])
            self._now_read_at = time.monotonic()
        return found[len(opening) :]

    def _opening(self) -> list[Statement]:
        """The statements that open the transaction; none if it is open."""
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
        """Write everything and commit, in one round trip if there is no pooler."""
        try:
            last = [*writes, *self.store.notification(news)]
            if self.is_open and not (last or self._next):
                self.connection.commit()  # a pipeline of one statement would cost the driver twice the time
            elif self.store.connector.is_pooled:
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
            if self.connection.info.transaction_status is not TransactionStatus.INTRANS:
                self.connection.rollback()
            elif self.has_written:
                self._undo()
            else:
                self.connection.commit()
        except psycopg.Error as error:
            cause = type(error).__name__
            log.warning("rollback failed; the connection is dropped: %s", cause, extra={"cause": cause})
            self.connection.close()

    def _undo(self) -> None:
        """Roll back a transaction in which nothing has failed, and keep the prepared statements.

        After a rollback of its own the driver drops all prepared statements. But a batch that changes nothing is
        normal: an attempt that was resumed asks for a wait that is over.
        """
        undone = self.connection.pgconn.exec_(b"rollback")
        if undone.status != ExecStatus.COMMAND_OK:
            raise psycopg.OperationalError(undone.error_message.decode(errors="replace"))


def _has_rows(cursor: Cursor) -> bool:
    """Whether the statement answers with rows. The driver's own description of them would name every column."""
    return cursor.pgresult is not None and cursor.pgresult.nfields > 0


def send(connection: Connection, sql: str, values: Mapping[str, object] | None) -> Cursor:
    """Send one statement."""
    cursor = psycopg.RawCursor(connection)
    if values is None:
        cursor.execute(sql.encode(), binary=True)
    else:
        text, names = _numbered(sql)
        cursor.execute(text, [values[name] for name in names], binary=True)
    return cursor


@cache
def _numbered(sql: str) -> tuple[bytes, Sequence[str]]:
    """The statement with numbers in the place of the names of its values, and the names in the order of the numbers.

    The driver could do this, but it does it each time anew if the statement is long.
    """
    names: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        name: str | None = found[1]
        return "%" if name is None else f"${names.setdefault(name, len(names) + 1)}"

    text = _VALUE.sub(number, sql)
    return text.encode(), list(names)


def meaning_at_commit(connector: Connector, connection: Connection, error: Exception) -> EngineError:
    """What an error at the commit means: CommitUnknown, unless the server itself has refused the commit."""
    if not isinstance(error, psycopg.Error):
        return CommitUnknown(str(error), error)
    meaning = connector.meaning_of(error)
    # INERROR: the server refused a statement before the commit, and the transaction must still be rolled back.
    if connection.info.transaction_status is TransactionStatus.INERROR or is_refusal(error):
        return meaning
    return CommitUnknown(str(meaning), None if isinstance(meaning, ConnectionLost) else meaning)
