"""Attempts that were claimed together share an asyncio task until one of them waits."""

import asyncio
from contextvars import ContextVar
from typing import Any

import pytest

from flowfabric import Context, FlowFabric
from flowfabric.domain.errors import InvalidInput
from flowfabric.engine.engine import Engine
from flowfabric.runtime import running_attempts
from flowfabric.runtime.worker import Worker
from tests.runtime.working import WAIT_S_MAX, ended, run, snapshot, until, working

place: ContextVar[str] = ContextVar("place", default="nowhere")


@pytest.fixture(autouse=True)
def _an_endless_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine makes no difference to what runs together."""
    monkeypatch.setattr(running_attempts, "TURN_S", 600)


class Counted:
    """Counts the calls that complete executions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.together: list[int] = []
        complete_all = Engine.complete_all

        async def counting(engine: Engine, ended: Any) -> Any:
            self.together.append(len(ended))
            return await complete_all(engine, ended)

        monkeypatch.setattr(Engine, "complete_all", counting)


async def states_of(ff: FlowFabric, handles: list[Any]) -> list[str]:
    return [(await ended(ff, handle)).public_state for handle in handles]


def test_what_never_waits_runs_in_one_task_and_is_completed_in_one_call(
    ff: FlowFabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)
    tasks: set[Any] = set()

    @ff.task
    async def quick(ctx: Context) -> None:
        tasks.add(asyncio.current_task())

    async def main() -> list[str]:
        handles = await quick.submit_many(quick.bind() for _ in range(8))
        async with working(ff, concurrency=8):
            return await states_of(ff, handles)

    assert run(main) == ["completed"] * 8
    assert len(tasks) == 1
    assert counted.together == [8]


def test_each_function_keeps_one_task_for_itself_once_it_waits(ff: FlowFabric) -> None:
    before: dict[int, Any] = {}
    after: dict[int, Any] = {}
    gate = asyncio.Event()

    @ff.task
    async def some_wait(ctx: Context, number: int) -> None:
        before[number] = asyncio.current_task()
        if number % 3 == 1:
            await gate.wait()
            after[number] = asyncio.current_task()

    async def main() -> list[str]:
        handles = await some_wait.submit_many(some_wait.bind(number=number) for number in range(9))
        async with working(ff, concurrency=9):
            await until(lambda: len(before) == 9)
            for handle in handles[::3]:
                await ended(ff, handle)  # those that do not wait end before the others go on
            gate.set()
            return await states_of(ff, handles)

    assert run(main) == ["completed"] * 9
    assert {number: before[number] for number in after} == after
    assert len(set(after.values())) == 3
    assert not {before[number] for number in range(2, 9) if number not in after} & set(after.values())


def test_functions_that_compute_for_long_let_the_event_loop_have_its_turn(
    ff: FlowFabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_attempts, "TURN_S", 0)
    seen: list[str] = []

    @ff.task
    async def computes(ctx: Context) -> None:
        asyncio.get_running_loop().call_soon(seen.append, "the loop")
        seen.append("a function")

    async def main() -> list[str]:
        handles = await computes.submit_many(computes.bind() for _ in range(4))
        async with working(ff, concurrency=4):
            return await states_of(ff, handles)

    assert run(main) == ["completed"] * 4
    assert seen == ["a function", "the loop"] * 4


def test_a_timeout_in_one_function_stops_neither_the_others_nor_their_reports(ff: FlowFabric) -> None:
    @ff.task
    async def wait(ctx: Context, number: int) -> str:
        if number != 1:
            return "went on"
        try:
            async with asyncio.timeout(0.01):
                await asyncio.Event().wait()
        except TimeoutError:
            return "was late"
        return "never"

    async def main() -> list[str]:
        handles = await wait.submit_many(wait.bind(number=number) for number in range(4))
        async with working(ff, concurrency=4):
            return [await handle.result() for handle in handles]

    assert run(main) == ["went on", "was late", "went on", "went on"]


def test_functions_in_one_task_do_not_see_the_context_variables_of_each_other(ff: FlowFabric) -> None:
    @ff.task
    async def move(ctx: Context, to: str, waits: bool) -> str:
        found = place.get()
        place.set(to)
        if waits:
            await asyncio.sleep(0)
            beside = asyncio.create_task(here())
            found = f"{found}, then {place.get()} and {await beside}"
        return found

    async def here() -> str:
        return place.get()

    async def main() -> list[str]:
        calls = [move.bind(to=to, waits=to == "b") for to in "abc"]
        handles = await move.submit_many(calls)
        async with working(ff, concurrency=3):
            return [await handle.result() for handle in handles]

    assert run(main) == ["nowhere", "nowhere, then b and b", "nowhere"]


def test_a_function_that_cancels_its_own_task_takes_no_other_along(ff: FlowFabric) -> None:
    ran: list[int] = []

    @ff.task
    async def cancel(ctx: Context, number: int) -> None:
        ran.append(number)
        if number == 1 and ran.count(1) == 1:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()

    async def main() -> list[str]:
        handles = await cancel.submit_many(cancel.bind(number=number) for number in range(4))
        async with working(ff, concurrency=4, lease="1s"):
            return await states_of(ff, handles)

    assert run(main) == ["completed"] * 4
    assert sorted(ran) == [0, 1, 1, 2, 3]  # its report was cancelled, so its lease ran out


def test_failures_and_results_that_cannot_be_stored_are_reported_one_by_one(
    ff: FlowFabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)

    class Choosy:
        def encode(self, data: bytes) -> bytes:
            if data == b"1":
                raise ValueError("not this one")
            return data

        def decode(self, data: bytes) -> bytes:
            return data

    @ff.task
    async def mixed(ctx: Context, text: str) -> int:
        if text == "raises":
            raise InvalidInput("no")
        return len(text)

    async def main() -> list[str]:
        handles = await mixed.submit_many(mixed.bind(text=text) for text in ("two", "raises", "x", "four"))
        ff.codec = Choosy()
        async with working(ff, concurrency=4):
            return await states_of(ff, handles)

    assert run(main) == ["completed", "failed", "failed", "completed"]
    assert counted.together == [2]


def test_leases_are_held_until_the_common_report_is_answered(ff: FlowFabric, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []

    @ff.task
    async def quick(ctx: Context) -> None:
        return None

    complete_all = Engine.complete_all

    async def looking(engine: Engine, ended: Any) -> Any:
        held.extend(len(leases()) for leases in engine._services.wakeups._keepers.values())
        return await complete_all(engine, ended)

    async def main() -> list[int]:
        monkeypatch.setattr(Engine, "complete_all", looking)
        handles = await quick.submit_many(quick.bind() for _ in range(4))
        async with working(ff, concurrency=4):
            await states_of(ff, handles)
            keepers = (await ff.engine())._services.wakeups._keepers
            await until(lambda: not any(leases() for leases in keepers.values()))
            return held

    assert run(main) == [4]


def test_what_has_ended_reports_nothing_if_its_worker_dies_before_the_common_report(
    ff: FlowFabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers: list[Worker] = []
    started = Worker.run

    async def noting(worker: Worker, **settings: Any) -> None:
        workers.append(worker)
        await started(worker, **settings)

    monkeypatch.setattr(Worker, "run", noting)
    counted = Counted(monkeypatch)

    @ff.task
    async def some_wait(ctx: Context, number: int) -> None:
        if number == 2:
            asyncio.get_running_loop().call_soon(workers[0].die)  # before the report of the first two, which is begun
            await asyncio.Event().wait()

    async def main() -> list[str]:
        async with ff:
            handles = await some_wait.submit_many(some_wait.bind(number=number) for number in range(3))
            async with asyncio.timeout(WAIT_S_MAX):
                await ff.run_worker(concurrency=3)
            return [(await snapshot(ff, handle)).public_state for handle in handles]

    assert run(main) == ["active"] * 3
    assert counted.together == []
