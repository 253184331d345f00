"""Threads that commit. Each owns one write connection, takes the commands that have gathered, commits and answers them.

It is a bug if a thread ends before the engine is closed. Then all callers that wait get an error, and so do all later
callers.
"""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from flowfabric.domain.errors import EngineError, RetryExhausted, StoreUnavailable
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine import limits
from flowfabric.engine.committing import LOCK_IS_HELD, BatchCommitter, CommitBooks
from flowfabric.engine.delivery import Delivery
from flowfabric.engine.partitions import first_batch_in_one
from flowfabric.engine.standing_claims import StandingClaims
from flowfabric.engine.tickets import Replies, Ticket, claims_last, first_batch, fits, releases_of, split_followers
from flowfabric.ports.errors import LockHeld
from flowfabric.ports.store import Store

if TYPE_CHECKING:
    from flowfabric.engine.aside import HeldLocks

log = logging.getLogger("flowfabric.engine")


class CommitServices:
    """What all committing threads of an engine share."""

    def __init__(
        self,
        store: Store,
        standing: StandingClaims,
        books: CommitBooks,
        delivery: Delivery,
        on_death: Callable[[BaseException], None],
    ) -> None:
        self.store = store
        self.standing = standing
        self.books = books
        self.delivery = delivery
        self.on_death = on_death
        """Called when a thread ends by itself. From then on every caller is refused."""
        self.is_by_partition = store.batches_stay_in_one_partition

    def first_batch(self, queue: deque[Ticket]) -> list[Ticket]:
        """Take the commands of the next batch from a queue.

        Claims come last in it, so that they can take what the other commands make ready.
        """
        if self.is_by_partition:
            return first_batch_in_one(queue, fits)
        return claims_last(first_batch(queue))


class CommitThread(ABC):
    """One thread with one write connection."""

    def __init__(self, shared: CommitServices, locks: "HeldLocks", name: int | str) -> None:
        self._shared = shared
        self._locks = locks
        self._writer = shared.store.writer()
        # A batch of one partition takes no claim along: a claim that stands by gets a wake-up after the commit.
        standing = None if shared.is_by_partition else shared.standing
        self._telemetry = shared.books.telemetry
        self._commits = BatchCommitter(self._writer, shared.store.name, standing, shared.books, self._deliver_apart)
        self._filled = threading.Condition()
        self._stopping = False
        self._in_hand: Sequence[Ticket] = ()
        """The commands that were taken from the queue and are not answered yet."""
        self._is_dead = False
        self._thread = threading.Thread(target=self._live, name=f"flowfabric-committer-{name}", daemon=True)

    def start(self) -> None:
        """Begin to commit."""
        self._thread.start()

    def stop(self) -> None:
        """Commit the queued commands, then close the connection."""
        with self._filled:
            self._stopping = True
            self._filled.notify()
        if self._thread.is_alive():
            self._thread.join()

    @abstractmethod
    def put(self, *tickets: Ticket) -> None:
        """Take commands."""

    @abstractmethod
    def _give_back(self, outcome: Outcome) -> None:
        """Release what was claimed for a caller that no longer waits."""

    @abstractmethod
    def _run(self) -> None:
        """Commit until the end."""

    @abstractmethod
    def _left(self) -> list[Ticket]:
        """Take all queued commands."""

    def _live(self) -> None:
        try:
            self._run()
        except BaseException as error:
            log.critical("a committer has ended; this process can write nothing any more", exc_info=error)
            self._shared.on_death(error)
            with self._filled:
                self._is_dead = True
            self._refuse_what_is_left()

    def _refuse_what_is_left(self) -> None:
        """Refuse all commands that wait for this thread, because it has ended."""
        with self._filled:
            begun, left = self._in_hand, self._left()
            self._in_hand = ()
        for ticket in (*begun, *left):
            doubt = " Your command may have happened." if ticket in begun else " Your command was not begun."
            failure = StoreUnavailable(f"A thread that commits has ended.{doubt} Restart the process.", is_final=True)
            try:
                self._shared.delivery.deliver([(ticket, failure)])
            except Exception:
                log.exception("a command could not be refused")

    def _refuse(self, tickets: Sequence[Ticket], why: str) -> None:
        why = f"{why}, and nothing was changed. Send it again."
        self._deliver([(ticket, RetryExhausted(why)) for ticket in tickets])

    def _deliver(self, replies: Replies) -> list[Ticket]:
        """Deliver answers, except to commands that met a held lock. Returns these commands."""
        held = [ticket for ticket, reply in replies if isinstance(reply, LockHeld)]
        if held:
            replies = [(ticket, reply) for ticket, reply in replies if not isinstance(reply, LockHeld)]
        if self._telemetry is not None:
            codes = [reply.code for _, reply in replies if isinstance(reply, EngineError)]
            if codes:
                self._telemetry.refused(codes)
        self._shared.delivery.deliver(replies, self._give_back)
        return held

    def _deliver_apart(self, replies: Replies) -> None:
        if held := self._deliver(replies):
            self._locks.put_aside(held)

    def _try_apart(self, tickets: Sequence[Ticket], lock_wait_ms: int, failures_max: int | None = None) -> list[Ticket]:
        """Try commands together; if that fails, in halves, and so on, until so many tries have failed.

        Returns the commands that met a held lock, and those that were not tried any more.
        """
        groups, held, failures = [list(tickets)], list[Ticket](), 0
        while groups:
            group, followers = split_followers(groups.pop(), held)
            held += followers
            if failures == failures_max:
                held += group
            elif group:
                met = self._deliver(self._commits.answers(self._commits.batch_of(group), lock_wait_ms))
                failures += bool(met)
                if len(group) == 1 or met != group:
                    held += met  # each command was tried alone, and so was each claim that was taken along
                else:
                    middle = len(group) // 2
                    groups += [group[middle:], group[:middle]]
        return held


class Committer(CommitThread):
    """Commits the commands of callers, in order of arrival."""

    def __init__(
        self,
        shared: CommitServices,
        locks: "HeldLocks",
        index: int,
        on_taken: Callable[[Sequence[Ticket]], None],
        queue_at: Callable[[Ticket, "Committer"], None],
    ) -> None:
        super().__init__(shared, locks, index)
        self.queue: deque[Ticket] = deque()
        self.load = 0
        """The weight of the commands in the queue, and of those that are taken and not answered yet."""
        self._on_taken = on_taken
        """Called when commands leave the queue, so that there is room for others."""
        self._queue_at = queue_at
        """Puts a command into the queue of a committer, even if there is no room."""

    def _give_back(self, outcome: Outcome) -> None:
        for release in releases_of(outcome):
            self._queue_at(release, self)

    def put(self, *tickets: Ticket) -> None:
        """Queue commands."""
        if self._telemetry is not None:
            now = time.monotonic()
            for ticket in tickets:
                ticket.queued_at = now
        with self._filled:
            self.queue.extend(tickets)
            self.load += sum(ticket.weight for ticket in tickets)
            self._filled.notify()
            is_dead = self._is_dead
        if is_dead:
            self._refuse_what_is_left()

    def _left(self) -> list[Ticket]:
        left = list(self.queue)
        self.queue.clear()
        return left

    def _run(self) -> None:
        try:
            while batch := self._take():
                self._in_hand = batch
                if self._telemetry is not None:
                    self._telemetry.waited(time.monotonic() - batch[0].queued_at)
                self._on_taken(batch)
                wanted = [ticket for ticket in batch if not ticket.is_moot]
                wanted, lock_wait_ms = self._locks.let_pass(wanted)
                in_hand = self._commits.batch_of(wanted)
                self._in_hand = in_hand.tickets  # with the claims that join them
                replies = self._commits.answers(in_hand, lock_wait_ms) if wanted else ()
                with self._filled:
                    self.load -= sum(ticket.weight for ticket in batch)
                if held := self._deliver(replies):
                    self._in_hand = held
                    self._put_aside(held)
                self._in_hand = ()
        finally:
            self._writer.close()

    def _take(self) -> list[Ticket]:
        """The commands that have gathered, up to the weight of one batch. Empty: the thread has to end."""
        with self._filled:
            while not self.queue and not self._stopping:
                self._filled.wait()
            return self._shared.first_batch(self.queue)

    def _put_aside(self, held: Sequence[Ticket]) -> None:
        """Put commands aside to wait for locks, but first try renewals once more."""
        self._locks.note_held_lock()
        named: set[object] = set()
        named_by_renewals: set[object] = set()
        renewals: list[Ticket] = []
        others: list[Ticket] = []
        followers: list[Ticket] = []
        for ticket in held:
            if ticket.is_renewal and named.isdisjoint(ticket.names):
                renewals.append(ticket)
                named_by_renewals |= ticket.names
                continue
            named |= ticket.names
            if named_by_renewals.isdisjoint(ticket.names):
                others.append(ticket)
            else:
                followers.append(ticket)
                named_by_renewals |= ticket.names
        if others:
            self._locks.put_aside(others)
        if len(held) > 1 and renewals:
            renewals = self._try_apart(renewals, limits.ASIDE_LOCK_WAIT_MS, limits.RENEWAL_FAILURES_MAX)
        self._refuse([ticket for ticket in renewals if ticket.comes_again], LOCK_IS_HELD)
        if left := [*(ticket for ticket in renewals if not ticket.comes_again), *followers]:
            self._locks.put_aside(left)
