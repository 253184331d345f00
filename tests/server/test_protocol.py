"""What happens on one connection: one request after the other, bodies that are asked for, and how it ends."""

import re
import socket

import pytest

from flowfabric.server import protocol, serving
from tests.server.running import Running, running
from tests.server.test_strangers import all_of, answer_in, connected, problem_in

pytestmark = pytest.mark.xdist_group("server: protocol")

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
SUBMIT = b"POST /v1/executions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = b'{"kind": "job", "lane": "protocol"}'


def statuses_in(data: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", data)]


def test_requests_that_come_together_are_answered_one_after_the_other(server: Running) -> None:
    """The last one ends the connection, and the answers are in order."""
    submit = SUBMIT + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
    with connected(server) as eager:
        eager.sendall(
            HEALTH + b"\r\n" + submit + b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )

        assert statuses_in(all_of(eager)) == [200, 200, 404]


def test_a_request_that_comes_byte_by_byte_is_answered(server: Running) -> None:
    chunked = SUBMIT + b"Transfer-Encoding: chunked\r\n\r\n5\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (
        BODY[:5], len(BODY) - 5, BODY[5:],
    )  # fmt: skip
    with connected(server) as slow:
        slow.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in chunked:
            slow.sendall(bytes([byte]))

        assert answer_in(slow).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_body_that_waits_to_be_asked_for_is_asked_for(server: Running) -> None:
    with connected(server) as polite:
        polite.sendall(SUBMIT + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(BODY))
        assert polite.recv(1_000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        polite.sendall(BODY)

        assert answer_in(polite).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_body_that_is_not_wanted_is_not_asked_for(server: Running) -> None:
    with connected(server) as polite:
        polite.sendall(SUBMIT + b"Expect: 100-continue\r\nContent-Length: 3000000\r\n\r\n")

        assert answer_in(polite).startswith(b"HTTP/1.1 413")


def test_a_request_of_http_1_0_gets_its_answer_and_the_end(server: Running) -> None:
    with connected(server) as old:
        old.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n")
        answer = all_of(old)

    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\nconnection: close\r\n" in answer
    assert answer.endswith(b'{"status":"ok"}')


@pytest.mark.parametrize(("version", "is_chunked"), [(b"1.1", True), (b"1.0", False)])
def test_a_stream_comes_in_chunks_where_they_are_known(server: Running, version: bytes, is_chunked: bool) -> None:
    with connected(server) as reader:
        reader.sendall(b"GET /v1/events HTTP/" + version + b"\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        answer = b""
        while b"retry: 1000\n" not in answer:
            answer += reader.recv(65_536)

    assert (b"\r\ntransfer-encoding: chunked\r\n" in answer) == is_chunked
    assert (b"\r\nconnection: close\r\n" in answer) == (not is_chunked)


def test_the_answer_to_head_has_no_body(server: Running) -> None:
    with connected(server) as asking:
        asking.sendall(b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" + HEALTH + b"Connection: close\r\n\r\n")
        first, second = all_of(asking).split(b"HTTP/1.1 200 OK\r\n")[1:]

    assert b"\r\ncontent-length: 15\r\n" in first
    assert first.endswith(b"\r\n\r\n")
    assert second.endswith(b'{"status":"ok"}')


def test_an_answer_says_when_it_was_sent(server: Running) -> None:
    with connected(server) as asking:
        asking.sendall(HEALTH + b"\r\n")

        assert re.search(rb"\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n", answer_in(asking))


def test_what_is_no_http_after_a_good_request_ends_the_connection(server: Running) -> None:
    with connected(server) as broken:
        broken.sendall(HEALTH + b"\r\n")
        assert answer_in(broken).startswith(b"HTTP/1.1 200")
        broken.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")

        assert problem_in(all_of(broken))["code"] == "no_http"


def test_a_body_that_breaks_off_in_disorder_is_no_http(server: Running) -> None:
    with connected(server) as broken:
        broken.sendall(SUBMIT + b"Transfer-Encoding: chunked\r\n\r\n5\r\n" + BODY[:5] + b"no")

        assert problem_in(all_of(broken))["code"] == "no_http"


def test_a_connection_that_nobody_uses_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "KEEP_ALIVE_S", 0.3)
    with running() as server, connected(server) as kept:
        for _ in range(3):
            kept.sendall(HEALTH + b"\r\n")
            assert answer_in(kept).startswith(b"HTTP/1.1 200")

        assert all_of(kept) == b""


def test_an_idle_connection_outlives_the_time_for_a_head(monkeypatch: pytest.MonkeyPatch) -> None:
    """That time counts from the first byte of a head. The connection of a client that asks seldom is kept."""
    monkeypatch.setattr(protocol, "HEAD_S", 0.05)
    with running() as server, connected(server) as kept:
        for _ in range(2):
            kept.sendall(HEALTH + b"\r\n")
            assert answer_in(kept).startswith(b"HTTP/1.1 200")
            kept.settimeout(0.3)
            with pytest.raises(TimeoutError):
                kept.recv(1)
            kept.settimeout(60)


def test_an_answer_and_its_head_leave_in_one_piece(server: Running) -> None:
    """A client wakes up once for both."""
    with connected(server) as asking:
        asking.sendall(HEALTH + b"\r\n")
        answer_in(asking)
        (connection,) = [
            each for each in server.server.server_state.connections if each._client == asking.getsockname()
        ]
        written: list[bytes] = []

        class Noting:
            def __init__(self, transport: object) -> None:
                self._transport = transport

            def write(self, data: bytes) -> None:
                written.append(data)
                self._transport.write(data)  # type: ignore[attr-defined]

            def __getattr__(self, name: str) -> object:
                return getattr(self._transport, name)

        connection.transport = Noting(connection.transport)
        asking.sendall(HEALTH + b"\r\n")
        answer = answer_in(asking)

    assert written == [answer]
