"""The attempts of a worker that run, or are not reported yet, and the asyncio tasks in which they run.

Many functions never wait. So attempts that were claimed together run one after the other in one task, and are completed
in one call. If one of them waits, the task is from then on its own, and those behind it get tasks of their own. So a
function has the same task from its first line to its last. Each has a context of its own from the beginning. After some
milliseconds the rest goes on in a new task, so that functions that compute do not keep the event loop for long.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Generator, Iterator, Sequence
from contextvars import Context as Variables
from contextvars import copy_context
from functools import partial
from typing import Any, Final

from flowfabric.domain.outcomes import Claimed, Completed
from flowfabric.runtime.attempt import Attempt
from flowfabric.runtime.completions import Completion
from flowfabric.runtime.running import Ending
from flowfabric.runtime.services import WorkerServices

log = logging.getLogger("flowfabric.worker")

ALONE: Final = 100
"""After an attempt that waits, so many attempts of the same task get asyncio tasks of their own, before a new try."""

TURN_S: Final = 0.005
"""How long attempts of one task may follow each other, before the event loop has its turn. It also renews leases."""

_Ended = tuple[Attempt, Ending | None, Completion]
"""An attempt whose code has ended, and what completes its execution."""


class RunningAttempts:
    """Starts attempts, and knows each until its report is committed or given up."""

    def __init__(
        self, services: WorkerServices, *, on_code_ended: Callable[[], None], on_end: Callable[[], None]
    ) -> None:
        self._services = services
        self._on_code_ended = on_code_ended
        self._on_end = on_end
        """Called when an attempt, or several, are over."""
        self._running: dict[Attempt, asyncio.Task[None]] = {}
        self._alone: dict[str, int] = {}
        """By the kind of the executions, how many of the next attempts get tasks of their own."""

    def __len__(self) -> int:
        return len(self._running)

    def __iter__(self) -> Iterator[Attempt]:
        return iter(list(self._running))

    @property
    def tasks(self) -> Collection["asyncio.Task[None]"]:
        """The tasks of all attempts."""
        return set(self._running.values())

    async def wait(self, timeout_s: float) -> None:
        """Wait until all attempts are over, at most so long."""
        give_up_at = time.monotonic() + timeout_s
        while self._running and (left_s := give_up_at - time.monotonic()) > 0:
            await asyncio.wait(self.tasks, timeout=left_s)

    # ── starting ─────────────────────────────────────────────────────────────────────────────────

    def start(self, claimed: Sequence[Claimed]) -> None:
        """Start attempts, in this order."""
        together: list[Attempt] = []
        for each in claimed:
            attempt = Attempt(each, self._services, self._on_code_ended)
            if self._may_share(each.kind):
                together.append(attempt)
                continue
            self._start_all(together)
            together = []
            self._start_alone(attempt)
        self._start_all(together)

    def _may_share(self, kind: str) -> bool:
        services = self._services
        task = services.registered.get(kind)
        if task is None or not task.is_async or services.tracer is not None:
            return False
        if services.all_in_processes or task.settings.isolation == "process":
            return False
        if left := self._alone.get(kind, 0):
            self._alone[kind] = left - 1
        return not left

    def _start_all(self, attempts: Sequence[Attempt]) -> None:
        if len(attempts) == 1:
            self._start_alone(attempts[0])
        elif attempts:
            self._run(self._run_together(attempts), attempts, "flowfabric attempts")

    def _start_alone(self, attempt: Attempt) -> None:
        tracer = self._services.tracer
        self._run(attempt.run() if tracer is None else attempt.run_traced(tracer), [attempt], _name_of(attempt))

    def _run(self, coroutine: Coroutine[Any, Any, None], attempts: Sequence[Attempt], name: str) -> None:
        task = self._services.tasks.start(coroutine, name=name, on_end=partial(self._ended, attempts))
        self._running.update(dict.fromkeys(attempts, task))

    def _ended(self, attempts: Sequence[Attempt], task: "asyncio.Task[None]") -> None:
        """A task has ended, and with it those of these attempts that are still in it."""
        error = None if task.cancelled() else task.exception()
        for attempt in attempts:
            if self._running.get(attempt) is task:
                self._over(attempt, error)

    def _over(self, attempt: Attempt, error: BaseException | None) -> None:
        del self._running[attempt]
        attempt.over()
        self._on_end()
        if error is not None:
            log.error(
                "%s %s attempt %d ended with an unexpected error: %s. Its lease runs out by itself, and then "
                "its execution is claimed again.",
                attempt.facts["task"],
                attempt.facts["execution_id"],
                attempt.number,
                type(error).__name__,
                exc_info=error,
                extra={**attempt.facts, "outcome": "lost", "cause": repr(error)},
            )

    # ── many in one task ─────────────────────────────────────────────────────────────────────────

    async def _run_together(self, attempts: Sequence[Attempt]) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._services.keeper.hold(attempts)
        ended: list[_Ended] = []
        turn_ends_at = time.monotonic() + TURN_S
        for place, attempt in enumerate(attempts):
            if place and time.monotonic() >= turn_ends_at:
                self._start_all(attempts[place:])
                break
            variables, code = copy_context(), attempt.run_code(task)
            try:
                waits_for = variables.run(code.send, None)
            except StopIteration as end:
                ending: Ending | None = end.value
                if task.cancelling():  # its own code has cancelled it
                    self._hand_over(ended, attempts[place + 1 :])
                    await attempt.finish(ending)
                    return
                if (completion := attempt.completion(ending)) is not None:
                    ended.append((attempt, ending, completion))
                else:
                    self._run(attempt.finish(ending), [attempt], _name_of(attempt))
            except (Exception, asyncio.CancelledError) as error:
                self._over(attempt, None if isinstance(error, asyncio.CancelledError) else error)
            else:
                self._alone[attempt.kind] = ALONE
                task.set_name(_name_of(attempt))
                self._hand_over(ended, attempts[place + 1 :])
                await attempt.finish(await _Begun(variables, code, waits_for))
                return
        await self._complete(ended)

    def _hand_over(self, ended: Sequence[_Ended], rest: Sequence[Attempt]) -> None:
        """Let other tasks report those that have ended, and run the rest."""
        if ended:
            self._run(self._complete(ended), [attempt for attempt, *_ in ended], "flowfabric completions")
        for attempt in rest:
            self._start_alone(attempt)

    async def _complete(self, ended: Sequence[_Ended]) -> None:
        """Complete executions in one call. Those that are not completed by it are reported one by one."""
        for attempt, ending, _ in ended:
            if attempt.is_lost:  # since its code has ended
                self._run(attempt.finish(ending), [attempt], _name_of(attempt))
        ended = [each for each in ended if not each[0].is_lost]
        if not ended:
            return
        answers = await self._services.completions.report_all([completion for *_, completion in ended])
        for (attempt, ending, _), answer in zip(ended, answers, strict=True):
            if isinstance(answer, Completed):
                attempt.completed()
                del self._running[attempt]
            else:
                self._run(attempt.finish(ending), [attempt], _name_of(attempt))
        self._on_end()


class _Begun:
    """The rest of a coroutine that has begun, with the context variables that it has had from the beginning."""

    def __init__(self, variables: Variables, code: Coroutine[Any, Any, Ending | None], waits_for: Any) -> None:
        self._variables = variables
        self._code = code
        self._waits_for = waits_for
        """What it has awaited first."""

    def __await__(self) -> Generator[Any, Any, Ending | None]:
        run, code, waits_for = self._variables.run, self._code, self._waits_for
        try:
            while True:
                try:
                    sent = yield waits_for
                except GeneratorExit:
                    run(code.close)
                    raise
                except BaseException as error:
                    waits_for = run(code.throw, error)
                else:
                    waits_for = run(code.send, sent)
        except StopIteration as end:
            ending: Ending | None = end.value
            return ending


def _name_of(attempt: Attempt) -> str:
    return f"flowfabric {attempt.kind} {attempt.lease.execution_id}"
