"""What those who wait ask of a store: what has come of what they wait for, and hints that something was committed."""

from contextlib import AbstractContextManager
from typing import Protocol

from flowfabric.domain.news import Committed, OnOthersCommit, Waits
from flowfabric.ports.reading import EventReads


class Watches(EventReads, Protocol):
    """What other processes have committed; who waits for events reads the log besides."""

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        """While the block lasts, tell of what other processes have committed. A hint: any of it may be lost."""

    def listen_for(self, *, ends: bool, events: bool) -> None:
        """Say whether anyone here waits for ends or for events, so that these are told, too, while it watches.

        A store that tells of every commit anyway has nothing to do.
        """

    def news(self, waits: Waits) -> Committed:
        """What of it has come: ends (or executions that are gone), acknowledgements, and leases that are over.

        One read for all of it.
        """
