"""Complete, Fail, Release, Delay: how an attempt ends, and whether another one follows."""

from typing import Final

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import Complete, Delay, Fail, Release
from flowfabric.domain.decide.ending import end, end_cancelled, flow_of
from flowfabric.domain.decide.leasing import (
    check_held,
    end_attempt,
    held_under,
    is_lease_of,
    runnable_at,
    runnable_now,
)
from flowfabric.domain.decide.rule import rule, weight_of_data
from flowfabric.domain.decide.seeing import its_executions_and_their_flows
from flowfabric.domain.execution import Execution, FailedAttempt
from flowfabric.domain.outcomes import Completed, Released, RetryScheduled, TerminalFailed
from flowfabric.domain.traces import traced
from flowfabric.domain.words import times
from flowfabric.domain.working_set import WorkingSet

ATTEMPT_TIMEOUT: Final = "attempt_timeout"
WORKER_LOST: Final = "worker_lost"
CANCEL_FLOW: Final = "cancel_flow"
"""The source of a cancel of members of a cancelled flow."""


def _what_a_completion_sees(command: Complete, wanted: Needs) -> None:
    its_executions_and_their_flows(command, wanted)
    wanted.outgoing.add(command.fence.execution_id)


@rule(
    Complete,
    sees=_what_a_completion_sees,
    weight=lambda command: weight_of_data(command.result),
    ends_attempt=True,
)
def complete(ws: WorkingSet, command: Complete, scope: str | None) -> Completed:
    """End the execution with success. If the same lease reports it again, it gets the same answer."""
    x = ws.execution(command.fence.execution_id, scope)
    if x.terminal_outcome == "success" and is_lease_of(ws, x, command.fence):
        return Completed(x.execution_id)
    check_held(ws, x, command.fence)
    x = end_attempt(ws, x, "success")
    if command.result is not None:
        ws.results.put_at((x.execution_id, x.replay_count), command.result)
    end(ws, ws.emit(x, "completion", "completed"), "success")
    return Completed(x.execution_id)


@rule(Fail, sees=its_executions_and_their_flows, enters_queue=True, ends_attempt=True)
def fail(ws: WorkingSet, command: Fail, scope: str | None) -> RetryScheduled | TerminalFailed:
    """Retry by policy, or fail for good. If the same lease reports it again, it gets the same answer."""
    x = ws.execution(command.fence.execution_id, scope)
    # In a cancelled flow, this failure has ended the execution as cancelled. Any other cancel came later.
    is_over = x.terminal_outcome == "failed" or (x.cancelled_by == CANCEL_FLOW and x.failure_code is not None)
    if is_over and is_lease_of(ws, x, command.fence):
        return TerminalFailed(x.execution_id)
    check_held(ws, x, command.fence)
    failure = FailedAttempt(
        x.execution_id, x.attempt_index, x.lease_epoch, command.failure_code, command.message, command.traceback
    )
    return fail_attempt(ws, x, failure, command.retryable, command.retry_after_ms)


def fail_attempt(
    ws: WorkingSet, x: Execution, failure: FailedAttempt, retryable: bool, retry_after_ms: int | None
) -> RetryScheduled | TerminalFailed:
    """What a failed attempt does to its execution. The worker or upkeep has noticed the failure."""
    code = failure.code
    ws.failures.put(failure)
    x = traced(x, "attempt", ws.trace)
    failed = replace(x, failure_code=code, failure_message=failure.message)
    if must_not_return(ws, x):
        failed = ws.emit(end_attempt(ws, failed, "failed"), "lease", "released", {"code": code})
        _back_to_the_queue(ws, runnable_now(failed, "attempt_interrupted", ws.now_ms))
        # This lease has ended it, and may say so again.
        ws.executions.put(replace(ws.executions[x.execution_id], lease_mark=x.lease_mark))
        return TerminalFailed(x.execution_id)
    if not retryable or x.retry_count >= x.policy.retry.max_retries:
        failed = end_attempt(ws, failed, "failed")
        end(ws, ws.emit(failed, "completion", "failed", {"code": code}), "failed")
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
    ws.executions.put(runnable_at(failed, "pending_retry_attempt", until_ms, ws.now_ms))
    return RetryScheduled(x.execution_id, x.attempt_index + 1, until_ms)


@rule(Release, sees=its_executions_and_their_flows, enters_queue=True, ends_attempt=True)
def release(ws: WorkingSet, command: Release, scope: str | None) -> Released:
    """Put the execution back as it was found. Neither a retry nor an interruption is counted."""
    x = traced(held_under(ws, command.fence, scope), "attempt", ws.trace)
    x = ws.emit(x, "lease", "released")
    _back_to_the_queue(ws, runnable_now(end_attempt(ws, x, "released"), "attempt_interrupted", ws.now_ms))
    return Released(x.execution_id)


@rule(Delay, sees=its_executions_and_their_flows, enters_queue=True, ends_attempt=True)
def delay(ws: WorkingSet, command: Delay, scope: str | None) -> Released:
    """Put the execution back, with a delay until the given instant. Nothing is counted."""
    x = traced(held_under(ws, command.fence, scope), "attempt", ws.trace)
    x = ws.emit(x, "lease", "released", {"delay_until_ms": command.until_ms})
    x = end_attempt(ws, x, "released")
    _back_to_the_queue(ws, runnable_at(x, "attempt_interrupted", command.until_ms, ws.now_ms))
    return Released(x.execution_id)


def interrupt(ws: WorkingSet, x: Execution, event_type: str, details: dict[str, object]) -> Execution:
    """End a lease that is lost or revoked. The execution is queued again, or fails after too many interruptions."""
    x = ws.emit(end_attempt(ws, x, "interrupted"), "lease", event_type, details)
    x = replace(x, lease_epoch=x.lease_epoch + 1, interruption_count=x.interruption_count + 1)
    if x.interruption_count <= x.policy.max_interruptions or must_not_return(ws, x):
        _back_to_the_queue(ws, runnable_now(x, "attempt_interrupted", ws.now_ms))
        return x
    x = replace(
        x,
        failure_code=WORKER_LOST,
        failure_message=f"interrupted {times(x.interruption_count)}; the policy allows {x.policy.max_interruptions}",
    )
    end(ws, ws.emit(x, "completion", "failed", {"code": WORKER_LOST}), "failed")
    return x


def _back_to_the_queue(ws: WorkingSet, x: Execution) -> None:
    """Put an execution back into the queue, unless its flow was cancelled since: no member of it is queued again."""
    if must_not_return(ws, x):
        cancel_with_flow(ws, x)
    else:
        ws.executions.put(x)


def must_not_return(ws: WorkingSet, x: Execution) -> bool:
    """Whether the execution belongs to a cancelled flow, so that it may neither be queued again nor be suspended."""
    return x.flow_id is not None and flow_of(ws, x).is_cancelled_for_members


def cancel_with_flow(ws: WorkingSet, x: Execution) -> None:
    """Cancel a member that the cancel of its flow had spared while it ran."""
    end_cancelled(ws, x, flow_of(ws, x).cancel_reason or "", CANCEL_FLOW)
