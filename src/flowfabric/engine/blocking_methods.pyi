"""Written by `python tools/blocking_stub.py`; do not edit. Change `Engine`, and run it again."""

from collections.abc import Mapping, Sequence
from typing import Literal

from flowfabric.domain.creation import NewExecution, NewSchedule
from flowfabric.domain.errors import EngineError
from flowfabric.domain.events import EventPage
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.flow_snapshots import EdgeSnapshot, FlowSnapshot
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    AlreadySet,
    Cancelled,
    Claimed,
    Completed,
    Created,
    DependencyAdded,
    Duplicate,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowCreated,
    FlowExists,
    FlowReplayed,
    FlowSubmitted,
    Held,
    LanePaused,
    LaneResumed,
    LeaseLost,
    PolicySet,
    PriorityChanged,
    Released,
    Renewed,
    Replayed,
    RetryScheduled,
    Revoked,
    ScheduleFired,
    ScheduleForgotten,
    SchedulePaused,
    ScheduleRan,
    ScheduleResumed,
    StepRecorded,
    TerminalFailed,
    Unheld,
)
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.snapshots import (
    AttemptSnapshot,
    ExecutionSnapshot,
    LaneSnapshot,
    OperatedPage,
    Page,
    Purged,
    ScheduleSnapshot,
    Stats,
    StepSnapshot,
    WorkerSnapshot,
)
from flowfabric.domain.states import PublicState
from flowfabric.engine.engine import Engine
from flowfabric.engine.operating import Action

class BlockingMethods:
    """Every method of `Engine` that waits for an answer, waiting in the caller's thread."""

    _engine: Engine

    def __init__(self, engine: Engine) -> None: ...
    def reconcile(self) -> Mapping[str, int]:
        """Run every due duty once, for the whole store; how much each did."""
    def server_time_ms(self) -> int:
        """The store's time."""
    def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be reached."""
    def fire_schedule(
        self, schedule: NewSchedule, *, replace: bool = False, command_id: str | None = None
    ) -> ScheduleFired:
        """Make an execution for each slot that is due, once, whoever else asks; and say that its code is alive.

        The first call makes the schedule known, and nothing is due before it. Another definition under the same name
        fires nothing while the stored one is alive, unless it is to replace it.
        """
    def pause_schedule(
        self, name: str, *, namespace: str = "default", reason: str = "", command_id: str | None = None
    ) -> SchedulePaused:
        """Let a schedule fire nothing until it is resumed; the slots in between are passed over."""
    def resume_schedule(
        self, name: str, *, namespace: str = "default", command_id: str | None = None
    ) -> ScheduleResumed:
        """Let a paused schedule fire again, from its next slot on."""
    def run_schedule(self, name: str, *, namespace: str = "default", command_id: str | None = None) -> ScheduleRan:
        """Make the execution of a schedule once, now and out of turn; its slots, and a pause, are left as they are."""
    def forget_schedule(
        self, name: str, *, namespace: str = "default", command_id: str | None = None
    ) -> ScheduleForgotten:
        """Take a schedule off the list whose code is gone. One that is not orphaned is refused."""
    def list_schedules(self, *, namespace: str | None = None) -> list[ScheduleSnapshot]:
        """Every schedule that is known, by namespace and name."""
    def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None:
        """The execution as it is now; None if there is none."""
    def find_executions(self, uuid: str) -> list[ExecutionSnapshot]:
        """The executions whose id ends with this uuid: one, unless ids of the caller's own repeat it elsewhere."""
    def get_result(self, execution_id: str) -> bytes | None:
        """The execution's result, to the byte; None while there is none."""
    def get_payload(self, execution_id: str) -> bytes:
        """What the execution was created with, to the byte."""
    def wait_for_result(self, execution_id: str, *, timeout_ms: int | None = None) -> ExecutionSnapshot:
        """Wait until the execution has ended, and return it. Raises TimeoutError if that takes longer than allowed.

        A store that is away is waited for, too.
        """
    def list_attempts(self, execution_id: str) -> list[AttemptSnapshot]:
        """Every attempt of the execution, first to last."""
    def attempt_deadline_ms(self, execution_id: str) -> int | None:
        """When the running attempt is over at the latest: its timeout or the execution's deadline; None: never."""
    def list_steps(self, execution_id: str) -> list[StepSnapshot]:
        """The stored steps of the execution, first to last."""
    def list_workers(self, *, namespace: str | None = None) -> list[WorkerSnapshot]:
        """Workers that are alive or have died within the last day, by namespace and instance id."""
    def list_lanes(self, *, namespace: str | None = None) -> list[LaneSnapshot]:
        """Every lane in which something is or has just ended, that is served by a worker, or that is paused.

        All executions are counted: on a large store that takes a second or so for every million.
        """
    def stats(self, *, namespace: str | None = None) -> Stats:
        """What there is in numbers. All of it is counted: a second or so for every million executions."""
    def list_executions(
        self,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Executions as snapshots, newest first."""
    def count_executions(
        self,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
    ) -> int:
        """How many executions a list with these filters would show."""
    def explain(self, execution_id: str) -> str:
        """One sentence: why the execution is not running, or what it waits for."""
    def read_events(
        self,
        *,
        cursor: str | None = None,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
        limit: int = 500,
    ) -> EventPage:
        """The next events after the cursor, in order. An empty page means caught up."""
    def cancel_execution(
        self,
        execution_id: str,
        *,
        reason: str,
        source: str = "operator_override",
        lease_epoch: int | None = None,
        command_id: str | None = None,
    ) -> Cancelled:
        """End the execution for good, running or not. Cancelling twice is fine."""
    def revoke_lease(
        self,
        execution_id: str,
        *,
        worker_instance_id: str = "",
        expected_lease_id: str = "",
        reason: str = "",
        command_id: str | None = None,
    ) -> Revoked | AlreadySatisfied:
        """Take the lease away and put the execution back in the queue; its holder can change nothing any more."""
    def change_priority(self, execution_id: str, priority: int, *, command_id: str | None = None) -> PriorityChanged:
        """Move a waiting execution in its queue."""
    def replay_execution(
        self,
        execution_id: str,
        *,
        steps: Literal["keep", "clear"] | None = None,
        from_step: str | None = None,
        command_id: str | None = None,
    ) -> Replayed:
        """Bring an ended execution back to life, in place, with fresh budgets.

        Stored steps are not done again (`keep`), or all of them are (`clear`), or those from one step on. If nothing is
        said, an execution that has completed starts from scratch, and any other one goes on where it was.
        """
    def hold(self, execution_id: str, *, reason: str = "", command_id: str | None = None) -> Held:
        """Keep a runnable execution from being claimed until it is let go."""
    def unhold(self, execution_id: str, *, command_id: str | None = None) -> Unheld:
        """Let a held execution go."""
    def pause_lane(
        self, lane: str, *, namespace: str = "default", reason: str = "", command_id: str | None = None
    ) -> LanePaused:
        """Let nothing be claimed from a lane until it is resumed. What runs goes on; pausing twice is fine."""
    def resume_lane(self, lane: str, *, namespace: str = "default", command_id: str | None = None) -> LaneResumed:
        """Let a lane be claimed from again, and wake whoever waits for it. Resuming twice is fine."""
    def operate(
        self,
        action: Action,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
        reason: str = "",
        priority: int | None = None,
        steps: Literal["keep", "clear"] | None = None,
        cursor: str | None = None,
        limit: int = 500,
    ) -> OperatedPage:
        """Do one thing to the next executions that pass the filters, newest first. Call it until there is no cursor.

        Each is decided by itself, as the single command would be. Each that was there at the first call is met once,
        whether the action changes what it was found by or not, and what comes later is not met at all.
        """
    def purge(
        self, *, ended_before_ms: int, namespace: str | None = None, cursor: str | None = None, limit: int = 500
    ) -> Purged:
        """Remove what ended before an instant, with all that belongs to it, whatever its retention says.

        At most so many executions are removed at once, or, when none is left, so many flows as a whole. Call it until
        there is no cursor. Nothing that lives is ever removed.
        """
    def set_tag(self, execution_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on an execution, or change its value."""
    def create_execution(
        self,
        kind: str,
        payload: bytes = b"",
        *,
        lane: str = "default",
        namespace: str = "default",
        execution_id: str | None = None,
        priority: int = 0,
        delay_until_ms: int | None = None,
        deadline_at_ms: int | None = None,
        idempotency_key: str | None = None,
        idempotency_ttl_ms: int = 86400000,
        required_capabilities: Sequence[str] = ...,
        policy: ExecutionPolicy = ...,
        tags: Mapping[str, str] = ...,
        idempotency_on_ended: OnEnded = "return",
        command_id: str | None = None,
        conn: object = None,
    ) -> Created | Duplicate:
        """Make an execution, once per idempotency key and once per id. When this returns, it cannot be lost.

        A key stands for the same execution until its time is over. With `idempotency_on_ended="renew_failed"` it stands
        for the new one as soon as the old one has ended without success, with `"renew"` as soon as it has ended.
        With `conn`, a connection of the caller's own, it is part of the transaction that is open there.
        """
    def create_from(
        self, item: NewExecution, *, command_id: str | None = None, conn: object = None
    ) -> Created | Duplicate:
        """Do what `create_execution` does; the arguments are in one value."""
    def create_executions(
        self, items: Sequence[NewExecution], *, command_id: str | None = None, conn: object = None
    ) -> list[Created | Duplicate]:
        """Make all of them or none, with one answer per item. A bad item refuses the call and is named by its index."""
    def create_flow(
        self,
        kind: str,
        *,
        namespace: str = "default",
        flow_id: str | None = None,
        tags: Mapping[str, str] = ...,
        command_id: str | None = None,
    ) -> FlowCreated | FlowExists:
        """Make an empty flow, once per id."""
    def add_execution(
        self,
        flow_id: str,
        kind: str,
        payload: bytes = b"",
        *,
        after: Sequence[str | tuple[str, str]] = ...,
        join: AllOf | AnyOf | Quorum | None = None,
        lane: str = "default",
        namespace: str = "default",
        execution_id: str | None = None,
        priority: int = 0,
        delay_until_ms: int | None = None,
        deadline_at_ms: int | None = None,
        idempotency_key: str | None = None,
        idempotency_ttl_ms: int = 86400000,
        required_capabilities: Sequence[str] = ...,
        policy: ExecutionPolicy = ...,
        tags: Mapping[str, str] = ...,
        idempotency_on_ended: OnEnded = "return",
        command_id: str | None = None,
    ) -> Created | Duplicate:
        """Make a member of a flow that waits for others of it; with a name, an upstream's result is passed on."""
    def add_dependency(
        self,
        flow_id: str,
        upstream: str,
        downstream: str,
        *,
        edge_id: str | None = None,
        condition: Literal["success_only"] = "success_only",
        pass_result_as: str | None = None,
        expected_graph_revision: int | None = None,
        command_id: str | None = None,
    ) -> DependencyAdded:
        """Let one member wait for another. One that has started already is refused: use `add_execution(after=...)`."""
    def set_edge_group_policy(
        self, flow_id: str, downstream: str, policy: AllOf | AnyOf | Quorum, *, command_id: str | None = None
    ) -> PolicySet | AlreadySet:
        """Say how the edges that lead to a member are joined; possible until there is one."""
    def submit_flow(self, graph: FlowGraph, *, command_id: str | None = None) -> FlowSubmitted:
        """Make a whole flow in one transaction: all of it, or nothing."""
    def cancel_flow(
        self,
        flow_id: str,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
        command_id: str | None = None,
    ) -> FlowCancelled | FlowAlreadyTerminal:
        """End a flow for good. With `wait`, return once every worker has said that its code has stopped, or is lost."""
    def replay_flow(
        self,
        flow_id: str,
        *,
        what: Literal["failed", "all"] | Sequence[str] = "failed",
        steps: Literal["keep", "clear"] | None = None,
        dry_run: bool = False,
        command_id: str | None = None,
    ) -> FlowReplayed:
        """Bring members of a flow back to life, decided for all of them at once; also of a cancelled flow.

        Those that did not complete, with what was skipped (`failed`); all of them, from scratch unless
        `steps` says otherwise (`all`); or the named ones and everything downstream of them. With `dry_run` nothing is
        changed, and the answer or the refusal is the same.
        """
    def ack_cancel_member(self, flow_id: str, execution_id: str, *, command_id: str | None = None) -> None:
        """Say that the code of a member that was cancelled while it ran has stopped. Saying it twice is fine."""
    def set_flow_tag(self, flow_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on a flow, or change its value."""
    def describe_flow(self, flow_id: str) -> FlowSnapshot | None:
        """The flow as it is now, with what its members wait for; None if there is none."""
    def list_flows(
        self, *, namespace: str | None = None, state: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page:
        """Flows as snapshots, newest first. What their members wait for is told by `describe_flow`."""
    def list_edges(
        self, flow_id: str, *, upstream: str | None = None, downstream: str | None = None
    ) -> list[EdgeSnapshot]:
        """The flow's edges, by id: all, or those from one execution, or to one."""
    def describe_edge(self, flow_id: str, edge_id: str) -> EdgeSnapshot | None:
        """One edge as it is now; None if there is none, or no such flow."""
    def follow_events(self, execution_id: str, *, cursor: str | None = None) -> EventPage:
        """The next events of one execution, waiting for them. An empty page: it has ended, and there are no more."""
    def wait_for_flow(self, flow_id: str, *, timeout_ms: int | None = None) -> FlowSnapshot:
        """Wait until all members have ended, and return the flow. Raises TimeoutError if that takes too long.

        A flow without members is not over: somebody may add one.
        """
    def claim(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ...,
        namespace: str = "default",
        capabilities: Sequence[str] = ...,
        limit: int = 1,
        lease_ttl_ms: int = 30000,
        command_id: str | None = None,
    ) -> list[Claimed]:
        """Lease what may run now, highest priority first, then oldest. Never waits: empty means nothing may run."""
    def wait_for_work(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ...,
        namespace: str = "default",
        capabilities: Sequence[str] = ...,
        limit: int = 1,
        lease_ttl_ms: int = 30000,
        poll_ms: int = 1000,
        timeout_ms: int | None = None,
    ) -> list[Claimed]:
        """`claim`, which waits until something may run. Empty: the timeout is over, and nothing could.

        What is submitted in this process meanwhile is created and leased in the same transaction. What others make
        ready is noticed by wake-ups, and whether there were any or not, it looks once per poll interval.

        A store that is away is waited for, too; if it still is when the timeout is over, that is raised.
        """
    def renew(self, lease: Lease, *, lease_ttl_ms: int | None = None, command_id: str | None = None) -> Renewed:
        """Keep a live lease. Never revives one that is over."""
    def renew_all(
        self, leases: Sequence[Lease], *, lease_ttl_ms: int | None = None, command_id: str | None = None
    ) -> list[Renewed | LeaseLost]:
        """Keep many live leases in one command; each is answered for itself, in order."""
    def record_step(
        self, lease: Lease, name: str, result: bytes, *, fingerprint: bytes = b"", command_id: str | None = None
    ) -> StepRecorded:
        """Keep what a named step has returned. The same name and fingerprint again keep the first result."""
    def heartbeat(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ...,
        namespace: str = "default",
        capabilities: Sequence[str] = ...,
        host: str = "",
        pid: int = 0,
        version: str = "",
        ttl_ms: int = 30000,
        command_id: str | None = None,
    ) -> None:
        """Say that a worker lives and what it serves; not heard of for `ttl_ms`, it is taken for dead."""
    def say_goodbye(
        self, worker_instance_id: str, *, namespace: str = "default", command_id: str | None = None
    ) -> None:
        """Take a worker off the list, because it stops. Saying it twice is fine."""
    def complete(self, lease: Lease, result: bytes | None = None, *, command_id: str | None = None) -> Completed:
        """End the execution well. The same lease again gets the same answer, and nothing happens twice."""
    def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """`complete` for many, sent together. Each is answered for itself, in order: a refusal is among the answers."""
    def fail(
        self,
        lease: Lease,
        *,
        code: str,
        message: str = "",
        retryable: bool = True,
        retry_after_ms: int | None = None,
        traceback: str | None = None,
        command_id: str | None = None,
    ) -> RetryScheduled | TerminalFailed:
        """Report a failed attempt; the execution's policy decides whether another one follows."""
    def release(self, lease: Lease, *, command_id: str | None = None) -> Released:
        """Hand the execution back without counting a retry or an interruption."""
    def delay(self, lease: Lease, *, until_ms: int, command_id: str | None = None) -> Released:
        """Hand the execution back, to be claimed again from the given instant on."""
    def progress(
        self, lease: Lease, *, percent: int | None = None, message: str | None = None, command_id: str | None = None
    ) -> None:
        """Note how far the attempt has come. What is left out stays as it was."""
