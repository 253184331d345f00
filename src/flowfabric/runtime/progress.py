"""Progress reports of an attempt: the newest one is stored, and reports that come too fast are dropped."""

import asyncio
import logging
from collections.abc import Callable

from flowfabric.domain.errors import EngineError, NotFound, Refused
from flowfabric.domain.lease import Lease
from flowfabric.runtime.attempt_log import AttemptLog
from flowfabric.runtime.services import WorkerServices


class ProgressReports:
    """Sends the reports of one attempt, one at a time."""

    def __init__(
        self, lease: Lease, services: WorkerServices, log: AttemptLog, on_lease_over: Callable[[str], None]
    ) -> None:
        self._lease = lease
        self._services = services
        self._log = log
        self._on_lease_over = on_lease_over
        self._newest: tuple[int | None, str | None] | None = None
        self._is_sending = False
        self._is_over = False

    def note(self, percent: int | None, message: str | None) -> None:
        """Send this report as soon as the one before it was stored, unless a newer one has come by then."""
        self._newest = (percent, message)
        if not self._is_sending:
            self._services.tasks.start(self._send())

    async def finish(self) -> None:
        """Send the last report before the end of the attempt is reported, and none after that."""
        self._is_over = True
        await self.flush()

    async def flush(self) -> None:
        """Send the newest report before the next command of the attempt."""
        if self._newest is not None:
            # One turn of the loop is enough to send it, and the commands of one execution keep their order.
            self._services.tasks.start(self._send())
            await asyncio.sleep(0)

    async def _send(self) -> None:
        self._is_sending = True
        try:
            while self._newest is not None:
                (percent, message), self._newest = self._newest, None
                await self._services.engine.progress(self._lease, percent=percent, message=message)
        except (Refused, NotFound) as refusal:
            if not self._is_over:
                self._on_lease_over(refusal.code)
        except EngineError as error:
            self._log.say(logging.INFO, "reported progress that could not be stored", str(error))
        finally:
            self._is_sending = False
