"""The page behind a link: what is asked, and the answer of a person."""

import asyncio
import threading

import httpx
import msgspec
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount

from flowfabric import open_engine
from flowfabric.domain.approvals import question
from flowfabric.server import app
from tests.server.running import Caller, Running

pytestmark = pytest.mark.xdist_group("server: pages")

NASTY = "<script>alert('x')</script>&\"'"


@pytest.fixture
def asked(call: Caller):
    """An execution that waits for a decision, and the token of its waitpoint."""
    asking = question("ok", f"Ship it? {NASTY}", ("yes", "no", NASTY), 1, rejection_ends=True)
    call("create_execution", "job", lane="pages")
    (claim,) = call("claim", worker_id="w", worker_instance_id="i", lanes=["pages"])
    waitpoint = call("create_waitpoint", claim.lease, "ok", about=asking.about({"order": NASTY, "n": 7}))
    return claim, waitpoint.token


def test_the_page_shows_what_is_asked_and_changes_nothing(server: Running, call: Caller, asked):
    claim, token = asked
    page = httpx.get(f"{server.url}/w/{token}")

    assert page.status_code == 200
    assert "Ship it?" in page.text
    assert "<script" not in page.text
    assert page.text.count("<button") == 3
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert call("list_signals", claim.execution_id) == []


def test_a_choice_becomes_a_signal_once(server: Running, call: Caller, asked):
    claim, token = asked
    for _ in range(2):
        answer = httpx.post(f"{server.url}/w/{token}", data={"choice": "yes", "note": "fine", "by": "ann"})
        assert answer.status_code == 200
        assert "yes" in answer.text

    (signal,) = call("list_signals", claim.execution_id)
    assert (signal.name, msgspec.json.decode(signal.payload)) == ("yes", {"choice": "yes", "note": "fine"})
    assert signal.claimed_source == "ann"


def test_an_answer_that_is_not_on_the_page_is_refused(server: Running, call: Caller, asked):
    claim, token = asked
    for form in ({"choice": "maybe"}, {"other": "x"}):
        assert httpx.post(f"{server.url}/w/{token}", data=form).status_code == 400
    assert httpx.post(f"{server.url}/w/{token}", json={"choice": "yes"}).status_code == 415
    assert httpx.post(f"{server.url}/w/{token}", data={"choice": "yes", "note": "x" * 100_000}).status_code == 413
    assert call("list_signals", claim.execution_id) == []


def test_a_closed_question_says_so_and_takes_no_answer(server: Running, call: Caller, asked):
    claim, token = asked
    call("close_waitpoint", claim.execution_id, "ok")

    assert "closed" in httpx.get(f"{server.url}/w/{token}").text
    assert httpx.post(f"{server.url}/w/{token}", data={"choice": "yes"}).status_code == 409


@pytest.mark.parametrize("token", ["x", "wp1.k1.x.y", "%00", "..%2f"])
def test_a_wrong_link_is_not_found_whatever_is_wrong_with_it(server: Running, token: str):
    for send in (httpx.get, lambda url: httpx.post(url, data={"choice": "yes"})):
        page = send(f"{server.url}/w/{token}")
        assert page.status_code == 404
        assert "This link is not valid" in page.text


def test_only_the_files_of_the_pages_are_served(server: Running):
    assert httpx.get(f"{server.url}/static/style.css").headers["content-type"] == "text/css; charset=utf-8"
    for name in ("..%2fsettings.py", "nothing.css", "%2e%2e"):
        assert httpx.get(f"{server.url}/static/{name}").status_code == 404


def test_the_app_may_be_mounted_under_a_prefix():
    """Its addresses and its links begin with the prefix."""
    ports: list[int] = []
    is_up = threading.Event()
    server: list[uvicorn.Server] = []

    async def serve() -> None:
        async with open_engine("memory://") as engine:
            mounted = Starlette(routes=[Mount("/jobs", app=app(engine))])
            server.append(uvicorn.Server(uvicorn.Config(mounted, port=0, log_config=None, lifespan="off")))
            serving = asyncio.ensure_future(server[0].serve())
            while not server[0].started:  # noqa: ASYNC110 - uvicorn tells it in no other way
                await asyncio.sleep(0.01)
            ports.append(server[0].servers[0].sockets[0].getsockname()[1])
            is_up.set()
            await serving

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert is_up.wait(60)
    with httpx.Client(base_url=f"http://127.0.0.1:{ports[0]}/jobs", timeout=60) as http:
        made = http.post("/v1/executions", json={"kind": "k"}).json()
        assert http.get(f"/v1/executions/{made['execution_id']}").json()["kind"] == "k"
        assert http.get("/v1/openapi.json").json()["servers"] == [{"url": "/jobs"}]
        assert 'href="/jobs/static/style.css"' in http.get("/v1/docs").text
        assert http.get("/static/style.css").status_code == 200
        assert http.get("//v1/stats").status_code == 404
    server[0].should_exit = True
    thread.join(60)
