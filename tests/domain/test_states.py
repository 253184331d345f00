"""What follows from the state vector: what callers are shown, and why a runnable execution does not run."""

from itertools import product

import pytest

from flowfabric.domain.states import (
    ATTEMPT_STATES,
    ELIGIBILITY_STATES,
    LIFECYCLE_PHASES,
    TERMINAL_OUTCOMES,
    AttemptState,
    BlockingReason,
    EligibilityState,
    LifecyclePhase,
    PublicState,
    TerminalOutcome,
    blocking_reason,
    public_state,
)

RUNNABLE_SHOWN: dict[EligibilityState, PublicState] = {
    "eligible_now": "waiting",
    "not_eligible_until_time": "delayed",
    "blocked_by_dependencies": "waiting_children",
    "blocked_by_budget": "rate_limited",
    "blocked_by_quota": "rate_limited",
    "blocked_by_route": "waiting",
    "blocked_by_lane_state": "waiting",
    "blocked_by_operator": "waiting",
}
ENDED_SHOWN: dict[TerminalOutcome, PublicState] = {
    "success": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
    "expired": "expired",
    "skipped": "skipped",
}
REASONS: dict[EligibilityState, BlockingReason | None] = {
    "eligible_now": "waiting_for_worker",
    "not_eligible_until_time": "waiting_for_delay",
    "blocked_by_dependencies": "waiting_for_children",
    "blocked_by_budget": None,
    "blocked_by_quota": None,
    "blocked_by_route": None,
    "blocked_by_lane_state": None,
    "blocked_by_operator": "paused_by_operator",
}


@pytest.mark.parametrize(("eligibility", "outcome"), [*product(RUNNABLE_SHOWN, TERMINAL_OUTCOMES)])
def test_a_runnable_execution_is_shown_by_its_eligibility(eligibility: EligibilityState, outcome: TerminalOutcome):
    assert public_state("runnable", eligibility, outcome) == RUNNABLE_SHOWN[eligibility]


@pytest.mark.parametrize(("eligibility", "outcome"), [*product(ELIGIBILITY_STATES, TERMINAL_OUTCOMES)])
def test_active_and_suspended_are_shown_as_what_they_are(eligibility: EligibilityState, outcome: TerminalOutcome):
    assert public_state("active", eligibility, outcome) == "active"
    assert public_state("suspended", eligibility, outcome) == "suspended"


@pytest.mark.parametrize(
    ("phase", "eligibility", "outcome"), [*product(("terminal", "cancelled"), ELIGIBILITY_STATES, ENDED_SHOWN)]
)
def test_an_ended_execution_is_shown_by_its_outcome(
    phase: LifecyclePhase, eligibility: EligibilityState, outcome: TerminalOutcome
):
    assert public_state(phase, eligibility, outcome) == ENDED_SHOWN[outcome]


@pytest.mark.parametrize(("eligibility", "attempt_state"), [*product(REASONS, ATTEMPT_STATES)])
def test_a_runnable_execution_says_why_it_does_not_run(eligibility: EligibilityState, attempt_state: AttemptState):
    expected = REASONS[eligibility]
    if expected == "waiting_for_delay" and attempt_state == "pending_retry_attempt":
        expected = "waiting_for_retry_backoff"

    assert blocking_reason("runnable", eligibility, attempt_state) == expected


@pytest.mark.parametrize(
    ("phase", "eligibility", "attempt_state"),
    [*product([phase for phase in LIFECYCLE_PHASES if phase != "runnable"], ELIGIBILITY_STATES, ATTEMPT_STATES)],
)
def test_only_a_runnable_execution_has_a_blocking_reason(
    phase: LifecyclePhase, eligibility: EligibilityState, attempt_state: AttemptState
):
    assert blocking_reason(phase, eligibility, attempt_state) is None
