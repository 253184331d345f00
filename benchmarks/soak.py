"""The long run: does anything grow? `make soak`.

    python benchmarks/soak.py [--jobs 300000] [--stories 300] [--flows 2000]

Jobs pass through one engine on SQLite while its memory, its open files and its write-ahead log are watched; then
random stories are told to every store for as long as the number says, and random flows are driven to their rest. Ends
by itself, with exit code 1 if a story does not end equal or a flow does not come to rest.
"""

import argparse
import asyncio
import os
import subprocess
import sys
from pathlib import Path

from databases import sqlite_file
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
    parser.add_argument("--stories", default=300, type=int)
    parser.add_argument("--flows", default=2000, type=int)
    options = parser.parse_args()
    console = Console()
    asyncio.run(_watch(console, options.jobs))
    console.print(f"telling {options.stories} stories to every store, and driving {options.flows} flows to their rest")
    stories = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "tests/stores/test_stories.py",
            "tests/stores/test_dags.py",
            "--timeout=0",
        ],
        env={**os.environ, "FF_STORIES": str(options.stories), "FLOWFABRIC_DAGS": str(options.flows)},
        cwd=HERE.parent,
        check=False,
    )
    return stories.returncode


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
