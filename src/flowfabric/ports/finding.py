"""What reconcilers and purges search in a store. Each find is decided again, so it may be out of date."""

from typing import Protocol, TypeVar

from flowfabric.domain.counting import Miscount
from flowfabric.domain.execution import Due, DueKind
from flowfabric.domain.expiring import Expiring
from flowfabric.domain.flow import Flow
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.turns import Turn
from flowfabric.domain.views import SideRowsPage
from flowfabric.ports.clock import Clock
from flowfabric.ports.gates import GateFinds
from flowfabric.ports.streams import StreamFinds
from flowfabric.ports.waiting import Polls

K = TypeVar("K")


class Finds(Polls, GateFinds, StreamFinds, Clock, Protocol):
    """What reconcilers search."""

    def due(self, kind: DueKind, until_ms: int, after: Due | None, limit: int) -> list[Due]:
        """Due moments of one kind up to an instant, earliest first. `after`: begin after this one."""

    def expired(self, kind: Expiring[K], until_ms: int, limit: int) -> list[K]:
        """The keys of some records of one kind whose time was over at an instant."""

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        """The next executions by id: whether their side rows are right, and what blocked ones wait for.

        Executions that need no side row and have none may be left out. A store in which side rows cannot be wrong may
        return blocked executions only.
        """

    def has_counts_to_tend(self) -> bool:
        """Whether a `TendCounts` is worth a commit. A store that counts when it is asked needs none."""

    def miscounts(self) -> list[Miscount]:
        """The kept counts that differ from what there is, as of one moment. This counts everything."""

    def take_turn(self, holder: str, ttl_ms: int, after: ExecutionId | None) -> Turn:
        """Ask for the turn to walk through all executions, and note how far the holder has come.

        Returns the turn that holds now (`domain.turns`). If a walk costs nothing, a store may always grant the turn.
        """


class PurgeFinds(Protocol):
    """What an operator's purge searches, newest first, after the given position. None: in all namespaces."""

    def ended_executions(
        self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int
    ) -> list[ListPosition]:
        """Executions that ended before an instant and belong to no flow."""

    def ended_flows(self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int) -> list[Flow]:
        """Flows that were over before an instant, and all of whose members had ended before it."""
