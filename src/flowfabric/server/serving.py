"""Runs the app with uvicorn: who may reach it, slow and endless requests, and the stop."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, Final

import h11
import msgspec
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from flowfabric.domain.errors import InvalidInput
from flowfabric.server.application import Application
from flowfabric.server.messages import HttpError
from flowfabric.server.settings import LOOPBACK
from flowfabric.wire.problems import MEDIA_TYPE

HEAD_S: Final = 10.0
"""How long the first line and the headers of a request may take to arrive."""
HEAD_BYTES_MAX: Final = 32 * 1024
KEEP_ALIVE_S: Final = 75
CONNECTIONS_MAX: Final = 4_000
"""How many connections are open at the same time at most. Further ones are closed."""
LINGER_S: Final = 1.0
"""How long a client that was refused may go on sending, so that it can read why."""
LINGER_BYTES_MAX: Final = 64 * 1024 * 1024
"""How much it may send meanwhile: as much as the largest body. What it sends is dropped."""
UNREAD_S: Final = 30.0
"""How often a connection whose reader is behind is looked at."""
TAKEN_BYTES_MIN: Final = 16 * 1024
"""How many bytes such a reader must have taken meanwhile. Otherwise it is cut off, with what waits for it."""


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how a server listens."""

    host: str = "127.0.0.1"
    port: int = 7433
    proxies: str = ""
    """The addresses of proxies whose X-Forwarded headers count, separated by commas. Empty: of none."""
    certificate: str = ""
    """The file of a TLS certificate."""
    key: str = ""
    grace_s: int = 30
    """How long requests that are under way have to finish when the server stops."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the host."""
    if host in LOOPBACK:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def decide_access(host: str, *, has_tokens: bool, without_tokens: bool, i_know: bool) -> bool:
    """Whether everybody who reaches the server may do everything. It is decided at the start, once.

    Without tokens, that is so on loopback only. Elsewhere it takes both options, so that nobody does it by accident.
    """
    if without_tokens:
        if not i_know and not is_loopback(host):
            raise InvalidInput(
                f"--auth none on {host} lets everybody who reaches this machine do everything. If you mean that, add "
                "--i-know."
            )
        return True
    if has_tokens:
        return False
    if not is_loopback(host):
        raise InvalidInput(
            f"There is no access token, so everybody who reaches {host} could do everything. Make a token first with "
            "`ff tokens create --role admin --expires 90d`, or listen on 127.0.0.1."
        )
    return True


class Server(uvicorn.Server):
    """uvicorn with a stop that ends waits and streams first, and that leaves the process alive."""

    def __init__(self, app: Application, listening: Listening) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=listening.host,
                port=listening.port,
                http=GuardedProtocol,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(listening.proxies),
                forwarded_allow_ips=listening.proxies or None,
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=listening.grace_s,
                h11_max_incomplete_event_size=HEAD_BYTES_MAX,
                ssl_certfile=listening.certificate or None,
                ssl_keyfile=listening.key or None,
                backlog=1024,
            )
        )
        self._app = app
        self.on_started: Callable[[], object] = lambda: None
        """Called as soon as it listens."""

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            self.on_started()

    @property
    def port(self) -> int:
        """The port on which it listens, once it has started."""
        port: int = self.servers[0].sockets[0].getsockname()[1]
        return port

    async def shutdown(self, sockets: Any = None) -> None:
        """Finish what is under way. Waits and streams end at once."""
        self._app.drain()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """SIGINT and SIGTERM stop the server. The process goes on, so that the engine is closed in order."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sig: signal.signal(sig, self.handle_exit) for sig in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)


class GuardedProtocol(H11Protocol):
    """HTTP/1.1 with a time limit for the head of a request, and an end for bodies and answers that nobody reads."""

    _head_timer: asyncio.TimerHandle | None = None
    _unwanted_bytes = 0
    """How many bytes of a body have come after the answer to its request."""
    _reader_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        # As soon as something waits to be sent, the reader is watched, also while the connection is being closed.
        transport.set_write_buffer_limits(high=1, low=0)
        if len(self.connections) > CONNECTIONS_MAX:
            transport.abort()
        else:
            self._watch_head()

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        if self._is_unwanted():
            self._unwanted_bytes += len(data)
            if self._unwanted_bytes > LINGER_BYTES_MAX:
                self.transport.abort()
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_timer()
        self._stop_watching_reader()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The reader is behind: see to it that it goes on reading."""
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        """The reader has everything."""
        self._stop_watching_reader()
        super().resume_writing()

    def _watch_reader(self) -> None:
        waits = self.transport.get_write_buffer_size()
        self._reader_timer = self.loop.call_later(UNREAD_S, self.check_reader, waits)

    def check_reader(self, waited: int) -> None:
        """Cut the reader off if it has taken next to nothing of the bytes that waited for it a while ago."""
        if waited - self.transport.get_write_buffer_size() < TAKEN_BYTES_MIN:
            self.transport.abort()
        else:
            self._watch_reader()

    def _stop_watching_reader(self) -> None:
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None

    def handle_events(self) -> None:
        """Prepare each new request: its answer leaves in one piece, and the app can drop a reader that is too slow."""
        before = self.scope
        super().handle_events()
        if self.scope is not before and self.scope is not None:
            scope: Any = self.scope
            scope["flowfabric.abort"] = self.transport.abort
            cycle: Any = self.cycle
            cycle.transport = WholeAnswers(self.transport, self.loop)

    def on_response_complete(self) -> None:
        """Read no further than necessary if the body of the request was not wanted."""
        super().on_response_complete()
        self._unwanted_bytes = 0
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self.loop.call_later(LINGER_S, self._stop_reading, self.cycle)

    def _stop_reading(self, cycle: object) -> None:
        """Close the connection if the body of that request still comes. Otherwise it serves further requests."""
        if self.cycle is cycle and self._is_unwanted():
            self.transport.abort()

    def _is_unwanted(self) -> bool:
        """Whether the body of a request still comes, although the request is answered."""
        cycle: Any = self.cycle
        return cycle is not None and cycle.response_complete and self.conn.their_state is h11.SEND_BODY

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP in the same way as everything else that is wrong."""
        problem = HttpError(400, "no_http", "This is not a valid HTTP request.").problem("")
        body = msgspec.json.encode(problem)
        headers = [
            (b"content-type", MEDIA_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event))
        self.transport.close()

    def _watch_head(self) -> None:
        cycle: Any = self.cycle  # None before the first request
        is_waiting = cycle is None or cycle.response_complete
        if not is_waiting:
            self._stop_timer()
        elif self._head_timer is None and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(HEAD_S, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


class WholeAnswers:
    """A transport that sends the head of an answer together with its first bytes: one packet, and one wake-up there.

    A head whose body is not there yet is sent at the end of the same turn of the event loop.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head: bytes | None = None
        """None: nothing was written. Empty: the head has been sent."""

    def write(self, data: bytes) -> None:
        """Send bytes; the first ones a little later, together with those that follow."""
        if self._head is None:
            self._head = data
            self._loop.call_soon(self._send_head)
        else:
            head, self._head = self._head, b""
            self._transport.write(head + data)

    def _send_head(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head)

    def close(self) -> None:
        """Close the connection when everything is sent."""
        self._send_head()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


def allowed_hosts(listening: Listening, given: Sequence[str]) -> tuple[str, ...]:
    """The names under which the server may be addressed: those given, loopback, and the host it listens on."""
    own = () if listening.host in ("0.0.0.0", "::") else (listening.host.lower(),)  # noqa: S104 - it is compared only
    return tuple(dict.fromkeys((*(each.lower() for each in given), *own, *LOOPBACK)))
