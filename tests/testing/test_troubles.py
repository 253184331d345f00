"""What can happen to a worker in the middle of its work, and what the kit shows of it."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any, cast

import pytest

from flowfabric import Context, ExecutionNotCompleted, FlowFabric, Refused, Retry, Task
from flowfabric.testing import Kit, Stuck
from flowfabric.testing.moments import When
from tests.testing import shop

TASKS: list[Task[[int], str]] = [shop.fulfil, shop.fulfil_with_threads, shop.fulfil_in_a_thread]


@pytest.fixture
def kit() -> Iterator[Kit]:
    with Kit(shop.ff) as opened:
        yield opened


# ── crashes ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
@pytest.mark.parametrize(
    ("step", "when", "paid"),
    [
        ("pay", "before", ["pay-1", "ship-1"]),
        ("pay", "unstored", ["pay-0", "pay-1", "ship-1"]),
        ("pay", "stored", ["pay-0", "ship-1"]),
        ("ship", "before", ["pay-0", "ship-1"]),
        ("ship", "unstored", ["pay-0", "ship-0", "ship-1"]),
        ("ship", "stored", ["pay-0", "ship-0"]),
    ],
)
def test_a_worker_that_dies_at_a_step_has_done_what_it_did_and_stored_what_it_stored(
    kit: Kit, task: Task[[int], str], step: str, when: When, paid: list[str]
) -> None:
    start = kit.now
    handle = task.submit_sync(7)
    kit.at_step(step, when).crash()

    kit.run_to_the_end()

    assert handle.result_sync() == "paid and shipped"
    assert shop.bank == paid
    assert sum(kit.steps_run(handle).values()) == len(paid)
    assert kit.attempts(handle) == ["interrupted", "success"]
    assert kit.now - start == timedelta(seconds=30), "its lease had to run out"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
@pytest.mark.parametrize(("when", "paid"), [("before", ["pay-1", "ship-1"]), ("unstored", ["pay-0", "ship-0"])])
def test_a_worker_that_dies_around_the_function_leaves_no_result(
    kit: Kit, task: Task[[int], str], when: When, paid: list[str]
) -> None:
    handle = task.submit_sync(7)
    kit.at_attempt(0, when).crash()

    left = kit.run_until_idle()
    state = handle.state_sync()
    kit.run_to_the_end()

    assert (state, len(left)) == ("active", 1)
    assert "It is running as attempt 1 on worker 'kit-" in left[0]
    assert shop.bank == paid
    assert kit.attempts(handle) == ["interrupted", "success"]


def test_crashes_above_the_limit_end_the_execution(kit: Kit) -> None:
    handle = shop.fulfil.submit_sync(7)
    kit.at_step("ship", times=11).crash()

    kit.run_to_the_end()

    assert kit.attempts(handle) == ["interrupted"] * 11
    with pytest.raises(ExecutionNotCompleted, match="worker_lost"):
        handle.result_sync()


def test_a_worker_takes_everything_that_it_runs_with_it() -> None:
    with Kit(shop.ff, concurrency=2) as kit:
        handles = [shop.fulfil.submit_sync(n) for n in (1, 2, 3)]
        kit.at_step("ship", "unstored").crash()

        kit.run_to_the_end()

        ends = sorted(tuple(kit.attempts(handle)) for handle in handles)
    assert ends == [("interrupted", "success"), ("interrupted", "success"), ("success",)]


def test_code_that_catches_every_exception_does_not_survive_a_crash() -> None:
    ff = FlowFabric("memory://")
    survived: list[str] = []

    @ff.task
    def stubborn(ctx: Context) -> None:
        try:
            ctx.step_sync("one", lambda: 1)
        except Exception:
            survived.append("exception")
        survived.append(f"attempt {ctx.attempt_index}")

    with Kit(ff) as kit:
        stubborn.submit_sync()
        kit.at_step("one", "stored").crash()
        kit.run_to_the_end()

    assert survived == ["attempt 1"]


def test_code_that_swallows_its_cancellation_does_nothing_more_after_a_crash() -> None:
    ff = FlowFabric("memory://")

    async def pay(what: str, attempt: int) -> None:
        shop.bank.append(f"{what}-{attempt}")

    @ff.task
    async def stubborn(ctx: Context) -> None:
        with suppress(asyncio.CancelledError):
            await ctx.step("one", lambda: pay("one", ctx.attempt_index))
        await ctx.step("two", pay, "two", ctx.attempt_index)

    with Kit(ff) as kit:
        stubborn.submit_sync()
        kit.at_step("one", "stored").crash()
        kit.run_to_the_end()

    assert shop.bank == ["one-0", "two-1"]


def test_whoever_waits_for_what_a_dead_worker_ran_is_told_at_once(kit: Kit) -> None:
    handle = shop.fulfil.submit_sync(7)
    kit.at_step("pay").crash()
    kit.run_until_idle()

    with pytest.raises(Stuck, match="its lease lasts another 30 s"):
        handle.result_sync(timeout=60)


# ── leases, cancels ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_code_whose_lease_is_lost_is_stopped_and_another_attempt_does_the_rest(
    kit: Kit, task: Task[[int], str]
) -> None:
    handle = task.submit_sync(7)
    kit.at_step("ship").lose_lease()

    left = kit.run_until_idle()

    assert left == []
    assert shop.bank == ["pay-0", "ship-1"]
    assert kit.events(handle) == ["acquired", "expired", "acquired", "completed"]


def test_code_that_does_not_know_that_its_lease_is_lost_is_refused() -> None:
    ff = FlowFabric("memory://")
    refused: list[str] = []

    @ff.task
    async def pay(ctx: Context) -> str:
        try:
            await ctx.step("bank", lambda: f"token {ctx.fencing_token}")
        except Refused as refusal:
            refused.append(refusal.code)
            raise
        return f"paid by attempt {ctx.attempt_index}"

    with Kit(ff) as kit:
        handle = pay.submit_sync()
        kit.at_step("bank", "unstored").lose_lease(told=False)
        kit.run_until_idle()

        assert refused == ["execution_not_active"]
        assert kit.steps_run(handle) == {"bank": 2}
        assert handle.result_sync() == "paid by attempt 1"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_an_execution_that_is_cancelled_while_it_runs_stops_there(kit: Kit, task: Task[[int], str]) -> None:
    handle = task.submit_sync(7)
    kit.at_step("ship").cancel("the customer left")

    left = kit.run_until_idle()

    assert left == []
    assert shop.bank == ["pay-0"]
    assert handle.describe_sync().cancellation_reason == "the customer left"
    assert kit.events(handle) == ["acquired", "revoked", "cancelled"]


def test_a_member_of_a_flow_that_is_cancelled_while_it_runs_acknowledges_it(kit: Kit) -> None:
    with shop.ff.flow("order") as flow:
        flow.add(shop.fulfil, 7)
    kit.at_step("ship").do(lambda ctx: kit.engine.cancel_flow(flow.flow_id, reason="changed"))

    kit.run_until_idle()

    assert flow.state_sync() == "cancelled"
    assert flow.describe_sync().pending_cancel_acks == []


# ── time ─────────────────────────────────────────────────────────────────────────────────────────


def test_time_that_passes_while_code_runs_leaves_its_lease_alone(kit: Kit) -> None:
    start = kit.now
    handle = shop.fulfil.submit_sync(7)
    kit.at_step("ship").advance("10m")

    kit.run_until_idle()

    assert kit.now - start == timedelta(minutes=10)
    assert kit.attempts(handle) == ["success"]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_time_that_passes_while_code_runs_counts_for_timeouts(kit: Kit, task: Task[[int], str]) -> None:
    start = kit.now
    retry = Retry(1, initial_delay="1m", jitter=0)
    handle = task.options(timeout="2m", retry=retry).submit_sync(7)
    kit.at_step("ship").advance("2m")

    kit.run_to_the_end()

    assert kit.attempts(handle) == ["retry", "success"]
    assert shop.bank == ["pay-0", "ship-1"]
    assert kit.now - start == timedelta(minutes=3)


def test_a_deadline_that_passes_while_code_runs_ends_the_execution(kit: Kit) -> None:
    handle = shop.fulfil.options(deadline="1h").submit_sync(7)
    kit.at_step("ship").advance("2h")

    kit.run_until_idle()

    assert handle.state_sync() == "expired"
    assert shop.bank == ["pay-0"]


# ── failures, and whatever else ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_step_that_is_made_to_fail_does_so_as_often_as_was_said(kit: Kit, task: Task[[int], str]) -> None:
    handle = task.options(retry=Retry(5)).submit_sync(7)
    kit.at_step("ship", times=2).fail(ConnectionError("the carrier does not answer"))

    kit.run_to_the_end()

    assert kit.attempts(handle) == ["retry", "retry", "success"]
    assert shop.bank == ["pay-0", "ship-2"]


def test_a_function_that_is_made_to_fail_has_not_run(kit: Kit) -> None:
    handle = shop.fulfil.submit_sync(7)
    kit.at_attempt().fail(ValueError("no"))

    kit.run_until_idle()

    assert handle.state_sync() == "failed"
    assert (kit.ran, shop.bank) == ([], [])


def test_a_test_may_do_what_it_wants_at_a_moment(kit: Kit) -> None:
    seen: list[tuple[str, int]] = []

    async def look(ctx: Context) -> None:
        await asyncio.sleep(0)
        seen.append((await handle.state(), ctx.attempt_index))

    handle = shop.fulfil.submit_sync(7)
    kit.at_step("pay", "stored").do(look)
    kit.at_step("ship").do(lambda ctx: seen.append((ctx.task, len(shop.bank))))
    kit.run_until_idle()

    assert seen == [("active", 0), ("fulfil", 1)]


def test_a_moment_can_be_that_of_one_task_and_one_attempt(kit: Kit) -> None:
    first, second = shop.fulfil.submit_sync(1), shop.fulfil_in_a_thread.submit_sync(2)
    kit.at_step("ship", of=shop.fulfil_in_a_thread).crash()
    kit.at_step("ship", of=shop.fulfil_in_a_thread, attempt=1).crash()

    kit.run_to_the_end()

    assert kit.attempts(first) == ["success"]
    assert kit.attempts(second) == ["interrupted", "interrupted", "success"]


def test_steps_are_what_they_are_without_the_kit() -> None:
    ff = FlowFabric("memory://")

    class Double:
        def __call__(self, number: int) -> int:
            return 2 * number

    def pair(number: int) -> tuple[int, int]:
        return number, number

    @ff.task
    async def steps(ctx: Context) -> list[Any]:
        found = [
            await ctx.step("class", str, 5),
            await ctx.step("object", Double(), 5),
            await ctx.step("hints", pair, 5),
        ]
        with pytest.raises(Exception, match="other arguments"):
            await ctx.step("hints", pair, 6)
        return [*found, isinstance(found[2], tuple)]

    with Kit(ff) as kit:
        handle = steps.submit_sync()
        kit.run_until_idle()

        assert handle.result_sync() == ["5", 10, [5, 5], True]


def test_a_plain_task_that_calls_an_async_step_is_told_so_as_ever() -> None:
    ff = FlowFabric("memory://")

    async def pay() -> None: ...

    @ff.task
    def wrong(ctx: Context) -> None:
        ctx.step_sync("pay", cast("Any", pay))

    with Kit(ff) as kit:
        handle = wrong.submit_sync()
        kit.run_until_idle()

        with pytest.raises(ExecutionNotCompleted, match="calls an async function"):
            handle.result_sync()
