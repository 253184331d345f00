"""Whoever runs the tests may use `ff`, too: what their environment says of a database is nothing to the tests."""

import pytest


@pytest.fixture(autouse=True)
def _environment_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FLOWFABRIC_URL", "FLOWFABRIC_APP", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
