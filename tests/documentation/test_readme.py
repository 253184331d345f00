"""The README's walk-through, typed into a real shell: what it shows is what happens."""

import json
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

# By itself, but among the first: it takes longer than any other single test.
pytestmark = pytest.mark.xdist_group("readme")

README = Path(__file__).parents[2] / "README.md"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"# (\w+\.py)\n")
FF = "import sys; sys.argv[0] = 'ff'; from flowfabric.cli.main import main; main()"
WITHIN_S = 60.0
PATIENCE = "time.sleep(10)"
"""What gives a reader the time to pull the plug."""


class Typed(NamedTuple):
    """A command of the page, and the lines that it shows below it."""

    command: str
    shown: list[str]


def programs() -> dict[str, str]:
    """The programs that the page tells its readers to save, by the name in their first line."""
    blocks = (block[2] for block in FENCE.finditer(README.read_text()) if block[1] == "python")
    return {found[1]: block for block in blocks if (found := NAME.match(block)) is not None}


def session() -> list[Typed]:
    """Everything that the page tells its readers to type, in order."""
    typed: list[Typed] = []
    for block in FENCE.finditer(README.read_text()):
        if block[1] == "console":
            for line in block[2].splitlines():
                if line.startswith("$ "):
                    typed.append(Typed(line.removeprefix("$ "), []))
                else:
                    typed[-1].shown.append(line)
    return typed


def steering() -> list[str]:
    """What the page offers to type in the folder that it has made."""
    (block,) = FENCE.findall(README.read_text().split("\n## Steer it\n")[1].split("\n## ")[0])
    return [line.partition("#")[0].strip() for line in block[1].splitlines()]


def ff(folder: Path, *arguments: str) -> str:
    """What a command of the program says that goes well."""
    ended = subprocess.run(
        [folder / "bin/ff", *arguments], cwd=folder, capture_output=True, text=True, timeout=WITHIN_S
    )
    assert ended.returncode == 0, (arguments, ended.stderr)
    return ended.stdout


class Shell:
    """A shell and all that it has started; what any of them says is heard line by line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._lines: queue.Queue[str] = queue.Queue()
        self.heard: list[str] = []
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self, line: str) -> None:
        """Wait until this is said. Raises AssertionError if it is not, in time."""
        until = time.monotonic() + WITHIN_S
        while True:
            try:
                said = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"{line!r} was not said, but: {self.heard}") from None
            self.heard.append(said)
            # A process writes the end of a line by itself, and another process may write a line before it.
            if said.startswith(line):
                return

    def leave(self) -> None:
        """Wait until everything that was started has ended, and hear the rest."""
        self.type("wait; exit")
        self._process.wait(timeout=WITHIN_S)
        self._listener.join(timeout=WITHIN_S)
        while not self._lines.empty():
            self.heard.append(self._lines.get_nowait())

    def close(self) -> None:
        """End the shell, and whatever it has started and not ended."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._listener.join(timeout=WITHIN_S)
        self._process.communicate()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))


@contextmanager
def a_shell(folder: Path) -> Iterator[Shell]:
    """A shell in the folder that finds our own `ff` and `python`, and that leaves nobody behind."""
    commands = folder / "bin"
    commands.mkdir()
    python = shlex.quote(sys.executable)
    for name, program in (("python", python), ("ff", f"{python} -c {shlex.quote(FF)}")):
        (commands / name).write_text(f'#!/bin/sh\nexec {program} "$@"\n')
        (commands / name).chmod(0o700)
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        ["bash", "--noprofile", "--norc"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        # A terminal shows lines as they are written, a pipe only with this.
        env={**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    shell = Shell(process)
    try:
        yield shell
    finally:
        shell.close()


def test_a_reader_who_types_what_the_readme_says_sees_what_it_shows(tmp_path: Path) -> None:
    for name, program in programs().items():
        (tmp_path / name).write_text(program.replace(PATIENCE, "time.sleep(2)"))

    with a_shell(tmp_path) as shell:
        for command, shown in session():
            shell.type(command)
            for line in shown:
                shell.hear(line)
        shell.leave()

    assert PATIENCE in programs()["app.py"]
    assert shell.heard.count("charging 990 cents for order 7") == 1
    assert shell.heard.count("packing order 7") == 2
    assert [line for line in shell.heard if "Traceback" in line] == []

    (paid,) = json.loads(ff(tmp_path, "ls", "--json"))["executions"]
    assert "parcel-7, paid with receipt-7" in ff(tmp_path, "show", paid["execution_id"])

    submit, *others = steering()
    order = ff(tmp_path, *shlex.split(submit)[1:]).strip()
    said = {line: ff(tmp_path, *shlex.split(line.replace("ID", order))[1:]) for line in others}
    assert "It waits for a worker" in said["ff explain ID"]
    assert f"{order} is waiting again" in said["ff replay ID"]
    assert "completed  film" in said["ff flow ls --app film:ff"]
