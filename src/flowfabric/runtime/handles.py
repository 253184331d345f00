"""Handles on submitted executions: to wait for an execution, inspect it, cancel it and replay it.

Each verb is written once, as a coroutine over an engine; `..._sync` runs the same coroutine in the caller's thread.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Final, Generic, TypeVar

from flowfabric.domain.errors import ExecutionNotCompleted, InvalidInput, NotFound
from flowfabric.domain.events import Event
from flowfabric.domain.outcomes import DuplicateSignal, Replayed, Signalled, Summary
from flowfabric.domain.snapshots import ExecutionSnapshot
from flowfabric.domain.states import PublicState
from flowfabric.domain.steps import StepsRule
from flowfabric.runtime.durations import Duration, milliseconds
from flowfabric.runtime.engines import CallerEngine, EngineProvider
from flowfabric.runtime.handle_streams import BlockingHandleStream, HandleStream
from flowfabric.runtime.typed_values import json_or_refusal

R = TypeVar("R")

CANCEL_REASON: Final = "cancelled by its submitter"


def _plain_payload(key: str, value: object) -> bytes:
    return json_or_refusal(value, f"signal {key!r}")


class Handle(Generic[R]):
    """One execution of a task: `await handle.result(timeout=30)`, or `handle.result_sync(timeout=30)`."""

    def __init__(
        self,
        access: EngineProvider,
        task_name: str,
        result_in: Callable[[bytes | None], R],
        execution_id: str | None,
        *,
        is_duplicate: bool = False,
        payload_of: Callable[[str, object], bytes] = _plain_payload,
    ) -> None:
        self._access = access
        self._payload_of = payload_of
        self._task_name = task_name
        self._result_in = result_in
        self._execution_id = execution_id
        self.is_duplicate = is_duplicate
        """True: the submit's idempotency key was known, and this is the earlier execution with that key."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._task_name}: {self._execution_id or 'not submitted yet'}>"

    @property
    def execution_id(self) -> str:
        """The execution's id. Store it to call `task.handle(...)` in another place."""
        if self._execution_id is None:
            raise InvalidInput(
                f"{self._task_name!r} is not submitted yet: a flow is submitted at the end of its `with` block. "
                "Use the handle after the block."
            )
        return self._execution_id

    # ── waiting ──────────────────────────────────────────────────────────────────────────────────

    async def result(self, timeout: Duration | None = None) -> R:
        """Wait for the result of the task.

        Raises ExecutionNotCompleted if the execution ended in another way, and TimeoutError if it did not end in time.
        """
        return await self._result(await self._access.engine(), timeout)

    def result_sync(self, timeout: Duration | None = None) -> R:
        """`result` for synchronous code."""
        check_may_wait("result")
        return self._access.run(lambda engine: self._result(engine, timeout))

    async def _result(self, engine: CallerEngine, timeout: Duration | None) -> R:
        timeout_ms = None if timeout is None else milliseconds("timeout", timeout)
        ended = await engine.wait_for_result(self.execution_id, timeout_ms=timeout_ms)
        if ended.public_state != "completed":
            failure = ended.failure
            raise ExecutionNotCompleted(
                ended.public_state,
                self._why_not(ended),
                failure_code=None if failure is None else failure.code,
                failure_message=None if failure is None else failure.message,
                failure_traceback=None if failure is None else failure.traceback,
            )
        return self._result_in(await engine.get_result(self.execution_id))

    def _why_not(self, ended: ExecutionSnapshot) -> str:
        what = f"{self._task_name!r} ({ended.execution_id}) is {ended.public_state}, so there is no result"
        if ended.failure is not None:
            what += f": {ended.failure.code}"
            what += f", {ended.failure.message}" if ended.failure.message else ""
        elif ended.cancellation_reason:
            what += f": {ended.cancellation_reason}"
        return f"{what.removesuffix('.')}. Look at its attempts and events; once the cause is mended, replay it."

    # ── looking ──────────────────────────────────────────────────────────────────────────────────

    async def state(self) -> PublicState:
        """The execution's state now."""
        return (await self.describe()).public_state

    def state_sync(self) -> PublicState:
        """`state` for synchronous code."""
        return self.describe_sync().public_state

    async def describe(self) -> ExecutionSnapshot:
        """Everything known about the execution now: state, progress, attempts, failure."""
        return await self._describe(await self._access.engine())

    def describe_sync(self) -> ExecutionSnapshot:
        """`describe` for synchronous code."""
        return self._access.run(self._describe)

    async def _describe(self, engine: CallerEngine) -> ExecutionSnapshot:
        found = await engine.describe_execution(self.execution_id)
        if found is None:
            raise _unknown(self.execution_id)
        return found

    async def events(self) -> AsyncIterator[Event]:
        """The past events of the execution, and then new ones as they happen, in order, until it has ended."""
        engine = await self._access.engine()
        follower = _Follower(self.execution_id)
        while page := await follower.next_events(engine):
            for event in page:
                yield event

    def events_sync(self) -> Iterator[Event]:
        """`events` for synchronous code."""
        check_may_wait("events")
        follower = _Follower(self.execution_id)
        while page := self._access.run(follower.next_events):
            yield from page

    # ── what it says ─────────────────────────────────────────────────────────────────────────────

    def stream(self, *, cursor: str | None = None) -> HandleStream:
        """What the execution writes, as it writes it, until it has ended: `async for frame in handle.stream(): ...`.

        It begins with the first frame, also of an execution that has ended, and goes on over retries. `frame.value` is
        what was said. If frames that were read no longer count, because the execution was tried again, a frame of kind
        `restart` says so, and a `Transcript` drops them. To go on later, keep `cursor` of the stream.
        """
        return HandleStream(self._access, self.execution_id, cursor)

    def stream_sync(self, *, cursor: str | None = None) -> BlockingHandleStream:
        """`stream` for synchronous code."""
        check_may_wait("stream")
        return BlockingHandleStream(self._access, self.execution_id, cursor)

    async def summary(self) -> Summary | None:
        """The summary of the execution. None: it has none."""
        return await (await self._access.engine()).read_summary(self.execution_id)

    def summary_sync(self) -> Summary | None:
        """`summary` for synchronous code."""
        return self._access.run(lambda engine: engine.read_summary(self.execution_id))

    # ── signalling ───────────────────────────────────────────────────────────────────────────────

    async def signal(
        self,
        key: str,
        value: object = None,
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a signal to a waitpoint of the execution: `await handle.signal("editor", Verdict("accept"))`.

        The answer says what the signal did: it ended a wait, it counts for one, or it is kept for a later one. If the
        task declares its signals, another key or a value that does not fit is InvalidInput, and nothing is sent.
        """
        payload = self._payload_of(key, value)
        engine = await self._access.engine()
        return await engine.signal(
            self.execution_id, key, payload, name=name, source=source, idempotency_key=idempotency_key
        )

    def signal_sync(
        self,
        key: str,
        value: object = None,
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """`signal` for synchronous code."""
        payload = self._payload_of(key, value)
        return self._access.run(
            lambda engine: engine.signal(
                self.execution_id, key, payload, name=name, source=source, idempotency_key=idempotency_key
            )
        )

    # ── cancelling ───────────────────────────────────────────────────────────────────────────────

    async def cancel(self, reason: str = CANCEL_REASON) -> bool:
        """End the execution for good, running or not. False: it had ended in another way before."""
        return await self._cancel(await self._access.engine(), reason)

    def cancel_sync(self, reason: str = CANCEL_REASON) -> bool:
        """`cancel` for synchronous code."""
        return self._access.run(lambda engine: self._cancel(engine, reason))

    async def _cancel(self, engine: CallerEngine, reason: str) -> bool:
        try:
            await engine.cancel_execution(self.execution_id, reason=reason)
        except InvalidInput:
            # The engine refuses an ended execution, and a reason that is too long. Only the first is an answer.
            if (await self._describe(engine)).terminal_at_ms is None:
                raise
            return False
        return True

    # ── replaying ────────────────────────────────────────────────────────────────────────────────

    async def replay(self, *, steps: StepsRule | None = None, from_step: str | None = None) -> Replayed:
        """Bring the ended execution back to life. Afterwards `result` waits for its next end.

        An execution that did not complete goes on after its stored steps; one that completed starts from scratch.
        `steps` or `from_step` change that.
        """
        return await self._replay(await self._access.engine(), steps, from_step)

    def replay_sync(self, *, steps: StepsRule | None = None, from_step: str | None = None) -> Replayed:
        """`replay` for synchronous code."""
        return self._access.run(lambda engine: self._replay(engine, steps, from_step))

    async def _replay(self, engine: CallerEngine, steps: StepsRule | None, from_step: str | None) -> Replayed:
        return await engine.replay_execution(self.execution_id, steps=steps, from_step=from_step)


def _unknown(execution_id: str) -> NotFound:
    return NotFound("execution", f"There is no execution {execution_id} (any more). Check the id and its retention.")


def check_may_wait(verb: str) -> None:
    """Refuse to wait in a thread that runs an event loop: the loop would stop, and perhaps the worker with it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InvalidInput(f"{verb}_sync() would stop the event loop that runs in this thread. Use `{verb}()` instead.")


class _Follower:
    """Reads the events of one execution to their end, for async and synchronous callers."""

    def __init__(self, execution_id: str) -> None:
        self._execution_id = execution_id
        self._cursor: str | None = None

    async def next_events(self, engine: CallerEngine) -> Sequence[Event]:
        """Wait for the next events. An empty list: the execution has ended, and all events were read."""
        page = await engine.follow_events(self._execution_id, cursor=self._cursor)
        self._cursor = page.next_cursor
        for event in page.events[:1]:
            # The id may be a bare uuid, which has to be looked up each time; the event has the whole id.
            self._execution_id = event.execution_id or self._execution_id
        return page.events
