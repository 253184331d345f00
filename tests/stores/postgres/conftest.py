"""A database of its own for every test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest

from flowfabric import BlockingEngine, open_blocking_engine
from flowfabric.testing import ManualClock
from tests.assembled import Assembled, assembled_at
from tests.postgres_server import OwnServer, connected, own_server, own_store

Sql = psycopg.Connection[tuple[Any, ...]]
LEASE_ENDS = (
    "(select due_at_ms, unnest(partition_keys) as partition_key, unnest(execution_ids) as execution_id"
    " from ff_lease_sheet) as lease_ends"
)
"""The sheets, as if they were a table with one row for each lease."""


@pytest.fixture
def url() -> Iterator[str]:
    with own_store() as url:
        yield url


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def parts(url: str, clock: ManualClock) -> Iterator[Assembled]:
    """The engine, and what it is made of."""
    with assembled_at(url, clock=clock) as parts:
        yield parts


@pytest.fixture
def engine(parts: Assembled) -> BlockingEngine:
    return parts.engine


@pytest.fixture
def sql(url: str) -> Iterator[Sql]:
    """Someone else's connection to the same database, for looking and for damage."""
    with connected(url) as connection:
        yield connection


@pytest.fixture(scope="session")
def server() -> Iterator[OwnServer]:
    """A server that tests may stop; those that do are one group, so that it is started once."""
    with own_server() as server:
        yield server


Open = Callable[..., BlockingEngine]


@pytest.fixture
def open_another(url: str) -> Iterator[Open]:
    """Open further engines on the same database, with the server's clock and no reconcilers; closed after the test."""
    with ExitStack() as stack:

        def open_another(url: str = url, **options: Any) -> BlockingEngine:
            return stack.enter_context(open_blocking_engine(url, **{"reconcile": False, **options}))

        yield open_another
