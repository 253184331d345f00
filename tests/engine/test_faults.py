"""What the engine does when the store does not: contention, lost connections, commits whose answer was lost."""

import threading
import time

import pytest

from flowfabric import Claimed, Created, Held, NotFound, RetryExhausted, StoreError, StoreUnavailable
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.errors import Contention, Corruption
from flowfabric.domain.listing import EventFilter
from flowfabric.engine import limits
from flowfabric.ports.errors import AnswerUnclear, CommitUnknown, ConnectionLost, Overtaken
from flowfabric.stores.memory.store import MemoryStore
from tests.assembled import Assembled, assembled
from tests.engine.commands import a_claim, a_hold, an_id, answers, as_one_batch, creation, sent
from tests.faulty_store import FaultyStore, Point

MANY = 10_000
CREATED = [Created(an_id(number), "waiting") for number in (1, 2, 3)]


def _names(number: int):
    """Whether a batch names this execution."""

    def names(needs: Needs) -> bool:
        return an_id(number) in needs.executions

    return names


def _ids(parts: Assembled) -> list[str]:
    return sorted(x.execution_id for x in parts.engine.list_executions().items)


# ── contention ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("point", ["begin", "load", "save", "before commit"])
@pytest.mark.parametrize("times", [1, 2])
def test_contention_that_passes_is_nobodys_concern(store: FaultyStore, point: Point, times: int):
    with assembled(store) as parts:
        store.breaks(
            point, Contention("deadlock"), times=times, when=lambda needs: point == "begin" or _names(1)(needs)
        )
        told = as_one_batch(parts.commits, store, creation(1), a_hold(9), creation(2))
        left = _ids(parts)

    assert [type(answer) for answer in told] == [Created, NotFound, Created]
    assert left == [an_id(1), an_id(2)]
    assert store.struck == times


@pytest.mark.parametrize("point", ["load", "save", "before commit"])
def test_only_the_culprit_of_lasting_contention_is_told(store: FaultyStore, point: Point):
    with assembled(store) as parts:
        store.breaks(point, Contention("somebody else has it"), times=MANY, when=_names(2))
        told = as_one_batch(parts.commits, store, creation(1), creation(2), creation(3))
        left = _ids(parts)

    assert [told[0], told[2]] == [CREATED[0], CREATED[2]]
    assert isinstance(told[1], RetryExhausted)
    assert told[1].retryable
    assert left == [an_id(1), an_id(3)]
    assert store.struck == 6  # three tries in company, three alone


def test_a_try_that_took_long_is_not_repeated_while_everyone_waits(store: FaultyStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "LONG_TRY_S", 0.0)
    with assembled(store) as parts:
        store.breaks("save", Contention("a lock that nobody gives back"), times=MANY, when=_names(2))
        told = as_one_batch(parts.commits, store, creation(1), creation(2), creation(3))

    assert [type(answer) for answer in told] == [Created, RetryExhausted, Created]
    assert store.struck == 3  # once in company, twice alone


def test_after_contention_the_batch_is_decided_anew(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))
        store.breaks("before commit", Contention("serialization failure"), times=2)
        told = as_one_batch(parts.commits, store, a_hold(1), a_claim())

        snapshot = parts.engine.describe_execution(an_id(1))

    assert told == [Held(an_id(1)), []]
    assert snapshot is not None
    assert [event.event_type for event in store.events(None, EventFilter(), 100).events] == ["held"]


def test_who_is_overtaken_again_and_again_is_decided_anew_at_once(store: FaultyStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "CONTENTION_PAUSES_S", ())
    with assembled(store) as parts:
        store.breaks("load", Overtaken("somebody else was faster"), times=8)
        told = as_one_batch(parts.commits, store, creation(1))

    assert told == CREATED[:1]
    assert store.struck == 8


# ── damage ───────────────────────────────────────────────────────────────────────────────────────


def test_only_whoever_asks_for_damaged_data_is_told(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("load", Corruption("ff_exec_core, column policy"), times=MANY, when=_names(2))
        told = as_one_batch(parts.commits, store, creation(1), creation(2), creation(3))

    assert [type(answer) for answer in told] == [Created, Corruption, Created]


def test_a_store_that_cannot_write_now_is_told_to_all_at_once(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("save", StoreUnavailable("the disk is full"), when=_names(1))
        told = as_one_batch(parts.commits, store, creation(1), creation(2))
        again = as_one_batch(parts.commits, store, creation(1), creation(2))

    assert [str(answer) for answer in told] == ["the disk is full"] * 2
    assert told[0] is not told[1]
    assert again == CREATED[:2]


# ── lost connections ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("point", ["begin", "load", "save"])
def test_a_lost_connection_is_made_anew_and_nobody_notices(store: FaultyStore, point: Point):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(9)))
        store.breaks(point, ConnectionLost("the server closed the connection"), times=3)
        told = answers(sent(parts.commits, creation(1)))
        left = _ids(parts)

    assert told == CREATED[:1]
    assert left == [an_id(1), an_id(9)]


def test_a_reconnect_that_fails_at_first_is_tried_again(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("load", ConnectionLost("gone"), times=1)
        store.breaks("reconnect", ConnectionLost("still gone"), times=5)
        told = answers(sent(parts.commits, creation(1)))

    assert told == CREATED[:1]


def test_a_store_that_stays_away_is_told_to_all_and_served_again_when_it_is_back(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("load", ConnectionLost("gone"), times=MANY)
        store.breaks("reconnect", ConnectionLost("still gone"), times=MANY)
        away = as_one_batch(parts.commits, store, creation(1), creation(2), creation(3))
        store.heals()
        back = as_one_batch(parts.commits, store, creation(1), creation(2), creation(3))

    assert [type(answer) for answer in away] == [StoreUnavailable] * 3
    assert all("Nothing was changed" in str(answer) for answer in away)
    assert len({id(answer) for answer in away}) == 3
    assert back == CREATED


def test_a_store_that_goes_away_while_commands_go_one_by_one_is_waited_for_once(store: FaultyStore):
    def alone(needs: Needs) -> bool:
        return len(needs.executions) == 1

    with assembled(store) as parts:
        store.breaks("save", Contention("deadlock"), times=MANY, when=lambda needs: len(needs.executions) > 1)
        store.breaks("save", ConnectionLost("gone"), times=MANY, when=alone)
        began_at = time.monotonic()
        told = as_one_batch(parts.commits, store, *(creation(number) for number in range(200)))
        took_s = time.monotonic() - began_at

    assert [type(answer) for answer in told] == [StoreUnavailable] * 200
    # Had each of them waited for itself, it would have taken two hundred times as long as one of them waits.
    assert took_s < 50 * limits.RECONNECT_S_MAX


# ── commits whose answer was lost ────────────────────────────────────────────────────────────────


def test_a_commit_that_happened_is_answered_from_memory(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("after commit", CommitUnknown("connection reset"), when=_names(1))
        told = as_one_batch(parts.commits, store, creation(1), a_claim(5), a_hold(9), creation(2))
        left = _ids(parts)
        counted = (parts.commits.ambiguous, parts.commits.resolved)

    assert told[0] == CREATED[0]
    assert isinstance(told[1], list)
    assert isinstance(told[1][0], Claimed)
    assert isinstance(told[2], NotFound)
    assert told[3] == CREATED[1]
    assert left == [an_id(1), an_id(2)]
    assert counted == (1, 1)
    # Decided once: a second try would have found the first execution leased, and answered Duplicate.
    assert len(store.committed) == 2


@pytest.mark.parametrize(
    "error",
    [
        StoreError("an error that nobody foresaw"),
        StoreUnavailable("the disk is full"),
        ConnectionLost("the pooler went away"),
        RuntimeError("received 2 results"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_from_a_commit_that_happened_is_looked_into_and_nothing_is_done_twice(
    store: FaultyStore, error: Exception
):
    with assembled(store) as parts:
        store.breaks("after commit", error, when=_names(1))
        told = as_one_batch(parts.commits, store, creation(1), a_claim(5), creation(2))
        counted = (parts.commits.ambiguous, parts.commits.resolved)

    assert [told[0], told[2]] == CREATED[:2]
    assert isinstance(told[1], list)
    assert [each.execution_id for each in told[1]] == [an_id(1), an_id(2)]  # claims come last
    assert counted == (1, 1)
    assert len(store.committed) == 2


@pytest.mark.parametrize("error", [StoreError("a trigger refused"), RuntimeError("no such thing")])
def test_an_error_from_a_commit_that_did_not_happen_is_told_to_the_culprit_alone(store: FaultyStore, error: Exception):
    with assembled(store) as parts:
        store.breaks("before commit", error, times=MANY, when=_names(2))
        told = as_one_batch(parts.commits, store, creation(1), creation(2), creation(3))
        left = _ids(parts)
        counted = (parts.commits.ambiguous, parts.commits.resolved)

    assert [told[0], told[2]] == [CREATED[0], CREATED[2]]
    assert isinstance(told[1], StoreError)
    assert str(error) in str(told[1])
    assert left == [an_id(1), an_id(3)]
    assert counted == (2, 2)  # in company, and alone


@pytest.mark.parametrize("point", ["begin", "load", "save", "before commit"])
def test_after_an_unclear_answer_the_batch_is_decided_anew_with_a_new_connection(store: FaultyStore, point: Point):
    with assembled(store) as parts:
        store.breaks(point, AnswerUnclear("an error within the store"), times=limits.UNCLEAR_MAX)
        told = as_one_batch(parts.commits, store, creation(1), creation(2))

    assert told == CREATED[:2]
    assert store.struck == limits.UNCLEAR_MAX


@pytest.mark.parametrize("point", ["load", "before commit"])
def test_only_the_culprit_of_answers_that_stay_unclear_is_told(store: FaultyStore, point: Point):
    with assembled(store) as parts:
        store.breaks(point, AnswerUnclear("an error within the store"), times=MANY, when=_names(2))
        told = as_one_batch(parts.commits, store, creation(1), creation(2), creation(3))

    assert [told[0], told[2]] == [CREATED[0], CREATED[2]]
    assert type(told[1]) is StoreError
    assert str(told[1]) == "an error within the store"


def test_a_commit_that_finds_no_room_is_told_to_all_at_once(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("before commit", StoreUnavailable("the disk is full"), when=_names(1))
        told = as_one_batch(parts.commits, store, creation(1), creation(2))

    assert [str(answer) for answer in told] == ["the disk is full"] * 2


@pytest.mark.parametrize("point", ["begin", "load", "save", "before commit", "reconnect", "was_committed"])
def test_a_lost_connection_has_no_name_of_its_own_for_callers(store: FaultyStore, point: Point):
    with assembled(store) as parts:
        store.breaks("after commit", CommitUnknown("reset"), when=_names(1))
        store.breaks(point, ConnectionLost("gone"), times=MANY)
        (told,) = answers(sent(parts.commits, creation(1)))

    assert type(told) in (Created, StoreUnavailable)


def test_a_commit_that_did_not_happen_is_done_again(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("before commit", CommitUnknown("connection reset"), when=_names(1))
        told = as_one_batch(parts.commits, store, creation(1), creation(2))
        left = _ids(parts)
        counted = (parts.commits.ambiguous, parts.commits.resolved)

    assert told == CREATED[:2]
    assert left == [an_id(1), an_id(2)]
    assert counted == (1, 1)


def test_a_marker_that_cannot_be_read_at_first_is_looked_for_again(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("after commit", CommitUnknown("connection reset"), when=_names(1))
        store.breaks("reconnect", ConnectionLost("not back yet"), times=4)
        store.breaks("was_committed", ConnectionLost("gone again"), times=2)
        told = answers(sent(parts.commits, creation(1)))
        counted = (parts.commits.ambiguous, parts.commits.resolved)

    assert told == CREATED[:1]
    assert counted == (1, 1)
    assert len(store.committed) == 1


def test_a_lost_answer_that_cannot_be_looked_up_is_told_as_a_doubt_and_never_done_again(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("after commit", CommitUnknown("connection reset"), when=_names(1))
        store.breaks("was_committed", StoreError("permission denied"))
        told = as_one_batch(parts.commits, store, creation(1), creation(2))

    for answer in told:
        assert isinstance(answer, StoreUnavailable)
        assert "may have happened" in str(answer)
    assert len([changes for changes in store.committed if changes.executions]) == 1


def test_several_lost_answers_in_a_row_still_have_one_effect(store: FaultyStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 60.0)  # a busy machine is no reason to give up
    with assembled(store) as parts:
        store.breaks("before commit", CommitUnknown("reset"), times=3, when=_names(1))
        store.breaks("after commit", CommitUnknown("reset"), times=1, when=_names(1))
        told = answers(sent(parts.commits, creation(1)))
        counted = (parts.commits.ambiguous, parts.commits.resolved)

    assert told == CREATED[:1]
    assert counted == (4, 4)
    assert len(store.committed) == 1


def test_a_doubt_that_cannot_be_resolved_is_told_as_a_doubt(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("after commit", CommitUnknown("reset"), when=_names(1))
        store.breaks("reconnect", ConnectionLost("gone for good"), times=MANY)
        told = answers(sent(parts.commits, creation(1)))
        counted = (parts.commits.ambiguous, parts.commits.resolved)
        store.heals()
        again = answers(sent(parts.commits, creation(1)))

    assert isinstance(told[0], StoreUnavailable)
    assert "may have happened" in str(told[0])
    assert counted == (1, 0)
    assert [type(answer).__name__ for answer in again] == ["Duplicate"]


def test_commits_that_never_come_to_an_answer_do_not_keep_callers_for_ever(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("before commit", CommitUnknown("the disk fails every write"), times=MANY)
        told = answers(sent(parts.commits, creation(1)))
        store.heals()
        again = answers(sent(parts.commits, creation(1)))

    assert isinstance(told[0], StoreUnavailable)
    assert "Nothing was changed" in str(told[0])
    assert again == CREATED[:1]


def test_a_subscriber_hears_of_a_commit_whose_answer_was_lost(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))
        rung: list[str] = []
        with parts.wakeups.listening("", lambda: rung.append("any event")):
            store.breaks("after commit", CommitUnknown("reset"))
            answers(sent(parts.commits, a_hold(1)))

    assert rung == ["any event"]


class ClockThatStops:
    """Fails once when it is asked to."""

    def __init__(self) -> None:
        self.fails = False

    @property
    def now_ms(self) -> int:
        if self.fails:
            self.fails = False
            raise ValueError("the clock has stopped")
        return 1_700_000_000_000


def test_a_clock_that_fails_leaves_no_store_locked():
    clock = ClockThatStops()
    store = MemoryStore("memory-clock", clock)
    with assembled(store) as parts:
        clock.fails = True
        told = answers(sent(parts.commits, creation(1)))
        reading = threading.Thread(target=store.execution, args=(an_id(1),), daemon=True)
        reading.start()
        reading.join(10)

    assert "the clock has stopped" in str(told[0])
    assert not reading.is_alive()
