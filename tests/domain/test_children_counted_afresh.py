"""A kept replay of a parent counts its children afresh: what was stored about their former ends is of no use then."""

from flowfabric.domain.commands import Release
from flowfabric.domain.outcomes import LeaseGivenUp, Resumed, WaitOver
from tests.domain.family_world import FamilyWorld


def test_an_end_after_a_kept_replay_is_known_to_all_later_attempts() -> None:
    world = FamilyWorld()
    world.make(1)
    world.wait_for()
    world.pass_on(world.fail_child())
    world.claim()
    world.wait_for()
    world.fail(retryable=False)
    world.settle()
    world.replay()
    world.claim()
    world.make(1)
    assert isinstance(world.wait_for(), LeaseGivenUp)
    world.pass_on(*world.complete_children())
    resumed = _resumes(world)

    for _ in range(2):
        world.claim()
        world.make(1)
        assert world.wait_for() == WaitOver((), "children")
        world.one(Release(world.fence))

    assert _resumes(world) == resumed, "the wait has ended once"


def test_the_signal_of_an_operator_who_ended_the_wait_goes_with_its_end() -> None:
    world = FamilyWorld()
    world.make(1)
    world.wait_for()
    assert isinstance(world.resume(), Resumed)
    world.claim()
    over = world.wait_for()
    assert isinstance(over, WaitOver)
    assert over.cause == "operator"
    world.fail(retryable=False)
    world.settle()
    world.replay()
    world.claim()
    world.make(1)

    assert isinstance(world.wait_for(), LeaseGivenUp)

    assert world.signals == []
    world.pass_on(*world.complete_children())
    assert world.x.public_state == "resumable"


def test_a_child_may_be_replayed_after_the_end_of_its_parent() -> None:
    world = FamilyWorld()
    world.make(1)
    world.fail(retryable=False)
    world.settle()

    world.replay_child(world.id_of(0))

    assert world.child(0).public_state == "waiting"
    world.pass_on(*world.complete_children())
    assert world.child(0).public_state == "completed"
    assert world.x.public_state == "failed"


def _resumes(world: FamilyWorld) -> int:
    return sum(event.event_type == "resumed" for event in world.events)
