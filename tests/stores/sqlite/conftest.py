"""A database file of its own for every test."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, open_blocking_engine
from flowfabric.stores.sqlite.writer import SqliteWriter
from flowfabric.testing import ManualClock
from tests.assembled import Assembled, assembled_at
from tests.stores_under_test import new_sqlite_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.db"


@pytest.fixture
def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def parts(url: str, path: Path, clock: ManualClock) -> Iterator[Assembled]:
    """The engine, and what it is made of."""
    path.write_bytes(new_sqlite_file())
    with assembled_at(url, clock=clock) as parts:
        yield parts


@pytest.fixture
def engine(parts: Assembled) -> BlockingEngine:
    return parts.engine


@pytest.fixture
def sql(engine: BlockingEngine, path: Path) -> Iterator[sqlite3.Connection]:
    """Someone else's connection to the engine's file, for looking and for damage."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma wal_autocheckpoint = 0")
    yield connection
    connection.close()


Open = Callable[..., BlockingEngine]


@pytest.fixture
def open_another(url: str) -> Iterator[Open]:
    """Open further engines on the same file, with a real clock and without reconcilers; closed after the test."""
    with ExitStack() as stack:

        def open_another(**options: object) -> BlockingEngine:
            return stack.enter_context(open_blocking_engine(url, **{"reconcile": False, **options}))

        yield open_another


def writer_of(parts: Assembled) -> SqliteWriter:
    """The engine's one writer, for tests that take something away from it."""
    writer = parts.commits._committers[0]._writer
    assert isinstance(writer, SqliteWriter)
    return writer
