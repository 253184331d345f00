"""`ctx.run` and `ctx.map` in a kit: what is done once, what fails, and what a replay does."""

from collections.abc import Iterator
from typing import Any

import pytest

from flowfabric import ChildFailed, Conflict, Context, ExecutionNotCompleted, FlowFabric, InvalidInput, Retry
from flowfabric.runtime import fan_out
from flowfabric.testing import Kit

ff = FlowFabric("memory://")
broken: set[int] = set()
ran: list[int] = []


@ff.task(lane="leaves")
def double(ctx: Context, number: int) -> int:
    ran.append(number)
    if number in broken:
        raise ValueError(f"{number} is broken")
    return 2 * number


@ff.task
def doubled(ctx: Context, numbers: list[int]) -> list[int]:
    return ctx.map_sync("double", double, numbers)


@ff.task
async def doubled_or_why(ctx: Context, numbers: list[int]) -> list[Any]:
    found = await ctx.map("double", double, numbers, return_exceptions=True)
    await ctx.step("after", lambda: None)
    return [f"{each.outcome}: {each.failure}" if isinstance(each, ChildFailed) else each for each in found]


@ff.task
async def doubled_once(ctx: Context, number: int) -> int:
    return await ctx.run("double", double.options(lane="gpu", priority=3, tags={"of.it": "x"}), number=number)


@ff.task(retry=Retry(2))
def goes_on_after_a_failure(ctx: Context, numbers: list[int]) -> list[int]:
    try:
        return ctx.map_sync("double", double, numbers)
    except ChildFailed as error:
        return ctx.map_sync(f"instead of {error.handle.state_sync()}", double, [100])


@ff.task
async def badly(ctx: Context, how: str) -> None:
    if how == "no task":
        await ctx.run("child", print, 1)  # type: ignore[arg-type]
    elif how == "in a step":
        await ctx.step("step", lambda: ctx.map_sync("child", double, [1]))
    elif how == "other items":
        await ctx.map("child", double, [1])
        await ctx.map("child", double, [2])
    elif how == "on the loop":
        ctx.map_sync("child", double, [1])


@pytest.fixture
def kit() -> Iterator[Kit]:
    broken.clear()
    ran.clear()
    with Kit(ff) as kit:
        yield kit


def test_the_results_are_in_the_order_of_the_items(kit: Kit) -> None:
    handle = doubled.submit_sync([3, 1, 2])
    kit.run_to_the_end()

    assert handle.result_sync() == [6, 2, 4]
    assert ran == [3, 1, 2]
    assert kit.events(handle).count("suspended") == 1


def test_no_items_need_no_children(kit: Kit) -> None:
    handle = doubled.submit_sync([])
    kit.run_to_the_end()

    assert handle.result_sync() == []
    assert kit.engine.list_children(handle.execution_id).items == []


def test_a_child_has_the_options_of_its_task(kit: Kit) -> None:
    handle = doubled_once.submit_sync(4)
    kit.run_to_the_end()

    assert handle.result_sync() == 8
    (child,) = kit.engine.list_children(handle.execution_id).items
    assert (child.lane, child.priority, child.tags) == ("gpu", 3, {"of.it": "x"})
    assert child.parent_id == handle.execution_id


def test_a_crash_makes_no_child_twice(kit: Kit) -> None:
    kit.at_attempt(of=double).crash()
    handle = doubled.submit_sync([1, 2])
    kit.run_to_the_end()

    assert handle.result_sync() == [2, 4]
    assert ran == [2, 1]
    assert len(kit.engine.list_children(handle.execution_id).items) == 2


def test_results_that_are_stored_need_no_children_any_more(kit: Kit) -> None:
    kit.at_step("after", "before", of=doubled_or_why).crash()
    handle = doubled_or_why.submit_sync([1, 2])
    kit.run_until_idle()
    kit.engine.purge(ended_before_ms=kit.clock.now_ms + 1)
    kit.run_to_the_end()

    assert handle.result_sync() == [2, 4]
    assert ran == [1, 2]


def test_the_first_failure_in_order_is_raised(kit: Kit) -> None:
    broken.update({2, 3})
    handle = doubled.submit_sync([1, 3, 2])
    kit.run_to_the_end()

    with pytest.raises(ExecutionNotCompleted, match="3 is broken") as caught:
        handle.result_sync()
    assert caught.value.failure_code == "ChildFailed"
    assert kit.attempts(handle) == ["failed"]


def test_failures_are_returned_if_they_are_wanted(kit: Kit) -> None:
    broken.add(2)
    handle = doubled_or_why.submit_sync([1, 2, 3])
    kit.run_to_the_end()

    first, why, last = handle.result_sync()
    assert (first, last) == (2, 6)
    assert why.startswith("failed: ")
    assert "2 is broken" in why


def test_a_parent_may_go_on_after_a_failure(kit: Kit) -> None:
    broken.add(1)
    handle = goes_on_after_a_failure.submit_sync([1])
    kit.run_to_the_end()

    assert handle.result_sync() == [200]
    assert ran == [1, 100]
    assert "instead of failed" in [step.name for step in kit.engine.list_steps(handle.execution_id)]


def test_a_replay_repairs_only_what_has_failed(kit: Kit) -> None:
    broken.add(2)
    handle = doubled.submit_sync([1, 2, 3])
    kit.run_to_the_end()
    ran.clear()
    broken.clear()

    handle.replay_sync()
    kit.run_to_the_end()

    assert handle.result_sync() == [2, 4, 6]
    assert 1 not in ran
    assert 2 in ran


def test_a_replay_from_scratch_runs_all_children_again(kit: Kit) -> None:
    handle = doubled.submit_sync([1, 2])
    kit.run_to_the_end()
    handle.replay_sync()
    kit.run_to_the_end()

    assert handle.result_sync() == [2, 4]
    assert ran == [1, 2, 1, 2]


def test_a_replay_from_the_step_of_a_map_runs_its_children_again(kit: Kit) -> None:
    handle = doubled_or_why.submit_sync([1, 2])
    kit.run_to_the_end()
    handle.replay_sync(from_step="double")
    kit.run_to_the_end()

    assert handle.result_sync() == [2, 4]
    assert ran == [1, 2, 1, 2]


def test_a_replay_from_a_later_step_runs_no_child(kit: Kit) -> None:
    handle = doubled_or_why.submit_sync([1, 2])
    kit.run_to_the_end()
    handle.replay_sync(from_step="after")
    kit.run_to_the_end()

    assert handle.result_sync() == [2, 4]
    assert ran == [1, 2]


def test_more_than_a_thousand_children_are_made_in_several_groups(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fan_out, "GROUP_MAX", 3)
    monkeypatch.setattr(fan_out, "PIECE_BYTES", 500)
    handle = doubled_or_why.submit_sync(list(range(10)))
    kit.run_to_the_end()

    assert handle.result_sync() == [2 * number for number in range(10)]
    assert sorted(ran) == list(range(10))
    names = [step.name for step in kit.engine.list_steps(handle.execution_id)]
    assert "double (part 2)" in names
    assert kit.events(handle).count("suspended") == 1


@pytest.mark.parametrize(
    ("how", "refusal"),
    [
        ("no task", InvalidInput),
        ("in a step", InvalidInput),
        ("on the loop", InvalidInput),
        ("other items", Conflict),
    ],
)
def test_wrong_uses_are_refused(kit: Kit, how: str, refusal: type[Exception]) -> None:
    handle = badly.submit_sync(how)
    kit.run_to_the_end()

    with pytest.raises(ExecutionNotCompleted) as caught:
        handle.result_sync()
    assert caught.value.failure_code == refusal.__name__


def test_a_context_without_a_worker_has_no_children() -> None:
    with pytest.raises(InvalidInput, match="Kit"):
        Context.for_test().map_sync("double", double, [1])
