"""`ff tail`."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter

from flowfabric.cli.exits import WrongCall
from flowfabric.cli.filters import execution_id_of
from flowfabric.cli.output import Json, clock_time, document, note, pairs, say
from flowfabric.cli.target import HERE, Target, opened

if TYPE_CHECKING:
    from flowfabric.domain.events import Event

PAGE: Final = 500


def tail(
    *,
    from_: Annotated[
        str, Parameter(name="--from", help="start, now, or the cursor that an earlier tail has told.")
    ] = "now",
    channel: Annotated[
        tuple[Literal["lease", "completion", "operator", "signal"], ...],
        Parameter(help="Only this channel; may be given again."),
    ] = (),
    execution: Annotated[str | None, Parameter(help="Only of this execution.")] = None,
    flow: Annotated[str | None, Parameter(help="Only of this flow and its members.")] = None,
    count: Annotated[int | None, Parameter(help="End after so many events.")] = None,
    until_idle: Annotated[bool, Parameter(help="End when everything there is has been shown.")] = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Show events as they happen, until Ctrl-C."""
    if count is not None and count < 1:
        raise WrongCall(f"--count is {count}; it must be at least 1.")
    with opened(at) as engine:
        where: dict[str, Any] = {
            "channels": list(channel) or None,
            "execution_id": None if execution is None else execution_id_of(engine, execution),
            "flow_id": flow,
        }
        starts_now = from_ == "now"
        live = engine.subscribe(cursor=None if from_ in ("start", "now") else from_, from_now=starts_now, **where)
        cursor = live.cursor
        left = float("inf") if count is None else count
        try:
            while left:
                if until_idle:
                    page = engine.read_events(cursor=cursor, limit=int(min(left, PAGE)), **where)
                    events, cursor = page.events, page.next_cursor
                    if not events:
                        break
                else:
                    events = [next(live)]
                    cursor = live.cursor
                for event in events:
                    document(event) if json else say(_line(event))
                sys.stdout.flush()
                left -= len(events)
        except KeyboardInterrupt:
            note(f"To go on from here: --from {cursor or 'start'}")
            raise
    note(f"To go on from here: --from {cursor or 'start'}")


def _line(event: "Event") -> str:
    about = event.execution_id or event.flow_id or ""
    line = f"{clock_time(event.occurred_at_ms)}  {event.channel:<10}  {event.event_type:<16}  {about}"
    return f"{line}  {pairs(event.details)}".rstrip()
