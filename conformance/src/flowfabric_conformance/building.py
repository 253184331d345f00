"""Building a flow step by step: members and edges, in force from their own step on, and refusals in their order."""

from binascii import crc_hqx
from collections.abc import Callable
from typing import Any

import pytest

from flowfabric import (
    AllOf,
    AlreadySet,
    AnyOf,
    BlockingEngine,
    Conflict,
    Created,
    CycleDetected,
    DependencyAdded,
    Duplicate,
    EdgeExists,
    EngineError,
    ExecutionNotEligible,
    FlowCreated,
    FlowExists,
    FlowTerminal,
    InvalidInput,
    ManualClock,
    NotAMember,
    NotFound,
    PolicyFixed,
    PolicySet,
    Quorum,
    SelfEdge,
    StaleGraphRevision,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import UNKNOWN_FLOW, Join, create_flow, look_at_flow, submit
from flowfabric_conformance.stage import (
    UNKNOWN,
    an_execution,
    claim_ids,
    create,
    listed,
    log,
    look,
    refused,
    unchanged,
    vector,
)

UUID = "550e8400-e29b-41d4-a716-446655440000"
PARTITION = crc_hqx(bytes.fromhex(UUID.replace("-", "")), 0) % 256
GIVEN = f"{{fp:{PARTITION}}}:11111111-2222-7333-8444-555555555555"
JOINS: list[Join] = [
    AllOf(),
    AnyOf("cancel_remaining"),
    AnyOf("let_run"),
    Quorum(1, "let_run"),
    Quorum(2, "cancel_remaining"),
]


# ── creating a flow ──────────────────────────────────────────────────────────────────────────────


def test_a_new_flow_is_open_and_empty(engine: BlockingEngine, clock: ManualClock) -> None:
    answer = engine.create_flow("pipeline", namespace="tenant-a", tags={"team.name": "media"})

    assert isinstance(answer, FlowCreated)
    flow = look_at_flow(engine, answer.flow_id)
    assert (flow.flow_id, flow.kind, flow.namespace, flow.state) == (answer.flow_id, "pipeline", "tenant-a", "open")
    assert (flow.graph_revision, flow.node_count, flow.edge_count) == (0, 0, 0)
    assert (flow.created_at_ms, flow.terminal_at_ms) == (clock.now_ms, None)
    assert (flow.cancel_reason, flow.cancellation_policy, flow.pending_cancel_acks) == (None, None, [])
    assert (flow.tags, flow.groups) == ({"team.name": "media"}, [])
    assert log(engine) == []


def test_a_flow_without_a_given_id_is_a_new_one_every_time(engine: BlockingEngine, clock: ManualClock) -> None:
    ids = {create_flow(engine).flow_id for _ in range(5)}

    assert len(ids) == 5


@rule_cases("spelling", [UUID, UUID.upper(), UUID.replace("-", ""), f"{{{UUID}}}", f"urn:uuid:{UUID}"])
def test_a_given_flow_id_is_kept_in_one_spelling(engine: BlockingEngine, clock: ManualClock, spelling: str) -> None:
    answer = engine.create_flow("pipeline", flow_id=spelling)

    assert answer == FlowCreated(UUID)
    assert look_at_flow(engine, spelling).flow_id == UUID


def test_the_same_flow_again_exists_and_is_left_as_it_is(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.create_flow("pipeline", flow_id=UUID, tags={"team.name": "media"})
    clock.advance(10)

    with unchanged(engine):
        answer = engine.create_flow("pipeline", flow_id=UUID.upper(), tags={"team.name": "other"})

    assert answer == FlowExists(UUID)


@pytest.mark.parametrize("other", [{"kind": "another"}, {"namespace": "tenant-a"}])
def test_a_flow_id_taken_by_another_kind_or_namespace_is_a_conflict(
    engine: BlockingEngine, clock: ManualClock, other: dict[str, Any]
) -> None:
    engine.create_flow("pipeline", flow_id=UUID)

    with refused(engine, Conflict):
        engine.create_flow(**{"kind": "pipeline", "flow_id": UUID, **other})


@pytest.mark.parametrize("state", ["completed", "failed", "cancelled"])
def test_a_flow_that_is_over_still_exists(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    dag = submit(engine, "a", flow_id=UUID)
    if state == "cancelled":
        engine.cancel_flow(UUID, reason="stop")
    else:
        dag.end("a", state)

    assert engine.create_flow("pipeline", flow_id=UUID) == FlowExists(UUID)


# ── adding members ───────────────────────────────────────────────────────────────────────────────


def test_a_member_is_created_with_everything_an_execution_has(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine, namespace="tenant-a")

    answer = engine.add_execution(
        dag.flow_id,
        "resize",
        b"payload",
        lane="gpu",
        priority=7,
        deadline_at_ms=clock.now_ms + 5,
        required_capabilities=["gpu"],
        tags={"team.name": "media"},
    )

    assert isinstance(answer, Created)
    assert answer.public_state == "waiting"
    x = look(engine, answer.execution_id)
    assert (x.kind, x.lane, x.priority, x.namespace, x.flow_id) == ("resize", "gpu", 7, "tenant-a", dag.flow_id)
    assert (x.deadline_at_ms, x.required_capabilities, x.tags) == (
        clock.now_ms + 5,
        ["gpu"],
        {"team.name": "media"},
    )
    (claimed,) = engine.claim(
        worker_id="w", worker_instance_id="w1", lanes=["gpu"], namespace="tenant-a", capabilities=["gpu"]
    )
    assert (claimed.payload, claimed.flow_id, claimed.inputs) == (b"payload", dag.flow_id, {})


@pytest.mark.parametrize(
    ("flow_id", "partition"),
    [
        (UUID, PARTITION),
        ("00000000-0000-0000-0000-000000000000", 0),
    ],
)
def test_members_live_on_the_partition_of_their_flow(
    engine: BlockingEngine, clock: ManualClock, flow_id: str, partition: int
) -> None:
    dag = create_flow(engine, flow_id=flow_id)
    for name in "abc":
        dag.add(name)

    assert {execution_id.split(":")[1] for execution_id in dag.ids.values()} == {f"{partition}}}"}


def test_each_member_raises_the_revision_by_one_whatever_it_waits_for(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = create_flow(engine)
    revisions = []
    for name, after in (("a", ()), ("b", ("a",)), ("c", ("a", "b", "a"))):
        dag.add(name, *after)
        revisions.append(dag.flow().graph_revision)

    assert revisions == [1, 2, 3]
    assert (dag.flow().node_count, dag.flow().edge_count) == (3, 4)


@rule_cases("join", [None, *JOINS])
def test_a_member_added_after_others_is_blocked_from_its_first_moment_on(
    engine: BlockingEngine, clock: ManualClock, join: Join | None
) -> None:
    dag = create_flow(engine)
    dag.add("a")
    dag.add("b")

    state = dag.add("c", "a", "b", join=join)

    assert state == "waiting_children"
    assert vector(engine, dag["c"]) == (
        "runnable/unowned/blocked_by_dependencies/pending_first_attempt/none/waiting_children"
    )
    assert look(engine, dag["c"]).blocking_reason == "waiting_for_children"
    assert dag.group("c").policy == (join or AllOf())
    assert dag.counts("c") == (2, 0, 0, 0, 2)
    assert claim_ids(engine, lanes=["c"]) == []


def test_a_member_may_be_given_an_id_on_the_partition_of_its_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine, flow_id=UUID)

    answer = engine.add_execution(UUID, "a", execution_id=GIVEN)

    assert answer == Created(GIVEN, "waiting")
    assert dag.flow().node_count == 1


def test_a_given_id_on_another_partition_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    create_flow(engine, flow_id=UUID)

    with refused(engine, InvalidInput) as caught:
        engine.add_execution(UUID, "a", execution_id=f"{{fp:{PARTITION ^ 1}}}:11111111-2222-7333-8444-555555555555")

    assert f"{{fp:{PARTITION}}}:" in str(caught.value)


@pytest.mark.parametrize(("waited_ms", "state"), [(0, "delayed"), (100, "waiting")])
def test_a_member_may_be_delayed(engine: BlockingEngine, clock: ManualClock, waited_ms: int, state: str) -> None:
    dag = create_flow(engine)
    answer = dag.add("a", delay_until_ms=clock.now_ms + 100)
    clock.advance(waited_ms)
    engine.reconcile()

    assert answer == "delayed"
    assert dag.state("a") == state


def test_the_same_member_again_is_a_duplicate_and_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine)
    dag.add("a", idempotency_key="part-1")
    dag.add("b", "a", idempotency_key="part-2")

    with unchanged(engine):
        by_key = engine.add_execution(dag.flow_id, "b", after=[dag["a"]], lane="b", idempotency_key="part-2")
        by_id = engine.add_execution(dag.flow_id, "a", execution_id=dag["a"])

    assert (by_key, by_id) == (Duplicate(dag["b"]), Duplicate(dag["a"]))


def test_an_id_taken_outside_the_flow_is_a_conflict(engine: BlockingEngine, clock: ManualClock) -> None:
    create_flow(engine, flow_id=UUID)
    solo = create(engine, "a", execution_id=GIVEN)

    with refused(engine, Conflict):
        engine.add_execution(UUID, "a", execution_id=solo)


def test_a_member_takes_the_namespace_of_its_flow_and_no_other(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine, namespace="tenant-a")

    dag.add("a", namespace="tenant-a")
    with refused(engine, InvalidInput):
        engine.add_execution(dag.flow_id, "b", namespace="default")
    with refused(engine, InvalidInput):
        engine.add_execution(dag.flow_id, "b", namespace="tenant-b")

    assert look(engine, dag["a"]).namespace == "tenant-a"


def test_adding_to_an_unknown_flow_is_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound) as caught:
        engine.add_execution(UNKNOWN_FLOW, "a")

    assert caught.value.entity == "flow"


def test_a_member_cannot_wait_for_what_is_not_in_its_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    dag, other = create_flow(engine), submit(engine, "x")
    dag.add("a")
    solo = create(engine)

    for upstream in (other["x"], solo, UNKNOWN):
        with refused(engine, NotAMember):
            engine.add_execution(dag.flow_id, "b", after=[dag["a"], upstream])


def test_a_member_cannot_wait_for_itself(engine: BlockingEngine, clock: ManualClock) -> None:
    create_flow(engine, flow_id=UUID)

    with refused(engine, SelfEdge):
        engine.add_execution(UUID, "a", execution_id=GIVEN, after=[GIVEN])


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_pending", "flow_only"])
def test_nothing_can_be_added_to_a_cancelled_flow(engine: BlockingEngine, clock: ManualClock, policy: Any) -> None:
    dag = submit(engine, "a b")
    engine.cancel_flow(dag.flow_id, reason="stop", policy=policy)

    with refused(engine, FlowTerminal):
        engine.add_execution(dag.flow_id, "c")
    with refused(engine, FlowTerminal):
        engine.add_dependency(dag.flow_id, dag["a"], dag["b"])
    with refused(engine, FlowTerminal):
        engine.set_edge_group_policy(dag.flow_id, dag["b"], AnyOf("let_run"))


def test_a_thousand_upstreams_are_the_most_a_member_is_added_after(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine)
    dag.add("a")

    with refused(engine, InvalidInput):
        engine.add_execution(dag.flow_id, "c", after=[dag["a"]] * 1_001)
    dag.add("b", *["a"] * 1_000)

    assert dag.counts("b") == (1_000, 0, 0, 0, 1_000)
    dag.complete("a")
    assert dag.state("b") == "waiting"
    assert dag.counts("b") == (1_000, 1_000, 0, 0, 0)


# ── adding edges ─────────────────────────────────────────────────────────────────────────────────


def test_an_edge_blocks_its_downstream_in_the_same_step(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    clock.advance(5)

    answer = engine.add_dependency(dag.flow_id, dag["a"], dag["b"], pass_result_as="picture")

    assert isinstance(answer, DependencyAdded)
    assert answer.graph_revision == 2
    assert dag.state("b") == "waiting_children"
    assert claim_ids(engine, lanes=["b"]) == []
    edge = engine.describe_edge(dag.flow_id, answer.edge_id)
    assert edge == dag.edge("a", "b")
    assert (edge.edge_id, edge.flow_id, edge.upstream, edge.downstream) == (
        answer.edge_id,
        dag.flow_id,
        dag["a"],
        dag["b"],
    )
    assert (edge.condition, edge.pass_result_as, edge.state, edge.created_at_ms) == (
        "success_only",
        "picture",
        "pending",
        clock.now_ms,
    )
    assert log(engine) == []


@pytest.mark.parametrize(("given", "kept"), [(UUID.upper(), UUID), ("split to join", "split to join"), ("ü", "ü")])
def test_an_edge_may_be_given_an_id(engine: BlockingEngine, clock: ManualClock, given: str, kept: str) -> None:
    dag = submit(engine, "a b")

    edge_id = dag.link("a", "b", edge_id=given)

    assert edge_id == kept
    found = engine.describe_edge(dag.flow_id, given)
    assert found is not None
    assert found.edge_id == kept


def test_two_flows_may_use_the_same_edge_id(engine: BlockingEngine, clock: ManualClock) -> None:
    first, second = submit(engine, "a b"), submit(engine, "a b")

    first.link("a", "b", edge_id="the edge")
    second.link("a", "b", edge_id="the edge")

    assert first.edge("a", "b").flow_id == first.flow_id
    assert second.edge("a", "b").flow_id == second.flow_id


def test_the_same_pair_may_have_several_edges(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")

    dag.link("a", "b", pass_result_as="one")
    dag.link("a", "b", pass_result_as="two")

    assert dag.counts("b") == (2, 0, 0, 0, 2)
    dag.complete("a", b"result")
    assert dag.counts("b") == (2, 2, 0, 0, 0)
    assert dag.claim("b").inputs == {"one": b"result", "two": b"result"}


def test_each_edge_raises_the_revision_by_one(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b c")

    revisions = [
        engine.add_dependency(dag.flow_id, dag["a"], dag[name], expected_graph_revision=expected).graph_revision
        for name, expected in (("b", 1), ("c", 2))
    ]

    assert revisions == [2, 3]
    assert (dag.flow().graph_revision, dag.flow().edge_count) == (3, 2)


@pytest.mark.parametrize("expected", [0, 2, 2**53 - 1])
def test_a_stale_revision_is_refused(engine: BlockingEngine, clock: ManualClock, expected: int) -> None:
    dag = submit(engine, "a b")

    with refused(engine, StaleGraphRevision):
        dag.link("a", "b", expected_graph_revision=expected)


def test_an_edge_id_that_is_taken_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b c")
    dag.link("a", "b", edge_id=UUID)

    for upstream, downstream, edge_id in (("a", "b", UUID), ("b", "c", UUID.upper())):
        with refused(engine, EdgeExists):
            dag.link(upstream, downstream, edge_id=edge_id)


@pytest.mark.parametrize("drawing", ["b>a", "b>c>a", "b>c>d>e>a b>f>a"])
def test_an_edge_that_closes_a_cycle_is_refused(engine: BlockingEngine, clock: ManualClock, drawing: str) -> None:
    dag = submit(engine, drawing)

    with refused(engine, CycleDetected):
        dag.link("a", "b")


def test_an_edge_beside_a_cycle_is_not_one(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>d a>c>d")

    dag.link("b", "c")
    dag.link("a", "d")

    assert dag.flow().edge_count == 6


def test_a_cycle_is_found_through_members_that_have_ended(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b>c")
    dag.complete("a")
    dag.complete("b")

    with refused(engine, CycleDetected):
        dag.link("c", "a")


@rule_cases("phase", ["active", "completed", "failed", "cancelled", "skipped"])
def test_what_runs_or_has_ended_can_no_longer_wait(engine: BlockingEngine, clock: ManualClock, phase: str) -> None:
    dag = submit(engine, "a u>b")
    if phase == "skipped":
        dag.fail("u")
    else:
        dag.complete("u")
        if phase == "active":
            dag.start("b")
        else:
            dag.end("b", phase)

    with refused(engine, ExecutionNotEligible):
        dag.link("a", "b")


BREAKING: dict[str, tuple[type[EngineError], Callable[[dict[str, Any]], object]]] = {
    "flow unknown": (NotFound, lambda call: call.update(flow_id=UNKNOWN_FLOW)),
    "flow cancelled": (FlowTerminal, lambda call: call.update(flow_id=call["cancelled_flow"])),
    "self edge": (SelfEdge, lambda call: call.update(upstream=call["downstream"])),
    "not a member": (NotAMember, lambda call: call.update(upstream=call["stranger"])),
    "stale revision": (StaleGraphRevision, lambda call: call.update(expected_graph_revision=77)),
    "edge id taken": (EdgeExists, lambda call: call.update(edge_id="taken")),
    "cycle": (CycleDetected, lambda call: call.update(upstream=call["below"])),
}
ORDER = list(BREAKING)


@rule_cases("first", ORDER)
def test_of_several_reasons_to_refuse_an_edge_the_first_in_order_is_told(
    engine: BlockingEngine, clock: ManualClock, first: str
) -> None:
    dag = submit(engine, "u v active>below")
    cancelled = submit(engine, "x")
    engine.cancel_flow(cancelled.flow_id, reason="stop")
    dag.link("u", "v", edge_id="taken")
    dag.start("active")
    call: dict[str, Any] = {
        "flow_id": dag.flow_id,
        "upstream": dag["u"],
        "downstream": dag["active"],
        "below": dag["below"],
        "cancelled_flow": cancelled.flow_id,
        "stranger": create(engine),
    }
    # What comes later is broken first, so that an earlier reason has the last word on the arguments.
    for reason in reversed(ORDER[ORDER.index(first) :]):
        BREAKING[reason][1](call)
    arguments = {key: value for key, value in call.items() if key not in ("below", "cancelled_flow", "stranger")}

    with refused(engine, BREAKING[first][0]):
        engine.add_dependency(**arguments)


def test_the_childs_phase_is_looked_at_last(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "u v>w")
    dag.start("v")

    with refused(engine, ExecutionNotEligible):
        dag.link("u", "v", edge_id="new", expected_graph_revision=1)


@rule_cases("state", ["waiting", "delayed", "held", "active", "completed"])
def test_an_execution_outside_the_flow_can_be_neither_end_of_an_edge(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    stranger = an_execution(state, engine, clock)
    dag = submit(engine, "a")

    with refused(engine, NotAMember):
        engine.add_dependency(dag.flow_id, stranger, dag["a"])
    with refused(engine, NotAMember):
        engine.add_dependency(dag.flow_id, dag["a"], stranger)


# ── policies of groups ───────────────────────────────────────────────────────────────────────────


@rule_cases("join", JOINS)
def test_a_policy_can_be_replaced_until_the_first_edge(engine: BlockingEngine, clock: ManualClock, join: Join) -> None:
    dag = submit(engine, "a b")
    before = AnyOf("let_run") if join == AnyOf("cancel_remaining") else AnyOf("cancel_remaining")

    answers = [engine.set_edge_group_policy(dag.flow_id, dag["b"], policy) for policy in (before, join)]

    assert answers == [PolicySet(), PolicySet()]
    assert dag.group("b").policy == join
    assert dag.state("b") == "waiting"
    dag.link("a", "b")
    assert dag.group("b").policy == join


@rule_cases("join", JOINS)
def test_a_policy_stands_once_there_is_an_edge(engine: BlockingEngine, clock: ManualClock, join: Join) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join})
    others = [other for other in [*JOINS, Quorum(2, "let_run")] if other != join]

    for other in others:
        with refused(engine, PolicyFixed):
            engine.set_edge_group_policy(dag.flow_id, dag["c"], other)


@rule_cases("join", JOINS)
def test_restating_a_policy_is_fine_at_any_time(engine: BlockingEngine, clock: ManualClock, join: Join) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join})
    answers = [engine.set_edge_group_policy(dag.flow_id, dag["c"], join)]
    dag.complete("a")
    answers.append(engine.set_edge_group_policy(dag.flow_id, dag["c"], join))
    engine.cancel_flow(dag.flow_id, reason="stop")

    with unchanged(engine):
        answers.append(engine.set_edge_group_policy(dag.flow_id, dag["c"], join))

    assert answers == [AlreadySet()] * 3


def test_edges_without_a_policy_are_joined_by_all_of(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.link("a", "b")

    assert dag.group("b").policy == AllOf()
    assert engine.set_edge_group_policy(dag.flow_id, dag["b"], AllOf()) == AlreadySet()
    with refused(engine, PolicyFixed):
        engine.set_edge_group_policy(dag.flow_id, dag["b"], AnyOf("let_run"))


@pytest.mark.parametrize("k", [0, -1])
def test_a_quorum_of_nobody_is_refused(engine: BlockingEngine, clock: ManualClock, k: int) -> None:
    dag = submit(engine, "a b")

    with refused(engine, InvalidInput):
        engine.set_edge_group_policy(dag.flow_id, dag["b"], Quorum(k, "let_run"))
    with refused(engine, InvalidInput):
        engine.add_execution(dag.flow_id, "c", after=[dag["a"]], join=Quorum(k, "let_run"))


def test_a_quorum_with_too_few_edges_waits_for_more_of_them(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b c")
    dag.add("q", "a", join=Quorum(2, "let_run"))
    dag.complete("a")
    waiting = (dag.state("q"), dag.group("q").state, engine.explain(dag["q"]))

    dag.link("b", "q")
    dag.complete("b")

    assert waiting[:2] == ("waiting_children", "pending")
    assert "2" in waiting[2]
    assert "only 1" in waiting[2]
    assert dag.state("q") == "waiting"


def test_a_quorum_with_too_few_edges_becomes_impossible_no_earlier_than_it_has_enough_of_them(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a b")
    dag.add("q", "a", join=Quorum(2, "let_run"))
    dag.fail("a")
    before = (dag.state("q"), dag.group("q").state)

    dag.link("b", "q")

    assert before == ("waiting_children", "pending")
    assert (dag.state("q"), dag.group("q").state) == ("skipped", "impossible")


def test_a_policy_for_what_is_not_a_member_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    dag, solo = submit(engine, "a"), create(engine)

    with refused(engine, NotFound) as caught:
        engine.set_edge_group_policy(UNKNOWN_FLOW, dag["a"], AllOf())
    for stranger in (solo, UNKNOWN):
        with refused(engine, NotAMember):
            engine.set_edge_group_policy(dag.flow_id, stranger, AllOf())

    assert caught.value.entity == "flow"


def test_a_join_given_with_a_member_that_waits_for_nothing_yet_lets_it_run(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = create_flow(engine)

    state = dag.add("a", join=AnyOf("let_run"))

    assert state == "waiting"
    assert dag.group("a").total == 0
    assert len(listed(engine, public_state="waiting")) == 1


def test_a_key_that_means_an_execution_outside_of_the_flow_is_a_conflict(engine: BlockingEngine) -> None:
    create(engine, "part", idempotency_key="part-1")
    elsewhere = submit(engine, "x")
    elsewhere.add("y", idempotency_key="part-2")
    dag = submit(engine, "a")

    with refused(engine, Conflict):
        engine.add_execution(dag.flow_id, "part", idempotency_key="part-1")
    with refused(engine, Conflict):
        engine.add_execution(dag.flow_id, "y", lane="y", idempotency_key="part-2")
