"""A store keeps the records. Each consumer asks for the part that it uses; a store implements all parts."""

from typing import Protocol

from flowfabric.domain.connections import Connections
from flowfabric.ports.finding import Finds, PurgeFinds
from flowfabric.ports.joining import CallersConnection
from flowfabric.ports.reading import Reads
from flowfabric.ports.waiting import Watches
from flowfabric.ports.writing import Writer


class Writes(Protocol):
    """The part of a store that the committers of an engine use."""

    @property
    def name(self) -> str:
        """The name of one incarnation of one store. It is part of lease ids and cursors."""

    @property
    def committers(self) -> int:
        """How many writers may commit at the same time."""

    @property
    def batches_stay_in_one_partition(self) -> bool:
        """Whether a batch may change only records of one partition, and records that belong to no partition."""

    def writer(self) -> Writer:
        """A new write connection."""


class Store(Writes, Reads, Finds, PurgeFinds, Watches, Protocol):
    """Everything that an engine needs."""

    @property
    def connections(self) -> Connections:
        """How many connections it may open."""

    def callers_connection(self, connection: object, *, is_async: bool) -> CallersConnection:
        """The caller's own connection. A connection that cannot be joined is refused. `is_async`: it is awaited."""

    def close(self) -> None:
        """Close all connections."""
