"""FireSchedule, Pause-, Resume-, Run- and ForgetSchedule: the clock makes executions, at most one for each slot."""

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import (
    CreateExecution,
    FireSchedule,
    ForgetSchedule,
    PauseSchedule,
    ResumeSchedule,
    RunSchedule,
)
from flowfabric.domain.decide.creating import check_gates, create
from flowfabric.domain.decide.rule import BYTES_PER_WEIGHT, rule
from flowfabric.domain.decide.seeing import what_gates_need
from flowfabric.domain.errors import NotFound, ScheduleNotOrphaned
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id
from flowfabric.domain.outcomes import ScheduleFired, ScheduleForgotten, SchedulePaused, ScheduleRan, ScheduleResumed
from flowfabric.domain.schedule import (
    UNSEEN_MS,
    Definition,
    Schedule,
    execution_id_of,
    slots_to_fire,
    tags_of,
)
from flowfabric.domain.working_set import WorkingSet


def _what_a_schedule_sees(command: FireSchedule, wanted: Needs) -> None:
    definition = command.definition
    wanted.schedules.add((definition.namespace, definition.name))
    if definition.gates is not None:
        what_gates_need(definition.namespace, definition.gates, wanted)


def _weight_of_slots(command: FireSchedule) -> int:
    # Usually the command makes one execution or none; but after an outage it may make a hundred.
    return 5 + len(command.definition.payload) // BYTES_PER_WEIGHT


@rule(FireSchedule, sees=_what_a_schedule_sees, weight=_weight_of_slots, comes_again=True)
def fire_schedule(ws: WorkingSet, command: FireSchedule) -> ScheduleFired:
    """Make an execution for each slot that is due, if this definition is the valid one. Note that its code is alive."""
    definition, now_ms = command.definition, ws.now_ms
    known = ws.schedules.get((definition.namespace, definition.name))
    if known is None:
        # Slots from before the schedule was known are not due: a new schedule starts with its next slot.
        _check_its_gates(ws, definition)
        s = Schedule(definition, now_ms, now_ms, now_ms, now_ms, created_by=ws.actor)
    elif definition.means_the_same_as(known.definition):
        # Two payloads may mean the same. A process that starts stores its own one, which is written as of now.
        s = replace(known, definition=definition) if command.replaces and definition != known.definition else known
    elif command.replaces or known.is_orphaned(now_ms):
        s = _changed(ws, known, definition)
    else:
        # Another version of the code has taken over, and is alive: this definition fires nothing.
        return ScheduleFired([], None, now_ms)
    slots, settled_ms = slots_to_fire(s, now_ms)
    fired = [_make_execution(ws, s, execution_id_of(s, slot_ms), slot_ms, s.created_by) for slot_ms in slots]
    looked_at = replace(
        s,
        seen_at_ms=now_ms,
        settled_until_ms=settled_ms,
        last_slot_ms=slots[-1] if slots else s.last_slot_ms,
    )
    was_just_seen = s is known and 0 <= now_ms - s.seen_at_ms < UNSEEN_MS
    if fired or not was_just_seen:
        ws.schedules.put(looked_at)
    return ScheduleFired(fired, looked_at.next_slot_ms(now_ms), now_ms)


def _changed(ws: WorkingSet, s: Schedule, definition: Definition) -> Schedule:
    """The schedule with another definition. Past slots of a new timing are not due."""
    _check_its_gates(ws, definition)
    s = ws.emit(s, "operator", "schedule_changed")
    settled_ms = s.settled_until_ms
    if definition.timing != s.definition.timing:
        settled_ms = max(settled_ms, ws.now_ms)
    return replace(s, definition=definition, changed_at_ms=ws.now_ms, settled_until_ms=settled_ms, created_by=ws.actor)


def _check_its_gates(ws: WorkingSet, definition: Definition) -> None:
    """Raise the refusal if a limit or a budget is not set: its program shall hear of it now, not at the first slot."""
    if definition.gates is not None:
        check_gates(ws, definition.namespace, definition.gates)


def _make_execution(
    ws: WorkingSet, s: Schedule, execution_id: ExecutionId, slot_ms: int, created_by: str | None
) -> str:
    definition = s.definition
    after_ms = definition.deadline_after_ms
    creation = CreateExecution(
        execution_id=execution_id,
        id_was_given=False,
        kind=definition.kind,
        payload=definition.payload,
        lane=definition.lane,
        namespace=definition.namespace,
        priority=definition.priority,
        delay_until_ms=None,
        deadline_at_ms=None if after_ms is None else ws.now_ms + after_ms,
        idempotency_key=None,
        idempotency_ttl_ms=1,
        required_capabilities=definition.required_capabilities,
        policy=definition.policy,
        tags=tags_of(definition, slot_ms),
        gates=definition.gates,
    )
    return create(ws, creation, created_by).execution_id


def _its_schedule(command: PauseSchedule | ResumeSchedule | RunSchedule | ForgetSchedule, wanted: Needs) -> None:
    wanted.schedules.add((command.namespace, command.name))


@rule(PauseSchedule, sees=_its_schedule)
def pause_schedule(ws: WorkingSet, command: PauseSchedule) -> SchedulePaused:
    """Let the schedule fire nothing. A second pause changes nothing: the first reason stays."""
    s = _known(ws, command.namespace, command.name)
    if s.paused_at_ms is None:
        s = ws.emit(s, "operator", "schedule_paused", {"reason": command.reason})
        s = replace(s, paused_at_ms=ws.now_ms, pause_reason=command.reason)
        ws.schedules.put(s)
    assert s.paused_at_ms is not None
    return SchedulePaused(command.name, s.paused_at_ms)


@rule(ResumeSchedule, sees=_its_schedule)
def resume_schedule(ws: WorkingSet, command: ResumeSchedule) -> ScheduleResumed:
    """Let the schedule fire again, from its next slot on. If it is not paused, nothing changes."""
    s = _known(ws, command.namespace, command.name)
    if s.paused_at_ms is not None:
        s = ws.emit(s, "operator", "schedule_resumed")
        settled_ms = max(s.settled_until_ms, ws.now_ms)
        s = replace(s, paused_at_ms=None, pause_reason=None, settled_until_ms=settled_ms)
        ws.schedules.put(s)
    return ScheduleResumed(command.name, s.next_slot_ms(ws.now_ms))


@rule(RunSchedule, sees=_its_schedule)
def run_schedule(ws: WorkingSet, command: RunSchedule) -> ScheduleRan:
    """Make an execution as if there were a slot now. This also works while the schedule is paused."""
    s = _known(ws, command.namespace, command.name)
    execution_id = make_execution_id(lane_partition(s.definition.lane), command.uuid)
    s = ws.emit(s, "operator", "schedule_run", {"execution_id": execution_id})
    ws.schedules.put(s)
    return ScheduleRan(
        command.name, _make_execution(ws, s, execution_id, ws.now_ms, s.created_by if ws.actor is None else ws.actor)
    )


@rule(ForgetSchedule, sees=_its_schedule)
def forget_schedule(ws: WorkingSet, command: ForgetSchedule) -> ScheduleForgotten:
    """Remove the schedule. Only an orphaned one can be removed: a program with its code would bring it back."""
    s = _known(ws, command.namespace, command.name)
    if not s.is_orphaned(ws.now_ms):
        raise ScheduleNotOrphaned(
            f"Schedule {command.name!r} is not orphaned: a worker that has its code was seen "
            f"{(ws.now_ms - s.seen_at_ms) // 1000} s ago, and would put it back. Pause it, or remove it from the code "
            "first."
        )
    ws.emit(s, "operator", "schedule_forgotten")
    ws.schedules.remove((s.definition.namespace, s.definition.name))
    return ScheduleForgotten(command.name)


def _known(ws: WorkingSet, namespace: str, name: str) -> Schedule:
    s = ws.schedules.get((namespace, name))
    if s is None:
        raise NotFound(
            "schedule",
            f"There is no schedule {name!r} in namespace {namespace!r}. Check the name; a schedule is known once a "
            "worker with its code has started.",
        )
    return s
