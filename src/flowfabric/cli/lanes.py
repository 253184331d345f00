"""The verbs about lanes: `lanes`, `lanes pause`, `lanes resume`."""

from typing import Annotated, Final

from cyclopts import App, Parameter

from flowfabric.cli.output import Json, clock_time, document, say
from flowfabric.cli.target import HERE, Target, opened

Lane = Annotated[str, Parameter(help="The lane's name.")]

lanes: Final = App(name="lanes", help="List lanes, pause them and resume them.")


@lanes.command
def pause(
    lane: Lane,
    /,
    *,
    reason: Annotated[str, Parameter(help="Why; it is shown with the lane and written to the log.")] = "",
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Let nobody claim from a lane until it is resumed; what runs goes on."""
    with opened(at) as engine:
        answer = engine.pause_lane(lane, reason=reason)
    if json:
        document({"answer": answer})
    else:
        say(f"Lane {lane} is paused since {clock_time(answer.paused_at_ms)} UTC.")


@lanes.command
def resume(lane: Lane, /, *, at: Target = HERE, json: Json = False) -> None:
    """Let a paused lane be claimed from again."""
    with opened(at) as engine:
        answer = engine.resume_lane(lane)
    if json:
        document({"answer": answer})
    elif answer.paused_since_ms is None:
        say(f"Lane {lane} was not paused.")
    else:
        say(f"Lane {lane} is open again. It was paused at {clock_time(answer.paused_since_ms)} UTC.")
