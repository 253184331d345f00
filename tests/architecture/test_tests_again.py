"""What `make test-again` makes of tests that have failed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "tests_again.py"
TESTS = """
import pathlib
import pytest

@pytest.mark.xdist_group("a group: of tests")
@pytest.mark.parametrize("at", ["a@b"])
def test_that_fails_once(at):
    runs = pathlib.Path("runs")
    runs.write_text(runs.read_text() + "." if runs.exists() else ".")
    assert len(runs.read_text()) > 1

def test_that_always_fails():
    assert False
"""


def run(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    (folder / "test_some.py").write_text(TESTS)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)


def test_a_test_that_passes_by_itself_is_named_and_stops_nothing(tmp_path: Path):
    run(tmp_path, "-m", "pytest", "-n", "1", "--dist", "loadgroup", "-k", "once")
    done = run(tmp_path, str(TOOL))

    assert done.returncode == 0, done.stdout
    assert done.stdout.count("1 passed") == 3
    assert done.stdout.endswith("Mend them:\n  test_some.py::test_that_fails_once[a@b]\n")


@pytest.mark.parametrize(
    ("failed", "says"),
    [
        (["test_some.py::test_that_always_fails"], "1 failed"),
        (["a", "b", "c", "d"], "4 tests have failed."),
        ([], "No failed test is known."),
    ],
)
def test_tests_that_fail_again_or_many_or_none_stop_a_change(tmp_path: Path, failed: list[str], says: str):
    known = tmp_path / ".pytest_cache/v/cache/lastfailed"
    known.parent.mkdir(parents=True)
    known.write_text(json.dumps(dict.fromkeys(failed, True)))

    done = run(tmp_path, str(TOOL))

    assert done.returncode == 1, done.stdout
    assert says in done.stdout
    assert "UNSTABLE" not in done.stdout
