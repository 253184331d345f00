"""Tasks for child processes, which import them from here."""

import asyncio
import ctypes
import math
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from flowfabric import InvalidInput, StaleLease
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context
from flowfabric.runtime.messages import Ended, Speaker, framed
from flowfabric.runtime.running import Succeeded
from flowfabric.runtime.task_options import Retry

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
    try:
        _note(path, str(os.getpid()))  # inside: the test stops this code as soon as it reads this
        while True:
            pass
    finally:
        _note(path, "tidied up")


@ff.task(isolation="process")
async def wait_for_ever(ctx: Context, path: str) -> None:
    try:
        _note(path, str(os.getpid()))
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


@ff.task(isolation="process")
def double(ctx: Context, n: int) -> int:
    return 2 * n


def _note_the_end_of(pid: int, notes: str) -> None:
    _note(notes, f"the branch ended with {os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}")


@ff.task(isolation="process")
def fork_and(ctx: Context, what: str, notes: str) -> int:
    """Fork; the forked branch raises, returns, or speaks to the worker. Its parent waits for it."""
    pid = os.fork()
    if pid == 0:
        if what == "raise":
            raise ValueError("the forked branch")
        if what == "progress":
            try:
                ctx.progress(99, "from the forked branch")
            except InvalidInput as error:
                _note(notes, str(error))
        if what == "step":
            try:
                ctx.step_sync("note", len, "a")
            except InvalidInput as error:
                _note(notes, str(error))
        return -1
    _note_the_end_of(pid, notes)
    return os.getpid()


@ff.task(isolation="process")
async def fork_async(ctx: Context, notes: str) -> int:
    pid = os.fork()
    if pid == 0:
        return -1
    _note_the_end_of(pid, notes)
    return os.getpid()


@ff.task(isolation="process", retry=Retry(0))
def fork_and_leave_it(ctx: Context, notes: str, die: bool) -> int:
    """Fork, and do not wait for the forked branch, which goes on."""
    if ctx.fencing_token > 1:
        return os.getpid()
    pid = os.fork()
    if pid == 0:
        signal.pause()
    _note(notes, str(pid))
    if die:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


@ff.task(isolation="process")
def pool(ctx: Context, numbers: list[int]) -> list[float]:
    forking = multiprocessing.get_context("fork")
    with forking.Pool(2) as workers:
        roots = workers.map(math.sqrt, numbers)
        # Python's own `terminate` of a pool at work, and a fork beside its threads, hang once in a while.
        workers.close()
        workers.join()
    runs = forking.Event()
    waiting = forking.Process(target=_wait_for_a_signal, args=(runs,))
    waiting.start()
    runs.wait()
    waiting.terminate()
    waiting.join()
    return roots


def _wait_for_a_signal(runs: Any) -> None:
    runs.set()
    while True:
        signal.pause()


@ff.task(isolation="process")
def slow_neighbour(ctx: Context, until: str) -> None:
    while not Path(until).exists():
        time.sleep(0.01)


@ff.task(isolation="process", timeout="10s", retry=Retry(0))
def quick(ctx: Context) -> int:
    return os.getpid()


@ff.task(isolation="process")
def talk(ctx: Context) -> int:
    sys.stdout.write("x" * 1_000)
    sys.stdout.flush()
    os.write(1, b"y" * 1_000)
    program = "import sys; from tests.runtime.isolated import write_to_all; write_to_all(b'z' * 100)"
    subprocess.run([sys.executable, "-c", program], close_fds=False, check=True)
    return os.getpid()


def write_to_all(data: bytes) -> None:
    """Write to every descriptor that is open, but not to the standard ones."""
    for fd in map(int, os.listdir("/dev/fd")):  # a process with many files has high numbers
        if fd > 2:
            with suppress(OSError):
                os.write(fd, data)


@ff.task(isolation="process", retry=Retry(0))
def speak_for_another(ctx: Context, what: str) -> int:
    """Write to the line what looks like an answer, and is none to what was asked; then go on for ever."""
    if ctx.fencing_token > 1:
        return os.getpid()
    other = Speaker(os.getpid(), ctx.execution_id, ctx.attempt_index, ctx.fencing_token - 1)
    answer = framed(Ended(other, Succeeded(b"4")))
    said = {"garbage": answer[:1] + b"\0\0\0\1x", "a line": b"hello\n", "a character": b"\n"}
    write_to_all(said.get(what, answer))
    while True:
        signal.pause()


@ff.task(isolation="process", retry=Retry(0))
def close_descriptors(ctx: Context) -> int:
    """Close all but the standard ones, once, and let others have their numbers."""
    if ctx.fencing_token > 1:
        return os.getpid()
    os.closerange(3, 1 << 16)  # a process with many files has high numbers
    _kept.extend(socket.socketpair() for _ in range(8))
    return -1


@ff.task(isolation="process")
def leave_a_thread(ctx: Context, notes: str) -> int:
    """Return, and leave a thread behind that speaks for this attempt when the next one runs."""

    def speak() -> None:
        _speak.wait()
        ctx.progress(99, "from the attempt before")
        try:
            ctx.step_sync("note", len, "a")
        except StaleLease as error:
            _note(notes, str(error))
        _spoken.set()

    threading.Thread(target=speak, daemon=True).start()
    return os.getpid()


@ff.task(isolation="process")
def let_it_speak(ctx: Context) -> int:
    _speak.set()
    assert _spoken.wait(10)
    return os.getpid()


_kept: list[object] = []
_speak, _spoken = threading.Event(), threading.Event()
