"""A process that forks: nothing that was acknowledged to either side is lost, no child hangs, or it is refused."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.stores.sqlite.books import connected, violations
from tests.stores.sqlite.processes import report_of, run, running, tell, wait_until_ready

REFUSED = "it was in use in the parent process at the moment of the fork"


@pytest.fixture
def acknowledged(tmp_path: Path) -> Path:
    return tmp_path / "acknowledged"


def lost(path: Path, acknowledged: Path) -> set[str]:
    """What was acknowledged and is not there."""
    noted = acknowledged.read_text().splitlines()
    assert len(set(noted)) == len(noted) > 1
    with closing(connected(path)) as books:
        assert violations(books) == []
        return set(noted) - {execution_id for (execution_id,) in books.execute("select execution_id from ff_execution")}


def count(notes: Path) -> int:
    return len(notes.read_text().splitlines()) if notes.exists() else 0


@pytest.mark.parametrize("parents_end", ["closes", "exits", "goes on", "dies"])
def test_what_a_forked_child_submits_outlives_its_parent(
    url: str, path: Path, acknowledged: Path, parents_end: str
) -> None:
    with running("fork_after_use", url, acknowledged, parents_end) as program:
        # The child has both pipes as well, so this waits for it, too.
        _, errors = program.communicate(timeout=30)

    assert "Error" not in errors
    assert lost(path, acknowledged) == set()
    assert count(acknowledged) == 1 + 25 + (2 if parents_end == "goes on" else 0)


@pytest.mark.parametrize("program", ["fork_beside_an_open_engine", "fork_a_pool", "serve_preloaded"])
def test_children_and_their_parent_use_the_same_file(url: str, path: Path, acknowledged: Path, program: str) -> None:
    with running(program, url, acknowledged) as process:
        _, errors = process.communicate(timeout=30)

    assert (process.returncode, errors) == (0, "")
    assert lost(path, acknowledged) == set()


def test_a_process_may_fork_while_its_threads_write_and_read(url: str, path: Path, acknowledged: Path) -> None:
    report = run("fork_amid_threads", url, acknowledged, 6)

    assert report["errors"] == []
    assert all(report["ended_well"])
    assert lost(path, acknowledged) == set()


def test_a_child_is_refused_if_someone_elses_connection_was_open_at_the_fork(url: str, path: Path) -> None:
    report = run("fork_with_an_own_connection", url, path)

    assert report["met"].startswith("StoreError: ")
    assert REFUSED in report["met"]
    assert report["met_after_close"] == "nothing"


def test_a_fork_inside_a_transaction_leaves_it_to_the_parent(url: str, path: Path) -> None:
    report = run("fork_inside_a_block", url, path)

    assert "Nothing is committed here" in report["met"]
    assert report["took_s"] < 5
    with closing(connected(path)) as books:
        assert books.execute("select count(*) from ff_execution").fetchone() == (1,)


def test_a_fork_does_not_wait_without_end_for_a_write_that_waits(url: str, path: Path) -> None:
    with running("fork_while_a_write_waits", url, path) as program:
        wait_until_ready(program)
        with running("hold_the_write_lock", path) as holder:
            wait_until_ready(holder)
            tell(program, "write")
            wait_until_ready(program)
            tell(holder, "let go")
            report_of(holder)
        report = report_of(program)

    assert report["met"].startswith("StoreError: ")
    assert REFUSED in report["met"]
    assert report["executions"] == 2


def test_a_child_of_a_fork_inside_sqlite_is_told_why_it_can_use_no_file_at_all(url: str, tmp_path: Path) -> None:
    report = run("fork_while_reading", url, f"sqlite:///{tmp_path}/never_opened.db")

    assert report["met"].startswith(f"StoreError: {tmp_path}/never_opened.db cannot be used")
    assert "a thread of the parent process was inside SQLite at the moment of the fork" in report["met"]
    assert not (tmp_path / "never_opened.db").exists()


def test_a_child_whose_look_at_its_descriptors_fails_does_not_hang(url: str) -> None:
    report = run("fork_and_fail_to_look", url)

    assert (report["met"], report["executions"]) == ("nothing", 2)
