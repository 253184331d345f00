"""Texts in headers: `Idempotency-Key`, `FF-Namespace` and `FF-Actor` may hold any text that the engine accepts.

A header holds printable ASCII. Other texts are written as RFC 8187 does: `utf-8''` and the percent-encoded text.
"""

from typing import Final
from urllib.parse import quote, unquote

from flowfabric.domain.errors import InvalidInput, shown

_MARK: Final = "utf-8''"


def header_of(name: str, text: object) -> str:
    """A text as the value of a header. InvalidInput: it is no text, or UTF-8 cannot write it."""
    if not isinstance(text, str):
        raise InvalidInput(f"{name} is text, not {type(text).__name__}.")
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith(_MARK):
        return text
    try:
        return _MARK + quote(text, safe="")
    except UnicodeEncodeError:
        raise InvalidInput(f"{name} is {shown(text)}, which UTF-8 cannot write. Correct it.") from None


def text_in(value: str) -> str:
    """The text of a header. InvalidInput: it is not percent-encoded UTF-8."""
    if not value.startswith(_MARK):
        return value
    try:
        return unquote(value.removeprefix(_MARK), errors="strict")
    except UnicodeDecodeError:
        raise InvalidInput("A header is not percent-encoded UTF-8. Correct it.") from None
