"""Readers see every state, in words that are the same everywhere, and never one that has passed."""

from collections.abc import Callable
from typing import get_args

from flowfabric import BlockingEngine, ExecutionPolicy, ManualClock, PublicState, RetryPolicy
from flowfabric.domain import states
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    ENDED,
    LIVE,
    an_execution,
    claim,
    create,
    everything,
    listed,
    log,
    look,
    vector,
)

POLICY = ExecutionPolicy(
    retry=RetryPolicy(max_retries=9, backoff="fixed", initial_delay_ms=100, jitter=0.0), attempt_timeout_ms=10_000
)


def _steps(engine: BlockingEngine, clock: ManualClock, execution_id: str) -> list[Callable[[], object]]:
    """A life that meets every command that changes a state."""
    claim_one = lambda: claim(engine, lease_ttl_ms=20_000)  # noqa: E731
    leases = lambda: claim_one().lease  # noqa: E731
    return [
        lambda: engine.hold(execution_id),
        lambda: engine.unhold(execution_id),
        lambda: engine.change_priority(execution_id, 5),
        lambda: engine.set_tag(execution_id, "team.name", "billing"),
        lambda: engine.release(leases()),
        lambda: engine.delay(leases(), until_ms=clock.now_ms + 100),
        lambda: (clock.advance(100), engine.reconcile()),
        lambda: engine.fail(leases(), code="boom"),
        lambda: (clock.advance(100), engine.reconcile()),
        lambda: (claim_one(), engine.revoke_lease(execution_id)),
        lambda: (claim(engine, lease_ttl_ms=10), clock.advance(10), engine.reconcile()),
        lambda: (claim_one(), clock.advance(10_000), engine.reconcile()),
        lambda: (clock.advance(100), engine.reconcile()),
        lambda: engine.progress(leases(), percent=5),
        lambda: engine.cancel_execution(execution_id, reason="stop"),
        lambda: engine.replay_execution(execution_id),
        lambda: engine.fail(leases(), code="boom", retryable=False),
        lambda: engine.replay_execution(execution_id),
        lambda: engine.complete(leases(), b"done"),
    ]


@rule_cases("state", [*LIVE, *ENDED], sample=5)
def test_every_state_can_be_read_in_every_way(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    x = look(engine, execution_id)

    assert engine.list_executions(lane="default").items == [x]
    assert engine.explain(execution_id)
    assert len(engine.list_attempts(execution_id)) == (0 if x.started_at_ms is None else x.attempt_index + 1)
    assert {event.execution_id for event in log(engine, execution_id=execution_id)} <= {execution_id}


def test_a_list_shows_the_state_that_each_command_left_behind(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=POLICY)
    bystander = create(engine, lane="elsewhere")

    for step in _steps(engine, clock, execution_id):
        step()
        state = look(engine, execution_id).public_state
        shown = {
            public_state: {x.execution_id for x in listed(engine, public_state=public_state)}
            for public_state in get_args(PublicState)
        }
        assert {public_state for public_state, ids in shown.items() if execution_id in ids} == {state}
        assert bystander in shown["waiting"]
        assert look(engine, execution_id) in listed(engine)


def test_every_word_that_a_reader_meets_is_in_the_one_alphabet(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=POLICY)
    seen: list[set[str]] = [set() for _ in range(6)]
    outcomes: set[str | None] = set()

    for step in _steps(engine, clock, execution_id):
        step()
        for words, word in zip(seen, vector(engine, execution_id).split("/"), strict=True):
            words.add(word)
        outcomes |= {attempt.outcome for attempt in engine.list_attempts(execution_id)}

    alphabets = (
        states.LIFECYCLE_PHASES,
        states.OWNERSHIP_STATES,
        states.ELIGIBILITY_STATES,
        states.ATTEMPT_STATES,
        states.TERMINAL_OUTCOMES,
        states.PUBLIC_STATES,
    )
    assert all(words <= set(alphabet) for words, alphabet in zip(seen, alphabets, strict=True))
    assert outcomes <= {*states.ATTEMPT_OUTCOMES, None}
    assert {event.channel for event in log(engine)} <= set(states.CHANNELS)
    assert {event.event_type for event in log(engine)} == {
        "acquired",
        "released",
        "retry_scheduled",
        "revoked",
        "expired",
        "completed",
        "failed",
        "cancelled",
        "held",
        "unheld",
        "priority_changed",
        "replayed",
    }


@rule_cases("state", [*LIVE, *ENDED], sample=5)
def test_the_columns_of_a_state_never_contradict_each_other(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    an_execution(state, engine, clock)

    for x in everything(engine).executions:
        has_ended = x.lifecycle_phase in ("terminal", "cancelled")
        assert (x.ownership_state == "leased") == (x.lifecycle_phase == "active")
        assert (x.terminal_outcome != "none") == has_ended == (x.terminal_at_ms is not None)
        assert (x.lifecycle_phase == "cancelled") == (x.terminal_outcome == "cancelled")
        assert (x.cancelled_by is not None) == (x.terminal_outcome == "cancelled")
        assert (x.blocking_reason is not None) == (x.lifecycle_phase in ("runnable", "suspended"))
        assert (x.eligibility_state == "not_applicable") == (x.lifecycle_phase != "runnable")
