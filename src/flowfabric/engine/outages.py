"""When the store goes away, the log says so once; when it is back, the log says so once more. All parts report here."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

log = logging.getLogger("flowfabric.engine")

BEGIN: Final = "begin"
"""A transaction could not be opened."""
WRITE: Final = "write"
"""A transaction could not be written or committed. Only a commit ends this failure: a full disk can be read."""
READ: Final = "read"
"""A read failed. Any success ends this failure: this process may never read in the same way again."""


class Outages:
    """Notes which uses of a store fail, until all of them work again."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._failing: set[str] = set()
        self._since = 0.0
        self._cause = ""

    def noticed(self, what: str, error: Exception) -> None:
        """A use of the store has failed, and will be tried again."""
        with self._lock:
            is_first = not self._failing
            self._failing.add(what)
            if not is_first:
                return
            self._since, self._cause = self._monotonic(), " ".join(str(error).split())
        log.warning(
            "the store is away, and is asked again until it answers: %s", self._cause, extra={"cause": self._cause}
        )

    def over(self, what: str) -> None:
        """A use of the store works, so everything that it needs works, too: a commit needs all, all need reads."""
        if not self._failing:  # nearly always so, and checked after each commit and each read
            return
        with self._lock:
            was_failing, self._failing = self._failing, set() if what == WRITE else self._failing - {what, READ}
            if self._failing or not was_failing:
                return
            away_s, cause = self._monotonic() - self._since, self._cause
        log.warning(
            "the store is back after %.1f s; it was away because of this: %s",
            away_s,
            cause,
            extra={"cause": cause, "duration_ms": round(away_s * 1000)},
        )
