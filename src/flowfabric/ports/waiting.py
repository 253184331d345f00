"""What callers that wait ask a store: whether the awaited thing has happened, and hints about new commits."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed, OnOthersCommit, Polled, Waits
from flowfabric.ports.clock import Clock
from flowfabric.ports.gates import GateReads
from flowfabric.ports.reading import EventReads
from flowfabric.ports.streams import StreamWatches


class Polls(Protocol):
    """One read for all callers that wait for work, and for what is due."""

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        """What is due now by the store's clock, and which of the given lanes have work: in one read."""

    def ready_needs(self, lane: Lane) -> list[tuple[str, ...]]:
        """Which sets of capabilities the work of a lane needs, each once."""


class Watches(Polls, GateReads, StreamWatches, EventReads, Clock, Protocol):
    """Reports about commits of other processes. A caller that waits for events also reads the log.

    A caller that waits for room in a limit reads what is used of it.
    """

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        """While the block lasts, report what other processes commit. Reports are hints: any of them may be lost."""

    def listen_for(self, *, ends: bool, events: bool, slots: bool, streams: bool) -> None:
        """Set whether a caller in this process waits for ends, for events, for slots of limits, or for frames.

        Only then they have to be reported. A store that reports every commit anyway has nothing to do.
        """

    def news(self, waits: Waits) -> Committed:
        """Which awaited executions have ended or were removed, which cancels are acknowledged, which leases are over.

        And which lingering executions have a wait that is over without the knowledge of their worker
        (`Inbox.unanswered`). One read answers everything.
        """
