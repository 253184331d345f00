"""The rules of operators: CancelExecution, RevokeLease, ChangePriority, Hold, Unhold, SetTag, PauseLane, ResumeLane."""

from typing import Final

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import (
    CancelExecution,
    ChangePriority,
    Hold,
    PauseLane,
    ResumeLane,
    RevokeLease,
    SetTag,
    Unhold,
)
from flowfabric.domain.decide.ending import end_cancelled
from flowfabric.domain.decide.finishing import interrupt
from flowfabric.domain.decide.leasing import runnable_at
from flowfabric.domain.decide.replaying import brought_back
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.decide.seeing import its_executions, its_executions_and_their_flows
from flowfabric.domain.decide.wait_ends import inbox_of
from flowfabric.domain.errors import (
    ExecutionNotEligible,
    InvalidInput,
    StaleLease,
)
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import holds_back
from flowfabric.domain.inputs import TAGS_MAX
from flowfabric.domain.lease import lease_id
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    Cancelled,
    Held,
    LanePaused,
    LaneResumed,
    PriorityChanged,
    Revoked,
    Unheld,
)
from flowfabric.domain.working_set import WorkingSet

OPERATOR: Final = "operator_override"
"""The source of an operator's cancel. Only this source need not name the lease of an execution that runs."""


@rule(CancelExecution, sees=its_executions_and_their_flows, leaves_queue=True)
def cancel(ws: WorkingSet, command: CancelExecution, scope: str | None) -> Cancelled:
    """End the execution as cancelled. Cancelling twice gives the same answer; the first reason stays."""
    x = ws.execution(command.execution_id, scope)
    if x.terminal_outcome == "cancelled" and x.coming_back is None:
        return Cancelled(x.execution_id, x.public_state)
    x = brought_back(ws, x)
    if x.has_ended:
        raise InvalidInput(f"{x.execution_id} has already ended as {x.public_state}; there is nothing left to cancel.")
    if x.lifecycle_phase == "active" and command.source != OPERATOR:
        _check_epoch(x, command)
    end_cancelled(ws, x, command.reason, command.source, ws.actor)
    return Cancelled(x.execution_id, "cancelled")


def _check_epoch(x: Execution, command: CancelExecution) -> None:
    if command.lease_epoch is None:
        raise InvalidInput(
            f"{x.execution_id} is leased, and source {command.source!r} is not an operator: pass lease_epoch, "
            f"the epoch of the lease that this cancel is about, or cancel as {OPERATOR!r}."
        )
    if command.lease_epoch != x.lease_epoch:
        raise StaleLease(
            f"{x.execution_id} is at lease epoch {x.lease_epoch}, not {command.lease_epoch}: it has moved on since. "
            "Read it again before you cancel it."
        )


@rule(RevokeLease, sees=its_executions_and_their_flows, enters_queue=True)
def revoke_lease(ws: WorkingSet, command: RevokeLease, scope: str | None) -> Revoked | AlreadySatisfied:
    """End the lease. The execution goes back to the queue. A lease that has expired unnoticed is ended, too."""
    x = ws.execution(command.execution_id, scope)
    if x.lifecycle_phase != "active":
        return AlreadySatisfied("no_active_lease")
    if command.worker_instance_id and command.worker_instance_id != x.worker_instance_id:
        return AlreadySatisfied("different_worker_instance_id")
    taken = lease_id(ws.store, x.execution_id, x.attempt_index, x.lease_epoch, x.lease_mark)
    if command.expected_lease_id and command.expected_lease_id != taken:
        return AlreadySatisfied("lease_id_mismatch")
    by = {} if ws.actor is None else {"actor": ws.actor}
    x = interrupt(ws, x, "revoked", {"reason": command.reason, **by})
    return Revoked(taken, x.lease_epoch)


@rule(ChangePriority, sees=its_executions, enters_queue=True, leaves_queue=True)
def change_priority(ws: WorkingSet, command: ChangePriority, scope: str | None) -> PriorityChanged:
    """Change the place of the execution in its queue. For a suspended one it takes effect when it is resumed."""
    x = ws.execution(command.execution_id, scope)
    has_place = ("eligible_now", "blocked_by_quota", "blocked_by_budget")
    is_queued = x.lifecycle_phase == "runnable" and x.eligibility_state in has_place
    if not is_queued and x.lifecycle_phase != "suspended":
        raise ExecutionNotEligible(
            f"{x.execution_id} is {_described(x)}; only a waiting execution that may run now has a place in the queue, "
            "and a suspended one keeps its place. Try again when it is waiting."
        )
    old = x.priority
    x = ws.emit(x, "operator", "priority_changed", {"old_priority": old, "new_priority": command.priority})
    ws.executions.put(replace(x, priority=command.priority))
    return PriorityChanged(x.execution_id, old, command.priority)


@rule(Hold, sees=its_executions, leaves_queue=True)
def hold(ws: WorkingSet, command: Hold, scope: str | None) -> Held:
    """Keep the execution from being claimed. A second hold changes nothing.

    A suspended execution goes on waiting, and is held as soon as it is resumed.
    """
    x = _runnable(ws, command, scope, "held")
    if x.lifecycle_phase == "suspended":
        if not inbox_of(x).held:
            x = ws.emit(x, "operator", "held", {"reason": command.reason})
            ws.executions.put(replace(x, inbox=replace(inbox_of(x), held=True)))
    elif x.eligibility_state != "blocked_by_operator":
        x = ws.emit(x, "operator", "held", {"reason": command.reason})
        ws.executions.put(replace(x, eligibility_state="blocked_by_operator"))
    return Held(x.execution_id)


@rule(Unhold, sees=its_executions_and_their_flows, enters_queue=True)
def unhold(ws: WorkingSet, command: Unhold, scope: str | None) -> Unheld:
    """Give the execution the state that it would have now without the hold. If it is not held, nothing changes."""
    x = _runnable(ws, command, scope, "let go")
    if x.lifecycle_phase == "suspended":
        if inbox_of(x).held:
            x = ws.emit(x, "operator", "unheld")
            ws.executions.put(replace(x, inbox=replace(inbox_of(x), held=False)))
    elif x.eligibility_state == "blocked_by_operator":
        x = ws.emit(x, "operator", "unheld")
        if x.flow_id is not None and holds_back(ws.graph.group(x.execution_id)):
            ws.executions.put(replace(x, eligibility_state="blocked_by_dependencies"))
        else:
            ws.executions.put(runnable_at(x, x.attempt_state, x.delay_until_ms or 0, ws.now_ms))
    return Unheld(x.execution_id)


def _runnable(ws: WorkingSet, command: Hold | Unhold, scope: str | None, verb: str) -> Execution:
    x = ws.execution(command.execution_id, scope)
    if x.lifecycle_phase not in ("runnable", "suspended"):
        must_stop = verb == "held" and x.lifecycle_phase == "active"
        raise ExecutionNotEligible(
            f"{x.execution_id} is {x.public_state}; only a runnable or suspended execution can be {verb}."
            + (" Revoke its lease or cancel it if it must stop now." if must_stop else "")
        )
    return x


@rule(SetTag, sees=its_executions)
def set_tag(ws: WorkingSet, command: SetTag, scope: str | None) -> None:
    """Put a tag on the execution, in any state."""
    x = ws.execution(command.execution_id, scope)
    tags = {**x.tags, command.key: command.value}
    if len(tags) > TAGS_MAX:
        raise InvalidInput(f"{x.execution_id} has {TAGS_MAX} tags already, which is the limit. Change one instead.")
    ws.executions.put(replace(x, tags=tags))


def _its_lane(command: PauseLane | ResumeLane, wanted: Needs) -> None:
    wanted.lanes.add((command.namespace, command.lane))


@rule(PauseLane, sees=_its_lane, batch_class="lanes")
def pause_lane(ws: WorkingSet, command: PauseLane) -> LanePaused:
    """Let nothing be claimed from the lane. A second pause changes nothing: the first time and reason stay."""
    switch = ws.lane(command.namespace, command.lane)
    if switch.paused_at_ms is None:
        switch = replace(switch, paused_at_ms=ws.now_ms, reason=command.reason)
        ws.lanes.put(ws.emit(switch, "operator", "lane_paused", {"reason": command.reason}))
    assert switch.paused_at_ms is not None
    return LanePaused(switch.lane, switch.namespace, switch.paused_at_ms, switch.reason)


@rule(ResumeLane, sees=_its_lane, batch_class="lanes")
def resume_lane(ws: WorkingSet, command: ResumeLane) -> LaneResumed:
    """Let executions of the lane be claimed again. If the lane is not paused, nothing changes."""
    switch = ws.lane(command.namespace, command.lane)
    since_ms = switch.paused_at_ms
    if since_ms is not None:
        switch = replace(switch, paused_at_ms=None, reason="")
        ws.lanes.put(ws.emit(switch, "operator", "lane_resumed", {"paused_since_ms": since_ms}))
    return LaneResumed(switch.lane, switch.namespace, since_ms)


def _described(x: Execution) -> str:
    return "held by an operator" if x.eligibility_state == "blocked_by_operator" else x.public_state
