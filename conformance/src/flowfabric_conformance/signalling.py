"""Signals: messages to waitpoints, kept until a wait takes them."""

import pytest

from flowfabric import (
    AtLeast,
    BlockingEngine,
    Conflict,
    DuplicateSignal,
    ManualClock,
    NotFound,
    NotSignalable,
    NoWaiter,
    Signal,
    Signalled,
    WaitOver,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import ENDED, UNKNOWN, an_execution, claim, create, refused, refusing, unchanged
from flowfabric_conformance.wait_stage import events, opened, over, payloads, started, waiting, waitpoint

KIB = 1024
NO_NAMES = ["", "k" * 257, "a\nb", "\x00", None, 1, b"key"]
NO_TEXTS = ["k" * 257, "a\nb", "\x00", None, 1, b"key"]
NO_KEYS = ["", "k" * 257, "a\nb", "\x00", 1, b"key"]
NO_PAYLOADS = ["text", None, 1, b"x" * (64 * KIB + 1)]


def signalled(answer: Signalled | DuplicateSignal) -> Signalled:
    assert isinstance(answer, Signalled)
    return answer


def test_a_signal_is_listed_with_all_that_was_sent(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)
    first = signalled(engine.signal(execution_id, "editor", b"\x00\xff", name="verdict", source="ann"))
    clock.advance(5)
    second = signalled(engine.signal(execution_id, "author"))

    assert engine.list_signals(execution_id) == [
        Signal(first.signal_id, "editor", "verdict", b"\x00\xff", "ann", clock.now_ms - 5),
        Signal(second.signal_id, "author", "", b"", "", clock.now_ms),
    ]
    assert [signal.signal_id for signal in engine.list_signals(execution_id, key="author")] == [second.signal_id]
    assert engine.list_signals(execution_id, key="nobody") == []
    assert first.signal_id != second.signal_id


def test_a_signal_makes_its_waitpoint_and_is_kept_until_a_wait_takes_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = create(engine)

    answer = signalled(engine.signal(execution_id, "editor", b"early"))

    assert answer.effect == "buffered"
    assert waitpoint(engine, execution_id, "editor").waiting_signals == 1
    lease = claim(engine).lease
    found = engine.open_wait(lease, "wait", "editor")
    assert isinstance(found, WaitOver)
    assert payloads(found) == [b"early"]
    assert waitpoint(engine, execution_id, "editor").waiting_signals == 0
    assert [signal.payload for signal in engine.list_signals(execution_id)] == [b"early"]


def test_signals_are_taken_in_the_order_of_their_arrival(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)
    for number in range(12):
        engine.signal(execution_id, ("a", "b", "c")[number % 3], b"%02d" % number)
    lease = claim(engine).lease

    found = engine.open_wait(lease, "wait", AtLeast(7, "a", "b", "c", distinct="signals"))

    assert isinstance(found, WaitOver)
    assert payloads(found) == [b"%02d" % number for number in range(7)]
    assert [waitpoint(engine, execution_id, key).waiting_signals for key in "abc"] == [1, 2, 2]


def test_a_delivered_signal_is_an_event(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)

    answer = signalled(engine.signal(paused.execution_id, "editor", b"yes", name="verdict", source="ann"))

    assert events(engine, paused.execution_id, "signal")[0] == (
        "delivered",
        {
            "key": "editor",
            "name": "verdict",
            "signal_id": answer.signal_id,
            "waitpoint_id": paused.waitpoints[0].waitpoint_id,
            "source_identity": "ann",
            "effect": "resumed",
        },
    )


@rule_cases("state", [*ENDED])
def test_an_execution_that_has_ended_takes_no_signals(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    with refused(engine, NotSignalable) as caught:
        engine.signal(execution_id, "editor")

    assert caught.value.public_state == state


def test_an_unknown_execution_takes_no_signals(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound):
        engine.signal(UNKNOWN, "editor")
    with refused(engine, NotFound):
        engine.list_signals(UNKNOWN)
    with refused(engine, NotFound):
        engine.list_waitpoints(UNKNOWN)
    with refused(engine, NotFound):
        engine.get_wait(UNKNOWN, "wait")


# ── idempotency keys ─────────────────────────────────────────────────────────────────────────────


def test_a_repeated_idempotency_key_is_one_signal(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    first = signalled(engine.signal(paused.execution_id, "editor", b"yes", idempotency_key="once"))

    with unchanged(engine):
        again = engine.signal(paused.execution_id, "editor", b"yes", idempotency_key="once")

    assert again == DuplicateSignal(first.signal_id)


def test_the_same_idempotency_key_with_another_payload_is_a_conflict(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine)
    engine.signal(paused.execution_id, "editor", b"yes", idempotency_key="once")

    with refused(engine, Conflict):
        engine.signal(paused.execution_id, "editor", b"no", idempotency_key="once")


def test_the_same_idempotency_key_at_another_waitpoint_is_another_signal(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id, another = create(engine), create(engine)

    answers = [
        signalled(engine.signal(each, key, b"x", idempotency_key="once"))
        for each, key in ((execution_id, "a"), (execution_id, "b"), (another, "a"))
    ]

    assert len({answer.signal_id for answer in answers}) == 3


def test_a_repeated_idempotency_key_is_known_after_the_end(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    first = signalled(engine.signal(lease.execution_id, "editor", b"yes", idempotency_key="once"))
    engine.complete(lease)

    assert engine.signal(lease.execution_id, "editor", b"yes", idempotency_key="once") == DuplicateSignal(
        first.signal_id
    )
    with refused(engine, Conflict):
        engine.signal(lease.execution_id, "editor", b"no", idempotency_key="once")
    with refused(engine, NotSignalable):
        engine.signal(lease.execution_id, "editor", b"yes", idempotency_key="twice")


# ── aliases ──────────────────────────────────────────────────────────────────────────────────────


def test_an_alias_leads_to_its_waitpoint(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")
    opened(engine, lease, "payment")

    answer = signalled(engine.signal_alias("order-7", b"paid", source="bank"))

    assert answer.effect == "resumed"
    assert payloads(over(engine, lease.execution_id)) == [b"paid"]


def test_nobody_waits_at_an_unknown_alias(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")

    with refused(engine, NoWaiter):
        engine.signal_alias("order-8")
    with refused(engine, NoWaiter):
        engine.signal_alias("order-7", namespace="tenant")


def test_an_open_alias_is_taken(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")
    another = started(engine)

    with refused(engine, Conflict):
        engine.create_waitpoint(another, "payment", alias="order-7")
    engine.create_waitpoint(another, "payment", alias="order-8")


def test_an_alias_is_free_when_its_execution_has_ended(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")
    engine.complete(lease)
    with refused(engine, NoWaiter):
        engine.signal_alias("order-7")

    another = started(engine)
    engine.create_waitpoint(another, "payment", alias="order-7")
    engine.signal_alias("order-7", b"paid")

    assert [signal.payload for signal in engine.list_signals(another.execution_id)] == [b"paid"]
    assert engine.list_signals(lease.execution_id) == []


def test_the_same_alias_in_two_namespaces_is_two_waitpoints(engine: BlockingEngine, clock: ManualClock) -> None:
    ours, theirs = started(engine), started(engine, namespace="tenant")
    engine.create_waitpoint(ours, "payment", alias="order-7")
    engine.create_waitpoint(theirs, "payment", alias="order-7")

    engine.signal_alias("order-7", b"1")
    engine.signal_alias("order-7", b"2", namespace="tenant")
    engine.scoped("tenant").signal_alias("order-7", b"3")

    assert [signal.payload for signal in engine.list_signals(ours.execution_id)] == [b"1"]
    assert [signal.payload for signal in engine.list_signals(theirs.execution_id)] == [b"2", b"3"]


def test_a_repeated_key_at_an_alias_is_known_after_the_end(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")
    first = signalled(engine.signal_alias("order-7", b"paid", idempotency_key="evt-1"))
    engine.complete(lease)

    assert engine.signal_alias("order-7", b"paid", idempotency_key="evt-1") == DuplicateSignal(first.signal_id)


def test_a_key_at_an_alias_is_one_signal_even_if_another_execution_has_the_alias_now(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    former = started(engine)
    engine.create_waitpoint(former, "payment", alias="order-7")
    first = signalled(engine.signal_alias("order-7", b"paid", idempotency_key="evt-1"))
    engine.complete(former)
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")

    assert engine.signal_alias("order-7", b"paid", idempotency_key="evt-1") == DuplicateSignal(first.signal_id)
    with refused(engine, Conflict):
        engine.signal_alias("order-7", b"another payment", idempotency_key="evt-1")
    assert engine.list_signals(lease.execution_id) == []

    # Without the alias, the key belongs to one waitpoint. At the alias it is remembered as it was.
    signalled(engine.signal(lease.execution_id, "payment", b"by id", idempotency_key="evt-1"))
    assert engine.signal_alias("order-7", b"paid", idempotency_key="evt-1") == DuplicateSignal(first.signal_id)
    signalled(engine.signal_alias("order-7", b"paid again", idempotency_key="evt-2"))
    assert [signal.payload for signal in engine.list_signals(lease.execution_id)] == [b"by id", b"paid again"]


def test_a_key_at_an_alias_is_forgotten_with_the_life_that_took_its_signal(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    former = started(engine)
    engine.create_waitpoint(former, "payment", alias="order-7")
    signalled(engine.signal_alias("order-7", b"paid", idempotency_key="evt-1"))
    engine.complete(former)
    engine.replay_execution(former.execution_id, steps="clear")
    engine.cancel_execution(former.execution_id, reason="another one takes over")
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")

    signalled(engine.signal_alias("order-7", b"paid", idempotency_key="evt-1"))

    assert [signal.payload for signal in engine.list_signals(lease.execution_id)] == [b"paid"]


# ── limits and bad input ─────────────────────────────────────────────────────────────────────────


def test_a_payload_may_have_64_kib(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)

    engine.signal(execution_id, "editor", b"x" * (64 * KIB))

    assert [len(signal.payload) for signal in engine.list_signals(execution_id)] == [64 * KIB]


def test_bad_input_of_a_signal_is_refused_and_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    token = engine.create_waitpoint(lease, "editor", alias="order-7").token
    execution_id = lease.execution_id

    assert refusing(engine, lambda key: engine.signal(execution_id, key), NO_NAMES) == []
    assert refusing(engine, engine.signal_alias, NO_NAMES) == []
    assert refusing(engine, lambda payload: engine.signal(execution_id, "editor", payload), NO_PAYLOADS) == []
    assert refusing(engine, lambda payload: engine.signal_by_token(token, payload), NO_PAYLOADS) == []
    assert refusing(engine, lambda payload: engine.signal_alias("order-7", payload), NO_PAYLOADS) == []
    assert refusing(engine, lambda payload: engine.resume_execution(execution_id, payload), NO_PAYLOADS) == []
    assert refusing(engine, lambda name: engine.signal(execution_id, "editor", name=name), NO_TEXTS) == []
    assert refusing(engine, lambda source: engine.signal(execution_id, "editor", source=source), NO_TEXTS) == []
    assert refusing(engine, lambda source: engine.signal_by_token(token, source=source), NO_TEXTS) == []
    assert refusing(engine, lambda key: engine.signal(execution_id, "editor", idempotency_key=key), NO_KEYS) == []
    assert refusing(engine, lambda key: engine.list_signals(execution_id, key=key), NO_KEYS) == []
    assert refusing(engine, lambda key: engine.create_waitpoint(lease, key), NO_NAMES) == []
    assert refusing(engine, lambda alias: engine.create_waitpoint(lease, "a", alias=alias), NO_KEYS) == []
    about: list[object] = ["text", 1, ["a"], {1: 2}, {"a": object()}, {"a": float("nan")}, {"a": "x" * 9000}]
    assert refusing(engine, lambda value: engine.create_waitpoint(lease, "a", about=value), about) == []
    spans: list[object] = [-1, 1.5, "1", True]
    assert refusing(engine, lambda span: engine.create_waitpoint(lease, "a", expires_in_ms=span), spans) == []
    assert refusing(engine, lambda key: engine.close_waitpoint(execution_id, key), NO_NAMES) == []
    assert refusing(engine, lambda key: engine.issue_token(execution_id, key), NO_NAMES) == []
    assert refusing(engine, lambda name: engine.get_wait(execution_id, name), NO_NAMES) == []


@pytest.mark.parametrize("door", ["trusted", "alias"])
def test_the_trusted_doors_say_who_sends(engine: BlockingEngine, clock: ManualClock, door: str) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "editor", alias="order-7")

    if door == "trusted":
        engine.signal(lease.execution_id, "editor", source="ann")
    else:
        engine.signal_alias("order-7", source="ann")

    (signal,) = engine.list_signals(lease.execution_id)
    assert (signal.source, signal.claimed_source) == ("ann", "")


def test_an_engine_that_acts_for_a_person_sends_signals_of_this_person(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = create(engine)

    engine.acting_as("ann").signal(execution_id, "editor", source="the boss")

    (signal,) = engine.list_signals(execution_id)
    assert (signal.source, signal.claimed_source) == ("ann", "the boss")
