"""What an attempt offers to threads, which run no event loop: the loop of the worker does it, and the thread waits."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Sequence
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.creation import NewChild
from flowfabric.domain.outcomes import WaitOver, Waitpoint
from flowfabric.runtime.context import AttemptCancelled
from flowfabric.runtime.fan_out import ChildEnd
from flowfabric.runtime.services import WorkerServices
from flowfabric.runtime.steps import StoredStep
from flowfabric.runtime.wait_desk import NewWaitpoint, SuspendAnswer, Wait
from flowfabric.runtime.worker_tasks import WorkerEnded

T = TypeVar("T")


class FromThreads(ABC):
    """The part of an attempt that threads call."""

    _services: WorkerServices
    _loop: asyncio.AbstractEventLoop

    def in_worker(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the worker's loop run the coroutine, and wait for it in this thread.

        The worker may have ended already.
        """
        try:
            return self._services.tasks.start_from_thread(work, self._loop).result()
        except (WorkerEnded, CancelledError):
            raise AttemptCancelled("worker_stops") from None

    # ── steps ────────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    async def stored_step(self, name: str) -> StoredStep | None:
        """The step of this name, if an earlier attempt has stored it."""

    @abstractmethod
    async def store_step(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        """Store a step, and charge what it has spent."""

    def stored_step_sync(self, name: str) -> StoredStep | None:
        """`stored_step` for a thread that runs no event loop."""
        return self.in_worker(self.stored_step(name))

    def store_step_sync(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        """`store_step` for a thread that runs no event loop."""
        self.in_worker(self.store_step(name, fingerprint, result, tries, charge, took_s))

    # ── waits and children ───────────────────────────────────────────────────────────────────────

    @abstractmethod
    async def make_children(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        """Make a group of children, or find it."""

    @abstractmethod
    async def child_ends(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        """How these children have ended."""

    @abstractmethod
    async def open_wait(self, wait: Wait) -> WaitOver | None:
        """Open a wait, and keep the lease."""

    @abstractmethod
    async def suspend(self, wait: Wait) -> SuspendAnswer:
        """Suspend the execution."""

    @abstractmethod
    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """Make a waitpoint."""

    def make_children_sync(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        """`make_children` for a thread that runs no event loop."""
        return self.in_worker(self.make_children(name, items))

    def child_ends_sync(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        """`child_ends` for a thread that runs no event loop."""
        return self.in_worker(self.child_ends(execution_ids))

    def open_wait_sync(self, wait: Wait) -> WaitOver | None:
        """`open_wait` for a thread that runs no event loop."""
        return self.in_worker(self.open_wait(wait))

    def suspend_sync(self, wait: Wait) -> SuspendAnswer:
        """`suspend` for a thread that runs no event loop."""
        return self.in_worker(self.suspend(wait))

    def make_waitpoint_sync(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """`make_waitpoint` for a thread that runs no event loop."""
        return self.in_worker(self.make_waitpoint(waitpoint))
