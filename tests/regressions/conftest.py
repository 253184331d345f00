from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores_under_test import SHARED_STORES, STORES, clock, engine, parts, store_url

__all__ = ["clock", "engine", "parts", "shared_url", "store_url"]


@pytest.fixture(params=SHARED_STORES)
def shared_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The url of an empty store that several engines can open at once."""
    with STORES[request.param].empty(tmp_path) as url:
        yield url
