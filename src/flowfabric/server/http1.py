"""HTTP/1.1 as far as a server needs it: what the bytes of a request mean, and how the head of an answer is written.

Nothing here sends or receives. A general library takes longer for one request than everything else in the server.
"""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from flowfabric.wire.http1 import Malformed, fields_in, natural

HEAD_BYTES_MAX: Final = 32 * 1024
"""How long the first line and the header lines of a request may be together."""

_FIRST_LINE: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\x21-\x7e]+) HTTP/1\.([01])")
_STATUS_LINES: Final = {
    each.value: b"HTTP/1.1 %d %b" % (each.value, each.phrase.encode()) for each in HTTPStatus if each >= 200
}
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
LAST_CHUNK: Final = b"0\r\n\r\n"

Fields = Sequence[tuple[bytes, bytes]]


class Head(NamedTuple):
    """The head of a request."""

    method: str
    target: bytes
    is_1_0: bool
    """Whether it is a request of HTTP/1.0, whose connection serves no other one."""
    headers: list[tuple[bytes, bytes]]
    """The names in lower case."""
    length: int | None
    """How many bytes the body has. None: it comes in chunks."""
    closes: bool
    """Whether the connection ends with the answer."""
    waits_for_continue: bool
    """Whether the client sends the body only after it was asked to."""


def head_in(received: bytearray) -> Head | None:
    """Take a head from the start of what was received. None: it is not complete. Raises Malformed."""
    end = received.find(b"\r\n\r\n", 0, HEAD_BYTES_MAX)
    if end < 0:
        # Bytes that begin no method, as those of TLS, are refused before a line ends.
        if len(received) >= HEAD_BYTES_MAX or b"" < received[:1] < b"!":
            raise Malformed
        return None
    first, _, lines = bytes(received[: end + 2]).partition(b"\r\n")
    del received[: end + 4]
    found = _FIRST_LINE.fullmatch(first)
    if found is None:
        raise Malformed
    is_1_0 = found[3] == b"0"
    headers = fields_in(lines)
    hosts, length, closes, waits = 0, b"0", is_1_0, False
    is_chunked = has_length = False
    for name, value in headers:
        if name == b"host":
            hosts += 1
        elif name == b"content-length":
            if has_length:
                raise Malformed
            length, has_length = value, True
        elif name == b"transfer-encoding":
            if is_chunked or value.lower() != b"chunked":
                raise Malformed
            is_chunked = True
        elif name == b"connection":
            closes = closes or b"close" in [each.strip() for each in value.lower().split(b",")]
        elif name == b"expect":
            waits = value.lower() == b"100-continue" and not is_1_0
    # A proxy in front might read another host, or another end of the body.
    if hosts > 1 or not (hosts or is_1_0) or (is_chunked and (has_length or is_1_0)):
        raise Malformed
    return Head(
        found[1].decode("ascii"),
        found[2],
        is_1_0,
        headers,
        None if is_chunked else natural(length, 10),
        closes,
        waits,
    )


def head_bytes(status: int, headers: Fields, more: Fields) -> bytes:
    """The head of an answer. A value that would break a line is a bug, and is never sent."""
    lines = [_STATUS_LINES.get(status) or b"HTTP/1.1 %d " % status]
    lines += [b"%b: %b" % field for field in headers]
    lines += [b"%b: %b" % field for field in more]
    head = b"\r\n".join(lines)
    breaks = len(lines) - 1
    if head.count(b"\r") != breaks or head.count(b"\n") != breaks or b"\0" in head:
        raise ValueError("a header of an answer would break its line")
    return head + b"\r\n\r\n"


def chunk(data: bytes) -> bytes:
    """A piece of a body whose length is not known before. An empty piece would be its end."""
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""
