"""HandleDue, RepairSideRows and the Forget commands: what happens by the clock. Each is decided from the record."""

from typing import Final, assert_never

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import (
    ForgetAnswer,
    ForgetBatches,
    ForgetEvents,
    ForgetIdempotencyKey,
    HandleDue,
    PurgeExecution,
    RepairSideRows,
    TendCounts,
)
from flowfabric.domain.decide.children import pass_on_end
from flowfabric.domain.decide.ending import end, end_lease_if_any
from flowfabric.domain.decide.finishing import (
    ATTEMPT_TIMEOUT,
    fail_attempt,
    interrupt,
)
from flowfabric.domain.decide.replaying import come_back
from flowfabric.domain.decide.rule import BatchClass, rule
from flowfabric.domain.decide.seeing import its_executions
from flowfabric.domain.decide.wait_ends import perform_timeouts
from flowfabric.domain.events import LANE_EVENTS_KEPT_MS
from flowfabric.domain.execution import Execution, FailedAttempt, due_of
from flowfabric.domain.steps import NO_STEP
from flowfabric.domain.working_set import WorkingSet

BATCH_TTL_MS: Final = 3_600_000
"""How long the marker of a batch is kept: far longer than any caller waits after a connection was lost."""


def _what_is_due_sees(command: HandleDue, wanted: Needs) -> None:
    wanted.executions.add(command.due.execution_id)
    if command.due.kind not in ("delay", "retention"):
        wanted.flows_of.add(command.due.execution_id)
    if command.due.kind == "wait":
        wanted.steps.add((command.due.execution_id, NO_STEP))  # a wait that is over becomes a step


def _class_of_what_is_due(command: HandleDue) -> BatchClass:
    return "removals" if command.due.kind == "retention" else "any"


@rule(
    HandleDue,
    sees=_what_is_due_sees,
    enters_queue=True,
    leaves_queue=True,
    batch_class=_class_of_what_is_due,
    comes_again=True,
)
def handle_due(ws: WorkingSet, command: HandleDue) -> bool:
    """Do what is due. False: the record has changed since it was found, or the due moment has not come."""
    x = ws.executions.get(command.due.execution_id)
    due = None if x is None else due_of(x)
    if x is None or due != command.due:
        ws.drop_stale_due(command.due)
        return False
    if due.due_at_ms > ws.now_ms:
        return False
    match due.kind:
        case "lease":
            interrupt(ws, x, "expired", {})
        case "delay":
            _promote(ws, x)
        case "attempt_timeout":
            _time_out_attempt(ws, x)
        case "deadline":
            _expire(ws, x)
        case "retention":
            ws.executions.remove(x.execution_id)
        case "resolution":
            if x.coming_back is not None:
                come_back(ws, x)
            else:
                pass_on_end(ws, x)
        case "wait":
            perform_timeouts(ws, x)
        case _:
            assert_never(due.kind)
    return True


def _promote(ws: WorkingSet, x: Execution) -> None:
    # It became ready when its delay ended, not when upkeep noticed this: late upkeep does not change the order.
    assert x.delay_until_ms is not None
    ws.executions.put(replace(x, eligibility_state="eligible_now", ready_at_ms=x.delay_until_ms, delay_until_ms=None))


def _time_out_attempt(ws: WorkingSet, x: Execution) -> None:
    timeout_ms = x.policy.attempt_timeout_ms
    # The holder did not end this lease, so the epoch grows: all that the holder still sends is stale.
    message = f"the attempt ran longer than {timeout_ms} ms"
    failure = FailedAttempt(x.execution_id, x.attempt_index, x.lease_epoch, ATTEMPT_TIMEOUT, message, None)
    fail_attempt(ws, x, failure, True, None)
    moved = ws.executions[x.execution_id]
    ws.executions.put(replace(moved, lease_epoch=moved.lease_epoch + 1))


def _expire(ws: WorkingSet, x: Execution) -> None:
    x = end_lease_if_any(ws, x, "expired")
    end(ws, ws.emit(x, "completion", "expired"), "expired")


@rule(PurgeExecution, sees=its_executions, batch_class="removals")
def purge_execution(ws: WorkingSet, command: PurgeExecution, scope: str | None) -> bool:
    """Remove the execution, unless it lives, ended later, or belongs to a flow (a flow is removed as a whole).

    An execution whose end has not been passed on to its parent or its children stays, too.
    """
    x = ws.executions.get(command.execution_id)
    if x is None or x.flow_id is not None or x.terminal_at_ms is None or scope not in (None, x.namespace):
        return False
    if x.terminal_at_ms >= command.ended_before_ms or x.unsettled:
        return False
    ws.executions.remove(x.execution_id)
    return True


@rule(RepairSideRows, sees=its_executions, comes_again=True)
def repair_side_rows(ws: WorkingSet, command: RepairSideRows) -> bool:
    """Write the queue place, the due moment and the rows at gates that the record calls for."""
    x = ws.executions.get(command.execution_id)
    if x is None:
        return False
    ws.repair(x)
    return True


def _its_key(command: ForgetIdempotencyKey, wanted: Needs) -> None:
    wanted.idempotency_keys.add((command.namespace, command.key))


@rule(ForgetIdempotencyKey, sees=_its_key, comes_again=True)
def forget_idempotency_key(ws: WorkingSet, command: ForgetIdempotencyKey) -> bool:
    """Drop the key, unless it has been used again."""
    if ws.idempotency_key(command.namespace, command.key) is not None:
        return False
    ws.idempotency_keys.remove((command.namespace, command.key))
    return True


def _its_answer(command: ForgetAnswer, wanted: Needs) -> None:
    wanted.answers.add((command.scope, command.command_id))


@rule(ForgetAnswer, sees=_its_answer, comes_again=True)
def forget_answer(ws: WorkingSet, command: ForgetAnswer) -> bool:
    """Drop the answer, unless its command id has been used again."""
    if ws.answer(command.scope, command.command_id) is not None:
        return False
    ws.answers.remove((command.scope, command.command_id))
    return True


@rule(ForgetBatches)
def forget_batches(ws: WorkingSet, command: ForgetBatches) -> bool:
    """Drop the markers of old batches."""
    ws.forget_batches_before_ms = ws.now_ms - BATCH_TTL_MS
    return True


@rule(TendCounts, batch_class="removals")
def tend_counts(ws: WorkingSet, command: TendCounts) -> bool:
    """Let the store tend its counts. They follow from the records, so there is nothing to decide."""
    ws.counts_duty = command.duty
    return True


@rule(ForgetEvents, batch_class="removals")
def forget_events(ws: WorkingSet, command: ForgetEvents) -> bool:
    """Drop old events of lanes and schedules. Lanes and schedules have no end, so their events are removed by age."""
    ws.forget_events_until_ms = min(command.until_ms, ws.now_ms - LANE_EVENTS_KEPT_MS)
    return True
