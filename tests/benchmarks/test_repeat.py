"""`make test-repeat`: every run has a fresh clone, what is finished is not done again, and what failed is named."""

import multiprocessing
import subprocess
import tempfile
from pathlib import Path

import pytest

from benchmarks import repeat

MAKEFILE = """\
test:
\t@test ! -e traces
\t@touch traces
\t@echo run >> "{runs}"
\t@test "$$(wc -l < "{runs}")" -ne {fails_at} || {{ \\
\t  echo "FAILED tests/test_shop.py::test_it_opens - assert False"; echo "= 1 failed, 2 passed in 0.10s ="; exit 1; }}
\t@echo "= 3 passed in 0.10s ="
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def repository(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose tests fail in the second run."""
    repository = tmp_path / "a shop"
    repository.mkdir()
    (repository / ".gitignore").write_text("/.test-repeat/\n")
    (repository / "Makefile").write_text(MAKEFILE.format(runs=tmp_path / "runs", fails_at=2))
    for name, value in (("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")):
        monkeypatch.setenv(name, value)
    who = ("-c", "user.name=a", "-c", "user.email=a@localhost")
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "A shop"]):
        subprocess.run(["git", *command], cwd=repository, check=True)
    return repository


def repeated(repository: Path, runs: int) -> int:
    return repeat.main([str(runs), "--load", "1", "--repository", str(repository)])


def test_each_run_has_a_fresh_clone_and_the_table_names_what_failed(
    repository: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = repeated(repository, 3)

    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("   ")]
    assert status == 1
    assert [(row[0], row[2], row[3], row[5:]) for row in rows] == [
        ("1", "3", "0", []),
        ("2", "2", "1", ["tests/test_shop.py::test_it_opens"]),
        ("3", "3", "0", []),
    ]


def test_the_log_of_a_failed_run_is_kept_and_nothing_else_is_left(repository: Path, folder: Path) -> None:
    repeated(repository, 2)

    (log,) = (repository / ".test-repeat").glob("*.log")
    assert log.stem.endswith("-2")
    assert "1 failed, 2 passed" in log.read_text()
    assert list(folder.iterdir()) == []
    assert multiprocessing.active_children() == []


def test_a_run_that_is_finished_is_not_done_again(repository: Path, folder: Path, tmp_path: Path) -> None:
    first = repeated(repository, 1)
    done = (tmp_path / "runs").read_text().count("run")

    again = repeated(repository, 1)
    more = repeated(repository, 3)

    assert (first, again, more) == (0, 0, 1)
    assert done == 1
    assert (tmp_path / "runs").read_text().count("run") == 3


def test_another_commit_starts_anew(repository: Path, folder: Path, tmp_path: Path) -> None:
    repeated(repository, 1)
    who = ("-c", "user.name=a", "-c", "user.email=a@localhost")
    subprocess.run(["git", *who, "commit", "-q", "--allow-empty", "-m", "Closed"], cwd=repository, check=True)

    status = repeated(repository, 1)

    assert status == 1
    assert (tmp_path / "runs").read_text().count("run") == 2
