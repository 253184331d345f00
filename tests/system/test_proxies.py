"""Two servers behind nginx and behind Caddy, with the configurations that people copy."""

import os
import pwd
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.chaos.killable_postgres import end_with_the_tests
from tests.chaos.processes import wait_until
from tests.server import ff_server
from tests.server.ff_server import Served, free_port
from tests.system.programs import program

PROXIES = Path(__file__).parents[2] / "docs" / "proxies"
HOST = "flows.example.org"
ME = {"worker_id": "w", "worker_instance_id": "w-1"}


def nginx(port: int, servers: Sequence[Served], folder: Path) -> list[str]:
    """The command that starts nginx. TLS is left to nginx: here it would need a certificate."""
    text = (PROXIES / "nginx.conf").read_text().replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    text = "\n".join(line for line in text.splitlines() if "ssl_certificate" not in line)
    (folder / "flowfabric.conf").write_text(at_ports(text, servers))
    folders = [f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
    whole = [
        f"user {pwd.getpwuid(os.geteuid()).pw_name};" if os.geteuid() == 0 else "",
        f"pid {folder}/pid; error_log {folder}/log; daemon off;",
        "events {}",
        f"http {{ access_log off; {' '.join(folders)} include {folder}/flowfabric.conf; }}",
    ]
    (folder / "nginx.conf").write_text("\n".join(whole))
    return [program("nginx"), "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")]


def caddy(port: int, servers: Sequence[Served], folder: Path) -> list[str]:
    """The command that starts Caddy. TLS is left to Caddy: here it would ask for a certificate."""
    text = (PROXIES / "Caddyfile").read_text().replace(f"{HOST} {{", f"http://127.0.0.1:{port} {{\n\tbind 127.0.0.1", 1)
    text = "{\n\tadmin off\n}\n" + text.replace(f"http://127.0.0.1:{port}", f"http://{HOST}:{port}", 1)
    (folder / "Caddyfile").write_text(at_ports(text, servers))
    return [program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def at_ports(text: str, servers: Sequence[Served]) -> str:
    first, second = servers
    assert text.count(":7433") == text.count(":7434") == 1
    return text.replace(":7433", f":{first.port}").replace(":7434", f":{second.port}")


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Sequence[Served]]:
    with ExitStack() as stack:
        url = f"sqlite:///{tmp_path}/shop.db"
        yield [stack.enter_context(ff_server.running(url, tmp_path, "--allowed-host", HOST)) for _ in range(2)]


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, servers: Sequence[Served], tmp_path: Path) -> Iterator[httpx.Client]:
    """Somebody who reaches the servers through the proxy, and by its name."""
    start: Callable[[int, Sequence[Served], Path], list[str]] = request.param
    port = free_port()
    headers = {"host": f"{HOST}:{port}" if start is caddy else HOST}
    with (
        started(start(port, servers, tmp_path), tmp_path),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60) as client,
    ):
        wait_until(lambda: answers(client))
        yield client


@contextmanager
def started(command: list[str], folder: Path) -> Iterator[None]:
    with (folder / "proxy.log").open("ab") as log:
        environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, preexec_fn=end_with_the_tests)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").is_success
    except httpx.TransportError:
        return False


def test_events_arrive_while_the_stream_is_open(proxy: httpx.Client) -> None:
    made = proxy.post("/v1/executions", json={"kind": "note"}).json()["execution_id"]

    with proxy.stream("GET", "/v1/events", headers={"accept": "text/event-stream"}) as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        lines = events.iter_lines()
        proxy.post(f"/v1/executions/{made}/cancel", json={"reason": "no"}).raise_for_status()
        arrived = next(line for line in lines if line.startswith("data:") and made in line)

    assert "cancelled" in arrived


def test_a_claim_waits_until_there_is_work(proxy: httpx.Client) -> None:
    claimed: list[httpx.Response] = []
    ask = {**ME, "timeout_ms": 30_000}
    waiting = threading.Thread(target=lambda: claimed.append(proxy.post("/v1/leases/wait", json=ask)))
    waiting.start()

    made = proxy.post("/v1/executions", json={"kind": "note"}).json()["execution_id"]
    waiting.join()

    assert [each["execution_id"] for each in claimed[0].json()] == [made]


def test_requests_go_to_the_other_server_when_one_is_gone(proxy: httpx.Client, servers: Sequence[Served]) -> None:
    servers[0].kill()

    # Some may get 502 until the proxy knows. They are sent again, with the same key.
    for number in range(10):
        wait_until(lambda key=f"key-{number}": submitted(proxy, key))

    made = proxy.get("/v1/executions").json()["items"]
    assert len(made) == 10


def submitted(proxy: httpx.Client, key: str) -> bool:
    answer = proxy.post("/v1/executions", json={"kind": "note"}, headers={"Idempotency-Key": key})
    assert answer.status_code in (200, 502, 503, 504), answer.text  # the others: a proxy whose servers are busy
    return answer.is_success
