"""Executions of one lane and one priority take turns by their fair keys.

An execution that becomes ready gets the turn after the last one of its key, or the turn that was claimed last in its
lane and priority, whichever is later. So a key with a million waiting executions has one in each turn, and another key
gets its next one into the turn that runs now. Nothing is parked for this: turns are part of the queue's order.

An execution without a fair key is always in the turn that runs now.
"""

from typing import Final

import msgspec

FIRST_TURN: Final = 1
KEPT_MS: Final = 3_600_000
"""How long the record of a fair key is kept that gets no further turn."""
TurnsAt = tuple[str, str, int]
"""A namespace, a lane, and a priority."""
KeyTurnAt = tuple[str, str, int, str]
"""The same with a fair key."""


class LaneTurn(msgspec.Struct, frozen=True, gc=False):
    """The turn that was claimed last in a lane and priority."""

    namespace: str
    lane: str
    priority: int
    turn: int


class KeyTurn(msgspec.Struct, frozen=True, gc=False):
    """The turn that a fair key was given last in a lane and priority. A key that is behind needs no record."""

    namespace: str
    lane: str
    priority: int
    fair_key: str
    turn: int
    given_at_ms: int
    """When it was given."""


def next_turn(of_key: KeyTurn | None, claimed_last: int) -> int:
    """The turn of an execution that becomes ready."""
    return max(claimed_last, FIRST_TURN if of_key is None else of_key.turn + 1)


def is_idle_turn(of_key: KeyTurn, claimed_last: int, now_ms: int) -> bool:
    """Whether the record may be removed: the queue has come to its turn, and the key has got no other one for long.

    The next execution of such a key gets the turn that runs now, as one of a new key does.
    """
    return of_key.turn <= claimed_last and of_key.given_at_ms + KEPT_MS <= now_ms
