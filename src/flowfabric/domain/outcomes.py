"""Every answer that a command can get, as one frozen class each."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.lease import Lease
from flowfabric.domain.states import ClaimType, PublicState
from flowfabric.domain.waiting import Effect, WaitCause


class Answer(msgspec.Struct, frozen=True, tag=True):
    """The answer to one command. A stored answer holds the name of its class."""


class Created(Answer, frozen=True, tag=True):
    """The execution exists now, and did not before."""

    execution_id: str
    public_state: PublicState


class Duplicate(Answer, frozen=True, tag=True):
    """The execution existed already; this is its id."""

    execution_id: str


class Claimed(Answer, frozen=True, tag=True):
    """One execution that was given to a worker, with the lease under which the worker reports on it."""

    lease: Lease
    execution_id: str
    kind: str
    payload: bytes
    lane: str
    namespace: str
    flow_id: str | None
    attempt_index: int
    claim_type: ClaimType
    inputs: Mapping[str, bytes]
    """Results passed along edges, by name."""
    tags: Mapping[str, str]
    attempt_ends_at_ms: int | None = None
    """When the attempt is over at the latest, by its timeout or its deadline, even if its lease is renewed.

    None: never.
    """


class Renewed(Answer, frozen=True, tag=True):
    """The lease holds until this instant, by the store's clock."""

    expires_at_ms: int
    pause: bool = False
    """A budget of the execution is exceeded: the attempt is to stop at its next step, and to release its lease."""


class LeaseLost(Answer, frozen=True, tag=True):
    """The lease is over, and `code` is the code of the refusal that says why. The attempt must stop."""

    execution_id: str
    code: str


class StepRecorded(Answer, frozen=True, tag=True):
    """The result of the step is stored. No later attempt runs the step again."""

    execution_id: str
    name: str
    pause: bool = False
    """A budget of the execution is exceeded: the attempt is to stop at its next step, and to release its lease."""


class Completed(Answer, frozen=True, tag=True):
    """The execution ended with success."""

    execution_id: str


class RetryScheduled(Answer, frozen=True, tag=True):
    """The attempt failed, and another one follows."""

    execution_id: str
    next_attempt_index: int
    delay_until_ms: int


class TerminalFailed(Answer, frozen=True, tag=True):
    """The execution failed for good."""

    execution_id: str


class Released(Answer, frozen=True, tag=True):
    """The execution was given back."""

    execution_id: str


class Cancelled(Answer, frozen=True, tag=True):
    """The execution is cancelled, by this command or an earlier one."""

    execution_id: str
    public_state: PublicState


class Revoked(Answer, frozen=True, tag=True):
    """The named lease was ended. The epoch is the new one."""

    lease_id: str
    lease_epoch: int


class AlreadySatisfied(Answer, frozen=True, tag=True):
    """There was nothing to do. The reason says why."""

    reason: str


class PriorityChanged(Answer, frozen=True, tag=True):
    """The execution has its new priority."""

    execution_id: str
    old_priority: int
    new_priority: int


class Replayed(Answer, frozen=True, tag=True):
    """The execution lives again, in place."""

    execution_id: str
    public_state: PublicState
    groups_reset: int
    steps_kept: int = 0
    """How many stored steps will not run again."""


class Held(Answer, frozen=True, tag=True):
    """The execution cannot be claimed until the hold ends."""

    execution_id: str


class Unheld(Answer, frozen=True, tag=True):
    """The execution has the state that it would have without the hold."""

    execution_id: str


class LanePaused(Answer, frozen=True, tag=True):
    """Nothing is claimed from the lane until it is resumed. The moment and the reason are those of the first pause."""

    lane: str
    namespace: str
    paused_at_ms: int
    reason: str


class LaneResumed(Answer, frozen=True, tag=True):
    """The lane's executions may be claimed."""

    lane: str
    namespace: str
    paused_since_ms: int | None
    """Since when it was paused. None: it was not paused."""


class FlowCreated(Answer, frozen=True, tag=True):
    """The flow exists now, and did not before."""

    flow_id: str


class FlowExists(Answer, frozen=True, tag=True):
    """The flow existed already, with the same kind and namespace."""

    flow_id: str


class DependencyAdded(Answer, frozen=True, tag=True):
    """The downstream waits for the upstream. If the upstream has ended, the edge is resolved at once."""

    edge_id: str
    graph_revision: int


class PolicySet(Answer, frozen=True, tag=True):
    """The downstream's edges are joined by this policy."""


class AlreadySet(Answer, frozen=True, tag=True):
    """The downstream's edges were joined by this policy before."""


class FlowSubmitted(Answer, frozen=True, tag=True):
    """The whole flow exists now. The mapping gives the execution of each node name."""

    flow_id: str
    execution_ids: Mapping[str, str]


class FlowCancelled(Answer, frozen=True, tag=True):
    """The flow is cancelled; these members were cancelled with it."""

    cancellation_policy: str
    member_execution_ids: Sequence[str]


class FlowAlreadyTerminal(Answer, frozen=True, tag=True):
    """The flow was over before. If it was cancelled, this is the result of that cancel."""

    stored_cancellation_policy: str | None
    stored_cancel_reason: str | None
    member_execution_ids: Sequence[str]


class FlowReplayed(Answer, frozen=True, tag=True):
    """These members of the flow live again, or will live again soon. No members: there was nothing to replay."""

    flow_id: str
    execution_ids: tuple[str, ...]


class ScheduleFired(Answer, frozen=True, tag=True):
    """The slots that were due became these executions. The schedule must be fired again at the next slot.

    If the next slot is due already, more slots were due than one command fires. None: this definition fires nothing,
    because another version of it has taken over, or because the calendar ends.
    """

    execution_ids: Sequence[str]
    next_slot_ms: int | None
    server_time_ms: int


class SchedulePaused(Answer, frozen=True, tag=True):
    """The schedule fires nothing, and has been paused since this instant."""

    name: str
    paused_at_ms: int


class ScheduleResumed(Answer, frozen=True, tag=True):
    """The schedule fires again, first at this slot. None: there is no slot, or this machine lacks its time zone."""

    name: str
    next_slot_ms: int | None


class ScheduleRan(Answer, frozen=True, tag=True):
    """The schedule has made this execution out of turn. Its slots are unchanged."""

    name: str
    execution_id: str


class ScheduleForgotten(Answer, frozen=True, tag=True):
    """The schedule was removed."""

    name: str


class Signal(Answer, frozen=True, tag=True):
    """A message that was sent to a waitpoint."""

    signal_id: str
    key: str
    name: str
    payload: bytes
    source: str
    delivered_at_ms: int
    claimed_source: str = ""
    """What a stranger says about himself. It never counts as a source."""


class WaitOver(Answer, frozen=True, tag=True):
    """The wait is over. These are the signals that it has taken."""

    signals: tuple[Signal, ...]
    cause: WaitCause


class WaitpointMade(Answer, frozen=True, tag=True):
    """The waitpoint exists. The engine makes the token from these fields, so that no kept answer holds a token."""

    waitpoint_id: str
    key: str
    execution_id: str
    life: int
    kid: str
    namespace: str
    """The namespace of the execution. A token is good in this namespace only."""
    subject: str = ""


class Waitpoint(Answer, frozen=True, tag=True):
    """A waitpoint, and the token that lets a stranger send signals to this waitpoint alone."""

    waitpoint_id: str
    key: str
    token: str


class WaitBegun(Answer, frozen=True, tag=True):
    """The wait is open, and the lease is kept. The engine adds the tokens."""

    waitpoints: tuple[WaitpointMade, ...]


class WaitOpened(Answer, frozen=True, tag=True):
    """The wait is open, and the lease is kept. There is one waitpoint for each key of the condition."""

    waitpoints: tuple[Waitpoint, ...]


class LeaseGivenUp(Answer, frozen=True, tag=True):
    """The execution is suspended until one of its waits is over. The engine adds the tokens."""

    execution_id: str
    waitpoints: tuple[WaitpointMade, ...]


class Suspended(Answer, frozen=True, tag=True):
    """The execution is suspended until one of its waits is over. The lease is given up."""

    execution_id: str
    waitpoints: tuple[Waitpoint, ...]


class Signalled(Answer, frozen=True, tag=True):
    """The signal is stored. `effect` says what it did."""

    signal_id: str
    effect: Effect


class DuplicateSignal(Answer, frozen=True, tag=True):
    """A signal with this idempotency key was stored before, and this is its id."""

    signal_id: str


class Resumed(Answer, frozen=True, tag=True):
    """An operator has ended all open waits of the execution."""

    execution_id: str


class SecretRotated(Answer, frozen=True, tag=True):
    """Tokens are signed with this key from now on. Tokens of the previous key are good until its grace is over."""

    kid: str
    previous_kid: str | None


class Dropped(Answer, frozen=True, tag=True):
    """A limit was full, so nothing was made. This is the execution that was in the way."""

    execution_id: str


class LimitSet(Answer, frozen=True, tag=True):
    """The limit has these numbers now."""

    name: str


class BudgetSet(Answer, frozen=True, tag=True):
    """The budget is as it was stated."""

    name: str


class SlotTaken(Answer, frozen=True, tag=True):
    """The lease holds a slot of the limit."""

    limit: str
    key: str
    block: int
    """The number of the block for which the slot was taken. A claim may have taken it for a later block than the one
    that asks; then the slot is kept until that one ends."""
    is_named: bool = False
    """The execution names the limit with this key, so its lease holds the slot to its end."""


class LimitFull(Answer, frozen=True, tag=True):
    """The limit has no room for a block of code now. The lease is kept."""

    limit: str
    key: str
    opens_at_ms: int | None
    """When time alone makes room: a pause is over, or the next start is possible. None: it takes a free slot."""


class Parked(Answer, frozen=True, tag=True):
    """The lease is given up. The execution goes on when the limit has room for its block."""

    execution_id: str
    limit: str
    key: str


class Reserved(Answer, frozen=True, tag=True):
    """The amounts are reserved for the running attempt."""

    remaining: Mapping[str, int]
    """What is left of each dimension: the limit without what is used and reserved."""


class Spent(Answer, frozen=True, tag=True):
    """The amounts are charged."""

    remaining: Mapping[str, int]
    """What is left of each dimension: the limit without what is used and reserved."""
    exceeded: tuple[str, ...]
    """The dimensions whose limit is reached, those of ancestors as `ancestor:dimension`."""
    soft_exceeded: tuple[str, ...]
    """The same for soft limits."""


class Appended(Answer, frozen=True, tag=True):
    """The frames have these numbers: from the first one up to, but without, the next one."""

    first_seq: int
    next_seq: int


class Summary(Answer, frozen=True, tag=True):
    """The summary of an execution, and how often it was changed."""

    version: int
    document: Mapping[str, object]


Outcome = (
    Answer
    | list[Claimed]
    | list[Created | Duplicate]
    | list[Created | Duplicate | Dropped]
    | list[Renewed | LeaseLost]
    | list[Appended | LeaseLost]
    | bool
    | None
)
