"""Workers that end by themselves: because nothing is left to do, or because they die."""

import asyncio
from collections.abc import Sequence

from flowfabric import Context, FlowFabric
from flowfabric.runtime.worker import Worker, WorkerSettings
from tests.runtime.working import run, seen


async def worker_of(ff: FlowFabric, concurrency: int = 2) -> Worker:
    return Worker(await ff.engine(), ff.tasks, WorkerSettings(concurrency=concurrency))


def test_a_worker_that_asks_what_to_do_when_idle_is_asked_each_time_it_has_nothing_left(ff: FlowFabric) -> None:
    ran: list[str] = []

    @ff.task
    async def greet(ctx: Context, name: str) -> None:
        ran.append(name)

    @ff.task
    def greet_both(ctx: Context, name: str, other: str) -> None:
        greet.submit_sync(name)
        greet.submit_sync(other)

    asked: list[list[str]] = []

    async def when_idle() -> bool:
        asked.append(list(ran))
        if len(asked) == 1:
            await greet.submit("the next")
        return len(asked) < 2

    async def main() -> None:
        await greet_both.submit("ada", "grace")
        await (await worker_of(ff)).run(when_idle=when_idle)

    run(main)

    assert [sorted(names) for names in asked] == [["ada", "grace"], ["ada", "grace", "the next"]]


def test_a_worker_that_dies_reports_nothing_and_its_leases_and_its_name_stay(ff: FlowFabric) -> None:
    async def main() -> tuple[list[str], list[str], list[bool]]:
        worker = await worker_of(ff)

        @ff.task
        async def fatal(ctx: Context) -> str:
            await seen((await ff.engine()).list_workers, bool)
            worker.die()
            return "nobody hears of it"

        handles = [await fatal.submit(), await fatal.submit(), await fatal.submit()]
        await worker.run()
        engine = await ff.engine()
        return (
            [await handle.state() for handle in handles],
            [event.event_type for event in (await engine.read_events()).events],
            [each.is_alive for each in await engine.list_workers()],
        )

    states, events, alive = run(main)

    assert states == ["active", "active", "waiting"]
    assert events == ["acquired", "acquired"]
    assert alive == [True]


def test_a_worker_that_dies_does_not_acknowledge_a_cancel(ff: FlowFabric) -> None:
    async def main() -> tuple[str, Sequence[str]]:
        worker, engine = await worker_of(ff), await ff.engine()

        @ff.task
        async def fatal(ctx: Context) -> None:
            await engine.cancel_flow(flow_id, reason="no longer wanted")
            asyncio.get_running_loop().call_soon(worker.die)
            await asyncio.Event().wait()

        async with ff.flow("order", flow_id=flow_id) as flow:
            node = flow.add(fatal)
        await worker.run()
        cancelled = await engine.describe_flow(flow_id)
        assert cancelled is not None
        return node.execution_id, cancelled.pending_cancel_acks

    flow_id = "00000000-0000-7000-8000-000000000001"

    member, unacknowledged = run(main)

    assert unacknowledged == [member]


def test_a_lease_that_is_lost_is_noticed_when_all_are_renewed(still_ff: FlowFabric) -> None:
    ff = still_ff
    reasons: list[str | None] = []

    async def main() -> None:
        worker = await worker_of(ff, concurrency=1)

        @ff.task
        async def wait(ctx: Context) -> None:
            await (await ff.engine()).revoke_lease(ctx.execution_id, reason="a test")
            try:
                await worker.renew()
            finally:
                reasons.append(ctx.cancelled.reason)
                worker.stop()

        await wait.submit()
        await worker.run()

    run(main)

    assert reasons == ["execution_not_active"]
