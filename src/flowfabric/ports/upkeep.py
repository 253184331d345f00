"""The interfaces between the engine and the reconcilers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import EngineError
from flowfabric.domain.lanes import Lane
from flowfabric.domain.outcomes import Outcome


class Gateway(Protocol):
    """Takes commands. Reconcilers know nothing else about the engine."""

    def execute_all(self, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
        """Send commands and wait for all answers."""


class OutageLog(Protocol):
    """Logs that the store is away, and that it is back: once each, even if many callers notice it."""

    def noticed(self, what: str, error: Exception) -> None:
        """A use of the store has failed, and will be tried again."""

    def over(self, what: str) -> None:
        """That use of the store works."""


class Upkeep(Protocol):
    """The duties that keep a store healthy."""

    def run_once(self) -> Mapping[str, int]:
        """Run every due duty to its end. Returns how much each duty did."""

    def running(self) -> AbstractContextManager[None]:
        """Run the duties in the background while the block lasts."""


class WaitingClaims(Protocol):
    """The claims that wait for work in this process."""

    def lanes(self) -> Sequence[Lane]:
        """The lanes that they wait for."""

    def polled(self, ready: Collection[Lane]) -> None:
        """Note that all awaited lanes were polled, and that only the lanes in `ready` have work."""

    def report_delays_to(self, on_delay: Callable[[int], None]) -> None:
        """From now on, call `on_delay`, from any thread, with the milliseconds until a delay that was written ends."""
