"""Tasks for child processes, which import them from here."""

import asyncio
import ctypes
import os
import signal
import time
from pathlib import Path

from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context
from flowfabric.runtime.tasks import Retry

ff = FlowFabric("memory://")


def hold_the_gil(seconds: float) -> None:
    """Sleep in C without letting any other thread run."""
    ctypes.PyDLL(None).usleep(int(seconds * 1_000_000))


@ff.task(isolation="process")
def where(ctx: Context) -> int:
    return os.getpid()


@ff.task(isolation="process")
async def where_async(ctx: Context) -> int:
    return os.getpid()


@ff.task
def anywhere(ctx: Context) -> int:
    return os.getpid()


def _note(path: str, word: str) -> str:
    with Path(path).open("a") as file:
        file.write(word + "\n")
    return word


@ff.task(isolation="process", retry=Retry(1, initial_delay="1ms"), timeout="1h")
def with_steps(ctx: Context, path: str) -> str:
    word = ctx.step_sync("note", _note, path, "plain")
    ctx.progress(70, "noted")
    if ctx.attempt_index == 0:
        raise ConnectionError("away")
    assert ctx.seconds_left is not None
    assert 3000 < ctx.seconds_left <= 3600
    return word


@ff.task(isolation="process", retry=Retry(1, initial_delay="1ms"))
async def with_steps_async(ctx: Context, path: str) -> str:
    word = await ctx.step("note", _note, path, "async")
    if ctx.attempt_index == 0:
        raise ConnectionError("away")
    return word


@ff.task(isolation="process")
def with_mixed_up_steps(ctx: Context) -> None:
    ctx.step_sync("note", len, "a")
    ctx.step_sync("note", len, "b")


@ff.task(isolation="process")
def die(ctx: Context) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@ff.task(isolation="process")
def leave(ctx: Context) -> None:
    raise SystemExit(3)


@ff.task(isolation="process")
def compute_for_ever(ctx: Context, path: str) -> None:
    _note(path, str(os.getpid()))
    try:
        while True:
            pass
    finally:
        _note(path, "tidied up")


@ff.task(isolation="process")
async def wait_for_ever(ctx: Context, path: str) -> None:
    _note(path, str(os.getpid()))
    try:
        await asyncio.Event().wait()
    finally:
        _note(path, "tidied up")


@ff.task(isolation="process")
def refuse_to_stop(ctx: Context, path: str) -> None:
    _note(path, str(os.getpid()))
    while True:
        try:
            time.sleep(60)
        except BaseException:
            continue


@ff.task
def hold(ctx: Context, seconds: float) -> int:
    if ctx.attempt_index == 0:
        hold_the_gil(seconds)
    return ctx.attempt_index
