"""Streams under the kit: what counts after crashes, lost leases and replays, and readers that do not hang."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from flowfabric import Context, FlowFabric, Retry, StreamFrame, Summary, Task
from flowfabric.runtime.handles import Handle
from flowfabric.testing import Kit, Stuck
from flowfabric.testing.moments import When

ff = FlowFabric("memory://")

AGAIN = Retry(3, initial_delay="1s", jitter=0.0)


@ff.task(retry=AGAIN)
async def tell(ctx: Context) -> str:
    ctx.write("once, ")

    async def head() -> str:
        ctx.write("there was ")
        ctx.write("a king; ")
        return "head"

    await ctx.step("head", head)
    ctx.write("he had ")
    await ctx.step("middle", lambda: ctx.write("three sons; "))
    ctx.summary({"told": "all"})
    ctx.write("the end.")
    return "told"


@ff.task(retry=AGAIN)
def tell_in_a_thread(ctx: Context) -> str:
    ctx.write("once, ")

    def head() -> str:
        ctx.write("there was ")
        ctx.write("a king; ")
        return "head"

    ctx.step_sync("head", head)
    ctx.write("he had ")
    ctx.step_sync("middle", lambda: ctx.write("three sons; "))
    ctx.summary({"told": "all"})
    ctx.write("the end.")
    return "told"


@ff.task
async def tell_and_wait(ctx: Context) -> str:
    ctx.write("a question; ")
    verdict: str = await ctx.wait("editor", str)
    ctx.write(f"the answer is {verdict}")
    return verdict


TASKS: list[Task[[], str]] = [tell, tell_in_a_thread]
OF_STEPS = ["there was ", "a king; ", "three sons; "]
OUTSIDE = ["once, ", "he had ", "the end."]


@pytest.fixture
def kit() -> Iterator[Kit]:
    with Kit(ff) as opened:
        yield opened


def text_of(kit: Kit, handle: Handle[Any]) -> str:
    return "".join(str(frame.value) for frame in kit.frames(handle))


def check_whole(frames: list[StreamFrame]) -> None:
    """What counts is what one undisturbed run writes. Only the order between steps and the rest may be another one."""
    assert [frame.value for frame in frames if frame.step is not None] == OF_STEPS
    assert [frame.value for frame in frames if frame.step is None] == OUTSIDE


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_an_undisturbed_run_reads_in_order(kit: Kit, task: Task[[], str]) -> None:
    handle = task.submit_sync()

    kit.run_to_the_end()

    assert text_of(kit, handle) == "once, there was a king; he had three sons; the end."
    assert [frame.value for frame in handle.stream_sync()] == [frame.value for frame in kit.frames(handle)]
    assert handle.summary_sync() == Summary(1, {"told": "all"})


TROUBLES: list[Callable[[Any], None]] = [
    lambda moment: moment.crash(),
    lambda moment: moment.lose_lease(),
    lambda moment: moment.lose_lease(told=False),
    lambda moment: moment.fail(ConnectionError("away")),
]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
@pytest.mark.parametrize("trouble", TROUBLES, ids=["crash", "lost", "zombie", "fail"])
@pytest.mark.parametrize("step", ["head", "middle"])
@pytest.mark.parametrize("when", ["before", "unstored", "stored"])
def test_whatever_happens_around_a_step_each_frame_counts_once(
    kit: Kit, task: Task[[], str], trouble: Callable[[Any], None], step: str, when: When
) -> None:
    handle = task.submit_sync()
    trouble(kit.at_step(step, when))

    kit.run_to_the_end()

    check_whole(kit.frames(handle))
    assert len(kit.attempts(handle)) == 2
    assert handle.summary_sync() == Summary(1, {"told": "all"})


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_many_crashes_one_after_the_other_change_nothing_either(kit: Kit, task: Task[[], str]) -> None:
    handle = task.submit_sync()
    kit.at_step("head", "before").crash()
    kit.at_step("head", "unstored").crash()
    kit.at_step("head", "stored").crash()
    kit.at_step("middle", "before").crash()
    kit.at_step("middle", "unstored").crash()
    kit.at_step("middle", "stored").crash()
    kit.at_attempt(6, "unstored").crash()

    kit.run_to_the_end()

    check_whole(kit.frames(handle))
    assert kit.attempts(handle)[-2:] == ["interrupted", "success"]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_replay_from_a_step_keeps_what_was_said_in_earlier_steps(kit: Kit, task: Task[[], str]) -> None:
    handle = task.submit_sync()
    kit.run_to_the_end()

    handle.replay_sync(from_step="middle")
    kit.run_to_the_end()

    frames = kit.frames(handle)
    check_whole(frames)
    assert all((frame.lease_epoch == 1) == (frame.step == "head") for frame in frames)


def test_a_suspended_execution_has_said_what_it_said(kit: Kit) -> None:
    handle = tell_and_wait.submit_sync()

    kit.run_until_waiting(handle)
    before = text_of(kit, handle)
    kit.signal(handle, "editor", "yes")
    kit.run_to_the_end()

    assert before == "a question; "
    assert text_of(kit, handle) == "a question; the answer is yes"


def test_a_reader_of_something_that_has_not_ended_is_stuck_instead_of_waiting_for_ever(kit: Kit) -> None:
    handle = tell_and_wait.submit_sync()
    kit.run_until_waiting(handle)

    stream = handle.stream_sync()

    assert next(stream).value == "a question; "
    with pytest.raises(Stuck, match="has not ended, and nobody works while the test waits"):
        next(stream)


def test_a_reader_on_an_event_loop_is_stuck_as_well_and_reads_on_after_the_next_run() -> None:
    async def main() -> list[str]:
        with Kit(ff) as kit:
            handle = await tell_and_wait.submit()
            await kit.run_until_waiting_async(handle)
            stream = handle.stream()
            got = [(await anext(stream)).value]
            with pytest.raises(Stuck):
                await anext(stream)
            await handle.signal("editor", "no")
            await kit.run_until_idle_async()
            got += [frame.kind if frame.kind == "restart" else frame.value async for frame in stream]
            return got

    assert asyncio.run(main()) == ["a question; ", "restart", "a question; ", "the answer is no"]


def test_a_task_under_the_kit_can_follow_another_one() -> None:
    with Kit(ff, concurrency=2) as both:
        handle = follows.submit_sync()
        both.run_to_the_end()

        assert handle.result_sync() == "once, there was a king; he had three sons; the end."


@ff.task
async def follows(ctx: Context) -> str:
    other = await tell.submit()
    return "".join([frame.value async for frame in other.stream()])
