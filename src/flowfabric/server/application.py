"""The app: finds the route of a request, lets the guard look at it, and answers. Any ASGI server can run it."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote

import msgspec
from msgspec import Raw

from flowfabric.domain.access import Principal
from flowfabric.domain.errors import AccessDenied, EngineError, InvalidInput, StoreError
from flowfabric.domain.undecodable import UNDECODABLE, why
from flowfabric.server import dashboard, pages
from flowfabric.server.beside import Doctor
from flowfabric.server.calls import Calls
from flowfabric.server.guard import Caller, Guard, cookie_in, cookie_of, unauthenticated
from flowfabric.server.live import Streams, encoder, followed
from flowfabric.server.messages import (
    Bodies,
    Gone,
    HttpError,
    Part,
    Receive,
    Request,
    Response,
    Scope,
    Send,
    error_response,
    json_response,
)
from flowfabric.server.openapi import document
from flowfabric.server.settings import Settings
from flowfabric.wire import several
from flowfabric.wire.access import MAY, Access, OpenAccess, may
from flowfabric.wire.engine import WireEngine
from flowfabric.wire.operations import OPERATIONS, STREAMED, Operation

if TYPE_CHECKING:
    from flowfabric.domain.health.facts import Facts
    from flowfabric.telemetry.gauges import StoreGauges
    from flowfabric.telemetry.metrics import Metrics, Rendered

log = logging.getLogger("flowfabric.server")

VERBS: Final = frozenset({"GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"})
"""The methods that the log shows. A method may be any text."""


class Found(NamedTuple):
    """The route of a request, and what the path says."""

    pattern: str
    """The route as the log shows it: without ids, keys and tokens."""
    answer: "Callable[[Application, Request, dict[str, str]], Awaitable[Response | None]]"
    path: dict[str, str]


class Application:
    """An ASGI app that offers an engine. It may be mounted under any prefix."""

    def __init__(
        self,
        engine: WireEngine,
        access: Access | None,
        settings: Settings,
        metrics: "Metrics | None",
        examine: "Callable[[], Facts] | None" = None,
    ) -> None:
        self.engine = engine
        self.settings = settings
        self._metrics = metrics
        self._gauges = None if metrics is None else _gauges_of(metrics, engine)
        self._draining = asyncio.Event()
        self._bodies = Bodies(settings.bodies_bytes_max)
        self.guard = Guard(OpenAccess() if access is None else access, settings, is_open=access is None)
        self.access: Access = OpenAccess() if access is None else access
        self.calls = Calls(engine, settings, self._draining, Doctor(examine))
        self.streams = Streams(settings, self._draining)

    def drain(self) -> None:
        """End all waits and streams, because the server stops. Requests that are under way are finished."""
        self._draining.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or take part in the start and the stop of the server."""
        if scope["type"] == "http":
            await self._serve(Request(scope, receive, self._bodies), send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        self.drain()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, request: Request, send: Send) -> None:
        began_at_s = time.monotonic()
        status, pattern = 0, "no route"
        started = False

        async def noted(message: Any) -> None:
            nonlocal started, status
            if message["type"] == "http.response.start":
                started, status = True, message["status"]
            await send(message)

        request.scope["flowfabric.send"] = noted
        try:
            self.guard.check_host(request)
            found = _find(request)
            pattern = found.pattern
            response = await found.answer(self, request, found.path)
            if response is not None:
                await response.send(noted, request.id, without_body=request.method == "HEAD")
        except Gone:
            status = 499
        except (EngineError, HttpError) as error:
            if isinstance(error, StoreError):
                log.warning("request %s: %s", request.id, error, extra={"request_id": request.id})
            if not started:
                await error_response(error, request.id).send(noted, request.id)
        except Exception as error:
            failed = _failed(request, error)
            if not started:
                await error_response(failed, request.id).send(noted, request.id)
        finally:
            request.let_go()
            self._log(request, pattern, status, time.monotonic() - began_at_s)

    def _log(self, request: Request, pattern: str, status: int, took_s: float) -> None:
        """One line for each request, without anything that a caller has sent: it may be secret."""
        verb = request.method if request.method in VERBS else "?"
        if self._metrics is not None:
            self._metrics.request_ended(pattern, verb, status, took_s)
        if not log.isEnabledFor(logging.INFO):
            return
        caller = request.scope.get("flowfabric.caller")
        who = "-" if caller is None else caller.principal.name
        facts = {
            "request_id": request.id,
            "route": pattern,
            "status": status,
            "ms": round(took_s * 1000, 1),
            "who": who,
        }
        log.info("%s %s %d %.1f ms %s %s", verb, pattern, status, took_s * 1000, who, request.id, extra=facts)

    # ── routes of the table ──────────────────────────────────────────────────────────────────────

    async def call(self, request: Request, operation: Operation, path: dict[str, str]) -> Response | None:
        """Call a method of the engine, or send what it follows."""
        caller = await self._caller(request, operation)
        if operation.route.streams is None or not request.wants_events:
            return await self.calls.answer(request, operation, path, caller)
        streamed = STREAMED[operation.route.streams]
        assert caller is not None
        codec = await self.calls.codec(request, streamed, caller)
        arguments = await self.calls.arguments(request, streamed, path, codec, caller)
        view = await self.calls.view(request, streamed, caller, arguments)
        holder = caller.principal.token_id or request.address
        with self.streams.one_more(holder, of_log=streamed.route.method == "subscribe") as rest:
            source = await followed(streamed, request, view, arguments)
            await request.body(0, self.settings.body_s)
            with nullcontext() if self._metrics is None else self._metrics.reader_connected():
                is_still_good = partial(self.guard.is_still_good, caller)
                sender = request.scope["flowfabric.send"]
                await self.streams.send(request, sender, source, encoder(streamed, codec), is_still_good, rest)
        return None

    async def call_several(self, request: Request, path: dict[str, str]) -> Response:
        """Several calls in one request. The engine gets them together, and commits them together."""
        caller = await self.guard.caller(request, "known")
        request.scope["flowfabric.caller"] = caller
        request.is_stranger = False
        body = await request.json_body(self.settings.batch_bytes_max, self.settings.body_s)
        try:
            given = several.calls_in.decode(body)
        except UNDECODABLE as error:
            raise InvalidInput(f"The body is a list of calls, and does not fit: {why(error)}. Correct it.") from None
        if len(given) > several.CALLS_MAX:
            raise InvalidInput(
                f"There are {len(given)} calls; the limit is {several.CALLS_MAX}. Send several requests."
            )
        answers = await asyncio.gather(*(self._one_of_several(request, call, caller) for call in given))
        return json_response(answers)

    async def _one_of_several(
        self, request: Request, call: several.OneCall, caller: Caller | None
    ) -> several.OneAnswer:
        try:
            operation, path = _post_at(call.path)
            answer = await self.calls.answer(Part(request, call), operation, path, caller)
        except (EngineError, HttpError) as error:
            answer = error_response(error, request.id)
        except Exception as error:  # the other calls have their own answers, and some may be committed
            answer = error_response(_failed(request, error), request.id)
        return several.OneAnswer(answer.status, Raw(answer.body) if answer.body else several.NOTHING)

    async def _caller(self, request: Request, operation: Operation) -> Caller | None:
        caller = await self.guard.caller(request, operation.route.needs)
        request.scope["flowfabric.caller"] = caller
        request.is_stranger = caller is None
        return caller

    # ── routes of the server itself ──────────────────────────────────────────────────────────────

    async def health(self, request: Request, path: dict[str, str]) -> Response:
        """Whether this process answers."""
        return json_response({"status": "ok"})

    async def readiness(self, request: Request, path: dict[str, str]) -> Response:
        """Whether the store can be reached, and whether this server goes on."""
        if self._draining.is_set():
            raise HttpError(503, "server_stops", "This server stops. Ask another one.", retryable=True)
        await self.engine.ping()
        return json_response({"status": "ready"})

    async def show_metrics(self, request: Request, path: dict[str, str]) -> Response:
        """The metrics of this process and of the store."""
        if self._gauges is None:
            raise _no_address()
        caller = await self.guard.caller(request, "look")
        if caller is None or not may(caller.principal, "look"):
            raise AccessDenied("The role of this token does not include metrics. Ask for a viewer.")
        return Response(200, *await self.metrics_for(request.headers.get("accept", "")))

    async def metrics_for(self, accept: str) -> "Rendered":
        """The metrics in the format that the header Accept asks for. There must be some."""
        assert self._gauges is not None
        return await self._gauges.rendered(accept)

    async def openapi(self, request: Request, path: dict[str, str]) -> Response:
        """The OpenAPI document."""
        return json_response(self._document | {"servers": [{"url": _prefix(request) or "/"}]})

    async def docs(self, request: Request, path: dict[str, str]) -> Response:
        """The same as a page."""
        return pages.docs(self._document, _prefix(request))

    @cached_property
    def _document(self) -> dict[str, Any]:
        return document(_version())

    async def asset(self, request: Request, path: dict[str, str]) -> Response:
        """A file that pages use."""
        return dashboard.asset(path["name"], path.get("build"))

    async def show_dashboard(self, request: Request, path: dict[str, str]) -> Response:
        """The dashboard. Its scripts look at the address, and ask the API."""
        return dashboard.shell(_prefix(request), may_be_known=self.guard.is_open or bool(cookie_in(request)))

    async def waitpoint(self, request: Request, path: dict[str, str]) -> Response:
        """The page behind a link: GET shows the question, and POST sends the answer."""
        if request.method == "POST":
            return await pages.decide(request, self.engine, path["token"], _prefix(request), self.settings)
        return await pages.show_waitpoint(self.engine, path["token"], _prefix(request))

    async def session(self, request: Request, path: dict[str, str]) -> Response:
        """POST logs in with a token and sets a cookie, GET says who is logged in, DELETE logs out."""
        if request.method == "POST":
            return await self._log_in(request)
        try:
            caller = await self.guard.caller(request, "known")
        except HttpError as error:
            if error.status == 401 and cookie_in(request):  # a session that is over: the browser forgets it
                error.headers = {**error.headers, "set-cookie": _cookie(request, "", 0)}
            raise
        assert caller is not None
        if request.method == "GET":
            return json_response(self._who(caller.principal))
        await self.access.log_out(caller.secret)
        return Response(204, headers=[("set-cookie", _cookie(request, "", 0))])

    async def _log_in(self, request: Request) -> Response:
        self.guard.check_tries(request)
        self.guard.check_origin(request)
        body = await request.body(4096, self.settings.body_s)
        try:
            given = msgspec.json.decode(body, type=_LogIn)
        except UNDECODABLE:
            raise HttpError(400, "invalid_input", 'Send the token as {"token": "fft_…"}.') from None
        opened = await self.access.log_in(given.token)
        if opened is None:
            self.guard.failed(request)
            raise unauthenticated("This token is not good here: it is wrong, has expired, or was revoked.")
        answer = json_response(self._who(opened.principal))
        answer.headers.append((b"set-cookie", _cookie(request, opened.secret, 12 * 3600).encode()))
        return answer

    def _who(self, principal: Principal) -> dict[str, object]:
        """Who somebody is here, and what they may do: a page shows no button that would be refused."""
        return {
            "name": principal.name,
            "role": principal.role,
            "namespace": principal.namespace,
            "may": sorted(MAY[principal.role]),
            "approves_own": principal.approves_own,
            "is_open": self.guard.is_open,
            "version": _version(),
        }


def _failed(request: Request, error: Exception) -> HttpError:
    """Log an error that nobody has expected, and say where to find it."""
    log.error("request %s failed", request.id, exc_info=error, extra={"request_id": request.id})
    return HttpError(500, "internal_error", "The server has failed. Its log says why, by the request id.")


class _LogIn(msgspec.Struct, forbid_unknown_fields=True):
    token: str


def _gauges_of(metrics: "Metrics", engine: WireEngine) -> "StoreGauges":
    from flowfabric.telemetry.gauges import StoreGauges

    return StoreGauges(metrics, engine)


def _cookie(request: Request, value: str, age_s: int) -> str:
    """A session cookie, which scripts cannot read and other sites cannot send."""
    secure = "; Secure" if request.scope["scheme"] == "https" else ""
    where = f"Path={_prefix(request) or '/'}"
    return f"{cookie_of(request)}={value}; {where}; Max-Age={age_s}; HttpOnly; SameSite=Strict{secure}"


def _prefix(request: Request) -> str:
    return str(request.scope.get("root_path", "")).rstrip("/")


def _version() -> str:
    try:
        return version("flowfabric")
    except PackageNotFoundError:
        return "unknown"


# ── finding a route ──────────────────────────────────────────────────────────────────────────────

_Handler = Callable[[Application, Request, dict[str, str]], Awaitable[Response | None]]


class _Node:
    """A part of a path: what may follow it, and what answers there."""

    def __init__(self) -> None:
        self.fixed: dict[str, _Node] = {}
        self.named: tuple[str, _Node] | None = None
        self.verbs: dict[str, _Handler] = {}
        self.pattern = ""

    def add(self, path: str, verb: str, handler: _Handler) -> None:
        node = self
        for part in path.split("/")[1:]:
            if part.startswith("{"):
                node.named = node.named or (part[1:-1], _Node())
                node = node.named[1]
            else:
                node = node.fixed.setdefault(part, _Node())
        node.verbs[verb] = handler
        node.pattern = path

    def find(self, segments: list[str]) -> tuple["_Node", list[str]] | None:
        """The node of a path, and the parts that have names there, in order. A fixed part comes first."""
        if not segments:
            return (self, []) if self.verbs else None
        first, rest = segments[0], segments[1:]
        if first in self.fixed and (found := self.fixed[first].find(rest)):
            return found
        if self.named is not None and (found := self.named[1].find(rest)):
            return found[0], [first, *found[1]]
        return None


def _handler(operation: Operation) -> _Handler:
    return lambda app, request, path: app.call(request, operation, path)


def _post_at(path: str) -> tuple[Operation, dict[str, str]]:
    """The operation of one of several calls, and what its path says."""
    operation = _POSTS.get(path)
    if operation is not None and not operation.in_path:
        return operation, {}
    found = _ROOT.find([unquote(part) for part in path.split("/")[1:]])
    operation = None if found is None else _POSTS.get(found[0].pattern)
    if found is None or operation is None:
        raise InvalidInput("The path is not that of a command that does not wait. Send such a call alone.")
    return operation, dict(zip(_names_in(operation.route.path), found[1], strict=True))


def _names_in(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


_POSTS: Final = {
    each.route.path: each
    for each in OPERATIONS.values()
    if each.route.verb == "POST" and each.route.waits is None and each.route.needs != "look"
}
"""What may be one of several calls. What only reads may have a large answer."""


_ROOT: Final = _Node()
for _operation in OPERATIONS.values():
    _ROOT.add(_operation.route.path, _operation.route.verb, _handler(_operation))
for _path, _verb, _method in (
    (several.PATH, "POST", Application.call_several),
    ("/healthz", "GET", Application.health),
    ("/readyz", "GET", Application.readiness),
    ("/metrics", "GET", Application.show_metrics),
    ("/v1/openapi.json", "GET", Application.openapi),
    ("/v1/docs", "GET", Application.docs),
    ("/static/{name}", "GET", Application.asset),
    ("/static/{build}/{name}", "GET", Application.asset),
    ("/w/{token}", "GET", Application.waitpoint),
    ("/w/{token}", "POST", Application.waitpoint),
    ("/v1/session", "GET", Application.session),
    ("/v1/session", "POST", Application.session),
    ("/v1/session", "DELETE", Application.session),
):
    _ROOT.add(_path, _verb, _method)
for _path in dashboard.ADDRESSES:
    _ROOT.add(_path, "GET", Application.show_dashboard)


def _find(request: Request) -> Found:
    found = None if request.segments is None else _ROOT.find(request.segments)
    if found is None:
        raise _no_address()
    node, values = found
    handler = node.verbs.get("GET" if request.method == "HEAD" else request.method)
    if handler is None:
        allowed = ", ".join(sorted(node.verbs))
        use = f"This address takes {allowed}. Use one of them."
        raise HttpError(405, "method_not_allowed", use, headers={"allow": allowed})
    return Found(node.pattern, handler, dict(zip(_names_in(node.pattern), values, strict=True)))


def _no_address() -> HttpError:
    return HttpError(404, "no_such_address", "There is no such address. /v1/docs lists all of them.")
