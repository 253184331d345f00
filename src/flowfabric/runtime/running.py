"""Running a task's function to its end, on a loop or in a thread; and the ways in which it can end."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

import msgspec

from flowfabric.domain.errors import InvalidInput
from flowfabric.runtime import capture, logs
from flowfabric.runtime.capture import Captured
from flowfabric.runtime.context import Assignment, AttemptCancelled, Context
from flowfabric.runtime.failures import AttemptFailure, RateLimited, Throttled, failure_of
from flowfabric.runtime.payloads import Signature
from flowfabric.runtime.standstill import is_suspension


class Settings(Protocol):
    """The options of a task that a worker uses."""

    @property
    def isolation(self) -> Literal["process"] | None:
        """Whether the task runs in a process of its own."""

    @property
    def linger_ms(self) -> int | None:
        """How long waits of its executions stay in memory; None: as long as the worker says."""

    @property
    def capture(self) -> frozenset[Captured]:
        """What of its output becomes frames."""

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


class Unwound(msgspec.Struct, frozen=True, tag=True):
    """The execution is suspended, or is to pause, and the function has ended without a result."""

    trouble: str = ""
    """What the function did instead of ending with AttemptSuspended: it returned, or raised another error."""


Ending = Succeeded | AttemptFailure | Throttled | Died | Stopped | Unwound


class Call(msgspec.Struct, frozen=True):
    """Which task is to be called, with its encoded arguments."""

    assignment: Assignment
    payload: bytes
    inputs: Mapping[str, bytes]
    is_watched: bool = False
    """Whether the worker wants to know how long steps run."""
    traceparent: str | None = None
    """The span of the attempt, so that spans of the code in a child process belong to it."""


async def run_async(task: RunnableTask, context: Context, arguments: Mapping[str, object]) -> Ending:
    """Run a coroutine function to its end, on this loop. If it must stop, this also waits for its plain steps."""
    if captured := task.settings.capture:
        capture.begin(context, captured)
    if logs.facts_are_used():
        logs.begin(context.facts)
    try:
        value = await task.function(context, **arguments)
        ending = None
    except asyncio.CancelledError as error:
        current = asyncio.current_task()
        # Also when the whole program ends, and cancels this task before the worker can set the context.
        if context.cancelled or (current is not None and current.cancelling()):
            raise
        ending = _ending_of(error, task, context)
    except BaseException as error:  # also SystemExit, which would end the worker
        ending = _ending_of(error, task, context)
    finally:
        if "waits" in vars(context):
            await context.waits.finish()
        if context.cancelled or context.steps.standstill.is_suspended:
            await context.steps.outlast()
        if captured:
            capture.end()
    return _checked(ending or _written(task, value), context)


def run_plain(task: RunnableTask, context: Context, arguments: Mapping[str, object]) -> Ending:
    """Run a plain function to its end, in this thread."""
    if captured := task.settings.capture:
        capture.begin(context, captured)
    if logs.facts_are_used():
        logs.begin(context.facts)
    try:
        value = task.function(context, **arguments)
    except BaseException as error:
        return _checked(_ending_of(error, task, context), context)
    finally:
        if captured:
            capture.end()
        if logs.facts_are_used():
            logs.end()  # a child process runs the next attempt in the same context
    return _checked(_written(task, value), context)


def _ending_of(error: BaseException, task: RunnableTask, context: Context) -> Ending:
    if is_suspension(error) and context.steps.standstill.is_suspended:
        return Unwound()
    if isinstance(error, AttemptCancelled) and context.cancelled:
        return Stopped()
    if isinstance(error, RateLimited):
        return Throttled(error.limit, error.key, error.retry_after_ms)
    return failure_of(error, task.settings.give_up_on)


def _checked(ending: Ending, context: Context) -> Ending:
    """The ending. If the execution is suspended, no result and no failure of its code counts."""
    if not context.steps.standstill.is_suspended or isinstance(ending, Unwound):
        return ending
    if isinstance(ending, Succeeded):
        return Unwound("its code has caught AttemptSuspended and returned a result, which does not count")
    return Unwound(f"its code raised {ending.code}: {ending.message}" if isinstance(ending, AttemptFailure) else "")


def _written(task: RunnableTask, value: object) -> Ending:
    try:
        return Succeeded(task.signature.result(value))
    except InvalidInput as error:
        return failure_of(error)
