"""Waits that stay in memory for a while: they go on in place, and give way when that is better for others."""

import asyncio
import time
from typing import Any

import pytest

from flowfabric import Context, FlowFabric, ManualClock
from flowfabric.runtime import waits
from flowfabric.runtime.worker import Worker
from flowfabric.runtime.worker_settings import WorkerSettings
from tests.runtime.test_outages import worker_on_a_faulty_store
from tests.runtime.test_waiting import event_types, suspended
from tests.runtime.working import WAIT_S_MAX, ended, run, seen, snapshot, until, working, working_on
from tests.stores_under_test import on_one_store

FOR_EVER = "1h"
"""A linger that is never over in a test."""


async def waiting(ff: FlowFabric, handle: Any, *names: str) -> Any:
    """The execution, once these waits are open."""
    return await seen(lambda: snapshot(ff, handle), lambda x: [wait.name for wait in x.waits] == list(names))


def test_a_wait_that_is_over_soon_goes_on_in_place(ff: FlowFabric) -> None:
    runs: list[int] = []

    @ff.task
    async def publish(ctx: Context) -> str:
        runs.append(ctx.fencing_token)
        return await ctx.wait("editor", str)

    async def main() -> tuple[str, str, list[str]]:
        async with working(ff, linger=FOR_EVER):
            handle = await publish.submit()
            x = await waiting(ff, handle, "editor")
            await handle.signal("editor", "fine")
            return x.public_state, await handle.result(timeout=WAIT_S_MAX), await event_types(ff, handle)

    state, result, types = run(main)

    assert (state, result, runs) == ("active", "fine", [1])
    assert "suspended" not in types


@on_one_store
def test_waits_of_a_gather_go_on_in_place_one_by_one(ff: FlowFabric) -> None:
    runs: list[int] = []
    seen_: list[str] = []

    @ff.task
    async def three(ctx: Context) -> list[str]:
        runs.append(ctx.fencing_token)

        async def wait(key: str) -> str:
            value = await ctx.wait(key, str)
            seen_.append(value)
            return await ctx.step(f"after {key}", str.upper, value)

        return await asyncio.gather(*map(wait, "abc"))

    async def main() -> list[str]:
        async with working(ff, linger=FOR_EVER):
            handle = await three.submit()
            await waiting(ff, handle, "a", "b", "c")
            for key in ("b", "c", "a"):
                await handle.signal(key, key)
                await until(lambda key=key: key in seen_)  # type: ignore[misc]
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == ["A", "B", "C"]
    assert (runs, seen_) == ([1], ["b", "c", "a"])


def test_the_execution_is_suspended_when_the_time_to_linger_is_up(ff: FlowFabric) -> None:
    @ff.task
    async def publish(ctx: Context) -> str:
        return await ctx.wait("editor", str)

    @ff.task(linger="1ms")
    async def publish_soon(ctx: Context) -> str:
        return await ctx.wait("editor", str)

    async def main() -> list[str]:
        async with working(ff, linger="50ms"):
            handle = await publish.submit()
            await suspended(ff, handle)
            await handle.signal("editor", "fine")
            first = await handle.result(timeout=WAIT_S_MAX)
        async with working(ff, linger=FOR_EVER):
            other = await publish_soon.submit()
            await suspended(ff, other)
            await other.signal("editor", "better")
            return [first, await other.result(timeout=WAIT_S_MAX)]

    assert run(main) == ["fine", "better"]


@on_one_store
def test_what_lingers_is_suspended_as_soon_as_the_worker_stops(ff: FlowFabric) -> None:
    started = asyncio.Event()
    unwound: list[str] = []

    @ff.task
    async def publish(ctx: Context) -> str:
        try:
            started.set()
            return await ctx.wait("editor", str)
        finally:
            unwound.append(str(ctx.cancelled.reason))

    async def main() -> tuple[float, Any, str]:
        async with ff:
            async with working_on(ff, linger=FOR_EVER, grace=FOR_EVER) as stop:
                handle = await publish.submit()
                await waiting(ff, handle, "editor")
                began_at = time.monotonic()
                stop.set()
            took_s = time.monotonic() - began_at
            x = await snapshot(ff, handle)
            await handle.signal("editor", "fine")
            async with working_on(ff):
                return took_s, x, await handle.result(timeout=WAIT_S_MAX)

    took_s, x, result = run(main)

    assert took_s < WAIT_S_MAX
    assert (x.public_state, x.retry_count, x.interruption_count) == ("suspended", 0, 0)
    assert unwound[0] == "suspended"
    assert result == "fine"


@on_one_store
def test_a_wait_that_begins_while_the_worker_stops_does_not_linger(ff: FlowFabric) -> None:
    started, may_wait = asyncio.Event(), asyncio.Event()

    @ff.task
    async def publish(ctx: Context) -> str:
        started.set()
        await may_wait.wait()
        return await ctx.wait("editor", str)

    async def main() -> str:
        async with ff:
            async with working_on(ff, linger=FOR_EVER, grace=FOR_EVER) as stop:
                handle = await publish.submit()
                await started.wait()
                stop.set()
                await asyncio.sleep(0)
                may_wait.set()
            return (await snapshot(ff, handle)).public_state

    assert run(main) == "suspended"


def test_what_lingers_gives_its_slot_to_work_that_waits(ff: FlowFabric) -> None:
    @ff.task
    async def publish(ctx: Context) -> str:
        return await ctx.wait("editor", str)

    @ff.task
    async def other(ctx: Context) -> str:
        return "there was room"

    async def main() -> tuple[str, list[str], list[str]]:
        async with working(ff, linger=FOR_EVER, concurrency=1):
            handle = await publish.submit()
            await waiting(ff, handle, "editor")
            before = await event_types(ff, handle)
            room = await (await other.submit()).result(timeout=WAIT_S_MAX)
            await suspended(ff, handle)
            await handle.signal("editor", "fine")
            assert await handle.result(timeout=WAIT_S_MAX) == "fine"
            return room, before, await event_types(ff, handle)

    room, before, after = run(main)

    assert room == "there was room"
    assert "suspended" not in before
    assert "suspended" in after


def test_what_lingers_keeps_its_slot_if_the_worker_cannot_take_the_work_that_waits(ff: FlowFabric) -> None:
    @ff.task
    async def publish(ctx: Context) -> str:
        return await ctx.wait("editor", str)

    @ff.task(capabilities=["gpu"])
    async def render(ctx: Context) -> None:
        pass

    async def main() -> list[str]:
        async with working(ff, linger=FOR_EVER, concurrency=1):
            handle = await publish.submit()
            await waiting(ff, handle, "editor")
            await render.submit()
            engine = await ff.engine()
            await engine.wait_until_ready(lanes=["default"], capabilities=["gpu"])
            able = asyncio.ensure_future(engine.wait_until_ready(lanes=["default"]))
            await asyncio.wait([able], timeout=0.1)  # time in which a worker that ignores capabilities gives way
            assert not able.done()
            able.cancel()
            await handle.signal("editor", "fine")
            await handle.result(timeout=WAIT_S_MAX)
            return await event_types(ff, handle)

    assert "suspended" not in run(main)


@on_one_store
def test_many_that_linger_give_way_to_much_work(ff: FlowFabric) -> None:
    @ff.task
    async def publish(ctx: Context, number: int) -> str:
        return await ctx.wait("editor", str)

    async def main() -> list[str]:
        async with working(ff, linger=FOR_EVER, concurrency=4):
            handles = await publish.submit_many([publish.bind(number) for number in range(40)])
            for handle in handles:
                await seen(lambda handle=handle: snapshot(ff, handle), lambda x: bool(x.waits))  # type: ignore[misc]
            for handle in handles:
                await handle.signal("editor", "fine")
            return [await handle.result(timeout=WAIT_S_MAX) for handle in handles]

    assert run(main) == ["fine"] * 40


@on_one_store
def test_another_attempt_gives_way_if_the_first_one_runs_a_step(ff: FlowFabric) -> None:
    may_end = asyncio.Event()

    @ff.task
    async def busy(ctx: Context) -> None:
        await asyncio.gather(ctx.wait("editor", str), ctx.step("long", may_end.wait))

    @ff.task
    async def idle(ctx: Context) -> str:
        return await ctx.wait("editor", str)

    @ff.task
    async def quick(ctx: Context) -> str:
        return "done"

    async def main() -> tuple[str, str]:
        async with working(ff, linger=FOR_EVER, concurrency=2):
            first = await busy.submit()
            await waiting(ff, first, "editor")
            second = await idle.submit()
            await waiting(ff, second, "editor")
            result = await (await quick.submit()).result(timeout=WAIT_S_MAX)
            state = (await snapshot(ff, second)).public_state
            may_end.set()
            return result, state

    assert run(main) == ("done", "suspended")


@on_one_store
def test_no_more_code_runs_at_once_than_there_are_slots(ff: FlowFabric) -> None:
    running, most = 0, 0

    @ff.task
    async def publish(ctx: Context, number: int) -> str:
        nonlocal running, most
        running, most = running + 1, max(most, running + 1)
        try:
            return await ctx.wait("editor", str)
        finally:
            running -= 1

    async def main() -> None:
        async with working(ff, linger=FOR_EVER, concurrency=3):
            handles = await publish.submit_many([publish.bind(number) for number in range(12)])
            for handle in handles:
                await handle.signal("editor", "fine")
            for handle in handles:
                await handle.result(timeout=WAIT_S_MAX)

    run(main)

    assert most <= 3


@on_one_store
def test_a_sleep_that_is_shorter_than_the_linger_never_suspends(ff: FlowFabric) -> None:
    runs: list[int] = []

    @ff.task
    async def nap(ctx: Context) -> str:
        runs.append(ctx.fencing_token)
        await ctx.sleep("nap", "100ms")
        return "awake"

    @ff.task
    async def other(ctx: Context) -> str:
        return "there was room"

    async def main() -> tuple[list[str], list[str]]:
        async with ff:
            async with working_on(ff, linger="1m", concurrency=1) as stop:
                handles = [await nap.submit(), await nap.submit()]
                await waiting(ff, handles[0], "nap")
                room = await other.submit()
                results = [await handle.result(timeout=WAIT_S_MAX) for handle in (*handles, room)]
                last = await nap.submit()
                await waiting(ff, last, "nap")
                stop.set()
            results.append((await snapshot(ff, last)).public_state)
            types = [await event_types(ff, handle) for handle in (*handles, last)]
            return results, [each for every in types for each in every]

    results, types = run(main)

    assert results == ["awake", "awake", "there was room", "completed"]
    assert "suspended" not in types
    assert runs == [1, 1, 1]


@on_one_store
def test_a_timeout_is_over_in_place(ff: FlowFabric) -> None:
    runs: list[int] = []

    @ff.task
    async def patient(ctx: Context) -> str:
        runs.append(ctx.fencing_token)
        try:
            return await ctx.wait("editor", str, timeout="50ms")
        except TimeoutError:
            return "too late"

    async def main() -> str:
        async with working(ff, linger=FOR_EVER):
            return await (await patient.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == "too late"
    assert runs == [1]


@on_one_store
def test_a_step_that_runs_keeps_waits_in_memory_after_their_time(ff: FlowFabric) -> None:
    may_end = asyncio.Event()
    runs: list[int] = []

    async def slow() -> str:
        await may_end.wait()
        return "slow"

    @ff.task
    async def both(ctx: Context) -> list[str]:
        runs.append(ctx.fencing_token)
        return await asyncio.gather(ctx.wait("editor", str), ctx.step("slow", slow))

    async def main() -> list[list[str]]:
        async with working(ff, linger="1ms"):
            in_place, later = await both.submit(), await both.submit()
            for handle in (in_place, later):
                await waiting(ff, handle, "editor")
            await in_place.signal("editor", "fine")
            may_end.set()
            first = await in_place.result(timeout=WAIT_S_MAX)
            await suspended(ff, later)
            await later.signal("editor", "better")
            return [first, await later.result(timeout=WAIT_S_MAX)]

    assert run(main) == [["fine", "slow"], ["better", "slow"]]
    assert sorted(runs) == [1, 1, 2]


@on_one_store
def test_code_that_lingers_is_stopped_when_its_execution_is_cancelled(ff: FlowFabric) -> None:
    stopped: list[str] = []

    @ff.task
    async def publish(ctx: Context) -> str:
        try:
            return await ctx.wait("editor", str)
        except BaseException as error:
            stopped.append(type(error).__name__)
            raise

    async def main() -> str:
        async with working(ff, linger=FOR_EVER):
            handle = await publish.submit()
            await waiting(ff, handle, "editor")
            await handle.cancel()
            await until(lambda: bool(stopped))
            return (await ended(ff, handle)).public_state

    assert run(main) == "cancelled"
    assert stopped == ["CancelledError"]


@on_one_store
def test_a_wait_of_a_worker_that_died_while_it_lingered_goes_on_elsewhere(
    still_ff: FlowFabric, clock: ManualClock
) -> None:
    ff = still_ff
    runs: list[int] = []

    @ff.task
    async def publish(ctx: Context) -> str:
        runs.append(ctx.attempt_index)
        return await ctx.wait("editor", str)

    async def main() -> str:
        engine = await ff.engine()
        dying = Worker(engine, ff.tasks, WorkerSettings(linger_s=3600.0))
        working_ = asyncio.create_task(dying.run())
        handle = await publish.submit()
        await waiting(ff, handle, "editor")
        dying.die()
        await working_
        await handle.signal("editor", "fine")
        state = (await snapshot(ff, handle)).public_state
        clock.advance(30_001)
        await engine.reconcile()
        async with working_on(ff):
            assert await handle.result(timeout=WAIT_S_MAX) == "fine"
            return state

    assert run(main) == "active"
    assert runs == [0, 1]


def test_ends_in_place_do_not_pile_up_in_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waits, "ENDS_MAX", 3)
    ff = FlowFabric("memory://")

    @ff.task(linger=FOR_EVER)
    async def chat(ctx: Context) -> int:
        turns = 0
        async for message in ctx.inbox("chat", str):
            turns += 1
            if message == "bye":
                break
        return turns

    async def main() -> tuple[list[int], bytes | None]:
        async with worker_on_a_faulty_store(ff) as scene:
            execution_id = await scene.create(chat.name)
            for turn in range(12):
                await seen(
                    lambda: scene.engine.describe_execution(execution_id),
                    lambda x, turn=turn: [wait.name for wait in x.waits] == [f"chat[{turn + 1}]"],
                )
                await scene.engine.signal(execution_id, "chat", b'"bye"' if turn == 11 else b'"hello"')
            await scene.engine.wait_for_result(execution_id, timeout_ms=int(WAIT_S_MAX * 1000))
            inboxes = [x.inbox for each in scene.store.committed for _, x in each.executions if x and x.inbox]
            return [len(inbox.unanswered) for inbox in inboxes], await scene.engine.get_result(execution_id)

    unanswered, result = run(main)

    assert result == b"12"
    assert max(unanswered) == 3
