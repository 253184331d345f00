"""What goes into a batch and comes out: it says what it needs, a store loads that, and saves what has changed.

Each kind of record is declared once, in `Kinds`. What may be asked for (`Needs`), what was found (`Loaded`), the tables
of a `WorkingSet` and what is to be saved (`Changes`) have one attribute for each declaration.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Due, Execution, FailedAttempt, IdempotencyKey, Ready
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, EdgeKey, Flow, PendingAck
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.outcomes import RememberedAnswer
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.steps import Step, StepPlace
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
from flowfabric.domain.workers import Worker

KeyInNamespace = tuple[str, str]
Generation = tuple[ExecutionId, int]
"""One life of an execution: its id, and how often it had been replayed."""
AttemptKey = tuple[ExecutionId, int]
AckKey = tuple[FlowId, ExecutionId]
StepKey = tuple[ExecutionId, str]


class Kinds:
    """Every kind of record. What is declared here is loaded, undone, counted and handed to the store."""

    executions = Asked[ExecutionId, Execution, Pairs[Execution, Execution | None]](pairs, "execution_id")
    """One that is gone is gone with everything that belongs to it."""
    payloads = Asked[ExecutionId, bytes, Values[ExecutionId, bytes]](lasting_values)
    """A batch asks for those that it compares with another one. Those of all candidates are loaded, too."""
    results = Found[Generation, bytes, Values[Generation, bytes | None]](values)
    """A store loads those that satisfied edges pass on. None: the result of that life is gone."""
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
    """One that is gone is gone with its events, its whole graph and the accounts of its cancel. Its members are in
    `executions`."""
    edges = Asked[EdgeKey, Edge, Pairs[Edge, Edge]](lasting_pairs, "flow_id", "edge_id")
    groups = Asked[ExecutionId, EdgeGroup, Pairs[EdgeGroup, EdgeGroup]](lasting_pairs, "downstream")
    """Groups of edges, by the execution to which they lead."""
    dropped_cancels = Kind[FlowId, bool, Sequence[FlowId]](keys)
    """Flows whose cancel is forgotten, with its list and its accounts, before those below are written."""
    cancelled_members = Asked[FlowId, tuple[ExecutionId, ...], Values[FlowId, tuple[ExecutionId, ...]]](lasting_values)
    """What the cancel of a flow cancelled, in its order."""
    backlogs = Asked[FlowId, CancelBacklog, Values[FlowId, CancelBacklog | None]](values, "flow_id")
    acks = Asked[AckKey, PendingAck, Values[AckKey, PendingAck | None]](values, "flow_id", "execution_id")
    cleared_steps = Kind[ExecutionId, bool, Sequence[ExecutionId]](keys)
    """Executions of which all steps go, before those below are written."""
    dropped_steps = Kind[StepKey, bool, Sequence[StepKey]](keys)
    """Steps that go, before those below are written."""
    steps = Asked[StepKey, Step, Values[StepKey, Step]](lasting_values, "execution_id", "name")
    workers = Asked[KeyInNamespace, Worker, Values[KeyInNamespace, Worker | None]](
        values, "namespace", "worker_instance_id"
    )
    schedules = Asked[KeyInNamespace, Schedule, Values[KeyInNamespace, Schedule | None]](
        values, "definition.namespace", "definition.name"
    )
    lanes = Asked[KeyInNamespace, LaneState, Values[KeyInNamespace, LaneState]](lasting_values, "namespace", "lane")
    """A batch asks for those that it may change. Those that claims read are loaded anyway. A lane that was never paused
    has none."""


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
        """The lanes that it may take from: those that are not paused."""
        if not switches:
            return self.lanes
        found = [(lane, switches.get((self.namespace, lane))) for lane in self.lanes]
        return tuple(lane for lane, switch in found if switch is None or not switch.is_paused)


class Needs(_AskedKinds):
    """Everything a batch must see before it can be decided: records by their keys, and these questions."""

    key_holders: set[KeyInNamespace] = msgspec.field(default_factory=set)
    """Keys of which the execution that holds them is needed, too. A subset of `idempotency_keys`."""
    claims: dict[ClaimNeed, int] = msgspec.field(default_factory=dict)
    """How many candidates each claim could use at most."""
    flows_of: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose flow is needed, if they belong to one. A subset of `executions`."""
    outgoing: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose edges to others are needed, with the groups and the executions these lead to."""
    reach: set[ExecutionId] = msgspec.field(default_factory=set)
    """The same, and everything that can be reached from there."""
    incoming: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose group and edges from others are needed, with the executions these come from."""
    whole_flows: set[FlowId] = msgspec.field(default_factory=set)
    """Flows that are needed with all members, edges and groups. A subset of `flows`."""
    inputs: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions that may be handed out, with the results that are passed to them."""
    step_places: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions of which all steps are needed, without what they have returned."""

    @property
    def is_empty(self) -> bool:
        """True if nothing has to be seen."""
        return not any(getattr(self, field) for field in _QUESTIONS)

    @property
    def concerns_flows(self) -> bool:
        """True if a flow may have to be seen."""
        return bool(self.flows or self.flows_of)

    def add(self, more: "Needs") -> None:
        """Need that, too."""
        for field in _QUESTIONS:
            getattr(self, field).update(getattr(more, field))

    def holders_in(self, loaded: "Loaded") -> set[ExecutionId]:
        """The executions that hold the keys of `key_holders`, as far as they are not loaded."""
        found = (loaded.idempotency_keys.get(at) for at in self.key_holders)
        return {key.execution_id for key in found if key is not None} - loaded.executions.keys()

    def beyond(self, known: "Needs") -> "Needs":
        """What is still to be seen, once that is known."""
        rest = Needs()
        for field in _QUESTIONS:
            if field != "claims":
                setattr(rest, field, getattr(self, field) - getattr(known, field))
        rest.claims = {need: most for need, most in self.claims.items() if most > known.claims.get(need, 0)}
        return rest


class Loaded(_FoundKinds):
    """What a store found. Between load and commit nobody else changes these records."""

    candidates: dict[ClaimNeed, list[Ready]] = msgspec.field(default_factory=dict)
    """In queue order, from lanes that are not paused, with their executions loaded, and with what a claim of a flow's
    member must see: its flow, or its name in `started_flows`, and its inputs."""
    started_flows: set[FlowId] = msgspec.field(default_factory=set)
    """Flows that a claim has no need to start, although they are not ours."""
    outgoing: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """All edges that leave an execution, by edge id. No entry: not known."""
    incoming: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """All edges that lead to an execution, by edge id. No entry: not known."""
    members: dict[FlowId, list[ExecutionId]] = msgspec.field(default_factory=dict)
    """All members of a whole flow, by uuid."""
    passing: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """The edges that pass a result to an execution, by edge id. No entry: not known."""
    last_step_numbers: dict[ExecutionId, int] = msgspec.field(default_factory=dict)
    """Of the executions of the steps asked for; one without a numbered step has none."""
    step_places: dict[ExecutionId, list[StepPlace]] = msgspec.field(default_factory=dict)
    """All steps of an execution, in the order in which they were stored."""


class Changes(_ChangedKinds):
    """What a batch has changed, for a store to write as sets."""

    events: list[Event] = msgspec.field(default_factory=list)
    stale_ready: list[Ready] = msgspec.field(default_factory=list)
    """Rows of the queue that no record stands behind."""
    stale_due: list[Due] = msgspec.field(default_factory=list)
    repaired: list[Execution] = msgspec.field(default_factory=list)
    """Records whose side rows are to be written whether they changed or not."""
    forget_batches_before_ms: int | None = None
    forget_events_until_ms: int | None = None
    """Events that belong to no execution and no flow go, if they happened then or before."""

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to write."""
        changes = msgspec.structs.astuple(self)
        return not any(changes) and 0 not in changes  # 0 is an instant, and not nothing


_QUESTIONS: Final = Needs.__struct_fields__


def leases_taken(changes: Changes) -> list[ExecutionId]:
    """The executions whose lease was ended by anyone but its holder: its epoch has moved on (see `lease`).

    A claim moves it on, too, but leaves the execution active. So does a replay, of which nobody has a lease to lose.
    """
    return [
        before.execution_id
        for before, x in changes.executions
        if before is not None
        and (x is None or x.lease_epoch != before.lease_epoch)
        and (before.lifecycle_phase == "active" or (x is not None and x.lifecycle_phase != "active"))
    ]


def ends_in(changes: Changes) -> list[str]:
    """The executions that have come to their end, and the flows whose cancel is fully acknowledged."""
    ended: list[str] = [x.execution_id for _, x in changes.executions if x is not None and x.has_ended]
    return ended + [flow_id for flow_id, backlog in changes.backlogs.items() if backlog is None]
