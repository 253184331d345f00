"""Claim, Renew, ReportProgress, and the check that every command of a worker passes."""

from typing import Final

from msgspec.structs import replace

from flowfabric.domain.batch_io import ClaimNeed, Needs
from flowfabric.domain.commands import Claim, Renew, ReportProgress
from flowfabric.domain.decide.gating import pass_gates
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.decide.seeing import its_executions
from flowfabric.domain.errors import ExecutionNotActive, LeaseExpired, StaleLease
from flowfabric.domain.execution import Execution, attempt_ends_at_ms, attempt_of
from flowfabric.domain.ids import FlowId
from flowfabric.domain.lease import Fence, Lease, lease_id, lease_mark, next_epoch
from flowfabric.domain.outcomes import Claimed, Renewed
from flowfabric.domain.states import CLAIM_TYPES, AttemptOutcome, AttemptState, ClaimType
from flowfabric.domain.traces import traced
from flowfabric.domain.waiting import SuspendedAttempt
from flowfabric.domain.working_set import WorkingSet

_SAME_ATTEMPT: Final[tuple[ClaimType, ...]] = ("first", "replay", "resume")


def _what_a_claim_sees(command: Claim, wanted: Needs) -> None:
    need = part_of_queue(command)
    wanted.claims[need] = wanted.claims.get(need, 0) + command.limit


def part_of_queue(command: Claim) -> ClaimNeed:
    """The part of the queue that a claim looks at."""
    return ClaimNeed(command.namespace, command.lanes, command.capabilities)


@rule(Claim, sees=_what_a_claim_sees, weight=lambda command: command.limit)
def claim(ws: WorkingSet, command: Claim) -> list[Claimed]:
    """Lease the next executions to a worker. An empty list: nothing may run now."""
    need = part_of_queue(command)
    gated = ws.queue.gated(need)
    if gated:
        ws.turnstiles.need(gated)
    chosen = ws.queue.claimable(need, command.limit, lambda x: pass_gates(ws, x), ws.turnstiles.lane_turns(gated))
    handed_out = ws.to_hand_out(chosen)
    return [_lease_to(ws, x, command, *with_it) for x, with_it in zip(chosen, handed_out, strict=True)]


def _lease_to(ws: WorkingSet, x: Execution, command: Claim, payload: bytes, inputs: dict[str, bytes]) -> Claimed:
    claim_type = CLAIM_TYPES[x.attempt_state]
    attempt_index = x.attempt_index if claim_type in _SAME_ATTEMPT else x.attempt_index + 1
    epoch = next_epoch(x.lease_epoch, x.lease_era, ws.era, ws.now_ms)
    x = replace(
        x,
        lifecycle_phase="active",
        eligibility_state="not_applicable",
        attempt_state="running_attempt",
        attempt_index=attempt_index,
        lease_epoch=epoch,
        worker_id=command.worker_id,
        worker_instance_id=command.worker_instance_id,
        lease_ttl_ms=command.lease_ttl_ms,
        lease_expires_at_ms=ws.now_ms + command.lease_ttl_ms,
        attempt_started_at_ms=ws.now_ms,
        started_at_ms=ws.now_ms if x.started_at_ms is None else x.started_at_ms,
        delay_until_ms=None,
        event_seq=x.event_seq + 1,
        lease_mark=lease_mark(epoch, command.mark),
        lease_era=ws.era,
    )
    ws.append_event(
        x,
        "lease",
        "acquired",
        {
            "attempt_index": attempt_index,
            "lease_epoch": epoch,
            "worker_instance_id": command.worker_instance_id,
            "claim_type": claim_type,
        },
    )
    ws.executions.put(x)
    if x.flow_id is not None:
        _start_flow(ws, FlowId(x.flow_id))
    return Claimed(
        Lease(
            x.execution_id,
            attempt_index,
            epoch,
            lease_id(ws.store, x.execution_id, attempt_index, epoch, x.lease_mark),
            command.worker_instance_id,
            ws.now_ms + command.lease_ttl_ms,
        ),
        x.execution_id,
        x.kind,
        payload,
        x.lane,
        x.namespace,
        x.flow_id,
        attempt_index,
        claim_type,
        inputs,
        dict(x.tags),
        attempt_ends_at_ms(x),
    )


def _start_flow(ws: WorkingSet, flow_id: FlowId) -> None:
    """Mark the flow as running: it runs from the first claim of a member on."""
    flow = ws.flow_to_start(flow_id)
    if flow is not None and flow.state == "open":
        ws.flows.put(replace(flow, state="running", started_at_ms=ws.now_ms))


def held_under(ws: WorkingSet, fence: Fence, scope: str | None) -> Execution:
    """The execution, if it runs under this lease now. Otherwise raises the refusal that says why not."""
    x = ws.execution(fence.execution_id, scope)
    check_held(ws, x, fence)
    return x


def check_held(ws: WorkingSet, x: Execution, fence: Fence) -> None:
    """Raise the refusal if the execution does not run under this lease now."""
    if x.lifecycle_phase != "active":
        raise ExecutionNotActive(x.public_state, x.lease_epoch)
    if not is_lease_of(ws, x, fence):
        raise StaleLease(
            f"Lease {fence.lease_id} (attempt {fence.attempt_index + 1}, epoch {fence.lease_epoch}) is not the lease "
            f"of {x.execution_id}, which is at attempt {x.attempt_index + 1}, epoch {x.lease_epoch}. "
            "Another worker may hold it: stop this attempt and discard its result."
        )
    assert x.lease_expires_at_ms is not None
    if x.lease_expires_at_ms <= ws.now_ms:
        raise LeaseExpired(
            f"Lease {fence.lease_id} expired {ws.now_ms - x.lease_expires_at_ms} ms ago. "
            "Stop this attempt; renew earlier, or claim with a longer lease_ttl_ms."
        )


def is_lease_of(ws: WorkingSet, x: Execution, fence: Fence) -> bool:
    """Whether the fence names the lease under which the execution runs, or last ran."""
    return (
        fence.lease_epoch == x.lease_epoch
        and fence.attempt_index == x.attempt_index
        and fence.lease_id == lease_id(ws.store, x.execution_id, x.attempt_index, x.lease_epoch, x.lease_mark)
    )


def end_attempt(ws: WorkingSet, x: Execution, outcome: AttemptOutcome) -> Execution:
    """Write the row of the attempt, running or suspended, and clear the lease. The caller decides the next state."""
    ws.attempts.put(attempt_of(x, ws.now_ms, outcome))
    if x.inbox is not None and (x.inbox.attempt is not None or x.inbox.unanswered):
        x = replace(x, inbox=replace(x.inbox, attempt=None, unanswered=()))
    return _without_lease(x)


def suspend_attempt(ws: WorkingSet, x: Execution) -> Execution:
    """Write the row of the running attempt without an outcome, and give up the lease. The attempt may be resumed."""
    attempt = attempt_of(x)
    ws.attempts.put(attempt)
    assert x.inbox is not None
    assert attempt.worker_id is not None
    assert attempt.worker_instance_id is not None
    assert attempt.started_at_ms is not None
    begun = SuspendedAttempt(attempt.worker_id, attempt.worker_instance_id, attempt.started_at_ms)
    return replace(
        traced(_without_lease(x), "attempt", ws.trace),
        lifecycle_phase="suspended",
        attempt_state="attempt_suspended",
        inbox=replace(x.inbox, attempt=begun),
    )


def _without_lease(x: Execution) -> Execution:
    return replace(
        x,
        worker_id=None,
        worker_instance_id=None,
        lease_ttl_ms=None,
        lease_expires_at_ms=None,
        attempt_started_at_ms=None,
    )


@rule(Renew, sees=its_executions, is_renewal=True)
def renew(ws: WorkingSet, command: Renew, scope: str | None) -> Renewed:
    """Keep the lease. A renewal never revives a lease, and never shortens it."""
    x = held_under(ws, command.fence, scope)
    assert x.lease_ttl_ms is not None
    assert x.lease_expires_at_ms is not None
    ttl_ms = x.lease_ttl_ms if command.lease_ttl_ms is None else command.lease_ttl_ms
    expires_at_ms = max(x.lease_expires_at_ms, ws.now_ms + ttl_ms)
    if expires_at_ms != x.lease_expires_at_ms:
        ws.executions.put(replace(x, lease_expires_at_ms=expires_at_ms))
    return Renewed(expires_at_ms, x.gates is not None and x.gates.must_pause)


@rule(ReportProgress, sees=its_executions)
def report_progress(ws: WorkingSet, command: ReportProgress, scope: str | None) -> None:
    """Store the progress that the attempt reports."""
    x = held_under(ws, command.fence, scope)
    ws.executions.put(
        replace(
            x,
            progress_percent=x.progress_percent if command.percent is None else command.percent,
            progress_message=x.progress_message if command.message is None else command.message,
        )
    )


def runnable_now(x: Execution, attempt_state: AttemptState, now_ms: int) -> Execution:
    """The execution back in the queue, with a place as if it became ready now.

    A suspended attempt keeps the place of its last claim: what has begun goes before what has not.
    """
    return replace(
        x,
        lifecycle_phase="runnable",
        eligibility_state="eligible_now",
        attempt_state=attempt_state,
        ready_at_ms=x.ready_at_ms if attempt_state == "attempt_suspended" else now_ms,
        delay_until_ms=None,
    )


def runnable_at(x: Execution, attempt_state: AttemptState, until_ms: int, now_ms: int) -> Execution:
    """The execution with a delay until an instant. If the instant has passed, the execution is ready at once."""
    if until_ms <= now_ms:
        return runnable_now(x, attempt_state, now_ms)
    return replace(
        x,
        lifecycle_phase="runnable",
        eligibility_state="not_eligible_until_time",
        attempt_state=attempt_state,
        delay_until_ms=until_ms,
    )
