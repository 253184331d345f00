"""The worker: what it claims, where it runs it, and what it reports."""

import asyncio
import logging
import threading
from itertools import pairwise
from typing import Any

import pytest

from flowfabric import Claimed, ExecutionPolicy, InvalidInput, RetryPolicy
from flowfabric.fabric import FlowFabric
from flowfabric.runtime import worker
from flowfabric.runtime.context import Context
from flowfabric.runtime.failures import Permanent
from flowfabric.runtime.reporting import UNKNOWN_TASK_DELAY_MS
from flowfabric.runtime.task_options import Retry
from flowfabric.testing import Kit
from tests.runtime.working import WAIT_S_MAX, ended, run, seen, snapshot, until, working, working_on
from tests.stores_under_test import on_one_store


def test_an_async_function_runs_on_the_loop_and_its_result_comes_back(ff: FlowFabric) -> None:
    @ff.task
    async def greet(ctx: Context, name: str) -> str:
        return f"hello {name} from {threading.current_thread().name}"

    async def main() -> str:
        async with working(ff):
            return await (await greet.submit(name="ada")).result(timeout=WAIT_S_MAX)

    assert run(main) == "hello ada from MainThread"


def test_a_plain_function_runs_in_a_thread_and_its_result_comes_back(ff: FlowFabric) -> None:
    @ff.task
    def greet(ctx: Context, name: str) -> str:
        return f"hello {name} from {threading.current_thread().name}"

    async def main() -> str:
        async with working(ff):
            return await (await greet.submit(name="ada")).result(timeout=WAIT_S_MAX)

    assert run(main) == "hello ada from flowfabric-task-1"


def test_no_more_run_at_once_than_there_are_slots_and_none_more_are_claimed(ff: FlowFabric) -> None:
    running = 0
    most = 0
    go_on = asyncio.Event()

    @ff.task
    async def wait(ctx: Context) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await go_on.wait()
        running -= 1

    async def main() -> list[str]:
        async with working(ff, concurrency=3):
            handles = await wait.submit_many(wait.bind() for _ in range(8))
            await until(lambda: running == 3)
            states = [(await snapshot(ff, handle)).public_state for handle in handles]
            go_on.set()
            for handle in handles:
                await handle.result(timeout=WAIT_S_MAX)
            return states

    states = run(main)

    assert most == 3
    assert sorted(states) == ["active"] * 3 + ["waiting"] * 5


def test_after_a_full_claim_the_next_one_is_sent_before_the_functions_of_the_last_one_begin(
    ff: FlowFabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "CLAIM_MAX", 4)
    monkeypatch.setattr(worker, "AHEAD_MIN", 2)
    seen: list[str] = []
    claim = worker.Worker._claim

    async def claims(self: worker.Worker, room: int, *, waits: bool) -> list[Claimed]:
        seen.append(f"claim of {room}")
        return await claim(self, room, waits=waits)

    monkeypatch.setattr(worker.Worker, "_claim", claims)

    @ff.task
    async def nothing(ctx: Context) -> None:
        seen.append("runs")

    async def main() -> None:
        handles = await nothing.submit_many(nothing.bind() for _ in range(6))
        async with working(ff, concurrency=7):
            for handle in handles:
                await handle.result(timeout=WAIT_S_MAX)

    run(main)

    # The first claim is full, and leaves room for three. The second one is not full, so its functions go first.
    assert seen == ["claim of 4", "claim of 3", *["runs"] * 6, "claim of 4"]


def test_a_worker_that_stops_while_it_claims_ahead_leaves_no_lease_behind(
    ff: FlowFabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "CLAIM_MAX", 4)
    monkeypatch.setattr(worker, "AHEAD_MIN", 2)
    stop = asyncio.Event()
    begun = 0

    @ff.task
    async def nothing(ctx: Context) -> None:
        nonlocal begun
        begun += 1
        if begun == 7:
            stop.set()

    async def main() -> list[str]:
        async with ff:
            handles = await nothing.submit_many(nothing.bind() for _ in range(40))
            async with asyncio.timeout(WAIT_S_MAX):
                await ff.run_worker(stop=stop, concurrency=20)
            return [(await snapshot(ff, handle)).public_state for handle in handles]

    states = run(main)

    assert set(states) == {"completed", "waiting"}
    assert states.count("completed") == begun


def test_what_is_submitted_while_the_worker_is_idle_starts_without_waiting_for_a_poll(ff: FlowFabric) -> None:
    @ff.task
    async def nothing(ctx: Context) -> None:
        return

    async def main() -> None:
        async with working(ff, poll="1h"):
            for _ in range(3):
                await (await nothing.submit()).result(timeout=WAIT_S_MAX)

    run(main)


def test_only_the_lanes_and_capabilities_that_it_was_given_are_served(ff: FlowFabric) -> None:
    @ff.task
    async def nothing(ctx: Context) -> None:
        return

    async def main() -> list[str]:
        async with working(ff, lanes=["mail", "gpu"], capabilities=["h100"]):
            mail = await nothing.options(lane="mail").submit()
            elsewhere = await nothing.submit()
            gpu = await nothing.options(lane="gpu", capabilities=["h100"]).submit()
            other_gpu = await nothing.options(lane="gpu", capabilities=["a100"]).submit()
            await mail.result(timeout=WAIT_S_MAX)
            await gpu.result(timeout=WAIT_S_MAX)
            return [(await snapshot(ff, handle)).public_state for handle in (elsewhere, other_gpu)]

    assert run(main) == ["waiting", "waiting"]


# ── failing ──────────────────────────────────────────────────────────────────────────────────────


class CardStolen(Exception):
    pass


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_an_exception_is_reported_by_its_class_and_message_and_retried_by_the_policy(ff: FlowFabric, kind: str) -> None:
    attempts: list[int] = []

    def work(ctx: Context) -> str:
        attempts.append(ctx.attempt_index)
        if len(attempts) < 3:
            raise CardStolen("the card is stolen")
        return "paid"

    async def work_async(ctx: Context) -> str:
        return work(ctx)

    task: Any = ff.task(retry=Retry(2, initial_delay="1ms", jitter=0.0))(work_async if kind == "async" else work)
    fails: Any = ff.task(name="fails")(work_async if kind == "async" else work)

    async def main() -> tuple[str, Any]:
        async with working(ff):
            paid = await (await task.submit()).result(timeout=WAIT_S_MAX)
            attempts.clear()
            return paid, await ended(ff, await fails.submit())

    paid, failed = run(main)

    assert paid == "paid"
    assert failed.public_state == "failed"
    assert (failed.failure.code, failed.failure.message) == ("CardStolen", "the card is stolen")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Permanent("no such order", code="no_order"), "no_order"),
        (Permanent("no such order"), "Permanent"),
        (CardStolen("gone"), "CardStolen"),
        (InvalidInput("wrong"), "InvalidInput"),
    ],
)
def test_what_can_never_work_is_not_retried(ff: FlowFabric, error: Exception, code: str) -> None:
    attempts: list[int] = []

    @ff.task(retry=Retry(5, initial_delay="1ms", give_up_on=(CardStolen,)))
    async def fail(ctx: Context) -> None:
        attempts.append(ctx.attempt_index)
        raise error

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await fail.submit())

    failed = run(main)

    assert attempts == [0]
    assert (failed.public_state, failed.failure.code) == ("failed", code)


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_a_function_that_exits_fails_and_the_worker_goes_on(ff: FlowFabric, kind: str) -> None:
    async def leave_async(ctx: Context) -> None:
        raise SystemExit(3)

    def leave_plain(ctx: Context) -> None:
        raise SystemExit(3)

    task: Any = ff.task(name="leave")(leave_async if kind == "async" else leave_plain)

    @ff.task
    async def stay(ctx: Context) -> str:
        return "here"

    async def main() -> tuple[Any, str]:
        async with working(ff):
            gone = await ended(ff, await task.submit())
            return gone, await (await stay.submit()).result(timeout=WAIT_S_MAX)

    gone, here = run(main)

    assert (gone.public_state, gone.failure.code) == ("failed", "SystemExit")
    assert here == "here"


def test_a_result_of_another_type_than_declared_fails_the_attempt_and_is_not_retried(ff: FlowFabric) -> None:
    @ff.task(retry=Retry(5, initial_delay="1ms"))
    async def count(ctx: Context) -> int:
        return "many"  # type: ignore[return-value]

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await count.submit())

    failed = run(main)

    assert (failed.public_state, failed.retry_count, failed.failure.code) == ("failed", 0, "InvalidInput")
    assert "its result" in failed.failure.message


def test_a_result_larger_than_the_engine_takes_fails_the_attempt_and_is_not_retried(ff: FlowFabric) -> None:
    @ff.task(retry=Retry(5, initial_delay="1ms"))
    async def write(ctx: Context) -> str:
        return "x" * 2_000_000

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await write.submit())

    failed = run(main)

    assert (failed.public_state, failed.retry_count, failed.failure.code) == ("failed", 0, "InvalidInput")


def test_a_message_longer_than_the_engine_takes_is_cut(ff: FlowFabric) -> None:
    @ff.task
    async def shout(ctx: Context) -> None:
        raise ValueError("é" * 5_000 + "\0")

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await shout.submit())

    failed = run(main)

    assert failed.failure.message.endswith("é...")
    assert 4_090 < len(failed.failure.message.encode()) <= 4_096


def test_an_execution_of_an_unknown_task_is_put_off_without_burning_anything(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task
    async def known(ctx: Context) -> None:
        return

    async def main() -> Any:
        async with working(ff):
            engine = await ff.engine()
            created = await engine.create_execution("unknown", namespace="default")
            return await seen(
                lambda: engine.describe_execution(created.execution_id),
                lambda x: x is not None and x.public_state == "delayed",
            )

    with caplog.at_level(logging.WARNING, "flowfabric.worker"):
        x = run(main)

    assert (x.retry_count, x.interruption_count) == (0, 0)
    assert x.delay_until_ms - x.started_at_ms == UNKNOWN_TASK_DELAY_MS
    assert "no task 'unknown' here; this worker knows known" in caplog.text


def test_an_execution_of_an_unknown_task_is_put_off_for_longer_each_time() -> None:
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=1, initial_delay_ms=1_000, jitter=0.0))

    with Kit(FlowFabric("memory://")) as kit:
        key = kit.engine.create_execution("unknown", policy=policy).execution_id
        (claimed,) = kit.engine.claim(worker_id="w", worker_instance_id="w-1")
        kit.engine.fail(claimed.lease, code="away", message="", retryable=True)
        kit.run_for("1h")
        starts_ms = [each.started_at_ms for each in kit.engine.list_attempts(key)]

    pauses_s = [(after - before) / 1000 for before, after in pairwise(starts_ms)]  # type: ignore[operator]
    assert pauses_s == [1, 10, 20, 40, 80, 160, 320, *[600] * 4]


# ── the list of workers ──────────────────────────────────────────────────────────────────────────


def test_a_worker_is_on_the_list_while_it_runs_and_off_it_afterwards(ff: FlowFabric) -> None:
    async def main() -> tuple[list[Any], list[Any]]:
        async with ff:
            engine = await ff.engine()
            stop = asyncio.Event()
            worker = asyncio.create_task(
                ff.run_worker(stop=stop, lanes=["gpu"], capabilities=["h100"], worker_id="render")
            )
            during = await seen(engine.list_workers, bool)
            stop.set()
            await worker
            return during, await engine.list_workers()

    during, after = run(main)

    (one,) = during
    assert (one.worker_id, list(one.lanes), list(one.capabilities), one.is_alive) == ("render", ["gpu"], ["h100"], True)
    assert one.worker_instance_id.startswith("render-")
    assert after == []


@on_one_store
def test_a_worker_serves_the_lanes_of_its_tasks_and_schedules_unless_it_is_told_others(ff: FlowFabric) -> None:
    @ff.task(lane="mail")
    async def mail(ctx: Context) -> str:
        return ctx.lane

    @ff.task(lane="render")
    async def render(ctx: Context) -> None: ...

    ff.every("1h", render.options(lane="night"))

    async def main() -> list[list[str]]:
        async with ff:
            served = []
            for settings in ({}, {"lanes": ["mail"]}):
                async with working_on(ff, **settings):
                    assert await (await mail.submit()).result(timeout=WAIT_S_MAX) == "mail"
                    (worker,) = await (await ff.engine()).list_workers()
                    served.append(list(worker.lanes))
            return served

    assert run(main) == [["mail", "night", "render"], ["mail"]]


@on_one_store
@pytest.mark.parametrize(
    "wrong",
    [{"concurrency": 0}, {"lanes": []}, {"lease": "1ms"}, {"poll": 0}, {"processes": -1}, {"capabilities": "gpu"}],
)
def test_settings_that_cannot_work_are_refused_before_anything_is_claimed(
    ff: FlowFabric, wrong: dict[str, Any]
) -> None:
    async def main() -> None:
        await ff.run_worker(**wrong)

    with pytest.raises(InvalidInput):
        run(main)
