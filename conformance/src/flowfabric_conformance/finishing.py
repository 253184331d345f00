"""Finishing: completing, failing, retrying by policy, and what an end leaves behind."""

import pytest

from flowfabric import (
    BlockingEngine,
    Completed,
    ExecutionPolicy,
    Failure,
    ManualClock,
    RetryPolicy,
    RetryScheduled,
    TerminalFailed,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    RETRIED,
    claim,
    create,
    events_of,
    last_event,
    listed,
    look,
    outcomes,
    start,
    story,
    vector,
)


def exactly(**retry: object) -> ExecutionPolicy:
    """A policy whose pauses are known to the millisecond."""
    return ExecutionPolicy(retry=RetryPolicy(jitter=0.0, **retry))  # type: ignore[arg-type]


# ── complete ─────────────────────────────────────────────────────────────────────────────────────


def test_completing_ends_the_execution_well(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    clock.advance(10)

    answer = engine.complete(lease, b"result")

    assert answer == Completed(lease.execution_id)
    assert vector(engine, lease.execution_id) == ("terminal/unowned/not_applicable/attempt_terminal/success/completed")
    x = look(engine, lease.execution_id)
    assert (x.terminal_at_ms, x.lease_epoch, x.failure, x.blocking_reason) == (clock.now_ms, 1, None, None)
    assert engine.get_result(lease.execution_id) == b"result"


def test_attempts_are_listed_equally_whether_or_not_a_store_takes_a_short_way(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    # A store may take a short way for what is plain. A deadline keeps an execution from being plain.
    plain, other = create(engine), create(engine, deadline_at_ms=clock.now_ms + 86_400_000)
    listed_as = []
    for _ in range(2):
        for lease in [claim(engine).lease, claim(engine).lease]:
            engine.release(lease)
        clock.advance(10)
        leases = [claim(engine).lease, claim(engine).lease]
        clock.advance(10)
        for lease in leases:
            engine.complete(lease, b"result")
        listed_as.append([engine.list_attempts(execution_id) for execution_id in (plain, other)])
        engine.reconcile()
        listed_as.append([engine.list_attempts(execution_id) for execution_id in (plain, other)])
        for execution_id in (plain, other):
            engine.replay_execution(execution_id)
        listed_as.append([engine.list_attempts(execution_id) for execution_id in (plain, other)])

    assert [mine == others for mine, others in listed_as] == [True] * 6
    assert [[each.outcome for each in mine] for mine, _ in listed_as] == [
        *([["released", "success"]] * 2),
        ["released", None],
        *([["released", "released", "success"]] * 2),
        ["released", "released", None],
    ]


def test_completing_writes_one_event_and_ends_the_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, namespace="default")
    clock.advance(10)

    engine.complete(lease)

    event = events_of(engine, lease.execution_id)[-1]
    assert (event.channel, event.event_type, event.details, event.seq) == ("completion", "completed", {}, 2)
    assert (event.namespace, event.occurred_at_ms) == ("default", clock.now_ms)
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.terminal_at_ms, attempt.worker_instance_id) == ("success", clock.now_ms, None)


@pytest.mark.parametrize(
    "result",
    [b"", b"\0", bytes(range(256)), b"\xff\xfe\x80", b"\x80" * 4_097, bytes(range(256)) * 4_096],
    ids=["empty", "nul", "every-byte", "not-utf8", "4097", "full-size"],
)
def test_a_result_comes_back_to_the_byte(engine: BlockingEngine, clock: ManualClock, result: bytes) -> None:
    lease = start(engine)

    engine.complete(lease, result)

    assert engine.get_result(lease.execution_id) == result


def test_an_execution_may_complete_without_a_result(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    engine.complete(lease)

    assert engine.get_result(lease.execution_id) is None


def test_a_success_after_failures_shows_no_failure(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    engine.fail(lease, code="boom", retry_after_ms=0)

    engine.complete(claim(engine).lease)

    assert look(engine, lease.execution_id).failure is None
    assert look(engine, lease.execution_id).retry_count == 1
    assert outcomes(engine, lease.execution_id) == ["retry", "success"]


# ── fail ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_failure_with_retries_left_schedules_the_next_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    clock.advance(10)

    answer = engine.fail(lease, code="boom", message="it broke")

    until_ms = clock.now_ms + 1_000
    assert answer == RetryScheduled(lease.execution_id, 1, until_ms)
    assert vector(engine, lease.execution_id) == (
        "runnable/unowned/not_eligible_until_time/pending_retry_attempt/none/delayed"
    )
    x = look(engine, lease.execution_id)
    assert (x.attempt_index, x.retry_count, x.interruption_count, x.lease_epoch) == (0, 1, 0, 1)
    assert (x.delay_until_ms, x.blocking_reason) == (until_ms, "waiting_for_retry_backoff")
    assert (x.failure, x.terminal_at_ms) == (Failure("boom", "it broke"), None)
    assert last_event(engine, lease.execution_id) == (
        "lease",
        "retry_scheduled",
        {"code": "boom", "next_attempt_index": 1, "delay_until_ms": until_ms},
    )
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.terminal_at_ms) == ("retry", clock.now_ms)


def test_every_failed_attempt_keeps_why_it_failed(engine: BlockingEngine, clock: ManualClock) -> None:
    first = start(engine, policy=RETRIED)
    engine.fail(first, code="boom", message="it broke", retry_after_ms=0, traceback="line 1\nline 2")
    while_waiting = look(engine, first.execution_id).failure
    engine.release(claim(engine).lease)
    engine.fail(claim(engine).lease, code="bang", message="", retry_after_ms=0)
    engine.complete(claim(engine).lease)

    assert while_waiting == Failure("boom", "it broke", "line 1\nline 2")
    assert [attempt.failure for attempt in engine.list_attempts(first.execution_id)] == [
        Failure("boom", "it broke", "line 1\nline 2"),
        None,
        Failure("bang", ""),
        None,
    ]
    assert look(engine, first.execution_id).failure is None


def test_the_traceback_of_the_last_failure_is_shown_and_lists_leave_it_out(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    traceback = "é" * 8_192  # as long as it may be

    engine.fail(lease, code="boom", message="it broke", traceback=traceback)

    told = Failure("boom", "it broke", traceback)
    assert look(engine, lease.execution_id).failure == told
    assert engine.wait_for_result(lease.execution_id).failure == told
    assert [x.failure for x in listed(engine)] == [Failure("boom", "it broke")]


def test_a_traceback_is_not_taken_for_that_of_another_failure(engine: BlockingEngine, clock: ManualClock) -> None:
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=1), max_interruptions=0)
    lease = start(engine, policy=policy)
    engine.fail(lease, code="boom", message="it broke", retry_after_ms=0, traceback="line 1")
    claim(engine)

    engine.revoke_lease(lease.execution_id)

    assert look(engine, lease.execution_id).failure == Failure("worker_lost", "interrupted once; the policy allows 0")
    assert [each.failure for each in engine.list_attempts(lease.execution_id)] == [
        Failure("boom", "it broke", "line 1"),
        None,
    ]


def test_an_attempt_that_is_replayed_shows_only_its_new_failure(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.fail(lease, code="boom", message="it broke", traceback="line 1")
    engine.replay_execution(lease.execution_id)
    replayed = engine.list_attempts(lease.execution_id)[0].failure

    engine.fail(claim(engine).lease, code="bang", message="again")

    assert replayed is None
    assert engine.list_attempts(lease.execution_id)[0].failure == Failure("bang", "again")
    assert look(engine, lease.execution_id).failure == Failure("bang", "again")


def test_a_replayed_attempt_that_completes_shows_no_failure(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.fail(lease, code="boom", traceback="line 1")
    engine.replay_execution(lease.execution_id)

    engine.complete(claim(engine).lease)

    assert engine.list_attempts(lease.execution_id)[0].failure is None


def test_a_scheduled_retry_becomes_eligible_at_its_instant(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    engine.fail(lease, code="boom")

    clock.advance(999)
    engine.reconcile()
    early = look(engine, lease.execution_id).public_state
    clock.advance(1)
    engine.reconcile()

    assert early == "delayed"
    assert vector(engine, lease.execution_id) == "runnable/unowned/eligible_now/pending_retry_attempt/none/waiting"
    assert look(engine, lease.execution_id).blocking_reason == "waiting_for_worker"
    assert claim(engine).claim_type == "retry"


def test_a_failure_without_retries_left_is_for_good(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    clock.advance(10)

    answer = engine.fail(lease, code="boom", message="it broke")

    assert answer == TerminalFailed(lease.execution_id)
    assert vector(engine, lease.execution_id) == "terminal/unowned/not_applicable/attempt_terminal/failed/failed"
    x = look(engine, lease.execution_id)
    assert (x.failure, x.terminal_at_ms, x.lease_epoch) == (Failure("boom", "it broke"), clock.now_ms, 1)
    assert (x.retry_count, x.delay_until_ms, x.blocking_reason) == (0, None, None)
    assert last_event(engine, lease.execution_id) == ("completion", "failed", {"code": "boom"})
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.terminal_at_ms) == ("failed", clock.now_ms)


def test_a_failure_that_is_not_retryable_is_for_good_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)

    answer = engine.fail(lease, code="boom", retryable=False)

    assert answer == TerminalFailed(lease.execution_id)
    assert story(engine, lease.execution_id) == ["lease.acquired", "completion.failed"]


@pytest.mark.parametrize("max_retries", [0, 1, 3])
def test_an_execution_is_tried_once_and_then_as_often_as_its_policy_says(
    engine: BlockingEngine, clock: ManualClock, max_retries: int
) -> None:
    execution_id = create(engine, policy=exactly(max_retries=max_retries, initial_delay_ms=0))
    answers = [engine.fail(claim(engine).lease, code="boom") for _ in range(max_retries + 1)]

    assert [type(answer) for answer in answers] == [RetryScheduled] * max_retries + [TerminalFailed]
    assert look(engine, execution_id).retry_count == max_retries
    assert outcomes(engine, execution_id) == ["retry"] * max_retries + ["failed"]
    assert [attempt.attempt_index for attempt in engine.list_attempts(execution_id)] == list(range(max_retries + 1))


def test_interruptions_and_releases_burn_no_retry(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=exactly(max_retries=1, initial_delay_ms=0))
    engine.release(claim(engine).lease)
    claim(engine)
    engine.revoke_lease(execution_id)

    answer = engine.fail(claim(engine).lease, code="boom")

    assert answer == RetryScheduled(execution_id, 3, clock.now_ms)
    assert look(engine, execution_id).retry_count == 1


def test_a_retry_without_a_pause_is_eligible_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)

    answer = engine.fail(lease, code="boom", retry_after_ms=0)

    assert answer == RetryScheduled(lease.execution_id, 1, clock.now_ms)
    assert vector(engine, lease.execution_id) == "runnable/unowned/eligible_now/pending_retry_attempt/none/waiting"
    assert claim(engine).claim_type == "retry"


def test_a_worker_may_name_the_pause(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=exactly(max_retries=1, max_delay_ms=10))

    answer = engine.fail(lease, code="boom", retry_after_ms=123_456)

    assert answer == RetryScheduled(lease.execution_id, 1, clock.now_ms + 123_456)


def test_a_named_pause_does_not_grant_a_retry(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    assert engine.fail(lease, code="boom", retry_after_ms=5) == TerminalFailed(lease.execution_id)


# ── pauses ───────────────────────────────────────────────────────────────────────────────────────


def pauses(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy, count: int) -> list[int]:
    """How long the execution pauses before each of its retries."""
    # Jitter depends on the id. One id in thousands has the same jitter again and again.
    execution_id = create(engine, policy=policy, execution_id="{fp:86}:00000000-0000-7000-8000-000000000007")
    found = []
    for _ in range(count):
        answer = engine.fail(claim(engine).lease, code="boom")
        assert isinstance(answer, RetryScheduled)
        assert type(answer.delay_until_ms) is int
        assert answer.execution_id == execution_id
        found.append(answer.delay_until_ms - clock.now_ms)
        clock.advance(found[-1])
        engine.reconcile()
    return found


@rule_cases(
    ("retry", "expected"),
    [
        ({"backoff": "fixed", "initial_delay_ms": 250}, [250, 250, 250, 250]),
        ({"backoff": "fixed", "initial_delay_ms": 250, "multiplier": 9.0}, [250, 250, 250, 250]),
        ({"backoff": "fixed", "initial_delay_ms": 250, "max_delay_ms": 100}, [100, 100, 100, 100]),
        ({"backoff": "exponential"}, [1_000, 2_000, 4_000, 8_000]),
        ({"backoff": "exponential", "initial_delay_ms": 100, "multiplier": 3.0}, [100, 300, 900, 2_700]),
        ({"backoff": "exponential", "initial_delay_ms": 100, "max_delay_ms": 250}, [100, 200, 250, 250]),
        ({"backoff": "exponential", "initial_delay_ms": 101, "multiplier": 1.5}, [101, 152, 228, 341]),
        ({"backoff": "exponential", "initial_delay_ms": 7, "multiplier": 1.0}, [7, 7, 7, 7]),
        ({"backoff": "exponential", "initial_delay_ms": 0}, [0, 0, 0, 0]),
        ({"backoff": "exponential", "initial_delay_ms": 1_000, "max_delay_ms": 0}, [0, 0, 0, 0]),
        ({"backoff": "exponential", "multiplier": 1e6, "max_delay_ms": 5_000}, [1_000, 5_000, 5_000, 5_000]),
    ],
    sample=3,
)
def test_the_pauses_follow_the_policy_in_whole_milliseconds(
    engine: BlockingEngine, clock: ManualClock, retry: dict[str, object], expected: list[int]
) -> None:
    assert pauses(engine, clock, exactly(max_retries=4, **retry), 4) == expected


def test_jitter_lengthens_a_pause_by_a_fraction_at_most(engine: BlockingEngine, clock: ManualClock) -> None:
    policy = ExecutionPolicy(
        retry=RetryPolicy(max_retries=20, backoff="fixed", initial_delay_ms=10_000, max_delay_ms=60_000, jitter=0.5)
    )

    found = pauses(engine, clock, policy, 20)

    assert all(10_000 <= pause <= 15_000 for pause in found)
    assert len(set(found)) > 10


def test_jitter_never_goes_beyond_the_longest_pause(engine: BlockingEngine, clock: ManualClock) -> None:
    policy = ExecutionPolicy(
        retry=RetryPolicy(max_retries=10, backoff="fixed", initial_delay_ms=1_000, max_delay_ms=1_000, jitter=1.0)
    )

    assert set(pauses(engine, clock, policy, 10)) == {1_000}


def test_jitter_is_a_function_of_the_execution_and_the_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    policy = ExecutionPolicy(
        retry=RetryPolicy(
            max_retries=1, backoff="fixed", initial_delay_ms=1_000_000, max_delay_ms=10_000_000, jitter=0.5
        )
    )
    execution_id = create(engine, policy=policy)
    found = set()
    for _ in range(3):
        answer = engine.fail(claim(engine).lease, code="boom")
        assert isinstance(answer, RetryScheduled)
        found.add(answer.delay_until_ms - clock.now_ms)
        engine.cancel_execution(execution_id, reason="again")
        engine.replay_execution(execution_id)

    assert len(found) == 1
