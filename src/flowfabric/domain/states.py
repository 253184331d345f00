"""The names of all states, used by every store, every test and every API.

On disk, a state is its position in one of these tuples: append new states, never reorder or remove any.
"""

from collections.abc import Mapping
from typing import Final, Literal, get_args

LifecyclePhase = Literal["runnable", "active", "suspended", "terminal", "cancelled"]
OwnershipState = Literal["unowned", "leased"]
EligibilityState = Literal[
    "eligible_now",
    "not_eligible_until_time",
    "blocked_by_dependencies",
    "blocked_by_budget",
    "blocked_by_quota",
    "blocked_by_route",
    "blocked_by_lane_state",
    "blocked_by_operator",
    "not_applicable",
]
AttemptState = Literal[
    "pending_first_attempt",
    "running_attempt",
    "attempt_interrupted",
    "pending_retry_attempt",
    "pending_replay_attempt",
    "attempt_terminal",
    "cancelled",
    "attempt_suspended",
]
TerminalOutcome = Literal["none", "success", "failed", "cancelled", "expired", "skipped"]
PublicState = Literal[
    "waiting",
    "delayed",
    "rate_limited",
    "waiting_children",
    "active",
    "suspended",
    "resumable",
    "completed",
    "failed",
    "cancelled",
    "expired",
    "skipped",
]
AttemptOutcome = Literal["success", "failed", "retry", "interrupted", "released", "cancelled", "expired", "skipped"]
BlockingReason = Literal[
    "waiting_for_worker",
    "waiting_for_retry_backoff",
    "waiting_for_delay",
    "waiting_for_children",
    "paused_by_operator",
    "waiting_for_signal",
    "waiting_for_quota",
    "waiting_for_budget",
]
ClaimType = Literal["first", "retry", "reclaim", "replay", "resume"]
Channel = Literal["lease", "completion", "operator", "signal"]

LIFECYCLE_PHASES: Final[tuple[LifecyclePhase, ...]] = get_args(LifecyclePhase)
OWNERSHIP_STATES: Final[tuple[OwnershipState, ...]] = get_args(OwnershipState)
ELIGIBILITY_STATES: Final[tuple[EligibilityState, ...]] = get_args(EligibilityState)
ATTEMPT_STATES: Final[tuple[AttemptState, ...]] = get_args(AttemptState)
TERMINAL_OUTCOMES: Final[tuple[TerminalOutcome, ...]] = get_args(TerminalOutcome)
PUBLIC_STATES: Final[tuple[PublicState, ...]] = get_args(PublicState)
ATTEMPT_OUTCOMES: Final[tuple[AttemptOutcome, ...]] = get_args(AttemptOutcome)
CHANNELS: Final[tuple[Channel, ...]] = get_args(Channel)
CLAIM_TYPES: Final[Mapping[AttemptState, ClaimType]] = {
    "pending_first_attempt": "first",
    "pending_retry_attempt": "retry",
    "pending_replay_attempt": "replay",
    "attempt_interrupted": "reclaim",
    "attempt_suspended": "resume",
}
"""What a claim of an execution is, by the state of its last attempt."""

StateVector = tuple[LifecyclePhase, EligibilityState, AttemptState, TerminalOutcome]

_PENDING: Final[tuple[AttemptState, ...]] = (
    "pending_first_attempt",
    "pending_retry_attempt",
    "attempt_interrupted",
    "pending_replay_attempt",
    "attempt_suspended",
)
_RUNNABLE: Final[tuple[EligibilityState, ...]] = (
    "eligible_now",
    "not_eligible_until_time",
    "blocked_by_operator",
    "blocked_by_dependencies",
    "blocked_by_quota",
    "blocked_by_budget",
)

STATE_VECTORS: Final[frozenset[StateVector]] = frozenset(
    [
        ("runnable", eligibility, attempt_state, "none")
        for eligibility in _RUNNABLE
        for attempt_state in _PENDING
        # A replayed or resumed execution is ready at once, and nothing delays it before it runs.
        if eligibility != "not_eligible_until_time"
        or attempt_state not in ("pending_replay_attempt", "attempt_suspended")
    ]
    + [
        ("active", "not_applicable", "running_attempt", "none"),
        ("suspended", "not_applicable", "attempt_suspended", "none"),
        ("terminal", "not_applicable", "attempt_terminal", "success"),
        ("terminal", "not_applicable", "attempt_terminal", "failed"),
        ("terminal", "not_applicable", "attempt_terminal", "expired"),
        ("terminal", "not_applicable", "attempt_terminal", "skipped"),
        ("cancelled", "not_applicable", "cancelled", "cancelled"),
    ]
)
"""Every combination of states that an execution can be in."""

_WHEN_RUNNABLE: Final[dict[EligibilityState, PublicState]] = {
    "eligible_now": "waiting",
    "not_eligible_until_time": "delayed",
    "blocked_by_dependencies": "waiting_children",
    "blocked_by_budget": "rate_limited",
    "blocked_by_quota": "rate_limited",
    "blocked_by_route": "waiting",
    "blocked_by_lane_state": "waiting",
    "blocked_by_operator": "waiting",
}
_WHEN_BLOCKED: Final[dict[EligibilityState, BlockingReason]] = {
    "blocked_by_dependencies": "waiting_for_children",
    "blocked_by_operator": "paused_by_operator",
    "blocked_by_quota": "waiting_for_quota",
    "blocked_by_budget": "waiting_for_budget",
}
_WHEN_ENDED: Final[dict[TerminalOutcome, PublicState]] = {
    "success": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
    "expired": "expired",
    "skipped": "skipped",
}


def public_state(
    phase: LifecyclePhase,
    eligibility: EligibilityState,
    outcome: TerminalOutcome,
    attempt_state: AttemptState = "pending_first_attempt",
) -> PublicState:
    """The state that callers see. It follows from the rest of the state vector, and is never decided separately."""
    if phase == "runnable":
        if eligibility == "eligible_now" and attempt_state == "attempt_suspended":
            return "resumable"
        return _WHEN_RUNNABLE[eligibility]
    if phase == "active":
        return "active"
    if phase == "suspended":
        return "suspended"
    return _WHEN_ENDED[outcome]


def blocking_reason(
    phase: LifecyclePhase, eligibility: EligibilityState, attempt_state: AttemptState, *, is_paused: bool = False
) -> BlockingReason | None:
    """Why a runnable or suspended execution does not run. None: the execution is neither.

    `is_paused`: an operator has put a suspended execution on hold, or was asked because the time of a wait was over.
    """
    if phase == "suspended":
        return "paused_by_operator" if is_paused else "waiting_for_signal"
    if phase != "runnable":
        return None
    if eligibility == "eligible_now":
        return "waiting_for_worker"
    if eligibility == "not_eligible_until_time":
        return "waiting_for_retry_backoff" if attempt_state == "pending_retry_attempt" else "waiting_for_delay"
    return _WHEN_BLOCKED.get(eligibility)
