"""Running a task's function to its end, on a loop or in a thread; and the ways in which it can end."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

import msgspec

from flowfabric.domain.errors import InvalidInput
from flowfabric.runtime.context import Assignment, AttemptCancelled, Context
from flowfabric.runtime.failures import AttemptFailure, failure_of
from flowfabric.runtime.payloads import Signature


class Settings(Protocol):
    """The options of a task that a worker uses."""

    @property
    def isolation(self) -> Literal["process"] | None:
        """Whether the task runs in a process of its own."""

    @property
    def give_up_on(self) -> tuple[type[BaseException], ...]:
        """The exceptions after which no retry follows."""


class RunnableTask(Protocol):
    """The part of a task that a worker uses."""

    @property
    def name(self) -> str:
        """The kind of its executions."""

    @property
    def function(self) -> Callable[..., Any]:
        """The function that is run."""

    @property
    def is_async(self) -> bool:
        """Whether the function is a coroutine function."""

    @property
    def signature(self) -> Signature:
        """How arguments and result are encoded."""

    @property
    def settings(self) -> Settings:
        """The options of the task."""


class Succeeded(msgspec.Struct, frozen=True, tag=True):
    """The function has returned; this is its encoded result."""

    result: bytes


class Died(msgspec.Struct, frozen=True, tag=True):
    """The process that ran the function is gone, and nobody knows how far the function came."""

    reason: str


class Stopped(msgspec.Struct, frozen=True, tag=True):
    """The function was asked to stop, and has stopped."""


Ending = Succeeded | AttemptFailure | Died | Stopped


class Call(msgspec.Struct, frozen=True):
    """Which task is to be called, with its encoded arguments."""

    assignment: Assignment
    payload: bytes
    inputs: Mapping[str, bytes]


async def run_async(task: RunnableTask, context: Context, arguments: Mapping[str, object]) -> Ending:
    """Run a coroutine function to its end, on this loop. If it must stop, this also waits for its plain steps."""
    try:
        value = await task.function(context, **arguments)
    except asyncio.CancelledError as error:
        current = asyncio.current_task()
        # Also when the whole program ends, and cancels this task before the worker can set the context.
        if context.cancelled or (current is not None and current.cancelling()):
            raise
        return failure_of(error)
    except AttemptCancelled as error:
        return Stopped() if context.cancelled else failure_of(error)
    except BaseException as error:  # also SystemExit, which would end the worker
        return failure_of(error, task.settings.give_up_on)
    finally:
        if context.cancelled:
            await context.steps.outlast()
    return _written(task, value)


def run_plain(task: RunnableTask, context: Context, arguments: Mapping[str, object]) -> Ending:
    """Run a plain function to its end, in this thread."""
    try:
        value = task.function(context, **arguments)
    except AttemptCancelled as error:
        return Stopped() if context.cancelled else failure_of(error)
    except BaseException as error:
        return failure_of(error, task.settings.give_up_on)
    return _written(task, value)


def _written(task: RunnableTask, value: object) -> Ending:
    try:
        return Succeeded(task.signature.result(value))
    except InvalidInput as error:
        return failure_of(error)
