"""What type checkers know of tasks, handles and flows. Nothing here runs; `wrong.py` holds what they must refuse."""

from typing import TYPE_CHECKING, Any, assert_type

from flowfabric import (
    AnyOf,
    Approval,
    AtLeast,
    Context,
    Either,
    FlowFabric,
    Handle,
    On,
    PublicState,
    Retry,
    Signal,
    StreamFrame,
    Summary,
    Waitpoint,
)

if TYPE_CHECKING:
    from collections.abc import Coroutine

ff = FlowFabric("memory://")
Charge = dict[str, str]


class Receipt:
    number: int


@ff.task
async def charge(ctx: Context, order_id: int, cents: int) -> Charge:
    return {"id": f"charge-{order_id}", "sum": f"{cents} ct"}


@ff.task(retry=Retry(max_retries=5, backoff="exponential"), timeout="2m", idempotency=lambda charge_id, **_: charge_id)
def receipt(ctx: Context, charge_id: str, copies: int = 1) -> bool:
    return bool(charge_id) and copies > 0


@ff.task()
def total(ctx: Context, cents: list[int]) -> int:
    return sum(cents)


async def bare_calls(ctx: Context) -> None:
    coroutine: Coroutine[Any, Any, Charge] = charge(ctx, 7, cents=990)
    assert_type(await coroutine, Charge)
    assert_type(receipt(ctx, "charge-7"), bool)


@ff.task(capture="stdout,logging", stream_max_frames=100, stream_max_bytes=1_000)
async def speaks(ctx: Context) -> None:
    ctx.write("text")
    ctx.write(b"bytes")
    ctx.emit({"any": ["value"]})
    ctx.summary({"stage": "done", "tokens": 812})
    assert_type(await ctx.flush(), None)
    assert_type(ctx.flush_sync(), None)


async def reads() -> None:
    handle = await speaks.options(stream_max_frames=7).submit()
    stream = handle.stream(cursor=None)
    async for frame in stream:
        assert_type(frame, StreamFrame)
        assert_type(frame.value, Any)
    assert_type(stream.cursor, str | None)
    assert_type([frame.seq for frame in handle.stream_sync()], list[int])
    assert_type(await handle.summary(), Summary | None)
    assert_type(handle.summary_sync(), Summary | None)


async def submits() -> None:
    handle = await charge.submit(order_id=7, cents=990)
    assert_type(handle, Handle[Charge])
    assert_type(await handle.result(timeout=30), Charge)
    assert_type((await handle.result())["id"], str)
    assert_type(await handle.state(), PublicState)
    assert_type(await handle.cancel(), bool)
    assert_type(await charge.options(idempotency_key="order-7", priority=5, delay="5m").submit(7, 990), Handle[Charge])
    assert_type(await charge.submit_many([charge.bind(order_id=n, cents=1) for n in range(9)]), list[Handle[Charge]])
    assert_type([event.event_type async for event in handle.events()], list[str])


def submits_without_a_loop() -> None:
    assert_type(receipt.submit_sync("charge-7", copies=2).result_sync(timeout="30s"), bool)
    assert_type(receipt.handle("{fp:1}:…").result_sync(), bool)


async def waits(ctx: Context) -> None:
    assert_type(await ctx.wait("editor", Receipt), Receipt)
    assert_type(await ctx.wait(On("editor", name="done"), Receipt, name="end", timeout="3d"), Receipt)
    assert_type(await ctx.wait("editor", list[int]), list[int])
    assert_type(await ctx.wait("editor", Signal), Signal)
    assert_type(await ctx.wait(AtLeast(2, "ann", "bob"), Receipt, name="votes"), list[Receipt])
    assert_type(await ctx.wait(Either("ann", "bob"), Signal, name="first"), list[Signal])
    assert_type(await ctx.wait("editor"), Any)
    either: int | str = await ctx.wait("editor", int | str)
    del either
    assert_type(await ctx.wait(AtLeast(1, "ann"), name="vote"), list[Any])
    assert_type([message async for message in ctx.inbox("chat", str)], list[str])
    assert_type([message async for message in ctx.inbox("chat")], list[Any])
    assert_type(await ctx.approve("go-live", title="Publish?"), list[Approval])
    assert_type(await ctx.waitpoint("editor"), Waitpoint)
    await ctx.sleep("cool-down", "2h")


def plain_waits(ctx: Context) -> None:
    assert_type(ctx.wait_sync("editor", Receipt), Receipt)
    assert_type(ctx.wait_sync(AtLeast(2, "ann", "bob"), Receipt, name="votes"), list[Receipt])
    assert_type(ctx.approve_sync("go-live", title="Publish?"), list[Approval])


def flows() -> None:
    with ff.flow("order") as flow:
        paid = flow.add(charge, order_id=7, cents=990)
        assert_type(paid.output, Charge)
        assert_type(paid.output["id"], str)
        sent = flow.add(receipt.options(after=[paid], join=AnyOf()), charge_id=paid.output["id"])
        sums = flow.map(total, [[1, 2], [3]])
        flow.add(total, [990, *(each.output for each in sums)])
        flow.map(receipt, ["charge-8", "charge-9"], copies=2)
    assert_type(sent.result_sync(), bool)
    assert_type(flow.wait_sync(timeout=30) == "completed", bool)
