"""Server-Sent Events: what is followed, sent item by item, to readers that may be slow, far away, or gone."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import msgspec

from flowfabric.domain.errors import EngineError
from flowfabric.server.messages import PROTECTION, HttpError, Request, Send
from flowfabric.server.settings import Settings
from flowfabric.wire.engine import FollowedEvents, FollowedFrames, WireEngine
from flowfabric.wire.operations import Arguments, Operation
from flowfabric.wire.problems import problem_of
from flowfabric.wire.shapes import Codec

if TYPE_CHECKING:
    from collections.abc import Iterator


REST_EACH_S: Final = 0.0025
REST_S_MAX: Final = 0.25
"""A reader of the log rests after each piece for so long times the number of such readers, and gets what has come
meanwhile in the next piece. So a busy log costs nearly the same with many readers. Pages wait as long before they read.
"""
Rest = Callable[[], Awaitable[None]]
"""What a stream awaits after each piece."""
PIECE_BYTES: Final = 64 * 1024
"""A piece that has so many bytes is sent, also if more items are there."""


class Streams:
    """The streams that are open, counted for each token."""

    def __init__(self, settings: Settings, draining: asyncio.Event) -> None:
        self._settings = settings
        self._draining = draining
        self._open: Counter[str] = Counter()
        self._of_log = 0
        """How many streams of the event log are open."""

    @contextmanager
    def one_more(self, holder: str, *, of_log: bool) -> "Iterator[Rest]":
        """While the block lasts, one more stream of this holder is open. Raises 429 if there are too many.

        `of_log`: it is a stream of the event log. What people read along, as it is written, does not rest.
        """
        if self._open[holder] >= self._settings.streams_max:
            raise HttpError(
                429,
                "too_many_streams",
                f"This token has {self._settings.streams_max} streams open. Close one of them.",
                retryable=True,
            )
        self._open[holder] += 1
        self._of_log += of_log
        try:
            yield self._rest if of_log else _no_rest
        finally:
            self._of_log -= of_log
            self._open[holder] -= 1
            if not self._open[holder]:
                del self._open[holder]

    async def send(
        self,
        request: Request,
        send: Send,
        source: "FollowedEvents | FollowedFrames",
        encode: Callable[[Any], bytes],
        is_still_good: Callable[[], Awaitable[bool]],
        rest: "Rest",
    ) -> None:
        """Send items until the source ends, the reader goes away or is too slow, or its token is no longer good."""
        to = _Reader(request, send, self._settings.send_s)
        # A source that begins now asks the store first where that is.
        await to.begin(await asyncio.to_thread(lambda: source.cursor))
        if request.method == "HEAD":
            await to.write(b"", more=False)
            return
        gone = asyncio.ensure_future(request.gone())
        draining = asyncio.ensure_future(self._draining.wait())
        sending = asyncio.ensure_future(_send_all(source, encode, to, rest))
        others = (sending, gone, draining)
        try:
            while True:
                sent = to.sent
                await asyncio.wait(others, timeout=self._settings.heartbeat_s, return_when="FIRST_COMPLETED")
                if gone.done():
                    return
                if sending.done():
                    sending.result()
                    await to.end({"closed_reason": getattr(source, "closed_reason", None)})
                    return
                why = "server_stops" if draining.done() else "" if await is_still_good() else "unauthenticated"
                if why:
                    await _stopped(sending)
                    await to.end({"closed_reason": None, "code": why})
                    return
                if to.sent == sent:
                    await to.write(b": alive\n\n")
        except EngineError as error:
            await to.end({"closed_reason": None, "code": error.code, "problem": problem_of(error, request.id)})
        except SlowReader:
            to.cut()
        finally:
            await _stopped(*others)

    async def _rest(self) -> None:
        await asyncio.sleep(rest_s(self._of_log, asyncio.get_running_loop().time()))


async def _no_rest() -> None:
    """Send what comes as soon as it comes."""


def rest_s(readers: int, now_s: float) -> float:
    """How long until a reader of the log goes on. All go on at the same moment, and share what they read."""
    every_s = min(REST_S_MAX, readers * REST_EACH_S)
    return every_s - now_s % every_s


async def _send_all(
    source: "FollowedEvents | FollowedFrames",
    encode: Callable[[Any], bytes],
    to: "_Reader",
    rest: "Rest",
) -> None:
    """Send every item as it comes, and those that have come together in one piece. Returns after the last one."""
    while True:
        piece = b""
        while not piece or (source.has_more and len(piece) < PIECE_BYTES):
            try:
                item = await source.__anext__()
            except StopAsyncIteration:
                return
            piece += b"id: %b\ndata: %b\n\n" % ((source.cursor or "").encode(), encode(item))
        await to.write(piece)
        await rest()


async def _stopped(*tasks: "asyncio.Future[Any]") -> None:
    """Cancel tasks, and wait until they have ended."""
    for each in tasks:
        each.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def followed(
    operation: Operation, request: Request, view: WireEngine, arguments: Arguments
) -> "FollowedEvents | FollowedFrames":
    """What the request follows. What is wrong with it is raised here, before the stream begins."""
    keywords = dict(arguments.keywords)
    last = request.headers.get("last-event-id")
    if last:  # a browser that comes back sends the same address, and where it was
        keywords["cursor"] = last
        keywords.pop("from_now", None)
    if operation.route.method == "follow_stream":
        await view.read_stream(keywords["execution_id"], cursor=keywords.get("cursor"), limit=1)
        return view.follow_stream(**keywords)
    source = view.subscribe(**keywords)
    where = {name: value for name, value in keywords.items() if name != "from_now"}
    await view.read_events(**where, limit=1)
    return source


def encoder(operation: Operation, codec: Codec) -> Callable[[Any], bytes]:
    """How items are written: in one line. Only the space between parts of JSON can hold a line break."""
    return lambda item: operation.answered(item, codec).replace(b"\r", b" ").replace(b"\n", b" ")


class SlowReader(Exception):
    """The reader has not accepted what was sent in time."""


class _Reader:
    """The far end of a stream."""

    def __init__(self, request: Request, send: Send, send_s: float) -> None:
        self._request = request
        self._send = send
        self._send_s = send_s
        self.sent = 0
        """How often something was sent."""

    async def begin(self, cursor: str | None) -> None:
        """Say where the stream begins, so that a reader that is cut off before the first item loses nothing."""
        headers = [
            *PROTECTION,
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
            (b"x-request-id", self._request.id.encode()),
        ]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self.write(b"retry: 1000\n%b\n" % (b"" if cursor is None else b"id: %b\n" % cursor.encode()))

    async def write(self, data: bytes, *, more: bool = True) -> None:
        """Send some bytes. The server waits here when the reader's buffers are full: nothing is gathered for it."""
        try:
            async with asyncio.timeout(self._send_s):
                await self._send({"type": "http.response.body", "body": data, "more_body": more})
        except TimeoutError:
            raise SlowReader from None
        self.sent += 1

    async def end(self, why: dict[str, object]) -> None:
        """Say that nothing more comes, and why."""
        await self.write(b"event: end\ndata: %b\n\n" % msgspec.json.encode(why), more=False)

    def cut(self) -> None:
        """Drop the connection, with everything that waits to be sent on it."""
        abort = self._request.scope.get("flowfabric.abort")
        if abort is not None:
            abort()
