"""What people and programs see: tables that fit, ids that can be copied, times in words, and pipes that may break."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import ManualClock, open_blocking_engine
from flowfabric.cli import output
from flowfabric.cli.exits import Exit
from flowfabric.domain.inputs import INSTANT_MS_MAX
from tests.cli.desk import Desk, a_desk
from tests.cli.running import FF, WITHIN_S, ff, ff_here

MINUTE_MS = 60_000


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk("sqlite", tmp_path) as desk:
        yield desk


@pytest.mark.parametrize("width", [20, 46, 60, 80, 200])
@pytest.mark.parametrize("call", ["ls", "flow ls", "lanes", "workers", "schedules"])
def test_a_table_fits_the_terminal_unless_an_id_alone_is_wider(
    desk: Desk, call: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))

    ended = ff_here(*call.split(), "--url", desk.url)

    lines = ended.stdout.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= max(width, len(desk.waiting))


def test_ids_are_never_cut(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")

    ended = ff_here("ls", "--url", desk.url)

    first_words = {line.split()[0] for line in ended.stdout.splitlines()}
    assert {desk.waiting, desk.held, desk.active, desk.completed} <= first_words


def test_a_file_gets_whole_lines_without_colours(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    with desk.engine() as engine:
        engine.create_execution("k" * 100, lane="l" * 60)

    ended = ff_here("ls", "--url", desk.url)

    assert "k" * 100 in ended.stdout
    assert "\x1b" not in ended.stdout


def test_what_others_have_named_cannot_move_the_cursor(desk: Desk) -> None:
    with desk.engine() as engine:
        job = engine.create_execution("kind").execution_id
        engine.cancel_execution(job, reason="\x1b[2Jgone\nff: forged")

    for call in (["show", job], ["explain", job], ["tail", "--from", "start", "--until-idle"]):
        ended = ff_here(*call, "--url", desk.url)

        assert "gone ff: forged" in ended.stdout
        assert "\x1b" not in ended.stdout


def test_json_escapes_what_a_terminal_would_obey(desk: Desk) -> None:
    reason = "\x1b[2J \x9b2J \x7f \u202eback\u2066wards\u200f \u2028 \U000e0041 é 日本"
    with desk.engine() as engine:
        job = engine.create_execution("kind").execution_id
        engine.cancel_execution(job, reason=reason)

    for call in (["show", job], ["tail", "--from", "start", "--until-idle"]):
        ended = ff_here(*call, "--json", "--url", desk.url)

        assert all(line.isprintable() for line in ended.stdout.split("\n"))
        assert "é 日本" in ended.stdout
        assert reason in _texts([json.loads(line) for line in ended.stdout.split("\n") if line])


def _texts(value: object) -> list[str]:
    """All texts inside a JSON value."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return [value] if isinstance(value, str) else []


def test_facts_are_whole_lines_however_narrow_the_terminal_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")

    ended = ff_here("show", desk.active, "--url", desk.url)

    assert desk.active in ended.stdout.splitlines()[0]


def test_an_instant_beyond_the_calendar_is_a_number(desk: Desk) -> None:
    with desk.engine() as engine:
        job = engine.create_execution("kind", delay_until_ms=INSTANT_MS_MAX).execution_id

    ended = ff_here("show", job, "--url", desk.url)

    assert f"{INSTANT_MS_MAX} ms" in ended.stdout


def test_names_that_look_like_markup_are_shown_as_they_are(desk: Desk) -> None:
    with desk.engine() as engine:
        engine.create_execution("[red]:smile:[/red]")

    ended = ff_here("ls", "--url", desk.url)

    assert "[red]:smile:[/red]" in ended.stdout


def test_pages_follow_each_other(desk: Desk) -> None:
    first = json.loads(ff_here("ls", "--limit", "3", "--json", "--url", desk.url).stdout)
    rest = json.loads(ff_here("ls", "--cursor", first["next_cursor"], "--json", "--url", desk.url).stdout)
    told = ff_here("ls", "--limit", "3", "--url", desk.url).stderr

    assert len(first["executions"]) == 3
    assert rest["next_cursor"] is None
    with desk.engine() as engine:
        assert len(rest["executions"]) == engine.count_executions() - 3
    assert told == f"There are more: --cursor {first['next_cursor']}\n"


def test_a_member_with_several_parents_stands_once_and_is_named_after(desk: Desk) -> None:
    ended = ff_here("flow", "show", desk.flow, "--url", desk.url)

    lines = [line.rsplit(" {fp:", 1)[0] for line in ended.stdout.splitlines()[2:]]
    assert lines == [
        "waiting split",
        "├─ waiting_children cut",
        "│  └─ waiting_children show",
        "└─ waiting_children dub",
        "   └─ ↑ show",
    ]
    assert "(after any of 2)" in ended.stdout


@pytest.mark.parametrize("between_ms", [0, 5])
def test_a_timeline_is_told_in_the_order_in_which_it_happened(between_ms: int, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    clock = ManualClock()
    with open_blocking_engine(url, clock=clock, reconcile=False) as engine:
        job = engine.create_execution("order").execution_id
        for end in (engine.release, engine.complete):
            clock.advance(between_ms)
            (claimed,) = engine.claim(worker_id="till", worker_instance_id="till-1")
            clock.advance(between_ms)
            engine.record_step(claimed.lease, f"step of attempt {claimed.lease.attempt_index}", b"1")
            clock.advance(between_ms)
            end(claimed.lease)

    ended = ff_here("show", job, "--url", url)

    timeline = ended.stdout.split("TIME (UTC)")[1].splitlines()[1:]
    happened = ["created", "acquired", "step", "released", "acquired", "step", "completed"]
    assert [line.split()[2] for line in timeline] == happened


@pytest.mark.parametrize(
    ("at_ms", "says"),
    [
        (None, "-"),
        (MINUTE_MS, "just now"),
        (MINUTE_MS - 999, "just now"),
        (MINUTE_MS + 300, "in 300 ms"),
        (MINUTE_MS - 1_560, "1.5 s ago"),
        (0, "60 s ago"),
        (4 * MINUTE_MS, "in 3 min"),
        (MINUTE_MS + 25 * 60 * MINUTE_MS, "in 25 h"),
    ],
)
def test_times_are_told_as_seen_from_now(at_ms: int | None, says: str) -> None:
    assert output.when(at_ms, MINUTE_MS) == says


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (None, None),
        (b'{"a":1}', {"a": 1}),
        (b"plain", "plain"),
        (b"NaN", "NaN"),
        (b'"\\ud800"', '"\\ud800"'),
        (b"[" * 5000 + b"]" * 5000, "[" * 5000 + "]" * 5000),
        (b"\xff", {"base64": "/w=="}),
    ],
)
def test_stored_bytes_are_shown_as_what_they_are(stored: bytes | None, shown: object) -> None:
    assert output.readable(stored) == shown


# ── processes ────────────────────────────────────────────────────────────────────────────────────


def test_what_the_terminal_cannot_show_is_a_question_mark(desk: Desk) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FF, "flow", "show", desk.flow, "--url", desk.url],
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )

    assert ended.returncode == Exit.DONE, ended.stderr
    assert "?? waiting_children cut" in ended.stdout


@pytest.mark.parametrize("call", ["ls", "ls --json", "explain ID"])
def test_a_full_disk_under_the_output_is_one_sentence(desk: Desk, call: str) -> None:
    words = call.replace("ID", desk.waiting).split()
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-c", FF, *words, "--url", desk.url],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=WITHIN_S,
        )

    assert ended.returncode == Exit.NOT_DONE
    assert ended.stderr.startswith("ff: The output could not be written: No space left on device.")
    assert len(ended.stderr.splitlines()) == 1


def test_a_reader_who_has_gone_is_no_traceback(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url) as engine:
        for _ in range(3):
            engine.create_execution("k" * 100)
    reads, writes = os.pipe()
    os.close(reads)

    ended = subprocess.run(
        [sys.executable, "-c", FF, "ls", "--url", url],
        stdout=writes,
        stderr=subprocess.PIPE,
        text=True,
        timeout=WITHIN_S,
    )
    os.close(writes)

    assert (ended.returncode, ended.stderr) == (Exit.NOBODY_READS, "")


def test_a_tail_tells_what_happens_and_ends_with_ctrl_c(desk: Desk, tmp_path: Path) -> None:
    command = [sys.executable, "-c", FF, "tail", "--from", "start", "--channel", "operator", "--url", desk.url]
    tail = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert tail.stdout is not None
        first = tail.stdout.readline()
        with desk.engine() as engine:
            engine.hold(desk.waiting)
        second = tail.stdout.readline()
        tail.send_signal(signal.SIGINT)
        _, said = tail.communicate(timeout=WITHIN_S)
    finally:
        tail.kill()
        tail.communicate()

    assert desk.held in first
    assert desk.waiting in second
    assert tail.returncode == Exit.INTERRUPTED
    assert said.startswith("To go on from here: --from ")
    assert "Traceback" not in said


def test_a_tail_goes_on_where_another_one_has_ended(desk: Desk) -> None:
    whole = ff_here("tail", "--from", "start", "--until-idle", "--json", "--url", desk.url)
    first = ff_here("tail", "--from", "start", "--until-idle", "--count", "2", "--json", "--url", desk.url)

    rest = ff_here("tail", "--from", first.stderr.split()[-1], "--until-idle", "--json", "--url", desk.url)

    assert len(first.stdout.splitlines()) == 2
    assert first.stdout + rest.stdout == whole.stdout


def test_help_waits_for_no_engine(tmp_path: Path) -> None:
    program = tmp_path / "told.py"
    program.write_text(
        "import atexit, sys\n"
        "atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))\n"
        "from flowfabric.cli.main import main\n"
        "main(['--help'])\n"
    )

    ended = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=WITHIN_S)

    assert "List executions, newest first." in ended.stdout
    imported = set(ended.stderr.split())
    assert "flowfabric.cli.looking" in imported
    assert imported & {"asyncio", "msgspec", "sqlite3", "psycopg", "flowfabric.app", "rich.markdown"} == set()


def test_the_environment_says_where_the_database_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOWFABRIC_URL", desk.url)

    ended = ff_here("explain", desk.completed)

    assert ended.stdout == "It completed.\n"


def test_a_program_says_where_its_database_is_and_what_its_tasks_are(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text((Path(__file__).parent / "shop.py").read_text())
    ff(tmp_path, "migrate", "shop:ff", "--yes")

    submitted = ff(tmp_path, "submit", "double", '{"number": 21, "on": "2026-01-31"}', "--app", "shop:ff", "--json")
    listed = ff(tmp_path, "ls", "--app", "shop:ff", "--json")

    (x,) = json.loads(listed.stdout)["executions"]
    assert x["execution_id"] == json.loads(submitted.stdout)["execution_id"]
    assert (x["lane"], x["namespace"], x["tags"]) == ("sums", "shop", {"team.name": "sums"})
