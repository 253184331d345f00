"""What a reader gets of a frame: a text, bytes, a value, or what a restart keeps."""

from typing import Any

import msgspec
import pytest

from flowfabric.domain.stream_pages import KeptStep, Restarted, StreamFrame


def frame(kind: Any, payload: bytes) -> StreamFrame:
    return StreamFrame(1, 0, kind, payload, 0, None, 0)


@pytest.mark.parametrize(
    ("kind", "payload", "value"),
    [
        ("text", "Grüße".encode(), "Grüße"),
        ("stdout", b"a line\n", "a line\n"),
        ("stderr", b"", ""),
        ("log", b"cut \xc3", "cut \ufffd"),
        ("blob", b"\x00\xff", b"\x00\xff"),
        ("json", b'{"a":[1,null]}', {"a": [1, None]}),
        ("json", b"no json", b"no json"),
        ("json", b"[" * 60_000, b"[" * 60_000),
    ],
)
def test_the_value_of_a_frame_is_what_was_said(kind: Any, payload: bytes, value: object) -> None:
    assert frame(kind, payload).value == value


def test_the_value_of_a_restart_says_what_is_kept_and_prints_nothing() -> None:
    payload = {"why": "retried", "kept": [{"step": "s", "lease_epoch": 2, "try": 3}], "tries": {"t": 2}}

    value = frame("restart", msgspec.json.encode(payload)).value

    assert value == Restarted("retried", (KeptStep("s", 2, 3),), {"t": 2})
    assert f"{value}" == str(value) == ""
    assert msgspec.json.decode(msgspec.json.encode(value)) == payload
