"""Tasks that speak in child processes, which import them from here."""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from contextvars import copy_context
from pathlib import Path

from flowfabric import Context, FlowFabric, InvalidInput, Retry

ff = FlowFabric("memory://")

log = logging.getLogger("shop")


def _note(notes: str) -> None:
    Path(notes).touch()


def _wait_for(ctx: Context, notes: str) -> None:
    while not Path(notes).exists():
        ctx.cancelled.wait(0.01)


@ff.task(isolation="process")
def plain(ctx: Context) -> int:
    ctx.write("before, ")
    ctx.step_sync("s", lambda: ctx.write("in a step, "))
    ctx.emit({"n": 1})
    ctx.write(b"\x00")
    ctx.summary({"stage": "done"})
    ctx.write("x" * 100_000)
    return os.getpid()


@ff.task(isolation="process")
async def on_a_loop(ctx: Context) -> int:
    ctx.write("before, ")
    await ctx.step("s", lambda: ctx.write("in a step, "))
    ctx.emit({"n": 1})
    ctx.write(b"\x00")
    ctx.summary({"stage": "done"})
    ctx.write("x" * 100_000)
    return os.getpid()


@ff.task(isolation="process")
def flushing(ctx: Context, notes: str) -> None:
    ctx.write("a")
    ctx.summary({"n": 1})
    ctx.flush_sync()
    _note(notes)
    _wait_for(ctx, f"{notes}.go")
    ctx.write("b")


@ff.task(isolation="process")
async def flushing_on_a_loop(ctx: Context, notes: str) -> None:
    ctx.write("a")
    ctx.summary({"n": 1})
    await ctx.flush()
    _note(notes)
    await asyncio.to_thread(_wait_for, ctx, f"{notes}.go")
    ctx.write("b")


@ff.task(isolation="process")
def without_a_flush(ctx: Context, notes: str) -> None:
    ctx.write("a")
    _wait_for(ctx, notes)


@ff.task(isolation="process")
def retried(ctx: Context) -> int:
    tries: list[int] = []

    def ask() -> int:
        tries.append(1)
        ctx.write(f"try {len(tries)}")
        if len(tries) < 3:
            raise ConnectionError("away")
        return len(tries)

    return ctx.options(retry=Retry(5, initial_delay="1ms", jitter=0.0)).step_sync("ask", ask)


@ff.task(isolation="process", stream_max_bytes=64 * 1024 * 1024)
def much(ctx: Context, count: int) -> int:
    def in_a_thread() -> None:
        for number in range(count):
            ctx.write(f"t{number} " + "x" * 10_000)

    threads = [threading.Thread(target=copy_context().run, args=(in_a_thread,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 2 * count


@ff.task(isolation="process")
def dies(ctx: Context) -> None:
    if ctx.attempt_index:
        ctx.write("second")
        return
    ctx.step_sync("s", lambda: ctx.write("stored, "))
    ctx.write("first")
    ctx.flush_sync()
    os.kill(os.getpid(), signal.SIGKILL)


@ff.task(isolation="process")
def endless(ctx: Context, notes: str) -> None:
    _note(notes)
    while True:
        ctx.write("x" * 60_000)


@ff.task(isolation="process")
async def endless_on_a_loop(ctx: Context, notes: str) -> None:
    _note(notes)
    while True:
        ctx.write("x" * 60_000)
        await asyncio.sleep(0)


@ff.task(isolation="process")
def forks(ctx: Context) -> str:
    ctx.write("before, ")
    ours, theirs = multiprocessing.Pipe()
    pid = os.fork()
    if not pid:
        try:
            ctx.write("in the fork")
            theirs.send("written")
        except InvalidInput as error:
            theirs.send(str(error))
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    ctx.write("after")
    return str(ours.recv())


@ff.task(isolation="process", capture="stdout,stderr,logging")
def printing(ctx: Context, name: str) -> None:
    print(f"printed by {name}")  # in one piece, as other processes print, too
    log.warning("logged by %s", name)

    def step() -> None:
        print("in a step of", name)

    ctx.step_sync("s", step)
    print("the end")


@ff.task(isolation="process", capture="stdout")
async def printing_on_a_loop(ctx: Context, name: str) -> None:
    print(f"printed by {name}")
    log.warning("not captured")
    await asyncio.to_thread(print, "in a thread of", name)


@ff.task(isolation="process")
def not_captured(ctx: Context) -> None:
    print("not captured")
    ctx.write("said")
