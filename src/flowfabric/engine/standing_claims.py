"""Claims that found nothing and stand by: the batch that makes something ready takes them along.

So what is submitted to an idle worker of the same process is committed and leased in one transaction. A standing claim
is also looked at again when a wake-up says that its lane has work, and one last time when its caller has waited enough.
"""

import threading
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Literal

from flowfabric.domain.lanes import Lane

if TYPE_CHECKING:
    from flowfabric.engine.tickets import Ticket


FoundNothing = Literal["stands_by", "is_called_again", "has_left"]
"""What becomes of a claim that found nothing: it waits, it polls again at once, or its caller gets the empty answer."""


class StandingClaims:
    """Which claims stand by, and which have been called while they were being looked at."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._standing: dict[Lane, dict[Ticket, None]] = {}
        self._called: dict[Ticket, bool] = {}
        """The claims that wait, and whether they have been called since they were last sent."""

    def __bool__(self) -> bool:
        return bool(self._standing)

    def lanes(self) -> Collection[Lane]:
        """The lanes in which a claim stands by."""
        with self._lock:
            return set(self._standing)

    def enter(self, ticket: "Ticket") -> None:
        """From now on, an empty answer makes the claim stand by."""
        with self._lock:
            self._called[ticket] = False

    def leave(self, ticket: "Ticket") -> bool:
        """From now on, an empty answer is an answer. True: it stood by, and can be sent one last time."""
        with self._lock:
            self._called.pop(ticket, None)
            return self._dismiss(ticket)

    def stand_by(self, ticket: "Ticket") -> FoundNothing:
        """Let a claim wait that found nothing, unless it was called meanwhile, or waits no longer."""
        with self._lock:
            called = self._called.get(ticket)
            if called is None:
                return "has_left"
            self._called[ticket] = False
            if called:
                return "is_called_again"
            for lane in ticket.lanes:
                self._standing.setdefault(lane, {})[ticket] = None
            return "stands_by"

    def call(self, ticket: "Ticket") -> bool:
        """There may be work for the claim. True: it stood by, and is to be sent."""
        with self._lock:
            if self._dismiss(ticket):
                return True
            if ticket in self._called:
                self._called[ticket] = True
            return False

    def take(self, lanes: Iterable[Lane]) -> list["Ticket"]:
        """The claims that stand by for one of the lanes. The caller sends them."""
        with self._lock:
            found = dict.fromkeys(ticket for lane in sorted(lanes) for ticket in self._standing.get(lane, ()))
            for ticket in found:
                self._dismiss(ticket)
            return list(found)

    def end(self) -> Collection["Ticket"]:
        """Nobody waits any longer; those who stood by."""
        with self._lock:
            standing = dict.fromkeys(ticket for tickets in self._standing.values() for ticket in tickets)
            self._standing.clear()
            self._called.clear()
            return list(standing)

    def _dismiss(self, ticket: "Ticket") -> bool:
        stood = False
        for lane in ticket.lanes:
            tickets = self._standing.get(lane, {})
            if ticket in tickets:
                stood = True
                del tickets[ticket]
                if not tickets:
                    del self._standing[lane]
        return stood
