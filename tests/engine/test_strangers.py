"""What a stranger may send to an engine, and who stands behind what an engine does."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from flowfabric import (
    BlockingEngine,
    InvalidInput,
    InvalidToken,
    ManualClock,
    Signalled,
    open_blocking_engine,
)

SECRET = bytes(range(32))
AN_ID = "{fp:7}:0198c0de-0000-7000-8000-000000000001"


@pytest.fixture
def engines(clock: ManualClock) -> Iterator[list[BlockingEngine]]:
    """Two stores that were given the same key."""
    with ExitStack() as stack:
        made = [stack.enter_context(open_blocking_engine("memory://", clock=clock, reconcile=False)) for _ in range(2)]
        for engine in made:
            engine.rotate_waitpoint_secret(kid="shared", secret=SECRET)
        yield made


def test_a_token_of_another_store_with_the_same_key_names_nothing_here(engines: list[BlockingEngine]) -> None:
    here, there = engines
    there.create_execution("job", execution_id=AN_ID)
    token = there.issue_token(AN_ID, "editor").token

    with pytest.raises(InvalidToken):
        here.signal_by_token(token)


def test_a_token_of_the_same_execution_in_another_namespace_is_wrong(engines: list[BlockingEngine]) -> None:
    here, there = engines
    there.create_execution("job", execution_id=AN_ID, namespace="tenant")
    here.create_execution("job", execution_id=AN_ID)
    here.issue_token(AN_ID, "editor")
    token = there.issue_token(AN_ID, "editor").token

    with pytest.raises(InvalidToken):
        here.signal_by_token(token)
    assert here.list_signals(AN_ID) == []


def test_a_token_is_checked_before_everything_else(engines: list[BlockingEngine]) -> None:
    here, _ = engines

    with pytest.raises(InvalidToken):
        here.signal_by_token("wp1.forged", "no bytes", name="\x00")  # type: ignore[arg-type]


def test_neither_a_token_nor_a_secret_is_logged(
    engines: list[BlockingEngine], caplog: pytest.LogCaptureFixture
) -> None:
    here, _ = engines
    here.create_execution("job", execution_id=AN_ID)
    token = here.issue_token(AN_ID, "editor").token

    with caplog.at_level(logging.DEBUG):
        here.signal_by_token(token)
        here.rotate_waitpoint_secret(kid="another", secret=SECRET[::-1])
        for wrong in (token[:-2], token.replace("shared", "unknown")):
            with pytest.raises(InvalidToken) as caught:
                here.signal_by_token(wrong)
            assert wrong not in str(caught.value)

    assert token.rpartition(".")[2] not in caplog.text
    assert SECRET.hex() not in caplog.text
    assert repr(SECRET) not in caplog.text


# ── who acts ─────────────────────────────────────────────────────────────────────────────────────


def details_of(engine: BlockingEngine, channel: str) -> list[tuple[str, object]]:
    events = engine.read_events(channels=[channel]).events
    return [(event.event_type, event.details.get("actor")) for event in events]


def test_operator_events_name_the_person_for_whom_an_engine_acts(engines: list[BlockingEngine]) -> None:
    engine, _ = engines
    engine.create_execution("job", execution_id=AN_ID)
    ann = engine.acting_as("ann")

    ann.hold(AN_ID)
    ann.scoped("default").unhold(AN_ID)
    engine.scoped("default").acting_as("bob").change_priority(AN_ID, 5)
    engine.hold(AN_ID)
    ann.operate("unhold")
    ann.pause_lane("default")

    assert details_of(engine, "operator") == [
        ("held", "ann"),
        ("unheld", "ann"),
        ("priority_changed", "bob"),
        ("held", None),
        ("unheld", "ann"),
        ("lane_paused", "ann"),
    ]


def test_what_happens_by_itself_names_nobody(engines: list[BlockingEngine], clock: ManualClock) -> None:
    engine, _ = engines
    engine.create_execution("job", execution_id=AN_ID)
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    engine.suspend(claimed.lease, "wait", "editor", timeout_ms=1_000, on_timeout="escalate")
    clock.advance(1_000)

    engine.acting_as("ann").signal(AN_ID, "author")

    assert details_of(engine, "operator") == [("escalated", None)]


def test_a_token_without_a_subject_signals_as_the_person_for_whom_the_engine_acts(
    engines: list[BlockingEngine],
) -> None:
    engine, _ = engines
    engine.create_execution("job", execution_id=AN_ID)
    ann = engine.acting_as("ann")

    ann.signal_by_token(engine.issue_token(AN_ID, "editor").token, source="the boss")
    ann.signal_by_token(engine.issue_token(AN_ID, "editor", source="bob").token)

    assert [(signal.source, signal.claimed_source) for signal in engine.list_signals(AN_ID)] == [
        ("ann", "the boss"),
        ("bob", ""),
    ]


@pytest.mark.parametrize("actor", ["", "a\nb", "k" * 257, None, 7])
def test_an_actor_is_a_name(engines: list[BlockingEngine], actor: object) -> None:
    with pytest.raises(InvalidInput):
        engines[0].acting_as(actor)  # type: ignore[arg-type]


def test_two_views_of_an_engine_share_their_keys(engines: list[BlockingEngine]) -> None:
    engine, _ = engines
    engine.create_execution("job", execution_id=AN_ID)
    view = engine.scoped("default").acting_as("ann")
    before = view.issue_token(AN_ID, "editor").token

    engine.rotate_waitpoint_secret(kid="autumn", grace_ms=0)

    assert view.issue_token(AN_ID, "editor").token != before
    with pytest.raises(InvalidToken):
        view.signal_by_token(before)
    assert isinstance(view.signal_by_token(view.issue_token(AN_ID, "editor").token), Signalled)
