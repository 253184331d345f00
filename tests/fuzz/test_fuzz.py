"""Every parser meets a sample of hostile values, always the same ones. `make fuzz` tries more, and others each time."""

import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator

import msgspec
import pytest

from flowfabric.client.address import address_in
from flowfabric.client.calling import Calls
from flowfabric.client.http1 import Answer, AnswerReader
from flowfabric.client.line import Line
from flowfabric.domain.cron import cron
from flowfabric.domain.cursors import unpack_cursor
from flowfabric.domain.errors import EngineError, InvalidInput
from flowfabric.domain.ids import parse_execution_id
from flowfabric.domain.listing import ListPosition
from flowfabric.runtime.durations import milliseconds
from flowfabric.stores.registry import kind_of
from flowfabric.wire.headers import text_in
from flowfabric.wire.http1 import Malformed
from flowfabric.wire.problems import Problem, error_of
from flowfabric.wire.shapes import Data, SaidFrames, _said_back
from tests.fuzz import answers, documents, engines, requests, texts  # noqa: F401 - they register what is fuzzed
from tests.fuzz.running import run
from tests.fuzz.target import TARGETS

EXAMPLES = 25
TAKES_LONGER = {"forged_cursors_on_postgres": 10, "calls_of_ff": 10}
pytestmark = pytest.mark.xdist_group("fuzz")


@pytest.fixture(autouse=True, scope="module")
def stores() -> Iterator[None]:
    with engines.worlds():
        yield


@pytest.mark.parametrize("name", TARGETS)
def test_only_documented_refusals_come_out_of_a_parser(name: str) -> None:
    run(TARGETS[name], TAKES_LONGER.get(name, EXAMPLES), seed=None)


# ── what fuzzing has found ───────────────────────────────────────────────────────────────────────

DEEP = b"[" * 20_000


def _cursor(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def test_a_cursor_that_is_nested_deep_is_refused() -> None:
    data = msgspec.msgpack.encode((1, "executions", "store-1", None))[:-1] + b"\x91" * 20_000

    with pytest.raises(InvalidInput):
        unpack_cursor(_cursor(data), "executions", "store-1", ListPosition)


def test_a_cursor_has_one_spelling() -> None:
    position = (1_700_000_000_000, texts.UUID, 86)
    text = _cursor(msgspec.msgpack.encode((1, "executions", "store-1", position)))
    longer = msgspec.msgpack.encode((1, "executions", "store-1")).replace(b"\x93\x01", b"\x94\xd1\x00\x01", 1)

    unpack_cursor(text, "executions", "store-1", ListPosition)
    with pytest.raises(InvalidInput):
        unpack_cursor(_cursor(longer + msgspec.msgpack.encode(position)), "executions", "store-1", ListPosition)


@pytest.mark.parametrize("body", [DEEP, b'{"detail":"\xff"}', b'{"type":' + DEEP])
def test_a_problem_that_cannot_be_read_is_an_answer_of_another_release(body: bytes) -> None:
    calls = Calls(Line(address_in("http://127.0.0.1:1")), None)

    with pytest.raises(InvalidInput, match="does not understand"):
        calls.is_given(Answer(409, {"content-type": "application/problem+json"}, body))


def test_a_problem_without_what_its_error_has_is_a_plain_error() -> None:
    error = error_of(Problem("urn:flowfabric:problem:not_found", "", 404, "It is not there.", "not_found"))

    assert (type(error), error.code, str(error)) == (EngineError, "not_found", "It is not there.")


def test_a_log_in_that_is_not_utf_8_is_refused() -> None:
    runner, application = engines._runner()
    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]

    status, _, _ = runner.run(engines._answer(application, "POST", b"/v1/session", b"", headers, b'{"token":"\xff"}'))

    assert status == 400


def test_frames_that_are_not_utf_8_are_refused() -> None:
    packed = msgspec.msgpack.encode([[["step", 1]], [(0, 1, b"x")]]).replace(b"step", b"st\xff\xff")

    with pytest.raises(InvalidInput, match="not packed"):
        _said_back(SaidFrames("ls0.", Data(base64=packed)), documents._CODEC)


@pytest.mark.parametrize("url", ["http://[", "http://[::1", "https://a]b"])
def test_a_url_with_half_an_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="names no server"):
        address_in(url)


def test_a_url_without_a_scheme_is_not_shown() -> None:
    with pytest.raises(InvalidInput) as refused:
        kind_of("ann:correct-horse@db.example/jobs")

    assert "correct" not in str(refused.value)


def test_a_span_has_the_digits_0_to_9() -> None:
    with pytest.raises(InvalidInput):
        milliseconds("timeout", "٣s")


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"HTTP/1.1 000 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length : 5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nno trailer\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nx: a\x00b\r\n\r\n",
    ],
)
def test_an_answer_that_can_be_read_in_two_ways_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        AnswerReader().feed(data)


@pytest.mark.parametrize("outputs", [[[[], "a", []]], [[["x", 0], "a", []]], [[["names", "x"], "a", []]]])
def test_a_payload_that_puts_a_result_nowhere_is_refused(outputs: list[object]) -> None:
    payload = msgspec.json.encode({"arguments": {"order": 1, "names": []}, "outputs": outputs})

    with pytest.raises(InvalidInput, match="at a place that is not there"):
        documents._SIGNATURE.arguments(payload, {"a": b"1"})


def test_what_a_refusal_names_is_short_and_in_one_line() -> None:
    with pytest.raises(InvalidInput) as refused:
        documents.OPERATIONS["create_flow"].received({}, [], b'{"a\\n' + b"x" * 100_000 + b'":1}', documents._CODEC)

    assert len(str(refused.value)) < 300
    assert "\n" not in str(refused.value)


# ── time ─────────────────────────────────────────────────────────────────────────────────────────

LONG = 200_000
CPU_S_MAX = 20.0
"""What takes steps in proportion takes a hundredth of this, and what takes the square of them takes hours."""
PARSERS: dict[str, Callable[[str], object]] = {
    "ids": parse_execution_id,
    "cursors": lambda text: unpack_cursor(text, "executions", "store-1", ListPosition),
    "tokens": lambda text: texts.tokens.kid_of(text),
    "access tokens": lambda text: texts.access.presented(text),
    "leases": lambda text: texts.leases.verified(text, texts._SEALS, may_be_plain=True),
    "cron": lambda text: cron(text, "UTC"),
    "zones": lambda text: cron("@daily", text),
    "spans": lambda text: milliseconds("timeout", text),
    "headers": text_in,
    "addresses": address_in,
    "stores": kind_of,
    "keys": lambda text: texts.parse_keys("the keys", text),
    "answers": lambda text: AnswerReader().feed(text.encode("utf-8", "replace")),
}
PIECES = ["1m", "1", "0,", "a.", "=", "-", "{", "[", " ", "%41", "A", "\r\n", "x: y\r\n", "k1:QUJD,", "\ud800"]
BEGINNINGS = ["", "{fp:1}:", "wp1.k1.", "fft_", "ls1.k1.", "ls0.", "utf-8''", "http://", "HTTP/1.1 200 OK\r\n"]


@pytest.mark.parametrize("name", PARSERS)
def test_long_texts_take_time_in_proportion(name: str) -> None:
    began_s = time.process_time()
    for beginning in BEGINNINGS:
        for piece in PIECES:
            try:
                PARSERS[name](beginning + piece * (LONG // len(piece)))
            except (EngineError, Malformed):
                continue

    assert time.process_time() - began_s < CPU_S_MAX
