"""What stores and decisions exchange: a batch says what it needs, a store shows it, and is told what has changed."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Due, Execution, FailedAttempt, IdempotencyKey, Ready
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, EdgeKey, Flow, PendingAck
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import LaneSwitch
from flowfabric.domain.outcomes import RememberedAnswer
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.steps import Step, StepPlace
from flowfabric.domain.workers import Worker

KeyInNamespace = tuple[str, str]
Generation = tuple[ExecutionId, int]
"""One life of an execution: its id, and how often it had been replayed."""
AttemptKey = tuple[ExecutionId, int]
AckKey = tuple[FlowId, ExecutionId]
StepKey = tuple[ExecutionId, str]


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

    def open_lanes(self, switches: Mapping[KeyInNamespace, LaneSwitch]) -> tuple[str, ...]:
        """The lanes that it may take from: those that are not paused."""
        if not switches:
            return self.lanes
        found = [(lane, switches.get((self.namespace, lane))) for lane in self.lanes]
        return tuple(lane for lane, switch in found if switch is None or not switch.is_paused)


class Needs(msgspec.Struct):
    """Everything a batch must see before it can be decided."""

    executions: set[ExecutionId] = msgspec.field(default_factory=set)
    payloads: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose payload is compared with another one."""
    idempotency_keys: set[KeyInNamespace] = msgspec.field(default_factory=set)
    key_holders: set[KeyInNamespace] = msgspec.field(default_factory=set)
    """Keys of which the execution that holds them is needed, too. A subset of `idempotency_keys`."""
    answers: set[KeyInNamespace] = msgspec.field(default_factory=set)
    claims: dict[ClaimNeed, int] = msgspec.field(default_factory=dict)
    """How many candidates each claim could use at most."""
    flows: set[FlowId] = msgspec.field(default_factory=set)
    flows_of: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose flow is needed, if they belong to one. A subset of `executions`."""
    outgoing: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose edges to others are needed, with the groups and the executions these lead to."""
    reach: set[ExecutionId] = msgspec.field(default_factory=set)
    """The same, and everything that can be reached from there."""
    incoming: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose group and edges from others are needed, with the executions these come from."""
    groups: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose group is needed, if there is one."""
    edges: set[EdgeKey] = msgspec.field(default_factory=set)
    """Edges that are asked for by their ids."""
    whole_flows: set[FlowId] = msgspec.field(default_factory=set)
    """Flows that are needed with all members, edges and groups. A subset of `flows`."""
    inputs: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions that may be handed out, with the results that are passed to them."""
    cancelled_members: set[FlowId] = msgspec.field(default_factory=set)
    backlogs: set[FlowId] = msgspec.field(default_factory=set)
    acks: set[AckKey] = msgspec.field(default_factory=set)
    steps: set[StepKey] = msgspec.field(default_factory=set)
    step_places: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions of which all steps are needed, without what they have returned."""
    workers: set[KeyInNamespace] = msgspec.field(default_factory=set)
    schedules: set[KeyInNamespace] = msgspec.field(default_factory=set)
    lanes: set[KeyInNamespace] = msgspec.field(default_factory=set)
    """Lanes whose switch is about to change. Claims see those of their lanes anyway."""

    @property
    def is_empty(self) -> bool:
        """True if nothing has to be seen."""
        return not any(getattr(self, field) for field in self.__struct_fields__)

    @property
    def concerns_flows(self) -> bool:
        """True if a flow may have to be seen."""
        return bool(self.flows or self.flows_of)

    def add(self, more: "Needs") -> None:
        """Need that, too."""
        for field in self.__struct_fields__:
            getattr(self, field).update(getattr(more, field))

    def holders_in(self, loaded: "Loaded") -> set[ExecutionId]:
        """The executions that hold the keys of `key_holders`, as far as they are not loaded."""
        keys = (loaded.idempotency_keys.get(at) for at in self.key_holders)
        return {key.execution_id for key in keys if key is not None} - loaded.executions.keys()

    def beyond(self, known: "Needs") -> "Needs":
        """What of it is still to be seen, once that is known."""
        rest = Needs(claims={need: most for need, most in self.claims.items() if most > known.claims.get(need, 0)})
        for field in self.__struct_fields__:
            if field != "claims":
                setattr(rest, field, getattr(self, field) - getattr(known, field))
        return rest


class Loaded(msgspec.Struct):
    """What a store found. Between load and commit nobody else changes these records."""

    executions: dict[ExecutionId, Execution] = msgspec.field(default_factory=dict)
    payloads: dict[ExecutionId, bytes] = msgspec.field(default_factory=dict)
    """Of those asked for, and of all candidates."""
    idempotency_keys: dict[KeyInNamespace, IdempotencyKey] = msgspec.field(default_factory=dict)
    answers: dict[KeyInNamespace, RememberedAnswer] = msgspec.field(default_factory=dict)
    candidates: dict[ClaimNeed, list[Ready]] = msgspec.field(default_factory=dict)
    """In queue order, from lanes that are not paused, with their executions loaded, and with what a claim of a flow's
    member must see: its flow, or its name in `started_flows`, and its inputs."""
    flows: dict[FlowId, Flow] = msgspec.field(default_factory=dict)
    started_flows: set[FlowId] = msgspec.field(default_factory=set)
    """Flows that a claim has no need to start, although they are not ours."""
    edges: dict[EdgeKey, Edge] = msgspec.field(default_factory=dict)
    outgoing: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """All edges that leave an execution, by edge id. No entry: not known."""
    incoming: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """All edges that lead to an execution, by edge id. No entry: not known."""
    groups: dict[ExecutionId, EdgeGroup] = msgspec.field(default_factory=dict)
    members: dict[FlowId, list[ExecutionId]] = msgspec.field(default_factory=dict)
    """All members of a whole flow, by uuid."""
    passing: dict[ExecutionId, list[EdgeKey]] = msgspec.field(default_factory=dict)
    """The edges that pass a result to an execution, by edge id. No entry: not known."""
    results: dict[Generation, bytes] = msgspec.field(default_factory=dict)
    """The results that satisfied edges pass on."""
    cancelled_members: dict[FlowId, tuple[ExecutionId, ...]] = msgspec.field(default_factory=dict)
    """What the cancel of a flow cancelled, in its order."""
    backlogs: dict[FlowId, CancelBacklog] = msgspec.field(default_factory=dict)
    acks: dict[AckKey, PendingAck] = msgspec.field(default_factory=dict)
    steps: dict[StepKey, Step] = msgspec.field(default_factory=dict)
    last_step_numbers: dict[ExecutionId, int] = msgspec.field(default_factory=dict)
    """Of the executions of the steps asked for; one without a numbered step has none."""
    step_places: dict[ExecutionId, list[StepPlace]] = msgspec.field(default_factory=dict)
    """All steps of an execution, in the order in which they were stored."""
    workers: dict[KeyInNamespace, Worker] = msgspec.field(default_factory=dict)
    schedules: dict[KeyInNamespace, Schedule] = msgspec.field(default_factory=dict)
    lanes: dict[KeyInNamespace, LaneSwitch] = msgspec.field(default_factory=dict)
    """Of the lanes asked for, and of those that claims read; one that was never paused has none."""


class Changes(msgspec.Struct):
    """What a batch has changed, for a store to write as sets."""

    executions: list[tuple[Execution | None, Execution | None]]
    """(before, after): None before is new, None after is gone with everything that belongs to it."""
    payloads: Mapping[ExecutionId, bytes]
    results: Mapping[Generation, bytes | None]
    """None: that life's result is gone."""
    attempts: Mapping[AttemptKey, Attempt]
    failures: Mapping[AttemptKey, FailedAttempt]
    events: list[Event]
    idempotency_keys: Mapping[KeyInNamespace, IdempotencyKey | None]
    answers: Mapping[KeyInNamespace, RememberedAnswer | None]
    stale_ready: list[Ready]
    """Rows of the queue that no record stands behind."""
    stale_due: list[Due]
    repaired: list[Execution]
    """Records whose side rows are to be written whether they changed or not."""
    forget_batches_before_ms: int | None
    forget_events_until_ms: int | None
    """Events that belong to no execution and no flow go, if they happened then or before."""
    flows: list[tuple[Flow | None, Flow | None]]
    """(before, after): None after is gone with its events, its whole graph and its cancel's accounts. Its members are
    in `executions`."""
    edges: list[tuple[Edge | None, Edge]]
    groups: list[tuple[EdgeGroup | None, EdgeGroup]]
    cancelled_members: Mapping[FlowId, tuple[ExecutionId, ...]]
    backlogs: Mapping[FlowId, CancelBacklog | None]
    acks: Mapping[AckKey, PendingAck | None]
    dropped_cancels: Sequence[FlowId]
    """Flows whose cancel is forgotten, with its list and its accounts, before those above are written."""
    cleared_steps: Sequence[ExecutionId]
    """Executions of which all steps go, before those below are written."""
    dropped_steps: Sequence[StepKey]
    """Steps that go, before those below are written."""
    steps: Mapping[StepKey, Step]
    workers: Mapping[KeyInNamespace, Worker | None]
    schedules: Mapping[KeyInNamespace, Schedule | None]
    lanes: Mapping[KeyInNamespace, LaneSwitch]

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to write."""
        return not (
            self.executions
            or self.results
            or self.events
            or self.idempotency_keys
            or self.answers
            or self.stale_ready
            or self.stale_due
            or self.repaired
            or self.forget_batches_before_ms is not None
            or self.forget_events_until_ms is not None
            or self.flows
            or self.edges
            or self.groups
            or self.backlogs
            or self.acks
            or self.dropped_cancels
            or self.cleared_steps
            or self.dropped_steps
            or self.steps
            or self.workers
            or self.schedules
            or self.lanes
        )


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
