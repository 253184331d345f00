"""The part of a store that commits a batch.

The concurrency promise of a store, in one sentence: between `load` and `commit` no other transaction changes the loaded
records. Stores that lock rows lock them in this order: executions that belong to no flow, flows, keys (of idempotency,
aliases, key rings), kept answers, members of flows, then side rows. Each kind is locked by id, and waits for other
locks. The candidates of a claim come last, and rows that other transactions have locked are skipped. What belongs to an
execution, such as its steps and signals, changes only under the lock of the execution.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import EngineError
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed
from flowfabric.domain.outcomes import Outcome

Answers = Sequence[Outcome | EngineError]
LockBeforeClaims = Callable[[Iterable[ExecutionId]], bool]
"""Given the executions that a batch has changed so far: True means that something is different from what was loaded."""


class Transaction(Protocol):
    """The part of an open transaction that a decision needs."""

    @property
    def now_ms(self) -> int:
        """The store's time, read after `load` has locked everything."""

    @property
    def era(self) -> int:
        """The era of the store, known after `load`. A new era begins after each event that may lose commits."""

    def load(self, needs: Needs) -> Loaded:
        """Read what `needs` names, and lock it until the end of the transaction. Further calls read more."""


class Decided(msgspec.Struct, frozen=True):
    """A batch that was decided on the loaded records, and is still to be written."""

    answers: Answers
    changes: Changes
    touched: Iterable[ExecutionId]
    """The executions that the batch has changed, even if a later command has changed them back."""
    committed: Committed
    """The news to report after the commit."""


class Answered(msgspec.Struct, frozen=True):
    """The result of a batch."""

    answers: Answers
    """The answers in the order of the commands. Answers to claims that were taken along come last."""
    committed: Committed | None
    """None: nothing was changed, so there was nothing to commit."""


class Batch(Protocol):
    """Commands that are committed together or not at all, as a writer gets them from the engine."""

    @property
    def batch_id(self) -> bytes:
        """The name of its marker. The commit writes the marker, so that one can check later whether it happened."""

    @property
    def lock_wait_ms(self) -> int | None:
        """How long it waits for locks of other transactions. None: for a moment."""

    @property
    def envelopes(self) -> Sequence[Envelope]:
        """The commands in their order. When the transaction has begun, only claims are added, by `take_along`."""

    @property
    def is_told(self) -> bool:
        """Whether the news must say what the store did to plain executions by itself (`Committed.plain`)."""

    def begun(self) -> None:
        """The writer calls this when the transaction can write, before it reads the commands."""

    def take_along(self, lanes: Collection[Lane], enough: int) -> bool:
        """Add the claims that wait for work in these lanes, no more than so many executions need. False: none wait.

        For a writer that finds out by itself that the batch makes work, before it has `decide` called.
        """

    def decide(self, tx: Transaction, answered: Mapping[int, Outcome], lock: LockBeforeClaims | None = None) -> Decided:
        """Load what is needed, and decide all commands except those that the store has answered by itself.

        The writer may call this again on the same transaction, after it has read records anew. `lock` is called when
        only claims are left: a store that locks some records only after they were changed does it there, and reads the
        queue. If something was different, everything is decided again.
        """

    def commits(self, answered: Answered | None) -> None:
        """The writer calls this right before the commit, with the answers to use if the commit's own answer is lost.

        None: the answers depend on the instant of the commit. Then `was_committed` calls this again with them.
        """


class Writer(Protocol):
    """A write connection, owned by one committer thread."""

    def run(self, batch: Batch) -> Answered:
        """Begin a transaction, decide the batch, write its changes, commit.

        The store chooses how. A store that has a faster way for some commands may answer these by itself, if the result
        is exactly what the rules would have decided. CommitUnknown: the commit may have happened. Every other error:
        nothing was changed. LockHeld: other transactions hold locks that the batch needs, and did not release them.
        """

    def was_committed(self, batch_id: bytes) -> bool:
        """Whether the batch's marker is there. If a first try is still committing, this waits for it."""

    def reconnect(self) -> None:
        """Start again with a new connection. Raises StoreUnavailable if the store cannot be reached."""

    def close(self) -> None:
        """Close the connection."""
