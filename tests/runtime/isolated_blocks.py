"""Tasks with limited blocks in child processes, which import them from here."""

from pathlib import Path

from flowfabric import Context, FlowFabric

ff = FlowFabric("memory://")
api = ff.limit("api", concurrency=1)


def _note(path: str, word: str) -> str:
    with Path(path).open("a") as file:
        file.write(f"{word}\n")
    return word


@ff.task(isolation="process")
def plain(ctx: Context, notes: str) -> str:
    ctx.step_sync("before", _note, notes, "before")
    with ctx.limited_sync(api):
        return ctx.step_sync("inside", _note, notes, "plain")


@ff.task(isolation="process")
async def on_a_loop(ctx: Context, notes: str) -> str:
    async with ctx.limited(api):
        return await ctx.step("inside", _note, notes, "loop")
