"""Tasks that spend in child processes, which import them from here."""

from pathlib import Path
from typing import Any

from flowfabric import BudgetExceeded, Context, FlowFabric, NotFound, RateLimited

ff = FlowFabric("memory://")
team = ff.budget("team", tokens=100)
purse = ff.budget("purse", tokens=10)
openai = ff.limit("openai", concurrency=1)


def _note(path: str, word: str) -> str:
    with Path(path).open("a") as file:
        file.write(f"{word}\n")
    return word


@ff.task(isolation="process", limits=[openai])
def plain(ctx: Context) -> list[Any]:
    reserved = ctx.reserve_sync(team, tokens=40)
    meter = ctx.metered(team, reserve={"tokens": 10}, cost=lambda answer: {"tokens": answer})
    answer = meter.step_sync("ask", lambda: 5)
    spent = ctx.spend_sync(team, tokens=1)
    try:
        ctx.spend_sync("nobody", tokens=1)
    except NotFound as error:
        return [reserved.remaining, answer, spent.remaining, error.entity]
    return []


@ff.task(isolation="process")
async def on_a_loop(ctx: Context) -> list[Any]:
    try:
        await ctx.reserve(team, tokens=1_000)
    except BudgetExceeded as error:
        spent = await ctx.spend(team, tokens=2)
        return [error.dimension, error.remaining, spent.remaining]
    return []


@ff.task(isolation="process", budgets={purse: {}})
def pausing(ctx: Context, notes: str) -> str:
    try:
        ctx.step_sync("first", _note, notes, "first")
        ctx.spend_sync(purse, tokens=10, idempotency_key="once")
        return ctx.step_sync("second", _note, notes, "second")
    finally:
        _note(notes, "finally")


@ff.task(isolation="process")
def rate_limited(ctx: Context, notes: str) -> str:
    if not Path(notes).exists():
        _note(notes, "first")
        raise RateLimited(openai, retry_after="10ms")
    return "second"
