"""HTTP/1.1 as far as requests and answers have it in common: header fields, and bodies with a length or in chunks.

Nothing here sends or receives. What could mean two things is refused: then a proxy cannot read it in another way.
"""

import re
from typing import Final, Literal

LINE_BYTES_MAX: Final = 1024
"""How long the line may be that announces a chunk, or a line after the last chunk."""
TRAILERS_MAX: Final = 100
"""How many lines may come after the last chunk."""

_NAME: Final = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_FIELDS: Final = re.compile(rb"(?:%b:[\t\x20-\x7e\x80-\xff]*\r\n)*" % _NAME)
_TRAILER: Final = re.compile(rb"%b:[\t\x20-\x7e\x80-\xff]*" % _NAME)
_DIGITS: Final = {10: re.compile(b"[0-9]{1,15}"), 16: re.compile(b"[0-9A-Fa-f]{1,15}")}
_ONCE: Final = frozenset({b"content-length", b"transfer-encoding"})
"""Headers that say where a body ends. They may not say two things."""


class Malformed(Exception):
    """These bytes are no HTTP/1.1."""


def fields_in(lines: bytes) -> list[tuple[bytes, bytes]]:
    """The header fields of a head, each with its line break; the names in lower case. Raises Malformed."""
    if _FIELDS.fullmatch(lines) is None:
        raise Malformed
    found: list[tuple[bytes, bytes]] = []
    ends: dict[bytes, bytes] = {}
    for line in lines.split(b"\r\n")[:-1]:
        name, _, value = line.partition(b":")
        name, value = name.lower(), value.strip(b" \t")
        if name in _ONCE and ends.setdefault(name, value) != value:
            raise Malformed  # the end of the body would depend on who reads it
        found.append((name, value))
    return found


def natural(digits: bytes, base: Literal[10, 16]) -> int:
    """A number as HTTP writes it, without a sign. Raises Malformed."""
    if _DIGITS[base].fullmatch(digits) is None:
        raise Malformed
    return int(digits, base)


class BodyReader:
    """Takes one body from the bytes that come, in pieces of any size."""

    def __init__(self, length: float | None) -> None:
        """`length`: how many bytes it has; infinite if it ends with its connection. None: it comes in chunks."""
        self._is_chunked = length is None
        self._left = 0 if length is None else length
        """How much of the body, or of this chunk, is still to come."""
        self._part: Literal["size", "chunk", "end of chunk", "trailer"] = "size"
        self._trailers = 0
        self.is_complete = length == 0

    def take(self, received: bytearray) -> bytes:
        """Remove from the start what belongs to the body, and return what it says. Raises Malformed."""
        if not self._is_chunked:
            some = self._taken(received)
            self.is_complete = not self._left
            return some
        parts: list[bytes] = []
        while not self.is_complete:
            if self._part == "chunk":
                parts.append(self._taken(received))
                if self._left:
                    break
                self._part = "end of chunk"
            if self._part == "end of chunk" and not b"\r\n".startswith(received[:2]):
                raise Malformed
            line = _line(received)
            if line is None:
                break
            self._note(line)
        return b"".join(parts)

    def _note(self, line: bytes) -> None:
        """Read a line between two chunks, or after the last one."""
        if self._part == "size":
            self._left = natural(line.partition(b";")[0].strip(b" \t"), 16)
            self._part = "chunk" if self._left else "trailer"
        elif self._part == "end of chunk":
            self._part = "size"
        elif line:
            self._trailers += 1
            if self._trailers > TRAILERS_MAX or _TRAILER.fullmatch(line) is None:
                raise Malformed
        else:
            self.is_complete = True

    def _taken(self, received: bytearray) -> bytes:
        if len(received) <= self._left:
            some = bytes(received)
            received.clear()
        else:
            with memoryview(received) as seen:
                some = bytes(seen[: int(self._left)])
            del received[: len(some)]
        self._left -= len(some)
        return some


def _line(received: bytearray) -> bytes | None:
    """Remove the first line, without its break. None: it is not complete."""
    end = received.find(b"\r\n", 0, LINE_BYTES_MAX)
    if end < 0:
        if len(received) >= LINE_BYTES_MAX:
            raise Malformed
        return None
    line = bytes(received[:end])
    del received[: end + 2]
    return line
