"""Migrations of a database file."""

import sqlite3
from collections.abc import Iterator
from typing import Final

from flowfabric.domain.errors import SchemaMismatch
from flowfabric.stores._shared.migrate import Applied, Migration, applied_in, migrations_of, noting, pending

VERSIONS_TABLE: Final = (
    "create table if not exists ff_schema_version"
    " (version integer primary key, checksum text not null, applied_at_ms integer not null) strict"
)


def pending_migrations(connection: sqlite3.Connection | None, path: str) -> list[Migration]:
    """The migrations that a file still lacks; it need not exist yet. Refuses what `pending` refuses."""
    return pending(migrations_of(__package__), {} if connection is None else applied_migrations(connection), path)


def applied_migrations(connection: sqlite3.Connection) -> dict[int, Applied]:
    """The applied migrations, by version."""
    if not connection.execute("select 1 from sqlite_schema where name = 'ff_schema_version'").fetchone():
        return {}
    found = connection.execute("select * from ff_schema_version")
    return applied_in([column[0] for column in found.description], found.fetchall())


def apply_migrations(connection: sqlite3.Connection, path: str, now_ms: int, *, migrate: bool) -> None:
    """Apply missing migrations inside an open transaction. Without `migrate` a schema that lacks any is refused."""
    connection.execute(VERSIONS_TABLE)
    todo = pending_migrations(connection, path)
    if todo and not migrate:
        raise SchemaMismatch(
            f"{path} lacks the migrations from {todo[0].name} on. Run `ff migrate`, or open it with migrate=True."
        )
    for migration in todo:
        for statement in _statements_in(migration.sql):
            connection.execute(statement)
        connection.execute(noting(migration, applied_at_ms=now_ms))


def _statements_in(sql: str) -> Iterator[str]:
    """The single statements of a migration. `executescript` is not used, because it commits by itself."""
    text = ""
    for line in sql.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            if text.strip():
                yield text
            text = ""
