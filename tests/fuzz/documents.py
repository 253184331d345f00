"""Documents: payloads of calls, conditions, merge patches, problems, requests of the API."""

from functools import partial
from typing import Any

import msgspec
from hypothesis import strategies as st

from flowfabric.client.address import address_in
from flowfabric.client.calling import Calls
from flowfabric.client.http1 import Answer
from flowfabric.client.line import Line
from flowfabric.domain import conditions
from flowfabric.domain.errors import Corruption, EngineError, InvalidInput
from flowfabric.domain.json_inputs import JsonBounds, json_mapping
from flowfabric.domain.summaries import both, merged
from flowfabric.runtime.payloads import Signature
from flowfabric.wire import leases
from flowfabric.wire.operations import OPERATIONS
from flowfabric.wire.problems import Problem, error_of, problem_of
from flowfabric.wire.shapes import Codec
from tests.fuzz.target import (
    Long,
    any_json,
    check_refusal,
    check_says_something,
    mangled_bytes,
    nested,
    odd_texts,
    target,
)
from tests.fuzz.texts import _SEALS


def _json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (OverflowError, UnicodeEncodeError):
        return b"null"


_deep = st.sampled_from([nested(20_000), nested(20_000, '{"a":', "1", "}")])


def _call(ctx: object, order: int, names: list[str] = [], more: dict[str, Any] = {}) -> None:  # noqa: B006
    """A function whose calls are stored."""


_SIGNATURE = Signature(_call, "call")
_steps = st.lists(st.sampled_from(["order", "names", "more", "x", 0, 1, -1, 99]), max_size=3)
_holes = st.lists(st.tuples(_steps, st.sampled_from(["a", "b"]), _steps), max_size=3)
_calls = st.builds(
    lambda arguments, outputs: _json({"arguments": arguments, "outputs": outputs}),
    st.fixed_dictionaries(
        {},
        optional={
            "order": st.just(1) | any_json(4),
            "names": st.just(["x", "y"]) | any_json(4),
            "more": st.just({"x": [1]}),
        },
    ),
    _holes,
)


@target(
    st.tuples(mangled_bytes(_calls) | _calls, st.dictionaries(st.sampled_from("ab"), _deep | any_json(4).map(_json)))
    | st.tuples(st.just(Long(b'{"arguments":{"order":1,"more":{"x":' + nested(20_000) + b"}}}")), st.just({}))
)
def payloads_of_calls(given: tuple[bytes, dict[str, bytes]]) -> None:
    payload, inputs = given
    try:
        arguments = _SIGNATURE.arguments(payload, inputs)
    except InvalidInput as error:
        check_says_something(error)
        return
    assert arguments.keys() <= {"order", "names", "more"}
    assert type(arguments["order"]) is int


_leaf = (
    st.fixed_dictionaries({"on": odd_texts | st.just("a")}, optional={"name": odd_texts})
    | st.fixed_dictionaries(
        {"at_least": st.integers(0, 3) | any_json(2), "of": st.lists(st.sampled_from("abc") | any_json(1), max_size=3)},
        optional={
            "name": any_json(1),
            "distinct": st.sampled_from(["waitpoints", "signals", "sources", "x"]) | any_json(1),
        },
    )
    | st.just({"operator_only": True})
    | st.fixed_dictionaries({"children": st.lists(odd_texts, max_size=2)}, optional={"all_ended": any_json(1)})
)
_plain_conditions = st.recursive(
    _leaf | any_json(3),
    lambda inner: (
        st.fixed_dictionaries({"every": st.lists(inner, max_size=3)})
        | st.fixed_dictionaries({"either": st.lists(inner, max_size=3)})
    ),
    max_leaves=40,
)


@target(_plain_conditions)
def conditions_of_waits(plain: object) -> None:
    try:
        condition = conditions.checked(conditions.from_plain(plain))
    except InvalidInput as error:
        check_refusal(error)
        return
    text = conditions.stored(condition)
    assert conditions.from_stored(text) == condition
    assert conditions.stored(conditions.from_stored(text)) == text
    assert conditions.satisfied(condition, ()) is None


@target(mangled_bytes(_plain_conditions.map(_json)) | _deep)
def stored_conditions(data: bytes) -> None:
    try:
        conditions.from_stored(data.decode("utf-8", "replace"))
    except Corruption as error:
        check_says_something(error)


_BOUNDS = JsonBounds("patch", 65_536, 16, integer_max=2**63 - 1)
_documents = st.dictionaries(st.sampled_from(["a", "b", "c", "__class__"]) | odd_texts, any_json(6), max_size=4)


@target(st.tuples(_documents, _documents, _documents))
def merge_patches(given: tuple[dict[str, object], dict[str, object], dict[str, object]]) -> None:
    try:
        document, first, second = (json_mapping(each, _BOUNDS) for each in given)
    except InvalidInput as error:
        check_says_something(error)
        return
    document = merged({}, document)
    once = merged(document, first)
    assert merged(once, first) == once, "a patch that is applied twice changes the document again"
    together = both(first, second)
    if together is not None:
        assert merged(document, together) == merged(once, second)


_problems = st.builds(
    lambda given, code: {**msgspec.to_builtins(problem_of(InvalidInput("Correct it."))), **given, **code},
    st.dictionaries(st.sampled_from(list(Problem.__struct_fields__)), any_json(2), max_size=3),
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(
                [
                    f"urn:flowfabric:problem:{each}"
                    for each in (
                        "not_found",
                        "refused",
                        "execution_not_completed",
                        "store_unavailable",
                        "budget_exceeded",
                        "x",
                        "invalid_token",
                    )
                ]
            )
        },
    ),
)


@target(
    st.tuples(st.sampled_from([200, 400, 401, 404, 409, 413, 500, 503]), mangled_bytes(_problems.map(_json)) | _deep)
)
def problems_in_answers(given: tuple[int, bytes]) -> None:
    status, body = given
    calls = Calls(_LINE, None)
    for kind in ("application/problem+json", "application/json", "text/html"):
        try:
            calls.is_given(Answer(status, {"content-type": kind}, body))
        except EngineError as error:
            check_says_something(error)
    try:
        problem = msgspec.json.decode(body, type=Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return
    error = error_of(problem)
    assert error_of(problem_of(error)).code == error.code


_LINE = Line(address_in("http://127.0.0.1:7433"))
_CODEC = Codec(partial(leases.sealed, seals=_SEALS), partial(leases.verified, seals=_SEALS, may_be_plain=True))
_POSTED = [operation for operation in OPERATIONS.values() if operation.takes_body]
_READ = [operation for operation in OPERATIONS.values() if not operation.takes_body]


@st.composite
def _bodies(draw: st.DrawFn) -> tuple[str, bytes]:
    """A body with some of the fields of a route, and values that may fit."""
    operation = draw(st.sampled_from(_POSTED))
    names = list(operation._shapes)
    values = any_json(6) | st.just({"base64": "eA=="}) | st.just("ls0.lqC") | _plain_conditions | st.just([])
    body = draw(st.dictionaries(st.sampled_from(names), values)) if names else {}
    return operation.route.method, draw(mangled_bytes(st.just(_json(body))) | st.just(_json(body)) | _deep)


BODIES = _bodies()


@target(BODIES)
def bodies_of_requests(given: tuple[str, bytes]) -> None:
    method, body = given
    try:
        OPERATIONS[method].received({}, [], body, _CODEC)
    except EngineError as error:
        check_refusal(error)


@st.composite
def _queries(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    operation = draw(st.sampled_from(_READ))
    names = st.sampled_from([*operation._shapes, "x", "wait_ms"])
    return operation.route.method, draw(
        st.lists(
            st.tuples(names, odd_texts.filter(str.isprintable) | st.sampled_from(["1", "true", "a=b", "[]"])),
            max_size=4,
        )
    )


QUERIES = _queries()


@target(QUERIES)
def queries_of_requests(given: tuple[str, list[tuple[str, str]]]) -> None:
    method, query = given
    try:
        OPERATIONS[method].received({}, query, b"", _CODEC)
    except EngineError as error:
        check_refusal(error)
