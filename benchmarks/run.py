"""How fast the engine is, beside the floor of its database, in one run: `make bench`.

Whole life = create + claim + complete, every command a call of its own, everything committed with fsync. Rounds are
interleaved, so that a machine that changes its speed changes it for all; read the ratios, not the absolutes.

    python benchmarks/run.py [--stores sqlite,postgres] [--jobs 20000] [--rounds 3] [--deep]
"""

import argparse
import asyncio
import json
import os
import platform
import resource
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import floor_sqlite
import flows
import gates
import promptness
import remote
import streams
import tasks
import waiting
from databases import postgres_database, postgres_server, sqlite_file
from depth import measure_depth, measure_old_snapshot
from in_flight import measure_in_flight
from rich.console import Console
from rich.table import Table
from workload import CALLERS, Measured

HERE = Path(__file__).parent
SINGLE_JOBS = 300


def main() -> None:
    """Measure, print a table, and leave the figures in benchmarks/out."""
    options = _options()
    console = Console(width=max(Console().width, 100))
    figures: dict[str, object] = {"machine": _machine(), "jobs": options.jobs, "rounds": options.rounds}
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if "postgres" in options.stores else ""
        for store in options.stores:
            figures[store] = _measure_store(console, store, server, options.jobs, options.rounds)
            figures[f"{store} tasks"] = _measure_tasks(console, store, server, options.rounds)
            figures[f"{store} promptness"] = _measure_promptness(console, store, server, options.rounds)
            figures[f"{store} flows"] = _measure_flows(console, store, server, options.rounds)
            figures[f"{store} waiting"] = _measure_waiting(console, store, server)
            figures[f"{store} gates"] = _measure_gates(console, store, server, options.jobs, options.rounds)
            figures[f"{store} streams"] = streams.measure(
                console,
                store,
                lambda store=store: _fresh_url(store, server),
                frames=10_000,
                rounds=options.rounds,
                followers=1_000,
            )
            figures[f"{store} behind a server"] = remote.measure(
                console, store, lambda store=store: _fresh_url(store, server), jobs=3_000, rounds=1
            )
        if "sqlite" in options.stores:
            figures["in_flight"] = measure_in_flight(console)
        if options.deep and "postgres" in options.stores:
            figures["depth"] = measure_depth(console, server)
            figures["old_snapshot"] = measure_old_snapshot(console, server)
    out = HERE / "out"
    out.mkdir(exist_ok=True)
    file = out / f"bench-{time.strftime('%Y%m%d-%H%M%S')}.json"
    file.write_text(json.dumps(figures, indent=2))
    console.print(f"figures: {file.relative_to(HERE.parent)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres", type=lambda text: text.split(","))
    parser.add_argument("--jobs", default=20_000, type=int)
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--deep", action="store_true", help="also a queue of a million, and an old snapshot")
    return parser.parse_args()


def _machine() -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "load": os.getloadavg()[0],
    }


def _measure_store(console: Console, store: str, server: str, jobs: int, rounds: int) -> dict[str, object]:
    ways: dict[str, Callable[[], Measured]] = {
        "floor: bare SQL, batches of 100": lambda: _floor(store, server, jobs),
        f"engine, 1 process, {CALLERS} callers": lambda: _engine(store, server, jobs, processes=1),
        f"engine, 2 processes, {CALLERS // 2} callers each": lambda: _engine(store, server, jobs, processes=2),
        "engine, 2 processes, created in bulk": lambda: _engine(store, server, jobs, processes=2, creating="bulk"),
        "engine, one operation at a time": lambda: _single(store, server),
    }
    results: dict[str, list[Measured]] = {name: [] for name in ways}
    for number in range(rounds):
        for name, measure in ways.items():
            with console.status(f"{store}: round {number + 1} of {rounds}: {name}"):
                results[name].append(measure())
    floor = statistics.median(one.whole for one in next(iter(results.values())))
    table = Table(title=f"{store}: jobs per second (median of {rounds} rounds)")
    for column in ("", "create", "drain", "whole life", "spread", "of the floor"):
        table.add_column(column, justify="left" if not column else "right")
    summary: dict[str, object] = {}
    for name, measured in results.items():
        whole = statistics.median(one.whole for one in measured)
        spread = f"{min(one.whole for one in measured):,.0f} to {max(one.whole for one in measured):,.0f}"
        create = statistics.median(one.create for one in measured)
        drain = statistics.median(one.drain for one in measured)
        table.add_row(name, f"{create:,.0f}", f"{drain:,.0f}", f"{whole:,.0f}", spread, f"{whole / floor:.2f}")
        summary[name] = {"create": create, "drain": drain, "whole": whole, "of_floor": whole / floor, "spread": spread}
    console.print(table)
    return summary


def _measure_tasks(console: Console, store: str, server: str, rounds: int) -> dict[str, object]:
    measured = []
    for number in range(rounds):
        with console.status(f"{store}: tasks, round {number + 1} of {rounds}"), _fresh(store, server) as (url, _):
            measured.append(tasks.measure(url))
    return tasks.show(console, store, measured)


def _measure_waiting(console: Console, store: str, server: str) -> dict[str, object]:
    """In a small form; `waiting.py` by itself measures with many waiting."""

    with console.status(f"{store}: waiting"):
        return waiting.measure(
            console, store, lambda: _fresh_url(store, server), backlog=2_000, suspended=2_000, timers=2_000
        )


def _measure_gates(console: Console, store: str, server: str, jobs: int, rounds: int) -> dict[str, object]:
    """In a small form; `gates.py` by itself measures beside many that are parked."""
    return gates.measure(
        console, store, lambda: _fresh_url(store, server), jobs=jobs, rounds=rounds, keys=100_000, parked=2_000
    )


def _measure_promptness(console: Console, store: str, server: str, rounds: int) -> dict[str, object]:
    measured = []
    for number in range(rounds):
        with console.status(f"{store}: promptness, round {number + 1} of {rounds}"), _fresh(store, server) as (url, _):
            measured.append(promptness.measure(url))
    return promptness.show(console, store, measured)


def _measure_flows(console: Console, store: str, server: str, rounds: int) -> dict[str, object]:
    rates: list[tuple[flows.Rates, flows.Rates]] = []
    for number in range(rounds):
        with console.status(f"{store}: flows, round {number + 1} of {rounds}"), _fresh(store, server) as (url, _):
            rates.append(asyncio.run(flows.measure(url)))
    with console.status(f"{store}: cancelling flows"), _fresh(store, server) as (url, _):
        cancels = asyncio.run(flows.measure_cancels(url))
    return flows.show(console, store, rates, cancels)


@contextmanager
def _fresh(store: str, server: str) -> Iterator[tuple[str, Path]]:
    if store == "sqlite":
        with sqlite_file() as (url, folder):
            yield url, folder
    else:
        with postgres_database(server) as url:
            yield url, HERE


@contextmanager
def _fresh_url(store: str, server: str) -> Iterator[str]:
    with _fresh(store, server) as (url, _):
        yield url


def _floor(store: str, server: str, jobs: int) -> Measured:
    with _fresh(store, server) as (url, folder):
        if store == "sqlite":
            return floor_sqlite.measure(folder, jobs)
        import floor_postgres

        return floor_postgres.measure(url, jobs)


def _engine(store: str, server: str, jobs: int, *, processes: int, creating: str = "create") -> Measured:
    with _fresh(store, server) as (url, _):
        workers = [_start(url, CALLERS // processes) for _ in range(processes)]
        create_s = _together(workers, f"{creating} {jobs // processes}")[0]
        drain_s, done = _together(workers, "drain")
        for worker in workers:
            worker.stdin.close()
            worker.wait(timeout=60)
        assert sum(map(int, done)) == jobs, f"{done} of {jobs} jobs were completed"
        return Measured(jobs / create_s, jobs / drain_s, jobs / (create_s + drain_s))


def _single(store: str, server: str) -> Measured:
    with _fresh(store, server) as (url, _):
        worker = _start(url, 1)
        [answer] = _together([worker], f"single {SINGLE_JOBS}")[1]
        worker.stdin.close()
        worker.wait(timeout=60)
        return Measured(*map(float, answer.split()))


def _start(url: str, callers: int) -> "subprocess.Popen[str]":
    worker = subprocess.Popen(
        [sys.executable, str(HERE / "process.py"), url, str(callers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    assert worker.stdout.readline().strip() == "ready"
    return worker


def _together(workers: "list[subprocess.Popen[str]]", line: str) -> tuple[float, list[str]]:
    start = time.perf_counter()
    for worker in workers:
        worker.stdin.write(line + "\n")
        worker.stdin.flush()
    answers = [worker.stdout.readline() for worker in workers]
    return time.perf_counter() - start, answers


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    main()
