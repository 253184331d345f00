"""How quickly an execution goes on after its signal, and what many waiting executions cost, beside bare SQL.

    python benchmarks/waiting.py [--stores sqlite,postgres] [--suspended 100000] [--timers 100000] [--backlog 100000]

Bars: from the signal to the function, p50: 2.5 ms in memory in one process, 5 ms suspended, 8 ms between processes;
2,000 cycles of suspend, signal, claim and complete per second on PostgreSQL; a claim beside suspended executions costs
at most 1.1 times as much as without; 100,000 timers that are due in one second have all resumed within 20 s; a map over
1,000 children takes no longer than a flow of 1,000 members. The floor is what the same rows cost by bare SQL
(`floor_waiting.py`).
"""

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager

import floor_waiting
from databases import postgres_database, postgres_server, sqlite_file
from many_copies import copy_execution
from rich.console import Console
from rich.table import Table
from tasks import START_S_MAX, worker_process

from flowfabric import BlockingEngine, Engine, NewExecution, OperatorOnly, open_blocking_engine, open_engine

SAMPLES = 100
WARM_UP = 10
SAMPLES_BESIDE_BACKLOG = 30
PAUSE_S = 0.02
CYCLES = 4_000
AT_ONCE = 200
CLAIMS = 300
CLAIM = 100
TIMERS_S_MAX = 120.0
SUSPENDED_BY_ENGINE = 10_000
"""Further ones are copied."""
MEMBERS = 1_000
ROUNDS = 3

WORKER = {"worker_id": "bench", "worker_instance_id": "bench"}
Samples = dict[str, tuple[list[float], list[float]]]
"""Milliseconds of the engine, and of the floor in turns with them."""

HERE_IN_MEMORY = "in memory, one process"
HERE_SUSPENDED = "suspended, one process"
AWAY_IN_MEMORY = "in memory, another process"
AWAY_SUSPENDED = "suspended, another process"


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres", type=lambda text: text.split(","))
    parser.add_argument("--suspended", default=100_000, type=int)
    parser.add_argument("--timers", default=100_000, type=int)
    parser.add_argument("--backlog", default=100_000, type=int)
    options = parser.parse_args()
    console = Console(width=110)
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if "postgres" in options.stores else ""
        for store in options.stores:
            measure(
                console,
                store,
                lambda store=store: _fresh(store, server),
                backlog=options.backlog,
                suspended=options.suspended,
                timers=options.timers,
            )


def measure(
    console: Console,
    store: str,
    fresh: Callable[[], AbstractContextManager[str]],
    *,
    backlog: int,
    suspended: int,
    timers: int,
) -> dict[str, object]:
    """Measure one store, each thing on a fresh database, print everything, and return it. 0: leave that out."""
    with fresh() as url, fresh() as floor_url:
        found = _show(console, store, _latencies(url, floor_url, backlog))
    rates: list[float] = []
    floor_rates: list[float] = []
    for _ in range(ROUNDS):
        with fresh() as url:
            rates.append(asyncio.run(_cycles_per_s(url)))
        with fresh() as url:
            floor_rates.append(floor_waiting.cycles_per_s(url))
    rate, floor_rate = statistics.median(rates), statistics.median(floor_rates)
    found["cycles_per_s"], found["cycles_of_floor"] = rate, rate / floor_rate
    console.print(
        f"{store}: {rate:,.0f} cycles of suspend, signal, claim and complete per second ({min(rates):,.0f} to "
        f"{max(rates):,.0f}), {rate / floor_rate:.2f} of the floor ({floor_rate:,.0f})"
    )
    with fresh() as url:
        found |= _families(console, store, url)
    if suspended:
        with fresh() as empty_url, fresh() as url:
            found["claim_beside_suspended"] = _suspended_beside(console, store, empty_url, url, suspended)
    if timers:
        with fresh() as url:
            found["timers_s"] = _timers(console, store, url, timers)
    return found


@contextmanager
def _fresh(store: str, server: str) -> Iterator[str]:
    with ExitStack() as stack:
        if store == "sqlite":
            url, _ = stack.enter_context(sqlite_file())
        else:
            url = stack.enter_context(postgres_database(server))
        yield url


# ── from the signal to the function ──────────────────────────────────────────────────────────────


def _latencies(url: str, floor_url: str, backlog: int) -> Samples:
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("task_app", None)
    floor = floor_waiting.opened(floor_url)
    try:
        return asyncio.run(_measured(floor, backlog))
    finally:
        floor.close()


async def _measured(floor: floor_waiting.Floor, backlog: int) -> Samples:
    import task_app as app

    found: Samples = {}
    async with app.ff:
        stop = asyncio.Event()
        working = asyncio.create_task(app.ff.run_worker(lanes=["prompt"], stop=stop))
        found[HERE_IN_MEMORY] = await _after_signals(app, app.lingers, floor, commits=1)
        found[HERE_SUSPENDED] = await _after_signals(app, app.suspends, floor, commits=1)
        stop.set()
        await working
        with worker_process("prompt"):
            found[AWAY_IN_MEMORY] = await _after_signals(app, app.lingers, floor, commits=1)
            found[AWAY_SUSPENDED] = await _after_signals(app, app.suspends, floor, commits=2)
            if backlog:
                await _fill(app, backlog, lane="nobody's")
                found[f"{AWAY_SUSPENDED}, beside {backlog:,}"] = await _after_signals(
                    app, app.suspends, floor, commits=2
                )
                found[f"{AWAY_SUSPENDED}, busy with {backlog:,}"] = await _beside_backlog(app, floor, backlog)
    return found


async def _after_signals(
    app: object, task: object, floor: floor_waiting.Floor, *, commits: int
) -> tuple[list[float], list[float]]:
    """Milliseconds from the sending of a signal to the line after the wait; and of the floor."""
    engine = await app.ff.engine()
    found: list[float] = []
    on_floor: list[float] = []
    for _ in range(WARM_UP + SAMPLES):
        handle = await task.submit()
        await _waits(engine, handle.execution_id, suspended=task is app.suspends)
        await asyncio.sleep(PAUSE_S)
        found.append(await _signalled(handle))
        on_floor.append(await asyncio.to_thread(floor_waiting.commit_ms, floor, commits))
    return found[WARM_UP:], on_floor[WARM_UP:]


async def _signalled(handle: object) -> float:
    sent_at = time.time()
    await handle.signal("go", None)
    return (await handle.result(timeout=START_S_MAX) - sent_at) * 1000


async def _waits(engine: Engine, execution_id: str, *, suspended: bool) -> None:
    async with asyncio.timeout(START_S_MAX):
        while True:
            x = await engine.describe_execution(execution_id)
            if x is not None and x.waits and (x.public_state == "suspended" or not suspended):
                return
            await asyncio.sleep(0.002)


async def _beside_backlog(app: object, floor: floor_waiting.Floor, backlog: int) -> tuple[list[float], list[float]]:
    """The same for executions that wait while their worker has much else to do."""
    engine = await app.ff.engine()
    handles = [await app.suspends.submit() for _ in range(SAMPLES_BESIDE_BACKLOG)]
    for handle in handles:
        await _waits(engine, handle.execution_id, suspended=True)
    await _fill(app, backlog, lane="prompt")
    found = [await _signalled(handle) for handle in handles]
    return found, [await asyncio.to_thread(floor_waiting.commit_ms, floor, 2) for _ in handles]


async def _fill(app: object, backlog: int, *, lane: str) -> None:
    task = app.backlog.options(lane=lane)
    for begin in range(0, backlog, 1_000):
        await task.submit_many([task.bind() for _ in range(min(1_000, backlog - begin))])


def _show(console: Console, store: str, found: Samples) -> dict[str, object]:
    table = Table(title=f"{store}: from the signal to the function, milliseconds")
    for column in ("", "p50", "p99", "floor p50", "of the floor"):
        table.add_column(column, justify="left" if not column else "right")
    summary: dict[str, object] = {}
    for name, (samples, on_floor) in found.items():
        p50, p99 = statistics.median(samples), statistics.quantiles(samples, n=100)[98]
        floor_p50 = statistics.median(on_floor)
        table.add_row(name, f"{p50:.1f}", f"{p99:.1f}", f"{floor_p50:.1f}", f"{p50 / floor_p50:.2f}")
        summary[name] = {"p50_ms": p50, "p99_ms": p99, "floor_p50_ms": floor_p50}
    console.print(table)
    return summary


# ── cycles ───────────────────────────────────────────────────────────────────────────────────────


async def _cycles_per_s(url: str) -> float:
    """Executions per second that are suspended, signalled, claimed again and completed."""
    async with open_engine(url, reconcile=False) as engine:
        await engine.create_executions([NewExecution(kind="noop") for _ in range(CYCLES)])
        leases = []
        while len(leases) < CYCLES:
            leases += [each.lease for each in await engine.claim(**WORKER, limit=CLAIM, lease_ttl_ms=600_000)]
        # The first wait of a store makes its signing key.
        await engine.suspend(leases.pop(), "go", "go")
        start = time.perf_counter()
        parts = [leases[begin : begin + AT_ONCE] for begin in range(0, CYCLES, AT_ONCE)]
        await asyncio.gather(_cycle(engine, parts[0::2]), _cycle(engine, parts[1::2]))
        return len(leases) / (time.perf_counter() - start)


async def _cycle(engine: Engine, parts: Sequence[Sequence[object]]) -> None:
    for part in parts:
        await asyncio.gather(*(engine.suspend(lease, "go", "go") for lease in part))
        await asyncio.gather(*(engine.signal(lease.execution_id, "go") for lease in part))
        claimed = await engine.claim(**WORKER, limit=AT_ONCE)
        await asyncio.gather(*(engine.complete(each.lease, b"true") for each in claimed))


# ── many that wait ───────────────────────────────────────────────────────────────────────────────


def _suspended_beside(console: Console, store: str, empty_url: str, url: str, number: int) -> float:
    """In turns on both databases: the speed of the machine changes while it is measured."""
    with console.status(f"{store}: suspending {number:,}"), open_blocking_engine(url, reconcile=False) as engine:
        by_engine = min(number, SUSPENDED_BY_ENGINE)
        asyncio.run(_suspend_many(url, by_engine, timeout_at_ms=None))
        (one,) = engine.list_executions(public_state="suspended", limit=1).items
        copy_execution(url, one.execution_id, number - by_engine)
    with open_blocking_engine(empty_url, reconcile=False) as empty, open_blocking_engine(url, reconcile=False) as full:
        for engine in (empty, full):
            for _ in range(WARM_UP):
                _claim_ms(engine)
        pairs = [(_claim_ms(empty), _claim_ms(full)) for _ in range(CLAIMS)]
    alone, beside = (statistics.median(pair[place] for pair in pairs) for place in (0, 1))
    console.print(
        f"{store}: a claim of {CLAIM} takes {alone:.1f} ms alone and {beside:.1f} ms beside {number:,} suspended: "
        f"{beside / alone:.2f}x (median of {CLAIMS} in turns)"
    )
    return beside / alone


def _claim_ms(engine: BlockingEngine) -> float:
    engine.create_executions([NewExecution(kind="noop") for _ in range(CLAIM)])
    start = time.perf_counter()
    claimed = engine.claim(**WORKER, limit=CLAIM)
    took_s = time.perf_counter() - start
    assert len(claimed) == CLAIM
    engine.complete_all([(each.lease, b"true") for each in claimed])
    return took_s * 1000


async def _suspend_many(url: str, number: int, *, timeout_at_ms: int | None) -> None:
    async with open_engine(url, reconcile=False) as engine:
        for begin in range(0, number, 1_000):
            now = min(1_000, number - begin)
            await engine.create_executions([NewExecution(kind="noop", lane="many") for _ in range(now)])
            leases = []
            while len(leases) < now:
                leases += [each.lease for each in await engine.claim(**WORKER, lanes=["many"], limit=now - len(leases))]
            condition = "go" if timeout_at_ms is None else OperatorOnly()
            await asyncio.gather(
                *(engine.suspend(lease, "go", condition, timeout_at_ms=timeout_at_ms) for lease in leases)
            )


def _timers(console: Console, store: str, url: str, number: int) -> float:
    due_at_ms = int((time.time() + 3_600) * 1000)
    with open_blocking_engine(url, reconcile=False) as probe, console.status(f"{store}: {number:,} timers"):
        start = time.perf_counter()
        asyncio.run(_suspend_many(url, 2_000, timeout_at_ms=due_at_ms))
        rate = 2_000 / (time.perf_counter() - start)
        due_at_ms = int((time.time() + 1.3 * number / rate + 5) * 1000)
        asyncio.run(_suspend_many(url, number, timeout_at_ms=due_at_ms))
        left_s = due_at_ms / 1000 - time.time()
        assert left_s > 0, "the timers were due before all of them were there"
        time.sleep(left_s)
        with open_blocking_engine(url) as engine:
            start, claims = time.perf_counter(), 0
            while probe.count_executions(public_state="suspended") > 2_000:
                engine.create_execution("noop")
                claims += len(engine.claim(**WORKER, limit=1))
                if time.perf_counter() - start > TIMERS_S_MAX:
                    break
            took_s = time.perf_counter() - start
    console.print(f"{store}: {number:,} timers resumed within {took_s:.1f} s, beside {claims} claims")
    return took_s


# ── a map, and a flow of as many members ─────────────────────────────────────────────────────────


def _families(console: Console, store: str, url: str) -> dict[str, object]:
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("task_app", None)
    mapping_s, flowing_s = asyncio.run(_family_seconds())
    console.print(
        f"{store}: a map over {MEMBERS:,} children takes {mapping_s:.2f} s, a flow of {MEMBERS:,} members and one that "
        f"adds up their results {flowing_s:.2f} s: {mapping_s / flowing_s:.2f}x"
    )
    return {"map_s": mapping_s, "flow_s": flowing_s}


async def _family_seconds() -> tuple[float, float]:
    """The medians of both, in turns, with one worker in this process."""
    import task_app as app

    found: tuple[list[float], list[float]] = ([], [])
    async with app.ff:
        stop = asyncio.Event()
        working = asyncio.create_task(app.ff.run_worker(lanes=["family"], stop=stop))
        for _ in range(1 + ROUNDS):
            for run, times in zip((_map, _flow), found, strict=True):
                start = time.perf_counter()
                assert await run(app) == sum(range(MEMBERS))
                times.append(time.perf_counter() - start)
        stop.set()
        await working
    return statistics.median(found[0][1:]), statistics.median(found[1][1:])


async def _map(app: object) -> int:
    return await (await app.maps.submit(count=MEMBERS)).result(timeout=TIMERS_S_MAX)


async def _flow(app: object) -> int:
    async with app.ff.flow("family") as flow:
        parts = [flow.add(app.part, number=number) for number in range(MEMBERS)]
        last = flow.add(app.total, numbers=[part.output for part in parts])
    return await last.result(timeout=TIMERS_S_MAX)


if __name__ == "__main__":
    main()
