"""Everything anyone may ask for, one frozen class each. The type parameter is the answer it gets.

Commands hold checked, canonical values: whoever builds one has passed `inputs` first.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final, Generic, Literal, TypeVar, assert_never, cast

import msgspec
from msgspec.structs import astuple, replace

from flowfabric.domain.execution import Due, OnEnded
from flowfabric.domain.flow import CancellationPolicy
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.joins import Join
from flowfabric.domain.lease import Fence
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
from flowfabric.domain.schedule import Definition
from flowfabric.domain.steps import StepsRule

R = TypeVar("R")


class Command(msgspec.Struct, Generic[R], frozen=True, tag=True, gc=False):
    """One request to change something."""


# ── submitting ───────────────────────────────────────────────────────────────────────────────────


class CreateExecution(Command[Created | Duplicate], frozen=True, tag=True, gc=False):
    """Make an execution, once."""

    execution_id: ExecutionId
    id_was_given: bool
    kind: str
    payload: bytes
    lane: str
    namespace: str
    priority: int
    delay_until_ms: int | None
    deadline_at_ms: int | None
    idempotency_key: str | None
    idempotency_ttl_ms: int
    required_capabilities: tuple[str, ...]
    policy: ExecutionPolicy
    tags: Mapping[str, str]
    idempotency_on_ended: OnEnded = "return"


class CreateExecutions(Command[list[Created | Duplicate]], frozen=True, tag=True, gc=False):
    """Make several executions, all or none."""

    items: tuple[CreateExecution, ...]


# ── working ──────────────────────────────────────────────────────────────────────────────────────


class Claim(Command[list[Claimed]], frozen=True, tag=True, gc=False, omit_defaults=True):
    """Lease what may run now, highest priority first, then oldest."""

    worker_id: str
    worker_instance_id: str
    lanes: tuple[str, ...]
    namespace: str
    capabilities: frozenset[str]
    limit: int
    lease_ttl_ms: int
    mark: str = ""
    """What tells this claim from every other."""


class Renew(Command[Renewed], frozen=True, tag=True, gc=False):
    """Keep a lease. None keeps the length it was claimed with."""

    fence: Fence
    lease_ttl_ms: int | None


class RenewAll(Command[list[Renewed | LeaseLost]], frozen=True, tag=True, gc=False):
    """Keep many leases at once; each is answered for itself."""

    fences: tuple[Fence, ...]
    lease_ttl_ms: int | None


class RecordStep(Command[StepRecorded], frozen=True, tag=True, gc=False):
    """Keep what a named step of an attempt has returned, so that no later attempt runs it again."""

    fence: Fence
    name: str
    fingerprint: bytes
    result: bytes


class Heartbeat(Command[None], frozen=True, tag=True, gc=False):
    """Say that a worker lives, and what it serves."""

    worker_instance_id: str
    worker_id: str
    namespace: str
    host: str
    pid: int
    lanes: tuple[str, ...]
    capabilities: tuple[str, ...]
    version: str
    ttl_ms: int


class SayGoodbye(Command[None], frozen=True, tag=True, gc=False):
    """Take a worker off the list, because it stops."""

    namespace: str
    worker_instance_id: str


class Complete(Command[Completed], frozen=True, tag=True, gc=False):
    """End an execution well."""

    fence: Fence
    result: bytes | None


class Fail(Command[RetryScheduled | TerminalFailed], frozen=True, tag=True, gc=False, omit_defaults=True):
    """Report that an attempt failed; the policy decides what follows."""

    fence: Fence
    failure_code: str
    message: str
    retryable: bool
    retry_after_ms: int | None
    traceback: str | None = None


class Release(Command[Released], frozen=True, tag=True, gc=False):
    """Hand back unharmed what was claimed."""

    fence: Fence


class Delay(Command[Released], frozen=True, tag=True, gc=False):
    """Hand back what was claimed, to be called again later."""

    fence: Fence
    until_ms: int


class ReportProgress(Command[None], frozen=True, tag=True, gc=False):
    """Note how far an attempt has come. What is None stays as it was."""

    fence: Fence
    percent: int | None
    message: str | None


# ── operating ────────────────────────────────────────────────────────────────────────────────────


class CancelExecution(Command[Cancelled], frozen=True, tag=True, gc=False):
    """End an execution for good, whatever it is doing."""

    execution_id: ExecutionId
    reason: str
    source: str
    lease_epoch: int | None


class RevokeLease(Command[Revoked | AlreadySatisfied], frozen=True, tag=True, gc=False):
    """Take a lease away from its holder. Empty texts match any holder and any lease."""

    execution_id: ExecutionId
    worker_instance_id: str
    expected_lease_id: str
    reason: str


class ChangePriority(Command[PriorityChanged], frozen=True, tag=True, gc=False):
    """Move a waiting execution in the queue."""

    execution_id: ExecutionId
    priority: int


class ReplayExecution(Command[Replayed], frozen=True, tag=True, gc=False, omit_defaults=True):
    """Bring an ended execution back to life, in place."""

    execution_id: ExecutionId
    steps: StepsRule | None = None
    """None: what fits the way in which it ended."""
    from_step: str | None = None
    """The first step that is done again."""


class Hold(Command[Held], frozen=True, tag=True, gc=False):
    """Keep a runnable execution from being claimed."""

    execution_id: ExecutionId
    reason: str


class Unhold(Command[Unheld], frozen=True, tag=True, gc=False):
    """Let a held execution go."""

    execution_id: ExecutionId


class PauseLane(Command[LanePaused], frozen=True, tag=True, gc=False):
    """Keep everything in a lane from being claimed."""

    namespace: str
    lane: str
    reason: str


class ResumeLane(Command[LaneResumed], frozen=True, tag=True, gc=False):
    """Let what is in a lane be claimed again."""

    namespace: str
    lane: str


class SetTag(Command[None], frozen=True, tag=True, gc=False):
    """Put a tag on an execution, or change its value."""

    execution_id: ExecutionId
    key: str
    value: str


# ── flows ────────────────────────────────────────────────────────────────────────────────────────


class CreateFlow(Command[FlowCreated | FlowExists], frozen=True, tag=True, gc=False):
    """Make an empty flow, once."""

    flow_id: FlowId
    id_was_given: bool
    kind: str
    namespace: str
    tags: Mapping[str, str]


class NewEdge(msgspec.Struct, frozen=True, gc=False):
    """One edge to be made."""

    edge_id: str
    upstream: ExecutionId
    downstream: ExecutionId
    pass_result_as: str | None


class AddExecution(Command[Created | Duplicate], frozen=True, tag=True, gc=False):
    """Make a member of a flow together with the edges that lead to it."""

    flow_id: FlowId
    creation: CreateExecution
    """Its namespace is the flow's; an empty one was not given."""
    edges: tuple[NewEdge, ...]
    join: Join | None


class AddDependency(Command[DependencyAdded], frozen=True, tag=True, gc=False):
    """Let one member wait for another."""

    flow_id: FlowId
    edge: NewEdge
    id_was_given: bool
    expected_graph_revision: int | None


class SetEdgeGroupPolicy(Command[PolicySet | AlreadySet], frozen=True, tag=True, gc=False):
    """Say how the edges that lead to a member are joined."""

    flow_id: FlowId
    downstream: ExecutionId
    join: Join


class SubmitFlow(Command[FlowSubmitted], frozen=True, tag=True, gc=False):
    """Make a whole flow at once. The graph was checked: names are known, and there is no cycle."""

    flow: CreateFlow
    nodes: tuple[tuple[str, CreateExecution], ...]
    edges: tuple[NewEdge, ...]
    joins: tuple[tuple[ExecutionId, Join], ...]


class CancelFlow(Command[FlowCancelled | FlowAlreadyTerminal], frozen=True, tag=True, gc=False):
    """End a flow for good, and its members as far as the policy says."""

    flow_id: FlowId
    reason: str
    policy: CancellationPolicy


class ReplayFlow(Command[FlowReplayed], frozen=True, tag=True, gc=False):
    """Bring members of a flow back to life: those that did not complete, all, or the named ones and what follows."""

    flow_id: FlowId
    what: Literal["failed", "all"] | tuple[ExecutionId, ...]
    steps: StepsRule | None
    is_dry_run: bool = False
    """Only say which members it would be."""


class AckCancelMember(Command[None], frozen=True, tag=True, gc=False):
    """Say that the code of a cancelled member has stopped."""

    flow_id: FlowId
    execution_id: ExecutionId


class SetFlowTag(Command[None], frozen=True, tag=True, gc=False):
    """Put a tag on a flow, or change its value."""

    flow_id: FlowId
    key: str
    value: str


# ── schedules ────────────────────────────────────────────────────────────────────────────────────


class FireSchedule(Command[ScheduleFired], frozen=True, tag=True, gc=False):
    """Make an execution for each slot that is due, and note that the schedule's code is alive."""

    definition: Definition
    replaces: bool
    """Whether it takes the place of another definition that is alive."""


class PauseSchedule(Command[SchedulePaused], frozen=True, tag=True, gc=False):
    """Let a schedule fire nothing."""

    namespace: str
    name: str
    reason: str


class ResumeSchedule(Command[ScheduleResumed], frozen=True, tag=True, gc=False):
    """Let a schedule fire again, from its next slot on."""

    namespace: str
    name: str


class RunSchedule(Command[ScheduleRan], frozen=True, tag=True, gc=False):
    """Make the execution of a schedule once, now and out of turn."""

    namespace: str
    name: str
    uuid: str
    """Minted for it; the partition follows from the schedule's lane."""


class ForgetSchedule(Command[ScheduleForgotten], frozen=True, tag=True, gc=False):
    """Take a schedule off the list whose code is gone."""

    namespace: str
    name: str


# ── upkeep: what reconcilers send; each is decided again from the record, so a stale find is harmless ─


class HandleDue(Command[bool], frozen=True, tag=True, gc=False):
    """Do what is due for an execution. False: the find was stale, and its row is dropped."""

    due: Due


class RepairSideRows(Command[bool], frozen=True, tag=True, gc=False):
    """Write an execution's place in the queue and its due moment again."""

    execution_id: ExecutionId


class SettleGroup(Command[bool], frozen=True, tag=True, gc=False):
    """Look again at what a blocked execution waits for. False: it does right to wait."""

    execution_id: ExecutionId


class PurgeExecution(Command[bool], frozen=True, tag=True, gc=False):
    """Remove an execution that ended before an instant and belongs to no flow, whatever its retention says."""

    execution_id: ExecutionId
    ended_before_ms: int


class PurgeFlow(Command[bool], frozen=True, tag=True, gc=False):
    """Remove a flow with everything of it: it ended before an instant, or else its retention is over."""

    flow_id: FlowId
    ended_before_ms: int | None = None


class ForgetOverdueAck(Command[bool], frozen=True, tag=True, gc=False):
    """Wait no longer for a worker whose lease would have ended by now."""

    flow_id: FlowId
    execution_id: ExecutionId


class ForgetWorker(Command[bool], frozen=True, tag=True, gc=False):
    """Take a worker off the list that has been silent for long."""

    namespace: str
    worker_instance_id: str


class ForgetIdempotencyKey(Command[bool], frozen=True, tag=True, gc=False):
    """Drop a key whose time is over."""

    namespace: str
    key: str


class ForgetAnswer(Command[bool], frozen=True, tag=True, gc=False):
    """Drop the kept answer of a command id whose time is over."""

    scope: str
    command_id: str


class ForgetBatches(Command[bool], frozen=True, tag=True, gc=False):
    """Drop the markers of batches whose callers have long been answered."""


class ForgetEvents(Command[bool], frozen=True, tag=True, gc=False):
    """Drop events of lanes and schedules that happened up to an instant, as far as their time is over."""

    until_ms: int


AnyCommand = (
    CreateExecution
    | CreateExecutions
    | Claim
    | Renew
    | RenewAll
    | RecordStep
    | Heartbeat
    | SayGoodbye
    | ForgetWorker
    | Complete
    | Fail
    | Release
    | Delay
    | ReportProgress
    | CancelExecution
    | RevokeLease
    | ChangePriority
    | ReplayExecution
    | Hold
    | Unhold
    | SetTag
    | PauseLane
    | ResumeLane
    | CreateFlow
    | AddExecution
    | AddDependency
    | SetEdgeGroupPolicy
    | SubmitFlow
    | CancelFlow
    | ReplayFlow
    | AckCancelMember
    | SetFlowTag
    | FireSchedule
    | PauseSchedule
    | ResumeSchedule
    | RunSchedule
    | ForgetSchedule
    | HandleDue
    | RepairSideRows
    | SettleGroup
    | PurgeExecution
    | PurgeFlow
    | ForgetOverdueAck
    | ForgetIdempotencyKey
    | ForgetAnswer
    | ForgetBatches
    | ForgetEvents
)


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """A command with who sends it: the namespace it is confined to, and the id under which it may come again."""

    command: AnyCommand
    scope: str | None = None
    command_id: str | None = None


def executions_named_by(command: AnyCommand) -> Sequence[ExecutionId]:
    """The executions that a command speaks of by their ids."""
    match command:
        case RenewAll():
            return [fence.execution_id for fence in command.fences]
        case RecordStep() | Renew() | Complete() | Fail() | Release() | Delay() | ReportProgress():
            return (command.fence.execution_id,)
        case CreateExecution() | CancelExecution() | RevokeLease() | ChangePriority() | ReplayExecution():
            return (command.execution_id,)
        case Hold() | Unhold() | SetTag() | RepairSideRows() | SettleGroup():
            return (command.execution_id,)
        case AckCancelMember() | ForgetOverdueAck() | PurgeExecution():
            return (command.execution_id,)
        case AddExecution():
            return (command.creation.execution_id,)
        case AddDependency():
            return (command.edge.downstream, command.edge.upstream)
        case SetEdgeGroupPolicy():
            return (command.downstream,)
        case SubmitFlow():
            return [creation.execution_id for _, creation in command.nodes]
        case CreateExecutions():
            return [item.execution_id for item in command.items]
        case HandleDue():
            return (command.due.execution_id,)
        case Claim() | PauseLane() | ResumeLane() | ForgetIdempotencyKey() | ForgetAnswer() | ForgetBatches():
            return ()
        case CreateFlow() | CancelFlow() | ReplayFlow() | SetFlowTag() | PurgeFlow():
            return ()
        case ForgetEvents() | Heartbeat() | SayGoodbye() | ForgetWorker():
            return ()
        case FireSchedule() | PauseSchedule() | ResumeSchedule() | RunSchedule() | ForgetSchedule():
            return ()  # what a slot becomes has no name before it is there
        case _:
            assert_never(command)


def creations_in(command: AnyCommand) -> Sequence[CreateExecution]:
    """What a command makes that belongs to no flow."""
    match command:
        case CreateExecution():
            return (command,)
        case CreateExecutions():
            return command.items
        case _:
            return ()


def lanes_filled_by(command: AnyCommand) -> Sequence[tuple[str, str]]:
    """The lanes of namespaces in which a command makes something ready, as far as the command alone can tell."""
    return [(each.namespace, each.lane) for each in creations_in(command) if each.delay_until_ms is None]


def flow_named_by(command: AnyCommand) -> FlowId | None:
    """The flow that a command speaks of by its id."""
    match command:
        case AddExecution() | AddDependency() | SetEdgeGroupPolicy() | CancelFlow() | AckCancelMember() | SetFlowTag():
            return command.flow_id
        case CreateFlow() | ReplayFlow() | PurgeFlow() | ForgetOverdueAck():
            return command.flow_id
        case SubmitFlow():
            return command.flow.flow_id
        case _:
            return None


def request_fingerprint(command: AnyCommand) -> bytes:
    """What makes two commands the same request. What was minted for the caller is not part of it."""
    match command:
        case CreateExecution():
            command = _without_minted_id(command)
        case CreateExecutions():
            command = CreateExecutions(tuple(_without_minted_id(item) for item in command.items))
        case CreateFlow():
            command = _without_minted_flow_id(command)
        case AddExecution():
            creation = _without_minted_id(command.creation)
            command = replace(command, creation=creation, edges=_without_minted_ids(command.edges, creation))
        case AddDependency() if not command.id_was_given:
            command = replace(command, edge=replace(command.edge, edge_id=""))
        case SubmitFlow():
            command = _without_minted_node_ids(command)
        case Claim():
            command = replace(command, mark="")
        case RunSchedule():
            command = replace(command, uuid="")
        case _:
            pass
    return blake2b(msgspec.msgpack.encode(command, enc_hook=sorted, order="deterministic"), digest_size=16).digest()


def content_fingerprint(kind: str, payload: bytes) -> bytes:
    """What makes two executions the same work."""
    return blake2b(kind.encode() + b"\0" + payload, digest_size=16).digest()


_CreationBefore: Final = msgspec.defstruct(
    "CreateExecution", CreateExecution.__struct_fields__[:-1], frozen=True, tag="CreateExecution"
)
"""A creation as releases know it that have no `idempotency_on_ended`: the fingerprint is the same there and here."""


def _without_minted_id(command: CreateExecution) -> CreateExecution:
    if not command.id_was_given:
        command = replace(command, execution_id=ExecutionId(""))
    if command.idempotency_on_ended != "return":
        return command
    return cast("CreateExecution", _CreationBefore(*astuple(command)[:-1]))


def _without_minted_flow_id(command: CreateFlow) -> CreateFlow:
    return command if command.id_was_given else replace(command, flow_id=FlowId(""))


def _without_minted_ids(edges: tuple[NewEdge, ...], creation: CreateExecution) -> tuple[NewEdge, ...]:
    return tuple(replace(edge, edge_id="", downstream=creation.execution_id) for edge in edges)


def _without_minted_node_ids(command: SubmitFlow) -> SubmitFlow:
    """The same graph, told by the names of its nodes instead of their ids."""
    names = {creation.execution_id: ExecutionId(name) for name, creation in command.nodes}
    return SubmitFlow(
        _without_minted_flow_id(command.flow),
        tuple((name, _without_minted_id(creation)) for name, creation in command.nodes),
        tuple(NewEdge("", names[edge.upstream], names[edge.downstream], edge.pass_result_as) for edge in command.edges),
        tuple((names[downstream], join) for downstream, join in command.joins),
    )
