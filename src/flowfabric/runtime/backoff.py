"""Pauses between tries while a store is unavailable: each is longer than the one before, and all have jitter."""

from random import SystemRandom
from typing import Final

FIRST_S: Final = 0.1
MAX_S: Final = 5.0


class Backoff:
    """Pauses that double up to a limit. Jitter keeps workers from trying again all at the same moment."""

    def __init__(self) -> None:
        self._pause_s = FIRST_S

    def next_s(self) -> float:
        """The next pause."""
        pause_s, self._pause_s = self._pause_s, min(self._pause_s * 2, MAX_S)
        return pause_s * SystemRandom().uniform(0.5, 1.0)

    def reset(self) -> None:
        """Start again with the shortest pause."""
        self._pause_s = FIRST_S
