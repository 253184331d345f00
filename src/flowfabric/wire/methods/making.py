"""Written by `python tools/blocking_stub.py`; do not edit. Change `Engine`, and run it again."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from flowfabric.domain.access import NewAccessToken, Principal, Role, Session, TokenKind, TokenRevoked
from flowfabric.domain.creation import NewExecution
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.flow_snapshots import EdgeSnapshot, FlowSnapshot
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.limits import WhenFull
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    AlreadySet,
    Created,
    DependencyAdded,
    Dropped,
    Duplicate,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowCreated,
    FlowExists,
    FlowReplayed,
    FlowSubmitted,
    PolicySet,
)
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.snapshots import Page


class Making(Protocol):
    """Methods of `Engine`, by the same names."""

    async def reconcile(self) -> Mapping[str, int]:
        """Run every due duty once, for the whole store. Returns how much each duty did."""

    async def recount(self) -> int:
        """Count everything, and put right the kept counts that differ, for the whole store. Returns how many differed.

        It reads every execution, so a large store takes seconds. Commits wait for it on SQLite, not on PostgreSQL.
        """

    async def server_time_ms(self) -> int:
        """The store's time."""

    async def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be reached."""

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
        required_capabilities: Sequence[str] = ...,
        policy: ExecutionPolicy = ...,
        tags: Mapping[str, str] = ...,
        idempotency_on_ended: OnEnded = "return",
        limits: Mapping[str, str] = ...,
        fair_key: str | None = None,
        budgets: Mapping[str, Mapping[str, int]] = ...,
        when_full: WhenFull = "wait",
        debounce_ms: int | None = None,
        debounce_key: str = "",
        command_id: str | None = None,
        conn: object = None,
    ) -> Created | Duplicate | Dropped:
        """Make an execution, once per idempotency key and once per id. When this returns, it cannot be lost.

        A key stands for the same execution until the key expires. With `idempotency_on_ended="renew_failed"`, a new
        execution takes the key if the old one has ended without success; with `"renew"`, if the old one has ended at
        all. With `conn`, the caller's own connection, the execution is part of the transaction that is open there.
        With `debounce_ms`, it starts after this time; if another one of its kind and `debounce_key` is made before it
        has started, it is cancelled with the reason `replaced`.
        """

    async def create_from(
        self, item: NewExecution, *, command_id: str | None = None, conn: object = None
    ) -> Created | Duplicate | Dropped:
        """Do what `create_execution` does; the arguments are in one value."""

    async def create_executions(
        self, items: Sequence[NewExecution], *, command_id: str | None = None, conn: object = None
    ) -> list[Created | Duplicate | Dropped]:
        """Make all items or none, with one answer per item. If an item is refused, the error names its index."""

    async def create_flow(
        self,
        kind: str,
        *,
        namespace: str = "default",
        flow_id: str | None = None,
        tags: Mapping[str, str] = ...,
        command_id: str | None = None,
    ) -> FlowCreated | FlowExists:
        """Make an empty flow, once per id."""

    async def add_execution(
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
        limits: Mapping[str, str] = ...,
        fair_key: str | None = None,
        budgets: Mapping[str, Mapping[str, int]] = ...,
        when_full: WhenFull = "wait",
        command_id: str | None = None,
    ) -> Created | Duplicate:
        """Make a member of a flow that waits for other members. An upstream with a name passes its result on.

        The keywords are those of `create_execution`. A member always waits for its limits: `when_full` is `"wait"`.
        """

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
        command_id: str | None = None,
    ) -> DependencyAdded:
        """Let one member wait for another. Refused if it has already started: use `add_execution(after=...)`."""

    async def set_edge_group_policy(
        self, flow_id: str, downstream: str, policy: AllOf | AnyOf | Quorum, *, command_id: str | None = None
    ) -> PolicySet | AlreadySet:
        """Set how the edges that lead to a member are joined. This is possible only before the first edge."""

    async def submit_flow(self, graph: FlowGraph, *, command_id: str | None = None) -> FlowSubmitted:
        """Make a whole flow in one transaction: all of it, or nothing."""

    async def cancel_flow(
        self,
        flow_id: str,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
        command_id: str | None = None,
    ) -> FlowCancelled | FlowAlreadyTerminal:
        """End a flow for good. With `wait`, return when the code of every member has stopped, or its worker is lost."""

    async def replay_flow(
        self,
        flow_id: str,
        *,
        what: Literal["failed", "all"] | Sequence[str] = "failed",
        steps: Literal["keep", "clear"] | None = None,
        dry_run: bool = False,
        command_id: str | None = None,
    ) -> FlowReplayed:
        """Bring members of a flow back to life, in one decision; also members of a cancelled flow.

        `failed`: the members that did not complete, also the skipped ones. `all`: all members, from scratch unless
        `steps` says otherwise. A sequence of ids: these members and everything downstream of them. With `dry_run`
        nothing is changed, and the answer or the refusal is the same.
        """

    async def ack_cancel_member(self, flow_id: str, execution_id: str, *, command_id: str | None = None) -> None:
        """Acknowledge that the code of a member that was cancelled while it ran has stopped. A repeat does no harm."""

    async def set_flow_tag(self, flow_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on a flow, or change its value."""

    async def describe_flow(self, flow_id: str) -> FlowSnapshot | None:
        """The flow as it is now, with what its members wait for. None: there is no such flow."""

    async def list_flows(
        self, *, namespace: str | None = None, state: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page:
        """Flows as snapshots, newest first. `describe_flow` also shows what the members wait for."""

    async def list_edges(
        self, flow_id: str, *, upstream: str | None = None, downstream: str | None = None
    ) -> list[EdgeSnapshot]:
        """The flow's edges, by id: all, or those from one execution, or to one."""

    async def describe_edge(self, flow_id: str, edge_id: str) -> EdgeSnapshot | None:
        """One edge as it is now. None: there is no such edge, or no such flow."""

    async def create_access_token(
        self,
        role: Role,
        *,
        namespace: str | None = None,
        name: str | None = None,
        expires_in_ms: int | None = None,
        approves_own: bool = False,
        command_id: str | None = None,
    ) -> NewAccessToken:
        """Make an access token. Its secret is in the answer, and nowhere else: only a hash is stored.

        Without a namespace it opens all of them. `name` says who holds it, and is the actor of what it does; without
        one it is called by its id. With `approves_own`, an approver may also approve what it has made itself.
        """

    async def create_login_token(
        self, role: Role = "admin", *, namespace: str | None = None, name: str = "local"
    ) -> NewAccessToken:
        """Make a login link: it opens one session, within ten minutes. A server on this machine prints one."""

    async def log_in(self, secret: str) -> Session | None:
        """Open a session with a token or a login link: for twelve hours, and not longer than its token is good.

        None: this opens no session, and nothing says why. A login link is used up. A token has at most twenty sessions:
        a further one ends the oldest.
        """

    async def log_out(self, secret: str) -> None:
        """End a session. A repeat does no harm, and neither does a token that is no session. Its token stays good."""

    async def authenticate(self, secret: str) -> Principal | None:
        """Who sent this token. None: it is not good, for whatever reason. A login link is not.

        What was read of a token is used for at most a second. An engine that is confined to a namespace lets tokens of
        that namespace in, and tokens for all namespaces, confined as well.
        """

    async def list_access_tokens(
        self,
        *,
        namespace: str | None = None,
        kind: TokenKind | None = "access",
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Access tokens, newest first, page by page, also those that are no good any more. None of them has its secret.

        `kind`: `"access"`, `"session"`, `"login"`, or None for all. A token that is no good is kept for thirty days.
        """

    async def revoke_access_token(
        self, token_id: str, *, reason: str = "", command_id: str | None = None
    ) -> TokenRevoked | AlreadySatisfied:
        """Make a token or a session worthless, and the sessions that the token has opened.

        In this engine that holds at once, in others within a second.
        """

    async def has_access_tokens(self) -> bool:
        """Whether there is any access token, good or not, in any namespace. Sessions and login links do not count."""
