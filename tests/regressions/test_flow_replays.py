"""Whatever ends a member is told to its children, and a replay in a flow waits for what is really missing."""

from collections.abc import Callable
from typing import Any

import pytest

from flowfabric import AllOf, AnyOf, BlockingEngine, ExecutionPolicy, FlowTerminal, ManualClock, Quorum
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import Dag, Join, expire, submit
from flowfabric_conformance.stage import last_event, look, outcomes, refused, story, vector

Act = Callable[[Dag, ManualClock], object]


def _revoked_too_often(dag: Dag, clock: ManualClock) -> None:
    dag.start("a")
    dag.engine.revoke_lease(dag["a"])


def _lost_too_often(dag: Dag, clock: ManualClock) -> None:
    dag.start("a")
    clock.advance(30_000)
    dag.engine.reconcile()


def _timed_out(dag: Dag, clock: ManualClock) -> None:
    dag.claim("a", lease_ttl_ms=60_000)
    clock.advance(40_000)
    dag.engine.reconcile()


def _cancelled_by_the_holder(dag: Dag, clock: ManualClock) -> None:
    lease = dag.start("a")
    dag.engine.cancel_execution(dag["a"], reason="stop", source="lease_holder", lease_epoch=lease.lease_epoch)


ENDS: dict[str, tuple[Act, str]] = {
    "cancelled by an operator": (lambda dag, clock: dag.cancel("a"), "cancelled"),
    "cancelled by its holder": (_cancelled_by_the_holder, "cancelled"),
    "failed": (lambda dag, clock: dag.fail("a"), "failed"),
    "revoked too often": (_revoked_too_often, "failed"),
    "lost too often": (_lost_too_often, "failed"),
    "timed out": (_timed_out, "failed"),
    "expired": (lambda dag, clock: expire(dag, clock, "a"), "expired"),
}


@rule_cases("end", ENDS, sample=3)
def test_no_end_leaves_a_child_waiting_for_ever(engine: BlockingEngine, clock: ManualClock, end: str) -> None:
    act, state = ENDS[end]
    policy = ExecutionPolicy(max_interruptions=0, attempt_timeout_ms=40_000)
    dag = submit(engine, "a>b>c", nodes={"a": {"policy": policy, "deadline_at_ms": clock.now_ms + 1_000_000}})

    act(dag, clock)

    assert dag.states("a", "b", "c") == [state, "skipped", "skipped"]
    assert last_event(engine, dag["a"])[:2] == ("completion", state)
    assert dag.flow().state == "failed"


@rule_cases("end", ENDS, sample=3)
def test_every_end_of_a_member_can_be_replayed_and_its_flow_completed(
    engine: BlockingEngine, clock: ManualClock, end: str
) -> None:
    policy = ExecutionPolicy(max_interruptions=0, attempt_timeout_ms=40_000)
    dag = submit(engine, "a>b", nodes={"a": {"policy": policy, "deadline_at_ms": clock.now_ms + 1_000_000}})
    ENDS[end][0](dag, clock)

    engine.replay_execution(dag["b"])
    engine.replay_execution(dag["a"])
    dag.complete("a")
    dag.complete("b")

    assert dag.states("a", "b") == ["completed", "completed"]
    assert dag.flow().state == "completed"


@rule_cases("join", [AllOf(), AnyOf("let_run"), Quorum(2, "let_run"), Quorum(2, "cancel_remaining")])
def test_a_skipped_member_is_not_replayed_past_what_it_waits_for(
    engine: BlockingEngine, clock: ManualClock, join: Join
) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join})
    dag.fail("a")
    if dag.state("c") != "skipped":
        dag.fail("b")

    answer = engine.replay_execution(dag["c"])

    assert (answer.public_state, answer.groups_reset) == ("waiting_children", 1)
    assert last_event(engine, dag["c"])[2]["branch"] == "skipped_flow_member"
    assert engine.claim(worker_id="w", worker_instance_id="w1", lanes=["c"]) == []


@pytest.mark.parametrize("first", ["child", "upstream"])
def test_the_counts_of_a_replayed_join_are_filled_again_in_whatever_order_things_are_replayed(
    engine: BlockingEngine, clock: ManualClock, first: str
) -> None:
    dag = submit(engine, "a>c b>c")
    dag.complete("a")
    dag.fail("b")
    if first == "child":
        engine.replay_execution(dag["c"])
        engine.replay_execution(dag["b"])
        dag.complete("b")
    else:
        engine.replay_execution(dag["b"])
        dag.complete("b")
        engine.replay_execution(dag["c"])

    assert (dag.state("c"), dag.counts("c"), dag.group("c").state) == ("waiting", (2, 2, 0, 0, 0), "satisfied")


def test_an_all_of_does_not_fire_early_after_the_replay_of_a_skipped_child(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>d b>d c>d")
    dag.fail("a")
    dag.fail("b")
    engine.replay_execution(dag["d"])
    engine.replay_execution(dag["a"])

    dag.complete("a")
    dag.complete("c")

    assert dag.state("d") == "waiting_children"
    assert dag.counts("d") == (3, 2, 0, 0, 0)
    engine.replay_execution(dag["b"])
    dag.complete("b")
    assert dag.state("d") == "waiting"


def test_the_state_of_a_member_is_right_at_every_step_of_its_life(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    seen = [dag.state("b")]
    dag.complete("a")
    seen.append(dag.state("b"))
    lease = dag.start("b")
    seen.append(dag.state("b"))
    engine.delay(lease, until_ms=clock.now_ms + 5)
    seen.append(dag.state("b"))
    clock.advance(5)
    engine.reconcile()
    seen.append(dag.state("b"))
    dag.start("b")
    engine.revoke_lease(dag["b"])
    seen.append(dag.state("b"))
    dag.complete("b")
    seen.append(dag.state("b"))
    engine.replay_execution(dag["b"])
    seen.append(dag.state("b"))

    assert seen == [
        "waiting_children",
        "waiting",
        "active",
        "delayed",
        "waiting",
        "waiting",
        "completed",
        "waiting",
    ]


def test_a_replayed_member_runs_the_attempt_it_reset(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")
    engine.release(dag.start("b"))
    dag.fail("b")
    engine.replay_execution(dag["b"])

    claimed = dag.claim("b")

    assert (claimed.claim_type, claimed.attempt_index) == ("replay", 1)
    assert outcomes(engine, dag["b"]) == ["released", None]


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending"])
def test_nothing_is_replayed_inside_a_flow_that_was_cancelled(
    engine: BlockingEngine, clock: ManualClock, policy: Any
) -> None:
    dag = submit(engine, "done lost>skipped idle")
    dag.complete("done")
    dag.fail("lost")
    engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)

    for name in dag.ids:
        with refused(engine, FlowTerminal):
            engine.replay_execution(dag[name])


def test_a_second_cancel_of_a_member_is_fine(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    answers = [engine.cancel_execution(dag["a"], reason="stop") for _ in range(2)]

    assert answers[0] == answers[1]
    assert story(engine, dag["a"]) == ["completion.cancelled"]
    assert story(engine, dag["b"]) == ["completion.skipped"]
    assert dag.counts("b") == (1, 0, 1, 0, 0)


def test_a_lease_that_ended_is_no_lease_to_revoke_in_a_flow_either(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")
    before = (vector(engine, dag["a"]), look(engine, dag["b"]), story(engine, dag["a"]))

    engine.revoke_lease(dag["a"])

    assert (vector(engine, dag["a"]), look(engine, dag["b"]), story(engine, dag["a"])) == before


def test_a_flow_whose_members_ran_after_its_cancel_is_running_once_it_is_replayed(engine: BlockingEngine) -> None:
    dag = submit(engine, "a b")
    engine.cancel_flow(dag.flow_id, reason="stop", policy="flow_only")
    dag.fail("a")

    engine.replay_flow(dag.flow_id)

    assert dag.flow().state == "running"
