"""Every kind of connection whose transaction can be joined, behind one face, so that a test is written once for all.

Those of synchronous drivers never suspend; they are awaited here all the same.
"""

import inspect
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiosqlite
import asyncpg
import psycopg
import sqlalchemy
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import Session, scoped_session, sessionmaker
from sqlalchemy.pool import NullPool

from tests.postgres_server import connected, emptied_store

Open = Callable[[str], AbstractAsyncContextManager[Any]]


class Kind(NamedTuple):
    store: str
    is_async: bool
    open: Open
    """The connection to hand in, to the database that a url names."""


async def said(answer: Any) -> Any:
    """What a call answers, awaited if it has to be."""
    return await answer if inspect.isawaitable(answer) else answer


async def execute(conn: Any, sql: str) -> list[tuple[Any, ...]]:
    """Run a statement of the caller's own; its rows."""
    if hasattr(conn, "fetch"):
        return [tuple(row) for row in await conn.fetch(sql)]
    text = sqlalchemy.text(sql) if "sqlalchemy" in type(conn).__module__ else sql
    result = await said(conn.execute(text))
    if isinstance(result, sqlalchemy.CursorResult):
        return [tuple(row) for row in result.fetchall()] if result.returns_rows else []
    return [tuple(row) for row in await said(result.fetchall())] if result.description else []


async def begin(conn: Any) -> None:
    """Begin where the driver does not by itself."""
    if hasattr(conn, "fetch"):
        await conn.execute("begin")


async def commit(conn: Any) -> None:
    if hasattr(conn, "fetch"):
        await conn.execute("commit")
    else:
        await said(conn.commit())


async def rollback(conn: Any) -> None:
    if hasattr(conn, "fetch"):
        await conn.execute("rollback")
    else:
        await said(conn.rollback())


# ── sqlite ───────────────────────────────────────────────────────────────────────────────────────


def path_in(url: str) -> str:
    return url.removeprefix("sqlite:///")


def _sqlite3(**options: Any) -> Open:
    @asynccontextmanager
    async def opened(url: str) -> AsyncIterator[sqlite3.Connection]:
        connection = sqlite3.connect(path_in(url), **options)
        yield connection
        connection.close()

    return opened


@asynccontextmanager
async def _aiosqlite(url: str) -> AsyncIterator[aiosqlite.Connection]:
    async with aiosqlite.connect(path_in(url)) as connection:
        yield connection


# ── postgres ─────────────────────────────────────────────────────────────────────────────────────


def _psycopg(**options: Any) -> Open:
    @asynccontextmanager
    async def opened(url: str) -> AsyncIterator[psycopg.Connection[Any]]:
        connection = psycopg.connect(url, **options)
        yield connection
        connection.close()

    return opened


@asynccontextmanager
async def _async_psycopg(url: str) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    connection = await psycopg.AsyncConnection.connect(url)
    yield connection
    await connection.close()


@asynccontextmanager
async def _asyncpg(url: str) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(url)
    yield connection
    await connection.close()


@asynccontextmanager
async def _asyncpg_pool(url: str) -> AsyncIterator[Any]:
    async with asyncpg.create_pool(url, min_size=1, max_size=1) as pool, pool.acquire() as connection:
        yield connection


# ── sqlalchemy ───────────────────────────────────────────────────────────────────────────────────


def _over(driver: str, url: str) -> str:
    return f"{url.split('://')[0]}+{driver}://{url.split('://', 1)[1]}"


def _alchemy(driver: str, make: Callable[[sqlalchemy.Engine], Any], **options: Any) -> Open:
    @asynccontextmanager
    async def opened(url: str) -> AsyncIterator[Any]:
        engine = sqlalchemy.create_engine(_over(driver, url), poolclass=NullPool, **options)
        connection = make(engine)
        yield connection
        connection.close()
        engine.dispose()

    return opened


def _begins_by_word(engine: sqlalchemy.Engine) -> sqlalchemy.Connection:
    """SQLAlchemy's advice for SQLite: let it say `begin`, not the driver."""

    @sqlalchemy.event.listens_for(engine, "connect")
    def on_connect(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None

    @sqlalchemy.event.listens_for(engine, "begin")
    def on_begin(connection: sqlalchemy.Connection) -> None:
        connection.exec_driver_sql("begin")

    return engine.connect()


def _async_alchemy(driver: str, make: Callable[[AsyncEngine], Any]) -> Open:
    @asynccontextmanager
    async def opened(url: str) -> AsyncIterator[Any]:
        engine = create_async_engine(_over(driver, url), poolclass=NullPool)
        async with make(engine) as connection:
            yield connection
        await engine.dispose()

    return opened


KINDS = {
    "sqlite3": Kind("sqlite", False, _sqlite3()),
    "sqlite3 without implicit begin": Kind("sqlite", False, _sqlite3(isolation_level=None)),
    "aiosqlite": Kind("sqlite", True, _aiosqlite),
    "sqlalchemy connection on sqlite": Kind("sqlite", False, _alchemy("pysqlite", lambda e: e.connect())),
    "sqlalchemy that says begin on sqlite": Kind("sqlite", False, _alchemy("pysqlite", _begins_by_word)),
    "sqlalchemy session on sqlite": Kind("sqlite", False, _alchemy("pysqlite", Session)),
    "sqlalchemy async connection on sqlite": Kind("sqlite", True, _async_alchemy("aiosqlite", lambda e: e.connect())),
    "sqlalchemy async session on sqlite": Kind("sqlite", True, _async_alchemy("aiosqlite", AsyncSession)),
    "psycopg": Kind("postgres", False, _psycopg()),
    "psycopg async": Kind("postgres", True, _async_psycopg),
    "asyncpg": Kind("postgres", True, _asyncpg),
    "asyncpg from a pool": Kind("postgres", True, _asyncpg_pool),
    "sqlalchemy connection on psycopg": Kind("postgres", False, _alchemy("psycopg", lambda e: e.connect())),
    "sqlalchemy session on psycopg": Kind("postgres", False, _alchemy("psycopg", Session)),
    "sqlalchemy scoped session on psycopg": Kind(
        "postgres", False, _alchemy("psycopg", lambda e: scoped_session(sessionmaker(e)))
    ),
    "sqlalchemy async connection on psycopg": Kind("postgres", True, _async_alchemy("psycopg", lambda e: e.connect())),
    "sqlalchemy async session on psycopg": Kind("postgres", True, _async_alchemy("psycopg", AsyncSession)),
    "sqlalchemy async connection on asyncpg": Kind("postgres", True, _async_alchemy("asyncpg", lambda e: e.connect())),
    "sqlalchemy async session on asyncpg": Kind("postgres", True, _async_alchemy("asyncpg", AsyncSession)),
}
if hasattr(sqlite3, "LEGACY_TRANSACTION_CONTROL"):
    KINDS["sqlite3 in autocommit"] = Kind("sqlite", False, _sqlite3(autocommit=True))
    KINDS["sqlite3 always in a transaction"] = Kind("sqlite", False, _sqlite3(autocommit=False))
ON_POSTGRES = [name for name, kind in KINDS.items() if kind.store == "postgres"]
ON_SQLITE = [name for name, kind in KINDS.items() if kind.store == "sqlite"]


@contextmanager
def database(store: str, folder: Path) -> Iterator[str]:
    """The url of an empty store, in whose database the caller has a table of its own."""
    if store == "sqlite":
        path = folder / "shop.db"
        connection = sqlite3.connect(path)
        connection.execute("create table orders (name text)")
        connection.close()
        yield f"sqlite:///{path}"
        return
    with emptied_store() as url:
        with connected(url) as connection:
            connection.execute("create table orders (name text)")
        yield url
        with connected(url) as connection:
            connection.execute("drop table orders")
