"""Replaying inside flows: a new generation of exactly what the replay resets, and everything else left alone."""

from typing import Any, Final

import pytest

from flowfabric import (
    AllOf,
    AnyOf,
    BlockingEngine,
    ExecutionNotTerminal,
    ExecutionPolicy,
    ManualClock,
    MaxReplaysExhausted,
    Quorum,
    Replayed,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import Join, expire, submit
from flowfabric_conformance.stage import (
    RETRIED,
    claim_ids,
    events_of,
    last_event,
    look,
    refused,
    story,
    vector,
)

BLOCKED: Final = "runnable/unowned/blocked_by_dependencies/pending_replay_attempt/none/waiting_children"
WAITING: Final = "runnable/unowned/eligible_now/pending_replay_attempt/none/waiting"


# ── a member that waits for nobody ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("how", "outcome"), [("completed", "success"), ("failed", "failed"), ("cancelled", "cancelled")]
)
def test_a_member_that_waits_for_nobody_is_replayed_like_any_execution(
    engine: BlockingEngine, clock: ManualClock, how: str, outcome: str
) -> None:
    dag = submit(engine, "a b")
    dag.end("a", how)

    answer = engine.replay_execution(dag["a"])

    assert answer == Replayed(dag["a"], "waiting", 0)
    assert vector(engine, dag["a"]) == WAITING
    assert last_event(engine, dag["a"]) == (
        "operator",
        "replayed",
        {
            "branch": "normal",
            "groups_reset": 0,
            "previous_outcome": outcome,
            "previous_attempt": 0,
            "steps": "cleared" if how == "completed" else "kept",
            "steps_kept": 0,
            "from_step": None,
        },
    )
    assert dag.claim("a").claim_type == "replay"


def test_a_member_whose_upstreams_are_as_they_were_runs_again_at_once_with_the_same_inputs(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"})
    dag.complete("a", b"result")
    dag.fail("b")

    answer = engine.replay_execution(dag["b"])

    assert answer == Replayed(dag["b"], "waiting", 0)
    assert last_event(engine, dag["b"])[2]["branch"] == "normal"
    assert (dag.group("b").state, dag.counts("b")) == ("satisfied", (1, 1, 0, 0, 0))
    assert dag.claim("b").inputs == {"it": b"result"}


def test_a_replay_reads_what_its_upstream_has_returned_since(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"})
    dag.complete("a", b"first life")
    dag.complete("b")
    engine.replay_execution(dag["a"])
    dag.complete("a", b"second life")

    answer = engine.replay_execution(dag["b"])

    assert answer == Replayed(dag["b"], "waiting", 1)
    assert dag.claim("b").inputs == {"it": b"second life"}


def test_a_member_that_is_replayed_while_its_upstream_lives_again_waits_for_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"})
    dag.complete("a", b"first life")
    dag.complete("b")
    engine.replay_execution(dag["a"])

    answer = engine.replay_execution(dag["b"])
    waiting = (dag.edge("a", "b").state, dag.group("b").state, dag.counts("b"))
    dag.complete("a", b"second life")

    assert answer == Replayed(dag["b"], "waiting_children", 1)
    assert waiting == ("pending", "pending", (1, 0, 0, 0, 1))
    assert dag.claim("b").inputs == {"it": b"second life"}


def test_a_member_that_is_replayed_after_its_upstream_was_lost_waits_for_its_next_end(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")
    dag.complete("b")
    engine.replay_execution(dag["a"])
    dag.fail("a")

    answer = engine.replay_execution(dag["b"])
    waiting = (dag.edge("a", "b").state, dag.counts("b"))
    engine.replay_execution(dag["a"])
    dag.fail("a")

    assert answer.public_state == "waiting_children"
    assert waiting == ("pending", (1, 0, 0, 0, 0))
    assert dag.state("b") == "skipped"


def test_a_quorum_that_is_replayed_is_handed_the_results_of_all_that_have_completed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    voters = "abcd"
    passing = {f"{name}>tally": name for name in voters}
    drawing = " ".join(passing)
    dag = submit(engine, drawing, passing=passing, joins={"tally": Quorum(3, "let_run")})
    dag.fail("a")
    for name in "bcd":
        dag.complete(name, name.encode())
    first = dag.claim("tally")
    engine.complete(first.lease)
    engine.replay_execution(dag["a"])
    dag.complete("a", b"a")

    engine.replay_execution(dag["tally"])

    assert sorted(first.inputs) == ["b", "c", "d"]
    assert dag.claim("tally").inputs == {name: name.encode() for name in voters}
    assert dag.counts("tally") == (4, 4, 0, 0, 0)
    assert {dag.edge(name, "tally").state for name in voters} == {"satisfied"}


def test_a_retry_reads_what_its_life_began_with_also_after_a_replay(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"}, nodes={"b": {"policy": RETRIED}})
    dag.complete("a", b"one")
    dag.complete("b")
    engine.replay_execution(dag["a"])
    dag.complete("a", b"two")
    engine.replay_execution(dag["b"])
    second = dag.claim("b")

    engine.replay_execution(dag["a"])
    dag.complete("a", b"three")
    engine.fail(second.lease, code="boom")
    clock.advance(1_000)
    engine.reconcile()

    assert second.inputs == {"it": b"two"}
    assert dag.claim("b").inputs == {"it": b"two"}


def test_a_join_that_is_decided_anew_cancels_what_it_does_not_need(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": AnyOf("cancel_remaining")})
    dag.complete("a")
    dag.fail("c")
    engine.replay_execution(dag["b"])

    engine.replay_execution(dag["c"])

    assert dag.states("b", "c") == ["cancelled", "waiting"]


def test_a_blocked_or_a_running_member_cannot_be_replayed(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    dag.start("a")

    for name in "ab":
        with refused(engine, ExecutionNotTerminal):
            engine.replay_execution(dag[name])


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_policy_caps_replays_in_flows_too(engine: BlockingEngine, clock: ManualClock, name: str) -> None:
    dag = submit(engine, "a>b", every={"policy": ExecutionPolicy(max_replays=0)})
    dag.fail("a")

    with refused(engine, MaxReplaysExhausted):
        engine.replay_execution(dag[name])


# ── a member that was skipped ────────────────────────────────────────────────────────────────────


def test_a_skipped_member_waits_again_for_what_was_not_satisfied(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>d b>d c>d")
    dag.complete("a")
    dag.fail("b")
    clock.advance(5)

    answer = engine.replay_execution(dag["d"])

    assert answer == Replayed(dag["d"], "waiting_children", 1)
    assert vector(engine, dag["d"]) == BLOCKED
    assert (dag.group("d").state, dag.counts("d")[:4]) == ("pending", (3, 1, 0, 0))
    assert [dag.edge(name, "d").state for name in "abc"] == ["satisfied", "pending", "pending"]
    x = look(engine, dag["d"])
    assert (x.replay_count, x.lease_epoch, x.terminal_at_ms, x.attempt_index) == (1, 1, None, 0)
    assert last_event(engine, dag["d"]) == (
        "operator",
        "replayed",
        {
            "branch": "skipped_flow_member",
            "groups_reset": 1,
            "previous_outcome": "skipped",
            "previous_attempt": 0,
            "steps": "kept",
            "steps_kept": 0,
            "from_step": None,
        },
    )
    assert claim_ids(engine, lanes=["d"]) == []


def test_upstreams_that_have_not_ended_are_counted_after_a_skipped_members_replay(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>d b>d c>d")
    dag.fail("b")

    engine.replay_execution(dag["d"])

    assert dag.counts("d") == (3, 0, 0, 0, 2)


def test_a_replayed_child_runs_once_its_lost_upstream_was_replayed_and_completed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>d b>d", passing={"b>d": "it"})
    dag.complete("a")
    dag.fail("b")
    engine.replay_execution(dag["d"])
    engine.replay_execution(dag["b"])

    dag.complete("b", b"second life")

    assert dag.state("d") == "waiting"
    assert dag.claim("d").inputs == {"it": b"second life"}
    assert dag.counts("d") == (2, 2, 0, 0, 0)


def test_a_member_that_was_skipped_and_replayed_runs_its_first_attempt(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.fail("a")
    engine.replay_execution(dag["b"])
    engine.replay_execution(dag["a"])
    dag.complete("a")
    none_yet = engine.list_attempts(dag["b"])

    claimed = dag.claim("b")

    assert none_yet == []
    assert (claimed.claim_type, claimed.attempt_index, claimed.lease.lease_epoch) == ("replay", 0, 2)
    assert [attempt.attempt_index for attempt in engine.list_attempts(dag["b"])] == [0]


def test_a_replayed_child_is_skipped_again_when_its_upstream_is_lost_again(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b>c")
    dag.fail("a")
    engine.replay_execution(dag["b"])
    engine.replay_execution(dag["a"])

    dag.fail("a")

    assert dag.states("a", "b", "c") == ["failed", "skipped", "skipped"]
    assert story(engine, dag["b"]) == ["completion.skipped", "operator.replayed", "completion.skipped"]
    assert dag.counts("b") == (1, 0, 1, 0, 0)


def test_an_upstream_that_completed_since_the_skip_counts_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"})
    dag.fail("a")
    engine.replay_execution(dag["a"])
    dag.complete("a", b"second life")
    skipped = dag.state("b")

    answer = engine.replay_execution(dag["b"])

    assert skipped == "skipped"
    assert answer == Replayed(dag["b"], "waiting", 1)
    assert (dag.group("b").state, dag.counts("b")) == ("satisfied", (1, 1, 0, 0, 0))
    assert dag.claim("b").inputs == {"it": b"second life"}


def test_an_upstream_that_completed_after_the_skip_in_its_first_life_was_counted_all_along(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b>c")
    dag.fail("a")
    dag.complete("b")

    answer = engine.replay_execution(dag["c"])

    assert answer == Replayed(dag["c"], "waiting_children", 1)
    assert dag.counts("c")[:4] == (2, 1, 0, 0)
    assert (dag.edge("a", "c").state, dag.edge("b", "c").state) == ("pending", "satisfied")


@pytest.mark.parametrize(
    ("join", "losers"), [(AnyOf("let_run"), "ab"), (Quorum(2, "let_run"), "a"), (Quorum(1, "cancel_remaining"), "ab")]
)
def test_a_member_skipped_by_an_any_of_or_a_quorum_starts_its_join_anew(
    engine: BlockingEngine, clock: ManualClock, join: Join, losers: str
) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join})
    for name in losers:
        dag.fail(name)
    skipped = (dag.state("c"), dag.group("c").state)

    engine.replay_execution(dag["c"])
    blocked = (dag.state("c"), dag.group("c").state)
    for name in losers:
        engine.replay_execution(dag[name])
    for name in "ab"[: 2 if join == Quorum(2, "let_run") else 1]:
        dag.complete(name)

    assert skipped == ("skipped", "impossible")
    assert blocked == ("waiting_children", "pending")
    assert (dag.state("c"), dag.group("c").state) == ("waiting", "satisfied")


def test_a_skip_among_the_upstreams_is_forgotten_with_the_replay_of_a_skipped_member(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b>d c>d")
    dag.complete("c")
    dag.fail("a")
    skipped = dag.counts("d")

    engine.replay_execution(dag["d"])

    assert skipped == (2, 1, 0, 1, 0)
    assert dag.counts("d")[:4] == (2, 1, 0, 0)


def test_a_member_that_was_skipped_by_a_skip_is_replayed_from_the_top_down(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b>c")
    dag.fail("a")
    for name in "abc":
        engine.replay_execution(dag[name])
    states = dag.states("a", "b", "c")

    for name in "abc":
        dag.complete(name)

    assert states == ["waiting", "waiting_children", "waiting_children"]
    assert dag.flow().state == "completed"


def test_a_child_that_was_cancelled_while_it_waited_waits_on_after_its_replay(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.cancel("b")

    answer = engine.replay_execution(dag["b"])

    assert answer.public_state == "waiting_children"
    assert last_event(engine, dag["b"])[2]["branch"] == "normal"
    dag.complete("a")
    assert dag.state("b") == "waiting"


def test_a_child_that_was_cancelled_while_it_waited_runs_if_its_join_was_satisfied_since(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.cancel("b")
    dag.complete("a")

    answer = engine.replay_execution(dag["b"])

    assert answer.public_state == "waiting"
    assert dag.group("b").state == "satisfied"


def test_a_replay_clears_the_hold_of_a_member_and_not_its_dependencies(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    engine.hold(dag["b"])
    dag.fail("a")

    engine.replay_execution(dag["b"])

    assert vector(engine, dag["b"]) == BLOCKED


# ── an upstream ──────────────────────────────────────────────────────────────────────────────────


def test_a_child_that_has_not_started_waits_again_for_its_replayed_upstream(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b>c", passing={"a>c": "it"})
    dag.complete("a", b"one")
    dag.complete("b")
    ready = dag.state("c")

    engine.replay_execution(dag["a"])
    blocked = (dag.state("c"), dag.group("c").state, dag.counts("c"), dag.edge("a", "c").state)
    dag.complete("a", b"two")

    assert ready == "waiting"
    assert blocked == ("waiting_children", "pending", (2, 1, 0, 0, 1), "pending")
    assert (dag.state("c"), dag.counts("c")) == ("waiting", (2, 2, 0, 0, 0))
    assert dag.claim("c").inputs == {"it": b"two"}


def test_a_child_of_a_replayed_upstream_that_is_lost_this_time_is_skipped(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")
    engine.replay_execution(dag["a"])

    dag.fail("a")

    assert dag.states("a", "b") == ["failed", "skipped"]
    assert dag.counts("b") == (1, 0, 1, 0, 0)


def test_the_replay_of_an_upstream_is_not_told_of_its_children(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")

    engine.replay_execution(dag["a"])

    assert events_of(engine, dag["b"]) == []
    assert look(engine, dag["b"]).replay_count == 0


@pytest.mark.parametrize("join", [AnyOf("let_run"), Quorum(1, "let_run")])
def test_an_any_of_that_is_still_satisfied_stays_so(engine: BlockingEngine, clock: ManualClock, join: Join) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join})
    dag.complete("a")
    dag.complete("b")

    engine.replay_execution(dag["a"])

    assert (dag.state("c"), dag.group("c").state, dag.counts("c")) == ("waiting", "satisfied", (2, 1, 0, 0, 1))
    dag.fail("a")
    assert (dag.state("c"), dag.counts("c")) == ("waiting", (2, 1, 1, 0, 0))


@pytest.mark.parametrize(("join", "both"), [(AnyOf("let_run"), False), (Quorum(2, "let_run"), True)])
def test_an_any_of_or_quorum_that_the_replay_leaves_short_waits_again(
    engine: BlockingEngine, clock: ManualClock, join: Join, both: bool
) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join})
    dag.complete("a")
    if both:
        dag.complete("b")

    engine.replay_execution(dag["a"])

    assert (dag.state("c"), dag.group("c").state) == ("waiting_children", "pending")
    dag.complete("a")
    assert dag.state("c") == "waiting"


def test_a_lost_upstream_that_is_replayed_is_lost_to_its_live_child_no_longer(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": AnyOf("let_run")})
    dag.fail("a")

    engine.replay_execution(dag["a"])
    counts = dag.counts("c")
    dag.fail("b")
    waiting = dag.state("c")
    dag.complete("a")

    assert counts == (2, 0, 0, 0, 2)
    assert waiting == "waiting_children"
    assert dag.state("c") == "waiting"


def test_a_loser_that_was_cancelled_and_is_replayed_is_not_cancelled_again_by_a_join_that_stands(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": AnyOf("cancel_remaining")})
    dag.complete("a")
    cancelled = dag.state("b")

    engine.replay_execution(dag["b"])
    dag.complete("b")

    assert cancelled == "cancelled"
    assert dag.states("b", "c") == ["completed", "waiting"]
    assert dag.counts("c") == (2, 2, 0, 0, 0)


@rule_cases("child", ["active", "completed", "failed", "cancelled", "released", "retrying"])
def test_a_child_that_has_started_or_ended_is_left_alone(
    engine: BlockingEngine, clock: ManualClock, child: str
) -> None:
    dag = submit(engine, "a>b>c", nodes={"b": {"policy": RETRIED}})
    dag.complete("a")
    if child in ("completed", "failed", "cancelled"):
        dag.end("b", child)
    else:
        lease = dag.start("b")
        if child == "released":
            engine.release(lease)
        if child == "retrying":
            engine.fail(lease, code="boom")
    before = (look(engine, dag["b"]), dag.edge("a", "b"), dag.counts("b"), dag.group("b").state)

    engine.replay_execution(dag["a"])
    dag.fail("a")

    assert (look(engine, dag["b"]), dag.edge("a", "b"), dag.counts("b"), dag.group("b").state) == before


def test_a_skipped_child_is_left_alone_by_its_upstreams_replay(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>c")
    dag.fail("a")
    before = [(look(engine, dag[name]), dag.counts(name)) for name in "bc"]

    engine.replay_execution(dag["a"])
    dag.complete("a")

    assert [(look(engine, dag[name]), dag.counts(name)[:4]) for name in "bc"] == [
        (x, counts[:4]) for x, counts in before
    ]
    assert dag.edge("a", "b").state == "impossible"


def test_a_child_that_started_keeps_the_result_it_was_handed(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"})
    dag.complete("a", b"first life")
    first = dag.claim("b")

    engine.replay_execution(dag["a"])
    engine.release(first.lease)
    second = dag.claim("b")
    dag.complete("a", b"second life")
    engine.release(second.lease)

    assert first.inputs == second.inputs == {"it": b"first life"}
    assert dag.claim("b").inputs == {"it": b"first life"}
    assert engine.get_result(dag["a"]) == b"second life"


def test_the_result_of_a_replayed_upstream_is_gone_while_it_lives(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"})
    dag.complete("a", b"first life")
    lease = dag.start("b")

    engine.replay_execution(dag["a"])
    while_it_lives = engine.get_result(dag["a"])
    dag.complete("a")
    engine.complete(lease)

    assert while_it_lives is None
    assert engine.get_result(dag["a"]) is None


def test_a_held_child_that_has_not_started_waits_again_once_it_is_let_go(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")
    engine.hold(dag["b"])

    engine.replay_execution(dag["a"])
    held = look(engine, dag["b"]).blocking_reason
    engine.unhold(dag["b"])

    assert held == "paused_by_operator"
    assert dag.state("b") == "waiting_children"


def test_a_delayed_child_that_has_not_started_waits_again_and_keeps_its_delay(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    until_ms = clock.now_ms + 1_000
    dag = submit(engine, "a>b", nodes={"b": {"delay_until_ms": until_ms}})
    dag.complete("a")
    engine.replay_execution(dag["a"])
    blocked = dag.state("b")

    dag.complete("a")

    assert blocked == "waiting_children"
    assert (dag.state("b"), look(engine, dag["b"]).delay_until_ms) == ("delayed", until_ms)


def test_a_child_that_was_replayed_and_has_not_started_again_waits_for_its_replayed_upstream(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")
    dag.fail("b")
    engine.replay_execution(dag["b"])

    engine.replay_execution(dag["a"])

    assert vector(engine, dag["b"]) == BLOCKED
    dag.complete("a")
    assert vector(engine, dag["b"]) == WAITING


def test_many_lives_of_an_upstream_count_once_each_time(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": Quorum(2, "let_run")})
    for _ in range(5):
        dag.complete("a")
        counts = dag.counts("c")
        engine.replay_execution(dag["a"])

        assert counts == (2, 1, 0, 0, 1)
        assert dag.counts("c") == (2, 0, 0, 0, 2)
    assert dag.state("c") == "waiting_children"


# ── the flow ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("how", "state"), [("completed", "completed"), ("failed", "failed")])
def test_a_replay_reopens_a_flow_that_was_over(
    engine: BlockingEngine, clock: ManualClock, how: str, state: str
) -> None:
    dag = submit(engine, "a")
    dag.end("a", how)
    over = dag.flow().state
    clock.advance(5)

    engine.replay_execution(dag["a"])
    reopened = dag.flow()
    dag.complete("a")

    assert over == state
    assert (reopened.state, reopened.terminal_at_ms) == ("running", None)
    assert dag.flow().state == "completed"
    assert dag.story() == [f"completion.flow_{state}", "operator.flow_reopened", "completion.flow_completed"]
    assert [event.seq for event in dag.events()] == [1, 2, 3]


def test_a_replay_in_a_flow_that_lives_reopens_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.complete("a")

    engine.replay_execution(dag["a"])

    assert dag.flow().state == "running"
    assert dag.events() == []


@rule_cases("loss", ["failed", "cancelled", "expired", "skipped"])
def test_a_flow_that_failed_is_completed_when_what_was_lost_is_made_good(
    engine: BlockingEngine, clock: ManualClock, loss: str
) -> None:
    dag = submit(engine, "a>b", nodes={"b": {"deadline_at_ms": clock.now_ms + 100}})
    if loss == "skipped":
        dag.fail("a")
    else:
        dag.complete("a")
        if loss == "expired":
            expire(dag, clock, "b")
        else:
            dag.end("b", loss)
    failed = dag.flow().state

    engine.replay_execution(dag["b"])
    if loss == "skipped":
        engine.replay_execution(dag["a"])
        dag.complete("a")
    dag.complete("b")

    assert failed == "failed"
    assert dag.flow().state == "completed"


@rule_cases("join", [AllOf(), AnyOf("cancel_remaining"), AnyOf("let_run"), Quorum(2, "let_run")])
def test_groups_always_count_what_their_edges_say(engine: BlockingEngine, clock: ManualClock, join: Any) -> None:
    dag = submit(engine, "a>d b>d c>d d>e", joins={"d": join})
    steps = [
        ("a", "failed"),
        ("a", "replayed"),
        ("a", "completed"),
        ("d", "replayed"),
        ("b", "completed"),
        ("c", "failed"),
        ("b", "replayed"),
        ("b", "failed"),
    ]

    for name, how in steps:
        has_ended = look(engine, dag[name]).terminal_at_ms is not None
        if how == "replayed" and has_ended:
            engine.replay_execution(dag[name])
        if how != "replayed" and not has_ended:
            dag.end(name, how)
        for group in dag.flow().groups:
            edges = engine.list_edges(dag.flow_id, downstream=group.downstream)
            states = [edge.state for edge in edges]
            assert group.total == len(edges)
            assert group.success_count == states.count("satisfied")
            assert group.fail_count + group.skip_count == states.count("impossible")
