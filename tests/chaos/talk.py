"""The program of workers whose tasks speak, as `ff worker tests.chaos.talk:ff` runs it."""

import os

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


@ff.task(linger=0)
async def narrate_elsewhere(ctx: Context, script: list[Line], fails: int) -> None:
    await talks.narrate(ctx, script, fails, talks.write, _ran)


@ff.task
def narrate_in_a_thread(ctx: Context, script: list[Line], fails: int) -> None:
    talks.narrate_in_thread(ctx, script, fails, talks.write, _ran)


@ff.task(isolation="process")
def narrate_in_a_child(ctx: Context, script: list[Line], fails: int) -> None:
    talks.narrate_in_thread(ctx, script, fails, talks.write, _ran)
