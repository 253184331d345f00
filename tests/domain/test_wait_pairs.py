"""Every pair of things that can happen to an execution that waits, in both orders, in two batches and in one.

After every batch all invariants hold (see `WaitingWorld.decide`): one end, one event for each change, and no wait that
has all its signals is open.
"""

from collections import Counter
from collections.abc import Callable

import pytest

from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    CloseWaitpoint,
    Complete,
    Fail,
    HandleDue,
    Hold,
    OpenWait,
    ReplayExecution,
    ResumeExecution,
    RevokeLease,
    Suspend,
    Unhold,
)
from flowfabric.domain.conditions import On, stored
from flowfabric.domain.execution import Due
from flowfabric.domain.waiting import ON_TIMEOUT, OnTimeout
from tests.domain.records import NOW, a_claim
from tests.domain.waiting_world import KID, WaitingWorld, a_signal

TIMEOUT_MS, LEASE_MS, DEADLINE_MS = 1_000, 2_000, 3_000

Action = tuple[int, Callable[[WaitingWorld], AnyCommand]]
"""When it happens at the earliest, and the command."""


def _wait(name: str = "editor") -> tuple[str, str, int | None, int | None, OnTimeout, str, str]:
    return (name, stored(On("editor")), TIMEOUT_MS, None, "resume", "", KID)


ACTIONS: dict[str, Action] = {
    "signal": (0, lambda world: a_signal(world.x_id)),
    "open a wait": (0, lambda world: OpenWait(world.fence, *_wait())),
    "open another wait": (0, lambda world: OpenWait(world.fence, *_wait("another"))),
    "suspend": (0, lambda world: Suspend(world.fence, *_wait())),
    "timeout": (TIMEOUT_MS, lambda world: HandleDue(Due("wait", NOW + TIMEOUT_MS, world.x_id))),
    "lease expiry": (LEASE_MS, lambda world: HandleDue(Due("lease", NOW + LEASE_MS, world.x_id))),
    "deadline": (DEADLINE_MS, lambda world: HandleDue(Due("deadline", NOW + DEADLINE_MS, world.x_id))),
    "cancel": (0, lambda world: CancelExecution(world.x_id, "not wanted", "operator_override", None)),
    "revoke": (0, lambda world: RevokeLease(world.x_id, "", "", "")),
    "replay": (0, lambda world: ReplayExecution(world.x_id, "keep")),
    "replay from the beginning": (0, lambda world: ReplayExecution(world.x_id, "clear")),
    "hold": (0, lambda world: Hold(world.x_id, "")),
    "let go": (0, lambda world: Unhold(world.x_id)),
    "resume": (0, lambda world: ResumeExecution(world.x_id, b"", "", KID)),
    "close": (0, lambda world: CloseWaitpoint(world.x_id, "editor", "spam")),
    "claim": (0, lambda world: a_claim()),
    "complete": (0, lambda world: Complete(world.fence, None)),
    "fail": (0, lambda world: Fail(world.fence, "boom", "", True, 0)),
}


def _started() -> WaitingWorld:
    world = WaitingWorld(starts=False, deadline_at_ms=NOW + DEADLINE_MS)
    world.claim(lease_ttl_ms=LEASE_MS)
    return world


def _waiting(on_timeout: OnTimeout = "resume") -> WaitingWorld:
    world = _started()
    world.open_wait(timeout_ms=TIMEOUT_MS, on_timeout=on_timeout)
    return world


def _suspended(on_timeout: OnTimeout = "resume") -> WaitingWorld:
    world = _started()
    world.suspend(timeout_ms=TIMEOUT_MS, on_timeout=on_timeout)
    return world


def _resumable() -> WaitingWorld:
    world = _suspended()
    world.signal()
    return world


def _between_attempts() -> WaitingWorld:
    world = _waiting()
    world.fail()
    return world


def _ended() -> WaitingWorld:
    world = _waiting()
    world.signal("later")
    world.cancel()
    return world


STARTS: dict[str, Callable[[], WaitingWorld]] = {
    "active": _started,
    "active, with an open wait": _waiting,
    "suspended": _suspended,
    "resumable": _resumable,
    "between two attempts": _between_attempts,
    "ended": _ended,
    **{f"suspended, timeout: {how}": lambda how=how: _suspended(how) for how in ON_TIMEOUT[1:]},
    **{f"active, timeout: {how}": lambda how=how: _waiting(how) for how in ON_TIMEOUT[1:]},
}
PAIRS = [(start, first) for start in STARTS for first in ACTIONS]


def _seen(world: WaitingWorld) -> tuple[object, ...]:
    """Everything that is stored."""
    contents = world.contents()
    return (
        contents.executions,
        contents.attempts,
        contents.events,
        contents.steps,
        contents.waitpoints,
        contents.signals,
        world.store._aliases,
        world.store._signal_keys,
        {kind: rows for kind, rows in world.store._due.items() if rows},
        [ready for rows in world.store._ready.values() for ready in rows],
    )


def _check_events(world: WaitingWorld) -> None:
    """Each wait ends once, and each life of the execution ends once."""
    ended: Counter[object] = Counter()
    ends = 0
    for event in world.events:
        if event.event_type == "replayed":
            ended.clear()
            ends = 0
        if event.event_type == "resumed":
            ended[event.details["name"]] += 1
        ends += event.channel == "completion"
        assert ends <= 1
        assert max(ended.values(), default=0) <= 1


@pytest.mark.parametrize(("start", "first"), PAIRS)
def test_two_things_one_after_the_other(start: str, first: str):
    for second in ACTIONS:
        world = STARTS[start]()
        for name in (first, second):
            at_ms, command = ACTIONS[name]
            world.advance(max(0, NOW + at_ms - world.now_ms))
            world.decide(command(world))
            _check_events(world)


@pytest.mark.parametrize(("start", "first"), [pair for pair in PAIRS if "timeout" not in pair[0]])
def test_two_things_in_one_batch_mean_what_they_mean_one_by_one(start: str, first: str):
    for second in ACTIONS:
        together, apart = STARTS[start](), STARTS[start]()
        for world in (together, apart):
            world.advance(max(ACTIONS[name][0] for name in (first, second)))
        commands = [ACTIONS[name][1](together) for name in (first, second)]

        answers = together.decide(*commands)

        one_by_one = [answer for command in commands for answer in apart.decide(command)]
        assert list(map(repr, answers)) == list(map(repr, one_by_one)), second
        assert _seen(together) == _seen(apart), second
        _check_events(together)
