"""The work that everyone is measured by: no-op jobs with a 200-byte payload, created, claimed and completed."""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from flowfabric import Claimed, Engine

PAYLOAD = (b'{"k":"' + b"x" * 190 + b'"}')[:200]
RESULT = b'{"ok":true}'
CALLERS = 1000
CLAIM_LIMIT = 100


@dataclass(frozen=True)
class Measured:
    """Jobs per second through each phase, and through the whole life."""

    create: float
    drain: float
    whole: float


async def create_all(engine: Engine, jobs: int, callers: int = CALLERS) -> float:
    """Create jobs one call each, from so many awaiting callers; seconds it took."""
    left = iter(range(jobs))

    async def caller() -> None:
        for _ in left:
            await engine.create_execution("noop", PAYLOAD)

    start = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    return time.perf_counter() - start


async def drain_all(engine: Engine, callers: int = CALLERS, on_done: Callable[[], None] | None = None) -> int:
    """Claim and complete until nothing waits: one task per job, so many in flight; how many it completed."""
    done = 0
    running: set[asyncio.Task[None]] = set()
    me = f"bench-{os.getpid()}"

    async def job(claimed: Claimed) -> None:
        nonlocal done
        await engine.complete(claimed.lease, RESULT)
        done += 1

    while True:
        if callers - len(running) < CLAIM_LIMIT:
            await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            continue
        claimed = await engine.claim(worker_id="bench", worker_instance_id=me, limit=CLAIM_LIMIT)
        if not claimed:
            if not running:
                return done
            await asyncio.wait(running)
        for one in claimed:
            task = asyncio.create_task(job(one))
            running.add(task)
            task.add_done_callback(running.discard)


async def one_at_a_time(engine: Engine, jobs: int) -> Measured:
    """A single caller that awaits every single step."""
    start = time.perf_counter()
    for _ in range(jobs):
        await engine.create_execution("noop", PAYLOAD)
    middle = time.perf_counter()
    for _ in range(jobs):
        [claimed] = await engine.claim(worker_id="bench", worker_instance_id="single")
        await engine.complete(claimed.lease, RESULT)
    end = time.perf_counter()
    return Measured(jobs / (middle - start), jobs / (end - middle), jobs / (end - start))
