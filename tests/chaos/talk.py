"""The program of workers whose tasks speak, as `ff worker tests.chaos.talk:ff` runs it."""

import os
from pathlib import Path

from flowfabric import Context, FlowFabric
from tests import talks
from tests.chaos.shop import URL
from tests.talks import Line

ff = FlowFabric(os.environ.get(URL, "memory://"))

NARRATORS = ("narrate", "narrate_elsewhere", "narrate_in_a_thread", "narrate_in_a_child")


def _ran(ctx: Context, step: str) -> None:
    """Nobody counts here which steps run."""


@ff.task
async def narrate(ctx: Context, script: list[Line], fails: int) -> None:
    await talks.narrate(ctx, script, fails, talks.write, _ran)


@ff.task
def narrate_and_stay(ctx: Context, script: list[Line], may_end: str) -> None:
    """Say the script, and do not end before the file exists. So somebody can find the worker that runs it."""
    talks.narrate_in_thread(ctx, script, 0, talks.write, _ran)
    ctx.flush_sync()
    while not Path(may_end).exists():
        ctx.raise_if_cancelled()
        ctx.cancelled.wait(0.02)


@ff.task(linger=0)
async def narrate_elsewhere(ctx: Context, script: list[Line], fails: int) -> None:
    await talks.narrate(ctx, script, fails, talks.write, _ran)


@ff.task
def narrate_in_a_thread(ctx: Context, script: list[Line], fails: int) -> None:
    talks.narrate_in_thread(ctx, script, fails, talks.write, _ran)


@ff.task(isolation="process")
def narrate_in_a_child(ctx: Context, script: list[Line], fails: int) -> None:
    talks.narrate_in_thread(ctx, script, fails, talks.write, _ran)
