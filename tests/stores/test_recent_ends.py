"""How many executions end in a minute is told by the newest events: exactly, or by as many of them as are read."""

from importlib import import_module

import pytest

from flowfabric import BlockingEngine, ManualClock
from flowfabric_conformance.stage import create
from tests.stores_under_test import STORES


@pytest.mark.parametrize(("read", "expected"), [(20_000, 8), (8, 8), (5, 60), (1, 60)])
def test_a_rate_is_estimated_from_the_events_that_are_read(
    engine: BlockingEngine, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, read: int, expected: int
):
    for store in STORES:
        monkeypatch.setattr(import_module(f"flowfabric.stores.{store}.reading"), "RECENT_EVENTS", read)
    for _ in range(8):
        clock.advance(1_000)
        engine.cancel_execution(create(engine, lane="mail"), reason="enough")

    (mail,) = engine.list_lanes()

    assert mail.ended_last_minute == expected
