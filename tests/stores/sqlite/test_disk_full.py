"""No room on the disk: nobody is kept waiting, nothing acknowledged is lost, and it goes on once there is room."""

import subprocess
import tempfile
from pathlib import Path

import pytest

from flowfabric import NewExecution, StoreUnavailable
from tests.assembled import Assembled
from tests.stores.sqlite.conftest import writer_of
from tests.stores.sqlite.processes import run

IN_ITS_OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")


def may_mount() -> bool:
    """Whether this machine lets us mount a small disk that nobody else sees."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            mount = ("mount", "-t", "tmpfs", "-o", "size=900k", "none", folder)
            return subprocess.run([*IN_ITS_OWN_MOUNTS, *mount], capture_output=True, timeout=60).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False


# A limit on the size of files can be set everywhere and fails writes as a broken disk does. A small disk is the real
# thing, where it may be had.
DISKS = ["limited file size", "small disk"] if may_mount() else ["limited file size"]


@pytest.mark.parametrize("disk", DISKS)
def test_commits_that_find_no_room_are_refused_and_go_on_once_there_is_room(tmp_path: Path, disk: str) -> None:
    report = run("fill_the_disk", tmp_path, disk, inside=IN_ITS_OWN_MOUNTS if disk == "small disk" else ())

    assert len(report["refusals"]) == 2
    for refusal in report["refusals"]:
        assert refusal.startswith("store_unavailable: "), refusal
        assert "Nothing was changed" in refusal
    assert report["took_s"] < 10
    assert report["unreadable"] == 0
    assert report["missing"] == []
    assert report["beyond"] == [], "what was refused was stored all the same"
    assert report["result"] == "done"
    assert report["violations"] == []


def test_a_file_that_cannot_be_opened_for_want_of_room_says_so_and_keeps_no_lock(path: Path) -> None:
    report = run("open_without_room", path)

    assert report["without"].startswith("store_unavailable: "), report["without"]
    assert report["afterwards"] == "it was opened"


def test_a_database_that_may_not_grow_refuses_and_goes_on_once_it_may(parts: Assembled) -> None:
    engine, connection = parts.engine, writer_of(parts).connection
    known = engine.create_execution("kind").execution_id
    assert connection is not None
    pages = connection.execute("pragma page_count").fetchone()[0]
    connection.execute(f"pragma max_page_count = {pages}")

    with pytest.raises(StoreUnavailable, match=r"is full\. Nothing was changed; free some space and send it again"):
        engine.create_execution("kind", b"x" * 100_000)

    assert engine.describe_execution(known) is not None
    assert len(engine.list_executions().items) == 1
    connection.execute("pragma max_page_count = 1073741823")
    assert engine.create_execution("kind", b"x" * 100_000).public_state == "waiting"


def test_a_number_given_to_a_capability_set_is_forgotten_with_the_commit_that_failed(parts: Assembled) -> None:
    engine, connection = parts.engine, writer_of(parts).connection
    assert connection is not None
    pages = connection.execute("pragma page_count").fetchone()[0]
    connection.execute(f"pragma max_page_count = {pages}")
    painting = NewExecution(kind="paint", required_capabilities=["gpu"], payload=b"x" * 100_000)
    with pytest.raises(StoreUnavailable):
        engine.create_executions([painting, painting])
    connection.execute("pragma max_page_count = 1073741823")

    engine.create_execution("print", required_capabilities=["paper"])
    engine.create_executions([painting])

    claimed = engine.claim(worker_id="w", worker_instance_id="i", capabilities=["gpu"], limit=10)
    assert [each.kind for each in claimed] == ["paint"]
    claimed = engine.claim(worker_id="w", worker_instance_id="i", capabilities=["paper"], limit=10)
    assert [each.kind for each in claimed] == ["print"]
