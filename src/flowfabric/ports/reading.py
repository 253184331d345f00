"""What callers may read from a store. Reads never wait for writes, and writes never wait for reads."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from flowfabric.domain.access import AccessToken, TokenKind
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.execution import Attempt, Execution, FailedAttempt
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import LaneCount, LaneState, RecentEnds
from flowfabric.domain.listing import EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.snapshots import EndsInMinute, FailureGroup
from flowfabric.domain.steps import Step
from flowfabric.domain.views import FlowView, Tally
from flowfabric.domain.waiting import SIGNALS_MAX, Alias, KeyRing, StoredSignal, StoredWaitpoint
from flowfabric.domain.workers import Worker
from flowfabric.ports.clock import Clock
from flowfabric.ports.gates import GateReads
from flowfabric.ports.streams import StreamReads


class ExecutionReads(Protocol):
    """Executions and what belongs to them."""

    def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution."""

    def executions_named(self, execution_ids: Iterable[ExecutionId]) -> list[Execution]:
        """Those of the named executions that exist, in one read, by id."""

    def executions(self, where: ExecutionFilter, after: ListPosition | None, limit: int) -> list[Execution]:
        """Executions, newest first, after the given position."""

    def count_executions(self, where: ExecutionFilter) -> int:
        """How many executions pass the filter."""

    def payload(self, execution_id: ExecutionId) -> bytes | None:
        """Its payload, if there is such an execution."""

    def result(self, execution_id: ExecutionId) -> bytes | None:
        """Its result, if it has one."""

    def attempts(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Attempt], list[FailedAttempt]]:
        """The execution, its ended attempts, and the failures of these, each in order, all as of one moment."""

    def last_failure(self, execution_id: ExecutionId) -> FailedAttempt | None:
        """Why its last failed attempt failed, if any did."""

    def steps(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Step]]:
        """The execution and its stored steps, in the order in which they were stored, as of one moment."""


class WaitReads(Protocol):
    """What executions wait for, and what was sent to them."""

    def step(self, execution_id: ExecutionId, name: str) -> tuple[Execution | None, Step | None]:
        """The execution and one of its stored steps, as of one moment."""

    def waitpoints(self, execution_id: ExecutionId) -> tuple[Execution | None, list[tuple[StoredWaitpoint, int]]]:
        """The execution, its waitpoints by age and key, and how many kept signals each has, as of one moment."""

    def waitpoint(
        self, execution_id: ExecutionId, waitpoint_id: str
    ) -> tuple[Execution | None, StoredWaitpoint | None]:
        """The execution and its waitpoint of this id, as of one moment."""

    def signals(
        self, execution_id: ExecutionId, key: str | None, after: int = 0, limit: int = SIGNALS_MAX
    ) -> tuple[Execution | None, list[StoredSignal]]:
        """The execution and its signals in the order of their arrival: all, or those of one waitpoint.

        Only those whose number is above `after`, and at most `limit` of them: payloads may be large.
        """

    def suspended(
        self, namespace: str | None, key: str | None, after: ListPosition | None, limit: int
    ) -> list[Execution]:
        """Suspended executions, oldest wait first, after the given position.

        `key`: only those that have this waitpoint. The position of a suspended execution is
        the beginning of its oldest open wait.
        """

    def alias(self, namespace: str, alias: str) -> Alias | None:
        """The waitpoint that has this alias, and whether its execution has ended."""

    def key_ring(self, name: str) -> KeyRing | None:
        """The keys that sign tokens, if the store keeps some."""


class FamilyReads(Protocol):
    """Parents and children."""

    def children(
        self, parent_id: ExecutionId, after: ListPosition | None, limit: int, *, only_live: bool = False
    ) -> list[Execution]:
        """The children of an execution, oldest first, after the given position: all, or those that have not ended."""

    def with_results(self, execution_ids: Iterable[ExecutionId]) -> list[tuple[Execution, bytes | None]]:
        """Those of the named executions that exist, each with its result, as of one moment, by id."""


class FlowReads(Protocol):
    """Flows and their graphs."""

    def flow(self, flow_id: FlowId) -> Flow | None:
        """One flow."""

    def flow_view(self, flow_id: FlowId) -> FlowView | None:
        """One flow with its groups and pending acknowledgements."""

    def flows(self, where: FlowFilter, after: ListPosition | None, limit: int) -> list[Flow]:
        """Flows, newest first, after the given position."""

    def pending_acks(self, flow_ids: Collection[FlowId]) -> Mapping[FlowId, Sequence[ExecutionId]]:
        """The members that the cancels of these flows still wait for, by id, in one read. A flow may be missing."""

    def edge(self, flow_id: FlowId, edge_id: str) -> Edge | None:
        """One edge."""

    def edges(self, flow_id: FlowId, upstream: ExecutionId | None, downstream: ExecutionId | None) -> list[Edge]:
        """The flow's edges, by edge id: all, or those from one execution or to one."""

    def group(self, downstream: ExecutionId) -> EdgeGroup | None:
        """The group of edges that lead to one execution."""


class EventReads(Protocol):
    """The log of events. Only the store understands its cursors. None is the beginning of the log."""

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> EventPage:
        """The next events. The cursor also advances over events that the filter leaves out."""

    def newest_events(self, where: EventFilter, among: int, limit: int) -> EventPage:
        """The newest events that pass the filter, oldest first, of those with the last `among` ids.

        The cursor is that of the end of the log. Of the filter, channels and namespace count.
        """

    def events_from_now(self) -> str:
        """The cursor of the end of the log."""

    def cursor_within(self, before: str | None, page: EventPage, event: Event) -> str:
        """The cursor after one event of a page that was read from the cursor `before`."""


class Reads(ExecutionReads, WaitReads, FamilyReads, FlowReads, GateReads, StreamReads, EventReads, Clock, Protocol):
    """Everything that callers may read. None for a namespace means all namespaces."""

    @property
    def name(self) -> str:
        """The name of one incarnation of one store. It is part of lease ids and cursors."""

    def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be read."""

    def workers(self, namespace: str | None) -> list[Worker]:
        """What workers report about themselves, by namespace and instance id."""

    def access_token(self, token_id: str) -> AccessToken | None:
        """One access token."""

    def access_tokens(
        self, namespace: str | None, kind: TokenKind | None, after: tuple[int, str] | None, limit: int
    ) -> list[AccessToken]:
        """Access tokens, newest first: of one kind, or of all. `after`: begin after this creation and id."""

    def surplus_sessions(self, token_id: str, now_ms: int, kept: int) -> list[str]:
        """The ids of sessions of a token that are good, without the newest ones, which are kept. At most 100."""

    def schedules(self, namespace: str | None) -> list[Schedule]:
        """Schedules, by namespace and name."""

    def lane_switches(self, namespace: str | None) -> list[LaneState]:
        """The states of lanes that were ever paused, by namespace and lane."""

    def lane_counts(self, namespace: str | None) -> list[LaneCount]:
        """Counts of executions that have not ended, by lane. Nothing is estimated."""

    def recent_ends(self, namespace: str | None, since_ms: int) -> RecentEnds:
        """How many executions of each lane have ended after an instant, counted in the newest events."""

    def ends_per_minute(self, namespace: str | None, since_ms: int, until_ms: int) -> list[EndsInMinute]:
        """How many executions have ended in each minute, from the minute of one instant to that of another.

        A minute in which none has ended is missing. Ends are kept for a day.
        """

    def recent_failures(self, namespace: str | None, since_ms: int, limit: int) -> list[FailureGroup]:
        """What has failed after an instant, by kind, code and message, the most frequent first.

        Read from the newest executions with a failure, by their creation.
        """

    def tally(self, namespace: str | None) -> Tally:
        """Counts of everything."""
