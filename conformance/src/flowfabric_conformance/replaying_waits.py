"""Replays: waitpoints, tokens and untaken signals live and die with the steps."""

from flowfabric import BlockingEngine, DuplicateSignal, ManualClock, Signalled, WaitOpened, WaitOver, WaitpointClosed
from flowfabric_conformance.stage import claim, look, refused
from flowfabric_conformance.wait_stage import over, payloads, resumed, started, suspend, waiting, waitpoint


def test_a_replay_that_keeps_steps_keeps_the_wait_its_waitpoints_and_its_signals(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine)
    engine.signal(paused.execution_id, "editor", b"yes", idempotency_key="once")
    lease = resumed(engine, paused.execution_id).lease
    engine.signal(paused.execution_id, "editor", b"more")
    engine.fail(lease, code="boom", retryable=False)

    engine.replay_execution(paused.execution_id, steps="keep")

    assert payloads(over(engine, paused.execution_id)) == [b"yes"]
    found = waitpoint(engine, paused.execution_id, "editor")
    assert (found.state, found.waiting_signals) == ("open", 1)
    again = claim(engine).lease
    assert engine.create_waitpoint(again, "editor") == paused.waitpoints[0]
    engine.signal_by_token(paused.token, b"by token")
    answer = engine.signal(paused.execution_id, "editor", b"yes", idempotency_key="once")
    assert isinstance(answer, DuplicateSignal)
    second = engine.open_wait(again, "second", "editor")
    assert isinstance(second, WaitOver)
    assert payloads(second) == [b"more"]


def test_a_replay_that_clears_steps_clears_waits_waitpoints_and_signals(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    paused = waiting(engine)
    engine.signal(paused.execution_id, "editor", b"yes", idempotency_key="once")
    lease = resumed(engine, paused.execution_id).lease
    engine.signal(paused.execution_id, "editor", b"more")
    engine.complete(lease)

    engine.replay_execution(paused.execution_id, steps="clear")

    assert engine.get_wait(paused.execution_id, "wait") is None
    assert engine.list_signals(paused.execution_id) == []
    with refused(engine, WaitpointClosed):
        engine.signal_by_token(paused.token)
    again = claim(engine).lease
    anew = suspend(engine, again, "editor")
    assert anew.waitpoints[0].waitpoint_id != paused.waitpoints[0].waitpoint_id
    answer = engine.signal(paused.execution_id, "editor", b"no", idempotency_key="once")
    assert isinstance(answer, Signalled)
    assert payloads(over(engine, paused.execution_id)) == [b"no"]


def test_a_replay_from_a_step_keeps_the_waits_before_it_and_gives_back_the_signals_of_later_ones(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = started(engine)
    suspend(engine, lease, "alice", "first")
    engine.signal(lease.execution_id, "alice", b"1")
    lease = resumed(engine, lease.execution_id).lease
    engine.record_step(lease, "mail", b"sent")
    engine.signal(lease.execution_id, "alice", b"2")
    found = engine.open_wait(lease, "second", "alice")
    assert isinstance(found, WaitOver)
    engine.fail(lease, code="boom", retryable=False)

    engine.replay_execution(lease.execution_id, from_step="mail")

    assert payloads(over(engine, lease.execution_id, "first")) == [b"1"]
    assert engine.get_wait(lease.execution_id, "second") is None
    again = claim(engine).lease
    second = engine.open_wait(again, "second", "alice")
    assert isinstance(second, WaitOver)
    assert payloads(second) == [b"2"]


def test_a_replay_from_a_step_drops_waitpoints_that_only_later_steps_used(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = started(engine)
    kept = suspend(engine, lease, "alice", "first")
    engine.signal(lease.execution_id, "alice", b"1")
    lease = resumed(engine, lease.execution_id).lease
    clock.advance(1)
    engine.record_step(lease, "mail", b"sent")
    dropped = suspend(engine, lease, "bob", "second")
    engine.signal(lease.execution_id, "bob", b"2")
    lease = resumed(engine, lease.execution_id).lease
    engine.fail(lease, code="boom", retryable=False)

    engine.replay_execution(lease.execution_id, from_step="mail")

    with refused(engine, WaitpointClosed):
        engine.signal_by_token(dropped.token)
    engine.signal_by_token(kept.token)


def test_open_waits_of_a_replayed_execution_are_gone(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    engine.cancel_execution(paused.execution_id, reason="oops")

    engine.replay_execution(paused.execution_id)

    assert look(engine, paused.execution_id).waits == ()
    again = claim(engine).lease
    assert isinstance(engine.open_wait(again, "wait", "editor"), WaitOpened)


def test_an_alias_that_was_taken_meanwhile_is_left_out(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")
    engine.fail(lease, code="boom", retryable=False)
    another = started(engine)
    engine.create_waitpoint(another, "payment", alias="order-7")

    engine.replay_execution(lease.execution_id)
    engine.signal_alias("order-7", b"paid")

    assert engine.list_signals(lease.execution_id) == []
    assert [signal.payload for signal in engine.list_signals(another.execution_id)] == [b"paid"]
    assert waitpoint(engine, lease.execution_id, "payment").state == "open"


def test_an_alias_that_nobody_has_taken_leads_to_its_waitpoint_again(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")
    engine.fail(lease, code="boom", retryable=False)

    engine.replay_execution(lease.execution_id)
    engine.signal_alias("order-7", b"paid")

    assert [signal.payload for signal in engine.list_signals(lease.execution_id)] == [b"paid"]
