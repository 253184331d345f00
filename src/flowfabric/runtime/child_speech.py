"""What an attempt in a child process says: it is gathered here for a few milliseconds, and then sent to the parent.

Only a little may be under way to the parent and not answered, less than the line holds. So a message never waits for a
parent that does not read any more, and the process can always be stopped.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, Protocol

import msgspec

from flowfabric.domain.errors import StaleLease
from flowfabric.domain.streams import FRAME_BYTES_MAX, FrameKind, StoredFrame, pack
from flowfabric.runtime.messages import Answer, AskFlush, Question, Speak, Speaker
from flowfabric.runtime.stream_buffer import FRAME_BYTES, StreamBuffer
from flowfabric.runtime.tries import spoken_in

MESSAGE_FRAMES_MAX: Final = 1_000
"""How many frames one message has at most. It has so many bytes as one frame may have, or little more."""
UNDER_WAY_BYTES_MAX: Final = 128 * 1024
"""How much is under way to the parent at most, and not answered."""


class _Asks(Protocol):
    """Asks the parent, after it was sent what was said before."""

    async def answer(self, question: Callable[[int], Question]) -> Answer:
        """The answer of the parent."""

    def answer_sync(self, question: Callable[[int], Question]) -> Answer:
        """The same as `answer`."""


class _Line(Protocol):
    """The line to the parent."""

    def ask(self, question: Callable[[int], Question]) -> Future[Answer]:
        """Send a question, and return the future of its answer."""


class ChildSpeech:
    """The stream desk of an attempt in a child process. It is made when the attempt speaks for the first time."""

    def __init__(self, asks: _Asks, line: _Line, speaker: Speaker, every_ms: int) -> None:
        self._asks = asks
        self._line = line
        self._speaker = speaker
        self._every_s = every_ms / 1000
        self._buffer = StreamBuffer(self._report)
        self._order = threading.Lock()
        """Held while messages are sent, so that they are sent in order."""
        self._answered = threading.Condition(threading.Lock())
        self._under_way = 0
        self._news = threading.Event()
        self._hurry = threading.Event()
        threading.Thread(target=self._send_for_ever, name="flowfabric-speech", daemon=True).start()

    # ── the desk ─────────────────────────────────────────────────────────────────────────────────

    def say(self, kind: FrameKind, payload: bytes) -> None:
        """Take a frame. If too much waits to be stored, wait until there is room."""
        self._buffer.add(StoredFrame(kind, payload, spoken_in()), may_wait=True)

    def say_output(self, kind: FrameKind, payload: bytes, *, may_wait: bool) -> None:
        """Take what the code has printed or logged."""
        self._buffer.add_output(StoredFrame(kind, payload, spoken_in()), may_wait=may_wait)

    def patch(self, document: dict[str, Any], size: int) -> None:
        """Take a patch of the summary."""
        self._buffer.patch(document, size)

    async def flush(self) -> None:
        """Wait until everything that was said is stored, or the lease is over."""
        await self._asks.answer(self._to_flush)

    def flush_sync(self) -> None:
        """The same as `flush`."""
        self._asks.answer_sync(self._to_flush)

    def _to_flush(self, number: int) -> AskFlush:
        return AskFlush(self._speaker, number)

    def _report(self, hurries: bool) -> None:
        if hurries:
            self._hurry.set()
        self._news.set()

    # ── sending ──────────────────────────────────────────────────────────────────────────────────

    def close(self) -> None:
        """Drop what is not sent, and everything that comes later."""
        self._buffer.close()
        with self._answered:
            self._answered.notify_all()
        self._report(True)

    def _send_for_ever(self) -> None:
        while self._news.wait() and not self._buffer.is_closed:
            self._hurry.wait(self._every_s)
            self._news.clear()
            self._hurry.clear()
            self.send_all(leaves_open_line=True)
            if not self._buffer.is_empty:
                self._news.set()

    def send_all(self, *, leaves_open_line: bool = False) -> None:
        """Send what was said up to now. When this returns, it is on the line.

        With `leaves_open_line`, a line that code is just printing may be left for the next time.
        """
        with self._order:
            while not self._buffer.is_closed and self._send_some(leaves_open_line):
                pass

    def _send_some(self, leaves_open_line: bool) -> bool:
        """Send as much as one message holds. False: nothing is left."""
        frames = self._buffer.take(MESSAGE_FRAMES_MAX, FRAME_BYTES_MAX, leaves_open_line=leaves_open_line)
        patches: tuple[bytes, ...] = ()
        if (patch := self._buffer.first_patch()) is not None:
            patches = (msgspec.json.encode(patch.document),)
            self._buffer.patched(patch)
        if not frames and not patches:
            return False
        size = sum(len(frame.payload) for frame in frames)
        counted = size + len(frames) * FRAME_BYTES + sum(map(len, patches))
        with self._answered:
            self._answered.wait_for(
                lambda: (
                    not self._under_way or self._under_way + counted <= UNDER_WAY_BYTES_MAX or self._buffer.is_closed
                )
            )
            self._under_way += counted

        def answered(_: Future[Answer]) -> None:
            with self._answered:
                self._under_way -= counted
                self._answered.notify_all()
            self._buffer.stored(len(frames), size)

        packed = pack(frames)
        try:
            asked = self._line.ask(lambda number: Speak(self._speaker, number, packed, patches))
        except StaleLease:  # the attempt has ended
            self.close()
            return False
        asked.add_done_callback(answered)
        return True
