"""Blocks of tasks under a limit: `async with ctx.limited(openai, key="t-7")`."""

import asyncio
import threading
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from flowfabric import Context, FlowFabric, InvalidInput, LimitSnapshot, NotFound, SlotTaken
from tests.runtime import isolated_blocks
from tests.runtime.working import WAIT_S_MAX, ended, run, seen, snapshot, until, working, working_on

FOR_EVER = "1h"
"""A linger that is never over in a test."""
PARKED = "rate_limited"


@pytest.fixture
def ff() -> Any:
    with FlowFabric("memory://") as fabric:
        yield fabric


async def limit_of(ff: FlowFabric, name: str, key: str = "") -> LimitSnapshot:
    found = await (await ff.engine()).describe_limit(name, key)
    assert found is not None
    return found


async def in_use(ff: FlowFabric, name: str = "api", key: str = "") -> int:
    return (await limit_of(ff, name, key)).in_use


async def state_of(ff: FlowFabric, handle: Any, state: str) -> Any:
    return await seen(lambda: snapshot(ff, handle), lambda x: x.public_state == state)


def lingers(ff: FlowFabric) -> bool:
    """Whether a block waits in place."""
    return bool(ff.blocking_engine()._engine._services.wakeups.waits().slots)


@asynccontextmanager
async def held(ff: FlowFabric, name: str = "api", key: str = "") -> Any:
    """Somebody else holds a slot of a limit until the block ends, or until it is told to give it back."""
    engine = await ff.engine()
    await engine.set_limit(name, concurrency=1, if_new=True)
    await engine.create_execution("other", lane="elsewhere")
    (other,) = await engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["elsewhere"], lease_ttl_ms=600_000)
    assert await engine.take_slot(other.lease, name, key) == SlotTaken(name, key, 1)

    async def give() -> None:
        await engine.give_slot(other.lease, name, key)

    yield give
    await engine.complete(other.lease)


# ── waiting ──────────────────────────────────────────────────────────────────────────────────────


def test_no_more_blocks_run_at_a_time_than_a_limit_allows(ff: FlowFabric) -> None:
    api = ff.limit("api", concurrency=2)
    inside, most = 0, 0

    @ff.task
    async def ask(ctx: Context, number: int) -> int:
        nonlocal inside, most
        async with ctx.limited(api):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1
        return number

    async def main() -> tuple[list[int], int]:
        async with working(ff, concurrency=8):
            handles = await ask.submit_many([ask.bind(number) for number in range(10)])
            return [await handle.result(timeout=WAIT_S_MAX) for handle in handles], await in_use(ff)

    assert run(main) == (list(range(10)), 0)
    assert most == 2


def test_a_block_that_gets_its_slot_soon_goes_on_in_place(ff: FlowFabric) -> None:
    runs: list[int] = []
    waits = asyncio.Event()

    @ff.task
    async def ask(ctx: Context) -> str:
        runs.append(ctx.fencing_token)
        waits.set()
        async with ctx.limited("api"):
            return "asked"

    async def main() -> tuple[str, str, int]:
        async with working(ff, linger=FOR_EVER), held(ff) as give:
            handle = await ask.submit()
            await waits.wait()
            await until(lambda: lingers(ff))
            state = (await snapshot(ff, handle)).public_state
            await give()
            return state, await handle.result(timeout=WAIT_S_MAX), await in_use(ff)

    assert run(main) == ("active", "asked", 0)
    assert runs == [1]


def test_a_block_that_waits_longer_is_parked_and_its_steps_answer_from_the_log(ff: FlowFabric) -> None:
    seen_: list[str] = []

    @ff.task
    async def ask(ctx: Context, tenant: str) -> list[str]:
        seen_.append(f"run {ctx.attempt_index} {ctx.fencing_token}")
        before = await ctx.step("before", seen_.append, "before")
        async with ctx.limited("api", key=tenant):
            await ctx.step("inside", seen_.append, "inside")
        return [str(before)]

    async def main() -> tuple[Any, ...]:
        async with working(ff, linger=0), held(ff, key="t-7") as give:
            handle = await ask.submit("t-7")
            x = await state_of(ff, handle, PARKED)
            meanwhile = await in_use(ff, key="t-7")
            await give()
            await handle.result(timeout=WAIT_S_MAX)
            after = await snapshot(ff, handle)
            return x.gates.slots, meanwhile, after.retry_count, after.attempt_index, await in_use(ff, key="t-7")

    assert run(main) == ({}, 1, 0, 0, 0)
    assert seen_ == ["run 0 1", "before", "run 0 2", "inside"]


def test_a_resumed_attempt_keeps_its_slot_until_it_comes_to_the_block_that_waited(ff: FlowFabric) -> None:
    uses: list[tuple[int, str, int]] = []
    at_the_third, go_on = asyncio.Event(), asyncio.Event()

    @ff.task
    async def ask(ctx: Context) -> None:
        for name in ("first", "second", "third"):
            if name == "third" and ctx.fencing_token == 1:
                at_the_third.set()
                await go_on.wait()
            async with ctx.limited("api"):
                await ctx.step(name, str, name)
            uses.append((ctx.fencing_token, name, await in_use(ff)))

    async def main() -> int:
        async with working(ff, linger=0):
            engine = await ff.engine()
            await engine.set_limit("api", concurrency=1)
            handle = await ask.submit()
            await at_the_third.wait()
            async with held(ff) as give:
                go_on.set()
                await state_of(ff, handle, PARKED)
                await give()
                await handle.result(timeout=WAIT_S_MAX)
            return await in_use(ff)

    assert run(main) == 0
    assert uses == [
        (1, "first", 0),
        (1, "second", 0),
        (2, "first", 1),
        (2, "second", 1),
        (2, "third", 0),
    ]


def test_two_limits_in_different_orders_do_not_wait_for_each_other_for_ever(ff: FlowFabric) -> None:
    a, b = ff.limit("a", concurrency=1), ff.limit("b", concurrency=1)
    in_the_outer = {"ab": asyncio.Event(), "ba": asyncio.Event()}

    @ff.task
    async def ask(ctx: Context, order: str) -> str:
        outer, inner = (a, b) if order == "ab" else (b, a)
        async with ctx.limited(outer):
            in_the_outer[order].set()
            if ctx.fencing_token == 1:
                for each in in_the_outer.values():
                    await each.wait()
            async with ctx.limited(inner):
                return await ctx.step("ask", str, order)

    async def main() -> list[Any]:
        async with working(ff, linger=0):
            handles = [await ask.submit(order) for order in in_the_outer]
            results = [await handle.result(timeout=WAIT_S_MAX) for handle in handles]
            return [*results, await in_use(ff, "a"), await in_use(ff, "b")]

    assert run(main) == ["ab", "ba", 0, 0]


def test_a_worker_that_stops_parks_its_blocks_that_wait(ff: FlowFabric) -> None:
    waits = asyncio.Event()

    @ff.task
    async def ask(ctx: Context) -> None:
        waits.set()
        async with ctx.limited("api"):
            return

    async def main() -> tuple[str, int]:
        async with ff, held(ff):
            async with working_on(ff, linger=FOR_EVER):
                handle = await ask.submit()
                await waits.wait()
                await until(lambda: lingers(ff))
            x = await snapshot(ff, handle)
            return x.public_state, x.interruption_count

    assert run(main) == (PARKED, 0)


# ── sharing ──────────────────────────────────────────────────────────────────────────────────────


def test_blocks_on_a_key_that_the_execution_holds_go_on_at_once(ff: FlowFabric) -> None:
    api, tenant = ff.limit("api", concurrency=1), ff.limit("tenant", concurrency=1)

    @ff.task(limits=[api])
    async def ask(ctx: Context) -> list[int]:
        uses: list[int] = []
        async with ctx.limited(api):
            uses.append(await in_use(ff))
        uses.append(await in_use(ff))
        async with ctx.limited(tenant("t-7")), ctx.limited(tenant, key="t-7"):
            uses.append(await in_use(ff, "tenant", "t-7"))

        async def branch() -> None:
            async with ctx.limited(tenant, key="t-7"):
                uses.append(await in_use(ff, "tenant", "t-7"))

        await asyncio.gather(branch(), branch())
        uses.append(await in_use(ff, "tenant", "t-7"))
        return uses

    async def main() -> list[int]:
        async with working(ff, linger=0):
            return await (await ask.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == [1, 1, 1, 1, 1, 0]


def test_a_block_that_fails_or_is_given_up_gives_its_slot_back(ff: FlowFabric) -> None:
    api = ff.limit("api", concurrency=1)

    @ff.task
    async def ask(ctx: Context) -> list[Any]:
        with pytest.raises(ZeroDivisionError):
            async with ctx.limited(api):
                raise ZeroDivisionError
        uses = [await in_use(ff)]
        async with held(ff) as give:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01), ctx.limited(api):
                    uses.append("never")  # type: ignore[arg-type]
            await give()
            uses.append(await in_use(ff))
        return uses

    async def main() -> list[Any]:
        async with working(ff, linger=FOR_EVER):
            handle = await ask.submit()
            return [*await handle.result(timeout=WAIT_S_MAX), await in_use(ff)]

    assert run(main) == [0, 0, 0]


def test_a_failed_attempt_inside_a_block_leaves_nothing_behind(ff: FlowFabric) -> None:
    api = ff.limit("api", concurrency=1)

    @ff.task
    async def ask(ctx: Context) -> None:
        async with ctx.limited(api):
            raise ZeroDivisionError

    async def main() -> tuple[str, int]:
        async with working(ff):
            return (await ended(ff, await ask.submit())).public_state, await in_use(ff)

    assert run(main) == ("failed", 0)


# ── plain functions ──────────────────────────────────────────────────────────────────────────────


def test_a_plain_function_is_parked_at_once_and_goes_on(ff: FlowFabric) -> None:
    threads: list[str] = []

    @ff.task
    def ask(ctx: Context) -> str:
        threads.append(threading.current_thread().name)
        with ctx.limited_sync("api"):
            return ctx.step_sync("ask", str, "asked")

    async def main() -> tuple[str, int]:
        async with working(ff), held(ff) as give:
            handle = await ask.submit()
            await state_of(ff, handle, PARKED)
            await give()
            return await handle.result(timeout=WAIT_S_MAX), await in_use(ff)

    assert run(main) == ("asked", 0)
    assert len(threads) == 2


def test_blocks_in_child_processes_are_parked_and_go_on(tmp_path: Path) -> None:
    ff, notes = isolated_blocks.ff, tmp_path / "notes"

    async def main() -> list[Any]:
        async with working(ff), held(ff) as give:
            handle = await isolated_blocks.plain.submit(str(notes))
            await state_of(ff, handle, PARKED)
            await give()
            plain = await handle.result(timeout=WAIT_S_MAX)
            on_a_loop = await (await isolated_blocks.on_a_loop.submit(str(notes))).result(timeout=WAIT_S_MAX)
            return [plain, on_a_loop, await in_use(ff)]

    assert run(main) == ["plain", "loop", 0]
    assert notes.read_text().split() == ["before", "plain", "loop"]


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────


def test_a_block_names_a_limit_that_there_is_and_stands_outside_of_steps(ff: FlowFabric) -> None:
    tenant = ff.limit("tenant", concurrency=1)

    @ff.task
    async def ask(ctx: Context) -> list[str]:
        async def inside() -> None:
            async with ctx.limited(tenant):
                return

        said: list[str] = []
        with pytest.raises(NotFound, match="'nobody'") as missing:
            async with ctx.limited("nobody"):
                pass
        said.append(missing.value.entity)
        with pytest.raises(InvalidInput, match="inside step 'ask'"):
            await ctx.step("ask", inside)
        with pytest.raises(InvalidInput, match="comes with a key of its own"):
            async with ctx.limited(tenant(lambda order: "t"), key="t-7"):
                pass
        with pytest.raises(InvalidInput, match="must be a limit"):
            async with ctx.limited(7):  # type: ignore[arg-type]
                pass
        with pytest.raises(InvalidInput, match="block the event loop"), ctx.limited_sync(tenant):
            pass
        return said

    async def main() -> list[str]:
        async with working(ff):
            return await (await ask.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == ["limit"]


def test_a_context_without_a_worker_has_room_for_every_block() -> None:
    ctx = Context.for_test()

    async def main() -> str:
        async with ctx.limited("api"):
            return "inside"

    assert run(main) == "inside"
    with ctx.limited_sync("api", key="t-7"):
        pass
