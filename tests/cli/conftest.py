"""Whoever runs the tests may use `ff`, too: what their environment says of a database is nothing to the tests."""

import pytest


@pytest.fixture(autouse=True)
def _environment_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FLOWFABRIC_URL", "FLOWFABRIC_APP", "COLUMNS", "NO_COLOR"):
        # Set first: what the readline library has put there, Python does not know, but programs that it starts would.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
