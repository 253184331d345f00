"""Steps with options: one step is tried again inside its attempt, and a try may take only so long."""

import asyncio
import logging
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, ParamSpec, Protocol, TypeVar, overload

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.policies import RetryPolicy
from flowfabric.runtime.durations import Duration, milliseconds
from flowfabric.runtime.failures import cause_of, failure_of
from flowfabric.runtime.steps import Steps
from flowfabric.runtime.task_options import Retry
from flowfabric.runtime.tries import Try, is_in_step
from flowfabric.runtime.wait_desk import SLEEP, SLEEPING, Wait
from flowfabric.runtime.waits import Waits

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("flowfabric.worker")

NO_RETRIES: Final = RetryPolicy()


class _Cancelled(Protocol):
    def wait(self, timeout: float | None = None) -> bool:
        """Wait in this thread until the attempt must stop."""


class _Stepping(Protocol):
    """The parts of a context that are needed here."""

    task: str
    execution_id: str
    attempt_index: int
    fencing_token: int
    steps: Steps

    @property
    def cancelled(self) -> _Cancelled:
        """Whether the attempt must stop."""

    @property
    def waits(self) -> Waits:
        """The waits of the attempt."""

    @property
    def pause_in_place_s(self) -> float:
        """Pauses that are shorter than this need no suspension."""

    def raise_if_cancelled(self) -> None:
        """Raise AttemptCancelled if the attempt must stop."""


class StepsWithOptions:
    """Steps that are tried again and have a timeout: `ctx.options(retry=Retry(3), timeout="30s").step("ask", ask)`.

    **Retries.** A step that raises is tried again inside the same attempt. What is not retried for a task is not
    retried here: `Permanent`, the exceptions in `give_up_on`, and errors that would come again. A pause that is shorter
    than the linger of the worker is spent in place. A longer one is a durable sleep: the execution is suspended,
    and the function runs again from its top when the pause is over. The number of tries is stored with the step. Every
    attempt of the task counts its tries anew.

    **The timeout** is the time of one try. Then the step raises StepTimeout, which is retried like any other error.

    - An async function is cancelled.
    - A plain function runs in a thread, and nobody can stop a thread. StepTimeout is raised where the step was called,
      and the thread goes on. Its code can notice that: `ctx.raise_if_cancelled()` raises StepTimeout there. If it
      returns a result after all, the result is stored. The next try waits for the thread first, so that the step never
      runs twice at the same time in one attempt; this wait has the same timeout. An attempt that ends does not wait for
      the thread.
    - In a child process a thread that goes on is stopped when its attempt ends, because the process is ended then.
    """

    def __init__(self, ctx: _Stepping, retry: Retry | None, timeout: Duration | None) -> None:
        if retry is not None and not isinstance(retry, Retry):
            raise InvalidInput(f"retry is a Retry, such as Retry(max_retries=5), not {type(retry).__name__}.")
        self._ctx = ctx
        self._policy = NO_RETRIES if retry is None else retry.policy()
        self._give_up_on = () if retry is None else retry.give_up_on
        self._timeout_s = None if timeout is None else milliseconds("timeout", timeout) / 1000
        if self._timeout_s == 0:
            raise InvalidInput(f"timeout is {shown(timeout)}; no step could end in time. Leave it out for no timeout.")

    @overload
    async def step(self, name: str, function: Callable[P, Awaitable[T]], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    @overload
    async def step(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    async def step(self, name: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """`Context.step` with these options."""
        inputs.name("name", name)
        number = await self._tries_before(name)
        while True:
            number += 1
            this = Try(name, number, self._timeout_s)
            try:
                value = await self._ctx.steps.run(name, function, args, kwargs, this)
            except Exception as error:
                if (pause_ms := self._pause_after(name, this, error)) is None:
                    raise
            else:
                self._say_done(name, this)
                return value
            await self._pause(name, number, pause_ms)

    def step_sync(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """`Context.step_sync` with these options. With a timeout the function runs in another thread than its caller.

        It raises AttemptCancelled if the attempt must stop.
        """
        check_may_block(name)
        self._ctx.raise_if_cancelled()
        number = self._tries_before_sync(name)
        while True:
            number += 1
            this = Try(name, number, self._timeout_s)
            try:
                value: T = self._ctx.steps.run_sync(name, function, args, kwargs, this)
            except Exception as error:
                if (pause_ms := self._pause_after(name, this, error)) is None:
                    raise
            else:
                self._say_done(name, this)
                return value
            self._pause_sync(name, number, pause_ms)
            self._ctx.raise_if_cancelled()

    # ── tries and pauses ─────────────────────────────────────────────────────────────────────────

    def _pause_after(self, name: str, this: Try, error: Exception) -> int | None:
        """How long to pause after a failed try, in milliseconds. None: no try follows."""
        failure = failure_of(error, self._give_up_on)
        left = self._policy.max_retries - this.number + 1
        # A result that could not be stored has nothing to do with the function, and calling it again would not help.
        if this.has_returned or not failure.retryable or left < 1:
            return None
        pause_ms = self._delay_ms(this.number)
        self._say(
            logging.WARNING,
            f"step {name!r} failed at try {this.number} of {self._policy.max_retries + 1}, and the next try follows "
            f"in {pause_ms / 1000:g} s: {cause_of(failure)}",
        )
        return pause_ms

    def _delay_ms(self, retry: int) -> int:
        return self._policy.delay_ms(retry, ExecutionId(self._ctx.execution_id), self._ctx.attempt_index)

    def _is_durable(self, pause_ms: int) -> bool:
        return 0 < pause_ms >= self._ctx.pause_in_place_s * 1000

    def _pauses(self, name: str) -> "Iterator[tuple[int, str]]":
        """The durable pauses of the step in this attempt: after which try, and under which name."""
        retries = range(1, self._policy.max_retries + 1)
        # The pauses of a policy never become shorter.
        first = bisect_left(retries, True, key=lambda retry: self._is_durable(self._delay_ms(retry)))
        return ((retry, self._pause_name(name, retry)) for retry in retries[first:])

    def _pause_name(self, name: str, tries: int) -> str:
        """The name of the sleep after so many tries. Each attempt has its own, because it counts its tries anew."""
        return f"{name}[attempt {self._ctx.attempt_index + 1}, try {tries + 1}]"

    async def _tries_before(self, name: str) -> int:
        """How many tries this attempt has had before its execution was suspended for a pause."""
        tries = 0
        if self._ctx.steps.may_be_stored and await self._ctx.steps.load(name) is None:
            for retry, pause in self._pauses(name):
                if await self._ctx.steps.load(pause) is None:
                    break
                tries = retry
        return tries

    def _tries_before_sync(self, name: str) -> int:
        tries = 0
        if self._ctx.steps.may_be_stored and self._ctx.steps.load_sync(name) is None:
            for retry, pause in self._pauses(name):
                if self._ctx.steps.load_sync(pause) is None:
                    break
                tries = retry
        return tries

    async def _pause(self, name: str, tries: int, pause_ms: int) -> None:
        if self._is_durable(pause_ms) and not is_in_step():
            await self._ctx.waits.wait(self._sleep(name, tries, pause_ms))
            return
        # Like a step, a pause in place keeps the attempt from being suspended: its tries would be forgotten.
        async with self._ctx.steps.standstill.running():
            await asyncio.sleep(pause_ms / 1000)

    def _pause_sync(self, name: str, tries: int, pause_ms: int) -> None:
        if self._is_durable(pause_ms) and not is_in_step():
            self._ctx.waits.wait_sync(self._sleep(name, tries, pause_ms))
            return
        with self._ctx.steps.standstill.running_sync():
            self._ctx.cancelled.wait(pause_ms / 1000)

    def _sleep(self, name: str, tries: int, pause_ms: int) -> Wait:
        return Wait(self._pause_name(name, tries), SLEEP, timeout_ms=pause_ms, reason=SLEEPING)

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    def _say_done(self, name: str, this: Try) -> None:
        if this.number > 1 and this.has_returned:
            self._say(logging.DEBUG, f"step {name!r} has succeeded at try {this.number}")

    def _say(self, level: int, what: str) -> None:
        ctx = self._ctx
        facts = {
            "task": ctx.task,
            "execution_id": ctx.execution_id,
            "attempt_index": ctx.attempt_index,
            "fencing_token": ctx.fencing_token,
        }
        # One line, even if the message of an exception has several. Attempts are counted from 1.
        words = (ctx.task, ctx.execution_id, ctx.attempt_index + 1, " ".join(what.split()))
        log.log(level, "%s %s attempt %d: %s", *words, extra=facts)


def check_may_block(name: str) -> None:
    """Refuse a step that would block an event loop, and a name that a step cannot have."""
    inputs.name("name", name)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InvalidInput(
        f"Step {name!r}: step_sync would block the event loop that it runs on. "
        "Use `await ctx.step(...)` in async functions."
    )
