"""Written by `python tools/blocking_stub.py`; do not edit. Change `Engine`, and run it again."""

from collections.abc import Sequence
from typing import Protocol

from flowfabric.domain.creation import NewChild
from flowfabric.domain.events import EventPage
from flowfabric.domain.flow_snapshots import FlowSnapshot
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Created, Duplicate
from flowfabric.domain.snapshots import (
    AttemptSnapshot,
    EndsInMinute,
    EndSnapshot,
    ExecutionSnapshot,
    FailureGroup,
    LaneSnapshot,
    Page,
    Stats,
    StepSnapshot,
    WorkerSnapshot,
)
from flowfabric.domain.states import PublicState


class Looking(Protocol):
    """Methods of `Engine`, by the same names."""

    async def explain(self, execution_id: str) -> str:
        """One sentence: why the execution is not running, or what it waits for."""

    async def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None:
        """The execution as it is now. None: there is no such execution."""

    async def find_executions(self, uuid: str) -> list[ExecutionSnapshot]:
        """The executions whose id ends with this uuid: one, unless callers have used the uuid in several ids."""

    async def get_result(self, execution_id: str) -> bytes | None:
        """The exact bytes of the execution's result. None: there is no result yet."""

    async def get_payload(self, execution_id: str) -> bytes:
        """The exact bytes of the execution's payload."""

    async def wait_for_result(self, execution_id: str, *, timeout_ms: int | None = None) -> ExecutionSnapshot:
        """Wait until the execution has ended, and return it. Raises TimeoutError after `timeout_ms`.

        If the store is away, this waits until it is back.
        """

    async def list_attempts(self, execution_id: str) -> list[AttemptSnapshot]:
        """Every attempt of the execution, first to last."""

    async def attempt_deadline_ms(self, execution_id: str) -> int | None:
        """When the running attempt is over at the latest, by its timeout or the execution's deadline. None: never."""

    async def list_steps(self, execution_id: str) -> list[StepSnapshot]:
        """The stored steps of the execution, first to last."""

    async def get_step(self, execution_id: str, name: str) -> StepSnapshot | None:
        """One stored step of the execution. None: there is no such step. This reads no other step."""

    async def list_workers(self, *, namespace: str | None = None) -> list[WorkerSnapshot]:
        """Workers that are alive or have died within the last day, by namespace and instance id."""

    async def list_lanes(self, *, namespace: str | None = None) -> list[LaneSnapshot]:
        """Every lane that has executions or recent ends, that a worker serves, or that is paused.

        Its counts are kept, so this takes milliseconds, however many executions there are.
        """

    async def stats(self, *, namespace: str | None = None) -> Stats:
        """The store in numbers. They are kept, so this takes milliseconds, however many executions there are."""

    async def throughput(
        self, *, since_ms: int, until_ms: int | None = None, namespace: str | None = None
    ) -> list[EndsInMinute]:
        """How many executions have ended in each minute, by state: from the minute of `since_ms` to that of `until_ms`.

        A minute in which none has ended is missing. Ends are kept for a day. `until_ms` None: until now. An execution
        that ends and is replayed in the same commit is not counted as ended.
        """

    async def recent_failures(
        self, *, since_ms: int, namespace: str | None = None, limit: int = 100
    ) -> list[FailureGroup]:
        """What has failed after an instant, by kind, code and message, the most frequent first.

        It looks at the newest 10,000 executions that have a failure, so it takes milliseconds.
        """

    async def list_executions(
        self,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Executions as snapshots, newest first."""

    async def count_executions(
        self,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
    ) -> int:
        """How many executions a list with these filters would show."""

    async def read_events(
        self,
        *,
        cursor: str | None = None,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
        limit: int = 500,
    ) -> EventPage:
        """The next events after the cursor, in order. An empty page: there are no later events yet."""

    async def newest_events(
        self, *, channels: Sequence[str] | None = None, namespace: str | None = None, limit: int = 100
    ) -> EventPage:
        """The newest events, oldest first, and the cursor of the end of the log: `subscribe` goes on from it.

        It looks at the last 10,000 events of the log, so a filter may find fewer than there are.
        """

    async def follow_events(self, execution_id: str, *, cursor: str | None = None) -> EventPage:
        """Wait for the next events of one execution. An empty page: it has ended, and there are no more events."""

    async def wait_for_flow(self, flow_id: str, *, timeout_ms: int | None = None) -> FlowSnapshot:
        """Wait until all members have ended, and return the flow. Raises TimeoutError after `timeout_ms`.

        A flow without members is not over: a member may still be added.
        """

    async def create_children(
        self, lease: Lease, name: str, items: Sequence[NewChild], *, command_id: str | None = None
    ) -> list[Created | Duplicate]:
        """Make a group of children of the leased execution: all items or none, with one answer per item.

        Their ids follow from the parent, the name and their places, so every attempt makes the same children once.
        Another number of items or other kinds under the same name are a Conflict. After a replay of the parent that
        keeps its steps, children that did not succeed are replayed by this. A parent has at most 10,000 children, a
        group at most 1,000, and children nest at most 16 deep.
        """

    async def list_children(self, execution_id: str, *, cursor: str | None = None, limit: int = 100) -> Page:
        """The children of an execution as snapshots, oldest first; those of one group in the order of its items."""

    async def get_ends(self, execution_ids: Sequence[str]) -> list[EndSnapshot | None]:
        """How executions have ended, with their results, in the given order and in one read. None: there is none."""
