"""Real processes for tests: each runs one program of `programs.py`, and none outlives its test."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).with_name("programs.py")
START_S_MAX = 60.0
FINISH_S_MAX = 120.0

Process = subprocess.Popen[str]


@contextmanager
def running(program: str, *arguments: object, inside: Sequence[str] = ()) -> Iterator[Process]:
    """A process that runs the program until the block ends. `inside` is a command to wrap it in."""
    process = subprocess.Popen(
        [*inside, sys.executable, str(PROGRAMS), program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_until_ready(process: Process) -> None:
    """Return once the program has written its first line. Its imports and its opening of the file are done then."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line == "ready\n", line + _errors_of(process)


def tell(process: Process, message: object) -> None:
    """Send one JSON value."""
    assert process.stdin is not None
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


def report_of(process: Process, within_s: float = FINISH_S_MAX) -> dict[str, Any]:
    """What the program reports when it ends well, which it must do in time."""
    output, errors = process.communicate(timeout=within_s)
    assert process.returncode == 0, errors
    report: dict[str, Any] = json.loads(output.splitlines()[-1])
    return report


def run(program: str, *arguments: object, inside: Sequence[str] = ()) -> dict[str, Any]:
    """Run a program to its end; what it reports."""
    with running(program, *arguments, inside=inside) as process:
        return report_of(process)


def wait_until(condition: Callable[[], bool], within_s: float = START_S_MAX) -> None:
    """Return once another process or thread has made it true: a bounded wait, for something real."""
    give_up_at = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < give_up_at, "it never came true"
        time.sleep(0.001)


def _errors_of(process: Process) -> str:
    process.kill()
    return process.communicate()[1]
