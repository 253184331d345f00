"""Limits: a refusal of bad input reaches the caller and writes nothing, and what is just within a limit is kept.

Bad input is refused before a store is asked. What is left for a store to get wrong is what it reads itself: a cursor,
the caller's connection, and values that are as large as they may be.
"""

from array import array
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from functools import partial
from typing import Any

import msgspec

from flowfabric import (
    BlockingEngine,
    ExecutionPolicy,
    FlowGraph,
    InvalidInput,
    ManualClock,
    NewExecution,
    Quorum,
    RetryPolicy,
)
from flowfabric_conformance.flow_stage import Dag
from flowfabric_conformance.stage import claim, create, listed, look, refusing, start, unchanged


def test_a_refusal_of_bad_input_reaches_the_caller(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    unstorable = ["nul\0", "lone \ud800"]

    assert refusing(engine, lambda kind: engine.create_execution(kind), unstorable) == []
    assert refusing(engine, lambda name: engine.scoped(name).list_executions(), unstorable) == []
    assert refusing(engine, lambda message: engine.progress(lease, message=message), unstorable) == []
    assert refusing(engine, lambda trace: engine.fail(lease, code="c", traceback=trace), ["é" * 8_193, "\0", 7]) == []
    assert refusing(engine, lambda value: engine.set_tag(lease.execution_id, "team.name", value), unstorable) == []
    assert refusing(engine, lambda kind: engine.create_flow(kind), unstorable) == []
    assert refusing(engine, lambda limit: engine.list_executions(limit=limit), [0, 2**63, 10**30]) == []
    assert refusing(engine, lambda priority: engine.create_execution("job", priority=priority), ["1", 1.5]) == []


def test_what_is_no_connection_cannot_be_joined(engine: BlockingEngine, clock: ManualClock) -> None:
    def begin_on(conn: Any) -> None:
        with engine.transaction(conn):
            engine.create_execution("job", conn=conn)

    values = [5, "connection", b"", {}, [], object(), BlockingEngine, engine]

    assert refusing(engine, lambda conn: engine.create_execution("job", conn=conn), values) == []
    assert refusing(engine, lambda conn: engine.create_executions([NewExecution(kind="job")], conn=conn), values) == []
    assert refusing(engine, begin_on, [None, *values]) == []


def test_a_forged_cursor_is_refused_or_harmless(engine: BlockingEngine, clock: ManualClock) -> None:
    for _ in range(3):
        create(engine)
    claim(engine, limit=1)
    for _ in range(3):
        engine.create_flow("pipeline")
    cursors = (
        (engine.list_flows, engine.list_flows(limit=1).next_cursor),
        (engine.list_executions, engine.list_executions(limit=1).next_cursor),
        (engine.read_events, engine.read_events(limit=1).next_cursor),
        (partial(engine.operate, "unhold"), engine.operate("unhold", limit=1).next_cursor),
        (partial(engine.purge, ended_before_ms=0), _cursor_of_a_purge(engine)),
    )

    with unchanged(engine):
        for read, cursor in cursors:
            assert cursor is not None
            for forged in _forgeries(cursor):
                try:
                    read(cursor=forged)
                except InvalidInput as refusal:
                    assert not refusal.retryable


def _cursor_of_a_purge(engine: BlockingEngine) -> str | None:
    """One that a purge of two executions would give; they live in a namespace of their own."""
    for _ in range(2):
        engine.cancel_execution(create(engine, namespace="purged"), reason="enough")
    return engine.purge(ended_before_ms=engine.server_time_ms() + 1, namespace="purged", limit=1).next_cursor


def _forgeries(cursor: str) -> Iterable[str]:
    """The cursor with each value in it, however deep, replaced by values that should not be there."""
    values = msgspec.msgpack.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    strange: list[Any] = ["", "zz", "\0", None, -1, 2**63 - 1, 2**63, 2**64 - 1, 1.5, [], {}, [1, 2, 3], True, b"\xff"]
    for forged in _replaced(values, strange):
        yield urlsafe_b64encode(msgspec.msgpack.encode(forged)).decode().rstrip("=")


def _replaced(value: Any, strange: list[Any]) -> Iterable[Any]:
    yield from strange
    if isinstance(value, list):
        for at, part in enumerate(value):
            for other in _replaced(part, strange):
                yield [*value[:at], other, *value[at + 1 :]]
        yield value[:-1]
        yield [*value, 0]


# ── just within ──────────────────────────────────────────────────────────────────────────────────


def test_what_is_just_within_the_limits_is_kept(engine: BlockingEngine, clock: ManualClock) -> None:
    name, text = "\U0001f600" * 128, "é" * 2_048
    tags = {f"t{number}.{'n' * 200}.": "é" * 512 for number in range(64)}
    capabilities = [f"token-{number}-{'ü' * 200}" for number in range(64)]
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=1_000_000, initial_delay_ms=0, max_delay_ms=0))
    execution_id = create(
        engine,
        name,
        b"p" * (1024 * 1024),
        lane=" " + "~" * 63,
        namespace=name,
        deadline_at_ms=2**53 - 1,
        idempotency_key="\U0001f600" * 256,
        required_capabilities=capabilities,
        policy=policy,
        tags=tags,
        command_id="\U0001f600" * 256,
    )
    (claimed,) = engine.claim(
        worker_id="ü" * 256,
        worker_instance_id="ü" * 256,
        lanes=[" " + "~" * 63, *(f"lane-{number}" for number in range(63))],
        namespace=name,
        capabilities=capabilities,
        limit=1_000,
        lease_ttl_ms=30 * 86_400_000,
    )
    engine.progress(claimed.lease, percent=100, message=text)
    engine.fail(claimed.lease, code=name, message=text)
    engine.hold(execution_id, reason=text)
    engine.cancel_execution(execution_id, reason=text, source=name)

    x = look(engine, execution_id)
    assert (x.kind, x.namespace, x.lane) == (name, name, " " + "~" * 63)
    assert (x.tags, sorted(x.required_capabilities)) == (tags, sorted(capabilities))
    assert (x.progress_message, x.cancellation_reason, x.cancelled_by) == (text, text, name)
    assert x.deadline_at_ms == 2**53 - 1
    assert listed(engine, namespace=name, kind=name, tag=(f"t0.{'n' * 200}.", "é" * 512)) == [x]


def test_what_of_a_flow_is_just_within_the_limits_is_kept(engine: BlockingEngine, clock: ManualClock) -> None:
    name, text = "\U0001f600" * 128, "é" * 2_048
    tags = {f"t{number}.{'n' * 200}.": "é" * 512 for number in range(64)}
    graph = FlowGraph(name, namespace=name, tags=tags)
    for node in (name, "b"):
        graph.node(node, name)
    graph.edge(name, "b", pass_result_as=name)
    graph.join("b", Quorum(1, "let_run"))

    answer = engine.submit_flow(graph, command_id="\U0001f600" * 256)
    dag = Dag(engine, answer.flow_id, answer.execution_ids)
    dag.link(name, "b", edge_id=name)
    engine.set_edge_group_policy(dag.flow_id, dag[name], Quorum(2**31 - 1, "let_run"))
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w1", namespace=name)
    engine.complete(claimed.lease, b"r" * (1024 * 1024))
    (child,) = engine.claim(worker_id="w", worker_instance_id="w1", namespace=name)
    engine.cancel_flow(dag.flow_id, reason=text)

    flow = dag.flow()
    assert (flow.kind, flow.namespace, flow.tags, flow.cancel_reason) == (name, name, tags, text)
    assert child.inputs == {name: b"r" * (1024 * 1024)}
    edge = engine.describe_edge(dag.flow_id, name)
    assert edge is not None
    assert edge.edge_id == name


def test_an_attempt_may_last_as_long_as_anyone_could_mean(engine: BlockingEngine, clock: ManualClock) -> None:
    century_ms = 100 * 365 * 86_400_000
    execution_id = create(
        engine,
        delay_until_ms=2**53 - 1,
        policy=ExecutionPolicy(attempt_timeout_ms=century_ms, retention_ms=century_ms),
        idempotency_key="k",
        idempotency_ttl_ms=century_ms,
    )
    clock.advance(century_ms)

    engine.reconcile()

    assert look(engine, execution_id).delay_until_ms == 2**53 - 1


def test_a_retry_so_far_away_that_no_instant_names_it_is_still_stored(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    century_ms = 100 * 365 * 86_400_000
    retry = RetryPolicy(max_retries=3, backoff="fixed", initial_delay_ms=century_ms, max_delay_ms=century_ms)
    lease = start(engine, policy=ExecutionPolicy(retry=retry))

    engine.fail(lease, code="boom")

    assert look(engine, lease.execution_id).delay_until_ms == clock.now_ms + century_ms


def test_a_payload_given_as_an_array_of_wider_numbers_is_kept_as_its_bytes(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    numbers = memoryview(array("H", [1, 2, 3]))

    create(engine, "job", numbers)  # type: ignore[arg-type]

    assert claim(engine).payload == numbers.tobytes()
