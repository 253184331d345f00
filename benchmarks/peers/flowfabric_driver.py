"""Ours: `submit_many` for many, and `ff worker` for workers."""

import asyncio
import os
import sys

from driver import CHAIN, PAYLOAD, URL, Driver, hit

from flowfabric import Context, FlowFabric, open_blocking_engine

BULK = 500
TOGETHER = 2
"""Calls in flight, so that one is prepared while the other is committed."""
ff = FlowFabric(URL or "memory://")


@ff.task
async def noop(ctx: Context, text: str) -> None:
    hit()


@ff.task
async def link(ctx: Context, text: str, before: int) -> int:
    if before == CHAIN - 1:
        hit()
    return before + 1


@ff.task
async def in_steps(ctx: Context, text: str) -> None:
    for number in range(CHAIN):
        await ctx.step(f"step-{number}", _nothing, number)
    hit()


async def _nothing(number: int) -> int:
    return number


class FlowFabricDriver(Driver):
    packages = ("flowfabric", "msgspec")

    async def setup(self) -> None:
        with open_blocking_engine(URL, migrate=True, reconcile=False):
            pass

    async def open(self) -> None:
        await ff.engine()

    async def submit(self, count: int) -> None:
        left = iter(range(0, count, BULK))

        async def caller() -> None:
            for at in left:
                await noop.submit_many([noop.bind(**PAYLOAD) for _ in range(min(BULK, count - at))])

        await asyncio.gather(*(caller() for _ in range(TOGETHER)))

    async def submit_one(self) -> None:
        await noop.submit(**PAYLOAD)

    async def submit_chain(self) -> None:
        async with ff.flow("chain") as flow:
            last = flow.add(link, **PAYLOAD, before=0)
            for _ in range(CHAIN - 1):
                last = flow.add(link, **PAYLOAD, before=last.output)

    async def submit_steps(self) -> None:
        await in_steps.submit(**PAYLOAD)

    async def work_here(self, slots: int) -> None:
        await ff.run_worker(concurrency=slots)

    def work(self, slots: int) -> None:
        program = [sys.executable, "-m", "flowfabric.cli", "worker", "flowfabric_driver:ff"]
        os.execv(sys.executable, [*program, "--concurrency", str(slots), "--log-level", "warning"])


driver = FlowFabricDriver()
