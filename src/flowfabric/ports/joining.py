"""The part of a store that lets a submit join a transaction of the caller."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from flowfabric.domain.batch_io import Changes, Loaded, Needs

Pause = Callable[[float], Awaitable[object]]
"""Waits for some seconds, in the same way as the caller (awaiting or blocking)."""


class JoinedTransaction(Protocol):
    """What a command may do inside the caller's transaction. It suspends only where the caller's connection does."""

    @property
    def now_ms(self) -> int:
        """The store's time, read by `load`."""

    @property
    def era(self) -> int:
        """The era of the store, read by `load`."""

    async def load(self, needs: Needs) -> Loaded:
        """Read what a submit needs: executions, payloads, keys and kept answers."""

    async def save(self, changes: Changes) -> None:
        """Write the changes of a submit, exactly as a batch would."""


class CallersConnection(Protocol):
    """A connection that the caller has opened to the store's database. Commands may join its transaction."""

    def joined(self) -> AbstractAsyncContextManager[JoinedTransaction]:
        """A part of the caller's open transaction. After an exception, only this part is rolled back."""

    def transaction(self, pause: Pause) -> AbstractAsyncContextManager[None]:
        """A whole transaction: it is committed at the end of the block, or rolled back after an exception."""
