"""Who needs what somebody else's transaction holds waits aside; everyone else goes on, and nobody overtakes."""

import threading
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from flowfabric import Created, Duplicate, Held, NotFound, Released, Renewed, RetryExhausted, StoreError
from flowfabric.domain import inputs
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import (
    AnyCommand,
    CreateExecutions,
    Envelope,
    Release,
    Renew,
    RenewAll,
    RepairSideRows,
    SetTag,
)
from flowfabric.domain.errors import Contention
from flowfabric.domain.lease import Fence
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine import limits
from flowfabric.engine.group_commit import GroupCommit
from flowfabric.engine.tickets import Ticket
from flowfabric.ports.errors import LockHeld
from tests.assembled import assembled
from tests.engine.commands import WAIT_S_MAX, a_claim, a_hold, an_id, answers, creation, one_batch_under_way, sent
from tests.faulty_store import FaultyStore

MANY = 1_000_000


class SomebodyElse:
    """Holds executions until it lets go."""

    def __init__(self, store: FaultyStore, *numbers: int, stops_aside: bool = False) -> None:
        self._ids = {an_id(number) for number in numbers}
        self._has_let_go = threading.Event()
        if stops_aside:
            store.breaks("begin", LockHeld("never"), when=self._never)
        store.breaks("load", LockHeld("canceling statement due to lock timeout"), times=MANY, when=self._is_met)

    def _is_met(self, needs: Needs) -> bool:
        return not self._ids.isdisjoint(needs.executions)

    def _never(self, needs: Needs) -> bool:
        if threading.current_thread().name.endswith("aside"):
            assert self._has_let_go.wait(WAIT_S_MAX)
        return False

    def let_go(self) -> None:
        self._ids.clear()
        self._has_let_go.set()


def waiting(commits: GroupCommit) -> int:
    return commits.held_locks.waiting


def wait_until(condition: Callable[[], bool]) -> None:
    done = threading.Event()
    for _ in range(int(WAIT_S_MAX / 0.002)):
        if condition():
            return
        done.wait(0.002)
    raise AssertionError("it never came true")


def a_fence(number: int) -> Fence:
    return Fence(an_id(number), 0, 1, "lease")


def a_tag(number: int, value: str) -> SetTag:
    return SetTag(an_id(number), "shop.colour", value)


def test_neighbours_of_a_command_that_waits_go_on_and_it_goes_once_it_can(store: FaultyStore):
    with assembled(store) as parts:
        other = SomebodyElse(store, 2)
        futures = sent(parts.commits, *(creation(number) for number in range(5)))

        neighbours = answers([futures[0], futures[1], futures[3], futures[4]])
        later = answers(sent(parts.commits, creation(7)))
        has_waited = not futures[2].done()
        other.let_go()

        assert answers([futures[2]]) == [Created(an_id(2), "waiting")]

    assert has_waited
    assert [type(answer) for answer in [*neighbours, *later]] == [Created] * 5


def test_commands_in_one_batch_keep_their_order_however_it_is_parted(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, *(creation(number) for number in range(4))))
        other = SomebodyElse(store, 1)
        orders: list[AnyCommand] = [a_tag(number, str(turn)) for turn in range(3) for number in range(4)]
        futures = sent(parts.commits, *orders)
        wait_until(lambda: waiting(parts.commits) == 3)
        other.let_go()

        told = answers(futures)
        tags = [parts.engine.describe_execution(an_id(number)).tags for number in range(4)]

    assert told == [None] * 12
    assert tags == [{"shop.colour": "2"}] * 4


def test_later_commands_of_the_same_execution_wait_behind_it_and_others_pass(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1), creation(2)))
        other = SomebodyElse(store, 1)
        first = sent(parts.commits, a_tag(1, "red"))
        wait_until(lambda: waiting(parts.commits) == 1)
        second = sent(parts.commits, a_tag(1, "blue"), a_tag(2, "green"))
        passed = answers(second[1:])
        wait_until(lambda: waiting(parts.commits) == 2)
        other.let_go()

        assert answers([*first, second[0]]) == [None, None]
        assert passed == [None]
        assert parts.engine.describe_execution(an_id(1)).tags == {"shop.colour": "blue"}


@pytest.mark.parametrize("together", [True, False], ids=["in its batch", "later"])
def test_nobody_overtakes_a_command_that_waits_on_what_is_free(store: FaultyStore, together: bool):
    both = CreateExecutions((creation(1), creation(2)))
    with assembled(store) as parts:
        other = SomebodyElse(store, 2)
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, both, *([creation(1), creation(3)] if together else []))
        if not together:
            wait_until(lambda: waiting(parts.commits) == 1)
            futures += sent(parts.commits, creation(1), creation(3))
        passed = answers(futures[2:])
        wait_until(lambda: waiting(parts.commits) == 2)
        other.let_go()
        told = answers(futures[:2])

    assert told == [[Created(an_id(1), "waiting"), Created(an_id(2), "waiting")], Duplicate(an_id(1))]
    assert passed == [Created(an_id(3), "waiting")]


def test_a_claim_that_came_with_a_command_that_waits_finds_what_there_is(store: FaultyStore):
    with assembled(store) as parts:
        other = SomebodyElse(store, 1)
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, creation(1), creation(2), a_claim(5))
        claimed = answers(futures[2:])
        other.let_go()

        assert [[each.execution_id for each in answer] for answer in claimed] == [[an_id(2)]]
        assert answers(futures[:1]) == [Created(an_id(1), "waiting")]


def test_whoever_has_waited_for_long_is_told_and_the_next_in_line_is_tried(
    store: FaultyStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(limits, "LOCK_PATIENCE_S", 0.2)
    with assembled(store) as parts:
        other = SomebodyElse(store, 1)
        told = answers(sent(parts.commits, creation(1)))
        other.let_go()
        again = answers(sent(parts.commits, creation(1)))

    assert isinstance(told[0], RetryExhausted)
    assert str(told[0]).startswith("The command waited 0.2 s for what another transaction holds")
    assert again == [Created(an_id(1), "waiting")]


@pytest.mark.parametrize(
    "command", [RenewAll((a_fence(1), a_fence(2)), None), RepairSideRows(an_id(1))], ids=["renewals", "a sweep"]
)
@pytest.mark.parametrize("is_first", [True, False])
def test_what_comes_again_by_itself_does_not_wait(store: FaultyStore, command: AnyCommand, is_first: bool):
    with assembled(store) as parts:
        other = SomebodyElse(store, 1)
        before = [] if is_first else sent(parts.commits, creation(1))
        wait_until(lambda: waiting(parts.commits) == len(before))
        told = answers(sent(parts.commits, command))
        still_waits = [not future.done() for future in before]
        other.let_go()
        answers(before)

    assert [type(answer) for answer in told] == [RetryExhausted]
    assert "nothing was changed" in str(told[0])
    assert all(still_waits)


def test_renewals_in_the_batch_of_a_command_that_waits_do_not_even_wait_for_its_next_try(store: FaultyStore):
    with assembled(store) as parts:
        other = SomebodyElse(store, 1, stops_aside=True)
        renewals = [Renew(a_fence(number), None) for number in (5, 6, 7)]
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, renewals[0], creation(1), renewals[1], RenewAll((a_fence(8),), None))
        futures += sent(parts.commits, renewals[2])
        renewed = answers([futures[0], *futures[2:]])
        has_waited = not futures[1].done()
        other.let_go()
        answers(futures)

    assert [type(answer) for answer in renewed] == [NotFound, NotFound, list, NotFound]
    assert has_waited


def test_a_renewal_that_follows_a_command_which_waits_in_its_batch_is_sent_back(store: FaultyStore):
    with assembled(store) as parts:
        other = SomebodyElse(store, 1)
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, creation(1), RenewAll((a_fence(1), a_fence(2)), None))
        renewed = answers(futures[1:])
        has_waited = not futures[0].done()
        other.let_go()
        answers(futures)

    assert [type(answer) for answer in renewed] == [RetryExhausted]
    assert has_waited


def test_too_many_who_wait_are_refused_so_that_the_others_find_room(
    store: FaultyStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(limits, "ASIDE_WEIGHT_MAX", 3)
    with assembled(store) as parts:
        other = SomebodyElse(store, *range(5))
        futures = sent(parts.commits, *(creation(number) for number in range(5)))
        refused = answers(futures[3:])
        other.let_go()

        assert [type(answer) for answer in answers(futures[:3])] == [Created] * 3
    assert [type(answer) for answer in refused] == [RetryExhausted] * 2


def test_whoever_closes_the_engine_waits_for_those_who_wait(store: FaultyStore):
    with assembled(store) as parts:
        other = SomebodyElse(store, 1)
        futures = sent(parts.commits, creation(1), creation(1))
        wait_until(lambda: waiting(parts.commits) == 2)
        threading.Timer(0.1, other.let_go).start()

    assert [type(answer) for answer in answers(futures)] == [Created, Duplicate]


def test_a_command_whose_caller_has_gone_away_waits_no_longer(store: FaultyStore):
    with assembled(store) as parts:
        SomebodyElse(store, 1)
        futures = sent(parts.commits, creation(1))
        wait_until(lambda: waiting(parts.commits) == 1)
        assert futures[0].cancel()
        wait_until(lambda: waiting(parts.commits) == 0)
        store.heals()

        assert answers(sent(parts.commits, creation(1), a_hold(1))) == [Created(an_id(1), "waiting"), Held(an_id(1))]


def test_a_claim_that_comes_back_while_those_aside_are_tried_is_not_lost(store: FaultyStore):
    is_between, may_go_on = threading.Event(), threading.Event()

    def stops_once_the_claim_stands_by(_needs: Needs) -> bool:
        is_aside = threading.current_thread().name.endswith("aside")
        if is_aside and parts.commits.standing and not is_between.is_set():
            is_between.set()
            assert may_go_on.wait(WAIT_S_MAX)
        return False

    with assembled(store) as parts:
        commits = parts.commits
        store.breaks("begin", LockHeld("never"), when=stops_once_the_claim_stands_by)
        other = SomebodyElse(store, 1, 2)
        claim = Ticket(Envelope(a_claim()), Future(), lanes=[("default", "default")])
        with commits.waiting(claim):
            with one_batch_under_way(commits, store):
                commits.submit_blocking(claim)
                futures = sent(commits, a_tag(1, "red"))
            assert is_between.wait(WAIT_S_MAX)
            with one_batch_under_way(commits, store):
                commits.poll_again(claim)
                futures += sent(commits, a_tag(2, "red"))
            wait_until(lambda: waiting(commits) == 3)
            may_go_on.set()
            wait_until(lambda: bool(commits.standing))
            other.let_go()
            answers(futures)
            answers(sent(commits, creation(9)))
            assert isinstance(claim.future, Future)
            (claimed,) = claim.future.result(WAIT_S_MAX)

    assert claimed.execution_id == an_id(9)


def test_nobody_overtakes_a_command_that_met_a_lock_when_each_was_tried_alone(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))
        with one_batch_under_way(parts.commits, store):
            store.breaks("load", Contention("deadlock"), times=3, when=lambda needs: an_id(1) in needs.executions)
            store.breaks("load", LockHeld("for a moment"), when=lambda needs: an_id(1) in needs.executions)
            futures = sent(parts.commits, a_tag(1, "first"), a_tag(1, "second"))

        assert answers(futures) == [None, None]
        assert parts.engine.describe_execution(an_id(1)).tags == {"shop.colour": "second"}


def test_a_release_does_not_overtake_the_renewal_before_it_in_its_batch(store: FaultyStore):
    def meets_a_committer(needs: Needs) -> bool:
        return an_id(1) in needs.executions and not threading.current_thread().name.endswith("aside")

    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))
        (claimed,) = parts.engine.claim(worker_id="w", worker_instance_id="w-1")
        fence = inputs.fence(claimed.lease)
        with one_batch_under_way(parts.commits, store):
            store.breaks("load", LockHeld("held"), times=2, when=meets_a_committer)
            futures = sent(parts.commits, Renew(fence, None), Release(fence))

        assert [type(answer) for answer in answers(futures)] == [Renewed, Released]


def test_renewals_that_meet_many_locks_hold_up_their_committer_only_for_a_moment(
    store: FaultyStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(limits, "RENEWAL_FAILURES_MAX", 3)
    with assembled(store) as parts:
        other = SomebodyElse(store, *range(1, 9), stops_aside=True)
        with one_batch_under_way(parts.commits, store):
            store.begun = 0
            renewals = sent(parts.commits, *(RenewAll((a_fence(number),), None) for number in range(1, 9)))
        told = answers(renewals)
        begun = store.begun
        other.let_go()

    assert [type(answer) for answer in told] == [RetryExhausted] * 8
    assert begun <= 5  # the batch before it, the batch itself, and three tries that failed


def test_a_slow_machine_still_renews_every_lease_that_nobody_holds(store: FaultyStore):
    def takes_its_time(needs: Needs) -> bool:
        threading.Event().wait(0.03)
        return False

    with assembled(store) as parts:
        answers(sent(parts.commits, *(creation(number) for number in range(8))))
        leased = parts.engine.claim(worker_id="w", worker_instance_id="w-1", limit=8)
        SomebodyElse(store, 5)
        with one_batch_under_way(parts.commits, store):
            store.breaks("begin", LockHeld("never"), when=takes_its_time)
            renewals = sent(parts.commits, *(RenewAll((inputs.fence(each.lease),), None) for each in leased))
        told = answers(renewals)

    refused = [each.execution_id for each, answer in zip(leased, told, strict=True) if isinstance(answer, Contention)]
    assert refused == [an_id(5)]


def test_whoever_has_refused_a_renewal_waits_less_for_the_next_lock(store: FaultyStore):
    with assembled(store) as parts:
        SomebodyElse(store, 1)
        answers(sent(parts.commits, RenewAll((a_fence(1),), None)))
        answers(sent(parts.commits, RenewAll((a_fence(1),), None)))

    assert store.lock_waits_ms == [None, limits.QUICK_LOCK_WAIT_MS]


def test_an_error_among_those_who_wait_is_told_to_all_of_them_and_later_ones_are_tried(
    store: FaultyStore, caplog: pytest.LogCaptureFixture
):
    class Broken(Future[Outcome]):
        def cancelled(self) -> bool:
            if threading.current_thread().name.endswith("aside"):
                raise OSError("broken")
            return super().cancelled()

    with assembled(store) as parts:
        other = SomebodyElse(store, 1)
        broken = Broken()
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, creation(1))
            parts.commits.submit_blocking(Ticket(Envelope(creation(1)), broken))
        told = answers([*futures, broken])
        futures = sent(parts.commits, creation(1))
        wait_until(lambda: waiting(parts.commits) == 1)
        other.let_go()

        assert answers(futures) == [Created(an_id(1), "waiting")]
    assert [type(answer) for answer in told] == [StoreError] * 2
    assert [str(answer.__cause__) for answer in told if isinstance(answer, StoreError)] == ["broken"] * 2
    assert "commands that wait for locks could not be tried" in caplog.text


def test_a_claim_that_was_taken_along_by_those_aside_and_meets_a_lock_waits_with_them(store: FaultyStore):
    def is_claimed_aside(needs: Needs) -> bool:
        return bool(needs.claims) and threading.current_thread().name.endswith("aside")

    with assembled(store) as parts:
        commits = parts.commits
        other = SomebodyElse(store, 1)
        claim = Ticket(Envelope(a_claim()), Future(), lanes=[("default", "default")])
        with commits.waiting(claim):
            commits.submit_blocking(claim)
            wait_until(lambda: bool(commits.standing))
            futures = sent(commits, creation(1))
            wait_until(lambda: waiting(commits) == 1)
            store.breaks("load", Contention("deadlock"), times=3, when=is_claimed_aside)
            store.breaks("load", LockHeld("held"), when=is_claimed_aside)
            other.let_go()
            assert answers(futures) == [Created(an_id(1), "waiting")]
            assert isinstance(claim.future, Future)
            (claimed,) = claim.future.result(WAIT_S_MAX)

    assert claimed.execution_id == an_id(1)
