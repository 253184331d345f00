"""The blocks of one attempt that take part in limits: which of them share a slot, and when it is given back.

Blocks on the same key share one slot: the first that enters takes it, and the last that leaves gives it back. A block
that finds the limit full waits as `ctx.wait` does. The execution may then be claimed again with the slot of that block.
The code repeats what it did before, and passes the same blocks again: those on the same key use the slot, and keep it
for the block that waited. Without that, code with many blocks might never come as far as the last one.
"""

import asyncio
import logging
import threading
from collections import defaultdict
from typing import Protocol

from flowfabric.domain.errors import EngineError
from flowfabric.domain.outcomes import SlotTaken
from flowfabric.runtime.limit_desk import LimitDesk, Slot
from flowfabric.runtime.steps import Steps
from flowfabric.runtime.wait_desk import Wait
from flowfabric.runtime.waits import Waits

log = logging.getLogger("flowfabric.worker")

BlockKey = tuple[str, str]
"""The name of a limit, and a key."""


class _Attempt(Protocol):
    """The parts of a context that are needed here."""

    @property
    def limit_desk(self) -> LimitDesk:
        """Takes slots."""

    @property
    def waits(self) -> Waits:
        """The waits of the attempt."""

    steps: Steps

    @property
    def must_stop(self) -> bool:
        """Whether the attempt is to stop, or is suspended: whatever it holds ends with its lease."""


class _Key:
    """The blocks on one key."""

    def __init__(self) -> None:
        self.entered = 0
        """How many blocks have had the slot, one after another. Blocks that share it count once."""
        self.inside = 0
        """How many blocks share the slot now."""
        self.taken: SlotTaken | None = None
        """The slot. None: it is not held."""
        self.lock = asyncio.Lock()
        self.thread_lock = threading.Lock()

    def enter(self) -> None:
        self.entered += self.inside == 0
        self.inside += 1

    def leave(self) -> bool:
        """Count a block less. True: the slot is not needed any more."""
        self.inside -= 1
        if self.inside or self.taken is None or self.taken.is_named or self.entered < self.taken.block:
            return False
        self.taken = None
        return True


class Blocks:
    """The blocks of one attempt."""

    def __init__(self, attempt: _Attempt) -> None:
        self._attempt = attempt
        self._keys: defaultdict[BlockKey, _Key] = defaultdict(_Key)

    async def enter(self, at: BlockKey) -> None:
        """Take a slot for a block, or wait for one. Raises AttemptSuspended if the execution is parked meanwhile."""
        key = self._keys[at]
        async with key.lock:
            if key.taken is None:
                key.taken = await self._taken(Slot(*at, key.entered + 1))
            key.enter()

    async def _taken(self, slot: Slot) -> SlotTaken:
        try:
            async with self._attempt.steps.standstill.running():
                taken = await self._attempt.limit_desk.take(slot)
            if taken is None:
                await self._attempt.waits.wait(_wait_for(slot))
                taken = SlotTaken(slot.limit, slot.key, slot.block)
        except asyncio.CancelledError:
            await self._give(slot)  # it may have been taken in the last moment
            raise
        return taken

    async def leave(self, at: BlockKey) -> None:
        """Give the slot back, unless another block needs it."""
        if self._keys[at].leave():
            await self._give(Slot(*at))

    async def _give(self, slot: Slot) -> None:
        if self._attempt.must_stop:
            return
        try:
            async with self._attempt.steps.standstill.running():
                await self._attempt.limit_desk.give(slot)
        except EngineError as error:
            _note_kept(slot, error)

    def enter_sync(self, at: BlockKey) -> None:
        """`enter` for a thread that runs no event loop."""
        key = self._keys[at]
        with key.thread_lock:
            if key.taken is None:
                slot = Slot(*at, key.entered + 1)
                with self._attempt.steps.standstill.running_sync():
                    key.taken = self._attempt.limit_desk.take_sync(slot)
                if key.taken is None:
                    self._attempt.waits.wait_sync(_wait_for(slot))
                    key.taken = SlotTaken(slot.limit, slot.key, slot.block)
            key.enter()

    def leave_sync(self, at: BlockKey) -> None:
        """`leave` for a thread that runs no event loop."""
        with self._keys[at].thread_lock:
            must_give = self._keys[at].leave()
        if not must_give or self._attempt.must_stop:
            return
        try:
            with self._attempt.steps.standstill.running_sync():
                self._attempt.limit_desk.give_sync(Slot(*at))
        except EngineError as error:
            _note_kept(Slot(*at), error)


def _wait_for(slot: Slot) -> Wait:
    # No wait of a task can have such a name.
    return Wait(f"\0limit {slot.limit}[{slot.key}]", "", slot=slot)


def _note_kept(slot: Slot, error: EngineError) -> None:
    """The slot could not be given back. It ends with the lease."""
    log.debug("a slot of limit %r is kept until the attempt ends: %s", slot.limit, error)
