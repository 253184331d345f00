"""The request and the answer of each route, made from the signature of its method: how both sides write and read."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import isfinite
from types import GenericAlias
from typing import Any, Final, NamedTuple, Union, get_args, get_type_hints
from urllib.parse import quote

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from flowfabric.domain.errors import Conflict, InvalidInput, InvalidToken, NotFound, shown
from flowfabric.domain.events import Event
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.snapshots import Page
from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.domain.streams import Said
from flowfabric.domain.undecodable import UNDECODABLE, why
from flowfabric.wire.engine import ServerMethods, WireEngine
from flowfabric.wire.routes import ROUTES, WAIT_MS_MAX, Refusals, Route
from flowfabric.wire.shapes import Codec, Shape, shape_of

SEGMENT_CHARS_MAX: Final = 2_000
"""How long a part of a path may be. Every id, name and token is shorter."""
_NOT_SENT: Final = ("self", "command_id", "conn")


class Request(NamedTuple):
    """What a client sends."""

    verb: str
    path: str
    """Quoted, without the prefix of the server."""
    query: list[tuple[str, str]]
    body: bytes | None
    idempotency_key: str | None
    traceparent: str | None = None
    """The span of the caller that sends it."""


class Arguments(NamedTuple):
    """What a server has read."""

    keywords: dict[str, Any]
    said: Said | None
    """Frames that are appended in the transaction of the command."""
    wait_ms: int
    """How long the request may wait, for a route whose wait the server ends."""


class Operation:
    """One route with its types."""

    def __init__(self, route: Route, item: Any = None) -> None:
        """`item`: what a route that streams sends, one after the other."""
        self.route = route
        owner = ServerMethods if hasattr(ServerMethods, route.method) else WireEngine
        self._method = getattr(owner, route.method)
        self._signature = inspect.signature(self._method)
        hints = get_type_hints(self._method)
        self.summary, _, self.description = (inspect.getdoc(self._method) or "").partition("\n\n")
        self.has_command_id = "command_id" in self._signature.parameters
        sent = {name: hints[name] for name in self._signature.parameters if name not in _NOT_SENT}
        self.in_path = tuple(name for name in sent if f"{{{name}}}" in route.path)
        in_request = {name: hint for name, hint in sent.items() if name not in self.in_path}
        self.refusals = _refusals(route, self.in_path, has_command_id=self.has_command_id)
        """What the method may refuse with, beyond what every method may."""
        self.takes_body = route.verb == "POST"
        self.takes_said = self.takes_body and "lease" in sent and route.waits is None
        shapes = {name: shape_of(hint, strict=True) for name, hint in in_request.items()}
        if self.takes_said:
            shapes["said"] = shape_of(Said, strict=True)
        self._shapes = shapes
        self._documents = frozenset(name for name, hint in in_request.items() if "object" in str(hint))
        """The arguments that hold any JSON."""
        self.has_leases = any(kind in str(hints) for kind in (".Lease", ".Claimed", ".Said"))
        """Whether leases are in the request or in its answer."""
        if not self.takes_body:
            shapes |= {name: _in_query(shape) for name, shape in shapes.items()}
        self.request = self._struct_of(shapes)
        """The body, or the query of a GET."""
        self._decoder = msgspec.json.Decoder(self.request)
        if route.items is not None:
            self.answer = _page_of(route.items)
        else:
            self.answer = shape_of(hints["return"] if item is None else item)
        self._answer_decoder = msgspec.json.Decoder(self.answer.wire)

    def _struct_of(self, shapes: Mapping[str, Shape]) -> type[msgspec.Struct]:
        parameters = self._signature.parameters
        fields: list[Any] = []
        for name, shape in shapes.items():
            if name in parameters and parameters[name].default is inspect.Parameter.empty:
                fields.append((name, shape.wire))
            else:
                fields.append((name, Union[shape.wire, UnsetType], UNSET))  # noqa: UP007 - known only here
        if self.route.waits == "cut":
            fields.append(("wait_ms", int | UnsetType, UNSET))
        title = "".join(word.capitalize() for word in self.route.method.split("_"))
        return msgspec.defstruct(
            f"{title}Request", fields, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
        )

    # ── the client's side ────────────────────────────────────────────────────────────────────────

    def sent(
        self,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        codec: Codec,
        *,
        said: Said | None = None,
        wait_ms: int | None = None,
    ) -> Request:
        """The request of a call with these arguments. An argument that cannot be written as JSON is InvalidInput."""
        given = self._signature.bind(None, *args, **keywords).arguments
        if given.get("conn") is not None:
            raise InvalidInput(
                "A transaction of yours and a server have nothing in common: conn= works only with a store that is "
                'opened directly, and there only with when_full="wait". Leave conn out.'
            )
        path = self.route.path
        for name in self.in_path:
            path = path.replace(f"{{{name}}}", _quoted(name, given[name]))
        values = {
            name: self._shapes[name].to_wire(value, codec)
            for name, value in given.items()
            if name in self._shapes and value is not DEFAULT_NAMESPACE
        }
        if said is not None:
            values["said"] = self._shapes["said"].to_wire(said, codec)
        if wait_ms is not None:
            values["wait_ms"] = wait_ms
        command_id = given.get("command_id")
        if not self.takes_body:
            left_out = [name for name, value in values.items() if value is None and self._is_none_by_default(name)]
            values = {name: value for name, value in values.items() if name not in left_out}
            self._check_types(values)
            return Request(self.route.verb, path, list(_query_of(values)), None, command_id)
        try:
            for name, value in values.items():
                _check_json(name, value, is_document=name in self._documents)
            body = msgspec.json.encode(values)
        except (TypeError, OverflowError, ValueError, RecursionError) as error:
            raise InvalidInput(f"{self.route.method}: an argument cannot be written as JSON: {error}") from None
        return Request(self.route.verb, path, [], body, command_id)

    def _is_none_by_default(self, name: str) -> bool:
        parameter = self._signature.parameters.get(name)
        return parameter is None or parameter.default is None

    def _check_types(self, values: Mapping[str, Any]) -> None:
        """Refuse values of other types. In a query, the number 1 and the text "1" would look the same."""
        try:
            msgspec.convert(values, self.request)
        except msgspec.MsgspecError as error:
            raise InvalidInput(f"An argument of {self.route.method} does not fit: {why(error)}. Correct it.") from None

    def answer_in(self, data: bytes, codec: Codec) -> Any:
        """What the method returns, from the body of an answer."""
        return self.answer.from_wire(self._answer_decoder.decode(data), codec)

    # ── the server's side ────────────────────────────────────────────────────────────────────────

    def received(
        self, path: Mapping[str, str], query: Iterable[tuple[str, str]], body: bytes, codec: Codec
    ) -> Arguments:
        """The arguments of a request. What does not fit is InvalidInput."""
        try:
            found = self._decoder.decode(body or b"{}") if self.takes_body else self._in_query(query)
        except msgspec.MsgspecError as error:
            where = "body" if self.takes_body else "query"
            raise InvalidInput(f"The {where} of {self.route.method} does not fit: {why(error)}. Correct it.") from None
        except UNDECODABLE:
            raise InvalidInput("The body is not JSON, or it is nested too deep. Correct it.") from None
        keywords: dict[str, Any] = dict(path)
        for name, shape in self._shapes.items():
            value = getattr(found, name)
            if value is not UNSET:
                keywords[name] = shape.from_wire(value, codec)
        said = keywords.pop("said", None)
        wait_ms = getattr(found, "wait_ms", UNSET)
        return Arguments(keywords, said, self._wait_ms(keywords, None if wait_ms is UNSET else wait_ms))

    def _in_query(self, query: Iterable[tuple[str, str]]) -> Any:
        found: dict[str, Any] = {}
        for name, value in query:
            field = self._shapes.get(name)
            if field is not None and _is_list(field.wire):
                found.setdefault(name, []).append(value)
            elif name in found:
                raise InvalidInput(f"The query names {shown(name)} twice. Give it once.")
            else:
                found[name] = value
        return msgspec.convert(found, self.request, strict=False)

    def _wait_ms(self, keywords: dict[str, Any], wait_ms: int | None) -> int:
        """How long the request may wait. A longer time is shortened: the answer then says that nothing has come yet."""
        if self.route.waits == "timeout_ms":
            given = keywords.get("timeout_ms")
            wait_ms = WAIT_MS_MAX if given is None else given
            keywords["timeout_ms"] = min(wait_ms, WAIT_MS_MAX)
        if wait_ms is None:
            return WAIT_MS_MAX
        if not 0 <= wait_ms <= 2**53:
            name = self.route.waits if self.route.waits == "timeout_ms" else "wait_ms"
            raise InvalidInput(f"{name} is {shown(wait_ms)}; it must be a whole number of milliseconds, from 0 on.")
        return min(wait_ms, WAIT_MS_MAX)

    def answered(self, answer: Any, codec: Codec) -> bytes:
        """The body of the answer."""
        return msgspec.json.encode(self.answer.to_wire(answer, codec))


def _refusals(route: Route, in_path: Sequence[str], *, has_command_id: bool) -> Refusals:
    """What the table names, and what follows from the arguments: an id may be unknown, and a command id taken."""
    found = {*route.refusals, *((Conflict,) if has_command_id else ())}
    if {"execution_id", "flow_id"} & {*in_path}:
        found.add(NotFound)
    return tuple(sorted(found, key=lambda error: error.code))


@cache
def _page_of(item_type: type) -> Shape:
    """A page whose items have a type."""
    item = shape_of(item_type)
    twin = msgspec.defstruct(
        f"PageOf{item.wire.__name__}",
        [("items", GenericAlias(list, (item.wire,))), ("next_cursor", str | None)],
        namespace={"__doc__": Page.__doc__},
    )
    assert item.out is None, "the items of every page travel as they are"
    return Shape(twin, None, lambda page, _: Page(page.items, page.next_cursor))


def _is_list(hint: Any) -> bool:
    return any(getattr(each, "__origin__", None) is list for each in (hint, *get_args(hint)))


_TAG: Final = tuple[str, str]


def _in_query(shape: Shape) -> Shape:
    """A tag is written `key=value` in a query. Everything else is written as it is."""
    if _TAG not in get_args(shape.wire):
        return shape
    return Shape(str, _tag_out, _tag_back)


def _tag_out(tag: Any, _: Codec) -> Any:
    if not isinstance(tag, tuple) or len(tag) != 2 or not all(isinstance(part, str) for part in tag):
        return tag
    key, value = tag
    return msgspec.json.encode(tag).decode() if "=" in key or key.startswith("[") else f"{key}={value}"


def _tag_back(text: str, _: Codec) -> Any:
    if text.startswith("["):
        try:
            return msgspec.json.decode(text, type=_TAG)
        except UNDECODABLE:
            pass
    key, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"tag is {shown(text)}; it must look like key=value.")
    return key, value


def _query_of(values: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in values.items():
        for each in value if isinstance(value, list | tuple) else [value]:
            yield name, msgspec.json.encode(each).decode() if each is None or isinstance(each, bool) else str(each)


def _check_json(name: str, value: Any, *, is_document: bool) -> None:
    """Refuse what JSON would change on its way: bytes would become text, and so would numbers that are keys."""
    if isinstance(value, bytes | bytearray | memoryview) or (isinstance(value, float) and not isfinite(value)):
        raise InvalidInput(f"{name} holds {shown(value)}, which JSON cannot write.")
    if isinstance(value, Mapping):
        for key, each in value.items():
            if not isinstance(key, str):
                raise InvalidInput(f"{name} has the key {shown(key)}; keys are text.")
            if is_document:
                _check_json(name, each, is_document=True)
    elif is_document and isinstance(value, list | tuple):
        for each in value:
            _check_json(name, each, is_document=True)


def _quoted(name: str, segment: Any) -> str:
    """A part of a path. Dots alone would mean another path."""
    try:
        if not isinstance(segment, str) or len(segment) > SEGMENT_CHARS_MAX:
            raise ValueError
        text = quote(segment, safe="")
    except ValueError:  # which a text that UTF-8 cannot write is, too
        if name == "token":
            raise InvalidToken from None
        raise InvalidInput(
            f"{name} is {shown(segment)}; it must be a text of at most {SEGMENT_CHARS_MAX} characters."
        ) from None
    return text.replace(".", "%2E") if not text.strip(".") else text


OPERATIONS: Final[dict[str, Operation]] = {route.method: Operation(route) for route in ROUTES}
"""Every route, by the name of its method."""

_ITEMS: Final = {"subscribe": Event, "follow_stream": StreamFrame}
STREAMED: Final[dict[str, Operation]] = {
    route.streams: Operation(replace(route, method=route.streams), _ITEMS[route.streams])
    for route in ROUTES
    if route.streams is not None
}
"""What is followed, by the name of the method. The answer is one item."""
