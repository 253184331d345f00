"""Claiming: who gets what, in which order, and what a claim does to an execution."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from flowfabric import BlockingEngine, Claimed, ExecutionPolicy, ManualClock, NewExecution
from flowfabric_conformance.stage import (
    ENDED,
    RETRIED,
    an_execution,
    claim,
    claim_ids,
    create,
    events_of,
    listed,
    look,
    vector,
)

UUIDS = [f"00000000-0000-7000-8000-{number:012d}" for number in range(10)]


def test_a_claim_hands_out_the_execution_with_a_lease(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, "resize", b"p", lane="images", namespace="tenant-a", tags={"team.name": "x"})

    (claimed,) = engine.claim(
        worker_id="pool", worker_instance_id="pool-1", lanes=["images"], namespace="tenant-a", lease_ttl_ms=5_000
    )

    assert isinstance(claimed, Claimed)
    assert (claimed.execution_id, claimed.kind, claimed.payload) == (execution_id, "resize", b"p")
    assert (claimed.lane, claimed.namespace, claimed.flow_id) == ("images", "tenant-a", None)
    assert (claimed.attempt_index, claimed.claim_type, claimed.inputs) == (0, "first", {})
    assert claimed.tags == {"team.name": "x"}
    lease = claimed.lease
    assert (lease.execution_id, lease.attempt_index, lease.lease_epoch) == (execution_id, 0, 1)
    assert (lease.worker_instance_id, lease.expires_at_ms) == ("pool-1", clock.now_ms + 5_000)


def test_a_claimed_execution_is_active_and_leased(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)

    claim(engine)

    assert vector(engine, execution_id) == "active/leased/not_applicable/running_attempt/none/active"
    x = look(engine, execution_id)
    assert (x.attempt_index, x.lease_epoch, x.started_at_ms) == (0, 1, clock.now_ms)
    assert (x.blocking_reason, x.delay_until_ms, x.terminal_at_ms) == (None, None, None)


def test_a_claim_opens_an_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)

    claim(engine, worker="w7", lease_ttl_ms=5_000)

    (attempt,) = engine.list_attempts(execution_id)
    assert (attempt.attempt_index, attempt.lease_epoch, attempt.outcome) == (0, 1, None)
    assert (attempt.worker_id, attempt.worker_instance_id) == ("worker", "w7")
    assert (attempt.started_at_ms, attempt.terminal_at_ms) == (clock.now_ms, None)
    assert attempt.lease_expires_at_ms == clock.now_ms + 5_000


def test_a_claim_is_told_in_the_log(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, namespace="tenant-a")

    claim(engine, worker="w7", namespace="tenant-a")

    (event,) = events_of(engine, execution_id)
    assert (event.channel, event.event_type, event.seq) == ("lease", "acquired", 1)
    assert (event.execution_id, event.namespace, event.flow_id) == (execution_id, "tenant-a", None)
    assert event.occurred_at_ms == clock.now_ms
    assert event.details == {
        "attempt_index": 0,
        "lease_epoch": 1,
        "worker_instance_id": "w7",
        "claim_type": "first",
    }


def test_a_lease_id_names_the_uuid_the_attempt_the_epoch_and_the_claim(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = create(engine)
    engine.release(claim(engine).lease)

    lease = claim(engine).lease

    store, _, mark = lease.lease_id.partition(f":{execution_id[-36:]}:1:2:")
    assert store
    assert mark


def test_a_lease_lasts_half_a_minute_unless_told_otherwise(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine)

    assert claim(engine).lease.expires_at_ms == clock.now_ms + 30_000


def test_a_claim_of_an_empty_queue_gets_nothing_and_writes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    assert claim_ids(engine) == []
    assert engine.read_events().events == []


@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
def test_a_claim_gets_no_more_than_it_asks_for(engine: BlockingEngine, clock: ManualClock, limit: int) -> None:
    ids = [create(engine) for _ in range(3)]

    assert claim_ids(engine, limit=limit) == ids[:limit]


def test_nothing_is_handed_out_twice(engine: BlockingEngine, clock: ManualClock) -> None:
    ids = [create(engine) for _ in range(3)]

    assert claim_ids(engine, limit=2) + claim_ids(engine, limit=2) + claim_ids(engine, limit=2) == ids


def test_claims_at_the_same_time_never_get_the_same_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.create_executions([NewExecution(kind="job") for _ in range(200)])

    def claim_until_empty(worker: str) -> list[str]:
        got: list[str] = []
        while found := engine.claim(worker_id="w", worker_instance_id=worker, limit=3):
            got += [claimed.execution_id for claimed in found]
        return got

    with ThreadPoolExecutor(4) as threads:
        shares = list(threads.map(claim_until_empty, ["w1", "w2", "w3", "w4"]))

    got = [execution_id for share in shares for execution_id in share]
    assert len(got) == len(set(got)) == 200
    assert {x.lease_epoch for x in listed(engine)} == {1}


@pytest.mark.parametrize("state", ["delayed", "blocked", "held", "active", "retrying", *ENDED])
def test_only_what_is_eligible_now_is_handed_out(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    an_execution(state, engine, clock)

    assert claim_ids(engine) == []


def test_a_delay_that_has_ended_is_not_handed_out_before_upkeep_has_met_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = create(engine, delay_until_ms=clock.now_ms + 1)
    clock.advance(1)

    before = claim_ids(engine)
    engine.reconcile()

    assert before == []
    assert claim_ids(engine) == [execution_id]


def test_a_lease_that_has_expired_is_not_handed_out_before_upkeep_has_met_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = create(engine)
    claim(engine, lease_ttl_ms=1)
    clock.advance(1)

    before = claim_ids(engine)
    engine.reconcile()

    assert before == []
    assert claim_ids(engine) == [execution_id]


# ── lanes and namespaces ─────────────────────────────────────────────────────────────────────────


def test_a_claim_serves_only_the_lanes_it_names(engine: BlockingEngine, clock: ManualClock) -> None:
    in_default, in_gpu, in_mail = create(engine), create(engine, lane="gpu"), create(engine, lane="mail")

    assert claim_ids(engine, lanes=["gpu", "mail"]) == [in_gpu, in_mail]
    assert claim_ids(engine) == [in_default]


def test_a_claim_over_several_lanes_takes_the_highest_priority_of_all(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    low = create(engine, lane="gpu", priority=1)
    high = create(engine, lane="mail", priority=2)
    highest = create(engine, lane="gpu", priority=3)

    assert claim_ids(engine, lanes=["gpu", "mail", "gpu"], limit=2) == [highest, high]
    assert claim_ids(engine, lanes=["mail", "gpu"]) == [low]


def test_a_claim_serves_only_its_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, namespace="tenant-a")
    in_default = create(engine)

    assert claim_ids(engine) == [in_default]
    assert claim_ids(engine, namespace="tenant-b") == []


def test_long_queues_of_other_lanes_and_namespaces_do_not_stand_in_the_way(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.create_executions(
        [NewExecution(kind="job", lane="gpu", priority=9)] * 50
        + [NewExecution(kind="job", namespace="tenant-a", priority=9)] * 50
    )
    clock.advance(1)
    execution_id = create(engine)

    assert claim_ids(engine, limit=1) == [execution_id]


# ── order ────────────────────────────────────────────────────────────────────────────────────────

in_steps = pytest.mark.parametrize("step", [1, 2, 1000])


def claim_in_steps(engine: BlockingEngine, step: int) -> list[str]:
    """Everything there is to claim, so many at a time: the head of a queue must be right, not only the whole."""
    found: list[str] = []
    while got := claim_ids(engine, limit=step):
        found += got
    return found


@in_steps
def test_the_highest_priority_goes_first(engine: BlockingEngine, clock: ManualClock, step: int) -> None:
    low = create(engine, priority=0)
    clock.advance(1)
    high = create(engine, priority=9000)
    middle = create(engine, priority=10)

    assert claim_in_steps(engine, step) == [high, middle, low]


@in_steps
def test_of_equal_priority_the_oldest_goes_first(engine: BlockingEngine, clock: ManualClock, step: int) -> None:
    ids = []
    for uuid in (UUIDS[2], UUIDS[0], UUIDS[1]):
        ids.append(create(engine, execution_id=f"{{fp:86}}:{uuid}"))
        clock.advance(1)

    assert claim_in_steps(engine, step) == ids


@in_steps
def test_of_equal_age_the_lower_uuid_goes_first_on_whatever_partition(
    engine: BlockingEngine, clock: ManualClock, step: int
) -> None:
    for partition, uuid in ((1, UUIDS[3]), (200, UUIDS[1]), (30, UUIDS[2]), (255, UUIDS[0])):
        create(engine, execution_id=f"{{fp:{partition}}}:{uuid}")

    assert [execution_id[-36:] for execution_id in claim_in_steps(engine, step)] == UUIDS[:4]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_executions_that_share_a_uuid_go_by_partition_number(
    engine: BlockingEngine, clock: ManualClock, limit: int
) -> None:
    for partition in (100, 9, 10):
        create(engine, execution_id=f"{{fp:{partition}}}:{UUIDS[0]}")

    assert claim_ids(engine, limit=limit) == [f"{{fp:{n}}}:{UUIDS[0]}" for n in (9, 10, 100)][:limit]


@in_steps
def test_what_was_delayed_queues_by_when_its_delay_ended(engine: BlockingEngine, clock: ManualClock, step: int) -> None:
    start_ms = clock.now_ms
    delayed = create(engine, delay_until_ms=start_ms + 100)
    clock.advance(50)
    earlier = create(engine)
    clock.advance(100)
    later = create(engine)
    clock.advance(850)
    engine.reconcile()

    assert claim_in_steps(engine, step) == [earlier, delayed, later]


@in_steps
def test_what_is_retried_queues_by_when_its_pause_ended(engine: BlockingEngine, clock: ManualClock, step: int) -> None:
    retried = create(engine, policy=RETRIED)
    engine.fail(claim(engine).lease, code="boom")
    clock.advance(500)
    earlier = create(engine)
    clock.advance(1_000)
    later = create(engine)
    clock.advance(1_000)
    engine.reconcile()

    assert claim_in_steps(engine, step) == [earlier, retried, later]


@in_steps
def test_what_is_replayed_queues_by_when_it_was_replayed(engine: BlockingEngine, clock: ManualClock, step: int) -> None:
    replayed = create(engine)
    engine.complete(claim(engine).lease)
    clock.advance(1)
    earlier = create(engine)
    clock.advance(1)
    engine.replay_execution(replayed)
    clock.advance(1)
    later = create(engine)

    assert claim_in_steps(engine, step) == [earlier, replayed, later]


@in_steps
@pytest.mark.parametrize("how", ["released", "delayed", "revoked", "expired", "unheld"])
def test_what_comes_back_queues_by_when_it_came_back(
    engine: BlockingEngine, clock: ManualClock, how: str, step: int
) -> None:
    returned = create(engine)
    lease = None
    if how == "unheld":
        engine.hold(returned)
    else:
        lease = claim(engine, lease_ttl_ms=10).lease
    clock.advance(5)
    earlier = create(engine)
    clock.advance(5 if how == "expired" else 1)
    if how == "expired":
        engine.reconcile()
    elif how == "revoked":
        engine.revoke_lease(returned)
    elif lease is None:
        engine.unhold(returned)
    elif how == "released":
        engine.release(lease)
    else:
        engine.delay(lease, until_ms=clock.now_ms)
    clock.advance(1)
    later = create(engine)

    assert claim_in_steps(engine, step) == [earlier, returned, later]


@in_steps
def test_a_changed_priority_moves_an_execution_and_keeps_its_age(
    engine: BlockingEngine, clock: ManualClock, step: int
) -> None:
    first = create(engine, priority=5)
    clock.advance(1)
    second = create(engine, priority=5)
    clock.advance(1)
    third = create(engine, priority=5)

    engine.change_priority(third, 6)
    engine.change_priority(first, 6)

    assert claim_in_steps(engine, step) == [first, third, second]


# ── capabilities ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("required", "advertised", "fits"),
    [
        ([], [], True),
        ([], ["gpu"], True),
        (["gpu"], [], False),
        (["gpu"], ["gpu"], True),
        (["gpu"], ["gpu", "arm"], True),
        (["gpu", "arm"], ["gpu"], False),
        (["gpu", "arm"], ["arm", "gpu"], True),
        (["gpu"], ["GPU"], False),
        (["gpu"], ["gpu2"], False),
        (["gpu-v2"], ["gpu"], False),
        (["größe=4k"], ["größe=4k"], True),
    ],
)
def test_a_worker_gets_only_what_it_is_capable_of(
    engine: BlockingEngine, clock: ManualClock, required: list[str], advertised: list[str], fits: bool
) -> None:
    execution_id = create(engine, required_capabilities=required)

    assert claim_ids(engine, capabilities=advertised) == ([execution_id] if fits else [])


def test_executions_with_different_needs_are_handed_out_in_one_order(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    ids = []
    for required in (["gpu"], [], ["arm"], ["arm", "gpu"], []):
        ids.append(create(engine, required_capabilities=required))
        clock.advance(1)

    assert claim_ids(engine, capabilities=["gpu", "arm"]) == ids


def test_a_thousand_jobs_for_a_missing_capability_do_not_block_the_others(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.create_executions(
        [
            NewExecution(kind="train", priority=9000, required_capabilities=["gpu", f"model-{number % 7}"])
            for number in range(1_000)
        ]
    )
    clock.advance(1)
    plain, on_arm = create(engine), create(engine, required_capabilities=["arm"])

    assert claim_ids(engine, limit=1, capabilities=["arm"]) == [plain]
    assert claim_ids(engine, limit=1, capabilities=["arm", "gpu"]) == [on_arm]
    assert claim_ids(engine, limit=1, capabilities=["gpu"]) == []
    assert len(claim_ids(engine, capabilities=["gpu", "model-3"])) == 143


# ── further attempts ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["retry", "release", "delay", "revoke", "expiry", "timeout"])
def test_a_further_claim_opens_the_next_attempt(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    timeout_ms = 10 if how == "timeout" else None
    execution_id = create(engine, policy=ExecutionPolicy(retry=RETRIED.retry, attempt_timeout_ms=timeout_ms))
    lease = claim(engine, worker="w1", lease_ttl_ms=1_000).lease
    if how == "retry":
        engine.fail(lease, code="boom")
    elif how == "release":
        engine.release(lease)
    elif how == "delay":
        engine.delay(lease, until_ms=clock.now_ms + 5)
    elif how == "revoke":
        engine.revoke_lease(execution_id)
    clock.advance(1_000)
    engine.reconcile()
    clock.advance(1_000)
    engine.reconcile()

    claimed = claim(engine, worker="w2")

    first, second = engine.list_attempts(execution_id)
    assert claimed.claim_type == ("retry" if how in ("retry", "timeout") else "reclaim")
    assert (claimed.attempt_index, claimed.lease.attempt_index) == (1, 1)
    assert look(engine, execution_id).attempt_index == 1
    assert (first.attempt_index, first.worker_instance_id, first.lease_expires_at_ms) == (0, None, None)
    assert (second.attempt_index, second.worker_instance_id) == (1, "w2")
    assert (second.started_at_ms, second.outcome) == (clock.now_ms, None)
    assert look(engine, execution_id).started_at_ms == clock.now_ms - 2_000


def test_a_replay_runs_the_last_attempt_again(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)
    engine.release(claim(engine).lease)
    engine.complete(claim(engine).lease)
    engine.replay_execution(execution_id)
    clock.advance(5)

    claimed = claim(engine, worker="w9")

    attempts = engine.list_attempts(execution_id)
    assert (claimed.claim_type, claimed.attempt_index) == ("replay", 1)
    assert [attempt.attempt_index for attempt in attempts] == [0, 1]
    assert attempts[1].worker_instance_id == "w9"
    assert (attempts[1].started_at_ms, attempts[1].terminal_at_ms) == (clock.now_ms, None)
    assert attempts[1].outcome is None


def test_an_execution_that_never_ran_is_replayed_as_its_first_attempt(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = an_execution("cancelled", engine, clock)
    engine.replay_execution(execution_id)

    claimed = claim(engine)

    assert (claimed.claim_type, claimed.attempt_index) == ("replay", 0)
    assert [attempt.attempt_index for attempt in engine.list_attempts(execution_id)] == [0]


def test_after_a_replay_the_next_retry_counts_on(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=RETRIED)
    engine.complete(claim(engine).lease)
    engine.replay_execution(execution_id)
    engine.fail(claim(engine).lease, code="boom", retry_after_ms=0)

    claimed = claim(engine)

    assert (claimed.claim_type, claimed.attempt_index) == ("retry", 1)
