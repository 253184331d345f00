"""HTTP/1.1 as the client reads it, compared with another implementation."""

from itertools import pairwise

import h11
from hypothesis import strategies as st

from flowfabric.client.http1 import Answer, AnswerReader, Cut
from flowfabric.wire.http1 import Malformed
from tests.fuzz.target import mangled_bytes, target

_ANSWERS = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-One: 1\r\n\r\nhello",
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.0 404 Not Found\r\ncontent-length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5;a=b\r\nhello\r\nF\r\n0123456789abcde\r\n0\r\nTrailer: x\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 3\r\n\r\nabc",
]


def _read(pieces: list[bytes]) -> tuple[Answer, bool] | None:
    """The answer and whether the connection stays; None: it is not complete."""
    reader = AnswerReader()
    for piece in pieces:
        reader.feed(piece)
    stays = reader.leaves_connection_open
    try:
        reader.end()
    except Cut:
        return None
    return reader.answer(), stays


def _by_h11(data: bytes) -> Answer | None:
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("host", "x")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(data)
    status, body = 0, b""
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(b"")
        elif isinstance(event, h11.EndOfMessage):
            return Answer(status, {}, body)
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            body += bytes(event.data)


@target(st.tuples(mangled_bytes(st.sampled_from(_ANSWERS)), st.lists(st.integers(0, 200), max_size=5)))
def answers_over_http(given: tuple[bytes, list[int]]) -> None:
    data, cuts = given
    places = sorted({0, *(min(cut, len(data)) for cut in cuts), len(data)})
    found = []
    for pieces in (
        [data],
        [data[start:end] for start, end in pairwise(places)],
        [data[at : at + 1] for at in range(len(data))],
    ):
        try:
            found.append(_read(pieces))
        except Malformed:
            found.append(None)
    assert found[0] == found[1] == found[2], "an answer is read in another way if it comes in other pieces"
    if found[0] is not None:
        try:
            other = _by_h11(data)
        except h11.RemoteProtocolError as error:
            raise AssertionError(f"another implementation refuses this answer: {error}") from None
        assert other is not None
        assert (found[0][0].status, found[0][0].body) == (other.status, other.body)
