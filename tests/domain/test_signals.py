"""Signals: which wait takes one, what it answers, and when it is refused."""

import pytest

from flowfabric.domain import inboxes
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import Envelope, HandleDue, PurgeExecution
from flowfabric.domain.conditions import AtLeast, Condition, Either, Every, On, OperatorOnly
from flowfabric.domain.decide import needs
from flowfabric.domain.errors import (
    Conflict,
    NotFound,
    NotSignalable,
    SignalLimitExceeded,
    WaitpointClosed,
)
from flowfabric.domain.execution import Due
from flowfabric.domain.outcomes import AlreadySatisfied, DuplicateSignal, Resumed
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.steps import NO_STEP
from tests.domain.records import an_id
from tests.domain.waiting_world import WaitingWorld, a_signal, payloads

# ── effects ──────────────────────────────────────────────────────────────────────────────────────


def test_a_signal_that_nobody_waits_for_is_kept():
    world = WaitingWorld()

    assert world.signal().effect == "buffered"

    assert [signal.taken_by for signal in world.signals] == [None]
    assert world.events[-1].details == {
        "key": "editor",
        "name": "",
        "signal_id": world.signals[0].signal_id,
        "waitpoint_id": world.signals[0].waitpoint_id,
        "source_identity": "",
        "effect": "buffered",
    }


def test_a_signal_may_come_before_the_execution_has_begun():
    world = WaitingWorld(starts=False)
    world.signal(payload=b"early")
    world.claim()

    assert payloads(world.suspend()) == [b"early"]


def test_a_signal_that_ends_a_wait_resumes():
    world = WaitingWorld()
    world.suspend()

    assert world.signal(source="ann", name="approve").effect == "resumed"

    assert world.event_names[-2:] == ["signal delivered", "signal resumed"]
    delivered, resumed = world.events[-2:]
    assert (delivered.details["effect"], delivered.details["source_identity"]) == ("resumed", "ann")
    assert resumed.details == {"name": "editor", "cause": "signal"}


def test_a_signal_of_another_name_is_kept_and_does_not_count():
    world = WaitingWorld()
    world.suspend(On("editor", name="approve"), "editor")

    assert world.signal(name="comment").effect == "buffered"
    assert world.signal(name="approve", payload=b"go").effect == "resumed"

    world.claim()
    assert payloads(world.open_wait(On("editor", name="approve"), "editor")) == [b"go"]
    assert [signal.taken_by for signal in world.signals] == [None, "editor"]


def test_a_signal_counts_for_a_wait_that_needs_more():
    world = WaitingWorld()
    world.suspend(AtLeast(2, "vote", distinct="sources"), "votes")

    effects = [world.signal("vote", source=source).effect for source in ("ann", "ann", "bob", "cy")]

    assert effects == ["counted", "buffered", "resumed", "buffered"]
    assert [signal.taken_by for signal in world.signals] == ["votes", None, "votes", None]


@pytest.mark.parametrize(
    ("condition", "sent", "effects"),
    [
        (Every("a", "b"), "aab", ["counted", "buffered", "resumed"]),
        (AtLeast(2, "a", "b"), "aab", ["counted", "buffered", "resumed"]),
        (AtLeast(3, "a", "b", distinct="signals"), "aab", ["counted", "counted", "resumed"]),
        (Every(AtLeast(2, "a", distinct="signals"), "b"), "aaab", ["counted", "counted", "buffered", "resumed"]),
        (Either(AtLeast(2, "a", "b"), AtLeast(2, "a", distinct="signals")), "aa", ["counted", "resumed"]),
    ],
)
def test_a_signal_that_a_wait_does_not_need_is_kept_for_a_later_one(
    condition: Condition, sent: str, effects: list[str]
):
    world = WaitingWorld()
    world.suspend(condition, "several")

    assert [world.signal(key).effect for key in sent] == effects


def test_two_people_who_do_not_say_who_they_are_count_as_one():
    world = WaitingWorld()
    world.suspend(AtLeast(2, "vote", distinct="sources"), "votes")

    assert [world.signal("vote").effect, world.signal("vote", claimed_source="bob").effect] == ["counted", "buffered"]


def test_the_oldest_wait_that_a_signal_satisfies_takes_it():
    world = WaitingWorld()
    world.open_wait(Every("a", "b"), "both")
    world.open_wait("a", "first")
    world.open_wait("a", "second")

    effects = [world.signal("a", payload).effect for payload in (b"1", b"2", b"3")]

    assert effects == ["resumed", "resumed", "counted"]
    assert [signal.taken_by for signal in world.signals] == ["first", "second", None]
    assert world.signal("b").effect == "resumed"
    assert [signal.taken_by for signal in world.signals] == ["first", "second", "both", "both"]


def test_a_condition_inside_a_condition_is_evaluated_over_all_kept_signals():
    world = WaitingWorld()
    condition = Every(Every("a", AtLeast(1, "b", "c")), Either("d", AtLeast(2, "b", "c")))
    world.suspend(condition, "nested")

    effects = [world.signal(key).effect for key in ("b", "x", "a", "c")]

    assert effects == ["counted", "buffered", "counted", "resumed"]


def test_two_parts_that_count_do_not_share_their_counts():
    world = WaitingWorld()
    world.suspend(Every(AtLeast(2, "a", "b"), AtLeast(2, "c", "d")), "two of each")

    effects = [world.signal(key).effect for key in ("a", "c", "b", "d")]

    assert effects == ["counted", "counted", "counted", "resumed"]


def test_signals_are_numbered_in_the_order_of_their_arrival():
    world = WaitingWorld()
    for number in range(3):
        world.signal("k", bytes([number]))

    assert [(each.number, each.payload) for each in world.signals] == [(1, b"\0"), (2, b"\1"), (3, b"\2")]
    assert len({each.signal_id for each in world.signals}) == 3


def test_payloads_are_bytes_and_stay_as_they_are():
    world = WaitingWorld()
    binary = bytes(range(256))
    world.signal(payload=binary)

    assert payloads(world.open_wait()) == [binary]


def test_a_signal_for_a_waiting_execution_reads_nothing_of_older_signals():
    world = WaitingWorld()

    wanted = needs([Envelope(a_signal(world.x_id))])

    assert wanted == Needs(
        executions={world.x_id},
        flows_of={world.x_id},
        waitpoints={(world.x_id, "editor")},
        steps={(world.x_id, NO_STEP)},
    )


@pytest.mark.parametrize("page", [1, 2, 100])
def test_kept_signals_beyond_the_first_page_count(monkeypatch: pytest.MonkeyPatch, page: int):
    monkeypatch.setattr(inboxes, "PAGE", page)
    world = WaitingWorld()
    for number in range(5):
        world.signal("vote", bytes([number]), source="ann" if number < 4 else "bob")
    world.signal("word", b"x", name="no")
    world.signal("word", b"y", name="no")
    world.signal("word", b"z", name="yes")

    assert payloads(world.open_wait(AtLeast(2, "vote", distinct="sources"), "votes")) == [b"\0", b"\4"]
    assert payloads(world.open_wait(On("word", name="yes"), "word")) == [b"z"]
    world.suspend(Every(On("word", name="no"), On("vote", name="none")), "both")
    assert world.signal("vote", name="none", payload=b"!").effect == "resumed"
    world.claim()
    assert payloads(world.open_wait(Every(On("word", name="no"), On("vote", name="none")), "both")) == [b"x", b"!"]


def test_a_wait_takes_the_earliest_signals_even_if_they_are_beyond_the_first_page(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inboxes, "PAGE", 2)
    world = WaitingWorld()
    for source in ("ann", "ann", "bob"):
        world.signal("vote", source.encode(), source=source)
    world.signal("stop", b"too late", name="now")
    condition = Either(AtLeast(2, "vote", distinct="sources"), On("stop", name="now"))

    assert payloads(world.open_wait(condition, "votes")) == [b"ann", b"bob"]


# ── the order of checks ──────────────────────────────────────────────────────────────────────────


def test_a_repeated_idempotency_key_is_the_first_signal_again_also_after_the_end():
    world = WaitingWorld()
    world.suspend()
    first = world.signal(idempotency_key="mail-42")
    again = world.signal(idempotency_key="mail-42")
    world.claim()
    world.complete()

    assert again == world.signal(idempotency_key="mail-42") == DuplicateSignal(first.signal_id)
    with pytest.raises(Conflict):
        world.signal(idempotency_key="mail-42", payload=b"no")
    with pytest.raises(Conflict):
        world.signal(idempotency_key="mail-42", name="reject")
    assert len(world.signals) == 1


def test_an_idempotency_key_belongs_to_one_waitpoint_of_one_execution():
    world = WaitingWorld()
    world.create_another()
    sent = [
        world.signal("editor", idempotency_key="k"),
        world.signal("lawyer", idempotency_key="k"),
        world.one(a_signal(an_id(2), "editor", idempotency_key="k")),
    ]

    assert len({answer.signal_id for answer in sent}) == 3


def test_signals_without_an_idempotency_key_each_count():
    world = WaitingWorld()
    world.suspend(AtLeast(2, "vote", distinct="signals"), "votes")

    assert [world.signal("vote").effect, world.signal("vote").effect] == ["counted", "resumed"]


def test_an_ended_execution_takes_no_signals():
    world = WaitingWorld()
    world.create_waitpoint("editor")
    world.close("editor")
    world.complete()

    with pytest.raises(NotSignalable) as refused:
        world.signal()

    assert refused.value.public_state == "completed"
    assert world.signals == []


def test_a_closed_waitpoint_takes_no_signals_and_other_waitpoints_still_do():
    world = WaitingWorld()
    world.suspend(Either("editor", "lawyer"), "any")
    world.close("editor", "spam")
    world.close("editor", "again")

    with pytest.raises(WaitpointClosed, match="spam"):
        world.signal("editor")

    assert world.event_names.count("operator waitpoint_closed") == 1
    assert world.signal("lawyer").effect == "resumed"


def test_a_waitpoint_closes_by_itself_when_its_time_is_over():
    world = WaitingWorld()
    world.create_waitpoint("editor", expires_in_ms=1_000)
    world.suspend()
    world.advance(999)
    world.signal("editor", b"in time")
    world.advance(1)

    with pytest.raises(WaitpointClosed):
        world.signal("editor")


def test_closing_an_unknown_waitpoint_is_refused():
    world = WaitingWorld()

    with pytest.raises(NotFound, match="no waitpoint 'editor'"):
        world.close("editor")


def test_a_waitpoint_of_an_ended_execution_can_be_closed_before_a_replay():
    world = WaitingWorld()
    world.create_waitpoint("editor")
    world.cancel()
    world.close("editor")
    world.replay()

    with pytest.raises(WaitpointClosed):
        world.signal()


def test_one_execution_takes_ten_thousand_signals(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("flowfabric.domain.decide.signalling.SIGNALS_MAX", 3)
    world = WaitingWorld()
    world.signal("k", idempotency_key="1")
    for _ in range(2):
        world.signal("k")

    with pytest.raises(SignalLimitExceeded):
        world.signal("k")
    assert isinstance(world.signal("k", idempotency_key="1"), DuplicateSignal)
    assert len(world.signals) == 3


def test_repeated_and_refused_signals_use_up_nothing():
    world = WaitingWorld()
    world.signal("k", idempotency_key="1")
    world.signal("k", idempotency_key="1")
    world.close("k")
    with pytest.raises(WaitpointClosed):
        world.signal("k")

    assert world.inbox.signals == 1


# ── operators ────────────────────────────────────────────────────────────────────────────────────


def test_an_operator_ends_every_open_wait_whatever_its_condition():
    world = WaitingWorld()
    world.open_wait(Every("a", "b"), "both")
    world.open_wait(OperatorOnly(), "pause")
    world.suspend(AtLeast(3, "vote", distinct="sources"), "votes")

    assert world.resume(b"go") == Resumed(world.x_id)

    assert world.x.public_state == "resumable"
    assert [(each.key, each.name, each.source, each.taken_by) for each in world.signals] == [
        ("a", "resumed", "operator", "both"),
        ("", "resumed", "operator", "pause"),
        ("vote", "resumed", "operator", "votes"),
    ]
    assert world.event_names[-6:] == ["signal delivered", "signal resumed"] * 3
    world.claim()
    over = world.open_wait(Every("a", "b"), "both")
    assert (payloads(over), over.cause) == ([b"go"], "operator")


def test_only_a_suspended_execution_is_resumed():
    world = WaitingWorld()
    world.open_wait()
    assert world.resume() == AlreadySatisfied("not_suspended")
    world.suspend()
    world.resume()
    assert world.resume() == AlreadySatisfied("not_suspended")
    world.claim()
    world.complete()
    assert world.resume() == AlreadySatisfied("not_suspended")
    assert len(world.signals) == 1


# ── the end ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["purge", "retention"])
def test_nothing_of_a_removed_execution_stays(how: str):
    world = WaitingWorld(policy=ExecutionPolicy(retention_ms=1_000))
    world.create_waitpoint("pending", alias="order:42")
    world.signal("pending", idempotency_key="k")
    world.suspend()
    world.signal()
    world.cancel()
    world.advance(1_000)

    world.one(
        PurgeExecution(world.x_id, world.now_ms)
        if how == "purge"
        else HandleDue(Due("retention", world.now_ms, world.x_id))
    )

    store = world.store
    assert store.execution(world.x_id) is None
    assert store.signals(world.x_id, None) == (None, [])
    assert store.waitpoints(world.x_id) == (None, [])
    assert store.alias("default", "order:42") is None
    assert not store._signal_keys
