"""A worker that is told to stop: what is done in time is reported, the rest is handed back, and nothing is burned."""

import asyncio
import multiprocessing
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from flowfabric import ExecutionSnapshot, Handle, open_blocking_engine
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context
from flowfabric.runtime.signals import stopping
from flowfabric.runtime.threads import Threads
from tests.runtime.test_ends_of_workers import worker_of
from tests.runtime.working import WAIT_S_MAX, run, seen, snapshot, until, working_on

AT_ONCE_S = 30.0
"""What counts as at once on a busy machine, and is far from the grace of a minute."""


async def given_back(ff: FlowFabric, handle: Handle[Any]) -> ExecutionSnapshot:
    """The execution, once it is given back. A worker does not wait for a store that answers late."""
    return await seen(lambda: snapshot(ff, handle), lambda x: x.public_state != "active")


def test_what_is_done_within_the_grace_is_completed_and_nothing_more_is_claimed(ff: FlowFabric) -> None:
    started, may_end = asyncio.Event(), asyncio.Event()

    @ff.task
    async def work(ctx: Context) -> str:
        started.set()
        await may_end.wait()
        return "done"

    async def main() -> list[str]:
        async with ff:
            async with working_on(ff, concurrency=1, grace="1m") as stop:
                handles = await work.submit_many([work.bind(), work.bind()])
                await started.wait()
                stop.set()
                await asyncio.sleep(0)
                may_end.set()
            return [(await snapshot(ff, handle)).public_state for handle in handles]

    assert run(main) == ["completed", "waiting"]


def test_what_is_not_done_within_the_grace_is_released_without_burning_anything(ff: FlowFabric) -> None:
    stopped: list[str] = []
    waiting = threading.Event()

    @ff.task
    async def wait(ctx: Context) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append(str(ctx.cancelled.reason))

    @ff.task
    def look(ctx: Context) -> None:
        waiting.set()
        ctx.cancelled.wait(WAIT_S_MAX)
        ctx.raise_if_cancelled()

    async def main() -> list[Any]:
        async with ff:
            async with working_on(ff, grace="50ms") as stop:
                handles = [await wait.submit(), await look.submit()]
                await until(waiting.is_set)
                stop.set()
            return [await given_back(ff, handle) for handle in handles]

    found = run(main)

    assert stopped == ["worker_stops"]
    assert [(x.public_state, x.retry_count, x.interruption_count) for x in found] == [("waiting", 0, 0)] * 2


def test_a_thread_that_does_not_stop_is_left_behind_and_its_execution_released(ff: FlowFabric) -> None:
    started, may_end = threading.Event(), threading.Event()

    @ff.task
    def deaf(ctx: Context) -> str:
        started.set()
        may_end.wait(WAIT_S_MAX)
        return "too late"

    async def main() -> Any:
        async with ff:
            async with working_on(ff, grace="50ms") as stop:
                handle = await deaf.submit()
                await until(started.is_set)
                stop.set()
            x = await given_back(ff, handle)
            may_end.set()
            return x

    x = run(main)

    assert (x.public_state, x.retry_count, x.interruption_count) == ("waiting", 0, 0)


def test_code_that_swallows_its_cancellation_is_handed_back_once_and_named_in_the_log(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    started, may_end = asyncio.Event(), asyncio.Event()

    @ff.task
    async def stubborn(ctx: Context) -> None:
        started.set()
        while not may_end.is_set():
            with suppress(asyncio.CancelledError):
                await may_end.wait()

    async def main() -> str:
        async with ff:
            async with working_on(ff, grace="0s") as stop:
                handle = await stubborn.submit()
                await started.wait()
                stop.set()
            may_end.set()
            return handle.execution_id

    execution_id = run(main)

    warned = [record.getMessage() for record in caplog.records if record.name == "flowfabric.worker"]
    assert [line for line in warned if "handed back" in line] == [warned[0]]
    assert warned[1:] == [
        f"flowfabric stubborn {execution_id} goes on although it was cancelled; the worker ends without it"
    ]


def test_a_function_that_ends_well_when_it_is_told_to_stop_is_completed(ff: FlowFabric) -> None:
    started = threading.Event()

    @ff.task
    def careful(ctx: Context) -> str:
        started.set()
        ctx.cancelled.wait(WAIT_S_MAX)
        return "saved in time"

    async def main() -> str:
        async with ff:
            async with working_on(ff, grace="50ms") as stop:
                handle = await careful.submit()
                await until(started.is_set)
                stop.set()
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == "saved in time"


def test_a_worker_that_is_cancelled_hands_back_at_once_what_it_runs(ff: FlowFabric) -> None:
    started = asyncio.Event()

    @ff.task
    async def wait(ctx: Context) -> None:
        started.set()
        await asyncio.Event().wait()

    async def main() -> tuple[Any, float, bool]:
        async with ff:
            worker = asyncio.create_task(ff.run_worker(grace="1m"))
            handle = await wait.submit()
            await started.wait()
            told_at = time.monotonic()
            worker.cancel()
            await asyncio.wait([worker])
            took_s = time.monotonic() - told_at
            return await given_back(ff, handle), took_s, worker.cancelled()

    x, took_s, was_cancelled = run(main)

    assert (x.public_state, x.interruption_count) == ("waiting", 0)
    assert was_cancelled
    assert took_s < AT_ONCE_S


def test_what_runs_when_the_whole_program_ends_is_no_failure(tmp_path: Path) -> None:
    """asyncio.run cancels everything at once, attempts before their worker among them."""
    url = f"sqlite:///{tmp_path / 'ends.db'}"
    running: list[str] = []

    async def main() -> None:
        ff = FlowFabric(url)

        @ff.task
        async def wait(ctx: Context) -> None:
            running.append(ctx.execution_id)
            await asyncio.Event().wait()

        kept.append(asyncio.create_task(ff.run_worker()))
        await wait.submit_many([wait.bind() for _ in range(6)])
        await until(lambda: len(running) == 6)

    kept: list[object] = []
    run(main)

    with open_blocking_engine(url, reconcile=False) as engine:
        found = [engine.describe_execution(execution_id) for execution_id in running]
    assert {x.public_state for x in found if x is not None} <= {"active", "waiting"}


def test_a_signal_to_a_process_that_a_task_has_forked_ends_that_process_and_not_the_worker() -> None:
    ff = FlowFabric("memory://")
    forking = multiprocessing.get_context("fork")

    @ff.task
    def fork(ctx: Context) -> int | None:
        forked = forking.Process(target=time.sleep, args=(WAIT_S_MAX,))
        forked.start()
        forked.terminate()
        forked.join(5)
        code = forked.exitcode
        forked.kill()
        forked.join()
        return code

    async def main() -> list[int | None]:
        worker = await worker_of(ff)
        with stopping(worker, None, signals=True):
            running = asyncio.create_task(worker.run())
            codes = [await (await fork.submit()).result(timeout=AT_ONCE_S) for _ in range(2)]
            worker.stop()
            await running
        return codes

    assert run(main) == [-signal.SIGTERM] * 2


def test_what_is_submitted_after_threads_were_let_go_runs_all_the_same() -> None:
    threads = Threads("test")
    started, may_end = threading.Event(), threading.Event()

    def busy() -> None:
        started.set()
        may_end.wait(WAIT_S_MAX)

    was_busy = threads.submit(busy)
    assert started.wait(WAIT_S_MAX)
    threads.submit(lambda: None).result(WAIT_S_MAX)
    threads.close()

    while_one_is_busy = threads.submit(lambda: 1).result(5)
    may_end.set()
    was_busy.result(WAIT_S_MAX)
    afterwards = [threads.submit(lambda: 2).result(5) for _ in range(3)]

    assert (while_one_is_busy, afterwards) == (1, [2, 2, 2])


# ── plain steps of async tasks ───────────────────────────────────────────────────────────────────


def test_an_execution_is_not_released_while_its_plain_step_runs_and_what_the_step_returns_is_stored(
    ff: FlowFabric,
) -> None:
    started, told = threading.Event(), threading.Event()
    seen_meanwhile: set[str] = set()

    @ff.task
    async def order(ctx: Context) -> None:
        def charge() -> str:
            started.set()
            assert told.wait(WAIT_S_MAX)
            look_until = time.monotonic() + 0.1
            while time.monotonic() < look_until:
                seen_meanwhile.add(handles[0].state_sync())
            return "charged"

        try:
            await ctx.step("charge", charge)
        finally:
            told.set()

    async def main() -> tuple[Any, list[bytes]]:
        async with ff:
            async with working_on(ff, grace="50ms") as stop:
                handles.append(await order.submit())
                await until(started.is_set)
                stop.set()
            x = await given_back(ff, handles[0])
            steps = await (await ff.engine()).list_steps(handles[0].execution_id)
            return x, [step.result for step in steps]

    handles: list[Any] = []
    x, results = run(main)

    assert seen_meanwhile == {"active"}
    assert (x.public_state, x.retry_count, x.interruption_count) == ("waiting", 0, 0)
    assert results == [b'"charged"']


def test_a_plain_step_that_does_not_stop_is_left_behind_and_holds_up_neither_the_worker_nor_the_program(
    ff: FlowFabric,
) -> None:
    started, may_end, has_ended = threading.Event(), threading.Event(), threading.Event()

    def deaf() -> None:
        started.set()
        may_end.wait(WAIT_S_MAX)
        has_ended.set()

    @ff.task
    async def order(ctx: Context) -> None:
        await ctx.step("deaf", deaf)

    async def main() -> Any:
        async with ff:
            async with working_on(ff, grace="50ms") as stop:
                handle = await order.submit()
                await until(started.is_set)
                stop.set()
            return await given_back(ff, handle)

    x = run(main)
    was_waited_for = has_ended.is_set()
    may_end.set()

    assert (x.public_state, x.retry_count, x.interruption_count) == ("waiting", 0, 0)
    assert not was_waited_for


def test_a_cancelled_member_is_acknowledged_only_when_its_plain_step_has_stopped(ff: FlowFabric) -> None:
    started, told, may_end = threading.Event(), threading.Event(), threading.Event()

    def deaf() -> None:
        started.set()
        may_end.wait(WAIT_S_MAX)

    @ff.task
    async def member(ctx: Context) -> None:
        try:
            await ctx.step("deaf", deaf)
        finally:
            told.set()

    async def main() -> tuple[set[int], int]:
        worker, engine = await worker_of(ff), await ff.engine()
        running = asyncio.create_task(worker.run())
        async with ff.flow("order") as flow:
            flow.add(member)
        await until(started.is_set)
        await engine.cancel_flow(flow.flow_id, reason="no longer wanted")
        await worker.renew()
        await until(told.is_set)
        before = set()
        look_until = time.monotonic() + 0.1
        while time.monotonic() < look_until:
            before.add(await unacknowledged(flow.flow_id))
        may_end.set()
        after = await seen(lambda: unacknowledged(flow.flow_id), lambda number: number == 0)
        worker.stop()
        await running
        return before, after

    async def unacknowledged(flow_id: str) -> int:
        found = await (await ff.engine()).describe_flow(flow_id)
        assert found is not None
        return len(found.pending_cancel_acks)

    assert run(main) == ({1}, 0)
