"""A write connection to PostgreSQL: it chooses the plan of a batch, and finds out what became of one in doubt."""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import psycopg

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.errors import Contention, EngineError, StoreUnavailable
from flowfabric.domain.lease import era_of
from flowfabric.ports.errors import ConnectionLost
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores.postgres.complete_at_once import CompleteAtOnce
from flowfabric.stores.postgres.connection import (
    FOR_SESSION,
    FOR_TRANSACTION,
    Connection,
    Cursor,
    check_alive,
    is_refusal,
    translating_errors,
)
from flowfabric.stores.postgres.decided_batch import DecidedBatch, OutOfTurn
from flowfabric.stores.postgres.fast_batch import FastBatch
from flowfabric.stores.postgres.fast_path import only_claims
from flowfabric.stores.postgres.flow_batch import FlowBatch
from flowfabric.stores.postgres.flow_creation import FlowCreation
from flowfabric.stores.postgres.limit_batch import LimitBatch
from flowfabric.stores.postgres.single_statement import SingleStatement
from flowfabric.stores.postgres.transaction import PostgresTransaction, meaning_at_commit, send

if TYPE_CHECKING:
    from flowfabric.stores._shared.fast_path import AnswerKey
    from flowfabric.stores.postgres.store import PostgresStore

log = logging.getLogger("flowfabric.stores.postgres")

STRANDED_S: Final = 1.0
"""How often the writer looks for sessions that have stopped while they hold locks."""
STARTS_MAX: Final = 5
"""How often a batch starts over in a row, because it has come to need a lock out of turn."""
Plan = SingleStatement | FlowCreation | LimitBatch | FlowBatch | CompleteAtOnce | FastBatch | DecidedBatch
Session = tuple[Any, ...]
"""A server process by its id and its start time, because the server reuses ids."""


class PostgresWriter:
    """Owned by one committer thread."""

    def __init__(self, store: "PostgresStore") -> None:
        self.store = store
        self.met_lock_timeout = False
        self.was_read_only = False
        """Whether the session is read-only. Such a session stays so; a new one may be able to write."""
        self._look_for_stranded_at = 0.0
        self.has_pinned_plans = False
        """Whether the session has our settings, so that transactions need none. Behind a pooler it never has."""
        self.era = 0
        """The era of the store. A connection to a server keeps its timeline for life; a pooler may change servers."""
        self._connection: Connection | None = None
        self._session: Session | None = None
        """The server process of this connection, or of the last one; None behind a pooler, which shares processes."""
        self._left_behind: list[Session] = []
        """Server processes of lost connections. A server that has not noticed the loss keeps them for hours."""
        self.plan: Plan | None = None
        """How the last batch was run."""
        self.ids_in_use: frozenset[AnswerKey | None] = frozenset()
        """The ids of the last creations that one statement could not make, because one of these ids was in use."""
        self.in_doubt: tuple[SingleStatement, Batch] | None = None
        """A batch that was sent together with its commit and was never answered."""

    @property
    def connection(self) -> Connection:
        """The connection, or a new one if the last one is lost."""
        self._connect_if_needed()
        assert self._connection is not None
        return self._connection

    def _connect_if_needed(self) -> None:
        if self._connection is None or self._connection.closed:
            self._connect()

    def _connect(self) -> None:
        connection = self.store.connect(prepare_after=0)
        is_pooled = self.store.connector.is_pooled
        session: Session | None = None
        if not is_pooled:
            try:
                with translating_errors(self.store.connector):
                    row = connection.execute(self.store.sql["pin_plans"].encode(), FOR_SESSION).fetchone()
                    # In binary, because the driver cannot read instants in every DateStyle.
                    session = connection.execute(self.store.sql["this_session"].encode(), binary=True).fetchone()
            except BaseException:
                connection.close()
                raise
            assert row is not None
            self.take_timeline(row[-1])
        if self._session is not None:
            self._left_behind.append(self._session)
        self._session = session
        self._connection = connection
        self.was_read_only = False
        self.has_pinned_plans = not is_pooled
        self.store.our_sessions[self] = connection.info.backend_pid

    def take_timeline(self, timeline: str | None) -> None:
        """Note the timeline of the server that answers now."""
        era = era_of(self.store.name, timeline or "")
        if era != self.era:
            self.store.capabilities.forget()
        self.era = era

    def run(self, batch: Batch) -> Answered:
        """Commit a batch by the shortest plan that fits it."""
        self.make_ready()
        batch.begun()
        self.in_doubt = None
        self.plan = (
            SingleStatement.of(self, batch)
            or FlowCreation.of(self, batch)
            or LimitBatch.of(self, batch)
            or FlowBatch.of(self, batch)
            or CompleteAtOnce.of(self, batch)
            or DecidedBatch(self.transaction(batch))
        )
        locked = Needs()
        for _ in range(STARTS_MAX):
            try:
                return self.plan.run(batch)
            except OutOfTurn as late:
                locked.add(late.locks)
            self.plan = DecidedBatch(self.transaction(batch), locks_first=locked)
        return self.plan.run(batch)

    def can_send_alone(self, batch: Batch) -> bool:
        """Whether a statement may be the whole batch."""
        # Behind a pooler, and for an unusual wait for locks, the settings need a transaction.
        return self.has_pinned_plans and not self.store.connector.is_pooled and batch.lock_wait_ms is None

    def send_alone(
        self, batch: Batch, statement: str, values: Mapping[str, object], answered: Answered | None
    ) -> Cursor:
        """Send a statement that is the whole batch: its own transaction, which leaves the marker.

        `answered`: what the batch is answered if it turns out later that it was committed.
        """
        connection = self.connection
        with translating_errors(self.store.connector):
            check_alive(connection)  # on a dead connection the outcome of the statement would be unknown
        batch.commits(answered)
        try:
            with self.noting_lasting_errors():
                return send(connection, self.store.sql[statement], values)
        except Exception as error:
            raise meaning_at_commit(self.store.connector, connection, error) from error

    def transaction(self, batch: Batch) -> PostgresTransaction:
        """A transaction for the batch; it is opened on the server together with its first statement."""
        marks_at_once = not only_claims(batch.envelopes)
        return PostgresTransaction(self, batch.batch_id, batch.lock_wait_ms, marks_at_once=marks_at_once)

    def make_ready(self) -> None:
        """Make sure of a connection that can write, and end our sessions that hold locks on the server."""
        if self.was_read_only:
            self.reconnect()
        self._end_stranded_sessions()
        self._connect_if_needed()
        if self._left_behind:
            self._end_lost_sessions()

    @contextmanager
    def noting_lasting_errors(self) -> Iterator[None]:
        """Around statements: note errors that would also stop the next batch, so that `make_ready` can act on them."""
        try:
            yield
        except psycopg.errors.LockNotAvailable:
            self.met_lock_timeout = True
            raise
        except psycopg.errors.ReadOnlySqlTransaction:
            self.was_read_only = True
            raise

    def was_committed(self, batch_id: bytes) -> bool:
        """Whether the batch's marker is there. Waits for a first try that is still committing.

        After a False the first try can never commit, even if its statement reaches the server only now.
        """
        self._end_stranded_sessions()
        batch = {"batch_id": batch_id}
        try:
            with self.connection.transaction():
                self.connection.execute(self.store.sql["pin_plans"].encode(), FOR_TRANSACTION)
                self.connection.execute(self.store.sql["give_up_batch"], {**batch, "now_ms": self.store.given_now_ms})
                found = self.connection.execute(self.store.sql["find_batch"], batch).fetchone()
        except psycopg.Error as error:
            meaning = self.store.connector.meaning_of(error)
            # The batch may not be decided again before this question is answered.
            if isinstance(meaning, Contention):
                self.met_lock_timeout = True
                raise ConnectionLost("the session of the first try has not ended yet") from error
            if not is_refusal(error):
                raise ConnectionLost(str(meaning)) from error
            raise meaning from error
        assert found is not None
        happened: bool = found[0] >= 0
        if happened and self.in_doubt is not None:
            plan, batch_in_doubt = self.in_doubt
            batch_in_doubt.commits(plan.answered(batch_in_doubt, found[0]))
        self.in_doubt = None
        return happened

    def _end_stranded_sessions(self) -> None:
        """End sessions that hold a lock for too long: their process may be frozen, or gone unnoticed by the server."""
        if self.met_lock_timeout and time.monotonic() >= self._look_for_stranded_at:
            self.met_lock_timeout = False
            self._look_for_stranded_at = time.monotonic() + STRANDED_S
            with translating_errors(self.store.connector):
                ended = self.connection.execute(self.store.sql["end_stranded_sessions"]).fetchall()
            if ended:
                log.warning("ended %d sessions that had stopped within a batch", len(ended))

    def _end_lost_sessions(self) -> None:
        """End our own earlier sessions. The outcome of their batches is known by now, or was reported as unknown."""
        if self.store.connector.is_pooled:
            # A pooler was taken for the server. The sessions belong to the pooler, and may serve other clients by now.
            self._left_behind.clear()
            return
        for pid, began_at in self._left_behind:
            try:
                with translating_errors(self.store.connector):
                    session = {"pid": pid, "began_at": began_at}
                    ended = self.connection.execute(self.store.sql["end_session"].encode(), session).fetchone()
            except StoreUnavailable:
                raise
            except EngineError as error:
                log.warning("session %d was left behind on the server: %s", pid, error, extra={"cause": str(error)})
            else:
                if ended is not None:
                    log.warning("ended session %d, which was left behind on the server", pid)
        self._left_behind.clear()

    def reconnect(self) -> None:
        """Start over with a new connection."""
        self.close()
        self._connect()

    def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            self.store.our_sessions.pop(self, None)
            self._connection.close()
            self._connection = None
