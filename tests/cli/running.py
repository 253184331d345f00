"""`ff` as a program of its own, in the folder of the program it is about."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from flowfabric.cli.main import main

FF = "import sys; sys.argv[0] = 'ff'; from flowfabric.cli.main import main; main()"
WITHIN_S = 60.0


def ff(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    command = [sys.executable, "-c", FF, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=WITHIN_S)


class Ended(NamedTuple):
    """How a command went that ran in this process."""

    returncode: int
    stdout: str
    stderr: str


def ff_here(*arguments: str) -> Ended:
    """Run a command to its end without a process of its own, which is what most of the time of one goes to."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Ended(code, out.getvalue(), err.getvalue())


def at_a_terminal(answer: str, *arguments: str) -> tuple[str, int]:
    """What is asked of somebody who answers this, and the exit code."""
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", FF, *arguments],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.write(ours, answer.encode())
        _, asked = process.communicate(timeout=WITHIN_S)
    finally:
        os.close(ours)
        os.close(theirs)
    return asked, process.returncode


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that runs while the block lasts, and not longer."""
    process = subprocess.Popen(
        [sys.executable, "-c", FF, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
