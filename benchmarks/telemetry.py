"""What metrics cost a job: CPU time inside the telemetry, and of the whole process with and without it.

A job is submitted by one of many callers, claimed and completed by a worker of the same process.

    python benchmarks/telemetry.py [--stores memory,sqlite,postgres] [--jobs 5000] [--rounds 3]
"""

import argparse
import asyncio
import statistics
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from databases import postgres_database, postgres_server
from workload import CALLERS

from flowfabric import Context, FlowFabric
from flowfabric.ports.telemetry import CommittedBatch
from flowfabric.telemetry.metrics import Metrics


class Timed(Metrics):
    """Metrics that know how much CPU time they took."""

    def __init__(self) -> None:
        super().__init__()
        self.spent_ns = 0
        began = time.thread_time_ns()
        for _ in range(1_000):
            time.thread_time_ns()
        self._look_ns = (time.thread_time_ns() - began) // 1_000
        """What a look at the clock takes. It is not counted."""

    def committed(self, batch: CommittedBatch) -> None:
        began = time.thread_time_ns()
        super().committed(batch)
        self.spent_ns += time.thread_time_ns() - began - self._look_ns

    def waited(self, seconds: float) -> None:
        began = time.thread_time_ns()
        super().waited(seconds)
        self.spent_ns += time.thread_time_ns() - began - self._look_ns


async def cpu_of(url: str, jobs: int, metrics: Metrics | None) -> float:
    """CPU seconds of this process for so many jobs."""
    ff = FlowFabric(url, migrate=True, telemetry=metrics)
    left = iter(range(jobs))
    done = 0
    all_done = asyncio.Event()

    @ff.task
    async def noop(ctx: Context) -> None:
        nonlocal done
        done += 1
        if done == jobs:
            all_done.set()

    async def caller() -> None:
        for _ in left:
            await noop.submit()

    async with ff:
        began = time.process_time()
        await asyncio.gather(*(caller() for _ in range(min(CALLERS, jobs))))
        stop = asyncio.Event()
        working = asyncio.create_task(ff.run_worker(concurrency=CALLERS, stop=stop))
        await all_done.wait()
        stop.set()
        await working
        return time.process_time() - began


def main() -> None:
    """Measure in turns, and print a line for each store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="memory,sqlite,postgres", type=lambda text: text.split(","))
    parser.add_argument("--jobs", default=5_000, type=int)
    parser.add_argument("--rounds", default=3, type=int)
    options = parser.parse_args()
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if "postgres" in options.stores else ""
        for store in options.stores:
            off, on, inside = [], [], []
            for _ in range(options.rounds):
                for counted in (False, True):
                    with ExitStack() as fresh:
                        if store == "memory":
                            url = "memory://"
                        elif store == "sqlite":
                            url = f"sqlite:///{Path(fresh.enter_context(TemporaryDirectory())) / 'jobs.db'}"
                        else:
                            url = fresh.enter_context(postgres_database(server))
                        metrics = Timed() if counted else None
                        took = asyncio.run(cpu_of(url, options.jobs, metrics)) / options.jobs * 1e6
                    (on if counted else off).append(took)
                    if metrics is not None:
                        inside.append(metrics.spent_ns / options.jobs / 1_000)
            print(
                f"{store:9} µs of CPU a job: {statistics.median(off):6.1f} without, {statistics.median(on):6.1f} with, "
                f"{statistics.median(inside):5.2f} inside the metrics"
            )


if __name__ == "__main__":
    main()
