"""`ctx.run` and `ctx.map` on real workers: on the loop, in threads and in child processes."""

import asyncio
from typing import Any

import pytest

from flowfabric import ChildFailed, Context, ExecutionNotCompleted, FlowFabric
from tests.runtime import isolated_fan_out
from tests.runtime.working import WAIT_S_MAX, ended, run, seen, snapshot, working
from tests.stores_under_test import on_one_store


def test_a_map_and_a_run_return_the_results_of_their_children(ff: FlowFabric) -> None:
    @ff.task
    async def count_words(ctx: Context, page: str) -> int:
        return len(page.split())

    @ff.task
    async def total(ctx: Context, counts: list[int]) -> int:
        return sum(counts)

    @ff.task
    async def crawl(ctx: Context, pages: list[str]) -> list[int]:
        counts = await ctx.map("page", count_words, pages)
        return [*counts, await ctx.run("sum", total, counts)]

    async def main() -> tuple[list[int], list[Any]]:
        async with working(ff, concurrency=3):
            handle = await crawl.submit(["a b", "c", "d e f"])
            result = await handle.result(timeout=WAIT_S_MAX)
            engine = await ff.engine()
            return result, list((await engine.list_children(handle.execution_id)).items)

    result, children = run(main)

    assert result == [2, 1, 3, 6]
    assert [(x.kind.rpartition(".")[2], x.public_state) for x in children] == [
        *[("count_words", "completed")] * 3,
        ("total", "completed"),
    ]


@on_one_store
def test_a_parent_that_waits_for_its_children_holds_no_slot(ff: FlowFabric) -> None:
    @ff.task
    def leaf(ctx: Context, number: int) -> int:
        return number

    @ff.task
    def parent(ctx: Context, depth: int) -> int:
        if depth == 0:
            return ctx.run_sync("leaf", leaf, 1)
        return sum(ctx.map_sync("below", parent, [depth - 1, depth - 1]))

    async def main() -> int:
        async with working(ff, concurrency=1):
            return await (await parent.submit(3)).result(timeout=WAIT_S_MAX)

    assert run(main) == 8


@on_one_store
def test_a_gather_over_two_maps_waits_for_both(ff: FlowFabric) -> None:
    @ff.task
    async def double(ctx: Context, number: int) -> int:
        return 2 * number

    @ff.task
    async def both(ctx: Context) -> list[int]:
        first, second = await asyncio.gather(ctx.map("a", double, [1, 2]), ctx.map("b", double, [3]))
        return first + second

    async def main() -> list[int]:
        async with working(ff):
            return await (await both.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == [2, 4, 6]


def test_the_cancel_of_a_parent_stops_its_children(ff: FlowFabric) -> None:
    started = asyncio.Event()
    stopped: list[int] = []

    @ff.task
    async def endless(ctx: Context, number: int) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append(number)

    @ff.task
    async def parent(ctx: Context) -> None:
        await ctx.run("endless", endless, 7)

    async def main() -> str:
        async with working(ff, linger="0s"):
            handle = await parent.submit()
            await started.wait()
            await seen(lambda: snapshot(ff, handle), lambda x: x.public_state == "suspended")
            (child,) = (await (await ff.engine()).list_children(handle.execution_id)).items
            await handle.cancel()
            found = await ended(ff, endless.handle(child.execution_id))
            await seen(lambda: snapshot(ff, handle), lambda x: stopped == [7])
            return found.public_state

    assert run(main) == "cancelled"


def test_children_are_made_from_child_processes() -> None:
    ff = isolated_fan_out.ff

    async def main() -> tuple[list[int], list[Any]]:
        async with working(ff):
            plain = await isolated_fan_out.plain.submit([1, 2])
            failing = await isolated_fan_out.on_a_loop.submit([1, -2, -3])
            return await plain.result(timeout=WAIT_S_MAX), await failing.result(timeout=WAIT_S_MAX)

    plain, failing = run(main)

    assert plain[:3] == [2, 4, 12]
    assert failing[0] == "failed"
    assert failing[1:] == ["ValueError", "too small"]


@on_one_store
def test_a_failed_child_fails_its_parent_without_a_retry(ff: FlowFabric) -> None:
    @ff.task
    async def broken(ctx: Context) -> None:
        raise ValueError("no such page")

    @ff.task(retry=None)
    async def parent(ctx: Context) -> None:
        await ctx.run("child", broken)

    async def main() -> ExecutionNotCompleted:
        async with working(ff):
            with pytest.raises(ExecutionNotCompleted) as caught:
                await (await parent.submit()).result(timeout=WAIT_S_MAX)
            return caught.value

    error = run(main)

    assert error.failure_code == ChildFailed.__name__
    assert "no such page" in (error.failure_message or "")
