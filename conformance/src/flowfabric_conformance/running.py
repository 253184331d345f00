"""While functions run: steps that are never run again, leases kept by the dozen, and workers that say they live."""

from typing import Any, Final

import pytest

from flowfabric import (
    BlockingEngine,
    Completed,
    Conflict,
    ExecutionNotActive,
    ExecutionPolicy,
    InvalidInput,
    Lease,
    LeaseExpired,
    LeaseLost,
    ManualClock,
    NotFound,
    Renewed,
    StaleLease,
    StepRecorded,
    StepSnapshot,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import UNKNOWN, claim, create, look, refused, start

DAY_MS: Final = 86_400_000


# ── steps ────────────────────────────────────────────────────────────────────────────────────────


def test_a_step_is_kept_with_who_recorded_it_and_when(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    clock.advance(10)

    answer = engine.record_step(lease, "charge", b"\x00receipt\xff", fingerprint=b"order 7")

    assert answer == StepRecorded(lease.execution_id, "charge")
    assert engine.list_steps(lease.execution_id) == [
        StepSnapshot("charge", b"order 7", b"\x00receipt\xff", 0, clock.now_ms)
    ]


def test_a_step_is_kept_with_the_tries_that_it_took(engine: BlockingEngine) -> None:
    lease = start(engine)

    engine.record_step(lease, "ask", b"42", tries=3)
    engine.record_step(lease, "ask", b"42", tries=5)
    engine.record_step(lease, "tell", b"")

    assert [(step.name, step.tries) for step in engine.list_steps(lease.execution_id)] == [("ask", 3), ("tell", 1)]
    with refused(engine, InvalidInput):
        engine.record_step(lease, "wrong", b"", tries=0)


def test_steps_are_listed_in_the_order_in_which_they_were_recorded(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    for name in ("reserve", "charge", "Zebra", "apply"):
        engine.record_step(lease, name, b"")

    assert [step.name for step in engine.list_steps(lease.execution_id)] == ["reserve", "charge", "Zebra", "apply"]


def test_the_same_step_again_keeps_the_first_result(engine: BlockingEngine) -> None:
    lease = start(engine)
    engine.record_step(lease, "charge", b"first", fingerprint=b"order 7")

    answer = engine.record_step(lease, "charge", b"second", fingerprint=b"order 7")

    assert answer == StepRecorded(lease.execution_id, "charge")
    assert [step.result for step in engine.list_steps(lease.execution_id)] == [b"first"]


def test_a_step_of_the_same_name_with_other_arguments_is_a_conflict(engine: BlockingEngine) -> None:
    lease = start(engine)
    engine.record_step(lease, "charge", b"first", fingerprint=b"order 7")

    with pytest.raises(Conflict, match=r"'charge'.*attempt 1.*another name"):
        engine.record_step(lease, "charge", b"second", fingerprint=b"order 8")

    assert [step.result for step in engine.list_steps(lease.execution_id)] == [b"first"]


def test_steps_outlive_the_attempt_that_recorded_them(engine: BlockingEngine) -> None:
    first = start(engine)
    engine.record_step(first, "charge", b"paid")
    engine.release(first)

    second = claim(engine)
    engine.record_step(second.lease, "ship", b"sent")

    assert [(step.name, step.attempt_index) for step in engine.list_steps(first.execution_id)] == [
        ("charge", 0),
        ("ship", 1),
    ]


def test_who_no_longer_holds_the_lease_records_no_step(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.revoke_lease(lease.execution_id)
    with refused(engine, ExecutionNotActive):
        engine.record_step(lease, "charge", b"late")
    again = claim(engine)
    with refused(engine, StaleLease):
        engine.record_step(lease, "charge", b"late")
    clock.advance(30_000)
    with refused(engine, LeaseExpired):
        engine.record_step(again.lease, "charge", b"late")

    assert engine.list_steps(lease.execution_id) == []


def test_steps_go_with_their_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=ExecutionPolicy(retention_ms=1_000))
    claimed = claim(engine)
    engine.record_step(claimed.lease, "charge", b"paid")
    engine.complete(claimed.lease)
    clock.advance(1_000)
    engine.reconcile()

    with pytest.raises(NotFound):
        engine.list_steps(execution_id)
    engine.create_execution("kind", execution_id=execution_id)
    assert engine.list_steps(execution_id) == []


def test_steps_of_an_unknown_execution_are_not_found(engine: BlockingEngine) -> None:
    with pytest.raises(NotFound):
        engine.list_steps(UNKNOWN)


def test_steps_of_another_namespace_are_not_found(engine: BlockingEngine) -> None:
    lease = start(engine)
    engine.record_step(lease, "charge", b"paid")
    elsewhere = engine.scoped("elsewhere")

    with pytest.raises(NotFound):
        elsewhere.list_steps(lease.execution_id)
    with pytest.raises(NotFound):
        elsewhere.record_step(lease, "ship", b"sent")


# ── many leases ──────────────────────────────────────────────────────────────────────────────────


def test_many_leases_are_renewed_at_once_each_answered_for_itself(engine: BlockingEngine, clock: ManualClock) -> None:
    live, revoked = start(engine), start(engine)
    engine.revoke_lease(revoked.execution_id)
    ended = start(engine)
    engine.complete(ended)
    unknown = Lease(UNKNOWN, 0, 1, "x", "worker-1", 0)
    clock.advance(10_000)

    answers = engine.renew_all([live, revoked, ended, unknown], lease_ttl_ms=60_000)

    assert answers == [
        Renewed(clock.now_ms + 60_000),
        LeaseLost(revoked.execution_id, "execution_not_active"),
        LeaseLost(ended.execution_id, "execution_not_active"),
        LeaseLost(UNKNOWN, "not_found"),
    ]
    assert look(engine, live.execution_id).public_state == "active"


def test_renewing_many_keeps_each_lease_as_long_as_it_was_claimed_for(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    leases = [start(engine) for _ in range(3)]
    clock.advance(20_000)

    engine.renew_all(leases)

    clock.advance(29_999)
    assert engine.reconcile()["expired_leases"] == 0
    clock.advance(1)
    assert engine.reconcile()["expired_leases"] == 3


def test_renewing_no_lease_is_fine(engine: BlockingEngine) -> None:
    assert engine.renew_all([]) == []


def test_many_are_completed_at_once_each_answered_for_itself(engine: BlockingEngine) -> None:
    first, revoked, last = start(engine), start(engine), start(engine)
    engine.revoke_lease(revoked.execution_id)
    unknown = Lease(UNKNOWN, 0, 1, "x", "worker-1", 0)

    answers = engine.complete_all([(first, b"one"), (revoked, b"void"), (unknown, None), (last, None)])

    assert answers[0] == Completed(first.execution_id)
    assert [type(answer) for answer in answers[1:3]] == [ExecutionNotActive, NotFound]
    assert answers[3] == Completed(last.execution_id)
    assert engine.get_result(first.execution_id) == b"one"
    assert look(engine, revoked.execution_id).public_state == "waiting"
    assert look(engine, last.execution_id).public_state == "completed"


def test_one_that_cannot_be_sent_does_not_keep_the_others_from_being_completed(engine: BlockingEngine) -> None:
    lease, other = start(engine), start(engine)
    too_large = b"x" * (1024 * 1024 + 1)

    answers = engine.complete_all([(lease, too_large), (other, b""), "no pair", (None, b"")])  # type: ignore[list-item]

    assert [type(answer) for answer in answers] == [InvalidInput, Completed, InvalidInput, InvalidInput]
    assert "ended[0]" in str(answers[0])
    assert look(engine, lease.execution_id).public_state == "active"


def test_to_another_namespace_what_is_completed_at_once_is_unknown(engine: BlockingEngine) -> None:
    lease = start(engine)

    (answer,) = engine.scoped("elsewhere").complete_all([(lease, None)])

    assert isinstance(answer, NotFound)
    assert look(engine, lease.execution_id).public_state == "active"


def test_completing_nothing_is_fine(engine: BlockingEngine) -> None:
    assert engine.complete_all([]) == []


# ── workers ──────────────────────────────────────────────────────────────────────────────────────


def test_a_worker_is_listed_with_what_it_says_of_itself(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.heartbeat(
        worker_id="mailer",
        worker_instance_id="mailer-1",
        lanes=["mail", "print"],
        capabilities=["smtp", "a4"],
        host="box",
        pid=77,
        version="1.2",
    )
    clock.advance(5_000)
    engine.heartbeat(worker_id="mailer", worker_instance_id="mailer-1", lanes=["mail"], host="box", pid=77)

    (worker,) = engine.list_workers()

    assert (worker.worker_id, worker.worker_instance_id, worker.namespace) == ("mailer", "mailer-1", "default")
    assert (worker.host, worker.pid, worker.version) == ("box", 77, "")
    assert (worker.lanes, worker.capabilities) == (["mail"], [])
    assert (worker.started_at_ms, worker.seen_at_ms) == (clock.now_ms - 5_000, clock.now_ms)
    assert worker.is_alive


def test_a_worker_that_is_silent_for_too_long_is_taken_for_dead(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.heartbeat(worker_id="w", worker_instance_id="w-1", ttl_ms=10_000)

    told = []
    for silent_ms in (4_999, 1, 4_999, 1):
        clock.advance(silent_ms)
        told += [(worker.is_alive, worker.is_silent) for worker in engine.list_workers()]

    assert told == [(True, False), (False, True), (False, True), (False, False)]


def test_a_worker_that_missed_a_beat_counts_as_live_nowhere(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine)
    held = claim(engine, "w-1", lease_ttl_ms=600_000).execution_id
    waiting = create(engine)
    engine.heartbeat(worker_id="w", worker_instance_id="w-1", ttl_ms=600_000)
    clock.advance(299_999)
    (lane,) = engine.list_lanes()
    assert (lane.live_workers, engine.stats().live_workers) == (1, 1)
    assert "; 1 such worker is alive" in engine.explain(waiting)
    assert "probably dead" not in engine.explain(held)

    clock.advance(1)

    (lane,) = engine.list_lanes()
    assert (lane.live_workers, engine.stats().live_workers) == (0, 0)
    assert engine.explain(waiting).endswith("; no worker is alive.")
    assert engine.explain(held) == (
        "It is running as attempt 1 on worker 'w-1', which was last heard of 5 min ago and is probably dead; its lease "
        f"lasts another 5 min, then it goes back to the queue (interruption 1 of 10); `ff revoke {held}` does that now."
    )


def test_a_dead_worker_is_forgotten_after_a_day(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.heartbeat(worker_id="w", worker_instance_id="w-1", ttl_ms=10_000)

    clock.advance(10_000 + DAY_MS - 1)
    assert engine.reconcile()["silent_workers"] == 0
    clock.advance(1)
    assert engine.reconcile()["silent_workers"] == 1
    assert engine.list_workers() == []


def test_a_worker_that_says_goodbye_is_gone_at_once(engine: BlockingEngine) -> None:
    engine.heartbeat(worker_id="w", worker_instance_id="w-1")
    engine.heartbeat(worker_id="w", worker_instance_id="w-2")

    engine.say_goodbye("w-1")
    engine.say_goodbye("w-1")

    assert [worker.worker_instance_id for worker in engine.list_workers()] == ["w-2"]


def test_workers_of_another_namespace_are_neither_seen_nor_touched(engine: BlockingEngine) -> None:
    ours, theirs = engine.scoped("ours"), engine.scoped("theirs")
    ours.heartbeat(worker_id="w", worker_instance_id="w-1", host="our box")

    theirs.heartbeat(worker_id="w", worker_instance_id="w-1", host="their box")
    theirs.say_goodbye("w-1")

    assert [(worker.namespace, worker.host) for worker in engine.list_workers()] == [("ours", "our box")]
    assert theirs.list_workers() == []


def test_explain_says_whether_a_living_worker_serves_the_lane(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, lane="gpu", required_capabilities=["h100"])
    engine.heartbeat(worker_id="w", worker_instance_id="w-1", lanes=["gpu"])
    assert "; 1 worker is alive, and none of them does." in engine.explain(execution_id)

    engine.heartbeat(worker_id="w", worker_instance_id="w-2", lanes=["gpu"], capabilities=["h100"], ttl_ms=60_000)
    assert "; 1 such worker is alive, and busy" in engine.explain(execution_id)

    clock.advance(60_000)
    assert "; no worker is alive." in engine.explain(execution_id)


@rule_cases(
    "wrong",
    [
        {"worker_instance_id": ""},
        {"worker_id": "x" * 300},
        {"lanes": []},
        {"capabilities": "gpu"},
        {"host": "x" * 2000},
        {"pid": -1},
        {"version": 2},
        {"ttl_ms": 0},
        {"namespace": "\n"},
    ],
    ids=str,
)
def test_a_heartbeat_that_makes_no_sense_is_refused(engine: BlockingEngine, wrong: dict[str, Any]) -> None:
    right: dict[str, Any] = {"worker_id": "w", "worker_instance_id": "w-1"}

    with pytest.raises(InvalidInput):
        engine.heartbeat(**{**right, **wrong})

    assert engine.list_workers() == []
