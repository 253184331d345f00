"""What reads return: plain values of one moment, safe to keep and to compare."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from flowfabric.domain.cron import Cron
from flowfabric.domain.execution import Attempt, Execution, FailedAttempt
from flowfabric.domain.flow import FlowState
from flowfabric.domain.gate_snapshots import GatesSnapshot, gates_snapshot_of
from flowfabric.domain.gates import Gates
from flowfabric.domain.intervals import Every
from flowfabric.domain.schedule import CatchUp, Schedule
from flowfabric.domain.states import AttemptOutcome, PublicState
from flowfabric.domain.steps import Step
from flowfabric.domain.wait_snapshots import WaitSnapshot, wait_snapshot_of
from flowfabric.domain.workers import Worker


class Failure(msgspec.Struct, frozen=True):
    """Why an attempt failed."""

    code: str
    message: str
    traceback: str | None = None
    """The traceback of the error. None: it was not sent, or this is an item of a list."""


class ExecutionSnapshot(msgspec.Struct, frozen=True, gc=False):
    """One execution as it was when it was read."""

    execution_id: str
    kind: str
    namespace: str
    lane: str
    flow_id: str | None
    lifecycle_phase: str
    ownership_state: str
    eligibility_state: str
    attempt_state: str
    terminal_outcome: str
    public_state: PublicState
    blocking_reason: str | None
    priority: int
    attempt_index: int
    lease_epoch: int
    retry_count: int
    interruption_count: int
    replay_count: int
    created_at_ms: int
    started_at_ms: int | None
    terminal_at_ms: int | None
    delay_until_ms: int | None
    deadline_at_ms: int | None
    cancellation_reason: str | None
    cancelled_by: str | None
    failure: Failure | None
    progress_percent: int | None
    progress_message: str | None
    required_capabilities: Sequence[str]
    tags: Mapping[str, str]
    node: str | None = None
    """Its name in the flow that it was submitted with."""
    waits: tuple[WaitSnapshot, ...] = ()
    """Its open waits, oldest first."""
    parent_id: str | None = None
    """The execution that has made it as its child."""
    gates: GatesSnapshot | None = None
    """Its limits and budgets. None: it has none."""
    created_by: str | None = None
    """The person on whose behalf it was made: the actor of the engine. None: not known."""


class EndSnapshot(msgspec.Struct, frozen=True):
    """An execution and its result as they were when they were read."""

    execution: ExecutionSnapshot
    result: bytes | None
    """None: it has no result, or has not ended."""


class AttemptSnapshot(msgspec.Struct, frozen=True):
    """One attempt as it was when it was read."""

    attempt_index: int
    worker_id: str | None
    worker_instance_id: str | None
    """None once the lease has ended."""
    lease_epoch: int
    lease_expires_at_ms: int | None
    started_at_ms: int | None
    terminal_at_ms: int | None
    outcome: AttemptOutcome | None
    failure: Failure | None = None
    """Why it failed, if it did."""


class StepSnapshot(msgspec.Struct, frozen=True):
    """One stored step as it was when it was read."""

    name: str
    fingerprint: bytes
    result: bytes
    attempt_index: int
    recorded_at_ms: int
    is_wait: bool = False
    """Whether it is the end of a wait. `get_wait` returns what has ended it."""
    tries: int = 1
    """How often the attempt that stored it had called its function."""


class WorkerSnapshot(msgspec.Struct, frozen=True):
    """One worker as it was when it was read."""

    worker_instance_id: str
    worker_id: str
    namespace: str
    host: str
    pid: int
    lanes: Sequence[str]
    capabilities: Sequence[str]
    version: str
    started_at_ms: int
    seen_at_ms: int
    is_alive: bool
    """Whether its last heartbeat came in time: within half of its lease."""
    is_silent: bool = False
    """Whether it is not alive, but its lease is not over yet: it is probably dead."""


class LaneSnapshot(msgspec.Struct, frozen=True):
    """One lane as it was when it was read."""

    namespace: str
    lane: str
    paused_at_ms: int | None
    """Since when nothing is claimed from it; None: it is not paused."""
    pause_reason: str
    waiting: int
    """Executions that could be claimed now if the lane were not paused."""
    delayed: int
    active: int
    blocked: int
    """Executions that wait for other executions or for signals, or are held."""
    oldest_ready_at_ms: int | None
    """When the execution that has waited longest became ready."""
    ended_last_minute: int
    """How many executions ended. On a busy store this is an estimate from the newest 20,000 events."""
    live_workers: int
    """How many workers serve it."""
    parked: int = 0
    """Executions that wait for a limit or a budget."""
    suspended: int = 0
    """Those of the blocked executions that are suspended until a wait is over."""
    oldest_suspended_at_ms: int | None = None
    """When the suspended execution that has waited longest was last ready to be claimed."""

    @property
    def is_paused(self) -> bool:
        """Whether nothing is claimed from it."""
        return self.paused_at_ms is not None


class LogExtent(msgspec.Struct, frozen=True):
    """The first and the last event that are in the log."""

    first_event_id: int
    first_at_ms: int
    last_event_id: int
    last_at_ms: int


class Kept(msgspec.Struct, frozen=True):
    """Ended executions and flows that are still stored. Members are kept with their flow and removed with it."""

    executions_to_go: int = 0
    """Ended executions that are removed once their retention is over."""
    flows_to_go: int = 0
    next_at_ms: int | None = None
    """When the next retention is over."""
    executions_for_ever: int = 0
    """Ended executions without a retention: they stay until somebody purges them."""
    flows_for_ever: int = 0


class EndsInMinute(msgspec.Struct, frozen=True):
    """How many executions have ended in one minute."""

    began_at_ms: int
    """When the minute began."""
    ended: Mapping[PublicState, int]
    """By the public state in which they ended. A state that none has ended in is missing."""


class FailureGroup(msgspec.Struct, frozen=True):
    """Executions of one kind that have failed in the same way."""

    kind: str
    code: str
    message: str
    count: int
    last_at_ms: int
    """When the last of them has failed."""


class Stats(msgspec.Struct, frozen=True):
    """A store, or one namespace of it, in numbers, as it was when it was read."""

    executions: Mapping[PublicState, int]
    """By public state; every state is there."""
    flows: Mapping[FlowState, int]
    """By state; every state is there."""
    oldest_ready_at_ms: int | None
    """When the execution that has waited longest became ready."""
    pending_cancel_acks: int
    """How many members of cancelled flows have not acknowledged the cancel yet."""
    live_workers: int
    log: LogExtent | None
    """None: the log is empty, or only one namespace was asked for (all namespaces share one log)."""
    schema_version: int | None
    """None: the store has no schema."""
    kept: Kept = Kept()
    parked_at_limits: int = 0
    """Of the executions that are `rate_limited`: how many wait for a limit."""
    parked_at_budgets: int = 0


class ScheduleSnapshot(msgspec.Struct, frozen=True):
    """One schedule as it was when it was read."""

    name: str
    namespace: str
    kind: str
    cron: str | None
    timezone: str | None
    every_ms: int | None
    anchor_ms: int | None
    catch_up: CatchUp
    lane: str
    priority: int
    is_paused: bool
    paused_at_ms: int | None
    pause_reason: str | None
    is_orphaned: bool
    """No live worker has its code, so it fires nothing."""
    last_slot_ms: int | None
    """The last slot that fired."""
    next_slot_ms: int | None
    """The first slot that is still to fire. For a paused schedule: the first slot if it were resumed now.

    None: there is none before the calendar ends, or its time zone is not known on this machine.
    """
    created_at_ms: int
    changed_at_ms: int
    seen_at_ms: int
    """When a worker that has its code was last seen."""
    limits: Mapping[str, str] = {}
    """The limits of its executions, with their key of each."""
    budgets: Mapping[str, Mapping[str, int]] = {}
    """The budgets of its executions, with what each attempt reserves first."""
    fair_key: str | None = None


class Page(msgspec.Struct, frozen=True):
    """Some items of a list, and the cursor of the next page. No cursor: this is the last page."""

    items: Sequence[object]
    next_cursor: str | None


class Refusal(msgspec.Struct, frozen=True):
    """An execution that stayed as it was, and why."""

    execution_id: str
    code: str
    message: str


class OperatedPage(msgspec.Struct, frozen=True):
    """The results for some of the chosen executions, and the cursor of the next page. No cursor: this is the last."""

    done: int
    refused: Sequence[Refusal]
    next_cursor: str | None


class Purged(msgspec.Struct, frozen=True):
    """What was removed, and the cursor for the next call. No cursor: nothing is left to remove."""

    executions: int
    """Including members that were removed with their flow."""
    flows: int
    next_cursor: str | None

    @property
    def has_more(self) -> bool:
        """Whether there may be more to remove."""
        return self.next_cursor is not None


def all_kept(parts: Iterable[Kept]) -> Kept:
    """The sum of all parts."""
    found = list(parts)
    return Kept(
        sum(each.executions_to_go for each in found),
        sum(each.flows_to_go for each in found),
        min((each.next_at_ms for each in found if each.next_at_ms is not None), default=None),
        sum(each.executions_for_ever for each in found),
        sum(each.flows_for_ever for each in found),
    )


def snapshot_of(x: Execution, last: FailedAttempt | None = None) -> ExecutionSnapshot:
    """The public face of an execution. `last` is its last failed attempt, which has the traceback of its failure."""
    return ExecutionSnapshot(
        execution_id=x.execution_id,
        kind=x.kind,
        namespace=x.namespace,
        lane=x.lane,
        flow_id=x.flow_id,
        lifecycle_phase=x.lifecycle_phase,
        ownership_state=x.ownership_state,
        eligibility_state=x.eligibility_state,
        attempt_state=x.attempt_state,
        terminal_outcome=x.terminal_outcome,
        public_state=x.public_state,
        blocking_reason=x.blocking_reason,
        priority=x.priority,
        attempt_index=x.attempt_index,
        lease_epoch=x.lease_epoch,
        retry_count=x.retry_count,
        interruption_count=x.interruption_count,
        replay_count=x.replay_count,
        created_at_ms=x.created_at_ms,
        started_at_ms=x.started_at_ms,
        terminal_at_ms=x.terminal_at_ms,
        delay_until_ms=x.delay_until_ms,
        deadline_at_ms=x.deadline_at_ms,
        cancellation_reason=x.cancellation_reason,
        cancelled_by=x.cancelled_by,
        failure=_failure_of(x, last),
        progress_percent=x.progress_percent,
        progress_message=x.progress_message,
        required_capabilities=list(x.required_capabilities),
        tags=dict(x.tags),
        node=x.node,
        waits=() if x.inbox is None else tuple(map(wait_snapshot_of, x.inbox.waits)),
        parent_id=x.parent_id,
        gates=None if x.gates is None else gates_snapshot_of(x.gates),
        created_by=x.created_by,
    )


def _failure_of(x: Execution, last: FailedAttempt | None) -> Failure | None:
    if x.failure_code is None:
        return None
    failure = Failure(x.failure_code, x.failure_message or "")
    # An execution may also fail without a failed attempt, and older releases store no failures of attempts.
    if last is None or (last.code, last.message) != (failure.code, failure.message):
        return failure
    return Failure(last.code, last.message, last.traceback)


def attempt_snapshot_of(attempt: Attempt, x: Execution, failure: FailedAttempt | None) -> AttemptSnapshot:
    """The public face of an attempt. Only a running attempt shows the holder of its lease."""
    running = x.lifecycle_phase == "active" and attempt.attempt_index == x.attempt_index
    return AttemptSnapshot(
        attempt_index=attempt.attempt_index,
        worker_id=attempt.worker_id,
        worker_instance_id=attempt.worker_instance_id if running else None,
        lease_epoch=attempt.lease_epoch,
        lease_expires_at_ms=x.lease_expires_at_ms if running else None,
        started_at_ms=attempt.started_at_ms,
        terminal_at_ms=attempt.terminal_at_ms,
        outcome=attempt.outcome,
        failure=None
        if failure is None or not failure.is_failure_of(attempt)
        else Failure(failure.code, failure.message, failure.traceback),
    )


def step_snapshot_of(step: Step) -> StepSnapshot:
    """The public face of a step."""
    return StepSnapshot(
        step.name, step.fingerprint, step.result, step.attempt_index, step.recorded_at_ms, step.is_wait, step.tries
    )


def worker_snapshot_of(worker: Worker, now_ms: int) -> WorkerSnapshot:
    """The public face of a worker."""
    return WorkerSnapshot(
        worker_instance_id=worker.worker_instance_id,
        worker_id=worker.worker_id,
        namespace=worker.namespace,
        host=worker.host,
        pid=worker.pid,
        lanes=list(worker.lanes),
        capabilities=list(worker.capabilities),
        version=worker.version,
        started_at_ms=worker.started_at_ms,
        seen_at_ms=worker.seen_at_ms,
        is_alive=worker.is_alive(now_ms),
        is_silent=worker.is_silent(now_ms),
    )


def schedule_snapshot_of(schedule: Schedule, now_ms: int) -> ScheduleSnapshot:
    """The public face of a schedule."""
    definition, timing = schedule.definition, schedule.definition.timing
    gates = definition.gates or Gates()
    return ScheduleSnapshot(
        name=definition.name,
        namespace=definition.namespace,
        kind=definition.kind,
        cron=timing.text if isinstance(timing, Cron) else None,
        timezone=timing.timezone if isinstance(timing, Cron) else None,
        every_ms=timing.interval_ms if isinstance(timing, Every) else None,
        anchor_ms=timing.anchor_ms if isinstance(timing, Every) else None,
        catch_up=definition.catch_up,
        lane=definition.lane,
        priority=definition.priority,
        is_paused=schedule.paused_at_ms is not None,
        paused_at_ms=schedule.paused_at_ms,
        pause_reason=schedule.pause_reason,
        is_orphaned=schedule.is_orphaned(now_ms),
        last_slot_ms=schedule.last_slot_ms,
        next_slot_ms=schedule.next_slot_ms(now_ms),
        created_at_ms=schedule.created_at_ms,
        changed_at_ms=schedule.changed_at_ms,
        seen_at_ms=schedule.seen_at_ms,
        limits=dict(gates.limits),
        budgets=dict(gates.budgets),
        fair_key=gates.fair_key,
    )
