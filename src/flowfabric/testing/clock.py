"""A clock that stands still until a test moves it."""

import threading

from flowfabric.domain.errors import InvalidInput


class ManualClock:
    """A clock that a test sets, in milliseconds since the epoch."""

    def __init__(self, start_ms: int = 1_700_000_000_000) -> None:
        self._lock = threading.Lock()
        self._now_ms = start_ms

    def advance(self, ms: int) -> None:
        """Move the clock forward. It cannot go back."""
        if ms < 0:
            raise InvalidInput(f"A ManualClock only moves forward; advance({ms}) would go back.")
        with self._lock:
            self._now_ms += ms

    @property
    def now_ms(self) -> int:
        """The instant that the clock shows."""
        return self._now_ms
