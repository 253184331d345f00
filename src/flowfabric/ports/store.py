"""Where records rest."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from flowfabric.domain.connections import Connections
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.exchange import AckKey, KeyInNamespace
from flowfabric.domain.execution import Attempt, Due, DueKind, Execution, FailedAttempt
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import Lane, LaneCount, LaneSwitch, RecentEnds
from flowfabric.domain.listing import EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.news import Committed, Look, OnOthersCommit, Waits
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.steps import Step
from flowfabric.domain.turns import Turn
from flowfabric.domain.views import FlowView, SideRowsPage, Tally
from flowfabric.domain.workers import Worker
from flowfabric.ports.writing import CallersConnection, Writer


class Store(Protocol):
    """Where records rest. Reads never wait for writes, and never make them wait."""

    @property
    def name(self) -> str:
        """One incarnation of one store: part of lease ids and cursors."""

    @property
    def committers(self) -> int:
        """How many writers may commit at the same time."""

    @property
    def connections(self) -> Connections:
        """How many connections it may open."""

    @property
    def now_ms(self) -> int:
        """The store's time."""

    def writer(self) -> Writer:
        """A new write connection."""

    def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be read."""

    def callers_connection(self, connection: object, *, is_async: bool) -> CallersConnection:
        """A connection of the caller's own; refused is what could not be joined. `is_async`: it will be awaited."""

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        """While the block lasts, tell of what other processes have committed. A hint: any of it may be lost."""

    def listen_for(self, *, ends: bool, events: bool) -> None:
        """Say whether anyone here waits for ends or for events, so that these are told, too, while it watches.

        A store that tells of every commit anyway has nothing to do.
        """

    def close(self) -> None:
        """Give everything back."""

    # reads

    def execution(self, execution_id: ExecutionId) -> Execution | None:
        """One execution."""

    def executions_named(self, execution_ids: Iterable[ExecutionId]) -> list[Execution]:
        """Those of the named executions that there are, in one look, by id."""

    def result(self, execution_id: ExecutionId) -> bytes | None:
        """Its result, if it has one."""

    def payload(self, execution_id: ExecutionId) -> bytes | None:
        """Its payload, if there is such an execution."""

    def attempts(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Attempt], list[FailedAttempt]]:
        """The execution, its attempts written so far and why they failed, each in order, as of one moment."""

    def last_failure(self, execution_id: ExecutionId) -> FailedAttempt | None:
        """Why its last failed attempt failed, if any did."""

    def executions(self, where: ExecutionFilter, after: ListPosition | None, limit: int) -> list[Execution]:
        """Executions, newest first, after the given position."""

    def count_executions(self, where: ExecutionFilter) -> int:
        """How many there are."""

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> EventPage:
        """The next events. Filters never keep the cursor from advancing."""

    def events_from_now(self) -> str:
        """The cursor of the end of the log."""

    def cursor_within(self, before: str | None, page: EventPage, event: Event) -> str:
        """The cursor that goes on after one event of a page that was read from `before`."""

    def steps(self, execution_id: ExecutionId) -> tuple[Execution | None, list[Step]]:
        """The execution and its stored steps, in the order in which they were stored, as of one moment."""

    def workers(self, namespace: str | None) -> list[Worker]:
        """What workers say of themselves, by namespace and instance id."""

    def schedules(self, namespace: str | None) -> list[Schedule]:
        """Schedules, by namespace and name."""

    def lane_switches(self, namespace: str | None) -> list[LaneSwitch]:
        """What operators have set for lanes, by namespace and lane."""

    def lane_counts(self, namespace: str | None) -> list[LaneCount]:
        """What lanes hold that has not ended. Everything there is is counted."""

    def recent_ends(self, namespace: str | None, since_ms: int) -> RecentEnds:
        """How many executions of each lane have ended after an instant, as far as the newest events tell."""

    def tally(self, namespace: str | None) -> Tally:
        """What there is, counted."""

    def flow(self, flow_id: FlowId) -> Flow | None:
        """One flow."""

    def flow_view(self, flow_id: FlowId) -> FlowView | None:
        """One flow with its groups and pending acknowledgements."""

    def flows(self, where: FlowFilter, after: ListPosition | None, limit: int) -> list[Flow]:
        """Flows, newest first, after the given position."""

    def pending_acks(self, flow_ids: Collection[FlowId]) -> Mapping[FlowId, Sequence[ExecutionId]]:
        """The members that the cancels of these flows still wait for, by id, in one look. A flow may be missing."""

    def edge(self, flow_id: FlowId, edge_id: str) -> Edge | None:
        """One edge."""

    def edges(self, flow_id: FlowId, upstream: ExecutionId | None, downstream: ExecutionId | None) -> list[Edge]:
        """The flow's edges, by edge id: all, or those from one execution or to one."""

    def group(self, downstream: ExecutionId) -> EdgeGroup | None:
        """The group of edges that lead to one execution."""

    # what a purge looks for

    def ended_executions(
        self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int
    ) -> list[ListPosition]:
        """Executions that ended before an instant and belong to no flow, newest first, after the given position."""

    def ended_flows(self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int) -> list[Flow]:
        """Flows that were over before an instant, with all members, newest first, after the given position."""

    def news(self, waits: Waits) -> Committed:
        """What of it has come: ends (or executions that are gone), acknowledgements, and leases that are over.

        One look for all of it.
        """

    # what reconcilers look for

    def look(self, lanes: Sequence[Lane]) -> Look:
        """What there is to do now, by the store's clock, and in the given lanes: one look for all of it."""

    def due(self, kind: DueKind, until_ms: int, after: Due | None, limit: int) -> list[Due]:
        """Due rows of one kind up to an instant, earliest first, after the given one."""

    def expired_idempotency_keys(self, until_ms: int, limit: int) -> list[KeyInNamespace]:
        """Keys whose time is over."""

    def expired_answers(self, until_ms: int, limit: int) -> list[KeyInNamespace]:
        """(scope, command id) of kept answers whose time is over."""

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        """Look at so many executions in id order: what is known of their side rows, and the groups of blocked ones.

        Executions that call for no side row and have none need not be shown. A store in which side rows cannot go
        wrong may show blocked executions only.
        """

    def take_turn(self, holder: str, ttl_ms: int, after: ExecutionId | None) -> Turn:
        """Ask for the turn to walk through all executions, and note how far the holder has come.

        Answers whose turn it is now (`domain.turns`). A store that is walked through at no cost may always say yes.
        """

    def flows_to_purge(self, until_ms: int, limit: int) -> list[FlowId]:
        """Flows whose retention is over."""

    def old_events(self, until_ms: int, limit: int) -> list[int]:
        """When events of lanes and schedules happened, up to an instant, earliest first."""

    def silent_workers(self, until_ms: int, limit: int) -> list[KeyInNamespace]:
        """(namespace, instance id) of workers that were to be believed until then at most."""

    def overdue_acks(self, until_ms: int, limit: int) -> list[AckKey]:
        """Acknowledgements that nobody waits for any longer."""
