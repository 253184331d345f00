"""A wait as it is sent to the engine, and the desk to which an attempt turns with its waits."""

from typing import TYPE_CHECKING, Final, Literal, Protocol

import msgspec

from flowfabric.domain.outcomes import WaitOver, Waitpoint
from flowfabric.domain.waiting import OnTimeout
from flowfabric.runtime.limit_desk import Slot

if TYPE_CHECKING:
    from flowfabric.runtime.waits import Waits

SuspendAnswer = WaitOver | Literal["suspended", "go on"]
"""`go on`: another wait of the execution is over, and the lease is kept."""

SLEEP: Final = '{"operator_only":true}'
"""The stored condition of a sleep: only its time ends it, or an operator."""
SLEEPING: Final = "sleeping"
"""The reason of a sleep."""


class Wait(msgspec.Struct, frozen=True):
    """A wait as it is sent to the engine."""

    name: str
    condition: str
    """The condition in its stored form."""
    timeout_ms: int | None = None
    timeout_at_ms: int | None = None
    on_timeout: OnTimeout = "resume"
    reason: str = "waiting_for_signal"
    slot: Slot | None = None
    """It waits for this slot of a limit, and not for a condition."""


class NewWaitpoint(msgspec.Struct, frozen=True):
    """A waitpoint to be made."""

    key: str
    expires_in_ms: int | None = None
    about: str | None = None
    """JSON that is shown to people."""
    alias: str | None = None


class WaitDesk(Protocol):
    """Sends the waits of one attempt to the engine. `..._sync` is for threads that run no event loop."""

    @property
    def linger_s(self) -> float:
        """How long the waits of this attempt stay in memory."""

    @property
    def may_linger(self) -> bool:
        """Whether they may linger now: the worker goes on, and has room for more work."""

    @property
    def pause_in_place_s(self) -> float:
        """Pauses between the tries of a step that are shorter than this need no suspension."""

    def lingers(self, waits: "Waits", *, begins: bool) -> None:
        """Note that the attempt begins to linger, or has stopped."""

    async def open_wait(self, wait: Wait) -> WaitOver | None:
        """Open the wait. None: it is not over. Payloads in the answer are decoded."""

    async def watch_wait(self, wait: Wait, timeout_s: float) -> WaitOver | None:
        """Wait until the wait is over. None: the time is over, or the lease is."""

    async def suspend(self, wait: Wait) -> SuspendAnswer:
        """Suspend the execution until one of its waits is over."""

    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """Make a waitpoint. If there is one of this key already, return it."""

    def open_wait_sync(self, wait: Wait) -> WaitOver | None:
        """The same as `open_wait`."""

    def suspend_sync(self, wait: Wait) -> SuspendAnswer:
        """The same as `suspend`."""

    def make_waitpoint_sync(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """The same as `make_waitpoint`."""
