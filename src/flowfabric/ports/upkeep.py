"""Where the engine and the reconcilers meet."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import EngineError
from flowfabric.domain.lanes import Lane
from flowfabric.domain.outcomes import Outcome


class Gateway(Protocol):
    """Whoever takes commands; reconcilers know no more of the engine than this."""

    def execute_all(self, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
        """Send commands and wait for all answers."""


class OutageLog(Protocol):
    """Whoever tells the log that the store is away, and that it is back: once each, however many notice it."""

    def noticed(self, what: str, error: Exception) -> None:
        """Something of the store does not work, and will be tried again."""

    def over(self, what: str) -> None:
        """That works."""


class Upkeep(Protocol):
    """The duties that keep a store healthy."""

    def run_once(self) -> Mapping[str, int]:
        """Run every due duty to its end; how much each did."""

    def running(self) -> AbstractContextManager[None]:
        """Run the duties in the background while the block lasts."""


class WaitingClaims(Protocol):
    """Those who wait for work, as upkeep sees them."""

    def lanes(self) -> Sequence[Lane]:
        """What they wait for."""

    def polled(self, ready: Collection[Lane]) -> None:
        """All of these lanes were looked at just now, and these have work."""

    def tell_of_delays(self, on_delay: Callable[[int], None]) -> None:
        """Have `on_delay` called, from any thread, with the milliseconds until a delay that was written is over."""
