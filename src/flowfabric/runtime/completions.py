"""Completions of the same turn of the event loop are reported to the engine in one call."""

import asyncio
import logging
from collections.abc import Sequence
from typing import NamedTuple

from flowfabric.domain.errors import EngineError, InvalidInput
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Completed
from flowfabric.runtime.engines import WorkerEngine

log = logging.getLogger("flowfabric.worker")


Completion = tuple[Lease, bytes | None]
"""The lease of an execution that is completed, and its result."""


class _Report(NamedTuple):
    lease: Lease
    result: bytes | None
    answer: "asyncio.Future[Completed | EngineError | None]"
    """None: the answer is unknown, so the report is sent again, alone."""


class CompletionBatcher:
    """Completes executions, many in one call."""

    def __init__(self, engine: WorkerEngine) -> None:
        self._engine = engine
        self._gathered: list[_Report] = []

    async def report(self, lease: Lease, result: bytes | None) -> Completed:
        """Complete the execution. Returns when the completion is committed; raises what `engine.complete` raises."""
        report = _Report(lease, result, asyncio.get_running_loop().create_future())
        self._gathered.append(report)
        if len(self._gathered) == 1:  # the first report sends all that come in the same turn of the loop
            await self._send()
        answer = await report.answer
        if answer is None or isinstance(answer, InvalidInput):  # its message would name a place in the batch
            return await self._engine.complete(lease, result)
        if isinstance(answer, EngineError):
            raise answer
        return answer

    def drop(self) -> None:
        """Drop all reports that are not sent yet, and cancel the callers that wait for them."""
        for report in self._gathered:
            report.answer.cancel()
        self._gathered.clear()

    async def report_all(self, ended: Sequence[Completion]) -> list[Completed | EngineError | None]:
        """Complete executions in one call, and return what is known of each. None: nothing is known."""
        answers: list[Completed | EngineError] = []
        try:
            answers = await self._engine.complete_all(ended)
        except EngineError as error:
            log.info("completions could not be sent together: %s", error)
        except Exception:
            log.warning("completions could not be sent together, so each is sent alone", exc_info=True)
        return [*answers, *[None] * (len(ended) - len(answers))]

    async def _send(self) -> None:
        gathered = self._gathered
        answers: Sequence[Completed | EngineError | None] = ()
        try:
            await asyncio.sleep(0)
            self._gathered = []
            if gathered:
                answers = await self.report_all([(each.lease, each.result) for each in gathered])
        finally:
            if self._gathered is gathered:  # the sender was cancelled before its turn came
                self._gathered = []
            # Every caller gets an answer, even if the sender was cancelled: a caller that waits here keeps its lease.
            for place, each in enumerate(gathered):
                if not each.answer.done():
                    each.answer.set_result(answers[place] if place < len(answers) else None)
