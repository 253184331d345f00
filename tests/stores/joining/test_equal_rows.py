"""Joined or by itself, a submit leaves the same rows: every column of every table, and the same answers."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

from flowfabric import BlockingEngine, EngineError, ManualClock, NewExecution, open_blocking_engine
from flowfabric.domain.ids import lane_partition, make_execution_id
from tests.postgres_server import connected
from tests.stores.joining.kinds import database, path_in
from tests.stores.stories import CAPABILITIES, KINDS, LANES, NAMESPACES, PAYLOADS, POLICIES, TAG_KEYS, TAG_VALUES

STEPS = 60
ITS_OWN = {"ff_meta", "ff_batch", "ff_schema_version", "sqlite_sequence", "orders"}
"""What two databases differ in, and the markers of batches, which a joined submit is none of."""


class Submit(NamedTuple):
    items: list[NewExecution]
    command_id: str | None


def submits(seed: int) -> Iterator[Submit | int | Literal["cancel all"]]:
    """Random submits; in between the clock jumps, or everything is cancelled, so that keys may be taken over."""
    chance = random.Random(seed)
    for _ in range(STEPS):
        if chance.random() < 0.2:
            yield chance.choice((1, 500, 5_000))
        if chance.random() < 0.1:
            yield "cancel all"
        items = [_creation(chance) for _ in range(chance.choice((1, 1, 1, 4)))]
        yield Submit(items, chance.choice((None, None, None, "once", "twice")))


def _creation(chance: random.Random) -> NewExecution:
    lane = chance.choice(LANES)
    now_ms = ManualClock().now_ms
    return NewExecution(
        kind=chance.choice(KINDS),
        payload=chance.choice(PAYLOADS),
        lane=lane,
        namespace=chance.choice(NAMESPACES),
        execution_id=make_execution_id(lane_partition(lane), f"01a1de98-5e63-7000-8000-{chance.randrange(40):012x}"),
        priority=chance.choice((0, 0, 5, 9000)),
        delay_until_ms=chance.choice((None, None, now_ms + 3_000)),
        deadline_at_ms=chance.choice((None, None, now_ms + 60_000)),
        idempotency_key=chance.choice((None, None, "a", "b", "ü\n{}")),
        idempotency_ttl_ms=chance.choice((1_000, 86_400_000)),
        idempotency_on_ended=chance.choice(("return", "renew_failed", "renew")),
        required_capabilities=chance.choice(CAPABILITIES),
        policy=chance.choice(POLICIES),
        tags={key: chance.choice(TAG_VALUES) for key in TAG_KEYS if chance.random() < 0.4},
    )


def answer_to(engine: BlockingEngine, submit: Submit, conn: object = None) -> str:
    engine = engine.acting_as("ann") if submit.items[0].priority else engine
    try:
        return repr(engine.create_executions(submit.items, command_id=submit.command_id, conn=conn))
    except EngineError as refusal:
        return repr(refusal)


@contextmanager
def looking(url: str) -> Iterator[Any]:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(path_in(url))) as connection:
            yield connection
    else:
        with connected(url) as connection:
            yield connection


def rows_of(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in every table, with capability sets by what they hold: their numbers are of no account.

    Each database has an era of its own, so an era shows only as whether it was given. Two committers may write events
    in either order, so the numbers of events and transactions are of no account.
    """
    lists = "select name from sqlite_schema where type = 'table'"
    if not url.startswith("sqlite"):
        lists = "select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace"
    with looking(url) as sql:
        tables = {name for (name,) in sql.execute(lists).fetchall()} - ITS_OWN
        sets = dict(sql.execute("select capability_set, tokens from ff_capability_set").fetchall()) | {0: "[]"}
        found: dict[str, list[tuple[Any, ...]]] = {}
        for table in tables:
            cursor = sql.execute(f"select * from {table}")
            columns = [column[0] for column in cursor.description]
            left_out = ("event_id", "txid")
            found[table] = sorted(
                (
                    tuple(
                        sets[value] if name == "capability_set" else value is None if name == "lease_era" else value
                        for name, value in zip(columns, row, strict=True)
                        if name not in left_out
                    )
                    for row in cursor.fetchall()
                ),
                key=repr,
            )
        return found


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_submits_leave_the_same_rows_either_way(store: str, seed: int, tmp_path: Path) -> None:
    (tmp_path / "joined").mkdir()
    clock = ManualClock()
    chance = random.Random(seed)
    with (
        database(store, tmp_path) as url,
        database(store, tmp_path / "joined") as joined_url,
        open_blocking_engine(url, clock=clock, reconcile=False, migrate=True) as engine,
        open_blocking_engine(joined_url, clock=clock, reconcile=False, migrate=True) as joined,
        looking(joined_url) as conn,
    ):
        for step in submits(seed):
            if isinstance(step, int):
                clock.advance(step)
                continue
            if step == "cancel all":
                for each in (engine, joined):
                    each.operate("cancel", reason="test", limit=1000)
                continue
            expected = answer_to(engine, step)
            if chance.random() < 0.3:
                with suppress(ZeroDivisionError), joined.transaction(conn):
                    answer_to(joined, step, conn)
                    raise ZeroDivisionError
            with joined.transaction(conn):
                assert answer_to(joined, step, conn) == expected

        rows, joined_rows = rows_of(url), rows_of(joined_url)

    assert joined_rows == rows
    assert all(rows[table] for table in ("ff_exec_core", "ff_payload", "ff_tag", "ff_idempotency", "ff_command"))
