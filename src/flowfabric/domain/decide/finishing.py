"""Complete, Fail, and the one place where an execution ends: finish, retry or give up."""

from typing import Final

from msgspec.structs import replace

from flowfabric.domain.commands import Complete, Fail
from flowfabric.domain.decide.leasing import check_held, end_attempt, is_lease_of, runnable_at, runnable_now
from flowfabric.domain.execution import Execution
from flowfabric.domain.outcomes import Completed, RetryScheduled, TerminalFailed
from flowfabric.domain.states import AttemptOutcome, TerminalOutcome
from flowfabric.domain.working_set import WorkingSet

ATTEMPT_TIMEOUT: Final = "attempt_timeout"
WORKER_LOST: Final = "worker_lost"


def complete(ws: WorkingSet, command: Complete, scope: str | None) -> Completed:
    """End the execution well. The same lease again gets the same answer and writes nothing."""
    x = ws.execution(command.fence.execution_id, scope)
    if x.terminal_outcome == "success" and is_lease_of(ws, x, command.fence):
        return Completed(x.execution_id)
    check_held(ws, x, command.fence)
    x = end_attempt(ws, x, "success")
    ws.put(ended(ws.emit(x, "completion", "completed"), "success", ws.now_ms))
    if command.result is not None:
        ws.put_result(x.execution_id, command.result)
    return Completed(x.execution_id)


def fail(ws: WorkingSet, command: Fail, scope: str | None) -> RetryScheduled | TerminalFailed:
    """Retry by policy, or fail for good. The same lease again gets the same answer and writes nothing."""
    x = ws.execution(command.fence.execution_id, scope)
    if x.terminal_outcome == "failed" and is_lease_of(ws, x, command.fence):
        return TerminalFailed(x.execution_id)
    check_held(ws, x, command.fence)
    return fail_attempt(ws, x, command.failure_code, command.message, command.retryable, command.retry_after_ms)


def fail_attempt(
    ws: WorkingSet, x: Execution, code: str, message: str, retryable: bool, retry_after_ms: int | None
) -> RetryScheduled | TerminalFailed:
    """What a failed attempt does to its execution, whoever noticed the failure."""
    failed = replace(x, failure_code=code, failure_message=message)
    if not retryable or x.retry_count >= x.policy.retry.max_retries:
        failed = end_attempt(ws, failed, "failed")
        ws.put(ended(ws.emit(failed, "completion", "failed", {"code": code}), "failed", ws.now_ms))
        return TerminalFailed(x.execution_id)
    pause_ms = retry_after_ms
    if pause_ms is None:
        pause_ms = x.policy.retry.delay_ms(x.retry_count + 1, x.execution_id, x.attempt_index)
    until_ms = ws.now_ms + pause_ms
    failed = end_attempt(ws, failed, "retry")
    failed = ws.emit(
        failed,
        "lease",
        "retry_scheduled",
        {"code": code, "next_attempt_index": x.attempt_index + 1, "delay_until_ms": until_ms},
    )
    failed = replace(failed, retry_count=x.retry_count + 1)
    ws.put(runnable_at(failed, "pending_retry_attempt", until_ms, ws.now_ms))
    return RetryScheduled(x.execution_id, x.attempt_index + 1, until_ms)


def interrupt(ws: WorkingSet, x: Execution, event_type: str, details: dict[str, object]) -> Execution:
    """Take the lease from a holder that is lost or unwanted: back to the queue, or failed after too many losses."""
    x = ws.emit(end_attempt(ws, x, "interrupted"), "lease", event_type, details)
    x = replace(x, lease_epoch=x.lease_epoch + 1, interruption_count=x.interruption_count + 1)
    if x.interruption_count <= x.policy.max_interruptions:
        x = runnable_now(x, "attempt_interrupted", ws.now_ms)
    else:
        x = replace(
            x,
            failure_code=WORKER_LOST,
            failure_message=f"interrupted {x.interruption_count} times; the policy allows {x.policy.max_interruptions}",
        )
        x = ended(ws.emit(x, "completion", "failed", {"code": WORKER_LOST}), "failed", ws.now_ms)
    ws.put(x)
    return x


def end_lease_if_any(ws: WorkingSet, x: Execution, outcome: AttemptOutcome) -> Execution:
    """End the running attempt, if there is one, on behalf of someone who does not hold its lease."""
    if x.lifecycle_phase != "active":
        return x
    x = end_attempt(ws, x, outcome)
    return replace(x, lease_epoch=x.lease_epoch + 1)


def ended(x: Execution, outcome: TerminalOutcome, now_ms: int) -> Execution:
    """The execution at its end."""
    cancelled = outcome == "cancelled"
    succeeded = outcome == "success"
    return replace(
        x,
        lifecycle_phase="cancelled" if cancelled else "terminal",
        eligibility_state="not_applicable",
        attempt_state="cancelled" if cancelled else "attempt_terminal",
        terminal_outcome=outcome,
        terminal_at_ms=now_ms,
        delay_until_ms=None,
        failure_code=None if succeeded else x.failure_code,
        failure_message=None if succeeded else x.failure_message,
    )
