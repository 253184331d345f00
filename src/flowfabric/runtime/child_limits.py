"""The slots of an attempt in a child process: it asks the parent."""

from collections.abc import Callable
from typing import Protocol

from flowfabric.domain.outcomes import SlotTaken
from flowfabric.runtime.limit_desk import Slot
from flowfabric.runtime.messages import Answer, AskSlot, Question, Speaker


class _Asks(Protocol):
    """Asks the parent."""

    async def answer(self, question: Callable[[int], Question]) -> Answer:
        """The answer of the parent. Raises the error if the parent refused."""

    def answer_sync(self, question: Callable[[int], Question]) -> Answer:
        """The same as `answer`."""


class ChildLimits:
    """The limit desk of an attempt in a child process."""

    def __init__(self, asks: _Asks, speaker: Speaker) -> None:
        self._asks = asks
        self._speaker = speaker

    async def take(self, slot: Slot) -> SlotTaken | None:
        """Take a slot."""
        return (await self._asks.answer(self._about(slot, gives=False))).slot

    async def give(self, slot: Slot) -> None:
        """Give a slot back."""
        await self._asks.answer(self._about(slot, gives=True))

    def take_sync(self, slot: Slot) -> SlotTaken | None:
        """The same as `take`."""
        return self._asks.answer_sync(self._about(slot, gives=False)).slot

    def give_sync(self, slot: Slot) -> None:
        """The same as `give`."""
        self._asks.answer_sync(self._about(slot, gives=True))

    def _about(self, slot: Slot, *, gives: bool) -> Callable[[int], Question]:
        return lambda number: AskSlot(self._speaker, number, slot, gives)
