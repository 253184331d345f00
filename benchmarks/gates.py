"""What limits cost, and how long a free slot stays free.

    python benchmarks/gates.py [--stores sqlite,postgres] [--jobs 20000] [--rounds 3] [--keys 100000] [--parked 100000]

Bars: with one limit for everyone at least 0.5 of the jobs per second without, in the same run; with 100,000 keys at
least 0.4; a claim beside a million parked executions costs at most 1.1 times as much as without; from a free slot to
the next start 5 ms.
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

from databases import postgres_database, postgres_server, sqlite_file
from many_copies import copy_execution
from rich.console import Console
from rich.table import Table
from tasks import START_S_MAX, worker_process
from workload import CALLERS, CLAIM_LIMIT, PAYLOAD, RESULT, Measured

from flowfabric import BlockingEngine, Engine, NewExecution, open_blocking_engine, open_engine

BINDS_AT = 200
"""How many run at once under the limit that binds. As many as five claims take could run without it."""
TURNS = 200
PROCESSES = 4
CLAIMS = 50
CLAIM = 100
PARKED_BY_ENGINE = 100
"""Further ones are copied."""
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
    parser.add_argument("--parked", default=100_000, type=int)
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
) -> dict[str, object]:
    """Measure one store, each thing on a fresh database, print everything, and return it. 0: leave that out."""
    found: dict[str, object] = {}
    if jobs:
        found |= _rates(console, store, fresh, jobs, rounds, keys)
    with fresh() as url:
        found |= _turns(console, store, url)
    if parked:
        with fresh() as url:
            found |= _beside_parked(console, store, url, parked)
    return found


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
) -> dict[str, object]:
    """Jobs per second with each kind of limit, in turns, and beside those without."""
    ways: Ways = {
        "without limits": (None, lambda number: {}),
        "one key that never binds": (10 * jobs, lambda number: {"all": ""}),
        f"one key that binds at {BINDS_AT}": (BINDS_AT, lambda number: {"all": ""}),
        f"{keys:,} keys": (10, lambda number: {"all": f"t-{number * 7919 % keys}"}),
    }
    results: dict[str, list[Measured]] = {name: [] for name in ways}
    for number in range(rounds):
        for name, (concurrency, limits_of) in ways.items():
            with console.status(f"{store}: round {number + 1} of {rounds}: {name}"), fresh() as url:
                results[name].append(asyncio.run(_lives(url, jobs, concurrency, limits_of)))
    table = Table(title=f"{store}: jobs per second (median of {rounds} rounds)")
    for column in ("", "create", "drain", "whole life", "of those without"):
        table.add_column(column, justify="left" if not column else "right")
    summary: dict[str, object] = {}
    without = statistics.median(one.whole for one in results["without limits"])
    for name, measured in results.items():
        create, drain, whole = (
            statistics.median(getattr(one, phase) for one in measured) for phase in ("create", "drain", "whole")
        )
        table.add_row(name, f"{create:,.0f}", f"{drain:,.0f}", f"{whole:,.0f}", f"{whole / without:.2f}")
        summary[name] = {"create": create, "drain": drain, "whole": whole, "of_those_without": whole / without}
    console.print(table)
    return summary


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


def _turns(console: Console, store: str, url: str) -> dict[str, object]:
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("gate_app", None)
    found = asyncio.run(_gaps())
    table = Table(title=f"{store}: from the end of one to the start of the next of a key, milliseconds")
    for column in ("", "p50", "p99"):
        table.add_column(column, justify="left" if not column else "right")
    summary: dict[str, object] = {}
    for name, samples in found.items():
        p50, p99 = statistics.median(samples), statistics.quantiles(samples, n=100)[98]
        table.add_row(name, f"{p50:.1f}", f"{p99:.1f}")
        summary[name] = {"p50_ms": p50, "p99_ms": p99}
    console.print(table)
    return summary


async def _gaps() -> dict[str, list[float]]:
    import gate_app as app

    async with app.ff:
        stop = asyncio.Event()
        working = asyncio.create_task(app.ff.run_worker(lanes=["turns"], stop=stop))
        found = {"one process": await _gaps_of(app)}
        stop.set()
        await working
        with ExitStack() as stack:
            for _ in range(PROCESSES):
                stack.enter_context(worker_process("turns", "gate_app:ff"))
            await asyncio.sleep(STARTED_S)
            found[f"{PROCESSES} processes"] = await _gaps_of(app)
    return found


async def _gaps_of(app: object) -> list[float]:
    """The time in which nothing ran, between each two, after the first few."""
    task = app.takes_its_turn
    handles = await task.submit_many([task.bind() for _ in range(TURNS)])
    times = sorted([await handle.result(timeout=START_S_MAX) for handle in handles])
    return [(after[0] - before[1]) * 1000 for before, after in pairwise(times)][TURNS // 10 :]


# ── beside many that are parked ──────────────────────────────────────────────────────────────────


def _beside_parked(console: Console, store: str, url: str, number: int) -> dict[str, object]:
    ways: dict[str, Callable[[], Mapping[str, str]]] = {
        "without limits": dict,
        "another key": lambda: {"tenant": "t-8"},
    }
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.set_limit("tenant", concurrency=2 * CLAIM)
        engine.set_limit("tenant", key="t-7", concurrency=1)
        alone = {name: _claim_ms(engine, limits_of()) for name, limits_of in ways.items()}
        with console.status(f"{store}: parking {number:,}"):
            _park(engine, PARKED_BY_ENGINE)
            (one,) = engine.list_executions(public_state="rate_limited", limit=1).items
            copy_execution(url, one.execution_id, number - PARKED_BY_ENGINE)
        beside = {name: _claim_ms(engine, limits_of()) for name, limits_of in ways.items()}
        freed_ms = _freed_ms(engine)
    for name in ways:
        console.print(
            f"{store}: a claim of {CLAIM}, {name}, takes {alone[name]:.1f} ms alone and {beside[name]:.1f} ms beside "
            f"{number:,} parked: {beside[name] / alone[name]:.2f}x"
        )
    console.print(f"{store}: a free slot of the key with {number:,} parked is taken within {freed_ms:.1f} ms")
    ratios: dict[str, object] = {f"claim_beside_parked, {name}": beside[name] / alone[name] for name in ways}
    return ratios | {"freed_ms": freed_ms}


def _park(engine: BlockingEngine, number: int) -> None:
    engine.create_executions([NewExecution(kind="noop", lane="many", limits={"tenant": "t-7"})] * (number + 1))
    assert len(engine.claim(**_worker("holds"), lanes=["many"], limit=number)) == 1
    engine.claim(**_worker("parks"), lanes=["many"], limit=number)
    assert engine.count_executions(public_state="rate_limited") == number


def _claim_ms(engine: BlockingEngine, limits: Mapping[str, str]) -> float:
    times = []
    for _ in range(CLAIMS):
        engine.create_executions([NewExecution(kind="noop", limits=limits) for _ in range(CLAIM)])
        start = time.perf_counter()
        claimed = engine.claim(**_worker("bench"), limit=CLAIM)
        times.append(time.perf_counter() - start)
        assert len(claimed) == CLAIM
        engine.complete_all([(each.lease, b"true") for each in claimed])
    return statistics.median(times) * 1000


def _freed_ms(engine: BlockingEngine) -> float:
    """From the end of the one that runs to the lease of the next."""
    (running,) = engine.list_executions(public_state="active").items
    engine.revoke_lease(running.execution_id, reason="measured")
    times = []
    for _ in range(CLAIMS + 1):
        (claimed,) = engine.claim(**_worker("bench"), lanes=["many"])
        start = time.perf_counter()
        engine.complete(claimed.lease)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:]) * 1000


def _worker(name: str) -> Mapping[str, str]:
    return {"worker_id": name, "worker_instance_id": name}


if __name__ == "__main__":
    main()
