"""Stores that lose what they have acknowledged, each in one of the ways in which real ones do: the harness must notice.

For SQLite they are planted in the process that runs the workload, for PostgreSQL they are settings of the server.
"""

import sqlite3
from typing import Final

from flowfabric.stores.sqlite import store
from flowfabric.stores.sqlite.connection import connect
from flowfabric.stores.sqlite.transaction import SqliteTransaction
from flowfabric.stores.sqlite.writer import SqliteWriter

STAYS_WHOLE: Final = "synchronous=normal"
"""An option that we offer: it may lose the last commits, but it must not damage anything."""
SQLITE: Final = (STAYS_WHOLE, "synchronous=off", "acknowledged before its commit")
POSTGRES: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


def plant(mutant: str) -> None:
    """Break SQLite's store in this process."""
    if mutant.startswith("synchronous="):
        _connect_with(mutant)
    elif mutant:
        _acknowledge_early()


def _connect_with(setting: str) -> None:
    def connected(path: str, *, synchronous: str, reading: bool) -> sqlite3.Connection:
        connection = connect(path, synchronous=synchronous, reading=reading)
        connection.execute(f"pragma {setting}")
        return connection

    store.connect = connected  # type: ignore[attr-defined]


def _acknowledge_early() -> None:
    """Let each commit wait for the next one: a group commit that answers first."""
    begin, commit = SqliteWriter.begin, SqliteTransaction.commit
    waiting: list[SqliteTransaction] = []

    def begin_after_commit(self: SqliteWriter, batch_id: bytes) -> SqliteTransaction:
        if waiting:
            commit(waiting.pop())
        return begin(self, batch_id)

    def commit_later(self: SqliteTransaction) -> None:
        waiting.append(self)

    def close_after_commit(self: SqliteWriter) -> None:
        if waiting:
            commit(waiting.pop())
        close(self)

    close = SqliteWriter.close
    SqliteWriter.begin = begin_after_commit  # type: ignore[method-assign]
    SqliteWriter.close = close_after_commit  # type: ignore[method-assign]
    SqliteTransaction.commit = commit_later  # type: ignore[method-assign]
