"""The one match over commands: what each needs to see, and what it does.

`needs` and `decide` are pure. A batch means exactly what its commands would mean one by one.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, assert_never

from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    ChangePriority,
    Claim,
    Complete,
    CreateExecution,
    CreateExecutions,
    Delay,
    Envelope,
    Fail,
    ForgetAnswer,
    ForgetBatches,
    ForgetIdempotencyKey,
    HandleDue,
    Hold,
    Release,
    Renew,
    RepairSideRows,
    ReplayExecution,
    ReportProgress,
    RevokeLease,
    SetTag,
    Unhold,
    request_fingerprint,
)
from flowfabric.domain.decide.creating import create, create_all
from flowfabric.domain.decide.finishing import complete, fail
from flowfabric.domain.decide.leasing import claim, delay, release, renew, report_progress
from flowfabric.domain.decide.operating import (
    cancel,
    change_priority,
    hold,
    replay,
    revoke_lease,
    set_tag,
    unhold,
)
from flowfabric.domain.decide.upkeep import (
    forget_answer,
    forget_batches,
    forget_idempotency_key,
    handle_due,
    repair_side_rows,
)
from flowfabric.domain.errors import Conflict, EngineError
from flowfabric.domain.outcomes import Outcome, RememberedAnswer, pack_outcome, unpack_outcome
from flowfabric.domain.working_set import ClaimNeed, Needs, WorkingSet

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
    removals = sum(is_removal(envelope.command) for envelope in batch)
    assert removals in (0, len(batch)), "removals go alone"
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
            case Renew() | Complete() | ReportProgress():
                wanted.executions.add(command.fence.execution_id)
            case Fail() | Release() | Delay():
                entering_queue.add(command.fence.execution_id)
            case SetTag() | RepairSideRows():
                wanted.executions.add(command.execution_id)
            case RevokeLease() | ReplayExecution() | Unhold():
                entering_queue.add(command.execution_id)
            case CancelExecution() | Hold():
                wanted.executions.add(command.execution_id)
                leaving_queue += 1
            case ChangePriority():
                entering_queue.add(command.execution_id)
                leaving_queue += 1
            case HandleDue():
                entering_queue.add(command.due.execution_id)
                leaving_queue += 1
            case ForgetIdempotencyKey():
                wanted.idempotency_keys.add((command.namespace, command.key))
            case ForgetAnswer():
                wanted.answers.add((command.scope, command.command_id))
            case ForgetBatches():
                pass
            case _:
                assert_never(command)
    wanted.executions |= entering_queue
    if claims:
        # What becomes ready in this batch may be claimed in it, and a claim hands out the payload.
        wanted.payloads |= entering_queue
    # A claim may find the head of its queue taken by the claims before it, or gone by another command.
    most = sum(command.limit for command in claims) + leaving_queue
    for command in claims:
        wanted.claims[claim_need(command)] = most
    return wanted


def is_removal(command: AnyCommand) -> bool:
    """Whether the command makes records disappear.

    Removals share a batch with removals only, so that no store has to delete and write the same rows at once, and no
    command finds a key or an id taken by what is just going away.
    """
    return isinstance(command, HandleDue) and command.due.kind == "retention"


def _need_create(wanted: Needs, command: CreateExecution) -> None:
    # An id that was just minted is nobody else's, so nothing has to be looked up for it.
    if command.id_was_given:
        wanted.executions.add(command.execution_id)
        wanted.payloads.add(command.execution_id)
    if command.idempotency_key is not None:
        wanted.idempotency_keys.add((command.namespace, command.idempotency_key))


def claim_need(command: Claim) -> ClaimNeed:
    """The part of the queue that a claim reads."""
    return ClaimNeed(command.namespace, command.lanes, command.capabilities)


def apply_batch(ws: WorkingSet, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
    """Decide each command in arrival order. A refusal is that command's answer and changes nothing."""
    outcomes: list[Outcome | EngineError] = []
    for envelope in batch:
        ws.begin()
        try:
            outcomes.append(_decide_once(ws, envelope))
        except EngineError as refusal:
            ws.undo()
            outcomes.append(refusal)
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
        case HandleDue():
            return handle_due(ws, command)
        case RepairSideRows():
            return repair_side_rows(ws, command)
        case ForgetIdempotencyKey():
            return forget_idempotency_key(ws, command)
        case ForgetAnswer():
            return forget_answer(ws, command)
        case ForgetBatches():
            return forget_batches(ws)
        case _:
            assert_never(command)
