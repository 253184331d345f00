"""mypy knows a task's arguments and its result: what is right passes, and what is wrong is reported where it stands."""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "typed"
EXPECTED = re.compile(r"  # E: (.+)$")
REPORTED = re.compile(r"^(.+?):(\d+): error: (.+)$", re.MULTILINE)

# One process asks mypy, for both tests.
pytestmark = pytest.mark.xdist_group("mypy")

Errors = dict[int, list[str]]
"""By line."""


@pytest.fixture(scope="module")
def reported() -> dict[str, Errors]:
    """What mypy says of the programs, by file, with the project's own settings."""
    # The cache in the working tree belongs to `make check`, which may run at the same time: two that open a new cache
    # at once make one of them crash.
    mypy = [sys.executable, "-m", "mypy", f"--cache-dir={os.devnull}", str(PROGRAMS)]
    ended = subprocess.run(mypy, cwd=ROOT, capture_output=True, text=True, timeout=100)
    errors: dict[str, Errors] = defaultdict(lambda: defaultdict(list))
    for path, line, message in REPORTED.findall(ended.stdout):
        errors[Path(path).name][int(line)].append(message)
    assert errors, ended.stdout + ended.stderr
    return errors


def test_wrong_programs_are_refused_where_they_are_wrong(reported: dict[str, Errors]) -> None:
    lines = (PROGRAMS / "wrong.py").read_text().splitlines()
    expected = {
        number: found[1].split(" | ") for number, line in enumerate(lines, 1) if (found := EXPECTED.search(line))
    }

    assert len(expected) > 20
    assert {line: sorted(errors) for line, errors in reported["wrong.py"].items()} == {
        line: sorted(errors) for line, errors in expected.items()
    }


def test_right_programs_pass(reported: dict[str, Errors]) -> None:
    assert set(reported) == {"wrong.py"}
