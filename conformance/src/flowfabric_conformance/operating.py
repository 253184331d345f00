"""Operating: revoke, priority, replay, hold and unhold, tags."""

from typing import TYPE_CHECKING

import pytest

from flowfabric import (
    AlreadySatisfied,
    BlockingEngine,
    ExecutionNotEligible,
    ExecutionNotTerminal,
    ExecutionPolicy,
    Failure,
    Held,
    InvalidInput,
    ManualClock,
    MaxReplaysExhausted,
    NotFound,
    PriorityChanged,
    Replayed,
    RetryPolicy,
    Revoked,
    Unheld,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    ENDED,
    LIVE,
    RETRIED,
    UNKNOWN,
    an_execution,
    claim,
    claim_ids,
    create,
    events_of,
    last_event,
    log,
    look,
    outcomes,
    refused,
    start,
    story,
    unchanged,
    vector,
)

if TYPE_CHECKING:
    from collections.abc import Callable

every_state = rule_cases("state", [*LIVE, *ENDED], sample=3)

# ── revoke ───────────────────────────────────────────────────────────────────────────────────────


def test_revoking_takes_the_lease_and_puts_the_execution_back(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    clock.advance(10)

    answer = engine.revoke_lease(lease.execution_id, reason="worker is stuck")

    assert answer == Revoked(lease.lease_id, lease.lease_epoch + 1)
    assert vector(engine, lease.execution_id) == "runnable/unowned/eligible_now/attempt_interrupted/none/waiting"
    x = look(engine, lease.execution_id)
    assert (x.lease_epoch, x.interruption_count, x.retry_count, x.attempt_index) == (2, 1, 0, 0)
    assert last_event(engine, lease.execution_id) == ("lease", "revoked", {"reason": "worker is stuck"})
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.terminal_at_ms, attempt.lease_epoch) == ("interrupted", clock.now_ms, 1)
    assert (attempt.worker_instance_id, attempt.lease_expires_at_ms) == (None, None)
    assert claim(engine).claim_type == "reclaim"


def test_a_lease_can_be_revoked_by_naming_its_holder_and_itself(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    answer = engine.revoke_lease(
        lease.execution_id, worker_instance_id=lease.worker_instance_id, expected_lease_id=lease.lease_id
    )

    assert answer == Revoked(lease.lease_id, 2)


@rule_cases(
    ("named", "reason"),
    [
        ({"worker_instance_id": "w2"}, "different_worker_instance_id"),
        ({"expected_lease_id": "another"}, "lease_id_mismatch"),
        ({"worker_instance_id": "w2", "expected_lease_id": "another"}, "different_worker_instance_id"),
        ({"worker_instance_id": "w1", "expected_lease_id": "another"}, "lease_id_mismatch"),
    ],
)
def test_another_holder_or_another_lease_is_left_alone(
    engine: BlockingEngine, clock: ManualClock, named: dict[str, str], reason: str
) -> None:
    lease = start(engine)

    with unchanged(engine):
        answer = engine.revoke_lease(lease.execution_id, **named)

    assert answer == AlreadySatisfied(reason)


def test_an_earlier_lease_of_the_same_execution_is_left_alone(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.release(lease)
    claim(engine)

    answer = engine.revoke_lease(lease.execution_id, expected_lease_id=lease.lease_id)

    assert answer == AlreadySatisfied("lease_id_mismatch")


@rule_cases("state", [state for state in (*LIVE, *ENDED) if state != "active"])
def test_where_nobody_holds_a_lease_there_is_none_to_revoke(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    with unchanged(engine):
        answers = [
            engine.revoke_lease(execution_id),
            engine.revoke_lease(execution_id, worker_instance_id="w1", expected_lease_id="any"),
        ]

    assert answers == [AlreadySatisfied("no_active_lease")] * 2


def test_a_lease_that_has_run_out_unnoticed_can_be_revoked(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    clock.advance(30_000)

    answer = engine.revoke_lease(lease.execution_id)

    assert answer == Revoked(lease.lease_id, 2)
    with unchanged(engine):
        engine.reconcile()


def test_revoking_above_the_limit_fails_the_execution_as_worker_lost(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = create(engine, policy=ExecutionPolicy(max_interruptions=1))
    claim(engine)
    engine.revoke_lease(execution_id)
    lease = claim(engine).lease

    answer = engine.revoke_lease(execution_id)

    assert answer == Revoked(lease.lease_id, lease.lease_epoch + 1)
    assert vector(engine, execution_id) == "terminal/unowned/not_applicable/attempt_terminal/failed/failed"
    x = look(engine, execution_id)
    assert x.failure is not None
    assert (x.failure.code, x.interruption_count, x.terminal_at_ms) == ("worker_lost", 2, clock.now_ms)
    assert story(engine, execution_id)[-2:] == ["lease.revoked", "completion.failed"]
    assert last_event(engine, execution_id) == ("completion", "failed", {"code": "worker_lost"})
    assert outcomes(engine, execution_id) == ["interrupted", "interrupted"]


# ── priority ─────────────────────────────────────────────────────────────────────────────────────


@rule_cases(("asked", "given"), [(0, 0), (7, 7), (9000, 9000), (-5, 0), (9001, 9000), (2**80, 9000)])
def test_a_waiting_execution_changes_its_priority_within_the_range(
    engine: BlockingEngine, clock: ManualClock, asked: int, given: int
) -> None:
    execution_id = create(engine, priority=3)

    answer = engine.change_priority(execution_id, asked)

    assert answer == PriorityChanged(execution_id, 3, given)
    assert look(engine, execution_id).priority == given
    assert last_event(engine, execution_id) == (
        "operator",
        "priority_changed",
        {"old_priority": 3, "new_priority": given},
    )
    assert vector(engine, execution_id) == "runnable/unowned/eligible_now/pending_first_attempt/none/waiting"


def test_an_interrupted_execution_changes_its_priority(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("interrupted", engine, clock)

    assert engine.change_priority(execution_id, 5) == PriorityChanged(execution_id, 9000, 5)


@rule_cases("state", ["delayed", "blocked", "held", "active", "retrying", *ENDED])
def test_only_what_may_run_now_changes_its_priority(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    with refused(engine, ExecutionNotEligible):
        engine.change_priority(execution_id, 5)


# ── replay ───────────────────────────────────────────────────────────────────────────────────────


@rule_cases("state", [state for state in ENDED if state != "skipped"])
def test_whatever_has_ended_can_be_replayed(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)
    epoch = look(engine, execution_id).lease_epoch
    clock.advance(10)

    answer = engine.replay_execution(execution_id)

    assert answer == Replayed(execution_id, "waiting", 0)
    assert vector(engine, execution_id) == "runnable/unowned/eligible_now/pending_replay_attempt/none/waiting"
    x = look(engine, execution_id)
    assert (x.lease_epoch, x.replay_count, x.attempt_index) == (epoch + 1, 1, 0)
    assert (x.terminal_at_ms, x.failure, x.cancellation_reason, x.cancelled_by) == (None, None, None, None)
    assert engine.get_result(execution_id) is None
    assert claim(engine).claim_type == "replay"


@rule_cases(
    ("state", "outcome"),
    [("completed", "success"), ("failed", "failed"), ("cancelled", "cancelled"), ("expired", "expired")],
)
def test_a_replay_is_told_with_what_was_before(
    engine: BlockingEngine, clock: ManualClock, state: str, outcome: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    engine.replay_execution(execution_id)

    channel, event_type, details = last_event(engine, execution_id)
    assert (channel, event_type) == ("operator", "replayed")
    assert details == {
        "branch": "normal",
        "groups_reset": 0,
        "previous_outcome": outcome,
        "previous_attempt": 0,
        "steps": "cleared" if state == "completed" else "kept",
        "steps_kept": 0,
        "from_step": None,
    }


def test_a_replay_clears_the_attempt_it_will_run_again(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)
    engine.release(claim(engine).lease)
    engine.complete(claim(engine).lease)

    engine.replay_execution(execution_id)

    first, second = engine.list_attempts(execution_id)
    assert first.outcome == "released"
    assert (second.attempt_index, second.outcome) == (1, None)
    assert (second.started_at_ms, second.terminal_at_ms) == (None, None)
    assert (second.worker_id, second.worker_instance_id, second.lease_expires_at_ms) == (None, None, None)
    assert look(engine, execution_id).attempt_index == 1


def test_a_replay_clears_progress_and_failure_and_keeps_the_first_start(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    started_at_ms = clock.now_ms
    engine.progress(lease, percent=50, message="half")
    engine.fail(lease, code="boom")
    clock.advance(10)

    engine.replay_execution(lease.execution_id)
    claim(engine)

    x = look(engine, lease.execution_id)
    assert (x.progress_percent, x.progress_message, x.failure) == (None, None, None)
    assert x.started_at_ms == started_at_ms


def test_a_result_from_before_a_replay_never_comes_back(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("completed", engine, clock)
    engine.replay_execution(execution_id)

    engine.complete(claim(engine).lease)

    assert engine.get_result(execution_id) is None


def test_a_replay_of_what_never_ran_makes_up_no_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("cancelled", engine, clock)

    engine.replay_execution(execution_id)

    assert engine.list_attempts(execution_id) == []


def test_a_replay_starts_with_a_fresh_retry_budget(engine: BlockingEngine, clock: ManualClock) -> None:
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=1, initial_delay_ms=0, jitter=0.0))
    execution_id = create(engine, policy=policy)
    for _ in range(2):
        engine.fail(claim(engine).lease, code="boom")
    assert look(engine, execution_id).public_state == "failed"

    engine.replay_execution(execution_id)

    assert look(engine, execution_id).retry_count == 0
    for _ in range(2):
        engine.fail(claim(engine).lease, code="boom")
    assert look(engine, execution_id).public_state == "failed"
    assert outcomes(engine, execution_id) == ["retry", "retry", "failed"]


def test_a_replay_starts_with_a_fresh_interruption_budget(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=ExecutionPolicy(max_interruptions=1))
    for _ in range(2):
        claim(engine)
        engine.revoke_lease(execution_id)
    assert look(engine, execution_id).public_state == "failed"

    engine.replay_execution(execution_id)
    claim(engine)
    engine.revoke_lease(execution_id)

    assert look(engine, execution_id).interruption_count == 1
    assert look(engine, execution_id).public_state == "waiting"


def test_a_replay_drops_a_deadline_that_is_past(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("expired", engine, clock)

    engine.replay_execution(execution_id)
    clock.advance(1_000_000)
    engine.reconcile()

    assert look(engine, execution_id).deadline_at_ms is None
    assert look(engine, execution_id).public_state == "waiting"


def test_a_replay_keeps_a_deadline_that_is_to_come(engine: BlockingEngine, clock: ManualClock) -> None:
    deadline_at_ms = clock.now_ms + 100
    execution_id = create(engine, deadline_at_ms=deadline_at_ms)
    engine.complete(claim(engine).lease)

    engine.replay_execution(execution_id)
    kept = look(engine, execution_id).deadline_at_ms
    clock.advance(100)
    engine.reconcile()

    assert kept == deadline_at_ms
    assert look(engine, execution_id).public_state == "expired"


def test_a_replay_makes_no_second_event_of_the_first_end(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.complete(lease, b"one")
    engine.replay_execution(lease.execution_id)
    engine.complete(claim(engine).lease, b"two")

    assert story(engine, lease.execution_id) == [
        "lease.acquired",
        "completion.completed",
        "operator.replayed",
        "lease.acquired",
        "completion.completed",
    ]
    assert [event.seq for event in events_of(engine, lease.execution_id)] == [1, 2, 3, 4, 5]
    assert engine.get_result(lease.execution_id) == b"two"


@rule_cases("state", LIVE)
def test_what_has_not_ended_cannot_be_replayed(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    with refused(engine, ExecutionNotTerminal):
        engine.replay_execution(execution_id)


@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_policy_may_cap_replays(engine: BlockingEngine, clock: ManualClock, most: int) -> None:
    execution_id = an_execution("cancelled", engine, clock, ExecutionPolicy(max_replays=most))
    for _ in range(most):
        engine.replay_execution(execution_id)
        engine.cancel_execution(execution_id, reason="again")

    with refused(engine, MaxReplaysExhausted):
        engine.replay_execution(execution_id)

    assert look(engine, execution_id).replay_count == most


def test_without_a_cap_an_execution_is_replayed_as_often_as_anyone_likes(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = an_execution("cancelled", engine, clock)

    for _ in range(20):
        engine.replay_execution(execution_id)
        engine.cancel_execution(execution_id, reason="again")

    assert look(engine, execution_id).replay_count == 20


# ── hold and unhold ──────────────────────────────────────────────────────────────────────────────


@rule_cases(
    ("state", "attempt_state"),
    [
        ("waiting", "pending_first_attempt"),
        ("delayed", "pending_first_attempt"),
        ("blocked", "pending_first_attempt"),
        ("retrying", "pending_retry_attempt"),
        ("interrupted", "attempt_interrupted"),
    ],
)
def test_whatever_is_runnable_can_be_held(
    engine: BlockingEngine, clock: ManualClock, state: str, attempt_state: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    answer = engine.hold(execution_id, reason="wait for the audit")

    assert answer == Held(execution_id)
    assert vector(engine, execution_id) == f"runnable/unowned/blocked_by_operator/{attempt_state}/none/waiting"
    assert look(engine, execution_id).blocking_reason == "paused_by_operator"
    assert last_event(engine, execution_id) == ("operator", "held", {"reason": "wait for the audit"})
    clock.advance(10_000_000)
    engine.reconcile()
    assert claim_ids(engine) == []


def test_holding_twice_is_fine_and_is_told_once(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("held", engine, clock)

    with unchanged(engine):
        answer = engine.hold(execution_id, reason="again")

    assert answer == Held(execution_id)


def test_letting_go_makes_the_execution_eligible_again(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("held", engine, clock)

    answer = engine.unhold(execution_id)

    assert answer == Unheld(execution_id)
    assert vector(engine, execution_id) == "runnable/unowned/eligible_now/pending_first_attempt/none/waiting"
    assert last_event(engine, execution_id) == ("operator", "unheld", {})
    assert claim_ids(engine) == [execution_id]


@rule_cases("state", ["waiting", "delayed", "blocked", "retrying", "interrupted"])
def test_letting_go_of_what_is_not_held_changes_nothing(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    with unchanged(engine):
        answer = engine.unhold(execution_id)

    assert answer == Unheld(execution_id)


@pytest.mark.parametrize(("waited_ms", "public_state"), [(99, "delayed"), (100, "waiting"), (101, "waiting")])
def test_letting_go_gives_back_a_delay_that_is_still_to_come(
    engine: BlockingEngine, clock: ManualClock, waited_ms: int, public_state: str
) -> None:
    until_ms = clock.now_ms + 100
    execution_id = create(engine, delay_until_ms=until_ms)
    engine.hold(execution_id)
    clock.advance(waited_ms)
    engine.reconcile()

    engine.unhold(execution_id)

    x = look(engine, execution_id)
    assert x.public_state == public_state
    assert x.delay_until_ms == (until_ms if public_state == "delayed" else None)


def test_a_retry_that_was_held_is_still_a_retry(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    engine.fail(lease, code="boom")
    engine.hold(lease.execution_id)

    engine.unhold(lease.execution_id)

    assert vector(engine, lease.execution_id) == (
        "runnable/unowned/not_eligible_until_time/pending_retry_attempt/none/delayed"
    )
    clock.advance(1_000)
    engine.reconcile()
    assert claim(engine).claim_type == "retry"


@rule_cases("state", ["active", *ENDED])
def test_what_runs_or_has_ended_can_be_neither_held_nor_let_go(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    with refused(engine, ExecutionNotEligible):
        engine.hold(execution_id)
    with refused(engine, ExecutionNotEligible):
        engine.unhold(execution_id)


def test_a_held_execution_still_meets_its_deadline(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, deadline_at_ms=clock.now_ms + 10)
    engine.hold(execution_id)
    clock.advance(10)

    engine.reconcile()

    assert look(engine, execution_id).public_state == "expired"


def test_a_replay_clears_a_hold(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("held", engine, clock)
    engine.cancel_execution(execution_id, reason="stop")

    engine.replay_execution(execution_id)

    assert claim_ids(engine) == [execution_id]


# ── tags ─────────────────────────────────────────────────────────────────────────────────────────


@every_state
def test_a_tag_can_be_set_in_every_state_without_an_event(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)
    before, events = vector(engine, execution_id), log(engine)

    engine.set_tag(execution_id, "team.name", "billing")

    assert look(engine, execution_id).tags == {"team.name": "billing"}
    assert (vector(engine, execution_id), log(engine)) == (before, events)


def test_a_tag_that_is_set_again_changes_its_value(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, tags={"team.name": "billing", "team.size": "3"})

    engine.set_tag(execution_id, "team.name", "sales")

    assert look(engine, execution_id).tags == {"team.name": "sales", "team.size": "3"}


def test_setting_a_tag_does_not_move_an_execution_in_its_queue(engine: BlockingEngine, clock: ManualClock) -> None:
    ids = []
    for _ in range(3):
        ids.append(create(engine))
        clock.advance(1)

    engine.set_tag(ids[0], "team.name", "billing")

    assert claim_ids(engine) == ids


def test_a_running_worker_keeps_its_lease_when_a_tag_is_set(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    engine.set_tag(lease.execution_id, "team.name", "billing")

    engine.complete(lease)
    assert look(engine, lease.execution_id).public_state == "completed"


def test_an_execution_takes_64_tags_and_no_more(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, tags={f"tag.n{number}": "x" for number in range(63)})
    engine.set_tag(execution_id, "tag.n63", "x")

    with refused(engine, InvalidInput):
        engine.set_tag(execution_id, "tag.n64", "x")

    engine.set_tag(execution_id, "tag.n0", "changed")
    assert look(engine, execution_id).tags["tag.n0"] == "changed"


# ── the unknown ──────────────────────────────────────────────────────────────────────────────────


@rule_cases("command", ["revoke", "priority", "replay", "hold", "unhold", "tag"])
def test_operating_on_the_unknown_is_not_found(engine: BlockingEngine, clock: ManualClock, command: str) -> None:
    commands: dict[str, Callable[[], object]] = {
        "revoke": lambda: engine.revoke_lease(UNKNOWN),
        "priority": lambda: engine.change_priority(UNKNOWN, 1),
        "replay": lambda: engine.replay_execution(UNKNOWN),
        "hold": lambda: engine.hold(UNKNOWN),
        "unhold": lambda: engine.unhold(UNKNOWN),
        "tag": lambda: engine.set_tag(UNKNOWN, "team.name", "x"),
    }

    with refused(engine, NotFound) as caught:
        commands[command]()

    assert caught.value.entity == "execution"


def test_the_last_failure_is_shown_until_something_better_happens(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    engine.fail(lease, code="boom", message="first", retry_after_ms=0)
    second = claim(engine).lease
    while_running = look(engine, lease.execution_id).failure
    engine.fail(second, code="bang", message="second", retryable=False)

    assert while_running == Failure("boom", "first")
    assert look(engine, lease.execution_id).failure == Failure("bang", "second")
