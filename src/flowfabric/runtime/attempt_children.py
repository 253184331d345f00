"""How an attempt makes children, and reads how they have ended."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from flowfabric.domain.creation import NewChild
from flowfabric.domain.lease import Lease
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.fan_out import ChildEnd, end_of
from flowfabric.runtime.services import WorkerServices

T = TypeVar("T")


class WithChildren(ABC):
    """The part of an attempt that has to do with its children."""

    _services: WorkerServices

    @property
    @abstractmethod
    def lease(self) -> Lease:
        """The lease under which the attempt runs."""

    @abstractmethod
    async def sent(self, send: Callable[[WorkerEngine], Awaitable[T]]) -> T:
        """The answer to a command of the code."""

    @abstractmethod
    async def patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send again while the store is unavailable, for as long as the lease may be alive."""

    async def make_children(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        """Make a group of children, or find it."""
        answers = await self.sent(lambda engine: engine.create_children(self.lease, name, items))
        return [answer.execution_id for answer in answers]

    async def child_ends(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        """How these children have ended, with their results as they were before the codec encoded them."""
        engine = self._services.engine
        found = await self.patiently(lambda: engine.get_ends(execution_ids))
        return [end_of(key, end, self._services.codec) for key, end in zip(execution_ids, found, strict=True)]
