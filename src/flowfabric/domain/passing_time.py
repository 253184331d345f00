"""How a store's time goes on when the clock of its machine is set back.

The database keeps the highest time that was seen. While the machine's clock is behind it, time goes on from there by
the monotonic clock, which nobody sets. Otherwise the machine's clock is the time. Where all processes of a machine read
the same monotonic clock until its next boot, the database keeps that one, too, so that a process that is started later
counts on from the same moment as those that already run.
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
    monotonic_ms: int = 0
    """What the monotonic clock showed at the highest time."""
    boot_id: str = ""
    """Since which boot of the machine that clock counts; empty: unknown, so that no other process can use it."""

    def at(self, now_ms: int, *, monotonic_ms: int, boot_id: str) -> "KeptTime":
        """The same, as it is to be kept after a commit at this time."""
        if now_ms < self.highest_ms + STEP_MS:
            return self
        return KeptTime(now_ms, self.acceptances, monotonic_ms if boot_id else 0, boot_id)

    def due_ms(self, *, monotonic_ms: int, boot_id: str) -> int:
        """To what the highest time has come since it was kept, as far as that is known."""
        if not boot_id or boot_id != self.boot_id:
            return self.highest_ms
        return self.highest_ms + max(0, monotonic_ms - self.monotonic_ms)


class Told(msgspec.Struct, frozen=True):
    """The time that a process has told last."""

    now_ms: int
    monotonic_ms: int
    behind_ms: int = 0
    """How far the machine's clock was behind, so that the monotonic clock was followed; 0: it was not."""


def told(last: Told | None, kept: KeptTime, *, wall_ms: int, monotonic_ms: int, boot_id: str) -> Told:
    """The time now: from the two clocks of the machine, the time that the file keeps, and the last answer."""
    floor_ms = kept.highest_ms
    due_ms = kept.due_ms(monotonic_ms=monotonic_ms, boot_id=boot_id)
    if last is not None:
        floor_ms = max(floor_ms, last.now_ms)
        due_ms = max(due_ms, last.now_ms + monotonic_ms - last.monotonic_ms)
    if wall_ms < due_ms - STEP_MS:
        return Told(due_ms, monotonic_ms, due_ms - wall_ms)
    return Told(max(wall_ms, floor_ms), monotonic_ms)
