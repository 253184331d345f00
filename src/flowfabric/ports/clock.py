"""Who knows the time."""

from typing import Protocol


class Clock(Protocol):
    """Whoever knows what time it is: the store, or a test."""

    @property
    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
