"""The one match over commands: what each needs to see, and what it does.

`needs` and `decide` are pure. A batch means exactly what its commands would mean one by one.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, assert_never

from flowfabric.domain.batch_io import ClaimNeed, Needs
from flowfabric.domain.commands import (
    AckCancelMember,
    AddDependency,
    AddExecution,
    AnyCommand,
    CancelExecution,
    CancelFlow,
    ChangePriority,
    Claim,
    Complete,
    CreateExecution,
    CreateExecutions,
    CreateFlow,
    Delay,
    Envelope,
    Fail,
    FireSchedule,
    ForgetAnswer,
    ForgetBatches,
    ForgetEvents,
    ForgetIdempotencyKey,
    ForgetOverdueAck,
    ForgetSchedule,
    ForgetWorker,
    HandleDue,
    Heartbeat,
    Hold,
    PauseLane,
    PauseSchedule,
    PurgeExecution,
    PurgeFlow,
    RecordStep,
    Release,
    Renew,
    RenewAll,
    RepairSideRows,
    ReplayExecution,
    ReplayFlow,
    ReportProgress,
    ResumeLane,
    ResumeSchedule,
    RevokeLease,
    RunSchedule,
    SayGoodbye,
    SetEdgeGroupPolicy,
    SetFlowTag,
    SetTag,
    SettleGroup,
    SubmitFlow,
    Unhold,
    request_fingerprint,
)
from flowfabric.domain.decide.creating import create, create_all
from flowfabric.domain.decide.finishing import complete, delay, fail, release
from flowfabric.domain.decide.flows import (
    ack_cancel_member,
    add_dependency,
    add_execution,
    cancel_flow,
    create_flow,
    forget_overdue_ack,
    purge_flow,
    set_edge_group_policy,
    set_flow_tag,
    settle_group,
    submit_flow,
)
from flowfabric.domain.decide.leasing import claim, renew, report_progress
from flowfabric.domain.decide.operating import (
    cancel,
    change_priority,
    hold,
    pause_lane,
    resume_lane,
    revoke_lease,
    set_tag,
    unhold,
)
from flowfabric.domain.decide.replaying import replay, replay_flow
from flowfabric.domain.decide.running import forget_worker, heartbeat, record_step, renew_all, say_goodbye
from flowfabric.domain.decide.scheduling import (
    fire_schedule,
    forget_schedule,
    pause_schedule,
    resume_schedule,
    run_schedule,
)
from flowfabric.domain.decide.upkeep import (
    forget_answer,
    forget_batches,
    forget_events,
    forget_idempotency_key,
    handle_due,
    purge_execution,
    repair_side_rows,
)
from flowfabric.domain.errors import Conflict, EngineError
from flowfabric.domain.outcomes import Outcome, RememberedAnswer, pack_outcome, unpack_outcome
from flowfabric.domain.working_set import MoreNeeded, WorkingSet

if TYPE_CHECKING:
    from flowfabric.domain.ids import ExecutionId

ANSWER_TTL_MS: Final = 86_400_000
"""How long a repeated command id gets its first answer."""


def needs(batch: Sequence[Envelope]) -> Needs:
    """Everything the batch must see."""
    wanted = Needs()
    claims: list[Claim] = []
    entering_queue: set[ExecutionId] = set()
    leaving_queue = 0
    assert len({company_of(envelope.command) for envelope in batch}) <= 1, "each keeps to its company"
    for envelope in batch:
        command = envelope.command
        if envelope.command_id is not None:
            wanted.answers.add((envelope.scope or "", envelope.command_id))
        match command:
            case CreateExecution():
                _need_create(wanted, command)
            case CreateExecutions():
                for item in command.items:
                    _need_create(wanted, item)
            case Claim():
                claims.append(command)
            case Renew() | ReportProgress():
                wanted.executions.add(command.fence.execution_id)
            case RenewAll():
                wanted.executions.update(fence.execution_id for fence in command.fences)
            case RecordStep():
                wanted.executions.add(command.fence.execution_id)
                wanted.steps.add((command.fence.execution_id, command.name))
            case PauseLane() | ResumeLane():
                wanted.lanes.add((command.namespace, command.lane))
            case Heartbeat() | SayGoodbye() | ForgetWorker():
                wanted.workers.add((command.namespace, command.worker_instance_id))
            case Complete():
                wanted.flows_of.add(command.fence.execution_id)
                wanted.outgoing.add(command.fence.execution_id)
            case Fail() | Release() | Delay():
                entering_queue.add(command.fence.execution_id)
                wanted.flows_of.add(command.fence.execution_id)
            case SetTag() | RepairSideRows() | PurgeExecution():
                wanted.executions.add(command.execution_id)
            case RevokeLease() | Unhold():
                entering_queue.add(command.execution_id)
                wanted.flows_of.add(command.execution_id)
            case ReplayExecution():
                entering_queue.add(command.execution_id)
                wanted.flows_of.add(command.execution_id)
                if command.steps != "clear":
                    wanted.step_places.add(command.execution_id)
            case CancelExecution():
                wanted.flows_of.add(command.execution_id)
                leaving_queue += 1
            case Hold():
                wanted.executions.add(command.execution_id)
                leaving_queue += 1
            case ChangePriority():
                entering_queue.add(command.execution_id)
                leaving_queue += 1
            case HandleDue():
                entering_queue.add(command.due.execution_id)
                if command.due.kind not in ("delay", "retention"):
                    wanted.flows_of.add(command.due.execution_id)
                leaving_queue += 1
            case CreateFlow():
                if command.id_was_given:
                    wanted.flows.add(command.flow_id)
            case AddExecution():
                wanted.flows.add(command.flow_id)
                wanted.executions.update(edge.upstream for edge in command.edges)
                if command.creation.id_was_given:
                    wanted.executions.add(command.creation.execution_id)
            case AddDependency():
                wanted.flows.add(command.flow_id)
                wanted.executions |= {command.edge.upstream, command.edge.downstream}
                wanted.groups.add(command.edge.downstream)
                wanted.reach.add(command.edge.downstream)
                if command.id_was_given:
                    wanted.edges.add((command.flow_id, command.edge.edge_id))
                leaving_queue += 1
            case SetEdgeGroupPolicy():
                wanted.flows.add(command.flow_id)
                wanted.executions.add(command.downstream)
                wanted.groups.add(command.downstream)
            case SubmitFlow():
                if command.flow.id_was_given:
                    wanted.flows.add(command.flow.flow_id)
                for _, creation in command.nodes:
                    _need_create(wanted, creation)
            case CancelFlow() | ReplayFlow():
                wanted.flows.add(command.flow_id)
                wanted.whole_flows.add(command.flow_id)
            case AckCancelMember() | ForgetOverdueAck():
                wanted.flows.add(command.flow_id)
                wanted.backlogs.add(command.flow_id)
                wanted.acks.add((command.flow_id, command.execution_id))
            case SetFlowTag():
                wanted.flows.add(command.flow_id)
            case SettleGroup():
                wanted.flows_of.add(command.execution_id)
                wanted.groups.add(command.execution_id)
            case PurgeFlow():
                wanted.flows.add(command.flow_id)
                wanted.whole_flows.add(command.flow_id)
            case FireSchedule():
                wanted.schedules.add((command.definition.namespace, command.definition.name))
            case PauseSchedule() | ResumeSchedule() | RunSchedule() | ForgetSchedule():
                wanted.schedules.add((command.namespace, command.name))
            case ForgetIdempotencyKey():
                wanted.idempotency_keys.add((command.namespace, command.key))
            case ForgetAnswer():
                wanted.answers.add((command.scope, command.command_id))
            case ForgetBatches() | ForgetEvents():
                pass
            case _:
                assert_never(command)
    wanted.executions |= entering_queue | wanted.flows_of
    if claims:
        # What becomes ready in this batch may be claimed in it, and a claim hands out the payload.
        wanted.payloads |= entering_queue
    # A claim may find the head of its queue taken by the claims before it, or gone by another command.
    most = sum(command.limit for command in claims) + leaving_queue
    for command in claims:
        wanted.claims[claim_need(command)] = most
    return wanted


Company = Literal["any", "removals", "lanes"]

_COMPANIES: Final[dict[type[AnyCommand], Company]] = {
    PurgeExecution: "removals",
    PurgeFlow: "removals",
    ForgetEvents: "removals",
    PauseLane: "lanes",
    ResumeLane: "lanes",
}


def company_of(command: AnyCommand) -> Company:
    """With what others a command may share a batch.

    Removals go by themselves, so that no store has to delete and write the same rows at once, and no command finds a
    key or an id taken by what is just going away. So do the switches of lanes: a claim then finds each lane as it is
    stored, and need not even look at the queue of one that is paused.
    """
    if isinstance(command, HandleDue):
        return "removals" if command.due.kind == "retention" else "any"
    return _COMPANIES.get(type(command), "any")


def _need_create(wanted: Needs, command: CreateExecution) -> None:
    # An id that was just minted is nobody else's, so nothing has to be looked up for it.
    if command.id_was_given:
        wanted.executions.add(command.execution_id)
        wanted.payloads.add(command.execution_id)
    if command.idempotency_key is not None:
        wanted.idempotency_keys.add((command.namespace, command.idempotency_key))
        if command.idempotency_on_ended != "return":
            wanted.key_holders.add((command.namespace, command.idempotency_key))


def claim_need(command: Claim) -> ClaimNeed:
    """The part of the queue that a claim reads."""
    return ClaimNeed(command.namespace, command.lanes, command.capabilities)


def apply_batch(ws: WorkingSet, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
    """Decide each command in arrival order. A refusal is that command's answer and changes nothing.

    If something is `missing` in the working set afterwards, all this is void.
    """
    outcomes: list[Outcome | EngineError] = []
    for envelope in batch:
        ws.begin()
        try:
            outcomes.append(_decide_once(ws, envelope))
        except EngineError as refusal:
            ws.undo()
            outcomes.append(refusal)
        except MoreNeeded:
            # The others still say what they lack, so that it is loaded together.
            ws.undo()
            outcomes.append(None)
    return outcomes


def _decide_once(ws: WorkingSet, envelope: Envelope) -> Outcome:
    """Decide, or repeat the first answer to the same command id."""
    if envelope.command_id is None:
        return decide(ws, envelope.command, envelope.scope)
    scope = envelope.scope or ""
    fingerprint = request_fingerprint(envelope.command)
    kept = ws.answer(scope, envelope.command_id)
    if kept is not None:
        if kept.fingerprint != fingerprint:
            raise Conflict(
                f"command_id {envelope.command_id!r} was used for a different command within the last day. "
                "Use a new id for a new command."
            )
        return unpack_outcome(kept.answer)
    outcome = decide(ws, envelope.command, envelope.scope)
    ws.put_answer(
        RememberedAnswer(scope, envelope.command_id, fingerprint, pack_outcome(outcome), ws.now_ms + ANSWER_TTL_MS)
    )
    return outcome


def decide(ws: WorkingSet, command: AnyCommand, scope: str | None) -> Outcome:
    """Answer one command, or raise why not; what it changes, it changes in the working set."""
    match command:
        case Claim():
            return claim(ws, command, claim_need(command))
        case Complete():
            return complete(ws, command, scope)
        case CreateExecution():
            return create(ws, command)
        case Renew():
            return renew(ws, command, scope)
        case CreateExecutions():
            return create_all(ws, command)
        case RenewAll():
            return renew_all(ws, command, scope)
        case RecordStep():
            return record_step(ws, command, scope)
        case Heartbeat():
            heartbeat(ws, command)
            return None
        case SayGoodbye():
            say_goodbye(ws, command)
            return None
        case ForgetWorker():
            return forget_worker(ws, command)
        case Fail():
            return fail(ws, command, scope)
        case Release():
            return release(ws, command, scope)
        case Delay():
            return delay(ws, command, scope)
        case ReportProgress():
            report_progress(ws, command, scope)
            return None
        case CancelExecution():
            return cancel(ws, command, scope)
        case RevokeLease():
            return revoke_lease(ws, command, scope)
        case ChangePriority():
            return change_priority(ws, command, scope)
        case ReplayExecution():
            return replay(ws, command, scope)
        case Hold():
            return hold(ws, command, scope)
        case Unhold():
            return unhold(ws, command, scope)
        case SetTag():
            set_tag(ws, command, scope)
            return None
        case PauseLane():
            return pause_lane(ws, command)
        case ResumeLane():
            return resume_lane(ws, command)
        case CreateFlow():
            return create_flow(ws, command)
        case AddExecution():
            return add_execution(ws, command, scope)
        case AddDependency():
            return add_dependency(ws, command, scope)
        case SetEdgeGroupPolicy():
            return set_edge_group_policy(ws, command, scope)
        case SubmitFlow():
            return submit_flow(ws, command)
        case CancelFlow():
            return cancel_flow(ws, command, scope)
        case ReplayFlow():
            return replay_flow(ws, command, scope)
        case AckCancelMember():
            ack_cancel_member(ws, command, scope)
            return None
        case SetFlowTag():
            set_flow_tag(ws, command, scope)
            return None
        case FireSchedule():
            return fire_schedule(ws, command)
        case PauseSchedule():
            return pause_schedule(ws, command)
        case ResumeSchedule():
            return resume_schedule(ws, command)
        case RunSchedule():
            return run_schedule(ws, command)
        case ForgetSchedule():
            return forget_schedule(ws, command)
        case HandleDue():
            return handle_due(ws, command)
        case SettleGroup():
            return settle_group(ws, command)
        case PurgeExecution():
            return purge_execution(ws, command, scope)
        case PurgeFlow():
            return purge_flow(ws, command, scope)
        case ForgetOverdueAck():
            return forget_overdue_ack(ws, command)
        case RepairSideRows():
            return repair_side_rows(ws, command)
        case ForgetIdempotencyKey():
            return forget_idempotency_key(ws, command)
        case ForgetAnswer():
            return forget_answer(ws, command)
        case ForgetBatches():
            return forget_batches(ws)
        case ForgetEvents():
            return forget_events(ws, command)
        case _:
            assert_never(command)
