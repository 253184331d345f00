"""For tests, ours and yours: a clock that stands still, and the suite that every store must pass."""

from flowfabric.testing.clock import ManualClock

__all__ = ["ManualClock"]
