"""A fabric on every store."""

from collections.abc import Iterator

import pytest

from flowfabric import FlowFabric, ManualClock
from tests.stores_under_test import clock, store_url

__all__ = ["clock", "store_url"]


@pytest.fixture
def ff(store_url: str) -> Iterator[FlowFabric]:
    with FlowFabric(store_url) as fabric:
        yield fabric


@pytest.fixture
def still_ff(store_url: str, clock: ManualClock) -> Iterator[FlowFabric]:
    """One in which time stands still, and nothing happens by itself."""
    with FlowFabric(store_url, clock=clock, reconcile=False) as fabric:
        yield fabric
