"""How quickly an execution goes on after its signal, and what many waiting executions cost.

    python benchmarks/waiting.py [--stores sqlite,postgres] [--suspended 100000] [--backlog 100000]

Bars: from the signal to the function, p50: 2.5 ms in memory in one process, 5 ms suspended, 8 ms between processes;
2,000 cycles of suspend, signal, claim and complete per second on PostgreSQL; a claim beside suspended executions costs
at most 1.1 times as much as without; 100,000 timers that are due in one second have all resumed within 20 s.
"""

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from databases import postgres_database, postgres_server, sqlite_file
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
CLAIMS = 50
CLAIM = 100
TIMERS_S_MAX = 120.0

WORKER = {"worker_id": "bench", "worker_instance_id": "bench"}
Samples = dict[str, list[float]]


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres", type=lambda text: text.split(","))
    parser.add_argument("--suspended", default=100_000, type=int)
    parser.add_argument("--backlog", default=100_000, type=int)
    options = parser.parse_args()
    console = Console(width=100)
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if "postgres" in options.stores else ""
        for store in options.stores:
            with _fresh(store, server) as url:
                _show(console, store, _latencies(url, options.backlog))
            with _fresh(store, server) as url:
                rate = asyncio.run(_cycles_per_s(url))
                console.print(f"{store}: {rate:,.0f} cycles of suspend, signal, claim and complete per second")
            with _fresh(store, server) as url:
                _suspended_beside(console, store, url, options.suspended)
            with _fresh(store, server) as url:
                _timers(console, store, url, options.suspended)


@contextmanager
def _fresh(store: str, server: str) -> Iterator[str]:
    with ExitStack() as stack:
        if store == "sqlite":
            url, _ = stack.enter_context(sqlite_file())
        else:
            url = stack.enter_context(postgres_database(server))
        yield url


# ── from the signal to the function ──────────────────────────────────────────────────────────────


def _latencies(url: str, backlog: int) -> Samples:
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("task_app", None)
    return asyncio.run(_measured(backlog))


async def _measured(backlog: int) -> Samples:
    import task_app as app

    found: Samples = {}
    async with app.ff:
        stop = asyncio.Event()
        working = asyncio.create_task(app.ff.run_worker(lanes=["prompt"], stop=stop))
        found["in memory, one process"] = await _after_signals(app, app.lingers)
        found["suspended, one process"] = await _after_signals(app, app.suspends)
        stop.set()
        await working
        with worker_process("prompt"):
            found["in memory, another process"] = await _after_signals(app, app.lingers)
            found["suspended, another process"] = await _after_signals(app, app.suspends)
            if backlog:
                found[f"suspended, another process, {backlog:,} waiting"] = await _beside_backlog(app, backlog)
    return found


async def _after_signals(app: object, task: object) -> list[float]:
    """Milliseconds from the sending of a signal to the line after the wait."""
    engine = await app.ff.engine()
    found: list[float] = []
    for _ in range(WARM_UP + SAMPLES):
        handle = await task.submit()
        await _waits(engine, handle.execution_id, suspended=task is app.suspends)
        await asyncio.sleep(PAUSE_S)
        found.append(await _signalled(handle))
    return found[WARM_UP:]


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


async def _beside_backlog(app: object, backlog: int) -> list[float]:
    """The same for executions that wait while their worker has much else to do."""
    engine = await app.ff.engine()
    handles = [await app.suspends.submit() for _ in range(SAMPLES_BESIDE_BACKLOG)]
    for handle in handles:
        await _waits(engine, handle.execution_id, suspended=True)
    for begin in range(0, backlog, 1_000):
        await app.backlog.submit_many([app.backlog.bind() for _ in range(min(1_000, backlog - begin))])
    return [await _signalled(handle) for handle in handles]


def _show(console: Console, store: str, found: Samples) -> None:
    table = Table(title=f"{store}: from the signal to the function, milliseconds")
    for column in ("", "p50", "p99"):
        table.add_column(column, justify="left" if not column else "right")
    for name, samples in found.items():
        table.add_row(name, f"{statistics.median(samples):.1f}", f"{statistics.quantiles(samples, n=100)[98]:.1f}")
    console.print(table)


# ── cycles ───────────────────────────────────────────────────────────────────────────────────────


async def _cycles_per_s(url: str) -> float:
    """Executions per second that are suspended, signalled, claimed again and completed."""
    async with open_engine(url, reconcile=False) as engine:
        await engine.create_executions([NewExecution(kind="noop") for _ in range(CYCLES)])
        leases = []
        while len(leases) < CYCLES:
            leases += [each.lease for each in await engine.claim(**WORKER, limit=CLAIM, lease_ttl_ms=600_000)]
        start = time.perf_counter()
        parts = [leases[begin : begin + AT_ONCE] for begin in range(0, CYCLES, AT_ONCE)]
        await asyncio.gather(_cycle(engine, parts[0::2]), _cycle(engine, parts[1::2]))
        return CYCLES / (time.perf_counter() - start)


async def _cycle(engine: Engine, parts: Sequence[Sequence[object]]) -> None:
    for part in parts:
        await asyncio.gather(*(engine.suspend(lease, "go", "go") for lease in part))
        await asyncio.gather(*(engine.signal(lease.execution_id, "go") for lease in part))
        claimed = await engine.claim(**WORKER, limit=AT_ONCE)
        await asyncio.gather(*(engine.complete(each.lease, b"true") for each in claimed))


# ── many that wait ───────────────────────────────────────────────────────────────────────────────


def _suspended_beside(console: Console, store: str, url: str, number: int) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        alone = _claim_ms(engine)
        with console.status(f"{store}: suspending {number:,}"):
            asyncio.run(_suspend_many(url, number, timeout_at_ms=None))
        beside = _claim_ms(engine)
    console.print(
        f"{store}: a claim of {CLAIM} takes {alone:.1f} ms alone and {beside:.1f} ms beside {number:,} suspended: "
        f"{beside / alone:.2f}x"
    )


def _claim_ms(engine: BlockingEngine) -> float:
    times = []
    for _ in range(CLAIMS):
        engine.create_executions([NewExecution(kind="noop") for _ in range(CLAIM)])
        start = time.perf_counter()
        claimed = engine.claim(**WORKER, limit=CLAIM)
        times.append(time.perf_counter() - start)
        assert len(claimed) == CLAIM
        engine.complete_all([(each.lease, b"true") for each in claimed])
    return statistics.median(times) * 1000


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


def _timers(console: Console, store: str, url: str, number: int) -> None:
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


if __name__ == "__main__":
    main()
