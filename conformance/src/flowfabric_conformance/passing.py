"""Passing results on: what an upstream returned reaches its child under a name, to the byte, and at every attempt."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from flowfabric import AnyOf, BlockingEngine, Lease, ManualClock
from flowfabric_conformance.flow_stage import create_flow, submit
from flowfabric_conformance.stage import RETRIED

BYTES: Final[dict[str, bytes]] = {
    "empty": b"",
    "one": b"\x00",
    "every byte": bytes(range(256)),
    "no text": b"\xff\xfe\x00\xc3\x28",
    "looks encoded": b"\\x6162",
    "as large as a result may be": bytes(range(256)) * 4_096,
}


@pytest.mark.parametrize("result", BYTES)
def test_a_result_is_passed_on_byte_for_byte(engine: BlockingEngine, clock: ManualClock, result: str) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "picture"})

    dag.complete("a", BYTES[result])

    assert dag.claim("b").inputs == {"picture": BYTES[result]}
    assert engine.get_result(dag["a"]) == BYTES[result]


def test_each_upstream_passes_its_own_result_under_its_name(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(
        engine,
        "a>d b>d c>d",
        passing={"a>d": "left", "b>d": "größe \U0001f600"},
    )
    for name in "abc":
        dag.complete(name, name.encode())

    assert dag.claim("d").inputs == {"left": b"a", "größe \U0001f600": b"b"}


def test_an_upstream_without_a_result_passes_nothing_on(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "picture"})

    dag.complete("a")

    assert dag.claim("b").inputs == {}


def test_only_upstreams_that_completed_pass_something_on(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>d b>d c>d", joins={"d": AnyOf("let_run")}, passing={"a>d": "a", "b>d": "b", "c>d": "c"})
    dag.fail("a")
    dag.complete("b", b"second")

    claimed = dag.claim("d")
    dag.complete("c", b"third")

    assert claimed.inputs == {"b": b"second"}


def test_of_two_results_under_one_name_the_first_that_came_counts(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c", passing={"a>c": "it", "b>c": "it"})
    dag.complete("b", b"from b")
    clock.advance(5)
    dag.complete("a", b"from a")

    assert dag.claim("c").inputs == {"it": b"from b"}


def test_a_result_that_was_there_before_the_edge_is_passed_on(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b")
    dag.complete("a", b"early")

    dag.add("c", ("a", "it"))
    dag.link("a", "b", pass_result_as="it")

    assert dag.claim("c").inputs == {"it": b"early"}
    assert dag.claim("b").inputs == {"it": b"early"}


def _expire_lease(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    clock.advance(lease.expires_at_ms - clock.now_ms)
    engine.reconcile()


BACK: Final[dict[str, Callable[[BlockingEngine, ManualClock, Lease], object]]] = {
    "retry": lambda engine, clock, lease: engine.fail(lease, code="boom", retry_after_ms=0),
    "release": lambda engine, clock, lease: engine.release(lease),
    "delay": lambda engine, clock, lease: engine.delay(lease, until_ms=0),
    "revoke": lambda engine, clock, lease: engine.revoke_lease(lease.execution_id),
    "expiry": _expire_lease,
}
"""How an execution that runs comes back to the queue."""


@pytest.mark.parametrize("how", BACK)
def test_every_further_attempt_gets_the_same_inputs(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    dag = submit(engine, "a>b", passing={"a>b": "it"}, nodes={"b": {"policy": RETRIED}})
    dag.complete("a", b"result")
    first = dag.claim("b")

    BACK[how](engine, clock, first.lease)
    second = dag.claim("b")

    assert second.attempt_index == 1
    assert second.inputs == first.inputs == {"it": b"result"}


def test_a_late_result_reaches_an_attempt_that_starts_after_it(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": AnyOf("let_run")}, passing={"a>c": "a", "b>c": "b"})
    dag.complete("a", b"first")
    first = dag.claim("c")
    dag.complete("b", b"second")
    engine.release(first.lease)

    assert first.inputs == {"a": b"first"}
    assert dag.claim("c").inputs["a"] == b"first"


def test_members_without_named_results_and_solo_executions_have_no_inputs(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a", b"unused")

    assert dag.claim("b").inputs == {}


def test_a_batch_of_claims_gives_each_its_own_inputs(engine: BlockingEngine, clock: ManualClock) -> None:
    names = [f"n{number}" for number in range(20)]
    drawing = " ".join(f"u{name}>{name}" for name in names)
    nodes: dict[str, Any] = {name: {"lane": "n"} for name in names}
    dag = submit(engine, drawing, nodes=nodes, passing={f"u{name}>{name}": "it" for name in names})
    for name in names:
        dag.complete(f"u{name}", name.encode())

    claimed = engine.claim(worker_id="w", worker_instance_id="w1", lanes=["n"], limit=100)

    assert {c.execution_id: dict(c.inputs) for c in claimed} == {dag[name]: {"it": name.encode()} for name in names}


def test_data_is_passed_along_a_chain(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine)
    dag.add("a")
    dag.add("b", ("a", "it"))
    dag.add("c", ("b", "it"), ("a", "first"))
    dag.complete("a", b"1")
    first = dag.claim("b")
    engine.complete(first.lease, first.inputs["it"] + b"2")

    assert dag.claim("c").inputs == {"it": b"12", "first": b"1"}


def test_of_two_results_of_one_instant_under_one_name_the_same_counts_on_every_store(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a b c")
    dag.link("a", "c", edge_id="zebra", pass_result_as="it")
    dag.link("b", "c", edge_id="Apple", pass_result_as="it")
    dag.complete("a", b"from a")
    dag.complete("b", b"from b")

    assert dag.claim("c").inputs == {"it": b"from b"}


def test_the_first_upstream_without_a_result_leaves_the_name_to_the_next(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b>c", passing={"a>c": "it", "b>c": "it"})
    dag.complete("a")
    clock.advance(5)
    dag.complete("b", b"from b")

    assert dag.claim("c").inputs == {"it": b"from b"}
