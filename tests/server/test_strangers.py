"""Requests of clients that are slow, endless, broken or many: others are served, and memory stays bounded."""

import asyncio
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from flowfabric import open_blocking_engine
from flowfabric.server import Settings, protocol
from tests.server import ff_server
from tests.server.running import Running, running

pytestmark = pytest.mark.xdist_group("server: strangers")


HEAD = b"HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "


def connected(server: Running) -> socket.socket:
    found = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    found.settimeout(60)
    return found


def all_of(connection: socket.socket) -> bytes:
    """Everything that the server sends until it closes. A reset is an end, too."""
    parts = []
    try:
        while part := connection.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def answer_in(connection: socket.socket) -> bytes:
    """One answer, with its whole body."""
    data = b""
    while True:
        part = connection.recv(65_536)
        assert part, f"the server has closed the connection after {data!r}"
        data += part
        head, end, body = data.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        if end and length is not None and len(body) >= int(length[1]):
            return data


def problem_in(answer: bytes) -> dict[str, object]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head, answer
    return json.loads(body)


def is_served(server: Running) -> bool:
    return httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200


def test_a_head_that_takes_too_long_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(protocol, "HEAD_S", 0.2)
    with running() as server, connected(server) as slow, connected(server) as silent, connected(server) as again:
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: local")
        again.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert answer_in(again).startswith(b"HTTP/1.1 200")
        again.sendall(b"GET /heal")

        assert [all_of(each) for each in (slow, silent, again)] == [b"", b"", b""]
        assert is_served(server)


def test_a_body_that_takes_too_long_is_refused():
    with running(settings=Settings(body_s=0.2)) as server, connected(server) as slow:
        slow.sendall(
            b"POST /v1/executions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{"
        )
        assert problem_in(all_of(slow))["code"] == "too_slow"
        assert is_served(server)


def test_a_connection_goes_on_if_the_body_of_a_refused_request_comes_a_little_later(monkeypatch):
    monkeypatch.setattr(protocol, "LINGER_S", 0.05)
    with running(settings=Settings(allowed_hosts=("other",))) as server, connected(server) as kept:
        for _ in range(3):
            kept.sendall(b"POST /v1/executions " + HEAD + b"2\r\n\r\n")
            assert answer_in(kept).startswith(b"HTTP/1.1 421")
            kept.sendall(b"{}")
            server.run(asyncio.sleep(2 * protocol.LINGER_S))  # until a body that still came would have been cut off


@pytest.mark.parametrize("path", ["/v1/executions", "/v1/nothing", "/w/x"])
def test_a_body_without_end_is_read_as_far_as_it_may_be_and_no_further(server: Running, path: str):
    """Chunks come as long as the server takes them. It answers, drops some more, and closes."""
    sent = 0
    with connected(server) as endless:
        endless.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n".encode()
        )
        chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
        try:
            while sent < 1_000_000_000:
                endless.sendall(chunk)
                sent += len(chunk)
        except OSError:
            pass
    assert sent < 1_000_000_000, "the server reads on and on"
    assert is_served(server)


def test_a_refused_body_that_goes_on_slowly_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(protocol, "LINGER_S", 0.05)
    with running(settings=Settings(allowed_hosts=("other",))) as server, connected(server) as slow:
        slow.sendall(b"POST /v1/executions " + HEAD + b"1000000\r\n\r\n{")

        assert all_of(slow).startswith(b"HTTP/1.1 421")


def test_a_body_that_is_announced_as_too_large_is_refused_at_once(server: Running):
    with connected(server) as large:
        large.sendall(
            b"POST /v1/executions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 3000000\r\n\r\n"
        )
        answer = answer_in(large)
        assert answer.startswith(b"HTTP/1.1 413")
        assert problem_in(answer)["code"] == "too_large"


def test_batches_may_be_larger_than_other_bodies(server: Running):
    items = [{"kind": "k", "lane": "large", "payload": {"base64": "A" * 400_000}} for _ in range(8)]

    assert httpx.post(f"{server.url}/v1/executions:batch", json={"items": items}, timeout=60).status_code == 200
    assert httpx.post(f"{server.url}/v1/flows", json={"kind": "x" * 3_000_000}, timeout=60).status_code == 413


@pytest.mark.parametrize(
    "request_",
    [
        b"nonsense\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nBad Header: x\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 2_000_000,
    ],
    ids=["no request", "a bad header", "a header without end"],
)
def test_what_is_no_http_is_a_problem_too(server: Running, request_: bytes):
    with connected(server) as broken:
        with suppress(ConnectionError):
            broken.sendall(request_)
        answer = answer_in(broken)

    assert answer.startswith(b"HTTP/1.1 400")
    assert problem_in(answer)["code"] == "no_http"


@pytest.mark.parametrize("target", [b"x/v1/stats", b"http://localhost/v1/stats", b"*"])
def test_a_target_that_is_no_path_is_no_address(server: Running, target: bytes):
    """A proxy in front may read it in another way."""
    with connected(server) as odd:
        odd.sendall(b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = answer_in(odd)

    assert answer.startswith(b"HTTP/1.1 404")
    assert problem_in(answer)["code"] == "no_such_address"


def test_there_are_so_many_connections_and_no_more(monkeypatch):
    monkeypatch.setattr(protocol, "CONNECTIONS_MAX", 2)
    with running() as server, connected(server) as first, connected(server) as second:
        for each in (first, second):
            each.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert answer_in(each).startswith(b"HTTP/1.1 200")
        with connected(server) as third:
            assert all_of(third) == b""


def test_results_are_sent_up_to_a_number_of_bytes_at_once_and_a_client_asks_for_fewer():
    """Otherwise the same id ten thousand times would be an answer of ten gigabytes."""
    with running(settings=Settings(batch_bytes_max=500_000)) as server, open_blocking_engine(server.url) as engine:
        keys = [engine.create_execution("job", lane="results").execution_id for _ in range(4)]
        for claim in engine.claim(worker_id="w", worker_instance_id="i", lanes=["results"], limit=4):
            engine.complete(claim.lease, bytes(200_000))

        refused = httpx.post(f"{server.url}/v1/executions:ends", json={"execution_ids": keys[:1] * 10_000})
        several = [{"path": "/v1/executions:ends", "body": {"execution_ids": keys[:1]}}]
        among = httpx.post(f"{server.url}/v1/calls", json=several).json()

        assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
        assert among[0]["status"] == 400
        found = engine.get_ends(keys)
        assert [end is not None and end.execution.execution_id for end in found] == keys
        assert {len(end.result) for end in found} == {200_000}


def test_answers_that_nobody_reads_are_not_kept(monkeypatch):
    """The document needs no token, and a hundred of it are more than what fits on its way."""
    monkeypatch.setattr(protocol, "UNREAD_S", 0.2)
    with running() as server, ExitStack() as stack:
        readers = [stack.enter_context(asking_for_much(server)) for _ in range(3)]
        wait_until(lambda: server.server.server_state.total_requests >= 3)
        wait_until(lambda: not server.server.server_state.connections)
        assert is_served(server)
        assert all(each.fileno() >= 0 for each in readers)


@pytest.mark.parametrize("taken", [protocol.TAKEN_BYTES_MIN - 1, protocol.TAKEN_BYTES_MIN])
def test_an_answer_that_is_read_slowly_is_kept_as_long_as_it_moves(taken: int):
    with running() as server, asking_for_much(server):
        wait_until(lambda: [c for c in server.server.server_state.connections if c.transport.get_write_buffer_size()])
        (connection,) = server.server.server_state.connections

        async def look() -> bool:
            connection.check_reader(connection.transport.get_write_buffer_size() + taken)
            return connection.transport.is_closing()

        assert server.run(look()) == (taken < protocol.TAKEN_BYTES_MIN)


@contextmanager
def asking_for_much(server: Running) -> Iterator[socket.socket]:
    """A reader with little room, which reads nothing."""
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        reader.connect(("127.0.0.1", server.port))
        reader.sendall(b"GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        yield reader


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        threading.Event().wait(0.01)


def test_a_body_of_a_stranger_is_small(server: Running):
    """Who needs no token may send what a signal may have, and no more."""
    response = httpx.post(f"{server.url}/v1/signals/x", json={"payload": {"base64": "A" * 200_000}})

    assert response.status_code == 413


def test_bodies_are_held_up_to_a_number_of_bytes_in_the_whole_process():
    with running(settings=Settings(bodies_bytes_max=1_000_000)) as server, connected(server) as slow:
        with connected(server) as stranger:
            slow.sendall(b"POST /v1/executions " + HEAD + b"900000\r\n\r\n" + b" " * 899_000)
            wait_until_held(server, 899_000)
            stranger.sendall(b"POST /v1/signals/x " + HEAD + b"150000\r\n\r\n" + b" " * 140_000)
            answer = answer_in(stranger)

        assert answer.startswith(b"HTTP/1.1 503")
        assert b"\r\nretry-after: 1\r\n" in answer
        assert (problem_in(answer)["code"], problem_in(answer)["retryable"]) == ("server_busy", True)
        slow.sendall(b" " * 998 + b"{}")
        assert problem_in(answer_in(slow))["code"] == "invalid_input"
        wait_until_held(server, 0)


def test_strangers_share_a_quarter_of_that():
    with running(with_tokens=True, settings=Settings(bodies_bytes_max=400_000)) as server, connected(server) as first:
        token = server.token("submitter")
        first.sendall(b"POST /v1/signals/x " + HEAD + b"150000\r\n\r\n" + b" " * 90_000)
        wait_until_held(server, 90_000)

        second = httpx.post(
            f"{server.url}/v1/signals/x", content=b" " * 20_000, headers={"content-type": "application/json"}
        )
        known = httpx.post(
            f"{server.url}/v1/executions",
            json={"kind": "k", "payload": {"base64": "A" * 200_000}},
            headers={"authorization": f"Bearer {token}"},
        )

    assert (second.status_code, second.json()["code"]) == (503, "server_busy")
    assert known.status_code == 200


def wait_until_held(server: Running, size: int) -> None:
    deadline = time.monotonic() + 60
    while server.server._app._bodies.held != size:
        assert time.monotonic() < deadline, server.server._app._bodies.held
        threading.Event().wait(0.005)


def test_a_websocket_is_not_opened(server: Running):
    headers = {
        "connection": "upgrade",
        "upgrade": "websocket",
        "sec-websocket-key": "eA==",
        "sec-websocket-version": "13",
    }

    assert httpx.get(f"{server.url}/v1/events", headers=headers).status_code == 200


def test_half_open_readers_and_wrong_tokens_cost_little_memory(tmp_path: Path):
    """500 readers that never read, connections that say nothing, and wrong tokens by the hundred, at once."""
    store = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(store, reconcile=False) as engine:
        tokens = [engine.create_access_token("viewer").secret for _ in range(500 // Settings().streams_max + 1)]
    with ff_server.running(store, tmp_path) as server, ExitStack() as stack:
        good = {"authorization": f"Bearer {tokens[0]}"}
        assert httpx.get(f"{server.url}/v1/stats", headers=good, timeout=60).is_success
        before_mb = memory_mb(server.pid, "VmRSS")
        readers = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(600)]
        for number, reader in enumerate(readers):
            reader.settimeout(60)
            reader.sendall(
                b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer "
                + tokens[number % len(tokens)].encode()
                + (b"\r\n\r\n" if number < 500 else b"")
            )
        assert all(reader.recv(12) == b"HTTP/1.1 200" for reader in readers[:500])
        with httpx.Client(base_url=server.url, timeout=60) as http:
            for number in range(200):
                wrong = {"authorization": f"Bearer fft_aaaaaaaaaaaa_{number:043}"}
                assert http.get("/v1/stats", headers=wrong).status_code in (401, 429)
            assert http.get("/v1/stats", headers=good).is_success
        grown_mb = memory_mb(server.pid, "VmHWM") - before_mb

    assert grown_mb < 50


def memory_mb(pid: int, which: str) -> float:
    """The resident memory of a process: now (VmRSS), or the most it ever had (VmHWM)."""
    found = re.search(rf"{which}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


def test_callers_that_go_away_while_they_wait_leave_nothing_behind(server: Running):
    for _ in range(5):
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(
                f"{server.url}/v1/leases/wait",
                json={"worker_id": "w", "worker_instance_id": "i", "lanes": ["nobody"]},
                timeout=0.05,
            )
    deadline = time.monotonic() + 60
    while len(server.server.server_state.tasks) > 0:
        assert time.monotonic() < deadline
        threading.Event().wait(0.01)
