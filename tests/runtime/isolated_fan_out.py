"""Tasks that make children from child processes, which import them from here."""

import os

from flowfabric import ChildFailed, Context, FlowFabric

ff = FlowFabric("memory://")


@ff.task
def double(ctx: Context, number: int) -> int:
    if number < 0:
        raise ValueError("too small")
    return 2 * number


@ff.task(isolation="process")
def plain(ctx: Context, numbers: list[int]) -> list[int]:
    doubled = ctx.map_sync("double", double, numbers)
    return [*doubled, ctx.run_sync("sum", double, sum(doubled)), os.getpid()]


@ff.task(isolation="process")
async def on_a_loop(ctx: Context, numbers: list[int]) -> list[int | str]:
    try:
        return [*await ctx.map("double", double, numbers)]
    except ChildFailed as error:
        return [error.outcome, *([] if error.failure is None else [error.failure.code, error.failure.message])]
