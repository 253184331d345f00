"""One leased execution, from its claim to the report of how it ended.

How an attempt can end, and what the worker then tells the engine:
- its function returns: complete; or, if the result does not fit the function's type hint, fail without a retry;
- its function raises: fail;
- its lease is lost: nothing, because the engine would refuse it; for a cancelled member of a flow, an acknowledgement;
- its worker stops before the code has ended: release;
- its code waits, and the execution is suspended or parked: nothing, because the command that did this has said all;
- a budget of it is exceeded, and its code has stopped at a step: release;
- its function raises RateLimited: the limit is paused, and the execution is delayed; without such a limit: fail;
- the process that runs it dies: its lease is given up, which counts as an interruption.
"""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.errors import InvalidInput, NotFound
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import AlreadySatisfied, Claimed, Parked, Suspended, WaitOver, Waitpoint
from flowfabric.ports.tracing import Tracer
from flowfabric.runtime.attempt_budgets import AttemptBudgets
from flowfabric.runtime.attempt_children import WithChildren
from flowfabric.runtime.attempt_limits import AttemptLimits
from flowfabric.runtime.attempt_log import AttemptLog
from flowfabric.runtime.attempt_threads import FromThreads
from flowfabric.runtime.attempt_waits import AttemptWaits
from flowfabric.runtime.budget_desk import BudgetDesk
from flowfabric.runtime.codecs import decoded, encoded
from flowfabric.runtime.completions import Completion
from flowfabric.runtime.context import Context, assignment_of
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.failures import failure_of
from flowfabric.runtime.lease_keeper import LEASE_IS_OVER
from flowfabric.runtime.limit_desk import LimitDesk
from flowfabric.runtime.progress import ProgressReports
from flowfabric.runtime.reporting import Reporter, stored_result
from flowfabric.runtime.running import Call, Ending, RunnableTask, Stopped, Succeeded, run_async, run_plain
from flowfabric.runtime.services import WorkerServices
from flowfabric.runtime.speech import Speech
from flowfabric.runtime.steps import StoredStep
from flowfabric.runtime.stream_desk import FORKED, UNHEARD, RelayDesk
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.wait_desk import NewWaitpoint, SuspendAnswer, Wait
from flowfabric.runtime.waits import Waits

T = TypeVar("T")


class Attempt(WithChildren, FromThreads):
    """Runs one claimed execution, and reports how it ended. It also serves the context of the code."""

    def __init__(self, claimed: Claimed, services: WorkerServices, on_code_ended: Callable[[], None]) -> None:
        self._claimed = claimed
        self._services = services
        self._log = AttemptLog(claimed)
        self._on_code_ended = on_code_ended
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._task: asyncio.Task[None] | None = None
        self._context: Context | None = None
        self._progress: ProgressReports | None = None
        self._speech: Speech | None = None
        """What its code has said; None: nothing."""
        self._is_running = False
        self._lost: str | None = None
        self._is_stopping = False
        self._is_abandoned = False
        self._linger_s = services.lingering.linger_s
        self._is_suspending = False
        """The command that suspends the execution is under way."""
        self._waits_for: Wait | None = None
        """The wait that has suspended the execution."""
        self.must_pause = False
        """A budget of the execution is exceeded: its code is to stop at the next step."""

    @property
    def lease(self) -> Lease:
        """The lease under which the attempt runs."""
        return self._claimed.lease

    @property
    def kind(self) -> str:
        """The kind of its execution."""
        return self._claimed.kind

    @property
    def is_lost(self) -> bool:
        """Whether its lease is over, or its worker has died."""
        return self._lost is not None

    @property
    def facts(self) -> dict[str, object]:
        """The fields that its log records carry."""
        return self._log.facts

    @property
    def number(self) -> int:
        """The number of this attempt of its execution; the first is 1."""
        return self._claimed.attempt_index + 1

    @property
    def _reporter(self) -> Reporter:
        # Not kept in an attribute: two objects that refer to each other stay in memory until a garbage collection.
        return Reporter(self._claimed, self._services, self, self._log, self._speech)

    # ── being stopped ────────────────────────────────────────────────────────────────────────────

    def lose(self, code: str) -> None:
        """Stop, because the lease is over. Nothing that the attempt could report would count."""
        if self._lost is not None or self._waits_for is not None:
            return
        self._lost = code
        if not self._is_suspending:  # otherwise the suspension itself may have ended the lease, and its answer says so
            self._fall_silent()
            self._stop(code)

    def pause(self) -> None:
        """Stop at the next step, because a budget is exceeded. Then the execution is released, and goes on later."""
        self.must_pause = True
        if self._context is not None:
            self._context.steps.standstill.must_pause = True
            if "waits" in vars(self._context):
                self._context.waits.hurry()

    def vanish(self) -> None:
        """Stop, and report nothing, as if the process were gone."""
        self._fall_silent()
        self._leave_threads()
        self._lost = self._lost or "worker_died"
        self._stop("worker_died")

    def hand_back(self) -> None:
        """Stop, because the worker shuts down. Once the code has stopped, the execution is released."""
        self._stop("worker_stops")

    async def abandon(self) -> None:
        """Release the execution although its code has not stopped, because the process is about to end. Once."""
        if self._is_abandoned:
            return
        self._leave_threads()
        if self._is_running and self._lost is None and self._waits_for is None:
            self._services.keeper.let_go(self)
            await self._reporter.release_while_it_runs()
        self._fall_silent()

    def _leave_threads(self) -> None:
        self._is_abandoned = True
        if self._context is not None:
            self._context.steps.leave()

    def _fall_silent(self) -> None:
        """Drop what is said and not stored, now and later."""
        if self._speech is not None:
            self._speech.close()

    def _stop(self, reason: str) -> None:
        self._is_stopping = True
        if self._context is not None:
            self._context.cancelled.set(reason)
        if self._is_running and self._task is not None:
            # Only while the code runs: a report must not be interrupted. Code in a thread checks its context instead.
            self._task.cancel()

    # ── running ──────────────────────────────────────────────────────────────────────────────────

    async def run_traced(self, tracer: Tracer) -> None:
        """`run` within a span. The span ends when the report is committed."""
        with tracer.attempting(self._claimed) as span:
            self._log.span = span
            await self.run()

    async def run(self) -> None:
        """Run the code and report how it ended. However the block below ends, the lease is not renewed after it."""
        with self._services.keeper.holding(self):
            await self.finish(await self.run_code(asyncio.current_task()))

    async def run_code(self, task: "asyncio.Task[None] | None") -> Ending | None:
        """Run the code in this task, and return how it ended. None: this worker has no such task."""
        self._task = task
        try:
            return await self._ending()
        finally:
            self._log.code_ended()
            self._on_code_ended()
            # Attempt, task and context refer to each other. Without these references Python frees them at once.
            self._task = self._context = None

    async def finish(self, ending: Ending | None) -> None:
        """Report how the code ended. When this returns, the report is committed, or the lease will run out."""
        try:
            if not self._is_abandoned:
                await self._report(ending)
        finally:
            self.over()

    def completion(self, ending: Ending | None) -> Completion | None:
        """What completes the execution. None: more is to be reported than a result, or the result cannot be stored."""
        if not isinstance(ending, Succeeded) or self._is_abandoned or self.is_lost:
            return None
        if self._waits_for is not None or self._progress is not None or self._speech is not None:
            return None
        try:
            return self._claimed.lease, stored_result(self._claimed, self._services.codec, ending.result)
        except InvalidInput:
            return None

    def completed(self) -> None:
        """Note that the execution is completed."""
        self._log.ended("success", "completed")
        self.over()

    def over(self) -> None:
        """Keep the lease no longer. What was said and not stored is dropped."""
        self._services.keeper.let_go(self)
        self._fall_silent()
        self._speech = None

    async def _report(self, ending: Ending | None) -> None:
        progress, self._progress = self._progress, None
        if self._waits_for is not None:
            self._reporter.suspended(self._waits_for, ending)
        elif ending is None:
            await self._reporter.put_off()
        elif self._lost is not None:
            await self._reporter.stopped_without_lease(self._lost)
        else:
            if progress is not None:
                await progress.finish()
            await self._reporter.report(ending)

    async def _ending(self) -> Ending | None:
        """How the code ended; None: this worker has no such task, so nothing was run."""
        task = self._services.registered.get(self._claimed.kind)
        if task is None:
            return None
        self._is_running = True
        self._log.started()
        try:
            if self._is_stopping:
                return Stopped()
            return await self._run_in_place(task)
        except asyncio.CancelledError:
            if not self._is_stopping:
                raise
            assert self._task is not None
            self._task.uncancel()
            return Stopped()
        except Exception as error:
            # Raised before the function was called: the payload does not fit, or the codec cannot decode it.
            return failure_of(error, task.settings.give_up_on)
        finally:
            self._is_running = False

    async def _run_in_place(self, task: RunnableTask) -> Ending:
        """Run the function in a child process, in a thread or on this loop."""
        claimed, codec = self._claimed, self._services.codec
        assignment = assignment_of(claimed, self._services.lease_ttl_ms)
        payload = decoded(codec, claimed.payload, "the arguments")
        inputs = {name: decoded(codec, data, f"argument {name!r}") for name, data in claimed.inputs.items()}
        if self._services.all_in_processes or task.settings.isolation == "process":
            is_watched, span = self._services.step_watch is not None, self._log.span
            trace = None if span is None else span.traceparent
            return await self._services.children.run(Call(assignment, payload, inputs, is_watched, trace), self)
        if task.settings.linger_ms is not None:
            self._linger_s = task.settings.linger_ms / 1000
        context = self._context = Context(assignment, self)
        context.steps.standstill.must_pause = self.must_pause
        context.steps.watch = self._services.step_watch
        arguments = task.signature.arguments(payload, inputs)
        if task.is_async:
            return await run_async(task, context, arguments)
        return await self._in_thread(lambda: run_plain(task, context, arguments))

    async def _in_thread(self, function: Callable[[], Ending]) -> Ending:
        """Run in a thread, and wait until it ends. A thread can be asked to stop, but nobody can force it."""
        future = asyncio.wrap_future(self._services.threads.submit(function))
        while True:
            try:
                return await asyncio.shield(future)
            except asyncio.CancelledError:
                if not self._is_stopping or self._is_abandoned:
                    future.cancel()  # no code on this loop waits for the thread any more
                    raise
                assert self._task is not None
                self._task.uncancel()

    # ── serving the context; from any thread ─────────────────────────────────────────────────────

    @property
    def threads(self) -> Threads:
        """The threads in which plain steps run: those of the worker's plain tasks."""
        return self._services.threads

    @property
    def stream_desk(self) -> RelayDesk:
        """Takes what the attempt says."""
        if os.getpid() != self._services.flusher.pid:
            return FORKED
        if self._speech is not None:
            return self._speech
        with (flusher := self._services.flusher).making:
            if self._speech is None:
                if not self._is_running or self._is_abandoned or self._lost is not None or self._waits_for is not None:
                    return UNHEARD  # no code could store it any more
                self._speech = Speech(self.lease, flusher, self._log, self.lose)
            return self._speech

    @property
    def budget_desk(self) -> BudgetDesk:
        """Sends to the engine what the attempt spends."""
        return AttemptBudgets(self._services.engine, self)

    @property
    def limit_desk(self) -> LimitDesk:
        """Takes slots for blocks of the code."""
        return AttemptLimits(self._services.engine, self)

    def report_progress(self, percent: int | None, message: str | None) -> None:
        """Send the progress of the attempt. A report that is not sent yet is dropped when a newer one comes."""
        if threading.get_ident() == self._thread:
            self._note_progress(percent, message)
        else:
            self._loop.call_soon_threadsafe(self._note_progress, percent, message)

    def _note_progress(self, percent: int | None, message: str | None) -> None:
        if not self._is_running or self._waits_for is not None:
            return
        if self._progress is None:
            self._progress = ProgressReports(self.lease, self._services, self._log, self.lose)
        self._progress.note(percent, message)

    async def stored_step(self, name: str) -> StoredStep | None:
        """The step of this name, if an earlier attempt has stored it."""
        engine, codec = self._services.engine, self._services.codec
        step = await self.patiently(lambda: engine.get_step(self.lease.execution_id, name))
        if step is None:
            return None
        # The end of a wait is no result of a step, and no codec has encoded it.
        result = b"" if step.is_wait else decoded(codec, step.result, f"the result of step {name!r}")
        return StoredStep(name, step.fingerprint, result, step.attempt_index, step.is_wait)

    async def store_step(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        """Store a step, and charge what it has spent."""
        stored = encoded(self._services.codec, result, f"the result of step {name!r}")
        spent = {} if charge is None else {"spent": charge.amounts, "reserved": charge.reserved}
        budget = None if charge is None else charge.budget
        answer = await self._reporter.sent(
            lambda engine: engine.record_step(
                self.lease, name, stored, fingerprint=fingerprint, tries=tries, budget=budget, **spent
            )
        )
        if answer.pause:
            self.pause()
        if took_s is not None and self._services.telemetry is not None:
            claimed = self._claimed
            self._services.telemetry.step_stored(claimed.namespace, claimed.lane, claimed.kind, took_s)
        if took_s is not None and self._services.tracer is not None and self._context is None:
            self._services.tracer.step_ended(name, took_s)  # of a child process

    # ── waiting ──────────────────────────────────────────────────────────────────────────────────

    @property
    def linger_s(self) -> float:
        """How long waits of an async function stay in memory."""
        return self._linger_s

    @property
    def may_linger(self) -> bool:
        """Whether they may linger now."""
        return self._services.lingering.is_allowed and not self._is_stopping and not self.must_pause

    @property
    def pause_in_place_s(self) -> float:
        """Pauses between the tries of a step that are shorter than this need no suspension."""
        return self._linger_s

    def lingers(self, waits: Waits, *, begins: bool) -> None:
        """Note that the attempt begins to linger, or has stopped."""
        if begins:
            self._services.lingering.begin(waits)
        else:
            self._services.lingering.end(waits)

    @property
    def _waits(self) -> AttemptWaits:
        return AttemptWaits(self._services.engine, self._services.codec, self)

    async def open_wait(self, wait: Wait) -> WaitOver | None:
        """Open a wait, and keep the lease."""
        return await self._waits.open(wait)

    async def watch_wait(self, wait: Wait, timeout_s: float) -> WaitOver | None:
        """Wait until a wait is over, while the lease is kept."""
        return await self._waits.watch(wait, timeout_s)

    async def suspend(self, wait: Wait) -> SuspendAnswer:
        """Suspend the execution. Its lease is not renewed any more, and the code has to unwind."""
        if self._progress is not None:
            await self._progress.flush()
        self._is_suspending = True
        answer: Suspended | Parked | WaitOver | AlreadySatisfied | None = None
        try:
            answer = await self._waits.suspend(wait)
        finally:
            self._is_suspending = False
            if self._lost is not None and not isinstance(answer, Suspended | Parked):
                self._fall_silent()
                self._stop(self._lost)
        if isinstance(answer, WaitOver):
            return answer
        if isinstance(answer, AlreadySatisfied):
            return "go on"
        self._waits_for = wait
        self._fall_silent()
        self._services.keeper.let_go(self)
        if self._context is not None:
            self._context.cancelled.set("suspended")
        return "suspended"

    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """Make a waitpoint."""
        return await self._waits.make_waitpoint(waitpoint)

    async def sent(self, send: Callable[[WorkerEngine], Awaitable[T]]) -> T:
        """The answer to a command of the code, which carries what it has said. Without a lease the attempt stops."""
        try:
            return await self._reporter.sent(send)
        except LEASE_IS_OVER as refusal:
            if not isinstance(refusal, NotFound) or refusal.entity not in ("limit", "budget"):
                self.lose(refusal.code)
            raise

    async def patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send again while the store is unavailable, for as long as the lease may be alive."""
        return await self._reporter.patiently(send)
