"""The services that all attempts of a worker share."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Protocol

import msgspec

from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.creation import NewChild
from flowfabric.domain.outcomes import WaitOver, Waitpoint
from flowfabric.ports.telemetry import Telemetry
from flowfabric.ports.tracing import Tracer
from flowfabric.runtime.budget_desk import BudgetDesk
from flowfabric.runtime.codecs import Codec
from flowfabric.runtime.completions import CompletionBatcher
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.fan_out import ChildEnd
from flowfabric.runtime.flusher import Flusher
from flowfabric.runtime.lease_keeper import LeaseKeeper
from flowfabric.runtime.limit_desk import LimitDesk
from flowfabric.runtime.lingering import Lingering
from flowfabric.runtime.running import Call, Ending, RunnableTask
from flowfabric.runtime.steps import StoredStep
from flowfabric.runtime.stream_desk import RelayDesk
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.tries import StepWatch
from flowfabric.runtime.wait_desk import NewWaitpoint, SuspendAnswer, Wait
from flowfabric.runtime.worker_tasks import WorkerTasks


class Bookkeeper(Protocol):
    """Keeps the steps and the progress of an attempt whose code runs in another process."""

    async def stored_step(self, name: str) -> StoredStep | None:
        """The stored step of this name."""

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

    @property
    def must_pause(self) -> bool:
        """Whether the code is to stop at its next step, because a budget is exceeded."""

    @property
    def budget_desk(self) -> BudgetDesk:
        """Sends to the engine what the attempt spends."""

    @property
    def limit_desk(self) -> LimitDesk:
        """Takes slots for blocks of the code."""

    @property
    def stream_desk(self) -> RelayDesk:
        """Takes what the attempt says."""

    def report_progress(self, percent: int | None, message: str | None) -> None:
        """Report the progress of the attempt. Never waits."""

    async def open_wait(self, wait: Wait) -> WaitOver | None:
        """Open a wait."""

    async def suspend(self, wait: Wait) -> SuspendAnswer:
        """Suspend the execution until one of its waits is over."""

    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """Make a waitpoint."""

    async def make_children(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        """Make a group of children, or find it. Returns their ids."""

    async def child_ends(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        """How these children have ended, with their results."""


class Children(Protocol):
    """Processes that run functions."""

    async def run(self, call: Call, books: Bookkeeper) -> Ending:
        """Run the call in a process. If this is cancelled, it stops the process before it returns."""


class WorkerServices(msgspec.Struct, frozen=True):
    """The services that all attempts of a worker share."""

    engine: WorkerEngine
    tasks: WorkerTasks
    """The owner of all asyncio tasks that an attempt starts."""
    keeper: LeaseKeeper
    completions: CompletionBatcher
    threads: Threads
    children: Children
    codec: Codec
    registered: Mapping[str, RunnableTask]
    """The functions that the worker can run, by the kind of their executions."""
    lease_ttl_ms: int
    all_in_processes: bool
    keeps_tracebacks: bool
    lingering: Lingering
    flusher: Flusher
    telemetry: Telemetry | None = None
    tracer: Tracer | None = None

    @property
    def step_watch(self) -> StepWatch | None:
        """What watches the steps of attempts. None: nothing does."""
        if self.tracer is not None:
            return self.tracer.stepping
        return None if self.telemetry is None else nullcontext
