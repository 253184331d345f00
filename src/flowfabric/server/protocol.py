"""One connection to the server: requests are read, handed to the app and answered; who is slow or broken is cut off."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import unquote

import msgspec

from flowfabric.server.http1 import CONTINUE, LAST_CHUNK, Head, chunk, head_bytes, head_in
from flowfabric.server.messages import HttpError
from flowfabric.wire.http1 import BodyReader, Malformed
from flowfabric.wire.problems import MEDIA_TYPE

log = logging.getLogger("flowfabric.server")

HEAD_S: Final = 10.0
"""How long the first line and the headers of a request may take to arrive."""
CONNECTIONS_MAX: Final = 4_000
"""How many connections are open at the same time at most. Further ones are closed."""
AHEAD_BYTES: Final = 64 * 1024
"""How much of a body is read before the app asks for it."""
LINGER_S: Final = 1.0
"""How long a client that was refused may go on sending, so that it can read why."""
LINGER_BYTES_MAX: Final = 64 * 1024 * 1024
"""How much it may send meanwhile: as much as the largest body. What it sends is dropped."""
UNREAD_S: Final = 30.0
"""How often a connection whose reader is behind is looked at."""
TAKEN_BYTES_MIN: Final = 16 * 1024
"""How many bytes such a reader must have taken meanwhile. Otherwise it is cut off, with what waits for it."""


class GuardedProtocol(asyncio.Protocol):
    """HTTP/1.1 on one connection, with limits on everything that a client could draw out."""

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        """The arguments are those that uvicorn gives to a protocol."""
        self.loop: asyncio.AbstractEventLoop = _loop or asyncio.get_running_loop()
        self.transport: asyncio.Transport
        self.server_state = server_state
        self._config = config
        self._app_state = app_state
        self._server: tuple[str, int | None] | None = None
        self._client: tuple[str, int] | None = None
        self._scheme = "http"
        self._received = bytearray()
        self._body = BodyReader(0)
        self.exchange: Exchange | None = None
        """The last request, and the answer to it. None: there was no request yet."""
        self._is_reading = True
        self.writable: asyncio.Future[None] | None = None
        """Done when the reader has everything. None: nothing waits to be sent."""
        self._unwanted_bytes = 0
        """How many bytes of a body have come after the answer to its request."""
        self._head_timer: asyncio.TimerHandle | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        self._idle_since = 0.0
        self._reader_timer: asyncio.TimerHandle | None = None

    # ── what the event loop calls ────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        self.transport = transport = cast("asyncio.Transport", transport)  # that of uvloop is no subclass
        self._server, self._client = _name(transport, "sockname"), _name(transport, "peername")
        self._scheme = "https" if transport.get_extra_info("sslcontext") else "http"
        self.server_state.connections.add(self)
        # As soon as something waits to be sent, the reader is watched, also while the connection is being closed.
        transport.set_write_buffer_limits(high=1, low=0)
        if len(self.server_state.connections) > CONNECTIONS_MAX:
            transport.abort()
        else:
            self._watch_head()

    def data_received(self, data: bytes) -> None:
        """Read on."""
        self._received += data
        if self._is_unwanted:
            self._unwanted_bytes += len(data)
            if self._unwanted_bytes > LINGER_BYTES_MAX:
                self.transport.abort()
        self._read_on()

    def connection_lost(self, error: Exception | None) -> None:
        """Wait for nothing any more."""
        self.server_state.connections.discard(self)
        for timer in (self._head_timer, self._idle_timer, self._reader_timer):
            if timer is not None:
                timer.cancel()
        if self.exchange is not None:
            self.exchange.disconnect()
        self._let_write()

    def pause_writing(self) -> None:
        """The reader is behind: see to it that it goes on reading."""
        if self.writable is None:
            self.writable = self.loop.create_future()
            self._watch_reader()

    def resume_writing(self) -> None:
        """The reader has everything."""
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None
        self._let_write()

    def _let_write(self) -> None:
        writable, self.writable = self.writable, None
        if writable is not None and not writable.done():
            writable.set_result(None)

    # ── requests ─────────────────────────────────────────────────────────────────────────────────

    @property
    def _is_free(self) -> bool:
        """Whether a new request may begin."""
        return self.exchange is None or self.exchange.is_answered

    @property
    def _is_unwanted(self) -> bool:
        """Whether the body of a request still comes, although the request is answered."""
        return self._is_free and not self._body.is_complete

    def _read_on(self) -> None:
        """Read as far as it is of use now."""
        try:
            while self._received and not self.transport.is_closing():
                if not self._body.is_complete:
                    self._read_body()
                    if not self._body.is_complete:
                        break
                elif not self._is_free:  # the next request came before this one is answered
                    self._pause_reading()
                    break
                elif (head := head_in(self._received)) is not None:
                    self._begin(head)
                else:
                    break
        except Malformed:
            self._refuse()
        if self._is_free and self._body.is_complete:
            if self._received or self.exchange is None:
                self._watch_head()
        elif self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _begin(self, head: Head) -> None:
        self._body = BodyReader(head.length)
        self.exchange = exchange = Exchange(self, head, self._scope(head))
        if self._received and not self._body.is_complete:
            self._read_body()
        elif self._body.is_complete:
            exchange.take(b"", is_last=True)
        task = self.loop.create_task(exchange.run(self._config.loaded_app))
        tasks = self.server_state.tasks
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def _read_body(self) -> None:
        some, exchange = self._body.take(self._received), self.exchange
        assert exchange is not None
        exchange.take(some, is_last=self._body.is_complete)
        if exchange.bytes_ahead > AHEAD_BYTES and not self._body.is_complete:
            self._pause_reading()

    def _scope(self, head: Head) -> dict[str, Any]:
        path, _, query = head.target.partition(b"?")
        text = path.decode("ascii")
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.0" if head.is_1_0 else "1.1",
            "server": self._server,
            "client": self._client,
            "scheme": self._scheme,
            "method": head.method,
            "root_path": "",
            "path": unquote(text) if "%" in text else text,
            "raw_path": path,
            "query_string": query,
            "headers": head.headers,
            "state": self._app_state.copy(),
            "flowfabric.abort": self.transport.abort,
        }

    def _refuse(self) -> None:
        """Answer what is no HTTP in the same way as everything else that is wrong."""
        exchange = self.exchange
        self._received.clear()
        if exchange is not None and not exchange.is_answered:
            exchange.disconnect()
            if exchange.has_begun:
                self.transport.abort()
                return
        body = msgspec.json.encode(HttpError(400, "no_http", "This is not a valid HTTP request.").problem(""))
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
        self.transport.write(head_bytes(400, headers, [(b"connection", b"close")]) + body)
        self.transport.close()

    # ── answers ──────────────────────────────────────────────────────────────────────────────────

    def ended(self, exchange: "Exchange") -> None:
        """The answer has been sent: serve the next request, if there may be one."""
        self.server_state.total_requests += 1
        if exchange.closes:
            self.transport.close()
        if self.transport.is_closing():
            return
        self._idle_since = self.loop.time()
        if self._idle_timer is None:
            self._idle_timer = self.loop.call_later(self._config.timeout_keep_alive, self._end_if_idle)
        self.resume_reading()
        self._unwanted_bytes = 0
        if self._is_unwanted:
            self.loop.call_later(LINGER_S, self._stop_reading, exchange)
        elif self._received:
            self.loop.call_soon(self._read_on)

    def shutdown(self) -> None:
        """The server stops: finish what is under way."""
        if self.exchange is None or self.exchange.is_answered:
            self.transport.close()
        else:
            self.exchange.closes = True

    def _stop_reading(self, exchange: "Exchange") -> None:
        """Close the connection if the body of that request still comes. Otherwise it serves further requests."""
        if self.exchange is exchange and self._is_unwanted:
            self.transport.abort()

    # ── limits ───────────────────────────────────────────────────────────────────────────────────

    def _pause_reading(self) -> None:
        if self._is_reading and not self.transport.is_closing():
            self._is_reading = False
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        """Let more bytes come."""
        if not self._is_reading and not self.transport.is_closing():
            self._is_reading = True
            self.transport.resume_reading()

    def _watch_head(self) -> None:
        """See to it that the head which has begun comes to its end. It is begun as soon as somebody has connected."""
        if self._head_timer is None and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(HEAD_S, self.transport.abort)

    def _end_if_idle(self) -> None:
        """End a connection that nobody has used for long. One timer serves many requests."""
        self._idle_timer = None
        if not self._is_free:
            return  # the end of the answer starts it anew
        left_s = self._idle_since + self._config.timeout_keep_alive - self.loop.time()
        if left_s > 0:
            self._idle_timer = self.loop.call_later(left_s, self._end_if_idle)
        else:
            self.transport.close()

    def _watch_reader(self) -> None:
        waits = self.transport.get_write_buffer_size()
        self._reader_timer = self.loop.call_later(UNREAD_S, self.check_reader, waits)

    def check_reader(self, waited: int) -> None:
        """Cut the reader off if it has taken next to nothing of the bytes that waited for it a while ago."""
        if waited - self.transport.get_write_buffer_size() < TAKEN_BYTES_MIN:
            self.transport.abort()
        else:
            self._watch_reader()


class Exchange:
    """One request and its answer, as the app sees them."""

    def __init__(self, protocol: GuardedProtocol, head: Head, scope: dict[str, Any]) -> None:
        self._protocol = protocol
        self._scope = scope
        self._is_1_0 = head.is_1_0
        self._waits_for_continue = head.waits_for_continue
        self.closes = head.closes
        """Whether the connection ends with the answer."""
        self._body: list[bytes] = []
        self.bytes_ahead = 0
        """How many bytes of the body the app has not asked for yet."""
        self._has_all = False
        self._has_given_all = False
        self._news: asyncio.Future[None] | None = None
        """Done when there is something that the app waits for."""
        self._is_disconnected = False
        self._head: bytes | None = None
        """What is sent together with the first bytes of the body: one packet, and one wake-up there."""
        self._is_chunked = False
        self.has_begun = False
        self.is_answered = False

    async def run(self, app: Callable[..., Any]) -> None:
        """Let the app answer. It answers its errors itself, so any that comes out is a bug of ours."""
        try:
            await app(self._scope, self.receive, self.send)
        except Exception:
            log.exception("a request was not answered")
        if not self.is_answered and not self._is_disconnected:
            self._protocol.transport.close()

    def take(self, some: bytes, *, is_last: bool) -> None:
        """More of the body has come."""
        self._waits_for_continue = False
        self._has_all = is_last
        if self.is_answered:  # nobody wants it any more
            return
        if some:
            self._body.append(some)
            self.bytes_ahead += len(some)
        self._tell()

    def disconnect(self) -> None:
        """Nobody waits for the answer any more."""
        self._is_disconnected = True
        self._tell()

    def _tell(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    # ── what the app calls ───────────────────────────────────────────────────────────────────────

    async def receive(self) -> dict[str, Any]:
        """More of the body, or that the client has gone."""
        if self._waits_for_continue and not self._protocol.transport.is_closing():
            self._waits_for_continue = False
            self._protocol.transport.write(CONTINUE)
        while not (self._is_disconnected or self.is_answered):
            if self._body or (self._has_all and not self._has_given_all):
                parts, self._body, self.bytes_ahead = self._body, [], 0
                self._has_given_all = self._has_all
                body = parts[0] if len(parts) == 1 else b"".join(parts)
                return {"type": "http.request", "body": body, "more_body": not self._has_all}
            self._protocol.resume_reading()
            self._news = self._protocol.loop.create_future()
            await self._news
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        """Send the head or a part of the body."""
        writable = self._protocol.writable
        if writable is not None and not self._is_disconnected:
            await asyncio.shield(writable)
        if self._is_disconnected:
            return
        if message["type"] == "http.response.start":
            self._head = self._head_of(message)
            self.has_begun = True
            return
        assert self.has_begun
        assert not self.is_answered
        data, is_last = message.get("body", b""), not message.get("more_body", False)
        if self._scope["method"] == "HEAD":
            data = b""
        elif self._is_chunked:
            data = chunk(data) + (LAST_CHUNK if is_last else b"")
        if self._head is not None:
            data, self._head = self._head + data, None
        if data:
            self._protocol.transport.write(data)
        if is_last:
            self.is_answered = True
            self._tell()
            self._protocol.ended(self)

    def _head_of(self, message: dict[str, Any]) -> bytes:
        headers, status = message["headers"], message["status"]
        more = list(self._protocol.server_state.default_headers)
        if status != 204 and not any(name == b"content-length" for name, _ in headers):
            self._is_chunked = not self._is_1_0
            self.closes = self.closes or self._is_1_0
            if self._is_chunked:
                more.append((b"transfer-encoding", b"chunked"))
        if self.closes:
            more.append((b"connection", b"close"))
        return head_bytes(status, headers, more)


def _name(transport: asyncio.Transport, which: str) -> Any:
    """Host and port of one end. None: it has no such name."""
    found = transport.get_extra_info(which)
    return (str(found[0]), int(found[1])) if isinstance(found, list | tuple) and len(found) >= 2 else None
