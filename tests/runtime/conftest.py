"""A fabric on every store that one process can have to itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import FlowFabric, ManualClock

STORES = ["memory", "sqlite"]


def url_of(store: str, folder: Path) -> str:
    return "memory://" if store == "memory" else f"sqlite:///{folder}/shop.db"


@pytest.fixture(params=STORES)
def ff(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FlowFabric]:
    with FlowFabric(url_of(request.param, tmp_path)) as fabric:
        yield fabric


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=STORES)
def still_ff(request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock) -> Iterator[FlowFabric]:
    """One in which time stands still, and nothing happens by itself."""
    with FlowFabric(url_of(request.param, tmp_path), clock=clock, reconcile=False) as fabric:
        yield fabric
