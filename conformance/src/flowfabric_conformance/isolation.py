"""Isolation: a scoped engine sees and touches one namespace, and the others might as well not exist."""

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest

from flowfabric import (
    AllOf,
    BlockingEngine,
    Claimed,
    Conflict,
    Created,
    Duplicate,
    InvalidInput,
    Lease,
    ManualClock,
    NewExecution,
    NotAMember,
    NotFound,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import UNKNOWN_FLOW, Dag, graph_of, submit
from flowfabric_conformance.stage import (
    Started,
    all_refused,
    claim,
    claim_ids,
    create,
    listed,
    listed_flows,
    log,
    look,
    refused,
    start,
    unchanged,
)

Act = Callable[[BlockingEngine, Lease], object]

FOREIGN: Final[dict[str, Act]] = {
    "renew": lambda engine, lease: engine.renew(lease),
    "complete": lambda engine, lease: engine.complete(lease),
    "fail": lambda engine, lease: engine.fail(lease, code="boom"),
    "release": lambda engine, lease: engine.release(lease),
    "delay": lambda engine, lease: engine.delay(lease, until_ms=1),
    "progress": lambda engine, lease: engine.progress(lease, percent=1),
    "cancel": lambda engine, lease: engine.cancel_execution(lease.execution_id, reason="stop"),
    "revoke": lambda engine, lease: engine.revoke_lease(lease.execution_id),
    "priority": lambda engine, lease: engine.change_priority(lease.execution_id, 1),
    "replay": lambda engine, lease: engine.replay_execution(lease.execution_id),
    "hold": lambda engine, lease: engine.hold(lease.execution_id),
    "unhold": lambda engine, lease: engine.unhold(lease.execution_id),
    "tag": lambda engine, lease: engine.set_tag(lease.execution_id, "team.name", "x"),
    "result": lambda engine, lease: engine.get_result(lease.execution_id),
    "payload": lambda engine, lease: engine.get_payload(lease.execution_id),
    "attempts": lambda engine, lease: engine.list_attempts(lease.execution_id),
    "explain": lambda engine, lease: engine.explain(lease.execution_id),
    "wait": lambda engine, lease: engine.wait_for_result(lease.execution_id, timeout_ms=0),
    "waitpoint": lambda engine, lease: engine.create_waitpoint(lease, "editor"),
    "alias": lambda engine, lease: engine.create_waitpoint(lease, "editor", alias="order-7"),
    "open wait": lambda engine, lease: engine.open_wait(lease, "wait", "editor"),
    "suspend": lambda engine, lease: engine.suspend(lease, "wait", "editor"),
    "end of a wait": lambda engine, lease: engine.get_wait(lease.execution_id, "wait"),
    "signal": lambda engine, lease: engine.signal(lease.execution_id, "editor"),
    "resume": lambda engine, lease: engine.resume_execution(lease.execution_id),
    "close": lambda engine, lease: engine.close_waitpoint(lease.execution_id, "editor"),
    "token": lambda engine, lease: engine.issue_token(lease.execution_id, "editor"),
    "waitpoints": lambda engine, lease: engine.list_waitpoints(lease.execution_id),
    "signals": lambda engine, lease: engine.list_signals(lease.execution_id),
    "frames": lambda engine, lease: engine.append_frames(lease, [b"x"]),
    "summary": lambda engine, lease: engine.patch_summary(lease, {"stage": "x"}),
    "stream": lambda engine, lease: engine.read_stream(lease.execution_id),
    "following": lambda engine, lease: next(engine.follow_stream(lease.execution_id)),
    "read summary": lambda engine, lease: engine.read_summary(lease.execution_id),
}


def _by_every_act(engine: BlockingEngine, lease: Lease) -> dict[str, Callable[[], object]]:
    return {name: partial(act, engine, lease) for name, act in FOREIGN.items()}


@pytest.mark.parametrize("owner", ["default", "tenant-a"])
def test_what_belongs_to_another_namespace_is_not_found(engine: BlockingEngine, clock: ManualClock, owner: str) -> None:
    create(engine, namespace=owner)
    lease = claim(engine, namespace=owner).lease

    caught = all_refused(engine, NotFound, _by_every_act(engine.scoped("tenant-b"), lease))

    assert {refusal.entity for refusal in caught.values()} == {"execution"}


def test_the_foreign_and_the_unknown_are_refused_alike(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, namespace="tenant-a")
    foreign = claim(engine, namespace="tenant-a").lease
    unknown = Lease(
        foreign.execution_id[:-1] + ("0" if foreign.execution_id[-1] != "0" else "1"), 0, 1, foreign.lease_id, "w1", 1
    )
    scoped = engine.scoped("tenant-b")

    of_foreign = all_refused(engine, NotFound, _by_every_act(scoped, foreign))
    of_unknown = all_refused(engine, NotFound, _by_every_act(scoped, unknown))

    assert _without(foreign.execution_id, of_foreign) == _without(unknown.execution_id, of_unknown)


def _without(its_id: str, refusals: dict[str, NotFound]) -> dict[str, str]:
    """What the refusals say, less the id that they speak of."""
    return {name: str(refusal).replace(its_id, "") for name, refusal in refusals.items()}


FOREIGN_FLOW: Final[dict[str, Callable[[BlockingEngine, Dag], object]]] = {
    "add": lambda engine, dag: engine.add_execution(dag.flow_id, "more"),
    "link": lambda engine, dag: engine.add_dependency(dag.flow_id, dag["a"], dag["c"]),
    "policy": lambda engine, dag: engine.set_edge_group_policy(dag.flow_id, dag["c"], AllOf()),
    "cancel": lambda engine, dag: engine.cancel_flow(dag.flow_id, reason="stop"),
    "replay": lambda engine, dag: engine.replay_flow(dag.flow_id),
    "ack": lambda engine, dag: engine.ack_cancel_member(dag.flow_id, dag["a"]),
    "tag": lambda engine, dag: engine.set_flow_tag(dag.flow_id, "team.name", "x"),
    "edges": lambda engine, dag: engine.list_edges(dag.flow_id),
}


def _by_every_act_on_a_flow(engine: BlockingEngine, dag: Dag) -> dict[str, Callable[[], object]]:
    return {name: partial(act, engine, dag) for name, act in FOREIGN_FLOW.items()}


@pytest.mark.parametrize("owner", ["default", "tenant-a"])
def test_a_flow_of_another_namespace_is_not_found(engine: BlockingEngine, clock: ManualClock, owner: str) -> None:
    dag = submit(engine, "a>b c", namespace=owner)
    dag.start("a")

    caught = all_refused(engine, NotFound, _by_every_act_on_a_flow(engine.scoped("tenant-b"), dag))

    assert {refusal.entity for refusal in caught.values()} == {"flow"}


def test_the_foreign_and_the_unknown_flow_are_refused_alike(engine: BlockingEngine, clock: ManualClock) -> None:
    foreign = submit(engine, "a>b c", namespace="tenant-a")
    unknown = Dag(engine, UNKNOWN_FLOW, foreign.ids)
    scoped = engine.scoped("tenant-b")

    of_foreign = all_refused(engine, NotFound, _by_every_act_on_a_flow(scoped, foreign))
    of_unknown = all_refused(engine, NotFound, _by_every_act_on_a_flow(scoped, unknown))

    assert _without(foreign.flow_id, of_foreign) == _without(UNKNOWN_FLOW, of_unknown)


@rule_cases("act", FOREIGN_FLOW)
def test_a_scoped_engine_works_on_its_own_flows(engine: BlockingEngine, clock: ManualClock, act: str) -> None:
    scoped = engine.scoped("tenant-a")
    dag = submit(scoped, "a>b c")

    FOREIGN_FLOW[act](scoped, dag)

    assert dag.flow().namespace == "tenant-a"
    assert {x.namespace for x in listed(engine)} == {"tenant-a"}


def test_a_flow_of_another_namespace_is_described_as_none_and_in_no_list(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b", namespace="tenant-a")
    own = submit(engine, "a>b", namespace="tenant-b")
    engine.cancel_flow(dag.flow_id, reason="stop")
    scoped = engine.scoped("tenant-b")

    assert scoped.describe_flow(dag.flow_id) is None
    assert scoped.describe_edge(dag.flow_id, dag.edge("a", "b").edge_id) is None
    assert [flow.flow_id for flow in listed_flows(scoped)] == [own.flow_id]
    assert listed(scoped, flow_id=dag.flow_id) == []
    assert log(scoped, flow_id=dag.flow_id) == log(scoped) == []


def test_members_of_a_foreign_flow_cannot_be_waited_for(engine: BlockingEngine, clock: ManualClock) -> None:
    foreign = submit(engine, "a", namespace="tenant-a")
    scoped = engine.scoped("tenant-b")
    own = submit(scoped, "b")

    with refused(engine, NotAMember):
        scoped.add_dependency(own.flow_id, foreign["a"], own["b"])
    with refused(engine, NotAMember):
        scoped.add_execution(own.flow_id, "c", after=[foreign["a"]])


def test_a_flow_id_taken_by_another_namespace_cannot_be_used(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a", namespace="tenant-a")

    with refused(engine, Conflict):
        engine.scoped("tenant-b").create_flow("pipeline", flow_id=dag.flow_id)
    with refused(engine, Conflict):
        engine.scoped("tenant-b").submit_flow(graph_of("a", flow_id=dag.flow_id))


def test_a_scoped_engine_submits_into_its_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    scoped = engine.scoped("tenant-a")

    omitted = scoped.submit_flow(graph_of("a>b"))
    named = scoped.submit_flow(graph_of("a>b", namespace="tenant-a"))
    created = scoped.create_flow("pipeline")

    assert {flow.flow_id for flow in listed_flows(engine, namespace="tenant-a")} == {
        omitted.flow_id,
        named.flow_id,
        created.flow_id,
    }
    assert {x.namespace for x in listed(engine)} == {"tenant-a"}


def test_what_belongs_to_another_namespace_is_described_as_none(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, namespace="tenant-a")

    assert engine.scoped("tenant-b").describe_execution(execution_id) is None
    assert engine.scoped("tenant-b").find_executions(execution_id[-36:]) == []
    assert engine.scoped("tenant-a").find_executions(execution_id[-36:]) == [look(engine, execution_id)]
    assert engine.scoped("tenant-a").describe_execution(execution_id) == look(engine, execution_id)


def test_a_scoped_engine_works_in_its_namespace_without_naming_it(engine: BlockingEngine, clock: ManualClock) -> None:
    scoped = engine.scoped("tenant-a")
    execution_id = create(scoped)
    (answer,) = scoped.create_executions([NewExecution(kind="job")])

    claimed = scoped.claim(worker_id="w", worker_instance_id="w1", limit=10)

    assert {x.namespace for x in listed(engine)} == {"tenant-a"}
    assert [c.execution_id for c in claimed] == [execution_id, answer.execution_id]
    assert {c.namespace for c in claimed} == {"tenant-a"}
    for c in claimed:
        scoped.complete(c.lease, b"done")
    assert scoped.get_result(execution_id) == b"done"


def test_a_scoped_engine_may_name_its_own_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    scoped = engine.scoped("tenant-a")

    execution_id = create(scoped, namespace="tenant-a")

    assert claim_ids(scoped, namespace="tenant-a") == [execution_id]
    assert [x.execution_id for x in listed(scoped, namespace="tenant-a")] == [execution_id]
    assert len(scoped.read_events(namespace="tenant-a").events) == 1


@pytest.mark.parametrize("other", ["tenant-b", "default"])
def test_a_scoped_engine_refuses_to_be_told_another_namespace(
    engine: BlockingEngine, clock: ManualClock, other: str
) -> None:
    scoped = engine.scoped("tenant-a")
    dag = submit(scoped, "a")
    methods: dict[str, Callable[[], object]] = {
        "create": lambda: create(scoped, namespace=other),
        "create_all": lambda: scoped.create_executions([NewExecution(kind="job", namespace=other)]),
        "claim": lambda: claim_ids(scoped, namespace=other),
        "list": lambda: scoped.list_executions(namespace=other),
        "events": lambda: scoped.read_events(namespace=other),
        "subscribe": lambda: scoped.subscribe(namespace=other),
        "scoped": lambda: scoped.scoped(other),
        "create_flow": lambda: scoped.create_flow("pipeline", namespace=other),
        "submit_flow": lambda: scoped.submit_flow(graph_of("a>b", namespace=other)),
        "add_execution": lambda: scoped.add_execution(dag.flow_id, "b", namespace=other),
        "list_flows": lambda: scoped.list_flows(namespace=other),
        "pause_lane": lambda: scoped.pause_lane("default", namespace=other),
        "resume_lane": lambda: scoped.resume_lane("default", namespace=other),
        "list_lanes": lambda: scoped.list_lanes(namespace=other),
        "stats": lambda: scoped.stats(namespace=other),
        "operate": lambda: scoped.operate("cancel", namespace=other),
        "purge": lambda: scoped.purge(ended_before_ms=1, namespace=other),
        "count": lambda: scoped.count_executions(namespace=other),
    }

    all_refused(engine, InvalidInput, methods)


def test_a_scope_within_the_same_scope_is_the_same(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine.scoped("tenant-a").scoped("tenant-a"))

    assert look(engine, execution_id).namespace == "tenant-a"


def test_lists_and_events_of_a_scoped_engine_hold_nothing_foreign(engine: BlockingEngine, clock: ManualClock) -> None:
    ids = {}
    for namespace in ("default", "tenant-a", "tenant-b"):
        ids[namespace] = create(engine, namespace=namespace, tags={"team.name": "x"})
        claim(engine, namespace=namespace)
    scoped = engine.scoped("tenant-a")

    assert [x.execution_id for x in listed(scoped)] == [ids["tenant-a"]]
    assert [x.execution_id for x in listed(scoped, tag=("team.name", "x"))] == [ids["tenant-a"]]
    assert [x.execution_id for x in listed(scoped, public_state="active")] == [ids["tenant-a"]]
    assert scoped.count_executions() == scoped.count_executions(tag=("team.name", "x")) == 1
    assert [event.execution_id for event in log(scoped)] == [ids["tenant-a"]]
    assert scoped.read_events(execution_id=ids["tenant-b"]).events == []
    assert Started(scoped.subscribe().__next__).answer().execution_id == ids["tenant-a"]


def test_the_unscoped_engine_sees_every_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    for namespace in ("default", "tenant-a", "tenant-b"):
        create(engine, namespace=namespace)
        claim(engine, namespace=namespace)

    assert [x.namespace for x in listed(engine)] == ["tenant-b", "tenant-a", "default"]
    assert [event.namespace for event in log(engine)] == ["default", "tenant-a", "tenant-b"]


def test_the_unscoped_engine_creates_and_claims_in_default_unless_told_otherwise(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    create(engine, namespace="tenant-a")
    execution_id = create(engine)

    assert look(engine, execution_id).namespace == "default"
    assert claim_ids(engine) == [execution_id]


def test_the_unscoped_engine_may_touch_every_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    scoped = engine.scoped("tenant-a")
    create(scoped)
    (claimed,) = scoped.claim(worker_id="w", worker_instance_id="w1")
    assert isinstance(claimed, Claimed)

    engine.complete(claimed.lease)

    assert look(scoped, claimed.execution_id).public_state == "completed"


def test_a_claim_of_a_scoped_engine_gets_nothing_foreign(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, namespace="tenant-a")
    create(engine)

    assert claim_ids(engine.scoped("tenant-b")) == []


def test_idempotency_keys_of_two_scopes_do_not_meet(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine.scoped("tenant-a"), "one", idempotency_key="order-7")

    second = engine.scoped("tenant-b").create_execution("two", idempotency_key="order-7")

    assert isinstance(second, Created)
    assert engine.scoped("tenant-a").create_execution("one", idempotency_key="order-7") == Duplicate(first)


def test_command_ids_of_two_scopes_do_not_meet(engine: BlockingEngine, clock: ManualClock) -> None:
    answers = [
        scope.create_execution("job", command_id="one")
        for scope in (engine, engine.scoped("tenant-a"), engine.scoped("tenant-b"), engine.scoped("default"))
    ]

    assert len({answer.execution_id for answer in answers}) == 4


def test_an_id_taken_by_another_namespace_cannot_be_used(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, namespace="tenant-a")

    with refused(engine, Conflict):
        engine.scoped("tenant-b").create_execution("job", execution_id=execution_id)


def test_namespaces_that_differ_in_case_are_different(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    with refused(engine, NotFound):
        engine.scoped("Default").complete(lease)
    with unchanged(engine):
        assert claim_ids(engine.scoped("DEFAULT")) == []
