"""What a worker adds to the counts: how long its steps run, also in child processes, and how busy it is."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from flowfabric import Context, FlowFabric
from flowfabric.engine import committing
from flowfabric.telemetry.metrics import Metrics
from tests.runtime import isolated_steps
from tests.runtime.working import run, working
from tests.telemetry.scraping import shown


def test_every_step_is_counted_once_with_its_time_and_a_stored_one_is_not_counted_again() -> None:
    metrics = Metrics()
    ff = FlowFabric("memory://", telemetry=metrics)

    async def slow() -> int:
        await asyncio.sleep(0.01)
        return 1

    def quick() -> int:
        return 2

    @ff.task
    async def both(ctx: Context) -> int:
        return await ctx.step("slow", slow) + await ctx.step("quick", quick) + await ctx.step("slow", slow)

    @ff.task
    def plain(ctx: Context) -> int:
        return ctx.step_sync("quick", quick)

    async def main() -> None:
        async with working(ff):
            assert await (await both.submit()).result() == 4
            assert await (await plain.submit()).result() == 2

    run(main)

    found = shown(metrics)
    assert found["step_seconds_count default both"] == 2
    assert found["step_seconds_sum default both"] >= 0.01
    assert found["step_seconds_count default plain"] == 1
    assert found["ended_total default both success"] == 1


def test_steps_in_a_child_process_are_counted_by_the_worker(tmp_path: Path) -> None:
    metrics = Metrics()
    ff = isolated_steps.ff
    ff.report_to(metrics)

    async def main() -> None:
        async with working(ff):
            for task in (isolated_steps.plain, isolated_steps.on_a_loop):
                await (await task.submit(notes=str(tmp_path / task.name), fails=0)).result()

    try:
        run(main)
    finally:
        ff.report_to(None)

    counted = {key: n for key, n in shown(metrics).items() if key.startswith("step_seconds_count")}
    assert counted == {"step_seconds_count default plain": 1, "step_seconds_count default on_a_loop": 1}


def test_the_slots_of_a_worker_are_shown_while_it_runs() -> None:
    metrics = Metrics()
    ff = FlowFabric("memory://", telemetry=metrics)
    seen: list[dict[str, float]] = []

    @ff.task
    async def look(ctx: Context) -> None:
        seen.append(shown(metrics))

    async def main() -> None:
        async with working(ff, concurrency=4):
            await (await look.submit()).result()

    run(main)

    assert (seen[0]["worker_slots busy"], seen[0]["worker_slots free"]) == (1, 3)
    assert shown(metrics)["worker_slots free"] == 0


def test_without_telemetry_nothing_is_made_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(*facts: object) -> None:
        raise AssertionError("made although nobody counts")

    monkeypatch.setattr(committing, "CommittedBatch", made)
    monkeypatch.setattr("flowfabric.engine.committer.time", SimpleNamespace(monotonic=made))
    watches: list[object] = []
    ff = FlowFabric("memory://")

    @ff.task
    async def work(ctx: Context) -> int:
        watches.append(ctx.steps.watch)
        return await ctx.step("one", int)

    async def main() -> None:
        async with working(ff):
            for handle in [await work.submit() for _ in range(10)]:
                assert await handle.result() == 0

    run(main)

    assert watches == [None] * 10
