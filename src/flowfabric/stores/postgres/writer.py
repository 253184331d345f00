"""A write connection to PostgreSQL, and what became of a batch whose answer was lost."""

import logging
from typing import TYPE_CHECKING

from flowfabric.domain.errors import Contention
from flowfabric.ports import ConnectionLost
from flowfabric.stores.postgres.connection import FOR_SESSION, FOR_TRANSACTION, Connection, translating_errors
from flowfabric.stores.postgres.transaction import PostgresTransaction

if TYPE_CHECKING:
    from flowfabric.stores.postgres.at_once import AtOnce
    from flowfabric.stores.postgres.store import PostgresStore

log = logging.getLogger("flowfabric.stores.postgres")


class PostgresWriter:
    """Owned by one committer thread."""

    def __init__(self, store: "PostgresStore") -> None:
        self.store = store
        self.waited_in_vain = False
        self.has_pinned_plans = False
        """Whether the session is set up, so that no transaction has to be. Behind a pooler no session is ours."""
        self._connection: Connection | None = None
        self.in_doubt: AtOnce | None = None
        """What was sent together with its commit, and never answered."""

    @property
    def connection(self) -> Connection:
        """The connection, new if the last one is gone."""
        if self._connection is None or self._connection.closed:
            self._connect()
        assert self._connection is not None
        return self._connection

    def _connect(self) -> None:
        connection = self.store.connect(prepares=True)
        is_pooled = self.store.connector.is_pooled
        if not is_pooled:
            try:
                with translating_errors(self.store.connector):
                    connection.execute(self.store.sql["pin_plans"].encode(), FOR_SESSION)
            except BaseException:
                connection.close()
                raise
        self._connection = connection
        self.has_pinned_plans = not is_pooled
        self.store.our_sessions[self] = connection.info.backend_pid

    def begin(self, batch_id: bytes) -> PostgresTransaction:
        """A transaction; it is opened on the server together with its first statement."""
        self._end_stranded_sessions()
        return PostgresTransaction(self, self.connection, batch_id)

    def was_committed(self, batch_id: bytes) -> bool:
        """Whether the batch's marker is there; waits for a first try that is still committing.

        After the answer no, nothing of the first try can happen any more, also if it reaches the server only now.
        """
        self._end_stranded_sessions()
        batch = {"batch_id": batch_id}
        try:
            with translating_errors(self.store.connector), self.connection.transaction():
                self.connection.execute(self.store.sql["pin_plans"].encode(), FOR_TRANSACTION)
                self.connection.execute(self.store.sql["give_up_batch"], {**batch, "now_ms": self.store.given_now_ms})
                found = self.connection.execute(self.store.sql["find_batch"], batch).fetchone()
        except Contention as error:
            # Whatever happens, the batch may not be decided again before this is answered.
            self.waited_in_vain = True
            raise ConnectionLost("the session of the first try has not ended yet") from error
        assert found is not None
        happened: bool = found[0] >= 0
        if happened and self.in_doubt is not None:
            self.in_doubt.happened(found[0])
        self.in_doubt = None
        return happened

    def _end_stranded_sessions(self) -> None:
        """After a wait for a lock that took too long: its holder may be frozen, or gone without a word."""
        if self.waited_in_vain:
            self.waited_in_vain = False
            with translating_errors(self.store.connector):
                ended = self.connection.execute(self.store.sql["end_stranded_sessions"]).fetchall()
            if ended:
                log.warning("ended sessions that had stopped within a batch", extra={"sessions": len(ended)})

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
