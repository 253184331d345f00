"""`ff init`: what it writes is an example that works, and nothing that is there is touched."""

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from flowfabric import open_blocking_engine
from tests.cli.running import WITHIN_S, ff, ff_here, started


def test_an_empty_folder_gets_a_program_and_how_to_run_it(tmp_path: Path) -> None:
    ended = ff(tmp_path, "init")

    assert ended.returncode == 0, ended.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["README.md", "app.py"]
    # What is checked with the rest of the sources is what is written.
    example = files("flowfabric.cli").joinpath("example", "app.py")
    assert (tmp_path / "app.py").read_text() == example.read_text()


def test_what_was_written_is_told_as_json(tmp_path: Path) -> None:
    ended = ff(tmp_path, "init", "--json")

    assert json.loads(ended.stdout) == {"written": ["README.md", "app.py"]}


def test_a_file_that_is_there_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("mine")

    ended = ff(tmp_path, "init")

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "ff: app.py would be overwritten, so nothing was written. Use an empty folder.\n"
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("app.py", "mine")]


def test_a_folder_that_takes_no_files_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    ended = ff_here("init")

    assert ended.returncode == 1
    assert ended.stderr == (
        "ff: README.md could not be written: No such file or directory. Use an empty folder that you may write to.\n"
    )


def test_the_example_runs_as_its_page_says(tmp_path: Path) -> None:
    ff(tmp_path, "init")
    with started(tmp_path, "worker") as worker:
        submitted = subprocess.run(
            [sys.executable, "app.py"], cwd=tmp_path, capture_output=True, text=True, timeout=WITHIN_S
        )
        worker.terminate()
        worker.wait(timeout=WITHIN_S)

    assert submitted.returncode == 0, submitted.stderr
    assert "parcel-1, paid with receipt-1" in submitted.stdout
    assert "Thank you, Ada! On their way: parcel-2" in submitted.stdout
    assert worker.returncode == 0
    with open_blocking_engine(f"sqlite:///{tmp_path}/flowfabric.db") as engine:
        ended = engine.list_executions().items
        assert [execution.public_state for execution in ended] == ["completed"] * 4
        steps = [engine.list_steps(execution.execution_id) for execution in ended if execution.kind == "fulfil"]
        assert [[step.name for step in each] for each in steps] == [["charge", "pack"]] * 3


def test_a_worker_without_a_program_says_where_it_looked(tmp_path: Path) -> None:
    ended = ff(tmp_path, "worker")

    assert ended.returncode == 2
    assert "app.py" in ended.stderr
    assert "ff init" in ended.stderr
