"""Tasks with options on their steps, for child processes, which import them from here."""

import asyncio
import os
import threading
from contextlib import suppress
from pathlib import Path

from flowfabric import Context, FlowFabric, Permanent, Retry, StepTimeout

ff = FlowFabric("memory://")

SHORT = Retry(5, initial_delay="1ms", jitter=0.0)
LONG = Retry(5, backoff="fixed", initial_delay="1100ms", jitter=0.0)
"""In a child process these pauses are durable."""


def ask(notes: str, fails: int) -> int:
    """Note the call, and fail at the first calls."""
    with Path(notes).open("a") as file:
        file.write(f"{os.getpid()}\n")
    calls = len(Path(notes).read_text().splitlines())
    if calls <= fails:
        raise ConnectionError("away")
    return calls


@ff.task(isolation="process")
def plain(ctx: Context, notes: str, fails: int) -> int:
    return ctx.options(retry=SHORT, timeout="1m").step_sync("ask", ask, notes, fails)


@ff.task(isolation="process")
async def on_a_loop(ctx: Context, notes: str, fails: int) -> int:
    return await ctx.options(retry=SHORT, timeout="1m").step("ask", ask, notes, fails)


@ff.task(isolation="process")
def with_a_long_pause(ctx: Context, notes: str, fails: int) -> int:
    with Path(notes + ".runs").open("a") as file:
        file.write("run\n")
    return ctx.options(retry=LONG).step_sync("ask", ask, notes, fails)


def hang() -> None:
    threading.Event().wait()


@ff.task(isolation="process")
def hanging(ctx: Context) -> int:
    try:
        ctx.options(timeout="10ms").step_sync("hang", hang)
    except StepTimeout:
        return os.getpid()
    raise Permanent("it did not time out")


@ff.task(isolation="process")
async def hanging_on_a_loop(ctx: Context) -> int:
    with suppress(StepTimeout):
        await ctx.options(timeout="10ms").step("sleep", asyncio.sleep, 3600)
        raise Permanent("the first did not time out")
    with suppress(StepTimeout):
        await ctx.options(timeout="10ms").step("hang", hang)
        raise Permanent("the second did not time out")
    return os.getpid()


@ff.task(isolation="process")
def where(ctx: Context) -> int:
    return os.getpid()
