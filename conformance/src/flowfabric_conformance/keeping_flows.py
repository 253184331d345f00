"""Keeping flows: one goes as a whole, once it is at rest and the member that is kept longest may go."""

from typing import Any

import pytest

from flowfabric import AnyOf, BlockingEngine, Created, ExecutionPolicy, ManualClock, NotFound
from flowfabric_conformance.flow_stage import create_flow, submit
from flowfabric_conformance.stage import create, listed, listed_flows, log, refused, unchanged

KEPT: dict[str, Any] = {"policy": ExecutionPolicy(retention_ms=1_000)}


@pytest.mark.parametrize(("waited_ms", "purged"), [(999, 0), (1_000, 1), (1_001, 1)])
def test_a_flow_goes_when_its_retention_is_over(
    engine: BlockingEngine, clock: ManualClock, waited_ms: int, purged: int
) -> None:
    dag = submit(engine, "a>b", every=KEPT)
    dag.complete("a")
    clock.advance(500)
    dag.complete("b")
    clock.advance(waited_ms)

    done = engine.reconcile()

    assert done["flow_retention"] == purged
    assert (engine.describe_flow(dag.flow_id) is None) is bool(purged)
    assert (engine.describe_execution(dag["a"]) is None) is bool(purged)


def test_nothing_is_left_of_a_flow_that_went(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(
        engine,
        "a>b c>b",
        joins={"b": AnyOf("cancel_remaining")},
        every={**KEPT, "tags": {"team.name": "media"}},
        passing={"a>b": "it"},
        nodes={"a": {"idempotency_key": "once"}},
    )
    (edge, _) = engine.list_edges(dag.flow_id)
    dag.complete("a", b"result")
    dag.complete("b")
    clock.advance(1_000)

    engine.reconcile()

    assert (listed(engine), listed_flows(engine), log(engine)) == ([], [], [])
    assert listed(engine, tag=("team.name", "media")) == []
    assert engine.describe_edge(dag.flow_id, edge.edge_id) is None
    with refused(engine, NotFound):
        engine.list_edges(dag.flow_id)
    with refused(engine, NotFound):
        engine.add_execution(dag.flow_id, "d")
    with refused(engine, NotFound):
        engine.get_result(dag["a"])
    assert isinstance(engine.create_execution("job", idempotency_key="once"), Created)


def test_a_flow_that_went_can_be_made_anew_under_its_id(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", every=KEPT)
    dag.fail("a")
    clock.advance(1_000)
    engine.reconcile()

    again = submit(engine, "a>b", flow_id=dag.flow_id, every=KEPT)

    assert again.states("a", "b") == ["waiting", "waiting_children"]
    assert again.events() == []
    assert again.flow().edge_count == 1


def test_a_flow_is_kept_as_long_as_the_member_that_is_kept_longest(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", every=KEPT, nodes={"a": {"policy": ExecutionPolicy(retention_ms=5_000)}})
    dag.complete("a")
    dag.complete("b")
    clock.advance(4_999)
    engine.reconcile()
    kept = engine.describe_execution(dag["b"])
    clock.advance(1)

    engine.reconcile()

    assert kept is not None
    assert engine.describe_flow(dag.flow_id) is None


def test_a_flow_with_a_member_that_is_kept_for_good_is_kept_for_good(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b", nodes={"a": KEPT})
    dag.complete("a")
    dag.complete("b")
    clock.advance(1_000_000_000)

    with unchanged(engine):
        engine.reconcile()

    assert dag.flow().state == "completed"


def test_a_member_added_later_changes_how_long_its_flow_is_kept(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a", every=KEPT)
    dag.complete("a")
    dag.add("b", policy=ExecutionPolicy(retention_ms=3_000))
    dag.complete("b")
    clock.advance(2_999)
    engine.reconcile()
    kept = engine.describe_flow(dag.flow_id)
    clock.advance(1)

    engine.reconcile()

    assert kept is not None
    assert engine.describe_flow(dag.flow_id) is None


def test_no_member_goes_before_its_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", every=KEPT)
    dag.complete("a")
    clock.advance(1_000_000)

    engine.reconcile()

    assert dag.states("a", "b") == ["completed", "waiting"]


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending", "flow_only"])
def test_a_cancelled_flow_goes_once_all_its_members_have_ended(
    engine: BlockingEngine, clock: ManualClock, policy: Any
) -> None:
    dag = submit(engine, "run", every=KEPT)
    lease = dag.start("run")
    engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)
    clock.advance(1_000)
    engine.reconcile()
    while_it_runs = engine.describe_flow(dag.flow_id)
    if policy != "cancel_all":
        engine.complete(lease)
    clock.advance(1_000)

    engine.reconcile()

    assert (while_it_runs is None) is (policy == "cancel_all")
    assert engine.describe_flow(dag.flow_id) is None


@pytest.mark.parametrize("policy", ["cancel_pending", "flow_only"])
def test_a_flow_that_was_reopened_and_cancelled_is_kept_while_a_member_runs(
    engine: BlockingEngine, clock: ManualClock, policy: Any
) -> None:
    dag = submit(engine, "a", every=KEPT)
    dag.complete("a")
    dag.add("b", **KEPT)
    lease = dag.claim("b", lease_ttl_ms=60_000).lease
    engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)
    clock.advance(10_000)

    engine.reconcile()

    assert dag.state("b") == "active"
    engine.complete(lease)
    assert dag.flow().state == "cancelled"


def test_a_replay_keeps_a_flow_and_its_time_starts_anew(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a", every=KEPT)
    dag.complete("a")
    clock.advance(999)
    engine.replay_execution(dag["a"])
    clock.advance(10_000)
    engine.reconcile()
    alive = engine.describe_flow(dag.flow_id)
    dag.complete("a")
    clock.advance(1_000)

    engine.reconcile()

    assert alive is not None
    assert engine.describe_flow(dag.flow_id) is None


def test_a_flow_without_members_is_kept(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine)
    clock.advance(1_000_000_000)

    with unchanged(engine):
        engine.reconcile()

    assert dag.flow().state == "open"


def test_only_the_flow_that_is_due_goes(engine: BlockingEngine, clock: ManualClock) -> None:
    due, other = submit(engine, "a", every=KEPT), submit(engine, "a", every=KEPT)
    solo = create(engine)
    due.complete("a")
    other.start("a")
    clock.advance(1_000)

    engine.reconcile()

    assert [flow.flow_id for flow in listed_flows(engine)] == [other.flow_id]
    assert {x.execution_id for x in listed(engine)} == {other["a"], solo}


def test_a_flow_of_many_members_goes_as_a_whole(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"n{number}" for number in range(700)]
    dag = submit(engine, " ".join(f"root>{name}" for name in names), every=KEPT)
    dag.fail("root")
    engine.reconcile()
    clock.advance(1_000)

    done = engine.reconcile()

    assert done["flow_retention"] == 1
    assert (listed(engine), listed_flows(engine), log(engine)) == ([], [], [])
