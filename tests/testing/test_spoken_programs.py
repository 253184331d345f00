"""Random programs that speak, undisturbed and under random troubles: both say the same, to every reader.

A program says something outside of its steps and inside of them, sleeps, flushes, and tries some steps again. Troubles
are crashes, leases that are lost, and steps and functions that fail. Readers read whenever the program lets them.
"""

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import pytest

from flowfabric import Context, FlowFabric, Retry, StreamFrame, Transcript
from flowfabric.testing import Kit
from tests.sizes import IS_FULL

if TYPE_CHECKING:
    from flowfabric.testing.moments import When

ff = FlowFabric("memory://")
PROGRAMS = 600 if IS_FULL else 30
TROUBLES_MAX = 6
TRIES = Retry(3, backoff="fixed", initial_delay="0s", jitter=0.0)

What = Literal["say", "step", "sleep", "flush", "look"]


class Order(msgspec.Struct):
    """One instruction of a program."""

    what: What
    name: str
    texts: int = 0
    is_read: bool = False
    """Whether what a step says is stored and read before the step ends."""

    @property
    def all_texts(self) -> list[str]:
        return [f"{self.name}/{place} " for place in range(self.texts)]


class Stage:
    """Those who read while a program runs."""

    def __init__(self) -> None:
        self.readers: list[Reader] = []


stage = Stage()


class Reader:
    """Somebody who reads pages of one size, and keeps what counts."""

    def __init__(self, kit: Kit, execution_id: str, limit: int) -> None:
        self._kit = kit
        self._execution_id = execution_id
        self._limit = limit
        self._cursor: str | None = None
        self.transcript = Transcript()

    def read_page(self) -> bool:
        """False: there is nothing more for now."""
        page = self._kit.engine.read_stream(self._execution_id, cursor=self._cursor, limit=self._limit)
        for frame in page.frames:
            self.transcript.add(frame)
        self._cursor = page.next_cursor
        return bool(page.frames)

    def read_all(self) -> None:
        while self.read_page():
            pass


@ff.task(retry=Retry(50, initial_delay="0s"))
async def recite(ctx: Context, orders: list[Order]) -> None:
    """Carries out a program on the event loop; every other step runs in a thread."""
    for number, order in enumerate(orders):
        if order.what == "say":
            for text in order.all_texts:
                ctx.write(text)
        elif order.what == "step" and number % 2:
            await ctx.options(retry=TRIES).step(order.name, partial(_say_all, ctx, order))
        elif order.what == "step":
            await ctx.options(retry=TRIES).step(order.name, partial(_say_all_on_the_loop, ctx, order))
        elif order.what == "sleep":
            await ctx.sleep(order.name, "1h")
        elif order.what == "flush":
            await ctx.flush()
        else:
            _look()


@ff.task(retry=Retry(50, initial_delay="0s"))
def recite_in_a_thread(ctx: Context, orders: list[Order]) -> None:
    """The same in a thread."""
    for order in orders:
        if order.what == "say":
            for text in order.all_texts:
                ctx.write(text)
        elif order.what == "step":
            ctx.options(retry=TRIES).step_sync(order.name, partial(_say_all, ctx, order))
        elif order.what == "sleep":
            ctx.sleep_sync(order.name, "1h")
        elif order.what == "flush":
            ctx.flush_sync()
        else:
            _look()


def _say_all(ctx: Context, order: Order) -> None:
    for text in order.all_texts:
        ctx.write(text)
    if order.is_read:
        ctx.flush_sync()
        _look()


async def _say_all_on_the_loop(ctx: Context, order: Order) -> None:
    for text in order.all_texts:
        ctx.write(text)
    if order.is_read:
        await ctx.flush()
        _look()


def _look() -> None:
    for reader in stage.readers:
        reader.read_page()


def _program(chance: random.Random) -> list[Order]:
    orders = [Order("step", "first", chance.randint(0, 3), is_read=chance.random() < 0.5)]
    for number in range(chance.randint(3, 10)):
        what = chance.choice(("say", "say", "step", "step", "sleep", "flush", "look", "look"))
        orders.append(Order(what, f"{what}-{number}", chance.randint(0, 4), is_read=chance.random() < 0.5))
    return orders


def _plan_troubles(kit: Kit, chance: random.Random, orders: Sequence[Order]) -> None:
    """Troubles that all will happen: a step is stored once, and reached in each attempt until then."""
    steps = [order.name for order in orders if order.what == "step"]
    moments: list[tuple[str, When]] = [(name, when) for name in steps for when in ("before", "unstored", "stored")]
    only_fails = chance.random() < 0.3
    for name, when in chance.sample(moments, min(len(moments), chance.randint(1, TROUBLES_MAX))):
        moment = kit.at_step(name, when)
        trouble = "fail" if only_fails else chance.choice(("crash", "lose_lease", "lose_lease_unawares", "fail"))
        if trouble == "fail" and when != "stored":
            moment.fail(RuntimeError("as planned"))
        elif trouble in ("fail", "crash"):
            moment.crash()
        else:
            moment.lose_lease(told=trouble != "lose_lease_unawares")
    if chance.random() < 0.5:
        kit.at_attempt(None, chance.choice(("before", "unstored"))).fail(RuntimeError("as planned"))


def _by_place(frames: Sequence[StreamFrame]) -> dict[str | None, str]:
    """What was said outside of steps and in each step. Where a step stands among the rest may differ after a crash."""
    found: dict[str | None, str] = {}
    for frame in frames:
        found[frame.step] = found.get(frame.step, "") + str(frame.value)
    return found


def _run(chance: random.Random | None, task: Any, orders: list[Order]) -> list[StreamFrame]:
    """Run a program, undisturbed or not, and compare all readers with one who comes last."""
    with Kit(ff) as kit:
        handle = task.submit_sync(orders)
        stage.readers = [Reader(kit, handle.execution_id, limit) for limit in (1, 2, 5, 500)]
        if chance is not None:
            _plan_troubles(kit, chance, orders)
        kit.run_to_the_end()
        handle.result_sync()
        frames = kit.frames(handle)
        for reader in stage.readers:
            reader.read_all()
            assert list(reader.transcript.frames) == frames
        page = kit.engine.read_stream(handle.execution_id, limit=1_000)
        assert (list(page.frames), page.closed_reason) == (frames, "completed")
        return frames


@pytest.mark.parametrize("task", [recite, recite_in_a_thread], ids=lambda task: task.name)
@pytest.mark.parametrize("first_seed", range(0, PROGRAMS, 10))
def test_a_program_under_troubles_says_to_every_reader_what_it_says_undisturbed(task: Any, first_seed: int) -> None:
    for seed in range(first_seed, first_seed + 10):
        chance = random.Random(f"{seed} {task.name}")
        orders = _program(chance)

        undisturbed = _by_place(_run(None, task, orders))
        disturbed = _by_place(_run(chance, task, orders))

        assert disturbed == undisturbed, f"seed {seed}"
        said = "".join(text for order in orders if order.what == "say" for text in order.all_texts)
        assert undisturbed.get(None, "") == said
