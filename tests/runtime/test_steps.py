"""Named steps: run once, stored before the function goes on, never run again, and never mixed up."""

import asyncio
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from flowfabric import Conflict, InvalidInput
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context
from flowfabric.runtime.steps import STEPS_AT_ONCE
from flowfabric.runtime.task_options import Retry
from tests.runtime.working import WAIT_S_MAX, ended, run, until, working

AGAIN = Retry(3, initial_delay="1ms", jitter=0.0)


@dataclass
class Receipt:
    number: int
    lines: tuple[str, ...]


def test_a_stored_step_is_not_run_again_by_a_retry_and_keeps_its_type(ff: FlowFabric) -> None:
    ran: list[str] = []

    def print_receipt(number: int) -> Receipt:
        ran.append("print")
        return Receipt(number, ("tea", "milk"))

    async def charge(number: int) -> str:
        ran.append("charge")
        return f"paid {number}"

    @ff.task(retry=AGAIN)
    async def order(ctx: Context, number: int) -> str:
        paid = await ctx.step("charge", charge, number)
        receipt = await ctx.step("receipt", print_receipt, number=number)
        if ctx.attempt_index < 2:
            raise ConnectionError("the mail server is away")
        return f"{paid}, {receipt!r}"

    async def main() -> str:
        async with working(ff):
            return await (await order.submit(number=7)).result(timeout=WAIT_S_MAX)

    assert run(main) == "paid 7, Receipt(number=7, lines=('tea', 'milk'))"
    assert ran == ["charge", "print"]


def test_a_plain_function_has_steps_too(ff: FlowFabric) -> None:
    ran: list[int] = []

    def double(number: int) -> int:
        ran.append(number)
        return 2 * number

    @ff.task(retry=AGAIN)
    def order(ctx: Context, number: int) -> int:
        once = ctx.step_sync("double", double, number)
        twice = ctx.step_sync("double again", double, once)
        if ctx.attempt_index == 0:
            raise ConnectionError("away")
        return twice

    async def main() -> int:
        async with working(ff):
            return await (await order.submit(number=7)).result(timeout=WAIT_S_MAX)

    assert run(main) == 28
    assert ran == [7, 14]


def test_a_step_that_fails_is_not_stored_and_runs_again(ff: FlowFabric) -> None:
    ran: list[int] = []

    async def charge() -> str:
        ran.append(len(ran))
        if len(ran) < 3:
            raise ConnectionError("away")
        return "paid"

    @ff.task(retry=AGAIN)
    async def order(ctx: Context) -> str:
        return await ctx.step("charge", charge)

    async def main() -> str:
        async with working(ff):
            return await (await order.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == "paid"
    assert ran == [0, 1, 2]


def test_a_step_is_stored_before_the_function_goes_on(ff: FlowFabric) -> None:
    async def charge() -> str:
        return "paid"

    @ff.task
    async def order(ctx: Context) -> list[str]:
        await ctx.step("charge", charge)
        steps = await (await ff.engine()).list_steps(ctx.execution_id)
        return [f"{step.name} {step.result.decode()}" for step in steps]

    async def main() -> list[str]:
        async with working(ff):
            return await (await order.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == ['charge "paid"']


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_a_name_that_comes_again_with_other_arguments_fails_the_execution_for_good(ff: FlowFabric, kind: str) -> None:
    def mail(address: str) -> str:
        return f"mailed {address}"

    @ff.task(retry=AGAIN)
    async def mail_all(ctx: Context) -> list[str]:
        return [await ctx.step("mail", mail, address) for address in ("ada", "bob")]

    @ff.task(retry=AGAIN)
    def mail_all_plain(ctx: Context) -> list[str]:
        return [ctx.step_sync("mail", mail, address) for address in ("ada", "bob")]

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await (mail_all if kind == "async" else mail_all_plain).submit())

    x = run(main)

    assert (x.public_state, x.retry_count, x.failure.code) == ("failed", 0, "Conflict")
    assert "Step 'mail' was stored by attempt 1 with other arguments" in x.failure.message


def test_the_same_step_twice_runs_once() -> None:
    ran: list[int] = []

    def count() -> int:
        ran.append(1)
        return len(ran)

    ctx = Context.for_test()

    assert [ctx.step_sync("count", count) for _ in range(3)] == [1, 1, 1]


def test_arguments_are_compared_by_what_they_hold_and_not_by_their_order() -> None:
    ctx = Context.for_test()
    first = ctx.step_sync("save", lambda order: 1, {"id": 7, "cents": 990})

    second = ctx.step_sync("save", lambda order: 2, {"cents": 990, "id": 7})

    assert (first, second) == (1, 1)
    with pytest.raises(Conflict):
        ctx.step_sync("save", lambda order: 3, {"cents": 991, "id": 7})


def test_the_first_run_of_a_step_returns_what_later_attempts_will_read() -> None:
    def pair() -> tuple[int, int]:
        return 1, 2

    ctx = Context.for_test()

    assert ctx.step_sync("typed", pair) == (1, 2)
    assert ctx.step_sync("untyped", lambda: (1, 2)) == [1, 2]


def test_steps_side_by_side_are_stored_each_for_itself() -> None:
    async def double(number: int) -> int:
        await asyncio.sleep(0)
        return 2 * number

    ctx = Context.for_test()

    async def main() -> list[int]:
        return list(await asyncio.gather(*(ctx.step(f"double {n}", double, n) for n in range(5))))

    assert run(main) == [0, 2, 4, 6, 8]


async def _is_async() -> None:
    return


@pytest.mark.parametrize(
    ("function", "arguments", "says"),
    [
        (len, (object(),), "has an argument that JSON cannot carry"),
        (object, (), "returned what JSON cannot carry"),
        (_is_async, (), "calls an async function"),
    ],
)
def test_what_cannot_be_a_step_is_refused_with_what_to_do(function: Any, arguments: Any, says: str) -> None:
    ctx = Context.for_test()

    with pytest.raises(InvalidInput, match=says):
        ctx.step_sync("wrong", function, *arguments)


def test_a_step_that_is_under_way_is_not_begun_again() -> None:
    ctx = Context.for_test()

    async def main() -> None:
        async def inner() -> None:
            await ctx.step("outer", _is_async)

        await ctx.step("outer", inner)

    with pytest.raises(InvalidInput, match="is under way already"):
        run(main)


def test_a_plain_step_whose_call_was_cancelled_is_waited_for_when_it_is_called_again() -> None:
    ctx = Context.for_test()
    started, may_end = threading.Event(), threading.Event()
    ran: list[int] = []

    def charge() -> int:
        ran.append(1)
        started.set()
        assert may_end.wait(WAIT_S_MAX)
        return len(ran)

    async def main() -> tuple[list[int], int]:
        first = asyncio.create_task(ctx.step("charge", charge))
        await until(started.is_set)
        first.cancel()
        await asyncio.wait([first])
        second = asyncio.create_task(ctx.step("charge", charge))
        done, _ = await asyncio.wait([second], timeout=0.05)
        assert not done
        may_end.set()
        return [await second, await ctx.step("charge", charge)], len(ran)

    assert run(main) == ([1, 1], 1)


def test_a_plain_step_that_fails_after_its_call_was_cancelled_runs_again_when_it_is_called_again() -> None:
    ctx = Context.for_test()
    started, may_end = threading.Event(), threading.Event()
    ran: list[int] = []

    def charge() -> int:
        ran.append(1)
        started.set()
        assert may_end.wait(WAIT_S_MAX)
        if len(ran) == 1:
            raise ConnectionError("away")
        return len(ran)

    async def main() -> int:
        first = asyncio.create_task(ctx.step("charge", charge))
        await until(started.is_set)
        first.cancel()
        await asyncio.wait([first])
        second = asyncio.create_task(ctx.step("charge", charge))
        may_end.set()
        return await second

    assert run(main) == 2


def test_as_many_plain_steps_run_at_once_as_there_are_slots() -> None:
    ff = FlowFabric("memory://")
    slots = 40
    all_at_once = threading.Barrier(slots)

    @ff.task
    async def order(ctx: Context) -> None:
        await ctx.step("meet", lambda: all_at_once.wait(WAIT_S_MAX) and None)

    async def main() -> set[str]:
        async with working(ff, concurrency=slots):
            handles = await order.submit_many([order.bind() for _ in range(slots)])
            return {(await ended(ff, handle)).public_state for handle in handles}

    assert run(main) == {"completed"}


def test_plain_steps_of_one_attempt_share_a_bounded_number_of_threads() -> None:
    ctx = Context.for_test()
    running: set[int] = set()
    most = 0

    def step(number: int) -> int:
        nonlocal most
        running.add(number)
        most = max(most, len(running))
        running.discard(number)
        return number

    async def main() -> list[int]:
        return await asyncio.gather(*(ctx.step(f"step-{n}", step, n) for n in range(200)))

    assert run(main) == list(range(200))
    assert most <= STEPS_AT_ONCE


def test_a_plain_step_inside_a_plain_step_never_waits_for_a_thread_that_its_parent_holds() -> None:
    ctx = Context.for_test()
    parents = STEPS_AT_ONCE
    all_hold_a_thread = threading.Barrier(parents)

    async def main() -> list[str]:
        loop = asyncio.get_running_loop()

        def parent(number: int) -> str:
            all_hold_a_thread.wait(WAIT_S_MAX)
            child = asyncio.run_coroutine_threadsafe(ctx.step(f"child-{number}", lambda: f"child {number}"), loop)
            return child.result(WAIT_S_MAX)

        return await asyncio.gather(*(ctx.step(f"parent-{n}", parent, n) for n in range(parents)))

    assert run(main) == [f"child {n}" for n in range(parents)]


def test_a_plain_step_that_runs_out_of_items_raises_instead_of_waiting_for_ever() -> None:
    ctx = Context.for_test()

    async def main() -> None:
        await ctx.step("first", lambda: next(iter([])))

    with pytest.raises(RuntimeError, match="StopIteration"):
        run(main)


def test_a_blocking_step_is_refused_on_the_event_loop() -> None:
    ctx = Context.for_test()

    async def main() -> None:
        ctx.step_sync("blocks", len, "abc")

    with pytest.raises(InvalidInput, match=r"await ctx\.step"):
        run(main)


def test_a_failed_order_goes_on_where_it_was_and_charges_nobody_twice(ff: FlowFabric) -> None:
    charged: list[int] = []
    is_mended = threading.Event()

    def charge(order_id: int) -> str:
        charged.append(order_id)
        return f"charge-{order_id}"

    @ff.task
    async def order(ctx: Context, order_id: int) -> str:
        paid = await ctx.step("charge", charge, order_id)
        if not is_mended.is_set():
            raise ConnectionError("the carrier is down")
        return paid

    async def main() -> tuple[str, int, str]:
        async with working(ff):
            handle = await order.submit(7)
            failed = (await ended(ff, handle)).public_state
            is_mended.set()
            kept = (await handle.replay()).steps_kept
            return failed, kept, await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == ("failed", 1, "charge-7")
    assert charged == [7]


def test_a_replay_from_a_step_on_runs_that_step_and_what_follows_it(ff: FlowFabric) -> None:
    ran: list[str] = []

    @ff.task
    def order(ctx: Context) -> int:
        for name in ("charge", "pack", "ship"):
            ctx.step_sync(name, ran.append, name)
        return len(ran)

    async def main() -> None:
        async with working(ff):
            handle = await order.submit()
            await handle.result(timeout=WAIT_S_MAX)
            await handle.replay(from_step="pack")
            await handle.result(timeout=WAIT_S_MAX)

    run(main)

    assert ran == ["charge", "pack", "ship", "pack", "ship"]


def test_a_replay_of_what_completed_runs_every_step_again(ff: FlowFabric) -> None:
    ran: list[int] = []

    def count() -> int:
        ran.append(1)
        return len(ran)

    @ff.task
    async def order(ctx: Context) -> int:
        return await ctx.step("count", count)

    async def main() -> list[int]:
        async with working(ff):
            handle = await order.submit()
            first = await handle.result(timeout=WAIT_S_MAX)
            await (await ff.engine()).replay_execution(handle.execution_id)
            await ended(ff, handle)
            return [first, await handle.result(timeout=WAIT_S_MAX)]

    assert run(main) == [1, 2]


class Reversed:
    """Encrypts, so to speak."""

    def encode(self, data: bytes) -> bytes:
        return data[::-1]

    def decode(self, data: bytes) -> bytes:
        return data[::-1]


def test_the_results_of_steps_pass_through_the_codec() -> None:
    ff = FlowFabric("memory://", codec=Reversed())

    @ff.task(retry=AGAIN)
    async def order(ctx: Context) -> str:
        secret = await ctx.step("secret", lambda: "abc")
        if ctx.attempt_index == 0:
            raise ConnectionError
        return secret

    async def main() -> tuple[str, list[bytes]]:
        async with working(ff):
            handle = await order.submit()
            result = await handle.result(timeout=WAIT_S_MAX)
            return result, [step.result for step in await (await ff.engine()).list_steps(handle.execution_id)]

    assert run(main) == ("abc", [b'"cba"'])
