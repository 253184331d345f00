"""How tests are shared out among processes: a group stays in one, so do the cases of a test, and groups come first."""

import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).parents[1] / "conftest.py"

NOTING = """
import os
from pathlib import Path
import pytest

def note(name):
    with Path("processes").open("a") as file:
        file.write(f"{name} {os.environ['PYTEST_XDIST_WORKER']}\\n")
"""
CASES = """
@pytest.mark.parametrize("number", range(4))
def test_plain(number):
    note("plain")
"""
A_GROUP = """
@pytest.mark.xdist_group("a server of its own")
@pytest.mark.parametrize("number", range(4))
def test_of_a_group(number):
    note("group")
"""


def run_in_two_processes(folder: Path) -> list[tuple[str, ...]]:
    """Which kinds of tests ran in which process, in their order."""
    (folder / "conftest.py").write_text(CONFTEST.read_text())
    options = ["-n", "2", "--dist", "loadgroup", "--no-loadscope-reorder", "-p", "no:cacheprovider", "--rootdir", "."]

    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *options], cwd=folder, capture_output=True, text=True, timeout=100
    )

    assert ended.returncode == 0, ended.stdout + ended.stderr
    return [tuple(line.split()) for line in (folder / "processes").read_text().splitlines()]


def test_a_group_runs_in_one_process(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(NOTING + A_GROUP)
    (tmp_path / "test_other.py").write_text(NOTING + A_GROUP)

    ran = run_in_two_processes(tmp_path)

    assert len(ran) == 8
    assert len(set(ran)) == 1


def test_the_cases_of_a_test_run_in_one_process_and_groups_come_first(tmp_path: Path) -> None:
    (tmp_path / "test_cases.py").write_text(NOTING + CASES)
    (tmp_path / "test_more.py").write_text(NOTING + CASES + CASES.replace("plain", "second"))
    (tmp_path / "test_of_a_group.py").write_text(NOTING + A_GROUP)

    ran = run_in_two_processes(tmp_path)

    in_process = {process: [kind for kind, its in ran if its == process] for _, process in ran}
    assert sorted(kind for kind, _ in ran) == ["group"] * 4 + ["plain"] * 8 + ["second"] * 4
    assert all(len(kinds) % 4 == 0 for kinds in in_process.values())
    assert [kinds[:4] for kinds in in_process.values()].count(["group"] * 4) == 1
