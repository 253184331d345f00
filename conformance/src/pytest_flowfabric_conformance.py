"""Tells pytest about the marker of the suite for stores. Without it, pytest would warn of an unknown word."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers", "rule_case: a case that the rules decide alone; other cases of the same test show it to a store"
    )
