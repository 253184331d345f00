"""`--watch`: repeats a verb that shows something."""

import inspect
import io
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import wraps
from typing import Annotated, Final

from cyclopts import Parameter

from flowfabric.cli.exits import Exit, on_one_line
from flowfabric.domain.errors import StoreUnavailable

EVERY_S: Final = 2.0
CLEAR: Final = "\x1b[H\x1b[2J"

Watch = Annotated[bool, Parameter(name="--watch", help=f"Look again every {EVERY_S:g} seconds, until Ctrl-C.")]


def watchable(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb with the option --watch. On a terminal new output replaces the last one; elsewhere it is appended."""

    @wraps(verb)
    def watched(*args: object, watch: bool = False, **options: object) -> None:
        if not watch:
            verb(*args, **options)
            return
        has_seen = False
        while True:
            seen = why_not = ""
            try:
                seen = _seen(lambda: verb(*args, **options))
                has_seen = True
            except StoreUnavailable as error:  # such as a database that restarts
                if error.is_final or not has_seen:
                    raise
                why_not = f"ff: {on_one_line(str(error))}\n"
            if sys.stdout.isatty():
                sys.stdout.write(CLEAR)
            sys.stdout.write(seen)
            sys.stdout.flush()
            sys.stderr.write(why_not)
            pause(EVERY_S)

    signature = inspect.signature(verb)
    option = inspect.Parameter("watch", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Watch)
    vars(watched)["__signature__"] = signature.replace(parameters=[*signature.parameters.values(), option])
    watched.__annotations__ = {**verb.__annotations__, "watch": Watch}
    return watched


pause = time.sleep


def _seen(look: Callable[[], None]) -> str:
    """The whole output of one run, to be shown at once."""
    said = _SameTerminal()
    with redirect_stdout(said):
        try:
            look()
        except SystemExit as ended:  # such as `ff doctor` that has found a problem, which may go away while we watch
            if ended.code != Exit.NOT_DONE:
                raise
    return said.getvalue()


class _SameTerminal(io.StringIO):
    """Collects output that is shown later, and claims to be the same terminal as the real output."""

    def __init__(self) -> None:
        super().__init__()
        self._is_terminal = sys.stdout.isatty()

    def isatty(self) -> bool:
        return self._is_terminal
