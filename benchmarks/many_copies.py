"""Very many executions that wait, made by copying the rows of one.

The engine suspends or parks some thousand executions a second. A database copies a hundred thousand in a few seconds,
and a claim cannot tell them apart.
"""

import sqlite3
from contextlib import closing

TABLES = ("ff_exec_core", "ff_payload", "ff_waitpoint", "ff_due", "ff_at_gate")
"""The tables that have rows of a waiting execution which a claim, a sweep or a list might meet."""
AT_ONCE = 100_000


def copy_execution(url: str, execution_id: str, number: int) -> None:
    """Make so many more executions as copies of this one."""
    uuid = execution_id[-36:].replace("-", "")
    if url.startswith("sqlite:"):
        _copy_in_sqlite(url.removeprefix("sqlite:///"), uuid, number)
    else:
        _copy_in_postgres(url, uuid, number)


def _copy_in_sqlite(path: str, uuid: str, number: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("create temp table new_id (execution_id blob)")
        for begin in range(0, number, AT_ONCE):
            connection.execute("begin immediate")
            connection.execute("delete from new_id")
            connection.execute(
                "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)"
                " insert into new_id select randomblob(16) from n",
                [min(AT_ONCE, number - begin)],
            )
            for table in TABLES:
                columns = [row[1] for row in connection.execute(f"pragma table_info({table})")]
                if columns:  # what is due has no table of its own here
                    _copy_table(connection.execute, table, columns, f"x'{uuid}'")
            connection.execute("commit")
        connection.execute("analyze")


def _copy_in_postgres(url: str, uuid: str, number: int) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for begin in range(0, number, AT_ONCE):
            with connection.transaction():
                connection.execute(
                    "create temp table new_id on commit drop as select gen_random_uuid() execution_id"
                    f" from generate_series(1, {min(AT_ONCE, number - begin)})"
                )
                for table in TABLES:
                    found = connection.execute(f"select * from {table} limit 0").description
                    _copy_table(connection.execute, table, [column.name for column in found or ()], f"'{uuid}'")
        connection.execute("vacuum analyze")


def _copy_table(execute: object, table: str, columns: list[str], uuid: str) -> None:
    others = [name for name in columns if name != "execution_id"]
    names = ", ".join(others)
    values = ", ".join(f"old.{name}" for name in others)
    execute(
        f"insert into {table} (execution_id, {names}) select new_id.execution_id, {values}"
        f" from {table} old cross join new_id"  # in this order, SQLite looks for the old row once
        f" where old.execution_id = {uuid}"
    )
