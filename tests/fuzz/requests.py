"""HTTP/1.1 as the server reads it, compared with another implementation: nothing may mean two things."""

from itertools import pairwise

import h11
from hypothesis import strategies as st

from flowfabric.server.http1 import Head, head_in
from flowfabric.wire.http1 import BodyReader, Malformed
from tests.fuzz.target import mangled_bytes, target

_REQUESTS = [
    b"GET /v1/stats?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /v1/a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
    b"POST /v1/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5;a=b\r\nhello\r\nF\r\n0123456789abcde\r\n0\r\nTrailer: x\r\n\r\n",
    b"GET / HTTP/1.0\r\nAccept: */*\r\n\r\n",
    b"POST /v1/a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\ncontent-length: 3\r\n\r\nabc"
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
]

Found = tuple[Head, bytes, bytes]
"""The head, the body, and what comes after them."""


def _read(pieces: list[bytes]) -> Found | None:
    """None: it is not complete."""
    received, head, body, parts = bytearray(), None, BodyReader(0), []
    for piece in pieces:
        received += piece
        if head is None and (head := head_in(received)) is not None:
            body = BodyReader(head.length)
        if head is not None and not body.is_complete:
            parts.append(body.take(received))
    if head is None or not body.is_complete:
        return None
    return head, b"".join(parts), bytes(received)


def _check_with_h11(data: bytes, found: Found) -> None:
    head, body, rest = found
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    request, other = connection.next_event(), b""
    assert isinstance(request, h11.Request)
    while not isinstance(event := connection.next_event(), h11.EndOfMessage):
        assert isinstance(event, h11.Data)
        other += event.data
    assert (request.method.decode(), request.target, list(request.headers)) == (head.method, head.target, head.headers)
    assert (other, connection.trailing_data[0]) == (body, rest), "the body ends at another place"
    assert (connection.their_state is h11.MUST_CLOSE) == head.closes


@target(st.tuples(mangled_bytes(st.sampled_from(_REQUESTS)), st.lists(st.integers(0, 300), max_size=5)))
def requests_over_http(given: tuple[bytes, list[int]]) -> None:
    data, cuts = given
    places = sorted({0, *(min(cut, len(data)) for cut in cuts), len(data)})
    results: list[Found | str | None] = []
    for pieces in (
        [data],
        [data[start:end] for start, end in pairwise(places)],
        [data[at : at + 1] for at in range(len(data))],
    ):
        try:
            results.append(_read(pieces))
        except Malformed:
            results.append("malformed")
    assert results[0] == results[1] == results[2], "a request is read in another way if it comes in other pieces"
    found = results[0]
    if isinstance(found, tuple):
        try:
            _check_with_h11(data, found)
        except h11.RemoteProtocolError as error:
            raise AssertionError(f"another implementation refuses this request: {error}") from None
