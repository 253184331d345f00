"""Steps with options: tried again inside their attempt, with pauses that hold nothing, and with a time for each try."""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
import pytest

from flowfabric import (
    Conflict,
    Context,
    FlowFabric,
    InvalidInput,
    Permanent,
    Retry,
    StepSnapshot,
    StepTimeout,
    open_blocking_engine,
)
from flowfabric.runtime.step_options import StepsWithOptions
from flowfabric.testing import Kit
from tests.runtime import isolated_steps
from tests.runtime.working import WAIT_S_MAX, ended, run, until, working

SHORT = Retry(5, initial_delay="1ms", jitter=0.0)


class Flaky:
    """A function that fails at its first calls."""

    def __init__(self, fails: int, error: Callable[[], Exception] = lambda: ConnectionError("away")) -> None:
        self.calls = 0
        self._fails = fails
        self._error = error

    def __call__(self) -> int:
        self.calls += 1
        if self.calls <= self._fails:
            raise self._error()
        return self.calls

    async def on_a_loop(self) -> int:
        return self()


async def steps_of(ff: FlowFabric, execution_id: str) -> list[StepSnapshot]:
    return list(await (await ff.engine()).list_steps(execution_id))


def run_step(options: StepsWithOptions, kind: str, name: str, function: Callable[[], Any]) -> Any:
    return run(lambda: options.step(name, function)) if kind == "async" else options.step_sync(name, function)


# ── retries ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["async", "thread", "plain"])
def test_a_step_is_tried_again_inside_its_attempt_and_its_tries_are_stored(ff: FlowFabric, kind: str) -> None:
    ask = Flaky(2)

    @ff.task
    async def order(ctx: Context) -> list[int]:
        function = ask.on_a_loop if kind == "async" else ask
        return [await ctx.options(retry=SHORT).step("ask", function), ctx.attempt_index]

    @ff.task
    def plain_order(ctx: Context) -> list[int]:
        return [ctx.options(retry=SHORT).step_sync("ask", ask), ctx.attempt_index]

    async def main() -> tuple[list[int], list[StepSnapshot]]:
        async with working(ff):
            handle = await (plain_order if kind == "plain" else order).submit()
            return await handle.result(timeout=WAIT_S_MAX), await steps_of(ff, handle.execution_id)

    result, [step] = run(main)

    assert result == [3, 0]
    assert (step.name, step.tries, step.attempt_index) == ("ask", 3, 0)


def test_a_step_that_fails_at_every_try_raises_its_last_error() -> None:
    ask = Flaky(10)

    with pytest.raises(ConnectionError):
        Context.for_test().options(retry=Retry(2, initial_delay=0)).step_sync("ask", ask)

    assert ask.calls == 3


@pytest.mark.parametrize(
    ("retry", "error"),
    [
        (SHORT, Permanent("no such customer")),
        (SHORT, InvalidInput("no")),
        (SHORT, Conflict("no")),
        (Retry(5, initial_delay="1ms", give_up_on=(KeyError,)), KeyError("x")),
        (None, ConnectionError("away")),
        (Retry(0), ConnectionError("away")),
    ],
)
def test_what_is_not_retried_for_a_task_is_not_retried_for_a_step(retry: Retry | None, error: Exception) -> None:
    plain, on_a_loop = Flaky(1, lambda: error), Flaky(1, lambda: error)

    with pytest.raises(type(error)):
        Context.for_test().options(retry=retry).step_sync("ask", plain)
    with pytest.raises(type(error)):
        run(lambda: Context.for_test().options(retry=retry).step("ask", on_a_loop.on_a_loop))

    assert (plain.calls, on_a_loop.calls) == (1, 1)


def test_a_result_that_cannot_be_stored_does_not_run_the_step_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    ff = FlowFabric(url)
    calls: list[int] = []

    @ff.task
    def order(ctx: Context) -> None:
        def ask() -> str:
            calls.append(ctx.fencing_token)
            # From elsewhere, so that the worker does not know yet.
            elsewhere.revoke_lease(ctx.execution_id)
            return "done"

        ctx.options(retry=Retry(5, initial_delay=0)).step_sync("ask", ask)

    async def main() -> None:
        async with working(ff):
            handle = await order.submit()
            await until(lambda: len(calls) > 1)
            await handle.cancel()

    with open_blocking_engine(url, reconcile=False) as elsewhere:
        run(main)

    assert len(set(calls)) == len(calls), "an attempt whose lease was lost called the function again"


def test_a_cancelled_step_is_not_tried_again() -> None:
    calls: list[int] = []
    ctx = Context.for_test()

    async def hang() -> None:
        calls.append(1)
        await asyncio.Event().wait()

    async def main() -> None:
        step = asyncio.create_task(ctx.options(retry=SHORT).step("hang", hang))
        await until(lambda: bool(calls))
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step

    run(main)

    assert calls == [1]


def test_a_stored_step_is_not_run_whatever_its_options(ff: FlowFabric) -> None:
    ask = Flaky(1)

    @ff.task(retry=SHORT)
    async def order(ctx: Context) -> int:
        value = await ctx.options(retry=SHORT, timeout="1m").step("ask", ask)
        if ctx.attempt_index == 0:
            raise ConnectionError("the attempt fails after the step")
        return value

    async def main() -> tuple[int, list[int]]:
        async with working(ff):
            handle = await order.submit()
            value = await handle.result(timeout=WAIT_S_MAX)
            return value, [step.tries for step in await steps_of(ff, handle.execution_id)]

    assert run(main) == (2, [2])
    assert ask.calls == 2


def test_a_failed_try_is_logged_in_words(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "flowfabric.worker")

    Context.for_test("order").options(retry=Retry(3, initial_delay="2s", jitter=0.0)).step_sync("ask", Flaky(1))

    warning, done = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert warning[0] == "WARNING"
    assert warning[1].endswith(
        "attempt 1: step 'ask' failed at try 1 of 4, and the next try follows in 2 s: ConnectionError: away"
    )
    assert done[0] == "DEBUG"
    assert done[1].endswith("attempt 1: step 'ask' has succeeded at try 2")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"retry": 3}, "retry is a Retry"),
        ({"timeout": 0}, "no step could end in time"),
        ({"timeout": "soon"}, "it must be a span of time"),
    ],
)
def test_options_that_cannot_be_followed_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        Context.for_test().options(**options)


def test_a_blocking_step_with_options_is_refused_on_the_event_loop() -> None:
    async def main() -> None:
        Context.for_test().options(retry=SHORT).step_sync("blocks", len, "abc")

    with pytest.raises(InvalidInput, match=r"await ctx\.step"):
        run(main)


def test_a_wait_beside_a_step_does_not_suspend_the_attempt_while_the_step_pauses_in_place(ff: FlowFabric) -> None:
    ask = Flaky(4)
    pauses = Retry(5, backoff="fixed", initial_delay="60ms", jitter=0.0)

    @ff.task(linger="80ms")
    async def order(ctx: Context) -> list[Any]:
        step = ctx.options(retry=pauses).step("ask", ask)
        return list(await asyncio.gather(step, ctx.wait("editor", str)))

    async def main() -> list[Any]:
        async with working(ff):
            handle = await order.submit()
            await until(lambda: ask.calls >= 5)
            await handle.signal("editor", "fine")
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == [5, "fine"]
    assert ask.calls == 5


# ── long pauses ──────────────────────────────────────────────────────────────────────────────────

shop = FlowFabric("memory://")
world: list[str] = []
fails: list[int] = [0]
LONG = Retry(4, initial_delay="1h", max_delay="1d", jitter=0.0)


def ask_the_bank() -> int:
    world.append("ask")
    if len(world) <= fails[0]:
        raise ConnectionError("away")
    return len(world)


@shop.task
async def pay(ctx: Context) -> int:
    return await ctx.options(retry=LONG, timeout="1m").step("ask", ask_the_bank)


@shop.task
def pay_plainly(ctx: Context) -> int:
    return ctx.options(retry=LONG).step_sync("ask", ask_the_bank)


@shop.task(retry=Retry(1, initial_delay="1s", jitter=0.0))
def pay_and_retry(ctx: Context) -> int:
    return ctx.options(retry=Retry(1, initial_delay="1h", jitter=0.0)).step_sync("ask", ask_the_bank)


@shop.task
async def pay_inside(ctx: Context) -> int:
    async def outer() -> int:
        return await ctx.options(retry=Retry(2, initial_delay="2ms")).step("ask", ask_the_bank)

    return await ctx.step("outer", outer)


@pytest.fixture
def kit() -> Iterator[Kit]:
    world.clear()
    fails[0] = 0
    with Kit(shop, start=datetime(2024, 6, 1, tzinfo=UTC)) as opened:
        yield opened


@pytest.mark.parametrize("task", [pay, pay_plainly])
def test_a_long_pause_suspends_the_execution_and_the_tries_go_on_after_it(kit: Kit, task: Any) -> None:
    fails[0] = 3
    began_at = kit.clock.now_ms
    handle = task.submit_sync()

    waiting = kit.run_until_waiting(handle)
    kit.run_to_the_end()

    assert [wait.name for wait in waiting.waits] == ["ask[attempt 1, try 2]"]
    assert handle.result_sync() == 4
    assert world == ["ask"] * 4
    assert kit.attempts(handle) == ["success"]
    stored = {step.name: step.tries for step in kit.engine.list_steps(handle.execution_id)}
    assert stored["ask"] == 4
    assert (kit.clock.now_ms - began_at) // 3_600_000 == 1 + 2 + 4


def test_an_operator_ends_a_pause_and_the_next_try_follows_at_once(kit: Kit) -> None:
    fails[0] = 1
    handle = pay.submit_sync()
    kit.run_until_waiting(handle)
    began_at = kit.clock.now_ms

    kit.engine.resume_execution(handle.execution_id)
    kit.run_until_idle()

    assert handle.result_sync() == 2
    assert kit.clock.now_ms == began_at


def test_every_attempt_of_a_task_counts_the_tries_of_its_steps_anew(kit: Kit) -> None:
    fails[0] = 3
    handle = pay_and_retry.submit_sync()

    kit.run_to_the_end()

    assert handle.result_sync() == 4
    assert kit.attempts(handle) == ["retry", "success"]
    assert [step.tries for step in kit.engine.list_steps(handle.execution_id) if not step.is_wait] == [2]


def test_a_step_inside_a_step_pauses_in_place(kit: Kit) -> None:
    fails[0] = 2
    handle = pay_inside.submit_sync()

    kit.run_to_the_end()

    assert handle.result_sync() == 3
    assert not any(step.is_wait for step in kit.engine.list_steps(handle.execution_id))


def test_tries_before_a_long_pause_are_counted_even_if_shorter_pauses_came_first(ff: FlowFabric) -> None:
    ask = Flaky(3)
    growing = Retry(5, initial_delay="20ms", multiplier=5.0, jitter=0.0)
    runs: list[int] = []

    @ff.task(linger="50ms")
    async def order(ctx: Context) -> int:
        runs.append(1)
        return await ctx.options(retry=growing).step("ask", ask)

    async def main() -> tuple[int, list[tuple[str, int]]]:
        async with working(ff):
            handle = await order.submit()
            value = await handle.result(timeout=WAIT_S_MAX)
            return value, [(step.name, step.tries) for step in await steps_of(ff, handle.execution_id)]

    assert run(main) == (4, [("ask[attempt 1, try 3]", 1), ("ask[attempt 1, try 4]", 1), ("ask", 4)])
    assert len(runs) == 3


# ── timeouts ─────────────────────────────────────────────────────────────────────────────────────


def test_an_async_step_is_cancelled_when_its_time_is_over(ff: FlowFabric) -> None:
    seen: list[str] = []
    assert issubclass(StepTimeout, TimeoutError)

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("cancelled")

    @ff.task
    async def order(ctx: Context) -> str:
        try:
            await ctx.options(timeout="20ms").step("hang", hang)
        except StepTimeout as error:
            return str(error)
        return "it ended"

    async def main() -> tuple[str, list[StepSnapshot]]:
        async with working(ff):
            handle = await order.submit()
            return await handle.result(timeout=WAIT_S_MAX), await steps_of(ff, handle.execution_id)

    assert run(main) == ("Step 'hang' has not ended within 0.02 s.", [])
    assert seen == ["cancelled"]


def test_a_timeout_is_retried_and_fails_the_attempt_with_its_own_code(ff: FlowFabric) -> None:
    calls: list[int] = []

    async def hang() -> None:
        calls.append(1)
        await asyncio.Event().wait()

    @ff.task
    async def order(ctx: Context) -> None:
        await ctx.options(retry=Retry(2, initial_delay="1ms"), timeout="10ms").step("hang", hang)

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await order.submit())

    x = run(main)

    assert (x.public_state, x.failure.code, len(calls)) == ("failed", "StepTimeout", 3)


def test_a_timeout_of_the_function_itself_stays_what_it_is() -> None:
    async def own() -> None:
        raise TimeoutError("the bank is slow")

    def own_plainly() -> None:
        raise TimeoutError("the bank is slow")

    ctx = Context.for_test().options(timeout="1m")

    with pytest.raises(TimeoutError, match="bank is slow") as raised:
        run(lambda: ctx.step("own", own))
    assert not isinstance(raised.value, StepTimeout)
    with pytest.raises(TimeoutError, match="bank is slow") as raised:
        ctx.step_sync("own", own_plainly)
    assert not isinstance(raised.value, StepTimeout)


def test_a_function_that_catches_its_cancellation_and_returns_has_returned() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "saved"
        return "never"

    ctx = Context.for_test().options(timeout="5ms")

    assert run(lambda: ctx.step("stubborn", stubborn)) == "saved"


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_a_thread_goes_on_after_the_timeout_and_its_late_result_is_stored(
    ff: FlowFabric, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    may_end = threading.Event()
    calls: list[int] = []

    def slow() -> str:
        calls.append(1)
        assert may_end.wait(WAIT_S_MAX)
        return "late"

    @ff.task
    async def order(ctx: Context) -> str:
        with pytest.raises(StepTimeout):
            await ctx.options(timeout="10ms").step("slow", slow)
        may_end.set()
        return await ctx.options(timeout="1m").step("slow", slow)

    @ff.task
    def plain_order(ctx: Context) -> str:
        with pytest.raises(StepTimeout):
            ctx.options(timeout="10ms").step_sync("slow", slow)
        may_end.set()
        return ctx.options(timeout="1m").step_sync("slow", slow)

    async def main() -> str:
        async with working(ff):
            handle = await (order if kind == "async" else plain_order).submit()
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == "late"
    assert calls == [1]
    assert any("cannot be stopped" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_while_the_thread_of_a_try_goes_on_no_other_try_runs_and_the_step_gives_up_in_time(kind: str) -> None:
    may_end = threading.Event()
    calls: list[int] = []

    def hang() -> None:
        calls.append(1)
        may_end.wait(WAIT_S_MAX)

    ctx = Context.for_test().options(retry=Retry(2, initial_delay=0), timeout="10ms")

    with pytest.raises(StepTimeout):
        run_step(ctx, kind, "hang", hang)
    may_end.set()

    assert calls == [1]


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_code_in_a_thread_can_notice_that_its_time_is_over(kind: str) -> None:
    ctx = Context.for_test()
    noticed = threading.Event()

    def loop() -> None:
        try:
            while not noticed.wait(0.001):
                ctx.raise_if_cancelled()
        except StepTimeout:
            noticed.set()
            raise

    with pytest.raises(StepTimeout):
        run_step(ctx.options(timeout="10ms"), kind, "loop", loop)

    assert noticed.wait(WAIT_S_MAX)


def test_the_timeout_of_a_step_is_known_inside_the_steps_that_it_calls() -> None:
    ctx = Context.for_test()
    noticed = threading.Event()

    def inner() -> None:
        try:
            while not noticed.wait(0.001):
                ctx.raise_if_cancelled()
        except StepTimeout:
            noticed.set()
            raise

    with pytest.raises(StepTimeout):
        ctx.options(timeout="10ms").step_sync("outer", lambda: ctx.options(timeout="1m").step_sync("inner", inner))

    assert noticed.wait(WAIT_S_MAX)


# ── child processes ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", [isolated_steps.plain, isolated_steps.on_a_loop])
def test_in_a_child_process_steps_are_tried_again_too(tmp_path: Path, task: Any) -> None:
    ff = isolated_steps.ff

    async def main() -> tuple[int, list[int]]:
        async with working(ff):
            handle = await task.submit(notes=str(tmp_path / "notes"), fails=2)
            value = await handle.result(timeout=WAIT_S_MAX)
            return value, [step.tries for step in await steps_of(ff, handle.execution_id)]

    assert run(main) == (3, [3])
    pids = (tmp_path / "notes").read_text().split()
    assert len(set(pids)) == 1


def test_in_a_child_process_a_long_pause_suspends_the_execution(tmp_path: Path) -> None:
    ff = isolated_steps.ff
    notes = tmp_path / "notes"

    async def main() -> tuple[int, list[str]]:
        async with working(ff):
            handle = await isolated_steps.with_a_long_pause.submit(notes=str(notes), fails=1)
            value = await handle.result(timeout=WAIT_S_MAX)
            return value, [step.name for step in await steps_of(ff, handle.execution_id)]

    assert run(main) == (2, ["ask[attempt 1, try 2]", "ask"])
    assert Path(f"{notes}.runs").read_text() == "run\nrun\n"


@pytest.mark.parametrize("task", [isolated_steps.hanging, isolated_steps.hanging_on_a_loop])
def test_a_child_process_ends_with_its_attempt_if_a_step_still_hangs_in_it(task: Any) -> None:
    ff = isolated_steps.ff

    async def main() -> tuple[int, int]:
        async with working(ff):
            hung = await (await task.submit()).result(timeout=WAIT_S_MAX)
            await until(lambda: not psutil.pid_exists(hung))
            return hung, await (await isolated_steps.where.submit()).result(timeout=WAIT_S_MAX)

    hung, next_one = run(main)

    assert hung != next_one
