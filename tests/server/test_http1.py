"""HTTP/1.1 as the server reads and writes it: requests in any pieces, and nothing that could mean two things."""

from itertools import pairwise
from typing import NamedTuple

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowfabric.server.http1 import HEAD_BYTES_MAX, Head, chunk, head_bytes, head_in
from flowfabric.wire.http1 import BodyReader, Malformed

START = b"POST /v1/a%20b?x=1 HTTP/1.1\r\nHost: localhost\r\n"
REQUESTS = {
    "no body": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "length": START + b"Content-Length: 21\r\nX-One:\t1 \r\n\r\na body of some length",
    "empty": START + b"content-length: 0\r\n\r\n",
    "chunks": START
    + b"Transfer-Encoding: chunked\r\n\r\n6;name=value\r\na body\r\nF\r\n of some length\r\n0\r\nA: x\r\n\r\n",
    "1.0": b"GET / HTTP/1.0\r\n\r\n",
}


class Read(NamedTuple):
    """A request as one of the two implementations reads it."""

    method: str
    target: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes


def read(data: bytes, *cuts: int) -> tuple[Read, Head]:
    received, head, body, parts = bytearray(), None, BodyReader(0), []
    places = sorted({0, *(cut % len(data) for cut in cuts), len(data)})
    for start, end in pairwise(places):
        received += data[start:end]
        if head is None and (head := head_in(received)) is not None:
            body = BodyReader(head.length)
        if head is not None and not body.is_complete:
            parts.append(body.take(received))
    assert head is not None
    assert body.is_complete
    assert not received
    return Read(head.method, head.target, head.headers, b"".join(parts)), head


def read_by_h11(data: bytes) -> Read:
    """What another implementation reads."""
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    request, body = connection.next_event(), b""
    assert isinstance(request, h11.Request)
    while not isinstance(event := connection.next_event(), h11.EndOfMessage):
        assert isinstance(event, h11.Data)
        body += event.data
    return Read(request.method.decode(), request.target, list(request.headers), body)


@pytest.mark.parametrize("data", REQUESTS.values(), ids=REQUESTS)
@given(cuts=st.lists(st.integers(0, 1_000), max_size=20))
def test_a_request_is_read_the_same_in_any_pieces(data: bytes, cuts: list[int]) -> None:
    assert read(data, *cuts) == read(data)
    assert read(data)[0] == read_by_h11(data)


@pytest.mark.parametrize(
    "data",
    [
        b"nonsense\r\n\r\n",
        b"GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/2.0\r\nHost: x\r\n\r\n",
        b"GET /\xe4 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\nHost: x\n\nX: y\r\n\r\n",
        b"\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nSpace : x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nFolded: a\r\n b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nNul: \x00\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBare: a\nb\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBare: a\rb\r\n\r\n",
        START + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        START + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
        START + b"Content-Length: +1\r\n\r\n",
        START + b"Content-Length: 1, 1\r\n\r\n",
        START + b"Content-Length: \r\n\r\n",
        START + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        START + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        START + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        START + b"Transfer-Encoding: identity\r\n\r\n",
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        START + b"X: " + b"x" * HEAD_BYTES_MAX,
        START + b"X: " + b"x" * HEAD_BYTES_MAX + b"\r\n\r\n",
    ],
)
def test_a_head_that_could_mean_two_things_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        head_in(bytearray(data))


@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"G"])
def test_a_head_that_is_not_complete_is_waited_for(data: bytes) -> None:
    received = bytearray(data)

    assert head_in(received) is None
    assert received == data


@pytest.mark.parametrize(
    ("more", "closes", "waits"),
    [
        (b"", False, False),
        (b"Connection: keep-alive, Close\r\n", True, False),
        (b"Connection: closed\r\n", False, False),
        (b"Expect: 100-Continue\r\n", False, True),
    ],
)
def test_a_head_says_what_becomes_of_its_connection(more: bytes, closes: bool, waits: bool) -> None:
    head = head_in(bytearray(START + more + b"\r\n"))

    assert head is not None
    assert (head.closes, head.waits_for_continue) == (closes, waits)


@pytest.mark.parametrize("value", [b"a\r\nset-cookie: x", b"a\nb", b"a\rb", b"a\x00b"])
def test_a_header_of_an_answer_never_breaks_its_line(value: bytes) -> None:
    with pytest.raises(ValueError, match="would break its line"):
        head_bytes(200, [(b"x-one", value)], [])
    with pytest.raises(ValueError, match="would break its line"):
        head_bytes(200, [], [(b"x-one", value)])


def test_an_answer_is_read_by_others_as_it_was_written() -> None:
    head = head_bytes(404, [(b"x-one", b"1")], [(b"transfer-encoding", b"chunked")])
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("host", "x")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(head + chunk(b"some ") + chunk(b"") + chunk(b"text" * 10) + b"0\r\n\r\n")
    answer, first, second, end = (connection.next_event() for _ in range(4))

    assert isinstance(answer, h11.Response)
    assert (answer.status_code, answer.reason) == (404, b"Not Found")
    assert (bytes(first.data), bytes(second.data)) == (b"some ", b"text" * 10)  # type: ignore[union-attr]
    assert isinstance(end, h11.EndOfMessage)
