"""Waitpoints: their tokens, their aliases, and what was given first for one."""

import pytest
from msgspec.structs import replace

from flowfabric.domain.commands import Complete, Envelope, IssueToken
from flowfabric.domain.conditions import AtLeast
from flowfabric.domain.decide import signalling
from flowfabric.domain.errors import (
    Conflict,
    InvalidInput,
    NotSignalable,
    NoWaiter,
    WaitpointClosed,
)
from flowfabric.domain.outcomes import DuplicateSignal
from tests.domain.records import a_claim, an_id
from tests.domain.waiting_world import KID, WaitingWorld, a_signal

# ── tokens ───────────────────────────────────────────────────────────────────────────────────────


def test_a_token_opens_its_own_waitpoint_only():
    world = WaitingWorld()
    editor = world.create_waitpoint("editor")
    world.create_waitpoint("lawyer")
    world.suspend("lawyer", "lawyer")

    with pytest.raises(WaitpointClosed):
        world.signal("lawyer", waitpoint_id=editor.waitpoint_id, life=editor.life)

    assert world.x.public_state == "suspended"
    assert world.signal("editor", waitpoint_id=editor.waitpoint_id, life=editor.life).effect == "buffered"


def test_a_token_of_one_execution_does_not_resume_another():
    world = WaitingWorld()
    mine = world.create_waitpoint("editor")
    world.suspend()
    world.create_another()
    world.one(IssueToken(an_id(2), "editor", "", KID))
    (claimed,) = world.one(a_claim())
    assert claimed.execution_id == an_id(2)

    with pytest.raises(WaitpointClosed):
        world.one(a_signal(an_id(2), "editor", waitpoint_id=mine.waitpoint_id, life=mine.life))

    assert world.x.public_state == "suspended"


def test_a_later_attempt_passes_a_closed_waitpoint_and_does_not_open_it_again():
    world = WaitingWorld()
    made = world.create_waitpoint("editor")
    world.close("editor")

    again = world.create_waitpoint("editor")

    assert again == made
    with pytest.raises(WaitpointClosed):
        world.signal("editor")


def test_a_stranger_cannot_make_a_waitpoint():
    world = WaitingWorld()

    with pytest.raises(WaitpointClosed):
        world.signal("editor", waitpoint_id="some id", life=0)

    assert world.store.waitpoints(world.x_id)[1] == []


def test_tokens_of_a_waitpoint_are_issued_for_a_limited_number_of_persons(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(signalling, "SUBJECTS_MAX", 2)
    world = WaitingWorld()
    for person in ("ann", "bob", "ann"):
        world.one(IssueToken(world.x_id, "editor", person, KID))

    with pytest.raises(InvalidInput, match="were issued for 2 persons, which is the limit"):
        world.one(IssueToken(world.x_id, "editor", "cy", KID))

    assert world.one(IssueToken(world.x_id, "editor", "", KID)).subject == ""
    assert world.one(IssueToken(world.x_id, "boss", "cy", KID)).subject == "cy"
    ((_, _), (editor, _)) = world.store.waitpoints(world.x_id)[1]
    assert editor.subjects == ("ann", "bob")


def test_the_same_person_gets_the_same_token():
    world = WaitingWorld()
    first = world.one(IssueToken(world.x_id, "editor", "ann", KID))
    world.one(IssueToken(world.x_id, "editor", "bob", KID))
    again = world.one(IssueToken(world.x_id, "editor", "ann", "k2"))

    ((waitpoint, _),) = world.store.waitpoints(world.x_id)[1]
    assert (first, first.subject, waitpoint.subjects) == (again, "ann", ("ann", "bob"))
    world.close("editor")
    with pytest.raises(WaitpointClosed):
        world.one(IssueToken(world.x_id, "editor", "cy", KID))
    world.complete()
    with pytest.raises(NotSignalable):
        world.one(IssueToken(world.x_id, "lawyer", "cy", KID))


# ── waitpoints ───────────────────────────────────────────────────────────────────────────────────


def test_a_waitpoint_is_the_same_in_every_attempt_whoever_made_it():
    world = WaitingWorld(starts=False)
    world.signal("editor")
    world.claim()
    first = world.create_waitpoint("editor")
    world.fail()
    world.claim()

    assert world.create_waitpoint("editor") == first
    assert world.open_wait(AtLeast(2, "editor", distinct="signals"), "two").waitpoints == (first,)


def test_what_was_given_first_for_a_waitpoint_stands():
    world = WaitingWorld()
    world.create_waitpoint("editor")
    world.create_waitpoint("editor", expires_in_ms=1_000, about='{"title":"first"}', alias="order:1")
    world.advance(10)
    world.create_waitpoint("editor", expires_in_ms=5_000, about='{"title":"second"}', alias="order:2")

    ((waitpoint, _),) = world.store.waitpoints(world.x_id)[1]
    assert waitpoint.expires_at_ms == world.now_ms + 990
    assert (waitpoint.about, waitpoint.alias) == ('{"title":"first"}', "order:1")
    assert world.store.alias("default", "order:2") is None


def _two_with_an_alias() -> tuple[WaitingWorld, WaitingWorld]:
    """Two executions in one store; the first one has the alias."""
    world = WaitingWorld()
    world.create_waitpoint("paid", alias="order:42")
    other = WaitingWorld()
    other.store, other.clock, other.x_id = world.store, world.clock, an_id(2)
    world.create_another()
    other.claim()
    return world, other


def test_an_alias_belongs_to_one_open_waitpoint():
    world, other = _two_with_an_alias()

    with pytest.raises(Conflict, match=r"order:42"):
        other.create_waitpoint("paid", alias="order:42")

    world.complete()
    other.create_waitpoint("paid", alias="order:42")
    assert world.store.alias("default", "order:42").execution_id == an_id(2)


@pytest.mark.parametrize("how", ["closed", "expired"])
def test_the_alias_of_a_waitpoint_that_takes_no_signals_is_free(how: str):
    world, other = _two_with_an_alias()
    if how == "closed":
        world.close("paid")
    else:
        world.create_waitpoint("paid", expires_in_ms=0)

    other.create_waitpoint("paid", alias="order:42")

    assert world.store.alias("default", "order:42").execution_id == an_id(2)


def test_a_signal_to_an_alias_reaches_its_waitpoint():
    world, _ = _two_with_an_alias()
    world.suspend("paid", "paid")

    assert world.signal("paid", alias="order:42").effect == "resumed"


def test_nobody_waits_at_an_alias_that_is_free_or_has_moved_on():
    world, other = _two_with_an_alias()
    with pytest.raises(NoWaiter):
        world.signal("paid", alias="order:43")
    world.complete()
    with pytest.raises(NoWaiter):
        world.signal("paid", alias="order:42")
    other.create_waitpoint("paid", alias="order:42")
    with pytest.raises(NoWaiter):
        world.signal("paid", alias="order:42")
    assert other.signal("paid", alias="order:42").effect == "buffered"
    other.close("paid")
    with pytest.raises(NoWaiter):
        other.signal("paid", alias="order:42")


def test_an_alias_of_another_namespace_is_nobodys():
    world, _ = _two_with_an_alias()
    world.signal("paid", alias="order:42", idempotency_key="event-1")
    sent = a_signal(world.x_id, "paid", alias="order:42", idempotency_key="event-1")

    (answer,) = world.decide(Envelope(sent, "tenant-b"))

    assert isinstance(answer, NoWaiter)


def test_an_alias_remembers_the_idempotency_keys_of_its_signals():
    world, other = _two_with_an_alias()
    first = world.signal("paid", alias="order:42", idempotency_key="event-1")
    world.complete()
    assert world.signal("paid", alias="order:42", idempotency_key="event-1") == DuplicateSignal(first.signal_id)
    other.create_waitpoint("paid", alias="order:42")

    assert other.signal("paid", alias="order:42", idempotency_key="event-1") == DuplicateSignal(first.signal_id)
    with pytest.raises(Conflict):
        other.signal("paid", b"other", alias="order:42", idempotency_key="event-1")
    assert other.signal("paid", alias="order:42", idempotency_key="event-2").effect == "buffered"


def test_a_signal_to_an_alias_that_is_repeated_in_one_batch_is_stored_once():
    world, other = _two_with_an_alias()
    sent = a_signal(world.x_id, "paid", alias="order:42", idempotency_key="event-1")
    moved = replace(sent, execution_id=an_id(2))

    first, again, end, taken, to_the_next = world.decide(
        sent, sent, Complete(world.fence, None), other.waitpoint_command("paid", alias="order:42"), moved
    )

    assert (first.effect, end.execution_id, taken.execution_id) == ("buffered", world.x_id, an_id(2))
    assert again == to_the_next == DuplicateSignal(first.signal_id)


def test_a_replayed_execution_has_its_alias_again_unless_another_one_took_it():
    world, other = _two_with_an_alias()
    world.cancel()
    world.replay()
    assert world.signal("paid", alias="order:42").effect == "buffered"
    world.cancel()
    other.create_waitpoint("paid", alias="order:42")
    world.replay()
    world.claim()

    world.create_waitpoint("paid", alias="order:42")

    assert world.store.alias("default", "order:42").execution_id == an_id(2)
    other.cancel()
    world.create_waitpoint("paid", alias="order:42")
    assert world.store.alias("default", "order:42").execution_id == an_id(1)


def test_an_alias_that_is_freed_and_taken_in_one_batch_changes_hands():
    world, other = _two_with_an_alias()

    ended, taken = world.decide(
        Complete(world.fence, None), replace(other.waitpoint_command("paid", alias="order:42"), namespace="unknown")
    )

    assert ended.execution_id == world.x_id
    assert taken.execution_id == an_id(2)
