"""Connections that callers have opened themselves: which driver a connection belongs to, and what ends its transaction.

No driver is imported here. A caller that hands in a connection has already imported the driver's module, so the
driver's classes are looked up in `sys.modules`.
"""

import os
import sys
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from flowfabric.domain.errors import InvalidInput, StoreError

_DRIVERS: Final = {
    "sqlite3.Connection": False,
    "aiosqlite.Connection": True,
    "psycopg.Connection": False,
    "psycopg.AsyncConnection": True,
    "asyncpg.Connection": True,
}
"""The connection classes of the drivers, and whether their methods are awaited."""
_WRAPPERS: Final = {
    "sqlalchemy.engine.Connection": False,
    "sqlalchemy.orm.Session": False,
    "sqlalchemy.orm.scoped_session": False,
    "sqlalchemy.ext.asyncio.AsyncConnection": True,
    "sqlalchemy.ext.asyncio.AsyncSession": True,
    "sqlalchemy.ext.asyncio.async_scoped_session": True,
}
_BEGINS: Final = "select 1"
"""SQLAlchemy begins a transaction with the first statement that it runs, and commits only such a transaction."""


class Caller(NamedTuple):
    """A caller's connection, with the driver's connection inside it."""

    kind: str
    """The driver's class, such as `psycopg.Connection`."""
    driver: Any
    owner: Any
    """The object that commits and rolls back: the driver's connection, or SQLAlchemy's object around it."""


def check_process(pid: int) -> None:
    """Refuse to end a transaction in a forked child. Transaction and connection belong to the parent process."""
    if os.getpid() != pid:
        raise StoreError(
            f"The block of `transaction(conn)` was begun in process {pid} and is left in process {os.getpid()}, after "
            "a fork. Nothing is committed here; let the child end inside the block, with os._exit."
        )


def check_waits(connection: object, *, is_async: bool) -> None:
    """Refuse an unknown kind of connection, an async one in synchronous code, and a blocking one in async code."""
    kind = _kind_of(connection, _DRIVERS | _WRAPPERS)
    if kind is None:
        raise InvalidInput(
            f"conn is a {type(connection).__module__}.{type(connection).__qualname__}. Hand in a connection of "
            "psycopg, asyncpg, sqlite3 or aiosqlite, or a connection or session of SQLAlchemy over one of them."
        )
    waits = (_DRIVERS | _WRAPPERS)[kind]
    if waits and not is_async:
        raise InvalidInput(
            f"conn is a {kind}, which has to be awaited. Use `await ….submit(…)` and `async with`, or hand in a "
            "connection for synchronous code."
        )
    if is_async and not waits:
        raise InvalidInput(
            f"conn is a {kind}, which would block the event loop. Use `submit_sync` and `with`, in a thread if need "
            "be, or hand in a connection that is awaited."
        )


async def unwrapped(connection: Any) -> Caller:
    """The driver's connection. If it is inside SQLAlchemy, SQLAlchemy has begun its transaction by then."""
    kind = _kind_of(connection, _DRIVERS)
    if kind is not None:
        return Caller(kind, connection, connection)
    try:
        driver = await _driver_inside(connection)
    except Exception as error:
        raise InvalidInput(
            f"The {type(connection).__name__} handed in as conn has no connection to join ({_first_line(error)}). "
            "Check that it is open and bound to the database."
        ) from error
    kind = _kind_of(driver, _DRIVERS)
    if kind is None:
        raise InvalidInput(
            f"conn is a {type(connection).__name__} over {type(driver).__module__}.{type(driver).__qualname__}. Let "
            "SQLAlchemy use psycopg, asyncpg, sqlite3 or aiosqlite: 'postgresql+psycopg://…', for one."
        )
    return Caller(kind, driver, connection)


async def _driver_inside(connection: Any) -> Any:
    kind = _kind_of(connection, _WRAPPERS)
    if kind is not None and not _WRAPPERS[kind]:
        inner = connection if kind == "sqlalchemy.engine.Connection" else connection.connection()
        if not inner.in_transaction():
            inner.exec_driver_sql(_BEGINS)
        return inner.connection.driver_connection
    inner = connection if kind == "sqlalchemy.ext.asyncio.AsyncConnection" else await connection.connection()
    driver = (await inner.get_raw_connection()).driver_connection
    is_idle = _kind_of(driver, _DRIVERS) == "asyncpg.Connection" and not driver.is_in_transaction()
    if is_idle or not inner.in_transaction():
        await inner.exec_driver_sql(_BEGINS)
    return driver


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _kind_of(connection: object, kinds: Mapping[str, bool]) -> str | None:
    for path in kinds:
        module, _, name = path.rpartition(".")
        cls = getattr(sys.modules.get(module), name, None)
        if cls is not None and isinstance(connection, cls):
            return path
    return None
