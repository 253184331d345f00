"""Values that a statement names by number, on Pythons that would warn of them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from flowfabric.stores.sqlite.connection import UnnumberedConnection


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", factory=UnnumberedConnection)) as opened:
        yield opened


def test_each_value_stands_wherever_its_number_does(connection: sqlite3.Connection) -> None:
    row = connection.execute("select ?3, ?1, ?3, ?10", "abcdefghij").fetchone()

    assert row == ("c", "a", "c", "j")


def test_a_statement_without_numbers_is_run_as_it_is(connection: sqlite3.Connection) -> None:
    row = connection.execute("select ?, ?", ("a", "b")).fetchone()

    assert row == ("a", "b")
