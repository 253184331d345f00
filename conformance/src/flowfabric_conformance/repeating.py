"""Repeating: a command that is sent again under the same id gets its first answer and has no second effect."""

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any, Final, NamedTuple

from flowfabric import (
    AnyOf,
    BlockingEngine,
    Conflict,
    Created,
    CycleDetected,
    ExecutionNotActive,
    FlowCreated,
    Lease,
    ManualClock,
    NewExecution,
    NewSchedule,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import Dag, graph_of, submit
from flowfabric_conformance.repeating_gates import GATE_WRITES
from flowfabric_conformance.repeating_waits import WAIT_WRITES
from flowfabric_conformance.stage import (
    RETRIED,
    all_refused,
    claim,
    create,
    listed,
    listed_flows,
    look,
    outcomes,
    refused,
    start,
    story,
    unchanged,
    vector,
)
from flowfabric_conformance.stream_stage import words

DAY_MS = 86_400_000
UUID = "550e8400-e29b-41d4-a716-446655440000"


class Write(NamedTuple):
    """A write method, and something that happens between its first call and the repeated one."""

    send: Callable[[BlockingEngine, Lease, str | None], object]
    meanwhile: Callable[[BlockingEngine, Lease], object]


def _nothing(engine: BlockingEngine, lease: Lease) -> None:
    pass


def _replay(engine: BlockingEngine, lease: Lease) -> object:
    return engine.replay_execution(lease.execution_id)


def _claim_again(engine: BlockingEngine, lease: Lease) -> object:
    return claim(engine)


WHILE_RUNNING: Final[dict[str, Write]] = {
    "create_execution": Write(
        lambda engine, lease, command_id: engine.create_execution("job", b"p", command_id=command_id), _nothing
    ),
    "create_from": Write(
        lambda engine, lease, command_id: engine.create_from(
            NewExecution(kind="job", payload=b"p"), command_id=command_id
        ),
        _nothing,
    ),
    "create_executions": Write(
        lambda engine, lease, command_id: engine.create_executions(
            [NewExecution(kind="a"), NewExecution(kind="b")], command_id=command_id
        ),
        _nothing,
    ),
    "claim": Write(
        lambda engine, lease, command_id: engine.claim(
            worker_id="w", worker_instance_id="w2", lanes=["spare"], limit=1, command_id=command_id
        ),
        _nothing,
    ),
    "renew": Write(
        lambda engine, lease, command_id: engine.renew(lease, lease_ttl_ms=50_000, command_id=command_id),
        lambda engine, lease: engine.renew(lease, lease_ttl_ms=90_000),
    ),
    "renew_all": Write(
        lambda engine, lease, command_id: engine.renew_all([lease], lease_ttl_ms=50_000, command_id=command_id),
        lambda engine, lease: engine.renew(lease, lease_ttl_ms=90_000),
    ),
    "record_step": Write(
        lambda engine, lease, command_id: engine.record_step(lease, "charge", b"paid", command_id=command_id),
        lambda engine, lease: engine.record_step(lease, "ship", b"sent"),
    ),
    "heartbeat": Write(
        lambda engine, lease, command_id: engine.heartbeat(
            worker_id="w", worker_instance_id="w1", command_id=command_id
        ),
        lambda engine, lease: engine.say_goodbye("w1"),
    ),
    "say_goodbye": Write(
        lambda engine, lease, command_id: engine.say_goodbye("w1", command_id=command_id),
        lambda engine, lease: engine.heartbeat(worker_id="w", worker_instance_id="w1"),
    ),
    "complete": Write(
        lambda engine, lease, command_id: engine.complete(lease, b"result", command_id=command_id), _replay
    ),
    "fail": Write(
        lambda engine, lease, command_id: engine.fail(lease, code="boom", retry_after_ms=0, command_id=command_id),
        _claim_again,
    ),
    "release": Write(lambda engine, lease, command_id: engine.release(lease, command_id=command_id), _claim_again),
    "delay": Write(
        lambda engine, lease, command_id: engine.delay(lease, until_ms=0, command_id=command_id), _claim_again
    ),
    "progress": Write(
        lambda engine, lease, command_id: engine.progress(lease, percent=10, command_id=command_id),
        lambda engine, lease: engine.progress(lease, percent=20),
    ),
    "cancel_execution": Write(
        lambda engine, lease, command_id: engine.cancel_execution(
            lease.execution_id, reason="stop", command_id=command_id
        ),
        _replay,
    ),
    "revoke_lease": Write(
        lambda engine, lease, command_id: engine.revoke_lease(lease.execution_id, command_id=command_id), _claim_again
    ),
    "pause_lane": Write(
        lambda engine, lease, command_id: engine.pause_lane("spare", reason="stop", command_id=command_id),
        lambda engine, lease: engine.resume_lane("spare"),
    ),
    "resume_lane": Write(
        lambda engine, lease, command_id: engine.resume_lane("spare", command_id=command_id),
        lambda engine, lease: engine.pause_lane("spare"),
    ),
    "set_tag": Write(
        lambda engine, lease, command_id: engine.set_tag(lease.execution_id, "team.name", "a", command_id=command_id),
        lambda engine, lease: engine.set_tag(lease.execution_id, "team.name", "b"),
    ),
    "append_frames": Write(
        lambda engine, lease, command_id: engine.append_frames(lease, [b"a"], command_id=command_id),
        lambda engine, lease: engine.append_frames(lease, [b"b"]),
    ),
    "append_all": Write(
        lambda engine, lease, command_id: engine.append_all([(lease, [b"a"], "step", None)], command_id=command_id),
        lambda engine, lease: engine.append_frames(lease, [b"b"]),
    ),
    "append_said": Write(
        lambda engine, lease, command_id: engine.append_said([words(lease, "a")], command_id=command_id),
        lambda engine, lease: engine.release(lease),
    ),
    "patch_summary": Write(
        lambda engine, lease, command_id: engine.patch_summary(lease, {"stage": "a"}, command_id=command_id),
        lambda engine, lease: engine.patch_summary(lease, {"stage": "b"}),
    ),
}
WHILE_WAITING: Final[dict[str, Write]] = {
    "change_priority": Write(
        lambda engine, lease, command_id: engine.change_priority(lease.execution_id, 5, command_id=command_id),
        lambda engine, lease: engine.change_priority(lease.execution_id, 6),
    ),
    "hold": Write(
        lambda engine, lease, command_id: engine.hold(lease.execution_id, command_id=command_id),
        lambda engine, lease: engine.unhold(lease.execution_id),
    ),
    "unhold": Write(
        lambda engine, lease, command_id: engine.unhold(lease.execution_id, command_id=command_id),
        lambda engine, lease: engine.hold(lease.execution_id),
    ),
}
WHEN_ENDED: Final[dict[str, Write]] = {
    "replay_execution": Write(
        lambda engine, lease, command_id: engine.replay_execution(lease.execution_id, command_id=command_id),
        lambda engine, lease: engine.cancel_execution(lease.execution_id, reason="stop"),
    ),
}
WRITES: Final = {**WHILE_RUNNING, **WHILE_WAITING, **WHEN_ENDED}
every_write = rule_cases("method", WRITES, sample=6)


def _prepared(engine: BlockingEngine, method: str) -> Lease:
    """The lease of an execution that is in a state for the method; the lane `spare` holds two more."""
    create(engine, lane="spare")
    create(engine, lane="spare")
    lease = start(engine, policy=RETRIED)
    _bring_into_a_state_for(method, engine, lease)
    return lease


def _bring_into_a_state_for(method: str, engine: BlockingEngine, lease: Lease) -> None:
    if method in WHILE_WAITING:
        engine.release(lease)
    if method in WHEN_ENDED:
        engine.complete(lease)


@every_write
def test_the_same_command_id_gets_the_first_answer_and_has_no_second_effect(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    write = WRITES[method]
    lease = _prepared(engine, method)
    first = write.send(engine, lease, "once")
    write.meanwhile(engine, lease)
    clock.advance(1)

    with unchanged(engine):
        again = write.send(engine, lease, "once")

    assert again == first
    assert type(again) is type(first)


def _apart(engine: BlockingEngine, method: str) -> BlockingEngine:
    """The engine in a namespace that no other method has: what one prepares, the next does not meet."""
    return engine.scoped(f"for {method}")


def test_a_command_id_does_not_change_what_a_command_does(engine: BlockingEngine, clock: ManualClock) -> None:
    done: dict[str | None, dict[str, object]] = {None: {}, "once": {}}
    for method, write in WRITES.items():
        scoped = _apart(engine, method)
        leases = [start(scoped, policy=RETRIED) for _ in done]
        for lease, command_id in zip(leases, done, strict=True):
            _bring_into_a_state_for(method, scoped, lease)
            write.send(scoped, lease, command_id)
        for lease, command_id in zip(leases, done, strict=True):
            its_id = lease.execution_id
            done[command_id][method] = (vector(scoped, its_id), story(scoped, its_id), outcomes(scoped, its_id))
        assert len(listed(scoped)) % 2 == 0, method

    assert done["once"] == done[None]


def test_a_command_id_is_kept_for_a_day_and_no_longer(engine: BlockingEngine, clock: ManualClock) -> None:
    leases = {method: _prepared(_apart(engine, method), method) for method in WRITES}

    def send(method: str) -> object:
        return WRITES[method].send(_apart(engine, method), leases[method], "once")

    first = {method: send(method) for method in WRITES}
    clock.advance(DAY_MS - 1)

    within = {method: send(method) for method in WRITES}
    clock.advance(1)
    fresh = {
        method: type(_apart(engine, method).create_execution("something else", command_id="once")) for method in WRITES
    }

    assert within == first
    assert fresh == dict.fromkeys(WRITES, Created)


def test_a_command_id_used_for_another_command_is_a_conflict(engine: BlockingEngine, clock: ManualClock) -> None:
    creations: dict[str, Callable[[], object]] = {}
    tags: dict[str, Callable[[], object]] = {}
    for method, write in WRITES.items():
        scoped = _apart(engine, method)
        lease = _prepared(scoped, method)
        write.send(scoped, lease, "once")
        creations[method] = partial(scoped.create_execution, "something else", command_id="once")
        tags[method] = partial(scoped.set_tag, lease.execution_id, "team.name", "something else", command_id="once")

    all_refused(engine, Conflict, creations)
    all_refused(engine, Conflict, tags)


# ── flows ────────────────────────────────────────────────────────────────────────────────────────


class FlowWrite(NamedTuple):
    """A write method on a flow `run>blocked idle`, and something that happens before it is repeated."""

    send: Callable[[Dag, str | None], object]
    meanwhile: Callable[[Dag], object]


def _nothing_more(dag: Dag) -> None:
    pass


FLOW_WRITES: Final[dict[str, FlowWrite]] = {
    "create_flow": FlowWrite(
        lambda dag, command_id: dag.engine.create_flow("pipeline", command_id=command_id), _nothing_more
    ),
    "create_flow under an id": FlowWrite(
        lambda dag, command_id: dag.engine.create_flow("pipeline", flow_id=UUID, command_id=command_id),
        _nothing_more,
    ),
    "add_execution": FlowWrite(
        lambda dag, command_id: dag.engine.add_execution(
            dag.flow_id, "more", b"p", after=[(dag["run"], "it")], join=AnyOf("let_run"), command_id=command_id
        ),
        lambda dag: dag.engine.cancel_flow(dag.flow_id, reason="meanwhile"),
    ),
    "add_dependency": FlowWrite(
        lambda dag, command_id: dag.engine.add_dependency(
            dag.flow_id, dag["idle"], dag["blocked"], pass_result_as="it", command_id=command_id
        ),
        lambda dag: dag.engine.cancel_flow(dag.flow_id, reason="meanwhile"),
    ),
    "add_dependency under an id": FlowWrite(
        lambda dag, command_id: dag.engine.add_dependency(
            dag.flow_id,
            dag["idle"],
            dag["blocked"],
            edge_id="the edge",
            expected_graph_revision=1,
            command_id=command_id,
        ),
        lambda dag: dag.link("idle", "blocked"),
    ),
    "set_edge_group_policy": FlowWrite(
        lambda dag, command_id: dag.engine.set_edge_group_policy(
            dag.flow_id, dag["idle"], AnyOf("let_run"), command_id=command_id
        ),
        lambda dag: dag.link("run", "idle"),
    ),
    "submit_flow": FlowWrite(
        lambda dag, command_id: dag.engine.submit_flow(
            graph_of("x>z y>z", joins={"z": AnyOf("let_run")}), command_id=command_id
        ),
        _nothing_more,
    ),
    "cancel_flow": FlowWrite(
        lambda dag, command_id: dag.engine.cancel_flow(
            dag.flow_id, reason="stop", policy="cancel_pending", command_id=command_id
        ),
        lambda dag: dag.engine.cancel_flow(dag.flow_id, reason="again"),
    ),
    "replay_flow": FlowWrite(
        lambda dag, command_id: dag.engine.replay_flow(dag.flow_id, command_id=command_id),
        lambda dag: dag.engine.cancel_flow(dag.flow_id, reason="meanwhile"),
    ),
    "ack_cancel_member": FlowWrite(
        lambda dag, command_id: dag.engine.ack_cancel_member(dag.flow_id, dag["run"], command_id=command_id),
        lambda dag: dag.engine.cancel_flow(dag.flow_id, reason="meanwhile"),
    ),
    "set_flow_tag": FlowWrite(
        lambda dag, command_id: dag.engine.set_flow_tag(dag.flow_id, "team.name", "a", command_id=command_id),
        lambda dag: dag.engine.set_flow_tag(dag.flow_id, "team.name", "b"),
    ),
}
every_flow_write = rule_cases("method", FLOW_WRITES, sample=3)


def _flow_to_write_to(engine: BlockingEngine) -> Dag:
    dag = submit(engine, "run>blocked idle")
    dag.start("run")
    return dag


def test_every_write_method_is_repeated_somewhere() -> None:
    repeated = {*WRITES, *SCHEDULE_WRITES, *WAIT_WRITES, *GATE_WRITES}
    repeated |= {method.split(" ")[0] for method in FLOW_WRITES}
    repeated |= {"create_access_token", "revoke_access_token"}  # by tests of their own: a secret is shown once

    writes = {
        name
        for name in dir(BlockingEngine)
        if not name.startswith("_") and "command_id" in signature(getattr(BlockingEngine, name)).parameters
    }
    assert repeated == writes


@every_flow_write
def test_the_same_command_id_gets_the_first_answer_of_a_command_to_a_flow(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    write = FLOW_WRITES[method]
    dag = _flow_to_write_to(engine)
    first = write.send(dag, "once")
    write.meanwhile(dag)
    clock.advance(1)

    with unchanged(engine):
        again = write.send(dag, "once")

    assert again == first
    assert type(again) is type(first)


def _flows_to_write_to(engine: BlockingEngine) -> dict[str, Dag]:
    """A flow for each method, in a namespace of its own."""
    return {method: _flow_to_write_to(_apart(engine, method)) for method in FLOW_WRITES}


def test_a_command_id_of_a_command_to_a_flow_is_kept_for_a_day_and_no_longer(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dags = _flows_to_write_to(engine)
    first = {method: FLOW_WRITES[method].send(dag, "once") for method, dag in dags.items()}
    clock.advance(DAY_MS - 1)

    within = {method: FLOW_WRITES[method].send(dag, "once") for method, dag in dags.items()}
    clock.advance(1)
    fresh = {method: type(dag.engine.create_flow("something else", command_id="once")) for method, dag in dags.items()}

    assert within == first
    assert fresh == dict.fromkeys(FLOW_WRITES, FlowCreated)


def test_a_command_id_used_for_another_command_to_a_flow_is_a_conflict(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dags = _flows_to_write_to(engine)
    for method, dag in dags.items():
        FLOW_WRITES[method].send(dag, "once")

    for send in (
        lambda dag: dag.engine.create_flow("something else", command_id="once"),
        lambda dag: dag.engine.cancel_flow(dag.flow_id, reason="something else", command_id="once"),
    ):
        all_refused(engine, Conflict, {method: partial(send, dag) for method, dag in dags.items()})


def test_a_command_id_does_not_change_what_a_command_does_to_a_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    done: dict[str | None, dict[str, object]] = {None: {}, "once": {}}
    # Two flows of the same id cannot be.
    for method in (method for method in FLOW_WRITES if not method.endswith(" under an id")):
        for command_id, told in done.items():
            scoped = _apart(engine, f"{method} {command_id}")
            dag = _flow_to_write_to(scoped)
            FLOW_WRITES[method].send(dag, command_id)
            told[method] = (dag.states(*dag.ids), dag.story(), _shape(dag), len(listed_flows(scoped)))

    assert done["once"] == done[None]


def _shape(dag: Dag) -> tuple[object, ...]:
    flow = dag.flow()
    return flow.state, flow.graph_revision, flow.node_count, flow.edge_count, flow.tags, len(flow.groups)


def test_other_arguments_of_a_command_to_a_flow_under_the_same_command_id_are_a_conflict(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a b c")
    engine.add_dependency(dag.flow_id, dag["a"], dag["b"], command_id="edge")
    engine.submit_flow(graph_of("x>y"), command_id="graph")
    engine.add_execution(dag.flow_id, "d", after=[dag["a"]], command_id="member")

    with refused(engine, Conflict):
        engine.add_dependency(dag.flow_id, dag["a"], dag["c"], command_id="edge")
    with refused(engine, Conflict):
        engine.add_dependency(dag.flow_id, dag["a"], dag["b"], pass_result_as="it", command_id="edge")
    for other in (graph_of("y>x"), graph_of("x y"), graph_of("x>y z"), graph_of("x>y", joins={"y": AnyOf("let_run")})):
        with refused(engine, Conflict):
            engine.submit_flow(other, command_id="graph")
    with refused(engine, Conflict):
        engine.add_execution(dag.flow_id, "d", after=[dag["b"]], command_id="member")
    with refused(engine, Conflict):
        engine.add_execution(dag.flow_id, "d", after=[(dag["a"], "it")], command_id="member")


def test_a_repeated_claim_gets_the_same_inputs(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"})
    dag.complete("a", bytes(range(256)))
    first = dag.claim("b", command_id="once")
    engine.cancel_flow(dag.flow_id, reason="meanwhile")

    again = dag.claim("b", command_id="once")

    assert again == first
    assert again.inputs == {"it": bytes(range(256))}


def test_a_refused_command_to_a_flow_leaves_its_id_free(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    with refused(engine, CycleDetected):
        dag.link("b", "a", command_id="once")

    dag.link("a", "b", command_id="once")

    assert dag.flow().edge_count == 2


# ── schedules ────────────────────────────────────────────────────────────────────────────────────

HOURLY: Final = NewSchedule(name="report", kind="report", every_ms=3_600_000, catch_up="all")
ORPHANED_MS: Final = 150_000


class ScheduleWrite(NamedTuple):
    """A write method on an orphaned schedule with a slot due, and something that happens before it is repeated."""

    send: Callable[[BlockingEngine, str | None], object]
    meanwhile: Callable[[BlockingEngine], object]


SCHEDULE_WRITES: Final[dict[str, ScheduleWrite]] = {
    "fire_schedule": ScheduleWrite(
        lambda engine, command_id: engine.fire_schedule(HOURLY, command_id=command_id),
        lambda engine: engine.pause_schedule("report"),
    ),
    "pause_schedule": ScheduleWrite(
        lambda engine, command_id: engine.pause_schedule("report", command_id=command_id),
        lambda engine: engine.resume_schedule("report"),
    ),
    "resume_schedule": ScheduleWrite(
        lambda engine, command_id: engine.resume_schedule("report", command_id=command_id),
        lambda engine: engine.pause_schedule("report"),
    ),
    "run_schedule": ScheduleWrite(
        lambda engine, command_id: engine.run_schedule("report", command_id=command_id),
        lambda engine: engine.pause_schedule("report"),
    ),
    "forget_schedule": ScheduleWrite(
        lambda engine, command_id: engine.forget_schedule("report", command_id=command_id),
        lambda engine: engine.fire_schedule(HOURLY),
    ),
}


@rule_cases("method", SCHEDULE_WRITES)
def test_the_same_command_id_gets_the_first_answer_of_a_command_to_a_schedule(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    write = SCHEDULE_WRITES[method]
    engine.fire_schedule(HOURLY)
    clock.advance(3_600_000)
    first = write.send(engine, "once")
    write.meanwhile(engine)
    clock.advance(ORPHANED_MS)

    with unchanged(engine):
        again = write.send(engine, "once")

    assert again == first
    assert type(again) is type(first)


@rule_cases("method", SCHEDULE_WRITES)
def test_a_command_id_used_for_another_command_to_a_schedule_is_a_conflict(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    engine.fire_schedule(HOURLY)
    clock.advance(3_600_000)
    SCHEDULE_WRITES[method].send(engine, "once")

    with refused(engine, Conflict):
        engine.pause_schedule("something else", command_id="once")


# ── in general ───────────────────────────────────────────────────────────────────────────────────


def test_other_arguments_under_the_same_command_id_are_a_conflict(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.create_execution("job", b"p", tags={"a.a": "1", "b.b": "2"}, command_id="once")

    with unchanged(engine):
        engine.create_execution("job", b"p", tags={"b.b": "2", "a.a": "1"}, command_id="once")
    others: list[dict[str, Any]] = [{"payload": b"q"}, {"priority": 1}, {"lane": "gpu"}, {"namespace": "x"}, {}]
    for other in others:
        with refused(engine, Conflict):
            engine.create_execution(**{"kind": "job", "payload": b"p", "command_id": "once", **other})


def test_a_repeated_creation_gets_the_id_that_was_minted_first(engine: BlockingEngine, clock: ManualClock) -> None:
    answers = [engine.create_execution("job", command_id="once") for _ in range(3)]

    assert answers == [answers[0]] * 3
    assert isinstance(answers[0], Created)
    assert len(listed(engine)) == 1


def test_a_repeated_claim_gets_the_same_leases_and_takes_nothing_more(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    payload = bytes(range(256))
    for _ in range(4):
        create(engine, "job", payload, tags={"team.name": "x"})

    first = engine.claim(worker_id="w", worker_instance_id="w1", limit=2, command_id="once")
    again = engine.claim(worker_id="w", worker_instance_id="w1", limit=2, command_id="once")

    assert again == first
    assert [claimed.payload for claimed in again] == [payload, payload]
    assert len(listed(engine, public_state="active")) == 2
    engine.complete(again[0].lease)


def test_a_repeated_claim_of_an_empty_queue_stays_empty(engine: BlockingEngine, clock: ManualClock) -> None:
    first = engine.claim(worker_id="w", worker_instance_id="w1", command_id="once")
    create(engine)

    again = engine.claim(worker_id="w", worker_instance_id="w1", command_id="once")

    assert (first, again) == ([], [])


def test_a_refused_command_leaves_its_id_free(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.release(lease)
    with refused(engine, ExecutionNotActive):
        engine.complete(lease, command_id="once")

    second = claim(engine).lease
    engine.complete(second, command_id="once")

    assert look(engine, lease.execution_id).public_state == "completed"


def test_without_a_command_id_every_command_counts(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine)
    create(engine)

    assert len(listed(engine)) == 2


def test_a_failed_batch_under_a_command_id_leaves_its_id_free(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, "old", idempotency_key="order-7")
    items = [NewExecution(kind="job"), NewExecution(kind="job", idempotency_key="order-7")]
    with refused(engine, Conflict):
        engine.create_executions(items, command_id="once")

    answers = engine.create_executions(items[:1], command_id="once")

    assert [type(answer) for answer in answers] == [Created]
