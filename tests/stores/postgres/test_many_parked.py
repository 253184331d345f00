"""Beside very many parked executions, PostgreSQL reads as many rows for each thing as beside few."""

from itertools import chain
from typing import Any

import psycopg
import pytest

from tests.assembled import assembled_at
from tests.postgres_server import connected, own_store
from tests.stores.crowds import FEW, FEW_KEYS, MANY, MANY_KEYS, STEPS, TEST_S_MAX, Kept, grown, make_crowds

Sql = psycopg.Connection[tuple[Any, ...]]

ROWS_READ = """
select (select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes)
"""
WAIT_FOR_OTHERS = """
do $$ begin
    while exists (select from pg_stat_activity
                   where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend')
    loop
        perform pg_sleep(0.005);
        perform pg_stat_clear_snapshot();
    end loop;
end $$
"""
"""A session says how much it has read when it ends."""


def _rows_read(url: str) -> dict[str, int]:
    """How many rows of tables and indexes each thing reads, with what it takes to open an engine."""
    took: dict[str, int] = {}
    kept: Kept = {}
    with connected(url) as sql:
        before = _total(sql)
        for name, act in chain.from_iterable(steps() for steps in STEPS):
            with assembled_at(url) as parts:
                act(parts, kept)
            after = _total(sql)
            if name is not None:
                took[name] = after - before
            before = after
    return took


def _total(sql: Sql) -> int:
    sql.execute(WAIT_FOR_OTHERS)
    row = sql.execute(ROWS_READ).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.timeout(TEST_S_MAX)
@pytest.mark.xdist_group("postgres: many parked")
def test_no_row_more_is_read_beside_many_than_beside_few() -> None:
    took = []
    for parked, keys in ((FEW, FEW_KEYS), (MANY, MANY_KEYS)):
        with own_store() as url:
            make_crowds(url, parked, keys)
            took.append(_rows_read(url))

    few, many = took
    assert min(few.values()) > 0
    # A batch that meets another one is decided again, and then reads everything twice.
    assert grown(few, many, most=2.2, plus=100) == {}
