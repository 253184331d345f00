"""The Execution record, and what follows from it: its public state, its place in the queue, its next due moment."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

from flowfabric.domain.children import ChildPlace
from flowfabric.domain.gates import Gate, GateAt, Gates, GateState
from flowfabric.domain.ids import ExecutionId, partition_in, uuid_in
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.states import (
    AttemptOutcome,
    AttemptState,
    BlockingReason,
    EligibilityState,
    LifecyclePhase,
    OwnershipState,
    PublicState,
    TerminalOutcome,
    blocking_reason,
    public_state,
)
from flowfabric.domain.steps import StepsRule
from flowfabric.domain.waiting import Inbox

DueKind = Literal["deadline", "attempt_timeout", "lease", "delay", "retention", "resolution", "wait"]
DUE_KINDS: Final[tuple[DueKind, ...]] = get_args(DueKind)
TIMERS: Final[tuple[DueKind, ...]] = ("delay", "wait")
"""Due moments for which a sweep comes at once. The others wait for the next regular sweep."""
OnEnded = Literal["return", "renew_failed", "renew"]
"""What a submit does with an idempotency key whose execution has ended.

`return`: it returns that execution. `renew_failed`: it gives the key to a new execution if the old one did not succeed.
`renew`: it gives the key to a new execution in any case.
"""
ON_ENDED: Final[tuple[OnEnded, ...]] = get_args(OnEnded)
FAILED: Final[tuple[AttemptOutcome, ...]] = ("failed", "retry")
"""The outcomes of attempts that have failed."""


class Execution(msgspec.Struct, frozen=True, gc=False):
    """One function call that must come to exactly one end. Payload and result are rows of their own."""

    execution_id: ExecutionId
    namespace: str
    lane: str
    flow_id: str | None
    kind: str
    required_capabilities: tuple[str, ...]
    policy: ExecutionPolicy
    tags: Mapping[str, str]
    idempotency_key: str | None
    created_at_ms: int
    # The fields from here on change during the life of the execution.
    lifecycle_phase: LifecyclePhase
    eligibility_state: EligibilityState
    attempt_state: AttemptState
    terminal_outcome: TerminalOutcome
    priority: int
    attempt_index: int
    lease_epoch: int
    retry_count: int
    interruption_count: int
    replay_count: int
    event_seq: int
    """The number of its last event; events of one execution are numbered without a gap."""
    ready_at_ms: int
    """When it last became eligible: the oldest is claimed first."""
    worker_id: str | None = None
    worker_instance_id: str | None = None
    lease_ttl_ms: int | None = None
    lease_expires_at_ms: int | None = None
    attempt_started_at_ms: int | None = None
    started_at_ms: int | None = None
    terminal_at_ms: int | None = None
    delay_until_ms: int | None = None
    deadline_at_ms: int | None = None
    cancellation_reason: str | None = None
    cancelled_by: str | None = None
    failure_code: str | None = None
    failure_message: str | None = None
    progress_percent: int | None = None
    progress_message: str | None = None
    unsettled: bool = False
    """It has ended, and its end has not been passed on to all executions that it concerns: those that wait for it, its
    parent, and its children that are to be cancelled. Upkeep does this."""
    lease_mark: str | None = None
    """The mark of its last claim, with the epoch that it belongs to."""
    lease_era: int | None = None
    """The era of the store in which it was made or last leased; None: before eras were kept."""
    node: str | None = None
    """Its name in the flow that it was submitted with."""
    coming_back: StepsRule | None = None
    """It has ended, and a replay of its flow will bring it back to life, with its steps or without. Upkeep does this.
    Until then it counts as a live member."""
    inbox: Inbox | None = None
    """What it waits for, what has come for it, and its children. None: it has none of these and had none."""
    parent_id: ExecutionId | None = None
    """The execution that has made it as its child."""
    child_place: ChildPlace | None = None
    """Its place among the children of its parent."""
    gates: Gates | None = None
    """The limits and budgets that it must pass at each claim. None: it has none."""
    created_by: str | None = None
    """The person on whose behalf it was made. A child was made on behalf of the same person as its parent."""

    @property
    def public_state(self) -> PublicState:
        """The state that callers see."""
        return public_state(self.lifecycle_phase, self.eligibility_state, self.terminal_outcome, self.attempt_state)

    @property
    def blocking_reason(self) -> BlockingReason | None:
        """Why it does not run, if it is runnable or suspended."""
        inbox = self.inbox
        is_paused = inbox is not None and (inbox.held or any(wait.is_escalated for wait in inbox.waits))
        return blocking_reason(self.lifecycle_phase, self.eligibility_state, self.attempt_state, is_paused=is_paused)

    @property
    def ownership_state(self) -> OwnershipState:
        """An execution is leased exactly while it is active."""
        return "leased" if self.lifecycle_phase == "active" else "unowned"

    @property
    def has_ended(self) -> bool:
        """True once it has an outcome; only a replay brings it back."""
        return self.terminal_outcome != "none"

    @property
    def counts_as_live(self) -> bool:
        """True until it has ended, and again from the decision on that it comes back."""
        return self.terminal_outcome == "none" or self.coming_back is not None

    @property
    def depth(self) -> int:
        """How many ancestors it has."""
        return 0 if self.child_place is None else self.child_place.depth

    @property
    def has_children(self) -> bool:
        """Whether it has made children in its present life, ended or not."""
        return self.inbox is not None and self.inbox.children > 0


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """One run of an execution, written when the run ends. A replay clears the last attempt and runs it again."""

    execution_id: ExecutionId
    attempt_index: int
    lease_epoch: int
    worker_id: str | None
    worker_instance_id: str | None
    started_at_ms: int | None
    terminal_at_ms: int | None
    outcome: AttemptOutcome | None


class FailedAttempt(msgspec.Struct, frozen=True, gc=False):
    """Why an attempt failed. This is a row of its own, because most attempts do not fail and tracebacks are long."""

    execution_id: ExecutionId
    attempt_index: int
    lease_epoch: int
    """A replay runs the last attempt again under another epoch. Then this failure no longer belongs to the attempt."""
    code: str
    message: str
    traceback: str | None

    def is_failure_of(self, attempt: Attempt) -> bool:
        """Whether this is the failure of the given run of the attempt."""
        at = (attempt.execution_id, attempt.attempt_index, attempt.lease_epoch)
        return at == (self.execution_id, self.attempt_index, self.lease_epoch) and attempt.outcome in FAILED


class Ready(msgspec.Struct, frozen=True, gc=False):
    """A place in the queue that claims read. It follows from the record, and is written when the record is saved."""

    namespace: str
    lane: str
    required_capabilities: tuple[str, ...]
    priority: int
    ready_at_ms: int
    execution_id: ExecutionId
    is_gated: bool = False
    """Executions with gates wait in a part of the queue of their own, so that they cost the others nothing."""
    turn: int = 0
    """Its turn among the executions of its lane and priority that have fair keys. 0: it has none. Those with turns wait
    in a part of the queue of their own, too."""


class AtGate(msgspec.Struct, frozen=True, gc=False):
    """An execution at one of its gates. It follows from the record, and is written when the record is saved."""

    gate: GateAt
    state: GateState
    place: Ready
    """Its place in the queue, or the one that it will have once the gate opens."""


class Due(msgspec.Struct, frozen=True, gc=False):
    """The next moment at which something happens to an execution by itself. At most one at a time per execution."""

    kind: DueKind
    due_at_ms: int
    execution_id: ExecutionId


class IdempotencyKey(msgspec.Struct, frozen=True, gc=False):
    """The promise that a key, in its namespace and until it expires, means one execution."""

    namespace: str
    key: str
    execution_id: ExecutionId
    fingerprint: bytes
    expires_at_ms: int


_WAITS_IN_ORDER: Final = ("eligible_now", "blocked_by_quota", "blocked_by_budget")


def ready_of(x: Execution) -> Ready | None:
    """Its place in the queue, if it may be claimed now."""
    if x.lifecycle_phase != "runnable" or x.eligibility_state != "eligible_now":
        return None
    return place_of(x)


def place_of(x: Execution) -> Ready:
    """The place in the queue that it has, or would have if it could be claimed now."""
    namespace, lane, capabilities = x.namespace, x.lane, x.required_capabilities
    if x.gates is None or not x.gates.are_named:
        return Ready(namespace, lane, capabilities, x.priority, x.ready_at_ms, x.execution_id)
    return Ready(namespace, lane, capabilities, x.priority, x.ready_at_ms, x.execution_id, True, x.gates.turn)


def gate_rows_of(x: Execution) -> list[AtGate]:
    """Where it stands at its gates. An execution that is not ready, parked or leased stands at none."""
    gates = x.gates
    if gates is None or not _stands_at_gates(x):
        return []
    place = Ready(
        x.namespace, x.lane, x.required_capabilities, x.priority, x.ready_at_ms, x.execution_id, True, gates.turn
    )
    if x.lifecycle_phase == "active":
        held: list[Gate] = [("limit", name, key) for name, key in gates.slots]
        held += [("budget", name, "") for name, _ in gates.budgets]
        return [AtGate((x.namespace, *gate), "leased", place) for gate in held]
    named: dict[Gate, None] = {("limit", name, key): None for name, key in gates.slots_to_take}
    if gates.parked is not None:
        named[gates.parked] = None
    return [AtGate((x.namespace, *gate), "parked" if gate == gates.parked else "queued", place) for gate in named]


def _stands_at_gates(x: Execution) -> bool:
    """Whether it has limits or budgets and is ready, parked or leased. If not, it stands at no gate."""
    if x.gates is None or not (x.gates.slots_to_take or x.gates.budgets):
        return False
    return x.eligibility_state in _WAITS_IN_ORDER or x.lifecycle_phase == "active"


def due_of(x: Execution) -> Due | None:
    """Its earliest due moment. If two fall on one instant, the one that leaves less work afterwards comes first."""
    moments: list[tuple[int, DueKind]] = []
    if x.has_ended:
        assert x.terminal_at_ms is not None
        if x.unsettled or x.coming_back is not None:
            return Due("resolution", x.terminal_at_ms, x.execution_id)
        if x.policy.retention_ms is None or x.flow_id is not None:
            return None  # a flow is removed as a whole
        return Due("retention", x.terminal_at_ms + x.policy.retention_ms, x.execution_id)
    if x.deadline_at_ms is not None:
        moments.append((x.deadline_at_ms, "deadline"))
    elif x.eligibility_state in _WAITS_IN_ORDER and x.inbox is None:
        return None  # the usual case of one that is queued or parked
    if x.lifecycle_phase == "active":
        assert x.lease_expires_at_ms is not None
        assert x.attempt_started_at_ms is not None
        if x.policy.attempt_timeout_ms is not None:
            moments.append((x.attempt_started_at_ms + x.policy.attempt_timeout_ms, "attempt_timeout"))
        moments.append((x.lease_expires_at_ms, "lease"))
    elif x.eligibility_state == "not_eligible_until_time":
        assert x.delay_until_ms is not None
        moments.append((x.delay_until_ms, "delay"))
    if x.inbox is not None:
        ends = [wait.timeout_at_ms for wait in x.inbox.waits if wait.timeout_at_ms is not None]
        if ends:
            moments.append((min(ends), "wait"))
    if not moments:
        return None
    due_at_ms, kind = min(moments, key=_due_at)
    return Due(kind, due_at_ms, x.execution_id)


def attempt_ends_at_ms(x: Execution) -> int | None:
    """When the running attempt is over at the latest, even if its lease is renewed. None: never, or none is running."""
    if x.attempt_started_at_ms is None:
        return None
    timeout_ms = x.policy.attempt_timeout_ms
    if timeout_ms is None:
        return x.deadline_at_ms
    timeout_at_ms = x.attempt_started_at_ms + timeout_ms
    return timeout_at_ms if x.deadline_at_ms is None else min(timeout_at_ms, x.deadline_at_ms)


def _due_at(moment: tuple[int, DueKind]) -> int:
    return moment[0]


QueueOrder = tuple[int, int, int, str, int]


def queue_order(ready: Ready, claimed_last: int = 0) -> QueueOrder:
    """Highest priority first, then the next turn, then oldest, then by uuid.

    The partition only separates two executions with one uuid. `claimed_last`: the turn that was claimed last in its
    lane and priority. With it, executions of different lanes can be compared.
    """
    key = ready.execution_id
    return (-ready.priority, ready.turn - claimed_last, ready.ready_at_ms, uuid_in(key), partition_in(key))


def live_attempt(x: Execution) -> Attempt | None:
    """The attempt that is running now, made from the execution's own record."""
    return attempt_of(x) if x.lifecycle_phase == "active" else None


def attempt_of(x: Execution, ended_at_ms: int | None = None, outcome: AttemptOutcome | None = None) -> Attempt:
    """The present attempt: it runs, or it is suspended. It begins when it is first leased, not when it is resumed."""
    before = None if x.inbox is None else x.inbox.attempt
    worker_id, worker_instance_id = x.worker_id, x.worker_instance_id
    if before is not None and x.lifecycle_phase != "active":
        worker_id, worker_instance_id = before.worker_id, before.worker_instance_id
    return Attempt(
        x.execution_id,
        x.attempt_index,
        x.lease_epoch,
        worker_id,
        worker_instance_id,
        x.attempt_started_at_ms if before is None else before.started_at_ms,
        ended_at_ms,
        outcome,
    )
