"""Tests that may not run beside each other are a group, and a group runs in one process."""

import subprocess
import sys
from pathlib import Path

A_GROUP = """
import os
from pathlib import Path
import pytest

@pytest.mark.xdist_group("a server of its own")
@pytest.mark.parametrize("number", range(4))
def test_it(number):
    with Path("processes").open("a") as file:
        file.write(os.environ["PYTEST_XDIST_WORKER"] + "\\n")
"""


def test_a_group_runs_in_one_process(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(A_GROUP)
    (tmp_path / "test_other.py").write_text(A_GROUP)
    options = ["-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", "--rootdir", "."]

    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *options], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )

    assert ended.returncode == 0, ended.stdout + ended.stderr
    processes = (tmp_path / "processes").read_text().split()
    assert len(processes) == 8
    assert len(set(processes)) == 1
