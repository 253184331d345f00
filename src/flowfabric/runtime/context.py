"""The first argument of a task function: which execution this is, how long it may take, and its steps."""

import logging
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Final, ParamSpec, Protocol, TypeVar, overload

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.creation import NewChild
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.outcomes import Claimed, WaitOver, Waitpoint
from flowfabric.domain.schedule import slot_in
from flowfabric.runtime.blocks import Blocks
from flowfabric.runtime.budget_desk import BudgetDesk, Unlimited
from flowfabric.runtime.budget_verbs import BudgetVerbs
from flowfabric.runtime.durations import Duration
from flowfabric.runtime.fan_out import ChildDesk, ChildEnd
from flowfabric.runtime.fan_out_verbs import FanOutVerbs
from flowfabric.runtime.limit_desk import LimitDesk, Roomy
from flowfabric.runtime.limit_verbs import LimitVerbs
from flowfabric.runtime.standstill import AttemptSuspended
from flowfabric.runtime.step_options import StepsWithOptions, check_may_block
from flowfabric.runtime.steps import Steps, StoredStep
from flowfabric.runtime.stream_desk import UNHEARD, StreamDesk
from flowfabric.runtime.stream_verbs import StreamVerbs
from flowfabric.runtime.task_options import Retry
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.tries import check_in_time
from flowfabric.runtime.wait_desk import SLEEP, NewWaitpoint, SuspendAnswer, Wait, WaitDesk
from flowfabric.runtime.wait_verbs import WaitVerbs
from flowfabric.runtime.waits import Waits

P = ParamSpec("P")
T = TypeVar("T")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class AttemptCancelled(BaseException):
    """The attempt must stop: its lease is lost, or its worker shuts down. Do not catch it: no result would count now.

    It is no Exception, so that `except Exception` in a task does not swallow it.
    """


class Assignment(msgspec.Struct, frozen=True):
    """What an attempt knows about itself."""

    task: str
    execution_id: str
    attempt_index: int
    fencing_token: int
    lane: str = "default"
    namespace: str = "default"
    flow_id: str | None = None
    tags: Mapping[str, str] = msgspec.field(default_factory=dict)
    claimed_at_ms: int = 0
    """The slot of the schedule, by the store's clock, as is the next field."""
    deadline_at_ms: int | None = None
    """When the attempt must have ended; None: no limit."""
    worker_instance_id: str = ""
    """The worker that has the lease."""


def assignment_of(claimed: Claimed, lease_ttl_ms: int) -> Assignment:
    """What the attempt of a claim knows about itself."""
    return Assignment(
        claimed.kind,
        claimed.execution_id,
        claimed.attempt_index,
        claimed.lease.lease_epoch,
        claimed.lane,
        claimed.namespace,
        claimed.flow_id,
        claimed.tags,
        claimed.lease.expires_at_ms - lease_ttl_ms,
        claimed.attempt_ends_at_ms,
        claimed.lease.worker_instance_id,
    )


class Supervisor(WaitDesk, ChildDesk, Protocol):
    """Runs the attempt and holds its lease."""

    @property
    def stream_desk(self) -> StreamDesk:
        """Takes what the attempt says."""

    @property
    def budget_desk(self) -> BudgetDesk:
        """Sends to the engine what the attempt spends."""

    @property
    def limit_desk(self) -> LimitDesk:
        """Takes slots for blocks of the code."""

    def report_progress(self, percent: int | None, message: str | None) -> None:
        """Report the progress of the attempt. Never waits."""


class Cancellation:
    """Whether the attempt must stop: a flag to check, and an event that a thread can wait for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event: threading.Event | None = None
        self.reason: str | None = None
        """Why the attempt must stop, once that is set."""

    def __bool__(self) -> bool:
        return self.reason is not None

    def is_set(self) -> bool:
        """Whether the attempt must stop."""
        return self.reason is not None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait in this thread until the attempt must stop, at most `timeout` seconds. Returns whether it must."""
        with self._lock:
            if self.reason is not None:
                return True
            # Made only now: an event costs more than most attempts, and few attempts wait for one.
            self._event = self._event or threading.Event()
        return self._event.wait(timeout)

    def set(self, reason: str) -> None:
        """Ask the attempt to stop."""
        with self._lock:
            if self.reason is None:
                self.reason = reason
                if self._event is not None:
                    self._event.set()


class Context(WaitVerbs, FanOutVerbs, BudgetVerbs, LimitVerbs, StreamVerbs):
    """One attempt of one execution, as its function sees it."""

    def __init__(self, assignment: Assignment, supervisor: Supervisor) -> None:
        self.task = assignment.task
        self._worker_instance_id = assignment.worker_instance_id
        """The task's name."""
        self.execution_id = assignment.execution_id
        self.attempt_index = assignment.attempt_index
        """0 for the first attempt."""
        self.fencing_token = assignment.fencing_token
        """Grows with every lease of the execution: a system that has seen a higher one refuses a lower one."""
        self.lane = assignment.lane
        self.namespace = assignment.namespace
        self.flow_id = assignment.flow_id
        self.tags = assignment.tags
        self.cancelled = Cancellation()
        """True once the attempt must stop. Async functions are cancelled as well; code in threads has to check this."""
        self._claimed_at_ms = assignment.claimed_at_ms
        self._deadline_at_ms = assignment.deadline_at_ms
        self._claimed_at = time.monotonic()
        self._supervisor = supervisor
        self.idle_reservations: dict[str, Mapping[str, int]] = {}
        """By budget, what failed metered steps have reserved. The next ones use it."""
        # Before the first lease nothing can have stored a step.
        self.steps = Steps(supervisor, assignment.attempt_index, may_be_stored=assignment.fencing_token > 1)
        """The steps of this attempt. The worker reads them, too."""

    @classmethod
    def for_test(cls, task: str = "test", *, attempt_index: int = 0, fencing_token: int = 1) -> "Context":
        """A context without a worker, for unit tests: steps run, and their results live as long as the context."""
        execution_id = "{fp:0}:00000000-0000-7000-8000-000000000000"
        return cls(Assignment(task, execution_id, attempt_index, fencing_token), _Alone())

    @cached_property
    def waits(self) -> Waits:
        """The waits of this attempt."""
        return Waits(self._supervisor, self.steps.standstill)

    @cached_property
    def blocks(self) -> Blocks:
        """The blocks of this attempt that take part in limits."""
        return Blocks(self)

    @property
    def stream_desk(self) -> StreamDesk:
        """Takes what this attempt says."""
        return self._supervisor.stream_desk

    @property
    def budget_desk(self) -> BudgetDesk:
        """Sends to the engine what this attempt spends."""
        return self._supervisor.budget_desk

    @property
    def limit_desk(self) -> LimitDesk:
        """Takes slots for blocks of this attempt."""
        return self._supervisor.limit_desk

    @property
    def must_stop(self) -> bool:
        """Whether the attempt is to stop, or is suspended."""
        return bool(self.cancelled) or self.steps.standstill.is_suspended

    @property
    def child_desk(self) -> ChildDesk:
        """Makes the children of this attempt."""
        return self._supervisor

    @property
    def store_time_ms(self) -> int:
        """The store's time now, in milliseconds, even if this machine's clock is wrong."""
        return self._claimed_at_ms + int((time.monotonic() - self._claimed_at) * 1000)

    @property
    def pause_in_place_s(self) -> float:
        """Pauses between the tries of a step that are shorter than this need no suspension."""
        return self._supervisor.pause_in_place_s

    @cached_property
    def log(self) -> "ExecutionLog":
        """A logger whose records carry the execution, the task and the attempt."""
        return ExecutionLog(logging.getLogger(f"flowfabric.task.{self.task}"), self.facts)

    @property
    def facts(self) -> dict[str, object]:
        """The fields with which records of this attempt are logged."""
        return {
            "task": self.task,
            "execution_id": self.execution_id,
            "attempt_index": self.attempt_index,
            "fencing_token": self.fencing_token,
            **({"worker_instance_id": self._worker_instance_id} if self._worker_instance_id else {}),
        }

    @property
    def scheduled_at(self) -> datetime | None:
        """The slot of the schedule that made the execution, in UTC; None: no schedule made it."""
        return slot_in(self.tags)

    @property
    def deadline(self) -> datetime | None:
        """When the attempt must have ended, by the store's clock: its timeout or the execution's deadline."""
        deadline_at_ms = self._deadline_at_ms
        return None if deadline_at_ms is None else _EPOCH + timedelta(milliseconds=deadline_at_ms)

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the deadline, 0 when it is past; None: there is none.

        Correct even if this machine's clock is not.
        """
        deadline_at_ms = self._deadline_at_ms
        if deadline_at_ms is None:
            return None
        had_s = (deadline_at_ms - self._claimed_at_ms) / 1000
        return max(0.0, had_s - (time.monotonic() - self._claimed_at))

    def raise_if_cancelled(self) -> None:
        """Raise AttemptCancelled if the attempt must stop. For functions that run in a thread.

        If the attempt was suspended in another thread, this raises AttemptSuspended. In a step whose time is over, it
        raises StepTimeout.
        """
        check_in_time()
        if self.steps.standstill.is_suspended:
            raise AttemptSuspended("the attempt is suspended, so nothing that it does would count")
        if self.cancelled:
            raise AttemptCancelled(self.cancelled.reason)

    def progress(self, percent: float | None = None, message: str | None = None) -> None:
        """Report the progress of the attempt. Never waits: if reports come too fast to be stored, the newest counts.

        Whole percents are stored: `100 * done / total` is rounded down, so that 100 means that all is done.
        """
        if message is not None:
            inputs.text("message", message)
        self._supervisor.report_progress(None if percent is None else inputs.percent(percent), message)

    @overload
    async def step(self, name: str, function: Callable[P, Awaitable[T]], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    @overload
    async def step(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    async def step(self, name: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Run a named step once: its result is stored before this returns, and no later attempt runs it again.

        Plain functions run in a thread of the worker. A thread cannot be cancelled: an attempt that must stop waits for
        its steps in threads, and so does a second call of a step whose first call was cancelled. The result passes
        through the function's type hints, as a task's does. The same name with other arguments is a Conflict.
        """
        inputs.name("name", name)
        return await self.steps.run(name, function, args, kwargs)

    def step_sync(self, name: str, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """`step` for plain functions: runs in the calling thread. Raises AttemptCancelled if the attempt must stop."""
        check_may_block(name)
        self.raise_if_cancelled()
        value: T = self.steps.run_sync(name, function, args, kwargs)
        return value

    def options(self, *, retry: Retry | None = None, timeout: Duration | None = None) -> StepsWithOptions:
        """Steps that are tried again, and that may take so long: `ctx.options(retry=Retry(3)).step("ask", ask)`.

        Retries happen inside this attempt, and follow the same rules as those of a task. `timeout` is the time of one
        try; StepsWithOptions says what it can stop.
        """
        return StepsWithOptions(self, retry, timeout)


class ExecutionLog(logging.LoggerAdapter[logging.Logger]):
    """Adds the execution to the fields of each record."""

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        """Add the execution's fields to those that the caller gives."""
        kwargs["extra"] = {**(self.extra or {}), **(kwargs.get("extra") or {})}
        return msg, kwargs


class _Alone:
    """Serves a context in a unit test."""

    threads: Final = Threads("flowfabric-test-step")

    linger_s: Final = 0.0
    may_linger: Final = False
    pause_in_place_s: Final = 0.0

    budget_desk: Final = Unlimited()
    limit_desk: Final = Roomy()
    stream_desk: Final = UNHEARD

    async def stored_step(self, name: str) -> StoredStep | None:
        return None

    async def store_step(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        return

    def stored_step_sync(self, name: str) -> StoredStep | None:
        return None

    def store_step_sync(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        return

    def report_progress(self, percent: int | None, message: str | None) -> None:
        return

    def lingers(self, waits: Waits, *, begins: bool) -> None:
        return

    async def open_wait(self, wait: Wait) -> WaitOver | None:
        return self.open_wait_sync(wait)

    async def watch_wait(self, wait: Wait, timeout_s: float) -> WaitOver | None:
        return None

    async def suspend(self, wait: Wait) -> SuspendAnswer:
        return self.open_wait_sync(wait)

    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        return self.make_waitpoint_sync(waitpoint)

    def open_wait_sync(self, wait: Wait) -> WaitOver:
        """Sleeps are over at once. Nobody can send a signal here."""
        if wait.condition != SLEEP:
            raise _needs_a_kit()
        return WaitOver((), "timeout")

    def suspend_sync(self, wait: Wait) -> SuspendAnswer:
        return self.open_wait_sync(wait)

    def make_waitpoint_sync(self, waitpoint: NewWaitpoint) -> Waitpoint:
        raise _needs_a_kit()

    async def make_children(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        raise _needs_a_kit()

    async def child_ends(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        raise _needs_a_kit()

    def make_children_sync(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        raise _needs_a_kit()

    def child_ends_sync(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        raise _needs_a_kit()


def _needs_a_kit() -> InvalidInput:
    return InvalidInput(
        "A context without a worker has no waitpoints and no children, and nobody can signal it. Test functions that "
        "wait with flowfabric.testing.Kit."
    )
