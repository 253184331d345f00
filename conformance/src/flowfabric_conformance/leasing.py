"""Leasing: who may speak for an execution, until when, and in which order that is checked."""

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from msgspec.structs import replace

from flowfabric import (
    BlockingEngine,
    Completed,
    ExecutionNotActive,
    ExecutionPolicy,
    Lease,
    LeaseExpired,
    ManualClock,
    NotFound,
    Released,
    Renewed,
    RetryPolicy,
    StaleLease,
    TerminalFailed,
)
from flowfabric_conformance.stage import (
    RETRIED,
    UNKNOWN,
    all_refused,
    claim,
    create,
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

WorkerCommand = Callable[[BlockingEngine, Lease], object]

WORKER_COMMANDS: Final[dict[str, WorkerCommand]] = {
    "renew": lambda engine, lease: engine.renew(lease),
    "complete": lambda engine, lease: engine.complete(lease, b"late"),
    "fail": lambda engine, lease: engine.fail(lease, code="late"),
    "release": lambda engine, lease: engine.release(lease),
    "delay": lambda engine, lease: engine.delay(lease, until_ms=2**50),
    "progress": lambda engine, lease: engine.progress(lease, percent=99, message="late"),
}


def _by_every_command(engine: BlockingEngine, lease: Lease) -> dict[str, Callable[[], object]]:
    """Every command of a worker under the lease, to be called."""
    return {name: partial(command, engine, lease) for name, command in WORKER_COMMANDS.items()}


HARDY: Final = ExecutionPolicy(
    retry=RetryPolicy(max_retries=9, backoff="fixed", initial_delay_ms=0, jitter=0.0), attempt_timeout_ms=1_000
)


def _complete(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.complete(lease, b"first")


def _fail_for_good(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.fail(lease, code="boom", retryable=False)


def _fail_with_a_retry(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.fail(lease, code="boom")


def _release(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.release(lease)


def _delay(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.delay(lease, until_ms=clock.now_ms)


def _revoke(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.revoke_lease(lease.execution_id)


def _expire(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    clock.advance(500)
    engine.reconcile()


def _time_out(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.renew(lease, lease_ttl_ms=10_000)
    clock.advance(1_000)
    engine.reconcile()


def _cancel(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.cancel_execution(lease.execution_id, reason="stop")


def _pass_the_deadline(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    engine.renew(lease, lease_ttl_ms=10_000)
    clock.advance(900)
    engine.reconcile()


WaysToLose = dict[str, tuple[Callable[[BlockingEngine, ManualClock, Lease], None], str]]

LOST_AND_WAITING: Final[WaysToLose] = {
    "retried": (_fail_with_a_retry, "waiting"),
    "released": (_release, "waiting"),
    "delayed": (_delay, "waiting"),
    "revoked": (_revoke, "waiting"),
    "expired": (_expire, "waiting"),
    "timed-out": (_time_out, "waiting"),
}
LOST_FOR_GOOD: Final[WaysToLose] = {
    "completed": (_complete, "completed"),
    "failed": (_fail_for_good, "failed"),
    "cancelled": (_cancel, "cancelled"),
    "past-deadline": (_pass_the_deadline, "expired"),
}

SAME_ANSWER_AGAIN: Final = {"completed": "complete", "failed": "fail"}
"""The command that ended the execution gets its answer again."""


def _lose(how: str, engine: BlockingEngine, clock: ManualClock) -> tuple[Lease, str]:
    """A lease that is over, and the public state that its execution is in now."""
    create(engine, policy=HARDY, deadline_at_ms=clock.now_ms + 900 if how == "past-deadline" else None)
    lease = claim(engine, lease_ttl_ms=500).lease
    lose, state = {**LOST_AND_WAITING, **LOST_FOR_GOOD}[how]
    lose(engine, clock, lease)
    assert look(engine, lease.execution_id).public_state == state
    return lease, state


# ── the order of the checks ──────────────────────────────────────────────────────────────────────


def test_a_lease_of_an_unknown_execution_is_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = replace(start(engine), execution_id=UNKNOWN)

    caught = all_refused(engine, NotFound, _by_every_command(engine, lease))

    assert {refusal.entity for refusal in caught.values()} == {"execution"}


@pytest.mark.parametrize("how", [*LOST_AND_WAITING, *LOST_FOR_GOOD])
def test_a_lease_that_is_over_changes_nothing(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    lease, state = _lose(how, engine, clock)
    commands = _by_every_command(engine, lease)
    commands.pop(SAME_ANSWER_AGAIN.get(how, ""), None)

    caught = all_refused(engine, ExecutionNotActive, commands)

    epoch = look(engine, lease.execution_id).lease_epoch
    assert {(refusal.public_state, refusal.lease_epoch) for refusal in caught.values()} == {(state, epoch)}


@pytest.mark.parametrize("how", LOST_AND_WAITING)
def test_a_lease_that_another_worker_has_followed_is_stale(
    engine: BlockingEngine, clock: ManualClock, how: str
) -> None:
    lease, _ = _lose(how, engine, clock)
    successor = claim(engine, worker="w2")
    assert successor.execution_id == lease.execution_id

    all_refused(engine, StaleLease, _by_every_command(engine, lease))

    assert engine.complete(successor.lease, b"mine") == Completed(lease.execution_id)
    assert engine.get_result(lease.execution_id) == b"mine"


@pytest.mark.parametrize("how", LOST_FOR_GOOD)
def test_a_lease_from_before_a_replay_is_stale(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    lease, _ = _lose(how, engine, clock)
    engine.replay_execution(lease.execution_id)

    all_refused(engine, ExecutionNotActive, _by_every_command(engine, lease))
    claim(engine, worker="w2")
    all_refused(engine, StaleLease, _by_every_command(engine, lease))


@pytest.mark.parametrize(
    "wrong",
    [{"lease_epoch": 0}, {"lease_epoch": 2}, {"attempt_index": 1}, {"attempt_index": 1, "lease_epoch": 2}],
    ids=["older-epoch", "newer-epoch", "other-attempt", "both"],
)
def test_a_lease_with_another_epoch_or_attempt_is_stale(
    engine: BlockingEngine, clock: ManualClock, wrong: dict[str, int]
) -> None:
    lease = replace(start(engine), **wrong)

    all_refused(engine, StaleLease, _by_every_command(engine, lease))


def test_a_lease_of_another_store_is_stale(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    elsewhere = replace(lease, lease_id=f"elsewhere-{lease.lease_id}")

    all_refused(engine, StaleLease, _by_every_command(engine, elsewhere))


@pytest.mark.parametrize("late_ms", [0, 1, 1_000_000])
def test_a_lease_is_dead_for_its_holder_from_the_instant_it_expires(
    engine: BlockingEngine, clock: ManualClock, late_ms: int
) -> None:
    create(engine)
    lease = claim(engine, lease_ttl_ms=1_000).lease
    clock.advance(1_000 + late_ms)

    all_refused(engine, LeaseExpired, _by_every_command(engine, lease))


@pytest.mark.parametrize("command", WORKER_COMMANDS)
def test_a_lease_is_good_until_the_instant_before_it_expires(
    engine: BlockingEngine, clock: ManualClock, command: str
) -> None:
    create(engine)
    lease = claim(engine, lease_ttl_ms=1_000).lease
    clock.advance(999)

    WORKER_COMMANDS[command](engine, lease)


def test_a_stale_lease_is_called_stale_even_after_its_time(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = replace(start(engine), lease_epoch=0)
    clock.advance(1_000_000)

    all_refused(engine, StaleLease, _by_every_command(engine, lease))


def test_an_ended_execution_is_not_active_whatever_the_lease(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.cancel_execution(lease.execution_id, reason="stop")

    all_refused(engine, ExecutionNotActive, _by_every_command(engine, replace(lease, attempt_index=5, lease_epoch=7)))


@pytest.mark.parametrize("changed", ["spelling", "expiry", "worker"])
def test_a_lease_is_told_by_its_execution_attempt_and_epoch(
    engine: BlockingEngine, clock: ManualClock, changed: str
) -> None:
    lease = start(engine)
    also_good = {
        "spelling": replace(lease, execution_id=f"{{fp:86}}:{lease.execution_id[-36:].upper()}"),
        "expiry": replace(lease, expires_at_ms=0),
        "worker": replace(lease, worker_instance_id="renamed"),
    }[changed]

    assert engine.complete(also_good) == Completed(lease.execution_id)


# ── the same answer again ────────────────────────────────────────────────────────────────────────


def test_completing_again_gets_the_same_answer_and_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    first = engine.complete(lease, b"first")
    clock.advance(1_000_000)

    with unchanged(engine):
        again = engine.complete(lease, b"second")

    assert again == first == Completed(lease.execution_id)
    assert engine.get_result(lease.execution_id) == b"first"
    assert story(engine, lease.execution_id) == ["lease.acquired", "completion.completed"]


def test_failing_for_good_again_gets_the_same_answer_and_changes_nothing(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    first = engine.fail(lease, code="boom", message="first")
    clock.advance(1_000_000)

    with unchanged(engine):
        again = engine.fail(lease, code="bang", message="second")

    assert again == first == TerminalFailed(lease.execution_id)


def test_failing_again_after_a_retry_was_scheduled_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    engine.fail(lease, code="boom")

    with refused(engine, ExecutionNotActive) as caught:
        engine.fail(lease, code="boom")

    assert caught.value.public_state == "delayed"


def test_only_the_lease_that_ended_an_execution_gets_the_answer_again(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    earlier = start(engine)
    engine.release(earlier)
    engine.complete(claim(engine).lease)
    also_earlier = start(engine)
    engine.release(also_earlier)
    engine.fail(claim(engine).lease, code="boom")

    with refused(engine, ExecutionNotActive) as caught:
        engine.complete(earlier)
    with refused(engine, ExecutionNotActive) as also_caught:
        engine.fail(also_earlier, code="boom")

    assert (caught.value.public_state, also_caught.value.public_state) == ("completed", "failed")


def test_completing_what_failed_is_refused_with_the_outcome(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.fail(lease, code="boom")

    with refused(engine, ExecutionNotActive) as caught:
        engine.complete(lease)

    assert (caught.value.public_state, caught.value.lease_epoch) == ("failed", 1)


def test_failing_what_completed_is_refused_with_the_outcome(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.complete(lease)

    with refused(engine, ExecutionNotActive) as caught:
        engine.fail(lease, code="boom")

    assert caught.value.public_state == "completed"


def test_a_lease_taken_away_before_a_failure_for_good_gets_no_answer_for_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine, policy=ExecutionPolicy(max_interruptions=0))
    engine.revoke_lease(lease.execution_id)
    assert look(engine, lease.execution_id).public_state == "failed"

    with refused(engine, ExecutionNotActive):
        engine.fail(lease, code="boom")


# ── renew ────────────────────────────────────────────────────────────────────────────────────────


def test_renewing_keeps_the_lease_for_as_long_as_it_was_claimed(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine)
    lease = claim(engine, lease_ttl_ms=7_000).lease
    clock.advance(6_999)

    answer = engine.renew(lease)

    assert answer == Renewed(clock.now_ms + 7_000)
    clock.advance(6_999)
    assert engine.renew(lease) == Renewed(clock.now_ms + 7_000)


def test_renewing_for_a_given_time_keeps_the_lease_that_long(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    clock.advance(10)

    answer = engine.renew(lease, lease_ttl_ms=100_000)

    assert answer == Renewed(clock.now_ms + 100_000)
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert attempt.lease_expires_at_ms == clock.now_ms + 100_000


def test_renewing_writes_no_event_and_moves_no_epoch(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    before = log(engine)
    clock.advance(10)

    engine.renew(lease)

    assert log(engine) == before
    assert look(engine, lease.execution_id).lease_epoch == lease.lease_epoch
    assert vector(engine, lease.execution_id) == "active/leased/not_applicable/running_attempt/none/active"


def test_a_renewed_lease_is_not_swept_at_its_first_expiry(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine)
    lease = claim(engine, lease_ttl_ms=1_000).lease
    clock.advance(999)
    engine.renew(lease)
    clock.advance(1)

    with unchanged(engine):
        engine.reconcile()

    assert engine.complete(lease) == Completed(lease.execution_id)


def test_renewing_never_revives(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine)
    lease = claim(engine, lease_ttl_ms=1_000).lease
    clock.advance(1_000)
    with refused(engine, LeaseExpired):
        engine.renew(lease, lease_ttl_ms=1_000_000)

    engine.reconcile()

    assert vector(engine, lease.execution_id) == "runnable/unowned/eligible_now/attempt_interrupted/none/waiting"


# ── release and delay ────────────────────────────────────────────────────────────────────────────


def test_releasing_hands_back_and_burns_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    clock.advance(10)

    answer = engine.release(lease)

    assert answer == Released(lease.execution_id)
    assert vector(engine, lease.execution_id) == "runnable/unowned/eligible_now/attempt_interrupted/none/waiting"
    x = look(engine, lease.execution_id)
    assert (x.retry_count, x.interruption_count, x.lease_epoch, x.attempt_index) == (0, 0, 1, 0)
    assert x.blocking_reason == "waiting_for_worker"
    assert last_event(engine, lease.execution_id) == ("lease", "released", {})


def test_a_released_attempt_ends_as_released(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    started_at_ms = clock.now_ms
    clock.advance(10)

    engine.release(lease)

    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.started_at_ms, attempt.terminal_at_ms) == (
        "released",
        started_at_ms,
        clock.now_ms,
    )
    assert (attempt.worker_id, attempt.worker_instance_id, attempt.lease_expires_at_ms) == ("worker", None, None)
    assert attempt.lease_epoch == 1


def test_releasing_does_not_count_towards_any_limit(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=ExecutionPolicy(max_interruptions=0))

    for _ in range(5):
        engine.release(claim(engine).lease)

    assert look(engine, execution_id).public_state == "waiting"
    assert outcomes(engine, execution_id) == ["released"] * 5


def test_delaying_hands_back_until_later_and_burns_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    until_ms = clock.now_ms + 5_000

    answer = engine.delay(lease, until_ms=until_ms)

    assert answer == Released(lease.execution_id)
    assert vector(engine, lease.execution_id) == (
        "runnable/unowned/not_eligible_until_time/attempt_interrupted/none/delayed"
    )
    x = look(engine, lease.execution_id)
    assert (x.retry_count, x.interruption_count, x.lease_epoch) == (0, 0, 1)
    assert (x.delay_until_ms, x.blocking_reason) == (until_ms, "waiting_for_delay")
    assert last_event(engine, lease.execution_id) == ("lease", "released", {"delay_until_ms": until_ms})
    assert outcomes(engine, lease.execution_id) == ["released"]


def test_a_delayed_execution_comes_back_at_its_instant(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.delay(lease, until_ms=clock.now_ms + 5_000)

    clock.advance(4_999)
    engine.reconcile()
    early = look(engine, lease.execution_id).public_state
    clock.advance(1)
    engine.reconcile()

    assert early == "delayed"
    assert vector(engine, lease.execution_id) == "runnable/unowned/eligible_now/attempt_interrupted/none/waiting"
    assert look(engine, lease.execution_id).delay_until_ms is None
    assert (claim(engine).claim_type, look(engine, lease.execution_id).attempt_index) == ("reclaim", 1)


def test_delaying_until_now_means_now(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    engine.delay(lease, until_ms=clock.now_ms)

    assert look(engine, lease.execution_id).public_state == "waiting"
    assert last_event(engine, lease.execution_id) == ("lease", "released", {"delay_until_ms": clock.now_ms})
    assert claim(engine).execution_id == lease.execution_id


# ── progress ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("percent", [0, 1, 100])
def test_progress_is_kept_on_the_execution_without_an_event(
    engine: BlockingEngine, clock: ManualClock, percent: int
) -> None:
    lease = start(engine)

    engine.progress(lease, percent=percent, message="so far")

    x = look(engine, lease.execution_id)
    assert (x.progress_percent, x.progress_message) == (percent, "so far")
    assert story(engine, lease.execution_id) == ["lease.acquired"]


def test_progress_that_is_left_out_stays_as_it_was(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.progress(lease, percent=10, message="ten")

    engine.progress(lease, percent=20)
    engine.progress(lease, message="twenty")
    engine.progress(lease)

    x = look(engine, lease.execution_id)
    assert (x.progress_percent, x.progress_message) == (20, "twenty")


# ── epochs ───────────────────────────────────────────────────────────────────────────────────────


def test_the_epoch_grows_by_one_at_every_claim_and_whenever_a_lease_is_taken_away(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=9, initial_delay_ms=0, jitter=0.0), attempt_timeout_ms=900)
    execution_id = create(engine, policy=policy)
    epochs = [look(engine, execution_id).lease_epoch]

    def note() -> None:
        epochs.append(look(engine, execution_id).lease_epoch)

    def claimed(ttl_ms: int = 500) -> Lease:
        lease = claim(engine, lease_ttl_ms=ttl_ms).lease
        note()
        assert lease.lease_epoch == epochs[-1]
        return lease

    lease = claimed()
    engine.release(lease)
    note()  # by its holder: no change
    engine.delay(claimed(), until_ms=clock.now_ms)
    note()  # by its holder
    engine.fail(claimed(), code="boom")
    note()  # by its holder
    claimed()
    engine.revoke_lease(execution_id)
    note()
    claimed()
    clock.advance(500)
    engine.reconcile()  # the lease expires
    note()
    claimed(ttl_ms=10_000)
    clock.advance(900)
    engine.reconcile()  # the attempt times out
    note()
    claimed()
    engine.cancel_execution(execution_id, reason="stop")
    note()
    engine.replay_execution(execution_id)
    note()
    engine.complete(claimed())
    note()  # by its holder
    engine.replay_execution(execution_id)
    note()

    assert epochs == [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 14]


def test_ending_what_nobody_holds_moves_no_epoch(engine: BlockingEngine, clock: ManualClock) -> None:
    cancelled = create(engine)
    expired = create(engine, deadline_at_ms=clock.now_ms + 1)
    engine.cancel_execution(cancelled, reason="stop")
    clock.advance(1)
    engine.reconcile()

    assert (look(engine, cancelled).lease_epoch, look(engine, expired).lease_epoch) == (0, 0)
