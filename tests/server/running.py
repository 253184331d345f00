"""A real server on loopback, in a thread of its own, and a caller that speaks HTTP to it."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec

from flowfabric import Engine, open_engine
from flowfabric.domain.health.facts import Facts
from flowfabric.domain.inputs import fence
from flowfabric.server import Settings, app
from flowfabric.server.serving import Listening, Server
from flowfabric.wire import leases
from flowfabric.wire.operations import OPERATIONS
from flowfabric.wire.problems import Problem, error_of
from flowfabric.wire.shapes import Codec

WAIT_S = 60.0


class Running:
    """A server and the engine behind it."""

    def __init__(self, engine: Engine, server: Server, loop: asyncio.AbstractEventLoop) -> None:
        self.engine = engine
        self.server = server
        self.loop = loop
        self.port = server.port
        self.url = f"http://127.0.0.1:{self.port}"

    def run(self, work: Any) -> Any:
        """Run a coroutine of the engine where the server runs."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(WAIT_S)

    def token(self, role: str, **options: Any) -> str:
        """A new access token."""
        return self.run(self.engine.create_access_token(role, **options)).secret

    def drain(self) -> None:
        """Begin to stop."""
        self.loop.call_soon_threadsafe(self.server._app.drain)


@contextmanager
def running(
    url: str = "memory://",
    *,
    with_tokens: bool = False,
    settings: Settings | None = None,
    examine: Callable[[], Facts] | None = None,
    **options: Any,
) -> Iterator[Running]:
    """A server on a free port of loopback. It is stopped at the end, and that takes no longer than it may."""
    started: list[Any] = []
    is_up = threading.Event()

    async def serve() -> None:
        async with open_engine(url, **options) as engine:
            access = engine if with_tokens else None
            offered = app(engine, access=access, settings=settings or Settings(), examine=examine)
            server = Server(offered, Listening(port=0, grace_s=5))
            loop = asyncio.get_running_loop()
            server.on_started = lambda: (started.append(Running(engine, server, loop)), is_up.set())
            await server.serve()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert is_up.wait(WAIT_S)
    try:
        yield started[0]
    finally:
        started[0].server.should_exit = True
        thread.join(WAIT_S)
        assert not thread.is_alive(), "the server did not stop"


class Caller:
    """Calls methods over HTTP, as a client does. What is not 200 is raised."""

    def __init__(self, url: str, token: str = "", **headers: str) -> None:
        own = {"authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(base_url=url, headers={**own, **headers}, timeout=WAIT_S)
        self._leases: dict[Any, str] = {}
        self.codec = Codec(lambda lease: self._leases.get(lease) or leases.plain(lease), self._lease)

    def _lease(self, text: str) -> Any:
        lease = leases.fields_of(text)
        self._leases[lease] = self._leases[leases.lease_in(fence(lease))] = text
        return lease

    def send(self, method: str, *args: Any, **keywords: Any) -> httpx.Response:
        """Send the request of a call."""
        request = OPERATIONS[method].sent(args, keywords, self.codec)
        headers = {"content-type": "application/json"} if request.body is not None else {}
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        return self.http.request(
            request.verb, request.path, params=request.query, content=request.body, headers=headers
        )

    def __call__(self, method: str, *args: Any, **keywords: Any) -> Any:
        response = self.send(method, *args, **keywords)
        if response.status_code == 200:
            return OPERATIONS[method].answer_in(response.content, self.codec)
        if response.status_code == 204:
            raise TimeoutError
        assert response.headers["content-type"] == "application/problem+json", response.text
        problem = msgspec.json.decode(response.content, type=Problem)
        if problem.absent:
            return None
        raise error_of(problem)
