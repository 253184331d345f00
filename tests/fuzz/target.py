"""What is fuzzed: a strategy that makes hostile values, and a check that must hold for each of them."""

import re
import string
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from flowfabric.domain.errors import EngineError

SENTENCE_CHARS_MAX = 1_000
_LINE_BREAK = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class Target(NamedTuple):
    """One parser, with what must hold for every value."""

    name: str
    values: SearchStrategy[Any]
    check: Callable[[Any], None]


TARGETS: dict[str, Target] = {}


def target(values: SearchStrategy[Any]) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Register a check under its name."""

    def register(check: Callable[[Any], None]) -> Callable[[Any], None]:
        TARGETS[check.__name__] = Target(check.__name__, values, check)
        return check

    return register


def check_refusal(error: EngineError, *secrets: str) -> None:
    """A refusal is one short line that ends like a sentence, and shows no part of a secret."""
    text = str(error)
    assert text, "the refusal says nothing"
    assert len(text) <= SENTENCE_CHARS_MAX, "the refusal is too long"
    assert not _LINE_BREAK.search(text), f"the refusal has control characters: {text!r}"
    assert text[-1] in ".!?`)'", f"the refusal is no sentence: {text!r}"
    for secret in secrets:
        for at in range(len(secret) - 11):
            assert secret[at : at + 12] not in text, "the refusal shows a part of a secret"


def check_says_something(error: EngineError) -> None:
    """A refusal of what a program of one's own has stored: it may show a part of it."""
    assert str(error), "the refusal says nothing"


class Long(bytes):
    """Bytes that a report shows in short."""

    def __repr__(self) -> str:
        return f"<{len(self)} bytes: {bytes(self[:30])!r}…>"


class LongText(str):
    """A text that a report shows in short."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} characters: {str(self[:30])!r}…>" if len(self) > 1_000 else str.__repr__(self)


# ── hostile values ───────────────────────────────────────────────────────────────────────────────

_ODD = ["", " ", "\x00", "\n", "\r\n", "\ud800", "\u2028", "İ", "ß", "K", "٣", "²", "%00", "%ff", "..", "/", "\\", "=",
        "==", ".", "-", "_", "+", ":", ",", "'", '"', "{", "}", "[", "]", "*", "0", "00", "-1", "1e9", "NaN",
        str(2**63),        str(2**64), "9" * 30, "a" * 300]  # fmt: skip
odd_texts = st.sampled_from(_ODD) | st.text(max_size=6)


@st.composite
def mangled(draw: st.DrawFn, valid: SearchStrategy[str]) -> str:
    """A valid text with a few changes, or none."""
    text = draw(valid)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        until = min(len(text), at + draw(st.sampled_from([0, 0, 1, 1, 2, 8])))
        put = draw(st.sampled_from(["odd", "case", "twice", "character"]))
        part = text[at:until]
        if put == "odd":
            part = draw(odd_texts)
        elif put == "case":
            part = part.swapcase()
        elif put == "twice":
            part *= 2
        else:
            part = draw(st.sampled_from(string.printable))
        text = text[:at] + part + text[until:]
    return text


@st.composite
def mangled_bytes(draw: st.DrawFn, valid: SearchStrategy[bytes]) -> bytes:
    """Valid bytes with a few changes, or none."""
    data = bytearray(draw(valid))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        until = min(len(data), at + draw(st.sampled_from([0, 0, 1, 1, 4])))
        data[at:until] = draw(
            st.binary(max_size=3) | st.sampled_from([b"\r\n", b"\xff", b"\x00", b"0", b"-1", b"[" * 2_000])
        )
    return bytes(data)


def any_json(leaves: int = 12) -> SearchStrategy[Any]:
    """Any value that JSON has, with some that stores and languages do not like."""
    plain = (
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | odd_texts
        | st.sampled_from([2**63, -(2**63) - 1, 2**53, 1e308, -0.0])
    )  # fmt: skip
    return st.recursive(
        plain,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(odd_texts, inner, max_size=4),
        max_leaves=leaves,
    )


def nested(levels: int, opened: str = "[", inner: str = "", closed: str = "]") -> Long:
    """JSON that is nested so deep."""
    return Long((opened * levels + inner + closed * levels).encode())
