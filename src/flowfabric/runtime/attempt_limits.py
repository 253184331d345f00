"""The slots of an attempt's blocks, taken from the engine by the worker that runs it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Protocol, TypeVar

from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import AlreadySatisfied, LimitFull, Parked, SlotTaken
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.limit_desk import Slot

T = TypeVar("T")

APART_S: Final = 0.01
"""The least time between two tries to take a slot: others may have been faster."""


class Holder(Protocol):
    """The parts of an attempt that are needed here."""

    @property
    def lease(self) -> Lease:
        """The lease under which the attempt runs."""

    async def sent(self, send: Callable[[WorkerEngine], Awaitable[T]]) -> T:
        """The answer to a command of the code, which carries what it has said. Without a lease the attempt stops."""

    def in_worker(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the worker's loop run the coroutine, and wait for it in this thread."""


class AttemptLimits:
    """The limit desk of an attempt. The commands may be sent again when an answer is lost: they count once."""

    def __init__(self, engine: WorkerEngine, holder: Holder) -> None:
        self._engine = engine
        self._holder = holder

    async def take(self, slot: Slot) -> SlotTaken | None:
        """Take a slot."""
        answer = await self._sent(slot, park=False)
        return answer if isinstance(answer, SlotTaken) else None

    async def take_within(self, slot: Slot, timeout_s: float) -> SlotTaken | None:
        """Take a slot as soon as there is one. None: the time is over, or the lease is."""
        lease = self._holder.lease
        give_up_at = time.monotonic() + timeout_s
        while (left_s := give_up_at - time.monotonic()) > 0:
            timeout_ms = int(left_s * 1000)
            if not await self._engine.wait_for_slot(lease, slot.limit, slot.key, timeout_ms=timeout_ms):
                return None
            if (taken := await self.take(slot)) is not None:
                return taken
            await asyncio.sleep(APART_S)
        return None

    async def take_or_park(self, slot: Slot) -> SlotTaken | Parked | AlreadySatisfied:
        """Take a slot, or give up the lease until there is one."""
        answer = await self._sent(slot, park=True)
        assert not isinstance(answer, LimitFull)
        return answer

    async def give(self, slot: Slot) -> None:
        """Give a slot back."""
        lease = self._holder.lease
        await self._holder.sent(lambda engine: engine.give_slot(lease, slot.limit, slot.key))

    def take_sync(self, slot: Slot) -> SlotTaken | None:
        """`take` for a thread that runs no event loop."""
        return self._holder.in_worker(self.take(slot))

    def give_sync(self, slot: Slot) -> None:
        """`give` for a thread that runs no event loop."""
        self._holder.in_worker(self.give(slot))

    async def _sent(self, slot: Slot, *, park: bool) -> SlotTaken | LimitFull | Parked | AlreadySatisfied:
        lease = self._holder.lease
        return await self._holder.sent(
            lambda engine: engine.take_slot(lease, slot.limit, slot.key, block=slot.block, park=park)
        )
