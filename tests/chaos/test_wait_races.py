"""Every two things that can happen to an execution that waits, at once, each from a process of its own."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations_with_replacement, count
from pathlib import Path
from typing import NamedTuple

import pytest

from flowfabric import (
    BlockingEngine,
    Event,
    Lease,
    LeaseExpired,
    NewChild,
    NotSignalable,
    Suspended,
    WaitOpened,
    WaitpointClosed,
    open_blocking_engine,
)
from flowfabric.domain.children import Children
from flowfabric.domain.decide.secrets import KEYS_MAX
from tests.chaos.books import all_executions, assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import Deadlocks, Figures, in_group
from tests.chaos.processes import wait_until
from tests.chaos.puppets import Answer, Order, Puppets, order, puppets
from tests.chaos.sizes import SIZES

pytestmark = in_group("races")

LEASE_TTL_MS = 300_000
KEY = "door"
_numbers = count()
CALLERS = 16
TURNS_MAX = 50
"""How often everything is driven on before it counts as stuck."""


class Subject(NamedTuple):
    """An execution on which two verbs race."""

    execution_id: str
    lease: Lease
    token: str
    child: Lease | None
    """The lease of its child, if it has one."""


VERBS: dict[str, Callable[[Subject], Order]] = {
    "signal": lambda x: order("signal", execution_id=x.execution_id, key=KEY),
    "open_wait": lambda x: order("open_wait", lease=x.lease, name="second", condition=KEY),
    "suspend": lambda x: order("suspend", lease=x.lease, name="first", condition=KEY),
    "timeout": lambda x: order("reconcile"),
    "child": lambda x: order("complete", lease=x.child),
    "cancel": lambda x: order("cancel_execution", execution_id=x.execution_id, reason="cancelled"),
    "deadline": lambda x: order("reconcile"),
    "expire": lambda x: order("reconcile"),
    "revoke": lambda x: order("revoke_lease", execution_id=x.execution_id, reason="revoked"),
    "replay": lambda x: order("replay_execution", execution_id=x.execution_id, steps="keep"),
    "hold": lambda x: order("hold", execution_id=x.execution_id, reason="race"),
    "resume": lambda x: order("resume_execution", execution_id=x.execution_id),
    "rotate": lambda x: order("rotate_waitpoint_secret"),
    "close": lambda x: order("close_waitpoint", execution_id=x.execution_id, key=KEY, reason="race"),
}
OF_WORKERS = {"open_wait", "suspend", "expire", "revoke"}
"""They mean something only while there is a lease."""
OF_TIME = {"timeout", "deadline", "expire"}
"""They are found by upkeep, whoever they concern."""


def states_for(pair: tuple[str, str]) -> tuple[str, ...]:
    """In which states of the execution the two are to meet."""
    if "replay" in pair:
        return ("ended",)
    if OF_WORKERS.isdisjoint(pair):
        return ("lingering", "suspended")
    return ("lingering",) if "timeout" in pair else ("leased", "lingering")


PAIRS = list(combinations_with_replacement(VERBS, 2))
MEETINGS = [(state, pair) for pair in PAIRS for state in states_for(pair)]


def calm_round(number: int) -> list[tuple[str, tuple[str, str]]]:
    """Every pair once. Each time it meets in the next of its states."""
    return [(states[number % len(states)], pair) for pair in PAIRS if (states := states_for(pair))]


class Round(NamedTuple):
    """What two verbs were answered on one execution, and in which state it was."""

    state: str
    pair: tuple[str, str]
    subject: Subject
    answers: Sequence[Answer]

    def __str__(self) -> str:
        told = " and ".join(f"{verb} ({answer.name})" for verb, answer in zip(self.pair, self.answers, strict=True))
        return f"{told} on what was {self.state}: {self.subject.execution_id}"


@pytest.fixture
def engine(url: str) -> Iterator[BlockingEngine]:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.rotate_waitpoint_secret()  # so that there is one, and each further one is counted
        yield engine


@pytest.fixture
def racers(url: str, engine: BlockingEngine, tmp_path: Path) -> Iterator[Puppets]:
    with puppets(url, 2, tmp_path) as racers:
        yield racers


@pytest.fixture(autouse=True)
def no_deadlock(deadlocks: Deadlocks) -> Iterator[None]:
    before = deadlocks()
    yield
    assert deadlocks() == before, "rows were not locked in the one order"


def test_every_two_verbs_meet_on_an_execution_that_waits(
    url: str, engine: BlockingEngine, racers: Puppets, figures: Figures
) -> None:
    rounds: list[Round] = []
    for number in range(SIZES.wait_rounds):
        meetings = calm_round(number)
        timeless = [met for met in meetings if OF_TIME.isdisjoint(met[1])]
        # Made together they cost little. What upkeep would find in the wrong race is made right before its own.
        made = dict(zip(timeless, scenes(engine, timeless), strict=True))
        for state, pair in meetings:
            subject = made.get((state, pair)) or scene(engine, state, pair)
            one, other = racers.race(*([VERBS[verb](subject)] for verb in pair))
            rounds.append(Round(state, pair, subject, (*one, *other)))

    check(url, engine, rounds)
    figures(rounds=len(rounds), deadlocks=0, lost=0)


def test_crowds_of_verbs_meet_on_many_executions_that_wait(
    url: str, engine: BlockingEngine, racers: Puppets, figures: Figures
) -> None:
    rounds: list[Round] = []
    for number in range(SIZES.wait_rounds):
        subjects = scenes(engine, MEETINGS)
        # Each process takes them in another order, and its commands share batches.
        orders = [[VERBS[pair[side]](x) for (_, pair), x in zip(MEETINGS, subjects, strict=True)] for side in (0, 1)]
        orders[number % 2].reverse()
        answers = racers.race(*orders)
        answers[number % 2].reverse()
        told = zip(*answers, strict=True)
        rounds += [Round(*met, x, both) for met, x, both in zip(MEETINGS, subjects, told, strict=True)]

    check(url, engine, rounds)
    figures(rounds=len(rounds), deadlocks=0, lost=0)


# ── before ───────────────────────────────────────────────────────────────────────────────────────


def scenes(engine: BlockingEngine, meetings: Sequence[tuple[str, tuple[str, str]]]) -> list[Subject]:
    """A new execution for each of these."""
    with ThreadPoolExecutor(CALLERS) as callers:
        return list(callers.map(lambda met: scene(engine, *met), meetings))


def scene(engine: BlockingEngine, state: str, pair: tuple[str, str]) -> Subject:
    """A new execution in this state, of which everything is due that the two verbs need."""
    soon_ms = 20
    while (subject := _scene(engine, state, pair, soon_ms)) is None:
        soon_ms *= 2  # the machine was too slow
    return subject


def _scene(engine: BlockingEngine, state: str, pair: tuple[str, str], soon_ms: int) -> Subject | None:
    # In a lane of its own: those of earlier rounds may be in the queue again.
    lane = f"race-{next(_numbers)}"
    deadline_at_ms = engine.server_time_ms() + soon_ms if "deadline" in pair else None
    made = engine.create_execution("race", lane=lane, deadline_at_ms=deadline_at_ms)
    found = claim(engine, lane, soon_ms if "expire" in pair else LEASE_TTL_MS)
    if not found:
        return None
    lease = found[0]
    timeout_ms = 1 if "timeout" in pair else None
    try:
        child = a_child(engine, lease) if "child" in pair else None
        subject = Subject(made.execution_id, lease, engine.create_waitpoint(lease, KEY).token, child)
        if child is not None and state in ("lingering", "suspended"):
            assert isinstance(engine.open_wait(lease, "children", Children(("part",))), WaitOpened)
        if state == "lingering":
            assert isinstance(engine.open_wait(lease, "first", KEY, timeout_ms=timeout_ms), WaitOpened)
        elif state == "suspended":
            assert isinstance(engine.suspend(lease, "first", KEY, timeout_ms=timeout_ms), Suspended)
        elif state == "ended":
            engine.signal(made.execution_id, "letters")
            engine.complete(lease)
    except LeaseExpired:
        engine.cancel_execution(made.execution_id, reason="too slow")
        return None
    due_at_ms = max(
        engine.server_time_ms() + 1 if "timeout" in pair else 0,
        lease.expires_at_ms if "expire" in pair else 0,
        deadline_at_ms or 0,
    )
    wait_until(lambda: engine.server_time_ms() > due_at_ms)
    return subject


def a_child(engine: BlockingEngine, parent: Lease) -> Lease:
    """A child that runs, the only one of its group."""
    lane = f"child-{next(_numbers)}"
    engine.create_children(parent, "part", [NewChild(kind="part", lane=lane)])
    (lease,) = claim(engine, lane, LEASE_TTL_MS)
    return lease


def claim(engine: BlockingEngine, lane: str, ttl_ms: int) -> list[Lease]:
    claimed = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=[lane], lease_ttl_ms=ttl_ms)
    return [each.lease for each in claimed]


# ── afterwards ───────────────────────────────────────────────────────────────────────────────────


def check(url: str, engine: BlockingEngine, rounds: Sequence[Round]) -> None:
    """Whatever won: it happened once, callers were told of it, and everything goes on to one end."""
    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
    for each in rounds:
        check_answers(engine, each, happened[each.subject.execution_id])
    rotations = sum(answer.name == "SecretRotated" for each in rounds for answer in each.answers)
    asked = sum(each.pair.count("rotate") for each in rounds)
    assert rotations == min(asked, KEYS_MAX - 1), "the first key was there before, and a full ring takes no more"
    assert len(engine.list_waitpoint_kids()) == 1 + rotations, "a secret was lost, and tokens with it"
    finish(engine, [each.subject.execution_id for each in rounds])
    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
        unsettled = [x.execution_id for x in all_executions(store) if x.unsettled]
    assert unsettled == [], "their parents or children have never heard of their ends"
    for each in rounds:
        check_ends(each, happened[each.subject.execution_id])
        if each.subject.child is not None:
            check_child(each, happened[each.subject.child.execution_id])


def check_answers(engine: BlockingEngine, this: Round, events: Sequence[Event]) -> None:
    """What the callers were told is what happened."""
    told = Counter(answer.name for answer in this.answers)
    events_of = Counter((event.channel, event.event_type) for event in events)
    sent = [answer.value["signal_id"] for answer in this.answers if answer.name == "Signalled"]
    kept = Counter(signal.signal_id for signal in engine.list_signals(this.subject.execution_id))
    delivered = Counter(event.details["signal_id"] for event in events if event.event_type == "delivered")
    assert [kept[each] for each in sent] == [1] * len(sent), this
    assert [delivered[each] for each in sent] == [1] * len(sent), this
    # A worker that repeats the same command gets the same answer, and so does a second cancel.
    suspended = events_of["lease", "suspended"] - (this.state == "suspended")
    assert suspended == min(1, told["Suspended"]), this
    assert events_of["completion", "cancelled"] == min(1, told["Cancelled"]), this
    assert events_of["completion", "expired"] <= this.pair.count("deadline"), this
    assert events_of["operator", "held"] == min(1, told["Held"]), this
    assert events_of["operator", "replayed"] == told["Replayed"], this
    assert told["Revoked"] == sum(
        event.event_type == "revoked" and event.details["reason"] == "revoked" for event in events
    ), this
    ended = Counter(event.details["name"] for event in events if event.event_type == "resumed")
    assert max(ended.values(), default=1) == 1, this
    if told["Resumed"]:
        assert any(event.details["cause"] == "operator" for event in events if event.event_type == "resumed"), this
    if "rotate" in this.pair:
        check_token(engine, this)


def check_token(engine: BlockingEngine, this: Round) -> None:
    """A token that was handed out before a secret was rotated is still good."""
    try:
        engine.signal_by_token(this.subject.token)
    except (NotSignalable, WaitpointClosed):
        return


def finish(engine: BlockingEngine, keys: Iterable[str]) -> None:
    """Drive everything to its end."""
    alive = list(keys)
    with ThreadPoolExecutor(CALLERS) as callers:
        for _ in range(TURNS_MAX):
            engine.reconcile()
            alive = [key for key, lives in zip(alive, callers.map(partial(drive, engine), alive), strict=True) if lives]
            if not alive:
                return
    raise AssertionError(f"still alive: {alive}")


def drive(engine: BlockingEngine, key: str) -> bool:
    """Let an execution go on. Returns whether it was still alive."""
    x = engine.describe_execution(key)
    assert x is not None
    if x.terminal_outcome != "none":
        return False
    if x.public_state == "suspended":
        engine.resume_execution(key)
    elif x.eligibility_state == "blocked_by_operator":
        engine.unhold(key)
    elif x.public_state == "active":
        engine.revoke_lease(key, reason="the end")
    for claimed in engine.claim(worker_id="w", worker_instance_id="w-2", lanes=[x.lane]):
        engine.complete(claimed.lease)
    return True


def check_ends(this: Round, events: Sequence[Event]) -> None:
    """One end of each life, and one end of each wait."""
    ends = sum(event.channel == "completion" for event in events)
    lives = 1 + sum(event.event_type == "replayed" for event in events)
    assert ends == lives, this
    waits = Counter(event.details["name"] for event in events if event.event_type == "resumed")
    assert max(waits.values(), default=1) == 1, this


def check_child(this: Round, events: Sequence[Event]) -> None:
    """The child ended once: it completed if its worker was told so, or it was cancelled with its parent."""
    (end,) = [event.event_type for event in events if event.channel == "completion"]
    assert end == ("completed" if any(answer.name == "Completed" for answer in this.answers) else "cancelled"), this
