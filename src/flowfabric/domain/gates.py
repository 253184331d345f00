"""The gates of an execution: the limits and the budgets that it must pass before it is leased.

Which gates an execution has is fixed when it is made. What its lease has taken of them stands in its record, too, so
that whatever ends the lease gives exactly that back.
"""

from typing import Final, Literal, get_args

import msgspec

from flowfabric.domain.budgets import Amounts, Reservation

GateKind = Literal["limit", "budget", "limits"]
"""A key of a limit, a budget, or all keys of a limit. Nobody is parked at the last."""
Gate = tuple[GateKind, str, str]
"""A kind, the name of a limit or of a budget, and a key. A budget has the key "". For all keys of a limit, the key is
the last one that was looked at."""
GateAt = tuple[str, GateKind, str, str]
"""A namespace and a gate."""
GateState = Literal["queued", "parked", "leased"]
"""Where an execution stands at a gate: it may be claimed, it waits for the gate to open, or it runs."""
GATE_STATES: Final[tuple[GateState, ...]] = get_args(GateState)
GATE_KINDS: Final[tuple[GateKind, ...]] = get_args(GateKind)


class Gates(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What an execution must pass at each claim, and what its lease holds of it. Most executions have none."""

    limits: tuple[tuple[str, str], ...] = ()
    """Names of limits with the execution's key of each, by name."""
    budgets: tuple[tuple[str, Amounts], ...] = ()
    """Names of budgets with what a claim reserves of each, by name."""
    fair_key: str | None = None
    """Executions of one lane and priority take turns by this key."""
    turn: int = 0
    """Its turn, if it has a fair key: see `fairness`."""
    must_pause: bool = False
    """A budget that it names is exceeded: its worker is to stop at the next step and give it back."""
    parked: Gate | None = None
    """The gate that was closed when it last came to it. None: it is not parked."""
    admitted: bool = False
    """It was parked, and is back in the queue: others may wait behind it."""
    slots: tuple[tuple[str, str], ...] = ()
    """The limits, with keys, of which its lease holds a slot."""
    reservations: tuple[Reservation, ...] = ()
    """What its lease has reserved."""
    has_spent: bool = False
    """There are lines of the ledger about it."""

    @property
    def must_pass(self) -> bool:
        """Whether a claim has something to decide, or to count."""
        return bool(self.limits or self.budgets) or self.fair_key is not None

    @property
    def holds_something(self) -> bool:
        """Whether there is something that ends with the lease."""
        return bool(self.slots or self.reservations) or self.must_pause
