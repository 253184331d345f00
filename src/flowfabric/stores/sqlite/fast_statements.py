"""How the fast paths of a transaction send their statements: many rows in as few calls as possible."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import msgspec

from flowfabric.domain.news import PlainStep
from flowfabric.stores._shared.statements import Statements, row_counts
from flowfabric.stores.sqlite.connection import is_undecodable
from flowfabric.stores.sqlite.json_rows import Row, calls

if TYPE_CHECKING:
    from flowfabric.domain.counting import Move
    from flowfabric.domain.outcomes import Outcome


class Numbered(Protocol):
    """A row that tells its number in its table."""

    @property
    def row_id(self) -> int:
        """The number."""


class FastStatements:
    """The statements of one transaction."""

    def __init__(self, connection: sqlite3.Connection, sql: Statements) -> None:
        self._connection = connection
        self._sql = sql

    def text(self, statement: str, values: Sequence[object]) -> str | None:
        """The JSON text that a statement returns. None: it returns none, or one of the texts in it is damaged."""
        try:
            text: str | None = self._connection.execute(statement, values).fetchone()[0]
        except sqlite3.OperationalError as error:
            if not is_undecodable(error):
                raise
            return None
        return text

    def run(self, statement: str, values: Row) -> None:
        """Run a statement by its name."""
        self._connection.execute(self._sql[statement], values)

    def insert(self, statement: str, rows: Sequence[Row], first: Row = ()) -> None:
        """Write rows with a repeated statement, in as few calls as possible."""
        at = 0
        for count in row_counts(len(rows)):
            values = [*first, *chain.from_iterable(rows[at : at + count])]
            self._connection.execute(self._sql.repeated(statement, count), values)
            at += count

    def change(self, statement: str, keys: Sequence[Row], first: Row = ()) -> None:
        """Change the rows of these keys with a repeated statement, in few calls: they are filled up with null keys."""
        for sql, values in calls(self._sql, statement, keys):
            self._connection.execute(sql, [*first, *values])


class FastWork(FastStatements):
    """The statements of one transaction, and what they have done so far."""

    def __init__(
        self, connection: sqlite3.Connection, sql: Statements, store_name: str, era: int, now_ms: int, *, is_told: bool
    ) -> None:
        super().__init__(connection, sql)
        self.connection = connection
        self.sql = sql
        self.store_name = store_name
        self.era = era
        self.now_ms = now_ms
        self.answers: dict[int, Outcome] = {}
        """By place in the batch."""
        self.moves: Counter[Move] = Counter()
        self.told: list[PlainStep] = []
        self._is_told = is_told

    def tell(self, steps: Iterable[PlainStep]) -> None:
        """Keep news, if anybody wants it."""
        if self._is_told:
            self.told += steps


def list_of(rows: Iterable[Numbered]) -> str:
    """The numbers of rows, as statements take them."""
    return msgspec.json.encode([row.row_id for row in rows]).decode()
