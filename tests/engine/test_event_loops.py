"""One async engine serves several event loops in several threads."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from flowfabric import Connections, Created, Engine, StoreUnavailable, open_engine
from flowfabric.app import open_store
from flowfabric.engine.shells import AsyncBell
from tests.assembled import assembled_async
from tests.engine.commands import WAIT_S_MAX
from tests.faulty_store import FaultyStore


@pytest.mark.parametrize("url", ["memory://", "sqlite"])
def test_loops_in_two_threads_share_one_engine(url: str, tmp_path: Path):
    told: dict[str, list[Created]] = {}

    async def work(engine: Engine, name: str) -> None:
        made = await asyncio.gather(*(engine.create_execution(name, str(n).encode()) for n in range(50)))
        told[name] = [answer for answer in made if isinstance(answer, Created)]
        one = made[0].execution_id
        await asyncio.gather(engine.cancel_execution(one, reason=""), engine.wait_for_result(one, timeout_ms=20_000))

    async def main() -> int:
        address = url if url == "memory://" else f"sqlite:///{tmp_path}/jobs.db"
        async with open_engine(address, reconcile=False) as engine:
            other = threading.Thread(target=lambda: asyncio.run(work(engine, "other")))
            other.start()
            await work(engine, "this")
            await asyncio.to_thread(other.join, WAIT_S_MAX)
            return len((await engine.list_executions(limit=1000)).items)

    count = asyncio.run(main())

    assert count == 100
    assert {name: len(made) for name, made in told.items()} == {"this": 50, "other": 50}


def test_a_loop_goes_and_the_next_one_is_served(tmp_path: Path):
    async def main() -> list[str]:
        async with open_engine(f"sqlite:///{tmp_path}/jobs.db", reconcile=False) as engine:
            kinds: list[str] = []
            for kind in ("first", "second"):

                def once(kind: str = kind) -> None:
                    asyncio.run(engine.create_execution(kind))  # type: ignore[arg-type]

                await asyncio.to_thread(once)
            kinds += [x.kind for x in (await engine.list_executions()).items]
            return kinds

    assert sorted(asyncio.run(main())) == ["first", "second"]


@pytest.mark.parametrize("turns", range(6))
def test_whoever_is_cancelled_at_the_moment_the_bell_rings_is_cancelled(turns: int):
    async def main() -> bool:
        bell = AsyncBell(asyncio.get_running_loop())
        waiting = asyncio.create_task(bell.wait(WAIT_S_MAX))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        bell.ring()
        for _ in range(turns):
            await asyncio.sleep(0)
        was_asked = waiting.cancel()
        await asyncio.wait([waiting])
        return was_asked == waiting.cancelled()

    assert asyncio.run(main())


def _with_one_reader(folder: Path, *, wait_ms: int) -> FaultyStore:
    one = Connections(read=1, wait_ms=wait_ms)
    return FaultyStore(open_store(f"sqlite:///{folder}/jobs.db", connections=one))


@pytest.mark.parametrize("comes", ["before", "after"])
def test_a_read_that_is_cancelled_at_the_moment_its_wait_for_a_connection_ends_is_cancelled(comes: str, tmp_path: Path):
    patience_s = 0.2

    async def main() -> bool:
        loop = asyncio.get_running_loop()
        store = _with_one_reader(tmp_path, wait_ms=int(patience_s * 1000))
        async with assembled_async(store) as parts, asyncio.timeout(WAIT_S_MAX):
            with store.reads_held():
                first = asyncio.create_task(parts.engine.ping())
                await asyncio.sleep(0)
                waiting = asyncio.create_task(parts.engine.ping())
                await asyncio.sleep(0)
                loop.call_later(0.0 if comes == "before" else patience_s, waiting.cancel)
                time.sleep(2 * patience_s)  # noqa: ASYNC251 - the loop is held up, so that its next turn does both
                await asyncio.wait([waiting])
            await asyncio.wait([first])
        store.close()
        return waiting.cancelled()

    assert asyncio.run(main())


def test_a_read_in_the_clean_up_of_a_cancelled_task_is_still_told_that_no_connection_is_free(tmp_path: Path):
    told: list[str] = []

    async def main() -> bool:
        store = _with_one_reader(tmp_path, wait_ms=20)
        async with assembled_async(store) as parts, asyncio.timeout(WAIT_S_MAX):

            async def cleaning_up() -> None:
                try:
                    await asyncio.Event().wait()
                finally:
                    try:
                        await parts.engine.ping()
                    except StoreUnavailable as error:
                        told.append(str(error))

            with store.reads_held():
                first = asyncio.create_task(parts.engine.ping())
                task = asyncio.create_task(cleaning_up())
                await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait([task])
            await asyncio.wait([first])
        store.close()
        return task.cancelled()

    assert asyncio.run(main())
    assert len(told) == 1
    assert "have been busy" in told[0]
