"""Which event loop a worker process runs on: asyncio's own, or the one of uvloop, which is faster."""

import asyncio
from collections.abc import Callable
from typing import Final, Literal, get_args

from flowfabric.domain.errors import InvalidInput

Loop = Literal["auto", "asyncio", "uvloop"]
"""`auto`: uvloop where it is installed."""
LOOPS: Final[tuple[str, ...]] = get_args(Loop)


def loop_factory(loop: Loop) -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop. None: asyncio's own. Refused: a loop that is not known, or not installed."""
    if loop not in LOOPS:
        raise InvalidInput(f"loop is {loop!r}; it must be one of {', '.join(LOOPS)}.")
    if loop == "asyncio":
        return None
    try:
        import uvloop
    except ImportError as error:
        if loop == "uvloop":
            raise InvalidInput(
                "loop is 'uvloop', which is not installed. Install flowfabric[speed], or use loop 'auto' or 'asyncio'."
            ) from error
        return None
    return uvloop.new_event_loop
