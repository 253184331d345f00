"""The verb about time: `clock accept`."""

from typing import Final

from cyclopts import App

from flowfabric.cli.output import Json, document, say
from flowfabric.cli.target import HERE, Target, existing

clock: Final = App(name="clock", help="Say that the clock of this machine is right.")


@clock.command
def accept(*, at: Target = HERE, json: Json = False) -> None:
    """Let the time of a SQLite file go back to this machine's clock, after that clock was ahead by mistake."""
    from flowfabric.app import accept_clock
    from flowfabric.domain.words import span

    back_ms = accept_clock(existing(at.place()))
    if json:
        document({"back_ms": back_ms})
    elif back_ms:
        say(f"Accepted. Time has gone back by {span(back_ms)}.")
    else:
        say("Accepted. Nothing changed: the clock was not behind the time of the database.")
