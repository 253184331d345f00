"""The program whose executions the pages show. `ff worker tests.browser.shop:ff` runs it."""

import asyncio
from pathlib import Path
from typing import Any

from flowfabric import Context, FlowFabric

ff = FlowFabric()

UNSERVED = "desk"
"""A lane that no worker serves, so that what is in it stays there."""

openai = ff.limit("openai", concurrency=2, rate=60, per="1m")
team = ff.budget("team-a", usd_micros=50_000_000, tokens=2_000_000, period="day")


class CardDeclined(Exception):
    """What a customer's bank says."""


@ff.task(tags={"team.name": "shop"})
async def greet(ctx: Context, name: str) -> str:
    return f"hello {name}"


@ff.task
def charge(ctx: Context, order: int, cents: int, outage: str = "") -> str:
    """Fails while there is a file of this name, with what the file says."""
    if outage and Path(outage).exists():
        raise CardDeclined(Path(outage).read_text())
    return ctx.step_sync("ask the bank", lambda: f"charge-{order}-{cents}")


@ff.task
async def pack(ctx: Context, order: int) -> str:
    return f"box {order}"


@ff.task
async def ship(ctx: Context, charged: str, box: str) -> str:
    return f"{box} left, {charged}"


@ff.task
async def resize(ctx: Context, image: int) -> int:
    return image


@ff.task
async def album(ctx: Context, images: list[int]) -> int:
    return len(images)


@ff.task(limits=[openai], budgets={team: {"usd_micros": 40_000}})
async def summarise(ctx: Context, text: str) -> str:
    await ctx.spend(team, usd_micros=31_000, tokens=1_904)
    return text[:20]


@ff.task
async def crawl(ctx: Context, pages: int) -> int:
    """Says how far it is, and runs until somebody ends it."""
    for page in range(pages):
        ctx.write(f"page {page} was read\n")
    ctx.progress(40, f"{pages} pages were read")
    await asyncio.Event().wait()
    return pages


@ff.task(linger="0s")
async def publish(ctx: Context, article: int) -> str:
    await ctx.step("write", lambda: f"article {article}")
    answers = await ctx.approve(
        "editor", title=f"Publish article {article}?", timeout="2d", about={"words": 800, "author": "Ann"}
    )
    return f"{answers[0].choice} by {answers[0].by}"


@ff.task(linger="0s")
async def sign(ctx: Context, contract: int) -> Any:
    return await ctx.wait("signature")


@ff.task
async def talk(ctx: Context, lines: int) -> int:
    """One line for each time that it is asked for one."""
    for line in range(lines):
        ctx.write(f"line {line}\n")
        await ctx.wait(f"more-{line}")
    return lines


@ff.task
async def sync(ctx: Context, region: str = "eu") -> None: ...


ff.every("1d", sync.bind(region="eu"), name="sync eu")
ff.cron("30 2 * * *", sync.bind(region="us"), name="sync us", timezone="Europe/Berlin")
