"""The walk through all executions that repairs their side rows, page by page. One process of a store does it at a time.

Side rows are wrong only after damage, because records and their side rows are written in one transaction. So the walk
may be slow: it rests after each page for many times as long as the page took, and a busy process or database takes
longer for a page.
"""

import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from flowfabric.domain.errors import EngineError
from flowfabric.ports.finding import Finds
from flowfabric.reconcilers.duties import Duties

if TYPE_CHECKING:
    from flowfabric.domain.ids import ExecutionId

ROUND_S: Final = 600.0
"""The pause between the end of one walk and the beginning of the next."""
TURN_S: Final = 60.0
"""How long a turn lasts unless it is extended. A process that has died delays the walk by this time at most."""
EXTEND_S: Final = 20.0
ASK_S: Final = 60.0
"""How often a process asks whether the turn of another one is over."""
PAGE: Final = 500
REST: Final = 50
"""How many times as long as a page took the walk rests after it. So it costs at most two percent of a core."""


class Repairs:
    """The part of the walk that this process does."""

    def __init__(self, store: Finds, duties: Duties) -> None:
        self._store = store
        self._duties = duties
        self._holder = secrets.token_hex(6)
        self._after: ExecutionId | None = None
        self._is_ours = False
        self._ask_at = 0.0
        self._rest_until = 0.0

    def step(self) -> None:
        """Repair one page, if it is this process's turn and the rest after the last page is over."""
        now = time.monotonic()
        if now >= self._ask_at:
            self._ask(now)
        if not self._is_ours or now < self._rest_until:
            return
        began_at = time.monotonic()
        self._after = self._duties.repair_page(self._after, PAGE).next_after
        ended_at = time.monotonic()
        self._rest_until = ended_at + REST * (ended_at - began_at)
        if self._after is None:
            # The turn is kept for the length of the pause, so that no other process begins meanwhile.
            self._store.take_turn(self._holder, int(ROUND_S * 1000), None)
            self._is_ours = False
            self._ask_at = now + ROUND_S

    def _ask(self, now: float) -> None:
        turn = self._store.take_turn(self._holder, int(TURN_S * 1000), self._after)
        was_ours, self._is_ours = self._is_ours, turn.holder == self._holder
        if self._is_ours and not was_ours:
            self._after = turn.after
        self._ask_at = now + (EXTEND_S if self._is_ours else ASK_S)

    def stop(self) -> None:
        """Leave the rest of the walk to other processes, at once."""
        if self._is_ours:
            with suppress(EngineError):  # otherwise they get the turn when its time is over
                self._store.take_turn(self._holder, 0, self._after)
