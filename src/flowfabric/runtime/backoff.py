"""How long to wait before asking a store again that is away: longer each time, and never all at once."""

import random
from typing import Final

FIRST_S: Final = 0.1
MAX_S: Final = 5.0


class Backoff:
    """Pauses that double up to a limit, each with jitter, so that workers do not come back in step."""

    def __init__(self) -> None:
        self._pause_s = FIRST_S

    def next_s(self) -> float:
        """The next pause."""
        pause_s, self._pause_s = self._pause_s, min(self._pause_s * 2, MAX_S)
        return pause_s * random.uniform(0.5, 1.0)

    def reset(self) -> None:
        """All is well again."""
        self._pause_s = FIRST_S
