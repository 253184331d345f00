"""The kit: what runs, in which order, on whose time, and what it says when nothing can run."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flowfabric import AnyOf, Context, ExecutionNotCompleted, FlowFabric, InvalidInput
from flowfabric.testing import Kit, Stuck, runs
from tests.testing import shop


@pytest.fixture
def kit() -> Iterator[Kit]:
    with Kit(shop.ff) as opened:
        yield opened


# ── running ──────────────────────────────────────────────────────────────────────────────────────


def test_a_program_is_tested_without_its_database(kit: Kit) -> None:
    handle = shop.charge.submit_sync(7)

    left = kit.run_until_idle()

    assert left == []
    assert handle.result_sync() == "charge-7"


def test_a_test_on_an_event_loop_has_its_tasks_on_the_same_loop() -> None:
    async def main() -> tuple[str, bool]:
        ff = FlowFabric("memory://")
        loops: list[asyncio.AbstractEventLoop] = []

        @ff.task
        async def greet(ctx: Context, name: str) -> str:
            loops.append(asyncio.get_running_loop())
            return f"hello {name}"

        with Kit(ff) as kit:
            handle = await greet.submit("ada")
            await kit.run_until_idle_async()
            return await handle.result(), loops == [asyncio.get_running_loop()]

    assert asyncio.run(main()) == ("hello ada", True)


def test_what_a_task_submits_is_run_too(kit: Kit) -> None:
    shop.order.submit_sync(7)

    kit.run_until_idle()

    assert kit.ran == ["order", "charge"]


def test_a_flow_runs_along_its_edges_and_passes_results_on(kit: Kit) -> None:
    with shop.ff.flow("order") as flow:
        paid = flow.add(shop.charge, 7)
        mailed = flow.add(shop.receipt, paid.output)

    kit.run_until_idle()

    assert kit.ran == ["charge", "receipt"]
    assert mailed.result_sync() == "receipt for charge-7"
    assert flow.state_sync() == "completed"


def test_an_idempotency_key_is_kept_as_in_production(kit: Kit) -> None:
    once = shop.charge.options(idempotency_key="order-7")

    handles = [once.submit_sync(7), once.submit_sync(7)]
    kit.run_until_idle()

    assert [handle.is_duplicate for handle in handles] == [False, True]
    assert kit.ran == ["charge"]


def test_a_task_that_runs_in_a_process_of_its_own_runs_in_that_of_the_test() -> None:
    with Kit(isolated) as kit:
        handle = pid_of_worker.submit_sync()
        kit.run_until_idle()

        assert handle.result_sync() == os.getpid()


isolated = FlowFabric("memory://")


@isolated.task(isolation="process")
def pid_of_worker(ctx: Context) -> int:
    return os.getpid()


# ── order ────────────────────────────────────────────────────────────────────────────────────────


def story() -> tuple[list[str], list[str], datetime]:
    with Kit(shop.ff) as kit:
        handles = [
            shop.fulfil_in_a_thread.submit_sync(1),
            shop.charge.options(priority=9).submit_sync(2, declined=2),
            shop.order.submit_sync(3),
            shop.receipt.options(delay="3d").submit_sync("x"),
        ]
        kit.at_step("pay").crash()
        kit.run_to_the_end()
        return [handle.execution_id for handle in handles], kit.ran, kit.now


def test_the_same_test_has_the_same_order_the_same_ids_and_takes_the_same_time() -> None:
    first, *others = [story() for _ in range(5)]

    assert others == [first] * 4
    assert first[1] == [
        *("charge", "fulfil_in_a_thread", "order", "charge", "fulfil_in_a_thread"),
        *("charge", "receipt", "charge"),
    ]


def test_one_runs_at_a_time_unless_the_kit_was_asked_for_more() -> None:
    running: set[str] = set()
    ff = FlowFabric("memory://")

    @ff.task
    async def wait(ctx: Context) -> int:
        running.add(ctx.execution_id)
        most = 0
        for _ in range(5):
            await asyncio.sleep(0)
            most = max(most, len(running))
        running.remove(ctx.execution_id)
        return most

    def most(concurrency: int) -> int:
        with Kit(ff, concurrency=concurrency) as kit:
            handles = [wait.submit_sync() for _ in range(4)]
            kit.run_until_idle()
            return max(handle.result_sync() for handle in handles)

    assert (most(1), most(4)) == (1, 4)


def test_with_more_at_once_a_task_can_wait_for_another() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def child(ctx: Context) -> str:
        return "done"

    @ff.task
    async def parent(ctx: Context) -> str:
        return await (await child.submit()).result()

    with Kit(ff, concurrency=2) as kit:
        handle = parent.submit_sync()
        kit.run_until_idle()

        assert handle.result_sync() == "done"


# ── time ─────────────────────────────────────────────────────────────────────────────────────────


def test_time_stands_still_until_it_is_moved() -> None:
    start = datetime(2026, 3, 29, 0, 55, tzinfo=UTC)
    with Kit(shop.ff, start=start) as kit:
        shop.charge.submit_sync(7)
        kit.run_until_idle()
        before = kit.now
        kit.advance("3d")
        kit.advance(timedelta(hours=1))

        assert (before, kit.now) == (start, start + timedelta(days=3, hours=1))


def test_a_retry_comes_when_its_time_has_come_and_until_then_the_kit_says_so(kit: Kit) -> None:
    handle = shop.charge.submit_sync(7, declined=1)

    left = kit.run_until_idle()
    kit.advance("2d")
    still_left = kit.run_until_idle()
    kit.advance("1d")
    in_the_end = kit.run_until_idle()

    assert left == [
        f"charge ({handle.execution_id}): It failed with ConnectionError and is retried in 3 d (retry 1 of 3)."
    ]
    assert "retried in 24 h" in still_left[0]
    assert in_the_end == []
    assert handle.result_sync() == "charge-7"


def test_a_retry_without_a_pause_is_run_at_once() -> None:
    ff = FlowFabric("memory://")

    @ff.task(retry=shop.Retry(max_retries=2, initial_delay=0))
    async def stumble(ctx: Context) -> int:
        return 1 // (ctx.attempt_index // 2)

    with Kit(ff) as kit:
        handle = stumble.submit_sync()

        assert kit.run_until_idle() == []
        assert kit.attempts(handle) == ["retry", "retry", "success"]


def test_the_end_of_a_retry_policy_of_days_is_reached_by_jumping(kit: Kit) -> None:
    start = kit.now
    handle = shop.charge.submit_sync(7, declined=99)

    kit.run_to_the_end()

    assert kit.now - start == timedelta(days=9)
    assert kit.attempts(handle) == ["retry", "retry", "retry", "failed"]
    with pytest.raises(ExecutionNotCompleted, match="the bank does not answer"):
        handle.result_sync()


def test_time_that_passes_stops_at_each_moment_on_the_way_and_ends_where_it_should(kit: Kit) -> None:
    start = kit.now
    seen: list[timedelta] = []
    kit.at_attempt(of=shop.receipt, times=2).do(lambda ctx: seen.append(kit.now - start))
    shop.receipt.options(delay="2h").submit_sync("second")
    shop.receipt.options(delay="1h").submit_sync("first")
    shop.receipt.options(delay="4h").submit_sync("later")

    left = kit.run_for("3h")

    assert seen == [timedelta(hours=1), timedelta(hours=2)]
    assert kit.now - start == timedelta(hours=3)
    assert len(left) == 1
    assert "delayed for another 60 min" in left[0]


def test_what_has_outlived_its_retention_is_gone_when_time_has_passed(kit: Kit) -> None:
    handle = shop.charge.options(retention="1h").submit_sync(7)

    kit.run_until_idle()
    kit.run_for("1h")

    assert kit.engine.describe_execution(handle.execution_id) is None


def test_the_end_is_not_put_off_by_retention(kit: Kit) -> None:
    start = kit.now
    shop.charge.options(retention="1h").submit_sync(7)

    kit.run_to_the_end()

    assert kit.now == start


def test_an_end_that_no_time_brings_nearer_is_reported_with_what_it_waits_for(kit: Kit) -> None:
    held, other = shop.charge.submit_sync(7), shop.charge.submit_sync(8)
    kit.engine.hold(held.execution_id)

    with pytest.raises(Stuck, match=r"The end was not reached; at 2023-.*\ncharge .*held by an operator"):
        kit.run_to_the_end()

    assert other.state_sync() == "completed"


def test_an_end_that_is_too_far_away_is_reported_without_going_there(kit: Kit) -> None:
    start = kit.now
    shop.charge.options(delay="400d").submit_sync(7)

    with pytest.raises(Stuck, match="delayed for another 400 d"):
        kit.run_to_the_end()

    assert kit.now == start


# ── lanes ────────────────────────────────────────────────────────────────────────────────────────


def test_every_lane_and_capability_is_served_also_one_that_comes_up_on_the_way() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def draw(ctx: Context, lane: str | None) -> None:
        if lane is not None:
            await draw.options(lane=lane, capabilities=["gpu", lane]).submit(None)

    with Kit(ff) as kit:
        draw.options(lane="first", capabilities=["cpu"]).submit_sync("second")

        assert kit.run_until_idle() == []
        assert kit.ran == ["draw", "draw"]


def test_only_what_the_kit_was_told_to_serve_is_served() -> None:
    with Kit(shop.ff, lanes=["default"], capabilities=[]) as kit:
        shop.charge.submit_sync(7)
        shop.charge.options(capabilities=["gpu"]).submit_sync(8)
        shop.receipt.submit_sync("x")

        left = kit.run_until_idle()

    assert kit.ran == ["charge"]
    assert ["gpu" in sentence or "'mail'" in sentence for sentence in left] == [True, True]


# ── what has happened ────────────────────────────────────────────────────────────────────────────


def test_attempts_steps_and_events_are_told_by_their_names(kit: Kit) -> None:
    handle = shop.fulfil.submit_sync(7)
    kit.at_step("ship", "unstored").crash()

    before = (kit.attempts(handle), kit.steps_run(handle), kit.events(handle))
    kit.run_to_the_end()

    assert before == ([], {}, [])
    assert kit.attempts(handle) == ["interrupted", "success"]
    assert kit.steps_run(handle) == {"pay": 1, "ship": 2}
    assert kit.events(handle) == ["acquired", "expired", "acquired", "completed"]
    assert shop.bank == ["pay-0", "ship-0", "ship-1"]


def test_a_join_that_is_satisfied_early_cancels_the_rest(kit: Kit) -> None:
    with shop.ff.flow("hedge") as flow:
        mirrors = [flow.add(shop.charge, n) for n in range(3)]
        first = flow.add(shop.receipt.options(after=mirrors, join=AnyOf(on_satisfied="cancel_remaining")), "any")

    kit.run_to_the_end()

    assert [mirror.state_sync() for mirror in mirrors] == ["completed", "cancelled", "cancelled"]
    assert first.state_sync() == "completed"


def test_a_program_may_close_its_fabric_and_the_kit_goes_on(kit: Kit) -> None:
    with shop.ff:
        handle = shop.charge.submit_sync(7)
    shop.ff.close()

    kit.run_until_idle()

    assert handle.result_sync() == "charge-7"


def test_a_worker_of_the_programs_own_works_inside_the_kit_too() -> None:
    async def main() -> str:
        stop = asyncio.Event()
        with Kit(shop.ff):
            worker = asyncio.create_task(shop.ff.run_worker(stop=stop))
            result = await (await shop.charge.submit(7)).result(timeout=30)
            stop.set()
            await worker
        return result

    assert asyncio.run(main()) == "charge-7"


# ── what cannot be ───────────────────────────────────────────────────────────────────────────────


def test_whoever_waits_for_what_nobody_runs_is_told_at_once(kit: Kit) -> None:
    handle = shop.charge.submit_sync(7)

    for wait in (
        lambda: handle.result_sync(),
        lambda: asyncio.run(handle.result()),
        lambda: list(handle.events_sync()),
    ):
        with pytest.raises(Stuck, match=r"has not ended, and nobody works while the test waits\. .*Run the kit first"):
            wait()


def test_code_that_does_not_get_on_is_named() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def child(ctx: Context, name: str) -> str:
        raise ValueError(name)

    @ff.task
    async def parent(ctx: Context) -> str:
        return await (await child.submit("never run")).result()

    with Kit(ff, patience="1s") as kit:
        child.submit_sync("run before")
        parent.submit_sync()

        with pytest.raises(Stuck, match=r"\A'parent' \(attempt 1\) took 1 s .* Kit\(ff, concurrency=4\)"):
            kit.run_until_idle()


def test_a_task_that_submits_itself_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def again(ctx: Context) -> None:
        await again.submit()

    monkeypatch.setattr(runs, "ATTEMPTS_MAX", 20)
    with Kit(ff) as kit:
        again.submit_sync()

        with pytest.raises(Stuck, match="20 attempts in one run, 20 of them of 'again'"):
            kit.run_until_idle()


def test_what_was_planned_and_has_not_happened_fails_the_test() -> None:
    kit = Kit(shop.ff)
    with ExitStack() as stack:
        stack.enter_context(kit)
        kit.at_step("bay").crash()
        shop.fulfil.submit_sync(7)
        kit.run_until_idle()
        leave = stack.pop_all().close

    with pytest.raises(Stuck, match=r"crash at step 'bay' \(before\).*The steps that ran are: pay, ship"):
        leave()


def test_a_test_that_fails_is_not_blamed_for_what_was_planned() -> None:
    def failing_test() -> None:
        with Kit(shop.ff) as kit:
            kit.at_step("bay").crash()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing_test()


def test_synchronous_verbs_are_refused_on_an_event_loop(kit: Kit) -> None:
    async def main() -> None:
        kit.run_until_idle()

    with pytest.raises(InvalidInput, match=r"Use `await kit\.run_until_idle_async"):
        asyncio.run(main())


def test_the_kit_is_not_run_from_within(kit: Kit) -> None:
    handle = shop.charge.submit_sync(7)
    kit.at_attempt().do(lambda ctx: kit.run_until_idle_async())

    kit.run_until_idle()

    failure = handle.describe_sync().failure
    assert failure is not None
    assert failure.message.startswith("The kit runs already")


def test_a_closed_kit_says_so_instead_of_reaching_for_the_database() -> None:
    with Kit(shop.ff) as kit:
        pass

    for use in (kit.run_until_idle, kit.run_to_the_end, lambda: kit.engine):
        with pytest.raises(InvalidInput, match="The kit is not open"):
            use()


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            lambda kit: kit.at_step("pay", "after"),
            "when is 'after'; it must be one of 'before', 'unstored', 'stored'",
        ),
        (lambda kit: kit.at_attempt(0, "stored"), "when is 'stored'; it must be one of 'before', 'unstored'"),
        (lambda kit: kit.at_step(""), "step is ''"),
        (lambda kit: kit.at_step("pay", times=0), "times is 0"),
        (lambda kit: kit.at_attempt(-1), "attempt is -1"),
        (lambda kit: kit.at_step("pay", of="charge"), "of is 'charge'; it must be a task"),
        (lambda kit: kit.at_step("pay").fail(ValueError), "it must be an exception"),
        (lambda kit: kit.at_step("pay").advance("soon"), "span is 'soon'"),
        (lambda kit: kit.advance("soon"), "span is 'soon'"),
        (lambda kit: Kit("shop:ff"), "'shop:ff' is no FlowFabric"),
        (lambda kit: Kit(shop.ff, start=datetime(2026, 1, 1)), "without a time zone"),  # noqa: DTZ001
    ],
)
def test_a_plan_that_cannot_be_is_refused_where_it_is_made(kit: Kit, plan: object, message: str) -> None:
    assert callable(plan)
    with pytest.raises(InvalidInput, match=message):
        plan(kit)


def test_each_kit_begins_empty_and_the_fabric_is_itself_again_afterwards(tmp_path: Path) -> None:
    with FlowFabric(f"sqlite:///{tmp_path}/jobs.db") as ff:

        @ff.task
        async def greet(ctx: Context) -> str:
            return "hello"

        outside = greet.submit_sync()
        for _ in range(2):
            with Kit(ff) as kit:
                handle = greet.submit_sync()
                kit.run_until_idle()
                assert (kit.ran, handle.state_sync()) == (["greet"], "completed")

        assert outside.state_sync() == "waiting"
        assert len(ff.blocking_engine().list_executions().items) == 1
