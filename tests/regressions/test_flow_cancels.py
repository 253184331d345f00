"""A cancel of a flow reaches exactly the members it should, once, and is answered the same for ever."""

from typing import Any

import pytest

from flowfabric import (
    BlockingEngine,
    ExecutionNotActive,
    FlowAlreadyTerminal,
    FlowCancelled,
    InvalidInput,
    ManualClock,
    NotFound,
    RetryScheduled,
    TerminalFailed,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import UNKNOWN_FLOW, submit
from flowfabric_conformance.stage import (
    RETRIED,
    claim_ids,
    events_of,
    look,
    outcomes,
    refused,
    story,
    unchanged,
)


def test_a_member_cancelled_with_its_flow_can_be_neither_completed_nor_renewed_nor_expired(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "run>after")
    lease = dag.start("run")
    engine.cancel_flow(dag.flow_id, reason="stop")
    told = story(engine, dag["run"])

    with refused(engine, ExecutionNotActive):
        engine.complete(lease, b"too late")
    with refused(engine, ExecutionNotActive):
        engine.renew(lease)
    clock.advance(10_000_000)
    engine.reconcile()

    assert story(engine, dag["run"]) == told == ["lease.acquired", "lease.revoked", "completion.cancelled"]
    assert (look(engine, dag["run"]).lease_epoch, outcomes(engine, dag["run"])) == (2, ["cancelled"])
    assert engine.get_result(dag["run"]) is None


@rule_cases("policy", ["cancel_all", "cancel_pending", "flow_only"])
def test_no_cancel_leaves_an_acknowledgement_that_nobody_will_ever_give(
    engine: BlockingEngine, clock: ManualClock, policy: Any
) -> None:
    dag = submit(engine, "run idle")
    dag.start("run")
    engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)
    owed = list(dag.flow().pending_cancel_acks)
    clock.advance(30_000)

    engine.reconcile()

    assert owed == ([dag["run"]] if policy == "cancel_all" else [])
    assert dag.flow().pending_cancel_acks == []


def test_the_answer_to_a_second_cancel_does_not_change_with_time(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "done run idle>after")
    dag.complete("done")
    dag.start("run")
    first = engine.cancel_flow(dag.flow_id, reason="first")
    assert isinstance(first, FlowCancelled)
    answers = [engine.cancel_flow(dag.flow_id, reason="again")]
    engine.ack_cancel_member(dag.flow_id, dag["run"])
    answers.append(engine.cancel_flow(dag.flow_id, reason="again", policy="flow_only"))
    clock.advance(10_000_000)
    engine.reconcile()

    answers.append(engine.cancel_flow(dag.flow_id, reason="again", policy="cancel_pending"))

    assert answers == [FlowAlreadyTerminal("cancel_all", "first", first.member_execution_ids)] * 3
    assert dag["done"] not in first.member_execution_ids


@pytest.mark.parametrize(
    ("policy", "states"),
    [
        ("cancel_all", ["cancelled", "cancelled", "cancelled", "completed", "failed"]),
        ("cancel_pending", ["active", "cancelled", "cancelled", "completed", "failed"]),
        ("flow_only", ["active", "waiting", "waiting_children", "completed", "failed"]),
    ],
)
def test_a_policy_is_honoured_and_members_that_had_ended_keep_their_end(
    engine: BlockingEngine, clock: ManualClock, policy: Any, states: list[str]
) -> None:
    dag = submit(engine, "run idle>blocked done lost")
    dag.complete("done", b"kept")
    dag.fail("lost")
    dag.start("run")
    ends = {name: events_of(engine, dag[name]) for name in ("done", "lost")}

    answer = engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)

    assert dag.states("run", "idle", "blocked", "done", "lost") == states
    assert {name: events_of(engine, dag[name]) for name in ends} == ends
    assert engine.get_result(dag["done"]) == b"kept"
    cancelled = {dag[name] for name in dag.ids if dag.state(name) == "cancelled"}
    assert set(answer.member_execution_ids) == cancelled
    assert dag.flow().cancellation_policy == policy


@pytest.mark.parametrize("how", ["completed", "failed"])
def test_a_flow_that_is_over_is_not_rewritten_as_cancelled(
    engine: BlockingEngine, clock: ManualClock, how: str
) -> None:
    dag = submit(engine, "a")
    dag.end("a", how)

    with unchanged(engine):
        answer = engine.cancel_flow(dag.flow_id, reason="too late")

    assert answer == FlowAlreadyTerminal(None, None, [])


def test_the_first_reason_and_policy_of_a_cancel_stay(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    engine.cancel_flow(dag.flow_id, reason="first", policy="flow_only")

    engine.cancel_flow(dag.flow_id, reason="second", policy="cancel_all")

    assert (dag.flow().cancel_reason, dag.flow().cancellation_policy) == ("first", "flow_only")
    assert dag.state("a") == "waiting"


def test_a_flow_that_is_not_there_is_not_cancelled(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound) as caught:
        engine.cancel_flow(UNKNOWN_FLOW, reason="stop")

    assert caught.value.entity == "flow"


def test_members_that_had_ended_are_no_failures_of_the_cancel(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "done idle")
    dag.complete("done")

    answer = engine.cancel_flow(dag.flow_id, reason="stop", wait=True)

    assert answer == FlowCancelled("cancel_all", [dag["idle"]])


@rule_cases("policy", ["everything", "CANCEL_ALL", "", None])
def test_a_policy_that_does_not_exist_cancels_nothing(engine: BlockingEngine, clock: ManualClock, policy: Any) -> None:
    dag = submit(engine, "a")

    with refused(engine, InvalidInput):
        engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)

    assert claim_ids(engine, lanes=["a"]) == [dag["a"]]


@rule_cases("policy", ["cancel_all", "cancel_pending"])
def test_a_lease_that_ended_with_a_retry_is_not_told_that_it_failed_for_good_what_its_flow_has_cancelled(
    engine: BlockingEngine, policy: Any
) -> None:
    dag = submit(engine, "run", every={"policy": RETRIED})
    lease = dag.start("run")
    assert isinstance(engine.fail(lease, code="boom"), RetryScheduled)
    engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)

    with refused(engine, ExecutionNotActive):
        engine.fail(lease, code="boom", retryable=False)

    shown = look(engine, dag["run"])
    assert shown.failure is not None
    assert shown.failure.code == "boom"


def test_a_lease_that_was_given_back_is_not_told_that_it_failed_for_good_what_its_flow_has_cancelled(
    engine: BlockingEngine,
) -> None:
    dag = submit(engine, "run", every={"policy": RETRIED})
    engine.fail(dag.start("run"), code="boom", retry_after_ms=0)
    lease = dag.start("run")
    engine.cancel_flow(dag.flow_id, reason="stop", policy="cancel_pending")
    engine.release(lease)

    with refused(engine, ExecutionNotActive):
        engine.fail(lease, code="boom", retryable=False)


def test_a_lease_that_has_failed_a_member_of_a_cancelled_flow_hears_the_same_again(engine: BlockingEngine) -> None:
    dag = submit(engine, "run", every={"policy": RETRIED})
    engine.fail(dag.start("run"), code="boom", retry_after_ms=0)
    lease = dag.start("run")
    engine.cancel_flow(dag.flow_id, reason="stop", policy="cancel_pending")

    told = [engine.fail(lease, code="boom") for _ in range(2)]

    assert told == [TerminalFailed(dag["run"])] * 2
    assert look(engine, dag["run"]).public_state == "cancelled"
