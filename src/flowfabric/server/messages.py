"""Requests and responses: what a server reads, within limits, and what it sends, with the headers that protect it."""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import parse_qsl, unquote_to_bytes

import msgspec

from flowfabric.domain.errors import EngineError, InvalidInput
from flowfabric.wire.headers import text_in
from flowfabric.wire.problems import MEDIA_TYPE, RETRY_AFTER_S, Problem, problem_of
from flowfabric.wire.several import OneCall

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

JSON: Final = "application/json"
QUERY_FIELDS_MAX: Final = 100

PROTECTION: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        b"require-trusted-types-for 'script'",
    ),
)
"""Headers of every response."""

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class HttpError(Exception):
    """A request that is refused by the server itself, before it reaches the engine."""

    def __init__(
        self, status: int, code: str, detail: str, *, retryable: bool = False, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.retryable = retryable
        self.headers = headers or {}

    def problem(self, request_id: str) -> Problem:
        """The problem that is answered."""
        kind = _KINDS.get(self.status, "engine_error")
        return Problem(
            type=f"urn:flowfabric:problem:{kind}",
            title=_TITLES.get(self.status, "The request was refused."),
            status=self.status,
            detail=str(self),
            code=self.code,
            retryable=self.retryable,
            request_id=request_id,
        )


_KINDS: Final = {400: "invalid_input", 401: "access_denied", 403: "access_denied", 404: "invalid_input",
                 405: "invalid_input", 408: "invalid_input", 413: "invalid_input", 415: "invalid_input",
                 421: "invalid_input", 429: "contention", 503: "store_unavailable"}  # fmt: skip
"""Which error a client raises for each status."""
_TITLES: Final = {
    401: "The token is missing or not good.",
    403: "The token does not allow this.",
    404: "There is no such address.",
    405: "This address does not take this method.",
    408: "The request took too long to arrive.",
    413: "The request is too large.",
    415: "The body is not JSON.",
    421: "This server does not answer for this host.",
    429: "There are too many requests.",
    500: "The server has failed.",
    503: "The server is busy, or stops.",
}


class Bodies:
    """Counts the bytes of all bodies that the process holds, so that they stay within what it may use."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self.held = 0
        self._of_strangers = 0

    def take(self, size: int, *, is_stranger: bool) -> None:
        """Hold so many bytes more. Raises 503 if that is too much."""
        if self.held + size > self._bytes_max or (is_stranger and self._of_strangers + size > self._bytes_max // 4):
            raise HttpError(
                503,
                "server_busy",
                "This server is reading as many bytes as it may hold at once. Send the request again.",
                retryable=True,
            )
        self.held += size
        self._of_strangers += size if is_stranger else 0

    def give_back(self, size: int, *, is_stranger: bool) -> None:
        """Hold so many bytes less."""
        self.held -= size
        self._of_strangers -= size if is_stranger else 0


class Request:
    """One request as far as it has arrived."""

    def __init__(self, scope: Scope, receive: Receive, bodies: Bodies) -> None:
        self.scope = scope
        self._receive = receive
        self.method: str = scope["method"]
        self.headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key, text = name.decode("latin-1"), value.decode("latin-1")
            # A header that comes twice must not mean one thing here and another thing to a proxy.
            self.headers[key] = f"{self.headers[key]}, {text}" if key in self.headers else text
        given = self.headers.get("x-request-id", "")
        self.id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        self.address = (scope.get("client") or ("", 0))[0]
        self.segments = _segments(scope)
        self.is_stranger = True
        """Whether nobody is known to have sent it. Strangers share a smaller part of the memory."""
        self._bodies = bodies
        self._held = 0

    def text(self, header: str) -> str | None:
        """The text of a header that may hold any text. None: it is not there."""
        value = self.headers.get(header)
        return None if value is None else text_in(value)

    @property
    def query(self) -> list[tuple[str, str]]:
        """The fields of the query, in order. A query that is not UTF-8 or has too many fields is InvalidInput."""
        try:
            return parse_qsl(
                self.scope["query_string"].decode("ascii"),
                keep_blank_values=True,
                errors="strict",
                max_num_fields=QUERY_FIELDS_MAX,
            )
        except ValueError:
            raise InvalidInput("The query is not UTF-8, or it has more than 100 fields. Correct it.") from None

    @property
    def wants_events(self) -> bool:
        """Whether the caller asks for Server-Sent Events."""
        return "text/event-stream" in self.headers.get("accept", "")

    async def body(self, bytes_max: int, within_s: float) -> bytes:
        """The body. It is counted while it is read, and not read further than it may be."""
        too_large = HttpError(413, "too_large", f"The body has more than {bytes_max} bytes. Send less at once.")
        length = self.headers.get("content-length", "")
        if length.isdecimal() and int(length) > bytes_max:
            raise too_large
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(within_s):
                while True:
                    message = await self._receive()
                    if message["type"] == "http.disconnect":
                        raise Gone
                    part = message.get("body", b"")
                    size += len(part)
                    if size > bytes_max:
                        raise too_large
                    self._bodies.take(len(part), is_stranger=self.is_stranger)
                    self._held += len(part)
                    parts.append(part)
                    if not message.get("more_body", False):
                        return parts[0] if len(parts) == 1 else b"".join(parts)
        except TimeoutError:
            raise HttpError(408, "too_slow", f"The body did not arrive within {within_s:g} s. Send it again.") from None

    async def json_body(self, bytes_max: int, within_s: float) -> bytes:
        """The body, which says that it is JSON, and that nothing has packed it."""
        body = await self.body(bytes_max, within_s)
        media_type = self.headers.get("content-type", "" if body else JSON).partition(";")[0].strip().lower()
        if media_type != JSON:
            raise HttpError(415, "not_json", f"The body is JSON: send Content-Type: {JSON}.")
        if self.headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise HttpError(415, "not_json", "The body is JSON as it is: send it without Content-Encoding.")
        return body

    def let_go(self) -> None:
        """The request is answered, so its body is not needed any more."""
        self._bodies.give_back(self._held, is_stranger=self.is_stranger)
        self._held = 0

    async def gone(self) -> None:
        """Wait until the client has gone away. The body must have been read."""
        while (await self._receive())["type"] != "http.disconnect":
            pass


class Part(Request):
    """One call of a request that holds several."""

    def __init__(self, whole: Request, call: OneCall) -> None:
        self.scope, self.id, self.address, self.method = whole.scope, whole.id, whole.address, "POST"
        self.headers = whole.headers
        self._own = {"idempotency-key": call.command_id, "traceparent": call.traceparent}
        self._body = bytes(call.body)

    def text(self, header: str) -> str | None:
        """The text of a header. The key and the span belong to this call alone."""
        return self._own[header] if header in self._own else super().text(header)

    async def body(self, bytes_max: int, within_s: float) -> bytes:
        """The body of this call."""
        if len(self._body) > bytes_max:
            raise HttpError(413, "too_large", f"The body has more than {bytes_max} bytes. Send less at once.")
        return self._body


class Gone(Exception):
    """The client has gone away."""


def _segments(scope: Scope) -> list[str] | None:
    """The parts of the path below the prefix under which the app is mounted. None: it is no path, or not UTF-8."""
    raw = scope.get("raw_path") or scope["path"].encode()
    prefix = scope.get("root_path", "").rstrip("/")
    path = raw.split(b"?", 1)[0]
    if prefix and path.startswith(prefix.encode()):
        path = path[len(prefix.encode()) :]
    if path and not path.startswith(b"/"):
        return None
    try:
        return [unquote_to_bytes(part).decode() for part in path.split(b"/")[1:]]
    except UnicodeDecodeError:
        return None


class Response:
    """What is sent back, in one piece."""

    def __init__(
        self,
        status: int,
        body: bytes = b"",
        media_type: str = JSON,
        headers: Iterable[tuple[str, str]] = (),
        *,
        cache_control: str = "no-store",
    ) -> None:
        self.status = status
        self.body = body
        self.headers = [*PROTECTION]
        if body:
            self.headers.append((b"content-type", media_type.encode()))
        if status != 204:
            self.headers.append((b"content-length", str(len(body)).encode()))
        self.headers.append((b"cache-control", cache_control.encode()))
        self.headers += [(name.encode(), value.encode()) for name, value in headers]

    async def send(self, send: Send, request_id: str, *, without_body: bool = False) -> None:
        """Send it."""
        headers = [*self.headers, (b"x-request-id", request_id.encode())]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if without_body else self.body})


def json_response(value: object, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(status, msgspec.json.encode(value))


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """A problem. What can be tried again says when."""
    more = dict(headers or {})
    if problem.status in (429, 503) and "retry-after" not in more:
        more["retry-after"] = str(RETRY_AFTER_S)
    return Response(problem.status, msgspec.json.encode(problem), MEDIA_TYPE, more.items())


def error_response(error: Exception, request_id: str) -> Response:
    """The answer to an error that the engine or the server has raised on purpose."""
    if isinstance(error, HttpError):
        return problem_response(error.problem(request_id), error.headers)
    assert isinstance(error, EngineError)
    return problem_response(problem_of(error, request_id))
