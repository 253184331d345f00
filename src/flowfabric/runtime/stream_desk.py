"""The desk to which an attempt turns with what it says: frames of its stream, and patches of its summary."""

from collections.abc import Sequence
from typing import Any, Final, Protocol

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.streams import FrameKind, StoredFrame


class StreamDesk(Protocol):
    """Takes what one attempt says. From any thread; `flush_sync` is for threads that run no event loop."""

    def say(self, kind: FrameKind, payload: bytes) -> None:
        """Take a frame. If too much waits to be stored: wait in this thread, or raise InvalidInput on the loop."""

    def say_output(self, kind: FrameKind, payload: bytes, *, may_wait: bool) -> None:
        """Take what the code has printed or logged. Never raises. Without `may_wait` it does not wait for room."""

    def patch(self, document: dict[str, Any], size: int) -> None:
        """Take a patch of the summary that has so many bytes as JSON."""

    async def flush(self) -> None:
        """Wait until everything that was said is stored, or the lease is over."""

    def flush_sync(self) -> None:
        """The same as `flush`."""


class RelayDesk(StreamDesk, Protocol):
    """The desk of an attempt in its worker. If the code runs in a child process, it repeats what was said there."""

    def repeat(self, frames: Sequence[StoredFrame], patches: Sequence[bytes]) -> None:
        """Take frames, and patches as JSON."""

    async def room(self) -> None:
        """Wait until there is room for more."""


class Unheard:
    """The desk of a context without a worker, for unit tests, and of an attempt that is over: nothing is kept."""

    def say(self, kind: FrameKind, payload: bytes) -> None:
        """Drop it."""

    def say_output(self, kind: FrameKind, payload: bytes, *, may_wait: bool) -> None:
        """Drop it."""

    def patch(self, document: dict[str, Any], size: int) -> None:
        """Drop it."""

    async def flush(self) -> None:
        """Nothing is left to be stored."""

    def flush_sync(self) -> None:
        """Nothing is left to be stored."""

    def repeat(self, frames: Sequence[StoredFrame], patches: Sequence[bytes]) -> None:
        """Drop it."""

    async def room(self) -> None:
        """There is always room."""


class Forked(Unheard):
    """The desk in a process that was forked from the one that runs the attempt."""

    def say(self, kind: FrameKind, payload: bytes) -> None:
        """Refuse it."""
        raise _forked()

    def patch(self, document: dict[str, Any], size: int) -> None:
        """Refuse it."""
        raise _forked()


def _forked() -> InvalidInput:
    return InvalidInput(
        "This process was forked from the one that runs the attempt, and only that one can write to its stream. "
        "Send it what is to be written."
    )


UNHEARD: Final = Unheard()
FORKED: Final = Forked()
