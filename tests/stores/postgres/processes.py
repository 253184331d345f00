"""Real processes for tests: each runs one program of `programs.py`, and none outlives its test."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).with_name("programs.py")
START_S_MAX = 60.0
FINISH_S_MAX = 120.0

Process = subprocess.Popen[str]


@contextmanager
def running(program: str, *arguments: object, env: Mapping[str, str] | None = None) -> Iterator[Process]:
    """A process that runs the program until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-P", str(PROGRAMS), program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_until_ready(process: Process) -> None:
    """Return once the program has written its first line: its imports are done, and its engine is open."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if line != "ready\n":
        process.kill()
        raise AssertionError(line + process.communicate()[1])


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


def wait_until(condition: Callable[[], bool], within_s: float = START_S_MAX) -> None:
    """Return once another process or thread has made it true: a bounded wait, for something real."""
    give_up_at = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < give_up_at, "it never came true"
        time.sleep(0.001)
