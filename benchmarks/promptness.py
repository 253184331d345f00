"""How prompt an idle system is: a delay that is over, a cancel, and an end that somebody waits for elsewhere.

    python benchmarks/promptness.py [--stores sqlite,postgres]

Bars: a delayed task starts 20 ms after it is due (p50), and 100 ms (p99); a cancel reaches `ctx.cancelled` in another
process within 100 ms.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from databases import postgres_database, postgres_server, sqlite_file
from rich.console import Console
from rich.table import Table
from tasks import START_S_MAX, worker_process

SAMPLES = 100
WARM_UP = 10
"""How many samples are not counted: a worker that has just started still connects and prepares its statements."""
DELAY_S = 0.15
PAUSE_S = 0.02

DUE_HERE = "due to start, worker in the same process"
DUE_ELSEWHERE = "due to start, worker in another process"
CANCEL = "cancel to ctx.cancelled, worker in another process"
END = "end to result(), worker in another process"

Samples = dict[str, list[float]]


def measure(url: str) -> Samples:
    """Milliseconds, by what was measured."""
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("task_app", None)
    return asyncio.run(_measure())


async def _measure() -> Samples:
    import task_app

    found: Samples = {}
    async with task_app.ff:
        stop = asyncio.Event()
        working = asyncio.create_task(task_app.ff.run_worker(lanes=["prompt"], stop=stop))
        found[DUE_HERE] = await _due(task_app)
        stop.set()
        await working
        with worker_process("prompt"):
            found[DUE_ELSEWHERE] = await _due(task_app)
            found[CANCEL] = await _cancels(task_app)
            found[END] = await _ends(task_app)
    return found


async def _due(app: object) -> list[float]:
    """From the instant until which a task was delayed to its start."""
    found: list[float] = []
    await (await app.started_at.submit()).result(timeout=START_S_MAX)
    for _ in range(WARM_UP + SAMPLES):
        await asyncio.sleep(PAUSE_S)
        handle = await app.started_at.options(delay=DELAY_S).submit()
        started_at = await handle.result(timeout=START_S_MAX)
        due_at = (await handle.describe()).created_at_ms / 1000 + DELAY_S
        found.append((started_at - due_at) * 1000)
    return found[WARM_UP:]


async def _cancels(app: object) -> list[float]:
    """From the answer to a cancel to the moment at which the running code knows."""
    found: list[float] = []
    for _ in range(SAMPLES):
        with tempfile.TemporaryDirectory(prefix="ff-prompt-") as folder:
            started, told = Path(folder, "started"), Path(folder, "told")
            handle = await app.until_cancelled.submit(started=str(started), told=str(told))
            await _there(started)
            await handle.cancel()
            cancelled_at = time.time()
            await _there(told)
            found.append((float(_written_to(told)) - cancelled_at) * 1000)
    return found


async def _there(file: Path) -> None:
    async with asyncio.timeout(START_S_MAX):
        while not _written_to(file):  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.002)


def _written_to(file: Path) -> str:
    return file.read_text() if file.exists() else ""


async def _ends(app: object) -> list[float]:
    """From the last line of a task to the caller that waits for its result."""
    found: list[float] = []
    for _ in range(SAMPLES):
        await asyncio.sleep(PAUSE_S)
        handle = await app.started_at.submit()
        ended_at = await handle.result(timeout=START_S_MAX)
        found.append((time.time() - ended_at) * 1000)
    return found


def show(console: Console, store: str, rounds: list[Samples]) -> dict[str, object]:
    """Print the percentiles over all rounds, and return them."""
    table = Table(title=f"{store}: milliseconds, idle system")
    for column in ("", "p50", "p99"):
        table.add_column(column, justify="left" if not column else "right")
    summary: dict[str, object] = {}
    for name in rounds[0]:
        samples = [ms for each in rounds for ms in each[name]]
        p50, p99 = statistics.median(samples), statistics.quantiles(samples, n=100)[98]
        table.add_row(name, f"{p50:.1f}", f"{p99:.1f}")
        summary[name] = {"p50_ms": p50, "p99_ms": p99}
    console.print(table)
    return summary


def main() -> None:
    """Measure these alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres", type=lambda text: text.split(","))
    stores = parser.parse_args().stores
    console = Console(width=100)
    with ExitStack() as stack:
        for store in stores:
            if store == "sqlite":
                url, _ = stack.enter_context(sqlite_file())
            else:
                url = stack.enter_context(postgres_database(stack.enter_context(postgres_server())))
            show(console, store, [measure(url)])


if __name__ == "__main__":
    main()
