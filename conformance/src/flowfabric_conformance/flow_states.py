"""The state of a flow: kept by the very steps that change its members, and told in events of its own."""

from typing import Any

import pytest

from flowfabric import AnyOf, BlockingEngine, ManualClock, Quorum
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import create_flow, expire, submit
from flowfabric_conformance.stage import unchanged


def test_a_flow_is_open_until_a_member_is_claimed(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    engine.hold(dag["a"])
    engine.unhold(dag["a"])
    before = dag.flow().state

    dag.start("a")

    assert (before, dag.flow().state) == ("open", "running")
    assert dag.events() == []


def test_a_flow_that_runs_stays_running_between_its_members(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")

    dag.complete("a")
    between = dag.flow()
    engine.release(dag.start("b"))

    assert (between.state, between.terminal_at_ms) == ("running", None)
    assert dag.flow().state == "running"


def test_a_flow_is_completed_with_its_last_member(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")
    lease = dag.start("b")
    clock.advance(5)

    engine.complete(lease)

    assert (dag.flow().state, dag.flow().terminal_at_ms) == ("completed", clock.now_ms)
    (event,) = dag.events()
    assert (event.channel, event.event_type, event.seq) == ("completion", "flow_completed", 1)
    assert (event.execution_id, event.flow_id, event.namespace) == (None, dag.flow_id, "default")
    assert (event.details, event.occurred_at_ms) == ({}, clock.now_ms)


@pytest.mark.parametrize("how", ["failed", "cancelled"])
def test_a_flow_whose_sink_did_not_complete_has_failed(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    dag = submit(engine, "a>b a>c")
    dag.complete("a")
    dag.complete("b")
    clock.advance(5)

    dag.end("c", how)

    assert (dag.flow().state, dag.flow().terminal_at_ms) == ("failed", clock.now_ms)
    assert dag.story() == ["completion.flow_failed"]
    assert (dag.flow().cancel_reason, dag.flow().cancellation_policy) == (None, None)


def test_a_flow_whose_sink_was_skipped_has_failed(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>c")

    dag.fail("a")

    assert dag.flow().state == "failed"
    assert dag.story() == ["completion.flow_failed"]


def test_a_flow_whose_sink_expired_has_failed(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a", nodes={"a": {"deadline_at_ms": clock.now_ms + 5}})

    expire(dag, clock, "a")

    assert (dag.flow().state, dag.flow().terminal_at_ms) == ("failed", clock.now_ms)


def test_a_flow_ends_no_earlier_than_its_last_member(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.fail("a")
    while_b_lives = (dag.flow().state, dag.story())

    dag.complete("b")

    assert while_b_lives == ("running", [])
    assert dag.flow().state == "failed"


@rule_cases(
    ("joins", "ends"),
    [
        ({"d": AnyOf("let_run")}, [("a", "failed"), ("b", "completed"), ("c", "failed")]),
        ({"d": AnyOf("cancel_remaining")}, [("a", "failed"), ("b", "completed")]),
        ({"d": Quorum(2, "let_run")}, [("a", "completed"), ("b", "cancelled"), ("c", "completed")]),
        ({"d": Quorum(2, "cancel_remaining")}, [("a", "completed"), ("b", "completed")]),
    ],
)
def test_losers_of_a_join_that_was_satisfied_do_not_fail_their_flow(
    engine: BlockingEngine, clock: ManualClock, joins: Any, ends: list[tuple[str, str]]
) -> None:
    dag = submit(engine, "a>d b>d c>d", joins=joins)
    for name, how in ends:
        dag.end(name, how)

    dag.complete("d")

    assert dag.flow().state == "completed"
    assert dag.story() == ["completion.flow_completed"]


def test_one_lost_sink_among_many_fails_the_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b a>c d")
    dag.complete("a")
    dag.complete("b")
    dag.fail("d")

    dag.complete("c")

    assert dag.flow().state == "failed"


def test_a_lost_member_that_something_depends_on_is_no_sink(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.fail("a")
    dag.add("c", "a", "b", join=AnyOf("let_run"))
    dag.complete("b")

    dag.complete("c")

    assert dag.flow().state == "completed"


def test_a_flow_without_members_stays_open(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine)
    clock.advance(1_000_000)

    with unchanged(engine):
        engine.reconcile()

    assert dag.flow().state == "open"


def test_a_flow_that_never_ran_can_end(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")

    dag.cancel("a")

    assert dag.states("a", "b") == ["cancelled", "skipped"]
    assert dag.flow().state == "failed"


# ── coming back ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("how", "state"), [("completed", "completed"), ("failed", "failed")])
def test_a_member_added_to_a_flow_that_is_over_reopens_it(
    engine: BlockingEngine, clock: ManualClock, how: str, state: str
) -> None:
    dag = submit(engine, "a")
    dag.end("a", how)
    over = dag.flow().state
    clock.advance(5)

    dag.add("b")

    assert over == state
    assert (dag.flow().state, dag.flow().terminal_at_ms) == ("running", None)
    assert dag.story() == [f"completion.flow_{state}", "operator.flow_reopened"]
    assert (dag.events()[-1].occurred_at_ms, dag.events()[-1].details) == (clock.now_ms, {})


def test_a_flow_that_ended_before_it_ran_is_open_again(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    dag.cancel("a")

    dag.add("b")

    assert dag.flow().state == "open"


def test_a_reopened_flow_ends_again_and_all_of_it_is_told_in_order(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    dag.complete("a")
    dag.add("b")
    dag.fail("b")
    dag.add("c")
    dag.complete("c")

    assert dag.story() == [
        "completion.flow_completed",
        "operator.flow_reopened",
        "completion.flow_failed",
        "operator.flow_reopened",
        "completion.flow_failed",
    ]
    assert [event.seq for event in dag.events()] == [1, 2, 3, 4, 5]


def test_a_flow_that_failed_is_completed_once_what_was_lost_is_depended_on_and_made_good(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a b")
    dag.fail("a")
    dag.complete("b")

    dag.add("c", "a", "b", join=AnyOf("let_run"))
    dag.complete("c")

    assert dag.flow().state == "completed"
    assert dag.story() == ["completion.flow_failed", "operator.flow_reopened", "completion.flow_completed"]


def test_a_member_that_is_skipped_at_birth_reopens_its_flow_and_ends_it_in_one_step(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a")
    dag.fail("a")

    state = dag.add("b", "a")

    assert state == "skipped"
    assert dag.flow().state == "failed"
    assert dag.story() == ["completion.flow_failed", "operator.flow_reopened", "completion.flow_failed"]


def test_a_duplicate_does_not_reopen_a_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a", nodes={"a": {"idempotency_key": "once"}})
    dag.complete("a")

    with unchanged(engine):
        engine.add_execution(dag.flow_id, "a", idempotency_key="once")

    assert dag.flow().state == "completed"


def test_time_does_nothing_to_a_flow_that_is_over(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b c>b", joins={"b": AnyOf("cancel_remaining")})
    dag.complete("a")
    dag.complete("b")

    for step_ms in (1, 30_000, 3_600_000, 80_000_000):
        clock.advance(step_ms)
        with unchanged(engine):
            engine.reconcile()
    assert dag.flow().state == "completed"
