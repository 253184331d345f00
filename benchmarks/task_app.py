"""The program whose tasks are measured; the worker processes of the benchmark import it, too."""

import asyncio
import os
import time

from flowfabric import Context, FlowFabric

ff = FlowFabric(os.environ.get("FF_BENCH_URL", "memory://"))


@ff.task
async def noop(ctx: Context, text: str) -> dict[str, bool]:
    """Nothing, quickly."""
    return {"ok": True}


@ff.task(lane="prompt")
async def started_at(ctx: Context) -> float:
    """When it started, by this machine's clock."""
    return time.time()


@ff.task(lane="hold")
async def hold(ctx: Context) -> None:
    """Runs until its worker ends."""
    await asyncio.Event().wait()
