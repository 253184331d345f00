"""What the log says of one attempt. Every line names the task, the execution and the attempt in its own text."""

import logging
import time
from typing import Final, Literal

from flowfabric.domain.outcomes import Claimed

log = logging.getLogger("flowfabric.worker")

Outcome = Literal["success", "retry", "failed", "interrupted", "released", "lost"]
"""How an attempt ended for its worker: as the store calls it, or lost, because its lease was over before."""

_LEVELS: Final[dict[Outcome, int]] = {
    "success": logging.INFO,
    "retry": logging.WARNING,
    "failed": logging.ERROR,
    "interrupted": logging.ERROR,
    "released": logging.INFO,
    "lost": logging.INFO,  # what somebody has cancelled ends like that, too
}


class AttemptLog:
    """Writes the lines of one attempt: one when it starts, one when it ends, and few in between."""

    def __init__(self, claimed: Claimed) -> None:
        self._claimed = claimed
        self._started_at = time.monotonic()
        self._ended_at: float | None = None

    @property
    def facts(self) -> dict[str, object]:
        """What every record carries beside its text."""
        return {
            "task": self._claimed.kind,
            "execution_id": self._claimed.execution_id,
            "attempt_index": self._claimed.attempt_index,
            "fencing_token": self._claimed.lease.lease_epoch,
        }

    def started(self) -> None:
        """Its function is about to be called."""
        self._started_at = time.monotonic()
        self.say(logging.DEBUG, "starts")

    def code_ended(self) -> None:
        """Its function has ended, well or not; what is left is the report."""
        self._ended_at = time.monotonic()

    def ended(
        self,
        outcome: Outcome,
        how: str,
        why: str = "",
        *,
        cause: str | None = None,
        trace: str = "",
        level: int | None = None,
    ) -> None:
        """It is over and reported. `how` it ended comes before its duration, and `why` after it."""
        level = _LEVELS[outcome] if level is None else level
        if not log.isEnabledFor(level):
            return
        duration_s = (self._ended_at or time.monotonic()) - self._started_at
        self.say(
            level,
            f"{how} after {duration_s:.3f} s{why}",
            cause,
            trace,
            outcome=outcome,
            duration_ms=round(duration_s * 1000),
        )

    def say(self, level: int, what: str, cause: str | None = None, trace: str = "", **more: object) -> None:
        """One line; the cause ends it, and a traceback follows it."""
        if not log.isEnabledFor(level):
            return
        extra = {**self.facts, **more}
        if cause is not None:
            what = f"{what}: {cause}"
            extra["cause"] = cause
        claimed = self._claimed
        # One line, whatever the message of an exception looks like; and people count from 1.
        args = (claimed.kind, claimed.execution_id, claimed.attempt_index + 1, " ".join(what.split()))
        record = log.makeRecord(log.name, level, __file__, 0, "%s %s attempt %d %s", args, None, extra=extra)
        if trace:
            # What every formatter puts below the line; the exception itself may be in another process.
            record.exc_text = trace.rstrip()
        log.handle(record)
