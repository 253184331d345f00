"""For tests, ours and yours: a kit to test your tasks, and a clock that stands still."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from flowfabric.testing.clock import ManualClock

if TYPE_CHECKING:
    from flowfabric.testing.kit import Kit as Kit
    from flowfabric.testing.runs import Stuck as Stuck

__all__ = ["Kit", "ManualClock", "Stuck"]

# Imported when they are first used: a test that only needs the clock need not import workers and stores.
_HOME_OF = {"Kit": "flowfabric.testing.kit", "Stuck": "flowfabric.testing.runs"}

if not TYPE_CHECKING:  # with this, a type checker would accept any name

    def __getattr__(name: str) -> object:
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(_import_module(_HOME_OF[name]), name)
        return value
