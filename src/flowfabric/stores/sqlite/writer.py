"""The write side of a SQLite file: one connection, which is only used under the write lock."""

import logging
import sqlite3
from typing import TYPE_CHECKING, Final

from flowfabric.ports.errors import ConnectionLost
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores._shared.fast_path import PlainCommands
from flowfabric.stores._shared.unit_of_work import run_in
from flowfabric.stores.sqlite.connection import FileId, file_id, translating_errors
from flowfabric.stores.sqlite.forking import begin_use, end_use, using
from flowfabric.stores.sqlite.transaction import SqliteTransaction

if TYPE_CHECKING:
    from flowfabric.stores.sqlite.store import SqliteStore

log = logging.getLogger("flowfabric.stores.sqlite")

CHECKPOINT_BYTES: Final = 4 * 1024 * 1024
"""After how many written bytes, roughly, a checkpoint brings the log into the database file."""
ROW_BYTES: Final = 512
"""How many bytes one changed row adds to the log, roughly, beside its payload."""
COMMIT_BYTES: Final = 12 * 1024
"""How many bytes a commit counts for beside its rows, because it writes whole pages: about ten, however few its rows.

So the log of one caller who awaits every step stays short, too, and is soon written over from its beginning. Then a
sync of the disk takes less time than while the file grows.
"""


class SqliteWriter:
    """Owned by one committer thread."""

    def __init__(self, store: "SqliteStore") -> None:
        self.store = store
        self.sql = store.sql
        self.connection: sqlite3.Connection | None = None
        self._file_id: FileId | None = None
        self._unmerged_bytes = 0
        self._open()

    def run(self, batch: Batch) -> Answered:
        """Commit a batch.

        The batch's limit on waits for locks has no meaning here: writers wait for the lock in turn.
        """
        # What needs no lock is done before it is taken: other processes wait for the lock.
        commands = PlainCommands(
            batch.envelopes, self.store.name, lanes_max=None, keeps_answers=True, with_limits=True, with_flows=True
        )
        tx = self.begin(batch.batch_id)
        return run_in(tx, batch, lambda batch: tx.answer_plain(batch, commands))

    def begin(self, batch_id: bytes) -> SqliteTransaction:
        """Take the write lock and open a transaction. Until its end the process does not fork."""
        begin_use()
        try:
            if self.connection is None:
                self._open()
            self.store.write_lock.acquire()
            try:
                connection = self._begun()
            except BaseException:
                self.store.write_lock.release()
                raise
        except BaseException:
            end_use()
            raise
        self.store.log_watch.we_begin()
        return SqliteTransaction(self, connection, batch_id)

    def _begun(self) -> sqlite3.Connection:
        if self.connection is None or file_id(self.store.path) != self._file_id:
            raise ConnectionLost(f"the database file {self.store.path} is gone, or another one took its place")
        with translating_errors(self.store.path):
            self.connection.execute("begin immediate")
            try:
                # Inside the transaction: outside, SQLite would take its locks for reading once more.
                self.store.learn_time(self.connection)
            except BaseException:
                self.connection.rollback()
                raise
        return self.connection

    def end(self) -> None:
        """Let the next process write."""
        self.store.log_watch.we_end()
        self.store.write_lock.release()
        end_use()

    def was_committed(self, batch_id: bytes) -> bool:
        """Whether the batch's marker is there."""
        with using(), translating_errors(self.store.path):
            if self.connection is None:
                raise ConnectionLost(f"{self.store.path} is not open")
            return self.connection.execute(self.sql["find_batch"], (batch_id,)).fetchone() is not None

    def reconnect(self) -> None:
        """Open the file again, if it is there and still the same database."""
        with using():
            self.close()
            self._open()

    def _open(self) -> None:
        if file_id(self.store.path) is None:
            raise ConnectionLost(f"the database file {self.store.path} is gone")
        self.connection, self._file_id = self.store.connected(reading=False)

    def close(self) -> None:
        """Close the connection under the lock, because the last close brings the log into the database file."""
        with using():
            if (connection := self.without_connection()) is not None:
                self.store.close_connection(connection)

    def without_connection(self) -> sqlite3.Connection | None:
        """Forget the connection, and return it if there was one. `begin` opens another."""
        connection, self.connection = self.connection, None
        return connection

    def wrote(self, rows: int, payload_bytes: int) -> None:
        """Count what was committed, and run a checkpoint now and then. The caller holds the write lock."""
        self._unmerged_bytes += COMMIT_BYTES + rows * ROW_BYTES + payload_bytes
        if self._unmerged_bytes < CHECKPOINT_BYTES:
            return
        self._unmerged_bytes = 0
        assert self.connection is not None
        try:
            # Passive: the checkpoint takes what no reader needs any more, and never waits for a reader.
            self.connection.execute("pragma wal_checkpoint(passive)").fetchone()
        except sqlite3.Error as error:
            log.warning("checkpoint failed; the next one tries again: %s", error, extra={"cause": str(error)})
