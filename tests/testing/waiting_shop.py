"""A program whose tasks wait. Its database is nowhere."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flowfabric import (
    Approval,
    AtLeast,
    Context,
    Either,
    Every,
    FlowFabric,
    Retry,
    Signal,
    WaitTimeout,
)

ff = FlowFabric("postgresql://nobody@nowhere.invalid/shop")

world: list[str] = []
"""What tasks have done outside."""


@dataclass
class Verdict:
    accepted: bool
    note: str = ""


@ff.task
async def publish(ctx: Context, article: int) -> Verdict:
    """A wait after a step, with a step that follows."""
    await ctx.step("draft", world.append, f"draft {article}")
    verdict = await ctx.wait("editor", Verdict)
    await ctx.step("mail", world.append, f"mail {article}")
    return verdict


@ff.task
def publish_plainly(ctx: Context, article: int) -> Verdict:
    ctx.step_sync("draft", world.append, f"draft {article}")
    verdict = ctx.wait_sync("editor", Verdict)
    ctx.step_sync("mail", world.append, f"mail {article}")
    return verdict


@ff.task
async def guess(ctx: Context) -> Any:
    return await ctx.wait("editor")


@ff.task
async def trial(ctx: Context) -> str:
    await ctx.sleep("trial period", "14d")
    await ctx.sleep_until("next year", datetime(2025, 1, 1, tzinfo=UTC))
    return "over"


@ff.task
def trial_plainly(ctx: Context) -> str:
    ctx.sleep_sync("trial period", "14d")
    ctx.sleep_until_sync("next year", datetime(2025, 1, 1, tzinfo=UTC))
    return "over"


@ff.task
async def patient(ctx: Context) -> str:
    try:
        return await ctx.wait("answer", str, timeout="3d")
    except WaitTimeout as error:
        return f"{type(error).__name__} is a TimeoutError: {isinstance(error, TimeoutError)}"


@ff.task(retry=Retry(5))
async def impatient(ctx: Context) -> str:
    return await ctx.wait("answer", str, timeout="3d")


@ff.task
async def three(ctx: Context) -> list[str]:
    return await asyncio.gather(*(ctx.wait(key, str) for key in ("a", "b", "c")))


@ff.task
async def three_in_a_group(ctx: Context) -> list[str]:
    async with asyncio.TaskGroup() as group:
        waits = [group.create_task(ctx.wait(key, str)) for key in ("a", "b", "c")]
    return [wait.result() for wait in waits]


@ff.task
async def first_of_two(ctx: Context) -> list[str]:
    waits = {asyncio.create_task(ctx.wait(key, str)) for key in ("paid", "cancelled")}
    done, others = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    values = sorted(wait.result() for wait in done)
    for wait in others:
        wait.cancel()
    return values


@ff.task
async def votes(ctx: Context) -> list[str]:
    return await ctx.wait(AtLeast(2, "ann", "bob", "cleo"), str, name="votes")


@ff.task
async def paid_or_cancelled(ctx: Context) -> list[str]:
    signals = await ctx.wait(Either("paid", Every("cancelled", "refunded")), Signal, name="end")
    return [f"{signal.key} by {signal.source}" for signal in signals]


@ff.task
async def chat(ctx: Context) -> list[str]:
    heard: list[str] = []
    async for message in ctx.inbox("chat", str):
        if message == "pause":
            break
        heard.append(await ctx.step(f"answer {len(heard)}", str.upper, message))
    async for message in ctx.inbox("chat", str, timeout="1d"):
        if message == "bye":
            break
        heard.append(message)
    return heard


@ff.task
async def go_live(ctx: Context, approvers: int = 2, rejection_ends: bool = True) -> list[Approval]:
    return await ctx.approve(
        "go-live", title="Publish?", approvers=approvers, rejection_ends=rejection_ends, timeout="7d"
    )


@ff.task
def go_live_plainly(ctx: Context) -> list[Approval]:
    return ctx.approve_sync("go-live", title="Publish?", approvers=2)


@ff.task
async def mail_a_link(ctx: Context) -> str:
    ticket = await ctx.waitpoint("editor", about={"title": "Well?"})
    await ctx.step("mail", world.append, f"https://shop.example/decide?token={ticket.token}")
    await ctx.wait("editor")
    return (await ctx.waitpoint("editor")).token


@ff.task
def mail_a_link_plainly(ctx: Context) -> str:
    ticket = ctx.waitpoint_sync("editor")
    ctx.step_sync("mail", world.append, ticket.token)
    ctx.wait_sync("editor")
    return ctx.waitpoint_sync("editor").token


@ff.task(signals={"approve": Verdict, "note": str})
async def declared(ctx: Context) -> Verdict:
    return await ctx.wait("approve", Verdict)
