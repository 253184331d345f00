"""What an attempt spends and reserves, sent to the engine by the worker that runs it."""

import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Renewed, Reserved, Spent
from flowfabric.runtime.budget_desk import Reservation, Spend
from flowfabric.runtime.engines import WorkerEngine

T = TypeVar("T")


class _Holder(Protocol):
    """The parts of an attempt that are needed here."""

    @property
    def lease(self) -> Lease:
        """The lease under which the attempt runs."""

    def pause(self) -> None:
        """Stop at the next step."""

    def lose(self, code: str) -> None:
        """Stop, because the lease is over."""

    async def sent(self, send: Callable[[WorkerEngine], Awaitable[T]]) -> T:
        """The answer to a command of the code, which carries what it has said. Without a lease the attempt stops."""

    async def patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send again while the store is unavailable."""

    def in_worker(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the worker's loop run the coroutine, and wait for it in this thread."""


class AttemptBudgets:
    """The budget desk of an attempt."""

    def __init__(self, engine: WorkerEngine, holder: _Holder) -> None:
        self._engine = engine
        self._holder = holder

    async def spend(self, spend: Spend) -> Spent:
        """Charge a budget. If it is exceeded, ask at once whether the attempt is to pause, or has lost its lease."""
        lease = self._holder.lease
        # The command may be sent again when its answer is lost. Under its own id it still counts once.
        command_id = secrets.token_hex(16)
        spent = await self._holder.sent(
            lambda engine: engine.spend(
                lease, spend.budget, spend.amounts, idempotency_key=spend.idempotency_key, command_id=command_id
            )
        )
        if spent.exceeded:
            (answer,) = await self._holder.patiently(lambda: self._engine.renew_all([lease]))
            if not isinstance(answer, Renewed):
                self._holder.lose(answer.code)
            if not isinstance(answer, Renewed) or answer.pause:
                self._holder.pause()
        return spent

    async def reserve(self, reservation: Reservation) -> Reserved:
        """Reserve a part of a budget."""
        lease, command_id = self._holder.lease, secrets.token_hex(16)
        return await self._holder.sent(
            lambda engine: engine.reserve(lease, reservation.budget, reservation.amounts, command_id=command_id)
        )

    def spend_sync(self, spend: Spend) -> Spent:
        """`spend` for a thread that runs no event loop."""
        return self._holder.in_worker(self.spend(spend))

    def reserve_sync(self, reservation: Reservation) -> Reserved:
        """`reserve` for a thread that runs no event loop."""
        return self._holder.in_worker(self.reserve(reservation))
