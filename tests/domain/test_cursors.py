"""Cursors: what was packed comes back, and nothing else gets through."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowfabric.domain.cursors import CURSOR_CHARS_MAX, pack_cursor, unpack_cursor
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.listing import ListPosition

UUID = "018bcfe5-6800-7000-8000-000000000001"
POSITION = ListPosition(1_700_000_000_000, UUID, 86)


def _forged(position: object) -> str:
    """A cursor that is right in everything but its position."""
    return urlsafe_b64encode(msgspec.msgpack.encode((1, "executions", "store-1", position))).decode().rstrip("=")


@given(st.integers(0, 2**63 - 1))
def test_a_place_in_the_log_comes_back(position: int):
    assert unpack_cursor(pack_cursor("events", "store-1", position), "events", "store-1", int) == position


def test_a_place_in_a_list_comes_back():
    packed = pack_cursor("executions", "store-1", POSITION)

    assert unpack_cursor(packed, "executions", "store-1", ListPosition) == POSITION


def test_a_cursor_of_another_store_is_refused_and_says_so():
    packed = pack_cursor("events", "store-1", 7)

    with pytest.raises(InvalidInput, match="another store"):
        unpack_cursor(packed, "events", "store-2", int)


def test_a_cursor_of_another_list_is_refused():
    packed = pack_cursor("events", "store-1", 7)

    with pytest.raises(InvalidInput, match="not a cursor"):
        unpack_cursor(packed, "executions", "store-1", int)


def test_a_cursor_of_a_later_version_is_refused():
    later = urlsafe_b64encode(msgspec.msgpack.encode((2, "events", "store-1", 7))).decode().rstrip("=")

    with pytest.raises(InvalidInput):
        unpack_cursor(later, "events", "store-1", int)


@pytest.mark.parametrize(
    "garbage",
    [
        *("", " ", "a", "ab", "abc", "=", "====", "kwGm", "not a cursor", "ü", "\ud800", "a" * (CURSOR_CHARS_MAX + 1)),
        *(0, 7, None, True, b"kwGm", ["kwGm"], {}),
    ],
)
def test_garbage_is_refused(garbage: object):
    with pytest.raises(InvalidInput):
        unpack_cursor(garbage, "events", "store-1", int)


@pytest.mark.parametrize(
    "position",
    [
        None,
        7,
        "text",
        [],
        [1, UUID],
        [1, UUID, 86, 4],
        [-1, UUID, 86],
        [2**63, UUID, 86],
        [2**64 - 1, UUID, 86],
        [1.5, UUID, 86],
        [1, "not a uuid", 86],
        [1, "", 86],
        [1, UUID.upper(), 86],
        [1, UUID + "\n", 86],
        [1, UUID, 256],
        [1, UUID, -1],
        [1, UUID, "86"],
        {"created_at_ms": 1},
    ],
    ids=repr,
)
def test_a_forged_place_in_a_list_is_refused(position: object):
    with pytest.raises(InvalidInput):
        unpack_cursor(_forged(position), "executions", "store-1", ListPosition)


@given(st.text() | st.text("ABCabc019-_") | st.binary().map(lambda data: urlsafe_b64encode(data).decode().rstrip("=")))
def test_no_text_gets_through_by_chance(text: str):
    with pytest.raises(InvalidInput):
        unpack_cursor(text, "executions", "store-1", ListPosition)


@given(st.data())
def test_a_damaged_cursor_is_refused_or_still_a_place_in_the_list(data: st.DataObject):
    raw = bytearray(urlsafe_b64decode(pack_cursor("executions", "store-1", POSITION) + "=="))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] = data.draw(st.integers(0, 255))
    damaged = urlsafe_b64encode(bytes(raw)).decode().rstrip("=")

    try:
        position = unpack_cursor(damaged, "executions", "store-1", ListPosition)
    except InvalidInput:
        return

    assert 0 <= position.partition < 256
    assert bytes.fromhex(position.uuid.replace("-", ""))
