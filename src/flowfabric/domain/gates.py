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
Block = tuple[str, str, int]
"""A block of code that takes part in a limit: the name of the limit, a key, and the number of the block among those
that the attempt has entered on this key."""
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
    blocks: tuple[Block, ...] = ()
    """Blocks of its code, beyond the limits that it names. While it runs, its lease holds a slot for each. While one of
    them waits, its next claim takes them all, so that the code comes as far as that block."""
    waits_at: tuple[str, str] | None = None
    """The limit, with its key, for which one of the blocks waits. The claim that lets it go on counts a start there."""

    @property
    def must_pass(self) -> bool:
        """Whether a claim has something to decide, or to count."""
        return self.are_named or bool(self.blocks)

    @property
    def are_named(self) -> bool:
        """Whether the execution was made with gates, so that it waits in a part of the queue of its own."""
        return bool(self.limits or self.budgets) or self.fair_key is not None

    @property
    def slots_to_take(self) -> tuple[tuple[str, str], ...]:
        """The limits, with keys, of which a claim takes a slot."""
        if not self.blocks:
            return self.limits
        return (*self.limits, *((name, key) for name, key, _ in self.blocks))

    @property
    def holds_something(self) -> bool:
        """Whether there is something that ends with the lease."""
        return bool(self.slots or self.reservations) or self.must_pause
