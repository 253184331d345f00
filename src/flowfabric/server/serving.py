"""Runs the app with uvicorn: who may reach it, slow and endless requests, and the stop."""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, Final

import msgspec
import uvicorn

from flowfabric.domain.errors import InvalidInput
from flowfabric.server.application import Application
from flowfabric.server.protocol import GuardedProtocol
from flowfabric.server.settings import LOOPBACK

KEEP_ALIVE_S: Final = 75
"""How long a connection stays open that nobody uses."""


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


def allowed_hosts(listening: Listening, given: Sequence[str]) -> tuple[str, ...]:
    """The names under which the server may be addressed: those given, loopback, and the host it listens on."""
    own = () if listening.host in ("0.0.0.0", "::") else (listening.host.lower(),)  # noqa: S104 - it is compared only
    return tuple(dict.fromkeys((*(each.lower() for each in given), *own, *LOOPBACK)))
