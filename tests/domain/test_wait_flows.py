"""Members of flows that wait: the cancel of the flow, its end, and its replay."""

import pytest

from flowfabric.domain.commands import (
    AddDependency,
    CancelExecution,
    CancelFlow,
    Complete,
    ReplayFlow,
    SendSignal,
    Suspend,
)
from flowfabric.domain.conditions import On, stored
from flowfabric.domain.decide import ending
from flowfabric.domain.errors import ExecutionNotEligible
from flowfabric.domain.execution import due_of
from flowfabric.domain.flow import CancellationPolicy
from flowfabric.domain.joins import AnyOf
from flowfabric.domain.outcomes import FlowCancelled, LeaseGivenUp, Signalled
from tests.domain.flow_world import FLOW, World, edge, member, member_id, submission
from tests.domain.records import a_claim, fence_of


def _suspend(world: World, name: str, timeout_ms: int | None = None) -> Suspend:
    x = world.loaded.executions[member_id(name)]
    return Suspend(fence_of(x), "editor", stored(On("editor")), timeout_ms, None, "fail", "", "k1")


def _world(*names: str) -> World:
    """A flow of these members, all of them active."""
    world = World()
    world.decide(submission(map(member, names), []))
    for name in names:
        world.decide(a_claim(lanes=[name]))
    return world


def _cancel(world: World, policy: CancellationPolicy) -> object:
    (answer,) = world.decide(CancelFlow(FLOW, "enough", policy))
    return answer


def _x(world: World, name: str):
    return world.loaded.executions[member_id(name)]


def test_a_flow_cancel_ends_suspended_members_at_once_and_waits_for_no_worker():
    world = _world("a", "b")
    world.decide(_suspend(world, "a"))

    answer = _cancel(world, "cancel_all")

    assert isinstance(answer, FlowCancelled)
    assert set(answer.member_execution_ids) == {member_id("a"), member_id("b")}
    assert _x(world, "a").public_state == "cancelled"
    assert [key for _, key in world.loaded.acks] == [member_id("b")]
    assert world.broken == []


def test_a_suspended_member_counts_as_pending():
    world = _world("a", "b")
    world.decide(_suspend(world, "a"))

    _cancel(world, "cancel_pending")

    assert (_x(world, "a").public_state, _x(world, "b").public_state) == ("cancelled", "active")
    assert world.broken == []


def test_a_member_that_the_cancel_has_spared_cannot_fall_asleep():
    world = _world("a")
    _cancel(world, "cancel_pending")

    (answer,) = world.decide(_suspend(world, "a"))

    assert isinstance(answer, LeaseGivenUp)
    x = _x(world, "a")
    assert (x.public_state, x.cancelled_by) == ("cancelled", "cancel_flow")
    assert due_of(x) is None
    assert world.broken == []


def test_a_member_that_waits_keeps_its_flow_alive():
    world = _world("a")
    world.decide(_suspend(world, "a"))
    assert world.loaded.flows[FLOW].state == "running"
    world.decide(SendSignal(member_id("a"), "editor", b"", "", "", "", None, "k1"))
    world.decide(a_claim(lanes=["a"]))
    world.decide(Complete(fence_of(_x(world, "a")), None))

    assert world.loaded.flows[FLOW].state == "completed"
    assert world.broken == []


def test_a_join_cancels_a_suspended_upstream_that_nobody_needs():
    world = World()
    world.decide(submission(map(member, "abc"), [edge("a", "c"), edge("b", "c")], {"c": AnyOf()}))
    for name in "ab":
        world.decide(a_claim(lanes=[name]))
    world.decide(_suspend(world, "a"))

    world.decide(Complete(fence_of(_x(world, "b")), None))

    assert _x(world, "a").public_state == "cancelled"
    assert world.broken == []


def test_a_signal_to_a_member_that_is_about_to_live_again_brings_it_back(monkeypatch: pytest.MonkeyPatch):
    world = _world("a", "b")
    world.decide(_suspend(world, "a"))
    _cancel(world, "cancel_all")
    monkeypatch.setattr(ending, "CASCADE_MAX", 1)
    world.decide(ReplayFlow(FLOW, "all", None))
    (name,) = [name for name in "ab" if _x(world, name).coming_back is not None]

    (answer,) = world.decide(SendSignal(member_id(name), "editor", b"", "", "", "", None, "k1"))

    assert isinstance(answer, Signalled)
    assert _x(world, name).public_state == "waiting"
    assert world.broken == []


def test_a_resumable_member_may_get_another_upstream_and_is_skipped_with_it():
    world = World()
    world.decide(submission(map(member, "ab"), []))
    world.decide(a_claim(lanes=["b"]))
    world.decide(_suspend(world, "b"))
    (refused,) = world.decide(AddDependency(FLOW, edge("a", "b"), True, None))
    assert isinstance(refused, ExecutionNotEligible)
    world.decide(SendSignal(member_id("b"), "editor", b"", "", "", "", None, "k1"))
    world.decide(AddDependency(FLOW, edge("a", "b"), True, None))
    assert _x(world, "b").public_state == "waiting_children"

    world.decide(CancelExecution(member_id("a"), "no", "operator_override", None))

    assert _x(world, "b").public_state == "skipped"
    assert world.attempts[member_id("b"), 0].outcome == "skipped"
    assert world.broken == []


def test_a_replayed_flow_waits_anew():
    world = _world("a")
    world.decide(_suspend(world, "a"))
    _cancel(world, "cancel_all")

    world.decide(ReplayFlow(FLOW, "all", None))

    x = _x(world, "a")
    assert (x.public_state, x.inbox and x.inbox.life) == ("waiting", 1)
    assert world.broken == []
