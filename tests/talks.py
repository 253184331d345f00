"""Tasks that speak as a script says: inside and outside of steps, in tries that fail, before and after waits.

What they say follows from the script alone, so it is known what one undisturbed run would write.
"""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal

import msgspec

from flowfabric import Context, Retry
from flowfabric.runtime.tries import spoken_in

Says = Callable[[Context, str], None]
"""Called with each text. It writes the frame."""
Ran = Callable[[Context, str], None]
"""Called when the function of a step has come to its end, with the name of the step."""


class Line(msgspec.Struct, omit_defaults=True):
    """One part of a script."""

    what: Literal["say", "step", "both", "nap", "wait", "flush"]
    texts: int = 1
    pause_ms: int = 0
    """What happens between two texts."""
    tries: int = 1
    """The try of a step that succeeds. Those before it say a part, and fail."""


class Spoken(msgspec.Struct):
    """What is said outside of steps and in each step. A step that says nothing is left out."""

    outside: list[Any]
    steps: dict[str, list[Any]]


def spoken_by(script: list[Line]) -> Spoken:
    """What one undisturbed run of a script says."""
    spoken = Spoken([], {})
    for number, line in enumerate(script):
        if line.what == "say":
            spoken.outside += [f"{number}.{place}" for place in range(line.texts)]
        for name in steps_of(number, line) if line.texts else ():
            spoken.steps[name] = [f"{name}.{place}" for place in range(line.texts)]
    return spoken


def by_place(frames: Iterable[tuple[str | None, Any]]) -> Spoken:
    """What was said, by the step in which it was said."""
    spoken = Spoken([], {})
    for step, value in frames:
        (spoken.outside if step is None else spoken.steps.setdefault(step, [])).append(value)
    return spoken


def write(ctx: Context, text: str) -> None:
    """Write a frame: as a text, or as JSON."""
    if text.endswith(("1", "3")):
        ctx.emit(text)
    else:
        ctx.write(text)


def steps_of(number: int, line: Line) -> list[str]:
    """The steps of a line."""
    if line.what == "both":
        return [f"step-{number}-left", f"step-{number}-right"]
    return [f"step-{number}"] if line.what == "step" else []


async def narrate(ctx: Context, script: list[Line], fails: int, says: Says, ran: Ran) -> None:
    """Say a script on the event loop. Some of its steps run in threads. The first attempts may be meant to fail."""
    for number, line in enumerate(script):
        steps = ctx.options(retry=_retries(line))
        names = steps_of(number, line)
        if line.what == "say":
            for place in range(line.texts):
                says(ctx, f"{number}.{place}")
                await asyncio.sleep(line.pause_ms / 1000)
        elif line.what == "nap":
            await ctx.sleep(f"nap-{number}", 0.3)
        elif line.what == "wait":
            await ctx.wait(f"wait-{number}", str)
        elif line.what == "flush":
            await ctx.flush()
        elif line.pause_ms % 2:
            plain = (partial(_say_in_step, ctx, name, line, says, ran) for name in names)
            await asyncio.gather(*(steps.step(name, each) for name, each in zip(names, plain, strict=True)))
        else:
            waiting = (partial(_say_in_async_step, ctx, name, line, says, ran) for name in names)
            await asyncio.gather(*(steps.step(name, each) for name, each in zip(names, waiting, strict=True)))
        ctx.summary({"line": number} if number else {"line": number, "of": {"attempt": ctx.attempt_index}})
    _come_to_the_end(ctx, fails)


def narrate_in_thread(ctx: Context, script: list[Line], fails: int, says: Says, ran: Ran) -> None:
    """The same in a plain function, one step after the other."""
    for number, line in enumerate(script):
        if line.what == "say":
            for place in range(line.texts):
                says(ctx, f"{number}.{place}")
                ctx.cancelled.wait(line.pause_ms / 1000)
                ctx.raise_if_cancelled()
        elif line.what == "nap":
            ctx.sleep_sync(f"nap-{number}", 0.3)
        elif line.what == "wait":
            ctx.wait_sync(f"wait-{number}", str)
        elif line.what == "flush":
            ctx.flush_sync()
        for name in steps_of(number, line):
            ctx.options(retry=_retries(line)).step_sync(name, partial(_say_in_step, ctx, name, line, says, ran))
        ctx.summary({"line": number} if number else {"line": number, "of": {"attempt": ctx.attempt_index}})
    _come_to_the_end(ctx, fails)


def _come_to_the_end(ctx: Context, fails: int) -> None:
    if ctx.attempt_index < fails:
        raise RuntimeError("as planned")
    ctx.summary({"of": {"is_done": True}})


def _retries(line: Line) -> Retry:
    return Retry(line.tries - 1, backoff="fixed", initial_delay="30ms", jitter=0.0)


def _say_in_step(ctx: Context, name: str, line: Line, says: Says, ran: Ran) -> int:
    """What a plain step does."""
    for place in range(_reach(line)):
        says(ctx, f"{name}.{place}")
        ctx.cancelled.wait(line.pause_ms / 1000)
    return _returned(ctx, name, line, ran)


async def _say_in_async_step(ctx: Context, name: str, line: Line, says: Says, ran: Ran) -> int:
    for place in range(_reach(line)):
        says(ctx, f"{name}.{place}")
        await asyncio.sleep(line.pause_ms / 1000)
    return _returned(ctx, name, line, ran)


def _reach(line: Line) -> int:
    """How much of its texts this try says."""
    inside = spoken_in()
    assert inside is not None
    return line.texts if inside.step_try >= line.tries else inside.step_try % (line.texts + 1)


def _returned(ctx: Context, name: str, line: Line, ran: Ran) -> int:
    inside = spoken_in()
    assert inside is not None
    if inside.step_try < line.tries:
        raise RuntimeError("as planned")
    ran(ctx, name)
    return ctx.fencing_token
