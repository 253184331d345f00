"""One write connection decides and commits batches, and every command gets an answer in every case.

What can go wrong, and what follows:
- contention: load and decide again, three tries unless they take long; then one command at a time, so that only the
  command that causes it is refused;
- a lock of another transaction: the commands that need it are not answered yet, see `aside`;
- a lost connection: reconnect with growing pauses for ten seconds, then StoreUnavailable for all, and go on later;
- a commit whose answer was lost, or whose error leaves open whether it happened: look for the batch's marker. If it is
  there, answer from the outcomes kept in memory. If it is not there, raise the error, or, after a lost connection,
  decide the batch again;
- an answer that is unclear: decide again with a new connection, four tries;
- anything else, which is a bug or corrupt data: one command at a time, so that only the one that causes it is refused.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from random import SystemRandom
from typing import Final

from msgspec.structs import replace

from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import Contention, EngineError, RetryExhausted, StoreError, StoreUnavailable
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed, OnCommit
from flowfabric.engine import limits
from flowfabric.engine.batch import Batch
from flowfabric.engine.outages import BEGIN, WRITE, Outages
from flowfabric.engine.standing_claims import StandingClaims
from flowfabric.engine.tickets import Replies, Reply, Ticket
from flowfabric.ports.errors import AnswerUnclear, CommitUnknown, ConnectionLost, LockHeld, Overtaken
from flowfabric.ports.telemetry import CommittedBatch, Telemetry, WhyAgain
from flowfabric.ports.writing import Answered, Writer

log = logging.getLogger("flowfabric.engine")

LOCK_IS_HELD: Final = "Another transaction holds what the command needs, or what one before it needs"


class CommitBooks:
    """The counts of all write connections of an engine, and the function that every commit is reported to."""

    def __init__(self, on_commit: OnCommit, telemetry: Telemetry | None = None) -> None:
        self._on_commit = on_commit
        self.telemetry = telemetry
        self.outages = Outages()
        self.ambiguous = 0
        """Commits whose answer was lost."""
        self.resolved = 0
        """How many of those commits got a certain answer afterwards."""

    def report(self, committed: Committed, took_s: float = 0.0) -> None:
        """Report the news of a commit, and how long the commit took."""
        if committed.delay_over_in_ms:
            left_ms = max(0, committed.delay_over_in_ms - int(took_s * 1000))
            committed = replace(committed, delay_over_in_ms=left_ms)
        try:
            self._on_commit(committed)
        except Exception:
            # The commit stands. Callers that were not woken poll by themselves.
            log.exception("wake-up failed")

    def count(self, telemetry: Telemetry, batch: Batch, answered: Answered) -> None:
        """Report a batch and its answers to the telemetry."""
        committed = answered.committed
        told = CommittedBatch(
            batch.envelopes,
            answered.answers,
            batch.changes,
            () if committed is None else committed.plain,
            batch.now_ms,
            time.monotonic() - batch.began_at,
            committed is None,
        )
        try:
            telemetry.committed(told)
        except Exception:
            log.exception("a batch could not be counted")  # the commit stands

    def note_new_try(self, why: WhyAgain) -> None:
        """Report that a batch is tried again."""
        if self.telemetry is not None:
            self.telemetry.tries_again(why)


class TicketBatch:
    """Commands that are tried together. Claims that wait for what these make join them, and stay for later tries."""

    def __init__(self, tickets: Iterable[Ticket], standing: StandingClaims | None) -> None:
        self.tickets = list(tickets)
        """In their order; claims that have joined come last."""
        self._standing = standing

    def take_along(self, lanes: Collection[Lane], enough: int | None = None) -> list[Envelope]:
        """Let the claims join that stand by for one of these lanes. `enough`: no more than so many executions need."""
        standing = self._standing
        joining = [ticket for ticket in standing.take(lanes, enough) if not ticket.is_cancelled] if standing else []
        self.tickets += joining
        return [ticket.envelope for ticket in joining]


class BatchCommitter:
    """Commits batches over one write connection."""

    def __init__(
        self,
        writer: Writer,
        store_name: str,
        standing: StandingClaims | None,
        books: CommitBooks,
        deliver_apart: Callable[[Replies], None],
    ) -> None:
        self._writer = writer
        self._store_name = store_name
        self._standing = standing
        """The claims that a batch may take along. None: it takes none."""
        self._books = books
        self._deliver_apart = deliver_apart
        """Delivers answers to claims that a command has taken along when it was tried alone."""

    def batch_of(self, tickets: Iterable[Ticket]) -> TicketBatch:
        """Commands that are to be tried together."""
        return TicketBatch(tickets, self._standing)

    def answers(self, batch: TicketBatch, lock_wait_ms: int | None = None) -> Replies:
        """Every command with its answer, in every case; also the claims that have joined the batch.

        LockHeld: the commands have to be tried again, because another transaction holds a lock that one of them needs.
        """
        tickets = batch.tickets
        size = len(tickets)
        for tries, pause in enumerate((*limits.CONTENTION_PAUSES_S, None), 1):
            began_at = time.monotonic()
            try:
                answers = self._commit(batch, lock_wait_ms)
            except LockHeld as error:
                # Claims that have joined found nothing, and stand by again.
                return [(ticket, LockHeld(str(error)) if place < size else []) for place, ticket in enumerate(tickets)]
            except Contention as error:
                # A try that waited so long for a lock may wait again, and all commands behind it, too. A command that
                # is alone gets a second try: the store ends sessions that have stopped while they held a lock.
                is_hopeless = time.monotonic() - began_at >= limits.LONG_TRY_S and (len(tickets) > 1 or tries > 1)
                if pause is not None and not is_hopeless:
                    self._books.note_new_try("contention")
                    time.sleep(pause * SystemRandom().uniform(0.5, 1.5))
                    continue
                if len(tickets) == 1:
                    return [(tickets[0], _gave_up_alone(error))]
            except StoreUnavailable as error:
                # Each caller gets its own exception object, because each adds its own traceback.
                return [(ticket, StoreUnavailable(str(error), is_final=error.is_final)) for ticket in tickets]
            except EngineError as error:
                if len(tickets) == 1:
                    return [(tickets[0], error)]
            except Exception as error:
                if len(tickets) == 1:
                    return [(tickets[0], _failed(tickets[0], error))]
            else:
                # Outside the block: the commands are committed, so they are not tried again if an answer is missing.
                return list(zip(tickets, answers, strict=True))
            break
        return self._one_by_one(tickets, lock_wait_ms)

    def _one_by_one(self, tickets: Iterable[Ticket], lock_wait_ms: int | None) -> Replies:
        """Try each command alone. The wait for a store that is away happens once, not once for each command.

        A command is not tried if it has to keep its order behind a command that has met a lock: the lock may be free
        by then, and the later command would overtake the earlier one.
        """
        replies: list[tuple[Ticket, Reply]] = []
        named: set[object] = set()
        is_away = False
        for ticket in tickets:
            if is_away:
                away = StoreUnavailable("The store is away. Nothing was changed; send it again later.")
                replies.append((ticket, away))
                continue
            if not named.isdisjoint(ticket.names):
                replies.append((ticket, LockHeld(LOCK_IS_HELD)))
                named |= ticket.names
                continue
            (_, answer), *joined = self.answers(self.batch_of([ticket]), lock_wait_ms)
            replies.append((ticket, answer))
            if isinstance(answer, LockHeld):
                named |= ticket.names
                lock_wait_ms = min(lock_wait_ms or limits.QUICK_LOCK_WAIT_MS, limits.QUICK_LOCK_WAIT_MS)
            self._deliver_apart(joined)
            is_away = isinstance(answer, StoreUnavailable)
        return replies

    def _commit(self, batch: TicketBatch, lock_wait_ms: int | None) -> list[Reply]:
        """Decide and commit the batch once, with a new connection whenever one is lost."""
        books = self._books
        give_up_at = time.monotonic() + limits.RECONNECT_S_MAX
        pauses = _growing_pauses()
        tried: Batch | None = None
        doubt: CommitUnknown | None = None  # why it is unknown whether the last try was committed
        times_overtaken = times_unclear = 0
        while True:
            try:
                if doubt is not None:
                    assert tried is not None
                    has_happened = self._settled(tried.batch_id)
                    settled, doubt = doubt, None
                    books.resolved += 1
                    if has_happened:
                        return self._answers_of(tried, tried.prepared)
                    if settled.meaning is not None:
                        raise settled.meaning
                    if time.monotonic() >= give_up_at:
                        raise StoreUnavailable(_gave_up(settled, in_doubt=False))
                tried = Batch(
                    [ticket.envelope for ticket in batch.tickets],
                    self._store_name,
                    lock_wait_ms=lock_wait_ms,
                    take_along=batch.take_along if self._standing else None,
                    is_told=books.telemetry is not None,
                )
                return self._answers_of(tried, self._writer.run(tried), tried.since_decided_s)
            except Overtaken:
                # No lock was held and nothing failed, so the batch is decided again at once; but not for ever.
                if times_overtaken == limits.OVERTAKEN_MAX:
                    raise
                times_overtaken += 1
                books.note_new_try("overtaken")
            except CommitUnknown as error:
                doubt = error
                books.ambiguous += 1
                if books.telemetry is not None:
                    books.telemetry.in_doubt()
                books.outages.noticed(WRITE, error)
                # A disk may fail every commit and still be readable, so without a pause this loop would spin.
                time.sleep(next(pauses))
            except ConnectionLost as error:
                books.outages.noticed(_doing(tried), error)
                if time.monotonic() >= give_up_at:
                    raise StoreUnavailable(_gave_up(error, in_doubt=doubt is not None)) from error
                books.note_new_try("connection")
                time.sleep(next(pauses))
                if doubt is None:
                    self._reconnect_quietly()
            except AnswerUnclear as error:
                if times_unclear == limits.UNCLEAR_MAX:
                    raise StoreError(str(error)) from error
                times_unclear += 1
                books.note_new_try("connection")
                log.warning("the answer of the store was unclear; trying again with a new connection: %s", error)
                self._reconnect_quietly()
            except StoreUnavailable as error:
                if not error.is_final:
                    books.outages.noticed(_doing(tried), error)
                raise

    def _answers_of(self, batch: Batch, answered: Answered | None, since_decided_s: float = 0.0) -> list[Reply]:
        """Report the news of a batch that is done, then return its answers."""
        assert answered is not None
        if self._books.telemetry is not None:
            self._books.count(self._books.telemetry, batch, answered)
        if answered.committed is None:
            self._books.outages.over(BEGIN)
        else:
            self._books.outages.over(WRITE)
            self._books.report(answered.committed, since_decided_s)
        return list(answered.answers)

    def _settled(self, batch_id: bytes) -> bool:
        """Whether a batch whose answer was lost was committed. Nothing is decided again before this is known."""
        try:
            self._writer.reconnect()
            return self._writer.was_committed(batch_id)
        except ConnectionLost:
            raise
        except Exception as error:
            log.exception("cannot find out whether a batch was committed")
            raise StoreUnavailable(_gave_up(error, in_doubt=True)) from error

    def _reconnect_quietly(self) -> None:
        try:
            self._writer.reconnect()
        except ConnectionLost:
            log.debug("the store is still away")


def _growing_pauses() -> Iterator[float]:
    pause_s, pause_s_max = limits.RECONNECT_PAUSE_S
    while True:
        yield pause_s * SystemRandom().uniform(0.5, 1.5)
        pause_s = min(pause_s * 2, pause_s_max)


def _doing(tried: Batch | None) -> str:
    """What failed: to reach the store, or to write to it."""
    return WRITE if tried is not None and tried.has_begun else BEGIN


def _gave_up_alone(error: Contention) -> RetryExhausted:
    return RetryExhausted(
        f"The command met contention again and again, or for long ({error}), and changed nothing. Send it again."
    )


def _failed(ticket: Ticket, error: Exception) -> StoreError:
    name = type(ticket.envelope.command).__name__
    log.error("%s failed, because of a bug in flowfabric: %r", name, error, exc_info=error, extra={"command": name})
    failure = StoreError(
        f"{name} failed inside the engine and changed nothing: {error!r}. "
        "This is a bug in flowfabric; please report it with the log."
    )
    failure.__cause__ = error
    return failure


def _gave_up(error: Exception, *, in_doubt: bool) -> str:
    doubt = (
        " The last commit may have happened: read before you send it again, or send with a command_id."
        if in_doubt
        else " Nothing was changed; send it again later."
    )
    return f"The store could not be reached for {limits.RECONNECT_S_MAX:.0f} s ({error}).{doubt}"
