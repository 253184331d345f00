"""The engine's methods for waiting: waitpoints, waits, signals, and the tokens and secrets of strangers."""

import time

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import WaitOver
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.engine.scope import Scoped
from flowfabric.engine.wakeups import waits_of


class WaitingMethods(Scoped):
    """The engine's methods for waiting."""

    async def wait_for_wait(self, lease: Lease, name: str, *, timeout_ms: int) -> WaitOver | None:
        """Wait, under a lease, until the wait of this name is over, and return its end. The lease is not given up.

        None: the time is over, or the lease is. A commit of this process, a report of another process's commit, or
        the poll of this process ends the wait. This is a read: the engine does not learn that the worker knows the
        end. If a later `suspend` answers AlreadySatisfied("another_wait_is_over"), call `open_wait` once more for each
        wait whose end came from here, and then suspend.
        """
        fence, name = inputs.fence(lease), inputs.name("name", name)
        timeout_s = inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX) / 1000
        give_up_at = time.monotonic() + timeout_s
        bell = self._shell.bell()
        with self._services.wakeups.listening(waits_of(fence.execution_id), bell.ring):
            while True:
                x, over = await self._wait_in(fence.execution_id, name, until=give_up_at)
                if over is not None or x is None or x.lease_epoch != fence.lease_epoch or x.lifecycle_phase != "active":
                    return over
                left_s = give_up_at - time.monotonic()
                if left_s <= 0:
                    return None
                await self._wait_for_news(bell, left_s)

    async def _wait_in(
        self, execution_id: ExecutionId, name: str, *, until: float | None = None
    ) -> tuple[Execution | None, WaitOver | None]:
        """The execution, and the end of its wait of this name, if that is over."""
        x, step = await self._shell.read(lambda: self._store.step(execution_id, name), until=until)
        if x is None or self._scope not in (None, x.namespace):
            return None, None
        return x, None if step is None or not step.is_wait else msgspec.msgpack.decode(step.result, type=WaitOver)
