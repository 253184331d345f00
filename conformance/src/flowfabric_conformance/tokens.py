"""Tokens: each opens one waitpoint to a stranger. What is wrong about a token is never said."""

import pytest

from flowfabric import (
    AtLeast,
    BlockingEngine,
    Conflict,
    InvalidToken,
    ManualClock,
    NotSignalable,
    SecretRotated,
    Signalled,
    WaitpointClosed,
)
from flowfabric_conformance.stage import claim, create, refused, refusing, start, unchanged
from flowfabric_conformance.wait_stage import DAY_MS, HOUR_MS, over, started, waiting, waitpoint

SECRET = bytes(range(32))
ANOTHER = bytes(range(1, 33))


def test_a_token_signals_its_waitpoint(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)

    answer = engine.signal_by_token(paused.token, b"yes", name="verdict", source="I am the boss")

    assert isinstance(answer, Signalled)
    assert answer.effect == "resumed"
    (signal,) = over(engine, paused.execution_id).signals
    assert (signal.key, signal.name, signal.payload) == ("editor", "verdict", b"yes")
    assert (signal.source, signal.claimed_source) == (
        waitpoint(engine, paused.execution_id, "editor").token_fingerprint,
        "I am the boss",
    )


def test_a_token_is_short_and_needs_no_quoting(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, namespace="a namespace of ours")

    token = engine.issue_token(execution_id, "k" * 256, source="s" * 256).token

    assert len(token) <= 200
    assert set(token) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    assert token.startswith("wp1.")


def test_a_token_that_was_issued_for_a_person_signals_as_this_person(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine, AtLeast(2, "vote", distinct="sources"))
    ann, bob = (engine.issue_token(paused.execution_id, "vote", source=name) for name in ("ann", "bob"))
    assert ann.waitpoint_id == bob.waitpoint_id
    assert len({ann.token, bob.token, paused.token}) == 3

    engine.signal_by_token(ann.token, source="bob")
    engine.signal_by_token(ann.token, source="carol")
    assert engine.get_wait(paused.execution_id, "wait") is None
    engine.signal_by_token(bob.token)

    assert [signal.source for signal in over(engine, paused.execution_id).signals] == ["ann", "bob"]
    assert engine.issue_token(paused.execution_id, "vote", source="ann") == ann


def test_a_wrong_token_is_refused_without_a_reason(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    version, kid, ids, mac = paused.token.split(".")
    other = waiting(engine).token.split(".")
    wrong: list[object] = [
        "",
        "token",
        None,
        7,
        b"wp1",
        paused.token[:-1],
        paused.token + "A",
        paused.token + "=",
        paused.token.upper(),
        f" {paused.token}",
        f"{version}.{kid}.{other[2]}.{mac}",
        f"{version}.{kid}.{ids}.{other[3]}",
        f"{version}.unknown.{ids}.{mac}",
        f"wp2.{kid}.{ids}.{mac}",
        f"{version}.{kid}.{ids}",
        "x" * 100_000,
        paused.token.replace(".", ".."),
        "\x00",
        "tökén",
    ]
    for character in "ABab01-_":
        wrong += [f"{version}.{kid}.{ids}.{mac[:-1]}{character}", f"{version}.{kid}.{character}{ids[1:]}.{mac}"]
    messages: set[str] = set()

    with unchanged(engine):
        for token in wrong:
            if token == paused.token:
                continue
            with pytest.raises(InvalidToken) as caught:
                engine.signal_by_token(token, b"x" * 100_000)  # type: ignore[arg-type]
            assert type(caught.value) is InvalidToken
            assert caught.value.code == "invalid_token"
            messages.add(str(caught.value))

    assert len(messages) == 1


def test_a_token_of_an_ended_execution_is_answered_like_any_signal(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    token = engine.create_waitpoint(lease, "editor").token
    engine.signal_by_token(token, b"yes", idempotency_key="once")
    engine.complete(lease)

    assert type(engine.signal_by_token(token, b"yes", idempotency_key="once")).__name__ == "DuplicateSignal"
    with refused(engine, NotSignalable):
        engine.signal_by_token(token, b"yes")


def test_a_token_of_a_former_life_is_closed(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    token = engine.create_waitpoint(lease, "editor").token
    engine.complete(lease)
    engine.replay_execution(lease.execution_id, steps="clear")

    with refused(engine, WaitpointClosed):
        engine.signal_by_token(token)
    again = claim(engine).lease
    assert engine.create_waitpoint(again, "editor").token != token
    with refused(engine, WaitpointClosed):
        engine.signal_by_token(token)


def test_a_token_of_a_purged_execution_is_wrong(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    token = engine.create_waitpoint(lease, "editor").token
    engine.complete(lease)
    clock.advance(1)
    engine.purge(ended_before_ms=clock.now_ms)

    with refused(engine, InvalidToken):
        engine.signal_by_token(token)


def test_a_token_is_good_in_its_namespace_only(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    tenant = engine.scoped("tenant")
    theirs = tenant.issue_token(create(tenant), "editor").token

    with refused(engine, InvalidToken):
        tenant.signal_by_token(paused.token)
    with refused(engine, InvalidToken):
        engine.scoped("default").signal_by_token(theirs)
    tenant.signal_by_token(theirs)
    engine.scoped("default").signal_by_token(paused.token)


# ── secrets ──────────────────────────────────────────────────────────────────────────────────────


def test_the_first_secret_is_made_when_it_is_needed(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine)
    assert engine.list_waitpoint_kids() == {}

    engine.create_waitpoint(start(engine, priority=1), "editor")

    assert list(engine.list_waitpoint_kids().values()) == [None]


def test_tokens_of_the_former_secret_are_good_for_its_grace(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, AtLeast(3, "editor", distinct="signals"))
    (former,) = engine.list_waitpoint_kids()

    assert engine.rotate_waitpoint_secret(kid="autumn", grace_ms=HOUR_MS) == SecretRotated("autumn", former)

    assert engine.list_waitpoint_kids() == {former: clock.now_ms + HOUR_MS, "autumn": None}
    clock.advance(HOUR_MS - 1)
    engine.signal_by_token(paused.token)
    assert waitpoint(engine, paused.execution_id, "editor").token_kid == former
    assert engine.issue_token(paused.execution_id, "editor").token == paused.token
    clock.advance(1)
    with refused(engine, InvalidToken):
        engine.signal_by_token(paused.token)
    assert engine.list_waitpoint_kids() == {"autumn": None}
    anew = engine.issue_token(paused.execution_id, "editor")
    assert anew.waitpoint_id == paused.waitpoints[0].waitpoint_id
    assert anew.token.split(".")[1] == "autumn" == waitpoint(engine, paused.execution_id, "editor").token_kid
    engine.signal_by_token(anew.token)


def test_new_waitpoints_have_tokens_of_the_new_secret(engine: BlockingEngine, clock: ManualClock) -> None:
    waiting(engine)
    engine.rotate_waitpoint_secret(kid="autumn")

    assert waiting(engine).token.split(".")[1] == "autumn"


def test_the_grace_is_a_week_unless_another_is_given(engine: BlockingEngine, clock: ManualClock) -> None:
    first = engine.rotate_waitpoint_secret()
    second = engine.rotate_waitpoint_secret()

    assert (first.previous_kid, second.previous_kid) == (None, first.kid)
    assert engine.list_waitpoint_kids() == {first.kid: clock.now_ms + 7 * DAY_MS, second.kid: None}


def test_the_same_kid_with_the_same_secret_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.rotate_waitpoint_secret(kid="spring", secret=SECRET)
    engine.rotate_waitpoint_secret(kid="summer", secret=ANOTHER)
    before = engine.list_waitpoint_kids()
    clock.advance(1)

    assert engine.rotate_waitpoint_secret(kid="summer", secret=ANOTHER) == SecretRotated("summer", "spring")

    assert engine.list_waitpoint_kids() == before
    with refused(engine, Conflict):
        engine.rotate_waitpoint_secret(kid="summer", secret=SECRET)


def test_bad_input_of_a_rotation_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    kids = ["", "k" * 17, "Kid", "a.b", "a b", "ä", 1, b"kid"]
    secrets = [b"", b"short", "x" * 32, 7]

    assert refusing(engine, lambda kid: engine.rotate_waitpoint_secret(kid=kid), kids) == []
    assert refusing(engine, lambda secret: engine.rotate_waitpoint_secret(secret=secret), secrets) == []
    assert refusing(engine, lambda span: engine.rotate_waitpoint_secret(grace_ms=span), [-1, "1", 1.5, True]) == []
    assert refusing(engine, lambda _: engine.scoped("tenant").rotate_waitpoint_secret(), [None]) == []
    assert engine.list_waitpoint_kids() == {}
