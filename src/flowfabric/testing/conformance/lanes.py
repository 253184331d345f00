"""Lanes: a paused one hands out nothing, all else goes on, and a resume brings back what waited, in its order."""

from typing import Any

import pytest

from flowfabric import BlockingEngine, LanePaused, LaneResumed, ManualClock
from flowfabric.testing.conformance.flow_stage import graph_of
from flowfabric.testing.conformance.stage import (
    RETRIED,
    claim,
    claim_ids,
    create,
    log,
    look,
    start,
    story,
    unchanged,
)


def lane_events(engine: BlockingEngine, **filters: Any) -> list[tuple[str, int, dict[str, object]]]:
    """The type, number and details of what operators did to lanes."""
    found = log(engine, channels=["operator"], **filters)
    assert all((event.execution_id, event.flow_id) == (None, None) for event in found)
    return [(event.event_type, event.seq, dict(event.details)) for event in found]


# ── pausing ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("lanes", [["mail"], ["mail", "default"], ["default", "mail", "print"]])
@pytest.mark.parametrize("limit", [1, 2, 1000])
def test_nothing_is_claimed_from_a_paused_lane(
    engine: BlockingEngine, clock: ManualClock, lanes: list[str], limit: int
) -> None:
    for _ in range(3):
        create(engine, lane="mail", priority=9)
    others = [create(engine, lane=lane) for lane in ("default", "print")]
    engine.pause_lane("mail")

    claimed = claim_ids(engine, lanes=lanes, limit=limit)

    served = [key for key, lane in zip(others, ("default", "print"), strict=True) if lane in lanes]
    assert claimed == served[:limit]


def test_what_needs_capabilities_is_not_claimed_from_a_paused_lane(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, lane="mail", required_capabilities=["gpu"])
    create(engine, lane="mail")
    engine.pause_lane("mail")

    assert claim_ids(engine, lanes=["mail"], capabilities=["gpu"]) == []


def test_an_execution_that_was_claimed_before_goes_on(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.pause_lane("default")

    engine.renew(lease)
    engine.progress(lease, percent=50)
    engine.record_step(lease, "charge", b"paid")
    engine.complete(lease, b"done")

    assert look(engine, lease.execution_id).public_state == "completed"


def test_what_comes_into_a_paused_lane_waits_there(engine: BlockingEngine, clock: ManualClock) -> None:
    retried, revoked, released = (start(engine, policy=RETRIED) for _ in range(3))
    delayed = create(engine, delay_until_ms=clock.now_ms + 10)
    engine.pause_lane("default")
    created = create(engine)
    engine.fail(retried, code="boom", retry_after_ms=10)
    engine.revoke_lease(revoked.execution_id)
    engine.release(released)
    clock.advance(10)
    engine.reconcile()

    waiting = [created, delayed, *(lease.execution_id for lease in (retried, revoked, released))]
    assert {look(engine, key).public_state for key in waiting} == {"waiting"}
    assert claim_ids(engine) == []


def test_flows_go_on_around_a_paused_lane(engine: BlockingEngine, clock: ManualClock) -> None:
    graph = graph_of("")
    graph.edge(graph.node("first", "job"), graph.node("second", "job", lane="mail"))
    members = engine.submit_flow(graph).execution_ids
    engine.pause_lane("mail")

    engine.complete(claim(engine).lease)

    assert look(engine, members["second"]).public_state == "waiting"
    assert claim_ids(engine, lanes=["mail", "default"]) == []


def test_a_pause_changes_nothing_about_the_executions(engine: BlockingEngine, clock: ManualClock) -> None:
    waiting = create(engine)
    before = look(engine, waiting)

    engine.pause_lane("default", reason="the printer burns")

    assert look(engine, waiting) == before
    assert story(engine, waiting) == []


def test_whoever_is_paused_may_still_be_operated_on(engine: BlockingEngine, clock: ManualClock) -> None:
    moved, held, cancelled = (create(engine) for _ in range(3))
    engine.pause_lane("default")

    engine.change_priority(moved, 5)
    engine.hold(held)
    engine.cancel_execution(cancelled, reason="enough")
    engine.resume_lane("default")

    assert claim_ids(engine) == [moved]


def test_pausing_twice_keeps_the_first_moment_and_reason(engine: BlockingEngine, clock: ManualClock) -> None:
    first = engine.pause_lane("mail", reason="the server is moved")
    clock.advance(5)

    with unchanged(engine):
        second = engine.pause_lane("mail", reason="another reason")

    assert first == second == LanePaused("mail", "default", clock.now_ms - 5, "the server is moved")


# ── resuming ─────────────────────────────────────────────────────────────────────────────────────


def test_a_resumed_lane_hands_out_what_waited_in_its_order(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.pause_lane("mail")
    made = []
    for priority in (0, 5, 0):
        made.append(create(engine, lane="mail", priority=priority))
        clock.advance(1)
    assert claim_ids(engine, lanes=["mail"]) == []

    engine.resume_lane("mail")

    assert claim_ids(engine, lanes=["mail"]) == [made[1], made[0], made[2]]


def test_a_resume_says_since_when_the_lane_was_paused(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = engine.pause_lane("mail")
    clock.advance(5)

    resumed = engine.resume_lane("mail")
    again = engine.resume_lane("mail")

    assert resumed == LaneResumed("mail", "default", paused.paused_at_ms)
    assert again == LaneResumed("mail", "default", None)


def test_a_lane_that_was_never_paused_can_be_resumed(engine: BlockingEngine, clock: ManualClock) -> None:
    with unchanged(engine):
        answer = engine.resume_lane("mail")

    assert answer == LaneResumed("mail", "default", None)


def test_a_lane_can_be_paused_anew(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.pause_lane("mail", reason="first")
    engine.resume_lane("mail")
    clock.advance(5)
    create(engine, lane="mail")

    paused = engine.pause_lane("mail", reason="second")

    assert paused == LanePaused("mail", "default", clock.now_ms, "second")
    assert claim_ids(engine, lanes=["mail"]) == []


# ── what is told ─────────────────────────────────────────────────────────────────────────────────


def test_every_change_of_a_lane_is_in_the_log(engine: BlockingEngine, clock: ManualClock) -> None:
    since_ms = engine.pause_lane("mail", reason="the server is moved").paused_at_ms
    engine.pause_lane("mail")
    engine.resume_lane("mail")
    engine.resume_lane("mail")
    engine.pause_lane("print")
    engine.pause_lane("mail")

    assert lane_events(engine) == [
        ("lane_paused", 1, {"lane": "mail", "reason": "the server is moved"}),
        ("lane_resumed", 2, {"lane": "mail", "paused_since_ms": since_ms}),
        ("lane_paused", 1, {"lane": "print", "reason": ""}),
        ("lane_paused", 3, {"lane": "mail", "reason": ""}),
    ]


def test_the_same_lane_of_another_namespace_is_another_lane(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, namespace="tenant-a")
    free = create(engine, namespace="tenant-b")
    tenant = engine.scoped("tenant-a")

    tenant.pause_lane("default")
    engine.pause_lane("mail", namespace="tenant-b")

    assert claim_ids(engine, namespace="tenant-a") == []
    assert claim_ids(engine, namespace="tenant-b") == [free]
    assert [event for event, *_ in lane_events(tenant)] == ["lane_paused"]
    assert engine.scoped("tenant-b").resume_lane("default").paused_since_ms is None
    assert claim_ids(tenant) == []


def test_lanes_that_differ_in_case_are_different(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, lane="Mail")

    engine.pause_lane("mail")

    assert claim_ids(engine, lanes=["mail", "Mail"]) == [execution_id]


def test_explain_names_the_paused_lane(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, lane="mail")
    engine.pause_lane("mail", reason="the server is moved")
    clock.advance(5)

    paused = engine.explain(execution_id)
    engine.resume_lane("mail")

    assert paused == (
        "Lane 'mail' in namespace 'default' has been paused for 5 ms: the server is moved. "
        "Resume the lane to let it run."
    )
    assert engine.explain(execution_id) == "It waits for a worker that serves lane 'mail' in namespace 'default'."
