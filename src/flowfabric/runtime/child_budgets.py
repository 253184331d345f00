"""What an attempt in a child process spends and reserves: it asks the parent."""

from collections.abc import Callable
from typing import Protocol

from flowfabric.domain.outcomes import Reserved, Spent
from flowfabric.runtime.budget_desk import Reservation, Spend
from flowfabric.runtime.messages import Answer, AskBudget, Question, Speaker


class _Asks(Protocol):
    """Asks the parent."""

    async def answer(self, question: Callable[[int], Question]) -> Answer:
        """The answer of the parent. Raises the error if the parent refused."""

    def answer_sync(self, question: Callable[[int], Question]) -> Answer:
        """The same as `answer`."""


class ChildBudgets:
    """The budget desk of an attempt in a child process."""

    def __init__(self, asks: _Asks, speaker: Speaker) -> None:
        self._asks = asks
        self._speaker = speaker

    async def spend(self, spend: Spend) -> Spent:
        """Charge a budget."""
        return _spent_in(await self._asks.answer(self._about(spend)))

    async def reserve(self, reservation: Reservation) -> Reserved:
        """Reserve a part of a budget."""
        return _reserved_in(await self._asks.answer(self._about(reservation)))

    def spend_sync(self, spend: Spend) -> Spent:
        """The same as `spend`."""
        return _spent_in(self._asks.answer_sync(self._about(spend)))

    def reserve_sync(self, reservation: Reservation) -> Reserved:
        """The same as `reserve`."""
        return _reserved_in(self._asks.answer_sync(self._about(reservation)))

    def _about(self, entry: Spend | Reservation) -> Callable[[int], Question]:
        if isinstance(entry, Spend):
            return lambda number: AskBudget(self._speaker, number, spend=entry)
        return lambda number: AskBudget(self._speaker, number, reservation=entry)


def _spent_in(answer: Answer) -> Spent:
    assert answer.spent is not None
    return answer.spent


def _reserved_in(answer: Answer) -> Reserved:
    assert answer.reserved is not None
    return answer.reserved
