"""Repeating what concerns waiting and children: a repeated command id gets its first answer, which holds no token."""

from collections.abc import Callable
from typing import Final, NamedTuple

from flowfabric import BlockingEngine, Conflict, InvalidToken, Lease, ManualClock, NewChild, Suspended, Waitpoint
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import claim, refused, unchanged
from flowfabric_conformance.wait_stage import HOUR_MS, started, suspend

Send = Callable[[BlockingEngine, Lease, str | None], object]


class WaitWrite(NamedTuple):
    """A write method, and something that happens between its first call and the repeated one."""

    send: Send
    meanwhile: Callable[[BlockingEngine, Lease], object]


def _end(engine: BlockingEngine, lease: Lease) -> object:
    return engine.cancel_execution(lease.execution_id, reason="meanwhile")


def _close(engine: BlockingEngine, lease: Lease) -> None:
    engine.close_waitpoint(lease.execution_id, "payment")


def _rotate(engine: BlockingEngine, lease: Lease) -> object:
    return engine.rotate_waitpoint_secret()


def _go_on(engine: BlockingEngine, lease: Lease) -> object:
    engine.resume_execution(lease.execution_id)
    return claim(engine)


def _by_token(engine: BlockingEngine, lease: Lease, command_id: str | None) -> object:
    token = engine.issue_token(lease.execution_id, "payment").token
    return engine.signal_by_token(token, b"1", command_id=command_id)


WAIT_WRITES: Final[dict[str, WaitWrite]] = {
    "create_waitpoint": WaitWrite(
        lambda engine, lease, command_id: engine.create_waitpoint(lease, "editor", command_id=command_id), _rotate
    ),
    "open_wait": WaitWrite(
        lambda engine, lease, command_id: engine.open_wait(lease, "wait", "editor", command_id=command_id), _end
    ),
    "suspend": WaitWrite(
        lambda engine, lease, command_id: engine.suspend(lease, "wait", "editor", command_id=command_id), _go_on
    ),
    "signal": WaitWrite(
        lambda engine, lease, command_id: engine.signal(lease.execution_id, "editor", b"1", command_id=command_id), _end
    ),
    "signal_alias": WaitWrite(
        lambda engine, lease, command_id: engine.signal_alias("order-7", b"1", command_id=command_id), _rotate
    ),
    "signal_by_token": WaitWrite(_by_token, _rotate),
    "issue_token": WaitWrite(
        lambda engine, lease, command_id: engine.issue_token(
            lease.execution_id, "payment", source="ann", command_id=command_id
        ),
        _close,
    ),
    "close_waitpoint": WaitWrite(
        lambda engine, lease, command_id: engine.close_waitpoint(lease.execution_id, "payment", command_id=command_id),
        _end,
    ),
    "resume_execution": WaitWrite(
        lambda engine, lease, command_id: engine.resume_execution(lease.execution_id, command_id=command_id),
        lambda engine, lease: suspend(engine, claim(engine).lease, "author", "later"),
    ),
    "create_children": WaitWrite(
        lambda engine, lease, command_id: engine.create_children(
            lease, "pages", [NewChild(kind="count")], command_id=command_id
        ),
        _rotate,
    ),
    "rotate_waitpoint_secret": WaitWrite(
        lambda engine, lease, command_id: engine.rotate_waitpoint_secret(command_id=command_id), _rotate
    ),
}


def _prepared(engine: BlockingEngine, method: str) -> Lease:
    lease = started(engine)
    engine.create_waitpoint(lease, "payment", alias="order-7")
    if method == "resume_execution":
        suspend(engine, lease, "editor")
    return lease


@rule_cases("method", WAIT_WRITES, sample=4)
def test_the_same_command_id_gets_the_first_answer_of_a_command_about_waiting(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    write = WAIT_WRITES[method]
    lease = _prepared(engine, method)
    first = write.send(engine, lease, "once")
    write.meanwhile(engine, lease)
    kids = engine.list_waitpoint_kids()
    clock.advance(1)

    with unchanged(engine):
        again = write.send(engine, lease, "once")

    assert again == first
    assert type(again) is type(first)
    assert engine.list_waitpoint_kids() == kids


@rule_cases("method", WAIT_WRITES, sample=2)
def test_a_command_id_of_waiting_that_is_used_for_another_command_is_a_conflict(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    lease = _prepared(engine, method)
    WAIT_WRITES[method].send(engine, lease, "once")

    with refused(engine, Conflict):
        engine.set_tag(lease.execution_id, "team.name", "x", command_id="once")


def test_a_kept_answer_holds_no_token_and_gets_one_that_is_good_now(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    first = engine.create_waitpoint(lease, "editor", command_id="waitpoint")
    other = started(engine)
    suspended = engine.suspend(other, "wait", "editor", command_id="suspend")
    engine.rotate_waitpoint_secret(kid="autumn", grace_ms=HOUR_MS)
    clock.advance(HOUR_MS)

    again = engine.create_waitpoint(lease, "editor", command_id="waitpoint")
    suspended_again = engine.suspend(other, "wait", "editor", command_id="suspend")

    assert isinstance(suspended, Suspended)
    assert isinstance(suspended_again, Suspended)
    for old, new in ((first, again), (suspended.waitpoints[0], suspended_again.waitpoints[0])):
        assert isinstance(new, Waitpoint)
        assert new.waitpoint_id == old.waitpoint_id
        assert new.token.split(".")[1] == "autumn"
        with refused(engine, InvalidToken):
            engine.signal_by_token(old.token)
        engine.signal_by_token(new.token)
