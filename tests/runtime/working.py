"""A worker beside the test, on the same loop, stopped in the end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from flowfabric import ExecutionSnapshot
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.handles import Handle

T = TypeVar("T")

WAIT_S_MAX = 60.0
"""How long anything may take on a busy machine before it counts as hanging."""


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a test's own coroutine, which may not hang."""

    async def bounded() -> T:
        async with asyncio.timeout(4 * WAIT_S_MAX):
            return await main()

    return asyncio.run(bounded())


@asynccontextmanager
async def working(ff: FlowFabric, **settings: Any) -> AsyncIterator[asyncio.Event]:
    """A worker of these tasks until the block ends; the event stops it earlier. Then the fabric is closed."""
    async with ff, working_on(ff, **settings) as stop:
        yield stop


@asynccontextmanager
async def working_on(ff: FlowFabric, **settings: Any) -> AsyncIterator[asyncio.Event]:
    """The same, without closing the fabric."""
    stop = asyncio.Event()
    worker = asyncio.create_task(ff.run_worker(stop=stop, **settings))
    try:
        yield stop
    finally:
        stop.set()
        async with asyncio.timeout(WAIT_S_MAX):
            await worker


async def ended(ff: FlowFabric, handle: Handle[Any]) -> ExecutionSnapshot:
    """The execution once it has come to its end, well or not."""
    engine = await ff.engine()
    return await engine.wait_for_result(handle.execution_id, timeout_ms=int(WAIT_S_MAX * 1000))


async def snapshot(ff: FlowFabric, handle: Handle[Any]) -> ExecutionSnapshot:
    found = await (await ff.engine()).describe_execution(handle.execution_id)
    assert found is not None
    return found


async def until(is_true: Callable[[], bool]) -> None:
    """Return once it is true: a bounded wait for something that happens by itself."""

    async def look() -> bool:
        return is_true()

    await seen(look, bool)


async def seen(read: Callable[[], Coroutine[Any, Any, T]], is_it: Callable[[T], bool]) -> T:
    """What is read, once it is what is waited for: bounded, too."""
    async with asyncio.timeout(WAIT_S_MAX):
        while not is_it(value := await read()):
            await _a_moment()
    return value


async def _a_moment() -> None:
    await asyncio.sleep(0.002)
