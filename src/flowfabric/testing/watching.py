"""Tasks as a worker sees them in the kit: the same functions, in this process, with all their steps watched."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

from msgspec.structs import replace

from flowfabric.runtime.context import Context
from flowfabric.runtime.tasks import Task
from flowfabric.testing.moments import Place, When

P = ParamSpec("P")
T = TypeVar("T")

Reach = Callable[[Place, Context], Future[None]]
"""Called with each place that an attempt reaches. It may end the attempt, or raise an error in the place of a step."""


class WatchedTask:
    """A task for a worker: the user's task, with a watched function."""

    def __init__(self, task: Task[..., Any], reach: Reach) -> None:
        self.name = task.name
        self.signature = task.signature
        self.is_async = task.is_async
        # In this process, where a test can look inside, and where its monkeypatches count.
        self.settings = replace(task.settings, isolation=None)
        self._task = task
        self._reach = reach
        self.function: Callable[..., Any] = self._run_async if self.is_async else self._run_plain

    async def _run_async(self, ctx: Context, **arguments: object) -> Any:
        watched = WatchedContext(ctx, self._reach)
        await watched.reach(None, "before")
        value = await self._task.function(watched, **arguments)
        await watched.reach(None, "unstored")
        return value

    def _run_plain(self, ctx: Context, **arguments: object) -> Any:
        watched = WatchedContext(ctx, self._reach)
        watched.reach_sync(None, "before")
        value = self._task.function(watched, **arguments)
        watched.reach_sync(None, "unstored")
        return value


class WatchedContext(Context):
    """A context that shares everything with the attempt's own context, but watches its steps."""

    def __init__(self, ctx: Context, reach: Reach) -> None:
        ctx.waits  # noqa: B018 - made before it is shared: the worker attends to the waits of its own context
        self.__dict__.update(vars(ctx))
        self._reach = reach

    async def reach(self, step: str | None, when: When) -> None:
        """Report the place that the attempt has reached. If the attempt ends here, it is cancelled inside this call."""
        # Shielded: the planned trouble, which cancels this task, must still finish.
        await asyncio.shield(asyncio.wrap_future(self._reach(Place(step, when), self)))

    def reach_sync(self, step: str | None, when: When) -> None:
        """`reach` in a thread."""
        self._reach(Place(step, when), self).result()
        self.raise_if_cancelled()

    async def step(self, name: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Run a named step once, and report the places that it reaches."""
        has_run = False

        async def ended(value: Awaitable[T]) -> T:
            result = await value
            await self.reach(name, "unstored")
            return result

        @functools.wraps(function, updated=())
        async def on_loop(*args: Any, **kwargs: Any) -> Any:
            nonlocal has_run
            await self.reach(name, "before")
            has_run = True
            return await ended(function(*args, **kwargs))

        @functools.wraps(function, updated=())
        def in_thread(*args: Any, **kwargs: Any) -> Any:
            nonlocal has_run
            self.reach_sync(name, "before")
            has_run = True
            value = function(*args, **kwargs)
            if inspect.isawaitable(value):  # a lambda around a coroutine function
                return ended(value)
            self.reach_sync(name, "unstored")
            return value

        value = await super().step(
            name, on_loop if inspect.iscoroutinefunction(function) else in_thread, *args, **kwargs
        )
        if has_run:
            await self.reach(name, "stored")
        return value

    def step_sync(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """`step` for plain functions."""
        has_run = False

        @functools.wraps(function, updated=())
        def watched(*args: P.args, **kwargs: P.kwargs) -> T:
            nonlocal has_run
            self.reach_sync(name, "before")
            has_run = True
            value = function(*args, **kwargs)
            self.reach_sync(name, "unstored")
            return value

        value: T = super().step_sync(name, watched, *args, **kwargs)
        if has_run:
            self.reach_sync(name, "stored")
        return value
