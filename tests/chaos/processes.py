"""Real processes for these tests: each runs one program of a module, and none outlives its test.

They are forks of one process that has imported everything and done nothing else, because an interpreter that starts
anew takes longer than most of what is asked of these processes.
"""

import json
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.simulation import planting

ROOT = Path(__file__).parents[2]
START_S_MAX = 60.0
FINISH_S_MAX = 120.0
MODULES = (
    "tests.chaos.programs",
    "tests.chaos.flow_programs",
    "tests.chaos.gate_programs",
    "tests.chaos.readers",
    "tests.talks",
    "tests.chaos.timetable",
    "tests.stores.sqlite.programs",
    "flowfabric.cli.program",
    "flowfabric.cli.server",
    "flowfabric.cli.worker",
    "flowfabric.server.serving",
)
"""What the programs consist of."""

_numbers = count()
_forking = multiprocessing.get_context("forkserver")
# Of pytest, because a child imports what was the main program of its parent.
_forking.set_forkserver_preload(["pytest", "tests.chaos.processes", *MODULES])


class Process:
    """A program that is running."""

    def __init__(self, module: str, program: str, arguments: tuple[object, ...], folder: Path) -> None:
        # A file, because a program that logs a lot must not wait for anyone to read it.
        self._errors = folder / f"{program}-{next(_numbers)}.errors"
        self._errors.touch()
        stdin, told = _forking.Pipe(duplex=False)
        answers, stdout = _forking.Pipe(duplex=False)
        self._told = os.fdopen(os.dup(told.fileno()), "w")
        self._answers = os.fdopen(os.dup(answers.fileno()))
        words = [program, *map(str, arguments)]
        about = (module, words, stdin, stdout, str(self._errors), list(planting.in_place))
        self._process = _forking.Process(target=_run, args=about)
        self._process.start()
        for end in (stdin, told, answers, stdout):
            end.close()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.is_alive()

    @property
    def said(self) -> str:
        """The end of what it has written to its standard error."""
        return self._errors.read_text()[-4000:]

    def line(self) -> str:
        """The next line that it writes to its standard output; waits for it."""
        line = self._answers.readline()
        assert line, f"it ended: {self.said}"
        return line.rstrip("\n")

    def tell(self, word: str) -> None:
        """Send one line."""
        self._told.write(word + "\n")
        self._told.flush()

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """kill -9, of one that is still running."""
        assert self.is_running, f"it ended: {self.said}"
        self.end()

    def ended(self, within_s: float = FINISH_S_MAX) -> None:
        """Return once it has ended by itself, which it must do well and in time."""
        self._process.join(within_s)
        assert self._process.exitcode == 0, self.said

    def report(self, within_s: float = FINISH_S_MAX) -> Any:
        """What it reports when it ends well, which it must do in time."""
        self._tell_no_more()
        too_late = threading.Timer(within_s, self._process.kill)
        too_late.start()
        output = self._answers.read()
        self._process.join()
        too_late.cancel()
        assert self._process.exitcode == 0, self.said
        return json.loads(output.splitlines()[-1])

    def end(self) -> None:
        """Make sure that it is gone."""
        self._process.kill()
        self._process.join()
        self._tell_no_more()
        self._answers.close()

    def _tell_no_more(self) -> None:
        with suppress(BrokenPipeError):
            self._told.close()


def _run(
    module: str, words: list[str], stdin: Connection, stdout: Connection, errors: str, mutants: list[planting.Mutant]
) -> None:
    """In the new process: run a program, with ends of pipes for what it reads and writes, and with the rules broken
    that are broken in the process of the tests.
    """
    os.dup2(stdin.fileno(), 0)
    os.dup2(stdout.fileno(), 1)
    with open(errors, "ab") as file:
        os.dup2(file.fileno(), 2)
    stdin.close()
    stdout.close()
    os.chdir(ROOT)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    program, *arguments = words
    with ExitStack() as stack:
        for mutant in mutants:
            stack.enter_context(planting.planted(mutant))
        getattr(import_module(module), program)(*arguments)


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
