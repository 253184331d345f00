"""What is followed over HTTP: events and streams, as Server-Sent Events that go on after a lost connection."""

import asyncio
import weakref
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from random import SystemRandom
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar

import msgspec

from flowfabric.client.callers import Caller
from flowfabric.client.calling import PAUSE_S, Calls
from flowfabric.client.http1 import Answer, Cut
from flowfabric.client.line import Line
from flowfabric.domain.errors import StoreUnavailable
from flowfabric.domain.events import Event
from flowfabric.domain.known_types import known
from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.wire.http1 import Malformed
from flowfabric.wire.problems import Problem, error_of
from flowfabric.wire.shapes import Codec, shape_of

T = TypeVar("T")

SILENCE_S_MAX: Final = 60.0
"""After so long without a sign of life, a connection counts as lost."""
END: Final = "end"
"""The name of the last event of a stream that is over."""


class Message(NamedTuple):
    """One event of a feed: the item as JSON, and the cursor after it."""

    event: str
    data: str
    cursor: str | None


@known
class End(msgspec.Struct, frozen=True):
    """Why a stream has ended."""

    closed_reason: str | None = None
    code: str | None = None
    """Why the server has ended it before its end."""
    problem: Problem | None = None


class MessageReader:
    """Reads Server-Sent Events from the bytes that come, in pieces of any size."""

    def __init__(self) -> None:
        self._received = b""
        self._fields: dict[str, str] = {}
        self.cursor: str | None = None
        """The last id that came, also without an item."""

    def feed(self, data: bytes) -> list[Message]:
        """The events that are complete."""
        *lines, self._received = (self._received + data).split(b"\n")
        found = []
        for line in lines:
            text = line.rstrip(b"\r").decode()
            if text:
                name, _, value = text.partition(":")
                if name in ("event", "data", "id"):
                    self._fields[name] = value.removeprefix(" ")
                continue
            fields, self._fields = self._fields, {}
            self.cursor = fields.get("id", self.cursor)
            if "data" in fields:
                found.append(Message(fields.get("event", "message"), fields["data"], self.cursor))
        return found


class Feed:
    """Server-Sent Events of one route. It reads only while somebody waits for them.

    What has come is in `ready` until it is taken, so a wait that is given up loses nothing.
    """

    def __init__(self, line: Line, calls: Calls, written: Callable[[str | None], bytes], cursor: str | None) -> None:
        self._line = line
        self._calls = calls
        self._written = written
        """Makes the request that begins after a cursor. Without a cursor, it begins where the caller said."""
        self.cursor = cursor
        """The cursor after the last message that has come."""
        self.ready: deque[Message] = deque()
        self._one_at_a_time = asyncio.Lock()
        self._pieces: AsyncGenerator[Answer] | None = None
        self._reader = MessageReader()

    async def begin(self) -> str:
        """Connect. Returns the cursor at which the server has begun."""
        while self.cursor is None:
            await self._read_on()
        return self.cursor

    async def wait(self) -> None:
        """Wait until something is ready, also while the server is away. Raises a refusal of the server."""
        async with self._one_at_a_time:  # a wait that was given up may still be on its way out
            await self._wait()

    async def _wait(self) -> None:
        pause_s, pause_s_max = PAUSE_S
        while not self.ready:
            try:
                await self._read_on()
                pause_s = PAUSE_S[0]
            except (OSError, Cut, Malformed) as error:
                self._calls.note_away(self._calls.why_away(error))
                await asyncio.sleep(pause_s * SystemRandom().uniform(0.5, 1.5))
                pause_s = min(pause_s * 2, pause_s_max)

    async def _read_on(self) -> None:
        """Read the next piece. Raises OSError, Cut or Malformed: then the next call connects again."""
        if self._pieces is None:
            self._reader = MessageReader()
            self._pieces = self._line.listen(self._written(self.cursor))
        try:
            async with asyncio.timeout(SILENCE_S_MAX):
                piece = await anext(self._pieces)
        except StopAsyncIteration:
            self._pieces = None
            raise Cut from None
        except BaseException:
            self._pieces = None
            raise
        if self._calls.is_of_a_proxy(piece):
            raise Cut
        self._calls.is_given(piece)
        self._calls.note_back()
        for message in self._reader.feed(piece.body):
            self.cursor = message.cursor or self.cursor
            if message.event != END:
                self.ready.append(message)
                continue
            end = msgspec.json.decode(message.data, type=End)
            if end.problem is not None:
                raise error_of(end.problem)
            if end.code is not None:  # the server stops, or the token is not good any more: asking again will tell
                raise Cut
            self.ready.append(message)
        self.cursor = self._reader.cursor or self.cursor

    def end(self) -> None:
        """End the connection, from any thread."""
        pieces, self._pieces = self._pieces, None
        if pieces is not None:
            with suppress(StoreUnavailable):  # the line is closed, and so is everything on it
                self._line.begin(pieces.aclose())


class Followed(Generic[T]):
    """The items of a feed, one after the other."""

    def __init__(self, feed: Feed, line: Line, caller: Caller, item: Any, codec: Codec, cursor: str | None) -> None:
        self._feed = feed
        self._line = line
        self._caller = caller
        self._shape = shape_of(item)
        self._decoder = msgspec.json.Decoder(self._shape.wire)
        self._codec = codec
        self._cursor = cursor
        self._is_over = False
        weakref.finalize(self, feed.end)

    @property
    def cursor(self) -> str | None:
        """The cursor after the last item that was delivered. None: the start."""
        return self._cursor

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        """The next item. Waits for it if necessary."""
        ready = self._feed.ready
        if self._is_over:
            raise StopAsyncIteration
        while not ready:
            await self._caller.result_of(self._line.begin(self._feed.wait()))
        message = ready.popleft()
        self._cursor = message.cursor
        if message.event == END:
            self._is_over = True
            self._feed.end()
            await self._note_end(msgspec.json.decode(message.data, type=End))
            raise StopAsyncIteration
        item: T = self._shape.from_wire(self._decoder.decode(message.data), self._codec)
        return item

    async def _note_end(self, end: End) -> None:
        """The stream is over."""


class RemoteSubscription(Followed[Event]):
    """An endless sequence of events. Keep `cursor` to go on later, also in another process."""

    start: Future[str] | None = None
    """The cursor to start from, while the server is asked for it."""

    @property
    def cursor(self) -> str | None:
        """The cursor after the last event that was delivered. None: the start of the log.

        With `from_now`, this waits before the first event until the server has answered where the log ends.
        """
        if self.start is not None and self._cursor is None:
            self._cursor = self.start.result()
        return self._cursor

    async def __anext__(self) -> Event:
        """The next event. Waits for it if necessary."""
        if self.start is not None:
            begun_at = await self._caller.shared_result_of(self.start)
            self._cursor, self.start = self._cursor or begun_at, None
        return await super().__anext__()


class RemoteStream(Followed[StreamFrame]):
    """The frames of one stream, as they are written. Keep `cursor` to go on later, also in another process."""

    closed_reason: str | None = None
    """How the execution has ended, once the iteration is over. None: it was removed."""
    is_there: Callable[[], Awaitable[bool]]
    """Whether the execution still exists."""

    async def _note_end(self, end: End) -> None:
        # The server reads ahead: the execution may have been removed since.
        self.closed_reason = end.closed_reason if await self.is_there() else None
