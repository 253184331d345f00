"""All signals of an execution are listed, and read from the store a page at a time."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from flowfabric import ManualClock
from flowfabric.app import open_store
from flowfabric.engine import signalling
from tests.assembled import assembled
from tests.faulty_store import FaultyStore

AN_ID = "{fp:7}:0198c0de-0000-7000-8000-000000000001"


class Watched(FaultyStore):
    """It notes how many signals each read has returned, and does something after a read."""

    pages: list[int]
    after_a_page: Callable[[], object]

    def signals(self, *asked: Any) -> Any:
        x, page = self.inner.signals(*asked)
        self.pages.append(len(page))
        self.after_a_page()
        return x, page


@pytest.fixture
def watched(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setattr(signalling, "SIGNALS_PAGE", 3)
    store = Watched(open_store("memory://", clock=clock))
    store.pages = []
    store.after_a_page = lambda: None
    yield store
    store.close()


def test_signals_are_read_in_pages(watched: Watched) -> None:
    with assembled(watched) as parts:
        parts.engine.create_execution("job", execution_id=AN_ID)
        for number in range(7):
            parts.engine.signal(AN_ID, "odd" if number % 2 else "even", bytes([number]))

        everything = parts.engine.list_signals(AN_ID)
        even = parts.engine.list_signals(AN_ID, key="even")

    assert [each.payload for each in everything] == [bytes([number]) for number in range(7)]
    assert [each.payload for each in even] == [b"\0", b"\2", b"\4", b"\6"]
    assert watched.pages == [3, 3, 1, 3, 1]


def test_a_replay_between_two_pages_does_not_mix_two_lives(watched: Watched) -> None:
    with assembled(watched) as parts:
        engine = parts.engine
        engine.create_execution("job", execution_id=AN_ID)
        for number in range(4):
            engine.signal(AN_ID, "editor", bytes([number]))

        def replay() -> None:
            watched.after_a_page = lambda: None
            engine.cancel_execution(AN_ID, reason="start anew")
            engine.replay_execution(AN_ID, steps="clear")
            for number in range(4):
                engine.signal(AN_ID, "editor", b"new" + bytes([number]))

        watched.after_a_page = replay
        found = engine.list_signals(AN_ID)

    assert [each.payload for each in found] == [b"new\0", b"new\1", b"new\2", b"new\3"]
