"""The time of a database file: this machine's clock, as long as nobody sets it back."""

import logging
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from flowfabric.domain.passing_time import KeptTime, TimeReading, read_time

log = logging.getLogger("flowfabric.stores.sqlite")

KEPT: Final = "clock"
"""The name under which ff_meta keeps the highest time."""


class Machine(Protocol):
    """The two clocks of a machine."""

    @property
    def wall_ms(self) -> int:
        """Milliseconds since the epoch, by the clock that can be set."""

    @property
    def monotonic_ms(self) -> int:
        """Milliseconds since some moment, by the clock that never goes back."""

    @property
    def boot_id(self) -> str:
        """The name of that moment, if all processes of the machine count from the same one; otherwise empty."""


class ThisMachine:
    """The machine on which this process runs."""

    @property
    def wall_ms(self) -> int:
        """By the clock that can be set."""
        return time.time_ns() // 1_000_000

    @property
    def monotonic_ms(self) -> int:
        """By the clock that never goes back."""
        return time.monotonic_ns() // 1_000_000

    @property
    def boot_id(self) -> str:
        """Known on Linux, which has one monotonic clock for all processes. Empty on other systems."""
        return _boot_id()


@cache
def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


class StoreTime:
    """The time for one engine on one file. Engines of other processes share it through the time that the file keeps."""

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or ThisMachine()
        self._lock = threading.Lock()
        self._kept = KeptTime()
        self._has_learnt = False
        self._last: TimeReading | None = None

    @property
    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        with self._lock:
            before = self._last
            now = self._last = read_time(
                before,
                self._kept,
                wall_ms=self._machine.wall_ms,
                monotonic_ms=self._machine.monotonic_ms,
                boot_id=self._machine.boot_id,
            )
        was_behind = before is not None and before.behind_ms > 0
        if now.behind_ms and not was_behind:
            log.warning(
                "the clock of this machine is %.1f s behind the time of the database, because it was set back, or was "
                "ahead before. Time goes on from there without it. Set the clock right; if it is right now, run "
                "`ff clock accept`.",
                now.behind_ms / 1000,
            )
        elif was_behind and not now.behind_ms:
            log.info("the clock of this machine is the time of the database again")
        return now.now_ms

    def learn(self, kept: KeptTime) -> None:
        """Note the time that the file keeps."""
        with self._lock:
            # The first read finds acceptances of long ago, which are no news.
            was_accepted = self._has_learnt and kept.acceptances != self._kept.acceptances
            self._has_learnt = True
            if was_accepted:
                self._last = None
            self._kept = kept
        if was_accepted:
            log.info("an operator has accepted the clock of the machine: it is the time of the database again")

    def to_keep(self, now_ms: int) -> KeptTime | None:
        """The time that the file must keep after a commit at this time; None: the file keeps it already."""
        after = self._kept.at(now_ms, monotonic_ms=self._machine.monotonic_ms, boot_id=self._machine.boot_id)
        return None if after is self._kept else after

    def accepted(self) -> KeptTime:
        """The time that the file keeps once an operator has accepted the machine's clock."""
        machine = self._machine
        return KeptTime(acceptances=self._kept.acceptances + 1).at(
            machine.wall_ms, monotonic_ms=machine.monotonic_ms, boot_id=machine.boot_id
        )


def kept_in(found: Sequence[Sequence[Any]]) -> KeptTime:
    """The time that the file keeps, from the row that was found, if any."""
    if not found:
        return KeptTime()
    try:
        return msgspec.json.decode(found[0][0], type=KeptTime)
    except msgspec.DecodeError as error:
        log.error(
            "ff_meta: %r does not parse (%s). The highest time is forgotten; the next commit keeps it.", KEPT, error
        )
        return KeptTime()


def as_kept(kept: KeptTime) -> tuple[str, str]:
    """The row for ff_meta."""
    return KEPT, msgspec.json.encode(kept).decode()
