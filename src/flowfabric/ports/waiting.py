"""What those who wait ask of a store: whether what they wait for has come, and hints that something was committed."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed, OnOthersCommit, Polled, Waits
from flowfabric.ports.reading import EventReads


class Polls(Protocol):
    """One read for everyone who waits for work, and for what is due."""

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        """What there is to do now, by the store's clock, and in the given lanes: in one read."""


class Watches(Polls, EventReads, Protocol):
    """Commits of other processes. Who waits for events also reads the log."""

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        """While the block lasts, report what other processes commit. Reports are hints: any of them may be lost."""

    def listen_for(self, *, ends: bool, events: bool) -> None:
        """Say whether anyone here waits for ends or for events; only then they have to be reported.

        A store that reports every commit anyway has nothing to do.
        """

    def news(self, waits: Waits) -> Committed:
        """Which awaited executions have ended or are gone, which cancels are acknowledged, which leases are over.

        One read answers everything.
        """
