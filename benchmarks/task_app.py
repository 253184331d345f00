"""The program whose tasks are measured; the worker processes of the benchmark import it, too."""

import asyncio
import os
import time
from pathlib import Path

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


@ff.task(lane="prompt")
def until_cancelled(ctx: Context, started: str, told: str) -> None:
    """Waits until it is cancelled, and writes down when it knew."""
    Path(started).write_text("yes")
    ctx.cancelled.wait(60)
    Path(told).write_text(str(time.time()))
    ctx.raise_if_cancelled()


@ff.task(lane="prompt", linger="1m")
async def lingers(ctx: Context) -> float:
    """When it went on after its signal. It waits in memory."""
    await ctx.wait("go")
    return time.time()


@ff.task(lane="prompt", linger=0)
async def suspends(ctx: Context) -> float:
    """When it went on after its signal. It is suspended meanwhile."""
    await ctx.wait("go")
    return time.time()


@ff.task(lane="prompt")
async def backlog(ctx: Context) -> None:
    """Work that was there before."""
    await asyncio.sleep(0.01)


@ff.task(lane="family")
async def part(ctx: Context, number: int) -> int:
    """One of many."""
    return number


@ff.task(lane="family")
async def total(ctx: Context, numbers: list[int]) -> int:
    """The sum of what the others returned."""
    return sum(numbers)


@ff.task(lane="family")
async def maps(ctx: Context, count: int) -> int:
    """The same with children."""
    return sum(await ctx.map("parts", part, range(count)))
