"""What others commit to a file is noticed, whatever is committed here meanwhile."""

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, StoreUnavailable, open_blocking_engine
from flowfabric.stores.sqlite import file_changes
from flowfabric.stores.sqlite.store import SqliteStore
from flowfabric.stores.sqlite.watching import LogWatch
from tests.assembled import Assembled, assembled
from tests.stores.sqlite.conftest import Open

WAIT_S_MAX = 60.0
FAR_TOO_LONG_S = 600.0


@pytest.fixture
def ours(path: Path) -> Iterator[Assembled]:
    with closing(SqliteStore(str(path))) as store, assembled(store) as parts:
        yield parts


@pytest.fixture
def theirs(ours: Assembled, open_another: Open) -> BlockingEngine:
    return open_another()


@pytest.fixture(params=["the system tells", "nobody tells"])
def _who_tells(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "nobody tells":
        monkeypatch.setattr(file_changes.sys, "platform", "another")
    else:
        monkeypatch.setattr(file_changes, "EVENT_WAIT_S", FAR_TOO_LONG_S)


@pytest.mark.usefixtures("_who_tells")
def test_what_others_commit_is_told(ours: Assembled, theirs: BlockingEngine):
    told = threading.Event()
    with ours.store.watch(lambda _: told.set()):
        theirs.create_execution("mail")

        assert told.wait(WAIT_S_MAX)


@pytest.mark.usefixtures("_who_tells")
def test_what_others_commit_is_told_also_if_we_commit_before_anyone_has_looked(
    ours: Assembled, theirs: BlockingEngine, monkeypatch: pytest.MonkeyPatch
):
    told = threading.Event()
    monkeypatch.setattr(file_changes, "FILE_POLL_S", 0.5)
    with ours.store.watch(lambda _: told.set()):
        theirs.create_execution("mail")
        ours.engine.create_execution("mail")

        assert told.wait(WAIT_S_MAX)


@pytest.mark.usefixtures("_who_tells")
def test_a_commit_of_others_is_reported_again_when_it_is_complete(tmp_path: Path):
    path = tmp_path / "a.db"
    log = Path(f"{path}-wal")
    log.touch()
    ours, theirs = LogWatch(str(path)), LogWatch(str(path))
    reported = threading.Event()
    with ours.watching(lambda _: reported.set()):
        log.write_bytes(b"written, and not on the disk yet")
        assert reported.wait(WAIT_S_MAX)
        reported.clear()

        theirs.we_committed()

        assert reported.wait(WAIT_S_MAX)


def test_nobody_watches_for_a_caller_that_is_refused_because_its_engine_is_closed(url: str):
    with open_blocking_engine(url, reconcile=False) as engine:
        pass
    threads = set(threading.enumerate())

    with pytest.raises(StoreUnavailable, match="closed"):
        engine.wait_for_work(worker_id="worker-1", worker_instance_id="worker-1/a")

    assert set(threading.enumerate()) <= threads


@pytest.mark.parametrize("is_there_before", [True, False])
def test_a_change_is_told_at_once_and_a_stop_ends_the_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there_before: bool
):
    monkeypatch.setattr(file_changes, "EVENT_WAIT_S", FAR_TOO_LONG_S)
    file = tmp_path / "jobs.db-wal"
    if is_there_before:
        file.touch()
    changes = file_changes.file_changes(str(file))
    woken = threading.Event()
    thread = threading.Thread(target=lambda: [woken.set() for _ in iter(changes.wait, False)])
    thread.start()

    was_told = []
    for text in (b"x", b"y"):
        with file.open("ab") as log:
            log.write(text)
        was_told.append(woken.wait(WAIT_S_MAX))
        woken.clear()
    changes.stop()
    thread.join(WAIT_S_MAX)
    has_stopped = not thread.is_alive()
    changes.close()

    assert was_told == [True, True]
    assert has_stopped


def test_where_the_system_has_no_more_to_lend_one_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Exhausted:
        @staticmethod
        def inotify_init1(flags: int) -> int:
            return -1

    monkeypatch.setattr(file_changes.ctypes, "CDLL", lambda name: Exhausted)
    changes = file_changes.file_changes(str(tmp_path / "jobs.db-wal"))

    assert changes.wait()
    changes.stop()
    assert not changes.wait()
    changes.close()


def test_watching_gives_every_descriptor_back(path: Path):
    with closing(SqliteStore(str(path))) as store:
        with store.watch(lambda _: None):
            pass
        before = len(os.listdir("/dev/fd"))
        for _ in range(20):
            with store.watch(lambda _: None):
                pass

        assert len(os.listdir("/dev/fd")) <= before
