"""Where the rooms meet: what the engine asks of a store, and what everyone may ask of the engine.

The concurrency promise of a store, in one sentence: between `load` and `commit` nobody else changes the loaded
records. Lock order, for stores that lock rows: executions that belong to no flow, flows, keys, kept answers, members of
flows, then side rows, each by id, blocking; what a claim looks for comes last, skipping what others hold.
"""

from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from typing import Annotated, Any, Final, Literal, Protocol, TypeVar

import msgspec

from flowfabric.domain.commands import Envelope
from flowfabric.domain.connections import Connections
from flowfabric.domain.creation import NewExecution, NewSchedule
from flowfabric.domain.errors import Contention, EngineError, StoreError, StoreUnavailable
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.exchange import AckKey, Changes, KeyInNamespace, Loaded, Needs
from flowfabric.domain.execution import Attempt, Due, DueKind, Execution, FailedAttempt, OnEnded
from flowfabric.domain.flow import Edge, EdgeGroup, Flow, FlowState
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import LaneCount, LaneSwitch, RecentEnds
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    Cancelled,
    Claimed,
    Completed,
    Created,
    Duplicate,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowReplayed,
    FlowSubmitted,
    LeaseLost,
    Outcome,
    Released,
    Renewed,
    Replayed,
    RetryScheduled,
    Revoked,
    ScheduleFired,
    StepRecorded,
    TerminalFailed,
)
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.snapshots import ExecutionSnapshot, FlowSnapshot, Kept, LogExtent, Page, StepSnapshot
from flowfabric.domain.states import Channel, PublicState
from flowfabric.domain.steps import Step
from flowfabric.domain.turns import Turn
from flowfabric.domain.workers import Worker

T = TypeVar("T")


class CommitUnknown(StoreError):
    """A commit ended with an error, or with no answer: it may have happened, or not."""

    def __init__(self, message: str, meaning: Exception | None = None) -> None:
        super().__init__(message)
        self.meaning = meaning
        """What to raise if it did not happen; None: decide again."""


class ConnectionLost(StoreUnavailable):
    """The connection is gone and nothing was committed: the engine reconnects before it tells a caller.

    Callers never see it under this name (`for_callers`).
    """

    code = "store_unavailable"


@contextmanager
def for_callers() -> Iterator[None]:
    """Around what is not tried again: a lost connection is StoreUnavailable to callers."""
    try:
        yield
    except ConnectionLost as error:
        raise StoreUnavailable(str(error)) from error


class Overtaken(Contention):
    """Someone else has just made what was to be made, or filled a lane that was idle: decide again at once."""

    code = "contention"  # where another look does not help either, it is what it always was to callers


class LockHeld(Contention):
    """Somebody else's transaction holds what the batch needs, and did not let go of it within a moment."""

    code = "contention"  # callers hear of it once they have waited for long enough


class Clock(Protocol):
    """Whoever knows what time it is: the store, or a test."""

    @property
    def now_ms(self) -> int:
        """Milliseconds since the epoch."""


class Transaction(Protocol):
    """An open transaction, as far as a decision needs it."""

    @property
    def now_ms(self) -> int:
        """The store's time, read after everything that `load` locks was locked."""

    @property
    def era(self) -> int:
        """The era of the store, known once `load` has answered: another one after each event that may lose commits."""

    def load(self, needs: Needs) -> Loaded:
        """Read what `needs` names, and keep it ours until the end. Called again with more, it also reads that."""


class Decided(msgspec.Struct, frozen=True):
    """A batch that was decided on what was loaded, and is still to be written."""

    answers: "Answers"
    changes: Changes
    touched: Iterable[ExecutionId]
    """The executions that are different now, or were for a while."""
    committed: "Committed"
    """What to say of it once it is committed."""


class Answered(msgspec.Struct, frozen=True):
    """What became of a batch."""

    answers: "Answers"
    """In the order of the commands; those of claims that joined the batch while it was decided come last."""
    committed: "Committed | None"
    """None: nothing was changed, so there was nothing to commit."""


class Batch(Protocol):
    """Commands that are committed together or not at all, as the engine hands them to a writer."""

    @property
    def batch_id(self) -> bytes:
        """What its marker is called: a commit leaves the marker, so that it can be looked for afterwards."""

    @property
    def lock_wait_ms(self) -> int | None:
        """How long it waits for what others hold; None: for a moment."""

    @property
    def envelopes(self) -> Sequence[Envelope]:
        """The commands in their order, complete once the transaction has begun."""

    def begun(self) -> None:
        """Called by the writer once a transaction can be written to, before it looks at the commands."""

    def decide(self, tx: Transaction, answered: Mapping[int, Outcome]) -> Decided:
        """Decide all commands but those that the store has answered by itself, and load what that takes.

        It may be called again on the same transaction, where records were read anew since.
        """

    def commits(self, answered: Answered | None) -> None:
        """Called by the writer right before the commit: the answers, should the commit's own answer be lost.

        None, if they depend on the instant at which it happens; `was_committed` then brings them.
        """


class Writer(Protocol):
    """A write connection, owned by one committer thread."""

    def run(self, batch: Batch) -> Answered:
        """Begin a transaction, decide the batch, write what it changed, commit.

        How is left to the store. One that knows a shorter way for some commands may answer these by itself, as long as
        that comes to exactly what would have been decided. CommitUnknown says that the commit may have happened; every
        other error, that nothing was changed. LockHeld: others hold what the batch needs, and did not let go in time.
        """

    def was_committed(self, batch_id: bytes) -> bool:
        """Whether the batch's marker is there; waits for a first try that is still committing."""

    def reconnect(self) -> None:
        """Start over with a new connection. Raises StoreUnavailable if there is none to be had."""

    def close(self) -> None:
        """Give the connection back."""


Pause = Callable[[float], Awaitable[object]]
"""Waits for so many seconds, as its caller waits."""


class JoinedTransaction(Protocol):
    """What a command may do inside a transaction that is not ours. It suspends only where the connection does."""

    @property
    def now_ms(self) -> int:
        """The store's time, read by `load`."""

    @property
    def era(self) -> int:
        """The era of the store, read by `load`."""

    async def load(self, needs: Needs) -> Loaded:
        """Read what a submit needs: executions, payloads, keys and kept answers."""

    async def save(self, changes: Changes) -> None:
        """Write what a submit has made, exactly as a batch would."""


class CallersConnection(Protocol):
    """A connection that a caller has opened to the store's database, and whose transaction may be joined."""

    def joined(self) -> AbstractAsyncContextManager[JoinedTransaction]:
        """A part of the caller's open transaction: after an exception it is as if it had never been."""

    def transaction(self, pause: Pause) -> AbstractAsyncContextManager[None]:
        """A transaction from its beginning to its commit, or to its rollback after an exception."""


class ExecutionFilter(msgspec.Struct, frozen=True):
    """Which executions a list shows; None means any."""

    namespace: str | None = None
    public_state: PublicState | None = None
    lane: str | None = None
    flow_id: str | None = None
    kind: str | None = None
    tag: tuple[str, str] | None = None
    created_before_ms: int | None = None

    def start(self, after: "ListPosition | None") -> "ListPosition":
        """Where a list goes on, newest first: after what was shown last, and after all that is too new for it."""
        bound = NEWEST if self.created_before_ms is None else ListPosition(self.created_before_ms, FIRST_UUID, 0)
        return bound if after is None else min(after, bound)


class EventFilter(msgspec.Struct, frozen=True):
    """Which events a reader sees; None means any."""

    channels: tuple[Channel, ...] | None = None
    namespace: str | None = None
    execution_id: ExecutionId | None = None
    flow_id: str | None = None


class FlowFilter(msgspec.Struct, frozen=True):
    """Which flows a list shows; None means any."""

    namespace: str | None = None
    state: FlowState | None = None


class GroupView(msgspec.Struct, frozen=True):
    """A group of edges, and what of the executions at both ends is shown with it."""

    group: EdgeGroup
    downstream_has_ended: bool
    running_count: int
    """Pending edges whose upstream has not ended."""


class FlowView(msgspec.Struct, frozen=True):
    """A flow with its groups and the acknowledgements it waits for, as of one moment, both by execution id."""

    flow: Flow
    groups: Sequence[GroupView]
    pending_acks: Sequence[ExecutionId]


class SideRows(msgspec.Struct, frozen=True):
    """A record, and whether what follows from it is stored as it should be."""

    execution: Execution
    ready_is_right: bool
    due_is_right: bool
    group: EdgeGroup | None = None
    """Of an execution that is blocked by its dependencies: what it waits for."""


class SideRowsPage(msgspec.Struct, frozen=True):
    """What was found wrong or worth a look among some executions, and after which of them the next page begins."""

    rows: Sequence[SideRows]
    next_after: ExecutionId | None
    """None after the last page."""


class Tally(msgspec.Struct, frozen=True):
    """What a store holds, counted; states of which there is nothing may be missing."""

    executions: Mapping[PublicState, int]
    oldest_ready_at_ms: int | None
    flows: Mapping[FlowState, int]
    pending_acks: int
    log: LogExtent | None
    schema_version: int | None
    kept: Kept


class ListPosition(msgspec.Struct, frozen=True, order=True, array_like=True, forbid_unknown_fields=True):
    """Where the last execution shown stands in a list. What a forged cursor could spell otherwise does not decode."""

    created_at_ms: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
    uuid: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")]
    partition: Annotated[int, msgspec.Meta(ge=0, le=255)]


FIRST_UUID: Final = "00000000-0000-0000-0000-000000000000"
NEWEST: Final = ListPosition(2**63 - 1, "ffffffff-ffff-ffff-ffff-ffffffffffff", 256)
"""Before the first of every list."""


class Look(msgspec.Struct, frozen=True):
    """What one look at a store has shown."""

    due: Collection[DueKind]
    """The kinds of due moments of which one has come."""
    has_overdue_acks: bool
    """Whether an acknowledgement is overdue."""
    ready: Sequence["Lane"]
    """Of the lanes that were asked for, those that hand out work and have some."""
    delay_over_in_ms: int | None = None
    """When the next delay is over, counted from now; None: nothing is delayed."""

    @property
    def anything_due(self) -> bool:
        """Whether there is anything to handle."""
        return bool(self.due) or self.has_overdue_acks


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

    def watch(self, on_commit: "OnOthersCommit") -> AbstractContextManager[None]:
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

    def news(self, waits: "Waits") -> "Committed":
        """What of it has come: ends (or executions that are gone), acknowledgements, and leases that are over.

        One look for all of it.
        """

    # what reconcilers look for

    def look(self, lanes: Sequence["Lane"]) -> "Look":
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


class Gateway(Protocol):
    """Whoever takes commands; reconcilers know no more of the engine than this."""

    def execute_all(self, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
        """Send commands and wait for all answers."""


class OutageLog(Protocol):
    """Whoever tells the log that the store is away, and that it is back: once each, however many notice it."""

    def noticed(self, what: str, error: Exception) -> None:
        """Something of the store does not work, and will be tried again."""

    def over(self, what: str) -> None:
        """That works."""


class Upkeep(Protocol):
    """The duties that keep a store healthy."""

    def run_once(self) -> Mapping[str, int]:
        """Run every due duty to its end; how much each did."""

    def running(self) -> AbstractContextManager[None]:
        """Run the duties in the background while the block lasts."""


Lane = tuple[str, str]
"""A lane of a namespace."""


class WaitingClaims(Protocol):
    """Those who wait for work, as upkeep sees them."""

    def lanes(self) -> Sequence[Lane]:
        """What they wait for."""

    def looked(self, ready: Collection[Lane]) -> None:
        """All of these lanes were looked at just now, and these have work."""

    def tell_of_delays(self, on_delay: Callable[[int], None]) -> None:
        """Have `on_delay` called, from any thread, with the milliseconds until a delay that was written is over."""


class Committed(msgspec.Struct, frozen=True):
    """What those who wait may want to hear of a commit."""

    ended: Sequence[str]
    """The executions that have come to their end, and the flows whose cancel is fully acknowledged."""
    has_events: bool
    ready: Collection[Lane] = ()
    """Where something may be claimed that could not before."""
    delay_over_in_ms: int | None = None
    """When the first of the delays that were written is over, counted from the commit."""
    lost: Sequence[str] = ()
    """The executions whose lease was taken from its holder."""


Answers = Sequence[Outcome | EngineError]
OnCommit = Callable[[Committed], None]
OnOthersCommit = Callable[[Committed | None], None]
"""Told what another process has committed; None: it may be anything."""


class Waits(msgspec.Struct, frozen=True):
    """What those who wait in one process wait for, other than work."""

    executions: Sequence[ExecutionId]
    """For their ends."""
    flows: Sequence[FlowId]
    """For the last acknowledgement of their cancel."""
    events: bool
    leases: Sequence[tuple[ExecutionId, int]] = ()
    """Leases that are held, as execution and epoch."""

    @property
    def has_ends(self) -> bool:
        """Whether anyone waits for an end."""
        return bool(self.executions or self.flows)


class Bell(Protocol):
    """Something to wait on that other threads can ring."""

    def ring(self) -> None:
        """End the wait, from any thread."""

    async def wait(self, timeout_s: float) -> bool:
        """Wait until it rings, or the time is over; then it is silent again. True: it has rung."""


class WorkerEngine(Protocol):
    """What a worker asks of the engine. Each method is the engine's own, with the arguments that a worker gives."""

    async def wait_for_work(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str],
        namespace: str,
        capabilities: Sequence[str],
        limit: int,
        lease_ttl_ms: int,
        poll_ms: int,
        timeout_ms: int | None,
    ) -> list[Claimed]:
        """Lease what may run, as soon as something may."""

    async def renew_all(self, leases: Sequence[Lease]) -> list[Renewed | LeaseLost]:
        """Keep many leases; each is answered for itself, in order."""

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        """While the block lasts, tell at once of executions whose lease may have been taken away."""

    async def heartbeat(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str],
        namespace: str,
        capabilities: Sequence[str],
        host: str,
        pid: int,
        version: str,
        ttl_ms: int,
    ) -> None:
        """Say that a worker lives and what it serves."""

    async def say_goodbye(self, worker_instance_id: str, *, namespace: str) -> None:
        """Take a worker off the list."""

    async def complete(self, lease: Lease, result: bytes | None) -> Completed:
        """End the execution well."""

    async def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """End many executions well; each is answered for itself, in order."""

    async def fail(
        self, lease: Lease, *, code: str, message: str, retryable: bool, traceback: str | None
    ) -> RetryScheduled | TerminalFailed:
        """Report a failed attempt."""

    async def release(self, lease: Lease) -> Released:
        """Hand the execution back."""

    async def delay(self, lease: Lease, *, until_ms: int) -> Released:
        """Hand the execution back, to be claimed again from the given instant on."""

    async def progress(self, lease: Lease, *, percent: int | None, message: str | None) -> None:
        """Say how far the attempt is."""

    async def record_step(self, lease: Lease, name: str, result: bytes, *, fingerprint: bytes) -> StepRecorded:
        """Keep what a named step has returned."""

    async def list_steps(self, execution_id: str) -> list[StepSnapshot]:
        """The stored steps of the execution."""

    async def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None:
        """The execution as it is now."""

    async def revoke_lease(
        self, execution_id: str, *, expected_lease_id: str, reason: str
    ) -> Revoked | AlreadySatisfied:
        """Take a lease away, so that the attempt counts as interrupted."""

    async def ack_cancel_member(self, flow_id: str, execution_id: str) -> None:
        """Acknowledge that a cancelled member's code has stopped."""


class ScheduleEngine(Protocol):
    """What is asked of the engine to fire schedules. Each method is the engine's own."""

    async def fire_schedule(self, schedule: NewSchedule, *, replace: bool) -> ScheduleFired:
        """Make an execution for each slot that is due."""


class CallerEngine(Protocol):
    """What tasks, handles and flows ask of the engine. Each method is the engine's own."""

    # submitting

    async def create_execution(
        self,
        kind: str,
        payload: bytes,
        *,
        lane: str,
        namespace: str,
        execution_id: str | None,
        priority: int,
        delay_until_ms: int | None,
        deadline_at_ms: int | None,
        idempotency_key: str | None,
        idempotency_ttl_ms: int,
        idempotency_on_ended: OnEnded,
        required_capabilities: Sequence[str],
        policy: ExecutionPolicy,
        tags: Mapping[str, str],
        conn: object,
    ) -> Created | Duplicate:
        """Make an execution, once per idempotency key."""

    async def create_executions(self, items: Sequence[NewExecution], /, *, conn: object) -> list[Created | Duplicate]:
        """Make all of them or none."""

    def transaction(self, conn: object, /) -> AbstractAsyncContextManager[None]:
        """The caller's own transaction, from its beginning to its end."""

    async def submit_flow(self, graph: FlowGraph, /, *, command_id: str | None = None) -> FlowSubmitted:
        """Make a whole flow, or nothing of it."""

    # following

    async def describe_execution(self, execution_id: str, /) -> ExecutionSnapshot | None:
        """The execution as it is now."""

    async def wait_for_result(self, execution_id: str, /, *, timeout_ms: int | None = None) -> ExecutionSnapshot:
        """Wait until it has ended. Raises TimeoutError."""

    async def get_result(self, execution_id: str, /) -> bytes | None:
        """Its result, if it has one."""

    async def read_events(self, *, cursor: str | None = None, execution_id: str | None = None) -> EventPage:
        """The next events."""

    async def cancel_execution(self, execution_id: str, /, *, reason: str) -> Cancelled:
        """End it for good."""

    async def replay_execution(
        self, execution_id: str, /, *, steps: Literal["keep", "clear"] | None = None, from_step: str | None = None
    ) -> Replayed:
        """Bring it back to life."""

    async def list_executions(self, *, flow_id: str | None = None, cursor: str | None = None, limit: int = 100) -> Page:
        """The members of a flow, newest first."""

    async def describe_flow(self, flow_id: str, /) -> FlowSnapshot | None:
        """The flow as it is now."""

    async def replay_flow(
        self,
        flow_id: str,
        /,
        *,
        what: Literal["failed", "all"] | Sequence[str] = "failed",
        steps: Literal["keep", "clear"] | None = None,
    ) -> FlowReplayed:
        """Bring members of it back to life."""

    async def cancel_flow(
        self,
        flow_id: str,
        /,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
    ) -> FlowCancelled | FlowAlreadyTerminal:
        """End a flow for good."""

    async def server_time_ms(self) -> int:
        """The store's time."""


class Access(Protocol):
    """The way to one engine, for callers on any event loop and for callers without one."""

    async def engine(self) -> CallerEngine:
        """The engine for the running event loop, opened if need be."""

    def run(self, work: Callable[[CallerEngine], Coroutine[Any, Any, T]]) -> T:
        """Do the same work in the caller's thread, without an event loop."""
