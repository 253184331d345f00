"""What commits tell other processes: leases always, ends and events only where somebody waits, and not too often."""

import os
import time
from types import SimpleNamespace

import pytest

from flowfabric.domain.news import Committed
from flowfabric.stores.postgres import notes as told
from flowfabric.stores.postgres import transaction, writer
from flowfabric.stores.postgres.listening import LINGER_S, _commit_in
from flowfabric.stores.postgres.notes import (
    ENDED,
    EVENTS,
    IDS_PER_NOTE,
    LOST,
    READY,
    RESUMED,
    SAID,
    UNASKED_ENDS_MAX,
    WAITS_OVER,
    News,
    Notes,
)
from flowfabric.stores.postgres.store import PostgresStore
from tests.assembled import Assembled

LANE = ("default", "mail")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which stands still unless a test moves it."""
    now = [1_000.0]
    monkeypatch.setattr(told, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.fixture
def notes(now: list[float]) -> Notes:
    """Of a process that listens."""
    notes = Notes(notifies=True)
    notes.is_listening = True
    return notes


def ends(count: int) -> News:
    return News(ended=[f"execution {number}" for number in range(count)], has_events=True)


def channels(notes: Notes, news: News) -> list[str]:
    return [channel for channel, _ in notes.of(news)]


def test_an_end_that_nobody_waits_for_is_told_to_nobody(notes: Notes) -> None:
    assert notes.of(ends(100)) == []


def test_lanes_and_lost_leases_are_always_told(notes: Notes) -> None:
    assert channels(notes, News(ready={LANE}, lost=["one"])) == [READY, LOST]


def test_waits_that_are_over_are_always_told(notes: Notes) -> None:
    (note,) = notes.of(News(waits_over=["one", "two"]))

    assert note[0] == WAITS_OVER
    assert _commit_in(*note) == Committed((), False, waits_over=["one", "two"])


def test_the_place_of_a_resumed_execution_is_told_before_its_lane(notes: Notes) -> None:
    assert channels(notes, News(ready={LANE}, resumed={(*LANE, 0): (0, 5)})) == [RESUMED, READY]


def test_of_many_resumed_executions_the_first_place_of_each_part_is_told(notes: Notes) -> None:
    part, other = (*LANE, 0), (*LANE, 7)
    news, later = News(), News()
    for place in ((0, 5), (-1, 9), (0, 4)):
        news.comes_back(part, place)
    later.comes_back(part, (0, 1))
    later.comes_back(other, (3, 3))

    assert news.and_then(later).resumed == {part: (-1, 9), other: (3, 3)}
    assert channels(notes, news.and_then(later)) == [RESUMED, RESUMED]


def test_ends_and_events_are_told_while_they_are_wanted(notes: Notes, now: list[float]) -> None:
    notes.are_wanted([ENDED, EVENTS, "anything else"])
    while_wanted = channels(notes, ends(1))
    now[0] += told.WANTED_S

    assert (while_wanted, channels(notes, ends(1))) == ([ENDED, EVENTS], [])


def test_ends_that_come_too_close_together_are_told_with_a_later_commit(notes: Notes, now: list[float]) -> None:
    notes.are_wanted([ENDED])
    notes.of(News(ended=["first"]))
    at_once = notes.of(News(ended=["second"]))
    now[0] += 2 * told.NOTIFY_INTERVAL_S
    later = notes.of(News(ended=["third"]))

    assert at_once == []
    assert [_commit_in(*note) for note in later] == [Committed(["second", "third"], False)]


def test_many_ids_are_told_in_notes_that_the_server_takes(notes: Notes) -> None:
    ids = [f"{{fp:255}}:{number:036d}" for number in range(3 * IDS_PER_NOTE)]

    found = notes.of(News(lost=ids))

    assert all(len(note.encode()) < 8_000 for _, note in found)
    heard = [_commit_in(*note) for note in found]
    assert [key for each in heard if each is not None for key in each.lost] == ids


def test_a_process_that_does_not_listen_tells_of_a_few_ends_and_not_of_many(notes: Notes) -> None:
    notes.is_listening = False

    assert channels(notes, ends(UNASKED_ENDS_MAX + 1)) == []
    assert channels(notes, ends(UNASKED_ENDS_MAX)) == [ENDED]


def test_frames_are_told_while_somebody_follows(notes: Notes, now: list[float]) -> None:
    news = News(streams=["one", "two"])
    before = notes.of(news)
    notes.are_wanted([SAID])
    (first,), (second,) = notes.of(news), notes.of(news)
    now[0] += told.WANTED_S

    assert (before, notes.of(news)) == ([], [])
    assert first == second
    assert _commit_in(*first) == Committed((), False, streams=["one", "two"])


def test_if_too_many_have_said_something_anything_may_have_happened(notes: Notes) -> None:
    notes.are_wanted([SAID])
    ids = [f"{{fp:255}}:{number:036d}" for number in range(IDS_PER_NOTE + 1)]

    (all_named,) = notes.of(News(streams=ids[1:]))
    (too_many,) = notes.of(News(streams=ids))

    assert len(all_named[1].encode()) < 8_000
    assert _commit_in(*all_named) == Committed((), False, streams=ids[1:])
    assert _commit_in(*too_many) is None


def test_what_a_transaction_says_later_is_told_together_with_what_it_said_before(notes: Notes) -> None:
    notes.are_wanted([SAID])

    (note,) = notes.of(News(streams=["one"]).and_then(News(streams=["two"])))

    assert _commit_in(*note) == Committed((), False, streams=["one", "two"])


def test_who_follows_a_stream_hears_of_ends_as_well(parts: Assembled) -> None:
    store = parts.store
    assert isinstance(store, PostgresStore)

    store.listen_for(ends=False, events=False, slots=False, streams=True)

    assert store._listener._wanted == {ENDED, SAID}


def test_a_process_listens_a_little_longer_than_anyone_waits(parts: Assembled) -> None:
    store = parts.store
    assert isinstance(store, PostgresStore)
    listener = store._listener
    store.listen_for(ends=True, events=False, slots=False, streams=False)

    store.listen_for(ends=False, events=False, slots=False, streams=False)

    now = time.monotonic()
    assert listener._channels_at(now) == {ENDED}
    assert listener._channels_at(now + LINGER_S) == frozenset()


def test_a_wait_that_begins_while_the_process_still_listens_does_not_wake_the_listener(
    parts: Assembled,
) -> None:
    store = parts.store
    assert isinstance(store, PostgresStore)
    woken_at, store._listener._wake = os.pipe()

    for ends in (True, False, True, False, True):
        store.listen_for(ends=ends, events=False, slots=False, streams=False)

    assert os.read(woken_at, 100) == b"!"
    os.close(store._listener._wake)
    os.close(woken_at)
    store._listener._wake = None


def test_what_is_said_is_understood() -> None:
    notes = Notes(notifies=True)
    (ready,) = notes.of(News(ready={LANE}))

    assert _commit_in(*ready) == Committed((), False, [LANE])
    assert _commit_in(EVENTS, "") == Committed((), True)


def test_whoever_is_not_to_notify_says_nothing(now: list[float]) -> None:
    notes = Notes(notifies=False)
    notes.are_wanted([ENDED])

    assert notes.of(News(ready={LANE}, lost=["one"], ended=["two"])) == []


def test_an_append_that_nobody_follows_notifies_nobody(parts: Assembled, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, store = parts.engine, parts.store
    assert isinstance(store, PostgresStore)
    store.notes.is_listening = True
    sent: list[list[tuple[str, str]]] = []
    of = store.notes.of
    monkeypatch.setattr(store.notes, "of", lambda news: sent.append(notes := of(news)) or notes)
    engine.create_execution("job")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    sent.clear()

    engine.append_frames(claimed.lease, [b"unheard"])
    store.notes.are_wanted([SAID])
    engine.append_frames(claimed.lease, [b"heard"])

    assert sent == [[], [(SAID, f'["{claimed.execution_id}"]')]]


def test_a_completion_that_nobody_waits_for_is_one_statement(parts: Assembled, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, store = parts.engine, parts.store
    assert isinstance(store, PostgresStore)
    store.notes.is_listening = True
    sent: list[str] = []
    for module in (writer, transaction):
        send = module.send
        monkeypatch.setattr(module, "send", lambda *sending, send=send: sent.append(sending[1]) or send(*sending))
    engine.create_execution("job")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    sent.clear()

    engine.complete(claimed.lease)

    assert sent == [store.sql["complete_at_once"]]


def test_ends_may_have_to_be_told_while_somebody_wants_them_or_events_and_the_last_note_is_old(
    notes: Notes, now: list[float]
) -> None:
    assert not notes.may_tell_ends(100)
    for channel in (ENDED, EVENTS):
        notes.are_wanted([channel])
        assert notes.may_tell_ends(1)
        notes.of(ends(1))
        assert not notes.may_tell_ends(1)  # the last note has just been sent
        now[0] += told.WANTED_S
        assert not notes.may_tell_ends(1)


def test_a_process_that_does_not_listen_may_have_to_tell_few_ends_and_never_many() -> None:
    notes = Notes(notifies=True)

    assert notes.may_tell_ends(UNASKED_ENDS_MAX)
    assert not notes.may_tell_ends(UNASKED_ENDS_MAX + 1)
    assert not Notes(notifies=False).may_tell_ends(1)


def test_ends_of_a_commit_that_could_not_notify_are_sent_with_a_later_one(notes: Notes, now: list[float]) -> None:
    notes.are_wanted([ENDED])
    notes.keep_ends(["one"])

    assert notes.may_tell_ends(1)
    assert [_commit_in(*note) for note in notes.of(ends(0))] == [Committed(["one"], False)]
