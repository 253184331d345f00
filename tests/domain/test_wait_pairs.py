"""Every pair of things that can happen to an execution that waits, in both orders, in two batches and in one.

After every batch all invariants hold (see `WaitingWorld.decide`): one end, one event for each change, and no wait that
has all its signals is open. A parent that waits for its children counts each of their ends once.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from flowfabric.domain.children import Children
from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    CloseWaitpoint,
    Complete,
    Fail,
    HandleDue,
    Hold,
    OpenWait,
    PassOnEnd,
    ReplayExecution,
    ResumeExecution,
    RevokeLease,
    RotateSecret,
    Suspend,
    Unhold,
)
from flowfabric.domain.conditions import On, stored
from flowfabric.domain.execution import Due
from flowfabric.domain.waiting import ON_TIMEOUT, OnTimeout
from tests.domain.family_world import FamilyWorld
from tests.domain.records import NOW, a_claim
from tests.domain.waiting_world import KID, WaitingWorld, a_signal

TIMEOUT_MS, LEASE_MS, DEADLINE_MS = 1_000, 2_000, 3_000

Action = tuple[int, Callable[[Any], AnyCommand]]
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
    "rotate": (0, lambda world: RotateSecret(None, b"a secret of thirty-two bytes, ok", 0)),
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

# ── a parent and its children ────────────────────────────────────────────────────────────────────

ENDED, FAILED, RUNNING = 0, 1, 2
"""The children: one has completed and one has failed, and the parent knows neither; one runs."""
OF_CHILDREN: dict[str, Action] = {
    "a child completes": (0, lambda world: Complete(world.running, None)),
    "a child fails": (0, lambda world: Fail(world.running, "boom", "", False, None)),
    "a child is cancelled": (0, lambda world: CancelExecution(world.id_of(RUNNING), "", "operator_override", None)),
    "the end of a child is counted": (0, lambda world: PassOnEnd(world.x_id, world.id_of(ENDED))),
    "the failure of a child is counted": (0, lambda world: PassOnEnd(world.x_id, world.id_of(FAILED))),
    "a child is replayed": (0, lambda world: ReplayExecution(world.id_of(FAILED))),
    "make the children": (0, lambda world: world.children_command(3)),
    "pass on the parent's end": (0, lambda world: PassOnEnd(world.x_id, world.x_id)),
}


class ParentWorld(FamilyWorld):
    """A parent with three children, of which the last one runs."""

    def __init__(self) -> None:
        super().__init__(starts=False, deadline_at_ms=NOW + DEADLINE_MS)
        self.claim(lease_ttl_ms=LEASE_MS)
        self.make(3)
        self.complete_children()
        self.fail_child()
        (self.running,) = self.claim_children()


def _parent(*waits: str, all_ended: bool = False, suspends: bool = True) -> ParentWorld:
    """A parent that has these waits open: for its children, or for a signal."""
    world = ParentWorld()
    for name in waits:
        condition = Children(("page",), all_ended) if name == "children" else "editor"
        world.open_wait(condition, name, timeout_ms=TIMEOUT_MS if name == "editor" else None)
    if suspends:
        world.suspend(condition, name)
    return world


def _replayed() -> ParentWorld:
    """A parent that lives again, and has not asked for its children yet."""
    world = _parent("children")
    world.cancel()
    world.replay(steps="keep")
    world.claim(lease_ttl_ms=LEASE_MS)
    return world


def _ended_parent() -> ParentWorld:
    world = _parent("children")
    world.cancel()
    return world


PARENTS: dict[str, Callable[[], ParentWorld]] = {
    "waits for its children": lambda: _parent("children"),
    "waits for the ends of all": lambda: _parent("children", all_ended=True),
    "waits for children and a signal": lambda: _parent("children", "editor"),
    "lingers for children and a signal": lambda: _parent("editor", "children", all_ended=True, suspends=False),
    "lives again": _replayed,
    "has ended": _ended_parent,
}
FAMILY_ACTIONS = ACTIONS | OF_CHILDREN
FAMILY_PAIRS = [(start, first) for start in PARENTS for first in FAMILY_ACTIONS]


def _seconds(first: str) -> Mapping[str, Action]:
    """What is paired with it: at least one of the two concerns a child."""
    return FAMILY_ACTIONS if first in OF_CHILDREN else OF_CHILDREN


# ── checks ───────────────────────────────────────────────────────────────────────────────────────

PAIRS = [(start, first) for start in STARTS for first in ACTIONS]


@cache
def _start(name: str) -> WaitingWorld:
    return PARENTS[name]() if name in PARENTS else STARTS[name]()


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
        world.store._key_rings,
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


def _check_family(world: ParentWorld) -> None:
    """Every end that was passed on is counted, once, and so are all others in the end."""
    if not world.x.has_ended:
        assert world.counts() == world.recounts()
    world = world.copy()
    world.settle()
    _check_events(world)
    if not world.x.has_ended:
        assert world.counts() == world.recounts()
    elif world.x.terminal_outcome != "success":
        assert [x for x in world.live if not x.replay_count] == [], (
            "a child outlives its parent, and nobody replayed it"
        )


def _at(world: WaitingWorld, *names: str) -> WaitingWorld:
    """The world at the first moment at which all these may happen."""
    world = world.copy()
    world.advance(max(0, NOW + max(FAMILY_ACTIONS[name][0] for name in names) - world.now_ms))
    return world


def _after(world: WaitingWorld, name: str) -> WaitingWorld:
    world.decide(FAMILY_ACTIONS[name][1](world))
    _check_events(world)
    return world


@pytest.mark.parametrize(("start", "first"), PAIRS)
def test_two_things_one_after_the_other(start: str, first: str):
    between = _after(_at(_start(start), first), first)
    for second in ACTIONS:
        _after(_at(between, second), second)


@pytest.mark.parametrize(("start", "first"), FAMILY_PAIRS)
def test_the_end_of_a_child_before_and_after_everything_else(start: str, first: str):
    between = _after(_at(_start(start), first), first)
    for second in _seconds(first):
        world = _after(_at(between, second), second)
        assert isinstance(world, ParentWorld)
        _check_family(world)


@pytest.mark.parametrize(("start", "first"), [pair for pair in PAIRS if "timeout" not in pair[0]])
def test_two_things_in_one_batch_mean_what_they_mean_one_by_one(start: str, first: str):
    _check_batches(start, first, ACTIONS)


@pytest.mark.parametrize(("start", "first"), FAMILY_PAIRS)
def test_the_end_of_a_child_and_anything_else_in_one_batch_mean_what_they_mean_one_by_one(start: str, first: str):
    _check_batches(start, first, _seconds(first))


def _check_batches(start: str, first: str, seconds: Mapping[str, Action]) -> None:
    halfway: dict[int, tuple[list[Any], WaitingWorld]] = {}
    """By instant, what the first was answered and the world after it."""
    for second in seconds:
        together = _at(_start(start), first, second)
        if together.now_ms not in halfway:
            between = together.copy()
            halfway[together.now_ms] = (between.decide(FAMILY_ACTIONS[first][1](between), is_checked=False), between)
        answered, between = halfway[together.now_ms]
        apart = between.copy()
        commands = [FAMILY_ACTIONS[name][1](together) for name in (first, second)]

        answers = together.decide(*commands)

        # It ends as the other one, which is checked, and the other tests check both steps.
        one_by_one = [*answered, *apart.decide(commands[1], is_checked=False)]
        assert list(map(repr, answers)) == list(map(repr, one_by_one)), second
        assert _seen(together) == _seen(apart), second
        _check_events(together)
