"""What a worker process needs of memory: with ten thousand executions in its hands, and over a million."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from flowfabric import BlockingEngine, FlowFabric

HERE = Path(__file__).parent
HELD = 10_000
HELD_MB_MAX = 120
CHUNK = 10_000
WARM = 0.2
"""The part of the jobs after which caches are full; from then on nothing may grow."""
GROWTH_MAX = 1.1
WAIT_S_MAX = 300.0


def check_held(console: Console, url: str, held: int = HELD) -> bool:
    """A worker with so many executions in flight; whether its memory stays below the limit."""
    with _submitting(url) as ff:
        ff.tasks["hold"].submit_many_sync([ff.tasks["hold"].bind() for _ in range(held)])
        with _worker(url, lane="hold", concurrency=held) as worker:
            with console.status(f"a worker takes {held:,} executions"):
                _until_none_waits(ff.blocking_engine(), "hold")
            # Claimed is not yet started: once its memory rests, all of them are.
            full = _resting_mb(worker)
    console.print(f"a worker with {held:,} executions in flight: {full:.0f} MB (at most {HELD_MB_MAX})")
    return full < HELD_MB_MAX


def check_growth(console: Console, url: str, jobs: int) -> bool:
    """A worker that runs so many jobs; whether its memory has stopped growing after the first fifth."""
    chunk = min(CHUNK, max(1, jobs // 10))
    samples: list[tuple[int, float]] = []
    with _submitting(url) as ff, _worker(url, lane="default", concurrency=500) as worker:
        for done in range(0, jobs, chunk):
            with console.status(f"a worker has run {done:,} of {jobs:,} jobs"):
                noop = ff.tasks["noop"]
                [*_, last] = noop.submit_many_sync([noop.bind(text="x" * 180) for _ in range(chunk)])
                last.result_sync(timeout=WAIT_S_MAX)
            samples.append((done + chunk, _rss_mb(worker)))
    table = Table(title=f"memory of a worker over {jobs:,} jobs")
    for column in ("jobs", "MB"):
        table.add_column(column, justify="right")
    for done, megabytes in samples[:: max(1, len(samples) // 10)]:
        table.add_row(f"{done:,}", f"{megabytes:.0f}")
    console.print(table)
    warm = max(megabytes for done, megabytes in samples if done <= max(jobs * WARM, chunk))
    return samples[-1][1] <= warm * GROWTH_MAX


@contextmanager
def _submitting(url: str) -> Iterator[FlowFabric]:
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("task_app", None)
    import task_app

    with task_app.ff as ff:
        yield ff


@contextmanager
def _worker(url: str, *, lane: str, concurrency: int) -> Iterator["subprocess.Popen[bytes]"]:
    program = [sys.executable, "-m", "flowfabric.cli", "worker", "task_app:ff", "--log-level", "warning"]
    worker = subprocess.Popen(
        [*program, "--lanes", lane, "--concurrency", str(concurrency)],
        cwd=HERE,
        env={**os.environ, "FF_BENCH_URL": url},
        stdin=subprocess.DEVNULL,
    )
    try:
        yield worker
    finally:
        # Nothing of what it holds is wanted back.
        worker.send_signal(signal.SIGKILL)
        worker.wait()


def _until_none_waits(engine: BlockingEngine, lane: str) -> None:
    give_up_at = time.monotonic() + WAIT_S_MAX
    while engine.list_executions(public_state="waiting", lane=lane, limit=1).items:
        assert time.monotonic() < give_up_at, f"executions of lane {lane} still wait after {WAIT_S_MAX:.0f} s"
        time.sleep(0.05)


def _resting_mb(worker: "subprocess.Popen[bytes]") -> float:
    """Its memory, once two looks a second apart agree."""
    before, now = 0.0, _rss_mb(worker)
    while now > before * 1.01:
        time.sleep(1)
        before, now = now, _rss_mb(worker)
    return max(before, now)


def _rss_mb(worker: "subprocess.Popen[bytes]") -> float:
    for line in Path(f"/proc/{worker.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"the worker is gone: exit code {worker.poll()}")
