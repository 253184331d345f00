"""HTTP/1.1 as the client reads it: whole answers in pieces of any size, and nothing that is none."""

from collections.abc import Callable
from itertools import pairwise

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowfabric.client.http1 import Answer, AnswerReader, Cut, request_bytes
from flowfabric.wire.http1 import Malformed

BODY = b"a body of some length"
ANSWERS = {
    "length": b"HTTP/1.1 200 OK\r\nContent-Length: 21\r\nX-One: 1\r\n\r\n" + BODY,
    "no body": b"HTTP/1.1 204 No Content\r\n\r\n",
    "empty": b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"6;name=value\r\na body\r\nF\r\n of some length\r\n0\r\nTrailer: x\r\n\r\n",
    "after an interim answer": b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"
    b"HTTP/1.1 200 OK\r\ncontent-length: 21\r\n\r\n" + BODY,
}


def read(data: bytes, *cuts: int) -> AnswerReader:
    reader = AnswerReader()
    places = sorted({0, *(cut % len(data) for cut in cuts), len(data)})
    for start, end in pairwise(places):
        reader.feed(data[start:end])
    return reader


@pytest.mark.parametrize("data", ANSWERS.values(), ids=ANSWERS)
@given(cuts=st.lists(st.integers(0, 1_000), max_size=20))
def test_an_answer_is_read_the_same_in_any_pieces(data: bytes, cuts: list[int]) -> None:
    whole, in_pieces = read(data), read(data, *cuts)

    assert in_pieces.is_complete
    assert in_pieces.leaves_connection_open
    assert in_pieces.answer() == whole.answer() == by_h11(data)


def by_h11(data: bytes) -> Answer:
    """What another implementation reads."""
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("host", "x")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(data)
    status, headers, body = 0, {}, b""
    while not isinstance(event := connection.next_event(), h11.EndOfMessage):
        if isinstance(event, h11.Response):
            status, headers = event.status_code, {name.decode(): value.decode() for name, value in event.headers}
        elif isinstance(event, h11.Data):
            body += event.data
    return Answer(status, headers, body)


def test_an_answer_without_a_length_ends_with_its_connection() -> None:
    reader = read(b"HTTP/1.1 200 OK\r\n\r\n" + BODY)
    assert not reader.is_complete

    reader.end()

    assert reader.answer().body == BODY
    assert not reader.leaves_connection_open


@pytest.mark.parametrize("data", [data for data in ANSWERS.values() if BODY in data or b"chunked" in data])
def test_an_answer_that_is_cut_off_is_no_answer(data: bytes) -> None:
    reader = read(data[:-3])

    with pytest.raises(Cut):
        reader.end()


@pytest.mark.parametrize(
    "data",
    [
        b"SSH-2.0-OpenSSH",
        b"\x15\x03\x01\x00\x02\x02\x46",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 20 OK\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 1_0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 20_000,
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + b"1" * 2_000,
    ],
)
def test_what_is_no_answer_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        AnswerReader().feed(data)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"HTTP/1.1", b"HTTP/1.0"),
        lambda data: data.replace(b"X-One: 1", b"Connection: close"),
        lambda data: data + b"more",
    ],
)
def test_a_connection_that_may_not_be_used_again_is_not_kept(change: Callable[[bytes], bytes]) -> None:
    assert not read(change(ANSWERS["length"])).leaves_connection_open


def test_a_request_says_how_long_its_body_is() -> None:
    assert (
        request_bytes("POST", "/v1", [("host", "a")], b"{}")
        == b"POST /v1 HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}"
    )
    assert request_bytes("GET", "/v1", [("host", "a")]) == b"GET /v1 HTTP/1.1\r\nhost: a\r\n\r\n"
