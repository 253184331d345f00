"""The errors with which a store says what became of a commit. The engine handles them; callers do not see them."""

from collections.abc import Iterator
from contextlib import contextmanager

from flowfabric.domain.errors import Contention, StoreError, StoreUnavailable


class CommitUnknown(StoreError):
    """A commit ended with an error, or without an answer: it may have happened or not."""

    def __init__(self, message: str, meaning: Exception | None = None) -> None:
        super().__init__(message)
        self.meaning = meaning
        """The error to raise if the commit did not happen. None: decide again."""


class ConnectionLost(StoreUnavailable):
    """The connection is lost, and nothing was committed. The engine tries to reconnect before a caller gets an error.

    Callers get StoreUnavailable instead (`for_callers`).
    """

    code = "store_unavailable"


class AnswerUnclear(StoreError):
    """The answer of the store cannot be understood, or reports an error within the store. Nothing was committed.

    The engine tries again with a new connection, a few times, before a caller gets the error. Callers get StoreError
    instead (`for_callers`).
    """

    code = "store_error"


@contextmanager
def for_callers() -> Iterator[None]:
    """A block around uses that are not tried again: it turns errors of the engine alone into those of callers."""
    try:
        yield
    except ConnectionLost as error:
        raise StoreUnavailable(str(error)) from error
    except AnswerUnclear as error:
        raise StoreError(str(error)) from error


class Overtaken(Contention):
    """Another transaction has just made the same record, or filled a lane that was idle: decide again at once."""

    code = "contention"  # if deciding again does not help, callers see it as contention


class LockHeld(Contention):
    """Another transaction holds a lock that the batch needs, and did not release it within a moment."""

    code = "contention"  # callers see it as contention when they have waited long enough
