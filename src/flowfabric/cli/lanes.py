"""The verbs about lanes: `lanes`, `lanes pause`, `lanes resume`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import App, Parameter

from flowfabric.cli.output import Column, Json, clock_time, document, say, table, when
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.cli.watching import watchable
from flowfabric.domain.words import span

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import LaneResumed
    from flowfabric.domain.snapshots import LaneSnapshot

Lane = Annotated[str, Parameter(help="The lane's name.")]

lanes: Final = App(name="lanes", help="List lanes, pause them and resume them.")


@lanes.default
@watchable
def ls(*, at: Target = HERE, json: Json = False) -> None:
    """List the lanes that hold something, that a worker serves, or that are paused."""
    with opened(at) as engine:
        found = engine.list_lanes()
        now_ms = engine.server_time_ms()
    if json:
        document({"lanes": found})
    elif not found:
        say("There are no lanes yet: nothing was submitted, and no worker runs.")
    else:
        table(
            [
                Column("LANE", is_whole=True),
                Column("WAITING", is_number=True),
                Column("OLDEST"),
                Column("ACTIVE", is_number=True),
                Column("ENDED/MIN", is_number=True),
                Column("WORKERS", is_number=True),
                Column("PAUSED"),
                Column("DELAYED", is_number=True),
                Column("BLOCKED", is_number=True),
                Column("PARKED", is_number=True),
                Column("NAMESPACE"),
            ],
            [_row(each, now_ms) for each in found],
        )


@lanes.command
def pause(
    lane: Lane,
    /,
    *,
    reason: Annotated[str, Parameter(help="The reason; it is shown with the lane and written to the log.")] = "",
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Stop claims from a lane until it is resumed. Running executions go on."""
    with opened(at) as engine:
        answer = engine.pause_lane(lane, reason=reason)
    if json:
        document({"answer": answer})
    else:
        say(f"Lane {lane} has been paused since {clock_time(answer.paused_at_ms)} UTC.")


@lanes.command
def resume(lane: Lane, /, *, at: Target = HERE, json: Json = False) -> None:
    """Allow claims from a paused lane again."""
    with opened(at) as engine:
        answer = engine.resume_lane(lane)
        known = engine.list_lanes() if answer.paused_since_ms is None and not json else []
    if json:
        document({"answer": answer})
    elif answer.paused_since_ms is None:
        say(_not_paused(answer, known))
    else:
        say(f"Lane {lane} is open again. It was paused at {clock_time(answer.paused_since_ms)} UTC.")


def _not_paused(answer: "LaneResumed", known: "Sequence[LaneSnapshot]") -> str:
    """The sentence for a lane that was not paused, with a hint if the name may be mistyped or in another namespace."""
    alike = [each for each in known if each.lane == answer.lane]
    elsewhere = next((each.namespace for each in alike if each.is_paused), None)
    if elsewhere is not None:
        return (
            f"Lane {answer.lane} was not paused in namespace {answer.namespace}. "
            f"It is paused with `--namespace {elsewhere}`."
        )
    if alike:
        return f"Lane {answer.lane} was not paused."
    return f"Lane {answer.lane} was not paused. Nothing is in it, and no worker serves it: `ff lanes` lists the others."


def _row(lane: "LaneSnapshot", now_ms: int) -> Sequence[str]:
    return (
        lane.lane,
        str(lane.waiting),
        "-" if lane.oldest_ready_at_ms is None else span(now_ms - lane.oldest_ready_at_ms),
        str(lane.active),
        str(lane.ended_last_minute),
        str(lane.live_workers),
        "no" if lane.paused_at_ms is None else f"{when(lane.paused_at_ms, now_ms)} {lane.pause_reason}".rstrip(),
        str(lane.delayed),
        str(lane.blocked),
        str(lane.parked),
        lane.namespace,
    )
