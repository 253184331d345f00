"""What the engine asks of a store to commit a batch.

The concurrency promise of a store, in one sentence: between `load` and `commit` nobody else changes the loaded
records. Lock order, for stores that lock rows: executions that belong to no flow, flows, keys, kept answers, members of
flows, then side rows, each by id, blocking; what a claim looks for comes last, skipping what others hold.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Final, Protocol

import msgspec

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import Contention, EngineError, StoreError, StoreUnavailable
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.outcomes import Outcome


class CommitUnknown(StoreError):
    """A commit ended with an error, or with no answer: it may have happened, or not."""

    def __init__(self, message: str, meaning: Exception | None = None) -> None:
        super().__init__(message)
        self.meaning = meaning
        """What to raise if it did not happen; None: decide again."""


class NotCommitted(StoreError):
    """The store itself says that a commit did not happen, so nobody has to find out."""

    def __init__(self, meaning: EngineError) -> None:
        super().__init__(str(meaning))
        self.meaning = meaning
        """What that means to callers."""


class ConnectionLost(StoreUnavailable):
    """The connection is gone and nothing was committed: the engine reconnects before it tells a caller.

    Callers never see it under this name (`for_callers`).
    """

    code = "store_unavailable"


@contextmanager
def for_callers() -> Iterator[None]:
    """Around what is not tried again: a lost connection is StoreUnavailable to callers."""
    try:
        yield
    except ConnectionLost as error:
        raise StoreUnavailable(str(error)) from error


class Overtaken(Contention):
    """Someone else has just made what was to be made, or filled a lane that was idle: decide again at once."""

    code = "contention"  # where another look does not help either, it is what it always was to callers


class LockHeld(Contention):
    """Somebody else's transaction holds what the batch needs, and did not let go of it within a moment."""

    code = "contention"  # callers hear of it once they have waited for long enough


class Easily(msgspec.Struct, frozen=True):
    """What a store has done with a batch by itself."""

    answers: Mapping[int, Outcome]
    """By place in the batch."""
    ready: Collection[Lane] = ()
    """Where something was made that is still to be claimed."""
    has_events: bool = False


NOTHING_EASILY: Final = Easily({})


class Transaction(Protocol):
    """One atomic batch."""

    @property
    def now_ms(self) -> int:
        """The store's time, read after everything that `load` locks was locked."""

    @property
    def era(self) -> int:
        """The era of the store, known once `load` has answered: another one after each event that may lose commits."""

    def answer_easy(self, batch: Sequence[Envelope]) -> Easily:
        """Answer what a set-based statement can do exactly as it would be decided.

        What is not answered here is loaded, decided and saved afterwards. A store may answer nothing.
        """

    def load(self, needs: Needs) -> Loaded:
        """Read what `needs` names, and keep it ours until the end.

        Called again with more needs, it also reads those. Members of flows need not be ours before `keep`, and claims
        need not find anything before it, as long as the flows are ours.
        """

    def keep(self, touched: Iterable[ExecutionId]) -> bool:
        """Make these executions ours, too. True: they were not, and have been read anew, so decide again."""

    def save(self, changes: Changes) -> None:
        """Write whole records and append events, as sets, with the side rows that follow from them."""

    def commit(self) -> None:
        """Make it so. Contention and NotCommitted say for certain that it did not happen; no other error does."""

    def rollback(self) -> None:
        """Leave everything as it was. Never raises."""


class Writer(Protocol):
    """A write connection, owned by one committer thread."""

    def begin(self, batch_id: bytes, lock_wait_ms: int | None = None) -> Transaction:
        """Open a transaction that leaves a marker under this id when it commits.

        Where others may hold what it needs, it waits for that at most so long, by default for a moment, and then raises
        LockHeld.
        """

    def was_committed(self, batch_id: bytes) -> bool:
        """Whether the batch's marker is there; waits for a first try that is still committing."""

    def reconnect(self) -> None:
        """Start over with a new connection. Raises StoreUnavailable if there is none to be had."""

    def close(self) -> None:
        """Give the connection back."""


Pause = Callable[[float], Awaitable[object]]
"""Waits for so many seconds, as its caller waits."""


class JoinedTransaction(Protocol):
    """What a command may do inside a transaction that is not ours. It suspends only where the connection does."""

    @property
    def now_ms(self) -> int:
        """The store's time, read by `load`."""

    @property
    def era(self) -> int:
        """The era of the store, read by `load`."""

    async def load(self, needs: Needs) -> Loaded:
        """Read what a submit needs: executions, payloads, keys and kept answers."""

    async def save(self, changes: Changes) -> None:
        """Write what a submit has made, exactly as a batch would."""


class CallersConnection(Protocol):
    """A connection that a caller has opened to the store's database, and whose transaction may be joined."""

    def joined(self) -> AbstractAsyncContextManager[JoinedTransaction]:
        """A part of the caller's open transaction: after an exception it is as if it had never been."""

    def transaction(self, pause: Pause) -> AbstractAsyncContextManager[None]:
        """A transaction from its beginning to its commit, or to its rollback after an exception."""
