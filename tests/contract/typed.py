"""The contract as types: what mypy must accept for programs that are written against it. Nothing here runs.

The protocols are the contract's `Engine`, without `add_execution`: the contract writes its keywords as any at all, and
ours are those of `create_execution`. With the second contract, a creation may also answer `Dropped`. A test holds the
protocols to the contract's letter.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Literal, Protocol, assert_type

from flowfabric import (
    AllOf,
    AlreadySatisfied,
    AlreadySet,
    AnyOf,
    Appended,
    AtLeast,
    AttemptSnapshot,
    BlockingEngine,
    BudgetSet,
    BudgetSnapshot,
    Cancelled,
    Claimed,
    Completed,
    Condition,
    Created,
    DependencyAdded,
    Dropped,
    Duplicate,
    DuplicateSignal,
    EdgeGroupSnapshot,
    EdgeSnapshot,
    Either,
    Engine,
    EngineError,
    Event,
    EventPage,
    Every,
    ExecutionNotActive,
    ExecutionPolicy,
    ExecutionSnapshot,
    Failure,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowCreated,
    FlowExists,
    FlowGraph,
    FlowReplayed,
    FlowSnapshot,
    FlowSubmitted,
    Frame,
    Held,
    Lease,
    LeaseLost,
    LimitSet,
    LimitSnapshot,
    ManualClock,
    NewChild,
    NewExecution,
    NotFound,
    On,
    OperatorOnly,
    Page,
    PolicySet,
    PriorityChanged,
    PublicState,
    Quorum,
    Released,
    Renewed,
    Replayed,
    Reserved,
    Resumed,
    RetryPolicy,
    RetryScheduled,
    Revoked,
    SecretRotated,
    Signal,
    Signalled,
    Spent,
    StreamFrame,
    StreamPage,
    Summary,
    Suspended,
    TerminalFailed,
    Unheld,
    WaitOpened,
    WaitOver,
    Waitpoint,
    WaitpointSnapshot,
    open_blocking_engine,
    open_engine,
)


class EngineOfTheContract(Protocol):
    def scoped(self, namespace: str) -> "Engine": ...
    async def create_execution(
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
        required_capabilities: Sequence[str] = (),
        policy: ExecutionPolicy = ...,
        tags: Mapping[str, str] = ...,
    ) -> Created | Duplicate | Dropped: ...
    async def create_executions(self, items: Sequence[NewExecution]) -> list[Created | Duplicate | Dropped]: ...
    async def claim(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ("default",),
        namespace: str = "default",
        capabilities: Sequence[str] = (),
        limit: int = 1,
        lease_ttl_ms: int = 30000,
    ) -> list[Claimed]: ...
    async def renew(self, lease: Lease, *, lease_ttl_ms: int | None = None) -> Renewed: ...
    async def complete(self, lease: Lease, result: bytes | None = None) -> Completed: ...
    async def fail(
        self, lease: Lease, *, code: str, message: str = "", retryable: bool = True, retry_after_ms: int | None = None
    ) -> RetryScheduled | TerminalFailed: ...
    async def release(self, lease: Lease) -> Released: ...
    async def delay(self, lease: Lease, *, until_ms: int) -> Released: ...
    async def progress(self, lease: Lease, *, percent: int | None = None, message: str | None = None) -> None: ...
    async def cancel_execution(
        self, execution_id: str, *, reason: str, source: str = "operator_override", lease_epoch: int | None = None
    ) -> Cancelled: ...
    async def revoke_lease(
        self, execution_id: str, *, worker_instance_id: str = "", expected_lease_id: str = "", reason: str = ""
    ) -> Revoked | AlreadySatisfied: ...
    async def change_priority(self, execution_id: str, priority: int) -> PriorityChanged: ...
    async def replay_execution(self, execution_id: str) -> Replayed: ...
    async def hold(self, execution_id: str, *, reason: str = "") -> Held: ...
    async def unhold(self, execution_id: str) -> Unheld: ...
    async def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None: ...
    async def get_result(self, execution_id: str) -> bytes | None: ...
    async def wait_for_result(self, execution_id: str, *, timeout_ms: int | None = None) -> ExecutionSnapshot: ...
    async def list_attempts(self, execution_id: str) -> list[AttemptSnapshot]: ...
    async def list_executions(
        self,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page: ...
    async def explain(self, execution_id: str) -> str: ...
    async def set_tag(self, execution_id: str, key: str, value: str) -> None: ...
    async def set_flow_tag(self, flow_id: str, key: str, value: str) -> None: ...
    async def create_flow(
        self, kind: str, *, namespace: str = "default", flow_id: str | None = None, tags: Mapping[str, str] = ...
    ) -> FlowCreated | FlowExists: ...
    async def add_dependency(
        self,
        flow_id: str,
        upstream: str,
        downstream: str,
        *,
        edge_id: str | None = None,
        condition: Literal["success_only"] = "success_only",
        pass_result_as: str | None = None,
        expected_graph_revision: int | None = None,
    ) -> DependencyAdded: ...
    async def set_edge_group_policy(
        self, flow_id: str, downstream: str, policy: AllOf | AnyOf | Quorum
    ) -> PolicySet | AlreadySet: ...
    async def submit_flow(self, graph: "FlowGraph") -> FlowSubmitted: ...
    async def describe_flow(self, flow_id: str) -> FlowSnapshot | None: ...
    async def list_flows(
        self, *, namespace: str | None = None, state: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page: ...
    async def list_edges(
        self, flow_id: str, *, upstream: str | None = None, downstream: str | None = None
    ) -> list[EdgeSnapshot]: ...
    async def describe_edge(self, flow_id: str, edge_id: str) -> EdgeSnapshot | None: ...
    async def cancel_flow(
        self,
        flow_id: str,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
    ) -> FlowCancelled | FlowAlreadyTerminal: ...
    async def ack_cancel_member(self, flow_id: str, execution_id: str) -> None: ...
    async def read_events(
        self,
        *,
        cursor: str | None = None,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
        limit: int = 500,
    ) -> EventPage: ...
    def subscribe(
        self,
        *,
        cursor: str | None = None,
        from_now: bool = False,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
    ) -> AsyncIterator[Event]: ...
    async def reconcile(self) -> Mapping[str, int]: ...
    async def server_time_ms(self) -> int: ...
    async def ping(self) -> None: ...


class BlockingEngineOfTheContract(Protocol):
    def scoped(self, namespace: str) -> "BlockingEngine": ...
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
        required_capabilities: Sequence[str] = (),
        policy: ExecutionPolicy = ...,
        tags: Mapping[str, str] = ...,
    ) -> Created | Duplicate | Dropped: ...
    def create_executions(self, items: Sequence[NewExecution]) -> list[Created | Duplicate | Dropped]: ...
    def claim(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ("default",),
        namespace: str = "default",
        capabilities: Sequence[str] = (),
        limit: int = 1,
        lease_ttl_ms: int = 30000,
    ) -> list[Claimed]: ...
    def renew(self, lease: Lease, *, lease_ttl_ms: int | None = None) -> Renewed: ...
    def complete(self, lease: Lease, result: bytes | None = None) -> Completed: ...
    def fail(
        self, lease: Lease, *, code: str, message: str = "", retryable: bool = True, retry_after_ms: int | None = None
    ) -> RetryScheduled | TerminalFailed: ...
    def release(self, lease: Lease) -> Released: ...
    def delay(self, lease: Lease, *, until_ms: int) -> Released: ...
    def progress(self, lease: Lease, *, percent: int | None = None, message: str | None = None) -> None: ...
    def cancel_execution(
        self, execution_id: str, *, reason: str, source: str = "operator_override", lease_epoch: int | None = None
    ) -> Cancelled: ...
    def revoke_lease(
        self, execution_id: str, *, worker_instance_id: str = "", expected_lease_id: str = "", reason: str = ""
    ) -> Revoked | AlreadySatisfied: ...
    def change_priority(self, execution_id: str, priority: int) -> PriorityChanged: ...
    def replay_execution(self, execution_id: str) -> Replayed: ...
    def hold(self, execution_id: str, *, reason: str = "") -> Held: ...
    def unhold(self, execution_id: str) -> Unheld: ...
    def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None: ...
    def get_result(self, execution_id: str) -> bytes | None: ...
    def wait_for_result(self, execution_id: str, *, timeout_ms: int | None = None) -> ExecutionSnapshot: ...
    def list_attempts(self, execution_id: str) -> list[AttemptSnapshot]: ...
    def list_executions(
        self,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page: ...
    def explain(self, execution_id: str) -> str: ...
    def set_tag(self, execution_id: str, key: str, value: str) -> None: ...
    def set_flow_tag(self, flow_id: str, key: str, value: str) -> None: ...
    def create_flow(
        self, kind: str, *, namespace: str = "default", flow_id: str | None = None, tags: Mapping[str, str] = ...
    ) -> FlowCreated | FlowExists: ...
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
    ) -> DependencyAdded: ...
    def set_edge_group_policy(
        self, flow_id: str, downstream: str, policy: AllOf | AnyOf | Quorum
    ) -> PolicySet | AlreadySet: ...
    def submit_flow(self, graph: "FlowGraph") -> FlowSubmitted: ...
    def describe_flow(self, flow_id: str) -> FlowSnapshot | None: ...
    def list_flows(
        self, *, namespace: str | None = None, state: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page: ...
    def list_edges(
        self, flow_id: str, *, upstream: str | None = None, downstream: str | None = None
    ) -> list[EdgeSnapshot]: ...
    def describe_edge(self, flow_id: str, edge_id: str) -> EdgeSnapshot | None: ...
    def cancel_flow(
        self,
        flow_id: str,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
    ) -> FlowCancelled | FlowAlreadyTerminal: ...
    def ack_cancel_member(self, flow_id: str, execution_id: str) -> None: ...
    def read_events(
        self,
        *,
        cursor: str | None = None,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
        limit: int = 500,
    ) -> EventPage: ...
    def subscribe(
        self,
        *,
        cursor: str | None = None,
        from_now: bool = False,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
    ) -> Iterator[Event]: ...
    def reconcile(self) -> Mapping[str, int]: ...
    def server_time_ms(self) -> int: ...
    def ping(self) -> None: ...


def opened() -> AbstractAsyncContextManager[Engine]:
    return open_engine("memory://", clock=ManualClock(start_ms=1), reconcile=False, migrate=None)


def opened_for_blocking() -> AbstractContextManager[BlockingEngine]:
    return open_blocking_engine("sqlite:///relative.db", clock=None, reconcile=True, migrate=True)


class SecondEngine(Protocol):
    async def get_payload(self, execution_id: str) -> bytes: ...
    async def replay_execution(
        self, execution_id: str, *, steps: Literal["keep", "clear"] | None = None, from_step: str | None = None
    ) -> Replayed: ...
    async def replay_flow(
        self,
        flow_id: str,
        *,
        what: Literal["failed", "all"] | Sequence[str] = "failed",
        steps: Literal["keep", "clear"] | None = None,
    ) -> FlowReplayed: ...
    def acting_as(self, actor: str) -> "Engine": ...
    async def create_waitpoint(
        self,
        lease: Lease,
        key: str,
        *,
        expires_in_ms: int | None = None,
        about: Mapping[str, object] | None = None,
        alias: str | None = None,
    ) -> Waitpoint: ...
    async def open_wait(
        self,
        lease: Lease,
        name: str,
        condition: Condition | str,
        *,
        timeout_ms: int | None = None,
        timeout_at_ms: int | None = None,
        on_timeout: Literal["resume", "fail", "cancel", "expire", "escalate"] = "resume",
        reason: str = "waiting_for_signal",
    ) -> WaitOpened | WaitOver: ...
    async def suspend(
        self,
        lease: Lease,
        name: str,
        condition: Condition | str,
        *,
        timeout_ms: int | None = None,
        timeout_at_ms: int | None = None,
        on_timeout: Literal["resume", "fail", "cancel", "expire", "escalate"] = "resume",
        reason: str = "waiting_for_signal",
    ) -> Suspended | WaitOver | AlreadySatisfied: ...
    async def create_children(
        self, lease: Lease, name: str, items: "Sequence[NewChild]"
    ) -> list["Created | Duplicate"]: ...
    async def get_wait(self, execution_id: str, name: str) -> WaitOver | None: ...
    async def signal(
        self,
        execution_id: str,
        key: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
    ) -> Signalled | DuplicateSignal: ...
    async def signal_by_token(
        self, token: str, payload: bytes = b"", *, name: str = "", source: str = "", idempotency_key: str | None = None
    ) -> Signalled | DuplicateSignal: ...
    async def signal_alias(
        self,
        alias: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
        namespace: str = "default",
    ) -> Signalled | DuplicateSignal: ...
    async def resume_execution(
        self, execution_id: str, payload: bytes = b"", *, reason: str = ""
    ) -> Resumed | AlreadySatisfied: ...
    async def close_waitpoint(self, execution_id: str, key: str, *, reason: str = "") -> None: ...
    async def list_waitpoints(self, execution_id: str) -> list[WaitpointSnapshot]: ...
    async def list_waiting(
        self, *, namespace: str | None = None, key: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page: ...
    async def list_signals(self, execution_id: str, *, key: str | None = None) -> list[Signal]: ...
    async def issue_token(self, execution_id: str, key: str, *, source: str = "") -> Waitpoint: ...
    async def rotate_waitpoint_secret(
        self, *, kid: str | None = None, secret: bytes | None = None, grace_ms: int = 604800000
    ) -> SecretRotated: ...
    async def list_waitpoint_kids(self) -> Mapping[str, int | None]: ...
    async def append_frames(
        self,
        lease: Lease,
        frames: Sequence[Frame | bytes],
        *,
        step: str | None = None,
        first_seq: int | None = None,
    ) -> Appended: ...
    async def read_stream(
        self,
        execution_id: str,
        *,
        cursor: str | None = None,
        limit: int = 500,
        view: Literal["effective", "all"] = "effective",
    ) -> StreamPage: ...
    def follow_stream(self, execution_id: str, *, cursor: str | None = None) -> AsyncIterator[StreamFrame]: ...
    async def append_all(
        self, appends: "Sequence[tuple[Lease, Sequence[Frame | bytes], str | None, int | None]]"
    ) -> list["Appended | LeaseLost"]: ...
    async def patch_summary(self, lease: Lease, patch: Mapping[str, object]) -> Summary: ...
    async def read_summary(self, execution_id: str) -> Summary | None: ...
    async def set_limit(
        self,
        name: str,
        *,
        key: str | None = None,
        concurrency: int | None = None,
        rate: int | None = None,
        per_ms: int = 60000,
        burst: int | None = None,
        namespace: str = "default",
    ) -> LimitSet: ...
    async def remove_limit(self, name: str, *, key: str | None = None, namespace: str = "default") -> None: ...
    async def pause_limit(self, name: str, key: str = "", *, for_ms: int, namespace: str = "default") -> None: ...
    async def describe_limit(self, name: str, key: str = "", *, namespace: str = "default") -> LimitSnapshot | None: ...
    async def list_limits(
        self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page: ...
    async def set_budget(
        self,
        name: str,
        *,
        limits: Mapping[str, int],
        soft_limits: Mapping[str, int] = ...,
        period: str | None = None,
        timezone: str = "UTC",
        parent: str | None = None,
        on_exceeded: Literal["pause", "cancel"] = "pause",
        namespace: str = "default",
    ) -> BudgetSet: ...
    async def describe_budget(self, name: str, *, namespace: str = "default") -> BudgetSnapshot | None: ...
    async def list_budgets(
        self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page: ...
    async def list_spending(
        self,
        name: str,
        *,
        by: Literal["execution", "flow", "kind", "day"],
        namespace: str = "default",
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page: ...
    async def reset_budget(self, name: str, *, namespace: str = "default") -> None: ...
    async def charge_budget(
        self, name: str, amounts: Mapping[str, int], *, reason: str, namespace: str = "default"
    ) -> Spent: ...
    async def reserve(self, lease: Lease, budget: str, amounts: Mapping[str, int]) -> Reserved: ...
    async def spend(
        self, lease: Lease, budget: str, amounts: Mapping[str, int], *, idempotency_key: str | None = None
    ) -> Spent: ...


class SecondBlockingEngine(Protocol):
    def get_payload(self, execution_id: str) -> bytes: ...
    def replay_execution(
        self, execution_id: str, *, steps: Literal["keep", "clear"] | None = None, from_step: str | None = None
    ) -> Replayed: ...
    def replay_flow(
        self,
        flow_id: str,
        *,
        what: Literal["failed", "all"] | Sequence[str] = "failed",
        steps: Literal["keep", "clear"] | None = None,
    ) -> FlowReplayed: ...
    def acting_as(self, actor: str) -> "BlockingEngine": ...
    def create_waitpoint(
        self,
        lease: Lease,
        key: str,
        *,
        expires_in_ms: int | None = None,
        about: Mapping[str, object] | None = None,
        alias: str | None = None,
    ) -> Waitpoint: ...
    def open_wait(
        self,
        lease: Lease,
        name: str,
        condition: Condition | str,
        *,
        timeout_ms: int | None = None,
        timeout_at_ms: int | None = None,
        on_timeout: Literal["resume", "fail", "cancel", "expire", "escalate"] = "resume",
        reason: str = "waiting_for_signal",
    ) -> WaitOpened | WaitOver: ...
    def suspend(
        self,
        lease: Lease,
        name: str,
        condition: Condition | str,
        *,
        timeout_ms: int | None = None,
        timeout_at_ms: int | None = None,
        on_timeout: Literal["resume", "fail", "cancel", "expire", "escalate"] = "resume",
        reason: str = "waiting_for_signal",
    ) -> Suspended | WaitOver | AlreadySatisfied: ...
    def create_children(self, lease: Lease, name: str, items: "Sequence[NewChild]") -> list["Created | Duplicate"]: ...
    def get_wait(self, execution_id: str, name: str) -> WaitOver | None: ...
    def signal(
        self,
        execution_id: str,
        key: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
    ) -> Signalled | DuplicateSignal: ...
    def signal_by_token(
        self, token: str, payload: bytes = b"", *, name: str = "", source: str = "", idempotency_key: str | None = None
    ) -> Signalled | DuplicateSignal: ...
    def signal_alias(
        self,
        alias: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
        namespace: str = "default",
    ) -> Signalled | DuplicateSignal: ...
    def resume_execution(
        self, execution_id: str, payload: bytes = b"", *, reason: str = ""
    ) -> Resumed | AlreadySatisfied: ...
    def close_waitpoint(self, execution_id: str, key: str, *, reason: str = "") -> None: ...
    def list_waitpoints(self, execution_id: str) -> list[WaitpointSnapshot]: ...
    def list_waiting(
        self, *, namespace: str | None = None, key: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page: ...
    def list_signals(self, execution_id: str, *, key: str | None = None) -> list[Signal]: ...
    def issue_token(self, execution_id: str, key: str, *, source: str = "") -> Waitpoint: ...
    def rotate_waitpoint_secret(
        self, *, kid: str | None = None, secret: bytes | None = None, grace_ms: int = 604800000
    ) -> SecretRotated: ...
    def list_waitpoint_kids(self) -> Mapping[str, int | None]: ...
    def append_frames(
        self,
        lease: Lease,
        frames: Sequence[Frame | bytes],
        *,
        step: str | None = None,
        first_seq: int | None = None,
    ) -> Appended: ...
    def read_stream(
        self,
        execution_id: str,
        *,
        cursor: str | None = None,
        limit: int = 500,
        view: Literal["effective", "all"] = "effective",
    ) -> StreamPage: ...
    def follow_stream(self, execution_id: str, *, cursor: str | None = None) -> Iterator[StreamFrame]: ...
    def append_all(
        self, appends: "Sequence[tuple[Lease, Sequence[Frame | bytes], str | None, int | None]]"
    ) -> list["Appended | LeaseLost"]: ...
    def patch_summary(self, lease: Lease, patch: Mapping[str, object]) -> Summary: ...
    def read_summary(self, execution_id: str) -> Summary | None: ...
    def set_limit(
        self,
        name: str,
        *,
        key: str | None = None,
        concurrency: int | None = None,
        rate: int | None = None,
        per_ms: int = 60000,
        burst: int | None = None,
        namespace: str = "default",
    ) -> LimitSet: ...
    def remove_limit(self, name: str, *, key: str | None = None, namespace: str = "default") -> None: ...
    def pause_limit(self, name: str, key: str = "", *, for_ms: int, namespace: str = "default") -> None: ...
    def describe_limit(self, name: str, key: str = "", *, namespace: str = "default") -> LimitSnapshot | None: ...
    def list_limits(self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100) -> Page: ...
    def set_budget(
        self,
        name: str,
        *,
        limits: Mapping[str, int],
        soft_limits: Mapping[str, int] = ...,
        period: str | None = None,
        timezone: str = "UTC",
        parent: str | None = None,
        on_exceeded: Literal["pause", "cancel"] = "pause",
        namespace: str = "default",
    ) -> BudgetSet: ...
    def describe_budget(self, name: str, *, namespace: str = "default") -> BudgetSnapshot | None: ...
    def list_budgets(self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100) -> Page: ...
    def list_spending(
        self,
        name: str,
        *,
        by: Literal["execution", "flow", "kind", "day"],
        namespace: str = "default",
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page: ...
    def reset_budget(self, name: str, *, namespace: str = "default") -> None: ...
    def charge_budget(
        self, name: str, amounts: Mapping[str, int], *, reason: str, namespace: str = "default"
    ) -> Spent: ...
    def reserve(self, lease: Lease, budget: str, amounts: Mapping[str, int]) -> Reserved: ...
    def spend(
        self, lease: Lease, budget: str, amounts: Mapping[str, int], *, idempotency_key: str | None = None
    ) -> Spent: ...


def both_engines_keep_the_contract(engine: Engine, blocking: BlockingEngine) -> None:
    async_engine: EngineOfTheContract = engine
    blocking_engine: BlockingEngineOfTheContract = blocking
    second_engine: SecondEngine = engine
    second_blocking_engine: SecondBlockingEngine = blocking
    del async_engine, blocking_engine, second_engine, second_blocking_engine


async def answers(engine: Engine, lease: Lease) -> None:
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=3, jitter=0), attempt_timeout_ms=1_000)
    assert_type(
        await engine.create_execution("kind", b"", policy=policy, command_id="a"), Created | Duplicate | Dropped
    )
    items = [NewExecution(kind="kind", payload=b"", tags={"team.name": "x"})]
    assert_type(await engine.create_executions(items, command_id="b"), list[Created | Duplicate | Dropped])
    claimed = await engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["default"], command_id="c")
    assert_type(claimed, list[Claimed])
    assert_type(claimed[0].lease, Lease)
    assert_type(claimed[0].inputs, Mapping[str, bytes])
    assert_type(await engine.renew(lease, lease_ttl_ms=1, command_id="d"), Renewed)
    assert_type(await engine.complete(lease, b"", command_id="e"), Completed)
    assert_type(await engine.fail(lease, code="x", command_id="f"), RetryScheduled | TerminalFailed)
    assert_type(await engine.release(lease, command_id="g"), Released)
    assert_type(await engine.delay(lease, until_ms=1, command_id="h"), Released)
    await engine.progress(lease, percent=1, message="m", command_id="i")
    assert_type(await engine.cancel_execution("id", reason="r", command_id="j"), Cancelled)
    assert_type(await engine.revoke_lease("id", reason="r", command_id="k"), Revoked | AlreadySatisfied)
    assert_type(await engine.change_priority("id", 1, command_id="l"), PriorityChanged)
    assert_type(await engine.replay_execution("id", command_id="m"), Replayed)
    assert_type(await engine.replay_flow("flow", what=["id"], steps="keep", command_id="m"), FlowReplayed)
    assert_type(await engine.hold("id", reason="r", command_id="n"), Held)
    assert_type(await engine.unhold("id", command_id="o"), Unheld)
    await engine.set_tag("id", "team.name", "x", command_id="p")
    assert_type(engine.scoped("tenant"), Engine)


async def waiting(engine: Engine, lease: Lease) -> None:
    assert_type(await engine.create_waitpoint(lease, "key", about={"title": "Go?"}, command_id="a"), Waitpoint)
    assert_type(await engine.open_wait(lease, "name", On("key"), command_id="b"), WaitOpened | WaitOver)
    wait = await engine.suspend(lease, "name", Every("a", Either("b", AtLeast(2, "c", "d"))), on_timeout="fail")
    assert_type(wait, Suspended | WaitOver | AlreadySatisfied)
    assert_type(await engine.suspend(lease, "name", OperatorOnly()), Suspended | WaitOver | AlreadySatisfied)
    over = await engine.get_wait("id", "name")
    assert_type(over, WaitOver | None)
    assert_type(await engine.signal("id", "key", b"", idempotency_key="once"), Signalled | DuplicateSignal)
    assert_type(await engine.signal_by_token("token", b""), Signalled | DuplicateSignal)
    assert_type(await engine.signal_alias("order-7", b"", namespace="tenant"), Signalled | DuplicateSignal)
    assert_type(await engine.resume_execution("id", command_id="c"), Resumed | AlreadySatisfied)
    await engine.close_waitpoint("id", "key", reason="r", command_id="d")
    assert_type(await engine.list_waitpoints("id"), list[WaitpointSnapshot])
    assert_type(await engine.list_waiting(key="key"), Page)
    assert_type(await engine.list_signals("id"), list[Signal])
    assert_type(await engine.issue_token("id", "key", source="ann", command_id="e"), Waitpoint)
    assert_type(await engine.rotate_waitpoint_secret(command_id="f"), SecretRotated)
    assert_type(await engine.list_waitpoint_kids(), Mapping[str, int | None])
    assert_type(engine.acting_as("ann"), Engine)


async def streams(engine: Engine, lease: Lease) -> None:
    assert_type(await engine.append_frames(lease, [b"a", Frame(b"{}", "json")], step="ask", command_id="k"), Appended)
    assert_type(await engine.append_all([(lease, [b"a"], None, 0)]), list[Appended | LeaseLost])
    assert_type(await engine.patch_summary(lease, {"stage": "done"}), Summary)
    page = await engine.read_stream("id", view="all")
    assert_type(page.frames, Sequence[StreamFrame])
    assert_type(page.next_cursor, str)
    assert_type(await engine.read_summary("id"), Summary | None)
    async for frame in engine.follow_stream("id", cursor=page.next_cursor):
        assert_type(frame, StreamFrame)


async def flows(engine: Engine) -> None:
    assert_type(await engine.create_flow("kind", tags={"team.name": "x"}, command_id="a"), FlowCreated | FlowExists)
    added = await engine.add_execution(
        "flow", "kind", b"", after=["id", ("id", "name")], join=Quorum(2, "let_run"), lane="gpu", command_id="b"
    )
    assert_type(added, Created | Duplicate)
    assert_type(await engine.add_dependency("flow", "a", "b", command_id="c"), DependencyAdded)
    policy = AnyOf("cancel_remaining")
    assert_type(await engine.set_edge_group_policy("flow", "b", policy, command_id="d"), PolicySet | AlreadySet)
    graph = FlowGraph("kind", namespace="tenant", flow_id=None, tags={})
    assert_type(graph.node("a", "kind", b"", lane="gpu", priority=1), str)
    graph.edge("a", "b", pass_result_as="name")
    graph.join("b", AllOf())
    submitted = await engine.submit_flow(graph, command_id="e")
    assert_type(submitted, FlowSubmitted)
    assert_type(submitted.execution_ids, Mapping[str, str])
    cancelled = await engine.cancel_flow("flow", reason="r", policy="flow_only", wait=True, command_id="f")
    assert_type(cancelled, FlowCancelled | FlowAlreadyTerminal)
    assert_type(cancelled.member_execution_ids, Sequence[str])
    await engine.ack_cancel_member("flow", "id", command_id="g")
    await engine.set_flow_tag("flow", "team.name", "x", command_id="h")
    found = await engine.describe_flow("flow")
    assert_type(found, FlowSnapshot | None)
    assert found is not None
    assert_type(found.groups, Sequence[EdgeGroupSnapshot])
    assert_type(found.groups[0].policy, AllOf | AnyOf | Quorum)
    assert_type(found.pending_cancel_acks, Sequence[str])
    assert_type(await engine.list_flows(state="open"), Page)
    assert_type(await engine.list_edges("flow", upstream="a"), list[EdgeSnapshot])
    assert_type(await engine.describe_edge("flow", "edge"), EdgeSnapshot | None)


async def reads(engine: Engine) -> None:
    found = await engine.describe_execution("id")
    assert_type(found, ExecutionSnapshot | None)
    assert found is not None
    assert_type(found.public_state, PublicState)
    assert_type(found.failure, Failure | None)
    assert_type(await engine.get_result("id"), bytes | None)
    assert_type(await engine.get_payload("id"), bytes)
    assert_type(await engine.wait_for_result("id", timeout_ms=1), ExecutionSnapshot)
    assert_type(await engine.list_attempts("id"), list[AttemptSnapshot])
    assert_type(await engine.list_executions(tag=("team.name", "x")), Page)
    assert_type(await engine.explain("id"), str)
    assert_type(await engine.read_events(channels=["lease"]), EventPage)
    async for event in engine.subscribe(from_now=True):
        assert_type(event, Event)
    assert_type(await engine.reconcile(), Mapping[str, int])
    assert_type(await engine.server_time_ms(), int)
    await engine.ping()


def the_same_without_async(engine: BlockingEngine) -> None:
    created = engine.create_execution("kind", b"payload", idempotency_key="once", command_id="a")
    assert_type(created, Created | Duplicate | Dropped)
    for claimed in engine.claim(worker_id="w", worker_instance_id="w-1", limit=10):
        assert_type(claimed, Claimed)
        assert_type(engine.renew(claimed.lease), Renewed)
        assert_type(engine.complete(claimed.lease, b"result"), Completed)
    assert_type(engine.get_result(created.execution_id), bytes | None)
    assert_type(engine.list_attempts(created.execution_id), list[AttemptSnapshot])
    assert_type(engine.revoke_lease(created.execution_id), Revoked | AlreadySatisfied)
    assert_type(engine.add_execution("flow", "kind", after=["id"], join=AllOf()), Created | Duplicate)
    assert_type(engine.submit_flow(FlowGraph("kind")), FlowSubmitted)
    assert_type(engine.cancel_flow("flow", reason="r"), FlowCancelled | FlowAlreadyTerminal)
    assert_type(engine.describe_flow("flow"), FlowSnapshot | None)
    assert_type(engine.scoped("tenant"), BlockingEngine)
    assert_type(engine.acting_as("ann"), BlockingEngine)
    for event in engine.subscribe(from_now=True):
        assert_type(event, Event)
    for frame in engine.follow_stream("id"):
        assert_type(frame, StreamFrame)


def errors(error: EngineError, unknown: NotFound, inactive: ExecutionNotActive) -> None:
    assert_type(error.code, str)
    assert_type(error.retryable, bool)
    assert_type(unknown.entity, str)
    assert_type(inactive.public_state, PublicState)
    assert_type(inactive.lease_epoch, int)
