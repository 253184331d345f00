"""Engines and a server: forged cursors, requests of any kind, and calls of `ff`. Some of them need a store."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from hypothesis import strategies as st

from flowfabric import BlockingEngine, open_blocking_engine, open_engine
from flowfabric.cli.exits import Exit
from flowfabric.domain.cursors import Purpose, pack_cursor
from flowfabric.domain.errors import EngineError
from flowfabric.server import app
from flowfabric.wire.problems import MEDIA_TYPE, Problem
from flowfabric.wire.routes import ROUTES
from tests.cli.running import ff_here
from tests.fuzz.documents import BODIES, QUERIES
from tests.fuzz.target import any_json, check_refusal, mangled, mangled_bytes, odd_texts, target
from tests.fuzz.texts import EXECUTION, FLOW, UUID
from tests.stores_under_test import STORES

_open = ExitStack()
"""The stores that targets have opened."""


@contextmanager
def worlds() -> Iterator[None]:
    """While the block lasts, targets may open stores. They are closed at its end."""
    try:
        yield
    finally:
        for opened in (_engine, _url, _runner):
            opened.cache_clear()
        _open.close()


@cache
def _url(store: str) -> str:
    folder = _open.enter_context(TemporaryDirectory())
    return _open.enter_context(STORES[store].empty(Path(folder)))


@cache
def _engine(store: str) -> BlockingEngine:
    """An engine with something of every kind that is listed page by page."""
    engine = _open.enter_context(open_blocking_engine(_url(store), reconcile=False))
    made = [engine.create_execution("mail", lane="mail").execution_id for _ in range(3)]
    for name in ("a", "b", "c"):
        engine.set_limit(name, concurrency=1)
        engine.set_budget(name, limits={"usd": 5})
        engine.create_flow(name)
    engine.cancel_execution(made[0], reason="not wanted")
    return engine


# ── cursors ──────────────────────────────────────────────────────────────────────────────────────

_READS: dict[Purpose, Callable[[BlockingEngine, str], object]] = {
    "events": lambda engine, cursor: engine.read_events(cursor=cursor, limit=2),
    "executions": lambda engine, cursor: engine.list_executions(cursor=cursor, limit=2),
    "flows": lambda engine, cursor: engine.list_flows(cursor=cursor, limit=2),
    "waiting": lambda engine, cursor: engine.list_waiting(cursor=cursor, limit=2),
    "limits": lambda engine, cursor: engine.list_limits(cursor=cursor, limit=2),
    "budgets": lambda engine, cursor: engine.list_budgets(cursor=cursor, limit=2),
    "spending": lambda engine, cursor: engine.list_spending("a", by="kind", cursor=cursor, limit=2),
    "children": lambda engine, cursor: engine.list_children(_an_execution(engine), cursor=cursor, limit=2),
    "stream": lambda engine, cursor: engine.read_stream(_an_execution(engine), cursor=cursor, limit=2),
    "access_tokens": lambda engine, cursor: engine.list_access_tokens(cursor=cursor, limit=2),
    "operate": lambda engine, cursor: engine.operate("hold", lane="nobody", cursor=cursor, limit=2),
    "purge": lambda engine, cursor: engine.purge(ended_before_ms=0, cursor=cursor, limit=2),
}
_numbers = st.sampled_from([0, 1, 7, -1, 86, 256, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1])
_words = odd_texts | st.sampled_from(
    [UUID, EXECUTION, "default", "a", "1:1:", "5:9:6,7", "9:5:", "1:99999999999999999999:", "7:3", "executions"]
)
_field = _numbers | _words | st.none() | st.booleans() | st.just([0, 0, 0, 0])
_positions = (
    st.lists(_field, max_size=7)
    | st.tuples(_numbers, st.just(UUID), _numbers)
    | st.tuples(_numbers, _numbers)
    | st.tuples(_words, _words)
    | st.tuples(_words, _words, _words)
    | st.tuples(_numbers, _words)
    | st.tuples(_words, st.none() | _words, _numbers, st.none() | _words, st.none() | _words, st.none() | _words)
    | st.tuples(st.sampled_from(["executions", "flows"]), st.tuples(_numbers, st.just(UUID), _numbers))
    | any_json(4)
)


def _an_execution(engine: BlockingEngine) -> str:
    return str(engine.list_executions(limit=1).items[0].execution_id)


def _check_cursor(store: str, purpose: Purpose, position: object) -> None:
    engine = _engine(store)
    try:
        cursor = pack_cursor(purpose, engine._engine._store.name, position)
    except (OverflowError, UnicodeEncodeError):
        return
    try:
        _READS[purpose](engine, cursor)
    except EngineError as error:
        check_refusal(error)
        if error.code not in ("invalid_input", "cursor_gone"):
            raise AssertionError(f"{error.code}: {error}") from error


_forged = st.tuples(st.sampled_from(list(_READS)), _positions)


@target(_forged)
def forged_cursors_in_memory(given: tuple[Purpose, object]) -> None:
    _check_cursor("memory", *given)


@target(_forged)
def forged_cursors_on_sqlite(given: tuple[Purpose, object]) -> None:
    _check_cursor("sqlite", *given)


@target(_forged)
def forged_cursors_on_postgres(given: tuple[Purpose, object]) -> None:
    _check_cursor("postgres", *given)


# ── requests ─────────────────────────────────────────────────────────────────────────────────────

_TYPES = ["application/json", "text/plain", "application/json; charset=latin-1", ""]
_NAMES = (
    """
accept, accept-payload, content-length, ff-namespace, ff-actor, idempotency-key, traceparent, authorization,
cookie, origin, sec-fetch-site, last-event-id, host, x-request-id, if-none-match
""".replace("\n", " ")
    .strip()
    .split(", ")
)


@st.composite
def _requests(draw: st.DrawFn) -> tuple[str, bytes, bytes, list[tuple[bytes, bytes]], bytes]:
    route = draw(st.sampled_from([route for route in ROUTES if route.waits is None]))
    values = st.sampled_from([EXECUTION.replace("{", "%7B").replace("}", "%7D"), FLOW, "default", "a"]) | odd_texts.map(
        lambda text: "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass")) or "x"
    )
    path = re.sub(r"\{[a-z_]+\}", lambda _: draw(values), route.path)
    if draw(st.integers(0, 9)) == 0:
        path = draw(mangled(st.just(path)) | st.sampled_from(["/v1/session", "/v1/calls"]))
    if route.verb == "GET":
        query = "&".join(f"{name}={value}" for name, value in draw(QUERIES)[1])
        body = draw(st.just(b"") | mangled_bytes(st.just(b"{}")))
    else:
        query, body = draw(st.just("") | st.just("dry_run=true")), draw(BODIES)[1]
    headers = [(b"host", b"127.0.0.1"), (b"content-type", draw(st.sampled_from(_TYPES)).encode())]
    for name in draw(st.lists(st.sampled_from(_NAMES), max_size=2)):
        headers.append((name.encode(), draw(odd_texts).encode("latin-1", "ignore")))
    verb = draw(st.sampled_from([route.verb] * 8 + ["HEAD", "DELETE", "PATCH"]))
    return verb, path.encode("utf-8", "replace"), query.encode("utf-8", "replace"), headers, body


@cache
def _runner() -> tuple[asyncio.Runner, Any]:
    runner = _open.enter_context(asyncio.Runner())
    opened = open_engine("memory://", reconcile=False)
    engine = runner.run(opened.__aenter__())
    _open.callback(lambda: runner.run(opened.__aexit__(None, None, None)))
    return runner, app(engine)


@target(_requests())
def requests_of_any_kind(given: tuple[str, bytes, bytes, list[tuple[bytes, bytes]], bytes]) -> None:
    verb, path, query, headers, body = given
    runner, application = _runner()
    status, media_type, answer = runner.run(_answer(application, verb, path, query, headers, body))
    assert status < 500 or status == 503, f"{status}: {answer[:500]!r}"
    if status >= 400 and verb != "HEAD":
        assert media_type == MEDIA_TYPE, media_type
        problem = msgspec.json.decode(answer, type=Problem)
        assert problem.status == status
        assert 0 < len(problem.detail) <= 1_000, "the refusal is too long"


async def _answer(
    application: Any, verb: str, path: bytes, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes
) -> tuple[int, str, bytes]:
    sent: list[dict[str, Any]] = []
    received = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if received:
            return received.pop()
        if sent:
            return {"type": "http.disconnect"}
        await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": verb,
        "path": path.decode("utf-8", "replace"),
        "raw_path": path,
        "query_string": query,
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 7433),
        "root_path": "",
        "scheme": "http",
    }
    async with asyncio.timeout(60):
        await application(scope, receive, send)
    if not sent:
        return 0, "", b""
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found.get("content-type", ""), b"".join(message.get("body", b"") for message in sent[1:])


# ── calls of ff ──────────────────────────────────────────────────────────────────────────────────

_VERBS = (
    """
ls, show, explain, logs, workers, flow ls, flow show, flow cancel, flow replay, lanes, stats, lanes pause,
schedules, schedules pause, submit, purge, cancel, revoke, priority, replay, hold, waiting, waitpoints, signal,
approve, limits, limits set, limits pause, budgets set, budgets charge, tokens create, tokens revoke, secrets
list, nothing of the kind
""".replace("\n", " ")
    .strip()
    .split(", ")
)
_OPTIONS = (
    """
--state, --lane, --kind, --flow, --tag, --older, --limit, --json, --yes, --as, --reason, --concurrency, --rate,
--role, --expires, --namespace, --payload, --key, --in, --cursor, --format, --since, --help
""".replace("\n", " ")
    .strip()
    .split(", ")
)
_words_of_ff = st.sampled_from([EXECUTION, UUID, FLOW, "waiting", "a=b", "2h", "5", "usd=1", "viewer"])
_arguments = st.sampled_from(_OPTIONS) | _words_of_ff | odd_texts.filter(lambda text: text.isprintable())


@target(st.tuples(st.sampled_from(_VERBS), st.lists(_arguments, max_size=5)))
def calls_of_ff(given: tuple[str, list[str]]) -> None:
    verb, arguments = given
    ended = ff_here(*verb.split(), *arguments, "--url", _url("sqlite"))
    assert ended.returncode in [*Exit], f"{ended.returncode}: {ended.stderr}"
    assert "Traceback" not in ended.stderr + ended.stdout, ended.stderr
    if ended.returncode and "--help" not in arguments:
        lines = ended.stderr.splitlines()
        assert any(line.startswith("ff: ") for line in lines), ended.stderr
        assert len(lines) <= len(arguments) + 1, f"there is more than a line for each argument: {ended.stderr}"
