from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import ManualClock
from flowfabric.app import open_store
from flowfabric.engine import limits
from tests.faulty_store import FaultyStore
from tests.stores_under_test import STORES


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the engine waits for between tries is for real stores; here every fault is over at once."""
    monkeypatch.setattr(limits, "CONTENTION_PAUSES_S", (0.0001, 0.0001))
    monkeypatch.setattr(limits, "RECONNECT_PAUSE_S", (0.0001, 0.001))
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 0.3)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock) -> Iterator[FaultyStore]:
    """A real store that breaks on demand."""
    with STORES[request.param].empty(tmp_path) as url:
        opened = FaultyStore(open_store(url, clock=clock))
        yield opened
        opened.heals()
        opened.close()
