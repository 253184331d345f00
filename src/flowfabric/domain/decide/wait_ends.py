"""How a wait ends: by signals, by an operator, or because its time is over.

A wait that is over is a stored step, so no attempt waits for it again. Time decides, not upkeep: a command that would
change an open wait first performs the timeouts that are over.
"""

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from flowfabric.domain.decide.ending import end, end_cancelled, end_lease_if_any
from flowfabric.domain.decide.finishing import fail_attempt
from flowfabric.domain.decide.leasing import runnable_at, runnable_now
from flowfabric.domain.execution import Execution, FailedAttempt
from flowfabric.domain.outcomes import Signal, WaitOver
from flowfabric.domain.remembered_answers import pack_wait_over
from flowfabric.domain.steps import Step
from flowfabric.domain.waiting import (
    SYSTEM_TIMEOUT,
    WAIT_TIMEOUT,
    Inbox,
    OpenWait,
    StoredSignal,
    WaitCause,
    wait_fingerprint,
)
from flowfabric.domain.working_set import WorkingSet


def inbox_of(x: Execution) -> Inbox:
    """The inbox of an execution that has one."""
    assert x.inbox is not None, x.execution_id
    return x.inbox


def store_end(
    ws: WorkingSet, x: Execution, wait: OpenWait, taken: Sequence[StoredSignal], cause: WaitCause
) -> WaitOver:
    """Store the end of a wait as a step. The wait takes these signals."""
    over = WaitOver(tuple(map(_signal_of, taken)), cause)
    for signal in taken:
        ws.takings.put_at((x.execution_id, signal.number), wait.name)
    ws.put_step(
        Step(
            x.execution_id,
            wait.name,
            wait_fingerprint(wait.condition),
            pack_wait_over(over),
            x.attempt_index,
            ws.now_ms,
            _number_of_end(ws, x, wait),
            is_wait=True,
        )
    )
    return over


def _number_of_end(ws: WorkingSet, x: Execution, wait: OpenWait) -> int:
    """The number of the step that holds the end of a wait.

    Ends up to `after_step` of a group of children are of the time before the group was counted afresh. The next number
    may be among these, because such ends are dropped.
    """
    number = ws.next_step_number(x.execution_id, wait.name)
    return max([number, *(group.after_step + 1 for group in inbox_of(x).groups)])


def _signal_of(signal: StoredSignal) -> Signal:
    return Signal(
        signal.signal_id,
        signal.key,
        signal.name,
        signal.payload,
        signal.source,
        signal.delivered_at_ms,
        signal.claimed_source,
    )


def end_open_wait(
    ws: WorkingSet,
    x: Execution,
    wait: OpenWait,
    taken: Sequence[StoredSignal],
    cause: WaitCause,
    reason: str = "",
) -> Execution:
    """End an open wait. A suspended execution is resumed. A worker that has asked for the wait gets to know its end.

    The caller has to put the returned execution.
    """
    store_end(ws, x, wait, taken, cause)
    resumed: dict[str, object] = {"name": wait.name, "cause": cause}
    if reason:
        resumed["reason"] = reason
    if cause == "operator" and ws.actor is not None:
        resumed["actor"] = ws.actor
    x = ws.emit(x, "signal", "resumed", resumed)
    x = without_wait(x, wait)
    if x.lifecycle_phase == "active" and wait.lease_epoch == x.lease_epoch:
        inbox = inbox_of(x)
        return replace(x, inbox=replace(inbox, unanswered=(*inbox.unanswered, wait.name)))
    if x.lifecycle_phase != "suspended":
        return x
    return _if_held(runnable_now(x, "attempt_suspended", ws.now_ms))


def without_wait(x: Execution, wait: OpenWait) -> Execution:
    """The execution without this open wait."""
    inbox = inbox_of(x)
    return replace(x, inbox=replace(inbox, waits=tuple(each for each in inbox.waits if each.name != wait.name)))


def _if_held(x: Execution) -> Execution:
    """The execution, which is no longer suspended. If it was put on hold meanwhile, the hold takes effect."""
    inbox = inbox_of(x)
    if not inbox.held:
        return x
    return replace(x, eligibility_state="blocked_by_operator", inbox=replace(inbox, held=False))


# ── timeouts ─────────────────────────────────────────────────────────────────────────────────────


def perform_timeouts(ws: WorkingSet, x: Execution) -> Execution:
    """Do what follows from every wait whose time is over. Returns the execution as it is then."""
    while (wait := _overdue(ws, x)) is not None:
        _time_out(ws, x, wait)
        x = ws.executions[x.execution_id]
    return x


def _overdue(ws: WorkingSet, x: Execution) -> OpenWait | None:
    """The wait whose time was over first. None: the time of no wait is over."""
    if x.inbox is None:
        return None
    ends = [(wait.timeout_at_ms, place) for place, wait in enumerate(x.inbox.waits) if wait.timeout_at_ms is not None]
    if not ends:
        return None
    at_ms, place = min(ends)
    return x.inbox.waits[place] if at_ms <= ws.now_ms else None


def _time_out(ws: WorkingSet, x: Execution, wait: OpenWait) -> None:
    match wait.on_timeout:
        case "resume":
            ws.executions.put(end_open_wait(ws, x, wait, (), "timeout"))
        case "escalate":
            _escalate(ws, x, wait)
        case "cancel":
            end_cancelled(ws, x, WAIT_TIMEOUT, SYSTEM_TIMEOUT)
        case "expire":
            x = replace(x, failure_code=WAIT_TIMEOUT, failure_message=_message(wait))
            x = end_lease_if_any(ws, x, "expired")
            end(ws, ws.emit(x, "completion", "expired"), "expired")
        case "fail":
            _fail(ws, x, wait)
        case _:
            assert_never(wait.on_timeout)


def _escalate(ws: WorkingSet, x: Execution, wait: OpenWait) -> None:
    """Ask an operator. The wait stays open, and has no timeout any more."""
    x = ws.emit(x, "operator", "escalated", {"name": wait.name})
    inbox = inbox_of(x)
    escalated = replace(wait, timeout_at_ms=None, is_escalated=True)
    waits = tuple(escalated if each.name == wait.name else each for each in inbox.waits)
    ws.executions.put(replace(x, inbox=replace(inbox, waits=waits)))


def _fail(ws: WorkingSet, x: Execution, wait: OpenWait) -> None:
    """Fail the attempt, and retry by policy. Nothing is stored, so the next attempt waits anew."""
    x = without_wait(x, wait)
    if x.lifecycle_phase == "runnable" and x.attempt_state != "attempt_suspended":
        _fail_between_attempts(ws, x, wait)
        return
    failure = FailedAttempt(x.execution_id, x.attempt_index, x.lease_epoch, WAIT_TIMEOUT, _message(wait), None)
    fail_attempt(ws, x, failure, True, None)
    moved = ws.executions[x.execution_id]
    if x.lifecycle_phase == "active":
        # The holder did not end this lease, so the epoch grows: all that the holder still sends is stale.
        ws.executions.put(replace(moved, lease_epoch=moved.lease_epoch + 1))
    elif not moved.has_ended:
        ws.executions.put(_if_held(_still_blocked(moved, x)))


def _fail_between_attempts(ws: WorkingSet, x: Execution, wait: OpenWait) -> None:
    """No attempt runs that could fail: the next one is delayed, and counts as a retry."""
    failed = replace(x, failure_code=WAIT_TIMEOUT, failure_message=_message(wait))
    if x.retry_count >= x.policy.retry.max_retries:
        end(ws, ws.emit(failed, "completion", "failed", {"code": WAIT_TIMEOUT}), "failed")
        return
    pause_ms = x.policy.retry.delay_ms(x.retry_count + 1, x.execution_id, x.attempt_index)
    until_ms = max(ws.now_ms + pause_ms, x.delay_until_ms or 0)
    failed = ws.emit(
        failed,
        "lease",
        "retry_scheduled",
        {"code": WAIT_TIMEOUT, "next_attempt_index": x.attempt_index + 1, "delay_until_ms": until_ms},
    )
    failed = replace(failed, retry_count=x.retry_count + 1)
    ws.executions.put(_still_blocked(runnable_at(failed, x.attempt_state, until_ms, ws.now_ms), x))


def _still_blocked(x: Execution, before: Execution) -> Execution:
    """The execution, which is runnable. If it was blocked before, it still is."""
    if before.eligibility_state not in ("blocked_by_operator", "blocked_by_dependencies"):
        return x
    return replace(x, eligibility_state=before.eligibility_state)


def _message(wait: OpenWait) -> str:
    return f"nothing ended the wait {wait.name!r} in time"
