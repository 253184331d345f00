"""What commands in flight cost in memory: 10,000 creates with 200-byte payloads, all awaited at once."""

import subprocess
import sys
from pathlib import Path

from rich.console import Console

COMMANDS = 10_000


def measure_in_flight(console: Console) -> dict[str, float]:
    """Peak memory of a process with so many commands under way, in MB."""
    with console.status("memory with 10,000 commands in flight"):
        done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    before, peak = map(float, done.stdout.split())
    console.print(f"{COMMANDS:,} commands in flight: {peak:.0f} MB at the peak ({before:.0f} MB before)")
    return {"before_mb": before, "peak_mb": peak}


def _rss_mb(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    import asyncio

    from databases import sqlite_file
    from workload import PAYLOAD

    from flowfabric import open_engine

    async def _main() -> None:
        with sqlite_file() as (url, _):
            async with open_engine(url, reconcile=False) as engine:
                before = _rss_mb("VmRSS")
                await asyncio.gather(*(engine.create_execution("noop", PAYLOAD) for _ in range(COMMANDS)))
                print(before, _rss_mb("VmHWM"))

    asyncio.run(_main())
