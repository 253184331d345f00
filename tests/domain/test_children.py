"""Children: made once, counted once, and their ends resume the parent once."""

import pytest
from msgspec.structs import replace

from flowfabric import AlreadySatisfied, Conflict, Created, Duplicate, ExecutionNotActive, InvalidInput, WaitOver
from flowfabric.domain.children import DEPTH_MAX, GROUPS_KEPT, ChildGroup, ChildPlace, child_id
from flowfabric.domain.commands import Complete, CreateChildren, HandleDue, PassOnEnd, PurgeExecution, RevokeLease
from flowfabric.domain.decide import children as making
from flowfabric.domain.decide import ending
from flowfabric.domain.execution import due_of
from flowfabric.domain.outcomes import LeaseGivenUp, WaitBegun
from flowfabric.domain.policies import ExecutionPolicy
from tests.domain.family_world import LANE, FamilyWorld, a_child
from tests.domain.records import creation

# ── making ───────────────────────────────────────────────────────────────────────────────────────


def test_children_are_made_with_the_ids_that_follow_from_their_places() -> None:
    world = FamilyWorld()

    answers = world.make(3)

    assert answers == [Created(child_id(world.x_id, 0, "page", index), "waiting") for index in range(3)]
    child = world.child(2)
    assert (child.parent_id, child.child_place) == (world.x_id, ChildPlace("page", 2, 0, 1))
    assert (child.namespace, child.lane, child.kind) == ("default", LANE, "page")
    assert world.inbox.children == 3
    assert world.inbox.groups[0].total == 3


def test_the_ids_of_a_group_are_in_the_order_of_its_items() -> None:
    world = FamilyWorld()
    ids = [child_id(world.x_id, 0, "page", index) for index in range(1_000)]

    assert sorted(ids) == ids
    assert len(set(ids)) == 1_000


def test_a_later_attempt_makes_the_same_children() -> None:
    world = FamilyWorld()
    first = world.make(3)
    world.one(RevokeLease(world.x_id, "", "", "moved"))
    world.claim()

    again = world.make(3)

    assert again == [Duplicate(each.execution_id) for each in first]
    assert len(world.live) == 3
    assert world.inbox.children == 3


@pytest.mark.parametrize("number", [2, 4])
def test_another_number_of_items_under_one_name_is_a_conflict(number: int) -> None:
    world = FamilyWorld()
    world.make(3)

    with pytest.raises(Conflict, match="'page'"):
        world.make(number)


def test_other_kinds_under_one_name_are_a_conflict() -> None:
    world = FamilyWorld()
    world.make(3)

    with pytest.raises(Conflict, match="'page'"):
        world.make(3, kind="image")


def test_only_the_holder_of_the_lease_makes_children() -> None:
    world = FamilyWorld()
    command = world.children_command(1)
    world.complete()

    with pytest.raises(ExecutionNotActive):
        world.one(command)


def test_a_parent_has_at_most_so_many_children(monkeypatch: pytest.MonkeyPatch) -> None:
    assert making.CHILDREN_MAX == 10_000
    monkeypatch.setattr(making, "CHILDREN_MAX", 10)
    world = FamilyWorld()
    world.make(6)
    world.make(4, "image")

    with pytest.raises(InvalidInput, match="11 children"):
        world.make(1, "one too many")

    assert world.inbox.children == 10


def test_children_nest_at_most_sixteen_deep() -> None:
    world = FamilyWorld()
    fence = world.fence
    for _ in range(DEPTH_MAX):
        world.one(CreateChildren(fence, "page", (a_child(),)))
        (fence,) = world.claim_children()

    with pytest.raises(InvalidInput, match="16"):
        world.one(CreateChildren(fence, "page", (a_child(),)))

    assert len(world.live) == DEPTH_MAX


def test_children_of_a_removed_execution_are_found_by_the_next_one_of_the_same_id() -> None:
    world = FamilyWorld(policy=ExecutionPolicy(retention_ms=0))
    first = world.make(2)
    world.complete_children()
    world.complete()
    world.sweep_retention()
    world.one(creation())
    world.claim()

    again = world.make(2)

    assert again == [Duplicate(each.execution_id) for each in first]
    assert (world.inbox.children, len(world.live)) == (2, 1)
    world.settle()
    assert world.counts() == {"page": (1, 0)}


def test_an_execution_that_is_no_child_is_not_taken_for_one() -> None:
    world = FamilyWorld()
    world.one(replace(creation(2, kind="page"), execution_id=child_id(world.x_id, 0, "page", 0)))

    with pytest.raises(Conflict, match="'page'"):
        world.make(1)


# ── counting ─────────────────────────────────────────────────────────────────────────────────────


def test_the_end_of_a_child_does_not_touch_its_parent() -> None:
    world = FamilyWorld()
    world.make(1)
    before = world.x

    (child_id,) = world.complete_children()

    assert world.x == before
    child = world.child(0)
    assert child.unsettled
    due = due_of(child)
    assert due is not None
    assert (due.kind, due.execution_id) == ("resolution", child_id)


def test_a_group_resumes_its_parent_once_when_all_children_have_ended() -> None:
    world = FamilyWorld()
    world.make(3)
    assert isinstance(world.wait_for(), LeaseGivenUp)

    for left in (2, 1, 0):
        (key,) = world.complete_children()
        assert world.pass_on(key) is True
        assert world.x.public_state == ("suspended" if left else "resumable")

    assert world.event_names.count("signal resumed") == 1
    claimed = world.claim()
    assert claimed.claim_type == "resume"
    assert world.wait_for() == WaitOver((), "children")


def test_an_end_is_counted_once_however_often_it_is_passed_on() -> None:
    world = FamilyWorld()
    world.make(2)
    (key,) = world.complete_children()
    found = due_of(world.child(0))
    assert found is not None

    assert world.pass_on(key) is True
    assert world.pass_on(key) is False
    assert world.decide(PassOnEnd(world.x_id, key), HandleDue(found)) == [False, False]

    assert world.inbox.groups[0].succeeded == 1
    assert not world.child(0).unsettled


def test_many_ends_are_counted_in_one_batch() -> None:
    world = FamilyWorld()
    world.make(100)
    world.wait_for()
    keys = world.complete_children(100)

    assert world.decide(*(PassOnEnd(world.x_id, key) for key in keys)) == [True] * 100

    assert world.x.public_state == "resumable"
    assert world.event_names.count("signal resumed") == 1


def test_one_failure_ends_the_wait_and_the_others_go_on() -> None:
    world = FamilyWorld()
    world.make(3)
    world.wait_for()

    world.pass_on(world.fail_child())

    assert world.x.public_state == "resumable"
    assert [x.public_state for x in world.live] == ["waiting", "waiting"]
    assert (world.inbox.groups[0].succeeded, world.inbox.groups[0].failed) == (0, 1)


def test_a_wait_for_all_ends_goes_on_after_a_failure() -> None:
    world = FamilyWorld()
    world.make(2)
    world.wait_for(all_ended=True)

    world.pass_on(world.fail_child())
    assert world.x.public_state == "suspended"
    world.pass_on(*world.complete_children())

    assert world.x.public_state == "resumable"


def test_a_wait_is_over_at_once_if_all_children_have_ended_before() -> None:
    world = FamilyWorld()
    world.make(1)
    world.pass_on(*world.complete_children())

    assert world.wait_for() == WaitOver((), "children")
    assert world.x.public_state == "active"


def test_a_worker_that_lingers_hears_that_its_children_have_ended() -> None:
    world = FamilyWorld()
    world.make(1)
    assert isinstance(world.wait_for(suspends=False), WaitBegun)

    world.pass_on(*world.complete_children())

    assert world.inbox.unanswered == ("wait",)
    assert world.wait_for(suspends=False) == WaitOver((), "children")
    assert world.inbox.unanswered == ()


def test_another_wait_that_is_over_keeps_the_lease() -> None:
    world = FamilyWorld()
    world.make(1)
    world.wait_for(suspends=False)
    world.pass_on(*world.complete_children())

    assert world.suspend("editor") == AlreadySatisfied("another_wait_is_over")


def test_a_wait_for_two_groups_needs_both() -> None:
    world = FamilyWorld()
    world.make(1)
    world.make(1, "image")
    world.wait_for("page", "image")

    keys = world.complete_children(2)
    world.pass_on(keys[0])
    assert world.x.public_state == "suspended"
    world.pass_on(keys[1])

    assert world.x.public_state == "resumable"


def test_an_operator_and_a_timeout_end_a_wait_for_children() -> None:
    world = FamilyWorld()
    world.make(1)
    world.wait_for()
    world.resume()
    world.claim()
    over = world.wait_for()
    assert over.cause == "operator"

    world.wait_for(wait="again")
    world.pass_on(*world.complete_children())

    assert world.x.public_state == "resumable"


def test_a_parent_forgets_groups_that_have_succeeded_once_it_has_many() -> None:
    world = FamilyWorld()
    for number in range(GROUPS_KEPT + 10):
        world.make(1, f"page {number}")
        world.pass_on(*world.complete_children())

    assert len(world.inbox.groups) < GROUPS_KEPT
    assert world.inbox.children == GROUPS_KEPT + 10
    assert world.make(1, "page 0") == [Duplicate(world.id_of(0, "page 0"))]
    assert world.wait_for("page 0", "page 1") == WaitOver((), "children")


# ── ends of parents ──────────────────────────────────────────────────────────────────────────────


def test_the_cancel_of_a_parent_reaches_its_children() -> None:
    world = FamilyWorld()
    world.make(3)
    world.complete_children()
    world.wait_for()
    world.cancel()
    assert world.x.unsettled

    world.settle()

    assert world.live == []
    states = [world.child(index).public_state for index in range(3)]
    assert sorted(states) == ["cancelled", "cancelled", "completed"]
    cancelled = next(x for x in map(world.child, range(3)) if x.public_state == "cancelled")
    assert (cancelled.cancellation_reason, cancelled.cancelled_by) == ("parent_cancelled", "engine")


def test_a_running_child_of_a_cancelled_parent_loses_its_lease() -> None:
    world = FamilyWorld()
    world.make(1)
    (fence,) = world.claim_children()
    world.cancel()
    world.settle()

    with pytest.raises(ExecutionNotActive):
        world.one(Complete(fence, None))


def test_a_parent_that_fails_for_good_cancels_its_children() -> None:
    world = FamilyWorld()
    world.make(2)
    world.fail(retryable=False)
    world.settle()

    assert world.live == []
    assert world.child(0).cancellation_reason == "parent_failed"


def test_a_parent_that_is_retried_keeps_its_children() -> None:
    world = FamilyWorld()
    world.make(2)
    world.fail()
    world.settle()

    assert len(world.live) == 2


def test_the_deadline_of_a_parent_reaches_its_children() -> None:
    world = FamilyWorld(deadline_at_ms=FamilyWorld().now_ms + 1_000)
    world.make(2)
    world.wait_for()
    world.advance(1_000)
    world.sweep()
    world.settle()

    assert world.x.public_state == "expired"
    assert [world.child(index).cancellation_reason for index in range(2)] == ["parent_expired"] * 2


def test_children_of_a_parent_that_completes_go_on() -> None:
    world = FamilyWorld()
    world.make(2)
    world.complete()

    assert not world.x.unsettled
    assert len(world.live) == 2


def test_a_cancel_reaches_grandchildren() -> None:
    world = FamilyWorld()
    world.make(1)
    (fence,) = world.claim_children()
    world.one(CreateChildren(fence, "part", tuple(a_child(lane="deep") for _ in range(3))))
    assert [x.depth for x in world.live] == [1, 2, 2, 2]

    world.cancel()
    world.settle()

    assert world.live == []


def test_a_cancel_takes_so_many_children_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "CASCADE_MAX", 2)
    world = FamilyWorld()
    world.make(5)
    world.cancel()

    world.pass_on(world.x_id)
    assert len(world.live) == 3
    assert world.x.unsettled
    world.settle()

    assert world.live == []
    assert not world.x.unsettled


def test_an_execution_stays_until_its_end_has_been_passed_on() -> None:
    world = FamilyWorld()
    world.make(1)
    (key,) = world.complete_children()
    world.advance(1_000)
    purge = PurgeExecution(key, world.now_ms)

    assert world.one(purge) is False
    world.pass_on(key)
    assert world.one(purge) is True


def test_an_end_is_passed_on_after_its_parent_is_gone() -> None:
    world = FamilyWorld(policy=ExecutionPolicy(retention_ms=0))
    world.make(1)
    world.complete()
    world.sweep_retention()
    (fence,) = world.claim_children()
    world.one(Complete(fence, None))

    assert world.pass_on(fence.execution_id) is True


# ── replays ──────────────────────────────────────────────────────────────────────────────────────


def test_a_kept_replay_brings_back_children_that_did_not_succeed() -> None:
    world = FamilyWorld()
    world.make(3)
    world.pass_on(*world.complete_children())
    world.pass_on(world.fail_child())
    world.fail(retryable=False)
    world.settle()
    states = [world.child(index).public_state for index in range(3)]
    assert states == ["completed", "failed", "cancelled"]

    world.replay()
    world.claim()
    answers = world.make(3)

    assert answers == [Duplicate(world.id_of(index)) for index in range(3)]
    assert [world.child(index).public_state for index in range(3)] == ["completed", "waiting", "waiting"]
    assert (world.inbox.groups[0].succeeded, world.inbox.groups[0].failed) == (1, 0)


def test_a_wait_that_ended_before_a_kept_replay_waits_anew() -> None:
    world = FamilyWorld()
    world.make(1)
    world.wait_for()
    world.pass_on(world.fail_child())
    world.claim()
    assert world.wait_for() == WaitOver((), "children")
    world.fail(retryable=False)
    world.settle()
    world.replay()
    world.claim()
    world.make(1)

    assert isinstance(world.wait_for(), LeaseGivenUp)
    world.pass_on(*world.complete_children())

    assert world.x.public_state == "resumable"


def test_a_retry_finds_the_failure_of_its_child_again() -> None:
    world = FamilyWorld()
    world.make(1)
    world.wait_for()
    world.pass_on(world.fail_child())
    world.claim()
    world.fail()
    world.advance(10_000)
    world.sweep()
    world.claim()

    assert world.make(1) == [Duplicate(world.id_of(0))]
    assert world.wait_for() == WaitOver((), "children")
    assert world.child(0).public_state == "failed"


def test_a_replay_from_scratch_cancels_live_children_and_makes_its_own() -> None:
    world = FamilyWorld()
    world.make(2)
    former = [world.id_of(index) for index in range(2)]
    world.complete()

    world.replay()
    world.settle()
    assert world.live == []
    world.claim()
    answers = world.make(2)

    assert [type(each) for each in answers] == [Created, Created]
    assert {each.execution_id for each in answers}.isdisjoint(former)
    assert world.inbox.children == 2


def test_a_child_of_a_former_life_is_not_counted() -> None:
    world = FamilyWorld()
    world.make(1)
    (fence,) = world.claim_children()
    world.one(Complete(fence, None))
    world.complete()
    world.replay()
    world.claim()
    world.make(1)

    assert world.pass_on(fence.execution_id) is True
    assert world.inbox.groups[0] == ChildGroup("page", 1, world.inbox.groups[0].kinds)


def test_the_replay_of_a_child_takes_its_end_back() -> None:
    world = FamilyWorld()
    world.make(2)
    world.wait_for(all_ended=True)
    key = world.fail_child()
    world.pass_on(key)
    assert world.inbox.groups[0].failed == 1

    world.replay_child(key)

    assert world.inbox.groups[0].failed == 0
    for done in world.complete_children(2):
        world.pass_on(done)
    assert world.x.public_state == "resumable"
    assert world.inbox.groups[0].succeeded == 2


def test_the_replay_of_a_child_whose_end_is_not_passed_on_counts_one_end() -> None:
    world = FamilyWorld()
    world.make(1)
    key = world.fail_child()
    world.replay_child(key)
    assert world.pass_on(key) is False
    world.pass_on(*world.complete_children())

    assert (world.inbox.groups[0].succeeded, world.inbox.groups[0].failed) == (1, 0)


def test_an_end_that_is_passed_on_after_a_kept_replay_is_counted_once() -> None:
    world = FamilyWorld()
    world.make(2)
    (key,) = world.complete_children()
    world.fail(retryable=False)
    world.replay()
    world.claim()

    world.make(2)
    assert world.inbox.groups[0].succeeded == 0
    world.pass_on(key)

    assert world.inbox.groups[0].succeeded == 1
    assert world.live == [world.child(1)]
