"""Every store that must behave the same, in one table, and the fixtures that open them.

A new store is one more entry. A `conftest.py` whose tests run on every store imports the fixtures.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from flowfabric import BlockingEngine, ManualClock
from flowfabric.stores.sqlite.store import SqliteStore
from tests.assembled import Assembled, assembled_at
from tests.postgres_server import emptied_store


class StoreUnderTest(NamedTuple):
    empty: Callable[[Path], AbstractContextManager[str]]
    """The url of an empty store, which is there for as long as the block lasts; the folder is the test's own."""
    is_shared: bool
    """Whether a second engine on the same url sees the same records."""


@contextmanager
def _memory(folder: Path) -> Iterator[str]:
    yield "memory://"


@contextmanager
def _sqlite(folder: Path) -> Iterator[str]:
    (folder / "jobs.db").write_bytes(new_sqlite_file())
    yield f"sqlite:///{folder}/jobs.db"


@cache
def new_sqlite_file() -> bytes:
    """A migrated file without records and without a name, which it gets when it is opened.

    Copying it is quicker than migrating a new one. Tests of migrations start from nothing.
    """
    with TemporaryDirectory() as folder:
        SqliteStore(f"{folder}/new.db", migrate=True).close()
        with closing(sqlite3.connect(f"{folder}/new.db", isolation_level=None)) as connection:
            connection.execute("delete from ff_meta where name = 'incarnation'")
        return Path(folder, "new.db").read_bytes()


@contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    with emptied_store() as url:
        yield url


STORES = {
    "memory": StoreUnderTest(_memory, is_shared=False),
    "sqlite": StoreUnderTest(_sqlite, is_shared=True),
    "postgres": StoreUnderTest(_postgres, is_shared=True),
}
SHARED_STORES = [name for name, store in STORES.items() if store.is_shared]


@pytest.fixture(params=STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        yield url


on_one_store = pytest.mark.parametrize("store_url", ["memory"], indirect=True)
"""For a test whose fixtures open a store that it asks for nothing."""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def parts(store_url: str, clock: ManualClock) -> Iterator[Assembled]:
    """The engine, and what it is made of."""
    with assembled_at(store_url, clock=clock, migrate=True) as parts:
        yield parts


@pytest.fixture
def engine(parts: Assembled) -> BlockingEngine:
    return parts.engine
