"""The suite for stores, on every store of ours, and through a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, ManualClock
from flowfabric_conformance import *  # noqa: F403
from tests.assembled import assembled_at
from tests.http_server import served_engine
from tests.stores_under_test import STORES, clock

__all__ = ["clock"]

HTTP = "http"


@pytest.fixture(params=[*STORES, HTTP])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == HTTP:
        yield HTTP
    else:
        with STORES[request.param].empty(tmp_path) as url:
            yield url


@pytest.fixture
def engine(store_url: str, clock: ManualClock) -> Iterator[BlockingEngine]:
    if store_url == HTTP:
        with served_engine(clock) as engine:
            yield engine
    else:
        with assembled_at(store_url, clock=clock, migrate=True) as parts:
            yield parts.engine
