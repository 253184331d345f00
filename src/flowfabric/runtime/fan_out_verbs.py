"""The verbs of a context that make children: `run` and `map`, and the twins of plain code."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeVar, overload

from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.runtime.fan_out import (
    ChildDesk,
    ChildEnd,
    ChildEnds,
    ChildFailed,
    FanOut,
    in_pieces,
    packed,
    piece_name,
    siblings,
    unpacked,
)
from flowfabric.runtime.steps import Steps, StoredStep, fingerprint_of
from flowfabric.runtime.tries import check_not_in_step
from flowfabric.runtime.waits import Waits

if TYPE_CHECKING:
    from flowfabric.runtime.tasks import Bound, Task

P = ParamSpec("P")
R = TypeVar("R")


class _Parent(Protocol):
    """What these verbs need of a context."""

    execution_id: str
    steps: Steps

    @property
    def waits(self) -> Waits:
        """The waits of the attempt."""

    @property
    def child_desk(self) -> ChildDesk:
        """Makes the children of the attempt."""

    @property
    def store_time_ms(self) -> int:
        """The store's time."""

    def raise_if_cancelled(self) -> None:
        """Raise AttemptCancelled if the attempt must stop."""


class FanOutVerbs:
    """The part of a context that makes children."""

    async def run(self: _Parent, name: str, task: "Task[P, R]", /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run another task as a child of this execution, and return its result: `await ctx.run("sum", total, counts)`.

        The child is an execution of its own, with the options of its task, and is made once, however often this
        function runs. This execution holds no worker while it waits. A child that does not succeed raises ChildFailed.
        The end of this execution, other than by success, cancels it.
        """
        fan_out = FanOut(name, task, [_bound(task, args, kwargs)], self.store_time_ms, returns_failures=False)
        (result,) = await _fanned_out(self, fan_out)
        value: R = result
        return value

    def run_sync(self: _Parent, name: str, task: "Task[P, R]", /, *args: P.args, **kwargs: P.kwargs) -> R:
        """`run` for plain functions, in a thread or in a child process."""
        fan_out = FanOut(name, task, [_bound(task, args, kwargs)], self.store_time_ms, returns_failures=False)
        (result,) = _fanned_out_sync(self, fan_out)
        value: R = result
        return value

    @overload
    async def map(
        self,
        name: str,
        task: "Task[..., R]",
        items: Iterable[Any],
        *,
        return_exceptions: Literal[False] = False,
        concurrency: int | None = None,
    ) -> list[R]: ...
    @overload
    async def map(
        self,
        name: str,
        task: "Task[..., R]",
        items: Iterable[Any],
        *,
        return_exceptions: bool,
        concurrency: int | None = None,
    ) -> list[R | ChildFailed]: ...
    async def map(
        self: _Parent,
        name: str,
        task: "Task[..., Any]",
        items: Iterable[Any],
        *,
        return_exceptions: bool = False,
        concurrency: int | None = None,
    ) -> list[Any]:
        """Run a task once for each item, as children, and return the results in the order of the items.

        `counts = await ctx.map("page", count_words, pages)`. Every attempt has to pass the same items: take them from a
        step. At most 10,000 children are made. With the first child that does not succeed this raises ChildFailed; the
        others go on. With `return_exceptions=True` it waits for all of them, and returns ChildFailed in their places.
        With `concurrency`, at most so many of them run at a time.
        """
        fan_out = FanOut(
            name,
            task,
            _bound_each(task, items),
            self.store_time_ms,
            returns_failures=return_exceptions,
            at_a_time=siblings(self.execution_id, name, concurrency),
        )
        return [] if fan_out.is_empty else await _fanned_out(self, fan_out)

    @overload
    def map_sync(
        self,
        name: str,
        task: "Task[..., R]",
        items: Iterable[Any],
        *,
        return_exceptions: Literal[False] = False,
        concurrency: int | None = None,
    ) -> list[R]: ...
    @overload
    def map_sync(
        self,
        name: str,
        task: "Task[..., R]",
        items: Iterable[Any],
        *,
        return_exceptions: bool,
        concurrency: int | None = None,
    ) -> list[R | ChildFailed]: ...
    def map_sync(
        self: _Parent,
        name: str,
        task: "Task[..., Any]",
        items: Iterable[Any],
        *,
        return_exceptions: bool = False,
        concurrency: int | None = None,
    ) -> list[Any]:
        """`map` for plain functions, in a thread or in a child process."""
        fan_out = FanOut(
            name,
            task,
            _bound_each(task, items),
            self.store_time_ms,
            returns_failures=return_exceptions,
            at_a_time=siblings(self.execution_id, name, concurrency),
        )
        return [] if fan_out.is_empty else _fanned_out_sync(self, fan_out)


def _bound(task: "Task[..., Any]", args: Any, kwargs: Any) -> "Bound[Any]":
    bind = getattr(task, "bind", None)
    if bind is None:
        raise InvalidInput(f"task is {shown(task)}; it must be a task. For other functions, use ctx.step(...).")
    if task.call.conn is not None:
        raise InvalidInput(f"Task {task.name!r}: a child cannot be part of another transaction. Leave conn= out.")
    task.check_suits("a child")
    bound: Bound[Any] = bind(*args, **kwargs)
    return bound


def _bound_each(task: "Task[..., Any]", items: Iterable[Any]) -> "list[Bound[Any]]":
    return [_bound(task, (item,), {}) for item in items]


async def _fanned_out(ctx: _Parent, fan_out: FanOut) -> list[Any]:
    check_not_in_step(f"Children {fan_out.name!r}")
    steps, desk = ctx.steps, ctx.child_desk
    fingerprint = fingerprint_of(fan_out.name, fan_out.arguments, {})
    ids: list[str] = []
    if await steps.load(fan_out.name) is None:
        for name, items in fan_out.groups:
            async with steps.standstill.running():
                ids += await desk.make_children(name, items)
        await ctx.waits.wait(fan_out.wait)

    async def collect(task: str, digest: str, returns_failures: bool) -> ChildEnds:
        first, *rest = in_pieces(fan_out.checked(await desk.child_ends(ids)))
        for number, piece in enumerate(rest, 2):
            await desk.store_step(piece_name(fan_out.name, number), fingerprint, packed(piece))
        return ChildEnds(first, 1 + len(rest))

    found: ChildEnds = await steps.run(fan_out.name, collect, fan_out.arguments, {})
    ends = list(found.ends)
    for number in range(2, found.pieces + 1):
        ends += _piece_in(fan_out, await desk.stored_step(piece_name(fan_out.name, number)))
    return fan_out.values_in(ends)


def _fanned_out_sync(ctx: _Parent, fan_out: FanOut) -> list[Any]:
    _check_no_loop(fan_out.name)
    ctx.raise_if_cancelled()
    check_not_in_step(f"Children {fan_out.name!r}")
    steps, desk = ctx.steps, ctx.child_desk
    fingerprint = fingerprint_of(fan_out.name, fan_out.arguments, {})
    ids: list[str] = []
    if steps.load_sync(fan_out.name) is None:
        for name, items in fan_out.groups:
            with steps.standstill.running_sync():
                ids += desk.make_children_sync(name, items)
        ctx.waits.wait_sync(fan_out.wait)

    def collect(task: str, digest: str, returns_failures: bool) -> ChildEnds:
        first, *rest = in_pieces(fan_out.checked(desk.child_ends_sync(ids)))
        for number, piece in enumerate(rest, 2):
            desk.store_step_sync(piece_name(fan_out.name, number), fingerprint, packed(piece))
        return ChildEnds(first, 1 + len(rest))

    found: ChildEnds = steps.run_sync(fan_out.name, collect, fan_out.arguments, {})
    ends = list(found.ends)
    for number in range(2, found.pieces + 1):
        ends += _piece_in(fan_out, desk.stored_step_sync(piece_name(fan_out.name, number)))
    return fan_out.values_in(ends)


def _piece_in(fan_out: FanOut, step: StoredStep | None) -> list[ChildEnd]:
    if step is None:
        raise InvalidInput(
            f"A part of the results of {fan_out.name!r} was cleared. Replay with from_step={fan_out.name!r}."
        )
    return unpacked(step.result)


def _check_no_loop(name: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InvalidInput(
        f"Children {name!r}: run_sync and map_sync would block the event loop that they run on. "
        "Use `await ctx.run(...)` or `await ctx.map(...)` in async functions."
    )
