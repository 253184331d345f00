"""Measures a database from this machine: commits, whole lives of jobs, tasks through a worker, the time to start.

All work is in a namespace of its own. What limits a number is derived from the other measurements, never guessed.
"""

import asyncio
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from flowfabric.app import examine, open_store
from flowfabric.cli.exits import NotDone
from flowfabric.domain.commands import Envelope, ForgetBatches
from flowfabric.domain.states import PublicState
from flowfabric.engine.batch import Batch
from flowfabric.engine.engine import Engine
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context
from flowfabric.runtime.tasks import AsyncTask

CALLERS: Final = 256
CLAIM_LIMIT: Final = 100
SUBMIT_S: Final = 1.2
"""How long work is submitted before it is run. Running it takes about as long again."""
SINGLE_S: Final = 2.0
COMMITS: Final = 200
COMMITS_S: Final = 2.0
STARTS: Final = 100
STARTS_S: Final = 4.0
PAUSE_S: Final = 0.02
"""The pause between two submits: long enough for the system to be idle again."""
ANSWER_S: Final = 30.0
BUSY: Final = 0.7
"""A process that computes for this share of the time is its own limit: Python runs on one core at a time."""
TEXT: Final = "x" * 180
PAYLOAD: Final = TEXT.encode()
LIVE: Final[tuple[PublicState, ...]] = ("waiting", "active")
"""The states of an execution before its end, if it has no delay and no retry."""
PHASES: Final = ("commits", "the engine", "a worker", "starts", "one caller", "cleaning up")


class Rate(msgspec.Struct, frozen=True):
    """Jobs per second, and the share of the time in which this process was computing."""

    jobs_per_s: float
    cpu_share: float


class Report(msgspec.Struct, frozen=True):
    """All measurements."""

    load: float
    """The load of the machine before the measurement: its average over a minute."""
    cores: int
    round_trip_ms: float
    commit_ms: float
    engine: Rate
    worker: Rate
    start_p50_ms: float
    start_p99_ms: float
    one_caller: Rate


def measure(url: str, namespace: str, done: Callable[[str], None]) -> Report:
    """Measure the database that a url names. `done` is called after each phase. All records are removed again."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    round_trip_ms = examine(url).clocks.round_trip_ms
    commit_ms = _commit_ms(url)
    done(PHASES[0])
    through_engine, through_worker, starts, one_caller = asyncio.run(_rates(url, namespace, done))
    p50, p99 = statistics.median(starts), statistics.quantiles(starts, n=100)[98]
    return Report(load, cores, round_trip_ms, commit_ms, through_engine, through_worker, p50, p99, one_caller)


async def _rates(url: str, namespace: str, done: Callable[[str], None]) -> tuple[Rate, Rate, list[float], Rate]:
    async with FlowFabric(url, namespace=namespace, migrate=False) as ff:
        engine = await ff.engine()
        try:
            through_engine = await _through_engine(engine)
            done(PHASES[1])
            through_worker = await _through_worker(ff)
            done(PHASES[2])
            starts = await _starts(ff)
            done(PHASES[3])
            one_caller = await _one_caller(engine)
            done(PHASES[4])
        finally:
            await _clean_up(engine)
            done(PHASES[5])
    return through_engine, through_worker, starts, one_caller


# ── what is measured ─────────────────────────────────────────────────────────────────────────────


def _commit_ms(url: str) -> float:
    """How long the engine's smallest commit takes: it writes little more than the batch's marker."""
    store = open_store(url, migrate=False)
    took: list[float] = []
    try:
        writer = store.writer()
        try:
            give_up_at = time.perf_counter() + COMMITS_S
            while len(took) < COMMITS and time.perf_counter() < give_up_at:
                batch = Batch([Envelope(ForgetBatches())], store.name)
                writer.run(batch)
                took.append(batch.since_decided_s)
        finally:
            writer.close()
    finally:
        store.close()
    return statistics.median(took) * 1000


async def _through_engine(engine: Engine) -> Rate:
    """Whole lives of jobs, by many callers at once: create, claim and complete. No code is run."""
    stop_at = time.perf_counter() + SUBMIT_S

    async def create() -> int:
        created = 0
        while not created or time.perf_counter() < stop_at:
            await engine.create_execution("noop", PAYLOAD, lane="engine")
            created += 1
        return created

    async def drain() -> None:
        while claimed := await engine.claim(
            worker_id="bench", worker_instance_id="bench-engine", lanes=["engine"], limit=CLAIM_LIMIT
        ):
            await asyncio.gather(*(engine.complete(each.lease, b"true") for each in claimed))

    with _timed() as rate:
        jobs = sum(await asyncio.gather(*(create() for _ in range(CALLERS))))
        await asyncio.gather(drain(), drain(), drain())
    return rate(jobs)


async def _through_worker(ff: FlowFabric) -> Rate:
    """Whole lives of tasks that do nothing: submitted by many callers, run by a worker in this process."""
    stop_at = time.perf_counter() + SUBMIT_S
    ended = asyncio.Event()
    ran = 0

    @ff.task(lane="worker")
    async def noop(ctx: Context, text: str) -> bool:
        nonlocal ran
        ran += 1
        if ran >= jobs:
            ended.set()
        return True

    async def submit() -> int:
        submitted = 0
        while not submitted or time.perf_counter() < stop_at:
            await noop.submit(text=TEXT)
            submitted += 1
        return submitted

    with _timed() as rate:
        jobs = sum(await asyncio.gather(*(submit() for _ in range(CALLERS))))
        await ff.run_worker(lanes=["worker"], concurrency=CALLERS, stop=ended)
    return rate(jobs)


async def _one_caller(engine: Engine) -> Rate:
    """Whole lives of jobs, by one caller that waits for every answer."""
    stop_at = time.perf_counter() + SINGLE_S
    jobs = 0
    with _timed() as rate:
        while not jobs or time.perf_counter() < stop_at:
            await engine.create_execution("noop", PAYLOAD, lane="single")
            (claimed,) = await engine.claim(worker_id="bench", worker_instance_id="bench-single", lanes=["single"])
            await engine.complete(claimed.lease, b"true")
            jobs += 1
    return rate(jobs)


async def _starts(ff: FlowFabric) -> list[float]:
    """Milliseconds from submit to start on an idle system, with a worker in another process of this machine."""
    started_at = _timing_task(ff)
    context = multiprocessing.get_context("spawn")
    worker = context.Process(target=_work_elsewhere, args=(ff.url, ff.namespace), daemon=True)
    worker.start()
    try:
        try:
            await (await started_at.submit()).result(timeout=ANSWER_S)
        except TimeoutError:
            raise NotDone(f"A worker was started in another process and ran nothing for {ANSWER_S:.0f} s.") from None
        took: list[float] = []
        stop_at = time.perf_counter() + STARTS_S
        while len(took) < 2 or (len(took) < STARTS and time.perf_counter() < stop_at):
            await asyncio.sleep(PAUSE_S)
            sent_s = time.time()
            handle = await started_at.submit()
            took.append((await handle.result(timeout=ANSWER_S) - sent_s) * 1000)
        return took
    finally:
        worker.terminate()
        await asyncio.to_thread(worker.join, ANSWER_S)


def _timing_task(ff: FlowFabric) -> AsyncTask[[], float]:
    @ff.task(lane="starts")
    async def started_at(ctx: Context) -> float:
        return time.time()

    return started_at


def _work_elsewhere(url: str, namespace: str) -> None:
    ff = FlowFabric(url, namespace=namespace, migrate=False)
    _timing_task(ff)
    ff.run_worker_sync(lanes=["starts"])


@contextmanager
def _timed() -> Iterator[Callable[[int], Rate]]:
    """Time the block. Afterwards the function returns the rate for a number of jobs."""
    start_s, computing_s = time.perf_counter(), time.process_time()
    took: list[float] = []
    yield lambda jobs: Rate(jobs / took[0], took[1] / took[0])
    took += [time.perf_counter() - start_s, time.process_time() - computing_s]


async def _clean_up(engine: Engine) -> None:
    """Remove all records. Executions that an interrupted measurement has left are cancelled first."""
    cursor: str | None = None
    for state in LIVE:
        while True:
            page = await engine.operate("cancel", public_state=state, reason="the benchmark is over", cursor=cursor)
            cursor = page.next_cursor
            if cursor is None:
                break
    before_ms = await engine.server_time_ms() + 1  # includes executions that ended in this millisecond
    while True:
        purged = await engine.purge(ended_before_ms=before_ms, cursor=cursor, limit=1000)
        cursor = purged.next_cursor
        if cursor is None:
            return


# ── what limits it ───────────────────────────────────────────────────────────────────────────────


def limits_of(report: Report) -> dict[str, str]:
    """For each number what limits it, as far as the other numbers show."""
    return {
        "commit": _of_commit(report),
        "engine": _of_many(report.engine, report),
        "worker": _of_many(report.worker, report),
        "start": _of_start(report),
        "one_caller": _of_one(report),
    }


def _of_commit(report: Report) -> str:
    if 2 * report.round_trip_ms > report.commit_ms:
        return f"The way to the database: a round trip alone takes {report.round_trip_ms:.2f} ms."
    if report.round_trip_ms:
        return f"The server's disk: of this a round trip takes only {report.round_trip_ms:.2f} ms."
    return "The disk: this is how long it takes until a write is safe there."


def _of_many(rate: Rate, report: Report) -> str:
    if rate.cpu_share >= BUSY:
        return f"This process: it computes {rate.cpu_share:.0%} of the time, so another process would add to it."
    if _is_crowded(report):
        return _crowd(rate, report)
    return (
        f"The database: this process computes only {rate.cpu_share:.0%} of the time and waits for it otherwise "
        f"(commits of {report.commit_ms:.2f} ms)."
    )


def _of_start(report: Report) -> str:
    share = min(1.0, 2 * report.commit_ms / report.start_p50_ms)
    if share >= 0.5:
        return f"Commits: two of them, the submit's and the claim's, are {share:.0%} of the median."
    return f"Waking the worker up: the two commits of submit and claim are only {share:.0%} of the median."


def _of_one(report: Report) -> str:
    rate = report.one_caller
    share = min(1.0, 3 * report.commit_ms * rate.jobs_per_s / 1000)
    if share >= 0.5:
        return (
            f"Commits: three for each job, one after the other, are {share:.0%} of the time. Many callers share them."
        )
    if rate.cpu_share >= BUSY:
        return f"This process: it computes {rate.cpu_share:.0%} of the time."
    if _is_crowded(report):
        return _crowd(rate, report)
    return f"Waiting for answers: commits are {share:.0%} of the time and computing {rate.cpu_share:.0%}."


def _is_crowded(report: Report) -> bool:
    return report.load >= report.cores


def _crowd(rate: Rate, report: Report) -> str:
    return (
        f"Other programs: this process computes only {rate.cpu_share:.0%} of the time, and {report.load:.1f} of them "
        f"wanted the {report.cores} cores already."
    )
