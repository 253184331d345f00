"""A program whose tasks say something; the worker processes of the benchmark import it, too."""

import asyncio
import os
import time

from flowfabric import Context, FlowFabric

ff = FlowFabric(os.environ.get("FF_BENCH_URL", "memory://"))
TEXT = "a token of the answer "
EVERY = 500
PAUSE_S = 0.05


@ff.task(lane="streams", stream_max_frames=10_000_000, stream_max_bytes=1_000_000_000)
async def talks(ctx: Context, frames: int) -> None:
    """Write many small frames, as quickly as they are taken."""
    for number in range(frames):
        ctx.write(TEXT)
        if number % EVERY == EVERY - 1:
            await ctx.flush()


@ff.task(lane="streams")
async def tells_the_time(ctx: Context, times: int) -> None:
    """Write the time by this machine's clock, again and again."""
    for _ in range(times):
        ctx.write(repr(time.time()))
        await asyncio.sleep(PAUSE_S)
