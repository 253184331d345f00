"""A store that is away: the worker goes on with what it runs, asks again with pauses, and is back when the store is."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest

from flowfabric import Engine, StoreUnavailable
from flowfabric.domain.outcomes import Created
from flowfabric.fabric import FlowFabric
from flowfabric.ports.clock import Clock
from flowfabric.runtime.context import Context
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.worker import Worker
from flowfabric.runtime.worker_settings import WorkerSettings
from flowfabric.stores.memory.store import MemoryStore
from tests.assembled import assembled_async
from tests.faulty_store import FaultyStore
from tests.runtime.working import WAIT_S_MAX, run, seen, until

CALL = b'{"arguments":{}}'


class Scene(NamedTuple):
    store: FaultyStore
    engine: Engine
    worker: Worker

    async def create(self, kind: str) -> str:
        created = await self.engine.create_execution(kind, CALL)
        assert isinstance(created, Created)
        return created.execution_id

    async def state_of(self, execution_id: str) -> str:
        found = await self.engine.describe_execution(execution_id)
        assert found is not None
        return found.public_state


@asynccontextmanager
async def worker_on_a_faulty_store(
    ff: FlowFabric,
    *,
    poll_s: float = 0.05,
    lease_ttl_ms: int = 30_000,
    clock: Clock | None = None,
    flush_s: float = 0.02,
    through: Callable[[Engine], WorkerEngine] = lambda engine: engine,
) -> AsyncIterator[Scene]:
    """A worker, and all that is in its reach. `through`: what it speaks to the engine through."""
    store = FaultyStore(MemoryStore("memory-faulty", clock))
    async with assembled_async(store) as parts:
        settings = WorkerSettings(poll_s=poll_s, lease_ttl_ms=lease_ttl_ms, grace_s=1.0, flush_s=flush_s)
        worker = Worker(through(parts.engine), ff.tasks, settings, codec=ff.codec)
        running = asyncio.create_task(worker.run())
        try:
            yield Scene(store, parts.engine, worker)
        finally:
            store.heals()
            worker.stop()
            async with asyncio.timeout(WAIT_S_MAX):
                await running


def test_work_goes_on_when_the_store_is_back(caplog: pytest.LogCaptureFixture) -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def nothing(ctx: Context) -> None:
        return

    async def main() -> str:
        # With short leases, so that renewals and heartbeats fail as well.
        async with worker_on_a_faulty_store(ff, lease_ttl_ms=100) as scene:
            first = await scene.create("nothing")
            await seen(lambda: scene.state_of(first), lambda state: state == "completed")
            scene.store.breaks("begin", StoreUnavailable("away"), times=1_000_000)
            await until(lambda: scene.store.struck >= 9)
            scene.store.heals()
            second = await scene.create("nothing")
            return await seen(lambda: scene.state_of(second), lambda state: state == "completed")

    caplog.set_level(logging.INFO, "flowfabric")

    assert run(main) == "completed"
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    went, came = [record for record in warnings if record.name == "flowfabric.engine"]
    # The worker adds nothing about this. On a busy machine it may say that it is late with leases as short as these.
    assert not any("away" in record.getMessage() for record in warnings if record.name != "flowfabric.engine")
    assert went.getMessage() == "the store is away, and is asked again until it answers: away"
    assert came.getMessage().startswith("the store is back after ")
    assert came.getMessage().endswith(" s; it was away because of this: away")
    assert (vars(went)["cause"], vars(came)["cause"]) == ("away", "away")
    assert vars(came)["duration_ms"] >= 0


def test_what_ended_while_the_store_was_away_is_reported_when_it_is_back() -> None:
    ff = FlowFabric("memory://")
    started, may_end = asyncio.Event(), asyncio.Event()
    runs: list[int] = []

    @ff.task
    async def work(ctx: Context) -> str:
        runs.append(ctx.attempt_index)
        started.set()
        await may_end.wait()
        return "done"

    async def main() -> tuple[str, bytes | None]:
        async with worker_on_a_faulty_store(ff) as scene:
            key = await scene.create("work")
            await started.wait()
            scene.store.breaks("begin", StoreUnavailable("away"), times=1_000_000)
            may_end.set()
            await until(lambda: scene.store.struck >= 5)
            during = await scene.state_of(key)
            scene.store.heals()
            await seen(lambda: scene.state_of(key), lambda state: state == "completed")
            return during, await scene.engine.get_result(key)

    assert run(main) == ("active", b'"done"')
    assert runs == [0]


def test_a_step_waits_for_the_store_and_is_run_once() -> None:
    ff = FlowFabric("memory://")
    runs: list[int] = []
    scenes: list[Scene] = []

    def charge() -> str:
        runs.append(1)
        scenes[0].store.breaks("begin", StoreUnavailable("away"), times=3)
        return "paid"

    @ff.task
    async def order(ctx: Context) -> str:
        return await ctx.step("charge", charge)

    async def main() -> bytes | None:
        async with worker_on_a_faulty_store(ff, poll_s=60.0) as scene:
            scenes.append(scene)
            key = await scene.create("order")
            await seen(lambda: scene.state_of(key), lambda state: state == "completed")
            return await scene.engine.get_result(key)

    assert run(main) == b'"paid"'
    assert runs == [1]


def test_an_idle_worker_opens_about_one_transaction_per_poll() -> None:
    ff = FlowFabric("memory://")

    async def main() -> float:
        async with worker_on_a_faulty_store(ff, poll_s=0.2) as scene:
            await until(lambda: scene.store.begun >= 2)
            before, began_at = scene.store.begun, time.monotonic()
            await asyncio.sleep(1.0)  # a second of idleness is what is measured, or more on a busy machine
            return (scene.store.begun - before) / (time.monotonic() - began_at)

    assert run(main) <= 7
