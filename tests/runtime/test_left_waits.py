"""Waits that the code has left: it was cancelled there, or has gone on in place without asking the engine again."""

import asyncio

from flowfabric import Context, FlowFabric, ManualClock
from tests.runtime.test_lingering import FOR_EVER
from tests.runtime.working import WAIT_S_MAX, run, seen, snapshot, working_on
from tests.stores_under_test import on_one_store


@on_one_store
def test_waits_that_the_code_has_left_do_not_keep_the_execution_from_being_suspended(ff: FlowFabric) -> None:
    @ff.task
    async def publish(ctx: Context) -> list[str]:
        waits = {asyncio.create_task(ctx.wait(key, str)) for key in ("paid", "cancelled")}
        done, others = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in others:
            wait.cancel()
        return [min(wait.result() for wait in done), await ctx.wait("end", str)]

    async def main() -> list[str]:
        async with ff:
            async with working_on(ff, linger=FOR_EVER) as stop:
                handle = await publish.submit()
                await seen(lambda: snapshot(ff, handle), lambda x: len(x.waits) == 2)
                await handle.signal("paid", "paid")
                await seen(lambda: snapshot(ff, handle), lambda x: "end" in [wait.name for wait in x.waits])
                await handle.signal("cancelled", "too late")
                stop.set()
            assert (await snapshot(ff, handle)).public_state == "suspended"
            await handle.signal("end", "end")
            async with working_on(ff):
                return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == ["paid", "end"]


@on_one_store
def test_a_sleep_that_was_cancelled_does_not_keep_the_execution_from_being_suspended(
    still_ff: FlowFabric, clock: ManualClock
) -> None:
    ff = still_ff

    @ff.task
    async def publish(ctx: Context) -> str:
        left = [asyncio.create_task(ctx.sleep("nap", "20m")), asyncio.create_task(ctx.wait("editor", str))]
        await ctx.wait("hurry", str)
        for wait in left:
            wait.cancel()
        return await ctx.wait("end", str)

    async def main() -> str:
        async with ff:
            engine = await ff.engine()
            async with working_on(ff, linger=FOR_EVER, lease="1h") as stop:
                handle = await publish.submit()
                await seen(lambda: snapshot(ff, handle), lambda x: len(x.waits) == 3)
                await handle.signal("hurry", "now")
                await seen(lambda: snapshot(ff, handle), lambda x: "end" in [wait.name for wait in x.waits])
                await engine.close_waitpoint(handle.execution_id, "editor")
                clock.advance(20 * 60_000)
                await engine.reconcile()
                stop.set()
            assert (await snapshot(ff, handle)).public_state == "suspended"
            await handle.signal("end", "end")
            async with working_on(ff, lease="1h"):
                return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == "end"
