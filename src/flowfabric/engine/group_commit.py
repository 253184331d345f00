"""Commands gather while a commit is under way, and the next one takes them all.

Each committer thread owns one write connection: it takes what has gathered, opens one transaction, decides each
command in arrival order, commits once, then answers every caller. There is no artificial delay.

What can go wrong, and what follows:
- contention: reload and decide again, three tries unless they take long; then one command at a time, so only the
  culprit is told;
- a lock that somebody else's transaction holds: see below;
- a lost connection: reconnect with back-off for ten seconds, then StoreUnavailable for all, and go on later;
- a commit whose answer was lost, or that ended with an error by which the store does not say for certain that it did
  not happen: look for the batch's marker, and answer from the outcomes kept in memory. If there is no marker, the error
  means what it says; after a lost connection, the batch is decided again;
- anything else, which is a bug or corrupt data: one command at a time, so only the culprit is told;
- a committer that ends although nobody has closed the engine: everyone who waits is told, and so is everyone who comes.

Who needs what somebody else's transaction holds waits for it, and nobody else does. A store waits for a lock only for a
moment, then it raises LockHeld, and the batch is as if it had never been. The committer tries renewals once more, in
halves and for a moment, and puts the other commands of the batch aside: a thread of its own tries them on a connection
of its own, again in halves, until each has gone or is known to wait. So the committer loses a moment, and neighbours
another one.

What waits aside is tried again and again, some of it at once and one in turn in the queue of its lock, so that a lock
which is busy rather than forgotten is had in the end. It waits for LOCK_PATIENCE_S at most, counted from when it was
put aside; then it gets RetryExhausted. Later commands that name the same execution, flow, idempotency key or command id
are put behind it, so their order is kept; others pass. Commands that come again by themselves (renewals of many leases,
and what schedulers and reconcilers send) are answered RetryExhausted at once, so that their senders can go on with the
rest.
"""

import asyncio
import logging
import os
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Final
from zlib import crc32

from msgspec.structs import replace

from flowfabric.domain.commands import (
    AddExecution,
    AnyCommand,
    Claim,
    Complete,
    CreateExecution,
    CreateExecutions,
    Delay,
    Envelope,
    Fail,
    FireSchedule,
    ForgetAnswer,
    ForgetIdempotencyKey,
    ForgetOverdueAck,
    ForgetWorker,
    HandleDue,
    PurgeFlow,
    RecordStep,
    Release,
    Renew,
    RenewAll,
    RepairSideRows,
    SettleGroup,
    SubmitFlow,
    executions_named_by,
    flow_named_by,
)
from flowfabric.domain.decide import company_of, needs
from flowfabric.domain.errors import (
    Contention,
    EngineError,
    RetryExhausted,
    StoreError,
    StoreUnavailable,
)
from flowfabric.domain.ids import parse_execution_id
from flowfabric.domain.lease import Fence
from flowfabric.domain.outcomes import Claimed, Outcome
from flowfabric.engine.batch import Batch
from flowfabric.engine.outages import BEGIN, WRITE, Outages
from flowfabric.engine.standing_claims import StandingClaims
from flowfabric.ports import (
    Answered,
    Committed,
    CommitUnknown,
    ConnectionLost,
    Lane,
    LockHeld,
    OnCommit,
    Overtaken,
    Store,
    Writer,
    for_callers,
)

log = logging.getLogger("flowfabric.engine")

BATCH_WEIGHT_MAX: Final = 500
"""How many executions one batch touches at most; a single larger command is a batch of its own."""
QUEUE_WEIGHT_MAX: Final = 10_000
"""How much may wait for the committers before callers have to wait with it."""
BYTES_PER_WEIGHT: Final = 8192
"""Payloads count too, so that the queue is bounded in memory and not only in number."""
CONTENTION_PAUSES_S: Final = (0.005, 0.010)
LOCK_PATIENCE_S: Final = 15.0
"""How long a command waits for what somebody else's transaction holds."""
QUICK_LOCK_WAIT_MS: Final = 20
"""How long a committer waits for a lock while it is known that somebody holds some."""
ASIDE_LOCK_WAIT_MS: Final = 2
"""How long those who wait aside do so when they are tried out of turn."""
QUEUED_LOCK_WAIT_MS: Final = 250
"""How long one command at a time stays in the queue of its lock."""
LOCKS_ARE_HELD_S: Final = 2.0
"""How long all committers reckon with locks after one of them has met one."""
RENEWALS_APART_S: Final = 0.1
"""How long a committer tries renewals apart after their batch has met a lock, while everyone else waits for it."""
TRIED_AT_ONCE: Final = 8
"""How many of those who wait aside are tried again together."""
ASIDE_WEIGHT_MAX: Final = 5_000
"""How much may wait aside. More is refused, because everyone would have to wait for room otherwise."""
IDLE_CONNECTION_S: Final = 10.0
"""How long the connection of those who wait aside is kept when nobody does."""
LONG_TRY_S: Final = 1.0
"""A try that met contention only after so long is not repeated in company, and once alone."""
OVERTAKEN_MAX: Final = 10
"""How often a batch is decided again at once. Where many renew one idempotency key, another is often faster."""
RECONNECT_S_MAX: Final = 10.0
RECONNECT_PAUSE_S: Final = (0.05, 1.0)

COME_AGAIN: Final = (
    FireSchedule,
    ForgetAnswer,
    ForgetIdempotencyKey,
    ForgetOverdueAck,
    ForgetWorker,
    HandleDue,
    PurgeFlow,
    RenewAll,
    RepairSideRows,
    SettleGroup,
)
"""What reconcilers, schedulers and the keepers of leases send."""
LOCK_IS_HELD: Final = "Another transaction holds what the command needs, or what one before it needs"

Answer = Outcome | EngineError
AnyFuture = asyncio.Future[Outcome] | Future[Outcome]
Heard = tuple[asyncio.Future[Outcome], Answer]
"""Who hears what."""


class Group:
    """Commands of one caller on an event loop, who waits for all answers together."""

    __slots__ = ("_answers", "_left", "all_answers", "loop")

    def __init__(self, size: int, loop: asyncio.AbstractEventLoop) -> None:
        self._answers: list[Answer] = [[]] * size
        self._left = size
        self.loop = loop
        self.all_answers: asyncio.Future[list[Answer]] = loop.create_future()

    def take(self, found: Sequence[tuple[int, Answer]]) -> None:
        """Some answers are there, each with its place. On the caller's loop."""
        for place, answer in found:
            self._answers[place] = answer
        self._left -= len(found)
        if not self._left and not self.all_answers.done():
            self.all_answers.set_result(self._answers)


class Ticket:
    """A command on its way, and who waits for its answer: an event loop's future, a thread's, a group, or nobody."""

    __slots__ = ("_names", "envelope", "future", "group", "lanes", "loop", "place", "weight")

    def __init__(
        self,
        envelope: Envelope,
        future: AnyFuture | None = None,
        loop: asyncio.AbstractEventLoop | None = None,
        lanes: Collection[Lane] = (),
        group: Group | None = None,
        place: int = 0,
    ) -> None:
        self.envelope = envelope
        self.future = future
        self.loop = loop
        self.weight = weight_of(envelope.command)
        self.lanes = lanes
        """Of a claim that waits: for what."""
        self.group = group
        self.place = place
        self._names: frozenset[object] | None = None

    @property
    def names(self) -> frozenset[object]:
        """What later commands may not overtake it on, if they name it, too."""
        if self._names is None:
            wanted = needs([self.envelope])
            self._names = frozenset[object]().union(
                wanted.executions, wanted.flows, wanted.idempotency_keys, wanted.answers
            )
        return self._names


class GroupCommit:
    """Takes commands from any thread and any event loop, and answers each after its batch has committed."""

    def __init__(self, store: Store, on_commit: OnCommit) -> None:
        self._store = store
        self._on_commit = on_commit
        self._pid = os.getpid()
        self._room = threading.Condition()
        self._waiting_for_room: deque[Callable[[], None]] = deque()
        self._weight = 0
        self._closing = False
        self._death: str | None = None
        """What happened to a committer that has ended by itself."""
        self.standing = StandingClaims()
        with for_callers():
            self._committers = [Committer(self, store.writer(), index) for index in range(store.committers)]
        self.aside: Aside | None = None
        """Where commands wait for locks, once one had to."""
        self.locks_are_held_until = 0.0
        """Until when committers reckon with locks."""
        self.ambiguous = 0
        """Commits whose answer was lost."""
        self.resolved = 0
        """Of those, how many were answered for certain afterwards."""
        self.outages = Outages()

    @property
    def store(self) -> Store:
        """Where the records rest."""
        return self._store

    def start(self) -> None:
        """Let the committers run."""
        for committer in self._committers:
            committer.start()

    def close(self) -> None:
        """Commit what has gathered, then stop. Later commands are refused."""
        with self._room:
            self._closing = True
            waiting = list(self._waiting_for_room)
            self._waiting_for_room.clear()
            self._room.notify_all()
        for wake in waiting:
            wake()
        for committer in self._committers:
            committer.stop()
        if self.aside is not None:
            self.aside.stop()
        standing = list(self.standing.end())
        self.deliver(standing, [closed() for _ in standing])

    # ── from callers ─────────────────────────────────────────────────────────────────────────────

    def submit(self, ticket: Ticket, *, when_room: Callable[[], None] | None = None) -> bool:
        """Queue a command. False: there is no room, and `when_room` is called once there may be."""
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

    def _has_room(self, weight: int, when_room: Callable[[], None] | None) -> bool:
        self.check_usable()  # under the lock, too: what is queued after `close` would never be answered
        if self._weight and self._weight + weight > QUEUE_WEIGHT_MAX:
            if when_room is not None:
                self._waiting_for_room.append(when_room)
            return False
        return True

    def _queue(self, ticket: Ticket) -> None:
        with self._room:
            self._weight += ticket.weight
            self._committer_for(ticket.envelope.command).put(ticket)

    @contextmanager
    def waiting(self, ticket: Ticket) -> Iterator[None]:
        """While the block lasts, a claim that finds nothing is not answered, and waits."""
        self.check_usable()
        self.standing.enter(ticket)
        try:
            yield
        finally:
            self.standing.leave(ticket)

    def look_again(self, ticket: Ticket) -> None:
        """There may be work for a claim that waits. From any thread."""
        with self._room:
            if self._is_open and self.standing.call(ticket):
                self._queue(ticket)

    def look_once_more(self, ticket: Ticket) -> None:
        """Let a claim wait no longer: it is answered with what it finds now."""
        with self._room:
            if self._is_open and self.standing.leave(ticket):
                self._queue(ticket)

    @property
    def _is_open(self) -> bool:
        return not self._closing and self._death is None

    def submit_blocking(self, ticket: Ticket) -> None:
        """Queue a command, waiting for room if there is none."""
        while not self.submit(ticket):
            with self._room:
                self._room.wait(timeout=0.1)

    def execute_all(self, batch: Sequence[Envelope]) -> list[Answer]:
        """Send commands and wait for all answers."""
        futures: list[Future[Outcome]] = []
        for envelope in batch:
            future: Future[Outcome] = Future()
            self.submit_blocking(Ticket(envelope, future))
            futures.append(future)
        answers: list[Answer] = []
        for future in futures:
            try:
                answers.append(future.result())
            except EngineError as refusal:
                answers.append(refusal)
        return answers

    def give_back(self, outcome: Outcome) -> None:
        """Release what was claimed for a caller who has gone away."""
        if not isinstance(outcome, list):
            return
        for claimed in outcome:
            if isinstance(claimed, Claimed):
                lease = claimed.lease
                fence = Fence(
                    parse_execution_id(lease.execution_id), lease.attempt_index, lease.lease_epoch, lease.lease_id
                )
                self._queue(Ticket(Envelope(Release(fence))))

    def check_usable(self) -> None:
        """Raise if this is another process than the one that opened the engine, or if the engine is closed."""
        if os.getpid() != self._pid:
            raise StoreError(
                f"This engine was opened in process {self._pid} and is used in process {os.getpid()}, after a fork. "
                "Open an engine of its own in the child process."
            )
        if self._death is not None:
            raise StoreUnavailable(self._death, is_final=True)
        if self._closing:
            raise closed()

    def died(self, error: BaseException) -> None:
        """Told by a committer that ends by itself: from now on every caller is refused, and nobody waits any longer."""
        with self._room:
            self._death = (
                f"A thread that commits has ended ({error!r}), so this engine can write nothing any more. "
                "Restart the process. This is a bug in flowfabric; please report it with the log."
            )
            waiting = list(self._waiting_for_room)
            self._waiting_for_room.clear()
            self._room.notify_all()
            standing = list(self.standing.end())
        for wake in waiting:
            wake()
        self.deliver(standing, [StoreUnavailable(self._death, is_final=True) for _ in standing])

    def _committer_for(self, command: AnyCommand) -> "Committer":
        """Commands of one execution always go to the same committer, so their order is kept; claims go to either."""
        if len(self._committers) == 1:
            return self._committers[0]
        key = route_key(command)
        if key is None:
            return min(self._committers, key=lambda committer: len(committer.queue))
        return self._committers[crc32(key.encode()) % len(self._committers)]

    def made_room(self, weight: int) -> None:
        """Told by a committer when it has taken commands."""
        with self._room:
            self._weight -= weight
            self._room.notify_all()
            waiting = list(self._waiting_for_room)
            self._waiting_for_room.clear()
        for wake in waiting:
            wake()

    def put_aside(self, tickets: Sequence[Ticket]) -> None:
        """Told by a committer of commands that need what somebody else holds."""
        with self._room:
            if self.aside is None:
                self.aside = Aside(self)
                self.aside.start()
        self.aside.put(*tickets)

    def tell(self, committed: Committed, took_s: float = 0.0) -> None:
        """Told by a committer after each commit, which took so long."""
        if committed.delay_over_in_ms:
            left_ms = max(0, committed.delay_over_in_ms - int(took_s * 1000))
            committed = replace(committed, delay_over_in_ms=left_ms)
        try:
            self._on_commit(committed)
        except Exception:
            # What is committed stays committed; whoever was not woken looks again by itself.
            log.exception("wake-up failed")

    # ── answers ──────────────────────────────────────────────────────────────────────────────────

    def deliver(self, batch: Sequence[Ticket], answers: Sequence[Answer]) -> None:
        """Give every caller its answer; one wake-up per event loop, not per caller."""
        by_loop: dict[asyncio.AbstractEventLoop, tuple[list[Heard], list[Heard]]] = {}
        by_group: dict[Group, list[tuple[int, Answer]]] = {}
        for ticket, answer in zip(batch, answers, strict=True):
            if ticket.lanes and answer == [] and self._stands_by(ticket):
                continue
            future = ticket.future
            if isinstance(future, Future):
                if future.set_running_or_notify_cancel():
                    _resolve(future, answer)
                elif not isinstance(answer, EngineError):
                    self.give_back(answer)
            elif future is not None and ticket.loop is not None:
                first, then = by_loop.setdefault(ticket.loop, ([], []))
                (first if ticket.lanes else then).append((future, answer))
            elif ticket.group is not None:
                by_group.setdefault(ticket.group, []).append((ticket.place, answer))
        for group, found in by_group.items():
            with suppress(RuntimeError):  # the loop is closed: everyone on it has gone away
                group.loop.call_soon_threadsafe(group.take, found)
        for loop, (first, then) in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._resolve_all, loop, first, then)
            except RuntimeError:  # the loop is closed: everyone on it has gone away
                for _, answer in (*first, *then):
                    if not isinstance(answer, EngineError):
                        self.give_back(answer)

    def _stands_by(self, ticket: Ticket) -> bool:
        """Whether a claim that found nothing goes on waiting."""
        with self._room:
            stands = self.standing.stand_by(ticket) if self._is_open else None
            if stands is False:
                self._queue(ticket)
        return stands is not None

    def _resolve_all(self, loop: asyncio.AbstractEventLoop, first: Sequence[Heard], then: Sequence[Heard]) -> None:
        """On the loop. Whoever has waited for work begins with it before the others go on."""
        for future, answer in first or then:
            if not future.done():
                _resolve(future, answer)
            elif not isinstance(answer, EngineError):
                self.give_back(answer)
        if first and then:
            loop.call_soon(self._resolve_all, loop, then, ())


class Committer:
    """One thread, one write connection."""

    def __init__(self, owner: GroupCommit, writer: Writer, name: int | str) -> None:
        self.queue: deque[Ticket] = deque()
        self._owner = owner
        self._writer = writer
        self._filled = threading.Condition()
        self._stopping = False
        self._in_hand: Sequence[Ticket] = ()
        """What was taken from the queue, and is not answered yet."""
        self._is_dead = False
        self._thread = threading.Thread(target=self._live, name=f"flowfabric-committer-{name}", daemon=True)

    def start(self) -> None:
        """Begin to commit."""
        self._thread.start()

    def stop(self) -> None:
        """Commit what is queued, then give the connection back."""
        with self._filled:
            self._stopping = True
            self._filled.notify()
        if self._thread.is_alive():
            self._thread.join()

    def put(self, *tickets: Ticket) -> None:
        """Queue commands."""
        with self._filled:
            self.queue.extend(tickets)
            self._filled.notify()
            is_dead = self._is_dead
        if is_dead:
            self._refuse_what_is_left()

    def _live(self) -> None:
        try:
            self._run()
        except BaseException as error:
            log.critical("a committer has ended; this process can write nothing any more", exc_info=error)
            self._owner.died(error)
            with self._filled:
                self._is_dead = True
            self._refuse_what_is_left()

    def _refuse_what_is_left(self) -> None:
        """Tell everyone who waits for this committer that it is gone."""
        with self._filled:
            begun, left = self._in_hand, self._left()
            self._in_hand = ()
        for ticket in (*begun, *left):
            doubt = " Your command may have happened." if ticket in begun else " Your command was not begun."
            failure = StoreUnavailable(f"A thread that commits has ended.{doubt} Restart the process.", is_final=True)
            try:
                self._owner.deliver([ticket], [failure])
            except Exception:
                log.exception("a command could not be refused")

    def _left(self) -> list[Ticket]:
        """Take all that is queued."""
        left = list(self.queue)
        self.queue.clear()
        return left

    def _run(self) -> None:
        try:
            while batch := self._take():
                self._in_hand = batch
                self._owner.made_room(sum(ticket.weight for ticket in batch))
                wanted = [ticket for ticket in batch if not _is_moot(ticket)]
                wanted, lock_wait_ms = self._beside(self._owner.aside, wanted)
                self._in_hand = wanted
                if wanted and (held := self._deliver(wanted, self._answer(wanted, lock_wait_ms))):
                    self._in_hand = held
                    self._put_aside(held)
                self._in_hand = ()
        finally:
            self._writer.close()

    def _beside(self, aside: "Aside | None", batch: list[Ticket]) -> tuple[list[Ticket], int | None]:
        """What of a batch need not wait for those who wait aside, and how long it waits for locks."""
        if aside is not None and aside.waiting:
            return aside.let_pass(batch), QUICK_LOCK_WAIT_MS
        return batch, QUICK_LOCK_WAIT_MS if time.monotonic() < self._owner.locks_are_held_until else None

    def _deliver(self, batch: Sequence[Ticket], answers: Sequence[Answer]) -> list[Ticket]:
        """Give out answers, except to those who need what somebody else holds: who these are."""
        held = [ticket for ticket, answer in zip(batch, answers, strict=True) if isinstance(answer, LockHeld)]
        if held:
            done = [pair for pair in zip(batch, answers, strict=True) if not isinstance(pair[1], LockHeld)]
            batch, answers = [ticket for ticket, _ in done], [answer for _, answer in done]
        self._owner.deliver(batch, answers)
        return held

    def _put_aside(self, held: Sequence[Ticket]) -> None:
        """Let commands wait elsewhere; but first renew what can be renewed."""
        now = time.monotonic()
        self._owner.locks_are_held_until = now + LOCKS_ARE_HELD_S
        named: set[object] = set()
        named_by_renewals: set[object] = set()
        renewals: list[Ticket] = []
        others: list[Ticket] = []
        followers: list[Ticket] = []
        for ticket in held:
            if isinstance(ticket.envelope.command, (Renew, RenewAll)) and named.isdisjoint(ticket.names):
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
            self._owner.put_aside(others)
        if len(held) > 1 and renewals:
            renewals = self._try_apart(renewals, ASIDE_LOCK_WAIT_MS, now + RENEWALS_APART_S)
        self._refuse([ticket for ticket in renewals if _comes_again(ticket)], LOCK_IS_HELD)
        if left := [*(ticket for ticket in renewals if not _comes_again(ticket)), *followers]:
            self._owner.put_aside(left)

    def _refuse(self, tickets: Sequence[Ticket], why: str) -> None:
        answers = [RetryExhausted(f"{why}, and nothing was changed. Send it again.") for _ in tickets]
        self._owner.deliver(tickets, answers)

    def _try_apart(self, tickets: Sequence[Ticket], lock_wait_ms: int, enough_at: float = float("inf")) -> list[Ticket]:
        """Try commands together, in halves where that fails, and so on, until it has taken long enough.

        Left over is who needs what somebody holds, and who was not tried any more.
        """
        if time.monotonic() >= enough_at:
            return list(tickets)
        batch = list(tickets)
        held = self._deliver(batch, self._answer(batch, lock_wait_ms))
        if len(tickets) == 1 or held != list(tickets):
            return held  # each command was tried alone, and so was each claim that was taken along
        middle = len(tickets) // 2
        held = self._try_apart(tickets[:middle], lock_wait_ms, enough_at)
        free, followers = _parted(tickets[middle:], held)
        return [*held, *followers, *(self._try_apart(free, lock_wait_ms, enough_at) if free else ())]

    def _take(self) -> list[Ticket]:
        """What has gathered, up to the weight of one batch. Empty only at the end."""
        with self._filled:
            while not self.queue and not self._stopping:
                self._filled.wait()
            return _first_batch(self.queue)

    def _answer(self, batch: list[Ticket], lock_wait_ms: int | None = None) -> list[Answer]:
        """Every command's answer, whatever happens. Standing claims that are taken along are added to the batch.

        LockHeld is the answer of those who are still to be tried, because somebody holds what one of them needs.
        """
        size = len(batch)
        for tries, pause in enumerate((*CONTENTION_PAUSES_S, None), 1):
            began_at = time.monotonic()
            try:
                return self._commit(batch, lock_wait_ms)
            except LockHeld as error:
                # Claims that were taken along have found nothing, and stand by again.
                return [*(LockHeld(str(error)) for _ in batch[:size]), *([] for _ in batch[size:])]
            except Contention as error:
                # Whoever has waited for a lock for so long may do so again, and everyone behind it with it. Alone it
                # gets a second try: the store ends sessions that have stopped with a lock in their hands.
                is_hopeless = time.monotonic() - began_at >= LONG_TRY_S and (len(batch) > 1 or tries > 1)
                if pause is not None and not is_hopeless:
                    time.sleep(pause * random.uniform(0.5, 1.5))
                    continue
                if len(batch) == 1:
                    return [
                        RetryExhausted(
                            f"The command met contention again and again, or for long ({error}), and changed nothing. "
                            "Send it again."
                        )
                    ]
            except StoreUnavailable as error:
                # One exception object per caller: each of them gets a traceback of its own.
                return [StoreUnavailable(str(error), is_final=error.is_final) for _ in batch]
            except EngineError as error:
                if len(batch) == 1:
                    return [error]
            except Exception as error:
                if len(batch) == 1:
                    name = type(batch[0].envelope.command).__name__
                    log.exception("%s failed, because of a bug in flowfabric: %r", name, error, extra={"command": name})
                    failure = StoreError(
                        f"{name} failed inside the engine and changed nothing: {error!r}. "
                        "This is a bug in flowfabric; please report it with the log."
                    )
                    failure.__cause__ = error
                    return [failure]
            break
        return self._one_by_one(batch, lock_wait_ms)

    def _one_by_one(self, batch: Sequence[Ticket], lock_wait_ms: int | None) -> list[Answer]:
        """Every command's answer for itself; a store that is away is waited for once, not once for each.

        Who follows a command that has met a lock is not tried: the lock may be free by then, and it would overtake.
        """
        answers: list[Answer] = []
        named: set[object] = set()
        for ticket in batch:
            alone = [ticket]
            is_free = named.isdisjoint(ticket.names)
            answer, *others = self._answer(alone, lock_wait_ms) if is_free else [LockHeld(LOCK_IS_HELD)]
            answers.append(answer)
            if isinstance(answer, LockHeld):
                named |= ticket.names
                lock_wait_ms = min(lock_wait_ms or QUICK_LOCK_WAIT_MS, QUICK_LOCK_WAIT_MS)
            if held := self._deliver(alone[1:], others):
                self._owner.put_aside(held)
            if isinstance(answer, StoreUnavailable):
                break
        untried = len(batch) - len(answers)
        return answers + [
            StoreUnavailable("The store is away. Nothing was changed; send it again later.") for _ in range(untried)
        ]

    def _commit(self, batch: list[Ticket], lock_wait_ms: int | None) -> list[Answer]:
        """Decide and commit the batch once, through as many connections as it takes."""

        def taken_along(lanes: Collection[Lane]) -> list[Envelope]:
            tickets = [ticket for ticket in self._owner.standing.take(lanes) if not _is_cancelled(ticket)]
            batch.extend(tickets)
            return [ticket.envelope for ticket in tickets]

        give_up_at = time.monotonic() + RECONNECT_S_MAX
        pause, pause_max = RECONNECT_PAUSE_S
        tried: Batch | None = None
        in_doubt = False
        doubt: CommitUnknown | None = None
        times_overtaken = 0
        while True:
            try:
                if in_doubt:
                    assert tried is not None
                    happened = self._settled(tried.batch_id)
                    self._owner.resolved += 1
                    in_doubt = False
                    if happened:
                        return self._answers_of(tried.prepared)
                    if doubt is not None and doubt.meaning is not None:
                        raise doubt.meaning
                    if time.monotonic() >= give_up_at:
                        raise StoreUnavailable(_gave_up(doubt, in_doubt))
                tried = Batch(
                    [ticket.envelope for ticket in batch],
                    self._owner.store.name,
                    lock_wait_ms=lock_wait_ms,
                    take_along=taken_along if self._owner.standing else None,
                )
                return self._answers_of(self._writer.run(tried), tried.since_decided_s)
            except Overtaken:
                # Nothing was held and nothing failed, so it is decided again at once; but not for ever.
                if times_overtaken == OVERTAKEN_MAX:
                    raise
                times_overtaken += 1
            except CommitUnknown as error:
                in_doubt, doubt = True, error
                self._owner.ambiguous += 1
                self._owner.outages.noticed(WRITE, error)
                # A disk that fails every commit can still be read, so without a pause this would spin.
                time.sleep(pause * random.uniform(0.5, 1.5))
                pause = min(pause * 2, pause_max)
            except ConnectionLost as error:
                self._owner.outages.noticed(_doing(tried), error)
                if time.monotonic() >= give_up_at:
                    raise StoreUnavailable(_gave_up(error, in_doubt)) from error
                time.sleep(pause * random.uniform(0.5, 1.5))
                pause = min(pause * 2, pause_max)
                if not in_doubt:
                    self._reconnect_quietly()
            except StoreUnavailable as error:
                if not error.is_final:
                    self._owner.outages.noticed(_doing(tried), error)
                raise

    def _answers_of(self, answered: Answered | None, since_decided_s: float = 0.0) -> list[Answer]:
        """The answers of a batch that is through, after telling everyone who waits for what it has done."""
        assert answered is not None
        if answered.committed is None:
            self._owner.outages.over(BEGIN)
        else:
            self._owner.outages.over(WRITE)
            self._owner.tell(answered.committed, since_decided_s)
        return list(answered.answers)

    def _settled(self, batch_id: bytes) -> bool:
        """Whether the batch whose answer was lost was committed. Until that is known, nothing is decided again."""
        try:
            self._writer.reconnect()
            return self._writer.was_committed(batch_id)
        except ConnectionLost:
            raise
        except Exception as error:
            log.exception("a lost answer cannot be looked up")
            raise StoreUnavailable(_gave_up(error, True)) from error

    def _reconnect_quietly(self) -> None:
        try:
            self._writer.reconnect()
        except ConnectionLost:
            log.debug("store still away")


class Aside(Committer):
    """Where commands wait for what somebody else's transaction holds."""

    def __init__(self, owner: GroupCommit) -> None:
        super().__init__(owner, owner.store.writer(), "aside")
        self.waiting: dict[Ticket, float] = {}
        """In order of arrival, with when each has waited long enough."""
        self._known: dict[Ticket, None] = {}
        """Those who are known to need what somebody holds, and who follow nobody. Who was tried last comes last."""

    def put(self, *tickets: Ticket) -> None:
        """Let commands wait."""
        enough_at = time.monotonic() + LOCK_PATIENCE_S
        refused: list[Ticket] = []
        with self._filled:
            weight = sum(ticket.weight for ticket in self.waiting)
            for ticket in tickets:
                weight += ticket.weight
                if self.waiting and weight > ASIDE_WEIGHT_MAX:
                    refused.append(ticket)
                else:
                    self.waiting[ticket] = enough_at
            self._filled.notify()
            is_dead = self._is_dead
        self._refuse(refused, "Too many commands wait for what other transactions hold")
        if is_dead:
            self._refuse_what_is_left()

    def let_pass(self, tickets: Sequence[Ticket]) -> list[Ticket]:
        """Of new commands those that follow nobody here; the others wait behind whom they follow."""
        with self._filled:
            free, followers = _parted(tickets, self.waiting)
        self.put(*(ticket for ticket in followers if not _comes_again(ticket)))
        self._refuse([ticket for ticket in followers if _comes_again(ticket)], LOCK_IS_HELD)
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
        """Refuse everyone who waits: each of them would wait for ever otherwise."""
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
                self._owner.deliver([ticket], [failure])
            except Exception:
                log.exception("a command could not be refused")

    def _is_needed(self) -> bool:
        """Wait until somebody waits here. False only at the end."""
        with self._filled:
            while not self.waiting and not self._stopping:
                if not self._filled.wait(IDLE_CONNECTION_S) and not self.waiting:
                    self._close_quietly()
            return bool(self.waiting)

    def _close_quietly(self) -> None:
        try:
            self._writer.close()
        except Exception:
            log.exception("an idle connection could not be closed")

    def _try_all(self) -> None:
        """Try everyone who is new, some of those who have waited before, and one of them in the queue of its lock."""
        now = time.monotonic()
        with self._filled:
            everyone = dict(self.waiting)
        gone = [ticket for ticket in everyone if _is_moot(ticket)]
        done = [ticket for ticket, enough_at in everyone.items() if enough_at <= now and ticket not in gone]
        self._leave([*gone, *done])
        self._refuse(done, f"The command waited {LOCK_PATIENCE_S:g} s for what another transaction holds")
        new = [ticket for ticket in everyone if ticket in self.waiting and ticket not in self._known]
        free, followers = _parted(new, self._known)
        went = self._send_back(followers) + self._try(free, ASIDE_LOCK_WAIT_MS)
        if len(self._known) > 1:
            went += self._try(list(self._known)[:TRIED_AT_ONCE], ASIDE_LOCK_WAIT_MS)
        if self._known and not went and not self._try(list(self._known)[:1], QUEUED_LOCK_WAIT_MS):
            time.sleep(CONTENTION_PAUSES_S[0])

    def _try(self, tickets: Sequence[Ticket], lock_wait_ms: int) -> int:
        """Try commands in as few batches as may be; how many of them are done."""
        left = deque(tickets)
        held: list[Ticket] = []
        while left:
            batch, followers = _parted(_first_batch(left), held)
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

    def _deliver(self, batch: Sequence[Ticket], answers: Sequence[Answer]) -> list[Ticket]:
        """Give out answers as every committer does. Who gets one leaves first: a claim may come back at once."""
        self._leave([ticket for ticket, answer in zip(batch, answers, strict=True) if not isinstance(answer, LockHeld)])
        return super()._deliver(batch, answers)

    def _send_back(self, held: Sequence[Ticket]) -> int:
        """Refuse what comes again by itself; how much that was."""
        refused = [ticket for ticket in held if _comes_again(ticket)]
        self._leave(refused)
        self._refuse(refused, LOCK_IS_HELD)
        return len(refused)

    def _leave(self, tickets: Sequence[Ticket]) -> None:
        with self._filled:
            for ticket in tickets:
                self.waiting.pop(ticket, None)
                self._known.pop(ticket, None)


def _parted(tickets: Iterable[Ticket], before: Iterable[Ticket]) -> tuple[list[Ticket], list[Ticket]]:
    """Commands that follow none of those before them, and those that do; each in their order."""
    named: set[object] = set().union(*(ticket.names for ticket in before))
    free: list[Ticket] = []
    followers: list[Ticket] = []
    for ticket in tickets:
        if named.isdisjoint(ticket.names):
            free.append(ticket)
        else:
            followers.append(ticket)
            named |= ticket.names
    return free, followers


def _first_batch(queue: deque[Ticket]) -> list[Ticket]:
    """Take what has gathered, up to the weight of one batch, as far as it may share one."""
    batch: list[Ticket] = []
    weight = 0
    while queue and (not batch or _fits(queue[0], batch, weight)):
        ticket = queue.popleft()
        weight += ticket.weight
        batch.append(ticket)
    return batch


def _fits(ticket: Ticket, batch: Sequence[Ticket], weight: int) -> bool:
    alike = company_of(ticket.envelope.command) == company_of(batch[0].envelope.command)
    return alike and weight + ticket.weight <= BATCH_WEIGHT_MAX


def _comes_again(ticket: Ticket) -> bool:
    """Whether the sender of the command sends it again by itself, and has other things to do than to wait."""
    return isinstance(ticket.envelope.command, COME_AGAIN)


def _doing(tried: Batch | None) -> str:
    """What did not work: to reach the store, or to write to it."""
    return WRITE if tried is not None and tried.has_begun else BEGIN


def _is_cancelled(ticket: Ticket) -> bool:
    return ticket.future is not None and ticket.future.cancelled()


def _is_moot(ticket: Ticket) -> bool:
    """Whether nobody is the worse if the command is dropped. How an attempt ended counts, whoever waits to hear it."""
    return _is_cancelled(ticket) and not isinstance(ticket.envelope.command, (Complete, Fail, Release, Delay))


def closed() -> StoreUnavailable:
    """The error for every use of a closed engine."""
    return StoreUnavailable("This engine is closed. Open a new one.", is_final=True)


def _gave_up(error: Exception | None, in_doubt: bool) -> str:
    doubt = (
        " The last commit may have happened: read before you send it again, or send with a command_id."
        if in_doubt
        else " Nothing was changed; send it again later."
    )
    return f"The store could not be reached for {RECONNECT_S_MAX:.0f} s ({error}).{doubt}"


def _resolve(future: AnyFuture, answer: Answer) -> None:
    if isinstance(answer, EngineError):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def weight_of(command: AnyCommand) -> int:
    """How much of a batch a command takes up."""
    if isinstance(command, CreateExecution):
        return 1 + len(command.payload) // BYTES_PER_WEIGHT
    if isinstance(command, Claim):
        return command.limit
    if isinstance(command, CreateExecutions):
        return sum(1 + len(item.payload) // BYTES_PER_WEIGHT for item in command.items)
    if isinstance(command, Complete) and command.result is not None:
        return 1 + len(command.result) // BYTES_PER_WEIGHT
    if isinstance(command, RecordStep):
        return 1 + len(command.result) // BYTES_PER_WEIGHT
    if isinstance(command, RenewAll):
        return len(command.fences)
    if isinstance(command, FireSchedule):
        # As a rule it makes one execution, or none; but after an outage it may be a hundred.
        return 5 + len(command.definition.payload) // BYTES_PER_WEIGHT
    if isinstance(command, AddExecution):
        return weight_of(command.creation) + len(command.edges)
    if isinstance(command, SubmitFlow):
        return sum(weight_of(creation) for _, creation in command.nodes) + len(command.edges)
    return 1


def route_key(command: AnyCommand) -> str | None:
    """The id whose commands must stay in order; None where any committer will do."""
    return flow_named_by(command) or next(iter(executions_named_by(command)), None)
