"""A program whose task runs one at a time; the worker processes of the benchmark import it, too."""

import asyncio
import os
import time

from flowfabric import Context, FlowFabric

ff = FlowFabric(os.environ.get("FF_BENCH_URL", "memory://"))
one_at_a_time = ff.limit("one-at-a-time", concurrency=1)
RUNS_S = 0.005


@ff.task(lane="turns", limits=[one_at_a_time])
async def takes_its_turn(ctx: Context) -> tuple[float, float]:
    """When it started and ended, by this machine's clock."""
    started_at = time.time()
    await asyncio.sleep(RUNS_S)
    return started_at, time.time()
