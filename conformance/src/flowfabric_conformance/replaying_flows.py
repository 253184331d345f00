"""Replaying whole flows: what did not complete, all of it, or members and what follows them; decided at once."""

from typing import Any, Final

import pytest

from flowfabric import (
    AnyOf,
    BlockingEngine,
    ExecutionPolicy,
    FlowNotTerminal,
    FlowReplayed,
    InvalidInput,
    ManualClock,
    MaxReplaysExhausted,
    NotAMember,
    NotFound,
    Quorum,
)
from flowfabric.domain.decide import ending
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import UNKNOWN_FLOW, Dag, submit
from flowfabric_conformance.stage import UNKNOWN, create, last_event, look, refused, unchanged


def _replayed(dag: Dag, *names: str) -> FlowReplayed:
    """The answer that names these members, in the order of their ids."""
    return FlowReplayed(dag.flow_id, tuple(sorted(dag[name] for name in names)))


# ── what did not complete ────────────────────────────────────────────────────────────────────────


def test_what_failed_and_what_was_skipped_because_of_it_lives_again(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>c>d x>y")
    dag.complete("a")
    dag.fail("b")
    dag.complete("x")
    dag.complete("y")
    failed = dag.flow().state

    answer = engine.replay_flow(dag.flow_id)

    assert failed == "failed"
    assert answer == _replayed(dag, "b", "c", "d")
    assert dag.states(*"abcdxy") == [
        "completed",
        "waiting",
        "waiting_children",
        "waiting_children",
        "completed",
        "completed",
    ]
    assert dag.flow().state == "running"
    assert dag.story() == ["completion.flow_failed", "operator.flow_reopened"]
    for name in "bcd":
        dag.complete(name)
    assert dag.flow().state == "completed"


def test_what_was_skipped_lives_again_also_once_the_member_that_had_failed_has_completed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b>c c>d")
    dag.complete("a")
    dag.fail("b")
    engine.replay_execution(dag["b"])
    early = engine.replay_flow(dag.flow_id, dry_run=True)
    dag.complete("b")
    left = dag.states(*"abcd")

    answer = engine.replay_flow(dag.flow_id)

    assert left == ["completed", "completed", "skipped", "skipped"]
    assert early == answer == _replayed(dag, "c", "d")
    assert dag.states(*"abcd") == ["completed", "completed", "waiting", "waiting_children"]
    dag.complete("c")
    dag.complete("d")
    assert dag.flow().state == "completed"


def test_a_cancelled_and_an_expired_member_did_not_complete_either(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b>c", nodes={"b": {"deadline_at_ms": clock.now_ms + 10}})
    dag.cancel("a")
    clock.advance(10)
    engine.reconcile()

    answer = engine.replay_flow(dag.flow_id)

    assert answer == _replayed(dag, "a", "b", "c")
    assert dag.states(*"abc") == ["waiting", "waiting", "waiting_children"]


def test_the_losers_of_a_join_stay_as_they_are(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c c>d", joins={"c": AnyOf("cancel_remaining")})
    dag.complete("a")
    dag.complete("c")
    dag.fail("d")

    answer = engine.replay_flow(dag.flow_id)

    assert answer == _replayed(dag, "d")
    assert dag.states(*"abcd") == ["completed", "cancelled", "completed", "waiting"]


def test_a_loser_lives_again_if_something_could_not_run_without_it(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c b>d f>d", joins={"c": AnyOf("cancel_remaining")})
    dag.complete("a")
    needed = dag.state("b")
    dag.fail("f")

    answer = engine.replay_flow(dag.flow_id)

    assert needed == "waiting"
    assert answer == _replayed(dag, "b", "d", "f")
    for name in "bfdc":
        dag.complete(name)
    assert dag.flow().state == "completed"


@pytest.mark.parametrize("is_held", [False, True])
def test_a_loser_lives_again_if_a_member_waits_for_it_that_was_replayed_by_itself(
    engine: BlockingEngine, clock: ManualClock, is_held: bool
) -> None:
    dag = submit(engine, "a>d b>d b>f", joins={"d": AnyOf("cancel_remaining")})
    dag.cancel("f")
    dag.complete("a")
    dag.complete("d")
    engine.replay_execution(dag["f"])
    if is_held:
        engine.hold(dag["f"], reason="test")
    left = dag.states(*"abd")

    answer = engine.replay_flow(dag.flow_id)

    assert left == ["completed", "cancelled", "completed"]
    assert answer == _replayed(dag, "b")
    dag.complete("b")
    if is_held:
        engine.unhold(dag["f"])
    dag.complete("f")
    assert dag.flow().state == "completed"


def test_what_was_cancelled_because_a_join_had_become_impossible_lives_again_with_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>d b>d c>d", joins={"d": Quorum(2, "cancel_remaining")})
    dag.fail("a")
    dag.fail("b")
    lost = dag.states("c", "d")

    answer = engine.replay_flow(dag.flow_id)

    assert lost == ["cancelled", "skipped"]
    assert answer == _replayed(dag, *"abcd")


def test_in_a_running_flow_what_has_failed_is_replayed_and_the_rest_goes_on(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a b>c")
    lease = dag.start("a")
    dag.fail("b")

    answer = engine.replay_flow(dag.flow_id)

    assert answer == _replayed(dag, "b", "c")
    assert dag.events() == []
    engine.complete(lease)
    dag.complete("b")
    dag.complete("c")
    assert dag.flow().state == "completed"


def test_with_nothing_to_replay_nothing_changes(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": AnyOf("cancel_remaining")})
    dag.complete("a")
    dag.complete("c")

    with unchanged(engine):
        answers = [engine.replay_flow(dag.flow_id), engine.replay_flow(dag.flow_id, what=[])]

    assert answers == [FlowReplayed(dag.flow_id, ())] * 2


def test_steps_are_kept_and_every_member_is_told(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    lease = dag.start("a")
    engine.record_step(lease, "charge", b"paid")
    engine.fail(lease, code="boom", retryable=False)

    engine.replay_flow(dag.flow_id)

    assert [step.name for step in engine.list_steps(dag["a"])] == ["charge"]
    assert last_event(engine, dag["a"]) == (
        "operator",
        "replayed",
        {
            "branch": "normal",
            "groups_reset": 0,
            "previous_outcome": "failed",
            "previous_attempt": 0,
            "steps": "kept",
            "steps_kept": 1,
            "from_step": None,
        },
    )
    assert last_event(engine, dag["b"])[2]["branch"] == "skipped_flow_member"


def test_what_is_replayed_is_handed_what_its_upstreams_return_now(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(
        engine,
        "a>t b>t c>t",
        passing={"a>t": "a", "b>t": "b", "c>t": "c"},
        joins={"t": Quorum(2, "let_run")},
    )
    dag.complete("a", b"a")
    dag.complete("b", b"b")
    dag.fail("c")
    dag.fail("t")

    engine.replay_flow(dag.flow_id, what=[dag["a"], dag["c"]])
    waiting = (dag.state("t"), dag.edge("b", "t").state, dag.edge("a", "t").state)
    dag.complete("c", b"c")

    assert waiting == ("waiting_children", "satisfied", "pending")
    assert dag.claim("t").inputs == {"b": b"b", "c": b"c"}


# ── all of it, and members by their names ────────────────────────────────────────────────────────


def test_all_of_a_flow_is_done_again_from_scratch(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"})
    lease = dag.start("a")
    engine.record_step(lease, "charge", b"paid")
    engine.complete(lease, b"one")
    dag.fail("b")

    answer = engine.replay_flow(dag.flow_id, what="all")

    assert answer == _replayed(dag, "a", "b")
    assert dag.states("a", "b") == ["waiting", "waiting_children"]
    assert engine.list_steps(dag["a"]) == []
    assert engine.get_result(dag["a"]) is None
    assert last_event(engine, dag["b"])[2]["steps"] == "cleared"
    dag.complete("a", b"two")
    assert dag.claim("b").inputs == {"it": b"two"}


def test_all_of_a_flow_may_keep_its_steps(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    lease = dag.start("a")
    engine.record_step(lease, "charge", b"paid")
    engine.complete(lease)

    engine.replay_flow(dag.flow_id, what="all", steps="keep")

    assert [step.name for step in engine.list_steps(dag["a"])] == ["charge"]


def test_named_members_are_replayed_with_everything_downstream_of_them(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b>d a>c>e")
    for name in "abcde":
        dag.complete(name)

    answer = engine.replay_flow(dag.flow_id, what=[dag["b"][-36:], dag["d"]])  # a uuid alone names a member, too

    assert answer == _replayed(dag, "b", "d")
    assert dag.states(*"abcde") == ["completed", "waiting", "completed", "waiting_children", "completed"]


def test_a_member_that_has_not_ended_is_not_replayed(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b x")
    dag.complete("a")

    for what in ("all", [dag["a"]], [dag["b"]]):
        with refused(engine, FlowNotTerminal):
            engine.replay_flow(dag.flow_id, what=what)


def test_a_foreign_member_is_none_and_an_unknown_flow_is_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    other = submit(engine, "a")
    dag.fail("a")
    other.fail("a")

    for stranger in (other["a"], create(engine), UNKNOWN):
        with refused(engine, NotAMember):
            engine.replay_flow(dag.flow_id, what=[dag["a"], stranger])
    with refused(engine, NotFound):
        engine.replay_flow(UNKNOWN_FLOW)


def test_one_member_that_may_not_be_replayed_refuses_the_whole_call(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", nodes={"b": {"policy": ExecutionPolicy(max_replays=0)}})
    dag.fail("a")

    with refused(engine, MaxReplaysExhausted) as caught:
        engine.replay_flow(dag.flow_id)

    assert dag["b"] in str(caught.value)


@rule_cases(
    "wrong",
    [{"what": "some"}, {"what": None}, {"what": ["no id"]}, {"what": {}}, {"steps": "drop"}, {"dry_run": 1}],
    ids=str,
)
def test_a_replay_of_a_flow_that_makes_no_sense_is_refused(
    engine: BlockingEngine, clock: ManualClock, wrong: dict[str, Any]
) -> None:
    dag = submit(engine, "a")

    with refused(engine, InvalidInput):
        engine.replay_flow(dag.flow_id, **wrong)


def test_a_dry_run_says_the_same_and_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b c")
    dag.fail("a")

    with unchanged(engine):
        answer = engine.replay_flow(dag.flow_id, dry_run=True)
    with refused(engine, FlowNotTerminal):
        engine.replay_flow(dag.flow_id, what="all", dry_run=True)

    assert answer == engine.replay_flow(dag.flow_id)


# ── cancelled flows ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending", "flow_only"])
def test_a_cancelled_flow_lives_again_and_its_cancel_is_forgotten(
    engine: BlockingEngine, clock: ManualClock, policy: Any
) -> None:
    dag = submit(engine, "a>b f c")
    dag.complete("c")
    lease = dag.start("a")
    dag.fail("f")
    engine.cancel_flow(dag.flow_id, reason="by mistake", policy=policy)
    owed = dag.flow().pending_cancel_acks

    answer = engine.replay_flow(dag.flow_id)

    flow = dag.flow()
    assert (flow.state, flow.cancel_reason, flow.cancellation_policy) == ("running", None, None)
    assert (owed, flow.pending_cancel_acks) == ([dag["a"]] if policy == "cancel_all" else [], [])
    assert (
        set(answer.execution_ids)
        == {
            "cancel_all": {dag["a"], dag["b"], dag["f"]},
            "cancel_pending": {dag["b"], dag["f"]},
            "flow_only": {dag["f"]},
        }[policy]
    )
    assert dag.story()[-1] == "operator.flow_reopened"
    if policy == "cancel_all":
        dag.complete("a")
    else:
        engine.complete(lease)
    for name in "bf":
        dag.complete(name)
    assert dag.flow().state == "completed"


def test_a_flow_that_was_reopened_can_be_cancelled_again(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.start("a")
    engine.cancel_flow(dag.flow_id, reason="first")
    engine.replay_flow(dag.flow_id)
    dag.start("b")

    second = engine.cancel_flow(dag.flow_id, reason="second")
    again = engine.cancel_flow(dag.flow_id, reason="third")

    assert set(second.member_execution_ids) == {dag["a"], dag["b"]}
    assert again.member_execution_ids == second.member_execution_ids
    assert dag.flow().pending_cancel_acks == [dag["b"]]
    engine.ack_cancel_member(dag.flow_id, dag["a"])
    assert dag.flow().pending_cancel_acks == [dag["b"]]


def test_a_worker_of_the_cancelled_life_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    lease = dag.start("a")
    engine.cancel_flow(dag.flow_id, reason="stop")
    engine.replay_flow(dag.flow_id)

    engine.ack_cancel_member(dag.flow_id, dag["a"])
    (lost,) = engine.renew_all([lease])

    assert getattr(lost, "code", None) == "execution_not_active"
    assert dag.state("a") == "waiting"


# ── large flows ──────────────────────────────────────────────────────────────────────────────────


AT_ONCE: Final = 3
"""How many members are brought back in one transaction here; it is far more otherwise."""


def _come_back(engine: BlockingEngine) -> None:
    while engine.reconcile()["unsettled_ends"]:
        pass


def test_a_large_flow_comes_back_by_and_by_and_lives_from_the_first_moment_on(
    engine: BlockingEngine, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    dag = submit(engine, "a>b>c>d>e>f>g>h")
    for name in "abcdefgh":
        dag.complete(name)
    clock.advance(5)

    monkeypatch.setattr(ending, "CASCADE_MAX", AT_ONCE)
    answer = engine.replay_flow(dag.flow_id, what="all")
    at_first = dag.states(*"abcdefgh")
    lives = dag.flow().state
    with refused(engine, FlowNotTerminal):
        engine.replay_flow(dag.flow_id, what="all")
    nothing = engine.replay_flow(dag.flow_id)
    with pytest.raises(TimeoutError):
        engine.wait_for_result(dag["a"], timeout_ms=0)
    why = engine.explain(dag["a"])
    _come_back(engine)

    assert len(answer.execution_ids) == 8
    assert "comes back to life in a moment" in why
    assert at_first == ["completed"] * 5 + ["waiting_children"] * 3
    assert lives == "running"
    assert nothing == FlowReplayed(dag.flow_id, ())
    assert dag.states(*"abcdefgh") == ["waiting"] + ["waiting_children"] * 7
    assert {look(engine, dag[name]).replay_count for name in "abcdefgh"} == {1}
    for name in "abcdefgh":
        dag.complete(name)
    assert dag.story() == ["completion.flow_completed", "operator.flow_reopened", "completion.flow_completed"]


def test_an_end_that_comes_while_a_flow_comes_back_is_heard_by_those_who_come_later(
    engine: BlockingEngine, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    dag = submit(engine, "live>a f>a a>b>c>d>e")
    lease = dag.start("live")
    dag.fail("f")

    monkeypatch.setattr(ending, "CASCADE_MAX", AT_ONCE)
    engine.replay_flow(dag.flow_id)
    at_first = dag.states("f", "a")
    engine.fail(lease, code="boom", retryable=False)
    _come_back(engine)

    assert at_first == ["failed", "skipped"]
    assert dag.states(*"abcde") == ["skipped"] * 5
    assert dag.state("f") == "waiting"


def test_what_a_member_needs_that_is_about_to_be_back_is_not_cancelled_as_needless(
    engine: BlockingEngine, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    dag = submit(engine, "a>c u>c u>x f>x x>p>q>r", joins={"c": AnyOf("cancel_remaining")})
    dag.fail("f")
    monkeypatch.setattr(ending, "CASCADE_MAX", AT_ONCE)
    engine.replay_flow(dag.flow_id)
    at_first = dag.states("x", "f")

    dag.complete("a")
    _come_back(engine)

    assert at_first == ["skipped", "failed"]
    assert dag.states("c", "u", "x") == ["waiting", "waiting", "waiting_children"]


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending", "flow_only"])
def test_a_flow_that_is_cancelled_while_it_comes_back_brings_nobody_back_who_was_not(
    engine: BlockingEngine, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, policy: Any
) -> None:
    dag = submit(engine, "a>b>c>d>e>f")
    dag.fail("a")
    monkeypatch.setattr(ending, "CASCADE_MAX", AT_ONCE)
    engine.replay_flow(dag.flow_id)

    engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)
    _come_back(engine)

    if policy == "flow_only":
        assert dag.states(*"abcdef") == ["waiting"] + ["waiting_children"] * 5
    else:
        assert dag.states(*"abcdef") == ["failed", "skipped", "skipped", "cancelled", "cancelled", "cancelled"]
        assert engine.replay_flow(dag.flow_id) == _replayed(dag, *"abcdef")


def test_a_member_that_is_cancelled_before_it_is_back_ends_as_cancelled(
    engine: BlockingEngine, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    dag = submit(engine, "a>b>c>d>e>f")
    dag.fail("a")
    monkeypatch.setattr(ending, "CASCADE_MAX", AT_ONCE)
    engine.replay_flow(dag.flow_id)

    dag.cancel("b")
    _come_back(engine)

    assert dag.states(*"abcdef") == ["waiting", "cancelled", "skipped", "skipped", "skipped", "skipped"]


def test_a_new_member_waits_for_one_that_is_about_to_be_back(
    engine: BlockingEngine, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    dag = submit(engine, "a>b>c>d>e>f")
    dag.fail("a")
    monkeypatch.setattr(ending, "CASCADE_MAX", AT_ONCE)
    engine.replay_flow(dag.flow_id)

    added = dag.add("g", "a")
    _come_back(engine)
    dag.complete("a")

    assert added == "waiting_children"
    assert dag.states("b", "g") == ["waiting", "waiting"]
