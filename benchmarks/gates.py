"""What limits cost, how long a free slot stays free, and what many parked executions cost others, beside bare SQL.

    python benchmarks/gates.py [--stores sqlite,postgres] [--jobs 20000] [--rounds 3] [--keys 100000]
                               [--parked 1000000] [--turns 200] [--claims 200]

Bars: with one key for everyone at least 0.5 of the jobs per second without limits, in the same run; with 100,000 keys
at least 0.4; from the end of one execution to the start of the next of a key with concurrency 1: 5 ms, p50, in one
process; a claim beside 1,000,000 parked executions costs at most 1.3 times as much as without. The floor is what the
same rows cost by bare SQL (`floor_sqlite.py`, `floor_postgres.py`, `floor_waiting.py`), without any limit.
"""

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

import floor_sqlite
import floor_waiting
from databases import postgres_database, postgres_server, sqlite_file
from many_copies import copy_execution
from rich.console import Console
from rich.table import Table
from tasks import START_S_MAX, worker_process
from workload import CALLERS, CLAIM_LIMIT, PAYLOAD, RESULT, Measured

from flowfabric import BlockingEngine, Engine, NewExecution, open_blocking_engine, open_engine

BINDS_AT = 200
"""How many run at once under the limit that binds. As many as five claims take could run without it."""
PROCESSES = 4
CLAIM = 100
FLOOR = "floor: bare SQL, batches of 100"
WITHOUT = "without limits"
ONE_PROCESS = "one process"
PARKED_BY_ENGINE = 100
"""Further ones are copied."""
HOLDS_MS = 3_600_000
"""How long the one that runs keeps its lease, while others are copied."""
STARTED_S = 1.0
"""Until all workers look for work."""

Ways = Mapping[str, tuple[int | None, Callable[[int], Mapping[str, str]]]]
"""The concurrency of the limit, and the limits of a job by its number."""


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres", type=lambda text: text.split(","))
    parser.add_argument("--jobs", default=20_000, type=int)
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--keys", default=100_000, type=int)
    parser.add_argument("--parked", default=1_000_000, type=int)
    parser.add_argument("--turns", default=200, type=int, help="how many executions take their turn at one key")
    parser.add_argument("--claims", default=200, type=int, help="how many claims are measured beside the parked ones")
    options = parser.parse_args()
    console = Console(width=110)
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if "postgres" in options.stores else ""
        for store in options.stores:
            measure(
                console,
                store,
                lambda store=store: _fresh(store, server),
                jobs=options.jobs,
                rounds=options.rounds,
                keys=options.keys,
                parked=options.parked,
                turns=options.turns,
                claims=options.claims,
            )


def measure(
    console: Console,
    store: str,
    fresh: Callable[[], AbstractContextManager[str]],
    *,
    jobs: int,
    rounds: int,
    keys: int,
    parked: int,
    turns: int = 200,
    claims: int = 200,
) -> dict[str, object]:
    """Measure one store, each thing on a fresh database, print everything, and return it. 0: leave that out."""
    found: dict[str, object] = {}
    bars: list[Bar] = []
    if jobs:
        found |= _rates(console, store, fresh, jobs, rounds, keys, bars)
    if turns:
        with fresh() as url, fresh() as floor_url:
            found |= _turns(console, store, url, floor_url, turns, bars)
    if parked:
        with fresh() as empty_url, fresh() as url:
            found |= _beside_parked(console, store, empty_url, url, parked, claims, bars)
    table = Table(title=f"{store}: bars")
    for column in ("", "measured", "bar", "met"):
        table.add_column(column, justify="left" if not column else "right")
    for bar in bars:
        table.add_row(bar.what, f"{bar.measured:.2f}", f"{bar.sign} {bar.bar:g}", "yes" if bar.is_met else "no")
    console.print(table)
    return found


class Bar(NamedTuple):
    """What was measured, and what it is held against."""

    what: str
    measured: float
    sign: Literal["≥", "≤"]
    bar: float

    @property
    def is_met(self) -> bool:
        """Whether the bar is reached."""
        return self.measured >= self.bar if self.sign == "≥" else self.measured <= self.bar


@contextmanager
def _fresh(store: str, server: str) -> Iterator[str]:
    with ExitStack() as stack:
        if store == "sqlite":
            url, _ = stack.enter_context(sqlite_file())
        else:
            url = stack.enter_context(postgres_database(server))
        yield url


# ── jobs per second ──────────────────────────────────────────────────────────────────────────────


def _rates(
    console: Console,
    store: str,
    fresh: Callable[[], AbstractContextManager[str]],
    jobs: int,
    rounds: int,
    keys: int,
    bars: list[Bar],
) -> dict[str, object]:
    """Jobs per second with each kind of limit, in turns, beside those without, and beside the floor."""
    many_keys = f"{keys:,} keys"
    unbound, bound = "one key that never binds", f"one key that binds at {BINDS_AT}"
    ways: Ways = {
        WITHOUT: (None, lambda number: {}),
        unbound: (10 * jobs, lambda number: {"all": ""}),
        bound: (BINDS_AT, lambda number: {"all": ""}),
        many_keys: (10, lambda number: {"all": f"t-{number * 7919 % keys}"}),
    }
    results: dict[str, list[Measured]] = {name: [] for name in (FLOOR, *ways)}
    for number in range(rounds):
        with console.status(f"{store}: round {number + 1} of {rounds}: {FLOOR}"), fresh() as url:
            results[FLOOR].append(_floor(url, jobs))
        for name, (concurrency, limits_of) in ways.items():
            with console.status(f"{store}: round {number + 1} of {rounds}: {name}"), fresh() as url:
                results[name].append(asyncio.run(_lives(url, jobs, concurrency, limits_of)))
    table = Table(title=f"{store}: jobs per second (median of {rounds} rounds)")
    for column in ("", "create", "drain", "whole life", "spread", "of those without", "of the floor"):
        table.add_column(column, justify="left" if not column else "right")
    summary: dict[str, object] = {}
    floor, without = (statistics.median(one.whole for one in results[name]) for name in (FLOOR, WITHOUT))
    for name, measured in results.items():
        create, drain, whole = (
            statistics.median(getattr(one, phase) for one in measured) for phase in ("create", "drain", "whole")
        )
        spread = f"{min(one.whole for one in measured):,.0f} to {max(one.whole for one in measured):,.0f}"
        of = (whole / without, whole / floor)
        table.add_row(name, *(f"{each:,.0f}" for each in (create, drain, whole)), spread, *(f"{x:.2f}" for x in of))
        summary[name] = {"create": create, "drain": drain, "whole": whole, "of_those_without": of[0], "of_floor": of[1]}
        bar = {unbound: 0.5, bound: 0.5, many_keys: 0.4}.get(name)
        if bar is not None:
            bars.append(Bar(f"{name}: jobs per second, of those without", of[0], "≥", bar))
    console.print(table)
    return summary


def _floor(url: str, jobs: int) -> Measured:
    if url.startswith("sqlite:"):
        return floor_sqlite.measure(Path(url.removeprefix("sqlite:///")).parent, jobs)
    import floor_postgres

    return floor_postgres.measure(url, jobs)


async def _lives(
    url: str, jobs: int, concurrency: int | None, limits_of: Callable[[int], Mapping[str, str]]
) -> Measured:
    """Create everything, then claim and complete it, from many callers in one process."""
    async with open_engine(url, reconcile=False) as engine:
        if concurrency is not None:
            await engine.set_limit("all", concurrency=concurrency)
        start = time.perf_counter()
        left = iter(range(jobs))
        await asyncio.gather(*(_create(engine, left, limits_of) for _ in range(CALLERS)))
        middle = time.perf_counter()
        await _drain(engine, jobs)
        end = time.perf_counter()
    return Measured(jobs / (middle - start), jobs / (end - middle), jobs / (end - start))


async def _create(engine: Engine, left: Iterator[int], limits_of: Callable[[int], Mapping[str, str]]) -> None:
    for number in left:
        await engine.create_execution("noop", PAYLOAD, limits=limits_of(number))


async def _drain(engine: Engine, jobs: int) -> None:
    """Claim and complete until all jobs are done. A claim that finds all slots taken waits until one is free."""
    done = 0
    all_done = asyncio.Event()

    async def claimer(number: int) -> None:
        nonlocal done
        me = {"worker_id": "bench", "worker_instance_id": f"bench-{number}", "limit": CLAIM_LIMIT}
        while True:
            claimed = await engine.claim(**me) or await engine.wait_for_work(**me)
            await asyncio.gather(*(engine.complete(one.lease, RESULT) for one in claimed))
            done += len(claimed)
            if done == jobs:
                all_done.set()

    claimers = [asyncio.create_task(claimer(number)) for number in range(CALLERS // CLAIM_LIMIT)]
    await all_done.wait()
    for each in claimers:
        each.cancel()
    await asyncio.gather(*claimers, return_exceptions=True)


# ── from a free slot to the next start ───────────────────────────────────────────────────────────


def _turns(console: Console, store: str, url: str, floor_url: str, turns: int, bars: list[Bar]) -> dict[str, object]:
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("gate_app", None)
    with console.status(f"{store}: {turns:,} turns"):
        floor_p50 = statistics.median(_gaps_of_floor(floor_url, turns))
        found = asyncio.run(_gaps(turns))
    table = Table(title=f"{store}: from the end of one to the start of the next of a key, milliseconds")
    for column in ("", "p50", "p99", "floor p50", "of the floor"):
        table.add_column(column, justify="left" if not column else "right")
    summary: dict[str, object] = {}
    for name, samples in found.items():
        p50, p99 = statistics.median(samples), statistics.quantiles(samples, n=100)[98]
        table.add_row(name, f"{p50:.1f}", f"{p99:.1f}", f"{floor_p50:.1f}", f"{p50 / floor_p50:.2f}")
        summary[name] = {"p50_ms": p50, "p99_ms": p99, "floor_p50_ms": floor_p50}
        if name == ONE_PROCESS:
            bars.append(Bar(f"{name}: ms from the end of one to the start of the next, p50", p50, "≤", 5.0))
    console.print(table)
    return summary


def _gaps_of_floor(url: str, turns: int) -> list[float]:
    """Milliseconds for the commit that ends one, and the commit that leases the next."""
    floor = floor_waiting.opened(url)
    try:
        ids = floor_waiting.new_ids(turns + 1)
        floor.create(ids)
        floor.suspend(ids[1:])
        floor.signal(ids[1:], then="ready")
        found = []
        for before, after in pairwise(ids):
            start = time.perf_counter()
            floor.complete([before])
            floor.claim([after])
            found.append((time.perf_counter() - start) * 1000)
        return found
    finally:
        floor.close()


async def _gaps(turns: int) -> dict[str, list[float]]:
    import gate_app as app

    async with app.ff:
        stop = asyncio.Event()
        working = asyncio.create_task(app.ff.run_worker(lanes=["turns"], stop=stop))
        found = {ONE_PROCESS: await _gaps_of(app, turns)}
        stop.set()
        await working
        with ExitStack() as stack:
            for _ in range(PROCESSES):
                stack.enter_context(worker_process("turns", "gate_app:ff"))
            await asyncio.sleep(STARTED_S)
            found[f"{PROCESSES} processes"] = await _gaps_of(app, turns)
    return found


async def _gaps_of(app: object, turns: int) -> list[float]:
    """The time in which nothing ran, between each two, after the first few."""
    task = app.takes_its_turn
    handles = await task.submit_many([task.bind() for _ in range(turns)])
    times = sorted([await handle.result(timeout=START_S_MAX) for handle in handles])
    return [(after[0] - before[1]) * 1000 for before, after in pairwise(times)][turns // 10 :]


# ── beside many that are parked ──────────────────────────────────────────────────────────────────


def _beside_parked(
    console: Console, store: str, empty_url: str, url: str, number: int, claims: int, bars: list[Bar]
) -> dict[str, object]:
    ways: dict[str, Callable[[], Mapping[str, str]]] = {
        WITHOUT: dict,
        "another key": lambda: {"tenant": "t-8"},
    }
    with open_blocking_engine(empty_url, reconcile=False) as empty, open_blocking_engine(url, reconcile=False) as full:
        for engine in (empty, full):
            engine.set_limit("tenant", concurrency=2 * CLAIM)
            engine.set_limit("tenant", key="t-7", concurrency=1)
        with console.status(f"{store}: parking {number:,}"):
            _park(full, PARKED_BY_ENGINE)
            (one,) = full.list_executions(public_state="rate_limited", limit=1).items
            copy_execution(url, one.execution_id, number - PARKED_BY_ENGINE)
        # In turns: the speed of the machine changes while it is measured.
        pairs = {
            name: [(_claim_ms(empty, limits_of()), _claim_ms(full, limits_of())) for _ in range(claims)]
            for name, limits_of in ways.items()
        }
        freed_ms = _freed_ms(full, min(claims, number // 2))
    alone, beside = (
        {name: statistics.median(pair[place] for pair in found) for name, found in pairs.items()} for place in (0, 1)
    )
    for name in ways:
        console.print(
            f"{store}: a claim of {CLAIM}, {name}, takes {alone[name]:.1f} ms alone and {beside[name]:.1f} ms beside "
            f"{number:,} parked: {beside[name] / alone[name]:.2f}x"
        )
        bars.append(
            Bar(f"{name}: a claim beside {number:,} parked, of one alone", beside[name] / alone[name], "≤", 1.3)
        )
    console.print(f"{store}: a free slot of the key with {number:,} parked is taken within {freed_ms:.1f} ms")
    ratios: dict[str, object] = {f"claim_beside_parked, {name}": beside[name] / alone[name] for name in ways}
    return ratios | {"freed_ms": freed_ms}


def _park(engine: BlockingEngine, number: int) -> None:
    engine.create_executions([NewExecution(kind="noop", lane="many", limits={"tenant": "t-7"})] * (number + 1))
    assert len(engine.claim(**_worker("holds"), lanes=["many"], limit=number, lease_ttl_ms=HOLDS_MS)) == 1
    engine.claim(**_worker("parks"), lanes=["many"], limit=number)
    assert engine.count_executions(public_state="rate_limited") == number


def _claim_ms(engine: BlockingEngine, limits: Mapping[str, str]) -> float:
    engine.create_executions([NewExecution(kind="noop", limits=limits) for _ in range(CLAIM)])
    start = time.perf_counter()
    claimed = engine.claim(**_worker("bench"), limit=CLAIM)
    took_s = time.perf_counter() - start
    assert len(claimed) == CLAIM
    engine.complete_all([(each.lease, b"true") for each in claimed])
    return took_s * 1000


def _freed_ms(engine: BlockingEngine, claims: int) -> float:
    """From the end of the one that runs to the lease of the next."""
    (running,) = engine.list_executions(public_state="active").items
    engine.revoke_lease(running.execution_id, reason="measured")
    (claimed,) = engine.claim(**_worker("bench"), lanes=["many"])
    times = []
    for _ in range(claims):
        start = time.perf_counter()
        engine.complete(claimed.lease)
        (claimed,) = engine.claim(**_worker("bench"), lanes=["many"])
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def _worker(name: str) -> Mapping[str, str]:
    return {"worker_id": name, "worker_instance_id": name}


if __name__ == "__main__":
    main()
