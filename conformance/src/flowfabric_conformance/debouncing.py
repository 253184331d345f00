"""Debounced executions: of several with one kind and one key, only the last one runs, a while after it was made."""

import pytest

from flowfabric import BlockingEngine, Conflict, Created, Duplicate, InvalidInput, ManualClock, NewExecution
from flowfabric_conformance.stage import claim, claim_ids, log, look, refused

SPAN_MS = 30_000


def _save(engine: BlockingEngine, payload: bytes = b"", key: str = "doc-7", **arguments: object) -> str:
    made = engine.create_execution("save", payload, debounce_ms=SPAN_MS, debounce_key=key, **arguments)  # type: ignore[arg-type]
    assert isinstance(made, Created)
    return made.execution_id


def test_only_the_last_of_a_key_runs_and_with_its_own_payload(engine: BlockingEngine, clock: ManualClock) -> None:
    first = _save(engine, b"1")
    clock.advance(SPAN_MS - 1)
    second = _save(engine, b"2")
    clock.advance(SPAN_MS - 1)
    engine.reconcile()
    too_early = claim_ids(engine)
    clock.advance(1)
    engine.reconcile()

    claimed = claim(engine)
    replaced = look(engine, first)
    assert too_early == []
    assert (claimed.execution_id, claimed.payload) == (second, b"2")
    assert (replaced.public_state, replaced.cancellation_reason) == ("cancelled", "replaced")
    assert look(engine, second).created_at_ms == clock.now_ms - SPAN_MS
    assert claim_ids(engine) == []


def test_what_waits_for_a_worker_is_replaced_too(engine: BlockingEngine, clock: ManualClock) -> None:
    first = _save(engine)
    clock.advance(SPAN_MS)
    engine.reconcile()
    ready = look(engine, first).public_state
    second = _save(engine)

    assert (ready, look(engine, first).public_state) == ("waiting", "cancelled")
    assert claim_ids(engine) == []
    clock.advance(SPAN_MS)
    engine.reconcile()
    assert claim_ids(engine) == [second]


@pytest.mark.parametrize("state", ["running", "retrying", "ended"])
def test_what_has_started_is_not_replaced(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    first = _save(engine)
    clock.advance(SPAN_MS)
    engine.reconcile()
    claimed = claim(engine)
    if state == "retrying":
        engine.release(claimed.lease)
    elif state == "ended":
        engine.complete(claimed.lease)
    before = look(engine, first).public_state

    second = _save(engine)

    assert look(engine, first).public_state == before != "cancelled"
    assert look(engine, second).delay_until_ms == clock.now_ms + SPAN_MS


def test_keys_kinds_and_namespaces_have_nothing_to_do_with_each_other(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    made = [_save(engine), _save(engine, key="doc-8"), _save(engine, key=""), _save(engine, namespace="other")]
    made.append(engine.create_execution("load", debounce_ms=5, debounce_key="doc-7").execution_id)

    assert {look(engine, each).public_state for each in made} == {"delayed"}


def test_several_of_one_call_replace_each_other(engine: BlockingEngine, clock: ManualClock) -> None:
    items = [NewExecution(kind="save", payload=bytes([n]), debounce_ms=SPAN_MS) for n in range(3)]

    made = [each.execution_id for each in engine.create_executions(items)]

    assert [look(engine, each).public_state for each in made] == ["cancelled", "cancelled", "delayed"]


def test_a_replaced_one_may_be_replayed_and_then_stays(engine: BlockingEngine, clock: ManualClock) -> None:
    first = _save(engine)
    second = _save(engine)
    engine.replay_execution(first)
    third = _save(engine)

    assert [look(engine, each).public_state for each in (second, third)] == ["cancelled", "delayed"]
    assert claim_ids(engine) == [first]


def test_a_repeated_request_is_one_request(engine: BlockingEngine, clock: ManualClock) -> None:
    first = engine.create_execution("save", debounce_ms=SPAN_MS, command_id="once")
    again = engine.create_execution("save", debounce_ms=SPAN_MS, command_id="once")
    given = _save(engine, key="given", execution_id="{fp:1}:0198c0de-0000-7000-8000-000000000001")
    known = engine.create_execution(
        "save", debounce_ms=SPAN_MS, debounce_key="given", execution_id="{fp:1}:0198c0de-0000-7000-8000-000000000001"
    )

    assert again == first
    assert known == Duplicate(given)
    with refused(engine, Conflict):
        engine.create_execution("save", debounce_ms=SPAN_MS + 1, command_id="once")
    assert [event.event_type for event in log(engine, channels=["completion"])] == []


def test_the_arguments_of_debounced_executions_are_checked(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    wrong: list[dict[str, object]] = [
        {"debounce_ms": 0},
        {"debounce_ms": 30 * 86_400_000 + 1},
        {"debounce_ms": 1, "debounce_key": "x" * 257},
        {"debounce_key": "doc-7"},
        {"debounce_ms": 1, "delay_until_ms": clock.now_ms + 5},
        {"debounce_ms": 1, "idempotency_key": "once"},
        {"debounce_ms": 1, "limits": {"api": ""}, "when_full": "drop_new"},
        {"idempotency_key": "ff.debounce:save:doc-7"},
        {"debounce_ms": 1, "conn": object()},
    ]
    for arguments in wrong:
        with refused(engine, InvalidInput):
            engine.create_execution("save", **arguments)  # type: ignore[arg-type]
    with refused(engine, InvalidInput):
        engine.create_executions([NewExecution(kind="save", debounce_ms=1)], conn=object())
    assert isinstance(engine.create_execution("save", debounce_ms=30 * 86_400_000, debounce_key="x" * 256), Created)
