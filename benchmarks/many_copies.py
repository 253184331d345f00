"""Very many executions that wait, made by copying the rows of one.

The engine suspends or parks some thousand executions a second. A database copies a hundred thousand in a few seconds,
and a claim cannot tell them apart.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing

from flowfabric import open_blocking_engine

TABLES = ("ff_exec_core", "ff_payload", "ff_waitpoint", "ff_due", "ff_at_gate")
"""The tables that have rows of a waiting execution which a claim, a sweep or a list might meet."""
AT_ONCE = 100_000


def copy_execution(url: str, execution_id: str, number: int) -> None:
    """Make so many more executions as copies of this one."""
    _copy(url, execution_id, number, {})


def copy_to_keys(url: str, execution_id: str, limit: str, key: str, number: int) -> None:
    """Make so many more executions as copies of one that is parked at a key of a limit, each at a key of its own.

    The new keys are the key with a number behind it, and as much of each is in use as of the key itself.
    """
    new_key = f"'{key}-' || new_id.number"
    _copy(
        url,
        execution_id,
        number,
        {
            "ff_exec_core": {"gates": f"replace(old.gates, '\"{key}\"', '\"' || {new_key} || '\"')"},
            "ff_at_gate": {"gate_key": new_key},
            "ff_limit_key": {"key": new_key},
        },
        {"ff_limit_key": f"old.name = '{limit}' and old.key = '{key}'"},
    )


Changed = Mapping[str, Mapping[str, str]]
"""The columns of each table in which a copy differs, as expressions."""


def _copy(url: str, execution_id: str, number: int, changed: Changed, others: Mapping[str, str] | None = None) -> None:
    """`others`: further tables, with the condition that finds the row."""
    uuid = execution_id[-36:].replace("-", "")
    if url.startswith("sqlite:"):
        of_one = dict.fromkeys(TABLES, f"old.execution_id = x'{uuid}'")
        _copy_in_sqlite(url.removeprefix("sqlite:///"), number, {**of_one, **(others or {})}, changed)
    else:
        of_one = dict.fromkeys(TABLES, f"old.execution_id = '{uuid}'")
        _copy_in_postgres(url, number, {**of_one, **(others or {})}, changed)
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.recount()  # no commit has counted the copies


def _copy_in_sqlite(path: str, number: int, tables: Mapping[str, str], changed: Changed) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("create temp table new_id (number integer, execution_id blob)")
        for begin in range(0, number, AT_ONCE):
            connection.execute("begin immediate")
            connection.execute("delete from new_id")
            connection.execute(
                "with recursive n(i) as (select ?1 union all select i + 1 from n where i < ?2)"
                " insert into new_id select i, randomblob(16) from n",
                [begin + 1, min(begin + AT_ONCE, number)],
            )
            for table, condition in tables.items():
                columns = [row[1] for row in connection.execute(f"pragma table_info({table})")]
                if columns:  # what is due has no table of its own here
                    connection.execute(_statement(table, columns, condition, changed.get(table, {})))
            connection.execute("commit")
        connection.execute("analyze")


def _copy_in_postgres(url: str, number: int, tables: Mapping[str, str], changed: Changed) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for begin in range(0, number, AT_ONCE):
            with connection.transaction():
                connection.execute(
                    "create temp table new_id on commit drop as select number, gen_random_uuid() execution_id"
                    f" from generate_series({begin + 1}, {min(begin + AT_ONCE, number)}) as number"
                )
                for table, condition in tables.items():
                    found = connection.execute(f"select * from {table} limit 0".encode()).description
                    columns = [column.name for column in found or ()]
                    connection.execute(_statement(table, columns, condition, changed.get(table, {})).encode())
        connection.execute("vacuum analyze")


def _statement(table: str, columns: list[str], condition: str, changed: Mapping[str, str]) -> str:
    values = {name: f"old.{name}" for name in columns} | dict(changed)
    if "execution_id" in values:
        values["execution_id"] = "new_id.execution_id"
    return (
        f"insert into {table} ({', '.join(values)}) select {', '.join(values.values())}"
        f" from {table} old cross join new_id"  # in this order, SQLite looks for the old row once
        f" where {condition}"
    )
