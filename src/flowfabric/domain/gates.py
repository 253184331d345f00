"""The gates of an execution: the limits and the budgets that it must pass before it is leased.

Which gates an execution has is fixed when it is made. What its lease has taken of them stands here, too, so whatever
ends the lease gives exactly that back.
"""

import msgspec

from flowfabric.domain.budgets import Amounts, Reservation
from flowfabric.domain.limits import KeyAt


class Room(msgspec.Struct, frozen=True, gc=False):
    """The gate at which an execution is parked: a key of a limit, or a budget."""

    limit: str | None = None
    key: str = ""
    budget: str | None = None


class Gates(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What an execution must pass at each claim, and what its lease holds of it. Most executions have none."""

    limits: tuple[tuple[str, str], ...] = ()
    """Names of limits with the execution's key of each, by name."""
    budgets: tuple[tuple[str, Amounts], ...] = ()
    """Names of budgets with what is reserved of each at a claim, by name."""
    fair_key: str | None = None
    """Executions of one lane and priority with different keys take turns."""
    parked: Room | None = None
    """The gate that was closed when a claim came. None: it is not parked."""
    slots: tuple[tuple[str, str], ...] = ()
    """The limits, with keys, of which its lease holds a slot."""
    reservations: tuple[Reservation, ...] = ()
    """What its lease has reserved."""

    def keys(self, namespace: str) -> list[KeyAt]:
        """The keys of limits that it must pass."""
        return [(namespace, name, key) for name, key in self.limits]
