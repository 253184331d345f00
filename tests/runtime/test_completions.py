"""What ends well at the same time is reported together; whatever is not simply taken is reported for itself."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

import pytest

from flowfabric import Context, FlowFabric, StoreUnavailable
from flowfabric.domain.errors import Contention, Refused
from flowfabric.engine.engine import Engine
from flowfabric.runtime.completions import CompletionBatcher
from tests.runtime.test_outages import worker_on_a_faulty_store
from tests.runtime.working import ended, run, until, working


class Forgetful:
    """An engine whose answers to completions get lost, as by a bug: some of them, or all with an error."""

    def __init__(self, engine: Engine, error: Exception | None) -> None:
        self._engine = engine
        self._error = error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    async def complete_all(self, ended: Any) -> Any:
        if self._error is not None:
            raise self._error
        return (await self._engine.complete_all(ended))[:-1]


@asynccontextmanager
async def many_at_a_gate(**options: Any):
    """A worker that runs many attempts, all of which end when the gate is opened."""
    ff = FlowFabric("memory://")
    gate, started = asyncio.Event(), []

    @ff.task
    async def wait(ctx: Context) -> str:
        started.append(ctx.execution_id)
        await gate.wait()
        return "done"

    async with worker_on_a_faulty_store(ff, poll_s=0.01, **options) as scene:
        ids = [await scene.create(wait.name) for _ in range(16)]
        await until(lambda: len(started) == len(ids))
        yield scene, ids, gate


async def all_are(scene, ids: list[str], state: str) -> None:
    for execution_id in ids:
        await scene.engine.wait_for_result(execution_id, timeout_ms=60_000)
        assert await scene.state_of(execution_id) == state


def test_what_ends_at_the_same_time_is_committed_together() -> None:
    async def main() -> int:
        async with many_at_a_gate() as (scene, ids, gate):
            before = len(scene.store.committed)
            gate.set()
            await all_are(scene, ids, "completed")
            return sum(any(x.has_ended for _, x in each.executions if x) for each in scene.store.committed[before:])

    assert run(main) == 1


def test_one_whose_lease_was_taken_away_does_not_harm_the_others() -> None:
    async def main() -> None:
        async with many_at_a_gate() as (scene, ids, gate):
            await scene.engine.cancel_execution(ids[3], reason="no longer wanted")
            gate.set()
            await all_are(scene, ids[:3] + ids[4:], "completed")
            assert await scene.state_of(ids[3]) == "cancelled"

    run(main)


def test_a_store_that_is_away_for_a_moment_is_told_again() -> None:
    async def main() -> None:
        async with many_at_a_gate() as (scene, ids, gate):
            scene.store.breaks("begin", StoreUnavailable("away"), times=3)
            gate.set()
            await all_are(scene, ids, "completed")
            assert scene.store.struck == 3

    run(main)


def test_contention_that_lasts_is_met_with_patience() -> None:
    async def main() -> None:
        async with many_at_a_gate() as (scene, ids, gate):
            scene.store.breaks("before commit", Contention("a deadlock"), times=30)
            gate.set()
            await all_are(scene, ids, "completed")

    run(main)


def test_a_worker_that_stops_waits_until_the_ends_are_told() -> None:
    async def main() -> list[str]:
        ff = FlowFabric("memory://")
        stop = asyncio.Event()

        @ff.task
        async def last_words(ctx: Context) -> None:
            stop.set()

        async with ff:
            handles = [await last_words.submit() for _ in range(8)]
            await ff.run_worker(stop=stop, concurrency=8, grace="5s")
            return [await handle.state() for handle in handles]

    states = run(main)

    assert "completed" in states
    assert "active" not in states


def test_a_function_that_returns_nothing_leaves_no_result_behind() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def nothing(ctx: Context) -> None:
        return None

    async def main() -> tuple[object, object]:
        async with working(ff):
            handle = await nothing.submit()
            return await handle.result(timeout=60), await (await ff.engine()).get_result(handle.execution_id)

    assert run(main) == (None, None)


def test_nothing_can_be_passed_on_in_a_flow_and_is_not_the_same_as_no_argument() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def nothing(ctx: Context) -> int | None:
        return None

    @ff.task
    async def told(ctx: Context, number: int | None = 7) -> str:
        return f"was given {number}"

    async def main() -> str:
        async with working(ff):
            async with ff.flow("passing") as flow:
                last = flow.add(told, number=flow.add(nothing).output)
            return await last.result(timeout=60)

    assert run(main) == "was given None"


@pytest.mark.parametrize("error", [None, RuntimeError("a bug")])
def test_an_answer_that_gets_lost_inside_does_not_lose_the_completion(error: Exception | None) -> None:
    async def main() -> None:
        async with many_at_a_gate(through=lambda engine: Forgetful(engine, error)) as (scene, ids, gate):
            gate.set()
            await all_are(scene, ids, "completed")
            await until(lambda: not scene.worker._attempts)

    run(main)


def test_a_sender_that_is_cancelled_leaves_the_others_to_report_for_themselves() -> None:
    async def main() -> tuple[list[str], bool]:
        ff = FlowFabric("memory://")
        async with ff:
            engine = await ff.engine()
            for number in range(3):
                await engine.create_execution("job", lane=f"lane-{number}")
            lanes = [f"lane-{number}" for number in range(3)]
            claimed = await engine.claim(worker_id="w", worker_instance_id="w-1", lanes=lanes, limit=3)
            batcher = CompletionBatcher(engine)
            first, *others = [asyncio.create_task(batcher.report(each.lease, b"1")) for each in claimed]
            await asyncio.sleep(0)
            first.cancel()
            completed = [(await other).execution_id for other in others]
            return completed, completed == [each.execution_id for each in claimed[1:]] and first.cancelled()

    completed, is_right = run(main)

    assert (len(completed), is_right) == (2, True)


def test_a_completion_that_is_refused_raises_the_refusal() -> None:
    async def main() -> None:
        ff = FlowFabric("memory://")
        async with ff:
            engine = await ff.engine()
            await engine.create_execution("job")
            (claimed,) = await engine.claim(worker_id="w", worker_instance_id="w-1")
            await engine.revoke_lease(claimed.execution_id)
            with pytest.raises(Refused):
                await CompletionBatcher(engine).report(claimed.lease, None)

    run(main)


def test_a_result_that_is_too_large_is_refused_in_its_own_words() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def much(ctx: Context) -> str:
        return "x" * 2_000_000

    async def main() -> tuple[str, str]:
        async with working(ff):
            x = await ended(ff, await much.submit())
            assert x.failure is not None
            return x.public_state, x.failure.message

    state, message = run(main)

    assert (state, message.startswith("result is")) == ("failed", True)
