"""HTTP/1.1 as far as a client of one server needs it: what is sent, and what the bytes of an answer mean.

Nothing here sends or receives. A general library takes longer for one request than the server and its store together.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, NamedTuple

HEAD_BYTES_MAX: Final = 64 * 1024
"""How long the status line and the header lines of an answer may be together."""
LINE_BYTES_MAX: Final = 1024
"""How long the line may be that announces a chunk."""


_STATUS: Final = re.compile(r"HTTP/1\.([01]) ([1-5][0-9]{2})(?: [\t\x20-\x7e\x80-\xff]*)?")
_HEADER: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)")
_ONCE: Final = ("content-length", "transfer-encoding")
"""Headers that say where an answer ends. They may not say two things."""


class Malformed(Exception):
    """What the server sent is no answer of HTTP/1.1."""


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
        self._step: Callable[[], bool] = self._read_head
        """Reads on. False: more bytes are needed first."""
        self._body: list[bytes] = []
        self._left = 0
        """How much of the body, or of this chunk, is still to come."""
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
        while not self.is_complete and self._step():
            pass

    def end(self) -> None:
        """The connection has ended. Raises Cut if the answer has not."""
        if self._step == self._read_rest:
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

    # ── the parts of an answer ───────────────────────────────────────────────────────────────────

    def _read_head(self) -> bool:
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            if len(self._received) > HEAD_BYTES_MAX or not b"HTTP/1.".startswith(self._received[:7]):
                raise Malformed
            return False
        first, *lines = self._received[:end].decode("latin-1").split("\r\n")
        del self._received[: end + 4]
        status = _STATUS.fullmatch(first)
        if status is None:
            raise Malformed
        headers: dict[str, str] = {}
        for line in lines:
            header = _HEADER.fullmatch(line)
            if header is None:
                raise Malformed
            name, value = header[1].lower(), header[2].strip(" \t")
            if name in _ONCE and headers.get(name, value) != value:
                raise Malformed  # the end of the answer would depend on who reads it
            headers[name] = value
        if status[2][0] == "1":  # an interim answer; the real one follows
            return True
        self.status, self.headers = int(status[2]), headers
        self._is_last = status[1] == "0" or "close" in headers.get("connection", "").lower()
        self._begin_body()
        return True

    def _begin_body(self) -> None:
        encoding, length = self.headers.get("transfer-encoding"), self.headers.get("content-length")
        if self.status in (204, 304):
            self.is_complete = True
        elif encoding is not None:
            if encoding.lower() != "chunked":
                raise Malformed
            self._step = self._read_chunk_size
        elif length is None:
            self._is_last, self._step = True, self._read_rest
        else:
            self._left, self._step = _natural(length, 10), self._read_length
            self.is_complete = not self._left

    def _read_length(self) -> bool:
        self.is_complete = self._take_some()
        return False

    def _read_rest(self) -> bool:
        self._left = len(self._received)
        self._take_some()
        return False

    def _read_chunk_size(self) -> bool:
        line = self._line()
        if line is None:
            return False
        self._left = _natural(line.partition(";")[0].strip(" \t"), 16)
        self._step = self._read_chunk if self._left else self._read_trailer
        return True

    def _read_chunk(self) -> bool:
        if not self._take_some():
            return False
        self._step = self._read_end_of_chunk
        return True

    def _read_end_of_chunk(self) -> bool:
        line = self._line()
        if line is None:
            return False
        if line:
            raise Malformed
        self._step = self._read_chunk_size
        return True

    def _read_trailer(self) -> bool:
        line = self._line()
        if line and _HEADER.fullmatch(line) is None:
            raise Malformed
        self.is_complete = line == ""
        return line is not None

    def _take_some(self) -> bool:
        """Move what has come of this part to the body. True: the part is complete."""
        some = bytes(self._received[: self._left])
        if some:
            del self._received[: len(some)]
            self._left -= len(some)
            self._body.append(some)
        return not self._left

    def _line(self) -> str | None:
        end = self._received.find(b"\r\n", 0, LINE_BYTES_MAX)
        if end < 0:
            if len(self._received) >= LINE_BYTES_MAX:
                raise Malformed
            return None
        line = self._received[:end].decode("latin-1")
        del self._received[: end + 2]
        return line


def _natural(digits: str, base: Literal[10, 16]) -> int:
    if _DIGITS[base].fullmatch(digits) is None:
        raise Malformed
    return int(digits, base)


_DIGITS: Final = {10: re.compile("[0-9]{1,15}"), 16: re.compile("[0-9A-Fa-f]{1,15}")}
