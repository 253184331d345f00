"""The tasks that the workers of the simulation run: plain and async, with steps, waits, children, inputs and bills.

What a function returns, and what its steps return, names the fencing token under which it ran, so that whatever is
stored tells who stored it.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, Literal

import msgspec

from flowfabric import (
    AtLeast,
    BudgetExceeded,
    ChildFailed,
    Context,
    FlowFabric,
    NotFound,
    RateLimited,
    Retry,
    Spent,
    WaitTimeout,
)
from tests.simulation import ledger

ff = FlowFabric("memory://")

LANES = ("default", "mail")
CAPABILITIES = ("gpu",)
WAITPOINTS = ("editor", "lawyer", "owner")
BOARD = "board"
"""The waitpoint of those who approve."""
PERSONS = ("ann", "bob", "cleo")
FAN_OUTS = ("errands", "last", "chores")
"""The steps that hold the results of children."""

api = ff.limit("api", concurrency=2)
calls = ff.limit("calls", rate=4, per="1s", burst=2)
tenant = ff.limit("tenant", concurrency=1)
"""Each tenant is a key."""
TENANTS = ("ada", "bea", "cy")
company = ff.budget("company", usd=25)
team = ff.budget("team", usd=15, tokens=40, parent=company, soft={"usd": 6})
trial = ff.budget("trial", usd=10, period="* * * * *", on_exceeded="cancel")
PARENTS = {"company": None, "team": "company", "trial": None}
"""The parent that each budget has, if it has one."""
ESTIMATE_MAX = 5
SPENDING_ATTEMPTS = 3
"""Later attempts spend nothing more, so that a budget with periods lets everybody through at last."""


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
async def confer(ctx: Context, n: int, approvers: int, timeout_ms: int | None = None) -> Result:
    """Asks people, and goes on with the first rejection, too."""
    with suppress(WaitTimeout):
        timeout = None if timeout_ms is None else timeout_ms / 1000
        decisions = await ctx.approve(BOARD, title="Publish?", approvers=approvers, timeout=timeout)
        ledger.current().wait_is_known(ctx.execution_id, BOARD, decisions)
    name = "step-0"
    await ctx.step(name, partial(_effect, ctx, name))
    return Result(n, ctx.fencing_token)


class Errand(msgspec.Struct, omit_defaults=True):
    """What a child is to do."""

    n: int
    pause_ms: int = 0
    fails: int = 0
    """How many of its attempts fail. It has two."""
    waits: bool = False
    """Whether it waits for a signal."""
    errands: list["Errand"] = msgspec.field(default_factory=list)
    """What its own children are to do."""


@ff.task(retry=Retry(1, initial_delay="50ms"), linger=0)
async def errand(ctx: Context, what: Errand) -> Result:
    """A child, which may have children."""
    await asyncio.sleep(what.pause_ms / 1000)
    if what.waits:
        value = await ctx.wait(WAITPOINTS[0], int, name="go")
        ledger.current().wait_is_known(ctx.execution_id, "go", value)
    if what.errands:
        results = await ctx.map("errands", errand, what.errands)
        _note_results(ctx, "errands", what.errands, results)
    _maybe_fail(ctx, what.fails)
    return Result(what.n, ctx.fencing_token)


@ff.task
async def oversee(ctx: Context, errands: list[Errand], spares: bool = False, fails: int = 0) -> Result:
    """Has children, and one more when they have ended. If it spares them, their failures are not its own."""
    await ctx.step("step-0", partial(_effect, ctx, "step-0"))
    results = await ctx.map("errands", errand, errands, return_exceptions=spares)
    _note_results(ctx, "errands", errands, results)
    _maybe_fail(ctx, fails)
    await ctx.step("step-1", partial(_effect, ctx, "step-1"))
    last = Errand(n=len(errands) + 1)
    result = await ctx.run("last", errand, last)
    _note_results(ctx, "last", [last], [result])
    return Result(len(errands), ctx.fencing_token)


@ff.task(linger=0)
def oversee_in_a_thread(ctx: Context, errands: list[Errand], spares: bool = False, fails: int = 0) -> Result:
    """The same in a thread. It does not wait for the rest when one of its children has failed."""
    with suppress(ChildFailed):
        results = ctx.map_sync("errands", errand, errands, return_exceptions=spares)
        _note_results(ctx, "errands", errands, results)
    _maybe_fail(ctx, fails)
    ctx.step_sync("step-1", partial(_effect, ctx, "step-1"))
    return Result(len(errands), ctx.fencing_token)


def _note_results(ctx: Context, name: str, errands: list[Errand], results: Sequence[Result | ChildFailed]) -> None:
    values = [each.value if isinstance(each, Result) else each.outcome for each in results]
    ledger.current().results_are_known(ctx.execution_id, name, [what.n for what in errands], values)


# ── under limits and budgets ─────────────────────────────────────────────────────────────────────


class Bill(msgspec.Struct, omit_defaults=True):
    """What a task is to spend."""

    budget: str
    usd: int
    how: Literal["spend", "once", "reserve", "metered"] = "spend"
    pause_ms: int = 0
    """What happens between a reservation and what is spent, or after it."""


@ff.task
async def pay(ctx: Context, n: int, bills: list[Bill], named: list[str], throttles: int = 0, fails: int = 0) -> Result:
    """Spends on the event loop, with a step after each bill. `named`: the budgets that the execution names."""
    _maybe_be_throttled(ctx, throttles)
    book = ledger.current().book_of(ctx.execution_id, ctx.fencing_token, named)
    for number, bill in enumerate(bills):
        if ctx.attempt_index < SPENDING_ATTEMPTS:
            with suppress(BudgetExceeded):
                await _pay(ctx, book, f"bill-{number}", bill)
        name = f"step-{number}"
        await ctx.step(name, partial(_effect, ctx, name))
    _maybe_fail(ctx, fails)
    return Result(n, ctx.fencing_token)


async def _pay(ctx: Context, book: ledger.Book, name: str, bill: Bill) -> None:
    if bill.how == "metered":
        steps = ctx.metered(bill.budget, reserve={"usd": bill.usd}, cost=lambda _: {"usd": bill.usd})
        token = await steps.step(name, partial(_metered_effect, ctx, book, name, bill))
        book.was_charged(bill.budget, bill.usd, f"{name} of {token}")
        return
    if bill.how == "reserve":
        await ctx.reserve(bill.budget, usd=bill.usd)
    await asyncio.sleep(bill.pause_ms / 1000)
    key = name if bill.how == "once" else None
    book.asks(bill.budget, bill.usd, key)
    book.was_spent(bill.budget, bill.usd, await ctx.spend(bill.budget, usd=bill.usd, idempotency_key=key), key)


async def _metered_effect(ctx: Context, book: ledger.Book, name: str, bill: Bill) -> int:
    await asyncio.sleep(bill.pause_ms / 1000)
    book.asks(bill.budget, bill.usd, None)
    return _effect(ctx, name)


@ff.task
def pay_in_a_thread(
    ctx: Context, n: int, bills: list[Bill], named: list[str], throttles: int = 0, fails: int = 0
) -> Result:
    """The same in a thread."""
    _maybe_be_throttled(ctx, throttles)
    book = ledger.current().book_of(ctx.execution_id, ctx.fencing_token, named)
    for number, bill in enumerate(bills):
        if ctx.attempt_index < SPENDING_ATTEMPTS:
            with suppress(BudgetExceeded):
                if bill.how == "reserve":
                    ctx.reserve_sync(bill.budget, usd=bill.usd)
                ctx.cancelled.wait(bill.pause_ms / 1000)
                ctx.raise_if_cancelled()
                book.asks(bill.budget, bill.usd, None)
                spent: Spent = ctx.spend_sync(bill.budget, usd=bill.usd)
                book.was_spent(bill.budget, bill.usd, spent, None)
        name = f"step-{number}"
        ctx.step_sync(name, partial(_effect, ctx, name))
    _maybe_fail(ctx, fails)
    return Result(n, ctx.fencing_token)


@ff.task(retry=Retry(1, initial_delay="50ms"), linger=0, limits=[tenant(lambda what: TENANTS[what.n % 2])])
async def chore(ctx: Context, what: Errand) -> Result:
    """A child under a limit."""
    return await errand.function(ctx, what)


@ff.task(linger=0)
async def supervise(ctx: Context, chores: list[Errand], at_a_time: int | None = None) -> Result:
    """Has children that wait for each other."""
    results = await ctx.map("chores", chore, chores, return_exceptions=True, concurrency=at_a_time)
    _note_results(ctx, "chores", chores, results)
    await ctx.step("step-1", partial(_effect, ctx, "step-1"))
    return Result(len(chores), ctx.fencing_token)


class Visit(msgspec.Struct, omit_defaults=True):
    """A block of code under a limit."""

    limit: str
    key: str = ""
    pause_ms: int = 0


@ff.task
async def visit(ctx: Context, n: int, visits: list[Visit], how: str) -> Result:
    """Enters blocks under limits, one after another, one inside the other, or all at once."""
    if how == "at once":
        await asyncio.gather(*(_visit(ctx, number, each) for number, each in enumerate(visits)))
        return Result(n, ctx.fencing_token)
    async with AsyncExitStack() as stack:
        for number, each in enumerate(visits):
            if how != "nested":
                await stack.aclose()
            await stack.enter_async_context(_room(ctx, each))
            await ctx.step(f"step-{number}", partial(_slow_effect, ctx, f"step-{number}", each.pause_ms))
    return Result(n, ctx.fencing_token)


async def _visit(ctx: Context, number: int, each: Visit) -> None:
    async with _room(ctx, each):
        await ctx.step(f"step-{number}", partial(_slow_effect, ctx, f"step-{number}", each.pause_ms))


@asynccontextmanager
async def _room(ctx: Context, each: Visit) -> AsyncIterator[None]:
    """A block, or nothing if an officer has removed its limit."""
    async with AsyncExitStack() as stack:
        with suppress(NotFound):
            await stack.enter_async_context(ctx.limited(each.limit, each.key))
            ledger.current().block_runs(ctx.execution_id, ctx.fencing_token, (each.limit, each.key))
        yield


@ff.task(linger=0)
async def visit_elsewhere(ctx: Context, n: int, visits: list[Visit], how: str) -> Result:
    """The same, and parked at once."""
    return await visit.function(ctx, n, visits, how)


@ff.task
def visit_in_a_thread(ctx: Context, n: int, visits: list[Visit], how: str) -> Result:
    """The same in a thread, one inside the other, or one after another."""
    with ExitStack() as stack:
        for number, each in enumerate(visits):
            if how != "nested":
                stack.close()
            with suppress(NotFound):
                stack.enter_context(ctx.limited_sync(each.limit, each.key))
                ledger.current().block_runs(ctx.execution_id, ctx.fencing_token, (each.limit, each.key))
            ctx.step_sync(f"step-{number}", partial(_effect, ctx, f"step-{number}"))
            ctx.cancelled.wait(each.pause_ms / 1000)
            ctx.raise_if_cancelled()
    return Result(n, ctx.fencing_token)


def _maybe_be_throttled(ctx: Context, throttles: int) -> None:
    """What a task does that is told by a service to come back later."""
    if ctx.attempt_index < throttles:
        raise RateLimited(calls, retry_after=0.4)


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
