"""The program that workers of these tests run, as `ff worker tests.chaos.shop:ff` does."""

import asyncio
import os
import random
import time

from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context

URL = "FLOWFABRIC_TEST_URL"
EFFECTS = "FLOWFABRIC_TEST_EFFECTS"
STEPS = 10

ff = FlowFabric(os.environ.get(URL, "memory://"))


def note(*words: object) -> None:
    """One line, written at once, as an effect that outlives its process."""
    file = os.open(os.environ[EFFECTS], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, (" ".join(map(str, words)) + "\n").encode())
    finally:
        os.close(file)


@ff.task
async def serve(ctx: Context, for_s: float) -> int:
    await asyncio.sleep(for_s)
    return ctx.fencing_token


@ff.task
def cook(ctx: Context, for_s: float) -> int:
    ctx.cancelled.wait(for_s)
    ctx.raise_if_cancelled()
    return ctx.fencing_token


@ff.task
async def publish(ctx: Context) -> int:
    for number in range(STEPS):
        await ctx.step(f"step {number}", do_step, ctx.execution_id, number)
    return ctx.fencing_token


def do_step(execution_id: str, number: int) -> int:
    """Take a moment before and after the effect, so that a crash meets any side of it."""
    time.sleep(random.uniform(0, 0.004))
    note(execution_id, number)
    time.sleep(random.uniform(0, 0.004))
    return number


@ff.task(linger=0)
async def approve(ctx: Context) -> str:
    verdict = await ctx.wait("editor", str)
    note(ctx.execution_id, verdict)
    return verdict


@ff.task(linger=0)
async def nap(ctx: Context, for_s: float) -> str:
    await ctx.sleep("nap", for_s)
    note(ctx.execution_id, "awake")
    return "awake"
