"""A store: where records rest. Each consumer asks for the part that it uses; a store is all of them."""

from typing import Protocol

from flowfabric.domain.connections import Connections
from flowfabric.ports.finding import Finds, PurgeFinds
from flowfabric.ports.reading import Reads
from flowfabric.ports.waiting import Watches
from flowfabric.ports.writing import CallersConnection, Writer


class Writes(Protocol):
    """What the committers of an engine ask of a store."""

    @property
    def name(self) -> str:
        """One incarnation of one store: part of lease ids and cursors."""

    @property
    def committers(self) -> int:
        """How many writers may commit at the same time."""

    @property
    def batches_stay_in_one_partition(self) -> bool:
        """Whether a batch may change records of one partition only, besides those that belong to none."""

    def writer(self) -> Writer:
        """A new write connection."""


class Store(Writes, Reads, Finds, PurgeFinds, Watches, Protocol):
    """Everything that an engine needs."""

    @property
    def connections(self) -> Connections:
        """How many connections it may open."""

    def callers_connection(self, connection: object, *, is_async: bool) -> CallersConnection:
        """A connection of the caller's own. What cannot be joined is refused. `is_async`: it is awaited."""

    def close(self) -> None:
        """Give everything back."""
