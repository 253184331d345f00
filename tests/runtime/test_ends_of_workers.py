"""Workers that end by themselves: because nothing is left to do, or because they die."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from flowfabric import (
    Claimed,
    Context,
    FlowFabric,
    StoreUnavailable,
    WorkerSnapshot,
    open_blocking_engine,
    open_engine,
)
from flowfabric.cli.exits import Exit
from flowfabric.runtime.worker import Worker
from flowfabric.runtime.worker_settings import WorkerSettings
from tests.runtime.working import WAIT_S_MAX, run, seen, working_on
from tests.stores.sqlite.processes import wait_until
from tests.stores_under_test import on_one_store


async def worker_of(ff: FlowFabric, concurrency: int = 2) -> Worker:
    return Worker(await ff.engine(), ff.tasks, WorkerSettings(concurrency=concurrency))


def test_a_worker_that_asks_what_to_do_when_idle_is_asked_each_time_it_has_nothing_left(ff: FlowFabric) -> None:
    ran: list[str] = []

    @ff.task
    async def greet(ctx: Context, name: str) -> None:
        ran.append(name)

    @ff.task
    def greet_both(ctx: Context, name: str, other: str) -> None:
        greet.submit_sync(name)
        greet.submit_sync(other)

    asked: list[list[str]] = []

    async def when_idle() -> bool:
        asked.append(list(ran))
        if len(asked) == 1:
            await greet.submit("the next")
        return len(asked) < 2

    async def main() -> None:
        await greet_both.submit("ada", "grace")
        await (await worker_of(ff)).run(when_idle=when_idle)

    run(main)

    assert [sorted(names) for names in asked] == [["ada", "grace"], ["ada", "grace", "the next"]]


@on_one_store
def test_a_worker_is_not_idle_while_what_has_just_ended_may_have_made_work(ff: FlowFabric) -> None:
    ran: list[str] = []
    has_looked = asyncio.Event()

    @ff.task
    async def first(ctx: Context) -> str:
        await has_looked.wait()
        ran.append("first")
        return "done"

    @ff.task
    async def second(ctx: Context, before: str) -> None:
        ran.append("second")

    async def main() -> None:
        async with ff.flow("both") as flow:
            handle = flow.add(first)
            flow.add(second, handle.output)
        engine = await ff.engine()

        class HearsLate:
            """The engine, except that a claim which has found nothing is answered only when the first has ended."""

            def __getattr__(self, name: str) -> Any:
                return getattr(engine, name)

            async def wait_for_work(self, **options: Any) -> list[Claimed]:
                claimed = await engine.wait_for_work(**options)
                if not claimed and not has_looked.is_set():
                    has_looked.set()
                    await seen(handle.state, lambda state: state == "completed")
                    for _ in range(100):
                        await asyncio.sleep(0)  # until the worker knows, too
                return claimed

        async def when_idle() -> bool:
            return False

        hears_late: Any = HearsLate()
        await Worker(hears_late, ff.tasks, WorkerSettings(concurrency=2)).run(when_idle=when_idle)

    run(main)

    assert ran == ["first", "second"]


def test_a_worker_that_dies_reports_nothing_and_its_leases_and_its_name_stay(ff: FlowFabric) -> None:
    async def main() -> tuple[list[str], list[str], list[bool]]:
        worker = await worker_of(ff)

        @ff.task
        async def fatal(ctx: Context) -> str:
            await seen((await ff.engine()).list_workers, bool)
            worker.die()
            return "nobody hears of it"

        handles = [await fatal.submit(), await fatal.submit(), await fatal.submit()]
        await worker.run()
        engine = await ff.engine()
        return (
            [await handle.state() for handle in handles],
            [event.event_type for event in (await engine.read_events()).events],
            [each.is_alive for each in await engine.list_workers()],
        )

    states, events, alive = run(main)

    assert states == ["active", "active", "waiting"]
    assert events == ["acquired", "acquired"]
    assert alive == [True]


@on_one_store
def test_a_report_that_the_store_answers_late_does_not_bring_a_stopped_worker_back_on_the_list(ff: FlowFabric) -> None:
    is_sent, may_arrive = asyncio.Event(), asyncio.Event()
    sent: list[str] = []

    async def main() -> list[WorkerSnapshot]:
        engine = await ff.engine()

        class AnswersLate:
            """The engine, except that reports of the worker arrive late, each by itself."""

            def __getattr__(self, name: str) -> Any:
                return getattr(engine, name)

            async def heartbeat(self, **facts: Any) -> None:
                sent.append(facts["worker_id"])
                is_sent.set()
                await may_arrive.wait()
                await engine.heartbeat(**facts)

        answers_late: Any = AnswersLate()
        worker = Worker(answers_late, ff.tasks, WorkerSettings(concurrency=1))
        working = asyncio.create_task(worker.run())
        await is_sent.wait()
        renewing = asyncio.create_task(worker.renew())
        for _ in range(100):
            await asyncio.sleep(0)  # until the renewal has reported the worker, too
        worker.stop()
        may_arrive.set()
        await asyncio.wait([working, renewing])
        return await engine.list_workers()

    assert run(main) == []
    assert len(sent) == 1


def test_a_worker_that_dies_does_not_acknowledge_a_cancel(ff: FlowFabric) -> None:
    async def main() -> tuple[str, Sequence[str]]:
        worker, engine = await worker_of(ff), await ff.engine()

        @ff.task
        async def fatal(ctx: Context) -> None:
            cancelling = asyncio.ensure_future(engine.cancel_flow(flow_id, reason="no longer wanted"))
            while not cancelling.done():
                # The loss of the lease may be known here before the answer is: the code must still run when it dies.
                with suppress(asyncio.CancelledError):
                    await asyncio.shield(cancelling)
            asyncio.get_running_loop().call_soon(worker.die)
            await asyncio.Event().wait()

        async with ff.flow("order", flow_id=flow_id) as flow:
            node = flow.add(fatal)
        await worker.run()
        cancelled = await engine.describe_flow(flow_id)
        assert cancelled is not None
        return node.execution_id, cancelled.pending_cancel_acks

    flow_id = "00000000-0000-7000-8000-000000000001"

    member, unacknowledged = run(main)

    assert unacknowledged == [member]


def test_a_lease_that_is_lost_is_noticed_when_all_are_renewed(still_ff: FlowFabric) -> None:
    ff = still_ff
    reasons: list[str | None] = []

    async def main() -> None:
        worker = await worker_of(ff, concurrency=1)

        @ff.task
        async def wait(ctx: Context) -> None:
            await (await ff.engine()).revoke_lease(ctx.execution_id, reason="a test")
            try:
                await worker.renew()
            finally:
                reasons.append(ctx.cancelled.reason)
                worker.stop()

        await wait.submit()
        await worker.run()

    run(main)

    assert reasons == ["execution_not_active"]


@pytest.mark.parametrize("how", ["a block", "close"])
def test_a_task_that_closes_its_fabric_does_not_close_it_under_its_worker(tmp_path: Path, how: str) -> None:
    ff = FlowFabric(f"sqlite:///{tmp_path}/jobs.db")

    @ff.task
    async def close(ctx: Context) -> None:
        if how == "a block":
            async with ff:
                await greet.submit()
        else:
            await asyncio.to_thread(ff.close)
            await greet.submit()

    @ff.task
    async def greet(ctx: Context) -> str:
        return "hello"

    async def main() -> tuple[str, bool]:
        engine = await ff.engine()
        async with working_on(ff):
            await (await close.submit()).result(timeout="10s")
            greeting = await (await greet.submit()).result(timeout="10s")
            was_kept = await ff.engine() is engine
        # The worker was the last to use it.
        with pytest.raises(StoreUnavailable, match="closed"):
            await engine.list_executions()
        return greeting, was_kept

    assert run(main) == ("hello", True)


def test_the_last_of_several_blocks_closes_the_fabric() -> None:
    ff = FlowFabric("memory://")
    with ff:
        engine = ff.blocking_engine()
        with ff:
            engine.ping()
        engine.ping()
        ff.close()
        engine.ping()

    with pytest.raises(StoreUnavailable, match="closed"):
        engine.list_executions()


@pytest.mark.parametrize("is_busy", [False, True])
def test_a_worker_whose_engine_is_closed_for_good_ends_with_an_error(tmp_path: Path, is_busy: bool) -> None:
    ff = FlowFabric(f"sqlite:///{tmp_path}/jobs.db")
    begun = asyncio.Event()

    @ff.task
    async def wait(ctx: Context) -> None:
        begun.set()
        await asyncio.sleep(60)

    async def main() -> None:
        async with open_engine(ff.url) as engine:
            settings = WorkerSettings(concurrency=1, lease_ttl_ms=600)
            worker = Worker(engine, ff.tasks, settings)
            if is_busy:
                await wait.submit()
            working = asyncio.create_task(worker.run())
            if is_busy:
                await begun.wait()
            else:
                await seen(engine.list_workers, bool)
        with pytest.raises(StoreUnavailable, match="This engine is closed"):
            async with asyncio.timeout(WAIT_S_MAX):
                await working

    with ff:
        run(main)


def test_a_worker_whose_database_was_replaced_ends_with_an_error(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(f"sqlite:///{tmp_path}/other.db"):
        pass
    (tmp_path / "app.py").write_text(f"from flowfabric import FlowFabric\nff = FlowFabric({url!r})\n")
    with open_blocking_engine(url) as engine:
        worker = subprocess.Popen(
            [sys.executable, "-m", "flowfabric.cli", "worker", "--lease", "2s"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            wait_until(lambda: bool(engine.list_workers()))

            # Without its log, from which SQLite would make the old database again.
            for log in ("jobs.db-wal", "jobs.db-shm"):
                (tmp_path / log).unlink()
            (tmp_path / "other.db").rename(tmp_path / "jobs.db")
            _, said = worker.communicate(timeout=WAIT_S_MAX)
        finally:
            worker.kill()
            worker.wait()

    assert worker.returncode == Exit.NO_STORE
    assert "ff: Another database was put in the place of" in said.splitlines()[-1]
