"""Upkeep: what time does by itself, and that doing it twice, late or in vain is harmless."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from flowfabric import (
    BlockingEngine,
    Created,
    Duplicate,
    ExecutionNotActive,
    ExecutionPolicy,
    Failure,
    ManualClock,
    NewExecution,
    NotFound,
    RetryPolicy,
)
from flowfabric_conformance.stage import (
    ENDED,
    LIVE,
    RETRIED,
    an_execution,
    claim,
    claim_ids,
    create,
    events_of,
    last_event,
    listed,
    log,
    look,
    outcomes,
    refused,
    start,
    story,
    unchanged,
    vector,
)

UUID = "550e8400-e29b-41d4-a716-446655440000"


def timed(timeout_ms: int, max_retries: int = 0) -> ExecutionPolicy:
    """A policy with an attempt timeout and retries a second apart."""
    return ExecutionPolicy(
        retry=RetryPolicy(max_retries=max_retries, backoff="fixed", initial_delay_ms=1_000, jitter=0.0),
        attempt_timeout_ms=timeout_ms,
    )


def test_upkeep_of_an_idle_store_does_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    with unchanged(engine):
        done = engine.reconcile()

    assert set(done.values()) == {0}


@pytest.mark.parametrize("state", [*LIVE, *ENDED])
def test_upkeep_leaves_alone_what_is_not_due(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    an_execution(state, engine, clock)

    with unchanged(engine):
        done = engine.reconcile()

    assert set(done.values()) == {0}


def test_upkeep_says_how_much_each_duty_did(engine: BlockingEngine, clock: ManualClock) -> None:
    now_ms = clock.now_ms
    create(engine, policy=timed(100, max_retries=1))
    claim(engine)
    create(engine, idempotency_key="order-7", idempotency_ttl_ms=100, command_id="one")
    claim(engine, lease_ttl_ms=100)
    create(engine, delay_until_ms=now_ms + 100)
    create(engine, delay_until_ms=now_ms + 100)
    create(engine, deadline_at_ms=now_ms + 100)
    an_execution("cancelled", engine, clock, ExecutionPolicy(retention_ms=100))
    clock.advance(100)

    done = engine.reconcile()
    again = engine.reconcile()
    clock.advance(86_400_000)
    a_day_later = engine.reconcile()

    expected = {
        "expired_leases": 1,
        "due_delays": 2,
        "attempt_timeouts": 1,
        "deadlines": 1,
        "retention": 1,
        "idempotency_keys": 1,
        "command_ids": 0,
    }
    assert {duty: done[duty] for duty in expected} == expected
    assert set(again.values()) == {0}
    assert a_day_later["due_delays"] == 1
    # An engine behind a server gives every write an id of its own: here to six more.
    assert a_day_later["command_ids"] in (1, 7)


def test_upkeep_handles_more_than_a_page_of_due_rows(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.create_executions([NewExecution(kind="job", delay_until_ms=clock.now_ms + 1)] * 1_200)
    clock.advance(1)

    done = engine.reconcile()

    assert done["due_delays"] == 1_200
    assert len(claim_ids(engine, limit=1000)) + len(claim_ids(engine, limit=1000)) == 1_200


def test_upkeep_by_several_at_once_does_everything_once(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.create_executions([NewExecution(kind="job")] * 50)
    claim_ids(engine)
    clock.advance(30_000)

    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(lambda _: engine.reconcile()["expired_leases"], range(4)))

    assert sum(done) == 50
    assert {(x.interruption_count, x.lease_epoch) for x in listed(engine)} == {(1, 2)}
    assert sum(event.event_type == "expired" for event in log(engine)) == 50


# ── leases ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("late_ms", [0, 1, 1_000_000])
def test_an_expired_lease_puts_the_execution_back(engine: BlockingEngine, clock: ManualClock, late_ms: int) -> None:
    lease = start(engine)
    clock.advance(30_000 + late_ms)

    done = engine.reconcile()

    assert done["expired_leases"] == 1
    assert vector(engine, lease.execution_id) == "runnable/unowned/eligible_now/attempt_interrupted/none/waiting"
    x = look(engine, lease.execution_id)
    assert (x.lease_epoch, x.interruption_count, x.retry_count, x.attempt_index) == (2, 1, 0, 0)
    assert last_event(engine, lease.execution_id) == ("lease", "expired", {})
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.terminal_at_ms, attempt.lease_epoch) == ("interrupted", clock.now_ms, 1)
    assert claim(engine).claim_type == "reclaim"


def test_a_lease_is_not_swept_before_its_instant(engine: BlockingEngine, clock: ManualClock) -> None:
    start(engine)
    clock.advance(29_999)

    with unchanged(engine):
        engine.reconcile()


@pytest.mark.parametrize("max_interruptions", [0, 1, 3])
def test_too_many_lost_workers_fail_the_execution(
    engine: BlockingEngine, clock: ManualClock, max_interruptions: int
) -> None:
    execution_id = create(engine, policy=ExecutionPolicy(max_interruptions=max_interruptions))
    states = []
    for _ in range(max_interruptions + 1):
        claim(engine)
        clock.advance(30_000)
        engine.reconcile()
        states.append(look(engine, execution_id).public_state)

    assert states == ["waiting"] * max_interruptions + ["failed"]
    assert vector(engine, execution_id) == "terminal/unowned/not_applicable/attempt_terminal/failed/failed"
    x = look(engine, execution_id)
    assert x.failure is not None
    assert (x.failure.code, x.interruption_count) == ("worker_lost", max_interruptions + 1)
    assert (x.terminal_at_ms, x.lease_epoch) == (clock.now_ms, 2 * (max_interruptions + 1))
    assert story(engine, execution_id)[-2:] == ["lease.expired", "completion.failed"]
    assert last_event(engine, execution_id)[2] == {"code": "worker_lost"}
    assert outcomes(engine, execution_id) == ["interrupted"] * (max_interruptions + 1)


def test_an_execution_survives_ten_lost_workers_unless_told_otherwise(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = create(engine)
    for _ in range(10):
        claim(engine)
        engine.revoke_lease(execution_id)
    survived = look(engine, execution_id).public_state
    claim(engine)

    engine.revoke_lease(execution_id)

    assert (survived, look(engine, execution_id).public_state) == ("waiting", "failed")


def test_revokes_and_expiries_count_together(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=ExecutionPolicy(max_interruptions=1))
    claim(engine)
    engine.revoke_lease(execution_id)
    claim(engine)
    clock.advance(30_000)

    engine.reconcile()

    assert look(engine, execution_id).public_state == "failed"


# ── delays ───────────────────────────────────────────────────────────────────────────────────────


def test_a_delay_ends_at_its_instant_and_tells_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, delay_until_ms=clock.now_ms + 100)
    clock.advance(99)
    with unchanged(engine):
        engine.reconcile()
    clock.advance(1)

    engine.reconcile()

    assert vector(engine, execution_id) == "runnable/unowned/eligible_now/pending_first_attempt/none/waiting"
    assert look(engine, execution_id).delay_until_ms is None
    assert events_of(engine, execution_id) == []


# ── attempt timeouts ─────────────────────────────────────────────────────────────────────────────


def test_an_attempt_that_runs_too_long_is_retried(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=timed(500, max_retries=1))
    clock.advance(500)

    done = engine.reconcile()

    assert done["attempt_timeouts"] == 1
    assert vector(engine, lease.execution_id) == (
        "runnable/unowned/not_eligible_until_time/pending_retry_attempt/none/delayed"
    )
    x = look(engine, lease.execution_id)
    assert (x.retry_count, x.interruption_count, x.lease_epoch) == (1, 0, 2)
    assert x.delay_until_ms == clock.now_ms + 1_000
    assert x.failure is not None
    assert x.failure.code == "attempt_timeout"
    assert last_event(engine, lease.execution_id) == (
        "lease",
        "retry_scheduled",
        {"code": "attempt_timeout", "next_attempt_index": 1, "delay_until_ms": clock.now_ms + 1_000},
    )
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.lease_epoch, attempt.terminal_at_ms) == ("retry", 1, clock.now_ms)


def test_an_attempt_that_runs_too_long_without_retries_left_fails_for_good(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine, policy=timed(500))
    clock.advance(500)

    engine.reconcile()

    assert vector(engine, lease.execution_id) == "terminal/unowned/not_applicable/attempt_terminal/failed/failed"
    assert last_event(engine, lease.execution_id) == ("completion", "failed", {"code": "attempt_timeout"})
    assert outcomes(engine, lease.execution_id) == ["failed"]
    assert look(engine, lease.execution_id).lease_epoch == 2
    with refused(engine, ExecutionNotActive):
        engine.fail(lease, code="late")


def test_an_attempt_is_not_timed_out_before_its_instant(engine: BlockingEngine, clock: ManualClock) -> None:
    start(engine, policy=timed(500))
    clock.advance(499)

    with unchanged(engine):
        engine.reconcile()


def test_renewing_does_not_lengthen_the_time_of_an_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=timed(500))
    clock.advance(400)
    engine.renew(lease, lease_ttl_ms=100_000)
    clock.advance(100)

    engine.reconcile()

    assert look(engine, lease.execution_id).failure == Failure("attempt_timeout", "the attempt ran longer than 500 ms")


def test_every_attempt_has_the_full_time(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=timed(500, max_retries=1))
    clock.advance(400)
    engine.release(lease)
    claim(engine)
    clock.advance(499)

    with unchanged(engine):
        engine.reconcile()
    clock.advance(1)
    engine.reconcile()

    assert outcomes(engine, lease.execution_id) == ["released", "retry"]


@pytest.mark.parametrize(
    ("timeout_ms", "lease_ttl_ms", "outcome", "counts"),
    [
        (500, 1_000, "retry", (1, 0)),
        (1_000, 500, "interrupted", (0, 1)),
        (500, 500, "retry", (1, 0)),
    ],
)
@pytest.mark.parametrize("late_ms", [0, 1_000, 1_000_000])
def test_of_a_timeout_and_an_expiry_the_earlier_one_decides_however_late_the_sweep(
    engine: BlockingEngine,
    clock: ManualClock,
    timeout_ms: int,
    lease_ttl_ms: int,
    outcome: str,
    counts: tuple[int, int],
    late_ms: int,
) -> None:
    execution_id = create(engine, policy=timed(timeout_ms, max_retries=5))
    claim(engine, lease_ttl_ms=lease_ttl_ms)
    clock.advance(max(timeout_ms, lease_ttl_ms) + late_ms)

    engine.reconcile()

    x = look(engine, execution_id)
    assert outcomes(engine, execution_id) == [outcome]
    assert (x.retry_count, x.interruption_count) == counts
    assert x.lease_epoch == 2


# ── deadlines ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", ["waiting", "delayed", "held", "retrying", "released"])
def test_a_deadline_ends_what_is_waiting(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    deadline_at_ms = clock.now_ms + 100
    execution_id = create(
        engine,
        policy=RETRIED,
        deadline_at_ms=deadline_at_ms,
        delay_until_ms=deadline_at_ms + 1_000 if state == "delayed" else None,
    )
    if state == "held":
        engine.hold(execution_id)
    elif state == "retrying":
        engine.fail(claim(engine).lease, code="boom")
    elif state == "released":
        engine.release(claim(engine).lease)
    before, epoch = story(engine, execution_id), look(engine, execution_id).lease_epoch
    attempts = outcomes(engine, execution_id)
    clock.advance(100)

    done = engine.reconcile()

    assert done["deadlines"] == 1
    assert vector(engine, execution_id) == "terminal/unowned/not_applicable/attempt_terminal/expired/expired"
    x = look(engine, execution_id)
    assert (x.terminal_at_ms, x.deadline_at_ms, x.delay_until_ms) == (clock.now_ms, deadline_at_ms, None)
    assert x.lease_epoch == epoch
    assert story(engine, execution_id) == [*before, "completion.expired"]
    assert outcomes(engine, execution_id) == attempts
    assert claim_ids(engine) == []


def test_a_deadline_ends_what_is_running_and_takes_its_lease(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, deadline_at_ms=clock.now_ms + 100)
    lease = claim(engine).lease
    clock.advance(100)

    engine.reconcile()

    assert vector(engine, lease.execution_id) == "terminal/unowned/not_applicable/attempt_terminal/expired/expired"
    assert look(engine, lease.execution_id).lease_epoch == 2
    assert story(engine, lease.execution_id) == ["lease.acquired", "completion.expired"]
    assert last_event(engine, lease.execution_id)[2] == {}
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.terminal_at_ms, attempt.worker_instance_id) == ("expired", clock.now_ms, None)


def test_a_deadline_does_nothing_before_its_instant(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, deadline_at_ms=clock.now_ms + 100)
    clock.advance(99)

    with unchanged(engine):
        engine.reconcile()


@pytest.mark.parametrize("state", [state for state in ENDED if state != "expired"])
def test_a_deadline_does_nothing_to_what_has_ended(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = create(engine, deadline_at_ms=clock.now_ms + 100)
    if state == "cancelled":
        engine.cancel_execution(execution_id, reason="stop")
    elif state == "failed":
        engine.fail(claim(engine).lease, code="boom")
    else:
        engine.complete(claim(engine).lease)
    clock.advance(100)

    with unchanged(engine):
        engine.reconcile()


def test_a_worker_may_finish_after_the_deadline_if_no_sweep_was_faster(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    create(engine, deadline_at_ms=clock.now_ms + 100)
    lease = claim(engine).lease
    clock.advance(100)

    engine.complete(lease)
    engine.reconcile()

    assert look(engine, lease.execution_id).public_state == "completed"


def test_a_deadline_decides_over_an_expiry_and_a_timeout_of_the_same_instant(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    create(engine, policy=timed(100, max_retries=5), deadline_at_ms=clock.now_ms + 100)
    lease = claim(engine, lease_ttl_ms=100).lease
    clock.advance(100)

    engine.reconcile()

    assert story(engine, lease.execution_id) == ["lease.acquired", "completion.expired"]


def test_an_expiry_before_the_deadline_is_told_before_it(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, deadline_at_ms=clock.now_ms + 100)
    lease = claim(engine, lease_ttl_ms=50).lease
    clock.advance(1_000)

    engine.reconcile()

    assert story(engine, lease.execution_id) == ["lease.acquired", "lease.expired", "completion.expired"]


# ── retention ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", [state for state in ENDED if state != "skipped"])
def test_whatever_has_ended_is_purged_when_its_time_is_over(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock, ExecutionPolicy(retention_ms=100))
    engine.set_tag(execution_id, "team.name", "billing")
    clock.advance(99)
    with unchanged(engine):
        engine.reconcile()
    clock.advance(1)

    done = engine.reconcile()

    assert done["retention"] == 1
    assert engine.describe_execution(execution_id) is None
    assert listed(engine) == []
    assert listed(engine, tag=("team.name", "billing")) == []
    assert log(engine) == []
    for read in (engine.get_result, engine.list_attempts, engine.explain):
        with pytest.raises(NotFound):
            read(execution_id)
    with pytest.raises(NotFound):
        engine.replay_execution(execution_id)


@pytest.mark.parametrize("state", ENDED)
def test_without_a_retention_what_has_ended_is_kept_for_good(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    an_execution(state, engine, clock)
    clock.advance(10**12)

    with unchanged(engine):
        engine.reconcile()


def test_retention_counts_from_the_end(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=ExecutionPolicy(retention_ms=100))
    clock.advance(1_000_000)
    engine.reconcile()
    engine.cancel_execution(execution_id, reason="stop")
    clock.advance(99)
    engine.reconcile()

    kept = engine.describe_execution(execution_id)
    clock.advance(1)
    engine.reconcile()

    assert kept is not None
    assert engine.describe_execution(execution_id) is None


def test_a_replay_saves_an_execution_from_its_retention(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("completed", engine, clock, ExecutionPolicy(retention_ms=100))
    engine.replay_execution(execution_id)
    clock.advance(1_000_000)

    engine.reconcile()

    assert look(engine, execution_id).public_state == "waiting"


def test_a_retention_of_nothing_purges_at_the_next_sweep(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("completed", engine, clock, ExecutionPolicy(retention_ms=0))

    engine.reconcile()

    assert engine.describe_execution(execution_id) is None


def test_a_purge_takes_nothing_of_others(engine: BlockingEngine, clock: ManualClock) -> None:
    purged = create(engine, policy=ExecutionPolicy(retention_ms=100), execution_id=f"{{fp:1}}:{UUID}")
    kept = create(engine, execution_id=f"{{fp:2}}:{UUID}", tags={"team.name": "billing"})
    for claimed in engine.claim(worker_id="w", worker_instance_id="w1", limit=2):
        engine.complete(claimed.lease, b"result")
    clock.advance(100)

    engine.reconcile()

    assert engine.describe_execution(purged) is None
    assert engine.get_result(kept) == b"result"
    assert outcomes(engine, kept) == ["success"]
    assert story(engine, kept) == ["lease.acquired", "completion.completed"]
    assert [x.execution_id for x in listed(engine, tag=("team.name", "billing"))] == [kept]


def test_an_id_that_was_purged_can_be_used_again(engine: BlockingEngine, clock: ManualClock) -> None:
    policy = ExecutionPolicy(retention_ms=0)
    execution_id = create(engine, "old", b"old", policy=policy, execution_id=f"{{fp:1}}:{UUID}", tags={"t.t": "x"})
    engine.complete(claim(engine).lease, b"result")
    engine.reconcile()

    answer = engine.create_execution("new", b"new", execution_id=execution_id)

    assert answer == Created(execution_id, "waiting")
    assert (look(engine, execution_id).kind, look(engine, execution_id).tags) == ("new", {})
    assert engine.get_result(execution_id) is None
    assert engine.list_attempts(execution_id) == []
    assert listed(engine, tag=("t.t", "x")) == []
    claimed = claim(engine)
    assert (claimed.payload, claimed.attempt_index, claimed.lease.lease_epoch) == (b"new", 0, 1)
    assert [event.seq for event in events_of(engine, execution_id)] == [1]
    engine.complete(claimed.lease)
    assert engine.get_result(execution_id) is None


def test_an_idempotency_key_goes_with_its_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, policy=ExecutionPolicy(retention_ms=0), idempotency_key="order-7")
    engine.cancel_execution(first, reason="stop")
    engine.reconcile()

    answer = engine.create_execution("other", idempotency_key="order-7")

    assert isinstance(answer, Created)


def test_a_key_that_means_another_execution_by_now_stays(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, policy=ExecutionPolicy(retention_ms=100), idempotency_key="order-7", idempotency_ttl_ms=50)
    engine.cancel_execution(first, reason="stop")
    clock.advance(50)
    second = create(engine, idempotency_key="order-7", idempotency_ttl_ms=1_000)
    clock.advance(50)

    engine.reconcile()

    assert engine.describe_execution(first) is None
    assert engine.create_execution("job", idempotency_key="order-7") == Duplicate(second)


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────


def test_idempotency_keys_are_forgotten_when_their_time_is_over(engine: BlockingEngine, clock: ManualClock) -> None:
    for number in range(3):
        create(engine, idempotency_key=f"order-{number}", idempotency_ttl_ms=100 + number)
    clock.advance(101)

    done = engine.reconcile()

    assert done["idempotency_keys"] == 2
    assert isinstance(engine.create_execution("other", idempotency_key="order-0"), Created)
    assert isinstance(engine.create_execution("job", idempotency_key="order-2"), Duplicate)


def test_a_key_that_was_used_anew_is_not_forgotten(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, idempotency_key="order-7", idempotency_ttl_ms=100)
    clock.advance(100)
    second = create(engine, idempotency_key="order-7", idempotency_ttl_ms=100)

    done = engine.reconcile()

    assert done["idempotency_keys"] == 0
    assert engine.create_execution("job", idempotency_key="order-7") == Duplicate(second)


def test_command_ids_are_forgotten_after_a_day(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, command_id="one")
    clock.advance(86_399_999)
    before = engine.reconcile()["command_ids"]
    clock.advance(1)

    after = engine.reconcile()["command_ids"]

    assert (before, after) == (0, 1)
