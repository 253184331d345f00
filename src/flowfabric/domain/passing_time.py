"""How a store's time goes on when the clock of its machine is set back.

The database keeps the highest time that was seen. While the machine's clock is behind it, time goes on from there by
the monotonic clock, which nobody sets. Otherwise the machine's clock is the time.
"""

from typing import Final

import msgspec

STEP_MS: Final = 1_000
"""The highest time is kept once per so much of it; a clock that is behind by no more is waited for."""


class KeptTime(msgspec.Struct, frozen=True):
    """What a database keeps of its time."""

    highest_ms: int = 0
    acceptances: int = 0
    """How often an operator has accepted the machine's clock, and with it that time goes back."""

    def at(self, now_ms: int) -> "KeptTime":
        """The same, as it is to be kept after a commit at this time."""
        return self if now_ms < self.highest_ms + STEP_MS else msgspec.structs.replace(self, highest_ms=now_ms)


class Told(msgspec.Struct, frozen=True):
    """The time that a process has told last."""

    now_ms: int
    monotonic_ms: int
    behind_ms: int = 0
    """How far the machine's clock was behind, so that the monotonic clock was followed; 0: it was not."""


def told(last: Told | None, highest_ms: int, *, wall_ms: int, monotonic_ms: int) -> Told:
    """What time it is, by the two clocks of the machine, the highest time that is kept, and what was told last."""
    floor_ms = due_ms = highest_ms
    if last is not None:
        floor_ms = max(floor_ms, last.now_ms)
        due_ms = max(due_ms, last.now_ms + monotonic_ms - last.monotonic_ms)
    if wall_ms < due_ms - STEP_MS:
        return Told(due_ms, monotonic_ms, due_ms - wall_ms)
    return Told(max(wall_ms, floor_ms), monotonic_ms)
