"""A wake-up that fails costs nobody else theirs."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NoReturn

import pytest

from flowfabric import Lease
from flowfabric.domain.news import Committed
from flowfabric.engine.wakeups import ANY_EVENT, Wakeups
from flowfabric.stores.memory.store import MemoryStore

AN_ID = "{fp:1}:0198"


def failing(*_: object) -> NoReturn:
    raise ValueError("a bug")


@pytest.fixture
def wakeups() -> Iterator[Wakeups]:
    with closing(Wakeups(MemoryStore("memory-ringing"))) as made:
        yield made


def test_a_ring_that_fails_is_logged_and_the_others_are_rung(
    wakeups: Wakeups, caplog: pytest.LogCaptureFixture
) -> None:
    rung: list[str] = []
    with wakeups.listening(ANY_EVENT, failing), wakeups.listening(ANY_EVENT, lambda: rung.append("rung")):
        wakeups.committed(Committed((), has_events=True))

    assert rung == ["rung"]
    assert [(line.levelno, line.getMessage()) for line in caplog.records] == [
        (logging.ERROR, "a wake-up failed; the caller that waits will poll by itself")
    ]


@pytest.mark.parametrize("what", ["held", "on_lost"])
def test_a_keeper_that_fails_is_logged_and_the_other_is_told_and_rings_follow(
    what: str, wakeups: Wakeups, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Sequence[str]] = []
    rung: list[str] = []

    def held() -> list[Lease]:
        return [Lease(AN_ID, 0, 1, "lease", "w-1", 1000)]

    with (
        wakeups.watching_leases(failing if what == "held" else held, failing),
        wakeups.watching_leases(held, told.append),
        wakeups.listening(ANY_EVENT, lambda: rung.append("rung")),
    ):
        wakeups.committed(Committed((), has_events=True, lost=[AN_ID]))

    assert told == [[AN_ID]]
    assert rung == ["rung"]
    assert [line.levelno for line in caplog.records] == [logging.ERROR]
    assert "the next renewal finds out" in caplog.records[0].getMessage()
