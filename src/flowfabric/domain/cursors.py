"""Cursors: opaque, versioned strings bound to one incarnation of one store."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from typing import Final, Literal, TypeVar

import msgspec

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.undecodable import UNDECODABLE

CURSOR_CHARS_MAX: Final = 65_536
_ALPHABET: Final = re.compile(r"[A-Za-z0-9_-]+")
_VERSION: Final = 1

Position = TypeVar("Position")
Purpose = Literal[
    "events",
    "executions",
    "flows",
    "operate",
    "purge",
    "waiting",
    "children",
    "limits",
    "budgets",
    "spending",
    "stream",
    "access_tokens",
]


def pack_cursor(purpose: Purpose, store: str, position: object) -> str:
    """The cursor that stands for a position in a list of the given store."""
    return _text((_VERSION, purpose, store, position))


def _text(content: object) -> str:
    return urlsafe_b64encode(msgspec.msgpack.encode(content)).decode().rstrip("=")


def unpack_cursor(cursor: object, purpose: Purpose, store: str, position_type: type[Position]) -> Position:
    """The position that a cursor stands for. Garbage and cursors of another list or another store are refused."""
    if not isinstance(cursor, str) or len(cursor) > CURSOR_CHARS_MAX or not _ALPHABET.fullmatch(cursor):
        raise _not_a_cursor()
    try:
        data = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        version, of, origin, raw = msgspec.msgpack.decode(data, type=tuple[int, str, str, msgspec.Raw])
        if version != _VERSION or of != purpose:
            raise _not_a_cursor()
        if origin != store:
            raise InvalidInput(
                "The cursor comes from another store, or from before this one was restored. "
                "Start again without a cursor."
            )
        position = msgspec.msgpack.decode(raw, type=position_type)
        # The same content can be written in several ways. Without this a cursor would have other spellings.
        if _text(msgspec.msgpack.decode(data)) != cursor:
            raise _not_a_cursor()
        return position
    except (*UNDECODABLE, Base64Error, TypeError):  # a TypeError: a key of a map that is no key in Python
        raise _not_a_cursor() from None


def cursor_gone() -> InvalidInput:
    """The refusal of a cursor after which retention has removed events."""
    return InvalidInput(
        "Events after this cursor were purged by retention, so reading on from it would skip them. "
        "Start again without a cursor, and read more often than the retention period.",
        code="cursor_gone",
    )


def cursor_of_lost_events() -> InvalidInput:
    """The refusal of a cursor whose reader has seen events that are no longer in the log."""
    return InvalidInput(
        "Events before this cursor are no longer in the log: the store was restored to an earlier moment, or a standby "
        "took over that lacked the last commits. What you read of them no longer holds. Start again without a cursor.",
        code="cursor_gone",
    )


def _not_a_cursor() -> InvalidInput:
    return InvalidInput("That is not a cursor of this list. Pass the next_cursor of an earlier page, or none.")
