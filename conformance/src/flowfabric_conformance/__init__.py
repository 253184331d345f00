"""The suite that every store must pass, for those who write one.

Pull it into a test module and give it two fixtures:

    from flowfabric_conformance import *

    @pytest.fixture
    def clock() -> ManualClock: ...            # stands still until a test moves it

    @pytest.fixture
    def engine(clock) -> BlockingEngine: ...   # on an empty store, with that clock and reconcile=False

The tests speak to the engine only, so they do not care how a store keeps its records.
"""

from importlib import import_module
from typing import Final

import pytest

SUBJECTS: Final = (
    "creating",
    "claiming",
    "leasing",
    "finishing",
    "cancelling",
    "operating",
    "lanes",
    "bulk",
    "reading",
    "events",
    "running",
    "upkeep",
    "scheduling",
    "building",
    "submitting",
    "joining",
    "passing",
    "flow_states",
    "cancelling_flows",
    "replaying",
    "replaying_in_flows",
    "replaying_flows",
    "reading_flows",
    "keeping_flows",
    "waiting",
    "wait_timeouts",
    "signalling",
    "waitpoints",
    "tokens",
    "while_waiting",
    "replaying_waits",
    "listing_waits",
    "families",
    "debouncing",
    "limiting",
    "limited_blocks",
    "taking_turns",
    "budgeting",
    "keeping_budgets",
    "carrying_gates",
    "streaming",
    "reading_streams",
    "keeping_streams",
    "summarising",
    "access",
    "creators",
    "isolation",
    "limits",
    "repeating",
    "repeating_waits",
    "repeating_gates",
)

# Before they are imported, so that a failing assertion shows its values.
pytest.register_assert_rewrite(
    *(f"{__name__}.{subject}" for subject in SUBJECTS),
    *(f"{__name__}.{stage}" for stage in ("stage", "flow_stage", "wait_stage", "gate_stage", "stream_stage")),
)


def _tests() -> dict[str, object]:
    found: dict[str, object] = {}
    for subject in SUBJECTS:
        module = import_module(f"{__name__}.{subject}")
        for name, test in vars(module).items():
            if name.startswith("test_"):
                assert name not in found, f"two tests are called {name}"
                found[name] = test
    return found


_FOUND: Final = _tests()
globals().update(_FOUND)

__all__ = [*_FOUND]
