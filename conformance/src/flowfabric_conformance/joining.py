"""Joining: what the ends of upstreams do to those who wait for them, told once, in the step that ends the upstream."""

from collections.abc import Callable
from typing import Final

import pytest

from flowfabric import AllOf, AnyOf, BlockingEngine, ManualClock, Quorum
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import Dag, Join, expire, submit
from flowfabric_conformance.stage import (
    RETRIED,
    claim_ids,
    events_of,
    last_event,
    log,
    look,
    outcomes,
    story,
    unchanged,
    vector,
)

SKIPPED: Final = "terminal/unowned/not_applicable/attempt_terminal/skipped/skipped"
BLOCKED: Final = "runnable/unowned/blocked_by_dependencies/pending_first_attempt/none/waiting_children"
WAITING: Final = "runnable/unowned/eligible_now/pending_first_attempt/none/waiting"

LET_RUN: Final[dict[str, Join]] = {"any": AnyOf("let_run"), "two": Quorum(2, "let_run"), "all": AllOf()}
CANCELLING: Final[dict[str, Join]] = {"any": AnyOf("cancel_remaining"), "two": Quorum(2, "cancel_remaining")}


# ── one upstream ─────────────────────────────────────────────────────────────────────────────────


def test_a_child_may_run_in_the_step_that_completes_its_upstream(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>c")
    blocked = vector(engine, dag["b"])
    clock.advance(5)

    dag.complete("a")

    assert blocked == BLOCKED
    assert vector(engine, dag["b"]) == WAITING
    assert look(engine, dag["b"]).blocking_reason == "waiting_for_worker"
    assert vector(engine, dag["c"]) == BLOCKED
    assert (dag.edge("a", "b").state, dag.edge("b", "c").state) == ("satisfied", "pending")
    assert (dag.group("b").state, dag.counts("b")) == ("satisfied", (1, 1, 0, 0, 0))
    assert story(engine, dag["b"]) == []


def _failed(dag: Dag, clock: ManualClock) -> None:
    dag.fail("a")


def _retries_used_up(dag: Dag, clock: ManualClock) -> None:
    for _ in range(4):
        dag.engine.fail(dag.start("a"), code="boom", retry_after_ms=0)


def _cancelled_while_waiting(dag: Dag, clock: ManualClock) -> None:
    dag.cancel("a")


def _cancelled_while_running(dag: Dag, clock: ManualClock) -> None:
    dag.start("a")
    dag.cancel("a")


def _cancelled_while_held(dag: Dag, clock: ManualClock) -> None:
    dag.engine.hold(dag["a"])
    dag.cancel("a")


def _expired_while_waiting(dag: Dag, clock: ManualClock) -> None:
    expire(dag, clock, "a")


def _expired_while_running(dag: Dag, clock: ManualClock) -> None:
    dag.start("a")
    expire(dag, clock, "a")


def _lost_too_often(dag: Dag, clock: ManualClock) -> None:
    for _ in range(11):
        dag.start("a")
        dag.engine.revoke_lease(dag["a"])


def _skipped(dag: Dag, clock: ManualClock) -> None:
    dag.link("z", "a")
    dag.fail("z")


LOSSES: Final[dict[str, tuple[Callable[[Dag, ManualClock], None], str]]] = {
    "failed": (_failed, "failed"),
    "retries used up": (_retries_used_up, "failed"),
    "cancelled while waiting": (_cancelled_while_waiting, "cancelled"),
    "cancelled while running": (_cancelled_while_running, "cancelled"),
    "cancelled while held": (_cancelled_while_held, "cancelled"),
    "expired while waiting": (_expired_while_waiting, "expired"),
    "expired while running": (_expired_while_running, "expired"),
    "lost too often": (_lost_too_often, "failed"),
    "skipped": (_skipped, "skipped"),
}


@rule_cases("loss", LOSSES, sample=3)
def test_whatever_ends_an_upstream_otherwise_skips_all_who_wait_for_it(
    engine: BlockingEngine, clock: ManualClock, loss: str
) -> None:
    lose, state = LOSSES[loss]
    dag = submit(engine, "a>b>c>d a>e z", nodes={"a": {"deadline_at_ms": clock.now_ms + 1_000, "policy": RETRIED}})

    lose(dag, clock)

    assert dag.state("a") == state
    assert [vector(engine, dag[name]) for name in "bcde"] == [SKIPPED] * 4
    skips = 1 if state == "skipped" else 0
    assert dag.counts("b") == (1, 0, 1 - skips, skips, 0)
    assert dag.counts("c") == (1, 0, 0, 1, 0)
    assert {dag.group(name).state for name in "bcde"} == {"impossible"}
    assert {dag.edge(*pair).state for pair in ("ab", "bc", "cd", "ae")} == {"impossible"}


def test_a_skip_is_told_once_without_a_lease_and_without_an_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    clock.advance(5)

    dag.fail("a")

    assert last_event(engine, dag["b"]) == ("completion", "skipped", {})
    assert story(engine, dag["b"]) == ["completion.skipped"]
    assert engine.list_attempts(dag["b"]) == []
    x = look(engine, dag["b"])
    assert (x.terminal_at_ms, x.started_at_ms, x.lease_epoch, x.failure) == (clock.now_ms, None, 0, None)
    assert engine.get_result(dag["b"]) is None


def test_a_retry_of_the_upstream_is_not_its_end(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", nodes={"a": {"policy": RETRIED}})

    engine.fail(dag.start("a"), code="boom")
    engine.revoke_lease(dag["a"])

    assert vector(engine, dag["b"]) == BLOCKED
    assert dag.counts("b") == (1, 0, 0, 0, 1)


# ── several upstreams ────────────────────────────────────────────────────────────────────────────

TABLE: Final[list[tuple[Join, str, str]]] = [
    (AllOf(), "ccc", "pps"),
    (AllOf(), "ccf", "ppi"),
    (AllOf(), "cfc", "pii"),
    (AllOf(), "fcc", "iii"),
    (AllOf(), "xcc", "iii"),
    (AnyOf("let_run"), "ccc", "sss"),
    (AnyOf("let_run"), "ffc", "pps"),
    (AnyOf("let_run"), "fxc", "pps"),
    (AnyOf("let_run"), "cff", "sss"),
    (AnyOf("let_run"), "ffx", "ppi"),
    (Quorum(2, "let_run"), "ccc", "pss"),
    (Quorum(2, "let_run"), "cfc", "pps"),
    (Quorum(2, "let_run"), "fcc", "pps"),
    (Quorum(2, "let_run"), "ccf", "pss"),
    (Quorum(2, "let_run"), "ffc", "pii"),
    (Quorum(2, "let_run"), "cfx", "ppi"),
    (Quorum(3, "let_run"), "ccc", "pps"),
    (Quorum(3, "let_run"), "ccf", "ppi"),
    (Quorum(3, "let_run"), "fcc", "iii"),
    (Quorum(1, "let_run"), "ffc", "pps"),
    (Quorum(1, "let_run"), "ffx", "ppi"),
]
HOW: Final = {"c": "completed", "f": "failed", "x": "cancelled"}
VERDICT: Final = {"p": "pending", "s": "satisfied", "i": "impossible"}


@rule_cases(("join", "ends", "verdicts"), TABLE, sample=5)
def test_a_join_is_decided_by_how_its_upstreams_end(
    engine: BlockingEngine, clock: ManualClock, join: Join, ends: str, verdicts: str
) -> None:
    dag = submit(engine, "u0>d u1>d u2>d", joins={"d": join})
    seen = []

    for number, how in enumerate(ends):
        dag.end(f"u{number}", HOW[how])
        seen.append((dag.group("d").state, dag.state("d")))

    states = {"pending": "waiting_children", "satisfied": "waiting", "impossible": "skipped"}
    assert seen == [(VERDICT[verdict], states[VERDICT[verdict]]) for verdict in verdicts]
    completed = ends.count("c")
    assert dag.counts("d") == (3, completed, 3 - completed, 0, 0)


@rule_cases("how", ["completed", "failed", "cancelled"])
@pytest.mark.parametrize("join", ["any", "two"])
def test_a_decided_join_only_counts_what_ends_later(
    engine: BlockingEngine, clock: ManualClock, join: str, how: str
) -> None:
    dag = submit(engine, "a>d b>d c>d", joins={"d": LET_RUN[join]})
    dag.complete("a")
    dag.complete("b")
    lease = dag.start("d")
    before = events_of(engine, dag["d"])

    dag.end("c", how)

    assert events_of(engine, dag["d"]) == before
    assert dag.state("d") == "active"
    assert (dag.group("d").state, dag.counts("d")[0], dag.counts("d")[4]) == ("satisfied", 3, 0)
    engine.complete(lease)


def test_an_execution_that_ran_ahead_of_its_siblings_is_not_queued_again_by_them(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>d b>d", joins={"d": AnyOf("let_run")})
    dag.complete("a")
    dag.complete("d")

    dag.complete("b")

    assert dag.state("d") == "completed"
    assert claim_ids(engine, lanes=["d"]) == []


def test_a_skipped_upstream_counts_as_a_skip(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>d c>d", joins={"d": AnyOf("let_run")})

    dag.fail("a")

    assert dag.counts("d") == (2, 0, 0, 1, 1)
    assert dag.state("d") == "waiting_children"


def test_a_diamond_runs_its_end_once(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>d a>c>d")
    for name in "abc":
        dag.complete(name)

    dag.complete("d")

    assert story(engine, dag["d"]) == ["lease.acquired", "completion.completed"]
    assert dag.flow().state == "completed"


def test_a_skip_in_a_diamond_leaves_the_other_arm_alone(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>d a>c>d")
    dag.complete("a")

    dag.fail("b")
    states = dag.states("c", "d")
    dag.complete("c")

    assert states == ["waiting", "skipped"]
    assert dag.states("c", "d") == ["completed", "skipped"]
    assert story(engine, dag["d"]) == ["completion.skipped"]


def test_a_long_chain_is_skipped_to_its_end(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"n{number}" for number in range(600)]
    dag = submit(engine, ">".join(names))

    dag.fail("n0")
    engine.reconcile()

    assert {dag.state(name) for name in names[1:]} == {"skipped"}
    assert dag.flow().state == "failed"
    assert sum(event.event_type == "skipped" for event in log(engine)) == 599


def test_a_wide_fan_runs_to_its_end(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"n{number}" for number in range(600)]
    dag = submit(engine, " ".join(f"root>{name}>end" for name in names), nodes={n: {"lane": "n"} for n in names})

    dag.complete("root")
    engine.reconcile()
    waiting = claim_ids(engine, lanes=["n"])

    assert sorted(waiting) == sorted(dag[name] for name in names)
    assert dag.counts("end") == (600, 0, 0, 0, 600)


# ── upstreams that are no longer needed ──────────────────────────────────────────────────────────


@pytest.mark.parametrize("join", CANCELLING)
def test_a_satisfied_join_cancels_the_upstreams_that_have_not_ended(
    engine: BlockingEngine, clock: ManualClock, join: str
) -> None:
    dag = submit(engine, "a>d b>d run>d wait>d held>d", joins={"d": CANCELLING[join]})
    lease = dag.start("run")
    engine.hold(dag["held"])
    for name in ("a", "b")[: 1 if join == "any" else 2]:
        dag.complete(name)

    assert dag.state("d") == "waiting"
    for name in ("run", "wait", "held"):
        x = look(engine, dag[name])
        assert (x.public_state, x.cancellation_reason, x.cancelled_by) == (
            "cancelled",
            "sibling_quorum_satisfied",
            "engine",
        )
    assert story(engine, dag["run"]) == ["lease.acquired", "lease.revoked", "completion.cancelled"]
    assert story(engine, dag["wait"]) == ["completion.cancelled"]
    assert look(engine, dag["run"]).lease_epoch == lease.lease_epoch + 1
    assert outcomes(engine, dag["run"]) == ["cancelled"]
    assert last_event(engine, dag["wait"])[2] == {"reason": "sibling_quorum_satisfied", "source": "engine"}
    assert dag.group("d").state == "satisfied"
    assert dag.counts("d")[4] == 0


@pytest.mark.parametrize("join", ["any", "two"])
def test_a_satisfied_join_lets_the_others_run_if_it_says_so(
    engine: BlockingEngine, clock: ManualClock, join: str
) -> None:
    dag = submit(engine, "a>d b>d run>d wait>d", joins={"d": LET_RUN[join]})
    lease = dag.start("run")
    dag.complete("a")
    dag.complete("b")

    assert dag.states("d", "run", "wait") == ["waiting", "active", "waiting"]
    engine.complete(lease)
    dag.complete("wait")
    assert dag.counts("d") == (4, 4, 0, 0, 0)


def test_an_impossible_quorum_cancels_the_upstreams_that_can_no_longer_help(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>d b>d c>d e>d", joins={"d": Quorum(3, "cancel_remaining")})
    dag.complete("a")
    dag.fail("b")

    dag.fail("c")

    assert dag.states("a", "d", "e") == ["completed", "skipped", "cancelled"]
    assert look(engine, dag["e"]).cancellation_reason == "sibling_quorum_impossible"
    assert (dag.group("d").state, dag.counts("d")) == ("impossible", (4, 1, 3, 0, 0))


@pytest.mark.parametrize("join", [AllOf(), Quorum(3, "let_run")])
def test_an_impossible_join_that_does_not_say_so_cancels_nobody(
    engine: BlockingEngine, clock: ManualClock, join: Join
) -> None:
    dag = submit(engine, "a>d b>d c>d", joins={"d": join})

    dag.fail("a")

    assert dag.states("b", "c", "d") == ["waiting", "waiting", "skipped"]


def test_who_waits_for_a_cancelled_loser_too_hears_of_it(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>d b>d a>e b>e", joins={"d": AnyOf("cancel_remaining"), "e": AnyOf("cancel_remaining")})

    dag.complete("a")

    assert dag.states("b", "d", "e") == ["cancelled", "waiting", "waiting"]
    assert dag.counts("e") == (2, 1, 1, 0, 0)


def test_an_upstream_that_an_undecided_join_still_needs_is_left_alone(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>d b>d b>e c>e", joins={"d": AnyOf("cancel_remaining")})

    dag.complete("a")
    while_needed = dag.states("b", "d", "e")
    dag.complete("b")
    dag.complete("c")

    assert while_needed == ["waiting", "waiting", "waiting_children"]
    assert dag.states("b", "e") == ["completed", "waiting"]


@pytest.mark.parametrize("other", [AllOf(), AnyOf("let_run"), AnyOf("cancel_remaining")])
def test_an_upstream_is_cancelled_when_its_last_join_is_decided_if_any_of_them_said_so(
    engine: BlockingEngine, clock: ManualClock, other: Join
) -> None:
    dag = submit(engine, "a>d b>d b>e c>e", joins={"d": AnyOf("cancel_remaining"), "e": other})
    dag.complete("a")

    dag.end("c", "failed" if other == AllOf() else "completed")

    assert dag.state("b") == "cancelled"
    assert dag.state("e") == ("skipped" if other == AllOf() else "waiting")


def test_an_upstream_is_needless_when_the_execution_that_needed_it_was_cancelled(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>d b>d b>e c>e", joins={"d": AnyOf("cancel_remaining")})
    dag.complete("a")

    dag.cancel("e")

    assert dag.states("b", "c", "e") == ["cancelled", "waiting", "cancelled"]
    assert dag.group("e").state == "cancelled"


def test_only_direct_upstreams_are_cancelled(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>d g>b>d", joins={"d": AnyOf("cancel_remaining")})

    dag.complete("a")

    assert dag.states("g", "b", "d") == ["waiting", "cancelled", "waiting"]
    dag.complete("g")
    assert dag.state("b") == "cancelled"


def test_fifty_hedged_upstreams_have_one_winner(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"u{number}" for number in range(50)]
    dag = submit(engine, " ".join(f"{name}>d" for name in names), joins={"d": AnyOf("cancel_remaining")})

    dag.complete("u17")

    assert dag.states(*names).count("cancelled") == 49
    assert dag.counts("d") == (50, 1, 49, 0, 0)
    dag.complete("d")
    assert dag.flow().state == "completed"


def test_two_thousand_needless_upstreams_are_all_cancelled(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"u{number}" for number in range(2_000)]
    dag = submit(
        engine,
        " ".join(f"{name}>d" for name in names),
        joins={"d": AnyOf("cancel_remaining")},
        nodes={name: {"lane": "u"} for name in names},
    )
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w1", lanes=["u"])

    engine.complete(claimed.lease)
    engine.reconcile()

    assert claim_ids(engine, lanes=["u"]) == []
    assert dag.counts("d") == (2_000, 1, 1_999, 0, 0)
    assert dag.state("d") == "waiting"


# ── edges that come late ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("how", "state"), [("completed", "waiting"), ("failed", "skipped"), ("cancelled", "skipped")])
@pytest.mark.parametrize("by", ["add_execution", "add_dependency"])
def test_an_upstream_that_has_ended_counts_at_once(
    engine: BlockingEngine, clock: ManualClock, by: str, how: str, state: str
) -> None:
    dag = submit(engine, "a b")
    dag.end("a", how)

    if by == "add_dependency":
        dag.add("c")
        dag.link("a", "c")
    else:
        assert dag.add("c", "a") == state

    assert dag.state("c") == state
    assert dag.edge("a", "c").state == ("satisfied" if how == "completed" else "impossible")
    assert dag.counts("c") == ((1, 1, 0, 0, 0) if how == "completed" else (1, 0, 1, 0, 0))


@rule_cases(
    ("join", "states"),
    [
        (AllOf(), ["skipped"]),
        (AnyOf("let_run"), ["waiting"]),
        (AnyOf("cancel_remaining"), ["waiting"]),
        (Quorum(2, "let_run"), ["waiting_children"]),
    ],
)
def test_a_member_added_after_some_that_ended_and_some_that_did_not(
    engine: BlockingEngine, clock: ManualClock, join: Join, states: list[str]
) -> None:
    dag = submit(engine, "a b c")
    dag.complete("a")
    dag.fail("b")

    state = dag.add("d", "a", "b", "c", join=join)

    assert [state] == states
    assert dag.counts("d")[:4] == (3, 1, 2 if dag.state("c") == "cancelled" else 1, 0)
    assert dag.state("c") == ("cancelled" if join == AnyOf("cancel_remaining") else "waiting")


def test_a_skip_at_birth_is_told(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.fail("a")

    dag.add("c", "a")

    assert story(engine, dag["c"]) == ["completion.skipped"]
    assert dag.flow().state == "running"


def test_a_late_edge_reopens_an_all_of_that_was_satisfied(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b")
    dag.complete("a")
    satisfied = (dag.state("c"), dag.group("c").state)

    dag.link("b", "c")

    assert satisfied == ("waiting", "satisfied")
    assert (dag.state("c"), dag.group("c").state, dag.counts("c")) == ("waiting_children", "pending", (2, 1, 0, 0, 1))
    assert claim_ids(engine, lanes=["c"]) == []
    dag.complete("b")
    assert dag.state("c") == "waiting"


def test_a_late_edge_from_a_lost_upstream_skips_a_child_of_a_satisfied_all_of(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b")
    dag.complete("a")
    dag.fail("b")

    dag.link("b", "c")

    assert (dag.state("c"), dag.group("c").state) == ("skipped", "impossible")


@rule_cases("join", [AnyOf("let_run"), AnyOf("cancel_remaining"), Quorum(1, "let_run")])
@rule_cases("late", ["waiting", "completed", "failed"])
def test_a_late_edge_to_a_satisfied_any_of_or_quorum_is_only_recorded(
    engine: BlockingEngine, clock: ManualClock, join: Join, late: str
) -> None:
    dag = submit(engine, "a>c b", joins={"c": join})
    dag.complete("a")
    if late != "waiting":
        dag.end("b", late)

    dag.link("b", "c")

    assert (dag.state("c"), dag.group("c").state) == ("waiting", "satisfied")
    expected = {"waiting": (2, 1, 0, 0, 1), "completed": (2, 2, 0, 0, 0), "failed": (2, 1, 1, 0, 0)}
    assert dag.counts("c") == expected[late]
    dag.complete("c")


def test_a_child_that_waits_gets_one_more_upstream(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b")

    dag.link("b", "c")
    dag.complete("a")
    after_one = dag.state("c")
    dag.complete("b")

    assert (after_one, dag.state("c")) == ("waiting_children", "waiting")


# ── with delays, deadlines and holds ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("waited_ms", "state"), [(0, "delayed"), (99, "delayed"), (100, "waiting"), (500, "waiting")])
def test_a_child_with_a_delay_waits_for_both(
    engine: BlockingEngine, clock: ManualClock, waited_ms: int, state: str
) -> None:
    until_ms = clock.now_ms + 100
    dag = submit(engine, "a>b", nodes={"b": {"delay_until_ms": until_ms}})
    blocked = dag.state("b")
    clock.advance(waited_ms)
    engine.reconcile()
    still = dag.state("b")

    dag.complete("a")

    assert (blocked, still, dag.state("b")) == ("waiting_children", "waiting_children", state)
    assert look(engine, dag["b"]).delay_until_ms == (until_ms if state == "delayed" else None)
    clock.advance(100)
    engine.reconcile()
    assert claim_ids(engine, lanes=["b"]) == [dag["b"]]


def test_a_late_edge_blocks_a_delayed_child(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b", nodes={"b": {"delay_until_ms": clock.now_ms + 100}})

    dag.link("a", "b")
    clock.advance(100)
    engine.reconcile()

    assert dag.state("b") == "waiting_children"
    dag.complete("a")
    assert dag.state("b") == "waiting"


def test_a_blocked_child_meets_its_deadline(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>c", nodes={"b": {"deadline_at_ms": clock.now_ms + 100}})

    expire(dag, clock, "b")

    assert dag.states("a", "b", "c") == ["waiting", "expired", "skipped"]
    assert dag.group("b").state == "cancelled"
    dag.complete("a")
    assert dag.state("b") == "expired"
    assert dag.counts("b") == (1, 1, 0, 0, 0)
    assert dag.group("b").state == "cancelled"


def test_a_join_that_is_satisfied_while_its_child_is_held_is_only_recorded(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    engine.hold(dag["b"])

    dag.complete("a")
    held = (vector(engine, dag["b"]), dag.group("b").state, claim_ids(engine, lanes=["b"]))
    engine.unhold(dag["b"])

    assert held == ("runnable/unowned/blocked_by_operator/pending_first_attempt/none/waiting", "satisfied", [])
    assert vector(engine, dag["b"]) == WAITING


def test_a_child_that_is_let_go_before_its_join_is_decided_waits_for_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    engine.hold(dag["b"])

    engine.unhold(dag["b"])

    assert vector(engine, dag["b"]) == BLOCKED
    dag.complete("a")
    assert dag.state("b") == "waiting"


def test_a_held_child_is_still_skipped_by_an_impossible_join(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    engine.hold(dag["b"])

    dag.fail("a")

    assert vector(engine, dag["b"]) == SKIPPED


def test_an_edge_to_a_held_child_takes_effect_when_it_is_let_go(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    engine.hold(dag["b"])

    dag.link("a", "b")
    held = look(engine, dag["b"]).blocking_reason
    engine.unhold(dag["b"])

    assert held == "paused_by_operator"
    assert vector(engine, dag["b"]) == BLOCKED


def test_a_held_child_with_a_delay_gets_it_back_once_its_join_is_satisfied(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b", nodes={"b": {"delay_until_ms": clock.now_ms + 100}})
    engine.hold(dag["b"])
    dag.complete("a")

    engine.unhold(dag["b"])

    assert dag.state("b") == "delayed"


def test_a_blocked_child_has_no_place_in_the_queue(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>c", every={"lane": "default"})
    clock.advance(5)

    order = []
    for _ in range(3):
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w1", limit=10)
        order.append(claimed.execution_id)
        engine.complete(claimed.lease)

    assert order == [dag[name] for name in "abc"]


def test_a_child_queues_by_when_its_join_was_satisfied(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>late b>early", nodes={"late": {"lane": "n"}, "early": {"lane": "n"}})
    clock.advance(5)
    dag.complete("b")
    clock.advance(5)
    dag.complete("a")

    assert claim_ids(engine, lanes=["n"]) == [dag["early"], dag["late"]]


def test_joins_of_the_same_instant_queue_by_age(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>x a>y a>z", nodes={name: {"lane": "n"} for name in "xyz"})

    dag.complete("a")

    assert claim_ids(engine, lanes=["n"]) == [dag["x"], dag["y"], dag["z"]]


# ── nothing is told twice ────────────────────────────────────────────────────────────────────────


def test_a_completion_that_is_repeated_counts_once(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": Quorum(2, "let_run")})
    lease = dag.start("a")
    engine.complete(lease)

    with unchanged(engine):
        engine.complete(lease)
        engine.reconcile()

    assert dag.counts("c") == (2, 1, 0, 0, 1)
    assert dag.state("c") == "waiting_children"


@pytest.mark.parametrize("how", ["completed", "failed", "cancelled"])
def test_a_sweep_finds_nothing_left_to_resolve(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    dag = submit(engine, "a>c b>c c>d", joins={"c": AnyOf("let_run")})
    dag.end("a", how)
    dag.end("b", how)

    with unchanged(engine):
        done = engine.reconcile()

    assert (done["unsettled_ends"], done["stuck_joins"], done["side_rows"]) == (0, 0, 0)


def test_two_flows_do_not_touch_each_other(engine: BlockingEngine, clock: ManualClock) -> None:
    first, second = submit(engine, "a>b"), submit(engine, "a>b", namespace="tenant-b")

    first.fail("a")

    assert first.states("a", "b") == ["failed", "skipped"]
    assert second.states("a", "b") == ["waiting", "waiting_children"]
