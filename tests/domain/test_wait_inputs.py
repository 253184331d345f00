"""What the methods about waiting take, and what they refuse with a sentence."""

import json
from collections import OrderedDict
from collections.abc import Callable
from types import MappingProxyType

import pytest

from flowfabric.domain import wait_inputs
from flowfabric.domain.conditions import AtLeast, On
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.waiting import ON_TIMEOUT

NAMES = (wait_inputs.key, wait_inputs.wait_name, wait_inputs.alias)
TEXTS = (wait_inputs.signal_name, wait_inputs.source)


def test_a_payload_of_64_kib_arrives_byte_for_byte_and_one_byte_more_is_refused():
    every_byte = bytes(range(256)) * 256

    assert wait_inputs.signal_payload(every_byte) == every_byte
    assert wait_inputs.signal_payload(bytearray(b"\xff\xfe\x00")) == b"\xff\xfe\x00"
    with pytest.raises(InvalidInput, match=r"payload is 65537 bytes; the limit is 65536\. Store it elsewhere"):
        wait_inputs.signal_payload(every_byte + b"x")
    with pytest.raises(InvalidInput, match="payload is bytes, not str"):
        wait_inputs.signal_payload("text")


@pytest.mark.parametrize("check", NAMES)
def test_keys_wait_names_and_aliases_are_1_to_256_characters_without_control_characters(check: Callable[[object], str]):
    for good in ("a", "é" * 256, "order 7 / Zürich", "'; drop table--"):
        assert check(good) == good
    for bad in ("", "x" * 257, "a\nb", "a\0b", "a\x7fb", "a\x85b", "\ud800", 7, None, b"a"):
        with pytest.raises(InvalidInput):
            check(bad)


@pytest.mark.parametrize("check", TEXTS)
def test_names_and_sources_of_signals_may_be_empty_and_have_at_most_256_characters(check: Callable[[object], str]):
    for good in ("", "a", "é" * 256):
        assert check(good) == good
    for bad in ("x" * 257, "a\x1b[2Jb", "a\0b", "\ud800", 7, None, b""):
        with pytest.raises(InvalidInput):
            check(bad)


def test_optional_names_may_be_left_out():
    assert wait_inputs.optional_key(None) is wait_inputs.optional_alias(None) is None
    assert (wait_inputs.optional_key("a"), wait_inputs.optional_alias("b")) == ("a", "b")
    for check in (wait_inputs.optional_key, wait_inputs.optional_alias):
        with pytest.raises(InvalidInput):
            check("")


def test_a_condition_becomes_its_stored_form():
    assert wait_inputs.condition("editor") == wait_inputs.condition(On("editor")) == '{"on":"editor"}'
    with pytest.raises(InvalidInput, match="names only 1 different keys"):
        wait_inputs.condition(AtLeast(2, "editor"))


def test_a_timeout_is_a_span_or_an_instant_or_neither():
    assert wait_inputs.timeout(None, None) == (None, None)
    assert wait_inputs.timeout(0, None) == (0, None)
    assert wait_inputs.timeout(None, 1) == (None, 1)
    with pytest.raises(InvalidInput, match=r"both given\. Give one of them, or neither"):
        wait_inputs.timeout(0, 0)


@pytest.mark.parametrize("bad", [-1, 1.5, True, "3d", 2**63])
def test_spans_and_instants_are_whole_numbers_from_0_on(bad: object):
    for refused in (
        lambda: wait_inputs.timeout(bad, None),
        lambda: wait_inputs.timeout(None, bad),
        lambda: wait_inputs.expires_in_ms(bad),
        lambda: wait_inputs.grace_ms(bad),
    ):
        with pytest.raises(InvalidInput, match="must be a whole number from 0 to"):
            refused()


def test_an_expiry_may_be_left_out_and_may_be_now():
    assert (wait_inputs.expires_in_ms(None), wait_inputs.expires_in_ms(0)) == (None, 0)


def test_on_timeout_is_one_of_five_words():
    assert [wait_inputs.on_timeout(word, has_timeout=True) for word in ON_TIMEOUT] == list(ON_TIMEOUT)
    for bad in ("auto_resume", "", None, ["resume"]):
        with pytest.raises(InvalidInput, match="it must be one of resume, fail, cancel, expire, escalate"):
            wait_inputs.on_timeout(bad, has_timeout=True)


def test_on_timeout_without_a_timeout_is_refused():
    assert wait_inputs.on_timeout("resume", has_timeout=False) == "resume"
    for word in ("fail", "cancel", "expire", "escalate"):
        with pytest.raises(InvalidInput, match=rf"on_timeout is '{word}', and the wait has no timeout.*Give a timeout"):
            wait_inputs.on_timeout(word, has_timeout=False)


# ── what people are shown ────────────────────────────────────────────────────────────────────────


def test_about_is_json_that_says_what_was_given():
    about = {"title": "Publish »7«?", "choices": ("yes", "no"), "form": {"note": None, "stars": [1, 2.5, True]}}

    assert wait_inputs.about(None) is None
    assert json.loads(wait_inputs.about(about)) == {**about, "choices": ["yes", "no"]}
    assert wait_inputs.about(MappingProxyType({})) == wait_inputs.about(OrderedDict()) == "{}"


def test_about_has_at_most_8_kib():
    room = 8 * 1024 - len('{"title":""}')

    assert len(wait_inputs.about({"title": "x" * room})) == 8 * 1024
    with pytest.raises(InvalidInput, match=r"about is 8193 bytes as JSON; the limit is 8192\. Pass a link"):
        wait_inputs.about({"title": "x" * (room + 1)})
    with pytest.raises(InvalidInput, match="the limit is 8192"):
        wait_inputs.about({"title": "é" * (room - 100)})


def _deep(depth: int) -> object:
    return {"in": _deep(depth - 1)} if depth else "x"


_CIRCLE: dict[str, object] = {}
_CIRCLE["self"] = _CIRCLE


@pytest.mark.parametrize(
    ("about", "why"),
    [
        ("title", "about is a mapping such as .*, not str"),
        ([("title", "x")], "not list"),
        ({"at": b"bytes"}, r"about\['at'\] is b'bytes', which is no JSON. Use texts, finite numbers"),
        ({"choices": ["yes", {1, 2}]}, r"about\['choices'\]\[1\] is \{1, 2\}, which is no JSON"),
        ({"n": float("nan")}, "is nan, which is no JSON"),
        ({"n": float("inf")}, "is inf, which is no JSON"),
        ({"n": 2**53}, "must be a whole number from"),
        ({7: "x"}, "a key in about is a string, not int"),
        ({"form": {None: "x"}}, r"a key in about\['form'\] is a string"),
        ({"title": "nul \0"}, "holds a NUL or a lone surrogate"),
        ({"title": "half \ud800"}, "holds a NUL or a lone surrogate"),
        ({"half \ud800": "x"}, "holds a NUL or a lone surrogate"),
        (_deep(17), "about is nested deeper than 16. Make it flatter"),
        (_CIRCLE, "about is nested deeper than 16"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_about_that_would_not_come_back_the_same_is_refused(about: object, why: str):
    with pytest.raises(InvalidInput, match=why):
        wait_inputs.about(about)


# ── keys that sign ───────────────────────────────────────────────────────────────────────────────


def test_a_kid_is_1_to_16_letters_digits_and_hyphens():
    for good in (None, "k1", "2026-12-31", "-", "x" * 16):
        assert wait_inputs.kid(good) == good
    for bad in ("", "x" * 17, "K1", "k.1", "k:1", "k_1", "é", "k1\n", 1, b"k1"):
        with pytest.raises(InvalidInput, match="must be 1 to 16 letters a-z, digits and hyphens"):
            wait_inputs.kid(bad)


def test_a_secret_has_32_bytes_or_more_and_no_message_shows_it():
    for good in (None, b"x" * 32, b"x" * 1024):
        assert wait_inputs.secret(good) == good
    for bad in (b"", b"hush" * 7, b"hush" * 300, "hush" * 8, bytearray(b"hush" * 8)):
        with pytest.raises(InvalidInput, match="Leave it out, and one is made") as refusal:
            wait_inputs.secret(bad)
        assert "hush" not in str(refusal.value)
