"""One leased execution, from its claim to the report of how it ended.

How an attempt can end, and what the engine is told:
- its function returns: complete, or, if the result is not what the function says it returns, fail without a retry;
- its function raises: fail;
- its lease is lost: nothing, because nobody would listen; a cancelled member of a flow is acknowledged;
- its worker shuts down before it is done: release;
- the process that runs it dies: its lease is given up, which counts as an interruption.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any, Final, Literal, Protocol, TypeVar, assert_never

import msgspec

from flowfabric.domain.errors import (
    Contention,
    EngineError,
    ExecutionNotActive,
    InvalidInput,
    NotFound,
    Refused,
    StoreError,
)
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Claimed, RetryScheduled
from flowfabric.runtime.attempt_log import AttemptLog
from flowfabric.runtime.background import Background
from flowfabric.runtime.backoff import Backoff
from flowfabric.runtime.completions import CompletionBatcher
from flowfabric.runtime.context import Assignment, AttemptCancelled, Context
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.failures import AttemptFailure, failure_of, fitting
from flowfabric.runtime.lease_keeper import LeaseKeeper
from flowfabric.runtime.payloads import Codec, Signature, decoded, encoded
from flowfabric.runtime.steps import StoredStep
from flowfabric.runtime.threads import Threads

T = TypeVar("T")

NOTHING: Final = b"null"
"""What a function that returns nothing has returned, written."""
UNKNOWN_TASK_DELAY_MS: Final = 10_000
"""How long an execution waits for a worker that knows its task, after one did not."""


class Settings(Protocol):
    """What a worker asks of a task's options."""

    @property
    def isolation(self) -> Literal["process"] | None:
        """Whether the task runs in a process of its own."""

    @property
    def give_up_on(self) -> tuple[type[BaseException], ...]:
        """The exceptions after which no retry follows."""


class RunnableTask(Protocol):
    """What a worker asks of a task."""

    @property
    def name(self) -> str:
        """The kind of its executions."""

    @property
    def function(self) -> Callable[..., Any]:
        """What is run."""

    @property
    def is_async(self) -> bool:
        """Whether the function is a coroutine function."""

    @property
    def signature(self) -> Signature:
        """How its arguments and result are written."""

    @property
    def settings(self) -> Settings:
        """Its options."""


class Succeeded(msgspec.Struct, frozen=True, tag=True):
    """The function has returned; this is its result, written."""

    result: bytes


class Died(msgspec.Struct, frozen=True, tag=True):
    """The process that ran the function is gone, and nobody knows how far it came."""

    reason: str


class Stopped(msgspec.Struct, frozen=True, tag=True):
    """The function was told to stop, and has."""


Ending = Succeeded | AttemptFailure | Died | Stopped


class Children(Protocol):
    """Processes that run functions."""

    async def run(self, attempt: "Attempt", call: "Call") -> Ending:
        """Run the call in a process. Cancelled, it stops the process before it returns."""


class Call(msgspec.Struct, frozen=True):
    """What is to be called, and with what, as it was written."""

    assignment: Assignment
    payload: bytes
    inputs: Mapping[str, bytes]


class WorkerServices(msgspec.Struct, frozen=True):
    """What all attempts of a worker share."""

    engine: WorkerEngine
    keeper: LeaseKeeper
    background: Background
    completions: CompletionBatcher
    threads: Threads
    children: Children
    codec: Codec
    tasks: Mapping[str, RunnableTask]
    lease_ttl_ms: int
    all_in_processes: bool
    keeps_tracebacks: bool


class Attempt:
    """Runs one claimed execution and reports how it ended. Supervises its context."""

    def __init__(self, claimed: Claimed, services: WorkerServices, on_code_ended: Callable[[], None]) -> None:
        self._claimed = claimed
        self._services = services
        self._log = AttemptLog(claimed)
        self._on_code_ended = on_code_ended
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._coroutine: asyncio.Task[None] | None = None
        self._context: Context | None = None
        self._is_running = False
        self._lost: str | None = None
        self._is_stopping = False
        self._is_abandoned = False
        self._progress: tuple[int | None, str | None] | None = None
        self._progress_is_on_its_way = False

    @property
    def lease(self) -> Lease:
        """The lease under which it runs."""
        return self._claimed.lease

    @property
    def facts(self) -> dict[str, object]:
        """What its log records carry."""
        return self._log.facts

    @property
    def number(self) -> int:
        """Which attempt of its execution it is, from 1, as people count."""
        return self._claimed.attempt_index + 1

    def start(self) -> "asyncio.Task[None]":
        """Begin. The task ends when everything is reported."""
        self._coroutine = asyncio.create_task(self._run(), name=f"flowfabric {self._claimed.execution_id}")
        return self._coroutine

    # ── being stopped ────────────────────────────────────────────────────────────────────────────

    def lose(self, code: str) -> None:
        """Stop, because the lease is over. Whatever it would report is void."""
        if self._lost is None:
            self._lost = code
            self._stop(code)

    def vanish(self) -> None:
        """Stop, and say nothing of it to anyone, as if the process were gone."""
        self._leave_threads()
        self.lose("worker_died")

    def hand_back(self) -> None:
        """Stop, because the worker shuts down; once it has stopped, the execution is released."""
        self._stop("worker_stops")

    async def abandon(self) -> None:
        """Release the execution although its code has not stopped, because the process is about to end."""
        self._leave_threads()
        if self._is_running and self._lost is None:
            self._services.keeper.let_go(self)
            # Said first: there may be no time for it afterwards.
            why = ", although its code still runs, because the worker stops"
            self._log.ended("released", "is handed back", why, level=logging.WARNING)
            await self._told(lambda: self._services.engine.release(self.lease))

    def _leave_threads(self) -> None:
        self._is_abandoned = True
        if self._context is not None:
            self._context.steps.leave()

    def _stop(self, reason: str) -> None:
        self._is_stopping = True
        if self._context is not None:
            self._context.cancelled.set(reason)
        if self._is_running and self._coroutine is not None:
            # Only ever while the code runs: what is reported must not be cut off. A thread's attempt is deaf to it.
            self._coroutine.cancel()

    # ── running ──────────────────────────────────────────────────────────────────────────────────

    async def _run(self) -> None:
        # Whichever way this block is left, the lease is renewed no longer. What is not reported runs out by itself.
        with self._services.keeper.holding(self):
            try:
                ending = await self._ending()
            finally:
                self._log.code_ended()
                self._on_code_ended()
            # Attempt, task and context know each other: apart, they are gone at once, and no collection looks for them.
            self._coroutine = self._context = None
            try:
                await self._report(ending)
            except EngineError as error:
                why = ", and that could not be reported"
                trace = _trace_of(ending)
                self._log.ended("lost", _word_for(ending), why, cause=str(error), trace=trace, level=logging.ERROR)

    async def _ending(self) -> Ending | None:
        """How the attempt ended; None: this worker has no such task, so nothing was run."""
        task = self._services.tasks.get(self._claimed.kind)
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
            assert self._coroutine is not None
            self._coroutine.uncancel()
            return Stopped()
        except Exception as error:
            # What comes before the function: a payload that does not fit, or that the codec cannot decode.
            return failure_of(error, task.settings.give_up_on)
        finally:
            self._is_running = False

    async def _run_in_place(self, task: RunnableTask) -> Ending:
        """Run the function where it belongs."""
        claimed, codec = self._claimed, self._services.codec
        assignment = Assignment(
            claimed.kind,
            claimed.execution_id,
            claimed.attempt_index,
            claimed.lease.lease_epoch,
            claimed.lane,
            claimed.namespace,
            claimed.flow_id,
            claimed.tags,
            claimed.lease.expires_at_ms - self._services.lease_ttl_ms,
            claimed.attempt_ends_at_ms,
        )
        payload = decoded(codec, claimed.payload, "the arguments")
        inputs = {name: decoded(codec, data, f"argument {name!r}") for name, data in claimed.inputs.items()}
        if self._services.all_in_processes or task.settings.isolation == "process":
            return await self._services.children.run(self, Call(assignment, payload, inputs))
        context = self._context = Context(assignment, self)
        arguments = task.signature.arguments(payload, inputs)
        if task.is_async:
            return await run_async(task, context, arguments)
        return await self._in_thread(lambda: run_plain(task, context, arguments))

    async def _in_thread(self, function: Callable[[], Ending]) -> Ending:
        """Run in a thread, and wait until it is done: a thread is told to stop, and cannot be made to."""
        future = asyncio.wrap_future(self._services.threads.submit(function))
        while True:
            try:
                return await asyncio.shield(future)
            except asyncio.CancelledError:
                if not self._is_stopping or self._is_abandoned:
                    future.cancel()  # nobody on this loop waits for the thread any more
                    raise
                assert self._coroutine is not None
                self._coroutine.uncancel()

    async def _put_off(self) -> None:
        """Hand back what this worker has no task for, to be claimed again a little later, perhaps by one that has."""
        until_ms = self.lease.expires_at_ms - self._services.lease_ttl_ms + UNKNOWN_TASK_DELAY_MS
        await self._told(lambda: self._services.engine.delay(self.lease, until_ms=until_ms))
        known = ", ".join(sorted(self._services.tasks)) or "no tasks"
        self._log.say(
            logging.WARNING,
            f"is put off by {UNKNOWN_TASK_DELAY_MS // 1000} s",
            f"no task {self._claimed.kind!r} here; this worker knows {known}. Start a worker of the program that has "
            "it, or put it into another lane.",
            outcome="released",
        )

    # ── reporting ────────────────────────────────────────────────────────────────────────────────

    async def _report(self, ending: Ending | None) -> None:
        engine, lease = self._services.engine, self.lease
        if self._is_abandoned:
            return
        if ending is None:
            await self._put_off()
            return
        if self._lost is not None:
            self._log.ended("lost", "stopped", ", because its lease is over", cause=self._lost)
            await self._acknowledge_cancel()
            return
        if self._progress is not None:
            # One turn of the loop, in which it is sent: the commands of one execution keep their order.
            self._services.background.start(self._send_progress())
            await asyncio.sleep(0)
        match ending:
            case Succeeded(result):
                await self._complete(result)
            case AttemptFailure():
                await self._fail(ending)
            case Died(reason):
                await self._told(
                    lambda: engine.revoke_lease(
                        lease.execution_id, expected_lease_id=lease.lease_id, reason=fitting(reason)
                    ),
                )
                self._log.ended("interrupted", "was interrupted", cause=reason)
            case Stopped():
                if not self._is_lost(ending, await self._told(lambda: engine.release(lease))):
                    self._log.ended("released", "was handed back", ", because the worker stops")

    async def _complete(self, result: bytes) -> None:
        engine, lease = self._services.engine, self.lease
        try:
            stored = self._stored(result)
            is_taken = await self._services.completions.complete(lease, stored)
            answer = None if is_taken else await self._told(lambda: engine.complete(lease, stored))
        except InvalidInput as error:  # the codec cannot encode it, or it is larger than the engine takes
            await self._fail(failure_of(error))
            return
        if not self._is_lost(Succeeded(result), answer):
            self._log.ended("success", "completed")

    async def _fail(self, failure: AttemptFailure) -> None:
        engine, lease = self._services.engine, self.lease
        answer = await self._told(
            lambda: engine.fail(
                lease,
                code=failure.code,
                message=failure.message,
                retryable=failure.retryable,
                traceback=failure.trace if self._services.keeps_tracebacks else None,
            )
        )
        if self._is_lost(failure, answer):
            return
        if isinstance(answer, RetryScheduled):
            why = f", and attempt {answer.next_attempt_index + 1} follows at {_clock_time(answer.delay_until_ms)}"
            self._log.ended("retry", "failed", why, cause=_cause_of(failure), trace=failure.trace)
        else:
            self._log.ended("failed", "failed for good", cause=_cause_of(failure), trace=failure.trace)

    def _is_lost(self, ending: Ending, answer: object) -> bool:
        """Whether the report came too late; then this is the line that says so."""
        if not isinstance(answer, EngineError):
            return False
        trace = _trace_of(ending)
        why = ", and that was refused, because its lease is over"
        # What an operator or its flow has cancelled meanwhile is nothing to warn of.
        is_cancelled = isinstance(answer, ExecutionNotActive) and answer.public_state == "cancelled"
        level = None if is_cancelled else logging.WARNING
        self._log.ended("lost", _word_for(ending), why, cause=str(answer), trace=trace, level=level)
        return True

    def _stored(self, result: bytes) -> bytes | None:
        """A result as it is kept. Of nothing, nothing is kept, unless a flow may have to pass it on."""
        if result == NOTHING and self._claimed.flow_id is None:
            return None
        return encoded(self._services.codec, result, "the result")

    async def _told(self, send: Callable[[], Awaitable[T]]) -> T | Refused | NotFound:
        """The answer to a command. A refusal means that the lease is over, which is no error."""
        try:
            return await self._patiently(send)
        except (Refused, NotFound) as refusal:
            await self._acknowledge_cancel()
            return refusal

    async def _patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send again while the store is away, for as long as the lease may be alive."""
        backoff = Backoff()
        while True:
            try:
                return await send()
            except (StoreError, Contention) as error:
                if not error.retryable or self._services.keeper.is_over(self):
                    raise
            await asyncio.sleep(backoff.next_s())

    async def _acknowledge_cancel(self) -> None:
        """Say that the code of a cancelled member has stopped, if it was our lease that the cancel took away."""
        flow_id, engine = self._claimed.flow_id, self._services.engine
        if flow_id is None:
            return
        try:
            now = await engine.describe_execution(self.lease.execution_id)
            # One more epoch than ours: with two, someone else ran it since, and the acknowledgement is theirs to give.
            if now is not None and now.public_state == "cancelled" and now.lease_epoch == self.lease.lease_epoch + 1:
                await engine.ack_cancel_member(flow_id, self.lease.execution_id)
        except EngineError as error:
            # The engine acknowledges by itself once the lease would have been over.
            self._log.say(logging.INFO, "has stopped, and its cancel could not be acknowledged", str(error))

    # ── supervising the context; from any thread ─────────────────────────────────────────────────

    @property
    def threads(self) -> Threads:
        """Where plain steps run: beside the worker's plain tasks."""
        return self._services.threads

    def load_steps(self) -> Future[Sequence[StoredStep]]:
        """The steps that earlier attempts have stored."""
        return self._on_loop(self.stored_steps())

    def record_step(self, name: str, fingerprint: bytes, result: bytes) -> Future[None]:
        """Store a step."""
        return self._on_loop(self.store_step(name, fingerprint, result))

    def _on_loop(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        try:
            return asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        except RuntimeError:  # the loop is closed: this thread was left behind
            coroutine.close()
            raise AttemptCancelled("worker_stops") from None

    def report_progress(self, percent: int | None, message: str | None) -> None:
        """Send how far it is; what is not sent yet when newer comes is dropped."""
        if threading.get_ident() == self._thread:
            self._note_progress(percent, message)
        else:
            self._loop.call_soon_threadsafe(self._note_progress, percent, message)

    async def stored_steps(self) -> Sequence[StoredStep]:
        """The same as load_steps, on the loop."""
        found = await self._patiently(lambda: self._services.engine.list_steps(self.lease.execution_id))
        codec = self._services.codec
        return [
            StoredStep(
                step.name,
                step.fingerprint,
                decoded(codec, step.result, f"the result of step {step.name!r}"),
                step.attempt_index,
            )
            for step in found
        ]

    async def store_step(self, name: str, fingerprint: bytes, result: bytes) -> None:
        """The same as record_step, on the loop."""
        stored = encoded(self._services.codec, result, f"the result of step {name!r}")
        await self._patiently(
            lambda: self._services.engine.record_step(self.lease, name, stored, fingerprint=fingerprint)
        )

    def _note_progress(self, percent: int | None, message: str | None) -> None:
        self._progress = (percent, message)
        if self._is_running and not self._progress_is_on_its_way:
            self._services.background.start(self._send_progress())

    async def _send_progress(self) -> None:
        """Send what was reported last, and what is reported meanwhile."""
        self._progress_is_on_its_way = True
        try:
            while self._progress is not None:
                (percent, message), self._progress = self._progress, None
                await self._services.engine.progress(self.lease, percent=percent, message=message)
        except (Refused, NotFound) as refusal:
            if self._is_running:
                self.lose(refusal.code)
        except EngineError as error:
            self._log.say(logging.INFO, "reported progress that could not be stored", str(error))
        finally:
            self._progress_is_on_its_way = False


def _cause_of(failure: AttemptFailure) -> str:
    return f"{failure.code}: {failure.message}" if failure.message else failure.code


def _trace_of(ending: Ending | None) -> str:
    return ending.trace if isinstance(ending, AttemptFailure) else ""


def _word_for(ending: Ending | None) -> str:
    """How the code of an attempt ended, in a word."""
    match ending:
        case Succeeded():
            return "completed"
        case AttemptFailure():
            return f"failed ({_cause_of(ending)})"
        case Died(reason):
            return f"was interrupted ({reason})"
        case Stopped():
            return "stopped"
        case None:
            return "was to be put off"
        case _:
            assert_never(ending)


def _clock_time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


async def run_async(task: RunnableTask, context: Context, arguments: Mapping[str, object]) -> Ending:
    """Run a coroutine function to its end, on this loop. One that is to stop has ended when its plain steps have."""
    try:
        value = await task.function(context, **arguments)
    except asyncio.CancelledError as error:
        current = asyncio.current_task()
        # Also when the whole program ends, and cancels this before the worker can say so to the context.
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
