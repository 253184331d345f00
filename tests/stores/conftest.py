import pytest

from tests.stores_under_test import clock, engine, parts, store_url

__all__ = ["clock", "engine", "parts", "store_url"]

DECIDED_ON = "memory"
"""The store that shows all cases of a rule. The other stores get a sample of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if not _is_decided_elsewhere(item)]


def _is_decided_elsewhere(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function) or item.get_closest_marker("rule_case") is None:
        return False
    return item.callspec.params.get("store_url") != DECIDED_ON
