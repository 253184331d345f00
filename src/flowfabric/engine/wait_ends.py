"""The ends of waits that this process has committed, for workers that would otherwise have to read them.

An end is handed out once. A worker that asks again, or that asks for an end which is not here, asks the store.
"""

import threading
from collections.abc import Iterable
from typing import Final

from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import Fence
from flowfabric.domain.news import WaitEnd
from flowfabric.domain.outcomes import WaitOver
from flowfabric.domain.remembered_answers import unpack_wait_over
from flowfabric.domain.waiting import wait_fingerprint

ENDS_MAX: Final = 1_000
BYTES_MAX: Final = 4 * 1024 * 1024
"""How many ends are kept at most, and how large they are together. The oldest ones go first."""


class WaitEnds:
    """Ends of waits under leases of this process, as long as nobody has asked for them. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: dict[ExecutionId, dict[str, WaitEnd]] = {}
        self._count = 0
        self._bytes = 0

    def learn(self, ends: Iterable[WaitEnd]) -> None:
        """Keep these ends."""
        with self._lock:
            for end in ends:
                of_one = self._ends.setdefault(end.execution_id, {})
                self._drop(of_one.pop(end.name, None))
                of_one[end.name] = end
                self._count += 1
                self._bytes += len(end.result)
            while self._count > ENDS_MAX or self._bytes > BYTES_MAX:
                self._forget(next(iter(self._ends)))

    def forget(self, execution_ids: Iterable[str]) -> None:
        """Drop the ends of executions whose leases are over."""
        if not self._ends:
            return
        with self._lock:
            for execution_id in execution_ids:
                self._forget(ExecutionId(execution_id))

    def watched(self, fence: Fence, name: str, scope: str | None) -> WaitOver | None:
        """The end of a wait that a worker watches. None: it is not known here."""
        return self._taken(fence, name, scope)

    def asked(self, fence: Fence, name: str, condition: str, scope: str | None) -> WaitOver | None:
        """The end of a wait that a worker begins again, if nothing is to be written because the worker asks."""
        if fence.execution_id not in self._ends:
            return None
        return self._taken(fence, name, scope, wait_fingerprint(condition))

    def _taken(self, fence: Fence, name: str, scope: str | None, fingerprint: bytes | None = None) -> WaitOver | None:
        if fence.execution_id not in self._ends:
            return None
        with self._lock:
            of_one = self._ends.get(fence.execution_id, {})
            end = of_one.get(name)
            if end is None or end.lease_epoch != fence.lease_epoch or scope not in (None, end.namespace):
                return None
            if fingerprint is not None and (end.is_unanswered or end.fingerprint != fingerprint):
                return None
            self._drop(of_one.pop(name))
            if not of_one:
                del self._ends[fence.execution_id]
        return unpack_wait_over(end.result)

    def _forget(self, execution_id: ExecutionId) -> None:
        for end in self._ends.pop(execution_id, {}).values():
            self._drop(end)

    def _drop(self, end: WaitEnd | None) -> None:
        if end is not None:
            self._count -= 1
            self._bytes -= len(end.result)
