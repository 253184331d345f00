"""What an attempt says about budgets, and the desk to which it turns with that."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from flowfabric.domain.outcomes import Reserved, Spent


class Spend(msgspec.Struct, frozen=True):
    """The attempt has spent this."""

    budget: str
    amounts: Mapping[str, int]
    idempotency_key: str | None = None


class Reservation(msgspec.Struct, frozen=True):
    """The attempt wants to reserve this."""

    budget: str
    amounts: Mapping[str, int]


class BudgetDesk(Protocol):
    """Sends to the engine what one attempt spends and reserves. `..._sync` is for threads that run no event loop."""

    async def spend(self, spend: Spend) -> Spent:
        """Charge a budget."""

    async def reserve(self, reservation: Reservation) -> Reserved:
        """Reserve a part of a budget, or raise BudgetExceeded."""

    def spend_sync(self, spend: Spend) -> Spent:
        """The same as `spend`."""

    def reserve_sync(self, reservation: Reservation) -> Reserved:
        """The same as `reserve`."""


class Unlimited:
    """The desk of a context without a worker, for unit tests: everything fits, and nothing is kept."""

    async def spend(self, spend: Spend) -> Spent:
        """Accept it."""
        return self.spend_sync(spend)

    async def reserve(self, reservation: Reservation) -> Reserved:
        """Accept it."""
        return self.reserve_sync(reservation)

    def spend_sync(self, spend: Spend) -> Spent:
        """Accept it."""
        return Spent({}, (), ())

    def reserve_sync(self, reservation: Reservation) -> Reserved:
        """Accept it."""
        return Reserved({})
