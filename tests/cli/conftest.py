"""Whoever runs the tests may use `ff`, too: what their environment says of a database is nothing to the tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import open_blocking_engine
from tests.cli.press import Press
from tests.stores_under_test import SHARED_STORES, STORES


@pytest.fixture(autouse=True)
def _environment_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FLOWFABRIC_URL", "FLOWFABRIC_APP", "FLOWFABRIC_SIGNING_KEYS", "COLUMNS", "NO_COLOR"):
        # Set first: what the readline library has put there, Python does not know, but programs that it starts would.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


@pytest.fixture(params=SHARED_STORES)
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Press]:
    with STORES[request.param].empty(tmp_path) as url:
        with open_blocking_engine(url, reconcile=False, migrate=True):
            pass
        yield Press(url)


@pytest.fixture
def press(tmp_path: Path) -> Iterator[Press]:
    with STORES["sqlite"].empty(tmp_path) as url:
        with open_blocking_engine(url, reconcile=False, migrate=True):
            pass
        yield Press(url)
