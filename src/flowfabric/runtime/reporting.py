"""Reports to the engine and to the log how an attempt ended."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final, TypeVar, assert_never

from flowfabric.domain.condition_words import words
from flowfabric.domain.conditions import from_stored
from flowfabric.domain.errors import (
    Contention,
    EngineError,
    ExecutionNotActive,
    InvalidInput,
    LeaseExpired,
    NotFound,
    Refused,
    StoreError,
)
from flowfabric.domain.gate_snapshots import named
from flowfabric.domain.outcomes import Claimed, Completed, RetryScheduled
from flowfabric.runtime.attempt_log import AttemptLog
from flowfabric.runtime.backoff import Backoff
from flowfabric.runtime.codecs import Codec, encoded
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.failures import AttemptFailure, Throttled, cause_of, failure_of, fitting
from flowfabric.runtime.lease_keeper import Leased
from flowfabric.runtime.running import Died, Ending, Stopped, Succeeded, Unwound
from flowfabric.runtime.services import WorkerServices
from flowfabric.runtime.speech import Speech
from flowfabric.runtime.wait_desk import SLEEPING, Wait

T = TypeVar("T")

NOTHING: Final = b"null"
"""The encoded result of a function that returns None."""
UNKNOWN_TASK_DELAY_MS: Final = 10_000
"""How long an execution is put off after a worker that has no such task has claimed it. Each time doubles it."""
UNKNOWN_TASK_DELAY_MS_MAX: Final = 600_000


class Reporter:
    """Reports for one attempt, for as long as its lease may be alive."""

    def __init__(
        self, claimed: Claimed, services: WorkerServices, holder: Leased, log: AttemptLog, speech: Speech | None
    ) -> None:
        self._claimed = claimed
        self._speech = speech
        self._lease = claimed.lease
        self._services = services
        self._holder = holder
        self._log = log

    async def report(self, ending: Ending) -> None:
        """Report to the engine how the code ended. If the report fails for good, this is logged."""
        lease = self._lease
        try:
            match ending:
                case Succeeded():
                    await self._complete(ending)
                case AttemptFailure():
                    await self._fail(ending)
                case Died(reason):
                    await self._answer_or_refusal(
                        lambda engine: engine.revoke_lease(
                            lease.execution_id, expected_lease_id=lease.lease_id, reason=fitting(reason)
                        ),
                    )
                    self._log.ended("interrupted", "was interrupted", cause=reason)
                case Stopped():
                    if not self._is_lost(ending, await self._answer_or_refusal(lambda engine: engine.release(lease))):
                        self._log.ended("released", "was handed back", ", because the worker stops")
                case Unwound(trouble):
                    if not self._is_lost(ending, await self._answer_or_refusal(lambda engine: engine.release(lease))):
                        self._log.ended("released", "pauses", ", because a budget is exceeded; it goes on later")
                    self._note_trouble(trouble)
                case Throttled():
                    await self._delay(ending)
                case _:
                    assert_never(ending)
        except EngineError as error:
            why = ", and that could not be reported"
            self._drop_frames()
            self._log.ended(
                "lost", _word_for(ending), why, cause=str(error), trace=_trace_of(ending), level=logging.ERROR
            )

    async def _complete(self, ending: Succeeded) -> None:
        try:
            answer = await self._answer_to_completion(stored_result(self._claimed, self._services.codec, ending.result))
        except InvalidInput as error:  # the codec cannot encode it, or it is larger than the engine takes
            await self._fail(failure_of(error))
            return
        if not self._is_lost(ending, answer):
            self._log.ended("success", "completed")

    async def _answer_to_completion(self, stored: bytes | None) -> Completed | Refused | NotFound:
        """Complete the execution together with others, or alone: because it carries what was said, or once more."""
        lease = self._lease
        # The completion of a member carries its span to those that it releases, so that they can be linked to it.
        is_alone = self._services.tracer is not None and self._claimed.flow_id is not None
        if not is_alone and (self._speech is None or self._speech.is_silent):
            try:
                return await self._services.completions.report(lease, stored)
            except (Refused, NotFound) as refusal:
                await self._acknowledge_cancel()
                return refusal
            except (StoreError, Contention):
                pass  # again, until it is answered
        return await self._answer_or_refusal(lambda engine: engine.complete(lease, stored))

    async def _fail(self, failure: AttemptFailure) -> None:
        lease = self._lease
        answer = await self._answer_or_refusal(
            lambda engine: engine.fail(
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
            self._log.ended("retry", "failed", why, cause=cause_of(failure), trace=failure.trace)
        else:
            self._log.ended("failed", "failed for good", cause=cause_of(failure), trace=failure.trace)

    async def _delay(self, ending: Throttled) -> None:
        """Pause the limit for everyone, and hand the execution back for as long.

        If there is no such limit, the attempt fails: with a wrong name in the code, it would be put off for ever, and
        nobody would hear of it. An execution that names the limit itself is delayed, since the limit was there then.
        """
        engine, lease, namespace = self._services.engine, self._lease, self._claimed.namespace
        named = f"limit {ending.limit!r}" + (f" with key {ending.key!r}" if ending.key else "")
        try:
            await self.patiently(
                lambda: engine.pause_limit(ending.limit, ending.key, for_ms=ending.retry_after_ms, namespace=namespace)
            )
        except NotFound as error:
            if not await self._names(ending.limit):
                await self._fail(_no_limit(ending, namespace))
                return
            self._log.say(logging.WARNING, f"cannot pause {named} for others", str(error))
        until_ms = await self.patiently(engine.server_time_ms) + ending.retry_after_ms
        answer = await self._answer_or_refusal(lambda engine: engine.delay(lease, until_ms=until_ms))
        if not self._is_lost(ending, answer):
            why = f", because {named} is used too often; it goes on in {ending.retry_after_ms / 1000:g} s"
            self._log.ended("released", "is delayed", why)

    async def _names(self, limit: str) -> bool:
        """Whether the execution was created with a limit."""
        engine, key = self._services.engine, self._lease.execution_id
        x = await self.patiently(lambda: engine.describe_execution(key))
        return x is not None and x.gates is not None and limit in x.gates.limits

    async def put_off(self) -> None:
        """Hand back an execution whose task this worker does not have. A little later another worker may claim it.

        The delay grows: many such executions must not keep workers from what they can do.
        """
        claimed_at_ms = self._lease.expires_at_ms - self._services.lease_ttl_ms
        try:
            delay_ms = await self._delay_of_unknown()
            until_ms = claimed_at_ms + delay_ms
            await self._answer_or_refusal(lambda engine: engine.delay(self._lease, until_ms=until_ms))
        except EngineError as error:
            why = ", and that could not be reported"
            self._log.ended("lost", "was to be put off", why, cause=str(error), level=logging.ERROR)
            return
        known = ", ".join(sorted(self._services.registered)) or "no tasks"
        self._log.say(
            logging.WARNING,
            f"is put off by {delay_ms // 1000} s",
            f"no task {self._claimed.kind!r} here; this worker knows {known}. Start a worker of the program that has "
            "it, or put it into another lane.",
            outcome="released",
        )

    async def _delay_of_unknown(self) -> int:
        """How long to put off the execution: the longer, the more often it was put off before."""
        engine, key = self._services.engine, self._lease.execution_id
        x = await self.patiently(lambda: engine.describe_execution(key))
        times = 0 if x is None else max(0, x.attempt_index - x.retry_count - x.interruption_count)
        return min(UNKNOWN_TASK_DELAY_MS << min(times, 10), UNKNOWN_TASK_DELAY_MS_MAX)

    async def release_while_it_runs(self) -> None:
        """Release the execution although its code has not stopped, because the process is about to end."""
        # Logged first, because there may be no time afterwards.
        why = ", although its code still runs, because the worker stops"
        self._log.ended("released", "is handed back", why, level=logging.WARNING)
        try:
            await self._answer_or_refusal(lambda engine: engine.release(self._lease))
        except EngineError as error:
            self._log.say(logging.INFO, "could not be handed back, so its lease has to run out", str(error))

    async def stopped_without_lease(self, cause: str) -> None:
        """The lease was over before the code ended, so only a cancel that waits gets a report: an acknowledgement."""
        self._drop_frames()
        self._log.ended("lost", "stopped", ", because its lease is over", cause=await self._why_it_is_over(cause))
        await self._acknowledge_cancel()

    async def _why_it_is_over(self, code: str) -> str:
        """What has become of the execution, in a sentence; or the code of the refusal if that cannot be read."""
        if code == LeaseExpired.code:  # perhaps because the store is away, so that it cannot be asked either
            return "it was not renewed in time"
        try:
            return await self._services.engine.explain(self._lease.execution_id)
        except EngineError:
            return code

    def suspended(self, wait: Wait, ending: Ending | None) -> None:
        """The execution is suspended, and the code has ended. Only the log gets a report."""
        if wait.slot is not None:
            what = f"it waits for {named(('limit', wait.slot.limit, wait.slot.key))}"
        elif wait.reason == SLEEPING:
            what = f"it sleeps in {wait.name!r}"
        else:
            what = f"it waits in {wait.name!r} for {words(from_stored(wait.condition))}"
        self._drop_frames()
        self._log.ended("suspended", "is suspended", f"; {what}, and holds nothing meanwhile")
        if isinstance(ending, Unwound):
            self._note_trouble(ending.trouble)

    def _note_trouble(self, trouble: str) -> None:
        if trouble:
            self._log.say(logging.WARNING, "did not end where it was suspended", trouble)

    def _is_lost(self, ending: Ending, answer: object) -> bool:
        """Whether the report came too late. If so, this logs the end of the attempt."""
        if not isinstance(answer, EngineError):
            return False
        why = ", and that was refused, because its lease is over"
        self._drop_frames()
        # If an operator or its flow has cancelled the execution meanwhile, no warning is needed.
        is_cancelled = isinstance(answer, ExecutionNotActive) and answer.public_state == "cancelled"
        level = None if is_cancelled else logging.WARNING
        self._log.ended("lost", _word_for(ending), why, cause=str(answer), trace=_trace_of(ending), level=level)
        return True

    def _drop_frames(self) -> None:
        """Drop what is not stored. The line about the end of the attempt says how much that was."""
        if self._speech is not None:
            self._log.frames_dropped = self._speech.close()

    async def _answer_or_refusal(self, send: Callable[[WorkerEngine], Awaitable[T]]) -> T | Refused | NotFound:
        """The answer to a command. A refusal is returned, not raised: it means that the lease is over."""
        try:
            return await self.sent(send)
        except (Refused, NotFound) as refusal:
            await self._acknowledge_cancel()
            return refusal

    async def sent(self, send: Callable[[WorkerEngine], Awaitable[T]]) -> T:
        """The answer to a command, which is sent again while the store is unavailable. It carries what was said."""
        engine = self._services.engine
        if self._speech is None or self._speech.is_silent:
            return await self.patiently(lambda: send(engine))
        return await self._speech.carried(send, self.patiently)

    async def patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send again while the store is unavailable, for as long as the lease may be alive."""
        backoff: Backoff | None = None
        while True:
            try:
                return await send()
            except (StoreError, Contention) as error:
                if not error.retryable or self._services.keeper.is_over(self._holder):
                    raise
            backoff = backoff or Backoff()
            await asyncio.sleep(backoff.next_s())

    async def _acknowledge_cancel(self) -> None:
        """Acknowledge that the code of a cancelled member has stopped, if the cancel ended our lease."""
        flow_id, engine = self._claimed.flow_id, self._services.engine
        if flow_id is None:
            return
        try:
            now = await engine.describe_execution(self._lease.execution_id)
            # The epoch is one above ours. If it were two above, another worker has run it since, and acknowledges
            # itself.
            if now is not None and now.public_state == "cancelled" and now.lease_epoch == self._lease.lease_epoch + 1:
                await engine.ack_cancel_member(flow_id, self._lease.execution_id)
        except EngineError as error:
            # The engine acknowledges by itself once the lease would have been over.
            self._log.say(logging.INFO, "has stopped, but its cancel could not be acknowledged", str(error))


def stored_result(claimed: Claimed, codec: Codec, result: bytes) -> bytes | None:
    """A result as it is stored. A None is not stored, unless a flow may have to pass it on."""
    if result == NOTHING and claimed.flow_id is None:
        return None
    return encoded(codec, result, "the result")


def _trace_of(ending: Ending) -> str:
    return ending.trace if isinstance(ending, AttemptFailure) else ""


def _no_limit(ending: Throttled, namespace: str) -> AttemptFailure:
    message = (
        f"It raised RateLimited for limit {ending.limit!r}, and there is no such limit in namespace {namespace!r}, so "
        "nothing was paused. Correct the name in the code, or set the limit: "
        f"`ff limits set {ending.limit} --concurrency 10`."
    )
    return AttemptFailure("RateLimited", fitting(message), retryable=True)


def _word_for(ending: Ending) -> str:
    """How the code of an attempt ended, in a word."""
    match ending:
        case Succeeded():
            return "completed"
        case AttemptFailure():
            return f"failed ({cause_of(ending)})"
        case Died(reason):
            return f"was interrupted ({reason})"
        case Stopped():
            return "stopped"
        case Unwound():
            return "was suspended"
        case Throttled():
            return f"was rate-limited by {ending.limit!r}"
        case _:
            assert_never(ending)


def _clock_time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
