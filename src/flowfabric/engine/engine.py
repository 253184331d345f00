"""What callers use: every command and every read, as an async method.

`Engine` checks what callers send, makes commands of it, and waits for their answers. `BlockingEngine` has the same
methods for synchronous code. Both are thin: the rules live in `domain`, the commits in `group_commit`.
"""

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, Literal, TypeVar, cast, get_args

import msgspec
from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.commands import (
    AckCancelMember,
    AddDependency,
    AddExecution,
    AnyCommand,
    CancelExecution,
    CancelFlow,
    ChangePriority,
    Claim,
    Command,
    Complete,
    CreateExecution,
    CreateExecutions,
    CreateFlow,
    Delay,
    Envelope,
    Fail,
    FireSchedule,
    ForgetSchedule,
    Heartbeat,
    Hold,
    NewEdge,
    PauseLane,
    PauseSchedule,
    PurgeExecution,
    PurgeFlow,
    RecordStep,
    Release,
    Renew,
    RenewAll,
    ReplayExecution,
    ReportProgress,
    ResumeLane,
    ResumeSchedule,
    RevokeLease,
    SayGoodbye,
    SetEdgeGroupPolicy,
    SetFlowTag,
    SetTag,
    SubmitFlow,
    Unhold,
)
from flowfabric.domain.creation import NewExecution, NewSchedule
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.decide.operating import OPERATOR
from flowfabric.domain.errors import EngineError, InvalidInput, NotFound, StoreError, shown
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.execution import Execution, attempt_ends_at_ms, live_attempt
from flowfabric.domain.explaining import WaitsFor, explain
from flowfabric.domain.flow import FLOW_STATES, Flow
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.ids import (
    PARTITIONS,
    ExecutionId,
    FlowId,
    flow_partition,
    lane_partition,
    make_execution_id,
    parse_execution_id,
    parse_uuid,
    partition_in,
    uuid_in,
)
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.lanes import MINUTE_MS
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
    FlowSubmitted,
    Held,
    LanePaused,
    LaneResumed,
    LeaseLost,
    Outcome,
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
    ScheduleResumed,
    StepRecorded,
    TerminalFailed,
    Unheld,
)
from flowfabric.domain.policies import DEFAULT_POLICY, DURATION_MS_MAX, ExecutionPolicy
from flowfabric.domain.schedule import Definition
from flowfabric.domain.snapshots import (
    SUCCESS_ONLY,
    AttemptSnapshot,
    EdgeSnapshot,
    ExecutionSnapshot,
    FlowSnapshot,
    LaneSnapshot,
    OperatedPage,
    Page,
    Purged,
    Refusal,
    ScheduleSnapshot,
    Stats,
    StepSnapshot,
    WorkerSnapshot,
    attempt_snapshot_of,
    edge_snapshot_of,
    flow_snapshot_of,
    group_snapshot_of,
    lane_snapshots_of,
    schedule_snapshot_of,
    snapshot_of,
    step_snapshot_of,
    worker_snapshot_of,
)
from flowfabric.domain.states import PUBLIC_STATES, PublicState
from flowfabric.engine.group_commit import GroupCommit
from flowfabric.engine.joining import decide_joined
from flowfabric.engine.minting import new_uuid
from flowfabric.engine.shells import Shell, Waiting
from flowfabric.engine.wakeups import ANY_EVENT, Wakeups
from flowfabric.ports import (
    CallersConnection,
    EventFilter,
    ExecutionFilter,
    FlowFilter,
    ListPosition,
    Store,
    Upkeep,
)

R = TypeVar("R")

Action = Literal["cancel", "revoke", "change_priority", "replay", "hold", "unhold"]
"""What can be done to many executions at once."""

POLL_S: Final = 0.2
"""How long a wait goes on without looking: what a lost wake-up costs at most."""
EVENTS_AT_ONCE: Final = 500
"""How many events a read brings, unless it is told."""
_NO_TAGS: Final[Mapping[str, str]] = {}


class PurgePosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How far a purge has come: among executions first, then among flows."""

    phase: Literal["executions", "flows"]
    after: ListPosition


class Services(msgspec.Struct, frozen=True):
    """What an engine and all its scoped views share."""

    commits: GroupCommit
    wakeups: Wakeups
    upkeep: Upkeep
    shell: Shell
    payload_bytes_max: int
    new_uuid: Callable[[], str] = new_uuid
    """Where fresh ids come from."""

    @property
    def store(self) -> Store:
        """Where the records rest."""
        return self.commits.store


class Engine:
    """The durable execution engine. Every write is committed when its method returns."""

    def __init__(self, services: Services, scope: str | None = None) -> None:
        self._services = services
        self._shell = services.shell
        self._store = services.store
        self._new_uuid = services.new_uuid
        self._scope = scope

    def scoped(self, namespace: str) -> "Engine":
        """The same engine confined to one namespace: everything of other namespaces is unknown to it."""
        return Engine(self._services, inputs.namespace_in_scope(namespace, self._scope))

    # ── submitting ───────────────────────────────────────────────────────────────────────────────

    async def create_execution(
        self,
        kind: str,
        payload: bytes = b"",
        *,
        lane: str = "default",
        namespace: str = DEFAULT_NAMESPACE,
        execution_id: str | None = None,
        priority: int = 0,
        delay_until_ms: int | None = None,
        deadline_at_ms: int | None = None,
        idempotency_key: str | None = None,
        idempotency_ttl_ms: int = 86_400_000,
        required_capabilities: Sequence[str] = (),
        policy: ExecutionPolicy = DEFAULT_POLICY,
        tags: Mapping[str, str] = _NO_TAGS,
        command_id: str | None = None,
        conn: object = None,
    ) -> Created | Duplicate:
        """Make an execution, once per idempotency key and once per id. When this returns, it cannot be lost.

        With `conn`, a connection of the caller's own, it is part of the transaction that is open there.
        """
        item = NewExecution(
            kind=kind,
            payload=payload,
            lane=lane,
            namespace=namespace,
            execution_id=execution_id,
            priority=priority,
            delay_until_ms=delay_until_ms,
            deadline_at_ms=deadline_at_ms,
            idempotency_key=idempotency_key,
            idempotency_ttl_ms=idempotency_ttl_ms,
            required_capabilities=required_capabilities,
            policy=policy,
            tags=tags,
        )
        return await self._execute(self._creation_of(item), command_id, conn)

    async def create_executions(
        self, items: Sequence[NewExecution], *, command_id: str | None = None, conn: object = None
    ) -> list[Created | Duplicate]:
        """Make all of them or none, with one answer per item. A bad item refuses the call and is named by its index."""
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Sequence):
            raise InvalidInput(f"items is a sequence of NewExecution, not {type(items).__name__}.")
        if len(items) > inputs.ITEMS_MAX:
            raise InvalidInput(f"items has {len(items)} entries; the limit is {inputs.ITEMS_MAX}. Send several calls.")
        commands = []
        for index, item in enumerate(items):
            if not isinstance(item, NewExecution):
                raise InvalidInput(f"items[{index}] is a NewExecution, not {type(item).__name__}.")
            try:
                commands.append(self._creation_of(item))
            except InvalidInput as error:
                raise InvalidInput(f"items[{index}]: {error} Nothing was created.") from None
        if not commands:
            return []
        return await self._execute(CreateExecutions(tuple(commands)), command_id, conn)

    @asynccontextmanager
    async def transaction(self, conn: object) -> AsyncIterator[None]:
        """A transaction on a connection of the caller's own: committed after the block, rolled back if it raises.

        On SQLite this is where a submit with `conn` belongs; elsewhere any open transaction will do.
        """
        # A bell that nobody rings: it waits as its caller does.
        async with self._callers_connection(conn).transaction(lambda seconds: self._shell.bell().wait(seconds)):
            yield

    def _callers_connection(self, conn: object) -> CallersConnection:
        self._services.commits.check_usable()
        return self._store.callers_connection(conn, is_async=self._shell.is_async)

    def _creation_of(self, item: NewExecution, flow_id: FlowId | None = None) -> CreateExecution:
        lane = inputs.lane(item.lane)
        partition = lane_partition(lane) if flow_id is None else flow_partition(flow_id)
        given = item.execution_id is not None
        execution_id = (
            parse_execution_id(item.execution_id) if given else make_execution_id(partition, self._new_uuid())
        )
        if flow_id is not None and partition_in(execution_id) != partition:
            raise InvalidInput(
                f"execution_id {execution_id} is on partition {partition_in(execution_id)}; members of flow {flow_id} "
                f"are on partition {partition}. Write {{fp:{partition}}}: before the uuid, or leave the id out."
            )
        return CreateExecution(
            execution_id,
            given,
            inputs.name("kind", item.kind),
            inputs.payload("payload", item.payload, self._services.payload_bytes_max),
            lane,
            inputs.namespace_in_scope(item.namespace, self._scope),
            inputs.priority(item.priority),
            inputs.optional_instant("delay_until_ms", item.delay_until_ms),
            inputs.optional_instant("deadline_at_ms", item.deadline_at_ms),
            inputs.key("idempotency_key", item.idempotency_key),
            inputs.integer("idempotency_ttl_ms", item.idempotency_ttl_ms, 1, inputs.IDEMPOTENCY_TTL_MS_MAX),
            inputs.capabilities("required_capabilities", item.required_capabilities),
            inputs.policy(item.policy),
            inputs.tags(item.tags),
        )

    # ── working ──────────────────────────────────────────────────────────────────────────────────

    async def claim(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ("default",),
        namespace: str = DEFAULT_NAMESPACE,
        capabilities: Sequence[str] = (),
        limit: int = 1,
        lease_ttl_ms: int = 30_000,
        command_id: str | None = None,
    ) -> list[Claimed]:
        """Lease what may run now, highest priority first, then oldest. Never waits: empty means nothing may run."""
        command = self._claim_of(worker_id, worker_instance_id, lanes, namespace, capabilities, limit, lease_ttl_ms)
        return await self._execute(command, command_id)

    async def wait_for_work(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ("default",),
        namespace: str = DEFAULT_NAMESPACE,
        capabilities: Sequence[str] = (),
        limit: int = 1,
        lease_ttl_ms: int = 30_000,
        poll_ms: int = 1_000,
        timeout_ms: int | None = None,
    ) -> list[Claimed]:
        """`claim`, which waits until something may run. Empty: the timeout is over, and nothing could.

        What is submitted in this process meanwhile is created and leased in the same transaction. What others make
        ready is noticed by wake-ups, and whether there were any or not, it looks once per poll interval.
        """
        command = self._claim_of(worker_id, worker_instance_id, lanes, namespace, capabilities, limit, lease_ttl_ms)
        poll_s = inputs.integer("poll_ms", poll_ms, 1, DURATION_MS_MAX) / 1000
        timeout_s = None if timeout_ms is None else inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX) / 1000
        wanted = [(command.namespace, lane) for lane in command.lanes]
        listen = partial(self._services.wakeups.listening_for_work, wanted)
        envelope = Envelope(command, self._scope)
        waiting = Waiting(wanted, listen, self._services.wakeups.has_looked_within, poll_s, timeout_s)
        return cast("list[Claimed]", await self._shell.wait_for_work(envelope, waiting))

    def _claim_of(
        self,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str],
        namespace: str,
        capabilities: Sequence[str],
        limit: int,
        lease_ttl_ms: int,
    ) -> Claim:
        return Claim(
            inputs.name("worker_id", worker_id, inputs.KEY_CHARS_MAX),
            inputs.name("worker_instance_id", worker_instance_id, inputs.KEY_CHARS_MAX),
            inputs.lanes(lanes),
            inputs.namespace_in_scope(namespace, self._scope),
            frozenset(inputs.capabilities("capabilities", capabilities)),
            inputs.limit(limit),
            inputs.integer("lease_ttl_ms", lease_ttl_ms, 1, inputs.LEASE_TTL_MS_MAX),
        )

    async def renew(self, lease: Lease, *, lease_ttl_ms: int | None = None, command_id: str | None = None) -> Renewed:
        """Keep a live lease. Never revives one that is over."""
        if lease_ttl_ms is not None:
            inputs.integer("lease_ttl_ms", lease_ttl_ms, 1, inputs.LEASE_TTL_MS_MAX)
        return await self._execute(Renew(inputs.fence(lease), lease_ttl_ms), command_id)

    async def renew_all(
        self, leases: Sequence[Lease], *, lease_ttl_ms: int | None = None, command_id: str | None = None
    ) -> list[Renewed | LeaseLost]:
        """Keep many live leases in one command; each is answered for itself, in order."""
        if isinstance(leases, (str, bytes, Mapping)) or not isinstance(leases, Sequence):
            raise InvalidInput(f"leases is a sequence of leases, not {type(leases).__name__}.")
        if len(leases) > inputs.ITEMS_MAX:
            raise InvalidInput(
                f"leases has {len(leases)} entries; the limit is {inputs.ITEMS_MAX}. Send several calls."
            )
        if lease_ttl_ms is not None:
            inputs.integer("lease_ttl_ms", lease_ttl_ms, 1, inputs.LEASE_TTL_MS_MAX)
        fences = tuple(inputs.fence(lease) for lease in leases)
        return await self._execute(RenewAll(fences, lease_ttl_ms), command_id) if fences else []

    async def record_step(
        self, lease: Lease, name: str, result: bytes, *, fingerprint: bytes = b"", command_id: str | None = None
    ) -> StepRecorded:
        """Keep what a named step has returned. The same name and fingerprint again keep the first result."""
        command = RecordStep(
            inputs.fence(lease),
            inputs.name("name", name),
            inputs.payload("fingerprint", fingerprint, inputs.FINGERPRINT_BYTES_MAX),
            inputs.payload("result", result, self._services.payload_bytes_max),
        )
        return await self._execute(command, command_id)

    async def heartbeat(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ("default",),
        namespace: str = DEFAULT_NAMESPACE,
        capabilities: Sequence[str] = (),
        host: str = "",
        pid: int = 0,
        version: str = "",
        ttl_ms: int = 30_000,
        command_id: str | None = None,
    ) -> None:
        """Say that a worker lives and what it serves; not heard of for `ttl_ms`, it is taken for dead."""
        command = Heartbeat(
            inputs.name("worker_instance_id", worker_instance_id, inputs.KEY_CHARS_MAX),
            inputs.name("worker_id", worker_id, inputs.KEY_CHARS_MAX),
            inputs.namespace_in_scope(namespace, self._scope),
            inputs.text("host", host, inputs.TAG_VALUE_BYTES_MAX),
            inputs.integer("pid", pid, 0, 2**31 - 1),
            inputs.lanes(lanes),
            inputs.capabilities("capabilities", capabilities),
            inputs.text("version", version, inputs.TAG_VALUE_BYTES_MAX),
            inputs.integer("ttl_ms", ttl_ms, 1, inputs.LEASE_TTL_MS_MAX),
        )
        await self._execute(command, command_id)

    async def say_goodbye(
        self, worker_instance_id: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> None:
        """Take a worker off the list, because it stops. Saying it twice is fine."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        name = inputs.name("worker_instance_id", worker_instance_id, inputs.KEY_CHARS_MAX)
        await self._execute(SayGoodbye(of_namespace, name), command_id)

    async def complete(self, lease: Lease, result: bytes | None = None, *, command_id: str | None = None) -> Completed:
        """End the execution well. The same lease again gets the same answer, and nothing happens twice."""
        return await self._execute(self._completion_of(lease, result), command_id)

    async def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """`complete` for many, sent together. Each is answered for itself, in order: a refusal is among the answers."""
        if isinstance(ended, (str, bytes, Mapping)) or not isinstance(ended, Sequence):
            raise InvalidInput(f"ended is a sequence of (lease, result), not {type(ended).__name__}.")
        if len(ended) > inputs.ITEMS_MAX:
            raise InvalidInput(f"ended has {len(ended)} entries; the limit is {inputs.ITEMS_MAX}. Send several calls.")
        given = [self._completion_in(index, each) for index, each in enumerate(ended)]
        told = iter(await self._shell.execute_all([each for each in given if isinstance(each, Envelope)]))
        return [cast("Completed | EngineError", next(told)) if isinstance(each, Envelope) else each for each in given]

    def _completion_in(self, index: int, each: tuple[Lease, bytes | None]) -> Envelope | InvalidInput:
        try:
            lease, result = each
            return Envelope(self._completion_of(lease, result), self._scope)
        except InvalidInput as error:
            return InvalidInput(f"ended[{index}]: {error}")
        except (TypeError, ValueError):
            return InvalidInput(f"ended[{index}] is a pair of a lease and a result, not {type(each).__name__}.")

    def _completion_of(self, lease: Lease, result: bytes | None) -> Complete:
        if result is not None:
            result = inputs.payload("result", result, self._services.payload_bytes_max)
        return Complete(inputs.fence(lease), result)

    async def fail(
        self,
        lease: Lease,
        *,
        code: str,
        message: str = "",
        retryable: bool = True,
        retry_after_ms: int | None = None,
        command_id: str | None = None,
    ) -> RetryScheduled | TerminalFailed:
        """Report a failed attempt; the execution's policy decides whether another one follows."""
        if retry_after_ms is not None:
            inputs.integer("retry_after_ms", retry_after_ms, 0, DURATION_MS_MAX)
        command = Fail(
            inputs.fence(lease),
            inputs.name("code", code),
            inputs.text("message", message),
            inputs.flag("retryable", retryable),
            retry_after_ms,
        )
        return await self._execute(command, command_id)

    async def release(self, lease: Lease, *, command_id: str | None = None) -> Released:
        """Hand the execution back without counting a retry or an interruption."""
        return await self._execute(Release(inputs.fence(lease)), command_id)

    async def delay(self, lease: Lease, *, until_ms: int, command_id: str | None = None) -> Released:
        """Hand the execution back, to be claimed again from the given instant on."""
        return await self._execute(Delay(inputs.fence(lease), inputs.instant("until_ms", until_ms)), command_id)

    async def progress(
        self,
        lease: Lease,
        *,
        percent: int | None = None,
        message: str | None = None,
        command_id: str | None = None,
    ) -> None:
        """Note how far the attempt has come. What is left out stays as it was."""
        if percent is not None:
            inputs.integer("percent", percent, 0, 100)
        if message is not None:
            inputs.text("message", message)
        await self._execute(ReportProgress(inputs.fence(lease), percent, message), command_id)

    # ── operating ────────────────────────────────────────────────────────────────────────────────

    async def cancel_execution(
        self,
        execution_id: str,
        *,
        reason: str,
        source: str = "operator_override",
        lease_epoch: int | None = None,
        command_id: str | None = None,
    ) -> Cancelled:
        """End the execution for good, running or not. Cancelling twice is fine."""
        if lease_epoch is not None:
            inputs.integer("lease_epoch", lease_epoch, 0, inputs.INSTANT_MS_MAX)
        command = CancelExecution(
            parse_execution_id(execution_id),
            inputs.text("reason", reason),
            inputs.name("source", source),
            lease_epoch,
        )
        return await self._execute(command, command_id)

    async def revoke_lease(
        self,
        execution_id: str,
        *,
        worker_instance_id: str = "",
        expected_lease_id: str = "",
        reason: str = "",
        command_id: str | None = None,
    ) -> Revoked | AlreadySatisfied:
        """Take the lease away and put the execution back in the queue; its holder can change nothing any more."""
        command = RevokeLease(
            parse_execution_id(execution_id),
            inputs.text("worker_instance_id", worker_instance_id),
            inputs.text("expected_lease_id", expected_lease_id),
            inputs.text("reason", reason),
        )
        return await self._execute(command, command_id)

    async def change_priority(
        self, execution_id: str, priority: int, *, command_id: str | None = None
    ) -> PriorityChanged:
        """Move a waiting execution in its queue."""
        command = ChangePriority(parse_execution_id(execution_id), inputs.priority(priority))
        return await self._execute(command, command_id)

    async def replay_execution(self, execution_id: str, *, command_id: str | None = None) -> Replayed:
        """Bring an ended execution back to life, in place, with fresh budgets."""
        return await self._execute(ReplayExecution(parse_execution_id(execution_id)), command_id)

    async def hold(self, execution_id: str, *, reason: str = "", command_id: str | None = None) -> Held:
        """Keep a runnable execution from being claimed until it is let go."""
        return await self._execute(Hold(parse_execution_id(execution_id), inputs.text("reason", reason)), command_id)

    async def unhold(self, execution_id: str, *, command_id: str | None = None) -> Unheld:
        """Let a held execution go."""
        return await self._execute(Unhold(parse_execution_id(execution_id)), command_id)

    async def pause_lane(
        self, lane: str, *, namespace: str = DEFAULT_NAMESPACE, reason: str = "", command_id: str | None = None
    ) -> LanePaused:
        """Let nothing be claimed from a lane until it is resumed. What runs goes on; pausing twice is fine."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        command = PauseLane(of_namespace, inputs.lane(lane), inputs.text("reason", reason))
        return await self._execute(command, command_id)

    async def resume_lane(
        self, lane: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> LaneResumed:
        """Let a lane be claimed from again, and wake whoever waits for it. Resuming twice is fine."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(ResumeLane(of_namespace, inputs.lane(lane)), command_id)

    async def operate(
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
        cursor: str | None = None,
        limit: int = 500,
    ) -> OperatedPage:
        """Do one thing to the next executions that pass the filters, newest first. Call it until there is no cursor.

        Each is decided by itself, as the single command would be. Each that was there at the first call is met once,
        whether the action changes what it was found by or not, and what comes later is not met at all.
        """
        where = self._filter(namespace, public_state, lane, flow_id, kind, tag, created_before_ms)
        command_for = _command_for(action, inputs.text("reason", reason), priority)
        limit = inputs.limit(limit)
        after = None if cursor is None else unpack_cursor(cursor, "operate", self._store.name, ListPosition)
        found = await self._shell.read(lambda: self._store.executions(where, after, limit + 1))
        page = [x.execution_id for x in found[:limit]]
        answers = await self._execute_all([command_for(key) for key in page])
        refused = [
            refusal
            for key, answer in zip(page, answers, strict=True)
            if (refusal := _refusal_in(key, answer)) is not None
        ]
        position = None
        if len(found) > limit:
            position = pack_cursor("operate", self._store.name, _position_of(found[limit - 1]))
        return OperatedPage(len(page) - len(refused), refused, position)

    async def purge(
        self,
        *,
        ended_before_ms: int,
        namespace: str | None = None,
        cursor: str | None = None,
        limit: int = 500,
    ) -> Purged:
        """Remove what ended before an instant, with all that belongs to it, whatever its retention says.

        At most so many executions are removed at once, or, when none is left, so many flows as a whole. Call it until
        there is no cursor. Nothing that lives is ever removed.
        """
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        before_ms = inputs.instant("ended_before_ms", ended_before_ms)
        limit = inputs.limit(limit)
        # Nothing ends before it is created, so whatever is newer need not even be looked at.
        newest = ExecutionFilter(created_before_ms=before_ms).start(None)
        at = PurgePosition("executions", newest)
        if cursor is not None:
            at = unpack_cursor(cursor, "purge", self._store.name, PurgePosition)
        executions = 0
        store = self._store
        if at.phase == "executions":
            solos = await self._shell.read(lambda: store.ended_executions(of_namespace, before_ms, at.after, limit))
            ids = [make_execution_id(each.partition, each.uuid) for each in solos]
            answers = await self._execute_all([PurgeExecution(key, before_ms) for key in ids])
            executions = sum(answer is True for answer in answers)
            if len(solos) == limit:
                return Purged(executions, 0, pack_cursor("purge", store.name, PurgePosition("executions", solos[-1])))
        after = at.after if at.phase == "flows" else newest
        flows = await self._shell.read(lambda: store.ended_flows(of_namespace, before_ms, after, limit))
        answers = await self._execute_all([PurgeFlow(flow.flow_id, before_ms) for flow in flows])
        gone = [flow for flow, answer in zip(flows, answers, strict=True) if answer is True]
        position = None
        if len(flows) == limit:
            position = pack_cursor("purge", store.name, PurgePosition("flows", _position_of_flow(flows[-1])))
        return Purged(executions + sum(flow.node_count for flow in gone), len(gone), position)

    async def set_tag(self, execution_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on an execution, or change its value."""
        command = SetTag(parse_execution_id(execution_id), inputs.tag_key(key), inputs.tag_value(value))
        await self._execute(command, command_id)

    # ── flows ────────────────────────────────────────────────────────────────────────────────────

    async def create_flow(
        self,
        kind: str,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        flow_id: str | None = None,
        tags: Mapping[str, str] = _NO_TAGS,
        command_id: str | None = None,
    ) -> FlowCreated | FlowExists:
        """Make an empty flow, once per id."""
        return await self._execute(self._flow_creation_of(kind, namespace, flow_id, tags), command_id)

    def _flow_creation_of(self, kind: str, namespace: str, flow_id: str | None, tags: Mapping[str, str]) -> CreateFlow:
        return CreateFlow(
            FlowId(self._new_uuid()) if flow_id is None else inputs.flow_id(flow_id),
            flow_id is not None,
            inputs.name("kind", kind),
            inputs.namespace_in_scope(namespace, self._scope),
            inputs.tags(tags),
        )

    async def add_execution(
        self,
        flow_id: str,
        kind: str,
        payload: bytes = b"",
        *,
        after: Sequence[str | tuple[str, str]] = (),
        join: AllOf | AnyOf | Quorum | None = None,
        lane: str = "default",
        namespace: str = DEFAULT_NAMESPACE,
        execution_id: str | None = None,
        priority: int = 0,
        delay_until_ms: int | None = None,
        deadline_at_ms: int | None = None,
        idempotency_key: str | None = None,
        idempotency_ttl_ms: int = 86_400_000,
        required_capabilities: Sequence[str] = (),
        policy: ExecutionPolicy = DEFAULT_POLICY,
        tags: Mapping[str, str] = _NO_TAGS,
        command_id: str | None = None,
    ) -> Created | Duplicate:
        """Make a member of a flow that waits for others of it; with a name, an upstream's result is passed on."""
        of_flow = inputs.flow_id(flow_id)
        item = NewExecution(
            kind=kind,
            payload=payload,
            lane=lane,
            namespace=namespace,
            execution_id=execution_id,
            priority=priority,
            delay_until_ms=delay_until_ms,
            deadline_at_ms=deadline_at_ms,
            idempotency_key=idempotency_key,
            idempotency_ttl_ms=idempotency_ttl_ms,
            required_capabilities=required_capabilities,
            policy=policy,
            tags=tags,
        )
        creation = self._creation_of(item, of_flow)
        if namespace is DEFAULT_NAMESPACE and self._scope is None:
            creation = replace(creation, namespace="")
        edges = tuple(
            NewEdge(self._new_uuid(), upstream, creation.execution_id, passed_as)
            for upstream, passed_as in _upstreams(after)
        )
        command = AddExecution(of_flow, creation, edges, None if join is None else inputs.join(join))
        return await self._execute(command, command_id)

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
        """Let one member wait for another. One that has started already is refused: use `add_execution(after=...)`."""
        if condition != SUCCESS_ONLY:
            raise InvalidInput(f"condition is {condition!r}; the only one there is is {SUCCESS_ONLY!r}.")
        if expected_graph_revision is not None:
            inputs.integer("expected_graph_revision", expected_graph_revision, 0, inputs.INSTANT_MS_MAX)
        edge = NewEdge(
            self._new_uuid() if edge_id is None else inputs.edge_id(edge_id),
            parse_execution_id(upstream),
            parse_execution_id(downstream),
            inputs.input_name(pass_result_as),
        )
        command = AddDependency(inputs.flow_id(flow_id), edge, edge_id is not None, expected_graph_revision)
        return await self._execute(command, command_id)

    async def set_edge_group_policy(
        self, flow_id: str, downstream: str, policy: AllOf | AnyOf | Quorum, *, command_id: str | None = None
    ) -> PolicySet | AlreadySet:
        """Say how the edges that lead to a member are joined; possible until there is one."""
        command = SetEdgeGroupPolicy(inputs.flow_id(flow_id), parse_execution_id(downstream), inputs.join(policy))
        return await self._execute(command, command_id)

    async def submit_flow(self, graph: FlowGraph, *, command_id: str | None = None) -> FlowSubmitted:
        """Make a whole flow in one transaction: all of it, or nothing."""
        if not isinstance(graph, FlowGraph):
            raise InvalidInput(f"graph is a FlowGraph, not {type(graph).__name__}.")
        graph.check()
        flow = self._flow_creation_of(graph.kind, graph.namespace, graph.flow_id, graph.tags)
        nodes: dict[str, CreateExecution] = {}
        for name, item in graph.nodes.items():
            try:
                nodes[name] = self._creation_of(replace(item, namespace=flow.namespace), flow.flow_id)
            except InvalidInput as error:
                raise InvalidInput(f"node {name!r}: {error} Nothing of the flow was created.") from None
        edges = tuple(
            NewEdge(
                self._new_uuid(),
                nodes[edge.upstream].execution_id,
                nodes[edge.downstream].execution_id,
                edge.pass_result_as,
            )
            for edge in graph.edges
        )
        joins = tuple((nodes[name].execution_id, join) for name, join in graph.joins.items())
        return await self._execute(SubmitFlow(flow, tuple(nodes.items()), edges, joins), command_id)

    async def cancel_flow(
        self,
        flow_id: str,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
        command_id: str | None = None,
    ) -> FlowCancelled | FlowAlreadyTerminal:
        """End a flow for good. With `wait`, return once every worker has said that its code has stopped, or is lost."""
        inputs.flag("wait", wait)
        key = inputs.flow_id(flow_id)
        command = CancelFlow(key, inputs.text("reason", reason), inputs.cancellation_policy(policy))
        answer = await self._execute(command, command_id)
        if wait:
            bell = self._shell.bell()
            with self._services.wakeups.listening(key, bell.ring):
                while True:
                    view = await self._shell.read(lambda: self._store.flow_view(key))
                    if view is None or not view.pending_acks:
                        break
                    await bell.wait(POLL_S)
        return answer

    async def ack_cancel_member(self, flow_id: str, execution_id: str, *, command_id: str | None = None) -> None:
        """Say that the code of a member that was cancelled while it ran has stopped. Saying it twice is fine."""
        command = AckCancelMember(inputs.flow_id(flow_id), parse_execution_id(execution_id))
        await self._execute(command, command_id)

    async def set_flow_tag(self, flow_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on a flow, or change its value."""
        command = SetFlowTag(inputs.flow_id(flow_id), inputs.tag_key(key), inputs.tag_value(value))
        await self._execute(command, command_id)

    async def describe_flow(self, flow_id: str) -> FlowSnapshot | None:
        """The flow as it is now, with what its members wait for; None if there is none."""
        key = inputs.flow_id(flow_id)
        view = await self._shell.read(lambda: self._store.flow_view(key))
        if view is None or (self._scope is not None and view.flow.namespace != self._scope):
            return None
        groups = [group_snapshot_of(each.group, each.running_count, each.downstream_has_ended) for each in view.groups]
        return flow_snapshot_of(view.flow, groups, view.pending_acks)

    async def list_flows(
        self,
        *,
        namespace: str | None = None,
        state: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Flows as snapshots, newest first. What their members wait for is told by `describe_flow`."""
        where = FlowFilter(inputs.optional_namespace_in_scope(namespace, self._scope), inputs.flow_state(state))
        after = None
        if cursor is not None:
            after = unpack_cursor(cursor, "flows", self._store.name, ListPosition)
        limit = inputs.limit(limit)
        found = await self._shell.read(lambda: self._store.flows(where, after, limit + 1))
        shown = found[:limit]
        position = None
        if len(found) > limit:
            position = pack_cursor("flows", self._store.name, _position_of_flow(shown[-1]))
        return Page([flow_snapshot_of(flow, (), await self._pending_acks(flow)) for flow in shown], position)

    async def _pending_acks(self, flow: Flow) -> Sequence[str]:
        if flow.state != "cancelled":
            return ()
        view = await self._shell.read(lambda: self._store.flow_view(flow.flow_id))
        return () if view is None else view.pending_acks

    async def list_edges(
        self, flow_id: str, *, upstream: str | None = None, downstream: str | None = None
    ) -> list[EdgeSnapshot]:
        """The flow's edges, by id: all, or those from one execution, or to one."""
        key = await self._known_flow(flow_id)
        source = None if upstream is None else parse_execution_id(upstream)
        target = None if downstream is None else parse_execution_id(downstream)
        found = await self._shell.read(lambda: self._store.edges(key, source, target))
        return [edge_snapshot_of(edge) for edge in found]

    async def describe_edge(self, flow_id: str, edge_id: str) -> EdgeSnapshot | None:
        """One edge as it is now; None if there is none, or no such flow."""
        of_flow, key = inputs.flow_id(flow_id), inputs.edge_id(edge_id)
        flow = await self._find_flow(of_flow)
        edge = None if flow is None else await self._shell.read(lambda: self._store.edge(of_flow, key))
        return None if edge is None else edge_snapshot_of(edge)

    # ── schedules ────────────────────────────────────────────────────────────────────────────────

    async def fire_schedule(
        self, schedule: NewSchedule, *, replace: bool = False, command_id: str | None = None
    ) -> ScheduleFired:
        """Make an execution for each slot that is due, once, whoever else asks; and say that its code is alive.

        The first call makes the schedule known, and nothing is due before it. Another definition under the same name
        fires nothing while the stored one is alive, unless it is to replace it.
        """
        return await self._execute(
            FireSchedule(self._definition_of(schedule), inputs.flag("replace", replace)), command_id
        )

    def _definition_of(self, schedule: NewSchedule) -> Definition:
        if not isinstance(schedule, NewSchedule):
            raise InvalidInput(f"schedule is a NewSchedule, not {type(schedule).__name__}.")
        after_ms = schedule.deadline_after_ms
        return Definition(
            inputs.namespace_in_scope(schedule.namespace, self._scope),
            inputs.name("name", schedule.name),
            inputs.name("kind", schedule.kind),
            inputs.payload("payload", schedule.payload, self._services.payload_bytes_max),
            inputs.payload("fingerprint", schedule.fingerprint, inputs.FINGERPRINT_BYTES_MAX),
            inputs.timing(schedule.cron, schedule.timezone, schedule.every_ms, schedule.anchor_ms),
            inputs.catch_up(schedule.catch_up),
            inputs.lane(schedule.lane),
            inputs.priority(schedule.priority),
            None if after_ms is None else inputs.integer("deadline_after_ms", after_ms, 0, DURATION_MS_MAX),
            inputs.capabilities("required_capabilities", schedule.required_capabilities),
            inputs.policy(schedule.policy),
            inputs.schedule_tags(schedule.tags),
        )

    async def pause_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, reason: str = "", command_id: str | None = None
    ) -> SchedulePaused:
        """Let a schedule fire nothing until it is resumed; the slots in between are passed over."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        command = PauseSchedule(of_namespace, inputs.name("name", name), inputs.text("reason", reason))
        return await self._execute(command, command_id)

    async def resume_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> ScheduleResumed:
        """Let a paused schedule fire again, from its next slot on."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(ResumeSchedule(of_namespace, inputs.name("name", name)), command_id)

    async def forget_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> ScheduleForgotten:
        """Take a schedule off the list whose code is gone. One that is not orphaned is refused."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(ForgetSchedule(of_namespace, inputs.name("name", name)), command_id)

    async def list_schedules(self, *, namespace: str | None = None) -> list[ScheduleSnapshot]:
        """Every schedule that is known, by namespace and name."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        found = await self._shell.read(lambda: self._store.schedules(of_namespace))
        now_ms = await self.server_time_ms()
        return [schedule_snapshot_of(schedule, now_ms) for schedule in found]

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    async def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None:
        """The execution as it is now; None if there is none."""
        x = await self._find(parse_execution_id(execution_id))
        return None if x is None else snapshot_of(x)

    async def find_executions(self, uuid: str) -> list[ExecutionSnapshot]:
        """The executions whose id ends with this uuid: one, unless ids of the caller's own repeat it elsewhere."""
        wanted = parse_uuid(uuid)
        ids = [make_execution_id(partition, wanted) for partition in range(PARTITIONS)]
        found = await self._shell.read(lambda: self._store.executions_named(ids))
        return [snapshot_of(x) for x in found if self._scope in (None, x.namespace)]

    async def get_result(self, execution_id: str) -> bytes | None:
        """The execution's result, to the byte; None while there is none."""
        key = parse_execution_id(execution_id)
        x = await self._known(key)
        return await self._shell.read(lambda: self._store.result(key)) if x.has_ended else None

    async def wait_for_result(self, execution_id: str, *, timeout_ms: int | None = None) -> ExecutionSnapshot:
        """Wait until the execution has ended, and return it. Raises TimeoutError if that takes longer than allowed."""
        key = parse_execution_id(execution_id)
        if timeout_ms is not None:
            inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX)
        # How long a caller has waited is its own affair, so this is the one place that asks a local clock.
        give_up_at = None if timeout_ms is None else time.monotonic() + timeout_ms / 1000
        bell = self._shell.bell()
        with self._services.wakeups.listening(key, bell.ring):
            while True:
                x = await self._known(key)
                if x.has_ended:
                    return snapshot_of(x)
                left = POLL_S if give_up_at is None else give_up_at - time.monotonic()
                if left <= 0:
                    raise TimeoutError(
                        f"{key} is still {x.public_state} after {timeout_ms} ms. Wait longer, or ask explain() why."
                    )
                await bell.wait(min(left, POLL_S))

    async def list_attempts(self, execution_id: str) -> list[AttemptSnapshot]:
        """Every attempt of the execution, first to last."""
        key = parse_execution_id(execution_id)
        x, written = await self._shell.read(lambda: self._store.attempts(key))
        self._check_known(key, x)
        assert x is not None
        attempts = {attempt.attempt_index: attempt for attempt in written}
        live = live_attempt(x)
        if live is not None:
            attempts[live.attempt_index] = live
        return [attempt_snapshot_of(attempts[index], x) for index in sorted(attempts)]

    async def attempt_deadline_ms(self, execution_id: str) -> int | None:
        """When the running attempt is over at the latest: its timeout or the execution's deadline; None: never."""
        return attempt_ends_at_ms(await self._known(parse_execution_id(execution_id)))

    async def list_steps(self, execution_id: str) -> list[StepSnapshot]:
        """The stored steps of the execution, first to last."""
        key = parse_execution_id(execution_id)
        x, steps = await self._shell.read(lambda: self._store.steps(key))
        self._check_known(key, x)
        return [step_snapshot_of(step) for step in steps]

    async def list_workers(self, *, namespace: str | None = None) -> list[WorkerSnapshot]:
        """Workers that are alive or have died within the last day, by namespace and instance id."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        found = await self._shell.read(lambda: self._store.workers(of_namespace))
        now_ms = await self.server_time_ms()
        return [worker_snapshot_of(worker, now_ms) for worker in found]

    async def list_lanes(self, *, namespace: str | None = None) -> list[LaneSnapshot]:
        """Every lane in which something is or has just ended, that is served by a worker, or that is paused.

        All executions are counted: on a large store that takes a second or so for every million.
        """
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        store = self._store
        now_ms = await self.server_time_ms()
        return lane_snapshots_of(
            await self._shell.read(lambda: store.lane_counts(of_namespace)),
            await self._shell.read(lambda: store.recent_ends(of_namespace, now_ms - MINUTE_MS)),
            await self._shell.read(lambda: store.lane_switches(of_namespace)),
            await self._shell.read(lambda: store.workers(of_namespace)),
            now_ms,
        )

    async def stats(self, *, namespace: str | None = None) -> Stats:
        """What there is in numbers. All of it is counted: a second or so for every million executions."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        counted = await self._shell.read(lambda: self._store.tally(of_namespace))
        workers = await self.list_workers(namespace=of_namespace)
        return Stats(
            executions={state: counted.executions.get(state, 0) for state in PUBLIC_STATES},
            flows={state: counted.flows.get(state, 0) for state in FLOW_STATES},
            oldest_ready_at_ms=counted.oldest_ready_at_ms,
            pending_cancel_acks=counted.pending_acks,
            live_workers=sum(worker.is_alive for worker in workers),
            log=counted.log,
            schema_version=counted.schema_version,
        )

    async def list_executions(
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
        where = self._filter(namespace, public_state, lane, flow_id, kind, tag, created_before_ms)
        after = None
        if cursor is not None:
            after = unpack_cursor(cursor, "executions", self._store.name, ListPosition)
        limit = inputs.limit(limit)
        found = await self._shell.read(lambda: self._store.executions(where, after, limit + 1))
        shown = found[:limit]
        position = None
        if len(found) > limit:
            position = pack_cursor("executions", self._store.name, _position_of(shown[-1]))
        return Page([snapshot_of(x) for x in shown], position)

    async def count_executions(
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
        where = self._filter(namespace, public_state, lane, flow_id, kind, tag, created_before_ms)
        return await self._shell.read(lambda: self._store.count_executions(where))

    def _filter(
        self,
        namespace: str | None,
        public_state: PublicState | None,
        lane: str | None,
        flow_id: str | None,
        kind: str | None,
        tag: tuple[str, str] | None,
        created_before_ms: int | None,
    ) -> ExecutionFilter:
        return ExecutionFilter(
            inputs.optional_namespace_in_scope(namespace, self._scope),
            inputs.public_state(public_state),
            None if lane is None else inputs.lane(lane),
            None if flow_id is None else parse_uuid(flow_id),
            None if kind is None else inputs.name("kind", kind),
            None if tag is None else _tag(tag),
            inputs.optional_instant("created_before_ms", created_before_ms),
        )

    async def explain(self, execution_id: str) -> str:
        """One sentence: why the execution is not running, or what it waits for."""
        key = parse_execution_id(execution_id)
        x = await self._known(key)
        waits_for: WaitsFor | None = None
        if x.flow_id is not None and x.eligibility_state == "blocked_by_dependencies":
            flow_id = FlowId(x.flow_id)
            group = await self._shell.read(lambda: self._store.group(key))
            edges = await self._shell.read(lambda: self._store.edges(flow_id, None, key))
            if group is not None:
                waits_for = WaitsFor(group, edges)
        now_ms = await self.server_time_ms()
        if x.eligibility_state == "eligible_now":
            switches = await self._shell.read(lambda: self._store.lane_switches(x.namespace))
            workers = await self._shell.read(lambda: self._store.workers(x.namespace))
            return explain(x, now_ms, workers=workers, switches=switches)
        return explain(x, now_ms, waits_for)

    async def read_events(
        self,
        *,
        cursor: str | None = None,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
        limit: int = EVENTS_AT_ONCE,
    ) -> EventPage:
        """The next events after the cursor, in order. An empty page means caught up."""
        where = self._event_filter(channels, namespace, execution_id, flow_id)
        limit = inputs.limit(limit)
        return await self._shell.read(lambda: self._store.events(cursor, where, limit))

    def _event_filter(
        self, channels: Sequence[str] | None, namespace: str | None, execution_id: str | None, flow_id: str | None
    ) -> EventFilter:
        return EventFilter(
            inputs.channels(channels),
            inputs.optional_namespace_in_scope(namespace, self._scope),
            None if execution_id is None else parse_execution_id(execution_id),
            None if flow_id is None else parse_uuid(flow_id),
        )

    def subscribe(
        self,
        *,
        cursor: str | None = None,
        from_now: bool = False,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
    ) -> "Subscription":
        """Every event after the cursor, once and in order, for as long as the iteration goes on."""
        if from_now and cursor is not None:
            raise InvalidInput("Give either a cursor or from_now=True, not both.")
        where = self._event_filter(channels, namespace, execution_id, flow_id)
        if from_now:
            # Read here and not at the first step: what happens between the two belongs to the subscription.
            self._services.commits.check_usable()
            cursor = self._store.events_from_now()
        return Subscription(self, cursor, where)

    # ── upkeep ───────────────────────────────────────────────────────────────────────────────────

    async def reconcile(self) -> Mapping[str, int]:
        """Run every due duty once, for the whole store; how much each did."""
        return await self._shell.read(self._services.upkeep.run_once)

    async def server_time_ms(self) -> int:
        """The store's time."""
        return await self._shell.read(lambda: self._store.now_ms)

    async def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be reached."""
        await self._shell.read(self._store.ping)

    # ── helpers ──────────────────────────────────────────────────────────────────────────────────

    async def _execute(self, command: Command[R], command_id: str | None, conn: object = None) -> R:
        envelope = Envelope(cast("AnyCommand", command), self._scope, inputs.key("command_id", command_id))
        if conn is None:
            return cast("R", await self._shell.execute(envelope))
        return cast("R", await decide_joined(self._callers_connection(conn), envelope, self._store.name))

    async def _execute_all(self, commands: Sequence[AnyCommand]) -> Sequence[Outcome | EngineError]:
        """Send commands together. A refusal is one answer among others; if the store is away, that is raised."""
        if not commands:
            return []
        answers = await self._shell.execute_all([Envelope(command, self._scope) for command in commands])
        for answer in answers:
            if isinstance(answer, StoreError):
                raise answer
        return answers

    async def _find(self, execution_id: ExecutionId) -> Execution | None:
        x = await self._shell.read(lambda: self._store.execution(execution_id))
        return None if x is None or (self._scope is not None and x.namespace != self._scope) else x

    async def _find_flow(self, flow_id: FlowId) -> Flow | None:
        flow = await self._shell.read(lambda: self._store.flow(flow_id))
        return None if flow is None or (self._scope is not None and flow.namespace != self._scope) else flow

    async def _known_flow(self, flow_id: str) -> FlowId:
        key = inputs.flow_id(flow_id)
        if await self._find_flow(key) is None:
            raise NotFound("flow", f"There is no flow {key}. Check the id and the namespace.")
        return key

    async def _known(self, execution_id: ExecutionId) -> Execution:
        x = await self._find(execution_id)
        self._check_known(execution_id, x)
        assert x is not None
        return x

    def _check_known(self, execution_id: ExecutionId, x: Execution | None) -> None:
        if x is None or (self._scope is not None and x.namespace != self._scope):
            raise NotFound("execution", f"There is no execution {execution_id}. Check the id and the namespace.")


class Subscription(AsyncIterator[Event]):
    """An endless run of events; keep `cursor` to go on later, from another process too."""

    def __init__(
        self,
        engine: Engine,
        cursor: str | None,
        where: EventFilter,
    ) -> None:
        self._engine = engine
        self._where = where
        self._before = self._after = cursor
        self._page: EventPage | None = None
        self._delivered = 0

    @property
    def cursor(self) -> str | None:
        """Where to go on after the last event delivered; None at the very start of the log."""
        page = self._page
        if page is None or self._delivered == len(page.events):
            return self._after
        if self._delivered == 0:
            return self._before
        return self._engine._store.cursor_within(self._before, page, page.events[self._delivered - 1])

    async def __anext__(self) -> Event:
        """The next event, waiting for it if need be."""
        engine = self._engine
        if self._page is None or self._delivered == len(self._page.events):
            bell = engine._shell.bell()
            with engine._services.wakeups.listening(ANY_EVENT, bell.ring):
                while not (page := await self._next_page()).events:
                    await bell.wait(POLL_S)
        else:
            page = self._page
        self._delivered += 1
        return page.events[self._delivered - 1]

    async def _next_page(self) -> EventPage:
        after, engine = self._after, self._engine
        page = await engine._shell.read(lambda: engine._store.events(after, self._where, EVENTS_AT_ONCE))
        self._before, self._after, self._page, self._delivered = self._after, page.next_cursor, page, 0
        return page


def _command_for(action: object, reason: str, priority: int | None) -> Callable[[ExecutionId], AnyCommand]:
    """What an action sends for each execution. Arguments that it does not take are refused, lest they are relied on."""
    if action != "change_priority" and priority is not None:
        raise InvalidInput(f"priority belongs to the action change_priority, not to {shown(action)}. Leave it out.")
    if action in ("change_priority", "replay", "unhold") and reason:
        raise InvalidInput(f"The action {action} takes no reason. Leave it out.")
    match action:
        case "cancel":
            return lambda key: CancelExecution(key, reason, OPERATOR, None)
        case "revoke":
            return lambda key: RevokeLease(key, "", "", reason)
        case "change_priority":
            moved_to = inputs.priority(priority)
            return lambda key: ChangePriority(key, moved_to)
        case "replay":
            return ReplayExecution
        case "hold":
            return lambda key: Hold(key, reason)
        case "unhold":
            return Unhold
        case _:
            raise InvalidInput(f"action is one of {', '.join(get_args(Action))}, not {shown(action)}.")


def _refusal_in(execution_id: ExecutionId, answer: Outcome | EngineError) -> Refusal | None:
    if isinstance(answer, EngineError):
        return Refusal(execution_id, answer.code, str(answer))
    if isinstance(answer, AlreadySatisfied):
        return Refusal(execution_id, answer.reason, f"{execution_id} had no lease that could be taken away.")
    return None


def _position_of(x: Execution) -> ListPosition:
    return ListPosition(x.created_at_ms, uuid_in(x.execution_id), partition_in(x.execution_id))


def _position_of_flow(flow: Flow) -> ListPosition:
    return ListPosition(flow.created_at_ms, flow.flow_id, flow_partition(flow.flow_id))


def _tag(tag: object) -> tuple[str, str]:
    if not isinstance(tag, tuple) or len(tag) != 2:
        raise InvalidInput("tag is a pair of key and value, such as ('team.name', 'billing').")
    return inputs.tag_key(tag[0]), inputs.tag_value(tag[1])


def _upstreams(after: object) -> list[tuple[ExecutionId, str | None]]:
    if isinstance(after, (str, bytes, Mapping)) or not isinstance(after, Sequence):
        raise InvalidInput(
            f"after is a sequence of execution ids, or of pairs (id, name of the input), not {type(after).__name__}."
        )
    if len(after) > inputs.UPSTREAMS_MAX:
        raise InvalidInput(f"after has {len(after)} entries; the limit is {inputs.UPSTREAMS_MAX}.")
    upstreams: list[tuple[ExecutionId, str | None]] = []
    for entry in after:
        if isinstance(entry, tuple):
            if len(entry) != 2:
                raise InvalidInput("An entry of after is an execution id, or a pair of an id and a name of the input.")
            upstreams.append((parse_execution_id(entry[0]), inputs.input_name(entry[1])))
        else:
            upstreams.append((parse_execution_id(entry), None))
    return upstreams
