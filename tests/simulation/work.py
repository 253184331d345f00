"""The tasks that the workers of the simulation run: plain and async, with steps, pauses, failures and inputs.

What a function returns, and what its steps return, names the fencing token under which it ran, so that whatever is
stored tells who stored it.
"""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from flowfabric import AtLeast, Context, FlowFabric, WaitTimeout
from tests.simulation import ledger

ff = FlowFabric("memory://")

LANES = ("default", "mail")
CAPABILITIES = ("gpu",)
WAITPOINTS = ("editor", "lawyer", "owner")


class Result(msgspec.Struct):
    """What a task returns."""

    value: int
    token: int


def _effect(ctx: Context, name: str) -> int:
    ledger.current().step_runs(ctx.execution_id, ctx.fencing_token, name)
    return ctx.fencing_token


async def _slow_effect(ctx: Context, name: str, pause_ms: int) -> int:
    await asyncio.sleep(pause_ms / 1000)
    return _effect(ctx, name)


@ff.task
async def roam(
    ctx: Context, n: int, pauses_ms: list[int], fails: int = 0, a: Result | None = None, b: Result | None = None
) -> Result:
    """Steps with pauses between them, on the event loop; a step may run in a thread."""
    for number, pause_ms in enumerate(pauses_ms):
        name = f"step-{number}"
        if number % 2:
            token = await ctx.step(name, partial(_effect, ctx, name))
        else:
            token = await ctx.step(name, partial(_slow_effect, ctx, name, pause_ms))
        ledger.current().step_is_known(ctx.execution_id, ctx.fencing_token, name, token)
        ctx.progress(percent=100 * number // len(pauses_ms))
    _maybe_fail(ctx, fails)
    return Result(n + _sum(a, b), ctx.fencing_token)


@ff.task
def plod(
    ctx: Context, n: int, pauses_ms: list[int], fails: int = 0, a: Result | None = None, b: Result | None = None
) -> Result:
    """The same in a thread, which looks by itself whether it is to stop."""
    for number, pause_ms in enumerate(pauses_ms):
        name = f"step-{number}"
        token = ctx.step_sync(name, partial(_effect, ctx, name))
        ledger.current().step_is_known(ctx.execution_id, ctx.fencing_token, name, token)
        ctx.cancelled.wait(pause_ms / 1000)
        ctx.raise_if_cancelled()
    _maybe_fail(ctx, fails)
    return Result(n + _sum(a, b), ctx.fencing_token)


@ff.task
async def ponder(ctx: Context, n: int, timeouts_ms: list[int | None], linger_ms: int = 0) -> Result:
    """Waits for signals with steps between them, on the event loop; some waits are open at once."""
    for number, timeout_ms in enumerate(timeouts_ms):
        name = f"step-{number}"
        await ctx.step(name, partial(_effect, ctx, name))
        timeout = None if timeout_ms is None else timeout_ms / 1000
        with suppress(WaitTimeout):
            if number % 2:
                both = (ctx.wait(key, int, name=f"{key}-{number}", timeout=timeout) for key in WAITPOINTS[:2])
                for key, value in zip(WAITPOINTS, await asyncio.gather(*both), strict=False):
                    ledger.current().wait_is_known(ctx.execution_id, f"{key}-{number}", value)
            else:
                condition = AtLeast(2, *WAITPOINTS, distinct="signals")
                values = await ctx.wait(condition, int, name=f"some-{number}", timeout=timeout)
                ledger.current().wait_is_known(ctx.execution_id, f"some-{number}", values)
    return Result(n, ctx.fencing_token)


@ff.task(linger=0)
async def ponder_elsewhere(ctx: Context, n: int, timeouts_ms: list[int | None]) -> Result:
    """The same, and suspended at once."""
    await ctx.sleep("nap", 0.4)
    return await ponder.function(ctx, n, timeouts_ms)


@ff.task
def brood(ctx: Context, n: int, timeouts_ms: list[int | None]) -> Result:
    """The same in a thread, one wait after the other."""
    for number, timeout_ms in enumerate(timeouts_ms):
        name = f"step-{number}"
        ctx.step_sync(name, partial(_effect, ctx, name))
        with suppress(WaitTimeout):
            timeout = None if timeout_ms is None else timeout_ms / 1000
            value = ctx.wait_sync(WAITPOINTS[0], int, name=f"wait-{number}", timeout=timeout)
            ledger.current().wait_is_known(ctx.execution_id, f"wait-{number}", value)
    return Result(n, ctx.fencing_token)


@ff.task
async def rare(ctx: Context, n: int) -> Result:
    """Not every worker knows this one."""
    return Result(n, ctx.fencing_token)


def _maybe_fail(ctx: Context, fails: int) -> None:
    if ctx.attempt_index < fails:
        raise RuntimeError("as planned")


def _sum(*inputs: Result | None) -> int:
    return sum(each.value for each in inputs if each is not None)


def payload(arguments: dict[str, Any], inputs: tuple[str, ...] = ()) -> bytes:
    """A call of a task as bytes; the inputs are arguments that upstreams will return."""
    holes = [[[name], name, []] for name in inputs]
    return msgspec.json.encode({"arguments": arguments, "outputs": holes} if holes else {"arguments": arguments})
