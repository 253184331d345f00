"""Commands gather while a commit is under way, and the next commit takes all of them.

Callers put commands into the queues of committers, as long as there is room. Each committer takes the commands that
have gathered, opens one transaction, decides each command in order of arrival, commits once, then answers every caller.
There is no artificial delay.

`tickets` has the commands on their way, `committer` the threads, `committing` what happens when a commit fails, `aside`
the commands that wait for locks, and `delivery` brings the answers back.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from zlib import crc32

from flowfabric.domain.commands import AnyCommand, Envelope, PassOnEnd
from flowfabric.domain.errors import EngineError, StoreError, StoreUnavailable
from flowfabric.domain.news import Committed, OnCommit
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine import limits
from flowfabric.engine.aside import HeldLocks
from flowfabric.engine.committer import CommitServices, Committer
from flowfabric.engine.committing import CommitBooks
from flowfabric.engine.delivery import Delivery
from flowfabric.engine.outages import Outages
from flowfabric.engine.partitions import route_key_in_one
from flowfabric.engine.standing_claims import StandingClaims
from flowfabric.engine.tickets import Reply, Ticket, releases_of, route_key
from flowfabric.ports.errors import for_callers
from flowfabric.ports.store import Store
from flowfabric.ports.telemetry import Telemetry


class GroupCommit:
    """Takes commands from any thread and any event loop, and answers each after its batch has committed."""

    def __init__(self, store: Store, on_commit: OnCommit, telemetry: Telemetry | None = None) -> None:
        self._store = store
        self._pid = os.getpid()
        self._room = threading.Condition()
        self._waiting_for_room: deque[Callable[[], None]] = deque()
        self._weight = 0
        """The weight of all queued commands."""
        self._closing = False
        self._death: str | None = None
        """Why a committer has ended by itself. None: all committers run."""
        self._on_commit = on_commit
        self._books = CommitBooks(self._committed, telemetry)
        self._delivery = Delivery(self._stands_by, self.give_back)
        self.standing = StandingClaims()
        shared = CommitServices(store, self.standing, self._books, self._delivery, self._died)
        self.held_locks = HeldLocks(shared)
        with for_callers():
            self._committers = [
                Committer(shared, self.held_locks, index, self._made_room, self._queue)
                for index in range(store.committers)
            ]

    @property
    def store(self) -> Store:
        """The store of this engine."""
        return self._store

    @property
    def outages(self) -> Outages:
        """The present failures of the store."""
        return self._books.outages

    @property
    def ambiguous(self) -> int:
        """Commits whose answer was lost."""
        return self._books.ambiguous

    @property
    def resolved(self) -> int:
        """How many of those commits got a certain answer afterwards."""
        return self._books.resolved

    # ── life ─────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        """Start the committers."""
        for committer in self._committers:
            committer.start()

    def close(self) -> None:
        """Commit the commands that have gathered, then stop. Later commands are refused."""
        with self._room:
            self._closing = True
            waiting = self._all_who_wait_for_room()
        for wake in waiting:
            wake()
        for committer in self._committers:
            committer.stop()
        self.held_locks.close()
        standing = self.standing.end()
        self._delivery.deliver([(ticket, closed()) for ticket in standing])

    def _died(self, error: BaseException) -> None:
        """A committer has ended by itself: from now on every caller is refused, and no caller waits any longer."""
        with self._room:
            self._death = (
                f"A thread that commits has ended ({error!r}), so this engine can write nothing any more. "
                "Restart the process. This is a bug in flowfabric; please report it with the log."
            )
            waiting = self._all_who_wait_for_room()
            standing = self.standing.end()
        for wake in waiting:
            wake()
        self._delivery.deliver([(ticket, StoreUnavailable(self._death, is_final=True)) for ticket in standing])

    @property
    def _is_open(self) -> bool:
        return not self._closing and self._death is None

    def check_usable(self) -> None:
        """Raise if another process has opened the engine, or if the engine is closed."""
        if os.getpid() != self._pid:
            raise StoreError(
                f"This engine was opened in process {self._pid} and is used in process {os.getpid()}, after a fork. "
                "Open an engine of its own in the child process."
            )
        if self._death is not None:
            raise StoreUnavailable(self._death, is_final=True)
        if self._closing:
            raise closed()

    # ── the queue ────────────────────────────────────────────────────────────────────────────────

    def submit(self, ticket: Ticket, *, when_room: Callable[[], None] | None = None) -> bool:
        """Queue a command. False: there is no room, and `when_room` is called when there may be room."""
        self.check_usable()
        with self._room:
            if not self._has_room(ticket.weight, when_room):
                return False
            self._queue(ticket)
        return True

    def submit_all(self, tickets: Sequence[Ticket], *, when_room: Callable[[], None] | None = None) -> bool:
        """Queue commands together, or none of them if there is no room."""
        weight = sum(ticket.weight for ticket in tickets)
        self.check_usable()
        with self._room:
            if not self._has_room(weight, when_room):
                return False
            self._weight += weight
            by_committer: dict[Committer, list[Ticket]] = {}
            for ticket in tickets:
                by_committer.setdefault(self._committer_for(ticket.envelope.command), []).append(ticket)
            for committer, its_own in by_committer.items():
                committer.put(*its_own)
        return True

    def submit_blocking(self, ticket: Ticket) -> None:
        """Queue a command. Waits if there is no room."""
        while not self.submit(ticket):
            with self._room:
                self._room.wait(timeout=0.1)

    def execute_all(self, batch: Sequence[Envelope]) -> list[Reply]:
        """Send commands and wait for all answers."""
        futures: list[Future[Outcome]] = []
        for envelope in batch:
            future: Future[Outcome] = Future()
            self.submit_blocking(Ticket(envelope, future))
            futures.append(future)
        answers: list[Reply] = []
        for future in futures:
            try:
                answers.append(future.result())
            except EngineError as refusal:
                answers.append(refusal)
        return answers

    def give_back(self, outcome: Outcome) -> None:
        """Release the executions that were claimed for a caller that no longer waits."""
        for release in releases_of(outcome):
            self._queue(release)

    def _committed(self, committed: Committed) -> None:
        """Report the news of a commit, and pass on ends that concern parents and children.

        If a command of these is lost, upkeep finds the end.
        """
        self._on_commit(committed)
        with self._room:
            if self._is_open:
                for parent_id, execution_id in committed.unsettled:
                    self._queue(Ticket(Envelope(PassOnEnd(parent_id, execution_id))))

    def _has_room(self, weight: int, when_room: Callable[[], None] | None) -> bool:
        self.check_usable()  # under the lock, too: a command that is queued after `close` would never be answered
        if self._weight and self._weight + weight > limits.QUEUE_WEIGHT_MAX:
            if when_room is not None:
                self._waiting_for_room.append(when_room)
            return False
        return True

    def _queue(self, ticket: Ticket, committer: Committer | None = None) -> None:
        with self._room:
            self._weight += ticket.weight
            (committer or self._committer_for(ticket.envelope.command)).put(ticket)

    def _committer_for(self, command: AnyCommand) -> Committer:
        """Commands of one execution always go to the same committer, so their order is kept.

        Claims and new executions go to the committer that has the least to do.
        """
        if len(self._committers) == 1:
            return self._committers[0]
        key = route_key_in_one(command) if self._store.batches_stay_in_one_partition else route_key(command)
        if key is None:
            return min(self._committers, key=lambda committer: committer.load)
        return self._committers[crc32(key.encode()) % len(self._committers)]

    def _made_room(self, taken: Sequence[Ticket]) -> None:
        """A committer has taken commands from its queue."""
        with self._room:
            self._weight -= sum(ticket.weight for ticket in taken)
            waiting = self._all_who_wait_for_room()
        for wake in waiting:
            wake()

    def _all_who_wait_for_room(self) -> list[Callable[[], None]]:
        """Wake threads that wait for room. Returns the functions that wake other callers. The lock must be held."""
        waiting = list(self._waiting_for_room)
        self._waiting_for_room.clear()
        self._room.notify_all()
        return waiting

    # ── claims that wait for work ────────────────────────────────────────────────────────────────

    @contextmanager
    def waiting(self, ticket: Ticket) -> Iterator[None]:
        """While the block lasts, a claim that finds nothing gets no answer and waits."""
        self.check_usable()
        self.standing.enter(ticket)
        try:
            yield
        finally:
            self.standing.leave(ticket)

    def poll_again(self, ticket: Ticket) -> None:
        """Try a claim that waits again, because there may be work. May be called from any thread."""
        with self._room:
            if self._is_open and self.standing.call(ticket):
                self._queue(ticket)

    def poll_once_more(self, ticket: Ticket) -> None:
        """End the wait of a claim: its answer is what it finds now."""
        with self._room:
            if self._is_open and self.standing.leave(ticket):
                self._queue(ticket)

    def _stands_by(self, ticket: Ticket) -> bool:
        """Whether a claim that found nothing goes on waiting."""
        with self._room:
            now = self.standing.stand_by(ticket) if self._is_open else "has_left"
            if now == "is_called_again":
                self._queue(ticket)
        return now != "has_left"


def closed() -> StoreUnavailable:
    """The error for every use of a closed engine."""
    return StoreUnavailable("This engine is closed. Open a new one.", is_final=True)
