"""What those who wait ask of a store: whether what they wait for has come, and hints that something was committed."""

from contextlib import AbstractContextManager
from typing import Protocol

from flowfabric.domain.news import Committed, OnOthersCommit, Waits
from flowfabric.ports.reading import EventReads


class Watches(EventReads, Protocol):
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
