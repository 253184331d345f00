"""A long past: what gets slower with many finished executions on disk? Nothing should but a listing by tag.

One execution is made, run and finished by the engine; its rows, in every table, are then multiplied by the database
itself, so they are what the engine writes, whatever the schema is.
"""

import asyncio
import sqlite3
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import closing

import psycopg
from rich.console import Console
from rich.table import Table
from workload import PAYLOAD, RESULT

from flowfabric import Engine, NewExecution, open_blocking_engine, open_engine

TABLES = ("ff_exec_core", "ff_payload", "ff_result", "ff_attempt", "ff_event", "ff_tag")
NUMBERED = ("event_id", "txid")
"""Columns that the database fills in by itself."""
TAG = ("bench.age", "old")
FEW = 10_000
AT_ONCE = 500_000
SAMPLES = 20
LIMIT = 100
SLOWER_MAX = 1.5
NOISE_MS = 2.0
"""What is told apart is ten times as slow; a quiet machine stays well below either limit."""
EXPECTED = "list by tag"


def check_history(console: Console, url: str, finished: int) -> bool:
    """Measure with few finished executions and with many; whether nothing got slower that must not."""
    asyncio.run(finish_one(url))
    multiply(console, url, 1, FEW)
    few = asyncio.run(_measure(url))
    multiply(console, url, FEW + 1, finished)
    many = asyncio.run(_measure(url))
    table = Table(title=f"{url.partition(':')[0]}: milliseconds with {FEW:,} and with {finished:,} finished executions")
    for column in ("", f"{FEW:,}", f"{finished:,}", "times"):
        table.add_column(column, justify="left" if not column else "right")
    for name in few:
        table.add_row(name, f"{few[name]:.2f}", f"{many[name]:.2f}", f"{many[name] / few[name]:.2f}")
    console.print(table)
    slower = [
        name for name in few if many[name] > max(few[name] * SLOWER_MAX, few[name] + NOISE_MS) and name != EXPECTED
    ]
    for name in slower:
        console.print(f"{name}: more than {SLOWER_MAX} times as slow with a long past")
    return not slower


async def finish_one(url: str) -> None:
    async with open_engine(url, migrate=True, reconcile=False) as engine:
        await engine.create_executions([NewExecution(kind="noop", payload=PAYLOAD, tags=dict([TAG]))])
        [claimed] = await engine.claim(worker_id="past", worker_instance_id="past")
        await engine.complete(claimed.lease, RESULT)


async def _measure(url: str) -> dict[str, float]:
    async with open_engine(url, reconcile=False) as engine:
        [old] = (await engine.list_executions(tag=TAG, limit=1)).items
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "describe an old one": lambda: engine.describe_execution(old.execution_id),
            "its result": lambda: engine.get_result(old.execution_id),
            "its attempts": lambda: engine.list_attempts(old.execution_id),
            "list the newest": lambda: engine.list_executions(limit=LIMIT),
            "list completed": lambda: engine.list_executions(public_state="completed", limit=LIMIT),
            "list those that wait": lambda: engine.list_executions(public_state="waiting", limit=LIMIT),
            "list an empty lane": lambda: engine.list_executions(lane="nobody", limit=LIMIT),
            "list a kind": lambda: engine.list_executions(kind="noop", limit=LIMIT),
            "list a kind that never was": lambda: engine.list_executions(kind="nothing", limit=LIMIT),
            "the store in numbers": engine.stats,
            "the lanes": engine.list_lanes,
            EXPECTED: lambda: engine.list_executions(tag=TAG, limit=LIMIT),
        }
        lives = [await _a_life(engine) for _ in range(SAMPLES)]
        phases = zip(*lives, strict=True)
        names = (f"create {LIMIT}", f"claim {LIMIT}", f"complete {LIMIT}")
        found = {name: statistics.median(times) for name, times in zip(names, phases, strict=True)}
        for name, way in ways.items():
            found[name] = statistics.median([await _ms(way) for _ in range(SAMPLES)])
        return found


async def _a_life(engine: Engine) -> tuple[float, float, float]:
    """A hundred executions from their creation to their end: milliseconds of each phase."""
    claimed: list = []

    async def claim() -> None:
        claimed.extend(await engine.claim(worker_id="now", worker_instance_id="now", limit=LIMIT))

    create = await _ms(
        lambda: engine.create_executions([NewExecution(kind="noop", payload=PAYLOAD) for _ in range(LIMIT)])
    )
    claiming = await _ms(claim)
    complete = await _ms(lambda: asyncio.gather(*(engine.complete(each.lease, RESULT) for each in claimed)))
    assert len(claimed) == LIMIT
    return create, claiming, complete


async def _ms(way: Callable[[], Awaitable[object]]) -> float:
    start = time.perf_counter()
    await way()
    return (time.perf_counter() - start) * 1000


# ── multiplying ──────────────────────────────────────────────────────────────────────────────────


def multiply(console: Console, url: str, first: int, last: int) -> None:
    """Copies of the one execution, numbered; each a millisecond older than the one after it."""
    copy = _on_sqlite if url.startswith("sqlite") else _on_postgres
    with console.status("") as status:
        for at in range(first, last + 1, AT_ONCE):
            status.update(f"{at:,} of {last:,} finished executions")
            copy(url, at, min(at + AT_ONCE - 1, last))
        status.update("counting them")
        with open_blocking_engine(url, reconcile=False) as engine:
            engine.recount()  # no commit has counted the copies


def _on_postgres(url: str, first: int, last: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        [[one]] = connection.execute("select execution_id from ff_tag order by created_at_ms desc limit 1").fetchall()
        for name in TABLES:
            columns = connection.execute(
                "select column_name from information_schema.columns where table_name = %s order by ordinal_position",
                (name,),
            )
            # As a UUIDv7 would be: ordered by its time, and no two alike.
            key = "(lpad(to_hex(created.ms - 20000000 + i), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid"
            statement = _copy(name, [row[0] for row in columns.fetchall()], key)
            connection.execute(
                statement.format(
                    numbers="generate_series(%(first)s::bigint, %(last)s::bigint) as t (i)", one="%(one)s"
                ),
                {"first": first, "last": last, "one": one},
            )
        connection.execute("vacuum analyze")
        # What is still to be written to disk would be in the way of what is measured next.
        connection.execute("checkpoint")


def _on_sqlite(url: str, first: int, last: int) -> None:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
        connection.create_function("key_of", 2, _key, deterministic=True)
        [one] = connection.execute("select execution_id from ff_tag order by created_at_ms desc limit 1").fetchone()
        numbers = (
            "(with recursive n (i) as (select :first union all select i + 1 from n where i < :last) select i from n)"
        )
        connection.execute("begin immediate")
        for name in TABLES:
            columns = [row[1] for row in connection.execute(f"pragma table_info({name})")]
            statement = _copy(name, columns, "key_of(created.ms - 20000000 + i, i)")
            connection.execute(
                statement.format(numbers=numbers, one=":one"), {"first": first, "last": last, "one": one}
            )
        connection.execute("commit")
        connection.execute("analyze")


def _copy(name: str, columns: list[str], key: str) -> str:
    """An insert of copies; `numbers` and `one` are still to be filled in."""
    kept = [column for column in columns if column not in NUMBERED]
    read = {"execution_id": key, "created_at_ms": "created_at_ms - 20000000 + i"}
    return (
        f"insert into {name} ({', '.join(kept)}) select {', '.join(read.get(column, column) for column in kept)} "
        f"from {name}, {{numbers}}, (select max(created_at_ms) as ms from ff_tag) as created "
        "where execution_id = {one}"
    )


def _key(ms: int, number: int) -> bytes:
    return bytes.fromhex(f"{ms:012x}70008{number:015x}")
