"""The parts of the engine that the runtime uses: a protocol for each consumer, with its methods and arguments.

Each method is the engine's own. The engine's docstring states its promise in full.
"""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any, Literal, Protocol, TypeVar

from flowfabric.domain.conditions import Condition
from flowfabric.domain.creation import NewChild, NewExecution, NewSchedule
from flowfabric.domain.errors import EngineError
from flowfabric.domain.events import EventPage
from flowfabric.domain.flow_snapshots import FlowSnapshot
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    Appended,
    Cancelled,
    Claimed,
    Completed,
    Created,
    Dropped,
    Duplicate,
    DuplicateSignal,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowReplayed,
    FlowSubmitted,
    LeaseLost,
    LimitFull,
    Parked,
    Released,
    Renewed,
    Replayed,
    Reserved,
    RetryScheduled,
    Revoked,
    ScheduleFired,
    Signalled,
    SlotTaken,
    Spent,
    StepRecorded,
    Summary,
    Suspended,
    TerminalFailed,
    WaitOpened,
    WaitOver,
    Waitpoint,
)
from flowfabric.domain.snapshots import EndSnapshot, ExecutionSnapshot, Page, StepSnapshot
from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.domain.streams import Said
from flowfabric.domain.wait_snapshots import WaitpointSnapshot
from flowfabric.domain.waiting import OnTimeout
from flowfabric.runtime.declared_gates import GateEngine

T = TypeVar("T")


class WorkerEngine(Protocol):
    """The part of the engine that a worker uses."""

    async def wait_for_work(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str],
        namespace: str,
        capabilities: Sequence[str],
        limit: int,
        lease_ttl_ms: int,
        poll_ms: int,
        timeout_ms: int | None,
    ) -> list[Claimed]:
        """Lease executions that may run. Waits until there are some."""

    async def wait_until_ready(
        self, *, lanes: Sequence[str], namespace: str, capabilities: Sequence[str], poll_ms: int
    ) -> None:
        """Wait until one of the lanes has something that a worker with these capabilities can claim."""

    def saying(self, said: Said) -> "WorkerEngine":
        """The same engine for one command: these frames are appended in the transaction of the command."""

    async def append_said(self, items: Sequence[Said]) -> list[Appended | LeaseLost]:
        """Append frames to many streams. Each gets an answer of its own, in the same order."""

    async def patch_summary(self, lease: Lease, patch: Mapping[str, object]) -> Summary:
        """Merge a patch into the summary of an execution."""

    async def renew_all(self, leases: Sequence[Lease]) -> list[Renewed | LeaseLost]:
        """Renew many leases. Each gets an answer of its own, in the same order."""

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        """While the block lasts, report at once the executions whose lease may have been taken away."""

    async def heartbeat(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str],
        namespace: str,
        capabilities: Sequence[str],
        host: str,
        pid: int,
        version: str,
        ttl_ms: int,
    ) -> None:
        """Report that a worker lives, and which lanes it serves."""

    async def say_goodbye(self, worker_instance_id: str, *, namespace: str) -> None:
        """Take a worker off the list."""

    async def complete(self, lease: Lease, result: bytes | None) -> Completed:
        """Complete the execution."""

    async def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """Complete many executions. Each gets an answer of its own, in the same order."""

    async def fail(
        self, lease: Lease, *, code: str, message: str, retryable: bool, traceback: str | None
    ) -> RetryScheduled | TerminalFailed:
        """Report a failed attempt."""

    async def release(self, lease: Lease) -> Released:
        """Hand the execution back."""

    async def delay(self, lease: Lease, *, until_ms: int) -> Released:
        """Hand the execution back, to be claimed again from the given instant on."""

    async def progress(self, lease: Lease, *, percent: int | None, message: str | None) -> None:
        """Store the progress of the attempt."""

    async def record_step(
        self,
        lease: Lease,
        name: str,
        result: bytes,
        *,
        fingerprint: bytes,
        tries: int = 1,
        budget: str | None = None,
        spent: Mapping[str, int] = ...,
        reserved: Mapping[str, int] = ...,
    ) -> StepRecorded:
        """Store the result of a named step, and charge what it has spent."""

    async def reserve(self, lease: Lease, budget: str, amounts: Mapping[str, int], *, command_id: str) -> Reserved:
        """Reserve a part of a budget for the running attempt."""

    async def spend(
        self,
        lease: Lease,
        budget: str,
        amounts: Mapping[str, int],
        *,
        idempotency_key: str | None,
        command_id: str,
    ) -> Spent:
        """Charge a budget with what the attempt has spent."""

    async def take_slot(
        self, lease: Lease, limit: str, key: str, *, block: int, park: bool
    ) -> SlotTaken | LimitFull | Parked | AlreadySatisfied:
        """Take a slot of a limit for a block of code. `park`: give the lease up until there is one."""

    async def give_slot(self, lease: Lease, limit: str, key: str) -> None:
        """Give back the slot of a block."""

    async def wait_for_slot(self, lease: Lease, limit: str, key: str, *, timeout_ms: int) -> bool:
        """Wait under a lease until a limit may have room. False: the time is over, or the lease is."""

    async def pause_limit(self, name: str, key: str, *, for_ms: int, namespace: str) -> None:
        """Let nothing start under a key for some time."""

    async def server_time_ms(self) -> int:
        """The store's time."""

    async def get_step(self, execution_id: str, name: str) -> StepSnapshot | None:
        """One stored step of the execution."""

    async def create_waitpoint(
        self,
        lease: Lease,
        key: str,
        *,
        expires_in_ms: int | None,
        about: Mapping[str, object] | None,
        alias: str | None,
    ) -> Waitpoint:
        """Make a waitpoint, or return the one of this key."""

    async def open_wait(
        self,
        lease: Lease,
        name: str,
        condition: Condition | str,
        *,
        timeout_ms: int | None,
        timeout_at_ms: int | None,
        on_timeout: OnTimeout,
        reason: str,
    ) -> WaitOpened | WaitOver:
        """Open a wait, and keep the lease."""

    async def suspend(
        self,
        lease: Lease,
        name: str,
        condition: Condition | str,
        *,
        timeout_ms: int | None,
        timeout_at_ms: int | None,
        on_timeout: OnTimeout,
        reason: str,
    ) -> Suspended | WaitOver | AlreadySatisfied:
        """Open a wait, and give the lease up if it is not over."""

    async def create_children(self, lease: Lease, name: str, items: Sequence[NewChild]) -> list[Created | Duplicate]:
        """Make a group of children, once."""

    async def get_ends(self, execution_ids: Sequence[str]) -> list[EndSnapshot | None]:
        """How executions have ended, with their results."""

    async def wait_for_wait(self, lease: Lease, name: str, *, timeout_ms: int) -> WaitOver | None:
        """Wait under a lease until the wait of this name is over. None: the time is over, or the lease is."""

    async def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None:
        """The execution as it is now."""

    async def explain(self, execution_id: str) -> str:
        """What has become of the execution, in a sentence."""

    async def revoke_lease(
        self, execution_id: str, *, expected_lease_id: str, reason: str
    ) -> Revoked | AlreadySatisfied:
        """Take a lease away, so that the attempt counts as interrupted."""

    async def ack_cancel_member(self, flow_id: str, execution_id: str) -> None:
        """Acknowledge that a cancelled member's code has stopped."""


class FollowedStream(Protocol):
    """The frames of one stream, as they are written."""

    @property
    def cursor(self) -> str | None:
        """The cursor after the last frame that was delivered."""

    @property
    def closed_reason(self) -> str | None:
        """How the execution has ended, once the iteration is over."""

    def __anext__(self) -> Awaitable[StreamFrame]:
        """The next frame. Waits for it if necessary."""


class ScheduleEngine(Protocol):
    """The part of the engine that fires schedules."""

    async def fire_schedule(self, schedule: NewSchedule, *, replace: bool) -> ScheduleFired:
        """Create an execution for each slot that is due."""


class CallerEngine(GateEngine, Protocol):
    """The part of the engine that tasks, handles and flows use."""

    # submitting

    async def create_from(self, item: NewExecution, /, *, conn: object) -> Created | Duplicate | Dropped:
        """Create an execution, once per idempotency key."""

    async def create_executions(
        self, items: Sequence[NewExecution], /, *, conn: object
    ) -> list[Created | Duplicate | Dropped]:
        """Create all of the executions or none."""

    def transaction(self, conn: object, /) -> AbstractAsyncContextManager[None]:
        """The caller's own transaction, from its beginning to its end."""

    async def submit_flow(self, graph: FlowGraph, /, *, command_id: str | None = None) -> FlowSubmitted:
        """Create a whole flow, or nothing."""

    # following

    async def describe_execution(self, execution_id: str, /) -> ExecutionSnapshot | None:
        """The execution as it is now."""

    async def wait_for_result(self, execution_id: str, /, *, timeout_ms: int | None = None) -> ExecutionSnapshot:
        """Wait until the execution has ended. Raises TimeoutError."""

    async def get_result(self, execution_id: str, /) -> bytes | None:
        """The execution's result, if it has one."""

    async def follow_events(self, execution_id: str, /, *, cursor: str | None = None) -> EventPage:
        """Wait for the next events. An empty page: the execution has ended, and there are no more events."""

    def follow_stream(self, execution_id: str, /, *, cursor: str | None = None) -> "FollowedStream":
        """The frames that count, as they are written, until the execution has ended."""

    async def read_summary(self, execution_id: str, /) -> Summary | None:
        """The summary of the execution."""

    async def cancel_execution(self, execution_id: str, /, *, reason: str) -> Cancelled:
        """Cancel an execution for good."""

    async def signal(
        self,
        execution_id: str,
        key: str,
        payload: bytes,
        /,
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a signal to a waitpoint of the execution."""

    async def signal_by_token(
        self, token: str, payload: bytes, /, *, name: str = "", source: str = "", idempotency_key: str | None = None
    ) -> Signalled | DuplicateSignal:
        """Send a signal to the waitpoint that the token names."""

    async def describe_token(self, token: str, /) -> WaitpointSnapshot:
        """The waitpoint that the token names."""

    async def replay_execution(
        self, execution_id: str, /, *, steps: Literal["keep", "clear"] | None = None, from_step: str | None = None
    ) -> Replayed:
        """Bring an ended execution back to life."""

    async def list_executions(self, *, flow_id: str | None = None, cursor: str | None = None, limit: int = 100) -> Page:
        """The members of a flow, newest first."""

    async def describe_flow(self, flow_id: str, /) -> FlowSnapshot | None:
        """The flow as it is now."""

    async def wait_for_flow(self, flow_id: str, /, *, timeout_ms: int | None = None) -> FlowSnapshot:
        """Wait until the flow is over. Raises TimeoutError."""

    async def replay_flow(
        self,
        flow_id: str,
        /,
        *,
        what: Literal["failed", "all"] | Sequence[str] = "failed",
        steps: Literal["keep", "clear"] | None = None,
    ) -> FlowReplayed:
        """Bring members of the flow back to life."""

    async def cancel_flow(
        self,
        flow_id: str,
        /,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
    ) -> FlowCancelled | FlowAlreadyTerminal:
        """Cancel a flow for good."""

    async def server_time_ms(self) -> int:
        """The store's time."""


class EngineProvider(Protocol):
    """Provides one engine to callers on any event loop, and to callers without a loop."""

    async def engine(self) -> CallerEngine:
        """The engine for the running event loop, opened if need be."""

    def run(self, work: Callable[[CallerEngine], Coroutine[Any, Any, T]]) -> T:
        """Run the work in the caller's thread, without an event loop."""
