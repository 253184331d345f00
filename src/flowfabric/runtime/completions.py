"""What ends well in the same turn of the event loop is reported in one call."""

import asyncio
import logging
from collections.abc import Sequence

from flowfabric.domain.errors import EngineError
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Completed
from flowfabric.runtime.background import Background
from flowfabric.runtime.engines import WorkerEngine

log = logging.getLogger("flowfabric.worker")

Report = tuple[Lease, bytes | None, "asyncio.Future[bool]"]
"""Which lease ended, with what result, and who waits to hear whether that was taken."""


class CompletionBatcher:
    """Completes what has ended."""

    def __init__(self, engine: WorkerEngine, background: Background) -> None:
        self._engine = engine
        self._background = background
        self._gathered: list[Report] = []

    def complete(self, lease: Lease, result: bytes | None) -> "asyncio.Future[bool]":
        """Report an end with this result, together with all that ends in this turn. False: report it alone."""
        loop = asyncio.get_running_loop()
        if not self._gathered:
            loop.call_soon(self._send)
        is_taken: asyncio.Future[bool] = loop.create_future()
        self._gathered.append((lease, result, is_taken))
        return is_taken

    def drop(self) -> None:
        """Report nothing that is not on its way yet, and cancel those who wait for it."""
        for _, _, is_taken in self._gathered:
            is_taken.cancel()
        self._gathered.clear()

    def _send(self) -> None:
        if self._gathered:
            gathered, self._gathered = self._gathered, []
            self._background.start(self._report(gathered))

    async def _report(self, gathered: Sequence[Report]) -> None:
        answers: Sequence[Completed | EngineError] = ()
        try:
            answers = await self._engine.complete_all([(lease, result) for lease, result, _ in gathered])
        except EngineError as error:
            log.info("completions could not be sent together: %s", error)
        except Exception:
            log.warning("completions could not be sent together, so each is sent alone", exc_info=True)
        finally:
            # Everyone hears something, whatever was answered: who waits here keeps its lease for as long as it waits.
            for place, (_, _, is_taken) in enumerate(gathered):
                if not is_taken.done():
                    is_taken.set_result(place < len(answers) and isinstance(answers[place], Completed))
