"""Kinds of records that upkeep removes once their time is over, each with the key by which a store names one."""

from typing import Final, Generic, TypeVar

from flowfabric.domain.batch_io import AckKey, KeyInNamespace
from flowfabric.domain.ids import FlowId

K = TypeVar("K")


class Expiring(Generic[K]):
    """A kind of record that expires. `K` is the type of its key."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


IDEMPOTENCY_KEYS: Final = Expiring[KeyInNamespace]("idempotency_keys")
ANSWERS: Final = Expiring[KeyInNamespace]("answers")
"""Kept answers, by scope and command id."""
WORKERS: Final = Expiring[KeyInNamespace]("workers")
"""Workers, by namespace and instance id. The time of a worker is over when it is taken for dead."""
ACKS: Final = Expiring[AckKey]("acks")
"""Acknowledgements of a flow's cancel. One expires when the lease of its worker would have ended."""
FLOWS: Final = Expiring[FlowId]("flows")
"""Flows whose retention is over."""
EVENTS: Final = Expiring[int]("events")
"""Events of lanes and schedules, by their instants, earliest first."""
ACCESS_TOKENS: Final = Expiring[str]("access_tokens")
"""Access tokens that are no good any more, by their ids."""

EXPIRING: Final = (IDEMPOTENCY_KEYS, ANSWERS, WORKERS, ACKS, FLOWS, EVENTS, ACCESS_TOKENS)
