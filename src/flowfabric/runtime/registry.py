"""The tasks and schedules that a program has registered, each under a name of its own."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from flowfabric.domain import inputs
from flowfabric.domain.creation import NewSchedule
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.runtime.codecs import Codec
from flowfabric.runtime.declared_gates import DeclaredGates
from flowfabric.runtime.engines import EngineProvider
from flowfabric.runtime.task_options import TaskOptions
from flowfabric.runtime.tasks import AsyncTask, Bound, PlainTask, Task


class Registry:
    """The tasks and schedules of one FlowFabric."""

    def __init__(self, access: EngineProvider, codec: Codec, gates: DeclaredGates) -> None:
        self._access = access
        self._codec = codec
        self._gates = gates
        self.tasks: dict[str, Task[..., Any]] = {}
        self.schedules: dict[str, NewSchedule] = {}

    def add_task(self, function: Callable[..., Any], name: str | None, settings: TaskOptions) -> Task[..., Any]:
        """Make a task of a function.

        The same function replaces an earlier task; another one with the same name is refused.
        """
        if not inspect.isfunction(function):
            raise InvalidInput(f"{shown(function)} is not a function. Put @ff.task on a `def` or an `async def`.")
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise InvalidInput(f"{function.__name__!r} yields, and a task returns. Return a list instead.")
        kind: type[Task[..., Any]] = AsyncTask if inspect.iscoroutinefunction(function) else PlainTask
        chosen = inputs.name("name", function.__name__ if name is None else name)
        before = self.tasks.get(chosen)
        if before is not None and _place_of(before.function) != _place_of(function):
            raise InvalidInput(
                f"There is a task {chosen!r} already, from {_place_of(before.function)}. Executions know their task by "
                "its name: give one of the two another, with @ff.task(name=...)."
            )
        task = kind(function, name=chosen, settings=settings, access=self._access, codec=self._codec, gates=self._gates)
        self.tasks[chosen] = task
        return task

    def bound(self, call: Task[..., Any] | Bound[Any]) -> Bound[Any]:
        """The call that a schedule will make: one of these tasks with its arguments."""
        given: object = call
        bound = given.bind() if isinstance(given, Task) else given
        if not isinstance(bound, Bound):
            raise InvalidInput(f"{shown(given)} cannot be scheduled: give a task, or a task.bind(...) with arguments.")
        if self.tasks.get(bound.task.name) is None or bound.task.access is not self._access:
            raise InvalidInput(f"Task {bound.task.name!r} belongs to another FlowFabric. Schedule it there.")
        return bound

    def add_schedule(self, schedule: NewSchedule) -> None:
        """Register a schedule. An equal one may be registered again; a different one with the same name is refused."""
        if self.schedules.setdefault(schedule.name, schedule) != schedule:
            raise InvalidInput(
                f"There is a schedule {schedule.name!r} already, and it is another one. Give one of them another name, "
                "with name=..."
            )

    @property
    def lanes(self) -> Sequence[str]:
        """The lanes that the options of tasks and schedules name; `default` if there are none."""
        of_tasks = {task.settings.lane for task in self.tasks.values()}
        return sorted(of_tasks | {schedule.lane for schedule in self.schedules.values()}) or ["default"]


def _place_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
