"""What one attempt says, on its way to the engine: one command after the other carries it, in order and once.

Frames are numbered when they are packed. From then on they are sent under the same number until they are known to be
stored: alone, or together with a command of the attempt. Only one of the two is under way at a time (a turn), so the
numbers have no gaps, and a stored step has all its frames. If an answer is lost, the same frames are sent again.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, LeaseExpired, NotFound, Refused
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Appended, LeaseLost
from flowfabric.domain.streams import FrameKind, Said, StoredFrame, said
from flowfabric.runtime.attempt_log import AttemptLog
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.lease_keeper import LEASE_IS_OVER
from flowfabric.runtime.stream_buffer import LIMIT_BYTES, StreamBuffer
from flowfabric.runtime.tries import spoken_in
from flowfabric.runtime.worker_tasks import WorkerTasks

T = TypeVar("T")

_CODES_OF_OVER: Final = frozenset(refusal.code for refusal in LEASE_IS_OVER)


class Patience(Protocol):
    """Sends a command again while the store is unavailable."""

    async def __call__(self, send: Callable[[], Awaitable[T]], /) -> T:
        """The answer to the command."""


class Sender(Protocol):
    """Sends what the attempts of a worker say, all together."""

    engine: WorkerEngine
    tasks: WorkerTasks
    loop: asyncio.AbstractEventLoop
    """The loop of the worker."""
    loop_thread: int
    """The thread in which it runs."""

    def note(self, speech: "Speech", *, hurries: bool) -> None:
        """Send it soon, or at once. On the loop of the worker."""


class Speech:
    """The stream desk of an attempt that runs in a worker. It is made when the attempt speaks for the first time."""

    def __init__(self, lease: Lease, sender: Sender, log: AttemptLog, on_lost: Callable[[str], None]) -> None:
        self._lease = lease
        self._fence = inputs.fence(lease)
        self._sender = sender
        self._log = log
        self._on_lost = on_lost
        self._buffer = StreamBuffer(self._report)
        self._next_seq = 0
        self._under_way: Said | None = None
        """Frames that were sent, or are about to be, and are not known to be stored."""
        self._is_busy = False
        """Whether somebody has the turn."""
        self._is_given_up = False
        self._news: asyncio.Future[None] | None = None
        """Done when the turn is over. Made for those who wait for that."""

    # ── the desk; from any thread ────────────────────────────────────────────────────────────────

    def say(self, kind: FrameKind, payload: bytes) -> None:
        """Take a frame."""
        may_wait = threading.get_ident() != self._sender.loop_thread
        if not self._buffer.add(StoredFrame(kind, payload, spoken_in()), may_wait=may_wait):
            raise InvalidInput(
                f"{LIMIT_BYTES // 2**20} MiB that this attempt has written wait to be stored, and more must not wait. "
                "Call `await ctx.flush()` now and then: it waits until everything is stored."
            )

    def say_output(self, kind: FrameKind, payload: bytes, *, may_wait: bool) -> None:
        """Take what the code has printed or logged."""
        may_wait = may_wait and threading.get_ident() != self._sender.loop_thread
        self._buffer.add_output(StoredFrame(kind, payload, spoken_in()), may_wait=may_wait)

    def patch(self, document: dict[str, Any], size: int) -> None:
        """Take a patch of the summary."""
        self._buffer.patch(document, size)

    async def flush(self) -> None:
        """Wait until everything that was said is stored, or the lease is over."""
        if asyncio.get_running_loop() is not self._sender.loop:
            await asyncio.to_thread(self.flush_sync)
            return
        mark = self._buffer.mark()
        while not self._buffer.has_stored(mark):
            self._buffer.hurry()
            await self._end_of_turn()

    def flush_sync(self) -> None:
        """The same as `flush`."""
        mark = self._buffer.mark()
        if not self._buffer.has_stored(mark):
            self._buffer.hurry()
            self._buffer.wait_until_stored(mark)

    def _report(self, hurries: bool) -> None:
        if threading.get_ident() == self._sender.loop_thread:
            self._sender.note(self, hurries=hurries)
            return
        try:
            self._sender.loop.call_soon_threadsafe(lambda: self._sender.note(self, hurries=hurries))
        except RuntimeError:  # the loop is closed, so nobody will send it
            self._buffer.close()

    # ── for code in a child process ──────────────────────────────────────────────────────────────

    def repeat(self, frames: Sequence[StoredFrame], patches: Sequence[bytes]) -> None:
        """Take what the attempt has said in a child process."""
        self._buffer.add_all(frames)
        for patch in patches:
            self._buffer.patch(msgspec.json.decode(patch), len(patch))

    async def room(self) -> None:
        """Wait until code in threads could write more."""
        while self._buffer.is_full and not self._buffer.is_closed:
            await self._end_of_turn()

    # ── turns; on the loop of the worker ─────────────────────────────────────────────────────────

    @property
    def is_silent(self) -> bool:
        """Whether nothing waits to be stored, and nothing is under way."""
        return self._buffer.is_empty and self._under_way is None and not self._is_busy and not self._is_cut_off

    @property
    def _is_cut_off(self) -> bool:
        """Whether frames were dropped because the lease is over. A step that is stored now would lack its frames."""
        return self._buffer.is_closed and self._buffer.dropped > 0 and not self._is_given_up

    @property
    def has_patches(self) -> bool:
        """Whether patches of the summary are to be sent."""
        return self._buffer.has_patches

    def begin_turn(self) -> bool:
        """Take the turn. False: there is nothing to send, or another one has the turn, and reports when it is over."""
        if self._is_busy or self._buffer.is_closed or self.is_silent:
            return False
        self._is_busy = True
        return True

    def end_turn(self) -> None:
        """Give the turn back. What is left is sent later."""
        self._is_busy = False
        if not self._buffer.is_closed and not self.is_silent:
            self._sender.note(self, hurries=self._buffer.must_hurry or self._under_way is not None)
        news, self._news = self._news, None
        if news is not None:
            news.set_result(None)

    async def _end_of_turn(self) -> None:
        if self._news is None:
            self._news = self._sender.loop.create_future()
        await asyncio.shield(self._news)

    def next_said(self, *, leaves_open_line: bool = False) -> Said | None:
        """The next frames to be sent: those of which nobody knows whether they are stored, or new ones.

        With `leaves_open_line`, a line that code is just printing may be left for the next time.
        """
        if self._under_way is None and (frames := self._buffer.take(leaves_open_line=leaves_open_line)):
            self._under_way = said(self._fence, frames, self._next_seq)
            self._next_seq += len(frames)
        return self._under_way

    def stored(self, sent: Said) -> None:
        """The frames under way are stored."""
        if sent is self._under_way:  # otherwise they were dropped meanwhile
            self._under_way = None
            self._buffer.stored(sent.count, sent.size)

    def answered(self, sent: Said, answer: Appended | LeaseLost) -> None:
        """The engine has answered the frames under way."""
        if isinstance(answer, Appended):
            self.stored(sent)
        elif answer.code in _CODES_OF_OVER:
            self.lost(answer.code)
        else:
            self.give_up(answer.code)

    def lost(self, code: str) -> None:
        """The lease is over: stop the attempt."""
        self._on_lost(code)

    def give_up(self, why: str) -> None:
        """Frames were refused although the lease is alive. Nothing more can be stored, but the attempt goes on."""
        if not self._buffer.is_closed:
            self._log.say(logging.ERROR, "cannot write to its stream any more", why)
            self._is_given_up = True
            self.close()

    def close(self) -> int:
        """Drop what is not stored, and everything that comes later. Returns how many frames were dropped."""
        sent, self._under_way = self._under_way, None
        dropped = self._buffer.close(0 if sent is None else sent.count)
        news, self._news = self._news, None
        if news is not None:
            news.set_result(None)
        return dropped

    async def patch_all(self, patiently: Patience) -> str | None:
        """Send the patches of the summary. A refusal is logged, and the attempt goes on.

        If the lease is over, this returns the code of the refusal.
        """
        while (patch := self._buffer.first_patch()) is not None:
            try:
                await patiently(partial(self._sender.engine.patch_summary, self._lease, patch.document))
            except (InvalidInput, Refused, NotFound) as refusal:
                if isinstance(refusal, LEASE_IS_OVER):
                    return refusal.code
                self._log.say(logging.WARNING, "patched its summary, and that was refused", str(refusal))
            self._buffer.patched(patch)
        return None

    # ── commands of the attempt ──────────────────────────────────────────────────────────────────

    async def carried(self, send: Callable[[WorkerEngine], Awaitable[T]], patiently: Patience) -> T:
        """The answer to a command of the attempt. What was said before goes with it, in the same commit."""
        if asyncio.get_running_loop() is not self._sender.loop:
            hop = self._sender.tasks.start_from_thread(self._carried(send, patiently), self._sender.loop)
            return await asyncio.wrap_future(hop)
        return await self._carried(send, patiently)

    async def _carried(self, send: Callable[[WorkerEngine], Awaitable[T]], patiently: Patience) -> T:
        while self._is_busy:
            await self._end_of_turn()
        self._is_busy = True
        try:
            await self.patch_all(patiently)
            if (last := await self._last_said(patiently)) is not None:
                engine = self._sender.engine.saying(last)
                answer = await patiently(lambda: send(engine))
                self.stored(last)
                return answer
        finally:
            self.end_turn()
        if self._is_cut_off:
            # The worker may know of the end of the lease before the store does, which would still store the step.
            raise LeaseExpired(
                f"Lease {self._lease.lease_id} is over, and what its attempt had still to write was dropped. Nothing "
                "more of it is stored."
            )
        return await patiently(lambda: send(self._sender.engine))

    async def _last_said(self, patiently: Patience) -> Said | None:
        """The frames that were said up to now, to be sent with a command. None: there are none.

        If they are too many for one command, all but the last are sent now.
        """
        mark = self._buffer.mark()
        while (sent := self.next_said()) is not None and self._next_seq < mark.frames:
            (answer,) = await patiently(partial(self._sender.engine.append_said, [sent]))
            if isinstance(answer, LeaseLost):
                return None  # the command is refused, too, and says so in its own words
            self.stored(sent)
        return sent
