"""`ff server`."""

import logging
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from cyclopts import Parameter

from flowfabric.cli.doctor import examined
from flowfabric.cli.exits import NotDone, WrongCall
from flowfabric.cli.filters import span_ms
from flowfabric.cli.output import say
from flowfabric.cli.target import Program, Target, existing

if TYPE_CHECKING:
    from flowfabric.engine.engine import Engine
    from flowfabric.ports.tracing import Tracer
    from flowfabric.runtime.loops import Loop
    from flowfabric.server import Application
    from flowfabric.server.serving import Listening
    from flowfabric.server.settings import Settings
    from flowfabric.telemetry.metrics import Metrics, Rendered

log = logging.getLogger("flowfabric.server")


def server(
    *,
    store: Annotated[
        str, Parameter(help="The database, such as sqlite:///shop.db. Without it, that of the program.")
    ] = "",
    app: Program = "",
    host: Annotated[str, Parameter(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Parameter(help="The port to listen on. 0: any free one.")] = 7433,
    allowed_host: Annotated[
        tuple[str, ...], Parameter(help="A name under which the server may be addressed; may be given again.")
    ] = (),
    proxy_headers: Annotated[
        str, Parameter(help="The addresses of proxies whose X-Forwarded headers count, separated by commas.")
    ] = "",
    certificate: Annotated[str, Parameter(help="The file of a TLS certificate.")] = "",
    key: Annotated[str, Parameter(help="The file of its private key.")] = "",
    auth: Annotated[
        Literal["tokens", "none"],
        Parameter(help="Whether callers need access tokens. none: everybody may do everything."),
    ] = "tokens",
    i_know: Annotated[bool, Parameter(help="Confirm --auth none on an address that others reach.")] = False,
    metrics_port: Annotated[
        int | None, Parameter(help="Serve metrics without tokens at this port, too; 0 takes a free one.")
    ] = None,
    metrics_host: Annotated[str, Parameter(help="The address of that port.")] = "127.0.0.1",
    grace: Annotated[str, Parameter(help="How long requests have to finish when the server stops.")] = "30s",
    loop: Annotated[
        Literal["auto", "asyncio", "uvloop"],
        Parameter(help="The event loop: uvloop's where it is installed (auto), or one of the two by name."),
    ] = "auto",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Parameter(help="The lowest level that is logged to standard error."),
    ] = "info",
    log_format: Annotated[
        Literal["text", "json"],
        Parameter(help="The log format: lines for people, or one JSON object per line."),
    ] = "text",
) -> None:
    """Offer the database over HTTP, to people, programs and workers, until SIGTERM or Ctrl-C."""
    from flowfabric.runtime.logs import set_up

    set_up(log_level.upper(), log_format)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    with needs_server():
        from flowfabric.server.serving import Listening, allowed_hosts
        from flowfabric.server.settings import Settings
    if bool(certificate) != bool(key):
        raise WrongCall("--certificate and --key belong together. Give both, or none.")
    listening = Listening(
        host=host,
        port=port,
        proxies=proxy_headers,
        certificate=certificate,
        key=key,
        grace_s=max(1, span_ms("--grace", grace) // 1000),
    )
    settings = Settings(allowed_hosts=allowed_hosts(listening, allowed_host))
    place = Target(url=store, app=app).place()
    tracer = None if place.fabric is None else place.fabric.tracer
    url = existing(place, may_be_made=True)
    serving = Serving(url, listening, settings, Exposing(_metrics(metrics_port), metrics_host, metrics_port), tracer)
    serve(lambda: serving.run(without_tokens=auth == "none", i_know=i_know), loop)


def serve(work: Callable[[], Coroutine[object, object, None]], loop: "Loop" = "auto") -> None:
    """Run a process that only serves: on the faster event loop where it is installed, and with few collections."""
    import asyncio

    from flowfabric.process_engine import collecting_seldom
    from flowfabric.runtime.loops import loop_factory

    with collecting_seldom(), asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        runner.run(work())


def _metrics(port: int | None) -> "Metrics | None":
    """What counts, if it is installed."""
    try:
        from flowfabric.telemetry.metrics import Metrics
    except ImportError as error:
        if port is not None:
            raise WrongCall(f"--metrics-port needs more than is installed. {error}") from error
        return None
    return Metrics()


@contextmanager
def needs_server() -> Iterator[None]:
    """Imports in this block need the extra `server`. The error says how to install it."""
    try:
        yield
    except ImportError as error:
        raise NotDone(f"A server needs the extra `server`: pip install 'flowfabric[server]'. ({error})") from error


class Exposing(NamedTuple):
    """The metrics, and the port of their own that they have, if they have one."""

    metrics: "Metrics | None" = None
    host: str = "127.0.0.1"
    port: int | None = None

    def of(self, offered: "Application") -> AbstractContextManager[object]:
        """While the block lasts, the metrics are at their port."""
        if self.port is None:
            return nullcontext()
        import asyncio

        from flowfabric.telemetry.exposing import exposed

        loop = asyncio.get_running_loop()

        def render(accept: str) -> "Rendered":
            return asyncio.run_coroutine_threadsafe(offered.metrics_for(accept), loop).result()

        return exposed(render, self.host, self.port)


class Serving(NamedTuple):
    """A database that is offered over HTTP."""

    url: str
    listening: "Listening"
    settings: "Settings"
    exposing: Exposing = Exposing()
    tracer: "Tracer | None" = None

    async def run(self, *, without_tokens: bool, i_know: bool) -> None:
        """Serve until the process gets SIGTERM or SIGINT."""
        from flowfabric.app import name_of, open_engine
        from flowfabric.server.serving import decide_access

        host = self.listening.host
        async with open_engine(self.url, telemetry=self.exposing.metrics, tracer=self.tracer) as engine:
            has_tokens = await engine.has_access_tokens()
            is_open = decide_access(host, has_tokens=has_tokens, without_tokens=without_tokens, i_know=i_know)
            if is_open:
                log.warning("this server asks for no token: everybody who reaches %s may do everything", host)
            # The person at the terminal gets a link. Other people read the log, so a log gets none.
            secret = None if is_open or not sys.stdout.isatty() else (await engine.create_login_token()).secret
            where = name_of(self.url)

            def started(port: int) -> None:
                log.info("serving %s on %s", where, address(self.listening, port))
                if secret is not None:
                    _invite(login_link(self.listening, port, secret))

            await self._serve(engine, None if is_open else engine, started)
            log.info("stopped")

    async def run_for_one(self, open_browser: "Callable[[str], object] | None") -> None:
        """Serve until the process gets SIGTERM or SIGINT, and let nobody in but the person who has the link."""
        from flowfabric.app import name_of, open_engine

        async with open_engine(self.url) as engine:
            secret = (await engine.create_login_token()).secret

            def started(port: int) -> None:
                link = login_link(self.listening, port, secret)
                say(f"This is the dashboard of {name_of(self.url)}. Ctrl-C ends it.")
                _invite(link)
                if open_browser is not None:
                    open_browser(link)

            await self._serve(engine, engine, started)

    async def _serve(self, engine: "Engine", access: "Engine | None", started: "Callable[[int], None]") -> None:
        from flowfabric.server import app
        from flowfabric.server.serving import Server

        offered = app(
            engine,
            access=access,
            settings=self.settings,
            metrics=self.exposing.metrics,
            examine=lambda: examined(self.url),
        )
        running = Server(offered, self.listening)
        running.on_started = lambda: started(running.port)
        with self.exposing.of(offered):
            await running.serve()


def _invite(link: str) -> None:
    say("Open this link within ten minutes. It works once:")
    say(link)
    sys.stdout.flush()


def login_link(listening: "Listening", port: int, secret: str) -> str:
    """A link that logs a browser in. The secret stands after the #: browsers send that part to no server."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listening.host, listening.host)  # noqa: S104 - it is replaced
    return f"{address(listening, port, here)}/login#{secret}"


def address(listening: "Listening", port: int, host: str = "") -> str:
    """The address for people. The port may have been chosen by the system."""
    scheme = "https" if listening.certificate else "http"
    host = host or listening.host
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
