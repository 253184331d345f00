"""A slot that a block of code needs, and the desk to which an attempt turns for it."""

from typing import Protocol

import msgspec

from flowfabric.domain.outcomes import SlotTaken


class Slot(msgspec.Struct, frozen=True):
    """A slot of a limit that a block of code needs."""

    limit: str
    key: str
    block: int = 1
    """The number of the block among those that the attempt has entered on this key."""


class LimitDesk(Protocol):
    """Takes slots for the blocks of one attempt. `..._sync` is for threads that run no event loop."""

    async def take(self, slot: Slot) -> SlotTaken | None:
        """Take a slot. None: the limit has no room."""

    async def give(self, slot: Slot) -> None:
        """Give a slot back."""

    def take_sync(self, slot: Slot) -> SlotTaken | None:
        """The same as `take`."""

    def give_sync(self, slot: Slot) -> None:
        """The same as `give`."""


class Roomy:
    """The desk of a context without a worker, for unit tests: there is always room."""

    async def take(self, slot: Slot) -> SlotTaken | None:
        """Take it."""
        return self.take_sync(slot)

    async def give(self, slot: Slot) -> None:
        """Give it back."""

    def take_sync(self, slot: Slot) -> SlotTaken | None:
        """Take it."""
        return SlotTaken(slot.limit, slot.key, slot.block)

    def give_sync(self, slot: Slot) -> None:
        """Give it back."""
