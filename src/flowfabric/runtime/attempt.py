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
from typing import Any, Final, Literal, Protocol, TypeVar

import msgspec

from flowfabric.domain.errors import Contention, EngineError, InvalidInput, NotFound, Refused, StoreError
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Claimed, ClaimedUntil
from flowfabric.ports import WorkerEngine
from flowfabric.runtime.background import Background
from flowfabric.runtime.context import Assignment, AttemptCancelled, Context
from flowfabric.runtime.failures import AttemptFailure, failure_of, fitting
from flowfabric.runtime.lease_keeper import LeaseKeeper
from flowfabric.runtime.patience import Backoff
from flowfabric.runtime.payloads import Codec, Signature, decoded, encoded
from flowfabric.runtime.reports import Reports
from flowfabric.runtime.steps import StoredStep
from flowfabric.runtime.threads import Threads

T = TypeVar("T")

log = logging.getLogger("flowfabric.worker")

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


class Surroundings(msgspec.Struct, frozen=True):
    """What all attempts of a worker share."""

    engine: WorkerEngine
    keeper: LeaseKeeper
    background: Background
    reports: Reports
    threads: Threads
    children: Children
    codec: Codec
    tasks: Mapping[str, RunnableTask]
    lease_ttl_ms: int
    all_in_processes: bool


class Attempt:
    """Runs one claimed execution and reports how it ended. Supervises its context."""

    def __init__(self, claimed: Claimed, around: Surroundings, on_code_ended: Callable[[], None]) -> None:
        self._claimed = claimed
        self._around = around
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
        return {
            "task": self._claimed.kind,
            "execution_id": self._claimed.execution_id,
            "attempt_index": self._claimed.attempt_index,
            "fencing_token": self.lease.lease_epoch,
        }

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
            self._around.keeper.let_go(self)
            log.warning("released while its code still runs", extra=self.facts)
            await self._tell("release", lambda: self._around.engine.release(self.lease))

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
        with self._around.keeper.holding(self):
            try:
                ending = await self._ending()
            finally:
                self._on_code_ended()
            # Attempt, task and context know each other: apart, they are gone at once, and no collection looks for them.
            self._coroutine = self._context = None
            try:
                await self._report(ending)
            except EngineError as error:
                log.error("an attempt could not be reported: %s", error, extra=self.facts)

    async def _ending(self) -> Ending | None:
        """How the attempt ended; None: this worker has no such task, so nothing was run."""
        task = self._around.tasks.get(self._claimed.kind)
        if task is None:
            return None
        self._is_running = True
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
        claimed, codec = self._claimed, self._around.codec
        assignment = Assignment(
            claimed.kind,
            claimed.execution_id,
            claimed.attempt_index,
            claimed.lease.lease_epoch,
            claimed.lane,
            claimed.namespace,
            claimed.flow_id,
            claimed.tags,
            claimed.lease.expires_at_ms - self._around.lease_ttl_ms,
            claimed.attempt_ends_at_ms if isinstance(claimed, ClaimedUntil) else None,
        )
        payload = decoded(codec, claimed.payload, "the arguments")
        inputs = {name: decoded(codec, data, f"argument {name!r}") for name, data in claimed.inputs.items()}
        if self._around.all_in_processes or task.settings.isolation == "process":
            return await self._around.children.run(self, Call(assignment, payload, inputs))
        context = self._context = Context(assignment, self)
        arguments = task.signature.arguments(payload, inputs)
        if task.is_async:
            return await run_async(task, context, arguments)
        return await self._in_thread(lambda: run_plain(task, context, arguments))

    async def _in_thread(self, function: Callable[[], Ending]) -> Ending:
        """Run in a thread, and wait until it is done: a thread is told to stop, and cannot be made to."""
        future = asyncio.wrap_future(self._around.threads.submit(function))
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
        log.warning(
            "no task %r here; this worker knows %s. Start a worker of the program that has it, or put it into another "
            "lane. Put off by %d s.",
            self._claimed.kind,
            ", ".join(sorted(self._around.tasks)) or "no tasks",
            UNKNOWN_TASK_DELAY_MS // 1000,
            extra=self.facts,
        )
        until_ms = self.lease.expires_at_ms - self._around.lease_ttl_ms + UNKNOWN_TASK_DELAY_MS
        await self._tell("delay", lambda: self._around.engine.delay(self.lease, until_ms=until_ms))

    # ── reporting ────────────────────────────────────────────────────────────────────────────────

    async def _report(self, ending: Ending | None) -> None:
        engine, lease = self._around.engine, self.lease
        if self._is_abandoned:
            return
        if ending is None:
            await self._put_off()
            return
        if self._lost is not None:
            log.info("stopped, because its lease is over: %s", self._lost, extra=self.facts)
            await self._acknowledge_cancel()
            return
        if self._progress is not None:
            # One turn of the loop, in which it is sent: the commands of one execution keep their order.
            self._around.background.start(self._send_progress())
            await asyncio.sleep(0)
        match ending:
            case Succeeded(result):
                await self._complete(result)
            case AttemptFailure(code, message, retryable, trace):
                log.warning("attempt failed: %s: %s\n%s", code, message, trace, extra=self.facts)
                await self._tell("fail", lambda: engine.fail(lease, code=code, message=message, retryable=retryable))
            case Died(reason):
                log.error("attempt interrupted: %s", reason, extra=self.facts)
                await self._tell(
                    "revoke_lease",
                    lambda: engine.revoke_lease(
                        lease.execution_id, expected_lease_id=lease.lease_id, reason=fitting(reason)
                    ),
                )
            case Stopped():
                log.info("handed back, because the worker stops", extra=self.facts)
                await self._tell("release", lambda: engine.release(lease))

    async def _complete(self, result: bytes) -> None:
        engine, lease = self._around.engine, self.lease
        try:
            stored = self._stored(result)
            if not await self._around.reports.complete(lease, stored):
                await self._tell("complete", lambda: engine.complete(lease, stored))
        except InvalidInput as error:  # the codec cannot encode it, or it is larger than the engine takes
            failure = failure_of(error)
            log.warning("attempt failed: its result cannot be stored: %s", failure.trace, extra=self.facts)
            await self._tell(
                "fail", lambda: engine.fail(lease, code=failure.code, message=failure.message, retryable=False)
            )

    def _stored(self, result: bytes) -> bytes | None:
        """A result as it is kept. Of nothing, nothing is kept, unless a flow may have to pass it on."""
        if result == NOTHING and self._claimed.flow_id is None:
            return None
        return encoded(self._around.codec, result, "the result")

    async def _tell(self, what: str, send: Callable[[], Awaitable[object]]) -> None:
        """Send a command until it is answered. That it is refused means that the lease is over, which is no error."""
        try:
            await self._patiently(send)
        except (Refused, NotFound) as refusal:
            log.info("%s refused, because the lease is over: %s", what, refusal, extra=self.facts)
            await self._acknowledge_cancel()

    async def _patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send again while the store is away, for as long as the lease may be alive."""
        backoff = Backoff()
        while True:
            try:
                return await send()
            except (StoreError, Contention) as error:
                if not error.retryable or self._around.keeper.is_over(self):
                    raise
            await asyncio.sleep(backoff.next_s())

    async def _acknowledge_cancel(self) -> None:
        """Say that the code of a cancelled member has stopped, if it was our lease that the cancel took away."""
        flow_id, engine = self._claimed.flow_id, self._around.engine
        if flow_id is None:
            return
        try:
            now = await engine.describe_execution(self.lease.execution_id)
            # One more epoch than ours: with two, someone else ran it since, and the acknowledgement is theirs to give.
            if now is not None and now.public_state == "cancelled" and now.lease_epoch == self.lease.lease_epoch + 1:
                await engine.ack_cancel_member(flow_id, self.lease.execution_id)
        except EngineError as error:
            # The engine acknowledges by itself once the lease would have been over.
            log.info("cancel not acknowledged: %s", error, extra=self.facts)

    # ── supervising the context; from any thread ─────────────────────────────────────────────────

    @property
    def threads(self) -> Threads:
        """Where plain steps run: beside the worker's plain tasks."""
        return self._around.threads

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
        found = await self._patiently(lambda: self._around.engine.list_steps(self.lease.execution_id))
        codec = self._around.codec
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
        stored = encoded(self._around.codec, result, f"the result of step {name!r}")
        await self._patiently(
            lambda: self._around.engine.record_step(self.lease, name, stored, fingerprint=fingerprint)
        )

    def _note_progress(self, percent: int | None, message: str | None) -> None:
        self._progress = (percent, message)
        if self._is_running and not self._progress_is_on_its_way:
            self._around.background.start(self._send_progress())

    async def _send_progress(self) -> None:
        """Send what was reported last, and what is reported meanwhile."""
        self._progress_is_on_its_way = True
        try:
            while self._progress is not None:
                (percent, message), self._progress = self._progress, None
                await self._around.engine.progress(self.lease, percent=percent, message=message)
        except (Refused, NotFound) as refusal:
            if self._is_running:
                self.lose(refusal.code)
        except EngineError as error:
            log.info("progress not stored: %s", error, extra=self.facts)
        finally:
            self._progress_is_on_its_way = False


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
