"""Tasks through real workers: how many per second, and how long from submit to start on an idle system."""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table
from workload import CALLERS, Measured

from flowfabric import Engine, PublicState

HERE = Path(__file__).parent
JOBS = 10_000
SAMPLES = 100
PAUSE_S = 0.02
"""Between two submits: long enough that the system is idle again."""
TEXT = "x" * 180
START_S_MAX = 30.0


def measure(url: str) -> tuple[Measured, list[float], list[float]]:
    """Jobs per second with one worker in this process; milliseconds to start in this process, and in another."""
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("task_app", None)
    return asyncio.run(_measure())


async def _measure() -> tuple[Measured, list[float], list[float]]:
    import task_app

    async with task_app.ff:
        rate = await _throughput(task_app)
        here = await _latency_here(task_app)
        with worker_process("prompt"):
            elsewhere = await _latencies(task_app, warm_up=True)
    return rate, here, elsewhere


async def _throughput(app: object) -> Measured:
    """Submit everything from a thousand callers, then let one worker run it all."""
    ff, noop = app.ff, app.noop
    left = iter(range(JOBS))

    async def caller() -> None:
        for _ in left:
            await noop.submit(text=TEXT)

    start = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    middle = time.perf_counter()
    stop = asyncio.Event()
    working = asyncio.create_task(ff.run_worker(concurrency=CALLERS, stop=stop))
    engine = await ff.engine()
    for state in ("waiting", "active"):
        while await _any_is(engine, state):  # noqa: ASYNC110 - looked at from outside, as an operator would
            await asyncio.sleep(0.01)
    end = time.perf_counter()
    stop.set()
    await working
    return Measured(JOBS / (middle - start), JOBS / (end - middle), JOBS / (end - start))


async def _any_is(engine: Engine, state: PublicState) -> bool:
    return bool((await engine.list_executions(public_state=state, limit=1)).items)


async def _latency_here(app: object) -> list[float]:
    stop = asyncio.Event()
    working = asyncio.create_task(app.ff.run_worker(lanes=["prompt"], stop=stop))
    found = await _latencies(app, warm_up=True)
    stop.set()
    await working
    return found


async def _latencies(app: object, *, warm_up: bool) -> list[float]:
    found: list[float] = []
    if warm_up:
        await (await app.started_at.submit()).result(timeout=START_S_MAX)
    for _ in range(SAMPLES):
        await asyncio.sleep(PAUSE_S)
        sent = time.time()
        handle = await app.started_at.submit()
        found.append((await handle.result(timeout=START_S_MAX) - sent) * 1000)
    return found


@contextmanager
def worker_process(lane: str, app: str = "task_app:ff", *options: str) -> Iterator[None]:
    """A worker in a process of its own while the block lasts."""
    start = "from flowfabric.cli.main import main; main()"
    command = [sys.executable, "-c", start, "worker", app, "--lanes", lane, *options]
    worker = subprocess.Popen(command, cwd=HERE, env=os.environ, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait(timeout=60)


def show(console: Console, store: str, rounds: list[tuple[Measured, list[float], list[float]]]) -> dict[str, object]:
    """Print the medians, and return them."""
    rates = [rate for rate, _, _ in rounds]
    whole = statistics.median(rate.whole for rate in rates)
    create, drain = statistics.median(r.create for r in rates), statistics.median(r.drain for r in rates)
    table = Table(title=f"{store}: tasks (median of {len(rounds)} rounds)")
    for column in ("", "submit", "run", "whole life"):
        table.add_column(column, justify="left" if not column else "right")
    table.add_row("no-op tasks per second, one worker", f"{create:,.0f}", f"{drain:,.0f}", f"{whole:,.0f}")
    console.print(table)
    summary: dict[str, object] = {"submit": create, "run": drain, "whole": whole}
    table = Table(title=f"{store}: milliseconds from submit to start, idle system")
    for column in ("", "p50", "p99"):
        table.add_column(column, justify="left" if not column else "right")
    for name, samples in (
        ("worker in the same process", [ms for _, here, _ in rounds for ms in here]),
        ("worker in another process", [ms for _, _, elsewhere in rounds for ms in elsewhere]),
    ):
        p50, p99 = statistics.median(samples), statistics.quantiles(samples, n=100)[98]
        table.add_row(name, f"{p50:.1f}", f"{p99:.1f}")
        summary[name] = {"p50_ms": p50, "p99_ms": p99}
    console.print(table)
    return summary
