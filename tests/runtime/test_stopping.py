"""A worker that is told to stop: what is done in time is reported, the rest is handed back, and nothing is burned."""

import asyncio
import threading
import time
from typing import Any

from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context
from tests.runtime.working import WAIT_S_MAX, run, snapshot, until, working_on

AT_ONCE_S = 8.0
"""What counts as at once on a busy machine, and is far from the grace of a minute."""


def test_what_is_done_within_the_grace_is_completed_and_nothing_more_is_claimed(ff: FlowFabric) -> None:
    started, may_end = asyncio.Event(), asyncio.Event()

    @ff.task
    async def work(ctx: Context) -> str:
        started.set()
        await may_end.wait()
        return "done"

    async def main() -> list[str]:
        async with ff:
            async with working_on(ff, concurrency=1, grace="1m") as stop:
                handles = await work.submit_many([work.bind(), work.bind()])
                await started.wait()
                stop.set()
                await asyncio.sleep(0)
                may_end.set()
            return [(await snapshot(ff, handle)).public_state for handle in handles]

    assert run(main) == ["completed", "waiting"]


def test_what_is_not_done_within_the_grace_is_released_without_burning_anything(ff: FlowFabric) -> None:
    stopped: list[str] = []
    waiting = threading.Event()

    @ff.task
    async def wait(ctx: Context) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append(str(ctx.cancelled.reason))

    @ff.task
    def look(ctx: Context) -> None:
        waiting.set()
        ctx.cancelled.wait(WAIT_S_MAX)
        ctx.raise_if_cancelled()

    async def main() -> list[Any]:
        async with ff:
            async with working_on(ff, grace="50ms") as stop:
                handles = [await wait.submit(), await look.submit()]
                await until(waiting.is_set)
                stop.set()
            return [await snapshot(ff, handle) for handle in handles]

    found = run(main)

    assert stopped == ["worker_stops"]
    assert [(x.public_state, x.retry_count, x.interruption_count) for x in found] == [("waiting", 0, 0)] * 2


def test_a_thread_that_does_not_stop_is_left_behind_and_its_execution_released(ff: FlowFabric) -> None:
    started, may_end = threading.Event(), threading.Event()

    @ff.task
    def deaf(ctx: Context) -> str:
        started.set()
        may_end.wait(WAIT_S_MAX)
        return "too late"

    async def main() -> Any:
        async with ff:
            async with working_on(ff, grace="50ms") as stop:
                handle = await deaf.submit()
                await until(started.is_set)
                stop.set()
            x = await snapshot(ff, handle)
            may_end.set()
            return x

    x = run(main)

    assert (x.public_state, x.retry_count, x.interruption_count) == ("waiting", 0, 0)


def test_a_function_that_ends_well_when_it_is_told_to_stop_is_completed(ff: FlowFabric) -> None:
    started = threading.Event()

    @ff.task
    def careful(ctx: Context) -> str:
        started.set()
        ctx.cancelled.wait(WAIT_S_MAX)
        return "saved in time"

    async def main() -> str:
        async with ff:
            async with working_on(ff, grace="50ms") as stop:
                handle = await careful.submit()
                await until(started.is_set)
                stop.set()
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == "saved in time"


def test_a_worker_that_is_cancelled_hands_back_at_once_what_it_runs(ff: FlowFabric) -> None:
    started = asyncio.Event()

    @ff.task
    async def wait(ctx: Context) -> None:
        started.set()
        await asyncio.Event().wait()

    async def main() -> tuple[Any, float, bool]:
        async with ff:
            worker = asyncio.create_task(ff.run_worker(grace="1m"))
            handle = await wait.submit()
            await started.wait()
            told_at = time.monotonic()
            worker.cancel()
            await asyncio.wait([worker])
            return await snapshot(ff, handle), time.monotonic() - told_at, worker.cancelled()

    x, took_s, was_cancelled = run(main)

    assert (x.public_state, x.interruption_count) == ("waiting", 0)
    assert was_cancelled
    assert took_s < AT_ONCE_S
