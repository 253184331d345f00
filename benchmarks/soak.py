"""The long run: does anything grow? `make soak`.

    python benchmarks/soak.py [--jobs 300000] [--worker-jobs 1000000] [--held 10000] [--finished 10000000]
                              [--migrated 1000000] [--stories 300] [--flows 2000] [--stores postgres,sqlite]

Jobs pass through one engine on SQLite while its memory, its open files and its write-ahead log are watched; a worker
process holds many executions, and runs very many; each store gets a long past, and many executions that are migrated
while others write; then random stories are told to every store, and random flows are driven to their rest. Ends
by itself, with exit code 1 if memory grows, if a long past slows what it must not, if a migration loses or refuses what
it must not, if a story does not end equal or a flow does not come to rest. A part whose number is 0 is left out. Ten
million finished executions take about 20 GB in the folder for temporary files (TMPDIR) and some minutes.
"""

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from databases import postgres_database, postgres_server, sqlite_file
from history import check_history
from memory import check_growth, check_held
from migration import check_migration
from rich.console import Console
from rich.table import Table
from workload import create_all, drain_all

from flowfabric import open_engine

HERE = Path(__file__).parent
STEP = 20_000


def main() -> int:
    """Watch, then tell stories."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", default=300_000, type=int)
    parser.add_argument("--worker-jobs", default=1_000_000, type=int)
    parser.add_argument("--held", default=10_000, type=int)
    parser.add_argument("--finished", default=10_000_000, type=int)
    parser.add_argument("--migrated", default=1_000_000, type=int)
    parser.add_argument("--stores", default="postgres,sqlite", type=lambda text: text.split(","))
    parser.add_argument("--stories", default=300, type=int)
    parser.add_argument("--flows", default=2000, type=int)
    options = parser.parse_args()
    console = Console(width=max(Console().width, 100))
    if options.jobs:
        asyncio.run(_watch(console, options.jobs))
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if "postgres" in options.stores else ""
        checks = [_check(console, store, server, options) for store in options.stores]
    is_well = all(checks)
    if options.stories or options.flows:
        is_well = _tell_stories(console, options.stories, options.flows) and is_well
    return 0 if is_well else 1


def _check(console: Console, store: str, server: str, options: argparse.Namespace) -> bool:
    """The worker's memory, a long past, and a migration."""
    ways: list[tuple[int, Callable[[Console, str, int], bool]]] = [
        (options.held, check_held),
        (options.worker_jobs, check_growth),
        (options.finished, check_history),
        (options.migrated, check_migration),
    ]
    answers = []
    for number, check in ways:
        if number:
            console.print(f"{store}: {check.__name__}")
            with _fresh(store, server) as url:
                answers.append(check(console, url, number))
    return all(answers)


@contextmanager
def _fresh(store: str, server: str) -> Iterator[str]:
    if store == "sqlite":
        with sqlite_file() as (url, _):
            yield url
    else:
        with postgres_database(server) as url:
            yield url


def _tell_stories(console: Console, stories: int, flows: int) -> bool:
    console.print(f"telling {stories} stories to every store, and driving {flows} flows to their rest")
    told = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "tests/stores/test_stories.py",
            "tests/stores/test_dags.py",
            "--timeout=0",
        ],
        env={**os.environ, "FF_STORIES": str(stories), "FLOWFABRIC_DAGS": str(flows)},
        cwd=HERE.parent,
        check=False,
    )
    return told.returncode == 0


async def _watch(console: Console, jobs: int) -> None:
    table = Table(title=f"{jobs:,} jobs through one engine on SQLite")
    for column in ("jobs", "memory MB", "open files", "log MB"):
        table.add_column(column, justify="right")
    with sqlite_file() as (url, folder):
        async with open_engine(url) as engine:
            for done in range(0, jobs, STEP):
                with console.status(f"{done:,} of {jobs:,} jobs"):
                    await create_all(engine, STEP)
                    await drain_all(engine)
                table.add_row(f"{done + STEP:,}", *_look_at(folder))
    console.print(table)


def _look_at(folder: Path) -> tuple[str, str, str]:
    """Memory in MB, open files, and the size of the log in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    memory_mb = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    log_mb = (folder / "jobs.db-wal").stat().st_size / 2**20
    return f"{memory_mb:.0f}", str(len(list(Path("/proc/self/fd").iterdir()))), f"{log_mb:.1f}"


if __name__ == "__main__":
    sys.exit(main())
