"""`ff show`: the arguments, and why each attempt failed."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flowfabric import Context, ExecutionPolicy, FlowFabric, NewChild, RetryPolicy, open_blocking_engine
from flowfabric.cli import stored
from flowfabric.domain.children import Children
from tests.cli.running import ff_here

RETRIED = ExecutionPolicy(retry=RetryPolicy(max_retries=9))

PROGRAM = """
from flowfabric import FlowFabric

class Reversed:
    def encode(self, data):
        return data[::-1] + b"\\xff"
    def decode(self, data):
        if not data.endswith(b"\\xff"):
            raise ValueError("another key")
        return data[:-1][::-1]

ff = FlowFabric("sqlite:///jobs.db", codec=Reversed())
"""


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return f"sqlite:///{tmp_path}/jobs.db"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A program with a codec, which is imported anew for each test."""
    (tmp_path / "coded.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "coded:ff"
    sys.modules.pop("coded", None)


def created(url: str, payload: bytes, result: bytes | None = None) -> str:
    with open_blocking_engine(url, reconcile=False) as engine:
        key = engine.create_execution("charge", payload).execution_id
        if result is not None:
            engine.complete(engine.claim(worker_id="w", worker_instance_id="i")[0].lease, result)
    return key


def shown(key: str, *options: str) -> dict[str, Any]:
    found = json.loads(ff_here("show", key, "--json", *options).stdout)
    assert isinstance(found, dict)
    return found


def facts(key: str, *options: str) -> dict[str, str]:
    """The lines at the top, by name."""
    top = ff_here("show", key, *options).stdout.split("\n\n")[0]
    return {name: value.strip() for name, _, value in (line.partition("  ") for line in top.splitlines())}


# ── arguments ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("payload", "arguments"),
    [
        (b'{"arguments":{"card":"4711","cents":990}}', {"card": "4711", "cents": 990}),
        (b'{"order":7}', {"order": 7}),
        (b'{"arguments":{},"other":1}', {"arguments": {}, "other": 1}),
        (b'{"arguments":{},"outputs":[[["a","b"],"pay",[]]]}', {"arguments": {}, "outputs": [[["a", "b"], "pay", []]]}),
        (b"plain", "plain"),
        (b"\xff", {"base64": "/w=="}),
        (b"", None),
    ],
)
def test_arguments_are_shown_as_json(url: str, payload: bytes, arguments: object) -> None:
    key = created(url, payload)

    assert shown(key, "--url", url)["arguments"] == arguments
    line = facts(key, "--url", url).get("arguments")
    assert (None if line is None else json.loads(line)) == arguments


def test_a_result_is_shown_as_json(url: str) -> None:
    key = created(url, b"", b'{"paid":true}')

    assert facts(key, "--url", url)["result"] == '{"paid":true}'
    assert shown(key, "--url", url)["result"] == {"paid": True}


def test_arguments_that_are_long_are_cut_and_it_says_how_long_they_are(url: str) -> None:
    arguments = {"text": "é" * 100_000}
    size = len(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")).encode())
    key = created(url, json.dumps({"arguments": arguments}, ensure_ascii=False).encode())

    line = facts(key, "--url", url)["arguments"]
    found = shown(key, "--url", url)["arguments"]

    assert line.startswith('{"text":"éé')
    assert line.endswith(f"é... (cut; it is {size:,} bytes long)")
    assert len(line) < 1_100
    assert found["bytes"] == size
    assert found["cut"].startswith('{"text":"éé')
    assert stored.DOCUMENT_BYTES_MAX - 4 < len(found["cut"].encode()) <= stored.DOCUMENT_BYTES_MAX


def test_an_argument_that_another_member_returns_names_its_source(url: str) -> None:
    ff = FlowFabric(url)

    @ff.task
    def pay(ctx: Context) -> dict[str, int]:
        return {"cents": 990}

    @ff.task
    def ship(ctx: Context, cents: int, notes: list[int]) -> None:
        return

    with ff, ff.flow("order") as flow:
        paid = flow.add(pay)
        shipped = flow.add(ship, cents=paid.output["cents"], notes=[1, paid.output["cents"]])

    arguments = shown(shipped.execution_id, "--url", url)["arguments"]

    source = arguments["cents"]["result_of"]
    assert arguments == {
        "cents": {"result_of": source, "part": ["cents"]},
        "notes": [1, {"result_of": source, "part": ["cents"]}],
    }


def test_the_codec_of_the_program_decodes_what_is_shown(url: str, program: str) -> None:
    key = created(url, b'{"arguments":{"card":"4711"}}'[::-1] + b"\xff", b'"paid"'[::-1] + b"\xff")

    found = shown(key, "--app", program)

    assert (found["arguments"], found["result"]) == ({"card": "4711"}, "paid")
    assert set(shown(key, "--url", url)["arguments"]) == {"base64"}


def test_what_the_codec_cannot_decode_is_shown_as_it_is_with_the_reason(url: str, program: str) -> None:
    found = shown(created(url, b"{}"), "--app", program)["arguments"]

    assert found["base64"] == "e30="
    assert "The codec Reversed could not decode the arguments: ValueError: another key." in found["not_decoded"]


# ── failures ─────────────────────────────────────────────────────────────────────────────────────


def test_every_attempt_shows_why_it_failed(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        key = engine.create_execution("charge", policy=RETRIED).execution_id
        for code, traceback in (("Boom", "line 1\n  line 2\n"), ("Bang", None), ("Boom", "line 1\n  line 2\n")):
            (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
            engine.fail(claimed.lease, code=code, message="it broke", retry_after_ms=0, traceback=traceback)
        engine.release(engine.claim(worker_id="w", worker_instance_id="i")[0].lease)

    said = ff_here("show", key, "--url", url).stdout
    attempts = shown(key, "--url", url)["attempts"]

    assert (
        "attempt 1 failed: Boom: it broke\n    line 1\n      line 2\n\n"
        "attempt 2 failed: Bang: it broke\n\n"
        "attempt 3 failed: Boom: it broke\n    (The traceback is the same as that of attempt 1.)\n\n"
        "TIME (UTC)"
    ) in said
    assert [attempt["failure"] for attempt in attempts] == [
        {"code": "Boom", "message": "it broke", "traceback": "line 1\n  line 2\n"},
        {"code": "Bang", "message": "it broke", "traceback": None},
        {"code": "Boom", "message": "it broke", "traceback": "line 1\n  line 2\n"},
        None,
    ]


def test_a_traceback_cannot_move_the_cursor(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        key = engine.create_execution("charge").execution_id
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
        engine.fail(claimed.lease, code="Boom", message="a\nb", traceback="\x1b[2Jgone\n")

    assert "\x1b" not in ff_here("show", key, "--url", url).stdout


# ── children ─────────────────────────────────────────────────────────────────────────────────────


def test_a_parent_shows_its_children_and_a_child_its_parent(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        parent = engine.create_execution("crawl").execution_id
        lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
        first, second = engine.create_children(lease, "page", [NewChild(kind="count", lane="pages")] * 2)
        engine.suspend(lease, "page (children)", Children(("page",), all_ended=True), reason="waiting_for_children")
        child = engine.claim(worker_id="w", worker_instance_id="i", lanes=["pages"])[0]
        engine.fail(child.lease, code="lost", message="", retryable=False)
        engine.reconcile()

    said = ff_here("show", parent, "--url", url).stdout
    why = ff_here("explain", parent, "--url", url).stdout

    assert "CHILD" in said
    assert first.execution_id in said
    assert "1 of 2 have ended (1 without success)" in why
    assert f"\nff show {parent}  see its children\n" in why
    assert f"{second.execution_id} is waiting" in why
    assert "its children" in said
    assert "ff show" not in said
    assert facts(first.execution_id, "--url", url)["parent"] == parent
    listed = shown(parent, "--url", url)["children"]
    assert [each["execution_id"] for each in listed] == [first.execution_id, second.execution_id]
    assert shown(first.execution_id, "--url", url)["children"] == []


def test_of_many_children_those_that_failed_come_first(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        parent = engine.create_execution("crawl").execution_id
        lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
        engine.create_children(lease, "page", [NewChild(kind="count", lane="pages")] * 60)
        claimed = engine.claim(worker_id="w", worker_instance_id="i", lanes=["pages"], limit=59)
        for child in claimed[:-1]:
            engine.complete(child.lease)
        engine.fail(claimed[-1].lease, code="lost", message="", retryable=False)

    said = ff_here("show", parent, "--url", url).stdout
    lines = said[said.index("CHILD") :].splitlines()

    assert lines[1].split()[1:3] == ["failed", "lost"]
    assert lines[2].split()[1] == "waiting"
    assert {line.split()[1] for line in lines[3:51]} == {"completed"}
    assert lines[51] == (
        "It has 60 children: 58 completed, 1 failed, 1 waiting. 50 are shown; those that failed come first."
    )
    assert len(shown(parent, "--url", url)["children"]) == 60
