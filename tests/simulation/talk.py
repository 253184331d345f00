"""The tasks that speak: inside and outside of steps, in tries that fail, before and after waits.

What they say follows from their script alone, so it is known what one undisturbed run would write.
"""

import asyncio
from functools import partial
from typing import Literal

import msgspec

from flowfabric import Context, Retry
from flowfabric.runtime.tries import spoken_in
from tests.simulation import ledger
from tests.simulation.work import Result, ff


class Line(msgspec.Struct, omit_defaults=True):
    """One part of a script."""

    what: Literal["say", "step", "both", "nap", "flush"]
    texts: int = 1
    pause_ms: int = 0
    """What happens between two texts."""
    tries: int = 1
    """The try of a step that succeeds. Those before it say a part, and fail."""


class Spoken(msgspec.Struct):
    """What one undisturbed run of a script says."""

    outside: list[str]
    steps: dict[str, list[str]]


def spoken_by(script: list[Line]) -> Spoken:
    """What a run says, outside of steps and in each step."""
    spoken = Spoken([], {})
    for number, line in enumerate(script):
        if line.what == "say":
            spoken.outside += [f"{number}.{place}" for place in range(line.texts)]
        for name in _steps_of(number, line):
            spoken.steps[name] = [f"{name}.{place}" for place in range(line.texts)]
    return spoken


def _steps_of(number: int, line: Line) -> list[str]:
    if line.what == "both":
        return [f"step-{number}-left", f"step-{number}-right"]
    return [f"step-{number}"] if line.what == "step" else []


def _say(ctx: Context, text: str) -> None:
    """Write a frame, and write down that it was written: as a text, or as JSON."""
    ledger.current().says(ctx.execution_id, ctx.fencing_token, spoken_in(), text)
    if text.endswith(("1", "3")):
        ctx.emit(text)
    else:
        ctx.write(text)


def _say_in_step(ctx: Context, name: str, line: Line) -> int:
    """What a plain step does."""
    for place in range(_reach(line)):
        _say(ctx, f"{name}.{place}")
        ctx.cancelled.wait(line.pause_ms / 1000)
    return _returned(ctx, name, line)


async def _say_in_async_step(ctx: Context, name: str, line: Line) -> int:
    for place in range(_reach(line)):
        _say(ctx, f"{name}.{place}")
        await asyncio.sleep(line.pause_ms / 1000)
    return _returned(ctx, name, line)


def _reach(line: Line) -> int:
    """How much of its texts this try says."""
    inside = spoken_in()
    assert inside is not None
    return line.texts if inside.step_try >= line.tries else inside.step_try % (line.texts + 1)


def _returned(ctx: Context, name: str, line: Line) -> int:
    inside = spoken_in()
    assert inside is not None
    if inside.step_try < line.tries:
        raise RuntimeError("as planned")
    ledger.current().step_runs(ctx.execution_id, ctx.fencing_token, name)
    return ctx.fencing_token


def _options(line: Line) -> Retry:
    return Retry(line.tries - 1, backoff="fixed", initial_delay="30ms", jitter=0.0)


async def _narrate(ctx: Context, n: int, script: list[Line], fails: int) -> Result:
    for number, line in enumerate(script):
        steps = ctx.options(retry=_options(line))
        names = _steps_of(number, line)
        if line.what == "say":
            for place in range(line.texts):
                _say(ctx, f"{number}.{place}")
                await asyncio.sleep(line.pause_ms / 1000)
        elif line.what == "nap":
            await ctx.sleep(f"nap-{number}", 0.3)
        elif line.what == "flush":
            await ctx.flush()
        elif line.pause_ms % 2:
            await asyncio.gather(*(steps.step(name, partial(_say_in_step, ctx, name, line)) for name in names))
        else:
            await asyncio.gather(*(steps.step(name, partial(_say_in_async_step, ctx, name, line)) for name in names))
        ctx.summary({"line": number, "of": {"attempt": ctx.attempt_index}})
    if ctx.attempt_index < fails:
        raise RuntimeError("as planned")
    ctx.summary({"is_done": True})
    return Result(n, ctx.fencing_token)


@ff.task
async def narrate(ctx: Context, n: int, script: list[Line], fails: int = 0) -> Result:
    """Says its script on the event loop; some of its steps run in threads."""
    return await _narrate(ctx, n, script, fails)


@ff.task(linger=0)
async def narrate_elsewhere(ctx: Context, n: int, script: list[Line], fails: int = 0) -> Result:
    """The same, and suspended at once."""
    return await _narrate(ctx, n, script, fails)


@ff.task
def narrate_in_a_thread(ctx: Context, n: int, script: list[Line], fails: int = 0) -> Result:
    """The same in a thread, one step after the other."""
    for number, line in enumerate(script):
        if line.what == "say":
            for place in range(line.texts):
                _say(ctx, f"{number}.{place}")
                ctx.cancelled.wait(line.pause_ms / 1000)
                ctx.raise_if_cancelled()
        elif line.what == "nap":
            ctx.sleep_sync(f"nap-{number}", 0.3)
        elif line.what == "flush":
            ctx.flush_sync()
        for name in _steps_of(number, line):
            ctx.options(retry=_options(line)).step_sync(name, partial(_say_in_step, ctx, name, line))
        ctx.summary({"line": number, "of": {"attempt": ctx.attempt_index}})
    if ctx.attempt_index < fails:
        raise RuntimeError("as planned")
    ctx.summary({"is_done": True})
    return Result(n, ctx.fencing_token)


NARRATORS = ("narrate", "narrate_elsewhere", "narrate_in_a_thread")


class _Arguments(msgspec.Struct):
    script: list[Line]


class _Call(msgspec.Struct):
    arguments: _Arguments


def script_in(payload: bytes) -> list[Line]:
    """The script of an execution."""
    return msgspec.json.decode(payload, type=_Call).arguments.script
