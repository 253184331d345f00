"""What the engine asks of a store to commit a batch.

The concurrency promise of a store, in one sentence: between `load` and `commit` nobody else changes the loaded
records. Lock order, for stores that lock rows: executions that belong to no flow, flows, keys, kept answers, members of
flows, then side rows, each by id, blocking; what a claim looks for comes last, skipping what others hold.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Protocol

import msgspec

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import Contention, EngineError, StoreError, StoreUnavailable
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.news import Committed
from flowfabric.domain.outcomes import Outcome


class CommitUnknown(StoreError):
    """A commit ended with an error, or with no answer: it may have happened, or not."""

    def __init__(self, message: str, meaning: Exception | None = None) -> None:
        super().__init__(message)
        self.meaning = meaning
        """What to raise if it did not happen; None: decide again."""


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


Answers = Sequence[Outcome | EngineError]


class Transaction(Protocol):
    """An open transaction, as far as a decision needs it."""

    @property
    def now_ms(self) -> int:
        """The store's time, read after everything that `load` locks was locked."""

    @property
    def era(self) -> int:
        """The era of the store, known once `load` has answered: another one after each event that may lose commits."""

    def load(self, needs: Needs) -> Loaded:
        """Read what `needs` names, and keep it ours until the end. Called again with more, it also reads that."""


class Decided(msgspec.Struct, frozen=True):
    """A batch that was decided on what was loaded, and is still to be written."""

    answers: Answers
    changes: Changes
    touched: Iterable[ExecutionId]
    """The executions that are different now, or were for a while."""
    committed: Committed
    """What to say of it once it is committed."""


class Answered(msgspec.Struct, frozen=True):
    """What became of a batch."""

    answers: Answers
    """In the order of the commands; those of claims that joined the batch while it was decided come last."""
    committed: Committed | None
    """None: nothing was changed, so there was nothing to commit."""


class Batch(Protocol):
    """Commands that are committed together or not at all, as the engine hands them to a writer."""

    @property
    def batch_id(self) -> bytes:
        """What its marker is called: a commit leaves the marker, so that it can be looked for afterwards."""

    @property
    def lock_wait_ms(self) -> int | None:
        """How long it waits for what others hold; None: for a moment."""

    @property
    def envelopes(self) -> Sequence[Envelope]:
        """The commands in their order, complete once the transaction has begun."""

    def begun(self) -> None:
        """Called by the writer once a transaction can be written to, before it looks at the commands."""

    def decide(self, tx: Transaction, answered: Mapping[int, Outcome]) -> Decided:
        """Decide all commands but those that the store has answered by itself, and load what that takes.

        It may be called again on the same transaction, where records were read anew since.
        """

    def commits(self, answered: Answered | None) -> None:
        """Called by the writer right before the commit: the answers, should the commit's own answer be lost.

        None, if they depend on the instant at which it happens; `was_committed` then brings them.
        """


class Writer(Protocol):
    """A write connection, owned by one committer thread."""

    def run(self, batch: Batch) -> Answered:
        """Begin a transaction, decide the batch, write what it changed, commit.

        How is left to the store. One that knows a shorter way for some commands may answer these by itself, as long as
        that comes to exactly what would have been decided. CommitUnknown says that the commit may have happened; every
        other error, that nothing was changed. LockHeld: others hold what the batch needs, and did not let go in time.
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
