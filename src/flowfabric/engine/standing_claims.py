"""Claims that found nothing and stand by: a batch that makes an execution ready takes them along.

So an execution that is submitted in the process of an idle worker is committed and leased in one transaction. A
standing claim is also tried again when a wake-up says that its lane has work, and one last time when its caller has
waited long enough.
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
    """The claims that stand by, and the claims that were called while a batch was trying them."""

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
        """From now on, an empty answer ends the claim. True: the claim stood by, and can be sent one last time."""
        with self._lock:
            self._called.pop(ticket, None)
            return self._dismiss(ticket)

    def stand_by(self, ticket: "Ticket") -> FoundNothing:
        """Let a claim that found nothing stand by, unless it was called meanwhile, or waits no longer."""
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
        """Note that there may be work for the claim. True: the claim stood by, and the caller has to send it."""
        with self._lock:
            if self._dismiss(ticket):
                return True
            if ticket in self._called:
                self._called[ticket] = True
            return False

    def take(self, lanes: Iterable[Lane], enough: int | None = None) -> list["Ticket"]:
        """Take the claims that stand by for one of the lanes. The caller has to send them.

        `enough`: take no more claims than are needed for so many executions.
        """
        taken: list[Ticket] = []
        room = 0
        with self._lock:
            for ticket in dict.fromkeys(ticket for lane in sorted(lanes) for ticket in self._standing.get(lane, ())):
                if enough is not None and room >= enough:
                    break
                self._dismiss(ticket)
                taken.append(ticket)
                room += ticket.weight
        return taken

    def end(self) -> Collection["Ticket"]:
        """Let no claim wait any longer. Returns the claims that stood by."""
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
