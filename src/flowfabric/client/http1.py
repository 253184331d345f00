"""HTTP/1.1 as far as a client of one server needs it: what is sent, and what the bytes of an answer mean.

Nothing here sends or receives. A general library takes longer for one request than the server and its store together.
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from flowfabric.wire.http1 import BodyReader, Malformed, fields_in, natural

HEAD_BYTES_MAX: Final = 64 * 1024
"""How long the status line and the header lines of an answer may be together."""

_STATUS: Final = re.compile(rb"HTTP/1\.([01]) ([1-5][0-9]{2})(?: [\t\x20-\x7e\x80-\xff]*)?")


class Cut(Exception):
    """The connection ended before the answer did."""


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes


def request_bytes(method: str, target: str, headers: Iterable[tuple[str, str]], body: bytes = b"") -> bytes:
    """A request as it is sent. Values that would break a line are the caller's bug."""
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    assert not any("\r" in line or "\n" in line for line in lines)
    if body or method != "GET":
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


class AnswerReader:
    """Reads one answer from the bytes that come, in pieces of any size."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._rest: BodyReader | None = None
        """What reads the body, once the head is there."""
        self._ends_with_connection = False
        self._body: list[bytes] = []
        self.status = 0
        """0 until the head of the answer is there."""
        self.headers: dict[str, str] = {}
        self.is_complete = False
        self._is_last = False

    @property
    def has_begun(self) -> bool:
        """Whether anything of the answer has come."""
        return bool(self.status or self._received)

    @property
    def leaves_connection_open(self) -> bool:
        """Whether another request can be sent on the same connection. Bytes that nobody asked for forbid it."""
        return self.is_complete and not self._is_last and not self._received

    def feed(self, data: bytes) -> None:
        """Take the next bytes. Raises Malformed."""
        self._received += data
        while self._rest is None:
            if not self._read_head():
                return
        if not self.is_complete:
            some = self._rest.take(self._received)
            if some:
                self._body.append(some)
            self.is_complete = self._rest.is_complete

    def end(self) -> None:
        """The connection has ended. Raises Cut if the answer has not."""
        if self._ends_with_connection:
            self.is_complete = True
        if not self.is_complete:
            raise Cut

    def taken(self) -> bytes:
        """What has come of the body since this was last called."""
        body = b"".join(self._body)
        self._body.clear()
        return body

    def answer(self) -> Answer:
        """The complete answer."""
        return Answer(self.status, self.headers, self.taken())

    def _read_head(self) -> bool:
        """Read a head. False: more bytes are needed first."""
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            if len(self._received) > HEAD_BYTES_MAX or not b"HTTP/1.".startswith(self._received[:7]):
                raise Malformed
            return False
        first, _, lines = bytes(self._received[: end + 2]).partition(b"\r\n")
        del self._received[: end + 4]
        status = _STATUS.fullmatch(first)
        if status is None:
            raise Malformed
        fields = fields_in(lines)
        if status[2][:1] == b"1":  # an interim answer; the real one follows
            return True
        self.status = int(status[2])
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in fields}
        self._is_last = status[1] == b"0" or "close" in self.headers.get("connection", "").lower()
        self._rest = BodyReader(self._length())
        self.is_complete = self._rest.is_complete
        return True

    def _length(self) -> float | None:
        """How many bytes the body has. None: it comes in chunks."""
        encoding, length = self.headers.get("transfer-encoding"), self.headers.get("content-length")
        if self.status in (204, 304):
            return 0
        if encoding is not None:
            if encoding.lower() != "chunked":
                raise Malformed
            return None
        if length is None:
            self._is_last = self._ends_with_connection = True
            return math.inf
        return natural(length.encode("latin-1"), 10)
