"""`ff server` as a process: where it listens, what it logs, and how it stops."""

import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from flowfabric import InvalidInput, open_blocking_engine
from flowfabric.server.serving import decide_access

pytestmark = pytest.mark.xdist_group("server: process")

CANARY = "canary-7f3a"


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'jobs.db'}"
    with open_blocking_engine(url, reconcile=False):
        return url


class Process:
    """A server that was started by `ff server`."""

    def __init__(self, database: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "flowfabric.cli", "server", "--store", database, "--port", "0", *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.lines: list[str] = []
        self._is_up = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._is_up.wait(60), self.lines
        self.url = re.findall(r"https?://[\d.]+:\d+", "".join(self.lines))[-1]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if " on http" in line:
                self._is_up.set()
        self._is_up.set()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        code = self.process.wait(60)
        self._reader.join(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def refusal(database: str, *options: str) -> str:
    """What a server says that does not start."""
    done = subprocess.run(
        [sys.executable, "-m", "flowfabric.cli", "server", "--store", database, "--port", "0", *options],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize(
    ("host", "has_tokens", "without_tokens", "i_know", "is_open"),
    [
        ("127.0.0.1", False, False, False, True),
        ("127.0.0.53", False, False, False, True),
        ("::1", False, False, False, True),
        ("localhost", True, False, False, False),
        ("127.0.0.1", True, True, False, True),
        ("0.0.0.0", True, False, False, False),
        ("0.0.0.0", False, True, True, True),
        ("0.0.0.0", False, False, False, None),
        ("0.0.0.0", False, False, True, None),
        ("0.0.0.0", True, True, False, None),
        ("shop.example", False, False, False, None),
        ("::", False, False, False, None),
    ],
)
def test_who_may_reach_a_server_is_decided_at_its_start(host, has_tokens, without_tokens, i_know, is_open):
    def decided() -> bool:
        return decide_access(host, has_tokens=has_tokens, without_tokens=without_tokens, i_know=i_know)

    if is_open is None:
        with pytest.raises(InvalidInput):
            decided()
    else:
        assert decided() is is_open


def test_a_server_that_everybody_could_reach_does_not_start(database):
    assert "There is no access token" in refusal(database, "--host", "0.0.0.0")


def test_a_server_without_tokens_says_so_and_stops_when_it_is_told_to(database):
    server = Process(database)
    try:
        assert httpx.get(f"{server.url}/readyz").status_code == 200
        assert httpx.get(f"{server.url}/v1/stats").status_code == 200
    finally:
        code = server.stop()

    assert code == 0
    assert any("asks for no token" in line for line in server.lines)


def test_tokens_that_are_there_at_the_start_are_asked_for_until_the_end(database):
    """The end of the last token opens nothing."""
    with open_blocking_engine(database, reconcile=False) as engine:
        made = engine.create_access_token("admin")
        server = Process(database)
        try:
            headers = {"authorization": f"Bearer {made.secret}"}
            assert httpx.get(f"{server.url}/v1/stats").status_code == 401
            assert httpx.get(f"{server.url}/v1/stats", headers=headers).status_code == 200
            engine.revoke_access_token(made.token.token_id)
            assert httpx.get(f"{server.url}/v1/stats").status_code == 401
        finally:
            server.stop()


def test_no_log_line_shows_a_secret_or_a_payload(database):
    """Requests of every kind carry a text that is then searched for in all that the server has written."""
    with open_blocking_engine(database, reconcile=False) as engine:
        token = engine.create_access_token("admin", name="ann").secret
    server = Process(database, "--log-level", "debug", "--log-format", "json")
    try:
        with httpx.Client(base_url=server.url, headers={"authorization": f"Bearer {token}"}, timeout=60) as http:
            payload = {"json": {"secret": CANARY}}
            made = http.post("/v1/executions", json={"kind": "k", "payload": payload}).json()
            http.post("/v1/executions", content=f'{{"kind": "{CANARY}', headers={"content-type": "application/json"})
            http.get(f"/v1/executions/{made['execution_id']}/payload")
            http.get(f"/v1/executions?kind={CANARY}")
            http.get(f"/w/{CANARY}")
            http.post(f"/w/{CANARY}", data={"choice": CANARY})
            http.get(f"/v1/{CANARY}")
            http.get("/v1/stats", headers={"authorization": f"Bearer {CANARY}"})
            cookie = f"ff_session_{http.base_url.port}={CANARY}"
            http.get("/v1/stats", headers={"cookie": cookie, "authorization": ""})
            http.post("/v1/session", json={"token": CANARY})
            http.request(CANARY, "/v1/stats")
            (claim,) = http.post("/v1/leases/claim", json={"worker_id": "w", "worker_instance_id": "i"}).json()
            http.post("/v1/leases/complete", json={"lease": claim["lease"] + CANARY})
            http.post("/v1/leases/complete", json={"lease": claim["lease"], "result": payload})
    finally:
        server.stop()
    written = "".join(server.lines)

    assert '"route": "/v1/executions"' in written
    for secret in (CANARY, token, token.split("_", 2)[2], claim["lease"]):
        assert secret.lower() not in written.lower()


def test_a_stop_finishes_what_is_under_way(database):
    server = Process(database)
    made = httpx.post(f"{server.url}/v1/executions", json={"kind": "k"}).json()
    answers: list[int] = []
    url = f"{server.url}/v1/executions/{made['execution_id']}/end"
    with httpx.Client(timeout=60) as http:
        waiting = threading.Thread(target=lambda: answers.append(http.get(url).status_code))
        waiting.start()
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        code = server.stop(signal.SIGINT)
        waiting.join(60)

    assert code == 0
    assert answers in ([204], []), answers


def test_metrics_need_a_token_or_a_port_of_their_own(database):
    with open_blocking_engine(database, reconcile=False) as engine:
        viewer = {"authorization": f"Bearer {engine.create_access_token('viewer').secret}"}
        submitter = {"authorization": f"Bearer {engine.create_access_token('submitter').secret}"}
    server = Process(database, "--metrics-port", "0")
    try:
        assert httpx.get(f"{server.url}/metrics").status_code == 401
        assert httpx.get(f"{server.url}/metrics", headers=submitter).status_code == 403
        shown = httpx.get(f"{server.url}/metrics", headers=viewer).text
        (beside,) = {each for line in server.lines for each in re.findall(r"http://\S+/metrics", line)}
        alone = httpx.get(beside).text
    finally:
        server.stop()

    assert 'route="/metrics"' in shown
    assert "flowfabric_" in alone
