"""The kit with limits and budgets: time jumps to the next start or period, and metered steps are watched."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from flowfabric import Context, FlowFabric, Retry
from flowfabric.testing import Kit, Stuck

START = datetime(2026, 11, 16, 11, tzinfo=UTC)

ff = FlowFabric("postgresql://nobody@nowhere.invalid/agents")
openai = ff.limit("openai", rate=1, per="1m")
purse = ff.budget("purse", tokens=2, period="day")
once = ff.budget("once", tokens=1)


@ff.task(limits=[openai])
async def ask(ctx: Context) -> None: ...


@ff.task(budgets={purse: {}})
async def agent(ctx: Context, questions: int) -> int:
    paid = ctx.metered(purse, cost=lambda answer: {"tokens": 1})
    return sum([await paid.step(f"ask {number}", answered) for number in range(questions)])


@ff.task(budgets={purse: {}})
def agent_in_a_thread(ctx: Context, questions: int) -> int:
    paid = ctx.metered(purse, cost=lambda answer: {"tokens": 1})
    return sum([paid.step_sync(f"ask {number}", answered) for number in range(questions)])


@ff.task(budgets={once: {"tokens": 1}})
async def spend(ctx: Context) -> None:
    await ctx.spend(once, tokens=1)


@ff.task
async def tries(ctx: Context) -> int:
    return await ctx.options(retry=Retry(2, initial_delay="1m", jitter=0)).step("try", answered)


@ff.task
def tries_in_a_thread(ctx: Context) -> int:
    return ctx.options(retry=Retry(2, initial_delay="1m", jitter=0)).step_sync("try", answered)


def answered() -> int:
    return 1


@pytest.fixture
def kit() -> Iterator[Kit]:
    with Kit(ff, start=START) as opened:
        yield opened


def test_time_jumps_from_one_start_to_the_next(kit: Kit) -> None:
    for _ in range(3):
        ask.submit_sync()

    left = kit.run_until_idle()
    kit.run_to_the_end()

    assert len(left) == 2
    assert kit.now - START == timedelta(minutes=2)


def test_time_jumps_to_the_next_period_of_a_budget(kit: Kit) -> None:
    handle = agent.submit_sync(5)

    kit.run_for("1d")
    (waits,) = kit.left()
    kit.run_to_the_end()

    assert "2 of 2 tokens are used; the next period begins in 13 h" in waits
    assert handle.result_sync() == 5
    assert kit.now == datetime(2026, 11, 18, tzinfo=UTC)


def test_a_budget_without_periods_is_no_moment_to_wait_for(kit: Kit) -> None:
    for _ in range(2):
        spend.submit_sync()

    with pytest.raises(Stuck, match="only an operator makes room"):
        kit.run_to_the_end()


@pytest.mark.parametrize("task", [agent, agent_in_a_thread], ids=lambda task: task.name)
def test_a_metered_step_is_a_moment_like_any_other_step(kit: Kit, task: object) -> None:
    kit.at_step("ask 0", "unstored").crash()
    kit.at_step("ask 1", "stored").crash()
    handle = (agent if task is agent else agent_in_a_thread).submit_sync(2)

    kit.run_to_the_end()

    assert kit.steps_run(handle) == {"ask 0": 2, "ask 1": 1}
    assert handle.result_sync() == 2


@pytest.mark.parametrize("task", [tries, tries_in_a_thread], ids=lambda task: task.name)
def test_each_try_of_a_step_with_options_is_a_moment(kit: Kit, task: object) -> None:
    kit.at_step("try", times=2).fail(ConnectionError("no answer"))
    handle = (tries if task is tries else tries_in_a_thread).submit_sync()

    kit.run_to_the_end()

    assert kit.steps_run(handle) == {"try": 1}
    assert kit.attempts(handle) == ["success"]
    assert handle.result_sync() == 1
