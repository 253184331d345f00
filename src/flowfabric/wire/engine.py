"""The engine as server and client see it: every method that is offered over HTTP, with its exact signature."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from flowfabric.domain.access import Principal
from flowfabric.domain.events import Event
from flowfabric.domain.flow_snapshots import EdgeSnapshot, FlowSnapshot
from flowfabric.domain.health.finding import Problem, Severity
from flowfabric.domain.lease import Lease
from flowfabric.domain.snapshots import (
    AttemptSnapshot,
    EndsInMinute,
    ExecutionSnapshot,
    FailureGroup,
    LaneSnapshot,
    Page,
    Stats,
    StepSnapshot,
)
from flowfabric.domain.states import PublicState
from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.domain.streams import Said
from flowfabric.drawing.picture import FlowLayout
from flowfabric.wire.methods.looking import Looking
from flowfabric.wire.methods.making import Making
from flowfabric.wire.methods.steering import Steering
from flowfabric.wire.methods.working import Working


class FollowedEvents(Protocol):
    """An endless sequence of events."""

    @property
    def cursor(self) -> str | None:
        """The cursor after the last event that was delivered."""

    @property
    def has_more(self) -> bool:
        """Whether the next event is there already."""

    def __anext__(self) -> Awaitable[Event]:
        """The next event. Waits for it if necessary."""


class FollowedFrames(Protocol):
    """The frames of one stream, as they are written."""

    @property
    def cursor(self) -> str | None:
        """The cursor after the last frame that was delivered."""

    @property
    def has_more(self) -> bool:
        """Whether the next frame is there already."""

    @property
    def closed_reason(self) -> str | None:
        """How the execution has ended, once the iteration is over."""

    def __anext__(self) -> Awaitable[StreamFrame]:
        """The next frame. Waits for it if necessary."""


class WireEngine(Making, Looking, Steering, Working, Protocol):
    """An engine that a server offers, or that a client is. Its docstrings are those of `Engine`."""

    def scoped(self, namespace: str) -> "WireEngine":
        """The same engine, confined to one namespace. On the wire: the header `FF-Namespace`."""

    def acting_as(self, actor: str) -> "WireEngine":
        """The same engine, acting for a person. On the wire: the header `FF-Actor`, which only an admin may send."""

    def saying(self, said: Said) -> "WireEngine":
        """The same engine for one command of a worker. On the wire: `said` in the body of that command."""

    def sent_from(self, traceparent: str) -> "WireEngine":
        """The same engine for one command, which a span of the caller sends. On the wire: the header `traceparent`."""

    def deciding_as(self, who: Principal) -> "WireEngine":
        """The same engine for signals of this person. A server uses it, and it does not travel."""

    def subscribe(
        self,
        *,
        cursor: str | None = None,
        from_now: bool = False,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
    ) -> FollowedEvents:
        """Every event after the cursor, once and in order. On the wire: Server-Sent Events."""

    def follow_stream(self, execution_id: str, *, cursor: str | None = None) -> FollowedFrames:
        """The frames that count, as they are written. On the wire: Server-Sent Events."""

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        """Report leases that may be over. On the wire: `wait_for_lost`, again and again."""


class NodeSnapshot(msgspec.Struct, frozen=True):
    """One member of a flow, for a picture of the flow."""

    execution_id: str
    node: str | None
    """Its name in the flow that it was submitted with."""
    kind: str
    public_state: PublicState
    attempt_index: int
    started_at_ms: int | None
    terminal_at_ms: int | None


class GraphSnapshot(msgspec.Struct, frozen=True):
    """A flow as a picture shows it: its members, oldest first, and the edges between them, with their states."""

    flow: FlowSnapshot
    nodes: Sequence[NodeSnapshot]
    edges: Sequence[EdgeSnapshot]


def node_of(x: ExecutionSnapshot) -> NodeSnapshot:
    """What a picture shows of a member."""
    return NodeSnapshot(
        x.execution_id, x.node, x.kind, x.public_state, x.attempt_index, x.started_at_ms, x.terminal_at_ms
    )


class FoundProblem(msgspec.Struct, frozen=True):
    """One problem that a doctor has found: what is wrong, why that matters, what to do."""

    problem: Problem
    severity: Severity
    what: str
    why: str
    advice: str
    """What to do. Commands stand between backticks."""


class Diagnosis(msgspec.Struct, frozen=True):
    """What `ff doctor` says about the database of a server, as of a few seconds ago."""

    is_healthy: bool | None
    """Whether there is no problem, or only advice. None: nothing could be examined."""
    summary: str
    """All of it in one sentence."""
    findings: Sequence[FoundProblem]
    """The most fundamental problem comes first."""
    unknown: Sequence[str]
    """What could not be examined, and how to make it visible."""


class OpenQuestion(msgspec.Struct, frozen=True):
    """A question that waits for a decision of a person. `signal` answers it: the name of the signal is the choice."""

    execution_id: str
    kind: str
    namespace: str
    lane: str
    flow_id: str | None
    created_by: str | None
    """Who has made the execution. An approver does not decide about its own work."""
    wait: str
    """The name of the wait."""
    key: str
    """The key of the waitpoint."""
    title: str
    choices: Sequence[str]
    """The first one approves."""
    about: Mapping[str, object]
    """Everything that people are shown."""
    since_ms: int
    timeout_at_ms: int | None
    on_timeout: str
    """What becomes of the execution when that time is over."""


class Overview(msgspec.Struct, frozen=True):
    """What a person wants to see first: how much there is to do, what has ended, what has failed, who is asked."""

    stats: Stats
    lanes: Sequence[LaneSnapshot]
    ends: Sequence[EndsInMinute]
    """What has ended in each minute of the last hour."""
    failures: Sequence[FailureGroup]
    """What has failed within the last hour, and has not been replayed, by kind, code and message: the most frequent."""
    questions: Sequence[OpenQuestion]
    """Open questions, the longest wait first."""
    has_more_questions: bool


class ExecutionView(msgspec.Struct, frozen=True):
    """An execution and what is known about it, as a page shows it. Its parts are read at nearly the same time."""

    execution: ExecutionSnapshot
    explanation: str
    """Why it does not run, or what it does."""
    attempts: Sequence[AttemptSnapshot]
    steps: Sequence[StepSnapshot]
    events: Sequence[Event]
    """The first ones, at most 500."""
    questions: Sequence[OpenQuestion]
    """What it asks people."""
    payload: bytes | None
    """None: the caller did not ask for it, or it is large. `get_payload` has it then."""
    result: bytes | None
    """The same for the result, which is also None while there is none."""


class ServerMethods(Protocol):
    """What a server offers beside the methods of the engine."""

    async def doctor(self) -> Diagnosis:
        """What is wrong with the database and its workers, and what to do about it. Nothing is changed.

        A caller who is confined to a namespace hears of the work in that namespace only.
        """

    async def overview(self) -> Overview:
        """The store at a glance, in one answer. Callers who ask at nearly the same time get the same answer."""

    async def view_execution(self, execution_id: str, *, values: bool = False) -> ExecutionView | None:
        """An execution with its attempts, steps, events and open questions. None: there is no such execution.

        With `values`, its payload and its result come along, unless they have more than 64 KiB.
        """

    async def list_questions(self, *, cursor: str | None = None, limit: int = 100) -> Page:
        """Questions that wait for a decision of a person. The one that has waited longest comes first.

        A page may have fewer items than the limit, or none, and still have a cursor: many suspended executions ask
        nobody. It may have a few more: an execution may ask several questions.
        """

    async def flow_graph(self, flow_id: str) -> GraphSnapshot | None:
        """A flow with its members and its edges, for a picture. None: there is no such flow."""

    async def flow_layout(
        self, flow_id: str, *, expand: Sequence[str] = (), members: bool = False
    ) -> FlowLayout | None:
        """A flow as a picture: where its nodes and edges are, and their states. None: there is no such flow.

        Members that are alike share a node. `expand` names nodes whose members are shown one by one. With `members`,
        each group tells the ids of all its members. Places change only with the revision of the graph, and states at
        any time.
        """

    async def wait_for_lost(self, leases: Sequence[Lease], *, timeout_ms: int = 30_000) -> list[str]:
        """Wait until some of these leases may be over, and return the ids of their executions.

        Renew these leases: the answer says which are over. Empty: the time is over. A loss may go unreported, so go on
        renewing all leases at their usual time.
        """
