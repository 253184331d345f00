"""How a store's time goes on when the clock of its machine is set back.

The database keeps the highest time that was seen. While the machine's clock is behind that time, the store's time goes
on by the monotonic clock, which nobody can set. Otherwise the machine's clock is the time. Where all processes of a
machine read the same monotonic clock until the next boot, the database keeps the reading of that clock, too. So a
process that starts later counts on from the same moment as the processes that already run.
"""

from typing import Final

import msgspec

from flowfabric.domain.known_types import known

STEP_MS: Final = 1_000
"""The highest time is written once per second. If the clock is behind by no more than this, the time stands still."""


@known
class KeptTime(msgspec.Struct, frozen=True):
    """What a database stores about its time."""

    highest_ms: int = 0
    acceptances: int = 0
    """How often an operator has accepted the machine's clock. With an acceptance, time may go back."""
    monotonic_ms: int = 0
    """The reading of the monotonic clock at the highest time."""
    boot_id: str = ""
    """The boot of the machine since which that clock counts. Empty: unknown, so other processes cannot use it."""

    def at(self, now_ms: int, *, monotonic_ms: int, boot_id: str) -> "KeptTime":
        """What is to be stored after a commit at this time."""
        if now_ms < self.highest_ms + STEP_MS:
            return self
        return KeptTime(now_ms, self.acceptances, monotonic_ms if boot_id else 0, boot_id)

    def due_ms(self, *, monotonic_ms: int, boot_id: str) -> int:
        """The highest time plus what the monotonic clock has counted since, if it counts since the same boot."""
        if not boot_id or boot_id != self.boot_id:
            return self.highest_ms
        return self.highest_ms + max(0, monotonic_ms - self.monotonic_ms)


class TimeReading(msgspec.Struct, frozen=True):
    """The store's time as a process has read it last."""

    now_ms: int
    monotonic_ms: int
    behind_ms: int = 0
    """How far the machine's clock was behind, so that the monotonic clock was used. 0: it was not behind."""


def read_time(
    last: TimeReading | None, kept: KeptTime, *, wall_ms: int, monotonic_ms: int, boot_id: str
) -> TimeReading:
    """The store's time now: from the two clocks of the machine, the time that the file keeps, and the last reading."""
    floor_ms = kept.highest_ms
    due_ms = kept.due_ms(monotonic_ms=monotonic_ms, boot_id=boot_id)
    if last is not None:
        floor_ms = max(floor_ms, last.now_ms)
        due_ms = max(due_ms, last.now_ms + monotonic_ms - last.monotonic_ms)
    if wall_ms < due_ms - STEP_MS:
        return TimeReading(due_ms, monotonic_ms, due_ms - wall_ms)
    return TimeReading(max(wall_ms, floor_ms), monotonic_ms)
