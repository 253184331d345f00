"""A worker owns the tasks that it starts: none of them outlives it, and none ends its neighbours."""

import asyncio
import logging

import pytest

from flowfabric.runtime import worker_tasks
from flowfabric.runtime.worker_tasks import WorkerEnded, WorkerTasks
from tests.runtime.working import run


@pytest.fixture(autouse=True)
def short_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_tasks, "END_S", 0.01)


def test_what_is_started_ends_with_its_worker() -> None:
    ended: list[str] = []

    async def main() -> None:
        async def goes_on() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append("stopped")

        async with WorkerTasks() as tasks:
            tasks.start(goes_on())
            await asyncio.sleep(0)

    run(main)

    assert ended == ["stopped"]


def test_one_that_fails_is_logged_and_disturbs_no_other(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> str:
        async def fails() -> None:
            raise RuntimeError("unforeseen")

        async def works() -> str:
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return "done"

        async with WorkerTasks() as tasks:
            tasks.start(fails())
            return await tasks.start(works())

    with caplog.at_level(logging.ERROR, "flowfabric"):
        assert run(main) == "done"

    assert [record.getMessage() for record in caplog.records] == [
        "a task of the worker failed, which is a bug in flowfabric"
    ]


def test_the_error_of_a_task_goes_to_whom_it_was_promised(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []

    async def main() -> None:
        async def fails() -> None:
            raise RuntimeError("foreseen")

        async with WorkerTasks() as tasks:
            tasks.start(fails(), on_end=lambda task: told.append(str(task.exception())))

    run(main)

    assert (told, caplog.records) == (["foreseen"], [])


def test_code_that_swallows_its_cancellation_is_left_behind_and_named(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        is_over = asyncio.Event()

        async def stubborn() -> None:
            while not is_over.is_set():
                try:
                    await is_over.wait()
                except asyncio.CancelledError:
                    continue

        async with WorkerTasks() as tasks:
            task = tasks.start(stubborn(), name="flowfabric {fp:1}:0198")
        is_over.set()
        await task

    run(main)

    assert [record.getMessage() for record in caplog.records] == [
        "flowfabric {fp:1}:0198 goes on although it was cancelled; the worker ends without it"
    ]


def test_a_task_without_a_name_is_called_by_its_function() -> None:
    async def renewing() -> str:
        task = asyncio.current_task()
        assert task is not None
        return task.get_name()

    async def main() -> str:
        async with WorkerTasks() as tasks:
            return await tasks.start(renewing())

    assert run(main).endswith("renewing")


def test_a_thread_gets_what_the_worker_has_done_for_it() -> None:
    async def main() -> list[object]:
        async def fails() -> None:
            raise ValueError("refused")

        async def works() -> str:
            return "done"

        loop = asyncio.get_running_loop()
        async with WorkerTasks() as tasks:
            futures = [await asyncio.to_thread(tasks.start_from_thread, work(), loop) for work in (works, fails)]
            return await asyncio.gather(*map(asyncio.wrap_future, futures), return_exceptions=True)

    done, error = run(main)

    assert (done, str(error)) == ("done", "refused")


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_thread_that_was_left_behind_starts_nothing(is_closed: bool) -> None:
    started: list[str] = []

    async def work() -> None:
        started.append("it runs")

    async def main() -> tuple[WorkerTasks, asyncio.AbstractEventLoop]:
        loop = asyncio.get_running_loop()
        async with WorkerTasks() as tasks:
            pass
        if not is_closed:
            with pytest.raises(WorkerEnded):
                await asyncio.wrap_future(await asyncio.to_thread(tasks.start_from_thread, work(), loop))
        return tasks, loop

    tasks, loop = run(main)
    if is_closed:
        with pytest.raises(WorkerEnded):
            tasks.start_from_thread(work(), loop)

    assert started == []


def test_what_was_cancelled_before_is_not_waited_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_tasks, "END_S", 600.0)

    async def main() -> None:
        is_over = asyncio.Event()

        async def stubborn() -> None:
            while not is_over.is_set():
                try:
                    await is_over.wait()
                except asyncio.CancelledError:
                    continue

        async with asyncio.timeout(60), WorkerTasks() as tasks:
            task = tasks.start(stubborn())
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.sleep(0)
        is_over.set()
        await task

    run(main)
