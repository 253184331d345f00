"""The input and output of a batch: the batch says what it needs, a store loads that, and saves what has changed.

Each kind of record is declared once, in `Kinds`. What may be asked for (`Needs`), what was found (`Loaded`), the tables
of a `WorkingSet` and what is to be saved (`Changes`) have one attribute for each declaration.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from flowfabric.domain.access import AccessToken
from flowfabric.domain.budgets import Budget, BudgetAt, BudgetUse, LedgerLine, SpendKey, UseAt
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Due, Execution, FailedAttempt, IdempotencyKey, Ready
from flowfabric.domain.fairness import KeyTurn, KeyTurnAt, LaneTurn, TurnsAt
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, EdgeKey, Flow, PendingAck
from flowfabric.domain.gates import GateAt
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import CountsDuty, LaneState
from flowfabric.domain.limits import KeyAt, KeyUse, Limit
from flowfabric.domain.news import WaitEnd
from flowfabric.domain.remembered_answers import RememberedAnswer
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.steps import Step, StepPlace
from flowfabric.domain.streams import Chunk, Stream
from flowfabric.domain.summaries import StoredSummary
from flowfabric.domain.tables import (
    Asked,
    Found,
    Kind,
    Pairs,
    Values,
    keys,
    lasting_pairs,
    lasting_values,
    pairs,
    values,
)
from flowfabric.domain.waiting import Alias, KeyRing, SignalKey, SignalMark, StoredSignal, StoredWaitpoint
from flowfabric.domain.workers import Worker

KeyInNamespace = tuple[str, str]
Generation = tuple[ExecutionId, int]
"""One life of an execution: its id, and how often it had been replayed."""
AttemptKey = tuple[ExecutionId, int]
AckKey = tuple[FlowId, ExecutionId]
StepKey = tuple[ExecutionId, str]
WaitpointKey = tuple[ExecutionId, str]
SignalNumber = tuple[ExecutionId, int]
SignalKeyAt = tuple[ExecutionId, str, str]
"""An execution, the key of its waitpoint, and the idempotency key of a signal."""
AliasKeyAt = tuple[str, str, str]
"""A namespace, an alias, and the idempotency key of a signal."""


NumbersAt = tuple[str, str, str | None]
"""A namespace, the name of a limit, and a key with numbers of its own, or None."""
Age = tuple[int, str, int]
"""Since when an execution waits, its uuid and its partition: the oldest is first."""
SubRoom = tuple[GateAt, str, tuple[str, ...]]
"""Executions of one lane and one set of capabilities that are parked at one gate."""
KeysAfter = tuple[str, str, str, int]
"""A namespace, the name of a limit, a key, and how many keys after it are asked for."""
LineAt = tuple[ExecutionId, str, int, int]
"""An execution, a budget, the start of a period, and the start of a day."""

SpendKeyAt = tuple[ExecutionId, str, str]
"""An execution, a budget, and the idempotency key of a spend."""


ChunkKey = tuple[ExecutionId, int, int]
"""An execution, an epoch, and the number of the first frame of a chunk."""


class Kinds:
    """Every kind of record. A kind that is declared here is loaded, undone, counted and saved."""

    executions = Asked[ExecutionId, Execution, Pairs[Execution, Execution | None]](pairs, "execution_id")
    """If an execution is removed, everything that belongs to it is removed as well."""
    payloads = Asked[ExecutionId, bytes, Values[ExecutionId, bytes]](lasting_values)
    """A batch asks for the payloads that it compares. The payloads of all candidates are loaded, too."""
    results = Found[Generation, bytes, Values[Generation, bytes | None]](values)
    """A store loads the results that satisfied edges pass on. None: the result of that life was removed."""
    attempts = Kind[AttemptKey, Attempt, Values[AttemptKey, Attempt]](lasting_values, "execution_id", "attempt_index")
    failures = Kind[AttemptKey, FailedAttempt, Values[AttemptKey, FailedAttempt]](
        lasting_values, "execution_id", "attempt_index"
    )
    idempotency_keys = Asked[KeyInNamespace, IdempotencyKey, Values[KeyInNamespace, IdempotencyKey | None]](
        values, "namespace", "key"
    )
    answers = Asked[KeyInNamespace, RememberedAnswer, Values[KeyInNamespace, RememberedAnswer | None]](
        values, "scope", "command_id"
    )
    flows = Asked[FlowId, Flow, Pairs[Flow, Flow | None]](pairs, "flow_id")
    """If a flow is removed, its events, its whole graph and the open acknowledgements of its cancel are removed as
    well. Its members are in `executions`."""
    edges = Asked[EdgeKey, Edge, Pairs[Edge, Edge]](lasting_pairs, "flow_id", "edge_id")
    groups = Asked[ExecutionId, EdgeGroup, Pairs[EdgeGroup, EdgeGroup]](lasting_pairs, "downstream")
    """Groups of edges, by the execution to which they lead."""
    dropped_cancels = Kind[FlowId, bool, Sequence[FlowId]](keys)
    """Flows whose cancel is forgotten: the list of its members and its open acknowledgements are removed first, then
    the records below are written."""
    cancelled_members = Asked[FlowId, tuple[ExecutionId, ...], Values[FlowId, tuple[ExecutionId, ...]]](lasting_values)
    """The members that the cancel of a flow has cancelled, in the order of the cancel."""
    backlogs = Asked[FlowId, CancelBacklog, Values[FlowId, CancelBacklog | None]](values, "flow_id")
    acks = Asked[AckKey, PendingAck, Values[AckKey, PendingAck | None]](values, "flow_id", "execution_id")
    cleared_steps = Kind[ExecutionId, bool, Sequence[ExecutionId]](keys)
    """Executions that lose all their steps. This happens before the steps below are written."""
    dropped_steps = Kind[StepKey, bool, Sequence[StepKey]](keys)
    """Single steps that are removed. This happens before the steps below are written."""
    steps = Asked[StepKey, Step, Values[StepKey, Step]](lasting_values, "execution_id", "name")
    cleared_inboxes = Kind[ExecutionId, bool, Sequence[ExecutionId]](keys)
    """Executions that lose all their waitpoints, signals, keys of signals and aliases. This happens before the records
    below are written."""
    dropped_waitpoints = Kind[WaitpointKey, bool, Sequence[WaitpointKey]](keys)
    """Single waitpoints that are removed, with the keys of their signals. Their signals are not. This happens before
    the records below are written."""
    waitpoints = Asked[WaitpointKey, StoredWaitpoint, Values[WaitpointKey, StoredWaitpoint | None]](
        values, "execution_id", "key"
    )
    """A waitpoint is removed by one of the kinds above. None: it was made and removed within the batch."""
    signals = Asked[SignalNumber, StoredSignal, Values[SignalNumber, StoredSignal | None]](
        values, "execution_id", "number"
    )
    """A batch asks for the signals whose payloads it needs. It writes new signals, and removes signals."""
    takings = Kind[SignalNumber, str, Values[SignalNumber, str | None]](values)
    """Signals that a wait takes, with the name of the wait. None: the signal is kept for another wait again."""
    signal_keys = Asked[SignalKeyAt, SignalKey, Values[SignalKeyAt, SignalKey]](
        lasting_values, "execution_id", "key", "idempotency_key"
    )
    aliases = Asked[KeyInNamespace, Alias, Values[KeyInNamespace, Alias | None]](values, "namespace", "alias")
    key_rings = Asked[str, KeyRing, Values[str, KeyRing]](lasting_values, "name")
    streams = Asked[ExecutionId, Stream, Values[ExecutionId, Stream]](lasting_values, "execution_id")
    """Streams, chunks and summaries change only under the lock of their execution."""
    chunks = Asked[ChunkKey, Chunk, Values[ChunkKey, Chunk | None]](values, "execution_id", "lease_epoch", "first_seq")
    """A chunk never changes. None: it is removed, or was made and removed within the batch."""
    summaries = Asked[ExecutionId, StoredSummary, Values[ExecutionId, StoredSummary]](lasting_values, "execution_id")
    workers = Asked[KeyInNamespace, Worker, Values[KeyInNamespace, Worker | None]](
        values, "namespace", "worker_instance_id"
    )
    access_tokens = Asked[str, AccessToken, Pairs[AccessToken, AccessToken | None]](pairs, "token_id")
    schedules = Asked[KeyInNamespace, Schedule, Values[KeyInNamespace, Schedule | None]](
        values, "definition.namespace", "definition.name"
    )
    lanes = Asked[KeyInNamespace, LaneState, Values[KeyInNamespace, LaneState]](lasting_values, "namespace", "lane")
    """A batch asks for the lanes that it may change. The lanes that claims read are loaded anyway. A lane that was
    never paused has no record."""
    limits = Asked[NumbersAt, Limit, Values[NumbersAt, Limit | None]](values, "namespace", "name", "key")
    """Read without a lock: a limit that changes meanwhile holds for the next batch."""
    key_uses = Asked[KeyAt, KeyUse, Values[KeyAt, KeyUse | None]](values, "namespace", "name", "key")
    """A store locks them after executions, flows and keys, and before members and candidates, all in one order."""
    lane_turns = Asked[TurnsAt, LaneTurn, Values[TurnsAt, LaneTurn]](lasting_values, "namespace", "lane", "priority")
    """A store locks them before the uses of keys. Those that only creations need are locked, too."""
    key_turns = Asked[KeyTurnAt, KeyTurn, Values[KeyTurnAt, KeyTurn | None]](
        values, "namespace", "lane", "priority", "fair_key"
    )
    """A store locks them after the turns of lanes."""
    budgets = Asked[BudgetAt, Budget, Values[BudgetAt, Budget]](lasting_values, "namespace", "name")
    """Read without a lock, as limits are."""
    budget_uses = Asked[UseAt, BudgetUse, Values[UseAt, BudgetUse | None]](values, "namespace", "name", "period_ms")
    """A store locks them after the uses of keys, all in one order."""
    ledger = Asked[LineAt, LedgerLine, Values[LineAt, LedgerLine]](
        lasting_values, "execution_id", "budget", "period_ms", "day_ms"
    )
    """They change only under the lock of their execution."""
    spend_keys = Asked[SpendKeyAt, SpendKey, Values[SpendKeyAt, SpendKey]](
        lasting_values, "execution_id", "budget", "idempotency_key"
    )
    """They change only under the lock of their execution."""
    looked_at = Kind[GateAt, bool, Sequence[GateAt]](keys)
    """Gates that were looked at: the instants that were noted for them are removed, before those below are noted."""
    openings = Kind[GateAt, int, Values[GateAt, int | None]](values)
    """When a gate shall be looked at again, because it may have room then. The earliest instant counts. None: nothing
    is noted by this batch."""


KINDS: Final[Mapping[str, Kind[Any, Any, Any]]] = {
    name: kind for name, kind in vars(Kinds).items() if isinstance(kind, Kind)
}

# To the type checker a view has the declarations themselves, each with the type that it has in that view. At run time
# it is a struct with one field for each.
if TYPE_CHECKING:

    class _View(Kinds, msgspec.Struct): ...

    _AskedKinds = _View
    _FoundKinds = _View
    _ChangedKinds = _View
else:

    def _one_field_each(name: str, factories: Mapping[str, Callable[[], object]]) -> type[msgspec.Struct]:
        fields = [(kind, Any, msgspec.field(default_factory=make)) for kind, make in factories.items()]
        return msgspec.defstruct(name, fields)

    _AskedKinds = _one_field_each("_AskedKinds", {name: set for name, kind in KINDS.items() if kind.is_asked})
    _FoundKinds = _one_field_each("_FoundKinds", {name: dict for name, kind in KINDS.items() if kind.is_found})
    _ChangedKinds = _one_field_each(
        "_ChangedKinds", {name: type(kind.changes_of({}, {})) for name, kind in KINDS.items()}
    )


# ── views ────────────────────────────────────────────────────────────────────────────────────────


class ClaimNeed(msgspec.Struct, frozen=True):
    """Which part of the queue a claim reads."""

    namespace: str
    lanes: tuple[str, ...]
    capabilities: frozenset[str]

    def admits(self, ready: Ready) -> bool:
        """Whether a claim of this kind may take the execution."""
        return (
            ready.lane in self.lanes
            and ready.namespace == self.namespace
            and self.capabilities.issuperset(ready.required_capabilities)
        )

    def open_lanes(self, switches: Mapping[KeyInNamespace, LaneState]) -> tuple[str, ...]:
        """The lanes that the claim may take from: those that are not paused."""
        if not switches:
            return self.lanes
        found = [(lane, switches.get((self.namespace, lane))) for lane in self.lanes]
        return tuple(lane for lane, switch in found if switch is None or not switch.is_paused)


class Needs(_AskedKinds):
    """Everything a batch must see before it can be decided: records by their keys, and these questions."""

    key_holders: set[KeyInNamespace] = msgspec.field(default_factory=set)
    """Keys for which the execution that holds the key is needed, too. A subset of `idempotency_keys`."""
    claims: dict[ClaimNeed, int] = msgspec.field(default_factory=dict)
    """How many candidates each claim could use at most."""
    flows_of: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose flow is needed, if they belong to one. A subset of `executions`."""
    outgoing: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose outgoing edges are needed, with the groups and the executions to which these edges lead."""
    reach: set[ExecutionId] = msgspec.field(default_factory=set)
    """The same as `outgoing`, and everything that can be reached from there."""
    incoming: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose group and incoming edges are needed, with the executions from which these edges come."""
    whole_flows: set[FlowId] = msgspec.field(default_factory=set)
    """Flows that are needed with all members, edges and groups. A subset of `flows`."""
    inputs: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions that a claim may lease, with the results that are passed to them."""
    step_places: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose steps are all needed, without the results of the steps."""
    kept_signals: set[tuple[ExecutionId, str, int]] = msgspec.field(default_factory=set)
    """Waitpoints (execution and key) whose kept signals are needed without their payloads: the oldest ones, at most so
    many."""
    inboxes: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose waitpoints and signals are all needed, the signals without their payloads."""
    alias_keys: set[AliasKeyAt] = msgspec.field(default_factory=set)
    """Idempotency keys of signals that were sent to an alias."""
    parked: dict[GateAt, int] = msgspec.field(default_factory=dict)
    """Gates whose parked executions are needed: the first ones of each lane and set of capabilities, so many of each.
    A store leaves out those that another transaction holds."""
    running: dict[GateAt, int] = msgspec.field(default_factory=dict)
    """Gates of which executions are needed that run and need not pause yet: the oldest ones, at most so many. A store
    leaves out those that another transaction holds."""
    crowded: set[SubRoom] = msgspec.field(default_factory=set)
    """Gates, with a lane and a set of capabilities, of which is asked whether an execution is parked there. Nothing is
    locked for this."""
    in_the_way: dict[GateAt, int] = msgspec.field(default_factory=dict)
    """Gates of which the oldest executions that wait there are needed, and the oldest that run, at most so many of
    each. Nothing is locked."""
    crowded_keys: set[KeysAfter] = msgspec.field(default_factory=set)
    """Limits of which is asked at which keys executions are parked: the first ones after a key, at most so many. After
    the key "", the key "" itself is among them."""
    budgets_under: set[BudgetAt] = msgspec.field(default_factory=set)
    """Budgets of which is asked which others have them as their parent. Nothing is locked."""
    oldest_chunks: set[tuple[ExecutionId, int]] = msgspec.field(default_factory=set)
    """Executions whose oldest chunks are needed, without their frames: at most so many."""
    live_children: set[tuple[ExecutionId, int]] = msgspec.field(default_factory=set)
    """Executions whose children are needed that have not ended: the first ones by id, at most so many."""

    @property
    def is_empty(self) -> bool:
        """True if nothing has to be loaded."""
        return not any(msgspec.structs.astuple(self))

    @property
    def concerns_flows(self) -> bool:
        """True if a flow may have to be loaded."""
        return bool(self.flows or self.flows_of)

    def add(self, more: "Needs") -> None:
        """Add everything that `more` needs."""
        for mine, others in zip(msgspec.structs.astuple(self), msgspec.structs.astuple(more), strict=True):
            if others:
                mine.update(others)

    def holders_in(self, loaded: "Loaded") -> set[ExecutionId]:
        """The executions that hold the keys of `key_holders` and are not loaded yet."""
        found = (loaded.idempotency_keys.get(at) for at in self.key_holders)
        return {key.execution_id for key in found if key is not None} - loaded.executions.keys()

    def beyond(self, known: "Needs") -> "Needs":
        """What is still to be loaded if everything in `known` is loaded."""
        rest = Needs()
        for field in _QUESTIONS:
            if field not in _COUNTED:
                setattr(rest, field, getattr(self, field) - getattr(known, field))
        for field in _COUNTED:
            asked, loaded = getattr(self, field), getattr(known, field)
            setattr(rest, field, {key: most for key, most in asked.items() if most > loaded.get(key, 0)})
        return rest


class Loaded(_FoundKinds):
    """What a store found. Between load and commit no other transaction changes these records."""

    candidates: dict[ClaimNeed, list[Ready]] = msgspec.field(default_factory=dict)
    """Candidates in queue order, from lanes that are not paused: as many as were asked for of those without gates, then
    as many of those with gates, then as many of those with turns from each lane. Their executions are loaded. For a
    member of a flow, its inputs are loaded as well, and its flow is loaded or listed in `started_flows`."""
    started_flows: set[FlowId] = msgspec.field(default_factory=set)
    """Flows that have started already, so that a claim need not start them. This batch has not locked them."""
    outgoing: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """All edges that leave an execution, by edge id. No entry: not known."""
    incoming: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """All edges that lead to an execution, by edge id. No entry: not known."""
    members: dict[FlowId, list[ExecutionId]] = msgspec.field(default_factory=dict)
    """All members of a whole flow, by uuid."""
    passing: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """The edges that pass a result to an execution, by edge id. No entry: not known."""
    last_step_numbers: dict[ExecutionId, int] = msgspec.field(default_factory=dict)
    """The highest step number of each execution whose steps were asked for. No entry: it has no numbered step."""
    step_places: dict[ExecutionId, list[StepPlace]] = msgspec.field(default_factory=dict)
    """All steps of an execution, in the order in which they were stored."""
    kept_signals: dict[WaitpointKey, list[SignalMark]] = msgspec.field(default_factory=dict)
    """Signals of a waitpoint that no wait has taken, in the order of their arrival. No entry: there is none."""
    inboxes: dict[ExecutionId, tuple[list[StoredWaitpoint], list[StoredSignal]]] = msgspec.field(default_factory=dict)
    """All waitpoints by key, and all signals in the order of their arrival, without payloads (empty bytes)."""
    alias_keys: dict[AliasKeyAt, SignalKey] = msgspec.field(default_factory=dict)
    parked: dict[GateAt, list[Ready]] = msgspec.field(default_factory=dict)
    """The places of parked executions, in the order of the queue. The executions are loaded."""
    running: dict[GateAt, list[ExecutionId]] = msgspec.field(default_factory=dict)
    """Executions that run under a gate. They are loaded, with their flows."""
    crowded: set[SubRoom] = msgspec.field(default_factory=set)
    """Those of the asked ones at which an execution is parked."""
    in_the_way: dict[GateAt, tuple[list[Age], list[Age]]] = msgspec.field(default_factory=dict)
    """The oldest executions that are queued or parked at a gate, and the oldest that run. They are not loaded."""
    crowded_keys: dict[KeysAfter, list[str]] = msgspec.field(default_factory=dict)
    budgets_under: dict[BudgetAt, list[str]] = msgspec.field(default_factory=dict)
    """The names of the budgets that have a budget as their parent, in order."""
    oldest_chunks: dict[ExecutionId, list[Chunk]] = msgspec.field(default_factory=dict)
    """The oldest chunks of a stream, in order, without their frames (empty bytes)."""
    live_children: dict[ExecutionId, list[ExecutionId]] = msgspec.field(default_factory=dict)
    """Children that have not ended, by id. They are loaded. No entry: not known."""


class Changes(_ChangedKinds):
    """What a batch has changed, for a store to write as sets."""

    events: list[Event] = msgspec.field(default_factory=list)
    stale_ready: list[Ready] = msgspec.field(default_factory=list)
    """Rows of the queue that no record justifies."""
    stale_due: list[Due] = msgspec.field(default_factory=list)
    repaired: list[Execution] = msgspec.field(default_factory=list)
    """Records whose side rows (queue, due) are written even if the record has not changed."""
    cut_short: set[tuple[str, str]] = msgspec.field(default_factory=set)
    """Lanes (with namespaces) in which a claim has parked so many that it gave up. There may be more to claim."""
    freed: set[KeyAt] = msgspec.field(default_factory=set)
    """Keys of limits of which a slot was given back, for those who wait for one. There is nothing to write."""
    forget_batches_before_ms: int | None = None
    forget_events_until_ms: int | None = None
    """Events that belong to no execution and no flow are removed if they happened at this instant or earlier."""
    counts_duty: CountsDuty | None = None

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to write."""
        changes = msgspec.structs.astuple(self)
        return not any(changes) and 0 not in changes  # 0 is an instant: it counts as a change


_QUESTIONS: Final = Needs.__struct_fields__
_COUNTED: Final = ("claims", "parked", "running", "in_the_way")
"""Questions with a number: how many are asked for."""


def leases_taken(changes: Changes) -> list[ExecutionId]:
    """The executions whose lease was ended by someone other than its holder: their epoch has grown (see `lease`).

    A claim raises the epoch, too, but leaves the execution active. A replay raises it when nobody holds a lease.
    """
    return [
        before.execution_id
        for before, x in changes.executions
        if before is not None
        and (x is None or x.lease_epoch != before.lease_epoch)
        and (before.lifecycle_phase == "active" or (x is not None and x.lifecycle_phase != "active"))
    ]


def waits_over_in(changes: Changes) -> list[ExecutionId]:
    """The executions that are leased, and whose workers do not know yet that one of their waits has ended."""
    return [
        x.execution_id
        for before, x in changes.executions
        if x is not None and x.inbox is not None and x.inbox.unanswered and x.lifecycle_phase == "active"
        if before is None or before.inbox is None or not set(x.inbox.unanswered) <= set(before.inbox.unanswered)
    ]


def wait_ends_in(changes: Changes) -> list[WaitEnd]:
    """The ends of waits that their workers do not know, if the executions are leased: for long, or by this batch."""
    ended = [step for step in changes.steps.values() if step.is_wait]
    if not ended:
        return []
    leased = {
        x.execution_id: (before, x)
        for before, x in changes.executions
        if before is not None and x is not None and x.lifecycle_phase == "active"
    }
    found: list[WaitEnd] = []
    for step in ended:
        if step.execution_id not in leased:
            continue
        before, x = leased[step.execution_id]
        is_unanswered = x.inbox is not None and step.name in x.inbox.unanswered
        if is_unanswered or x.lease_epoch != before.lease_epoch:
            at = (x.execution_id, x.namespace, x.lease_epoch)
            found.append(WaitEnd(*at, step.name, step.fingerprint, step.result, is_unanswered))
    return found


def unsettled_in(changes: Changes) -> list[tuple[ExecutionId, ExecutionId]]:
    """The executions whose ends concern a parent or children that do not know of it yet, each after its parent.

    An execution without a parent stands twice.
    """
    return [
        (x.parent_id or x.execution_id, x.execution_id)
        for _, x in changes.executions
        if x is not None and x.unsettled and (x.parent_id is not None or x.has_children)
    ]


def ends_in(changes: Changes) -> list[str]:
    """The executions that have come to their end, and the flows whose cancel is fully acknowledged."""
    ended: list[str] = [x.execution_id for _, x in changes.executions if x is not None and x.has_ended]
    return ended + [flow_id for flow_id, backlog in changes.backlogs.items() if backlog is None]
