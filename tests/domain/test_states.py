"""What follows from the state vector: what callers are shown, and why a runnable execution does not run."""

from itertools import product
from typing import Literal

import pytest

from flowfabric.domain.flow import FLOW_STATES
from flowfabric.domain.states import (
    ATTEMPT_STATES,
    ELIGIBILITY_STATES,
    LIFECYCLE_PHASES,
    TERMINAL_OUTCOMES,
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
    "blocked_by_budget": "waiting_for_budget",
    "blocked_by_quota": "waiting_for_quota",
    "blocked_by_route": None,
    "blocked_by_lane_state": None,
    "blocked_by_operator": "paused_by_operator",
}


def test_a_runnable_execution_is_shown_by_its_eligibility():
    table = [*product(RUNNABLE_SHOWN, TERMINAL_OUTCOMES)]

    shown = {(eligibility, outcome): public_state("runnable", eligibility, outcome) for eligibility, outcome in table}

    assert shown == {(eligibility, outcome): RUNNABLE_SHOWN[eligibility] for eligibility, outcome in table}


@pytest.mark.parametrize("phase", ["active", "suspended"])
def test_active_and_suspended_are_shown_as_what_they_are(phase: Literal["active", "suspended"]):
    table = [*product(ELIGIBILITY_STATES, TERMINAL_OUTCOMES)]

    shown = {(eligibility, outcome): public_state(phase, eligibility, outcome) for eligibility, outcome in table}

    assert shown == dict.fromkeys(table, phase)


@pytest.mark.parametrize("phase", ["terminal", "cancelled"])
def test_an_ended_execution_is_shown_by_its_outcome(phase: LifecyclePhase):
    table = [*product(ELIGIBILITY_STATES, ENDED_SHOWN)]

    shown = {(eligibility, outcome): public_state(phase, eligibility, outcome) for eligibility, outcome in table}

    assert shown == {(eligibility, outcome): ENDED_SHOWN[outcome] for eligibility, outcome in table}


def test_a_runnable_execution_says_why_it_does_not_run():
    expected = {
        (eligibility, attempt): REASONS[eligibility] for eligibility, attempt in product(REASONS, ATTEMPT_STATES)
    }
    expected["not_eligible_until_time", "pending_retry_attempt"] = "waiting_for_retry_backoff"

    said = {
        (eligibility, attempt): blocking_reason("runnable", eligibility, attempt) for eligibility, attempt in expected
    }

    assert said == expected


def test_an_execution_whose_wait_is_over_is_resumable_as_soon_as_it_may_run():
    shown = {eligibility: public_state("runnable", eligibility, "none", "attempt_suspended") for eligibility in REASONS}

    assert shown == {**RUNNABLE_SHOWN, "eligible_now": "resumable"}


def test_a_suspended_execution_waits_for_a_signal_unless_an_operator_was_asked_or_holds_it():
    assert blocking_reason("suspended", "not_applicable", "attempt_suspended") == "waiting_for_signal"
    assert blocking_reason("suspended", "not_applicable", "attempt_suspended", is_paused=True) == "paused_by_operator"


@pytest.mark.parametrize("phase", [phase for phase in LIFECYCLE_PHASES if phase not in ("runnable", "suspended")])
def test_only_a_runnable_or_suspended_execution_has_a_blocking_reason(phase: LifecyclePhase):
    table = [*product(ELIGIBILITY_STATES, ATTEMPT_STATES)]

    said = {(eligibility, attempt): blocking_reason(phase, eligibility, attempt) for eligibility, attempt in table}

    assert said == dict.fromkeys(table)


def test_what_has_ended_comes_last_in_the_alphabets_of_phases_and_flows():
    # Statements say `lifecycle_phase >= {phase.terminal}` and `state >= {flow_state.completed}`.
    assert LIFECYCLE_PHASES[LIFECYCLE_PHASES.index("terminal") :] == ("terminal", "cancelled")
    assert FLOW_STATES[FLOW_STATES.index("completed") :] == ("completed", "failed", "cancelled")
