"""The time."""

from typing import Protocol


class Clock(Protocol):
    """A source of time: a store, or a test."""

    @property
    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
