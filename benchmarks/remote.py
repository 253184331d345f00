"""The same program with its store opened directly, and behind a server: what the way over HTTP costs.

The server is a process of its own on this machine, so client and server share its cores.

    python benchmarks/remote.py [--stores sqlite,postgres] [--jobs 5000] [--rounds 3]
"""

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple

from databases import postgres_database, postgres_server, sqlite_file
from rich.console import Console
from rich.table import Table

from flowfabric import Context, FlowFabric, open_blocking_engine, open_engine

CALLS = 300
CALLERS = 64
SLOTS = 100
MANY = 1_000
"""How many tasks one `submit_many` holds."""
TEXT = "x" * 180
START_S_MAX = 30.0

Fresh = Callable[[], AbstractContextManager[str]]


class Figures(NamedTuple):
    """What one round has measured, in one of the two ways."""

    write_ms: float
    read_ms: float
    singles: float
    many: float
    worker: float


class Served(NamedTuple):
    """A server that runs."""

    url: str
    pid: int


@contextmanager
def server(url: str) -> Iterator[str]:
    """The url of a server on a database, in a process of its own."""
    with served(url) as found:
        yield found.url


@contextmanager
def served(url: str, *, core: int | None = None) -> Iterator[Served]:
    """A server on a database, in a process of its own, and on one core only if one is named."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = "import sys; sys.argv[0] = 'ff'; from flowfabric.cli.main import main; main()"
    command = [sys.executable, "-c", program, "server", "--store", url, "--port", str(port), "--log-level", "error"]
    process = subprocess.Popen(command)
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    try:
        give_up_at = time.monotonic() + START_S_MAX
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert process.poll() is None, "the server has not started"
                assert time.monotonic() < give_up_at, "the server does not answer"
                time.sleep(0.02)
        yield Served(f"http://127.0.0.1:{port}", process.pid)
    finally:
        process.terminate()
        process.wait(timeout=START_S_MAX)


def measure(console: Console, store: str, fresh: Fresh, *, jobs: int, rounds: int) -> dict[str, object]:
    """Measure both ways in turns, each on a database of its own, and show medians."""
    ways: dict[str, Callable[[str], AbstractContextManager[str]]] = {"direct": nullcontext, "through a server": server}
    found: dict[str, list[Figures]] = {name: [] for name in ways}
    for number in range(rounds):
        for name, way in ways.items():
            with console.status(f"{store}: {name}, round {number + 1} of {rounds}"), fresh() as url:
                with open_blocking_engine(url, migrate=True, reconcile=False):
                    pass
                with way(url) as place:
                    found[name].append(_round(place, jobs))
    return _show(console, store, found)


def _round(url: str, jobs: int) -> Figures:
    with open_blocking_engine(url) as engine:
        ids = [engine.create_execution("warm", lane="apart").execution_id for _ in range(20)]
        write_ms = _median_ms(lambda: engine.create_execution("call", b"x", lane="apart"))
        read_ms = _median_ms(lambda: engine.describe_execution(ids[0]))
    return Figures(write_ms, read_ms, *asyncio.run(_throughput(url, jobs)))


def _median_ms(call: Callable[[], object]) -> float:
    took = []
    for _ in range(CALLS):
        began = time.perf_counter()
        call()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


async def _throughput(url: str, jobs: int) -> tuple[float, float, float]:
    """Submits per second one by one and many at once, and what a worker drains per second."""
    async with open_engine(url) as engine:
        left = iter(range(jobs))

        async def caller() -> None:
            for _ in left:
                await engine.create_execution("single", b"x", lane="apart")

        began = time.perf_counter()
        await asyncio.gather(*(caller() for _ in range(CALLERS)))
        singles = jobs / (time.perf_counter() - began)
    ff = FlowFabric(url)

    @ff.task
    async def noop(ctx: Context, text: str) -> dict[str, bool]:
        return {"ok": True}

    async with ff:
        began = time.perf_counter()
        for _ in range(jobs // MANY):
            await noop.submit_many([noop.bind(text=TEXT) for _ in range(MANY)])
        many = jobs // MANY * MANY / (time.perf_counter() - began)
        engine = await ff.engine()
        stop = asyncio.Event()
        began = time.perf_counter()
        working = asyncio.create_task(ff.run_worker(concurrency=SLOTS, stop=stop))
        for state in ("waiting", "active"):
            while (await engine.list_executions(public_state=state, lane="default", limit=1)).items:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        worker = jobs // MANY * MANY / (time.perf_counter() - began)
        stop.set()
        await working
    return singles, many, worker


def _show(console: Console, store: str, found: dict[str, list[Figures]]) -> dict[str, object]:
    medians = {name: Figures(*map(statistics.median, zip(*each, strict=True))) for name, each in found.items()}
    direct, remote = medians.values()
    rows = {
        "a write, p50": (
            f"{direct.write_ms:.2f} ms",
            f"{remote.write_ms:.2f} ms",
            _more(direct.write_ms, remote.write_ms),
        ),
        "a read, p50": (f"{direct.read_ms:.2f} ms", f"{remote.read_ms:.2f} ms", _more(direct.read_ms, remote.read_ms)),
        f"single submits of {CALLERS} callers": _rates(direct.singles, remote.singles),
        f"submit_many of {MANY:,}": _rates(direct.many, remote.many),
        f"a worker of {SLOTS} slots": _rates(direct.worker, remote.worker),
    }
    table = Table(title=f"{store}: a store behind a server (median of {len(next(iter(found.values())))} rounds)")
    for column in ("", *found, "difference"):
        table.add_column(column, justify="left" if not column else "right")
    for name, cells in rows.items():
        table.add_row(name, *cells)
    console.print(table)
    return {name: figures._asdict() for name, figures in medians.items()}


def _more(direct_ms: float, remote_ms: float) -> str:
    return f"+ {remote_ms - direct_ms:.2f} ms"


def _rates(direct: float, remote: float) -> tuple[str, str, str]:
    return f"{direct:,.0f} /s", f"{remote:,.0f} /s", f"{remote / direct:.2f} of direct"


def main() -> None:
    """Measure by itself."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres", type=lambda text: text.split(","))
    parser.add_argument("--jobs", default=5_000, type=int)
    parser.add_argument("--rounds", default=3, type=int)
    options = parser.parse_args()
    console = Console(width=max(Console().width, 100))
    if "sqlite" in options.stores:
        measure(console, "sqlite", sqlite_url, jobs=options.jobs, rounds=options.rounds)
    if "postgres" in options.stores:
        with postgres_server() as postgres:
            measure(console, "postgres", lambda: postgres_database(postgres), jobs=options.jobs, rounds=options.rounds)


@contextmanager
def sqlite_url() -> Iterator[str]:
    """A new file."""
    with sqlite_file() as (url, _):
        yield url


if __name__ == "__main__":
    main()
