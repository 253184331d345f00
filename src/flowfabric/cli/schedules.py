"""The verbs about schedules: `schedules`, and below it `pause`, `resume`, `run` and `forget`."""

from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import App, Parameter

from flowfabric.cli.output import Column, Json, clock_time, document, say, table, when
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.cli.watching import watchable
from flowfabric.domain.words import span

if TYPE_CHECKING:
    from flowfabric.domain.snapshots import ScheduleSnapshot

Name = Annotated[str, Parameter(help="The schedule's name.")]

schedules: Final = App(name="schedules", help="List schedules, pause, resume and run them.")


@schedules.default
@watchable
def ls(*, at: Target = HERE, json: Json = False) -> None:
    """List the schedules that are known, with their last and their next slot."""
    with opened(at) as engine:
        found = engine.list_schedules()
        now_ms = engine.server_time_ms()
    if json:
        document({"schedules": found})
    elif not found:
        say("No schedule is known yet: a worker that has its code makes it known.")
    else:
        table(
            [
                Column("NAME", is_whole=True),
                Column("WHEN"),
                Column("STATE", is_state=True),
                Column("NEXT"),
                Column("LAST"),
                Column("KIND"),
                Column("LANE"),
                Column("NAMESPACE"),
            ],
            [
                (
                    each.name,
                    _rule(each),
                    _state(each, now_ms),
                    when(each.next_slot_ms, now_ms),
                    when(each.last_slot_ms, now_ms),
                    each.kind,
                    each.lane,
                    each.namespace,
                )
                for each in found
            ],
        )


@schedules.command
def pause(
    name: Name,
    /,
    *,
    reason: Annotated[str, Parameter(help="The reason; it is shown with the schedule.")] = "",
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Stop a schedule until it is resumed."""
    with opened(at) as engine:
        answer = engine.pause_schedule(name, reason=reason)
    if json:
        document({"name": name, "answer": answer})
    else:
        say(f"{name} has been paused since {clock_time(answer.paused_at_ms)} UTC.")


@schedules.command
def resume(name: Name, /, *, at: Target = HERE, json: Json = False) -> None:
    """Let a paused schedule fire again, from its next slot on."""
    with opened(at) as engine:
        answer = engine.resume_schedule(name)
        now_ms = engine.server_time_ms()
    if json:
        document({"name": name, "answer": answer})
    elif answer.next_slot_ms is None:
        say(f"{name} has no further slot.")
    else:
        say(f"{name} fires next {when(answer.next_slot_ms, now_ms)}.")


@schedules.command
def run(
    name: Name,
    /,
    *,
    command_id: Annotated[str | None, Parameter(help="A second run with this id within a day creates nothing.")] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Create an execution of a schedule now, outside of its slots, and print its id. The slots do not change."""
    with opened(at) as engine:
        answer = engine.run_schedule(name, command_id=command_id)
    if json:
        document({"name": name, "answer": answer})
    else:
        say(answer.execution_id)


@schedules.command
def forget(name: Name, /, *, at: Target = HERE, json: Json = False) -> None:
    """Remove a schedule whose code is gone from the list."""
    with opened(at) as engine:
        answer = engine.forget_schedule(name)
    if json:
        document({"name": name, "answer": answer})
    else:
        say(f"{name} is forgotten.")


def _rule(schedule: "ScheduleSnapshot") -> str:
    if schedule.every_ms is not None:
        return f"every {span(schedule.every_ms)}"
    return f"{schedule.cron} {schedule.timezone}"


def _state(schedule: "ScheduleSnapshot", now_ms: int) -> str:
    if schedule.is_orphaned:
        return "orphaned"
    return f"paused {when(schedule.paused_at_ms, now_ms)}" if schedule.is_paused else "on"
