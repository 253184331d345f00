"""Migrations of a database, and the name of the store in it."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Final

import psycopg

from flowfabric.domain.errors import Contention, SchemaMismatch
from flowfabric.ports.errors import for_callers
from flowfabric.stores._shared.migrate import (
    Applied,
    Migration,
    Plan,
    applied_in,
    migrations_of,
    noting,
    pending,
    plan_of,
)
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres.connection import Connection, Connector, translating_errors

MIGRATION_LOCK: Final = 0x666C6F77
"""The advisory lock that only one migration holds at a time."""
MIGRATION_LOCK_TIMEOUT_MS: Final = 5_000
"""How long a migration waits for a lock. Meanwhile all other statements on the table wait behind it."""
VERSIONS_TABLE: Final = (
    "create table if not exists ff_schema_version"
    " (version integer primary key, checksum text not null, applied_at timestamptz not null default now())"
)


def plan(url: str) -> Plan:
    """The migrations that a database still lacks. Nothing is changed."""
    connection = Connector(url).first()
    try:
        with for_callers(), translating_errors():
            _check_encoding(connection)
            return plan_of(pending_migrations(connection), versions_table=VERSIONS_TABLE)
    finally:
        connection.close()


def pending_migrations(connection: Connection) -> list[Migration]:
    """The migrations that the database still lacks. Refuses what `pending` refuses."""
    return pending(migrations_of(__package__), applied_migrations(connection), "The database")


def applied_migrations(connection: Connection) -> dict[int, Applied]:
    """The applied migrations, by version."""
    # Not by `to_regclass`: it may still answer as before the migration that this one has waited for.
    there = connection.execute(
        "select exists (select from pg_class where relname = 'ff_schema_version' and pg_table_is_visible(oid))"
    ).fetchone()
    if there is None or not there[0]:
        return {}
    # In binary, because the driver cannot read instants in every DateStyle.
    found = connection.execute("select * from ff_schema_version", prepare=False, binary=True)
    return applied_in([column.name for column in found.description or ()], found.fetchall())


def apply_migrations(connection: Connection, sql: Statements) -> list[Migration]:
    """Bring the schema up to date, one process at a time, each migration in a transaction of its own."""
    _check_encoding(connection)
    done: list[Migration] = []
    while True:
        with _giving_up_on_locks(), connection.transaction():
            connection.execute(sql["lift_limits"].encode())
            connection.execute(f"set local lock_timeout = {MIGRATION_LOCK_TIMEOUT_MS}")
            connection.execute("select pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            todo = pending_migrations(connection)
            if not todo:
                _give_name(connection, sql)
                return done
            connection.execute(VERSIONS_TABLE)
            connection.execute(todo[0].sql.encode(), prepare=False)
            connection.execute(noting(todo[0]).encode(), prepare=False)
            done.append(todo[0])


def _check_encoding(connection: Connection) -> None:
    row = connection.execute("select getdatabaseencoding()").fetchone()
    if row != ("UTF8",):
        encoding = "unknown" if row is None else row[0]
        raise SchemaMismatch(
            f"The database's encoding is {encoding}; flowfabric needs UTF8, because names and tags may hold any "
            "character. Create another database: create database NAME template template0 encoding 'UTF8'."
        )


@contextmanager
def _giving_up_on_locks() -> Iterator[None]:
    try:
        yield
    except psycopg.errors.LockNotAvailable as error:
        raise Contention(
            f"The migration met the lock timeout: another session held what it needs, for {MIGRATION_LOCK_TIMEOUT_MS} "
            "ms. Nothing was changed by this step; end long transactions on the database, then migrate again."
        ) from error


def _give_name(connection: Connection, sql: Statements) -> None:
    """Name a new store. A restored store gets a new name, so that it refuses older leases and cursors."""
    name = given_name(connection, sql)
    if name is not None and name == name_here(connection, name):
        return
    name = name_here(connection, f"postgres-{secrets.token_hex(6)}-")
    connection.execute(sql["save_meta"].encode(), {"name": "store", "value": name})
    # Readers go by transaction ids, and those of another server mean nothing here. The events keep the order of their
    # ids.
    connection.execute("update ff_event set txid = default")
    connection.execute("delete from ff_meta where name = 'purged'")


def given_name(connection: Connection, sql: Statements) -> str | None:
    """The stored name of the store in this database; None: it has no name yet."""
    row = connection.execute(sql["read_meta"].encode(), {"name": "store"}).fetchone()
    return None if row is None else str(row[0])


def name_here(connection: Connection, name: str) -> str:
    """The name of the store in this database on this server."""
    row = connection.execute(
        "select oid, has_function_privilege('pg_control_system()', 'execute')"
        "  from pg_database where datname = current_database()"
    ).fetchone()
    assert row is not None
    database, may_ask = row
    row = connection.execute("select system_identifier from pg_control_system()").fetchone() if may_ask else ("",)
    assert row is not None
    return name_at(name, row[0], database)


def name_at(name: str, server: object, database: object) -> str:
    """The name of a store, made of its stored name, its server and its database. So a copy has another name.

    For a role that may not ask which server this is, the number of the database distinguishes copies.
    """
    place = blake2b(f"{server}/{database}".encode(), digest_size=3).hexdigest()
    return f"{name.rpartition('-')[0]}-{place}"
