"""Commands gather while a commit is under way, and the next one takes them all."""

import threading

import pytest
from msgspec.structs import replace

from flowfabric import Claimed, Conflict, Created, Duplicate, NotFound
from flowfabric.domain.commands import Complete, HandleDue, PauseLane, Renew, ResumeLane
from flowfabric.domain.decide.rule import BYTES_PER_WEIGHT
from flowfabric.domain.errors import StoreError
from flowfabric.domain.execution import Due
from flowfabric.domain.lease import Fence
from flowfabric.engine import limits
from tests.assembled import assembled
from tests.engine.commands import (
    WAIT_S_MAX,
    a_claim,
    a_hold,
    an_id,
    answers,
    as_one_batch,
    creation,
    one_batch_under_way,
    sent,
)
from tests.faulty_store import FaultyStore


def test_what_gathers_during_a_commit_becomes_one_batch(store: FaultyStore):
    with assembled(store) as parts:
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, *(creation(number) for number in range(20)))
            begun_before = store.begun

        told = answers(futures)

    assert told == [Created(an_id(number), "waiting") for number in range(20)]
    assert store.begun - begun_before == 2  # the one that was held up, and one for all twenty


def test_a_new_execution_goes_to_the_committer_that_has_the_least_to_do(store: FaultyStore):
    store.committers = 2
    with assembled(store) as parts, store.held():
        made = [replace(creation(number), id_was_given=False) for number in range(4)]
        futures = []
        for each in made[:2]:
            store.reached.clear()
            futures += sent(parts.commits, each)
            assert store.reached.wait(WAIT_S_MAX)  # by now each of the two has a batch in hand

        futures += sent(parts.commits, *made[2:])

        assert [committer.load for committer in parts.commits._committers] == [2, 2]
        store._open.set()
        answers(futures)
        assert [committer.load for committer in parts.commits._committers] == [0, 0]


def test_a_lone_command_is_committed_at_once(store: FaultyStore):
    with assembled(store) as parts:
        told = answers(sent(parts.commits, creation(1)))

    assert told == [Created(an_id(1), "waiting")]
    assert store.begun == 1


def test_commands_of_a_batch_see_those_before_them(store: FaultyStore):
    with assembled(store) as parts:
        told = as_one_batch(parts.commits, store, creation(1), creation(1), a_claim(5), a_claim(5))

    assert told[:2] == [Created(an_id(1), "waiting"), Duplicate(an_id(1))]
    assert [len(claimed) for claimed in told[2:] if isinstance(claimed, list)] == [1, 0]


def test_a_refusal_disturbs_nobody_in_its_batch(store: FaultyStore):
    with assembled(store) as parts:
        told = as_one_batch(
            parts.commits, store, creation(1), a_hold(99), creation(2), creation(1, kind="other"), creation(3)
        )
        left = [x.execution_id for x in parts.engine.list_executions().items]

    assert [type(answer) for answer in told] == [Created, NotFound, Created, Conflict, Created]
    assert sorted(left) == [an_id(1), an_id(2), an_id(3)]
    assert store.begun == 2


def test_every_caller_gets_a_refusal_of_its_own(store: FaultyStore):
    with assembled(store) as parts:
        first, second = as_one_batch(parts.commits, store, a_hold(98), a_hold(98))

    assert isinstance(first, NotFound)
    assert isinstance(second, NotFound)
    assert first is not second


def test_a_batch_that_changes_nothing_is_not_committed(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, a_hold(99), a_claim()))

    assert store.begun >= 1
    assert store.committed == []


def test_a_batch_is_bounded_and_its_rest_goes_next(store: FaultyStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "BATCH_WEIGHT_MAX", 10)
    with assembled(store) as parts:
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, *(creation(number) for number in range(25)))
        told = answers(futures)

    assert told == [Created(an_id(number), "waiting") for number in range(25)]
    assert store.begun == 1 + 3


def test_large_payloads_weigh_more(store: FaultyStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "BATCH_WEIGHT_MAX", 10)
    large = b"x" * (BYTES_PER_WEIGHT * 6)
    with assembled(store) as parts:
        told = as_one_batch(parts.commits, store, *(creation(number, payload=large) for number in range(3)))

    assert all(isinstance(answer, Created) for answer in told)
    assert store.begun == 1 + 3


def test_one_command_larger_than_a_batch_is_a_batch_of_its_own(store: FaultyStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "BATCH_WEIGHT_MAX", 10)
    with assembled(store) as parts:
        told = as_one_batch(parts.commits, store, creation(1), a_claim(500), creation(2))

    assert [type(answer) for answer in told] == [Created, list, Created]


def test_removals_share_a_batch_with_removals_only(store: FaultyStore):
    remove = HandleDue(Due("retention", 1, an_id(1)))
    with assembled(store) as parts:
        told = as_one_batch(parts.commits, store, creation(1), remove, remove, creation(2), remove)

    assert [answer for answer in told if isinstance(answer, bool)] == [False] * 3
    assert store.begun == 1 + 4


def test_a_claim_finds_the_lane_as_the_commands_before_it_have_left_it(store: FaultyStore):
    pause, resume = PauseLane("default", "default", ""), ResumeLane("default", "default")
    with assembled(store) as parts:
        told = as_one_batch(parts.commits, store, creation(1), pause, a_claim(), resume, a_claim())

    assert told[2] == []
    assert isinstance(told[4], list)
    assert len(told[4]) == 1
    assert store.begun == 1 + 5


def test_a_bug_in_one_decision_does_not_hurt_its_neighbours(store: FaultyStore, caplog: pytest.LogCaptureFixture):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))
        (claimed,) = answers(sent(parts.commits, a_claim()))
        assert isinstance(claimed, list)
        assert isinstance(claimed[0], Claimed)
        lease = claimed[0].lease
        fence = Fence(an_id(1), lease.attempt_index, lease.lease_epoch, lease.lease_id)
        # No engine builds such a command: its length is no number.
        broken = Renew(fence, "thirty seconds")  # type: ignore[arg-type]

        told = as_one_batch(parts.commits, store, creation(2), broken, Complete(fence, b"result"), creation(3))
        result = parts.engine.get_result(an_id(1))

    assert [type(answer).__name__ for answer in told] == ["Created", "StoreError", "Completed", "Created"]
    assert isinstance(told[1], StoreError)
    assert "bug in flowfabric" in str(told[1])
    assert isinstance(told[1].__cause__, TypeError)
    assert result == b"result"
    (told,) = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert told.startswith("Renew failed, because of a bug in flowfabric: TypeError(")


def test_a_wake_up_that_fails_is_no_failed_commit(store: FaultyStore):
    def ring(_: object) -> None:
        raise RuntimeError("the bell is broken")

    with assembled(store, on_commit=ring) as parts:
        told = answers(sent(parts.commits, creation(1)))
        (claimed,) = answers(sent(parts.commits, a_claim()))

    assert told == [Created(an_id(1), "waiting")]
    assert isinstance(claimed, list)
    assert len(claimed) == 1
    assert store.begun == 2


def test_commands_from_many_threads_are_all_answered_and_none_twice(store: FaultyStore):
    told: list[object] = []
    with assembled(store) as parts:

        def caller(first: int) -> None:
            told.extend(answers(sent(parts.commits, *(creation(first + number) for number in range(20)))))

        threads = [threading.Thread(target=caller, args=(number * 100,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT_S_MAX)
        (claimed,) = answers(sent(parts.commits, a_claim(1000)))

    assert len(told) == 160
    assert all(isinstance(answer, Created) for answer in told)
    assert isinstance(claimed, list)
    assert len({one.execution_id for one in claimed if isinstance(one, Claimed)}) == 160
