"""Replaying: what is stored is not done again, or all of it is, or what follows one step."""

from typing import Any

import pytest

from flowfabric import BlockingEngine, InvalidInput, Lease, ManualClock, NotFound, Replayed
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import claim, last_event, refused, start


def _with_steps(engine: BlockingEngine, *names: str) -> Lease:
    """The lease of a running execution that has stored these steps, all in one instant."""
    lease = start(engine)
    for name in names:
        engine.record_step(lease, name, name.encode(), fingerprint=b"of " + name.encode())
    return lease


def _names(engine: BlockingEngine, execution_id: str) -> list[str]:
    return [step.name for step in engine.list_steps(execution_id)]


def _told(engine: BlockingEngine, execution_id: str) -> tuple[object, object, object]:
    details = last_event(engine, execution_id)[2]
    return details["steps"], details["steps_kept"], details["from_step"]


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_what_did_not_complete_keeps_its_steps(engine: BlockingEngine, end: str) -> None:
    lease = _with_steps(engine, "reserve", "charge")
    if end == "failed":
        engine.fail(lease, code="boom", retryable=False)
    else:
        engine.cancel_execution(lease.execution_id, reason="stop")
    before = engine.list_steps(lease.execution_id)

    answer = engine.replay_execution(lease.execution_id)

    assert answer == Replayed(lease.execution_id, "waiting", 0, 2)
    assert _told(engine, lease.execution_id) == ("kept", 2, None)
    assert engine.list_steps(lease.execution_id) == before


def test_what_completed_starts_from_scratch(engine: BlockingEngine) -> None:
    lease = _with_steps(engine, "charge")
    engine.complete(lease)

    answer = engine.replay_execution(lease.execution_id)

    assert answer == Replayed(lease.execution_id, "waiting", 0, 0)
    assert _told(engine, lease.execution_id) == ("cleared", 0, None)
    assert _names(engine, lease.execution_id) == []
    again = claim(engine)
    engine.record_step(again.lease, "charge", b"paid again", fingerprint=b"another order")
    assert [step.result for step in engine.list_steps(lease.execution_id)] == [b"paid again"]


def test_whoever_replays_may_say_what_becomes_of_the_steps(engine: BlockingEngine) -> None:
    failed, completed = _with_steps(engine, "charge"), _with_steps(engine, "charge", "ship")
    engine.fail(failed, code="boom", retryable=False)
    engine.complete(completed)

    cleared = engine.replay_execution(failed.execution_id, steps="clear")
    kept = engine.replay_execution(completed.execution_id, steps="keep")

    assert (cleared.steps_kept, kept.steps_kept) == (0, 2)
    assert _told(engine, failed.execution_id) == ("cleared", 0, None)
    assert _names(engine, failed.execution_id) == []
    assert _names(engine, completed.execution_id) == ["charge", "ship"]


@pytest.mark.parametrize(("first", "kept"), [("reserve", 0), ("charge", 1), ("apply", 3)])
def test_a_replay_from_a_step_keeps_what_was_stored_before_it(engine: BlockingEngine, first: str, kept: int) -> None:
    # In one instant and in no order of names: numbers decide.
    names = ["reserve", "charge", "Zebra", "apply"]
    lease = _with_steps(engine, *names)
    engine.complete(lease)

    answer = engine.replay_execution(lease.execution_id, from_step=first)

    assert answer == Replayed(lease.execution_id, "waiting", 0, kept)
    assert _told(engine, lease.execution_id) == ("kept", kept, first)
    assert _names(engine, lease.execution_id) == names[:kept]


def test_steps_that_are_done_again_come_after_those_that_were_kept(engine: BlockingEngine) -> None:
    lease = _with_steps(engine, "reserve", "charge", "apply")
    engine.complete(lease)
    engine.replay_execution(lease.execution_id, from_step="charge")
    again = claim(engine).lease
    for name in ("charge", "a new one", "apply"):
        engine.record_step(again, name, b"again")
    engine.complete(again)
    listed = _names(engine, lease.execution_id)

    engine.replay_execution(lease.execution_id, from_step="a new one")

    assert listed == ["reserve", "charge", "a new one", "apply"]
    assert _names(engine, lease.execution_id) == ["reserve", "charge"]


def test_the_order_of_steps_does_not_depend_on_the_clock(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = _with_steps(engine, "zebra")
    clock.advance(1)
    engine.record_step(lease, "middle", b"")
    engine.record_step(lease, "apple", b"")
    engine.complete(lease)

    engine.replay_execution(lease.execution_id, from_step="apple")

    assert _names(engine, lease.execution_id) == ["zebra", "middle"]


def test_an_unknown_step_is_refused_with_those_that_there_are(engine: BlockingEngine) -> None:
    lease = _with_steps(engine, "reserve", "charge")
    engine.complete(lease)
    without = start(engine)
    engine.complete(without)

    with refused(engine, InvalidInput) as unknown:
        engine.replay_execution(lease.execution_id, from_step="pack")
    with refused(engine, InvalidInput) as none:
        engine.replay_execution(without.execution_id, from_step="pack")

    assert "no stored step 'pack'. Its steps are, first to last: 'reserve', 'charge'." in str(unknown.value)
    assert "none at all: leave from_step out" in str(none.value)


@rule_cases(
    "wrong",
    [{"steps": "drop"}, {"steps": True}, {"from_step": ""}, {"from_step": 1}, {"from_step": "a", "steps": "clear"}],
    ids=str,
)
def test_a_replay_that_makes_no_sense_is_refused(engine: BlockingEngine, wrong: dict[str, Any]) -> None:
    lease = _with_steps(engine, "a")
    engine.complete(lease)

    with refused(engine, InvalidInput):
        engine.replay_execution(lease.execution_id, **wrong)


def test_to_another_namespace_nothing_is_said_of_the_steps(engine: BlockingEngine) -> None:
    lease = _with_steps(engine, "charge")
    engine.complete(lease)

    with refused(engine, NotFound):
        engine.scoped("elsewhere").replay_execution(lease.execution_id, from_step="pack")


def test_many_are_replayed_from_scratch_at_once(engine: BlockingEngine) -> None:
    leases = [_with_steps(engine, "charge") for _ in range(3)]
    for lease in leases:
        engine.fail(lease, code="boom", retryable=False)

    page = engine.operate("replay", public_state="failed", steps="clear")

    assert (page.done, page.refused) == (3, [])
    assert [_names(engine, lease.execution_id) for lease in leases] == [[], [], []]
    with refused(engine, InvalidInput):
        engine.operate("cancel", steps="keep")
