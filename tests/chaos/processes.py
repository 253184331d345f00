"""Real processes for these tests: each runs one program of a module, and none outlives its test."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
START_S_MAX = 60.0
FINISH_S_MAX = 120.0

_numbers = count()


class Process:
    """A program that is running."""

    def __init__(self, module: str, program: str, arguments: tuple[object, ...], folder: Path) -> None:
        # A file, because a program that logs a lot must not wait for anyone to read it.
        self._errors = folder / f"{program}-{next(_numbers)}.errors"
        with self._errors.open("wb") as errors:
            self._popen = subprocess.Popen(
                [sys.executable, "-m", module, program, *map(str, arguments)],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.pid = self._popen.pid

    @property
    def is_running(self) -> bool:
        return self._popen.poll() is None

    @property
    def said(self) -> str:
        """The end of what it has written to its standard error."""
        return self._errors.read_text()[-4000:]

    def line(self) -> str:
        """The next line that it writes to its standard output; waits for it."""
        assert self._popen.stdout is not None
        line = self._popen.stdout.readline()
        assert line, f"it ended: {self.said}"
        return line.rstrip("\n")

    def tell(self, word: str) -> None:
        """Send one line."""
        assert self._popen.stdin is not None
        self._popen.stdin.write(word + "\n")
        self._popen.stdin.flush()

    def signal(self, number: int) -> None:
        self._popen.send_signal(number)

    def kill(self) -> None:
        """kill -9, of one that is still running."""
        assert self.is_running, f"it ended: {self.said}"
        self._popen.kill()
        self._popen.communicate()

    def report(self, within_s: float = FINISH_S_MAX) -> Any:
        """What it reports when it ends well, which it must do in time."""
        output, _ = self._popen.communicate(timeout=within_s)
        assert self._popen.returncode == 0, self.said
        return json.loads(output.splitlines()[-1])

    def end(self) -> None:
        """Make sure that it is gone."""
        self._popen.kill()
        self._popen.communicate()


@contextmanager
def running(program: str, *arguments: object, folder: Path, module: str = "tests.chaos.programs") -> Iterator[Process]:
    """A process that runs the program until the block ends."""
    process = Process(module, program, arguments, folder)
    try:
        yield process
    finally:
        process.end()


def wait_until(condition: Callable[[], bool], within_s: float = START_S_MAX) -> None:
    """Return once other processes have made it true: a bounded wait, for something real."""
    give_up_at = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < give_up_at, "it never came true"
        time.sleep(0.005)
