"""A timing by an interval. Schedules and the periods of budgets have it, or a cron pattern instead."""

import msgspec


class Every(msgspec.Struct, frozen=True, tag=True):
    """Fires at the anchor, and at every multiple of the interval before and after it."""

    interval_ms: int
    anchor_ms: int = 0

    def next_after(self, at_ms: int) -> int:
        """The first slot after an instant."""
        return self.anchor_ms + ((at_ms - self.anchor_ms) // self.interval_ms + 1) * self.interval_ms

    def latest(self, after_ms: int, until_ms: int) -> int | None:
        """The last slot that is later than `after_ms` and not later than `until_ms`. None: there is none."""
        slot = self.anchor_ms + (until_ms - self.anchor_ms) // self.interval_ms * self.interval_ms
        return slot if slot > after_ms else None
