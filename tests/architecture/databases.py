"""Fresh databases of every SQL store, to hold the code's words against."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from flowfabric.app import open_store
from tests.postgres_server import own_store

Row = tuple[Any, ...]
_NAMED = re.compile(r"%\((\w+)\)s")


class Database(NamedTuple):
    """A migrated, empty database, spoken to in its own dialect."""

    run: Callable[[str, Sequence[object]], list[Row]]
    """Run a statement with `?` for each value."""
    columns: Callable[[str], list[str]]
    """The columns of a table, in order."""
    prepare: Callable[[str], None]
    """Let the database parse a statement of ours and check every name in it, without running it."""
    uuid: Callable[[int], object]
    """A uuid as the database wants it."""


@contextmanager
def _sqlite(folder: Path) -> Iterator[Database]:
    path = folder / "fresh.db"
    open_store(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path)) as connection:

        def prepare(statement: str) -> None:
            numbered = [int(number) for number in re.findall(r"\?(\d+)", statement)]
            count = max(numbered, default=0) or statement.count("?")
            connection.execute(f"explain {statement}", [None] * count)

        yield Database(
            lambda sql, values: connection.execute(sql, values).fetchall(),
            lambda table: [row[1] for row in connection.execute(f"pragma table_info({table})")],
            prepare,
            lambda number: number.to_bytes(16, "big"),
        )


@contextmanager
def _postgres(folder: Path) -> Iterator[Database]:
    with own_store() as url, psycopg.connect(url, autocommit=True) as connection:

        def run(sql: str, values: Sequence[object]) -> list[Row]:
            cursor = connection.execute(sql.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description else []

        def prepare(statement: str) -> None:
            names = list(dict.fromkeys(_NAMED.findall(statement)))
            numbered = _NAMED.sub(lambda match: f"${names.index(match[1]) + 1}", statement).replace("%%", "%")
            if statement.startswith("set "):
                connection.execute(numbered.encode())
                return
            connection.execute(f"prepare checked as {numbered}".encode())
            connection.execute("deallocate checked")

        yield Database(
            run,
            lambda table: [
                row[0]
                for row in connection.execute(
                    "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 order by attnum",
                    (table,),
                )
            ],
            prepare,
            lambda number: f"{number:032x}",
        )


DATABASES: dict[str, Callable[[Path], AbstractContextManager[Database]]] = {"sqlite": _sqlite, "postgres": _postgres}
