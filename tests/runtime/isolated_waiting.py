"""Tasks that wait in child processes, which import them from here."""

import asyncio
import os
from pathlib import Path
from typing import Any

from flowfabric import Approval, Context, FlowFabric, Permanent, WaitpointClosed, WaitTimeout

ff = FlowFabric("memory://")


def _note(path: str, word: str) -> str:
    with Path(path).open("a") as file:
        file.write(f"{word}\n")
    return word


@ff.task(isolation="process")
def plain(ctx: Context, notes: str) -> list[Any]:
    ticket = ctx.waitpoint_sync("editor", about={"title": "Well?"})
    ctx.step_sync("mail", _note, notes, ticket.token)
    verdict = ctx.wait_sync("editor", dict[str, int])
    ctx.sleep_sync("cool-down", "10ms")
    try:
        ctx.wait_sync("never", timeout="10ms")
    except WaitTimeout as error:
        return [verdict, str(error), os.getpid(), ctx.waitpoint_sync("editor").token]
    raise Permanent("it did not time out")


@ff.task(isolation="process")
async def on_a_loop(ctx: Context, notes: str) -> list[Any]:
    ticket = await ctx.waitpoint("editor")
    await ctx.step("mail", _note, notes, ticket.token)
    try:
        return [*await asyncio.gather(ctx.wait("editor", str), ctx.wait("other", str)), os.getpid()]
    finally:
        _note(notes, f"tidied up, {ctx.cancelled.reason}")


@ff.task(isolation="process")
def approved(ctx: Context) -> list[Approval]:
    return ctx.approve_sync("go-live", title="Publish?")


@ff.task(isolation="process")
def greedy(ctx: Context, notes: str) -> str:
    try:
        return ctx.wait_sync("editor", str)
    except BaseException as error:
        _note(notes, type(error).__name__)
        return "finished"


@ff.task(isolation="process")
def at_a_closed_waitpoint(ctx: Context) -> str:
    try:
        return str(ctx.wait_sync("editor"))
    except WaitpointClosed as error:
        return type(error).__name__


@ff.task(isolation="process")
def where(ctx: Context) -> int:
    return os.getpid()
