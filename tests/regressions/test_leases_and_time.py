"""Leases are found on whatever attempt they are, and every timer belongs to what it was set for."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from flowfabric import BlockingEngine, Cancelled, Completed, ExecutionPolicy, ManualClock, Renewed, RetryPolicy, Revoked
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    RETRIED,
    claim,
    create,
    listed,
    look,
    outcomes,
    start,
    story,
    unchanged,
)

LANES = [f"lane-{number}" for number in range(40)]


@pytest.mark.parametrize("earlier_attempts", [0, 1, 4])
def test_the_live_lease_is_found_whichever_attempt_it_belongs_to(
    engine: BlockingEngine, clock: ManualClock, earlier_attempts: int
) -> None:
    execution_id = create(engine)
    for _ in range(earlier_attempts):
        engine.release(claim(engine).lease)
    lease = claim(engine, worker="w9").lease

    shown = engine.list_attempts(execution_id)[-1]
    explained = engine.explain(execution_id)
    revoked = engine.revoke_lease(execution_id, worker_instance_id="w9", expected_lease_id=lease.lease_id)
    second = claim(engine).lease
    cancelled = engine.cancel_execution(
        execution_id, reason="stop", source="lease_holder", lease_epoch=second.lease_epoch
    )

    assert (shown.attempt_index, shown.worker_instance_id) == (earlier_attempts, "w9")
    assert "'w9'" in explained
    assert revoked == Revoked(lease.lease_id, lease.lease_epoch + 1)
    assert cancelled == Cancelled(execution_id, "cancelled")
    assert outcomes(engine, execution_id)[-2:] == ["interrupted", "cancelled"]


@pytest.mark.parametrize("end", ["cancel", "deadline"])
def test_a_lease_after_a_revoke_an_end_and_a_replay_is_as_good_as_any(
    engine: BlockingEngine, clock: ManualClock, end: str
) -> None:
    execution_id = create(engine, deadline_at_ms=clock.now_ms + 100)
    claim(engine)
    engine.revoke_lease(execution_id)
    if end == "cancel":
        engine.cancel_execution(execution_id, reason="stop")
    clock.advance(100)
    engine.reconcile()
    engine.replay_execution(execution_id)
    lease = claim(engine).lease
    clock.advance(10)

    renewed = engine.renew(lease)

    assert renewed == Renewed(clock.now_ms + 30_000)
    assert engine.complete(lease) == Completed(execution_id)


@rule_cases("pause", ["delay", "retry", "hold"])
def test_a_pause_leaves_the_deadline_where_it_was(engine: BlockingEngine, clock: ManualClock, pause: str) -> None:
    deadline_at_ms = clock.now_ms + 5_000
    lease = start(engine, policy=RETRIED, deadline_at_ms=deadline_at_ms)
    if pause == "delay":
        engine.delay(lease, until_ms=clock.now_ms + 1_000)
    elif pause == "retry":
        engine.fail(lease, code="boom")
    else:
        engine.release(lease)
        engine.hold(lease.execution_id)
        engine.unhold(lease.execution_id)

    clock.advance(1_000)
    engine.reconcile()
    after_the_pause = look(engine, lease.execution_id)
    clock.advance(4_000)
    engine.reconcile()

    assert (after_the_pause.public_state, after_the_pause.deadline_at_ms) == ("waiting", deadline_at_ms)
    assert look(engine, lease.execution_id).public_state == "expired"


def test_a_pause_longer_than_the_deadline_ends_with_the_deadline(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED, deadline_at_ms=clock.now_ms + 500)
    engine.fail(lease, code="boom")
    clock.advance(10_000)

    engine.reconcile()

    assert look(engine, lease.execution_id).public_state == "expired"
    assert story(engine, lease.execution_id) == ["lease.acquired", "lease.retry_scheduled", "completion.expired"]


@rule_cases("loss", ["expiry", "revoke", "release"])
def test_the_timer_of_an_attempt_ends_with_it(engine: BlockingEngine, clock: ManualClock, loss: str) -> None:
    policy = ExecutionPolicy(attempt_timeout_ms=1_000, retry=RetryPolicy(max_retries=3))
    execution_id = create(engine, policy=policy)
    lease = claim(engine, lease_ttl_ms=900).lease
    clock.advance(900 if loss == "expiry" else 899)
    if loss == "release":
        engine.release(lease)
    elif loss == "revoke":
        engine.revoke_lease(execution_id)
    engine.reconcile()
    claim(engine)
    clock.advance(500)

    with unchanged(engine):
        engine.reconcile()

    assert outcomes(engine, execution_id)[-1] is None


def test_expired_leases_are_found_in_every_lane_and_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    for lane in LANES:
        for namespace in ("default", "tenant-a"):
            create(engine, lane=lane, namespace=namespace)
            claim(engine, lanes=[lane], namespace=namespace)
    partitions = {x.execution_id.split(":")[1] for x in listed(engine)}
    clock.advance(30_000)

    done = engine.reconcile()

    assert len(partitions) > 20
    assert done["expired_leases"] == 80
    assert {x.public_state for x in listed(engine)} == {"waiting"}


def test_an_idle_claim_finds_what_is_ready_in_any_of_its_lanes(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, lane=LANES[-1])

    assert claim(engine, lanes=LANES).execution_id == execution_id


@rule_cases(
    ("timeout_ms", "deadline_in_ms", "ends_in_ms"),
    [(None, None, None), (700, None, 700), (None, 900, 900), (700, 900, 700), (700, 300, 300)],
)
def test_a_claim_says_when_its_attempt_is_over_at_the_latest(
    engine: BlockingEngine,
    clock: ManualClock,
    timeout_ms: int | None,
    deadline_in_ms: int | None,
    ends_in_ms: int | None,
) -> None:
    policy = ExecutionPolicy(attempt_timeout_ms=timeout_ms)
    deadline_at_ms = None if deadline_in_ms is None else clock.now_ms + deadline_in_ms
    create(engine, policy=policy, deadline_at_ms=deadline_at_ms)

    claimed = claim(engine)

    assert claimed.attempt_ends_at_ms == (None if ends_in_ms is None else clock.now_ms + ends_in_ms)
    assert claimed.attempt_ends_at_ms == engine.attempt_deadline_ms(claimed.execution_id)


@pytest.mark.parametrize("timeout_ms", [None, 700])
def test_a_claim_that_waits_says_when_its_attempt_is_over_at_the_latest(
    engine: BlockingEngine, clock: ManualClock, timeout_ms: int | None
) -> None:
    with ThreadPoolExecutor(1) as pool:
        options = {"worker_id": "w", "worker_instance_id": "w-1", "timeout_ms": 60_000}
        waiting = pool.submit(lambda: engine.wait_for_work(**options))  # type: ignore[arg-type]
        create(engine, policy=ExecutionPolicy(attempt_timeout_ms=timeout_ms))
        (claimed,) = waiting.result(60)

    assert claimed.attempt_ends_at_ms == (None if timeout_ms is None else clock.now_ms + timeout_ms)
