"""A lane that was reported to have work is checked until it has none, because a claim may have passed over it."""

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import pytest

from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed, Polled
from flowfabric.engine import poller
from flowfabric.engine.poller import CHECKS_S, LaneChecks
from flowfabric.engine.wakeups import Wakeups
from flowfabric.stores.memory.store import MemoryStore

MAIL: Lane = ("default", "mail")
OTHER: Lane = ("default", "other")
WAIT_S_MAX = 60.0


def moments_of(checks: LaneChecks, until: float) -> list[float]:
    """When lanes are checked, as long as each check finds work."""
    found: list[float] = []
    while (at := checks.next_at()) < until:
        found.append(at)
        checks.take_due(at)
    return found


def test_checks_follow_a_report_after_growing_pauses_and_end() -> None:
    checks = LaneChecks()
    assert checks.begin([MAIL], 100.0)

    found = moments_of(checks, math.inf)

    assert found == pytest.approx([100 + each for each in (0.025, 0.05, 0.1, 0.2, 0.4, 0.8)])


def test_a_lane_without_work_is_checked_no_more() -> None:
    checks = LaneChecks()
    checks.begin([MAIL, OTHER], 100.0)
    due = checks.take_due(100.0 + CHECKS_S[0])

    checks.drop([MAIL])

    assert due == [MAIL, OTHER]
    assert checks.take_due(101.0) == [OTHER]


def test_a_report_that_comes_during_a_check_is_checked_all_the_same() -> None:
    checks = LaneChecks()
    checks.begin([MAIL], 100.0)
    checks.take_due(100.025)
    checks.begin([MAIL], 100.026)

    checks.drop([MAIL])

    assert checks.next_at() == pytest.approx(100.05)


def test_reports_that_come_all_the_time_do_not_put_the_check_off() -> None:
    checks = LaneChecks()

    earlier = [checks.begin([MAIL], 100 + number / 1000) for number in range(25)]

    assert earlier == [True] + [False] * 24
    assert checks.take_due(100.025) == [MAIL]


def test_a_new_report_brings_a_check_forward_that_is_far_away() -> None:
    checks = LaneChecks()
    checks.begin([MAIL], 100.0)
    for at in (100.025, 100.05, 100.1, 100.2):
        checks.take_due(at)

    assert checks.begin([MAIL], 100.21)
    assert checks.next_at() == pytest.approx(100.235)


# ── with the thread ──────────────────────────────────────────────────────────────────────────────


class Held(MemoryStore):
    """A store whose work is there, and held by somebody, for so many polls."""

    def __init__(self, polls: int) -> None:
        super().__init__("memory-held")
        self.left = polls
        self.polled: list[Sequence[Lane]] = []

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        self.polled.append(list(lanes))
        self.left -= 1
        return Polled((), False, lanes if self.left > 0 else [])


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poller, "CHECKS_S", (0.001,) * 1000)


@pytest.fixture
def opened() -> Iterator[Callable[[MemoryStore], Wakeups]]:
    made: list[Wakeups] = []

    def open_on(store: MemoryStore) -> Wakeups:
        made.append(Wakeups(store))
        return made[-1]

    yield open_on
    for wakeups in made:
        wakeups.close()


def until(condition: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(int(WAIT_S_MAX / 0.002)):
        if condition():
            return
        pause.wait(0.002)
    raise AssertionError("it has not come to pass")


@pytest.mark.usefixtures("quickly")
def test_who_waits_is_rung_again_until_the_work_is_gone(opened: Callable[[MemoryStore], Wakeups]) -> None:
    store, rung = Held(polls=4), threading.Semaphore(0)
    wakeups = opened(store)
    with wakeups.listening_for_work([MAIL], lambda: rung.release()):
        wakeups.heard(Committed((), False, [MAIL]))
        until(lambda: store.left == 0)
        until(lambda: wakeups._poller._checks.next_at() == math.inf)

    assert store.polled == [[MAIL]] * 4
    assert [rung.acquire(blocking=False) for _ in range(5)] == [True] * 4 + [False]


@pytest.mark.usefixtures("quickly")
def test_a_claim_that_comes_after_the_report_is_rung_too(opened: Callable[[MemoryStore], Wakeups]) -> None:
    store, rung = Held(polls=2), threading.Event()
    wakeups = opened(store)
    with wakeups.listening_for_work([OTHER], lambda: None):
        pass
    wakeups.heard(Committed((), False, [MAIL]))

    with wakeups.listening_for_work([MAIL], rung.set):
        assert rung.wait(WAIT_S_MAX)


@pytest.mark.usefixtures("quickly")
def test_once_others_were_heard_of_what_this_process_makes_ready_is_checked_too(
    opened: Callable[[MemoryStore], Wakeups],
) -> None:
    store = Held(polls=3)
    wakeups = opened(store)
    with wakeups.listening_for_work([MAIL], lambda: None):
        wakeups.committed(Committed((), False, [MAIL]))
        wakeups.heard(Committed((), False, [OTHER]))
        wakeups.committed(Committed((), False, [MAIL]))
        until(lambda: store.left == 0)

    assert store.polled == [[MAIL]] * 3


def test_who_never_waits_for_work_checks_nothing() -> None:
    with closing(Wakeups(Held(polls=1))) as wakeups:
        wakeups.heard(Committed((), False, [MAIL]))

        assert wakeups._poller._thread is None
