"""A server of this process, in a thread of its own, for everything that is tested through HTTP."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, NamedTuple

from flowfabric import BlockingEngine, open_blocking_engine, server
from flowfabric.app import assemble, blocking, open_store
from flowfabric.domain.access import Principal, Session
from flowfabric.domain.errors import EngineError, InvalidInput, StoreError
from flowfabric.engine.engine import Engine
from flowfabric.engine.shells import run_now
from flowfabric.ports.clock import Clock
from flowfabric.server.calls import Calls
from flowfabric.server.serving import Listening, Server
from flowfabric.wire.operations import Operation


class _Switch(server.Application):
    """Hands every request to the app of the test that runs now."""

    def __init__(self) -> None:
        self.current: server.Application | None = None
        self.counted: Counter[str] = Counter()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self.current is not None:
            self.counted[f"{scope['method']} {scope['path']}"] += 1
            await self.current(scope, receive, send)

    def drain(self) -> None:
        """The thread ends with its process."""


class _Documented(Calls):
    """Notes each refusal that the document of the API does not name for its route."""

    def __init__(self, app: server.Application, undocumented: set[str]) -> None:
        super().__init__(app.engine, app.settings, app._draining, app.calls._doctor)
        self._undocumented = undocumented

    async def answer(self, request: Any, operation: Operation, path: Any, caller: Any) -> Any:
        try:
            return await super().answer(request, operation, path, caller)
        except EngineError as error:
            if not isinstance(error, (*operation.refusals, InvalidInput, StoreError)):
                self._undocumented.add(f"{operation.route.method}: {error.code}")
            raise


class _Announcing(Server):
    """Says when it listens."""

    def __init__(self, app: server.Application, listening: Listening) -> None:
        super().__init__(app, listening)
        self.has_started = threading.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.has_started.set()


class ServedEngine(BlockingEngine):
    """An engine through a server. What a server asks of its engine itself is asked of the engine behind it."""

    def __init__(self, remote: Engine, behind: Engine) -> None:
        super().__init__(remote)
        self._behind = behind

    def scoped(self, namespace: str) -> "ServedEngine":
        return ServedEngine(self._engine.scoped(namespace), self._behind.scoped(namespace))

    def acting_as(self, actor: str) -> "ServedEngine":
        return ServedEngine(self._engine.acting_as(actor), self._behind.acting_as(actor))

    def authenticate(self, secret: str) -> Principal | None:
        return run_now(self._behind.authenticate(secret))

    def log_in(self, secret: str) -> Session | None:
        return run_now(self._behind.log_in(secret))

    def log_out(self, secret: str) -> None:
        run_now(self._behind.log_out(secret))


class HttpServer:
    """A real server on the loopback address, which stays while the engines behind it come and go."""

    def __init__(self) -> None:
        self.switch = _Switch()
        self._server = _Announcing(self.switch, Listening(port=0))
        threading.Thread(target=lambda: asyncio.run(self._server.serve()), name="http-of-tests", daemon=True).start()
        self._server.has_started.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.port}"

    @contextmanager
    def counting(self) -> Iterator[Counter[str]]:
        """The requests that come while the block lasts, by verb and path."""
        self.switch.counted = counted = Counter()
        yield counted

    def cut_connections(self) -> None:
        """End all connections, whatever goes on there."""
        loop = self._server.servers[0].get_loop()
        for connection in list(self._server.server_state.connections):
            loop.call_soon_threadsafe(connection.transport.abort)


class Served(NamedTuple):
    """A server, and the engine behind it, for synchronous code."""

    url: str
    behind: Engine


@cache
def the_server() -> HttpServer:
    """The one of this process, started when it is first needed."""
    return HttpServer()


@contextmanager
def serving(clock: Clock | None = None, *, store_url: str = "memory://", reconcile: bool = False) -> Iterator[Served]:
    """A server with an engine of its own on a store behind it."""
    http = the_server()
    with ExitStack() as stack:
        services = assemble(stack, open_store(store_url, clock=clock), reconcile=reconcile)
        http.switch.current = app = server.app(Engine(services))
        undocumented: set[str] = set()
        app.calls = _Documented(app, undocumented)
        yield Served(http.url, Engine(blocking(services)))
        assert not undocumented, f"wire/routes.py does not name these refusals: {sorted(undocumented)}"


@contextmanager
def served_engine(clock: Clock) -> Iterator[ServedEngine]:
    """A blocking engine through a server, on an empty store."""
    with serving(clock) as served, open_blocking_engine(served.url) as remote:
        yield ServedEngine(remote._engine, served.behind)
