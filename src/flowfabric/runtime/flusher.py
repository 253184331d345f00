"""Sends what the attempts of a worker say: all of them in one command, at most once per flush interval.

Nothing runs while nobody speaks. The first frame of an attempt sets a timer; an attempt that has much to say is sent at
once. An attempt whose frames are under way, alone or with one of its commands, is passed over, and comes again when
these are answered.
"""

import asyncio
import contextvars
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from flowfabric.domain.errors import EngineError, StoreError, StoreUnavailable
from flowfabric.domain.stream_inputs import APPENDS_MAX
from flowfabric.runtime.backoff import Backoff
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.speech import Speech
from flowfabric.runtime.worker_tasks import WorkerTasks

if TYPE_CHECKING:
    from flowfabric.domain.streams import Said

T = TypeVar("T")

log = logging.getLogger("flowfabric.worker")

COMMAND_BYTES_MAX: Final = 4 * 1024 * 1024
"""When the frames of a command have so many bytes, those of further attempts go with the next command."""


class Flusher:
    """Sends what is said in one worker."""

    def __init__(self, engine: WorkerEngine, tasks: WorkerTasks, flush_s: float) -> None:
        self.engine = engine
        self.tasks = tasks
        self._flush_s = flush_s
        self.pid = os.getpid()
        self.loop: asyncio.AbstractEventLoop
        self.loop_thread: int
        self.making = threading.Lock()
        """Held while an attempt makes its speech."""
        self._waiting: dict[Speech, None] = {}
        """What is sent next."""
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._backoff = Backoff()
        self._pauses_until = 0.0
        """The store is away: nothing is sent until then, by the loop's clock."""
        # What is sent belongs to no attempt, so it must not run in the context of the one that has spoken first.
        self._context = contextvars.Context()
        self._is_closed = False

    def open(self) -> None:
        """Send what is said from now on, on this loop."""
        self.loop, self.loop_thread = asyncio.get_running_loop(), threading.get_ident()
        self._is_closed = False

    def note(self, speech: Speech, *, hurries: bool) -> None:
        """Send it soon, or at once."""
        if self._is_closed:
            return
        self._waiting[speech] = None
        now = self.loop.time()
        at = max(now if hurries else now + self._flush_s, self._pauses_until)
        if self._timer is None or at < self._timer_at:
            self._cancel_timer()
            self._timer_at = at
            # Even what hurries waits for the end of this turn: code often says more than one thing at once.
            self._timer = self.loop.call_at(at, self._send_waiting, context=self._context)

    def close(self) -> None:
        """Send nothing more."""
        self._is_closed = True
        self._waiting.clear()
        self._cancel_timer()

    def _cancel_timer(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()

    def _send_waiting(self) -> None:
        self._timer = None
        waiting, self._waiting = self._waiting, {}
        speeches = [speech for speech in waiting if speech.begin_turn()]
        if len(speeches) > 1:
            self.tasks.start(self._send_together(speeches))
        elif speeches:
            self.tasks.start(self._send_alone(speeches[0]))

    async def _send_together(self, speeches: list[Speech]) -> None:
        """Send the next frames of these. They have the turn, and give it back one by one."""
        try:
            while speeches:
                group = _first_group(speeches)
                is_done = await self._is_appended(group)
                del speeches[: len(group)]
                for speech, _ in group:
                    if is_done and not speech.has_patches:
                        speech.end_turn()
                    else:  # none must wait for another one that cannot be stored now
                        self.tasks.start(self._send_alone(speech))
        finally:
            for speech in speeches:
                speech.end_turn()

    async def _is_appended(self, group: "Sequence[tuple[Speech, Said | None]]") -> bool:
        sent = [(speech, said) for speech, said in group if said is not None]
        try:
            answers = await self.engine.append_said([said for _, said in sent])
        except Exception as error:
            log.debug("what was said could not be stored together: %s", error)
            return False
        for (speech, said), answer in zip(sent, answers, strict=True):
            speech.answered(said, answer)
        return True

    async def _send_alone(self, speech: Speech) -> None:
        """Send the next frames and all patches of one that has the turn."""
        try:
            if (said := speech.next_said(leaves_open_line=True)) is not None:
                (answer,) = await self.engine.append_said([said])
                speech.answered(said, answer)
            if (code := await speech.patch_all(_once)) is not None:
                speech.lost(code)
            self._backoff.reset()
        except Exception as error:
            self._note_trouble(speech, error)
        finally:
            speech.end_turn()

    def _note_trouble(self, speech: Speech, error: Exception) -> None:
        """Pause if it can be sent again; otherwise give it up. The engine itself logs that the store is away."""
        is_final = isinstance(error, StoreUnavailable) and error.is_final
        if isinstance(error, EngineError) and error.retryable and not is_final:
            log.debug("what was said could not be stored; it is sent again: %s", error)
            now = self.loop.time()
            # Contention concerns this stream alone, and to wait for the lock was pause enough.
            if isinstance(error, StoreError) and self._pauses_until <= now:
                self._pauses_until = now + self._backoff.next_s()
            return
        if not isinstance(error, EngineError):
            log.error("what was said could not be sent, which is a bug in flowfabric", exc_info=error)
        speech.give_up(str(error))


async def _once(send: Callable[[], Awaitable[T]], /) -> T:
    return await send()


def _first_group(speeches: Sequence[Speech]) -> "list[tuple[Speech, Said | None]]":
    """The first of these, each with its next frames: as many as fit into one command."""
    group: list[tuple[Speech, Said | None]] = []
    size = 0
    for speech in speeches:
        if size >= COMMAND_BYTES_MAX or len(group) == APPENDS_MAX:
            break
        said = speech.next_said(leaves_open_line=True)
        size += 0 if said is None else said.size
        group.append((speech, said))
    return group
