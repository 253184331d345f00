"""Cancelling flows: as far as the policy says, in one step, and final: nothing of it comes back to life."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from flowfabric import (
    AnyOf,
    BlockingEngine,
    Completed,
    ExecutionNotActive,
    ExecutionPolicy,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowSnapshot,
    FlowTerminal,
    Lease,
    ManualClock,
    NotFound,
    TerminalFailed,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import UNKNOWN_FLOW, Dag, create_flow, submit
from flowfabric_conformance.stage import (
    RETRIED,
    UNKNOWN,
    Started,
    claim_ids,
    create,
    events_of,
    last_event,
    look,
    outcomes,
    refused,
    story,
    unchanged,
    vector,
)

CANCELLED: Final = "cancelled/unowned/not_applicable/cancelled/cancelled/cancelled"


class Mixed:
    """A flow with a member in every state that matters to a cancel."""

    def __init__(self, engine: BlockingEngine, clock: ManualClock) -> None:
        self.dag = dag = submit(
            engine,
            "done>run done>held done>retry>blocked late lost",
            nodes={"late": {"delay_until_ms": clock.now_ms + 60_000}, "retry": {"policy": RETRIED}},
        )
        dag.complete("done", b"result")
        dag.fail("lost")
        self.lease = dag.start("run")
        engine.hold(dag["held"])
        engine.fail(dag.start("retry"), code="boom")
        self.idle = ["held", "retry", "blocked", "late"]
        self.live = ["run", *self.idle]


def _ids(dag: Dag, names: list[str]) -> list[str]:
    return sorted(dag[name] for name in names)


# ── three policies ───────────────────────────────────────────────────────────────────────────────


def test_cancelling_all_ends_every_live_member(engine: BlockingEngine, clock: ManualClock) -> None:
    mixed = Mixed(engine, clock)
    dag = mixed.dag
    clock.advance(5)

    answer = engine.cancel_flow(dag.flow_id, reason="no longer wanted")

    assert isinstance(answer, FlowCancelled)
    assert answer.cancellation_policy == "cancel_all"
    assert sorted(answer.member_execution_ids) == _ids(dag, mixed.live)
    for name in mixed.live:
        assert vector(engine, dag[name]) == CANCELLED
        x = look(engine, dag[name])
        assert (x.cancellation_reason, x.cancelled_by, x.terminal_at_ms) == (
            "no longer wanted",
            "cancel_flow",
            clock.now_ms,
        )
        assert last_event(engine, dag[name]) == (
            "completion",
            "cancelled",
            {"reason": "no longer wanted", "source": "cancel_flow"},
        )
    assert dag.states("done", "lost") == ["completed", "failed"]
    assert engine.get_result(dag["done"]) == b"result"


def test_a_cancelled_flow_says_why_how_and_whom_it_waits_for(engine: BlockingEngine, clock: ManualClock) -> None:
    mixed = Mixed(engine, clock)
    dag = mixed.dag
    clock.advance(5)

    engine.cancel_flow(dag.flow_id, reason="no longer wanted")

    flow = dag.flow()
    assert (flow.state, flow.terminal_at_ms) == ("cancelled", clock.now_ms)
    assert (flow.cancel_reason, flow.cancellation_policy) == ("no longer wanted", "cancel_all")
    assert flow.pending_cancel_acks == [dag["run"]]
    (listed,) = engine.list_flows(state="cancelled").items
    assert isinstance(listed, FlowSnapshot)
    assert listed.pending_cancel_acks == [dag["run"]]
    assert dag.story() == ["operator.flow_cancel_requested", "completion.flow_cancelled"]
    requested, cancelled = dag.events()
    assert requested.details == {
        "flow_id": dag.flow_id,
        "cancellation_policy": "cancel_all",
        "reason": "no longer wanted",
        "member_count": 5,
    }
    assert (requested.seq, cancelled.seq, cancelled.details) == (1, 2, {})


def test_a_leased_member_loses_its_lease_to_the_cancel(engine: BlockingEngine, clock: ManualClock) -> None:
    mixed = Mixed(engine, clock)

    engine.cancel_flow(mixed.dag.flow_id, reason="stop")

    run = mixed.dag["run"]
    assert story(engine, run) == ["lease.acquired", "lease.revoked", "completion.cancelled"]
    assert look(engine, run).lease_epoch == mixed.lease.lease_epoch + 1
    assert outcomes(engine, run) == ["cancelled"]
    for act in (engine.renew, engine.complete, engine.release):
        with refused(engine, ExecutionNotActive) as caught:
            act(mixed.lease)
        assert caught.value.public_state == "cancelled"


def test_members_nobody_held_lose_no_lease(engine: BlockingEngine, clock: ManualClock) -> None:
    mixed = Mixed(engine, clock)
    before = {name: (look(engine, mixed.dag[name]).lease_epoch, story(engine, mixed.dag[name])) for name in mixed.idle}

    engine.cancel_flow(mixed.dag.flow_id, reason="stop")

    for name, (epoch, told) in before.items():
        assert look(engine, mixed.dag[name]).lease_epoch == epoch
        assert story(engine, mixed.dag[name]) == [*told, "completion.cancelled"]


def test_members_that_had_ended_are_left_alone(engine: BlockingEngine, clock: ManualClock) -> None:
    mixed = Mixed(engine, clock)
    before = [(look(engine, mixed.dag[name]), events_of(engine, mixed.dag[name])) for name in ("done", "lost")]

    engine.cancel_flow(mixed.dag.flow_id, reason="stop")

    assert [(look(engine, mixed.dag[name]), events_of(engine, mixed.dag[name])) for name in ("done", "lost")] == before


def test_cancelling_what_is_pending_spares_what_runs(engine: BlockingEngine, clock: ManualClock) -> None:
    mixed = Mixed(engine, clock)
    dag = mixed.dag

    answer = engine.cancel_flow(dag.flow_id, reason="stop", policy="cancel_pending")

    assert isinstance(answer, FlowCancelled)
    assert (answer.cancellation_policy, sorted(answer.member_execution_ids)) == (
        "cancel_pending",
        _ids(dag, mixed.idle),
    )
    assert dag.states("run", *mixed.idle) == ["active", "cancelled", "cancelled", "cancelled", "cancelled"]
    assert (dag.flow().state, dag.flow().pending_cancel_acks) == ("cancelled", [])
    engine.renew(mixed.lease)
    assert engine.complete(mixed.lease, b"late") == Completed(dag["run"])
    assert (dag.state("run"), engine.get_result(dag["run"])) == ("completed", b"late")


def test_cancelling_the_flow_only_spares_every_member(engine: BlockingEngine, clock: ManualClock) -> None:
    mixed = Mixed(engine, clock)
    dag = mixed.dag
    before = {name: look(engine, dag[name]) for name in dag.ids}

    answer = engine.cancel_flow(dag.flow_id, reason="stop", policy="flow_only")

    assert answer == FlowCancelled("flow_only", [])
    assert {name: look(engine, dag[name]) for name in dag.ids} == before
    assert (dag.flow().state, dag.flow().cancellation_policy) == ("cancelled", "flow_only")
    assert dag.events()[0].details["member_count"] == 0


def test_members_of_a_flow_cancelled_by_itself_go_on_as_ever(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>c a>d", nodes={"a": {"policy": RETRIED}})
    lease = dag.start("a")
    engine.cancel_flow(dag.flow_id, reason="stop", policy="flow_only")

    engine.fail(lease, code="boom", retry_after_ms=0)
    engine.release(dag.start("a"))
    dag.complete("a")
    dag.complete("b")
    dag.fail("d")
    dag.complete("c")

    assert dag.states("a", "b", "c", "d") == ["completed", "completed", "completed", "failed"]
    assert dag.flow().state == "cancelled"
    assert dag.story() == ["operator.flow_cancel_requested", "completion.flow_cancelled"]


def test_a_flow_without_live_members_or_without_any_can_be_cancelled(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = create_flow(engine)

    answer = engine.cancel_flow(dag.flow_id, reason="stop")

    assert answer == FlowCancelled("cancel_all", [])
    assert dag.flow().state == "cancelled"
    with refused(engine, FlowTerminal):
        dag.add("a")


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending"])
def test_members_end_as_cancelled_and_never_as_skipped_whatever_their_edges(
    engine: BlockingEngine, clock: ManualClock, policy: Any
) -> None:
    dag = submit(engine, "a>b>c>d a>e>d x>d", joins={"d": AnyOf("cancel_remaining")})

    engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)

    assert dag.states(*"abcdex") == ["cancelled"] * 6
    for name in dag.ids:
        assert story(engine, dag[name]) == ["completion.cancelled"]
        assert look(engine, dag[name]).cancelled_by == "cancel_flow"
    assert {group.state for group in dag.flow().groups} == {"cancelled"}


def test_the_edges_of_cancelled_members_are_counted(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c")
    dag.complete("a")

    engine.cancel_flow(dag.flow_id, reason="stop")

    assert dag.counts("c") == (2, 1, 1, 0, 0)
    assert (dag.edge("a", "c").state, dag.edge("b", "c").state) == ("satisfied", "impossible")


def test_what_the_policy_spares_is_not_cancelled_as_needless_either(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>d run>d run>needs_it", joins={"d": AnyOf("cancel_remaining")})
    lease = dag.start("run")
    dag.complete("a")

    engine.cancel_flow(dag.flow_id, reason="stop", policy="cancel_pending")

    assert dag.states("a", "d", "needs_it", "run") == ["completed", "cancelled", "cancelled", "active"]
    engine.complete(lease)


def test_a_flow_of_a_thousand_members_is_cancelled_in_one_step(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"n{number}" for number in range(1_000)]
    dag = submit(engine, " ".join(f"root>{name}" for name in names))

    answer = engine.cancel_flow(dag.flow_id, reason="stop")

    assert isinstance(answer, FlowCancelled)
    assert len(answer.member_execution_ids) == 1_001
    page = engine.list_executions(flow_id=dag.flow_id, public_state="cancelled", limit=1_000)
    assert len(page.items) == 1_000


# ── nothing comes back ───────────────────────────────────────────────────────────────────────────


def _expire_lease(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> object:
    clock.advance(lease.expires_at_ms - clock.now_ms)
    return engine.reconcile()


def _time_out(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> object:
    clock.advance(10_000)
    return engine.reconcile()


BACK_TO_THE_QUEUE: Final[dict[str, Callable[[BlockingEngine, ManualClock, Lease], object]]] = {
    "fails with retries left": lambda engine, clock, lease: engine.fail(lease, code="boom"),
    "fails for good": lambda engine, clock, lease: engine.fail(lease, code="boom", retryable=False),
    "is released": lambda engine, clock, lease: engine.release(lease),
    "is delayed": lambda engine, clock, lease: engine.delay(lease, until_ms=clock.now_ms + 5),
    "is revoked": lambda engine, clock, lease: engine.revoke_lease(lease.execution_id),
    "expires": _expire_lease,
    "times out": _time_out,
}


@pytest.mark.parametrize("max_interruptions", [0, 10])
@rule_cases("how", BACK_TO_THE_QUEUE)
def test_a_member_that_was_spared_is_cancelled_when_it_would_be_queued_again_or_fail(
    engine: BlockingEngine, clock: ManualClock, how: str, max_interruptions: int
) -> None:
    policy = ExecutionPolicy(
        retry=RETRIED.retry,
        attempt_timeout_ms=10_000 if how == "times out" else None,
        max_interruptions=max_interruptions,
    )
    dag = submit(engine, "run>after", nodes={"run": {"policy": policy}})
    lease = dag.start("run")
    engine.cancel_flow(dag.flow_id, reason="stop", policy="cancel_pending")

    answer = BACK_TO_THE_QUEUE[how](engine, clock, lease)

    assert vector(engine, dag["run"]) == CANCELLED
    x = look(engine, dag["run"])
    assert (x.cancellation_reason, x.cancelled_by, x.delay_until_ms) == ("stop", "cancel_flow", None)
    assert last_event(engine, dag["run"])[:2] == ("completion", "cancelled")
    assert sum(event.channel == "completion" for event in events_of(engine, dag["run"])) == 1
    if how.startswith("fails"):
        assert answer == TerminalFailed(dag["run"])
    clock.advance(1_000_000)
    with unchanged(engine):
        engine.reconcile()
    assert claim_ids(engine, lanes=["run", "after"]) == []


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending"])
def test_time_brings_nothing_of_a_cancelled_flow_back(engine: BlockingEngine, clock: ManualClock, policy: Any) -> None:
    mixed = Mixed(engine, clock)
    engine.cancel_flow(mixed.dag.flow_id, reason="stop", policy=policy)
    clock.advance(1_000_000)
    engine.reconcile()
    lanes = list(mixed.dag.ids)

    with unchanged(engine):
        clock.advance(1_000_000)
        engine.reconcile()
        assert claim_ids(engine, lanes=lanes) == []

    assert set(mixed.dag.states(*mixed.live)) == {"cancelled"}


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending"])
@rule_cases("name", ["done", "lost", "held"])
def test_no_member_of_a_cancelled_flow_can_be_replayed(
    engine: BlockingEngine, clock: ManualClock, policy: Any, name: str
) -> None:
    mixed = Mixed(engine, clock)
    engine.cancel_flow(mixed.dag.flow_id, reason="stop", policy=policy)

    with refused(engine, FlowTerminal):
        engine.replay_execution(mixed.dag[name])


def test_a_member_of_a_flow_that_was_cancelled_by_itself_can_be_replayed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.fail("a")
    dag.add("c")
    engine.cancel_flow(dag.flow_id, reason="stop", policy="flow_only")

    engine.replay_execution(dag["a"])
    dag.complete("a")

    assert dag.state("a") == "completed"
    assert dag.flow().state == "cancelled"


# ── cancelling again ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending", "flow_only"])
def test_cancelling_again_tells_what_the_first_cancel_did(
    engine: BlockingEngine, clock: ManualClock, policy: Any
) -> None:
    mixed = Mixed(engine, clock)
    dag = mixed.dag
    first = engine.cancel_flow(dag.flow_id, reason="first", policy=policy)
    assert isinstance(first, FlowCancelled)
    clock.advance(5)

    with unchanged(engine):
        again = engine.cancel_flow(dag.flow_id, reason="second")

    assert again == FlowAlreadyTerminal(policy, "first", first.member_execution_ids)
    assert type(again.member_execution_ids) is list


def test_cancelling_again_tells_the_same_whatever_was_acknowledged_and_ended_since(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    mixed = Mixed(engine, clock)
    dag = mixed.dag
    first = engine.cancel_flow(dag.flow_id, reason="first", policy="cancel_all")
    assert isinstance(first, FlowCancelled)
    engine.ack_cancel_member(dag.flow_id, dag["run"])
    clock.advance(1_000_000)
    engine.reconcile()

    again = engine.cancel_flow(dag.flow_id, reason="second", policy="flow_only")

    assert again == FlowAlreadyTerminal("cancel_all", "first", first.member_execution_ids)


def test_members_that_ended_after_a_sparing_cancel_are_not_told_as_cancelled_by_it(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    mixed = Mixed(engine, clock)
    dag = mixed.dag
    engine.cancel_flow(dag.flow_id, reason="stop", policy="cancel_pending")
    engine.release(mixed.lease)

    again = engine.cancel_flow(dag.flow_id, reason="again")

    assert sorted(again.member_execution_ids) == _ids(dag, mixed.idle)


@pytest.mark.parametrize("how", ["completed", "failed"])
@rule_cases("policy", ["cancel_all", "cancel_pending", "flow_only"])
def test_a_flow_that_is_over_cannot_be_cancelled(
    engine: BlockingEngine, clock: ManualClock, policy: Any, how: str
) -> None:
    dag = submit(engine, "a")
    dag.end("a", how)

    with unchanged(engine):
        answer = engine.cancel_flow(dag.flow_id, reason="too late", policy=policy)

    assert answer == FlowAlreadyTerminal(None, None, [])
    assert dag.flow().state == how


def test_cancelling_an_unknown_flow_is_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound) as caught:
        engine.cancel_flow(UNKNOWN_FLOW, reason="stop")

    assert caught.value.entity == "flow"


# ── acknowledging ────────────────────────────────────────────────────────────────────────────────


def _two_running(engine: BlockingEngine) -> Dag:
    dag = submit(engine, "a b c")
    dag.start("a")
    dag.start("b")
    engine.cancel_flow(dag.flow_id, reason="stop")
    return dag


def test_each_worker_acknowledges_for_its_own_member(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = _two_running(engine)
    owed = [sorted(dag.flow().pending_cancel_acks)]

    for name in "ab":
        engine.ack_cancel_member(dag.flow_id, dag[name])
        owed.append(list(dag.flow().pending_cancel_acks))

    assert owed == [sorted([dag["a"], dag["b"]]), [dag["b"]], []]


def test_an_acknowledgement_is_not_told_and_changes_no_member(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = _two_running(engine)
    before = (look(engine, dag["a"]), engine.read_events(limit=1000).events)

    engine.ack_cancel_member(dag.flow_id, dag["a"])

    assert (look(engine, dag["a"]), engine.read_events(limit=1000).events) == before


def test_acknowledging_what_is_not_owed_is_fine(engine: BlockingEngine, clock: ManualClock) -> None:
    dag, other, solo = _two_running(engine), submit(engine, "x"), create(engine)
    engine.ack_cancel_member(dag.flow_id, dag["a"])

    with unchanged(engine):
        engine.ack_cancel_member(dag.flow_id, dag["a"])
        for execution_id in (dag["c"], other["x"], solo, UNKNOWN):
            engine.ack_cancel_member(dag.flow_id, execution_id)
        engine.ack_cancel_member(other.flow_id, other["x"])
        engine.ack_cancel_member(other.flow_id, dag["b"])

    assert dag.flow().pending_cancel_acks == [dag["b"]]


def test_acknowledging_to_an_unknown_flow_is_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound) as caught:
        engine.ack_cancel_member(UNKNOWN_FLOW, UNKNOWN)

    assert caught.value.entity == "flow"


@pytest.mark.parametrize(("waited_ms", "acked"), [(29_999, 0), (30_000, 1), (30_001, 1)])
def test_a_lost_worker_is_acknowledged_for_once_its_lease_would_have_ended(
    engine: BlockingEngine, clock: ManualClock, waited_ms: int, acked: int
) -> None:
    dag = submit(engine, "a")
    dag.start("a")
    engine.cancel_flow(dag.flow_id, reason="stop")
    clock.advance(waited_ms)

    done = engine.reconcile()

    assert done["overdue_acks"] == acked
    assert dag.flow().pending_cancel_acks == ([] if acked else [dag["a"]])


def test_each_lost_worker_has_its_own_time(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.claim("a", lease_ttl_ms=100)
    dag.claim("b", lease_ttl_ms=200)
    engine.cancel_flow(dag.flow_id, reason="stop")
    clock.advance(100)

    engine.reconcile()

    assert dag.flow().pending_cancel_acks == [dag["b"]]


def test_a_lease_that_ran_out_unnoticed_is_owed_no_longer_than_to_the_next_sweep(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a")
    dag.start("a")
    clock.advance(40_000)
    engine.cancel_flow(dag.flow_id, reason="stop")
    owed = list(dag.flow().pending_cancel_acks)

    engine.reconcile()

    assert owed == [dag["a"]]
    assert dag.flow().pending_cancel_acks == []


# ── waiting ──────────────────────────────────────────────────────────────────────────────────────


def test_a_cancel_that_nobody_has_to_acknowledge_does_not_wait(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")

    answer = Started(lambda: engine.cancel_flow(dag.flow_id, reason="stop", wait=True)).answer()

    assert isinstance(answer, FlowCancelled)
    assert dag.states("a", "b") == ["cancelled", "cancelled"]


def test_a_cancel_that_waits_returns_with_the_last_acknowledgement(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.start("a")
    dag.start("b")
    engine.cancel_flow(dag.flow_id, reason="stop")
    waiting = Started(lambda: engine.cancel_flow(dag.flow_id, reason="stop", wait=True))

    engine.ack_cancel_member(dag.flow_id, dag["a"])
    after_one = waiting.has_answered
    engine.ack_cancel_member(dag.flow_id, dag["b"])
    answer = waiting.answer()

    assert after_one is False
    assert sorted(answer.member_execution_ids) == sorted([dag["a"], dag["b"]])
    assert dag.flow().pending_cancel_acks == []


def test_a_cancel_that_waits_returns_once_a_lost_worker_was_acknowledged_for(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a")
    dag.start("a")
    engine.cancel_flow(dag.flow_id, reason="stop")
    waiting = Started(lambda: engine.cancel_flow(dag.flow_id, reason="stop", wait=True))
    clock.advance(30_000)

    engine.reconcile()

    assert isinstance(waiting.answer(), FlowAlreadyTerminal)


def test_a_failure_reported_twice_in_a_cancelled_flow_gets_the_same_answer(engine: BlockingEngine) -> None:
    dag = submit(engine, "a b")
    lease = dag.start("a")
    engine.cancel_flow(dag.flow_id, reason="stop", policy="cancel_pending")
    first = engine.fail(lease, code="boom")

    with unchanged(engine):
        second = engine.fail(lease, code="boom")

    assert first == second == TerminalFailed(dag["a"])
    assert dag.state("a") == "cancelled"
