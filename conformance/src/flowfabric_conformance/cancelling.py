"""Cancelling: final, told once, and fenced only where the original asks for it."""

import pytest

from flowfabric import (
    BlockingEngine,
    Cancelled,
    InvalidInput,
    ManualClock,
    NotFound,
    StaleLease,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    ENDED,
    LIVE,
    UNKNOWN,
    an_execution,
    claim_ids,
    create,
    events_of,
    last_event,
    look,
    outcomes,
    refused,
    start,
    story,
    unchanged,
    vector,
)

every_live_state = rule_cases("state", LIVE, sample=3)
every_idle_state = rule_cases("state", [state for state in LIVE if state != "active"])


@every_live_state
def test_cancelling_ends_the_execution_whatever_it_is_doing(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)
    clock.advance(10)

    answer = engine.cancel_execution(execution_id, reason="no longer wanted")

    assert answer == Cancelled(execution_id, "cancelled")
    assert vector(engine, execution_id) == "cancelled/unowned/not_applicable/cancelled/cancelled/cancelled"
    x = look(engine, execution_id)
    assert (x.cancellation_reason, x.cancelled_by) == ("no longer wanted", "operator_override")
    assert (x.terminal_at_ms, x.delay_until_ms, x.blocking_reason) == (clock.now_ms, None, None)
    assert claim_ids(engine) == []


@every_live_state
def test_cancelling_is_told_as_the_end_with_reason_and_source(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    engine.cancel_execution(execution_id, reason="no longer wanted")

    assert last_event(engine, execution_id) == (
        "completion",
        "cancelled",
        {"reason": "no longer wanted", "source": "operator_override"},
    )
    assert sum(event.channel == "completion" for event in events_of(engine, execution_id)) == 1


def test_cancelling_a_leased_execution_takes_the_lease_away(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    clock.advance(10)

    engine.cancel_execution(lease.execution_id, reason="stop")

    assert story(engine, lease.execution_id) == ["lease.acquired", "lease.revoked", "completion.cancelled"]
    assert events_of(engine, lease.execution_id)[1].details == {"reason": "stop"}
    assert look(engine, lease.execution_id).lease_epoch == lease.lease_epoch + 1
    (attempt,) = engine.list_attempts(lease.execution_id)
    assert (attempt.outcome, attempt.terminal_at_ms, attempt.lease_epoch) == ("cancelled", clock.now_ms, 1)
    assert (attempt.worker_instance_id, attempt.lease_expires_at_ms) == (None, None)


@every_idle_state
def test_cancelling_what_nobody_holds_takes_no_lease_away(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)
    epoch, attempts, before = (
        look(engine, execution_id).lease_epoch,
        outcomes(engine, execution_id),
        story(engine, execution_id),
    )

    engine.cancel_execution(execution_id, reason="stop")

    assert story(engine, execution_id) == [*before, "completion.cancelled"]
    assert look(engine, execution_id).lease_epoch == epoch
    # The attempt of a suspended execution is open, and ends with it.
    assert outcomes(engine, execution_id) == [outcome or "cancelled" for outcome in attempts]


def test_cancelling_again_gets_the_same_answer_and_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)
    first = engine.cancel_execution(execution_id, reason="first")
    clock.advance(10)

    with unchanged(engine):
        again = engine.cancel_execution(execution_id, reason="second", source="flow", lease_epoch=99)

    assert again == first == Cancelled(execution_id, "cancelled")
    assert look(engine, execution_id).cancellation_reason == "first"


@rule_cases("state", [state for state in ENDED if state != "cancelled"])
def test_what_ended_otherwise_cannot_be_cancelled(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    with refused(engine, InvalidInput) as caught:
        engine.cancel_execution(execution_id, reason="too late")

    assert f"has already ended as {state}" in str(caught.value)


def test_cancelling_the_unknown_is_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound) as caught:
        engine.cancel_execution(UNKNOWN, reason="stop")

    assert caught.value.entity == "execution"


# ── from a source that is not an operator ────────────────────────────────────────────────────────


def test_another_source_must_name_the_epoch_of_a_leased_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    with refused(engine, InvalidInput) as caught:
        engine.cancel_execution(lease.execution_id, reason="stop", source="lease_holder")

    assert "lease_epoch" in str(caught.value)


@pytest.mark.parametrize("epoch", [0, 2])
def test_another_source_that_names_another_epoch_is_stale(
    engine: BlockingEngine, clock: ManualClock, epoch: int
) -> None:
    lease = start(engine)

    with refused(engine, StaleLease):
        engine.cancel_execution(lease.execution_id, reason="stop", source="lease_holder", lease_epoch=epoch)


def test_another_source_that_names_the_epoch_cancels(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    answer = engine.cancel_execution(
        lease.execution_id, reason="stop", source="lease_holder", lease_epoch=lease.lease_epoch
    )

    assert answer == Cancelled(lease.execution_id, "cancelled")
    assert look(engine, lease.execution_id).cancelled_by == "lease_holder"
    assert last_event(engine, lease.execution_id)[2] == {"reason": "stop", "source": "lease_holder"}


@every_idle_state
@pytest.mark.parametrize("epoch", [None, 77])
def test_another_source_needs_no_epoch_where_nobody_holds_a_lease(
    engine: BlockingEngine, clock: ManualClock, state: str, epoch: int | None
) -> None:
    execution_id = an_execution(state, engine, clock)

    answer = engine.cancel_execution(execution_id, reason="stop", source="lease_holder", lease_epoch=epoch)

    assert answer == Cancelled(execution_id, "cancelled")


def test_an_operator_need_not_know_the_epoch(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    answer = engine.cancel_execution(lease.execution_id, reason="stop", lease_epoch=77)

    assert answer == Cancelled(lease.execution_id, "cancelled")


def test_a_lease_that_has_run_out_unnoticed_is_still_a_lease_to_a_cancel(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = start(engine)
    clock.advance(30_000)

    with refused(engine, InvalidInput):
        engine.cancel_execution(lease.execution_id, reason="stop", source="lease_holder")
    engine.cancel_execution(lease.execution_id, reason="stop")

    assert story(engine, lease.execution_id) == ["lease.acquired", "lease.revoked", "completion.cancelled"]


@rule_cases("state", LIVE)
def test_nothing_brings_a_cancelled_execution_back_but_a_replay(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)
    engine.cancel_execution(execution_id, reason="stop")
    clock.advance(10_000_000)

    with unchanged(engine):
        engine.reconcile()

    assert claim_ids(engine) == []
