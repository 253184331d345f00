"""The dashboard as a server sends it: its page, its files, its headers, and what it asks the API for."""

import asyncio
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import httpx
import pytest

from flowfabric import open_blocking_engine, open_engine
from flowfabric.app import examine
from flowfabric.domain.access import ROLES
from flowfabric.domain.approvals import question
from flowfabric.domain.health.facts import Facts
from flowfabric.domain.snapshots import Stats
from flowfabric.server import app, beside, dashboard
from flowfabric.wire.access import MAY
from flowfabric.wire.operations import OPERATIONS
from tests.server.running import Caller, Running, running

if TYPE_CHECKING:
    from flowfabric.wire.engine import WireEngine

pytestmark = pytest.mark.xdist_group("server: dashboard")

STATIC = Path(dashboard.__file__).parent / "static"
BYTES_MAX = 150_000
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
PAGES = [each.replace("{id}", "%7Bfp:86%7D:0197") for each in dashboard.ADDRESSES]


def scripts() -> Iterator[tuple[str, str]]:
    for file in sorted(STATIC.glob("*.js")):
        yield file.name, file.read_text()


# ── the page ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", PAGES)
def test_every_address_of_the_dashboard_is_the_same_page(server: Running, path: str):
    page = httpx.get(f"{server.url}{path}")

    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-store"
    assert page.text == httpx.get(server.url).text


@pytest.mark.parametrize("path", ["/nothing", "/executions/x/y", "/Executions", "//", "/static", "/static/"])
def test_other_addresses_are_none(server: Running, path: str):
    answer = httpx.get(f"{server.url}{path}")

    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_address")


def test_a_page_and_its_files_have_the_headers_that_protect_them(server: Running):
    for path in ("/", "/executions", f"/static/{dashboard.build()}/app.js"):
        headers = httpx.get(f"{server.url}{path}").headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"


def test_the_page_has_no_code_and_no_style_of_its_own(server: Running):
    text = httpx.get(server.url).text

    assert re.findall(r"<script[^>]*>([^<]*)</script>", text) == [""]
    assert "<style" not in text
    assert not re.search(r"\s(style|on\w+)=", text)


def test_the_page_names_the_modules_of_the_first_page_so_that_none_waits_for_another(server: Running):
    named = re.findall(r'<link rel="modulepreload" href="/static/\w+/(\w+\.js)">', httpx.get(server.url).text)

    loaded = {name: set(re.findall(r'^import .*"\./([^"]+)"', text, re.MULTILINE)) for name, text in scripts()}
    assert {"app.js", "overview.js"} <= set(named)
    assert set.union(*(loaded[name] for name in named)) <= set(named)
    assert len(named) == len(set(named)) < len(loaded)


def test_the_page_says_whether_asking_for_a_session_is_worth_it(server: Running, guarded: Running):
    assert 'name="session" content="maybe"' in httpx.get(server.url).text
    assert 'name="session" content="none"' in httpx.get(guarded.url).text
    cookies = {f"ff_session_{httpx.URL(guarded.url).port}": "x"}
    assert 'name="session" content="maybe"' in httpx.get(guarded.url, cookies=cookies).text


def test_a_head_request_gets_the_headers_alone(server: Running):
    answer = httpx.head(f"{server.url}/executions")

    assert (answer.status_code, answer.content) == (200, b"")


def asgi_answer(path: str, root_path: str) -> tuple[int, str]:
    """What an app that is mounted under a prefix answers, without any server."""

    async def asked() -> tuple[int, str]:
        sent: list[dict] = []

        async def receive() -> dict:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict) -> None:
            sent.append(message)

        scope = {
            "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "root_path": root_path,
            "query_string": b"", "headers": [(b"host", b"localhost")], "scheme": "http", "client": ("127.0.0.1", 1),
        }  # fmt: skip
        async with open_engine("memory://", reconcile=False) as engine:
            await app(engine)(scope, receive, send)
        return sent[0]["status"], sent[1]["body"].decode()

    return asyncio.run(asked())


@pytest.mark.parametrize("path", ["/jobs", "/jobs/", "/jobs/executions/x"])
def test_under_a_prefix_the_page_and_its_files_begin_with_it(path: str):
    status, text = asgi_answer(path, "/jobs")

    assert status == 200
    assert '<meta name="prefix" content="/jobs">' in text
    assert set(re.findall(r'(?:href|src)="([^"#]+)/[\w.]+"', text)) == {f"/jobs/static/{dashboard.build()}"}


def test_a_prefix_cannot_bring_markup_into_the_page():
    _, text = asgi_answer('/a"><script>/', '/a"><script>')

    assert 'content="/a&quot;&gt;&lt;script&gt;"' in text


# ── its files ────────────────────────────────────────────────────────────────────────────────────


def test_a_file_with_its_build_in_the_address_is_kept_for_ever(server: Running):
    answer = httpx.get(f"{server.url}/static/{dashboard.build()}/app.js")

    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"


def test_a_file_of_another_build_is_not_kept(server: Running):
    answer = httpx.get(f"{server.url}/static/0123456789abcdef/app.js")

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")


@pytest.mark.parametrize("name", ["index.html", "..%2fsettings.py", "nothing.js", "%2e%2e", "app.js%00", ""])
def test_nothing_else_is_a_file(server: Running, name: str):
    assert httpx.get(f"{server.url}/static/{dashboard.build()}/{name}").status_code == 404


def test_all_files_together_are_small():
    assert sum(file.stat().st_size for file in STATIC.iterdir()) <= BYTES_MAX


def test_every_script_is_described_once():
    assert dashboard.__doc__ is not None

    assert sorted(re.findall(r"^(\w+\.js) ", dashboard.__doc__, re.MULTILINE)) == [name for name, _ in scripts()]


def test_modules_load_only_modules_that_are_here():
    for name, text in scripts():
        loaded = re.findall(r'^import .*from "([^"]+)"', text, re.MULTILINE)
        assert [each for each in loaded if not (STATIC / each).is_file() or not each.startswith("./")] == [], name


def test_no_file_names_another_host():
    for file in STATIC.iterdir():
        named = set(re.findall(r"https?://[^\s\"')]+", file.read_text()))
        assert named <= {"http://www.w3.org/2000/svg"}, file.name


@pytest.mark.parametrize(
    "forbidden",
    [r"\binnerHTML\b", r"\bouterHTML\b", r"\binsertAdjacentHTML\b", r"document\.write", r"\beval\(", r"new Function",
     r"\bcssText\b", r"setAttribute\(\s*[\"']style", r"DOMParser", r"createContextualFragment", r"\bsrcdoc\b"],
)  # fmt: skip
def test_no_script_makes_code_markup_or_style_of_text(forbidden: str):
    assert [name for name, text in scripts() if re.search(forbidden, text)] == []


def test_scripts_and_server_know_the_same_addresses():
    """The lists are those places of keys.js to which `g` and a letter lead."""
    places = re.findall(r'^\t\["\w", "(\w*)", ', (STATIC / "keys.js").read_text(), re.MULTILINE)
    others = re.findall(r'^\t\["(/[^"]+)", ', (STATIC / "app.js").read_text(), re.MULTILINE)

    assert sorted([*(f"/{place}" for place in places), *others]) == sorted(each for each in dashboard.ADDRESSES if each)


def test_every_page_has_a_module():
    places = re.findall(r'^\t\["\w", "(\w+)", ', (STATIC / "keys.js").read_text(), re.MULTILINE)
    others = re.findall(r'(?:list|module)\("(\w+)"\)', (STATIC / "app.js").read_text())
    exported = re.search(r"^export const lists = \{ (.*) \};$", (STATIC / "lists.js").read_text(), re.MULTILINE)
    assert exported is not None
    lists = exported[1].split(", ")

    assert len(others) == 4
    for name in {*places, *others} - set(lists):
        assert re.search(r"^export async function show\(page\)", (STATIC / f"{name}.js").read_text(), re.MULTILINE), (
            name
        )
    assert set(lists) <= set(places)


def test_scripts_call_only_routes_of_the_api():
    """A part of a path that a script fills in stands for any name."""
    routes = {re.sub(r"\{\w+\}", "*", each.route.path) for each in OPERATIONS.values()} | {"/v1/session", "/v1/calls"}
    for name, text in scripts():
        for called in re.findall(r'["`](/v1/[^"`?]*)', text):
            path = re.sub(r"\$\{[^}]*\}", "*", called)
            is_begun = path.endswith("/")  # the verb follows
            assert path in routes or (is_begun and any(each.startswith(path) for each in routes)), (name, called)


# ── who reads it ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ROLES)
def test_a_session_says_what_its_role_may_do(guarded: Running, role: str):
    with httpx.Client(base_url=guarded.url, timeout=60) as http:
        opened = http.post("/v1/session", json={"token": guarded.token(role, name="ann", namespace="shop")})
        who = http.get("/v1/session").json()

    assert opened.json() == who
    assert who["may"] == sorted(MAY[role])
    assert (who["name"], who["role"], who["namespace"], who["is_open"]) == ("ann", role, "shop", False)


def test_without_tokens_the_reader_may_do_everything_and_need_not_log_in(server: Running):
    who = httpx.get(f"{server.url}/v1/session").json()

    assert (who["role"], who["is_open"], who["may"]) == ("admin", True, sorted(MAY["admin"]))


def test_a_browser_forgets_a_session_that_is_over(guarded: Running):
    name = f"ff_session_{httpx.URL(guarded.url).port}"
    answer = httpx.get(f"{guarded.url}/v1/session", cookies={name: "fft_over"})

    assert answer.status_code == 401
    assert answer.headers["set-cookie"].startswith(f"{name}=; ")
    assert "Max-Age=0" in answer.headers["set-cookie"]


def test_a_login_link_opens_one_session_once(guarded: Running):
    secret = guarded.run(guarded.engine.create_login_token()).secret
    with httpx.Client(base_url=guarded.url, timeout=60) as http:
        assert http.post("/v1/session", json={"token": secret}).status_code == 200
        assert http.get("/v1/session").json()["role"] == "admin"
        assert http.post("/v1/session", json={"token": secret}).status_code == 401


# ── what people are asked ────────────────────────────────────────────────────────────────────────


def asks(call: Caller, lane: str, key: str = "boss", title: str = "Ship it?", namespace: str = "default") -> str:
    """An execution that waits for a decision."""
    asking = question(key, title, ("yes", "no"), 1, rejection_ends=True)
    call("create_execution", "job", lane=lane, namespace=namespace)
    (claim,) = call("claim", worker_id="w", worker_instance_id="i", lanes=[lane], namespace=namespace)
    call("create_waitpoint", claim.lease, key, about=asking.about({"order": 7}))
    call("suspend", claim.lease, key, asking.condition(), reason="waiting_for_approval", timeout_ms=60_000)
    return claim.execution_id


def sleeps(call: Caller, lane: str) -> str:
    """An execution that waits for its time, and asks nobody."""
    call("create_execution", "job", lane=lane)
    (claim,) = call("claim", worker_id="w", worker_instance_id="i", lanes=[lane])
    call("suspend", claim.lease, "nap", "nobody", timeout_ms=60_000)
    return claim.execution_id


@pytest.fixture
def calls() -> Iterator[Caller]:
    """Calls of a server with nothing in it."""
    with running() as started:
        caller = Caller(started.url)
        with caller.http:
            yield caller


def test_open_questions_are_listed_with_what_people_need_to_decide(calls: Caller):
    sleeps(calls, "a")
    first = asks(calls, "b")
    second = asks(calls, "c", key="editor", title="Print it?")

    found = calls("list_questions")

    assert [(each.execution_id, each.key, each.title) for each in found.items] == [
        (first, "boss", "Ship it?"),
        (second, "editor", "Print it?"),
    ]
    assert (found.items[0].choices, found.items[0].about["order"], found.next_cursor) == (["yes", "no"], 7, None)
    assert found.items[0].timeout_at_ms > found.items[0].since_ms


def test_questions_come_page_by_page(calls: Caller):
    expected = [asks(calls, "a"), asks(calls, "a"), asks(calls, "a")]

    found, cursor = [], None
    while True:
        page = calls("list_questions", cursor=cursor, limit=1)
        found += [each.execution_id for each in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break

    assert found == expected


def test_a_question_that_is_answered_or_closed_is_gone(calls: Caller):
    answered, closed, still_open = asks(calls, "a"), asks(calls, "a"), asks(calls, "a")
    calls("signal", answered, "boss", b'{"choice": "yes"}', name="yes")
    calls("close_waitpoint", closed, "boss")

    assert [each.execution_id for each in calls("list_questions").items] == [still_open]


def test_questions_of_another_namespace_are_not_shown(guarded: Running, callers):
    everybody = callers(guarded.url, guarded.token("admin"))
    asked = asks(everybody, "a", namespace="theirs")

    ours = callers(guarded.url, guarded.token("viewer", namespace="ours"))

    assert [each.execution_id for each in everybody("list_questions").items] == [asked]
    assert ours("list_questions").items == []


@pytest.mark.parametrize("limit", [0, 1_001, -1])
def test_a_limit_of_questions_that_can_never_work_is_refused(calls: Caller, limit: int):
    assert calls.http.get("/v1/questions", params={"limit": limit}).status_code == 400


# ── one execution ────────────────────────────────────────────────────────────────────────────────


def test_the_view_of_an_execution_has_in_one_answer_what_its_parts_say(calls: Caller):
    asked = asks(calls, "a")

    found = calls("view_execution", asked)

    assert found.execution == calls("describe_execution", asked)
    assert found.explanation.startswith("It waits in 'boss' for 1 approval")
    assert found.attempts == calls("list_attempts", asked)
    assert found.events == calls("read_events", execution_id=asked).events
    assert found.questions == calls("list_questions").items
    assert (found.steps, found.payload, found.result) == ([], None, None)


def test_a_view_brings_small_values_if_they_are_wanted(calls: Caller):
    calls("create_execution", "job", b"in", lane="a")
    (claim,) = calls("claim", worker_id="w", worker_instance_id="i", lanes=["a"])
    calls("record_step", claim.lease, "add", b"3")
    before = calls("view_execution", claim.execution_id, values=True)
    calls("complete", claim.lease, result=b"out")

    after = calls("view_execution", claim.execution_id, values=True)

    assert (before.payload, before.result, [each.result for each in before.steps]) == (b"in", None, [b"3"])
    assert (after.payload, after.result) == (b"in", b"out")


def test_a_view_does_not_wait_for_a_large_value(calls: Caller):
    small, large = b"x" * beside.VALUE_BYTES_SHOWN, b"x" * (beside.VALUE_BYTES_SHOWN + 1)

    found = [
        calls("view_execution", calls("create_execution", "job", payload).execution_id, values=True).payload
        for payload in (small, large)
    ]

    assert found == [small, None]


def test_there_is_no_view_of_an_unknown_execution(calls: Caller):
    assert calls("view_execution", "{fp:86}:01890000-0000-7000-8000-0000000000ff") is None


# ── the overview ─────────────────────────────────────────────────────────────────────────────────


def test_the_overview_has_in_one_answer_what_its_parts_say(calls: Caller):
    asked = asks(calls, "a")
    calls("create_execution", "job", lane="b")
    calls("create_execution", "job", lane="fails")
    (claimed,) = calls("claim", worker_id="w", worker_instance_id="i", lanes=["fails"])
    calls("fail", claimed.lease, code="CardDeclined", retryable=False)

    found = calls("overview")

    assert found.stats.executions == calls("stats").executions
    assert [(each.lane, each.waiting) for each in found.lanes] == [("a", 0), ("b", 1), ("fails", 0)]
    assert (found.ends, found.failures) == (calls("throughput", since_ms=0), calls("recent_failures", since_ms=0))
    assert ([each.execution_id for each in found.questions], found.has_more_questions) == ([asked], False)


def test_an_overview_shows_only_the_namespace_of_its_reader(guarded: Running, callers):
    everybody = callers(guarded.url, guarded.token("admin"))
    ours = callers(guarded.url, guarded.token("viewer", namespace="nobody-else"))
    everybody("create_execution", "job", namespace="theirs")

    assert everybody("overview").stats.executions["waiting"] > 0
    assert ours("overview").stats.executions["waiting"] == 0


def test_a_hundred_readers_of_the_overview_at_once_cost_one_read_of_the_store(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(beside, "OVERVIEW_FRESH_S", 600.0)

    async def asked_by(readers: int) -> tuple[int, int]:
        """How many answers there were, and how often the store was asked for its numbers."""
        async with open_engine("memory://") as engine:
            reads = 0

            async def stats() -> Stats:
                nonlocal reads
                reads += 1
                return await engine.stats()

            view = SimpleNamespace(
                server_time_ms=engine.server_time_ms, stats=stats, list_lanes=engine.list_lanes,
                throughput=engine.throughput, recent_failures=engine.recent_failures, list_waiting=engine.list_waiting,
            )  # fmt: skip
            overviews = beside.Overviews()
            found = await asyncio.gather(*(overviews.overview(cast("WireEngine", view), None) for _ in range(readers)))
            return len(found), reads

    assert asyncio.run(asked_by(100)) == (100, 1)


# ── the doctor ───────────────────────────────────────────────────────────────────────────────────


def test_the_doctor_finds_what_is_wrong_and_names_the_command(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'jobs.db'}"
    with running(url, examine=lambda: examine(url), with_tokens=True) as started:
        started.run(started.engine.create_execution("job", lane="mail", namespace="shop"))
        started.run(started.engine.pause_lane("mail", namespace="shop", reason="stocktaking"))

        def diagnosis(**options: str) -> dict:
            headers = {"authorization": f"Bearer {started.token('viewer', **options)}"}
            return httpx.get(f"{started.url}/v1/doctor", headers=headers, timeout=60).json()

        everybody, shop, other = diagnosis(), diagnosis(namespace="shop"), diagnosis(namespace="other")

    (finding,) = everybody["findings"]
    assert (everybody["is_healthy"], finding["problem"], finding["severity"]) == (True, "lane_paused", "advice")
    assert "`ff lanes resume mail" in finding["advice"]
    assert shop["findings"] == everybody["findings"]
    assert (other["findings"], other["summary"]) == ([], "Nothing is wrong.")


def test_the_doctor_says_so_if_nothing_can_be_examined(calls: Caller):
    found = calls("doctor")

    assert (found.is_healthy, list(found.findings)) == (None, [])
    assert "examine" in found.unknown[0]


def test_a_database_that_takes_long_to_examine_is_examined_seldom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    url = f"sqlite:///{tmp_path / 'jobs.db'}"
    with open_blocking_engine(url, migrate=True):
        pass
    now_s, examined = 1_000.0, 0
    monkeypatch.setattr(beside, "time", SimpleNamespace(monotonic=lambda: now_s))  # not of every thread

    def slowly() -> Facts:
        nonlocal now_s, examined
        now_s, examined = now_s + 10, examined + 1
        return examine(url)

    async def looked_at(doctor: beside.Doctor, *after_s: float) -> list[int]:
        nonlocal now_s
        counts = []
        for seconds in after_s:
            now_s += seconds
            await doctor.diagnosis(None)
            counts.append(examined)
        return counts

    counts = asyncio.run(looked_at(beside.Doctor(slowly), 0, beside.FRESH_S, 10 * beside.REST - 6, 1))

    assert counts == [1, 1, 1, 2]


# ── the first minute ─────────────────────────────────────────────────────────────────────────────


def test_what_an_empty_dashboard_says_to_type_works(tmp_path: Path):
    text = (STATIC / "overview.js").read_text()
    program, commands = re.findall(r"= `([^`]+)`;", text)[:2]
    (tmp_path / program.splitlines()[0].removeprefix("# ")).write_text(program)
    worker, submit = [shlex.split(line.removesuffix(" &")) for line in commands.splitlines()]
    database = f"sqlite:///{tmp_path / 'flowfabric.db'}"
    with open_blocking_engine(database, reconcile=False):
        pass  # the dashboard that says it shows this database

    done = subprocess.run(
        [sys.executable, "-m", "flowfabric.cli", *submit[1:]], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 0, done.stderr
    assert worker == ["ff", "worker", submit[-1]], "both name the same program"
    with open_blocking_engine(database, reconcile=False) as engine:
        (made,) = engine.list_executions().items
    assert (made.kind, made.public_state) == ("greet", "waiting")
