"""What a function is handed: who it is, how long it has, and whether it is to stop."""

import logging
import math
from datetime import UTC, datetime
from typing import Any

import pytest

from flowfabric import ExecutionPolicy, InvalidInput, ManualClock
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import AttemptCancelled, Context
from tests.runtime.test_outages import CALL, worker_on_a_faulty_store
from tests.runtime.working import WAIT_S_MAX, run, snapshot, until, working

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def test_a_function_knows_its_execution_its_attempt_and_its_token(ff: FlowFabric) -> None:
    @ff.task(tags={"team.name": "billing"})
    async def look(ctx: Context) -> list[Any]:
        return [ctx.task, ctx.execution_id, ctx.attempt_index, ctx.fencing_token, ctx.lane, dict(ctx.tags)]

    async def main() -> tuple[list[Any], str]:
        async with working(ff):
            handle = await look.submit()
            return await handle.result(timeout=WAIT_S_MAX), handle.execution_id

    seen, execution_id = run(main)

    assert seen == ["look", execution_id, 0, 1, "default", {"team.name": "billing"}]


@pytest.mark.parametrize(
    ("options", "ends_at"),
    [
        ({"timeout": "2m"}, "12:02"),
        ({"deadline": "5m"}, "12:05"),
        ({"timeout": "2m", "deadline": "1m"}, "12:01"),
        ({}, "never"),
    ],
)
def test_the_deadline_is_the_timeout_or_the_deadline_whichever_comes_first(
    options: dict[str, Any], ends_at: str
) -> None:
    clock = ManualClock(int(NOON.timestamp() * 1000))
    ff = FlowFabric("memory://", clock=clock, reconcile=False)

    @ff.task
    def look(ctx: Context) -> str:
        if ctx.deadline is None or ctx.seconds_left is None:
            assert ctx.deadline is ctx.seconds_left
            return "never"
        assert 0 < (ctx.deadline - NOON).total_seconds() - ctx.seconds_left < WAIT_S_MAX
        return ctx.deadline.strftime("%H:%M")

    async def main() -> str:
        async with working(ff):
            return await (await look.options(**options).submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == ends_at


@pytest.mark.parametrize(
    ("timeout_ms", "deadline_ms", "ends_at"),
    [(120_000, None, "12:02"), (120_000, 60_000, "12:01"), (None, None, "never")],
)
def test_a_function_learns_its_deadline_while_the_store_answers_no_read(
    timeout_ms: int | None, deadline_ms: int | None, ends_at: str
) -> None:
    noon_ms = int(NOON.timestamp() * 1000)
    ff = FlowFabric("memory://")
    told: list[str] = []

    @ff.task
    async def look(ctx: Context) -> None:
        assert (ctx.deadline is None) == (ctx.seconds_left is None)
        told.append("never" if ctx.deadline is None else f"{ctx.deadline:%H:%M}")

    async def main() -> None:
        async with worker_on_a_faulty_store(ff, clock=ManualClock(noon_ms)) as scene:
            with scene.store.reads_held():
                await scene.engine.create_execution(
                    look.name,
                    CALL,
                    policy=ExecutionPolicy(attempt_timeout_ms=timeout_ms),
                    deadline_at_ms=None if deadline_ms is None else noon_ms + deadline_ms,
                )
                await until(lambda: bool(told))

    run(main)

    assert told == [ends_at]


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_the_last_progress_is_stored_however_fast_it_comes(ff: FlowFabric, kind: str) -> None:
    @ff.task
    async def work_async(ctx: Context) -> None:
        for percent in range(101):
            ctx.progress(percent, f"{percent} of 100")

    @ff.task
    def work_plain(ctx: Context) -> None:
        for percent in range(101):
            ctx.progress(percent, f"{percent} of 100")

    async def main() -> Any:
        async with working(ff):
            handle = await (work_async if kind == "async" else work_plain).submit()
            await handle.result(timeout=WAIT_S_MAX)
            return await snapshot(ff, handle)

    x = run(main)

    assert (x.progress_percent, x.progress_message) == (100, "100 of 100")


def test_progress_is_stored_in_whole_percents_and_is_whole_only_at_the_end(ff: FlowFabric) -> None:
    @ff.task
    async def count(ctx: Context, done: int) -> None:
        ctx.progress(100 * done / 3)

    async def main() -> list[int | None]:
        async with working(ff):
            handles = [await count.submit(done) for done in range(4)]
            for handle in handles:
                await handle.result(timeout=WAIT_S_MAX)
            return [(await snapshot(ff, handle)).progress_percent for handle in handles]

    assert run(main) == [0, 33, 66, 100]


@pytest.mark.parametrize("percent", [-1, 101, -0.5, 100.5, math.nan, math.inf, "50", True])
def test_progress_that_is_none_is_refused_where_it_is_reported(percent: Any) -> None:
    with pytest.raises(InvalidInput, match="percent"):
        Context.for_test().progress(percent)


def test_a_record_carries_the_execution_and_what_the_caller_adds(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.log.info("charged", extra={"cents": 990})

    async def main() -> str:
        async with working(ff):
            handle = await speak.submit()
            await handle.result(timeout=WAIT_S_MAX)
            return handle.execution_id

    with caplog.at_level(logging.INFO, "flowfabric.task"):
        execution_id = run(main)

    (record,) = [each for each in caplog.records if each.name == "flowfabric.task.speak"]
    facts = vars(record)
    assert (record.getMessage(), facts["cents"]) == ("charged", 990)
    assert (facts["execution_id"], facts["attempt_index"], facts["fencing_token"]) == (execution_id, 0, 1)


def test_a_cancelled_context_says_why_and_raises_what_no_handler_of_exceptions_catches() -> None:
    ctx = Context.for_test()
    assert not ctx.cancelled
    ctx.raise_if_cancelled()

    ctx.cancelled.set("lease_expired")
    ctx.cancelled.set("later")

    assert (bool(ctx.cancelled), ctx.cancelled.wait(0), ctx.cancelled.reason) == (True, True, "lease_expired")
    with pytest.raises(AttemptCancelled, match="lease_expired"):
        ctx.step_sync("never", len, "abc")
    assert not issubclass(AttemptCancelled, Exception)
