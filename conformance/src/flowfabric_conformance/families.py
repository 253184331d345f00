"""Children: an attempt makes them once, their ends resume their parent once, and its end reaches them."""

from typing import Any, Final

import pytest

from flowfabric import (
    BlockingEngine,
    Claimed,
    Conflict,
    Created,
    Duplicate,
    ExecutionPolicy,
    ExecutionSnapshot,
    FlowGraph,
    InvalidInput,
    Lease,
    ManualClock,
    NewChild,
    Page,
    Suspended,
    WaitOver,
)
from flowfabric.domain.children import Children
from flowfabric_conformance.stage import claim, look, refused, vector
from flowfabric_conformance.wait_stage import ACTIVE, RESUMABLE, SUSPENDED, over, resumed, started

LANE: Final = "children"


def listed(page: Page) -> list[str]:
    """The ids on one page of a list of executions."""
    return [each.execution_id for each in page.items if isinstance(each, ExecutionSnapshot)]


def children(number: int, kind: str = "page", **what: Any) -> list[NewChild]:
    return [NewChild(kind=kind, payload=b"%d" % index, lane=LANE, **what) for index in range(number)]


def make(engine: BlockingEngine, lease: Lease, number: int, name: str = "page", **what: Any) -> list[str]:
    """The ids of new children, in the order of their items."""
    answers = engine.create_children(lease, name, children(number, **what))
    assert [type(each) for each in answers] == [Created] * number
    return [each.execution_id for each in answers]


def suspend(engine: BlockingEngine, lease: Lease, *names: str, all_ended: bool = False) -> None:
    answer = engine.suspend(lease, "wait", Children(names or ("page",), all_ended))
    assert answer == Suspended(lease.execution_id, ())


def claim_child(engine: BlockingEngine) -> Claimed:
    return claim(engine, lanes=[LANE])


def complete(engine: BlockingEngine, number: int = 1) -> None:
    """Let so many children complete, and pass their ends on."""
    for _ in range(number):
        engine.complete(claim_child(engine).lease, b"done")
    engine.reconcile()


def test_children_are_executions_with_a_parent(engine: BlockingEngine) -> None:
    lease = started(engine)

    ids = make(engine, lease, 3, priority=7, tags={"test.of": "it"}, policy=ExecutionPolicy(max_replays=5))

    assert ids == sorted(ids)
    found = look(engine, ids[1])
    assert (found.parent_id, found.kind, found.lane, found.priority) == (lease.execution_id, "page", LANE, 7)
    assert (found.tags, found.flow_id, found.public_state) == ({"test.of": "it"}, None, "waiting")
    assert look(engine, lease.execution_id).parent_id is None
    claimed = claim_child(engine)
    assert (claimed.execution_id, claimed.payload) == (ids[0], b"0")


def test_every_attempt_makes_the_same_children(engine: BlockingEngine) -> None:
    lease = started(engine)
    ids = make(engine, lease, 3)
    engine.release(lease)
    lease = claim(engine).lease

    again = engine.create_children(lease, "page", children(3))

    assert again == [Duplicate(each) for each in ids]
    assert listed(engine.list_children(lease.execution_id)) == ids
    with refused(engine, Conflict):
        engine.create_children(lease, "page", children(2))
    with refused(engine, Conflict):
        engine.create_children(lease, "page", children(3, "image"))


def test_children_are_listed_in_pages(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    ids = make(engine, lease, 3)
    clock.advance(1_000)
    ids += make(engine, lease, 4, "image")
    found: list[str] = []
    cursor = None
    while True:
        page = engine.list_children(lease.execution_id, cursor=cursor, limit=2)
        found += listed(page)
        cursor = page.next_cursor
        if cursor is None:
            break

    assert found == ids
    assert engine.list_children(ids[0]).items == []


def test_a_call_makes_a_thousand_children_and_no_more(engine: BlockingEngine) -> None:
    lease = started(engine)

    with refused(engine, InvalidInput):
        engine.create_children(lease, "more", children(1_001))
    assert len(set(make(engine, lease, 1_000))) == 1_000
    assert engine.create_children(lease, "none", []) == []


def test_the_last_end_of_a_group_resumes_its_parent(engine: BlockingEngine) -> None:
    lease = started(engine)
    make(engine, lease, 3)
    suspend(engine, lease)

    complete(engine, 2)
    assert vector(engine, lease.execution_id) == SUSPENDED
    complete(engine)

    resumed(engine, lease.execution_id)
    assert over(engine, lease.execution_id) == WaitOver((), "children")


def test_many_ends_of_a_group_resume_its_parent(engine: BlockingEngine) -> None:
    lease = started(engine)
    make(engine, lease, 40)
    suspend(engine, lease)
    claimed = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=[LANE], limit=40)
    assert len(claimed) == 40

    engine.complete_all([(each.lease, None) for each in claimed])
    engine.reconcile()

    assert vector(engine, lease.execution_id) == RESUMABLE


@pytest.mark.parametrize("all_ended", [False, True])
def test_a_failure_resumes_the_parent_unless_it_waits_for_all(engine: BlockingEngine, all_ended: bool) -> None:
    lease = started(engine)
    make(engine, lease, 2)
    suspend(engine, lease, all_ended=all_ended)

    engine.fail(claim_child(engine).lease, code="boom", message="it broke", retryable=False)
    engine.reconcile()
    assert vector(engine, lease.execution_id) == (SUSPENDED if all_ended else RESUMABLE)
    complete(engine)

    assert vector(engine, lease.execution_id) == RESUMABLE


def test_children_that_have_ended_before_need_no_wait(engine: BlockingEngine) -> None:
    lease = started(engine)
    make(engine, lease, 1)
    complete(engine)

    assert engine.suspend(lease, "wait", Children(("page",))) == WaitOver((), "children")
    assert vector(engine, lease.execution_id) == ACTIVE


def test_ends_are_read_together_with_their_results(engine: BlockingEngine) -> None:
    lease = started(engine)
    ids = make(engine, lease, 3)
    engine.complete(claim_child(engine).lease, b"first")
    engine.fail(claim_child(engine).lease, code="boom", message="it broke", retryable=False)

    ends = engine.get_ends([ids[1], ids[2], ids[0]])

    assert [None if each is None else each.result for each in ends] == [None, None, b"first"]
    failed = ends[0]
    assert failed is not None
    assert failed.execution.failure is not None
    assert failed.execution.failure.code == "boom"


@pytest.mark.parametrize("how", ["cancel", "fail", "deadline"])
def test_the_end_of_a_parent_reaches_its_children(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    deadline_at_ms = engine.server_time_ms() + 1_000 if how == "deadline" else None
    lease = started(engine, deadline_at_ms=deadline_at_ms)
    ids = make(engine, lease, 3)
    running = claim_child(engine)
    below = engine.create_children(running.lease, "part", [NewChild(kind="part", lane="deep")])
    complete(engine)

    if how == "cancel":
        suspend(engine, lease)
        engine.cancel_execution(lease.execution_id, reason="not wanted")
    elif how == "fail":
        engine.fail(lease, code="boom", message="it broke", retryable=False)
    else:
        clock.advance(1_000)
    for _ in range(4):
        engine.reconcile()

    assert [look(engine, each).public_state for each in ids] == ["cancelled", "completed", "cancelled"]
    assert look(engine, below[0].execution_id).public_state == "cancelled"
    word = {"cancel": "cancelled", "fail": "failed", "deadline": "expired"}[how]
    assert look(engine, ids[0]).cancellation_reason == f"parent_{word}"


def test_a_kept_replay_brings_back_what_did_not_succeed(engine: BlockingEngine) -> None:
    lease = started(engine)
    ids = make(engine, lease, 3)
    suspend(engine, lease)
    complete(engine)
    engine.fail(claim_child(engine).lease, code="boom", message="it broke", retryable=False)
    engine.reconcile()
    lease = resumed(engine, lease.execution_id).lease
    engine.fail(lease, code="child", message="a child failed", retryable=False)
    for _ in range(3):
        engine.reconcile()
    assert [look(engine, each).public_state for each in ids] == ["completed", "failed", "cancelled"]

    engine.replay_execution(lease.execution_id)
    lease = claim(engine).lease
    assert engine.create_children(lease, "page", children(3)) == [Duplicate(each) for each in ids]
    assert [look(engine, each).public_state for each in ids] == ["completed", "waiting", "waiting"]
    suspend(engine, lease)
    complete(engine, 2)

    resumed(engine, lease.execution_id)


def test_a_replay_from_scratch_makes_its_own_children(engine: BlockingEngine) -> None:
    lease = started(engine)
    former = make(engine, lease, 2)
    engine.complete(lease)

    engine.replay_execution(lease.execution_id)
    assert [look(engine, each).cancellation_reason for each in former] == ["parent_replayed"] * 2
    lease = claim(engine).lease
    ids = make(engine, lease, 2)

    assert set(ids).isdisjoint(former)
    assert len(engine.list_children(lease.execution_id).items) == 4


def test_the_replay_of_a_child_counts_once(engine: BlockingEngine) -> None:
    lease = started(engine)
    ids = make(engine, lease, 2)
    suspend(engine, lease, all_ended=True)
    engine.fail(claim_child(engine).lease, code="boom", message="it broke", retryable=False)
    engine.reconcile()

    engine.replay_execution(ids[0])
    complete(engine)
    assert vector(engine, lease.execution_id) == SUSPENDED
    complete(engine)

    assert vector(engine, lease.execution_id) == RESUMABLE


# ── members of flows ─────────────────────────────────────────────────────────────────────────────


def test_a_member_of_a_flow_is_resumed_by_its_children(engine: BlockingEngine) -> None:
    graph = FlowGraph("crawl")
    graph.node("list", kind="list", priority=9000)
    graph.node("after", kind="after")
    graph.edge("list", "after")
    flow = engine.submit_flow(graph)
    lease = claim(engine).lease
    assert lease.execution_id == flow.execution_ids["list"]
    make(engine, lease, 2)
    suspend(engine, lease)
    complete(engine)
    assert vector(engine, lease.execution_id) == SUSPENDED
    complete(engine)

    engine.complete(resumed(engine, lease.execution_id).lease)

    assert claim(engine).execution_id == flow.execution_ids["after"]


def test_the_cancel_of_a_flow_reaches_the_children_of_its_members(engine: BlockingEngine) -> None:
    graph = FlowGraph("crawl")
    graph.node("list", kind="list")
    flow = engine.submit_flow(graph)
    lease = claim(engine).lease
    ids = make(engine, lease, 2)
    running = claim_child(engine)

    engine.cancel_flow(flow.flow_id, reason="not wanted")
    for _ in range(3):
        engine.reconcile()

    assert [look(engine, each).public_state for each in ids] == ["cancelled"] * 2
    assert look(engine, running.execution_id).cancellation_reason == "parent_cancelled"
