"""The log lines of one attempt. Every line names the task, the execution and the attempt in its text."""

import logging
import time
from typing import TYPE_CHECKING, Final, Literal

from flowfabric.domain.outcomes import Claimed
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.ports.tracing import AttemptSpan

log = logging.getLogger("flowfabric.worker")

Outcome = Literal["success", "retry", "failed", "interrupted", "released", "suspended", "lost"]
"""How an attempt ended for its worker: the store's word for it, or `lost`, because its lease was over before.

`suspended`: the execution waits, and the attempt goes on later.
"""

_LEVELS: Final[dict[Outcome, int]] = {
    "success": logging.INFO,
    "retry": logging.WARNING,
    "failed": logging.ERROR,
    "interrupted": logging.ERROR,
    "released": logging.INFO,
    "suspended": logging.INFO,
    "lost": logging.INFO,  # cancelled executions end like this, too
}


class AttemptLog:
    """Writes the lines of one attempt: one when it starts, one when it ends, and few in between."""

    def __init__(self, claimed: Claimed) -> None:
        self._claimed = claimed
        self._started_at = time.monotonic()
        self._ended_at: float | None = None
        self.span: AttemptSpan | None = None
        """The span of the attempt; None: there is none."""
        self.frames_dropped = 0
        """How many frames that the code has written could not be stored, because the lease was over."""

    @property
    def facts(self) -> dict[str, object]:
        """What every record carries beside its text."""
        return {
            "task": self._claimed.kind,
            "execution_id": self._claimed.execution_id,
            "attempt_index": self._claimed.attempt_index,
            "fencing_token": self._claimed.lease.lease_epoch,
            "worker_instance_id": self._claimed.lease.worker_instance_id,
        }

    def started(self) -> None:
        """Say that the function is about to be called."""
        self._started_at = time.monotonic()
        if self._claimed.claim_type == "resume":
            self.say(logging.INFO, "goes on, because one of its waits is over")
        else:
            self.say(logging.DEBUG, "starts")

    def code_ended(self) -> None:
        """Note when the function has ended, for its duration. The report follows."""
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
        """Say how the attempt ended. `how` comes before its duration in the line, and `why` after it."""
        if self.span is not None:
            self.span.ended(outcome, cause)
        level = _LEVELS[outcome] if level is None else level
        if not log.isEnabledFor(level):
            return
        more: dict[str, object] = {}
        if self.frames_dropped:
            why += f"; {counted(self.frames_dropped, 'frame')} of its stream had to be dropped"
            more["frames_dropped"] = self.frames_dropped
        duration_s = (self._ended_at or time.monotonic()) - self._started_at
        self.say(
            level,
            f"{how} after {duration_s:.3f} s{why}",
            cause,
            trace,
            outcome=outcome,
            duration_ms=round(duration_s * 1000),
            **more,
        )

    def say(self, level: int, what: str, cause: str | None = None, trace: str = "", **more: object) -> None:
        """Write one line. The cause stands at its end, and a traceback follows below."""
        if not log.isEnabledFor(level):
            return
        extra = {**self.facts, **more}
        if cause is not None:
            what = f"{what}: {cause}"
            extra["cause"] = cause
        claimed = self._claimed
        # One line, even if the message of an exception has several. Attempts are counted from 1.
        args = (claimed.kind, claimed.execution_id, claimed.attempt_index + 1, " ".join(what.split()))
        record = log.makeRecord(log.name, level, __file__, 0, "%s %s attempt %d %s", args, None, extra=extra)
        if trace:
            # Every formatter puts this text below the line. The exception itself may be in another process.
            record.exc_text = trace.rstrip()
        log.handle(record)
