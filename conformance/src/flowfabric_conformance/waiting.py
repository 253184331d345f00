"""Waiting: a worker opens a wait or suspends its execution, and a signal lets it go on."""

from functools import partial
from typing import Any

import pytest

from flowfabric import (
    AlreadySatisfied,
    AtLeast,
    BlockingEngine,
    Conflict,
    Either,
    Every,
    ExecutionNotActive,
    InvalidInput,
    Lease,
    ManualClock,
    On,
    OperatorOnly,
    Signalled,
    StaleLease,
    Suspended,
    WaitOpened,
    WaitOver,
    WaitSnapshot,
)
from flowfabric_conformance.stage import (
    RETRIED,
    claim,
    claim_ids,
    create,
    look,
    outcomes,
    refused,
    refusing,
    story,
    vector,
)
from flowfabric_conformance.wait_stage import (
    ACTIVE,
    HOUR_MS,
    RESUMABLE,
    SUSPENDED,
    events,
    opened,
    over,
    payloads,
    resumed,
    started,
    suspend,
    waiting,
)

TEXT_256 = "k" * 256


# ── suspending ───────────────────────────────────────────────────────────────────────────────────


def test_a_suspended_execution_holds_no_lease_and_is_not_claimed(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)

    x = look(engine, paused.execution_id)
    assert vector(engine, paused.execution_id) == SUSPENDED
    assert x.blocking_reason == "waiting_for_signal"
    assert (x.attempt_index, x.lease_epoch, x.retry_count, x.interruption_count) == (0, 1, 0, 0)
    assert claim_ids(engine) == []
    with refused(engine, ExecutionNotActive):
        engine.complete(paused.lease)


def test_the_attempt_of_a_suspended_execution_stays_open(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)

    assert outcomes(engine, paused.execution_id) == [None]


def test_suspending_says_for_what_and_until_when_on_the_lease_channel(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine, Every("alice", "bob"), "votes", timeout_ms=HOUR_MS)

    assert events(engine, paused.execution_id, "lease")[-1] == (
        "suspended",
        {"names": ["votes"], "keys": ["alice", "bob"], "timeout_at_ms": clock.now_ms + HOUR_MS},
    )


def test_a_signal_makes_a_suspended_execution_resumable_and_its_wait_over(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine)

    answer = engine.signal(paused.execution_id, "editor", b"yes")

    assert isinstance(answer, Signalled)
    assert answer.effect == "resumed"
    assert vector(engine, paused.execution_id) == RESUMABLE
    taken = over(engine, paused.execution_id)
    assert taken.cause == "signal"
    assert [(signal.signal_id, signal.key, signal.payload) for signal in taken.signals] == [
        (answer.signal_id, "editor", b"yes")
    ]
    assert events(engine, paused.execution_id, "signal")[-1] == ("resumed", {"name": "wait", "cause": "signal"})


def test_a_resumed_execution_goes_on_with_the_same_attempt_under_a_new_epoch(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine)
    engine.signal(paused.execution_id, "editor")

    again = resumed(engine, paused.execution_id)

    x = look(engine, paused.execution_id)
    assert (again.attempt_index, again.lease.lease_epoch) == (0, 2)
    assert (x.retry_count, x.interruption_count) == (0, 0)
    engine.complete(again.lease, b"done")
    assert outcomes(engine, paused.execution_id) == ["success"]


def test_a_resumed_execution_is_told_the_end_of_its_wait(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    engine.signal(paused.execution_id, "editor", b"yes")
    again = resumed(engine, paused.execution_id)

    for answer in (
        engine.open_wait(again.lease, "wait", "editor"),
        engine.suspend(again.lease, "wait", "editor"),
        engine.get_wait(paused.execution_id, "wait"),
    ):
        assert isinstance(answer, WaitOver)
        assert payloads(answer) == [b"yes"]
    assert vector(engine, paused.execution_id) == ACTIVE


def test_what_has_begun_is_claimed_before_what_has_not(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)
    lease = claim(engine).lease
    clock.advance(1_000)
    later = create(engine)
    suspend(engine, lease, "editor")
    clock.advance(1_000)

    engine.signal(execution_id, "editor")

    assert claim_ids(engine) == [execution_id, later]


def test_signals_that_came_before_the_wait_end_it_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    answer = engine.signal(lease.execution_id, "editor", b"early")
    assert isinstance(answer, Signalled)
    assert answer.effect == "buffered"

    found = engine.suspend(lease, "wait", "editor")

    assert isinstance(found, WaitOver)
    assert payloads(found) == [b"early"]
    assert vector(engine, lease.execution_id) == ACTIVE


def test_only_the_present_lease_may_suspend(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.revoke_lease(lease.execution_id)
    with refused(engine, ExecutionNotActive):
        engine.suspend(lease, "wait", "editor")
    claim(engine)

    for call in (
        lambda: engine.suspend(lease, "wait", "editor"),
        lambda: engine.open_wait(lease, "wait", "editor"),
        lambda: engine.create_waitpoint(lease, "editor"),
    ):
        with refused(engine, StaleLease):
            call()


def test_a_suspended_execution_shows_its_waits(engine: BlockingEngine, clock: ManualClock) -> None:
    condition = Either("alice", AtLeast(2, "bob", "carol"))
    paused = waiting(engine, condition, "votes", timeout_ms=HOUR_MS, on_timeout="fail")

    assert look(engine, paused.execution_id).waits == (
        WaitSnapshot(
            "votes", ("alice", "bob", "carol"), clock.now_ms, clock.now_ms + HOUR_MS, "fail", "waiting_for_signal"
        ),
    )


def test_an_execution_that_never_waited_shows_no_waits(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)

    assert look(engine, execution_id).waits == ()
    assert engine.get_wait(execution_id, "wait") is None
    assert engine.list_waitpoints(execution_id) == []
    assert engine.list_signals(execution_id) == []


# ── waits under a lease ──────────────────────────────────────────────────────────────────────────


def test_an_open_wait_keeps_the_lease(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)

    answer = engine.open_wait(lease, "wait", AtLeast(1, "alice", "bob"))

    assert isinstance(answer, WaitOpened)
    assert [each.key for each in answer.waitpoints] == ["alice", "bob"]
    assert vector(engine, lease.execution_id) == ACTIVE
    assert [wait.name for wait in look(engine, lease.execution_id).waits] == ["wait"]


def test_a_wait_that_ends_under_the_lease_is_told_to_its_worker(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "editor")
    assert engine.wait_for_wait(lease, "wait", timeout_ms=0) is None

    answer = engine.signal(lease.execution_id, "editor", b"yes")

    assert isinstance(answer, Signalled)
    assert answer.effect == "resumed"
    assert vector(engine, lease.execution_id) == ACTIVE
    for found in (engine.wait_for_wait(lease, "wait", timeout_ms=0), engine.open_wait(lease, "wait", "editor")):
        assert isinstance(found, WaitOver)
        assert payloads(found) == [b"yes"]
    assert look(engine, lease.execution_id).waits == ()


def test_a_worker_whose_lease_is_over_waits_no_longer(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "editor")
    engine.revoke_lease(lease.execution_id)

    assert engine.wait_for_wait(lease, "wait", timeout_ms=60_000) is None


def test_the_same_wait_again_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    first = opened(engine, lease, "editor", timeout_ms=HOUR_MS)
    before = story(engine, lease.execution_id)
    (wait,) = look(engine, lease.execution_id).waits
    clock.advance(1_000)

    again = opened(engine, lease, "editor", timeout_ms=2 * HOUR_MS, on_timeout="fail")

    assert again == first
    assert look(engine, lease.execution_id).waits == (wait,)
    assert story(engine, lease.execution_id) == before


def test_the_same_name_with_another_condition_is_a_conflict(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "editor")
    engine.record_step(lease, "step", b"result")

    with refused(engine, Conflict):
        engine.open_wait(lease, "wait", "author")
    with refused(engine, Conflict):
        engine.suspend(lease, "wait", On("editor", name="yes"))
    with refused(engine, Conflict):
        engine.open_wait(lease, "step", "editor")
    engine.signal(lease.execution_id, "editor")
    with refused(engine, Conflict):
        engine.open_wait(lease, "wait", "author")


def test_an_execution_resumes_when_any_of_its_waits_is_over(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "alice", "first")
    suspend(engine, lease, "bob", "second")
    assert [wait.name for wait in look(engine, lease.execution_id).waits] == ["first", "second"]

    engine.signal(lease.execution_id, "alice", b"1")

    resumed(engine, lease.execution_id)
    assert payloads(over(engine, lease.execution_id, "first")) == [b"1"]
    assert engine.get_wait(lease.execution_id, "second") is None
    assert [wait.name for wait in look(engine, lease.execution_id).waits] == ["second"]


def test_nothing_is_suspended_while_the_end_of_another_wait_is_not_known(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = started(engine)
    opened(engine, lease, "alice", "first")
    engine.signal(lease.execution_id, "alice")

    assert engine.suspend(lease, "second", "bob") == AlreadySatisfied("another_wait_is_over")
    assert vector(engine, lease.execution_id) == ACTIVE

    assert isinstance(engine.open_wait(lease, "first", "alice"), WaitOver)
    assert isinstance(engine.suspend(lease, "second", "bob"), Suspended)


def test_a_claim_knows_the_ends_of_all_waits(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "alice", "first")
    engine.signal(lease.execution_id, "alice")
    engine.release(lease)
    again = claim(engine)

    assert isinstance(engine.suspend(again.lease, "second", "bob"), Suspended)


# ── after the attempt ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["released", "revoked", "expired", "retried"])
def test_a_wait_stays_open_when_its_attempt_ends(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    lease = started(engine, policy=RETRIED)
    before = opened(engine, lease, "editor", timeout_ms=HOUR_MS)
    waits = look(engine, lease.execution_id).waits
    _end_attempt(engine, clock, lease, how)

    answer = engine.signal(lease.execution_id, "editor", b"yes")
    again = claim(engine)

    assert waits
    assert isinstance(answer, Signalled)
    assert answer.effect == "resumed"
    found = engine.open_wait(again.lease, "wait", "editor")
    assert isinstance(found, WaitOver)
    assert payloads(found) == [b"yes"]
    assert opened(engine, again.lease, "editor", "another") == before


def _end_attempt(engine: BlockingEngine, clock: ManualClock, lease: Lease, how: str) -> None:
    if how == "released":
        engine.release(lease)
    elif how == "revoked":
        engine.revoke_lease(lease.execution_id)
    elif how == "expired":
        clock.advance(31_000)
        engine.reconcile()
    else:
        engine.fail(lease, code="boom")
        clock.advance(1_000)
        engine.reconcile()


def test_a_wait_that_is_over_is_not_waited_for_again_by_a_later_attempt(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine)
    engine.signal(paused.execution_id, "editor", b"yes")
    again = resumed(engine, paused.execution_id)
    engine.revoke_lease(paused.execution_id)
    third = claim(engine)

    found = engine.suspend(third.lease, "wait", "editor")

    assert again.attempt_index < third.attempt_index
    assert isinstance(found, WaitOver)
    assert payloads(found) == [b"yes"]


def test_an_end_drops_the_open_waits(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "editor", timeout_ms=HOUR_MS)

    engine.complete(lease)

    assert look(engine, lease.execution_id).waits == ()
    clock.advance(HOUR_MS)
    engine.reconcile()
    assert look(engine, lease.execution_id).public_state == "completed"


# ── which signals ────────────────────────────────────────────────────────────────────────────────


def test_a_condition_of_several_signals_counts_until_it_is_met(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, AtLeast(2, "alice", "bob", "carol"))

    effects = [
        engine.signal(paused.execution_id, key, key.encode()).effect  # type: ignore[union-attr]
        for key in ("alice", "alice", "stranger", "carol")
    ]

    assert effects == ["counted", "buffered", "buffered", "resumed"]
    assert payloads(over(engine, paused.execution_id)) == [b"alice", b"carol"]


def test_of_two_waits_the_older_one_takes_the_signal(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "editor", "older")
    opened(engine, lease, "editor", "younger")

    engine.signal(lease.execution_id, "editor", b"1")
    assert engine.get_wait(lease.execution_id, "younger") is None
    engine.signal(lease.execution_id, "editor", b"2")

    assert payloads(over(engine, lease.execution_id, "older")) == [b"1"]
    assert payloads(over(engine, lease.execution_id, "younger")) == [b"2"]


def test_a_signal_is_taken_by_one_wait_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    for number in range(3):
        engine.signal(lease.execution_id, "chat", b"%d" % number)

    turns = [engine.open_wait(lease, f"turn-{turn}", "chat") for turn in range(4)]

    assert [payloads(turn) for turn in turns[:3] if isinstance(turn, WaitOver)] == [[b"0"], [b"1"], [b"2"]]
    assert isinstance(turns[3], WaitOpened)


def test_a_name_in_a_condition_passes_over_other_signals(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, On("order", name="paid"))

    first = engine.signal(paused.execution_id, "order", b"1", name="seen")
    second = engine.signal(paused.execution_id, "order", b"2", name="paid")

    assert isinstance(first, Signalled)
    assert isinstance(second, Signalled)
    assert (first.effect, second.effect) == ("buffered", "resumed")
    assert payloads(over(engine, paused.execution_id)) == [b"2"]


def test_votes_of_one_person_count_once(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, AtLeast(2, "vote", distinct="sources"))

    for source in ("ann", "ann", "bob"):
        engine.signal(paused.execution_id, "vote", source.encode(), source=source)

    taken = over(engine, paused.execution_id)
    assert [signal.source for signal in taken.signals] == ["ann", "bob"]


# ── bad input ────────────────────────────────────────────────────────────────────────────────────

NO_NAMES = ["", "k" * 257, "a\nb", "\x00", None, 1, b"key"]
NO_CONDITIONS: list[object] = [
    "",
    None,
    7,
    Every(),
    Either(),
    On(""),
    AtLeast(0, "a"),
    AtLeast(3, "a", "b"),
    AtLeast(1),
    Every("a", OperatorOnly()),
    Every(Every(Every(Every("a")))),
    AtLeast(1, "a", distinct="votes"),  # type: ignore[arg-type]
]


def test_bad_input_of_a_wait_is_refused_and_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)

    assert refusing(engine, lambda name: engine.open_wait(lease, name, "editor"), NO_NAMES) == []
    assert refusing(engine, lambda name: engine.suspend(lease, name, "editor"), NO_NAMES) == []
    assert refusing(engine, lambda condition: engine.open_wait(lease, "wait", condition), NO_CONDITIONS) == []
    assert refusing(engine, lambda condition: engine.suspend(lease, "wait", condition), NO_CONDITIONS) == []
    for name in ("timeout_ms", "timeout_at_ms"):
        values = [-1, 1.5, "1", True, 2**63]
        assert refusing(engine, partial(_suspend_with, engine, lease, name), values) == []
    values = ["", "explode", None]
    assert refusing(engine, lambda value: engine.open_wait(lease, "wait", "a", on_timeout=value), values) == []
    for on_timeout in ("fail", "cancel", "expire", "escalate"):  # this wait has no timeout
        for wait in (engine.open_wait, engine.suspend):
            with refused(engine, InvalidInput):
                wait(lease, "wait", "a", on_timeout=on_timeout)
    with refused(engine, InvalidInput):
        engine.open_wait(lease, "wait", "a", timeout_ms=1, timeout_at_ms=1)
    assert vector(engine, lease.execution_id) == ACTIVE


def _suspend_with(engine: BlockingEngine, lease: Lease, argument: str, value: Any) -> object:
    return engine.suspend(lease, "wait", "a", **{argument: value})


def test_names_and_keys_may_have_256_characters(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, TEXT_256, TEXT_256)

    engine.signal(paused.execution_id, TEXT_256, name=TEXT_256, source=TEXT_256, idempotency_key=TEXT_256)

    assert over(engine, paused.execution_id, TEXT_256).cause == "signal"
