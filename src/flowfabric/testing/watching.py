"""Tasks as a worker sees them in the kit: the same functions, in this process, with all their steps watched."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

from msgspec.structs import replace

from flowfabric.runtime.budget_verbs import MeteredSteps
from flowfabric.runtime.context import Context
from flowfabric.runtime.declared_gates import Budget
from flowfabric.runtime.durations import Duration
from flowfabric.runtime.step_options import StepsWithOptions
from flowfabric.runtime.task_options import Retry
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
        return await self.watch(super().step, name, function, args, kwargs)

    def step_sync(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """`step` for plain functions."""
        value: T = self.watch_sync(super().step_sync, name, function, args, kwargs)
        return value

    def options(self, *, retry: Retry | None = None, timeout: Duration | None = None) -> StepsWithOptions:
        """Steps with options, which are watched, too."""
        return _WatchedOptions(self, retry, timeout)

    def metered(
        self,
        budget: Budget | str,
        /,
        *,
        cost: Callable[[Any], Mapping[str, int]],
        reserve: Mapping[str, int] | None = None,
    ) -> MeteredSteps:
        """Steps that spend, which are watched, too."""
        return _WatchedMetered(self, budget, reserve or {}, cost)

    async def watch(
        self,
        step: Callable[..., Awaitable[Any]],
        name: str,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Run a step in the given way, and report the places that it reaches."""
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

        value = await step(name, on_loop if inspect.iscoroutinefunction(function) else in_thread, *args, **kwargs)
        if has_run:
            await self.reach(name, "stored")
        return value

    def watch_sync(
        self,
        step: Callable[..., Any],
        name: str,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """`watch` for plain functions."""
        has_run = False

        @functools.wraps(function, updated=())
        def watched(*args: Any, **kwargs: Any) -> Any:
            nonlocal has_run
            self.reach_sync(name, "before")
            has_run = True
            value = function(*args, **kwargs)
            self.reach_sync(name, "unstored")
            return value

        value = step(name, watched, *args, **kwargs)
        if has_run:
            self.reach_sync(name, "stored")
        return value


class _WatchedOptions(StepsWithOptions):
    """Steps with options. Each try of a step is a moment of its own."""

    def __init__(self, ctx: WatchedContext, retry: Retry | None, timeout: Duration | None) -> None:
        super().__init__(ctx, retry, timeout)
        self._watched = ctx

    async def step(self, name: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """A step with these options."""
        return await self._watched.watch(super().step, name, function, args, kwargs)

    def step_sync(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """`step` for plain functions."""
        value: T = self._watched.watch_sync(super().step_sync, name, function, args, kwargs)
        return value


class _WatchedMetered(MeteredSteps):
    """Steps that spend."""

    def __init__(
        self,
        ctx: WatchedContext,
        budget: Budget | str,
        reserve: Mapping[str, int],
        cost: Callable[[Any], Mapping[str, int]],
    ) -> None:
        super().__init__(ctx, budget, reserve, cost)
        self._watched = ctx

    async def step(self, name: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """A step that spends."""
        return await self._watched.watch(super().step, name, function, args, kwargs)

    def step_sync(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """`step` for plain functions."""
        value: T = self._watched.watch_sync(super().step_sync, name, function, args, kwargs)
        return value
