"""Commands wait here for records that another transaction has locked, so that other commands need not wait.

A store waits for a lock only for a moment. Then it raises LockHeld, and the batch has changed nothing. The committer
tries renewals once more, in halves and for a moment, and puts the other commands of the batch aside. There a thread
with its own connection tries them, again in halves, until each command is done or is known to wait for a lock. So the
committer loses one moment, and the other commands of the batch lose a second one.

Commands that wait are tried again and again. Some of them are tried together. One at a time waits in the database's
queue for its lock, so that it gets a lock that many transactions take in turn. A command waits for LOCK_PATIENCE_S at
most, counted from when it was put aside; then it gets RetryExhausted. Later commands that name the same execution,
flow, idempotency key or command id wait behind it, so their order is kept; other commands do not wait. Commands that
their senders repeat anyway (renewals of many leases, and the commands of schedulers and reconcilers) get RetryExhausted
at once, so that their senders can go on with other work.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence

from flowfabric.domain.errors import StoreError
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine import limits
from flowfabric.engine.committer import CommitServices, CommitThread
from flowfabric.engine.committing import LOCK_IS_HELD
from flowfabric.engine.tickets import Replies, Ticket, releases_of, split_followers
from flowfabric.ports.errors import LockHeld

log = logging.getLogger("flowfabric.engine")


class HeldLocks:
    """What the committers know about locks of other transactions, and the commands that wait for these locks."""

    def __init__(self, shared: CommitServices) -> None:
        self._shared = shared
        self._lock = threading.Lock()
        self._aside: Aside | None = None
        """It is made when the first command has to wait."""
        self._expected_until = 0.0

    @property
    def waiting(self) -> int:
        """How many commands wait."""
        return 0 if self._aside is None else len(self._aside.waiting)

    def let_pass(self, batch: list[Ticket]) -> tuple[list[Ticket], int | None]:
        """The commands of a batch that need not wait behind others, and how many milliseconds they wait for locks."""
        aside = self._aside
        if aside is not None and aside.waiting:
            return aside.let_pass(batch), limits.QUICK_LOCK_WAIT_MS
        return batch, limits.QUICK_LOCK_WAIT_MS if time.monotonic() < self._expected_until else None

    def note_held_lock(self) -> None:
        """A committer has met a lock, so for a while all committers wait only for a moment for locks."""
        self._expected_until = time.monotonic() + limits.LOCKS_ARE_HELD_S

    def put_aside(self, tickets: Sequence[Ticket]) -> None:
        """Let commands wait that need a lock of another transaction."""
        with self._lock:
            if self._aside is None:
                self._aside = Aside(self._shared, self)
                self._aside.start()
        self._aside.put(*tickets)

    def close(self) -> None:
        """Finish the commands that wait, then stop."""
        if self._aside is not None:
            self._aside.stop()


class Aside(CommitThread):
    """Tries commands again and again until they get their locks, or have waited long enough."""

    def __init__(self, shared: CommitServices, locks: HeldLocks) -> None:
        super().__init__(shared, locks, "aside")
        self.waiting: dict[Ticket, float] = {}
        """The commands in order of arrival, each with the time at which it has waited long enough."""
        self._known: dict[Ticket, None] = {}
        """Commands that are known to need a held lock, and that do not wait behind another command. The one that was
        tried last is at the end."""

    def put(self, *tickets: Ticket) -> None:
        """Let commands wait."""
        enough_at = time.monotonic() + limits.LOCK_PATIENCE_S
        refused: list[Ticket] = []
        with self._filled:
            weight = sum(ticket.weight for ticket in self.waiting)
            for ticket in tickets:
                weight += ticket.weight
                if self.waiting and weight > limits.ASIDE_WEIGHT_MAX:
                    refused.append(ticket)
                else:
                    self.waiting[ticket] = enough_at
            self._filled.notify()
            is_dead = self._is_dead
        self._refuse(refused, "Too many commands wait for what other transactions hold")
        if is_dead:
            self._refuse_what_is_left()

    def _give_back(self, outcome: Outcome) -> None:
        self.put(*releases_of(outcome))

    def let_pass(self, tickets: Sequence[Ticket]) -> list[Ticket]:
        """The new commands that need not wait behind a command here. The other new commands wait here, too."""
        with self._filled:
            free, followers = split_followers(tickets, self.waiting)
        self.put(*(ticket for ticket in followers if not ticket.comes_again))
        self._refuse([ticket for ticket in followers if ticket.comes_again], LOCK_IS_HELD)
        return free

    def _run(self) -> None:
        try:
            while self._is_needed():
                try:
                    self._try_all()
                except Exception as error:
                    log.exception("commands that wait for locks could not be tried")
                    self._give_up(error)
        finally:
            self._writer.close()

    def _left(self) -> list[Ticket]:
        left = list(self.waiting)
        self.waiting.clear()
        self._known.clear()
        return left

    def _give_up(self, error: Exception) -> None:
        """Refuse all commands that wait: otherwise they would wait for ever."""
        with self._filled:
            everyone = list(self.waiting)
        self._leave(everyone)
        for ticket in everyone:
            failure = StoreError(
                f"The command waited for what another transaction holds, and the engine failed meanwhile: {error!r}. "
                "Nothing was changed. This is a bug in flowfabric; please report it with the log."
            )
            failure.__cause__ = error
            try:
                self._shared.delivery.deliver([(ticket, failure)])
            except Exception:
                log.exception("a command could not be refused")

    def _is_needed(self) -> bool:
        """Wait until a command waits here. False: the thread has to end."""
        with self._filled:
            while not self.waiting and not self._stopping:
                if not self._filled.wait(limits.IDLE_CONNECTION_S) and not self.waiting:
                    self._close_quietly()
            return bool(self.waiting)

    def _close_quietly(self) -> None:
        try:
            self._writer.close()
        except Exception:
            log.exception("an idle connection could not be closed")

    def _try_all(self) -> None:
        """Try all new commands, then some that have waited before, then one of these in the queue of its lock."""
        now = time.monotonic()
        with self._filled:
            everyone = dict(self.waiting)
        gone = [ticket for ticket in everyone if ticket.is_moot]
        done = [ticket for ticket, enough_at in everyone.items() if enough_at <= now and ticket not in gone]
        self._leave([*gone, *done])
        self._refuse(done, f"The command waited {limits.LOCK_PATIENCE_S:g} s for what another transaction holds")
        new = [ticket for ticket in everyone if ticket in self.waiting and ticket not in self._known]
        free, followers = split_followers(new, self._known)
        went = self._send_back(followers) + self._try(free, limits.ASIDE_LOCK_WAIT_MS)
        if len(self._known) > 1:
            went += self._try(list(self._known)[: limits.TRIED_AT_ONCE], limits.ASIDE_LOCK_WAIT_MS)
        if self._known and not went and not self._try(list(self._known)[:1], limits.QUEUED_LOCK_WAIT_MS):
            time.sleep(limits.CONTENTION_PAUSES_S[0])

    def _try(self, tickets: Sequence[Ticket], lock_wait_ms: int) -> int:
        """Try commands in as few batches as possible. Returns how many of them are done."""
        left = deque(tickets)
        held: list[Ticket] = []
        while left:
            batch, followers = split_followers(self._shared.first_batch(left), held)
            held += followers
            if batch:
                held += self._try_apart(batch, lock_wait_ms)
        self.put(*(ticket for ticket in held if ticket not in self.waiting))  # claims that were taken along
        named: set[object] = set()
        for ticket in held:
            if ticket in self.waiting and named.isdisjoint(ticket.names):
                self._known.pop(ticket, None)
                self._known[ticket] = None
            named |= ticket.names
        return len(set(tickets).difference(held)) + self._send_back(held)

    def _deliver(self, replies: Replies) -> list[Ticket]:
        """Deliver answers as every committer does. An answered command leaves first: a claim may come back at once."""
        self._leave([ticket for ticket, reply in replies if not isinstance(reply, LockHeld)])
        return super()._deliver(replies)

    def _send_back(self, held: Sequence[Ticket]) -> int:
        """Refuse commands that their senders repeat anyway. Returns how many."""
        refused = [ticket for ticket in held if ticket.comes_again]
        self._leave(refused)
        self._refuse(refused, LOCK_IS_HELD)
        return len(refused)

    def _leave(self, tickets: Sequence[Ticket]) -> None:
        with self._filled:
            for ticket in tickets:
                self.waiting.pop(ticket, None)
                self._known.pop(ticket, None)
