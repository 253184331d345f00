"""What is removed by itself once its time is over, one kind of record each, and by what a store names such a record."""

from typing import Final, Generic, TypeVar

from flowfabric.domain.batch_io import AckKey, KeyInNamespace
from flowfabric.domain.ids import FlowId

K = TypeVar("K")


class Expiring(Generic[K]):
    """A kind of record with an end; `K` is the key of one."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


IDEMPOTENCY_KEYS: Final = Expiring[KeyInNamespace]("idempotency_keys")
ANSWERS: Final = Expiring[KeyInNamespace]("answers")
"""Kept answers, by scope and command id."""
WORKERS: Final = Expiring[KeyInNamespace]("workers")
"""By namespace and instance id. The time of a worker is over when it is no longer believed to live."""
ACKS: Final = Expiring[AckKey]("acks")
"""Acknowledgements of a flow's cancel. The time of one is over when nobody waits for it any longer."""
FLOWS: Final = Expiring[FlowId]("flows")
"""Flows whose retention is over."""
EVENTS: Final = Expiring[int]("events")
"""Events of lanes and schedules, by their instants, earliest first."""

EXPIRING: Final = (IDEMPOTENCY_KEYS, ANSWERS, WORKERS, ACKS, FLOWS, EVENTS)
