"""A join fires once, at the right moment, whatever order its upstreams, its edges and the sweeps come in."""

import pytest

from flowfabric import (
    AllOf,
    AnyOf,
    BlockingEngine,
    CycleDetected,
    ExecutionNotActive,
    FlowGraph,
    InvalidInput,
    ManualClock,
    Quorum,
    open_blocking_engine,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import Dag, Join, create_flow, graph_of, submit
from flowfabric_conformance.stage import (
    RETRIED,
    claim_ids,
    events_of,
    listed,
    log,
    look,
    refused,
    story,
    unchanged,
)

FAN = 700
"""More children than one transaction moves."""


def _fan(engine: BlockingEngine) -> Dag:
    children = [f"n{number}" for number in range(FAN)]
    return submit(
        engine, " ".join(f"root>{name}" for name in children), nodes={name: {"lane": "n"} for name in children}
    )


def _states(engine: BlockingEngine, dag: Dag) -> dict[str, int]:
    """How many children of a fan are in which state."""
    found = [x.public_state for x in listed(engine, flow_id=dag.flow_id) if x.execution_id != dag["root"]]
    return {state: found.count(state) for state in set(found)}


# ── edges in force at once ───────────────────────────────────────────────────────────────────────


def test_no_claim_slips_in_between_an_edge_and_the_child_it_blocks(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b", every={"lane": "default"})

    dag.link("a", "b")

    assert claim_ids(engine) == [dag["a"]]
    assert (dag.state("b"), look(engine, dag["b"]).blocking_reason) == ("waiting_children", "waiting_for_children")


@rule_cases("how", ["completed", "failed", "cancelled"])
def test_an_edge_from_an_upstream_that_ended_long_ago_is_decided_from_what_is_stored(
    engine: BlockingEngine, clock: ManualClock, how: str
) -> None:
    dag = submit(engine, "a b c>d")
    dag.end("a", how)
    clock.advance(10_000_000)
    engine.reconcile()

    dag.link("a", "b")
    with unchanged(engine):
        engine.reconcile()

    assert dag.state("b") == ("waiting" if how == "completed" else "skipped")


def test_edges_added_one_by_one_while_their_upstreams_finish_are_all_waited_for(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = create_flow(engine)
    for name in "abc":
        dag.add(name)
    dag.complete("a")
    dag.add("d", "a", "b", "c")
    states = [dag.state("d")]
    dag.complete("b")
    states.append(dag.state("d"))

    dag.complete("c")

    assert states == ["waiting_children", "waiting_children"]
    assert dag.state("d") == "waiting"


def test_groups_count_their_edges_at_every_step_of_building_and_running(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a b c d")
    steps = [
        lambda: dag.link("a", "d"),
        lambda: dag.complete("a"),
        lambda: dag.link("b", "d"),
        lambda: dag.link("b", "d"),
        lambda: dag.complete("b"),
        lambda: dag.link("c", "d"),
        lambda: dag.fail("c"),
    ]

    for step in steps:
        step()
        states = [edge.state for edge in engine.list_edges(dag.flow_id, downstream=dag["d"])]
        group = dag.group("d")
        assert group.total == len(states)
        assert group.success_count == states.count("satisfied")
        assert group.fail_count + group.skip_count == states.count("impossible")
        assert group.running_count == states.count("pending")
    assert dag.state("d") == "skipped"


def test_what_is_shown_as_blocked_is_not_handed_out_and_what_is_handed_out_was_not_blocked(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b>c c>d", every={"lane": "default"})
    order = []
    for _ in range(4):
        blocked = {x.execution_id for x in listed(engine, public_state="waiting_children")}
        explained = [engine.explain(execution_id) for execution_id in blocked]
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w1")
        order.append(claimed.execution_id)
        engine.complete(claimed.lease)

        assert claimed.execution_id not in blocked
        assert all("to complete" in why for why in explained)
    assert order == [dag[name] for name in "abcd"]


def test_a_member_without_upstreams_never_waits_for_any(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    engine.set_edge_group_policy(dag.flow_id, dag["a"], Quorum(3, "let_run"))
    engine.hold(dag["a"])

    engine.unhold(dag["a"])

    assert dag.state("a") == "waiting"
    dag.complete("a")


# ── once, and never again ────────────────────────────────────────────────────────────────────────


def test_a_completion_sent_twice_is_one_vote(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>d b>d c>d", joins={"d": Quorum(2, "let_run")})
    lease = dag.start("a")

    for _ in range(3):
        engine.complete(lease, b"vote")

    assert dag.counts("d") == (3, 1, 0, 0, 2)
    assert dag.state("d") == "waiting_children"
    assert story(engine, dag["a"]).count("completion.completed") == 1


def test_an_upstream_that_lives_twice_is_one_vote(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>d b>d c>d", joins={"d": Quorum(2, "let_run")})
    dag.complete("a")
    engine.replay_execution(dag["a"])

    dag.complete("a")

    assert dag.counts("d") == (3, 1, 0, 0, 2)
    assert dag.state("d") == "waiting_children"


@rule_cases("child", ["active", "delayed by its worker", "retrying", "held"])
@pytest.mark.parametrize("join", [AnyOf("let_run"), Quorum(1, "let_run")])
def test_a_join_that_has_fired_does_not_touch_its_child_again(
    engine: BlockingEngine, clock: ManualClock, join: Join, child: str
) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join}, nodes={"c": {"policy": RETRIED}})
    dag.complete("a")
    if child == "held":
        engine.hold(dag["c"])
    else:
        lease = dag.start("c")
        if child == "delayed by its worker":
            engine.delay(lease, until_ms=clock.now_ms + 60_000)
        if child == "retrying":
            engine.fail(lease, code="boom")
    before = (look(engine, dag["c"]), events_of(engine, dag["c"]))

    dag.complete("b")
    engine.reconcile()

    assert (look(engine, dag["c"]), events_of(engine, dag["c"])) == before


@pytest.mark.parametrize("why", ["satisfied", "impossible"])
def test_a_worker_whose_upstream_was_cancelled_as_needless_can_change_nothing_any_more(
    engine: BlockingEngine, clock: ManualClock, why: str
) -> None:
    dag = submit(engine, "a>d b>d run>d", joins={"d": Quorum(2, "cancel_remaining")})
    lease = dag.start("run")
    for name in "ab":
        dag.end(name, "completed" if why == "satisfied" else "failed")

    for act in (engine.complete, engine.renew, engine.release):
        with refused(engine, ExecutionNotActive):
            act(lease)
    with refused(engine, ExecutionNotActive):
        engine.fail(lease, code="late")

    x = look(engine, dag["run"])
    assert (x.public_state, x.cancellation_reason) == ("cancelled", f"sibling_quorum_{why}")
    assert x.lease_epoch == lease.lease_epoch + 1
    clock.advance(10_000_000)
    with unchanged(engine):
        engine.reconcile()


def test_the_end_of_a_cancelled_loser_reaches_every_other_join_it_fed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(
        engine,
        "win>d lose>d lose>e other>e",
        joins={"d": AnyOf("cancel_remaining"), "e": AnyOf("let_run")},
    )
    dag.complete("other")

    dag.complete("win")

    assert dag.state("lose") == "cancelled"
    assert dag.counts("e") == (2, 1, 1, 0, 0)
    assert story(engine, dag["lose"]) == ["completion.cancelled"]
    dag.complete("d")
    dag.complete("e")
    assert dag.flow().state == "completed"


def test_every_one_of_more_than_a_thousand_losers_is_cancelled(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"u{number}" for number in range(1_100)]
    dag = submit(
        engine,
        " ".join(f"{name}>d" for name in names),
        joins={"d": AnyOf("cancel_remaining")},
        nodes={name: {"lane": "u"} for name in names},
    )
    leases = [c.lease for c in engine.claim(worker_id="w", worker_instance_id="w1", lanes=["u"], limit=1_000)]

    engine.complete(leases[500])
    engine.reconcile()

    states = [x.public_state for x in listed(engine, flow_id=dag.flow_id)]
    assert (states.count("cancelled"), states.count("completed"), states.count("waiting")) == (1_099, 1, 1)


# ── cycles ───────────────────────────────────────────────────────────────────────────────────────


def test_a_cycle_is_refused_and_the_flow_still_runs(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b c")
    dag.link("a", "b")
    dag.link("b", "c")

    with refused(engine, CycleDetected):
        dag.link("c", "a")

    for name in "abc":
        dag.complete(name)
    assert dag.flow().state == "completed"


def test_a_graph_of_more_than_a_thousand_reachable_nodes_has_a_cycle_only_if_it_has_one(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    names = [f"n{number}" for number in range(1_300)]
    dag = submit(engine, ">".join(names) + " first")

    dag.link("first", "n0")
    with pytest.raises(CycleDetected):
        dag.link("n1299", "first")

    assert dag.flow().edge_count == 1_300


# ── large cascades ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("how", "state"), [("completed", "waiting"), ("failed", "skipped")])
def test_a_cascade_that_one_engine_left_unfinished_is_finished_by_the_next(
    shared_url: str, clock: ManualClock, how: str, state: str
) -> None:
    with open_blocking_engine(shared_url, clock=clock, reconcile=False, migrate=True) as engine:
        dag = _fan(engine)
        dag.end("root", how)
        left = _states(engine, dag)

    with open_blocking_engine(shared_url, clock=clock, reconcile=False) as engine:
        done = engine.reconcile()
        finished = _states(engine, dag)

    assert 0 < left["waiting_children"] < FAN
    assert done["unsettled_ends"] > 0
    assert finished == {state: FAN}


def test_an_upstream_that_is_replayed_before_its_end_was_told_to_all_is_not_taken_for_lost(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = _fan(engine)
    dag.complete("root")
    half_told = _states(engine, dag)

    engine.replay_execution(dag["root"])
    engine.reconcile()
    blocked = _states(engine, dag)
    dag.complete("root")
    engine.reconcile()

    assert set(half_told) == {"waiting", "waiting_children"}
    assert blocked == {"waiting_children": FAN}
    assert _states(engine, dag) == {"waiting": FAN}
    assert [event for event in log(engine) if event.event_type == "skipped"] == []


def test_a_child_that_is_replayed_before_its_upstreams_end_was_told_to_all_waits_for_the_next_end(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = _fan(engine)
    dag.fail("root")
    child = next(name for name in dag.ids if dag.state(name) == "skipped")
    engine.replay_execution(dag[child])

    engine.reconcile()
    told = _states(engine, dag)
    engine.replay_execution(dag["root"])
    dag.complete("root")

    assert told == {"waiting_children": 1, "skipped": FAN - 1}
    assert dag.state(child) == "waiting"
    assert story(engine, dag[child]) == ["completion.skipped", "operator.replayed"]


# ── quorums nobody can reach ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("k", [3, 100])
def test_a_quorum_above_the_number_of_its_edges_is_refused_before_anything_is_written(
    engine: BlockingEngine, clock: ManualClock, k: int
) -> None:
    with refused(engine, InvalidInput) as caught:
        engine.submit_flow(graph_of("a>c b>c", joins={"c": Quorum(k, "let_run")}))

    assert str(k) in str(caught.value)


def test_a_quorum_that_lacks_edges_waits_and_says_so_even_when_all_it_has_completed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a b")
    dag.add("q", "a", "b", join=Quorum(3, "let_run"))
    dag.complete("a")
    dag.complete("b")
    engine.reconcile()

    assert (dag.state("q"), dag.group("q").state) == ("waiting_children", "pending")
    assert "only 2 lead to it" in engine.explain(dag["q"])


@pytest.mark.parametrize("on_satisfied", ["cancel_remaining", "let_run"])
def test_what_becomes_of_survivors_is_decided_by_the_same_rule_when_a_quorum_becomes_impossible(
    engine: BlockingEngine, clock: ManualClock, on_satisfied: str
) -> None:
    policy = Quorum(2, "cancel_remaining") if on_satisfied == "cancel_remaining" else Quorum(2, "let_run")
    dag = submit(engine, "a>d b>d c>d", joins={"d": policy})
    lease = dag.start("c")

    dag.fail("a")
    dag.fail("b")

    assert dag.state("d") == "skipped"
    assert dag.state("c") == ("cancelled" if on_satisfied == "cancel_remaining" else "active")
    assert look(engine, dag["c"]).lease_epoch == lease.lease_epoch + (on_satisfied == "cancel_remaining")


# ── data ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_result_that_an_edge_promises_is_there_and_one_that_none_promises_is_not(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    graph = FlowGraph("pipeline")
    for name in ("a", "b", "c"):
        graph.node(name, name, lane=name)
    graph.edge("a", "c", pass_result_as="picture")
    graph.edge("b", "c")
    graph.join("c", AllOf())
    submitted = engine.submit_flow(graph)
    dag = Dag(engine, submitted.flow_id, submitted.execution_ids)
    dag.complete("a", b"\x00pixels\xff")
    dag.complete("b", b"unasked")

    assert dag.claim("c").inputs == {"picture": b"\x00pixels\xff"}
