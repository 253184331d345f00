"""The waits of an attempt, sent to the engine by the worker that runs it.

A wait is for a signal, for a time, or for a slot of a limit. What it waits for decides which command is sent.
"""

from typing import Final

import msgspec

from flowfabric.domain.conditions import from_stored
from flowfabric.domain.outcomes import AlreadySatisfied, Parked, SlotTaken, Suspended, WaitOver, Waitpoint
from flowfabric.runtime.attempt_limits import AttemptLimits, Holder
from flowfabric.runtime.codecs import Codec
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.wait_desk import NewWaitpoint, Wait
from flowfabric.runtime.wait_payloads import decoded_signals

TAKEN: Final = WaitOver((), "signal")
"""The end of a wait for a slot."""


class AttemptWaits:
    """Sends the waits of one attempt."""

    def __init__(self, engine: WorkerEngine, codec: Codec, holder: Holder) -> None:
        self._engine = engine
        self._codec = codec
        self._holder = holder
        self._limits = AttemptLimits(engine, holder)

    async def open(self, wait: Wait) -> WaitOver | None:
        """Open a wait, and keep the lease."""
        if wait.slot is not None:
            return None if await self._limits.take(wait.slot) is None else TAKEN
        lease = self._holder.lease
        answer = await self._holder.sent(
            lambda engine: engine.open_wait(
                lease,
                wait.name,
                from_stored(wait.condition),
                timeout_ms=wait.timeout_ms,
                timeout_at_ms=wait.timeout_at_ms,
                on_timeout=wait.on_timeout,
                reason=wait.reason,
            )
        )
        return decoded_signals(self._codec, answer) if isinstance(answer, WaitOver) else None

    async def watch(self, wait: Wait, timeout_s: float) -> WaitOver | None:
        """Wait until a wait is over, while the lease is kept."""
        if wait.slot is not None:
            return None if await self._limits.take_within(wait.slot, timeout_s) is None else TAKEN
        over = await self._engine.wait_for_wait(self._holder.lease, wait.name, timeout_ms=int(timeout_s * 1000))
        return None if over is None else decoded_signals(self._codec, over)

    async def suspend(self, wait: Wait) -> Suspended | Parked | WaitOver | AlreadySatisfied:
        """Give up the lease until the wait is over, unless it is over."""
        if wait.slot is not None:
            parked = await self._limits.take_or_park(wait.slot)
            return TAKEN if isinstance(parked, SlotTaken) else parked
        lease = self._holder.lease
        answer = await self._holder.sent(
            lambda engine: engine.suspend(
                lease,
                wait.name,
                from_stored(wait.condition),
                timeout_ms=wait.timeout_ms,
                timeout_at_ms=wait.timeout_at_ms,
                on_timeout=wait.on_timeout,
                reason=wait.reason,
            )
        )
        return decoded_signals(self._codec, answer) if isinstance(answer, WaitOver) else answer

    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """Make a waitpoint."""
        lease = self._holder.lease
        about = None if waitpoint.about is None else msgspec.json.decode(waitpoint.about)
        return await self._holder.sent(
            lambda engine: engine.create_waitpoint(
                lease, waitpoint.key, expires_in_ms=waitpoint.expires_in_ms, about=about, alias=waitpoint.alias
            )
        )
