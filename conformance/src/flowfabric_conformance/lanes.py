"""Lanes: a paused one hands out nothing, all else goes on, a resume brings it back; and what they hold is counted."""

from typing import Any, get_args

import pytest

from flowfabric import (
    BlockingEngine,
    ExecutionPolicy,
    Kept,
    LanePaused,
    LaneResumed,
    LaneSnapshot,
    LogExtent,
    ManualClock,
    PublicState,
    RetryPolicy,
)
from flowfabric_conformance.flow_stage import graph_of, submit
from flowfabric_conformance.stage import (
    ENDED,
    LIVE,
    RETRIED,
    an_execution,
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


# ── what lanes hold ──────────────────────────────────────────────────────────────────────────────


def lanes_of(engine: BlockingEngine, **filters: Any) -> dict[tuple[str, str], LaneSnapshot]:
    """The listed lanes by namespace and name."""
    listed = engine.list_lanes(**filters)
    assert [(lane.namespace, lane.lane) for lane in listed] == sorted((lane.namespace, lane.lane) for lane in listed)
    return {(lane.namespace, lane.lane): lane for lane in listed}


def test_an_empty_store_has_no_lanes(engine: BlockingEngine, clock: ManualClock) -> None:
    assert engine.list_lanes() == []


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ("waiting", "waiting"),
        ("interrupted", "waiting"),
        ("delayed", "delayed"),
        ("retrying", "delayed"),
        ("active", "active"),
        ("blocked", "blocked"),
        ("held", "blocked"),
    ],
)
def test_a_lane_counts_what_it_holds_by_where_it_stands(
    engine: BlockingEngine, clock: ManualClock, state: str, place: str
) -> None:
    an_execution(state, engine, clock)

    lane = lanes_of(engine)["default", "default"]

    held = {name: getattr(lane, name) for name in ("waiting", "delayed", "active", "blocked")}
    assert {name: count for name, count in held.items() if count} == {place: 1}


@pytest.mark.parametrize("state", ENDED)
def test_what_has_ended_is_counted_for_a_minute(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    an_execution(state, engine, clock)

    just_now = lanes_of(engine)["default", "default"]
    clock.advance(59_999)
    within = lanes_of(engine)["default", "default"]
    clock.advance(1)

    assert just_now.ended_last_minute == within.ended_last_minute == 1
    assert (just_now.waiting, just_now.delayed, just_now.active, just_now.blocked) == (0, 0, 0, 0)
    assert ("default", "default") not in lanes_of(engine)


def test_a_lane_says_since_when_its_oldest_waits(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, delay_until_ms=clock.now_ms + 100_000)
    started_at = clock.now_ms
    for priority in (0, 5):
        create(engine, priority=priority)
        clock.advance(10)

    assert lanes_of(engine)["default", "default"].oldest_ready_at_ms == started_at
    claim_ids(engine)
    assert lanes_of(engine)["default", "default"].oldest_ready_at_ms is None


def test_a_lane_counts_the_workers_that_live_and_serve_it(engine: BlockingEngine, clock: ManualClock) -> None:
    for name, lanes in (("w1", ["mail"]), ("w2", ["mail", "print"]), ("w3", ["mail"])):
        engine.heartbeat(worker_id="w", worker_instance_id=name, lanes=lanes, ttl_ms=1_000 if name == "w3" else 9_000)
    clock.advance(1_000)

    served = {lane: snapshot.live_workers for (_, lane), snapshot in lanes_of(engine).items()}

    assert served == {"mail": 2, "print": 1}


def test_a_paused_lane_is_listed_while_it_is_paused(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.pause_lane("mail", reason="the server is moved")

    paused = lanes_of(engine)["default", "mail"]
    engine.resume_lane("mail")

    assert (paused.is_paused, paused.paused_at_ms, paused.pause_reason) == (True, clock.now_ms, "the server is moved")
    assert engine.list_lanes() == []


def test_a_lane_that_was_resumed_is_not_paused(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, lane="mail")
    engine.pause_lane("mail", reason="the server is moved")
    engine.resume_lane("mail")

    lane = lanes_of(engine)["default", "mail"]

    assert (lane.is_paused, lane.paused_at_ms, lane.pause_reason) == (False, None, "")


def test_lanes_of_several_namespaces_are_told_apart(engine: BlockingEngine, clock: ManualClock) -> None:
    for namespace in ("tenant-b", "tenant-a"):
        create(engine, namespace=namespace)
        engine.pause_lane("mail", namespace=namespace)
        engine.heartbeat(worker_id="w", worker_instance_id="w1", lanes=["print"], namespace=namespace)
        engine.cancel_execution(create(engine, namespace=namespace, lane="old"), reason="enough")
    of_tenant = [("tenant-a", lane) for lane in ("default", "mail", "old", "print")]

    assert list(lanes_of(engine)) == [*of_tenant, *(("tenant-b", lane) for _, lane in of_tenant)]
    assert list(lanes_of(engine, namespace="tenant-a")) == of_tenant
    assert engine.scoped("tenant-a").list_lanes() == engine.list_lanes(namespace="tenant-a")


# ── all of it in numbers ─────────────────────────────────────────────────────────────────────────


def test_an_empty_store_counts_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    stats = engine.stats()

    assert set(stats.executions) == set(get_args(PublicState))
    assert set(stats.flows) == {"open", "running", "completed", "failed", "cancelled"}
    assert sum(stats.executions.values()) == sum(stats.flows.values()) == stats.live_workers == 0
    assert (stats.oldest_ready_at_ms, stats.pending_cancel_acks, stats.log) == (None, 0, None)
    assert stats.kept == Kept()


@pytest.mark.parametrize("state", [*LIVE, *ENDED])
def test_executions_are_counted_by_public_state(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    counted = engine.stats().executions

    assert counted == {public: engine.count_executions(public_state=public) for public in get_args(PublicState)}
    assert counted[look(engine, execution_id).public_state] == 1


def test_flows_and_what_they_wait_for_are_counted(engine: BlockingEngine, clock: ManualClock) -> None:
    submit(engine, "a>b")
    submit(engine, "x").complete("x")
    cancelled = submit(engine, "c d")
    cancelled.start("c")
    cancelled.start("d")
    engine.cancel_flow(cancelled.flow_id, reason="enough")

    stats = engine.stats()
    engine.ack_cancel_member(cancelled.flow_id, cancelled["c"])

    assert {state: count for state, count in stats.flows.items() if count} == {
        "open": 1,
        "completed": 1,
        "cancelled": 1,
    }
    assert (stats.pending_cancel_acks, engine.stats().pending_cancel_acks) == (2, 1)


def test_the_extent_of_the_log_is_told(engine: BlockingEngine, clock: ManualClock) -> None:
    first = start(engine)
    clock.advance(5)
    engine.complete(first)

    log_extent = engine.stats().log

    events = log(engine)
    assert log_extent == LogExtent(events[0].event_id, clock.now_ms - 5, events[-1].event_id, clock.now_ms)


def test_the_oldest_that_waits_and_the_living_workers_are_told(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, lane="mail")
    engine.hold(create(engine))
    clock.advance(5)
    create(engine)
    for name, ttl_ms in (("w1", 1_000), ("w2", 9_000)):
        engine.heartbeat(worker_id="w", worker_instance_id=name, ttl_ms=ttl_ms)
    clock.advance(1_000)

    stats = engine.stats()

    assert (stats.oldest_ready_at_ms, stats.live_workers) == (clock.now_ms - 1_005, 1)


def test_what_has_ended_is_counted_by_whether_it_will_go(engine: BlockingEngine, clock: ManualClock) -> None:
    for retention_ms in (5_000, 9_000, None):
        policy = ExecutionPolicy(retention_ms=retention_ms, retry=RetryPolicy(max_retries=3))
        engine.cancel_execution(create(engine, policy=policy), reason="test")
        create(engine, policy=policy)
        dag = submit(engine, "a>b", nodes={name: {"policy": policy} for name in "ab"})
        engine.cancel_flow(dag.flow_id, reason="test")
    engine.create_flow("empty")
    clock.advance(1_000)
    like_the_first = ExecutionPolicy(retention_ms=5_000, retry=RetryPolicy(max_retries=3))
    engine.cancel_execution(create(engine, policy=like_the_first), reason="test")
    elsewhere = engine.scoped("tenant-a")
    elsewhere.cancel_execution(create(elsewhere, policy=ExecutionPolicy(retention_ms=100)), reason="test")

    assert elsewhere.stats().kept == Kept(1, 0, clock.now_ms + 100, 0, 0)
    assert engine.stats(namespace="default").kept == Kept(3, 2, clock.now_ms + 4_000, 1, 1)
    assert engine.stats().kept == Kept(4, 2, clock.now_ms + 100, 1, 1)
    clock.advance(4_000)
    engine.reconcile()
    assert engine.stats().kept == Kept(2, 1, clock.now_ms + 1_000, 1, 1)


def test_the_numbers_of_a_namespace_hold_nothing_foreign(engine: BlockingEngine, clock: ManualClock) -> None:
    scoped = engine.scoped("tenant-a")
    create(scoped)
    submit(scoped, "a")
    before = scoped.stats()
    create(engine)
    dag = submit(engine, "a")
    dag.start("a")
    engine.cancel_flow(dag.flow_id, reason="enough")
    engine.heartbeat(worker_id="w", worker_instance_id="w1")

    assert scoped.stats() == before == engine.stats(namespace="tenant-a")
    assert before.log is None
