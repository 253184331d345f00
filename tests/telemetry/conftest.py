"""Every test of telemetry runs on the stores that it asks for; most of them on all."""

from collections.abc import Iterator

import pytest

from flowfabric import BlockingEngine, ManualClock
from flowfabric.telemetry.metrics import Metrics
from tests.assembled import Assembled, assembled_at
from tests.stores_under_test import clock as clock
from tests.stores_under_test import store_url as store_url
from tests.telemetry.recording import Recorder


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def parts(store_url: str, clock: ManualClock, metrics: Metrics) -> Iterator[Assembled]:
    """An engine that is counted, and what it is made of."""
    with assembled_at(store_url, clock=clock, migrate=True, telemetry=metrics) as parts:
        yield parts


@pytest.fixture
def engine(parts: Assembled) -> BlockingEngine:
    return parts.engine


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """The spans of this process."""
    recorder = Recorder()
    yield recorder
    recorder.provider.shutdown()
