"""What ends well in the same turn of the event loop is reported in one call."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from flowfabric.domain.errors import EngineError
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Completed
from flowfabric.ports import WorkerEngine
from flowfabric.runtime.background import in_background

log = logging.getLogger("flowfabric.worker")


class Reporting(Protocol):
    """An attempt whose code has ended well."""

    @property
    def lease(self) -> Lease:
        """The lease under which it ran."""

    def was_reported(self) -> None:
        """Its end is committed."""


A = TypeVar("A", bound=Reporting)


class Reports(Generic[A]):
    """Completes what has ended. Whatever is not simply taken goes back to its attempt, which knows what to do."""

    def __init__(
        self, engine: WorkerEngine, on_reported: Callable[[], None], report_alone: Callable[[A, bytes | None], None]
    ) -> None:
        self._engine = engine
        self._on_reported = on_reported
        self._report_alone = report_alone
        self._gathered: list[tuple[A, bytes | None]] = []
        self.pending = 0
        """How many ends are not confirmed yet."""

    def complete(self, attempt: A, result: bytes | None) -> None:
        """Report that the attempt ended with this result, with whatever else ends in this turn."""
        self.pending += 1
        if not self._gathered:
            asyncio.get_running_loop().call_soon(self._send)
        self._gathered.append((attempt, result))

    def drop(self) -> None:
        """Report nothing that is not on its way yet."""
        self.pending -= len(self._gathered)
        self._gathered.clear()

    def _send(self) -> None:
        if self._gathered:
            gathered, self._gathered = self._gathered, []
            in_background(self._report(gathered))

    async def _report(self, gathered: Sequence[tuple[A, bytes | None]]) -> None:
        answers: Sequence[Completed | EngineError | None]
        try:
            answers = await self._engine.complete_all([(attempt.lease, result) for attempt, result in gathered])
        except EngineError as error:
            log.info("completions could not be sent together: %s", error)
            answers = [None] * len(gathered)
        finally:
            self.pending -= len(gathered)
        for (attempt, result), answer in zip(gathered, answers, strict=True):
            if isinstance(answer, Completed):
                attempt.was_reported()
            else:
                self._report_alone(attempt, result)
        self._on_reported()
