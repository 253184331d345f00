"""The work that everyone is measured by: no-op jobs with a 200-byte payload, created, claimed and completed."""

import asyncio
import os
import time
from dataclasses import dataclass

from flowfabric import Engine, NewExecution

PAYLOAD = (b'{"k":"' + b"x" * 190 + b'"}')[:200]
RESULT = b'{"ok":true}'
CALLERS = 1000
CLAIM_LIMIT = 100
BULK = 100
BULK_CALLERS = 8


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


async def create_in_bulk(engine: Engine, jobs: int) -> float:
    """Create jobs a hundred to a call, as the floor does, with some calls in flight; seconds it took."""
    left = iter(range(0, jobs, BULK))
    items = [NewExecution(kind="noop", payload=PAYLOAD) for _ in range(BULK)]

    async def caller() -> None:
        for at in left:
            await engine.create_executions(items[: jobs - at])

    start = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(BULK_CALLERS)))
    return time.perf_counter() - start


async def drain_all(engine: Engine, callers: int = CALLERS) -> int:
    """Claim and complete until nothing waits, each completion a call of its own; how many it completed.

    Several claimers keep so many calls in flight that batches gather while the commit before them is under way.
    """
    me = f"bench-{os.getpid()}"

    async def claimer() -> int:
        done = 0
        while claimed := await engine.claim(worker_id="bench", worker_instance_id=me, limit=CLAIM_LIMIT):
            await asyncio.gather(*(engine.complete(one.lease, RESULT) for one in claimed))
            done += len(claimed)
        return done

    return sum(await asyncio.gather(*(claimer() for _ in range(callers // CLAIM_LIMIT))))


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
