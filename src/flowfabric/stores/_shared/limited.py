"""Executions that are plain but for their limits: their gates in each place, as they are stored, and how they count."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from flowfabric.domain.counting import standing_of
from flowfabric.domain.gates import Gates
from flowfabric.domain.limits import KeyAt
from flowfabric.domain.plain import CREATED, LEASED, PARKED_AT_LIMIT
from flowfabric.domain.slots import are_only_limits, gates_admitted, gates_leased, gates_parked
from flowfabric.stores._shared.gates import gates_of, gates_text

QUEUED: Final = standing_of(CREATED.after)
PARKED: Final = standing_of(PARKED_AT_LIMIT.after)
RUNNING: Final = standing_of(LEASED.after)


@lru_cache(1_000)
def only_limits(text: str | None) -> Gates | None:
    """The gates of an execution that waits or runs, if they are nothing but limits. None: they are more, or damaged."""
    try:
        gates = gates_of(text)
    except msgspec.MsgspecError:
        return None
    return gates if gates is not None and gates.limits and are_only_limits(gates) else None


@lru_cache(1_000)
def slots_of(namespace: str, gates: Gates) -> Sequence[KeyAt]:
    """A claim takes a slot of each of these keys."""
    return [(namespace, name, key) for name, key in gates.limits]


@lru_cache(1_000)
def leased(gates: Gates) -> tuple[Gates, str | None]:
    """The gates of an execution as soon as it is leased, also as they are stored."""
    after = gates_leased(gates)
    return after, leased_text(after)


@lru_cache(1_000)
def leased_text(gates: Gates) -> str | None:
    """The gates of a leased execution as they are stored."""
    return gates_text(gates)


@lru_cache(1_000)
def admitted_text(gates: Gates) -> str | None:
    """The gates of an execution as they are stored when it is let back into the queue."""
    return gates_text(gates_admitted(gates))


@lru_cache(1_000)
def parked_text(gates: Gates) -> str | None:
    """The gates of an execution as they are stored when it is parked at its only limit."""
    ((name, key),) = gates.limits
    return gates_text(gates_parked(gates, name, key))
